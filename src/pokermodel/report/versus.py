"""A player's winnings from others, and how others play against them, in the terminal."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pokermodel._support.words import counted, printable
from pokermodel.analysis.versus import Opponent, Versus
from pokermodel.report.player import statistic_cells
from pokermodel.report.profile import print_whole

__all__ = ["print_opponents", "print_versus"]


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=True, justify="right" if number else "left")
    return table


def _money(opponent: Opponent) -> str:
    return ", ".join(
        f"{amount:+,.2f}{f' {currency}' if currency else ''}" for currency, amount in opponent.money.items()
    )


def _interval(opponent: Opponent) -> str:
    return "" if opponent.low is None else f"{opponent.low:+,.1f} to {opponent.high:+,.1f}"


def print_opponents(versus: Versus, console: Console) -> None:
    """Print from whom a player won how much, a line for each who played with them."""
    opponents = versus.opponents()
    name = printable(versus.hero)
    unit = versus.unit
    console.print(Text(f"{name}: {versus.net_bb:+,.1f} {unit} in {counted(versus.hands, 'hand')}", "bold"))
    table = _table("won from", "hands", unit, f"{unit}/100", "95% interval", "money")
    for each in opponents:
        figures = f"{each.hands:,}", f"{each.won_bb:+,.1f}", f"{each.per_100:+,.1f}", _interval(each), _money(each)
        table.add_row(Text(printable(each.name)), *figures)
    print_whole(table, console)
    rest = _rest(versus.net_bb - sum(each.won_bb for each in opponents), unit)
    note = f"What is won in a hand is taken from those who lost in it, in proportion to what they lost.{rest}"
    console.print(Text(note, "dim"))


def _rest(bets: float, unit: str) -> str:
    """What a player did not lose to others, or not win from them."""
    if abs(bets) < 0.05:
        return ""
    whose = "of what was lost went to the site, as rake" if bets < 0 else "of what was won came from the site"
    return f" {abs(bets):,.1f} {unit} {whose}."


def print_versus(versus: Versus, name: str, console: Console) -> None:
    """Print what a player won from another one, and how that one plays against them."""
    opponent = next(each for each in versus.opponents() if each.name == name)
    hero, shown, unit = printable(versus.hero), printable(name), versus.unit
    console.print(
        Text(
            f"{hero} won {opponent.won_bb:+,.1f} {unit} from {shown} in {counted(opponent.hands, 'hand')} together "
            f"({_money(opponent)}); {opponent.per_100:+,.1f} {unit}/100, 95%: {_interval(opponent) or 'n/a'}",
            "bold",
        )
    )
    for structure, rows in versus.statistics(name).items():
        table = _table(f"{shown}, {structure}", f"against {hero}", "95% interval", "made of", "all", "made of")
        for each in rows:
            label, *against = statistic_cells(each.against)
            _, value, _, made = statistic_cells(each.all)
            table.add_row(label, *against, value, made)
        print_whole(table, console)
    console.print(
        Text(
            f"Against {hero} are acts that face a bet or raise of theirs and, where there is none, those while they "
            "are in the hand; all are those of the same hands.",
            "dim",
        )
    )
