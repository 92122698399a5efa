/* What a hand that is over pays, given the cards. */
#ifndef POKERMODEL_PAYOFFS_H
#define POKERMODEL_PAYOFFS_H

#include "pokermodel/evaluation/evaluator.h"
#include "pokermodel/game/rules.h"

/* Share out the pots. `mucked` are seats that lose without comparison, `known` those whose cards `hole` has. Returns 0 if
 * the cards of a showdown are not known. */
static inline int pm_payoffs(const pm_state *s, const pm_evaluator *evaluator, const int8_t *board, int cards,
                             const int8_t (*hole)[2], uint32_t known, uint32_t mucked, double *payoffs)
{
    int32_t ranks[PM_SEATS] = {0};
    int seat, k;
    if (pm_is_showdown(s)) {
        uint32_t showing = s->live & ~mucked;
        int alone = (showing & (showing - 1)) == 0; /* wins without comparison */
        pm_hand dealt = pm_hand_empty();
        if (!showing || (!alone && (cards != 5 || showing & ~known)))
            return 0;
        if (!alone)
            for (k = 0; k < cards; k++)
                dealt = pm_hand_add(evaluator, dealt, board[k]);
        for (seat = 0; seat < s->table->players; seat++) {
            if (!(showing >> seat & 1))
                continue;
            if (alone) {
                ranks[seat] = 1;
            } else {
                pm_hand hand = pm_hand_add(evaluator, dealt, hole[seat][0]);
                ranks[seat] = (int32_t)pm_hand_rank(evaluator, pm_hand_add(evaluator, hand, hole[seat][1]));
            }
        }
    }
    pm_winnings(s, ranks, payoffs);
    for (seat = 0; seat < s->table->players; seat++)
        payoffs[seat] -= (double)(s->in[seat] + s->table->dead[seat]);
    return 1;
}

#endif
