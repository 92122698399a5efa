"""Kinds of tables: what is known of people before any hand of theirs is seen, by what the table itself says.

Heads-up, at six seats, in the evening of a tournament and among professionals people play differently. A prior has
levels for each kind of table that its hands were of, as a population has them: effects, and logarithms of factors. What
a table says of itself (seats, stacks, antes, money, site) says how likely it is of each kind; hands that are learnt say
more, and what is open is averaged.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import EFFECTS
from pokermodel._support.arrays import Floats
from pokermodel._support.patterns import regex
from pokermodel.game import GameSpec
from pokermodel.reading.adaptive.situations import FACTOR_CELLS

__all__ = ["MOST_KINDS", "NO_LABELS", "Kinds", "TableLabels", "labels_of"]

_SEATS = ((2, "2"), (4, "3-4"), (6, "5-6"), (8, "7-8"))
_STACKS = ((25, "to 25"), (60, "to 60"), (150, "to 150"))
#: What a label that no hand of a kind had is worth beside one that all had; sites differ more than tables of one.
_OPEN, _OPEN_SITE = 0.15, 0.05
#: Kinds that a prior has at most.
MOST_KINDS = 31
_CURRENCY = regex(r" ([A-Z]{3})$")


class TableLabels(NamedTuple):
    """The labels of a table; "" if one is unknown.

    Attributes
    ----------
    structure : str
    seats : str
        Dealt in: "2", "3-4", "5-6", "7-8" or "9 and more".
    stacks : str
        The median in big blinds, where bets have sizes.
    antes : {"antes", "no antes"}
    money : str
        "chips" in a tournament, otherwise a currency.
    site : str
    """

    structure: str
    seats: str
    stacks: str
    antes: str
    money: str
    site: str


#: Labels of an unknown table.
NO_LABELS = TableLabels("", "", "", "", "", "")


def labels_of(spec: GameSpec, stacks: Sequence[int | None] | None = None) -> TableLabels:
    """The labels that a game gives its table. The stacks are those before the hand; by default those of the game."""
    depth = ""
    known = [] if spec.structure.fixed else sorted(stack for stack in stacks or spec.stacks if stack)
    if known:
        depth = _bin(known[len(known) // 2] / spec.small_bet, _STACKS, "more")
    currency = _CURRENCY.search(spec.stake)
    return TableLabels(
        structure=str(spec.structure),
        seats=_bin(spec.players, _SEATS, "9 and more"),
        stacks=depth,
        antes="antes" if spec.antes else "no antes",
        money="chips" if spec.stake == "chips" else currency[1] if currency else "",
        site=spec.site,
    )


def _bin(value: float, bins: Iterable[tuple[float, str]], more: str) -> str:
    return next((name for most, name in bins if value <= most), more)


_SITE = TableLabels._fields.index("site")


class Kinds:
    """Kinds of tables, with levels and labels.

    Parameters
    ----------
    labels : sequence of sequence of mapping of str to float
        Of each kind, for each of the labels of `TableLabels`: which share of its hands had which.
    effects : array_like, shape (kinds, 16)
    logs : array_like, shape (kinds, cells, 3)
        Logarithms of factors.

    Raises
    ------
    ValueError
        If there are more than 31 kinds, or two of one name; numbers of them do not fit, a shape is another, or a number
        is not finite.

    Notes
    -----
    There is one more kind for all other tables: every label is equally likely in it, and its levels are 0.
    """

    def __init__(
        self,
        names: Sequence[str],
        labels: Sequence[Sequence[Mapping[str, float]]],
        effects: NDArray[Any],
        logs: NDArray[Any],
    ) -> None:
        n = len(names)
        if n > MOST_KINDS or len(set(names)) != n:
            raise ValueError(f"there are up to {MOST_KINDS} kinds of different names, got {n}")
        self.names = tuple(names)
        self.labels = tuple(tuple(dict(each) for each in kind) for kind in labels)
        self.effects = np.array(effects, dtype=np.float32, order="C")
        self.logs = np.array(logs, dtype=np.float16, order="C")
        if len(self.labels) != n or any(len(kind) != len(TableLabels._fields) for kind in self.labels):
            raise ValueError(f"each of {n} kinds has {len(TableLabels._fields)} labels")
        for what, each, shape in (
            ("effects", self.effects, (n, EFFECTS)),
            ("logarithms of factors", self.logs, (n, FACTOR_CELLS, 3)),
        ):
            if each.shape != shape:
                raise ValueError(f"the {what} of {n} kinds must have shape {shape}, got {each.shape}")
            if not np.isfinite(each).all():
                raise ValueError(f"the {what} of kinds are finite")
        fields = range(len(TableLabels._fields))
        self._usual = [_mean([kind[k] for kind in self.labels]) for k in fields]
        self._begin: dict[TableLabels, Floats] = {}

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.names, self.labels, self.effects, self.logs)

    def without(self, name: str) -> Self:
        """All but one of that name, if there is one."""
        kept = [k for k, each in enumerate(self.names) if each != name]
        return type(self)(
            [self.names[k] for k in kept], [self.labels[k] for k in kept], self.effects[kept], self.logs[kept]
        )

    def joined(self, other: Self) -> Self:
        """These and others."""
        return type(self)(
            self.names + other.names,
            self.labels + other.labels,
            np.concatenate([self.effects, other.effects]),
            np.concatenate([self.logs, other.logs]),
        )

    @property
    def levels(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Effects and logarithms of factors, those of anything else last: float32 (kinds + 1, ...)."""
        effects, logs = (np.concatenate([each, np.zeros_like(each[:1])]) for each in (self.effects, self.logs))
        return np.ascontiguousarray(effects), np.ascontiguousarray(logs, dtype=np.float32)

    def begin(self, labels: TableLabels) -> Floats:
        """Logarithms of the shares that kinds have at a table with such labels, anything else last: (kinds + 1,)."""
        found = self._begin.get(labels)
        if found is None:
            found = np.zeros(len(self) + 1)
            for k, label in enumerate(labels):
                usual = self._usual[k].get(label)
                # nothing follows from what was never seen, nor from a table that is at no known site
                if usual is None or (not label and k == _SITE):
                    continue
                found[-1] += math.log(usual)
                room = _OPEN_SITE if k == _SITE else _OPEN
                for kind, told in enumerate(self.labels):
                    found[kind] += math.log((1 - room) * told[k].get(label, 0.0) + room * usual)
            found.setflags(write=False)
            self._begin[labels] = found
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a file, by name."""
        said = json.dumps([self.names, self.labels])
        return {
            "kinds": np.frombuffer(said.encode(), dtype=np.uint8),
            "kinds_effects": self.effects,
            "kinds_logs": self.logs,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Read what `arrays` gave."""
        names, labels = json.loads(arrays["kinds"].tobytes())
        return cls(names, labels, arrays["kinds_effects"], arrays["kinds_logs"])


def _mean(shares: Sequence[Mapping[str, float]]) -> dict[str, float]:
    found: Counter[str] = Counter()
    for each in shares:
        found.update(each)
    return {label: total / len(shares) for label, total in found.items()}
