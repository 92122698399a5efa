"""Spot files: what a solver is given as text (TOML), which people write by hand and commands write for them."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pokermodel._support.patterns import regex
from pokermodel.solving.lock import Lock
from pokermodel.solving.menu import MENU_KEYS, PLAYERS, STREETS, Menu

if TYPE_CHECKING:
    from pokermodel.solving.subgame import Subgame

__all__ = ["read_spot", "spot_text"]

#: A number that begins with its point, which TOML does not know and people write; no range text has one.
_BARE = regex(r"([=\[,{]\s*)\.(?=\d)")
_KEYS = (
    *("board", "pot", "stack", "stacks", "ranges", "structure", *MENU_KEYS, *PLAYERS, *STREETS, "rake", "rake_cap"),
    *("small_bet", "big_bet", "cap", "most_raises", "least", "all_in_share", "folded", "lock"),
)


def read_spot(text: str) -> dict[str, Any]:
    """Read the text of a spot file.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict
        Arguments of `Subgame`, which looks at their values.

    Raises
    ------
    ValueError
        If it is no TOML, or a key is unknown or missing.
    """
    try:
        spot = tomllib.loads(_BARE.sub(r"\g<1>0.", text))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not a spot file: {error}") from None
    for key in spot:
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}: expected {', '.join(_KEYS)}")
    if "stack" in spot and "stacks" in spot:
        raise ValueError("a spot has stack or stacks, not both")
    for key in "board", "pot", "ranges":
        if key not in spot:
            raise ValueError(f"{key} is missing")
    if not isinstance(spot["board"], str):
        raise ValueError(f"board must be a text such as 'QsJh2h', got {spot['board']!r}")
    if not (isinstance(spot["ranges"], list) and all(isinstance(each, str) for each in spot["ranges"])):
        raise ValueError("ranges must be a list of two texts")
    given = {key: spot[key] for key in _KEYS if key in spot and key not in ("stack", "lock", *PLAYERS, *STREETS)}
    if "stack" in spot:
        given["stacks"] = spot["stack"]
    streets = {key: spot[key] for key in (*PLAYERS, *STREETS) if key in spot}
    locks = spot.get("lock", [])
    if not isinstance(locks, list):
        raise ValueError("locks must be written as [[lock]] tables")
    return {**given, "streets": streets, "locks": [_read_lock(table) for table in locks]}


def spot_text(subgame: Subgame) -> str:
    """Write a subgame as the text of a spot file.

    Parameters
    ----------
    subgame : Subgame

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a lock's strategy is an array by holding, which a file cannot say.
    """
    lines = [f'board = "{subgame.board}"', f"pot = {subgame.pot:.12g}"]
    if not subgame.structure.fixed or subgame.stacks != subgame.most_in:
        lines.append("stacks = [" + ", ".join(f"{stack:.12g}" for stack in subgame.stacks) + "]")
    lines.append("ranges = [")
    lines += [f"    {_quoted(table.to_text())}," for table in subgame.ranges]
    lines.append("]")
    if subgame.folded:
        lines += ["folded = [", *(f"    {_quoted(table.to_text())}," for table in subgame.folded), "]"]
    lines.append(f'structure = "{subgame.structure}"')
    if subgame.structure.fixed:
        lines += [f"small_bet = {subgame.small_bet:.12g}", f"big_bet = {subgame.big_bet:.12g}", f"cap = {subgame.cap}"]
    if subgame.rake:
        lines.append(f"rake = {subgame.rake:.12g}")
    if math.isfinite(subgame.rake_cap):
        lines.append(f"rake_cap = {subgame.rake_cap:.12g}")
    if subgame.most_raises is not None:
        lines.append(f"most_raises = {subgame.most_raises}")
    if subgame.least is not None:
        lines.append(f"least = {subgame.least:.12g}")
    lines.append(f"all_in_share = {subgame.all_in_share:.12g}")
    for street in STREETS[subgame.first_street :]:
        lines += ["", f"[{street}]"]
        first, second = (subgame.menu(street, player) for player in PLAYERS)
        lines += _menu_lines("", first) if first == second else []
        if first != second:
            lines += [*_menu_lines("oop.", first), *_menu_lines("ip.", second)]
    for lock in subgame.locks:
        lines += ["", *_lock_lines(lock)]
    return "\n".join(lines) + "\n"


def _read_lock(table: object) -> Lock:
    if not isinstance(table, Mapping) or set(table) - {"node", "strategy", "confidence"}:
        raise ValueError("a lock has node, strategy and confidence")
    if not isinstance(table.get("node"), str) or not isinstance(table.get("strategy"), (list, Mapping)):
        raise ValueError("a lock needs a node, as 'r:0:b100', and a strategy, as { f = .5, c = .5 }")
    return Lock(table["node"], table["strategy"], table.get("confidence", 1.0))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _menu_lines(before: str, menu: Menu) -> list[str]:
    lines = [f"{before}{name} = [{', '.join(map(_quoted, getattr(menu, name)))}]" for name in ("bets", "raises")]
    return lines if menu.donk else [*lines, f"{before}donk = false"]


def _lock_lines(lock: Lock) -> list[str]:
    lines = ["[[lock]]", f"node = {_quoted(lock.node)}", f"confidence = {lock.confidence:.12g}"]
    if isinstance(lock.strategy, Mapping):
        parts = (f"{key} = {_quoted(v) if isinstance(v, str) else f'{v:.12g}'}" for key, v in lock.strategy.items())
        return [*lines, f"strategy = {{ {', '.join(parts)} }}"]
    values = np.asarray(lock.strategy)
    if values.ndim != 1:
        raise ValueError(f"the lock of {lock.node} has a strategy by holding, which a spot file cannot say")
    return [*lines, f"strategy = [{', '.join(f'{value:.12g}' for value in values)}]"]
