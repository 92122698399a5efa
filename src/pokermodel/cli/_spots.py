"""Many spots for ``pokermodel solve``: the files of a folder, or a street of each hand of a history."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._interrupts import aborted
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.executors import Executor
    from pokermodel.game import Decision, Hand
    from pokermodel.reading import OpponentModeler
    from pokermodel.solving import Subgame
    from pokermodel.solving.many import Journal, Options, Spot

__all__ = ["solve_many", "spot_files", "spots_of_files", "spots_of_hands"]


def spot_files(paths: Sequence[Path]) -> list[Path]:
    """The spot files that were named, and those of folders, ``*.toml``, in the order of their names."""
    found = []
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise ValueError(f"{path}: there is no spot file in the folder, with a name that ends in .toml")
        found += files
    return found


def spots_of_files(files: Sequence[Path], trim: float | None) -> Iterator[Spot]:
    """Read spot files."""
    from pokermodel.solving import Subgame
    from pokermodel.solving.many import Spot

    for file in files:
        try:
            yield Spot(str(file), _trimmed(Subgame.from_toml(file), trim))
        except (ValueError, OSError) as error:
            yield Spot(str(file), None, str(error))


def spots_of_hands(
    hands: Iterator[tuple[int, Hand, OpponentModeler]],
    file: Path,
    street: str,
    hero: str | None,
    sizes: tuple[list[str] | None, list[str] | None],
    trim: float | None,
    folded: bool = False,
) -> Iterator[Spot]:
    """A street of each hand of a file that two players begin and somebody acts in; of the hero's, if one is named."""
    from pokermodel.game import ROUNDS
    from pokermodel.reading.street import spot_of
    from pokermodel.solving import Subgame
    from pokermodel.solving.many import Spot

    for number, hand, session in hands:
        decision = _decision(hand, ROUNDS.index(street), hero)
        if decision is None:
            continue
        name = f"{file}#{number}"
        about: dict[str, Any] = {"number": number, "id": hand.id, "act_number": decision.index + 1}
        try:
            spot = spot_of(session, hand, decision, folded=folded)
            game = Subgame.from_spot(spot, decision, bets=sizes[0], raises=sizes[1], folded=folded, money=hand.money)
        except ValueError as error:
            yield Spot(name, None, str(error))
            continue
        assert game.played is not None
        about |= {"players": list(game.played.names), "node": game.played.node, "done": game.played.done}
        row = None if hero is None else hand.holdings.get(decision.seat)
        kept = {} if row is None else {game.played.player: row}
        yield Spot(name, _trimmed(game, trim, kept), None, about, row)


def _decision(hand: Hand, street: int, hero: str | None) -> Decision | None:
    """The first act of a street, or the hero's first one, if two players begin it."""
    acts = [each for each in hand.replay() if each.round == street]
    if not acts or len(acts[0].situation.active) != 2:
        return None
    asked = (each for each in acts if not each.out_of_turn and hero in (None, each.player))
    return next(asked, None)


def _trimmed(game: Subgame, trim: float | None, keep: dict[int, tuple[int, int]] | None = None) -> Subgame:
    return game if trim is None else game.trim(trim, keep)


def solve_many(
    spots: Iterator[Spot],
    executor: Executor,
    options: Options,
    journal: Journal | None,
    as_json: bool,
    *,
    number: int | None = None,
    share: Callable[[], float | None] | None = None,
) -> None:
    """Solve spots and print them as they come, or all of them as one JSON object.

    Raises
    ------
    click.ClickException
        If none can be solved.
    click.Abort
        If it was interrupted, after what there is was printed.
    """
    from pokermodel.solving.many import solve_spots

    solved: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    interrupted = False
    with progress("spot", share) as shown:
        tell = None if shown is None else lambda done: shown(done, number)
        found = solve_spots(spots, executor, options, journal, tell)
        try:
            for entry in found:
                (failed if "error" in entry else solved).append(entry)
                if not as_json and "error" not in entry:
                    if shown is not None:
                        shown.clear()
                    click.echo(_line(entry))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            found.close()
    if as_json:
        click.echo(json.dumps({"spots": [*solved, *failed]}, allow_nan=False))
    for entry in failed:
        named = entry["error"].startswith(entry["spot"])
        click.echo(entry["error"] if named else f"{entry['spot']}: {entry['error']}", err=True)
    before = sum(entry["done_before"] for entry in solved)
    words = [counted(len(solved), "spot") + " solved"]
    words += [f"{before} of them before"] if before else []
    words += [f"{counted(len(failed), 'spot')} left out"] if failed else []
    if not solved and not interrupted:
        raise click.ClickException("no spot was solved" if failed else "there is no spot to solve")
    if not as_json:
        click.echo(", ".join(words) + (f", in {journal.path}" if journal is not None else ""))
    if interrupted:
        raise aborted(None if journal is None else journal.path)


def _line(entry: dict[str, Any]) -> str:
    """A result in a line."""
    first, second = entry["ev"]
    cost = f"{counted(entry['iterations'], 'iteration')}, {entry['seconds']:.1f} s"
    row = ""
    if "hand" in entry:
        acts = [each for each in entry["hand"]["acts"] if (each["frequency"] or 0) >= 0.005]
        acts.sort(key=lambda each: -each["frequency"])
        does = ", ".join(f"{_words(each)} {each['frequency']:.0%}" for each in acts)
        row = f"; {entry['hand']['holding']}: {does}"
    return f"{entry['spot']}: EV {first:.4g} and {second:.4g}, off by {entry['exploitability']:.2g} % ({cost}){row}"


def _words(act: dict[str, Any]) -> str:
    return (
        str(act["act"]) if act["to"] is None else f"{act['act']} {'to ' if act['act'] == 'raise' else ''}{act['to']:g}"
    )
