"""A client of the ACPC's dealer: one of our players takes a seat."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import NamedTuple

from pokermodel._support.words import counted
from pokermodel.tables.connect.acpc.limits import Clock, TimeLimits
from pokermodel.tables.connect.acpc.player import MatchPlayer
from pokermodel.tables.connect.acpc.protocol import VERSION, Lines, ProtocolError

__all__ = ["MatchResult", "join_match"]


class MatchResult(NamedTuple):
    """How a match went, as one of its players saw it.

    Parameters
    ----------
    hands : int
        Number of finished hands.
    chips : float
        Chips that the player won in them.
    late : int
        Number of answers that were not ready in time.
    reason : str
        Why the match ended.
    complete : bool
        Whether it ended between two hands, because the dealer closed the connection.
    """

    hands: int
    chips: float
    late: int
    reason: str
    complete: bool


def join_match(
    host: str,
    port: int,
    player: MatchPlayer,
    *,
    limits: TimeLimits | None = None,
    silence: float = 3600.0,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play a match at a dealer of the ACPC, protocol 2.0.0, until it ends.

    Parameters
    ----------
    host : str
        Name or address of the dealer's machine.
    port : int
        The seat's port.
    player : MatchPlayer
        The player, which stays open.
    limits : TimeLimits, optional
        Time limits of the dealer. Default: those of the competition's dealer. The number of hands is not in the
        protocol, so the time for the match is counted for the hands so far. The player gets nine tenths of the rest.
    silence : float
        Seconds without a message after which the match is given up.
    progress : callable, optional
        Gets the number of hands when one is finished.

    Returns
    -------
    MatchResult
        It has the reason if the match ended early, which raises nothing.

    Raises
    ------
    ConnectionError
        If there is no connection.
    PlayerError
        If the player fails.
    """
    clock = Clock(TimeLimits() if limits is None else limits)
    try:
        connection = socket.create_connection((host, port), timeout=clock.limits.response)
    except OSError as error:
        raise ConnectionError(f"no connection to {host}, port {port}: {error.strerror or error}") from error
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reason, complete = _play(connection, player, clock, silence, progress)
    return MatchResult(player.hands, player.chips, player.late, reason, complete)


def _play(
    connection: socket.socket,
    player: MatchPlayer,
    clock: Clock,
    silence: float,
    progress: Callable[[int], None] | None,
) -> tuple[str, bool]:
    """Play, and return why it ended, and whether all is well."""
    lines = Lines(connection)
    number = None
    try:
        _send(connection, VERSION, clock)
        while True:
            line = lines.read(time.monotonic() + silence)
            if line is None:
                break
            if line.startswith(("#", ";")):
                continue
            received = time.monotonic()
            done = player.hands
            player.see(line)
            if player.number is not None and player.number != number:
                number = player.number
                clock.begin()
            if player.hands != done and progress is not None:
                progress(player.hands)
            if player.to_act:
                begun = player.hands + 1
                answer = player.answer(clock.spare(begun) - (time.monotonic() - received))
                clock.take(time.monotonic() - received)
                _send(connection, answer, clock)
    except TimeoutError:
        return f"the dealer sent nothing for {silence:g} s{_where(player)}", False
    except ProtocolError as error:
        return f"the dealer broke the protocol: {error}", False
    except OSError as error:
        return f"the connection broke{_where(player)}: {error.strerror or error}", False
    where = _where(player)
    after = f" after {counted(player.hands, 'hand')}"
    return f"the dealer closed the connection{where or after}", not where and player.hands > 0


def _where(player: MatchPlayer) -> str:
    return "" if player.number is None else f" in hand {player.number}"


def _send(connection: socket.socket, line: str, clock: Clock) -> None:
    connection.settimeout(clock.limits.response)
    try:
        connection.sendall(f"{line}\r\n".encode())
    except TimeoutError:
        raise ConnectionError(f"the dealer has not read its messages for {clock.limits.response:g} s") from None
