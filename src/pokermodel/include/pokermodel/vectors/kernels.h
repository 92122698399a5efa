/* The vector kernels of every level, and the table of them: kernels_template.h, compiled for each page of macros. */
#ifndef POKERMODEL_KERNELS_H
#define POKERMODEL_KERNELS_H

#include "pokermodel/evaluation/batch.h"
#include "pokermodel/evaluation/cells.h"
#include "pokermodel/evaluation/pairs.h"
#include "pokermodel/vectors/simd.h"

typedef struct {
    pm_rank_rows rank_rows;
    pm_compare_rows compare_rows;
    pm_add_pairs add_pairs;
    pm_sum_pairs sum_pairs;
} pm_kernels;

#define PM_JOIN_NAMES(name, level) name##_##level
#define PM_LEVEL_NAME(name, level) PM_JOIN_NAMES(name, level)
#define pm_rank_batch_here PM_LEVEL_NAME(pm_rank_batch, PM_LEVEL)
#define pm_rank_batches_here PM_LEVEL_NAME(pm_rank_batches, PM_LEVEL)
#define pm_rank_rows_here PM_LEVEL_NAME(pm_rank_rows, PM_LEVEL)
#define pm_compare_rows_here PM_LEVEL_NAME(pm_compare_rows, PM_LEVEL)
#define pm_add_pairs_here PM_LEVEL_NAME(pm_add_pairs, PM_LEVEL)
#define pm_sum_pairs_here PM_LEVEL_NAME(pm_sum_pairs, PM_LEVEL)
#define pm_kernels_here PM_LEVEL_NAME(pm_kernels, PM_LEVEL)

#include "pokermodel/vectors/vectors_portable.h"

#include "pokermodel/vectors/kernels_template.h"

#ifdef PM_SIMD_X86

#include "pokermodel/vectors/vectors_sse2.h"

#include "pokermodel/vectors/kernels_template.h"

#include "pokermodel/vectors/vectors_avx2.h"

#include "pokermodel/vectors/kernels_template.h"

#include "pokermodel/vectors/vectors_avx512.h"

#include "pokermodel/vectors/kernels_template.h"

#endif

#ifdef PM_SIMD_ARM

#include "pokermodel/vectors/vectors_neon.h"

#include "pokermodel/vectors/kernels_template.h"

#endif

/* The kernels of a level; the portable ones for a level of another architecture. */
static inline pm_kernels pm_kernels_at(int level)
{
    switch (level) {
#ifdef PM_SIMD_X86
    case PM_SIMD_SSE2:
        return pm_kernels_sse2;
    case PM_SIMD_AVX2:
        return pm_kernels_avx2;
    case PM_SIMD_AVX512:
        return pm_kernels_avx512;
#endif
#ifdef PM_SIMD_ARM
    case PM_SIMD_NEON:
        return pm_kernels_neon;
#endif
    default:
        return pm_kernels_portable;
    }
}

#endif
