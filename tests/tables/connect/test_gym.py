"""Environments of Gymnasium, tried with its own checker; the tables beneath them are tested in tests/core."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from pokermodel.game import Act, GameSpec
from pokermodel.tables.players import Answer, Player

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from pokermodel.tables.connect.gym import ENVIRONMENTS, PokerEnv, PokerVectorEnv, observation_layout  # noqa: E402
from tests.common.patience import PATIENCE  # noqa: E402

SIDE_POTS = GameSpec.no_limit(4, 5, 10, stacks=(1000, 37, 420, 99))


def random_action(info, rng):
    return int(rng.choice(info["action_mask"].nonzero()[0]))


# ------------------------------------------------------------------------------------------------- Gymnasium's view


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("opponents", [None, "call", "random*3"])
def test_gymnasium_finds_nothing_wrong(name, opponents):
    env = gymnasium.make(name, opponents=opponents, illegal="fold")  # the checker plays illegal actions, too
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
        observation, info = env.reset(seed=1)
        for _ in range(100):
            observation, _, ended, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
            assert observation in env.observation_space
            if ended:
                observation, info = env.reset()


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_tables_of_gymnasium(name):
    envs = gymnasium.make_vec(name, num_envs=7, opponents="call,random")
    assert isinstance(envs, PokerVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    for _ in range(100):
        actions = envs.sample_actions()
        assert actions in envs.action_space
        observations, rewards, ended, truncated, info = envs.step(actions)
        assert observations in envs.observation_space
        assert (rewards.dtype, ended.dtype, truncated.any()) == (np.float64, np.bool_, False)
        np.testing.assert_array_equal(info["_payoffs"], ended)
        np.testing.assert_array_equal(info["action_mask"], envs.action_masks())
    envs.close()


def test_a_name_is_found_by_its_module():
    code = "import gymnasium as g; print(g.make('pokermodel.tables.connect.gym:pokermodel/LimitHoldem-v0').spec.id)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "pokermodel/LimitHoldem-v0"


def test_the_package_does_not_import_gymnasium():
    wanted = "import sys, pokermodel, pokermodel.tables.players, pokermodel.tables.connect"
    code = f"{wanted}; assert 'gymnasium' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_missing_is_said():
    code = "import sys; sys.modules['gymnasium'] = None\nimport pokermodel.tables.connect.gym"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'pip install "pokermodel[gym]"' in found.stderr


# --------------------------------------------------------------------------------------------------------- a table


def test_the_layout_covers_an_observation():
    for players, history in ((2, 8), (6, 0), (10, 64)):
        layout = observation_layout(players, history)
        env = PokerEnv(GameSpec.ring(players, 1, 2), history=history)
        assert [s.start for s in layout.values()][1:] == [s.stop for s in layout.values()][:-1]
        assert env.observation_space.shape == (list(layout.values())[-1].stop,)


def test_what_an_entry_is():
    env = PokerEnv(GameSpec.no_limit(3, 1, 2, stacks=(200, 100, 60)))
    _, info = env.reset(seed=1)
    assert info["seat"] == 2
    seen, _, _, _, info = env.step(3)  # the whole pot after a call: 3 + 2, on top of 2
    layout = observation_layout(3)
    assert info["seat"] == 0
    assert seen[layout["pot"]] == pytest.approx(10 / 2)
    assert seen[layout["to_call"]] == pytest.approx(6 / 2)
    assert seen[layout["bets"]] == 2
    assert seen[layout["seat"]].tolist() == [1, 0, 0]
    assert seen[layout["stacks"]].tolist() == [199 / 2, 98 / 2, 53 / 2]
    assert seen[layout["put_in"]][:3].tolist() == [0.5, 1, 3.5]
    assert seen[layout["acts"]][:4].tolist() == [2, 0, 0, 1]
    assert seen[layout["cards"]].sum() == 2
    assert seen[layout["board"]].sum() == 0


@pytest.mark.parametrize("game", ["limit", SIDE_POTS])
@pytest.mark.parametrize("alone", [True, False])
def test_payoffs_are_those_of_the_hand(game, alone):
    opponents = None if alone else ["random"] * (SIDE_POTS.players - 1)
    env, rng = PokerEnv(game, opponents), np.random.default_rng(1)
    layout = observation_layout(env.game.players)
    for number in range(60):
        seen, info = env.reset(seed=1 if number == 0 else None)
        seats, ended = [], False
        while not ended:
            seats.append(info["seat"])
            seen, reward, ended, _, info = env.step(random_action(info, rng))
        hand = env.last_hand()
        assert hand.payoffs == hand.stated_payoffs
        assert info["payoffs"].tolist() == (np.array(hand.payoffs) / env.game.small_bet).tolist()
        assert reward == info["payoffs"][info["seat"]]
        assert seen[layout["cards"]].nonzero()[0].tolist() == sorted(hand.holdings[info["seat"]])
        if alone:
            assert seats == [action.seat for action in hand.actions]
        else:
            assert len(set(seats)) == 1
            assert hand.players[info["seat"]] == "learner"


def test_opponents_see_the_hand_and_choose_sizes():
    class Watcher(Player):
        structures = ("no limit",)

        def __init__(self):
            self.starts, self.ends, self.seen = [], [], []

        def begin(self, start):
            self.starts.append(start)

        def observe(self, decision):
            self.seen.append(decision)

        def end(self, end):
            self.ends.append(end)

        def act(self, view):
            return Answer(Act.RAISE, view.least_raise + 1) if Act.RAISE in view.legal else Answer(Act.CALL)

    watcher = Watcher()
    env = PokerEnv("no limit", [watcher], seat=1)
    env.reset(seed=1)
    assert watcher.seen[0].to == 5  # 2 more than the big blind of 2, and one on top
    _, reward, ended, _, _ = env.step(0)
    assert ended
    assert reward == -1
    assert [decision.act for decision in watcher.seen] == [Act.RAISE, Act.FOLD]
    assert watcher.ends[0].payoffs == (2, -2)
    assert watcher.starts[0].players == ("Watcher 1", "learner")
    assert [action.to for action in env.last_hand().actions] == [5, None]


def test_learner_and_opponents_move_as_the_button_does():
    env = PokerEnv(opponents="call,raise")
    seats = []
    for number in range(4):
        _, info = env.reset(seed=1 if number == 0 else None)
        ended = False
        while not ended:
            _, _, ended, _, info = env.step(1)
        seats.append((info["seat"], env.last_hand().players))
    assert [seat for seat, _ in seats] == [0, 2, 1, 0]
    assert [names for _, names in seats][:2] == [("learner", "call 1", "raise 2"), ("call 1", "raise 2", "learner")]
    _, info = env.reset(options={"seat": 1})
    assert info["seat"] == 1


def test_a_seed_makes_the_same_hands():
    def play(env, seed):
        rng, told = np.random.default_rng(1), []
        for number in range(10):
            _, info = env.reset(seed=seed if number == 0 else None)
            ended = False
            while not ended:
                seen, reward, ended, _, info = env.step(random_action(info, rng))
                told.append((reward, seen.tolist()))
        return told

    env = PokerEnv(opponents="loki1,random")
    first = play(env, 1)
    assert play(env, 1) == first == play(PokerEnv(opponents="loki1,random"), 1)
    assert play(env, 2) != first


def test_hands_that_end_early_are_said():
    class Folder(Player):
        def act(self, view):
            return Act.FOLD if Act.FOLD in view.legal else Act.CALL

    env = PokerEnv(opponents=[Folder(), Folder()])
    reports = [env.reset(seed=1)[1]] + [env.reset()[1] for _ in range(3)]
    assert [info["seat"] for info in reports] == [0, 2, 0, 2]  # never in the big blind
    assert [(info["unplayed"], info["unplayed_reward"]) for info in reports] == [(0, 0), (0, 0), (1, 0.5), (0, 0)]
    with pytest.raises(ValueError, match="before it is the learner's turn"):
        env.reset(options={"seat": 1})


def test_actions_that_are_not_legal():
    env = PokerEnv(seat=0)
    with pytest.raises(ValueError, match="call reset"):
        env.step(1)
    env.reset(seed=1)
    env.step(1)  # the big blind can check, and cannot fold
    for action in (0, 3, -1):
        with pytest.raises(ValueError, match=f"action {action} is not legal for seat 1: expected one of 1, 2"):
            env.step(action)
    with pytest.raises(ValueError, match="whole number"):
        env.step("call")
    assert env.action_masks().tolist() == [False, True, True]
    folding = PokerEnv(illegal="fold")
    folding.reset(seed=1)
    folding.step(1)
    assert folding.step(0)[1:3] == (-1, True)
    assert not folding.action_masks().any()
    with pytest.raises(ValueError, match="call reset"):
        folding.step(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "stud"}, "unknown game 'stud': expected one of limit"),
        ({"game": GameSpec.ring(3, 1, 2), "opponents": "call"}, "3 players has 2 opponents, got 1"),
        ({"game": "no limit", "opponents": "loki2:br"}, "limit"),
        ({"game": GameSpec.no_limit(2, 1, 2)}, "must have stacks"),
        ({"opponents": "nobody"}, "nobody"),
        ({"opponents": 3}, "a text or a sequence, got 3"),
        ({"seat": 2}, "no seat 2, expected 0 to 1"),
        ({"illegal": "call"}, "unknown illegal 'call'"),
        ({"history": 65}, "history must be 0 to 64"),
        ({"game": "no limit", "raise_sizes": (1.0, 0.5)}, "ascending"),
        ({"game": "no limit", "raise_sizes": ()}, "1 to 30 fractions"),
    ],
)
@pytest.mark.parametrize("kind", [PokerEnv, PokerVectorEnv])
def test_what_does_not_fit_is_refused(kind, arguments, message):
    if kind is PokerVectorEnv:
        message = "other players sit at a PokerEnv" if arguments.get("opponents") == "loki2:br" else message
    with pytest.raises(ValueError, match=message):
        kind(**arguments)


def test_options_that_are_refused():
    env = PokerEnv()
    with pytest.raises(ValueError, match="unknown options stacks: expected seat"):
        env.reset(options={"stacks": 1})
    with pytest.raises(ValueError, match="no seat 2"):
        env.reset(options={"seat": 2})
    with pytest.raises(ValueError, match="no hand has ended"):
        env.last_hand()


# ------------------------------------------------------------------------------------------------------ many tables


def run(envs, steps, seed=1):
    told = [envs.reset(seed=seed)[0].copy()]
    for _ in range(steps):
        seen, rewards, ended, _, info = envs.step(envs.sample_actions())
        told += [seen.copy(), rewards.copy(), ended.copy(), *(info[key].copy() for key in sorted(info))]
    return told


@pytest.mark.parametrize("game", ["limit", SIDE_POTS])
def test_neither_threads_nor_buffers_change_anything(game):
    first = run(PokerVectorEnv(37, game), 40)
    for options in ({"jobs": 3}, {"copy": False}, {"jobs": 5, "copy": False}):
        envs = PokerVectorEnv(37, game, **options)
        for one, other in zip(first, run(envs, 40), strict=True):
            np.testing.assert_array_equal(one, other)
        envs.close()


@pytest.mark.parametrize("opponents", [None, "call,raise"])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_many_tables_are_as_many_environments(opponents, mode):
    """The same hands as one table, however new ones begin; what ended is seen at its end."""
    one, many, rng = PokerEnv(opponents=opponents), PokerVectorEnv(1, opponents=opponents, autoreset_mode=mode), None
    rng = np.random.default_rng(1)
    if mode == AutoresetMode.SAME_STEP:
        many = PokerVectorEnv(1, opponents=opponents, final_obs=True)
    seen, info = one.reset(seed=1)
    np.testing.assert_array_equal(many.reset(seed=1)[0][0], seen)
    for _ in range(200):
        action = random_action(info, rng)
        seen, reward, ended, _, info = one.step(action)
        found, rewards, over, _, infos = many.step([action])
        assert (rewards[0], over[0]) == (reward, ended)
        if ended:
            np.testing.assert_array_equal(infos["payoffs"][0], info["payoffs"])
            last = infos["final_obs"] if mode == AutoresetMode.SAME_STEP else found
            np.testing.assert_array_equal(last[0], seen)
            if mode == AutoresetMode.NEXT_STEP:
                found, rewards, over, _, infos = many.step([99])
                assert (rewards[0], over[0]) == (0, False)
            elif mode == AutoresetMode.DISABLED:
                with pytest.raises(ValueError, match="the hand at table 0 is over"):
                    many.step([1])
                found, infos = many.reset(options={"reset_mask": np.array([True])})
            seen, info = one.reset()
        np.testing.assert_array_equal(found[0], seen)
        assert infos["seat"][0] == info["seat"]
        np.testing.assert_array_equal(infos["action_mask"][0], info["action_mask"])


def test_gymnasiums_own_vectors_take_a_table():
    envs = SyncVectorEnv([lambda: PokerEnv(opponents="loki1")] * 3)
    seen, info = envs.reset(seed=[1, 2, 3])
    assert seen.shape == (3, 157)
    assert envs.step(np.ones(3, np.int64))[0] in envs.observation_space
    assert info["action_mask"].shape == (3, 3)


def test_frequencies_sit_at_many_tables():
    raises = [np.array([0, 0, 1.0])]
    envs = PokerVectorEnv(50, opponents=raises, seat=1)
    seen, _ = envs.reset(seed=1)
    assert (seen[:, observation_layout(2)["to_call"]] == 1).all()
    for wrong, message in (
        ([np.ones(4)], r"broadcasts to \(169, 4, 3, 3\)"),
        ([[-1, 1, 1]], "0 or more"),
        ([[np.nan, 1, 1]], "0 or more"),
        (["loki1"], "call, raise, random or frequencies, got 'loki1': other players sit at a PokerEnv"),
    ):
        with pytest.raises(ValueError, match=message):
            PokerVectorEnv(2, opponents=wrong)


def test_actions_of_many_tables_that_are_not_legal():
    envs = PokerVectorEnv(3)
    with pytest.raises(ValueError, match="call reset"):
        envs.step([1, 1, 1])
    envs.reset(seed=1)
    before = envs.step([1, 2, 1])[0]
    with pytest.raises(ValueError, match="action 0 is not legal at table 2 for seat 1: expected one of 1, 2"):
        envs.step([1, 1, 0])
    np.testing.assert_array_equal(envs.step([1, 0, 1])[2], [False, True, False])
    assert before.shape == (3, 157)
    for actions, message in (
        ([1, 1], r"shape \(3,\), got int64 of shape \(2,\)"),
        ([[1, 1, 1]], r"got int64 of shape \(1, 3\)"),
        ([1.0, 1.0, 1.0], "whole numbers.* got float64"),
    ):
        with pytest.raises(ValueError, match=message):
            envs.step(actions)
    folding = PokerVectorEnv(3, illegal="fold")
    folding.reset(seed=1)
    assert folding.step(np.array([7, -1, 1], dtype=np.int32))[2].tolist() == [True, True, False]
    assert folding.step(np.array([1, 1, 2**40]))[2].tolist() == [False, False, True]


def test_resets_of_some_tables():
    envs = PokerVectorEnv(3)
    with pytest.raises(ValueError, match="needs tables that have begun"):
        envs.reset(options={"reset_mask": np.ones(3, np.bool_)})
    before, _ = envs.reset(seed=1)
    after, _ = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert [np.array_equal(a, b) for a, b in zip(before, after, strict=True)] == [True, False, True]
    with pytest.raises(ValueError, match=r"bool of shape \(3,\), got int64"):
        envs.reset(options={"reset_mask": np.ones(3, np.int64)})
    with pytest.raises(ValueError, match="unknown options seat"):
        envs.reset(options={"seat": 1})
    with pytest.raises(ValueError, match="unknown autoreset_mode"):
        PokerVectorEnv(1, autoreset_mode="Never")
    with pytest.raises(ValueError, match="num_envs must be 1 or more"):
        PokerVectorEnv(0)


def test_tables_where_it_is_never_the_learners_turn():
    envs = PokerVectorEnv(2, opponents=[[1.0, 0.0, 0.0]] * 2, seat=1)
    with pytest.raises(ValueError, match="before it is the learner's turn"):
        envs.reset(seed=1)
    step = PokerVectorEnv(1, GameSpec.ring(2, 1, 2), [[1.0, 0.0, 0.0]], seat=0)
    step.reset(seed=1)
    assert step.step([2])[1:3] == (pytest.approx([1.0]), [True])


def test_unplayed_hands_count():
    """What a learner who calls wins over all hands is what its opponent loses, walks included."""
    frequencies = np.array([0.5, 0.25, 0.25])
    envs, total, hands = PokerVectorEnv(64, opponents=[frequencies], seat=1), 0.0, 0
    _, info = envs.reset(seed=1)
    for _ in range(100):
        total += info["unplayed_reward"].sum()
        hands += info["unplayed"].sum()
        _, rewards, ended, _, info = envs.step(np.ones(64, np.int64))
        total, hands = total + rewards.sum(), hands + ended.sum()
    assert hands > 64 * 20
    assert 0 < total / hands < 1


def test_a_step_at_a_time():
    """Threads that step the same tables take turns."""
    envs = PokerVectorEnv(64, illegal="fold")
    envs.reset(seed=1)
    failed = []

    def work():
        try:
            for _ in range(50):
                envs.step(envs.sample_actions())
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert failed == []
