"""The measurements' own arithmetic, and that all there is to measure can be run."""

from __future__ import annotations

import json
import pickle
import random
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchmarks.__main__
import pokermodel as pm
from benchmarks import board_outer, cases, guard, guard_kernels, moved_baseline, report
from benchmarks.cases import linking, strength
from benchmarks.cases.boards import KINDS, flops
from benchmarks.guard import Cost, GuardError, Row
from benchmarks.registry import CASES, OURS, Case, Run, UnavailableError, at_least, at_most
from benchmarks.runner import Interval, Sampler, interval, measure, verdict
from pokermodel.tables.blueprint import blueprint

ROOT = Path(__file__).resolve().parents[2]
cases.load()


# ------------------------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("n", "low", "high", "coverage"),
    [
        (1, 0, 0, 0.0),
        (2, 0, 1, 0.5),
        (5, 0, 4, 0.9375),
        (6, 0, 5, 0.96875),
        (9, 1, 7, 0.9609375),
        (11, 1, 9, 1 - 24 / 2048),
    ],
)
def test_interval_by_its_binomial(n, low, high, coverage):
    values = random.Random(n).sample(range(n), n)
    assert interval(values) == Interval((n - 1) / 2, low, high, coverage)


@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=60))
def test_interval_holds_the_median(values):
    found = interval(values)
    assert min(values) <= found.low <= found.median <= found.high <= max(values)
    assert found.coverage >= 0.95 or (found.low, found.high) == (min(values), max(values))


def test_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(1)
    found = [interval(rng.exponential(size=11).tolist()) for _ in range(4000)]
    covered = np.mean([each.low <= np.log(2) <= each.high for each in found])
    assert covered == pytest.approx(found[0].coverage, abs=0.01)


@pytest.mark.parametrize(
    ("target", "low", "high", "expected"),
    [
        (at_most(2.0), 1.5, 2.0, "reached"),
        (at_most(2.0), 1.9, 2.1, "unclear"),
        (at_most(2.0), 2.1, 2.2, "not reached"),
        (at_least(2.0, "x"), 2.0, 3.0, "reached"),
        (at_least(2.0, "x"), 1.9, 2.1, "unclear"),
        (at_least(2.0, "x"), 1.5, 1.9, "not reached"),
    ],
)
def test_verdicts(target, low, high, expected):
    assert verdict(target, Interval((low + high) / 2, low, high, 0.95)) == expected


# -------------------------------------------------------------------------------------------------- measuring


class Clock:
    def __init__(self):
        self.now = 0.0

    def run(self, seconds):
        def call():
            self.now += seconds

        return call


@pytest.mark.parametrize("seconds", [1e-8, 3e-6, 1e-3, 0.5])
def test_sampler_gives_seconds_a_unit(seconds):
    clock = Clock()
    sampler = Sampler(Run(clock.run(seconds), 4), clock=lambda: clock.now)
    assert sampler.number * seconds >= 2e-4
    assert sampler.sample() == pytest.approx(seconds / 4)


def test_sampler_takes_the_quickest():
    times = iter([0.9, 0.01, 0.02, 0.015, 0.03] + [0.5] * 9)
    sampler = Sampler(Run(lambda: next(times), timed=True))
    assert sampler.repeats == 3
    assert sampler.sample() == 0.015


def three(seconds):
    both = Case("area: case", "hand", (at_most(1.0), at_least(3, "peer"), at_least(1, "gone")))
    both.peer("peer")(lambda: Run(lambda: 4 * seconds, 2, "half of it", timed=True))

    @both.peer("gone")
    def _():
        import no_such_package  # noqa: F401

    @both.peer("refused")
    def _():
        raise UnavailableError("no compiler")

    both.ours(lambda: Run(lambda: seconds, timed=True))
    return both


def test_measured_absent_and_judged():
    result = measure(three(0.25), 7, random.Random(1))
    assert result.case.names[0] == OURS
    assert result.seconds == {OURS: [0.25] * 7, "peer": [0.5] * 7}
    assert result.absent == {"gone": "no_such_package is not installed", "refused": "no compiler"}
    assert result.ratio("peer")[:3] == (2.0, 2.0, 2.0)
    assert [word for _, word in result.verdicts()] == ["reached", "not reached", "not measured"]
    text = report.case_text(result)
    assert "500 ms/hand" in text
    assert "2x (2 to 2)  [half of it]" in text
    assert "not measured: no compiler" in text
    assert "target at least 3x peer: not reached" in text
    assert "peer (half of it): 2x (2 to 2); gone: no_such_package is not installed" in report.markdown([result], [])
    (entry,) = json.loads(json.dumps(report.as_json([result], [])))["cases"]
    assert entry["measured"]["peer"]["seconds"] == [0.5] * 7
    assert entry["targets"][1] == {"bound": 3, "peer": "peer", "verdict": "not reached"}


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.0, "2 s"), (0.0123456, "12.3 ms"), (3.21e-5, "32.1 us"), (4.9e-9, "4.9 ns")]
)
def test_times_as_text(seconds, text):
    assert report.seconds_text(seconds) == text


def test_case_taking_long_has_fewer_rounds():
    both = three(0.25)
    both.rounds = 2
    assert len(measure(both, 7, random.Random(1)).seconds[OURS]) == 2


# ------------------------------------------------------------------------------------------------------ cases


def test_every_case_is_ours_and_its_targets_name_a_contender():
    for case in CASES.values():
        assert OURS in case.contenders, case.name
        assert {target.peer or OURS for target in case.targets} <= set(case.contenders), case.name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.same])
def test_contenders_agree(name, monkeypatch):
    for flags in "ADVISED", "LESS":
        monkeypatch.setattr(linking, flags, "-O0 -g0")  # built once, and quickly: what is compared are the results
    case = CASES[name]
    found = []
    for contender in case.names:
        try:
            found.append(np.array(case.contenders[contender]().call()))
        except (ModuleNotFoundError, UnavailableError) as error:
            pytest.skip(str(error))
    ours, *others = found
    for theirs in others:
        np.testing.assert_allclose(theirs, ours, rtol=1e-9)


def test_three_opponents_are_enumerated():
    """With all of the first opponent's holdings, which a measurement leaves out: there are five here."""
    tables = np.where(np.arange(1326) < 300, strength.TABLES, 0.0)
    tables[0] = np.where(np.isin(np.arange(1326), [10, 30, 100, 222, 250]), tables[0], 0.0)
    try:
        found = board_outer.joint_strength(strength.FLOP, strength.HOLDING, tables)
    except UnavailableError as error:
        pytest.skip(str(error))
    assert pm.BoardAnalysis(strength.FLOP).joint_strength(strength.HOLDING, tables) == pytest.approx(found, rel=1e-9)


def test_nothing_outside_is_measured_without_a_compiler(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(UnavailableError, match="there is no C compiler"):
        linking.outside("-Os")  # which no other test has built


@pytest.mark.parametrize("flop", ["2c7d9h", "Ac7c4c", "6c6d6h"])
def test_loop_that_we_are_compared_with(flop):
    weights = np.random.default_rng(1).random(1326)
    board, holding = pm.cards.card_indices(flop), pm.cards.card_indices("AhKd")
    counts = board_outer.potential_counts(board, holding, weights)
    np.testing.assert_allclose(counts, pm.evaluation.hand_potential(holding, board, weights, 2).counts, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_peer_on_the_river_is_exact():
    found = strength.river_eval7().call()
    ours = pm.BoardAnalysis(strength.RIVER).strengths()
    theirs = {pm.cards.holding_index(f"{first}{second}"): equity for (first, second), equity in found.items()}
    live = np.flatnonzero(~np.isnan(ours))
    np.testing.assert_allclose([theirs[index] for index in live], ours[live], rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_flops_are_of_their_kind(kind):
    found = flops(kind, apart_from="AhKd")
    for _ in range(13):
        board = next(found)
        assert not {*board} & {*pm.cards.card_indices("AhKd")}
        ranks, suits = len({card // 4 for card in board}), len({card % 4 for card in board})
        expected = {"rainbow": (3, 3), "two-tone": (3, 2), "monotone": (3, 1), "paired": (2, 3), "trips": (1, 3)}
        assert (ranks, suits) == expected[kind]


def test_command(monkeypatch, capsys):
    command = [sys.executable, "-m", "benchmarks"]
    run = subprocess.run(
        [*command, "--only", "kernel alone", "--only", "process: the*", "--rounds", "2", "--json", "-", "--markdown"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(run.stdout)
    assert [case["name"] for case in found["cases"]] == ["strength: river, all holdings, from scratch, kernel alone"]
    assert {"processor", "python", "simd"} <= found["machine"].keys()
    assert len(found["facts"]) == 2
    assert "| what | ours |" in run.stderr
    monkeypatch.setattr(benchmarks.__main__, "keep_no_counts", lambda: None)
    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "nothing like it"])
    with pytest.raises(SystemExit) as ended:
        benchmarks.__main__.main()
    assert ended.value.code == 2
    assert "--list" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------------ guard

DUMP = """\
# callgrind format
desc: Trigger: Client Request: call: evaluate
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
summary: 1000 300 200 1 2 3 1 0 2
fn=(1) main
"""


def test_parse_dump():
    assert guard.parse_dump(DUMP.splitlines()) == ("call: evaluate", Cost(1000, 1000 + 10 * 6))
    assert guard.parse_dump(DUMP.replace("Client Request: call: evaluate", "Program termination").splitlines()) is None


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (Cost(1020, 1020), "ok"),
        (Cost(1021, 1000), "SLOWER"),
        (Cost(1000, 1021), "SLOWER"),
        (Cost(500, 500), "ok"),
        (None, "gone"),
    ],
)
def test_kernel_may_cost_two_percent_more(head, expected):
    assert Row("avx2", "x", guard_kernels.KERNEL, Cost(1000, 1000), head).verdict == expected
    assert Row("avx2", "x", guard_kernels.KERNEL, None, Cost(1, 1)).verdict == "new"


def test_sides_are_compared_case_by_case():
    kernel, call = "evaluate_many, seven cards", "call: evaluate"
    base = {("portable", kernel): Cost(100, 100), ("avx2", call): Cost(100, 100)}
    head = {("avx2", kernel): Cost(100, 100), ("avx2", call): Cost(104, 105)}
    rows = guard.compare(base, head)
    assert [(row.level, row.name, row.verdict) for row in rows] == [
        ("portable", kernel, "gone"),
        ("avx2", kernel, "new"),
        ("avx2", call, "ok"),
    ]
    lines = guard.table(rows).splitlines()
    assert len(lines) == 4
    assert re.search(r"\+4\.00%\s+\+5\.00%\s+\+5% ok", lines[-1])
    lines = guard.table(rows, {("avx2", call): Cost(100, 84)}).splitlines()
    assert re.search(r"\+4\.00%\s+\+5\.00%\s+\+25\.00%\s+\+5% ok", lines[-1])


class _Counter(guard.Counter):
    """Has a case's cost for every side and layout, instead of counting."""

    def __init__(self, case: str, costs: dict[str, list[int]]):
        self.case, self.costs, self.seen = case, costs, []

    def count_once(self, side, level, layout, plans=(), names=()):
        assert names == ([self.case] if layout else ())
        self.seen.append((side.name, layout))
        cost = self.costs[side.name][min(layout, len(self.costs[side.name]) - 1)]
        return guard.Count({self.case: Cost(cost, cost)}, {}, {})


@pytest.mark.parametrize(
    ("costs", "found", "layouts"),
    [
        ({"base": [1000], "head": [1000, 1070], "again": [1008]}, [1000, 1000, 1008], 1),  # nearly the same
        ({"base": [1000], "head": [1030, 1040, 1020, 990]}, [1000, 1020], 3),
        ({"base": [1020, 1000], "head": [1000]}, [1000, 1000], 3),
        ({"base": [1000], "head": [1000], "again": [1070] * 5 + [1001, 1070]}, [1000, 1000, 1001], 6),
        ({"base": [1000], "head": [1060] * 4 + [1020, 1060], "again": [1020]}, [1000, 1020, 1020], 5),
        ({"base": [1000], "head": [1060]}, [1000, 1060], guard.MOST_LAYOUTS),  # slower indeed
        ({"head": [1060]}, [1060], 1),
    ],
)
def test_short_calls_are_counted_until_sides_agree(costs, found, layouts):
    counter = _Counter("call: evaluate", costs)
    counted, _ = counter.count_level({name: Path(name) for name in costs}, "avx2")
    assert [counted[name].costs["call: evaluate"].instructions for name in costs] == found
    assert max(layout for _, layout in counter.seen) + 1 == layouts
    assert len(counter.seen) == len(costs) * layouts


def test_kernels_are_counted_again_where_sides_differ():
    case = "evaluate_many, seven cards"
    counter = _Counter(case, {"base": [1000], "head": [1030] * 4 + [1000], "again": [1000]})
    counted, _ = counter.count_level({name: Path(name) for name in counter.costs}, "avx2")
    assert [counted[name].costs[case].instructions for name in counter.costs] == [1000, 1000, 1000]
    # a kernel's first counts are in one layout; then in further ones, until the sides agree
    assert {layout for _, layout in counter.seen} == {0, 3, 4}


def slowed(by: float = 0.05, left_out: str = "") -> guard.Slowed:
    """Kernels that are 80% of their cases, each slowed."""
    plants = {name: plant.case for name, plant in guard.PLANTS.items() if name != left_out}
    cost = round(10_000 + 8_000 * by)
    return guard.Slowed(
        dict.fromkeys(plants.values(), Cost(10_000, 10_000)),
        dict.fromkeys(plants, 8_000),
        dict.fromkeys(plants, Cost(cost, cost)),
    )


def test_self_test_wants_every_kernel(capsys):
    head = {("avx2", name): Cost(10_000, 10_000) for name in guard_kernels.CASES}

    def passes(again=head, planted=None):
        return guard.self_test(head, dict(again), planted or slowed(), "avx2")

    assert passes()
    said = capsys.readouterr().out
    assert re.search(r"avx2 +weighed dealing +80% +\+5\.00% +\+4\.00% +\+4\.00%  caught\n", said)
    assert re.search(r"self-test passed: (\d+) kernels, \1 of \1 slowdowns of 5% caught\n", said)
    # two builds may differ by what comes from the layout, and no more
    assert passes(dict.fromkeys(head, Cost(10_040, 10_090)))
    assert not passes(dict.fromkeys(head, Cost(10_060, 10_000)))
    assert not passes(dict.fromkeys(head, Cost(10_000, 10_110)))
    # nothing was planted, or too little or much for the name of 5%; a kernel was not counted
    for by in (0.0, 0.03, 0.07):
        assert not passes(planted=slowed(by))
    capsys.readouterr()
    assert not passes(planted=slowed(left_out="hand strength"))
    assert "self-test: avx2, hand strength: what was planted is no slowdown of 5%" in capsys.readouterr().out
    del head["avx2", guard.PLANTS["hand strength"].case]
    assert not passes()
    assert "self-test: hand strength: was not counted" in capsys.readouterr().out


def test_self_test_wants_slowdowns_caught(capsys):
    case = guard.PLANTS["hand strength"].case
    head = {("avx2", case): Cost(10_000, 10_000)}
    found = slowed()._replace(inside=dict.fromkeys(guard.PLANTS, 3_000))
    found.slowed["hand strength"] = Cost(10_150, 10_150)
    assert not guard.self_test(head, head, found, "avx2")
    assert "self-test: avx2, hand strength: was not caught" in capsys.readouterr().out


def test_plants_are_kernels():
    assert {plant.case for plant in guard.PLANTS.values()} <= set(guard_kernels.CASES)
    assert not set(guard.PLANTS) & set(guard_kernels.CASES)  # what is counted goes by one name
    assert all(guard_kernels.CASES[plant.case].limit == guard_kernels.KERNEL for plant in guard.PLANTS.values())
    assert guard.LEAST_SLOWDOWN < guard.SLOWDOWN < guard.MOST_SLOWDOWN


@pytest.mark.parametrize(("inside", "calls"), [(10_000_000, 1), (5_000_000, 5_000), (1_200_000, 13_260)])
def test_what_slows_a_kernel_takes_five_percent(inside, calls):
    plan = guard.slow_down(guard_kernels.Plan("x", "x", 0), inside, calls)
    wasted = guard.ASKING_CALL + (guard.WASTING_CALL + guard.WASTED_STEP * plan.steps) / plan.period
    assert wasted * calls == pytest.approx(0.05 * inside)
    assert plan.period == 1 or plan.steps > 0


@pytest.mark.parametrize("name", guard_kernels.CASES)
def test_what_is_counted_runs(name):
    """Twice the same, or counts would mean nothing; and what runs in the same process afterwards sees nothing of it."""
    found = []
    usual = blueprint._FLOPS_FITTED
    for _ in range(2):
        run = guard_kernels.CASES[name].prepare()
        results = [run(0), run(1)]
        found.append(pickle.dumps([getattr(result, "payoffs", result) for result in results]))  # of whole matches
    assert found[0] == found[1]
    assert usual == blueprint._FLOPS_FITTED


def test_slowdowns_can_be_planted(tmp_path):
    guard.copy_sources(ROOT, tmp_path)
    package = tmp_path / "src/pokermodel"
    assert not any("PM_PLANT" in path.read_text() for path in package.rglob("*.h"))
    guard.plant(tmp_path)
    planted = [path.read_text() for path in package.rglob("*") if path.suffix in (".h", ".pyx")]
    for number, (_, functions) in enumerate(guard.planted_sites()):
        assert sum(text.count(f"    PM_PLANT({number})") for text in planted) == len(functions)
    (package / "include/pokermodel/vectors/kernels_template.h").write_text("nothing of it is left")
    with pytest.raises(GuardError, match="where else to slow"):
        guard.plant(tmp_path)


def test_a_wheel_is_a_side(tmp_path):
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pokermodel/__init__.py", "x = 1\n")
    guard.unpack_wheel(wheel, tmp_path / "side")
    assert [path.name for path in (tmp_path / "side/src/pokermodel").glob("*.py")] == ["__init__.py"]
    with pytest.raises(GuardError, match="there is no wheel"):
        guard.unpack_wheel(tmp_path / "none.whl", tmp_path / "side")


def test_baseline_is_a_commit():
    assert re.fullmatch("[0-9a-f]{40}", guard.named_baseline((ROOT / "benchmarks/baseline.txt").read_text()))
    with pytest.raises(GuardError, match=r"no revision no-such-revision|git"):
        guard.find_base("no-such-revision")


def test_all_cases_are_prepared_before_one_is_counted(monkeypatch):
    """Whenever counting starts or stops, all code is translated again."""
    done = []

    class Requests:
        def __getattr__(self, name):
            return lambda *given: done.append((name.removeprefix("count_"), *given))

    def case(name, fails=False):
        def prepare():
            done.append(("prepare", name))
            if fails:
                raise ImportError("not here yet")
            return lambda which: done.append((name, which))

        return guard_kernels.Counted(prepare, guard_kernels.KERNEL, False)

    cases = {"a": case("a"), "b": case("b", fails=True), "c": case("c")}
    monkeypatch.setattr(guard_kernels, "CASES", cases)
    assert guard_kernels.count(Requests(), cases) == {"b": "ImportError: not here yet"}
    begin = done.index(("start",))
    assert done[:begin] == [("prepare", "a"), ("a", 0), ("prepare", "b"), ("prepare", "c"), ("c", 0)]
    counted = [[(name, 0), ("from_zero",), (name, 1), ("write", name.encode())] for name in "ac"]
    assert done[begin + 1 :] == [*counted[0], *counted[1], ("stop",)]


def test_guard_builds_with_what_the_package_is_built_with():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["optional-dependencies"]["guard"] == project["build-system"]["requires"]


# ------------------------------------------------------------------------------------------- moves of the baseline


def costs(case, number):
    return {(level, case): Cost(number, number) for level in guard.LEVELS}


def test_small_moves_of_the_baseline_add_up(capsys):
    """Five moves, each within what may grow at once: the last are beyond the ceiling."""
    case, now = "weights by Loki-1's ramps", 100_000
    found = []
    for _ in range(5):
        before, now = now, int(now * 1.019)
        assert {row.verdict for row in guard.compare(costs(case, before), costs(case, now))} == {"ok"}
        found.append(guard.report_growth(costs(case, 100_000), costs(case, now)))
    assert found == [0, 0, 0, 2, 2]
    assert "beyond the ceiling" in capsys.readouterr().out


def test_the_anchor_does_not_move():
    """All growth is counted from one commit. A case that must grow gets an allowance, and no other anchor."""
    assert guard.ANCHOR == "232c00660d0f8e57f739aa0ac8913f9b50ce19e9"
    assert guard.CEILING == 3


def test_allowances_are_of_one_case_each_with_a_reason():
    for case, (percent, reason) in guard.ALLOWANCES.items():
        assert case in guard_kernels.CASES
        assert isinstance(percent, int)
        assert guard.CEILING * (guard_kernels.CASES[case].limit - 1) < percent / 100 <= 1, f"{case}: {percent}%"
        assert len(reason.split()) >= 5, f"{case}: expected what the growth buys, got {reason!r}"


def test_an_allowance_raises_the_ceiling_of_its_case_alone(monkeypatch, capsys):
    case = "weights by Loki-1's ramps"
    monkeypatch.setitem(guard.ALLOWANCES, case, guard.Allowance(9, "a second table of weights beside the first"))
    assert guard.report_growth(costs(case, 1000), costs(case, 1090)) == 0
    assert f"allowed 9%: {case}, which grew by 9.0%: a second table" in capsys.readouterr().out
    assert guard.report_growth(costs(case, 1000), costs(case, 1091)) == 2
    assert guard.report_growth(costs("rows against rows", 1000), costs("rows against rows", 1090)) == 2


def test_a_case_that_an_older_revision_has_must_run_there(capsys):
    """Or a name that moved would let a case grow unseen."""
    lacking = {"rows against rows": "ImportError: no simd", "call: evaluate": "ImportError: no evaluate"}
    assert guard.report_lacking("anchor", lacking, {"rows against rows", "a case of then"}) == 1
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "not on the anchor: rows against rows: ImportError: no simd: it lists this case; "
        "see MOVED and RENAMED of guard_kernels",
        "not on the anchor: call: evaluate: ImportError: no evaluate",
        "gone from the list of cases, which the anchor has: a case of then",
    ]


def test_modules_and_names_that_moved_are_found_on_a_base(monkeypatch):
    for name in ("pokermodel.pots_now", "pokermodel.game_now", "pokermodel.game_now.pots"):
        monkeypatch.setitem(sys.modules, name, None)  # it is put back after the test
        monkeypatch.delitem(sys.modules, name)
    moved = {"pots_now": ("pots_between", "game.pots"), "game_now": ("game",), "game_now.pots": ("game.pots",)}
    monkeypatch.setattr(guard_kernels, "MOVED", moved)
    monkeypatch.setattr(guard_kernels, "RENAMED", {"pots_now": {"Now": "__name__"}})
    guard_kernels.find_what_moved()
    from pokermodel.game_now import pots as beside
    from pokermodel.pots_now import Now

    assert Now == "pokermodel.game.pots"
    assert beside is sys.modules["pokermodel.game.pots"]
    del beside.Now


def test_what_moved_is_there_under_its_present_name():
    for name in guard_kernels.MOVED:
        assert guard_kernels.imported(name) is not None, name


def test_growth_until_the_baseline_is_kept(tmp_path, monkeypatch):
    """So that the anchor needs no counting until the baseline moves."""
    monkeypatch.setattr(guard, "GROWTH", tmp_path / "growth.json")
    assert guard.kept_growth("base") is None
    case = "rows against rows"
    then, now = ({("avx2", case): Cost(*each)} for each in ((1000, 3000), (1030, 3300)))
    guard.write_growth("base", then, {**now, ("avx2", "call: evaluate"): Cost(7, 7)})
    found = guard.kept_growth("base")
    assert found == {("avx2", case): (1.03, 1.1)}
    assert guard.at_anchor(now, found) == then
    assert guard.at_anchor({}, found) == {}
    assert guard.kept_growth("another") is None
    monkeypatch.setattr(guard, "ANCHOR", "another")
    assert guard.kept_growth("base") is None


def test_what_grew_little_since_the_anchor_is_not_shown(capsys):
    assert guard.report_growth(costs("rows against rows", 1000), costs("rows against rows", 1010)) == 0
    assert "rows against rows" not in capsys.readouterr().out


def repository(folder):
    """What commits in a new repository: a file's text with a message. It returns the commit."""

    def git(*arguments):
        command = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def commit(name, text, message):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        git("add", "--all")
        git("commit", "--quiet", "--message", message)
        return git("rev-parse", "HEAD")

    git("init", "--quiet")
    return commit


def test_moves_of_the_baseline_have_to_say_why(tmp_path):
    commit = repository(tmp_path)
    commit(moved_baseline.BASELINE, "old", "Silent, but before the anchor")
    anchor = commit("other", "1", "Anchor")
    assert moved_baseline.silent_moves(anchor, tmp_path) == []
    commit("other", "2", "Move nothing")
    first = commit(moved_baseline.BASELINE, "z", "Silent, and the only one")
    assert len(moved_baseline.silent_moves(anchor, tmp_path)) == 1
    anchor = first
    commit(moved_baseline.BASELINE, "a", "Read sizes\n\nThey cost 3%.\n\nGuard-baseline: sizes are read, 3%")
    assert moved_baseline.silent_moves(anchor, tmp_path) == []
    commit(moved_baseline.BASELINE, "b", "Let it cost more\n\nGuard-baseline is moved, and why is not said")
    commit(moved_baseline.BASELINE, "c", "Let it cost still more\n\nGuard-baseline:")
    commit("other", "3", "Move nothing again")
    found = moved_baseline.silent_moves(anchor, tmp_path)
    assert [line.split(" ", 1)[1] for line in found] == ["Let it cost still more", "Let it cost more"]
    with pytest.raises(GuardError, match="shallow clone"):
        moved_baseline.silent_moves("0" * 40, tmp_path)


def test_moves_of_our_own_baseline_said_why():
    """As far as there is history here."""
    assert moved_baseline.main() == 0


def test_the_anchor_is_counted_once_the_base_is_later(monkeypatch):
    monkeypatch.setattr(guard, "commit", lambda revision: revision)
    for older, expected in ((True, None), (False, guard.ANCHOR)):
        monkeypatch.setattr(guard, "is_ancestor", lambda base, anchor, older=older: older)
        assert guard.find_anchor("1" * 40) == expected
    assert guard.find_anchor(None) is None
    assert guard.find_anchor("some.whl") is None
