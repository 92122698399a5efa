"""Measure which lines the tests run: ``python tools/measure_coverage.py [pytest arguments]``. Needs gcc and gcov.

Kernels are counted by gcov: unlike Cython's line tracing it also sees the C headers, where most of the kernels are, and
what runs without the interpreter's lock. What it says of the C that Cython writes is led back to the ``.pyx`` files.
Prints the lines that were never run, and fails below the shares that are asked for. Everything happens in a copy of the
checkout, in which processes that the tests start count, too; those that are killed do not.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = "pokermodel/_core/", "pokermodel/include/pokermodel/"
#: Shares of lines that must be run.
LEAST = {"Python": 0.95, "kernels": 0.90}
SETTINGS = """\
[run]
source = {package}
parallel = true
patch = subprocess
[report]
exclude_also =
    if TYPE_CHECKING:
    ^    def .*: \\.\\.\\.$
"""
#: Where Cython says what it translates: ``/* "pokermodel/_core/rng.pyx":29``.
MARK = re.compile(r'\s*/\* "([^"]+)":(\d+)$')

Lines = dict[str, dict[int, bool]]


def python_lines(tree: Path, environment: dict[str, str]) -> Lines:
    """Lines of each Python file, and whether they were run."""
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "combine", "--quiet"], cwd=tree, env=environment, check=True)
    report = tree / "coverage.json"
    subprocess.run([*coverage, "json", "--quiet", "-o", report], cwd=tree, env=environment, check=True)
    files = json.loads(report.read_text())["files"]
    return {
        name.removeprefix("src/"): dict.fromkeys(found["missing_lines"], False)
        | dict.fromkeys(found["executed_lines"], True)
        for name, found in files.items()
    }


def marks(source: Iterable[str]) -> dict[int, tuple[str, int]]:
    """Which line of Cython each line of C that Cython wrote comes from; those that come from none are left out."""
    found = {}
    here = None
    for number, text in enumerate(source, 1):
        if mark := MARK.match(text):
            here = mark[1], int(mark[2])
        elif here:
            found[number] = here
            if text.startswith("}"):  # the end of a function
                here = None
    return found


def kernel_lines(tree: Path) -> Lines:
    """Lines of each kernel and header that have machine code, and whether they were run."""
    lines: Lines = defaultdict(dict)
    # of notes, which the compiler leaves, not of counters: a kernel that was never loaded has none
    units = sorted(tree.glob("build/**/*.gcno"))
    if not any(tree.glob("build/**/*.gcda")):
        raise SystemExit("no kernel left counters: was it built with POKERMODEL_COVERAGE=1?")
    for unit in units:
        counted = subprocess.run(
            ["gcov", "--json-format", "--stdout", unit], cwd=tree, capture_output=True, text=True, check=True
        )
        for file in json.loads(counted.stdout)["files"]:
            path = Path(file["file"])
            if path.suffix not in (".c", ".h") or not (name := str(path).removeprefix("src/")).startswith(KERNELS):
                continue
            origins = marks((tree / path).read_text().splitlines()) if path.suffix == ".c" else None
            for line in file["lines"]:
                number = line["line_number"]
                origin = (name, number) if origins is None else origins.get(number)
                if origin and origin[0].startswith(KERNELS):
                    kernel = lines[origin[0]]
                    kernel[origin[1]] = kernel.get(origin[1], False) or line["count"] != 0
    return lines


def ranges(numbers: list[int]) -> str:
    """Line numbers in few words: 3, 7-9."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def report(what: str, files: Lines) -> bool:
    """Print the lines that were not run; whether enough were."""
    print(f"\nLines of {what} that no test ran\n")
    total = done = whole = 0
    for name, lines in sorted(files.items()):
        missing = [number for number, run in sorted(lines.items()) if not run]
        total, done = total + len(lines), done + len(lines) - len(missing)
        if missing:
            print(f"{1 - len(missing) / len(lines):7.1%} of {len(lines):4}  {name}  {ranges(missing)}")
        else:
            whole += 1
    share = done / total if total else 0.0
    print(f"{share:7.1%} of {total} lines of {what} run, {LEAST[what]:.0%} wanted; {whole} whole files")
    return share >= LEAST[what]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "checkout")
        left_out = shutil.ignore_patterns(".git", "build", "_build", "*.so", "*.pyd", ".venv", "wheels")
        shutil.copytree(ROOT, tree, ignore=left_out)
        for written in (tree / "src/pokermodel/_core").glob("*.c"):  # by another build, with other switches perhaps
            written.unlink()
        settings = Path(folder, "coveragerc")
        settings.write_text(SETTINGS.format(package=tree / "src/pokermodel"))
        environment = os.environ | {"PYTHONPATH": str(tree / "src"), "POKERMODEL_COVERAGE": "1"}
        environment |= {"COVERAGE_RCFILE": str(settings), "COVERAGE_FILE": str(Path(folder, "coverage"))}
        build = subprocess.run(
            [sys.executable, "setup.py", "build_ext", "--inplace"],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
        )
        if build.returncode:
            print(build.stdout[-4000:], build.stderr[-4000:], sep="\n")
            return 1
        tests = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "--quiet", *arguments]
        failed = subprocess.run(tests, cwd=tree, env=environment).returncode
        if failed > 1:  # not that a test failed, but that they were not run
            return failed
        levels = [sys.executable, "-c", "from pokermodel import simd; print(*simd.available())"]
        apart = environment | {"GCOV_PREFIX": folder}  # this counts for nothing
        found = subprocess.run(levels, cwd=tree, env=apart, capture_output=True, text=True, check=True).stdout
        if platform.machine() == "x86_64" and "avx512" not in found.split():
            print("This processor lacks levels of vector instructions: what is for them counts as not run.")
        enough = [report("Python", python_lines(tree, environment)), report("kernels", kernel_lines(tree))]
    return int(failed or not all(enough))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
