"""Write how the program of five-card stud plays against itself: ``python tools/stud_defaults.py FILE``.

The package has the result as ``src/pokermodel/data/stud_defaults.csv``. It takes some ten seconds.
"""

import sys
from pathlib import Path

import numpy as np

from pokermodel._support.files import write_text
from pokermodel.classics.stud.selfplay import make_defaults
from pokermodel.evaluation.hand_types import SCHEMES


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
