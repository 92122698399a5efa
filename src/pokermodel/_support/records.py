"""Records that hold arrays: how they are copied and pickled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

__all__ = ["Record"]


class Record:
    """Base of data classes with arrays: in copies and pickles, those that cannot be written to stay so.

    NumPy itself makes every array that it copies or unpickles writeable.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]  # of a data class
        fixed = [k for k, value in enumerate(values) if isinstance(value, np.ndarray) and not value.flags.writeable]
        more = getattr(self, "__dict__", None)  # of a class without slots
        return _remade, (type(self), values, fixed, more)


def _remade(kind: type[Any], values: Sequence[Any], fixed: Sequence[int], more: dict[str, Any] | None) -> Any:
    for k in fixed:
        values[k].setflags(write=False)
    record = object.__new__(kind)
    for field, value in zip(fields(kind), values, strict=True):
        object.__setattr__(record, field.name, value)
    if more is not None:
        record.__dict__.update(more)
    return record
