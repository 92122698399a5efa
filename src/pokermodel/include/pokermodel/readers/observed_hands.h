/* What a finished hand says of the players who acted in it, for tables by class of holding.
 *
 * Everything that somebody whose cards were never seen can have held is a tree: a node of a round is the holdings of the
 * same classes up to it. Its parent is one of the round before, and nodes are in the order of their classes.
 *
 * A hand is kept as bytes: a pm_observed_head, and then, each beginning where the one before ends,
 *
 *   int16   cells[actions][PM_TABLE_CELLS]
 *   uint16  parent[nodes], of the rounds one after the other; 0 before the flop
 *   uint16  mass[masses][nodes]
 *   uint8   actor[actions], round[actions], act[actions], legal[actions]
 *   int8    shown[players][rounds]
 *   uint8   classes[nodes]
 */
#ifndef POKERMODEL_OBSERVED_HANDS_H
#define POKERMODEL_OBSERVED_HANDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/board_classes.h"
#include "pokermodel/evaluation/cards.h"

#define PM_TABLE_CLASSES 22
#define PM_TABLE_CELLS 5 /* of an action: its situation, and its place in each division that all players share */
#define PM_TABLE_ROUNDS 4

typedef struct {
    int16_t actions, players, masses, rounds;
    int16_t nodes[PM_TABLE_ROUNDS];
} pm_observed_head;

typedef struct {
    int actions, players;
    int masses; /* 1, or as many as there are players */
    int rounds, all_nodes;
    int nodes[PM_TABLE_ROUNDS], first[PM_TABLE_ROUNDS]; /* of each round, and where they begin */
    const int16_t *cells;
    const uint16_t *parent, *mass;
    const uint8_t *actor, *round, *act; /* of each action */
    const uint8_t *legal;               /* bits of the acts that were offered */
    const int8_t *shown;                /* classes of those whose cards were seen, -1 of the others */
    const uint8_t *classes;
} pm_observed_hand;

static inline size_t pm_observed_size(const pm_observed_hand *h)
{
    const size_t nodes = (size_t)h->all_nodes;
    return sizeof(pm_observed_head) + (size_t)h->actions * (2 * PM_TABLE_CELLS + 4) +
           nodes * (2 + 2 * (size_t)h->masses + 1) + (size_t)h->players * (size_t)h->rounds;
}

/* Point to the parts of a hand whose numbers are set. */
static inline void pm_observed_parts(pm_observed_hand *h, const uint8_t *bytes)
{
    const int nodes = h->all_nodes;
    h->cells = (const int16_t *)(const void *)(bytes + sizeof(pm_observed_head));
    h->parent = (const uint16_t *)(const void *)(h->cells + h->actions * PM_TABLE_CELLS);
    h->mass = h->parent + nodes;
    h->actor = (const uint8_t *)(h->mass + h->masses * nodes);
    h->round = h->actor + h->actions;
    h->act = h->round + h->actions;
    h->legal = h->act + h->actions;
    h->shown = (const int8_t *)(h->legal + h->actions);
    h->classes = (const uint8_t *)(h->shown + h->players * h->rounds);
}

/* Read a hand; `bytes` must be aligned for 16-bit integers, and stay. NULL, or what is wrong. */
static inline const char *pm_observed_read(pm_observed_hand *h, const uint8_t *bytes, size_t size)
{
    pm_observed_head head;
    if (size < sizeof head)
        return "it is too short";
    memcpy(&head, bytes, sizeof head);
    if (head.actions < 1 || head.players < 1 || (head.masses != 1 && head.masses != head.players) || head.rounds < 1 ||
        head.rounds > PM_TABLE_ROUNDS)
        return "its numbers are out of range";
    h->actions = head.actions;
    h->players = head.players;
    h->masses = head.masses;
    h->rounds = head.rounds;
    h->all_nodes = 0;
    for (int round = 0; round < h->rounds; round++) {
        if (head.nodes[round] < 1 || head.nodes[round] > PM_HOLDINGS)
            return "a round has too few nodes or too many";
        h->nodes[round] = head.nodes[round];
        h->first[round] = h->all_nodes;
        h->all_nodes += head.nodes[round];
    }
    if (size != pm_observed_size(h))
        return "its size is another one";
    pm_observed_parts(h, bytes);
    for (int a = 0; a < h->actions; a++)
        if (h->actor[a] >= h->players || h->round[a] >= h->rounds || h->act[a] > 2 || h->legal[a] > 7 ||
            !(h->legal[a] >> h->act[a] & 1))
            return "there is no such action";
    for (int k = 0; k < h->all_nodes; k++)
        if (h->classes[k] >= PM_TABLE_CLASSES)
            return "there is no such class";
    for (int round = 1; round < h->rounds; round++)
        for (int k = 0; k < h->nodes[round]; k++)
            if (h->parent[h->first[round] + k] >= h->nodes[round - 1])
                return "there is no such parent";
    for (int player = 0; player < h->players; player++) {
        const int8_t *shown = h->shown + player * h->rounds;
        for (int round = 0; round < h->rounds; round++)
            if (shown[round] >= PM_TABLE_CLASSES || (shown[0] >= 0 && shown[round] < 0))
                return "there is no such class that was shown";
    }
    return NULL;
}

typedef int pm_round_board[5];
typedef uint8_t pm_round_classes[PM_HOLDINGS];

/* Nodes of one round. */
typedef struct {
    int n;
    uint16_t parent[PM_HOLDINGS], mass[PM_HOLDINGS], lost[PM_HOLDINGS];
    uint8_t class_[PM_HOLDINGS];
} pm_nodes;

#define PM_NODE_PLACES 24 /* of the nodes below one: no fewer than there are classes, in words of eight */

/* Eight bytes as a word, the first the lowest. */
static inline uint64_t pm_eight_bytes(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++)
        word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

/* Divide holdings into nodes, round by round, by their classes in it; `node` gets those of the last round. */
static inline void pm_divide_nodes(pm_nodes *nodes, int rounds, pm_round_classes *classes,
                                   const uint16_t *holding, uint16_t *node, int n)
{
    uint8_t mark[PM_HOLDINGS * PM_NODE_PLACES];
    uint16_t number[PM_HOLDINGS * PM_NODE_PLACES];
    int before = 1;
    for (int round = 0; round < rounds; round++) {
        pm_nodes *to = nodes + round;
        const uint8_t *of = classes[round];
        memset(mark, 0, (size_t)(before * PM_NODE_PLACES));
        for (int k = 0; k < n; k++) {
            const int place = (round ? number[node[k]] * PM_NODE_PLACES : 0) + of[holding[k]];
            node[k] = (uint16_t)place;
            mark[place] = 1;
        }
        to->n = 0;
        for (int parent = 0; parent < before; parent++)
            for (int first = 0; first < PM_NODE_PLACES; first += 8)
                for (uint64_t left = pm_eight_bytes(mark + parent * PM_NODE_PLACES + first); left; left &= left - 1) {
                    const int class_ = first + pm_lowest_bit(left) / 8;
                    number[parent * PM_NODE_PLACES + class_] = (uint16_t)to->n;
                    to->parent[to->n] = (uint16_t)parent;
                    to->class_[to->n++] = (uint8_t)class_;
                }
        before = to->n;
    }
    for (int k = 0; k < n; k++)
        node[k] = number[node[k]];
}

/* Count how many holdings each node is, and how many of those that are `losing`, unless that is NULL; `node` has those
 * of the last round. */
static inline void pm_count_nodes(pm_nodes *nodes, int rounds, const uint16_t *holding, const uint16_t *node, int n,
                                  const uint8_t *losing)
{
    pm_nodes *last = nodes + rounds - 1;
    uint16_t other[PM_HOLDINGS]; /* neighbours are often of one node, and would wait for each other */
    memset(other, 0, (size_t)last->n * sizeof *other);
    for (int round = 0; round < rounds; round++) {
        memset(nodes[round].mass, 0, (size_t)nodes[round].n * sizeof(uint16_t));
        memset(nodes[round].lost, 0, (size_t)nodes[round].n * sizeof(uint16_t));
    }
    for (int k = 0; k + 1 < n; k += 2) {
        last->mass[node[k]]++;
        other[node[k + 1]]++;
    }
    if (n & 1)
        last->mass[node[n - 1]]++;
    for (int k = 0; k < last->n; k++)
        last->mass[k] = (uint16_t)(last->mass[k] + other[k]);
    for (int k = 0; losing != NULL && k < n; k++)
        last->lost[node[k]] = (uint16_t)(last->lost[node[k]] + losing[holding[k]]);
    for (; last > nodes; last--)
        for (int k = 0; k < last->n; k++) {
            pm_nodes *before = last - 1;
            before->mass[last->parent[k]] = (uint16_t)(before->mass[last->parent[k]] + last->mass[k]);
            before->lost[last->parent[k]] = (uint16_t)(before->lost[last->parent[k]] + last->lost[k]);
        }
}

/* The holdings without a dead card, in order; returns how many there are. */
static inline int pm_live_holdings(uint64_t dead, uint16_t *holding)
{
    int n = 0;
    for (int high = 1; high < PM_CARDS; high++)
        if (!(dead & pm_card_bit(high)))
            for (int low = 0, first = high * (high - 1) / 2; low < high; low++) {
                holding[n] = (uint16_t)(first + low);
                n += !(dead & pm_card_bit(low));
            }
    return n;
}

/* The classes of all holdings in each round of a hand, and the tree of those without a dead card; returns the number of
 * nodes. A round in which nobody acted has no board, and the classes before the flop. */
static inline int pm_observed_tree(const pm_evaluator *e, pm_round_board *board, const int *on_board, int rounds,
                                   const uint8_t *preflop, const pm_class_borders *borders, uint64_t dead,
                                   const uint8_t *losing, pm_round_classes *classes, pm_nodes *nodes)
{
    uint16_t holding[PM_HOLDINGS], node[PM_HOLDINGS];
    const int n = pm_live_holdings(dead, holding);
    int all = 0;
    for (int round = 0; round < rounds; round++)
        if (on_board[round] > 0)
            pm_board_classes(e, board[round], on_board[round], borders, classes[round]);
        else
            memcpy(classes[round], preflop, PM_HOLDINGS);
    pm_divide_nodes(nodes, rounds, classes, holding, node, n);
    pm_count_nodes(nodes, rounds, holding, node, n, losing);
    for (int round = 0; round < rounds; round++)
        all += nodes[round].n;
    return all;
}

/* Which holdings, of those that are live, lose on a whole board to a hand of a rank; returns whether any does. */
static inline int pm_losing_holdings(const pm_evaluator *e, const int *board, uint64_t dead, unsigned best,
                                     uint8_t *losing)
{
    pm_hand hand = pm_hand_empty();
    int any = 0;
    for (int k = 0; k < 5; k++)
        hand = pm_hand_add(e, hand, board[k]);
    for (int high = 1, holding = 0; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++, holding++) {
            losing[holding] = 0;
            if (!(dead & (pm_card_bit(high) | pm_card_bit(low))))
                losing[holding] = pm_hand_rank(e, pm_hand_add(e, pm_hand_add(e, hand, high), low)) < best;
            any |= losing[holding];
        }
    return any;
}

#endif
