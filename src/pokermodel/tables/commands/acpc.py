"""``pokermodel acpc``: a player at the dealer of the ACPC, and a dealer."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pokermodel._support.patterns import regex
from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_names
from pokermodel.cli._options import JSON, book, seed, together
from pokermodel.cli._progress import progress
from pokermodel.tables.commands import LINES
from pokermodel.tables.commands._games import (
    ACPC_GAMES,
    GAME,
    NAMES,
    hands,
    players,
    read_acpc_game,
    read_definition,
    split,
)
from pokermodel.tables.commands._listings import ListsPlayers

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.library import Book
    from pokermodel.tables.connect.acpc import MatchPlayer, MatchResult, TableSeat

__all__ = ["acpc"]

_BLOCK = 50  # hands that are learnt together
_REMOTE = regex(r"remote(?:\*([0-9]{1,2}))?")
_SECONDS = click.FloatRange(min=0, min_open=True, max=10**9)


class _Times(NamedTuple):
    """Most seconds for a decision, for those of a hand, and for a match, times its hands."""

    response_time: float
    hand_time: float
    time_per_hand: float


_with_times = together(
    "times",
    _Times,
    *(
        click.option(name, type=_SECONDS, default=default, show_default=True, metavar="SECONDS", help=what)
        for name, default, what in (
            ("--response-time", 600.0, "Most seconds for a decision."),
            ("--hand-time", 600.0, "Most seconds for the decisions of a hand."),
            ("--time-per-hand", 7.0, "Most seconds for the match, times its hands."),
        )
    ),
)


def _say(text: str) -> None:
    click.echo(text, err=True)


@contextmanager
def _stopped_by_signals() -> Iterator[Callable[[], None]]:
    """Let a request to terminate end the command as an interrupt from the keyboard does.

    Yields a function that raises `KeyboardInterrupt` if there was a request. It is there because the exception that a
    handler raises is lost where the interpreter happens to run a finaliser or a callback of its collector, whose
    exceptions it only prints: a match asks again after each hand.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        asked = True
        raise KeyboardInterrupt

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    # a shell that starts a command in the background has it ignore the keyboard
    heard = [number for number in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _each_hand(check: Callable[[], None], shown: Callable[..., None] | None) -> Callable[..., None]:
    """Return what is told of each hand: it looks for a request to stop, and shows progress."""

    def each(*numbers: int) -> None:
        check()
        if shown is not None:
            shown(*numbers)

    return each


class _Learner:
    """Learns hands into a book, some at a time."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._hands: list[Hand] = []
        self.new = 0

    def add(self, hand: Hand) -> None:
        self._hands.append(hand)
        if len(self._hands) >= _BLOCK:
            self.write()

    def write(self) -> None:
        from pokermodel.learning import kinds

        self.new += self._book.learn(self._hands, kinds=kinds(), skipped=[]).new  # so that any player can start from it
        self._hands = []  # now: after an interrupt in between they are known, and not learnt twice


@click.group(short_help=LINES["acpc"])
def acpc() -> None:
    """Play or deal matches by the protocol of the Annual Computer Poker Competition."""


class _Seat(NamedTuple):
    """Who plays, and against whom."""

    player: str
    game: str
    names: list[str] | None
    seed: int | None
    silence: float


@acpc.command(cls=ListsPlayers, short_help="Play a match at a dealer.")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@together(
    "seat",
    _Seat,
    click.option(
        "--player",
        required=True,
        metavar="PLAYER",
        shell_complete=complete_names(ListsPlayers.kinds),
        help="Who plays, as in loki2:sbr. Players are listed below.",
    ),
    GAME,
    NAMES,
    seed(),
    click.option(
        "--silence",
        type=_SECONDS,
        default=3600.0,
        show_default=True,
        metavar="SECONDS",
        help="Seconds without a message after which the match is given up.",
    ),
)
@book()
@click.option("--learn/--no-learn", default=True, show_default=True, help="Learn the hands of the match into the book.")
@_with_times
@JSON
def play(host: str, port: int, seat: _Seat, book: str | None, learn: bool, times: _Times, as_json: bool) -> None:
    """Play a match at a dealer of the Annual Computer Poker Competition.

    HOST and PORT are those of the seat at the dealer, which speaks version 2.0.0 of the competition's protocol. The
    protocol does not name the game; limit and no-limit are the competition's games. --names has the opponents' names
    by seat, beginning with the one after the player. The time limits are the dealer's. Without seconds of its own, the
    player solver takes an eighth of --time-per-hand for a decision, at most. After nine tenths of the remaining time a
    player folds, or checks where that is free.

    With --book, a player who models opponents starts from the book. The book learns the hands of the match as the
    player saw them: some at a time, and the rest when the match ends or is interrupted. It is created if there is none.
    """
    from pokermodel.tables.connect.acpc import MatchPlayer, TimeLimits, join_match
    from pokermodel.tables.players import make_player

    meant = ACPC_GAMES[seat.game] if seat.game in ACPC_GAMES else read_definition(seat.game)
    with ExitStack() as stack:
        check = stack.enter_context(_stopped_by_signals())
        known, learner = None, None
        if book is not None:
            from pokermodel.library import Book

            known = stack.enter_context(Book(book, create=learn))
            learner = _Learner(known) if learn else None
        limits = TimeLimits(*times)
        player = make_player(seat.player)
        player.keep_within(limits.decision)
        ours = MatchPlayer(
            player,
            name=seat.player,
            others=seat.names,
            game=meant,
            book=known if known is not None and known.kinds else None,
            seed=seat.seed,
            finished=(lambda hand: None) if learner is None else learner.add,
            say=_say,
        )
        stack.callback(ours.close)
        try:
            with progress("hand") as shown:
                told = _each_hand(check, shown)
                result = join_match(host, port, ours, limits=limits, silence=seat.silence, progress=told)
        except KeyboardInterrupt:
            _say(f"interrupted after {counted(ours.hands, 'hand')}")
            raise click.Abort from None
        finally:
            if learner is not None:
                learner.write()
    _say_result(seat.player, ours, result, learner, as_json=as_json)


def _say_result(
    player: str, ours: MatchPlayer, result: MatchResult, learner: _Learner | None, *, as_json: bool
) -> None:
    """Say what came of a match; raise `click.ClickException` if it is not complete."""
    played = ours.spec
    won = result.chips / (result.hands * played.small_bet) if played is not None and result.hands else None
    unit = "small bets" if played is None or played.structure.fixed else "big blinds"
    if as_json:
        figures = {"hands": result.hands, "chips": result.chips, "per_hand": won, "unit": unit, "late": result.late}
        figures |= {"complete": result.complete, "reason": result.reason}
        figures |= {"learnt": None if learner is None else learner.new}
        click.echo(json.dumps(figures, allow_nan=False))
    elif won is not None:
        learnt = "" if learner is None else f", {counted(learner.new, 'new hand')} in the book"
        late = f", {counted(result.late, 'late answer')}" if result.late else ""
        hands = counted(result.hands, "hand")
        click.echo(f"{player}: {hands}, {won:+.3f} {unit} a hand ({result.chips:+g} chips){late}{learnt}")
    if not result.complete:
        raise click.ClickException(result.reason)
    if not as_json:
        click.echo(f"{result.reason[0].upper()}{result.reason[1:]}.")


class _Match(NamedTuple):
    """What is dealt, to whom."""

    players: str
    game: str
    hands: int
    seed: int | None
    names: list[str] | None
    log: Path | None
    match: str | None


class _Doors(NamedTuple):
    """Where and how long remote players can connect."""

    host: str
    ports: list[str] | None
    start_time: float


@acpc.command(cls=ListsPlayers, short_help="Deal a match as the competition's dealer does.")
@together(
    "asked",
    _Match,
    players(required=True),
    GAME,
    hands(required=True),
    seed(),
    NAMES,
    click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="File to which the log is written."),
    click.option("--match", metavar="NAME", help="Name of the match in the log; by default that of the log."),
)
@together(
    "doors",
    _Doors,
    click.option("--host", default="127.0.0.1", show_default=True, help="Address at which remote players can connect."),
    click.option(
        "--ports",
        metavar="PORT,...",
        callback=split,
        help="Ports of the remote players; by default any that are free.",
    ),
    click.option(
        "--start-time",
        type=_SECONDS,
        default=3600.0,
        show_default=True,
        metavar="SECONDS",
        help="Most seconds until a remote player has connected.",
    ),
)
@_with_times
@JSON
def deal(asked: _Match, doors: _Doors, times: _Times, as_json: bool) -> None:
    """Deal a match as the dealer of the Annual Computer Poker Competition does.

    Players sit as they are named; remote stands for one who connects. GAME is limit or no-limit, as the competition
    played it, or a file with a game definition. The same seed deals the same cards as the competition's dealer, and
    with the same acts the log is the same.

    The ports of remote players are printed first, on one line, and the score last. An answer that is not legal counts
    as a call, and the size of a raise is moved into its range. A remote player who takes too long, closes the
    connection or sends what cannot be read ends the match; the hands before are in the log, and no score.
    """
    from pokermodel.tables.connect.acpc import Listener, LocalSeat, MatchPlayer, TimeLimits, deal_match
    from pokermodel.tables.players import make_player

    kinds = _seats(asked.players)
    spec, game_name = read_acpc_game(asked.game, len(kinds))
    called = _names(kinds) if asked.names is None else asked.names
    if len(called) != len(kinds):
        raise click.UsageError(f"--names: {counted(len(called), 'name')} for {counted(len(kinds), 'player')}")
    seed = _seed(asked.seed)
    log = asked.log
    match = asked.match or ("match" if log is None else log.name.removesuffix(".log"))
    with ExitStack() as stack:
        check = stack.enter_context(_stopped_by_signals())
        wanted = _ports(doors.ports, kinds.count(None))
        found: list[LocalSeat | Listener] = []
        for number, (kind, name) in enumerate(zip(kinds, called, strict=True)):
            if kind is None:
                listener = Listener(name, doors.host, next(wanted))
                stack.callback(listener.close)
                found.append(listener)
            else:
                others = called[number + 1 :] + called[:number]
                ours = MatchPlayer(make_player(kind), name=name, others=others, game=spec, seed=seed, say=_say)
                stack.callback(ours.close)
                found.append(LocalSeat(ours))
        listening = [each for each in found if isinstance(each, Listener)]
        if listening:
            click.echo(" ".join(str(each.port) for each in listening), err=as_json)
        file = None if log is None else stack.enter_context(log.open("w", encoding="utf-8", buffering=1, newline="\n"))
        seats: list[TableSeat] = []
        for each in found:
            seats.append(each.accept(doors.start_time, _say) if isinstance(each, Listener) else each)
            stack.callback(seats[-1].close)
        with progress("hand") as shown:
            finished = _each_hand(check, shown)
            score = deal_match(
                spec,
                seats,
                asked.hands,
                seed,
                log=file,
                match="_".join(match.split()),
                game=game_name,
                limits=TimeLimits(*times),
                say=_say,
                progress=lambda done: finished(done, asked.hands),
            )
    if as_json:
        table = zip(score.names, score.chips, score.changed, strict=True)
        rows = [{"name": name, "chips": chips, "changed": changed} for name, chips, changed in table]
        click.echo(json.dumps({"hands": score.hands, "seed": seed, "players": rows}, allow_nan=False))
    else:
        click.echo(str(score))


def _seed(seed: int | None) -> int:
    """The seed of the cards, random if none is given."""
    if seed is None:
        import numpy as np

        return int(np.random.SeedSequence().generate_state(1)[0])
    if seed >= 2**32:
        raise click.UsageError(f"--seed {seed}: the dealer's are below {2**32}")
    return seed


def _seats(text: str) -> list[str | None]:
    """Who plays, by seat: texts of players, and None for those who connect."""
    from pokermodel.tables.players import parse_players

    found: list[str | None] = []
    for each in text.split(","):
        remote = _REMOTE.fullmatch(each.strip())
        found += parse_players(each) if remote is None else [None] * int(remote[1] or 1)
    return found


def _names(kinds: Sequence[str | None]) -> list[str]:
    """Names that can be in a log, all different."""
    plain = ["remote" if kind is None else re.sub(r"[^\w.+=-]+", "-", kind) for kind in kinds]
    often, met, names = Counter(plain), Counter[str](), []
    for name in plain:
        met[name] += 1
        names.append(f"{name}-{met[name]}" if often[name] > 1 else name)
    return names


def _ports(texts: Sequence[str] | None, remote: int) -> Iterator[int]:
    """The ports at which to wait."""
    if texts is None:
        return iter([0] * remote)
    if len(texts) != remote:
        raise click.UsageError(f"--ports: {counted(len(texts), 'port')} for {counted(remote, 'remote player')}")
    if not all(re.fullmatch("[0-9]{1,5}", text) and int(text) < 2**16 for text in texts):
        raise click.UsageError(f"--ports {','.join(texts)}: expected numbers from 0 to 65535")
    return map(int, texts)
