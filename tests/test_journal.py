"""Journals: whole after a kill at any instant, and never those of another run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pokermodel.executors import Processes
from pokermodel.journal import Finished, Journal, digest, map_items
from tests.common.faults.runs import killed


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk: the tests write thousands of lines."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


OPTIONS = {"seed": 1, "hero": "Zoë", "blinds": [1, 2]}


def begun(path: Path, **options: object) -> Journal:
    return Journal(path, "study", OPTIONS | options)


def filled(path: Path, results: dict[str, object]) -> Journal:
    journal = begun(path)
    for key, result in results.items():
        journal.add(key, result)
    return journal


def results_of(journal: Journal) -> dict[str, object]:
    return {key: journal.find(key) for key in journal}


RESULTS: dict[str, object] = {"a": 1.5, "b": {"name": "Zoë\n", "net": [0.1, None]}, "c": [], "d": "x" * 50}


def test_what_was_added_is_found_when_the_journal_is_opened_again(tmp_path):
    path = tmp_path / "run.journal"
    for journal in (filled(path, RESULTS), begun(path)):
        assert list(results_of(journal).items()) == list(RESULTS.items())
        assert len(journal) == 4
        assert "b" in journal
        assert journal.find("b") == RESULTS["b"]
        assert journal.find("e") is None
    assert Journal.read_options(path) == OPTIONS
    journal.add("a", 2)
    assert begun(path).find("a") == 2


def test_a_kill_at_any_instant_leaves_whole_lines(tmp_path):
    """The file is cut at every length; what was whole by then is there, and the run goes on."""
    path = tmp_path / "run.journal"
    filled(path, RESULTS)
    content = path.read_bytes()
    ends = [k + 1 for k, byte in enumerate(content) if byte == ord("\n")]
    for size in range(len(content) + 1):
        path.write_bytes(content[:size])
        journal = begun(path)
        whole = max(0, sum(end <= size for end in ends) - 1)
        assert results_of(journal) == dict(list(RESULTS.items())[:whole])
        for key, result in list(RESULTS.items())[whole:]:
            journal.add(key, result)
        assert path.read_bytes() == content


def test_damage_is_one_line_that_names_the_file_and_the_line(tmp_path):
    """Of any byte before the last line, which may have been half written when the system went down."""
    path = tmp_path / "run.journal"
    filled(path, RESULTS)
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    for at in range(len(content) - len(lines[-1]) - 1):
        damaged = bytearray(content)
        damaged[at] ^= 1
        path.write_bytes(damaged)
        line = content[:at].count(b"\n") + 1
        expected = (
            r"run\.journal is no journal.*first line is damaged" if line == 1 else rf"run\.journal, line {line}: "
        )
        with pytest.raises(ValueError, match=expected) as raised:
            begun(path)
        assert "\n" not in str(raised.value)
        assert path.read_bytes() == damaged
    path.write_bytes(content[:-3] + b"\0\0\n")
    assert list(begun(path)) == ["a", "b", "c"]


@pytest.mark.parametrize("text", ["my notes\n", "my notes", "{}\n", "\n", "[1]\n\n", "\0\0\n" * 9])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(ValueError, match="notes is no journal that --resume has written"):
        begun(path)
    assert path.read_text() == text
    assert Journal.read_options(path) == {}
    assert Journal.read_options(tmp_path / "none") == {}
    with pytest.raises(ValueError, match="no ordinary file"):
        begun(tmp_path)


def test_the_journal_of_another_run_is_refused_with_what_differs(tmp_path):
    path = tmp_path / "run.journal"
    filled(path, RESULTS)
    with pytest.raises(ValueError, match=r"is the journal of another study: its seed is 1, expected 2$"):
        begun(path, seed=2)
    with pytest.raises(ValueError, match="its fast is None, expected True"):
        begun(path, fast=True)
    with pytest.raises(ValueError, match=r"its blinds is \[1, 2\], expected None"):
        Journal(path, "study", {"seed": 1, "hero": "Zoë"})
    with pytest.raises(ValueError, match="is the journal of another kind of run: study, not tournament"):
        Journal(path, "tournament", OPTIONS)
    begun(path, blinds=(1, 2))  # as JSON has it


def test_what_cannot_be_added(tmp_path):
    journal = begun(tmp_path / "run.journal")
    for key in ("", "two words", "line\n", "ä"):
        with pytest.raises(ValueError, match="visible letters"):
            journal.add(key, 1)
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal.add("a", float("nan"))
    assert len(begun(journal.path)) == 0


def test_a_result_that_cannot_be_written_leaves_the_journal_as_it_was(tmp_path, monkeypatch):
    journal = filled(tmp_path / "run.journal", {"a": 1})

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=r"No space left.*run\.journal"):
            journal.add("b", 2)
    assert "b" not in journal
    assert results_of(begun(journal.path)) == {"a": 1}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused_in_one_line(content):
    with TemporaryDirectory() as folder:
        path = Path(folder, "run.journal")
        path.write_bytes(content)
        try:
            found = len(begun(path))
        except ValueError as error:
            lines = str(error).splitlines()
        else:
            assert not found
            lines = ["none"]
        assert len(lines) == 1


class Runs(RuleBasedStateMachine):
    """A journal beside a dictionary, while the process ends, and while lines are cut and damaged."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name, "run.journal")
        self.journal = begun(self.path)
        self.lines: list[tuple[str, object]] = []
        self.sizes = [self.path.stat().st_size]

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(
        key=st.sampled_from("abcdef"),
        result=st.recursive(st.none() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
                            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5),
    )  # fmt: skip
    def add(self, key: str, result: object) -> None:
        self.journal.add(key, result)
        self.lines.append((key, result))
        self.sizes.append(self.path.stat().st_size)

    @rule()
    def open_again(self) -> None:
        self.journal = begun(self.path)

    @precondition(lambda self: self.lines)
    @rule(data=st.data())
    def cut(self, data: st.DataObject) -> None:
        size = data.draw(st.integers(self.sizes[0], self.sizes[-1]))
        with self.path.open("r+b") as file:
            file.truncate(size)
        self.journal = begun(self.path)
        self.sizes = [each for each in self.sizes if each <= size]
        self.lines = self.lines[: len(self.sizes) - 1]

    @precondition(lambda self: len(self.lines) > 1)
    @rule(data=st.data())
    def damage(self, data: st.DataObject) -> None:
        """Anywhere before the last line; it is mended again."""
        at = data.draw(st.integers(0, self.sizes[-2] - 2))
        content = bytearray(self.path.read_bytes())
        content[at] ^= data.draw(st.integers(1, 255))
        good = self.path.read_bytes()
        self.path.write_bytes(content)
        with pytest.raises(ValueError, match=r"run\.journal"):
            begun(self.path)
        self.path.write_bytes(good)

    @invariant()
    def has_what_was_added(self) -> None:
        assert results_of(self.journal) == dict(self.lines)
        assert self.path.stat().st_size == self.sizes[-1]


TestRuns = Runs.TestCase
TestRuns.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


# ------------------------------------------------------------------------------------------ items by an executor


def squared(number: int) -> list[int]:
    return [number, number * number]


def mapped(journal: Journal | None, numbers: object, jobs: int = 1) -> list[Finished[list[int]]]:
    return list(map_items(journal, Processes(jobs), squared, numbers, str))


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_that_are_finished_are_not_done_again(tmp_path, jobs):
    path = tmp_path / "run.journal"
    journal = filled(path, {"3": "three", "4": "four", "7": "seven"})
    found = mapped(journal, range(1, 9), jobs)
    known = {3: "three", 4: "four", 7: "seven"}
    assert found == [Finished(known.get(k, squared(k)), k in known) for k in range(1, 9)]
    again = mapped(begun(path), range(1, 9), jobs)
    assert [each.result for each in again] == [each.result for each in found]
    assert all(each.before for each in again)
    assert [each.result for each in mapped(None, range(3), jobs)] == [[0, 0], [1, 1], [2, 4]]


def test_the_same_item_twice(tmp_path):
    found = mapped(begun(tmp_path / "run.journal"), [5, 5, 6, 5])
    assert [each.result for each in found] == [[5, 25], [5, 25], [6, 36], [5, 25]]
    assert found[-1].before


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    path = tmp_path / "run.journal"

    def interrupted(number: int) -> int:
        if number == 3:
            raise KeyboardInterrupt
        return number

    def run():
        return [each.result for each in map_items(begun(path), Processes(1), interrupted, range(5), str)]

    with pytest.raises(KeyboardInterrupt):
        run()
    assert results_of(begun(path)) == {"0": 0, "1": 1, "2": 2}


def test_what_is_known_comes_before_anything_is_computed(tmp_path):
    journal = filled(tmp_path / "run.journal", {"0": 0, "1": 1})
    computed = []
    found = map_items(journal, Processes(1), computed.append, range(4), str)
    assert [next(found).result, next(found).result] == [0, 1]
    assert not computed
    assert not next(found).before
    assert computed == [2]


def test_digests_tell_parts_apart():
    assert len(digest("a")) == 32
    assert len({digest("a", "b"), digest("ab"), digest("a", b"c"), digest("b", "a"), digest("\ud800")}) == 5
    assert digest("a") == digest(b"a")
    assert json.dumps(digest())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kind", ["study", "solve"])
def test_a_run_that_is_killed_goes_on_and_ends_with_the_same_results(kind, tmp_path):
    assert killed(kind, tmp_path, 4) >= 4
