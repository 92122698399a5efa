"""A table as somebody who sits at it sees it, in the terminal: seats, acts, ranges, and what acts are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pokermodel._support.words import counted, printable
from pokermodel.analysis.coach import Cost, Judged, Opinion, Seen
from pokermodel.analysis.range import top_classes
from pokermodel.cards import cards_text
from pokermodel.evaluation.ranks import category, evaluate
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.game.positions import position_names
from pokermodel.report.heatmap import HeatMap
from pokermodel.report.terminal import ACTION_STYLE, colored_cards
from pokermodel.report.words import METHOD_WORDS

__all__ = [
    "act_line",
    "act_text",
    "coach_line",
    "cost_words",
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
    """The unit of what is won: ``"sb"`` for small bets, ``"bb"`` for big blinds."""
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
    situation : Situation
        Of the player who looks.
    numbers : mapping of str to int
        Numbers of their opponents, by which they are asked about.
    acted : mapping of int to str
        What each seat did last in this round.
    folded : bool
        Whether seats that folded are shown.
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
    """What a holding makes of the board; nothing before the flop."""
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


def values(opinion: Opinion) -> RenderableType:
    """Show what the acts of a decision are worth."""
    situation = opinion.situation
    acts = opinion.acts
    verdict = opinion.verdict
    unseen = set() if verdict is None else {(each.act, each.to) for each in verdict.acts if not each.seen}
    known = [each for each in acts if (each.act, each.to) not in unseen] or acts
    top = max(known, key=lambda each: (each.ev, each.act))
    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "right", "left", "left", "right"):
        grid.add_column(justify=justify, no_wrap=True)
    myopic = {each.act: each for each in opinion.myopic.acts} if opinion.simulation is not None else {}
    if myopic:
        grid.add_row("", "played out", "", "", "no more bets", style="dim")
    for each in acts:
        error = f"± {each.standard_error:.2f}" if each.standard_error >= 0.005 else ""
        best = each is top and opinion.rule is None
        name = act_text(situation, each.act, each.to)
        beside = _value(myopic[each.act].ev) if myopic else ""
        style = "bold green" if best else ""
        if (each.act, each.to) in unseen:
            grid.add_row(name, "not known", "", "", "", style="dim")
            continue
        grid.add_row(name, _value(each.ev), error, "best" if best else "", beside, style=style)
    said = "small bets" if situation.spec.structure.fixed else "big blinds"
    parts: list[RenderableType] = [
        Padding(grid, (0, 0, 0, 4), expand=False),
        Text(f"    in {said}, {_method(opinion)}", "dim"),
        Text(f"    your share of the pot if nobody folds: {opinion.myopic.equity:.1%}", "dim"),
    ]
    if unseen:
        parts.append(Text("    not known: nobody has been seen to answer at the price that this leaves", "dim"))
    if opinion.rule is not None:
        parts.append(Text(f"    Loki-1's rules would {opinion.rule.name} ({opinion.rule.reason})", "cyan"))
    return Group(*parts)


def _method(opinion: Opinion) -> str:
    """How it was found."""
    if opinion.verdict is not None:
        return METHOD_WORDS[opinion.verdict.method]
    if opinion.simulation is not None:
        return f"a simulation of {counted(opinion.simulation.trials, 'trial')}"
    return "if nobody bets any more" + (f", by {counted(deals, 'deal')}" if (deals := opinion.myopic.deals) else "")


def _value(ev: float) -> str:
    return f"{ev:+.2f}" if ev else "0"


def cost_words(cost: Cost) -> str:
    """Return how large a cost is, in words: ``"the best act"``, ``"a blunder"``."""
    if cost.value <= 0:
        return "the best act"
    if cost.value < max(0.05, 2 * cost.standard_error):
        return "as good as the best"
    return "a small mistake" if cost.value < 0.25 else "a mistake" if cost.value < 1 else "a blunder"


def coach_line(judged: Judged) -> RenderableType:
    """Say what an act cost."""
    opinion, act, cost, mine = judged.opinion, judged.act, judged.cost, judged.ev
    situation, rule = opinion.situation, opinion.rule
    if rule is not None:
        same = ", too" if rule.act == act else ""
        return _coached(f"Loki-1's rules would {rule.name}{same} ({rule.reason}).")
    if cost is None or mine is None:
        return _coached("no advice: the reader has not seen anybody answer at the price that this leaves.")
    words, best = cost_words(cost), act_text(situation, *cost.best)
    if cost.value <= 0:
        return _coached(f"{words} ({_value(mine)} {unit(situation.spec)}).")
    error = f" ± {cost.standard_error:.2f}" if cost.standard_error >= 0.005 else ""
    if judged.close:
        return _coached(f"too close to call: {best} is worth {cost.value:.2f}{error} {unit(situation.spec)} more.")
    other = opinion.simulation is not None and opinion.myopic.best.act == act
    top = next(each.ev for each in opinion.acts if (each.act, each.to) == cost.best)
    return _coached(
        f"{words}: it cost {cost.value:.2f}{error} {unit(situation.spec)} ({act_text(situation, act, judged.to)} "
        f"{_value(mine)}, {best} {_value(top)}){'; it is the best if nobody bets any more' if other else ''}."
    )


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
