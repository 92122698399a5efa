"""Amounts of money as counters: what a hand adds is which digits go up by one.

A hand adds to counters one each, so that its record is a list of their numbers (`pokermodel._core.hand_counts`). An
amount that most hands have none of, such as the rake of a pot or what cards to come were worth at an all-in, is counted
by its digits to the base of 8: of 83 the digit for 64 goes up once, that for 8 twice, that for 1 three times. The sums
of the digits over all hands give the sum of the amounts, whatever the order, as for everything else in a book. Eight is
between two, which takes most places, and ten thousand, which takes most bytes a hand. The highest digit has no bound.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ALL_IN", "ALL_IN_SIZE", "RAKE", "RAKE_SIZE", "Amount"]


class Amount:
    """A whole number that is kept in counters of a block: digits of numbers above 0, then those of numbers below.

    Parameters
    ----------
    first : int
        Its first counter in the block.
    digits : int
        How many there are, of which the last has no bound.
    """

    __slots__ = ("digits", "first")

    def __init__(self, first: int, digits: int) -> None:
        self.first, self.digits = first, digits

    @property
    def end(self) -> int:
        """Where its counters end."""
        return self.first + 2 * self.digits

    def counters(self, value: int) -> list[int]:
        """Which counters of the block go up by one for a number, those that go up more than once several times."""
        place, found = self.first if value > 0 else self.first + self.digits, []
        rest = abs(value)
        for k in range(self.digits):
            last = k == self.digits - 1
            found += [place + k] * (rest if last else rest & 7)
            rest >>= 3
        return found

    def value(self, counts: Sequence[int]) -> int:
        """The sum of the numbers, given the counts of the whole block."""
        return sum((counts[self.first + k] - counts[self.first + self.digits + k]) << 3 * k for k in range(self.digits))


#: Of the block ``rake``: counter of hands whose rake is not stated, and what the player paid of it, in millionths of a
#: small bet or big blind.
RAKE = Amount(1, 8)
RAKE_SIZE = RAKE.end
#: Of the block ``all_in``: counters of all-ins with all cards known and of others; then by how much all-in EV is more
#: than what was won, in millionths, and its square than that of what was won, in thousandths.
ALL_IN = Amount(2, 10), Amount(22, 13)
ALL_IN_SIZE = ALL_IN[1].end
