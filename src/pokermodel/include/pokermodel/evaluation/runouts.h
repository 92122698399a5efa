/* Strength and potential of one holding, by going through its runouts: cheaper than counting for all holdings if only
 * one is asked for.
 *
 * On one board an opponent's rank depends only on the ranks of the two hole cards, except in a flush with a hole card.
 * So runouts are counted for each pair of ranks; the count of a single opponent leaves out the runouts that bring one
 * of its cards, and is corrected for flushes.
 */
#ifndef POKERMODEL_RUNOUTS_H
#define POKERMODEL_RUNOUTS_H

#include "pokermodel/evaluation/counts.h"

/* Numbers of runouts by outcome, for each pair of ranks: all runouts, and those that bring a given card. */
typedef struct {
    int total[PM_RANK_PAIRS][3];
    int bringing[PM_CARDS][PM_RANK_PAIRS][3];
    int8_t both[PM_CARDS][PM_CARDS]; /* outcome for the ranks of two cards if exactly these two come, or -1 */
} pm_runouts;

/* An opponent's holding that can make a flush: its ranks in the suit, and the correction of its counts. */
typedef struct {
    int position;
    uint16_t mask;
    uint8_t pair;
    int mended[3];
} pm_flusher;

static inline void pm_count_runout(pm_runouts *runouts, int pair, int outcome, const int *come, int n)
{
    runouts->total[pair][outcome]++;
    for (int k = 0; k < n; k++)
        runouts->bringing[come[k]][pair][outcome]++;
}

/* Count one runout; `come` are its `n` cards, `seen` the ranks on the whole board. Holdings that can make a flush are
 * listed by suit, those with two cards of it first (`two` of them). */
static inline void pm_add_runout(const pm_evaluator *e, const pm_field *field, const int seen[13], pm_hand board,
                                 const int *come, int n, pm_hand holding, pm_flusher flushers[4][PM_HOLDINGS],
                                 const int two[4], const int all[4], pm_runouts *runouts)
{
    unsigned hero = pm_hand_rank(e, pm_hand_join(board, holding));
    int8_t outcome[PM_RANK_PAIRS];
    uint16_t ranks[PM_RANK_PAIRS];
    uint64_t taken = 0;
    int suit = -1, on_board = 0;
    unsigned board_flush;
    for (int k = 0; k < n; k++)
        taken |= pm_card_bit(come[k]);
    for (int s = 0; s < 4; s++) {
        int held = (int)(board.key >> (32 + 4 * s) & 15) - 3;
        if (held >= 3) {
            suit = s;
            on_board = held;
        }
    }
    board_flush = on_board == 5 ? pm_hand_rank(e, board) : 0;
    pm_rank_pairs(e, board, seen, ranks);
    for (int pair = 0; pair < PM_RANK_PAIRS; pair++) {
        outcome[pair] = -1;
        if (ranks[pair]) {
            outcome[pair] = (int8_t)pm_relation(on_board == 5 ? board_flush : ranks[pair], hero);
            pm_count_runout(runouts, pair, outcome[pair], come, n);
        }
    }
    if (n == 2)
        runouts->both[come[0]][come[1]] = outcome[pm_rank_pair(come[0] >> 2, come[1] >> 2)];
    if (suit >= 0) {
        uint32_t board_ranks = (uint32_t)(board.suits >> (16 * suit)) & 0x1fff;
        pm_flusher *flusher = flushers[suit];
        for (pm_flusher *end = flusher + (on_board == 3 ? two : all)[suit]; flusher < end; flusher++) {
            if (taken & (pm_card_bit(field->high[flusher->position]) | pm_card_bit(field->low[flusher->position])))
                continue;
            flusher->mended[outcome[flusher->pair]]--;
            flusher->mended[pm_relation(e->flush[board_ranks | flusher->mask], hero)]++;
        }
    }
}

typedef struct {
    pm_runouts runouts;
    pm_flusher flushers[4][PM_HOLDINGS];
    int mended[PM_HOLDINGS][3];
} pm_runouts_scratch;

/* The nine cells of one position against `weights`, by position; `scratch` is overwritten. */
static inline void pm_runouts_one(const pm_evaluator *e, const pm_field *field, int hero, int lookahead,
                                  const double *weights, pm_runouts_scratch *scratch, double cells[9])
{
    PM_NO_CONTRACT
    const uint64_t own = pm_card_bit(field->high[hero]) | pm_card_bit(field->low[hero]);
    const pm_hand holding = pm_hand_join(e->card[field->high[hero]], e->card[field->low[hero]]);
    pm_runouts *runouts = &scratch->runouts;
    int unseen[PM_CARDS], seen[13] = {0}, two[4], all[4] = {0};
    int n = 0;
    memset(runouts, 0, sizeof *runouts);
    memset(runouts->both, -1, sizeof runouts->both);
    memset(scratch->mended, 0, sizeof scratch->mended);
    for (int card = 0; card < PM_CARDS; card++)
        if (!((field->dead | own) & pm_card_bit(card)))
            unseen[n++] = card;
    for (int k = 0; k < field->board_cards; k++)
        seen[field->card[k] >> 2]++;
    for (int suit = 0; suit < 4; suit++) {
        int at_most = (int)(field->board.key >> (32 + 4 * suit) & 15) - 3 + lookahead;
        for (int suited = 2; suited >= 1; suited--) {
            for (int k = 0; k < field->size && at_most + suited >= 5; k++) {
                int high = field->high[k], low = field->low[k];
                pm_flusher flusher = {k, 0, (uint8_t)pm_rank_pair(high >> 2, low >> 2), {0, 0, 0}};
                if (((high & 3) == suit) + ((low & 3) == suit) != suited ||
                    (own & (pm_card_bit(high) | pm_card_bit(low))))
                    continue;
                flusher.mask = (uint16_t)(((high & 3) == suit) << (high >> 2) | ((low & 3) == suit) << (low >> 2));
                scratch->flushers[suit][all[suit]++] = flusher;
            }
            if (suited == 2)
                two[suit] = all[suit];
        }
    }
    for (int i = 0; i < n; i++) {
        int come[2] = {unseen[i], -1};
        pm_hand board = pm_hand_add(e, field->board, come[0]);
        seen[come[0] >> 2]++;
        if (lookahead == 1)
            pm_add_runout(e, field, seen, board, come, 1, holding, scratch->flushers, two, all, runouts);
        for (int j = 0; j < (lookahead == 1 ? 0 : i); j++) {
            come[1] = unseen[j];
            seen[come[1] >> 2]++;
            pm_add_runout(e, field, seen, pm_hand_add(e, board, come[1]), come, 2, holding, scratch->flushers, two, all,
                          runouts);
            seen[come[1] >> 2]--;
        }
        seen[come[0] >> 2]--;
    }
    for (int suit = 0; suit < 4; suit++)
        for (int k = 0; k < all[suit]; k++)
            for (int outcome = 0; outcome < 3; outcome++)
                scratch->mended[scratch->flushers[suit][k].position][outcome] +=
                    scratch->flushers[suit][k].mended[outcome];
    memset(cells, 0, 9 * sizeof(double));
    for (int k = 0; k < field->size; k++) {
        int high = field->high[k], low = field->low[k];
        int pair = pm_rank_pair(high >> 2, low >> 2), now = pm_relation(field->rank[k], field->rank[hero]);
        if (own & (pm_card_bit(high) | pm_card_bit(low)))
            continue;
        for (int outcome = 0; outcome < 3; outcome++) {
            int seen_by_both = runouts->total[pair][outcome] - runouts->bringing[high][pair][outcome] -
                               runouts->bringing[low][pair][outcome] + scratch->mended[k][outcome];
            seen_by_both += runouts->both[high][low] == outcome; /* subtracted with each of its cards */
            cells[3 * now + outcome] += weights[k] * seen_by_both;
        }
    }
}

#endif
