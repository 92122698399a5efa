/* A hand in the Poker Hand History format: the fields of its document, and the walk through its actions.
 *
 * Only what is usual is read here: a field a line, text without escapes, amounts that are not negative and have few
 * digits, words with one blank between them. What our own table says is left to the caller, as text. For anything else
 * the functions return 0 or NULL, and pokermodel.histories.phh, which knows all of it, says what is wrong or how it is to
 * be taken. Texts point into the document, which must be UTF-8; money is in parts of a unit.
 */
#ifndef POKERMODEL_PHH_H
#define POKERMODEL_PHH_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/texts/text.h"

enum {
    PM_PHH_KEYS = 64,     /* most fields */
    PM_PHH_STEPS = 1024,  /* most entries of "actions" */
    PM_PHH_DIGITS = 11,   /* most digits of an amount before the point */
    PM_PHH_DECIMALS = 4,  /* and after it */
    PM_PHH_PARTS = 10000, /* of a unit of money: 10 to the power of PM_PHH_DECIMALS */
    PM_PHH_BOARD = 5
};

enum { PM_PHH_HOLE = 3, PM_PHH_DEAL, PM_PHH_SHOW }; /* kinds of steps, besides the acts */

typedef struct {
    int64_t money; /* what a bet or raise goes to */
    int8_t kind, seat, cards;
    int8_t card[PM_PHH_BOARD];
} pm_phh_step;

typedef struct {
    int n; /* -1 as long as there is no such field */
    int64_t money[PM_SEATS];
} pm_phh_amounts;

typedef struct {
    pm_text key[PM_PHH_KEYS];
    int keys;
    int structure; /* -1 as long as it is not known */
    int trims;     /* whether antes may be trimmed, as far as is said */
    pm_phh_amounts starting, finishing, antes, blinds;
    int64_t small, big, least; /* bets; -1 without */
    int named;                 /* players with a name */
    pm_text name[PM_SEATS];
    pm_text id, currency, zone, place; /* texts are NULL without; place: the table */
    pm_text own;                /* our own table: what stands between its braces */
    int64_t year, month, day;   /* -1 without */
    int hour, minute, second;   /* -1 without */
    int steps;                  /* -1 without */
    int raises;                 /* before the flop */
    pm_phh_step step[PM_PHH_STEPS];
    int64_t unit; /* parts of a chip: filled in by pm_phh_complete() */
    /* filled in by pm_phh_play() */
    int cards, known;
    int8_t board[PM_PHH_BOARD];
    int8_t holders[PM_SEATS]; /* seats, in the order in which their cards become known */
    int8_t hole[PM_SEATS][2];
    uint32_t holds, dealt, mucked; /* seats */
} pm_phh_hand;

/* ----------------------------------------------------------------------------------------------------- TOML's values */

static inline const char *pm_phh_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The end of a line after its value; returns where the next one begins, or NULL if there is more than a comment. */
static inline const char *pm_phh_line_end(const char *at, const char *end)
{
    at = pm_phh_blanks(at, end);
    if (at < end && *at == '#')
        while (at < end && ((unsigned char)*at >= ' ' || *at == '\t') && *at != 0x7f)
            at++;
    if (at < end && *at == '\r')
        at++;
    if (at == end)
        return at[-1] == '\r' ? NULL : at;
    return *at == '\n' ? at + 1 : NULL;
}

/* A number of TOML has no zeros before it. */
static inline const char *pm_phh_toml_money(const char *at, const char *end, int64_t *money)
{
    if (end - at > 1 && at[0] == '0' && pm_is_digit(at[1]))
        return NULL;
    return pm_scan_money(at, end, PM_PHH_DIGITS, PM_PHH_DECIMALS, money);
}

static inline const char *pm_phh_toml_whole(const char *at, const char *end, int64_t *number)
{
    if (end - at > 1 && at[0] == '0' && pm_is_digit(at[1]))
        return NULL;
    return pm_scan_whole(at, end, 15, number);
}

/* Text in quotes; returns what follows them, or NULL. */
static inline const char *pm_phh_text(const char *at, const char *end, pm_text *text)
{
    char quote;
    if (at == end || (*at != '\'' && *at != '"'))
        return NULL;
    quote = *at++;
    text->text = at;
    for (; at < end && *at != quote; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f || *at == '\\')
            return NULL;
    text->length = (int)(at - text->text);
    return at < end ? at + 1 : NULL;
}

/* Go on to the next entry of a list, from its bracket or from the end of the entry before: 1 if there is one, 0 if `at`
 * is after the list, -1 where this is no list. */
static inline int pm_phh_entry(const char **at, const char *end, int first)
{
    int comma = first;
    for (; *at < end; ++*at) {
        char c = **at;
        if (c == '\r' && (end - *at == 1 || (*at)[1] != '\n'))
            return -1;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            continue;
        if (c == ']') {
            ++*at;
            return 0;
        }
        if (comma)
            return 1;
        if (c != ',')
            return -1;
        comma = 1;
    }
    return -1;
}

static inline const char *pm_phh_list_of_money(const char *at, const char *end, pm_phh_amounts *amounts)
{
    int more;
    if (at == end || *at++ != '[')
        return NULL;
    for (amounts->n = 0; (more = pm_phh_entry(&at, end, amounts->n == 0)) > 0; amounts->n++)
        if (amounts->n == PM_SEATS || !(at = pm_phh_toml_money(at, end, &amounts->money[amounts->n])))
            return NULL;
    return more < 0 ? NULL : at;
}

static inline const char *pm_phh_names(const char *at, const char *end, pm_phh_hand *h)
{
    int more, k;
    if (at == end || *at++ != '[')
        return NULL;
    for (h->named = 0; (more = pm_phh_entry(&at, end, h->named == 0)) > 0; h->named++) {
        pm_text *name = &h->name[h->named];
        if (h->named == PM_SEATS || !(at = pm_phh_text(at, end, name)) || name->length == 0)
            return NULL;
        for (k = 0; k < h->named; k++)
            if (pm_text_same(*name, h->name[k]))
                return NULL;
    }
    return more < 0 ? NULL : at;
}

/* A value of a field that says nothing here. */
static inline const char *pm_phh_other(const char *at, const char *end, int in_list)
{
    pm_text text;
    int64_t number;
    int more, first = 1;
    if (at == end)
        return NULL;
    if (*at == '\'' || *at == '"')
        return pm_phh_text(at, end, &text);
    if (pm_is_digit(*at))
        return pm_phh_toml_money(at, end, &number);
    if (end - at >= 4 && memcmp(at, "true", 4) == 0)
        return at + 4;
    if (end - at >= 5 && memcmp(at, "false", 5) == 0)
        return at + 5;
    if (*at != '[' || in_list)
        return NULL;
    for (at++; (more = pm_phh_entry(&at, end, first)) > 0; first = 0)
        if (!(at = pm_phh_other(at, end, 1)))
            return NULL;
    return more < 0 ? NULL : at;
}

/* ----------------------------------------------------------------------------------------------------------- actions */

/* "p1" and a blank, or the end: the seat and what follows, or NULL. */
static inline const char *pm_phh_player(const char *at, const char *end, int8_t *seat)
{
    int64_t number;
    if (end - at < 2 || at[0] != 'p' || at[1] == '0' || !(at = pm_scan_whole(at + 1, end, 2, &number)) ||
        number > PM_SEATS)
        return NULL;
    *seat = (int8_t)(number - 1);
    return at;
}

/* Cards without blanks between them, up to the end. */
static inline int pm_phh_cards(const char *at, const char *end, pm_phh_step *step)
{
    int64_t length = end - at;
    if (length % 2 || length > 2 * PM_PHH_BOARD)
        return 0;
    step->cards = (int8_t)(length / 2);
    return pm_scan_cards(at, end, step->cards, 2, step->card) != NULL;
}

/* An entry of "actions". */
static inline int pm_phh_action(pm_text text, pm_phh_step *step)
{
    const char *at = text.text, *end = at + text.length;
    step->cards = 0;
    if (text.length > 5 && memcmp(at, "d dh ", 5) == 0) {
        step->kind = PM_PHH_HOLE;
        if (!(at = pm_phh_player(at + 5, end, &step->seat)) || end - at != 5 || *at++ != ' ')
            return 0;
        return memcmp(at, "????", 4) == 0 || pm_phh_cards(at, end, step);
    }
    if (text.length > 5 && memcmp(at, "d db ", 5) == 0) {
        step->kind = PM_PHH_DEAL;
        return pm_phh_cards(at + 5, end, step);
    }
    if (!(at = pm_phh_player(at, end, &step->seat)) || end - at < 2 || *at++ != ' ')
        return 0;
    if (*at == 'f') {
        step->kind = PM_FOLD;
        return end - at == 1;
    }
    if (end - at < 2)
        return 0;
    if (memcmp(at, "cc", 2) == 0) {
        step->kind = PM_CALL;
        return end - at == 2;
    }
    if (memcmp(at, "sm", 2) == 0) {
        step->kind = PM_PHH_SHOW;
        if (end - at == 2)
            return 1;
        return end - at == 7 && at[2] == ' ' && pm_phh_cards(at + 3, end, step);
    }
    step->kind = PM_RAISE;
    return PM_TEXT_BEGINS(at, end, "cbr ") &&
           pm_scan_money(at + 4, end, PM_PHH_DIGITS, PM_PHH_DECIMALS, &step->money) == end;
}

static inline const char *pm_phh_actions(const char *at, const char *end, pm_phh_hand *h)
{
    int more, board = 0;
    pm_text text;
    if (at == end || *at++ != '[')
        return NULL;
    for (h->steps = 0; (more = pm_phh_entry(&at, end, h->steps == 0)) > 0; h->steps++) {
        pm_phh_step *step = &h->step[h->steps];
        if (h->steps == PM_PHH_STEPS || !(at = pm_phh_text(at, end, &text)) || !pm_phh_action(text, step))
            return NULL;
        board |= step->kind == PM_PHH_DEAL;
        h->raises += step->kind == PM_RAISE && !board;
    }
    return more < 0 ? NULL : at;
}

/* ------------------------------------------------------------------------------------------------------------ fields */

/* "12:30:05" */
static inline const char *pm_phh_clock(const char *at, const char *end, pm_phh_hand *h)
{
    int k;
    if (end - at < 8 || at[2] != ':' || at[5] != ':')
        return NULL;
    for (k = 0; k < 8; k++)
        if (k % 3 < 2 && !pm_is_digit(at[k]))
            return NULL;
    h->hour = 10 * (at[0] - '0') + (at[1] - '0');
    h->minute = 10 * (at[3] - '0') + (at[4] - '0');
    h->second = 10 * (at[6] - '0') + (at[7] - '0');
    return h->hour < 24 && h->minute < 60 && h->second < 60 ? at + 8 : NULL;
}

static inline const char *pm_phh_id(const char *at, const char *end, pm_text *id)
{
    int64_t number;
    if (at == end || !pm_is_digit(*at))
        return pm_phh_text(at, end, id);
    id->text = at;
    if ((at = pm_phh_toml_whole(at, end, &number)))
        id->length = (int)(at - id->text);
    return at;
}

/* An inline table without another one in it; returns what follows, or NULL. Its entries are not looked at. */
static inline const char *pm_phh_table(const char *at, const char *end, pm_text *inside)
{
    if (at == end || *at != '{')
        return NULL;
    inside->text = ++at;
    while (at < end && (unsigned char)*at >= ' ' && *at != '{' && *at != '}')
        at++;
    inside->length = (int)(at - inside->text);
    return at < end && *at == '}' ? at + 1 : NULL;
}

/* The value of a field; returns what follows, or NULL. */
static inline const char *pm_phh_value(pm_text key, const char *at, const char *end, pm_phh_hand *h)
{
    pm_text text;
    switch (key.text[0]) {
    case '_':
        if (PM_TEXT_IS(key, "_pokermodel"))
            return pm_phh_table(at, end, &h->own);
        break;
    case 'a':
        if (PM_TEXT_IS(key, "actions"))
            return pm_phh_actions(at, end, h);
        if (PM_TEXT_IS(key, "antes"))
            return pm_phh_list_of_money(at, end, &h->antes);
        if (PM_TEXT_IS(key, "ante_trimming_status"))
            h->trims = at == end || *at != 'f';
        break;
    case 'b':
        if (PM_TEXT_IS(key, "blinds_or_straddles"))
            return pm_phh_list_of_money(at, end, &h->blinds);
        if (PM_TEXT_IS(key, "big_bet"))
            return pm_phh_toml_money(at, end, &h->big);
        break;
    case 'c':
        if (PM_TEXT_IS(key, "currency"))
            return pm_phh_text(at, end, &h->currency);
        break;
    case 'd':
        if (PM_TEXT_IS(key, "day"))
            return pm_phh_toml_whole(at, end, &h->day);
        break;
    case 'f':
        if (PM_TEXT_IS(key, "finishing_stacks"))
            return pm_phh_list_of_money(at, end, &h->finishing);
        break;
    case 'h':
        if (PM_TEXT_IS(key, "hand"))
            return pm_phh_id(at, end, &h->id);
        break;
    case 'm':
        if (PM_TEXT_IS(key, "min_bet"))
            return pm_phh_toml_money(at, end, &h->least);
        if (PM_TEXT_IS(key, "month"))
            return pm_phh_toml_whole(at, end, &h->month);
        break;
    case 'p':
        if (PM_TEXT_IS(key, "players"))
            return pm_phh_names(at, end, h);
        break;
    case 's':
        if (PM_TEXT_IS(key, "starting_stacks"))
            return pm_phh_list_of_money(at, end, &h->starting);
        if (PM_TEXT_IS(key, "small_bet"))
            return pm_phh_toml_money(at, end, &h->small);
        break;
    case 't':
        if (PM_TEXT_IS(key, "table"))
            return pm_phh_id(at, end, &h->place);
        if (PM_TEXT_IS(key, "time"))
            return pm_phh_clock(at, end, h);
        if (PM_TEXT_IS(key, "time_zone"))
            return pm_phh_text(at, end, &h->zone);
        break;
    case 'v':
        if (PM_TEXT_IS(key, "variant")) {
            if (!(at = pm_phh_text(at, end, &text)) || text.length != 2 || text.text[1] != 'T')
                return NULL;
            h->structure = text.text[0] == 'F' ? PM_LIMIT : PM_NO_LIMIT;
            return text.text[0] == 'F' || text.text[0] == 'N' ? at : NULL;
        }
        break;
    case 'y':
        if (PM_TEXT_IS(key, "year"))
            return pm_phh_toml_whole(at, end, &h->year);
        break;
    default:
        break;
    }
    return pm_phh_other(at, end, 0);
}

/* Read the fields of a document. */
static inline int pm_phh_read(pm_phh_hand *h, const char *at, const char *end)
{
    static const pm_text none = {NULL, 0};
    int k;
    h->keys = h->trims = h->raises = 0;
    h->structure = h->named = h->steps = h->hour = -1;
    h->starting.n = h->finishing.n = h->antes.n = h->blinds.n = -1;
    h->small = h->big = h->least = h->year = h->month = h->day = -1;
    h->id = h->currency = h->zone = h->place = h->own = none;
    while (at < end) {
        pm_text *key = &h->key[h->keys];
        at = pm_phh_blanks(at, end);
        key->text = at;
        while (at < end && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
                            (at > key->text && (pm_is_digit(*at) || *at == '-'))))
            at++;
        key->length = (int)(at - key->text);
        if (key->length) {
            for (k = 0; k < h->keys; k++)
                if (pm_text_same(*key, h->key[k]))
                    return 0;
            at = pm_phh_blanks(at, end);
            if (++h->keys == PM_PHH_KEYS || at == end || *at != '=')
                return 0;
            if (!(at = pm_phh_value(*key, pm_phh_blanks(at + 1, end), end, h)))
                return 0;
        }
        if (at == end)
            break;
        if (!(at = pm_phh_line_end(at, end)))
            return 0;
    }
    return 1;
}

/* Whether the fields say all that is needed, of a game that is usual; finds the size of a chip. */
static inline int pm_phh_complete(pm_phh_hand *h)
{
    int n = h->starting.n, seat, k;
    int64_t unit = PM_PHH_PARTS;
    if (h->structure < 0 || n < 2 || h->antes.n != n || h->blinds.n != n || h->named != n || h->steps < 0)
        return 0;
    if (h->finishing.n >= 0 && h->finishing.n != n)
        return 0;
    if (h->structure != PM_LIMIT)
        h->small = h->big = h->least;
    if (h->small < 0 || h->big < 0)
        return 0;
    unit = pm_common_unit(pm_common_unit(unit, h->small), h->big);
    for (seat = 0; seat < n; seat++) {
        if (h->trims && h->antes.money[seat] != h->antes.money[0])
            return 0;
        unit = pm_common_unit(pm_common_unit(unit, h->antes.money[seat]), h->blinds.money[seat]);
        unit = pm_common_unit(unit, h->starting.money[seat]);
    }
    if (h->structure != PM_LIMIT)
        for (k = 0; k < h->steps; k++)
            if (h->step[k].kind == PM_RAISE)
                unit = pm_common_unit(unit, h->step[k].money);
    h->unit = unit;
    return 1;
}

/* -------------------------------------------------------------------------------------------------------------- play */

/* Two cards of a seat. */
static inline int pm_phh_hold(pm_phh_hand *h, int seat, const pm_phh_step *step)
{
    int8_t *hole = h->hole[seat];
    if (step->cards != 2)
        return 0;
    if (h->holds >> seat & 1)
        return pm_same_two(hole, step->card);
    hole[0] = step->card[0];
    hole[1] = step->card[1];
    h->holds |= UINT32_C(1) << seat;
    h->holders[h->known++] = (int8_t)seat;
    return 1;
}

/* Cards on the board when a round begins. */
static inline int pm_phh_on_board(int round)
{
    return round ? round + 2 : 0;
}

/* Whether the steps are played in the game as they stand, with these amounts, to its end. */
static inline int pm_phh_play(pm_state *s, pm_phh_hand *h)
{
    int64_t before[PM_SEATS] = {0}; /* chips that are not bets of this round */
    int fixed = s->table->structure == PM_LIMIT, n = s->table->players, k, seat;
    h->cards = h->known = 0;
    h->holds = h->dealt = h->mucked = 0;
    for (k = 0; k < h->steps; k++) {
        const pm_phh_step *step = &h->step[k];
        int64_t least, most, to = 0;
        int round = s->round, j;
        uint32_t bit;
        if (step->kind == PM_PHH_DEAL) {
            int most_cards = pm_is_showdown(s) ? PM_PHH_BOARD : pm_is_over(s) ? h->cards : pm_phh_on_board(round);
            if (h->cards + step->cards > most_cards)
                return 0;
            for (j = 0; j < step->cards; j++)
                h->board[h->cards++] = step->card[j];
            continue;
        }
        seat = step->seat;
        if (seat >= n)
            return 0;
        bit = UINT32_C(1) << seat;
        if (step->kind == PM_PHH_HOLE) {
            if (h->dealt & bit || (step->cards && !pm_phh_hold(h, seat, step)))
                return 0;
            h->dealt |= bit;
            continue;
        }
        if (step->kind == PM_PHH_SHOW) {
            if (!pm_is_over(s) || !(s->live & bit) || (step->cards && !pm_phh_hold(h, seat, step)))
                return 0;
            if (!step->cards)
                h->mucked |= bit;
            continue;
        }
        if (seat != s->seat || h->cards != pm_phh_on_board(round) || !(pm_possible(s) >> step->kind & 1))
            return 0;
        if (step->kind == PM_RAISE) {
            pm_raise_range(s, &least, &most);
            if (fixed && least != most)
                return 0;
            to = fixed ? least : step->money / h->unit + pm_round_base(s);
            if (to < least || to > most)
                return 0;
        }
        pm_act_to(s, step->kind, to);
        if (fixed && step->kind == PM_RAISE && (s->in[seat] - before[seat]) * h->unit != step->money)
            return 0;
        if (s->round != round)
            for (seat = 0; seat < n; seat++)
                before[seat] = s->in[seat];
    }
    return pm_is_over(s) && h->cards >= pm_phh_on_board(s->round) && h->cards != 1 && h->cards != 2;
}

#endif
