/* Loki-1's rules after the flop (Papp 1998, Fig 6.2 and 6.3): a situation determines the act.
 *
 * Situations are those of triples.h; money may be in any unit. No function here checks its arguments.
 */
#ifndef POKERMODEL_LOKI1_H
#define POKERMODEL_LOKI1_H

#include "pokermodel/vectors/simd.h"
#include "pokermodel/game/triples.h"

/* Added to the switches of triples.h. */
#define PM_SIMPLE 16 /* the strength alone decides (Fig 6.2) */
#define PM_MAKE0 32  /* then a player who has put in a bet voluntarily in this round calls instead of folding */

typedef struct {
    double make1; /* optimistic effective strength from which one bet is made */
    double make2; /* and two */
    unsigned features;
} pm_loki1;

/* Make(bets): aim at a number of bets. Bet or raise while there are fewer, call if that is not too expensive. `put_in`
 * says whether the player has put in a bet voluntarily in this round. */
static inline int pm_loki1_make(const pm_spot *spot, int put_in, int bets)
{
    if (spot->num_bets < bets)
        return PM_RAISE;
    return spot->to_call <= 0 || put_in || bets >= 2 || spot->bets_to_call <= bets ? PM_CALL : PM_FOLD;
}

/* The act of a player of strength HSn, who may be in the middle of a semi-bluff. The caller turns a raise beyond the
 * cap into a call. */
static inline int pm_loki1_act(const pm_loki1 *loki, const pm_spot *spot, int put_in, double strength, double ppot,
                               double npot, int *semi_bluff)
{
    PM_NO_CONTRACT
    const int simple = (loki->features & PM_SIMPLE) != 0, river = spot->round == 3;
    double optimistic, effective;
    if (simple || river)
        ppot = npot = 0.0;
    optimistic = strength + (1.0 - strength) * ppot;
    effective = optimistic - strength * npot;
    if (simple || spot->round == 1 || spot->to_call > 0)
        *semi_bluff = 0;
    if (optimistic >= loki->make2)
        return pm_loki1_make(spot, put_in, 2);
    if (optimistic >= loki->make1)
        return pm_loki1_make(spot, put_in, 1);
    if (simple)
        return pm_loki1_make(spot, put_in && (loki->features & PM_MAKE0), 0);
    if (spot->to_call <= 0) {
        if (!(loki->features & PM_SEMI_BLUFF) || !(*semi_bluff || (!river && ppot >= pm_semi_bluff_odds(spot))))
            return PM_CALL;
        *semi_bluff = 1;
        return PM_RAISE;
    }
    /* the river is inside "check pot odds" (Papp 1998, Fig 6.3): what is compared there is the strength itself */
    if ((loki->features & PM_POT_ODDS) && (river ? effective : ppot) >= pm_pot_odds(spot))
        return PM_CALL;
    return !river && (loki->features & PM_SHOWDOWN_ODDS) && effective >= pm_showdown_odds(spot) ? PM_CALL : PM_FOLD;
}

#endif
