"""Menus of sizes: what a player may bet or raise to on each street."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokermodel._core.solver import MOST_SIZES
from pokermodel._support.patterns import regex

__all__ = ["MENU_KEYS", "PLAYERS", "STREETS", "Menu", "read_menus", "read_size"]

#: Streets of a subgame.
STREETS = ("flop", "turn", "river")
#: Most bets and raises of a street in limit.
MOST_CAP = 20
#: Players, by their seats.
PLAYERS = ("oop", "ip")
#: What a menu says.
MENU_KEYS = ("bets", "raises", "donk")

_DEFAULTS: dict[str, Any] = {"bets": ("50%", "100%"), "raises": ("60%",), "donk": True}

_NUMBER = regex(r"(\d+(?:\.\d*)?|\.\d+)\s*(%|x|c|)")
#: What a number is, by what stands behind it, and how far it goes.
_KINDS = {"%": ("pot", 0.0, 100_000.0), "x": ("times", 1.0, 1e6), "c": ("to", 0.0, 1e12), "": ("to", 0.0, 1e12)}
_FORMS = (
    "expected a share of the pot such as '50%', a multiple above 1 of the bet that is faced such as '3x', "
    "an amount put in on the street such as '12.5' or '12.5c', 'all-in', 'least' or 'geometric'"
)
_WORDS = {"least": "least", "min": "least", "all-in": "all-in", "geometric": "geometric", "pot": "100%"}


def read_size(text: str) -> tuple[str, float]:
    """Read a size of a menu.

    Parameters
    ----------
    text : str
        ``"50%"`` (of the pot after a call), ``"pot"``, ``"3x"`` (times the bet that is faced), ``"12.5"`` or
        ``"12.5c"`` (the total put in on this street), ``"least"`` or ``"min"``, ``"all-in"``, or ``"geometric"`` (the
        share that, bet on every street from here, is all-in on the river).

    Returns
    -------
    tuple of str and float
        Its kind, ``"pot"``, ``"times"``, ``"to"``, ``"least"``, ``"all-in"`` or ``"geometric"``, and the share of the
        pot, the factor or the amount; else 0.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    if not isinstance(text, str):
        raise ValueError(f"a size is a text, got {text!r}: {_FORMS}")
    word = text.strip().lower()
    word = _WORDS.get(word, word)
    if found := _NUMBER.fullmatch(word):
        kind, above, most = _KINDS[found[2]]
        number = float(found[1])
        if above < number <= most:
            return kind, number / 100 if kind == "pot" else number
    elif word in _WORDS.values():
        return word, 0.0
    raise ValueError(f"unknown size {text!r}: {_FORMS}")


@dataclass(frozen=True, slots=True)
class Menu:
    """The sizes that one player has on one street.

    Parameters
    ----------
    bets, raises : tuple of str
        Sizes; see `read_size`. A bet of 50% is half the pot, a raise of 60% the call and 60% of the pot after it.
        Sizes below the legal range are the least, and above it the most. Empty: only checks, or calls and folds.
    donk : bool or tuple of str
        Whether the player may bet first into who bet or raised last on the street before, or with which sizes; true
        stands for those of other bets.

    Raises
    ------
    ValueError
        If a size cannot be read, there are too many, or a first bet is a multiple of a bet.
    """

    bets: tuple[str, ...] = ("50%", "100%")
    raises: tuple[str, ...] = ("60%",)
    donk: bool | tuple[str, ...] = True

    def __post_init__(self) -> None:
        """Check every size."""
        for name in MENU_KEYS if not isinstance(self.donk, bool) else ("bets", "raises"):
            sizes = getattr(self, name)
            if isinstance(sizes, str) or not isinstance(sizes, Sequence):
                also = " or true or false" if name == "donk" else ""
                raise ValueError(f"{name} must be a list of sizes{also}, got {sizes!r}")
            if len(sizes) > MOST_SIZES:
                raise ValueError(f"{name} must be at most {MOST_SIZES} sizes, got {len(sizes)}")
            for size in sizes:
                if read_size(size)[0] == "times" and name != "raises":
                    raise ValueError(f"{name} {size}: no bet is faced; expected another form, as '50%' or '12.5'")
            object.__setattr__(self, name, tuple(sizes))

    @property
    def leads(self) -> tuple[str, ...]:
        """Sizes of bets into who bet or raised last on the street before."""
        return self.donk if isinstance(self.donk, tuple) else self.bets if self.donk else ()

    def check_pot_limit(self) -> None:
        """Raise unless each row has a size that pot limit allows.

        Raises
        ------
        ValueError
            If all sizes of a row are above the pot.
        """
        for name, sizes in (("bets", self.bets), ("raises", self.raises), ("donk", self.leads)):
            if sizes and all(kind == "pot" and share > 1 for kind, share in map(read_size, sizes)):
                raise ValueError(f"{name} {', '.join(sizes)} have no legal size: pot limit allows 100% at most")


def read_menus(top: Mapping[str, Any], streets: Mapping[str, Any]) -> dict[tuple[str, str], Menu]:
    """Read the menus of each street and player.

    An entry for a player on a street comes first, then one for the street, then one for the player, then one for all.
    Raises `ValueError` if a street, a player or a key is unknown, or a size cannot be read.

    Parameters
    ----------
    top : mapping
        The entry for all: ``bets``, ``raises`` and ``donk``, all optional.
    streets : mapping
        Entries by street, by player, or by player within a street.
    """
    for key, table in streets.items():
        if key not in (*STREETS, *PLAYERS):
            raise ValueError(f"unknown street {key!r}: expected one of {', '.join((*STREETS, *PLAYERS))}")
        inner = PLAYERS if key in STREETS else ()
        _check_table(key, table, inner)
        for player in inner:
            _check_table(f"{key}.{player}", table.get(player, {}), ())
    found = {}
    for street in STREETS:
        for player in PLAYERS:
            on_street = streets.get(street, {})
            layers = (on_street.get(player, {}), on_street, streets.get(player, {}), top, _DEFAULTS)
            chosen = {key: next(layer[key] for layer in layers if key in layer) for key in MENU_KEYS}
            try:
                found[street, player] = Menu(**chosen)
            except ValueError as error:
                raise ValueError(f"menu of {street}, {player}: {error}") from None
    return found


def _check_table(name: str, table: object, inner: Sequence[str]) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"{name} must be a table, got {table!r}")
    for key in table:
        if key not in (*MENU_KEYS, *inner):
            raise ValueError(f"unknown key {key!r} in {name}: expected one of {', '.join((*MENU_KEYS, *inner))}")
