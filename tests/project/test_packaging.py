"""The wheel that ships: `tools/build_wheels.py` makes it, and finds what is wrong with one.

The wheel is named by POKERMODEL_WHEEL, or is the newest for this Python in wheels/.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import click
import pytest

from pokermodel.cli._commands import cli
from pokermodel.cli.range import show_range
from pokermodel.ranges import DIALECTS
from tests.common import desk

ROOT = Path(__file__).resolve().parents[2]
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}{'t' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''}"


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


build_wheels = load("build_wheels")
WheelError = build_wheels.WheelError


@pytest.fixture(scope="module")
def wheel():
    named = os.environ.get("POKERMODEL_WHEEL")
    found = [Path(named)] if named else sorted((ROOT / "wheels").glob(f"pokermodel-*-{TAG}-*.whl"))
    if not found:
        pytest.skip(f"no wheel for {TAG}: run tools/build_wheels.py, or set POKERMODEL_WHEEL")
    path = found[-1]
    with zipfile.ZipFile(path) as archive:
        for name in build_wheels.expected_files():
            if name not in archive.namelist() or archive.read(name) != (ROOT / "src" / name).read_bytes():
                if named:
                    pytest.fail(f"{path.name} is not of this source: {name} differs")
                pytest.skip(f"{path.name} is older than the source: run tools/build_wheels.py")
    return path


def changed(wheel, target, change):
    """A copy of a wheel whose files are passed through ``change(name, data)``; None leaves one out."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = change(info.filename, old.read(info))
            if data is not None:
                new.writestr(info, data)
    return target


# ------------------------------------------------------------------------------------------------- the wheel


def test_nothing_is_wrong_with_the_wheel(wheel):
    assert build_wheels.wheel_problems(wheel) == []


@pytest.mark.parametrize(
    "name",
    [
        "pokermodel/_core/evaluator.pxd",
        "pokermodel/__init__.pxd",
        "pokermodel/include/pokermodel/abi.h",
        "pokermodel/_core/playout.pyi",
        "pokermodel/py.typed",
        "pokermodel/data/example.phh",
    ],
)
def test_a_wheel_that_lacks_a_file_is_not_shipped(wheel, tmp_path, name):
    without = changed(wheel, tmp_path / wheel.name, lambda each, data: None if each == name else data)
    assert build_wheels.wheel_problems(without) == [f"lacks {name}"]
    with pytest.raises(WheelError, match=f"must not be shipped:\n  lacks {name}"):
        build_wheels.check_wheel(without)


def test_a_wheel_that_lacks_a_module_is_not_shipped(wheel, tmp_path):
    without = changed(wheel, tmp_path / wheel.name, lambda name, data: None if "_core/rules.cp" in name else data)
    assert build_wheels.wheel_problems(without) == ["lacks the module rules"]


def test_a_wheel_with_strangers_is_not_shipped(wheel, tmp_path):
    more = Path(shutil.copy(wheel, tmp_path))
    with zipfile.ZipFile(more, "a") as archive:
        archive.writestr("pokermodel/_core/rules.pyx", "")
        archive.writestr("tests/test_x.py", "")
        archive.writestr("pokermodel/data/large.bin", os.urandom(build_wheels.LARGEST_WHEEL))
    size, *others = build_wheels.wheel_problems(more)
    assert f"expected {build_wheels.LARGEST_WHEEL:,} at most" in size
    assert [problem.split()[1] for problem in others] == [
        "pokermodel/_core/rules.pyx",
        "pokermodel/data/large.bin",
        "tests/test_x.py",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="ELF files are Linux's")
def test_a_wheel_without_its_tag_is_not_shipped(wheel, tmp_path):
    plain = shutil.copy(wheel, tmp_path / f"pokermodel-0.1.0-{TAG}-{TAG}-linux_x86_64.whl")
    assert build_wheels.wheel_problems(Path(plain)) == ["is not tagged manylinux_2_17"]


@pytest.mark.skipif(sys.platform != "linux", reason="ELF files are Linux's")
def test_modules_that_remember_a_folder_or_export_more_are_found(tmp_path):
    source = tmp_path / "rules.c"
    source.write_text("int PyInit_rules(void) { return 0; }\nint stray(void) { return 1; }\n")
    module = tmp_path / "rules.cpython-311-x86_64-linux-gnu.so"
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        pytest.skip(f"no C compiler: {compiler} not found")
    flags = ["-shared", "-fPIC", "-g", "-Wl,-rpath,/home/somebody", "-Wl,--no-as-needed", "-ldl", "-lpthread", "-lm"]
    subprocess.run([compiler, str(source), "-o", str(module), *flags, "-lcrypt"], check=False, capture_output=True)
    if not module.exists():
        subprocess.run([compiler, str(source), "-o", str(module), *flags], check=True, capture_output=True)
    text = "\n".join(build_wheels.elf_problems(module))
    assert "remembers a folder" in text
    assert "/home/somebody" in text
    assert "exports PyInit_rules, stray" in text
    assert "has .debug_info" in text
    assert "has .symtab" in text


# ------------------------------------------------------------------------------------------------- the sdist


def packed(path, names, seconds):
    with tarfile.open(path, "w:gz") as archive:
        for k, name in enumerate(names):
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.uid, info.uname = len(name), seconds + k, 1000 + k, f"user{k}"
            archive.addfile(info, io.BytesIO(name.encode()))
    return path


def test_an_sdist_knows_no_order_owner_or_time(tmp_path):
    one = packed(tmp_path / "one.tar.gz", ["a/x", "a/y", "a/z"], 10**9)
    other = packed(tmp_path / "other.tar.gz", ["a/z", "a/x", "a/y"], 11**9)
    for path in (one, other):
        build_wheels.same_time(path, 315532800)
    assert one.read_bytes() == other.read_bytes()
    with tarfile.open(one) as archive:
        assert [(each.name, each.mtime, each.uid) for each in archive] == [
            (f"a/{letter}", 315532800, 0) for letter in "xyz"
        ]
        assert archive.extractfile("a/y").read() == b"a/y"


# ------------------------------------------------------------------------------------------------- the tool


def test_interpreters_are_found():
    found = {each.tag: each for each in build_wheels.find_interpreters([])}
    assert found[TAG].version[:2] == sys.version_info[:2]
    assert all(each.version >= build_wheels.OLDEST for each in found.values())
    (this,) = build_wheels.find_interpreters([sys.executable])
    assert this.tag == TAG
    with pytest.raises(WheelError, match=r"no CPython 3\.2 here; found .*cp3"):
        build_wheels.find_interpreters(["3.2"])


def test_no_python_is_none(tmp_path):
    assert build_wheels.probe(tmp_path / "nothing") is None
    assert build_wheels.probe(Path(shutil.which("true") or "/bin/true")) is None


def test_a_command_that_fails_says_why(tmp_path):
    with pytest.raises(WheelError, match=r"ended with 3:\nthis is why"):
        build_wheels.run([sys.executable, "-c", "print('this is why'); raise SystemExit(3)"], tmp_path / "log")
    assert (tmp_path / "log").read_text() == "this is why\n"


def test_archives_say_where_they_differ(tmp_path, wheel):
    other = changed(
        wheel, tmp_path / "other.whl", lambda name, data: data + b"#" if name.endswith("dealing.py") else data
    )
    assert build_wheels.different_files(wheel, other) == "pokermodel/evaluation/dealing.py"
    assert build_wheels.different_files(wheel, wheel) == "order or times"


def test_the_version_is_said_once(wheel):
    version = importlib.metadata.version("pokermodel")
    assert wheel.name.startswith(f"pokermodel-{version}-")
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ dependencies

#: What somebody who links, evaluates or reads hands does without.
HEAVY = {"click", "rich", "joblib", "sqlalchemy", "jinja2", "platformdirs"}
LEAN = """
import sys

def loaded(what):
    found = {name.partition(".")[0] for name in sys.modules} & set(%(heavy)r)
    assert not found, f"{what} loads {', '.join(sorted(found))}"

import pokermodel as pm
loaded("import pokermodel")
assert "numpy" not in sys.modules, "import pokermodel loads numpy"
pm.evaluate("AsKsQsJsTs")
table = pm.WeightTable.from_text("22+, A5s+, KQo:0.5")
pm.BoardAnalysis("2c7d9h").evaluate(table)
pm.evaluation.hand_potential("AdQc", "3h4cJh")
loaded("evaluation")
pm.equity(["AsAh", table], "2c7d9h")
pm.equity(["AsAh", "random", "random"], trials=100, rng=1)
loaded("equity")
for file in sys.argv[1:]:
    for hand in pm.open_hands(file):
        modeler = pm.OpponentModeler()
        for decision in hand.replay():
            modeler.observe(decision)
loaded("reading hands")
pm.score([pm.example_hand()], "loki1")
loaded("scoring")
pm.get_include()
loaded("get_include")
assert "numpy" in sys.modules
"""


def test_nothing_heavy_is_loaded_for_who_links_or_evaluates(tmp_path):
    desk.lay(tmp_path)
    files = [tmp_path / name for name in ("hands.phh", "cash.phhs", "match.log", "holdem.199504.tgz")]
    script = LEAN % {"heavy": sorted(HEAVY)}
    done = subprocess.run([sys.executable, "-c", script, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_check_for_heavy_modules_can_fail():
    script = LEAN % {"heavy": ["numpy"]}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "evaluation loads numpy" in done.stderr


def test_the_documentation_says_what_each_dependency_serves():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [each.partition(">")[0] for each in project["dependencies"]]
    section = (ROOT / "docs/architecture.md").read_text().split("## What depends on what")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert rows == ["dependency", *wanted]
    assert set(wanted) == HEAVY | {"numpy"}


def test_the_readme_names_the_top_of_the_repository():
    """And where to read how a wheel is built and installed, as wheels/README.md says it, too."""
    readme, tour, wheels = ((ROOT / name).read_text() for name in ("README.md", "docs/tour.md", "wheels/README.md"))
    layout = readme.split("## What lies where")[1].split("\n## ")[0]
    for name in ("src/pokermodel/", "tests/", "wheels/", "pyproject.toml", "setup.py"):
        assert f"`{name}`" in layout
        assert (ROOT / name).exists()
    assert "docs/tour.md#install" in readme
    for line in (
        "python tools/build_wheels.py",
        "pip install --find-links wheels --only-binary pokermodel pokermodel",
    ):
        assert line in tour
        assert line in wheels


def test_the_version_is_said_without_numpy():
    code = "import sys; from pokermodel.cli import main\ntry: main(['--version'])\nexcept SystemExit: pass\n"
    code += "found = sorted({'numpy', 'click', 'importlib.metadata', 'pathlib'} & {*sys.modules})\n"
    code += "assert not found, f'saying the version loads {found}'"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert importlib.metadata.version("pokermodel") in result.stdout


def paths(command, context, *above):
    """All commands below one, as words."""
    yield above
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from paths(command.get_command(context, name), context, *above, name)


#: Commands whose help ends with the names of a registry: whatever registers there is imported.
LISTS = {
    ("read",),
    ("learn",),
    ("score",),
    ("play",),
    ("tournament",),
    ("exploit",),
    ("acpc", "play"),
    ("acpc", "deal"),
}
HELP = """
import sys
from pokermodel.cli import main

for words in {words!r}:
    try:
        main([*words, "--help"])
    except SystemExit as ended:
        assert not ended.code, words
    assert "numpy" not in sys.modules, f"help of pokermodel {{' '.join(words)}} loads numpy"
"""


def test_help_is_shown_without_numpy():
    """All commands one after the other in one process, so that the first one that loads it is named."""
    words = [path for path in paths(cli, click.Context(cli)) if path not in LISTS]
    assert len(words) > 15
    script = HELP.format(words=words)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_dialects_of_range_are_those_of_ranges():
    (option,) = (each for each in show_range.params if each.name == "to")
    assert tuple(option.type.choices) == DIALECTS


READING = """
import sys
from pokermodel.cli import main

try:
    main(["read", *sys.argv[1:]])
except SystemExit as error:
    assert not error.code
ours = {name for name in sys.modules if name.partition(".")[0] == "pokermodel"}
above = ("solving", "learning", "worth.verdict", "classics", "tables")
found = {f"pokermodel.{each}" for each in above} | {"importlib.metadata", "concurrent.futures", "sqlalchemy", "jinja2"}
found |= {"numpy.random", "sqlite3", "zoneinfo"}
found = sorted(found & set(sys.modules))
assert not found, f"a hand that is read loads {', '.join(found)}"
assert len(ours) <= 208, f"a hand that is read loads {len(ours)} modules of pokermodel"
files = [getattr(sys.modules[name], "__file__", None) or "" for name in ours]
lines = sum(sum(1 for _ in open(file, encoding="utf-8")) for file in files if file.endswith(".py"))
assert len(sys.argv) > 1 or lines <= 28_000, f"a hand that is read loads {lines} lines of pokermodel"
from pokermodel._support.patterns import _Regex
patterns = [each for name in ours for each in vars(sys.modules[name]).values() if isinstance(each, _Regex)]
used = sum("match" in vars(each) for each in patterns)
assert used <= 80, f"a hand that is read compiles {used} of {len(patterns)} patterns"
"""


@pytest.mark.parametrize("arguments", [[], ["--json"], ["no-limit.txt", "--hero", ""]], ids=" ".join)
def test_what_a_hand_that_is_read_loads(arguments, tmp_path):
    """Modules that it does not need, and patterns that nothing is matched with, are what a start takes long by."""
    desk.lay(tmp_path)
    script = [sys.executable, "-c", READING, *arguments]
    done = subprocess.run(script, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_the_folder_beside_an_installed_package(tmp_path, monkeypatch):
    from pokermodel._support import version

    installed = importlib.metadata.version("pokermodel")
    monkeypatch.setattr(version, "__file__", str(tmp_path / "pokermodel" / "_support" / "version.py"))
    assert version.release() == installed  # an archive, or what has no folder
    (tmp_path / "pokermodel-12.3.dev4.dist-info").mkdir()
    (tmp_path / "pokermodel_extra-7.dist-info").mkdir()
    assert version.release() == "12.3.dev4"
    (tmp_path / "pokermodel-12.3.dist-info").mkdir()  # what is left of an installation that went wrong
    assert version.release() == installed


def test_the_version_is_that_of_the_first_folder_on_the_path(tmp_path, monkeypatch):
    """As of a source tree that is used where it is: `importlib.metadata` says the same, and takes longer."""
    from pokermodel._support import version

    monkeypatch.setattr(version, "__file__", str(tmp_path / "src" / "pokermodel" / "_support" / "version.py"))
    (tmp_path / "src").mkdir()
    (tmp_path / "a.zip").write_bytes(b"")
    egg, other = tmp_path / "egg", tmp_path / "other"
    (egg / "pokermodel.egg-info").mkdir(parents=True)
    (egg / "pokermodel.egg-info" / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: pokermodel\nVersion: 3.1rc2\n")
    (other / "pokermodel-4.0.dist-info").mkdir(parents=True)
    (other / "pokermodel-4.0.dist-info" / "METADATA").write_text("Name: pokermodel\nVersion: 4.0\n")
    for path, expected in (
        ([str(tmp_path / "none"), str(tmp_path), str(egg), str(other)], "3.1rc2"),
        ([str(other), str(egg)], "4.0"),
        ([str(tmp_path / "a.zip"), str(other)], "4.0"),
        ([str(tmp_path)], ""),
    ):
        monkeypatch.setattr(sys, "path", path)
        assert version.release() == expected


def test_every_public_name_is_found():
    """Names are imported when they are first used."""
    code = """
import types
import pokermodel as pm
for name in pm.__all__:
    getattr(pm, name)
assert isinstance(pm.cards, types.ModuleType)
assert isinstance(pm.tables, types.ModuleType)
from pokermodel import *
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
