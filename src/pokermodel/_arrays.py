"""Types of arrays, each named once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Bytes", "Counts", "Floats", "Integers", "Words"]

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
