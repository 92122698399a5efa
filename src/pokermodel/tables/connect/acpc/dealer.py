"""A dealer of the ACPC's protocol 2.0.0: the cards of the competition's dealer, its rules and its logs."""

from __future__ import annotations

import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TextIO

import numpy as np

from pokermodel._core.evaluator import evaluate
from pokermodel.game import BOARD_CARDS, Act, GameSpec, State
from pokermodel.histories.acpc import chips_text, log_line
from pokermodel.tables.connect.acpc.limits import Clock, TimeLimits
from pokermodel.tables.connect.acpc.player import MatchPlayer
from pokermodel.tables.connect.acpc.protocol import (
    LETTERS,
    VERSION,
    Lines,
    LogStep,
    MatchState,
    ProtocolError,
    betting_text,
    parse_reply,
    quoted,
)

__all__ = ["Dealt", "Deck", "Listener", "LocalSeat", "MatchScore", "RemoteSeat", "SeatError", "TableSeat", "deal_match"]

_ACT = re.compile(r"([fcr])(-?[0-9]{1,18})?")
_LETTERS = {letter: act for act, letter in LETTERS.items()}
_VERSION = re.compile(r"VERSION:([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})")
#: Lines that are no states, in place of one answer, after which a seat is given up.
_MOST_NONSENSE = 1000
#: Chips of a seat where the game says nothing of stacks.
_DEEP = 2**31 - 1
#: Lines that are said of each seat.
_MOST_SAID = 10


class SeatError(ValueError):
    """A seat that cannot play on, which ends the match."""


class Dealt(NamedTuple):
    """The cards of a hand, in the order in which they were dealt.

    Parameters
    ----------
    holdings : tuple of (int, int)
        Two cards by position.
    board : tuple of int
        Five cards.
    """

    holdings: tuple[tuple[int, int], ...]
    board: tuple[int, ...]


class Deck:
    """The cards that the competition's dealer deals from a seed.

    A Mersenne twister chooses each card among those that are left in an array by suit and rank, and the last one
    takes the place of the one that was chosen.

    Parameters
    ----------
    seed : int
        0 to 2^32 - 1.

    Raises
    ------
    ValueError
        If it is out of range.

    Examples
    --------
    >>> from pokermodel.cards import cards_text
    >>> cards = Deck(11).deal(2)
    >>> [cards_text(holding) for holding in cards.holdings], cards_text(cards.board)
    (['3c4d', '9d6c'], '6d7hAsKsTd')
    """

    _ORDER = tuple(4 * rank + suit for suit in range(4) for rank in range(13))

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < 2**32:
            raise ValueError(f"the seed of a deck must be 0 to {2**32 - 1}, got {seed}")
        self._words = np.random.RandomState(seed)

    def deal(self, players: int) -> Dealt:
        """Deal the next hand."""
        count = 2 * players + 5
        deck, cards = list(self._ORDER), []
        for word in self._words.randint(0, 2**32, count, np.uint32).tolist():
            at = word % len(deck)
            cards.append(deck[at])
            last = deck.pop()
            if at < len(deck):
                deck[at] = last
        holdings = tuple([(cards[2 * k], cards[2 * k + 1]) for k in range(players)])
        return Dealt(holdings, tuple(cards[2 * players :]))


# ------------------------------------------------------------------------------------------------------------ seats


class TableSeat(Protocol):
    """Somebody at the dealer's table."""

    name: str

    def send(self, line: str, within: float) -> None:
        """Send a message; `SeatError` if that cannot be."""

    def read(self, within: float) -> str:
        """Return their next message; `SeatError` if there is none."""

    def close(self) -> None:
        """Let them go."""


class LocalSeat:
    """A player of ours in the dealer's process. Who thinks for too long folds, or checks where that is free.

    Parameters
    ----------
    player : MatchPlayer
        The player.
    """

    def __init__(self, player: MatchPlayer) -> None:
        self.name = player.name
        self._player = player

    def send(self, line: str, within: float) -> None:
        """Send a message; `SeatError` if that cannot be."""
        try:
            self._player.see(line)
        except ProtocolError as error:  # names or a game that are not those of the table
            raise SeatError(f"{self.name} refuses what it is told: {error}") from None

    def read(self, within: float) -> str:
        """Return their next message; `SeatError` if there is none."""
        return self._player.answer(0.9 * within)

    def close(self) -> None:
        """Let them go."""
        self._player.close()


class Listener:
    """Where a player can connect, once.

    Parameters
    ----------
    name : str
        Name of the player who is expected.
    host : str
        Address at which to wait.
    port : int
        Port; 0 for any free port.

    Attributes
    ----------
    name : str
        As given.
    port : int
        The port.

    Raises
    ------
    OSError
        If that port cannot be had.
    """

    def __init__(self, name: str, host: str = "127.0.0.1", port: int = 0) -> None:
        self.name = name
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family, backlog=1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"{host}, port {port}") from None
        self.port = int(self._socket.getsockname()[1])

    def close(self) -> None:
        """Wait no longer."""
        self._socket.close()

    def accept(self, within: float, say: Callable[[str], None] = lambda text: None) -> RemoteSeat:
        """Wait for the player, and for the version of the protocol.

        Parameters
        ----------
        within : float
            Seconds.
        say : callable
            Gets a line if the version is another one.

        Raises
        ------
        SeatError
            If no client connects in time, or the client is no player.
        """
        deadline = time.monotonic() + within
        try:
            self._socket.settimeout(within)
            connection, _ = self._socket.accept()
        except TimeoutError:
            raise SeatError(f"{self.name} has not connected within {within:g} s") from None
        finally:
            self.close()
        seat = RemoteSeat(self.name, connection)
        try:
            line = seat._line(deadline)
            found = _VERSION.fullmatch(line)
            if found is None:
                raise SeatError(f"{self.name} sent {quoted(line)}: expected {VERSION} first")
            if int(found[1]) != int(VERSION[8]):
                say(f"{self.name} speaks {line}, and this is a dealer of {VERSION}: the match goes on")
        except TimeoutError:
            seat.close()
            raise SeatError(f"{self.name} sent no version of the protocol within {within:g} s") from None
        except SeatError:
            seat.close()
            raise
        return seat


class RemoteSeat:
    """A player at the other end of a connection.

    Parameters
    ----------
    name : str
        Their name.
    connection : socket.socket
        Is closed by `close`.
    """

    def __init__(self, name: str, connection: socket.socket) -> None:
        self.name = name
        self._connection = connection
        self._lines = Lines(connection)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _line(self, deadline: float) -> str:
        try:
            line = self._lines.read(deadline)
        except ProtocolError as error:
            raise SeatError(f"{self.name}: {error}") from None
        if line is None:
            raise SeatError(f"{self.name} closed the connection")
        return line

    def send(self, line: str, within: float) -> None:
        """Send a message; `SeatError` if that cannot be."""
        self._connection.settimeout(max(within, 0.001))
        try:
            self._connection.sendall(f"{line}\r\n".encode())
        except TimeoutError:
            raise SeatError(f"{self.name} has not read its messages for {within:g} s") from None
        except OSError:
            raise SeatError(f"{self.name} closed the connection") from None

    def read(self, within: float) -> str:
        """Return their next message; `SeatError` if there is none."""
        return self._line(time.monotonic() + within)

    def close(self) -> None:
        """Let them go."""
        self._connection.close()


# ------------------------------------------------------------------------------------------------------------ match


@dataclass(slots=True)
class MatchScore:
    """How a match went, as the dealer knows it.

    Attributes
    ----------
    names : tuple of str
        Names by seat.
    hands : int
        Number of finished hands.
    chips : list of float
        Chips that each seat has won.
    changed : list of int
        How many answers of each seat were not legal, and were made a call or another size.
    """

    names: tuple[str, ...]
    hands: int
    chips: list[float]
    changed: list[int]

    def __str__(self) -> str:
        return f"SCORE:{chips_text(self.chips)}:{'|'.join(self.names)}"


def deal_match(
    spec: GameSpec,
    seats: Sequence[TableSeat],
    hands: int,
    seed: int,
    *,
    log: TextIO | None = None,
    match: str = "match",
    game: str = "game",
    limits: TimeLimits | None = None,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] | None = None,
) -> MatchScore:
    """Deal a match.

    Cards, rules and log are those of the competition's dealer: the same acts with the same seed make the same log.
    The button moves by one seat each hand. A fold where nothing is to call, a raise over the cap, and anything else
    that is no act counts as a call; the size of a raise is moved into its range. Lines that answer another state, or
    are no states, are skipped.

    Parameters
    ----------
    spec : GameSpec
        The game: limit or no limit.
    seats : sequence of TableSeat
        Who plays; the first one has the first position of the first hand. They are left open.
    hands : int
        Number of hands to play.
    seed : int
        Seed of the cards, as for `Deck`.
    log : text file, optional
        Gets the log, hand by hand.
    match, game : str
        Names of the match and of the game for the first line of the log, without blanks.
    limits : TimeLimits, optional
        How long players may take. Default: as the competition's dealer.
    say : callable, optional
        Gets lines of text about answers that were changed or skipped, at most ten a seat.
    progress : callable, optional
        Gets the number of hands when one is finished.

    Raises
    ------
    SeatError
        If a seat takes too long, closes its connection or sends what cannot be read. The hands before are in the log,
        and no score.
    ValueError
        If the game is not one of the protocol, or names or numbers do not fit.
    PlayerError
        If one of our players fails.
    """
    dealer = _Dealer(spec, seats, hands, seed, limits, say)
    allowed = dealer.limits
    times = ("response", allowed.response), ("hand", allowed.hand), ("per_hand", allowed.per_hand)
    if log is not None:
        log.write(f"# name/game/hands/seed {match} {game} {hands} {seed}\n")
        log.writelines(f"#--t_{name} {round(1000 * seconds)}\n" for name, seconds in times)
    for number in range(hands):
        line = dealer.play(number)
        if log is not None:
            log.write(line + "\n")
        if progress is not None:
            progress(number + 1)
    if log is not None:
        log.write(f"{dealer.score}\n")
    return dealer.score


class _Dealer:
    """Plays hands."""

    def __init__(
        self,
        spec: GameSpec,
        seats: Sequence[TableSeat],
        hands: int,
        seed: int,
        limits: TimeLimits | None,
        say: Callable[[str], None],
    ) -> None:
        spec.to_acpc()  # raises if the protocol cannot say what game it is
        names = tuple([seat.name for seat in seats])
        if len(names) != spec.players:
            raise ValueError(f"a game of {spec.players} players, and {len(names)} sit at the table")
        for name in names:
            if not re.fullmatch(r"[^\s:|#]+", name):
                raise ValueError(f"the name {name!r} cannot be in a log: expected one without blanks, ':', '|' and '#'")
        if len(set(names)) != len(names):
            raise ValueError(f"players must have different names, got {', '.join(names)}")
        if hands < 1:
            raise ValueError(f"a match has 1 hand or more, got {hands}")
        self.spec = spec
        self.seats = tuple(seats)
        self.hands = hands
        self.limits = TimeLimits() if limits is None else limits
        self.score = MatchScore(names, 0, [0.0] * len(names), [0] * len(names))
        self._deck = Deck(seed)
        self._clocks = [Clock(self.limits) for _ in names]
        self._say = say
        self._said: Counter[int] = Counter()

    def play(self, number: int) -> str:
        """Play a hand, and return its line of the log."""
        players = len(self.seats)
        cards = self._deck.deal(players)
        state = State(self.spec)
        rounds: list[list[LogStep]] = [[]]
        for clock in self._clocks:
            clock.begin()
        while True:
            asked = self._show(number, state, rounds, cards)
            if state.over:
                break
            step = self._step(asked, number, state)
            round, base = state.round, state.round_base
            state.act(step.act, None if step.amount is None else step.amount - base)
            rounds[-1].append(step)
            rounds += [[] for _ in range(state.round - round)]
        board = cards.board[: BOARD_CARDS[state.round]]
        if state.showdown:
            active = state.active
            ranks = [evaluate(board + cards.holdings[k]) if k in active else 0 for k in range(players)]
            payoffs = state.payoffs(ranks)
        else:
            payoffs = state.payoffs()
        names = [self.seats[self._seat(number, position)].name for position in range(players)]
        for position, won in enumerate(payoffs):
            self.score.chips[self._seat(number, position)] += won
        self.score.hands += 1
        return log_line(number, betting_text(rounds), cards.holdings, board, payoffs, names)

    def _seat(self, number: int, position: int) -> int:
        """Who plays a position in a hand."""
        return (position + number) % len(self.seats)

    def _show(self, number: int, state: State, rounds: Sequence[Sequence[LogStep]], cards: Dealt) -> MatchState | None:
        """Tell everybody the state; return what the one was told whose turn it is."""
        asked = None
        open_to_all = state.active if state.showdown else ()
        done = tuple(map(tuple, rounds))
        board = cards.board[: BOARD_CARDS[state.round]]
        for position in range(len(self.seats)):
            holdings = tuple(
                [holding if k == position or k in open_to_all else () for k, holding in enumerate(cards.holdings)]
            )
            message = MatchState(position, number, done, holdings, board)
            if position == state.seat:
                asked = message
            seat = self._seat(number, position)
            try:
                self.seats[seat].send(str(message), self.limits.response)
            except SeatError as error:
                self._stop(seat, number, error)
        return asked

    def _stop(self, seat: int, number: int, error: object) -> None:
        raise SeatError(f"hand {number}: seat {seat + 1}, {error}: the match ends without a score") from None

    def _note(self, seat: int, number: int, text: str) -> None:
        """Say something of a seat, unless much has been said of it."""
        self._said[seat] += 1
        if self._said[seat] <= _MOST_SAID:
            more = " (no more is said of this seat)" if self._said[seat] == _MOST_SAID else ""
            self._say(f"hand {number}: seat {seat + 1}, {self.seats[seat].name}, {text}{more}")

    def _step(self, asked: MatchState | None, number: int, state: State) -> LogStep:
        """Wait for the answer of the seat to act, and make it legal."""
        assert asked is not None
        seat = self._seat(number, state.seat)
        text = self._answer(seat, str(asked), asked, number)
        found = _ACT.match(text)
        act = Act.CALL if found is None else _LETTERS[found[1]]
        amount = None if found is None or found[2] is None else int(found[2])
        fixed = self.spec.structure.fixed
        if found is None or (act == Act.RAISE and not fixed and amount is None):
            return self._changed(seat, number, f"answered {quoted(text)}: expected f, c or r, taken as a call")
        if act not in state.legal():
            return self._changed(seat, number, f"answered {quoted(text)}: not legal, taken as a call")
        if act != Act.RAISE or fixed:
            return LogStep(act)
        bounds = state.raise_range()
        assert bounds is not None
        assert amount is not None
        most = _DEEP - state.round_base if bounds[1] is None else bounds[1]
        size = max(bounds[0], min(most, amount - state.round_base)) + state.round_base
        if size != amount:
            self._changed(seat, number, f"raised to {amount}: taken as {size}")
        return LogStep(act, size)

    def _changed(self, seat: int, number: int, text: str) -> LogStep:
        self.score.changed[seat] += 1
        self._note(seat, number, text)
        return LogStep(Act.CALL)

    def _answer(self, seat: int, sent: str, asked: MatchState, number: int) -> str:
        """Return the act that a seat answers a state with, as text."""
        clock = self._clocks[seat]
        left = clock.left(self.hands)
        begun = time.monotonic()
        nonsense = 0
        name = self.seats[seat].name
        while True:
            try:
                line = self.seats[seat].read(left - (time.monotonic() - begun))
            except TimeoutError:
                line = None
            except SeatError as error:
                self._stop(seat, number, error)
            taken = time.monotonic() - begun
            if line is None or taken > left:
                self._stop(seat, number, f"{name} has not answered within {max(left, 0.0):.3g} s")
            elif line.startswith(sent) and line[len(sent) : len(sent) + 1] == ":":
                clock.take(taken)
                return line[len(sent) + 1 :]
            elif not line.startswith(("#", ";")):
                try:
                    state, text = parse_reply(line)
                except ProtocolError:
                    nonsense += 1
                    self._note(seat, number, f"sent {quoted(line)}: expected an answer to a state, skipped")
                    if nonsense >= _MOST_NONSENSE:
                        self._stop(seat, number, f"{name} sent {nonsense:,} lines that are no answers")
                    continue
                if state == asked:  # written in another way
                    clock.take(taken)
                    return text
