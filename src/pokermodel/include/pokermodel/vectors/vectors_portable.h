/* Vectors of one element, in plain C. What each macro stands for is said in kernels_template.h. */
#define PM_LEVEL portable
#define PM_KERNEL static inline

#define PM_BYTES uint16_t /* wide enough to count a whole row */
#define PM_BYTES_SIZE 1
#define PM_COUNTERS 1
#define PM_LOAD_BYTES(from) ((uint16_t)*(from))
#define PM_ZERO_BYTES() 0
#define PM_COUNT_GREATER(counter, a, b) ((uint16_t)((counter) + ((int8_t)(a) > (int8_t)(b))))
#define PM_COUNT_EQUAL(counter, a, b) ((uint16_t)((counter) + ((int8_t)(a) == (int8_t)(b))))
#define PM_SUM_COUNTERS(one, two) ((uint64_t)(one)[0] | (uint64_t)(two)[0] << 32)

#define PM_DOUBLES double
#define PM_DOUBLES_SIZE 1
#define PM_LOAD_DOUBLES(from) (*(from))
#define PM_STORE_DOUBLES(to, a) (*(to) = (a))
#define PM_SET_DOUBLES(number) (number)
#define PM_ADD_DOUBLES(a, b) ((a) + (b))
#define PM_MULTIPLY_DOUBLES(a, b) ((a) * (b))
#define PM_CONVERT_COUNTS(from, to)                                                                                   \
    do {                                                                                                              \
        for (int i = 0; i < PM_CELL_LANES; i++)                                                                       \
            (to)[i] = (from)[i];                                                                                      \
    } while (0)
