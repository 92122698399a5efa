"""Whether every commit that moved the guard's baseline says why.

    python -m benchmarks.moved_baseline

A commit that changes benchmarks/baseline.txt lets kernels cost more from then on, and later figures do not show it. So
its message must end with a trailer, ``Guard-baseline: why``. This looks at the commits since the guard's anchor, as far
as the checkout has them. The exit status is 1 if one lacks the trailer.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.guard import ANCHOR, ROOT, GuardError, commit, git

BASELINE = "benchmarks/baseline.txt"
TRAILER = "Guard-baseline"


def silent_moves(anchor: str, root: Path = ROOT) -> list[str]:
    """Commits since an anchor that moved the baseline without a word, one line each; `GuardError` without history."""
    since = f"{commit(anchor, root)}..HEAD"
    # merges too, against each parent: one that takes a side's baseline has been said by that side
    shape = f"%H%x01%h %s%x01%(trailers:key={TRAILER},valueonly,separator=%x20)%x02"
    log = git("log", f"--format={shape}", "--no-merges", since, "--", BASELINE, root=root)
    found = []
    for entry in filter(None, (part.strip("\n") for part in log.split("\x02"))):
        _, line, why = entry.split("\x01")
        if not why.strip():
            found.append(line)
    return found


def main() -> int:
    """Print what is wrong; the exit status."""
    try:
        silent = silent_moves(ANCHOR)
    except GuardError as error:
        print(f"moves of {BASELINE} were not looked at: {error}")
        return 0
    for line in silent:
        print(f"{line}\n    moves {BASELINE}: expected a trailer in its message, `{TRAILER}: why`", file=sys.stderr)
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
