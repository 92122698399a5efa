/* What the fuzz targets in C share: claims, filling of memory, a game out of what a text says, and a program that runs
 * files where there is no libFuzzer.
 *
 * A target reads one input the way the kernels do, and claims what has to hold of whatever it is. Each is read twice, in
 * memory that is filled with one byte and then with another: what differs was read before it was written. */
#ifndef POKERMODEL_FUZZ_H
#define POKERMODEL_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/texts/text.h"

#define FUZZ_MOST_CHIPS (INT64_C(1) << 50) /* as State takes them, or fewer */
#define FUZZ_MOST_RAISES 1000000

#define CLAIM(what)                                                        \
    do {                                                                   \
        if (!(what)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
            abort();                                                       \
        }                                                                  \
    } while (0)

/* A number that stands for all that was read. */
typedef uint64_t fuzz_digest;

static inline fuzz_digest fuzz_add(fuzz_digest digest, int64_t value)
{
    return (digest ^ (uint64_t)value) * UINT64_C(0x100000001b3) + (digest >> 29);
}

static inline int fuzz_inside(pm_text text, const char *begin, const char *end)
{
    return text.length >= 0 && text.text >= begin && text.text <= end && end - text.text >= text.length;
}

static inline int fuzz_is_card(int card)
{
    return card >= 0 && card < 52;
}

/* Begin a hand, as State does; 0 where it would refuse the amounts. */
static inline int fuzz_begin(pm_state *s, pm_table *t, int players)
{
    int seat, round;
    t->players = (int8_t)players;
    t->cap_heads_up = t->full_blind = 1;
    t->reopen = t->structure == PM_LIMIT ? PM_REOPEN_HALF : PM_REOPEN_FULL;
    t->odd_chips = PM_ODD_SPLIT;
    t->min_raise = PM_MIN_LAST;
    for (seat = 0; seat < players; seat++) { /* limit: the stack before the ante */
        if (t->limit[seat] < 1 || t->limit[seat] > FUZZ_MOST_CHIPS)
            return 0;
        if (t->blinds[seat] < 0 || t->blinds[seat] > FUZZ_MOST_CHIPS)
            return 0;
        if (t->dead[seat] < 0 || t->dead[seat] > FUZZ_MOST_CHIPS)
            return 0;
        if (t->dead[seat] > t->limit[seat])
            t->dead[seat] = t->limit[seat];
        t->limit[seat] -= t->dead[seat];
    }
    for (round = 0; round < PM_ROUNDS; round++) {
        if (t->bets[round] < 1 || t->bets[round] > FUZZ_MOST_CHIPS)
            return 0;
        CLAIM(t->first[round] >= 0 && t->first[round] < players);
        t->max_raises[round] = FUZZ_MOST_RAISES;
    }
    pm_begin(s, t);
    return 1;
}

/* Whether all chips are where they have to be. */
static inline void fuzz_claim_chips(const pm_state *s)
{
    int64_t sum = 0;
    int seat;
    for (seat = 0; seat < s->table->players; seat++) {
        CLAIM(s->in[seat] >= 0 && s->in[seat] <= s->table->limit[seat]);
        sum += s->in[seat] + s->table->dead[seat];
    }
    CLAIM(sum == s->pot);
    CLAIM(s->live != 0 && s->live >> s->table->players == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef FUZZ_MAIN /* run files, each in memory of just its size */
int main(int n, char **names)
{
    int k;
    for (k = 1; k < n; k++) {
        FILE *file = fopen(names[k], "rb");
        uint8_t *data;
        long size;
        CLAIM(file && fseek(file, 0, SEEK_END) == 0);
        size = ftell(file);
        rewind(file);
        data = malloc(size ? (size_t)size : 1);
        CLAIM(data && fread(data, 1, (size_t)size, file) == (size_t)size);
        fclose(file);
        fprintf(stderr, "Running: %s\n", names[k]);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        free(data);
    }
    return 0;
}
#endif

#endif
