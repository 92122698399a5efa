"""The spot that a rule about a player is typically about: a hand that is made up until the answer is to be given.

A rate counts a player's actions in all pots. The gain of an answer depends on the pot, the ranges and the stacks, so
one spot has to represent all. It is the most frequent spot between experienced players. The hero has raised first from
the button and is in position after the flop, and the player has called in the big blind.

==================  ==============================================================================================
rule                spot
==================  ==============================================================================================
``steal``           all fold to the hero in the small blind; the player is the big blind
``isolate``         the player calls first in from the button; the hero is the big blind
``three_bet``       the player raises first from the button, the small blind folds; the hero is the big blind
``cbet:flop``,      the player checks the flop to the hero, who raised before it
``bluff:flop``,
``value:flop``
``cbet:turn``       the flop is bet for half the pot and called; the turn comes
``bluff:turn``,     the flop is checked through; the turn comes
``value:turn``
rules of the river  the flop is bet and called, the turn is checked through; the river comes. Where the rule is about
                    the player's own bets, they are the button
==================  ==============================================================================================
"""

from __future__ import annotations

from pokermodel.game import POSITIONS, Act, GameSpec, positions
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.tendencies import MadeUpHand, names_around, open_to

__all__ = ["TypicalSpot"]

_SMALL, _BIG, _BUTTON = (POSITIONS.index(name) for name in ("small blind", "big blind", "button"))
_ISOLATE = 4.0
_THREE_BET = 9.0  # big blinds that the rule's raise goes to
_CARDS = {"flop": 3, "turn": 4, "river": 5}


class TypicalSpot:
    """The typical spot of a rule.

    Parameters
    ----------
    needed : float
        The rule's rate at which a bet with any two cards is neither good nor bad, which says how large it is.
    open_size : float or None
        Big blinds that a first raise goes to, or fewer if the stacks would not last until the spot. None: 2.5.

    Attributes
    ----------
    street : str
        ``""`` before the flop.
    bet : float
        The rule's bet as a share of the pot; nothing before the flop.
    """

    def __init__(self, key: str, needed: float, spec: GameSpec, open_size: float | None) -> None:
        self.rule, _, self.street = key.partition(":")
        self.calls = self.rule == "call"
        # a rule that goes by the usual rate says nothing of a size
        self.bet = 0.5 if self.rule in ("value", "isolate", "call") else needed / (1.0 - needed)
        bets = int(self.street == "river" or key == "cbet:turn") if self.street else None  # before the street
        self._spec, self._open_to = spec, open_to(spec, open_size, bets)
        places = positions(spec)
        self._big = places.index(_BIG)
        self._button = places.index(_BUTTON) if _BUTTON in places else 1 - self._big
        if self.rule == "steal":
            self.seat, self.hero = self._big, places.index(_SMALL) if _SMALL in places else 1 - self._big
        elif self.calls or self.rule in ("three_bet", "isolate"):
            self.seat, self.hero = self._button, self._big
        else:
            self.seat, self.hero = self._big, self._button

    @property
    def cards(self) -> int:
        """How many cards are on the board."""
        return _CARDS.get(self.street, 0)

    @property
    def decision(self) -> tuple[str, float]:
        """The key of a spot before the turn: the betting before the hero's decision, and their bet."""
        return (self.street, self.bet) if self.street else (self.rule, 0.0)

    def reach(self, session: OpponentModeler, name: str, board: tuple[int, ...]) -> MadeUpHand:
        """Let a session follow the hand, with a name in the player's seat; the others are unknown.

        It ends before the flop and on it at the hero's decision, else at the street's beginning.
        """
        play = MadeUpHand(session, self._spec, names_around(name, self.seat, self._spec), board)
        if self.rule == "steal":
            while play.seat != self.hero:
                play.act(Act.FOLD)
            return play
        while play.situation().round == 0:
            if play.seat == self._button:
                play.act(Act.CALL if self.rule == "isolate" else Act.RAISE, to=self._open_to)
            elif play.seat != self._big:
                play.act(Act.FOLD)
            elif self.rule in ("three_bet", "isolate"):
                return play
            else:
                play.act(Act.CALL)
        if self.street == "flop":
            play.act(Act.CALL)
            return play
        self._flop(play, bet=self.street == "river" or self.rule == "cbet")
        if self.street == "river":
            for _ in range(2):
                play.act(Act.CALL)
        return play

    @staticmethod
    def _flop(play: MadeUpHand, *, bet: bool) -> None:
        play.act(Act.CALL)
        if not bet:
            play.act(Act.CALL)
            return
        play.act(Act.RAISE, of_pot=0.5)
        play.act(Act.CALL)

    def raise_to(self, play: MadeUpHand) -> int | None:
        """The total of the rule's bet or raise at the hero's decision, in chips; None where it has no size."""
        situation = play.situation()
        if situation.raise_range is None or self._spec.structure.fixed:
            return None
        least, most = situation.raise_range
        if self.rule == "isolate":
            wanted = round(_ISOLATE * self._spec.small_bet)
        elif self.rule == "steal":
            wanted = self._open_to
        elif self.rule == "three_bet":
            wanted = round(_THREE_BET * self._spec.small_bet)
        else:
            wanted = situation.in_round + situation.to_call + round(self.bet * (situation.pot + situation.to_call))
        return max(least, wanted if most is None else min(wanted, most))
