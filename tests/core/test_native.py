"""The kernels' headers alone, in C without Python: here, and as built for another architecture."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import pokermodel as pm
from pokermodel import simd
from tests.common.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "tests/native/simd_check.c"
FLAGS = ["-O3", "-Wall", "-Wextra", "-I", pm.get_include()]
ROUNDED = "-ffp-contract=off"
FUSED = "-ffp-contract=fast"

AARCH64_COMPILER = "aarch64-linux-gnu-gcc"  # of Debian's packages gcc-aarch64-linux-gnu and libc6-dev-arm64-cross
AARCH64_EMULATOR = "qemu-aarch64"  # of qemu-user
AARCH64_LIBRARIES = "/usr/aarch64-linux-gnu"


def compiler():
    command = shlex.split(os.environ.get("CC", "")) or ["cc"]
    if not shutil.which(command[0]):
        pytest.skip(f"no C compiler: {command[0]} not found")
    return command


def aarch64():
    """The compiler and the emulator, as the starts of commands."""
    for tool in (AARCH64_COMPILER, AARCH64_EMULATOR):
        if not shutil.which(tool):
            pytest.skip(f"nothing to build and run for AArch64 with: {tool} not found")
    return [AARCH64_COMPILER], [AARCH64_EMULATOR, "-L", AARCH64_LIBRARIES]


def build(command, folder, *flags):
    program = folder / "simd_check"
    subprocess.run([*command, *FLAGS, *flags, str(SOURCE), "-o", str(program)], check=True, timeout=PATIENCE)
    return str(program)


def results(*command):
    """What the program says of each level: ``{name: (comparisons, digest)}``."""
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = [
        re.fullmatch(r"level (\d+): (\d+) comparisons, 0 wrong, digest ([0-9a-f]{16})", line)
        for line in run.stdout.splitlines()
    ]
    return {simd.LEVELS[int(line[1])]: (int(line[2]), line[3]) for line in lines}


@pytest.mark.slow
def test_every_level_equals_the_textbook_here(tmp_path):
    found = results(build(compiler(), tmp_path, ROUNDED))
    assert tuple(found) == simd.available()
    assert len(set(found.values())) == 1
    assert found["portable"][0] > 100_000


@pytest.mark.slow
def test_every_level_equals_the_textbook_on_aarch64(tmp_path):
    cross, emulator = aarch64()
    found = results(*emulator, build(cross, tmp_path, ROUNDED))
    assert tuple(found) == ("portable", "neon")
    here = results(build(compiler(), tmp_path, ROUNDED))
    assert set(found.values()) == set(here.values())


@pytest.mark.slow
def test_fused_products_are_noticed(tmp_path):
    cross, emulator = aarch64()
    run = subprocess.run([*emulator, build(cross, tmp_path, FUSED)], capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 1
    assert "add_pairs: wrong result" in run.stderr


OTHERS = ("clang", "x86_64-w64-mingw32-gcc")  # the last one of Debian's package gcc-mingw-w64-x86-64
#: Where a name gets its meaning: a type, a function or a table; a macro; one of several constants.
DEFINED = re.compile(r"(?m)^(?:\} |(?:static|PM_ALWAYS_INLINE|typedef)\b)[^;{(=]*?\b(pm_\w+)(?= ?[;(\[=])")
MACROS = re.compile(r"(?m)^#\s*define (\w+)")
MEMBERS = re.compile(r"enum(?: \w+)? \{([^}]*)\}")
PARTS = re.compile(r"_template\.h$|vectors/vectors_\w+\.h$")  # included by other headers, with macros of theirs


@pytest.fixture
def whole():
    """The headers that a program may include."""
    include = Path(pm.get_include())
    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.h"))
    found = [header for header in headers if not PARTS.search(header)]
    assert len(found) > 50
    return found


@pytest.mark.slow
@pytest.mark.parametrize("command", ["gcc", *OTHERS])
def test_every_header_compiles_alone(command, whole, tmp_path):
    """A program includes any one header first, and no compiler warns."""
    if not shutil.which(command):
        pytest.skip(f"no C compiler {command}")
    source, wrong = tmp_path / "alone.c", []
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", pm.get_include()]
    for header in whole:
        source.write_text(f'#include "{header}"\n')
        done = subprocess.run([command, *flags, str(source)], capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            wrong.append((header, next(line for line in done.stderr.splitlines() if "error" in line)))
    assert not wrong


def test_a_program_includes_all_headers(whole, tmp_path):
    source = tmp_path / "all.c"
    source.write_text("".join(f'#include "{header}"\n' for header in whole))
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", pm.get_include()]
    done = subprocess.run(["gcc", *flags, str(source)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


def test_every_header_includes_what_it_uses(whole):
    """Whatever name of ours a header has is in one that it includes: it compiles alone."""
    include = Path(pm.get_include())
    texts = {
        str(path.relative_to(include)): re.sub(r"/\*.*?\*/|defined\(\w+\)", "", path.read_text(), flags=re.DOTALL)
        for path in include.rglob("*.h")
    }
    home: dict[str, set[str]] = {}
    for header, text in texts.items():
        members = " ".join(MEMBERS.findall(text))
        for name in [*DEFINED.findall(text), *MACROS.findall(text), *re.findall(r"\bPM_\w+", members)]:
            home.setdefault(name, set()).add(header)
    assert len(home) > 500

    def reached(header, seen):
        seen.add(header)
        for name in re.findall(r'#include "([^"]+)"', texts[header]):
            found = name if name in texts else f"{header.rpartition('/')[0]}/{name}"
            if found not in seen:
                reached(found, seen)
        return seen

    lacking = [
        (header, name)
        for header in whole
        for name in sorted({*re.findall(r"\b(?:pm|PM)_\w+", texts[header])} & home.keys())
        if not home[name] & reached(header, set())
    ]
    assert not lacking
