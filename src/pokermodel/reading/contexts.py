"""How often a player folds, calls and raises, from all public information.

Twelve contexts hide most of a player's reasons. Davidson, Billings, Schaeffer and Szafron (2000) found that the
previous action and its price help most. A context here has these and five more features
(`pokermodel.reading.features.RICH`), 15,552 in all. Most contexts are rare, so counts are shrunk. The numbers were
chosen for the log-loss of 12,000 hands of the IRC poker database, April 1995, each predicted before it was learnt:

1. Everybody's counts. Contexts are nested, from the twelve to the full ones, and the frequencies of each level count
   as 60 observations of the next one. What the first level starts from are `DEFAULT_FREQUENCIES`.
2. The player's own way. In groups of contexts, from wide to narrow, the acts are compared with those that everybody
   would have done in the same place, and the frequencies multiplied by ``(done + 15)/(expected + 15)``. So what is
   known of a player from common contexts is carried over to those that they were never seen in.
3. The player's own counts in the context, to which the frequencies so far are added as 50 observations.

Only counts are kept, so that what two sources know can be added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.game import Act
from pokermodel.reading.features import RICH, WITH_PREVIOUS
from pokermodel.reading.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context

__all__ = [
    "COARSE",
    "FACTOR_COUNTS",
    "OWN_COUNTS",
    "POPULATION_COUNTS",
    "ContextBook",
    "ContextCounts",
    "ContextModel",
]


#: Observations that the frequencies of a level count for in the next one.
POPULATION_COUNTS = 60.0
#: Observations that everybody's ways count for where a player's are compared with them.
FACTOR_COUNTS = 15.0
#: Observations that all the rest counts for where a player's own counts in a context are added.
OWN_COUNTS = 50.0


#: Contexts of each level are neighbours in blocks of so many: the twelve; with the previous act; with aggressor,
#: players left and raises; with the price; with the position, which is all.
_BLOCKS = tuple(RICH.neighbours(features) for features in (2, 4, 7, 8, 9))
#: So many contexts, neighbours by number, have the first four features in common: those of `WITH_PREVIOUS`.
COARSE = _BLOCKS[1]
_N_COARSE = WITH_PREVIOUS.size
_BETS = np.arange(_N_COARSE) // 6 % 3
# The groups of contexts in which a player is compared with everybody, by the level of the previous action: bets to
# call or not; the twelve contexts; bets to call or not and the previous action.
_GROUPS = ((_BETS > 0) * 1, np.arange(_N_COARSE) // 6, (_BETS > 0) * 6 + np.arange(_N_COARSE) % 6)


class ContextCounts:
    """How often a player folded, called (checked) and raised (bet) in each context.

    Parameters
    ----------
    coarse : array_like of int, shape (4, 3, 3, 2, 3), optional
        By the features of `pokermodel.reading.features.WITH_PREVIOUS`, and act. Zeros without. It can have more than
        `rich`, where acts were counted by those features alone.
    rich : mapping of int to int, optional
        Counts by ``3*number + act``; what is missing is 0.

    Raises
    ------
    ValueError
        If the shape is another, there is no such context, or a count is negative.

    Examples
    --------
    >>> counts = ContextCounts()
    >>> counts.add(1300, Act.RAISE)
    >>> (counts + counts).rich[3 * 1300 + 2]
    2
    """

    __slots__ = ("coarse", "rich")

    def __init__(self, coarse: NDArray[np.integer] | None = None, rich: Mapping[int, int] | None = None) -> None:
        values = np.zeros((4, 3, 3, 2, 3), dtype=np.int64) if coarse is None else np.array(coarse, dtype=np.int64)
        if values.shape != (4, 3, 3, 2, 3):
            raise ValueError(f"counts must have shape (4, 3, 3, 2, 3), got {values.shape}")
        #: Counts by round, bets to call, previous action, whether it had bets to call, and act.
        self.coarse: NDArray[np.int64] = values
        #: Counts by ``3*number + act``.
        self.rich: Counter[int] = Counter() if rich is None else Counter(rich)
        if rich and not (min(self.rich) >= 0 and max(self.rich) < 3 * RICH.size):
            raise ValueError(f"contexts must be 0 to {RICH.size - 1}")
        if (values < 0).any() or (rich and min(self.rich.values()) < 0):
            raise ValueError("counts must be 0 or more")

    def __repr__(self) -> str:
        return f"ContextCounts({int(self.coarse.sum())} actions)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContextCounts):
            return NotImplemented
        return bool((self.coarse == other.coarse).all()) and self.rich == other.rich

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: ContextCounts) -> ContextCounts:
        if not isinstance(other, ContextCounts):
            return NotImplemented
        return ContextCounts(self.coarse + other.coarse, self.rich + other.rich)

    def add(self, context: int, act: Act) -> None:
        """Count one action."""
        self.coarse.reshape(_N_COARSE, 3)[context // COARSE, act] += 1
        self.rich[3 * context + act] += 1

    @property
    def counts(self) -> ActionCounts:
        """The actions in Loki-1's twelve contexts."""
        return ActionCounts(self.coarse.sum(axis=(2, 3)))


@runtime_checkable
class ContextBook(Protocol):
    """A source of players' counts, such as a `Book`."""

    def contexts(self, name: str) -> ContextCounts:
        """Counts of a player; raises `KeyError` if they are not known."""

    def population(self) -> ContextCounts:
        """The sum of all players' counts."""

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions after the flop, at most 20; none if they are not known."""


class _Population:
    """Everybody's counts on every level."""

    def __init__(self, counts: ContextCounts) -> None:
        coarse = counts.coarse.reshape(_N_COARSE, 3).astype(np.float64)
        rich = np.zeros((RICH.size, 3))
        if counts.rich:
            rich.reshape(-1)[list(counts.rich)] = list(counts.rich.values())
        self._levels: list[Floats] = [
            coarse.reshape(-1, _BLOCKS[0] // COARSE, 3).sum(axis=1),
            coarse,
            *(rich.reshape(-1, block, 3).sum(axis=1) for block in _BLOCKS[2:]),
        ]
        self.version = 0

    def add(self, context: int, act: Act) -> None:
        for block, level in zip(_BLOCKS, self._levels, strict=True):
            level[context // block, act] += 1
        self.version += 1

    def frequencies(self, contexts: NDArray[np.intp], levels: int = len(_BLOCKS)) -> Floats:
        """Frequencies by contexts, (n,), known as far as to a level: float64 (n, 3)."""
        found: Floats = DEFAULT_FREQUENCIES[_BETS[contexts // COARSE]]
        for block, level in zip(_BLOCKS[:levels], self._levels, strict=False):
            counted = level[contexts // block]
            found = (counted + POPULATION_COUNTS * found) / (counted.sum(axis=1, keepdims=True) + POPULATION_COUNTS)
        return found


class _Player:
    """What is known of a player, and what follows from it."""

    def __init__(self, counts: ContextCounts) -> None:
        self.counts = counts
        self._known: tuple[int, list[Floats]] = (-1, [])

    def __reduce__(self) -> tuple[type[_Player], tuple[ContextCounts]]:
        return type(self), (self.counts,)

    def factors(self, population: _Population) -> list[Floats]:
        """Factors of the frequencies, by group and act, for each way to group contexts."""
        if self._known[0] != population.version:
            self._known = population.version, self._factors_of(population)
        return self._known[1]

    def _factors_of(self, population: _Population) -> list[Floats]:
        done = self.counts.coarse.reshape(_N_COARSE, 3)
        counters = np.fromiter(self.counts.rich, dtype=np.intp, count=len(self.counts.rich))
        times = np.fromiter(self.counts.rich.values(), dtype=np.float64, count=len(self.counts.rich))
        contexts = counters // 3
        coarse = contexts // COARSE
        # actions of which no more than the coarse context is known
        rest = done.sum(axis=1) - np.bincount(coarse, times, _N_COARSE)
        only = np.flatnonzero(rest > 0)
        frequencies = population.frequencies(contexts)
        if only.size:
            frequencies = np.concatenate([frequencies, population.frequencies(only * COARSE, 2)])
            times, coarse = np.concatenate([times, rest[only]]), np.concatenate([coarse, only])
        found = []
        for groups in _GROUPS:
            size, at = int(groups.max()) + 1, groups[coarse]
            own = np.stack([np.bincount(groups, done[:, act], size) for act in range(3)], axis=1)
            expected = np.stack([np.bincount(at, times * frequencies[:, act], size) for act in range(3)], axis=1)
            found.append((own + FACTOR_COUNTS) / (expected + FACTOR_COUNTS))
            frequencies = frequencies * found[-1][at]
            frequencies /= frequencies.sum(axis=1, keepdims=True)
        return found


class ContextModel:
    """Says how often a player folds, calls and raises in a context, and learns.

    Parameters
    ----------
    book : ContextBook, optional
        The knowledge of players, as a `Book` knows it; each player is read when asked for. It is only read. Without,
        nothing is known.

    Raises
    ------
    BookError
        If the book cannot be read.

    Examples
    --------
    >>> model = ContextModel()
    >>> flop_bet = RICH.number((1, 1, 1, 0, 2, 0, 0, 1, 0))
    >>> model.frequencies("Eve", flop_bet).round(2).tolist()  # an unknown player
    [0.5, 0.3, 0.2]
    >>> for _ in range(60):
    ...     model.learn("Eve", flop_bet, Act.RAISE)
    >>> [float(model.frequencies(name, flop_bet)[2].round(2)) for name in ("Eve", "Bob")]
    [0.99, 0.98]
    """

    def __init__(self, book: ContextBook | None = None) -> None:
        self._book = book
        self._population = _Population(ContextCounts() if book is None else book.population())
        self._players: dict[str, _Player] = {}

    def _player(self, name: str) -> _Player:
        found = self._players.get(name)
        if found is None:
            counts = ContextCounts()
            if self._book is not None:
                with suppress(KeyError):
                    counts += self._book.contexts(name)  # a copy
            found = self._players[name] = _Player(counts)
        return found

    def counts(self, name: str) -> ContextCounts:
        """A player's actions so far: do not write to them."""
        return self._player(name).counts

    def learn(self, name: str, context: int, act: Act) -> None:
        """Count an action of a player."""
        self._player(name).counts.add(context, act)
        self._population.add(context, act)

    def frequencies(self, name: str, context: int) -> Floats:
        """How often a player folds, calls and raises in a context of `RICH`: float64 (3,), which sum to 1.

        An unknown player is like everybody.
        """
        found: Floats = self.frequencies_of(name, np.array([context], dtype=np.intp))[0]
        return found

    def frequencies_of(self, name: str, contexts: NDArray[np.intp]) -> Floats:
        """How often a player does what in several contexts, (n,): float64 (n, 3)."""
        player = self._player(name)
        found = self._population.frequencies(contexts)
        if not player.counts.coarse.any():
            return found
        coarse = contexts // COARSE
        for groups, factor in zip(_GROUPS, player.factors(self._population), strict=True):
            found = found * factor[groups[coarse]]
            found /= found.sum(axis=1, keepdims=True)
        rich = player.counts.rich
        own = np.array([[rich[3 * context + act] for act in range(3)] for context in contexts.tolist()], np.float64)
        mixed: Floats = (own + OWN_COUNTS * found) / (own.sum(axis=1, keepdims=True) + OWN_COUNTS)
        return mixed
