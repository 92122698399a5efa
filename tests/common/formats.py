"""The formats of hand histories by name, each with what recognises its files and what reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pokermodel.histories import acpc, ohh, phh, pokernow
from pokermodel.histories._sites import SITE_FORMATS
from pokermodel.histories._sniff import OWN

__all__ = ["MODULES"]


class _Own(NamedTuple):
    sniff: Callable[[bytes, str], bool]
    hands: Callable[..., Any]


MODULES: dict[str, Any] = {
    "phh": _Own(OWN["phh"], phh.hands),
    "acpc": _Own(OWN["acpc"], acpc.hands),
    "ohh": _Own(OWN["ohh"], ohh.hands),
    "pokernow": _Own(OWN["pokernow"], pokernow.hands),
    **SITE_FORMATS,
}
