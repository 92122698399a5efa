/* The first statement of kernels in a build that the self-test of benchmarks/guard.py makes. */
#ifndef POKERMODEL_PLANTED_H
#define POKERMODEL_PLANTED_H

extern int planted_kernel, planted_wait; /* callgrind_requests.c */
int planted_begin(void) __attribute__((cold));
void planted_end(void) __attribute__((cold));

static inline void pm_planted_end(const int *begun)
{
    if (__builtin_expect(*begun, 0))
        planted_end();
}

#define PM_PLANT(kernel)                                                                                              \
    int pm_planted __attribute__((cleanup(pm_planted_end), unused)) =                                                 \
        __builtin_expect(planted_kernel == (kernel), 0) && --planted_wait < 0 && planted_begin()

#endif
