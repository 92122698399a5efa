"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import glob
import importlib
import importlib.util
import io
import pkgutil
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.histories import registry as histories
from pokermodel.learning.definitions import other_statistics
from pokermodel.learning.definitions import registry as statistics
from pokermodel.reading import registry as readers
from pokermodel.tables.players import registry as players
from pokermodel.worth import adviser as advisers
from tests.common import desk
from tests.common.acpc import other_side
from tests.common.blueprints import few_flops
from tests.common.tools import load

ROOT = Path(__file__).resolve().parents[2]
tool = load("sessions")
MODULES = ["pokermodel"] + [
    module.name
    for module in pkgutil.walk_packages(pm.__path__, "pokermodel.")
    if not module.name.startswith("pokermodel._core") and not module.name.endswith("__main__")
]
#: What is shown by running it: not the pages of results, whose commands take minutes.
RESULTS = {"docs/experiments.md", "docs/performance.md", "docs/scores.md"}
PAGES = sorted(
    {
        page.relative_to(ROOT).as_posix()
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
        if "_build" not in page.parts
    }
    - RESULTS
)
#: Commands that are run by CI, or by whoever needs them: what they begin with.
ELSEWHERE = (
    "pip install",
    "python -m",
    "python setup.py",
    "python tools/",
    "cython ",
    "apt-get",
    "bash .ci/run",
    "bash tools/",
    ".ci/with-postgresql ",
    ". .venv",
)
#: What somebody types where a command asks; a coach works out a second for each act.
TYPED, COACHED = "c\n" * 40, "c\n" * 2
ELSEWHERE += ("POKERMODEL_DATA=", "sphinx-build", "-o /tmp")


def module(name):
    """A module of the package; without the extra that it needs, the test is skipped."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name in ("starlette", "uvicorn", "watchfiles"):
            pytest.skip("the extra desk is not installed")
        if "pokermodel[" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(module(name), raise_on_error=False)
    assert failed == 0


def blocks(page, language):
    """Code of one language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def on_a_desk(tmp_path, monkeypatch):
    """Work in a folder with the histories that the pages speak of."""
    desk.lay(tmp_path, match=True)
    monkeypatch.chdir(tmp_path)
    for registry, kinds in ((players, players.kinds()), (readers, readers.reader_kinds()), (histories, {})):
        monkeypatch.setattr(registry._REGISTRY, "_kinds", kinds)
    monkeypatch.setattr(advisers._REGISTRY, "_kinds", dict(advisers.kinds()))
    with other_statistics(*statistics()):
        yield tmp_path


def anchors(page):
    """The names by which links reach the headings of a page."""
    text = page.read_text(encoding="utf-8")
    headings = (
        re.sub(r"[`*]", "", heading).strip().lower() for heading in re.findall(r"^#{1,3} (.*)$", text, re.MULTILINE)
    )
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere():
    """Sphinx is told to pass over links that it does not find, since README links to files outside the pages."""
    lost = []
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for name, anchor in re.findall(r"\]\(([^)#\s:]*\.md)?(?:#([\w-]+))?\)", page.read_text(encoding="utf-8")):
            other = page.parent / name if name else page
            if not other.exists() or (anchor and anchor not in anchors(other)):
                lost.append((page.name, name, anchor))
    assert not lost


@pytest.mark.parametrize("page", PAGES)
def test_python_of_a_page(page, on_a_desk):
    """Blocks with prompts show what comes out; the others only have to run. A page is one session."""
    for name in re.findall(r"pokermodel\.tables\.connect\.\w+", "".join(blocks(page, "python"))):
        module(name)
    if "import duckdb" in "".join(blocks(page, "python")):
        pytest.importorskip("duckdb", reason="the extra sql is not installed")
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks(page, "python")):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, f"{page}, block {number}", page, 0)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
        else:
            with few_flops():
                exec(compile(block, f"{page}, block {number}", "exec"), names)
    assert runner.failures == 0


def commands(page):
    """Commands of a page, without comments."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.sub(r"\s+#.*", "", line).split(" && ")


#: Pages whose commands take long: they build blueprints, or solve turns.
LONG = ("docs/howto/solve.md", "docs/models/blueprint.md")


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.slow) if page in LONG else page for page in PAGES]
)
def test_commands_of_a_page(page, on_a_desk, capsys, monkeypatch):
    """Every command runs, shorter where it would take long, or is one of those that are tried elsewhere."""
    for command in commands(page):
        words = shlex.split(command)
        if not words or words[0].startswith("#"):
            continue
        if words[0] != "pokermodel":
            assert any(command.startswith(known) for known in ELSEWHERE), f"{page}: nothing tries {command!r}"
            continue
        arguments = [found for word in words[1:] for found in (sorted(glob.glob(word)) or [word])]
        for name in ("--deals", "--hands", "--trials", "--jobs"):
            if name in arguments:
                arguments[arguments.index(name) + 1] = "2"
        arguments = ["local:1" if each == "local:2" else each for each in arguments]
        if arguments[0] == "study" and "--where" not in arguments:
            arguments += ["--where", "size>=100"]
        if arguments[:2] == ["blueprint", "build"]:
            arguments += ["--rounds", "2", "--buckets", "40/40/10"]
        if arguments[:2] == ["blueprint", "check"] and len(arguments) > 3 and arguments[3].endswith(".npz"):
            arguments += ["--hands" if "--resolved" in arguments else "--boards", "2"]
        monkeypatch.setattr("sys.stdin", io.StringIO(COACHED if "--coach" in arguments else TYPED))
        with few_flops(), other_side(arguments) as whole, pytest.raises(SystemExit) as ended:
            main(whole)
        said = capsys.readouterr()
        assert not ended.value.code, f"{page}: {command}: {said.err}"
        assert said.out or said.err, command


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if page.stem in ("README", "solve", "study") else (), id=page.stem)
        for page in tool.PAGES
        if page.stem != "play"  # which tests/tables/commands/test_play.py tries
    ],
)
def test_sessions_of_a_page(page, on_a_desk):
    """What a page shows of a command is what comes out; `python tools/sessions.py` writes it."""
    text = page.read_text(encoding="utf-8")
    assert list(tool.sessions(text))
    assert tool.renewed(text) == text


def test_sessions_leave_out_what_the_page_leaves_out():
    shown = "won +1.5\n...\nThe worst 2\n  1. 3 s\n"
    output = "won +2.5\nEV lost\nThe worst 3\n  1. 4 s  \n  2. 5 s\n"
    assert tool.shortened(shown, output) == "won +2.5\n...\nThe worst 3\n  1. 4 s\n  2. 5 s\n"
    assert tool.shortened("won +2.5\n...\n", output) == "won +2.5\n...\n"
    assert tool.shortened("in 3 s\n", "in 4.5 s\n") == "in 3 s\n"
    assert tool.shortened("...\nThe worst 2\n...\n  2. 3 s\n...\n", output) == "...\nThe worst 3\n...\n  2. 5 s\n...\n"
    assert tool.shortened("in 3 s, 2 MB\n", "in 4.5 s, 3 MB\n") == "in 4.5 s, 3 MB\n"


def test_figures_in_the_readme():
    (block,) = blocks("README.md", "python")
    assert f"{pm.hand_strength('AdQc', '3h4cJh'):.3f}" in block
    assert f"{pm.evaluation.hand_potential('AdQc', '3h4cJh', lookahead=2).ppot:.3f}" in block


def test_every_page_is_in_the_table_of_contents():
    """So that it can be found; the pages that are only included are named where they are."""
    listed = {"index"}
    for page in [*(ROOT / "docs").rglob("index.md")]:
        folder = page.parent.relative_to(ROOT / "docs")
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            listed |= {(folder / line).as_posix() for line in block.splitlines() if line and line[0] != ":"}
    there = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert there == listed


def test_cython_in_the_readme(tmp_path):
    build = pytest.importorskip("Cython.Build", reason="Cython is not installed")
    setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")
    (block,) = blocks("README.md", "cython")
    source = tmp_path / "readme_hands.pyx"
    source.write_text(block)
    extension = setuptools.Extension("readme_hands", [str(source)], include_dirs=[pm.get_include()])
    found = build.cythonize([extension], language_level=3, quiet=True, build_dir=str(tmp_path))
    command = setuptools.Distribution({"ext_modules": found}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(tmp_path), str(tmp_path)
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("readme_hands", command.get_ext_fullpath("readme_hands"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert pm.cards.card_text(module.best_card(pm.cards.card_indices("TsJsQsKs2c2d"))) == "As"


def test_commands_in_the_readme():
    first, second = blocks("README.md", "sh")[0].splitlines()
    assert first == "pip install . && pokermodel read"
    assert "pytest" in second


def test_every_public_name_is_there_and_explained():
    for name in pm.__all__:
        value = getattr(pm, name)
        assert name == "__version__" or value.__doc__, name
    assert set(pm.__all__) <= set(dir(pm))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pm.nothing


def test_headers_are_where_they_are_said_to_be():
    names = {path.name for path in Path(pm.get_include(), "pokermodel").rglob("*.h")}
    assert {"cards.h", "evaluator.h", "rules.h"} <= names


def test_the_example_hand():
    hand = pm.example_hand()
    assert sum(hand.payoffs) == 0
    assert hand.players[int(np.argmax(hand.payoffs))] == "Eve"
    assert sorted(hand.shown) == [1, 4]


def test_workers_read_where_they_are_asked(tmp_path, monkeypatch, capsys):
    """Processes that were started in one folder are used again in another."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        desk.lay(folder)
        monkeypatch.chdir(folder)
        with pytest.raises(SystemExit) as ended:
            main(["learn", "hands.phh", "match.log", "--book", "players.db", "--jobs", "2"])
        assert not ended.value.code, capsys.readouterr().err
