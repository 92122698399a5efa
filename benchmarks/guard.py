"""The guard against slower kernels: counts under callgrind, of a base revision and of the working tree.

    python -m benchmarks.guard                       # against the commit before this one
    python -m benchmarks.guard --base v1.2.0         # against any revision
    python -m benchmarks.guard --base baseline       # what CI does: the newest release tag, or benchmarks/baseline.txt
    python -m benchmarks.guard --head FILE.whl       # a wheel instead of the working tree: the one that ships
    python -m benchmarks.guard --base baseline --anchor   # after the baseline was moved: writes benchmarks/growth.json
    python -m benchmarks.guard --self-test           # moreover: two builds agree, slower kernels are caught

Wall clock says little on a busy machine; instruction counts are the same on every run. What is built here, all but
wheels, is copied out and built by the same compiler with the same flags. Every side runs `guard_kernels` of the working
tree under valgrind's callgrind with address randomisation off and a fixed environment, at the vector levels portable
and AVX2 (valgrind hides AVX-512). Two numbers come out of each case: the instructions (Ir), and the cost with simulated
caches of a fixed geometry, ``Ir + 10*L1 misses``. Either may grow by 2% in a kernel and by 5% in a short call from
Python. Misses of the last level have no weight: all that a case touches has room there, so that they tell only whether
an array lies where something was before, which is the heap's chance and moved a case of 5 million instructions by 2%.

A base that moves on lets small growths add up. So all growth since the commit `ANCHOR`, which never moves, stands
beside each case. Since then no case may have grown by more than `CEILING` times what may grow at once, unless
`ALLOWANCES` names the case, says how much it may have grown, and why. What the baseline had grown by is kept in
``growth.json``, because counting the anchor as well takes half as long again. With another base, or `--anchor`, the
anchor itself is counted.

For the self-test the head is built twice more: as it is (a wheel is only laid out again, since build_wheels.py --twice
sees that a second build has the same bytes), and with each kernel of `PLANTS` asking at its beginning what to do. In
that build the instructions between beginning and end of a kernel are counted, 5% of them are wasted when its case is
counted again, and the case must be reported as slower. All that at the highest level that can be counted.

The exit status is 1 if a case grew by more than it may, if it does not run on the head, if it does not run on a base or
anchor that has it, or if the self-test fails; 2 if counting is impossible here.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.compiled import HERE, compiler, compiler_version, shared_library
from benchmarks.guard_kernels import CALL, CASES, LEVELS, Plan

ROOT = HERE.parent
# Layouts of memory, in which short calls are counted that differ by more than so much, and what fails (guard_kernels)
LAYOUTS, MOST_LAYOUTS, CLOSE = 3, 10, 0.01
#: The commit from which all growth is counted. It does not move: a test holds it.
ANCHOR = "232c00660d0f8e57f739aa0ac8913f9b50ce19e9"
#: What each case costs at the baseline, as multiples of its cost at the anchor.
GROWTH = HERE / "growth.json"
#: How many times what a case may grow at once it may have grown since the anchor: 6% in a kernel and 15% in a short
#: call. Not less, since a kernel may gain an option now and then; not more, because at three steps a reader should ask
#: what they bought.
CEILING = 3
REQUEST = "desc: Trigger: Client Request: "
CALLGRIND = (
    "--tool=callgrind",
    "--instr-atstart=no",
    "--dump-line=no",  # sums are read, and no lines
    "--cache-sim=yes",
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=8388608,16,64",
)


class Allowance(NamedTuple):
    """How much a case may have grown since the anchor, instead of the ceiling for all, and why it must."""

    percent: int
    reason: str


#: Cases that must grow beyond the ceiling, by name. The reason says what the growth buys.
ALLOWANCES: dict[str, Allowance] = {
    "forecasts by the adaptive reader": Allowance(
        10, "an expectation is a plain data class of named parts, which are worked out once each"
    ),
    "call: a hand read for a report": Allowance(
        22, "before the flop the equity against those who continue is dealt, too, and each range says its width"
    ),
    "reading unusual hands of PokerStars": Allowance(
        18, "all sites share a grammar, and hands whose first line is damaged are counted"
    ),
    "best responses on a river": Allowance(8, "threads take turns with a solution, whose walks mixed before"),
    "long hands of PHH, refused at their end": Allowance(
        20, "the door of TOML, which spots share, looks for keys of very many dots, on which the parser takes seconds"
    ),
    "sizes learnt and foretold by the adaptive reader": Allowance(
        22, "how sure a player's sizes are is learnt by their own forecast, which learning did not need before"
    ),
}


class Plant(NamedTuple):
    """A hot kernel, which the self-test slows: functions of a header or a .pyx file, and the case that shows it."""

    case: str
    file: str
    functions: tuple[str, ...]


PLANTS = {
    "evaluation of many hands": Plant("evaluate_many, seven cards", "kernels_template.h", ("pm_rank_rows_here",)),
    "comparison of rows": Plant("rows against rows", "kernels_template.h", ("pm_compare_rows_here",)),
    "addition of pairs": Plant("sums over counts", "kernels_template.h", ("pm_add_pairs_here",)),
    "order of a board's holdings": Plant("rivers, holdings in order", "field.h", ("pm_field_init",)),
    "ends of hands": Plant("best responses on a river", "sweep_template.h", ("pm_ends_here",)),
    "strategies by classes": Plant(
        "a reader's strategy at every node of a turn tree", "strategies.h", ("pm_strategy_of_classes",)
    ),
    "play-outs": Plant("hands played out by a reader's strategy", "play_outs.h", ("pm_play_out_deal",)),
    "decisions with locks": Plant("a river solved with locks", "solver.h", ("pm_locked_own",)),
    "hand strength": Plant("river, all holdings, further ranges", "prefix_sums.h", ("pm_prefix_strengths",)),
    "strength against two": Plant("strength against two opponents at once", "joint.h", ("pm_disjoint_pairs",)),
    "strength against three": Plant("strength against three opponents at once", "joint.h", ("pm_disjoint_triples",)),
    "counts of runouts": Plant("flop, all holdings, one to come, first range", "counts.h", ("pm_counts_init",)),
    "counts of two-card runouts": Plant(
        "rainbow flop, all holdings, two to come, first range", "counts.h", ("pm_counts_init",)
    ),
    "potential of all holdings": Plant("flop, all holdings, further range", "counts.h", ("pm_counts_cells",)),
    "potential of one holding": Plant("flop, one holding, one to come, analysed", "counts.h", ("pm_counts_one",)),
    "two-card potential of one holding": Plant(
        "flop, one holding, two to come, cold", "runouts.h", ("pm_runouts_one",)
    ),
    "crude potential": Plant("crude potentials of a flop", "outs.h", ("pm_outs",)),
    "features of holdings": Plant("classes of holdings on ten boards", "holding_features.h", ("pm_holding_keys",)),
    "candidates by classes": Plant("hands as tables by class see them", "observed_hands.h", ("pm_observed_tree",)),
    "expectation steps": Plant("hands counted again by BPP", "class_tables.h", ("pm_class_count",)),
    "matchup before the flop": Plant("two known holdings before the flop", "matchups.pyx", ("add_matchup",)),
    "matchups of ranges": Plant("ranges of pairs on a flop", "matchups.pyx", ("add_matchup",)),
    "known holdings on every board": Plant("three known holdings before the flop", "equity.pyx", ("tally_runouts",)),
    "simulated showdowns of two": Plant("simulation, 2 random players", "equity.pyx", ("tally_deals",)),
    "simulated showdowns of six": Plant("simulation, 6 random players", "equity.pyx", ("tally_deals",)),
    "simulated showdowns of ranges": Plant("simulation, 3 weighted ranges", "equity.pyx", ("tally_deals",)),
    "joint dealing": Plant("joint deals, 5 weighted holdings", "dealing.h", ("pm_deal_next",)),
    "joint dealing in halves": Plant("joint deals, 9 weighted holdings", "dealing.h", ("pm_half_fill",)),
    "dealing from a deck": Plant("joint deals, 6 random holdings", "dealing.h", ("pm_deal_next",)),
    "weighed dealing": Plant("joint deals, 6 holdings of 12 cards", "dealing.h", ("pm_try_weigh",)),
    "dealing on runouts": Plant(
        "joint deals, 5 weighted holdings on runouts dealt first", "dealing.h", ("pm_deal_after_runout",)
    ),
    "published dealing": Plant("published deals, 5 weighted holdings", "dealing.h", ("pm_try_in_order",)),
    "making of alias tables": Plant("tables of weighted holdings to draw from", "alias.h", ("pm_alias_init",)),
    "strengths in play-outs": Plant("play-outs of a flop, four players", "strengths.h", ("pm_strengths_worth",)),
    "play-outs by triples": Plant("play-outs, strengths known", "playout.h", ("pm_play_branch",)),
    "play-outs by Loki-1's rules": Plant(
        "play-outs by Loki-1's rules, strengths known", "playout.h", ("pm_play_branch",)
    ),
    "probability triples": Plant("triples of all holdings", "triples.h", ("pm_triple_of",)),
    "forecasts by ramps": Plant("forecasts by Loki-1's ramps", "reweighting.h", ("pm_ramp_forecast",)),
    "weights by ramps": Plant("weights by Loki-1's ramps", "reweighting.h", ("pm_ramp_weights",)),
    "factors of ramps": Plant("factors of a fold by Loki-1's ramps", "reweighting.h", ("pm_ramp_factors",)),
    "Bayes' rule": Plant("weights by Bayes' rule", "reweighting.h", ("pm_posterior",)),
    "means of triples": Plant("means of triples by weights", "reweighting.h", ("pm_mean_triple",)),
    "merged tables": Plant("tables of opponents merged", "opponents.h", ("pm_merge_tables",)),
    "means by classes": Plant("forecasts by BPP's tables", "class_tables.h", ("pm_class_mean",)),
    "weights by classes": Plant("forecasts by BPP's tables", "class_tables.h", ("pm_class_posterior",)),
    "forecasts by triples": Plant("forecasts by Loki-2's triples", "expected_triples.h", ("pm_expected_triples",)),
    "texts of PHH": Plant(
        "long hands of PHH, refused at their end", "phh.h", ("pm_phh_read", "pm_phh_complete", "pm_phh_play")
    ),
    "texts of the IRC database": Plant(
        "long hands of the IRC database, refused at their end",
        "irc.h",
        ("pm_irc_read_hand", "pm_irc_read_row", "pm_irc_play", "pm_irc_fits"),
    ),
    "texts of PokerStars": Plant(
        "long hands of PokerStars, refused at their end",
        "stars.h",
        ("pm_stars_header", "pm_stars_lines", "pm_stars_seats", "pm_stars_play"),
    ),
    "rules of the game": Plant("heads-up hands of random players", "random_play.pyx", ("play",)),
    "steps of tables": Plant("steps of tables of no limit", "environment.h", ("pm_env_step", "pm_env_observe")),
    "steps of tables with opponents": Plant(
        "steps of tables of six with opponents", "environment.h", ("pm_env_step", "pm_env_observe")
    ),
    "roll-outs for 23 players": Plant("all-in showdowns of 23 holdings", "rollout.pyx", ("tally_deals",)),
    "roll-outs for two": Plant("showdowns of all holdings on 50 boards", "rollout.pyx", ("tally_board",)),
    "stud, play": Plant("stud, hands", "stud_play.h", ("pm_stud_play",)),
    "stud, play card by card": Plant("stud, hands compared card by card", "stud_play.h", ("pm_stud_play",)),
    "stud, decision": Plant("stud, hands judged", "stud_player.h", ("pm_stud_decide",)),
    "stud, observation": Plant("stud, hands observed", "stud_observations.pyx", ("observe_game",)),
    "stud, counts of cards": Plant("stud, tables of a small deck", "stud_counts.pyx", ("count_tables",)),
    "stud, enumeration": Plant("stud, chance to win by enumeration", "stud_counts.pyx", ("share_of_wins",)),
}
# What is planted, of the kernel itself, and what is taken for that much: processes differ by some tenths of a percent.
SLOWDOWN, LEAST_SLOWDOWN, MOST_SLOWDOWN = 0.05, 0.04, 0.06
MEASURED_CALL = 16  # instructions that measuring adds to each call
ASKING_CALL, WASTING_CALL, WASTED_STEP = 3, 24, 2  # and what slowing takes: at each call, when it wastes, and a step
LEAST_WASTE = 100  # instructions at a time; kernels of which 5% is less are slowed every few calls


class GuardError(Exception):
    """Nothing can be counted, and why."""


class Cost(NamedTuple):
    """Simulated cost of a case."""

    instructions: int
    with_caches: int


class Count(NamedTuple):
    """What one process of `guard_kernels` found."""

    costs: dict[str, Cost]  # by case
    problems: dict[str, str]  # why cases are not among them
    calls: dict[str, int]  # of planted kernels


class Slowed(NamedTuple):
    """What slowing kernels does, at one level."""

    plain: dict[str, Cost]  # by case, and by kernel
    inside: dict[str, int]  # instructions of the kernel itself, and of what it calls
    slowed: dict[str, Cost]  # of the case, by kernel


Costs = dict[tuple[str, str], Cost]  # by level and case


class Row(NamedTuple):
    """A case at a level, on both sides; a side that lacks it is None."""

    level: str
    name: str
    limit: float
    base: Cost | None
    head: Cost | None

    @property
    def ratios(self) -> tuple[float, float] | None:
        """Head to base: instructions, and cost with caches."""
        if self.base is None or self.head is None:
            return None
        return self.head.instructions / self.base.instructions, self.head.with_caches / self.base.with_caches

    @property
    def verdict(self) -> str:
        if self.ratios is None:
            return "new" if self.base is None else "gone"
        return "SLOWER" if max(self.ratios) > self.limit else "ok"


# ------------------------------------------------------------------------------------------------- arithmetic


def parse_dump(lines: Iterable[str]) -> tuple[str, Cost] | None:
    """Name and cost of one of callgrind's dumps; None if no request of ours wrote it."""
    name, events = None, []
    for line in lines:
        if line.startswith(REQUEST):
            name = line[len(REQUEST) :].strip()
        elif line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("summary:"):
            if name is None:
                return None
            counts = [int(number) for number in line.split()[1:]]  # without zeros at the end
            count = dict(zip(events, counts + [0] * (len(events) - len(counts)), strict=True))
            first = sum(count[event] for event in ("I1mr", "D1mr", "D1mw"))
            return name, Cost(count["Ir"], count["Ir"] + 10 * first)
    return None


def at_once(case: str) -> float:
    """How many times its cost on the base a case may cost."""
    return CASES[case].limit


def ceiling(case: str) -> float:
    """How many times its cost at the anchor a case may cost."""
    if case in ALLOWANCES:
        return 1 + ALLOWANCES[case].percent / 100
    return 1 + CEILING * (CASES[case].limit - 1)


def compare(
    base: Mapping[tuple[str, str], Cost],
    head: Mapping[tuple[str, str], Cost],
    limit: Callable[[str], float] = at_once,
) -> list[Row]:
    """Every case of either side, level by level, in the order of the head's."""
    keys = [(level, name) for level in LEVELS for name in CASES if (level, name) in base or (level, name) in head]
    return [Row(*key, limit(key[1]), base.get(key), head.get(key)) for key in keys]


def table(rows: Iterable[Row], anchored: Costs | None = None) -> str:
    """Rows as text; with costs at the anchor, also all growth since then."""

    def number(value: int | None) -> str:
        return f"{value:>13,}" if value is not None else f"{'-':>13}"

    lines = [f"{'':8} {'':55} {'Ir, base':>13} {'Ir, head':>13} {'Ir':>8} {'cost':>8} {'since':>8}  limit"]
    for row in rows:
        since = row._replace(base=(anchored or {}).get((row.level, row.name))).ratios
        changes = [f"{ratio - 1:+8.2%}" for ratio in row.ratios] if row.ratios else [" " * 8] * 2
        changes.append(f"{max(since) - 1:+8.2%}" if since else " " * 8)
        lines.append(
            f"{row.level:8} {row.name:55} {number(row.base and row.base.instructions)} "
            f"{number(row.head and row.head.instructions)} {' '.join(changes)}  {row.limit - 1:+.0%} {row.verdict}"
        )
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------------- revisions


def git(*arguments: str, root: Path = ROOT) -> str:
    try:
        run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        raise GuardError("git is not installed") from None
    if run.returncode:
        raise GuardError(f"git {arguments[0]}: {(run.stderr.strip() or 'failed').splitlines()[-1]}")
    return run.stdout.strip()


def is_ancestor(older: str, newer: str) -> bool:
    try:
        git("merge-base", "--is-ancestor", older, newer)
    except GuardError:
        return False
    return True


def find_anchor(base: str | None) -> str | None:
    """Full id of the anchor, where it has to be counted beside a base: not if the base is as old, or a wheel."""
    if base is None or base.endswith(".whl"):
        return None
    try:
        anchor = commit(ANCHOR)
    except GuardError as error:
        print(f"*** growth since {ANCHOR[:8]} is not counted: {error}", flush=True)
        return None
    return None if is_ancestor(base, anchor) else anchor


def named_baseline(text: str) -> str:
    """The revision in baseline.txt."""
    (revision,) = (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return revision


def commit(revision: str, root: Path = ROOT) -> str:
    """Full id of a revision."""
    git("rev-parse", "--git-dir", root=root)
    try:
        return git("rev-parse", "--verify", f"{revision}^{{commit}}", root=root)
    except GuardError:
        raise GuardError(f"this checkout has no revision {revision}; is it a shallow clone?") from None


def find_base(wanted: str) -> str:
    """Full id of the base; `GuardError` if this checkout does not have it."""
    if wanted != "baseline":
        return commit(wanted)
    accepted = named_baseline((HERE / "baseline.txt").read_text(encoding="utf-8"))
    tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-creatordate").splitlines()
    if tags and not is_ancestor(tags[0], accepted):
        accepted = tags[0]
    return commit(accepted)


# ------------------------------------------------------------------------------------------------------ sides


def unpack_revision(revision: str, target: Path) -> Path:
    target.mkdir()
    archive = target.with_suffix(".tar")
    git("archive", "--output", str(archive), revision)
    shutil.unpack_archive(archive, target)
    archive.unlink()
    return target


def copy_sources(root: Path, target: Path) -> None:
    """Copy what is needed to build, in one order for all sides, and nothing that is built already."""
    built = shutil.ignore_patterns("*.c", "*.so", "*.html", "__pycache__", "*.egg-info")
    shutil.copytree(root / "src", target / "src", ignore=built)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(root / name, target / name)


def listed_cases(root: Path) -> set[str]:
    """Names in the list of cases that a revision has of its own."""
    script = root / "benchmarks/guard_kernels.py"
    if not script.exists():
        return set()
    run = subprocess.run([sys.executable, "-P", str(script), "--list"], capture_output=True, text=True)
    return set(json.loads(run.stdout or "{}"))


def build(side: Path) -> None:
    log = side / "build.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("POKERMODEL_", "CFLAGS"))}
    with log.open("w") as out:
        # entry points, by which the package finds its own readers and players, come from the metadata of egg_info
        command = [sys.executable, "setup.py", "--quiet", "egg_info", "build_ext", "--inplace"]
        if subprocess.run(command, cwd=side, env=environment, stdout=out, stderr=subprocess.STDOUT).returncode:
            raise GuardError(f"{side.name} does not build:\n{log.read_text()[-3000:]}")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=side, check=True)


def planted_sites() -> list[tuple[str, tuple[str, ...]]]:
    """Files and functions that are planted; kernels have their numbers, and can share one."""
    return list(dict.fromkeys((plant.file, plant.functions) for plant in PLANTS.values()))


def plant(side: Path) -> None:
    """Let every kernel of `PLANTS` ask at its beginning what to do: see planted.h."""
    package = side / "src/pokermodel"
    shutil.copy2(HERE / "planted.h", package / "include/pokermodel")
    for number, (file, functions) in enumerate(planted_sites()):
        is_cython = file.endswith(".pyx")
        (path,) = (package / ("_core" if is_cython else "include/pokermodel")).rglob(file)
        text = path.read_text(encoding="utf-8")
        for function in functions:
            if is_cython:
                head = rf"(^cdef [^\n(]*\b{function}\([^)]*\) noexcept nogil:\n(?:    \"\"\"[^\"]*\"\"\"\n)?)"
                call = f"    PM_PLANT({number})\n"
            else:
                head = rf"(^[^\n(]*\b{function}\([^)]*\)\n\{{\n)"
                call = f"    PM_PLANT({number});\n"
            text, found = re.subn(head, rf"\g<1>{call}", text, flags=re.MULTILINE)
            if found != 1:
                raise GuardError(f"{file} has changed: say in benchmarks/guard.py where else to slow {function}")
        if not is_cython:
            text = f'#include "pokermodel/planted.h"\n{text}'
        elif "planted.h" not in text:
            text += '\ncdef extern from "pokermodel/planted.h" nogil:\n    void PM_PLANT(int kernel) noexcept\n'
        path.write_text(text, encoding="utf-8")


def slow_down(plan: Plan, inside: int, calls: int) -> Plan:
    """The plan that makes a kernel of so many instructions, in so many calls, slower by 5%."""
    each = SLOWDOWN * inside / max(calls, 1) - ASKING_CALL
    period = max(1, math.ceil(LEAST_WASTE / max(each, 1.0)))
    return plan._replace(period=period, steps=max(0.0, each * period - WASTING_CALL) / WASTED_STEP)


def unpack_wheel(wheel: Path, side: Path) -> None:
    """Lay out a wheel as if it had been built in place."""
    if not wheel.is_file():
        raise GuardError(f"there is no wheel {wheel}")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(side / "src")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=side, check=True)


# --------------------------------------------------------------------------------------------------- counting


def without_randomised_addresses() -> list[str]:
    """Command that turns address randomisation off, where that is allowed."""
    command = ["setarch", platform.machine(), "-R"]
    try:
        subprocess.run([*command, "true"], check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        print("setarch -R does not work here: counts can differ by a few tenths of a percent", file=sys.stderr)
        return []
    return command


class Counter:
    """Counts the cases of builds, all of them from one and the same path."""

    def __init__(self, folder: Path) -> None:
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            raise GuardError("valgrind is not installed: apt-get install valgrind (or dnf, pacman, ...)")
        self.folder = folder
        self.kernels = shutil.copy2(HERE / "guard_kernels.py", folder)
        try:
            self.requests = shared_library("callgrind_requests.c", folder)
        except RuntimeError as error:
            raise GuardError(f"{error}\n(valgrind/callgrind.h comes with valgrind or valgrind-devel)") from None
        self.prefix = [*without_randomised_addresses(), valgrind, *CALLGRIND]

    def count_again(self, found: Count, side: Path, level: str, layout: int, names: Sequence[str]) -> None:
        """Count cases in another layout; the least is kept."""
        for name, again in self.count_once(side, level, layout, names=names).costs.items():
            found.costs[name] = Cost(*map(min, found.costs[name], again))

    def count_level(self, sides: Mapping[str, Path], level: str) -> tuple[dict[str, Count], Slowed]:
        """Count every side, and kernels slowed if there is a side with such."""
        counted = {name: self.count_once(side, level, 0) for name, side in sides.items() if name != "planted"}
        calls = unsettled(counted, level)
        for layout in range(1 if calls else LAYOUTS, MOST_LAYOUTS):
            names = calls if layout < LAYOUTS else differing(counted, level)
            if not names:
                break
            for name, found in counted.items():
                self.count_again(found, sides[name], level, layout, names)
        return counted, self.slow(sides["planted"], level) if "planted" in sides else Slowed({}, {}, {})

    def slow(self, side: Path, level: str) -> Slowed:
        """Measure each kernel of a planted build, slow it by 5% of that, and count its case."""
        sites = planted_sites()
        plans = [Plan(name, plant.case, sites.index((plant.file, plant.functions))) for name, plant in PLANTS.items()]
        plain = self.count_once(side, level, 0, plans)
        inside = {name: plain.costs[name].instructions - MEASURED_CALL * calls for name, calls in plain.calls.items()}
        plans = [slow_down(plan, inside[plan.name], plain.calls[plan.name]) for plan in plans if plan.name in inside]
        slowed = self.count_once(side, level, 0, plans).costs if plans else {}
        return Slowed(plain.costs, inside, slowed)

    def count_once(
        self, side: Path, level: str, layout: int, plans: Sequence[Plan] = (), names: Sequence[str] = ()
    ) -> Count:
        # every build is seen at the same path: paths are strings of the counted process
        place = self.folder / level
        place.mkdir()
        (place / "side").symlink_to(side)
        environment = {
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C",
            "PYTHONPATH": f"{place}/side/src",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTHONMALLOC": "malloc",  # Python's own allocator can fall to either side of a pool's end
            "OPENBLAS_NUM_THREADS": "1",
        }
        run = subprocess.run(
            [
                *(*self.prefix, f"--callgrind-out-file={place}/out"),
                *(sys.executable, "-P", self.kernels, self.requests, level, str(layout)),
                *map(json.dumps, (plans, names)),
            ],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
        )
        if run.returncode:
            raise GuardError(f"{side.name} at level {level} ended with {run.returncode}:\n{run.stderr[-3000:]}")
        found = Count({}, **json.loads(run.stdout.splitlines()[-1]))
        for path in place.glob("out.*"):
            with path.open(encoding="utf-8", errors="replace") as lines:
                dump = parse_dump(lines)
            if dump:
                found.costs[dump[0]] = dump[1]
        shutil.rmtree(place)
        return found


# ------------------------------------------------------------------------------------------------------- main


@contextmanager
def workplace(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        try:
            keep.mkdir(parents=True)
        except FileExistsError:
            raise GuardError(f"{keep} exists: expected a new folder") from None
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="pokermodel-guard-") as folder:
        yield Path(folder).resolve()


def by_side(counted: Iterable[Mapping[str, Count]], side: str) -> tuple[Costs, dict[str, str]]:
    """Costs of a side at all levels, and why cases are not among them."""
    costs: Costs = {}
    problems: dict[str, str] = {}
    for level, sides in zip(LEVELS, counted, strict=True):
        costs |= {(level, name): cost for name, cost in sides[side].costs.items()}
        problems |= sides[side].problems
    return costs, problems


def report(title: str, rows: list[Row], anchored: Costs | None = None) -> int:
    """Print the table; how many cases are slower."""
    slower = sum(row.verdict == "SLOWER" for row in rows)
    both = sum(row.ratios is not None for row in rows)
    print(f"\n{title}\n{table(rows, anchored)}")
    print(f"{both} compared, {slower} slower than allowed, {len(rows) - both} on one side only", flush=True)
    return slower


def write_growth(base: str, anchored: Costs, costs: Costs) -> None:
    """Keep what each case costs at a base, as multiples of its cost at the anchor."""
    cases = {
        f"{row.level}: {row.name}": [round(ratio, 5) for ratio in row.ratios]
        for row in compare(anchored, costs)
        if row.ratios
    }
    found = {"base": base, "anchor": ANCHOR, "cases": cases}
    GROWTH.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def kept_growth(base: str | None) -> dict[tuple[str, str], tuple[float, float]] | None:
    """What `write_growth` kept of a base; None if that is of another one."""
    found = json.loads(GROWTH.read_text(encoding="utf-8")) if GROWTH.exists() else {}
    if (found.get("base"), found.get("anchor")) != (base, ANCHOR):
        return None
    split = ((key.partition(": "), ratios) for key, ratios in found["cases"].items())
    return {(level, name): (instructions, cost) for (level, _, name), (instructions, cost) in split}


def at_anchor(costs: Costs, grown: Mapping[tuple[str, str], tuple[float, float]]) -> Costs:
    """Costs at the anchor, by those of a base and by how much they had grown there."""
    return {
        key: Cost(*(round(cost / ratio) for cost, ratio in zip(costs[key], ratios, strict=True)))
        for key, ratios in grown.items()
        if key in costs
    }


def report_growth(anchored: Costs, head: Costs) -> int:
    """Print the cases that have used up half of their ceiling since the anchor; how many are beyond it."""
    rows = [row for row in compare(anchored, head, ceiling) if row.ratios]
    high = [row for row in rows if max(row.ratios or ()) - 1 > (row.limit - 1) / 2]
    beyond = report(f"all growth since {ANCHOR[:8]}, where it is half of what it may be", high)
    print(f"{len(rows)} compared with {ANCHOR[:8]}, {beyond} beyond the ceiling, {CEILING} times what may grow at once")
    for case, (percent, reason) in ALLOWANCES.items():
        grown = max((max(row.ratios or ()) for row in rows if row.name == case), default=1.0) - 1
        print(f"allowed {percent}%: {case}, which grew by {grown:.1%}: {reason}")
    return beyond


def differs(row: Row) -> bool:
    """Whether a case costs other than 0.00% more."""
    return row.ratios is None or max(abs(ratio - 1) for ratio in row.ratios) >= 5e-5


def differs_much(row: Row) -> bool:
    """Whether a case costs more or less by a part of what it may grow: more than where things lie in memory does."""
    if row.ratios is None:
        return True
    return any(abs(ratio - 1) > part * (row.limit - 1) for ratio, part in zip(row.ratios, (0.25, 0.5), strict=True))


def rows_of(counted: Mapping[str, Count], level: str, one: str, other: str) -> Iterator[Row]:
    """Every case that two sides have, if both were counted."""
    if one in counted and other in counted:
        costs = [{(level, name): cost for name, cost in counted[side].costs.items()} for side in (one, other)]
        yield from (row for row in compare(*costs) if row.ratios)


def unsettled(counted: Mapping[str, Count], level: str) -> list[str]:
    """Short calls of which one layout says too little.

    Where all sides cost nearly the same in one layout, what it adds is the same for all of them.
    """
    rows = [*rows_of(counted, level, "base", "head"), *rows_of(counted, level, "head", "again")]
    calls = [row for row in rows if row.limit == CALL]
    return list(dict.fromkeys(row.name for row in calls if max(abs(ratio - 1) for ratio in row.ratios or ()) > CLOSE))


def differing(counted: Mapping[str, Count], level: str) -> list[str]:
    """Cases that fail on what was counted so far, which another layout may mend."""
    found = [row.name for row in rows_of(counted, level, "base", "head") if row.verdict == "SLOWER"]
    more = (row.name for row in rows_of(counted, level, "head", "again") if differs_much(row))
    return list(dict.fromkeys([*found, *more]))


class Trial(NamedTuple):
    """A kernel that was slowed, at a level."""

    kernel: str
    inside: int  # instructions of the kernel itself
    row: Row  # its case in the planted build, as it is and slowed

    @property
    def share(self) -> float:
        """Of the case, that is the kernel."""
        return self.inside / self.row.base.instructions if self.row.base else math.nan

    @property
    def slowdown(self) -> float:
        """By which the kernel was made slower."""
        if self.row.base is None or self.row.head is None or not self.inside:
            return math.nan
        return (self.row.head.instructions - self.row.base.instructions) / self.inside

    @property
    def failure(self) -> str:
        """Why this does not show that a slowdown is caught; empty if it does."""
        if not LEAST_SLOWDOWN <= self.slowdown <= MOST_SLOWDOWN:
            return f"what was planted is no slowdown of {SLOWDOWN:.0%}"
        return "" if self.row.verdict == "SLOWER" else "was not caught"

    def __str__(self) -> str:
        changes = " ".join(f"{ratio - 1:+8.2%}" for ratio in self.row.ratios or ())
        caught = "caught" if self.row.verdict == "SLOWER" else "NOT CAUGHT"
        return f"{self.row.level:8} {self.kernel:34} {self.share:8.0%} {self.slowdown:+8.2%} {changes}  {caught}"


def self_test(head: Costs, again: Costs, slowed: Slowed, level: str) -> bool:
    """Whether two builds of one source cost the same, but for chance, and each kernel slowed by 5% is caught."""
    same = compare(head, again)
    report("self-test: the head built once more, where it differs", list(filter(differs, same)))
    failures = [f"{row.level}, {row.name}: two builds differ" for row in same if differs_much(row)]
    trials = []
    for name, planted in PLANTS.items():
        case = CASES[planted.case]
        if (level, planted.case) not in head:
            failures.append(f"{name}: was not counted")
            continue
        row = Row(level, planted.case, case.limit, slowed.plain.get(planted.case), slowed.slowed.get(name))
        trials.append(Trial(name, slowed.inside.get(name, 0), row))
    failures += [f"{trial.row.level}, {trial.kernel}: {trial.failure}" for trial in trials if trial.failure]
    print(f"\nself-test: each kernel slowed by {SLOWDOWN:.0%}")
    print(f"{'':8} {'':34} {'of case':>8} {'slowed':>8} {'Ir':>8} {'cost':>8}")
    for line in (*trials, *(f"self-test: {failure}" for failure in failures)):
        print(line)
    caught = sum(not trial.failure for trial in trials)
    print(
        f"self-test {'FAILED' if failures else 'passed'}: {len(PLANTS)} kernels, {caught} of {len(trials)} slowdowns "
        f"of {SLOWDOWN:.0%} caught"
    )
    return not failures


def lay_out(
    arguments: argparse.Namespace, base: str | None, anchor: str | None, folder: Path
) -> tuple[dict[str, Path], dict[str, set[str]]]:
    """Build the sides, for the self-test also the head again and a planted one; and the cases that older ones list."""
    names = [name for name, revision in (("base", base), ("anchor", anchor)) if revision]
    names += ["head"] + (["again", "planted"] if arguments.self_test else [])
    sides = {name: folder / name for name in names}
    wheels = {"base": base if base and base.endswith(".whl") else None}
    wheels |= {"head": arguments.head, "again": arguments.head}
    listed: dict[str, set[str]] = {}
    to_build = []
    for name, side in sides.items():
        if wheel := wheels.get(name):
            unpack_wheel(Path(wheel), side)
            continue
        sources = ROOT
        revision = {"base": base, "anchor": anchor}.get(name)
        if revision:
            sources = unpack_revision(revision, folder / f"revision of {name}")
            listed[name] = listed_cases(sources)
        copy_sources(sources, side)
        to_build.append(side)
    if "planted" in sides:
        plant(sides["planted"])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, to_build))
    return sides, listed


def report_lacking(side: str, lacking: Mapping[str, str], listed: set[str]) -> int:
    """Print the cases that one side lacks; how many of them an older revision has, so that they should run there."""
    for name, why in lacking.items():
        advice = ": it lists this case; see MOVED and RENAMED of guard_kernels" if name in listed else ""
        print(f"not on the {side}: {name}: {why}{advice}")
    for name in sorted(listed - set(CASES)):
        print(f"gone from the list of cases, which the {side} has: {name}")
    return len(listed & set(lacking))


def run(arguments: argparse.Namespace) -> int:
    compiler()
    base = None
    try:
        base = arguments.base if arguments.base.endswith(".whl") else find_base(arguments.base)
    except GuardError as error:
        print(f"*** no base to compare with: {error}\n*** counting the head only", flush=True)
    grown = None if arguments.anchor else kept_growth(base)
    anchor = find_anchor(base) if grown is None else None
    print(
        f"compiler: {compiler_version()}\nbase: {base or 'none'}\nhead: {arguments.head or 'the working tree'}"
        + (f"\ncounted as well, for all growth since: {anchor}" if anchor else ""),
        flush=True,
    )
    with workplace(arguments.keep) as folder:
        counter = Counter(folder)
        sides, listed = lay_out(arguments, base, anchor, folder)
        compared = {name: side for name, side in sides.items() if name in ("base", "anchor", "head")}
        with ThreadPoolExecutor(len(LEVELS)) as pool:  # levels at the same time, sides one after the other
            levels = dict(
                zip(
                    LEVELS,
                    pool.map(
                        lambda level: counter.count_level(sides if level == LEVELS[-1] else compared, level), LEVELS
                    ),
                    strict=True,
                )
            )
        tested = LEVELS[-1]
        if arguments.self_test and not levels[tested][0]["head"].costs:
            tested = LEVELS[0]
            levels[tested] = counter.count_level(sides, tested)
    counted = [sides for sides, _ in levels.values()]
    head, broken = by_side(counted, "head")
    for level in LEVELS:
        if not any(key[0] == level for key in head):
            print(f"*** nothing counted at level {level}: this processor, or valgrind, lacks it")
    failures = 0
    costs, lacking = by_side(counted, "base") if base is not None else ({}, {})
    anchored, lacking_then = by_side(counted, "anchor") if anchor is not None else (at_anchor(costs, grown or {}), {})
    if base is not None:
        failures = report(f"base {Path(base).name[:40]} against head", compare(costs, head), anchored)
        failures += report_lacking("base", lacking, listed.get("base", set()))
    else:
        print(table(compare({}, head)))
        print("*** nothing was compared")
    if anchored:
        failures += report_growth(anchored, head)
    if anchor is not None:
        failures += report_lacking("anchor", lacking_then, listed["anchor"])
        if arguments.anchor and arguments.base == "baseline" and base is not None:
            write_growth(base, anchored, costs)
    failures += len(broken)
    for name, why in broken.items():
        print(f"not on the head: {name}: {why}")
    if arguments.self_test:
        sides_tested, slowed = levels[tested]
        passed = self_test(
            {key: cost for key, cost in head.items() if key[0] == tested},
            {(tested, name): cost for name, cost in sides_tested["again"].costs.items()},
            slowed,
            tested,
        )
        failures += not passed
    if failures:
        print(
            "\nThe kernels cost more than the base's, or the guard does not work. If the cost is meant: put the commit"
            "\nthat has it into benchmarks/baseline.txt, and say why in the commit that does so, in a trailer of its"
            "\nmessage, `Guard-baseline: why`. A case beyond the ceiling moreover needs an entry in ALLOWANCES."
        )
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--base", default="HEAD~1", metavar="REVISION", help="what to compare with, or a wheel [%(default)s]"
    )
    parser.add_argument("--head", metavar="WHEEL", help="what is compared [the working tree]")
    parser.add_argument(
        "--anchor", action="store_true", help="count the anchor, too; with the baseline, keep its growth"
    )
    parser.add_argument("--self-test", action="store_true", help="moreover show that a planted slowdown is caught")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="build here, and leave it")
    try:
        return run(parser.parse_args())
    except (GuardError, FileNotFoundError) as error:
        print(f"guard: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
