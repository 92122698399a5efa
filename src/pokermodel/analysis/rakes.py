"""What the house takes of a pot, as hands say it: for what a call would have won that nobody made."""

from __future__ import annotations

from collections.abc import Mapping

from pokermodel.game import Hand
from pokermodel.worth.play_outs import Rake

__all__ = ["Rakes", "verdict_rake"]


def verdict_rake(hand: Hand, known: Mapping[str, Rake]) -> Rake:
    """What the house takes in a hand: what it says itself, or what other hands of the stake say where it has none.

    Parameters
    ----------
    known : mapping of str to Rake
        By stake, of other hands.
    """
    before = known.get(hand.stake, Rake(0.0, 0.0))
    share, cap = _rake_of(hand)
    if not share and not before.share:
        return Rake()
    return Rake(max(share, before.share), max(cap, before.cap))


def _rake_of(hand: Hand) -> tuple[float, float]:
    """The share of the pot that was taken, and how much that is in chips."""
    rake, pot = hand.rake_chips, hand.pot_chips
    if not rake or not pot or rake >= 0.2 * pot:  # whatever is stated otherwise is no rake of a pot
        return 0.0, 0.0
    return rake / pot, rake


class Rakes:
    """What hands say of the rake of their stake: the largest share, and the largest amount."""

    def __init__(self) -> None:
        self.by_stake: dict[str, Rake] = {}

    def add(self, hand: Hand) -> None:
        """Take a hand into account."""
        share, cap = _rake_of(hand)
        if share:
            before = self.by_stake.get(hand.stake, Rake(0.0, 0.0))
            self.by_stake[hand.stake] = Rake(max(before.share, share), max(before.cap, cap))
