"""What only one of several test processes may do at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_process_at_a_time(name: str) -> Iterator[None]:
    """Let the test processes of this machine in one after another; all of them where the system has no such locks.

    Parameters
    ----------
    name : str
        Of what they would do at the same time.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (Path(tempfile.gettempdir()) / f"pokermodel-tests-{name}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
