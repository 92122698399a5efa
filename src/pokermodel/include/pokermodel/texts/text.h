/* What the texts of hands are made of, whatever their format: words, numbers, amounts, cards.
 *
 * Formats differ in what stands around these, not in them. A scanner here goes from `at` as far as it understands, never
 * past `end`, and returns what follows, or NULL. It refuses what is unusual rather than guess: a hand that is refused is
 * read by the grammar in Python, which is slower and says what is wrong. So more digits than an amount has in practice
 * are refused, too, and no sum of amounts can overflow. */
#ifndef POKERMODEL_TEXT_H
#define POKERMODEL_TEXT_H

#include <stdint.h>
#include <string.h>

typedef struct {
    const char *text; /* points into what is read */
    int length;
} pm_text;

static inline int pm_text_is(pm_text text, const char *other, int64_t length)
{
    return text.length == length && memcmp(text.text, other, (size_t)length) == 0;
}

#define PM_TEXT_IS(text, word) pm_text_is((text), (word), (int64_t)sizeof(word) - 1)

static inline int pm_text_same(pm_text a, pm_text b)
{
    return pm_text_is(a, b.text, b.length);
}

static inline int pm_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#define PM_TEXT_BEGINS(at, end, word) \
    ((end) - (at) >= (int64_t)sizeof(word) - 1 && memcmp((at), (word), sizeof(word) - 1) == 0)

#define PM_TEXT_ENDS(at, end, word) \
    ((end) - (at) >= (int64_t)sizeof(word) - 1 && memcmp((end) - (sizeof(word) - 1), (word), sizeof(word) - 1) == 0)

/* The first place of a word, or NULL. */
static inline const char *pm_text_find(const char *at, const char *end, const char *word, int length)
{
    while (end - at >= length) {
        const char *found = memchr(at, word[0], (size_t)(end - at - length + 1));
        if (!found || memcmp(found, word, (size_t)length) == 0)
            return found;
        at = found + 1;
    }
    return NULL;
}

#define PM_TEXT_FIND(at, end, word) pm_text_find((at), (end), (word), (int)sizeof(word) - 1)

/* A whole number of at most so many digits; returns what follows, or NULL. */
static inline const char *pm_scan_whole(const char *at, const char *end, int most, int64_t *number)
{
    const char *start = at;
    int64_t found = 0; /* not in *number: the compiler would have to keep that in memory */
    for (; at < end && pm_is_digit(*at); at++) {
        if (at - start == most)
            return NULL;
        found = 10 * found + (*at - '0');
    }
    *number = found;
    return at > start ? at : NULL;
}

/* An amount in parts, of which a whole one has 10^decimals: at most so many digits, perhaps a point and decimals. Returns
 * what follows, or NULL. */
static inline const char *pm_scan_money(const char *at, const char *end, int digits, int decimals, int64_t *money)
{
    int64_t parts = 0;
    int k;
    if (!(at = pm_scan_whole(at, end, digits, money)))
        return NULL;
    for (k = 0; k < decimals; k++)
        *money *= 10;
    if (at < end && *at == '.') {
        const char *start = at + 1;
        if (!(at = pm_scan_whole(start, end, decimals, &parts)))
            return NULL;
        for (k = (int)(at - start); k < decimals; k++)
            parts *= 10;
        *money += parts;
    }
    return at;
}

/* A card, as in "Th"; -1 if it is none. */
static inline int pm_text_card(const char *text)
{
    static const char ranks[] = "23456789TJQKA", suits[] = "cdhs";
    const char *rank = memchr(ranks, text[0], 13), *suit = memchr(suits, text[1], 4);
    return rank && suit ? (int)(4 * (rank - ranks) + (suit - suits)) : -1;
}

/* So many cards, one every `step` characters; returns what follows the last one, or NULL. What is between them is the
 * caller's affair. */
static inline const char *pm_scan_cards(const char *at, const char *end, int n, int step, int8_t *cards)
{
    int k;
    if (n < 1 || end - at < (int64_t)step * (n - 1) + 2)
        return NULL;
    for (k = 0; k < n; k++, at += step) {
        int card = pm_text_card(at);
        if (card < 0)
            return NULL;
        cards[k] = (int8_t)card;
    }
    return at - step + 2;
}

/* Whether two cards are the same two, in any order. */
static inline int pm_same_two(const int8_t a[2], const int8_t b[2])
{
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* The largest amount of which both are multiples: what a chip can be. */
static inline int64_t pm_common_unit(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
