"""Loops over our own evaluator in C, the textbook way: what kernels for ranges are compared with."""

from __future__ import annotations

import ctypes
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.compiled import load
from benchmarks.registry import UnavailableError
from pokermodel import get_include


@cache
def library() -> ctypes.CDLL:
    """The compiled loop; `UnavailableError` without a C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            loop = load("board_outer.c", Path(folder), get_include())
        except (FileNotFoundError, RuntimeError) as error:
            raise UnavailableError(str(error)) from None
    loop.outer_table_bytes.restype = ctypes.c_size_t
    loop.outer_joint.restype = ctypes.c_double
    loop.outer_prepare()
    return loop


def table_bytes() -> int:
    """Size of the evaluator's tables."""
    return int(library().outer_table_bytes())


def potential_counts(flop: tuple[int, ...], holding: tuple[int, ...], weights: np.ndarray) -> np.ndarray:
    """Weight times runouts of one holding on a flop by ``[now][later]``: float64 (3, 3)."""
    counts = np.empty((3, 3))
    doubles = ctypes.POINTER(ctypes.c_double)
    library().outer_counts(
        (ctypes.c_int * 3)(*flop),
        (ctypes.c_int * 2)(*holding),
        weights.ctypes.data_as(doubles),
        counts.ctypes.data_as(doubles),
    )
    return counts


def joint_strength(flop: tuple[int, ...], holding: tuple[int, ...], tables: np.ndarray, firsts: int = 1326) -> float:
    """Strength against two or three opponents, by all that they can hold together; of the first, only some holdings."""
    found = library().outer_joint(
        (ctypes.c_int * 3)(*flop),
        (ctypes.c_int * 2)(*holding),
        tables.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        len(tables),
        firsts,
    )
    return float(found)
