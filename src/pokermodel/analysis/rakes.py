"""The rake of a pot, from the hands of a stake: for calls that were not made."""

from __future__ import annotations

from pokermodel.game import Hand
from pokermodel.worth.play_outs import NO_RAKE, Rake

__all__ = ["MOST", "rake_of", "verdict_rake"]

#: Of a pot: what is stated otherwise is no rake of a pot.
MOST = 0.2


def rake_of(hand: Hand) -> Rake:
    """The rake of a hand: its share of the pot, with its amount as the cap."""
    rake, pot = hand.rake_chips, hand.pot_chips
    if not rake or not pot or rake >= MOST * pot:
        return NO_RAKE
    return Rake(rake / pot, rake)


def verdict_rake(hand: Hand, others: Rake) -> Rake:
    """The rake of a hand: the larger share and amount of its own and of that of other hands of its stake."""
    one, other = rake_of(hand), others
    if not one.share or not other.share:
        return one if one.share else other
    return Rake(max(one.share, other.share), max(one.cap, other.cap))
