"""Messages of the ACPC's protocol 2.0.0: states, replies, and lines of a connection.

A state is ``MATCHSTATE:position:hand:betting:holdings/flop/turn/river``, where holdings are separated by ``|``, and
empty if they are hidden. The answer to it is the same line, followed by ``:`` and ``f``, ``c`` or ``r``, in no limit
``r`` and the chips that the player has then put in over the whole hand.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Sequence
from typing import NamedTuple

from pokermodel.cards import CARDS
from pokermodel.game import BOARD_CARDS, Act
from pokermodel.histories.acpc import board_text, holdings_text

__all__ = [
    "LETTERS",
    "MOST_LINE",
    "VERSION",
    "Lines",
    "LogStep",
    "MatchState",
    "ProtocolError",
    "Rounds",
    "betting_text",
    "parse_reply",
    "parse_state",
    "quoted",
]

VERSION = "VERSION:2.0.0"
#: Bytes of a line. One of ten players who raise as often as no limit allows has a few thousand.
MOST_LINE = 1 << 16
LETTERS = {Act.FOLD: "f", Act.CALL: "c", Act.RAISE: "r"}

_ACTS = {letter: act for act, letter in LETTERS.items()}
_STATE = re.compile(
    r"MATCHSTATE:(?P<position>[0-9]{1,2}):(?P<number>[0-9]{1,10}):(?P<betting>(?:[fc]|r[0-9]{0,12}|/)*)"
    r":(?P<holdings>[2-9TJQKAcdhs|]*)(?P<board>(?:/[2-9TJQKAcdhs]*)*)"
)
_STEP = re.compile(r"([fcr])([0-9]*)")
_CARD = {text: index for index, text in enumerate(CARDS)}


class ProtocolError(ValueError):
    """A message that is damaged, contradicts those before it, or breaks the rules of the game."""


class LogStep(NamedTuple):
    """An act as messages say it.

    Parameters
    ----------
    act : Act
        The action.
    amount : int, optional
        Chips that the player has put in over the whole hand after a raise; None for other acts, and in limit.
    """

    act: Act
    amount: int | None = None


#: What was done, by round.
Rounds = tuple[tuple[LogStep, ...], ...]


class MatchState(NamedTuple):
    """The dealer's view of a hand. As text it is a message without the end of the line.

    Parameters
    ----------
    position : int
        Of the player who receives it: 0 is the first seat after the button, of two players the big blind.
    number : int
        Number of the hand, from 0.
    rounds : tuple of tuple of LogStep
        The actions, for each round that was reached.
    holdings : tuple of tuple of int
        Cards by position, in the order of the message; empty where they are hidden.
    board : tuple of int
        The board so far.
    """

    position: int
    number: int
    rounds: Rounds
    holdings: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]

    def __str__(self) -> str:
        cards = holdings_text(self.holdings) + board_text(self.board)
        return f"MATCHSTATE:{self.position}:{self.number}:{betting_text(self.rounds)}:{cards}"


def betting_text(rounds: Sequence[Sequence[LogStep]]) -> str:
    """Return what was done as messages and logs say it."""
    return "/".join(
        ["".join([LETTERS[act] + ("" if amount is None else str(amount)) for act, amount in steps]) for steps in rounds]
    )


def parse_state(line: str) -> MatchState:
    """Read a state.

    Parameters
    ----------
    line : str
        Without the end of the line.

    Raises
    ------
    ProtocolError
        If it is damaged.

    Examples
    --------
    >>> state = parse_state("MATCHSTATE:0:3:cr:7d3d|")
    >>> state.number, state.rounds
    (3, ((LogStep(act=<Act.CALL: 1>, amount=None), LogStep(act=<Act.RAISE: 2>, amount=None)),))
    >>> str(state)
    'MATCHSTATE:0:3:cr:7d3d|'
    """
    state, end = _parse(line)
    if end != len(line):
        raise ProtocolError(f"expected a state, got {quoted(line)} with {quoted(line[end:])} behind it")
    return state


def parse_reply(line: str) -> tuple[MatchState, str]:
    """Read the answer to a state: the state, and the text of the act, which may be anything.

    Raises
    ------
    ProtocolError
        If the state is damaged, or there is no act.
    """
    state, end = _parse(line)
    if line[end : end + 1] != ":":
        raise ProtocolError(f"expected an act behind the state, got {quoted(line)}")
    return state, line[end + 1 :]


def _parse(line: str) -> tuple[MatchState, int]:
    found = _STATE.match(line)
    if found is None:
        raise ProtocolError(f"expected MATCHSTATE:position:hand:betting:cards, got {quoted(line)}")
    rounds = tuple(
        [
            tuple([LogStep(_ACTS[letter], int(amount) if amount else None) for letter, amount in _STEP.findall(text)])
            for text in found["betting"].split("/")
        ]
    )
    holdings = tuple([_cards(text, line) for text in found["holdings"].split("|")])
    streets = [_cards(text, line) for text in found["board"].split("/")[1:]]
    state = MatchState(int(found["position"]), int(found["number"]), rounds, holdings, sum(streets, ()))
    if len(rounds) > len(BOARD_CARDS):
        raise ProtocolError(f"expected at most {len(BOARD_CARDS)} rounds, got {quoted(line)}")
    if [len(street) for street in streets] != [3, 1, 1][: len(rounds) - 1]:
        raise ProtocolError(f"expected {BOARD_CARDS[len(rounds) - 1]} board cards, got {quoted(line)}")
    if any(len(holding) not in (0, 2) for holding in holdings):
        raise ProtocolError(f"expected two cards of each player, or none, got {quoted(line)}")
    if not 0 <= state.position < len(holdings) or len(holdings) == 1:
        raise ProtocolError(f"expected holdings of two players or more, and a position among them, got {quoted(line)}")
    cards = [card for holding in holdings for card in holding] + list(state.board)
    if len(set(cards)) != len(cards):
        raise ProtocolError(f"expected different cards, got {quoted(line)}")
    return state, found.end()


def _cards(text: str, line: str) -> tuple[int, ...]:
    try:
        return tuple([_CARD[text[k : k + 2]] for k in range(0, len(text), 2)])
    except KeyError:
        raise ProtocolError(f"expected cards as in 'AsKd', got {text!r} in {quoted(line)}") from None


def quoted(text: str) -> str:
    """Return text of a peer for a message: in quotation marks, and not all of it if it is long."""
    return repr(text if len(text) <= 80 else text[:77] + "...")


class Lines:
    """Lines of a connection, read one by one. Not more than `MOST_LINE` bytes and one packet are kept."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._read = bytearray()
        self._seen = 0  # bytes known to have no end of a line

    def read(self, deadline: float) -> str | None:
        """Return the next line without its end; None if the connection was closed.

        Raises `TimeoutError` if there is no whole line by then; `ProtocolError` if a line is too long, or the
        connection is closed in the middle of one.

        Parameters
        ----------
        deadline : float
            By `time.monotonic`.
        """
        while True:
            end = self._read.find(b"\n", self._seen)
            if end >= 0:
                line = bytes(self._read[:end])
                del self._read[: end + 1]
                self._seen = 0
                if len(line) > MOST_LINE:
                    raise ProtocolError(f"a line of {len(line):,} bytes: expected at most {MOST_LINE:,}")
                return line.removesuffix(b"\r").decode("latin-1")
            self._seen = len(self._read)
            if self._seen > MOST_LINE:
                raise ProtocolError(f"{self._seen:,} bytes without the end of a line: expected at most {MOST_LINE:,}")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._connection.settimeout(left)
            try:
                more = self._connection.recv(1 << 16)
            except TimeoutError:
                raise
            except OSError:  # reset by the peer
                more = b""
            if not more:
                if self._read:
                    raise ProtocolError(f"closed in the middle of a line: {quoted(self._read.decode('latin-1'))}")
                return None
            self._read += more
