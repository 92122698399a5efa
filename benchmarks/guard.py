"""The guard against slower kernels: counts under callgrind, of a base revision and of the working tree.

    python -m benchmarks.guard                       # against the commit before this one
    python -m benchmarks.guard --base v1.2.0         # against any revision
    python -m benchmarks.guard --base baseline       # what CI does: the newest release tag, or benchmarks/baseline.txt
    python -m benchmarks.guard --self-test           # moreover: two builds of one source agree, a slower one is caught

Wall clock says little on a busy machine; instruction counts are the same on every run. Base and head are copied
out, built by the same compiler with the same flags, and run `guard_kernels` of the head under valgrind's callgrind
with address randomisation off and a fixed environment, at the vector levels portable and AVX2 (valgrind hides
AVX-512). Two numbers come out of each case: the instructions (Ir), and the cost with simulated caches of a fixed
geometry, ``Ir + 10*L1 misses + 100*LL misses``. Either may grow by 2 % in a kernel and by 5 % in a short call from
Python. The exit status is 1 if one grew by more, if a case does not run on the head, or if the self-test fails; 2 if
counting is impossible here.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.compiled import HERE, compiler, compiler_version, shared_library
from benchmarks.guard_kernels import CASES

ROOT = HERE.parent
LEVELS = ("portable", "avx2")
LAYOUTS = 3  # of memory, in which short calls are counted: see guard_kernels
REQUEST = "desc: Trigger: Client Request: "
CALLGRIND = (
    "--tool=callgrind",
    "--instr-atstart=no",
    "--cache-sim=yes",
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=8388608,16,64",
)


class GuardError(Exception):
    """Nothing can be counted, and why."""


class Cost(NamedTuple):
    """Simulated cost of a case."""

    instructions: int
    with_caches: int


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
            count = dict(zip(events, map(int, line.split()[1:]), strict=True))
            first = sum(count[event] for event in ("I1mr", "D1mr", "D1mw"))
            last = sum(count[event] for event in ("ILmr", "DLmr", "DLmw"))
            return name, Cost(count["Ir"], count["Ir"] + 10 * first + 100 * last)
    return None


def compare(base: Mapping[tuple[str, str], Cost], head: Mapping[tuple[str, str], Cost]) -> list[Row]:
    """Every case of either side, level by level, in the order of the head's."""
    keys = [(level, name) for level in LEVELS for name in CASES if (level, name) in base or (level, name) in head]
    return [Row(*key, CASES[key[1]].limit, base.get(key), head.get(key)) for key in keys]


def table(rows: Iterable[Row]) -> str:
    def number(value: int | None) -> str:
        return f"{value:>13,}" if value is not None else f"{'-':>13}"

    lines = [f"{'':8} {'':55} {'Ir, base':>13} {'Ir, head':>13} {'Ir':>8} {'cost':>8}  limit"]
    for row in rows:
        changes = [f"{ratio - 1:+8.2%}" for ratio in row.ratios] if row.ratios else [" " * 8] * 2
        lines.append(
            f"{row.level:8} {row.name:55} {number(row.base and row.base.instructions)} "
            f"{number(row.head and row.head.instructions)} {' '.join(changes)}  {row.limit - 1:+.0%} {row.verdict}"
        )
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------------- revisions


def git(*arguments: str) -> str:
    try:
        run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
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


def named_baseline(text: str) -> str:
    """The revision in baseline.txt."""
    (revision,) = (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return revision


def commit(revision: str) -> str:
    """Full id of a revision."""
    git("rev-parse", "--git-dir")
    try:
        return git("rev-parse", "--verify", f"{revision}^{{commit}}")
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


def dropped_cases(base: Path) -> list[str]:
    """Names that the base's own list of cases has and ours has not."""
    script = base / "benchmarks/guard_kernels.py"
    if not script.exists():
        return []
    run = subprocess.run([sys.executable, "-P", str(script), "--list"], capture_output=True, text=True)
    return [name for name in json.loads(run.stdout or "{}") if name not in CASES]


def build(side: Path) -> None:
    log = side / "build.log"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("POKERMODEL_", "CFLAGS"))}
    with log.open("w") as out:
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        if subprocess.run(command, cwd=side, env=environment, stdout=out, stderr=subprocess.STDOUT).returncode:
            raise GuardError(f"{side.name} does not build:\n{log.read_text()[-3000:]}")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=side, check=True)


def plant(side: Path) -> None:
    """Give the kernel that compares rows a needless pass over a part of each row, at both levels."""
    header = side / "src/pokermodel/include/pokermodel/pairs.h"
    needless = "\n    for (volatile int needless = 0; needless < 16 * n;)\n        needless++;"
    text, found = re.subn(
        r"(?<=pm_compare_rows_)((?:portable|avx2)\(const int8_t \*left[^)]*\)\n\{)",
        rf"\1{needless}",
        header.read_text(),
    )
    if found != len(LEVELS):
        raise GuardError("pairs.h has changed: say in benchmarks/guard.py where else to plant a slowdown")
    header.write_text(text)


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

    def count(self, side: Path, level: str) -> tuple[Costs, dict[str, str]]:
        """Costs of one build at one level, the least over the layouts, and why cases are not among them."""
        costs, problems = self.count_once(side, level, 0)
        for layout in range(1, LAYOUTS):
            for key, again in self.count_once(side, level, layout)[0].items():
                costs[key] = Cost(*map(min, costs[key], again))
        return costs, problems

    def count_once(self, side: Path, level: str, layout: int) -> tuple[Costs, dict[str, str]]:
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
            ],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
        )
        if run.returncode:
            raise GuardError(f"{side.name} at level {level} ended with {run.returncode}:\n{run.stderr[-3000:]}")
        problems = json.loads(run.stdout.splitlines()[-1])
        costs: Costs = {}
        for path in place.glob("out.*"):
            with path.open(encoding="utf-8", errors="replace") as lines:
                found = parse_dump(lines)
            if found:
                costs[level, found[0]] = found[1]
        shutil.rmtree(place)
        return costs, problems

    def count_all(self, sides: Iterable[Path]) -> Iterator[tuple[Costs, dict[str, str]]]:
        """Costs at every level of each side; levels at the same time, sides one after the other."""
        sides = list(sides)
        with ThreadPoolExecutor(len(LEVELS)) as pool:
            by_level = pool.map(lambda level: [self.count(side, level) for side in sides], LEVELS)
            for levels in zip(*by_level, strict=True):
                costs: Costs = {}
                problems: dict[str, str] = {}
                for more, wrong in levels:
                    costs |= more
                    problems |= wrong
                yield costs, problems


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


def report(title: str, rows: list[Row], shown: Callable[[Row], bool] = lambda row: True) -> int:
    """Print the table; how many cases are slower."""
    slower = sum(row.verdict == "SLOWER" for row in rows)
    both = sum(row.ratios is not None for row in rows)
    print(f"\n{title}\n{table(filter(shown, rows))}")
    print(f"{both} compared, {slower} slower than allowed, {len(rows) - both} on one side only", flush=True)
    return slower


def differs(row: Row) -> bool:
    """Whether a case costs other than 0.00 % more."""
    return row.ratios is None or max(abs(ratio - 1) for ratio in row.ratios) >= 5e-5


def differs_much(row: Row) -> bool:
    """Whether a case costs more or less by a quarter of what it may grow: more than where things lie in memory does."""
    return row.ratios is None or max(abs(ratio - 1) for ratio in row.ratios) > (row.limit - 1) / 4


def self_test(head: Costs, again: Costs, planted: Costs) -> bool:
    """Whether two builds of one source cost the same, but for chance, and a needless pass is caught at every level."""
    same, slowed = compare(head, again), compare(head, planted)
    report("self-test: the head built twice, where it differs", same, differs)
    report("self-test: a needless pass in the kernel that compares rows, where it differs", slowed, differs)
    caught = {row.level for row in slowed if row.verdict == "SLOWER" and "all holdings" in row.name}
    passed = not any(map(differs_much, same)) and caught == {level for level, _ in head}
    where = ", ".join(sorted(caught)) or "no level"
    print(f"self-test {'passed' if passed else 'FAILED'}: the slowdown was caught at {where}")
    return passed


def run(arguments: argparse.Namespace) -> int:
    compiler()
    base, dropped = None, []
    try:
        base = find_base(arguments.base)
    except GuardError as error:
        print(f"*** no base to compare with: {error}\n*** counting the head only", flush=True)
    with workplace(arguments.keep) as folder:
        counter = Counter(folder)
        sides = {}
        if base is not None:
            revision = unpack_revision(base, folder / "revision")
            dropped = dropped_cases(revision)
            sides["base"] = folder / "base"
            copy_sources(revision, sides["base"])
        for name in ("head", "again", "plan") if arguments.self_test else ("head",):
            sides[name] = folder / name
            copy_sources(ROOT, sides[name])
        if arguments.self_test:
            plant(sides["plan"])
        print(f"compiler: {compiler_version()}\nbase: {base or 'none'}\nhead: the working tree", flush=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(build, sides.values()))
        counted = dict(zip(sides, counter.count_all(sides.values()), strict=True))
    head, broken = counted["head"]
    for level in LEVELS:
        if not any(key[0] == level for key in head):
            print(f"*** nothing counted at level {level}: this processor, or valgrind, lacks it")
    failures = 0
    if base is not None:
        failures = report(f"base {base[:12]} against head", compare(counted["base"][0], head))
        for name, why in counted["base"][1].items():
            print(f"not on the base: {name}: {why}")
        for name in dropped:
            print(f"gone from the list of cases: {name}")
    else:
        print(table(compare({}, head)))
        print("*** nothing was compared")
    failures += len(broken)
    for name, why in broken.items():
        print(f"not on the head: {name}: {why}")
    if arguments.self_test and not self_test(head, counted["again"][0], counted["plan"][0]):
        failures += 1
    if failures:
        print(
            "\nThe kernels cost more than the base's, or the guard does not work. If the cost is meant: put the commit"
            "\nthat has it into benchmarks/baseline.txt, and say why in the commit that does so."
        )
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guard", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base", default="HEAD~1", metavar="REVISION", help="what to compare with [%(default)s]")
    parser.add_argument("--self-test", action="store_true", help="moreover show that a planted slowdown is caught")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="build here, and leave it")
    try:
        return run(parser.parse_args())
    except (GuardError, FileNotFoundError) as error:
        print(f"guard: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
