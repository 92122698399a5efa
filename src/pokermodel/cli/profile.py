"""``pokermodel profile``: what is known of a player, from a book or from hands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._options import WHERE, Known, Output, known, output, refuse, subject, together
from pokermodel.cli._output import open_console, text_file, write_by_ending
from pokermodel.cli._players import again_line

if TYPE_CHECKING:
    from pokermodel.analysis.player import Group, PlayerReport
    from pokermodel.histories import Filter
    from pokermodel.learning.profile import Profile
    from pokermodel.library import Book, By

__all__ = ["profile"]

_STREET = "street"  # is told apart within hands; the others tell hands apart
_STRUCTURE = "structure"
_IN_MEMORY = "sqlite://"
_READER = "adaptive"  # says ranges


class _View(NamedTuple):
    """What is shown of a player."""

    by: str | None
    every: bool
    exploits: bool
    leaks: bool


class _Counted(NamedTuple):
    """What is counted in hands, instead of a profile."""

    nodes: bool
    against: str | None


@click.command()
@click.argument("name", required=False)
@known()
@click.option("--history", "files", multiple=True, type=HistoryPath(), metavar="FILE", help="Hands instead of a book.")
@WHERE
@together(
    "view",
    _View,
    click.option(
        "--by",
        type=click.Choice(("position", "table", _STREET, "stake", "month", "day", "depth", _STRUCTURE)),
        help="Show each statistic by position, by table size (heads-up, 6-max, full ring), by betting round, "
        "by stake, by month or day (UTC), by stack depth, or by betting structure.",
    ),
    click.option(
        "--all",
        "every",
        is_flag=True,
        help="Print all statistics, sizes, what was shown, and a graph of the winnings; with --nodes all nodes; with "
        "--json ranges, too.",
    ),
    click.option(
        "--exploits",
        is_flag=True,
        help="Work out what each adjustment against the player gains, and its cost if we are wrong about them: some "
        "ten seconds for each.",
    ),
    click.option(
        "--leaks",
        is_flag=True,
        help="Show what exploits the player as leaks, with the EV that each loses: for a look at oneself.",
    ),
)
@together(
    "counts",
    _Counted,
    click.option(
        "--nodes",
        is_flag=True,
        help="Count the player's choices at each node of the betting, in the hands of --history.",
    ),
    click.option("--against", metavar="HERO", help="Show how the player plays against HERO in the hands of --history."),
)
@output("what is known", ".html", ".csv", ".json")
def profile(
    name: str | None,
    known: Known,
    files: tuple[Path, ...],
    which: Filter,
    view: _View,
    counts: _Counted,
    output: Output,
) -> None:
    """Show what is known of a player, from a book or from hands.

    It shows the usual statistics with 95% intervals, the winnings, the rates that differ from other players', and the
    adjustments that are certain at 95%. In limit a second table of --all shows, for each of Loki-1's
    twelve contexts, how often the player folded, called and raised, and the threshold mu and spread sigma that a call
    or raise of theirs implies. In no limit and pot limit it shows how large their bets and raises are.

    Without NAME, all players are listed, those with the most hands first. Where players of several poker sites have a
    name, it is written with the site, as Ann@pokerstars.

    With --nodes each choice and size stands beside what the model expects, by line of betting and position, as 'BTN
    open 2.5bb, BB call | flop BB check -> BTN'; without NAME everybody's. With --against, acts count that face a bet
    or raise of HERO's, and otherwise those while HERO is in the hand; without NAME, a line says from whom HERO won how
    much.
    """
    name = subject(name, which)
    if counts.nodes or counts.against is not None:
        _count(name, known, files, which, view, counts, output)
        return
    _check(name, view, output)
    with _opened(name, known, files, which) as book:
        _show_profile(book, name, known, which, view, output)


def _count(
    name: str | None,
    known: Known,
    files: tuple[Path, ...],
    which: Filter,
    view: _View,
    counts: _Counted,
    output: Output,
) -> None:
    """Show what is counted in hands."""
    option = "--nodes" if counts.nodes else "--against"
    if not files:
        raise click.UsageError(f"{option} counts in hands: expected --history FILE")
    refuse(f"is no part of {option}", "--by", "--exploits", "--leaks")
    ending = output.ending
    if counts.against is None:
        from pokermodel.cli._nodes import show_nodes

        if ending == ".html":
            raise click.UsageError("--out: nodes are written as .csv or .json")
        show_nodes(name, files, which, known, output, every=view.every)
        return
    from pokermodel.cli._versus import show_versus

    refuse("is no part of --against", "--nodes", "--all", "--model", "--book")
    if ending not in ("", ".json"):
        raise click.UsageError("--out: what was won from others is written as .json")
    show_versus(name, counts.against, files, which, output)


def _check(name: str | None, view: _View, output: Output) -> None:
    """Refuse options that do not go together."""
    ending = output.ending
    as_data = output.as_json or ending in (".csv", ".json")
    if view.by is not None and name is None and not as_data:
        raise click.UsageError("--by shows one player: expected a NAME, or --json or --out for all of them")
    for given, option in (view.every, "--all"), (view.leaks, "--leaks"), (view.exploits, "--exploits"):
        if given and (name is None or ending == ".csv"):
            raise click.UsageError(f"{option} shows one player: expected a NAME, and no --out FILE.csv")
    if (ending == ".html" or view.exploits) and (name is None or view.by is not None):
        what = "--exploits" if view.exploits else "a page"
        raise click.UsageError(f"{what} is of one player: expected a NAME, without --by")
    if not (view.exploits or ending == ".html" or (view.every and as_data)):
        refuse("is for ranges: expected --all --json, --exploits, --nodes or --out FILE.html", "--model")


@contextmanager
def _opened(name: str | None, known: Known, files: tuple[Path, ...], which: Filter) -> Iterator[Book]:
    """The book, or one in memory that has learnt the hands."""
    from pokermodel.library import Book

    if (known.book is None) == (not files):
        raise click.UsageError("expected either --book BOOK or --history FILE")
    if known.book is not None:
        with Book(known.book, create=False) as book:
            yield book
        return
    skipped = Skipped()
    reading = HandReading(skipped, files)
    hands = (hand for hand in chain.from_iterable(map(reading.hands, files)) if which(hand, name))
    with Book(_IN_MEMORY) as book:
        book.learn(hands, kinds=["statistics", _READER], skipped=skipped)
        say_left_out(reading.report(), skipped)
        if not book.hands:
            raise click.ClickException(f"no hand to learn from: {reading.refused or 'none is selected'}")
        yield book


def _show_profile(book: Book, name: str | None, known: Known, which: Filter, view: _View, output: Output) -> None:
    """Show what a book knows of a player, or of all."""
    from pokermodel.histories import Filter

    if name is not None and name not in book:
        raise click.ClickException(_unknown(book, name))
    names = list(book) if name is None else [name]
    if (
        not output.as_json
        and known.book is not None
        and (again := again_line(book.statistics.to_learn_again, known.book))
    ):
        click.echo(again, err=True)
    wanted = which.values(_STRUCTURE)
    meant = which if known.book is not None else Filter()  # hands of files were chosen as they were read
    profiles = _profiles(book, names, wanted, meant)
    if not profiles and which:
        what = "the book has no hands" if name is None else f"{name!r} has played no hands"
        more = which.keys - {"hero", _STRUCTURE}
        raise click.ClickException(
            f"{what} of {' or '.join(wanted).replace('-', ' ')}" if wanted and not more else f"{what} of {which}"
        )
    if view.by is not None or output.ending == ".csv":
        _show_groups(book, profiles, name, meant, view, output)
    elif name is None:
        _show_all(book, profiles, output)
    else:
        _show_one(book, profiles, known, meant, view, output)


def _show_groups(
    book: Book, profiles: list[Profile], name: str | None, which: Filter, view: _View, output: Output
) -> None:
    """Show statistics in groups."""
    from pokermodel.report.profile import csv_text

    groups = _groups(book, profiles, name, which, view.by)

    def text() -> str:
        return json.dumps(_groups_dict(book, groups, name, view.by), allow_nan=False)

    if output.out is not None:
        csv = text_file("statistics", lambda: csv_text(groups))
        write_by_ending(output.out, {".csv": csv, ".json": text_file("statistics", lambda: text() + "\n")})
    elif output.as_json:
        click.echo(text())
    else:
        _print_groups(groups, view.every)


def _show_all(book: Book, profiles: list[Profile], output: Output) -> None:
    """List all players."""

    def text() -> str:
        players = [found.to_dict() for found in profiles]
        figures = {"hands": book.hands, "to_learn_again": book.statistics.to_learn_again, "players": players}
        return json.dumps(figures, allow_nan=False)

    if output.out is not None:
        write_by_ending(output.out, {".json": text_file("players", lambda: text() + "\n")})
    elif output.as_json:
        click.echo(text())
    else:
        from pokermodel.report.profile import print_players

        print_players(book.hands, profiles, open_console())


def _show_one(book: Book, profiles: list[Profile], known: Known, which: Filter, view: _View, output: Output) -> None:
    """Show one player, in each betting structure."""
    from pokermodel.analysis.player import PlayerReports
    from pokermodel.reading import read_reader
    from pokermodel.report.player_page import player_page

    kind, options = read_reader(known.model)
    if kind.name != _READER:
        raise click.UsageError(f"--model {known.model}: a profile has the ranges of the model {_READER}")
    as_page = output.ending == ".html"
    ranges = view.every and (output.as_json or (output.out is not None and not as_page))
    reports = PlayerReports(
        book,
        ranges=ranges or as_page,
        exploits=view.exploits or view.leaks,
        prior=options.get("prior"),
        where=str(which),
    )
    found = [reports.of(profile) for profile in profiles]

    def text() -> str:
        first, *others = [_dict(report, ranges, view.leaks) for report in found]
        return json.dumps({**first, "other_structures": others}, allow_nan=False)

    if output.out is not None:
        page = text_file("page", lambda: player_page(found, own=view.leaks))
        write_by_ending(output.out, {".html": page, ".json": text_file("profile", lambda: text() + "\n")})
    if output.as_json:
        click.echo(text())
    elif output.as_text:
        _print_one(found, view)


def _profiles(book: Book, names: list[str], wanted: tuple[str, ...], which: Filter) -> list[Profile]:
    """Profiles of players, one for each betting structure that they have played, those with the most hands first."""
    profiles = [profile for name in names for profile in book.profiles(name, which).values()]
    if wanted:
        profiles = [profile for profile in profiles if profile.structure.replace(" ", "-") in wanted]
    return sorted(profiles, key=lambda found: (-found.hands, found.name))


def _print_one(reports: list[PlayerReport], view: _View) -> None:
    from pokermodel.report.profile import print_findings, print_profile, print_winnings

    console = open_console()
    for number, report in enumerate(reports):
        if number:
            console.print()
        print_profile(report.profile, console, every=view.every)
        print_winnings(report, console, every=view.every)
        print_findings(report, console, own=view.leaks)
    if not view.every:
        console.print("\nAll statistics, sizes and what was shown: --all. By position and so on: --by.", style="dim")
        if any(report.leaks.found and report.exploits is None for report in reports):
            console.print("What each adjustment gains, and its cost if we are wrong: --exploits.", style="dim")


def _dict(report: PlayerReport, ranges: bool, own: bool) -> dict[str, Any]:
    found = report.to_dict(ranges=ranges)
    if own:
        from pokermodel.report.player import leak_words

        unit = "small bets" if report.profile.structure.fixed else "bb"
        found["leaks"] = [
            {"key": each.key, "leak": leak_words(each, unit), "ev_lost": each.gain, "ci95": [each.low, each.high]}
            for _, each in report.gains
        ]
    return found


def _groups(book: Book, profiles: list[Profile], name: str | None, which: Filter, by: str | None) -> list[Group]:
    """The statistics of profiles in their order, each as a whole or in groups."""
    from pokermodel.analysis.player import Group

    if by is None:
        return [
            Group(found.name, "", "", found.hands, found.structure, found.statistics, found.sizes) for found in profiles
        ]
    if by == _STREET:
        return [
            Group(found.name, by, street, None, found.structure, statistics, found.sizes_by_round()[street])
            for found in profiles
            for street, statistics in found.by_round().items()
        ]
    kind = cast("By", by)
    breakdowns = {
        structure: book.breakdown(kind, None, structure, which)
        if name is None
        else {name: book.breakdown(kind, name, structure, which)}
        for structure in {found.structure for found in profiles}
    }
    return [
        Group(found.name, by, group, each.hands, each.structure, each.statistics, each.sizes)
        for found in profiles
        for group, each in breakdowns[found.structure][found.name].items()
    ]


def _groups_dict(book: Book, groups: list[Group], name: str | None, by: str | None) -> dict[str, Any]:
    """Statistics in groups, as JSON has them."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for group in groups:
        figures: dict[str, Any] = {} if group.hands is None else {"hands": group.hands}
        figures["statistics"] = {key: statistic.to_dict() for key, statistic in group.statistics.items()}
        if group.sizes:
            figures["sizes"] = {key: sizes.to_dict() for key, sizes in group.sizes.items()}
        which = group.player, "" if by == _STRUCTURE else str(group.structure)
        found.setdefault(which, {})[group.name] = figures
    players = [
        {"name": player, "by": by, **({"structure": structure} if structure else {}), "groups": of_player}
        for (player, structure), of_player in found.items()
    ]
    if name is None:
        return {"hands": book.hands, "to_learn_again": book.statistics.to_learn_again, "players": players}
    first, *others = players
    return {**first, "to_learn_again": book.statistics.to_learn_again, "other_structures": others}


def _print_groups(groups: list[Group], every: bool) -> None:
    from pokermodel.report.profile import print_groups

    console = open_console()
    together: dict[str, list[Group]] = {}
    for group in groups:
        together.setdefault("" if group.by == _STRUCTURE else str(group.structure), []).append(group)
    for number, some in enumerate(together.values()):
        if number:
            console.print()
        print_groups(some, console, every=every)
    if not every:
        console.print("\nAll statistics with 95% intervals, and sizes: --all.", style="dim")


def _unknown(book: Book, name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(book), cutoff=0.6)
    return f"the book has no player {name!r}" + (f": did you mean {' or '.join(map(repr, close))}?" if close else "")
