"""Records: how those that hold arrays are copied and pickled, and how those are made of which there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar

import numpy as np

from pokermodel._core.rules import put_attributes

__all__ = ["Record", "made_quickly"]

T = TypeVar("T")


def made_quickly(kind: type[T]) -> type[T]:
    """Let a frozen data class with slots be made in a third of the time; it stays frozen.

    What ``dataclass`` writes calls ``object.__setattr__`` for each field. Of records that are made for every act of a
    hand, that takes longer than what they are made of. Here one call of a kernel sets all fields.

    Parameters
    ----------
    kind : type
        A frozen data class with slots. No field is given by keyword alone, and what is not given has a default.

    Returns
    -------
    type
        The same class.
    """
    scope: dict[str, Any] = {"_put": put_attributes, "_missing": MISSING}
    heads, values = ["self"], []
    for each in fields(kind):  # type: ignore[arg-type]  # a data class
        name, default = each.name, f"default_{each.name}"
        made = each.default_factory is not MISSING
        scope[default] = each.default_factory if made else each.default
        if not each.init:
            values.append(f"{default}()" if made else default)
            continue
        given = made or each.default is not MISSING
        heads.append(f"{name}={'_missing' if made else default}" if given else name)
        values.append(f"{default}() if {name} is _missing else {name}" if made else name)
    scope["_names"] = tuple(each.name for each in fields(kind))  # type: ignore[arg-type]
    exec(f"def __init__({', '.join(heads)}):\n    _put(self, _names, ({', '.join(values)},))", scope)
    init, before = scope["__init__"], kind.__init__
    init.__qualname__, init.__module__ = before.__qualname__, kind.__module__
    init.__annotations__ = before.__annotations__
    kind.__init__ = init  # type: ignore[method-assign]
    return kind


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
