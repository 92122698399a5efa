"""Bets and how they are answered: sizes that are looked at, and what a reader expects of the others at a price.

A reader's forecast of folds is fitted to prices that people have been offered. Hardly anybody raises so that fifteen
are left to call into four hundred, so that nothing holds the forecast there: it says of such a raise what it says of
raises that are made, and a player who goes by it bluffs against people who never fold. Two things are known without
having seen it. With all else equal, a fold is no likelier at a lower price; and at next to no price all continue. So
folds are left as the reader has them down to `LEAST_PRICE`, the lowest price that is often offered, and are in
proportion to the price below it. What no longer folds calls. On hands of heads-up no limit people folded to bets at a
price below 6% a little more than half as often as the reader alone says, and at one of 6 to 12.5% seven times in ten
(``tools/measure/verdicts.py prices``).

The alternative, to put the bound into the reader's own model, would change what every table says for the sake of acts
that hardly occur in hands that are read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import live_holdings
from pokermodel.game import Act, Decision, Situation
from pokermodel.reading.reader import Reader, Spot

__all__ = [
    "LEAST_PRICE",
    "MOST_PRICE",
    "SIZES",
    "answer",
    "answer_seen",
    "fold_chance",
    "price_of",
    "price_seen",
    "raise_sizes",
]

#: Bets and raises that are looked at where they have sizes: what they add to a call, by the pot after that call. Larger
#: ones are left out, unless the stack leaves no others: people make few of them, so that readers know little of the
#: answers.
SIZES = (0.5, 1.0)
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
    """How likely the player to act folds, calls and raises with each holding: float64, shape (1326, 3).

    Rows of holdings that are not possible are 0.
    """
    found: Floats = reader.choices(spot)
    triples: Floats = np.where(found > 0.0, found, 0.0)  # nan where one is not possible
    price = price_of(spot.situation)
    if 0.0 < price < LEAST_PRICE and not spot.situation.spec.structure.fixed:
        left = triples[:, Act.FOLD] * (1.0 - price / LEAST_PRICE)
        triples[:, Act.FOLD] -= left
        triples[:, Act.CALL] += left
    return triples


def raise_sizes(situation: Situation, sizes: Iterable[float] = SIZES) -> tuple[int, ...]:
    """Amounts that bets and raises of some sizes go to, as far as the rules allow them.

    Parameters
    ----------
    sizes : iterable of float
        What they add to a call, by the pot after that call; infinity is all-in. Those out of range are as large or as
        small as the rules allow, and an all-in is left out where the stack is not known.

    Returns
    -------
    tuple of int
        Different amounts, rising, in chips counted from the beginning of the round. Empty where there is no raise.

    Examples
    --------
    >>> from pokermodel.game import GameSpec, State
    >>> spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    >>> raise_sizes(Situation.of(State(spec), ("Ann", "Bob")))
    (4, 6)
    """
    if situation.raise_range is None:
        return ()
    least, most = situation.raise_range
    after_call = situation.pot + situation.to_call
    found = set()
    for size in sizes:
        if math.isinf(size):
            amount = most
        else:
            wanted = round(situation.in_round + situation.to_call + size * after_call)
            amount = max(least, wanted if most is None else min(most, wanted))
        if amount is not None:
            found.add(amount)
    return tuple(sorted(found))


def answer_seen(spot: Spot, act: Act, to: int | None) -> bool:
    """Whether the reader has seen the price at which the next opponent answers an action."""
    situation = spot.situation
    if act != Act.RAISE or situation.spec.structure.fixed:
        return True
    after = spot.state.copy()
    after.act(act, to)
    if after.over or after.round != situation.round:
        return True
    return price_seen(Situation.of(after, situation.players, situation.board))


def fold_chance(spot: Spot, act: Act, to: int | None) -> float | None:
    """The probability that everybody folds to a bet or raise; None of other actions.

    Opponents who could not answer any more never fold.
    """
    situation, reader = spot.situation, spot.reader
    if act != Act.RAISE:
        return None
    assert reader is not None
    state, asked, found = spot.state.copy(), situation, 1.0
    made: list[Decision] = []
    put_in = state.act(act, None if situation.spec.structure.fixed else to)
    live = live_holdings(situation.board + spot.own_cards)
    while not state.over and state.round == situation.round and state.seat != situation.seat:
        made.append(Decision("", "", len(made), asked, act, put_in))
        asked = Situation.of(state, situation.players, situation.board)
        weights = spot.likely(asked.seat) * live
        folds = answer(reader, spot.at(asked, made))[:, Act.FOLD]
        found *= float((weights * folds).sum() / weights.sum()) if weights.any() else 0.0
        act, put_in = Act.FOLD, state.act(Act.FOLD)
    return found if state.over and not state.showdown else 0.0
