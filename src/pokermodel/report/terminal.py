"""A `HandReport` in the terminal: the hand as it was played, and a heat map after each action."""

from __future__ import annotations

import unicodedata

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pokermodel.analysis.hand import HandReport, Step
from pokermodel.analysis.range import top_classes
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
    correction_note,
    game_words,
)

__all__ = ["ACTION_STYLE", "colored_cards", "print_report", "printable"]

_WIDE_MAP = 54
_NARROW_MAP = 28
_FACTS = 50  # columns that the text beside a map needs
_RULE = 120  # columns of a line between rounds, at most
_SUIT_STYLE = {"c": "green", "d": "blue", "h": "red", "s": ""}
_FACT_STYLE = {"threshold": "bold", "borders": "bold", "judgement": "bold magenta"}
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


def _heading(report: HandReport, width: int) -> RenderableType:
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
        WeightKey(_map_columns(width)),
        *([] if correction is None else [Text(correction, "dim")]),
    )


def _facts(step: Step) -> RenderableType:
    """What is said beside a map: the reader's facts, the most probable holdings, and how true that is."""
    table = step.after
    before: list[Text] = []
    after: list[Text] = []
    for kind, line in fact_lines(step.facts):
        (after if kind == "judgement" else before).append(Text(printable(line), _FACT_STYLE.get(kind, "")))
    before[0].style = "italic"  # the reason
    tops = [Text("most probable holdings and classes", "underline")]
    for top in (table.top(6), top_classes(table, 6)):
        for k in range(0, len(top), 3):
            tops.append(Text("  ".join(f"{name:<4} {probability:>6.2%}" for name, probability in top[k : k + 3])))
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


def _step(step: Step, hand: Hand, width: int) -> list[RenderableType]:
    observation = step.observation
    decision = observation.decision
    line = Text(f"{decision.index + 1:>2} ", "dim")
    line.append(printable(decision.player), "bold")
    line.append(" ")
    done, much = act_words(hand, decision)
    line.append(done, ACTION_STYLE[decision.name])
    line.append(much)
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


def _result(hand: Hand) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for seat, payoff in enumerate(hand.payoffs):
        shown = holding_text(hand.holdings[seat]) if seat in hand.shown else ""
        style = "green" if payoff > 0 else "red" if payoff < 0 else "dim"
        table.add_row(_name(hand.players[seat]), shown, Text(amount_in_bets(hand, payoff, "+"), style))
    return Padding(table, (0, 0, 0, 2), expand=False)


def print_report(report: HandReport, console: Console) -> None:
    """Print a report, step by step.

    Parameters
    ----------
    report : HandReport
        What to print.
    console : rich.console.Console
        Where; it decides on colours and width.
    """
    hand = report.hand
    console.print(_heading(report, console.width))
    rule_width = min(console.width, _RULE)
    current = -1
    for step in report.steps:
        decision = step.observation.decision
        if decision.round != current:
            current = decision.round
            title = Text(ROUNDS[current].capitalize())
            if decision.board:
                title.append("  ").append_text(colored_cards(decision.board))
            console.print()
            console.print(Rule(title, align="left", style="dim"), width=rule_width)
        for part in _step(step, hand, console.width):
            console.print(part)
    console.print()
    console.print(
        Rule(Text("Result  ").append_text(colored_cards(hand.board)), align="left", style="dim"), width=rule_width
    )
    console.print(_result(hand))
