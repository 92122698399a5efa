/* The number of runouts that each of two holdings wins, exactly, without going through the runouts one by one.
 *
 * Without flushes, ranks decide. Every multiset of ranks that can come is visited once, for both holdings, and counts
 * as often as the unseen cards make it. The result is the bare outcome, as if suits meant nothing.
 *
 * The runouts that bring a flush are then corrected, suit by suit: no board makes flushes of two suits. They are
 * counted by their number of cards of the suit and by their bare outcome:
 *   - if one holding has a flush, it wins, except against a full house or better, which the bare outcome knows;
 *   - a straight flush wins against that, too: these few sets of cards are visited one by one;
 *   - if both have a flush, the cards of the suit decide, whatever the others are.
 * The correction for a suit depends only on the ranks and on which of the four cards are of it, so a few corrections
 * serve all holdings of the same ranks.
 *
 * Before the flop, 6,175 multisets stand for 1,712,304 boards.
 */
#ifndef POKERMODEL_MATCHUP_H
#define POKERMODEL_MATCHUP_H

#include <stdint.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/evaluation/evaluator.h"

/* A bare outcome; both holdings can have a full house or better. */
enum { PM_BARE_WON = 1, PM_BARE_TIED = 2, PM_FIRST_FULL = 4, PM_SECOND_FULL = 8, PM_BARE_OUTCOMES = 16 };

/* Multisets of five ranks, none more than four times. */
enum { PM_RANK_RUNOUTS = 6175 };

/* The cards that both players see. */
typedef struct {
    uint16_t board[4]; /* by suit: set of ranks */
    uint16_t taken[4]; /* by suit: ranks that cannot come, those of the board and of dead cards */
    int unseen[13];    /* by rank: cards that are not taken */
    uint32_t key;      /* of the board's ranks */
    int to_come;       /* 1 to 5 cards */
} pm_table_cards;

/* Runouts that the first holding wins and ties; in a correction they can be negative. */
typedef struct {
    int32_t win, tie;
} pm_showdowns;

/* Two holdings without their suits. */
typedef struct {
    const pm_evaluator *e;
    const pm_table_cards *table;
    uint8_t rank[4];             /* of the first holding's cards, and of the second's */
    int unseen[13];              /* by rank: cards that can come */
    uint32_t key[2];             /* of the ranks of each holding and the board */
    uint16_t multisets[14][6];   /* numbers of them, by lowest rank and number of cards */
    int at;                      /* number of multisets visited */
    uint8_t outcome[PM_RANK_RUNOUTS]; /* of each, in the order of the visit */
    uint32_t runouts[PM_BARE_OUTCOMES];
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

/* --------------------------------------------------------------------------------------- as if suits meant nothing */

static inline void pm_bare_outcome(pm_matchup *m, uint32_t key, uint32_t ways)
{
    unsigned first = pm_rank_of_key(m->e, key + m->key[0]), second = pm_rank_of_key(m->e, key + m->key[1]);
    unsigned outcome = (first > second ? PM_BARE_WON : 0) | (first == second ? PM_BARE_TIED : 0) |
                       (first >= PM_CATEGORY_START[6] ? PM_FIRST_FULL : 0) |
                       (second >= PM_CATEGORY_START[6] ? PM_SECOND_FULL : 0);
    m->outcome[m->at++] = (uint8_t)outcome;
    m->runouts[outcome] += ways;
}

/* Visit the multisets that take `left` more cards, of `rank` or higher. */
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

/* The board, and all that is taken, as bits. */
static inline void pm_table_init(pm_table_cards *table, const pm_evaluator *e, uint64_t board, uint64_t taken)
{
    table->key = 0;
    table->to_come = 5 - pm_count_cards(board);
    for (int suit = 0; suit < 4; suit++)
        table->board[suit] = table->taken[suit] = 0;
    for (int rank = 0; rank < 13; rank++) {
        table->unseen[rank] = 4 - pm_count_cards(taken >> 4 * rank & 15);
        table->key += (uint32_t)pm_count_cards(board >> 4 * rank & 15) * pm_rank_key(e, rank);
        for (int suit = 0; suit < 4; suit++) {
            table->board[suit] |= (uint16_t)((board >> (4 * rank + suit) & 1) << rank);
            table->taken[suit] |= (uint16_t)((taken >> (4 * rank + suit) & 1) << rank);
        }
    }
}

/* Prepare a matchup. The holdings and the taken cards must have at most four cards of each rank. */
static inline void pm_matchup_init(pm_matchup *m, const pm_evaluator *e, const pm_table_cards *table,
                                   const uint8_t rank[4])
{
    m->e = e;
    m->table = table;
    m->at = 0;
    m->key[0] = m->key[1] = table->key;
    for (int r = 0; r < 13; r++)
        m->unseen[r] = table->unseen[r];
    for (int k = 0; k < 4; k++) {
        m->rank[k] = rank[k];
        m->unseen[rank[k]]--;
        m->key[k >> 1] += pm_rank_key(e, rank[k]);
    }
    for (int cards = 0; cards <= table->to_come; cards++)
        m->multisets[13][cards] = cards == 0;
    for (int r = 12; r >= 0; r--)
        for (int cards = 0; cards <= table->to_come; cards++) {
            m->multisets[r][cards] = 0;
            for (int n = 0; n <= m->unseen[r] && n <= cards; n++)
                m->multisets[r][cards] += m->multisets[r + 1][cards - n];
        }
    for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++)
        m->runouts[outcome] = 0;
    pm_visit_bare(m, 0, table->to_come, 0, 1);
}

static inline pm_showdowns pm_bare_showdowns(const pm_matchup *m)
{
    pm_showdowns all = {0, 0};
    for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++) {
        all.win += outcome & PM_BARE_WON ? (int32_t)m->runouts[outcome] : 0;
        all.tie += outcome & PM_BARE_TIED ? (int32_t)m->runouts[outcome] : 0;
    }
    return all;
}

/* ----------------------------------------------------------------------------------------------- one suit's flushes */

/* Numbers of runouts by how many of their cards are not of the suit, as a polynomial in X = 2^21. No coefficient
 * reaches X, since two holdings leave at most C(48, 5) boards. The polynomial starts so high in the word that
 * runouts with too many such cards for a flush drop out at the top. */
typedef uint64_t pm_split;

enum { PM_SPLIT_BITS = 21 };

typedef struct {
    const pm_matchup *m;
    uint32_t cards;         /* ranks of the suit that can come */
    int others[13];         /* by rank: cards of other suits that can come */
    pm_split factor[13][5]; /* by rank and number of cards of it: ways to choose them */
    int at;                 /* as in the matchup */
    pm_split runouts[PM_BARE_OUTCOMES];
} pm_suit;

/* The multisets of pm_visit_bare, in its order. */
static inline void pm_visit_suit(pm_suit *s, int rank, int left, pm_split runouts)
{
    const pm_matchup *m = s->m;
    if (left == 1) {
        const uint8_t *outcome = m->outcome + s->at;
        for (; rank < 13; rank++)
            if (m->unseen[rank])
                s->runouts[*outcome++] += runouts * s->factor[rank][1];
        s->at = (int)(outcome - m->outcome);
        return;
    }
    for (; rank < 13; rank++)
        for (int n = 1; n <= left && n <= m->unseen[rank]; n++) {
            pm_split next = runouts * s->factor[rank][n];
            if (n == left)
                s->runouts[m->outcome[s->at++]] += next;
            else if (next)
                pm_visit_suit(s, rank + 1, left - n, next);
            else
                s->at += m->multisets[rank + 1][left - n];
        }
}

/* Number of runouts that make a full house or better of a holding, after `key`, with `left` more cards of other
 * suits. */
static inline uint32_t pm_full_runouts(const pm_suit *s, int holding, int rank, int left, uint32_t key, uint32_t ways)
{
    const pm_evaluator *e = s->m->e;
    uint32_t found = 0;
    if (left == 0)
        return pm_rank_of_key(e, key + s->m->key[holding]) >= PM_CATEGORY_START[6] ? ways : 0;
    for (; rank < 13; rank++)
        for (int n = 1; n <= left && n <= s->others[rank]; n++)
            found += pm_full_runouts(s, holding, rank + 1, left - n, key + (uint32_t)n * pm_rank_key(e, rank),
                                     ways * PM_CHOOSE[s->others[rank]][n]);
    return found;
}

/* The next larger number with as many bits set; for numbers other than 0. */
static inline uint32_t pm_next_set(uint32_t set)
{
    uint32_t low = set & (0u - set), up = set + low;
    return up | (set ^ up) / low >> 2;
}

/* The correction of the bare outcome for one suit. Bit k of `own` says whether card k of the four is of the suit. */
static inline pm_showdowns pm_suit_correction(const pm_matchup *m, int suit, unsigned own)
{
    pm_showdowns more = {0, 0};
    pm_suit s;
    uint32_t held[2]; /* ranks of the suit, the board's included */
    int holds[2], others = 0, to_come = m->table->to_come, needs, lowest;
    held[0] = held[1] = m->table->board[suit];
    s.cards = 0x1fff & ~(uint32_t)m->table->taken[suit];
    for (int k = 0; k < 4; k++)
        if (own >> k & 1) {
            held[k >> 1] |= 1u << m->rank[k];
            s.cards &= ~(1u << m->rank[k]);
        }
    holds[0] = pm_count_cards(held[0]);
    holds[1] = pm_count_cards(held[1]);
    needs = 5 - (holds[0] > holds[1] ? holds[0] : holds[1]);
    if (needs > to_come)
        return more;
    needs = needs < 0 ? 0 : needs;
    for (int r = 0; r < 13; r++) {
        int is_in = s.cards >> r & 1;
        s.others[r] = m->unseen[r] - is_in;
        others += s.others[r];
        for (int n = 1; n <= m->unseen[r] && n <= to_come; n++)
            s.factor[r][n] = ((is_in ? PM_CHOOSE[s.others[r]][n - 1] : 0) +
                              ((pm_split)PM_CHOOSE[s.others[r]][n] << PM_SPLIT_BITS))
                             << (n - 1) * PM_SPLIT_BITS;
    }
    for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++)
        s.runouts[outcome] = 0;
    s.m = m;
    s.at = 0;
    lowest = 64 - (to_come - needs + 1) * PM_SPLIT_BITS;
    pm_visit_suit(&s, 0, to_come, (pm_split)1 << lowest);

    for (int n = needs; n <= to_come; n++) { /* number of cards of the suit that come */
        int flush[2] = {holds[0] + n >= 5, holds[1] + n >= 5};
        int32_t ways = (int32_t)pm_choose(others, to_come - n);
        for (int outcome = 0; outcome < PM_BARE_OUTCOMES; outcome++) {
            pm_split count = s.runouts[outcome] >> (lowest + (to_come - n) * PM_SPLIT_BITS);
            int32_t runouts = (int32_t)(count & ((1 << PM_SPLIT_BITS) - 1));
            more.win -= outcome & PM_BARE_WON ? runouts : 0;
            more.tie -= outcome & PM_BARE_TIED ? runouts : 0;
            if (flush[0] != flush[1] && (flush[0] ? !(outcome & PM_SECOND_FULL) : outcome & PM_FIRST_FULL))
                more.win += runouts;
        }
        for (uint32_t set = (1u << n) - 1; set < 1u << 13; set = set ? pm_next_set(set) : 1u << 13) {
            unsigned first, second;
            if (set & ~s.cards)
                continue;
            first = m->e->flush[held[0] | set];
            second = m->e->flush[held[1] | set];
            if (flush[0] && flush[1]) {
                more.win += first > second ? ways : 0;
                more.tie += first == second ? ways : 0;
            } else if ((flush[0] ? first : second) >= PM_CATEGORY_START[8]) {
                uint32_t key = 0;
                for (int r = 0; r < 13; r++)
                    key += set >> r & 1 ? pm_rank_key(m->e, r) : 0;
                int32_t full = (int32_t)pm_full_runouts(&s, flush[0], 0, to_come - n, key, 1);
                more.win += flush[0] ? full : -full;
            }
        }
    }
    return more;
}

#endif
