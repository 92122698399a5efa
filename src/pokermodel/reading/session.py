"""The session: a weight table for every player of a hand, kept up to date act by act by a reader.

The session has the common part of all readers: following a hand, and the order of forecasts, updates and learning. Its
tables are `HandTables`, it passes a `Spot` to the reader, and a `Calibration` corrects forecasts and tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any, Self

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike
from pokermodel.errors import UnknownPlayerError
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.game.situation import Situated
from pokermodel.reading.calibration import Calibration, Forecast, corrected
from pokermodel.reading.expectation import Expectation, Observation
from pokermodel.reading.features import Features, Replay
from pokermodel.reading.followed_hand import FollowedHand
from pokermodel.reading.judgement import Judgement
from pokermodel.reading.past_hands import calibrate_on, learn_from, walk
from pokermodel.reading.reader import Reader, Reading, Spot, Update, has_sizes
from pokermodel.reading.registry import make_reader, read_reader
from pokermodel.reading.tables import HandTables
from pokermodel.reading.width import Width, Widths
from pokermodel.weights import WeightTable

__all__ = ["OpponentModeler"]

_LEFT = Reading(None, None, Update(None, "left the hand out of turn: says nothing"))


class OpponentModeler:
    """Reads the players of a hand from their acts: a weight for each of the 1,326 holdings of every player.

    Tables are uniform at the start of a hand. What an act says of the holding behind it is a reader's affair: Loki-1
    (Papp 1998, chapter 7), Loki-2 (Peña 1999), BPP (Korb, Nicholson and Jitnah 1999), or one of the user's.

    Parameters
    ----------
    model : str or Reader
        Name of a reader, with options as in ``"loki2:som?noise=.4"``; `pokermodel.reading.reader_kinds` lists them. Or
        a reader itself.
    book : Book or mapping of str to ActionCounts, optional
        The knowledge of the players before. It is only read.
    hero : str, optional
        The player whom the user advises.
    public_models : bool, optional
        Keep the hero's cards possible in the tables of the other players. Default: what the model did.
    calibrated : bool, optional
        Correct tables and forecasts by what came of earlier ones, see `Calibration`. The option ``calibrated`` in the
        text of a model goes before it. Default: False.
    learning : bool
        Learn from each act as it is observed. If not, only `learn` does.
    folded_tables : bool
        Keep what players who folded can hold, for `simulation_tables`.
    **options
        Options of the model. Options in its text override them.

    Attributes
    ----------
    reader : Reader
    model : str
        Its name, as it was asked for.
    book, hero, public_models, learning, folded_tables
        As the parameters.
    calibration : Calibration or None
        The correction of tables and forecasts; None for nothing.
    followed : FollowedHand
        The hand that it follows.
    tables : HandTables
        Its players, board and weights, before any correction.

    Raises
    ------
    ValueError
        If there is no such model or option, a value does not fit, or a book has not learnt what the model needs.

    Examples
    --------
    >>> import pokermodel as pm
    >>> modeler = pm.OpponentModeler(model="loki1")
    >>> hand = pm.example_hand()
    >>> for decision in hand.replay():
    ...     observation = modeler.observe(decision)
    >>> round(modeler.table(hand.players[0]).entropy_bits(), 1) < 10.4
    True

    Notes
    -----
    What is asked about a situation is asked about the next one of the hand, given as a `Situation`, or as a `Decision`
    or `View` that has one. Such a method raises `ValueError` if the situation is not one of the hand, or the reader
    does not read the game.

    A session can be copied, by `copy` or the functions of the module ``copy``, and pickled, in the middle of a hand,
    too. The copy goes on by itself, as the original would have. It has the same book, which is only read, and a pickle
    has the address of the book.
    """

    #: That of the situation that was asked about last.
    _spot: Spot | None = None
    #: That of the hand whose widths were asked for last.
    _chosen: Widths | None = None

    def __init__(
        self,
        model: str | Reader = "adaptive",
        book: Mapping[str, Any] | None = None,
        hero: str | None = None,
        *,
        public_models: bool | None = None,
        calibrated: bool | None = None,
        learning: bool = True,
        folded_tables: bool = False,
        **options: Any,
    ) -> None:
        self.reader: Reader
        if isinstance(model, Reader):
            if book is not None or options:
                raise ValueError("a reader that is handed in has its own book and options")
            self.model, self.reader = type(model).__name__, model
        else:
            kind, told = read_reader(model)
            calibrated = told.pop("calibrated", calibrated)
            self.model, self.reader = model, make_reader(kind, book, **{**options, **told})
        self.hero = hero
        self.book = book
        self.public_models = self.reader.public_tables if public_models is None else public_models
        self.calibration = Calibration() if calibrated else None
        self.learning = learning
        self.folded_tables = folded_tables
        self._learnt: Counter[str] = Counter()
        self.tables = HandTables((), hero, public=self.public_models)
        self.followed = FollowedHand(self.tables)

    @property
    def learns_hands(self) -> bool:
        """Whether anything is learnt from finished hands alone."""
        reader = self.reader
        return self.calibration is not None or reader.learns_shown or type(reader).learn is not Reader.learn

    def copy(self) -> Self:
        """A session that goes on from here by itself: what one observes or learns, the other does not."""
        return deepcopy(self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self.book)] = self.book
        other = memo[id(self)] = object.__new__(type(self))
        other.__dict__.update(deepcopy(self.__getstate__(), memo))
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_spot", "_chosen")}

    # ------------------------------------------------------------------------------------------- the hand

    def start(self, players: Iterable[str]) -> None:
        """Begin a new hand: every table is as it was before any act. `ValueError` if two players have the same name.

        `observe` does so by itself when a decision belongs to another hand.
        """
        self._start(tuple(players))

    def _start(self, players: tuple[str, ...]) -> FollowedHand:
        self.tables = tables = HandTables(players, self.hero, public=self.public_models)
        found = self.followed = FollowedHand(tables)
        if self.calibration is not None:
            self.calibration.forecasts.clear()
        self.reader.start(players)
        tables.begin(self.reader.prior)
        return found

    def hold(self, holding: CardsLike) -> None:
        """See the hero's cards: no other player can have them, unless models are public.

        Call it after `start` and before the first act, in every hand. `ValueError` if it is not two cards, no hand was
        started, the hero is not in it, or somebody has acted.
        """
        self.tables.hold(holding, begun=self.followed.begun)

    def deal(self, board: CardsLike) -> None:
        """See the board of a new round, all cards so far: holdings that it rules out lose their weight.

        `observe` does so by itself; call it only to look at tables between a new card and the next act. `ValueError` if
        it is not a board, does not begin with the cards seen before, or has one of the hero's cards.
        """
        self.tables.deal(board)

    def table(self, player: str | int) -> WeightTable:
        """A player's table, given by name or seat; `ValueError` if the hand has no such player.

        Board cards are dead, and the hero's in the tables of the other players unless models are public. For a player
        who folded, it is the last table they had.
        """
        return WeightTable(self.weights(player), dead=self.tables.dead(self.tables.seat(player)))

    def weights(self, player: str | int) -> Floats:
        """A player's weights, as `table` shows them: float64 (1326,). They are replaced, not changed.

        After a fold, cards of the board that come later are not ruled out.
        """
        weights = self.tables.weights[self.tables.seat(player)]
        return corrected(weights, self.tables.board, _exponent(self.calibration, self.followed.round))

    def width(self, player: str | int) -> Width | None:
        """How wide a player's range is, by what they chose in this hand; None before they have chosen anything.

        It reads the hand again with the reader as it is now, without the hero's cards.
        """
        return self._widths().of(self.tables.seat(player), self.tables.board, self.tables.hidden[1])

    def product(self, player: str | int) -> Floats:
        """With each holding, the probability of all that a player chose in this hand: float64 (1326,), as for `width`.

        The size of a bet moves the shape and keeps the total.
        """
        return self._widths().product(self.tables.seat(player), self.tables.board)

    def _widths(self) -> Widths:
        """What was chosen so far in the hand."""
        found = self._chosen
        if found is None or found.followed is not self.followed:
            reader = self.reader
            if reader.follows_hands:
                reader = deepcopy(reader, {id(self.book): self.book})
            again = type(self)(reader, learning=False)
            again.start(self.tables.players)
            found = self._chosen = Widths(self.followed, again.observe)
        found.catch_up()
        return found

    def simulation_tables(self) -> list[Floats | None]:
        """Weights of every seat, each float64 (1326,), for `Simulator.run`.

        Players who folded hold cards, too. Their table is the last one they had, times the probability that they fold
        with each holding, unless they left out of turn; None where nothing is known, and if the session does not keep
        `folded_tables`.
        """
        seats = range(len(self.tables.players))
        active = frozenset(self.tables.active)
        return [np.array(self.table(k).values) if k in active else self.followed.folded.get(k) for k in seats]

    # ---------------------------------------------------------------------------------------- expectation

    def spot(self, situation: Situation | Situated) -> Spot:
        """The spot of the next situation of the hand."""
        asked: Situation = situation if isinstance(situation, Situation) else _of(situation)
        if (found := self._kept(asked)) is None:
            self.check_game(asked.spec)
            self.tables.seat(asked.player)
            self.tables.deal(asked.board)
            found = self._spot = self._made(asked)
        return found

    def _kept(self, situation: Situation) -> Spot | None:
        """The spot of the situation that was asked about last, while the tables are as they were."""
        found = self._spot
        same = found is not None and found.situation is situation and found.memo is self.tables.memo
        return found if same else None

    def _made(self, situation: Situation) -> Spot:
        """The spot of a situation that is known to be one of the hand."""
        followed = self.followed
        reads = self.reader, _exponent(self.calibration, followed.round), followed.folded
        return Spot(situation, followed.features(situation), self.tables, followed.acts, reads)

    def expect(self, situation: Situation | Situated) -> Expectation:
        """The reader's forecasts for a player in a situation, holding by holding, before any correction."""
        return self.reader.expected(self.spot(situation))

    def predict(self, situation: Situation | Situated) -> Floats | None:
        """How likely a player folds, calls and raises: float64 (3,).

        The mean of the player's forecasts for each holding, by their weights; corrected if the session is calibrated.
        None if the reader does not predict actions.
        """
        spot = self.spot(situation)
        if not self.reader.predicts_acts:
            return None
        if self.calibration is None:
            return self.reader.predict(spot)
        return self.calibration.forecast(spot.situation, _forecast(self.reader, spot))

    def predict_sizes(self, situation: Situation | Situated) -> Floats | None:
        """How likely each size of a bet or raise is, if the player makes one, by class of `SIZE_CLASSES`: float64 (7,).

        0 where there is no room for a size. None in limit, where a raise is not legal, and if the reader does not
        predict acts.
        """
        spot = self.spot(situation)
        return self.reader.predict_sizes(spot) if self.reader.predicts_acts and has_sizes(spot.situation) else None

    def imagine(self, situation: Situation | Situated, act: Act) -> Floats:
        """A player's table after a hypothetical action: float64 (1326,). Nothing is learnt.

        A raise puts in a whole bet, and a fold raises `ValueError`. Do not write to the weights.
        """
        if act == Act.FOLD:
            raise ValueError("a fold leaves no table: expected a call or a raise")
        spot = self.spot(situation)
        asked = spot.situation
        weights = self.reader.judge(spot, act, asked.to_call + asked.bet_size * (act == Act.RAISE)).weights
        weights = spot.weights if weights is None else weights
        return corrected(weights, self.tables.board, _exponent(self.calibration, asked.round))

    def check_game(self, spec: GameSpec) -> None:
        """Raise `ValueError` if bets have sizes, and the reader reads limit alone."""
        if not self.reader.reads_sizes:
            spec.require_limit("the opponent modeler")

    # ---------------------------------------------------------------------------------------- observation

    def observe(self, decision: Decision) -> Observation:
        """Follow the hand by one act: re-weight the table of the player.

        Parameters
        ----------
        decision : Decision
            The next act of the hand, or the first of another one.

        Returns
        -------
        Observation
            The reader's result for it.

        Raises
        ------
        ValueError
            If it is no decision, if it does not follow the one before, or if the reader does not read the game.
        """
        if not isinstance(decision, Decision):
            what = f"expected a Decision, as Hand.replay() has them, got {decision!r}"
            raise ValueError(f"a session observes one act at a time: {what}")
        calibration, situation = self.calibration, decision.situation
        spot, found = self._take_in(decision, forecast=calibration is not None)
        forecast = None
        if calibration is not None and calibration.hands and found.predicted is not None:
            forecast = calibration.forecast(situation, found.predicted)
        return Observation(
            decision,
            self.tables.weights[situation.seat] is not spot.weights,
            found.update.reason,
            spot.dead,
            spot.weights,
            self.tables.weights[situation.seat],
            found.update.detail,
            _exponent(calibration, situation.round),
            forecast,
        )

    def steps(self, decisions: Iterable[Decision]) -> Iterator[Reading]:
        """Forecast each act of a hand, and observe it: `predict`, `predict_sizes` and `observe` in one call.

        A reading comes when the session has observed its act and none after it. It is without forecasts where the rules
        did not offer the act, or it was out of turn. Errors are those of `observe`.
        """
        calibration = self.calibration
        known = iter(decisions.features) if isinstance(decisions, Replay) else None
        for decision in decisions:
            _, found = self._take_in(decision, None if known is None else next(known))
            if calibration is not None and found.predicted is not None:
                found = found._replace(predicted=calibration.forecast(decision.situation, found.predicted))
            yield found

    def _take_in(
        self, decision: Decision, features: Features | None = None, *, forecast: bool = True
    ) -> tuple[Spot, Reading]:
        """Forecast an act, if that is wanted, learn from it, judge it, and go on to the situation after it."""
        followed, situation = self.followed, decision.situation
        if not followed.goes_on(decision):
            self.check_game(decision.spec)
            followed = followed.begin(decision, self._start)
        if features is None:
            spot = self._kept(situation) or self._made(situation)
        else:
            spot = Spot(situation, features, self.tables, followed.acts)
        found = _LEFT
        if not decision.out_of_turn:
            found = _reading(self.reader, spot, decision, forecast=forecast, learning=self.learning)
            self.reader.note(decision, found.update)
        self._follow(decision, spot, found)
        return spot, found

    def _follow(self, decision: Decision, spot: Spot, found: Reading) -> None:
        """Change tables by what the reader made of an act, and go on to the situation after it."""
        followed, tables, update = self.followed, self.tables, found.update
        seat = decision.situation.seat
        if decision.act == Act.FOLD:
            if self.folded_tables:
                exponent = _exponent(self.calibration, decision.round)
                kept = _folded(self.reader, decision, spot, update, exponent)
                if kept.any():
                    followed.folded = {**followed.folded, seat: kept}  # spots have the one before
            tables.fold(seat)
        if update.weights is not None:
            tables.put(seat, update.weights)
        self._spot = None
        followed.add(decision, counted=self.learning)
        if self.calibration is not None:
            weights = tables.weights[seat] if self.reader.infers_holdings else None
            self.calibration.forecasts.append(Forecast(decision, found.predicted, weights))

    def showdown(self, player: str | int, holding: CardsLike) -> Judgement:
        """How probable the player's table, as it is, has a holding that became known. Nothing is learnt from it.

        `ValueError` if there is no such player, or the board rules the holding out.
        """
        return Judgement.of(self.table(player), holding)

    # -------------------------------------------------------------------------------------------- learning

    def learn(self, hand: Hand, decisions: Iterable[Decision] | None = None, *, calibrate: bool = True) -> None:
        """Learn from a finished hand.

        Acts that were learnt from as they were observed do not count again.

        Parameters
        ----------
        hand : Hand
            Holdings that were not shown are not looked at.
        decisions : iterable of Decision, optional
            Its replay, if there is one already.
        calibrate : bool
            Whether the calibration, if there is one, learns as well: from every hand that was observed, and from one
            in four of the others.

        Raises
        ------
        ValueError
            If the hand breaks the rules, or the reader does not read the game.
        """
        if not isinstance(hand, Hand):
            raise ValueError(f"a session learns from a finished hand: expected a Hand, got {hand!r}")
        self.check_game(hand.spec)
        self._spot = None
        self._learnt.update(hand.players)
        learn_from(self, hand, Replay.of(hand, decisions), calibrate=calibrate)

    def hands_of(self, player: str, spec: GameSpec) -> int:
        """How many hands of a player have been learnt: in a game by the book, and by the session.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        profile: Any = getattr(self.book, "profile", None)
        for name in () if profile is None else (f"{player}@{spec.site}", player):
            with suppress(UnknownPlayerError):
                return self._learnt[player] + int(profile(name, str(spec.structure)).hands)
        return self._learnt[player]

    def calibrate(self, hand: Hand, decisions: Iterable[Decision] | None = None) -> None:
        """Read a finished hand and let the calibration learn from it; the reader learns nothing.

        `ValueError` as `learn`, or if the session is not calibrated.
        """
        if self.calibration is None:
            raise ValueError("nothing can be corrected: the session is not calibrated")
        self.check_game(hand.spec)
        replayed, public = list(hand.replay() if decisions is None else decisions), hand.public()
        walk(self, public, replayed)
        calibrate_on(self, self.calibration, public, replayed)


def _reading(reader: Reader, spot: Spot, decision: Decision, *, forecast: bool, learning: bool) -> Reading:
    """What a reader makes of an act in turn, which it learns from after the forecast, if it learns act by act."""
    offered = forecast and decision.act in spot.situation.legal
    if offered and not learning:
        return reader.step(spot, decision)
    predicted = sizes = None
    if offered and reader.predicts_acts:
        predicted = _forecast(reader, spot)
        sizes = reader.predict_sizes(spot) if decision.act == Act.RAISE and has_sizes(spot.situation) else None
    if learning:
        reader.count(decision, spot.features)
        spot.forecasts.clear()  # it may expect something else now
    return Reading(predicted, sizes, reader.judge(spot, decision.act, decision.put_in))


def _forecast(reader: Reader, spot: Spot) -> Floats:
    """How likely the acts are, worked out once; a copy, since a reader may make all in one place."""
    found: Floats | None = spot.forecasts.get("predicted")
    if found is None:
        found = spot.forecasts["predicted"] = np.array(reader.predict(spot), dtype=np.float64)
    return found


def _exponent(calibration: Calibration | None, round: int) -> float:
    return 1.0 if calibration is None else calibration.exponent(round)


def _folded(reader: Reader, decision: Decision, spot: Spot, update: Update, exponent: float) -> Floats:
    """What a player can hold who folds."""
    weights = spot.weights if update.weights is None else update.weights
    weights = corrected(weights, decision.board, exponent)
    kept = np.array(WeightTable(weights, dead=spot.dead).values)
    if not (decision.out_of_turn or reader.reads_folds):
        kept *= reader.fold_likelihoods(spot)
    return kept


def _of(situated: Situated) -> Situation:
    """The situation of a decision or a view."""
    found = getattr(situated, "situation", None)
    if not isinstance(found, Situation):
        raise ValueError(f"expected a Situation, or a Decision or View, which have one, got {situated!r}")
    return found
