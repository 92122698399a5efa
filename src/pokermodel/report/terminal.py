"""A `HandReport` in the terminal: the hand as it was played, a line for each act, and the ranges whole where asked."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pokermodel.analysis.hand import HandReport, Step
from pokermodel.analysis.range import FEW_GROUPS, FEW_GROUPS_RIVER, RangeShape
from pokermodel.cards import cards_text, holding_text
from pokermodel.game import ROUNDS, Decision, Hand
from pokermodel.game.positions import position_names
from pokermodel.report.heatmap import HeatMap, WeightKey
from pokermodel.report.words import (
    act_words,
    advice_words,
    amount,
    amount_in_bets,
    cards_note,
    chance_words,
    composition_words,
    correction_note,
    game_words,
    money_words,
    price_words,
    range_words,
    said_of,
)

__all__ = ["ACTION_STYLE", "colored_cards", "print_report", "printable"]

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
    "2p: two pair; ovr: overpair; top, low: top pair, lower pairs; fd, sd: draws to a flush, a straight; set: three of "
    "a kind, before the river or better; fh, fl, str: full house, flush, straight."
)
_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": ""}
_FACT_STYLE = {"threshold": "bold", "borders": "bold", "judgement": "bold magenta"}
_KEY = "Beside an act: the range that it leaves, and what that is made of in per cent; --maps shows it whole, and why."
#: Styles of acts by name.
ACTION_STYLE = {"fold": "dim", "check": "green", "call": "green", "bet": "bold red", "raise": "bold red"}


def printable(text: str) -> str:
    """A name from a history, with whatever could steer a terminal made visible."""
    if text.isprintable():  # as nearly all are: nothing of it is a control character
        return text
    return "".join(
        char if unicodedata.category(char)[0] != "C" else char.encode("unicode_escape").decode() for char in text
    )


def _name(name: str) -> Text:
    """For a cell: text as it is, of which brackets and colons are no markup."""
    return Text(printable(name))


def colored_cards(cards: tuple[int, ...], style: str = "") -> Text:
    """Cards in the colours of their suits."""
    text = Text()
    for k, card in enumerate(cards):
        name = cards_text((card,))
        text.append((" " if k else "") + name, f"{style} {_SUIT_STYLE[name[1]]}".strip())
    return text


def _map_columns(width: int) -> int:
    """Columns of a map, given those of the page."""
    return _WIDE_MAP if width >= _WIDE_MAP + _FACTS else _NARROW_MAP


def _heading(report: HandReport, width: int, maps: bool) -> RenderableType:
    hand = report.hand
    if maps:
        table = Table.grid(padding=(0, 2))
        for seat, name in enumerate(hand.players):
            blind = hand.spec.blinds[seat]
            holding = colored_cards(hand.holdings[seat]) if seat in hand.holdings else Text("unknown", "dim")
            table.add_row(f"{seat + 1}", _name(name), f"blind {amount(hand, blind)}" if blind else "", holding)
        players: RenderableType = Padding(table, (0, 0, 0, 2), expand=False)
    else:
        players = Padding(_players(report), (0, 0, 0, 2), expand=False)
    notes = [cards_note(report, printable(report.hero or "")), correction_note(report)]
    if not maps:
        layout = _layout(report, width)
        seen = any(step.observation.decision.board for step in report.steps)
        notes += [_KEY + (f" {_KEY_SHORT}" if layout is not None and not layout.long and seen else "")]
    return Group(
        Text(f"{hand.source.upper()} hand {printable(hand.id)}: {game_words(hand)}", "bold"),
        players,
        *([WeightKey(_map_columns(width))] if maps else []),
        Text(" ".join(note for note in notes if note is not None), "dim"),
    )


def _players(report: HandReport) -> Text:
    """Who plays, where they sit, with what, and their cards where these are known."""
    hand = report.hand
    parts = []
    for seat, (name, position) in enumerate(zip(hand.players, position_names(hand.spec), strict=True)):
        part = _name(name)
        part.append(f" {position}", "dim")
        if not hand.spec.structure.fixed and hand.stacks is not None and (stack := hand.stacks[seat]) is not None:
            part.append(f" {amount(hand, stack)}", "dim")
        if seat in hand.holdings:
            part.append(" ").append_text(colored_cards(hand.holdings[seat]))
        parts.append(part)
    return Text(", ").join(parts)


def _facts(step: Step) -> RenderableType:
    """What is said beside a map: the reader's facts, the most probable holdings, and how true that is."""
    shape = step.shape
    before: list[Text] = []
    after: list[Text] = []
    for kind, line in said_of(step.facts, step.observation.decision):
        (after if kind == "judgement" else before).append(Text(printable(line), _FACT_STYLE.get(kind, "")))
    before[0].style = "italic"  # the reason
    tops = [] if shape is None else [Text(range_words(shape, 8))]
    if shape is not None and shape.composition:
        tops.append(Text(composition_words(shape)))
    if (triple := step.triple) is not None:
        fold, call, raise_ = triple
        after.append(Text(f"expected with it: fold {fold:.2f}, call {call:.2f}, raise {raise_:.2f}", "magenta"))
    return Group(*before, *tops, *after)


def _advice(step: Step) -> RenderableType | None:
    advice = advice_words(step, printable(step.observation.decision.player))
    if (said := step.recommendation) is None or advice is None:
        return None
    numbers = said.numbers
    shown = ""
    if numbers:
        shown = (
            f"  HSn {numbers['hs']:.3f}  PPOT {numbers['ppot']:.3f}  NPOT {numbers['npot']:.3f}"
            f"  EHS {numbers['ehs']:.3f}  EHS' {numbers['ehs_optimistic']:.3f}"
        )
    return Padding(Text(advice + shown, "cyan"), (0, 0, 0, _MARGIN), expand=False)


# ---------------------------------------------------------------------------------------------- an act in a line


class _Layout(NamedTuple):
    """Columns of what stands in a line.

    Attributes
    ----------
    act, pot, call : int
        Columns of the act with its number, of the pot and of what is to be called.
    in_bets : bool
        Whether the pot is said in bets, too.
    long : bool
        Whether groups of hands have their names.
    tops : int
        How many of the likeliest hands are said beside the groups.
    """

    act: int
    pot: int
    call: int
    in_bets: bool
    long: bool
    tops: int

    def groups(self, *, river: bool) -> list[tuple[str, int]]:
        """The heads of groups of hands, and their columns."""
        names = [name for name, _ in (FEW_GROUPS_RIVER if river else FEW_GROUPS)]
        heads = names if self.long else [_SHORT_HEADS[name] for name in names]
        return [(head, max(3, len(head)) + (2 if self.long else 1)) for head in heads]

    @property
    def width(self) -> int:
        """Columns of a line."""
        groups = max(sum(columns for _, columns in self.groups(river=river)) for river in (False, True))
        tops = len("  most like") + 3 * self.tops if self.tops else 0
        return self.act + 2 + self.pot + 2 + self.call + 2 + len("range") + groups + tops


def _pot(hand: Hand, decision: Decision, in_bets: bool) -> str:
    return amount_in_bets(hand, decision.pot) if in_bets else amount(hand, decision.pot)


def _layout(report: HandReport, width: int) -> _Layout | None:
    """The widest layout that there is room for; None where ranges have to stand below the acts."""
    hand, decisions = report.hand, [step.observation.decision for step in report.steps]
    acts = [_act(decision, hand).cell_len for decision in decisions]
    whole = max(acts, default=0)
    least = max(
        (act - max(0, cell_len(each.player) - _NAME) for act, each in zip(acts, decisions, strict=True)), default=0
    )
    call = max((len(amount(hand, each.to_call)) for each in decisions), default=0)
    for in_bets, long, tops in (
        (True, True, 5),
        (True, True, 0),
        (False, True, 0),
        (True, False, 3),
        (False, False, 0),
    ):
        pot = max((len(_pot(hand, each, in_bets)) for each in decisions), default=0)
        found = _Layout(whole, max(3, pot), max(4, call), in_bets, long, tops)
        if found.width <= width:
            return found
    room = whole - (found.width - width)  # names are cut, but not to nothing
    return found._replace(act=room) if room >= least else None


def _act(decision: Decision, hand: Hand, room: int | None = None) -> Text:
    """Who did what; where there is little room, the name is cut."""
    line = Text(f"{decision.index + 1:>2} ", "dim")
    done, much = act_words(hand, decision)
    name = Text(printable(decision.player), "bold")
    if room is not None:
        name.truncate(max(1, room - line.cell_len - cell_len(f" {done}{much}")), overflow="ellipsis")
    line.append_text(name)
    line.append(" ")
    line.append(done, ACTION_STYLE[decision.name])
    line.append(much)
    return line


def _heads(title: Text, layout: _Layout, round_: int) -> Text:
    """The line above the acts of a street: its name and cards, and what stands in the columns."""
    line = title.copy()
    line.append(" " + "─" * max(0, layout.act - line.cell_len - 1), "dim")
    heads = f"  {'pot':>{layout.pot}}  {'call':>{layout.call}}  range"
    if round_:
        heads += "".join(f"{head:>{columns}}" for head, columns in layout.groups(river=round_ == 3))
        heads += "  most like" if layout.tops else ""
    return line.append(heads, "dim")


def _shape(shape: RangeShape | None, layout: _Layout, round_: int) -> Text:
    """What a range is like, below the heads of its street."""
    if shape is None:
        return Text("no holding is left in the table", "dim")
    if not round_:
        return Text(f"{range_words(shape, 8 if layout.tops else 5)}")
    line = Text(f"{shape.share:>5.0%}")
    few = shape.few(river=round_ == 3)
    for (_, columns), (_, share) in zip(layout.groups(river=round_ == 3), few, strict=True):
        shown = f"{100 * share:.0f}" if share >= 0.005 else "\u00b7"
        line.append(f"{shown:>{columns}}", "bold" if share >= 0.2 else "" if share >= 0.02 else "dim")
    if layout.tops:
        line.append(f"  {' '.join(name for name, _ in shape.tops[: layout.tops])}", "dim")
    return line


def _row(left: Text, shape: Text | None, layout: _Layout, pot: str = "", call: str = "") -> Text:
    line = left.copy()
    line.append(" " * max(0, layout.act - line.cell_len))
    line.append(f"  {pot:>{layout.pot}}  {call:>{layout.call}}", "dim")
    if shape is None:
        line.rstrip()
        return line
    return line.append("  ").append_text(shape)


def _brief_step(report: HandReport, step: Step, layout: _Layout | None) -> list[RenderableType]:
    """An act in a line: who, what, pot, price, and the range that it leaves; of the hero what they go by instead."""
    decision, hand = step.observation.decision, report.hand
    own = report.hero == decision.player
    shape = None if own or decision.name == "fold" else step.shape
    call = amount(hand, decision.to_call) if decision.to_call else ""
    lines: list[Text] = []
    if layout is not None:
        shown = None if own or decision.name == "fold" else _shape(shape, layout, decision.round)
        lines.append(_row(_act(decision, hand, layout.act), shown, layout, _pot(hand, decision, layout.in_bets), call))
    else:
        line = _act(decision, hand)
        line.append(f"   pot {amount_in_bets(hand, decision.pot)}{f', {call} to call' if call else ''}", "dim")
        lines += [line, *(_indented(text) for text in _shape_words(shape))]
    if own:
        lines += _decided(step, layout)
    parts: list[RenderableType] = [*lines]
    if own and (advice := _advice(step)) is not None:
        parts.append(advice)
    return parts


def _decided(step: Step, layout: _Layout | None) -> list[Text]:
    """What counts at a decision of the hero: what it costs, and what those can hold who have acted."""
    decision = step.observation.decision
    lines = []
    if (price := step.price) is not None:
        lines.append(_indented(Text(f"{printable(decision.player)} {price_words(price)}", "cyan")))
    for each in step.opponents:
        if not each.acted:
            continue
        shape = RangeShape.of(each.table, decision.board)
        name = _indented(Text(printable(each.name), "italic"))
        if layout is None:
            words = _shape_words(shape)
            lines += [name.append(": ").append_text(words[0]), *map(_indented, words[1:])]
        else:
            name.truncate(layout.act, overflow="ellipsis")
            lines.append(_row(name, _shape(shape, layout, decision.round), layout))
    return lines


def _shape_words(shape: RangeShape | None) -> list[Text]:
    """What a range is like in words, in a line or two; nothing of none."""
    if shape is None:
        return []
    return [Text(range_words(shape)), *([Text(composition_words(shape), "dim")] if shape.composition else [])]


def _indented(text: Text) -> Text:
    return Text(" " * _MARGIN).append_text(text)


# ------------------------------------------------------------------------------------------------ an act with its map


def _step(step: Step, hand: Hand, width: int) -> list[RenderableType]:
    """An act, and the range that it leaves as a map, with all that is said of it."""
    decision = step.observation.decision
    line = _act(decision, hand)
    line.append(f"   pot {amount_in_bets(hand, decision.pot)}", "dim")
    if decision.to_call:
        line.append(f", {amount(hand, decision.to_call)} to call", "dim")
    parts: list[RenderableType] = []
    if (advice := _advice(step)) is not None:
        parts.append(advice)
    parts.append(line)
    if decision.name == "fold":
        return parts
    body = Table.grid(padding=(0, 2))
    body.add_column(width=_map_columns(width))
    body.add_column()
    mark = None if step.judgement is None else step.judgement.holding
    body.add_row(HeatMap(step.after, mark=mark, legend=False), _facts(step))
    parts.append(Padding(body, (0, 0, 1, 3), expand=False))
    return parts


def _result(report: HandReport) -> RenderableType:
    """Who won what; of those whose cards are known, how likely the last table made them. The others stand together."""
    hand = report.hand
    last = {step.observation.decision.seat: step.judgement for step in report.steps}
    table = Table.grid(padding=(0, 2))
    others = []
    evs = (None,) * len(hand.players) if hand.all_in is None else hand.all_in_ev_chips
    for seat, (net, ev) in enumerate(zip(hand.net_chips, evs, strict=True)):
        name = _name(hand.players[seat])
        style = "green" if net > 0 else "red" if net < 0 else "dim"
        won = Text(amount_in_bets(hand, net, "+"), style)
        if ev is not None and ev != net:
            won.append(f"  all-in EV {amount_in_bets(hand, ev, '+')}", "dim")
        if seat not in hand.holdings and net <= 0:
            others.append(name.append(" ").append_text(won))
            continue
        judged = last.get(seat)
        hero = report.hero == hand.players[seat]
        said = "" if judged is None or hero else f"the last range has it at {chance_words(judged)}"
        table.add_row(name, holding_text(hand.holdings[seat]) if seat in hand.holdings else "", won, Text(said, "dim"))
    parts: list[RenderableType] = [table, *([Text(", ").join(others)] if others else [])]
    parts.append(Text(money_words(hand), "dim"))
    return Padding(Group(*parts), (0, 0, 0, 2), expand=False)


def print_report(report: HandReport, console: Console, *, maps: bool = False) -> None:
    """Print a report, step by step.

    Parameters
    ----------
    report : HandReport
        What to print.
    console : rich.console.Console
        Where; it decides on colours and width.
    maps : bool
        Show each range whole, as a map, with all that the reader says of the act. By default an act is a line.
    """
    hand = report.hand
    parts: list[RenderableType] = [_heading(report, console.width, maps)]  # printed at once, which is much quicker
    rule_width = min(console.width, _RULE)
    layout = None if maps else _layout(report, console.width)
    current = -1
    for step in report.steps:
        decision = step.observation.decision
        if decision.round != current:
            current = decision.round
            title = Text(ROUNDS[current].capitalize())
            if decision.board:
                title.append("  ").append_text(colored_cards(decision.board))
            if maps:
                parts.append("")
            if layout is None:
                parts.append(Constrain(Rule(title, align="left", style="dim"), rule_width))
            else:
                parts.append(_heads(title, layout, current))
        parts += _step(step, hand, console.width) if maps else _brief_step(report, step, layout)
    if maps:
        parts.append("")
    title = Text("Result")
    if hand.board:
        title.append("  ").append_text(colored_cards(hand.board))
    parts += [Constrain(Rule(title, align="left", style="dim"), rule_width), _result(report)]
    console.print(Group(*parts))
