"""Tables of an unknown opponent: how the program itself acts, counted in games against itself.

``tools/stud_defaults.py`` makes the counts that ship with the package.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files

import numpy as np

from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_player import SITUATIONS
from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.action_tables import ActionTables, Backoff
from pokermodel.evaluation.hand_types import SCHEMES

__all__ = ["FORMS", "default_counts", "default_tables", "prior_of", "uniform"]


#: Forms of acts, and the shape of their tables without the states: situations and kinds of acts.
FORMS = {"ctx": (12, 3), "act2": (4, 2), "act4": (4, 4)}

_LEGAL = np.array([[0, 1 / 2, 1 / 2], [1 / 3, 1 / 3, 1 / 3], [1 / 2, 1 / 2, 0]])


def uniform() -> Floats:
    """Probabilities with every legal act equally likely: float64 (12, 36, 3)."""
    return np.repeat(np.tile(_LEGAL, (4, 1))[:, None], STATES, axis=1)


def _situation_frequencies(counts: Floats) -> Floats:
    """Frequencies of the acts in a situation over all states, which states with few counts rely on."""
    pooled = counts.sum(axis=1, keepdims=True) + 3 * uniform()[:, :1]
    return np.repeat(pooled / pooled.sum(axis=2, keepdims=True), STATES, axis=1)


def prior_of(counts: Floats, form: str = "ctx") -> Floats:
    """Return probabilities of acts from counts of acts by context.

    Raises `ValueError` if there is no such form.

    Parameters
    ----------
    counts : ndarray of float, shape (12, 36, 3)
        By situation, state and act, folds among them.
    form : {"ctx", "act2", "act4"}
        How acts are classified.

    Returns
    -------
    ndarray of float64, shape (situations, 36, kinds of acts)
        States with few counts rely on the frequencies of their situation, which count for five acts.
    """
    if form not in FORMS:
        raise ValueError(f"unknown form {form!r}: expected one of {', '.join(FORMS)}")
    believed = counts + 5 * _situation_frequencies(counts)
    if form == "ctx":
        return np.asarray(believed / believed.sum(axis=2, keepdims=True))
    rounds = believed.reshape(4, 3, STATES, 3)[..., 1:]  # folds are no kind of act
    free, facing = rounds[:, 0], rounds[:, 1:].sum(axis=1)
    kinds = free + facing if form == "act2" else np.concatenate([free, facing], axis=2)
    return np.asarray(kinds / kinds.sum(axis=2, keepdims=True))


@lru_cache(maxsize=1)
def _shipped() -> dict[int, Floats]:
    counts = {scheme: np.zeros((SITUATIONS, STATES, 3)) for scheme in SCHEMES}
    text = files("pokermodel").joinpath("data/stud_defaults.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        cell = int(row["situation"]), int(row["state"])
        counts[int(row["types"])][cell] = [int(row[act]) for act in ("fold", "call", "raise")]
    return counts


def default_counts(scheme: int = 25) -> Floats:
    """Return counts of the program's acts against itself: float64 (12, 36, 3), by situation, state and act.

    Raises
    ------
    ValueError
        If there is no such scheme.
    """
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {scheme!r}: expected one of {', '.join(map(str, SCHEMES))}")
    return _shipped()[scheme].copy()


def default_tables(
    scheme: int = 25,
    form: str = "ctx",
    *,
    strength: float = 10.0,
    backoff: Backoff | None = None,
) -> ActionTables:
    """Return the tables of an unknown opponent.

    Parameters
    ----------
    scheme : int
        9, 17 or 25 types.
    form : {"ctx", "act2", "act4"}
        How acts are classified.
    strength, backoff
        As `ActionTables` takes them.

    Raises
    ------
    ValueError
        If there is no such scheme or form.
    """
    prior = prior_of(default_counts(scheme), form)
    return ActionTables(prior, strength=strength, backoff=backoff)
