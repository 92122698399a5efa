"""Several opponents seen as one: the field array (Papp 1998, section 7.3.1).

Loki looks at one opponent, whose table is that of all of them merged, and takes powers of the strength against it. So
a decision costs the same with nine opponents as with one. Two ways are truer and cost more. The strengths against
each table, multiplied (``product``), need a pass for each opponent. The exact strength against hands that share no
card (`BoardAnalysis.joint_strength`) costs 39 times as much against two opponents and 9,473 times as much
against three. In Loki's own games the merged table is off by .7 percentage points against two opponents, and the
product by .3 (``pokermodel experiment hand-strength``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.strength import merge
from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.reading.reader import Spot
from pokermodel.weights import WeightTable

__all__ = [
    *("CrudePotential", "FieldMethod"),
    *("crude_potentials", "crude_values", "field_array", "field_strengths"),
    *("spot_field", "spot_strengths", "spot_values"),
]

_NO_POTENTIAL: Floats = np.zeros(N_HOLDINGS)
_NO_POTENTIAL.setflags(write=False)

#: How several opponents are merged into one.
FieldMethod: TypeAlias = Literal["mean", "maximum", "product"]
#: Which PPOTc re-weighting goes by: outs, or the exact one-card potential.
CrudePotential: TypeAlias = Literal["outs", "exact1"]


def _stack(tables: Sequence[ArrayLike]) -> list[Floats]:
    if isinstance(tables, WeightTable):
        raise ValueError("expected a list of tables, one for each opponent, got one weight table")
    stacked = [np.ascontiguousarray(getattr(table, "values", table), dtype=np.float64) for table in tables]
    if not stacked:
        raise ValueError("a field needs the table of at least one opponent")
    return stacked


def field_array(tables: Sequence[ArrayLike], method: Literal["mean", "maximum"] = "mean") -> Floats:
    """One array of weights that stands for several opponents.

    Parameters
    ----------
    tables : sequence of array_like of float, shape (1326,)
        The opponents' weights, at least one.
    method : {"mean", "maximum"}
        ``mean`` of the normalised tables, as published. ``maximum``, entry by entry, of the tables scaled to a
        maximum of 1: it does not hide one strong opponent among weak ones (Billings et al. 2002, section 5).

    Returns
    -------
    ndarray of float64, shape (1326,)
        A table without weight adds nothing.

    Raises
    ------
    ValueError
        If there is no table or the method is unknown, or weights are no 1,326 finite numbers, 0 or more.
    """
    stacked = _stack(tables)
    if method not in ("mean", "maximum"):
        raise ValueError(f"unknown way to merge a field {method!r}: expected 'mean' or 'maximum'")
    merged = np.empty(N_HOLDINGS)
    merge(stacked, method == "maximum", merged)
    return merged


def field_strengths(
    analysis: BoardAnalysis, tables: Sequence[ArrayLike], method: FieldMethod = "mean"
) -> tuple[Floats, Floats]:
    """Hand strength of every holding against a field: against one of it, and against all of it.

    Parameters
    ----------
    analysis : BoardAnalysis
        The board.
    tables : sequence of array_like of float, shape (1326,)
        The opponents' weights, at least one.
    method : {"mean", "maximum", "product"}
        ``mean`` and ``maximum`` evaluate against one `field_array` and take the n-th power for n opponents
        (Papp 1998, Eq 5.3). ``product`` evaluates against each opponent's own table and multiplies (Eq 5.4);
        the strength against one is then the geometric mean.

    Returns
    -------
    hs1, hsn : ndarray of float64, shape (1326,)
        nan where a holding is not possible.

    Raises
    ------
    ValueError
        If there is no table or the method is unknown.
    """
    if method not in get_args(FieldMethod):
        raise ValueError(f"unknown field method {method!r}: expected one of {', '.join(get_args(FieldMethod))}")
    if method == "product":
        hsn: Floats = np.prod([analysis.strengths(table) for table in _stack(tables)], axis=0)
        return hsn ** (1.0 / len(tables)), hsn
    hs1 = analysis.strengths(field_array(tables, method))
    return hs1, hs1 ** len(tables)


def crude_values(
    analysis: BoardAnalysis,
    tables: Sequence[ArrayLike],
    method: FieldMethod = "mean",
    potential: CrudePotential = "outs",
    *,
    strengths: Floats | None = None,
) -> tuple[Floats, Floats]:
    """The value of every holding against a field, as re-weighting uses it (Papp 1998, section 7.2.3).

    Parameters
    ----------
    analysis : BoardAnalysis
        The board.
    tables : sequence of array_like of float, shape (1326,)
        The opponents' weights, at least one.
    method : {"mean", "maximum", "product"}
        As `field_strengths`.
    potential : {"outs", "exact1"}
        The potential that is used: the count of outs, as in the original, or the exact one-card potential
        against uniform weights.
    strengths : ndarray of float64, shape (1326,), optional
        HS1, where it is at hand.

    Returns
    -------
    values, potentials : ndarray of float64, shape (1326,)
        ``HS1 + (1 - HS1)*PPOTc``, and PPOTc; nan where a holding is not possible.

    Raises
    ------
    ValueError
        If there is no table or the method is unknown.
    """
    if strengths is None:
        strengths, _ = field_strengths(analysis, tables, method)
    potentials = crude_potentials(analysis, potential)
    return strengths + (1.0 - strengths) * potentials, potentials


def crude_potentials(analysis: BoardAnalysis, potential: CrudePotential = "outs") -> Floats:
    """The potential of every holding, as re-weighting uses it; see `crude_values`."""
    return analysis.crude_potentials() if potential == "outs" else analysis.evaluate(None, lookahead=1).ppot


# ------------------------------------------------------------------------------------ the same of a spot, kept in it


def spot_field(spot: Spot, method: FieldMethod = "mean") -> Floats:
    """The opponents of the player to act merged into one.

    Parameters
    ----------
    method : {"mean", "maximum", "product"}
        See `field_array`. For a ``product``, which has no array, the mean.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Kept until a table changes: do not write to it.

    Raises
    ------
    ValueError
        If there is no opponent, or the method is unknown.
    """
    key = "field weights", spot.situation.seat, method
    merged: Floats | None = spot.memo.get(key)
    if merged is None:
        merged = field_array(spot.opponents, "mean" if method == "product" else method)
        spot.memo[key] = merged
    return merged


def spot_strengths(spot: Spot, method: FieldMethod = "mean") -> Floats:
    """Hand strength of every holding against one of the opponents of the player to act.

    Parameters
    ----------
    spot : Spot
        After the flop.
    method : {"mean", "maximum", "product"}
        See `field_strengths`. For a ``product`` the geometric mean of the strengths against each.

    Returns
    -------
    ndarray of float64, shape (1326,)
        HS1; against all n opponents it is its n-th power. Kept until a table changes: do not write to it.

    Raises
    ------
    ValueError
        If there is no opponent, no board yet, or the method is unknown.
    """
    if spot.analysis is None:
        raise ValueError("there is no hand strength before the flop")
    key = "field strengths", spot.situation.seat, method
    strengths: Floats | None = spot.memo.get(key)
    if strengths is None:
        if method == "product":
            strengths, _ = field_strengths(spot.analysis, spot.opponents, method)
        else:
            strengths = spot.analysis.strengths(spot_field(spot, method))
        spot.memo[key] = strengths
    return strengths


def spot_values(spot: Spot, method: FieldMethod = "mean", potential: CrudePotential = "outs") -> tuple[Floats, Floats]:
    """The value of all holdings in the place of the player to act, as re-weighting has it.

    Parameters
    ----------
    method : {"mean", "maximum", "product"}
        See `field_strengths`.
    potential : {"outs", "exact1"}
        The potential that is used; see `crude_values`.

    Returns
    -------
    values : ndarray of float64, shape (1326,)
        Income rates before the flop; then ``HS1 + (1 - HS1)*PPOTc``.
    potentials : ndarray of float64, shape (1326,)
        PPOTc; 0 before the flop.

    Raises
    ------
    ValueError
        If there is no opponent, or the method is unknown.
    """
    analysis = spot.analysis
    if analysis is None:
        return income_rates_by_holding(), _NO_POTENTIAL
    memo, seat = spot.memo, spot.situation.seat
    key = "field values", seat, method, potential
    found: tuple[Floats, Floats] | None = memo.get(key)
    if found is None:
        if method == "product" or ("field strengths", seat, method) in memo:
            strengths = spot_strengths(spot, method)
            found = crude_values(analysis, spot.opponents, method, potential, strengths=strengths)
        else:  # all three in one pass
            potentials = crude_potentials(analysis, potential)
            merged, strengths, values = analysis.against(spot.opponents, method, potentials)
            memo["field weights", seat, method] = merged
            memo["field strengths", seat, method] = strengths
            found = values, potentials
        memo[key] = found
    return found
