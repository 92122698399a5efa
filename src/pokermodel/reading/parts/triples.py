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

- borders lie .10 to both sides of where an act changes, the width that Papp (1998, section 6.7) proposes: of where
  Loki-1 calls, and of .10 below where it bets and raises;
- PotOdds() is 1 for a holding whose chance to improve pays for the call (on the river: whose value does), else 0;
- the form ``own`` adds odds to call down, semi-bluffs and what the rules of the game forbid; the form
  ``reweighting`` adds the last, and leaves no entry below .01 before they are divided by their sum, so that no holding
  is ever excluded.

``pokermodel/triples.h`` has the rules themselves, for C and Cython.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._arrays import Floats
from pokermodel._core.triples import Generator, Spot, printed_triple
from pokermodel.cards import CardsLike, holding_index, holding_text
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import percentile_value
from pokermodel.game import Act, Decision, Situation
from pokermodel.reading.parts.field import CrudePotential, FieldMethod, crude_values, field_array, field_strengths
from pokermodel.reading.parts.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.reading.parts.thresholds import LEAST_PERCENTILE, PREFLOP_SIGMA

__all__ = [
    "HALF_WIDTH",
    "LEAST_ENTRY",
    "LEAST_TRIPLE_WEIGHT",
    "RANK_HALF_WIDTH",
    "RANK_NOISE",
    "RECENT_ACTIONS",
    "Borders",
    "HeldValues",
    "Spot",
    "Thresholds",
    "TripleGenerator",
    "multiply_by_triples",
    "printed_triple",
    "ranked_triples",
    "specific_frequencies",
    "spot_of",
]

Form: TypeAlias = Literal["printed", "own", "reweighting"]

#: How far borders lie from where an act changes, in units of effective strength (ours, after Papp 1998,
#: section 6.7).
HALF_WIDTH = 0.10
#: No entry of a triple for re-weighting falls below this before they are divided by their sum (ours; "never zero" is
#: Peña's, 1999, section 4.1).
LEAST_ENTRY = 0.01
#: No possible holding's weight falls below this share of the largest (ours).
LEAST_TRIPLE_WEIGHT = 1e-6
#: Half the width of the band around a share of holdings in which an act gives way to another (ours, chosen for the
#: holdings shown in 1,200 hands of the IRC poker database, April 1995, as `RANK_NOISE` was).
RANK_HALF_WIDTH = 0.25
#: Share of a player's acts that have nothing to do with the rank of his holding.
RANK_NOISE = 0.45
#: How many of a player's latest actions count as his present way to play (Peña 1999, section 4.2.2).
RECENT_ACTIONS = 20

_BINS = 100  # of ranked triples
_LEAST_BAND = 0.02  # between MINRAISE and RAISE
_HIGHEST_RAISE = 0.99  # so that the very best holdings are above RAISE
_NEVER_REACHED = -1.0  # CALL and MINCALL where there is nothing to call


#: Values around which Loki-2 bets or raises in its own play, and calls, with 0, 1, and 2 or more bets to call.
OWN_RAISES = (0.40, 0.75, 0.85)
OWN_CALLS = (0.0, 0.50, 0.70)


class Borders(NamedTuple):
    """Where one act gives way to another, in units of the holding's value."""

    #: RAISE: above it, raise.
    raise_high: float
    #: MINRAISE: above it, raise the more often the better.
    raise_low: float
    #: CALL: above it, call.
    call_high: float
    #: MINCALL: above it, call the more often the better.
    call_low: float


def _triple_of_bets(what: str, values: Sequence[float]) -> tuple[float, ...]:
    found = tuple(float(value) for value in values)
    if len(found) != 3 or not np.isfinite(found).all():
        raise ValueError(f"{what} must be three finite numbers, for 0, 1 and 2 or more bets to call, got {values!r}")
    return found


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The borders of one player, by bets to call.

    Attributes
    ----------
    no_bet, one_bet, more : Borders
        For 0, 1, and 2 or more bets to call. Plain sequences of four numbers will do.

    Raises
    ------
    ValueError
        If borders are not four finite numbers, or RAISE is below MINRAISE or CALL below MINCALL.

    Examples
    --------
    >>> Thresholds.gom().one_bet
    Borders(raise_high=0.9, raise_low=0.7, call_high=0.6, call_low=0.4)
    >>> printed_triple(Thresholds.gom().array[1], 0.5, 0.0)
    (0.495, 0.495, 0.01)
    """

    no_bet: Borders
    one_bet: Borders
    more: Borders

    def __post_init__(self) -> None:
        for name in self.__slots__:
            given = getattr(self, name)
            values = np.asarray(given, dtype=np.float64)
            if values.shape != (4,) or not np.isfinite(values).all():
                raise ValueError(f"{name} must be four finite numbers RAISE, MINRAISE, CALL, MINCALL, got {given!r}")
            borders = Borders(*values.tolist())
            if borders.raise_high < borders.raise_low or borders.call_high < borders.call_low:
                raise ValueError(f"{name} must have RAISE >= MINRAISE and CALL >= MINCALL, got {given!r}")
            object.__setattr__(self, name, borders)

    @property
    def array(self) -> Floats:
        """The borders as float64 (3, 4): by bets to call; RAISE, MINRAISE, CALL, MINCALL."""
        return np.array([self.no_bet, self.one_bet, self.more])

    def at(self, bets_to_call: int) -> Borders:
        """The borders for a number of bets to call."""
        return (self.no_bet, self.one_bet, self.more)[min(bets_to_call, 2)]

    @classmethod
    def around(cls, raises: Sequence[float], calls: Sequence[float], half_width: float = HALF_WIDTH) -> Self:
        """Borders to both sides of the values from which a player raises and calls.

        Parameters
        ----------
        raises, calls : sequence of float, length 3
            For 0, 1, and 2 or more bets to call. The first of `calls` has no meaning: with nothing to call,
            CALL and MINCALL are -1.
        half_width : float
            How far the borders lie from them. RAISE is .99 at most, unless MINRAISE is less than .02 below it.

        Raises
        ------
        ValueError
            If there are not three finite numbers each, or `half_width` is negative.
        """
        raise_mids, call_mids = _triple_of_bets("raises", raises), _triple_of_bets("calls", calls)
        if not half_width >= 0:
            raise ValueError(f"half_width must be 0 or more, got {half_width}")
        borders = []
        for bets, (raise_mid, call_mid) in enumerate(zip(raise_mids, call_mids, strict=True)):
            low = raise_mid - half_width
            high = max(min(raise_mid + half_width, _HIGHEST_RAISE), low + _LEAST_BAND)
            call_high, call_low = (
                (call_mid + half_width, call_mid - half_width) if bets else (_NEVER_REACHED, _NEVER_REACHED)
            )
            # rounded: .70 is meant, not the .7000000000000001 of .80 - .10
            borders.append(Borders(*(round(x, 12) for x in (high, low, call_high, call_low))))
        return cls(*borders)

    @classmethod
    def own(cls) -> Self:
        """Loki-2's borders for its own play (ours; the source prints none).

        Above RAISE it bets and raises as surely as Loki-1 did from make1 and make2, .50 and .85, and faced with two
        bets from .95; below, less and less often, down to .20 less. It calls around .50 and .70 (the last from
        Papp 1998, Table B.2).
        """
        return cls.around(OWN_RAISES, OWN_CALLS)

    @classmethod
    def from_frequencies(cls, frequencies: ArrayLike) -> Self:
        """Borders of a player who folds, calls and raises so often: the printed method.

        A player who raises with frequency f raises with the holdings whose value is above ``1 - f``, and calls
        with those above ``1 - f - f_call`` (Peña 1999, section 4.2.2).

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            By bets to call (0, 1, 2 or more): fold, call, raise.

        Raises
        ------
        ValueError
            If they are no frequencies.
        """
        values = _frequencies(frequencies)
        return cls.around(*_mids(values))

    @classmethod
    def gom(cls) -> Self:
        """Borders of the generic opponent: from `DEFAULT_FREQUENCIES`."""
        return cls.from_frequencies(DEFAULT_FREQUENCIES)

    @classmethod
    def som(cls, counts: ActionCounts, round: int, recent: Iterable[tuple[Context, Act]] = ()) -> Self:
        """Borders of a specific opponent in a round: from `specific_frequencies`."""
        return cls.from_frequencies(specific_frequencies(counts, round, recent))

    @classmethod
    def ranked(cls, frequencies: ArrayLike, values: ArrayLike, weights: ArrayLike | None = None) -> Self:
        """Borders by the rank of values on a board, not by the values themselves: Poki's system B.

        The values of all holdings are sorted; a player who raises with frequency f does so with the best f of
        them (Davidson 2002; Billings et al. 2002). `from_frequencies` is system A, Loki-2's.

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            As `from_frequencies`.
        values : array_like of float, shape (n,)
            Values of the holdings; nan for those that are not possible.
        weights : array_like of float, shape (n,), optional
            How much each counts: ours. All the same, as printed, without.

        Raises
        ------
        ValueError
            If the frequencies are none, or no holding counts.
        """
        shares = _frequencies(frequencies)
        held = np.asarray(values, dtype=np.float64)
        counted = np.ones(held.shape) if weights is None else np.asarray(weights, dtype=np.float64)
        if held.ndim != 1 or counted.shape != held.shape:
            raise ValueError(f"values and weights must be of one length, got {held.shape} and {counted.shape}")
        possible = ~np.isnan(held)
        order = np.argsort(held[possible], kind="stable")
        ranked = held[possible][order]
        running = np.cumsum(counted[possible][order])
        if not len(running) or not running[-1] > 0:
            raise ValueError("there is no holding with weight to rank")

        def value_at(share: list[float]) -> list[float]:
            found = np.searchsorted(running, np.array(share) * running[-1], side="right")
            return [float(x) for x in ranked[np.minimum(found, len(ranked) - 1)]]

        raises, calls = _mids(shares)
        return cls.around(value_at(raises), value_at(calls))

    @classmethod
    def preflop(cls, frequencies: ArrayLike) -> Self:
        """Borders before the flop, in income rates of seven players (thousandths of a small bet): ours.

        Percentiles become income rates as in Loki-1, and its spread of 330 is the half-width (Papp 1998,
        section 7.2.3).

        Parameters
        ----------
        frequencies : array_like of float, shape (3, 3)
            As `from_frequencies`.

        Raises
        ------
        ValueError
            If they are no frequencies.
        """
        lowest = percentile_value(0.0) - 2 * PREFLOP_SIGMA  # nobody's holdings are below it
        borders = []
        for bets, shares in enumerate(zip(*_mids(_frequencies(frequencies)), strict=True)):
            raise_mid, call_mid = (lowest if share < LEAST_PERCENTILE else percentile_value(share) for share in shares)
            if bets == 0:
                call_mid = lowest
            borders.append(
                Borders(
                    raise_mid + PREFLOP_SIGMA,
                    raise_mid - PREFLOP_SIGMA,
                    call_mid + PREFLOP_SIGMA,
                    call_mid - PREFLOP_SIGMA,
                )
            )
        return cls(*borders)


def ranked_triples(
    frequencies: ArrayLike,
    values: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    half_width: float = RANK_HALF_WIDTH,
    noise: float = RANK_NOISE,
) -> Floats:
    """Triples of a player who acts so often, by the rank of his holding among all he can have (ours).

    As `Thresholds.ranked`, with the band taken in shares of holdings, not in their values, and made so narrow that
    it ends with the best and the worst of them; so the mean of the triples is what he does. For a share of his acts
    his holding does not matter: they are done with all as often as he does them.

    Parameters
    ----------
    frequencies : array_like of float, shape (3, 3)
        By bets to call (0, 1, 2 or more): fold, call, raise.
    values : array_like of float, shape (n,)
        Values of the holdings, 0 to 1; nan for those that are not possible.
    weights : array_like of float, shape (n,), optional
        How much each counts; all the same without.
    half_width : float
        Half the width of the band, 0 to 1.
    noise : float
        The share of acts for which the holding does not matter, 0 to 1.

    Returns
    -------
    ndarray of float64, shape (3, 100, 3)
        For the `table` of a `TripleGenerator`: by bets to call, value in 100 equal bins, and act.

    Raises
    ------
    ValueError
        If the frequencies are none, a number is out of range, or no holding counts.

    Examples
    --------
    >>> values = np.linspace(0.005, 0.995, 100)
    >>> table = ranked_triples([[0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]], values, half_width=0.1, noise=0.5)
    >>> table[1, [5, 50, 95]].round(3).tolist()  # raises the best fifth every other time, and sometimes others
    [[0.75, 0.15, 0.1], [0.488, 0.412, 0.1], [0.25, 0.15, 0.6]]
    >>> table.mean(axis=1).round(3).tolist()
    [[0.0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    """
    shares = _frequencies(frequencies)
    if not (0 <= half_width <= 1 and 0 <= noise <= 1):
        raise ValueError(f"half_width and noise must be 0 to 1, got {half_width} and {noise}")
    ranks = _ranks_of_bins(np.asarray(values, dtype=np.float64), weights)

    def doing(share: float) -> Floats:
        """How likely the best holdings, so large a share of them, are acted on, by rank."""
        band = max(min(half_width, share, 1.0 - share), 1e-9)
        return np.clip((ranks - (1.0 - share) + band) / (2.0 * band), 0.0, 1.0)

    table = np.empty((3, _BINS, 3))
    for bets, (_, call, raising) in enumerate(shares.tolist()):
        raised = doing(raising)
        # with nothing to call nobody folds
        stayed = np.maximum(doing(min(call + raising, 1.0)), raised) if bets else np.ones(_BINS)
        table[bets] = np.stack([1.0 - stayed, stayed - raised, raised], axis=1)
    table *= 1.0 - noise
    table += noise * shares[:, None]
    table[0, :, Act.CALL] += table[0, :, Act.FOLD]
    table[0, :, Act.FOLD] = 0.0
    return table


def _ranks_of_bins(values: Floats, weights: ArrayLike | None) -> Floats:
    """The mean rank, from 0 to 1, of holdings whose value is in a bin."""
    counted = np.ones(values.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or counted.shape != values.shape:
        raise ValueError(f"values and weights must be of one length, got {values.shape} and {counted.shape}")
    possible = ~np.isnan(values)
    bins = np.clip((values[possible] * _BINS).astype(np.intp), 0, _BINS - 1)
    mass = np.bincount(bins, counted[possible], _BINS)
    running = np.cumsum(mass)
    if not running[-1] > 0:
        raise ValueError("there is no holding with weight to rank")
    ranks: Floats = (running - mass / 2) / running[-1]
    return ranks


def _mids(frequencies: Floats) -> tuple[list[float], list[float]]:
    """Shares of holdings too weak to raise, and too weak to call, by bets to call; rounded to what is meant."""
    raises = 1.0 - frequencies[:, 2]
    calls = raises - frequencies[:, 1]
    return [round(x, 12) for x in raises.tolist()], [max(round(x, 12), 0.0) for x in calls.tolist()]


def _frequencies(frequencies: ArrayLike) -> Floats:
    values = np.asarray(frequencies, dtype=np.float64)
    if values.shape != (3, 3) or not (values >= 0).all() or not np.allclose(values.sum(axis=1), 1.0, atol=1e-9):
        raise ValueError(
            "frequencies must have shape (3, 3), by bets to call and fold, call, raise, be >= 0 and sum to 1 in each "
            f"row, got {frequencies!r}"
        )
    return values


def specific_frequencies(
    counts: ActionCounts, round: int, recent: Iterable[tuple[Context, Act]] = ()
) -> NDArray[np.float64]:
    """What a specific player is expected to do in a round: the mean of all his record and of its end.

    Both records go into thresholds, and the thresholds are averaged (Peña 1999, section 4.2.2); thresholds are
    linear in frequencies, so the frequencies can be. How a record that is too short is filled is ours: the whole
    record as `ActionCounts.frequencies` does, the recent actions by the whole record.

    Parameters
    ----------
    counts : ActionCounts
        The whole record.
    round : int
        1 flop, 2 turn, 3 river; 0 before the flop.
    recent : iterable of (Context, Act)
        The player's latest actions of this session, post-flop, at most 20. Those with as many bets to call
        count, whatever their round. Without any, only the whole record does.

    Returns
    -------
    ndarray of float64, shape (3, 3)
        By bets to call (0, 1, 2 or more): fold, call, raise.

    Raises
    ------
    ValueError
        If there is no such round, or there are more than 20 recent actions.
    """
    whole = np.array([counts.frequencies(Context.of(round, bets)) for bets in range(3)])
    latest = list(recent)
    if not latest:
        return whole
    if len(latest) > RECENT_ACTIONS:
        raise ValueError(f"recent actions must be at most {RECENT_ACTIONS}, got {len(latest)}")
    matching = np.zeros((3, 3))
    for context, act in latest:
        matching[context.bets, act] += 1
    missing = RECENT_ACTIONS - matching.sum(axis=1, keepdims=True)
    ending = (matching + missing * whole) / RECENT_ACTIONS
    mean: NDArray[np.float64] = (whole + ending) / 2
    return mean


def spot_of(decision: Decision | Situation) -> Spot:
    """The situation of a decision, before the action, as the triple function wants it."""
    return Spot(
        decision.round,
        decision.pot,
        decision.to_call,
        decision.bet_size,
        min(decision.bets_to_call, 1_000_000),  # as `Spot.of` has it
        decision.num_bets,
        Act.RAISE in decision.legal,
    )


class HeldValues(NamedTuple):
    """What holdings are worth to a player, as his triples see it."""

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
    thresholds : Thresholds, optional
        Where his acts change. Default: `Thresholds.own` for the form ``own``, else `Thresholds.gom`.
    form : {"own", "reweighting", "printed"}
        Which rules are applied: the nine to choose an act, the eight for re-weighting, which leave no entry
        zero, or the printed four and nothing else.
    table : array_like of float, shape (3, bins, 3), optional
        Triples in the place of the printed rules: by bets to call (0, 1, 2 or more) and value, from 0 to 1 in
        equal bins. The further rules of the form are applied to them.
    pot_odds, showdown_odds, semi_bluff, two_bet_limit : bool
        Which further rules are on: calls by pot odds on flop and turn; of the form ``own``, calls by showdown
        odds, semi-bluffs, and no raise after two bets of a round (an artefact of Loki-1).
    least : float
        For re-weighting: no entry falls below it, before they are divided by their sum.
    noise : float
        For re-weighting: beta, the share of every triple that is spread evenly over its entries, 0 to 1
        (Davidson 2002; .4 was best in his test).
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `field_strengths`.
    crude_potential : {"outs", "exact1"}
        What stands for the potential in re-weighting.

    Attributes
    ----------
    thresholds : Thresholds
        As given.
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
    >>> spot = Spot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    >>> generator.apply(spot, 0.80, 0.0).round(4).tolist()
    [0.0099, 0.495, 0.495]
    >>> generator.triple("AhKh", spot, BoardAnalysis("3h4cJh"), [np.ones(1326)]).round(3).tolist()
    [0.01, 0.917, 0.073]
    """

    __slots__ = ("_by_table", "_crude_potential", "_field", "core", "form", "thresholds")

    def __init__(
        self,
        thresholds: Thresholds | None = None,
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
    ) -> None:
        if form not in get_args(Form):
            raise ValueError(f"unknown form {form!r}: expected one of {', '.join(get_args(Form))}")
        if thresholds is None:
            thresholds = Thresholds.own() if form == "own" else Thresholds.gom()
        if field not in get_args(FieldMethod):
            raise ValueError(f"unknown field method {field!r}: expected one of {', '.join(get_args(FieldMethod))}")
        if crude_potential not in get_args(CrudePotential):
            raise ValueError(
                f"unknown crude potential {crude_potential!r}: expected one of {', '.join(get_args(CrudePotential))}"
            )
        bins = None if table is None else np.ascontiguousarray(table, dtype=np.float64)
        if bins is not None and bins.ndim != 3:
            raise ValueError(f"a table of triples must have shape (3, bins, 3), got {bins.shape}")
        self.thresholds = thresholds
        self.form: Form = form
        self._by_table = table is not None
        self._field: FieldMethod = field
        self._crude_potential: CrudePotential = crude_potential
        self.core = Generator(
            form, thresholds.array, bins, pot_odds, showdown_odds, semi_bluff, two_bet_limit, least, noise
        )

    def borders(self, bets_to_call: int) -> Borders | None:
        """Where his acts change with so many bets to call; None if he goes by a table."""
        return None if self._by_table else self.thresholds.at(bets_to_call)

    def apply(
        self,
        spot: Spot,
        values: ArrayLike,
        potentials: ArrayLike = 0.0,
        effectives: ArrayLike | None = None,
        *,
        semi_bluff: bool = False,
    ) -> Floats:
        """Triples of holdings whose worth is known.

        Parameters
        ----------
        spot : Spot
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
        columns = [
            np.ascontiguousarray(np.broadcast_to(np.asarray(x, dtype=np.float64), held.shape)).ravel()
            for x in (held, potentials, held if effectives is None else effectives)
        ]
        triples = np.empty((held.size, 3))
        self.core.triples(spot, columns[0], columns[1], columns[2], semi_bluff, triples)
        return triples.reshape(*held.shape, 3)

    def evaluate(self, analysis: BoardAnalysis, tables: Sequence[ArrayLike]) -> HeldValues:
        """What every holding is worth to the player, against his opponents.

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
        self, spot: Spot | Decision, analysis: BoardAnalysis, tables: Sequence[ArrayLike], *, semi_bluff: bool = False
    ) -> Floats:
        """Triples of all holdings.

        Parameters
        ----------
        spot : Spot or Decision
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
        spot: Spot | Decision,
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
        """What one holding is worth to the player: E, potential and EHS, as `evaluate` has them.

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


def _after_flop(spot: Spot | Decision) -> Spot:
    found = spot_of(spot) if isinstance(spot, Decision) else spot
    if found.round == 0:
        raise ValueError("triples of a board begin on the flop: for other values use apply()")
    return found


def multiply_by_triples(weights: ArrayLike, triples: ArrayLike, act: Act) -> Floats:
    """Weights after an action: times each holding's probability of it (Peña 1999, Fig 4.2).

    Parameters
    ----------
    weights : array_like of float, shape (n,)
        The weights before; 0 where a holding is not possible.
    triples : array_like of float, shape (n, 3)
        From the situation before the action; rows of nan where a holding is not possible.
    act : Act
        What was done. A check is a call of nothing, a bet a raise of nothing.

    Returns
    -------
    ndarray of float64, shape (n,)
        Divided by the largest, so that no long series of actions underflows; what was possible stays above a
        millionth (both ours).

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
    possible = (before > 0) & ~np.isnan(rows[:, act])
    after = np.where(possible, before * rows[:, act], 0.0)
    largest = after.max(initial=0.0)
    if largest > 0:
        after /= largest
    return np.where(possible, np.maximum(after, LEAST_TRIPLE_WEIGHT), 0.0)
