/* Hands of hold'em for programs that learn by playing: what a seat sees as a vector, numbered actions, rewards.
 *
 * A pm_env is the game and what stays the same; a pm_env_hand is one table, on which hand follows hand. The hands are
 * walked by rules.h. Each table draws its cards from one stream of random numbers, and what its opponents do from
 * another one: what is dealt depends on neither acts nor other tables.
 *
 * Places count from a seat on, in the order of the table: 0 is the seat itself, 1 the next one.
 *
 * Actions: 0 fold, 1 check or call, 2 + k a bet or raise to the k-th size. A size is a fraction of the pot as it is
 * after a call, cut down or up to what the rules allow; in limit there is one, whatever it says.
 *
 * No function here checks its arguments.
 */
#ifndef POKERMODEL_ENVIRONMENT_H
#define POKERMODEL_ENVIRONMENT_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/evaluator.h"
#include "pokermodel/dealing/random.h"
#include "pokermodel/game/rules.h"
#include "pokermodel/vectors/simd.h"

enum { PM_ENV_SIZES = 30, PM_ENV_HISTORY = 64, PM_ENV_TRIES = 10000 };

/* Who acts at a place. */
enum {
    PM_ENV_OUTSIDE,    /* whoever steps the table */
    PM_ENV_CALLS,      /* checks and calls */
    PM_ENV_RAISES,     /* makes the least raise where it can, otherwise calls */
    PM_ENV_RANDOM,     /* each legal action as likely as any other */
    PM_ENV_FREQUENCIES /* by a table */
};

/* When a new hand begins after one has ended. */
enum {
    PM_ENV_SAME_STEP, /* in the step that ends it */
    PM_ENV_NEXT_STEP, /* in the step after that, which does nothing else */
    PM_ENV_DISABLED   /* when it is asked for */
};

/* What is drawn with PM_ENV_FREQUENCIES depends on the class of the holding, the round, and whether there is nothing to
 * call, a first bet, or a raise: 12 rows of relative frequencies of the actions for each class. */
enum { PM_ENV_ROWS = 3 * PM_ROUNDS };

typedef struct {
    int kind;
    const float *frequencies; /* (169, 4, 3, actions) */
} pm_env_policy;

typedef struct {
    const pm_evaluator *evaluator;
    pm_state start; /* antes and blinds are posted */
    double unit;    /* chips of a reward of 1 */
    double size[PM_ENV_SIZES]; /* ascending; infinity stands for the most */
    int sizes, actions;
    int history; /* acts of the round that are seen */
    int width;   /* of an observation */
    int seat;    /* where the learner sits; -1: one seat further back in each hand, as the button moves on */
    int opponents; /* whether places other than 0 have policies; otherwise all seats are played from outside */
    pm_env_policy policy[PM_SEATS]; /* by place from the learner on */
} pm_env;

typedef struct {
    pm_state state;
    pm_random cards, choices;
    double unplayed;    /* what the learner won in hands that ended before its turn */
    int64_t skipped;    /* how many they were */
    uint32_t legal;     /* actions of the seat to act; 0 when the hand is over */
    int32_t acts;       /* of this round */
    int8_t seat;        /* the learner's */
    int8_t last;        /* who acted last */
    uint8_t deck[PM_CARDS]; /* two cards of each seat, the board, and the rest */
    uint8_t act[PM_ENV_HISTORY]; /* acts of this round, 4 * seat + act; the n-th in n % PM_ENV_HISTORY */
    int64_t put[PM_ROUNDS * PM_SEATS]; /* chips of each seat and round, blinds included: [players * round + seat] */
} pm_env_hand;

/* How many numbers an observation has: own cards and board by card, the round, the seat, pot, to call and bets; by
 * place stacks, who is in and chips by round; the last acts. */
static inline int pm_env_width(int players, int history)
{
    return 2 * PM_CARDS + PM_ROUNDS + 3 + (3 + PM_ROUNDS) * players + 4 * history;
}

static inline int pm_env_board_cards(const pm_state *s)
{
    return s->round ? s->round + 2 : 0;
}

/* What an action raises to, over the whole hand, within what the rules allow. */
static inline int64_t pm_env_raise_to(const pm_env *env, const pm_state *s, int size, int64_t least, int64_t most)
{
    PM_NO_CONTRACT
    double more = env->size[size] * (double)(s->pot + s->level - s->in[s->seat]);
    int64_t to = more < (double)(most - s->level) ? s->level + (int64_t)more : most;
    return to > least ? to : least;
}

/* The actions that the seat to act can choose from, as a mask. Of sizes that come to the same amount, the first. */
static inline uint32_t pm_env_legal(const pm_env *env, const pm_state *s)
{
    uint32_t legal = pm_legal(s);
    int64_t least, most, before = 0, to;
    if (env->sizes == 1 || !(legal >> PM_RAISE & 1))
        return legal;
    legal &= ~(UINT32_C(1) << PM_RAISE);
    pm_raise_range(s, &least, &most);
    for (int k = 0; k < env->sizes; k++) {
        to = pm_env_raise_to(env, s, k, least, most);
        legal |= (uint32_t)(to != before) << (PM_RAISE + k);
        before = to;
    }
    return legal;
}

/* The seat to act does something. */
static inline void pm_env_do(pm_env_hand *h, int act, int64_t to)
{
    pm_state *s = &h->state;
    int seat = s->seat, round = s->round;
    int64_t chips = pm_act_to(s, act, to);
    h->put[s->table->players * round + seat] += chips;
    h->act[h->acts++ & (PM_ENV_HISTORY - 1)] = (uint8_t)(4 * seat + act);
    if (s->round != round)
        h->acts = 0;
    h->last = (int8_t)seat;
}

/* The seat to act chooses an action, which must be one of pm_env_legal, or a fold. */
static inline void pm_env_choose(const pm_env *env, pm_env_hand *h, int action)
{
    int64_t least = 0, most = 0;
    if (action < PM_RAISE) {
        pm_env_do(h, action, 0);
    } else {
        pm_raise_range(&h->state, &least, &most);
        pm_env_do(h, PM_RAISE, pm_env_raise_to(env, &h->state, action - PM_RAISE, least, most));
    }
}

/* One of the actions of a mask, which must not be 0, each as likely as any other. */
static inline int pm_env_any(uint32_t legal, pm_random *random)
{
    int skip = (int)pm_random_below(random, (uint32_t)pm_count_seats(legal));
    for (; skip; skip--)
        legal &= legal - 1;
    return pm_lowest_bit(legal);
}

/* One of the legal actions by their relative frequencies; a check or call where these are all 0. */
static inline int pm_env_draw(const pm_env *env, pm_env_hand *h, const float *frequencies, uint32_t legal)
{
    const pm_state *s = &h->state;
    const uint8_t *cards = h->deck + 2 * s->seat;
    int faced = s->level <= s->in[s->seat] ? 0 : pm_num_bets(s) < 2 ? 1 : 2;
    const float *row = frequencies + (size_t)env->actions * (size_t)(PM_ENV_ROWS * pm_holding_class(cards[0], cards[1])
                                                                     + 3 * s->round + faced);
    double total = 0.0, left;
    int found = PM_CALL;
    for (int k = 0; k < env->actions; k++)
        if (legal >> k & 1)
            total += (double)row[k];
    left = pm_random_double(&h->choices) * total;
    for (int k = 0; k < env->actions; k++) {
        if (!(legal >> k & 1) || !(row[k] > 0.0f))
            continue;
        found = k;
        left -= (double)row[k];
        if (left < 0.0)
            break;
    }
    return found;
}

/* Let opponents act until it is the turn of a seat that is played from outside, or the hand is over. */
static inline void pm_env_opponents(const pm_env *env, pm_env_hand *h)
{
    pm_state *s = &h->state;
    while (s->seat >= 0) {
        int place = s->seat - h->seat;
        const pm_env_policy *policy = &env->policy[place < 0 ? place + s->table->players : place];
        switch (policy->kind) {
        case PM_ENV_OUTSIDE:
            return;
        case PM_ENV_RAISES:
            if (pm_legal(s) >> PM_RAISE & 1)
                pm_env_do(h, PM_RAISE, pm_least_raise(s, s->seat));
            else
                pm_env_do(h, PM_CALL, 0);
            break;
        case PM_ENV_RANDOM:
            pm_env_choose(env, h, pm_env_any(pm_env_legal(env, s), &h->choices));
            break;
        case PM_ENV_FREQUENCIES:
            pm_env_choose(env, h, pm_env_draw(env, h, policy->frequencies, pm_env_legal(env, s)));
            break;
        default:
            pm_env_do(h, PM_CALL, 0);
        }
    }
}

/* Chips that each seat won or lost in a hand that is over. */
static inline void pm_env_payoffs(const pm_env *env, const pm_env_hand *h, double *won)
{
    const pm_state *s = &h->state;
    const pm_table *t = s->table;
    int32_t ranks[PM_SEATS];
    if (pm_is_showdown(s)) {
        const uint8_t *cards = h->deck + 2 * t->players;
        pm_hand board = pm_hand_empty();
        for (int k = 0; k < 5; k++)
            board = pm_hand_add(env->evaluator, board, cards[k]);
        for (int seat = 0; s->live >> seat; seat++) {
            if (!(s->live >> seat & 1))
                continue;
            pm_hand hand = pm_hand_add(env->evaluator, board, h->deck[2 * seat]);
            hand = pm_hand_add(env->evaluator, hand, h->deck[2 * seat + 1]);
            ranks[seat] = (int32_t)pm_hand_rank(env->evaluator, hand);
        }
    }
    pm_winnings(s, ranks, won);
    for (int seat = 0; seat < t->players; seat++)
        won[seat] -= (double)(s->in[seat] + t->dead[seat]);
}

/* Shuffle the cards of a hand to the top of the deck, which may be in any order. */
static inline void pm_env_deal(uint8_t *deck, int cards, pm_random *random)
{
    for (int k = 0; k < cards; k += 2) {
        uint64_t bits = pm_random_next(random);
        int other = k + (int)pm_random_scale(random, (uint32_t)(PM_CARDS - k), (uint32_t)(bits >> 32));
        uint8_t card = deck[other];
        deck[other] = deck[k];
        deck[k] = card;
        if (k + 1 == cards)
            return;
        other = k + 1 + (int)pm_random_scale(random, (uint32_t)(PM_CARDS - 1 - k), (uint32_t)bits);
        card = deck[other];
        deck[other] = deck[k + 1];
        deck[k + 1] = card;
    }
}

/* Begin a hand in which it comes to somebody's turn outside; others are played to their end, and counted. Returns 0
 * where very many hands in a row were of that kind: the last of them is over. */
static inline int pm_env_begin(const pm_env *env, pm_env_hand *h)
{
    const int players = env->start.table->players;
    double won[PM_SEATS];
    for (int tries = 0; tries < PM_ENV_TRIES; tries++) {
        pm_env_deal(h->deck, 2 * players + 5, &h->cards);
        h->state = env->start;
        h->acts = 0;
        memset(h->put, 0, sizeof *h->put * (size_t)(PM_ROUNDS * players));
        memcpy(h->put, env->start.in, sizeof *h->put * (size_t)players);
        h->seat = (int8_t)(env->seat >= 0 ? env->seat : h->seat ? h->seat - 1 : players - 1);
        h->last = h->seat;
        if (env->opponents)
            pm_env_opponents(env, h);
        if (h->state.seat >= 0) {
            h->legal = pm_env_legal(env, &h->state);
            return 1;
        }
        pm_env_payoffs(env, h, won);
        h->unplayed += won[h->seat];
        h->skipped++;
    }
    h->legal = 0;
    return 0;
}

/* Start the streams of a table; its first hand is yet to begin. */
static inline void pm_env_seed(const pm_env *env, pm_env_hand *h, const uint64_t words[8], int number)
{
    const int players = env->start.table->players;
    memset(h, 0, sizeof *h);
    h->state.table = env->start.table;
    h->state.seat = -1;
    for (int k = 0; k < PM_CARDS; k++)
        h->deck[k] = (uint8_t)k;
    h->seat = (int8_t)((number + 1) % players); /* from there it moves back */
    pm_random_seed(&h->cards, words);
    pm_random_seed(&h->choices, words + 4);
}

/* What a seat sees, as `width` numbers. */
static inline void pm_env_observe(const pm_env *env, const pm_env_hand *h, int seat, float *out)
{
    PM_NO_CONTRACT
    const pm_state *s = &h->state;
    const pm_table *t = s->table;
    const int players = t->players, shown = h->acts < env->history ? h->acts : env->history;
    const double scale = 1.0 / env->unit;
    float *stacks, *put;
    memset(out, 0, sizeof *out * (size_t)env->width);
    out[h->deck[2 * seat]] = out[h->deck[2 * seat + 1]] = 1.0f;
    out += PM_CARDS;
    for (int k = 0; k < pm_env_board_cards(s); k++)
        out[h->deck[2 * players + k]] = 1.0f;
    out += PM_CARDS;
    out[s->round] = 1.0f;
    out += PM_ROUNDS;
    out[seat] = 1.0f;
    out += players;
    out[0] = (float)((double)s->pot * scale);
    out[1] = s->seat == seat ? (float)((double)pm_to_call(s, seat) * scale) : 0.0f;
    out[2] = (float)pm_num_bets(s);
    stacks = out + 3;
    put = stacks + 2 * players;
    for (int place = 0, other = seat; place < players; place++) {
        if (t->limit[other] != PM_DEEP)
            stacks[place] = (float)((double)pm_stack(s, other) * scale);
        stacks[players + place] = (float)(s->live >> other & 1);
        for (int round = 0; round <= s->round; round++)
            put[players * round + place] = (float)((double)h->put[players * round + other] * scale);
        other = other + 1 == players ? 0 : other + 1;
    }
    out = put + PM_ROUNDS * players;
    for (int k = 1; k <= shown; k++, out += 4) {
        int code = h->act[(h->acts - k) & (PM_ENV_HISTORY - 1)], place = (code >> 2) - seat;
        out[0] = (float)(place < 0 ? place + players : place);
        out[1 + (code & 3)] = 1.0f;
    }
}

/* A step of one table. `won` gets the chips of each seat if the hand ends, and `last` then what whoever acted last, or
 * the learner, sees at the end, unless it is NULL. A fold is made of an action that is not legal. Returns 1 if the hand
 * ended, -1 if no further hand comes to the learner. */
static inline int pm_env_step(const pm_env *env, pm_env_hand *h, int64_t action, int autoreset, double *won,
                              float *last)
{
    h->skipped = 0;
    h->unplayed = 0.0;
    if (h->state.seat < 0)
        return autoreset == PM_ENV_NEXT_STEP && !pm_env_begin(env, h) ? -1 : 0;
    pm_env_choose(env, h, action >= 0 && action < env->actions && (h->legal >> action & 1) ? (int)action : PM_FOLD);
    if (env->opponents)
        pm_env_opponents(env, h);
    if (h->state.seat >= 0) {
        h->legal = pm_env_legal(env, &h->state);
        return 0;
    }
    h->legal = 0;
    pm_env_payoffs(env, h, won);
    if (last)
        pm_env_observe(env, h, env->opponents ? h->seat : h->last, last);
    return autoreset == PM_ENV_SAME_STEP && !pm_env_begin(env, h) ? -1 : 1;
}

#endif
