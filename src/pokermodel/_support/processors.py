"""How many processors there are for a process."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["processors"]

_GROUPS = Path("/sys/fs/cgroup")  # where Linux says what a container may use


@cache
def processors() -> int:
    """Return the number of processors that this process may use: in a container as much of them as it has, rounded up.

    A container with two processors may run on a machine with many more, and processes for all of them would stand in
    each other's way.
    """
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for quota, period in _quotas():
        if quota > 0 and period > 0:
            there = min(there, math.ceil(quota / period))
    return max(there, 1)


def _quotas() -> list[tuple[int, int]]:
    """Microseconds of a processor's time that the process may use, and in which time, as either version has them."""
    found = []
    with suppress(OSError, ValueError):
        quota, period = (_GROUPS / "cpu.max").read_text().split()
        found.append((int(quota), int(period)))  # "max" is none
    with suppress(OSError, ValueError):
        quota, period = ((_GROUPS / "cpu" / f"cpu.cfs_{each}_us").read_text() for each in ("quota", "period"))
        found.append((int(quota), int(period)))  # -1 is none
    return found
