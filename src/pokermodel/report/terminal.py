"""A `HandReport` in the terminal: the hand as it was played, a line for each act, and the ranges whole where asked."""

from __future__ import annotations

import unicodedata

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pokermodel.analysis.hand import HandReport, Step
from pokermodel.cards import cards_text, holding_text
from pokermodel.game import ROUNDS, Hand
from pokermodel.report.facts import fact_lines
from pokermodel.report.heatmap import HeatMap, WeightKey
from pokermodel.report.words import (
    act_words,
    advice_words,
    amount,
    amount_in_bets,
    cards_note,
    composition_words,
    correction_note,
    game_words,
    money_words,
    range_words,
    said_of,
)
from pokermodel.weights import WeightTable

__all__ = ["ACTION_STYLE", "colored_cards", "print_report", "printable"]

_WIDE_MAP = 54
_NARROW_MAP = 28
_FACTS = 50  # columns that the text beside a map needs
_ACT = 46  # columns of an act, beside which its range is said if there is room
_MARGIN = 4
_RULE = 120  # columns of a line between rounds, at most
_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": ""}
_FACT_STYLE = {"threshold": "bold", "borders": "bold", "judgement": "bold magenta"}
_KEY = "Beside an act: how wide a range it leaves, and what is likeliest in it; --maps shows ranges whole, and why."
#: Styles of acts by name.
ACTION_STYLE = {"fold": "dim", "check": "green", "call": "green", "bet": "bold red", "raise": "bold red"}


def printable(text: str) -> str:
    """A name from a history, with whatever could steer a terminal made visible."""
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
    table = Table.grid(padding=(0, 2))
    for seat, name in enumerate(hand.players):
        blind = hand.spec.blinds[seat]
        holding = colored_cards(hand.holdings[seat]) if seat in hand.holdings else Text("unknown", "dim")
        table.add_row(f"{seat + 1}", _name(name), f"blind {amount(hand, blind)}" if blind else "", holding)
    correction = correction_note(report)
    return Group(
        Text(f"{hand.source.upper()} hand {printable(hand.id)}: {game_words(hand)}", "bold"),
        Padding(table, (0, 0, 0, 2), expand=False),
        Text(cards_note(report, printable(report.hero or "")), "dim"),
        WeightKey(_map_columns(width)) if maps else Text(_KEY, "dim"),
        *([] if correction is None else [Text(correction, "dim")]),
    )


def _facts(step: Step) -> RenderableType:
    """What is said beside a map: the reader's facts, the most probable holdings, and how true that is."""
    table = step.after
    before: list[Text] = []
    after: list[Text] = []
    for kind, line in said_of(step.facts, step.observation.decision):
        (after if kind == "judgement" else before).append(Text(printable(line), _FACT_STYLE.get(kind, "")))
    before[0].style = "italic"  # the reason
    tops = [Text(range_words(table, 8))]
    if board := step.observation.decision.board:
        tops.append(Text(composition_words(table, board)))
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
    return Padding(Text(advice + shown, "cyan"), (0, 0, 0, 3), expand=False)


def _range(table: WeightTable, board: tuple[int, ...], name: str = "") -> list[Text]:
    """What a range is like, in a line or two."""
    if not table.total:
        return [Text(f"{name}no holding is left in the table", "dim")]
    lines = [Text(f"{name}{range_words(table)}")]
    if board:
        lines.append(Text(composition_words(table, board), "dim"))
    return lines


def _held(step: Step) -> str:
    """How true the range is, where the cards are known: how much likelier it makes them than knowing nothing does."""
    if (judged := step.judgement) is None:
        return ""
    return f"  (held {judged.holding}: {judged.probability / judged.uniform:.2g} x chance)"


def _brief_step(report: HandReport, number: int, width: int) -> list[RenderableType]:
    """An act in a line: who, what, pot and price; and the range that it leaves, beside it or below."""
    step = report.steps[number]
    decision = step.observation.decision
    line = _act(step, report.hand)
    parts: list[RenderableType] = []
    below: list[Text] = []
    if report.hero == decision.player:
        # what counts here is what the others can hold, and what it costs to go on; one's own cards are known
        if (advice := _advice(step)) is not None:
            parts.append(advice)
        price = [fact for fact in step.facts if fact.kind == "price"]
        below += [Text(printable(told), "cyan") for _, told in fact_lines(price)]
        if (to_call := decision.to_call) and not price:
            line.append(f", which needs {to_call / (decision.pot + to_call):.1%} of the pot", "dim")
        for name, table in _others(report, number).items():
            below += _range(table, decision.board, f"{printable(name)}: ")
    elif decision.name != "fold":
        said, *more = _range(step.after, decision.board)
        said.append(_held(step), "magenta")
        if width >= _ACT + len(said) + 2:
            line.append(" " * max(2, _ACT - line.cell_len)).append_text(said)
            below = more
        else:
            below = [said, *more]
    return [*parts, line, *(Padding(text, (0, 0, 0, _MARGIN), expand=False) for text in below)]


def _others(report: HandReport, number: int) -> dict[str, WeightTable]:
    """The tables of those who are in the hand with the hero at an act of theirs, by name, as they acted last."""
    found: dict[str, WeightTable] = {}
    for step in report.steps[:number]:
        decision = step.observation.decision
        found.pop(decision.player, None)
        if decision.name != "fold" and decision.player != report.hero:
            found[decision.player] = step.after
    return found


def _act(step: Step, hand: Hand) -> Text:
    decision = step.observation.decision
    line = Text(f"{decision.index + 1:>2} ", "dim")
    line.append(printable(decision.player), "bold")
    line.append(" ")
    done, much = act_words(hand, decision)
    line.append(done, ACTION_STYLE[decision.name])
    line.append(much)
    line.append(f"   pot {amount_in_bets(hand, decision.pot)}", "dim")
    if decision.to_call:
        line.append(f", {amount(hand, decision.to_call)} to call", "dim")
    return line


def _step(step: Step, hand: Hand, width: int) -> list[RenderableType]:
    """An act, and the range that it leaves as a map, with all that is said of it."""
    decision = step.observation.decision
    line = _act(step, hand)
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


def _result(hand: Hand) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    evs = (None,) * len(hand.players) if hand.all_in is None else hand.all_in_ev_chips
    for seat, (net, ev) in enumerate(zip(hand.net_chips, evs, strict=True)):
        shown = holding_text(hand.holdings[seat]) if seat in hand.shown else ""
        style = "green" if net > 0 else "red" if net < 0 else "dim"
        beside = "" if ev is None else f"all-in EV {amount_in_bets(hand, ev, '+')}"
        table.add_row(
            _name(hand.players[seat]), shown, Text(amount_in_bets(hand, net, "+"), style), Text(beside, "dim")
        )
    return Padding(Group(table, Text(money_words(hand), "dim")), (0, 0, 0, 2), expand=False)


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
    console.print(_heading(report, console.width, maps))
    rule_width = min(console.width, _RULE)
    current = -1
    for number, step in enumerate(report.steps):
        decision = step.observation.decision
        if decision.round != current:
            current = decision.round
            title = Text(ROUNDS[current].capitalize())
            if decision.board:
                title.append("  ").append_text(colored_cards(decision.board))
            console.print()
            console.print(Rule(title, align="left", style="dim"), width=rule_width)
        for part in _step(step, hand, console.width) if maps else _brief_step(report, number, console.width):
            console.print(part)
    console.print()
    console.print(
        Rule(Text("Result  ").append_text(colored_cards(hand.board)), align="left", style="dim"), width=rule_width
    )
    console.print(_result(hand))
