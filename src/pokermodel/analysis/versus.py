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
from functools import cache
from typing import Any, NamedTuple

from pokermodel._support.student import t_quantile
from pokermodel.game import ROUNDS, BettingStructure, Hand, positions
from pokermodel.learning.counting import ActCounter, AgainstCounter, compile_acts, compile_acts_against
from pokermodel.learning.definitions import Statistic, statistics
from pokermodel.learning.profile import Figure, wilson
from pokermodel.reading.features import Replay

__all__ = ["Compared", "Opponent", "Versus", "won_from"]


def won_from(net: Sequence[float], seat: int) -> list[float]:
    """What a player in a seat won from each of the others in a hand, or lost to them if it is below 0.

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
    #: `low`, `high`: a 95 % interval of that for a hundred hands (Student's t, over hands); None of one hand.
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


class _Sum:
    def __init__(self) -> None:
        self.hands, self.won, self.squares = 0, 0.0, 0.0
        self.money: defaultdict[str, float] = defaultdict(float)


class Versus:
    """What is known of those who play with a player, from hands that are added one by one.

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
        What they won or lost in these after the rake, in big blinds; in limit in small bets.
    """

    def __init__(self, hero: str) -> None:
        self.hero = hero
        self.hands, self.net_bb = 0, 0.0
        self._sums: defaultdict[str, _Sum] = defaultdict(_Sum)
        self._counts: defaultdict[tuple[str, BettingStructure], tuple[Counter[int], Counter[int]]] = defaultdict(
            lambda: (Counter(), Counter())
        )
        self._played: defaultdict[str, Counter[BettingStructure]] = defaultdict(Counter)

    @property
    def unit(self) -> str:
        """What bets are: ``"bb"``, big blinds; ``"sb"``, small bets in limit; ``"bets"``, if there are both."""
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
        acts, _ = Replay.of(hand, None).counted
        where = positions(hand.spec)
        count, count_against = _compiled(structure)
        everything: list[set[int]] = [set() for _ in net]
        against: list[set[int]] = [set() for _ in net]
        count(acts, where, everything)
        count_against(acts, where, against, seat)
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
            for counts, found in zip(self._counts[name, structure], (against, everything), strict=True):
                counts.update(found[other])

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

        Returns
        -------
        dict of BettingStructure to list of Compared
            Those statistics in which they had a chance against the player.

        Raises
        ------
        ValueError
            If they have played no hand together.
        """
        if name not in self._sums:
            raise ValueError(f"{name!r} and {self.hero!r} have played no hand together")
        found = {}
        for structure, _ in self._played[name].most_common():
            against, everything = self._counts[name, structure]
            places, rows = _places(structure), []
            for each in _asked(structure):
                for key, street in each.figures().items():
                    figure = _figure(each, key, street, against, places)
                    if figure.denominator:
                        rows.append(Compared(key, figure, _figure(each, key, street, everything, places)))
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


def _places(structure: BettingStructure) -> dict[str, int]:
    names = [name for each in _asked(structure) for name in each.blocks()]
    return {name: 2 * place for place, name in enumerate(names)}


@cache
def _of(asked: tuple[Statistic, ...]) -> tuple[ActCounter, AgainstCounter]:
    names = [name for each in asked for name in each.blocks()]
    places = {name: 2 * place for place, name in enumerate(names)}
    return compile_acts(asked, places), compile_acts_against(asked, places)


def _compiled(structure: BettingStructure) -> tuple[ActCounter, AgainstCounter]:
    return _of(tuple(_asked(structure)))


def _figure(
    statistic: Statistic, key: str, street: int | None, counts: Counter[int], places: Mapping[str, int]
) -> Figure:
    wanted = [places[name] for name, round in statistic.blocks().items() if street is None or round == street]
    made, chances = (sum(counts[place + k] for place in wanted) for k in (0, 1))
    name = statistic.name if key == statistic.key or street is None else f"{statistic.name} {ROUNDS[street]}"
    low, high = wilson(made, chances)
    return Figure(name, statistic.meaning, made, chances, made / chances if chances else None, low, high)
