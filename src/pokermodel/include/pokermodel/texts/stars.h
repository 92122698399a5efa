/* Hands of PokerStars' text histories: the lines of a hand, and the walk through its acts.
 *
 * Only what is usual is read here: lines as the site itself writes them, in English and UTF-8, amounts without
 * separators of thousands, blinds and antes but no straddle, one board. For anything else the functions return 0, and
 * pokermodel.histories.pokerstars, which knows all of it, says what is wrong or how it is to be taken. A line of which
 * nothing is taken must not be one that would be taken for something there. Texts point into the lines; money is in
 * hundredths.
 */
#ifndef POKERMODEL_STARS_H
#define POKERMODEL_STARS_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/texts/text.h"

enum {
    PM_STARS_DIGITS = 10,      /* most digits of an amount before the point */
    PM_STARS_DECIMALS = 2,     /* and after it */
    PM_STARS_HUNDREDTHS = 100, /* of a unit of money: 10 to the power of PM_STARS_DECIMALS */
    PM_STARS_ACTS = 512,       /* most acts of a hand */
    PM_STARS_LINES = 1000,     /* most lines */
    PM_STARS_BOARD = 5
};

typedef struct {
    pm_text name;
    int64_t stack, live, dead; /* live and dead: what is posted */
    int64_t collected, returned;
    int number, seat; /* of the text; of the game, -1 for who does not take part */
    int8_t cards[2];
    int8_t dealt, posted, big, shown, mucked, holds, wins, gets_back;
} pm_stars_player;

typedef struct {
    int64_t money; /* what a call puts in, what a bet or raise goes to */
    int8_t player, street, act;
} pm_stars_act;

typedef struct {
    pm_text id, game, hour, zone; /* game: what the first line says of it; hour: the date, too */
    pm_text table;                /* its name */
    int minute, second;
    /* of the game, which who reads it fills in before the other lines */
    int structure;
    int64_t small, large; /* bets of limit, else blinds */
    int lines;
    int button; /* -1 as long as it is not known */
    int seated; /* players with a seat */
    int street; /* -1 before the cards are dealt */
    int small_blind; /* the player who posts it, or -1 */
    int hero; /* the player to whom cards are dealt, -1 as long as to nobody, -2 if to several */
    int cards, acts, known;
    int stated; /* whether pot and rake are */
    int64_t pot, rake;
    int8_t board[PM_STARS_BOARD];
    int8_t holders[PM_SEATS]; /* players, in the order in which their cards become known */
    pm_stars_player players[PM_SEATS];
    pm_stars_act act[PM_STARS_ACTS];
    /* filled in by pm_stars_seats() */
    int n, later; /* players who take part; the seat that is first after the flop */
    int first;
    int8_t order[PM_SEATS]; /* players by seat */
    int64_t unit; /* hundredths of a chip */
} pm_stars_hand;

/* ------------------------------------------------------------------------------------------------ parts of a line */

/* A whole number of few digits; returns what follows, or NULL. */
static inline const char *pm_stars_number(const char *line, const char *end, int most, int *number)
{
    int64_t found = 0;
    line = pm_scan_whole(line, end, most, &found);
    *number = (int)found;
    return line;
}

/* An amount: a sign of a currency, whole units, perhaps one or two decimals. Returns what follows, or NULL. */
static inline const char *pm_stars_money(const char *line, const char *end, int64_t *money)
{
    if (PM_TEXT_BEGINS(line, end, "$"))
        line += 1;
    else if (PM_TEXT_BEGINS(line, end, "\xe2\x82\xac")) /* the euro */
        line += 3;
    else if (PM_TEXT_BEGINS(line, end, "\xc2\xa3")) /* the pound */
        line += 2;
    line = pm_scan_money(line, end, PM_STARS_DIGITS, PM_STARS_DECIMALS, money);
    return line && line < end && (*line == '.' || *line == ',') ? NULL : line;
}

/* Cards with a blank between them and a bracket after them; returns what follows the bracket, or NULL. */
static inline const char *pm_stars_cards(const char *line, const char *end, int8_t *cards, int n)
{
    int k;
    if (end - line < 3 * n || !pm_scan_cards(line, end, n, 3, cards))
        return NULL;
    for (k = 0; k < n; k++, line += 3)
        if (line[2] != (k + 1 < n ? ' ' : ']'))
            return NULL;
    return line;
}

/* Whether the first line of a hand of any format may look like this. Every such line has a number sign, which here only
 * seats may have, or one of the other marks. */
static inline int pm_stars_may_begin(const char *line, const char *end)
{
    const char *mark = line;
    if (line == end)
        return 0;
    if (*line == '<' || *line == '*' || PM_TEXT_BEGINS(line, end, "Game started at") ||
        PM_TEXT_FIND(line, end, "PokerStars"))
        return 1;
    while ((mark = memchr(mark, '#', (size_t)(end - mark))) != NULL) {
        if (mark - line < 5 || memcmp(mark - 5, "seat ", 5) != 0)
            return 1;
        mark++;
    }
    return 0;
}

/* ----------------------------------------------------------------------------------------------- where hands begin */

/* The first line of a hand, up to the colon: what follows "#", or NULL if it is none. */
static inline const char *pm_stars_first(const char *line, const char *end)
{
    if (!PM_TEXT_BEGINS(line, end, "PokerStars "))
        return NULL;
    line += 11;
    if (PM_TEXT_BEGINS(line, end, "Zoom "))
        line += 5;
    else if (PM_TEXT_BEGINS(line, end, "Home Game "))
        line += 10;
    if (!PM_TEXT_BEGINS(line, end, "Hand #") && !PM_TEXT_BEGINS(line, end, "Game #"))
        return NULL;
    return line + 6;
}

/* Where the next hand begins after a line; NULL if there is none that is known to be complete up to its number. */
static inline const char *pm_stars_next(const char *line, const char *end)
{
    while ((line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        const char *digits = pm_stars_first(++line, end);
        if (digits) {
            const char *after = digits;
            while (after < end && pm_is_digit(*after))
                after++;
            if (after > digits && after < end && *after == ':')
                return line;
        }
    }
    return NULL;
}

/* A date, or the time of day after it; returns what follows, or NULL. */
static inline const char *pm_stars_digits(const char *line, const char *end, int least, int most)
{
    const char *start = line;
    while (line < end && line - start < most && pm_is_digit(*line))
        line++;
    return line - start >= least ? line : NULL;
}

static inline const char *pm_stars_stamp(const char *line, const char *end, pm_stars_hand *h)
{
    const char *start = line;
    if (!(line = pm_stars_digits(line, end, 4, 4)) || line == end || *line != '/')
        return NULL;
    if (!(line = pm_stars_digits(line + 1, end, 1, 2)) || line == end || *line != '/')
        return NULL;
    if (!(line = pm_stars_digits(line + 1, end, 1, 2)) || line == end || *line != ' ')
        return NULL;
    if (!(line = pm_stars_digits(line + 1, end, 1, 2)) || end - line < 7 || *line != ':')
        return NULL;
    h->hour.text = start;
    h->hour.length = (int)(line - start);
    if (!pm_stars_digits(line + 1, end, 2, 2) || line[3] != ':' || !pm_stars_digits(line + 4, end, 2, 2))
        return NULL;
    h->minute = 10 * (line[1] - '0') + (line[2] - '0');
    h->second = 10 * (line[4] - '0') + (line[5] - '0');
    if (h->minute > 59 || h->second > 59 || line[6] != ' ')
        return NULL;
    h->zone.text = line += 7;
    while (line < end && *line >= 'A' && *line <= 'Z')
        line++;
    h->zone.length = (int)(line - h->zone.text);
    return h->zone.length >= 2 && h->zone.length <= 5 ? line : NULL;
}

/* The end of a line without its end and the blanks before it. */
static inline const char *pm_stars_trim(const char *line, const char *end)
{
    while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\0'))
        end--;
    return end;
}

/* The line that begins at `line`: its end without margin, and where the next one begins. Returns 0 if it has a carriage
 * return in it, which ends lines, too. */
static inline int pm_stars_line(const char *line, const char *end, const char **stop, const char **next)
{
    const char *last = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((last ? last : end) - line);
    *next = last ? last + 1 : end;
    if (last && length && line[length - 1] == '\r')
        length--;
    if (memchr(line, '\r', length))
        return 0;
    *stop = pm_stars_trim(line, line + length);
    return 1;
}

/* The first line of a hand: number, game, and when it was played. Returns the second line, or NULL. */
static inline const char *pm_stars_header(pm_stars_hand *h, const char *line, const char *end)
{
    const char *stop, *next, *after, *mark, *dash = NULL;
    if (!pm_stars_line(line, end, &stop, &next) || !(line = pm_stars_first(line, stop)))
        return NULL;
    h->id.text = line;
    while (line < stop && pm_is_digit(*line))
        line++;
    h->id.length = (int)(line - h->id.text);
    if (h->id.length == 0 || line == stop || *line != ':')
        return NULL;
    h->game.text = ++line;
    /* the game, a dash, the time, perhaps the same in another zone in brackets, of which the last one counts */
    for (mark = line; (mark = PM_TEXT_FIND(mark, stop, " - ")) != NULL; mark++)
        dash = mark;
    if (!dash || !(after = pm_stars_stamp(dash + 3, stop, h)))
        return NULL;
    if (PM_TEXT_BEGINS(after, stop, " [") && (!(after = pm_stars_stamp(after + 2, stop, h)) || after == stop ||
                                               *after++ != ']'))
        return NULL;
    if (after != stop)
        return NULL;
    h->game.length = (int)(dash - line);
    h->lines = 1;
    h->button = h->street = h->small_blind = h->hero = -1;
    h->seated = h->cards = h->acts = h->known = h->stated = 0;
    return next;
}

/* -------------------------------------------------------------------------------------------------- the other lines */

/* The player with whose name and a separator a line begins, the longest name first; -1 if there is none. */
static inline int pm_stars_subject(const pm_stars_hand *h, const char *line, const char *end, const char *separator,
                                   int length)
{
    int found = -1, k;
    for (k = 0; k < h->seated; k++) {
        pm_text name = h->players[k].name;
        if (end - line >= name.length + length && line[0] == name.text[0] &&
            memcmp(line + name.length, separator, (size_t)length) == 0 &&
            memcmp(line, name.text, (size_t)name.length) == 0 &&
            (found < 0 || name.length > h->players[found].name.length))
            found = k;
    }
    return found;
}

static inline int pm_stars_named(const pm_stars_hand *h, const char *line, int64_t length)
{
    int k;
    for (k = 0; k < h->seated; k++)
        if (pm_text_is(h->players[k].name, line, length))
            return k;
    return -1;
}

/* Two cards of a player, who takes part. */
static inline int pm_stars_hold(pm_stars_hand *h, int player, const int8_t *cards)
{
    pm_stars_player *p = &h->players[player];
    p->dealt = 1;
    if (p->holds)
        return pm_same_two(p->cards, cards);
    p->cards[0] = cards[0];
    p->cards[1] = cards[1];
    p->holds = 1;
    h->holders[h->known++] = (int8_t)player;
    return 1;
}

/* "Table 'Name' 6-max Seat #1 is the button" */
static inline int pm_stars_table(pm_stars_hand *h, const char *line, const char *end)
{
    static const char button[] = " is the button";
    const char *quote, *seat, *digits;
    line += PM_TEXT_BEGINS(line, end, "Table ID '") ? 10 : 7;
    if (end - line < (int64_t)sizeof button || memcmp(end - (sizeof button - 1), button, sizeof button - 1) != 0)
        return 0;
    seat = end - (sizeof button - 1);
    for (digits = seat; digits > line && pm_is_digit(digits[-1]); digits--)
        ;
    if (digits - line < 6 || memcmp(digits - 6, "Seat #", 6) != 0)
        return 0;
    quote = PM_TEXT_FIND(line, digits - 6, "' ");
    h->table.text = line;
    h->table.length = quote ? (int)(quote - line) : 0;
    return quote && pm_stars_number(digits, seat, 3, &h->button) == seat;
}

/* Whether a name begins or ends with what is taken off lines: a blank, one that does not break, a byte order mark. */
static inline int pm_stars_has_margin(pm_text name)
{
    const char *end = name.text + name.length;
    return name.length == 0 || name.text[0] == ' ' || end[-1] == ' ' || PM_TEXT_BEGINS(name.text, end, "\xc2\xa0") ||
           PM_TEXT_BEGINS(name.text, end, "\xef\xbb\xbf") || PM_TEXT_ENDS(name.text, end, "\xc2\xa0") ||
           PM_TEXT_ENDS(name.text, end, "\xef\xbb\xbf");
}

/* "Seat 1: Name ($10 in chips)" and whatever follows */
static inline int pm_stars_seat(pm_stars_hand *h, const char *line, const char *end)
{
    pm_stars_player *p = &h->players[h->seated];
    const char *chips, *money, *after;
    int k;
    if (h->seated == PM_SEATS)
        return 0;
    memset(p, 0, sizeof *p);
    p->seat = -1;
    line = pm_stars_number(line + 5, end, 3, &p->number);
    if (!line || !PM_TEXT_BEGINS(line, end, ": "))
        return 0;
    line += 2;
    chips = PM_TEXT_FIND(line, end, " in chips");
    if (!chips || PM_TEXT_FIND(chips + 1, end, " in chips") || !memchr(chips, ')', (size_t)(end - chips)))
        return 0;
    for (money = chips; money > line && money[-1] != '('; money--)
        ;
    if (money - line < 3 || money[-2] != ' ')
        return 0;
    after = pm_stars_money(money, chips, &p->stack);
    if (after != chips)
        return 0;
    p->name.text = line;
    p->name.length = (int)(money - 2 - line);
    for (k = 0; k < p->name.length; k++)
        if ((unsigned char)line[k] < ' ' || line[k] == 0x7f)
            return 0;
    if (pm_stars_has_margin(p->name) || pm_stars_named(h, line, p->name.length) >= 0)
        return 0;
    for (k = 0; k < h->seated; k++)
        if (h->players[k].number == p->number)
            return 0;
    h->seated++;
    return 1;
}

/* "*** TURN *** [2c 7d 9h] [Ks]" and the like, from the first bracket on: `n` cards are there in all. */
static inline int pm_stars_street(pm_stars_hand *h, const char *line, const char *end, int n)
{
    int8_t cards[PM_STARS_BOARD];
    int before = n == 3 ? 0 : n - 1;
    if (h->cards != before || h->street < 0 || line == end || *line != '[')
        return 0;
    line++;
    if (before) {
        if (!(line = pm_stars_cards(line, end, cards, before)) || memcmp(cards, h->board, (size_t)before) != 0 ||
            !PM_TEXT_BEGINS(line, end, " ["))
            return 0;
        line += 2;
    }
    if (pm_stars_cards(line, end, h->board + before, n - before) != end)
        return 0;
    h->cards = n;
    h->street = n - 2;
    return 1;
}

static inline int pm_stars_add(pm_stars_hand *h, int player, int act, int64_t money)
{
    pm_stars_act *a = &h->act[h->acts];
    if (h->acts == PM_STARS_ACTS || h->street < 0)
        return 0;
    h->players[player].dealt = 1;
    a->player = (int8_t)player;
    a->street = (int8_t)h->street;
    a->act = (int8_t)act;
    a->money = money;
    h->acts++;
    return 1;
}

/* "posts small blind $1", from the second word on */
static inline int pm_stars_post(pm_stars_hand *h, int player, const char *line, const char *end)
{
    pm_stars_player *p = &h->players[player];
    int64_t least = h->structure == PM_LIMIT ? h->small : h->large, money, live;
    int kind;
    if (PM_TEXT_BEGINS(line, end, "small blind ")) {
        kind = 's';
        line += 12;
    } else if (PM_TEXT_BEGINS(line, end, "big blind ")) {
        kind = 'b';
        line += 10;
    } else if (PM_TEXT_BEGINS(line, end, "small & big blinds ")) {
        kind = '&';
        line += 19;
    } else if (PM_TEXT_BEGINS(line, end, "the ante ")) {
        kind = 'a';
        line += 9;
    } else {
        return 0;
    }
    line = pm_stars_money(line, end, &money);
    if (!line || (line < end && *line != ' ') || money == 0)
        return 0;
    p->dealt = p->posted = 1;
    switch (kind) {
    case 's':
        if (h->small_blind < 0) {
            h->small_blind = player;
            p->live += money;
        } else {
            p->dead += money;
        }
        break;
    case 'b':
        if (h->structure != PM_LIMIT && money > least)
            return 0; /* a straddle */
        p->live += money;
        p->big = 1;
        break;
    case '&':
        live = money < least ? money : least;
        p->live += live;
        p->dead += money - live;
        p->big = 1;
        break;
    default:
        p->dead += money;
    }
    return 1;
}

/* What a player does, after the name and the colon. */
static inline int pm_stars_do(pm_stars_hand *h, int player, const char *line, const char *end)
{
    int8_t cards[2];
    int64_t money;
    while (line < end && *line == ' ')
        line++;
    if (line == end)
        return 1;
    switch (*line) {
    case 'f':
        if (PM_TEXT_BEGINS(line, end, "folds"))
            return (line + 5 == end || line[5] == ' ') && pm_stars_add(h, player, PM_FOLD, 0);
        return 1;
    case 'c':
        if (PM_TEXT_BEGINS(line, end, "checks"))
            return line + 6 == end && pm_stars_add(h, player, PM_CALL, 0);
        if (PM_TEXT_BEGINS(line, end, "calls")) {
            if (!PM_TEXT_BEGINS(line, end, "calls ") || !(line = pm_stars_money(line + 6, end, &money)))
                return 0;
            return (line == end || *line == ' ') && pm_stars_add(h, player, PM_CALL, money);
        }
        return 1;
    case 'b':
        if (PM_TEXT_BEGINS(line, end, "bets")) {
            if (!PM_TEXT_BEGINS(line, end, "bets ") || !(line = pm_stars_money(line + 5, end, &money)))
                return 0;
            return (line == end || *line == ' ') && pm_stars_add(h, player, PM_RAISE, money);
        }
        return !PM_TEXT_BEGINS(line, end, "big ");
    case 'r':
        if (PM_TEXT_BEGINS(line, end, "raises")) {
            if (!PM_TEXT_BEGINS(line, end, "raises ") || !(line = pm_stars_money(line + 7, end, &money)))
                return 0;
            if (!PM_TEXT_BEGINS(line, end, " to ") || !(line = pm_stars_money(line + 4, end, &money)))
                return 0;
            return (line == end || *line == ' ') && pm_stars_add(h, player, PM_RAISE, money);
        }
        return 1;
    case 'p':
        if (PM_TEXT_BEGINS(line, end, "posts "))
            return pm_stars_post(h, player, line + 6, end);
        return 1;
    case 's':
        if (PM_TEXT_BEGINS(line, end, "shows [")) {
            if (!pm_stars_cards(line + 7, end, cards, 2))
                return 0;
            h->players[player].shown = 1;
            return pm_stars_hold(h, player, cards);
        }
        return !PM_TEXT_BEGINS(line, end, "small ") && !PM_TEXT_BEGINS(line, end, "straddle ");
    case 'm':
        if (PM_TEXT_BEGINS(line, end, "mucks hand"))
            h->players[player].mucked = 1;
        return !PM_TEXT_BEGINS(line, end, "missed ");
    case 't':
        return !PM_TEXT_BEGINS(line, end, "the ante ");
    default:
        return (unsigned char)*line > ' ' && (unsigned char)*line < 0x7f;
    }
}

/* "collected $1.40 from pot", after the name */
static inline int pm_stars_collect(pm_stars_hand *h, int player, const char *line, const char *end)
{
    int64_t money;
    if (!(line = pm_stars_money(line + 10, end, &money)) || !PM_TEXT_BEGINS(line, end, " from "))
        return 0;
    line += 6;
    if (PM_TEXT_BEGINS(line, end, "side ") || PM_TEXT_BEGINS(line, end, "main "))
        line += 5;
    else if (PM_TEXT_BEGINS(line, end, "a "))
        line += 2;
    if (!PM_TEXT_BEGINS(line, end, "pot"))
        return 0;
    h->players[player].collected += money;
    h->players[player].wins = 1;
    return 1;
}

/* "Uncalled bet ($1.10) returned to Name" */
static inline int pm_stars_uncalled(pm_stars_hand *h, const char *line, const char *end)
{
    int64_t money;
    int player;
    if (!PM_TEXT_BEGINS(line, end, "Uncalled bet (") || !(line = pm_stars_money(line + 14, end, &money)))
        return 0;
    if (!PM_TEXT_BEGINS(line, end, ") returned to "))
        return 0;
    line += 14;
    player = pm_stars_named(h, line, end - line);
    if (player < 0)
        return 0;
    h->players[player].returned += money;
    h->players[player].gets_back = 1;
    return 1;
}

/* "Dealt to Name [As Kd]" */
static inline int pm_stars_dealt(pm_stars_hand *h, const char *line, const char *end)
{
    int8_t cards[2];
    int player;
    if (!PM_TEXT_BEGINS(line, end, "Dealt to ") || end - line < 9 + 1 + 8)
        return 0;
    if (memcmp(end - 8, " [", 2) != 0 || pm_stars_cards(end - 6, end, cards, 2) != end)
        return 0;
    player = pm_stars_named(h, line + 9, end - 8 - (line + 9));
    if (player < 0)
        return 0;
    h->hero = h->hero == -1 || h->hero == player ? player : -2;
    return pm_stars_hold(h, player, cards);
}

/* A line of the summary. */
static inline int pm_stars_sum_up(pm_stars_hand *h, const char *line, const char *end)
{
    if (PM_TEXT_BEGINS(line, end, "Total ")) {
        if (h->stated || !PM_TEXT_BEGINS(line, end, "Total pot ") ||
            !(line = pm_stars_money(line + 10, end, &h->pot)) || !(line = PM_TEXT_FIND(line, end, "| Rake ")))
            return 0;
        h->stated = 1;
        return pm_stars_money(line + 7, end, &h->rake) == end;
    }
    if (PM_TEXT_BEGINS(line, end, "Board [")) {
        int8_t board[PM_STARS_BOARD];
        return h->cards && pm_stars_cards(line + 7, end, board, h->cards) == end &&
               memcmp(board, h->board, (size_t)h->cards) == 0;
    }
    if (PM_TEXT_BEGINS(line, end, "FIRST "))
        return 0;
    if (PM_TEXT_BEGINS(line, end, "Seat ")) {
        const char *showed = PM_TEXT_FIND(line, end, "showed ["), *mucked = PM_TEXT_FIND(line, end, "mucked [");
        const char *what = showed ? showed : mucked;
        int8_t cards[2];
        int number, k;
        if (!what)
            return 1;
        if ((showed && mucked) || what[-1] != ' ' || PM_TEXT_FIND(what + 8, end, "showed [") ||
            PM_TEXT_FIND(what + 8, end, "mucked [") || !pm_stars_cards(what + 8, end, cards, 2) ||
            !(line = pm_stars_number(line + 5, end, 3, &number)) || !PM_TEXT_BEGINS(line, end, ": "))
            return 0;
        for (k = 0; k < h->seated && h->players[k].number != number; k++)
            ;
        if (k == h->seated)
            return 0;
        if (showed)
            h->players[k].shown = 1;
        return pm_stars_hold(h, k, cards);
    }
    return (unsigned char)*line < 0x80 && !pm_stars_may_begin(line, end);
}

/* A line above the summary, which does not begin with stars. */
static inline int pm_stars_tell(pm_stars_hand *h, const char *line, const char *end)
{
    int player;
    if (h->button < 0 && PM_TEXT_BEGINS(line, end, "Table "))
        return (PM_TEXT_BEGINS(line, end, "Table '") || PM_TEXT_BEGINS(line, end, "Table ID '")) &&
               pm_stars_table(h, line, end);
    if (PM_TEXT_BEGINS(line, end, "Seat "))
        return pm_stars_seat(h, line, end);
    if (PM_TEXT_BEGINS(line, end, "Uncalled "))
        return pm_stars_uncalled(h, line, end);
    if (PM_TEXT_BEGINS(line, end, "Dealt "))
        return pm_stars_dealt(h, line, end);
    if (pm_stars_may_begin(line, end))
        return 0;
    if ((player = pm_stars_subject(h, line, end, ": ", 2)) >= 0)
        return pm_stars_do(h, player, line + h->players[player].name.length + 2, end);
    if ((player = pm_stars_subject(h, line, end, " ", 1)) >= 0) {
        line += h->players[player].name.length + 1;
        while (line < end && *line == ' ')
            line++;
        if (PM_TEXT_BEGINS(line, end, "collected "))
            return pm_stars_collect(h, player, line, end);
        return !PM_TEXT_BEGINS(line, end, "shows [") && line < end && (unsigned char)*line > ' ' &&
               (unsigned char)*line < 0x7f;
    }
    return !PM_TEXT_BEGINS(line, end, "STP added") && (unsigned char)*line < 0x80;
}

/* The lines after the first one. */
static inline int pm_stars_lines(pm_stars_hand *h, const char *line, const char *end)
{
    const char *stop, *next;
    int summary = 0, gap = 0;
    for (; line < end; line = next) {
        if (!pm_stars_line(line, end, &stop, &next))
            return 0;
        if (++h->lines > PM_STARS_LINES)
            return 0;
        while (line < stop && (*line == ' ' || *line == '\t' || *line == '\0'))
            line++;
        if (line == stop) {
            gap = 1;
            continue;
        }
        if (gap && !PM_TEXT_BEGINS(line, stop, "******")) /* it may be another hand, whose first line is damaged */
            return 0;
        if (PM_TEXT_BEGINS(line, stop, "***")) {
            summary = PM_TEXT_BEGINS(line, stop, "*** SUMMARY");
            if (PM_TEXT_BEGINS(line, stop, "*** FLOP *** ")) {
                if (!pm_stars_street(h, line + 13, stop, 3))
                    return 0;
            } else if (PM_TEXT_BEGINS(line, stop, "*** TURN *** ")) {
                if (!pm_stars_street(h, line + 13, stop, 4))
                    return 0;
            } else if (PM_TEXT_BEGINS(line, stop, "*** RIVER *** ")) {
                if (!pm_stars_street(h, line + 14, stop, 5))
                    return 0;
            } else if (PM_TEXT_BEGINS(line, stop, "*** HOLE CARDS")) {
                h->street = 0;
            } else if (!summary && !PM_TEXT_BEGINS(line, stop, "*** SHOW DOWN") &&
                       !PM_TEXT_BEGINS(line, stop, "******")) {
                return 0;
            }
        } else if (!(summary ? pm_stars_sum_up(h, line, stop) : pm_stars_tell(h, line, stop))) {
            return 0;
        }
    }
    return h->button >= 0 && h->stated && h->street >= 0;
}

/* ----------------------------------------------------------------------------------------------------- the hand */

/* Put those who take part in order, from the first blind on, and find out what a chip is; who is all-in with a blind has
 * posted all of it, as far as the others are concerned. `blinds` are live blinds in hundredths. */
static inline int pm_stars_seats(pm_stars_hand *h, int64_t *blinds)
{
    int64_t least = h->structure == PM_LIMIT ? h->small : h->large;
    int64_t unit;
    int k, seat, from, posted = -1, button = h->button, dealt = 0, there = 0;
    for (k = 0; k < h->seated; k++) {
        dealt += h->players[k].dealt != 0;
        there |= h->players[k].dealt && h->players[k].number == button;
    }
    if (!there && dealt > 2 && h->small_blind >= 0) /* in the seat of somebody who left the text may have an older one */
        button = h->players[h->small_blind].number - 1;
    h->n = 0;
    for (k = 0; k < h->seated; k++) { /* by number, those behind the button first */
        int late = h->players[k].number <= button, place;
        if (!h->players[k].dealt) {
            if (h->players[k].wins || h->players[k].gets_back)
                return 0;
            continue;
        }
        if (h->players[k].stack <= 0)
            return 0;
        for (place = h->n; place > 0; place--) {
            const pm_stars_player *before = &h->players[h->order[place - 1]];
            int before_late = before->number <= button;
            if (before_late < late || (before_late == late && before->number < h->players[k].number))
                break;
            h->order[place] = h->order[place - 1];
        }
        h->order[place] = (int8_t)k;
        h->n++;
    }
    if (h->n < 2)
        return 0;
    if (h->n == 2 && h->players[h->order[1]].number == h->button && h->players[h->order[0]].big) {
        int8_t first = h->order[0]; /* between two players the button has the small blind */
        h->order[0] = h->order[1];
        h->order[1] = first;
    }
    unit = PM_STARS_HUNDREDTHS;
    unit = pm_common_unit(pm_common_unit(unit, least), h->large);
    for (seat = 0; seat < h->n; seat++) {
        pm_stars_player *p = &h->players[h->order[seat]];
        p->seat = seat;
        blinds[seat] = p->live;
        if (p->big && p->live < least && p->live + p->dead >= p->stack)
            blinds[seat] = least;
        unit = pm_common_unit(pm_common_unit(unit, p->stack), p->live);
        unit = pm_common_unit(pm_common_unit(unit, p->dead), p->collected);
    }
    if (h->structure != PM_LIMIT)
        for (k = 0; k < h->acts; k++)
            unit = pm_common_unit(unit, h->act[k].money);
    h->unit = unit;
    h->later = h->n == 2 && h->players[h->order[0]].number == h->button;
    from = h->later; /* of two, the button comes after the other one */
    for (k = 0; k < h->n && posted < 0; k++) {
        seat = (from + k) % h->n;
        if (h->players[h->order[seat]].big)
            posted = seat;
    }
    if (posted < 0 && h->small_blind >= 0)
        posted = h->players[h->small_blind].seat;
    h->first = posted < 0 ? 0 : (posted + 1) % h->n;
    return 1;
}

/* Whether the acts are played in the game as they stand, with these amounts, to its end. */
static inline int pm_stars_play(pm_state *s, const pm_stars_hand *h)
{
    int64_t before[PM_SEATS];
    int fixed = s->table->structure == PM_LIMIT;
    int k, seat;
    for (seat = 0; seat < h->n; seat++)
        before[seat] = 0;
    for (k = 0; k < h->acts; k++) {
        const pm_stars_act *a = &h->act[k];
        int64_t least, most, to = 0, chips;
        int round = s->round;
        seat = h->players[a->player].seat;
        if (seat != s->seat || a->street != round || !(pm_possible(s) >> a->act & 1))
            return 0;
        if (a->act == PM_RAISE) {
            pm_raise_range(s, &least, &most);
            to = fixed ? least : a->money / h->unit + pm_round_base(s);
            if (to < least || to > most)
                return 0;
        }
        chips = pm_act_to(s, a->act, to);
        if (a->act == PM_CALL && chips * h->unit != a->money)
            return 0;
        if (a->act == PM_RAISE && (s->in[seat] - before[seat]) * h->unit != a->money)
            return 0;
        if (s->round != round)
            for (seat = 0; seat < h->n; seat++)
                before[seat] = s->in[seat];
    }
    return pm_is_over(s);
}

/* The chips of the highest bet that nobody called; returns its seat, or -1. */
static inline int pm_stars_excess(const pm_state *s, const pm_stars_hand *h, int64_t *excess)
{
    int64_t highest = -1, second = -1;
    int seat, who = -1;
    for (seat = 0; seat < h->n; seat++) {
        int64_t ante = h->players[h->order[seat]].dead / h->unit;
        int64_t live = s->in[seat] + s->table->dead[seat] - ante;
        if (live < 0)
            live = 0;
        if (live > highest) {
            second = highest;
            highest = live;
            who = seat;
        } else if (live > second) {
            second = live;
        }
    }
    *excess = highest - second;
    return *excess > 0 && (s->live >> who & 1) ? who : -1;
}

/* Whether pot, rake and what is returned are those of the text; what comes back without a line is noted, and left out of
 * what is collected where that includes it. */
static inline int pm_stars_settle(const pm_state *s, pm_stars_hand *h, int who, int64_t excess)
{
    int64_t pot = s->pot * h->unit, collected = 0, returned = 0;
    int seat, back = 0;
    excess = who < 0 ? 0 : excess * h->unit;
    pot -= excess;
    for (seat = 0; seat < h->n; seat++) {
        const pm_stars_player *p = &h->players[h->order[seat]];
        collected += p->collected;
        returned += p->returned;
        back += p->gets_back;
    }
    if (back > 1 || (back && (who < 0 || !h->players[h->order[who]].gets_back)))
        return 0;
    if (back) {
        pm_stars_player *p = &h->players[h->order[who]];
        int64_t extra = returned - excess; /* what others put in against it may be in what is returned */
        if (extra > 0 && !pm_is_showdown(s)) {
            p->returned -= extra;
            p->collected += extra;
            p->wins = 1;
            collected += extra;
            h->pot += extra;
        } else if (extra) {
            return 0;
        }
        if (p->returned != excess)
            return 0;
    } else if (who >= 0) {
        pm_stars_player *p = &h->players[h->order[who]];
        if (collected + h->rake == pot + excess && p->collected >= excess) {
            p->collected -= excess;
            p->wins = 1;
            collected -= excess;
        }
        p->returned = excess;
        p->gets_back = 1;
    }
    if (h->pot != pot && h->pot != pot + excess && h->pot != pot - h->rake)
        return 0;
    return pot - collected == h->rake;
}

#endif
