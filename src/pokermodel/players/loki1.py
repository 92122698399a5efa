"""Loki-1's betting: the pre-flop expert system and the post-flop rules (Papp 1998, chapter 6 and appendix B).

The rules are functions of plain numbers, so that each can be tried alone. All amounts are in one unit, chips or
bets; a pot already contains the bet that is to be called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices, cards_text, holding_index
from pokermodel.evaluation import Potential
from pokermodel.evaluation.preflop import income_rate, income_rates_by_holding, percentile_value
from pokermodel.game import Act, Decision
from pokermodel.players.commons import Commons
from pokermodel.players.player import HandStart, Player, View
from pokermodel.reading.parts.field import CrudePotential, FieldMethod
from pokermodel.reading.parts.reweighting import reweighting_factors
from pokermodel.reading.parts.thresholds import PREFLOP_SIGMA
from pokermodel.reading.session import OpponentModeler

__all__ = [
    "Features",
    "FixedTables",
    "Group",
    "Loki1",
    "Loki1Player",
    "ModeledTables",
    "Situation",
    "Strategy",
    "Tables",
    "Tightness",
    "Verdict",
    "expected_players",
    "player_group",
    "postflop_action",
    "pot_odds",
    "preflop_action",
    "preflop_strategy",
    "preflop_thresholds",
    "reasonable_weights",
    "semi_bluff_odds",
    "showdown_odds",
]

Tightness: TypeAlias = Literal["tight", "moderate", "loose"]
FixedArray: TypeAlias = Literal["reasonable", "uniform"]
Group: TypeAlias = Literal["two", "three to four", "five or more"]


class Strategy(IntEnum):
    """What a player sets out to do before the flop."""

    MAKE0 = 0  #: check if free, else fold
    CALL1 = 1  #: call one bet
    MAKE1 = 2  #: bet if nobody has, call one bet
    CALL2 = 3  #: call whatever comes
    MAKE2 = 4  #: make it two bets
    MAKE4 = 5  #: raise to the cap


# ------------------------------------------------------------------------------------------- before the flop

#: Threshold of Make1, Make2 and Make4 as (base, increment by position), in thousandths of a bet
#: (Papp 1998, Table B.1).
PREFLOP_THRESHOLDS: Mapping[Group, Mapping[Tightness, tuple[tuple[int, int], ...]]] = {
    "two": {
        "tight": ((-50, 50), (150, 50), (300, 0)),
        "moderate": ((-50, 50), (50, 50), (300, 0)),
        "loose": ((-50, 50), (0, 0), (300, 0)),
    },
    "three to four": {
        "tight": ((50, 50), (200, 50), (580, 0)),
        "moderate": ((50, 25), (200, 25), (580, 0)),
        "loose": ((50, 10), (200, 10), (580, 0)),
    },
    "five or more": {
        "tight": ((0, 70), (450, 50), (900, 0)),
        "moderate": ((0, 50), (450, 25), (900, 0)),
        "loose": ((0, 30), (450, 10), (900, 0)),
    },
}
#: Thresholds of Call1 and Call2 in the small blind, where they are not those of Make1 and Make2.
_SMALL_BLIND: Mapping[Group, tuple[int, int] | None] = {
    "two": None,
    "three to four": (-75, 200),
    "five or more": (0, 450),
}
#: The income-rate table of each group, by its number of players.
_GROUP_PLAYERS: Mapping[Group, int] = {"two": 2, "three to four": 4, "five or more": 7}


def expected_players(guaranteed: int, in_pot: int) -> float:
    """Players to reckon with: ``guaranteed + 0.6*(in_pot - guaranteed)`` (Papp 1998, section 6.1).

    Parameters
    ----------
    guaranteed : int
        Players who have put chips in, blinds included, and oneself.
    in_pot : int
        Players who have not folded, oneself included.

    Examples
    --------
    >>> expected_players(3, 4)
    3.6
    """
    return guaranteed + 0.6 * (in_pot - guaranteed)


def player_group(guaranteed: int, in_pot: int) -> Group:
    """Which thresholds and income rates apply (Papp 1998, section 6.1)."""
    if in_pot < 2.5:
        return "two"
    return "five or more" if expected_players(guaranteed, in_pot) >= 4.5 else "three to four"


def preflop_thresholds(
    group: Group, tightness: Tightness, position: int, *, small_blind: bool = False, shift: float = 0.0
) -> dict[Strategy, float]:
    """Least income rate for each strategy above Make0, in thousandths of a bet.

    Parameters
    ----------
    group : {"two", "three to four", "five or more"}
        See `player_group`.
    tightness : {"tight", "moderate", "loose"}
        Style of play.
    position : int
        Players still in who act before the small blind's next turn; the button is 0.
    small_blind : bool
        Whether it is the small blind who acts.
    shift : float
        Added to every threshold.

    Raises
    ------
    ValueError
        If the group or tightness is unknown.
    """
    if group not in PREFLOP_THRESHOLDS:
        raise ValueError(f"unknown group {group!r}: expected one of {', '.join(PREFLOP_THRESHOLDS)}")
    if tightness not in PREFLOP_THRESHOLDS[group]:
        raise ValueError(f"unknown tightness {tightness!r}: expected 'tight', 'moderate' or 'loose'")
    make1, make2, make4 = (
        base + increment * position + shift for base, increment in PREFLOP_THRESHOLDS[group][tightness]
    )
    call1, call2 = make1, make2
    if small_blind and (own := _SMALL_BLIND[group]) is not None:
        call1, call2 = own[0] + shift, own[1] + shift
    return {
        Strategy.MAKE4: make4,
        Strategy.MAKE2: make2,
        Strategy.CALL2: call2,
        Strategy.MAKE1: make1,
        Strategy.CALL1: call1,
    }


def preflop_strategy(
    holding: CardsLike,
    *,
    guaranteed: int,
    in_pot: int,
    position: int,
    tightness: Tightness = "loose",
    small_blind: bool = False,
    shift: float = 0.0,
) -> Strategy:
    """The strategy for a holding: the first whose threshold its income rate reaches (Papp 1998, section 6.1).

    Parameters
    ----------
    holding : cards
        Two cards.
    guaranteed, in_pot
        As `expected_players`.
    position, tightness, small_blind, shift
        As `preflop_thresholds`.

    Returns
    -------
    Strategy

    Raises
    ------
    ValueError
        If the holding is not two cards or the tightness is unknown.
    """
    group = player_group(guaranteed, in_pot)
    rate = income_rate(holding, _GROUP_PLAYERS[group])
    thresholds = preflop_thresholds(group, tightness, position, small_blind=small_blind, shift=shift)
    for strategy, least in thresholds.items():
        if rate >= least:
            return strategy
    return Strategy.MAKE0


def preflop_action(strategy: Strategy, *, to_call: float, bets_to_call: int, num_bets: int, bets_put_in: int) -> Act:
    """What a strategy does now (Papp 1998, section 6.1). A raise beyond the cap is for the caller to turn into a call.

    Parameters
    ----------
    strategy : Strategy
        Chosen at the first decision of the round.
    to_call : float
        What is to call, in any unit.
    bets_to_call : int
        The same in bets, rounded up.
    num_bets : int
        Bets and raises of this round by anybody, the big blind being the first.
    bets_put_in : int
        Bets that the player put in of his own will in this round.
    """
    if strategy == Strategy.MAKE4 or (strategy == Strategy.MAKE2 and num_bets < 2):
        return Act.RAISE
    if strategy >= Strategy.CALL2 or to_call == 0:
        return Act.RAISE if strategy == Strategy.MAKE1 and num_bets < 1 else Act.CALL
    if strategy == Strategy.MAKE0:
        return Act.FOLD
    return Act.CALL if bets_to_call < 2 or bets_put_in > 0 else Act.FOLD


# -------------------------------------------------------------------------------------------- after the flop


def pot_odds(pot: float, to_call: float) -> float:
    """Least chance to win that pays for a call: ``to_call/(pot + to_call)``.

    Examples
    --------
    >>> round(pot_odds(20, 4), 6)
    0.166667
    """
    return to_call / (pot + to_call)


def semi_bluff_odds(pot: float, bet: float) -> float:
    """Least potential that pays for a bet into no bet: ``2*bet/(pot + 6*bet)`` (Papp 1998, Fig 6.3).

    Examples
    --------
    >>> round(semi_bluff_odds(12, 2), 6)
    0.166667
    """
    return 2.0 * bet / (pot + 6.0 * bet)


def showdown_odds(pot: float, to_call: float, bet: float, *, flop: bool) -> float:
    """Least strength that pays for calling down (Papp 1998, Fig 6.3).

    ``(to_call + cost)/(pot + to_call + 2*cost)``, with four bets still to come on the flop and one big bet on
    the turn.

    Examples
    --------
    >>> showdown_odds(20, 4, 4, flop=False)
    0.25
    >>> round(showdown_odds(10, 2, 2, flop=True), 6)
    0.357143
    """
    cost = 4.0 * bet if flop else bet
    return (to_call + cost) / (pot + to_call + 2.0 * cost)


@dataclass(frozen=True, slots=True)
class Features:
    """Which of the post-flop rules are on (Papp 1998, section 8.2).

    With `simple`, only the strength itself decides (Papp 1998, Fig 6.2).
    """

    pot_odds: bool = True
    showdown_odds: bool = True
    semi_bluff: bool = True
    simple: bool = False


class Situation(NamedTuple):
    """The numbers that the post-flop rules look at."""

    #: 1 flop, 2 turn, 3 river.
    round: int
    pot: float
    to_call: float
    bet: float
    bets_to_call: int
    #: Bets and raises of this round by anybody.
    num_bets: int
    #: Bets that the player put in of his own will in this round.
    bets_put_in: int


def _make(bets: int, situation: Situation) -> Act:
    if situation.num_bets < bets:
        return Act.RAISE
    if situation.to_call == 0 or situation.bets_put_in > 0 or bets >= 2 or situation.bets_to_call <= bets:
        return Act.CALL
    return Act.FOLD


def postflop_action(
    situation: Situation,
    *,
    strength: float,
    ppot: float = 0.0,
    npot: float = 0.0,
    semi_bluff: bool = False,
    make1: float = 0.50,
    make2: float = 0.85,
    features: Features = Features(),
) -> tuple[Act, bool, str]:
    """What Loki-1 does after the flop (Papp 1998, Fig 6.2 and 6.3).

    Parameters
    ----------
    situation : Situation
        Pot, bets and round.
    strength : float
        Hand strength against the field, HSn.
    ppot, npot : float
        One-card potentials, 0 on the river.
    semi_bluff : bool
        Whether the player is in the middle of a semi-bluff.
    make1, make2 : float
        Optimistic effective strengths from which one and two bets are made.
    features : Features
        Which rules are on.

    Returns
    -------
    act : Act
        A raise beyond the cap is for the caller to turn into a call.
    semi_bluff : bool
        The flag for the next decision.
    reason : str
        The rule that decided.
    """
    river, flop = situation.round == 3, situation.round == 1
    if features.simple:
        for bets, least in ((2, make2), (1, make1)):
            if strength >= least:
                return _make(bets, situation), False, f"HSn {strength:.3f} >= {least:.2f}: make {bets}"
        free = situation.to_call == 0
        return (Act.CALL if free else Act.FOLD), False, "check for free" if free else "too weak"

    if river:
        ppot = npot = 0.0
    optimistic = strength + (1.0 - strength) * ppot
    effective = optimistic - strength * npot
    if flop or situation.to_call > 0:
        semi_bluff = False
    for bets, least in ((2, make2), (1, make1)):
        if optimistic >= least:
            return _make(bets, situation), semi_bluff, f"EHS' {optimistic:.3f} >= {least:.2f}: make {bets}"
    if situation.to_call == 0:
        if features.semi_bluff:
            odds = semi_bluff_odds(situation.pot, situation.bet)
            if semi_bluff:
                return Act.RAISE, True, "semi-bluff carried on"
            if not river and ppot >= odds:
                return Act.RAISE, True, f"semi-bluff: PPOT {ppot:.3f} >= {odds:.3f}"
        return Act.CALL, semi_bluff, "check for free"
    odds = pot_odds(situation.pot, situation.to_call)
    if river:
        if effective >= odds:
            return Act.CALL, semi_bluff, f"EHS {effective:.3f} >= odds {odds:.3f}"
        return Act.FOLD, semi_bluff, f"EHS {effective:.3f} < odds {odds:.3f}"
    if features.pot_odds and ppot >= odds:
        return Act.CALL, semi_bluff, f"pot odds: PPOT {ppot:.3f} >= {odds:.3f}"
    if features.showdown_odds:
        odds = showdown_odds(situation.pot, situation.to_call, situation.bet, flop=flop)
        if effective >= odds:
            return Act.CALL, semi_bluff, f"showdown odds: EHS {effective:.3f} >= {odds:.3f}"
    return Act.FOLD, semi_bluff, f"no odds: EHS' {optimistic:.3f}, PPOT {ppot:.3f}"


# ------------------------------------------------------------------------------- what the others are taken to hold


class Tables(Protocol):
    """What Loki-1 wants to know of the opponents of whoever is to act."""

    def strength(self, view: Decision | View, holding: int, method: FieldMethod) -> float:
        """Hand strength of a holding, by its index, against one of the opponents."""

    def potential(self, view: Decision | View, holding: int, method: FieldMethod) -> Potential:
        """One-card potential of a holding against the opponents seen as one."""


class ModeledTables:
    """The tables of a modeler that has observed everything before the decision."""

    __slots__ = ("modeler",)

    def __init__(self, modeler: OpponentModeler) -> None:
        self.modeler = modeler

    def strength(self, view: Decision | View, holding: int, method: FieldMethod) -> float:  # noqa: D102
        self.modeler.deal(view.board)
        return float(self.modeler.strengths(view.seat, method)[holding])

    def potential(self, view: Decision | View, holding: int, method: FieldMethod) -> Potential:  # noqa: D102
        self.modeler.deal(view.board)
        assert self.modeler.analysis is not None
        return self.modeler.analysis.potential(holding, self.modeler.field(view.seat, method))


@cache
def reasonable_weights() -> NDArray[np.float64]:
    """What players without a model take everybody to hold: a hand that one bet was called with before the flop.

    The sources say that the array is fixed and reasonable (Papp 1998, section 8.1); that it is the one which the
    generic model gives a caller of one bet is ours.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Read-only.
    """
    mu = percentile_value(0.5)
    weights = reweighting_factors(income_rates_by_holding(), mu, PREFLOP_SIGMA, compensate=False)
    weights.setflags(write=False)
    return weights


_UNIFORM: NDArray[np.float64] = np.ones(N_HOLDINGS)
_UNIFORM.setflags(write=False)


class FixedTables:
    """The same weights for every opponent, whatever he does.

    Parameters
    ----------
    name : str
        Of the weights: what is computed with them is kept under it, for everybody who uses these commons.
    weights : ndarray of float64, shape (1326,)
        The weights.
    commons : Commons
        Where it is kept.
    """

    __slots__ = ("commons", "name", "weights")

    def __init__(self, name: str, weights: NDArray[np.float64], commons: Commons) -> None:
        self.name = name
        self.weights = weights
        self.commons = commons

    def strength(self, view: Decision | View, holding: int, method: FieldMethod) -> float:  # noqa: D102
        board, weights = view.board, self.weights
        hs1 = self.commons.note(board, self.name, lambda: self.commons.analysis(board).strengths(weights))
        return float(hs1[holding])

    def potential(self, view: Decision | View, holding: int, method: FieldMethod) -> Potential:  # noqa: D102
        # not noted in the commons: which holding somebody asks about is private
        return self.commons.analysis(view.board).potential(holding, self.weights)


# ---------------------------------------------------------------------------------------------- the player


class Verdict(NamedTuple):
    """What Loki-1 would do, and why."""

    act: Act
    #: "fold", "check", "call", "bet" or "raise".
    name: str
    reason: str
    #: HSn, PPOT1, NPOT1, EHS and EHS'; none before the flop.
    numbers: dict[str, float]


class Loki1:
    """Loki-1 in one seat: chooses actions from its cards and the modeler's tables.

    Keeps what it must remember within a hand (its pre-flop strategy, whether it is semi-bluffing), so use one
    object for each player and call `advise` for his decisions in order.

    Parameters
    ----------
    tightness : {"tight", "moderate", "loose"}
        Style before the flop.
    make1, make2 : float
        Effective strengths from which one and two bets are made after the flop.
    shift : float
        Added to every pre-flop threshold, in thousandths of a bet.
    features : Features
        Which post-flop rules are on.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one.
    one_opponent : bool
        Bet by the strength against one opponent, however many there are (Papp 1998, section 8.2).
    """

    def __init__(
        self,
        *,
        tightness: Tightness = "loose",
        make1: float = 0.50,
        make2: float = 0.85,
        shift: float = 0.0,
        features: Features = Features(),
        field: FieldMethod = "mean",
        one_opponent: bool = False,
    ) -> None:
        self.tightness: Tightness = tightness
        self.make1 = make1
        self.make2 = make2
        self.shift = shift
        self.features = features
        self.field: FieldMethod = field
        self.one_opponent = one_opponent
        self._hand: tuple[str, str] | None = None
        self._strategy: Strategy | None = None
        self._semi_bluff = False

    def forget(self) -> None:
        """Forget the hand: the strategy of its first round, and a semi-bluff.

        Done by itself when a decision belongs to another hand than the last one, as its source and id say.
        """
        self._hand = None
        self._strategy = None
        self._semi_bluff = False

    def advise(self, decision: Decision | View, holding: CardsLike, modeler: OpponentModeler | Tables) -> Verdict:
        """What Loki-1 would do in a situation.

        Parameters
        ----------
        decision : Decision or View
            The situation; what was done in it is not looked at.
        holding : cards
            The two cards of the player who acts.
        modeler : OpponentModeler or Tables
            Has observed everything before this decision.

        Returns
        -------
        Verdict

        Raises
        ------
        ValueError
            If the holding is not two cards or meets the board.
        """
        if (decision.source, decision.hand_id) != self._hand:
            self.forget()
            self._hand = (decision.source, decision.hand_id)
        numbers: dict[str, float] = {}
        if decision.round == 0:
            act, reason = self._before_flop(decision, holding)
        else:
            tables = ModeledTables(modeler) if isinstance(modeler, OpponentModeler) else modeler
            act, reason, numbers = self._after_flop(decision, holding, tables)
        if act == Act.RAISE and Act.RAISE not in decision.legal:
            act, reason = Act.CALL, reason + "; no raise left"
        if act == Act.FOLD and decision.to_call == 0:
            act = Act.CALL
        names = ("fold", "call" if decision.to_call else "check", "raise" if decision.num_bets else "bet")
        return Verdict(act, names[act], reason, numbers)

    def _before_flop(self, decision: Decision | View, holding: CardsLike) -> tuple[Act, str]:
        if self._strategy is None:
            paid = {seat for seat, chips in enumerate(decision.committed) if chips}
            self._strategy = preflop_strategy(
                holding,
                guaranteed=len(paid | {decision.seat}),
                in_pot=len(decision.active),
                position=decision.position,
                tightness=self.tightness,
                small_blind=0 < decision.spec.blinds[decision.seat] < max(decision.spec.blinds),
                shift=self.shift,
            )
        act = preflop_action(
            self._strategy,
            to_call=decision.to_call,
            bets_to_call=decision.bets_to_call,
            num_bets=decision.num_bets,
            bets_put_in=decision.bets_put_in,
        )
        return act, f"pre-flop strategy {self._strategy.name.capitalize()}"

    def _after_flop(
        self, decision: Decision | View, holding: CardsLike, tables: Tables
    ) -> tuple[Act, str, dict[str, float]]:
        own = card_indices(holding)
        index = holding_index(own)
        if set(own) & set(decision.board):
            raise ValueError(f"{cards_text(own)} shares a card with the board {cards_text(decision.board)}")
        opponents = 1 if self.one_opponent else len(decision.active) - 1
        strength = tables.strength(decision, index, self.field) ** opponents
        ppot, npot, _ = tables.potential(decision, index, self.field)
        situation = Situation(
            decision.round,
            decision.pot,
            decision.to_call,
            decision.bet_size,
            decision.bets_to_call,
            decision.num_bets,
            decision.bets_put_in,
        )
        act, self._semi_bluff, reason = postflop_action(
            situation,
            strength=strength,
            ppot=ppot,
            npot=npot,
            semi_bluff=self._semi_bluff,
            make1=self.make1,
            make2=self.make2,
            features=self.features,
        )
        optimistic = strength + (1 - strength) * ppot
        numbers = {
            "hs": strength,
            "ppot": ppot,
            "npot": npot,
            "ehs": optimistic - strength * npot,
            "ehs_optimistic": optimistic,
        }
        return act, reason, numbers


class Loki1Player(Player):
    """Loki-1 at a table.

    Parameters
    ----------
    model : {"gom", "som", None}
        How it reads its opponents: as `OpponentModeler`; or not at all, with the same weights for everybody.
    crude_potential : {"outs", "exact1"}
        As in `OpponentModeler`.
    array : {"reasonable", "uniform"}
        Without a model, the weights: `reasonable_weights`, or all the same.
    **style
        As `Loki1`.

    Raises
    ------
    ValueError
        If a choice is unknown.
    """

    def __init__(
        self,
        model: Literal["gom", "som"] | None = "gom",
        *,
        crude_potential: CrudePotential = "outs",
        array: FixedArray = "reasonable",
        **style: Any,
    ) -> None:
        self.loki = Loki1(**style)
        self.model = model
        self.crude_potential: CrudePotential = crude_potential
        self.array: FixedArray = array
        if array not in get_args(FixedArray):
            raise ValueError(f"unknown array {array!r}: expected one of {', '.join(get_args(FixedArray))}")
        if model is not None:
            self._modeler()
        self._commons = Commons()

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self.loki.forget()
        self._commons = start.commons
        self._tables()  # a modeler that learns has to be there from the first hand on

    def _tables(self) -> Tables:
        if self.model is None:
            weights = reasonable_weights() if self.array == "reasonable" else _UNIFORM
            return FixedTables(self.array, weights, self._commons)
        key = self.model, self.loki.field, self.crude_potential
        return ModeledTables(self._commons.modeler(key, self._modeler))

    def _modeler(self) -> OpponentModeler:
        assert self.model is not None
        return OpponentModeler(self.model, field=self.loki.field, crude_potential=self.crude_potential)

    def act(self, view: View) -> Act:  # noqa: D102
        return self.loki.advise(view, view.holding, self._tables()).act
