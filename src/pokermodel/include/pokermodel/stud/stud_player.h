/* How a player of five-card stud acts on the probability of winning: betting curves, the decision network of Carlton
 * (2000), or a table of the player's own; and bluffs.
 */
#ifndef POKERMODEL_STUD_PLAYER_H
#define POKERMODEL_STUD_PLAYER_H

#include <math.h>

#include "pokermodel/dealing/random.h"
#include "pokermodel/stud/stud_belief.h"

enum { PM_STUD_CURVES, PM_STUD_DETERMINISTIC, PM_STUD_RANDOMISED, PM_STUD_TABLE };
enum { PM_STUD_HONEST, PM_STUD_LAST_ROUND, PM_STUD_BY_CONTEXT };

/* How a player acts on the probability of winning. */
typedef struct {
    int rule;                    /* curves, decision network, or the player's own table */
    double steepness;            /* of the curves */
    double fold[PM_STUD_ROUNDS]; /* displacement of the curves */
    double call[PM_STUD_ROUNDS];
    double bet[PM_STUD_ROUNDS];
    double sharpness; /* of the randomised decision network */
    double later;     /* bets expected in each later round */
    int bluffing;     /* honest, in the last round, or by context */
    double bluffs;    /* how often */
    double explores;  /* share of folds that are calls instead */
} pm_stud_acting;

typedef struct {
    pm_stud_reader reader;
    const double *own; /* (PM_STUD_SITUATIONS, own state, acts) by context, for PM_STUD_TABLE */
    pm_stud_acting acting;
} pm_stud_player;

typedef struct {
    double p[3];     /* fold, call, raise, bluffs included */
    double plain[3]; /* bluffs left out */
    double bluff;    /* probability that a fold or a call becomes a raise */
    double win;      /* probability of winning, ties half */
} pm_stud_choice;

/* Chips still to be paid, and the final pot, after a call and after a raise. */
typedef struct {
    double pay, pot, raise_pay, raise_pot;
} pm_stud_stakes;

static inline pm_stud_stakes pm_stud_prospects(const pm_stud *s, double later)
{
    pm_stud_stakes stakes;
    double coming = 0.0, owed = pm_stud_owed(s), bet = s->spec.bet[s->round];
    for (int round = s->round + 1; round < PM_STUD_ROUNDS; round++)
        coming += later * s->spec.bet[round];
    stakes.pay = owed + coming;
    stakes.pot = s->chips[0] + s->chips[1] + owed + 2.0 * coming;
    stakes.raise_pay = stakes.pay + bet;
    stakes.raise_pot = stakes.pot + 2.0 * bet;
    return stakes;
}

/* Fold, call and raise by the probability of winning, before bluffs. */
static inline void pm_stud_respond(const pm_stud_acting *acting, const pm_stud *s, double win, double p[3])
{
    pm_stud_stakes stakes = pm_stud_prospects(s, acting->later);
    double bet = s->spec.bet[s->round], total;
    double pass = win * stakes.pot - stakes.pay, raise = win * stakes.raise_pot - stakes.raise_pay;
    int round = s->round, facing = pm_stud_owed(s) > 0;
    p[PM_FOLD] = p[PM_CALL] = p[PM_RAISE] = 0.0;
    if (acting->rule == PM_STUD_CURVES) {
        double x = win - (stakes.pot > 0.0 ? stakes.pay / stakes.pot : 0.0), k = acting->steepness;
        double fold = -k * (x - acting->fold[round]), call = -k * fabs(x - acting->call[round]);
        double bets = k * (x - acting->bet[round]), highest = call > bets ? call : bets;
        if (facing && fold > highest)
            highest = fold;
        p[PM_FOLD] = facing ? exp(fold - highest) : 0.0; /* only ratios count; this keeps steep curves in range */
        p[PM_CALL] = exp(call - highest);
        p[PM_RAISE] = exp(bets - highest);
        total = p[PM_FOLD] + p[PM_CALL] + p[PM_RAISE];
        for (int act = 0; act < 3; act++)
            p[act] /= total;
    } else if (acting->rule == PM_STUD_DETERMINISTIC) {
        int best = raise > pass && !pm_stud_capped(s) ? PM_RAISE : PM_CALL;
        if (facing && (best == PM_RAISE ? raise : pass) < 0.0)
            best = PM_FOLD;
        p[best] = 1.0;
    } else {
        double s1 = acting->sharpness * pass / bet, s2 = acting->sharpness * (raise - pass) / bet;
        p[PM_FOLD] = facing ? 1.0 / (1.0 + exp(s1)) : 0.0;
        p[PM_RAISE] = (1.0 - p[PM_FOLD]) / (1.0 + exp(-s2));
        p[PM_CALL] = 1.0 - p[PM_FOLD] - p[PM_RAISE];
    }
    if (pm_stud_capped(s)) {
        p[PM_CALL] += p[PM_RAISE];
        p[PM_RAISE] = 0.0;
    }
}

/* The probability that the opponent folds to a raise, given that of each of the opponent's states. */
static inline double pm_stud_fold_equity(const pm_stud_reader *reader, const pm_stud *s, const double *state)
{
    const double *table = reader->opponent;
    double folds = 0.0;
    if (reader->form != PM_BY_CONTEXT)
        return 0.0;
    table += PM_STUD_ROW(pm_stud_situation(PM_BY_CONTEXT, s->round, 1, s->bets + 1 >= s->spec.max_bets), 0);
    for (int k = 0; k < PM_STATES; k++)
        folds += state[k] * table[PM_STUD_ACTS * k + PM_FOLD];
    return folds;
}

/* The probability that a fold or a call becomes a raise, given the probability of each of the opponent's states. */
static inline double pm_stud_bluff(const pm_stud_player *player, const pm_stud *s, const double *state, int first)
{
    const pm_stud_acting *acting = &player->acting;
    double folds, price, pot;
    if (pm_stud_capped(s) || acting->bluffing == PM_STUD_HONEST)
        return 0.0;
    if (acting->bluffing == PM_STUD_LAST_ROUND)
        return s->round == 3 && first ? acting->bluffs : 0.0;
    if (s->round < 2)
        return 0.0;
    folds = pm_stud_fold_equity(&player->reader, s, state);
    price = pm_stud_owed(s) + s->spec.bet[s->round];
    pot = s->chips[0] + s->chips[1];
    return folds * pot > (1.0 - folds) * price ? acting->bluffs : 0.0;
}

/* Decide for the player to act; `first` says whether it is that player's first act of the round. */
static inline void pm_stud_decide(const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s,
                                  const pm_stud_belief *belief, int first, pm_stud_choice *choice)
{
    const pm_stud_reader *reader = &player->reader;
    const pm_stud_acting *acting = &player->acting;
    int me = s->seat, n = s->round + 2;
    int own = pm_hand_state(&reader->types, e, s->card[me], n);
    int up = pm_hand_state(&reader->types, e, s->card[1 - me] + 1, n - 1);
    double state[PM_STATES], *plain = choice->plain, explored;
    choice->win = pm_stud_win(reader, s->round, own, up, belief, state);
    if (reader->by_cards && s->round == 3)
        choice->win = pm_stud_win_by_cards(e, s, me, belief->card);
    choice->bluff = 0.0;
    if (acting->rule == PM_STUD_TABLE) {
        int situation = pm_stud_situation(PM_BY_CONTEXT, s->round, pm_stud_owed(s) > 0, pm_stud_capped(s));
        for (int act = 0; act < 3; act++)
            plain[act] = player->own[PM_STUD_ROW(situation, own) + act];
    } else {
        pm_stud_respond(acting, s, choice->win, plain);
        choice->bluff = pm_stud_bluff(player, s, state, first);
    }
    explored = acting->explores * plain[PM_FOLD];
    plain[PM_FOLD] -= explored;
    plain[PM_CALL] += explored;
    choice->p[PM_FOLD] = plain[PM_FOLD] * (1.0 - choice->bluff);
    choice->p[PM_CALL] = plain[PM_CALL] * (1.0 - choice->bluff);
    choice->p[PM_RAISE] = plain[PM_RAISE] + (plain[PM_FOLD] + plain[PM_CALL]) * choice->bluff;
}

/* Draw an act. It always takes two random numbers. */
static inline int pm_stud_draw(const pm_stud_choice *choice, pm_random *random, int *bluffed)
{
    double one = pm_random_double(random), two = pm_random_double(random);
    int act = one < choice->plain[PM_FOLD] ? PM_FOLD
              : one < choice->plain[PM_FOLD] + choice->plain[PM_CALL] ? PM_CALL : PM_RAISE;
    if (act == PM_RAISE && choice->plain[PM_RAISE] <= 0.0)
        act = PM_CALL; /* the sum of the others fell short of 1 by a rounding */
    *bluffed = act != PM_RAISE && two < choice->bluff;
    return *bluffed ? PM_RAISE : act;
}

#endif
