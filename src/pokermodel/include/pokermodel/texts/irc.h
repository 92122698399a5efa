/* Hands of the IRC poker database: the lines of a hand, and the walk through its letters.
 *
 * Only what is usual is read here: printable ASCII, fields of the expected form, and players who all act in turn. For
 * anything else the functions return 0, and pokermodel.histories.irc, which knows all of it, says what is wrong or how
 * it is to be taken. Texts point into the lines.
 */
#ifndef POKERMODEL_IRC_H
#define POKERMODEL_IRC_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/game/rules.h"
#include "pokermodel/texts/text.h"

enum {
    PM_IRC_FIELDS = 32,    /* most fields of a line */
    PM_IRC_DIGITS = 15,    /* most digits of a number */
    PM_IRC_ACTIONS = 1024, /* most actions of a hand */
    PM_IRC_BOARD = 5
};

typedef struct {
    pm_text name;
    pm_text letters[PM_ROUNDS]; /* without those of the blind */
    int64_t bankroll, put_in, won;
    int dealt, seat;
    int8_t cards[2];
    int8_t shown, blind, all_in;
} pm_irc_row;

typedef struct {
    pm_text time, game, dealt;
    int64_t seconds;
    int64_t left[PM_ROUNDS], pot[PM_ROUNDS]; /* players and pot when flop, turn and river begin, and at the end */
    int players, cards;
    int8_t board[PM_IRC_BOARD];
} pm_irc_hand;

typedef struct {
    int n;
    int8_t seat[PM_IRC_ACTIONS], act[PM_IRC_ACTIONS];
    int reached; /* rounds after the first */
    int64_t left[PM_ROUNDS], pot[PM_ROUNDS];
} pm_irc_walk;

/* Divide a line at its blanks; 0 if it has other bytes than printable ASCII, or too many fields. */
static inline int pm_irc_split(const char *line, int64_t length, pm_text *fields)
{
    const char *end = line + length;
    int n = 0;
    for (;;) {
        const char *start;
        while (line < end && *line == ' ')
            line++;
        if (line == end)
            return n;
        start = line;
        while (line < end && *line > ' ' && *line < 0x7f)
            line++;
        if (n == PM_IRC_FIELDS || (line < end && *line != ' '))
            return 0;
        fields[n].text = start;
        fields[n++].length = (int)(line - start);
    }
}

/* A whole field as a number, which may be negative. Its length is known, so that no digit has to be counted, as a
 * scanner has to. */
static inline int pm_irc_number(pm_text field, int64_t *number)
{
    int k = field.length > 1 && field.text[0] == '-', negative = k;
    int64_t value = 0;
    if (field.length == 0 || field.length - k > PM_IRC_DIGITS)
        return 0;
    for (; k < field.length; k++) {
        if (!pm_is_digit(field.text[k]))
            return 0;
        value = 10 * value + (field.text[k] - '0');
    }
    *number = negative ? -value : value;
    return 1;
}

/* A line of hdb. */
static inline int pm_irc_read_hand(pm_irc_hand *hand, const char *line, int64_t length)
{
    pm_text fields[PM_IRC_FIELDS];
    int n = pm_irc_split(line, length, fields), k;
    int64_t number;
    if (n < 8 || n > 8 + PM_IRC_BOARD)
        return 0;
    hand->time = fields[0];
    hand->game = fields[2];
    hand->dealt = fields[3];
    if (!pm_irc_number(fields[0], &hand->seconds) || !pm_irc_number(fields[2], &number))
        return 0;
    if (!pm_irc_number(fields[3], &number) || number < 2 || number > PM_SEATS)
        return 0;
    hand->players = (int)number;
    for (k = 0; k < PM_ROUNDS; k++) {
        pm_text left = fields[4 + k], pot;
        const char *slash = memchr(left.text, '/', (size_t)left.length);
        if (!slash)
            return 0;
        pot.text = slash + 1;
        pot.length = left.length - (int)(pot.text - left.text);
        left.length = (int)(slash - left.text);
        if (!pm_irc_number(left, &hand->left[k]) || !pm_irc_number(pot, &hand->pot[k]))
            return 0;
    }
    hand->cards = n - 8;
    if (hand->cards == 1 || hand->cards == 2)
        return 0;
    for (k = 0; k < hand->cards; k++) {
        int card = fields[8 + k].length == 2 ? pm_text_card(fields[8 + k].text) : -1;
        if (card < 0)
            return 0;
        hand->board[k] = (int8_t)card;
    }
    return 1;
}

/* A line of pdb. */
static inline int pm_irc_read_row(pm_irc_row *row, const char *line, int64_t length)
{
    pm_text fields[PM_IRC_FIELDS], *first = &row->letters[0];
    int n = pm_irc_split(line, length, fields), k;
    int64_t dealt, position;
    if (n != 11 && n != 13)
        return 0;
    row->name = fields[0];
    if (!pm_irc_number(fields[2], &dealt) || !pm_irc_number(fields[3], &position))
        return 0;
    if (dealt < 2 || dealt > PM_SEATS || position < 1 || position > dealt)
        return 0;
    row->dealt = (int)dealt;
    row->seat = (int)position - 1;
    row->all_in = 0;
    for (k = 0; k < PM_ROUNDS; k++) {
        row->letters[k] = fields[4 + k];
        row->all_in |= memchr(fields[4 + k].text, 'A', (size_t)fields[4 + k].length) != NULL;
    }
    row->blind = first->text[0] == 'B';
    if (row->blind) {
        first->text++;
        first->length--;
        if (first->length && first->text[0] == 'A') {
            first->text++;
            first->length--;
        }
    }
    for (k = 0; k < PM_ROUNDS; k++)
        if (row->letters[k].length == 1 && row->letters[k].text[0] == '-')
            row->letters[k].length = 0;
    if (!pm_irc_number(fields[8], &row->bankroll) || !pm_irc_number(fields[9], &row->put_in) ||
        !pm_irc_number(fields[10], &row->won))
        return 0;
    row->shown = n == 13;
    for (k = 0; k < n - 11; k++) {
        int card = fields[11 + k].length == 2 ? pm_text_card(fields[11 + k].text) : -1;
        if (card < 0)
            return 0;
        row->cards[k] = (int8_t)card;
    }
    return 1;
}

static inline int pm_irc_is_leaving(char letter)
{
    return letter == 'Q' || letter == 'K';
}

/* Walk through a hand from its beginning; 0 where somebody does not simply act in turn. */
static inline int pm_irc_play(pm_state *s, const pm_irc_row *rows, pm_irc_walk *walk)
{
    int n = s->table->players, round, seat;
    walk->n = walk->reached = 0;
    for (round = 0; round < PM_ROUNDS; round++) {
        int taken[PM_SEATS] = {0};
        int opened = round == 0;
        while (s->seat >= 0 && s->round == round) {
            const pm_irc_row *row = &rows[s->seat];
            pm_text letters = row->letters[round];
            int act;
            int64_t chips;
            char letter;
            seat = s->seat;
            if (taken[seat] == letters.length || walk->n == PM_IRC_ACTIONS)
                return 0;
            letter = letters.text[taken[seat]++];
            switch (letter) {
            case 'Q':
            case 'K':
                if (row->won)
                    return 0;
                act = PM_FOLD;
                break;
            case 'f':
                act = PM_FOLD;
                break;
            case 'k':
            case 'c':
                act = PM_CALL;
                break;
            case 'b':
            case 'r':
                if ((letter == 'r') != opened)
                    return 0;
                opened = 1;
                act = PM_RAISE;
                break;
            default:
                return 0;
            }
            if (!(pm_possible(s) >> act & 1))
                return 0;
            chips = pm_act(s, act);
            if (act == PM_CALL && (letter == 'k') != (chips == 0))
                return 0;
            if (act != PM_FOLD && taken[seat] < letters.length && letters.text[taken[seat]] == 'A')
                taken[seat]++;
            walk->seat[walk->n] = (int8_t)seat;
            walk->act[walk->n++] = (int8_t)act;
        }
        for (seat = 0; seat < n; seat++) {
            pm_text rest = rows[seat].letters[round];
            uint32_t bit = UINT32_C(1) << seat;
            int k = taken[seat];
            if (k == rest.length)
                continue;
            for (; k < rest.length; k++)
                if (!pm_irc_is_leaving(rest.text[k]))
                    return 0;
            if ((s->live & ~s->broke & bit) && !rows[seat].won &&
                !(pm_is_over(s) && (!pm_is_showdown(s) || rows[seat].shown)))
                return 0; /* out of turn, or mucks */
        }
        if (!pm_is_over(s)) {
            walk->left[walk->reached] = pm_count_seats(s->live);
            walk->pot[walk->reached++] = s->pot;
        }
    }
    return 1;
}

/* Whether the pots and the chips of all players are those of the lines. */
static inline int pm_irc_fits(const pm_state *s, const pm_irc_hand *hand, const pm_irc_row *rows,
                              const pm_irc_walk *walk)
{
    int k;
    if (s->seat >= 0 || hand->pot[PM_ROUNDS - 1] != s->pot)
        return 0;
    for (k = 0; k < PM_ROUNDS - 1; k++) {
        if (k < walk->reached) {
            if (hand->left[k] != walk->left[k] || hand->pot[k] != walk->pot[k])
                return 0;
        } else if (hand->pot[k] && !(pm_is_showdown(s) && hand->pot[k] == s->pot)) {
            return 0;
        }
    }
    for (k = 0; k < s->table->players; k++)
        if (rows[k].put_in != s->in[k] + s->table->dead[k])
            return 0;
    return 1;
}

#endif
