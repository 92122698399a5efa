"""What of a hand's betting features depend on, in Python: what the kernel is compared with."""

from __future__ import annotations

from pokermodel._core.triples import pot_odds
from pokermodel.game import Act, Decision, Situation
from pokermodel.reading.features import Features

__all__ = ["TextbookHistory"]


class TextbookHistory:
    """A hand's betting so far."""

    def __init__(self, players: int) -> None:
        self._previous = [(0, 0)] * players  # the previous act, and whether it faced a bet
        self._round = 0
        self._last = self._before = -1  # seats that bet or raised last: in this round, in the round before
        self._limper = -1  # who called first where nobody had raised
        self._raiser = self._leader = -1  # the same in any round, in any round before this one
        self._acted = 0
        self._raises = [0, 0, 0, 0]  # by round
        self._called = [0] * players  # bets that the seat called in this round
        self._raised = [0] * players
        self._raised_preflop = [0] * players

    def features(self, situation: Situation) -> Features:
        """The features of a situation, which is the next one of the hand."""
        street, seat, to_call, pot = situation.round, situation.seat, situation.to_call, situation.pot
        if street == self._round:
            before, leader, acted = self._before, self._leader, self._acted
            callers, called = sum(self._called), self._called[seat]
            first = self._last if self._last >= 0 else self._limper
        else:
            before, leader, acted = self._last, self._raiser, 0
            callers = called = 0
            first = -1
        bets = situation.bets_to_call
        level, depth = 0.0, -1.0
        if not situation.spec.structure.fixed:
            bets = min(situation.num_bets, 2) if to_call else 0
            level = (situation.in_round + to_call) / situation.bet_size
            depth = _effective_stack(situation)
        previous, faced = self._previous[seat]
        return Features(
            round=street,
            bets=min(bets, 2),
            previous=previous,
            faced=faced,
            aggressor=self._who(before, seat),
            leader=self._who(leader, seat),
            players=len(situation.active),
            num_bets=situation.num_bets,
            odds=pot_odds(pot, to_call),
            pot=pot / situation.bet_size,
            position=situation.position,
            acted=acted,
            put_in=situation.bets_put_in,
            dealt=len(self._raised),
            callers=callers,
            preflop=self._raises[0],
            before=self._raises[street - 1] if street else 0,
            raised=self._raised[seat],
            raised_preflop=self._raised_preflop[seat],
            called=called,
            last=self._who(self._raiser, seat),
            share=to_call / situation.bet_size,
            all_in=len(situation.all_in),
            level=level,
            depth=depth,
            invested=situation.committed[seat] // situation.spec.bets[0],
            seat=len(self._raised) - 1 - seat,
            raiser=len(self._raised) - 1 - first if first >= 0 else -1,
        )

    @staticmethod
    def _who(seat: int, asked: int) -> int:
        return 0 if seat < 0 else 1 if seat == asked else 2

    def add(self, decision: Decision) -> None:
        """Take note of an act. Leaving the hand out of turn is not one."""
        situation = decision.situation
        if situation.round != self._round:
            self._round = situation.round
            self._before, self._last, self._limper = self._last, -1, -1
            self._leader = self._raiser
            self._acted = 0
            self._called = [0] * len(self._called)
        if decision.out_of_turn:
            return
        raised = decision.act == Act.RAISE
        self._previous[situation.seat] = (2 if raised else 1, int(situation.bets_to_call > 0))
        self._acted += 1
        if raised:
            self._last = self._raiser = situation.seat
            self._raises[situation.round] += 1
            self._raised[situation.seat] += 1
            if situation.round == 0:
                self._raised_preflop[situation.seat] += 1
        elif decision.act == Act.CALL and situation.to_call:
            self._called[situation.seat] += 1
            if self._last < 0 and self._limper < 0:
                self._limper = situation.seat


def _effective_stack(situation: Situation) -> float:
    """What the player has left, as far as an opponent can match it, in bets; -1 where it is not known."""
    before, committed, seat = situation.stacks_before, situation.committed, situation.seat
    if not before:
        return -1.0
    reach = [chips for other in situation.active if (chips := before[other]) is not None]
    if len(reach) < len(situation.active):
        return -1.0
    others = max(
        (chips for other, chips in zip(situation.active, reach, strict=True) if other != seat), default=committed[seat]
    )
    return max(min(reach[situation.active.index(seat)], others) - committed[seat], 0) / situation.bet_size
