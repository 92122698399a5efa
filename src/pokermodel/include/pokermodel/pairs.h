/* How often one holding beats or ties another over all runouts, by comparing rows of strengths.
 *
 * On any one board the strengths of all live holdings are fewer than 254 (91 pairs of hole ranks, some 55
 * flushes), so each fits a byte. A row holds a holding's strengths over the runouts; where the runout takes one
 * of its cards the row of the left side says "lowest" and that of the right side "highest", so that the entry
 * neither wins nor ties. The counts do not depend on weights: one pass serves every range on that board.
 */
#ifndef POKERMODEL_PAIRS_H
#define POKERMODEL_PAIRS_H

#include <stdint.h>

#define PM_ROW_LOWEST (-128)
#define PM_ROW_HIGHEST 127
#define PM_ROW_LANES 64 /* rows are padded to a multiple of this, with the lowest and highest values */

/* Count the runouts in which `left` beats and ties `right`. At most 255 * PM_ROW_LANES runouts. */
static inline void pm_compare_rows(const int8_t *left, const int8_t *right, int length, uint16_t *wins, uint16_t *ties)
{
    uint8_t win[PM_ROW_LANES] = {0}, tie[PM_ROW_LANES] = {0};
    unsigned won = 0, tied = 0;
    for (int start = 0; start < length; start += PM_ROW_LANES)
        for (int lane = 0; lane < PM_ROW_LANES; lane++) {
            win[lane] = (uint8_t)(win[lane] + (left[start + lane] > right[start + lane]));
            tie[lane] = (uint8_t)(tie[lane] + (left[start + lane] == right[start + lane]));
        }
    for (int lane = 0; lane < PM_ROW_LANES; lane++) {
        won += win[lane];
        tied += tie[lane];
    }
    *wins = (uint16_t)won;
    *ties = (uint16_t)tied;
}

#endif
