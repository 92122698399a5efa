"""The betting in words."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.analysis.lines import ANY_STACK, SIZE_WORDS, BettingLine, stack_class
from pokermodel.game import GameSpec
from pokermodel.learning.statistics import DEPTHS
from pokermodel.reading import SIZE_CLASSES
from tests.common.books import played_free
from tests.common.six_handed import ALL_IN, RIVER, THREE, C, F, R, hand


def lines(hand: pm.Hand, *, exact: bool = False) -> list[str]:
    line, found = BettingLine(hand.spec, exact=exact), []
    for decision in hand.replay():
        found.append(line.before(decision.situation))
        line.add(decision)
    return [*found, line.end()]


def test_a_line_street_by_street():
    exact = lines(RIVER, exact=True)
    assert exact[0] == "pre-flop -> UTG"
    assert exact[5] == "BTN open 2.5bb -> BB"
    assert exact[8] == "BTN open 2.5bb, BB call | flop BB check, BTN bet 33% -> BB"
    assert exact[-1] == (
        "BTN open 2.5bb, BB call | flop BB check, BTN bet 33%, BB call | turn BB check, BTN check "
        "| river BB bet 44%, BTN raise 70%"
    )
    merged = lines(RIVER)
    assert merged[8] == "BTN open 2.5bb, BB call | flop BB check, BTN bet <40% -> BB"
    assert merged[-1].endswith("river BB bet 40-60%, BTN raise 60-85%")


def test_sizes_of_a_raise_are_of_the_pot_after_the_call():
    """The river: 400 into 910, raised to 1,600: 1,200 more than a call, and 1,710 is in the pot after it."""
    assert pytest.approx(0.33, abs=0.005) == 180 / 550
    assert pytest.approx(0.70, abs=0.005) == 1200 / (910 + 400 + 400)


def test_limps_reraises_and_all_ins():
    assert lines(ALL_IN)[-2] == "UTG limp, HJ raise 4.5bb, BB 3bet all-in -> HJ"
    assert lines(THREE)[-1] == "BTN open 2bb, SB call, BB call | flop SB check, BB check, BTN bet 85-125%"
    assert lines(THREE, exact=True)[-1].startswith("BTN open 2.2bb, SB call, BB call | flop")


def test_limit_has_no_sizes():
    told = lines(pm.example_hand())
    assert not any(character in " ".join(told) for character in "%0123456789".replace("3", ""))
    assert all(stack_class(decision.situation) == ANY_STACK for decision in pm.example_hand().replay())


def test_a_straddle_is_told():
    spec = GameSpec((50, 100, 200, 0), (100, 100, 100, 100), (3, 0, 0, 0), structure="no limit")
    hand = pm.Hand("made up", "1", spec, list("abcd"), [pm.game.Action(3, pm.Act.FOLD)], "", {}, [10_000] * 4)
    assert lines(hand)[0] == "straddled -> BTN"


def test_stacks_are_effective():
    """Of 1,500 chips only so many count, for the player and against them; who folded does not count."""
    found = [stack_class(decision.situation) for decision in ALL_IN.replay()]
    assert found[0] == "100 and more"  # others have 10,000
    assert found[5] == "below 20"  # the big blind itself
    assert found[-1] == "below 20"  # alone against the big blind
    unknown = pm.Hand("x", "1", ALL_IN.spec, ALL_IN.players, ALL_IN.actions[:1], "", {}, [None] * 6)
    assert stack_class(next(iter(unknown.replay())).situation) == DEPTHS[-1]


def test_words_are_those_of_the_classes_of_sizes():
    assert len(SIZE_WORDS) == len(SIZE_CLASSES)


@pytest.mark.parametrize("structure", ["no limit", "pot limit"])
def test_nodes_of_a_hand_differ(structure):
    """What leads from one node to the next is in the words, unless everybody before folded."""
    for seed in range(40):
        found = lines(played_free(seed, seed, list("abcdef"), structure), exact=True)[:-1]
        assert len(set(found)) == len(found)


def test_a_raise_that_nobody_can_call():
    """The rules do not offer it, but histories have it."""
    acts = [(2, F, None), (3, F, None), (4, F, None), (5, R, 250), (0, F, None), (1, C, None), (1, R, 300)]
    uncalled = hand(6, [*acts, (5, R, 1000)], "Kh7h2c5d9s", stacks=(10_000, 550, 10_000, 10_000, 10_000, 10_000))
    assert lines(uncalled)[-1] == "BTN open 2.5bb, BB call | flop BB bet all-in, BTN raise max"
