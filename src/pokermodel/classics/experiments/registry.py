"""Registry of the experiments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol

from pokermodel._support.options import Registry
from pokermodel._support.parallel import Progress
from pokermodel.executors import Executor

__all__ = ["Experiment", "Outcome", "experiments", "get_experiment", "register", "run_experiment"]


class Outcome(Protocol):
    """Result of an experiment; the command prints its ``str``."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON; unknown values are None."""


class Experiment(Protocol):
    """A published experiment that can be played."""

    @property
    def name(self) -> str:
        """Name of the experiment."""

    @property
    def title(self) -> str:
        """Title."""

    @property
    def source(self) -> str:
        """The publication."""

    @property
    def deals(self) -> int:
        """Published number of deals of each part."""

    def total(self, deals: int | None = None) -> int:
        """Return the number of deals of all parts together, given those of each part."""

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        resume: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> Outcome:
        """Play the experiment; see `run_experiment`."""


_known: Registry[Experiment] = Registry("experiment", "", "pokermodel.experiments")


def register(experiment: Experiment) -> None:
    """Register an experiment; raises `ValueError` if its name is taken."""
    _known.register(experiment)


def experiments() -> Mapping[str, Experiment]:
    """Return all experiments by name."""
    return _known.kinds()


def get_experiment(name: str) -> Experiment:
    """Return an experiment by name; raises `ValueError`, which lists the names, if there is no such experiment."""
    return _known[name]


def run_experiment(
    experiment: str | Experiment,
    deals: int | None = None,
    *,
    seed: int = 1,
    jobs: int | None = 1,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> Outcome:
    """Play an experiment.

    Parameters
    ----------
    experiment : str or Experiment
        The experiment, or its name.
    deals : int, optional
        Number of deals of each part, or of spots in ``hand-strength``; by default the published number.
    seed : int
        Seed of all parts, 0 or more.
    jobs : int or None
        Number of processes, as in `tournament`. Experiments in stud, ``trials`` and ``hand-strength`` run in one.
    resume : path, optional
        A journal that keeps finished deals of all parts. If the file exists, the experiment goes on from it.
        Experiments that run in one process have none.
    progress : callable, optional
        Called with the number of deals done and the number of all deals.
    executor : Executor, optional
        The executor, as in `tournament`, instead of `jobs` processes.

    Raises
    ------
    ValueError
        If the experiment is unknown, a number is out of range, or `jobs` or `resume` is not supported.
    PlayerFailed
        If a player failed; see `pokermodel.tables.arena.tournament`.
    KeyboardInterrupt
        If the user interrupted it; the journal has the finished blocks.
    """
    chosen = get_experiment(experiment) if isinstance(experiment, str) else experiment
    return chosen.run(deals, seed=seed, jobs=jobs, resume=resume, progress=progress, executor=executor)
