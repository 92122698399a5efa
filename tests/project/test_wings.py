"""The main part works without its wings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pokermodel

PACKAGE = Path(pokermodel.__file__).parent
TESTS = Path(__file__).resolve().parents[1]
WINGS = ("classics", "tables")


@pytest.fixture(scope="module")
def without_wings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, but for its wings."""
    folder = tmp_path_factory.mktemp("without")

    def left_out(place: str, names: list[str]) -> set[str]:
        return {"__pycache__", *(WINGS if Path(place) == PACKAGE else ())} & set(names)

    shutil.copytree(PACKAGE, folder / "pokermodel", ignore=left_out, copy_function=os.symlink)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=TESTS.parent, env=environment, capture_output=True, text=True)


def passing(folder: Path, *wanted: str) -> int:
    """Run tests, and return how many passed."""
    found = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *wanted)
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-2000:]
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed is not None
    return int(passed[1])


def test_every_module_imports(without_wings):
    modules = sorted(
        ".".join(path.relative_to(without_wings).with_suffix("").parts).removesuffix(".__init__")
        for path in without_wings.rglob("*.py")
        if path.name != "__main__.py"
    )
    assert len(modules) > 200
    found = run(without_wings, "-c", f"from importlib import import_module\nfor each in {modules}: import_module(each)")
    assert found.returncode == 0, found.stderr


def test_a_name_of_a_wing_is_unknown(without_wings):
    found = run(without_wings, "-m", "pokermodel", "read", "--model", "loki1")
    assert found.returncode == 2
    assert found.stderr.startswith("Error: unknown model 'loki1'")
    assert found.stderr.count("\n") == 1
    assert "tournament" not in run(without_wings, "-m", "pokermodel", "--help").stdout


def test_some_tests_of_the_main_part(without_wings):
    wanted = "tests/game"  # a folder, since pytest collects a file that is named in any case
    assert passing(without_wings, "-n", "0", wanted) > 30


@pytest.mark.slow
def test_all_tests_of_the_main_part(without_wings):
    assert passing(without_wings, "tests", "--ignore", "tests/project") > 5000
