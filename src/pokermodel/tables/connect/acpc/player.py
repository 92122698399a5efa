"""A player of ours at a table, driven by messages of the ACPC's dealer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from pokermodel._core.evaluator import evaluate
from pokermodel.game import BOARD_CARDS, Act, Action, GameSpec, Hand, LiveHand
from pokermodel.histories.acpc import usual_game
from pokermodel.tables.connect.acpc.protocol import LETTERS, LogStep, MatchState, ProtocolError, parse_state, quoted
from pokermodel.tables.players import Answer, CommonKnowledge, Player, Seat
from pokermodel.tables.players.seat import check_structure

__all__ = ["MatchPlayer", "PlayerError", "hand_seed"]

SOURCE = "acpc"


class PlayerError(ValueError):
    """A player raised an exception, or answered with what the rules do not offer."""


def hand_seed(seed: int, number: int) -> int:
    """Return the seed of a player's draws in a hand.

    Parameters
    ----------
    seed : int
        Seed of the match, 0 or more.
    number : int
        Number of the hand.
    """
    words = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(2, np.uint64)
    return int(words[0]) << 64 | int(words[1])


class _Batch:
    """What a player is told, and perhaps asked then."""

    def __init__(self, calls: Sequence[Callable[[], object]], question: Callable[[], Answer] | None = None) -> None:
        self.calls = calls
        self.question = question
        self.late = False
        self.answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()

    def run(self) -> Answer | None:
        for call in self.calls:
            call()
        return None if self.question is None or self.late else self.question()


class _Worker:
    """Calls functions in a thread, one after the other.

    A player who thinks for too long cannot be interrupted from outside; but nobody has to wait for them.
    """

    def __init__(self) -> None:
        self._told: list[Callable[[], object]] = []
        self._batches: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._failure: BaseException | None = None
        threading.Thread(target=self._run, name="player", daemon=True).start()

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            found = None
            try:
                if self._failure is None:
                    found = batch.run()
            except BaseException as error:  # whatever a player raises is reported by `check`
                self._failure = error
            batch.answers.put(found)

    def check(self) -> None:
        """Raise what a call raised."""
        if self._failure is not None:
            raise self._failure

    def tell(self, call: Callable[[], object]) -> None:
        """Have something called before the next question, or after `flush`."""
        self._told.append(call)

    def flush(self) -> None:
        """Begin with the events so far."""
        self._batches.put(_Batch(self._told))
        self._told = []

    def ask(self, call: Callable[[], Answer], within: float) -> Answer | None:
        """Return what a call returns; None if it takes longer than some seconds. Raises what any call raised."""
        batch = _Batch(self._told, call)
        self._told = []
        self._batches.put(batch)
        try:
            found = batch.answers.get(timeout=within)
        except queue.Empty:
            batch.late = True
            return None
        self.check()
        return found

    def close(self) -> None:
        """Let the thread end after its pending work."""
        self._batches.put(None)


class MatchPlayer:
    """A player of ours who follows a match by its messages, and answers them.

    The player thinks in a thread of their own. Who has not answered in time, folds, or checks where that is free; what
    they answer later does not count.

    Parameters
    ----------
    player : Player
        The player.
    name : str
        Their name.
    others : sequence of str, optional
        Names of the others in the order of seats, beginning with the one after the player. Default: "opponent 1" and so
        on. The protocol has seats and no names.
    game : GameSpec or {"limit", "no limit"}
        The game, which is not in the protocol. A structure means the competition's game with this number of players.
    book : Book, optional
        The player's knowledge of others at the start. It is only read.
    seed : int, optional
        Seed of all the player's draws. By default it is drawn.
    finished : callable, optional
        Called with each finished hand, as the player saw it.
    say : callable, optional
        Called with a line of text after a late answer.

    Raises
    ------
    ValueError
        If the player cannot play the game, or two names are the same.

    Attributes
    ----------
    hands : int
        Number of finished hands.
    chips : float
        Chips that the player has won in them.
    late : int
        Number of answers that were not ready in time.

    Notes
    -----
    Seats are recognised by the movement of positions: a dealer moves the button by one seat each hand, or never. The
    second hand shows which.
    """

    def __init__(
        self,
        player: Player,
        *,
        name: str,
        others: Sequence[str] | None = None,
        game: GameSpec | Literal["limit", "no limit"] = "limit",
        book: Mapping[str, Any] | None = None,
        seed: int | None = None,
        finished: Callable[[Hand], None] = lambda hand: None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        check_structure(player, usual_game(2, game) if isinstance(game, str) else game)
        names = (name, *(others or ()))
        if len(set(names)) != len(names):
            raise ValueError(f"players must have different names, got {', '.join(names)}")
        self.name = name
        self.hands = 0
        self.chips = 0.0
        self.late = 0
        self._others = None if others is None else tuple(others)
        self._game = game
        self._spec: GameSpec | None = None
        self._seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else seed
        self._finished = finished
        self._say = say
        self._seat = Seat(player, CommonKnowledge(book))
        self._worker = _Worker()
        self._live: LiveHand | None = None
        self._first: MatchState | None = None  # message of the match
        self._rotates: bool | None = None
        self._state: MatchState | None = None
        self._done: list[tuple[int, LogStep]] = []  # of this hand, with the round
        self._line = ""

    @property
    def spec(self) -> GameSpec | None:
        """The game; None before the first message."""
        return self._spec

    @property
    def number(self) -> int | None:
        """The hand that is being played; None between hands."""
        return None if self._live is None or self._live.state.over or self._state is None else self._state.number

    @property
    def to_act(self) -> bool:
        """Whether it is the player's turn."""
        if self._live is None or self._state is None:
            return False
        return not self._live.state.over and self._live.state.seat == self._state.position

    def close(self) -> None:
        """Leave the match."""
        self._worker.close()

    def see(self, line: str) -> None:
        """Take in a state.

        Parameters
        ----------
        line : str
            A message, without the end of the line.

        Raises
        ------
        ProtocolError
            If it is damaged, contradicts earlier messages, or breaks the rules.
        PlayerError
            If the player failed before it.
        """
        state = parse_state(line)
        try:
            if self._live is None or self._state is None or state.number != self._state.number:
                self._begin(state)
            elif (state.position, len(state.holdings)) != (self._state.position, len(self._state.holdings)):
                raise ValueError("position or number of players changed")
            elif state.holdings[state.position] != self._state.holdings[state.position]:
                raise ValueError("the player's cards changed")
            hand = self._follow(state)
        except ValueError as error:
            raise ProtocolError(f"hand {state.number}: {error}, in {quoted(line)}") from None
        self._state, self._line = state, line
        self._check()
        if hand is not None:
            self._finished(hand)

    def answer(self, within: float) -> str:
        """Answer the state that was seen last, in which it is the player's turn.

        Parameters
        ----------
        within : float
            Seconds that the player has; none if it is negative, since the message came late.

        Returns
        -------
        str
            A message, without the end of the line.

        Raises
        ------
        PlayerError
            If the player fails.
        """
        assert self._live is not None
        state = self._live.state
        within = max(within, 0.0)
        try:
            found = self._worker.ask(self._seat.act, within)
        except BaseException as error:
            self._fail(error)
        if found is None:
            found = Answer(Act.FOLD if state.to_call else Act.CALL)
            self.late += 1
            what = "folds" if state.to_call else "checks"
            self._say(f"hand {self._live.hand_id}: {self.name} has not answered within {within:.3g} s, and {what}")
        amount = "" if found.to is None else str(found.to + state.round_base)
        return f"{self._line}:{LETTERS[found.act]}{amount}"

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt):  # of the user, who interrupts a thread that waits for the player's
            raise error
        text = " ".join(str(error).split())
        kind = "" if isinstance(error, ValueError) and text else f"{type(error).__name__}{': ' if text else ''}"
        where = "" if self._live is None else f" in hand {self._live.hand_id}"
        raise PlayerError(f"player {self.name} failed{where}: {kind}{text}") from error

    def _check(self) -> None:
        try:
            self._worker.check()
        except BaseException as error:
            self._fail(error)

    # ------------------------------------------------------------------------------------------- following a hand

    def _begin(self, state: MatchState) -> None:
        players = len(state.holdings)
        if self.number is not None:
            raise ValueError(f"a new hand begins before the end of hand {self.number}")
        if self._first is None:
            self._meet(state)
        assert self._spec is not None
        if players != self._spec.players:
            raise ValueError(f"{players} players, and this is a game of {self._spec.players}")
        if not state.holdings[state.position]:
            raise ValueError("the player's own cards are hidden")
        names = self._names(state)
        number = str(state.number)
        self._live = LiveHand(self._spec, names, source=SOURCE, hand_id=number)
        self._done.clear()
        holding, seed = state.holdings[state.position], hand_seed(self._seed, state.number)
        about: dict[str, Any] = {"source": SOURCE, "hand_id": number, "seed": seed}
        self._worker.tell(partial(self._seat.begin, self._spec, names, state.position, holding, **about))

    def _meet(self, state: MatchState) -> None:
        """Learn from the first message what game is played, and with how many."""
        players = len(state.holdings)
        self._spec = usual_game(players, self._game) if isinstance(self._game, str) else self._game
        if self._others is None:
            self._others = tuple(f"opponent {k}" for k in range(1, players))
        elif len(self._others) != players - 1:
            raise ValueError(f"{players} players, and names of {len(self._others)} opponents")
        self._first = state

    def _names(self, state: MatchState) -> tuple[str, ...]:
        """Names by position."""
        assert self._first is not None
        assert self._others is not None
        players = len(state.holdings)
        moved = (state.number - self._first.number) % players
        if moved:
            rotates = state.position == (self._first.position - moved) % players
            if self._rotates not in (None, rotates) or not (rotates or state.position == self._first.position):
                raise ValueError(f"position {state.position} follows from no order of the seats")
            self._rotates = rotates
        elif state.position != self._first.position:
            raise ValueError(f"position {state.position} follows from no order of the seats")
        after = [(k - state.position) % players for k in range(players)]  # seats after the player's
        return tuple([(self.name, *self._others)[k] for k in after])

    def _follow(self, state: MatchState) -> Hand | None:
        """Take in what is new: cards, acts, the end of the hand, which is returned."""
        live, tell = self._live, self._worker.tell
        assert live is not None
        steps = [(round, step) for round, steps in enumerate(state.rounds) for step in steps]
        if steps[: len(self._done)] != self._done:
            raise ValueError("betting does not continue what was done before")
        if state.board != live.board:
            live.deal(state.board)
            tell(partial(self._seat.deal, state.board))
        over = live.state.over
        for round, (act, amount) in steps[len(self._done) :]:
            if live.state.over or live.state.round != round:
                raise ValueError(f"betting goes on after the end of round {round + 1}")
            to = self._size(act, amount)
            live.act(act, to)
            tell(partial(self._seat.observe, act, to))
            self._done.append((round, LogStep(act, amount)))
        if len(state.rounds) != live.state.round + 1:
            raise ValueError(f"round {live.state.round + 1} is being played, and the betting is of {len(state.rounds)}")
        return self._end(state) if live.state.over and not over else None

    def _size(self, act: Act, amount: int | None) -> int | None:
        """What a raise goes to in this round; None in limit."""
        assert self._live is not None
        structure = self._live.spec.structure
        if act != Act.RAISE:
            return None
        if structure.fixed != (amount is None):
            has = "without an amount" if amount is None else f"to {amount}"
            raise ValueError(f"a raise {has} in a game of {structure} (is the game another one?)")
        return None if amount is None else amount - self._live.state.round_base

    def _end(self, state: MatchState) -> Hand:
        live = self._live
        assert live is not None
        shown = {}
        payoffs: tuple[float, ...]
        if live.state.showdown:
            shown = {seat: state.holdings[seat] for seat in live.state.active}
            if not all(shown.values()) or len(state.board) != BOARD_CARDS[-1]:
                raise ValueError("a showdown of hidden cards")
            ranks = [evaluate(state.board + shown[seat]) if seat in shown else 0 for seat in range(len(state.holdings))]
            payoffs = live.state.payoffs(ranks)
        else:
            payoffs = live.state.payoffs()
        self._worker.tell(partial(self._seat.end, payoffs, shown))
        self._worker.flush()  # players learn while the others go on
        self.hands += 1
        self.chips += payoffs[state.position]
        known = {state.position: state.holdings[state.position], **shown}
        actions = [Action.of(decision) for decision in live.decisions]
        return Hand(SOURCE, live.hand_id, live.spec, live.players, actions, live.dealt, known)
