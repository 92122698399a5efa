"""The four betting rounds of Texas hold'em."""

from __future__ import annotations

__all__ = ["BOARD_CARDS", "ROUNDS", "WHEN"]

#: Names of the betting rounds.
ROUNDS = ("pre-flop", "flop", "turn", "river")

#: Cards on the board, by betting round.
BOARD_CARDS = (0, 3, 4, 5)

#: When something happens, for messages, by betting round.
WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
