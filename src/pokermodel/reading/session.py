"""The session: a weight table for every player of a hand, kept up to date act by act by a reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pokermodel._arrays import Bools, Floats
from pokermodel._core.corrections import live_weights
from pokermodel._records import Record
from pokermodel.cards import (
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    holding_index,
    shared_live_holdings,
)
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.game.situation import Situated
from pokermodel.reading.calibration import EVERY, Calibration, Forecast, corrected
from pokermodel.reading.features import BettingHistory, Features, Replay
from pokermodel.reading.loki.field import (
    CrudePotential,
    FieldMethod,
    crude_potentials,
    crude_values,
    field_array,
    field_strengths,
)
from pokermodel.reading.observation import Judgement, Observation
from pokermodel.reading.reader import Expectation, Reader, Reading, Update, has_sizes
from pokermodel.reading.registry import make_reader, read_reader
from pokermodel.weights import WeightTable

__all__ = ["OpponentModeler"]

#: Weights are replaced, never written to.
_UNIFORM: Floats = np.ones(N_HOLDINGS)
_UNIFORM.setflags(write=False)
_NO_POTENTIAL: Floats = np.zeros(N_HOLDINGS)
_NO_POTENTIAL.setflags(write=False)

#: Attributes of a session that follow from the others, and are not copied.
_DERIVED = frozenset({"_analysis", "_expected", "_features", "_fields"})


@dataclass(eq=False, slots=True)
class _Seat(Record):
    """What is known of one player in this hand."""

    weights: Floats
    round_start: Floats
    active: bool = True

    @classmethod
    def at_start(cls, weights: Floats) -> Self:
        """A player before any act."""
        return cls(weights, weights)


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
        What is known of the players before. It is only read.
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
        Of the model; those in its text go before them.

    Raises
    ------
    ValueError
        If there is no such model or option, or a value does not fit.

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
    A session can be copied, by `copy` or the functions of the module ``copy``, and pickled, in the middle of a hand,
    too. The copy goes on by itself, as the original would have. It has the same book, which is only read, and a pickle
    has the address of the book.
    """

    _analysis: BoardAnalysis | None

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
        #: The reader.
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
        self._book = book
        #: Whether tables come from public information alone.
        self.public_models = self.reader.public_tables if public_models is None else public_models
        #: What corrects tables and forecasts; None for nothing.
        self.calibration = Calibration() if calibrated else None
        #: Whether acts are learnt as they are observed.
        self.learning = learning
        #: Whether it keeps what players who folded can hold.
        self.folded_tables = folded_tables
        self._said: list[Forecast] = []  # in this hand, for the calibration
        self._forecast: tuple[Situation, Floats] | None = None  # of the next act, uncorrected
        self._passed = 0  # hands learnt since the last one that the calibration learnt from
        self._begin(())

    @property
    def learns_acts(self) -> bool:
        """Whether the reader learns from single acts."""
        return self.reader.learns_acts

    @property
    def learns_hands(self) -> bool:
        """Whether anything is learnt from finished hands alone."""
        reader = self.reader
        return self.calibration is not None or reader.learns_shown or type(reader).learn is not Reader.learn

    # ------------------------------------------------------------------------------------------ copies

    def copy(self) -> Self:
        """A session that goes on from here by itself: what one observes or learns, the other does not."""
        return deepcopy(self)

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self._book)] = self._book
        other = memo[id(self)] = object.__new__(type(self))
        other.__setstate__(deepcopy(self.__getstate__(), memo))
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._analysis = shared_analysis(self._board) if self._board else None
        self._forget()

    def _forget(self) -> None:
        """Drop what was worked out from the tables, and for the situation that was asked about last."""
        self._features: tuple[Situation, Features] | None = None
        self._expected: tuple[Situation, Expectation] | None = None
        self._fields: dict[tuple[Any, ...], Any] = {}

    # ------------------------------------------------------------------------------------------- the hand

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players of the hand, by seat."""
        return self._names

    @property
    def board(self) -> tuple[int, ...]:
        """The board as far as the session has seen it."""
        return self._board

    @property
    def analysis(self) -> BoardAnalysis | None:
        """The analysis of that board; None before the flop."""
        return self._analysis

    @property
    def active(self) -> tuple[int, ...]:
        """Seats that have not folded."""
        return tuple(k for k, seat in enumerate(self._seats) if seat.active)

    def start(self, players: Iterable[str]) -> None:
        """Begin a new hand: every table is as it was before any act.

        `observe` does so by itself when a decision belongs to another hand.

        Raises
        ------
        ValueError
            If two players have the same name.
        """
        names = tuple(players)
        if len(set(names)) != len(names):
            raise ValueError(f"players must have different names, got {', '.join(names)}")
        self._begin(names)
        self.reader.start(self)
        for k, seat in enumerate(self._seats):
            seat.weights = seat.round_start = self._prior(k)

    def _begin(self, names: tuple[str, ...]) -> None:
        """Forget the hand before, with uniform tables."""
        self._names = names
        self._board: tuple[int, ...] = ()
        self._analysis = None
        self._own_cards: tuple[int, ...] = ()
        self._hand: tuple[str, str] | None = None
        self._last_index = -1
        self._last_round = 0
        self._history = BettingHistory(len(names))
        self._forget()
        self._folded: dict[int, Floats] = {}
        self._said.clear()
        self._forecast = None
        self._last_asked: Situation | None = None
        self._seats = [_Seat.at_start(_UNIFORM) for _ in names]

    def _prior(self, seat: int) -> Floats:
        prior = self.reader.prior(self, seat)
        return _UNIFORM if prior is None else prior

    def hold(self, holding: CardsLike) -> None:
        """See the hero's cards: no other player can have them, unless models are public.

        Call it after `start` and before the first act. Every hand has to be told its own.

        Parameters
        ----------
        holding : cards
            The hero's two cards.

        Raises
        ------
        ValueError
            If it is not two cards, no hand was started, the hero is not in it, or somebody has acted.
        """
        cards = card_indices(holding)
        holding_index(cards)
        if self.hero is None:
            raise ValueError("the session has no hero who could hold cards: expected OpponentModeler(hero=NAME)")
        if not self._names:
            raise ValueError("there is no hand to hold cards in: expected start(players) before hold(holding)")
        if self.hero not in self._names:
            raise ValueError(f"the hero {self.hero!r} is not in the hand: its players are {', '.join(self._names)}")
        if self._hand is not None or self._board:
            raise ValueError("the hero's cards have to be seen before the first action of the hand")
        self._own_cards = cards
        self._expected = None
        for k, seat in enumerate(self._seats):
            seat.weights = np.where(self.live(k), self._prior(k), 0.0)
            seat.round_start = seat.weights

    def deal(self, board: CardsLike) -> None:
        """See the board of a new round: holdings that it rules out lose their weight.

        `observe` does so by itself; call it only to look at tables between a new card and the next act.

        Parameters
        ----------
        board : cards
            All board cards so far: 0, 3, 4 or 5.

        Raises
        ------
        ValueError
            If it is not a board, does not begin with the cards seen before, or has one of the hero's cards.
        """
        if type(board) is tuple and board == self._board:
            return
        analysis = shared_analysis(board) if board else None
        cards = analysis.board if analysis else ()
        if cards[: len(self._board)] != self._board:
            raise ValueError(f"board {cards_text(cards)!r} does not continue {cards_text(self._board)!r}")
        if cards == self._board:
            return
        if set(cards) & set(self._own_cards):
            raise ValueError(f"board {cards_text(cards)!r} has a card of the hero's {cards_text(self._own_cards)!r}")
        self._fields.clear()
        self._expected = None
        self._board = cards
        self._analysis = analysis
        live = shared_live_holdings(cards).view(np.uint8)
        dealt: dict[int, Floats] = {}  # by what they were before: players of whom nothing is known share a table
        for seat in self._seats:
            if seat.active:
                key = id(seat.weights)
                if key not in dealt:
                    dealt[key] = np.empty(N_HOLDINGS)
                    live_weights(np.ascontiguousarray(seat.weights, dtype=np.float64), live, dealt[key])
                seat.weights = seat.round_start = dealt[key]

    def _seat(self, player: str | int) -> int:
        if type(player) is int and 0 <= player < len(self._names):
            return player
        if isinstance(player, str):
            if player not in self._names:
                raise ValueError(f"unknown player {player!r}: the hand has {', '.join(self._names) or 'nobody yet'}")
            return self._names.index(player)
        if not 0 <= player < len(self._names):
            raise ValueError(f"seat {player} is out of range: the hand has {len(self._names)} players")
        return player

    # ------------------------------------------------------------------------------------------ its tables

    def dead(self, player: str | int) -> tuple[int, ...]:
        """Cards that a player's table rules out: the board's, and the hero's unless models are public."""
        if self.public_models or self._names[self._seat(player)] == self.hero:
            return self._board
        return self._board + self._own_cards

    def live(self, player: str | int) -> Bools:
        """Holdings that a player's table leaves possible: bool (1326,). Do not write to it."""
        dead = self.dead(player)
        if self._analysis is not None and dead == self._board:
            return self._analysis.live
        return shared_live_holdings(dead)

    def table(self, player: str | int) -> WeightTable:
        """A player's table.

        Parameters
        ----------
        player : str or int
            Name or seat.

        Returns
        -------
        WeightTable
            Board cards are dead, and the hero's in the tables of the other players unless models are public. For a
            player who folded, the last table they had.

        Raises
        ------
        ValueError
            If there is no such player in the hand.
        """
        return WeightTable(self.weights(player), dead=self.dead(player))

    def weights(self, player: str | int) -> Floats:
        """A player's weights, as `table` shows them: float64 (1326,). They are replaced, not changed.

        After a fold, cards of the board that come later are not ruled out.
        """
        return self._corrected(self._seats[self._seat(player)].weights, self._last_round)

    def posterior(self, player: str | int) -> Floats:
        """A player's weights before any correction: what readers go by. Do not write to them."""
        return self._seats[self._seat(player)].weights

    def round_start(self, player: str | int) -> Floats:
        """A player's weights at the start of the round, before any correction. Do not write to them."""
        return self._seats[self._seat(player)].round_start

    def _corrected(self, weights: Floats, round: int) -> Floats:
        return corrected(weights, self._board, self._exponent(round))

    def _exponent(self, round: int) -> float:
        return 1.0 if self.calibration is None else self.calibration.exponent(round)

    def opponents(self, player: str | int) -> tuple[int, ...]:
        """Seats of a player's opponents that have not folded."""
        own = self._seat(player)
        return tuple(k for k, seat in enumerate(self._seats) if seat.active and k != own)

    def opponent_tables(self, player: str | int) -> list[Floats]:
        """Weights of a player's opponents that have not folded, each float64 (1326,)."""
        own = self._seat(player)
        return [seat.weights for k, seat in enumerate(self._seats) if seat.active and k != own]

    def field(self, player: str | int, method: FieldMethod = "mean") -> Floats:
        """A player's opponents merged into one.

        Parameters
        ----------
        player : str or int
            Name or seat.
        method : {"mean", "maximum", "product"}
            As `field_array`. For a ``product``, which has no array, the mean.

        Returns
        -------
        ndarray of float64, shape (1326,)
            Kept until a table changes: do not write to it.

        Raises
        ------
        ValueError
            If there is no opponent, or the player or method is unknown.
        """
        seat = self._seat(player)
        key = ("weights", seat, method)
        if key not in self._fields:
            self._fields[key] = field_array(self.opponent_tables(seat), "mean" if method == "product" else method)
        merged: Floats = self._fields[key]
        return merged

    def strengths(self, player: str | int, method: FieldMethod = "mean") -> Floats:
        """Hand strength of every holding against one of a player's opponents.

        Parameters
        ----------
        player, method
            As `field`. For a ``product`` the geometric mean of the strengths against each.

        Returns
        -------
        ndarray of float64, shape (1326,)
            HS1; against all n opponents it is its n-th power. Kept until a table changes: do not write to it.

        Raises
        ------
        ValueError
            As `field`, or if there is no board yet.
        """
        if self._analysis is None:
            raise ValueError("there is no hand strength before the flop")
        seat = self._seat(player)
        key = ("strengths", seat, method)
        if key not in self._fields:
            if method == "product":
                self._fields[key] = field_strengths(self._analysis, self.opponent_tables(seat), method)[0]
            else:
                self._fields[key] = self._analysis.strengths(self.field(seat, method))
        strengths: Floats = self._fields[key]
        return strengths

    def crude_values(
        self, player: str | int, method: FieldMethod = "mean", potential: CrudePotential = "outs"
    ) -> tuple[Floats, Floats]:
        """What all holdings are worth in a player's place, as re-weighting has it.

        Parameters
        ----------
        player, method
            As `field`.
        potential : {"outs", "exact1"}
            What stands for the potential; see `pokermodel.reading.crude_values`.

        Returns
        -------
        values : ndarray of float64, shape (1326,)
            Income rates before the flop; then ``HS1 + (1 - HS1)*PPOTc``.
        potentials : ndarray of float64, shape (1326,)
            PPOTc; 0 before the flop.

        Raises
        ------
        ValueError
            As `field`.
        """
        seat = self._seat(player)
        if self._analysis is None:
            return income_rates_by_holding(), _NO_POTENTIAL
        key = ("values", seat, method, potential)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._crude_values(self._analysis, seat, method, potential)
        worth: tuple[Floats, Floats] = found
        return worth

    def _crude_values(
        self, analysis: BoardAnalysis, seat: int, method: FieldMethod, potential: CrudePotential
    ) -> tuple[Floats, Floats]:
        tables = self.opponent_tables(seat)
        if method == "product" or ("strengths", seat, method) in self._fields:
            return crude_values(analysis, tables, method, potential, strengths=self.strengths(seat, method))
        potentials = crude_potentials(analysis, potential)
        merged, strengths, values = analysis.against(tables, method, potentials)
        self._fields["weights", seat, method] = merged
        self._fields["strengths", seat, method] = strengths
        return values, potentials

    def simulation_tables(self) -> list[Floats | None]:
        """Weights of every seat, each float64 (1326,), for `Simulator.run`.

        Players who folded hold cards, too. Their table is the last one they had, times the probability that they fold
        with each holding, unless they left out of turn; None where nothing is known, and if the session does not keep
        `folded_tables`.
        """
        return [
            np.array(self.table(k).values) if seat.active else self._folded.get(k) for k, seat in enumerate(self._seats)
        ]

    # ---------------------------------------------------------------------------------------- expectation

    def features(self, situation: Situation) -> Features:
        """What the table sees in the next situation of the hand."""
        if self._features is None or self._features[0] is not situation:
            self._features = situation, self._history.describe(Features, situation)
        return self._features[1]

    def expect(self, situation: Situation | Situated) -> Expectation:
        """What the reader expects of a player in a situation, holding by holding, before any correction.

        Parameters
        ----------
        situation : Situation, or Decision or View that has one
            The next one of the hand.

        Returns
        -------
        Expectation

        Raises
        ------
        ValueError
            If the situation is not one of the hand, or the reader does not read the game.
        """
        asked = self._asked(situation)
        if self._expected is None or self._expected[0] is not asked:
            self._expected = asked, self.reader.expect(self, asked)
        return self._expected[1]

    def expect_after(self, decisions: Iterable[Decision], situation: Situation) -> Expectation:
        """What the reader would expect of a player after acts that nobody has done yet; nothing is learnt.

        Parameters
        ----------
        decisions : iterable of Decision
            The acts, the first of which is the next one of the hand.
        situation : Situation
            What the player would face after them, in the same round.

        Returns
        -------
        Expectation
            With tables as they are: those of the players who would have acted do not change.

        Raises
        ------
        ValueError
            As `expect`.
        """
        asked = self._asked(situation)
        history = self._history.copy()
        for decision in decisions:
            history.add(decision)
        before = self._features
        self._features = asked, history.features(asked)
        try:
            return self.reader.expect(self, asked)
        finally:
            self._features = before

    def predict(self, situation: Situation | Situated) -> Floats | None:
        """How likely a player folds, calls and raises.

        Parameters
        ----------
        situation : Situation, or Decision or View that has one
            The next one of the hand.

        Returns
        -------
        ndarray of float64, shape (3,), or None
            The mean of what the player would do with each holding, by their weights; corrected if the session is
            calibrated. None if the reader does not predict acts.

        Raises
        ------
        ValueError
            If the situation is not one of the hand, or the reader does not read the game.
        """
        asked = self._asked(situation)
        if not self.reader.predicts_acts:
            return None
        predicted = self.reader.predict(self, asked)
        if self.calibration is None:
            return predicted
        self._forecast = asked, np.array(predicted, dtype=np.float64)  # a reader may make all in one place
        return self.calibration.forecast(asked, predicted)

    def imagine(self, situation: Situation | Situated, act: Act) -> Floats:
        """What a player's table would be if they did something now; nothing is learnt.

        Parameters
        ----------
        situation : Situation, or Decision or View that has one
            The next one of the hand.
        act : Act
            What they would do, but for a fold; a raise puts in a whole bet.

        Returns
        -------
        ndarray of float64, shape (1326,)
            The player's weights. Do not write to them.

        Raises
        ------
        ValueError
            If the situation is not one of the hand, the act a fold, or the game not limit.
        """
        if act == Act.FOLD:
            raise ValueError("a fold leaves no table: expected a call or a raise")
        asked = self._asked(situation)
        put_in = asked.to_call + asked.bet_size * (act == Act.RAISE)
        weights = self.reader.judge(self, asked, act, put_in).weights
        return self._corrected(self.posterior(asked.seat) if weights is None else weights, asked.round)

    def predict_sizes(self, situation: Situation | Situated) -> Floats | None:
        """How likely each size of a bet or raise is, if the player makes one.

        Parameters
        ----------
        situation : Situation, or Decision or View that has one
            The next one of the hand.

        Returns
        -------
        ndarray of float64, shape (7,), or None
            By class of sizes, see `SIZE_CLASSES`; 0 where there is no room for one. None in limit, where a raise is
            not legal, and if the reader does not predict acts.

        Raises
        ------
        ValueError
            If the situation is not one of the hand, or the reader does not read the game.
        """
        asked = self._asked(situation)
        if not (self.reader.predicts_acts and has_sizes(asked)):
            return None
        return self.reader.predict_sizes(self, asked)

    def check_game(self, spec: GameSpec) -> None:
        """Raise unless the reader reads the game.

        Parameters
        ----------
        spec : GameSpec

        Raises
        ------
        ValueError
            If bets have sizes, and the reader reads limit alone.
        """
        if not self.reader.reads_sizes:
            spec.require_limit("the opponent modeler")

    def _asked(self, situation: Situation | Situated) -> Situation:
        asked: Situation = situation if isinstance(situation, Situation) else situation.situation  # type: ignore[attr-defined]
        if asked is self._last_asked and asked.board == self._board:
            return asked
        self.check_game(asked.spec)
        self._seat(asked.player)
        self.deal(asked.board)
        self._last_asked = asked
        return asked

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
            What the reader made of it.

        Raises
        ------
        ValueError
            If the decision does not follow the one before, or the reader does not read the game.
        """
        self._follow(decision)
        situation = decision.situation
        before = self._seats[situation.seat].weights
        forecast = self._forecast_of(decision)
        update = self._judge(decision)
        self._take(decision, update, forecast)
        after = self._seats[situation.seat].weights
        return Observation(
            decision,
            after is not before,
            update.reason,
            self.dead(situation.seat),
            before,
            after,
            update.detail,
            self._exponent(situation.round),
            self._corrected_forecast(situation, forecast),
        )

    def step(self, decision: Decision) -> Reading:
        """Forecast the next act of the hand, and observe it: `predict`, `predict_sizes` and `observe` in one call.

        Parameters
        ----------
        decision : Decision
            As `observe`.

        Returns
        -------
        Reading
            Without forecasts of an act that the rules did not offer, and of one out of turn.

        Raises
        ------
        ValueError
            As `observe`.
        """
        return next(self.steps((decision,)))

    def steps(self, decisions: Iterable[Decision]) -> Iterator[Reading]:
        """`step` from one decision to the next.

        Parameters
        ----------
        decisions : iterable of Decision
            In order.

        Yields
        ------
        Reading
            What `step` would return of each, when the session has observed it and none after it.

        Raises
        ------
        ValueError
            As `observe`.
        """
        if self.learning or type(self) is not OpponentModeler:
            yield from map(self._step_apart, decisions)
            return
        reader, calibration = self.reader, self.calibration
        before: Situation | None = None
        known = iter(decisions.features) if isinstance(decisions, Replay) else None
        for decision in decisions:
            source, hand_id, index, situation, act, _, out_of_turn = decision
            if (
                before is not None
                and index == self._last_index + 1
                and self._hand == (source, hand_id)
                and situation.players is before.players
            ):
                self._last_index = index
                if situation.board is not before.board:
                    self.deal(situation.board)
            else:
                self._follow(decision)
            before = self._last_asked = situation
            if known is not None:
                self._features = situation, next(known)
            self._forecast = predicted = sizes = None
            if out_of_turn or act not in situation.legal:
                update = self._judge(decision)
            else:
                predicted, sizes, update = reader.step(self, decision)
                reader.note(decision, update)
            self._take(decision, update, predicted)
            if calibration is not None and predicted is not None:
                predicted = calibration.forecast(situation, predicted)
            yield Reading(predicted, sizes, update)

    def _step_apart(self, decision: Decision) -> Reading:
        """As `step`, by its parts: `count` tells a reader what was done, and subclasses have ways of their own."""
        situation = decision.situation
        if decision.index == 0 and (self._hand is not None or self._board or situation.players != self._names):
            self.start(situation.players)
        predicted = sizes = None
        if not decision.out_of_turn and decision.act in situation.legal:
            predicted = self.predict(situation)
            if predicted is not None:
                predicted = np.array(predicted, dtype=np.float64)
                if decision.act == Act.RAISE:
                    sizes = self.predict_sizes(situation)
        found = self.observe(decision)
        weights = found.posterior if found.reweighted else None
        return Reading(predicted, sizes, Update(weights, found.reason, found.detail))

    def _take(self, decision: Decision, update: Update, forecast: Floats | None) -> None:
        """Go on to the situation after an act that was judged."""
        situation, act = decision.situation, decision.act
        seat = self._seats[situation.seat]
        if act == Act.FOLD:
            if self.folded_tables:
                self._keep_folded(decision, update)
            seat.active = False
        if update.weights is not None:
            seat.weights = update.weights
        if act == Act.FOLD or update.weights is not None:
            self._fields.clear()
        self._history.add(decision)
        self._features = self._expected = None
        self._last_round = situation.round
        if self.calibration is not None:
            self._said.append(Forecast(decision, forecast, seat.weights if self.reader.infers_holdings else None))

    def _forecast_of(self, decision: Decision) -> Floats | None:
        """The forecast of an act that the rules offered in turn, for the calibration; None where it needs none."""
        situation = decision.situation
        made, self._forecast = self._forecast, None
        offered = decision.act in situation.legal and not decision.out_of_turn
        if self.calibration is None or not self.reader.predicts_acts or not offered:
            return None
        if made is not None and (made[0] is situation or made[0] == situation):
            return made[1]
        return np.array(self.reader.predict(self, situation), dtype=np.float64)

    def _corrected_forecast(self, situation: Situation, forecast: Floats | None) -> Floats | None:
        if self.calibration is None or not self.calibration.hands or forecast is None:
            return None
        return self.calibration.forecast(situation, forecast)

    def _judge(self, decision: Decision) -> Update:
        if decision.out_of_turn:
            return Update(None, "left the hand out of turn: says nothing")
        situation = decision.situation
        if self.learning:
            self.reader.count(decision, self.features(situation))
            self._expected = None
        update = self.reader.judge(self, situation, decision.act, decision.put_in)
        self.reader.note(decision, update)
        return update

    def _keep_folded(self, decision: Decision, update: Update) -> None:
        situation, seat = decision.situation, decision.situation.seat
        weights = self._seats[seat].weights if update.weights is None else update.weights
        weights = self._corrected(weights, situation.round)
        kept = np.array(WeightTable(weights, dead=self.dead(seat)).values)
        if not (decision.out_of_turn or self.reader.reads_folds):
            kept *= self.reader.fold_likelihoods(self, situation)
        if kept.any():
            self._folded[seat] = kept

    def _follow(self, decision: Decision) -> None:
        """Make sure that the decision is the next one, or begin its hand."""
        hand = (decision.source, decision.hand_id)
        players = decision.situation.players
        if hand != self._hand or decision.index <= self._last_index or players != self._names:
            if decision.index != 0 and (self._hand is not None or not self._names):
                raise ValueError(
                    f"decision {decision.index} of hand {decision.hand_id} does not follow: expected "
                    + (f"decision {self._last_index + 1}" if hand == self._hand else "the hand's first")
                )
            begun = self._hand is not None or bool(self._board) or players != self._names
            self.check_game(decision.spec)
            if decision.index == 0 and begun:
                self.start(players)
            self._hand = hand
        elif decision.index != self._last_index + 1:
            raise ValueError(
                f"decision {decision.index} of hand {decision.hand_id} does not follow decision {self._last_index}"
            )
        self._last_index = decision.index
        self.deal(decision.situation.board)

    def showdown(self, player: str | int, holding: CardsLike) -> Judgement:
        """Say how probable a player's holding had been judged that became known. Nothing is learnt from it.

        Parameters
        ----------
        player : str or int
            Name or seat.
        holding : cards
            The player's two cards.

        Returns
        -------
        Judgement
            By the player's table as it is.

        Raises
        ------
        ValueError
            If there is no such player, or the board rules the holding out.
        """
        return Judgement.of(self.table(player), holding)

    # -------------------------------------------------------------------------------------------- learning

    def learn(self, hand: Hand, decisions: Iterable[Decision] | None = None, *, calibrate: bool = True) -> None:
        """Learn from a finished hand that was not observed, or that was observed with `learning` off.

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
        self.check_game(hand.spec)
        replayed = Replay.of(hand, decisions)
        public = hand.public()
        self._expected = None
        if calibrate and self.calibration is not None:
            self._calibrate(self.calibration, public, replayed)
        self._said.clear()
        if self.reader.learns_shown and public.holdings and not self._followed(public, replayed):
            self._walk(public, replayed, learning=True)
        elif self.reader.learns_acts:
            for decision, features in zip(replayed, replayed.features, strict=True):
                if not decision.out_of_turn:
                    self.reader.count(decision, features)
        self._learn_shown(public, replayed)
        self.reader.learn(public, replayed)

    def calibrate(self, hand: Hand, decisions: Iterable[Decision] | None = None) -> None:
        """Read a finished hand and let the calibration learn from it; the reader learns nothing.

        Parameters
        ----------
        hand, decisions
            As `learn`.

        Raises
        ------
        ValueError
            As `learn`, or if the session is not calibrated.
        """
        if self.calibration is None:
            raise ValueError("nothing can be corrected: the session is not calibrated")
        self.check_game(hand.spec)
        replayed = list(hand.replay() if decisions is None else decisions)
        public = hand.public()
        self._walk(public, replayed)
        self._calibrate(self.calibration, public, replayed)

    def finish(self, hand: Hand, decisions: Iterable[Decision]) -> None:
        """Learn from a finished hand, each act of which was observed with `learning` on, what only the end tells.

        Parameters
        ----------
        hand, decisions
            As `learn`.
        """
        public, replayed = hand.public(), list(decisions)
        self._expected = None
        if self.calibration is not None:
            self._calibrate(self.calibration, public, replayed)
        self._learn_shown(public, replayed)
        self.reader.learn(public, replayed)

    def _learn_shown(self, hand: Hand, decisions: list[Decision]) -> None:
        if self.reader.learns_shown and hand.holdings and self._followed(hand, decisions):
            self.reader.learn_shown(self, hand)

    def _followed(self, hand: Hand, decisions: list[Decision]) -> bool:
        """Whether this is the last hand that was observed, and all of it was."""
        return self._hand == (hand.source, hand.id) and self._last_index == len(decisions) - 1

    def _calibrate(self, calibration: Calibration, hand: Hand, decisions: list[Decision]) -> None:
        if self._said and self._hand != (hand.source, hand.id):
            self._said.clear()  # another hand was observed since, or instead
        if not self._said:
            self._passed += 1
            if self._passed == EVERY:
                self._walk(hand, decisions)
                self._passed = 0
        if self._said:
            calibration.learn_hand(self._said, {seat: holding_index(cards) for seat, cards in hand.holdings.items()})
        self._said.clear()

    def _walk(self, hand: Hand, decisions: list[Decision], *, learning: bool = False) -> None:
        """Read a hand that is only learnt from."""
        before, self.learning = self.learning, learning
        try:
            self.start(hand.players)
            for decision in decisions:
                self.observe(decision)
        finally:
            self.learning = before
