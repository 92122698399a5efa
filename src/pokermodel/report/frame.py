"""The frame of the Desk: what stands around every screen, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from pokermodel._support.words import counted

__all__ = ["SCREENS", "frame", "hand_address", "status_words"]

#: Screens by name: their address, and the key that leads there after ``g``.
SCREENS = {"Hands": ("/hands", "h"), "Work": ("/work", "w")}
_KEYS = {
    "/": "search",
    "?": "these keys",
    "g h": "hands",
    "g w": "work",
}
_OF_SCREEN = {
    "Hands": {"j k": "next, previous hand", "Enter": "open it"},
    "Hand": {
        "← →": "steps of the hand",
        "Home End": "its ends",
        "n p": "next, previous hand",
        "Esc": "back to the list",
    },
    "Work": {},
}
_MINUTE = 60.0


def frame(here: str, *, query: str = "", status: str = "", command: str, python: str) -> dict[str, Any]:
    """Gather what the frame of a screen shows.

    Parameters
    ----------
    here : str
        Name of the screen.
    query : str
        The filter, in its canonical text: it stays from screen to screen.
    status : str
        The line of status, as `status_words` has it.
    command, python : str
        What gives the same in a terminal and in Python.
    """
    ending = f"?{urlencode({'q': query})}" if query else ""
    return {
        "here": here,
        "screens": [
            (name, address + (ending if name != "Work" else ""), key) for name, (address, key) in SCREENS.items()
        ],
        "query": query,
        "status": status,
        "keys": list({**_OF_SCREEN.get(here, {}), **_KEYS}.items()),
        "command": command,
        "python": python,
    }


def status_words(
    hands: int, reading: bool, waiting: int, seconds: float | None, failed: int = 0, trouble: str = ""
) -> str:
    """Say in a line what goes on: hands, work that waits with its time, and what went wrong last."""
    parts = [f"reading: {counted(hands, 'hand')}" if reading else counted(hands, "hand")]
    if waiting:
        left = (
            ""
            if seconds is None
            else " (less than a minute)"
            if seconds < _MINUTE
            else f" ({seconds / _MINUTE:.0f} min)"
        )
        parts.append(f"{counted(waiting, 'verdict')} waiting{left}")
    if failed:
        parts.append(f"{counted(failed, 'job')} failed")
    if trouble:
        parts.append(trouble)
    return " \N{MIDDLE DOT} ".join(parts)


def hand_address(site: str, number: str, where: Mapping[str, str] | None = None) -> str:
    """Return the address of a hand, in the list that a filter gives."""
    ending = f"?{urlencode(where)}" if where else ""
    return f"/hand/{quote(site, safe='')}/{quote(number, safe='')}{ending}"
