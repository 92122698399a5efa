/* Whole hands of five-card stud, played by two players. */
#ifndef POKERMODEL_STUD_PLAY_H
#define POKERMODEL_STUD_PLAY_H

#include "pokermodel/stud/stud_player.h"

enum { PM_STUD_MOST_ACTS = 24 }; /* pass, bet, three raises and a call in each round */

/* An act in eight bits: act (2), player (1), round (2), whether there was a bet to call, whether no raise was allowed,
 * whether it is a bluff. */
static inline uint8_t pm_stud_code(const pm_stud *s, int act, int bluffed)
{
    int code = act | s->seat << 2 | s->round << 3 | (pm_stud_owed(s) > 0) << 5 | pm_stud_capped(s) << 6 | bluffed << 7;
    return (uint8_t)code;
}

/* The record of a hand. */
typedef struct {
    uint8_t card[2][PM_STUD_CARDS];
    uint8_t acts[PM_STUD_MOST_ACTS];
    double p[PM_STUD_MOST_ACTS][3];
    double win[PM_STUD_MOST_ACTS];
    int n, payoff, showdown;
} pm_stud_record;

/* Play a hand of two players from its cards in `s`; each draws from a stream of its own. */
static inline void pm_stud_play(pm_stud *s, const pm_stud_player **player, const pm_evaluator *e,
                                pm_random *random, pm_stud_record *record)
{
    pm_stud_belief belief[2];
    int round = -1, acted = 0;
    record->n = 0;
    pm_stud_begin(s);
    while (s->seat >= 0) {
        pm_stud_choice choice;
        int me = s->seat, bluffed, act;
        if (s->round != round) {
            round = s->round;
            acted = 0;
            for (int k = 0; k < 2; k++)
                pm_stud_new_round(&player[k]->reader, e, s, k, &belief[k]);
        }
        pm_stud_decide(player[me], e, s, &belief[me], !(acted >> me & 1), &choice);
        act = pm_stud_draw(&choice, &random[me], &bluffed);
        acted |= 1 << me;
        record->acts[record->n] = pm_stud_code(s, act, bluffed);
        record->win[record->n] = choice.win;
        for (int k = 0; k < 3; k++)
            record->p[record->n][k] = choice.p[k];
        record->n++;
        pm_stud_observe(&player[1 - me]->reader, s, act, &belief[1 - me]);
        pm_stud_act(s, act);
    }
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < PM_STUD_CARDS; j++)
            record->card[k][j] = s->card[k][j];
    record->showdown = s->folded < 0;
    record->payoff = pm_stud_payoff(s, e);
}

#endif
