"""Menus of sizes: what a player may bet or raise to on each street."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pokermodel._core.solver import MOST_SIZES
from pokermodel._support.patterns import regex

__all__ = ["STREETS", "Menu", "read_size"]

#: Streets of a subgame.
STREETS = ("flop", "turn", "river")
#: Most bets and raises of a street in limit.
MOST_CAP = 20
#: Players, by their seats.
PLAYERS = ("oop", "ip")

_SHARE = regex(r"(\d+(?:\.\d*)?|\.\d+)\s*%")
_WORDS = {"least": "least", "min": "least", "all-in": "all-in", "geometric": "geometric", "pot": "100%"}


def read_size(text: str) -> tuple[str, float]:
    """Read a size of a menu.

    Parameters
    ----------
    text : str
        ``"50%"`` (of the pot after a call), ``"pot"``, ``"least"`` or ``"min"``, ``"all-in"`` or ``"geometric"``.

    Returns
    -------
    tuple of str and float
        Its kind, ``"pot"``, ``"least"``, ``"all-in"`` or ``"geometric"``, and the share of the pot.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    if not isinstance(text, str):
        raise ValueError(f"a size is a text such as '50%', 'all-in', 'least' or 'geometric', got {text!r}")
    word = _WORDS.get(text.strip().lower(), text.strip())
    if found := _SHARE.fullmatch(word):
        share = float(found[1]) / 100
        if 0 < share <= 1000:
            return "pot", share
    elif word in _WORDS.values():
        return word, 0.0
    raise ValueError(f"unknown size {text!r}: expected a share above 0 such as '50%', 'all-in', 'least' or 'geometric'")


@dataclass(frozen=True, slots=True)
class Menu:
    """The sizes that one player has on one street.

    Parameters
    ----------
    bets, raises : tuple of str
        Sizes; see `read_size`. A bet of 50 % is half the pot, a raise of 60 % the call and 60 % of the pot after it.
        What is less than the rules allow is the least, what is more the most. Empty: only checks, or calls and folds.
    donk : bool
        Whether the player may bet first into who bet or raised last on the street before.

    Raises
    ------
    ValueError
        If a size cannot be read, or there are too many.
    """

    bets: tuple[str, ...] = ("50%", "100%")
    raises: tuple[str, ...] = ("60%",)
    donk: bool = True

    def __post_init__(self) -> None:
        """Check every size."""
        for name in "bets", "raises":
            sizes = getattr(self, name)
            if isinstance(sizes, str) or not isinstance(sizes, Sequence):
                raise ValueError(f"{name} must be a list of sizes, got {sizes!r}")
            if len(sizes) > MOST_SIZES:
                raise ValueError(f"{name} must be at most {MOST_SIZES} sizes, got {len(sizes)}")
            for size in sizes:
                read_size(size)
            object.__setattr__(self, name, tuple(sizes))
        if not isinstance(self.donk, bool):
            raise ValueError(f"donk must be true or false, got {self.donk!r}")

    def check_pot_limit(self) -> None:
        """Raise unless each row has a size that pot limit allows.

        Raises
        ------
        ValueError
            If all sizes of a row are above the pot.
        """
        for name in "bets", "raises":
            sizes = getattr(self, name)
            if sizes and all(read_size(size)[1] > 1 for size in sizes):
                raise ValueError(f"{name} {', '.join(sizes)} have no legal size: pot limit allows 100% at most")
