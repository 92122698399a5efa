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

/* The value of one card to come as an out. Categories are those of the hand and of the board, now and with the card. */
static inline double pm_out_value(int high, int low, int card, int category_now, int category_then, int board_now,
                                  int board_then, const int *board, int board_cards)
{
    const int own_ranks = 1 << (high >> 2) | 1 << (low >> 2);
    int higher = 0;
    if (category_then <= category_now || (category_then == board_then && category_then >= 4))
        return 0.0;
    if (category_then == 5 || category_then == 8) {
        int suit_count[4] = {0}, suit = 0, in_suit, flush_rank;
        for (int k = 0; k < board_cards; k++)
            suit_count[board[k] & 3]++;
        suit_count[card & 3]++;
        suit_count[high & 3]++;
        suit_count[low & 3]++;
        for (int k = 0; k < 4; k++)
            if (suit_count[k] >= 5)
                suit = k;
        in_suit = ((high & 3) == suit) + ((low & 3) == suit);
        if (in_suit == 2)
            return 1.0;
        flush_rank = (high & 3) == suit ? high >> 2 : low >> 2;
        return 0.5 + 0.5 * flush_rank / 12.0;
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

/* PPOTc of every holding on a flop or turn, by holding index; entries of holdings with a dead card are left alone.
 * `dead` includes the board's cards. */
static inline void pm_outs(const pm_evaluator *e, const int *board, int board_cards, uint64_t dead, double *potential)
{
    pm_hand on_board = pm_hand_empty();
    int count[13] = {0}, board_then[PM_CARDS], board_now;
    int unseen = -2; /* without the holding's own two cards */
    for (int k = 0; k < board_cards; k++) {
        on_board = pm_hand_add(e, on_board, board[k]);
        count[board[k] >> 2]++;
    }
    board_now = pm_category_of_few(count);
    for (int card = 0; card < PM_CARDS; card++) {
        if (dead & pm_card_bit(card))
            continue;
        unseen++;
        if (board_cards == 3) {
            count[card >> 2]++;
            board_then[card] = pm_category_of_few(count);
            count[card >> 2]--;
        } else {
            board_then[card] = pm_rank_category(pm_hand_rank(e, pm_hand_add(e, on_board, card)));
        }
    }
    for (int high = 1; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++) {
            pm_hand hand;
            double total = 0.0;
            int now;
            if (dead & (pm_card_bit(high) | pm_card_bit(low)))
                continue;
            hand = pm_hand_add(e, pm_hand_add(e, on_board, high), low);
            now = pm_rank_category(pm_hand_rank(e, hand));
            for (int card = 0; card < PM_CARDS; card++) {
                unsigned rank;
                if (dead & pm_card_bit(card) || card == high || card == low)
                    continue;
                rank = pm_hand_rank(e, pm_hand_add(e, hand, card));
                if (rank >= PM_CATEGORY_START[now + 1]) /* most cards improve nothing */
                    total += pm_out_value(high, low, card, now, pm_rank_category(rank), board_now, board_then[card],
                                          board, board_cards);
            }
            potential[pm_holding(high, low)] = total / unseen;
        }
}

#endif
