/* `pm_likelihood_classes` with vectors of floats, which likelihood.h says by macros; they end with this file. Each class
 * gets the bits that pm_likelihood_class gives it: sums go in the same order.
 *
 *   PM_LIKELIHOOD_LEVEL            the level's name
 *   PM_LIKELIHOOD_KERNEL           begins a function for it
 *   PM_TOGETHER                    classes at once
 *   PM_FLOATS, PM_FLOATS_SIZE      a vector of floats, and how many: a divisor of PM_MIXED
 *   PM_LOAD_FLOATS(from), PM_STORE_FLOATS(to, a), PM_SET_FLOATS(number)
 *   PM_ADD_FLOATS(a, b), PM_MULTIPLY_FLOATS(a, b), PM_MAX_FLOATS(a, b)
 */
#define PM_JOIN_LIKELIHOOD(name, level) name##_##level
#define PM_NAME_LIKELIHOOD(name, level) PM_JOIN_LIKELIHOOD(name, level)
#define PM_WIDE (PM_MIXED / PM_FLOATS_SIZE)

PM_LIKELIHOOD_KERNEL void PM_NAME_LIKELIHOOD(pm_likelihood_classes, PM_LIKELIHOOD_LEVEL)(
    const pm_likelihood *net, const float *hidden, const float *direct, const float *out, const int16_t *rows, int n,
    const float *legal, float *h, float *m, float *p)
{
    PM_NO_CONTRACT
    const float offered[PM_OUT] = {legal[0], legal[1], legal[2], 0.0f};
    const pm_four mask = PM_ABOVE_FOUR(PM_LOAD_FOUR(offered), PM_SET_FOUR(0.0f));
    const PM_FLOATS zero = PM_SET_FLOATS(0.0f);
    int k = 0;
    for (; k + PM_TOGETHER <= n; k += PM_TOGETHER) {
        PM_FLOATS sums[PM_TOGETHER][PM_WIDE], q[PM_WIDE];
        pm_four z[PM_TOGETHER];
        for (int t = 0; t < PM_TOGETHER; t++) {
            const int16_t *row = rows + PM_HOLDING_FEATURES * (k + t);
            const float *e0 = net->holding + PM_HIDDEN * (size_t)row[0];
            const float *e1 = net->holding + PM_HIDDEN * (size_t)row[1];
            const float *e2 = net->holding + PM_HIDDEN * (size_t)row[2];
            const float *e3 = net->holding + PM_HIDDEN * (size_t)row[3];
            float *to = h + PM_HIDDEN * (k + t);
            for (int i = 0; i < PM_HIDDEN; i += PM_FLOATS_SIZE) {
                PM_FLOATS a = PM_ADD_FLOATS(PM_ADD_FLOATS(PM_LOAD_FLOATS(e0 + i), PM_LOAD_FLOATS(e1 + i)),
                                            PM_ADD_FLOATS(PM_LOAD_FLOATS(e2 + i), PM_LOAD_FLOATS(e3 + i)));
                a = PM_MAX_FLOATS(PM_ADD_FLOATS(PM_LOAD_FLOATS(hidden + i), a), zero);
                PM_STORE_FLOATS(to + i, a);
            }
            for (int w = 0; w < PM_WIDE; w++)
                sums[t][w] = PM_LOAD_FLOATS(net->mix_bias + PM_FLOATS_SIZE * w);
            z[t] = PM_LOAD_FOUR(direct);
            for (int f = 0; f < PM_HOLDING_FEATURES; f++)
                z[t] = PM_ADD_FOUR(z[t], PM_LOAD_FOUR(net->direct_holding + PM_OUT * (size_t)row[f]));
        }
        for (int i = 0; i < PM_HIDDEN; i++) {
            for (int w = 0; w < PM_WIDE; w++)
                q[w] = PM_LOAD_FLOATS(net->mix + PM_MIXED * i + PM_FLOATS_SIZE * w);
            for (int t = 0; t < PM_TOGETHER; t++) {
                const PM_FLOATS a = PM_SET_FLOATS(h[PM_HIDDEN * (k + t) + i]);
                for (int w = 0; w < PM_WIDE; w++)
                    sums[t][w] = PM_ADD_FLOATS(sums[t][w], PM_MULTIPLY_FLOATS(a, q[w]));
            }
        }
        for (int t = 0; t < PM_TOGETHER; t++)
            for (int w = 0; w < PM_WIDE; w++)
                PM_STORE_FLOATS(m + PM_MIXED * (k + t) + PM_FLOATS_SIZE * w, PM_MAX_FLOATS(sums[t][w], zero));
        for (int j = 0; j < PM_MIXED; j++) {
            const pm_four o = PM_LOAD_FOUR(out + PM_OUT * j);
            for (int t = 0; t < PM_TOGETHER; t++)
                z[t] = PM_ADD_FOUR(z[t], PM_MULTIPLY_FOUR(PM_SET_FOUR(m[PM_MIXED * (k + t) + j]), o));
        }
        for (int t = 0; t < PM_TOGETHER; t++)
            PM_STORE_FOUR(p + PM_OUT * (k + t), pm_softmax_four(z[t], mask));
    }
    for (; k < n; k++)
        pm_likelihood_class(net, hidden, direct, out, rows + PM_HOLDING_FEATURES * k, legal, h + PM_HIDDEN * k,
                            m + PM_MIXED * k, p + PM_OUT * k);
}

#undef PM_JOIN_LIKELIHOOD
#undef PM_NAME_LIKELIHOOD
#undef PM_WIDE
#undef PM_LIKELIHOOD_LEVEL
#undef PM_LIKELIHOOD_KERNEL
#undef PM_TOGETHER
#undef PM_FLOATS
#undef PM_FLOATS_SIZE
#undef PM_LOAD_FLOATS
#undef PM_STORE_FLOATS
#undef PM_SET_FLOATS
#undef PM_ADD_FLOATS
#undef PM_MULTIPLY_FLOATS
#undef PM_MAX_FLOATS
