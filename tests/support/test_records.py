"""Records that are made quickly are as ``dataclass`` makes them."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from pokermodel._support.records import made_quickly
from pokermodel.reading import Judgement


@dataclass(frozen=True, slots=True)
class Slow:
    one: int
    two: str = "two"
    three: list[int] = field(default_factory=lambda: [3])
    four: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    five: int = field(default=5, init=False)


@made_quickly
@dataclass(frozen=True, slots=True)
class Quick:
    one: int
    two: str = "two"
    three: list[int] = field(default_factory=lambda: [3])
    four: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    five: int = field(default=5, init=False)


@made_quickly
@dataclass(frozen=True, slots=True)
class More(Quick):
    six: Any = None


def values(record: Any) -> list[Any]:
    return [getattr(record, each.name) for each in fields(record)]


@pytest.mark.parametrize("given", [(1,), (1, "b"), (1, "b", [4])])
def test_fields_are_those_of_a_data_class(given: tuple[Any, ...]) -> None:
    slow, quick = Slow(*given), Quick(*given)
    assert values(slow) == values(quick)
    assert repr(slow).replace("Slow", "Quick") == repr(quick)
    assert quick == Quick(*given)
    assert values(More(*given)) == [*values(slow), None]
    assert values(copy.deepcopy(quick)) == values(pickle.loads(pickle.dumps(quick))) == values(quick)
    assert replace(quick, one=9) == Quick(9, *given[1:])


def test_what_is_made_for_each_is_its_own() -> None:
    one, other = Quick(one=1), Quick(one=1)
    assert one.three is not other.three
    assert one.four is not other.four


def test_nothing_can_be_set() -> None:
    for record in (Quick(1), Judgement("AsKs", 0.1, 0.2, 3)):
        with pytest.raises(FrozenInstanceError):
            setattr(record, fields(record)[0].name, 2)
    assert hash(Judgement("AsKs", 0.1, 0.2, 3)) == hash(Judgement("AsKs", 0.1, 0.2, 3))


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="one"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="seven"):
        Quick(1, seven=7)  # type: ignore[call-arg]


def test_what_is_shown_of_it() -> None:
    assert list(inspect.signature(Quick).parameters) == list(inspect.signature(Slow).parameters)
    assert inspect.signature(More).parameters["six"].default is None
    assert Quick.__init__.__qualname__ == "Quick.__init__"
