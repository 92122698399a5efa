/* Where a hand ends at a showdown of three: what each holding of one player wins of the pot on average.
 *
 * With w and t the chances to beat and to tie with each of the two others, as if these were independent,
 *
 *     w1 w2 + (t1 w2 + w1 t2) / 2 + t1 t2 / 3
 *
 * which takes two sweeps over the holdings, as two players do. It is not exact: the two others share no card, and who is
 * beaten by one strong holding is beaten by the others of that board. Over three rivers and ranges of a raised pot it was
 * .003 too high on average, and .025 at most. The exact sum takes all pairs of the others for each holding, a thousand
 * times as long (joint.h). With three players an iteration is not known to converge, whatever the terminal.
 */
#ifndef POKERMODEL_THREE_WAY_H
#define POKERMODEL_THREE_WAY_H

#include "pokermodel/evaluation/field.h"

/* `first` and `second` are weights of the two others by position in the field, `cells` has room for two sweeps, 6 numbers
 * a position. A share is -1 where one of the others can hold nothing beside the holding. */
static inline void pm_three_way_shares(const pm_field *field, const double *first, const double *second, double *cells,
                                       double *shares)
{
    double *other = cells + 3 * field->size;
    pm_field_masses(field, first, cells);
    pm_field_masses(field, second, other);
    for (int k = 0; k < field->size; k++) {
        const double *a = cells + 3 * k, *b = other + 3 * k;
        const double all = (a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]);
        const double won = a[PM_AHEAD] * b[PM_AHEAD], both = a[PM_TIED] * b[PM_TIED];
        const double one = a[PM_TIED] * b[PM_AHEAD] + a[PM_AHEAD] * b[PM_TIED];
        shares[k] = all > 0.0 ? (won + one / 2.0 + both / 3.0) / all : -1.0;
    }
}

#endif
