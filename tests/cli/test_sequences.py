"""Commands in any order over files that grow, change and move: each prints what a fresh run on a copy prints.

A copy has the same files and nothing else: no index, no journal, no book. What a command remembers between two runs may
save time, and may change nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, multiple, rule

from pokermodel import journal
from pokermodel._support.version import release
from pokermodel.analysis import book_study, book_verdicts
from pokermodel.cli.main import cli
from pokermodel.histories import index
from tests.common import studied

F, C, R = studied.F, studied.C, studied.R
NUMBERS = range(10, 19)
FILES = ("a.phhs", "b.phhs", "deep/c.phhs")
SPOTS = ("1.toml", "2.toml")
BOOK, JOURNAL, SOLVED = "players.db", "study.journal", "solve.journal"
TIMES = re.compile(r'"(?:seconds|key|[a-z_]*before)": [^,}]*')  # a key has the path in it
COPIES: dict[tuple[object, ...], str] = {}  # what fresh runs have printed


def hand(number: int) -> Any:
    """One of nine hands whose texts are equally long; their decisions, if there are any, are counted out."""
    opened, shoved = 200 + number, 2980 + number
    acts = {
        0: [(2, R, opened), (0, F, None), (1, R, shoved), (2, F, None)],
        1: [(2, R, opened), (0, F, None), (1, F, None)],
        2: [(2, F, None), (0, F, None)],
    }[number % 3]
    cards = {2: ("AsAh", "KsKh", "7c2s")[number % 2]} if number % 3 == 0 else None
    return studied.hand(number, acts, "", cards, (10_000, shoved, 10_000))


def text_of(numbers: list[int]) -> bytes:
    texts = [studied.phh.dumps(hand(number)) for number in numbers]
    return "".join(f"[{place}]\n{text}\n" for place, text in enumerate(texts, 1)).encode()


def spot(pot: int) -> str:
    return f'board = "QsJh2h8c3d"\npot = {pot}\nstack = 300\nranges = ["JJ, T9s", "AA, QJs"]\nbets = ["100%"]\n'


class Killed(BaseException):
    """The process ends here, whatever it was doing."""


@contextmanager
def at_line(number: int, happens: Callable[[Path, str], None]) -> Iterator[None]:
    """Have something happen in place of the write of a line of a journal, counted from 1."""
    write, left = journal.append_text, [number]

    def append(path: Path, text: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            happens(path, text)
        else:
            write(path, text)

    with patch.object(journal, "append_text", append):
        yield


class Commands(RuleBasedStateMachine):
    """A folder of histories and spots, with what commands leave beside it."""

    hands = Bundle("hands")  # files with histories

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.root = Path(self.folder.name).resolve() / "home"
        (self.root / "in").mkdir(parents=True)
        self.copies = 0
        self.learnt: list[str] = []
        self.patches = [
            patch.object(os, "fsync", lambda descriptor: None),
            patch.object(index, "_LEAST", 2),
            patch.object(index, "_EVERY", 1),
            patch.object(index, "_SETTLED", 0.02),
        ]
        for each in self.patches:
            each.start()

    def teardown(self) -> None:
        if self.learnt:
            self.sample()
        if any(self.path(name).exists() for name in FILES):
            self.study()
        for each in self.patches:
            each.stop()
        self.folder.cleanup()

    # ------------------------------------------------------------------------------------------------- running

    def run(self, *arguments: str, root: Path | None = None) -> str:
        """Run a command in a folder; what it prints, with the exit status and without the folder's name."""
        root = root or self.root
        words = [word.format(root=root) for word in arguments]
        with patch.dict(os.environ, {"POKERMODEL_CACHE": str(root / "cache"), "POKERMODEL_HOME": str(root / "user")}):
            result = CliRunner().invoke(cli, words)
        assert isinstance(result.exception, (type(None), SystemExit, ValueError, OSError)), result.exception
        error = "" if result.exception is None else f"{type(result.exception).__name__}: {result.exception}"
        return TIMES.sub("", f"{result.exit_code}\n{error}\n{result.output}".replace(str(root), "ROOT"))

    def fresh(self, *arguments: str) -> str:
        """Run a command on a copy of the files alone."""
        source = self.root / "in"
        content = sorted(
            (str(path.relative_to(source)), path.read_bytes()) for path in source.rglob("*") if path.is_file()
        )
        key = arguments, tuple(content)
        if key not in COPIES:
            self.copies += 1
            root = self.root.parent / f"copy{self.copies}"
            shutil.copytree(source, root / "in")
            COPIES[key] = self.run(*arguments, root=root)
        return COPIES[key]

    def settle(self) -> None:
        """Wait until a change of a file shows in its time."""
        time.sleep(0.03)

    # --------------------------------------------------------------------------------------------------- files

    def path(self, name: str) -> Path:
        return self.root / "in" / name

    @rule(target=hands, name=st.sampled_from(FILES), numbers=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=4))
    def write(self, name: str, numbers: list[int]) -> Any:
        known = self.path(name).exists()
        self.path(name).parent.mkdir(exist_ok=True)
        self.path(name).write_bytes(text_of(numbers))
        return multiple() if known else name

    @rule(name=hands, number=st.sampled_from(NUMBERS))
    def append(self, name: str, number: int) -> None:
        content = self.path(name).read_bytes()
        place = content.count(b"\n[") + content.startswith(b"[") + 1
        with self.path(name).open("ab") as file:
            file.write(text_of([number]).replace(b"[1]", b"[%d]" % place, 1))

    @rule(name=hands, numbers=st.lists(st.sampled_from(NUMBERS), max_size=3))
    def edit(self, name: str, numbers: list[int]) -> None:
        """Put other hands in the place of those of a file, which keeps its size and its time of change."""
        self.list_file(name)
        path = self.path(name)
        before, content = path.stat(), text_of(numbers)
        assume(len(content) + 2 <= before.st_size)
        self.settle()
        path.write_bytes(b"#%s\n%s" % (b"-" * (before.st_size - len(content) - 2), content))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        for number in (1, 2, 3):
            self.read_one(name, number)

    @rule(name=hands, share=st.floats(0, 1))
    def truncate(self, name: str, share: float) -> None:
        content = self.path(name).read_bytes()
        self.path(name).write_bytes(content[: int(share * len(content))])

    @rule(target=hands, name=consumes(hands), new=st.sampled_from(FILES))
    def move(self, name: str, new: str) -> Any:
        known = name != new and self.path(new).exists()
        self.path(new).parent.mkdir(exist_ok=True)
        self.path(name).replace(self.path(new))
        return multiple() if known else new

    @rule(name=st.sampled_from(SPOTS), pot=st.sampled_from([100, 150, 200]))
    def write_spot(self, name: str, pot: int) -> None:
        self.path("spots").mkdir(exist_ok=True)
        self.path(f"spots/{name}").write_text(spot(pot))

    # ------------------------------------------------------------------------------------------------ commands

    @rule(name=hands)
    def list_file(self, name: str) -> None:
        self.settle()
        command = "list", f"{{root}}/in/{name}", "--json"
        assert self.run(*command) == self.fresh(*command)

    @rule()
    def list_all(self) -> None:
        self.settle()
        command = "list", "{root}/in", "--json"
        assert self.run(*command) == self.fresh(*command)

    @rule(name=hands, number=st.integers(1, 5))
    def read_one(self, name: str, number: int) -> None:
        self.settle()
        command = "read", f"{{root}}/in/{name}", "--hand", str(number), "--json", "--model", "uniform"
        assert self.run(*command) == self.fresh(*command)

    @rule(name=hands, number=st.sampled_from(NUMBERS))
    def read_by_identity(self, name: str, number: int) -> None:
        self.settle()
        command = "read", f"{{root}}/in/{name}", "--where", f"id={number}", "--json", "--model", "uniform"
        assert self.run(*command) == self.fresh(*command)

    STUDY = "study", "{root}/in", "--hero", "Hero", "--fast", "--json"
    SOLVE = "solve", "{root}/in/spots", "--json", "--target", "2"

    def resumed(self, command: tuple[str, ...], name: str) -> tuple[str, ...]:
        return (*command, "--resume", f"{{root}}/{name}")

    @rule()
    def study(self) -> None:
        assert self.run(*self.resumed(self.STUDY, JOURNAL)) == self.fresh(*self.STUDY)

    @rule()
    def solve(self) -> None:
        assume(self.path("spots").exists())
        assert self.run(*self.resumed(self.SOLVE, SOLVED)) == self.fresh(*self.SOLVE)

    @rule(solves=st.booleans(), line=st.integers(1, 3), share=st.floats(0, 1))
    def kill(self, solves: bool, line: int, share: float) -> None:
        """A run ends while it writes a line of its journal."""

        def die(path: Path, text: str) -> None:
            with path.open("a") as file:
                file.write(text[: int(share * len(text))])
            raise Killed

        assume(not solves or self.path("spots").exists())
        command = self.resumed(self.SOLVE, SOLVED) if solves else self.resumed(self.STUDY, JOURNAL)
        with at_line(line, die), suppress(Killed):
            self.run(*command)

    @rule(line=st.integers(1, 2))
    def study_twice_at_once(self, line: int) -> None:
        """A second run with the same journal begins and ends while the first one is at work."""

        def other(path: Path, text: str) -> None:
            assert self.run(*self.resumed(self.STUDY, JOURNAL)) == self.fresh(*self.STUDY)
            with path.open("a") as file:
                file.write(text)

        with at_line(line, other):
            assert self.run(*self.resumed(self.STUDY, JOURNAL)) == self.fresh(*self.STUDY)

    @rule()
    def study_with_another_version(self) -> None:
        """Another revision of the adviser takes over no result; the same one takes over all."""
        judge, other = book_study.judge, f"other-{JOURNAL}"
        (self.root / other).unlink(missing_ok=True)
        counts = []
        for revision in (-1, -1, -2):
            with (
                patch.object(book_verdicts, "revision", lambda revision=revision: str(revision)),
                patch.object(book_study, "judge", wraps=judge) as judging,
            ):
                self.run(*self.resumed(self.STUDY, other))
            counts.append(judging.call_count)
        assert counts[1:] == [0, counts[0]]

    @rule()
    def list_with_another_version(self) -> None:
        """Another version takes over no index."""
        with patch.object(index, "release", lambda: f"{release()}.other"):
            self.list_all()

    @rule(name=hands)
    def learn(self, name: str) -> None:
        """Files that a book has learnt, in the order in which it got them, whole or in parts."""
        path = self.path(name)
        command = "learn", "{root}/seen/%d", "--book", f"{{root}}/{BOOK}", "--json"
        seen = self.root / "seen"
        seen.mkdir(exist_ok=True)
        place = len(self.learnt)
        shutil.copy(path, seen / f"{place}.phhs")
        self.learnt.append(path.name)
        self.run(command[0], f"{{root}}/seen/{place}.phhs", *command[2:])
        root = self.root.parent / f"book{place}"
        shutil.copytree(seen, root / "seen")
        for number in range(place + 1):
            self.run(command[0], f"{{root}}/seen/{number}.phhs", *command[2:], root=root)
        profile = "profile", "Hero", "--book", f"{{root}}/{BOOK}", "--json"
        assert self.run(*profile) == self.run(*profile, root=root)

    @rule()
    def sample(self) -> None:
        """Samples are never written among files, or into a book, that were there before."""
        (self.root / "cash.phhs").write_bytes(text_of([NUMBERS[0]]))
        before = contents(self.root)
        result = self.run("sample", "{root}")
        assert not result.startswith("0\n")
        assert contents(self.root) == before
        (self.root / "cash.phhs").unlink()
        if (self.root / BOOK).exists():
            before = contents(self.root)
            assert not self.run("sample", "{root}").startswith("0\n")
            assert contents(self.root) == before


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "cache" not in path.relative_to(root).parts
    }


TestCommands = Commands.TestCase
TestCommands.settings = settings(max_examples=6, stateful_step_count=12, deadline=None)


@pytest.mark.slow
class TestLongerSequences(Commands.TestCase):
    settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
