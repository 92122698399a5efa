"""All colours of drawings: of surfaces and words, of series in charts, and of numbers.

Style sheets call them by what they are for, ``var(--ink)``, and `color_rules` says what that is on light surfaces, on
paper and on dark screens; nothing else names a colour. Those of numbers go in even steps to the eye, and are safe for
the colour-blind.

Ramps are drawn in OKLab (Ottosson 2020), where equal distances look equal. The higher a weight, the more its
colour stands out against the surface, and the bluer it is: on a dark surface the ramp rises steadily in
lightness, on a light one it falls, through the same hues. It survives every kind of colour blindness and a
black and white printer. The ramp for changes runs between blue and orange. On pages, cells of 13 x 13 maps have the
class of their level, which rules of style colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ACT_COLORS",
    "CHANGE_ON_DARK",
    "CHANGE_ON_LIGHT",
    "LEVELS",
    "ON_DARK",
    "ON_LIGHT",
    "RGB",
    "SERIES_ON_DARK",
    "SERIES_ON_LIGHT",
    "WEIGHT_ON_DARK",
    "WEIGHT_ON_LIGHT",
    "Ramp",
    "act_names",
    "act_rules",
    "color_rules",
    "hex_code",
    "ink",
    "level_class",
    "level_rules",
    "rgb_of",
]

#: Red, green, blue, 0..255.
RGB: TypeAlias = tuple[int, int, int]

# OKLab to the cube roots of cone responses, and those to linear sRGB.
_TO_CONES = np.array(
    [
        [1.0, 0.3963377774, 0.2158037573],
        [1.0, -0.1055613458, -0.0638541728],
        [1.0, -0.0894841775, -1.2914855480],
    ]
)
_TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def _linear(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    part = rgb / 255.0
    linear: NDArray[np.float64] = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear


def _srgb(lab: NDArray[np.float64]) -> RGB:
    linear = np.clip(_TO_LINEAR @ (_TO_CONES @ lab) ** 3, 0.0, 1.0)
    part = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    red, green, blue = np.rint(255.0 * part).astype(int).tolist()
    return red, green, blue


#: Colours by what they are for, on light surfaces, on paper and in pictures.
ON_LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "surface": "#fbfbf9",
        "panel": "#ffffff",
        "card": "#ffffff",
        "felt": "#dfe9e2",
        "shade": "#0000002e",
        "ink": "#1b1b1b",
        "dim": "#595959",
        "faint": "#757575",
        "line": "#b9b9b4",
        "accent": "#005a9c",
        "mark": "#b34700",
        "red": "#b3261e",
        "blue": "#0b57b0",
        "green": "#17652b",
        "held": "#d55e00",  # vermilion of Okabe and Ito (2008)
    }
)
#: The same on dark screens.
ON_DARK: Mapping[str, str] = MappingProxyType(
    {
        "surface": "#16181a",
        "panel": "#1f2225",
        "card": "#2b2f33",
        "felt": "#20302a",
        "shade": "#00000099",
        "ink": "#ececec",
        "dim": "#adadad",
        "faint": "#8f8f8f",
        "line": "#4c5054",
        "accent": "#7cbcff",
        "mark": "#ffa04d",
        "red": "#ff9a8f",
        "blue": "#8fbcff",
        "green": "#84d496",
        "held": "#ff8a1f",
    }
)


def rgb_of(code: str) -> RGB:
    """The colour of a text such as ``#00ff00``."""
    red, green, blue = bytes.fromhex(code[1:7])
    return red, green, blue


def hex_code(rgb: RGB) -> str:
    """Text of a colour for HTML, as ``#00ff00``."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


@cache
def ink(background: RGB) -> RGB:
    """Black or white, whichever is easier to read on the background (contrast of WCAG 2)."""
    luminance = float(_linear(np.array(background, dtype=np.float64)) @ (0.2126, 0.7152, 0.0722))
    return (0, 0, 0) if (luminance + 0.05) ** 2 > 1.05 * 0.05 else (255, 255, 255)


def ansi_rgb(index: int) -> RGB:
    """Colour 16 to 255 of a 256-colour terminal: a 6 x 6 x 6 cube, then 24 greys."""
    if index >= 232:
        grey = 8 + 10 * (index - 232)
        return grey, grey, grey
    red, green, blue = ((0, 95, 135, 175, 215, 255)[(index - 16) // weight % 6] for weight in (36, 6, 1))
    return red, green, blue


class Ramp:
    """A colour for every number from 0 to 1.

    Parameters
    ----------
    *stops : tuple of float
        Evenly spaced colours as lightness 0..1, chroma 0..0.4 and hue in degrees (OKLCH).
    ansi : tuple of int
        Evenly spaced colours of a 256-colour terminal, 16..255. Its cube is so coarse that the most
        similar colours do not make a smooth ramp, so these are chosen by eye.
    """

    def __init__(self, *stops: tuple[float, float, float], ansi: tuple[int, ...] = ()) -> None:
        lightness, chroma, hue = np.array(stops).T
        angle = np.radians(hue)
        self._stops = np.stack([lightness, chroma * np.cos(angle), chroma * np.sin(angle)])
        self._positions = np.linspace(0.0, 1.0, len(stops))
        self._ansi = ansi

    def rgb(self, level: float) -> RGB:
        """Colour of a level."""
        return _srgb(np.array([np.interp(level, self._positions, stops) for stops in self._stops]))

    def ansi(self, level: float) -> int:
        """Colour of a level among those of a 256-colour terminal."""
        return self._ansi[round(level * (len(self._ansi) - 1))]


#: Weights from near black (0) through green to bright blue (1), for terminals.
WEIGHT_ON_DARK = Ramp(
    (0.22, 0.03, 105.0),
    (0.35, 0.07, 118.0),
    (0.48, 0.10, 155.0),
    (0.61, 0.10, 200.0),
    (0.74, 0.11, 245.0),
    (0.86, 0.075, 258.0),
    ansi=(234, 236, 238, 58, 65, 66, 73, 74, 110, 117, 153),
)
#: Weights from near white (0) through green to dark blue (1), for pages.
WEIGHT_ON_LIGHT = Ramp(
    (0.97, 0.03, 105.0),
    (0.86, 0.13, 118.0),
    (0.71, 0.13, 155.0),
    (0.55, 0.09, 200.0),
    (0.39, 0.10, 255.0),
    (0.24, 0.08, 280.0),
)
#: Changes from blue (0, less) over dark grey to orange (1, more), for terminals.
CHANGE_ON_DARK = Ramp((0.76, 0.12, 240.0), (0.28, 0.0, 0.0), (0.76, 0.15, 62.0), ansi=(75, 68, 25, 236, 94, 172, 214))
#: Changes from blue (0, less) over white to orange (1, more), for pages.
CHANGE_ON_LIGHT = Ramp((0.58, 0.14, 248.0), (0.98, 0.0, 0.0), (0.66, 0.16, 55.0))

#: Six colours for series of a chart, on light surfaces and on dark ones. They stand out from the surface by 3 to 1, and
#: from each other with full sight and with each kind of colour blindness (found by a search in OKLab).
SERIES_ON_LIGHT: tuple[RGB, ...] = (
    (0x00, 0x5D, 0x98),  # blue
    (0xE1, 0x6D, 0x0C),  # orange
    (0x24, 0x00, 0x65),  # indigo
    (0x00, 0x9E, 0xC6),  # cyan
    (0x9B, 0x37, 0x00),  # rust
    (0x56, 0x00, 0x00),  # maroon
)
SERIES_ON_DARK: tuple[RGB, ...] = (
    (0x93, 0xF6, 0xFF),  # cyan
    (0xDE, 0x92, 0x6D),  # salmon
    (0x9A, 0xA0, 0xFF),  # lilac
    (0x43, 0x6B, 0xC2),  # blue
    (0xA8, 0x56, 0x00),  # brown
    (0xFF, 0xE1, 0x5A),  # yellow
)

#: What is written on them, on all screens.
ACT_INK = (0, 0, 0)
#: Colours of acts in maps of strategies, as solvers have them: folds blue, checks and calls green, bets and raises red,
#: the larger the darker, and what never comes there grey. Black text stands out from each by 4.5 to 1 at least.
ACT_COLORS: dict[str, RGB] = {
    "fold": (0x6F, 0xA8, 0xDC),
    "call": (0x7B, 0xC4, 0x7F),
    "bet0": (0xF9, 0xC1, 0xB4),
    "bet1": (0xF1, 0x9A, 0x8B),
    "bet2": (0xE5, 0x74, 0x68),
    "bet3": (0xD6, 0x55, 0x50),
    "none": (0xCF, 0xCF, 0xC9),
}
_BETS = 4  # colours of bets and raises

# ------------------------------------------------------------------------------------------ rules of style


def color_rules(*, dark: bool = True) -> str:
    """Rules of style that name colours: `ON_LIGHT`, ``--s0`` to ``--s5`` of series, and with `dark` those at night."""

    def named(colors: Mapping[str, str], series: Sequence[RGB]) -> str:
        numbered = {f"s{k}": hex_code(color) for k, color in enumerate(series)}
        return ":root{" + ";".join(f"--{name}:{code}" for name, code in {**colors, **numbered}.items()) + "}"

    light = named(ON_LIGHT, SERIES_ON_LIGHT)
    on_dark = f"@media screen and (prefers-color-scheme: dark){{{named(ON_DARK, SERIES_ON_DARK)}}}\n"
    return f"{light}\n{on_dark if dark else ''}"


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


def act_names(acts: Sequence[str]) -> list[str]:
    """Names of the colours of a node's acts (``"fold"``, ``"bet"``, the least size first), among `ACT_COLORS`."""
    sizes = sum(act in ("bet", "raise") for act in acts)
    found, size = [], 0
    for act in acts:
        if act in ("bet", "raise"):
            found.append(f"bet{_BETS - 1 - round((sizes - 1 - size) * (_BETS - 1) / max(sizes - 1, 2))}")
            size += 1
        else:
            found.append("fold" if act == "fold" else "call")
    return found if sizes != 1 else [name.replace("bet3", "bet2") for name in found]


def act_rules() -> str:
    """Rules of style that name the colours of acts, ``--act-fold`` and so on, on all screens and on paper."""
    named = {**ACT_COLORS, "ink": ACT_INK}
    return ":root{" + ";".join(f"--act-{name}:{hex_code(color)}" for name, color in named.items()) + "}\n"
