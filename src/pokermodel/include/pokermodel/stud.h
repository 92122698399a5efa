/* Five-card stud for two: the rules, and players who act on the probability of winning that a network gives them.
 *
 * One card is dealt face down and one face up, then three more face up, with a round of betting after the second to
 * the fifth card. The higher showing hand acts first. Acts are those of rules.h: fold; call, which is pass where
 * nothing is owed; raise, which is bet there. Money is in chips.
 */
#ifndef POKERMODEL_STUD_H
#define POKERMODEL_STUD_H

#include <math.h>

#include "pokermodel/hand_types.h"
#include "pokermodel/random.h"
#include "pokermodel/rules.h"

enum { PM_STUD_ROUNDS = 4, PM_STUD_CARDS = 5 };

/* ------------------------------------------------------------------------------------------------ the rules */

typedef struct {
    int ante;
    int bet[PM_STUD_ROUNDS];
    int max_bets; /* bets and raises of a round, at most 4 */
} pm_stud_spec;

typedef struct {
    pm_stud_spec spec;
    uint8_t card[2][PM_STUD_CARDS]; /* by player, the one face down first */
    int tie;                        /* who acts first where the showing hands are alike */
    int round;                      /* 0..3; 4 once the cards are to be shown */
    int seat;                       /* whose turn it is; -1 once the hand is over */
    int bets;                       /* bets and raises in this round */
    int acts;                       /* acts in this round */
    int folded;                     /* who folded, or -1 */
    int chips[2];                   /* put in so far */
} pm_stud;

/* Strength of what shows, for comparisons of equally many cards: four, three, two pair, pair, high cards. */
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

/* Chips that player 0 wins, once the hand is over. */
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

/* ------------------------------------------------------------------------------------ situations and action tables */

/* How acts are told apart: by context (nothing owed, a bet to call, the last one to call; fold, call, raise), or as
 * the published programs do, without folds (Carlton 2000): passive and aggressive; pass, bet, call, raise. */
enum { PM_BY_CONTEXT, PM_TWO_CLASSES, PM_FOUR_CLASSES };

enum { PM_STUD_SITUATIONS = 12, PM_STUD_ACTS = 4 }; /* as many as tables have */

#define PM_STUD_ROW(situation, state) (((situation)*PM_STATES + (state)) * PM_STUD_ACTS)

static inline int pm_stud_situation(int form, int round, int facing, int capped)
{
    return form == PM_BY_CONTEXT ? 3 * round + (facing ? 1 + capped : 0) : round;
}

/* The column of an act; -1 for a fold where folds are no class. */
static inline int pm_stud_column(int form, int facing, int act)
{
    if (form == PM_BY_CONTEXT)
        return act;
    if (act == PM_FOLD)
        return -1;
    return (form == PM_FOUR_CLASSES ? 2 * facing : 0) + (act == PM_RAISE);
}

/* ---------------------------------------------------------------------------------------------- the players */

enum { PM_STUD_CURVES, PM_STUD_DETERMINISTIC, PM_STUD_RANDOMISED, PM_STUD_TABLE };
enum { PM_STUD_HONEST, PM_STUD_LAST_ROUND, PM_STUD_BY_CONTEXT };

/* How a player acts on the probability of winning. */
typedef struct {
    int rule;                                                    /* curves, decision network, or a table of its own */
    double steepness;                                            /* of the curves */
    double fold[PM_STUD_ROUNDS], call[PM_STUD_ROUNDS], bet[PM_STUD_ROUNDS]; /* where they are */
    double sharpness;                                            /* of the randomised decision network */
    double later;                                                /* bets expected in each later round */
    int bluffing;                                                /* honest, in the last round, or by context */
    double bluffs;                                               /* how often */
    double explores;                                             /* share of folds that are calls instead */
} pm_stud_acting;

typedef struct {
    pm_type_scheme types;
    int form;                  /* of the table of the opponent's acts */
    int carries;               /* whether belief over the card face down outlasts a round */
    int by_cards;              /* whether hands are compared card by card in the last round; needs `carries` */
    const double *winning;     /* (rounds, own state, his state): probability of both and of a win */
    const double *both;        /* (rounds, own state, his state): probability of both */
    const double *upcards;     /* (rounds, his upcards, his state): P(upcards given his state) */
    const double *opponent;    /* (situations, his state, acts) */
    const double *own;         /* (PM_STUD_SITUATIONS, own state, acts) by context, of players who act on a table */
    pm_stud_acting acting;
} pm_stud_player;

/* What a player makes of his opponent's acts. */
typedef struct {
    double likelihood[PM_STATES]; /* of the acts of this round, by his state */
    double card[PM_CARDS];        /* of all acts, by his card face down */
    uint8_t state_of_card[PM_CARDS];
} pm_stud_belief;

typedef struct {
    double p[3];     /* fold, call, raise, bluffs included */
    double plain[3]; /* bluffs left out */
    double bluff;    /* how often what is no raise becomes one */
    double win;      /* probability of winning, ties half */
} pm_stud_choice;

static inline void pm_stud_new_round(const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s, int me,
                                     pm_stud_belief *belief)
{
    int n = s->round + 2, he = 1 - me;
    uint8_t cards[PM_STUD_CARDS];
    for (int k = 0; k < PM_STATES; k++)
        belief->likelihood[k] = 1.0;
    if (!player->carries)
        return;
    if (s->round == 0)
        for (int card = 0; card < PM_CARDS; card++)
            belief->card[card] = 1.0;
    for (int k = 0; k < n; k++)
        belief->card[s->card[me][k]] = 0.0;
    for (int k = 1; k < n; k++)
        belief->card[cards[k] = s->card[he][k]] = 0.0;
    for (int card = 0; card < PM_CARDS; card++) {
        if (belief->card[card] == 0.0)
            continue;
        cards[0] = (uint8_t)card;
        belief->state_of_card[card] = (uint8_t)pm_hand_state(&player->types, e, cards, n);
    }
}

/* Take in an act of the opponent, in the state before it. A carried belief stays as it is if the tables hold the act
 * for impossible with every card: it would be gone for the rest of the hand. */
static inline void pm_stud_observe(const pm_stud_player *player, const pm_stud *s, int act, pm_stud_belief *belief)
{
    int facing = pm_stud_owed(s) > 0, column = pm_stud_column(player->form, facing, act);
    const double *table;
    if (column < 0)
        return;
    table = player->opponent + PM_STUD_ROW(pm_stud_situation(player->form, s->round, facing, pm_stud_capped(s)), 0);
    if (player->carries) {
        int possible = 0;
        for (int card = 0; card < PM_CARDS && !possible; card++)
            if (belief->card[card] > 0.0)
                possible = belief->card[card] * table[PM_STUD_ACTS * belief->state_of_card[card] + column] > 0.0;
        for (int card = 0; card < PM_CARDS && possible; card++)
            if (belief->card[card] > 0.0)
                belief->card[card] *= table[PM_STUD_ACTS * belief->state_of_card[card] + column];
    } else {
        for (int k = 0; k < PM_STATES; k++)
            belief->likelihood[k] *= table[PM_STUD_ACTS * k + column];
    }
}

/* The probability of winning, and that of each state of the opponent. Acts that the tables hold for impossible say
 * nothing. */
static inline double pm_stud_win(const pm_stud_player *player, int round, int own, int up,
                                 const pm_stud_belief *belief, double state[PM_STATES])
{
    size_t row = ((size_t)round * PM_STATES + (size_t)own) * PM_STATES;
    const double *winning = player->winning + row, *both = player->both + row;
    const double *upcards = player->upcards + ((size_t)round * PM_STATES + (size_t)up) * PM_STATES;
    double win = 0.0, total = 0.0;
    if (player->carries) {
        for (int k = 0; k < PM_STATES; k++)
            state[k] = 0.0;
        for (int card = 0; card < PM_CARDS; card++)
            if (belief->card[card] > 0.0)
                state[belief->state_of_card[card]] += belief->card[card];
        for (int k = 0; k < PM_STATES; k++) {
            total += state[k];
            if (state[k] > 0.0 && both[k] > 0.0)
                win += state[k] * winning[k] / both[k];
        }
    } else {
        for (int attempt = 0; attempt < 2 && total <= 0.0; attempt++)
            for (int k = 0; k < PM_STATES; k++) {
                double weight = attempt ? upcards[k] : upcards[k] * belief->likelihood[k];
                state[k] = weight * both[k];
                total += state[k];
                win += weight * winning[k];
            }
    }
    if (total <= 0.0) {
        for (int k = 0; k < PM_STATES; k++)
            state[k] = 0.0;
        return 0.5;
    }
    for (int k = 0; k < PM_STATES; k++)
        state[k] /= total;
    return win / total;
}

/* The probability of winning in the last round by the belief over single cards; nothing is left to be dealt. */
static inline double pm_stud_win_by_cards(const pm_evaluator *e, const pm_stud *s, int me, const double card[PM_CARDS])
{
    pm_hand own = pm_hand_empty(), up = pm_hand_empty();
    double win = 0.0, total = 0.0;
    unsigned rank;
    for (int k = 0; k < PM_STUD_CARDS; k++) {
        own = pm_hand_add(e, own, s->card[me][k]);
        if (k)
            up = pm_hand_add(e, up, s->card[1 - me][k]);
    }
    rank = pm_hand_rank(e, own);
    for (int down = 0; down < PM_CARDS; down++) {
        unsigned other;
        if (card[down] <= 0.0)
            continue;
        other = pm_hand_rank(e, pm_hand_add(e, up, down));
        total += card[down];
        win += card[down] * (rank > other ? 1.0 : rank == other ? 0.5 : 0.0);
    }
    return total > 0.0 ? win / total : 0.5;
}

/* Chips that are still to be paid and the final pot, for a call and for a raise. */
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
        p[PM_FOLD] = facing ? exp(fold - highest) : 0.0; /* only ratios count: so steep curves stay in range */
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

/* How likely the opponent folds to a raise, given the probability of each of his states. */
static inline double pm_stud_fold_equity(const pm_stud_player *player, const pm_stud *s, const double *state)
{
    const double *table = player->opponent;
    double folds = 0.0;
    if (player->form != PM_BY_CONTEXT)
        return 0.0;
    table += PM_STUD_ROW(pm_stud_situation(PM_BY_CONTEXT, s->round, 1, s->bets + 1 >= s->spec.max_bets), 0);
    for (int k = 0; k < PM_STATES; k++)
        folds += state[k] * table[PM_STUD_ACTS * k + PM_FOLD];
    return folds;
}

/* What the player whose turn it is does. `first` says whether he acts for the first time in this round. */
static inline void pm_stud_decide(const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s,
                                  const pm_stud_belief *belief, int first, pm_stud_choice *choice)
{
    const pm_stud_acting *acting = &player->acting;
    int me = s->seat, n = s->round + 2;
    int own = pm_hand_state(&player->types, e, s->card[me], n);
    int up = pm_hand_state(&player->types, e, s->card[1 - me] + 1, n - 1);
    double state[PM_STATES], *plain = choice->plain, explored;
    choice->win = pm_stud_win(player, s->round, own, up, belief, state);
    if (player->by_cards && s->round == 3)
        choice->win = pm_stud_win_by_cards(e, s, me, belief->card);
    choice->bluff = 0.0;
    if (acting->rule == PM_STUD_TABLE) {
        int situation = pm_stud_situation(PM_BY_CONTEXT, s->round, pm_stud_owed(s) > 0, pm_stud_capped(s));
        for (int act = 0; act < 3; act++)
            plain[act] = player->own[PM_STUD_ROW(situation, own) + act];
    } else {
        pm_stud_respond(acting, s, choice->win, plain);
        if (pm_stud_capped(s) || acting->bluffing == PM_STUD_HONEST)
            ;
        else if (acting->bluffing == PM_STUD_LAST_ROUND) {
            choice->bluff = s->round == 3 && first ? acting->bluffs : 0.0;
        } else if (s->round >= 2) {
            double folds = pm_stud_fold_equity(player, s, state);
            double price = pm_stud_owed(s) + s->spec.bet[s->round], pot = s->chips[0] + s->chips[1];
            choice->bluff = folds * pot > (1.0 - folds) * price ? acting->bluffs : 0.0;
        }
    }
    explored = acting->explores * plain[PM_FOLD];
    plain[PM_FOLD] -= explored;
    plain[PM_CALL] += explored;
    choice->p[PM_FOLD] = plain[PM_FOLD] * (1.0 - choice->bluff);
    choice->p[PM_CALL] = plain[PM_CALL] * (1.0 - choice->bluff);
    choice->p[PM_RAISE] = plain[PM_RAISE] + (plain[PM_FOLD] + plain[PM_CALL]) * choice->bluff;
}

/* Draw an act; two random numbers, whatever comes of it. */
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

/* ------------------------------------------------------------------------------------------------ whole hands */

enum { PM_STUD_MOST_ACTS = 24 }; /* pass, bet, three raises and a call in each round */

/* An act in eight bits: act, player, round, whether he owed, whether the bets were at their cap, whether a bluff. */
static inline uint8_t pm_stud_code(const pm_stud *s, int act, int bluffed)
{
    int code = act | s->seat << 2 | s->round << 3 | (pm_stud_owed(s) > 0) << 5 | pm_stud_capped(s) << 6 | bluffed << 7;
    return (uint8_t)code;
}

/* What is kept of a hand. */
typedef struct {
    uint8_t card[2][PM_STUD_CARDS];
    uint8_t acts[PM_STUD_MOST_ACTS];
    double p[PM_STUD_MOST_ACTS][3];
    double win[PM_STUD_MOST_ACTS];
    int n, payoff, showdown;
} pm_stud_record;

static inline void pm_stud_play(pm_stud *s, const pm_stud_player *const player[2], const pm_evaluator *e,
                                pm_random random[2], pm_stud_record *record)
{
    pm_stud_belief belief[2];
    int round = -1, acted = 0;
    record->n = 0;
    pm_stud_begin(s);
    while (s->seat >= 0) {
        pm_stud_choice choice;
        int me = s->seat, bluffed, act;
        if (s->round != round) {
            round = s->round;
            acted = 0;
            for (int k = 0; k < 2; k++)
                pm_stud_new_round(player[k], e, s, k, &belief[k]);
        }
        pm_stud_decide(player[me], e, s, &belief[me], !(acted >> me & 1), &choice);
        act = pm_stud_draw(&choice, &random[me], &bluffed);
        acted |= 1 << me;
        record->acts[record->n] = pm_stud_code(s, act, bluffed);
        record->win[record->n] = choice.win;
        for (int k = 0; k < 3; k++)
            record->p[record->n][k] = choice.p[k];
        record->n++;
        pm_stud_observe(player[1 - me], s, act, &belief[1 - me]);
        pm_stud_act(s, act);
    }
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < PM_STUD_CARDS; j++)
            record->card[k][j] = s->card[k][j];
    record->showdown = s->folded < 0;
    record->payoff = pm_stud_payoff(s, e);
}

#endif
