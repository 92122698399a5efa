"""What threads may share, hammered by several at once; and what interpreters may not share."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel import _core, evaluation, simd
from pokermodel._core.environment import Tables
from pokermodel._core.matchups import Matchups, list_matchups
from pokermodel._core.solver import BEST
from pokermodel._support.cache import Cache
from pokermodel.classics.simulation import Simulator, StrengthCache
from pokermodel.evaluation.dealing import Dealer
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, GameSpec, State
from pokermodel.histories import phh
from pokermodel.reading import ActionCounts, Context
from pokermodel.solving import Solution
from tests.common.patience import PATIENCE

THREADS = 6
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.fixture(autouse=True)
def often():
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work, threads=THREADS):
    """What ``work(k)`` gives on so many threads that begin at the same time."""
    barrier = threading.Barrier(threads, timeout=PATIENCE)
    results = [None] * threads
    errors = []

    def run(k):
        try:
            barrier.wait()
            results[k] = work(k)
        except BaseException as error:
            errors.append(error)

    pool = [threading.Thread(target=run, args=(k,)) for k in range(threads)]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a thread waits for ever"
    if errors:
        raise errors[0]
    return results


def weights(seed, players=None):
    return np.random.default_rng(seed).random(1326 if players is None else (players, 1326))


@pytest.mark.skipif(not FREE_THREADED, reason="this Python has a global interpreter lock")
def test_the_lock_stays_off():
    code = (
        "import sys, pokermodel, pokermodel.classics.simulation, pokermodel.tables.arena; print(sys._is_gil_enabled())"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_a_cache_keeps_its_books():
    cache = Cache(50)

    def work(k):
        for n in range(2_000):
            key = (7 * n + k) % 30
            found = cache.get(key)
            assert found is None or found == [key]
            cache.put(key, [key], 1 + key % 5)
            if n % 500 == k:
                cache.resize(20 + 10 * k)

    at_once(work)
    info = cache.info()
    assert info.hits + info.misses == THREADS * 2_000
    assert info.nbytes == sum(1 + key % 5 for key in range(30) if cache.get(key))
    assert info.nbytes <= info.limit


def test_analyses_and_their_counts_are_shared():
    boards = ["2c7d9h", "Ts9s8d", "KhKd5s", "2c7d9hTs"]
    opponents = [weights(k) for k in range(THREADS)]
    expected = [[pm.BoardAnalysis(board).evaluate(opponent, 1).ehs for board in boards] for opponent in opponents]
    before = evaluation.counts_cache.info().limit
    try:
        for limit in (before, 1_500_000):  # everything is kept; hardly anything is
            evaluation.counts_cache.clear()
            evaluation.counts_cache.resize(limit)
            analyses = [pm.BoardAnalysis(board) for board in boards]

            def work(k, analyses=analyses):
                found = []
                for n in range(len(boards)):
                    analysis = analyses[(n + k) % len(boards)]
                    analysis.crude_potentials()
                    assert analysis.live.sum() == {3: 1176, 4: 1128}[len(analysis.board)]
                    found.append(((n + k) % len(boards), analysis.evaluate(opponents[k], 1).ehs))
                return [each for _, each in sorted(found, key=lambda pair: pair[0])]

            for found, right in zip(at_once(work), expected, strict=True):
                np.testing.assert_array_equal(found, right)
    finally:
        evaluation.counts_cache.resize(before)


def test_one_analysis_is_asked_from_all_sides():
    expected = {ahead: pm.BoardAnalysis("Ts9s8d4s").evaluate(weights(1), ahead).ehs for ahead in (1,)}
    holding = pm.cards.holding_index("AhKd")
    for _ in range(5):
        evaluation.counts_cache.clear()
        analysis = pm.BoardAnalysis("Ts9s8d4s")

        def work(k, analysis=analysis):
            if k % 2:
                return analysis.evaluate(weights(1), 1).ehs[holding]
            ppot, npot, _ = analysis.potential("AhKd", weights(1), 1)
            strength = analysis.strength("AhKd", weights(1))
            return strength + (1 - strength) * ppot - strength * npot

        np.testing.assert_allclose(at_once(work), expected[1][holding], rtol=1e-12)


def test_matchups_that_are_kept_are_shared():
    ranges = weights(5, 2)
    numbers = np.empty(91 * 92 // 2, np.uint16)
    numbers = numbers[: list_matchups(*ranges, numbers)][::40].copy()
    fresh = np.empty(3)
    Matchups().tally(*ranges, numbers, fresh)
    shared = Matchups()

    def work(k):
        mine = np.roll(numbers, 17 * k)
        for _ in range(2):
            sums = np.empty(3)
            shared.tally(*ranges, np.sort(mine), sums)
        return sums

    for found in at_once(work):
        np.testing.assert_array_equal(found, fresh)


def test_equities_are_shared():
    expected = equity(["AsAh", "KK+, AKs"], "2c7d9h").equity
    for found in at_once(lambda _: equity(["AsAh", "KK+, AKs"], "2c7d9h").equity):
        np.testing.assert_array_equal(found, expected)


def position():
    state = State(GameSpec.ring(4, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    return state, "Tc8c2h"


def test_simulators_and_their_caches_are_shared():
    tables = [weights(k, 4) for k in range(THREADS)]

    def run(simulator, k):
        return simulator.run(position(), "Jh9h", tables[k % 3], trials=200, rng=k).ev

    expected = [run(Simulator(stop="none", cache=StrengthCache()), k) for k in range(THREADS)]
    for memory in (256 << 20, 1 << 20):
        cache = StrengthCache(memory)
        simulator = Simulator(stop="none", cache=cache)

        def work(k, simulator=simulator):
            for _ in range(3):
                found = run(simulator, k)
            return found

        np.testing.assert_array_equal(at_once(work), expected)
        assert cache.nbytes <= memory


def stepped(shared, threads, steps=60):
    """What so many threads see that step all tables between them, each its part."""
    count, width, actions = shared.tables, shared.width, shared.actions
    shared.seed(np.arange(8 * count, dtype=np.uint64).reshape(count, 8) + np.uint64(1))
    shared.begin()

    def work(k):
        first, end = count * k // threads, count * (k + 1) // threads
        rewards, ended, payoffs = np.zeros(count), np.zeros(count, np.uint8), np.zeros((count, shared.players))
        observations, masks = np.zeros((count, width), np.float32), np.zeros((count, actions), np.int8)
        seats, seen = np.zeros(count, np.int8), []
        for n in range(steps):
            calls = np.full(count, n % 2, np.int64)  # folds where it is even
            shared.step(calls, first, end, "SameStep", rewards, ended, payoffs, observations, masks, seats)
            seen.append([part[first:end].tobytes() for part in (rewards, ended, payoffs, observations, masks, seats)])
        return seen, observations[first:end]

    found = at_once(work, threads) if threads > 1 else [work(0)]
    return np.concatenate([observations for _, observations in found])


def tables(count=48):
    return Tables(State(GameSpec.ring(3, 1, 2)), count, np.array([0.5]), 4, -1, ["call", "random"], 2.0)


def test_tables_are_shared():
    np.testing.assert_array_equal(stepped(tables(), THREADS), stepped(tables(), 1))


def test_a_table_is_at_work_in_one_thread():
    """The others are refused, or come before or after; what is seen is always a table between two acts."""
    shared = tables(2_000)
    shared.seed(np.ones((2_000, 8), np.uint64))
    shared.begin()
    refused = []

    def work(k):
        arrays = np.zeros(2_000), np.zeros(2_000, np.uint8), np.zeros((2_000, 3))
        seen = np.zeros((2_000, shared.width), np.float32), np.zeros((2_000, shared.actions), np.int8)
        actions, seats = np.zeros(2_000, np.int64), np.zeros(2_000, np.int8)
        for n in range(40):
            try:
                if n % 3:
                    shared.step(actions + n % 2, 0, 2_000, "SameStep", *arrays, *seen, seats)
                elif k % 2:
                    shared.sample(actions)
                else:
                    shared.state(n).raise_range()
            except ValueError as error:
                refused.append(str(error))

    for _ in range(20):
        at_once(work)
        if refused:
            break
    assert refused
    assert all("another thread is at work on some of them" in error for error in refused)
    shared.observe(
        0,
        2_000,
        np.zeros((2_000, shared.width), np.float32),
        np.zeros((2_000, shared.actions), np.int8),
        np.zeros(2_000, np.int8),
    )  # free again


def test_dealers_of_one_seed_deal_the_same_on_every_thread():
    tables = list(weights(2, 3))
    expected = Dealer(tables, "2c7d9h", rng=4).deal(2_000)
    for found in at_once(lambda _: Dealer(tables, "2c7d9h", rng=4).deal(2_000)):
        np.testing.assert_array_equal(found.holdings, expected.holdings)


def test_levels_change_under_way():
    hands = np.argsort(np.random.default_rng(1).random((5_000, 52)), axis=1)[:, :7].astype(np.uint8)
    expected = pm.evaluate_many(hands)
    before = simd.level()
    try:

        def work(k):
            for n in range(30):
                if k == 0:
                    simd.use(simd.available()[n % len(simd.available())])
                else:
                    np.testing.assert_array_equal(pm.evaluate_many(hands), expected)

        at_once(work)
    finally:
        simd.use(before)


@pytest.mark.parametrize("model", ["loki1", "loki2"])
def test_modelers_of_one_book_side_by_side(tmp_path, model):
    decisions = list(pm.example_hand().replay())
    with pm.Book(tmp_path / "players.db") as book:
        book.learn([pm.example_hand()])

        def read(_):
            modeler = pm.OpponentModeler(f"{model}:som" if model == "loki2" else "som", book=book)
            modeler.learning = False
            for decision in decisions:
                modeler.observe(decision)
            return [np.array(modeler.table(name).values) for name in ("Eve",)]

        expected = read(0)
        for found in at_once(read):
            np.testing.assert_array_equal(found, expected)


def test_counts_of_several_threads_lose_nothing():
    acts = [(Context.of(each.round, each.bets_to_call), each.act) for each in pm.example_hand().replay()] * 20
    shared, alone = ActionCounts(), ActionCounts()
    at_once(lambda _: [shared.add(*act) for act in acts])
    for act in acts:
        alone.add(*act)
    np.testing.assert_array_equal(shared.values, THREADS * alone.values)


def test_a_session_that_several_threads_teach_loses_nothing():
    hand = pm.example_hand()
    shared, alone = pm.OpponentModeler("som"), pm.OpponentModeler("som")
    at_once(lambda _: [shared.learn(hand) for _ in range(20)])
    alone.learn(hand)
    for name in hand.players:
        once = alone.reader.frequencies.counts(name)
        np.testing.assert_array_equal(shared.reader.frequencies.counts(name).values, 20 * THREADS * once.values)


def test_sessions_that_learn_share_what_is_known(tmp_path):
    """They begin with one book, which they only read, and learn each for itself."""
    hand = pm.example_hand()
    with pm.Book(tmp_path / "players.db") as book:
        book.learn([hand])
        known = {name: ActionCounts(book[name].values) for name in hand.players}

        def learn(k):
            session = pm.OpponentModeler("som", book=book if k % 2 else known)
            for _ in range(20):
                session.learn(hand)
            return session.reader.frequencies

        found = at_once(learn)
        for name, counts in known.items():
            assert counts == book[name]
            for frequencies in found:
                np.testing.assert_array_equal(frequencies.counts(name).values, 21 * counts.values)


def test_a_modeler_is_looked_at_from_all_sides():
    modeler = pm.OpponentModeler("loki1")
    for decision in pm.example_hand().replay():
        modeler.observe(decision)
    expected = np.array(modeler.table("Eve").values), modeler.table("Eve").top(5)

    def look(_):
        for _ in range(20):
            table = modeler.table("Eve")
            np.testing.assert_array_equal(table.values, expected[0])
            assert table.top(5) == expected[1]

    at_once(look)


def test_a_book_is_shared(tmp_path):
    """Some learn the same hand, which counts once, while others look."""
    hand = pm.example_hand()
    with pm.Book(tmp_path / "players.db") as book:
        at_once(lambda k: book.learn([hand]) if k % 2 else [book.profile(name) for name in book])
        with pm.Book(tmp_path / "once.db") as once:
            once.learn([hand])
            assert list(book) == list(once)
            for name in once:
                assert book.profile(name).to_dict() == once.profile(name).to_dict()


# --------------------------------------------------------------------------------------------- sub-interpreters


def sub_interpreter_says(code):
    """Run code in a sub-interpreter of its own lock, in a process of its own; what that prints or raises."""
    if sys.version_info >= (3, 14):
        start = "from concurrent import interpreters\ninterpreters.create().exec(CODE)"
    elif sys.version_info >= (3, 13):
        start = (
            "import _interpreters as i\nwrong = i.exec(i.create('isolated'), CODE)\nprint(wrong and wrong.formatted)"
        )
    elif sys.version_info >= (3, 12):
        start = "import _xxsubinterpreters as i\ni.run_string(i.create(), CODE)"
    else:
        start = "import _xxsubinterpreters as i\nimport pokermodel._core.evaluator\ni.run_string(i.create(), CODE)"
    done = subprocess.run(
        [sys.executable, "-c", f"CODE = {code!r}\n{start}"], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.stdout + done.stderr


def test_sub_interpreters_are_refused():
    """Clearly, and without a crash. The module alone: NumPy refuses them as well."""
    (path,) = Path(_core.__file__).parent.glob("evaluator.*.[sp][oy]*")
    code = (
        "from importlib.machinery import ExtensionFileLoader\n"
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        f"loader = ExtensionFileLoader('pokermodel._core.evaluator', {str(path)!r})\n"
        "spec = spec_from_file_location('pokermodel._core.evaluator', loader=loader)\n"
        "loader.exec_module(module_from_spec(spec))\n"
        "print('taken')\n"
    )
    said = sub_interpreter_says(code)
    assert "ImportError" in said
    assert "interpreter" in said
    assert "taken" not in said


SPOT = 'board = "QsJh2h8c"\npot = 200\nstack = 900\nranges = ["QQ,AK,98s,JTs", "JJ,KK,T9s,AQ"]\nbets = ["50%"]\n'


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_solution_that_learns_is_looked_at_from_all_sides(tmp_path, jobs):
    """While one thread learns others measure, ask, save and go against it: numbers are those of whole iterations."""
    subgame = pm.Subgame.from_toml(SPOT)

    def numbers(solution):
        return round(solution.measure(), 9)

    alone = Solution(subgame)
    possible = [numbers(alone)]
    for _ in range(24):
        alone.learn(5)
        possible.append(numbers(alone))
    shared, other = Solution(subgame, jobs=jobs), Solution(subgame)
    other.learn(10)

    def work(k):
        found = []
        for _ in range(6):
            if k == 0 or k == 1:
                shared.learn(10)
            elif k == 2:
                found.append(numbers(shared))
            elif k == 3:
                assert abs(shared.value(0, against=other) - other.value(1, against=shared)) < 1e3
                assert other.value(0, against=shared) > 0
            elif k == 4:
                assert np.isfinite(shared.ev().of_holdings).any()
                shared.strategy(), shared.range("r:0:c", 0), shared.best_response(0)
            else:
                shared.save(tmp_path / "spot.solution")
                found.append(numbers(Solution.load(tmp_path / "spot.solution")))
        return found

    results = at_once(work)
    assert numbers(shared) == possible[24]
    assert {each for found in results for each in found} <= set(possible)


def test_a_solver_without_its_lock_is_at_work_in_one_thread():
    solver = pm.Subgame.from_toml(SPOT).solver()
    with pytest.raises(ValueError, match="call make first"):
        solver.learn(1)
    solver.make(False, 2)
    with pytest.raises(ValueError, match="call begin first"):
        solver.share(0, 1)
    with pytest.raises(ValueError, match="call begin first"):
        solver.end()
    thread = threading.Thread(target=solver.learn, args=(400,))
    thread.start()
    refused = 0
    while thread.is_alive():
        for ask in (lambda: solver.learn(1), lambda: solver.average(0, 0), lambda: solver.numbers("average")):
            with suppress(ValueError):
                ask()
                continue
            refused += 1
    thread.join()
    assert refused
    solver.begin(BEST, 0)
    with pytest.raises(ValueError, match="at work in another thread"):
        solver.begin(BEST, 1)
    solver.drop()
    solver.begin(BEST, 1)
    solver.share(0, 1)
    solver.end()


def every_public_object(folder):
    """A function for each public class that makes an object of it, and what is asked of it besides its properties."""
    hand = pm.example_hand()
    path = folder / "hand.phh"
    path.write_text(phh.dumps(hand))
    book = pm.Book(folder / "players.db")
    book.learn(pm.open_hands(path))
    board = "QsJh2h8c"
    return {
        "Act": (lambda: Act.CALL, str),
        "Action": (lambda: hand.actions[0], str),
        "BoardAnalysis": (lambda: pm.BoardAnalysis(board), lambda each: float(np.nansum(each.uniform_strengths))),
        "Book": (lambda: book, lambda each: (sorted(each), len(each))),
        "Filter": (lambda: pm.Filter("pot=3-bet,limped"), lambda each: (str(each), each(hand, None))),
        "GameSpec": (lambda: GameSpec.no_limit(5, 5, 10), hash),
        "Hand": (lambda: hand, lambda each: (len(list(each.replay())), phh.dumps(each))),
        "Lock": (lambda: pm.Lock("r:0", {"c": 0.5}), lambda each: each.probabilities(("c", "b50")).tobytes()),
        "OpponentModeler": (pm.OpponentModeler, lambda each: each.copy().model),
        "Profile": (lambda: book.profile(next(iter(book))), lambda each: each.hands),
        "Solution": (lambda: pm.solve(pm.Subgame.from_toml(SPOT), iterations=20), lambda each: each.summary()["ev"]),
        "Subgame": (lambda: pm.Subgame.from_toml(SPOT), lambda each: (each.size(), each.to_toml())),
        "WeightTable": (lambda: pm.WeightTable.from_text("QQ,AK,98s"), lambda each: each.to_text()),
    }


def test_every_public_class_is_shared_by_four_threads(tmp_path):
    """All that can be looked at is the same on each of them; what is computed when it is asked for, too."""
    errors = {name for name in pm.__all__ if name.endswith(("Error", "Warning"))}
    made = every_public_object(tmp_path)
    assert made.keys() | errors == {name for name in pm.__all__ if isinstance(getattr(pm, name), type)}

    def seen(each, ask):
        values = {name: getattr(each, name, None) for name in dir(each) if not name.startswith("_")}
        return {
            name: re.sub(" at 0x[0-9a-f]+", "", repr(value)) for name, value in values.items() if not callable(value)
        }, ask(each)

    for name, (make, ask) in made.items():
        expected, shared = seen(make(), ask), make()  # nobody has looked at the second one
        expected = seen(shared, ask) if name in ("Solution", "Book") else expected  # with times, and the one
        assert at_once(lambda _, shared=shared, ask=ask: seen(shared, ask), 4) == [expected] * 4, name
