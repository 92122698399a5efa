/* The betting of a subgame for two players as a tree, grown from the rules.
 *
 * Betting does not depend on cards, so the tree has none: a node of a later street stands for that node on every board.
 * Nodes are numbered as a walk meets them that goes down first (the root is 0, the first child follows its parent, and
 * `end` is the number after a node's subtree), so a subtree is a range of numbers, in the list of each street, too.
 *
 * A street counts from the root: 0 is the one in which the subgame begins. Seat 0 is out of position. Chips are what
 * rules.h counts in; the pot of the root is dead money there, so that what seats have in is what they put in since.
 */
#ifndef POKERMODEL_BETTING_TREE_H
#define POKERMODEL_BETTING_TREE_H

#include <stdlib.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/vectors/simd.h"

/* What a size of a menu is. */
enum {
    PM_SIZE_POT,       /* the call and a share of the pot after it */
    PM_SIZE_LEAST,     /* the least that the rules allow */
    PM_SIZE_ALL_IN,    /* the most */
    PM_SIZE_GEOMETRIC, /* the share of the pot that, bet on every street from here, is all-in on the river */
    PM_SIZE_TIMES,     /* so many times the bet that is faced */
    PM_SIZE_TO         /* so many chips, put in on this street in all */
};

enum { PM_NODE_DECISION, PM_NODE_DEAL, PM_NODE_FOLD, PM_NODE_SHOWDOWN };

enum {
    PM_MENU_SIZES = 12,
    PM_NODE_ACTS = PM_MENU_SIZES + 2,
    PM_STREETS = 4, /* most streets of a tree */
    /* Most acts and deals on the way to a node: growing recurses, and threads of some systems have 512 kB of stack. */
    PM_TREE_DEPTH = 256
};

typedef struct {
    int kind;
    double share; /* or the factor, or the chips */
} pm_size;

/* The sizes of one player in one round. */
typedef struct {
    int bets, raises, leads;
    pm_size bet[PM_MENU_SIZES], raise[PM_MENU_SIZES], lead[PM_MENU_SIZES];
    int donk; /* whether they may bet first into who bet or raised last in the round before, which is a lead */
} pm_menu_sizes;

typedef struct {
    pm_menu_sizes of[PM_ROUNDS][2];
    double all_in_share; /* a bet that leaves at most this share of the pot after a call is all-in */
    double rake;         /* share of what was matched */
    double rake_cap;     /* in chips; infinite if there is none */
} pm_menu;

typedef struct {
    int32_t parent;   /* -1 of the root */
    int32_t end;      /* the number after the subtree */
    int32_t place;    /* in the list of its street */
    int32_t place_end;
    int32_t lanes;    /* ends of the hand in the subtree that are on its own street */
    int32_t decision; /* its number among the decisions of its street; -1 */
    int8_t kind;
    int8_t player; /* who acts, or who folded */
    int8_t acts;   /* children of a decision */
    int8_t street;
    int8_t act;     /* what led here: an act, or -1 for a deal and the root */
    int64_t put[2]; /* chips that each has put in since the root */
    int64_t offset; /* of a decision: first of its numbers in the block of a board */
    float pay[2][3]; /* of an end: what each player wins, if they lose, tie, win; half the root's pot is 0 */
} pm_tree_node;

typedef struct {
    int64_t nodes;
    int streets;
    int64_t most; /* nodes at which growing ends */
    int64_t decisions[PM_STREETS];
    int64_t acts[PM_STREETS][2];   /* of all decisions of a player */
    int64_t block[PM_STREETS];     /* numbers of a board */
    int32_t *list[PM_STREETS];     /* nodes of a street */
    int32_t listed[PM_STREETS];
    pm_tree_node *node; /* NULL while nodes are only counted */
} pm_betting_tree;

typedef struct {
    pm_betting_tree *tree;
    const pm_menu *menu;
    int first_round;
    int64_t pot; /* of the root */
} pm_tree_grower;

/* The n-th root of a number from 1 on, by Newton's method: libraries differ in their last digits, and need linking. */
static inline double pm_nth_root(double x, int n)
{
    PM_NO_CONTRACT
    double root = x;
    for (int k = 0; k < 200; k++) { /* falls until it is there */
        double power = 1.0, next;
        for (int i = 1; i < n; i++)
            power *= root;
        next = ((n - 1) * root + x / power) / n;
        if (!(next < root))
            break;
        root = next;
    }
    return root;
}

/* The state at the root: everybody checks until the round in which the subgame begins. */
static inline void pm_subgame_begin(pm_state *s, const pm_table *table, int round)
{
    pm_begin(s, table);
    while (s->seat >= 0 && s->round < round)
        pm_act(s, PM_CALL);
}

/* What the seat to act may raise to by its menu, over the subgame, rising; returns how many. */
static inline int pm_menu_raises(const pm_menu *menu, const pm_state *s, int aggressor, int64_t *to)
{
    const pm_menu_sizes *sizes = &menu->of[s->round][(int)s->seat];
    const int facing = s->level > s->base;
    const int64_t most = pm_most_raise(s, s->seat), least = pm_least_raise(s, s->seat);
    const int64_t all = s->table->limit[(int)s->seat], after = s->pot + s->level - s->in[(int)s->seat];
    const int leads = !facing && aggressor >= 0 && aggressor != s->seat && s->acted == 0;
    const pm_size *size = facing ? sizes->raise : leads ? sizes->lead : sizes->bet;
    int n = facing ? sizes->raises : leads ? sizes->leads : sizes->bets, found = 0;
    if (!(pm_legal(s) >> PM_RAISE & 1))
        return 0;
    if (leads && !sizes->donk)
        return 0;
    if (s->table->structure == PM_LIMIT) {
        to[0] = least;
        return 1;
    }
    for (int k = 0; k < n; k++) {
        double share = size[k].share;
        int64_t amount = most;
        int at;
        if (size[k].kind == PM_SIZE_LEAST)
            amount = least;
        if (size[k].kind == PM_SIZE_GEOMETRIC)
            share = (pm_nth_root(1.0 + 2.0 * (double)(all - s->level) / (double)after, PM_ROUNDS - s->round) - 1.0) / 2.0;
        if (size[k].kind == PM_SIZE_POT || size[k].kind == PM_SIZE_GEOMETRIC) {
            const double chips = share * (double)after + 0.5;
            amount = chips > (double)all ? all : s->level + (int64_t)chips;
        }
        if (size[k].kind == PM_SIZE_TIMES || size[k].kind == PM_SIZE_TO) {
            const double chips = share * (size[k].kind == PM_SIZE_TO ? 1.0 : (double)(s->level - s->base)) + 0.5;
            amount = chips > (double)all ? all : s->base + (int64_t)chips;
        }
        amount = amount < least ? least : amount > most ? most : amount;
        if (most == all && (double)(all - amount) <= menu->all_in_share * (double)(after + 2 * (amount - s->level)))
            amount = all;
        for (at = found; at > 0 && to[at - 1] > amount; at--)
            ;
        if (at > 0 && to[at - 1] == amount)
            continue;
        for (int other = found++; other > at; other--)
            to[other] = to[other - 1];
        to[at] = amount;
    }
    return found;
}

/* What each player wins at the end of a hand that both, or one of them, stayed in. */
static inline void pm_tree_pay(const pm_tree_grower *g, const pm_state *s, float pay[2][3])
{
    const int64_t matched = g->pot + 2 * (s->in[0] < s->in[1] ? s->in[0] : s->in[1]);
    double rake = g->menu->rake * (double)matched;
    if (rake > g->menu->rake_cap)
        rake = g->menu->rake_cap;
    for (int result = 0; result < 3; result++) { /* seat 0 loses, ties, wins */
        const int32_t ranks[2] = {result, 1};
        double won[PM_SEATS];
        int winners = 0;
        int alone = pm_is_showdown(s) ? 0 : 1;
        pm_winnings(s, ranks, won);
        for (int seat = 0; seat < 2; seat++)
            winners += alone ? (int)(s->live >> seat & 1) : seat ? result <= 1 : result >= 1;
        for (int seat = 0; seat < 2; seat++) {
            const int wins = alone ? (int)(s->live >> seat & 1) : seat ? result <= 1 : result >= 1;
            const double net = won[seat] - (wins ? rake / winners : 0.0) - (double)s->in[seat] - 0.5 * (double)g->pot;
            pay[seat][seat ? 2 - result : result] = (float)net;
        }
    }
}

/* Add a node; its number, or -1 when there are too many. */
static inline int32_t pm_tree_add(const pm_tree_grower *g, const pm_state *s, int kind, int player, int street,
                                  int32_t parent, int act)
{
    pm_betting_tree *t = g->tree;
    const int32_t number = (int32_t)t->nodes;
    if (t->nodes >= t->most)
        return -1;
    t->nodes++;
    t->listed[street]++;
    if (t->node) {
        pm_tree_node *node = t->node + number;
        memset(node, 0, sizeof *node);
        node->kind = (int8_t)kind;
        node->player = (int8_t)player;
        node->street = (int8_t)street;
        node->parent = parent;
        node->act = (int8_t)act;
        node->place = t->listed[street] - 1;
        node->decision = -1;
        t->list[street][node->place] = number;
        for (int seat = 0; seat < 2; seat++)
            node->put[seat] = s->in[seat];
        if (kind == PM_NODE_FOLD || kind == PM_NODE_SHOWDOWN)
            pm_tree_pay(g, s, node->pay);
    }
    return number;
}

static inline void pm_tree_close(pm_betting_tree *t, int32_t number)
{
    if (t->node)
        t->node[number].end = (int32_t)t->nodes;
}

/* Grow the subtree of a state that an act led to. `before` bet or raised last in the round before, `now` in this one;
 * -1 for nobody. Returns -1 when there are too many nodes, -2 when there are more acts on the way than PM_TREE_DEPTH. */
static inline int pm_tree_grow(const pm_tree_grower *g, const pm_state *s, int street, int32_t parent, int act,
                               int before, int now, int depth)
{
    pm_betting_tree *t = g->tree;
    int64_t to[PM_MENU_SIZES];
    int32_t number;
    int acts = 0, raises, failed = 0;
    if (depth > PM_TREE_DEPTH)
        return -2;
    if (pm_is_over(s) && !pm_is_showdown(s)) {
        number = pm_tree_add(g, s, PM_NODE_FOLD, s->live & 1 ? 1 : 0, street, parent, act);
        pm_tree_close(t, number);
        return number < 0 ? -1 : 0;
    }
    if (pm_is_over(s) && street == t->streets - 1) {
        number = pm_tree_add(g, s, PM_NODE_SHOWDOWN, -1, street, parent, act);
        pm_tree_close(t, number);
        return number < 0 ? -1 : 0;
    }
    if (pm_is_over(s) || s->round - g->first_round > street) {
        number = pm_tree_add(g, s, PM_NODE_DEAL, -1, street, parent, act);
        failed = number < 0 ? -1 : pm_tree_grow(g, s, street + 1, number, -1, now, -1, depth + 1);
        if (failed)
            return failed;
        pm_tree_close(t, number);
        return 0;
    }
    number = pm_tree_add(g, s, PM_NODE_DECISION, s->seat, street, parent, act);
    if (number < 0)
        return -1;
    raises = pm_menu_raises(g->menu, s, before, to);
    if (t->node)
        t->node[number].decision = (int32_t)t->decisions[street];
    t->decisions[street]++;
    for (int choice = -2; choice < raises && !failed; choice++) {
        const int what = choice == -2 ? PM_FOLD : choice == -1 ? PM_CALL : PM_RAISE;
        pm_state next = *s;
        if (!(pm_legal(s) >> what & 1))
            continue;
        pm_act_to(&next, what, what == PM_RAISE ? to[choice] : 0);
        failed = pm_tree_grow(g, &next, street, number, what, before, what == PM_RAISE ? s->seat : now, depth + 1);
        acts++;
    }
    if (failed)
        return failed;
    t->acts[street][(int)s->seat] += acts;
    if (t->node)
        t->node[number].acts = (int8_t)acts;
    pm_tree_close(t, number);
    return 0;
}

/* Count the nodes of a subgame, at most `most`; -1 if there are more, -2 if a line is too long. Nothing is allocated. */
static inline int pm_tree_count(pm_betting_tree *t, const pm_table *table, const pm_menu *menu, int round, int64_t most)
{
    const pm_tree_grower g = {t, menu, round, table->dead[0] + table->dead[1]};
    pm_state s;
    memset(t, 0, sizeof *t);
    t->streets = PM_ROUNDS - round;
    t->most = most;
    pm_subgame_begin(&s, table, round);
    return pm_tree_grow(&g, &s, 0, -1, -1, -1, -1, 0);
}

static inline void pm_tree_free(pm_betting_tree *t)
{
    free(t->node);
    for (int s = 0; s < PM_STREETS; s++)
        free(t->list[s]);
    memset(t, 0, sizeof *t);
}

/* Grow a tree that was counted. `pad` is how many numbers a player's strategy has for each act. Returns -1 if there is
 * no memory. */
static inline int pm_tree_make(pm_betting_tree *t, const pm_table *table, const pm_menu *menu, int round, const int pad[2])
{
    const pm_tree_grower g = {t, menu, round, table->dead[0] + table->dead[1]};
    const int64_t nodes = t->nodes;
    int32_t listed[PM_STREETS];
    pm_state s;
    memcpy(listed, t->listed, sizeof listed);
    memset(t, 0, sizeof *t);
    t->streets = PM_ROUNDS - round;
    t->most = nodes;
    t->node = (pm_tree_node *)malloc((size_t)nodes * sizeof *t->node);
    for (int street = 0; street < t->streets; street++) {
        t->list[street] = (int32_t *)malloc(((size_t)listed[street] + 1) * sizeof **t->list);
        if (!t->list[street]) {
            pm_tree_free(t);
            return -1;
        }
    }
    if (!t->node) {
        pm_tree_free(t);
        return -1;
    }
    pm_subgame_begin(&s, table, round);
    pm_tree_grow(&g, &s, 0, -1, -1, -1, -1, 0);
    /* player by player, since half of a walk reads the numbers of one and the other half those of the other */
    for (int player = 0; player < 2; player++)
        for (int32_t k = 0; k < (int32_t)t->nodes; k++) {
            pm_tree_node *node = t->node + k;
            if (node->kind != PM_NODE_DECISION || node->player != player)
                continue;
            node->offset = t->block[(int)node->street];
            t->block[(int)node->street] += (int64_t)node->acts * pad[player];
        }
    for (int32_t k = (int32_t)t->nodes - 1; k >= 0; k--) {
        pm_tree_node *node = t->node + k;
        node->place_end = node->place + 1;
        node->lanes = node->kind == PM_NODE_FOLD || node->kind == PM_NODE_SHOWDOWN;
        if (node->kind == PM_NODE_DECISION)
            for (int32_t child = k + 1; child < node->end; child = t->node[child].end) {
                node->place_end = t->node[child].place_end;
                node->lanes += t->node[child].lanes;
            }
    }
    return 0;
}

#endif
