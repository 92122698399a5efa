"""The equities of the players in a hand, if there are no more bets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokermodel.analysis.moments import Moment
from pokermodel.cards import holding_text
from pokermodel.evaluation.equity import equity
from pokermodel.game import Hand
from pokermodel.weights import WeightTable
from pokermodel.worth.price import Against
from pokermodel.worth.worth import SURE

__all__ = ["DEALS", "Equities", "equities_of"]

#: Deals that an equity is drawn from where it is not counted out: true to 0.3 per cent.
DEALS = 20_000
_FEW = 4  # players in a hand whose cards are each compared with the ranges of the others


class Equities(NamedTuple):
    """Shares of the pot by seat, for the players in a hand, if there are no more bets."""

    #: `ranges`, `errors`: of all ranges against each other, and half their 95% intervals, 0 where it is exact.
    ranges: dict[int, float]
    errors: dict[int, float]
    #: Of the cards of everybody whose cards are known, against the ranges of all others; where more than four are
    #: in, of the hero's alone.
    held: dict[int, float]
    cards_up: dict[int, float]  #: Of the cards of all, if all are known; else empty.


def equities_of(
    hand: Hand,
    now: Moment,
    number: int,
    tables: Sequence[WeightTable | None],
    hero: str | None = None,
    *,
    held: Mapping[int, float],
    deals: int | None = None,
) -> Equities | None:
    """Compute the equities at a moment, if there are no more bets; None if one player is left or a range is empty.

    `held` has the shares of known cards against the ranges of the others that are known already, by seat. The number of
    the moment goes into the seed.
    """
    seats = [seat for seat in range(len(hand.players)) if seat not in now.folded]
    if len(seats) < 2:
        return None
    ranges = {seat: tables[seat] for seat in seats}
    known = {seat: holding_text(hand.holdings[seat]) for seat in seats if seat in hand.holdings}

    def shares(of: Mapping[int, Any], stream: int) -> tuple[list[float], list[float]]:
        hands = sum(isinstance(each, str) for each in of.values())
        count = len(of) == hands or (len(of) == 2 and (hands > 0 or bool(now.board)))
        # many known hands before the flop take long to count out
        exact = None if count and (len(of) == 2 or now.board) else False
        if deals and not hands and len(now.board) == 3:
            exact = False  # two ranges on a flop take longer to count out than a hand to read
        trials = min(DEALS if len(of) <= _FEW else DEALS // 5, deals or DEALS)
        rng = np.random.SeedSequence(0, spawn_key=(number, stream))
        found = equity(list(of.values()), now.board, trials=trials, exact=exact, rng=rng, jobs=1)
        return found.equity.tolist(), (SURE * found.standard_error).tolist()

    def held_share(seat: int) -> float:
        """Of the cards of a seat, against the ranges of the others."""
        if len(seats) > 2:
            return shares(ranges | {seat: known[seat]}, 1 + seat)[0][seats.index(seat)]
        (other,) = (each for each in seats if each != seat)
        table = WeightTable.uniform() if (found := ranges[other]) is None else found
        high, low = hand.holdings[seat]
        return Against((high, low), now.board, {"": table})[""]

    try:
        public, errors = shares(ranges, 0)
        asked = [seat for seat in known if len(seats) <= _FEW or hand.players[seat] == hero]
        own = {seat: held[seat] if seat in held else held_share(seat) for seat in asked}
        cards_up = shares(known, 1 + len(tables))[0] if len(known) == len(seats) else []
    except ValueError:  # no holdings of these ranges can be dealt together
        return None
    return Equities(
        dict(zip(seats, public, strict=True)),
        dict(zip(seats, errors, strict=True)),
        own,
        dict(zip(seats, cards_up, strict=True)) if cards_up else {},
    )
