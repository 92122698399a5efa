"""Many spots at once: solved by an executor, and kept in a journal, so that none is solved twice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pokermodel.executors import Executor
from pokermodel.journal import Journal, digest, map_items
from pokermodel.solving.solution import Solution
from pokermodel.solving.solver import solve
from pokermodel.solving.spot_file import read_boards
from pokermodel.solving.subgame import Subgame

__all__ = ["Options", "Spot", "board_spots", "solve_spots"]


class Options(NamedTuple):
    """How spots are solved; see `solve`."""

    target: float = 0.5
    seconds: float | None = None
    memory: int | None = None
    risk: float | None = None
    bits: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A spot of many.

    Parameters
    ----------
    name : str
        Its name in the results.
    subgame : Subgame or None
        None if it cannot be solved.
    error : str or None
        The reason why it cannot be solved.
    about : dict
        Further entries of its result, as JSON.
    row : tuple of int or None
        Two cards of the player to act at the node of the subgame, whose row is wanted.
    """

    name: str
    subgame: Subgame | None
    error: str | None = None
    about: dict[str, Any] = field(default_factory=dict)
    row: tuple[int, int] | None = None

    def key(self) -> str:
        """Digest of the spot: with the same options, spots with the same digest have the same result."""
        game = self.subgame
        if game is None:
            return digest(self.name, "error", str(self.error))
        parts: list[bytes | str] = [repr((self.name, self.row, self.about)), game.with_locks(()).to_toml()]
        parts += [np.ascontiguousarray(table.values).tobytes() for table in game.ranges]
        for lock in game.locks:
            given = lock.strategy
            parts.append(f"{lock.node} {lock.confidence!r}")
            parts.append(repr(dict(given)) if isinstance(given, Mapping) else np.asarray(given).tobytes())
        return digest(*parts)


def board_spots(text: str, name: str = "") -> list[Spot] | None:
    """The spots of a spot file that names several boards, or a subset of flops: one for each board.

    Parameters
    ----------
    text : str
        That of the file.
    name : str
        The names of spots before their boards.

    Returns
    -------
    list of Spot or None
        ``about`` has ``board`` and ``weight``, of how many of the 22,100 flops it stands for, 1 where boards are named;
        None if the file has one board.

    Raises
    ------
    ValueError
        As `Subgame.from_toml` does, but for what is wrong with one board alone: its spot says so.
    """
    given = read_boards(text)
    if given is None:
        return None
    arguments, boards = given
    found = []
    for board, weight in boards.items():
        about = {"board": board, "weight": weight}
        try:
            found.append(Spot(f"{name}{board}", Subgame(board, **arguments), about=about))
        except ValueError as error:
            found.append(Spot(f"{name}{board}", None, str(error), about))
    if all(each.subgame is None for each in found):
        raise ValueError(found[0].error)
    return found


def solve_spots(
    spots: Iterable[Spot],
    executor: Executor,
    options: Options,
    journal: Journal | None = None,
    progress: Callable[[int], object] | None = None,
    more: Callable[[Solution], dict[str, Any]] | None = None,
) -> Generator[dict[str, Any], None, None]:
    """Solve spots, each by one thread.

    Parameters
    ----------
    spots : iterable of Spot
        Taken as they are needed.
    journal : Journal, optional
        Keeps results of spots with these options; spots that it has are not solved again.
    progress : callable, optional
        Called with the number of spots that are done, after each.
    more : callable, optional
        Further data of a solution in results, as JSON; workers call it.

    Yields
    ------
    dict
        In the order of the spots: ``spot`` (its name), ``key``, what `Spot.about` has, ``done_before`` (whether the
        journal had it), and `Solution.summary`; with a row ``hand`` as `Solution.row` has it. Of a spot that cannot be
        solved ``spot`` and ``error`` alone.

    Raises
    ------
    KeyboardInterrupt
        If a solution was interrupted; what the journal has stays.
    OSError
        If the journal cannot be written.
    """
    with closing(map_items(journal, executor, partial(_solve, options, more), spots, Spot.key)) as found:
        for done, (entry, before) in enumerate(found, 1):
            if progress is not None:
                progress(done)
            yield entry if "error" in entry else entry | {"done_before": before}


def _solve(options: Options, more: Callable[[Solution], dict[str, Any]] | None, spot: Spot) -> dict[str, Any]:
    """Solve one, on a worker."""
    if spot.subgame is None:
        return {"spot": spot.name, "error": spot.error}
    try:
        found = solve(
            spot.subgame, options.target, options.seconds, options.memory, risk=options.risk, bits=options.bits, jobs=1
        )
        entry = {"spot": spot.name, "key": spot.key(), **spot.about, **found.summary(), **(more(found) if more else {})}
        if spot.row is not None and spot.subgame.played is not None:
            entry["hand"] = found.row(spot.row, spot.subgame.played.node)
    except ValueError as error:
        return {"spot": spot.name, "error": str(error)}
    if found.interrupted:
        raise KeyboardInterrupt
    return entry
