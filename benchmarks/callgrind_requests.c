/* What a program asks of callgrind while it runs; without valgrind these do nothing. */
#include <valgrind/callgrind.h>

void count_start(void) { CALLGRIND_START_INSTRUMENTATION; }
void count_from_zero(void) { CALLGRIND_ZERO_STATS; }
void count_write(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
void count_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
void count_toggle(void) { CALLGRIND_TOGGLE_COLLECT; }

/* Kernels with a PM_PLANT (planted.h) in them ask here what to do: the self-test measures one, or slows it. */
int planted_kernel = -1;     /* which one */
int planted_measures = 0;    /* whether what lies between its beginning and its end is to be counted, and nothing else */
int planted_period = 1;      /* else each so many calls of it */
double planted_steps = 0.0;  /* waste so many steps, of two instructions each */
int planted_wait = 0;
int planted_calls = 0;

int planted_begin(void);
int planted_begin(void)
{
    static double due = 0.0;
    long steps;
    planted_calls++;
    if (planted_measures) {
        planted_wait = 0;
        if (planted_measures++ == 1)
            CALLGRIND_TOGGLE_COLLECT;
        return 1;
    }
    planted_wait = planted_period - 1;
    due += planted_steps;
    steps = (long)due;
    due -= (double)steps;
    for (; steps > 0; steps--)
        __asm__ volatile("");
    return 0;
}

void planted_end(void);
void planted_end(void)
{
    if (--planted_measures == 1)
        CALLGRIND_TOGGLE_COLLECT;
}
