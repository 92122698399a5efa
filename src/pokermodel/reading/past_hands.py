"""Learning from hands that are over: what a session does with a finished hand, and with one that it has not followed.

It stands beside the session, since following a hand and learning from a whole one have nothing in common but the reader
and the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pokermodel.cards import holding_index
from pokermodel.game import Decision, Hand
from pokermodel.reading.calibration import Calibration
from pokermodel.reading.features import Replay
from pokermodel.reading.followed_hand import FollowedHand
from pokermodel.reading.reader import Reader
from pokermodel.reading.tables import HandTables

__all__ = ["calibrate_on", "learn_from", "walk"]


class Session(Protocol):
    """The part of a session that learning needs; see `pokermodel.reading.OpponentModeler`."""

    reader: Reader
    calibration: Calibration | None
    learning: bool
    tables: HandTables
    followed: FollowedHand

    def start(self, players: Iterable[str]) -> None:
        """Begin a new hand."""

    def observe(self, decision: Decision) -> object:
        """Follow the hand by one act."""


def learn_from(session: Session, hand: Hand, decisions: Replay, *, calibrate: bool) -> None:
    """Have a session's reader learn from a hand, and its calibration if that is wanted.

    Acts that were learnt from as they were observed do not count again. A reader that learns from shown holdings needs
    the tables of the end of the hand, for which it is read now if the session has not followed it.
    """
    public, reader = hand.public(), session.reader
    if session.calibration is not None:
        if calibrate:
            calibrate_on(session, session.calibration, public, decisions)
        session.calibration.forecasts.clear()
    shown = reader.learns_shown and bool(public.holdings)
    followed = session.followed.is_whole(hand, len(decisions))
    if not (followed and session.followed.counted):
        if shown and not followed:
            walk(session, public, decisions, learning=True)
            followed = True
        elif reader.learns_acts:
            for decision, features in zip(decisions, decisions.features, strict=True):
                if not decision.out_of_turn:
                    reader.count(decision, features)
    if shown and followed:
        reader.learn_shown(public, session.tables.weights)
    reader.learn(public, decisions)


def calibrate_on(session: Session, calibration: Calibration, hand: Hand, decisions: Iterable[Decision]) -> None:
    """Let a calibration learn from a hand: from its forecasts as observed, or from new ones."""
    if not session.followed.is_of(hand):
        calibration.forecasts.clear()  # another hand was observed since, or instead
    if not calibration.forecasts and calibration.wants():
        walk(session, hand, decisions)
    calibration.finish({seat: holding_index(cards) for seat, cards in hand.holdings.items()})


def walk(session: Session, hand: Hand, decisions: Iterable[Decision], *, learning: bool = False) -> None:
    """Read a hand that is only learnt from."""
    before, session.learning = session.learning, learning
    try:
        session.start(hand.players)
        for decision in decisions:
            session.observe(decision)
    finally:
        session.learning = before
