/* Features of a situation: what everybody sees before an act, and what of the betting before they depend on.
 *
 * A pm_betting follows a hand act by act. Fields of pm_features are those of pokermodel.reading.features.Features. A
 * pm_binned puts one of them into bins, of which contexts are made. No function here checks its arguments.
 */
#ifndef POKERMODEL_FEATURES_H
#define POKERMODEL_FEATURES_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/game/triples.h"

#define PM_FEATURES 28
#define PM_BIN_EDGES 4 /* the most that a feature has */
#define PM_MOST_BETS (1 << 30)

/* What everybody sees. */
typedef struct {
    int round, bets, previous, faced, aggressor, leader, players, num_bets, position, acted, put_in, dealt, callers,
        preflop, before, raised, raised_preflop, called, last, all_in, invested, seat, raiser;
    double odds, pot, share, level, depth;
} pm_features;

/* A situation, as far as its features depend on it. */
typedef struct {
    int round, seat, bets_to_call, num_bets, put_in, players, position, all_in;
    int sized; /* whether bets have sizes */
    double pot, to_call, bet_size;
    double in_round; /* where bets have sizes, chips that the seat has put in during this round */
    double stack;    /* where bets have sizes, the effective stack; -1 where it is not known */
    int64_t invested, small_bet; /* chips that the seat has put in during this hand; a bet of the first round, 1 or more */
} pm_faced;

/* A seat's acts. */
typedef struct {
    int previous;       /* the last one: 0 none, 1 call or check, 2 raise or bet */
    int faced;          /* whether there were bets to call at that act */
    int called;         /* bets called in this round */
    int raised;         /* bets and raises */
    int raised_preflop; /* those before the flop */
} pm_seat_acts;

/* The betting so far. Seats are -1 where there is none. */
typedef struct {
    int players;
    int round;
    int last, before;   /* who bet or raised last in this round, in the round before */
    int limper;         /* who called first where nobody had raised */
    int raiser, leader; /* who did in any round, in any round before this one */
    int acted;          /* acts in this round */
    int calls;          /* calls of a bet in this round */
    int raises[PM_ROUNDS];
    pm_seat_acts by[PM_SEATS];
} pm_betting;

static inline int pm_least(int a, int b)
{
    return a < b ? a : b;
}

/* 0 nobody, 1 the seat, 2 another one. */
static inline int pm_who(int seat, int asked)
{
    return seat < 0 ? 0 : seat == asked ? 1 : 2;
}

static inline void pm_betting_begin(pm_betting *b, int players)
{
    memset(b, 0, sizeof *b);
    b->players = players;
    b->last = b->before = b->limper = b->raiser = b->leader = -1;
}

/* The features of the next situation of the hand. */
static inline void pm_betting_features(const pm_betting *b, const pm_faced *s, pm_features *f)
{
    const pm_seat_acts *own = &b->by[s->seat];
    const int same = s->round == b->round, facing = s->to_call != 0, first = b->last >= 0 ? b->last : b->limper;
    const int64_t bets = s->invested / s->small_bet;
    f->round = s->round;
    f->bets = pm_least(!s->sized ? s->bets_to_call : facing ? s->num_bets : 0, 2);
    f->previous = own->previous;
    f->faced = own->faced;
    f->aggressor = pm_who(same ? b->before : b->last, s->seat);
    f->leader = pm_who(same ? b->leader : b->raiser, s->seat);
    f->players = s->players;
    f->num_bets = s->num_bets;
    f->odds = facing ? pm_odds_to_call(s->pot, s->to_call) : 0.0;
    f->pot = s->pot / s->bet_size;
    f->position = s->position;
    f->acted = same ? b->acted : 0;
    f->put_in = s->put_in;
    f->dealt = b->players;
    f->callers = same ? b->calls : 0;
    f->preflop = b->raises[0];
    f->before = s->round ? b->raises[s->round - 1] : 0;
    f->raised = own->raised;
    f->raised_preflop = own->raised_preflop;
    f->called = same ? own->called : 0;
    f->last = pm_who(b->raiser, s->seat);
    f->share = s->to_call / s->bet_size;
    f->all_in = s->all_in;
    f->level = s->sized ? (s->in_round + s->to_call) / s->bet_size : 0.0;
    f->depth = s->sized && s->stack >= 0 ? s->stack / s->bet_size : -1.0;
    f->invested = (int)(bets < PM_MOST_BETS ? bets : PM_MOST_BETS);
    f->seat = b->players - 1 - s->seat;
    f->raiser = same && first >= 0 ? b->players - 1 - first : -1;
}

/* Take note of a round that begins. */
static inline void pm_betting_round(pm_betting *b, int round)
{
    b->round = round;
    b->before = b->last;
    b->last = b->limper = -1;
    b->leader = b->raiser;
    b->acted = b->calls = 0;
    for (int seat = 0; seat < b->players; seat++)
        b->by[seat].called = 0;
}

/* Take note of an act in a situation. Leaving the hand out of turn is not one. */
static inline void pm_betting_add(pm_betting *b, const pm_faced *s, int act, int out_of_turn)
{
    pm_seat_acts *own = &b->by[s->seat];
    if (s->round != b->round)
        pm_betting_round(b, s->round);
    if (out_of_turn)
        return;
    own->previous = act == PM_RAISE ? 2 : 1;
    own->faced = s->bets_to_call > 0;
    b->acted++;
    if (act == PM_RAISE) {
        b->last = b->raiser = s->seat;
        b->raises[s->round]++;
        own->raised++;
        own->raised_preflop += s->round == 0;
    } else if (act == PM_CALL && s->to_call != 0) {
        b->calls++;
        own->called++;
        if (b->last < 0 && b->limper < 0)
            b->limper = s->seat;
    }
}

/* A feature, less another one, in bins. Where it is 0, another bin may count instead. */
typedef struct pm_binned {
    int field, less; /* places among the features; -1: no other one */
    int edges;
    double edge[PM_BIN_EDGES]; /* where bins begin, but for the first, in rising order */
    const struct pm_binned *otherwise;
} pm_binned;

/* All features, in the order of Features. */
static inline void pm_features_values(const pm_features *f, double values[PM_FEATURES])
{
    const double all[PM_FEATURES] = {
        f->round,  f->bets,    f->previous, f->faced,  f->aggressor, f->leader,         f->players, f->num_bets, f->odds,
        f->pot,    f->position, f->acted,    f->put_in, f->dealt,     f->callers,        f->preflop, f->before,
        f->raised, f->raised_preflop,        f->called, f->last,      f->share,          f->all_in,  f->level,    f->depth,
        f->invested, f->seat,   f->raiser,
    };
    memcpy(values, all, sizeof all);
}

/* The bin that a value falls into: how many edges are not above it. */
static inline int pm_bin_among(const double *edges, int n, double value)
{
    int bin = 0;
    for (int k = 0; k < n; k++)
        bin += edges[k] <= value;
    return bin;
}

/* The bin that features fall into. */
static inline int pm_features_bin(const pm_binned *b, const double values[PM_FEATURES])
{
    while (b->otherwise && values[b->field] == 0)
        b = b->otherwise;
    return pm_bin_among(b->edge, b->edges, values[b->field] - (b->less < 0 ? 0 : values[b->less]));
}

#endif
