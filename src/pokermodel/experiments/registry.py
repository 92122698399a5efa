"""Experiments by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol

from pokermodel._options import Registry
from pokermodel._parallel import Progress

__all__ = ["Experiment", "Outcome", "experiments", "get_experiment", "register", "run_experiment"]


class Outcome(Protocol):
    """What came of an experiment; as text it is what the command prints."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON; what is not known is None."""


class Experiment(Protocol):
    """Something published, played again."""

    @property
    def name(self) -> str:
        """As it is asked for."""

    @property
    def title(self) -> str:
        """What it shows."""

    @property
    def source(self) -> str:
        """Who did it first."""

    @property
    def deals(self) -> int:
        """The full length of each part."""

    def total(self, deals: int | None = None) -> int:
        """Deals of all parts, if each has so many; the full length without."""

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> Outcome:
        """Play it: as `run_experiment`."""


_known: Registry[Experiment] = Registry("experiment", "")


def register(experiment: Experiment) -> None:
    """Make an experiment known by its name; `ValueError` if the name is taken."""
    _known.register(experiment)


def experiments() -> Mapping[str, Experiment]:
    """All experiments by name, a copy."""
    return _known.kinds()


def get_experiment(name: str) -> Experiment:
    """An experiment by its name; `ValueError` lists them if there is none."""
    return _known[name]


def run_experiment(
    experiment: str | Experiment,
    deals: int | None = None,
    *,
    seed: int = 1,
    jobs: int | None = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Play an experiment.

    Parameters
    ----------
    experiment : str or Experiment
        Its name, or one of your own.
    deals : int, optional
        Deals of each part; the published length without.
    seed : int
        The same for all parts.
    jobs : int or None
        As in `tournament`. Experiments in stud run in one process.
    checkpoint : path, optional
        A folder for the checkpoints of the parts; made if it is not there. Experiments in stud keep none.
    progress : callable, optional
        Told how many deals are done, of all parts, and of how many.

    Returns
    -------
    Outcome

    Raises
    ------
    ValueError
        If there is no such experiment, a number is out of range, or the experiment cannot do what is asked.
    RuntimeError
        If a player failed: the message says who, and in which hand.
    KeyboardInterrupt
        If it was interrupted; what was finished is in the checkpoints.
    """
    chosen = get_experiment(experiment) if isinstance(experiment, str) else experiment
    return chosen.run(deals, seed=seed, jobs=jobs, checkpoint=checkpoint, progress=progress)
