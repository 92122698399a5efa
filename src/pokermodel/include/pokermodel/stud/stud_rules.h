/* The rules of five-card stud for two players.
 *
 * One card is dealt face down and one face up, then three more face up, with a round of betting after the second to
 * the fifth card. The player with the higher showing hand acts first. Acts are those of rules.h: fold; call, which is
 * a pass if nothing is owed; raise, which is a bet then. Money is in chips.
 */
#ifndef POKERMODEL_STUD_RULES_H
#define POKERMODEL_STUD_RULES_H

#include "pokermodel/evaluation/evaluator.h"
#include "pokermodel/game/rules.h"

enum { PM_STUD_ROUNDS = 4, PM_STUD_CARDS = 5 };

typedef struct {
    int ante;
    int bet[PM_STUD_ROUNDS];
    int max_bets; /* bets and raises of a round, at most 4 */
} pm_stud_spec;

typedef struct {
    pm_stud_spec spec;
    uint8_t card[2][PM_STUD_CARDS]; /* by player, the card face down first */
    int tie;                        /* the player who acts first if the showing hands are equal */
    int round;                      /* 0..3; 4 once the cards are to be shown */
    int seat;                       /* the player to act; -1 once the hand is over */
    int bets;                       /* bets and raises in this round */
    int acts;                       /* acts in this round */
    int folded;                     /* the player who folded, or -1 */
    int chips[2];                   /* put in so far */
} pm_stud;

/* Strength of the cards face up, comparable between equally many cards: four of a kind, three of a kind, two pair, a
 * pair, high cards. Straights and flushes do not count. */
static inline uint32_t pm_stud_showing(const uint8_t *up, int n)
{
    uint32_t once = 0, twice = 0, thrice = 0, four = 0;
    for (int k = 0; k < n; k++) {
        uint32_t bit = 1u << (up[k] >> 2);
        four |= thrice & bit;
        thrice |= twice & bit;
        twice |= once & bit;
        once |= bit;
    }
    if (four)
        return 4u << 26 | four << 13;
    if (thrice)
        return 3u << 26 | thrice << 13 | (once ^ thrice);
    if (twice)
        return (twice & (twice - 1) ? 2u : 1u) << 26 | twice << 13 | (once ^ twice);
    return once;
}

static inline void pm_stud_begin_round(pm_stud *s)
{
    uint32_t one = pm_stud_showing(s->card[0] + 1, s->round + 1), two = pm_stud_showing(s->card[1] + 1, s->round + 1);
    s->seat = one > two ? 0 : two > one ? 1 : s->tie;
    s->bets = s->acts = 0;
}

static inline void pm_stud_begin(pm_stud *s)
{
    s->round = 0;
    s->folded = -1;
    s->chips[0] = s->chips[1] = s->spec.ante;
    pm_stud_begin_round(s);
}

static inline int pm_stud_owed(const pm_stud *s) { return s->chips[1 - s->seat] - s->chips[s->seat]; }

static inline int pm_stud_capped(const pm_stud *s) { return s->bets >= s->spec.max_bets; }

static inline void pm_stud_act(pm_stud *s, int act)
{
    int owed = pm_stud_owed(s);
    s->acts++;
    if (act == PM_FOLD) {
        s->folded = s->seat;
        s->seat = -1;
        return;
    }
    s->chips[s->seat] += owed;
    if (act == PM_RAISE) {
        s->chips[s->seat] += s->spec.bet[s->round];
        s->bets++;
    } else if (owed || s->acts > 1) {
        s->round++;
        if (s->round < PM_STUD_ROUNDS)
            pm_stud_begin_round(s);
        else
            s->seat = -1;
        return;
    }
    s->seat = 1 - s->seat;
}

/* Chips that player 0 wins. The hand must be over. */
static inline int pm_stud_payoff(const pm_stud *s, const pm_evaluator *e)
{
    unsigned rank[2];
    if (s->folded >= 0)
        return s->folded ? s->chips[1] : -s->chips[0];
    for (int player = 0; player < 2; player++) {
        pm_hand hand = pm_hand_empty();
        for (int k = 0; k < PM_STUD_CARDS; k++)
            hand = pm_hand_add(e, hand, s->card[player][k]);
        rank[player] = pm_hand_rank(e, hand);
    }
    return rank[0] > rank[1] ? s->chips[1] : rank[0] < rank[1] ? -s->chips[0] : 0;
}

#endif
