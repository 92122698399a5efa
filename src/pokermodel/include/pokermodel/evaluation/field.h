/* All holdings that are possible on a board, in the order of their strength, and their strength against weights.
 *
 * Suits are renamed, so that boards that differ only in the names of suits give the same field. The cards of a field
 * have its own suits; the indices of holdings have those of the caller.
 */
#ifndef POKERMODEL_FIELD_H
#define POKERMODEL_FIELD_H

#include <string.h>

#include "pokermodel/evaluation/evaluator.h"

#define PM_RANK_WORDS 117 /* 64-bit words with a bit for each of the ranks 0..7462 */
#define PM_RANK_PAIRS 91  /* pairs of ranks, high*(high+1)/2 + low */

enum { PM_AHEAD, PM_TIED, PM_BEHIND };

/* Holdings by position, weakest first. */
typedef struct {
    int size;
    int board_cards;
    uint64_t dead;                 /* the board's cards and dead cards, as bits */
    pm_hand board;
    uint32_t suit_key[4];          /* by suit: ranks on the board, and below them dead ranks; falling */
    uint8_t card[5];               /* of the board */
    uint8_t high[PM_HOLDINGS];     /* the holding's cards */
    uint8_t low[PM_HOLDINGS];
    uint16_t holding[PM_HOLDINGS]; /* its index, in the caller's suits */
    uint16_t rank[PM_HOLDINGS];    /* its rank on the board as it is */
    uint16_t group_start[PM_HOLDINGS]; /* first position of the same rank */
    uint16_t group_end[PM_HOLDINGS];   /* position after the last of the same rank */
} pm_field;

static inline uint64_t pm_card_bit(int card) { return (uint64_t)1 << card; }

/* Number the ranks whose bits are set from 0, weakest first; returns how many there are. */
static inline int pm_number_ranks(const uint64_t occurs[PM_RANK_WORDS], int16_t *number)
{
    int n = 0;
    for (int word = 0; word < PM_RANK_WORDS; word++)
        for (uint64_t bits = occurs[word]; bits; bits &= bits - 1)
            number[64 * word + pm_lowest_bit(bits)] = (int16_t)n++;
    return n;
}

static inline void pm_mark_rank(uint64_t occurs[PM_RANK_WORDS], unsigned rank)
{
    occurs[rank >> 6] |= (uint64_t)1 << (rank & 63);
}

static inline int pm_on_board(pm_hand board, int suit) { return (int)(board.key >> (32 + 4 * suit) & 15) - 3; }

/* Rank of each pair of hole ranks, high*(high+1)/2 + low, on a board of three to five cards, without flushes; `seen`
 * counts the board's ranks. 0 for impossible pairs: the hash table lacks five cards of one rank. */
static inline void pm_rank_pairs(const pm_evaluator *e, pm_hand board, const int seen[13],
                                 uint16_t ranks[PM_RANK_PAIRS])
{
    for (int high = 0, pair = 0; high < 13; high++)
        for (int low = 0; low <= high; low++, pair++) {
            pm_hand hand = {board.key + (uint32_t)e->card[4 * high].key + (uint32_t)e->card[4 * low].key, 0};
            int possible = seen[high] + 1 + (high == low) <= 4 && seen[low] + 1 <= 4;
            ranks[pair] = (uint16_t)(possible ? pm_hand_rank_no_flush(e, hand) : 0);
        }
}

/* The field's name of each suit, by the cards of it on the board and among the dead cards. */
static inline void pm_field_suits(pm_field *field, const int *board, int board_cards, uint64_t dead, int suit[4])
{
    uint32_t key[4] = {0};
    for (int k = 0; k < board_cards; k++)
        key[board[k] & 3] |= (uint32_t)1 << (13 + (board[k] >> 2));
    for (int card = 0; card < PM_CARDS; card++)
        if (dead & pm_card_bit(card))
            key[card & 3] |= (uint32_t)1 << (card >> 2);
    for (int s = 0; s < 4; s++) {
        suit[s] = 0;
        for (int t = 0; t < 4; t++)
            suit[s] += key[t] > key[s] || (key[t] == key[s] && t < s);
        field->suit_key[suit[s]] = key[s];
    }
}

/* Rank every holding that avoids the board and the dead cards, and sort them by counting, since ranks are few.
 * `dead` may include the board's cards. */
static inline void pm_field_init(const pm_evaluator *e, pm_field *field, const int *board, int board_cards,
                                 uint64_t dead)
{
    uint64_t occurs[PM_RANK_WORDS] = {0};
    int16_t number[PM_RANKS + 1];
    uint16_t start[PM_HOLDINGS + 1];
    uint16_t rank[PM_HOLDINGS];
    uint8_t cards[PM_HOLDINGS][2];
    uint8_t outside[PM_CARDS]; /* the caller's name of each card of the field */
    uint16_t of_pair[PM_RANK_PAIRS], of_ranks[13][13];
    int live[PM_CARDS], suit[4], seen[13] = {0};
    int n = 0, size = 0, groups, first = 0, flush_suit = -1, on_board = 0;
    uint32_t board_ranks = 0;
    for (int k = 0; k < board_cards; k++)
        dead &= ~pm_card_bit(board[k]);
    pm_field_suits(field, board, board_cards, dead, suit);
    for (int card = 0; card < PM_CARDS; card++)
        outside[(card & ~3) | suit[card & 3]] = (uint8_t)card;
    field->board = pm_hand_empty();
    field->board_cards = board_cards;
    field->dead = 0;
    for (int k = 0; k < board_cards; k++) {
        field->card[k] = (uint8_t)((board[k] & ~3) | suit[board[k] & 3]);
        field->board = pm_hand_add(e, field->board, field->card[k]);
        field->dead |= pm_card_bit(field->card[k]);
        seen[field->card[k] >> 2]++;
    }
    for (int card = 0; card < PM_CARDS; card++)
        if (dead & pm_card_bit(outside[card]))
            field->dead |= pm_card_bit(card);
    /* suit by suit, because neighbours of one rank would wait for each other in the counters below */
    for (int s = 0; s < 4; s++)
        for (int card = s; card < PM_CARDS; card += 4)
            if (!(field->dead & pm_card_bit(card)))
                live[n++] = card;
    for (int s = 0; s < 4; s++)
        if (pm_on_board(field->board, s) >= 3) {
            flush_suit = s;
            on_board = pm_on_board(field->board, s);
            board_ranks = (uint32_t)(field->board.suits >> (16 * s)) & 0x1fff;
        }
    pm_rank_pairs(e, field->board, seen, of_pair);
    for (int high = 0; high < 13; high++)
        for (int low = 0; low <= high; low++) {
            of_ranks[high][low] = of_ranks[low][high] = of_pair[high * (high + 1) / 2 + low];
            pm_mark_rank(occurs, of_ranks[high][low]);
        }
    for (int i = 1; i < n; i++) {
        const int one_suited = (live[i] & 3) == flush_suit;
        const uint16_t *of_one = of_ranks[live[i] >> 2];
        for (int j = 0; j < i; j++) {
            const int two_suited = (live[j] & 3) == flush_suit;
            rank[size] = of_one[live[j] >> 2];
            if (on_board + one_suited + two_suited >= 5) {
                rank[size] = e->flush[board_ranks | (uint32_t)one_suited << (live[i] >> 2) |
                                      (uint32_t)two_suited << (live[j] >> 2)];
                pm_mark_rank(occurs, rank[size]);
            }
            cards[size][0] = (uint8_t)(live[i] > live[j] ? live[i] : live[j]);
            cards[size][1] = (uint8_t)(live[i] > live[j] ? live[j] : live[i]);
            size++;
        }
    }
    field->size = size;
    groups = pm_number_ranks(occurs, number);
    memset(start, 0, (size_t)(groups + 1) * sizeof start[0]);
    for (int k = 0; k < size; k++)
        start[number[rank[k]] + 1]++;
    for (int k = 0; k < groups; k++)
        start[k + 1] = (uint16_t)(start[k + 1] + start[k]);
    for (int k = 0; k < size; k++) {
        int position = start[number[rank[k]]]++;
        field->rank[position] = rank[k];
        field->high[position] = cards[k][0];
        field->low[position] = cards[k][1];
        field->holding[position] = (uint16_t)pm_holding(outside[cards[k][0]], outside[cards[k][1]]);
    }
    for (int k = 0; k < groups; k++) { /* each start is now the end of its group */
        int end = start[k];
        for (int position = first; position < end; position++) {
            field->group_start[position] = (uint16_t)first;
            field->group_end[position] = (uint16_t)end;
        }
        first = end;
    }
}

static inline int pm_share_card(const pm_field *field, int i, int j)
{
    return (field->high[i] == field->high[j]) | (field->high[i] == field->low[j]) |
           (field->low[i] == field->high[j]) | (field->low[i] == field->low[j]);
}

/* HS of the weights ahead, tied and behind; 0 if all are 0. */
static inline double pm_strength(const double cells[3])
{
    double total = cells[PM_AHEAD] + cells[PM_TIED] + cells[PM_BEHIND];
    return total != 0 ? (cells[PM_AHEAD] + cells[PM_TIED] / 2) / total : 0.0;
}

/* ---- hand strength: running sums over holdings, in total and by card, so that two subtractions leave out those that
 * share a card with a given holding. Each sum comes with the number of holdings of positive weight in it, which says
 * exactly when nothing is left. */
typedef struct {
    double weight;
    double positive;
} pm_mass;

typedef struct {
    pm_mass total;
    pm_mass card[PM_CARDS];
} pm_running;

static inline void pm_running_add(pm_running *running, int high, int low, double weight)
{
    double positive = weight > 0 ? 1.0 : 0.0;
    running->total.weight += weight;
    running->total.positive += positive;
    running->card[high].weight += weight;
    running->card[high].positive += positive;
    running->card[low].weight += weight;
    running->card[low].positive += positive;
}

/* Weight of the positions start..end that avoid the hero's cards, added term by term. */
static inline double pm_sum_terms(const pm_field *field, const double *weight, int hero, int start, int end)
{
    double found = 0.0;
    for (int position = start; position < end; position++)
        if (!pm_share_card(field, hero, position))
            found += weight[position];
    return found;
}

/* The same from `running`, which must hold these positions only. */
static inline double pm_disjoint_sum(const pm_field *field, const double *weight, const pm_running *running, int hero,
                                     int start, int end)
{
    const pm_mass *high = &running->card[field->high[hero]], *low = &running->card[field->low[hero]];
    double found = running->total.weight - high->weight - low->weight;
    double positive = running->total.positive - high->positive - low->positive;
    if (start <= hero && hero < end) { /* the hero's own holding was subtracted with each of its cards */
        found += weight[hero];
        positive += weight[hero] > 0 ? 1.0 : 0.0;
    }
    if (positive == 0)
        return 0.0;
    /* if too many digits cancelled, add the terms themselves */
    return found > 1e-4 * running->total.weight ? found : pm_sum_terms(field, weight, hero, start, end);
}

#define PM_FEW_TIES 6 /* groups up to this size are added term by term */

/* Weight ahead of, tied with and behind each position, `cells` (size, 3). A sweep from below finds what each holding
 * beats, one from above what beats it. Returns the number of positions against which all weights are 0. */
static inline int pm_field_masses(const pm_field *field, const double *weights, double *cells)
{
    pm_running running, group;
    int empty = 0;
    memset(&running, 0, sizeof running);
    for (int start = 0, end; start < field->size; start = end) {
        int many;
        end = field->group_end[start];
        many = end - start > PM_FEW_TIES;
        if (many)
            memset(&group, 0, sizeof group);
        for (int k = start; k < end; k++) {
            cells[3 * k + PM_AHEAD] = pm_disjoint_sum(field, weights, &running, k, 0, start);
            if (many)
                pm_running_add(&group, field->high[k], field->low[k], weights[k]);
        }
        for (int k = start; k < end; k++) {
            cells[3 * k + PM_TIED] = many ? pm_disjoint_sum(field, weights, &group, k, start, end)
                                          : pm_sum_terms(field, weights, k, start, end);
            pm_running_add(&running, field->high[k], field->low[k], weights[k]);
        }
    }
    memset(&running, 0, sizeof running);
    for (int end = field->size, start; end > 0; end = start) {
        start = field->group_start[end - 1];
        for (int k = start; k < end; k++) {
            double *cell = cells + 3 * k;
            cell[PM_BEHIND] = pm_disjoint_sum(field, weights, &running, k, end, field->size);
            empty += cell[PM_AHEAD] + cell[PM_TIED] + cell[PM_BEHIND] <= 0;
        }
        for (int k = start; k < end; k++)
            pm_running_add(&running, field->high[k], field->low[k], weights[k]);
    }
    return empty;
}

/* The same; a position against which all weights are 0 is compared with every holding alike. */
static inline void pm_field_strength(const pm_field *field, const double *weights, double *cells)
{
    double ones[PM_HOLDINGS], counts[3 * PM_HOLDINGS];
    if (!pm_field_masses(field, weights, cells))
        return;
    for (int k = 0; k < PM_HOLDINGS; k++)
        ones[k] = 1.0;
    pm_field_masses(field, ones, counts);
    for (int k = 0; k < field->size; k++)
        if (cells[3 * k] + cells[3 * k + 1] + cells[3 * k + 2] <= 0)
            memcpy(cells + 3 * k, counts + 3 * k, 3 * sizeof(double));
}

/* HS of every holding of the field against all others alike, by holding: whole numbers, in one sweep from below. Other
 * entries are left alone. */
static inline void pm_field_uniform(const pm_field *field, double *strengths)
{
    int below[PM_CARDS] = {0}, tied[PM_CARDS] = {0}; /* holdings with a card: in groups before this one, and in it */
    int cards = 0, others;
    while (cards * (cards - 1) / 2 < field->size)
        cards++;
    others = (cards - 2) * (cards - 3) / 2; /* that share no card with a given one */
    for (int start = 0, end; start < field->size; start = end) {
        end = field->group_end[start];
        for (int k = start; k < end; k++) {
            tied[field->high[k]]++;
            tied[field->low[k]]++;
        }
        for (int k = start; k < end; k++) {
            const int high = field->high[k], low = field->low[k];
            const double ahead = start - below[high] - below[low], ties = end - start - tied[high] - tied[low] + 1;
            strengths[field->holding[k]] = others ? (ahead + ties / 2) / others : 0.0;
        }
        for (int k = start; k < end; k++) {
            const int high = field->high[k], low = field->low[k];
            below[high] += tied[high];
            tied[high] = 0;
            below[low] += tied[low];
            tied[low] = 0;
        }
    }
}

#endif
