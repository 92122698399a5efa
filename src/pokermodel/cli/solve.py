"""``pokermodel solve``: an equilibrium of a spot after the flop, and what every act is worth in it."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._hands import HistoryPath, index_option
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._locks import gain_data, gain_lines, lock_option
from pokermodel.cli._numbers import Numbers, read_numbers
from pokermodel.cli._pages import in_a_folder, page_option, write_page
from pokermodel.cli._prior import with_prior
from pokermodel.cli._workers import cluster_option, open_executor

if TYPE_CHECKING:
    from pokermodel.game import Decision, Hand
    from pokermodel.reading import Spot
    from pokermodel.solving import Check, Gain, Lock, PlayedNode, Solution, Subgame
    from pokermodel.solving.many import Options

__all__ = ["solve"]

_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", metavar="[SPOT.toml... | FILE]", type=HistoryPath(), nargs=-1)
@click.option(
    "--hand",
    "numbers",
    metavar="N",
    callback=read_numbers,
    help="Number of the hand in FILE, by default 1; with --street also several, as 1-200, by default all.",
)
@click.option("--act", type=click.IntRange(min=1), metavar="K", help="Number of the act, as read prints it.")
@click.option(
    "--street",
    type=click.Choice(["flop", "turn", "river"]),
    help="Solve this street of every hand of FILE that two players begin; with --hero, of theirs.",
)
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
@click.option("--folded", is_flag=True, help="Count the cards of players who folded in a hand as gone.")
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
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Number of threads, or of processes where there are several spots; by default one per processor.",
)
@cluster_option
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
@click.option(
    "--export",
    type=click.Choice(["pio", "gto+", "texassolver"]),
    help="Print the spot as this solver takes it, instead of solving it.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=in_a_folder,
    help="Save the solution to a file, to go on from it or to load it in Python.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=in_a_folder,
    help="Of several spots, append each result to this file, a JSON object a line; those in it are not solved again.",
)
@click.option("--continue", "saved", type=_PATH, metavar="SAVED", help="Go on from a solution that was saved.")
@page_option("the solution, to walk through its tree,")
@click.option("--cards", metavar="CARDS", help="Behind which cards the page has the next street: as 8h,Ac, or all.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def solve(
    files: tuple[Path, ...], numbers: Numbers | None, act: int | None, street: str | None, hero: str | None,
    model: str | None, book: str | None, prior: Path | None, index: bool, bets: str | None, raises: str | None,
    least: float | None, folded: bool, target: float, seconds: float | None, memory: float | None, bits: str | None,
    jobs: int | None, cluster: str | None, against: str | None, locks: tuple[Lock, ...], risk: float | None,
    node: str | None, save: Path | None, out: Path | None, saved: Path | None, html: Path | None, cards: str | None,
    export: str | None, as_json: bool,
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

    Several files, a folder of them, or a street of a session of hands (--street) are solved one beside the other.

    Amounts are in the units of the file. Each act is shown with how often it is taken and what it is worth to those who
    take it, in chips that they get back from there on.
    """
    from pokermodel.solving import Solution, ev_bounds
    from pokermodel.solving import solve as compute
    from pokermodel.solving.many import Options

    file = files[0] if files else None
    of_hand: dict[str, Any] = {
        "--hand": numbers,
        "--act": act,
        "--hero": hero,
        "--model": model,
        "--book": book,
        "--bets": bets,
    }
    of_hand |= {"--raises": raises, "--prior": prior, "--against": against}
    of_hand |= {"--folded": folded or None}
    if (file is None) == (saved is None):
        raise click.UsageError("solve needs a spot file, a hand history, or a solution to go on from (--continue)")
    if street is not None or len(files) > 1 or (file is not None and file.is_dir() and act is None):
        single: dict[str, Any] = {"--act": act, "--node": node, "--export": export, "--save": save, "--continue": saved}
        single |= {"--html": html, "--lock": locks, "--against": against}
        options = Options(target, seconds, None if memory is None else int(memory * 1e6), risk, _bits(bits))
        _solve_many(files, numbers, street, of_hand, single, options, least, jobs, cluster, out, as_json)
        return
    if cluster is not None or out is not None:
        raise click.UsageError(
            "--cluster and --out are for several spots: expected a folder, several files or --street"
        )
    if numbers is not None and numbers.several:
        raise click.UsageError("--hand has several hands only with --street")
    hand = None if numbers is None else numbers.first
    given = [name for name, value in of_hand.items() if value is not None]
    if given and (file is None or act is None or hero is None):
        raise click.UsageError(f"{given[0]} is for a hand: expected FILE --hand N --act K --hero NAME")
    if least is not None and saved is not None:
        raise click.UsageError("--least is for a new solution: one that was saved has its holdings")
    if cards is not None and html is None:
        raise click.UsageError("--cards is for a page: it needs --html")
    behind = _runs(cards)
    if saved is not None and (locks or risk is not None):
        raise click.UsageError("--lock and --risk are for a new solution: one that was saved has its locks")
    start = None if saved is None else Solution.load(saved, jobs=jobs or 1)
    at = None
    if start is not None:
        subgame = start.subgame
    elif act is not None and hero is not None and file is not None:
        asked = _Asked(file, hand or 1, act, hero, model or "adaptive", book, prior, index)
        at = _of_hand(asked, _sizes(bets), _sizes(raises), folded)
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
    if export is not None:
        from pokermodel.report.solver import subgame_text

        click.echo(subgame_text(subgame, export, target), nl=False)
        return
    found = compute(
        subgame,
        target,
        seconds,
        None if memory is None else int(memory * 1e6),
        locks,
        risk=risk,
        bits=_bits(bits),
        jobs=jobs,
        callback=_Shown(target) if sys.stderr.isatty() else None,
        start=start,
    )
    gain = _gain(found, jobs or 1)
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    if save is not None:
        found.save(save)
    if html is not None:
        _write_page(html, found, at, node, behind, gain, as_json)
    if as_json:
        more: dict[str, Any] = {}
        if left_out is not None:
            more = {"left_out": left_out, "left_out_bound": [ev_bounds(found, "r:0", player).mean for player in (0, 1)]}
        if gain is not None:
            more["against_locks"] = gain_data(found, gain)
        click.echo(json.dumps(found.summary() | more | ({} if at is None else {"hand": at.to_dict(found)})))
    elif at is None:
        _print(found, node or "r:0", ("out of position", "in position"), left_out, gain)
    else:
        _print_row(at, found)
        _print(found, node, at.played.names, left_out, gain)
    if found.interrupted:
        raise click.Abort


def _gain(found: Solution, jobs: int) -> Gain | None:
    """What the answer to locks gains and risks beside the equilibrium.

    None without locks or with those of both players, and of a solution that was interrupted.
    """
    from pokermodel.solving import gain_of
    from pokermodel.solving import solve as compute

    players = {int(found.tree.player[found.tree.number(lock.node)]) for lock in found.subgame.locks}
    if len(players) != 1 or found.interrupted:
        return None
    free = compute(found.subgame.with_locks(()), found.target, bits=found.bits, jobs=jobs)
    if free.interrupted:
        found.interrupted = True
        return None
    return gain_of(found, free)


def _bits(text: str | None) -> int | None:
    return None if text is None else int(text)


def _solve_many(
    files: tuple[Path, ...], numbers: Numbers | None, street: str | None, of_hand: dict[str, Any],
    single: dict[str, Any], options: Options, least: float | None, jobs: int | None, cluster: str | None,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Solve several spots."""
    from pokermodel.cli._spots import solve_many, spot_files, spots_of_files, spots_of_hands
    from pokermodel.cli.read import read_each
    from pokermodel.solving.many import Journal

    for name, value in single.items():
        if value:
            raise click.UsageError(f"{name} is for a single spot")
    trim = None if least is None else least / 100
    journal = None if out is None else Journal(out)
    if street is None:
        for name, value in of_hand.items():
            if value is not None:
                raise click.UsageError(f"{name} is for hands: it needs --street, or --act and --hero of one of them")
        named = spot_files(files)
        spots = spots_of_files(named, trim)
        solve_many(spots, open_executor(jobs, cluster), options, journal, as_json, number=len(named))
        return
    if len(files) != 1:
        raise click.UsageError("--street is for the hands of one FILE, which may be a folder")
    model = of_hand["--model"] or "adaptive"
    source, hands = read_each(files[0], numbers, model, of_hand["--book"], of_hand["--prior"])
    sizes = _sizes(of_hand["--bets"]), _sizes(of_hand["--raises"])
    folded = bool(of_hand["--folded"])
    spots = spots_of_hands(hands, files[0], street, of_hand["--hero"], sizes, trim, folded)
    executor = open_executor(jobs, cluster)
    solve_many(spots, executor, options, journal, as_json, share=lambda: source.share_read)


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
    spot: Spot

    def opponent(self) -> tuple[Lock, ...]:
        """What the model expects of the other player at all of their nodes."""
        from pokermodel.solving import locks_from

        return locks_from(self.spot, self.subgame, 1 - self.played.player)

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

    try:
        return Subgame.from_toml(path)
    except ValueError as error:
        if path.suffix == ".toml":
            raise
        raise ValueError(f"{error}; of a hand history --act and --hero, or --street, say what to solve") from None


def _of_hand(asked: _Asked, bets: list[str] | None, raises: list[str] | None, folded: bool) -> _At:
    """The spot of an act of a hand."""
    from pokermodel.cli.read import read_before
    from pokermodel.reading.street import spot_of
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
    spot = spot_of(session, hand, decision, folded=folded)
    subgame = Subgame.from_spot(spot, decision, bets=bets, raises=raises, folded=folded, money=hand.money)
    assert subgame.played is not None
    return _At(subgame, subgame.played, hand, decision, holding, spot)


def _runs(text: str | None) -> list[tuple[int, ...]] | None:
    """The cards that a page has nodes behind; None for all."""
    from pokermodel.cards import card_indices

    return None if text == "all" else [card_indices(part) for part in (text or "").split(",") if part.strip()]


def _write_page(
    path: Path, found: Solution, at: _At | None, node: str | None, cards: list[tuple[int, ...]] | None,
    gain: Gain | None, as_json: bool,
) -> None:  # fmt: skip
    """Write the page of a solution."""
    from pokermodel.analysis.solution import solution_report
    from pokermodel.report.solution_page import solution_page

    names = ("out of position", "in position") if at is None else at.played.names
    start = node or ("r:0" if at is None else at.played.node)
    lines = () if at is None else (_sentence(at, found),)
    report = solution_report(found, cards=cards, names=names, start=start, gain=gain)
    write_page(path, solution_page(report, lines=lines), as_json)


def _sizes(text: str | None) -> list[str] | None:
    return None if text is None else [size.strip() for size in text.split(",") if size.strip()]


def _sentence(at: _At, found: Solution) -> str:
    """What the hero's two cards do, in a sentence."""
    row = found.row(at.holding, at.played.node)
    hand, decision = at.hand, at.decision
    names = {each["part"]: _act_words(each) for each in row["acts"]}
    faced = f"facing {_money(hand.money(decision.to_call))} to call" if decision.to_call else "first to bet"
    pot = f"a pot of {_money(hand.money(decision.pot))} {hand.currency}".strip()
    taken = sorted((each for each in row["acts"] if (each["frequency"] or 0) >= 0.005), key=lambda e: -e["frequency"])
    does = ", ".join(f"{names[each['part']]} {each['frequency']:.0%}" for each in taken) or "(never comes here)"
    worth = "" if row["ev"] is None else f", worth {_money(row['ev'])} (+- {row['gap']:.2g})"
    return f"{decision.player} with {row['holding']} on {found.subgame.board}, {faced} in {pot}: {does}{worth}."


def _print_row(at: _At, found: Solution) -> None:
    """Say what the hero's two cards do, in a sentence, and act by act."""
    click.echo(_sentence(at, found))
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


class _Shown:
    """Shows in one line how far it is, and how long the rest will take.

    Parameters
    ----------
    target : float
        In per cent of the pot.
    """

    def __init__(self, target: float) -> None:
        self._target = target
        self._checks: list[Check] = []

    def __call__(self, check: Check) -> None:
        """Show a check."""
        self._checks.append(check)
        left = seconds_left(self._checks, self._target)
        click.echo(
            f"\r\x1b[K{counted(check.iterations, 'iteration')}: {check.exploitability:.3g} % of the pot "
            f"after {check.seconds:.1f} s{'' if left is None else f', some {left:.0f} s left'}",
            nl=False,
            err=True,
        )


def seconds_left(checks: Sequence[Check], target: float) -> float | None:
    """Seconds to a target, if the exploitability falls on as a power of the iterations, as it did of late.

    None where nobody knows: there are few checks, or it does not fall.
    """
    last, before = checks[-1], checks[len(checks) // 2 - 1] if len(checks) > 3 else None
    if before is None or not 0 < last.exploitability < before.exploitability:
        return None
    power = math.log(before.exploitability / last.exploitability) / math.log(last.iterations / before.iterations)
    needed: float = last.iterations * (max(last.exploitability / target, 1.0) ** (1 / power) - 1)
    return needed * (last.seconds - before.seconds) / (last.iterations - before.iterations)


def _print(
    found: Solution, node: str | None, names: tuple[str, str], left_out: list[float] | None, gain: Gain | None
) -> None:
    """Say what the solution is worth to both, and what a node is, if one is asked for."""
    from pokermodel.report.words import effort_words
    from pokermodel.solving import ev_bounds

    summary: dict[str, Any] = found.summary()
    cost = effort_words(summary["seconds"], summary["memory"])
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
    for player, share in enumerate(left_out or ()):
        bound = ev_bounds(found, "r:0", player).mean
        change = f"EVs may change by {bound:.3g} for the opponent's part"
        click.echo(f"  {names[player]:15}  {share:.2%} of the range left out; {change}")
    if node is None:
        return
    values = found.ev(node)
    click.echo(f"{values.node}, player {'in' if values.player else 'out of'} position: EV {values.mean:.4g} "
               f"+- {values.mean_gap:.2g}")  # fmt: skip
    least = 1e-5 * found.subgame.pot  # what is below is the precision of sums
    for act, share, worth in zip(values.acts, values.frequencies, values.act_means, strict=True):
        ev = "" if worth != worth else f"  EV {0.0 if abs(worth) < least else worth:.4g}"
        click.echo(f"  {act!s:22}  {share:7.2%}{ev}")
