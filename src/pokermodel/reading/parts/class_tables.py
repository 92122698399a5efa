"""The Bayesian Poker Program carried to hold'em: tables of what is done with each class of holdings.

BPP (Korb, Nicholson and Jitnah 1999; Carlton 2000) infers an opponent's hand from their actions by a network in which
the action depends on the class of the hand, with a table for each opponent. Here its hidden node is the holding
itself, all 1,326 of them, and the belief is carried through the hand::

    w(h)  ~  product over their acts so far of  P(act | class of h on the board of that time, situation, player)

The table in the middle is made of several, from coarse to fine, so that each can be learnt from what there is:

- P(act | class, round, bets to call), of all players: `ActionTables`;
- factors (`ActFactors`) of all players, by what else they see: their own previous action; players left, and who raised
  last; pot odds and bets; place;
- factors of the player, by facing a bet or not, and by round, bets to call and group of classes.

A holding is shown in few hands, and those are a choice sample. By default all hands count, those not shown once for
each holding by its probability given all that was done and every card that became known: the expectation step of EM,
online as each hand ends, or in passes over many hands (`BayesTables.fit`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from operator import is_not
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np

from pokermodel._arrays import Floats
from pokermodel._checks import check_name
from pokermodel._core import class_tables as kernels
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.parts.action_tables import ActionTables
from pokermodel.reading.parts.factors import ActFactors
from pokermodel.reading.parts.frequencies import DEFAULT_FREQUENCIES
from pokermodel.reading.parts.observed_hands import NOTHING, ObservedHand, observe_hand
from pokermodel.reading.parts.strength_classes import (
    GROUPS,
    N_STRENGTH_CLASSES,
    class_ranges,
)

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
    """What an unknown player is held to do with each class: float64 (12, 22, 3) by situation, class and act.

    The frequencies of Loki-1 (Papp 1998, Table B.2), two parts of five by strength, weak hands fold and strong
    ones raise, and three parts whatever the hand.
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
    """What all players, and each player, do with each class of holdings: P(act | class, situation, player).

    Parameters
    ----------
    strength : float
        Observations of each class and situation that `default_table` is worth; above 0.
    context_strength : float
        Observations that it takes to believe half of a context's factor, roughly.
    own_strengths : tuple of float
        The same of a player's own factors: by facing a bet or not, and by round, bets to call and group of classes.
    decay : float
        What is left of a player's own counts after one more hand of theirs.
    estimator : {"em", "showdown_only"}
        What becomes of hands that were never shown: counted by the probability of each holding, or left out, as
        BPP did; see `pokermodel.reading.parts.estimators` for what that does to the tables.
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
            *(ActFactors(cells, _GROUPS if grouped else 1, context_strength) for cells, grouped in _CONTEXTS),
            *(
                ActFactors(cells, _GROUPS if grouped else 1, own)
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
        """What a player does with each class in a situation.

        Parameters
        ----------
        cells : sequence of int
            The situation, by `cells`.
        legal : sequence of Act
            What the rules offer.
        player : str
            The player's name; one never seen is like all.

        Returns
        -------
        ndarray of float64, shape (22, 3)
            Probabilities of fold, call and raise by class. An act that is not legal has probability 0.
        """
        offered = np.zeros(3)
        offered[list(legal)] = 1.0
        table = np.empty((N_STRENGTH_CLASSES, 3))
        kernels.table(self._arrays(), np.array(cells, dtype=np.intp), self.number(player), offered, GROUPS, table)
        return table

    def _arrays(self, *, asked: bool = True) -> kernels.Tables:
        """The arrays as kernels take them, until they grow; `asked` keeps the probabilities of the base up to date."""
        counts, probabilities = self.base.in_place(asked=asked)
        made_of = [counts, probabilities, *[factors.counts for factors in self.factors]]
        if self._made is None or any(map(is_not, made_of, self._made[0])):
            divisions = [
                (factors.counts, factors.expected, factors.factors, factors.strength / 3) for factors in self.factors
            ]
            tables = kernels.Tables(self.base.prior, self.base.strength, counts, probabilities, divisions)
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
        self._count(found, self)
        if self._before is not None:
            self._kept.append(found)
            if len(self._kept) % self.every == 0:
                self._revise(self._before, self._kept)
            if len(self._kept) >= self.keep:
                self._forget()

    def _count(self, found: ObservedHand, into: BayesTables) -> None:
        """Count a hand, by these tables, into those."""
        numbers = np.array([into._numbered(name) for name in found.names], dtype=np.intp)
        own = numbers if into is self else np.array([self.number(name) for name in found.names], dtype=np.intp)
        judge = self._arrays()
        told = judge if into is self else into._arrays(asked=False)
        kernels.count(told, judge, found, numbers, own, GROUPS, self.estimator == "em", self.decay)

    def fit(self, hands: Iterable[Hand], *, passes: int = 5) -> None:
        """Learn many hands together: each first as `learn` does, then all again by what was learnt from the others.

        Parameters
        ----------
        hands : iterable of Hand
            What is made of them stays in memory meanwhile, 3 kB each or so.
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
        """What a finished hand says: as `observe_hand`, without anything in it where nobody acted."""
        return observe_hand(hand, decisions) or NOTHING

    def update(self, evidence: Sequence[ObservedHand]) -> None:
        """Learn what a batch of hands says, by `fit` with two passes."""
        self._fit(evidence, _PASSES)

    def _fit(self, gathered: Sequence[ObservedHand], passes: int) -> None:
        before = self.copy()
        self.hands += len(gathered)
        told = [found for found in gathered if found.names]
        for found in told:
            self._count(found, self)
        for _ in range(passes):
            self._revise(before, told)
        self._forget()

    def _revise(self, before: BayesTables, gathered: Iterable[ObservedHand]) -> None:
        """Count hands again, by what is known now, on top of what was known before them."""
        counted = before.copy()
        for found in gathered:
            self._count(found, counted)
        for name in self.players:  # in the order of their numbers here, which do not change
            counted._numbered(name)
        counted.hands = self.hands
        self._merge(counted, instead=True)

    def _forget(self) -> None:
        """Begin anew with the hands to be gone over again."""
        self._kept.clear()
        self._before = self.copy() if self.every else None

    # -------------------------------------------------------------------------------------------- all of it

    def copy(self) -> BayesTables:
        """Tables that know the same, without the hands kept."""
        other = BayesTables(
            strength=self.base.strength,
            context_strength=self.factors[0].strength,
            own_strengths=(self.factors[-2].strength, self.factors[-1].strength),
            decay=self.decay,
            estimator=self.estimator,
        )
        other._merge(self)
        return other

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
        """As `merge`, but hands that are kept stay, to be counted again on top of what was known before them."""
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
            if level < len(_CONTEXTS):
                to = of = np.arange(len(factors))
            else:
                cells = _OWN[level - len(_CONTEXTS)][0]
                to, of = ((each[:, None] * cells + np.arange(cells)).ravel() for each in (ours, theirs))
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
        content : bytes
        **options
            As of the class.

        Raises
        ------
        ValueError
            If it is something else, or of another version.
        """
        tables = cls(**options)
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
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
        except Exception as error:  # numpy, zipfile and zlib have many ways to say it
            raise ValueError(f"these are no tables of BPP: {error}") from None
        return tables
