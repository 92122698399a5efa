/* A choice without a branch, of which compilers make vector instructions: they may not do so with `a > b ? x / y : z`,
 * since a division that nobody asked for could raise an exception. */
#ifndef POKERMODEL_SELECT_H
#define POKERMODEL_SELECT_H

#include <stdint.h>
#include <string.h>

/* `condition` is 0 or 1. */
static inline double pm_select(int condition, double yes, double no)
{
    const uint64_t mask = (uint64_t)0 - (uint64_t)condition;
    uint64_t one, other;
    memcpy(&one, &yes, sizeof one);
    memcpy(&other, &no, sizeof other);
    other = (one & mask) | (other & ~mask);
    memcpy(&no, &other, sizeof no);
    return no;
}

#endif
