"""How somebody plays, in three numbers that players use themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pokermodel.game import Act, Decision

__all__ = ["Style", "playing_styles"]


@dataclass(slots=True)
class Style:
    """What was counted of a player.

    Attributes
    ----------
    hands : int
        That he was dealt.
    voluntary : int
        In which he put chips in before the flop of his own will.
    raised : int
        In which he raised before the flop.
    actions, bets : int
        After the flop: actions, and bets and raises among them.
    """

    hands: int = 0
    voluntary: int = 0
    raised: int = 0
    actions: int = 0
    bets: int = 0

    @property
    def vpip(self) -> float:
        """Share of hands played of his own will before the flop; nan without hands."""
        return self.voluntary / self.hands if self.hands else math.nan

    @property
    def pfr(self) -> float:
        """Share of hands raised before the flop; nan without hands."""
        return self.raised / self.hands if self.hands else math.nan

    @property
    def aggression(self) -> float:
        """Share of bets and raises among his actions after the flop; nan without actions."""
        return self.bets / self.actions if self.actions else math.nan

    def __add__(self, other: Style) -> Style:
        return Style(
            self.hands + other.hands,
            self.voluntary + other.voluntary,
            self.raised + other.raised,
            self.actions + other.actions,
            self.bets + other.bets,
        )

    def __str__(self) -> str:
        return f"{self.hands} hands, VPIP {self.vpip:.1%}, PFR {self.pfr:.1%}, aggression {self.aggression:.1%}"


def playing_styles(hands: Iterable[Iterable[Decision]]) -> dict[str, Style]:
    """Count how everybody plays.

    Parameters
    ----------
    hands : iterable of iterable of Decision
        The decisions of each hand, such as ``hand.replay()`` for hands of a history.

    Returns
    -------
    dict of str to Style
        By name.

    Examples
    --------
    >>> import pokermodel as pm
    >>> print(playing_styles([pm.example_hand().replay()])["Eve"])
    1 hands, VPIP 100.0%, PFR 0.0%, aggression 60.0%
    """
    styles: dict[str, Style] = {}
    for decisions in hands:
        played, raised = set(), set()
        players: tuple[str, ...] = ()
        for decision in decisions:
            players = decision.players
            if decision.round == 0:
                if decision.put_in:
                    played.add(decision.player)
                if decision.act == Act.RAISE:
                    raised.add(decision.player)
            elif not decision.out_of_turn:
                style = styles.setdefault(decision.player, Style())
                style.actions += 1
                style.bets += decision.act == Act.RAISE
        for name in players:
            style = styles.setdefault(name, Style())
            style.hands += 1
            style.voluntary += name in played
            style.raised += name in raised
    return styles
