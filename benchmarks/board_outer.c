/* The textbook order of work for the potential of one holding on a flop, as fast as our own evaluator makes it: for
 * every turn and river, rank the hero once and every opponent's holding once, and count by who is ahead. */
#include "pokermodel/evaluation/evaluator_tables.h"

static pm_evaluator tables;

void outer_prepare(void) { pm_evaluator_init(&tables); }

size_t outer_table_bytes(void) { return sizeof tables; }

static int state(unsigned mine, unsigned his) { return 1 - (mine > his) + (mine < his); }

/* counts[now][later] += weight; each ahead, tied, behind. Weights by hi*(hi-1)/2 + lo. */
void outer_counts(const int *flop, const int *holding, const double *weights, double *counts)
{
    struct {
        pm_hand hand;
        uint64_t cards;
        double weight;
        int now;
    } other[1326];
    uint64_t gone = 0;
    pm_hand board = pm_hand_empty(), mine = pm_hand_join(tables.card[holding[0]], tables.card[holding[1]]);
    int n = 0;
    for (int k = 0; k < 3; k++) {
        board = pm_hand_add(&tables, board, flop[k]);
        gone |= (uint64_t)1 << flop[k];
    }
    for (int k = 0; k < 2; k++)
        gone |= (uint64_t)1 << holding[k];
    unsigned rank = pm_hand_rank(&tables, pm_hand_join(board, mine));
    for (int high = 1; high < 52; high++)
        for (int low = 0; low < high; low++) {
            uint64_t cards = (uint64_t)1 << high | (uint64_t)1 << low;
            if (cards & gone)
                continue;
            pm_hand hand = pm_hand_join(tables.card[high], tables.card[low]); /* to be joined to a board */
            other[n].hand = hand;
            other[n].cards = cards;
            other[n].weight = weights[high * (high - 1) / 2 + low];
            other[n++].now = state(rank, pm_hand_rank(&tables, pm_hand_join(board, hand)));
        }
    for (int k = 0; k < 9; k++)
        counts[k] = 0;
    for (int river = 1; river < 52; river++)
        for (int turn = 0; turn < river; turn++) {
            uint64_t cards = (uint64_t)1 << river | (uint64_t)1 << turn;
            if (cards & gone)
                continue;
            pm_hand last = pm_hand_add(&tables, pm_hand_add(&tables, board, river), turn);
            unsigned final = pm_hand_rank(&tables, pm_hand_join(last, mine));
            for (int k = 0; k < n; k++)
                if (!(other[k].cards & cards))
                    counts[3 * other[k].now + state(final, pm_hand_rank(&tables, pm_hand_join(last, other[k].hand)))] +=
                        other[k].weight;
        }
}

/* Chance to be ahead of two or three opponents at once, a tie counting a half: all that they can hold together. Of the
 * first opponent the first `n_first` holdings only; `weights` has 1,326 for each. */
double outer_joint(const int *flop, const int *holding, const double *weights, int opponents, int n_first)
{
    uint64_t gone = 0, cards[1326];
    double weight[3][1326], beaten[3][1326], every = 0, counted = 0;
    pm_hand board = pm_hand_empty(), mine = pm_hand_join(tables.card[holding[0]], tables.card[holding[1]]);
    int n = 0;
    for (int k = 0; k < 3; k++) {
        board = pm_hand_add(&tables, board, flop[k]);
        gone |= (uint64_t)1 << flop[k];
    }
    for (int k = 0; k < 2; k++)
        gone |= (uint64_t)1 << holding[k];
    unsigned rank = pm_hand_rank(&tables, pm_hand_join(board, mine));
    for (int high = 1; high < 52; high++)
        for (int low = 0; low < high; low++) {
            cards[n] = (uint64_t)1 << high | (uint64_t)1 << low;
            if (cards[n] & gone)
                continue;
            pm_hand hand = pm_hand_join(tables.card[high], tables.card[low]);
            double score = 1 - state(rank, pm_hand_rank(&tables, pm_hand_join(board, hand))) / 2.0;
            for (int k = 0; k < opponents; k++) {
                weight[k][n] = weights[1326 * k + high * (high - 1) / 2 + low];
                beaten[k][n] = score * weight[k][n];
            }
            n++;
        }
    for (int i = 0; i < n && i < n_first; i++)
        for (int j = 0; j < n; j++) {
            if (cards[i] & cards[j])
                continue;
            double both = weight[0][i] * weight[1][j], ahead = beaten[0][i] * beaten[1][j];
            double rest = opponents == 2, rest_beaten = opponents == 2;
            for (int k = 0; opponents == 3 && k < n; k++)
                if (!(cards[k] & (cards[i] | cards[j]))) {
                    rest += weight[2][k];
                    rest_beaten += beaten[2][k];
                }
            every += both * rest;
            counted += ahead * rest_beaten;
        }
    return counted / every;
}
