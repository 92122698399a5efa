/* What a program asks of callgrind while it runs; without valgrind these do nothing. */
#include <valgrind/callgrind.h>

void count_start(void) { CALLGRIND_START_INSTRUMENTATION; }
void count_from_zero(void) { CALLGRIND_ZERO_STATS; }
void count_write(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
void count_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
