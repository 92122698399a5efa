"""Several opponents seen as one: the field array (Papp 1998, section 7.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._arrays import Floats
from pokermodel._core.strength import merge
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation import BoardAnalysis
from pokermodel.weights import WeightTable

__all__ = ["CrudePotential", "FieldMethod", "crude_potentials", "crude_values", "field_array", "field_strengths"]

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
    """What re-weighting takes for the worth of every holding against a field (Papp 1998, section 7.2.3).

    Parameters
    ----------
    analysis : BoardAnalysis
        The board.
    tables : sequence of array_like of float, shape (1326,)
        The opponents' weights, at least one.
    method : {"mean", "maximum", "product"}
        As `field_strengths`.
    potential : {"outs", "exact1"}
        What stands for the potential: the count of outs, as in the original, or the exact one-card potential
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
    """What re-weighting takes for the potential of every holding; see `crude_values`."""
    return analysis.crude_potentials() if potential == "outs" else analysis.evaluate(None, lookahead=1).ppot
