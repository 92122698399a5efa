"""Every kernel that takes card indices refuses what is no card, in the same words."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.dealing import Deals, draw
from pokermodel._core.evaluator import evaluate
from pokermodel._core.hand_types import Types
from pokermodel._core.matchups import Matchups
from pokermodel._core.playout import Strengths
from pokermodel._core.strength import Analysis
from pokermodel._core.stud_counts import win_by_cards
from pokermodel._core.stud_rules import StudState, showing
from pokermodel.evaluation.hand_types import SCHEMES

WEIGHTS = np.ones(1326)
SCHEME = SCHEMES[25]
TYPES = Types(SCHEME.type_of_rank, SCHEME.busted_class, SCHEME.pair_class, SCHEME.wheel)

#: A call with three cards that change, and what ends the message when one of them occurs twice.
KERNELS = {
    "evaluate": (lambda cards: evaluate([*cards, 40, 45]), ""),
    "board of an analysis": (Analysis, ""),
    "dead cards of an analysis": (lambda cards: Analysis([40, 45, 50], cards), " among board and dead cards"),
    "board of deals": (lambda cards: Deals(WEIGHTS[None], cards, (), True), ""),
    "dead cards of deals": (lambda cards: Deals(WEIGHTS[None], (), cards, True), " among board and dead cards"),
    "dead cards of a draw": (
        lambda cards: draw(WEIGHTS, cards, np.arange(4, dtype=np.uint64), np.empty(1, np.uint16)),
        " among dead cards",
    ),
    "board of matchups": (Matchups, ""),
    "dead cards of matchups": (lambda cards: Matchups((), cards), " among board and dead cards"),
    "flop of play-outs": (Strengths, ""),
    "state of a stud hand": (TYPES.state, ""),
    "showing stud hand": (showing, ""),
    "stud hand": (
        lambda cards: StudState(1, (2, 2, 4, 4), 3, ([*cards, 20, 21], [22, 23, 24, 25, 26]), 0),
        "",
    ),
    "stud hand by enumeration": (lambda cards: win_by_cards(cards, [40, 45], np.ones(52), range(52)), ""),
}


@pytest.mark.parametrize("name", KERNELS)
def test_indices_are_checked(name):
    call, where = KERNELS[name]
    call([0, 5, 10])
    call([np.int64(0), np.uint8(5), 10])
    for index in (-1, 52, 2**40):
        with pytest.raises(ValueError, match=rf"^card index {index} is out of range: expected 0\.\.51$"):
            call([0, 5, index])
    with pytest.raises(ValueError, match=f"^duplicate card: index 5 occurs twice{where}$"):
        call([0, 5, 5])
    with pytest.raises(TypeError):
        call([0, 5, 10.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Analysis([1, 2]), "a board to analyse has 3 to 5 cards, got 2"),
        (lambda: Analysis([1, 2, 3], [3]), "index 3 occurs twice among board and dead cards"),
        (lambda: Deals(WEIGHTS[None], range(6), (), True), "a board has up to 5 cards, got 6"),
        (lambda: Matchups([1, 2, 3], [3]), "index 3 occurs twice among board and dead cards"),
        (lambda: Strengths([1, 2, 3, 4]), "a flop has 3 cards, got 4"),
        (lambda: TYPES.state([]), "a hand has 1 to 5 cards, got 0"),
        (lambda: showing(range(5)), "a showing hand has 1 to 4 cards, got 5"),
        (lambda: win_by_cards([0, 1], [2], np.ones(52), range(9)), "a deck has 10 to 52 cards, got 9"),
    ],
)
def test_numbers_of_cards_are_checked(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_sequence_that_is_longer_than_it_says_writes_nothing_beyond():
    class Liar(list):
        def __len__(self):
            return 3

    with pytest.raises(ValueError, match="more cards than its length says, 3"):
        Analysis(Liar([0, 5, 10, 15, 20, 25, 30, 35]))
