/* The levels of vector instructions, of which one is chosen at run time.
 *
 * Every level gives the same bits; a higher one takes fewer instructions. PM_TARGET marks a function that is
 * compiled for more than the platform's baseline and must only be called where the level is supported.
 *
 * For the same bits on every machine, products must also be rounded before they are added. GCC fuses the two if the
 * target can (any AArch64, and functions for AVX-512) and ignores the pragma that forbids it: compile with
 * -ffp-contract=off. Clang obeys PM_NO_CONTRACT at the start of a function's body; MSVC, since 2022, fuses nothing.
 */
#ifndef POKERMODEL_SIMD_H
#define POKERMODEL_SIMD_H

#include <stdint.h>

enum { PM_SIMD_PORTABLE, PM_SIMD_SSE2, PM_SIMD_AVX2, PM_SIMD_AVX512, PM_SIMD_NEON, PM_SIMD_LEVELS };

#ifdef __clang__
#define PM_NO_CONTRACT _Pragma("STDC FP_CONTRACT OFF")
#else
#define PM_NO_CONTRACT
#endif

/* What is compiled for several instruction sets has to be part of the function that is. */
#if defined(_MSC_VER) && !defined(__clang__)
#define PM_ALWAYS_INLINE static __forceinline
#else
#define PM_ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define PM_SIMD_X86 1
#include <immintrin.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define PM_TARGET(features)
#else
#include <cpuid.h>
#define PM_TARGET(features) __attribute__((target(features)))
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define PM_SIMD_ARM 1
#include <arm_neon.h>
#endif

#ifdef PM_SIMD_X86
static inline void pm_cpuid(unsigned leaf, unsigned subleaf, unsigned regs[4])
{
#if defined(_MSC_VER) && !defined(__clang__)
    __cpuidex((int *)regs, (int)leaf, (int)subleaf);
#else
    __cpuid_count(leaf, subleaf, regs[0], regs[1], regs[2], regs[3]);
#endif
}

static inline uint64_t pm_enabled_state(void)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _xgetbv(0);
#else
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
#endif
}
#endif

/* The highest level that this processor and operating system support. */
static inline int pm_simd_supported(void)
{
#ifdef PM_SIMD_X86
    unsigned regs[4];
    uint64_t state;
    pm_cpuid(0, 0, regs);
    if (regs[0] < 7)
        return PM_SIMD_SSE2;
    pm_cpuid(1, 0, regs);
    if (!(regs[2] >> 27 & 1) || !(regs[2] >> 29 & 1)) /* OSXSAVE, F16C */
        return PM_SIMD_SSE2;
    state = pm_enabled_state();
    pm_cpuid(7, 0, regs);
    if ((state & 0x06) != 0x06 || !(regs[1] >> 5 & 1))
        return PM_SIMD_SSE2;
    if ((state & 0xe6) == 0xe6 && (regs[1] >> 16 & 1) && (regs[1] >> 30 & 1)) /* AVX512F, AVX512BW */
        return PM_SIMD_AVX512;
    return PM_SIMD_AVX2;
#elif defined(PM_SIMD_ARM)
    return PM_SIMD_NEON; /* part of every AArch64 */
#else
    return PM_SIMD_PORTABLE;
#endif
}

/* Whether this processor and operating system support a level; a lower level may belong to another architecture. */
static inline int pm_simd_supports(int level)
{
#ifdef PM_SIMD_X86
    return level >= 0 && level <= pm_simd_supported();
#else
    return level == PM_SIMD_PORTABLE || level == pm_simd_supported();
#endif
}

#endif
