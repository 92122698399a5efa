"""The corpus of the fuzz targets, and where their searches begin, run through the targets, so that nothing returns."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import pokermodel as pm
from tests.histories.cases import CASES

from .doors import TARGETS
from .readers import tables_of, tables_text
from .seeds import CORPUS, KERNELS, kept, seeds

HERE = Path(__file__).parent
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.mark.parametrize("target", TARGETS)
def test_readers_take_the_corpus(target: str) -> None:
    begin = seeds(target)
    assert sum(map(TARGETS[target].check, begin)) >= len(begin) / 2  # hands: a search begins with what is whole
    for path in kept(target):
        try:
            TARGETS[target].check(path.read_bytes())
        except Exception as error:
            raise AssertionError(f"{path.name} of {target}: {error}") from error


@pytest.mark.parametrize("target", KERNELS)
def test_kernels_take_the_corpus(target: str, tmp_path: Path) -> None:
    """Under sanitizers, where the compiler has them."""
    command = shlex.split(os.environ.get("CC", "")) or ["cc"]
    if not shutil.which(command[0]):
        pytest.skip(f"no C compiler: {command[0]} not found")
    program, source = tmp_path / "target", HERE / f"{target.removesuffix('.h')}.c"
    build = [*command, "-g", "-O0", "-Wall", "-Wextra", "-DFUZZ_MAIN", "-I", pm.get_include(), str(source)]
    for flags in SANITIZERS, []:
        made = subprocess.run([*build, *flags, "-o", str(program)], capture_output=True, text=True, timeout=120)
        if made.returncode == 0:
            break
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    for number, data in enumerate(seeds(target)):
        (tmp_path / f"{number:03}").write_bytes(data)
    files = [*sorted(tmp_path.glob("[0-9]*")), *kept(target)]
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    run = subprocess.run([str(program), *files], capture_output=True, text=True, timeout=120, env=environment)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stderr.count("Running: ") == len(files)


@pytest.mark.parametrize("target", TARGETS)
def test_planted_defects_can_be_found(target: str) -> None:
    """A usual hand is taken all the same: the defect takes a search."""
    usual = CASES.get(f"{target}/usual")
    with TARGETS[target].planted():
        for data in (b"", seeds(target)[0] if usual is None else usual.data):
            TARGETS[target].check(data)


@pytest.mark.parametrize(
    ("target", "old", "new"),
    [
        ("phh", rb"(min_bet = 100\n)", rb"\1\1"),
        ("pokerstars", rb"(?s)(Seat 6: .*?)([^\n]*posts big blind[^\n]*\n)", rb"\1\2\2"),
        ("irc", rb"(\nBob .*\n)\Z", rb"\1\1"),
        ("acpc", rb"5dTs", rb"5dTx"),
        ("winamax", rb"\[[2-9TJQKA][cdhs]", rb"[Xx"),
        ("spot", rb"50%", rb"5O%"),
        ("npz", rb"iterations", rb"iteratlons"),
        ("journal", rb"(?s)1\.5(.*1\.5)", rb"2.5\1"),
        ("index", rb"\[64", rb"[-64"),
    ],
)
def test_what_is_planted_is_found(target: str, old: bytes, new: bytes) -> None:
    """With the defect in place, an input that meets it fails; without, it is taken."""
    data = next(each for each in seeds(target) if re.search(old, each))
    data = re.sub(old, new, data, count=1)
    TARGETS[target].check(data)
    with TARGETS[target].planted(), pytest.raises((AssertionError, KeyError, RuntimeError)):
        TARGETS[target].check(data)


def test_tables_in_one_input() -> None:
    data = seeds("irc")[0]
    assert set(tables_of(data)) >= {"hdb", "hroster"}
    assert tables_text(tables_of(data)) == data
    assert tables_of(b"no table\n") == {}


def test_the_corpus_is_small() -> None:
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} <= {*KERNELS, *TARGETS}
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 1 << 20
