"""Hands of no limit for three that were made up, in which Hero plays badly."""

from __future__ import annotations

import pokermodel as pm
from pokermodel.game import Act, Action, GameSpec
from pokermodel.histories import phh

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
NAMES = ("Ann", "Bob", "Hero")
SPEC = GameSpec.no_limit(3, 50, 100)


def hand(number, acts, board="", cards=None, stacks=(10_000,) * 3, names=NAMES, hero="Hero"):
    """A hand with blinds of 50 and 100; seats are SB, BB and BTN."""
    actions = [Action(seat, act, to=to) for seat, act, to in acts]
    held = {seat: pm.cards.card_indices(text) for seat, text in (cards or {}).items()}
    return pm.Hand("made up", str(number), SPEC, names, actions, board, held, stacks, hero=hero)


#: Aces fold to a shove: a blunder that is counted out.
FOLDED = hand(1, [(2, R, 250), (0, F, None), (1, R, 3000), (2, F, None)], "", {2: "AsAh"}, (10_000, 3000, 10_000))
#: Seven-deuce calls a shove, and wins.
CALLED = hand(
    2,
    [(2, R, 250), (0, F, None), (1, R, 3000), (2, C, None)],
    "7h7d2cKsQs",
    {2: "7c2s", 1: "AdAc"},
    (10_000, 3000, 10_000),
)
#: Two see the river, where Hero checks behind.
RIVER = hand(
    3,
    [
        *[(2, R, 250), (0, F, None), (1, C, None)],
        *[(1, C, None), (2, C, None), (1, C, None), (2, C, None), (1, C, None), (2, C, None)],
    ],
    "QsJh2h8c3d",
    {2: "QhQd", 1: "Td9d"},
)
#: Bob calls, leads, raises, calls, and leads again: hardly anyone does.
GUESSED = hand(
    5,
    [
        *[(2, R, 250), (0, F, None), (1, C, None)],
        *[(1, R, 500), (2, R, 1000), (1, R, 2000), (2, R, 3500), (1, C, None)],
        *[(1, R, 1000), (2, C, None), (1, C, None), (2, C, None)],
    ],
    "QsJh2h8c3d",
    {2: "QhQd", 1: "Td9d"},
    (20_000,) * 3,
)
#: Hero's cards are not known.
UNKNOWN = hand(4, [(2, F, None), (0, F, None)])
HANDS = (FOLDED, CALLED, RIVER, UNKNOWN)


def opened(players, seat, cards):
    """A hand that everybody folds to the hero, who raises first in with 100 bb, and behind them."""
    spec = pm.GameSpec.no_limit(players, 50, 100, stacks=[10_000] * players)
    order = [*range(2, players), 0]
    at = order.index(seat)
    raised = (seat, pm.Act.RAISE, False, 250 if seat else 300)
    acts = [*((each, pm.Act.FOLD) for each in order[:at]), raised, *((k, pm.Act.FOLD) for k in (*order[at + 1 :], 1))]
    names = ["Hero" if k == seat else f"Player {k}" for k in range(players)]
    held = {seat: pm.cards.card_indices(cards)}
    return pm.Hand("test", "1", spec, names, acts, [], held, stacks=[10_000] * players, hero="Hero")


def write(path, hands=HANDS, times=1):
    """Write hands to a file, so many times."""
    texts = [phh.dumps(hand) for _ in range(times) for hand in hands]
    path.write_text("".join(f"[{number}]\n{text}\n" for number, text in enumerate(texts, 1)))
    return path
