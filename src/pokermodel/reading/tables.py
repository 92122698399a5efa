"""The weight tables of one hand: its players, their possible holdings, and the dead cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pokermodel._core.corrections import live_weights
from pokermodel._support.arrays import Bools, Floats
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices, cards_text, holding_index, shared_live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.boards import shared_analysis

__all__ = ["UNIFORM", "HandTables"]

#: A table before any act. Weights are replaced, never written to, so that all who know nothing share it.
UNIFORM: Floats = np.ones(N_HOLDINGS)
UNIFORM.setflags(write=False)


class HandTables:
    """A weight for each of the 1,326 holdings of every player of a hand.

    The session updates the tables with a reader's results. Arrays are replaced and never written to, and so is their
    tuple `weights`. So results from all tables can be cached in `memo`, which is a new dictionary whenever a table
    changes. Raises `ValueError` if two players have the same name.

    Parameters
    ----------
    players : tuple of str
        Names by seat.
    hero : str, optional
        The player whose cards may become known by `hold`.
    public : bool
        Whether these cards stay possible in the tables of the others.

    Attributes
    ----------
    weights : tuple of ndarray of float64, each of shape (1326,)
        By seat, before any correction. A folded player keeps the last table, which does not exclude later board cards.
    analysis : BoardAnalysis or None
        The analysis of the board; None before the flop.
    own_cards : tuple of int
        The hero's, where they are known.
    hidden : (str or None, tuple of int)
        The hero, and their cards that the tables of the others exclude.
    streets : dict of int to tuple of ndarray
        By number of board cards, `weights` at the beginning of each street for an observer without any cards. If the
        hero's cards are excluded, `pokermodel.reading.street` adds them on demand.
    """

    __slots__ = (
        *("active", "analysis", "board", "hero", "hidden", "memo", "own_cards", "players", "public", "streets"),
        "weights",
    )

    def __init__(self, players: tuple[str, ...] = (), hero: str | None = None, *, public: bool = True) -> None:
        if len(set(players)) != len(players):
            raise ValueError(f"players must have different names, got {', '.join(players)}")
        self.players, self.hero, self.public = players, hero, public
        self.weights: tuple[Floats, ...] = (UNIFORM,) * len(players)
        self.board: tuple[int, ...] = ()
        self.analysis: BoardAnalysis | None = None
        self.own_cards: tuple[int, ...] = ()
        self.hidden: tuple[str | None, tuple[int, ...]] = (hero, ())
        self.active: tuple[int, ...] = tuple(range(len(players)))
        self.memo: dict[Any, Any] = {}
        self.streets: dict[int, tuple[Floats, ...]] = {}

    def __getstate__(self) -> tuple[Any, ...]:
        # NumPy makes every array that it copies or unpickles writeable
        fixed = [not weights.flags.writeable for weights in self.weights]
        return self.players, self.hero, self.public, self.weights, fixed, self.board, self.own_cards, self.active

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.players, self.hero, self.public, self.weights, fixed, self.board, self.own_cards, self.active = state
        for weights, kept in zip(self.weights, fixed, strict=True):
            if kept:
                weights.setflags(write=False)
        self.analysis = shared_analysis(self.board) if self.board else None  # large, and the same for everybody
        self.hidden = (self.hero, () if self.public else self.own_cards)
        self.memo, self.streets = {}, {}

    def seat(self, player: str | int) -> int:
        """The seat of a player, given by name or seat; `ValueError` if there is none."""
        if isinstance(player, str):
            if player not in self.players:
                raise ValueError(f"unknown player {player!r}: the hand has {', '.join(self.players) or 'nobody yet'}")
            return self.players.index(player)
        if not 0 <= player < len(self.players):
            raise ValueError(f"seat {player} is out of range: the hand has {len(self.players)} players")
        return player

    # ------------------------------------------------------------------------------------------ what is possible

    def dead(self, seat: int) -> tuple[int, ...]:
        """Cards that a player's table rules out: the board's, and the hero's unless tables are public."""
        if self.public or not self.own_cards or self.players[seat] == self.hero:
            return self.board
        return self.board + self.own_cards

    def live(self, seat: int) -> Bools:
        """Holdings that a player's table leaves possible: bool (1326,). Do not write to it."""
        return shared_live_holdings(self.dead(seat))

    def opponents(self, seat: int) -> list[Floats]:
        """Weights of a player's opponents that have not folded."""
        weights = self.weights
        return [weights[other] for other in self.active if other != seat]

    # ------------------------------------------------------------------------------------------ what happens

    def begin(self, prior: Callable[[str], Floats | None]) -> None:
        """Put in what is known of players before any act: for each name weights, or None for a uniform table."""
        found = [prior(name) for name in self.players]
        self._replace(tuple([UNIFORM if weights is None else weights for weights in found]))

    def hold(self, holding: CardsLike, *, begun: bool = False) -> None:
        """See the hero's two cards.

        `ValueError` if it is not two cards, no hero is in the hand, somebody has acted (`begun`), or the board has been
        seen.
        """
        cards = card_indices(holding)
        holding_index(cards)
        if self.hero is None:
            raise ValueError("the session has no hero who could hold cards: expected OpponentModeler(hero=NAME)")
        if not self.players:
            raise ValueError("there is no hand to hold cards in: expected start(players) before hold(holding)")
        if self.hero not in self.players:
            raise ValueError(f"the hero {self.hero!r} is not in the hand: its players are {', '.join(self.players)}")
        if begun or self.board:
            raise ValueError("the hero's cards have to be seen before the first action of the hand")
        self.own_cards = cards
        self.hidden = (self.hero, () if self.public else cards)
        held: dict[tuple[int, tuple[int, ...]], Floats] = {}  # as in `deal`: those of whom nothing is known share one
        weights = []
        for seat, before in enumerate(self.weights):
            key = id(before), self.dead(seat)
            found = held.get(key)
            if found is None:
                found = held[key] = _without(before, self.live(seat))
            weights.append(found)
        self._replace(tuple(weights))

    def deal(self, board: CardsLike) -> bool:
        """See the board of a new round: holdings that it rules out lose their weight. Whether a card was new.

        `ValueError` if it is not a board, does not begin with the cards seen before, or has one of the hero's cards.
        """
        if type(board) is tuple and board == self.board:
            return False
        analysis = shared_analysis(board) if board else None
        cards = analysis.board if analysis else ()
        if cards[: len(self.board)] != self.board:
            raise ValueError(f"board {cards_text(cards)!r} does not continue {cards_text(self.board)!r}")
        if cards == self.board:
            return False
        if set(cards) & set(self.own_cards):
            raise ValueError(f"board {cards_text(cards)!r} has a card of the hero's {cards_text(self.own_cards)!r}")
        self.board, self.analysis = cards, analysis
        live = shared_live_holdings(cards)
        weights = list(self.weights)
        dealt: dict[int, Floats] = {}  # by what they were before: players of whom nothing is known share a table
        for seat in self.active:
            before = weights[seat]
            found = dealt.get(id(before))
            if found is None:
                found = dealt[id(before)] = _without(before, live)
            weights[seat] = found
        self._replace(tuple(weights))
        if not self.hidden[1]:
            self.streets[len(cards)] = self.weights
        return True

    def put(self, seat: int, weights: Floats) -> None:
        """Put other weights in the place of a player's."""
        before = self.weights
        self._replace((*before[:seat], weights, *before[seat + 1 :]))

    def fold(self, seat: int) -> None:
        """Remove a player who folds."""
        self.active = tuple([other for other in self.active if other != seat])
        self.memo = {}

    def _replace(self, weights: tuple[Floats, ...]) -> None:
        self.weights = weights
        self.memo = {}


def _without(weights: Floats, live: Bools) -> Floats:
    """Weights of the holdings that are possible, 0 for the others."""
    found = np.empty(N_HOLDINGS)
    live_weights(np.ascontiguousarray(weights, dtype=np.float64), live.view(np.uint8), found)
    return found
