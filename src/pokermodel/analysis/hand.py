"""A hand read step by step: what the modeler made of each action, as data.

A `HandReport` is finished when it is there: whoever draws it asks no session, and two drawings of it cannot differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.rules import State
from pokermodel._support.arrays import Floats
from pokermodel._support.frames import to_frame
from pokermodel._support.records import made_quickly
from pokermodel._support.words import counted
from pokermodel.analysis.range import RangeShape, class_changes, holding_groups, top_classes
from pokermodel.cards import card_indices, cards_text, holding_index, holding_text
from pokermodel.classics.loki1.player import Recommendation
from pokermodel.classics.simulation.advice import Advice as SimulationAdvice
from pokermodel.evaluation.equity import equity
from pokermodel.game import BOARD_CARDS, ROUNDS, Decision, Hand
from pokermodel.histories import DECISION_COLUMNS, decision_rows
from pokermodel.reading.calibration import corrected
from pokermodel.reading.expectation import Fact, Observation
from pokermodel.reading.judgement import Judgement
from pokermodel.reading.reader import Spot
from pokermodel.reading.session import OpponentModeler
from pokermodel.weights import WeightTable
from pokermodel.worth.adviser import Advice, Adviser, Cost
from pokermodel.worth.advisers import adviser_of, make_adviser
from pokermodel.worth.price import Against, Price, PriceAdviser
from pokermodel.worth.worth import Verdict

if TYPE_CHECKING:
    from pokermodel.classics.simulation.simulator import Simulator

__all__ = [
    "STEP_COLUMNS",
    "Equities",
    "Findings",
    "HandReport",
    "Moment",
    "Opponent",
    "Step",
    "StepFindings",
    "fields",
]

_TOP = 8
_MENTIONED = 2  # opponents of whom a headline says something
_FEW = 4  # players in a hand whose cards are each compared with the ranges of the others
_DEALS = 20_000  # deals that an equity is drawn from where it is not counted out: true to 0.3 per cent
# fields of a step that are null where the reader has nothing to say
_FIELDS = ("context", "frequencies", "percentile", "mu", "sigma", "exempt", "borders", "predicted", "true_holding")
_NO_FIELDS = dict.fromkeys(_FIELDS)

_SHAPE = ("share", "top_hands", "composition")  # fields of a range that are null where no holding is left

# What several fields of JSON come from: by kind of fact, the fields and the keys of its value.
_SPREAD = {
    "context": {"context": "context"},
    "threshold": {"percentile": "percentile", "mu": "mu", "sigma": "sigma"},
    "entropy": {"entropy_bits_before": "before", "entropy_bits": "after"},
}
_TYPES = {
    "int64": ("number",),
    "int32": ("index", "opponents", "bets_to_call"),
    "time": ("time",),
    "bool_": ("out_of_turn",),
    "string": ("id", "stake", "round", "board", "player", "position", "action", "holding", "model", "reason"),
}
_COLUMNS = (
    *DECISION_COLUMNS,
    *("model", "reason", "predicted_fold", "predicted_call", "predicted_raise"),
    *("entropy_bits_before", "entropy_bits", "probability", "bits_gained"),
)
#: Columns of `HandReport.rows` and their types, as Arrow names them.
STEP_COLUMNS = {name: next((kind for kind, names in _TYPES.items() if name in names), "float64") for name in _COLUMNS}


def fields(facts: Iterable[Fact]) -> dict[str, Any]:
    """Facts as fields of a JSON object.

    The bits gained by a table that ruled the true holding out are minus infinity, which JSON does not have: None.
    """
    found: dict[str, Any] = {}
    for name, _, value, kind in facts:
        if kind in _SPREAD:
            for field_, key in _SPREAD[kind].items():
                found[field_] = value[key]
        elif kind == "borders":
            found[name] = {key: value[key] for key in ("raise", "min_raise", "call", "min_call")}
        elif kind == "judgement":
            bits = value["bits_gained"]
            found[name] = {**value, "bits_gained": bits if math.isfinite(bits) else None}
        else:
            found[name] = value
    return found


#: Tables of a hand by the identity of weights before any correction, which stand beside them, and what they go with.
_Tables = dict[tuple[int, tuple[int, ...], float], tuple[Floats, WeightTable]]


class Opponent(NamedTuple):
    """Somebody who is in the hand with the hero, at a decision of theirs.

    Attributes
    ----------
    name : str
    table : WeightTable
        What they can hold, without the board and, if the reader knows them, the hero's cards.
    acted : bool
        Whether they have acted in this hand: before that, their table says nothing of them.
    """

    name: str
    table: WeightTable
    acted: bool


@made_quickly
@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One action and what it says.

    Attributes
    ----------
    observation : Observation
        What the reader made of the act.
    judgement : Judgement or None
        How probable the player's true holding was judged after it, where the cards are known.
    advice : Advice or None
        What the adviser says whom the reader names, where the hero acts and their cards are known.
    adviser : str
        What the adviser is called.
    opponents : tuple of Opponent
        Who was in the hand with the hero, where the hero acts in turn; else empty.
    before, after : WeightTable
        The player's tables before and after the act.
    triple : tuple of float or None
        What the reader expected of the player with their true holding: fold, call, raise. None where the cards are not
        known, or the act was not judged by that.
    facts : tuple of Fact
        What is said of the step: what the reader went by, what it did to the table, and how true that is.
    """

    observation: Observation
    judgement: Judgement | None = None
    advice: Advice | None = None
    adviser: str = ""
    opponents: tuple[Opponent, ...] = ()
    _tables: _Tables = field(default_factory=dict, repr=False)
    _shapes: dict[Any, tuple[WeightTable, RangeShape | None]] = field(default_factory=dict, repr=False)
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    # What an observation holds does not change any more: what is asked of it is worked out once, and when it is asked
    # for. Of many hands, most is never looked at.

    @property
    def before(self) -> WeightTable:
        """The player's table before the act."""
        found: WeightTable | None = self._known.get("before")
        if found is None:
            found = self._known["before"] = self._table(self.observation.prior)
        return found

    @property
    def after(self) -> WeightTable:
        """The player's table after the act."""
        found: WeightTable | None = self._known.get("after")
        if found is None:
            found = self._known["after"] = self._table(self.observation.posterior)
        return found

    def _table(self, weights: Floats) -> WeightTable:
        """The table of weights before any correction; steps have those in common that did not change between them."""
        seen = self.observation
        return _shared_table(self._tables, weights, seen.dead, seen.decision.board, seen.exponent)

    @property
    def triple(self) -> tuple[float, float, float] | None:
        """What the reader expected of the player with their true holding, where that is known."""
        if "triple" not in self._known:
            triple = None
            if self.observation.expected is not None and self.judgement is not None:
                triple = self.observation.expected.with_holding(holding_index(self.judgement.holding))
            self._known["triple"] = triple
        triple_: tuple[float, float, float] | None = self._known["triple"]
        return triple_

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is said of the step."""
        if "facts" not in self._known:
            self._known["facts"] = self._facts()
        facts: tuple[Fact, ...] = self._known["facts"]
        return facts

    def _facts(self) -> tuple[Fact, ...]:
        observation, made = self.observation, tuple.__new__  # half of the time that the class takes
        entropy = {"before": self.before.entropy_bits(), "after": self.after.entropy_bits()}
        found = [
            made(Fact, ("reason", "", observation.reason, "text")),
            *observation.facts(),
            made(Fact, ("entropy", "entropy", entropy, "entropy")),
        ]
        if (judged := self.judgement) is not None:
            triple = self.triple
            value = {
                "holding": judged.holding,
                "probability": judged.probability,
                "uniform": judged.uniform,
                "bits_gained": judged.bits_gained,
                "rank": judged.rank,
                "triple": None if triple is None else list(triple),
            }
            found.append(made(Fact, ("true_holding", "held", value, "judgement")))
        if isinstance(self.advice, (Price, Verdict)) and (price := self.price) is not None:
            found.append(Fact("price", observation.decision.player, price.to_dict(), "price"))
        return tuple(found)

    @property
    def changed(self) -> bool:
        """Whether the act changed the table, and there are two tables to compare."""
        return self.observation.reweighted and self.before.possible and self.after.possible

    @property
    def changes(self) -> Floats | None:
        """How much more or less probable a holding of every class has become, in bits.

        Worked out when it is asked for: of many hands that are read, few are drawn.

        Returns
        -------
        ndarray of float64, shape (169,), or None
            As `class_changes` has it, nan where no holding is live. None where the act changed nothing, or there is no
            table to compare.
        """
        if "changes" not in self._known:
            self._known["changes"] = None
            if self.changed:
                possible = self.after.grid_combos().ravel() > 0
                self._known["changes"] = np.where(possible, class_changes(self.after, self.before), np.nan)
        changes: Floats | None = self._known["changes"]
        return changes

    @property
    def shape(self) -> RangeShape | None:
        """What the range after the act is like; None where no holding is left. Worked out when it is asked for."""
        return self.shape_of(self.after)

    def shape_of(self, table: WeightTable) -> RangeShape | None:
        """What a table of the hand is like on the board of the act; worked out once for all steps."""
        board = self.observation.decision.board
        key = id(table), board
        if key not in self._shapes:
            self._shapes[key] = table, RangeShape.of(table, board, _TOP)
        return self._shapes[key][1]

    @property
    def price(self) -> Price | None:
        """What a call costs the hero, and how their hand does against all ranges if nobody bets any more.

        Worked out when it is asked for, unless the adviser says it. None where it is not the hero who acts, or where
        no holding of an opponent is left.
        """
        if isinstance(self.advice, Price):
            return self.advice
        if "price" not in self._known:
            self._known["price"] = self._priced()
        price: Price | None = self._known["price"]
        return price

    def _priced(self) -> Price | None:
        if not self.opponents or self.judgement is None or not all(each.table.total for each in self.opponents):
            return None
        decision = self.observation.decision
        tables = {each.name: each.table for each in self.opponents}
        holding = card_indices(self.judgement.holding)
        try:
            seed = _seed_of(0, decision.index)
            return Price.of(decision.situation, (holding[0], holding[1]), tables, seed, trials=_DEALS)
        except ValueError:  # no holding of theirs is possible beside the hero's cards
            return None

    @property
    def verdict(self) -> Verdict | None:
        """What a verdict says, if it advises."""
        return self.advice if isinstance(self.advice, Verdict) else None

    @property
    def shares(self) -> list[float]:
        """The share of all hands that each opponent can have, where the hero acts."""
        board = self.observation.decision.board
        shapes = [RangeShape.of(each.table, board) for each in self.opponents]
        return [shape.share for shape in shapes if shape is not None]

    @property
    def cost(self) -> Cost | None:
        """What the act cost beside the best one, with its error; None where it is not said what acts are worth."""
        decision = self.observation.decision
        if self.loss is None or self.advice is None:
            return None
        return self.advice.cost(decision.act, decision.to)

    @property
    def loss(self) -> float | None:
        """The difference between what the hero's best act is worth and what the act done is.

        In small bets, or big blinds where bets have sizes; None where it is not said what acts are worth.
        """
        worths = () if self.advice is None else self.advice.worths
        act, to = self.observation.decision.act, self.observation.decision.to
        if self.advice is None or not any(each.act == act and each.to in (None, to) for each in worths):
            return None
        cost = self.advice.cost(act, to)
        return None if cost is None else cost.value

    @property
    def recommendation(self) -> Recommendation | None:
        """What the adviser would do, in words; None where nobody recommends an act."""
        advice, situation = self.advice, self.observation.decision.situation
        if advice is None or isinstance(advice, Recommendation) or advice.recommended is None:
            return advice if isinstance(advice, Recommendation) else None
        act, _ = advice.recommended
        worth = [
            f"{situation.act_names[each.act]} {each.ev:+.2f}"
            + (f" ± {each.standard_error:.2f}" if each.standard_error else "")
            for each in advice.worths
        ]
        unit = "small bets" if situation.spec.structure.fixed else "big blinds"
        trials = f"; {counted(advice.trials, 'trial')}" if isinstance(advice, SimulationAdvice) else ""
        found = f"{unit} expected, ± standard error: {', '.join(worth)}{trials}"
        return Recommendation(act, situation.act_names[act], found, {})

    def to_dict(self, *, weights: bool = False, ranges: bool = True) -> dict[str, Any]:
        """The step as plain data for JSON.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the act, by index, as ``weights``.
        ranges : bool
            Add the range after the act as text and as a grid, as ``range`` and ``grid``, and what it is like:
            ``share``, ``top_hands`` and ``composition``; where the hero acts, the same of their ``opponents``. They
            take most of the time, and most of the size.
        """
        table = self.after
        plain = self.without_table()
        advice = plain.pop("advice")
        plain["top"] = [{"holding": holding, "probability": p} for holding, p in table.top(_TOP)]
        plain["top_classes"] = [{"class": name, "probability": p} for name, p in top_classes(table, _TOP)]
        if ranges:
            plain["grid"] = [[None if math.isnan(x) else x for x in row] for row in table.grid().tolist()]
            plain["range"] = table.to_text()
            shape = self.shape
            plain |= dict.fromkeys(_SHAPE) if shape is None else shape.to_dict()
            plain["opponents"] = [self._opponent(each) for each in self.opponents]
        if weights:
            plain["weights"] = table.values.tolist()
        plain["advice"] = advice
        return plain

    def _opponent(self, opponent: Opponent) -> dict[str, Any]:
        shape = self.shape_of(opponent.table)
        return {
            "player": opponent.name,
            "acted": opponent.acted,
            **(dict.fromkeys(_SHAPE) if shape is None else shape.to_dict()),
        }

    def without_table(self) -> dict[str, Any]:
        """The step as `to_dict` has it, but for the player's table."""
        decision = self.observation.decision
        situation = decision.situation
        return {
            "index": decision.index,
            "round": ROUNDS[situation.round],
            "board": _board_text(situation.board),
            "seat": situation.seat,
            "player": situation.player,
            "action": situation.act_names[decision.act],
            "pot": situation.pot,
            "to_call": situation.to_call,
            "put_in": decision.put_in,
            "to": decision.to,
            "bets_to_call": situation.bets_to_call,
            **_NO_FIELDS,
            **fields(self.facts),
            "mu_unit": "milli small bets" if situation.round == 0 else "effective hand strength",
            "reweighted": self.observation.reweighted,
            "advice": None
            if (said := self.recommendation) is None or self.advice is None
            else {
                "action": said.name,
                "reason": said.reason,
                **said.numbers,
                **({} if said is self.advice else self.advice.to_dict()),
            },
        }


@made_quickly
@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """What lies on the table at a moment of a hand: before the first act, after each, and at the end.

    Where everybody who is left is all-in, there is a moment for every street that is dealt after that. Amounts are in
    chips, by seat.

    Attributes
    ----------
    round : int
    board : tuple of int
    decision : Decision or None
        The act before it; None before the first act, where a street is dealt after an all-in, and at the end.
    over : bool
        Whether the hand is over: no card is dealt, and no bet made any more.
    pot : int
        All that was put in; at the end what was matched, since an uncalled bet goes back.
    bets : tuple of int
        What was put in in this round, antes aside.
    stacks : tuple of (int or None)
        What is left; None where it is not known.
    folded, all_in : tuple of int
        Seats, those that folded in the order in which they did.
    """

    round: int
    board: tuple[int, ...]
    decision: Decision | None
    over: bool
    pot: int
    bets: tuple[int, ...]
    stacks: tuple[int | None, ...]
    folded: tuple[int, ...]
    all_in: tuple[int, ...]


def _moments(hand: Hand, decisions: Sequence[Decision]) -> Iterator[Moment]:
    """Before the first act, after each, at each street that is dealt after an all-in, and at the end."""
    committed = State(hand.spec, hand.stacks).committed
    antes = hand.spec.antes or (0,) * len(committed)  # which are no bet of the round
    bets = [total - ante for total, ante in zip(committed, antes, strict=True)]
    left = [
        None if stack is None else stack - total
        for stack, total in zip(hand.stacks or (None,) * len(committed), committed, strict=True)
    ]
    pot, now = sum(committed), 0
    folded: list[int] = []

    def moment(board: tuple[int, ...], decision: Decision | None = None, *, over: bool = False) -> Moment:
        return Moment(
            now,
            board,
            decision,
            over,
            hand.pot_chips if over else pot,
            tuple(bets),
            tuple(left),
            tuple(folded),
            tuple([seat for seat, chips in enumerate(left) if chips == 0 and seat not in folded]) if 0 in left else (),
        )

    yield moment(())
    for decision in decisions:
        situation, seat, put_in = decision.situation, decision.situation.seat, decision.put_in
        if situation.round != now:
            now, bets = situation.round, [0] * len(bets)
        pot, bets[seat] = pot + put_in, bets[seat] + put_in
        if (chips := left[seat]) is not None:
            left[seat] = chips - put_in
        if decision.name == "fold":
            folded.append(seat)
        yield moment(situation.board, decision)
    streets = BOARD_CARDS[now + 1 :] if len(folded) < len(left) - 1 else ()  # dealt to a showdown, without an act
    for cards in streets:
        if cards <= len(hand.board):
            now, bets = now + 1, [0] * len(bets)
            yield moment(hand.board[:cards])
    yield moment(hand.board, over=True)


class Equities(NamedTuple):
    """Shares of the pot of those who are in a hand, if nobody bets any more; by seat.

    Attributes
    ----------
    ranges, standard_error : dict of int to float
        Of all ranges against each other, and the standard errors, 0 where it is exact.
    held : dict of int to float
        Of the cards of everybody whose cards are known, against the ranges of all others; where more than four are in,
        of the hero's alone.
    cards_up : dict of int to float
        Of the cards of all, if all are known; else empty.
    """

    ranges: dict[int, float]
    standard_error: dict[int, float]
    held: dict[int, float]
    cards_up: dict[int, float]


class StepFindings(NamedTuple):
    """What a page says of a step beyond what is in it.

    Attributes
    ----------
    before, after : RangeShape or None
        Of the player's tables; before the act only where it is their first one, since later it is known.
    price : Price or None
        As `Step.price` has it.
    cost : Cost or None
        As `Step.cost` has it.
    opponents : tuple of (str, RangeShape or None)
        Of the hero's opponents who have acted, the last two.
    """

    before: RangeShape | None
    after: RangeShape | None
    price: Price | None
    cost: Cost | None
    opponents: tuple[tuple[str, RangeShape | None], ...]

    @classmethod
    def of(cls, step: Step, *, first: bool = True) -> Self:
        """Work it out, given whether the act is the player's first one."""
        acted = [each for each in step.opponents if each.acted][-_MENTIONED:]
        opponents = [(each.name, step.shape_of(each.table)) for each in acted]
        before = RangeShape.of(step.before, ()) if first else None
        return cls(before, step.shape, step.price, step.cost, tuple(opponents))


@dataclass(frozen=True, eq=False, slots=True)
class Findings:
    """What a page of a hand shows beside its report, worked out once.

    Attributes
    ----------
    start : int
        The moment to look at first: after the act of `HandReport.key_step`, or the first one.
    steps : tuple of StepFindings
    groups : dict of tuple of int to ndarray of int8, shape (1326,)
        By board, what each holding is with it, as `holding_groups` has it.
    equities : dict of int to (Equities or None)
        By moment, for those that were asked for.
    """

    start: int
    steps: tuple[StepFindings, ...]
    groups: dict[tuple[int, ...], NDArray[np.int8]]
    equities: dict[int, Equities | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class HandReport:
    """A hand as a model read it; `of` makes one.

    Attributes
    ----------
    hand : Hand
        The hand.
    model : str
        Name of the model.
    hero : str or None
        Name of the player who is advised.
    sees_hero : bool
        Whether the tables of the others are without the hero's cards.
    calibration : dict or None
        What corrects the tables: the number of earlier hands it was learnt from, and the exponent of each round. None
        where nothing is to be corrected.
    corrected : bool
        Whether the tables are corrected by what came of earlier hands.
    steps : tuple of Step
        What was made of each act.
    moments : tuple of Moment
        What lay on the table before the first act, after each, at streets dealt after an all-in, and at the end.
    deals : int or None
        Deals that equities are drawn from, if they are to be fewer than usual.
    """

    hand: Hand
    model: str
    hero: str | None
    sees_hero: bool
    calibration: dict[str, Any] | None
    corrected: bool
    steps: tuple[Step, ...]
    deals: int | None = None
    _found: list[Findings] = field(default_factory=list, init=False, repr=False)
    _laid: list[tuple[Moment, ...]] = field(default_factory=list, init=False, repr=False)

    @property
    def moments(self) -> tuple[Moment, ...]:
        """What lay on the table, moment by moment. Worked out when it is asked for, since only pages show it."""
        if not self._laid:
            self._laid.append(tuple(_moments(self.hand, [step.observation.decision for step in self.steps])))
        return self._laid[0]

    def findings(self, moments: Iterable[int] | None = None) -> Findings:
        """What a page shows beside the report; it is worked out when it is first asked for, and kept.

        Parameters
        ----------
        moments : iterable of int, optional
            Those of which equities are shown; by default the one to look at first.
        """
        if not self._found:
            key = self.key_step
            boards = {each.board: None for each in self.moments if each.board}
            seats = [step.observation.decision.seat for step in self.steps]
            for step in self.steps:  # whoever draws finds all of it worked out
                _ = step.facts, None if moments is None else step.changes
            steps = [
                StepFindings.of(step, first=seats.index(seat) == k)
                for k, (step, seat) in enumerate(zip(self.steps, seats, strict=True))
            ]
            self._found.append(
                Findings(
                    0 if key is None else key + 1,
                    tuple(steps),
                    {board: holding_groups(board) for board in boards},
                )
            )
        (found,) = self._found
        for moment in (found.start,) if moments is None else moments:
            if moment not in found.equities:
                found.equities[moment] = self.equities(moment)
        return found

    @classmethod
    def of(
        cls,
        hand: Hand,
        modeler: OpponentModeler,
        hero: str | None = None,
        *,
        simulator: Simulator | None = None,
        seed: int = 0,
        deals: int | None = None,
        verdicts: bool = True,
    ) -> Self:
        """Read a hand.

        The true holdings are only compared with the tables; they never enter them, save for the hero's, which a
        model that is not public takes out of the tables of the other players.

        Parameters
        ----------
        hand : Hand
            The hand.
        modeler : OpponentModeler
            Reads it; what it learns stays with it.
        hero : str, optional
            Name of the player to advise.
        simulator : Simulator, optional
            Finds what the acts are worth after the flop, if the reader is one that simulates.
        seed : int
            Of the simulations: the same one makes the same report.
        deals : int, optional
            Deals that the hero's equity against several opponents is drawn from, where the adviser says the price
            alone. Default: 100,000. Of many hands, they take longer than everything else.
        verdicts : bool
            Whether the worth of the hero's acts is worked out where bets have sizes, which takes some tenths of a
            second a decision. Otherwise the price of a call is said there.

        Raises
        ------
        ValueError
            If the hand has no player of that name, or their cards are not known; if it breaks the rules or is of a game
            that the session does not read.
        """
        if hero is not None:
            if hero not in hand.players:
                raise ValueError(f"no player {hero!r} in hand {hand.id}: expected one of {', '.join(hand.players)}")
            if hand.players.index(hero) not in hand.holdings:
                raise ValueError(f"the cards of {hero!r} in hand {hand.id} are not known: no advice can be given")
        calibration = modeler.calibration
        corrects, corrected = None, False
        if calibration is not None:
            exponents = calibration.table_exponents
            corrects = {
                "hands": calibration.hands,
                "table_exponents": dict(zip(ROUNDS, exponents.tolist(), strict=True)),
            }
            corrected = bool((exponents != 1.0).any())
        sees_hero = hero is not None and hero == modeler.hero and not modeler.public_models
        with_options: dict[str, dict[str, Any]] = {"simulation": {"simulator": simulator}}
        with_options["price"] = {} if deals is None else {"trials": deals}
        kept = modeler.folded_tables
        # what those can hold who folded is kept where it may be asked for, and by the next hand only if that asks, too
        modeler.folded_tables = kept or (hero is not None and _plays_out(modeler, hand, verdicts))
        try:
            steps = tuple(_steps(hand, modeler, hero, sees_hero, with_options, seed, verdicts=verdicts))
        finally:
            modeler.folded_tables = kept
        return cls(
            hand,
            modeler.model,
            hero,
            sees_hero,
            corrects,
            corrected,
            steps,
            deals,
        )

    @property
    def bits_gained(self) -> float | None:
        """How many bits the tables gained on knowing nothing, given the cards that are known.

        On average over the players whose cards are known, each at their last act: minus infinity where a table ruled
        out what was there, None where no cards are known.
        """
        last = {step.observation.decision.seat: step.judgement for step in self.steps if step.judgement is not None}
        gained = [judged.bits_gained for judged in last.values()]
        return math.fsum(gained) / len(gained) if gained else None

    @property
    def loss(self) -> float | None:
        """The largest of the `loss` of a step; None where it is not said what acts are worth."""
        return max((step.loss for step in self.steps if step.loss is not None), default=None)

    @property
    def key_step(self) -> int | None:
        """The act to look at first: the index of its step; None where nobody acts.

        The hero's most expensive one: by what the adviser says that it lost or, where none lost anything or it does not
        say that, by what it put in. Without a hero it is the last act of somebody who showed their cards at the
        showdown, or else the last act.
        """
        if not self.steps:
            return None
        own = [k for k, step in enumerate(self.steps) if step.observation.decision.player == self.hero]
        if own:
            return max(own, key=lambda k: (self.steps[k].loss or 0.0, self.steps[k].observation.decision.put_in, k))
        shown = set(self.hand.shown) & set(self.hand.holdings)
        seats = [step.observation.decision.seat for step in self.steps]
        return max((k for k, seat in enumerate(seats) if seat in shown), default=len(seats) - 1)

    def equities(self, moment: int) -> Equities | None:
        """How those who are in the hand at a moment do if nobody bets any more. Worked out when it is asked for.

        Exact between two players on a board, else from 20,000 deals of a fixed seed, 4,000 where more than four are in.
        With fewer `deals`, those of two ranges on a flop are drawn, too.

        Parameters
        ----------
        moment : int
            An index of `moments`.

        Returns
        -------
        Equities or None
            None where one player is left, or a range has no holding.
        """
        now = self.moments[moment]
        seats = [seat for seat in range(len(self.hand.players)) if seat not in now.folded]
        if len(seats) < 2:
            return None
        tables: list[Any] = [None] * len(self.hand.players)
        for step in self.steps[:moment]:
            tables[step.observation.decision.seat] = step.after
        ranges = {seat: tables[seat] for seat in seats}
        known = {seat: holding_text(self.hand.holdings[seat]) for seat in seats if seat in self.hand.holdings}

        def shares(of: Mapping[int, Any], stream: int) -> tuple[list[float], list[float]]:
            hands = sum(isinstance(each, str) for each in of.values())
            count = len(of) == hands or (len(of) == 2 and (hands > 0 or bool(now.board)))
            rng = _seed_of(0, moment, stream)
            # many known hands before the flop take long to count out
            exact = None if count and (len(of) == 2 or now.board) else False
            if self.deals and not hands and len(now.board) == 3:
                exact = False  # two ranges on a flop take longer to count out than a hand to read
            trials = min(_DEALS if len(of) <= _FEW else _DEALS // 5, self.deals or _DEALS)
            found = equity(list(of.values()), now.board, trials=trials, exact=exact, rng=rng, jobs=1)
            return found.equity.tolist(), found.standard_error.tolist()

        def held_share(seat: int) -> float:
            """Of the cards of a seat, against the ranges of the others."""
            if len(seats) > 2:
                return shares(ranges | {seat: known[seat]}, 1 + seat)[0][seats.index(seat)]
            (other,) = (each for each in seats if each != seat)
            table = WeightTable.uniform() if ranges[other] is None else ranges[other]
            high, low = self.hand.holdings[seat]
            return Against((high, low), now.board, {"": table})[""]

        try:
            public, errors = shares(ranges, 0)
            asked = [seat for seat in known if len(seats) <= _FEW or self.hand.players[seat] == self.hero]
            last = self.steps[moment - 1] if 0 < moment <= len(self.steps) else None
            price = None if last is None else last.price
            held = {
                seat: price.against_all  # one number for one thing
                if price is not None and last is not None and last.observation.decision.seat == seat
                else held_share(seat)
                for seat in asked
            }
            cards_up = shares(known, 1 + len(tables))[0] if len(known) == len(seats) else []
        except ValueError:  # no holdings of these ranges can be dealt together
            return None
        return Equities(
            dict(zip(seats, public, strict=True)),
            dict(zip(seats, errors, strict=True)),
            held,
            dict(zip(seats, cards_up, strict=True)) if cards_up else {},
        )

    def to_dict(self, *, weights: bool = False, ranges: bool = True) -> dict[str, Any]:
        """The whole report as plain data for JSON.

        ``pot``, ``uncalled``, ``rake`` (None if it is not stated) and of each player ``net`` and ``all_in_ev`` are in
        the money of the source, after the rake; ``payoff`` is in chips by the rules, before it.

        Parameters
        ----------
        weights, ranges : bool
            What is added to every step, as `Step.to_dict` has it.
        """
        hand = self.hand
        steps = [step.to_dict(weights=weights, ranges=ranges) for step in self.steps]
        small_bet = hand.spec.bets[0]
        payoffs, net, ev = hand.payoffs, hand.net, hand.all_in_ev
        return {
            "source": hand.source,
            "id": hand.id,
            "model": self.model,
            "corrected": self.corrected,
            "calibration": self.calibration,
            "hero": self.hero,
            "table": hand.table,
            "structure": str(hand.spec.structure),
            "stake": hand.stake,
            "small_bet": small_bet,
            "chip": float(hand.unit),
            "currency": hand.currency,
            "board": cards_text(hand.board),
            "pot": hand.pot,
            "uncalled": hand.uncalled,
            "rake": hand.rake,
            "all_in": None if hand.all_in is None else ROUNDS[hand.all_in],
            "players": [
                {
                    "seat": seat,
                    "name": name,
                    "holding": holding_text(hand.holdings[seat]) if seat in hand.holdings else None,
                    "payoff": payoffs[seat],
                    "payoff_small_bets": payoffs[seat] / small_bet,
                    "net": net[seat],
                    "all_in_ev": ev[seat],
                }
                for seat, name in enumerate(hand.players)
            ],
            "steps": steps,
        }

    def rows(self, number: int, *, weights: bool = False) -> Iterator[dict[str, Any]]:
        """Yield a row for each action, by `STEP_COLUMNS`.

        Parameters
        ----------
        number : int
            Number of the hand in its source, from 1.
        weights : bool
            Add the weights of all 1,326 holdings after the action, by index, as ``weights``.

        Yields
        ------
        dict
            Amounts are in the money of the source. ``probability`` and ``bits_gained`` are of the true holding after
            the action, where it is known, and the predictions of the act before it.
        """
        for row, step in zip(decision_rows(number, self.hand), self.steps, strict=True):
            seen, judged = step.observation, step.judgement
            predicted = (None,) * 3 if seen.expected is None else seen.expected.predicted.tolist()
            yield {
                **row,
                "model": self.model,
                "reason": seen.reason,
                **dict(zip(("predicted_fold", "predicted_call", "predicted_raise"), predicted, strict=True)),
                "entropy_bits_before": step.before.entropy_bits(),
                "entropy_bits": step.after.entropy_bits(),
                "probability": None if judged is None else judged.probability,
                "bits_gained": None if judged is None else judged.bits_gained,
                **({"weights": step.after.values} if weights else {}),
            }

    def to_frame(self, *, weights: bool = False, library: str | None = None) -> Any:
        """Return a data frame with a row for each action: the situation, what was done, and what the model made of it.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the action, by index, as a column ``weights`` of arrays.
        library : {"pandas", "polars"}, optional
            Default: whichever is installed, pandas first.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Amounts are in the money of the source, and times in UTC.

        Raises
        ------
        ValueError
            If `library` is none of these.
        ModuleNotFoundError
            If it is not installed.
        """
        columns = [*STEP_COLUMNS, *(["weights"] if weights else [])]
        return to_frame(self.rows(1, weights=weights), columns, library)


def _advised(
    advisers: dict[str, Adviser], text: str, spot: Spot, random: np.random.SeedSequence, also: tuple[int, ...]
) -> Advice:
    """What an adviser says; where no verdict can be found, since no holding of an opponent is left, the price."""
    try:
        return advisers[text].advise(spot, random, also=also)
    except ValueError:
        if text.partition("?")[0] != "verdict":
            raise
    return make_adviser("price").advise(spot, random)


def _steps(
    hand: Hand,
    session: OpponentModeler,
    hero: str | None,
    sees_hero: bool,
    with_options: Mapping[str, dict[str, Any]],
    seed: int,
    *,
    verdicts: bool,
) -> Iterator[Step]:
    """Replay a hand, reading each act."""
    advisers: dict[str, Adviser] = {}
    tables: _Tables = {}
    shapes: dict[Any, tuple[WeightTable, RangeShape | None]] = {}
    acted: set[int] = set()
    session.start(hand.players)
    if hero is not None and sees_hero:
        session.hold(hand.holdings[hand.players.index(hero)])
    for decision in hand.replay():
        situation = decision.situation
        seat = situation.seat
        advice: Advice | None = None
        called = ""
        opponents: tuple[Opponent, ...] = ()
        if situation.player == hero and not decision.out_of_turn:
            spot = session.spot(situation).held(hand.holdings[seat])
            opponents = tuple(
                [
                    Opponent(hand.players[other], _shared_table(tables, *spot.seen_of(other)), other in acted)
                    for other in situation.active
                    if other != seat
                ]
            )
            text, called = adviser_of(spot)
            name = text.partition("?")[0]
            chosen = decision.act in situation.legal and len(situation.legal) > 1
            if name == "verdict" and not (verdicts and chosen):
                text = name = "price"
            if text not in advisers:
                options = with_options.get(text, {})
                if "simulator" in options:
                    from pokermodel.classics.simulation.simulator import Simulator

                    options = {"simulator": options["simulator"] or Simulator()}
                if name == "verdict":
                    from pokermodel.analysis.rakes import verdict_rake

                    options = {"rake": verdict_rake(hand, {})}
                advisers[text] = make_adviser(text, **options)
            adviser = advisers[text]
            if isinstance(adviser, PriceAdviser):
                tables_of = {each.name: each.table for each in opponents}
                advice = adviser.price(spot, tables_of, _seed_of(seed, decision.index))
            else:
                rng = np.random.SeedSequence(seed, spawn_key=(decision.index,))
                also = () if decision.to is None or decision.spec.structure.fixed else (decision.to,)
                advice = _advised(advisers, text, spot, rng, also)
        observation = session.observe(decision)
        holding = hand.holdings.get(seat)
        judgement, known = None, {}
        if holding is not None:  # as `showdown` judges it, by a table that the step has
            weights, dead = observation.posterior, observation.dead
            after = known["after"] = _shared_table(tables, weights, dead, situation.board, observation.exponent)
            judgement = Judgement.of(after, holding)
        acted.add(seat)
        yield Step(observation, judgement, advice, called, opponents, tables, shapes, known)


@lru_cache(64)  # a board is there for several acts
def _board_text(board: tuple[int, ...]) -> str:
    return cards_text(board)


@lru_cache(256)  # of many hands, the same few
def _seed_of(seed: int, *place: int) -> np.random.SeedSequence:
    """The seed of what is drawn at a place of a hand, for who spawns no others from it: it is the same one again."""
    return np.random.SeedSequence(seed, spawn_key=place)


def _shared_table(
    tables: _Tables, weights: Floats, dead: tuple[int, ...], board: tuple[int, ...], exponent: float
) -> WeightTable:
    """The table of weights, which are corrected; the same one for the same array, which is not changed."""
    key = id(weights), dead, exponent  # dead cards begin with the board
    found = tables.get(key)
    if found is None:
        # kept with the weights, so that nothing else has their identity meanwhile
        found = tables[key] = weights, WeightTable.of_known(corrected(weights, board, exponent), dead)
    return found[1]


def _plays_out(session: OpponentModeler, hand: Hand, verdicts: bool) -> bool:
    """Whether an adviser of the reader may ask what players who folded can hold: all but the price may."""
    name = session.reader.advisers[2].partition("?")[0]
    return hand.spec.structure.fixed or not (name == "price" or (name == "verdict" and not verdicts))
