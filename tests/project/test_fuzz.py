"""The command that searches for inputs that readers cannot take: `tools/fuzz.py`."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # for its data classes
    spec.loader.exec_module(module)
    return module


tool = load(ROOT / "tools/fuzz.py")


def search(tmp_path, program):
    """A target that is a script of the shell."""
    path = tmp_path / "target"
    path.write_text(f"#!/bin/sh\n{program}\n")
    path.chmod(0o755)
    return tool.Search("made up", (str(path),), {})


#: Fails with a file that has an "x" in it, as libFuzzer does.
FAILS = 'for file in "$@"; do echo "Running: $file"; case $(cat "$file") in *x*) exit 77;; esac; done'


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
def test_what_is_found_is_made_smaller(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "WORK", tmp_path)
    target = search(tmp_path, f"PATH=/usr/bin:/bin\n{FAILS}")
    assert target.shrunk(b"abcdefghijklmnoxpqrs", 60) == b"x"
    assert target.shrunk(b"x", 60) == b"x"
    files = [tmp_path / name for name in ("one", "two", "three")]
    for file, text in zip(files, ("a", "bx", "x"), strict=True):
        file.write_text(text)
    assert target.failing(files)[0] == files[1]
    assert target.failing(files[:1]) == (None, "")


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
def test_counts_and_what_does_not_run(tmp_path):
    said = "#8\\tpulse  cov: 1\\n#1024\\tNEW    cov: 2\\n"
    counted = search(tmp_path, f"printf '{said}stat::number_of_executed_units: 1500\\n'").search(1, [], tmp_path / "a")
    assert (counted.inputs, counted.found, counted.broken) == (1500, None, False)
    artifact = f"printf '{said}'; echo '==1== ERROR: wrong'; echo bad > {tmp_path}/b/found/crash-1; exit 77"
    found = search(tmp_path, artifact).search(1, [], tmp_path / "b")
    assert (found.inputs, found.found, found.said) == (1024, b"bad\n", "==1== ERROR: wrong")
    broken = search(tmp_path, "echo no such thing; exit 1").search(1, [], tmp_path / "c")
    assert broken.broken
    assert "no such thing" in broken.said


def test_defects_can_be_planted(tmp_path):
    """Each is in a copy of the headers, and they are as they were."""
    for name, (old, new) in tool.PLANTS.items():
        header = tool.planted_headers(tmp_path, name) / "pokermodel/texts" / name
        assert header.read_text().count(new) > 0
        assert old not in header.read_text()
        assert old in (tool.INCLUDE / "pokermodel/texts" / name).read_text()


def test_which_targets_there_are(capsys):
    assert tool.main(["--list"]) == 0
    names = capsys.readouterr().out.split()
    assert {"stars.h", "irc", "phh", "winamax"} <= set(names)
    headers = {path.name for path in (tool.INCLUDE / "pokermodel/texts").glob("*.h")} - {
        "text.h",
        "floats.h",
    }  # which read nothing by themselves
    assert headers == set(tool.PLANTS) == {name for name in names if name.endswith(".h")}
    with pytest.raises(SystemExit):
        tool.main(["nothing"])
    assert "unknown target nothing" in capsys.readouterr().err


def test_lines_that_an_input_runs(tmp_path):
    """By which inputs are kept."""
    files = [tmp_path / "a", tmp_path / "b"]
    files[0].write_bytes(b"")
    files[1].write_bytes(b"STATE:0:rf:5dTs|8c7c:-10|10:p1|p2\n")
    found = dict(tool.lines_run("acpc", files))
    assert found[files[1]] - found[files[0]]
    assert {Path(file).name for file, _ in found[files[1]]} >= {"acpc.py"}


@pytest.mark.slow
def test_a_planted_defect_is_found(capsys, tmp_path, monkeypatch):
    """In C, where clang has libFuzzer."""
    if not shutil.which("clang"):
        pytest.skip("clang not found: install it with its libFuzzer")
    monkeypatch.setattr(tool, "WORK", tmp_path)
    status = tool.main(["irc.h", "--self-test", "--seconds", "60"])
    said = capsys.readouterr()
    if status == 2:
        pytest.skip(said.err.splitlines()[0])
    assert status == 0, said.out
    assert ", 1 found, 0 planted defects not found" in said.out
