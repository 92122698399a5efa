/* What the texts of hands are made of, whatever their format. */
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

/* A card, as in "Th"; -1 if it is none. */
static inline int pm_text_card(const char *text)
{
    static const char ranks[] = "23456789TJQKA", suits[] = "cdhs";
    const char *rank = memchr(ranks, text[0], 13), *suit = memchr(suits, text[1], 4);
    return rank && suit ? (int)(4 * (rank - ranks) + (suit - suits)) : -1;
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
