"""A `HandReport` in the terminal: the hand as it was played, a line for each act, and the ranges whole where asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from pokermodel._support.words import printable
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.range import FEW_GROUPS, FEW_GROUPS_RIVER, RangeShape
from pokermodel.analysis.step import Step
from pokermodel.cards import cards_text, holding_text
from pokermodel.game import ROUNDS, Decision, Hand
from pokermodel.game.positions import position_names
from pokermodel.reading.width import Width
from pokermodel.report.facts import chance_words
from pokermodel.report.heatmap import HeatMap, WeightKey
from pokermodel.report.words import (
    act_words,
    advice_words,
    amount,
    amount_in_bets,
    cards_note,
    correction_note,
    game_words,
    in_bets,
    likeliest,
    money_words,
    price_words,
    range_words,
    said_of,
    share_words,
)

__all__ = ["ACTION_STYLE", "colored_cards", "print_report"]

_WIDE_MAP = 54
_NARROW_MAP = 28
_FACTS = 50  # columns that the text beside a map needs
_MARGIN = 5
_RULE = 120  # columns of a line between rounds, at most
_NAME = 6  # columns of a name at least, where names are cut
# heads of the groups of `RangeShape.few`, where there is no room for their names
_SHORT_HEADS = {
    "set+": "set",
    "two pair": "2p",
    "overpair": "ovr",
    "top pair": "top",
    "lower pair": "low",
    "flush draw": "fd",
    "straight draw": "sd",
    "air": "air",
    "full house+": "fh",
    "flush": "fl",
    "straight": "str",
    "three of a kind": "set",
}
_KEY_SHORT = (
    "cmb: combos; 2p: two pair; ovr: overpair; low: lower pairs; fd, sd: draws to a flush, a straight; set: three of a "
    "kind, before the river or better; fh, fl, str: full house, flush, straight."
)
_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": ""}
_FACT_STYLE = {"threshold": "bold", "borders": "bold", "judgement": "bold magenta"}
_KEY = (
    "Beside an action: the range that it leaves, of the hands that got here, and its parts in per cent; --maps says "
    "why."
)
#: Styles of acts by name.
ACTION_STYLE = {"fold": "dim", "check": "green", "call": "green", "bet": "bold red", "raise": "bold red"}


def _cells(text: str) -> int:
    """Columns of a text."""
    return len(text) if text.isascii() else cell_len(text)


class _Line:
    """A line in pieces, each with a style: as much of rich's text as lines of a report need, in a tenth of its time."""

    __slots__ = ("pieces", "style")

    def __init__(self, text: str = "", style: str = "") -> None:
        self.pieces = [(text, "")] if text else []
        self.style = style

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join([text for text, _ in self.pieces])

    @property
    def cell_len(self) -> int:
        """Columns of the line."""
        return _cells(self.plain)

    def append(self, text: str, style: str = "") -> _Line:
        """Add a piece."""
        if text:
            self.pieces.append((text, style))
        return self

    def append_text(self, other: _Line) -> _Line:
        """Add the pieces of another line, in its style."""
        if other.style:
            self.pieces += [(text, f"{other.style} {style}".strip()) for text, style in other.pieces]
        else:
            self.pieces += other.pieces
        return self

    def copy(self) -> _Line:
        """Another line of the same pieces."""
        other = _Line(style=self.style)
        other.pieces = [*self.pieces]
        return other

    def truncate(self, room: int) -> None:
        """Cut a line of one piece where there is less room than it needs."""
        text = self.plain
        if _cells(text) > room:
            self.pieces = [(set_cell_size(text, room - 1) + "\u2026", "")]

    def __rich__(self) -> Text:
        return Text.assemble(*self.pieces, style=self.style)


#: What stands in a report: blanks before it, and a line; or whatever rich draws.
_Part = tuple[int, _Line] | RenderableType


def _name(name: str) -> _Line:
    """For a cell: text as it is, of which brackets and colons are no markup."""
    return _Line(printable(name))


def _cards(cards: tuple[int, ...], style: str = "") -> _Line:
    """Cards in the colours of their suits."""
    line = _Line()
    for k, card in enumerate(cards):
        name = cards_text((card,))
        line.append((" " if k else "") + name, f"{style} {_SUIT_STYLE[name[1]]}".strip())
    return line


def colored_cards(cards: tuple[int, ...], style: str = "") -> Text:
    """Cards in the colours of their suits."""
    return _cards(cards, style).__rich__()


def _map_columns(width: int) -> int:
    """Columns of a map, given those of the page."""
    return _WIDE_MAP if width >= _WIDE_MAP + _FACTS else _NARROW_MAP


def _heading(report: HandReport, width: int, maps: bool, layout: _Layout | None) -> list[_Part]:
    hand = report.hand
    parts: list[_Part] = [(0, _Line(f"{hand.source.upper()} hand {printable(hand.id)}: {game_words(hand)}", "bold"))]
    if maps:
        table = Table.grid(padding=(0, 2))
        for seat, name in enumerate(hand.players):
            blind = hand.spec.blinds[seat]
            holding = colored_cards(hand.holdings[seat]) if seat in hand.holdings else Text("unknown", "dim")
            said = f"blind {amount(hand, blind)}" if blind else ""
            table.add_row(f"{seat + 1}", _name(name).__rich__(), said, holding)
        parts += [Padding(table, (0, 0, 0, 2), expand=False), WeightKey(_map_columns(width))]
    else:
        parts.append((2, _players(report)))
    notes = [cards_note(report, printable(report.hero or "")), correction_note(report)]
    if not maps:
        seen = any(step.observation.decision.board for step in report.steps)
        notes += [_KEY + (f" {_KEY_SHORT}" if layout is not None and not layout.long and seen else "")]
    return [*parts, (0, _Line(" ".join(note for note in notes if note is not None), "dim"))]


def _players(report: HandReport) -> _Line:
    """Who plays, where they sit, with what, and their cards where these are known."""
    hand = report.hand
    line = _Line()
    for seat, (name, position) in enumerate(zip(hand.players, position_names(hand.spec), strict=True)):
        line.append(f"{', ' if seat else ''}{printable(name)}")
        line.append(f" {position}", "dim")
        if not hand.spec.structure.fixed and hand.stacks is not None and (stack := hand.stacks[seat]) is not None:
            line.append(f" {amount(hand, stack)}", "dim")
        if seat in hand.holdings:
            line.append(" ").append_text(_cards(hand.holdings[seat]))
    return line


def _facts(step: Step) -> RenderableType:
    """What is said beside a map: the reader's facts, the most probable holdings, and how true that is."""
    shape, width = step.shape, step.width
    before: list[Text] = []
    after: list[Text] = []
    for kind, line in said_of(step.facts, step.observation.decision):
        (after if kind == "judgement" else before).append(Text(printable(line), _FACT_STYLE.get(kind, "")))
    before[0].style = "italic"  # the reason
    tops = []
    if width is not None and shape is not None:
        tops = [Text(range_words(width, shape, 8))]
        if shape.composition and not width.guessed:
            tops.append(Text(f"most like {likeliest(shape, 8)}"))
    if (triple := step.triple) is not None:
        fold, call, raise_ = triple
        after.append(Text(f"expected with it: fold {fold:.2f}, call {call:.2f}, raise {raise_:.2f}", "magenta"))
    return Group(*before, *tops, *after)


def _advice(step: Step) -> _Part | None:
    advice = advice_words(step, printable(step.observation.decision.player))
    if step.verdict is None or advice is None:
        return None
    found = step.verdict.found
    shown = f"  {found}" if found and not step.verdict.acts else ""  # else it is among the reasons
    return _MARGIN, _Line(printable(advice + shown), "cyan")


# ---------------------------------------------------------------------------------------------- an act in a line


class _Layout(NamedTuple):
    """Columns of what stands in a line."""

    #: `act`, `pot`, `call`: columns of the act with its number, of the pot and of what is to be called.
    act: int
    pot: int
    call: int
    in_bets: bool  #: Whether the pot is said in bets, too.
    long: bool  #: Whether groups of hands have their names.
    tops: int  #: How many of the likeliest hands are said beside the groups.

    def groups(self, *, river: bool) -> list[tuple[str, int]]:
        """The heads of groups of hands, and their columns."""
        return _groups(self.long, river)

    @property
    def width(self) -> int:
        """Columns of a line."""
        groups = _groups_width(self.long)
        tops = len("  most like") + 3 * self.tops if self.tops else 0
        return self.act + 2 + self.pot + 2 + self.call + 2 + len(self.head) + groups + len(self.tail) + tops

    @property
    def head(self) -> str:
        """The heads of the columns of width before the groups."""
        return "here  combos" if self.long else "here  cmb"

    @property
    def tail(self) -> str:
        """That after them; left out where there is little room."""
        return "    all" if self.long else ""


@cache
def _groups(long: bool, river: bool) -> list[tuple[str, int]]:
    names = [name for name, _ in (FEW_GROUPS_RIVER if river else FEW_GROUPS)]
    heads = names if long else [_SHORT_HEADS[name] for name in names]
    return [(head, max(3, len(head)) + (2 if long else 1)) for head in heads]


@cache
def _groups_width(long: bool) -> int:
    return max(sum(columns for _, columns in _groups(long, river)) for river in (False, True))


class _Said(NamedTuple):
    """What is said of an act, before any layout."""

    name: str  #: Who acts.
    #: `done`, `much`: as `act_words` has them.
    done: str
    much: str
    #: `pot`, `in_bets`: the pot, and what it is in bets.
    pot: str
    in_bets: str
    call: str  #: What is to be called; empty for nothing.

    @classmethod
    def of(cls, hand: Hand, decision: Decision) -> _Said:
        """Find the words."""
        pot, to_call = decision.pot, decision.to_call
        call = amount(hand, to_call) if to_call else ""
        said = printable(decision.player), *act_words(hand, decision), amount(hand, pot), in_bets(hand, pot), call
        return cls(*said)

    def pot_words(self, in_bets: bool) -> str:
        """The pot, in bets, too, if that is wanted."""
        return self.pot + self.in_bets if in_bets else self.pot


def _layout(said: Sequence[_Said], width: int) -> _Layout | None:
    """The widest layout that there is room for; None where ranges have to stand below the acts."""
    # the number of an act, and blanks before and behind the name
    acts = [
        max(2, len(str(number))) + 2 + _cells(each.name) + len(each.done) + len(each.much)
        for number, each in enumerate(said, 1)
    ]
    whole = max(acts, default=0)
    least = max([act - max(0, _cells(each.name) - _NAME) for act, each in zip(acts, said, strict=True)], default=0)
    call = max([len(each.call) for each in said], default=0)
    for bets, long, tops in (
        (True, True, 5),
        (True, True, 0),
        (False, True, 0),
        (True, False, 3),
        (False, False, 0),
    ):
        pot = max([len(each.pot_words(bets)) for each in said], default=0)
        found = _Layout(whole, max(3, pot), max(4, call), bets, long, tops)
        if found.width <= width:
            return found
    room = whole - (found.width - width)  # names are cut, but not to nothing
    return found._replace(act=room) if room >= least else None


def _act(decision: Decision, said: _Said, room: int | None = None) -> _Line:
    """Who did what; where there is little room, the name is cut."""
    line = _Line(f"{decision.index + 1:>2} ", "dim")
    name = _Line(said.name, "bold")
    if room is not None:
        name.truncate(max(1, room - line.cell_len - _cells(f" {said.done}{said.much}")))
    line.append_text(name)
    line.append(" ")
    line.append(said.done, ACTION_STYLE[decision.name])
    line.append(said.much)
    return line


def _heads(title: _Line, layout: _Layout, round_: int) -> _Line:
    """The line above the acts of a street: its name and cards, and what stands in the columns."""
    line = title.copy()
    line.append(" " + "─" * max(0, layout.act - line.cell_len - 1), "dim")
    heads = f"  {'pot':>{layout.pot}}  {'call':>{layout.call}}  {layout.head if round_ else 'range'}"
    if round_:
        heads += "".join(f"{head:>{columns}}" for head, columns in layout.groups(river=round_ == 3))
        heads += layout.tail + ("  most like" if layout.tops else "")
    return line.append(heads, "dim")


def _shape(width: Width | None, shape: RangeShape | None, layout: _Layout, round_: int) -> _Line:
    """How wide a range is and what it is like, below the heads of its street."""
    if not round_ or shape is None or width is None or width.guessed:
        words = range_words(width, shape, 8 if layout.tops else 3)
        return _Line(words if layout.tail else words.replace("the range is ", ""), "dim" if round_ else "")
    line = _Line(f"{share_words(width.share_here):>4}{width.combos:>{len(layout.head) - 4}.0f}")
    for (_, columns), (_, share) in zip(layout.groups(river=round_ == 3), shape.few(), strict=True):
        shown = f"{100 * share:.0f}" if share >= 0.005 else "\u00b7"
        line.append(f"{shown:>{columns}}", "bold" if share >= 0.2 else "" if share >= 0.02 else "dim")
    if layout.tail:
        line.append(f"  {share_words(width.share):>5}")
    if layout.tops:
        line.append(f"  {likeliest(shape, layout.tops)}", "dim")
    return line


def _row(left: _Line, shape: _Line | None, layout: _Layout, pot: str = "", call: str = "") -> _Line:
    line = left.copy()
    line.append(" " * max(0, layout.act - line.cell_len))
    line.append(f"  {pot:>{layout.pot}}  {call:>{layout.call}}", "dim")
    if shape is None:
        return line
    return line.append("  ").append_text(shape)


def _brief_step(report: HandReport, step: Step, said: _Said, layout: _Layout | None) -> list[_Part]:
    """An act in a line: who, what, pot, price, and the range that it leaves; of the hero what they go by instead."""
    decision = step.observation.decision
    own = report.hero == decision.player
    shape = None if own or decision.name == "fold" else step.shape
    lines: list[_Line] = []
    if layout is not None:
        shown = None if own or decision.name == "fold" else _shape(step.width, shape, layout, decision.round)
        act = _act(decision, said, layout.act)
        lines.append(_row(act, shown, layout, said.pot_words(layout.in_bets), said.call))
    else:
        line = _act(decision, said)
        line.append(f"   pot {said.pot_words(True)}{f', {said.call} to call' if said.call else ''}", "dim")
        lines += [line, *_shape_words(step.width, shape)]
    if own:
        lines += _decided(step, layout)
    parts: list[_Part] = [(0, line) for line in lines]
    if own and (advice := _advice(step)) is not None:
        parts.append(advice)
    return parts


def _decided(step: Step, layout: _Layout | None) -> list[_Line]:
    """What counts at a decision of the hero: what it costs, and what those can hold who have acted."""
    decision = step.observation.decision
    lines = []
    if (price := step.price) is not None:
        lines.append(_indented(_Line(f"{printable(decision.player)} {price_words(price, step.continuing)}", "cyan")))
    for each in step.opponents:
        if each.width is None:
            continue
        shape = step.shape_of(each.table)
        name = _indented(_Line(printable(each.name), "italic"))
        if layout is None:
            lines.append(name.append(f": {range_words(each.width, shape)}"))
        else:
            name.truncate(layout.act)
            lines.append(_row(name, _shape(each.width, shape, layout, decision.round), layout))
    return lines


def _shape_words(width: Width | None, shape: RangeShape | None) -> list[_Line]:
    """How wide a range is and what it is like, in a line; nothing where there is none."""
    return [] if shape is None else [_indented(_Line(range_words(width, shape)))]


def _indented(line: _Line) -> _Line:
    return _Line(" " * _MARGIN).append_text(line)


# ------------------------------------------------------------------------------------------------ an act with its map


def _step(step: Step, said: _Said, width: int) -> list[_Part]:
    """An act, and the range that it leaves as a map, with all that is said of it."""
    decision = step.observation.decision
    line = _act(decision, said)
    line.append(f"   pot {said.pot_words(True)}", "dim")
    if said.call:
        line.append(f", {said.call} to call", "dim")
    parts: list[_Part] = []
    if (advice := _advice(step)) is not None:
        parts.append(advice)
    parts.append((0, line))
    if decision.name == "fold":
        return parts
    body = Table.grid(padding=(0, 2))
    body.add_column(width=_map_columns(width))
    body.add_column()
    mark = None if step.judgement is None else step.judgement.holding
    body.add_row(HeatMap(step.after, mark=mark, legend=False), _facts(step))
    parts.append(Padding(body, (0, 0, 1, 3), expand=False))
    return parts


def _result(report: HandReport, width: int) -> list[_Part]:
    """Who won what; of those whose cards are known, how likely the last table made them. The others stand together."""
    hand = report.hand
    last = {step.observation.decision.seat: step.judgement for step in report.steps}
    rows: list[list[_Line]] = []
    others = _Line()
    evs = (None,) * len(hand.players) if hand.all_in is None else hand.all_in_ev_chips
    for seat, (net, ev) in enumerate(zip(hand.net_chips, evs, strict=True)):
        name = _name(hand.players[seat])
        style = "green" if net > 0 else "red" if net < 0 else "dim"
        won = _Line(amount_in_bets(hand, net, "+"), style)
        if ev is not None and ev != net:
            won.append(f"  all-in EV {amount_in_bets(hand, ev, '+')}", "dim")
        if seat not in hand.holdings and net <= 0:
            others.append(", " if others.pieces else "").append_text(name).append(" ").append_text(won)
            continue
        judged = last.get(seat)
        hero = report.hero == hand.players[seat]
        likely = "" if judged is None or hero else chance_words(judged.probability, judged.uniform)
        said = f"the last range has it at {likely}" if likely else ""
        holding = _Line(holding_text(hand.holdings[seat]) if seat in hand.holdings else "")
        rows.append([name, holding, won, _Line(said, "dim")])
    parts = _grid(rows, width)
    if others.pieces:
        parts.append((2, others))
    return [*parts, (2, _Line(money_words(hand), "dim"))]


def _grid(rows: list[list[_Line]], width: int) -> list[_Part]:
    """Rows of cells below each other; where they are too wide for the page, rich finds out how they are broken."""
    columns = [max(line.cell_len for line in column) for column in zip(*rows, strict=True)]
    if 2 + sum(columns) + 2 * (len(columns) - 1) > width:
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*row)
        return [Padding(table, (0, 0, 0, 2), expand=False)]
    parts: list[_Part] = []
    for row in rows:
        line = _Line()
        for cell, room in zip(row, columns, strict=True):
            line.append_text(cell).append(" " * (room - cell.cell_len + 2))
        parts.append((2, line))
    return parts


def _ruled(title: _Line, width: int) -> _Part:
    """A title with a line behind it."""
    line = title.copy()
    return 0, line.append(" " + "\u2500" * max(0, width - line.cell_len - 1), "dim")


def print_report(report: HandReport, console: Console, *, maps: bool = False) -> None:
    """Print a report, an act a line; with `maps` each range whole, with all that the reader says of the act."""
    printer = _Printer(console)
    printer.add(_parts(report, console.width, maps))
    printer.print()


def _parts(report: HandReport, width: int, maps: bool) -> list[_Part]:
    """All parts of a report."""
    hand = report.hand
    rule_width = min(width, _RULE)
    said = [_Said.of(hand, step.observation.decision) for step in report.steps]
    layout = None if maps else _layout(said, width)
    parts = _heading(report, width, maps, layout)
    current = -1
    for step, words in zip(report.steps, said, strict=True):
        decision = step.observation.decision
        if decision.round != current:
            current = decision.round
            title = _Line(ROUNDS[current].capitalize())
            if decision.board:
                title.append("  ").append_text(_cards(decision.board))
            if maps:
                parts.append((0, _Line()))
            parts.append(_ruled(title, rule_width) if layout is None else (0, _heads(title, layout, current)))
        parts += _step(step, words, width) if maps else _brief_step(report, step, words, layout)
    if maps:
        parts.append((0, _Line()))
    title = _Line("Result")
    if hand.board:
        title.append("  ").append_text(_cards(hand.board))
    return [*parts, _ruled(title, rule_width), *_result(report, width)]


class _Lines:
    """Lines of printable characters that are written as they are.

    To let rich find out that nothing is to be done to them takes longer than to read the hand.
    """

    def __init__(self, lines: list[str]) -> None:
        self._text = "\n".join([*lines, ""])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        yield Segment(self._text)


class _Printer:
    """Prints parts of reports in order, as many at once as there are, which is much quicker.

    Where there are no colours, lines that fit are written as they are.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._colors = console.color_system is not None
        self._plain: list[str] = []
        self._drawn: list[RenderableType] = []  # what comes after; one of the two is empty

    def add(self, parts: list[_Part]) -> None:
        """Add the parts of a report, which are printed with what comes next or by `print`."""
        colors, plain, width = self._colors, self._plain, self._console.width
        for part in parts:
            if isinstance(part, tuple):
                indent, line = part
                text = "" if colors else line.plain
                if not colors and text.isprintable() and indent + _cells(text) <= width:
                    if self._drawn:
                        self.print()
                    plain.append(f"{' ' * indent}{text}".rstrip(" "))
                    continue
                part = Padding(line, (0, 0, 0, indent), expand=False) if indent else line
            if plain:
                self.print()
            self._drawn.append(part)

    def print(self) -> None:
        """Print what there is."""
        plain, drawn = self._plain[:], self._drawn[:]
        self._plain.clear()
        self._drawn.clear()
        if plain:
            self._console.print(_Lines(plain), crop=False)
        if drawn:
            self._console.print(Group(*drawn))
