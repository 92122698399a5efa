"""Types of arrays, each named once, and arrays as they are sent."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Bytes", "Counts", "Floats", "Integers", "Packed", "Words", "packed", "unpacked"]

#: Truth values, such as which holdings are live.
Bools: TypeAlias = NDArray[np.bool_]

#: Small codes: cards, classes, acts.
Bytes: TypeAlias = NDArray[np.uint8]

#: Whole numbers that are kept and added up.
Counts: TypeAlias = NDArray[np.int64]

#: Real numbers: weights, probabilities, values.
Floats: TypeAlias = NDArray[np.float64]

#: Whole numbers that index other arrays.
Integers: TypeAlias = NDArray[np.intp]

#: Words of 64 bits: states of generators, and counts that kernels make.
Words: TypeAlias = NDArray[np.uint64]

#: An array as a pickle has it that is of many small ones: type, shape and bytes.
Packed: TypeAlias = tuple[str, tuple[int, ...], bytes]


def packed(array: NDArray[Any]) -> Packed:
    """Return what `unpacked` makes an array of again: a tenth of the time that a pickle of a small array takes."""
    return array.dtype.str, array.shape, array.tobytes()


def unpacked(array: Packed) -> NDArray[Any]:
    """Return the array, which can be written to."""
    kind, shape, content = array
    return np.ndarray(shape, kind, bytearray(content))
