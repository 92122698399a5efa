"""What is taken for granted of everybody before the flop, at tables of any size.

Hands say little about it, because the cards of most folds are unknown. They say nothing about tables of other sizes and
stacks, where an unguided network would be right or wrong by chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import card_indices, holding_index
from pokermodel.game import Act, BettingStructure, GameSpec, LiveHand
from pokermodel.reading.adaptive.situations import board_features, situation_table
from pokermodel.reading.features import BettingHistory, Features

__all__ = ["Granted", "first_hand", "granted"]

_SEATS, _DEPTHS = range(2, 11), (20, 50, 100, 200)
_PAIRS = tuple(holding_index(card_indices(f"{rank}c{rank}d")) for rank in "TJQKA")
_TRASH = tuple(holding_index(card_indices(cards)) for cards in ("7c2d", "8c2d", "8c3d", "9c2d", "3c2d"))


class Granted(NamedTuple):
    """A situation before the flop, and what nobody does in it with some holdings."""

    rows: NDArray[np.int16]
    basis: NDArray[np.int16]
    legal: NDArray[np.float32]
    holdings: tuple[int, ...]
    never: int


def granted(structure: BettingStructure) -> list[Granted]:
    """List what is taken for granted: good pairs do not fold to the first raise.

    And the worst hands do not raise when they are first to act of three or more.
    """
    found = []
    table = situation_table(structure)
    for players in _SEATS:
        for depth in (None,) if structure.fixed else _DEPTHS:
            for opener in range(players):
                spec = first_hand(structure, players, depth)
                hand = LiveHand(spec, [f"player {k}" for k in range(players)])
                history = BettingHistory(players)
                for place in range(players + opener):
                    if hand.state.over or hand.state.round:
                        break
                    situation = hand.situation()
                    rows, basis, _ = table.arrays([history.describe(Features, situation)], [board_features(())])
                    legal = np.array([[act in situation.legal for act in Act]], dtype=np.float32)
                    if Act.FOLD in situation.legal and (opener == 0 or place >= opener):
                        found.append(Granted(rows, basis, legal, _PAIRS, Act.FOLD))
                    if place == opener == 0 and players > 2:
                        found.append(Granted(rows, basis, legal, _TRASH, Act.RAISE))
                    if place == opener:
                        to = None if structure.fixed else 3 * spec.small_bet
                        history.add(hand.act(Act.RAISE, to))
                    else:
                        history.add(hand.act(Act.FOLD))
    return found


def first_hand(structure: BettingStructure, players: int, depth: int | None) -> GameSpec:
    """A table of which everybody has so many big blinds, None if that is not known."""
    blinds = (50, 100) if players > 2 else (100, 50)
    small, first = 100, 2 % players if players > 2 else 1
    return GameSpec(
        blinds=blinds + (0,) * (players - 2),
        bets=(small, small, 2 * small, 2 * small) if structure.fixed else (small,) * 4,
        first=(first, 0, 0, 0),
        structure=structure,
        stacks=() if depth is None else (small * depth,) * players,
    )
