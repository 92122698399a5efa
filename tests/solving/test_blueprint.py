"""Blueprints: buckets, learning, files, and what a best response takes from them."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pokermodel._core.blueprint import flop_moments, nested_buckets, river_buckets, turn_moments
from pokermodel._core.solver import BEST
from pokermodel.cards import card_indices, holding_cards, holding_index
from pokermodel.evaluation import evaluate_many
from pokermodel.executors import Processes, Threads
from pokermodel.game import Act, GameSpec
from pokermodel.solving import Blueprint, BlueprintGame, exploit_from
from pokermodel.solving.blueprint import _Learning
from pokermodel.solving.resolving import blueprint_solution
from pokermodel.solving.tree import CARDS_OF, renamed_holdings

TINY = {"buckets": (12, 12, 6), "rounds": 3, "flops": 1, "boards": 4, "jobs": 1}


@pytest.fixture(scope="module")
def tiny():
    return Blueprint.build(seed=5, **TINY)


@pytest.fixture(scope="module")
def learnt():
    return Blueprint.build(seed=1, buckets=(60, 60, 20), rounds=30, flops=1, boards=12, jobs=1)


# ------------------------------------------------------------------------------------------------- buckets


def _share_beaten(board, holding):
    """By enumeration of what the opponent can hold."""
    own = holding_cards(holding)
    dead = {*board, *own}
    others = [k for k in range(1326) if not dead & set(holding_cards(k))]
    hands = [(*own, *board), *((*holding_cards(k), *board) for k in others)]
    ranks = evaluate_many(np.array(hands))
    return ((ranks[0] > ranks[1:]).sum() + (ranks[0] == ranks[1:]).sum() / 2) / len(others)


def test_moments_are_those_of_strengths_on_all_rivers():
    board = card_indices("Qs7h2h9c")
    holding = holding_index("Jh8h")
    rivers = [card for card in range(52) if card not in {*board, *holding_cards(holding)}]
    shares = np.array([_share_beaten((*board, card), holding) for card in rivers])
    found = turn_moments(board)[:, holding]
    assert found == pytest.approx([shares.mean(), (shares**2).mean()], abs=1e-12)


def test_moments_of_a_flop_are_means_of_those_of_its_turns():
    flop = card_indices("Qs7h2h")
    found = flop_moments(flop)
    holding = holding_index("Jh8h")
    turns = [card for card in range(52) if card not in {*flop, *holding_cards(holding)}]
    assert found[52, :, holding] == pytest.approx(found[turns, :, holding].mean(axis=0), abs=1e-12)
    for turn in turns[:3]:
        live = ~np.isin(CARDS_OF, (*flop, turn)).any(axis=1)
        assert (found[turn][:, live] == turn_moments((*flop, turn))[:, live]).all()


def test_buckets_do_not_depend_on_names_of_suits(tiny):
    renaming = (2, 0, 3, 1)
    for board in ("Qs7h2h", "Qs7h2h9c", "Qs7h2h9c3d"):
        cards = card_indices(board)
        other = tuple((card & ~3) | renaming[card & 3] for card in cards)
        live = ~np.isin(CARDS_OF, cards).any(axis=1)
        assert (tiny.buckets(cards)[live] == tiny.buckets(other)[renamed_holdings(renaming)][live]).all()


def test_nested_buckets_are_counted_by_their_borders():
    moments = np.array([[0.1, 0.9, 0.5, 0.5], [0.2, 0.2, 0.7, 0.5]])
    found = nested_buckets(moments, np.array([0.5]), np.array([[0.5], [0.6]]))
    assert found.tolist() == [0, 1, 2, 2]  # a border belongs to what is above it


def test_river_buckets_go_by_the_share_of_holdings_that_is_beaten():
    board = card_indices("Qs7h2h9c3d")
    found = river_buckets(board, 10)
    for holding in ("Jh8h", "QdQc", "4c5c", "AsKs"):
        share = _share_beaten(board, holding_index(holding))
        assert found[holding_index(holding)] == int(share * 1980 * 10 / 1981)


def test_holdings_with_a_card_of_the_board_have_no_strategy(tiny):
    row = tiny.strategy([Act.CALL, Act.CALL], "Qs7h2h")
    dead = np.isin(CARDS_OF, card_indices("Qs7h2h")).any(axis=1)
    assert np.isnan(row[dead]).all()
    assert row[~dead].sum(axis=1) == pytest.approx(1.0)


# ------------------------------------------------------------------------------------------------- learning


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(tiny, tmp_path):
    tiny.save(tmp_path / "one.npz")
    for name, executor in ("threads", Threads(3)), ("processes", Processes(2)):
        more = {key: value for key, value in TINY.items() if key != "jobs"}
        Blueprint.build(seed=5, executor=executor, **more).save(tmp_path / f"{name}.npz")
        assert (tmp_path / f"{name}.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()
    other = Blueprint.build(seed=6, **TINY)
    assert other.numbers.shape != tiny.numbers.shape or (other.numbers != tiny.numbers).any()


def test_a_build_that_is_interrupted_goes_on_where_it_was(tiny, tmp_path):
    part = tmp_path / "part"
    learning = _Learning(tiny.game, tiny.about)
    rounds = learning.run(Threads(1))
    next(rounds)
    learning.save(part)
    done = []
    found = Blueprint.build(seed=5, checkpoint=part, progress=lambda k, of: done.append((k, of)), **TINY)
    assert done == [(2, 3), (3, 3)]
    assert (found.numbers == tiny.numbers).all()
    assert not part.exists()


def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path):
    code = (
        "import sys; from pokermodel.solving import Blueprint;"
        "Blueprint.build(seed=5, buckets=(12, 12, 6), rounds=int(sys.argv[2]), flops=1, boards=4, jobs=1,"
        "checkpoint=sys.argv[1])"
    )
    part = tmp_path / "part"
    run = subprocess.Popen([sys.executable, "-c", code, str(part), "100000"])
    for _ in range(1200):
        if part.exists():
            break
        time.sleep(0.05)
    run.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
    run.wait()
    with np.load(part) as archive:
        learnt = [archive[name].copy() for name in ("regret", "average")]
    learning = _Learning(BlueprintGame.limit(), Blueprint.build(seed=5, **TINY).about)
    learning.resume(part)
    rounds = learning.round
    assert rounds > 0
    assert rounds % 5 == 0
    again = _Learning(learning.game, learning.about._replace(rounds=rounds))
    list(again.run(Threads(1)))
    assert (again.regret == learnt[0]).all()
    assert (again.average == learnt[1]).all()


def test_a_checkpoint_of_another_build_is_refused(tiny, tmp_path):
    part = tmp_path / "part"
    _Learning(tiny.game, tiny.about).save(part)
    with pytest.raises(ValueError, match="a checkpoint of another build"):
        Blueprint.build(seed=6, checkpoint=part, **TINY)
    part.write_bytes(b"what is this")
    with pytest.raises(ValueError, match="not a checkpoint that pokermodel saved"):
        Blueprint.build(seed=5, checkpoint=part, **TINY)


def test_what_is_learnt_plays_poker(learnt):
    first = learnt.strategy()
    assert first[holding_index("7c2d"), 0] > 0.9  # folds
    assert first[holding_index("AsAh"), 0] < 0.02
    assert first[holding_index("AsAh"), 2] > first[holding_index("8s4h"), 2]


def test_learning_lowers_what_a_best_response_takes(tiny, learnt):
    before, after = (exploit_from(each, 3, 40, 1) for each in (tiny, learnt))
    assert after.mean < 0.6 * before.mean


# ------------------------------------------------------------------------------------------------- questions


def test_the_reach_of_a_node_is_the_product_of_what_leads_to_it(tiny):
    acts = [Act.RAISE, Act.CALL, Act.CALL, Act.RAISE]
    node = tiny.tree.find(acts)
    button, other = tiny.reach(node, "Qs7h2h")
    k = holding_index("AdKd")
    called = tiny.strategy([Act.RAISE])[k, 1] * tiny.strategy(acts[:2], "Qs7h2h")[k, 0]
    assert other[k] == pytest.approx(called)
    raised = tiny.strategy()[k, 2] * tiny.strategy(acts[:3], "Qs7h2h")[k, 1]
    assert button[k] == pytest.approx(raised)


def test_a_solution_that_plays_the_blueprint_has_its_strategies(tiny):
    node = tiny.tree.find([Act.RAISE, Act.CALL, Act.CALL, Act.CALL])
    board = card_indices("Qs7h2h9c")
    solution = blueprint_solution(tiny, node, board)
    live = ~np.isin(CARDS_OF, board).any(axis=1)
    assert solution.strategy("r:0")[live] == pytest.approx(tiny.strategy(node, board)[live], abs=1e-6)
    river = solution.strategy("r:0:c:c:3d")
    further = tiny.strategy([Act.RAISE, *[Act.CALL] * 5], "Qs7h2h9c3d")
    live &= ~np.isin(CARDS_OF, card_indices("3d")).any(axis=1)
    assert river[live] == pytest.approx(further[live], abs=1e-6)


def test_exploitation_is_that_of_best_responses_over_all_holdings(tiny):
    """By one subgame: what both could gain is what the walk over all nodes says."""
    node = tiny.tree.find([Act.CALL] * 6)
    solution = blueprint_solution(tiny, node, "Qs7h2h9c3d")
    gain = sum(solution.best_response(player).value - solution.value(player) for player in range(2))
    total = sum(solution.value(player) for player in range(2))
    assert total == pytest.approx(solution.subgame.pot, abs=1e-3)
    best = sum(solution._mean_at_root(BEST, player) for player in range(2))
    assert best * solution.subgame.unit == pytest.approx(gain, abs=1e-3)


# ------------------------------------------------------------------------------------------------- files and errors


def test_a_file_holds_all_of_it(tiny, tmp_path):
    tiny.save(tmp_path / "some" / "tiny.npz")
    found = Blueprint.load(tmp_path / "some" / "tiny.npz")
    assert found.game == tiny.game
    assert found.about == tiny.about
    assert (found.numbers == tiny.numbers).all()
    assert (found.buckets("Qs7h2h9c") == tiny.buckets("Qs7h2h9c")).all()


def test_what_is_no_blueprint_is_refused(tiny, tmp_path):
    path = tmp_path / "x.npz"
    path.write_bytes(b"PK what")
    with pytest.raises(ValueError, match="not a blueprint that pokermodel saved"):
        Blueprint.load(path)
    tiny.save(path)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(path, **{**arrays, "strategy": arrays["strategy"][:-1]})
    with pytest.raises(ValueError, match="a damaged blueprint"):
        Blueprint.load(path)
    about = bytes(arrays["about"]).replace(b'"version": 1', b'"version": 9')
    np.savez(path, **{**arrays, "about": np.frombuffer(about, dtype=np.uint8)})
    with pytest.raises(ValueError, match="a blueprint of version 9"):
        Blueprint.load(path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"buckets": (1, 2)}, "buckets must be three numbers"),
        ({"buckets": (10, 10, 3000)}, "buckets must be three numbers"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"seed": -1}, "the seed must be 0 or more"),
        ({"game": "no limit"}, "game must be 'limit' or a BlueprintGame"),
    ],
)
def test_bad_arguments_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Blueprint.build(**{**TINY, **given})


def test_games_that_a_blueprint_fits():
    game = BlueprintGame.limit()
    assert BlueprintGame.of_spec(GameSpec.heads_up(5, 10)) == game
    assert BlueprintGame.of_spec(GameSpec.heads_up(5, 10, button=1)) == game
    assert BlueprintGame.of_spec(GameSpec.heads_up(1, 3)) is None
    assert BlueprintGame.of_spec(GameSpec.ring(3, 5, 10)) is None
    assert BlueprintGame.of_spec(GameSpec.no_limit(2, 5, 10)) is None


def test_acts_that_lead_nowhere_are_refused(tiny):
    with pytest.raises(ValueError, match="over after these acts"):
        tiny.strategy([Act.FOLD])
    with pytest.raises(ValueError, match="over before the last"):
        tiny.strategy([Act.FOLD, Act.CALL])
    with pytest.raises(ValueError, match="nobody can raise there"):
        tiny.strategy([Act.RAISE] * 4)
    with pytest.raises(ValueError, match="round with 3 cards"):
        tiny.strategy([Act.CALL, Act.CALL])
