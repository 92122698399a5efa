/* What one hand adds to the counters of its players: the walk through its acts, for all seats at once.
 *
 * pokermodel.learning.statistics says what is counted and by which numbers, which stand in a pm_counters. Nothing here
 * checks its arguments: seats are below PM_SEATS, acts and rounds are those of the rules, edges of scales are positive,
 * and chips are at most 2^60.
 */
#ifndef POKERMODEL_HAND_COUNTS_H
#define POKERMODEL_HAND_COUNTS_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/cards.h"
#include "pokermodel/evaluator.h"
#include "pokermodel/rules.h"
#include "pokermodel/situations.h"

/* Counters that go up at most once a hand. */
enum {
    PM_HANDS_VPIP,
    PM_HANDS_VPIP_CHANCES,
    PM_HANDS_PFR,
    PM_HANDS_PFR_CHANCES,
    PM_HANDS_THREE_BETS,
    PM_HANDS_THREE_BET_CHANCES,
    PM_HANDS_FOLDS_TO_THREE_BET,
    PM_HANDS_THREE_BETS_FACED,
    PM_HANDS_FOUR_BETS,
    PM_HANDS_FOUR_BET_CHANCES,
    PM_HANDS_SQUEEZES,
    PM_HANDS_SQUEEZE_CHANCES,
    PM_HANDS_STEALS,
    PM_HANDS_STEAL_CHANCES,
    PM_HANDS_FOLDS_TO_STEAL,
    PM_HANDS_STEALS_FACED,
    PM_HANDS_FLOPS,
    PM_HANDS_FLOPS_WON,
    PM_HANDS_SHOWDOWNS,
    PM_HANDS_SHOWDOWNS_WON,
    PM_HANDS_ONCE /* how many these are */
};

/* Counters of each round from the flop on. */
enum {
    PM_LINE_CBETS,
    PM_LINE_CBET_CHANCES,
    PM_LINE_FOLDS_TO_CBET,
    PM_LINE_CBETS_FACED,
    PM_LINE_CHECK_RAISES,
    PM_LINE_CHECK_RAISE_CHANCES,
    PM_LINES
};

enum {
    PM_SIZE_EDGES = 8,
    PM_SIZE_KINDS = 8, /* open, raise before the flop, bet and raise on flop, turn and river */
    PM_DEPTH_EDGES = 8,
    PM_COUNTER_TYPES = 25, /* types of hands */
    PM_SEAT_COUNTERS = 32, /* most counters of a seat that do not come with an act */
    PM_ACT_COUNTERS = 10   /* most that come with one */
};

/* A kind of bets and raises, and the scale on which their sizes are counted. */
typedef struct {
    int32_t first, all_in, bins; /* counters: of the first class, of all-ins, of the first bin */
    int32_t n, closed;           /* edges; whether the last one belongs to the class below it */
    int32_t above[PM_SIZE_EDGES], below[PM_SIZE_EDGES]; /* edges as fractions */
    int32_t fine, coarse, turn, end, n_bins;
} pm_size_kind;

/* Numbers of the counters, and what they are counted by. */
typedef struct {
    int32_t page[3]; /* the first number of each betting structure */
    int32_t hands, positions, depths, acts, sizes, shown, shown_preflop, shown_postflop, contexts;
    int32_t coarse; /* contexts of RICH to one of the coarse contexts that actions are counted by */
    int32_t once[PM_HANDS_ONCE];
    int32_t order[PM_HANDS_ONCE]; /* places in `once`, by number */
    int32_t lines[PM_LINES];      /* of the flop; those of later rounds follow */
    int32_t depth_edges[PM_DEPTH_EDGES], n_depth_edges; /* big blinds */
    uint32_t stealing;            /* positions from which a first raise is a steal, as bits */
    uint32_t blinds;              /* positions that a steal is aimed at */
    pm_size_kind kinds[PM_SIZE_KINDS];
    uint8_t type_of_rank[PM_RANKS + 1];
} pm_counters;

/* An act, and what its player faced. */
typedef struct {
    int64_t to_call, put_in, in_round, pot;
    int64_t stack;   /* chips behind, -1 where they are not known */
    int32_t context; /* number of the situation in RICH; in limit */
    int8_t round, seat, act, out_of_turn;
    int8_t num_bets;  /* at most 4 matter */
    int8_t bets;      /* to call: 0, 1, or 2 for two or more */
    int8_t can_raise; /* whether the rules offer a raise, or one was made */
} pm_counted_act;

/* A hand to be counted. */
typedef struct {
    int players, structure;
    int straddled;
    int64_t small_bet;
    int8_t position[PM_SEATS];
    int64_t stacks[PM_SEATS];   /* before antes and blinds, -1 where they are not known */
    int64_t invested[PM_SEATS]; /* chips put in until the end */
    double payoffs[PM_SEATS];
    uint32_t shown;           /* seats that showed their holdings */
    uint8_t cards[PM_SEATS][2]; /* of these */
    uint8_t board[5];
    int n;
    const pm_counted_act *acts;
} pm_counted_hand;

/* Counters of the seats: those of seat k are at[k][0] to at[k][n[k] - 1]. */
typedef struct {
    uint16_t *at[PM_SEATS];
    int n[PM_SEATS];
    uint32_t once[PM_SEATS]; /* those of a hand, as bits */
    int page;
} pm_seat_counts;

/* ---------------------------------------------------------------------------------------------- contexts */

/* Number of a situation in the grid RICH of pokermodel.reading.features. */
static inline int pm_rich_context(const pm_features *f)
{
    static const double players[] = {3, 5, 8}, odds[] = {0.12, 0.2}, pot[] = {3, 6};
    int number = f->round;
    number = number * 3 + f->bets;
    number = number * 3 + f->previous;
    number = number * 2 + f->faced;
    number = number * 3 + f->aggressor;
    number = number * 4 + PM_BIN(players, f->players);
    number = number * 2 + (f->num_bets > f->bets);
    number = number * 3 + (f->odds != 0 ? PM_BIN(odds, f->odds) : PM_BIN(pot, f->pot));
    return number * 3 + (f->position < 2 ? f->position : 2);
}

/* ------------------------------------------------------------------------------------------------- sizes */

/* The whole part of number * factor / of, for number < of < 2^62; what is left of it goes to `rest`. */
static inline int64_t pm_times(uint64_t number, uint64_t of, int factor, uint64_t *rest)
{
    uint64_t whole = 0, left = 0;
    for (int bit = 30; bit >= 0; bit--) { /* as by hand: products need more than 64 bits */
        whole *= 2;
        left *= 2;
        if (factor >> bit & 1)
            left += number;
        while (left >= of) {
            left -= of;
            whole++;
        }
    }
    *rest = left;
    return (int64_t)whole;
}

/* number * factor / of, rounded to the nearest whole number, halves up. */
static inline int64_t pm_rounded(int64_t number, int64_t of, int factor)
{
    const int64_t whole = number / of;
    uint64_t rest;
    const int64_t part = pm_times((uint64_t)(number % of), (uint64_t)of, factor, &rest);
    return whole * factor + part + (2 * rest >= (uint64_t)of);
}

/* The class of the size number / of. */
static inline int pm_size_class(const pm_size_kind *kind, int64_t number, int64_t of)
{
    int class_ = 0;
    for (int k = 0; k < kind->n; k++) {
        uint64_t rest;
        const int64_t whole = number / of * kind->below[k];
        const int64_t times = whole + pm_times((uint64_t)(number % of), (uint64_t)of, kind->below[k], &rest);
        const int same = times == kind->above[k] && rest == 0;
        class_ += times >= kind->above[k] && !(same && kind->closed && k == kind->n - 1);
    }
    return class_;
}

/* The bin whose value is nearest to the size number / of, the larger one of two. */
static inline int pm_size_bin(const pm_size_kind *kind, int64_t number, int64_t of)
{
    const int turn = kind->turn * kind->fine;
    int64_t bin = pm_rounded(number, of, kind->fine);
    if (bin < turn)
        return (int)bin;
    if (number / of < kind->turn) /* rounded up to it */
        return turn;
    bin = turn + pm_rounded(number - kind->turn * of, of, kind->coarse);
    return (int)(bin < kind->n_bins - 1 ? bin : kind->n_bins - 1);
}

/* ------------------------------------------------------------------------------------------------- counting */

static inline void pm_add_counter(pm_seat_counts *s, int seat, int counter)
{
    s->at[seat][s->n[seat]++] = (uint16_t)(s->page + counter);
}

static inline void pm_add_once(pm_seat_counts *s, int seat, int which) { s->once[seat] |= 1u << which; }

/* In which contexts the acts were done. */
static inline void pm_count_actions(const pm_counters *c, const pm_counted_hand *h, pm_seat_counts *s)
{
    for (int k = 0; k < h->n; k++) {
        const pm_counted_act *a = &h->acts[k];
        if (a->out_of_turn)
            continue;
        pm_add_counter(s, a->seat, a->context / c->coarse * 3 + a->act);
        pm_add_counter(s, a->seat, c->contexts + 3 * a->context + a->act);
    }
}

/* How deep a seat sits. */
static inline int pm_depth_class(const pm_counters *c, const pm_counted_hand *h, int seat)
{
    int64_t own = h->stacks[seat], covered = 0;
    int unknown = 0, class_ = 0;
    for (int other = 0; other < h->players; other++) {
        if (other == seat)
            continue;
        unknown |= h->stacks[other] < 0;
        covered = h->stacks[other] > covered ? h->stacks[other] : covered;
    }
    if (own < 0 || (covered < own && unknown))
        return c->n_depth_edges + 1;
    own = own < covered ? own : covered;
    for (int k = 0; k < c->n_depth_edges; k++)
        class_ += own / h->small_bet >= c->depth_edges[k];
    return class_;
}

static inline void pm_count_size(
    const pm_counters *c, pm_seat_counts *s, int seat, const pm_size_kind *kind, int64_t number, int64_t of, int all_in)
{
    if (of == 0) /* without blinds there is nothing that a bet is a share of */
        return;
    if (all_in) {
        pm_add_counter(s, seat, c->sizes + kind->all_in);
    } else {
        pm_add_counter(s, seat, c->sizes + kind->first + pm_size_class(kind, number, of));
        pm_add_counter(s, seat, c->sizes + kind->bins + pm_size_bin(kind, number, of));
    }
}

/* Outside limit: depths, acts without their contexts, and the sizes of bets and raises. */
static inline void pm_count_sizes(const pm_counters *c, const pm_counted_hand *h, pm_seat_counts *s)
{
    int unopened = 1; /* nobody has called or raised before the flop */
    for (int seat = 0; seat < h->players; seat++)
        pm_add_counter(s, seat, c->depths + pm_depth_class(c, h, seat));
    for (int k = 0; k < h->n; k++) {
        const pm_counted_act *a = &h->acts[k];
        if (!a->out_of_turn)
            pm_add_counter(s, a->seat, c->acts + 6 * a->round + 3 * (a->to_call > 0) + a->act);
    }
    for (int k = 0; k < h->n; k++) {
        const pm_counted_act *a = &h->acts[k];
        if (a->out_of_turn)
            continue;
        if (a->act == PM_RAISE) {
            const int all_in = a->put_in == a->stack;
            const int kind = a->round ? 2 * a->round + (a->num_bets > 0) : 1;
            if (!a->round && unopened && !h->straddled)
                pm_count_size(c, s, a->seat, &c->kinds[0], a->in_round + a->put_in, h->small_bet, all_in);
            pm_count_size(c, s, a->seat, &c->kinds[kind], a->put_in - a->to_call, a->pot + a->to_call, all_in);
        }
        unopened &= a->act == PM_FOLD;
    }
}

/* Fourth bets and squeezes before the flop. */
static inline void pm_count_reraises(const pm_counted_hand *h, pm_seat_counts *s)
{
    int called = 0; /* whether the last raise has been called */
    for (int k = 0; k < h->n && !h->acts[k].round; k++) {
        const pm_counted_act *a = &h->acts[k];
        const int raises = a->act == PM_RAISE;
        if (a->out_of_turn)
            continue;
        if (a->to_call && a->can_raise) {
            if (a->num_bets == 3) {
                pm_add_once(s, a->seat, PM_HANDS_FOUR_BET_CHANCES);
                if (raises)
                    pm_add_once(s, a->seat, PM_HANDS_FOUR_BETS);
            } else if (a->num_bets == 2 && called) {
                pm_add_once(s, a->seat, PM_HANDS_SQUEEZE_CHANCES);
                if (raises)
                    pm_add_once(s, a->seat, PM_HANDS_SQUEEZES);
            }
        }
        if (raises)
            called = 0;
        else if (a->act == PM_CALL && a->num_bets > 1 && a->put_in)
            called = 1;
    }
}

/* What was done before the flop. Returns how many acts that were, and who raised last, or -1, in `last`. */
static inline int pm_count_before_flop(const pm_counters *c, const pm_counted_hand *h, pm_seat_counts *s, int *last)
{
    int unopened = 1;     /* nobody has called or raised */
    int stealer = -1;     /* who raised when all before them had folded */
    int opener = -1, raiser = -1; /* who made the first raise, and the last */
    int k;
    for (k = 0; k < h->n && !h->acts[k].round; k++) {
        const pm_counted_act *a = &h->acts[k];
        const int seat = a->seat, folds = a->act == PM_FOLD, raises = a->act == PM_RAISE;
        const uint32_t position = 1u << h->position[seat];
        if (a->out_of_turn)
            continue;
        pm_add_once(s, seat, PM_HANDS_VPIP_CHANCES);
        if (a->can_raise) {
            pm_add_once(s, seat, PM_HANDS_PFR_CHANCES);
            if (a->num_bets == 2 && a->to_call) {
                pm_add_once(s, seat, PM_HANDS_THREE_BET_CHANCES);
                if (raises)
                    pm_add_once(s, seat, PM_HANDS_THREE_BETS);
            }
        }
        if (a->num_bets == 3 && seat == opener && a->to_call) {
            pm_add_once(s, seat, PM_HANDS_THREE_BETS_FACED);
            if (folds)
                pm_add_once(s, seat, PM_HANDS_FOLDS_TO_THREE_BET);
        }
        if (unopened) {
            if (a->can_raise && position & c->stealing) {
                pm_add_once(s, seat, PM_HANDS_STEAL_CHANCES);
                if (raises) {
                    pm_add_once(s, seat, PM_HANDS_STEALS);
                    stealer = seat;
                }
            }
            unopened = folds;
        } else if (stealer >= 0) {
            if (a->to_call && position & c->blinds) {
                pm_add_once(s, seat, PM_HANDS_STEALS_FACED);
                if (folds)
                    pm_add_once(s, seat, PM_HANDS_FOLDS_TO_STEAL);
            }
            if (!folds)
                stealer = -1;
        }
        if (raises) {
            pm_add_once(s, seat, PM_HANDS_VPIP);
            pm_add_once(s, seat, PM_HANDS_PFR);
            raiser = seat;
            if (a->num_bets == 1)
                opener = seat;
        } else if (a->act == PM_CALL && a->put_in > 0) {
            pm_add_once(s, seat, PM_HANDS_VPIP);
        }
    }
    *last = raiser;
    return k;
}

/* Continuation bets, check-raises, and folds to them, given who raised last before the flop. */
static inline void pm_count_after_flop(
    const pm_counters *c, const pm_counted_hand *h, pm_seat_counts *s, int first, int raiser)
{
    int street = 0;
    int leader = -1, bettor = -1; /* who may make a continuation bet in this round, and who has made one */
    uint32_t checked = 0, faced = 0;
    for (int k = first; k < h->n; k++) {
        const pm_counted_act *a = &h->acts[k];
        const int seat = a->seat, raises = a->act == PM_RAISE;
        const uint32_t bit = 1u << seat;
        int line;
        if (a->out_of_turn)
            continue;
        if (a->round != street) {
            /* who was raised after a continuation bet, or made none, does not continue in the next round */
            leader = street == 0 || raiser == bettor ? raiser : -1;
            street = a->round;
            raiser = bettor = -1;
            checked = faced = 0;
        }
        line = PM_LINES * (street - 1);
        if (!a->to_call) {
            if (seat == leader && a->can_raise) {
                pm_add_counter(s, seat, line + c->lines[PM_LINE_CBET_CHANCES]);
                if (raises) {
                    pm_add_counter(s, seat, line + c->lines[PM_LINE_CBETS]);
                    bettor = seat;
                }
            }
            if (a->act == PM_CALL)
                checked |= bit;
        } else {
            if (raiser == bettor && bettor >= 0 && a->num_bets == 1 && !(faced & bit)) {
                faced |= bit;
                pm_add_counter(s, seat, line + c->lines[PM_LINE_CBETS_FACED]);
                if (a->act == PM_FOLD)
                    pm_add_counter(s, seat, line + c->lines[PM_LINE_FOLDS_TO_CBET]);
            }
            if (checked & bit) {
                checked &= ~bit;
                if (a->can_raise) {
                    pm_add_counter(s, seat, line + c->lines[PM_LINE_CHECK_RAISE_CHANCES]);
                    if (raises)
                        pm_add_counter(s, seat, line + c->lines[PM_LINE_CHECK_RAISES]);
                }
            }
        }
        if (raises)
            raiser = seat;
    }
}

/* Flops and showdowns, seen and won. Returns whether there was a showdown. */
static inline int pm_count_results(const pm_counted_hand *h, pm_seat_counts *s)
{
    int8_t folded[PM_SEATS]; /* the round */
    int before_flop = 0, folds = 0, showdown, most = 0;
    int64_t second = 0;
    memset(folded, PM_ROUNDS, sizeof folded);
    for (int k = 0; k < h->n; k++)
        if (h->acts[k].act == PM_FOLD)
            folded[h->acts[k].seat] = h->acts[k].round;
    for (int seat = 0; seat < h->players; seat++) {
        before_flop += folded[seat] == 0;
        folds += folded[seat] < PM_ROUNDS;
    }
    showdown = h->players - folds > 1;
    if (h->players - before_flop <= 1)
        return showdown;
    for (int seat = 1; seat < h->players; seat++)
        most = h->invested[seat] > h->invested[most] ? seat : most;
    for (int seat = 0; seat < h->players; seat++)
        if (seat != most && h->invested[seat] > second)
            second = h->invested[seat];
    for (int seat = 0; seat < h->players; seat++) {
        /* what comes back of a bet that nobody could call was not won */
        const int64_t risked = h->invested[seat] < second ? h->invested[seat] : second;
        const int won = h->payoffs[seat] + (double)risked > 1e-6;
        if (folded[seat] == 0)
            continue;
        pm_add_once(s, seat, PM_HANDS_FLOPS);
        if (won)
            pm_add_once(s, seat, PM_HANDS_FLOPS_WON);
        if (showdown && folded[seat] == PM_ROUNDS) {
            pm_add_once(s, seat, PM_HANDS_SHOWDOWNS);
            if (won)
                pm_add_once(s, seat, PM_HANDS_SHOWDOWNS_WON);
        }
    }
    return showdown;
}

/* Holdings that were shown and, in limit, what was done with them. */
static inline void pm_count_shown(
    const pm_counters *c, const pm_evaluator *e, const pm_counted_hand *h, pm_seat_counts *s)
{
    pm_hand boards[PM_ROUNDS];
    for (int seat = 0; seat < h->players; seat++)
        if (h->shown >> seat & 1)
            pm_add_counter(s, seat, c->shown + pm_holding_class(h->cards[seat][0], h->cards[seat][1]));
    if (h->structure != PM_LIMIT || !h->shown)
        return;
    boards[1] = pm_hand_empty();
    for (int k = 0; k < 3; k++)
        boards[1] = pm_hand_add(e, boards[1], h->board[k]);
    boards[2] = pm_hand_add(e, boards[1], h->board[3]);
    boards[3] = pm_hand_add(e, boards[2], h->board[4]);
    for (int k = 0; k < h->n; k++) {
        const pm_counted_act *a = &h->acts[k];
        const uint8_t *cards = h->cards[a->seat];
        const int acts = a->bets * 2 + a->act - 1;
        if (!(h->shown >> a->seat & 1) || a->out_of_turn || a->act == PM_FOLD)
            continue;
        if (a->round == 0) {
            pm_add_counter(s, a->seat, c->shown_preflop + acts * PM_CLASSES + pm_holding_class(cards[0], cards[1]));
        } else {
            const pm_hand hand = pm_hand_add(e, pm_hand_add(e, boards[a->round], cards[0]), cards[1]);
            const int type = c->type_of_rank[pm_hand_rank(e, hand)];
            pm_add_counter(s, a->seat, c->shown_postflop + ((a->round - 1) * 6 + acts) * PM_COUNTER_TYPES + type);
        }
    }
}

/* All that a hand adds to the counters of its seats, in this order: the hand, the position, what comes with each act,
 * lines after the flop, what is counted once by number, and what was shown. There must be room for PM_SEAT_COUNTERS
 * counters of each seat, and for PM_ACT_COUNTERS for each of its acts. */
static inline void pm_count_hand(
    const pm_counters *c, const pm_evaluator *e, const pm_counted_hand *h, pm_seat_counts *s)
{
    int first, raiser, showdown;
    s->page = c->page[h->structure];
    for (int seat = 0; seat < h->players; seat++) {
        s->n[seat] = 0;
        s->once[seat] = 0;
        pm_add_counter(s, seat, c->hands);
        pm_add_counter(s, seat, c->positions + h->position[seat]);
    }
    if (h->structure == PM_LIMIT) {
        pm_count_actions(c, h, s);
    } else {
        pm_count_sizes(c, h, s);
        pm_count_reraises(h, s);
    }
    first = pm_count_before_flop(c, h, s, &raiser);
    pm_count_after_flop(c, h, s, first, raiser);
    showdown = pm_count_results(h, s);
    for (int seat = 0; seat < h->players; seat++)
        for (int k = 0; k < PM_HANDS_ONCE; k++)
            if (s->once[seat] >> c->order[k] & 1)
                pm_add_counter(s, seat, c->once[c->order[k]]);
    if (showdown)
        pm_count_shown(c, e, h, s);
}

#endif
