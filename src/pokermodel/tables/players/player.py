"""The interface of a player: it receives the view of its seat, and answers with an action.

A new player is one class with ``act(view)``::

    class Timid(Player):
        def act(self, view):
            return Act.CALL if view.to_call == 0 else Act.FOLD

The other methods of `Player` are for those who want to know when a hand begins and ends, or what the others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokermodel.game import Act, BettingStructure, Decision, GameSpec, Situation, State
from pokermodel.game.situation import Situated
from pokermodel.tables.players.common import CommonKnowledge

if TYPE_CHECKING:
    from pokermodel.reading.expectation import Expectation
    from pokermodel.reading.reader import Reader

__all__ = ["ALL_STRUCTURES", "Answer", "HandEnd", "HandStart", "Player", "View"]

#: `Player.structures` of players who choose sizes where there are sizes to choose.
ALL_STRUCTURES: tuple[BettingStructure, ...] = tuple(BettingStructure)


class Answer(NamedTuple):
    """The answer of a player.

    Parameters
    ----------
    act : Act
        What.
    to : int, optional
        The total of a bet or raise, in chips counted from the beginning of the round, as for `State.act`. None for
        other acts, and where there is only one amount, as in limit.
    """

    act: Act
    to: int | None = None


class _View(NamedTuple):
    source: str
    hand_id: str
    index: int  # type: ignore[assignment]  # a tuple has a method of that name
    situation: Situation
    holding: tuple[int, int]
    decisions: tuple[Decision, ...]
    state: State


class View(Situated, _View):
    """A decision to be made, as the player who makes it sees it: the situation and their own cards.

    The attributes of the `Situation` are attributes of the view, too. No other player's cards are in it.

    Parameters
    ----------
    source, hand_id : str
        Source and id of the hand.
    index : int
        Number of actions before this one.
    situation : Situation
        The situation of the player.
    holding : tuple of int
        The player's two cards.
    decisions : tuple of Decision
        Every action of the hand so far.
    state : State
        A copy of the state of the hand, to play on with or to hand to a simulation.
    """

    __slots__ = ()

    @property
    def opponents(self) -> tuple[int, ...]:
        """Seats of the other players who have not folded."""
        return tuple(seat for seat in self.situation.active if seat != self.situation.seat)


class HandStart:
    """The beginning of a hand, as a player sees it.

    Parameters
    ----------
    source, hand_id : str
        Source and id of the hand.
    spec : GameSpec
        The game.
    players : tuple of str
        Names by seat.
    seat : int
        The player's own.
    holding : tuple of int
        The player's two cards.
    entropy : int
        Seed of all that happens at the table.
    stream : tuple of int
        Which of its streams is the player's in this hand. `seed` follows from these two.
    common : CommonKnowledge
        The common results of the players of this table.

    Notes
    -----
    All of a player's randomness in this hand has to come from `seed` or `rng`, so that the hand can be played again.
    They are for that alone: the cards follow from other streams of the same seed. Players run in the arena's process,
    where nothing keeps one that wants to cheat from it.
    """

    __slots__ = ("_entropy", "_rng", "_stream", "common", "hand_id", "holding", "players", "seat", "source", "spec")

    def __init__(
        self,
        source: str,
        hand_id: str,
        spec: GameSpec,
        players: tuple[str, ...],
        seat: int,
        holding: tuple[int, int],
        entropy: int,
        stream: tuple[int, ...],
        common: CommonKnowledge,
    ) -> None:
        self.source = source
        self.hand_id = hand_id
        self.spec = spec
        self.players = players
        self.seat = seat
        self.holding = holding
        self._entropy = entropy
        self._stream = stream
        self.common = common
        self._rng: np.random.Generator | None = None

    @property
    def player(self) -> str:
        """The player's own name."""
        return self.players[self.seat]

    @property
    def seed(self) -> np.random.SeedSequence:
        """The player's seed for this hand; made anew each time."""
        return np.random.SeedSequence(self._entropy, spawn_key=self._stream)

    @property
    def rng(self) -> np.random.Generator:
        """The player's generator for this hand, from `seed`; made when first asked for."""
        if self._rng is None:
            self._rng = np.random.default_rng(self.seed)
        return self._rng


class HandEnd(NamedTuple):
    """A hand is over: what everybody sees.

    Parameters
    ----------
    payoffs : tuple of float
        Chips that each seat won or lost.
    board : tuple of int
        The board as far as it was dealt.
    shown : mapping of int to (int, int)
        The holdings of a showdown by seat: of all who were in it. Empty without a showdown.
    """

    payoffs: tuple[float, ...]
    board: tuple[int, ...]
    shown: Mapping[int, tuple[int, int]]


class Player:
    """A player. Only `act` is required; the other methods do nothing by default.

    For each hand a table calls `begin` of every player, then `act` of the player to act and `observe` of all players
    with the decision (the actor as well), and in the end `end` of all.

    Attributes
    ----------
    structures : tuple of BettingStructure
        The games that they can play: limit alone, unless a class says otherwise.
    """

    structures: tuple[BettingStructure, ...] = (BettingStructure.LIMIT,)
    #: The text that they were made from, if `make_player` made them: by it messages name them.
    asked_for: str = ""
    #: Whether what `strategy` says is what they play, to the last digit; else it leaves something out.
    strategy_is_exact: bool = False

    def strategy(self, name: str, spec: GameSpec) -> Reader | None:
        """Who says what this player does with each holding; None, the default, of one who cannot be asked.

        Measures of strength use it: with this reader, a program that reads opponents knows the player exactly. It is
        made anew for each table, and does not change the player.

        Parameters
        ----------
        name : str
            Under which the player sits there. What the others do is judged as the player would.
        spec : GameSpec
            The game.
        """
        return None

    def keep_within(self, seconds: float) -> None:
        """Take at most so long for a decision, unless an option says how long; the default takes no notice.

        It is called before the first hand where the table has time limits.
        """

    def expectation(self, view: View) -> Expectation | None:
        """Their strategy now with each possible holding; None, the default, without one.

        It is for players who learn; `strategy` has at most their beginning. A measurement calls it before `act`, and
        `act` has to follow it. It must not change the player.
        """
        return None

    def notice(self, spec: GameSpec) -> str:
        """A line for those who seat the player at a game, if something is not as they would expect; "", the default."""
        return ""

    def begin(self, start: HandStart) -> None:
        """Take a seat: a hand begins."""

    def act(self, view: View) -> Act | Answer:
        """Choose one of ``view.legal``; an `Answer` where a bet or raise has a size within ``view.raise_range``."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it acts")

    def observe(self, decision: Decision) -> None:
        """See an action, one's own as well."""

    def end(self, end: HandEnd) -> None:
        """See how the hand ended."""
