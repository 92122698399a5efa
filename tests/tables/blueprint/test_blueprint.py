"""Blueprints: buckets, learning, files, and what a best response takes from them."""

import os
from dataclasses import replace

import numpy as np
import pytest

from pokermodel._core.blueprint import flop_moments, nested_buckets, river_buckets, turn_moments
from pokermodel._core.solver import BEST
from pokermodel._support.saved import read_saved, saved_bytes
from pokermodel.cards import CLASS_OF_HOLDING, card_indices, holding_cards, holding_index
from pokermodel.evaluation import evaluate_many
from pokermodel.evaluation.shares import holding_shares
from pokermodel.executors import Processes, Threads
from pokermodel.game import Act, GameSpec
from pokermodel.solving.tree import CARDS_OF, renamed_holdings
from pokermodel.tables.blueprint import Blueprint, BlueprintGame, exploit_from
from pokermodel.tables.blueprint.blueprint import fitting_blueprints
from pokermodel.tables.blueprint.resolving import blueprint_solution
from tests.common.blueprints import quick_blueprint, quick_learning
from tests.common.faults.runs import killed

TINY = {"buckets": (12, 12, 6), "rounds": 3, "flops": 1, "boards": 4, "jobs": 1}


@pytest.fixture(scope="module")
def tiny():
    return quick_blueprint(seed=5, **TINY)


@pytest.fixture(scope="module", params=["quickly", pytest.param("longer", marks=pytest.mark.slow)])
def learnt(request):
    """The longer one with borders on as many flops as usual."""
    more = {"seed": 1, "buckets": (60, 60, 20), "flops": 1, "jobs": 1}
    if request.param == "longer":
        return Blueprint.build(rounds=60, boards=8, **more)
    return quick_blueprint(rounds=30, boards=4, **more)


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


def test_buckets_that_are_kept_are_those_of_the_board(tiny):
    """In any order of its cards, and whatever their suits are."""
    for board in ("Qs7h2h", "2h7hQs", "Qc7d2d", "7s7h7c", "AhKhQh", "AhKhQh2c", "2cQhAhKh"):
        cards = card_indices(board)
        moments = np.ascontiguousarray(flop_moments(sorted(cards))[52]) if len(cards) == 3 else turn_moments(cards)
        expected = nested_buckets(moments, *tiny._abstraction.borders[len(cards) - 3])
        live = ~np.isin(CARDS_OF, cards).any(axis=1)
        for _ in range(2):
            assert np.array_equal(tiny.buckets(board)[live], expected[live])


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


@pytest.mark.native
def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(tiny, tmp_path):
    tiny.save(tmp_path / "one.npz")
    for name, executor in ("threads", Threads(3)), ("processes", Processes(2)):
        more = {key: value for key, value in TINY.items() if key != "jobs"}
        quick_blueprint(seed=5, executor=executor, **more).save(tmp_path / f"{name}.npz")
        assert (tmp_path / f"{name}.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()
    other = quick_blueprint(seed=6, **TINY)
    assert other.numbers.shape != tiny.numbers.shape or (other.numbers != tiny.numbers).any()


@pytest.mark.native
def test_a_build_that_is_interrupted_goes_on_where_it_was(tiny, tmp_path):
    part = tmp_path / "part"
    learning = quick_learning(tiny.game, tiny.about)
    rounds = learning.run(Threads(1))
    next(rounds)
    learning.save(part)
    done = []
    found = quick_blueprint(seed=5, resume=part, progress=lambda k, of: done.append((k, of)), **TINY)
    assert done == [(2, 3), (3, 3)]
    assert (found.numbers == tiny.numbers).all()
    again = quick_blueprint(seed=5, resume=part, progress=done.append, **TINY)
    assert len(done) == 2  # nothing was left to learn
    assert (again.numbers == tiny.numbers).all()
    with pytest.raises(ValueError, match="has 3 rounds, expected 2 at most"):
        quick_blueprint(seed=5, resume=part, **TINY | {"rounds": 2})
    assert quick_blueprint(seed=5, resume=part, **TINY | {"rounds": 4}).about.rounds == 4


@pytest.mark.native
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_build_that_is_killed_goes_on_and_ends_with_the_same_bytes(tmp_path):
    assert killed("blueprint", tmp_path, 4) >= 4


def test_what_was_learnt_of_another_blueprint_is_refused(tiny, tmp_path, monkeypatch):
    part = tmp_path / "part"
    learning = quick_learning(tiny.game, tiny.about)
    next(learning.run(Threads(1)))
    learning.save(part)
    with pytest.raises(ValueError, match="part is the journal of another blueprint: its seed is 5, expected 6"):
        quick_blueprint(seed=6, resume=part, **TINY)
    learning.regret = learning.regret[1:]
    learning.save(part)
    with pytest.raises(ValueError, match="part: a damaged journal of a blueprint"):
        quick_blueprint(seed=5, resume=part, **TINY)
    learning = quick_learning(tiny.game, tiny.about)
    next(learning.run(Threads(1)))
    for name, value in (("regret", np.nan), ("average", -1.0), ("average", np.inf)):
        with monkeypatch.context() as patch:
            patch.setattr(learning, name, np.full_like(learning.regret, value))
            learning.save(part)
        with pytest.raises(ValueError, match=f"part: a damaged journal of a blueprint: {name} must have finite"):
            quick_blueprint(seed=5, resume=part, **TINY)
    content = part.read_bytes()
    part.write_bytes(content[:3000] + b"x" + content[3001:])
    with pytest.raises(ValueError, match="not a journal of a blueprint that pokermodel saved"):
        quick_blueprint(seed=5, resume=part, **TINY)


def test_what_is_learnt_plays_poker(learnt):
    first = learnt.strategy()
    assert first[holding_index("7c2d"), 0] > 0.8  # folds
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
    tiny.save(path)
    sound, said = read_saved(path, "blueprint", "pokermodel blueprint", 1)
    for change in (
        *({"strategy": sound["strategy"][:-1]}, {"strategy": np.zeros_like(sound["strategy"])}),
        *({"square_0": sound["square_0"] * np.nan}, {"mean_0": np.zeros(3)}, {"square_0": np.zeros((2, 2))}),
    ):
        path.write_bytes(saved_bytes(said, sound | change))
        with pytest.raises(ValueError, match="a damaged blueprint"):
            Blueprint.load(path)
    for more in (
        {"build": {"seed": -1}},
        {"game": []},
        {"build": said["build"] | {"buckets": [1, "x", 2]}},
        {"build": 5},
    ):
        path.write_bytes(saved_bytes(said | more, sound))
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
        quick_blueprint(**{**TINY, **given})


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


# ------------------------------------------------------------------------------------------------- no limit

SIZES = {"buckets": (16, 16, 8), "rounds": 2, "flops": 1, "boards": 3, "jobs": 1}


@pytest.fixture(scope="module")
def small():
    return quick_blueprint(BlueprintGame.no_limit(12), seed=4, **SIZES)


def _push_or_fold(stack):
    """Before the flop there is all-in, after a call as well, and nobody bets later."""
    all_in = (("all-in", 0.0),)
    return replace(BlueprintGame.no_limit(stack), menu=((all_in, all_in), *(((), ()),) * 3))


def _classes_meet():
    """Pairs of holdings of two classes that go together, and what the first wins of them: each (169, 169)."""
    pairs, shares = np.zeros((169, 169)), np.zeros((169, 169))
    live = np.array([[not set(a) & set(b) for b in CARDS_OF] for a in CARDS_OF[_one_of_each_class()]])
    for number, holding in enumerate(_one_of_each_class()):
        many = (number == CLASS_OF_HOLDING).sum()
        found = holding_shares(int(holding), ())
        pairs[number] = many * np.bincount(CLASS_OF_HOLDING, live[number], minlength=169)
        won = np.where(live[number], found, 0.0)
        shares[number] = many * np.bincount(CLASS_OF_HOLDING, won, minlength=169)
    return pairs, shares / pairs


def _one_of_each_class():
    return np.array([np.flatnonzero(k == CLASS_OF_HOLDING)[0] for k in range(169)])


@pytest.mark.parametrize(("rounds", "most"), [(30, 0.03), pytest.param(60, 0.015, marks=pytest.mark.slow)])
def test_push_or_fold_is_learnt_to_its_equilibrium(rounds, most):
    """Best responses to both sides, worked out from exact equities, gain next to nothing, and less with time."""
    stack = 8.0
    found = quick_blueprint(_push_or_fold(stack), seed=3, buckets=(1, 1, 1), rounds=rounds, flops=1, boards=24, jobs=1)
    tree = found.tree
    one = _one_of_each_class()
    button = found.strategy([])[one]  # fold, call, all-in
    answer = found.strategy([(Act.RAISE, tree.acts(0)[-1][1])])[one]  # fold, call
    behind = found.strategy([Act.CALL])[one]  # check, all-in
    after = found.strategy([Act.CALL, (Act.RAISE, round(100 * stack))])[one]  # of the button: fold, call
    pairs, shares = _classes_meet()
    # what the button gets back of blinds and bets, in big blinds, by line: rows are the button's classes
    called, limped = 2 * stack * shares - stack, 2 * shares - 1
    pushed = answer[:, 0] + answer[:, 1] * called
    pushed_after = after[:, :1] * -1.0 + after[:, 1:] * called
    of_limp = behind[:, 0] * limped + behind[:, 1] * pushed_after
    value = (pairs * (button[:, :1] * -0.5 + button[:, 1:2] * of_limp + button[:, 2:] * pushed)).sum()

    def mean(worth):
        return (pairs * worth).sum(axis=1)

    call_or_fold = np.maximum(mean(-behind[:, 1] * np.ones((169, 1))), mean(behind[:, 1] * called))
    limp = mean(behind[:, 0] * limped) + call_or_fold
    best_button = np.maximum.reduce([mean(np.full((169, 169), -0.5)), limp, mean(pushed)]).sum()

    def cost(worth):  # to the other player, by their classes
        return (pairs * worth).sum(axis=0)

    fold = cost(button[:, :1] * -0.5 * np.ones(169))
    to_limp = np.minimum(cost(button[:, 1:2] * limped), cost(button[:, 1:2] * pushed_after))
    to_push = np.minimum(cost(button[:, 2:] * np.ones(169)), cost(button[:, 2:] * called))
    worst = (fold + to_limp + to_push).sum()
    gains = np.array([best_button - value, value - worst]) / pairs.sum()
    assert (gains > -1e-9).all()
    assert gains.sum() / 2 < most  # of a big blind
    assert button[CLASS_OF_HOLDING[holding_index("AsAh")], 0] < 0.02
    assert answer[CLASS_OF_HOLDING[holding_index("7s2h")], 1] < 0.05


@pytest.mark.native
def test_no_limit_is_learnt_alike_by_any_number_of_workers_and_kept_in_files(small, tmp_path):
    one, game = small, small.game
    one.save(tmp_path / "one.npz")
    more = {key: value for key, value in SIZES.items() if key != "jobs"}
    quick_blueprint(game, seed=4, executor=Threads(3), **more).save(tmp_path / "three.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "three.npz").read_bytes()
    assert Blueprint.load(tmp_path / "one.npz").game == game
    learning = quick_learning(game, one.about)
    next(learning.run(Threads(1)))
    learning.save(tmp_path / "part")
    again = quick_blueprint(game, seed=4, resume=tmp_path / "part", **SIZES)
    assert (again.numbers == one.numbers).all()


def test_sizes_are_asked_for_by_what_was_put_in(small):
    blueprint = small
    amounts = [put for act, put in blueprint.tree.acts(0) if act == Act.RAISE]
    assert amounts == [200, 300, 1200]
    assert blueprint.strategy([(Act.RAISE, 300)]).shape[1] == len(
        blueprint.tree.acts(blueprint.tree.find([(Act.RAISE, 300)]))
    )
    with pytest.raises(ValueError, match="a raise has 3 sizes there"):
        blueprint.strategy([Act.RAISE])
    with pytest.raises(ValueError, match="nobody can raise to 250 there"):
        blueprint.strategy([(Act.RAISE, 250)])


@pytest.mark.slow
def test_a_best_response_takes_less_from_a_river_of_no_limit_that_is_solved_again(small):
    taken = exploit_from(small, 3, 4, 4)
    left = exploit_from(small, 3, 4, 4, resolved=True, iterations=100)
    assert (taken.hands, taken.subgames) == (left.hands, left.subgames)
    assert 0 < left.mean < taken.mean / 2


def test_games_of_no_limit_that_a_blueprint_fits():
    game = BlueprintGame.no_limit(100)
    assert game.name == "no-limit-100bb"
    spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    assert game.fits(spec, 200)
    assert game.fits(spec, 100)
    assert not game.fits(spec, 98)
    assert not game.fits(spec, 402)
    assert not game.fits(GameSpec.no_limit(2, 1, 5, stacks=(500, 500)), 500)
    assert not game.fits(GameSpec.no_limit(3, 1, 2, stacks=(200, 200, 200)), 200)
    assert not game.fits(GameSpec.heads_up(1, 2), 200)
    assert BlueprintGame.limit().fits(GameSpec.heads_up(1, 2), 200)


@pytest.mark.parametrize("stack", [1, 1001, True, "100"])
def test_stacks_of_no_limit_are_checked(stack):
    with pytest.raises(ValueError, match=r"the stack must be 1.5 to 1000 big blinds"):
        BlueprintGame.no_limit(stack)


def test_files_in_the_cache_are_listed_by_how_near_their_stacks_are(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path))
    folder = tmp_path / "blueprints"
    folder.mkdir()
    for name in ("limit", "no-limit-20bb", "no-limit-100bb", "no-limit-50bb", "no-limit-whatbb"):
        (folder / f"{name}.npz").touch()
    spec = GameSpec.no_limit(2, 1, 2, stacks=(80, 80))
    names = [path.stem for path in fitting_blueprints(spec, 80)]
    assert names == ["no-limit-50bb", "no-limit-20bb", "no-limit-100bb"]


def test_a_row_of_a_menu_has_no_more_sizes_than_a_tree_can_hold():
    game = BlueprintGame.no_limit(20)
    bets = tuple(("pot", 0.1 * share) for share in range(1, 14))
    with pytest.raises(ValueError, match="at most 12 sizes in a row, got 13"):
        replace(game, menu=((bets, game.menu[0][1]), *game.menu[1:])).tree()
