"""The kernels from outside: a project of its own, built against the pokermodel that is imported."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import pokermodel as pm
from pokermodel._core import abi
from tests.common.patience import PATIENCE
from tests.common.tools import load

Cython = pytest.importorskip("Cython", reason="Cython is not installed")
setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")

HERE = Path(__file__).resolve().parents[1]
PACKAGE = Path(pm.__file__).resolve().parent
SURFACE = HERE / "data/c_surface.txt"


c_surface = load("c_surface")


def compiler():
    command = shlex.split(os.environ.get("CC", "")) or ["cc"]
    if not shutil.which(command[0]):
        pytest.skip(f"no C compiler: {command[0]} not found")
    return command


def environment(package=PACKAGE, **more):
    """Settings in which this pokermodel is the one to be found, and nothing else of the checkout."""
    return {**os.environ, "PYTHONPATH": str(package.parent), **more}


def run(command, folder, **more):
    return subprocess.run(
        command, cwd=folder, env=environment(**more), capture_output=True, text=True, timeout=PATIENCE
    )


# ------------------------------------------------------------------------------------------ the whole project


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_project_of_its_own(tmp_path, language):
    compiler()
    project = shutil.copytree(HERE / "downstream", tmp_path / "project")
    built = run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], project, HOLDEMTOOLS_LANGUAGE=language
    )
    assert built.returncode == 0, built.stdout + built.stderr
    # what Cython read, and what the compiler was shown
    (dep,) = project.glob("**/kernels.c*.dep")
    read = {(project / name).resolve() for name in dep.read_text().replace("\\\n", " ").split(":", 1)[1].split()}
    declarations = {path for path in read if path.suffix == ".pxd" and "pokermodel" in path.parts}
    assert {path.name for path in declarations} >= {"abi.pxd", "dealing.pxd", "evaluator.pxd", "playout.pxd"}
    assert all(path.is_relative_to(PACKAGE) for path in declarations)
    (source,) = (path for path in project.glob("holdemtools/kernels.c*") if path.suffix in (".c", ".cpp"))
    headers = re.findall(r'"([^"]*pokermodel/[\w/]+\.h)"', source.read_text().split("END: Cython Metadata")[0])
    assert headers
    assert all(Path(name).is_relative_to(pm.get_include()) for name in headers)
    # and that it works, from elsewhere, with warnings as errors
    path = f"{PACKAGE.parent}{os.pathsep}{project}"
    said = run(
        [sys.executable, "-W", "error", "-c", "import holdemtools, pokermodel as pm\n"
         "print(holdemtools.LANGUAGE, pm.__file__)"],
        tmp_path,
        PYTHONPATH=path,
    )  # fmt: skip
    assert said.stdout.split(maxsplit=1) == [language, f"{PACKAGE / '__init__.py'}\n"], said.stderr
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", str(project / "tests")]
    tested = run(command, tmp_path, PYTHONPATH=path)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert re.search(r"\b15 passed\b", tested.stdout), tested.stdout


SPOT_IN_C = HERE / "downstream/solve_spot.c"


def strict(standard):
    """Flags for this standard, with warnings as errors."""
    flags = ["-x", "c++"] if standard == "c++" else [f"-std={standard}", "-Wpedantic"]
    flags += ["-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I", pm.get_include()]
    # which gcc says of its own header for AVX-512 where it compiles C++
    return [*flags, "-Wno-uninitialized", "-Wno-maybe-uninitialized"]


@pytest.mark.parametrize("standard", ["gnu99", "c11", "c++"])
def test_a_program_that_solves_is_of_the_standard(tmp_path, standard):
    compiled = run([*compiler(), *strict(standard), "-fsyntax-only", str(SPOT_IN_C)], tmp_path)
    assert compiled.returncode == 0, compiled.stderr


@pytest.mark.parametrize(
    "standard", ["gnu99", *(pytest.param(standard, marks=pytest.mark.slow) for standard in ("c11", "c++"))]
)
def test_a_spot_is_solved_in_c(tmp_path, standard):
    """The example of the documentation: built, it says what `pm.solve` says."""
    level = "-O0" if standard == "gnu99" else "-O1"  # which takes three times as long
    built = run([*compiler(), level, *strict(standard), str(SPOT_IN_C), "-o", "solve_spot", "-lm"], tmp_path)
    assert built.returncode == 0, built.stderr
    said = run([str(tmp_path / "solve_spot")], tmp_path)
    found = dict(line.rsplit(" ", 1) for line in said.stdout.replace(" % of the pot", "").splitlines())
    spot = pm.Subgame("QsJh2h8c3d", 200, 900, ("KK+,44,55", "66,77,99,TT"), bets=["100%"], raises=[])
    solution = pm.solve(spot, target=1e-9, iterations=200, jobs=1)
    assert float(found["exploitability"]) == pytest.approx(solution.exploitability, abs=1e-3)
    assert float(found["out of position"]) == pytest.approx(solution.value(0), abs=1e-2)
    strategy = solution.strategy()[spot.ranges[0].values > 0][:, 1]
    assert float(found["bets"]) == pytest.approx(strategy.mean(), abs=1e-3)
    assert float(found["bets"]) == pytest.approx(0.75, abs=0.01)  # half as many bluffs as hands that win


# ------------------------------------------------------------------------------------------------- the number


def number_of(package):
    """The ABI number as the header, the declarations and the compiled module say it."""
    header = (package / "include/pokermodel/abi.h").read_text()
    declarations = (package / "_core/abi.pxd").read_text()
    found = [re.findall(pattern, header) for pattern in (r"#define PM_ABI (\d+)",)]
    found += [re.findall(pattern, declarations) for pattern in (r"#if PM_ABI != (\d+)", r"\bABI = (\d+)")]
    return [int(number) for (number,) in found]


def test_the_number_is_one():
    assert set(number_of(PACKAGE)) == {abi.NUMBER}


# ------------------------------------------------------------------------------------------------ the surface


def test_the_surface_is_the_one_on_record():
    """What fails here is seen: see `tools/c_surface.py` for when the number must be raised."""
    assert c_surface.surface(PACKAGE) == SURFACE.read_text(encoding="utf-8"), "run python tools/c_surface.py"


def declarations_in_c(package):
    """C that compiles if the .pxd files say of functions and fields what the headers do."""
    lines = []
    for path in sorted((package / "_core").glob("*.pxd")):
        text = path.read_text(encoding="utf-8")
        for header, body in c_surface.extern_blocks(text):
            lines.append(f'#include "{header}"')
            for declaration in map(c_surface.plain_c, c_surface.declared_functions(body)):
                name = c_surface.function_name(declaration)
                head, arguments = re.fullmatch(rf"(.*?)\b{name}\s*\((.*)\)", declaration).groups()
                lines.append(f"{head} (*const check_{len(lines)})({arguments or 'void'}) = {name};")
            body = re.sub(r"\([^()]*\)", lambda found: " ".join(found[0].split()), body)  # arguments on one line
            for struct, fields in re.findall(r"    ctypedef struct (\w+):\n((?:        [^\n]+\n)+)", body):
                for field in map(str.strip, fields.splitlines()):
                    if field == "pass":
                        continue
                    declared = c_surface.plain_c(re.sub(r'\w+ "(\w+)"', r"\1", field))
                    name = re.search(r"\(\*(\w+)\)|(\w+)(?:\[[^]]+\])*$", declared)
                    name = name[1] or name[2]
                    check = re.sub(rf"\b{name}\b(?=[\[)]|$)", f"field_{len(lines)}", declared)
                    lines.append(f"extern {check}; extern __typeof__((({struct} *)0)->{name}) field_{len(lines)};")
    return "\n".join(lines) + "\n"


def compile_declarations(package, folder):
    source = folder / "declarations.c"
    source.write_text(declarations_in_c(package))
    command = [*compiler(), "-std=gnu99", "-Wall", "-Werror", "-Wno-unused", "-fsyntax-only"]
    return run([*command, "-I", str(package / "include"), str(source)], folder)


def test_declarations_say_what_the_headers_do(tmp_path):
    text = declarations_in_c(PACKAGE)
    assert text.count("(*const check_") > 70
    assert text.count("__typeof__") > 90
    compiled = compile_declarations(PACKAGE, tmp_path)
    assert compiled.returncode == 0, compiled.stderr


# ---------------------------------------------------------------------------------------------- broken copies


SMALL = """
from pokermodel._core.abi cimport require_abi
from pokermodel._core.evaluator cimport pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
require_abi()

def rank(cards):
    cdef pm_hand hand = pm_hand_empty()
    for card in cards:
        hand = pm_hand_add(tables(), hand, card)
    return pm_hand_rank(tables(), hand)
"""
SMALL_SETUP = """
import pokermodel
from Cython.Build import cythonize
from setuptools import Extension, setup
extension = Extension("small", ["small.pyx"], include_dirs=[pokermodel.get_include()], extra_compile_args=FLAGS)
setup(ext_modules=cythonize([extension], language_level=3))
"""


NEEDED = ("Cython", "cython.py", "setuptools", "_distutils_hack", "numpy", "numpy.libs")


class Copy:
    """A copy of the installed package, to be broken, and a small module that is built against it and sees no other."""

    def __init__(self, folder):
        self.folder = folder
        built = shutil.ignore_patterns("__pycache__", "*.c", "*.html")
        self.package = shutil.copytree(PACKAGE, folder / "site/pokermodel", ignore=built)
        others = Path(numpy.__file__).parents[1], Path(Cython.__file__).parents[1], Path(setuptools.__file__).parents[1]
        for name in NEEDED:
            found = next((place / name for place in others if (place / name).exists()), None)
            if found:
                (folder / "site" / name).symlink_to(found)
        (folder / "small.pyx").write_text(SMALL)
        flags = [] if sys.platform == "win32" else ["-O0", "-Werror"]
        (folder / "setup.py").write_text(SMALL_SETUP.replace("FLAGS", repr(flags)))

    def change(self, file, old, new):
        path = self.package / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has changed: say in this test what else to break"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def build(self):
        return self.run("setup.py", "--quiet", "build_ext", "--inplace")

    def use(self):
        code = "import small; print(small.rank([51, 47, 43, 39, 35]))"
        return self.run("-W", "error", "-c", code)

    def run(self, *arguments):
        return run([sys.executable, "-S", *arguments], self.folder, package=self.package)


@pytest.fixture
def copy(tmp_path):
    compiler()
    return Copy(tmp_path)


@pytest.mark.slow
def test_a_whole_copy_serves(copy):
    assert copy.build().returncode == 0
    used = copy.use()
    assert used.stdout == "7462\n", used.stderr


@pytest.mark.slow
def test_a_module_of_another_number_is_refused_at_import(copy):
    for file in ("include/pokermodel/abi.h", "_core/abi.pxd"):
        path = copy.package / file
        path.write_text(re.sub(r"((?:PM_)?ABI(?: !=| =)? )\d+", r"\g<1>99", path.read_text()))
    assert set(number_of(copy.package)) == {99}
    assert copy.build().returncode == 0
    used = copy.use()
    assert "ImportError: this module was compiled for version 99" in used.stderr


@pytest.mark.slow
def test_a_header_of_another_number_does_not_compile(copy):
    copy.change("include/pokermodel/abi.h", f"PM_ABI {abi.NUMBER}", "PM_ABI 99")
    assert set(number_of(copy.package)) != {abi.NUMBER}
    built = copy.build()
    assert built.returncode
    assert "are of different versions" in built.stdout + built.stderr


@pytest.mark.slow
def test_a_package_without_declarations_is_of_no_use(copy):
    (copy.package / "_core/evaluator.pxd").unlink()
    built = copy.build()
    assert built.returncode
    assert "evaluator.pxd' not found" in built.stdout + built.stderr
    assert c_surface.surface(copy.package) != SURFACE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_another_signature_does_not_compile(copy, tmp_path):
    copy.change(
        "include/pokermodel/evaluation/evaluator.h",
        "pm_hand_rank(const pm_evaluator *e,",
        "pm_hand_rank(int extra, const pm_evaluator *e,",
    )
    assert copy.build().returncode
    assert compile_declarations(copy.package, tmp_path).returncode
    assert c_surface.surface(copy.package) != SURFACE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_another_signature_of_a_compiled_function_is_refused_at_import(copy):
    copy.change("_core/evaluator.pxd", "const pm_evaluator *tables()", "const pm_hand *tables()")
    (copy.folder / "small.pyx").write_text(
        "from pokermodel._core.evaluator cimport tables\ndef rank(cards):\n    return tables() != NULL\n"
    )
    assert copy.build().returncode == 0
    used = copy.use()
    assert "wrong signature" in used.stderr
    assert c_surface.surface(copy.package) != SURFACE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("include/pokermodel/dealing/dealing.h", "double weight;", "float weight;"),  # a field's type
        ("include/pokermodel/game/rules.h", "int64_t pot;", ""),  # a field that goes
        ("_core/rules.pxd", "int64_t pot\n", "int32_t pot\n"),
        ("_core/evaluator.pxd", "unsigned pm_hand_rank(", "double pm_hand_rank("),
        ("_core/triples.pxd", "double pm_pot_odds(const pm_spot *spot)", "double pm_pot_odds(const pm_held *spot)"),
    ],
)
def test_declarations_that_differ_from_headers_are_found(tmp_path, file, old, new):
    for part in ("include", "_core"):
        shutil.copytree(PACKAGE / part, tmp_path / part, ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__"))
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert compile_declarations(tmp_path, tmp_path).returncode
