"""The deceptive rules of Loki-1: where each applies, how often, and what becomes of a check-raise."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import card_indices
from pokermodel.classics.loki1.deception import Deceived, balances, bluffs_river, checks_to_raise, deceptive_action
from pokermodel.classics.loki1.opponents import UNIFORM, FixedTables
from pokermodel.classics.loki1.player import Loki1
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import Deal, play_hand, tournament
from pokermodel.tables.players import Player, make_player

#: A free decision on the flop with three players behind.
FREE = {
    "strength": 0.95,
    "river": False,
    "to_call": 0,
    "num_bets": 0,
    "opponents": 3,
    "behind": 3,
    "check_raise": False,
    "chance": 0.0,
}
#: The first bet of the round is to be called.
FACED = {**FREE, "to_call": 4, "num_bets": 1, "behind": 0, "strength": 0.6}
#: A free decision on the river with nothing.
NOTHING = {**FREE, "river": True, "strength": 0.05, "opponents": 2, "behind": 0}


@pytest.mark.parametrize(
    ("base", "changes", "act", "expected"),
    [
        # a check-raise: .92, three behind, 60%
        (FREE, {}, Act.RAISE, (Act.CALL, True)),
        (FREE, {"behind": 5, "strength": 0.92, "chance": 0.599}, Act.RAISE, (Act.CALL, True)),
        (FREE, {"chance": 0.60}, Act.RAISE, (Act.RAISE, False)),
        (FREE, {"behind": 2}, Act.RAISE, (Act.RAISE, False)),
        (FREE, {"strength": 0.919}, Act.RAISE, (Act.RAISE, False)),
        # without the strength: .50 to .70, 5%
        (FREE, {"strength": 0.5, "chance": 0.049}, Act.RAISE, (Act.CALL, True)),
        (FREE, {"strength": 0.7, "chance": 0.05}, Act.RAISE, (Act.RAISE, False)),
        (FREE, {"strength": 0.7, "behind": 2}, Act.RAISE, (Act.RAISE, False)),
        (FREE, {"strength": 0.71}, Act.RAISE, (Act.RAISE, False)),
        (FREE, {"strength": 0.49}, Act.CALL, (Act.CALL, False)),
        # its second half: the first bet is raised for certain, with any strength
        (FACED, {"check_raise": True, "chance": 0.99}, Act.CALL, (Act.RAISE, False)),
        (FACED, {"check_raise": True, "chance": 0.99, "strength": 0.1}, Act.FOLD, (Act.RAISE, False)),
        (FACED, {"check_raise": True, "num_bets": 2}, Act.FOLD, (Act.FOLD, False)),
        # a raise instead of a call of the first bet: 10%
        (FACED, {"chance": 0.099}, Act.CALL, (Act.RAISE, False)),
        (FACED, {"chance": 0.10}, Act.CALL, (Act.CALL, False)),
        (FACED, {"num_bets": 2}, Act.CALL, (Act.CALL, False)),
        (FACED, {}, Act.FOLD, (Act.FOLD, False)),
        # a bluff on the river: .10, two opponents, 15%
        (NOTHING, {"strength": 0.1, "chance": 0.149}, Act.CALL, (Act.RAISE, False)),
        (NOTHING, {"chance": 0.15}, Act.CALL, (Act.CALL, False)),
        (NOTHING, {"opponents": 3}, Act.CALL, (Act.CALL, False)),
        (NOTHING, {"strength": 0.11}, Act.CALL, (Act.CALL, False)),
        (NOTHING, {"river": False}, Act.CALL, (Act.CALL, False)),
    ],
)
def test_what_is_done_instead(base, changes, act, expected):
    found = deceptive_action(act, **{**base, **changes})
    assert isinstance(found, Deceived)
    assert found[:2] == expected
    assert bool(found.reason) == (found.act != act or found.check_raise)


@pytest.mark.parametrize(
    ("rule", "share"),
    [
        (lambda chance: checks_to_raise(0.95, 3, chance), 0.60),
        (lambda chance: checks_to_raise(0.60, 3, chance), 0.05),
        (lambda chance: bluffs_river(0.05, 1, chance), 0.15),
        (lambda chance: balances(1, chance), 0.10),
    ],
)
def test_how_often(rule, share):
    draws = np.random.default_rng(1).random(20_000)
    assert np.mean([rule(chance) for chance in draws.tolist()]) == pytest.approx(share, abs=0.015)


# --------------------------------------------------------------------------------------------------- at the table

FIVE = GameSpec.ring(5, 1, 2)
#: The first player flops a royal flush, the others next to nothing.
DEAL = Deal(
    tuple(tuple(sorted(card_indices(text), reverse=True)) for text in ("AhKh", "2c7d", "3c8d", "4c9d", "5s6s")),
    card_indices("QhJhTh2d3s"),
)


class Bold(Player):
    """Calls before the flop, and bets once on the flop if nobody has."""

    def act(self, view):
        return Act.RAISE if view.round == 1 and view.num_bets == 0 else Act.CALL


class Caller(Loki1):
    """Loki-1 that calls before the flop, to see one."""

    def _before_flop(self, situation, holding):
        return Act.CALL, "to see the flop"


def flops(kind, hands, last):
    """What the first player does on the flop, hand by hand."""
    player = make_player(kind)
    player.loki = Caller()
    others = [make_player("call"), make_player("call"), make_player("call"), last]
    found = []
    for number in range(hands):
        played = play_hand(FIVE, "abcde", [player, *others], DEAL, hand_id=str(number), entropy=number)
        found.append([each.act for each in played.decisions if each.round == 1 and each.seat == 0])
    return found


@pytest.mark.parametrize("kind", ["gom", "som", "bpm"])
def test_a_check_raise_has_two_halves(kind):
    assert flops(kind, 2, Bold()) == [[Act.RAISE], [Act.RAISE]]  # nobody raises
    hands = flops(f"{kind}?deceptive=1", 40, Bold())
    assert {tuple(hand) for hand in hands} == {(Act.RAISE,), (Act.CALL, Act.RAISE)}
    assert 0.4 < np.mean([len(hand) == 2 for hand in hands]) < 0.8
    unanswered = flops(f"{kind}?deceptive=1", 20, make_player("call"))
    assert {tuple(hand) for hand in unanswered} == {(Act.RAISE,), (Act.CALL,)}


def test_a_check_that_nobody_bets_into_is_forgotten_in_the_next_round():
    player = make_player("gom?deceptive=1")
    player.loki = Caller()
    seen = set()
    for number in range(20):
        others = [make_player("call") for _ in range(4)]
        play_hand(FIVE, "abcde", [player, *others], DEAL, hand_id=str(number), entropy=number)
        seen.add(player.loki._checked_to_raise)
    assert seen <= {0, 3}  # on the river it may have checked once more
    player.loki.begin()
    assert player.loki._checked_to_raise == 0


def test_the_same_seed_gives_the_same_games():
    text = "gom?deceptive=1*2,som?deceptive=1,bpl?deceptive=1,bpm"
    one, two = (tournament(text, 12, seed=3, block=6, jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.payoffs, two.payoffs)
    plain = tournament(text.replace("?deceptive=1", ""), 12, seed=3, block=6)
    assert not np.array_equal(one.payoffs, plain.payoffs)


@pytest.mark.parametrize("chance", [-0.1, 1.0, float("nan")])
def test_a_chance_is_a_number_below_one(chance):
    with pytest.raises(ValueError, match="chance must be 0 or more and below 1"):
        Loki1().choose(None, "AsKs", FixedTables("uniform", UNIFORM, None), chance=chance)
