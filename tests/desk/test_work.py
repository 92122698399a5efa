"""Work in the background: what is done in which order, what stops it, and what a kill leaves."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from pokermodel.desk.work import _WORK, LOOKED_AT, REST, TODAY, Kind, Work
from pokermodel.errors import BookError
from tests.common.patience import PATIENCE

from .tasks import Kept, double, work_in

ROOT = Path(__file__).resolve().parents[2]


def wait_until(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def done(tmp_path):
    """Work that is closed at the end, with what it keeps."""
    work, kept = work_in(tmp_path)
    yield work, kept
    work.close()


def test_work_is_done(done):
    """By other processes, and each result is kept once."""
    work, kept = done
    number = work.ask("double", ["a", "b", "c"])
    assert (work.job(number).state, work.summary().waiting, work.summary().parts) == ("waiting", 1, 3)
    assert work.summary().seconds_left is None
    work.start()
    wait_until(lambda: work.job(number).state == "done")
    job = work.job(number)
    assert (job.done, job.total, job.error) == (3, 3, "")
    assert kept.results() == {"a": "aa!", "b": "bb!", "c": "cc!"}
    assert set(kept.times().values()) == {1}


@pytest.mark.skipif(not hasattr(os, "nice"), reason="POSIX alone")
def test_everything_else_comes_first(done):
    work, kept = done
    work.start()
    work.ask("nice", ["x"])
    wait_until(kept.results)
    assert int(kept.results()["x"]) == min(os.nice(0) + 19, 19)


def test_the_same_request_is_one_job(done):
    work, kept = done
    first = work.ask("double", ["a", "b"])
    assert work.ask("double", ["a", "b", "a"]) == first
    assert work.ask("double", ["a", "b"], {"seconds": 0.0}) != first
    assert work.ask("double", ["b", "a"]) != first
    work.start()
    wait_until(lambda: work.summary().done == 3)
    assert work.ask("double", ["a", "b"]) == first
    assert work.job(first).state == "done"
    Path(kept.path).unlink()
    kept.__init__(kept.path)
    assert work.ask("double", ["a", "b"]) == first  # its results have gone
    wait_until(lambda: work.job(first).state == "done")
    assert kept.results().keys() == {"a", "b"}


def test_what_is_there_already_is_not_done(done):
    work, kept = done
    kept.keep("a", {}, "there")
    assert work.job(work.ask("double", ["a"])).state == "done"
    number = work.ask("double", ["a", "b"])
    assert (work.job(number).done, work.job(number).total) == (1, 2)
    work.start()
    wait_until(lambda: work.job(number).state == "done")
    assert kept.results() == {"a": "there", "b": "bb!"}


def test_the_most_urgent_part_is_next(tmp_path):
    """Priority, then rank, then age; also while a long job runs."""
    order = []
    kept = Kept(tmp_path / "kept")

    def keep(name, options, result):
        order.append(name)
        kept.keep(name, options, result)
        if len(order) == 5:
            work.ask("double", ["now"], priority=LOOKED_AT)

    work = Work(tmp_path / "work.db", {"double": Kind(double, keep, kept.missing)}, jobs=1)
    work.ask("double", [f"rest {k}" for k in range(8)], priority=REST)
    work.ask("double", ["less"], priority=TODAY, rank=2.0)
    work.ask("double", ["more"], priority=TODAY, rank=1.0)
    raised = work.ask("double", ["raised"], priority=REST, rank=-1.0)
    assert [job.ids[0] for job in work.list()] == ["more", "less", "raised", "rest 0"]
    assert work.ask("double", ["raised"], priority=LOOKED_AT) == raised
    work.start()
    wait_until(lambda: not work.summary().parts)
    work.close()
    assert order[:4] == ["raised", "more", "less", "rest 0"]
    assert order.index("now") < len(order) - 1
    assert [name for name in order if name.startswith("rest")] == [f"rest {k}" for k in range(8)]


def test_work_that_has_to_wait(tmp_path):
    """It is asked before each part, so that what is less urgent goes on."""
    playing = {"a"}
    work, kept = work_in(tmp_path, may=lambda job: not playing.intersection(job.ids))
    work.start()
    work.ask("double", ["a"], priority=LOOKED_AT)
    work.ask("double", ["b"])
    wait_until(kept.results)
    assert kept.results().keys() == {"b"}
    playing.clear()
    work.wake()
    wait_until(lambda: "a" in kept.results())
    work.close()


def test_stopping(done, tmp_path):
    """Within a second, whatever is in progress; what was done is kept, and other jobs go on."""
    work, kept = done
    told = tmp_path / "told"
    work.start()
    quick = work.ask("double", ["q"])
    wait_until(lambda: work.job(quick).state == "done")
    long = work.ask("double", ["q", "l"], {"seconds": PATIENCE, "told": str(told)}, priority=TODAY)
    other = work.ask("double", ["o"])
    wait_until(told.exists)
    process = int(told.read_text())
    begun = time.monotonic()
    work.stop(long)
    assert work.job(long).state == "stopped"
    wait_until(lambda: not _alive(process))
    assert time.monotonic() - begun < 10  # on a busy machine; alone some 20 ms
    wait_until(lambda: work.job(other).state == "done")
    assert work.job(long).done == 1
    assert work.job(long).error == ""
    assert kept.results().keys() == {"q", "o"}
    with pytest.raises(KeyError):
        work.stop(999)
    work.stop(other)  # it ended before
    assert work.job(other).state == "done"


def _alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_is_stopped_may_be_asked_for_at_once(done, tmp_path):
    """Also before its process has ended."""
    work, kept = done
    told = tmp_path / "told"
    options = {"seconds": 0.5, "told": str(told)}
    number = work.ask("double", ["a"], options)
    work.start()
    wait_until(told.exists)
    with work._lock:  # the thread waits
        work.stop(number)
        assert work.ask("double", ["a"], options) == number
    wait_until(lambda: work.job(number).state == "done")
    assert kept.results() == {"a": "aa!"}


def test_what_waits_is_stopped_and_asked_for_again(done):
    work, kept = done
    number = work.ask("double", ["a"])
    work.stop(number)
    work.start()
    wait_until(lambda: work.job(work.ask("double", ["b"])).state == "done")
    assert work.job(number).state == "stopped"
    assert work.ask("double", ["a"]) == number
    wait_until(lambda: "a" in kept.results())


def test_an_error_fails_a_job_in_a_line_without_folders(done):
    """The rest of it is done, and it can be asked for again."""
    work, kept = done
    work.start()
    number = work.ask("double", ["a", "b", "c"], {"wrong": ["b"]})
    wait_until(lambda: work.job(number).state == "failed")
    assert work.job(number).error == "b: b.txt: no such hand"
    assert kept.results().keys() == {"a", "c"}
    kept.keep("b", {}, "mended")
    assert work.job(work.ask("double", ["a", "b", "c"], {"wrong": ["b"]})).state == "done"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_ends_fails_its_job_alone(tmp_path, jobs):
    work, kept = work_in(tmp_path, jobs=jobs)
    names = [f"{k}" for k in range(6)]
    bad = work.ask("double", names, {"ends": ["2"]})
    good = work.ask("double", [f"g{k}" for k in range(6)])
    work.start()
    wait_until(lambda: work.job(good).state == "done" and work.job(bad).state == "failed")
    work.close()
    assert work_in(tmp_path)[0].job(bad).error.startswith("2: a process ended while it was at work")
    assert kept.results().keys() == {*names, *(f"g{k}" for k in range(6))} - {"2"}


def test_results_that_cannot_be_kept(tmp_path):
    """Such as on a full disk: the job says so, the next one goes on."""
    kept = Kept(tmp_path / "kept")

    def full(name, options, result):
        if name == "a":
            raise OSError(28, "No space left on device", "/home/robin/book")
        kept.keep(name, options, result)

    work = Work(tmp_path / "work.db", {"double": Kind(double, full, kept.missing)}, jobs=1)
    number = work.ask("double", ["a", "b"])
    work.start()
    wait_until(lambda: work.job(number).state == "failed")
    assert work.job(number).error == "a: [Errno 28] No space left on device: 'book'"
    assert kept.results().keys() == {"b"}
    work.close()


def test_closing_keeps_what_waits(tmp_path):
    """It goes on where it was."""
    work, kept = work_in(tmp_path)
    number = work.ask("double", [f"{k}" for k in range(5)], {"seconds": 0.05})
    work.start()
    wait_until(kept.results)
    begun = time.monotonic()
    work.close()
    assert time.monotonic() - begun < 10
    work, kept = work_in(tmp_path)
    assert work.job(number).state == "waiting"
    assert work.job(number).done == len(kept.results()) or work.job(number).state == "waiting"
    work.start()
    wait_until(lambda: work.job(number).state == "done")
    assert work.job(number).done == 5
    assert set(kept.times().values()) == {1}
    work.close()


@pytest.mark.slow
def test_kills(tmp_path):
    """Whenever the process is killed, the next one ends what it began, and each result is there once, whole."""
    rng = random.Random(50)
    parts = 60
    command = [sys.executable, "-m", "tests.desk.tasks", str(tmp_path), str(parts)]
    kept = Kept(tmp_path / "kept")

    def kill_one():
        before = len(kept.results())
        started = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        wait_until(lambda: len(kept.results()) > before or started.poll() is not None)
        time.sleep(rng.random() * 0.05)
        started.kill()
        started.wait()

    for _ in range(5):
        kill_one()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stderr == ""
    assert kept.results() == {f"{k:03}": f"{k:03}{k:03}!" for k in range(parts)}
    work, _ = work_in(tmp_path)
    (job,) = work.list()
    assert (job.state, job.done, job.total) == ("done", parts, parts)
    work.close()


def test_a_damaged_table_is_replaced(tmp_path):
    """Its jobs can be asked for again; what they made is elsewhere."""
    (tmp_path / "work.db").write_bytes(b"no database at all" * 100)
    work, _ = work_in(tmp_path)
    assert work.list() == []
    assert stat.S_IMODE((tmp_path / "work.db").stat().st_mode) == 0o600
    assert (tmp_path / "work.db.damaged").exists()
    work.ask("double", ["a"])
    assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("work.db*") if each.suffix != ".damaged"} == {
        0o600
    }
    work.close()


def test_an_error_of_the_book_ends_nothing(tmp_path, monkeypatch):
    """Such as a lock that is held too long: the thread begins again."""
    monkeypatch.setattr("pokermodel.desk.work._AGAIN", 0.01)
    errors = [BookError("b.db: database is locked")]

    def may(job):
        if errors:
            raise errors.pop()
        return True

    work, kept = work_in(tmp_path, may=may)
    work.ask("double", ["a"])
    work.start()
    wait_until(kept.results)
    work.close()


def test_what_another_version_asked_for(tmp_path):
    """Also where it asked for more than Python has frames."""
    work, kept = work_in(tmp_path)
    work.ask("double", ["a"])
    with work._writing() as connection:
        row = connection.execute(_WORK.select()).one()._asdict()
        rows = [{**row, "id": None, "digest": f"{k}"} for k in range(sys.getrecursionlimit())]
        connection.execute(_WORK.insert(), rows)
        number = connection.scalar(sa.select(sa.func.max(_WORK.c.id)))
    work.close()
    work = Work(tmp_path / "work.db", {"double": Kind(double, kept.keep, kept.missing, "2")}, jobs=1)
    work.start()
    wait_until(lambda: work.job(number).state == "failed")
    assert work.job(number).error == "made by another version"
    work.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("draw", ["a"]), "unknown kind of work: 'draw', expected double, nice"),
        (("double", []), "expected 1 to 10000 ids of work, got 0"),
        (("double", ["a"] * 10_001), "got 10001"),
        (("double", [1]), "ids of work"),
    ],
)
def test_what_is_no_work(done, arguments, words):
    with pytest.raises(ValueError, match=words):
        done[0].ask(*arguments)
    with pytest.raises(ValueError, match="unknown priority: 3"):
        done[0].ask("double", ["a"], priority=3)
    with pytest.raises(KeyError):
        done[0].job(1)


def test_changes_are_told(tmp_path):
    seen = []
    work, _ = work_in(tmp_path, changed=lambda: seen.append(1))
    work.start()
    number = work.ask("double", ["a"])
    wait_until(lambda: work.job(number).state == "done" and len(seen) >= 2)
    assert work.summary().seconds_left == 0.0
    work.close()
