"""The evidence of a finished hand on the players who acted: each player's acts, as a likelihood takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import population as kernels
from pokermodel._core.likelihood import PLACE, HoldingClasses
from pokermodel._support.arrays import Floats, Packed, packed, unpacked
from pokermodel.cards import holding_index
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.adaptive.holdings import holding_classes
from pokermodel.reading.adaptive.kinds import NO_LABELS, TableLabels, labels_of
from pokermodel.reading.adaptive.names import known_as, population
from pokermodel.reading.adaptive.prior import game_of
from pokermodel.reading.adaptive.situations import FACTOR_FIRST, situation_table
from pokermodel.reading.adaptive.sizes import Size, size_cell, size_context, size_habits, size_range
from pokermodel.reading.features import Features, Replay

__all__ = ["NOTHING", "PlayedHand", "PlayerActs", "play"]

Rows: TypeAlias = NDArray[np.int16]
Legal: TypeAlias = NDArray[np.float32]

_GRIDS = 4


@dataclass(frozen=True, eq=False, slots=True)
class PlayerActs:
    """A player's n actions in a hand in the form of a likelihood: arrays as those of `PlayedHand`.

    `holding` is the holding they showed, or -1. `mucked` is true if they lost at the showdown without showing. `sizes`
    are the sizes of their bets and raises, if bets have sizes.
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
    """The evidence of a finished hand on the players who acted.

    Attributes
    ----------
    names : tuple of str
        Of the players, as `known_as`, in the order of their first acts.
    counts : ndarray of int32, shape (players,)
        How many acts each has. In the arrays of acts, those of a player stand one after the other.
    holdings : ndarray of int32, shape (players,)
        The holding that each showed; -1 without.
    mucked : ndarray of uint8, shape (players,)
        Whether each lost at the showdown without showing.
    sizes : tuple of tuple of Size
        Of the bets and raises of each, where these have sizes.
    rounds, acts : ndarray, shape (n,)
        The round of each act, and the act.
    rows, basis, cells : ndarray of int16, shape (n, features), (n, 5) and (n, 4)
        Its situation, as `SituationRows` has it; the cells are those of factors.
    legal : ndarray of float32, shape (n, 3)
        1 for the acts that were offered, else 0.
    live, losing : ndarray of uint8, shape (166,)
        Holdings that those who did not show, and those who mucked, can have held: 1,326 bits. `losing` may be None.
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
            basis=joined([each.basis for each in players], np.int16, PLACE),
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
        """The range of a player: float64 (1326,), 1 or 0."""
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
    """Collect the evidence of a finished hand; None if it has no legal action.

    Only holdings of players who came to the showdown and did not muck are seen, unless `all_cards` is set. `ValueError`
    if the hand breaks the rules.
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


#: Evidence of a hand without a legal action.
NOTHING = PlayedHand.of("", (), (), np.zeros(166, dtype=np.uint8))
