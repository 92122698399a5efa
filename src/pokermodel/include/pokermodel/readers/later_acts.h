/* What the hero does at later decisions of a play-out, by what such decisions were worth in other play-outs.
 *
 * What an act is worth there, to the end of the hand and in shares of the pot, is taken to be a linear function of a few things
 * that the hero sees: how strong their hand is, for so many opponents, its draws, the price, and how many are still to act.
 * There is a function for each act and each of a few kinds of decisions, fitted by least squares to what came of it: Monte Carlo
 * control with a regression (Longstaff and Schwartz 2001, who let it decide when an option is exercised). The alternative, a
 * table of acts by kinds and bins, needs far more play-outs than a decision can have; and what is best in the few that come to
 * one node of a tree is best against the very cards that they were dealt.
 */
#ifndef POKERMODEL_LATER_ACTS_H
#define POKERMODEL_LATER_ACTS_H

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/game/rules.h"
#include "pokermodel/readers/holding_features.h"

enum {
    PM_LATER_FACING = 3,                     /* no bet, a bet, or a raise */
    PM_LATER_KINDS = 4 * PM_LATER_FACING * 2, /* by round, what is faced, and whether the hero bet or raised last */
    PM_LATER_ACTS = 2,                       /* a call, which may be a check, and a raise: a fold is worth nothing */
    PM_LATER_BASIS = 7,
    PM_LATER_NODES = 32                      /* of a play-out; what is beyond counts as the last one */
};

/* A later decision of the hero. */
typedef struct {
    int kind, act;
    double scale;  /* the pot, if the hero calls */
    double before; /* chips that the hero put in since the root */
    double known;  /* what the play-out had given by then, by folds that ended a part of it */
    double weight; /* of the part that went on */
    double basis[PM_LATER_BASIS];
} pm_later;

typedef struct {
    const double *worth;   /* coefficients by kind, act and basis; NULL: the hero does what the reader expects of them */
    double share;          /* of the pot after a call that bets and raises have; 0 for the least */
    double *gram, *moment; /* sums of products, by kind and act */
} pm_later_rule;

/* The middle of each bin of strength. */
static const double PM_LATER_STRENGTHS[PM_STRENGTHS] = {.05, .15, .25,  .35,  .45,  .55,  .64, .715,
                                                        .785, .845, .89, .925, .9525, .975, .99, .9975};
/* What draws count: none, to a straight by one rank, by two or more, and these with one to a flush. */
static const double PM_LATER_DRAWS[PM_DRAWS] = {0, .4, .8, 1, 1.2, 1.5};

static inline void pm_later_basis(int bin, int draw, int opponents, int behind, double price, double *basis)
{
    const double strength = PM_LATER_STRENGTHS[bin];
    double best = 1.0;
    for (int k = 0; k < opponents; k++)
        best *= strength;
    basis[0] = 1.0;
    basis[1] = strength;
    basis[2] = best;
    basis[3] = best * best * best;
    basis[4] = PM_LATER_DRAWS[draw];
    basis[5] = price;
    basis[6] = (double)behind / opponents;
}

static inline double pm_later_worth(const pm_later_rule *rule, const pm_later *now, int act)
{
    const double *worth = rule->worth + (now->kind * PM_LATER_ACTS + act - PM_CALL) * PM_LATER_BASIS;
    double sum = 0.0;
    for (int k = 0; k < PM_LATER_BASIS; k++)
        sum += worth[k] * now->basis[k];
    return sum;
}

/* The act that is worth most, of those that are legal; -1 if there is no rule yet. */
static inline int pm_later_best(const pm_later_rule *rule, const pm_later *now, unsigned legal)
{
    double most, raised;
    int act = PM_CALL;
    if (!rule->worth)
        return -1;
    most = pm_later_worth(rule, now, PM_CALL);
    if (legal >> PM_RAISE & 1) {
        raised = pm_later_worth(rule, now, PM_RAISE);
        if (raised > most) {
            most = raised;
            act = PM_RAISE;
        }
    }
    return (legal >> PM_FOLD & 1) && most < 0.0 ? PM_FOLD : act;
}

/* Add what came of a decision to the sums, by what the whole play-out gave in chips from the root on. */
static inline void pm_later_add(const pm_later_rule *rule, const pm_later *at, double worth, double weight)
{
    const double y = ((worth - at->known) / at->weight + at->before) / at->scale;
    const size_t cell = (size_t)at->kind * PM_LATER_ACTS + (at->act == PM_RAISE);
    double *gram = rule->gram + cell * PM_LATER_BASIS * PM_LATER_BASIS, *moment = rule->moment + cell * PM_LATER_BASIS;
    if (at->act == PM_FOLD)
        return;
    for (int i = 0; i < PM_LATER_BASIS; i++) {
        const double by = weight * at->weight * at->basis[i];
        moment[i] += by * y;
        for (int j = 0; j < PM_LATER_BASIS; j++)
            gram[i * PM_LATER_BASIS + j] += by * at->basis[j];
    }
}

#endif
