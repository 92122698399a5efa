"""Measure which lines the tests run: ``python tools/measure_coverage.py [pytest arguments]``. Needs gcc and gcov.

Kernels are counted by gcov, in a build whose C names the lines of the ``.pyx`` files. Unlike Cython's line tracing it
also sees the C headers, where most of the kernels are, and what runs without the interpreter's lock. Prints the lines
that were never run, and fails below the shares that are asked for. Everything happens in a copy of the checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = "pokermodel/_core/", "pokermodel/include/pokermodel/"
#: Shares of lines that must be run.
LEAST = {"Python": 0.95, "kernels": 0.90}
SETTINGS = """\
[run]
source = pokermodel
parallel = true
patch = subprocess
[report]
exclude_also =
    if TYPE_CHECKING:
    ^    def .*: \\.\\.\\.$
"""

Lines = dict[str, dict[int, bool]]


def python_lines(tree: Path, environment: dict[str, str]) -> Lines:
    """Lines of each Python file, and whether they were run."""
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "combine", "--quiet"], cwd=tree, env=environment, check=True)
    report = tree / "coverage.json"
    subprocess.run([*coverage, "json", "--quiet", "-o", report], cwd=tree, env=environment, check=True)
    files = json.loads(report.read_text())["files"]
    return {
        name.split("src/")[-1]: dict.fromkeys(found["missing_lines"], False)
        | dict.fromkeys(found["executed_lines"], True)
        for name, found in files.items()
    }


def kernel_lines(tree: Path) -> Lines:
    """Lines of each kernel and header that have machine code, and whether they were run."""
    lines: Lines = defaultdict(dict)
    counters = sorted(tree.glob("build/**/*.gcda"))
    if not counters:
        raise SystemExit("no kernel left counters: was it built with POKERMODEL_COVERAGE=1?")
    for path in counters:
        counted = subprocess.run(
            ["gcov", "--json-format", "--stdout", path], cwd=tree, capture_output=True, text=True, check=True
        )
        for file in json.loads(counted.stdout)["files"]:
            name = file["file"].removeprefix("src/")
            if name.startswith(KERNELS) and name.endswith((".pyx", ".pxd", ".h")):
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[name][number] = lines[name].get(number, False) or line["count"] > 0
    return lines


def ranges(numbers: list[int]) -> str:
    """Line numbers in few words: 3, 7-9."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def report(what: str, files: Lines) -> bool:
    """Print a table; whether enough was run."""
    print(f"\n{what}\n")
    total = done = 0
    for name, lines in sorted(files.items()):
        if lines:
            total, done = total + len(lines), done + sum(lines.values())
            missing = ranges(sorted(number for number, run in lines.items() if not run))
            print(f"{sum(lines.values()) / len(lines):7.1%} of {len(lines):4}  {name}  {missing}".rstrip())
    share = done / total
    print(f"{share:7.1%} of {total} lines, at least {LEAST[what]:.0%} wanted")
    return share >= LEAST[what]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "checkout")
        left_out = shutil.ignore_patterns(".git", "build", "_build", "*.so", "*.pyd", ".venv", "wheels", "_core/*.c")
        shutil.copytree(ROOT, tree, ignore=left_out)
        settings = Path(folder, "coveragerc")
        settings.write_text(SETTINGS)
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
        enough = [report("Python", python_lines(tree, environment)), report("kernels", kernel_lines(tree))]
    return int(bool(failed) or not all(enough))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
