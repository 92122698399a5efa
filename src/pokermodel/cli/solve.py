"""``pokermodel solve``: an equilibrium of a spot after the flop, and what every act is worth in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._hands import index_option
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._locks import gain_data, gain_lines, lock_option
from pokermodel.cli._numbers import Numbers
from pokermodel.cli._prior import with_prior

if TYPE_CHECKING:
    from pokermodel.game import Decision, Hand
    from pokermodel.reading import OpponentModeler
    from pokermodel.solving import Check, Gain, Lock, PlayedNode, Solution, Subgame

__all__ = ["solve"]

_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", metavar="[SPOT.toml | FILE]", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--hand", type=click.IntRange(min=1), metavar="N", help="Number of the hand in FILE, by default 1.")
@click.option("--act", type=click.IntRange(min=1), metavar="K", help="Number of the act, as read prints it.")
@click.option("--hero", metavar="NAME", help="Who acts there, and whose two cards are answered for.")
@click.option(
    "--model",
    metavar="MODEL",
    shell_complete=complete_names(ListsReaders.kinds),
    help="The model that infers both ranges; by default adaptive.",
)
@click.option("--book", metavar="BOOK", shell_complete=complete_book, help="What is known of players: see read.")
@with_prior
@index_option
@click.option("--bets", metavar="SIZES", help="Sizes of bets in a hand, as '50%,100%,all-in'.")
@click.option("--raises", metavar="SIZES", help="Sizes of raises in a hand, as '60%,all-in'.")
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Leave out holdings of less than this share of the most probable one's weight.",
)
@click.option(
    "--target",
    default=0.5,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Exploitability to reach, in per cent of the pot.",
)
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after this time in any case.")
@click.option("--memory", type=click.FloatRange(min=0, min_open=True), help="Most memory to use, in MB.")
@click.option("--bits", type=click.Choice(["32", "16"]), help="Size of the numbers kept; 32 where they fit.")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of threads; by default one per processor.")
@click.option(
    "--against",
    type=click.Choice(["equilibrium", "model"]),
    help="What the opponent in a hand is taken to play: an equilibrium, the default, or what the model expects of "
    "them, as far as their acts bear it out.",
)
@lock_option
@click.option(
    "--risk",
    type=click.FloatRange(min=0, min_open=True),
    help="What the answer to locks may lose in the worst case, in per cent of the pot.",
)
@click.option("--node", help="Node to show, such as r:0:c:b100. By default the root, or that of the act.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the solution to a file.")
@click.option("--continue", "saved", type=_PATH, metavar="SAVED", help="Go on from a solution that was saved.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def solve(
    file: Path | None, hand: int | None, act: int | None, hero: str | None, model: str | None, book: str | None,
    prior: Path | None, index: bool, bets: str | None, raises: str | None, least: float | None, target: float,
    seconds: float | None, memory: float | None, bits: str | None, jobs: int | None, against: str | None,
    locks: tuple[Lock, ...], risk: float | None, node: str | None,
    save: Path | None, saved: Path | None, as_json: bool,
) -> None:  # fmt: skip
    r"""Solve a spot after the flop between two players.

    SPOT.toml says board, pot, stack, both ranges (out of position first) and sizes:

    \b
        board = "QsJh2h8c3d"
        pot = 200
        stack = 900
        ranges = ["QQ,AK,98s", "JJ,KK,T9s"]
        bets = ["50%", "all-in"]
        raises = ["60%"]

    FILE is a hand history, as read takes it. With --act and --hero the street of that act is solved, from what the
    model makes of the streets before, and the answer is for the hero's two cards. The model is not told them: the hero
    has a whole range in the eyes of the opponent.

    With --against model the opponent's nodes are locked to what the model expects of them there, each as far as the
    acts behind it bear it out; --lock and the locks of a spot file say what else is believed. What the answer gains if
    that is right is shown with what it loses in the worst case; --risk keeps the loss within bounds.

    Amounts are in the units of the file. Each act is shown with how often it is taken and what it is worth to those who
    take it, in chips that they get back from there on.
    """
    from pokermodel.solving import Solution
    from pokermodel.solving import solve as compute

    of_hand: dict[str, Any] = {
        "--hand": hand,
        "--act": act,
        "--hero": hero,
        "--model": model,
        "--book": book,
        "--bets": bets,
    }
    of_hand |= {"--raises": raises, "--prior": prior, "--against": against}
    if (file is None) == (saved is None):
        raise click.UsageError("solve needs a spot file, a hand history, or a solution to go on from (--continue)")
    given = [name for name, value in of_hand.items() if value is not None]
    if given and (file is None or act is None or hero is None):
        raise click.UsageError(f"{given[0]} is for a hand: expected FILE --hand N --act K --hero NAME")
    if least is not None and saved is not None:
        raise click.UsageError("--least is for a new solution: one that was saved has its holdings")
    if saved is not None and (locks or risk is not None):
        raise click.UsageError("--lock and --risk are for a new solution: one that was saved has its locks")
    start = None if saved is None else Solution.load(saved, jobs=jobs or 1)
    at = None
    if start is not None:
        subgame = start.subgame
    elif act is not None and hero is not None and file is not None:
        asked = _Asked(file, hand or 1, act, hero, model or "adaptive", book, prior, index)
        at = _of_hand(asked, _sizes(bets), _sizes(raises))
        subgame = at.subgame
        if against == "model":
            locks = (*at.opponent(), *locks)
    else:
        subgame = _of_spot(file)  # type: ignore[arg-type]
    left_out = None
    if least is not None:
        whole = subgame
        subgame = whole.trim(least / 100, None if at is None else {at.played.player: at.holding})
        left_out = [1 - few.total / all_.total for few, all_ in zip(subgame.ranges, whole.ranges, strict=True)]
    found = compute(
        subgame,
        target,
        seconds,
        None if memory is None else int(memory * 1e6),
        locks,
        risk=risk,
        bits=None if bits is None else int(bits),
        jobs=jobs,
        callback=_show_check if sys.stderr.isatty() else None,
        start=start,
    )
    gain = _gain(found, jobs or 1)
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    if save is not None:
        found.save(save)
    if as_json:
        more: dict[str, Any] = {} if left_out is None else {"left_out": left_out}
        if gain is not None:
            more["against_locks"] = gain_data(found, gain)
        click.echo(json.dumps(found.summary() | more | ({} if at is None else {"hand": at.to_dict(found)})))
        return
    if at is None:
        _print(found, node or "r:0", ("out of position", "in position"), left_out, gain)
        return
    _print_row(at, found)
    _print(found, node, at.played.names, left_out, gain)


def _gain(found: Solution, jobs: int) -> Gain | None:
    """What the answer to locks gains and risks beside the equilibrium; None without locks, or with those of both."""
    from pokermodel.solving import gain_of
    from pokermodel.solving import solve as compute

    players = {int(found.tree.player[found.tree.number(lock.node)]) for lock in found.subgame.locks}
    if len(players) != 1:
        return None
    free = compute(found.subgame.with_locks(()), found.target, bits=found.bits, jobs=jobs)
    return gain_of(found, free)


class _Asked(NamedTuple):
    """Which act of which hand is asked about, and who reads it."""

    file: Path
    number: int
    act: int
    hero: str
    model: str
    book: str | None
    prior: Path | None
    keep_index: bool


class _At(NamedTuple):
    """An act of a hand that is asked about."""

    subgame: Subgame
    played: PlayedNode
    hand: Hand
    decision: Decision
    holding: tuple[int, int]
    session: OpponentModeler

    def opponent(self) -> tuple[Lock, ...]:
        """What the model expects of the other player at all of their nodes."""
        from pokermodel.solving import locks_from

        return locks_from(self.session, self.subgame, 1 - self.played.player)

    def to_dict(self, found: Solution) -> dict[str, Any]:
        """The row of the hero's cards, as JSON has it."""
        return {
            "id": self.hand.id,
            "act_number": self.decision.index + 1,
            "hero": self.decision.player,
            "players": list(self.played.names),
            "done": self.played.done,
            "currency": self.hand.currency,
            **found.row(self.holding, self.played.node),
        }


def _of_spot(path: Path) -> Subgame:
    """Read a spot file."""
    from pokermodel.solving import Subgame

    if path.is_dir():
        raise click.UsageError(f"{path} is a folder: expected a spot file, or of a hand --hand N --act K --hero NAME")
    return Subgame.from_toml(path)


def _of_hand(asked: _Asked, bets: list[str] | None, raises: list[str] | None) -> _At:
    """The spot of an act of a hand."""
    from pokermodel.cli.read import read_before
    from pokermodel.solving import Subgame

    numbers = Numbers(((asked.number, asked.number),), several=False)
    hand, session = read_before(asked.file, numbers, asked.model, asked.book, asked.prior, index=asked.keep_index)
    act, hero = asked.act, asked.hero
    decisions = list(hand.replay())
    if hero not in hand.players:
        raise ValueError(f"{hero!r} is not in the hand: its players are {', '.join(hand.players)}")
    holding = hand.holdings.get(hand.players.index(hero))
    if holding is None:
        raise ValueError(f"the cards of {hero} are not known in the hand: there is no row to read")
    if act > len(decisions):
        raise ValueError(f"the hand has no act {act}: it has {len(decisions)}")
    decision = decisions[act - 1]
    if decision.player != hero:
        theirs = [str(d.index + 1) for d in decisions if d.player == hero and d.round]
        words = f"expected one of {hero} after the flop ({', '.join(theirs) or 'there is none'})"
        raise ValueError(f"act {act} is one of {decision.player}: {words}")
    subgame = Subgame.from_hand(hand, decision, session, bets=bets, raises=raises)
    assert subgame.played is not None
    return _At(subgame, subgame.played, hand, decision, holding, session)


def _sizes(text: str | None) -> list[str] | None:
    return None if text is None else [size.strip() for size in text.split(",") if size.strip()]


def _print_row(at: _At, found: Solution) -> None:
    """Say what the hero's two cards do, in a sentence, and act by act."""
    row = found.row(at.holding, at.played.node)
    hand, decision = at.hand, at.decision
    names = {each["part"]: _act_words(each) for each in row["acts"]}
    faced = f"facing {_money(hand.money(decision.to_call))} to call" if decision.to_call else "first to bet"
    pot = f"a pot of {_money(hand.money(decision.pot))} {hand.currency}".strip()
    taken = sorted((each for each in row["acts"] if (each["frequency"] or 0) >= 0.005), key=lambda e: -e["frequency"])
    does = ", ".join(f"{names[each['part']]} {each['frequency']:.0%}" for each in taken) or "(never comes here)"
    worth = "" if row["ev"] is None else f", worth {_money(row['ev'])} (+- {row['gap']:.2g})"
    click.echo(f"{decision.player} with {row['holding']} on {found.subgame.board}, {faced} in {pot}: {does}{worth}.")
    click.echo(f"  {'':22}  {row['holding']:>7}  {'EV':>8}  {'range':>7}")
    for each in row["acts"]:
        share = "" if each["frequency"] is None else f"{each['frequency']:.2%}"
        ev = "" if each["ev"] is None else _money(each["ev"])
        range_share = "" if each["range_frequency"] is None else f"{each['range_frequency']:.2%}"
        done = "  (what was done)" if each["part"] == at.played.done else ""
        click.echo(f"  {names[each['part']]:22}  {share:>7}  {ev:>8}  {range_share:>7}{done}")


def _act_words(each: dict[str, Any]) -> str:
    """An act of a row in words."""
    if each["to"] is None:
        return str(each["act"])
    return f"{each['act']} {'to ' if each['act'] == 'raise' else ''}{_money(each['to'])}"


def _money(amount: float) -> str:
    return f"{amount:.2f}".removesuffix(".00")


def _show_check(check: Check) -> None:
    """Show in one line how far it is."""
    click.echo(
        f"\r\x1b[K{counted(check.iterations, 'iteration')}: {check.exploitability:.3g} % of the pot "
        f"after {check.seconds:.1f} s",
        nl=False,
        err=True,
    )


def _print(
    found: Solution, node: str | None, names: tuple[str, str], left_out: list[float] | None, gain: Gain | None
) -> None:
    """Say what the solution is worth to both, and what a node is, if one is asked for."""
    summary: dict[str, Any] = found.summary()
    cost = f"{summary['seconds']:.1f} s, {summary['memory'] / 1e6:.1f} MB"
    click.echo(
        f"{found.subgame.board}, pot {found.subgame.pot:g}: exploitable by {summary['exploitability']:.3g} % of it "
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
    for who, share in zip(names, left_out or (), strict=False):
        click.echo(f"  {who:15}  {share:.2%} of the range left out")
    if node is None:
        return
    values = found.ev(node)
    click.echo(f"{values.node}, player {'in' if values.player else 'out of'} position: EV {values.mean:.4g} "
               f"+- {values.mean_gap:.2g}")  # fmt: skip
    for act, share, worth in zip(values.acts, values.frequencies, values.act_means, strict=True):
        ev = "" if worth != worth else f"  EV {worth:.4g}"
        click.echo(f"  {act!s:22}  {share:7.2%}{ev}")
