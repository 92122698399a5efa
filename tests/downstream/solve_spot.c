/* A river solved in C: cc -O3 -ffp-contract=off -I "$(python -c 'import pokermodel; print(pokermodel.get_include())')"
 *     solve_spot.c -lm -o solve_spot
 *
 * Out of position AA, KK, 55 and 44, which beat all or nothing; in position 66, 77, 99 and TT; a pot of 200 with 900
 * behind on Qs Jh 2h 8c 3d, and bets of the pot. Prints how far both may be off, what the first player gets of the pot, and
 * how often they bet: with all that wins, and half as often with what does not, which is three quarters.
 */
#include <stdio.h>

#include "pokermodel/evaluation/evaluator_tables.h"
#include "pokermodel/solving/solver.h"

enum { POT = 200, STACK = 900, ITERATIONS = 200 };

static int card(const char *text)
{
    return 4 * (int)(strchr("23456789TJQKA", text[0]) - "23456789TJQKA") + (int)(strchr("cdhs", text[1]) - "cdhs");
}

/* What both ranges have together: the weight of all pairs of holdings without a common card. */
static double pairs_of(const pm_solving_boards *b)
{
    double total = 0.0;
    for (int i = 0; i < b->n[0]; i++)
        for (int j = 0; j < b->n[1]; j++)
            if (b->high[0][i] != b->high[1][j] && b->high[0][i] != b->low[1][j] && b->low[0][i] != b->high[1][j] &&
                b->low[0][i] != b->low[1][j])
                total += (double)b->weight[0][i] * b->weight[1][j];
    return total;
}

/* What a player gets more than half of the pot, by a walk of the tree. */
static double value_of(pm_solver_walk *walk, pm_arena *arena, float *rows, int mode, int own, double pairs)
{
    const pm_solving_boards *b = &walk->solver->boards;
    const float *values;
    double total = 0.0;
    walk->mode = mode;
    walk->own = own;
    values = pm_walk_all(walk, arena, rows);
    for (int k = 0; k < b->n[own]; k++)
        total += (double)values[k] * b->weight[own][k];
    return total / pairs;
}

int main(void)
{
    static const char *const cards[5] = {"Qs", "Jh", "2h", "8c", "3d"};
    static pm_evaluator evaluator;
    static pm_solver s;
    static double weights[2][1326];
    const double *const both[2] = {weights[0], weights[1]};
    uint64_t board = 0;
    pm_solver_walk walk;
    pm_arena *arena;
    float rows[1];
    double pairs, best[2], bet = 0.0, all = 0.0;

    pm_evaluator_init(&evaluator);
    for (int k = 0; k < 5; k++)
        board |= pm_card_bit(card(cards[k]));
    for (int high = 1; high < 52; high++)
        for (int low = 0; low < high; low++) {
            const int r = high >> 2, q = low >> 2, holding = high * (high - 1) / 2 + low; /* ranks are 0 to 12 */
            weights[0][holding] = r == q && (r >= 11 || r == 2 || r == 3);
            weights[1][holding] = r == q && r >= 4 && r <= 8 && r != 6;
        }

    /* the betting: a pot of two halves, equal stacks, one size of a bet (the pot) and no raise */
    s.round = 3;
    s.table.players = 2;
    s.table.structure = PM_NO_LIMIT;
    s.table.reopen = PM_REOPEN_MINIMUM;
    s.table.odd_chips = PM_ODD_SPLIT;
    s.table.min_raise = PM_MIN_LAST;
    for (int player = 0; player < 2; player++) {
        s.table.dead[player] = POT / 2;
        s.table.limit[player] = STACK;
        s.menu.of[3][player].bets = 1;
        s.menu.of[3][player].bet[0].kind = PM_SIZE_POT;
        s.menu.of[3][player].bet[0].share = 1.0;
        s.menu.of[3][player].donk = 1;
    }
    for (int round = 0; round < PM_ROUNDS; round++) {
        s.table.bets[round] = 1;
        s.table.max_raises[round] = 1000;
    }

    /* what it takes is known before anything is allocated: s.tree.block is numbers by street and board */
    s.boards.cards = 5;
    pm_boards_places(&s.boards, board, both);
    if (pm_tree_count(&s.tree, &s.table, &s.menu, s.round, 1000) ||
        pm_tree_make(&s.tree, &s.table, &s.menu, s.round, s.boards.pad) ||
        pm_boards_renamings(&s.boards, board, both, 1) ||
        pm_boards_make(&evaluator, &s.boards, board, s.tree.streets) || pm_numbers_make(&s, &s.regret, 0) ||
        pm_numbers_make(&s, &s.average, 0) || !(arena = pm_arena_make(&s))) {
        fprintf(stderr, "no memory\n");
        return 1;
    }

    memset(&walk, 0, sizeof walk);
    walk.solver = &s;
    walk.kernels = pm_solving_kernels_at(pm_simd_supported());
    walk.regret = &s.regret;
    walk.average[0] = walk.average[1] = &s.average;
    walk.mode = PM_WALK_LEARN;
    for (int k = 0; k < ITERATIONS; k++)
        pm_solver_iterate(&s, &walk, arena, rows);

    pairs = pairs_of(&s.boards);
    for (int own = 0; own < 2; own++)
        best[own] = value_of(&walk, arena, rows, PM_WALK_BEST, own, pairs);
    for (int k = 0; k < s.boards.n[0]; k++) { /* the root's sums: a row of checks, a row of bets */
        const float *sums = s.average.wide[0] + s.tree.node[0].offset;
        const double checks = sums[k], bets = sums[s.boards.pad[0] + k];
        all += s.boards.weight[0][k];
        bet += s.boards.weight[0][k] * bets / (checks + bets);
    }
    printf("exploitability %.4f %% of the pot\n", 100.0 * (best[0] + best[1]) / 2 / POT);
    printf("out of position %.3f\n", value_of(&walk, arena, rows, PM_WALK_PLAY, 0, pairs) + POT / 2.0);
    printf("bets %.4f\n", bet / all);
    pm_arena_free(arena);
    pm_solver_free(&s);
    return 0;
}
