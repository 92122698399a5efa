/* Simulations: what check or call and bet or raise are worth at a decision after the flop (Peña 1999, section 5.1).
 *
 * A trial deals cards to the other players and plays the hand out twice, once after each act, by the rules of rules.h.
 * Both branches see the same cards, and the i-th later decision of a seat draws the same random number. All later
 * decisions, the hero's as well, are made by policies: functions of what the seat sees. This header has the probability
 * triple, Loki-1's rules, and calling always; others can be passed as a function pointer with its context.
 *
 * Chips are counted from the decision on: those in the pot can be won, but are no cost.
 */
#ifndef POKERMODEL_PLAYOUT_H
#define POKERMODEL_PLAYOUT_H

#include "pokermodel/dealing/dealing.h"
#include "pokermodel/game/loki1.h"
#include "pokermodel/evaluation/strengths.h"

#define PM_PLAYOUT_RAISES 256 /* acts of a branch after which nobody may raise any more, if the rules set no cap */
#define PM_PLAYOUT_ACTS 512   /* most acts of a branch */

/* What a policy sees: the turn of a seat. */
typedef struct {
    const pm_state *state;
    pm_spot spot; /* the situation, as triples.h has it */
    int seat;
    int opponents; /* opponents who have not folded */
    int holding;   /* index */
    const uint8_t *cards; /* the two cards of the holding */
    const uint8_t *board;
    int board_cards;
    int board_number; /* the board's number in pm_strengths */
    int field;        /* field of the opponents */
    pm_strengths *strengths;
    double u;        /* random number in [0, 1) for this act */
    int *semi_bluff; /* whether the player is in the middle of a semi-bluff; kept by the policy */
} pm_turn;

/* Choose an act: PM_FOLD, PM_CALL or PM_RAISE, or -1 on failure. An act that the rules forbid becomes a check or
 * call. A policy may depend only on the turn and the context, and runs without the GIL on many threads. */
typedef int (*pm_policy)(const pm_turn *turn, void *context);

typedef struct {
    pm_policy policy;
    void *context;
    int field[2]; /* of the opponents, by branch; -1 for a seat that has folded */
} pm_player;

/* The decision that is simulated. */
typedef struct {
    pm_state root; /* the hero is to act */
    uint8_t board[5];
    int board_cards;
    uint8_t cards[2]; /* the hero's */
    int semi_bluff;   /* whether the hero is in the middle of a semi-bluff */
    int dealt[PM_SEATS]; /* seats that get cards, in the order of the deal */
    pm_player player[PM_SEATS];
} pm_scene;

/* Counts of the acts after the first one, while the hero was in: by branch (PM_CALL - 1, PM_RAISE - 1), seat, round,
 * bets to call (0, 1, 2 or more) and act. */
typedef struct {
    uint64_t acts[2][PM_SEATS][PM_ROUNDS][3][3];
    uint64_t folded[2]; /* trials in which the hero folded later */
} pm_tally;

/* The cards of a trial, and hands made of them so far. */
typedef struct {
    uint8_t cards[PM_SEATS][2];
    int holding[PM_SEATS];
    uint8_t board[5];
    int board_number[PM_ROUNDS];
    uint64_t key; /* of the trial's random numbers */
    pm_hand final; /* of the board, once a seat has been ranked */
    int32_t ranks[PM_SEATS];
    uint32_t ranked; /* seats that have been ranked */
} pm_trial;

/* ---- policies */

/* HS against one opponent of the field, PPOT and NPOT. Returns -1 if there is no memory. */
static inline int pm_turn_worth(const pm_turn *turn, double *strength, double *ppot, double *npot)
{
    const float *worth = pm_strengths_worth(turn->strengths, turn->board_number, turn->field, turn->holding,
                                            turn->board, turn->board_cards);
    if (!worth)
        return -1;
    *strength = (double)worth[0];
    *ppot = *npot = 0.0;
    if (turn->board_cards < 5) {
        *ppot = (double)worth[1];
        *npot = (double)worth[2];
    }
    return 0;
}

/* HS against n opponents of one field (Papp 1998, Eq 5.3). */
static inline double pm_against(double strength, int opponents)
{
    PM_NO_CONTRACT
    double product = 1.0;
    for (; opponents > 0; opponents >>= 1, strength *= strength)
        if (opponents & 1)
            product *= strength;
    return product;
}

static inline int pm_play_call(const pm_turn *turn, void *context)
{
    (void)turn;
    (void)context;
    return PM_CALL;
}

/* Draw an act from the probability triple; the context is a pm_generator. */
static inline int pm_play_triple(const pm_turn *turn, void *context)
{
    PM_NO_CONTRACT
    const pm_generator *g = (const pm_generator *)context;
    double strength, npot;
    pm_held held;
    pm_triple t;
    int act;
    if (pm_turn_worth(turn, &strength, &held.potential, &npot))
        return -1;
    if (g->form != PM_REWEIGHTING) /* whose strength is against one opponent */
        strength = pm_against(strength, turn->opponents);
    held.value = strength + (1.0 - strength) * held.potential;
    held.effective = held.value - strength * npot;
    t = pm_triple_of(g, &turn->spot, &held, *turn->semi_bluff);
    act = turn->u < t.p[PM_FOLD] ? PM_FOLD : turn->u < t.p[PM_FOLD] + t.p[PM_CALL] ? PM_CALL : PM_RAISE;
    *turn->semi_bluff = pm_semi_bluff_after(g, &turn->spot, &held, *turn->semi_bluff, act);
    return act;
}

/* Act by Loki-1's rules; the context is a pm_loki1. */
static inline int pm_play_loki1(const pm_turn *turn, void *context)
{
    double strength, ppot, npot;
    if (pm_turn_worth(turn, &strength, &ppot, &npot))
        return -1;
    return pm_loki1_act((const pm_loki1 *)context, &turn->spot, pm_put_in_voluntarily(turn->state, turn->seat) > 0,
                        pm_against(strength, turn->opponents), ppot, npot, turn->semi_bluff);
}

/* ---- trials */

/* The random number of a seat's i-th decision in a trial: the finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
static inline double pm_playout_random(uint64_t key, int seat, int decision)
{
    uint64_t x = key + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(1 + seat + PM_SEATS * decision);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

static inline void pm_trial_init(pm_trial *trial, const pm_scene *scene, const pm_deal *deal, int dealt, uint64_t key,
                                 const pm_strengths *strengths)
{
    const int hero = scene->root.seat;
    trial->key = key;
    trial->ranked = 0;
    memcpy(trial->board, deal->board, 5);
    memcpy(trial->cards[hero], scene->cards, 2);
    trial->holding[hero] = pm_holding(scene->cards[0], scene->cards[1]);
    for (int k = 0; k < dealt; k++) {
        int seat = scene->dealt[k];
        trial->cards[seat][0] = (uint8_t)(deal->holding[k] >> 8);
        trial->cards[seat][1] = (uint8_t)(deal->holding[k] & 255);
        trial->holding[seat] = pm_holding(trial->cards[seat][0], trial->cards[seat][1]);
    }
    for (int round = scene->root.round; round < PM_ROUNDS; round++)
        trial->board_number[round] = pm_board_number(deal->board + 3, round - 1);
    for (int seat = 0; scene->root.live >> seat; seat++)
        for (int round = scene->root.round; round < PM_ROUNDS && (scene->root.live >> seat & 1); round++)
            for (int branch = 0; branch < 1 + (scene->player[seat].field[1] != scene->player[seat].field[0]); branch++)
                pm_strengths_prefetch(strengths, trial->board_number[round], scene->player[seat].field[branch],
                                      trial->holding[seat]);
}

/* Rank of a seat's hand on the final board. */
static inline int32_t pm_trial_rank(pm_trial *trial, const pm_evaluator *e, int seat)
{
    if (!trial->ranked) {
        trial->final = pm_hand_empty();
        for (int k = 0; k < 5; k++)
            trial->final = pm_hand_add(e, trial->final, trial->board[k]);
    }
    if (!(trial->ranked >> seat & 1)) {
        pm_hand hand = pm_hand_add(e, pm_hand_add(e, trial->final, trial->cards[seat][0]), trial->cards[seat][1]);
        trial->ranks[seat] = (int32_t)pm_hand_rank(e, hand);
        trial->ranked |= UINT32_C(1) << seat;
    }
    return trial->ranks[seat];
}

/* Chips that the hero gets from the pots of a hand that is over; the hero has not folded. */
static inline double pm_trial_won(pm_trial *trial, const pm_evaluator *e, const pm_state *s, int hero)
{
    double won[PM_SEATS];
    if (pm_is_showdown(s)) {
        int32_t own = pm_trial_rank(trial, e, hero);
        for (int seat = 0; s->live >> seat; seat++)
            if ((s->live >> seat & 1) && pm_trial_rank(trial, e, seat) > own && !(s->live & s->broke))
                return 0.0; /* nobody is all-in: there is one pot, and another seat wins it */
    }
    pm_winnings(s, trial->ranks, won);
    return won[hero];
}

/* Play one branch out. `chips` is what the hero wins or loses from the decision on; `log`, if not NULL, takes all acts,
 * the first one included, and -1 after the last. Returns -1 if a policy fails. */
static inline int pm_play_branch(const pm_scene *scene, pm_strengths *strengths, pm_trial *trial, int first,
                                 pm_tally *tally, int8_t *log, double *chips)
{
    const int hero = scene->root.seat, branch = first - PM_CALL;
    const uint32_t hero_bit = UINT32_C(1) << hero;
    pm_state s = scene->root;
    int semi_bluff[PM_SEATS] = {0}, decisions[PM_SEATS] = {0};
    int acts = 0;
    semi_bluff[hero] = scene->semi_bluff;
    if (log)
        *log++ = (int8_t)first;
    pm_act(&s, first);
    while (!pm_is_over(&s) && (log || (s.live & hero_bit))) {
        const int seat = s.seat;
        const pm_player *player = &scene->player[seat];
        pm_turn turn;
        int act, bets;
        turn.state = &s;
        turn.spot = pm_spot_of(&s);
        turn.seat = seat;
        turn.opponents = pm_count_seats(s.live) - 1;
        turn.holding = trial->holding[seat];
        turn.cards = trial->cards[seat];
        turn.board = trial->board;
        turn.board_cards = s.round + 2;
        turn.board_number = trial->board_number[s.round];
        turn.field = player->field[branch];
        turn.strengths = strengths;
        turn.u = pm_playout_random(trial->key, seat, decisions[seat]++);
        turn.semi_bluff = &semi_bluff[seat];
        act = player->policy(&turn, player->context);
        if (act < PM_FOLD || act > PM_RAISE)
            return -1;
        if (act == PM_FOLD ? turn.spot.to_call <= 0 : act == PM_RAISE && !turn.spot.can_raise)
            act = PM_CALL;
        if (act == PM_RAISE && acts >= PM_PLAYOUT_RAISES)
            act = PM_CALL;
        acts++;
        bets = turn.spot.bets_to_call;
        if (s.live & hero_bit)
            tally->acts[branch][seat][s.round][bets < 2 ? bets : 2][act]++;
        if (log)
            *log++ = (int8_t)act;
        pm_act(&s, act);
    }
    if (log)
        *log = -1;
    *chips = -(double)(s.in[hero] - scene->root.in[hero]);
    if (!(s.live & hero_bit)) {
        tally->folded[branch]++;
        return 0;
    }
    *chips += pm_trial_won(trial, strengths->evaluator, &s, hero);
    return 0;
}

/* The results of trials, and where they begin if the board is stratified. */
typedef struct {
    double (*chips)[2]; /* (n, 2): call, raise */
    double *weights;    /* (n) */
    pm_tally *tally;
    /* the log, or NULL */
    int8_t (*acts)[2][PM_PLAYOUT_ACTS];  /* (n) */
    uint8_t (*cards)[PM_SEATS][2];       /* (n): by seat */
    uint8_t (*boards)[5];                /* (n) */
    /* read with stratified boards only, see pm_dealer_at */
    uint64_t key;
    int64_t first; /* number of the first trial */
} pm_trials;

enum { PM_TRIALS_DONE, PM_TRIALS_NO_DEAL, PM_TRIALS_NO_ACT };

/* Play both branches of a trial; the second one is 0 if no raise is legal. */
static inline int pm_play_trial(const pm_scene *scene, pm_strengths *strengths, pm_trial *trial, int can_raise,
                                int64_t k, const pm_trials *trials)
{
    trials->chips[k][1] = 0.0;
    for (int branch = 0; branch < 1 + can_raise; branch++)
        if (pm_play_branch(scene, strengths, trial, branch + PM_CALL, trials->tally,
                           trials->acts ? trials->acts[k][branch] : NULL, &trials->chips[k][branch]))
            return -1;
    if (trials->cards)
        memcpy(trials->cards[k], trial->cards, sizeof trial->cards);
    if (trials->boards)
        memcpy(trials->boards[k], trial->board, sizeof trial->board);
    return 0;
}

/* A trial without holdings: its board came with none, and it has weight 0. Nobody acts. */
static inline void pm_skip_trial(const pm_deal *deal, int64_t k, const pm_trials *trials)
{
    trials->chips[k][0] = trials->chips[k][1] = 0.0;
    if (trials->acts)
        trials->acts[k][0][0] = trials->acts[k][1][0] = -1;
    if (trials->cards)
        memset(trials->cards[k], PM_NO_CARD, sizeof trials->cards[k]);
    if (trials->boards)
        memcpy(trials->boards[k], deal->board, sizeof deal->board);
}

/* Play n trials. */
static inline int pm_play_trials(const pm_scene *scene, const pm_dealing *dealing, pm_random *random,
                                 pm_strengths *strengths, int64_t n, const pm_trials *trials)
{
    const int can_raise = (int)(pm_legal(&scene->root) >> PM_RAISE & 1);
    pm_dealer dealer;
    pm_deal deal;
    pm_trial trial[2];
    memset(trial, 0, sizeof trial);
    pm_dealer_init(&dealer, dealing);
    if (dealing->stratified)
        pm_dealer_at(&dealer, trials->key, trials->first);
    /* each trial is dealt before the previous one is played, to hide the latency of memory */
    for (int64_t k = 0; k <= n; k++) {
        if (k < n) {
            if (!pm_deal_next(dealing, random, &dealer, &deal))
                return PM_TRIALS_NO_DEAL;
            trials->weights[k] = deal.weight;
            if (deal.weight > 0.0)
                pm_trial_init(&trial[k & 1], scene, &deal, dealing->players, pm_random_next(random), strengths);
            else
                pm_skip_trial(&deal, k, trials);
        }
        if (k > 0 && trials->weights[k - 1] > 0.0 &&
            pm_play_trial(scene, strengths, &trial[(k - 1) & 1], can_raise, k - 1, trials))
            return PM_TRIALS_NO_ACT;
    }
    return PM_TRIALS_DONE;
}

#endif
