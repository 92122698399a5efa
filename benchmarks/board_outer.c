/* The textbook order of work for the potential of one holding on a flop, as fast as our own evaluator makes it: for
 * every turn and river, rank the hero once and every opponent's holding once, and count by who is ahead. */
#include "pokermodel/evaluator_tables.h"

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
