"""Colours of 13 x 13 maps on pages, as rules of style: cells have the class of their level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pokermodel.report.palette import (
    CHANGE_ON_DARK,
    CHANGE_ON_LIGHT,
    WEIGHT_ON_DARK,
    WEIGHT_ON_LIGHT,
    Ramp,
    hex_code,
    ink,
)

__all__ = ["LEVELS", "level_class", "level_rules"]

#: Colours of a ramp, beside that of 0.
LEVELS = 32
_RAMPS = {"w": (WEIGHT_ON_LIGHT, WEIGHT_ON_DARK), "c": (CHANGE_ON_LIGHT, CHANGE_ON_DARK)}


def level_class(level: float | None) -> str:
    """The class of a cell of weights or chances, given its level, 0 to 1; of None ``"none"``."""
    return "none" if level is None else f"w{round(level * LEVELS)}"


def level_rules(ramps: Sequence[str] = ("w", "c")) -> str:
    """Rules of style for ``w0`` to ``w32``, the classes of weights, and ``c0`` to ``c32``, those of changes."""

    def rules(chosen: Iterator[tuple[str, Ramp]]) -> Iterator[str]:
        for name, ramp in chosen:
            for level in range(LEVELS + 1):
                color = ramp.rgb(level / LEVELS)
                yield f".{name}{level}{{background:{hex_code(color)};color:{hex_code(ink(color))}}}"

    light = rules((name, _RAMPS[name][0]) for name in ramps)
    dark = rules((name, _RAMPS[name][1]) for name in ramps)
    return "\n".join([*light, "@media screen and (prefers-color-scheme: dark){", *dark, "}"])
