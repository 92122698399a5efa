/* Sums over classes in double precision, with vectors that likelihood.h says by macros; they end with this file. Every
 * level adds in the same order.
 *
 *   PM_LIKELIHOOD_LEVEL            the level's name
 *   PM_LIKELIHOOD_KERNEL           what it is compiled for
 *   PM_REALS, PM_REALS_SIZE        a vector of doubles, and how many: a divisor of PM_MIXED and of PM_EFFECTS
 *   PM_LOAD_REALS(from), PM_STORE_REALS(to, a), PM_SET_REALS(number), PM_REALS_OF_FLOATS(from)
 *   PM_ADD_REALS(a, b), PM_SUBTRACT_REALS(a, b), PM_MULTIPLY_REALS(a, b)
 */
#define PM_JOIN_LIKELIHOOD(name, level) name##_##level
#define PM_NAME_LIKELIHOOD(name, level) PM_JOIN_LIKELIHOOD(name, level)
#define PM_LONG (PM_MIXED / PM_REALS_SIZE)

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_means, PM_LIKELIHOOD_LEVEL)(
    const double *belief, int n, const float *p, const float *m, double *mean, double (*sums)[PM_SLOPE])
{
    PM_NO_CONTRACT
    PM_REALS one[PM_LONG], two[PM_LONG], three[PM_LONG];
    double of_one = 0.0, of_two = 0.0, of_three = 0.0, fold = 0.0, call = 0.0, raise = 0.0;
    for (int w = 0; w < PM_LONG; w++)
        one[w] = two[w] = three[w] = PM_SET_REALS(0.0);
    for (int k = 0; k < n; k++, p += PM_OUT, m += PM_MIXED) {
        const double held = belief[k];
        fold += held * p[0];
        call += held * p[1];
        raise += held * p[2];
        if (sums && held * PM_LEAST_BELIEF >= 1.0) {
            const double c = (double)p[1] * p[2] * held;
            const PM_REALS third = PM_SET_REALS(c);
            PM_REALS all[PM_LONG];
            for (int w = 0; w < PM_LONG; w++) {
                all[w] = PM_REALS_OF_FLOATS(m + PM_REALS_SIZE * w);
                three[w] = PM_ADD_REALS(three[w], PM_MULTIPLY_REALS(third, all[w]));
            }
            of_three += c;
            if (p[0] > 0) {
                const double a = (double)p[0] * p[1] * held, b = (double)p[0] * p[2] * held;
                const PM_REALS first = PM_SET_REALS(a), second = PM_SET_REALS(b);
                for (int w = 0; w < PM_LONG; w++) {
                    one[w] = PM_ADD_REALS(one[w], PM_MULTIPLY_REALS(first, all[w]));
                    two[w] = PM_ADD_REALS(two[w], PM_MULTIPLY_REALS(second, all[w]));
                }
                of_one += a;
                of_two += b;
            }
        }
    }
    mean[0] = fold;
    mean[1] = call;
    mean[2] = raise;
    if (!sums)
        return;
    for (int w = 0; w < PM_LONG; w++) {
        PM_STORE_REALS(sums[0] + PM_REALS_SIZE * w, one[w]);
        PM_STORE_REALS(sums[1] + PM_REALS_SIZE * w, two[w]);
        PM_STORE_REALS(sums[2] + PM_REALS_SIZE * w, three[w]);
    }
    sums[0][PM_MIXED] = of_one;
    sums[1][PM_MIXED] = of_two;
    sums[2][PM_MIXED] = of_three;
}

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_slopes, PM_LIKELIHOOD_LEVEL)(
    const double *belief, int n, const float *p, const float *m, int act, double (*sums)[PM_SLOPE])
{
    PM_NO_CONTRACT
    const double done[PM_ACTS] = {act == 0, act == 1, act == 2};
    PM_REALS one[PM_LONG], two[PM_LONG], three[PM_LONG];
    double of_one = 0.0, of_two = 0.0, of_three = 0.0;
    for (int w = 0; w < PM_LONG; w++)
        one[w] = two[w] = three[w] = PM_SET_REALS(0.0);
    for (int k = 0; k < n; k++, p += PM_OUT, m += PM_MIXED) {
        const double held = belief[k];
        double a, b, c;
        if (held < 1.0 / PM_LEAST_HELD)
            continue;
        a = (double)(float)(held * (done[0] - p[0]));
        b = (double)(float)(held * (done[1] - p[1]));
        c = (double)(float)(held * (done[2] - p[2]));
        for (int w = 0; w < PM_LONG; w++) {
            const PM_REALS all = PM_REALS_OF_FLOATS(m + PM_REALS_SIZE * w);
            one[w] = PM_ADD_REALS(one[w], PM_MULTIPLY_REALS(PM_SET_REALS(a), all));
            two[w] = PM_ADD_REALS(two[w], PM_MULTIPLY_REALS(PM_SET_REALS(b), all));
            three[w] = PM_ADD_REALS(three[w], PM_MULTIPLY_REALS(PM_SET_REALS(c), all));
        }
        of_one += a;
        of_two += b;
        of_three += c;
    }
    for (int w = 0; w < PM_LONG; w++) {
        PM_STORE_REALS(sums[0] + PM_REALS_SIZE * w, one[w]);
        PM_STORE_REALS(sums[1] + PM_REALS_SIZE * w, two[w]);
        PM_STORE_REALS(sums[2] + PM_REALS_SIZE * w, three[w]);
    }
    sums[0][PM_MIXED] = of_one;
    sums[1][PM_MIXED] = of_two;
    sums[2][PM_MIXED] = of_three;
}

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_directions, PM_LIKELIHOOD_LEVEL)(
    const pm_likelihood *net, const int16_t *basis, const double *slopes, int n, double *to)
{
    PM_NO_CONTRACT
    enum { ROW = PM_ACTS * PM_EFFECTS, LINES = PM_EFFECTS / PM_REALS_SIZE };
    const double *units = net->loadings + (size_t)basis[0] * PM_MIXED * ROW;
    for (int d = 0; d < n; d++, slopes += PM_SLOPE * PM_OUT, to += PM_EFFECTS) {
        PM_REALS sums[LINES];
        for (int w = 0; w < LINES; w++)
            sums[w] = PM_LOAD_REALS(to + PM_REALS_SIZE * w);
        for (int j = 0; j < PM_MIXED + PM_BASIS - 1; j++) {
            const double *l = units + ROW * j, *slope = slopes + PM_OUT * j;
            if (j >= PM_MIXED) {
                l = net->loadings + (size_t)(2 * PM_MIXED + basis[1 + j - PM_MIXED]) * ROW;
                slope = slopes + PM_OUT * PM_MIXED;
            }
            for (int c = 0; c < PM_ACTS; c++) {
                const PM_REALS by = PM_SET_REALS(slope[c]);
                for (int w = 0; w < LINES; w++)
                    sums[w] = PM_ADD_REALS(
                        sums[w], PM_MULTIPLY_REALS(PM_LOAD_REALS(l + PM_EFFECTS * c + PM_REALS_SIZE * w), by));
            }
        }
        for (int w = 0; w < LINES; w++)
            PM_STORE_REALS(to + PM_REALS_SIZE * w, sums[w]);
    }
}

PM_LIKELIHOOD_KERNEL static void PM_NAME_LIKELIHOOD(pm_likelihood_narrow, PM_LIKELIHOOD_LEVEL)(
    double *columns, const double *direction, double worth)
{
    PM_NO_CONTRACT
    enum { LINES = PM_EFFECTS / PM_REALS_SIZE };
    PM_REALS v[LINES];
    double s = 0.0, each[PM_EFFECTS];
    for (int w = 0; w < LINES; w++)
        v[w] = PM_SET_REALS(0.0);
    for (int j = 0; j < PM_EFFECTS; j++) {
        const PM_REALS by = PM_SET_REALS(direction[j]);
        for (int w = 0; w < LINES; w++)
            v[w] = PM_ADD_REALS(
                v[w], PM_MULTIPLY_REALS(PM_LOAD_REALS(columns + PM_EFFECTS * j + PM_REALS_SIZE * w), by));
    }
    for (int w = 0; w < LINES; w++)
        PM_STORE_REALS(each + PM_REALS_SIZE * w, v[w]);
    for (int i = 0; i < PM_EFFECTS; i++)
        s += each[i] * direction[i];
    s = worth / (1.0 + worth * s);
    for (int w = 0; w < LINES; w++)
        v[w] = PM_MULTIPLY_REALS(PM_SET_REALS(s), v[w]);
    for (int j = 0; j < PM_EFFECTS; j++) {
        const PM_REALS by = PM_SET_REALS(each[j]);
        for (int w = 0; w < LINES; w++) {
            double *at = columns + PM_EFFECTS * j + PM_REALS_SIZE * w;
            PM_STORE_REALS(at, PM_SUBTRACT_REALS(PM_LOAD_REALS(at), PM_MULTIPLY_REALS(v[w], by)));
        }
    }
}

#undef PM_JOIN_LIKELIHOOD
#undef PM_NAME_LIKELIHOOD
#undef PM_LONG
#undef PM_LIKELIHOOD_LEVEL
#undef PM_LIKELIHOOD_KERNEL
#undef PM_REALS
#undef PM_REALS_SIZE
#undef PM_LOAD_REALS
#undef PM_STORE_REALS
#undef PM_SET_REALS
#undef PM_ADD_REALS
#undef PM_SUBTRACT_REALS
#undef PM_MULTIPLY_REALS
#undef PM_REALS_OF_FLOATS
