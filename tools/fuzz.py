"""Search for inputs that readers of files cannot take. Needs clang with libFuzzer, and Atheris (extra ``fuzz``).

    python tools/fuzz.py                          # all targets, five minutes in all, on all cores
    python tools/fuzz.py stars.h phh --seconds 60 # some
    python tools/fuzz.py --list                   # what targets there are
    python tools/fuzz.py --self-test              # a defect that is planted into each target must be found
    python tools/fuzz.py --keep                   # afterwards, keep those inputs that run lines no kept one runs

A target is a header of `texts`, compiled by clang with sanitizers and libFuzzer (``stars.h``), or the reader of a
format (``pokerstars``) or of files of our own (``spot``), run by Atheris, with the kernels in C under sanitizers, too.
What these must do is in `tests/fuzz/readers.py` and `tests/fuzz/doors.py`, and what a header must do in the files in C
beside them. A search begins with the made-up histories and files of the tests, and with the corpus in
`tests/fuzz/corpus`.

What is found is made smaller, and put into the corpus, so that the tests fail until it is mended. Exits with 1 if
something is found; with ``--self-test`` if a planted defect is not.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "src/pokermodel/include"
WORK = ROOT / "build/fuzz"
BINDINGS = ("irc_hands", "phh_hands", "stars_hands")
SANITIZED = ("-g", "-O1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all")
MOST_KEPT = 24  # inputs of a target
MOST_BYTES = 4096  # of an input
SECONDS_TO_SHRINK = 60
#: What is planted into a copy of the headers: a check that is left out, as it might have been forgotten.
PLANTS = {
    "irc.h": ("if (n == PM_IRC_FIELDS || (line < end && *line != ' '))", "if (line < end && *line != ' ')"),
    "phh.h": ("if (end - at < 8 || at[2] != ':'", "if (at[2] != ':'"),
    "stars.h": ("|| end - line < 7 || *line != ':')", "|| *line != ':')"),
}

sys.path.insert(0, str(ROOT))


class MissingError(Exception):
    """A tool that is not there."""


@dataclass
class Result:
    """What came of a search: how many inputs were tried, how long it took, and the input that was found, if any."""

    inputs: int
    seconds: float
    found: bytes | None = None
    said: str = ""
    broken: bool = False  # the target does not run


@dataclass(frozen=True)
class Search:
    """How a target is run: the beginning of the command, and the environment."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]

    @property
    def folder(self) -> Path:
        """Where what was found on the way is kept between searches."""
        return WORK / self.name

    def _run(self, arguments: Iterable[str], seconds: float | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command, *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )

    def failing(self, files: list[Path]) -> tuple[Path | None, str]:
        """Return the first file with which the target fails, and what it says."""
        run = self._run(map(str, files), 600)
        if run.returncode == 0:
            return None, ""
        running = re.findall(r"^Running: (.*)$", run.stdout, re.MULTILINE)
        if not running:
            raise RuntimeError(f"{self.name} does not run:\n{run.stdout[-2000:]}")
        return Path(running[-1]), run.stdout

    def search(self, seconds: float, begin: list[Path], folder: Path) -> Result:
        """Search from some inputs on; those that are new in what they run go to a folder."""
        found = folder / "found"
        shutil.rmtree(found, ignore_errors=True)
        for each in (folder / "inputs", found):
            each.mkdir(parents=True, exist_ok=True)
        options = [f"-max_total_time={max(1, round(seconds))}", "-max_len=8192", "-timeout=30", "-rss_limit_mb=4000"]
        options += [f"-artifact_prefix={found}/", "-print_final_stats=1"]
        if words := [*self._words()]:
            (folder / "words").write_text("".join(f'"{word}"\n' for word in words))
            options.append(f"-dict={folder / 'words'}")
        began = time.monotonic()
        run = self._run([*options, str(folder / "inputs"), *map(str, begin)])
        took = time.monotonic() - began
        counts = re.findall(r"^#(\d+)\s|number_of_executed_units: (\d+)", run.stdout, re.MULTILINE)
        inputs = max((int(one or other) for one, other in counts), default=0)
        artifacts = sorted(found.iterdir())
        if run.returncode and not artifacts:
            return Result(inputs, took, None, f"it does not run (status {run.returncode}):\n{run.stdout[-2000:]}", True)
        return Result(inputs, took, artifacts[0].read_bytes() if artifacts else None, _complaint(run.stdout))

    def _words(self) -> Iterator[str]:
        if self.name.endswith(".h"):
            text = (INCLUDE / "pokermodel/texts" / self.name).read_text()
            yield from sorted(set(re.findall(r'"((?:[^"\\\n]|\\x..)+)"', text)))

    def shrunk(self, data: bytes, seconds: float) -> bytes:
        """Leave out of an input what is not needed for it to fail: halves, quarters and so on, down to a byte."""
        folder = self.folder / "shrinking"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        end = time.monotonic() + seconds
        size = max(len(data) // 2, 1)
        while size and time.monotonic() < end:
            files = []
            for number, at in enumerate(range(0, len(data), size)):
                files.append(folder / f"{number:05}")
                files[-1].write_bytes(data[:at] + data[at + size :])
            found, _ = self.failing(files) if len(data) > 1 else (None, "")
            if found is None:
                size //= 2
            else:
                data = found.read_bytes()
                size = min(size, max(len(data) // 2, 1))
        return data


def _complaint(said: str) -> str:
    """The lines of the output that say what is wrong."""
    lines = said.splitlines()
    wanted = re.compile(
        r"ERROR: |runtime error:|not so: |^\s*(\w+\.)*\w+(Error|Exception|Interrupt)\b|SUMMARY: |File \"|ALARM"
    )
    return "\n".join(line[:600] for line in lines if wanted.search(line))[-4000:]


# ---------------------------------------------------------------------------------------------------------- building


def planted_headers(folder: Path, name: str) -> Path:
    """Copy the headers with a defect in one of them."""
    copy = folder / "include"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(INCLUDE, copy)
    header = copy / "pokermodel/texts" / name
    old, new = PLANTS[name]
    text = header.read_text()
    if text.count(old) != 1:
        raise RuntimeError(f"{name}: expected once, to plant a defect there: {old}")
    header.write_text(text.replace(old, new))
    return copy


def compiled(name: str, folder: Path, include: Path = INCLUDE) -> Path:
    """Compile a target in C, with libFuzzer and sanitizers."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / Path(name).stem
    source = ROOT / "tests/fuzz" / Path(name).with_suffix(".c").name
    flags = [*SANITIZED, "-fsanitize=fuzzer,address,undefined"]
    _compile([*flags, "-I", str(include), str(source), "-o", str(program)])
    return program


def compiled_bindings(folder: Path) -> Path:
    """Compile what readers call of the kernels, with sanitizers, and counted as coverage."""
    folder.mkdir(parents=True, exist_ok=True)
    newest = max(path.stat().st_mtime for path in (ROOT / "src/pokermodel").rglob("*.[hp]*") if path.suffix != ".py")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for name in BINDINGS:
        module, source = folder / f"{name}{suffix}", folder / f"{name}.c"
        if module.exists() and module.stat().st_mtime > newest:
            continue
        directives = "cdivision=True,boundscheck=False,wraparound=False,initializedcheck=False"
        cython = [sys.executable, "-m", "cython", "-3", "-X", directives, "-o", str(source)]
        subprocess.run([*cython, f"pokermodel/_core/{name}.pyx"], cwd=ROOT / "src", check=True)
        flags = ["-shared", "-fPIC", *SANITIZED, "-fsanitize=fuzzer-no-link,address,undefined"]
        includes = ["-I", str(INCLUDE), "-I", sysconfig.get_path("include")]
        _compile([*flags, *includes, str(source), "-o", str(module)])
    return folder


def _compile(arguments: list[str]) -> None:
    clang = shutil.which("clang")
    if clang is None:
        raise MissingError("there is no clang: install it with its libFuzzer (Debian: clang and libclang-rt-*-dev)")
    run = subprocess.run([clang, *arguments], capture_output=True, text=True)
    if run.returncode:
        raise MissingError(f"clang cannot build it; it needs libFuzzer and sanitizers:\n{run.stderr[-2000:]}")


def searches(names: Iterable[str], planted: bool = False) -> list[Search]:
    """Build targets."""
    found = []
    kernels = [name for name in names if name.endswith(".h")]
    readers = [name for name in names if not name.endswith(".h")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    environment["ASAN_OPTIONS"] = "detect_leaks=0:allocator_may_return_null=1"  # the interpreter's
    for name in kernels:
        folder = WORK / ("planted" if planted else "") / name
        program = compiled(name, folder, planted_headers(folder, name) if planted else INCLUDE)
        found.append(Search(name, (str(program),), {**environment, "ASAN_OPTIONS": ""}))
    if readers:
        spec = importlib.util.find_spec("atheris")
        if spec is None or spec.origin is None:
            raise MissingError('there is no Atheris: pip install -e ".[fuzz]"')
        bindings = compiled_bindings(WORK / "kernels")
        # libFuzzer looks for what changes inputs when it is loaded; from Atheris' own module it would come too late
        package = Path(spec.origin).parent
        preloaded = package.parent / "asan_with_fuzzer.so", *sorted(package.glob("custom_mutator*.so"))
        environment["LD_PRELOAD"] = " ".join(map(str, preloaded))
        for name in readers:
            harness = (sys.executable, "-m", "tests.fuzz.harness", name, *(["--planted"] if planted else []))
            found.append(Search(name, (*harness, "--kernels", str(bindings)), environment))
    return found


# ----------------------------------------------------------------------------------------------------------- searches


def beginnings(name: str, folder: Path, corpus: bool = True) -> list[Path]:
    """Write what a search begins with to a folder; returns the folders."""
    from tests.fuzz.seeds import CORPUS, seeds

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, data in enumerate(seeds(name)):
        (folder / f"{number:03}").write_bytes(data)
    kept = CORPUS / name
    return [folder, *([kept] if corpus and kept.is_dir() else [])]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def searched(search: Search, seconds: float) -> tuple[Search, Result]:
    """Search, and keep what is found, made smaller, in the corpus."""
    from tests.fuzz.seeds import CORPUS

    result = search.search(seconds, beginnings(search.name, search.folder / "seeds"), search.folder)
    if result.found is not None:
        result.found = search.shrunk(result.found, SECONDS_TO_SHRINK)
        place = CORPUS / search.name / f"found-{_digest(result.found)}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(result.found)
        result.said += f"\n{place.relative_to(ROOT)}: {len(result.found)} bytes"
    return search, result


def self_tested(search: Search, seconds: float) -> tuple[Search, Result]:
    """Search for what is planted; `Result.found` is None if it is not found, or if it takes no search."""
    folder = WORK / "planted" / search.name
    shutil.rmtree(folder / "inputs", ignore_errors=True)
    begin = beginnings(search.name, folder / "seeds", corpus=False)
    if search.name.endswith(".h"):  # the tests ask the others
        first, said = search.failing(sorted(begin[0].iterdir()))
        if first is not None:
            what = f"{first.name}, where the search begins, fails by itself\n{_complaint(said)}"
            return search, Result(0, 0, None, what, broken=True)
    return search, search.search(seconds, begin, folder)


def lines_run(name: str, files: Iterable[Path]) -> Iterator[tuple[Path, set[tuple[str, int]]]]:
    """Yield which lines of readers each file runs."""
    from pokermodel import histories
    from tests.fuzz.doors import TARGETS

    place = str(Path(histories.__file__).parents[1])  # of the package that is read with, which may be an installed one
    lines: set[tuple[str, int]] = set()

    def trace(frame, event, argument):  # type: ignore[no-untyped-def]
        if not frame.f_code.co_filename.startswith(place):
            return None
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    for path in files:
        lines.clear()
        data, before = path.read_bytes(), sys.gettrace()
        sys.settrace(trace)
        try:
            TARGETS[name].check(data)
        except Exception:  # of an input that was found, and is not mended
            continue
        finally:
            sys.settrace(before)
        yield path, set(lines)


def keep(search: Search) -> int:
    """Put inputs into the corpus that run lines, in C edges, which no shorter one runs."""
    from tests.fuzz.seeds import CORPUS

    kept = CORPUS / search.name
    kept.mkdir(parents=True, exist_ok=True)
    seeds = beginnings(search.name, search.folder / "seeds")
    new = sorted((search.folder / "inputs").iterdir(), key=lambda path: path.stat().st_size)
    new = [path for path in new if path.stat().st_size <= MOST_BYTES]
    chosen: list[Path] = []
    if search.name.endswith(".h"):
        merged = search.folder / "merged"
        shutil.rmtree(merged, ignore_errors=True)
        shutil.copytree(seeds[0], merged)
        for path in kept.iterdir():
            shutil.copy(path, merged)
        before = {path.name for path in merged.iterdir()}
        run = search._run(["-merge=1", "-use_counters=0", str(merged), str(search.folder / "inputs")])
        if run.returncode:
            raise RuntimeError(f"{search.name} does not run:\n{run.stdout[-2000:]}")
        chosen = [path for path in merged.iterdir() if path.name not in before and path.stat().st_size <= MOST_BYTES]
    else:
        before_lines = set().union(
            *(lines for folder in seeds for _, lines in lines_run(search.name, folder.iterdir()))
        )
        for path, lines in lines_run(search.name, new):
            if not lines <= before_lines:
                before_lines |= lines
                chosen.append(path)
    room = max(0, MOST_KEPT - len(list(kept.iterdir())))
    # the longest, which go deepest: a shorter one that runs as much would have been chosen before
    for path in sorted(chosen, key=lambda path: -path.stat().st_size)[:room]:
        data = path.read_bytes()
        (kept / _digest(data)).write_bytes(data)
    return min(room, len(chosen))


# ------------------------------------------------------------------------------------------------------------ command


def main(arguments: list[str] | None = None) -> int:
    from tests.fuzz.doors import TARGETS
    from tests.fuzz.seeds import KERNELS

    every = [*KERNELS, *TARGETS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="headers and formats; by default all")
    parser.add_argument("--seconds", type=float, help="of the search, in all: 300; of the self-test, for each: 60")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at once")
    parser.add_argument("--list", action="store_true", help="list the targets")
    parser.add_argument("--self-test", action="store_true", help="find a planted defect in each target")
    parser.add_argument("--keep", action="store_true", help="keep inputs that run what no kept one runs")
    options = parser.parse_args(arguments)
    names = list(dict.fromkeys(options.targets)) or every
    if unknown := [name for name in names if name not in every]:
        parser.error(f"unknown target {', '.join(unknown)}; --list lists them")
    if options.jobs < 1 or (options.seconds is not None and not options.seconds > 0):
        parser.error("--jobs and --seconds must be above 0")
    if options.list:
        print(*every, sep="\n")
        return 0
    try:
        some = searches(names, options.self_test)
    except MissingError as error:
        print(error, file=sys.stderr)
        return 2
    began = time.monotonic()
    jobs = min(options.jobs, len(some))
    if options.self_test:
        each, work = options.seconds or 60, self_tested
    else:
        each, work = (options.seconds or 300) * jobs / len(some), searched
    inputs = failed = found = 0
    with ThreadPoolExecutor(jobs) as pool:
        for search, result in pool.map(lambda search: work(search, each), some):
            inputs += result.inputs
            found += result.found is not None
            wrong = result.broken or (result.found is None) == options.self_test
            failed += wrong
            what = "BROKEN" if result.broken else "nothing found" if result.found is None else "found"
            print(f"{search.name:12} {result.inputs:>10,} inputs {result.seconds:6.1f} s  {what}", flush=True)
            if wrong:
                print(*(f"    {line}" for line in result.said.splitlines()), sep="\n", flush=True)
    said = f"{inputs:,} inputs, {len(some)} targets, {time.monotonic() - began:.0f} s, {found} found"
    print(f"{said}, {failed} planted defects not found" if options.self_test else said)
    if options.keep and not options.self_test:
        print(f"{sum(map(keep, some))} inputs kept")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
