"""Processes that follow items together give the answers of one, in order, and leave nobody behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pokermodel._support import followers
from pokermodel._support.followers import Follower, can_follow, followed
from pokermodel.errors import ClusterError
from tests.common.forks import noted_forks
from tests.common.patience import PATIENCE

pytestmark = pytest.mark.skipif(not can_follow(), reason="no processes are forked here")


class Sums(Follower[int, Any]):
    """Answers the sum of all items so far, and who found it."""

    def __init__(self) -> None:
        self.sum = 0

    def follow(self, item: int) -> None:
        self.sum += item

    def answer(self, item: int) -> Any:
        self.follow(item)
        time.sleep(item % 3 * 2e-4)
        return self.sum, os.getpid()


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Items that are answered before anybody is started."""
    monkeypatch.setattr(followers, "_ALONE", 3)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Processes that are started."""
    return noted_forks(monkeypatch)


def gone(pids: list[int]) -> bool:
    """Whether none of these processes is left, and all have been waited for."""
    for pid in pids:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        return False
    return True


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_answers_are_those_of_one_process_in_order(started: list[int], jobs: int) -> None:
    found = list(followed(range(500), Sums(), jobs))
    assert [each for each, _ in found] == [k * (k + 1) // 2 for k in range(500)]
    assert len(started) == jobs - 1
    assert {pid for _, pid in found} == {os.getpid(), *started}
    assert gone(started)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_items_start_nobody(started: list[int], count: int) -> None:
    assert len(list(followed(range(count), Sums(), 4))) == count
    assert not started


def test_who_follows_too_far_behind_leaves_all_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no time for its own items does not keep them for ever."""
    monkeypatch.setattr(followers, "_BEHIND", 0.5)
    monkeypatch.setattr(followers, "_ROOM", 50)
    found = list(followed(range(300), Sums(), 2))
    assert [each for each, _ in found] == [k * (k + 1) // 2 for k in range(300)]
    assert os.getpid() not in {pid for _, pid in found[3:]}


class Dear(Sums):
    """To follow takes nearly as long as to answer."""

    def weight(self, item: int) -> float:
        return 0.4


@pytest.mark.parametrize(("thrifty", "others"), [(True, 1), (False, 3)])
def test_who_would_follow_for_longer_than_answer_is_not_started(started: list[int], thrifty: bool, others: int) -> None:
    found = list(followed(range(100), Dear(), 4, thrifty=thrifty))
    assert found[-1][0] == sum(range(100))
    assert len(started) == others


class Weighty(Sums):
    """One that follows whatever it takes."""

    def weight(self, item: int) -> float:
        return 1.5


def test_nobody_is_started_where_to_follow_is_dearer_than_to_answer(started: list[int]) -> None:
    found = list(followed(range(50), Weighty(), 4, thrifty=True))
    assert found[-1][0] == sum(range(50))
    assert not started


@pytest.mark.parametrize("follower", [Sums, Weighty])
def test_answers_do_not_pile_up(monkeypatch: pytest.MonkeyPatch, follower: type[Sums]) -> None:
    """Items are taken as answers are, however quick they are found."""
    monkeypatch.setattr(followers, "_LOAD", 6.0)
    taken = []

    def items() -> Iterator[int]:
        for k in range(1000):
            taken.append(k)
            yield k

    found = followed(items(), follower(), 2)
    for _ in range(10):
        next(found)
    time.sleep(0.2)
    assert len(taken) <= 10 + (8 if follower is Weighty else 2 * followers._AHEAD)
    found.close()


class Wrong(Sums):
    """Cannot answer some items."""

    def answer(self, item: int) -> Any:
        if item in (70, 90):
            raise ValueError(f"what is {item}?")
        return super().answer(item)


class Clueless(Sums):
    """Cannot follow an item."""

    def follow(self, item: int) -> None:
        if item == 70:
            raise ValueError(f"what is {item}?")
        super().follow(item)


@pytest.mark.parametrize("follower", [Wrong, Clueless])
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_first_error_in_order_comes_after_all_before_it(
    started: list[int], follower: type[Sums], jobs: int
) -> None:
    found: list[Any] = []
    with pytest.raises(ValueError, match="what is 70"):
        found.extend(followed(range(200), follower(), jobs))
    assert [each for each, _ in found] == [k * (k + 1) // 2 for k in range(70)]
    assert gone(started)


def test_an_error_of_the_items_comes_after_all_answers(started: list[int]) -> None:
    def items() -> Iterator[int]:
        yield from range(40)
        raise OSError("no more")

    found: list[Any] = []
    with pytest.raises(OSError, match="no more"):
        found.extend(followed(items(), Sums(), 2))
    assert len(found) == 40
    assert gone(started)


class Unsendable(Sums):
    """Raises what cannot be pickled, or what nobody expects."""

    def __init__(self, kind: type[Exception], *said: str) -> None:
        super().__init__()
        self.kind, self.said = kind, said
        self.home = os.getpid()

    def answer(self, item: int) -> Any:
        if os.getpid() != self.home:
            raise self.kind(*self.said)
        return super().answer(item)


class LocalError(Exception):
    """Has what cannot be pickled, even by what distributed does to exceptions of a process that has imported it."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)
        self.nobody = lambda: None


def test_an_error_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(ClusterError, match="cannot be sent: LocalError: onetwo"):
        list(followed(range(100), Unsendable(LocalError, "one", "two"), 2))


def test_an_error_that_nobody_expects_says_where_it_was() -> None:
    with pytest.raises(TypeError, match="odd") as raised:
        list(followed(range(100), Unsendable(TypeError, "odd"), 2))
    assert "raise self.kind" in "".join(raised.value.__notes__)


class Lonely(Sums):
    """Cannot be opened by anybody else."""

    def __reduce__(self) -> Any:
        raise ValueError("it is mine")


def test_one_that_cannot_be_handed_on_is_told() -> None:
    with pytest.raises(ValueError, match="it is mine"):
        list(followed(range(100), Lonely(), 2))


class Large(Sums):
    """Gives answers that no line takes at once."""

    def follow(self, item: Any) -> None:
        pass

    def answer(self, item: Any) -> Any:
        return bytes([len(item) % 251]) * 3_000_000


def test_what_no_line_takes_at_once_goes_both_ways() -> None:
    """Nobody waits for the other to listen."""
    items: Iterator[Any] = (b"." * (1_000_000 + k) for k in range(30))
    found = list(followed(items, Large(), 2))
    assert [each[0] for each in found] == [(1_000_000 + k) % 251 for k in range(30)]
    assert {len(each) for each in found} == {3_000_000}


def test_where_there_is_no_room_for_another_process_this_one_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError("no room")

    monkeypatch.setattr(os, "fork", fork)
    found = list(followed(range(50), Sums(), 3))
    assert [each for each, _ in found] == [k * (k + 1) // 2 for k in range(50)]


class Mortal(Sums):
    """Ends the process that answers an item, if it is not the first."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how, self.home = how, os.getpid()

    def answer(self, item: int) -> Any:
        if os.getpid() != self.home:
            if self.how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(3)
        return super().answer(item)


@pytest.mark.parametrize(("how", "told"), [("killed", "it was killed by SIGKILL"), ("ended", "its status is 3")])
def test_a_process_that_ends_is_one_line(started: list[int], how: str, told: str) -> None:
    with pytest.raises(ClusterError, match=f"a process ended while it was at work: {told}") as ended:
        list(followed(range(100), Mortal(how), 3))
    assert "\n" not in str(ended.value)
    assert gone(started)


def test_what_is_closed_early_leaves_nobody(started: list[int]) -> None:
    found = followed(range(10_000), Sums(), 3)
    for _ in range(20):
        next(found)
    assert started
    assert not gone(started)
    begin = time.monotonic()
    found.close()
    assert time.monotonic() - begin < PATIENCE / 2
    assert gone(started)


class Hearing(Sums):
    """Answers whether Ctrl-C is heard here."""

    def answer(self, item: int) -> Any:
        time.sleep(1e-3)
        return os.getpid(), signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_the_process_of_the_user_alone_hears_ctrl_c() -> None:
    heard = dict(followed(range(100), Hearing(), 2))
    assert len(heard) == 2
    assert {pid for pid, hears in heard.items() if hears} == {os.getpid()}


ORPHANS = """
import os, time
from pokermodel._support.followers import Follower, followed

class Slow(Follower):
    def follow(self, item): pass
    def answer(self, item):
        time.sleep(.01)
        return os.getpid()

for pid in followed(range(10**9), Slow(), 3):
    print(pid, flush=True)
"""


def test_processes_end_with_the_one_that_started_them() -> None:
    process = subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen: set[int] = set()
    while len(seen) < 3:
        seen.add(int(process.stdout.readline()))
    process.kill()
    process.communicate()
    deadline = time.monotonic() + PATIENCE
    while not all(map(ended, seen)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(map(ended, seen))


def ended(pid: int) -> bool:
    """Whether a process is gone, or waits for somebody to ask how it ended."""
    try:
        with open(f"/proc/{pid}/stat") as told:
            return told.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True
