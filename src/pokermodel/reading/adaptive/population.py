"""What is learnt of populations and of players, on top of a prior that knows people in general.

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

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core import population as kernels
from pokermodel._core.likelihood import BASIS as BASIS_COLUMNS
from pokermodel._core.likelihood import EFFECTS, LEVELS, HoldingClasses
from pokermodel._core.play_outs import Actors
from pokermodel._core.population import KnownPopulation
from pokermodel._support.arrays import Floats, Packed, packed, unpacked
from pokermodel._support.checks import check_name
from pokermodel.cards import holding_index
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, BettingStructure, Decision, GameSpec, Hand
from pokermodel.reading.adaptive.holdings import holding_classes
from pokermodel.reading.adaptive.kinds import NO_LABELS, TableLabels, labels_of
from pokermodel.reading.adaptive.polarity import GROUP_OF_CELL
from pokermodel.reading.adaptive.prior import GamePrior, Prior, default_prior, game_of
from pokermodel.reading.adaptive.situations import FACTOR_CELLS, FACTOR_FIRST, board_features, situation_table
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    QUARTERS,
    SIZE_BORDERS,
    SIZE_CELLS,
    STRENGTHS,
    Size,
    SizeCounts,
    SizeRange,
    SizesTold,
    size_cell,
    size_context,
    size_habits,
    size_places,
    size_range,
)
from pokermodel.reading.features import Features, Replay
from pokermodel.reading.strategies import StrategyNode

__all__ = [
    "NO_LEVELS",
    "GamePopulation",
    "PlayedHand",
    "PlayerActs",
    "PopulationModel",
    "known_as",
    "play",
    "population",
]

Rows: TypeAlias = NDArray[np.int16]
Legal: TypeAlias = NDArray[np.float32]

_GRIDS = 4
_NO_BOARD = board_features(())


def population(spec: GameSpec) -> str:
    """The population of a game: who plays it at the same site for the same money, whatever a chip is worth there.

    A tournament is one, however its blinds rise. Where bets have sizes, those who play heads-up are apart.
    """
    heads_up = not spec.structure.fixed and spec.players == 2
    stake = spec.stake or "/".join(map(str, spec.stakes))
    return " ".join(filter(None, (spec.site, str(spec.structure), "heads-up" if heads_up else "", stake)))


def known_as(name: str, spec: GameSpec) -> str:
    """What a player is known as: by name and site, since one name means different people at different sites."""
    return f"{name}@{spec.site}" if spec.site else name


#: Levels of nobody in particular: people differ by effects alone.
NO_LEVELS = np.zeros((LEVELS, 3))
NO_LEVELS.setflags(write=False)


@dataclass(frozen=True, eq=False, slots=True)
class PlayerActs:
    """What a player did in a hand, each act as a likelihood takes it.

    Attributes
    ----------
    name : str
        As `known_as`.
    rounds : list of int, length n
    rows : ndarray of int16, shape (n, features)
    basis : ndarray of int16, shape (n, 4)
    cells : ndarray of int16, shape (n, 4)
        Of factors.
    legal : ndarray of float32, shape (n, 3)
    acts : ndarray of int16, shape (n,)
    holding : int
        What they showed; -1 if they did not.
    mucked : bool
        Whether they lost at the showdown without showing.
    sizes : tuple of Size
        Of their bets and raises, where these have sizes.
    """

    name: str
    rounds: list[int]
    rows: Rows
    basis: Rows
    cells: Rows
    legal: Legal
    acts: Rows
    holding: int
    mucked: bool
    sizes: tuple[Size, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class PlayedHand:
    """What a finished hand says of those who acted in it.

    Attributes
    ----------
    population : str
        As `population`.
    board : tuple of int
    names : tuple of str
        Of the players, as `known_as`, in the order of their first acts.
    counts : ndarray of int32, shape (players,)
        How many acts each has. In the arrays of acts, those of a player stand one after the other.
    holdings : ndarray of int32, shape (players,)
        What each showed; -1 if they did not.
    mucked : ndarray of uint8, shape (players,)
        Whether each lost at the showdown without showing.
    sizes : tuple of tuple of Size
        Of the bets and raises of each, where these have sizes.
    rounds : ndarray of uint8, shape (n,)
    rows : ndarray of int16, shape (n, features)
    basis : ndarray of int16, shape (n, 4)
    cells : ndarray of int16, shape (n, 4)
        Of factors.
    legal : ndarray of float32, shape (n, 3)
    acts : ndarray of int16, shape (n,)
    live : ndarray of uint8, shape (166,)
        Holdings that those who did not show can have held: 1,326 bits.
    losing : ndarray of uint8, shape (166,), or None
        The same of those who mucked.
    game : {"limit", "no limit"}
    labels : TableLabels
        What the table says of itself.
    """

    population: str
    board: tuple[int, ...]
    names: tuple[str, ...]
    counts: NDArray[np.int32]
    holdings: NDArray[np.int32]
    mucked: NDArray[np.uint8]
    sizes: tuple[tuple[Size, ...], ...]
    rounds: NDArray[np.uint8]
    rows: Rows
    basis: Rows
    cells: Rows
    legal: Legal
    acts: Rows
    live: NDArray[np.uint8]
    losing: NDArray[np.uint8] | None
    game: str = "limit"
    labels: TableLabels = NO_LABELS

    @classmethod
    def of(
        cls,
        population: str,
        board: tuple[int, ...],
        players: Sequence[PlayerActs],
        live: NDArray[np.uint8],
        losing: NDArray[np.uint8] | None = None,
        game: str = "limit",
        labels: TableLabels = NO_LABELS,
    ) -> Self:
        """The hand of players with their acts."""

        def joined(arrays: list[NDArray[Any]], kind: type[np.generic], *width: int) -> NDArray[Any]:
            return np.concatenate([np.empty((0, *width), dtype=kind), *arrays]).astype(kind)

        features = players[0].rows.shape[1] if players else 0
        return cls(
            population=population,
            board=board,
            names=tuple(each.name for each in players),
            counts=np.array([len(each.acts) for each in players], dtype=np.int32),
            holdings=np.array([each.holding for each in players], dtype=np.int32),
            mucked=np.array([each.mucked for each in players], dtype=np.uint8),
            sizes=tuple(each.sizes for each in players),
            rounds=np.array([round for each in players for round in each.rounds], dtype=np.uint8),
            rows=joined([each.rows for each in players], np.int16, features),
            basis=joined([each.basis for each in players], np.int16, BASIS_COLUMNS),
            cells=joined([each.cells for each in players], np.int16, _GRIDS),
            legal=joined([each.legal for each in players], np.float32, 3),
            acts=joined([each.acts for each in players], np.int16),
            live=live,
            losing=losing,
            game=game,
            labels=labels,
        )

    @property
    def players(self) -> tuple[PlayerActs, ...]:
        """The players and what each did: parts of the arrays, not copies."""
        found, first = [], 0
        rounds = self.rounds.tolist()
        for name, count, holding, mucked, sizes in zip(
            self.names, self.counts.tolist(), self.holdings.tolist(), self.mucked.tolist(), self.sizes, strict=True
        ):
            own = slice(first, first := first + count)
            found.append(
                PlayerActs(
                    name=name,
                    rounds=rounds[own],
                    rows=self.rows[own],
                    basis=self.basis[own],
                    cells=self.cells[own],
                    legal=self.legal[own],
                    acts=self.acts[own],
                    holding=holding,
                    mucked=bool(mucked),
                    sizes=sizes,
                )
            )
        return tuple(found)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as bytes of arrays: a tenth of the time, where many are sent."""
        arrays = [packed(getattr(self, name)) for name in _PACKED]
        losing = None if self.losing is None else self.losing.tobytes()
        told = self.population, self.board, self.names, self.sizes, arrays, losing, self.game, self.labels
        return _played_hand, told

    def possible(self, player: PlayerActs) -> Floats:
        """What a player can have held: float64 (1326,), 1 or 0."""
        bits = self.losing if player.mucked and self.losing is not None else self.live
        return np.unpackbits(bits, count=1326).astype(np.float64)

    def classes(self) -> dict[int, HoldingClasses]:
        """Classes of holdings, by rounds that somebody acted in."""
        return {round: holding_classes(self.board[: round + 2 if round else 0]) for round in {*self.rounds.tolist()}}


_PACKED = ("counts", "holdings", "mucked", "rounds", "rows", "basis", "cells", "legal", "acts", "live")


def _played_hand(
    population: str,
    board: tuple[int, ...],
    names: tuple[str, ...],
    sizes: tuple[tuple[Size, ...], ...],
    arrays: list[Packed],
    losing: bytes | None,
    game: str,
    labels: TableLabels = NO_LABELS,
) -> PlayedHand:
    """Make a `PlayedHand` of its pickle."""
    lost = None if losing is None else np.frombuffer(bytearray(losing), dtype=np.uint8)
    own: dict[str, Any] = dict(zip(_PACKED, map(unpacked, arrays), strict=True))
    return PlayedHand(population, board, names, sizes=sizes, losing=lost, game=game, labels=labels, **own)


def play(hand: Hand, decisions: Iterable[Decision] | None = None, *, all_cards: bool = False) -> PlayedHand | None:
    """Gather what a finished hand says.

    Parameters
    ----------
    hand : Hand
        Holdings that it knows of players who came to the showdown, and did not muck, are seen; others are not
        looked at.
    decisions : iterable of Decision, optional
        Its replay, if there is one already.
    all_cards : bool
        Whether all holdings are looked at that the hand knows.

    Returns
    -------
    PlayedHand or None
        None if nobody did anything that was offered.

    Raises
    ------
    ValueError
        If the hand breaks the rules.
    """
    structure = hand.spec.structure
    replayed = Replay.of(hand, decisions)
    features = replayed.features
    sized = not structure.fixed
    found = kernels.gather(replayed, features, sized, situation_table(structure).firsts, FACTOR_FIRST)
    if found is None:
        return None
    seats, board, counts, places, rounds, rows, basis, cells, legal, acts = found
    known = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    live, losing = kernels.possible(hand.board, known.values(), bool(hand.mucked))
    if all_cards:
        known = {**hand.holdings, **known}
    sizes: tuple[tuple[Size, ...], ...] = ((),) * len(seats)
    if sized:
        sizes = _sizes(replayed, features, counts, places, acts)
    return PlayedHand(
        population=population(hand.spec),
        board=board,
        names=tuple([known_as(hand.players[seat], hand.spec) for seat in seats]),
        counts=counts,
        holdings=np.array([holding_index(known[seat]) if seat in known else -1 for seat in seats], dtype=np.int32),
        mucked=np.array([seat in hand.mucked for seat in seats], dtype=np.uint8),
        sizes=sizes,
        rounds=rounds,
        rows=rows,
        basis=basis,
        cells=cells,
        legal=legal,
        acts=acts,
        live=live,
        losing=losing,
        game=game_of(structure),
        labels=labels_of(hand.spec, hand.stacks),
    )


def _sizes(
    replayed: Replay, features: Sequence[Features], counts: NDArray[Any], places: NDArray[Any], acts: NDArray[Any]
) -> tuple[tuple[Size, ...], ...]:
    """Bets and raises of each player, in a game where they have sizes."""
    found: list[tuple[Size, ...]] = []
    first, at, did = 0, places.tolist(), acts.tolist()
    for count in counts.tolist():
        own = range(first, first := first + count)
        found.append(tuple([_size(k - own[0], features[at[k]], replayed[at[k]]) for k in own if did[k] == Act.RAISE]))
    return tuple(found)


def _size(place: int, features: Features, decision: Decision) -> Size:
    """A bet or raise."""
    assert decision.to is not None
    situation = decision.situation
    cell = size_cell(situation, decision.to)
    return Size(place, size_context(features), size_range(situation), cell, size_habits(features))


#: What a hand says in which nobody did anything that was offered.
_NOTHING = PlayedHand.of("", (), (), np.zeros(166, dtype=np.uint8))


def _sum_of_beliefs(one: tuple[Floats, Floats], other: tuple[Floats, Floats], scale: float) -> tuple[Floats, Floats]:
    """A belief to which what another one has learnt since the beginning is added, as information.

    Parameters
    ----------
    one, other : tuple of ndarray
        Mean, float64 (16,), and covariance, float64 (16, 16).
    scale : float
        Standard deviation of effects at the beginning.
    """
    first, second = np.linalg.inv(one[1]), np.linalg.inv(other[1])
    covariance = np.linalg.inv(first + second - np.eye(EFFECTS) / scale**2)
    return covariance @ (first @ one[0] + second @ other[0]), np.ascontiguousarray((covariance + covariance.T) / 2)


class GamePopulation:
    """What is known of populations and players in one game.

    Parameters
    ----------
    prior : GamePrior
        What is known of people in general.
    habits : bool
        Whether habits are learnt: what players do with holdings of a group.
    """

    def __init__(self, prior: GamePrior, habits: bool = True) -> None:
        self.prior = prior
        self._populations: dict[str, int] = {}
        self._players: dict[str, int] = {}
        levels = None if prior.kinds is None else prior.kinds.levels
        self._known = KnownPopulation(FACTOR_CELLS, self._scales, prior.strengths, levels, habits)
        self._sized = prior.sizes is not None
        #: Hands learnt, and what was merged: who keeps what follows from it looks whether it is the same.
        self.learnt = 0
        self._sizes = SizeCounts(), SizeCounts()  # what populations and players chose

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
        return self._known.effects(*self._numbers(population, player), self._begin(labels))

    def _begin(self, labels: TableLabels) -> Floats | None:
        return None if self.prior.kinds is None else self.prior.kinds.begin(labels)

    def kinds(self, population: str, labels: TableLabels = NO_LABELS) -> dict[str, float]:
        """How likely a table is of each kind, by what it says of itself and what was learnt of its population."""
        if self.prior.kinds is None:
            return {}
        shares = self._known.shares(self._populations.get(population, -1), self._begin(labels))
        return dict(zip((*self.prior.kinds.names, ""), shares.tolist(), strict=True))

    def _numbers(self, population: str, player: str | None) -> tuple[int, int]:
        """Their numbers, -1 where nothing is known."""
        return self._populations.get(population, -1), -1 if player is None else self._players.get(player, -1)

    def offsets(self, population: str, player: str | None, cells: ArrayLike, labels: TableLabels = NO_LABELS) -> Floats:
        """Logarithms of all factors of a player of a population: float64 (n, 3).

        Parameters
        ----------
        population : str
        player : str or None
            None for the population alone.
        cells : array_like of int, shape (n, 4)
            Those of n situations.
        labels : TableLabels
            What the table says of itself.
        """
        told = np.ascontiguousarray(cells, dtype=np.int16)
        return self._known.offsets(*self._numbers(population, player), told, self._begin(labels))

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
    ) -> kernels.Expected:
        """What is expected of a player of a population in a situation.

        Parameters
        ----------
        population, player : str
        features : Features
        board : tuple of int
        classes : HoldingClasses
            Of the board.
        legal : sequence of Act
        weights : ndarray of float64, shape (1326,)
            The player's. Do not write to them any more.
        labels : TableLabels
            What the table says of itself.
        """
        return self._known.expect(
            self.prior.likelihood,
            self._populations.get(population, -1),
            self._players.get(player, -1),
            self._sized,
            features,
            board,
            self.prior.table.firsts,
            FACTOR_FIRST,
            legal,
            classes,
            weights,
            self._begin(labels),
        )

    def actors(self, population: str, players: Sequence[str], labels: TableLabels = NO_LABELS) -> Actors:
        """Players of a population at one table, by seat, as play-outs take them.

        Nothing may be learnt while hands are played out with them.
        """
        prior = self.prior
        sizes: tuple[Any, ...] | None = None
        if prior.sizes is not None:
            counts = tuple(each.tables for each in self._sizes)
            sizes = prior.sizes.network, counts, SIZE_BORDERS, prior.sizes.factors, CLASS_OF.astype(np.uint8)
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

        Parameters
        ----------
        player : str
        features : sequence of Features, length n
        """
        _, _, cells = self.prior.table.arrays(features, [_NO_BOARD] * len(features))
        number = self._players.get(player, -1)
        return self._known.observations(number, np.ascontiguousarray(cells[:, 0]))

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
    ) -> list[NDArray[np.float32]]:
        """What a player does at n nodes of one street on each of some boards, by class of holdings.

        Parameters
        ----------
        population, player : str
        nodes : sequence of StrategyNode, length n
        legal : ndarray of float32, shape (n, 3)
            1 for a fold, a call and a raise where the tree has one, else 0.
        raises : ndarray of int32, shape (n,)
            How many sizes a raise has.
        raise_of : sequence of ndarray of uint8, each of shape (38,), or None
            Of each node, which raise each cell of sizes is counted for; needed where one has more than one raise, or is
            polar.
        boards : sequence of tuple of int
        classes : sequence of HoldingClasses
            Of the boards.
        bins : ndarray of int32, shape (boards,)
            The row of the first bin of strength.
        labels : TableLabels
            What the table says of itself.
        ranges : tuple or None
            Where nodes are polar, of each board the ranges that the player can come with, by class, float64 (ranges,
            classes), and which of them each node has, int32 (n,), -1 where it is not polar.

        Returns
        -------
        list of ndarray of float32, each of shape (all acts, classes)
            Of each board; acts of the nodes one after the other: fold, call, raises.
        """
        numbers = self._numbers(population, player)
        features = [node.features for node in nodes]
        polar: tuple[Any, ...] | None = None
        sized = [len(node.raises) > 1 for node in nodes]
        if ranges is not None and self.prior.polarity is not None:
            known, (held, of) = self.prior.polarity, ranges
            powers = np.array([known.powers[int(node.situation.to_call > 0)] for node in nodes], dtype=np.float64)
            groups = GROUP_OF_CELL if len(known.tilts) > 1 else np.zeros(SIZE_CELLS, dtype=np.uint8)
            polar = known.tilts, groups, powers, held, of
            if len(known.tilts) > 1:
                sized = [
                    many or (at >= 0 and len(node.raises) > 0) for many, at, node in zip(sized, of, nodes, strict=True)
                ]
        sizes = None
        if raise_of is not None and any(sized):
            sizes = self._sizes_at(population, player, nodes, sized, np.array(raise_of), boards)
        return self._known.strategies(
            self.prior.likelihood,
            *numbers,
            self._sized,
            features,
            self.prior.table.firsts,
            FACTOR_FIRST,
            legal,
            raises,
            sizes,
            boards,
            classes,
            bins,
            self._begin(labels),
            polar,
        )

    def _sizes_at(
        self,
        population: str,
        player: str,
        nodes: Sequence[StrategyNode],
        sized: Sequence[bool],
        raise_of: NDArray[np.uint8],
        boards: Sequence[tuple[int, ...]],
    ) -> tuple[Floats, NDArray[np.int32], NDArray[np.uint8], Floats]:
        """Forecasts of sizes of some nodes, which of them is that of each board, and what the kernel needs besides."""
        assert self.prior.sizes is not None
        kinds = [board_features(board) for board in boards]
        some = dict.fromkeys(kinds)  # boards that show the same have the same forecasts
        forecasts = np.full((len(some), len(nodes), SIZE_CELLS), 1.0 / SIZE_CELLS)
        tilts = np.ones((len(nodes), QUARTERS, STRENGTHS))
        for k, node in enumerate(nodes):
            if not sized[k]:
                continue
            features, context = node.features, size_context(node.features)
            tilts[k] = [self.prior.sizes.tilt(context, of_quarter) for of_quarter in range(QUARTERS)]
            room, habits = size_range(node.situation), size_habits(features)
            for at, shown in enumerate(some):
                rows = self.prior.table.rows(features, shown).rows
                forecasts[at, k] = self.size_forecast(population, player, rows, context, room, habits)
        places = {kind: at for at, kind in enumerate(some)}
        of = np.array([places[kind] for kind in kinds], dtype=np.int32)
        return forecasts, of, raise_of, tilts

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
        """The probability of each size of a bet or raise: float64 (38,).

        Parameters
        ----------
        population : str
        player : str or None
            None for the population alone.
        rows : sequence of int
            Of the situation.
        context : int
            As `size_context`.
        room : SizeRange
        habits : sequence of int
            As `size_habits`.
        """
        told = self.sizes_told(population, player, context, room, habits)
        return self.size_forecast_by(told, rows, room, habits)

    def sizes_told(
        self, population: str, player: str | None, context: int, room: SizeRange, habits: Sequence[int]
    ) -> tuple[SizesTold | None, SizesTold | None]:
        """What is known of a population's sizes and of a player's in a situation, as it is now."""
        places = size_places(context, room.low, habits)
        numbers = self._numbers(population, player)
        population_told, player_told = (
            None if number < 0 else known.kept(number, places)
            for known, number in zip(self._sizes, numbers, strict=True)
        )
        return population_told, player_told

    def size_forecast_by(
        self,
        told: tuple[SizesTold | None, SizesTold | None],
        rows: Sequence[int] | NDArray[np.int16],
        room: SizeRange,
        habits: Sequence[int],
    ) -> Floats:
        """The forecast of `size_forecast` by what `sizes_told` found."""
        sizes = self.prior.sizes
        assert sizes is not None
        forecast = sizes.forecast(rows, room, habits)
        for tier, each in enumerate(told):
            if each is not None:
                forecast = sizes.known(forecast, room, tier, habits[0], each)
        return forecast

    def _sizes_expected(
        self,
        population: int | None,
        rows: Sequence[int] | NDArray[np.int16],
        room: SizeRange,
        habits: Sequence[int],
        places: Sequence[int],
    ) -> tuple[Floats, Floats]:
        """What is expected of everybody, and of somebody of the population of a number."""
        sizes = self.prior.sizes
        assert sizes is not None
        everybody = sizes.forecast(rows, room, habits)
        if population is None:
            return everybody, everybody
        return everybody, sizes.known(everybody, room, 0, habits[0], self._sizes[0].told(population, places))

    # --------------------------------------------------------------------------------------------- learning

    def learn(self, found: PlayedHand) -> None:
        """Learn what one hand says of those who acted in it."""
        if not found.names:
            return
        self.learnt += 1
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
            first = 0
            for number, count, sizes in zip(numbers, found.counts.tolist(), found.sizes, strict=True):
                if sizes:
                    self._learn_sizes((population, number), found.rows[first : first + count], sizes)
                first += count

    def learn_sizes(self, population: str, acts: PlayerActs) -> None:
        """Learn the sizes of a player's bets and raises."""
        self._learn_sizes((self._number(0, population), self._number(1, acts.name)), acts.rows, acts.sizes)

    def _learn_sizes(self, numbers: tuple[int, int], acts: NDArray[np.int16], sizes: Sequence[Size]) -> None:
        """Learn sizes that somebody of a population chose, given the rows of the situations of all their acts."""
        self.learnt += 1
        for size in sizes:
            rows, places = acts[size.act], size_places(size.context, size.range.low, size.habits)
            forecasts = self._sizes_expected(numbers[0], rows, size.range, size.habits, places)
            for known, number, forecast in zip(self._sizes, numbers, forecasts, strict=True):
                known.add(number, places, size.cell, forecast)

    # -------------------------------------------------------------------------------------------- all of it

    def merge(self, other: GamePopulation) -> None:
        """Add what others have learnt of the same game with the same prior."""
        self.learnt += 1
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
            self._sizes[tier].merge(other._sizes[tier], ours)

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
            if self.prior.sizes is not None:
                arrays |= {f"sizes{tier}_{name}": each for name, each in self._sizes[tier].arrays().items()}
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
            kept = [
                {name.removeprefix(first): each for name, each in arrays.items() if name.startswith(first)}
                for first in ("sizes0_", "sizes1_")
            ]
            people._sizes = SizeCounts.of_arrays(kept[0]), SizeCounts.of_arrays(kept[1])
        return people


class PopulationModel:
    """What is known of populations and players, game by game.

    Parameters
    ----------
    prior : Prior, optional
        What is known of people in general. Default: that of the package.

    Attributes
    ----------
    prior : Prior
    hands : int
        Hands learnt.
    games : dict of str to GamePopulation
        What was learnt of the games that the prior knows.

    Notes
    -----
    `merge` adds what hands said of effects as information. Learning the same hands one after the other gives something
    near to it, since each hand is then judged by what those before it taught.

    Examples
    --------
    >>> import pokermodel as pm
    >>> people = PopulationModel()
    >>> people.update([PopulationModel.evidence(pm.example_hand())])
    >>> people
    <PopulationModel of hands: 1, populations: 1, players: 6>
    """

    #: The name of this kind of knowledge in a book, and the version of `to_bytes`.
    kind: ClassVar[str] = "adaptive"
    version: ClassVar[int] = 6
    #: Structures of the hands that it is learnt from.
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)

    _prior: ClassVar[Prior | None] = None

    def __init__(self, prior: Prior | None = None) -> None:
        self.prior = prior or self._prior or default_prior()
        self.hands = 0
        self.games = {name: GamePopulation(game) for name, game in self.prior.games.items()}

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of hands: {self.hands:,}, populations: {len(self.populations):,}, "
            f"players: {len(self.players):,}>"
        )

    @classmethod
    def with_prior(cls, prior: Prior) -> type[Self]:
        """The class of people that are learnt with a prior: as a kind of knowledge, whose instances begin with it."""
        if prior.digest == (cls._prior or default_prior()).digest:
            return cls
        return type(cls.__name__, (cls,), {"_prior": prior, "__doc__": cls.__doc__, "__module__": cls.__module__})

    def __contains__(self, player: str) -> bool:
        return any(player in game for game in self.games.values())

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(dict.fromkeys(chain.from_iterable(game.players for game in self.games.values())))

    @property
    def populations(self) -> tuple[str, ...]:
        """Names of the populations."""
        return tuple(chain.from_iterable(game.populations for game in self.games.values()))

    def of(self, structure: BettingStructure) -> GamePopulation:
        """What is known of people in the game that a structure belongs to.

        Raises
        ------
        ValueError
            If the prior was fitted without it.
        """
        self.prior.of(structure)
        return self.games[game_of(structure)]

    @staticmethod
    def evidence(hand: Hand, decisions: Iterable[Decision] | None = None) -> PlayedHand:
        """What a finished hand says: as `play`, a hand without players if nobody did anything that was offered."""
        return play(hand, decisions) or _NOTHING

    def update(self, evidence: Sequence[PlayedHand]) -> None:
        """Learn what hands say, one after the other; of games that the prior does not know, nothing."""
        for found in evidence:
            self.hands += 1
            self.learn(found)

    def learn(self, found: PlayedHand) -> None:
        """Learn what one hand says of those who acted in it."""
        if (known := self.games.get(found.game)) is not None:
            known.learn(found)

    def copy(self) -> Self:
        """A model that knows the same."""
        return self.from_bytes(self.to_bytes(), self.prior)

    def merge(self, other: PopulationModel) -> None:
        """Add what others have learnt.

        Parameters
        ----------
        other : PopulationModel
            Learnt from other hands: what both have learnt counts twice.

        Raises
        ------
        ValueError
            If they have another prior.
        """
        if other.prior.digest != self.prior.digest:
            raise ValueError("what was learnt with another prior cannot be added")
        self.hands += other.hands
        for name, game in self.games.items():
            game.merge(other.games[name])

    def to_bytes(self) -> bytes:
        """All that was learnt, to be kept; `from_bytes` reads it.

        Raises
        ------
        ValueError
            If a player has a name that cannot be kept: with a null character or half a surrogate pair.
        """
        arrays = {f"{name}/{key}": each for name, game in self.games.items() for key, each in game.to_arrays().items()}
        file = io.BytesIO()
        np.savez_compressed(
            file,
            allow_pickle=False,
            format=np.array([self.version, self.hands]),
            prior=np.frombuffer(bytes.fromhex(self.prior.digest), dtype=np.uint8),
            **arrays,
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, prior: Prior | None = None) -> Self:
        """Read what `to_bytes` wrote.

        Parameters
        ----------
        content : bytes
        prior : Prior, optional
            What it was learnt with. Default: that of the package.

        Raises
        ------
        ValueError
            If it is something else, of another version, or was learnt with another prior.
        """
        people = cls() if prior is None else cls(prior)
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                version, hands = arrays["format"].tolist()
                if version != cls.version:
                    raise ValueError(f"its version is {version}, expected {cls.version}")
                if (digest := arrays["prior"].tobytes().hex()) != people.prior.digest:
                    raise ValueError(f"it was learnt with the prior {digest[:12]}, not {people.prior.digest[:12]}")
                for name, game in people.prior.games.items():
                    first = f"{name}/"
                    own = {key.removeprefix(first): arrays[key] for key in arrays if key.startswith(first)}
                    people.games[name] = GamePopulation.from_arrays(game, own)
                people.hands = hands
        except Exception as error:  # numpy, zipfile and zlib have many ways to say it
            raise ValueError(f"this is no knowledge of the adaptive reader: {error}") from None
        return people
