"""A seat: all that an engine needs to let one of our players play at its table.

An engine tells the seat what happens, and asks it when it is the player's turn::

    seat = Seat(make_player("loki2:sbr"))
    seat.begin(spec, ("Ann", "Bob"), 1, "AsKd", seed=1)
    seat.observe(Act.CALL)       # the seat to act, Ann, called
    answer = seat.act()          # Bob's turn: ours
    seat.observe(*answer)        # every act is reported, the player's own as well
    seat.deal("2c7d9h")
    ...
    seat.end(shown={0: "QhJh", 1: "AsKd"})

An engine with several of our players lets them share a `LiveHand` and what is common knowledge: see `sit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from pokermodel._support.checks import check_least
from pokermodel.cards import CardsLike, card_indices, cards_text, holding_cards
from pokermodel.game import Act, BettingStructure, Decision, GameSpec, LiveHand, Situation
from pokermodel.reading.expectation import Expectation
from pokermodel.tables.players.common import CommonKnowledge
from pokermodel.tables.players.player import Answer, HandEnd, HandStart, Player, View

__all__ = ["IllegalAct", "Seat", "check_structure"]


class IllegalAct(ValueError):  # noqa: N818  # the message reads so
    """A player answered with what the rules do not offer."""


class Seat:
    """One of our players in a seat of any table.

    Parameters
    ----------
    player : Player
        The player who sits there.
    common : CommonKnowledge, optional
        Its common knowledge with other players of ours at the same table.

    Attributes
    ----------
    player, common
        As given.
    hand : LiveHand
        The hand that is being played.
    number : int
        Which seat it is.

    Raises
    ------
    ValueError
        If there is no player to sit there.
    """

    def __init__(self, player: Player, common: CommonKnowledge | None = None) -> None:
        if not callable(getattr(player, "act", None)):
            raise ValueError(f"a seat is for a Player, as make_player('call') makes one, got {player!r}")
        self.player = player
        self.common = CommonKnowledge() if common is None else common
        self._hand: LiveHand | None = None
        self._holding: tuple[int, int] = (0, 0)
        self.number = -1
        self._own_hand = False

    @property
    def hand(self) -> LiveHand:
        """The hand that is being played; `ValueError` if there is none."""
        if self._hand is None:
            raise ValueError("no hand is being played: call begin() first")
        return self._hand

    @property
    def watches(self) -> bool:
        """Whether the player wants to see acts."""
        return overrides(self.player, "observe")

    # ------------------------------------------------------------------------------------- a table of its own

    def begin(
        self,
        spec: GameSpec,
        players: Sequence[str],
        number: int,
        holding: CardsLike,
        *,
        source: str = "table",
        hand_id: str = "1",
        stacks: Sequence[int | None] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin a hand at a table where no other player of this package sits.

        A hand before it that was not ended is dropped: nothing is learnt from how it ended.

        Parameters
        ----------
        spec : GameSpec
            The game.
        players : sequence of str
            Names by seat, the same for the same people from hand to hand.
        number : int
            The number of this seat.
        holding : cards
            The player's two cards.
        source, hand_id : str
            Source and id of the hand.
        stacks : sequence of int or None, optional
            Chips of each seat before antes and blinds, as for `Hand`.
        seed : int, optional
            Of all that the player draws in this hand. Without, one is drawn.

        Raises
        ------
        ValueError
            If something does not fit the game, or the player cannot play it.
        """
        check_structure(self.player, spec)
        hand = LiveHand(spec, players, source=source, hand_id=hand_id, stacks=stacks)
        entropy = np.random.SeedSequence().entropy if seed is None else check_least("the seed", seed, 0)
        assert isinstance(entropy, int)
        self._take(hand, number, holding)
        self._own_hand = True
        self.common.begin(hand)
        self._tell_beginning(entropy, (number,))

    def deal(self, board: CardsLike) -> None:
        """See the board: all cards so far.

        Raises
        ------
        ValueError
            If it is no board, does not continue the one before, or has one of the player's cards.
        """
        hand, cards = self.hand, card_indices(board)
        if set(cards) & set(self._holding):
            raise ValueError(f"board {cards_text(cards)!r} has a card of the player's {cards_text(self._holding)!r}")
        hand.deal(cards)

    def observe(self, act: Act, to: int | None = None, *, seat: int | None = None) -> Decision:
        """See an act, the player's own as well.

        Parameters
        ----------
        act : Act
            The action.
        to : int, optional
            The total of a bet or raise in this round, where `act` leaves a choice, as for `State.act`.
        seat : int, optional
            Who did it; the seat to act without. Another seat can only fold: it leaves the hand out of turn.

        Raises
        ------
        ValueError
            If the hand is over, the board too short for the round, or the rules do not allow it.
        """
        hand = self.hand
        if seat is None or seat == hand.state.seat or hand.state.over:
            decision = hand.act(act, to)
        elif act == Act.FOLD and to is None:
            decision = hand.leave(seat)
        else:
            raise ValueError(f"seat {seat} acts, but it is the turn of seat {hand.state.seat}")
        self.notify(decision)
        return decision

    def end(
        self,
        payoffs: Sequence[float] = (),
        shown: Mapping[int, CardsLike] = MappingProxyType({}),
        *,
        board: CardsLike = (),
    ) -> None:
        """See how the hand ended: no act, or another `begin`, comes after it.

        Parameters
        ----------
        payoffs : sequence of float
            Chips that each seat won or lost, if the engine says so.
        shown : mapping of int to cards
            Holdings that were shown at the showdown, by seat.
        board : cards
            The whole board, where it went on after the last act.

        Raises
        ------
        ValueError
            If somebody is still to act, cards or payoffs do not fit the hand, or holdings are shown without a showdown.
        """
        hand = self.hand
        if not hand.state.over:
            raise ValueError(f"the hand is not over: it is the turn of seat {hand.state.seat}")
        if len(payoffs) not in (0, len(hand.players)):
            raise ValueError(f"{len(hand.players)} seats have as many payoffs, got {len(payoffs)}")
        seen = hand.board
        if board:
            self.deal(board)
        try:
            cards = self._shown(hand, shown)
        except ValueError:
            hand.board = seen
            raise
        end = HandEnd(tuple(payoffs), hand.dealt, MappingProxyType(cards))
        if self._own_hand:
            self.common.end(end.board, end.shown)
        self.leave(end)
        self._hand = None

    def _shown(self, hand: LiveHand, shown: Mapping[int, CardsLike]) -> dict[int, tuple[int, int]]:
        """Holdings of the showdown; `ValueError` if they do not fit the hand."""
        cards = {seat: holding_cards(holding) for seat, holding in shown.items()}
        in_showdown = hand.state.active if hand.state.showdown else ()
        for seat in cards:
            if seat not in in_showdown:
                raise ValueError(f"seat {seat} shows cards, but seats at the showdown are {in_showdown or 'none'}")
        if cards and len(hand.dealt) != 5:
            raise ValueError(f"a showdown with {len(hand.dealt)} cards on the board, expected 5")
        own = cards.get(self.number, self._holding)
        if own != self._holding:
            raise ValueError(f"seat {self.number} shows {cards_text(own)}, but holds {cards_text(self._holding)}")
        known = {self.number: own, **cards}
        card_indices([*hand.dealt, *(card for holding in known.values() for card in holding)])  # all different
        return cards

    # ------------------------------------------------------------------------- a hand shared by several players

    def sit(self, hand: LiveHand, number: int, holding: CardsLike, entropy: int, stream: tuple[int, ...]) -> None:
        """Take part in a hand that somebody else keeps up to date, and tell the player that it begins.

        Parameters
        ----------
        hand : LiveHand
            The hand. Its owner informs `common` of its beginning and end.
        number : int
            The number of this seat.
        holding : cards
            The player's two cards.
        entropy : int
            Seed of the table.
        stream : tuple of int
            The player's random stream in this hand.

        Raises
        ------
        ValueError
            If there is no such seat, the holding is not two cards, or the player cannot play the game.
        """
        check_structure(self.player, hand.spec)
        self._take(hand, number, holding)
        self._own_hand = False
        self._tell_beginning(entropy, stream)

    def _take(self, hand: LiveHand, number: int, holding: CardsLike) -> None:
        if not 0 <= number < len(hand.players):
            raise ValueError(f"there is no seat {number}, expected 0 to {len(hand.players) - 1}")
        self._holding = holding_cards(holding)
        self._hand, self.number = hand, number

    def _tell_beginning(self, entropy: int, stream: tuple[int, ...]) -> None:
        hand = self.hand
        if overrides(self.player, "begin"):
            start = HandStart(
                hand.source,
                hand.hand_id,
                hand.spec,
                hand.players,
                self.number,
                self._holding,
                entropy,
                stream,
                self.common,
            )
            self.player.begin(start)

    def act(self) -> Answer:
        """Ask the player what to do: it is their turn.

        Returns
        -------
        Answer
            Not done yet: the engine reports it as it reports every act. In limit, where a raise has one size, it has
            none.

        Raises
        ------
        IllegalAct
            If the answer is not among what the rules offer.
        ValueError
            If it is not the player's turn.
        """
        view = self._view()
        situation = view.situation
        answer = self.player.act(view)
        act, to = answer if isinstance(answer, Answer) else (answer, None)
        if not isinstance(act, int) or act not in situation.legal:
            expected = " or ".join([act.name.lower() for act in situation.legal])
            raise IllegalAct(f"act answered {answer!r}, expected {expected}")
        if act != Act.RAISE:
            return Answer(Act(act))
        return Answer(Act.RAISE, _size(to, situation))

    def expectation(self) -> Expectation | None:
        """The player's strategy now with each holding, see `Player.expectation`; call it before `act`.

        Raises
        ------
        ValueError
            If it is not the player's turn.
        """
        return self.player.expectation(self._view()) if overrides(self.player, "expectation") else None

    def _view(self) -> View:
        hand = self.hand
        if hand.state.over:
            raise ValueError("the hand is over: nobody is to act")
        if hand.state.seat != self.number:
            raise ValueError(f"it is the turn of seat {hand.state.seat}, not of seat {self.number}")
        return View(
            hand.source,
            hand.hand_id,
            len(hand.decisions),
            hand.situation(),
            self._holding,
            tuple(hand.decisions),
            hand.state.copy(),
        )

    def notify(self, decision: Decision) -> None:
        """Show the player an act of a shared hand."""
        if self.watches:
            self.player.observe(decision)

    def leave(self, end: HandEnd) -> None:
        """Show the player how a shared hand ended."""
        if overrides(self.player, "end"):
            self.player.end(end)


def check_structure(player: Player, spec: GameSpec) -> None:
    """Raise `ValueError` if a player cannot play a game."""
    structures = getattr(player, "structures", Player.structures)
    if spec.structure not in structures:
        known = " or ".join(map(str, structures))
        name = getattr(player, "asked_for", "") or type(player).__name__
        raise ValueError(f"{name} plays {known}, and this game is {spec.structure}")


def _size(to: int | None, situation: Situation) -> int | None:
    """What a raise goes to; None in limit. `IllegalAct` if it is not within its range."""
    assert situation.raise_range is not None
    least, most = situation.raise_range
    if to is None and least == most:
        to = least
    if not isinstance(to, int) or to < least or (most is not None and to > most):
        expected = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
        raise IllegalAct(f"act answered a raise to {to!r}, expected {expected}")
    return None if situation.spec.structure is BettingStructure.LIMIT else to


def overrides(player: Player, method: str) -> bool:
    """Whether a player does anything in a method that is optional."""
    return getattr(type(player), method, None) not in (None, getattr(Player, method))
