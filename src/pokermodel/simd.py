"""Which vector instructions the kernels use.

The highest level that the processor supports is chosen at import; every level gives the same results to the last
bit. The environment variable ``POKERMODEL_SIMD`` (a name of `LEVELS`) forces one;
a name that is none is passed over with a warning.

Examples
--------
>>> from pokermodel import simd
>>> simd.use("portable")
>>> simd.level()
'portable'
>>> simd.use(simd.available()[-1])
"""

from __future__ import annotations

import os
import warnings

from pokermodel._core import simd as _simd
from pokermodel._support.checks import check_choice

__all__ = ["LEVELS", "available", "level", "use"]

#: Names of the levels, by their numbers in the kernels. Every processor has "portable"; the next three are levels of
#: x86-64, lowest first, and the last is the one of AArch64.
LEVELS = ("portable", "sse2", "avx2", "avx512", "neon")


def available() -> tuple[str, ...]:
    """Names of the levels that this processor supports, lowest first."""
    return tuple(LEVELS[number] for number in _simd.available())


def level() -> str:
    """Name of the level in use."""
    return LEVELS[_simd.level()]


def use(name: str) -> None:
    """Use a level from now on, in all threads; `ValueError` if there is no such level or the processor lacks it."""
    check_choice("SIMD level", name, LEVELS)
    if name not in available():
        raise ValueError(f"this processor lacks {name!r}: expected one of {', '.join(available())}")
    _simd.use(LEVELS.index(name))


if _forced := os.environ.get("POKERMODEL_SIMD"):
    try:
        use(_forced)
    except ValueError as error:  # which would end every program that imports the package
        warnings.warn(f"POKERMODEL_SIMD is not followed: {error}", RuntimeWarning, stacklevel=2)
