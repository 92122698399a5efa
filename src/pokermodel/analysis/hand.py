"""A hand read step by step: what the modeler made of each action, as data.

A `HandReport` is complete: a renderer needs no session, and two pages of it cannot differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.frames import to_frame
from pokermodel.analysis.equities import Equities, equities_of
from pokermodel.analysis.moments import Moment, moments_of
from pokermodel.analysis.range import RangeShape, holding_groups
from pokermodel.analysis.step import Step, steps_of
from pokermodel.cards import cards_text, holding_text
from pokermodel.game import ROUNDS, Hand
from pokermodel.histories import DECISION_COLUMNS, decision_rows
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.width import Width
from pokermodel.weights import WeightTable
from pokermodel.worth.adviser import Advisers
from pokermodel.worth.price import Price
from pokermodel.worth.worth import Verdict

__all__ = ["STEP_COLUMNS", "Findings", "HandReport", "StepFindings", "read_hand"]

_MENTIONED = 2  # opponents of whom a headline says something
_TRIALS = 100_000  # deals of an equity against several opponents where a price stands alone

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


class StepFindings(NamedTuple):
    """Additions of a page to a step."""

    #: `before`, `after`: of the player's tables; before the act only where it is their first one, since later it is
    #: known.
    before: RangeShape | None
    after: RangeShape | None
    price: Price | None  #: As `Step.price` has it.
    #: Of the hero's opponents who have acted, the last two.
    opponents: tuple[tuple[str, Width, RangeShape | None], ...]

    @classmethod
    def of(cls, step: Step, *, first: bool = True) -> Self:
        """Work it out, given whether the act is the player's first one."""
        acted = [(each, each.width) for each in step.opponents if each.width is not None][-_MENTIONED:]
        opponents = [(each.name, width, step.shape_of(each.table)) for each, width in acted]
        before = RangeShape.of(step.before, ()) if first else None
        return cls(before, step.shape, step.price, tuple(opponents))


@dataclass(frozen=True, eq=False, slots=True)
class Findings:
    """Additions of a page to the report of a hand, computed once."""

    start: int  #: The moment to look at first: after the act of `HandReport.key_step`, or the first one.
    steps: tuple[StepFindings, ...]
    #: By board, what each holding is with it, as `holding_groups` has it.
    groups: dict[tuple[int, ...], NDArray[np.int8]]
    equities: dict[int, Equities | None] = field(default_factory=dict)  #: By moment, for those that were asked for.


@dataclass(frozen=True, eq=False)
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
        The reading of each action.
    moments : tuple of Moment
        The table before the first action, after each, at streets dealt after an all-in, and at the end.
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

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The table, moment by moment. Computed on demand, since only pages show it."""
        return tuple(moments_of(self.hand, [step.observation.decision for step in self.steps]))

    def findings(self, moments: Iterable[int] | None = None) -> Findings:
        """Additions of a page to the report, computed on demand and cached.

        Parameters
        ----------
        moments : iterable of int, optional
            The moments with equities; by default the most important one.
        """
        found = self._findings
        if moments is not None:
            for step in self.steps:  # a page draws nothing that is not worked out
                _ = step.changes
        for moment in (found.start,) if moments is None else moments:
            if moment not in found.equities:
                found.equities[moment] = self.equities(moment)
        return found

    @cached_property
    def _findings(self) -> Findings:
        key = self.key_step
        boards = {each.board: None for each in self.moments if each.board}
        seats = [step.observation.decision.seat for step in self.steps]
        for step in self.steps:
            _ = step.facts
        steps = [
            StepFindings.of(step, first=seats.index(seat) == k)
            for k, (step, seat) in enumerate(zip(self.steps, seats, strict=True))
        ]
        return Findings(
            0 if key is None else key + 1,
            tuple(steps),
            {board: holding_groups(board) for board in boards},
        )

    @classmethod
    def of(
        cls,
        hand: Hand,
        modeler: OpponentModeler,
        hero: str | None = None,
        *,
        seed: int = 0,
        deals: int | None = None,
        verdicts: bool | Mapping[int, Verdict] = True,
    ) -> Self:
        """Read a hand.

        The true holdings are only compared with the tables; they never enter them, save for the hero's, which a
        model that is not public takes out of the tables of the other players.

        Parameters
        ----------
        modeler : OpponentModeler
            Reads it; what it learns stays with it.
        hero : str, optional
            Name of the player to advise.
        seed : int
            Of the advisers' draws: the same one makes the same report.
        deals : int, optional
            Deals that the hero's equity against several opponents is drawn from, where there is no verdict. Default:
            100,000. Of many hands, they take longer than everything else.
        verdicts : bool or mapping of int to Verdict
            Whether the package's own verdict on the hero's decisions is worked out, which takes some tenths of a second
            each. Otherwise there is the price of a call alone. Or those that are known, by `Decision.index`.

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
        options = {}
        if verdicts is True:
            from pokermodel.analysis.rakes import rake_of  # it needs play-outs, and most readings do not

            options["verdict"] = {"rake": rake_of(hand)}
        modeler.start(hand.players)
        if hero is not None and sees_hero:
            modeler.hold(hand.holdings[hand.players.index(hero)])
        kept = modeler.folded_tables
        # a simulation asks for what players who folded can hold; the next hand keeps it only if it is asked to
        modeler.folded_tables = kept or hero is not None
        try:
            found = steps_of(
                hand, modeler, hero, Advisers(options), seed=seed, deals=deals or _TRIALS, verdicts=verdicts
            )
            steps = tuple(found)
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
        """The largest `loss` of a step; None if actions are not valued."""
        return max((step.loss for step in self.steps if step.loss is not None), default=None)

    @property
    def key_step(self) -> int | None:
        """The most important action: the index of its step; None without actions.

        The hero's most expensive action: by the adviser's loss or, without any loss, by the chips put in. Without a
        hero it is the last action of a player who showed their cards at the showdown, or else the last action.
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
        """The equities of the players in the hand at a moment, if there are no more bets. Computed on demand.

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
        tables: list[WeightTable | None] = [None] * len(self.hand.players)
        for step in self.steps[:moment]:
            tables[step.observation.decision.seat] = step.after
        held = {}
        if 0 < moment <= len(self.steps):
            last = self.steps[moment - 1]
            if last.price is not None:  # one number for one thing
                held[last.observation.decision.seat] = last.price.against_all
        return equities_of(self.hand, now, moment, tables, self.hero, held=held, deals=self.deals)

    def to_dict(self, *, weights: bool = False, ranges: bool = True) -> dict[str, Any]:
        """The whole report as plain data for JSON.

        ``pot``, ``uncalled``, ``rake`` (None if it is not stated) and of each player ``net`` and ``all_in_ev`` are in
        the money of the source, after the rake; ``payoff`` is in chips by the rules, before it.

        Parameters
        ----------
        weights, ranges : bool
            Additions to every step, as `Step.to_dict` has them.
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

        Amounts are in the money of the source, and times in UTC. `library` and errors are those of
        `WeightTable.to_frame`.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the action, by index, as a column ``weights`` of arrays.
        """
        columns = [*STEP_COLUMNS, *(["weights"] if weights else [])]
        return to_frame(self.rows(1, weights=weights), columns, library)


def read_hand(
    hand: Hand, *, model: str = "adaptive", book: Mapping[str, Any] | None = None, hero: str | None = None
) -> HandReport:
    """Read a hand: what every player can hold after each action, and why.

    Parameters
    ----------
    model : str
        The reader, as ``"adaptive"`` or ``"loki2:som?noise=.4"``.
    book : Book or mapping of str to ActionCounts, optional
        The knowledge of the players.
    hero : str, optional
        A player whose cards are known. Their own actions get a verdict.

    Returns
    -------
    HandReport
        The output of ``pokermodel read``: `HandReport.to_dict` is its JSON.

    Raises
    ------
    ValueError
        If there is no such reader, or the hand has no player of that name, or their cards are not known.

    Examples
    --------
    >>> import pokermodel as pm
    >>> report = read_hand(pm.example_hand())
    >>> report.steps[11].observation.decision.player, round(report.steps[11].width.share, 2)
    ('Farid', 0.07)
    """
    return HandReport.of(hand, OpponentModeler(model, book, hero=hero), hero)
