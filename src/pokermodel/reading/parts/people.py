"""What is learnt of populations and of players, on top of a prior that knows people in general.

Everybody shares the shape of a likelihood: what a holding makes of a situation. Populations and players differ from it
in two ways, each learnt as their hands end, and each in closed form.

- **Effects**: weights u ~ N(0, scale^2 I) of a few directions in which people differ (loose and tight, passive and
  aggressive, bluffing or not, ...), which the prior holds as loadings. Those of a player are added to those of the
  population. A hand moves a belief by one step of Newton's, with the gradient of all that the player did, over what
  they can have held in hindsight, and the information that was to be expected of it.
- **Factors** by context, as of `pokermodel.reading.parts.factors`: ``(done + S)/(expected + S)`` for what no direction
  covers.

A population are games of the same bets. So people of another site or stake shift levels at once, and keep shapes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._arrays import Floats
from pokermodel._checks import check_name
from pokermodel._core.likelihood import (
    EFFECTS,
    LEVELS,
    HoldingClasses,
    factor_offsets,
    factor_update,
    narrow,
)
from pokermodel.cards import holding_index
from pokermodel.game import Act, BettingStructure, Decision, GameSpec, Hand
from pokermodel.reading.features import Features, Replay
from pokermodel.reading.parts.holdings import holding_classes
from pokermodel.reading.parts.observed_hands import possible_holdings
from pokermodel.reading.parts.prior import GamePrior, Prior, default_prior, game_of
from pokermodel.reading.parts.situations import FACTOR_CELLS, BoardFeatures, board_features, situation_table
from pokermodel.reading.parts.sizes import (
    SIZE_CELLS,
    SIZE_CONTEXTS,
    SIZE_HABITS,
    Size,
    SizeRange,
    habit,
    shared,
    size_cell,
    size_context,
    size_habits,
    size_range,
)

__all__ = ["NO_LEVELS", "GamePeople", "People", "PlayedHand", "PlayerActs", "play", "population"]

Rows: TypeAlias = NDArray[np.int16]
Legal: TypeAlias = NDArray[np.float32]

_GRIDS = 4
_NOWHERE = [-1] * _GRIDS
_UPPER = np.triu_indices(EFFECTS)
_SIZE_PLACES = (SIZE_CONTEXTS, SIZE_HABITS)
_SIZE_SHAPES = ((-1, SIZE_CELLS), (-1, 2, SIZE_CELLS))
_SIZE_STRENGTH = 40.0  # observations that everybody's sizes are worth to those of a population


def population(spec: GameSpec) -> str:
    """The population of a game: who plays for the same bets.

    Where bets have sizes, all who play heads-up, or all others: blinds rise in a tournament, and its people stay.
    """
    if spec.structure.fixed:
        return "-".join(map(str, spec.bets))
    return f"{spec.structure}{' heads-up' if spec.players == 2 else ''}"


#: Levels of nobody in particular: people differ by effects alone.
NO_LEVELS = np.zeros((LEVELS, 3))
NO_LEVELS.setflags(write=False)


@dataclass(frozen=True, eq=False, slots=True)
class PlayerActs:
    """What a player did in a hand, each act as a likelihood takes it.

    Attributes
    ----------
    name : str
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
    players : tuple of PlayerActs
        In the order of their first acts.
    live : ndarray of uint8, shape (166,)
        Holdings that those who did not show can have held: 1,326 bits.
    losing : ndarray of uint8, shape (166,), or None
        The same of those who mucked.
    game : {"limit", "no limit"}
    """

    population: str
    board: tuple[int, ...]
    players: tuple[PlayerActs, ...]
    live: NDArray[np.uint8]
    losing: NDArray[np.uint8] | None
    game: str = "limit"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it with each array for all players in one: a tenth of the time, where many are sent."""
        told = [(each.name, each.rounds, each.cells, each.holding, each.mucked, each.sizes) for each in self.players]
        arrays = [
            b"".join([getattr(each, name).tobytes() for each in self.players])
            for name in ("rows", "basis", "legal", "acts")
        ]
        rest = self.live.tobytes(), None if self.losing is None else self.losing.tobytes(), self.game
        return _played_hand, (self.population, self.board, told, arrays, *rest)

    def possible(self, player: PlayerActs) -> Floats:
        """What a player can have held: float64 (1326,), 1 or 0."""
        bits = self.losing if player.mucked and self.losing is not None else self.live
        return np.unpackbits(bits, count=1326).astype(np.float64)

    def classes(self) -> dict[int, HoldingClasses]:
        """Classes of holdings, by rounds that somebody acted in."""
        played = {round for player in self.players for round in player.rounds}
        return {round: holding_classes(self.board[: round + 2 if round else 0]) for round in played}


def _played_hand(
    population: str,
    board: tuple[int, ...],
    told: list[Any],
    arrays: list[bytes],
    live: bytes,
    losing: bytes | None,
    game: str,
) -> PlayedHand:
    """Make a `PlayedHand` of its pickle."""
    n = sum(len(each[1]) for each in told)
    rows, basis, legal, acts = (
        np.ndarray((n, len(content) // (size * n)) if n else (0, 0), kind, bytearray(content))
        for content, kind, size in zip(arrays, ("<i2", "<i2", "<f4", "<i2"), (2, 2, 4, 2), strict=True)
    )
    acts = acts.reshape(n)
    players, first = [], 0
    for name, rounds, cells, holding, mucked, sizes in told:
        own = slice(first, first := first + len(rounds))
        players.append(
            PlayerActs(name, rounds, rows[own], basis[own], cells, legal[own], acts[own], holding, mucked, sizes)
        )
    lost = None if losing is None else np.frombuffer(bytearray(losing), dtype=np.uint8)
    return PlayedHand(population, board, tuple(players), np.frombuffer(bytearray(live), dtype=np.uint8), lost, game)


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
    acts: dict[int, list[tuple[int, Features, BoardFeatures, tuple[float, ...], int]]] = {}
    sizes: dict[int, list[Size]] = {}
    shown: BoardFeatures = board_features(())
    seen: tuple[int, ...] = ()
    for decision, features in zip(replayed, replayed.features, strict=True):
        situation = decision.situation
        if not decision.out_of_turn and decision.act in situation.legal:
            if situation.board != seen:
                seen = situation.board
                shown = board_features(seen)
            done = acts.setdefault(decision.seat, [])
            if decision.act == Act.RAISE and not structure.fixed:
                sizes.setdefault(decision.seat, []).append(_size(len(done), features, decision))
            done.append((situation.round, features, shown, _offered(situation.legal), decision.act))
    if not acts:
        return None
    known, live, losing = possible_holdings(hand)
    if all_cards:
        known = {**hand.holdings, **known}
    rounds, features_of, boards, offered, did = zip(*chain.from_iterable(acts.values()), strict=True)
    # arrays of the whole hand, of which each player has a part
    all_rows, all_basis, all_cells = situation_table(structure).arrays(features_of, boards)
    all_legal, all_acts = np.array(offered, dtype=np.float32), np.array(did, dtype=np.int16)
    players, first = [], 0
    for seat, done in acts.items():
        own = slice(first, first := first + len(done))
        players.append(
            PlayerActs(
                name=hand.players[seat],
                rounds=list(rounds[own]),
                rows=all_rows[own],
                basis=all_basis[own],
                cells=all_cells[own],
                legal=all_legal[own],
                acts=all_acts[own],
                holding=holding_index(known[seat]) if seat in known else -1,
                mucked=seat in hand.mucked,
                sizes=tuple(sizes.get(seat, ())),
            )
        )
    return PlayedHand(
        population=population(hand.spec),
        board=seen,
        players=tuple(players),
        live=np.packbits(live),
        losing=None if losing is None else np.packbits(losing),
        game=game_of(structure),
    )


def _size(place: int, features: Features, decision: Decision) -> Size:
    """A bet or raise."""
    assert decision.to is not None
    situation = decision.situation
    cell = size_cell(situation, decision.to)
    return Size(place, size_context(features), size_range(situation), cell, size_habits(features))


@lru_cache(maxsize=16)
def _offered(legal: tuple[Act, ...]) -> tuple[float, ...]:
    """1 for fold, call and raise if it is legal, else 0."""
    return tuple([float(act in legal) for act in Act])


#: What a hand says in which nobody did anything that was offered.
_NOTHING = PlayedHand("", (), (), np.zeros(166, dtype=np.uint8), None)


@dataclass(eq=False, slots=True)
class _Belief:
    """A Gaussian belief about the effects of a population or a player.

    Attributes
    ----------
    mean : ndarray of float64, shape (16,)
    covariance : ndarray of float64, shape (16, 16)
    """

    mean: Floats
    covariance: Floats

    @classmethod
    def beginning(cls, scale: float) -> Self:
        """Nothing known of somebody."""
        return cls(np.zeros(EFFECTS), np.eye(EFFECTS) * scale**2)

    def add(self, other: _Belief, scale: float) -> None:
        """Add what another one has learnt since the beginning, as information."""
        first, second = np.linalg.inv(self.covariance), np.linalg.inv(other.covariance)
        covariance = np.linalg.inv(first + second - np.eye(EFFECTS) / scale**2)
        self.mean = covariance @ (first @ self.mean + second @ other.mean)
        self.covariance = np.ascontiguousarray((covariance + covariance.T) / 2)


class GamePeople:
    """What is known of populations and players in one game.

    Parameters
    ----------
    prior : GamePrior
        What is known of people in general.
    """

    def __init__(self, prior: GamePrior) -> None:
        self.prior = prior
        self._populations: dict[str, int] = {}
        self._players: dict[str, int] = {}
        self._beliefs: tuple[list[_Belief], list[_Belief]] = ([], [])
        self._places: tuple[dict[int, int], dict[int, int]] = ({}, {})  # rows of the table by number and cell
        self._table: Floats = np.zeros((64, 2, 3))
        self._rows = 0
        # sizes: what populations chose by context, and what players chose by habit beside what was expected
        self._sizes: tuple[dict[int, NDArray[Any]], dict[int, NDArray[Any]]] = ({}, {})

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

    def effects(self, population: str, player: str | None) -> Floats:
        """Effects of a player of a population: float64 (16,), zeros of people who are not known.

        Without a player, of the population alone.
        """
        found = np.zeros(EFFECTS)
        if (number := self._populations.get(population)) is not None:
            found += self._beliefs[0][number].mean
        if player is not None and (number := self._players.get(player)) is not None:
            found += self._beliefs[1][number].mean
        return found

    def offsets(self, population: str, player: str | None, cells: ArrayLike) -> Floats:
        """Logarithms of all factors of a player of a population: float64 (n, 3).

        Parameters
        ----------
        population : str
        player : str or None
            None for the population alone.
        cells : array_like of int, shape (n, 4)
            Those of n situations.
        """
        places: list[int] = []
        for row in np.asarray(cells).tolist():
            places += self._known(0, population, row)
            places += self._known(1, player, row)
        return self._offsets(places)

    def offsets_beside(self, population: str, player: str, cells: Sequence[int]) -> Floats:
        """The same in one situation, of a player and of the population alone: float64 (2, 3)."""
        among = self._known(0, population, cells)
        return self._offsets([*among, *self._known(1, player, cells), *among, *_NOWHERE])

    def _known(self, tier: int, name: str | None, cells: Sequence[int]) -> list[int]:
        """Rows of the table that somebody's factors are in, -1 where there is none."""
        if name is None or (number := (self._players if tier else self._populations).get(name)) is None:
            return _NOWHERE
        known, first = self._places[tier], number * FACTOR_CELLS
        return [known.get(first + cell, -1) for cell in cells]

    def _offsets(self, places: list[int]) -> Floats:
        rows = np.array(places, dtype=np.int32).reshape(-1, 2 * _GRIDS)
        offsets = np.empty((len(rows), 3))
        factor_offsets(self._table, self.prior.strengths, rows, offsets)
        return offsets

    def _make(self, numbers: tuple[int, int], cells: Sequence[Sequence[int]]) -> NDArray[np.int32]:
        """Rows of factors in the table, new ones where there are none: int32 (n, 8)."""
        rows: list[int] = []
        tiers = [(known, number * FACTOR_CELLS) for known, number in zip(self._places, numbers, strict=True)]
        for row in cells:
            for known, first in tiers:
                for cell in row:
                    place = known.setdefault(first + cell, self._rows)
                    if place == self._rows:
                        self._rows += 1
                    rows.append(place)
        if self._rows > len(self._table):
            more = np.zeros((max(self._rows - len(self._table), len(self._table)), 2, 3))
            self._table = np.concatenate([self._table, more])
        return np.array(rows, dtype=np.int32).reshape(len(cells), 2 * _GRIDS)

    def _number(self, tier: int, name: str) -> int:
        numbers = self._players if tier else self._populations
        number = numbers.setdefault(name, len(numbers))
        if number == len(self._beliefs[tier]):
            self._beliefs[tier].append(_Belief.beginning(self._scales[tier]))
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
        forecast = self._population_sizes(self._populations.get(population), rows, context, room)
        number = None if player is None else self._players.get(player)
        if number is not None:
            for cell in habits:
                told = self._sizes[1].get(number * SIZE_HABITS + cell)
                if told is not None:
                    forecast = habit(forecast, told)
        return forecast

    def _population_sizes(
        self, number: int | None, rows: Sequence[int] | NDArray[np.int16], context: int, room: SizeRange
    ) -> Floats:
        assert self.prior.sizes is not None
        forecast = self.prior.sizes.forecast(rows, room)
        counts = None if number is None else self._sizes[0].get(number * SIZE_CONTEXTS + context)
        if counts is not None:
            counts = counts * room.mask()
            forecast = (counts + _SIZE_STRENGTH * forecast) / (counts.sum() + _SIZE_STRENGTH)
        return forecast

    # --------------------------------------------------------------------------------------------- learning

    def learn(self, found: PlayedHand) -> None:
        """Learn what one hand says of those who acted in it."""
        classes = found.classes()
        for acts in found.players:
            self._learn(found, acts, classes)

    def _learn(self, found: PlayedHand, acts: PlayerActs, classes: Mapping[int, HoldingClasses]) -> None:
        numbers = self._number(0, found.population), self._number(1, acts.name)
        beliefs = self._beliefs[0][numbers[0]], self._beliefs[1][numbers[1]]
        places = self._make(numbers, acts.cells.tolist())
        n = len(acts.acts)
        offsets, forecasts = np.empty((2, n, 3))
        gradient, directions = np.zeros(EFFECTS), np.empty((n, 3, EFFECTS))
        table, strengths = self._table, self.prior.strengths
        factor_offsets(table, strengths, places, offsets)
        self.prior.likelihood.follow(
            acts.rows,
            acts.basis,
            NO_LEVELS,
            beliefs[0].mean + beliefs[1].mean,
            offsets,
            acts.legal,
            acts.acts,
            [classes[round] for round in acts.rounds],
            found.possible(acts),
            acts.holding,
            forecasts,
            gradient,
            directions,
        )
        factor_update(table, strengths, places, acts.acts, acts.legal, forecasts, offsets)
        for each in beliefs:
            narrow(each.mean, each.covariance, gradient, directions, forecasts)
        if acts.sizes:
            self.learn_sizes(found.population, acts)

    def learn_sizes(self, population: str, acts: PlayerActs) -> None:
        """Learn the sizes of a player's bets and raises."""
        numbers = self._number(0, population), self._number(1, acts.name)
        for size in acts.sizes:
            chosen = np.zeros(SIZE_CELLS)
            chosen[size.cell] = 1.0
            chosen = shared(chosen)
            forecast = self._population_sizes(numbers[0], acts.rows[size.act], size.context, size.range)
            for cell in size.habits:  # each against what those before it expect
                told = self._sizes[1].setdefault(numbers[1] * SIZE_HABITS + cell, np.zeros((2, SIZE_CELLS), np.float32))
                told += (chosen, forecast)
                forecast = habit(forecast, told)
            key = numbers[0] * SIZE_CONTEXTS + size.context
            self._sizes[0][key] = self._sizes[0].get(key, 0.0) + chosen

    # -------------------------------------------------------------------------------------------- all of it

    def merge(self, other: GamePeople) -> None:
        """Add what others have learnt of the same game with the same prior."""
        for tier, names in enumerate((other._populations, other._players)):
            ours = [self._number(tier, name) for name in names]
            for number, theirs in zip(ours, other._beliefs[tier], strict=True):
                self._beliefs[tier][number].add(theirs, self._scales[tier])
            for key, place in other._places[tier].items():
                number, cell = divmod(key, FACTOR_CELLS)
                at = self._place(tier, ours[number] * FACTOR_CELLS + cell)
                self._table[at] += other._table[place]
            for key, counts in other._sizes[tier].items():
                number, cell = divmod(key, _SIZE_PLACES[tier])
                at = ours[number] * _SIZE_PLACES[tier] + cell
                self._sizes[tier][at] = self._sizes[tier].get(at, np.zeros_like(counts)) + counts

    def _place(self, tier: int, key: int) -> int:
        place = self._places[tier].get(key)
        if place is None:
            place = self._places[tier][key] = self._rows
            self._rows += 1
            if self._rows > len(self._table):
                self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        return place

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt, by name.

        Raises
        ------
        ValueError
            If a player has a name that cannot be kept: with a null character or half a surrogate pair.
        """
        arrays: dict[str, NDArray[Any]] = {}
        for tier, names in enumerate((self._populations, self._players)):
            for name in names:
                check_name(name)
            kept = self._beliefs[tier]
            arrays[f"names{tier}"] = np.frombuffer("\0".join(names).encode(), dtype=np.uint8)
            arrays[f"means{tier}"] = np.array([each.mean for each in kept]).reshape(-1, EFFECTS)
            arrays[f"covariances{tier}"] = np.array([each.covariance[_UPPER] for each in kept]).reshape(
                -1, len(_UPPER[0])
            )
            arrays[f"keys{tier}"] = np.array(list(self._places[tier]), dtype=np.int64)
            arrays[f"table{tier}"] = self._table[list(self._places[tier].values())]
            if self.prior.sizes is not None:
                arrays[f"size_keys{tier}"] = np.array(list(self._sizes[tier]), dtype=np.int64)
                arrays[f"sizes{tier}"] = np.array(list(self._sizes[tier].values())).reshape(*_SIZE_SHAPES[tier])
        return arrays

    @classmethod
    def from_arrays(cls, prior: GamePrior, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Read what `to_arrays` gave."""
        people = cls(prior)
        for tier in (0, 1):
            names = arrays[f"names{tier}"].tobytes().decode()
            means, halves = arrays[f"means{tier}"], arrays[f"covariances{tier}"]
            for name in names.split("\0") if len(means) else ():
                number = people._number(tier, name)
                belief = people._beliefs[tier][number]
                belief.mean[...] = means[number]
                belief.covariance[_UPPER] = belief.covariance.T[_UPPER] = halves[number]
            counts = arrays[f"table{tier}"]
            for key, row in zip(arrays[f"keys{tier}"].tolist(), counts, strict=True):
                place = people._place(tier, key)  # before the table is looked up: it may grow
                people._table[place] = row
            if prior.sizes is not None:
                for key, row in zip(arrays[f"size_keys{tier}"].tolist(), arrays[f"sizes{tier}"], strict=True):
                    people._sizes[tier][key] = row.copy()
        return people


class People:
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
    games : dict of str to GamePeople
        What was learnt of the games that the prior knows.

    Notes
    -----
    `merge` adds what hands said of effects as information. Learning the same hands one after the other gives something
    near to it, since each hand is then judged by what those before it taught.

    Examples
    --------
    >>> import pokermodel as pm
    >>> people = People()
    >>> people.update([People.evidence(pm.example_hand())])
    >>> people
    <People of hands: 1, populations: 1, players: 6>
    """

    #: The name of this kind of knowledge in a book, and the version of `to_bytes`.
    kind: ClassVar[str] = "adaptive"
    version: ClassVar[int] = 2
    #: Structures of the hands that it is learnt from.
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)

    _prior: ClassVar[Prior | None] = None

    def __init__(self, prior: Prior | None = None) -> None:
        self.prior = prior or self._prior or default_prior()
        self.hands = 0
        self.games = {name: GamePeople(game) for name, game in self.prior.games.items()}

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

    def of(self, structure: BettingStructure) -> GamePeople:
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
        """People that know the same."""
        return self.from_bytes(self.to_bytes(), self.prior)

    def merge(self, other: People) -> None:
        """Add what others have learnt.

        Parameters
        ----------
        other : People
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
                    people.games[name] = GamePeople.from_arrays(game, own)
                people.hands = hands
        except Exception as error:  # numpy, zipfile and zlib have many ways to say it
            raise ValueError(f"this is no knowledge of the adaptive reader: {error}") from None
        return people
