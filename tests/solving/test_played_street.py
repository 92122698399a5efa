"""Subgames of real hands: what is taken from them, and what is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.game import Act, GameSpec
from pokermodel.game.live import LiveHand
from pokermodel.reading import OpponentModeler, Reader, Update
from pokermodel.solving import Solution, Subgame, solve
from tests.common.six_handed import ALL_IN, CHECKED, RIVER
from tests.common.solving import of_hand

F, C, R = Act.FOLD, Act.CALL, Act.RAISE


class Told(OpponentModeler):
    """A session that must not be told cards."""

    def hold(self, holding):
        raise AssertionError("the session was told the hero's cards")


def test_a_node_in_the_middle_of_a_street():
    """The street begins without a bet; the pot is of the streets before, and the line is the node."""
    decisions = list(RIVER.replay())
    last = decisions[-1]
    spot = of_hand(RIVER, last, OpponentModeler())
    assert (spot.board, spot.pot, spot.stacks) == ("Kh7h2c5d9s", 910, (9570, 9570))
    assert spot.played.node == "r:0:b400:b1600"
    assert (spot.played.names, spot.played.player, spot.played.done) == (("Bea", "Dee"), 0, "f")
    solution = Solution(spot)
    assert [act.part for act in solution.acts("r:0:b400:b1600")][:2] == ["f", "c"]
    assert "b400" in [act.part for act in solution.acts("r:0")]
    assert "b400" not in [act.part for act in solution.acts("r:0:c")]  # who did not make it has the usual sizes


def test_tables_are_those_at_the_beginning_of_the_street():
    decisions = list(RIVER.replay())
    session = OpponentModeler()
    for decision in decisions[:-3]:
        session.observe(decision)
    session.deal(RIVER.board)
    spot = of_hand(RIVER, len(decisions) - 1, OpponentModeler(), floor=0.0)
    for table, seat in zip(spot.ranges, (1, 5), strict=True):
        assert np.allclose(table.values, session.table(seat).values)


def test_the_session_is_neither_told_cards_nor_changed():
    hand = pm.Hand(
        RIVER.source, RIVER.id, RIVER.spec, RIVER.players, RIVER.actions, RIVER.board, {5: "AsAd"}, RIVER.stacks
    )
    plain = of_hand(RIVER, 12, OpponentModeler())
    session = Told(hero="Dee")
    first = next(iter(hand.replay()))
    session.observe(first)
    before = session.table("Bea")
    spot = of_hand(hand, 12, session)
    assert all(a == b for a, b in zip(spot.ranges, plain.ranges, strict=True))
    assert session.table("Bea") == before
    assert spot.ranges[0]["AsAd"] > 0  # possible for the opponent


def test_all_acts_of_hands_lead_to_nodes():
    """Whatever was bet is in the tree, in every structure."""
    seen = set()
    for k in range(60):
        structure = ("limit", "pot limit", "no limit")[k % 3]
        hand = played(structure, k)
        for decision in hand.replay():
            if decision.round < 3 or decision.out_of_turn:
                continue
            spot = of_hand(hand, decision, OpponentModeler("uniform"))
            acts = Solution(spot).acts(spot.played.node)
            assert spot.played.done in [act.part for act in acts], (structure, k, spot.played)
            seen.add((structure, decision.act))
    assert len(seen) >= 8


def played(structure, seed):
    """A hand of two to the river, with bets of any size."""
    rng = np.random.default_rng(seed)
    spec = GameSpec.heads_up(5, 10) if structure == "limit" else GameSpec.no_limit(2, 5, 10)
    if structure == "pot limit":
        spec = GameSpec.pot_limit(2, 5, 10)
    stacks = [int(rng.integers(60, 900)), int(rng.integers(60, 900))]
    live = LiveHand(spec, ["Ann", "Bo"], stacks=stacks)
    actions = []
    board = "QsJh2h8c3d"
    while not live.state.over:
        live.deal(board[: 2 * (0, 3, 4, 5)[live.state.round]])
        situation = live.situation()
        act, to = C, None
        if situation.round == 3 and rng.random() < 0.7:
            act = situation.legal[int(rng.integers(len(situation.legal)))]
            if act == R:
                low, high = situation.raise_range
                to = low if rng.random() < 0.2 else int(rng.integers(low, high + 1))
        actions.append((situation.seat, act, False, to))
        live.act(act, to)
    return pm.Hand("", str(seed), spec, ["Ann", "Bo"], actions, board, {}, stacks)


def test_limit_needs_no_stacks():
    acts = [(0, 2), (1, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 2), (0, 2), (1, 1)]
    hand = pm.Hand("", "1", GameSpec.heads_up(5, 10), ["Ann", "Bo"], acts, "QsJh2h8c3d")
    spot = of_hand(hand, 8, OpponentModeler())
    assert (spot.big_bet, spot.cap, spot.pot) == (20, 4, 40)
    solution = solve(spot, 1.0)
    assert solution.exploitability <= 1.0
    assert [act.part for act in solution.acts(spot.played.node)] == ["f", "c", "b60"]


def test_limit_without_a_cap_between_two():
    """The tree has as many raises as were made."""
    spec = dataclasses.replace(GameSpec.heads_up(5, 10), cap_heads_up=False)
    begin = [(0, C), (1, C), (1, C), (0, C), (1, C), (0, C)]

    def river(raises):
        acts = [*begin, *[(1 - k % 2, R) for k in range(raises)], (1 - raises % 2, C)]
        return pm.Hand("", "1", spec, ["Ann", "Bo"], acts, "QsJh2h8c3d")

    spot = of_hand(river(6), 12, OpponentModeler("uniform"))
    assert spot.cap == 6
    assert [act.part for act in Solution(spot).acts(spot.played.node)] == ["f", "c"]
    with pytest.raises(ValueError, match="the street has 21 bets and raises, and at most 20 can be solved"):
        of_hand(river(21), 27, OpponentModeler("uniform"))


def test_sizes_that_are_asked_for():
    """The sizes that were made stay beside them; a usual size that is near to one makes room."""
    asked = of_hand(RIVER, 12, OpponentModeler(), bets=["45%"], raises=[])
    assert asked.menu("river", "oop").bets == ("43.956043956%", "45%")
    assert asked.menu("river", "ip").bets == ("45%",)
    assert len(asked.menu("river", "ip").raises) == 1
    usual = of_hand(RIVER, 11, OpponentModeler())
    assert usual.menu("river", "oop").bets == ("43.956043956%", "50%", "100%", "all-in")
    half = list(CHECKED.replay())[-2]
    assert of_hand(CHECKED, half, OpponentModeler()).menu("turn", "oop").bets[1:] == ("100%", "all-in")


def test_menus_of_streets_keep_what_was_made():
    """They go before what is said of all streets, but the tree has to have what the players did."""
    streets = {"river": {"bets": ["75%"], "raises": [], "ip": {"donk": False}}}
    spot = of_hand(RIVER, 12, OpponentModeler(), streets=streets)
    assert "b1600" in [act.part for act in Solution(spot).acts("r:0:b400")]
    assert not spot.menu("river", "ip").donk
    assert spot.menu("river", "oop").bets == ("43.956043956%", "75%")
    assert spot.menu("river", "oop").raises == ()


class Sure(Reader):
    """Takes everybody to have one holding, or none, before they act."""

    reads_sizes = True

    def __init__(self, holding=None):
        self.holding = holding

    def prior(self, player):
        return np.where(np.arange(1326) == self.holding, 1.0, 0.0)

    def judge(self, spot, act, put_in):
        return Update(None, "says nothing")


def test_a_floor_keeps_every_holding():
    sure = OpponentModeler(Sure(holding_index("AsAd")), learning=False)
    spot = of_hand(RIVER, 12, sure)
    assert np.count_nonzero(spot.ranges[0].values) == 47 * 46 // 2
    assert spot.ranges[0]["AcAd"] == pytest.approx(1e-4)
    assert np.count_nonzero(of_hand(RIVER, 12, sure, floor=0.0).ranges[0].values) == 1


def test_trim_keeps_a_holding():
    spot = Subgame("QsJh2h8c3d", 100, 100, ("AA,KK:.5,72o:.01", "QQ"))
    few = spot.trim(0.1, {0: "7s2d"})
    assert few.ranges[0]["7s2d"] == 0.01
    assert few.ranges[0]["7c2d"] == 0
    assert spot.ranges[0]["7c2d"] == 0.01
    with pytest.raises(ValueError, match="expected a share from 0 to 1"):
        spot.trim(2)


def test_the_row_of_a_holding():
    spot = Subgame("QsJh2h8c3d", 200, 900, ("QQ,AK,98s", "JJ,KK,T9s"), bets=["50%"])
    solution = solve(spot, 0.1)
    row = solution.row("AsKs")
    assert sum(act["frequency"] for act in row["acts"]) == pytest.approx(1)
    assert sum(act["frequency"] * act["ev"] for act in row["acts"]) == pytest.approx(row["ev"], abs=1e-3)
    with pytest.raises(ValueError, match="AsAd is not in the range"):
        solution.row("AsAd")


def test_what_is_refused():
    session = OpponentModeler()
    unknown = pm.Hand(RIVER.source, "9", RIVER.spec, RIVER.players, RIVER.actions, RIVER.board)
    example = pm.example_hand()
    for hand, decision, message in [
        (RIVER, 0, "the decision of Uma is before the flop"),
        (RIVER, 99, "has no act 100"),
        (RIVER, "x", "expected a decision of the hand or its index"),
        (RIVER, next(iter(ALL_IN.replay())), "is not one of hand 1"),
        (example, 27, "2 players are left, and 3 were at the beginning of the street"),
        (unknown, 12, "the stack of Bea and Dee is not known"),
    ]:
        with pytest.raises(ValueError, match=message) as error:
            of_hand(hand, decision, session)
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="floor must be a share"):
        of_hand(RIVER, 12, session, floor=2)


def test_a_dead_range_is_refused():
    with pytest.raises(ValueError, match=r"the range of Bea is dead on Kh7h2c5d9s: no holding is left"):
        of_hand(RIVER, 12, OpponentModeler(Sure(), learning=False))
