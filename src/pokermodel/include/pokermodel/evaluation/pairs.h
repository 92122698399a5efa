/* How often one holding beats or ties others over all runouts, by comparing rows of strengths.
 *
 * On any one board live holdings have fewer than 254 different strengths (91 pairs of hole ranks, some 55 flushes), so
 * that a strength fits a byte. A row has a holding's strengths over the runouts. If a runout brings one of its cards,
 * the entry of a left-hand row is the lowest value and that of a right-hand row the highest, so that the entry
 * neither wins nor ties. The counts do not depend on weights: one pass serves every range on that board.
 */
#ifndef POKERMODEL_PAIRS_H
#define POKERMODEL_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#define PM_ROW_LOWEST (-128)
#define PM_ROW_HIGHEST 127
#define PM_ROW_LANES 64  /* rows are padded to a multiple of this, with the lowest and highest values */
#define PM_ROW_MOST 1280 /* longest row: in vectors of 16 bytes, byte counters add up to 1280/16 at most */

/* Count the entries in which row `left` beats and ties each of the `n` rows at `right`. Rows of `length` bytes
 * follow each other and begin at multiples of PM_ROW_LANES. */
typedef void (*pm_compare_rows)(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                uint16_t *ties);

#endif
