"""Write how the program of five-card stud plays against itself: ``python tools/stud_defaults.py FILE``.

The package has the result as ``src/pokermodel/data/stud_defaults.csv``. It takes some ten seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_player import SITUATIONS
from pokermodel._support.files import write_text
from pokermodel.classics.stud.defaults import prior_of, uniform
from pokermodel.classics.stud.match import play_match
from pokermodel.classics.stud.players import Reader, StudPlayer
from pokermodel.evaluation.hand_types import SCHEMES

#: Games between two estimates of the tables, and how many estimates there are; those of the second half count.
GAMES, ESTIMATES = 10_000, 10


def make_defaults(scheme: int, seed: int = 1) -> NDArray[np.int64]:
    """Play the program against itself, and count its acts.

    At first the program believes that every legal act is equally likely with every hand; after each 10,000 games, that
    the opponent acts as it did in them.

    Parameters
    ----------
    scheme : int
        9, 17 or 25 types.
    seed : int
        0 or more.

    Returns
    -------
    ndarray of int64, shape (12, 36, 3)
        By situation, state and act.
    """
    reader = Reader(scheme)
    belief, total = uniform(), np.zeros((SITUATIONS, STATES, 3))
    for estimate in range(ESTIMATES):
        program = StudPlayer(reader, opponent=belief)
        games = play_match(program, program, GAMES // 2, seed=(seed, scheme, estimate)).games
        counts = games.true_counts(0, reader) + games.true_counts(1, reader)
        belief = prior_of(counts)
        if estimate >= ESTIMATES // 2:
            total += counts
    return total.astype(np.int64)


def main(args: list[str]) -> None:
    """Write the counts of all schemes."""
    if len(args) != 1:
        sys.exit("usage: python tools/stud_defaults.py FILE")
    lines = ["types,situation,state,fold,call,raise"]
    for scheme in SCHEMES:
        counts = make_defaults(scheme)
        for situation, state in zip(*np.nonzero(counts.sum(axis=2)), strict=True):
            values = ",".join(map(str, counts[situation, state].tolist()))
            lines.append(f"{scheme},{situation},{state},{values}")
    write_text(Path(args[0]), "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
