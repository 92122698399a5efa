"""The steps of a hand: each action, what a reader made of it, and what it was worth to the hero, as data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.analysis.equities import DEALS
from pokermodel.analysis.range import RangeShape, class_changes, top_classes
from pokermodel.analysis.verdict import judged
from pokermodel.cards import card_indices, cards_text, holding_index
from pokermodel.game import ROUNDS, Act, Decision, Hand
from pokermodel.reading.calibration import corrected
from pokermodel.reading.expectation import Fact, Observation
from pokermodel.reading.judgement import Judgement
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.width import Width
from pokermodel.weights import WeightTable
from pokermodel.worth.adviser import Advisers
from pokermodel.worth.continuing import Continuing
from pokermodel.worth.price import Price
from pokermodel.worth.worth import Verdict

__all__ = ["Opponent", "Step", "StepTables", "fields", "steps_of"]

_TOP = 8
# fields of a step that are null where the reader has nothing to say
_FIELDS = ("context", "frequencies", "percentile", "mu", "sigma", "exempt", "borders", "predicted", "true_holding")
_NO_WIDTH = dict.fromkeys(Width._fields)
_NO_FIELDS = dict.fromkeys(_FIELDS)
_SHAPE = ("top_hands", "composition")  # fields of a range that are null where no holding is left
# What several fields of JSON come from: by kind of fact, the keys of its value.
_SPREAD = {"context": ("context",), "threshold": ("percentile", "mu", "sigma")}


def fields(facts: Iterable[Fact]) -> dict[str, Any]:
    """Facts as fields of a JSON object.

    The bits gained by a table that ruled the true holding out are minus infinity, which JSON does not have: None.
    """
    found: dict[str, Any] = {}
    for name, _, value, kind in facts:
        if kind in _SPREAD:
            found |= {key: value[key] for key in _SPREAD[kind]}
        elif kind == "borders":
            found[name] = {key: value[key] for key in ("raise", "min_raise", "call", "min_call")}
        elif kind == "judgement":
            bits = value["bits_gained"]
            found[name] = {**value, "bits_gained": bits if math.isfinite(bits) else None}
        else:
            found[name] = value
    return found


class StepTables:
    """The tables of a hand, each made once: steps share those that did not change between them."""

    def __init__(self) -> None:
        # by the identity of the weights, which are kept, so that nothing else has it meanwhile
        self._tables: dict[tuple[int, tuple[int, ...], float], tuple[Floats, WeightTable]] = {}
        self._shapes: dict[tuple[int, tuple[int, ...]], tuple[WeightTable, RangeShape | None]] = {}

    def table(self, weights: Floats, dead: tuple[int, ...], board: tuple[int, ...], exponent: float) -> WeightTable:
        """The table of weights before any correction."""
        key = id(weights), dead, exponent  # dead cards begin with the board
        found = self._tables.get(key)
        if found is None:
            made = WeightTable.of_known(corrected(weights, board, exponent), dead)
            found = self._tables[key] = weights, made
        return found[1]

    def shape(self, table: WeightTable, board: tuple[int, ...]) -> RangeShape | None:
        """The shape of a table on a board; None without holdings."""
        key = id(table), board
        found = self._shapes.get(key)
        if found is None:
            found = self._shapes[key] = table, RangeShape.of(table, board, _TOP)
        return found[1]


class Opponent(NamedTuple):
    """A player who is in the hand with the hero, at a decision of theirs."""

    name: str
    table: WeightTable  #: What they can hold, without the board and, if the reader knows them, the hero's cards.
    width: Width | None  #: None before they have acted: their table says nothing of them.


@dataclass(frozen=True, eq=False)
class Step:
    """One action and what it says.

    What an observation holds does not change any more. So everything else is worked out once, and when it is asked for:
    of many hands, most is never looked at.
    """

    observation: Observation  #: The reader's result for the action.
    #: How probable the player's true holding was judged after it, where the cards are known.
    judgement: Judgement | None = None
    #: The verdict of the reader's adviser, where the hero acts and their cards are known.
    verdict: Verdict | None = None
    adviser: str = ""  #: The title of the adviser; empty for the package's own verdict.
    opponents: tuple[Opponent, ...] = ()  #: Who was in the hand with the hero, where the hero acts in turn; else empty.
    width: Width | None = None  #: How wide the player's range is after the action; None after a fold.
    continuing: Continuing | None = None  #: Who continues, where the hero acts before the flop.
    tables: StepTables = field(default_factory=StepTables, repr=False)
    deals: int = DEALS  #: From which the hero's equity against several opponents is drawn.

    @cached_property
    def before(self) -> WeightTable:
        """The player's table before the action."""
        return self._table(self.observation.prior)

    @cached_property
    def after(self) -> WeightTable:
        """The player's table after the action."""
        return self._table(self.observation.posterior)

    def _table(self, weights: Floats) -> WeightTable:
        seen = self.observation
        return self.tables.table(weights, seen.dead, seen.decision.board, seen.exponent)

    @cached_property
    def triple(self) -> tuple[float, float, float] | None:
        """The reader's forecast for the player's true holding: fold, call, raise.

        None where the cards are not known, or the action was not judged by that.
        """
        if self.observation.expected is None or self.judgement is None:
            return None
        return self.observation.expected.with_holding(holding_index(self.judgement.holding))

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The reader's evidence, and the probability of the true holding."""
        observation = self.observation
        found = [Fact("reason", "", observation.reason), *observation.facts()]
        if (judged := self.judgement) is not None:
            value = {
                "holding": judged.holding,
                "probability": judged.probability,
                "uniform": judged.uniform,
                "bits_gained": judged.bits_gained,
                "rank": judged.rank,
                "triple": None if self.triple is None else list(self.triple),
            }
            found.append(Fact("true_holding", "held", value, "judgement"))
        if not self.adviser and self.price is not None:
            value = self.price.to_dict() | ({"continuing": self.continuing.to_dict()} if self.continuing else {})
            found.append(Fact("price", observation.decision.player, value, "price"))
        return tuple(found)

    @property
    def changed(self) -> bool:
        """Whether the action changed the table, and there are two tables to compare."""
        return self.observation.reweighted and self.before.possible and self.after.possible

    @cached_property
    def changes(self) -> Floats | None:
        """How much more or less probable a holding of every class has become, in bits."""
        if not self.changed:
            return None
        possible = self.after.grid_combos().ravel() > 0
        found: Floats = np.where(possible, class_changes(self.after, self.before), np.nan)
        return found

    @property
    def shape(self) -> RangeShape | None:
        """The shape of the range after the action; None without holdings."""
        return self.shape_of(self.after)

    def shape_of(self, table: WeightTable) -> RangeShape | None:
        """The shape of a table of the hand on the board of the action; computed once for all steps."""
        return self.tables.shape(table, self.observation.decision.board)

    @cached_property
    def price(self) -> Price | None:
        """The price of a call for the hero, and the equity of their hand against all ranges without further bets.

        None where it is not the hero who acts, or where no holding of an opponent is left.
        """
        if not self.opponents or self.judgement is None or not all(each.table.total for each in self.opponents):
            return None
        decision = self.observation.decision
        tables = {each.name: each.table for each in self.opponents}
        high, low = card_indices(self.judgement.holding)
        seed = np.random.SeedSequence(0, spawn_key=(decision.index,))
        try:
            return Price.of(decision.situation, (high, low), tables, seed, trials=self.deals)
        except ValueError:  # no holding of theirs is possible beside the hero's cards
            return None

    @property
    def loss(self) -> float | None:
        """The loss of the hero's action against the best one; None without a value.

        In small bets, or big blinds where bets have sizes.
        """
        return None if self.verdict is None else self.verdict.loss

    @property
    def recommended(self) -> str | None:
        """The action that the adviser recommends, as at the table; None where it recommends none."""
        if self.verdict is None or self.verdict.recommended is None:
            return None
        return self.observation.decision.situation.act_names[self.verdict.recommended[0]]

    @property
    def reason(self) -> str:
        """Why, in words: a program's reason, or what actions are worth."""
        verdict, situation = self.verdict, self.observation.decision.situation
        if verdict is None or not verdict.acts:
            return "" if verdict is None else verdict.reason
        worths = [
            f"{situation.act_names[each.act]} {each.ev:+.2f}" + (f" ± {each.error:.2f}" if each.error else "")
            for each in verdict.acts
        ]
        unit = "small bets" if situation.spec.structure.fixed else "big blinds"
        found = f"; {verdict.found}" if verdict.found else ""
        return f"{unit} expected, ± 95%: {', '.join(worths)}{found}"

    def to_dict(self, *, weights: bool = False, ranges: bool = True) -> dict[str, Any]:
        """The step as plain data for JSON.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the action, by index, as ``weights``.
        ranges : bool
            Add the range after the action as text and as a grid, as ``range`` and ``grid``, and what it is like:
            ``top_hands`` and ``composition``; where the hero acts, the same of their ``opponents``. They
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
            "acted": opponent.width is not None,
            **(_NO_WIDTH if opponent.width is None else opponent.width._asdict()),
            **(dict.fromkeys(_SHAPE) if shape is None else shape.to_dict()),
        }

    def without_table(self) -> dict[str, Any]:
        """The step as `to_dict` has it, but for the player's table."""
        decision = self.observation.decision
        situation = decision.situation
        advice = None
        if self.verdict is not None and self.recommended is not None:
            advice = {"action": self.recommended, "reason": self.reason, **self.verdict.to_dict()}
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
            "entropy_bits_before": self.before.entropy_bits(),
            "entropy_bits": self.after.entropy_bits(),
            **(_NO_WIDTH if self.width is None else self.width._asdict()),
            "mu_unit": "milli small bets" if situation.round == 0 else "effective hand strength",
            "reweighted": self.observation.reweighted,
            "advice": advice,
        }


@lru_cache(64)  # a board is there for several acts
def _board_text(board: tuple[int, ...]) -> str:
    return cards_text(board)


def steps_of(
    hand: Hand,
    session: OpponentModeler,
    hero: str | None,
    advisers: Advisers,
    *,
    seed: int,
    deals: int,
    verdicts: bool | Mapping[int, Verdict],
) -> Iterator[Step]:
    """Replay a hand, reading each action.

    The session is at the beginning of the hand, with the hero's cards where it is to know them. Without `verdicts`,
    equities against several opponents are drawn from `deals`. Those that are given are not worked out.
    """
    tables, before = StepTables(), list[Decision]()
    for decision in hand.replay():
        situation = decision.situation
        seat = situation.seat
        verdict, title, continuing = None, "", None
        opponents: tuple[Opponent, ...] = ()
        if situation.player == hero and not decision.out_of_turn:
            spot = session.spot(situation).held(hand.holdings[seat])
            opponents = tuple(
                [
                    Opponent(hand.players[other], tables.table(*spot.seen_of(other)), session.width(other))
                    for other in situation.active
                    if other != seat
                ]
            )
            if situation.round == 0 and decision.act in situation.legal and spot.reader is not None:
                continuing = Continuing.of(spot, decision.act, decision.to, np.random.SeedSequence(decision.index))
            text, name, title = advisers.named(spot)
            chosen = decision.act in situation.legal and len(situation.legal) > 1
            if name == "verdict" and not isinstance(verdicts, bool):
                verdict = verdicts.get(decision.index)
            elif name != "verdict" or (verdicts and chosen):
                rng = np.random.SeedSequence(seed, spawn_key=(decision.index,))
                try:
                    verdict = judged(advisers[text], session, before, decision, hand.holdings[seat], rng)
                except ValueError:
                    if name != "verdict":
                        raise
                    # no holding of an opponent is left: there is the price alone
        observation = session.observe(decision)
        before.append(decision)
        judgement = None
        if (holding := hand.holdings.get(seat)) is not None:
            seen = observation
            after = tables.table(seen.posterior, seen.dead, situation.board, seen.exponent)
            judgement = Judgement.of(after, holding)
        width = None if decision.act == Act.FOLD else session.width(seat)
        deals_now = deals if verdict is None else DEALS
        yield Step(observation, judgement, verdict, title, opponents, width, continuing, tables, deals_now)
