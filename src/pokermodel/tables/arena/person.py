"""A chair for a person: a table where they play hand after hand against players of the package.

A user interface gives a `Person` its callbacks: one that asks for an action, and others that receive all events. The
rest is in `play_hand`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from pokermodel.game import BOARD_CARDS, Action, Decision, GameSpec, Hand, State
from pokermodel.tables.arena.hand import PlayerFailed, TableHand, deal_cards, play_hand
from pokermodel.tables.players.common import CommonKnowledge
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View

__all__ = ["Left", "Person", "PersonTable"]

_CARDS, _PLAYERS, _WARM_CARDS, _WARM_PLAYERS = range(4)  # streams of the seed


class Left(Exception):  # noqa: N818  # no error: they may leave whenever they like
    """The person leaves the table."""


def _nothing(_: Any) -> None:
    """Take no note."""


class Person(Player):
    """A human player at a table.

    Parameters
    ----------
    ask : callable
        Given the `View` of a decision, returns the person's `Answer`, or raises `Left`.
    begun, saw, ended : callable, optional
        Called with the `HandStart`, each `Decision` including the person's own, and the `HandEnd`.
    """

    structures = ALL_STRUCTURES

    def __init__(
        self,
        ask: Callable[[View], Answer],
        *,
        begun: Callable[[HandStart], None] = _nothing,
        saw: Callable[[Decision], None] = _nothing,
        ended: Callable[[HandEnd], None] = _nothing,
    ) -> None:
        self._ask = ask
        self._begun = begun
        self._saw = saw
        self._ended = ended

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._begun(start)

    def act(self, view: View) -> Answer:  # noqa: D102
        return self._ask(view)

    def observe(self, decision: Decision) -> None:  # noqa: D102
        self._saw(decision)

    def end(self, end: HandEnd) -> None:  # noqa: D102
        self._ended(end)


class PersonTable:
    """A table with one person and players of the package.

    Every hand begins with the stacks of the game, as in matches of programs, so all hands are alike; results add up in
    `won`. The button moves on after each hand.

    Parameters
    ----------
    spec : GameSpec
        The game.
    person : Person
        The person.
    opponents : mapping of str to Player
        The others by name, in the order of their seats after the person's.
    name : str
        The person's name.
    seed : int
        Seed of cards and players. If the person acts the same, the same seed makes the same hands.
    book : Book or mapping of str to ActionCounts, optional
        The opponents' knowledge of all players before.

    Raises
    ------
    ValueError
        If the number of players does not fit the game, or two have the same name.

    Attributes
    ----------
    spec, seed
        As given.
    names : tuple of str
        Names of the person, who comes first, and of the opponents.
    played : int
        Hands that were played to their end.
    won : dict of str to float
        Chips that each has won in them, or lost.
    """

    def __init__(
        self,
        spec: GameSpec,
        person: Person,
        opponents: Mapping[str, Player],
        *,
        name: str = "You",
        seed: int = 0,
        book: Mapping[str, Any] | None = None,
    ) -> None:
        self.names = (name, *opponents)
        if len(self.names) != spec.players or name in opponents or not name:
            raise ValueError(f"a game of {spec.players} needs as many players with different names, got {self.names}")
        self.spec = spec
        self.seed = seed
        self.played = 0
        self.won = dict.fromkeys(self.names, 0.0)
        self._players: tuple[Player, ...] = (person, *opponents.values())
        self._common = CommonKnowledge(book)
        self._warmed = 0

    def _play(self, spec: GameSpec, who: Sequence[int], number: int, cards: int, players: int) -> TableHand:
        """Play a hand between some of the players, in the order of their seats."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(cards, number)))
        return play_hand(
            spec,
            [self.names[each] for each in who],
            [self._players[each] for each in who],
            deal_cards(len(who), rng),
            source="pokermodel",
            hand_id=f"{'warm-up ' if cards == _WARM_CARDS else ''}{number + 1}",
            entropy=self.seed,
            streams=[(players, number, each) for each in who],
            common=self._common,
        )

    def warm_up(self, spec: GameSpec, hands: int) -> list[TableHand]:
        """Let the opponents play among themselves: those who learn get to know this table.

        Parameters
        ----------
        spec : GameSpec
            The game, without the person's seat.
        hands : int
            How many.

        Returns
        -------
        list of TableHand
            They do not count in `played` and `won`.

        Raises
        ------
        ValueError
            If the game is one of another number of players.
        PlayerFailed
            As `play_hand`.
        """
        others = len(self.names) - 1
        if spec.players != others:
            raise ValueError(f"{others} opponents warm up in a game of as many, got one of {spec.players}")
        done = []
        for number in range(self._warmed, self._warmed + hands):
            who = [1 + (seat + number) % others for seat in range(others)]
            done.append(self._play(spec, who, number, _WARM_CARDS, _WARM_PLAYERS))
        self._warmed += hands
        return done

    def play(self) -> TableHand:
        """Play the next hand.

        Raises
        ------
        Left
            If the person left. The hand is not counted; the next call plays the same one again.
        PlayerFailed
            As `play_hand`.
        """
        players = len(self.names)
        who = [(seat + self.played) % players for seat in range(players)]
        try:
            hand = self._play(self.spec, who, self.played, _CARDS, _PLAYERS)
        except PlayerFailed as failed:
            if isinstance(failed.__cause__, Left):
                raise failed.__cause__ from None
            raise
        self.played += 1
        for name, payoff in zip(hand.players, hand.payoffs, strict=True):
            self.won[name] += payoff
        return hand

    def as_seen(self, hand: TableHand, hand_id: str | None = None, time: datetime | None = None) -> Hand:
        """A hand as the person saw it: with their own cards, and those that were shown.

        Parameters
        ----------
        hand : TableHand
            The hand.
        hand_id : str, optional
            Default: that of the hand.
        time : datetime, optional
            When it was played.
        """
        state = State(hand.spec)
        for decision in hand.decisions:
            state.act(decision.act, decision.to)
        known = {hand.players.index(self.names[0])} | set(state.active if state.showdown else ())
        return Hand(
            hand.source,
            hand.hand_id if hand_id is None else hand_id,
            hand.spec,
            hand.players,
            [Action.of(decision) for decision in hand.decisions],
            hand.deal.board[: BOARD_CARDS[state.round]],
            {seat: hand.deal.holdings[seat] for seat in sorted(known)},
            stated_payoffs=hand.payoffs,
            time=time,
        )
