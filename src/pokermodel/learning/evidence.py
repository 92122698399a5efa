"""Requirements on a hand for learning."""

from __future__ import annotations

from pokermodel._support.checks import is_name
from pokermodel.game import Hand
from pokermodel.reading.features import Replay

__all__ = ["MOST_SMALL_BETS", "check_hand"]

#: Most small bets that may be won or lost in a hand, so that sums of squares fit into 64 bits.
MOST_SMALL_BETS = 1_000_000


def check_hand(hand: Hand) -> Replay:
    """Return the replay of a hand that can be learnt.

    `ValueError` if the hand breaks the rules, is not finished or cannot be paid out, a player wins or loses more than
    1,000,000 small bets (outside limit big blinds), or has a name that cannot be kept.
    """
    if not is_name("".join(hand.players)):
        odd = next(name for name in hand.players if not is_name(name))
        raise ValueError(f"hand {hand.id}: the name {odd!r} is not text that can be kept")
    decisions = Replay.of(hand, None)
    if max(map(abs, hand.payoffs)) > MOST_SMALL_BETS * hand.spec.small_bet:
        unit = "small bets" if hand.spec.structure.fixed else "big blinds"
        raise ValueError(f"hand {hand.id}: a player wins or loses more than {MOST_SMALL_BETS:,} {unit}")
    return decisions
