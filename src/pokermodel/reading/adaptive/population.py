"""The knowledge of populations and of players, on top of a prior that knows people in general.

Everybody shares the shape of a likelihood: what a holding makes of a situation. Populations and players differ from it
in three ways, each learnt as their hands end, and each in closed form.

- **Effects**: weights u ~ N(0, scale^2 I) of a few directions in which people differ (loose and tight, passive and
  aggressive, bluffing or not, ...), which the prior holds as loadings. Those of a player are added to those of the
  population. A hand moves a belief by one step of Newton's, with the gradient of all that the player did, over what
  they can have held in hindsight, and the information that was to be expected of it.
- **Factors** by context, for what no direction covers. An act moves the logarithms of all that bear on it at once, by
  what the forecast did not expect of it, each by how little is known of it: what one explains no other one learns.
- **Habits**: factors by context and group of holdings, for what somebody does with which cards
  that no direction covers. What is left of an act goes to the groups by what the player can have held in hindsight.

A population are games at the same site for the same money. So people of another site or stake shift levels at once, and
keep shapes. It begins as a mixture of the kinds of tables that the prior knows (`pokermodel.reading.adaptive.kinds`),
by what the table says of itself; hands that are learnt say which of them it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core import population as kernels
from pokermodel._core.likelihood import EFFECTS, LEVELS, HoldingClasses
from pokermodel._core.play_outs import Actors
from pokermodel._core.population import KnownPopulation
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_name
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act
from pokermodel.reading.adaptive.evidence import Legal, PlayedHand, PlayerActs
from pokermodel.reading.adaptive.kinds import NO_LABELS, TableLabels
from pokermodel.reading.adaptive.known_sizes import KnownSizes, Numbers
from pokermodel.reading.adaptive.polarity import GROUP_OF_CELL, Polarity, first_on_river
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import FACTOR_CELLS, FACTOR_FIRST, board_features
from pokermodel.reading.adaptive.sizes import CLASS_OF, SIZE_BORDERS, SIZE_CELLS, STRENGTHS, SizeRange
from pokermodel.reading.features import Features
from pokermodel.reading.strategies import StrategyNode

__all__ = ["NO_LEVELS", "GamePopulation"]

_NO_BOARD = board_features(())
_NOT_POLAR = Polarity(np.zeros((1, STRENGTHS)), (1, 1))


#: Levels of nobody in particular: people differ by effects alone.
NO_LEVELS = np.zeros((LEVELS, 3))
NO_LEVELS.setflags(write=False)


def _sum_of_beliefs(one: tuple[Floats, Floats], other: tuple[Floats, Floats], scale: float) -> tuple[Floats, Floats]:
    """Add to a belief what another one has learnt since the beginning, as information.

    A belief is a mean, float64 (16,), and a covariance; `scale` is the standard deviation of effects at the beginning.
    """
    first, second = np.linalg.inv(one[1]), np.linalg.inv(other[1])
    covariance = np.linalg.inv(first + second - np.eye(EFFECTS) / scale**2)
    return covariance @ (first @ one[0] + second @ other[0]), np.ascontiguousarray((covariance + covariance.T) / 2)


class GamePopulation:
    """The knowledge of populations and players in one game.

    `habits` are the players' actions with holdings of a group; learning them is optional.
    """

    def __init__(self, prior: GamePrior, habits: bool = True) -> None:
        self.prior = prior
        self._populations: dict[str, int] = {}
        self._players: dict[str, int] = {}
        levels = None if prior.kinds is None else prior.kinds.levels
        self._known = KnownPopulation(FACTOR_CELLS, self._scales, prior.strengths, levels, habits)
        #: What is known of sizes; None where the prior knows none.
        self.sizes = None if prior.sizes is None else KnownSizes(prior.sizes)

    def __contains__(self, player: str) -> bool:
        return player in self._players

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(self._players)

    @property
    def populations(self) -> tuple[str, ...]:
        """Names of the populations."""
        return tuple(self._populations)

    # ---------------------------------------------------------------------------------------------- reading

    def effects(self, population: str, player: str | None, labels: TableLabels = NO_LABELS) -> Floats:
        """Effects of a player of a population: float64 (16,), of kinds alone of people who are not known.

        Without a player, of the population alone.
        """
        return self._known.effects(*self.numbers(population, player), self._begin(labels))

    def _begin(self, labels: TableLabels) -> Floats | None:
        return None if self.prior.kinds is None else self.prior.kinds.begin(labels)

    def kinds(self, population: str, labels: TableLabels = NO_LABELS) -> dict[str, float]:
        """How likely a table is of each kind, by what it says of itself and what was learnt of its population."""
        if self.prior.kinds is None:
            return {}
        shares = self._known.shares(self._populations.get(population, -1), self._begin(labels))
        return dict(zip((*self.prior.kinds.names, ""), shares.tolist(), strict=True))

    def numbers(self, population: str, player: str | None) -> Numbers:
        """The numbers of a population and a player, -1 where nothing is known."""
        return self._populations.get(population, -1), -1 if player is None else self._players.get(player, -1)

    def offsets(self, population: str, player: str | None, cells: ArrayLike, labels: TableLabels = NO_LABELS) -> Floats:
        """Logarithms of all factors of a player, or without one of a population, in n situations: float64 (n, 3).

        `cells`, int (n, 4), are those of the situations.
        """
        told = np.ascontiguousarray(cells, dtype=np.int16)
        return self._known.offsets(*self.numbers(population, player), told, self._begin(labels))

    def expect(
        self,
        population: str,
        player: str,
        features: Features,
        board: tuple[int, ...],
        classes: HoldingClasses,
        legal: Sequence[Act],
        weights: Floats,
        labels: TableLabels = NO_LABELS,
        standings: bool = True,
    ) -> kernels.Expected:
        """The forecast for a player of a population in a situation.

        `classes` are of the board, and `weights`, float64 (1326,), of the player. Do not write to the weights any more.
        Without `standings` places in the range do not count.
        """
        return self._known.expect(
            self.prior.likelihood,
            self._populations.get(population, -1),
            self._players.get(player, -1),
            self.sizes is not None,
            features,
            board,
            self.prior.table.firsts,
            FACTOR_FIRST,
            legal,
            classes,
            weights,
            self._begin(labels),
            standings,
        )

    def actors(self, population: str, players: Sequence[str], labels: TableLabels = NO_LABELS) -> Actors:
        """Players of a population at one table, by seat, as play-outs take them.

        Nothing may be learnt while hands are played out with them.
        """
        prior, sizes = self.prior, None
        if self.sizes is not None:
            known = self.sizes.prior
            sizes = known.network, self.sizes.tables, SIZE_BORDERS, known.factors, CLASS_OF.astype(np.uint8)
        return Actors(
            prior.likelihood,
            self._known,
            self._populations.get(population, -1),
            [self._players.get(name, -1) for name in players],
            self._begin(labels),
            prior.table.firsts,
            FACTOR_FIRST,
            np.ascontiguousarray(income_shares()),
            sizes,
        )

    def observations(self, player: str, features: Sequence[Features]) -> Floats:
        """How many acts of a player were learnt in situations like some others: float64 (n,).

        They are alike in round, bets to call, the player's act before, and whether they faced bets then.
        """
        _, _, cells = self.prior.table.arrays(features, [_NO_BOARD] * len(features))
        number = self._players.get(player, -1)
        return self._known.observations(number, np.ascontiguousarray(cells[:, 0]))

    def acts_learnt(self, player: str) -> float:
        """How many acts of a player were learnt."""
        cells = np.arange(FACTOR_FIRST[1], dtype=np.int16)  # one for each act
        return float(self._known.observations(self._players.get(player, -1), cells).sum())

    def strategies(
        self,
        population: str,
        player: str,
        nodes: Sequence[StrategyNode],
        legal: Legal,
        raises: NDArray[np.int32],
        raise_of: Sequence[NDArray[np.uint8]] | None,
        boards: Sequence[tuple[int, ...]],
        classes: Sequence[HoldingClasses],
        bins: NDArray[np.int32],
        labels: TableLabels = NO_LABELS,
        ranges: tuple[Sequence[Floats], NDArray[np.int32]] | None = None,
        polar: bool = True,
    ) -> list[NDArray[np.float32]]:
        """A player's strategy at n nodes of one street on each of some boards, by class of holdings.

        Parameters
        ----------
        legal : ndarray of float32, shape (n, 3)
            1 for a fold, a call and a raise where the tree has one, else 0.
        raises : ndarray of int32, shape (n,)
            How many sizes a raise has.
        raise_of : sequence of ndarray of uint8, each of shape (38,), or None
            Of each node, which raise each cell of sizes is counted for; needed where one has more than one raise, or is
            polar.
        classes : sequence of HoldingClasses
            Of the boards.
        bins : ndarray of int32, shape (boards,)
            The row of the first bin of strength.
        ranges : tuple or None
            Of each board the ranges that the player can come with, as shares of the classes, float64 (ranges,
            classes), and which of them each node has, int32 (n,), -1 for none.
        polar : bool
            Whether first money on the river is polar where there is a range.

        Returns
        -------
        list of ndarray of float32, each of shape (all acts, classes)
            Of each board; acts of the nodes one after the other: fold, call, raises.
        """
        numbers = self.numbers(population, player)
        powers = np.array([self._power(node) if polar else 0.0 for node in nodes], dtype=np.float64)
        told = None if ranges is None else self._polar(powers, *ranges)
        sizes = None
        if raise_of is not None and self.sizes is not None:
            sized = self._sized(nodes, powers, ranges)
            if any(sized):
                forecasts, of, tilts = self.sizes.at_nodes(numbers, nodes, sized, self.prior.table, boards)
                sizes = forecasts, of, np.array(raise_of), tilts
        return self._known.strategies(
            self.prior.likelihood,
            *numbers,
            self.sizes is not None,
            [node.features for node in nodes],
            self.prior.table.firsts,
            FACTOR_FIRST,
            legal,
            raises,
            sizes,
            boards,
            classes,
            bins,
            self._begin(labels),
            told,
        )

    def _polar(self, powers: Floats, held: Sequence[Floats], of: NDArray[np.int32]) -> tuple[object, ...]:
        """What the kernel needs of nodes with ranges, given these and which of them each node has."""
        polarity = self.prior.polarity or _NOT_POLAR
        groups = GROUP_OF_CELL if len(polarity.tilts) > 1 else np.zeros(SIZE_CELLS, dtype=np.uint8)
        return polarity.tilts, groups, powers, held, of

    def _sized(
        self, nodes: Sequence[StrategyNode], powers: Floats, ranges: tuple[Sequence[Floats], NDArray[np.int32]] | None
    ) -> list[bool]:
        """Which nodes need a forecast of sizes: those with several raises, and polar ones where sizes differ."""
        polarity = self.prior.polarity
        if ranges is None or polarity is None or len(polarity.tilts) == 1:
            return [len(node.raises) > 1 for node in nodes]
        return [
            len(node.raises) > 1 or bool(at >= 0 and power > 0)
            for node, at, power in zip(nodes, ranges[1], powers, strict=True)
        ]

    def _power(self, node: StrategyNode) -> float:
        """The power that each side of a range is raised to if a node's raise is polar, else 0."""
        polarity = self.prior.polarity
        if polarity is None or not node.raises or not first_on_river(node.situation):
            return 0.0
        return float(polarity.powers[int(node.situation.to_call > 0)])

    def _number(self, tier: int, name: str) -> int:
        numbers = self._players if tier else self._populations
        number = numbers.setdefault(name, len(numbers))
        self._known.number(tier, len(numbers))
        return number

    @property
    def _scales(self) -> tuple[float, float]:
        return self.prior.scales["population"], self.prior.scales["player"]

    def size_forecast(
        self,
        population: str,
        player: str | None,
        rows: Sequence[int] | NDArray[np.int16],
        context: int,
        room: SizeRange,
        habits: Sequence[int],
    ) -> Floats:
        """The probability of each size of a bet or raise of a player, or without one of a population: float64 (38,).

        `rows` are of the situation; `context` and `habits` are those of `size_context` and `size_habits`.
        """
        assert self.sizes is not None
        told = self.sizes.told(self.numbers(population, player), context, room, habits)
        return self.sizes.forecast(told, rows, room, habits)

    # --------------------------------------------------------------------------------------------- learning

    def learn(self, found: PlayedHand) -> None:
        """Learn what one hand says of those who acted in it."""
        if not found.names:
            return
        population = self._number(0, found.population)
        numbers = [self._players.setdefault(name, len(self._players)) for name in found.names]
        self._known.number(1, len(self._players))
        classes = found.classes()
        self._known.learn(
            self.prior.likelihood,
            population,
            np.array(numbers, dtype=np.int32),
            found.counts,
            found.holdings,
            found.mucked,
            found.rounds,
            found.rows,
            found.basis,
            found.cells,
            found.legal,
            found.acts,
            found.live,
            found.losing,
            [classes.get(round) for round in range(4)],
            self._begin(found.labels),
        )
        if any(found.sizes):
            assert self.sizes is not None
            first = 0
            for number, count, sizes in zip(numbers, found.counts.tolist(), found.sizes, strict=True):
                if sizes:
                    self.sizes.learn((population, number), found.rows[first : first + count], sizes)
                first += count

    def learn_sizes(self, population: str, acts: PlayerActs) -> None:
        """Learn the sizes of a player's bets and raises."""
        assert self.sizes is not None
        self.sizes.learn((self._number(0, population), self._number(1, acts.name)), acts.rows, acts.sizes)

    # -------------------------------------------------------------------------------------------- all of it

    def merge(self, other: GamePopulation) -> None:
        """Add what others have learnt of the same game with the same prior."""
        for tier, names in enumerate((other._populations, other._players)):
            ours = [self._number(tier, name) for name in names]
            if tier == 0 and self.prior.kinds is not None:
                told = np.zeros((len(self._populations), len(self.prior.kinds) + 1))
                told[ours] = other._known.told()
                self._known.add_told(told)
            for theirs, number in enumerate(ours):
                belief = _sum_of_beliefs(
                    self._known.belief(tier, number), other._known.belief(tier, theirs), self._scales[tier]
                )
                self._known.believe(tier, number, *belief)
            keys, table = other._known.factors(tier)
            numbers, cells = np.divmod(keys, self._known.kept)
            self._known.add(tier, np.array(ours, dtype=np.int64)[numbers] * self._known.kept + cells, table)
            if self.sizes is not None and other.sizes is not None:
                self.sizes.merge(tier, other.sizes, ours)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt, by name.

        Raises
        ------
        ValueError
            If a player has a name that cannot be kept: with a null character or half a surrogate pair.
        """
        arrays: dict[str, NDArray[Any]] = {}
        if self.prior.kinds is not None:
            arrays["kinds"] = self._known.told()
        for tier, names in enumerate((self._populations, self._players)):
            for name in names:
                check_name(name)
            arrays[f"names{tier}"] = np.frombuffer("\0".join(names).encode(), dtype=np.uint8)
            arrays[f"means{tier}"] = self._known.means(tier)
            arrays[f"covariances{tier}"] = self._known.covariances(tier)
            arrays[f"keys{tier}"], arrays[f"table{tier}"] = self._known.factors(tier)
            if self.sizes is not None:
                arrays |= self.sizes.arrays(tier)
        return arrays

    @classmethod
    def from_arrays(cls, prior: GamePrior, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Read what `to_arrays` gave."""
        people = cls(prior)
        for tier in (0, 1):
            names = arrays[f"names{tier}"].tobytes().decode()
            means = arrays[f"means{tier}"]
            numbers = people._players if tier else people._populations
            for name in names.split("\0") if len(means) else ():
                numbers.setdefault(name, len(numbers))
            people._known.put(tier, means, *(arrays[f"{name}{tier}"] for name in ("covariances", "keys", "table")))
            if tier == 0 and prior.kinds is not None:
                people._known.add_told(arrays["kinds"])
        if prior.sizes is not None:
            people.sizes = KnownSizes.of_arrays(prior.sizes, arrays)
        return people
