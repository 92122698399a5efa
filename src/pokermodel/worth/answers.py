"""How a player answers at a price: what a reader expects of them, kept within what prices allow.

A reader's forecast of folds is fitted to prices that people have been offered. Hardly anybody raises so that fifteen
are left to call into four hundred, so that nothing holds the forecast there: it says of such a raise what it says of
raises that are made, and a player who goes by it bluffs against people who never fold. Two things are known without
having seen it. With all else equal, a fold is no likelier at a lower price; and at next to no price nobody folds. So
folds are left as the reader has them down to `LEAST_PRICE`, the lowest price that is often offered, and are in
proportion to the price below it. What no longer folds calls. On hands of heads-up no limit people folded to bets at a
price below 6 % a little more than half as often as the reader alone says, and at one of 6 to 12.5 % seven times in ten
(``tools/measure/verdicts.py prices``).

The alternative, to put the bound into the reader's own model, would change what every table says for the sake of acts
that hardly occur in hands that are read.
"""

from __future__ import annotations

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.game import Act, Situation
from pokermodel.reading.reader import Reader, Spot

__all__ = ["LEAST_PRICE", "MOST_PRICE", "answer", "price_of", "price_seen"]

#: Prices, ``to_call / (pot + to_call)``, between which a reader has seen people answer: below the first, hardly
#: anything is left to call, as after a bet of a seventh of the pot; above the second, a bet was of four pots and more.
LEAST_PRICE, MOST_PRICE = 0.125, 0.445


def price_of(situation: Situation) -> float:
    """The share of the pot that a call has to win: 0 with nothing to call."""
    return situation.to_call / (situation.pot + situation.to_call) if situation.to_call else 0.0


def price_seen(situation: Situation) -> bool:
    """Whether a reader has seen people answer at such a price.

    Where bets have one size all prices are seen, and before the flop large ones: people go all-in there.
    """
    price = price_of(situation)
    if not price or situation.spec.structure.fixed:
        return True
    return price >= LEAST_PRICE and (price <= MOST_PRICE or not situation.round)


def answer(reader: Reader, spot: Spot) -> Floats:
    """How the player to act answers, holding by holding.

    Parameters
    ----------
    reader : Reader
    spot : Spot
        Theirs.

    Returns
    -------
    ndarray of float64, shape (1326, 3)
        How likely each holding folds, calls and raises; 0 where one is not possible.
    """
    found: Floats = reader.choices(spot)
    triples: Floats = np.where(found > 0.0, found, 0.0)  # nan where one is not possible
    price = price_of(spot.situation)
    if 0.0 < price < LEAST_PRICE and not spot.situation.spec.structure.fixed:
        left = triples[:, Act.FOLD] * (1.0 - price / LEAST_PRICE)
        triples[:, Act.FOLD] -= left
        triples[:, Act.CALL] += left
    return triples
