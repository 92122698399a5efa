"""A coach: what the others can hold in the eyes of a player, what the player's acts are worth, and what an act cost.

In limit, acts after the flop are simulated as in a `HandReport`; before it, Loki-1's rules say what they would do, and
no cost is worked out. Where bets have sizes, acts are worth what `pokermodel.worth.verdict` says. Of an act that
leaves the others a price which nobody has been seen to answer, no cost is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokermodel.cards import cards_text
from pokermodel.classics.loki1.player import Recommendation
from pokermodel.classics.simulation import Advice as SimulationAdvice
from pokermodel.classics.simulation import Simulator
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import Answer, View
from pokermodel.weights import WeightTable
from pokermodel.worth.adviser import Advice, Adviser, Cost, Worth
from pokermodel.worth.advisers import make_adviser
from pokermodel.worth.myopic import MyopicAdvice, MyopicAdviser
from pokermodel.worth.worth import Verdict

__all__ = ["Coach", "Cost", "Judged", "Opinion", "Seen", "Worth"]


_TRIALS = 2000


@dataclass(frozen=True, eq=False, slots=True)
class Opinion:
    """What a coach thinks of a decision.

    Attributes
    ----------
    situation : Situation
        What the player faces.
    myopic : MyopicAdvice
        What acts are worth if nobody bets any more.
    advice : Advice
        What the adviser says whom the coach goes by.
    """

    situation: Situation
    myopic: MyopicAdvice
    advice: Advice

    @property
    def simulation(self) -> SimulationAdvice | None:
        """What a simulation found, if it advises."""
        return self.advice if isinstance(self.advice, SimulationAdvice) else None

    @property
    def verdict(self) -> Verdict | None:
        """What a verdict says, if it advises."""
        return self.advice if isinstance(self.advice, Verdict) else None

    @property
    def rule(self) -> Recommendation | None:
        """What rules would do, if they advise: they do not say what acts are worth."""
        return self.advice if isinstance(self.advice, Recommendation) else None

    @property
    def acts(self) -> tuple[Worth, ...]:
        """What each act is worth: fold, check or call, bets or raises by rising size.

        By the adviser, or if it does not say that, as if nobody bet any more.
        """
        return self.advice.worths or self.myopic.worths

    def cost(self, answer: Answer) -> Cost | None:
        """What an act costs; None where no cost is worked out.

        Raises
        ------
        ValueError
            If it is not one of `acts`.
        """
        return self.advice.cost(answer.act, answer.to)

    def judge(self, answer: Answer) -> Judged:
        """Say of an act what it is worth and what it costs.

        Raises
        ------
        ValueError
            If it is not one of `acts`.
        """
        cost = self.cost(answer)
        ev = None
        if cost is not None:
            ev = next(
                each.ev for each in self.acts if each.act == answer.act and (answer.to is None or each.to == answer.to)
            )
        return Judged(self, answer.act, answer.to, ev, cost)


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """An act beside what a coach thinks of the decision.

    Attributes
    ----------
    opinion : Opinion
    act : Act
    to : int or None
        What a bet or raise goes to, where the player said so.
    ev : float or None
        What the act is worth, as `Opinion.acts` says; None where there is no cost.
    cost : Cost or None
        As `Opinion.cost` says.
    """

    opinion: Opinion
    act: Act
    to: int | None
    ev: float | None
    cost: Cost | None

    @property
    def close(self) -> bool:
        """Whether it is too close to call, by a verdict: it counts for nothing then."""
        verdict = self.opinion.verdict
        return verdict is not None and verdict.close(self.act, self.to)


@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What an opponent can hold, in the eyes of the player who is coached.

    Attributes
    ----------
    name : str
        Of the opponent.
    table : WeightTable
    equity : float
        The share of the pot that the player's holding wins against it.
    """

    name: str
    table: WeightTable
    equity: float


class Coach:
    """Follows the hands of a player.

    Parameters
    ----------
    player : str
        Whom it coaches.
    book : Book or mapping of str to ActionCounts, optional
        What it knows of everybody before.
    seed : int
        Of what it draws.
    """

    def __init__(self, player: str, book: Mapping[str, Any] | None = None, *, seed: int = 0) -> None:
        self.player = player
        self.seed = seed
        self.session = OpponentModeler("adaptive", book, hero=player, folded_tables=True)
        self._myopic = MyopicAdviser()
        # a price recommends nothing: where bets have sizes, the coach goes by the answers to them
        self._options: dict[str, dict[str, Any]] = {
            "simulation": {"simulator": Simulator(stop="none"), "trials": _TRIALS},
        }
        self._advisers: dict[str, Adviser] = {"price": self._myopic}
        self._hands = 0
        self._kept: tuple[Situation, Opinion] | None = None

    def begin(self, players: Sequence[str], holding: tuple[int, int]) -> None:
        """A hand begins, in which the player has these cards."""
        self.session.start(players)
        self.session.hold(holding)
        for adviser in self._advisers.values():
            adviser.begin()
        self._hands += 1
        self._kept = None

    def observe(self, decision: Decision) -> None:
        """See an act."""
        self.session.observe(decision)

    def end(self, hand: Hand) -> None:
        """Learn from the hand that it followed."""
        self.session.learn(hand)

    def learn(self, hand: Hand) -> None:
        """Learn from a hand that the player was not in."""
        self.session.learn(hand)

    def table(self, player: str, board: tuple[int, ...]) -> WeightTable:
        """What a player can hold, in the eyes of the one who is coached, on the board as it is now."""
        self.session.deal(board)
        return self.session.table(player)

    def seen(self, player: str, view: View) -> Seen:
        """What an opponent can hold at a decision of the player, and how the player's holding does against it."""
        table = self.table(player, view.board)
        return Seen(player, table, float(equity([cards_text(view.holding), table], view.board).equity[0]))

    def opinion(self, view: View, also: Iterable[int] = ()) -> Opinion:
        """What it thinks of a decision: the same however often it is asked.

        Parameters
        ----------
        view : View
            The player's decision.
        also : iterable of int
            What further bets and raises go to, where they have sizes.
        """
        situation = view.situation
        wanted = () if situation.spec.structure.fixed else tuple(also)
        if self._kept is not None and self._kept[0] is situation:
            kept = self._kept[1]
            if set(wanted) <= {each.to for each in kept.myopic.acts}:
                return kept
        seed = np.random.SeedSequence(self.seed, spawn_key=(self._hands, view.index))
        spot = self.session.spot(view).held(view.holding, view.state)
        myopic = self._myopic.advise(spot, seed, also=wanted)
        adviser = self._adviser(self.session.reader.adviser(situation))
        advice = myopic if adviser is self._myopic else adviser.advise(spot, seed, also=wanted)
        found = Opinion(situation, myopic, advice)
        self._kept = situation, found
        return found

    def _adviser(self, text: str) -> Adviser:
        found = self._advisers.get(text)
        if found is None:
            found = self._advisers[text] = make_adviser(text, **self._options.get(text, {}))
        return found
