/* `pm_likelihood_units` and `pm_likelihood_chances` with vectors of floats, which likelihood.h says by macros; they
 * end with this file. Each class gets the bits that the portable kernels give it: sums go in the same order.
 *
 *   PM_LIKELIHOOD_LEVEL            the level's name
 *   PM_LIKELIHOOD_KERNEL           what it is compiled for
 *   PM_TOGETHER                    classes at once: as many as there are registers for
 *   PM_FLOATS, PM_FLOATS_SIZE      a vector of floats, and how many: a divisor of PM_MIXED, in quads
 *   PM_LOAD_FLOATS(from), PM_STORE_FLOATS(to, a), PM_SET_FLOATS(number)
 *   PM_LOAD_QUADS(from, apart)     a quad of each of the next classes, so many floats apart
 *   PM_SAME_QUADS(from)            one quad for all of them
 *   PM_GATHER_QUADS(table, rows, at, f)   of each the quad in the row of the table that rows[at[class] + f] says
 *   PM_LANE_FLOATS(a, lane)        one lane of each quad, four times
 *   PM_ADD_FLOATS(a, b), PM_MULTIPLY_FLOATS(a, b), PM_DIVIDE_FLOATS(a, b), PM_MAX_FLOATS(a, b)
 *   PM_WHOLE_FLOATS(a)             rounded towards 0
 *   PM_POWER_FLOATS(n)             2 to the power of whole numbers
 *   PM_MASK                        what a comparison gives
 *   PM_ABOVE_FLOATS(a, b)          a mask
 *   PM_KEEP_FLOATS(a, mask), PM_DROP_FLOATS(a, mask)   a where the mask is, or is not; else 0
 *   PM_BITS_OF_MASK(mask)          a bit for each float
 */
#define PM_JOIN_LIKELIHOOD(name, level) name##_##level
#define PM_NAME_LIKELIHOOD(name, level) PM_JOIN_LIKELIHOOD(name, level)

/* The softmax of z over what is offered, in quads: as pm_likelihood_class has it, to the bit. */
PM_LIKELIHOOD_KERNEL PM_ALWAYS_INLINE PM_FLOATS PM_NAME_LIKELIHOOD(pm_softmax, PM_LIKELIHOOD_LEVEL)(PM_FLOATS z, PM_MASK legal)
{
    PM_NO_CONTRACT
    const PM_FLOATS offered = PM_ADD_FLOATS(PM_KEEP_FLOATS(z, legal), PM_DROP_FLOATS(PM_SET_FLOATS(-1e30f), legal));
    const PM_FLOATS most =
        PM_MAX_FLOATS(PM_MAX_FLOATS(PM_LANE_FLOATS(offered, 0), PM_LANE_FLOATS(offered, 1)), PM_LANE_FLOATS(offered, 2));
    const PM_FLOATS x = PM_ADD_FLOATS(z, PM_MULTIPLY_FLOATS(most, PM_SET_FLOATS(-1.0f)));
    const PM_FLOATS n =
        PM_WHOLE_FLOATS(PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(x, PM_SET_FLOATS(1.44269504f)), PM_SET_FLOATS(-0.5f)));
    const PM_FLOATS r = PM_ADD_FLOATS(PM_ADD_FLOATS(x, PM_MULTIPLY_FLOATS(n, PM_SET_FLOATS(-0.693359375f))),
                                      PM_MULTIPLY_FLOATS(n, PM_SET_FLOATS(2.12194440e-4f)));
    PM_FLOATS p = PM_SET_FLOATS(1.9875691500e-4f);
    p = PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(p, r), PM_SET_FLOATS(1.3981999507e-3f));
    p = PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(p, r), PM_SET_FLOATS(8.3334519073e-3f));
    p = PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(p, r), PM_SET_FLOATS(4.1665795894e-2f));
    p = PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(p, r), PM_SET_FLOATS(1.6666665459e-1f));
    p = PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(p, r), PM_SET_FLOATS(5.0000001201e-1f));
    p = PM_ADD_FLOATS(PM_ADD_FLOATS(PM_MULTIPLY_FLOATS(PM_MULTIPLY_FLOATS(p, r), r), r), PM_SET_FLOATS(1.0f));
    p = PM_MULTIPLY_FLOATS(p, PM_POWER_FLOATS(n));
    p = PM_DROP_FLOATS(PM_KEEP_FLOATS(p, legal), PM_ABOVE_FLOATS(PM_SET_FLOATS(-80.0f), x));
    return PM_DIVIDE_FLOATS(
        p, PM_ADD_FLOATS(PM_ADD_FLOATS(PM_LANE_FLOATS(p, 0), PM_LANE_FLOATS(p, 1)), PM_LANE_FLOATS(p, 2)));
}

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_units, PM_LIKELIHOOD_LEVEL)(
    const pm_likelihood *net, const float *hidden, const int16_t *rows, int n, float *h, float *m)
{
    PM_NO_CONTRACT
    enum { WIDE = PM_MIXED / PM_FLOATS_SIZE, HIDDEN_WIDE = PM_HIDDEN / PM_FLOATS_SIZE };
    const PM_FLOATS zero = PM_SET_FLOATS(0.0f);
    float scratch[PM_CLASSES_PADDED * PM_HIDDEN];
    for (int first = 0; first < n; first += PM_CLASSES_PADDED) {
        float *hs = h ? h + PM_HIDDEN * (size_t)first : scratch, *ms = m + PM_MIXED * (size_t)first;
        PM_FLOATS any[HIDDEN_WIDE];
        uint8_t used[PM_HIDDEN]; /* units that are above 0 with any class of the block: the others add nothing */
        int units = 0;
        uint32_t above = 0;
        for (int w = 0; w < HIDDEN_WIDE; w++)
            any[w] = zero;
        for (int t = 0; t < PM_CLASSES_PADDED; t++) {
            const int16_t *row = rows + PM_HOLDING_FEATURES * (first + t < n ? first + t : n - 1);
            const float *e0 = net->holding + PM_HIDDEN * (size_t)row[0];
            const float *e1 = net->holding + PM_HIDDEN * (size_t)row[1];
            const float *e2 = net->holding + PM_HIDDEN * (size_t)row[2];
            const float *e3 = net->holding + PM_HIDDEN * (size_t)row[3];
            for (int w = 0; w < HIDDEN_WIDE; w++) {
                const int i = PM_FLOATS_SIZE * w;
                PM_FLOATS a = PM_ADD_FLOATS(PM_ADD_FLOATS(PM_LOAD_FLOATS(e0 + i), PM_LOAD_FLOATS(e1 + i)),
                                            PM_ADD_FLOATS(PM_LOAD_FLOATS(e2 + i), PM_LOAD_FLOATS(e3 + i)));
                a = PM_MAX_FLOATS(PM_ADD_FLOATS(PM_LOAD_FLOATS(hidden + i), a), zero);
                PM_STORE_FLOATS(hs + PM_HIDDEN * t + i, a);
                any[w] = PM_MAX_FLOATS(any[w], a);
            }
        }
        for (int w = 0; w < HIDDEN_WIDE; w++)
            above |= (uint32_t)PM_BITS_OF_MASK(PM_ABOVE_FLOATS(any[w], zero)) << (PM_FLOATS_SIZE * w);
        for (int i = 0; i < PM_HIDDEN; i++) {
            used[units] = (uint8_t)i;
            units += above >> i & 1;
        }
        for (int k = 0; k < PM_CLASSES_PADDED; k += PM_TOGETHER) {
            PM_FLOATS sums[PM_TOGETHER][WIDE], q[WIDE];
            for (int t = 0; t < PM_TOGETHER; t++)
                for (int w = 0; w < WIDE; w++)
                    sums[t][w] = PM_LOAD_FLOATS(net->mix_bias + PM_FLOATS_SIZE * w);
            for (int u = 0; u < units; u++) {
                const float *of = hs + PM_HIDDEN * k + used[u];
                for (int w = 0; w < WIDE; w++)
                    q[w] = PM_LOAD_FLOATS(net->mix + PM_MIXED * used[u] + PM_FLOATS_SIZE * w);
                for (int t = 0; t < PM_TOGETHER; t++) {
                    const PM_FLOATS a = PM_SET_FLOATS(of[PM_HIDDEN * t]);
                    for (int w = 0; w < WIDE; w++)
                        sums[t][w] = PM_ADD_FLOATS(sums[t][w], PM_MULTIPLY_FLOATS(a, q[w]));
                }
            }
            for (int t = 0; t < PM_TOGETHER; t++)
                for (int w = 0; w < WIDE; w++)
                    PM_STORE_FLOATS(ms + PM_MIXED * (k + t) + PM_FLOATS_SIZE * w, PM_MAX_FLOATS(sums[t][w], zero));
        }
    }
}

/* A vector of z: of as many classes as it has quads. */
PM_LIKELIHOOD_KERNEL PM_ALWAYS_INLINE PM_FLOATS PM_NAME_LIKELIHOOD(pm_logits, PM_LIKELIHOOD_LEVEL)(
    const pm_likelihood *net, PM_FLOATS z, const float *out, const int16_t *rows, const int *at, const float *m)
{
    PM_NO_CONTRACT
    for (int f = 0; f < PM_HOLDING_FEATURES; f++)
        z = PM_ADD_FLOATS(z, PM_GATHER_QUADS(net->direct_holding, rows, at, f));
    for (int j = 0; j < PM_MIXED; j += 4) {
        const PM_FLOATS a = PM_LOAD_QUADS(m + j, PM_MIXED);
        z = PM_ADD_FLOATS(z, PM_MULTIPLY_FLOATS(PM_LANE_FLOATS(a, 0), PM_SAME_QUADS(out + PM_OUT * j)));
        z = PM_ADD_FLOATS(z, PM_MULTIPLY_FLOATS(PM_LANE_FLOATS(a, 1), PM_SAME_QUADS(out + PM_OUT * (j + 1))));
        z = PM_ADD_FLOATS(z, PM_MULTIPLY_FLOATS(PM_LANE_FLOATS(a, 2), PM_SAME_QUADS(out + PM_OUT * (j + 2))));
        z = PM_ADD_FLOATS(z, PM_MULTIPLY_FLOATS(PM_LANE_FLOATS(a, 3), PM_SAME_QUADS(out + PM_OUT * (j + 3))));
    }
    return z;
}

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_chances, PM_LIKELIHOOD_LEVEL)(
    const pm_likelihood *net, const float *direct, const float *out, const int16_t *rows, int n, const float *legal,
    const float *m, float *p)
{
    PM_NO_CONTRACT
    enum { QUADS = PM_FLOATS_SIZE / PM_OUT };
    const float offered[PM_OUT] = {legal[0], legal[1], legal[2], 0.0f};
    const PM_FLOATS common = PM_SAME_QUADS(direct);
    const PM_MASK mask = PM_ABOVE_FLOATS(PM_SAME_QUADS(offered), PM_SET_FLOATS(0.0f));
    for (int k = 0; k < n; k += 2 * QUADS) { /* two at a time: each waits for itself */
        int at[2 * QUADS];
        PM_FLOATS one, two;
        for (int t = 0; t < 2 * QUADS; t++)
            at[t] = PM_HOLDING_FEATURES * (k + t < n ? k + t : n - 1);
        one = PM_NAME_LIKELIHOOD(pm_logits, PM_LIKELIHOOD_LEVEL)(net, common, out, rows, at, m + PM_MIXED * k);
        two = PM_NAME_LIKELIHOOD(pm_logits, PM_LIKELIHOOD_LEVEL)(net, common, out, rows, at + QUADS,
                                                                 m + PM_MIXED * (k + QUADS));
        PM_STORE_FLOATS(p + PM_OUT * k, PM_NAME_LIKELIHOOD(pm_softmax, PM_LIKELIHOOD_LEVEL)(one, mask));
        PM_STORE_FLOATS(p + PM_OUT * (k + QUADS), PM_NAME_LIKELIHOOD(pm_softmax, PM_LIKELIHOOD_LEVEL)(two, mask));
    }
}

#undef PM_JOIN_LIKELIHOOD
#undef PM_NAME_LIKELIHOOD
#undef PM_LIKELIHOOD_LEVEL
#undef PM_LIKELIHOOD_KERNEL
#undef PM_TOGETHER
#undef PM_FLOATS
#undef PM_FLOATS_SIZE
#undef PM_LOAD_FLOATS
#undef PM_STORE_FLOATS
#undef PM_SET_FLOATS
#undef PM_LOAD_QUADS
#undef PM_SAME_QUADS
#undef PM_GATHER_QUADS
#undef PM_LANE_FLOATS
#undef PM_ADD_FLOATS
#undef PM_MULTIPLY_FLOATS
#undef PM_DIVIDE_FLOATS
#undef PM_MAX_FLOATS
#undef PM_WHOLE_FLOATS
#undef PM_POWER_FLOATS
#undef PM_MASK
#undef PM_ABOVE_FLOATS
#undef PM_KEEP_FLOATS
#undef PM_DROP_FLOATS
#undef PM_BITS_OF_MASK
