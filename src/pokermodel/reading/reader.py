"""What a reader is: it says what an act tells about the holding behind it.

A session (`pokermodel.reading.OpponentModeler`) follows a hand: seats, board, and a weight for each of the 1,326
holdings of every player. A `Reader` gives it, for every situation, the probability of each act with each holding.
Bayes' rule and everything else stand in the session, so that a new reader is one class with one method::

    class Cautious(Reader):
        def expect(self, spot):
            ...
            return Expectation.of(triples, spot.weights)

All that it goes by is pushed to it: a `Spot` has the situation, its features, everybody's weights and the board. A
reader asks nobody, and can be tried without a session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from pokermodel._core import reweighting
from pokermodel._support.arrays import Floats
from pokermodel._support.records import Record
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading.features import Features
from pokermodel.reading.posterior import posterior

if TYPE_CHECKING:
    from pokermodel._core.play_outs import Actors
    from pokermodel.reading.observation import Observation
    from pokermodel.reading.spot import Spot
    from pokermodel.reading.strategies import Strategies, StrategyNode

__all__ = ["Choice", "Detail", "Expectation", "Fact", "Reader", "Reading", "Update"]


class Fact(NamedTuple):
    """Something that a report says.

    Attributes
    ----------
    key : str
        Its name in JSON.
    label : str
        What it is, in words.
    value : object
        Plain data: text, a number, or lists and dictionaries of them.
    kind : str
        How it is shown: "text", "number", "count", "share", "acts" (probabilities of fold, call and raise), or a kind
        that `pokermodel.report` knows besides.
    """

    key: str
    label: str
    value: Any
    kind: str = "text"


#: How facts are made that every act has: in half of the time that the class takes.
_made = tuple.__new__


class Detail(Protocol):
    """What a reader went by when it judged an act; it can say so."""

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """What it went by, for reports."""


class Choice(NamedTuple):
    """One of the actions of a strategy.

    Attributes
    ----------
    act : Act
    size : int or None
        The class of the size of a bet or raise, as an index of `pokermodel.reading.SIZE_CLASSES`; None where there is
        none to choose.
    """

    act: Act
    size: int | None = None


#: The actions where sizes are not free.
_TRIPLE = (Choice(Act.FOLD), Choice(Act.CALL), Choice(Act.RAISE))


@dataclass(frozen=True, eq=False, slots=True)
class Expectation(Record):
    """What a reader expects of a player in a situation: a strategy, with what is forecast by it.

    A person's habits and the answer of a solver are the same thing: for a situation with its list of actions, the
    probability of each with each holding. Choice and size are factors of it, kept apart because readers know them
    apart and their log-losses add; `strategy` is their product, and `triples` its view without sizes, by which the
    classics go. The alternative, one array from the beginning, would have every reader of limit carry sizes that there
    are not, and work them out for every act.

    Parameters
    ----------
    given : ndarray of float64, shape (1326, 3), or callable
        The `triples`, or what works them out when somebody asks.
    predicted : ndarray of float64, shape (3,)
        Their mean by the player's weights: the forecast of the act.
    """

    given: Floats | Callable[[], Floats]
    predicted: Floats

    def __reduce__(self) -> tuple[Any, ...]:
        _ = self.triples  # what works them out cannot be pickled
        return Record.__reduce__(self)

    @property
    def triples(self) -> Floats:
        """Probability of fold, call and raise with each holding: float64 (1326, 3), nan where it is not possible."""
        found = self.given
        if callable(found):
            found = found()
            object.__setattr__(self, "given", found)
        return found

    def with_holding(self, holding: int) -> tuple[float, float, float]:
        """The triple of one holding, given by its index."""
        fold, call, raise_ = self.triples[holding].tolist()
        return fold, call, raise_

    @property
    def size_shares(self) -> Floats | None:
        """Of a bet or raise, the probability of each class of sizes with each holding: float64 (1326, sizes).

        nan where a holding is not possible. None where the size is not free, or the reader says nothing of sizes.
        """
        return None

    @property
    def actions(self) -> tuple[Choice, ...]:
        """The actions of the strategy, in the order of its columns."""
        shares = self.size_shares
        if shares is None:
            return _TRIPLE
        return (*_TRIPLE[:2], *(Choice(Act.RAISE, size) for size in range(shares.shape[1])))

    @property
    def strategy(self) -> Floats:
        """Probability of each action with each holding: float64 (1326, actions), nan where it is not possible."""
        triples, shares = self.triples, self.size_shares
        if shares is None:
            return triples
        return np.concatenate([triples[:, :2], triples[:, 2:] * shares], axis=1)

    @classmethod
    def of(cls, triples: Floats, weights: Floats, **more: Any) -> Self:
        """The expectation that follows from triples and a player's weights.

        Parameters
        ----------
        triples : ndarray of float64, shape (1326, 3)
            As the attribute.
        weights : ndarray of float64, shape (1326,)
            The player's, with a positive sum.
        **more
            Further attributes of a subclass.
        """
        predicted = np.empty(3)
        reweighting.mean_triple(np.ascontiguousarray(weights), np.ascontiguousarray(triples), predicted)
        return cls(triples, predicted, **more)

    @classmethod
    def alike(cls, chances: Sequence[float] | Floats) -> Self:
        """The expectation of a reader that expects the same acts with every holding: float (3,)."""
        predicted = np.asarray(chances, dtype=np.float64)
        return cls(np.broadcast_to(predicted, (N_HOLDINGS, 3)), predicted)

    def posterior(self, weights: Floats, act: Act, least: float = 0.0) -> Floats:
        """A player's weights after an act, as `pokermodel.reading.posterior` has them: float64 (1326,)."""
        return posterior(weights, self.triples[:, act], least)

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """The forecast, for reports: as corrected by earlier hands, where it is."""
        corrected = observation.corrected_forecast
        predicted = self.predicted if corrected is None else corrected
        return [_made(Fact, ("predicted", "predicted by the table", predicted.tolist(), "acts"))]


class Update(NamedTuple):
    """What a reader makes of an act.

    Attributes
    ----------
    weights : ndarray of float64, shape (1326,), or None
        The player's weights after it; None where they stay as they are.
    reason : str
        Why, in words.
    detail : Detail or None
        What the reader went by.
    """

    weights: Floats | None
    reason: str
    detail: Detail | None = None


class Reading(NamedTuple):
    """What a reader says around an act.

    Attributes
    ----------
    predicted : ndarray of float64, shape (3,), or None
        How likely a fold, a call and a raise were before it; None of a reader that does not predict acts.
    sizes : ndarray of float64, shape (7,), or None
        Of a bet or raise whose size was free, how likely each class of sizes was before it.
    update : Update
        What the reader makes of the act.
    """

    predicted: Floats | None
    sizes: Floats | None
    update: Update


class Reader:
    """Base class of readers. Only `expect` must be there.

    A session calls, for each hand, `start`; for each act `count`, if it learns act by act, and `judge`; and whenever
    somebody asks, `expect`. Where each act is forecast and then judged, and none counted, it calls `step`, which does
    both. From finished hands it calls `learn`, and `learn_shown` before, if it learns from holdings that were shown.
    What outlives a hand is learnt in `count`, `learn` and `learn_shown` alone.

    Attributes
    ----------
    public_tables : bool
        Whether tables come from public information alone. If not, the hero's cards are ruled out in the tables of the
        other players.
    infers_holdings : bool
        Whether the reader says anything of holdings. If not, tables stay uniform and are not scored.
    predicts_acts : bool
        Whether it forecasts acts. If not, forecasts are None and not scored.
    reads_folds : bool
        Whether the table of a player who folded says what they folded.
    learns : bool
        Whether it learns players one by one.
    learns_shown : bool
        Whether it learns from holdings that were shown, in hands that a session has followed.
    adviser_titles : mapping of str to str
        The titles of the advisers that it names, where they differ from the usual ones.
    least_weight : float
        No possible holding's weight falls below this share of the largest.
    reads_sizes : bool
        Whether it reads games in which bets have sizes: pot limit and no limit. Otherwise limit alone.
    """

    public_tables: ClassVar[bool] = True
    infers_holdings: ClassVar[bool] = True
    predicts_acts: ClassVar[bool] = True
    reads_folds: bool = True
    learns: bool = False
    learns_shown: bool = False
    adviser_titles: ClassVar[Mapping[str, str]] = {}
    least_weight: ClassVar[float] = 0.0
    reads_sizes: ClassVar[bool] = False

    @property
    def learns_acts(self) -> bool:
        """Whether `count` does anything. Where it does not, a session need not follow hands that nobody asks about."""
        return type(self).count is not Reader.count

    @property
    def follows_hands(self) -> bool:
        """Whether it keeps something of a hand from act to act: whether `start` or `note` does anything."""
        return type(self).start is not Reader.start or type(self).note is not Reader.note

    def adviser(self, situation: Situation) -> str:
        """The adviser that goes by what this reader knows in a situation: a text for `make_adviser`.

        The package's own verdict, unless a program with a reader of its own names another one. It plays few deals out,
        since a reader without `actors` is asked at every decision of each.
        """
        return "verdict?fast=1&deals=256"

    def start(self, players: tuple[str, ...]) -> None:
        """Begin a hand of these players, by seat."""

    def prior(self, player: str) -> Floats | None:
        """Weights of a player before any act: float64 (1326,), or None for a uniform table."""
        return None

    def expect(self, spot: Spot) -> Expectation:
        """What a player does in a situation with each holding.

        Parameters
        ----------
        spot : Spot
            The situation, and what is known in it.

        Returns
        -------
        Expectation
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it expects")

    def choices(self, spot: Spot) -> Floats:
        """The `triples` of `played_out`, for play-outs that ask for very many: float64 (1326, 3)."""
        return self.played_out(spot).triples

    def played_out(self, spot: Spot) -> Expectation:
        """What play-outs go by: `expect`, or what of it does not depend on ranges, which they do not follow."""
        return self.expect(spot)

    def expected(self, spot: Spot) -> Expectation:
        """Return what `expect` says of a spot, worked out once however often it is asked for."""
        found: Expectation | None = spot.said.get(self)
        if found is None:
            found = spot.said[self] = self.expect(spot)
        return found

    def predict(self, spot: Spot) -> Floats:
        """How likely a player folds, calls and raises: float64 (3,)."""
        return self.expected(spot).predicted

    def predict_sizes(self, spot: Spot) -> Floats:
        """How likely each size of a bet or raise is, if there is one: float64 (7,), 0 where there is no room for it.

        The classes of sizes are `pokermodel.reading.SIZE_CLASSES`. Asked of readers that read sizes, in games that have
        them, where a raise is legal.
        """
        raise NotImplementedError(f"{type(self).__name__} says nothing of sizes")

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """What an act says of the player's holding.

        Parameters
        ----------
        spot : Spot
            What the player faced.
        act : Act
            What they did.
        put_in : int
            Chips that the act put in.

        Returns
        -------
        Update
            By Bayes' rule. An act that the rules did not offer says nothing, nor does a fold where the reader does not
            read folds.
        """
        situation = spot.situation
        name = situation.act_names[act]
        if act not in situation.legal:
            return Update(None, f"a {name} that the rules did not offer: says nothing")
        if act == Act.FOLD and not self.reads_folds:
            return Update(None, "a fold: the table is dropped")
        return self.bayes(spot, act, self.judged_by(spot))

    def judged_by(self, spot: Spot) -> Expectation:
        """What an act is judged by: `expected`, or less of it where the choice of an act needs less."""
        return self.expected(spot)

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """Forecast an act that the rules offered, and judge it: `predict`, `predict_sizes` and `judge` in one call.

        A reader overrides it where the three have work in common. What it returns must be what they would, in arrays
        that nobody writes to any more, and the forecasts must not depend on what was done.

        Parameters
        ----------
        spot : Spot
            What the player faced.
        decision : Decision
            What they did, in turn.

        Returns
        -------
        Reading
        """
        predicted = sizes = None
        if self.predicts_acts:
            predicted = np.array(self.predict(spot), dtype=np.float64)  # all may be made in one place
            if decision.act == Act.RAISE and has_sizes(spot.situation):
                sizes = self.predict_sizes(spot)
        return Reading(predicted, sizes, self.judge(spot, decision.act, decision.put_in))

    def bayes(self, spot: Spot, act: Act, expected: Expectation) -> Update:
        """What an act says by Bayes' rule, given what was expected."""
        weights = expected.posterior(spot.weights, act, self.least_weight)
        return Update(weights, bayes_reason(spot.situation, act), expected)

    def note(self, decision: Decision, update: Update) -> None:
        """Take note of an act that was judged. `judge` itself changes nothing: it is also asked about acts imagined."""

    def fold_likelihoods(self, spot: Spot) -> Floats:
        """Probability of a fold with each holding: float64 (1326,), 0 where nothing is known.

        A simulation asks it for the cards of players who folded, where the reader does not read folds.
        """
        return np.nan_to_num(self.expected(spot).triples[:, Act.FOLD])

    def strategies(self, player: str, nodes: Sequence[StrategyNode]) -> Strategies | None:
        """What a player does at many nodes of a tree, on any board.

        Parameters
        ----------
        player : str
        nodes : sequence of StrategyNode
            After the flop, at all of which this player acts.

        Returns
        -------
        Strategies or None
            None, the default, where there is no quicker way than `expect`.
        """
        return None

    def actors(self, spot: Spot) -> Actors | None:
        """Everybody at the table, as compiled play-outs take them: by what is known of them now.

        Returns
        -------
        pokermodel._core.play_outs.Actors or None
            None, the default, where `expect` has to be asked at every decision of a play-out.
        """
        return None

    def observations(self, player: str, nodes: Sequence[StrategyNode]) -> Floats | None:
        """How many acts of a player stand behind what is expected of them at some nodes: float64 (n,).

        Returns
        -------
        ndarray or None
            None, the default, of readers that do not say so.
        """
        return None

    def count(self, decision: Decision, features: Features) -> None:
        """Learn how often a player does what from one act, which was done in turn."""

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn from a finished hand what can only be learnt from the whole of it; `decisions` is its replay."""

    def learn_shown(self, hand: Hand, tables: Sequence[Floats]) -> None:
        """Learn from the holdings that were shown in a finished hand; `hand` knows no others.

        Parameters
        ----------
        hand : Hand
        tables : sequence of ndarray of float64, each of shape (1326,)
            The last weights of each seat, in a session that has followed all acts: `note` was told of each. Called
            where `learns_shown` is set, and before `learn`.
        """


def bayes_reason(situation: Situation, act: Act) -> str:
    """What Bayes' rule makes of an act, in words."""
    name = situation.act_names[act]
    return f"a {name}: each weight is multiplied by the probability of a {name} with that holding"


def has_sizes(situation: Situation) -> bool:
    """Whether the player may bet or raise, and choose how much."""
    return situation.raise_range is not None and not situation.spec.structure.fixed
