"""``pokermodel play``: a table in the terminal, at which a person plays."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.patterns import regex
from pokermodel._support.words import counted, printable
from pokermodel.cli._options import HERO, book, seed, together
from pokermodel.cli._output import open_console, out_option
from pokermodel.game import ROUNDS, Act
from pokermodel.tables.commands import LINES
from pokermodel.tables.commands._games import GAME, hands, players, read_game, show_notices
from pokermodel.tables.commands._listings import ListsPlayers

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from pokermodel.analysis.coach import Coach
    from pokermodel.game import Decision, GameSpec, Hand, Situation
    from pokermodel.tables.arena.hand import TableHand
    from pokermodel.tables.arena.person import PersonTable
    from pokermodel.tables.players.player import Answer, HandEnd, HandStart, Player, View

__all__ = ["play"]

_LIMIT_OPPONENTS, _OTHER_OPPONENTS = "loki2:sbr*5", "myopic*5"
_NO_LIMIT_OPPONENT = "solver"  # heads-up, where there is a blueprint for it
_SHALLOW = 200  # big blinds up to which it is known to be ahead of the others
_WARM_UP = 100  # hands, after which players who learn bet sizes know each other
_WIDTH = 80  # columns at most
_HISTORY = "play.phhs"
_YOU = "You"
_LINE = regex(r"(?P<key>[a-z]+|\?)\s*(?P<rest>.*)", re.IGNORECASE)
_KEYS = {
    "f": "f",
    "fold": "f",
    "c": "c",
    "k": "c",
    "check": "c",
    "call": "c",
    "r": "r",
    "b": "r",
    "bet": "r",
    "raise": "r",
    "o": "o",
    "opponents": "o",
    "ranges": "o",
    "v": "v",
    "ev": "v",
    "value": "v",
    "t": "t",
    "table": "t",
    "h": "h",
    "help": "h",
    "?": "h",
    "q": "q",
    "quit": "q",
}
_HELP = """\
  f          fold
  c          check, or call
  r          bet or raise: in limit there is one size, else say what it goes to,
             as in r 12; or r half, r pot, r all, r min
  o          what the opponents can hold, in a line each
  o NUMBER   what one of them can hold, as a map of all 169 classes
  v          what your acts are worth
  t          who sits where, with what, and did what
  h          these keys
  q          leave the table; the hand being played does not count
  Amounts are chips, counted from the beginning of the betting round."""


class _WrongKeyError(ValueError):
    """What was typed is not what was expected."""


class _Table(NamedTuple):
    """Who sits there, what is played, and how long."""

    players: str | None
    game: str
    hero: str
    hands: int | None
    seed: int | None
    warm_up: int | None


@click.command(cls=ListsPlayers, short_help=LINES["play"])
@together(
    "asked",
    _Table,
    players(),
    GAME,
    HERO,
    hands(),
    seed(),
    click.option(
        "--warm-up",
        type=click.IntRange(min=0),
        help="Number of hands that the opponents play among themselves before; by default "
        f"{_WARM_UP} where bets have sizes and no book knows them from as many.",
    ),
)
@book()
@click.option("--coach", is_flag=True, help="Say after each of your acts what it cost.")
@out_option("your hands, after those that are there,", ".phhs")
def play(asked: _Table, book: str | None, coach: bool, out: Path | None) -> None:
    """Play at a table in the terminal, against players of the package.

    At your turn type a key and Enter; h explains the keys. Every hand begins with full stacks, and what you win adds
    up. Without --hands it goes on until you leave. The hero is you, and is called You unless you say otherwise.

    The opponents are by default loki2:sbr*5 in limit, in no limit up to 200 big blinds the solver if it has a
    blueprint, and otherwise myopic*5.

    Hands are added to --out, each when it is over, by default to play.phhs in your data folder. It is a history that
    `pokermodel read` opens: it has your cards, and those that were shown. With --book, which is created if there is
    none, opponents and coach start from what it knows, and it learns the hands at the end. Playing on with it another
    day, they know you.
    """
    from pokermodel.library import Book
    from pokermodel.tables.arena.hand import PlayerFailed
    from pokermodel.tables.players import make_player, parse_players
    from pokermodel.tables.players.registry import name_copies

    game, name = asked.game, asked.hero or _YOU
    of_file = Path(game).is_file()
    if asked.players is None and of_file:
        raise click.UsageError(f"--game {game}: expected --players, who else plays it")
    texts = parse_players(asked.players or _usual_opponents(game))
    spec = read_game(game, len(texts) + 1)
    opponents = {each: make_player(text) for each, text in zip(name_copies(texts), texts, strict=True)}
    _check(spec, opponents, name)
    record = _Record.at(out)
    with Book(book) if book is not None else nullcontext() as known:
        chair = _Chair(open_console(), spec, opponents, name, _seed(asked.seed), known, record, coached=coach)
        try:
            chair.greet()
            fresh = not spec.structure.fixed and not chair.acquainted
            number = asked.warm_up if asked.warm_up is not None else _WARM_UP if fresh else 0
            if number and len(opponents) > 1 and not of_file:
                chair.warm_up(read_game(game, len(opponents)), number)
            chair.play(asked.hands)
        except PlayerFailed as failed:
            raise click.ClickException(str(failed)) from None
        finally:
            chair.leave()


def _seed(seed: int | None) -> int:
    """The seed of a table, random if none is given."""
    if seed is not None:
        return seed
    import numpy as np

    return int(np.random.SeedSequence().generate_state(1)[0])


def _usual_opponents(game: str) -> str:
    """Who plays if nobody is named: the strongest that can begin at once."""
    from pokermodel.tables.players.solver import SolverPlayer

    if game.startswith("limit"):
        return _LIMIT_OPPONENTS
    if game.startswith("no-limit"):
        spec = read_game(game, 2)
        if min(spec.stacks) <= _SHALLOW * max(spec.blinds) and SolverPlayer().blueprint(spec) is not None:
            return _NO_LIMIT_OPPONENT
    return _OTHER_OPPONENTS


def _check(spec: GameSpec, opponents: dict[str, Player], name: str) -> None:
    from pokermodel.tables.players.seat import check_structure

    if not name or name in opponents:
        raise click.UsageError(f"--hero {name!r}: expected a name that no opponent has")
    for each, player in opponents.items():
        try:
            check_structure(player, spec)
        except ValueError as error:
            raise click.UsageError(f"--players {each}: {error}") from None
    show_notices(spec, opponents)


class _Record(NamedTuple):
    """A history that hands are added to."""

    path: Path
    before: int  # hands that it had

    @classmethod
    def at(cls, path: Path | None) -> _Record:
        """That of a file; by default the one in the user's data folder."""
        from pokermodel._support.files import data_folder
        from pokermodel.histories.phh import count_tables

        if path is None:
            path = data_folder() / _HISTORY
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return cls(path, count_tables(path))
        except ValueError as error:
            raise click.UsageError(f"--out {error}") from None


class _Chair:
    """What the person sees and types."""

    def __init__(
        self,
        console: Console,
        spec: GameSpec,
        opponents: dict[str, Player],
        name: str,
        seed: int,
        book: Any,
        record: _Record,
        *,
        coached: bool,
    ) -> None:
        from pokermodel.analysis.coach import Coach
        from pokermodel.tables.arena.person import Person, PersonTable

        self.console = console
        self.spec = spec
        self.name = name
        self.book = book
        self.coached = coached
        self.record = record
        known = book if book is not None and book.kinds else None
        self.coach: Coach = Coach(name, known, seed=seed)
        person = Person(self.ask, begun=self.begun, saw=self.saw, ended=self.ended)
        self.table: PersonTable = PersonTable(spec, person, opponents, name=name, seed=seed, book=known)
        self.numbers = {each: number for number, each in enumerate(opponents, 1)}
        self.width = min(console.width, _WIDTH)
        self.hands: list[Hand] = []  # for the book
        self.costs: list[float] = []
        self._start: HandStart | None = None
        self._board: tuple[int, ...] = ()
        self._acted: dict[int, str] = {}
        self._folded = False

    # ------------------------------------------------------------------------------------------- the session

    @property
    def acquainted(self) -> bool:
        """Whether the book knows every opponent."""
        if self.book is None:
            return False
        known = [
            self.book.profile(each, self.spec.structure).hands if each in self.book else 0 for each in self.numbers
        ]
        return min(known) >= _WARM_UP

    def greet(self) -> None:
        """Say what is played."""
        from pokermodel.tables.report.seat import in_units

        spec, say = self.spec, self.say
        structure = str(spec.structure).replace(" ", "-").capitalize()
        what = (
            f"bets of {spec.bets[0]} and {spec.bets[2]}"
            if spec.structure.fixed
            else f"blinds of {'-'.join(map(str, spec.stakes))}"
        )
        say(f"{structure} hold'em, {what}; seed {self.table.seed}. Type h and Enter for the keys.", "bold")
        if spec.stacks:
            stack = in_units(spec, spec.stacks[0], "")
            say(f"Every hand begins with full stacks, of {stack}; what you win adds up.", "dim")
        more = f", after the {counted(self.record.before, 'hand')} there" if self.record.before else ""
        say(f"Hands are added to {self.record.path}{more}.", "dim")

    def warm_up(self, spec: GameSpec, hands: int) -> None:
        """Let the opponents play, and the coach watch."""
        self.say(f"The opponents play {counted(hands, 'hand')} to get to know each other.", "dim")
        for played in self.table.warm_up(spec, hands):
            self.coach.learn(played.to_hand())

    def play(self, hands: int | None) -> None:
        """Play until the person leaves, or so many hands."""
        from pokermodel.tables.arena.person import Left

        try:
            while hands is None or self.table.played < hands:
                self.finish(self.table.play())
        except (Left, KeyboardInterrupt):
            pass

    def finish(self, played: TableHand) -> None:
        """Keep a hand that is over, and say how it ended."""
        from pokermodel.histories import phh
        from pokermodel.tables.report.seat import result

        number = self.table.played + self.record.before
        hand = self.table.as_seen(played, str(number), datetime.now(UTC).replace(microsecond=0))
        phh.append(self.record.path, hand, number)
        if self.book is not None:
            self.hands.append(phh.loads(phh.dumps(hand)))  # so that the book knows it when it reads the history
        self.coach.end(hand)
        self.rule("Result", hand.board)
        self.show(result(hand, played.payoffs, self.name))

    def leave(self) -> None:
        """Say how it went; the book learns."""
        from pokermodel.learning import kinds
        from pokermodel.tables.report.seat import in_units, unit

        spec, played, won = self.spec, self.table.played, self.table.won[self.name]
        self.console.print()
        mean = f", {won / spec.small_bet / played:+.3g} a hand" if played else ""
        self.say(f"{counted(played, 'hand')} played: {in_units(spec, won)}{mean}", "bold")
        if self.costs:
            total, made = sum(self.costs), len(self.costs)
            told = f"{counted(made, 'decision')} cost {total:.2f} {unit(spec)}, {total / made:.2f} each"
            self.say(f"Coach: {told}.", "cyan")
        if self.hands:
            learnt = self.book.learn(self.hands, kinds=kinds())  # so that any player can start from it
            self.hands.clear()
            self.say(f"The book has learnt {counted(learnt.new, 'hand')}.", "dim")
        if played:
            last, hero = self.record.before + played, quote(printable(self.name))
            self.say(f"The last: pokermodel read {quote(str(self.record.path))} --hand {last} --hero {hero}", "dim")

    # ---------------------------------------------------------------------------------------------- the hand

    def begun(self, start: HandStart) -> None:
        """A hand begins."""
        from pokermodel.report.terminal import colored_cards
        from pokermodel.tables.report.seat import in_units

        self._start, self._board, self._folded = start, (), False
        self._acted = {seat: f"blind {chips}" for seat, chips in enumerate(start.spec.blinds) if chips}
        self.coach.begin(start.players, start.holding)
        total = self.table.won[self.name]
        more = f"   {printable(self.name)} {in_units(self.spec, total)}" if self.table.played else ""
        self.console.print()
        self.rule(f"Hand {self.table.played + 1}{more}")
        from rich.text import Text

        self.show(Text("  You are dealt ").append_text(colored_cards(start.holding, "bold")))

    def saw(self, decision: Decision) -> None:
        """Somebody acted."""
        from pokermodel.tables.report.seat import act_line, act_text

        self.board(decision.situation)
        own = decision.player == self.name
        self.coach.observe(decision)
        self.show(act_line(decision, own=own, watching=self._folded))
        self._acted[decision.seat] = act_text(decision.situation, decision.act, decision.to)
        self._folded |= own and decision.act == Act.FOLD

    def ended(self, end: HandEnd) -> None:
        """The hand is over."""

    def board(self, situation: Situation) -> None:
        """Show the cards of a new round."""
        if situation.board != self._board:
            self._board = situation.board
            self._acted = {seat: done for seat, done in self._acted.items() if done == "fold"}
            self.rule(ROUNDS[situation.round].capitalize(), situation.board)

    # -------------------------------------------------------------------------------------------- the person

    def ask(self, view: View) -> Answer:
        """Ask until an act is answered."""
        from pokermodel.tables.arena.person import Left
        from pokermodel.tables.report.seat import coach_line, seats, status
        from pokermodel.worth.worth import MISTAKES

        self.board(view.situation)
        if self._first(view):
            self.show(seats(view.situation, self.numbers, self._acted, folded=not view.round))
        self.show(status(view.situation, view.holding))
        while True:
            self.say(f"  {_offer(view.situation)}", "dim")
            try:
                answer = self.answer(view, self.read())
            except _WrongKeyError as wrong:
                self.say(f"  {wrong}", "yellow")
            except EOFError:
                raise Left from None
            else:
                if answer is not None:
                    break
        if self.coached:
            also = () if answer.to is None else (answer.to,)
            judged = self.coach.verdict(self.coach.spot(view, view.state), also).judge(answer.act, answer.to)
            self.show(coach_line(view.situation, judged))
            if judged.loss is not None:
                self.costs.append(judged.loss if judged.word in MISTAKES else 0.0)
        return answer

    def _first(self, view: View) -> bool:
        """Whether it is the person's first decision of the round."""
        return not any(each.round == view.round and each.seat == view.seat for each in view.decisions)

    def read(self) -> str:
        """Read a line."""
        line = input("> ").strip()
        if not sys.stdin.isatty():
            self.say(printable(line))
        return line

    def answer(self, view: View, line: str) -> Answer | None:
        """Do what a line asks for; an answer if it is an act.

        Raises `_WrongKeyError` if it is none of the keys, or does not fit.
        """
        from pokermodel.tables.arena.person import Left
        from pokermodel.tables.players.player import Answer
        from pokermodel.tables.report.seat import seats, values

        found = _LINE.fullmatch(line)
        key = None if found is None else _KEYS.get(found["key"].lower())
        if found is None or key is None:
            raise _WrongKeyError(
                f"{line!r} is no key: expected one of f, c, r, o, v, t, h, q" if line else "type a key, then Enter"
            )
        rest = found["rest"].strip()
        if rest and key not in "ro":
            raise _WrongKeyError(f"{line!r}: nothing was expected after {found['key']}")
        situation = view.situation
        if key == "f":
            if Act.FOLD not in situation.legal:
                raise _WrongKeyError("there is nothing to call: c checks")
            return Answer(Act.FOLD)
        if key == "c":
            return Answer(Act.CALL)
        if key == "r":
            return Answer(Act.RAISE, _amount(situation, rest))
        if key == "q":
            raise Left
        if key == "o":
            self.ranges(view, rest)
        elif key == "v":
            self.show(values(situation, self.coach.verdict(self.coach.spot(view, view.state))))
        elif key == "t":
            self.show(seats(situation, self.numbers, self._acted))
        else:
            self.say(_HELP)
        return None

    def ranges(self, view: View, which: str) -> None:
        """Show what opponents can hold."""
        from pokermodel.tables.report.seat import range_lines, range_map

        spot = self.coach.spot(view, view.state)
        active = [view.players[seat] for seat in view.opponents]
        if not which and len(active) > 1:
            self.show(range_lines([self.coach.seen(name, spot) for name in active], self.numbers))
            return
        name = which or active[0]
        by_number = {str(number): each for each, number in self.numbers.items()}
        name = by_number.get(name, name)
        if name not in active:
            known = ", ".join(f"{self.numbers[each]} ({each})" for each in active)
            raise _WrongKeyError(f"{which!r} is nobody who is in the hand: expected {known}")
        self.show(range_map(self.coach.seen(name, spot), view.holding))

    # --------------------------------------------------------------------------------------------- the screen

    def show(self, what: RenderableType) -> None:
        """Print something, in 80 columns at most."""
        self.console.print(what, width=self.width)

    def say(self, text: str, style: str = "") -> None:
        """Print a text."""
        from rich.text import Text

        self.show(Text(text, style))

    def rule(self, title: str, cards: tuple[int, ...] = ()) -> None:
        """Print a line with a title."""
        from rich.rule import Rule
        from rich.text import Text

        from pokermodel.report.terminal import colored_cards

        text = Text(title, "bold")
        if cards:
            text.append("  ").append_text(colored_cards(cards))
        self.show(Rule(text, align="left", style="dim"))


def _offer(situation: Situation) -> str:
    """What can be done, as keys."""
    from pokermodel.tables.report.seat import act_text

    offered = []
    if Act.FOLD in situation.legal:
        offered.append("f fold")
    offered.append(f"c {act_text(situation, Act.CALL, None)}")
    if situation.raise_range is not None:
        least, most = situation.raise_range
        name = situation.act_names[Act.RAISE]
        if least == most:
            offered.append(f"r {act_text(situation, Act.RAISE, least)}")
        else:
            offered.append(
                f"r {name}{' to' if name == 'raise' else ''} {least}" + (" or more" if most is None else f"..{most}")
            )
    return "   ".join([*offered, "o ranges", "v value", "h help"])


def _amount(situation: Situation, text: str) -> int | None:
    """What a bet or raise goes to, as it was typed."""
    from pokermodel.worth.answers import raise_sizes

    name = situation.act_names[Act.RAISE]
    if situation.raise_range is None:
        raise _WrongKeyError(f"there is no {name} any more: c {situation.act_names[Act.CALL]}s")
    least, most = situation.raise_range
    half, pot = (raise_sizes(situation, [size])[0] for size in (0.5, 1.0))
    sizes = {"min": least, "half": half, "pot": pot} | ({} if most is None else {"all": most})
    if not text and least == most:
        return None if situation.spec.structure.fixed else least
    amount = sizes.get(text.lower())
    if amount is None and text.isascii() and text.isdecimal() and len(text) < 18:
        amount = int(text)
    if amount is None or amount < least or (most is not None and amount > most):
        if least == most:
            raise _WrongKeyError(f"r alone is a {name} to {least}, the only size")
        bounds = f"{least} or more" if most is None else f"{least} to {most}"
        words = ", or " + ", ".join(f"r {word} ({chips})" for word, chips in sizes.items())
        raise _WrongKeyError(f"{name}{' to' if name == 'raise' else ''} what? Expected {bounds}, as in r {pot}{words}")
    return None if situation.spec.structure.fixed else amount
