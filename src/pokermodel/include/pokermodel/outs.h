/* PPOTc: the crude potential of holdings, by counting outs (Papp 1998, section 7.2.3).
 *
 * Every unseen card that improves the category of a hand counts between 0 and 1, by the category and by how much of the
 * improvement is on the board. Only the flush draw is printed; the values of the other improvements are ours.
 */
#ifndef POKERMODEL_OUTS_H
#define POKERMODEL_OUTS_H

#include <string.h>

#include "pokermodel/cards.h"
#include "pokermodel/evaluator.h"
#include "pokermodel/field.h"

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

/* The value of one card to come as an out. Categories are those of the hand and of the board, now and with the card.
 * Suits do not matter if it makes no flush. */
static inline double pm_out_value(int high, int low, int card, int category_now, int category_then, int board_now,
                                  int board_then, const int *board, int board_cards)
{
    const int own_ranks = 1 << (high >> 2) | 1 << (low >> 2);
    int higher = 0;
    if (category_then <= category_now || (category_then == board_then && category_then >= 4))
        return 0.0;
    if (category_then == 5 || category_then == 8) {
        int suit_count[4] = {0}, suit = 0, in_suit;
        for (int k = 0; k < board_cards; k++)
            suit_count[board[k] & 3]++;
        suit_count[card & 3]++;
        suit_count[high & 3]++;
        suit_count[low & 3]++;
        for (int k = 0; k < 4; k++)
            if (suit_count[k] >= 5)
                suit = k;
        in_suit = ((high & 3) == suit) + ((low & 3) == suit);
        return pm_flush_out_value(in_suit, (high & 3) == suit ? high >> 2 : low >> 2);
    }
    if (category_then == 4) {
        unsigned ranks = 1u << (card >> 2);
        for (int k = 0; k < board_cards; k++)
            ranks |= 1u << (board[k] >> 2);
        return pm_has_straight(ranks | 1u << (high >> 2)) || pm_has_straight(ranks | 1u << (low >> 2)) ? 0.75 : 0.95;
    }
    if (category_then == 6 || category_then == 7)
        return 0.65;
    if (category_then == 3)
        return board_then < 3 ? 1.0 : 0.0;
    if (!(own_ranks >> (card >> 2) & 1))
        return 0.0;
    if (category_then == 2 && !(category_now == 1 && board_now == 1))
        return 0.8;
    for (int k = 0; k < board_cards; k++)
        higher += board[k] >> 2 > card >> 2;
    return higher == 0 ? 0.8 : higher == 1 ? 0.7 : 0.6;
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

/* Category of a hand with a card to come that does not make a flush: one that `now` does not have yet, if it is one of
 * pm_out_candidates. */
static inline int pm_category_with(pm_rank_counts counts, int now, int card)
{
    const unsigned bit = 1u << (card >> 2);
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

/* Cards that may be outs of a hand, as bits; `suit` is one of which the hand has four cards or more, or -1. */
static inline uint64_t pm_out_candidates(pm_rank_counts counts, unsigned own, int now, int suit)
{
    unsigned ranks = pm_out_ranks(counts, own, now);
    uint64_t cards = suit < 0 ? 0 : UINT64_C(0x1111111111111) << suit;
    for (; ranks; ranks &= ranks - 1)
        cards |= UINT64_C(15) << 4 * pm_lowest_bit(ranks);
    return cards;
}

/* PPOTc of every holding on a flop or turn, by holding index; entries of holdings with a dead card are left alone.
 * `dead` includes the board's cards. */
static inline void pm_outs(const pm_evaluator *e, const int *board, int board_cards, uint64_t dead, double *potential)
{
    pm_hand on_board = pm_hand_empty();
    pm_rank_counts board_counts = {0, 0, 0};
    int count[13] = {0}, suited[4] = {0}, board_then[PM_CARDS], cards[PM_CARDS], board_now, n = 0, unseen;
    for (int k = 0; k < board_cards; k++) {
        on_board = pm_hand_add(e, on_board, board[k]);
        board_counts = pm_count_rank(board_counts, board[k] >> 2);
        count[board[k] >> 2]++;
        suited[board[k] & 3]++;
    }
    board_now = pm_category_of_few(count);
    for (int card = 0; card < PM_CARDS; card++) {
        if (dead & pm_card_bit(card))
            continue;
        cards[n++] = card;
        if (board_cards == 3) {
            count[card >> 2]++;
            board_then[card] = pm_category_of_few(count);
            count[card >> 2]--;
        } else {
            board_then[card] = pm_rank_category(pm_hand_rank(e, pm_hand_add(e, on_board, card)));
        }
    }
    unseen = n - 2; /* without the holding's own two cards */
    for (int i = 1; i < n; i++) {
        const int high = cards[i];
        const pm_hand with_high = pm_hand_add(e, on_board, high);
        const pm_rank_counts high_counts = pm_count_rank(board_counts, high >> 2);
        suited[high & 3]++;
        for (int j = 0; j < i; j++) {
            const int low = cards[j];
            const pm_hand hand = pm_hand_add(e, with_high, low);
            const pm_rank_counts counts = pm_count_rank(high_counts, low >> 2);
            const unsigned own = 1u << (high >> 2) | 1u << (low >> 2);
            double total = 0.0;
            int now, suit = -1;
            uint64_t left;
            suited[low & 3]++;
            for (int k = 0; k < 4; k++)
                if (suited[k] >= 4)
                    suit = k;
            now = counts.thrice || (suit >= 0 && suited[suit] > 4) ? pm_rank_category(pm_hand_rank(e, hand))
                                                                  : pm_category_of_pairs(counts);
            suited[low & 3]--;
            left = pm_out_candidates(counts, own, now, suit);
            left &= ~(dead | pm_card_bit(high) | pm_card_bit(low));
            for (; left; left &= left - 1) { /* the lowest first */
                const int card = pm_lowest_bit(left);
                const int then = (card & 3) == suit ? pm_rank_category(pm_hand_rank(e, pm_hand_add(e, hand, card)))
                                                    : pm_category_with(counts, now, card);
                total += pm_out_value(high, low, card, now, then, board_now, board_then[card], board, board_cards);
            }
            potential[pm_holding(high, low)] = total / unseen;
        }
        suited[high & 3]--;
    }
}

#endif
