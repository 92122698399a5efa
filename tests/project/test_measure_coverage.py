"""The command that measures which lines the tests run: `tools/measure_coverage.py`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.common.tools import load

ROOT = Path(__file__).resolve().parents[2]


tool = load("measure_coverage")


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([3], "3"), ([3, 4], "3-4"), ([1, 3, 4, 5, 9], "1, 3-5, 9"), ([7, 9, 11], "7, 9, 11")],
)
def test_ranges(numbers, text):
    assert tool.ranges(numbers) == text


@pytest.mark.parametrize(("missing", "enough"), [(0, True), (5, True), (6, False), (100, False)])
def test_report(capsys, missing, enough):
    files = {"b.py": {number: number > missing for number in range(1, 101)}, "a.py": {}}
    assert tool.report("Python", files) is enough
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[-1] == f"{1 - missing / 100:7.1%} of 100 lines of Python run, 95% wanted; {1 + (not missing)} whole files"
    )
    assert (f"{1 - missing / 100:7.1%} of  100  b.py  1-{missing}" in lines) is bool(missing)
    assert not any("a.py" in line for line in lines)


def test_nothing_counted_is_not_enough(capsys):
    assert not tool.report("kernels", {})
    assert not tool.report("Python", {"a.py": {}})


def test_marks():
    source = """\
static int before;
  /* "pokermodel/_core/toy.pyx":7
 *     if x:             # <<<<<<
 */
  if (x) {

    /* "pokermodel/_core/toy.pxd":3
 */
    y = 1;
  }
}
static int after;
"""
    found = tool.marks(source.splitlines())
    assert found[5] == ("pokermodel/_core/toy.pyx", 7)
    assert found[9] == found[11] == ("pokermodel/_core/toy.pxd", 3)
    assert not {1, 12} & found.keys()


KERNEL = """\
cdef extern from "pokermodel/toy.h" nogil:
    int pm_toy(int x) noexcept


cdef int helper(int x) noexcept nogil:
    if x > 5:
        return 7
    return pm_toy(x)


def run(int x, int y=1):
    if y == 0:
        raise ValueError(f"y must not be {y}")
    for k in range(2):
        if x > 100:
            x = 100
    return helper(x) // y
"""
HEADER = """\
static inline int pm_toy(int x)
{
    if (x < 0)
        return -1;
    return x + 1;
}

static inline int pm_unused(int x)
{
    return x;
}
"""
SETUP = """\
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="toy",
    ext_modules=cythonize(
        [
            Extension(
                f"pokermodel._core.{name}",
                [f"src/pokermodel/_core/{name}.pyx"],
                include_dirs=["src/pokermodel/include"],
                extra_compile_args=["-O0", "-g1", "--coverage"],
                extra_link_args=["--coverage"],
            )
            for name in ("toy", "unloaded")
        ],
        include_path=["src"],
        language_level=3,
    ),
    package_dir={"": "src"},
    packages=["pokermodel", "pokermodel._core"],
)
"""


@pytest.mark.skipif(not shutil.which("gcc") or not shutil.which("gcov"), reason="needs gcc and gcov")
def test_kernels_of_a_small_tree(tmp_path, monkeypatch):
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    for name, text in (
        ("setup.py", SETUP),
        ("src/pokermodel/__init__.py", ""),
        ("src/pokermodel/_core/__init__.py", ""),
        ("src/pokermodel/_core/toy.pyx", KERNEL),
        ("src/pokermodel/_core/unloaded.pyx", "def nothing():\n    return 1\n"),
        ("src/pokermodel/include/pokermodel/toy.h", HEADER),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("CC", "gcc")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))
    monkeypatch.delenv("CFLAGS", raising=False)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    with pytest.raises(SystemExit, match="no kernel left counters"):
        tool.kernel_lines(tmp_path)
    code = "from pokermodel._core.toy import run; assert run(1) == 2"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    lines = tool.kernel_lines(tmp_path)
    assert lines.keys() == {
        "pokermodel/_core/toy.pyx",
        "pokermodel/_core/unloaded.pyx",
        "pokermodel/include/pokermodel/toy.h",
    }
    toy, header = lines["pokermodel/_core/toy.pyx"], lines["pokermodel/include/pokermodel/toy.h"]
    assert {number for number, run in toy.items() if not run} == {7, 13, 16}
    assert {number for number, run in toy.items() if run} >= {5, 6, 8, 11, 12, 14, 15, 17}
    assert max(toy) == 17
    assert {number for number, run in header.items() if not run} == {4}
    assert {3, 5} <= {number for number, run in header.items() if run}
    assert 10 not in header  # no kernel uses it, so there is no machine code
    assert not any(lines["pokermodel/_core/unloaded.pyx"].values())
