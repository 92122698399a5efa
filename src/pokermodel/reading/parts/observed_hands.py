"""What a finished hand of hold'em says of the players who acted in it, for tables by class of holding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._arrays import Bools, Floats, Integers, Packed, packed, unpacked
from pokermodel._core import class_tables as kernels
from pokermodel._core import situations
from pokermodel.cards import HOLDING_CARDS, N_HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation import evaluate, evaluate_many
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.features import Features, Replay
from pokermodel.reading.parts.hidden_hands import HiddenHand, group_candidates
from pokermodel.reading.parts.strength_classes import PREFLOP_CLASSES, strength_classes

__all__ = ["NOTHING", "ObservedHand", "Possible", "cells", "hidden_hands", "observe_hand", "possible_holdings"]


def cells(features: Features) -> tuple[int, ...]:
    """The situation, and the contexts of it that corrections go by: five numbers.

    The contexts are the situation with the previous act; with players and who led; with the price and the bets made;
    and with the position, the acts and what was put in. They were chosen for the IRC database's April 1995.
    """
    return situations.cells(features)


@dataclass(frozen=True, eq=False, slots=True)
class ObservedHand:
    """What a finished hand says of those who acted in it.

    Attributes
    ----------
    names : tuple of str
        Of the players who acted.
    actors : ndarray of intp, shape (actions,)
        Who did it, as an index of `names`.
    rounds, acts : ndarray of intp, shape (actions,)
    cells : ndarray of intp, shape (actions, 5)
        As `cells`.
    legal : ndarray of float64, shape (actions, 3)
        1 for acts that were offered, else 0. Other actions are not in here.
    classes : ndarray of uint8, shape (candidates, rounds)
        For everything that somebody whose cards were never seen can have held, its classes round by round.
        Holdings of the same classes are one candidate.
    mass : ndarray of float64, shape (players who acted, candidates) or (1, candidates)
        How many holdings each candidate is: by player, if they differ.
    shown : ndarray of intp, shape (players who acted, rounds)
        The classes of those whose cards were seen; -1 of the others.
    """

    names: tuple[str, ...]
    actors: Integers
    rounds: Integers
    acts: Integers
    cells: Integers
    legal: Floats
    classes: NDArray[np.uint8]
    mass: Floats
    shown: Integers

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as bytes of arrays: a tenth of the time, where many are sent."""
        arrays = self.actors, self.rounds, self.acts, self.cells, self.legal, self.classes, self.mass, self.shown
        return _observed_hand, (self.names, *[packed(each) for each in arrays])


def _observed_hand(names: tuple[str, ...], *arrays: Packed) -> ObservedHand:
    """Make an `ObservedHand` of its pickle."""
    return ObservedHand(names, *map(unpacked, arrays))


class Possible(NamedTuple):
    """What those whose cards were never seen can have held, by all that is known when a hand is over.

    Attributes
    ----------
    known : mapping of int to tuple of int
        Holdings that were seen, by seat.
    live : ndarray of bool, shape (1326,)
        Holdings without a card that was seen.
    losing : ndarray of bool, shape (1326,), or None
        Those of them that lose to a holding that was shown: what somebody who mucked can have held. None where nothing
        follows.
    """

    known: Mapping[int, tuple[int, ...]]
    live: Bools
    losing: Bools | None


def possible_holdings(hand: Hand, own: int | None = None) -> Possible:
    """What players can have held in a finished hand; `own` is a seat whose cards are known whether shown or not."""
    known = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    compared = list(known.values())
    if own is not None:
        known[own] = hand.holdings[own]
    live = live_holdings(hand.board + tuple(card for holding in known.values() for card in holding))
    losing = None
    if hand.mucked and compared and len(hand.board) == 5:
        best = max(evaluate(hand.board + holding) for holding in compared)
        candidates = np.flatnonzero(live)
        loses = np.zeros(N_HOLDINGS, dtype=np.bool_)
        loses[candidates] = _ranks(hand.board, candidates) < best
        losing = loses if loses.any() else None
    return Possible(known, live, losing)


def observe_hand(
    hand: Hand, decisions: Iterable[Decision] | None = None, *, own: int | None = None
) -> ObservedHand | None:
    """Gather what a finished hand says.

    Parameters
    ----------
    hand : Hand
        Holdings that it knows of players who came to the showdown, and did not muck, are seen; others are not
        looked at.
    decisions : iterable of Decision, optional
        Its replay, if there is one already.
    own : int, optional
        A seat whose cards are known whether shown or not: the observer's.

    Returns
    -------
    ObservedHand or None
        None if nobody did anything that was offered.

    Raises
    ------
    ValueError
        If the hand breaks the rules, or the game is not limit.
    """
    hand.spec.require_limit("learning what players do with which holdings")
    replayed = Replay.of(hand, decisions)
    places: dict[int, int] = {}
    boards: dict[int, tuple[int, ...]] = {}
    rows: list[tuple[int, ...]] = []
    for decision, features in zip(replayed, replayed.features, strict=True):
        situation = decision.situation
        if not decision.out_of_turn and decision.act in situation.legal:
            actor = places.setdefault(situation.seat, len(places))
            rows.append((actor, situation.round, int(decision.act), *_offered(situation.legal), *cells(features)))
            boards.setdefault(situation.round, situation.board)
    if not rows:
        return None
    columns = np.array(rows, dtype=np.intp).T
    last = max(boards)
    known, live, losing = possible_holdings(hand, own)
    by_round = np.array(
        [
            strength_classes(shared_analysis(boards[round]) if round else None) if round in boards else PREFLOP_CLASSES
            for round in range(last + 1)
        ]
    )
    seats = list(places)
    classes, counts = np.empty((N_HOLDINGS, last + 1), dtype=np.uint8), np.empty((2, N_HOLDINGS))
    lost = None if losing is None else losing.view(np.uint8)
    n = kernels.candidates(by_round, live.view(np.uint8), lost, classes, counts)
    losers = [places[seat] for seat in seats if seat in hand.mucked] if losing is not None else []
    masses = np.repeat(counts[:1, :n], len(seats) if losers else 1, axis=0)
    masses[losers] = counts[1, :n]
    shown = np.full((len(seats), last + 1), -1, dtype=np.intp)
    for seat, holding in known.items():
        if seat in places:
            shown[places[seat]] = by_round[:, holding_index(holding)]
    return ObservedHand(
        names=tuple(hand.players[seat] for seat in seats),
        actors=columns[0].copy(),
        rounds=columns[1].copy(),
        acts=columns[2].copy(),
        cells=columns[6:].T.copy(),
        legal=columns[3:6].T.astype(np.float64, order="C"),
        classes=classes[:n].copy(),
        mass=masses,
        shown=shown,
    )


@lru_cache(maxsize=16)
def _offered(legal: tuple[Act, ...]) -> tuple[bool, ...]:
    """Whether fold, call and raise are legal."""
    return tuple([act in legal for act in Act])


def hidden_hands(found: ObservedHand) -> dict[str, HiddenHand]:
    """What a hand says of each player, as the estimators of `pokermodel.reading.parts.estimators` take it.

    They learn one table P(act | class, situation) for the player, with the twelve situations of `default_table` and
    without factors, as of a player who is observed alone and for long.

    Returns
    -------
    dict of str to HiddenHand
        By player. Their `HiddenHand.survival` is left to who knows it.
    """
    hidden = {}
    for player, name in enumerate(found.names):
        actions = np.flatnonzero(found.actors == player)
        rounds = found.rounds[actions]
        classes = found.classes[:, rounds].astype(np.intp)
        mass = found.mass[min(player, len(found.mass) - 1)]
        shown = None
        if found.shown[player, 0] >= 0:
            classes = np.concatenate([classes, found.shown[player, rounds][None]])
            mass, shown = np.append(mass, 1.0), len(mass)
        grouped, prior, held = group_candidates(classes, mass, shown)
        hidden[name] = HiddenHand(found.cells[actions, 0], found.acts[actions], grouped, prior, held)
    return hidden


#: What a hand says in which nobody did anything that was offered.
NOTHING = ObservedHand(
    names=(),
    actors=np.empty(0, dtype=np.intp),
    rounds=np.empty(0, dtype=np.intp),
    acts=np.empty(0, dtype=np.intp),
    cells=np.empty((0, 5), dtype=np.intp),
    legal=np.empty((0, 3)),
    classes=np.empty((0, 1), dtype=np.uint8),
    mass=np.empty((1, 0)),
    shown=np.empty((0, 1), dtype=np.intp),
)


def _ranks(board: Sequence[int], candidates: Integers) -> NDArray[np.uint16]:
    """Ranks of holdings on a whole board."""
    cards = np.empty((len(candidates), 7), dtype=np.uint8)
    cards[:, :2] = HOLDING_CARDS[candidates]
    cards[:, 2:] = board
    return evaluate_many(cards)
