"""Measure which lines the tests run. Needs gcc and gcov for the kernels.

    python tools/measure_coverage.py [pytest arguments]                    # Python and kernels, in one run of the tests
    python tools/measure_coverage.py --only python [pytest arguments]      # of the package that is imported: no build
    python tools/measure_coverage.py --only kernels [pytest arguments]     # with sanitizers by POKERMODEL_SANITIZE

Prints the lines that were never run, and fails below the shares that are asked for. Processes that the tests start
count, too; those that are killed do not.

Kernels are counted by gcov: unlike Cython's line tracing it also sees the C headers, where most of the kernels are, and
what runs without the interpreter's lock. What it says of the C that Cython writes is led back to the ``.pyx`` files.
They are built in a copy of the checkout, in which the tests then run. With POKERMODEL_SANITIZE=address,undefined the
same build finds wrong addresses and undefined behaviour, which end the tests.
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


def python_lines(package: Path, environment: dict[str, str]) -> Lines:
    """Lines of each Python file of a package, and whether they were run."""
    report = Path(environment["COVERAGE_FILE"]).with_name("coverage.json")
    for command in (["combine", "--quiet"], ["json", "--quiet", "-o", str(report)]):
        subprocess.run([sys.executable, "-m", "coverage", *command], cwd=package.parent, env=environment, check=True)
    files = json.loads(report.read_text())["files"]
    return {
        name: dict.fromkeys(found["missing_lines"], False) | dict.fromkeys(found["executed_lines"], True)
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


def build(tree: Path, environment: dict[str, str]) -> None:
    """Copy the checkout and build its kernels with counters."""
    left_out = shutil.ignore_patterns(".git", "build", "_build", "*.so", "*.pyd", ".venv", "wheels")
    shutil.copytree(ROOT, tree, ignore=left_out)
    for written in (tree / "src/pokermodel/_core").glob("*.c"):  # by another build, with other switches perhaps
        written.unlink()
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    built = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    if built.returncode:
        raise SystemExit(f"{built.stdout[-4000:]}\n{built.stderr[-4000:]}")


def sanitizers(wanted: str) -> dict[str, str]:
    """Settings in which Python, which has no sanitizers, loads kernels that have them."""
    names = {"address": "libasan.so", "undefined": "libubsan.so", "thread": "libtsan.so", "leak": "liblsan.so"}
    found = [
        subprocess.run(["gcc", f"-print-file-name={names[name]}"], capture_output=True, text=True, check=True).stdout
        for name in wanted.split(",")
    ]
    # Python's own allocator would hide what is read beyond an object's end; what it never frees is no leak of ours
    return {"LD_PRELOAD": " ".join(found).replace("\n", ""), "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0"}


def imported() -> Path:
    """The package that tests in this environment import."""
    code = "from pathlib import Path; import pokermodel; print(Path(pokermodel.__file__).parent)"
    found = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())


def warn_of_lacking_levels(environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", "from pokermodel import simd; print(*simd.available())"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    if platform.machine() == "x86_64" and "avx512" not in found.split():
        print("This processor lacks levels of vector instructions: what is for them counts as not run.")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], allow_abbrev=False, add_help=False)
    parser.add_argument("--only", choices=("python", "kernels"))
    options, arguments = parser.parse_known_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        environment, tree, tests = dict(os.environ), ROOT, ["-m", "pytest", "--quiet", *arguments]
        if options.only != "python":
            tree = Path(folder, "checkout")
            environment |= {"PYTHONPATH": str(tree / "src"), "POKERMODEL_COVERAGE": "1"}
            build(tree, environment)
            if wanted := environment.get("POKERMODEL_SANITIZE"):
                environment |= sanitizers(wanted)
        if options.only != "kernels":
            package = imported() if options.only else tree / "src/pokermodel"
            settings = Path(folder, "coveragerc")
            settings.write_text(SETTINGS.format(package=package))
            environment |= {"COVERAGE_RCFILE": str(settings), "COVERAGE_FILE": str(Path(folder, "coverage"))}
            tests = ["-m", "coverage", "run", *tests]
        failed = subprocess.run([sys.executable, *tests], cwd=tree, env=environment).returncode
        if failed > 1:  # not that a test failed, but that they were not run
            return failed
        enough = []
        if options.only != "kernels":
            enough.append(report("Python", python_lines(package, environment)))
        if options.only != "python":
            warn_of_lacking_levels(environment | {"GCOV_PREFIX": folder})  # this counts for nothing
            enough.append(report("kernels", kernel_lines(tree)))
    return int(failed or not all(enough))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
