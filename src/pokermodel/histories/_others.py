"""First lines of the hands of sites whose histories are not read: so that they are named, and end the hand before."""

from __future__ import annotations

import re
from collections.abc import Callable

from pokermodel.histories._text import Draft, Reader, TextFormat

__all__ = ["OTHERS"]

_STARTS = {
    "888": r"\*{5} .+ Hand History for Game [0-9]+",
    "BetOnline": r"(?:BetOnline|Gear) Poker Game #[0-9]+",
    "Everleaf": r"(?:Everleaf Gaming|Partouche Poker)\b",
    "GGPoker": r"Poker Hand #\w+:",
    "PKR": r"Starting Hand #[0-9]+",
    "Winamax": r"Winamax Poker - ",
    "Winning": r"(?:Game started at: |Hand #[0-9]+ - )",
}


def _refusing(site: str) -> Callable[[], Reader]:
    def read(draft: Draft, header: re.Match[str]) -> bool:
        raise ValueError(f"hands of {site} are not read")

    return lambda: read


#: Formats whose hands are refused, by name.
OTHERS = {site: TextFormat(site, re.compile(start), _refusing(site)) for site, start in _STARTS.items()}
