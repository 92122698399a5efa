"""Two players: who won how much from whom, and how others play against one of them.

The losers of a hand pay its winners in proportion to their losses. With one winner, or one loser, the division is
exact. A player's result is then the sum won from others, less the sum lost to others and a part of the rake. Side pots
are not separated.

How others play against a player is counted by the definitions of `pokermodel.learning.definitions`, of the acts that
face a bet or raise of the player's and, where there is none, of those while the player is in the hand. So a fold to a
3-bet is one to theirs, and a limp is one with them still to act.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.student import t_quantile
from pokermodel.game import ROUNDS, BettingStructure, Hand
from pokermodel.learning.definitions import Statistic, statistics
from pokermodel.learning.profile import Figure, wilson
from pokermodel.library.bits import A_PAIR, bits_of, mark_acts
from pokermodel.library.rows import acts_of, words_of

__all__ = ["Compared", "Opponent", "Versus", "won_from"]

_AT_ONCE = 500  # hands


def won_from(net: Sequence[float], seat: int) -> list[float]:
    """A player's result against each of the others in a hand; losses are negative.

    `net` is the result of each seat after the rake; the result does not contain the rake.

    Examples
    --------
    >>> won_from((-10.0, -30.0, 38.0), 2), won_from((-10.0, -30.0, 38.0), 0)
    ([9.5, 28.5, 0.0], [0.0, 0.0, -9.5])
    """
    won = math.fsum(each for each in net if each > 0)
    lost = -math.fsum(each for each in net if each < 0)
    most, own = max(won, lost), net[seat]
    # with a rake losers lose more than winners win; with what the site adds it is the other way round
    return [0.0 if own * other >= 0 else -own * other / most * (1 if own > 0 else -1) for other in net]


class Opponent(NamedTuple):
    """Who played with a player, and what the player won from them."""

    name: str
    hands: int  #: Dealt to both.
    won_bb: float  #: What the player won from them, in big blinds; in limit these are small bets.
    #: `low`, `high`: a 95% interval of that for a hundred hands (Student's t, over hands); None of one hand.
    low: float | None
    high: float | None
    money: Mapping[str, float]  #: The same in money, by currency.

    @property
    def per_100(self) -> float:
        """Big blinds won from them in a hundred hands."""
        return 100 * self.won_bb / self.hands

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {**self._asdict(), "money": dict(self.money), "won_bb_per_100": self.per_100}


class Compared(NamedTuple):
    """A statistic of an opponent: against a player, and in all the hands that they played together."""

    key: str  #: As `pokermodel.learning.profile.Profile.statistics` has it.
    against: Figure
    all: Figure

    def to_dict(self) -> dict[str, Any]:
        """Both figures, as JSON has them."""
        return {"name": self.against.name, "against": self.against.to_dict(), "all": self.all.to_dict()}


class _Acts(NamedTuple):
    """The acts of a hand, and which of them are against the player."""

    players: tuple[str, ...]
    acts: NDArray[np.int64]
    against: NDArray[np.bool_]


class _Sum:
    def __init__(self) -> None:
        self.hands, self.won, self.squares = 0, 0.0, 0.0
        self.money: defaultdict[str, float] = defaultdict(float)


class Versus:
    """The knowledge of those who play with a player, from hands that are added one by one.

    Parameters
    ----------
    hero : str
        The player.

    Attributes
    ----------
    hero : str
    hands : int
        Hands in which they were dealt in.
    net_bb : float
        Their winnings or losses in these after the rake, in big blinds; in limit in small bets.
    """

    def __init__(self, hero: str) -> None:
        self.hero = hero
        self.hands, self.net_bb = 0, 0.0
        self._sums: defaultdict[str, _Sum] = defaultdict(_Sum)
        self._waiting: defaultdict[BettingStructure, list[_Acts]] = defaultdict(list)
        self._counts: dict[tuple[str, BettingStructure], NDArray[np.int64]] = {}
        self._played: defaultdict[str, Counter[BettingStructure]] = defaultdict(Counter)

    @property
    def unit(self) -> str:
        """The unit of bets: ``"bb"``, big blinds; ``"sb"``, small bets in limit; ``"bets"``, if there are both."""
        kinds = {structure.fixed for played in self._played.values() for structure in played}
        return "bets" if len(kinds) > 1 else "sb" if True in kinds else "bb"

    def add(self, hand: Hand) -> None:
        """Add a hand; one without the player is passed over.

        Raises
        ------
        ValueError
            If the hand breaks the rules or cannot be paid out.
        """
        if self.hero not in hand.players:
            return
        seat, bet = hand.players.index(self.hero), hand.spec.small_bet
        net, structure = hand.net_chips, hand.spec.structure
        acts, waiting = acts_of(hand), self._waiting[structure]
        waiting.append(_Acts(hand.players, acts, _against(acts, seat)))
        if len(waiting) == _AT_ONCE:
            self._count()
        self.hands += 1
        self.net_bb = round(self.net_bb + net[seat] / bet, 9)
        for other, chips in enumerate(won_from(net, seat)):
            if other == seat:
                continue
            name = hand.players[other]
            of_one = self._sums[name]
            of_one.hands += 1
            of_one.won += chips / bet
            of_one.squares += (chips / bet) ** 2
            of_one.money[hand.currency] += hand.money(chips)
            self._played[name][structure] += 1

    def _count(self) -> None:
        """Count the acts of hands that wait for it."""
        for structure, hands in self._waiting.items():
            asked = _asked(structure)
            names = [name for hand in hands for name in hand.players]
            acts = np.concatenate([hand.acts for hand in hands])
            first = np.cumsum([0, *(len(hand.players) for hand in hands[:-1])])
            acts[:, 0] += np.repeat(first, [len(hand.acts) for hand in hands])
            bits, structures = bits_of(asked), np.full(len(names), tuple(BettingStructure).index(structure))
            against = np.concatenate([hand.against for hand in hands])
            # of acts against the player and of all, how often it was done and could have been, by seat and bit
            marked = [mark_acts(asked, bits, structures, words_of(some)) for some in (acts[against], acts)]
            packed = np.array([[did, could] for could, did in marked])
            found = (packed[..., None] >> np.arange(A_PAIR) & 1).transpose(3, 0, 1, 2, 4).reshape(len(names), 2, 2, -1)
            for name, counts in zip(names, found, strict=True):
                self._counts[name, structure] = self._counts.get((name, structure), 0) + counts
        self._waiting.clear()

    def opponents(self) -> list[Opponent]:
        """All who played with the player: first those from whom they won most."""
        found = []
        for name, of_one in self._sums.items():
            n, low, high = of_one.hands, None, None
            if n > 1:
                mean = of_one.won / n
                variance = max(of_one.squares - n * mean * mean, 0.0) / (n - 1)
                half = t_quantile(n - 1) * math.sqrt(variance / n)
                low, high = 100 * (mean - half), 100 * (mean + half)
            money = {currency: round(amount, 9) for currency, amount in of_one.money.items()}
            found.append(Opponent(name, n, round(of_one.won, 9), low, high, money))
        return sorted(found, key=lambda each: (-each.won_bb, each.name))

    def statistics(self, name: str) -> dict[BettingStructure, list[Compared]]:
        """How an opponent plays against the player, beside how they play in the same hands against everybody.

        Raises
        ------
        ValueError
            If they have played no hand together.
        """
        if name not in self._sums:
            raise ValueError(f"{name!r} and {self.hero!r} have played no hand together")
        self._count()
        found = {}
        for structure, _ in self._played[name].most_common():
            against, everything = self._counts[name, structure]
            asked, rows = _asked(structure), []
            bits = bits_of(asked)
            for each in asked:
                for key, street in each.figures().items():
                    figure = _figure(each, key, street, against, bits)
                    if figure.denominator:
                        rows.append(Compared(key, figure, _figure(each, key, street, everything, bits)))
            found[structure] = rows
        return found


_FACING = Statistic(
    *("fold_to_bet", "Fold to bet", "folded to a bet or raise / faced one"),
    opportunity="to_call",
    success="folds",
    streets=(1, 2, 3),
    total=False,
)


def _asked(structure: BettingStructure) -> list[Statistic]:
    """What is asked of acts: statistics that follow from tables, and of hands as a whole, are of all acts alike."""
    found = [each for each in statistics(structure).values() if each.streets and not each.table]
    return [*found, _FACING]


def _against(acts: NDArray[np.int64], hero: int) -> NDArray[np.bool_]:
    """Which acts face a bet or raise of a seat, or none while the seat is in the hand."""
    words = words_of(acts)
    found, now, raiser, gone = [], 0, -1, False
    names = ("seat", "street", "folds", "raises", "to_call")
    for seat, street, folds, raises, to_call in zip(*(words[name].tolist() for name in names), strict=True):
        if street != now:
            now, raiser = street, -1
        found.append(raiser == hero if to_call and raiser >= 0 else not gone)
        raiser = seat if raises else raiser
        gone = gone or (folds and seat == hero)
    return np.array(found, dtype=np.bool_)


def _figure(
    statistic: Statistic, key: str, street: int | None, counts: NDArray[np.int64], bits: Mapping[str, int]
) -> Figure:
    wanted = [bits[name] for name, round in statistic.blocks().items() if street is None or round == street]
    made, chances = counts[:, wanted].sum(axis=1).tolist()
    name = statistic.name if key == statistic.key or street is None else f"{statistic.name} {ROUNDS[street]}"
    low, high = wilson(made, chances)
    return Figure(name, statistic.meaning, made, chances, made / chances if chances else None, low, high)
