"""Play one hand between players at a table."""

from __future__ import annotations

import math
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeVar

import numpy as np

from pokermodel._core.evaluator import evaluate
from pokermodel.errors import BookError
from pokermodel.game import BOARD_CARDS, Act, Action, Decision, GameSpec, Hand, LiveHand, State
from pokermodel.histories import phh
from pokermodel.reading.expectation import Expectation
from pokermodel.tables.players.common import CommonKnowledge
from pokermodel.tables.players.player import HandEnd, Player
from pokermodel.tables.players.seat import IllegalAct, Seat, check_structure

__all__ = ["Deal", "Failure", "PlayerFailed", "TableHand", "deal_cards", "play_hand"]


T = TypeVar("T")


class Deal(NamedTuple):
    """The cards of a hand."""

    #: Two cards for each seat, the higher index first.
    holdings: tuple[tuple[int, int], ...]
    #: Five cards.
    board: tuple[int, ...]


def deal_cards(players: int, rng: np.random.Generator) -> Deal:
    """Deal a hand for `players` seats: every order of the deck is as likely as any other."""
    deck = rng.permutation(52)[: 2 * players + 5].tolist()
    pairs = [(deck[2 * k], deck[2 * k + 1]) for k in range(players)]
    return Deal(tuple((max(pair), min(pair)) for pair in pairs), tuple(deck[2 * players :]))


class TableHand(NamedTuple):
    """A hand that was played."""

    source: str
    hand_id: str
    spec: GameSpec
    players: tuple[str, ...]
    deal: Deal
    decisions: tuple[Decision, ...]
    #: Chips won or lost, by seat; empty if the hand was broken off.
    payoffs: tuple[float, ...]

    def to_hand(self) -> Hand:
        """Return the hand for export, with all holdings and the board as far as it was dealt.

        A hand that was broken off is completed by folds.
        """
        state = State(self.spec)
        actions = []
        for decision in self.decisions:
            actions.append(Action.of(decision))
            state.act(decision.act, actions[-1].to)
        while not state.over:
            actions.append(Action(state.seat, Act.FOLD))
            state.act(Act.FOLD)
        return Hand(
            self.source,
            self.hand_id,
            self.spec,
            self.players,
            actions,
            self.deal.board[: BOARD_CARDS[state.round]],
            dict(enumerate(self.deal.holdings)),
            stated_payoffs=self.payoffs or None,
        )


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a player: an exception, an answer that is too late, or one that is not legal.

    Attributes
    ----------
    player : str
        Name of the player.
    hand_id : str
        Id of the hand.
    reason : str
        The error.
    hand : TableHand
        The hand up to the failure.
    """

    player: str
    hand_id: str
    reason: str
    hand: TableHand

    def to_phh(self) -> str:
        """Return the hand as a PHH document that begins with a comment about the failure."""
        done = len(self.hand.decisions)
        note = f"# {self}\n# The hand was broken off after {done} actions; the folds behind them only end it.\n"
        return note + phh.dumps(self.hand.to_hand())

    def __str__(self) -> str:
        return f"player {self.player} failed in hand {self.hand_id}: {self.reason}"


class PlayerFailed(Exception):  # noqa: N818  # the message reads so
    """Raised by `play_hand` when a player fails; `failure` has the details."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure)


class _OutOfTime(BaseException):
    """Interrupts a player. It is not an `Exception`, so that handlers of the player do not catch it."""


@contextmanager
def _alarms() -> Iterator[bool]:
    """Let an alarm interrupt players, where that can be: in the main thread of a POSIX process."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield False
        return

    def ring(*_: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Referee:
    """Calls the seats of a hand, and stops the hand when a player fails."""

    def __init__(self, seats: Sequence[Seat], hand: TableHand, time_limit: float | None, alarms: bool) -> None:
        self.seats = seats
        self.hand = hand
        self.decisions: list[Decision] = []
        self._limit = math.inf if time_limit is None else time_limit
        self._alarms = alarms and time_limit is not None

    def call(self, seat: int, method: str, ask: Callable[[], T]) -> T:
        started = time.monotonic()
        try:
            if self._alarms:  # repeated, since a player may catch the first one
                signal.setitimer(signal.ITIMER_REAL, self._limit, 0.1)
            answer = ask()
            if self._alarms:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            raise
        except _OutOfTime:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.fail(seat, f"{method} took longer than {self._limit:g} s")
        except IllegalAct as error:
            if self._alarms:
                signal.setitimer(signal.ITIMER_REAL, 0)
            self.fail(seat, str(error))
        except BookError:  # it lacks what the player starts from, which is no failure of the player
            if self._alarms:
                signal.setitimer(signal.ITIMER_REAL, 0)
            raise
        except BaseException as error:  # any other exception of a player is its failure, SystemExit included
            if self._alarms:
                signal.setitimer(signal.ITIMER_REAL, 0)
            where = traceback.extract_tb(error.__traceback__)[-1]
            text = " ".join(str(error).split())
            reason = f"{method} raised {type(error).__name__}{': ' if text else ''}{text}"
            self.fail(seat, f"{reason} ({Path(where.filename).name}, line {where.lineno})", error)
        if time.monotonic() - started > self._limit:
            self.fail(seat, f"{method} took longer than {self._limit:g} s")
        return answer

    def fail(self, seat: int, reason: str, cause: BaseException | None = None) -> NoReturn:
        hand = self.hand._replace(decisions=tuple(self.decisions))
        raise PlayerFailed(Failure(hand.players[seat], hand.hand_id, reason, hand)) from cause


def play_hand(
    spec: GameSpec,
    names: Sequence[str],
    players: Sequence[Player],
    deal: Deal,
    *,
    source: str = "arena",
    hand_id: str = "1",
    entropy: int = 0,
    streams: Sequence[tuple[int, ...]] | None = None,
    common: CommonKnowledge | None = None,
    time_limit: float | None = None,
    expectations: list[Expectation | None] | None = None,
) -> TableHand:
    """Play one hand.

    Parameters
    ----------
    spec : GameSpec
        The game.
    names : sequence of str
        Names of the players, by seat.
    players : sequence of Player
        The players, by seat.
    deal : Deal
        The cards.
    source, hand_id : str
        Source and id of the hand, as its decisions state them.
    entropy : int
        Seed of the players' randomness.
    streams : sequence of tuple of int, optional
        Each player's random stream, by seat; by default the numbers of the seats.
    common : CommonKnowledge, optional
        Knowledge that these players share; by default new.
    time_limit : float, optional
        Seconds that a player may take for an answer; unlimited by default. In the main thread of a POSIX process a
        player that exceeds the limit is interrupted, unless it runs compiled code or catches every exception. Elsewhere
        the limit is checked when the player answers.
    expectations : list, optional
        Receives the players' strategies before each action, or None (`Player.expectation`).

    Raises
    ------
    PlayerFailed
        If a player raises an exception, exceeds the time limit, or gives an answer that is not legal.
    ValueError
        If a player cannot play the game.
    """
    for player in players:
        check_structure(player, spec)
    names = tuple(names)
    shared = CommonKnowledge() if common is None else common
    live = LiveHand(spec, names, source=source, hand_id=hand_id)
    live.deal(deal.board)
    seats = [Seat(player, shared) for player in players]
    hand = TableHand(source, hand_id, spec, names, deal, (), ())
    with _alarms() as alarms:
        referee = _Referee(seats, hand, time_limit, alarms)
        referee.decisions = live.decisions
        shared.begin(live)
        for number, seat in enumerate(seats):
            stream = (number,) if streams is None else streams[number]
            holding = deal.holdings[number]
            referee.call(number, "begin", partial(seat.sit, live, number, holding, entropy, stream))
        watching = [(number, seat) for number, seat in enumerate(seats) if seat.watches]
        while not live.state.over:
            number = live.state.seat
            if expectations is not None:
                expectations.append(referee.call(number, "expectation", seats[number].expectation))
            decision = live.act(*referee.call(number, "act", seats[number].act))
            for other, seat in watching:
                referee.call(other, "observe", partial(seat.notify, decision))

        shown: dict[int, tuple[int, int]] = {}
        if live.state.showdown:
            shown = {number: deal.holdings[number] for number in live.state.active}
            ranks = [evaluate(deal.board + shown[number]) if number in shown else 0 for number in range(len(seats))]
            payoffs = live.state.payoffs(ranks)
        else:
            payoffs = live.state.payoffs()
        end = HandEnd(payoffs, live.dealt, MappingProxyType(shown))
        shared.end(end.board, end.shown)
        for number, seat in enumerate(seats):
            referee.call(number, "end", partial(seat.leave, end))
    return hand._replace(decisions=tuple(live.decisions), payoffs=payoffs)
