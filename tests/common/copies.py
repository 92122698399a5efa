"""Copies and pickles, and whether what comes back is the same."""

from __future__ import annotations

import copy
import pickle
from types import MappingProxyType
from typing import Any

import numpy as np


def pickled(thing: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(thing, protocol))


#: Ways to make another one, by name.
WAYS = {
    "pickle": pickled,
    "protocol 2": lambda thing: pickled(thing, 2),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def content(thing: Any) -> Any:
    """All that is in a thing, down to plain data: bits and flags of arrays, and what a pickle has of other objects."""
    if isinstance(thing, float):
        return "float", thing.hex()
    if thing is None or isinstance(thing, (str, bytes, int, type)):
        return type(thing).__name__, thing
    if isinstance(thing, np.ndarray):
        return "array", thing.dtype.str, thing.shape, thing.flags.writeable, thing.tobytes()
    if isinstance(thing, (list, tuple)):
        return type(thing).__name__, [content(each) for each in thing]
    if isinstance(thing, (dict, MappingProxyType)):
        return type(thing).__name__, [(content(key), content(value)) for key, value in thing.items()]
    if isinstance(thing, (set, frozenset)):
        return type(thing).__name__, sorted(map(repr, thing))
    if callable(thing) and hasattr(thing, "__qualname__"):
        return "function", thing.__qualname__
    reduced = thing.__reduce_ex__(4)
    return reduced if isinstance(reduced, str) else (type(thing).__name__, [content(each) for each in reduced[:3]])
