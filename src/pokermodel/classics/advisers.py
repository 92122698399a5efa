"""The published programs as advisers: Loki-1's rules, and Loki-2's simulation."""

from __future__ import annotations

from typing import Any

from pokermodel._support.options import choice, whole
from pokermodel.worth.adviser import Adviser, AdviserKind, register

# Each is imported when it is asked for.


def _loki1(**options: Any) -> Adviser:
    from pokermodel.classics.loki1.player import Loki1

    return Loki1(**options)


def _simulation(**options: Any) -> Adviser:
    from pokermodel.classics.simulation.adviser import SimulationAdviser

    return SimulationAdviser(**options)


for _kind in (
    AdviserKind(
        "loki1",
        _loki1,
        "Loki-1",
        "The expert system before the flop, and rules over strength and potential after it, in limit.",
        {"tightness": choice("tight", "moderate", "loose"), "field": choice("mean", "maximum", "product")},
    ),
    AdviserKind(
        "simulation",
        _simulation,
        "a simulation",
        "What acts bring after the flop when the hand is played out many times, in limit.",
        {"trials": whole},
    ),
):
    register(_kind)
