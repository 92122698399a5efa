/* The kernels of the solver, written once for every instruction set; sweep_kernels.h says by macros what its vectors of
 * floats are, and what the macros mean. They end with this file. Every level gives the same bits: what is added up
 * over holdings goes in one order, and a lane knows nothing of the others.
 */
#define PM_JOIN_SOLVING(name, level) name##_##level
#define PM_NAME_SOLVING(name, level) PM_JOIN_SOLVING(name, level)
#define PM_SOLVING_NAME(name) PM_NAME_SOLVING(name, PM_SOLVING_LEVEL)
#define pm_ends_here PM_SOLVING_NAME(pm_ends)

/* ------------------------------------------------------------------- numbers of 16 bits, one scale a node
 *
 * Floating-point numbers of 16 bits (IEEE 754 binary16), times a scale that puts what no number of a node exceeds at their
 * upper end: what is 2^29 times as small keeps eleven bits, too. Whole numbers, rounded, stay where they are once an
 * iteration adds less than half a step: the average then ends at an exploitability that no more iterations lower.
 *
 * What an iteration adds becomes less than half a step here, too, if only after some hundred iterations. Rounded to the
 * nearest it would be lost again and again, and always in one direction: strategies then drift away from the equilibrium that
 * they were near. So numbers are rounded up as often as they are near the next one, by a table of dithers, at another place
 * of it each time.
 *
 * An iteration knows a bound of its new numbers before it has them: the discounted bound of the old ones, plus the most
 * that it can add. So numbers are stored as they come. To look for the largest one first, all would have to be kept as
 * floats and gone through twice. What a strategy is made of are ratios of regrets, which need no scale.
 */

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_widen)(const uint16_t *from, float scale, float *to, ptrdiff_t n)
{
    const PM_FLOATS by = PM_SET_FLOATS(scale);
    for (ptrdiff_t k = 0; k < n; k += PM_FLOATS_SIZE)
        PM_STORE_FLOATS(to + k, PM_MULTIPLY_FLOATS(PM_LOAD_HALVES(from + k), by));
}

/* The larger of `most` and the size of a number. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE PM_FLOATS PM_SOLVING_NAME(pm_larger)(PM_FLOATS most, PM_FLOATS x)
{
    return PM_MAX_FLOATS(most, PM_MAX_FLOATS(x, PM_SUBTRACT_FLOATS(PM_SET_FLOATS(0.0f), x)));
}

/* The largest number of a vector: by halves, since one after the other each would wait for the one before. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE float PM_SOLVING_NAME(pm_largest)(PM_FLOATS most)
{
    float lane[PM_FLOATS_SIZE];
    PM_STORE_FLOATS(lane, most);
    for (int half = PM_FLOATS_SIZE / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            lane[k] = lane[k] > lane[k + half] ? lane[k] : lane[k + half];
    return lane[0];
}

PM_SOLVING_KERNEL static float PM_SOLVING_NAME(pm_narrow)(const float *from, uint16_t *to, ptrdiff_t n)
{
    PM_FLOATS most = PM_SET_FLOATS(0.0f), by;
    float largest;
    for (ptrdiff_t k = 0; k < n; k += PM_FLOATS_SIZE)
        most = PM_SOLVING_NAME(pm_larger)(most, PM_LOAD_FLOATS(from + k));
    largest = PM_SOLVING_NAME(pm_largest)(most);
    if (!(largest > PM_HALF_LEAST)) { /* nothing that could be divided by */
        memset(to, 0, (size_t)n * sizeof *to);
        return 0.0f;
    }
    by = PM_SET_FLOATS(PM_HALF_MOST / largest);
    for (ptrdiff_t k = 0; k < n; k += PM_FLOATS_SIZE)
        PM_STORE_HALVES(to + k, PM_MULTIPLY_FLOATS(PM_LOAD_FLOATS(from + k), by));
    return largest / PM_HALF_MOST;
}

/* ----------------------------------------------------------------------------- decisions, one row an act */

/* The parts of a strategy that are not divided by their sum yet: regrets above 0, or 1 each where there are none. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE PM_FLOATS PM_SOLVING_NAME(pm_parts)(const int acts, const PM_FLOATS *regret,
                                                                      PM_FLOATS *part)
{
    const PM_FLOATS zero = PM_SET_FLOATS(0.0f), one = PM_SET_FLOATS(1.0f);
    PM_FLOATS sum = zero;
    for (int a = 0; a < acts; a++) {
        part[a] = PM_MAX_FLOATS(regret[a], zero);
        sum = a ? PM_ADD_FLOATS(sum, part[a]) : part[a];
    }
    for (int a = 0; a < acts; a++)
        part[a] = PM_IF_POSITIVE(sum, part[a], one);
    return PM_IF_POSITIVE(sum, sum, PM_SET_FLOATS((float)acts));
}

/* A node of the opponent: their strategy by their regrets, their reach of every child, and the average. The numbers of the
 * next such node lie behind those of this one, as a rule as many; on the way up, before them. An average of 16 bits grows
 * by no more than the largest reach. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE void PM_SOLVING_NAME(pm_other_acts)(const int acts, const int half,
                                                                      const pm_numbers_at *regret,
                                                                      const pm_numbers_at *average, const float *reach,
                                                                      float *to, ptrdiff_t apart, int n, float keep)
{
    PM_NO_CONTRACT
    PM_FLOATS kept = PM_SET_FLOATS(keep), by = kept;
    if (half) {
        const float before = keep * *average->scale;
        PM_FLOATS most = PM_SET_FLOATS(0.0f);
        float bound;
        for (int k = 0; k < n; k += PM_FLOATS_SIZE)
            most = PM_MAX_FLOATS(most, PM_LOAD_FLOATS(reach + k));
        bound = before * PM_HALF_MOST + PM_SOLVING_NAME(pm_largest)(most);
        bound = bound > PM_HALF_LEAST ? bound : PM_HALF_LEAST;
        by = PM_SET_FLOATS(PM_HALF_MOST / bound);
        kept = PM_SET_FLOATS(before * (PM_HALF_MOST / bound));
        *average->scale = bound / PM_HALF_MOST;
    }
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS r[PM_NODE_ACTS], part[PM_NODE_ACTS], scale;
        for (int a = 0; a < acts; a++) {
            const ptrdiff_t at = (ptrdiff_t)a * n + k, next = at + (ptrdiff_t)acts * n;
            if (!half) {
                PM_PREFETCH(regret->wide + next);
                PM_PREFETCH(average->wide + next);
            } else if (!(k & 31)) { /* a line of the cache has 32 of them */
                PM_PREFETCH(regret->narrow + next);
                PM_PREFETCH(average->narrow + next);
            }
            r[a] = half ? PM_LOAD_HALVES(regret->narrow + at) : PM_LOAD_FLOATS(regret->wide + at);
        }
        scale = PM_SOLVING_NAME(pm_parts)(acts, r, part);
        scale = PM_DIVIDE_FLOATS(PM_LOAD_FLOATS(reach + k), scale);
        for (int a = 0; a < acts; a++) {
            const ptrdiff_t at = (ptrdiff_t)a * n + k;
            const PM_FLOATS x = PM_MULTIPLY_FLOATS(part[a], scale);
            PM_STORE_FLOATS(to + a * apart + k, x);
            if (half) {
                const PM_FLOATS before = PM_MULTIPLY_FLOATS(PM_LOAD_HALVES(average->narrow + at), kept);
                const uint32_t *const dither =
                    average->dither + ((average->from + (uint32_t)a * PM_DITHERS / 8 + (uint32_t)k) & (PM_DITHERS - 1));
                PM_STORE_HALVES(average->narrow + at, PM_DITHER(PM_ADD_FLOATS(before, PM_MULTIPLY_FLOATS(x, by)), dither));
            } else {
                const PM_FLOATS before = PM_MULTIPLY_FLOATS(PM_LOAD_FLOATS(average->wide + at), kept);
                PM_STORE_FLOATS(average->wide + at, PM_ADD_FLOATS(before, x));
            }
        }
    }
}

/* The same by a strategy that stays: regrets and average are one. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE void PM_SOLVING_NAME(pm_other_plays)(const int acts, const float *strategy,
                                                                       const float *reach, float *to, ptrdiff_t apart,
                                                                       int n)
{
    PM_NO_CONTRACT
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS r[PM_NODE_ACTS], part[PM_NODE_ACTS], scale;
        for (int a = 0; a < acts; a++)
            r[a] = PM_LOAD_FLOATS(strategy + (ptrdiff_t)a * n + k);
        scale = PM_SOLVING_NAME(pm_parts)(acts, r, part);
        scale = PM_DIVIDE_FLOATS(PM_LOAD_FLOATS(reach + k), scale);
        for (int a = 0; a < acts; a++)
            PM_STORE_FLOATS(to + a * apart + k, PM_MULTIPLY_FLOATS(part[a], scale));
    }
}

/* A node of the own player: its value by the strategy of the regrets, and the new regrets. Adding a number and taking it
 * away again makes 0 of what is next to nothing: numbers below the smallest normal one would take very long, and 16 bits
 * know none. Regrets of 16 bits grow by no more than twice the largest value. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE void PM_SOLVING_NAME(pm_own_acts)(const int acts, const int half,
                                                                    const pm_numbers_at *regret,
                                                                    const float *const *values, float *value, int n,
                                                                    float above, float below)
{
    PM_NO_CONTRACT
    const PM_FLOATS tiny = PM_SET_FLOATS(PM_TINY_REGRET);
    PM_FLOATS keep_above, keep_below, by = tiny;
    if (half) {
        PM_FLOATS most = PM_SET_FLOATS(0.0f), least = most;
        float bound;
        for (int a = 0; a < acts; a++)
            for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
                const PM_FLOATS x = PM_LOAD_FLOATS(values[a] + k);
                most = PM_MAX_FLOATS(most, x);
                least = PM_MIN_FLOATS(least, x);
            }
        most = PM_MAX_FLOATS(most, PM_SUBTRACT_FLOATS(PM_SET_FLOATS(0.0f), least));
        bound = *regret->scale * PM_HALF_MOST * (above > below ? above : below) + 2.0f * PM_SOLVING_NAME(pm_largest)(most);
        bound = bound > PM_HALF_LEAST ? bound : PM_HALF_LEAST;
        by = PM_SET_FLOATS(PM_HALF_MOST / bound);
        above *= *regret->scale * (PM_HALF_MOST / bound);
        below *= *regret->scale * (PM_HALF_MOST / bound);
        *regret->scale = bound / PM_HALF_MOST;
    }
    keep_above = PM_SET_FLOATS(above);
    keep_below = PM_SET_FLOATS(below);
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS r[PM_NODE_ACTS], part[PM_NODE_ACTS], v[PM_NODE_ACTS], scale, mean;
        for (int a = 0; a < acts; a++) {
            const ptrdiff_t at = (ptrdiff_t)a * n + k, next = at - (ptrdiff_t)acts * n;
            if (!half)
                PM_PREFETCH(regret->wide + next);
            else if (!(k & 31))
                PM_PREFETCH(regret->narrow + next);
            r[a] = half ? PM_LOAD_HALVES(regret->narrow + at) : PM_LOAD_FLOATS(regret->wide + at);
            v[a] = PM_LOAD_FLOATS(values[a] + k);
        }
        scale = PM_SOLVING_NAME(pm_parts)(acts, r, part);
        mean = PM_MULTIPLY_FLOATS(part[0], v[0]);
        for (int a = 1; a < acts; a++)
            mean = PM_ADD_FLOATS(mean, PM_MULTIPLY_FLOATS(part[a], v[a]));
        mean = PM_DIVIDE_FLOATS(mean, scale);
        PM_STORE_FLOATS(value + k, mean);
        for (int a = 0; a < acts; a++) {
            const ptrdiff_t at = (ptrdiff_t)a * n + k;
            PM_FLOATS kept = PM_MULTIPLY_FLOATS(r[a], PM_IF_POSITIVE(r[a], keep_above, keep_below));
            if (half) {
                kept = PM_ADD_FLOATS(kept, PM_MULTIPLY_FLOATS(PM_SUBTRACT_FLOATS(v[a], mean), by));
                PM_STORE_HALVES(regret->narrow + at,
                                PM_DITHER(kept, regret->dither + ((regret->from + (uint32_t)a * PM_DITHERS / 8 +
                                                                   (uint32_t)k) & (PM_DITHERS - 1))));
            } else {
                kept = PM_SUBTRACT_FLOATS(PM_ADD_FLOATS(kept, tiny), tiny);
                PM_STORE_FLOATS(regret->wide + at, PM_ADD_FLOATS(kept, PM_SUBTRACT_FLOATS(v[a], mean)));
            }
        }
    }
}

/* Its value by a strategy that stays. */
PM_SOLVING_KERNEL PM_ALWAYS_INLINE void PM_SOLVING_NAME(pm_own_plays)(const int acts, const float *strategy,
                                                                     const float *const *values, float *value, int n)
{
    PM_NO_CONTRACT
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS r[PM_NODE_ACTS], part[PM_NODE_ACTS], scale, mean;
        for (int a = 0; a < acts; a++)
            r[a] = PM_LOAD_FLOATS(strategy + (ptrdiff_t)a * n + k);
        scale = PM_SOLVING_NAME(pm_parts)(acts, r, part);
        mean = PM_MULTIPLY_FLOATS(part[0], PM_LOAD_FLOATS(values[0] + k));
        for (int a = 1; a < acts; a++)
            mean = PM_ADD_FLOATS(mean, PM_MULTIPLY_FLOATS(part[a], PM_LOAD_FLOATS(values[a] + k)));
        PM_STORE_FLOATS(value + k, PM_DIVIDE_FLOATS(mean, scale));
    }
}

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_other_node)(int acts, const pm_numbers_at *regret,
                                                             const pm_numbers_at *average, const float *reach, float *to,
                                                             ptrdiff_t apart, int n, float keep)
{
    switch (2 * (acts < 5 ? acts : 0) + (regret->narrow != NULL)) { /* what is known unrolls the loops over acts */
    case 4:
        PM_SOLVING_NAME(pm_other_acts)(2, 0, regret, average, reach, to, apart, n, keep);
        break;
    case 5:
        PM_SOLVING_NAME(pm_other_acts)(2, 1, regret, average, reach, to, apart, n, keep);
        break;
    case 6:
        PM_SOLVING_NAME(pm_other_acts)(3, 0, regret, average, reach, to, apart, n, keep);
        break;
    case 7:
        PM_SOLVING_NAME(pm_other_acts)(3, 1, regret, average, reach, to, apart, n, keep);
        break;
    case 8:
        PM_SOLVING_NAME(pm_other_acts)(4, 0, regret, average, reach, to, apart, n, keep);
        break;
    case 9:
        PM_SOLVING_NAME(pm_other_acts)(4, 1, regret, average, reach, to, apart, n, keep);
        break;
    default:
        if (regret->narrow)
            PM_SOLVING_NAME(pm_other_acts)(acts > 1 ? acts : 1, 1, regret, average, reach, to, apart, n, keep);
        else
            PM_SOLVING_NAME(pm_other_acts)(acts > 1 ? acts : 1, 0, regret, average, reach, to, apart, n, keep);
    }
}

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_own_node)(int acts, const pm_numbers_at *regret,
                                                           const float *const *values, float *value, int n, float above,
                                                           float below)
{
    switch (2 * (acts < 5 ? acts : 0) + (regret->narrow != NULL)) { /* what is known unrolls the loops over acts */
    case 4:
        PM_SOLVING_NAME(pm_own_acts)(2, 0, regret, values, value, n, above, below);
        break;
    case 5:
        PM_SOLVING_NAME(pm_own_acts)(2, 1, regret, values, value, n, above, below);
        break;
    case 6:
        PM_SOLVING_NAME(pm_own_acts)(3, 0, regret, values, value, n, above, below);
        break;
    case 7:
        PM_SOLVING_NAME(pm_own_acts)(3, 1, regret, values, value, n, above, below);
        break;
    case 8:
        PM_SOLVING_NAME(pm_own_acts)(4, 0, regret, values, value, n, above, below);
        break;
    case 9:
        PM_SOLVING_NAME(pm_own_acts)(4, 1, regret, values, value, n, above, below);
        break;
    default:
        if (regret->narrow)
            PM_SOLVING_NAME(pm_own_acts)(acts > 1 ? acts : 1, 1, regret, values, value, n, above, below);
        else
            PM_SOLVING_NAME(pm_own_acts)(acts > 1 ? acts : 1, 0, regret, values, value, n, above, below);
    }
}

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_other_fixed)(int acts, const float *strategy, const float *reach, float *to,
                                                       ptrdiff_t apart, int n)
{
    PM_SOLVING_NAME(pm_other_plays)(acts > 1 ? acts : 1, strategy, reach, to, apart, n);
}

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_own_fixed)(int acts, const float *strategy, const float *const *values,
                                                     float *value, int n)
{
    PM_SOLVING_NAME(pm_own_plays)(acts > 1 ? acts : 1, strategy, values, value, n);
}

PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_own_best)(int acts, const float *const *values, float *value, int n)
{
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS best = PM_LOAD_FLOATS(values[0] + k);
        for (int a = 1; a < acts; a++)
            best = PM_MAX_FLOATS(best, PM_LOAD_FLOATS(values[a] + k));
        PM_STORE_FLOATS(value + k, best);
    }
}

/* The value of the opponent's node, whose reach is in those of its children. */
PM_SOLVING_KERNEL static void PM_SOLVING_NAME(pm_sum_rows)(int rows, const float *const *values, float *value, int n)
{
    for (int k = 0; k < n; k += PM_FLOATS_SIZE) {
        PM_FLOATS sum = PM_LOAD_FLOATS(values[0] + k);
        for (int a = 1; a < rows; a++)
            sum = PM_ADD_FLOATS(sum, PM_LOAD_FLOATS(values[a] + k));
        PM_STORE_FLOATS(value + k, sum);
    }
}

/* ---------------------------------------------------------------------- ends of hands on one board, see sweep_kernels.h */

/* Some holdings of the opponent, up to `end` in their order, come to what is already there. */
#define PM_ADD_OTHERS(end) \
    for (; from < (end); from++) { \
        const size_t p = other_order[from]; \
        float *const high = card + (size_t)other_high[p] * W, *const low = card + (size_t)other_low[p] * W; \
        const PM_FLOATS x = PM_LOAD_FLOATS(other + p * W); \
        sum = PM_ADD_FLOATS(sum, x); \
        PM_STORE_FLOATS(high, PM_ADD_FLOATS(PM_LOAD_FLOATS(high), x)); \
        PM_STORE_FLOATS(low, PM_ADD_FLOATS(PM_LOAD_FLOATS(low), x)); \
    }

/* The reach of all that is there and shares no card with one of the own holdings, but for the holding itself. */
#define PM_BESIDE(p) \
    PM_SUBTRACT_FLOATS(PM_SUBTRACT_FLOATS(sum, PM_LOAD_FLOATS(card + (size_t)own_high[p] * W)), \
                       PM_LOAD_FLOATS(card + (size_t)own_low[p] * W))

PM_SOLVING_KERNEL static void pm_ends_here(const pm_ends_of *e, const float *const *reach, const float *pay, int folds,
                                           float *const *to, float *const *to_fold, float *space)
{
    PM_NO_CONTRACT
    enum { W = PM_FLOATS_SIZE };
    const PM_FLOATS zero = PM_SET_FLOATS(0.0f);
    const PM_FLOATS half = PM_LOAD_FLOATS(pay), lose = PM_LOAD_FLOATS(pay + W), fold = PM_LOAD_FLOATS(pay + 2 * W);
    float *const card = space, *const other = space + PM_CARDS * W, *const own = other + ((ptrdiff_t)e->other_pad + 1) * W;
    /* in variables, since what vectors are stored to could be where they are */
    const uint16_t *const own_order = e->own_order, *const other_order = e->other_order, *const same = e->same;
    const uint16_t *const own_group = e->own_group, *const other_group = e->other_group;
    const uint8_t *const own_high = e->own_high, *const own_low = e->own_low;
    const uint8_t *const other_high = e->other_high, *const other_low = e->other_low;
    const int groups = folds ? 0 : e->groups, other_alive = e->other_alive;
    PM_FLOATS sum = zero, rows[W], fold_rows[W];
    int at = 0, from = 0;
    for (int k = 0; k < e->other_pad; k += W) {
        for (int lane = 0; lane < W; lane++)
            rows[lane] = PM_LOAD_FLOATS(reach[lane] + k);
        PM_TRANSPOSE(rows);
        for (int i = 0; i < W; i++)
            PM_STORE_FLOATS(other + (ptrdiff_t)(k + i) * W, rows[i]);
    }
    PM_STORE_FLOATS(other + (ptrdiff_t)e->other_pad * W, zero);
    for (int c = 0; c < PM_CARDS; c++)
        PM_STORE_FLOATS(card + c * W, zero);
    for (int g = 0; g < groups; g++) {
        const int own_end = own_group[g], other_end = other_group[g], before = at;
        for (; at < own_end; at++) { /* beaten */
            const size_t p = own_order[at];
            PM_STORE_FLOATS(own + p * W, PM_BESIDE(p));
        }
        PM_ADD_OTHERS(other_end)
        for (at = before; at < own_end; at++) { /* and beaten or tied */
            const size_t p = own_order[at];
            float *const place = own + p * W;
            const PM_FLOATS x = PM_ADD_FLOATS(PM_BESIDE(p), PM_LOAD_FLOATS(other + (size_t)same[p] * W));
            PM_STORE_FLOATS(place, PM_ADD_FLOATS(PM_LOAD_FLOATS(place), x));
        }
    }
    PM_ADD_OTHERS(other_alive)
    for (int k = 0; k < e->own_pad; k += W) {
        const PM_FLOATS alive = PM_LOAD_FLOATS(e->own_alive + k);
        for (int i = 0; i < W; i++) {
            const size_t p = (size_t)(k + i);
            const PM_FLOATS x = PM_ADD_FLOATS(PM_BESIDE(p), PM_LOAD_FLOATS(other + (size_t)same[p] * W));
            rows[i] = PM_MULTIPLY_FLOATS(lose, x);
            fold_rows[i] = PM_MULTIPLY_FLOATS(fold, x);
            if (!folds)
                rows[i] = PM_ADD_FLOATS(rows[i], PM_MULTIPLY_FLOATS(half, PM_LOAD_FLOATS(own + p * W)));
        }
        PM_TRANSPOSE(rows);
        for (int lane = 0; lane < W; lane++)
            PM_STORE_FLOATS(to[lane] + k, PM_MULTIPLY_FLOATS(rows[lane], alive));
        if (!to_fold)
            continue;
        PM_TRANSPOSE(fold_rows);
        for (int lane = 0; lane < W; lane++)
            PM_STORE_FLOATS(to_fold[lane] + k, PM_MULTIPLY_FLOATS(fold_rows[lane], alive));
    }
}

#undef PM_ADD_OTHERS
#undef PM_BESIDE

static const pm_solving_kernels PM_SOLVING_NAME(pm_solving_kernels) = {
    PM_FLOATS_SIZE,
    PM_SOLVING_NAME(pm_other_node),
    PM_SOLVING_NAME(pm_own_node),
    PM_SOLVING_NAME(pm_other_fixed),
    PM_SOLVING_NAME(pm_own_fixed),
    PM_SOLVING_NAME(pm_own_best),
    PM_SOLVING_NAME(pm_sum_rows),
    PM_SOLVING_NAME(pm_widen),
    PM_SOLVING_NAME(pm_narrow),
    pm_ends_here,
};

#undef PM_SOLVING_LEVEL
#undef PM_SOLVING_KERNEL
#undef PM_FLOATS
#undef PM_FLOATS_SIZE
#undef PM_LOAD_FLOATS
#undef PM_STORE_FLOATS
#undef PM_SET_FLOATS
#undef PM_ADD_FLOATS
#undef PM_SUBTRACT_FLOATS
#undef PM_MULTIPLY_FLOATS
#undef PM_DIVIDE_FLOATS
#undef PM_MAX_FLOATS
#undef PM_MIN_FLOATS
#undef PM_IF_POSITIVE
#undef PM_PREFETCH
#undef PM_LOAD_HALVES
#undef PM_STORE_HALVES
#undef PM_DITHER
#undef PM_TRANSPOSE
#undef PM_JOIN_SOLVING
#undef PM_NAME_SOLVING
#undef PM_SOLVING_NAME
#undef pm_ends_here
