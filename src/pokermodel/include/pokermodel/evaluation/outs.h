/* PPOTc: the crude potential of holdings, by counting outs (Papp 1998, section 7.2.3).
 *
 * Every unseen card that improves the category of a hand counts between 0 and 1, by the category and by how much of the
 * improvement is on the board. Only the flush draw is printed; the values of the other improvements are ours.
 */
#ifndef POKERMODEL_OUTS_H
#define POKERMODEL_OUTS_H

#include <string.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/evaluation/field.h"

/* Category of fewer than five cards, from the counts of their ranks. */
static inline int pm_category_of_few(const int count[13])
{
    int pairs = 0, trips = 0, quads = 0;
    for (int rank = 0; rank < 13; rank++) {
        pairs += count[rank] == 2;
        trips += count[rank] == 3;
        quads += count[rank] == 4;
    }
    if (quads)
        return 7;
    if (trips)
        return 3;
    return pairs > 1 ? 2 : pairs;
}

static inline int pm_has_straight(unsigned ranks)
{
    unsigned low_ace = ranks << 1 | (ranks >> 12 & 1);
    return (low_ace & low_ace >> 1 & low_ace >> 2 & low_ace >> 3 & low_ace >> 4) != 0;
}

/* The value of a card that makes a flush: of the hole cards `in_suit` are in it, one of them of rank `rank`. */
static inline double pm_flush_out_value(int in_suit, int rank)
{
    return in_suit == 2 ? 1.0 : 0.5 + 0.5 * rank / 12.0;
}

/* Ranks of which one more card makes a straight: 13 bits. */
static inline unsigned pm_ranks_to_straight(unsigned ranks)
{
    const unsigned m = ranks << 1 | (ranks >> 12 & 1); /* an ace is at both ends */
    const unsigned low = m & m >> 1, high = m >> 3 & m >> 4, windows = 0x3FF;
    unsigned outs = m >> 1 & m >> 2 & high & windows; /* the lowest of five is missing, then the next ... */
    outs |= (m & m >> 2 & high & windows) << 1;
    outs |= (low & high & windows) << 2;
    outs |= (low & m >> 2 & m >> 4 & windows) << 3;
    outs |= (low & m >> 2 & m >> 3 & windows) << 4;
    return outs >> 1 | (outs & 1) << 12;
}

/* How often ranks occur: bits of those that do at least once, twice and three times. */
typedef struct {
    unsigned once, twice, thrice;
} pm_rank_counts;

static inline pm_rank_counts pm_count_rank(pm_rank_counts counts, int rank)
{
    const unsigned bit = 1u << rank;
    counts.thrice |= counts.twice & bit;
    counts.twice |= counts.once & bit;
    counts.once |= bit;
    return counts;
}

/* Category of a hand of which no suit has five cards and no rank three. */
static inline int pm_category_of_pairs(pm_rank_counts counts)
{
    if (pm_has_straight(counts.once))
        return 4;
    return (counts.twice != 0) + ((counts.twice & (counts.twice - 1)) != 0);
}

/* Category of a hand with a card to come of a rank among pm_out_ranks, which makes no flush. */
static inline int pm_category_with(pm_rank_counts counts, int now, int rank)
{
    const unsigned bit = 1u << rank;
    if (!(counts.once & bit))
        return 4;
    if (now == 0)
        return 1;
    if (now == 1)
        return counts.twice & bit ? 3 : 2;
    return now == 2 || !(counts.thrice & bit) ? 6 : 7;
}

/* Ranks of which cards may be outs without a flush: all that are, and few others. `own` are the ranks of the two hole
 * cards, `now` is the category. Of ranks that the hand has, by category: only a hole card's makes a pair or two pair
 * that counts, one of a pair makes three of a kind or a full house, and three of a kind improve with any. */
static inline unsigned pm_out_ranks(pm_rank_counts counts, unsigned own, int now)
{
    const unsigned of_hand[9] = {own, own | counts.twice, counts.twice, counts.once, 0, 0, counts.thrice, 0, 0};
    return of_hand[now] | (now < 4 ? pm_ranks_to_straight(counts.once) : 0);
}

/* A board, as outs look at it. */
typedef struct {
    const int *board;
    int cards, now;         /* how many, and their category */
    int seen[13], then[13]; /* cards of each rank, and the category with one more that makes no flush */
    pm_rank_counts counts;
} pm_outs_board;

/* What cards to come are worth to a holding of two ranks, for which suits do not matter. */
typedef struct {
    int now;          /* category */
    uint64_t cards;   /* those of ranks that are worth something */
    double value[13]; /* of a card of each of these ranks that makes no flush */
} pm_rank_outs;

/* Category of the hand with so many cards of each rank, if no suit has five. */
static inline int pm_category_of_ranks(const int count[13], pm_rank_counts counts)
{
    if (!counts.thrice)
        return pm_category_of_pairs(counts);
    for (unsigned left = counts.thrice; left; left &= left - 1)
        if (count[pm_lowest_bit(left)] == 4)
            return 7;
    if (counts.twice & (counts.twice - 1)) /* ranks that occur three times do so twice */
        return 6;
    return pm_has_straight(counts.once) ? 4 : 3;
}

/* A flop or turn. */
static inline void pm_outs_board_init(pm_outs_board *b, const int *board, int cards)
{
    memset(b, 0, sizeof *b);
    b->board = board;
    b->cards = cards;
    for (int k = 0; k < cards; k++) {
        b->seen[board[k] >> 2]++;
        b->counts = pm_count_rank(b->counts, board[k] >> 2);
    }
    b->now = pm_category_of_few(b->seen);
    for (int rank = 0; rank < 13; rank++) {
        b->seen[rank]++;
        b->then[rank] = cards == 3 ? pm_category_of_few(b->seen)
                                   : pm_category_of_ranks(b->seen, pm_count_rank(b->counts, rank));
        b->seen[rank]--;
    }
}

/* The value of a card to come that makes no flush, by rank: `high` and `low` are held; categories are those of the hand,
 * now and with the card. */
static inline double pm_out_value(int high, int low, int rank, int now, int then, const pm_outs_board *b)
{
    int higher = 0;
    if (then <= now || (then == b->then[rank] && then >= 4))
        return 0.0;
    if (then == 4) {
        const unsigned ranks = b->counts.once | 1u << rank;
        return pm_has_straight(ranks | 1u << high) || pm_has_straight(ranks | 1u << low) ? 0.75 : 0.95;
    }
    if (then == 6 || then == 7)
        return 0.65;
    if (then == 3)
        return b->then[rank] < 3 ? 1.0 : 0.0;
    if (rank != high && rank != low)
        return 0.0;
    if (then == 2 && !(now == 1 && b->now == 1))
        return 0.8;
    for (int k = 0; k < b->cards; k++)
        higher += b->board[k] >> 2 > rank;
    return higher == 0 ? 0.8 : higher == 1 ? 0.7 : 0.6;
}

/* The outs of two ranks, `high >= low`, of which there are cards to hold. */
static inline void pm_outs_of_ranks(pm_outs_board *b, int high, int low, pm_rank_outs *outs)
{
    const pm_rank_counts counts = pm_count_rank(pm_count_rank(b->counts, high), low);
    b->seen[high]++;
    b->seen[low]++;
    outs->now = pm_category_of_ranks(b->seen, counts);
    b->seen[high]--;
    b->seen[low]--;
    outs->cards = 0;
    for (unsigned left = pm_out_ranks(counts, 1u << high | 1u << low, outs->now); left; left &= left - 1) {
        const int rank = pm_lowest_bit(left);
        outs->value[rank] = pm_out_value(high, low, rank, outs->now, pm_category_with(counts, outs->now, rank), b);
        outs->cards |= outs->value[rank] > 0.0 ? UINT64_C(15) << 4 * rank : 0;
    }
}

/* The values of cards that may come, the lowest first; none of them makes a flush. */
static inline double pm_sum_outs(const pm_rank_outs *outs, uint64_t left)
{
    double total = 0.0;
    for (left &= outs->cards; left; left &= left - 1)
        total += outs->value[pm_lowest_bit(left) >> 2];
    return total;
}

/* The same for a holding that has, with the board, four cards or more of a suit; `on_board` are the board's ranks in
 * it. */
static inline double pm_sum_suited_outs(const pm_rank_outs *outs, uint64_t left, int suit, unsigned on_board, int high,
                                        int low)
{
    const int first = (high & 3) == suit, second = (low & 3) == suit;
    const uint64_t in_suit = UINT64_C(0x1111111111111) << suit;
    const unsigned ranks = on_board | (unsigned)first << (high >> 2) | (unsigned)second << (low >> 2);
    const double flush = pm_flush_out_value(first + second, first ? high >> 2 : low >> 2);
    double total = 0.0;
    if (!(first || second)) /* a card of the suit makes everybody's flush */
        return pm_sum_outs(outs, left & ~in_suit);
    if (pm_count_cards(ranks) == 4) {
        for (left &= outs->cards | in_suit; left; left &= left - 1) {
            const int card = pm_lowest_bit(left);
            total += (card & 3) == suit ? flush : outs->value[card >> 2];
        }
    } else if (!pm_has_straight(ranks)) { /* only a straight flush improves it, unless everybody has that */
        for (left &= in_suit; left; left &= left - 1) {
            const unsigned bit = 1u << (pm_lowest_bit(left) >> 2);
            total += pm_has_straight(ranks | bit) && !pm_has_straight(on_board | bit) ? flush : 0.0;
        }
    }
    return total;
}

/* PPOTc of every holding on a flop or turn, by holding index; entries of holdings with a dead card are left alone.
 * `dead` includes the board's cards.
 *
 * Holdings of the same two ranks have the same outs, but for those that have four cards of a suit with the board. */
static inline void pm_outs(const int *board, int board_cards, uint64_t dead, double *potential)
{
    const uint64_t unseen = ~dead & ((UINT64_C(1) << PM_CARDS) - 1);
    pm_outs_board b;
    pm_rank_outs outs[PM_RANK_PAIRS];
    double of_ranks[13][13] = {{0.0}};
    unsigned suits[4] = {0};
    const int rest = pm_count_cards(unseen) - 2; /* without the holding's own cards */
    pm_outs_board_init(&b, board, board_cards);
    for (int k = 0; k < board_cards; k++)
        suits[board[k] & 3] |= 1u << (board[k] >> 2);
    for (int high = 0, pair = 0; high < 13; high++)
        for (int low = 0; low <= high; low++, pair++) {
            uint64_t left = unseen, own = left & UINT64_C(15) << 4 * high;
            left ^= own & (0 - own);
            own = left & UINT64_C(15) << 4 * low;
            if (!own || !(unseen >> 4 * high & 15))
                continue; /* there are no cards to hold */
            pm_outs_of_ranks(&b, high, low, &outs[pair]);
            of_ranks[high][low] = pm_sum_outs(&outs[pair], left ^ (own & (0 - own))) / rest;
        }
    for (uint64_t above = unseen; above; above &= above - 1) {
        const int high = pm_lowest_bit(above);
        for (uint64_t below = unseen & (pm_card_bit(high) - 1); below; below &= below - 1) {
            const int low = pm_lowest_bit(below);
            potential[pm_holding(high, low)] = of_ranks[high >> 2][low >> 2];
        }
    }
    for (int suit = 0; suit < 4; suit++) {
        const int count = pm_count_cards(suits[suit]);
        const uint64_t in_suit = unseen & UINT64_C(0x1111111111111) << suit;
        if (count < 2)
            continue;
        for (uint64_t above = unseen; above; above &= above - 1) {
            const int high = pm_lowest_bit(above), first = (high & 3) == suit;
            uint64_t below = unseen & (pm_card_bit(high) - 1);
            if (count + first < 4)
                below = count + first == 3 ? below & in_suit : 0;
            for (; below; below &= below - 1) {
                const int low = pm_lowest_bit(below), pair = (high >> 2) * ((high >> 2) + 1) / 2 + (low >> 2);
                const uint64_t left = unseen & ~(pm_card_bit(high) | pm_card_bit(low));
                potential[pm_holding(high, low)] =
                    pm_sum_suited_outs(&outs[pair], left, suit, suits[suit], high, low) / rest;
            }
        }
    }
}

#endif
