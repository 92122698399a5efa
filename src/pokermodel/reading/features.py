"""The public information before an act, as named features, and the contexts that are made of them.

A `BettingHistory` follows a hand and gives the `Features` of each situation. A `Grid` is a set of binned features: it
turns them into the number of a context, and back. Readers and statistics that count by context use a grid, so each
feature is computed in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np

from pokermodel._core.features import Betting, Bin, hand_acts, hand_features
from pokermodel._support.arrays import Integers
from pokermodel._support.checks import check_choice
from pokermodel.game import Decision, Hand, Situation

__all__ = [
    "AGGRESSOR",
    "BETS",
    "FACED",
    "PREVIOUS",
    "RICH",
    "ROUND",
    "TWELVE",
    "WITH_INVESTED",
    "WITH_POSITION",
    "WITH_PREVIOUS",
    "WITH_RAISES",
    "BettingHistory",
    "Feature",
    "Features",
    "Grid",
    "Replay",
    "order",
]


class Features(NamedTuple):
    """A situation and the betting before it, as plain numbers.

    Attributes
    ----------
    round : int
        0 pre-flop, 1 flop, 2 turn, 3 river.
    bets : int
        Bets to call: 0, 1, or 2 for two or more. Outside limit 1 stands for a bet, or the big blind, and 2 for a raise.
    previous : int
        The player's previous act in this hand: 0 none, 1 call or check, 2 raise or bet.
    faced : int
        Whether the player had bets to call at that act.
    aggressor : int
        The last bettor or raiser of the round before: 0 none, 1 the player, 2 another player.
    leader : int
        The last bettor or raiser of all rounds before this one, coded likewise.
    players : int
        Players left in the hand, the player included.
    num_bets : int
        Bets and raises made in this round.
    odds : float
        Pot odds, ``to_call/(pot + to_call)``; 0 with nothing to call.
    pot : float
        The pot in bets of this round.
    position : int
        Players who act after the player in later rounds.
    acted : int
        Acts made in this round before this one.
    put_in : int
        Bets that the player put in voluntarily in this round.
    dealt : int
        Players who were dealt in.
    callers : int
        Calls of a bet in this round, by anybody.
    preflop : int
        Raises before the flop, by anybody.
    before : int
        Bets and raises in the round before this one.
    raised : int
        Bets and raises of the player in this hand.
    raised_preflop : int
        Bets and raises before the flop.
    called : int
        Calls of a bet by the player in this round.
    last : int
        The last bettor or raiser of this hand, this round included: 0 none, 1 the player, 2 another player.
    share : float
        Chips to call, in bets of this round.
    all_in : int
        Players who are all-in.
    level : float
        Outside limit, the total price of staying in this round, in big blinds; 0 in limit.
    depth : float
        Outside limit, the effective stack in big blinds: the player's remaining chips that an opponent can match. -1 in
        limit, and if unknown.
    invested : int
        Chips that the player has put in so far in this hand, blinds and antes included, in whole bets of the first
        round: small bets in limit, big blinds elsewhere.
    seat : int
        Players dealt in who act after the player in later rounds, those who have folded included.
    raiser : int
        The same count for the last player to bet or raise in this round, or the first limper; -1 if there is none.
    """

    round: int
    bets: int
    previous: int
    faced: int
    aggressor: int
    leader: int
    players: int
    num_bets: int
    odds: float
    pot: float
    position: int
    acted: int
    put_in: int
    dealt: int
    callers: int
    preflop: int
    before: int
    raised: int
    raised_preflop: int
    called: int
    last: int
    share: float
    all_in: int
    level: float = 0.0
    depth: float = -1.0
    invested: int = 0
    seat: int = 0
    raiser: int = -1


class BettingHistory(Betting):
    """The part of a hand's betting that determines the features of a situation.

    Parameters
    ----------
    players : int
        Number of seats.

    Raises
    ------
    ValueError
        If there are more seats than a game has.

    Examples
    --------
    >>> import pokermodel as pm
    >>> hand = pm.example_hand()
    >>> history = BettingHistory(len(hand.players))
    >>> for decision in hand.replay():
    ...     features = history.features(decision.situation)
    ...     history.add(decision)
    >>> features.round, features.bets, features.previous, features.aggressor
    (3, 1, 2, 2)
    """

    __slots__ = ()

    def features(self, situation: Situation) -> Features:
        """The features of a situation, which is the next one of the hand; `ValueError` if it cannot be."""
        return self.describe(Features, situation)

    add = Betting.add
    copy = Betting.copy


#: An act as it is counted, in plain numbers: seat, round, act, chips to call, bets and raises made in the round before
#: it, bets to call (0, 1, or 2 for two or more), whether it is a raise or the rules offered one, chips put in, the
#: context of `RICH` that it was done in, and the chips in the pot before it.
CountedAct: TypeAlias = tuple[int, int, int, int, int, int, bool, int, int, int]


class Replay(list[Decision]):
    """The decisions of a hand, whose features are worked out once for all who learn from it.

    Parameters
    ----------
    decisions : iterable of Decision
        All of them, in order.
    """

    __slots__ = ("_counted", "_features")

    def __init__(self, decisions: Iterable[Decision]) -> None:
        super().__init__(decisions)
        self._features: list[Features] | None = None
        self._counted: tuple[list[CountedAct], dict[int, int]] | None = None

    @classmethod
    def of(cls, hand: Hand, decisions: Iterable[Decision] | None) -> Replay:
        """The replay of a hand: these decisions, or new ones without any; `ValueError` if the hand breaks the rules."""
        if isinstance(decisions, cls):
            return decisions
        return cls(hand.replay() if decisions is None else decisions)

    @property
    def features(self) -> list[Features]:
        """The features of each situation. Do not change the list: it is the same for everybody."""
        if self._features is None:
            self._features = hand_features(Features, self)
        return self._features

    @property
    def counted(self) -> tuple[list[CountedAct], dict[int, int]]:
        """The acts that were done in turn, in order, and the round in which each seat folded or left the hand.

        Do not change them: they are the same for everybody.
        """
        if self._counted is None:
            self._counted = hand_acts(RICH._parts, self)
        return self._counted


class Feature(NamedTuple):
    """A binned feature: a whole number from 0 to ``size - 1``.

    Attributes
    ----------
    name : str
        Unique within a `Grid`.
    size : int
        Number of values.
    of : callable
        Gives the value of the `Features`.
    """

    name: str
    size: int
    of: Callable[[Features], int]


class Grid:
    """Contexts made of several binned features.

    Parameters
    ----------
    *features : Feature
        From coarse to fine: contexts that differ in the last ones alone are neighbours by number.

    Attributes
    ----------
    names : tuple of str
        Names of the features.
    shape : tuple of int
        Their sizes.
    size : int
        Number of contexts.

    Examples
    --------
    >>> TWELVE.names, TWELVE.size, TWELVE.values(7)
    (('round', 'bets'), 12, (2, 1))
    >>> TWELVE.number((2, 1)), TWELVE.varied(7, "bets").tolist()
    (7, [6, 7, 8])
    """

    __slots__ = ("_parts", "names", "shape", "size")

    def __init__(self, *features: Feature) -> None:
        self.names = tuple(feature.name for feature in features)
        self.shape = tuple(feature.size for feature in features)
        self.size = prod(self.shape)
        self._parts = tuple((feature.size, feature.of) for feature in features)

    def __repr__(self) -> str:
        return f"<Grid of {', '.join(self.names)}: {self.size:,} contexts>"

    def encode(self, features: Features) -> int:
        """Number of the context that features fall into, 0 to ``size - 1``."""
        number = 0
        for size, of in self._parts:
            number = number * size + of(features)
        return number

    def number(self, values: tuple[int, ...]) -> int:
        """Number of the context with these values of the binned features; `ValueError` if there is none."""
        return int(np.ravel_multi_index(values, self.shape))

    def values(self, number: int) -> tuple[int, ...]:
        """Values of the binned features in a context; `ValueError` if there is no such number."""
        return tuple(map(int, np.unravel_index(number, self.shape)))

    def varied(self, number: int, name: str) -> Integers:
        """Numbers of the contexts that differ from one in a single feature, by its n values: intp (n,).

        `ValueError` if the grid has no such feature.
        """
        check_choice("feature", name, self.names)
        place = self.names.index(name)
        stride, size = prod(self.shape[place + 1 :]), self.shape[place]
        first = number - number // stride % size * stride
        return np.arange(first, first + size * stride, stride, dtype=np.intp)

    def neighbours(self, features: int) -> int:
        """Number of contexts that have the first so many features in common: neighbours by number."""
        return prod(self.shape[features:])


def _bin(name: str, *edges: float, less: str | None = None, otherwise: Bin | None = None) -> Bin:
    """The bins of a feature, less another one: where they begin, but for the first; or of another one where it is 0."""
    place = Features._fields.index
    return Bin(place(name), edges, None if less is None else place(less), otherwise)


ROUND = Feature("round", 4, _bin("round", 1, 2, 3))
BETS = Feature("bets", 3, _bin("bets", 1, 2))
PREVIOUS = Feature("previous", 3, _bin("previous", 1, 2))
FACED = Feature("faced", 2, _bin("faced", 1))
AGGRESSOR = Feature("aggressor", 3, _bin("aggressor", 1, 2))


def order(features: Features) -> int:
    """The player's place in the order of later rounds: 0 first, 1 between, 2 last."""
    if not features.position:
        return 2
    return int(features.position < features.players - 1)


#: Loki-1's twelve contexts (Papp 1998, section 7.1.2).
TWELVE = Grid(ROUND, BETS)
#: The same with the player's previous act and whether it faced a bet (Davidson et al. 2000).
WITH_PREVIOUS = Grid(ROUND, BETS, PREVIOUS, FACED)
_OPPONENTS = Feature("opponents", 3, _bin("players", 3, 4))
#: The 108 contexts that Papp (1998, section 7.1.2) gives as an example: Loki-1's twelve by the number of active
#: opponents (1, 2, 3 or more) and the raises made in this round by anybody (0, 1, 2 or more). That the first bet of a
#: round is one of these, and before the flop the big blind, is ours: so the program itself counts bets (section 6.1).
WITH_RAISES = Grid(ROUND, BETS, _OPPONENTS, Feature("raises", 3, _bin("num_bets", 1, 2)))
#: Loki-1's twelve by the number of opponents and the position: first, between or last to act in later rounds (ours).
WITH_POSITION = Grid(ROUND, BETS, _OPPONENTS, Feature("order", 3, order))
#: Loki-1's twelve by what the player has put in so far in this hand (Peña 1999, section 7.4, and Billings et al., ICML
#: 1999, section 8, propose it). The bins are ours: less than two small bets, less than four, more.
WITH_INVESTED = Grid(ROUND, BETS, Feature("invested", 3, _bin("invested", 2, 4)))
#: All that is counted of what the table sees (ours).
RICH = Grid(
    ROUND,
    BETS,
    PREVIOUS,
    FACED,
    AGGRESSOR,
    # two; three or four; five to seven; more
    Feature("players", 4, _bin("players", 3, 5, 8)),
    # more was bet and raised in this round than `bets` says; so also where there are three or more to call
    Feature("raised", 2, _bin("num_bets", 1, less="bets")),
    # pot odds; with nothing to call the size of the pot
    Feature("price", 3, _bin("odds", 0.12, 0.2, otherwise=_bin("pot", 3, 6))),
    Feature("position", 3, _bin("position", 1, 2)),
)
