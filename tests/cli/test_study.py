"""``pokermodel study``."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.analysis import book_study
from pokermodel.cli.main import cli, main
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.solving import Solution
from tests.common import studied
from tests.common.desk import lay
from tests.library.test_session_starts import dated


def run(*args):
    return CliRunner().invoke(cli, ["study", *map(str, args)])


@pytest.fixture
def file(tmp_path):
    return studied.write(tmp_path / "session.phhs")


def test_from_a_file_to_a_page(file, tmp_path):
    page = tmp_path / "study.html"
    result = run(file, "--hero", "Hero", "--fast", "--out", page, "--worst", 2)
    assert result.exit_code == 0, result.output
    assert "4 hands" in result.stdout
    assert "folded too much" in result.stdout
    assert "hand 1, action 4: Big mistake: folding lost" in result.stdout
    assert f"page written to {page}" in result.stderr
    whole = pm.study(studied.HANDS, hero="Hero")
    assert page.read_text().count('class="verdict"') == len(whole.worst(2)) + len(whole.probable(2))


def test_json_csv_and_parquet_have_every_decision(file, tmp_path):
    rows = tmp_path / "study.csv"
    state = tmp_path / "state"
    result = run(file, "--hero", "Hero", "--fast", "--json", "--out", rows, "--resume", state)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["hands"] == 4
    assert found["without_cards"] == 1
    listed = list(csv.DictReader(io.StringIO(rows.read_text())))
    assert len(listed) == len(found["decisions"])
    assert [float(row["lost"]) for row in listed] == [each["lost"] for each in found["decisions"]]
    again = run(file, "--hero", "Hero", "--fast", "--json", "--resume", state)
    assert json.loads(again.stdout) == found
    text = state.read_text()
    state.write_text(text[:-40])  # interrupted in the middle of a line
    assert json.loads(run(file, "--hero", "Hero", "--fast", "--json", "--resume", state).stdout) == found
    assert state.read_text() == text
    other = run(file, "--hero", "Hero", "--fast", "--json", "--resume", state, "--seed", 1)
    assert other.exit_code
    assert "is the journal of another study: its seed is 0, expected 1" in str(other.exception)
    arrow = pytest.importorskip("pyarrow.parquet")
    table = tmp_path / "study.parquet"
    assert run(file, "--hero", "Hero", "--fast", "--resume", state, "--out", table).exit_code == 0
    assert arrow.read_table(table).num_rows == len(listed)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--hero", "Nobody"], "nothing to study: no hand fits 'hero=Nobody', or none has a hero"),
        (["--json", "--out", "-.csv"], "both write"),
        (["--hero", "Hero", "--out", "/nowhere/at/all.html"], "no folder"),
    ],
)
def test_what_cannot_be_studied(file, args, words):
    result = run(file, "--fast", *args)
    assert result.exit_code
    assert words in result.output


def test_what_is_said_of_a_hand_does_not_depend_on_which_are_selected(tmp_path):
    """Players are learnt from all hands of earlier sessions."""
    lay(tmp_path)
    hands = (tmp_path / "no-limit.txt").read_text(encoding="utf-8").split("\n\n\n")
    some = dated([each for each in hands if "*** FLOP" in each][:3], [0, 60, 61])
    file = tmp_path / "three.txt"
    file.write_text("".join(some), encoding="utf-8")

    def of_the_last(*options):
        found = json.loads(run(file, "--fast", "--json", *options).stdout)
        return [each for each in found["decisions"] if each["number"] == 3]

    (number,) = re.findall(r"Hand #(\d+)", some[2])
    selected = of_the_last("--where", f"id={number}")
    assert {each["hands"] for one in selected for each in one["opponents"]} != {0}
    assert selected == of_the_last()


def test_a_session_that_grows_is_studied_as_if_it_had_always_been_so_long(tmp_path):
    """Finished hands are known by all that they depend on, and not by where they are."""
    state = tmp_path / "session.journal"
    command = "--hero", "Hero", "--fast", "--json"
    hands = [studied.hand(k, [(2, studied.F, None), (0, studied.F, None)], cards={2: "7c2s"}) for k in range(5)]
    file = studied.write(tmp_path / "session.phhs", hands[:3])
    assert json.loads(run(file, *command, "--resume", state).stdout)["hands"] == 3
    studied.write(file, hands)
    grown = run(file, *command, "--resume", state)
    assert json.loads(grown.stdout)["hands"] == 5
    assert grown.stdout == run(file, *command).stdout


def test_options_that_select_no_hand_say_so(file):
    result = run(file, "--hero", "Hero", "--fast", "--where", "size>=1000000")
    assert result.exit_code
    assert "no hand fits 'hero=Hero size>=1000000', or none has a hero" in result.output


def test_ctrl_c_ends_a_study_and_no_verdict_is_kept_that_was_not_finished(tmp_path, monkeypatch, capsys):
    """A solution ends at an interrupt with what there is by then, which is no verdict."""
    file = studied.write(tmp_path / "session.phhs", (studied.RIVER,))
    state = tmp_path / "state"
    command = ["study", str(file), "--hero", "Hero", "--fast", "--json", "--resume", str(state)]

    def interrupted(self, iterations):
        raise KeyboardInterrupt

    monkeypatch.setattr(Solution, "learn", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 130
    said = capsys.readouterr()
    assert said.out == ""
    line = f"Aborted: {state} keeps what is done, and the same command goes on from there."
    assert said.err.split("\n") == [line, ""]
    monkeypatch.undo()
    again = run(*command[1:])
    assert again.exit_code == 0
    assert json.loads(again.stdout) == json.loads(run(*command[1:-2]).stdout)


def test_a_file_of_something_else_is_not_gone_on_from(file, tmp_path):
    state = tmp_path / "notes.txt"
    state.write_text("my notes\n")
    result = run(file, "--hero", "Hero", "--fast", "--resume", state)
    assert result.exit_code
    assert "is no journal" in str(result.exception)
    assert state.read_text() == "my notes\n"


def test_a_book_keeps_verdicts(tmp_path, monkeypatch):
    """A second run judges nothing, and prints the same."""
    lay(tmp_path)
    hands = (tmp_path / "no-limit.txt").read_text(encoding="utf-8").split("\n\n\n")
    some = [each for each in hands if "*** FLOP" in each][:2]
    (tmp_path / "two.txt").write_text("\n\n\n".join(some) + "\n\n\n", encoding="utf-8")
    path = tmp_path / "b.db"
    with Book(path) as book:
        update(book, tmp_path / "two.txt")
    first = run("--book", path, "--fast", "--json")
    assert first.exit_code == 0, first.output
    found = json.loads(first.output)
    assert (found["hands"], found["heroes"]) == (2, ["Robin"])
    assert {each["number"] for each in found["decisions"]} == {1, 2}
    worst = [each for each in found["decisions"] if each["word"] in ("big mistake", "mistake", "probably a mistake")]
    monkeypatch.setattr(book_study, "judge", None)
    assert run("--book", path, "--fast", "--json").output == first.output
    text = run("--book", path, "--fast", "--hero", "Robin").output
    assert "decisions: won" in text
    assert all(f"hand {each['id']}, action {each['index']}: " in text for each in worst)
    other = run("--book", path, "--fast", "--where", "hero=Robin reached>=river", "--json")
    assert json.loads(other.output)["hands"] <= 2
    assert "no hand of the book fits" in run("--book", path, "--hero", "Nobody").output
    for args, words in (
        (["--fast"], "Missing argument 'FILE...'"),
        (["--book", path, "--resume", tmp_path / "r"], "--resume is for FILE"),
        (["--book", path, "--model", "loki1"], "--model is for FILE"),
    ):
        refused = run(*args)
        assert (refused.exit_code, words in refused.output) == (2, True), refused.output
