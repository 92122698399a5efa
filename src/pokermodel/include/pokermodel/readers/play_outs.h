/* A hand of any betting structure played out by what the adaptive reader expects of everybody, sizes of bets included.
 *
 * Who holds what and which cards come is given; from an act on, everybody does what such players do with the holding that they
 * have. A play-out draws two numbers for each act after it from a stream of its deal alone, so that all acts that are compared
 * meet the same cards and the same numbers, and what comes out does not depend on which thread plays which deal.
 *
 * A fold that ends the hand is not drawn: what it gives is known, and counts by its chance, and play goes on with the rest of the
 * weight by what is left to do. Whether somebody gives up is most of what play-outs differ by, so that these have a third of the
 * variance and more, for half as much time again, since they all go on. To end light ones by chance was tried, and saves less
 * than it adds to the variance.
 *
 * Features of holdings are worked out for all of them at once, street by street, when somebody first acts there: their strength
 * is a rank among all. What a deal shares with the deal before it, as a flop, is kept.
 *
 * The hero may be given a rule of their own for later decisions (later_acts.h), and what came of it is added up.
 */
#ifndef POKERMODEL_PLAY_OUTS_H
#define POKERMODEL_PLAY_OUTS_H

#include "pokermodel/dealing/random.h"
#include "pokermodel/evaluation/evaluator.h"
#include "pokermodel/game/rules.h"
#include "pokermodel/readers/acting.h"
#include "pokermodel/readers/later_acts.h"

/* What a play-out begins with. */
typedef struct {
    const pm_crowd *crowd;
    const pm_person *person; /* by seat */
    const pm_evaluator *evaluator;
    const uint16_t *preflop; /* what pm_holding_keys_preflop finds */
    pm_table table;          /* odd chips are split: what is won is a mean */
    pm_state state;
    pm_betting betting;
    int hero, longest;       /* acts after which nobody raises any more */
    int64_t put;             /* chips that the hero has put in */
    double fold_odds, raise_odds; /* what odds of folds, and of bets and raises, of anybody but the hero are multiplied by */
    double least_price;      /* below which folds are in proportion to the price */
    double rake, cap;        /* of a pot that saw a flop */
    double of_pot[PM_SIZE_CLASSES]; /* what classes of sizes stand for, by the pot after a call; the most is infinite */
    const pm_later_rule *rule; /* of the hero's later acts; NULL: they do what the reader expects of them */
    int raiser;              /* who bet or raised last, in any round; -1 for nobody */
} pm_play_out;

/* The cards of a deal, and features of holdings by street. */
typedef struct {
    int board[5];
    int ready[PM_ROUNDS];
    int shown[PM_ROUNDS][PM_BOARD_FEATURES];
    pm_board_scores scores[PM_ROUNDS];
    uint16_t keys[PM_ROUNDS][PM_HOLDINGS];
} pm_streets;

static inline void pm_streets_begin(pm_streets *streets)
{
    memset(streets->ready, 0, sizeof streets->ready);
    memset(streets->shown, 0, sizeof streets->shown);
    for (int k = 0; k < 5; k++)
        streets->board[k] = -1;
}

/* Turn to another board, in the order in which its cards come. */
static inline void pm_streets_deal(pm_streets *streets, const uint8_t *board)
{
    int same = 0;
    while (same < 5 && streets->board[same] == board[same])
        same++;
    for (int street = 1; street < PM_ROUNDS; street++)
        streets->ready[street] = streets->ready[street] && same >= street + 2;
    for (int k = 0; k < 5; k++)
        streets->board[k] = board[k];
}

static inline void pm_streets_need(const pm_play_out *play, pm_streets *streets, int street)
{
    uint8_t cards[5];
    if (street == 0 || streets->ready[street])
        return;
    if (street > 1)
        pm_streets_need(play, streets, street - 1);
    pm_holding_keys(play->evaluator, streets->board, street + 2, street > 1 ? streets->scores + street - 1 : NULL,
                    streets->scores + street, streets->keys[street]);
    for (int k = 0; k < 5; k++)
        cards[k] = (uint8_t)streets->board[k];
    pm_board_features(cards, street + 2, streets->shown[street]);
    streets->ready[street] = 1;
}

/* What the seat to act faces, as features take it. */
static inline void pm_state_faced(const pm_state *s, int sized, pm_faced *faced)
{
    const pm_table *t = s->table;
    const int seat = s->seat;
    const int64_t owed = pm_to_call(s, seat);
    int64_t own = -1, others = -1;
    faced->sized = sized;
    faced->small_bet = t->bets[0];
    faced->seat = seat;
    faced->round = s->round;
    faced->pot = (double)s->pot;
    faced->to_call = (double)owed;
    faced->bet_size = (double)pm_bet_size(s);
    faced->bets_to_call = (int)(pm_in_bets(s, owed) < PM_MOST_BETS ? pm_in_bets(s, owed) : PM_MOST_BETS);
    faced->num_bets = pm_num_bets(s);
    faced->put_in = (int)(pm_in_bets(s, pm_put_in_voluntarily(s, seat)) < PM_MOST_BETS
                              ? pm_in_bets(s, pm_put_in_voluntarily(s, seat))
                              : PM_MOST_BETS);
    faced->players = pm_count_seats(s->live);
    faced->position = pm_position(s, seat);
    faced->all_in = pm_count_seats(s->broke);
    faced->invested = s->in[seat] + t->dead[seat];
    faced->in_round = 0;
    faced->stack = -1;
    if (!sized)
        return;
    faced->in_round = (double)(s->in[seat] - pm_round_base(s));
    for (int k = 0; s->live >> k; k++) { /* the effective stack, antes included */
        const int64_t whole = t->limit[k] + t->dead[k];
        if (!(s->live >> k & 1))
            continue;
        if (t->limit[k] >= PM_DEEP)
            return;
        if (k == seat)
            own = whole;
        else if (whole > others)
            others = whole;
    }
    if (others < 0)
        others = faced->invested;
    own = (own < others ? own : others) - faced->invested;
    faced->stack = own > 0 ? (double)own : 0.0;
}

/* What the hero gets of a hand that is over, or that they have left, less what they put in since the beginning. */
static inline double pm_play_out_end(const pm_play_out *play, const pm_state *s, const int32_t *ranks)
{
    const int hero = play->hero;
    const double cost = (double)(play->put - s->in[hero] - play->table.dead[hero]);
    double won[PM_SEATS], matched, back, rake = 0.0;
    int64_t highest = 0, second = 0;
    int who = -1;
    if (!(s->live >> hero & 1))
        return cost;
    for (int seat = 0; seat < play->table.players; seat++) {
        if (s->in[seat] > highest) {
            second = highest;
            highest = s->in[seat];
            who = seat;
        } else if (s->in[seat] > second) {
            second = s->in[seat];
        }
    }
    back = who >= 0 && (s->live >> who & 1) ? (double)(highest - second) : 0.0; /* what nobody called is not raked */
    matched = (double)s->pot - back;
    if ((play->state.round > 0 || s->round > 0 || pm_is_showdown(s)) && matched > 0)
        rake = play->cap / matched < play->rake ? play->cap / matched : play->rake;
    back = who == hero ? back : 0.0;
    pm_winnings(s, ranks, won);
    return cost + back + (1.0 - rake) * (won[hero] - back);
}

/* What a bet or raise goes to, in whole chips over the hand. */
static inline int64_t pm_play_out_size(const pm_play_out *play, const pm_person *person, const pm_state *s,
                                       const pm_features *f, const int16_t *told, int bin, double drawn)
{
    const int64_t base = pm_round_base(s);
    int64_t least, most, owed = pm_to_call(s, s->seat), stay = s->in[s->seat] - base + owed;
    const double after = (double)(s->pot + owed);
    double shares[PM_SIZE_CLASSES], below = 0.0, wanted;
    pm_size_range room;
    int size = 0;
    pm_raise_range(s, &least, &most);
    if (!play->crowd->sized || most <= least)
        return least;
    room = pm_size_room_of(play->crowd->borders, least - base, most >= PM_DEEP ? -1 : most - base, stay, after);
    pm_person_sizes(play->crowd, person, f, told, &room, bin, shares);
    for (int k = 0; k + 1 < PM_SIZE_CLASSES; k++) {
        below += shares[k];
        size += drawn > below;
    }
    if (size == 0)
        return least;
    wanted = (double)stay + play->of_pot[size] * after; /* of the round, which is what is rounded */
    if (wanted >= (double)(most - base))
        return most;
    return wanted <= (double)(least - base) ? least : base + (int64_t)nearbyint(wanted);
}

/* What the hero goes by at a later decision. */
static inline void pm_play_out_later(const pm_play_out *play, const pm_state *s, const pm_faced *faced, const int16_t *rows,
                                     int first, int raiser, pm_later *now)
{
    const uint32_t others = s->live & ~(UINT32_C(1) << s->seat);
    const int draw = s->round == 1 || s->round == 2 ? rows[1] - first - PM_STRENGTHS : 0;
    int facing = 0;
    if (faced->to_call > 0)
        facing = (play->crowd->sized ? s->raises : faced->bets_to_call) > 1 ? 2 : 1;
    now->kind = (s->round * PM_LATER_FACING + facing) * 2 + (raiser == s->seat);
    now->scale = faced->pot + faced->to_call;
    now->before = (double)(s->in[s->seat] + play->table.dead[s->seat] - play->put);
    pm_later_basis(rows[0] - first, draw, pm_count_seats(others), pm_count_seats(s->pending & others),
                   faced->to_call / now->scale, now->basis);
}

/* What the hero's later bet or raise goes to, in whole chips over the hand: a share of the pot, or all-in where that is most
 * of what they have left. */
static inline int64_t pm_play_out_own_size(const pm_play_out *play, const pm_state *s)
{
    const int64_t owed = pm_to_call(s, s->seat);
    int64_t least, most;
    double more;
    pm_raise_range(s, &least, &most);
    if (!play->crowd->sized || most <= least)
        return least;
    more = (double)owed + play->rule->share * (double)(s->pot + owed);
    if (most < PM_DEEP && more > .6 * (double)(most - s->in[s->seat]))
        return most;
    more += (double)s->in[s->seat];
    return more <= (double)least ? least : more >= (double)most ? most : (int64_t)nearbyint(more);
}

/* How likely somebody folds, calls and raises, as the reader expects of them. `told` is overwritten, as by pm_person_acts. */
static inline void pm_play_out_chances(const pm_play_out *play, const pm_streets *streets, const pm_state *s,
                                       const pm_faced *faced, const pm_features *f, const int16_t *rows, int16_t *told,
                                       double *chances)
{
    const double price = faced->to_call > 0 ? faced->to_call / (faced->pot + faced->to_call) : 0.0;
    const int pair = !s->round && rows[1] - PM_STRENGTHS == rows[2] - PM_STRENGTHS - 13 ? rows[1] - PM_STRENGTHS : -1;
    pm_person_acts(play->crowd, play->person + s->seat, f, streets->shown[s->round], pm_legal(s), rows, pair, told, chances);
    if (play->crowd->sized && price > 0.0 && price < play->least_price) {
        const double left = chances[PM_FOLD] * (1.0 - price / play->least_price);
        chances[PM_FOLD] -= left;
        chances[PM_CALL] += left;
    }
    if (s->seat != play->hero && (play->fold_odds != 1.0 || play->raise_odds != 1.0)) {
        const double fold = chances[PM_FOLD] * play->fold_odds, raise = chances[PM_RAISE] * play->raise_odds;
        const double all = fold + chances[PM_CALL] + raise;
        chances[PM_FOLD] = fold / all;
        chances[PM_CALL] /= all;
        chances[PM_RAISE] = raise / all;
    }
}

/* What an act of the hero is worth in one deal, in chips, by playing the hand out. `holding` is by seat.
 *
 * Where the hero has a rule, they try any act but a fold at their later decision of number `explore`, from 0 on; -1 stands for
 * none. What came of the decisions from there on is added to the rule's sums, times the weight of the deal. */
static inline double pm_play_out_deal(const pm_play_out *play, pm_streets *streets, const int16_t *holding,
                                      const int32_t *ranks, uint64_t key, uint64_t deal, int act, int64_t to, int explore,
                                      double of_deal)
{
    pm_random random = pm_random_numbered(key, deal);
    pm_state s = play->state;
    pm_betting betting = play->betting;
    pm_faced faced;
    pm_features f;
    pm_later later[PM_LATER_NODES];
    int decisions = 0, raiser = play->raiser;
    double worth = 0.0, weight = 1.0; /* what is known, and how much of the play-out goes on */
    s.table = &play->table;
    for (int depth = -1;; depth++) {
        const int seat = s.seat;
        pm_state_faced(&s, play->crowd->sized, &faced);
        if (depth >= 0) {
            double drawn = pm_random_double(&random);
            const double other = pm_random_double(&random);
            const unsigned legal = depth < play->longest ? pm_legal(&s) : pm_legal(&s) & ~(1u << PM_RAISE);
            const int first = s.round ? PM_PREFLOP_ROWS + (s.round - 1) * PM_POSTFLOP_ROWS : 0;
            const int own = seat == play->hero && play->rule;
            int16_t rows[PM_HOLDING_FEATURES], told[PM_ACTING_ROWS];
            double chances[PM_ACTS];
            pm_later *now = later + (decisions < PM_LATER_NODES ? decisions : PM_LATER_NODES - 1);
            pm_streets_need(play, streets, s.round);
            pm_feature_rows(s.round ? streets->keys[s.round][holding[seat]] : play->preflop[holding[seat]], s.round > 0,
                            first, rows);
            act = -1;
            to = 0;
            if (own) {
                pm_play_out_later(play, &s, &faced, rows, first, raiser, now);
                now->known = worth;
                now->weight = weight;
                if (decisions == explore)
                    act = (legal >> PM_RAISE & 1) && other < .5 ? PM_RAISE : PM_CALL;
                else
                    act = pm_later_best(play->rule, now, legal);
                if (act == PM_RAISE)
                    to = pm_play_out_own_size(play, &s);
            }
            if (act < 0) {
                pm_betting_features(&betting, &faced, &f);
                pm_play_out_chances(play, streets, &s, &faced, &f, rows, told, chances);
                /* whether the hero goes on is an act of theirs where what came of it is learnt */
                if (chances[PM_FOLD] > 0.0 && !own && (seat == play->hero || pm_count_seats(s.live) == 2)) {
                    const double stays = 1.0 - chances[PM_FOLD];
                    pm_state end = s;
                    pm_act_to(&end, PM_FOLD, 0);
                    worth += weight * chances[PM_FOLD] * pm_play_out_end(play, &end, ranks);
                    weight *= stays;
                    if (weight <= 0.0)
                        break;
                    drawn = chances[PM_FOLD] + drawn * stays;
                }
                act = drawn < chances[PM_FOLD] ? PM_FOLD : PM_CALL;
                if (act != PM_FOLD && (legal >> PM_RAISE & 1) && drawn >= chances[PM_FOLD] + chances[PM_CALL]) {
                    act = PM_RAISE;
                    to = pm_play_out_size(play, play->person + seat, &s, &f, told, rows[0] - first, other);
                }
            }
            if (own) {
                now->act = act;
                decisions += now != later + PM_LATER_NODES - 1;
            }
        }
        pm_act_to(&s, act, to);
        raiser = act == PM_RAISE ? seat : raiser;
        if (pm_is_over(&s) || (act == PM_FOLD && seat == play->hero)) {
            worth += weight * pm_play_out_end(play, &s, ranks);
            break;
        }
        pm_betting_add(&betting, &faced, act, 0);
    }
    if (play->rule)
        for (int k = explore > 0 ? explore : 0; k < decisions; k++)
            pm_later_add(play->rule, later + k, worth, of_deal);
    return worth;
}

/* Ranks of the hands of seats at the showdown, and the hero's share of a pot that all of them contend for. */
static inline double pm_play_out_ranks(const pm_play_out *play, const pm_streets *streets, const int16_t *holding,
                                       int32_t *ranks)
{
    const pm_evaluator *e = play->evaluator;
    const uint32_t live = play->state.live;
    pm_hand board = pm_hand_empty();
    int32_t best = 0;
    int winners = 0;
    for (int k = 0; k < 5; k++)
        board = pm_hand_add(e, board, streets->board[k]);
    for (int seat = 0; live >> seat; seat++) {
        int high = 1;
        if (!(live >> seat & 1))
            continue;
        while (high * (high + 1) / 2 <= holding[seat])
            high++;
        ranks[seat] = (int32_t)pm_hand_rank(
            e, pm_hand_add(e, pm_hand_add(e, board, high), holding[seat] - high * (high - 1) / 2));
        winners = ranks[seat] > best ? 1 : winners + (ranks[seat] == best);
        best = ranks[seat] > best ? ranks[seat] : best;
    }
    return ranks[play->hero] == best ? 1.0 / winners : 0.0;
}

#endif
