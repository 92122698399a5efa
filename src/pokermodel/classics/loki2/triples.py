"""Probability triples: how likely a player folds, calls and raises with each holding.

Loki-2 knows betting in one function only, and uses it to act, to re-weight what opponents can hold, and to play
out simulations (Peña 1999, section 4.1). Four rules of it are printed (Fig 4.1). With E the value of a holding
(strength and potential) and four borders that depend on the bets to call::

    E > RAISE       raise .99, call .01
    E > MINRAISE    raise q = (E - MINRAISE)/(RAISE - MINRAISE), call 1 - q
    E > CALL        raise .01, call .98, fold .01
    else            raise .01, call .99*p, fold .99*(1 - p)     p = d + c - c*d,
                    c = (E - MINCALL)/(CALL - MINCALL), 0 below MINCALL;  d = PotOdds()

The numbers, PotOdds() and the longer forms that were really used are not published. Those here are ours:

- borders: see `pokermodel.classics.loki2.decision_thresholds`;
- PotOdds() is 1 for a holding whose chance to improve pays for the call (on the river: whose value does), else 0;
- the form ``own`` adds odds to call down, semi-bluffs and what the rules of the game forbid; the form
  ``reweighting`` adds the last, and leaves no entry below .01 before they are divided by their sum, so that no holding
  is ever excluded.

``pokermodel/game/triples.h`` has the rules themselves, for C and Cython.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.triples import Generator, TripleSpot, expected_triples, printed_triple
from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike, holding_index, holding_text
from pokermodel.classics.loki1.field import CrudePotential, FieldMethod, crude_values, field_array, field_strengths
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds, DecisionThresholds
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Situation
from pokermodel.reading.posterior import posterior

__all__ = [
    "LEAST_ENTRY",
    "LEAST_TRIPLE_WEIGHT",
    "HeldValues",
    "TripleGenerator",
    "TripleSpot",
    "expect_triples",
    "forecast_triples",
    "multiply_by_triples",
    "printed_triple",
    "spot_of",
]

Form: TypeAlias = Literal["printed", "own", "reweighting"]

#: No entry of a triple for re-weighting falls below this before they are divided by their sum (ours; "never zero" is
#: Peña's, 1999, section 4.1).
LEAST_ENTRY = 0.01
#: No possible holding's weight falls below this share of the largest (ours).
LEAST_TRIPLE_WEIGHT = 1e-6


def spot_of(situation: Situation) -> TripleSpot:
    """A situation, as the triple function takes it."""
    return TripleSpot(
        situation.round,
        situation.pot,
        situation.to_call,
        situation.bet_size,
        min(situation.bets_to_call, 1_000_000),  # as `TripleSpot.of` has it
        situation.num_bets,
        Act.RAISE in situation.legal,
    )


class HeldValues(NamedTuple):
    """The values of holdings to a player, as their triples use them."""

    #: E: strength with potential.
    values: Floats
    #: Chance to improve: PPOT, or PPOTc in the form for re-weighting.
    potentials: Floats
    #: EHS, with negative potential; E itself where it is not needed.
    effectives: Floats


class TripleGenerator:
    """Gives the probability triples of one player (Peña 1999, section 4.1).

    Parameters
    ----------
    borders : BettingThresholds, optional
        Where acts change. Default: `BettingThresholds.own` for the form ``own``, else `BettingThresholds.gom`.
    form : {"own", "reweighting", "printed"}
        Which rules are applied: the nine to choose an act, the eight for re-weighting, which leave no entry
        zero, or the printed four and nothing else.
    table : array_like of float, shape (3, bins, 3), optional
        Triples in the place of the printed rules: by bets to call (0, 1, 2 or more) and value, from 0 to 1 in
        equal bins. The further rules of the form are applied to them.
    pot_odds, showdown_odds, semi_bluff, two_bet_limit : bool
        Which further rules are on: calls by pot odds (on the river by the value itself); of the form ``own``,
        calls by showdown odds, semi-bluffs, and no raise after two bets of a round (an artefact of Loki-1).
    least : float
        For re-weighting: no entry falls below it, before they are divided by their sum.
    noise : float
        For re-weighting: beta, the share of every triple that is spread evenly over its entries, 0 to 1
        (Davidson 2002; .4 was best in that test).
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `field_strengths`.
    crude_potential : {"outs", "exact1"}
        The potential that is used in re-weighting.
    tilts : array_like of float, shape (3, 3), optional
        By bets to call (0, 1, 2 or more), factors of fold, call and raise. The products are divided by their sum.

    Attributes
    ----------
    borders : BettingThresholds
        As given; the default ones without.
    form : str
        As given.
    core : Generator
        The same as the compiled kernels take it: ``core.c`` for those who `cimport` it.

    Raises
    ------
    ValueError
        If an option is unknown or a number out of range, or a row of `table` is no triple.

    Examples
    --------
    >>> generator = TripleGenerator(form="reweighting")
    >>> spot = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    >>> generator.apply(spot, 0.80, 0.0).round(4).tolist()
    [0.0099, 0.495, 0.495]
    >>> generator.triple("AhKh", spot, BoardAnalysis("3h4cJh"), [np.ones(1326)]).round(3).tolist()
    [0.01, 0.917, 0.073]
    """

    __slots__ = ("_by_table", "_crude_potential", "_field", "_options", "borders", "core", "form")

    def __init__(
        self,
        borders: BettingThresholds | None = None,
        *,
        form: Form = "own",
        table: ArrayLike | None = None,
        pot_odds: bool = True,
        showdown_odds: bool = True,
        semi_bluff: bool = True,
        two_bet_limit: bool = False,
        least: float = LEAST_ENTRY,
        noise: float = 0.0,
        field: FieldMethod = "mean",
        crude_potential: CrudePotential = "outs",
        tilts: ArrayLike | None = None,
    ) -> None:
        if form not in get_args(Form):
            raise ValueError(f"unknown form {form!r}: expected one of {', '.join(get_args(Form))}")
        if borders is None:
            borders = BettingThresholds.own() if form == "own" else BettingThresholds.gom()
        if field not in get_args(FieldMethod):
            raise ValueError(f"unknown field method {field!r}: expected one of {', '.join(get_args(FieldMethod))}")
        if crude_potential not in get_args(CrudePotential):
            raise ValueError(
                f"unknown crude potential {crude_potential!r}: expected one of {', '.join(get_args(CrudePotential))}"
            )
        factors = None if tilts is None else np.array(tilts, dtype=np.float64, order="C")
        if factors is not None and factors.shape != (3, 3):
            raise ValueError(f"tilts must have shape (3, 3), got {factors.shape}")
        bins = None if table is None else np.array(table, dtype=np.float64, order="C")
        if bins is not None and bins.ndim != 3:
            raise ValueError(f"a table of triples must have shape (3, bins, 3), got {bins.shape}")
        self.borders = borders
        self.form: Form = form
        self._by_table = table is not None
        self._field: FieldMethod = field
        self._crude_potential: CrudePotential = crude_potential
        self.core = Generator(
            form, borders.array, bins, pot_odds, showdown_odds, semi_bluff, two_bet_limit, least, noise, factors
        )
        self._options: dict[str, Any] = {
            "form": form,
            "table": bins,
            "pot_odds": pot_odds,
            "showdown_odds": showdown_odds,
            "semi_bluff": semi_bluff,
            "two_bet_limit": two_bet_limit,
            "least": least,
            "noise": noise,
            "field": field,
            "crude_potential": crude_potential,
            "tilts": factors,
        }

    def __reduce__(self) -> tuple[Callable[..., TripleGenerator], tuple[BettingThresholds]]:
        return partial(type(self), **self._options), (self.borders,)

    def tilted(self, tilts: ArrayLike) -> TripleGenerator:
        """Return the same generator with other tilts.

        Parameters
        ----------
        tilts : array_like of float, shape (3, 3)
            Factors of fold, call and raise, by bets to call.

        Raises
        ------
        ValueError
            If the shape differs, or a factor is not between 1e-6 and 1e6.
        """
        return TripleGenerator(self.borders, **{**self._options, "tilts": tilts})

    def borders_at(self, bets_to_call: int) -> DecisionThresholds | None:
        """Where acts change with so many bets to call; None for a generator with a table."""
        return None if self._by_table else self.borders.at(bets_to_call)

    def apply(
        self,
        spot: TripleSpot,
        values: ArrayLike,
        potentials: ArrayLike = 0.0,
        effectives: ArrayLike | None = None,
        *,
        semi_bluff: bool = False,
    ) -> Floats:
        """Triples of holdings whose worth is known.

        Parameters
        ----------
        spot : TripleSpot
            The situation before the action.
        values : array_like of float, shape (...)
            E. nan gives a triple of nan.
        potentials : array_like of float
            Chances to improve, of the same shape or one for all; not looked at on the river.
        effectives : array_like of float, optional
            EHS likewise, for the odds to call down; E without.
        semi_bluff : bool
            Whether the player began a semi-bluff in this hand.

        Returns
        -------
        ndarray of float64, shape (..., 3)
            Fold, call, raise.

        Raises
        ------
        ValueError
            If the shapes do not fit, or a potential or effective strength is nan where the value is not.
        """
        held = np.asarray(values, dtype=np.float64)
        columns = [_column(x, held.shape) for x in (held, potentials, held if effectives is None else effectives)]
        triples = np.empty((held.size, 3))
        self.core.triples(spot, columns[0], columns[1], columns[2], semi_bluff, triples)
        return triples.reshape(*held.shape, 3)

    def expect(self, spot: TripleSpot, values: Floats, potentials: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Triples of all holdings for re-weighting, and their mean by the player's weights.

        Parameters
        ----------
        spot : TripleSpot
            The situation before the action.
        values, potentials : ndarray of float64, shape (n,)
            As for `apply`.
        weights : ndarray of float64, shape (n,)
            The player's; 0 where a holding is not possible.

        Returns
        -------
        triples : ndarray of float64, shape (n, 3)
            Fold, call, raise.
        mean : ndarray of float64, shape (3,)
            nan if all weights are 0.

        Raises
        ------
        ValueError
            If the form is not ``reweighting``, shapes do not fit, or a potential is nan where the value is not.
        """
        by_act, mean = np.empty((3, len(values))), np.empty(3)
        self.core.expect(spot, values, potentials, weights, by_act, mean)
        return by_act.T, mean

    def evaluate(self, analysis: BoardAnalysis, tables: Sequence[ArrayLike]) -> HeldValues:
        """The value of every holding to the player, against the opponents.

        Parameters
        ----------
        analysis : BoardAnalysis
            The board.
        tables : sequence of array_like of float, shape (1326,)
            The weights of the player's opponents, at least one.

        Returns
        -------
        HeldValues
            Arrays of shape (1326,), nan where a holding is not possible. For re-weighting E is
            ``HS1 + (1 - HS1)*PPOTc``, else ``HSn + (1 - HSn)*PPOT``.

        Raises
        ------
        ValueError
            If there is no table.
        """
        if self.form == "reweighting":
            values, potentials = crude_values(analysis, tables, self._field, self._crude_potential)
            return HeldValues(values, potentials, values)
        _, strengths = field_strengths(analysis, tables, self._field)
        table = analysis.evaluate(self._merged(tables), lookahead=1)
        values = strengths + (1.0 - strengths) * table.ppot
        return HeldValues(values, table.ppot, values - strengths * table.npot)

    def _merged(self, tables: Sequence[ArrayLike]) -> Floats:
        return field_array(tables, "maximum" if self._field == "maximum" else "mean")

    def triples(
        self,
        spot: TripleSpot | Situation,
        analysis: BoardAnalysis,
        tables: Sequence[ArrayLike],
        *,
        semi_bluff: bool = False,
    ) -> Floats:
        """Triples of all holdings.

        Parameters
        ----------
        spot : TripleSpot or Situation
            The situation before the action, after the flop.
        analysis : BoardAnalysis
            The board.
        tables : sequence of array_like of float, shape (1326,)
            The weights of the player's opponents, at least one.
        semi_bluff : bool
            Whether the player began a semi-bluff in this hand.

        Returns
        -------
        ndarray of float64, shape (1326, 3)
            Fold, call, raise; nan where a holding is not possible.

        Raises
        ------
        ValueError
            If there is no table, or the spot is before the flop.
        """
        held = self.evaluate(analysis, tables)
        return self.apply(_after_flop(spot), *held, semi_bluff=semi_bluff)

    def triple(
        self,
        holding: CardsLike,
        spot: TripleSpot | Situation,
        analysis: BoardAnalysis,
        tables: Sequence[ArrayLike],
        *,
        semi_bluff: bool = False,
    ) -> Floats:
        """The triple of one holding: a row of `triples`, but for rounding.

        Parameters
        ----------
        holding : cards
            Two cards.
        spot, analysis, tables, semi_bluff
            As `triples`.

        Returns
        -------
        ndarray of float64, shape (3,)
            Fold, call, raise.

        Raises
        ------
        ValueError
            As `triples`, or if the holding meets the board.
        """
        return self.apply(_after_flop(spot), *self.worth(holding, analysis, tables), semi_bluff=semi_bluff)

    def worth(
        self, holding: CardsLike, analysis: BoardAnalysis, tables: Sequence[ArrayLike]
    ) -> tuple[float, float, float]:
        """The value of one holding to the player: E, potential and EHS, as `evaluate` has them.

        Raises
        ------
        ValueError
            If the holding is not two cards or meets the board, or there is no table.
        """
        index = holding_index(holding)
        if not analysis.live[index]:
            raise ValueError(f"{holding_text(index)} is not possible: it meets the board or a dead card")
        if self.form == "reweighting":
            value, potential, effective = (float(column[index]) for column in self.evaluate(analysis, tables))
            return value, potential, effective
        strength = float(field_strengths(analysis, tables, self._field)[1][index])
        ppot, npot, _ = analysis.potential(holding, self._merged(tables), lookahead=1)
        value = strength + (1.0 - strength) * ppot
        return value, ppot, value - strength * npot


def expect_triples(
    borders: DecisionThresholds,
    spot: TripleSpot,
    values: Floats,
    potentials: Floats,
    weights: Floats,
    *,
    noise: float = 0.0,
) -> tuple[Floats, Floats]:
    """Triples and their mean, as of `TripleGenerator.expect`, by the thresholds for the bets to call alone.

    Parameters
    ----------
    borders : DecisionThresholds
        Where acts change with so many bets to call as in `spot`.
    spot, values, potentials, weights
        As for `TripleGenerator.expect`.
    noise : float
        As for `TripleGenerator`.

    Returns
    -------
    triples : ndarray of float64, shape (n, 3)
        Fold, call, raise.
    mean : ndarray of float64, shape (3,)
        nan if all weights are 0.

    Raises
    ------
    ValueError
        As `TripleGenerator.expect`, or if `noise` is not between 0 and 1, or borders fall out of order.

    Examples
    --------
    >>> spot = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    >>> values, none, weights = np.array([0.3, 0.8]), np.zeros(2), np.ones(2)
    >>> triples, mean = expect_triples(BettingThresholds.gom().one_bet, spot, values, none, weights)
    >>> triples.round(4).tolist(), mean.round(4).tolist()
    ([[0.9802, 0.0099, 0.0099], [0.0099, 0.495, 0.495]], [0.495, 0.2525, 0.2525])
    """
    by_act, mean = np.empty((3, len(values))), np.empty(3)
    expected_triples(borders, noise, LEAST_ENTRY, spot, values, potentials, weights, by_act, mean)
    return by_act.T, mean


def forecast_triples(
    borders: DecisionThresholds,
    spot: TripleSpot,
    values: Floats,
    potentials: Floats,
    weights: Floats,
    *,
    noise: float = 0.0,
) -> Floats:
    """The mean of `expect_triples`, float64 (3,), without the triples."""
    mean = np.empty(3)
    expected_triples(borders, noise, LEAST_ENTRY, spot, values, potentials, weights, None, mean)
    return mean


def _column(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    return np.ascontiguousarray(found if found.shape == shape else np.broadcast_to(found, shape)).ravel()


def _after_flop(spot: TripleSpot | Situation) -> TripleSpot:
    found = spot_of(spot) if isinstance(spot, Situation) else spot
    if found.round == 0:
        raise ValueError("triples of a board begin on the flop: for other values use apply()")
    return found


def multiply_by_triples(weights: ArrayLike, triples: ArrayLike, act: Act, *, product: bool = False) -> Floats:
    """Weights after an action: times each holding's probability of it (Peña 1999, Fig 4.2).

    Parameters
    ----------
    weights : array_like of float, shape (n,)
        The weights before; 0 where a holding is not possible.
    triples : array_like of float, shape (n, 3)
        The triples before the action; rows of nan where a holding is not possible.
    act : Act
        The action. A check is a call of nothing, a bet a raise of nothing.
    product : bool
        Return the product itself, as printed: a weight of .7 and a call of probability .2 give .14.

    Returns
    -------
    ndarray of float64, shape (n,)
        Divided by the largest, so that no long series of actions underflows; what was possible stays above a
        millionth (both ours). A `product` is neither.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> multiply_by_triples([0.9, 0.9], [[0.0, 0.2, 0.8], [0.0, 0.8, 0.2]], Act.CALL).tolist()
    [0.25, 1.0]
    """
    before = np.asarray(weights, dtype=np.float64)
    rows = np.asarray(triples, dtype=np.float64)
    if before.ndim != 1 or rows.shape != (*before.shape, 3):
        raise ValueError(f"weights (n,) need triples (n, 3), got {before.shape} and {rows.shape}")
    if product:
        found: Floats = before * np.nan_to_num(rows[:, act])
        return found
    return posterior(before, rows[:, act], LEAST_TRIPLE_WEIGHT)
