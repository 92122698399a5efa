/* The rules of hold'em: a state that is copied by assignment and walked by inline functions.
 *
 * What stays the same during a hand (betting structure, blinds, bets, stacks, house rules) is a pm_table; what changes
 * is a pm_state of some 270 bytes that points to it. Seats count from 0 in the table's order and sets of seats are bit
 * masks. Chips are int64.
 *
 * A seat's chips are counted over the whole hand: `in[seat]` against `level`, what it takes to stay. Everybody
 * who is in and not all-in has matched the level when a round ends, so what a seat put in during a later round
 * is what it has above `base`, the level at its start. Antes are dead money: in the pot, but no part of `in`.
 *
 * What a bet or raise goes to is counted over the whole hand, too; less pm_round_base() it is what players say, who
 * count from the beginning of the round. In limit the least and the most that one may raise to are one amount.
 *
 * No function here checks its arguments: pm_act needs an act of pm_possible, pm_act_to also an amount of
 * pm_raise_range, pm_leave a seat that is in and not all-in. Cards do not occur: a showdown takes one integer a seat,
 * larger is better.
 */
#ifndef POKERMODEL_RULES_H
#define POKERMODEL_RULES_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/cards.h"

#define PM_ROUNDS 4
#define PM_DEEP (INT64_C(1) << 54) /* the stack of a seat whose chips are not known, more than a hand takes in limit */

enum { PM_FOLD = 0, PM_CALL = 1, PM_RAISE = 2 };

/* What bounds a bet or raise from above. */
enum {
    PM_LIMIT,     /* the least is the most */
    PM_POT_LIMIT, /* the pot as it is after a call */
    PM_NO_LIMIT   /* the stack */
};

/* What bounds it from below where it is not one amount. */
enum {
    PM_MIN_LAST,      /* the level and the largest bet or raise of this round, at least a bet */
    PM_MIN_CUMULATIVE /* the same, but what is missing from a short all-in raise can be completed */
};

/* When an all-in bet or raise for less than a full one lets those who acted before raise again. */
enum {
    PM_REOPEN_ANY,     /* always, and it counts as a raise */
    PM_REOPEN_FULL,    /* if they face a bet as large as the largest of this round so far; it counts as a raise */
    PM_REOPEN_MINIMUM, /* the same, but a bet of this round is the least that they must face */
    PM_REOPEN_HALF,    /* if they face half a bet or more; less than half is no raise and is completed by the next */
    PM_REOPEN_WHOLE    /* the same, but half a bet or more is taken for a whole one: the next goes to whole bets */
};

/* How a pot that does not divide is shared. */
enum {
    PM_ODD_SPLIT, /* into equal fractions of a chip */
    PM_ODD_FIRST  /* in whole chips, one odd chip each to the winners in the earliest seats */
};

/* What a seat whose last chips were its ante can win of the antes of the others. */
enum {
    PM_ANTE_WHOLE,  /* all of them */
    PM_ANTE_MATCHED /* of each as much as its own */
};

typedef struct {
    int64_t blinds[PM_SEATS];
    int64_t dead[PM_SEATS];  /* ante, as far as the stack goes */
    int64_t limit[PM_SEATS]; /* what the seat can put in after its ante */
    int64_t bets[PM_ROUNDS]; /* size of a bet or raise in limit, else the least bet */
    int32_t max_raises[PM_ROUNDS]; /* bets and raises of a round, the blind not counted */
    int8_t first[PM_ROUNDS];
    int8_t players;
    int8_t cap_heads_up; /* max_raises holds between the last two as well */
    int8_t full_blind;   /* a blind who is all-in for less is still called in full */
    int8_t reopen;
    int8_t odd_chips;
    int8_t structure;
    int8_t min_raise;
    int8_t short_ante;
} pm_table;

typedef struct {
    const pm_table *table;
    int64_t in[PM_SEATS];
    int64_t level;
    int64_t base;
    int64_t pot;  /* everything in, antes and the bets of this round included */
    int64_t unit; /* largest bet or raise of this round */
    /* What the next full raise may be smaller by, 0 where the house rules know no such thing. PM_REOPEN_HALF,
     * PM_REOPEN_WHOLE: all-in raises that do not add up to half a bet; with PM_REOPEN_WHOLE also what is missing, below
     * 0, where half a bet or more was taken for a whole one. PM_MIN_CUMULATIVE: what short all-in raises went by. */
    int64_t open;
    uint32_t live;    /* not folded */
    uint32_t broke;   /* all-in */
    uint32_t pending; /* still to act in this round */
    uint32_t acted;   /* acted in this round */
    int32_t raises;   /* bets and raises of this round */
    int8_t round;
    int8_t seat; /* to act; -1 when the hand is over */
} pm_state;

static inline int pm_count_seats(uint32_t seats)
{
    int n = 0;
    for (; seats; seats &= seats - 1)
        n++;
    return n;
}

static inline int pm_is_over(const pm_state *s)
{
    return s->seat < 0;
}

/* Whether the hand is over with more than one seat in it. */
static inline int pm_is_showdown(const pm_state *s)
{
    return s->seat < 0 && (s->live & (s->live - 1)) != 0;
}

static inline int64_t pm_bet_size(const pm_state *s)
{
    return s->table->bets[s->round];
}

static inline int64_t pm_stack(const pm_state *s, int seat)
{
    return s->table->limit[seat] - s->in[seat];
}

/* Chips it takes to stay, limited to the stack. */
static inline int64_t pm_to_call(const pm_state *s, int seat)
{
    int64_t limit = s->table->limit[seat];
    int64_t owed = (s->level < limit ? s->level : limit) - s->in[seat];
    return owed > 0 ? owed : 0;
}

/* What all who could still act had in when the round began: a raise over the hand less this is one over the round. */
static inline int64_t pm_round_base(const pm_state *s)
{
    return s->round ? s->base : 0; /* blinds belong to the first round */
}

/* Chips in whole bets, rounded up: the half bet of a small blind is one. */
static inline int64_t pm_in_bets(const pm_state *s, int64_t chips)
{
    int64_t bet = pm_bet_size(s);
    return (chips + bet - 1) / bet;
}

/* Chips the seat put in during this round of its own will: blinds do not count. */
static inline int64_t pm_put_in_voluntarily(const pm_state *s, int seat)
{
    const pm_table *t = s->table;
    int64_t from = s->base;
    if (s->round == 0)
        from = t->blinds[seat] < t->limit[seat] ? t->blinds[seat] : t->limit[seat];
    return s->in[seat] > from ? s->in[seat] - from : 0;
}

/* Bets and raises of this round by anybody; before the flop the big blind is the first. */
static inline int pm_num_bets(const pm_state *s)
{
    return s->raises + (s->round == 0 && s->base > 0);
}

/* How many of those who still can act come after the seat in the order of the later rounds; 0 on the button. */
static inline int pm_position(const pm_state *s, int seat)
{
    uint32_t able = s->live & ~s->broke;
    int n = 0;
    for (;;) {
        seat = seat + 1 == s->table->players ? 0 : seat + 1;
        if (seat == s->table->first[1])
            return n;
        n += (int)(able >> seat & 1);
    }
}

static inline int pm_next_pending(const pm_state *s, int seat)
{
    if (!s->pending)
        return -1;
    while (!(s->pending >> seat & 1))
        seat = seat + 1 == s->table->players ? 0 : seat + 1;
    return seat;
}

/* Go to the next round in which somebody can act, or end the hand. */
static inline void pm_next_round(pm_state *s)
{
    uint32_t able = s->live & ~s->broke;
    s->seat = -1;
    s->pending = 0;
    if (!(s->live & (s->live - 1)))
        return; /* one is left: the hand ends in this round */
    if (!(able & (able - 1))) {
        s->round = PM_ROUNDS - 1; /* nobody to bet against: the board is dealt out */
        return;
    }
    if (s->round == PM_ROUNDS - 1)
        return;
    s->round++;
    s->base = s->level;
    s->unit = s->open = 0;
    s->raises = 0;
    s->acted = 0;
    s->pending = able;
    s->seat = (int8_t)pm_next_pending(s, s->table->first[s->round]);
}

/* Post antes and blinds. */
static inline void pm_begin(pm_state *s, const pm_table *t)
{
    int64_t highest = 0, second = 0;
    int seat;
    memset(s, 0, sizeof *s);
    s->table = t;
    s->live = (UINT32_C(1) << t->players) - 1;
    for (seat = 0; seat < t->players; seat++) {
        int64_t limit = t->limit[seat];
        int64_t blind = t->blinds[seat] < limit ? t->blinds[seat] : limit;
        int64_t asked = t->full_blind ? t->blinds[seat] : blind;
        s->in[seat] = blind;
        s->pot += blind + t->dead[seat];
        if (asked > s->level)
            s->level = asked;
        if (blind == limit)
            s->broke |= UINT32_C(1) << seat;
        if (limit > highest) {
            second = highest;
            highest = limit;
        } else if (limit > second) {
            second = limit;
        }
    }
    s->base = s->level;
    if (t->structure != PM_LIMIT && t->reopen == PM_REOPEN_MINIMUM && s->level > t->bets[0])
        s->unit = s->level; /* straddled: the least raise is another one */
    /* who already has in what everybody else could at most put in has nothing to decide */
    for (seat = 0; seat < t->players; seat++) {
        int64_t others = t->limit[seat] == highest ? second : highest;
        if (!(s->broke >> seat & 1) && others > s->in[seat])
            s->pending |= UINT32_C(1) << seat;
    }
    if (s->pending)
        s->seat = (int8_t)pm_next_pending(s, t->first[0]);
    else
        pm_next_round(s);
}

/* A full bet or raise: the least where no short all-in has been made. */
static inline int64_t pm_full_raise(const pm_state *s)
{
    int64_t bet = pm_bet_size(s);
    return s->table->structure != PM_LIMIT && s->unit > bet ? s->unit : bet;
}

/* The least that a bet or raise goes to, over the whole hand; in limit the only amount. */
static inline int64_t pm_least_raise(const pm_state *s, int seat)
{
    int64_t to = s->level + pm_full_raise(s) - s->open;
    return to < s->table->limit[seat] ? to : s->table->limit[seat];
}

/* The most that a bet or raise goes to, over the whole hand. */
static inline int64_t pm_most_raise(const pm_state *s, int seat)
{
    int64_t least = pm_least_raise(s, seat), limit = s->table->limit[seat], to;
    switch (s->table->structure) {
    case PM_POT_LIMIT:
        to = s->level + s->pot + (s->level - s->in[seat]);
        break;
    case PM_NO_LIMIT:
        to = limit;
        break;
    default:
        to = least;
    }
    return to < least ? least : to < limit ? to : limit;
}

/* Whether the house rules leave room for a raise by the seat to act, be it that nobody can call it. */
static inline int pm_can_raise(const pm_state *s)
{
    const pm_table *t = s->table;
    int seat = s->seat;
    int64_t owed = s->level - s->in[seat];
    if (t->limit[seat] <= s->level)
        return 0;
    if (s->raises >= t->max_raises[s->round] && (t->cap_heads_up || pm_count_seats(s->live) > 2))
        return 0;
    if (t->reopen >= PM_REOPEN_HALF)
        return !(s->acted >> seat & 1) || 2 * owed >= pm_bet_size(s);
    if (t->reopen == PM_REOPEN_FULL)
        return owed >= s->unit;
    if (t->reopen == PM_REOPEN_MINIMUM)
        return !(s->acted >> seat & 1) || owed >= (s->unit > pm_bet_size(s) ? s->unit : pm_bet_size(s));
    return 1;
}

/* What the seat to act may raise to, over the whole hand; false where the house rules leave no room for a raise. As
 * pm_can_raise does, it lets people raise when nobody can call. */
static inline int pm_raise_range(const pm_state *s, int64_t *least, int64_t *most)
{
    *least = pm_least_raise(s, s->seat);
    *most = pm_most_raise(s, s->seat);
    return pm_can_raise(s);
}

/* Whether anybody else could put in more than the level. */
static inline int pm_raise_matters(const pm_state *s)
{
    uint32_t others = s->live & ~s->broke & ~(UINT32_C(1) << s->seat);
    int seat;
    for (seat = 0; others >> seat; seat++)
        if ((others >> seat & 1) && s->table->limit[seat] > s->level)
            return 1;
    return 0;
}

/* The acts that the rules offer the seat to act, as a mask of 1 << act. Fold only when there is something to
 * call, raise only when somebody could call it. */
static inline unsigned pm_legal(const pm_state *s)
{
    unsigned legal = 1u << PM_CALL;
    if (s->level > s->in[s->seat])
        legal |= 1u << PM_FOLD;
    if (pm_can_raise(s) && pm_raise_matters(s))
        legal |= 1u << PM_RAISE;
    return legal;
}

/* The acts that people at a table get away with: a fold at any time, a raise that nobody can call. */
static inline unsigned pm_possible(const pm_state *s)
{
    return 1u << PM_FOLD | 1u << PM_CALL | (unsigned)pm_can_raise(s) << PM_RAISE;
}

/* The seat gives up its hand, in its turn or out of it. */
static inline void pm_leave(pm_state *s, int seat)
{
    uint32_t bit = UINT32_C(1) << seat;
    s->live &= ~bit;
    s->pending &= ~bit;
    if (!s->pending || !(s->live & (s->live - 1)))
        pm_next_round(s);
    else
        s->seat = (int8_t)pm_next_pending(s, s->seat);
}

/* The seat to act acts; `to` is what a bet or raise goes to, and not looked at otherwise. Returns the chips that the seat
 * put in. */
static inline int64_t pm_act_to(pm_state *s, int act, int64_t to)
{
    const pm_table *t = s->table;
    int seat = s->seat;
    uint32_t bit = UINT32_C(1) << seat;
    int64_t chips;
    if (act == PM_FOLD) {
        pm_leave(s, seat);
        return 0;
    }
    s->pending &= ~bit;
    s->acted |= bit;
    if (act == PM_CALL) {
        chips = pm_to_call(s, seat);
    } else {
        int64_t more = to - s->level;
        int full = 1;
        chips = to - s->in[seat];
        s->level = to;
        s->pending = s->live & ~s->broke & ~bit;
        if (t->reopen >= PM_REOPEN_HALF) {
            s->open += more;
            full = 2 * s->open >= pm_bet_size(s);
            if (full)
                s->open = t->reopen == PM_REOPEN_WHOLE ? s->open - pm_bet_size(s) : 0;
        } else if (t->min_raise == PM_MIN_CUMULATIVE) {
            int64_t rest = pm_full_raise(s) - s->open - more; /* what it lacks of a full one */
            if (more > s->unit)
                s->unit = more;
            s->open = pm_full_raise(s) - (rest > more ? rest : more);
        }
        if (more > s->unit)
            s->unit = more;
        s->raises += full;
    }
    s->in[seat] += chips;
    s->pot += chips;
    if (s->in[seat] == t->limit[seat])
        s->broke |= bit;
    if (s->pending)
        s->seat = (int8_t)pm_next_pending(s, seat);
    else
        pm_next_round(s);
    return chips;
}

/* The seat to act acts; a bet or raise is the least, which in limit is the only one. Returns the chips that the seat put
 * in. */
static inline int64_t pm_act(pm_state *s, int act)
{
    return pm_act_to(s, act, act == PM_RAISE ? pm_least_raise(s, s->seat) : 0);
}

/* Pay one pot to the best of its contenders. */
static inline void pm_pay(const pm_state *s, int64_t pot, uint32_t contenders, const int32_t *ranks, double *won)
{
    uint32_t winners = 0;
    int32_t best = 0;
    int seat, n;
    int64_t odd;
    if (!(contenders & (contenders - 1))) {
        winners = contenders; /* nobody to compare with: also how an uncalled bet comes back */
    } else {
        for (seat = 0; contenders >> seat; seat++) {
            if (!(contenders >> seat & 1))
                continue;
            if (!winners || ranks[seat] > best) {
                best = ranks[seat];
                winners = 0;
            }
            if (ranks[seat] == best)
                winners |= UINT32_C(1) << seat;
        }
    }
    n = pm_count_seats(winners);
    odd = pot % n;
    for (seat = 0; winners >> seat; seat++) {
        if (!(winners >> seat & 1))
            continue;
        if (s->table->odd_chips == PM_ODD_SPLIT)
            won[seat] += (double)pot / n;
        else
            won[seat] += (double)(pot / n + (odd-- > 0));
    }
}

/* The pots that antes alone make: a seat whose last chips were its ante wins as much from each of the others. `broke` are
 * such seats in the showdown. Pays those pots but the last, and returns it with those who contend for it. */
static inline int64_t pm_pay_antes(const pm_state *s, uint32_t broke, const int32_t *ranks, double *won,
                                   uint32_t *contenders)
{
    const pm_table *t = s->table;
    int64_t pot = 0, from = 0, to;
    uint32_t left;
    int seat;
    for (;; from = to) {
        to = INT64_MAX;
        left = *contenders;
        for (seat = 0; seat < t->players; seat++)
            if ((broke >> seat & 1) && t->dead[seat] > from && t->dead[seat] < to)
                to = t->dead[seat];
        for (seat = 0; seat < t->players; seat++) {
            if (t->dead[seat] > from)
                pot += (t->dead[seat] < to ? t->dead[seat] : to) - from;
            if ((broke >> seat & 1) && t->dead[seat] <= to)
                left &= ~(UINT32_C(1) << seat);
        }
        if (to == INT64_MAX)
            return pot;
        if (left) {
            pm_pay(s, pot, *contenders, ranks, won);
            pot = 0;
            *contenders = left;
        }
    }
}

/* What each seat gets out of the pots of a hand that is over. Antes are part of the main pot, but for what
 * PM_ANTE_MATCHED keeps from those who were all-in with less. `ranks` is only read at a showdown, at the seats that are in it. */
static inline void pm_winnings(const pm_state *s, const int32_t *ranks, double *won)
{
    const pm_table *t = s->table;
    int64_t pot = 0, from = 0, to;
    uint32_t contenders = s->live, broke = 0;
    int seat;
    for (seat = 0; seat < t->players; seat++)
        won[seat] = 0;
    if (!(s->live & (s->live - 1))) {
        pm_pay(s, s->pot, s->live, ranks, won);
        return;
    }
    for (seat = 0; seat < t->players; seat++) {
        if (!t->dead[seat])
            continue;
        pot += t->dead[seat];
        if (!t->limit[seat])
            broke |= UINT32_C(1) << seat;
    }
    if (t->short_ante == PM_ANTE_MATCHED && (broke & s->live))
        pot = pm_pay_antes(s, broke & s->live, ranks, won, &contenders);
    for (;; from = to) {
        int64_t layer = 0;
        uint32_t reach = 0;
        to = INT64_MAX;
        for (seat = 0; seat < t->players; seat++)
            if (s->in[seat] > from && s->in[seat] < to)
                to = s->in[seat];
        if (to == INT64_MAX)
            break;
        for (seat = 0; seat < t->players; seat++) {
            if (s->in[seat] <= from)
                continue;
            layer += to - from;
            reach |= UINT32_C(1) << seat;
        }
        reach &= s->live;
        /* a layer that only folded seats reach belongs to the pot below it */
        if (reach && reach != contenders) {
            if (pot)
                pm_pay(s, pot, contenders, ranks, won);
            pot = 0;
            contenders = reach;
        }
        pot += layer;
    }
    pm_pay(s, pot, contenders, ranks, won);
}

#endif
