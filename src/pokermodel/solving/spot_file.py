"""Spot files: what a solver is given as text (TOML), which people write by hand and commands write for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pokermodel._support.patterns import regex
from pokermodel._support.toml import read_toml
from pokermodel.cards import card_indices, cards_text
from pokermodel.solving.flops import flop_subset
from pokermodel.solving.lock import Lock
from pokermodel.solving.menu import MENU_KEYS, PLAYERS, STREETS, Menu

__all__ = ["read_boards", "read_spot", "spot_text"]

#: A number that begins with its point, which TOML does not know and people write; no range text has one.
_BARE = regex(r"([=\[,{]\s*)\.(?=\d)")
_KEYS = (
    *(
        "board",
        "boards",
        "flops",
        "pot",
        "stack",
        "stacks",
        "ranges",
        "structure",
        *MENU_KEYS,
        *PLAYERS,
        *STREETS,
        "rake",
        "rake_cap",
    ),
    *("small_bet", "big_bet", "cap", "most_raises", "least", "all_in_share", "folded", "lock"),
)


def read_spot(text: str) -> dict[str, Any]:
    """Read the text of a spot file.

    Raises `ValueError` if it is no TOML, or a key is unknown or missing.

    Returns
    -------
    dict
        Arguments of `Subgame`, which looks at their values.
    """
    spot = _read(text)
    if "board" not in spot and ("boards" in spot or "flops" in spot):
        raise ValueError("it has several boards, which pokermodel solve takes alone; expected board")
    board, arguments = _board(spot), _arguments(spot)
    if not isinstance(board, str):
        raise ValueError(f"board must be a text such as 'QsJh2h', got {board!r}")
    return {"board": board, **arguments}


def read_boards(text: str) -> tuple[dict[str, Any], dict[str, int]] | None:
    """Read a spot file with ``boards`` (a list) or ``flops`` (the number of a subset) in place of ``board``.

    Raises `ValueError` as `read_spot` does; or if boards are no list of different boards of as many cards, or no subset
    has so many.

    Returns
    -------
    (dict, dict) or None
        Arguments of `Subgame` but for the board, and the weight of each board; None if the file has a board.
    """
    spot = _read(text)
    if "boards" not in spot and "flops" not in spot:
        return None
    given = _board(spot)
    if "flops" in spot:
        return _arguments(spot), flop_subset(given)
    if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
        raise ValueError(f"boards must be a list of texts such as 'QsJh2h', got {given!r}")
    boards = [cards_text(card_indices(each)) for each in given]
    if len({frozenset(card_indices(each)) for each in boards}) < len(boards) or len(set(map(len, boards))) > 1:
        raise ValueError("boards must be different, and all of one street")
    return _arguments(spot), dict.fromkeys(boards, 1)


def _read(text: str) -> dict[str, Any]:
    """What a spot file has, with known keys."""
    try:
        spot = read_toml(_BARE.sub(r"\g<1>0.", text), "a spot")
    except ValueError as error:
        raise ValueError(f"not a spot file: {error}") from None
    for key in spot:
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}: expected {', '.join(_KEYS)}")
    return spot


def _board(spot: Mapping[str, Any]) -> Any:
    """What a spot has as its board or boards."""
    found = [key for key in ("board", "boards", "flops") if key in spot]
    if not found:
        raise ValueError("board is missing")
    if len(found) > 1:
        raise ValueError(f"a spot has {' or '.join(found)}, not both")
    return spot[found[0]]


def _arguments(spot: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `Subgame`, but for the board."""
    if "stack" in spot and "stacks" in spot:
        raise ValueError("a spot has stack or stacks, not both")
    for key in "pot", "ranges":
        if key not in spot:
            raise ValueError(f"{key} is missing")
    if not (isinstance(spot["ranges"], list) and all(isinstance(each, str) for each in spot["ranges"])):
        raise ValueError("ranges must be a list of two texts")
    apart = ("board", "boards", "flops", "stack", "lock", *PLAYERS, *STREETS)
    given = {key: spot[key] for key in _KEYS if key in spot and key not in apart}
    if "stack" in spot:
        given["stacks"] = spot["stack"]
    streets = {key: spot[key] for key in (*PLAYERS, *STREETS) if key in spot}
    locks = spot.get("lock", [])
    if not isinstance(locks, list):
        raise ValueError("locks must be written as [[lock]] tables")
    return {**given, "streets": streets, "locks": [_read_lock(table) for table in locks]}


def spot_text(values: Mapping[str, Any], menus: Mapping[tuple[str, str], Menu], locks: Iterable[Lock]) -> str:
    """Write a spot file, which `read_spot` reads.

    Raises `ValueError` if a lock's strategy is an array by holding, which a file cannot say.

    Parameters
    ----------
    values : mapping
        By key, in the order of the file: texts, numbers, and sequences of them; what is None is left out.
    """
    lines = [line for key, value in values.items() if value is not None for line in _value_lines(key, value)]
    for street in dict.fromkeys(street for street, _ in menus):
        lines += ["", f"[{street}]"]
        first, second = (menus[street, player] for player in PLAYERS)
        lines += _menu_lines("", first) if first == second else []
        if first != second:
            lines += [*_menu_lines("oop.", first), *_menu_lines("ip.", second)]
    for lock in locks:
        lines += ["", *_lock_lines(lock)]
    return "\n".join(lines) + "\n"


def _read_lock(table: object) -> Lock:
    if not isinstance(table, Mapping) or set(table) - {"node", "strategy", "confidence"}:
        raise ValueError("a lock has node, strategy and confidence")
    if not isinstance(table.get("node"), str) or not isinstance(table.get("strategy"), (list, Mapping)):
        raise ValueError("a lock needs a node, as 'r:0:b100', and a strategy, as { f = .5, c = .5 }")
    strategy = table["strategy"]
    for value in strategy.values() if isinstance(strategy, Mapping) else strategy:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueError(f"the strategy of a lock has numbers and ranges, got {value!r}")
    return Lock(table["node"], strategy, table.get("confidence", 1.0))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value_lines(key: str, value: Any) -> list[str]:
    """A key and its value: texts of a list stand in lines of their own, since ranges are long."""
    if isinstance(value, str):
        return [f"{key} = {_quoted(value)}"]
    if not isinstance(value, Sequence):
        return [f"{key} = {value:.12g}"]
    if isinstance(value[0], str):
        return [f"{key} = [", *(f"    {_quoted(text)}," for text in value), "]"]
    return [f"{key} = [{', '.join(f'{number:.12g}' for number in value)}]"]


def _menu_lines(before: str, menu: Menu) -> list[str]:
    names = ["bets", "raises", *(["donk"] if isinstance(menu.donk, tuple) else [])]
    lines = [f"{before}{name} = [{', '.join(map(_quoted, getattr(menu, name)))}]" for name in names]
    return [*lines, f"{before}donk = false"] if menu.donk is False else lines


def _lock_lines(lock: Lock) -> list[str]:
    lines = ["[[lock]]", f"node = {_quoted(lock.node)}", f"confidence = {lock.confidence:.12g}"]
    if isinstance(lock.strategy, Mapping):
        parts = (f"{key} = {_quoted(v) if isinstance(v, str) else f'{v:.12g}'}" for key, v in lock.strategy.items())
        return [*lines, f"strategy = {{ {', '.join(parts)} }}"]
    values = np.asarray(lock.strategy)
    if values.ndim != 1:
        raise ValueError(f"the lock of {lock.node} has a strategy by holding, which a spot file cannot say")
    return [*lines, f"strategy = [{', '.join(f'{value:.12g}' for value in values)}]"]
