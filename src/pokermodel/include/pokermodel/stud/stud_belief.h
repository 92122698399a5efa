/* How a player of five-card stud reads the opponent: the networks of the Bayesian Poker Program.
 *
 * Tables say how states of hands go together and what the opponent does in each state; a belief takes in the opponent's
 * acts; the two give the probability of winning.
 */
#ifndef POKERMODEL_STUD_BELIEF_H
#define POKERMODEL_STUD_BELIEF_H

#include "pokermodel/evaluation/hand_types.h"
#include "pokermodel/stud/stud_rules.h"

/* Classes of acts: fold, call and raise by context (nothing owed, a bet to call, the last bet to call); or those of the
 * published programs, which leave folds out (Carlton 2000): passive and aggressive, or pass, bet, call and raise. */
enum { PM_BY_CONTEXT, PM_TWO_CLASSES, PM_FOUR_CLASSES };

enum { PM_STUD_SITUATIONS = 12, PM_STUD_ACTS = 4 }; /* the size of every table */

#define PM_STUD_ROW(situation, state) (((situation)*PM_STATES + (state)) * PM_STUD_ACTS)

/* The row of a table: by round, whether there is a bet to call, and whether no raise is allowed. */
static inline int pm_stud_situation(int form, int round, int facing, int capped)
{
    return form == PM_BY_CONTEXT ? 3 * round + (facing ? 1 + capped : 0) : round;
}

/* The column of an act in a table; -1 for a fold if the form leaves folds out. */
static inline int pm_stud_column(int form, int facing, int act)
{
    if (form == PM_BY_CONTEXT)
        return act;
    if (act == PM_FOLD)
        return -1;
    return (form == PM_FOUR_CLASSES ? 2 * facing : 0) + (act == PM_RAISE);
}

/* How a player reads the opponent's hand. */
typedef struct {
    pm_type_scheme types;
    int form;               /* of the table of the opponent's acts */
    int carries;            /* whether belief about the card face down outlasts a round */
    int by_cards;           /* whether hands are compared card by card in the last round; needs `carries` */
    const double *winning;  /* (rounds, own state, opponent's state): probability of both and of a win */
    const double *both;     /* (rounds, own state, opponent's state): probability of both */
    const double *upcards;  /* (rounds, opponent's upcards, opponent's state): P(upcards | state) */
    const double *opponent; /* (situations, opponent's state, acts): P(act | state, situation) */
} pm_stud_reader;

/* Belief about the opponent's hand, from the acts seen so far. */
typedef struct {
    double likelihood[PM_STATES]; /* of the acts of this round, by the opponent's state */
    double card[PM_CARDS];        /* of all acts, by the opponent's card face down */
    uint8_t state_of_card[PM_CARDS];
} pm_stud_belief;

/* Begin a round as player `me`: forget the acts of the round before, and take in the cards dealt since. */
static inline void pm_stud_new_round(const pm_stud_reader *reader, const pm_evaluator *e, const pm_stud *s, int me,
                                     pm_stud_belief *belief)
{
    int n = s->round + 2, opponent = 1 - me;
    uint8_t cards[PM_STUD_CARDS];
    for (int k = 0; k < PM_STATES; k++)
        belief->likelihood[k] = 1.0;
    if (!reader->carries)
        return;
    if (s->round == 0)
        for (int card = 0; card < PM_CARDS; card++)
            belief->card[card] = 1.0;
    for (int k = 0; k < n; k++)
        belief->card[s->card[me][k]] = 0.0;
    for (int k = 1; k < n; k++)
        belief->card[cards[k] = s->card[opponent][k]] = 0.0;
    for (int card = 0; card < PM_CARDS; card++) {
        if (belief->card[card] == 0.0)
            continue;
        cards[0] = (uint8_t)card;
        belief->state_of_card[card] = (uint8_t)pm_hand_state(&reader->types, e, cards, n);
    }
}

/* Take in an act of the opponent; `s` is the state before it. If the tables give the act probability 0 with every card,
 * a carried belief is left unchanged: otherwise nothing would remain of it for the rest of the hand. */
static inline void pm_stud_observe(const pm_stud_reader *reader, const pm_stud *s, int act, pm_stud_belief *belief)
{
    int facing = pm_stud_owed(s) > 0, column = pm_stud_column(reader->form, facing, act);
    const double *table;
    if (column < 0)
        return;
    table = reader->opponent + PM_STUD_ROW(pm_stud_situation(reader->form, s->round, facing, pm_stud_capped(s)), 0);
    if (reader->carries) {
        int possible = 0;
        for (int card = 0; card < PM_CARDS && !possible; card++)
            if (belief->card[card] > 0.0)
                possible = belief->card[card] * table[PM_STUD_ACTS * belief->state_of_card[card] + column] > 0.0;
        for (int card = 0; card < PM_CARDS && possible; card++)
            if (belief->card[card] > 0.0)
                belief->card[card] *= table[PM_STUD_ACTS * belief->state_of_card[card] + column];
    } else {
        for (int k = 0; k < PM_STATES; k++)
            belief->likelihood[k] *= table[PM_STUD_ACTS * k + column];
    }
}

/* The probability of winning, and that of each state of the opponent. Acts to which the tables give probability 0 in
 * every state are ignored. */
static inline double pm_stud_win(const pm_stud_reader *reader, int round, int own, int up,
                                 const pm_stud_belief *belief, double state[PM_STATES])
{
    size_t row = ((size_t)round * PM_STATES + (size_t)own) * PM_STATES;
    const double *winning = reader->winning + row, *both = reader->both + row;
    const double *upcards = reader->upcards + ((size_t)round * PM_STATES + (size_t)up) * PM_STATES;
    double win = 0.0, total = 0.0;
    if (reader->carries) {
        for (int k = 0; k < PM_STATES; k++)
            state[k] = 0.0;
        for (int card = 0; card < PM_CARDS; card++)
            if (belief->card[card] > 0.0)
                state[belief->state_of_card[card]] += belief->card[card];
        for (int k = 0; k < PM_STATES; k++) {
            total += state[k];
            if (state[k] > 0.0 && both[k] > 0.0)
                win += state[k] * winning[k] / both[k];
        }
    } else {
        for (int attempt = 0; attempt < 2 && total <= 0.0; attempt++)
            for (int k = 0; k < PM_STATES; k++) {
                double weight = attempt ? upcards[k] : upcards[k] * belief->likelihood[k];
                state[k] = weight * both[k];
                total += state[k];
                win += weight * winning[k];
            }
    }
    if (total <= 0.0) {
        for (int k = 0; k < PM_STATES; k++)
            state[k] = 0.0;
        return 0.5;
    }
    for (int k = 0; k < PM_STATES; k++)
        state[k] /= total;
    return win / total;
}

/* The probability of winning in the last round, from the belief about single cards: no card is left to be dealt. */
static inline double pm_stud_win_by_cards(const pm_evaluator *e, const pm_stud *s, int me, const double card[PM_CARDS])
{
    pm_hand own = pm_hand_empty(), up = pm_hand_empty();
    double win = 0.0, total = 0.0;
    unsigned rank;
    for (int k = 0; k < PM_STUD_CARDS; k++) {
        own = pm_hand_add(e, own, s->card[me][k]);
        if (k)
            up = pm_hand_add(e, up, s->card[1 - me][k]);
    }
    rank = pm_hand_rank(e, own);
    for (int down = 0; down < PM_CARDS; down++) {
        unsigned other;
        if (card[down] <= 0.0)
            continue;
        other = pm_hand_rank(e, pm_hand_add(e, up, down));
        total += card[down];
        win += card[down] * (rank > other ? 1.0 : rank == other ? 0.5 : 0.0);
    }
    return total > 0.0 ? win / total : 0.5;
}

#endif
