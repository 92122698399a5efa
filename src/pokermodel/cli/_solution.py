"""The output of ``pokermodel solve`` for a solution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._locks import gain_lines

if TYPE_CHECKING:
    from pokermodel.cli._spots import At
    from pokermodel.solving import Check, Gain, SizeChoice, Solution

__all__ = ["Shown", "print_row", "print_sizes", "print_solution", "seconds_left", "sentence"]

_CLEAR = 0.95


def sentence(at: At, found: Solution) -> str:
    """The strategy of the hero's two cards, in a sentence."""
    row = found.row(at.holding, at.played.node)
    hand, decision = at.hand, at.decision
    names = {each["part"]: _act_words(each) for each in row["acts"]}
    faced = f"facing {_money(hand.money(decision.to_call))} to call" if decision.to_call else "first to bet"
    pot = f"a pot of {_money(hand.money(decision.pot))} {hand.currency}".strip()
    taken = sorted((each for each in row["acts"] if (each["frequency"] or 0) >= 0.005), key=lambda e: -e["frequency"])
    does = ", ".join(f"{names[each['part']]} {each['frequency']:.0%}" for each in taken) or "(never comes here)"
    if taken and taken[0]["frequency"] < _CLEAR:  # what an equilibrium mixes is worth the same, within the error
        does = f"cannot tell which is best ({does})"
    worth = "" if row["ev"] is None else f", worth {_money(row['ev'])} (a best response: {row['gap']:.2g} more)"
    return f"{decision.player} with {row['holding']} on {found.subgame.board}, {faced} in {pot}: {does}{worth}."


def print_row(at: At, found: Solution) -> None:
    """Say what the hero's two cards do, in a sentence, and act by act."""
    click.echo(sentence(at, found))
    row = found.row(at.holding, at.played.node)
    click.echo(f"  {'':22}  {row['holding']:>7}  {'EV':>8}  {'range':>7}")
    for each in row["acts"]:
        share = "" if each["frequency"] is None else f"{each['frequency']:.2%}"
        ev = "" if each["ev"] is None else _money(each["ev"])
        range_share = "" if each["range_frequency"] is None else f"{each['range_frequency']:.2%}"
        done = "  (what was done)" if each["part"] == at.played.done else ""
        click.echo(f"  {_act_words(each):22}  {share:>7}  {ev:>8}  {range_share:>7}{done}")


def _act_words(each: dict[str, Any]) -> str:
    """An act of a row in words."""
    if each["to"] is None:
        return str(each["act"])
    return f"{each['act']} {'to ' if each['act'] == 'raise' else ''}{_money(each['to'])}"


def _money(amount: float) -> str:
    return f"{amount:.2f}".removesuffix(".00")


class Shown:
    """Shows in one line how far it is, and how long the rest will take, to a target in per cent of the pot."""

    def __init__(self, target: float) -> None:
        self._target = target
        self._checks: list[Check] = []

    def __call__(self, check: Check) -> None:
        """Show a check."""
        self._checks.append(check)
        left = seconds_left(self._checks, self._target)
        click.echo(
            f"\r\x1b[K{counted(check.iterations, 'iteration')}: {check.exploitability:.3g}% of the pot "
            f"after {check.seconds:.1f} s{'' if left is None else f', some {left:.0f} s left'}",
            nl=False,
            err=True,
        )


def seconds_left(checks: Sequence[Check], target: float) -> float | None:
    """Seconds to a target, if the exploitability falls on as a power of the iterations, as it did of late.

    None where it is unknown: there are few checks, or it does not fall.
    """
    last, before = checks[-1], checks[len(checks) // 2 - 1] if len(checks) > 3 else None
    if before is None or not 0 < last.exploitability < before.exploitability:
        return None
    power = math.log(before.exploitability / last.exploitability) / math.log(last.iterations / before.iterations)
    needed: float = last.iterations * (max(last.exploitability / target, 1.0) ** (1 / power) - 1)
    return needed * (last.seconds - before.seconds) / (last.iterations - before.iterations)


def print_solution(
    found: Solution, node: str | None, names: tuple[str, str], left_out: list[float] | None, gain: Gain | None
) -> None:
    """Say what the solution is worth to both, and what a node is, if one is asked for."""
    from pokermodel.report.words import effort_words
    from pokermodel.solving import ev_bounds

    summary: dict[str, Any] = found.summary()
    cost = effort_words(summary["seconds"], summary["memory"])
    click.echo(
        f"{found.subgame.board}, pot {found.subgame.pot:g}: exploitable by {summary['exploitability']:.3g}% of it "
        f"after {counted(summary['iterations'], 'iteration')} ({cost})"
    )
    for who, value in zip(names, summary["ev"], strict=True):
        click.echo(f"  {who:15}  EV {value:.4g}")
    if gain is None:
        for who, value in zip(names, summary.get("worst_case", ()), strict=False):
            click.echo(f"  {who:15}  {value:.4g} in the worst case, if the locks are wrong")
    else:
        for line in gain_lines(found, gain, names):
            click.echo(line)
    for player, share in enumerate(left_out or ()):
        bound = ev_bounds(found, "r:0", player).mean
        change = f"EVs may change by {bound:.3g} for the opponent's part"
        click.echo(f"  {names[player]:15}  {share:.2%} of the range left out; {change}")
    if node is None:
        return
    values = found.ev(node)
    click.echo(f"{values.node}, player {'in' if values.player else 'out of'} position: EV {values.mean:.4g} "
               f"(a best response: {values.mean_gap:.2g} more)")  # fmt: skip
    least = 1e-5 * found.subgame.pot  # what is below is the precision of sums
    for act, share, worth in zip(values.acts, values.frequencies, values.act_means, strict=True):
        ev = "" if worth != worth else f"  EV {0.0 if abs(worth) < least else worth:.4g}"
        click.echo(f"  {act!s:22}  {share:7.2%}{ev}")


def print_sizes(found: Solution, choices: Sequence[SizeChoice], names: tuple[str, str]) -> None:
    """Say what each player loses with some of their sizes, by street."""
    before = None
    for each in choices:
        if before != (each.street, each.player, each.row):
            before = each.street, each.player, each.row
            all_sizes = ", ".join(getattr(found.subgame.menu(each.street, ("oop", "ip")[each.player]), each.row))
            value = found.value(each.player)
            click.echo(f"{each.street}, {each.row} of {names[each.player]}: EV {value:.4g} with {all_sizes}")
        some = " and ".join(each.sizes) + (" alone" if len(each.sizes) == 1 else "")
        lost = f"loses {each.loss:.2g}, off by" if each.loss > each.error else "loses no more than the error:"
        click.echo(f"  {some:22}  EV {each.ev:.4g}, {lost} {each.error:.2g}")
