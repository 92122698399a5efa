/* Kernels over weight tables, compiled for the levels of vector instructions that matter to them: the same steps in the
 * same order, and so the same bits. */
#ifndef POKERMODEL_TABLE_KERNELS_H
#define POKERMODEL_TABLE_KERNELS_H

#include "pokermodel/ranges/expected_triples.h"
#include "pokermodel/ranges/opponents.h"
#include "pokermodel/ranges/reweighting.h"
#include "pokermodel/vectors/simd.h"

#if defined(__GNUC__) || defined(__clang__)
#define PM_FLATTEN __attribute__((flatten)) /* what is called is compiled for the same level */
#else
#define PM_FLATTEN
#endif

typedef struct {
    void (*ramp_forecast)(const pm_ramp_acts *acts, const double *values, const double *potentials,
                          const double *weights, ptrdiff_t n, double *mean);
    void (*ramp_weights)(const pm_ramp *ramp, const double *values, const double *weights, const unsigned char *exempt,
                         const unsigned char *live, double least, ptrdiff_t n, double *after);
    double (*posterior)(const double *weights, const double *p, ptrdiff_t stride, ptrdiff_t n, double least,
                        double *after);
    void (*expected_triples)(const pm_generator *g, const pm_spot *spot, const double *values,
                             const double *potentials, const double *weights, ptrdiff_t n, double *triples,
                             double *mean);
    int (*merge_tables)(const double *const *tables, int count, int maximum, ptrdiff_t n, double *scaled,
                        double *merged);
} pm_table_kernels;

#define PM_TABLE_KERNELS(level, target)                                                                                \
    target PM_FLATTEN static void pm_ramp_forecast_##level(                                                            \
        const pm_ramp_acts *acts, const double *values, const double *potentials, const double *weights, ptrdiff_t n,  \
        double *mean)                                                                                                  \
    {                                                                                                                  \
        pm_ramp_forecast(acts, values, potentials, weights, n, mean);                                                  \
    }                                                                                                                  \
    target PM_FLATTEN static void pm_ramp_weights_##level(                                                             \
        const pm_ramp *ramp, const double *values, const double *weights, const unsigned char *exempt,                 \
        const unsigned char *live, double least, ptrdiff_t n, double *after)                                           \
    {                                                                                                                  \
        pm_ramp_weights(ramp, values, weights, exempt, live, least, n, after);                                         \
    }                                                                                                                  \
    target PM_FLATTEN static double pm_posterior_##level(const double *weights, const double *p, ptrdiff_t stride,     \
                                                         ptrdiff_t n, double least, double *after)                     \
    {                                                                                                                  \
        return stride == 1 ? pm_posterior(weights, p, 1, n, least, after)                                              \
                           : pm_posterior(weights, p, stride, n, least, after);                                        \
    }                                                                                                                  \
    target PM_FLATTEN static void pm_expected_triples_##level(                                                         \
        const pm_generator *g, const pm_spot *spot, const double *values, const double *potentials,                    \
        const double *weights, ptrdiff_t n, double *triples, double *mean)                                             \
    {                                                                                                                  \
        pm_expected_triples(g, spot, values, potentials, weights, n, triples, mean);                                   \
    }                                                                                                                  \
    target PM_FLATTEN static int pm_merge_tables_##level(const double *const *tables, int count, int maximum,          \
                                                         ptrdiff_t n, double *scaled, double *merged)                  \
    {                                                                                                                  \
        return pm_merge_tables(tables, count, maximum, n, scaled, merged);                                             \
    }                                                                                                                  \
    static const pm_table_kernels pm_table_kernels_##level = {pm_ramp_forecast_##level, pm_ramp_weights_##level,       \
                                                              pm_posterior_##level, pm_expected_triples_##level,       \
                                                              pm_merge_tables_##level};

PM_TABLE_KERNELS(portable, )

#ifdef PM_SIMD_X86
PM_TABLE_KERNELS(avx2, PM_TARGET("avx2"))
#endif

/* The kernels of a level. */
static inline const pm_table_kernels *pm_table_kernels_at(int level)
{
#ifdef PM_SIMD_X86
    if (level == PM_SIMD_AVX2 || level == PM_SIMD_AVX512)
        return &pm_table_kernels_avx2;
#else
    (void)level;
#endif
    return &pm_table_kernels_portable;
}

#endif
