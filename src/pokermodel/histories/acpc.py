"""Logs of the dealer of the Annual Computer Poker Competition (ACPC), limit and no limit.

A line per hand: ``STATE:hand:betting:cards:results:names``, or in older logs ``names:hand:betting:cards:results``.
Seats are in the order of the positions in that hand; with two players the first has the big blind. A raise of no limit
has an amount: the player's total over the whole hand. The log of a dealer only names its game definition, so the usual
one for the number of players is used. Logs that this module writes have the definition in comments, which other
programs skip, before its hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import Literal

from pokermodel._support.forms import makes
from pokermodel._support.patterns import regex
from pokermodel.cards import CARDS, cards_text
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.histories._lines import Line, text_lines
from pokermodel.histories._sniff import ACPC_HEADER
from pokermodel.histories._time import epoch_time
from pokermodel.histories._writing import ErrorSink, texts
from pokermodel.histories.blocks import MOST_WITHOUT
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark

__all__ = [
    "board_text",
    "chips_text",
    "dumps",
    "dumps_all",
    "hands",
    "holdings_text",
    "log_line",
    "usual_game",
    "write",
]

_MOST_USUAL = 10  # players of a usual game
_ACTS = {"f": Act.FOLD, "c": Act.CALL, "r": Act.RAISE}
_LIMIT = frozenset("fcr/")
_AMOUNTS = regex(r"(?:[fc]|r[0-9]{1,9}|/)*")
_STEP = regex(r"([fcr])([0-9]*)")
_INDEX = {text: index for index, text in enumerate(CARDS)}
_EXPECTED = "expected STATE:hand:betting:cards:results:names"

# betting with amounts, in either kind of line
_NO_LIMIT = regex(r"(?:STATE|[^:|]+(?:\|[^:|]+)+):\d+:[fcrb/\d]*\d[fcrb/\d]*:")
_NUMBER = regex(r"[^:]+:([0-9]+):")  # of the hand, in either kind of line
_STAMP = regex(r"-?[0-9]{1,12}(\.[0-9]{1,12})?")  # seconds, behind the names; from before 1970, too
_AHEAD, _AHEAD_SIZE = 1000, 1 << 20  # lines and characters of a no-limit match, of which some hands look like limit
_DEFINITION = ("# GAMEDEF", "# END GAMEDEF")  # in comments
_LONGEST_DEFINITION = 100  # lines


def hands(
    path: Path,
    file: BufferedReader,
    skipped: Sink | None = None,
    spec: GameSpec | None = None,
    mark: ReaderMark | None = None,
) -> Iterator[Hand]:
    """Read the hands of a log. Each hand is replayed, and its payoffs are compared with those stated.

    Parameters
    ----------
    path : Path
        Path for error messages.
    file : io.BufferedReader
        The file, which is read on demand.
    skipped : Sink, optional
        Receives the errors of lines that cannot be read; None raises them.
    spec : GameSpec, optional
        The game. Default: the one that the log defines in comments, or else the usual one for the number of players,
        see `usual_game`.
    mark : ReaderMark, optional
        Says where the file goes on.

    Raises
    ------
    HistoryError
        If a line is damaged, breaks the rules or contradicts its results, or there is no hand at all.
    """
    mark = ReaderMark() if mark is None else mark
    found = bool(mark.start)
    last = mark.start[1] if mark.start else 0  # line of a hand
    lines = text_lines(file, mark.start[:2])
    first, size = list[Line](), 0
    damage: HistoryError | None = None
    try:
        for line in islice(lines, 0 if mark.start else _AHEAD):
            first.append(line)
            size += len(line.text)
            if size > _AHEAD_SIZE:
                break
    except HistoryError as broken:  # which is raised when the lines before it are read
        damage, lines = broken, iter(())
    amounts = [line.number for line in first if _NO_LIMIT.match(line.text.strip())]
    no_limit = 2 * len(amounts) > sum(not _is_comment(line.text.strip()) for line in first)
    if mark.start:
        no_limit = bool(mark.start[2])
    definition: list[str] | None = None  # lines of the one that is being read
    defined: GameSpec | None = None
    for number, text, at in chain(first, lines):
        text = text.strip()
        no_limit = no_limit or ("nolimit" in text and text.startswith(ACPC_HEADER.decode()))
        if _is_comment(text):
            if text == _DEFINITION[0]:
                definition = []
            if definition is not None and text.startswith("#") and len(definition) < _LONGEST_DEFINITION:
                definition.append(text.removeprefix("#"))
            if definition is not None and text == _DEFINITION[1]:
                defined, definition = _defined(definition), None
            continue
        try:
            found = True
            hand = _hand(text, defined if spec is None else spec, no_limit)
        except ValueError as reason:
            found_id = _NUMBER.match(text)
            error = HistoryError(str(reason), str(path), number, found_id and found_id[1])
            if skipped is None:
                raise error from None
            skipped.append(error)
            if number - last >= MOST_WITHOUT:
                what = f"{MOST_WITHOUT:,} lines without a hand: the rest of the file is not read"
                skipped.append(HistoryError(what, str(path)))
                return
            continue
        last = number
        mark.at = (*at, no_limit) if defined is None or spec is not None else ()  # reading goes on from the definition
        yield hand
    if damage is not None:
        raise damage
    if not found:
        error = HistoryError(f"no hand found: {_EXPECTED}", str(path))
        if skipped is None:
            raise error
        skipped.append(error)


@cache
def usual_game(players: int, structure: Literal["limit", "no limit"] = "limit") -> GameSpec:
    """The game that the competition played.

    In limit blinds of 5 and 10, bets of 10 and 20, at most three raises before the flop and four bets and raises in
    later rounds; in no limit blinds of 50 and 100, and 20,000 chips. The first seat has the small blind; of two
    players, the big blind. Raises `ValueError` if there is no usual game of as many players.

    Parameters
    ----------
    players : int
        2 to 10.
    structure : {"limit", "no limit"}
        The betting structure.
    """
    if not 2 <= players <= _MOST_USUAL:
        raise ValueError(f"{players} players: expected 2 to {_MOST_USUAL}, or a game definition for others")
    if structure == "no limit":
        game = GameSpec.no_limit(players, 50, 100, stacks=[20_000] * players, button=1 if players == 2 else 0)
        return replace(game, max_raises=(255,) * 4, reopening="any", min_raise="cumulative")
    game = GameSpec.heads_up(5, 10, button=1) if players == 2 else GameSpec.ring(players, 5, 10)
    return replace(game, reopening="any")


def _is_comment(line: str) -> bool:
    return not line or line.startswith(("#", ";", "SCORE:"))


def _defined(lines: list[str]) -> GameSpec | None:
    """Return the game that comments define; None if they do not, so that the usual one holds."""
    try:
        return GameSpec.from_acpc("\n".join(lines))
    except ValueError:
        return None


def _hand(line: str, spec: GameSpec | None, no_limit: bool) -> Hand:
    """Read one line, and compare its results; raises `ValueError`."""
    hand = _unpaid(line, spec, no_limit)
    assert hand.stated_payoffs is not None
    for seat, (ours, theirs) in enumerate(zip(hand.payoffs, hand.stated_payoffs, strict=True)):
        if not abs(ours - theirs) < 1e-3:  # the log has at most six decimals
            raise ValueError(f"hand {hand.id}: {hand.players[seat]} wins {ours:g}, but the log says {theirs:g}")
    return hand


def _unpaid(line: str, spec: GameSpec | None, no_limit: bool) -> Hand:
    """Read one line, whatever its results; raises `ValueError`. The game is looked up where there is no `spec`."""
    fields = line.split(":")
    if len(fields) == 6 and fields[0] == "STATE":
        _, hand_id, betting, cards, results, names = fields
        names, _, stamp = names.partition(" # ")
    elif len(fields) == 5 and fields[0] != "STATE":
        names, hand_id, betting, cards, results = fields
        stamp = ""
    else:
        raise ValueError(f"{_EXPECTED}, got {line[:60]!r}")
    if not hand_id.isdecimal():
        raise ValueError(f"the hand's number must be digits, got {hand_id[:20]!r}")
    players, outcomes = names.split("|"), results.split("|")
    hole, *streets = cards.split("/")
    holes = hole.split("|")
    if not len(players) == len(holes) == len(outcomes):
        counts = f"{len(holes)}, {len(outcomes)}, {len(players)}"
        raise ValueError(f"expected as many holdings and results as names, got {counts}")
    if spec is None:
        spec = usual_game(len(players), "no limit" if no_limit else "limit")
    elif spec.players != len(players):
        raise ValueError(f"{len(players)} players, expected {spec.players}")

    actions, state = _actions(betting, spec)
    holdings = {seat: _cards(text) for seat, text in enumerate(holes) if text}
    board = _cards("".join(streets))
    if [len(street) // 2 for street in streets] != [3, 1, 1][: state.round]:
        raise ValueError(f"board {'/'.join(streets)!r} does not fit, expected {BOARD_CARDS[state.round]} cards")
    try:
        stated = tuple(map(float, outcomes))
    except ValueError:
        raise ValueError(f"results must be numbers, got {results[:60]!r}") from None
    time = epoch_time(float(stamp)) if _STAMP.fullmatch(stamp) else None
    hand = Hand("acpc", hand_id, spec, players, actions, board, holdings, stated_payoffs=stated, time=time)
    hand._played(state)
    return hand


def _actions(betting: str, spec: GameSpec) -> tuple[list[Action], State]:
    """Return the actions with their seats, and the state at the end."""
    fixed = spec.structure.fixed
    if fixed and not _LIMIT.issuperset(betting):
        what = "betting with amounts is not limit" if re.fullmatch(r"[fcrb/\d]+", betting) else "unknown betting"
        raise ValueError(f"{what}: expected f, c, r and / only, got {betting[:40]!r}")
    if not fixed and not _AMOUNTS.fullmatch(betting):
        raise ValueError(f"unknown betting: expected f, c, r with an amount and / only, got {betting[:40]!r}")
    state = State(spec)
    actions = []
    for street, letters in enumerate(betting.split("/")):
        for letter, amount in _STEP.findall(letters):
            if state.over or state.round != street:
                raise ValueError(f"betting {betting!r} goes on after the end of round {street + 1}")
            to = int(amount) - state.round_base if amount else None
            actions.append(Action(state.seat, _ACTS[letter], to=to))
            state.act(_ACTS[letter], to)
        if not state.over and state.round == street:
            raise ValueError(f"betting {betting!r} is cut short in round {street + 1}")
    if not state.over:
        raise ValueError(f"betting {betting!r} is cut short after round {street + 1}")
    return actions, state


def _cards(text: str) -> tuple[int, ...]:
    try:
        return tuple([_INDEX[text[i : i + 2]] for i in range(0, len(text), 2)])
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} in {text!r} is not a card, expected text as in 'As'") from None


# ------------------------------------------------------------------------------------------------------- writing


def holdings_text(holdings: Iterable[Sequence[int]]) -> str:
    """Return holdings by seat as the dealer writes them; an empty one is not known."""
    return "|".join([cards_text(holding) for holding in holdings])


def board_text(board: Sequence[int]) -> str:
    """Return a board as the dealer writes it behind the holdings: ``"/7d9hAs/Ks"``."""
    streets = (board[:3], board[3:4], board[4:5])
    return "".join(["/" + cards_text(street) for street in streets if street])


def chips_text(chips: Sequence[float]) -> str:
    """Return payoffs by seat as the dealer writes them: at most six decimals, and none that are 0."""
    texts = [f"{amount:.6f}".rstrip("0").rstrip(".") for amount in chips]
    return "|".join(["0" if text == "-0" else text for text in texts])


def log_line(
    number: int | str,
    betting: str,
    holdings: Iterable[Sequence[int]],
    board: Sequence[int],
    payoffs: Sequence[float],
    names: Iterable[str],
) -> str:
    """Return the line of a hand in a log of the dealer.

    Parameters
    ----------
    betting : str
        The acts, rounds separated by ``/``.
    holdings : iterable of sequence of int
        Cards by seat; an empty sequence if they are not known.
    payoffs : sequence of float
        Chips that each seat won or lost.
    names : iterable of str
        By seat.

    Examples
    --------
    >>> log_line(7, "rf", [(1, 0), (51, 50)], (), (-10.0, 10.0), ("Ann", "Bob"))
    'STATE:7:rf:2d2c|AsAh:-10|10:Ann|Bob'
    """
    cards = holdings_text(holdings) + board_text(board)
    return f"STATE:{number}:{betting}:{cards}:{chips_text(payoffs)}:{'|'.join(names)}"


@makes("acpc", Hand)
def dumps(hand: Hand) -> str:
    """Write a hand as a line of a log, as the dealer of the competition does.

    Amounts are chips of the hand. The line does not say what game it is of: `write` and `dumps_all` do.

    Raises
    ------
    ValueError
        If the hand breaks the rules, or the format cannot express it: another structure than limit and no limit, antes,
        a player that left out of turn, a fold with nothing to call, two boards, an id that is not a number, names with
        the marks of the format, or a hand that the dealer's rules, by which short all-ins are raises, pay differently.
    """
    if not hand.id.isdecimal():
        raise ValueError(f"hand {hand.id}: an ACPC log cannot express it: the hand's number must be digits")
    return _Line(hand, hand.id).text


def dumps_all(hands: Iterable[Hand]) -> str:
    """Write hands as the text of a log; parameters and errors are those of `dumps`, and the log is that of `write`."""
    return "".join(write(hands))


def write(hands: Iterable[Hand], skipped: ErrorSink | None = None) -> Iterator[str]:
    """Write hands as pieces of the text of a log, one for each hand.

    The game definition is in comments before the first hand, and wherever it changes. The programs of the competition
    expect one game in a log. A hand whose id is not a number gets its place in the log, from 0.

    Parameters
    ----------
    skipped : ErrorSink, optional
        Receives the errors of hands that the format cannot express, which are left out; None raises them.

    Raises
    ------
    ValueError
        As `dumps` does, without `skipped`.
    """
    before, written = "", 0

    def with_definition(hand: Hand) -> str:
        nonlocal before, written
        line = _Line(hand, str(written))
        written += 1
        if line.definition == before:
            return line.text
        before = line.definition
        return "".join(f"# {each}\n" for each in before.splitlines()) + line.text

    yield from texts(hands, with_definition, skipped)


class _Line:
    """A hand as a line of a log."""

    def __init__(self, hand: Hand, place: str) -> None:
        try:
            self.definition = _definition(hand)
            number = hand.id if hand.id.isdecimal() else place
            self.text = _line(hand, number, GameSpec.from_acpc(self.definition))
        except ValueError as error:
            reason = str(error).removeprefix(f"hand {hand.id}: ")
            raise ValueError(f"hand {hand.id}: an ACPC log cannot express it: {reason}") from None


def _definition(hand: Hand) -> str:
    """Return the definition of a hand's game; raises `ValueError`."""
    stacks = hand.stacks or ()
    if hand.spec.structure.fixed and not hand._final().all_in:
        stacks = ()  # which nobody felt
    known = tuple([stack for stack in stacks if stack is not None])
    if len(known) not in (0, hand.spec.players):
        raise ValueError("the stacks of some players are known, and those of others are not")
    return replace(hand.spec, stacks=known).to_acpc()


def _line(hand: Hand, number: str, rules: GameSpec) -> str:
    """Return the line of a hand in a game; raises `ValueError`."""
    if hand.second_board:
        raise ValueError("it has more boards than one")
    betting, stamp = _betting(hand), _stamp(hand.time)
    holdings = [hand.holdings.get(seat, ()) for seat in range(rules.players)]
    again = _unpaid(
        log_line(number, betting, holdings, hand.board, [0.0] * rules.players, hand.players).rstrip() + stamp,
        rules,
        False,
    )
    if again.players != hand.players:
        raise ValueError("names must not have the marks : and |, nor blanks around them")
    if again.actions != hand.actions or any(
        abs(ours - theirs) >= 1
        for ours, theirs in zip(hand.payoffs, again.payoffs, strict=True)  # but for odd chips
    ):
        raise ValueError("the rules of the dealer differ from those of the hand")
    return f"{log_line(number, betting, holdings, hand.board, again.payoffs, hand.players)}{stamp}\n"


def _betting(hand: Hand) -> str:
    """Return what was done; raises `ValueError`."""
    letters, street = "", 0
    for decision in hand.replay():
        letters += "/" * (decision.round - street)
        street = decision.round
        if decision.out_of_turn:
            raise ValueError(f"{decision.player} left out of turn")
        if decision.act is Act.FOLD and not decision.to_call:
            raise ValueError(f"{decision.player} folds although there is nothing to call")
        sized = decision.act is Act.RAISE and not hand.spec.structure.fixed
        letters += f"r{decision.to_in_hand}" if sized else "fcr"[decision.act]
    return letters + "/" * (hand.last_round - street)


def _stamp(time: datetime | None) -> str:
    """Return the time of a hand as it stands behind the names."""
    if time is None:
        return ""
    seconds = (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    return f" # {chips_text([seconds])}"
