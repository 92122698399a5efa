"""A table from a player's seat, in the terminal: seats, actions, ranges, and values of actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pokermodel._support.words import printable
from pokermodel.analysis.coach import Seen
from pokermodel.analysis.range import top_classes
from pokermodel.cards import cards_text
from pokermodel.evaluation.ranks import category, evaluate
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.game.positions import position_names
from pokermodel.report.heatmap import HeatMap
from pokermodel.report.terminal import ACTION_STYLE, colored_cards
from pokermodel.report.words import METHOD_WORDS, verdict_words
from pokermodel.worth.worth import Verdict

__all__ = [
    "act_line",
    "act_text",
    "coach_line",
    "in_units",
    "range_lines",
    "range_map",
    "result",
    "seats",
    "status",
    "unit",
    "values",
]

_TOP = 6  # classes that a line has room for


def unit(spec: GameSpec) -> str:
    """The unit of winnings: ``"sb"`` for small bets, ``"bb"`` for big blinds."""
    return "sb" if spec.structure.fixed else "bb"


def in_units(spec: GameSpec, chips: float, sign: str = "+") -> str:
    """Chips in small bets or big blinds: ``"+4.5 bb"``."""
    return f"{chips / spec.small_bet:{sign}.4g} {unit(spec)}"


def seats(
    situation: Situation, numbers: Mapping[str, int], acted: Mapping[int, str], *, folded: bool = True
) -> RenderableType:
    """Show who sits where, what they have left, and what they did last.

    Parameters
    ----------
    numbers : mapping of str to int
        Numbers of their opponents, by which they are asked about.
    acted : mapping of int to str
        The last action of each seat in this round.
    """
    grid = Table.grid(padding=(0, 2))
    for justify in ("right", "left", "left", "right", "left"):
        grid.add_column(justify=justify, no_wrap=True)
    where = position_names(situation.spec)
    for seat, name in enumerate(situation.players):
        own = seat == situation.seat
        gone = seat not in situation.active
        if gone and not folded:
            continue
        left = situation.stacks[seat]
        grid.add_row(
            "*" if own else str(numbers[name]),
            printable(name),
            where[seat],
            "" if left is None else str(left),
            "folded" if gone else "all-in" if seat in situation.all_in else acted.get(seat, ""),
            style="bold" if own else "dim" if gone else "",
        )
    return Padding(grid, (0, 0, 0, 2), expand=False)


def act_text(situation: Situation, act: Act, to: int | None) -> str:
    """An act in the words of who does it: ``"call 4"``, ``"raise to 12"``."""
    name = situation.act_names[act]
    if act == Act.RAISE:
        amount = situation.least_raise if to is None else to
        return f"{name} to {amount}" if name == "raise" else f"{name} {amount}"
    return f"{name} {situation.to_call}" if act == Act.CALL and situation.to_call else name


def act_line(decision: Decision, *, own: bool, watching: bool) -> Text:
    """Show what somebody did: the one who looks, or another, whom they may only be watching."""
    line = Text("  ", "dim" if watching else "")
    line.append(printable(decision.player), "bold" if own else "")
    line.append(" ")
    name = decision.name
    verb = name if decision.player == "You" else f"{name}es" if name.endswith("s") else f"{name}s"
    line.append(verb, "" if watching else ACTION_STYLE[name])
    if name == "raise":
        line.append(f" to {decision.to}")
    elif decision.put_in:
        line.append(f" {decision.put_in}")
    left = decision.situation.stacks[decision.seat]
    if left is not None and left == decision.put_in and decision.put_in:
        line.append(", all-in", "bold")
    return line


def made(holding: tuple[int, int], board: tuple[int, ...]) -> str:
    """The hand of a holding on the board; nothing before the flop."""
    return category(evaluate(board + holding)) if board else ""


def status(situation: Situation, holding: tuple[int, int]) -> Text:
    """Say what a decision is about: pot, price, cards."""
    spec = situation.spec
    line = Text("  ")
    line.append(f"Pot {situation.pot}", "bold")
    line.append(f" ({in_units(spec, situation.pot, '')})")
    line.append(f", {situation.to_call} to call" if situation.to_call else ", nothing to call")
    left = situation.stacks[situation.seat]
    if left is not None:
        line.append(f", {left} behind")
    line.append(".  You hold ").append_text(colored_cards(holding, "bold"))
    if situation.board:
        line.append(f": {made(holding, situation.board)}")
    return line


def values(situation: Situation, verdict: Verdict) -> RenderableType:
    """Show what the acts of a decision are worth."""
    best = verdict.best
    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "left", "left"):
        grid.add_column(justify=justify, no_wrap=True)
    for each in verdict.acts:
        name = act_text(situation, each.act, each.to)
        if not each.seen:
            grid.add_row(name, "not known", "", "", style="dim")
            continue
        error = f"± {each.error:.2f}" if each.error >= 0.005 else ""
        style = "bold green" if each is best else ""
        grid.add_row(name, _value(each.ev), error, "best" if each is best else "", style=style)
    said = "small bets" if situation.spec.structure.fixed else "big blinds"
    parts: list[RenderableType] = [
        Padding(grid, (0, 0, 0, 4), expand=False),
        Text(f"    in {said}, {METHOD_WORDS[verdict.method]}", "dim"),
    ]
    if verdict.equity is not None:
        parts.append(Text(f"    your share of the pot if nobody folds: {verdict.equity:.1%}", "dim"))
    if not all(each.seen for each in verdict.acts):
        parts.append(Text("    not known: nobody has been seen to answer at the price that this leaves", "dim"))
    return Group(*parts)


def _value(ev: float) -> str:
    return f"{ev:+.2f}" if ev else "0"


def coach_line(situation: Situation, verdict: Verdict) -> RenderableType:
    """Say what an act cost that was judged."""
    return _coached(verdict_words(replace(verdict, equity=None), situation))


def _coached(text: str) -> RenderableType:
    return Padding(Text(f"Coach: {text}", "cyan"), (0, 0, 0, 2), expand=False)


def range_lines(ranges: Iterable[Seen], numbers: Mapping[str, int]) -> RenderableType:
    """Show in a line each what opponents can hold: the equity against them, and the most probable classes."""
    grid = Table.grid(padding=(0, 2))
    for justify in ("right", "left", "right", "left"):
        grid.add_column(justify=justify, no_wrap=True)
    grid.add_row("", "", "you win", "most likely", style="dim")
    for each in ranges:
        tops = "  ".join(f"{name} {share:.1%}" for name, share in top_classes(each.table, 4))
        grid.add_row(str(numbers[each.name]), printable(each.name), f"{each.equity:.1%}", tops)
    return Padding(grid, (0, 0, 0, 2), expand=False)


def range_map(seen: Seen, holding: tuple[int, int]) -> RenderableType:
    """Show what an opponent can hold as a heat map, and how the player's holding does against it."""
    tops = ", ".join(f"{each} {share:.1%}" for each, share in top_classes(seen.table, _TOP))
    return Padding(
        Group(
            Text(f"What {printable(seen.name)} can hold", "bold"),
            HeatMap(seen.table),
            Text(f"most likely: {tops}"),
            Text(f"{cards_text(holding)} wins {seen.equity:.1%} of the pot against it"),
        ),
        (0, 0, 0, 2),
        expand=False,
    )


def result(hand: Hand, payoffs: Sequence[float], name: str) -> RenderableType:
    """Show how a hand ended: cards that were shown, and who won what."""
    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "left", "right", "right"):
        grid.add_column(justify=justify)
    own = hand.players.index(name)
    for seat, payoff in enumerate(payoffs):
        shown = seat in hand.shown
        if not (shown or payoff or seat == own):
            continue
        holding = hand.holdings.get(seat)
        grid.add_row(
            Text(printable(hand.players[seat]), "bold" if seat == own else ""),
            colored_cards(holding) if holding is not None and (shown or seat == own) else "",
            made(holding, hand.board) if shown and holding is not None else "",
            Text(f"{payoff:+.12g}", "green" if payoff > 0 else "red" if payoff < 0 else "dim"),
            Text(in_units(hand.spec, payoff), "dim"),
        )
    return Padding(grid, (0, 0, 0, 2), expand=False)
