"""The table of income rates that ships with the package: range text and evaluation read it."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASSES

__all__ = ["MAX_PLAYERS", "check_players", "income_rates", "rates_and_errors"]

#: Largest number of players: a deck has 23 holdings and a board.
MAX_PLAYERS = 23


@cache
def rates_and_errors() -> tuple[Floats, Floats]:
    """Rates and standard errors by players - 2 and class: two of (22, 169)."""
    text = files("pokermodel").joinpath("data/income_rates.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    if [row["class"] for row in rows] != list(CLASSES):
        raise RuntimeError("the package's income_rates.csv is damaged: its classes are not the 169 in their order")
    players = range(2, MAX_PLAYERS + 1)
    columns = ([str(n) for n in players], [f"se{n}" for n in players])
    rates, errors = (np.array([[float(row[name]) for row in rows] for name in names]) for names in columns)
    rates.setflags(write=False)
    errors.setflags(write=False)
    return rates, errors


def check_players(players: int) -> int:
    """Return a number of players as an int; `ValueError` if there are no rates for it."""
    try:
        index = players.__index__()
    except AttributeError:
        raise ValueError(f"players must be an integer of 2..{MAX_PLAYERS}, got {players!r}") from None
    if not 2 <= index <= MAX_PLAYERS:
        raise ValueError(f"players must be 2..{MAX_PLAYERS}, got {players}")
    return index


def income_rates(players: int) -> Floats:
    """Income rates of the 169 classes.

    Raises `ValueError` if `players` is not 2..23.

    Parameters
    ----------
    players : int
        Players dealt in, 2 to 23.

    Returns
    -------
    ndarray of float64, shape (169,)
        Milli small bets per hand by class index; read-only. Exact for two players.

    Examples
    --------
    >>> from pokermodel.cards import class_index
    >>> float(income_rates(2)[class_index("AA")])
    704.074
    """
    rates: Floats = rates_and_errors()[0][check_players(players) - 2]
    return rates
