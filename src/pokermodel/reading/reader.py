"""The interface of a reader, which infers holdings from actions.

A session (`pokermodel.reading.OpponentModeler`) follows a hand: seats, board, and a weight for each of the 1,326
holdings of every player. A `Reader` gives it, for every situation, the probability of each act with each holding.
Bayes' rule and everything else stand in the session, so that a new reader is one class with one method::

    class Cautious(Reader):
        def expect(self, spot):
            ...
            return Expectation.of(triples, spot.weights)

All that it goes by is pushed to it: a `Spot` has the situation, its features, everybody's weights and the board. A
reader can therefore be tried without a session: a spot is made of a situation and tables. The alternative, to hand over
the session itself, was there before. It made every reader depend on sixty methods, and it was unclear what a reader
looks at. Spot and reader stand in one module because an adviser finds in the spot the reader that it asks for the
opponents' answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike, card_indices, cards_text, holding_index, live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Decision, Hand, Situation, State
from pokermodel.reading.calibration import corrected
from pokermodel.reading.expectation import Detail, Expectation
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.strategies import Strategies, StrategyNode
from pokermodel.reading.tables import HandTables
from pokermodel.weights import WeightTable

if TYPE_CHECKING:
    from pokermodel._core.play_outs import Actors

__all__ = ["Reader", "Reading", "Spot", "Update"]

#: Who reads, the exponent that corrects what is said, and what players who folded can hold, by seat.
_Reads: TypeAlias = "tuple[Reader | None, float, Mapping[int, Floats]]"
#: No cards, and no state, of anybody: those of spots in the eyes of who reads from outside.
_NOBODY: list[Any] = [(), None]


class Spot:
    """A situation, and all that is known in it. Immutable: what a session sees later makes another one.

    Attributes
    ----------
    situation : Situation
        The public state.
    features : Features
        The same as numbers, with the betting before it.
    tables : tuple of ndarray of float64, each of shape (1326,)
        Weights of every seat, before any correction; for a folded player the last ones. Read-only.
    active : tuple of int
        Seats that have not folded.
    analysis : BoardAnalysis or None
        The analysis of the board; None before the flop.
    memo : dict
        A cache of results from these tables; a key begins with the name of its owner.
    forecasts : dict
        A cache of readers' forecasts; see `Reader.expected`.
    streets : dict
        As `HandTables.streets`; see `pokermodel.reading.street`.

    See Also
    --------
    pokermodel.reading.OpponentModeler.spot : makes one of a hand that a session follows.
    """

    __slots__ = (
        *("_acts", "_done", "_hidden", "_own", "_reads", "active", "analysis", "features", "forecasts", "memo"),
        *("situation", "streets", "tables"),
    )

    def __init__(
        self,
        situation: Situation,
        features: Features,
        tables: HandTables,
        acts: list[Decision],
        reads: _Reads = (None, 1.0, {}),
    ) -> None:
        self.situation = situation
        self.features = features
        self.tables = tables.weights
        self.active = tables.active
        self._hidden = tables.hidden
        self.analysis: BoardAnalysis | None = tables.analysis
        self.memo: dict[Any, Any] = tables.memo
        self.streets = tables.streets
        self.forecasts: dict[Any, Any] = {}
        # the list of a hand only grows: so much of it is what had been done, without a copy for every act
        self._acts, self._done = acts, len(acts)
        # what advisers alone ask for stands together: a spot is made for every act
        self._reads = reads
        self._own: list[Any] = _NOBODY

    @classmethod
    def of(cls, decisions: Sequence[Decision], tables: HandTables | None = None, reader: Reader | None = None) -> Self:
        """The spot of the last decision. Without tables, nothing is known of the players.

        Parameters
        ----------
        decisions : sequence of Decision
            The replay of a hand up to it; what was done in the last one is not looked at.
        tables : HandTables, optional
            Of the hand. They see the board of the situation; `ValueError` if they cannot.
        reader : Reader, optional
            The reader of the hand.
        """
        if not decisions:
            raise ValueError("a spot needs a decision to be made: got none")
        *before, last = decisions
        situation = last.situation
        found = HandTables(situation.players) if tables is None else tables
        for decision in before if tables is None else ():
            if decision.act == 0:
                found.fold(decision.seat)
        found.deal(situation.board)
        return cls(situation, _features(situation, before), found, before, (reader, 1.0, {}))

    def __repr__(self) -> str:
        return f"<Spot of {self.situation.player}, {len(self.active)} players in, {self._done} acts before>"

    @property
    def player(self) -> str:
        """The player to act."""
        return self.situation.player

    @property
    def weights(self) -> Floats:
        """Weights of the player to act, before any correction: float64 (1326,). Do not write to them."""
        return self.tables[self.situation.seat]

    @property
    def dead(self) -> tuple[int, ...]:
        """Cards that this table rules out: the board's, and the hero's where it knows them."""
        hero, cards = self._hidden
        board = self.situation.board
        return board + cards if cards and self.situation.player != hero else board

    @property
    def opponents(self) -> list[Floats]:
        """Weights of their opponents that have not folded, each float64 (1326,)."""
        tables, own = self.tables, self.situation.seat
        return [tables[seat] for seat in self.active if seat != own]

    @property
    def acts(self) -> tuple[Decision, ...]:
        """The earlier actions of the hand."""
        return tuple(self._acts[: self._done])

    def at(self, situation: Situation, decisions: Iterable[Decision] = ()) -> Self:
        """The spot of another situation of the same round, with the same tables.

        Parameters
        ----------
        situation : Situation
            For example that of another player, or one after future actions.
        decisions : iterable of Decision
            The future actions, beginning with one of the player to act.
        """
        acts = [*self._acts[: self._done], *decisions]
        other = self._copy()
        other.situation, other.features = situation, _features(situation, acts)
        other._acts, other._done = acts, len(acts)
        return other

    # ---------------------------------------------------------------------------------------- what advisers go by

    def held(self, holding: CardsLike, state: State | None = None) -> Self:
        """The spot in the eyes of the player to act, who knows their two cards.

        A state of the hand may be given, where there is one already; it is not changed. `ValueError` if there are not
        two cards, or one of them is on the board.
        """
        cards = card_indices(holding)
        holding_index(cards)
        if set(cards) & set(self.situation.board):
            raise ValueError(f"{cards_text(cards)} shares a card with the board {cards_text(self.situation.board)}")
        other = self._copy()
        other.features, other.forecasts = self.features, self.forecasts
        other._own = [cards, state]
        return other

    @property
    def reader(self) -> Reader | None:
        """Who reads the hand, for an adviser that asks how the others answer."""
        return self._reads[0]

    @property
    def holding(self) -> tuple[int, ...]:
        """The two cards of the player to act, where they are known by `held`: what an adviser goes by.

        Empty in what a reader is given, who reads from outside.
        """
        cards: tuple[int, ...] = self._own[0]
        return cards

    @property
    def own_cards(self) -> tuple[int, int]:
        """The two cards of the player to act; `ValueError` if they are not known."""
        if not self.holding:
            raise ValueError(f"no advice without the cards of {self.player}: expected spot.held(cards)")
        first, second = self.holding
        return first, second

    def villains(self) -> dict[int, Floats]:
        """Weights of the opponents who are in beside the board and the hero's cards, by seat: float64 (1326,) each.

        `ValueError` if the hero's cards are not known, or an opponent has no holding left.
        """
        own, situation = self.own_cards, self.situation
        live = live_holdings(situation.board + own)
        found = {seat: self.likely(seat) * live for seat in situation.active if seat != situation.seat}
        for seat, weights in found.items():
            if not weights.any():
                words = f"{cards_text(own)} and the board {cards_text(situation.board)}"
                raise ValueError(f"no holding of {situation.players[seat]} is left beside {words}")
        return found

    @property
    def folded(self) -> Mapping[int, Floats]:
        """The ranges of players who folded, by seat, where the session keeps it (`OpponentModeler.folded_tables`)."""
        return self._reads[2]

    @property
    def exponent(self) -> float:
        """The correction of the weights: 1 where nothing does; see `Calibration`."""
        return self._reads[1]

    @property
    def state(self) -> State:
        """The state of the hand: the player is to act. Copy it before you play on."""
        state: State | None = self._own[1]
        if state is None:
            situation = self.situation
            state = State(situation.spec, situation.stacks_before or None)
            for decision in self.acts:
                if decision.out_of_turn:
                    state.leave(decision.seat)
                else:
                    state.act(decision.act, decision.to)
            if self._own is not _NOBODY:
                self._own[1] = state
        return state

    def range(self, seat: int) -> WeightTable:
        """The range of a player, corrected if the session is: board cards are dead, and the hero's if they are known.

        A player who folded has the last table before the fold.
        """
        weights, dead, board, exponent = self.seen_of(seat)
        return WeightTable(corrected(weights, board, exponent), dead=dead)

    def seen_of(self, seat: int) -> tuple[Floats, tuple[int, ...], tuple[int, ...], float]:
        """The parts of `range`: weights before any correction, dead cards, the board, the correction.

        The weights are replaced when the session goes on, and not changed.
        """
        hero, cards = self._hidden
        board = self.situation.board
        dead = board + cards if cards and self.situation.players[seat] != hero else board
        return self.tables[seat], dead, board, self._reads[1]

    def likely(self, seat: int) -> Floats:
        """The weights of `range`, without what cards rule out since a player folded: float64 (1326,)."""
        return corrected(self.tables[seat], self.situation.board, self._reads[1])

    def ranges(self) -> list[Floats | None]:
        """Weights of every seat, each float64 (1326,), for a simulation: those of `range`, and of players who folded.

        The table of a player who folded is the last one they had, times the probability that they fold with each
        holding, unless they left out of turn; None where nothing is known, and if the session does not keep it.
        """
        active, folded = frozenset(self.active), self.folded
        seats = range(len(self.tables))
        return [np.array(self.range(seat).values) if seat in active else folded.get(seat) for seat in seats]

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        other.situation = self.situation
        other.tables, other.active, other.analysis, other.memo = self.tables, self.active, self.analysis, self.memo
        other.streets = self.streets
        other._hidden, other.forecasts, other._own, other._reads = self._hidden, {}, _NOBODY, self._reads
        other._acts, other._done = self._acts, self._done
        return other


class Update(NamedTuple):
    """A reader's result for an action.

    Attributes
    ----------
    weights : ndarray of float64, shape (1326,), or None
        The player's weights after it; None where they stay as they are.
    reason : str
        Why, in words.
    detail : Detail or None
        The reader's evidence.
    """

    weights: Floats | None
    reason: str
    detail: Detail | None = None


class Reading(NamedTuple):
    """A reader's results around an action.

    Attributes
    ----------
    predicted : ndarray of float64, shape (3,), or None
        How likely a fold, a call and a raise were before it; None of a reader that does not predict acts.
    sizes : ndarray of float64, shape (7,), or None
        How likely each class of sizes was before a bet or raise whose size was free.
    update : Update
        The reader's result for the action.
    """

    predicted: Floats | None
    sizes: Floats | None
    update: Update


class Reader:
    """Base class of readers. Only `expect` must be there.

    A session calls, for each hand, `start`; for each act `count`, if it learns act by act, and `judge`; and whenever
    somebody asks, `expect`. If each act is forecast and then judged, but not counted, it calls `step`, which does
    both. From finished hands it calls `learn`, and `learn_shown` before, if it learns from holdings that were shown.
    Knowledge beyond a hand is learnt in `count`, `learn` and `learn_shown` alone.

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
        """Whether `count` does anything. If not, a session need not follow hands without a question about them."""
        return type(self).count is not Reader.count

    @property
    def follows_hands(self) -> bool:
        """Whether it keeps something of a hand from act to act: whether `start` or `note` does anything."""
        return type(self).start is not Reader.start or type(self).note is not Reader.note

    def adviser(self, situation: Situation) -> str:
        """The adviser that goes by what this reader knows in a situation: a text for `make_adviser`.

        The package's own verdict, unless a program with a reader of its own names another one. It plays few deals out,
        because a reader without `actors` must answer at every decision of each deal.
        """
        return "verdict?fast=1&deals=256"

    def start(self, players: tuple[str, ...]) -> None:
        """Begin a hand of these players, by seat."""

    def prior(self, player: str) -> Floats | None:
        """Weights of a player before any act: float64 (1326,), or None for a uniform table."""
        return None

    def expect(self, spot: Spot) -> Expectation:
        """The strategy of a player in a situation with each holding."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it expects")

    def choices(self, spot: Spot) -> Floats:
        """The `triples` of `played_out`, for play-outs that ask for very many: float64 (1326, 3)."""
        return self.played_out(spot).triples

    def played_out(self, spot: Spot) -> Expectation:
        """The strategy in play-outs: `expect`, or its part without ranges, which play-outs do not follow."""
        return self.expect(spot)

    def expected(self, spot: Spot) -> Expectation:
        """Return what `expect` says of a spot, worked out once however often it is asked for."""
        found: Expectation | None = spot.forecasts.get(self)
        if found is None:
            found = self.expect(spot)
            if not isinstance(found, Expectation):
                raise ValueError(f"{type(self).__name__}.expect returned {found!r}: expected an Expectation")
            spot.forecasts[self] = found
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
        """The evidence of an action with its chips on the player's holding, by Bayes' rule.

        An act that the rules did not offer says nothing, nor does a fold where the reader does not read folds.
        """
        situation = spot.situation
        name = situation.act_names[act]
        if act not in situation.legal:
            return Update(None, f"a {name} that the rules did not offer: says nothing")
        if act == Act.FOLD and not self.reads_folds:
            return Update(None, "a fold: the table is dropped")
        return self.bayes(spot, act, self.judged_by(spot))

    def judged_by(self, spot: Spot) -> Expectation:
        """The forecast that judges an action: `expected`, or a part of it if that is enough."""
        return self.expected(spot)

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """Forecast an act that the rules offered, and judge it: `predict`, `predict_sizes` and `judge` in one call.

        A reader overrides it if the three share work. The results must equal theirs, in arrays that stay unchanged, and
        the forecasts must not depend on the action.
        """
        predicted = sizes = None
        if self.predicts_acts:
            predicted = np.array(self.predict(spot), dtype=np.float64)  # all may be made in one place
            if decision.act == Act.RAISE and has_sizes(spot.situation):
                sizes = self.predict_sizes(spot)
        return Reading(predicted, sizes, self.judge(spot, decision.act, decision.put_in))

    def bayes(self, spot: Spot, act: Act, expected: Expectation) -> Update:
        """The evidence of an action by Bayes' rule, given what was expected."""
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
        """A player's strategy at many nodes of a tree, all after the flop and theirs, on any board.

        None, the default, where there is no quicker way than `expect`.
        """
        return None

    def actors(self, spot: Spot) -> Actors | None:
        """Everybody at the table, as compiled play-outs take them: by what is known of them now.

        None, the default, where `expect` has to be asked at every decision of a play-out.
        """
        return None

    def acts_learnt(self, player: str, situation: Situation) -> float:
        """How many acts of a player in such a game were learnt; 0, the default, of readers that do not say so."""
        return 0.0

    def observations(self, player: str, nodes: Sequence[StrategyNode]) -> Floats | None:
        """How many acts of a player stand behind what is expected of them at some nodes: float64 (n,).

        None, the default, of readers that do not say so.
        """
        return None

    def count(self, decision: Decision, features: Features) -> None:
        """Learn how often a player does what from one act, which was done in turn."""

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn from a finished hand what can only be learnt from the whole of it; `decisions` is its replay."""

    def learn_shown(self, hand: Hand, tables: Sequence[Floats]) -> None:
        """Learn from the holdings that were shown in a finished hand; `hand` knows no others.

        `tables` are the last weights of each seat, float64 (1326,) each, in a session that has followed all actions and
        passed each to `note`. Called if `learns_shown` is set, and before `learn`.
        """


def bayes_reason(situation: Situation, act: Act) -> str:
    """The result of Bayes' rule for an action, in words."""
    name = situation.act_names[act]
    return f"a {name}: each weight is multiplied by the probability of a {name} with that holding"


def has_sizes(situation: Situation) -> bool:
    """Whether the player may bet or raise, and choose how much."""
    return situation.raise_range is not None and not situation.spec.structure.fixed


def _features(situation: Situation, acts: Iterable[Decision]) -> Features:
    """The features of a situation after these acts of the hand."""
    history = BettingHistory(len(situation.players))
    for decision in acts:
        history.add(decision)
    return history.features(situation)
