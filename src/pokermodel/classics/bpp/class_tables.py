"""The Bayesian Poker Program carried to hold'em: tables of actions by class of holdings.

BPP (Korb, Nicholson and Jitnah 1999; Carlton 2000) infers an opponent's hand from their actions by a network in which
the action depends on the class of the hand, with a table for each opponent. Here its hidden node is the holding
itself, all 1,326 of them, and the belief is carried through the hand::

    w(h)  ~  product over their acts so far of  P(act | class of h on the board of that time, situation, player)

The table in the middle is made of several, from coarse to fine, so that each can be learnt from what there is:

- P(act | class, round, bets to call), of all players: `ActionTables`;
- `RateMultipliers` of all players, by what else they see: their own previous action; players left, and who raised
  last; pot odds and bets; place;
- rate multipliers of the player, by facing a bet or not, and by round, bets to call and group of classes.

A holding is shown in few hands, and those are a choice sample. By default all hands count, those not shown once for
each holding by its probability given all that was done and every card that became known: the expectation step of EM,
online as each hand ends, or in passes over many hands (`BayesTables.fit`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import is_not
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np

from pokermodel._core import class_tables as kernels
from pokermodel._support.arrays import Bytes, Floats, Integers
from pokermodel._support.checks import check_name
from pokermodel._support.saved import read_arrays
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.bpp.observed_hands import NOTHING, ObservedHand, observe_hand
from pokermodel.classics.bpp.rate_multipliers import RateMultipliers
from pokermodel.classics.bpp.strength_buckets import (
    GROUPS,
    N_STRENGTH_CLASSES,
    class_ranges,
)
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.features import Features
from pokermodel.reading.frequencies import DEFAULT_FREQUENCIES

__all__ = ["BayesTables", "Estimator", "default_table"]

#: How cards that were never shown are dealt with: counted by their probability, or left out as BPP did.
Estimator: TypeAlias = Literal["em", "showdown_only"]

_SITUATIONS = 12  # round, bets to call
_GROUPS = 6
_OUTRIGHT = 0.4  # share of `default_table` that goes by strength; the rest is the same for all classes
#: Cells of the populations' factors and whether groups of classes have factors of their own.
_CONTEXTS = ((72, True), (180, True), (360, False), (384, False))
#: The same of each player's own.
_OWN = ((4, False), (_SITUATIONS, True))
_PASSES = 2  # over each batch of hands: `BayesTables.update`


def default_table() -> Floats:
    """The actions of an unknown player with each class: float64 (12, 22, 3) by situation, class and action.

    The frequencies of Loki-1 (Papp 1998, Table B.2), two parts of five by strength, as weak hands fold and strong ones
    raise, and three parts the same for all hands.
    """
    table = np.empty((_SITUATIONS, N_STRENGTH_CLASSES, 3))
    for situation in range(_SITUATIONS):
        fold, call, raise_ = DEFAULT_FREQUENCIES[situation % 3].tolist()
        low, high = class_ranges(situation < 3).T
        folds = np.clip((fold - low) / (high - low), 0, 1)
        raises = np.clip((high - 1 + raise_) / (high - low), 0, 1)
        outright = np.column_stack([folds, 1 - folds - raises, raises])
        table[situation] = _OUTRIGHT * outright + (1 - _OUTRIGHT) * np.array([fold, call, raise_])
    return table


# -------------------------------------------------------------------------------------------------------- tables


class BayesTables:
    """The actions of all players, and of each player, by class of holdings: P(act | class, situation, player).

    Parameters
    ----------
    strength : float
        Weight of `default_table` in observations of each class and situation; above 0.
    context_strength : float
        Observations that it takes to believe half of a context's factor, roughly.
    own_strengths : tuple of float
        The same of a player's own factors: by facing a bet or not, and by round, bets to call and group of classes.
    decay : float
        The weight of a player's own counts after one more hand of theirs.
    estimator : {"em", "showdown_only"}
        What becomes of hands that were never shown: counted by the probability of each holding, or left out, as
        BPP did; see `pokermodel.classics.bpp.estimators` for what that does to the tables.
    every : int
        Hands after which `learn` goes over all since the beginning again; 0 for never, and then no hand is kept.
    keep : int
        With so many hands that are kept, a new beginning is made: they stay as they were counted last.

    Raises
    ------
    ValueError
        If an option is out of range or unknown.

    Notes
    -----
    Everything learnt is expected counts: `merge` adds them, `to_bytes` keeps them.

    Examples
    --------
    >>> import pokermodel as pm
    >>> tables = BayesTables()
    >>> tables.learn(pm.example_hand())
    >>> tables
    <BayesTables of hands: 1, players: 6>
    """

    #: The name of this kind of knowledge in a book, and the version of `to_bytes`.
    kind: ClassVar[str] = "bpp"
    version: ClassVar[int] = 1

    def __init__(
        self,
        *,
        strength: float = 10.0,
        context_strength: float = 40.0,
        own_strengths: tuple[float, float] = (10.0, 15.0),
        decay: float = 1.0,
        estimator: Estimator = "em",
        every: int = 0,
        keep: int = 20_000,
    ) -> None:
        if estimator not in get_args(Estimator):
            raise ValueError(f"unknown estimator {estimator!r}: expected one of {', '.join(get_args(Estimator))}")
        if not 0 < strength < np.inf:  # without it an act that was never seen makes 0/0
            raise ValueError(f"the strength must be a finite number above 0, got {strength}")
        if not 0 < decay <= 1:
            raise ValueError(f"the decay must be above 0 and at most 1, got {decay}")
        if every < 0 or keep < 1:
            raise ValueError(f"every must be 0 or more and keep 1 or more, got {every} and {keep}")
        self.estimator: Estimator = estimator
        self.decay = decay
        self.every = every
        self.keep = keep
        #: Hands learnt.
        self.hands = 0
        #: Numbers of the players by name, from 1; 0 is anybody else.
        self.players: dict[str, int] = {}
        #: P(act | class, situation) of all players.
        self.base = ActionTables(default_table(), strength=strength)
        #: What contexts, and then players, change in it.
        self.factors = [
            *(RateMultipliers(cells, _GROUPS if grouped else 1, context_strength) for cells, grouped in _CONTEXTS),
            *(
                RateMultipliers(cells, _GROUPS if grouped else 1, own)
                for (cells, grouped), own in zip(_OWN, own_strengths, strict=True)
            ),
        ]
        self._made: tuple[list[Any], kernels.Tables] | None = None  # of which arrays, for kernels
        self._kept: list[ObservedHand] = []
        self._before: BayesTables | None = None  # what is known but for the hands kept
        self._forget()

    def __repr__(self) -> str:
        return f"<BayesTables of hands: {self.hands:,}, players: {len(self.players):,}>"

    def number(self, player: str) -> int:
        """The number of a player; 0 of one who is not known."""
        return self.players.get(player, 0)

    def _numbered(self, player: str) -> int:
        """The number of a player, a new one if they are not known."""
        number = self.players.get(player)
        if number is not None:
            return number
        number = self.players[player] = len(self.players) + 1
        for (cells, _), factors in zip(_OWN, self.factors[len(_CONTEXTS) :], strict=True):
            factors.grow((number + 1) * cells)
        return number

    # ---------------------------------------------------------------------------------------------- reading

    def table(self, cells: Sequence[int], legal: Sequence[Act], player: str) -> Floats:
        """A player's actions with each class in a situation.

        Parameters
        ----------
        cells : sequence of int
            The situation, by `cells`.
        legal : sequence of Act
            The legal actions.
        player : str
            The player's name; an unknown player is like all.

        Returns
        -------
        ndarray of float64, shape (22, 3)
            Probabilities of fold, call and raise by class. An act that is not legal has probability 0.
        """
        table = np.empty((N_STRENGTH_CLASSES, 3))
        kernels.table(self._arrays(), cells, self.number(player), tuple(legal), table)
        return table

    def expect(
        self,
        features: Features,
        legal: tuple[Act, ...],
        player: str,
        classes: Bytes,
        weights: Floats,
        act: Act | None = None,
    ) -> tuple[Floats, Floats, Floats | None]:
        """A player's actions in a situation, by class and on average, and the factors of an action on their weights.

        Parameters
        ----------
        features : Features
            Of the situation.
        legal, player
            As `table`.
        classes : ndarray of uint8, shape (n,)
            Of each holding.
        weights : ndarray of float64, shape (n,)
            How likely each is, of any scale; 0 where it is not possible.
        act : Act, optional
            The action.

        Returns
        -------
        table : ndarray of float64, shape (22, 3)
            As `table`.
        predicted : ndarray of float64, shape (3,)
            The mean of its rows by the weights of the holdings.
        after : ndarray of float64, shape (n,), or None
            The weights after the act, as `pokermodel.reading.posterior` has them; None if none was done.
        """
        table, predicted, number = np.empty((N_STRENGTH_CLASSES, 3)), np.empty(3), self.players.get(player, 0)
        if act is None:
            kernels.expect(self._arrays(), features, number, legal, classes, weights, table, predicted)
            return table, predicted, None
        after = np.empty(len(classes))
        if not kernels.expect(self._arrays(), features, number, legal, classes, weights, table, predicted, act, after):
            after[:] = weights  # what nobody does says nothing
        return table, predicted, after

    def _arrays(self, *, asked: bool = True) -> kernels.Tables:
        """The arrays as kernels take them, until they grow; `asked` keeps the probabilities of the base up to date."""
        counts, probabilities = self.base.in_place(asked=asked)
        made_of = [counts, probabilities, *[factors.counts for factors in self.factors]]
        if self._made is None or any(map(is_not, made_of, self._made[0])):
            divisions = [
                (factors.counts, factors.expected, factors.factors, factors.strength / 3) for factors in self.factors
            ]
            tables = kernels.Tables(self.base.prior, self.base.strength, counts, probabilities, divisions, GROUPS)
            self._made = made_of, tables
        return self._made[1]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}

    # --------------------------------------------------------------------------------------------- learning

    def learn(self, hand: Hand, decisions: Iterable[Decision] | None = None) -> None:
        """Learn a finished hand: one expectation step.

        Parameters
        ----------
        hand, decisions
            As `observe_hand`.

        Raises
        ------
        ValueError
            If the hand breaks the rules.
        """
        found = observe_hand(hand, decisions)
        self.hands += 1
        if found is None:
            return
        self._count([found], self)
        if self._before is not None:
            self._kept.append(found)
            if len(self._kept) % self.every == 0:
                counted = self._counted(self._before, self._kept)
                for name in self.players:  # in the order of their numbers here, which do not change
                    counted._numbered(name)
                counted.hands = self.hands
                self._merge(counted, instead=True)
            if len(self._kept) >= self.keep:
                self._forget()

    def _count(self, hands: Sequence[ObservedHand], into: BayesTables) -> None:
        """Count hands, by these tables, into those. Factors follow where these count into themselves."""
        for name in dict.fromkeys(chain.from_iterable([found.names for found in hands])):
            into._numbered(name)
        judge = self._arrays()
        told = judge if into is self else into._arrays(asked=False)
        kernels.count(told, judge, hands, into.players, self.players, self.estimator == "em", self.decay)

    def _counted(self, before: BayesTables, hands: Sequence[ObservedHand]) -> BayesTables:
        """Tables that have counted hands, by what these know, on top of what was known before them."""
        counted = before.copy()
        self._count(hands, counted)
        for factors in counted.factors:
            factors.settle()
        return counted

    def fit(self, hands: Iterable[Hand], *, passes: int = 5) -> None:
        """Learn many hands together: each first as `learn` does, then all again by what was learnt from the others.

        Parameters
        ----------
        hands : iterable of Hand
            Their evidence stays in memory meanwhile, about 3 kB each.
        passes : int
            How often they are gone over again: steps of expectation and maximisation.

        Raises
        ------
        ValueError
            As `learn`, or if `passes` is negative.
        """
        if passes < 0:
            raise ValueError(f"passes must be 0 or more, got {passes}")
        self._fit([self.evidence(hand) for hand in hands], passes)

    @staticmethod
    def evidence(hand: Hand, decisions: Iterable[Decision] | None = None) -> ObservedHand:
        """The evidence of a finished hand, as in `observe_hand`; empty if no player acted."""
        return observe_hand(hand, decisions) or NOTHING

    def update(self, evidence: Sequence[ObservedHand]) -> None:
        """Learn what a batch of hands says, by `fit` with two passes."""
        self._fit(evidence, _PASSES)

    def _fit(self, gathered: Sequence[ObservedHand], passes: int) -> None:
        told = [found for found in gathered if found.names]
        before = self._part(dict.fromkeys(chain.from_iterable([found.names for found in told])))
        now = before.copy()
        now._count(told, now)
        for _ in range(passes):
            now = now._counted(before, told)
        self._take(now)
        self.hands += len(gathered)
        self._forget()

    def _part(self, names: Iterable[str]) -> BayesTables:
        """Tables that know the same of all players and of some."""
        part = self._empty()
        part.base = self.base.copy()
        for name in names:
            part._numbered(name)
        numbers = np.array([0, *map(self.number, part.players)], dtype=np.intp)
        for level, (factors, known) in enumerate(zip(part.factors, self.factors, strict=True)):
            to, of = self._cells(level, np.arange(len(numbers)), numbers)
            factors.put(to, known.counts[of], known.expected[of])
        return part

    def _take(self, part: BayesTables) -> None:
        """Take over what a part knows of all players and of its own."""
        self.base = part.base
        numbers = np.array([0, *map(self._numbered, part.players)], dtype=np.intp)
        for level, (factors, known) in enumerate(zip(self.factors, part.factors, strict=True)):
            to, of = self._cells(level, numbers, np.arange(len(numbers)))
            factors.put(to, known.counts[of], known.expected[of])

    def _cells(self, level: int, *numbers: Integers) -> Iterator[Integers]:
        """Cells of players, by their numbers, in one of the factors; all cells of factors of all players."""
        for each in numbers:
            if level < len(_CONTEXTS):
                yield np.arange(len(self.factors[level]))
            else:
                cells = _OWN[level - len(_CONTEXTS)][0]
                yield (each[:, None] * cells + np.arange(cells)).ravel()

    def _forget(self) -> None:
        """Begin anew with the hands to be gone over again."""
        self._kept.clear()
        self._before = self.copy() if self.every else None

    # -------------------------------------------------------------------------------------------- all of it

    def copy(self) -> BayesTables:
        """Tables that know the same, without the hands kept."""
        other = self._empty()
        other.hands, other.players = self.hands, dict(self.players)
        other.base = self.base.copy()
        other.factors = [factors.copy() for factors in self.factors]
        return other

    def _empty(self) -> BayesTables:
        """Tables of the same options that know nothing, and keep no hands."""
        return type(self)(
            strength=self.base.strength,
            context_strength=self.factors[0].strength,
            own_strengths=(self.factors[-2].strength, self.factors[-1].strength),
            decay=self.decay,
            estimator=self.estimator,
        )

    def merge(self, other: BayesTables, *, instead: bool = False) -> None:
        """Add what others have counted.

        Parameters
        ----------
        other : BayesTables
            Learnt from other hands: what both have counted counts twice.
        instead : bool
            Forget what these have counted.
        """
        if self._before is not None and not instead:
            self._before._merge(other)
        self._merge(other, instead)
        if instead:
            self._forget()

    def _merge(self, other: BayesTables, instead: bool = False) -> None:
        """Add other knowledge; hands that are kept stay, to be counted again on top of what was known before."""
        if instead:
            self.hands = 0
            self.base = self.base.with_counts()
            for factors in self.factors:
                factors.fade(slice(None), 0.0)
        self.hands += other.hands
        self.base.add(other.base.counts)
        theirs = np.array([0, *other.players.values()], dtype=np.intp)
        ours = np.array([0, *map(self._numbered, other.players)], dtype=np.intp)
        for level, (factors, more) in enumerate(zip(self.factors, other.factors, strict=True)):
            to, of = self._cells(level, ours, theirs)
            factors.add(to, more.counts[of], more.expected[of])

    def to_bytes(self) -> bytes:
        """All that was learnt, to be kept; `from_bytes` reads it.

        Raises
        ------
        ValueError
            If a player has a name that cannot be kept: with a null character or half a surrogate pair.
        """
        for name in self.players:
            check_name(name)
        arrays: dict[str, Floats] = {"base": self.base.counts}
        for level, factors in enumerate(self.factors):
            used = len(factors) if level < len(_CONTEXTS) else (len(self.players) + 1) * _OWN[level - len(_CONTEXTS)][0]
            arrays[f"counts{level}"], arrays[f"expected{level}"] = factors.counts[:used], factors.expected[:used]
        names = "\0".join(sorted(self.players, key=self.players.__getitem__)).encode()
        file = io.BytesIO()
        np.savez_compressed(
            file,
            allow_pickle=False,
            format=np.array([self.version, self.hands]),
            names=np.frombuffer(names, dtype=np.uint8),
            **arrays,
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, **options: Any) -> Self:
        """Read what `to_bytes` wrote.

        Parameters
        ----------
        **options
            As of the class.

        Raises
        ------
        ValueError
            If it is something else, or of another version.
        """
        tables = cls(**options)
        try:
            arrays = read_arrays(content)
            version, hands = arrays["format"].tolist()
            if version != cls.version:
                raise ValueError(f"its version is {version}, expected {cls.version}")
            names = arrays["names"].tobytes().decode()
            for name in names.split("\0") if names else ():
                tables._numbered(name)
            tables.base.add(arrays["base"])
            for level, factors in enumerate(tables.factors):
                counts, expected = arrays[f"counts{level}"], arrays[f"expected{level}"]
                factors.add(np.arange(len(counts)), counts, expected)
            tables.hands = hands
            tables._forget()
        except Exception as error:  # what is not there, or of another kind
            raise ValueError(f"these are no tables of BPP: {error}") from None
        return tables
