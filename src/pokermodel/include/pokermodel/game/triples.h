/* The probability triple: how likely a player folds, calls and raises with a holding of a given value.
 *
 * Betting knowledge has its only place here (Peña 1999, section 4.1): the same function chooses actions, re-weights
 * what an opponent can hold, and plays out simulations. A pm_generator is what is known of a player; a pm_spot is what
 * everybody sees, the situation before the action; a pm_held is what depends on the cards.
 *
 * Rules 1 to 4 are printed (Peña 1999, Fig 4.1). Two longer forms were used, of nine rules to choose an action and of
 * eight rules, never zero, for re-weighting; they were not published. Rules 5 to 9 and all numbers are therefore those
 * of this project, after Loki-1's rules (Papp 1998, Fig 6.3):
 *
 *   5  odds to call down on flop and turn let a weak holding call
 *   6  if there is no bet, a holding with the odds for a semi-bluff, or in the middle of one, bets nine times in ten
 *   7  on request, the player does not raise after two bets of a round
 *   8  if no raise is allowed, its share goes to call
 *   9  if there is nothing to call, the share of fold goes to check
 *
 * No function here checks its arguments. The order of entries is that of the acts in rules.h; money may be in any unit,
 * and a pot holds the bet that is to be called.
 */
#ifndef POKERMODEL_TRIPLES_H
#define POKERMODEL_TRIPLES_H

#include "rules.h"

#define PM_SEMI_BLUFF_BETS 0.90 /* how often rule 6 bets */

/* Which rules are applied. */
enum {
    PM_PRINTED,    /* rules 1 to 4 */
    PM_OWN,        /* rules 1 to 9 */
    PM_REWEIGHTING /* rules 1 to 4, 8 and 9; then a least entry, and noise */
};

/* Switches, as a mask. */
enum {
    PM_POT_ODDS = 1,      /* a call by the potential, on the river by the value itself */
    PM_SHOWDOWN_ODDS = 2, /* rule 5 */
    PM_SEMI_BLUFF = 4,    /* rule 6 */
    PM_TWO_BET_LIMIT = 8  /* rule 7 */
};

typedef struct {
    double p[3]; /* PM_FOLD, PM_CALL (check), PM_RAISE (bet) */
} pm_triple;

/* Borders between acts, in units of the value. */
typedef struct {
    double raise_high; /* RAISE: raise above it */
    double raise_low;  /* MINRAISE: above it, raise the more often the higher the value */
    double call_high;  /* CALL: call above it */
    double call_low;   /* MINCALL: above it, call the more often the higher the value */
} pm_borders;

/* How a player decides. */
typedef struct {
    pm_borders at[3];    /* by bets to call: 0, 1, 2 or more */
    const double *table; /* replaces rules 1 to 4 if not NULL: (3, bins, 3) by bets to call and value 0..1 */
    int bins;
    int form;
    unsigned features;
    double least; /* PM_REWEIGHTING: least entry, before entries are divided by their sum */
    double noise; /* PM_REWEIGHTING: share that is spread evenly over the three entries in the end */
    int tilted;
    double tilt[3][3]; /* by bets to call: factors of the three entries in the end, if `tilted` is set */
} pm_generator;

/* What everybody sees before the action. */
typedef struct {
    double pot;     /* all chips in, the bets of this round included */
    double to_call; /* chips */
    double bet;     /* size of a bet in this round */
    int bets_to_call; /* rounded up; a million stands for more */
    int num_bets; /* bets and raises of this round by anybody */
    int round;    /* 0 before the flop .. 3 river */
    int can_raise;
} pm_spot;

/* The values of a holding in that situation. */
typedef struct {
    double value;     /* E: PM_OWN HSn + (1-HSn)*PPOT, PM_REWEIGHTING HS1 + (1-HS1)*PPOTc */
    double potential; /* chance to improve, PPOT or PPOTc; not used on the river */
    double effective; /* EHS, with negative potential; used by rule 5 only */
} pm_held;

/* The situation of the seat to act. */
static inline pm_spot pm_spot_of(const pm_state *s)
{
    pm_spot spot;
    const int64_t most = 1000000; /* bets to call: no rule distinguishes more than two, and an int is bounded */
    int64_t owed = pm_to_call(s, s->seat), bets = pm_in_bets(s, owed);
    spot.pot = (double)s->pot;
    spot.to_call = (double)owed;
    spot.bet = (double)pm_bet_size(s);
    spot.bets_to_call = (int)(bets < most ? bets : most);
    spot.num_bets = pm_num_bets(s);
    spot.round = s->round;
    spot.can_raise = (int)(pm_legal(s) >> PM_RAISE & 1);
    return spot;
}

/* The odds that betting after the flop goes by. They depend on ratios alone: all amounts are in one unit, chips
 * everywhere in this package. */

/* Least chance to win that pays for putting chips into a pot, which holds the bet that is to be called. */
static inline double pm_odds_to_call(double pot, double chips)
{
    return chips / (pot + chips);
}

/* Least strength that pays for calling down: four bets are still to come on the flop, one on the turn. */
static inline double pm_odds_to_call_down(double pot, double to_call, double bet, int flop)
{
    double cost = flop ? 4.0 * bet : bet;
    return (to_call + cost) / (pot + to_call + 2.0 * cost);
}

/* Least potential that pays for a bet if there is none to call. */
static inline double pm_odds_to_semi_bluff(double pot, double bet)
{
    return 2.0 * bet / (pot + 6.0 * bet);
}

/* The same of a situation. */
static inline double pm_pot_odds(const pm_spot *spot)
{
    return pm_odds_to_call(spot->pot, spot->to_call);
}

static inline double pm_showdown_odds(const pm_spot *spot)
{
    return pm_odds_to_call_down(spot->pot, spot->to_call, spot->bet, spot->round == 1);
}

static inline double pm_semi_bluff_odds(const pm_spot *spot)
{
    return pm_odds_to_semi_bluff(spot->pot, spot->bet);
}

/* Rules 1 to 4. `odds` is the figure's PotOdds(), 0..1. */
static inline pm_triple pm_triple_printed(const pm_borders *at, double value, double odds)
{
    pm_triple t;
    if (value > at->raise_high) {
        t.p[PM_FOLD] = 0.0;
        t.p[PM_CALL] = 0.01;
        t.p[PM_RAISE] = 0.99;
    } else if (value > at->raise_low) {
        double raise = (value - at->raise_low) / (at->raise_high - at->raise_low);
        t.p[PM_FOLD] = 0.0;
        t.p[PM_CALL] = 1.0 - raise;
        t.p[PM_RAISE] = raise;
    } else if (value > at->call_high) {
        t.p[PM_FOLD] = 0.01;
        t.p[PM_CALL] = 0.98;
        t.p[PM_RAISE] = 0.01;
    } else {
        double strong = value > at->call_low ? (value - at->call_low) / (at->call_high - at->call_low) : 0.0;
        double either = odds + strong - strong * odds;
        t.p[PM_FOLD] = 0.99 * (1.0 - either);
        t.p[PM_CALL] = 0.99 * either;
        t.p[PM_RAISE] = 0.01;
    }
    return t;
}

/* Whether the odds let the holding call, whatever its value. */
static inline int pm_has_odds(const pm_generator *g, const pm_spot *spot, const pm_held *held)
{
    if (spot->to_call <= 0)
        return 0;
    if (spot->round == 3)
        return held->value >= pm_pot_odds(spot) && (g->features & PM_POT_ODDS) != 0;
    if ((g->features & PM_POT_ODDS) && held->potential >= pm_pot_odds(spot))
        return 1;
    return g->form == PM_OWN && (g->features & PM_SHOWDOWN_ODDS) && spot->round > 0 &&
           held->effective >= pm_showdown_odds(spot);
}

/* Whether an earlier semi-bluff goes on: there is none before the turn, and a bet by another player ends it. */
static inline int pm_semi_bluff_lasts(const pm_spot *spot, int begun)
{
    return begun && spot->to_call <= 0 && spot->round > 1;
}

/* Whether rule 6 lets the player bet. */
static inline int pm_semi_bluffs(const pm_generator *g, const pm_spot *spot, const pm_held *held, int begun)
{
    if (!(g->features & PM_SEMI_BLUFF) || spot->to_call > 0 || spot->round == 0)
        return 0;
    return pm_semi_bluff_lasts(spot, begun) || (spot->round < 3 && held->potential >= pm_semi_bluff_odds(spot));
}

/* Rules 1 to 4, or the table that replaces them. */
static inline pm_triple pm_triple_of_value(const pm_generator *g, const pm_spot *spot, const pm_held *held)
{
    int bets = spot->bets_to_call < 2 ? spot->bets_to_call : 2;
    if (g->table) {
        int bin = held->value > 0 ? (held->value < 1 ? (int)(held->value * g->bins) : g->bins - 1) : 0;
        const double *entry = g->table + 3 * (bets * g->bins + bin);
        pm_triple t = {{entry[PM_FOLD], entry[PM_CALL], entry[PM_RAISE]}};
        return t;
    } else {
        const pm_borders *at = &g->at[bets];
        /* only rule 4 uses the odds */
        int weak = !(held->value > at->call_high || held->value > at->raise_low);
        return pm_triple_printed(at, held->value, weak && pm_has_odds(g, spot, held) ? 1.0 : 0.0);
    }
}

/* Whether the player is in the middle of a semi-bluff after the act. A player who would have bet for value has not
 * begun one. */
static inline int pm_semi_bluff_after(
    const pm_generator *g, const pm_spot *spot, const pm_held *held, int begun, int act)
{
    if (pm_semi_bluff_lasts(spot, begun))
        return 1;
    return act == PM_RAISE && pm_semi_bluffs(g, spot, held, begun) &&
           pm_triple_of_value(g, spot, held).p[PM_RAISE] < PM_SEMI_BLUFF_BETS;
}

/* Multiply the entries by positive factors, and divide them by their sum. */
static inline void pm_tilt_triple(pm_triple *t, const double factor[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += t->p[k] *= factor[k];
    for (int k = 0; k < 3; k++)
        t->p[k] /= sum;
}

/* The triple of a holding. `semi_bluff` says whether a semi-bluff was begun in this hand; only PM_OWN uses it. */
static inline pm_triple pm_triple_of(
    const pm_generator *g, const pm_spot *spot, const pm_held *held, int semi_bluff)
{
    pm_triple t = pm_triple_of_value(g, spot, held);
    int k;
    if (g->form == PM_PRINTED)
        return t;
    if (g->form == PM_OWN) {
        if (pm_semi_bluffs(g, spot, held, semi_bluff)) {
            if (t.p[PM_RAISE] < PM_SEMI_BLUFF_BETS)
                t.p[PM_RAISE] = PM_SEMI_BLUFF_BETS;
            t.p[PM_CALL] = 1.0 - t.p[PM_RAISE];
            t.p[PM_FOLD] = 0.0;
        }
        if ((g->features & PM_TWO_BET_LIMIT) && spot->round > 0 && spot->num_bets >= 2) {
            t.p[PM_CALL] += t.p[PM_RAISE];
            t.p[PM_RAISE] = 0.0;
        }
    }
    if (!spot->can_raise) {
        t.p[PM_CALL] += t.p[PM_RAISE];
        t.p[PM_RAISE] = 0.0;
    }
    if (spot->to_call <= 0) {
        t.p[PM_CALL] += t.p[PM_FOLD];
        t.p[PM_FOLD] = 0.0;
    }
    if (g->form == PM_REWEIGHTING) {
        double sum = 0.0;
        for (k = 0; k < 3; k++) {
            if (t.p[k] < g->least)
                t.p[k] = g->least;
            sum += t.p[k];
        }
        for (k = 0; k < 3; k++) {
            t.p[k] /= sum;
            t.p[k] = t.p[k] - t.p[k] * g->noise + g->noise / 3.0;
        }
    }
    if (g->tilted)
        pm_tilt_triple(&t, g->tilt[spot->bets_to_call < 2 ? spot->bets_to_call : 2]);
    return t;
}

#endif
