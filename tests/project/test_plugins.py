"""Players, readers, history formats and statistics of other packages, found by their entry points."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pokermodel as pm
from tests.common.patience import PATIENCE

HERE = Path(__file__).resolve().parents[1]
SOURCE = Path(pm.__file__).resolve().parents[1]
HOME = HERE / "downstream/homegame"
EVENING = """\
KITCHEN TABLE
1 Ann Bob rc/cc/cc/cc AsAd KcQd 2c7d9hKs3s
2 Ann Bob rx AsAd KcQd
3 Bob Ann f AsAd KcQd
"""


def run(*arguments, site, code=None, status=0):
    """Run the command line, or code, with packages in a folder, and no others of this machine's making."""
    path = os.pathsep.join([str(SOURCE), str(site)])
    command = [sys.executable, *(["-c", code] if code else ["-m", "pokermodel"]), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": path}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert said.returncode == status, said.stderr
    return said


#: Commands of one process: what each of them said and ended with, as JSON.
COMMANDS = """
import contextlib, io, json, sys
from pokermodel.cli import main

said = []
for command in json.loads(sys.argv[1]):
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            main(command)
        except SystemExit as ended:
            status = ended.code or 0
    said.append((out.getvalue(), errors.getvalue(), status))
print(json.dumps(said))
"""


def ended(*commands, site):
    """What some commands say in one process, with packages in a folder: output, errors and status of each."""
    words = [[str(word) for word in command] for command in commands]
    return json.loads(run(json.dumps(words), site=site, code=COMMANDS).stdout)


def run_all(*commands, site):
    """Output and errors of some commands in one process, all of which must end well."""
    found = ended(*commands, site=site)
    assert [errors for _, errors, status in found if status] == []
    return [said for *said, _ in found]


def unpack(site: Path, name: str, points: dict[str, str], modules: dict[str, str]) -> Path:
    """A package as an installer leaves it: its modules, and what is known of it."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = "".join(f"[pokermodel.{group}]\n{module.split('.')[-1]} = {module}\n" for group, module in points.items())
    (info / "entry_points.txt").write_text(groups)
    (site / name).mkdir()
    for module, text in {"__init__": "", **modules}.items():
        (site / name / f"{module}.py").write_text(text)
    return site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The package homegame, as if it were installed."""
    folder = tmp_path_factory.mktemp("site")
    modules = {path.stem: path.read_text() for path in (HOME / "homegame").glob("*.py")}
    points = {group: f"homegame.{group}" for group in ("players", "readers", "histories", "statistics")}
    return unpack(folder, "homegame", points, modules)


@pytest.fixture
def evening(tmp_path):
    path = tmp_path / "evening.kitchen"
    path.write_text(EVENING)
    return path


FOUND = """
import sys
import pokermodel as pm
from pokermodel.histories import formats
from pokermodel.tables.players import kinds, make_player
from pokermodel.reading import reader_kinds

def theirs():
    return sorted(name for name in sys.modules if name.startswith("homegame."))

pm.OpponentModeler("adaptive"), make_player("call"), list(pm.example_hand().replay())
print(theirs())
print(make_player("rock?at_least=.5").at_least, theirs())
print(pm.OpponentModeler("straightforward?honesty=.9").reader.honesty, theirs())
source = pm.open_hands(sys.argv[1], strict=False)
print(source.format, [(hand.id, hand.payoffs) for hand in source], len(source.skipped), theirs())
print(list(kinds())[-1], list(reader_kinds())[-1], formats()["kitchen"])
try:
    make_player("pebble")
except ValueError as error:
    print(str(error)[-6:])
"""


def test_all_three_are_found_when_they_are_needed(site, evening):
    assert run(evening, site=site, code=FOUND).stdout.splitlines() == [
        "[]",
        "0.5 ['homegame.players']",
        "0.9 ['homegame.players', 'homegame.readers']",
        "kitchen [('1', (20.0, -20.0)), ('3', (-5.0, 5.0))] 1 "
        "['homegame.histories', 'homegame.players', 'homegame.readers']",
        "rock straightforward notes of a kitchen table",
        ", rock",
    ]


@pytest.mark.slow
def test_commands_find_them_once_the_package_is_installed(tmp_path, evening):
    project = shutil.copytree(HOME, tmp_path / "project")
    site = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--target", str(site), str(project)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(run("tournament", "--players", "rock,call", "--deals", 3, "--json", site=site).stdout)
    assert [player["name"] for player in result["players"]] == ["rock", "call"]
    said = run("list", evening, site=site)
    assert [line.split()[1].rstrip(";") for line in said.stdout.splitlines()] == ["id", "1", "3", "hands"]
    assert f"once: {evening}:3: hand 2: not a hand of two players: 'x'" in said.stderr
    report = json.loads(
        run("read", evening, "--model", "straightforward?honesty=.9", "--hand", 1, "--json", site=site).stdout
    )
    assert report["model"] == "straightforward?honesty=.9"
    assert "rock" in run("tournament", "--help", site=site).stdout


def test_a_statistic_is_counted_shown_and_kept(site, tmp_path):
    """A book shows it where the package is there, and all others as they were where it is not."""
    book, hands, nowhere = tmp_path / "book", tmp_path / "hands.phh", tmp_path / "nowhere"
    hands.write_text(pm.example_hand().to_phh())
    nowhere.mkdir()
    learn = "learn", hands, "--book", book, "--for", "statistics"
    profile = "profile", "Carmen", "--book", book
    page = tmp_path / "carmen.html"
    (learnt, _), (shown, _) = run_all(learn, (*profile, "--json"), site=nowhere)
    assert "to be learnt again" not in learnt
    before = json.loads(shown)
    assert "open_limp" not in before["statistics"]
    (first, _), (_, lacking), (again, _), (shown, _), *others = run_all(
        *((*profile, "--json"), (*profile, "--all"), learn, (*profile, "--json"), (*profile, "--all")),
        *((*profile, "--by", "position", "--all"), ("profile", "--book", book, "--out", "-.csv")),
        *((*profile, "--out", page), ("book", "check", book)),
        site=site,
    )
    assert json.loads(first) == {**before, "to_learn_again": ["open_limp"]}
    assert lacking.startswith("not counted in all hands, and to be learnt again: Limp (pokermodel learn FILES")
    assert "0 new, 1 known already" in again
    after = json.loads(shown)
    assert after["to_learn_again"] == []
    *_, last = after["statistics"]
    assert last == "open_limp"
    assert after["statistics"]["open_limp"]["denominator"] == 1
    assert {key: after["statistics"][key] for key in before["statistics"]} == before["statistics"]
    for (text, _), expected in zip(others, ("Limp", "Limp", "open_limp,", "", "sound"), strict=True):
        assert expected in text
    assert "Limp" in page.read_text()
    # and without the package
    (shown, _), (checked, _) = run_all((*profile, "--json"), ("book", "check", book), site=nowhere)
    assert json.loads(shown) == before
    assert "sound" in checked


BROKEN = {
    "players": "from pokermodel.tables.players import Kind, Player, register\n"
    "register(Kind('half', Player))\nimport nowhere\n",
    "readers": "raise SystemExit(3)\n",
    "histories": "def (\n",
    "statistics": "from pokermodel.learning.definitions import Statistic, register\n"
    "register(Statistic('odd', 'Odd', 'odd', 'luck > 3', 'raises', (0,)))\n",
}


def test_a_broken_package_costs_a_line(tmp_path, evening):
    site = unpack(tmp_path, "broken", {group: f"broken.{group}" for group in BROKEN}, BROKEN)
    missing = "Warning: package broken 1.0 cannot be used (entry point {0} of pokermodel.{0}): {1}"
    said = run("tournament", "--players", "call,half", "--deals", 2, site=site, status=2).stderr.splitlines()
    assert said[0] == missing.format("players", "ModuleNotFoundError: No module named 'nowhere'")
    assert said[1].startswith("Error: unknown player 'half': expected one of ")
    assert len(said) == 2
    said = run("list", evening, "--json", site=site, status=2).stderr.splitlines()
    assert said[0].startswith(missing.format("histories", "SyntaxError: "))
    assert not any("Traceback" in line for line in said)
    book = tmp_path / "book"
    hands = tmp_path / "hands.phh"
    hands.write_text(pm.example_hand().to_phh())
    said = run("learn", hands, "--book", book, "--for", "statistics", site=site).stderr
    reason = "ValueError: the statistic 'odd': opportunity: 'luck > 3': unknown word 'luck': expected one of street, "
    assert missing.format("statistics", reason) in said
    said = run("score", "--help", site=site)
    assert said.stderr.splitlines() == [missing.format("readers", "SystemExit: 3")]
    assert "loki2:som" in said.stdout


def test_names_that_are_taken_stay(tmp_path):
    modules = {
        "players": "from pokermodel.tables.players import Kind, Player, register\n"
        "register(Kind('call', Player))\nregister(Kind('rock', Player))\n",
        "histories": "from pokermodel.histories import HistoryFormat, register\n"
        "register(HistoryFormat('phh', 'mine', lambda head, name: True, lambda *args, mark: iter(())))\n",
    }
    site = unpack(tmp_path, "greedy", {group: f"greedy.{group}" for group in modules}, modules)
    unpack(site, "late", {"players": "late.players"}, {"players": modules["players"]})
    code = """
import warnings
from pokermodel.tables.players import kinds
from pokermodel.tables.players.simple import AlwaysCall
from pokermodel.histories import formats
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    known = kinds()
    print(known["call"].make is AlwaysCall, "rock" in known, formats()["phh"])
for each in said:
    print(each.category.__name__, each.message)
"""
    first, *said = run(site=site, code=code).stdout.splitlines()
    assert first == "True True PHH (.phh, .phhs)"
    theirs = sorted(line for line in said if "'rock'" in line)
    ours = sorted(line for line in said if "'rock'" not in line)
    assert ours == [
        "PluginWarning history format 'phh' of package greedy 1.0 is not used: pokermodel has one of this name",
        "PluginWarning player 'call' of package greedy 1.0 is not used: pokermodel has one of this name",
        "PluginWarning player 'call' of package late 1.0 is not used: pokermodel has one of this name",
    ]
    (line,) = theirs
    assert "is not used: package " in line


WILD = """
from pokermodel.histories import HistoryFormat, register

def hands(path, file, skipped=None, *, mark=None):
    raise RuntimeError("out of order")
    yield

register(HistoryFormat("moody", "moods", lambda head, name: 1 / 0, hands))
register(HistoryFormat("wild", "wild notes", lambda head, name: head.startswith(b"WILD"), hands))
"""


def test_formats_that_fail_are_named(tmp_path):
    site = unpack(tmp_path, "wild", {"histories": "wild.histories"}, {"histories": WILD})
    path = tmp_path / "x.txt"
    path.write_text("WILD\n")
    (tmp_path / "y.txt").write_text("nothing known\n")
    said = run("list", path, tmp_path / "y.txt", site=site, status=2).stderr
    what = "history format 'moody' of package wild 1.0 cannot tell what {} is: ZeroDivisionError: division by zero"
    assert [line for line in said.splitlines() if line.startswith("Warning")] == [
        f"Warning: {what.format(name)}" for name in ("x.txt", "y.txt")
    ]
    assert "history format 'wild' of package wild 1.0 failed: RuntimeError: out of order" in said
    assert "; moods, wild notes" in said


def test_registering_by_hand(monkeypatch):
    from pokermodel import histories

    registry = histories.registry._REGISTRY
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))
    form = histories.HistoryFormat("mine", "my notes", lambda head, name: False, lambda *args, mark: iter(()))
    histories.register(form)
    assert histories.formats()["mine"] == "my notes"
    with pytest.raises(ValueError, match="the history format 'mine' is registered already"):
        histories.register(form)
    with pytest.raises(ValueError, match="the history format 'irc' is registered already"):
        histories.register(histories.HistoryFormat("irc", "", form.sniff, form.hands))
    with pytest.raises(ValueError, match="'a b' is not a valid name"):
        histories.register(histories.HistoryFormat("a b", "", form.sniff, form.hands))


FAILING_READERS = """
import numpy as np
from pokermodel.reading import Expectation, Reader, ReaderKind, register

class Failing(Reader):
    def __init__(self, how):
        self.how = how

    def expect(self, spot):
        if self.how == "raises":
            return {}["no such thing"]
        if self.how == "refuses":
            return int("a lot")
        if self.how == "nothing":
            return None
        return Expectation.of(np.full((1326, 3), float(self.how)), spot.weights)

for how in ("raises", "refuses", "nothing", "nan", "-1"):
    register(ReaderKind(how, lambda known, how=how: Failing(how), "fails", {}))
"""


FAILURES = [*itertools.product(("read", "study"), ("raises", "refuses", "nothing", "nan", "-1"))]


@pytest.fixture(scope="module")
def failed(tmp_path_factory):
    """What commands say and end with, by their names and readers: all in one process, in which any may fail."""
    folder = tmp_path_factory.mktemp("failed")
    site = unpack(folder, "faults", {"readers": "faults.readers"}, {"readers": FAILING_READERS})
    hand = folder / "hand.phh"
    hand.write_text(pm.example_hand().to_phh())
    commands = [(command, hand, "--model", model, "--hero", "Eve") for command, model in FAILURES]
    return dict(zip(FAILURES, ended(*commands, site=site), strict=True))


@pytest.mark.parametrize(
    ("model", "status", "words"),
    [
        ("raises", 70, "a defect of package faults 1.0 (readers.py, line 11) ends pokermodel {}: KeyError: 'no such"),
        ("refuses", 2, "package faults 1.0 (readers.py, line 13): invalid literal for int() with base 10: 'a lot'"),
        ("nothing", 2, "Failing.expect returned None: expected an Expectation"),
        ("nan", 2, "triples forecast [nan, nan, nan]: expected finite probabilities, 0 or more"),
        ("-1", 2, "triples forecast [-1.0, -1.0, -1.0]: expected finite probabilities, 0 or more"),
    ],
)
@pytest.mark.parametrize("command", ["read", "study"])
def test_reader_that_fails(failed, command, model, status, words):
    """A reader that raises, or returns what is no forecast, ends a command in one line that names its package."""
    out, errors, code = failed[command, model]
    assert (out, code) == ("", status)
    assert len(errors.splitlines()) == 1
    assert words.format(command) in errors
