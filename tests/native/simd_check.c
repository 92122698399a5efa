/* Runs the kernels of the headers at every level that this machine supports, against textbook versions, bit for bit.
 *
 * Plain C without Python, so that it runs wherever a compiler or an emulator does. For each level it prints the
 * number of comparisons and a digest of all results; the digests of all levels, machines and compilers are the same.
 * The status is 1 when a result is wrong. Compile with -ffp-contract=off (see simd.h).
 *
 * Every kernel of `pm_kernels` has a `check_...` function here, called in `check_level`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pokermodel/dealing/dealing.h"
#include "pokermodel/evaluation/evaluator_tables.h"
#include "pokermodel/solving/solver.h"
#include "pokermodel/vectors/kernels.h"
#include "pokermodel/dealing/random.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define GUARD 0xabab /* behind every output: must stay as it is */

typedef struct {
    pm_random random; /* the same numbers for every level */
    uint64_t digest;
    long comparisons, wrong;
} checker;

static void check_start(checker *check)
{
    const uint64_t words[4] = {1, 2, 3, 4};
    memset(check, 0, sizeof(*check));
    pm_random_seed(&check->random, words);
    check->digest = 0xcbf29ce484222325ULL;
}

/* FNV-1a (Fowler, Noll and Vo). */
static void add_to_digest(checker *check, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++)
        check->digest = (check->digest ^ ((const uint8_t *)bytes)[k]) * 0x100000001b3ULL;
}

static void compare(checker *check, const char *kernel, const void *got, const void *expected, size_t size, int n)
{
    add_to_digest(check, got, size);
    check->comparisons += n;
    if (memcmp(got, expected, size) == 0)
        return;
    check->wrong++;
    fprintf(stderr, "%s: wrong result\n", kernel);
}

/* ------------------------------------------------------------------------------------------------- pairs.h */

enum { ROWS = 17 };
static const int row_lengths[] = {0, 64, 128, 192, 256, 960, 1216, PM_ROW_MOST};
static const int row_counts[] = {0, 1, 2, 3, 4, 5, 8, ROWS};

/* Strengths of several kinds: any, few different ones, the extremes, all the same (counters reach their highest). */
static int8_t some_strength(pm_random *random, int kind)
{
    switch (kind) {
    case 0:
        return (int8_t)((int)pm_random_below(random, 256) - 128);
    case 1:
        return (int8_t)((int)pm_random_below(random, 3) - 1);
    case 2:
        return pm_random_below(random, 2) ? PM_ROW_HIGHEST : PM_ROW_LOWEST;
    default:
        return (int8_t)kind;
    }
}

static void check_compare_rows(checker *check, int level)
{
    static int8_t memory[(1 + ROWS) * PM_ROW_MOST + 64];
    int8_t *left = memory + (64 - (uintptr_t)memory % 64) % 64, *right = left + PM_ROW_MOST;
    uint16_t wins[ROWS + 1], ties[ROWS + 1], right_wins[ROWS + 1], right_ties[ROWS + 1];
    for (int l = 0; l < COUNT(row_lengths); l++)
        for (int r = 0; r < COUNT(row_counts); r++)
            for (int kinds = 0; kinds < 16; kinds++) {
                int length = row_lengths[l], n = row_counts[r];
                for (int k = 0; k < length; k++)
                    left[k] = some_strength(&check->random, kinds / 4);
                for (int k = 0; k < n * length; k++)
                    right[k] = some_strength(&check->random, kinds % 4);
                for (int row = 0; row <= ROWS; row++)
                    wins[row] = ties[row] = right_wins[row] = right_ties[row] = GUARD;
                for (int row = 0; row < n; row++) {
                    right_wins[row] = right_ties[row] = 0;
                    for (int k = 0; k < length; k++) {
                        right_wins[row] += left[k] > right[row * length + k];
                        right_ties[row] += left[k] == right[row * length + k];
                    }
                }
                pm_kernels_at(level).compare_rows(left, right, length, n, wins, ties);
                compare(check, "compare_rows, wins", wins, right_wins, sizeof(wins), n);
                compare(check, "compare_rows, ties", ties, right_ties, sizeof(ties), n);
            }
}

/* ------------------------------------------------------------------------------------------------- cells.h */

enum { PAIRS = 1003, UNALIGNED = 5 };
static const int pair_counts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 23, 24, 25, 91, PAIRS};

/* Weights of several kinds: near 1, subnormal, huge, of any size, none. */
static double some_weight(pm_random *random, int kind)
{
    double weight = pm_random_double(random);
    switch (kind) {
    case 0:
        return weight;
    case 1:
        return weight * 1e-305 * 1e-10;
    case 2:
        return weight * 1e300;
    case 3:
        for (int k = (int)pm_random_below(random, 9); k > 0; k--)
            weight *= 1e-35;
        return weight;
    default:
        return 0.0;
    }
}

typedef struct {
    double hero[3], others[3][PAIRS + UNALIGNED + 1];
} sums;

static double rounded(double a, double b)
{
    volatile double product = a * b; /* stored, so that no addition can be fused with it */
    return product;
}

static void add_pairs_slowly(uint16_t counts[3][PAIRS + UNALIGNED], const double *weight, double hero_weight, int from,
                             int n, sums *out)
{
    for (int c = 0; c < 3; c++) {
        double lane[8] = {0};
        for (int j = 0; j < n; j++) {
            lane[j % 8] += rounded(weight[j], counts[c][from + j]);
            out->others[c][from + j] += rounded(hero_weight, counts[2 - c][from + j]);
        }
        out->hero[c] += ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    }
}

static void check_add_pairs(checker *check, int level)
{
    static uint16_t counts[3][PAIRS + UNALIGNED];
    static double weight[PAIRS + UNALIGNED];
    static sums got, expected;
    double one_side[3];
    for (int p = 0; p < COUNT(pair_counts); p++)
        for (int kind = 0; kind < 5; kind++)
            for (int from = 0; from < UNALIGNED; from++) {
                int n = pair_counts[p];
                double hero_weight = some_weight(&check->random, (kind + from) % 5);
                for (int j = 0; j < PAIRS + UNALIGNED; j++) {
                    weight[j] = some_weight(&check->random, kind);
                    for (int c = 0; c < 3; c++)
                        counts[c][j] = (uint16_t)(from % 2 ? pm_random_below(&check->random, 1u << 16)
                                                           : 65535 * pm_random_below(&check->random, 2));
                }
                for (int c = 0; c < 3; c++) {
                    expected.hero[c] = some_weight(&check->random, kind);
                    for (int j = 0; j <= PAIRS + UNALIGNED; j++)
                        expected.others[c][j] = some_weight(&check->random, kind);
                }
                got = expected;
                memcpy(one_side, expected.hero, sizeof(one_side));
                add_pairs_slowly(counts, weight + from, hero_weight, from, n, &expected);
                pm_kernels_at(level).add_pairs(counts[0] + from, counts[1] + from, counts[2] + from, weight + from,
                                               hero_weight, n, got.hero, got.others[0] + from, got.others[1] + from,
                                               got.others[2] + from);
                compare(check, "add_pairs", &got, &expected, sizeof(got), 3 * n + 3);
                pm_kernels_at(level).sum_pairs(counts[0] + from, counts[1] + from, counts[2] + from, weight + from, n,
                                               one_side);
                compare(check, "sum_pairs", one_side, expected.hero, sizeof(one_side), 3);
            }
}

/* ------------------------------------------------------------------------------------------------- batch.h */

enum { HANDS = 131 };
static const int hand_counts[] = {0, 1, 5, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 66, 127, 128, HANDS};
static pm_evaluator evaluator;

static void check_rank_rows(checker *check, int level)
{
    static uint8_t memory[7 * HANDS + UNALIGNED];
    uint16_t ranks[HANDS + 1], right[HANDS + 1];
    for (int width = 5; width <= 7; width++)
        for (int p = 0; p < COUNT(hand_counts); p++)
            for (int from = 0; from < UNALIGNED; from++) {
                int n = hand_counts[p];
                uint8_t *cards = memory + from;
                for (int row = 0; row <= HANDS; row++)
                    ranks[row] = right[row] = GUARD;
                for (int row = 0; row < n; row++) {
                    pm_deck deck;
                    pm_hand hand = pm_hand_empty();
                    int at = 0;
                    pm_deck_init(&deck, 0);
                    for (int k = 0; k < width; k++) {
                        uint32_t bits = (uint32_t)(pm_random_next(&check->random) >> 32);
                        unsigned card = pm_deck_next(&deck, &at, 0, &check->random, bits);
                        cards[row * width + k] = (uint8_t)card;
                        hand = pm_hand_add(&evaluator, hand, (int)card);
                    }
                    right[row] = (uint16_t)pm_hand_rank(&evaluator, hand);
                }
                int64_t bad = pm_kernels_at(level).rank_rows(&evaluator, cards, width, n, ranks), none = -1;
                compare(check, "rank_rows", ranks, right, sizeof(ranks), n);
                compare(check, "rank_rows, all fine", &bad, &none, sizeof(bad), 1);
                if (n == 0)
                    continue;
                int64_t row = pm_random_below(&check->random, (uint32_t)n);
                cards[row * width + 2] = from % 2 ? cards[row * width] : PM_CARDS;
                bad = pm_kernels_at(level).rank_rows(&evaluator, cards, width, n, ranks);
                compare(check, "rank_rows, the bad one", &bad, &row, sizeof(bad), 1);
            }
}

/* --------------------------------------------------------------------------------- what knows no levels */

/* Deals by weight and the ranks of the hands they make: no textbook here, only the digest. */
static void check_deals(checker *check)
{
    static pm_alias table[3];
    static double weights[PM_HOLDINGS];
    pm_dealing dealing = {.method = PM_WEIGH, .players = 3, .drawn = 3, .scale = 1.0, .table = table};
    pm_dealer dealer;
    pm_deal deal;
    for (int player = 0; player < 3; player++) {
        for (int k = 0; k < PM_HOLDINGS; k++)
            weights[k] = some_weight(&check->random, player);
        pm_alias_init(&table[player], weights, 0);
        dealing.drawn_player[player] = (uint8_t)player;
    }
    pm_dealer_init(&dealer, &dealing);
    double total = 0.0;
    for (int trial = 0; trial < 2000; trial++) {
        pm_hand board = pm_hand_empty();
        if (!pm_deal_next(&dealing, &check->random, &dealer, &deal)) {
            check->wrong++;
            fprintf(stderr, "deal_next: no deal\n");
            return;
        }
        for (int k = 0; k < PM_BOARD; k++)
            board = pm_hand_add(&evaluator, board, deal.board[k]);
        for (int player = 0; player < 3; player++) {
            pm_hand hand = pm_hand_add(&evaluator, board, deal.holding[player] >> 8);
            unsigned rank = pm_hand_rank(&evaluator, pm_hand_add(&evaluator, hand, deal.holding[player] & 255));
            add_to_digest(check, &rank, sizeof(rank));
        }
        total += deal.weight;
        add_to_digest(check, &total, sizeof(total));
    }
}

/* ------------------------------------------------------------------------------------------------- solver.h */

/* Some iterations of a turn with bets and raises, with numbers of 32 and of 16 bits, and what a best response and the
 * strategy are worth: all kernels of the solver. No textbook here, only the digest. */
static void check_solving(checker *check, int level)
{
    static const int size[3] = {PM_SIZE_POT, PM_SIZE_GEOMETRIC, PM_SIZE_ALL_IN};
    static double weights[2][PM_HOLDINGS];
    const double *const both[2] = {weights[0], weights[1]};
    const uint64_t board = pm_card_bit(3) | pm_card_bit(18) | pm_card_bit(22) | pm_card_bit(47);
    for (int player = 0; player < 2; player++)
        for (int k = 0; k < PM_HOLDINGS; k++)
            weights[player][k] = k % 5 == player ? some_weight(&check->random, 0) : 0.0;
    for (int half = 0; half < 2; half++) {
        pm_solver s;
        pm_solver_walk walk;
        pm_arena *arena;
        float *rows;
        memset(&s, 0, sizeof s);
        memset(&walk, 0, sizeof walk);
        s.round = 2;
        s.table.players = 2;
        for (int player = 0; player < 2; player++) {
            s.table.dead[player] = 50;
            s.table.limit[player] = 300;
        }
        for (int round = 0; round < PM_ROUNDS; round++) {
            s.table.bets[round] = 1;
            s.table.max_raises[round] = 1000;
            for (int player = 0; player < 2; player++) {
                pm_menu_sizes *sizes = &s.menu.of[round][player];
                sizes->bets = 1 + player + (round == 3);
                sizes->raises = 1;
                for (int k = 0; k < 3; k++)
                    sizes->bet[k].kind = sizes->raise[k].kind = size[k], sizes->bet[k].share = sizes->raise[k].share = 0.5;
            }
        }
        s.table.structure = PM_NO_LIMIT;
        s.table.reopen = PM_REOPEN_MINIMUM;
        s.menu.all_in_share = 0.2;
        s.boards.cards = 4;
        pm_boards_places(&s.boards, board, both);
        if (pm_tree_count(&s.tree, &s.table, &s.menu, s.round, 10000) ||
            pm_tree_make(&s.tree, &s.table, &s.menu, s.round, s.boards.pad) ||
            pm_boards_renamings(&s.boards, board, both, 0) ||
            pm_boards_make(&evaluator, &s.boards, board, s.tree.streets) || pm_numbers_make(&s, &s.regret, half) ||
            pm_numbers_make(&s, &s.average, half) || !(arena = pm_arena_make(&s)))
            exit(EXIT_FAILURE);
        rows = (float *)malloc(((size_t)pm_first_deals(&s) * (size_t)pm_boards_of(&s, 1) + 1) * PM_PLACES * sizeof(float));
        if (!rows)
            exit(EXIT_FAILURE);
        walk.solver = &s;
        walk.kernels = pm_solving_kernels_at(level);
        walk.regret = &s.regret;
        walk.average[0] = walk.average[1] = &s.average;
        walk.mode = PM_WALK_LEARN;
        for (int k = 0; k < 3; k++)
            pm_solver_iterate(&s, &walk, arena, rows);
        for (int own = 0; own < 2; own++) {
            walk.own = own;
            for (walk.mode = PM_WALK_BEST; walk.mode <= PM_WALK_PLAY; walk.mode++)
                add_to_digest(check, pm_walk_all(&walk, arena, rows), (size_t)s.boards.n[own] * sizeof(float));
        }
        for (int street = 0; street < s.tree.streets; street++) {
            const size_t n = (size_t)pm_boards_of(&s, street) * (size_t)s.tree.block[street];
            add_to_digest(check, half ? (void *)s.regret.narrow[street] : (void *)s.regret.wide[street], n * (half ? 2 : 4));
            add_to_digest(check, half ? (void *)s.average.narrow[street] : (void *)s.average.wide[street],
                          n * (half ? 2 : 4));
        }
        free(rows);
        pm_arena_free(arena);
        pm_solver_free(&s);
    }
}

static void check_level(checker *check, int level)
{
    check_start(check);
    check_compare_rows(check, level);
    check_add_pairs(check, level);
    check_rank_rows(check, level);
    check_deals(check);
    check_solving(check, level);
}

int main(void)
{
    long wrong = 0;
    uint64_t digest = 0;
    pm_evaluator_init(&evaluator);
    for (int level = PM_SIMD_PORTABLE; level < PM_SIMD_LEVELS; level++) {
        checker check;
        if (!pm_simd_supports(level))
            continue;
        check_level(&check, level);
        printf("level %d: %ld comparisons, %ld wrong, digest %016llx\n", level, check.comparisons, check.wrong,
               (unsigned long long)check.digest);
        wrong += check.wrong;
        digest = level == PM_SIMD_PORTABLE ? check.digest : digest;
        wrong += check.digest != digest;
    }
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
