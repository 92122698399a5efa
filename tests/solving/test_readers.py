"""A person as a strategy: locks that a reader makes."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, GameSpec
from pokermodel.game.live import LiveHand
from pokermodel.reading import OpponentModeler, Spot, spot_of
from pokermodel.reading.adaptive.sizes import CLASS_OF
from pokermodel.solving import Lock, Solution, Subgame, locks_from, solve
from pokermodel.solving.readers import CONFIDENCE_STRENGTH, confidence_of
from tests.common.six_handed import CHECKED, RIVER
from tests.common.solving import of_hand

LIMIT = pm.Hand(
    "",
    "1",
    GameSpec.heads_up(5, 10),
    ["Ann", "Bo"],
    [(0, 2), (1, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 2), (0, 2), (1, 1)],
    "QsJh2h8c3d",
)


TURN = len(list(CHECKED.replay())) - 2


def river(session):
    """The street of a decision on the river, and its spot."""
    return of_hand(RIVER, 12, session), spot_of(session, RIVER, 12)


def turn(session, **more):
    """The same on a turn, with few sizes."""
    subgame = of_hand(CHECKED, TURN, session, bets=["50%"], raises=[], **more)
    return subgame, spot_of(session, CHECKED, TURN)


def along(hand, spot, parts):
    """The real hand after acts of the tree, as a live hand that can be followed by a session."""
    live = LiveHand(hand.spec, hand.players, source=hand.source, hand_id=hand.id, stacks=hand.stacks)
    live.deal(hand.board)
    for decision in hand.replay():
        if len(decision.board) < len(spot.cards):
            live.act(decision.act, decision.to)
    for part in parts:
        act = {"f": Act.FOLD, "c": Act.CALL}.get(part, Act.RAISE)
        to = None if act != Act.RAISE else round(float(part[1:]) / hand.money(1))
        live.act(act, None if hand.spec.structure.fixed else to)
    return live


def expected(session, hand, spot, parts):
    """What the session itself says at a node, after it has observed the acts that lead there."""
    live = along(hand, spot, parts)
    reading = session.copy()
    for decision in live.decisions:
        reading.observe(decision)
    reading.deal(live.dealt)
    situation = live.situation()
    return reading.reader.expect(reading.spot(situation)), situation


@pytest.mark.parametrize(("hand", "index"), [(RIVER, 12), (LIMIT, 8)])
def test_a_lock_is_what_the_reader_expects_there(hand, index):
    session = OpponentModeler()
    for _ in range(5):
        session.learn(hand)
    spot, seen = of_hand(hand, index, session), 0
    for who in (0, 1):
        for lock in locks_from(spot_of(session, hand, index), spot, who, confidence=1):
            parts = lock.node.split(":")[2:]
            if sum(part[0] == "b" for part in parts) > 2:
                continue
            acts = lock.strategy.parts
            found = lock.probabilities(acts)
            said, situation = expected(session, hand, spot, parts)
            triples = said.triples
            possible = ~np.isnan(triples).any(axis=1)
            raises = [k for k, act in enumerate(acts) if act[0] == "b"]
            offered = np.stack([triples[:, act] * (act != Act.FOLD or "f" in acts) for act in range(3)], axis=1)
            offered[:, 2] *= bool(raises)
            offered /= offered.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(found[possible, acts.index("c")], offered[possible, 1], atol=2e-6)
            np.testing.assert_allclose(found[possible][:, raises].sum(axis=1), offered[possible, 2], atol=2e-6)
            if len(raises) > 1 and said.size_shares is not None:
                check_sizes(session, situation, said, found[:, raises], possible)
                seen += 1
    assert hand is LIMIT or seen > 2


def check_sizes(session, situation, said, raised, possible):
    """Sizes of the tree: the largest is likelier with holdings with which the reader expects large sizes."""
    share = raised / raised.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(share[possible].sum(axis=1), 1, atol=1e-6)
    order = np.argsort(CLASS_OF)  # classes rise with sizes
    assert (np.diff(CLASS_OF[order]) >= 0).all()
    large = said.size_shares[possible][:, 4:].sum(axis=1)
    mine = share[possible][:, -1]
    if large.std() > 1e-3 and mine.std() > 1e-3:
        assert np.corrcoef(large, mine)[0, 1] > 0.7


def test_boards_after_a_card():
    """On the river of a turn tree the strategy is what the reader expects after that card."""
    session = OpponentModeler()
    spot, where = turn(session)
    [lock] = [each for each in locks_from(where, spot, 1, confidence=1) if each.node == "r:0:c:c:*:c"]
    solution = Solution(spot.with_locks([lock]))
    place = solution.tree.place("r:0:c:c:9d:c")
    found = lock.probabilities(lock.strategy.parts, place.cards)
    whole = pm.Hand(
        CHECKED.source, CHECKED.id, CHECKED.spec, CHECKED.players, CHECKED.actions[:-2], (*CHECKED.board, 29), {},
        CHECKED.stacks,
    )  # fmt: skip
    said, _ = expected(session, whole, spot, ["c", "c", "c"])
    possible = ~np.isnan(said.triples).any(axis=1)
    np.testing.assert_allclose(found[possible, 0], said.triples[possible, 1], atol=2e-6)


def test_a_full_lock_is_played():
    """The strategy of a solution with locks of confidence 1 is the reader's, at every node, and the answer the best."""
    session = OpponentModeler()
    spot, where = river(session)
    locks = locks_from(where, spot, "Dee", confidence=1.0)
    answer = solve(spot, 0.2, locks=locks, iterations=2_000)
    for lock in locks:
        found, wanted = answer.strategy(lock.node), lock.probabilities(lock.strategy.parts)
        both = ~np.isnan(found) & ~np.isnan(wanted)
        np.testing.assert_allclose(found[both], wanted[both], atol=1e-4)
    free = solve(spot, 0.2)
    assert answer.value(0) > free.value(0)
    assert answer.worst_case(0) < free.worst_case(0)


def test_suits_need_not_be_told_apart():
    """With symmetric ranges boards are solved once for all names of suits, and nothing else comes out."""
    session = OpponentModeler("adaptive")
    spot, where = turn(session, floor=0.0)
    symmetric = spot.with_locks(locks_from(where, spot, 1, confidence=0.5))
    values = [np.array(table.values) for table in spot.ranges]
    told = spot.with_locks(symmetric.locks)
    values[0][np.flatnonzero(values[0])[0]] *= 1 + 1e-9  # a difference that only tells suits apart
    told.ranges = (pm.WeightTable(values[0], spot.ranges[0].dead), spot.ranges[1])
    one, other = Solution(symmetric), Solution(told)
    assert symmetric.size().boards[1] < told.size().boards[1] == 48
    for each in (one, other):
        each.learn(30)
    assert one.value(0) == pytest.approx(other.value(0), abs=1e-4 * spot.pot)


def test_any_reader_can_be_asked():
    """Readers without a quick way are asked node by node, with the tables after the acts that lead there."""
    session = OpponentModeler("som", learning=False)
    spot, where = of_hand(LIMIT, 8, session), spot_of(session, LIMIT, 8)
    with pytest.raises(ValueError, match="does not say what it has seen of a player: expected a confidence"):
        locks_from(where, spot, "Bo")
    locks = locks_from(where, spot, "Bo", confidence=0.5)
    assert solve(spot, 1.0, locks=locks).exploitability <= 1.0
    for lock in locks:
        said, _ = expected(session, LIMIT, spot, lock.node.split(":")[2:])
        found = lock.probabilities(lock.strategy.parts)
        offered = [{"f": 0, "c": 1}.get(part, 2) for part in lock.strategy.parts]
        wanted = said.triples[:, offered]
        possible = (wanted.sum(axis=1) > 0) & ~np.isin(np.arange(1326), np.flatnonzero(spot.ranges[1].values == 0))
        wanted = wanted[possible] / wanted[possible].sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found[possible], wanted, atol=1e-6)


def test_confidence_follows_the_counts():
    session = OpponentModeler()
    spot, where = river(session)
    assert {lock.confidence for lock in locks_from(where, spot, "Dee")} == {0.0}
    for _ in range(10):
        session.learn(RIVER)
    found = {lock.node: lock.confidence for lock in locks_from(spot_of(session, RIVER, 12), spot, "Dee")}
    bet = "r:0:b400"
    assert found[bet] == pytest.approx(10 / (10 + CONFIDENCE_STRENGTH))  # one raise in each hand
    assert min(found.values()) == 0.0
    assert confidence_of(np.array([0, CONFIDENCE_STRENGTH])).tolist() == [0.0, 0.5]


def test_the_session_is_not_changed():
    session = OpponentModeler(hero="Dee")
    first = next(iter(RIVER.replay()))
    session.observe(first)
    before = session.table("Bea")
    spot, where = river(session)
    locks_from(where, spot, "Dee", confidence=1)
    assert session.table("Bea") == before


def test_what_is_refused():
    session = OpponentModeler()
    plain = Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"))
    spot, where = river(session)
    with pytest.raises(ValueError, match="the subgame is of no hand"):
        locks_from(where, plain, 0)
    with pytest.raises(ValueError, match="unknown player 'Sam': expected Bea or Dee"):
        locks_from(where, spot, "Sam")
    with pytest.raises(ValueError, match="expected a spot with a reader"):
        locks_from(Spot.of(list(RIVER.replay())[:13]), spot, "Bea")
    lock = locks_from(where, spot, 0, confidence=1)[0]
    other = Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"), bets=["75%"])
    with pytest.raises(ValueError, match="is for"):
        Solution(other.with_locks([lock]))


@pytest.mark.parametrize("floor", [0.0, 1e-4])
def test_a_solution_with_locks_of_a_reader_is_saved(tmp_path, floor):
    """Locks on every board, the decision of the hand, and what is learnt go on as they were."""
    session = OpponentModeler()
    spot, where = turn(session, floor=floor)
    own = Lock("r:0:c:c:*:c", [0.5, 0.5], 0.25)
    solution = Solution(spot.with_locks([*locks_from(where, spot, 1, confidence=0.5), own]))
    solution.learn(10)
    solution.save(tmp_path / "saved")
    loaded = Solution.load(tmp_path / "saved")
    played, again = spot.played, loaded.subgame.played
    assert (again.node, again.names, again.player, again.done) == (
        played.node,
        played.names,
        played.player,
        played.done,
    )
    with pytest.raises(ValueError, match="the subgame is of no hand"):
        locks_from(where, loaded, 1)
    for each in (solution, loaded):
        each.learn(10)
    np.testing.assert_array_equal(solution.strategy("r:0:c"), loaded.strategy("r:0:c"))
    np.testing.assert_array_equal(solution.strategy("r:0:c:c:9d:c"), loaded.strategy("r:0:c:c:9d:c"))
    assert loaded.value(0) == solution.value(0)
    again_saved = tmp_path / "again"
    loaded.save(again_saved)
    assert Solution.load(again_saved).value(0) == solution.value(0)


def test_locks_that_tell_no_suits_apart_stay_so(tmp_path):
    """Boards that differ by names of suits are solved once, in what is loaded, too."""
    spot = Subgame("QsJh2h8c", 100, 500, ("QQ,AK,98s", "JJ,KK,T9s"), bets=["75%"], raises=[])
    solution = Solution(spot.with_locks([Lock("r:0:b75", {"f": 0.5, "c": 0.5}, 0.5)]))
    solution.learn(10)
    solution.save(tmp_path / "saved")
    assert Solution.load(tmp_path / "saved").value(0) == solution.value(0)


def test_memory_of_locks():
    """Locks on all boards are counted before they are made."""
    session = OpponentModeler()
    spot, where = turn(session)
    locks = locks_from(where, spot, 1, confidence=0.5)
    with pytest.raises(ValueError, match=r"the locks need \d+ MB: there are 1 MB"):
        solve(spot, memory=1_000_000, locks=locks)
    size = spot.size()
    with pytest.raises(ValueError, match="solving needs"):
        solve(spot, memory=size.bytes_16, locks=locks)
