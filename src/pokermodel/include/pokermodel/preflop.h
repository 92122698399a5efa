/* Two holdings before the flop: how many of all boards each wins, without going through the boards.
 *
 * Where nobody has a flush, ranks decide. Every multiset of five ranks that a board can have is looked at once, for
 * both holdings, and counts as often as the unseen cards make it: the bare outcome, as if suits meant nothing.
 *
 * What this says of the boards that bring somebody a flush is then put right, suit by suit (no board holds two such
 * suits). Boards are counted by their number of cards of the suit and by their bare outcome, and
 *   - if one has a flush, he wins, except against a full house or better, which the bare outcome knows;
 *   - with a straight flush he wins against that, too: these few sets of cards are looked at one by one;
 *   - if both have a flush, the board's cards of the suit decide, whatever its others are.
 * The correction for a suit depends on the four ranks and on which of the four cards are of it, no more, so that a
 * few of them serve all holdings of these ranks.
 */
#ifndef POKERMODEL_PREFLOP_H
#define POKERMODEL_PREFLOP_H

#include <stdint.h>

#include "pokermodel/cards.h"
#include "pokermodel/evaluator.h"

/* A bare outcome; both can have a full house or better. */
enum { PM_BARE_WON = 1, PM_BARE_TIED = 2, PM_FIRST_FULL = 4, PM_SECOND_FULL = 8, PM_BARE_OUTCOMES = 16 };

/* Multisets of five ranks, none more than four times. */
enum { PM_RANK_BOARDS = 6175 };

/* Boards that the first holding wins and ties; in a correction they can be negative. */
typedef struct {
    int32_t win, tie;
} pm_showdowns;

/* Two holdings without their suits. */
typedef struct {
    const pm_evaluator *e;
    uint8_t rank[4];     /* of the first holding's cards, and of the second's */
    uint16_t dead[4];    /* by suit: a bit for each rank that is dead */
    int unseen[13];      /* by rank: cards that the board can have */
    uint32_t key[2];     /* of the holdings' ranks */
    uint16_t rank_boards[14][6]; /* multisets of so many cards of this rank or higher */
    int at;              /* rank boards visited */
    uint8_t outcome[PM_RANK_BOARDS]; /* of each in the order of the visit */
    uint32_t boards[PM_BARE_OUTCOMES];
} pm_matchup;

/* Ways to choose k of n cards. */
static inline uint32_t pm_choose(int n, int k)
{
    uint32_t ways = 1;
    for (int i = 0; i < k; i++)
        ways = ways * (uint32_t)(n - i) / (uint32_t)(i + 1);
    return n < k ? 0 : ways;
}

/* The same for the cards of a rank. */
static const uint8_t PM_CHOOSE[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};

static inline unsigned pm_rank_of_key(const pm_evaluator *e, uint32_t key)
{
    pm_hand hand = {key, 0};
    return pm_hand_rank_no_flush(e, hand);
}

static inline uint32_t pm_rank_key(const pm_evaluator *e, int rank) { return (uint32_t)e->card[4 * rank].key; }

/* ------------------------------------------------------------------------------------------- as if without suits */

static inline void pm_bare_outcome(pm_matchup *m, uint32_t key, uint32_t ways)
{
    unsigned first = pm_rank_of_key(m->e, key + m->key[0]), second = pm_rank_of_key(m->e, key + m->key[1]);
    unsigned outcome = (first > second ? PM_BARE_WON : 0) | (first == second ? PM_BARE_TIED : 0) |
                       (first >= PM_CATEGORY_START[6] ? PM_FIRST_FULL : 0) |
                       (second >= PM_CATEGORY_START[6] ? PM_SECOND_FULL : 0);
    m->outcome[m->at++] = (uint8_t)outcome;
    m->boards[outcome] += ways;
}

/* Visit the boards that get `left` more cards, of `rank` or higher. */
static inline void pm_visit_bare(pm_matchup *m, int rank, int left, uint32_t key, uint32_t ways)
{
    for (; rank < 13; rank++)
        for (int n = 1; n <= left && n <= m->unseen[rank]; n++) {
            uint32_t next = key + (uint32_t)n * pm_rank_key(m->e, rank), more = ways * PM_CHOOSE[m->unseen[rank]][n];
            if (n == left)
                pm_bare_outcome(m, next, more);
            else
                pm_visit_bare(m, rank + 1, left - n, next, more);
        }
}

/* Prepare a matchup; of no rank there are more than four cards in the holdings and dead. */
static inline void pm_matchup_init(pm_matchup *m, const pm_evaluator *e, const uint8_t rank[4],
                                   const uint16_t dead[4])
{
    m->e = e;
    m->at = 0;
    m->key[0] = m->key[1] = 0;
    for (int r = 0; r < 13; r++) {
        m->unseen[r] = 4;
        for (int suit = 0; suit < 4; suit++)
            m->unseen[r] -= dead[suit] >> r & 1;
    }
    for (int k = 0; k < 4; k++) {
        m->rank[k] = rank[k];
        m->dead[k] = dead[k];
        m->unseen[rank[k]]--;
        m->key[k >> 1] += pm_rank_key(e, rank[k]);
    }
    for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++)
        m->boards[outcome] = 0;
    for (int r = 13; r >= 0; r--)
        for (int cards = 0; cards <= 5; cards++) {
            m->rank_boards[r][cards] = r == 13 && cards == 0;
            for (int n = 0; r < 13 && n <= m->unseen[r] && n <= cards; n++)
                m->rank_boards[r][cards] += m->rank_boards[r + 1][cards - n];
        }
    pm_visit_bare(m, 0, 5, 0, 1);
}

static inline pm_showdowns pm_bare_showdowns(const pm_matchup *m)
{
    pm_showdowns all = {0, 0};
    for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++) {
        all.win += outcome & PM_BARE_WON ? (int32_t)m->boards[outcome] : 0;
        all.tie += outcome & PM_BARE_TIED ? (int32_t)m->boards[outcome] : 0;
    }
    return all;
}

/* ----------------------------------------------------------------------------------------------- one suit's flushes */

/* Numbers of boards by how many of their cards are not of the suit, as a polynomial in X = 2^21: no number reaches
 * X, since after four cards there are C(48, 5) boards at most. It starts so high in the word that boards with too
 * many such cards for a flush drop out at the top. */
typedef uint64_t pm_split;

enum { PM_SPLIT_BITS = 21 };

typedef struct {
    const pm_matchup *m;
    uint16_t cards;         /* ranks of the suit that the board can have */
    int others[13];         /* by rank: cards of other suits that it can have */
    pm_split factor[13][5]; /* by rank and number of its cards: ways to take them */
    int at;                 /* as in the matchup */
    pm_split boards[PM_BARE_OUTCOMES];
} pm_suit;

/* The boards of pm_visit_bare, in its order. */
static inline void pm_visit_suit(pm_suit *s, int rank, int left, pm_split boards)
{
    const pm_matchup *m = s->m;
    if (left == 1) {
        const uint8_t *outcome = m->outcome + s->at;
        for (; rank < 13; rank++)
            if (m->unseen[rank])
                s->boards[*outcome++] += boards * s->factor[rank][1];
        s->at = (int)(outcome - m->outcome);
        return;
    }
    for (; rank < 13; rank++)
        for (int n = 1; n <= left && n <= m->unseen[rank]; n++) {
            pm_split next = boards * s->factor[rank][n];
            if (n == left)
                s->boards[m->outcome[s->at++]] += next;
            else if (next)
                pm_visit_suit(s, rank + 1, left - n, next);
            else
                s->at += m->rank_boards[rank + 1][left - n];
        }
}

/* Boards on which a holding has a full house or better, after `key`, with `left` more cards of other suits. */
static inline uint32_t pm_full_boards(const pm_suit *s, int holding, int rank, int left, uint32_t key, uint32_t ways)
{
    const pm_evaluator *e = s->m->e;
    uint32_t found = 0;
    if (left == 0)
        return pm_rank_of_key(e, key + s->m->key[holding]) >= PM_CATEGORY_START[6] ? ways : 0;
    for (; rank < 13; rank++)
        for (int n = 1; n <= left && n <= s->others[rank]; n++)
            found += pm_full_boards(s, holding, rank + 1, left - n, key + (uint32_t)n * pm_rank_key(e, rank),
                                    ways * PM_CHOOSE[s->others[rank]][n]);
    return found;
}

/* What is to be added to the bare outcome for one suit. Bit k of `own` says that card k of the four is of it. */
static inline pm_showdowns pm_suit_correction(const pm_matchup *m, int suit, unsigned own)
{
    pm_suit s = {0};
    pm_showdowns more = {0, 0};
    uint32_t held[2] = {0, 0};
    int holds[2] = {0, 0}, others = 0, needs, lowest;
    for (int k = 0; k < 4; k++)
        if (own >> k & 1) {
            held[k >> 1] |= 1u << m->rank[k];
            holds[k >> 1]++;
        }
    s.m = m;
    s.cards = (uint16_t)(0x1fff & ~(held[0] | held[1] | m->dead[suit]));
    for (int r = 0; r < 13; r++) {
        s.others[r] = m->unseen[r] - (s.cards >> r & 1);
        others += s.others[r];
        for (int n = 1; n <= m->unseen[r]; n++)
            s.factor[r][n] = ((s.cards >> r & 1 ? PM_CHOOSE[s.others[r]][n - 1] : 0) +
                              ((pm_split)PM_CHOOSE[s.others[r]][n] << PM_SPLIT_BITS)) << (n - 1) * PM_SPLIT_BITS;
    }
    needs = 5 - (holds[0] > holds[1] ? holds[0] : holds[1]);
    lowest = 64 - (6 - needs) * PM_SPLIT_BITS;
    pm_visit_suit(&s, 0, 5, (pm_split)1 << lowest);
    for (int n = needs; n <= 5; n++) {
        int flush[2] = {holds[0] + n >= 5, holds[1] + n >= 5};
        uint32_t ways = pm_choose(others, 5 - n);
        for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++) {
            int32_t boards = (int32_t)(s.boards[outcome] >> (lowest + (5 - n) * PM_SPLIT_BITS) & ((1u << PM_SPLIT_BITS) - 1));
            more.win -= outcome & PM_BARE_WON ? boards : 0;
            more.tie -= outcome & PM_BARE_TIED ? boards : 0;
            if (flush[0] != flush[1] && (flush[0] ? !(outcome & PM_SECOND_FULL) : outcome & PM_FIRST_FULL))
                more.win += boards;
        }
        /* all sets of n of 13 ranks, ascending: the next set has the lowest run's top bit moved up */
        for (uint32_t set = (1u << n) - 1, low, up; set < 1u << 13;
             low = set & (0u - set), up = set + low, set = up | (set ^ up) / low >> 2) {
            unsigned first, second;
            uint32_t key = 0;
            if (set & ~(uint32_t)s.cards)
                continue;
            first = m->e->flush[set | held[0]];
            second = m->e->flush[set | held[1]];
            if (flush[0] && flush[1]) {
                more.win += first > second ? (int32_t)ways : 0;
                more.tie += first == second ? (int32_t)ways : 0;
            } else if ((flush[0] ? first : second) >= PM_CATEGORY_START[8]) {
                for (int r = 0; r < 13; r++)
                    key += set >> r & 1 ? pm_rank_key(m->e, r) : 0;
                uint32_t full = pm_full_boards(&s, flush[0] ? 1 : 0, 0, 5 - n, key, 1);
                more.win += flush[0] ? (int32_t)full : -(int32_t)full;
            }
        }
    }
    return more;
}

#endif
