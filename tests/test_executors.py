"""Work shared out to threads, processes and clusters."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import nullcontext
from pathlib import Path

import pytest

import pokermodel
from pokermodel._support.checks import check_jobs
from pokermodel._support.parallel import map_threads
from pokermodel.errors import ClusterError, ClusterWarning
from pokermodel.executors import Dask, Processes, Threads
from tests.common.clusters import cluster as cluster
from tests.common.clusters import new_cluster as new_cluster
from tests.common.patience import PATIENCE


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_threads_keep_the_order(jobs):
    assert list(Threads(jobs).map(lambda x: x * x, range(50))) == [x * x for x in range(50)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_ends_the_work(jobs):
    done = []
    lock = threading.Lock()

    def fail_at_ten(x):
        if x == 10:
            raise RuntimeError("ten")
        with lock:
            done.append(x)

    with pytest.raises(RuntimeError, match="ten"):
        list(map_threads(fail_at_ten, range(1000), jobs))
    assert len(done) < 30


def test_jobs():
    assert check_jobs(None) >= 1
    assert check_jobs(3) == 3
    for executor in Threads, Processes:
        with pytest.raises(ValueError, match="jobs must be 1 or more, got 0"):
            executor(0)


def hears_interrupts(_):
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals here")
def test_the_process_of_the_user_alone_hears_ctrl_c():
    """A terminal sends it to all, and each that heard it while it started printed where it was."""
    assert not any(Processes(2).map(hears_interrupts, range(8)))
    assert hears_interrupts(None)


def square(x):
    return x * x, os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_keep_the_order(jobs):
    with Processes(jobs) as processes:
        results = list(processes.map(square, range(20)))
        assert processes.here == (jobs == 1)
    assert [result for result, _ in results] == [x * x for x in range(20)]
    assert (os.getpid() in {process for _, process in results}) == (jobs == 1)


def fail_at_three(x):
    if x == 3:
        raise RuntimeError("three")
    return x


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_process_is_handed_on(jobs):
    with pytest.raises(RuntimeError, match="three"):
        list(Processes(jobs).map(fail_at_three, range(1000)))


def wait(x):
    time.sleep(0 if x < 1 else PATIENCE)
    return x


def test_processes_are_ended_early_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = Processes(2).map(wait, range(6))
        assert next(results) == 0
        begin = time.monotonic()
        results.close()
        assert time.monotonic() - begin < PATIENCE / 2
    assert list(results) == []


def sleep_long(_):
    time.sleep(PATIENCE)


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_apart(jobs):
    """Functions never run here, and every other process of the machine comes first."""
    with Processes(jobs, apart=True) as first, Processes(jobs, apart=True) as second:
        found = [{process for _, process in each.map(square, range(9))} for each in (first, second)]
        assert not first.here
        assert os.getpid() not in found[0] | found[1]
        assert not found[0] & found[1]
        if hasattr(os, "nice"):
            assert list(first.map(os.nice, [0])) == [min(os.nice(0) + 19, 19)]


def test_processes_apart_are_closed_from_another_thread():
    """At once, whatever they are at, and the executor can be used again."""
    executor = Processes(1, apart=True)
    assert next(executor.map(square, [2]))[0] == 4
    begun = time.monotonic()
    timer = threading.Timer(0.2, executor.close)
    timer.start()
    with pytest.raises(ClusterError, match="ended while they were at work"):
        list(executor.map(sleep_long, range(3)))
    timer.join()
    assert time.monotonic() - begun < PATIENCE / 4
    assert [result for result, _ in executor.map(square, [3])] == [9]
    executor.close()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="POSIX alone")
def test_processes_apart_end_with_a_process_that_is_killed(tmp_path):
    """They may be at work for minutes."""
    script = (
        "import os, sys; from pokermodel.executors import Processes; from tests.test_executors import tell_and_sleep\n"
        "list(Processes(1, apart=True).map(tell_and_sleep, [sys.argv[1]]))"
    )
    told = tmp_path / "pid"
    root = Path(__file__).resolve().parents[1]
    started = subprocess.Popen([sys.executable, "-c", script, str(told)], cwd=root, stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not (told.exists() and told.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    started.kill()
    started.wait()
    while there(int(told.read_text())) and time.monotonic() < end:
        time.sleep(0.02)
    assert time.monotonic() < end


def tell_and_sleep(path):
    Path(path).write_text(str(os.getpid()))
    time.sleep(PATIENCE)


def there(process):
    """Whether a process is at work; one that is dead and not waited for is not."""
    stat = Path(f"/proc/{process}/stat")
    if Path("/proc/self/stat").exists():
        try:
            return stat.read_text().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_do_not_pile_up():
    """Items are taken as results are, however quick the workers are."""
    taken = []

    def items():
        for k in range(100):
            taken.append(k)
            yield k

    results = Processes(2).map(square, items())
    next(results)
    time.sleep(0.2)
    assert len(taken) <= 5
    results.close()


def die(x):
    if x == 3:
        os._exit(1)
    return x


def test_a_process_that_ends_is_one_line():
    with pytest.raises(
        ClusterError, match="a process ended while it was at work: A worker process managed by"
    ) as ended:
        list(Processes(2).map(die, range(10)))
    assert "\n" not in str(ended.value)
    assert list(Processes(2).map(abs, range(4))) == [0, 1, 2, 3]


# ------------------------------------------------------------------------------------------------ clusters


def test_a_cluster_keeps_the_order(cluster):
    with Dask(cluster.address) as dask:
        results = list(dask.map(square, range(30)))
        with pytest.raises(RuntimeError, match="three"):
            list(dask.map(fail_at_three, range(1000)))
        assert list(dask.map(lambda x: x + 1, [])) == []
        with pytest.raises(ClusterError, match="a result cannot be sent: cannot pickle"):
            list(dask.map(lambda x: threading.Lock(), [1]))
        mapped = dask.map(square, iter(range(1000)))
        assert next(mapped)[0] == 0
        mapped.close()
    assert [result for result, _ in results] == [x * x for x in range(30)]
    processes = {process for _, process in results}
    assert len(processes) <= 2
    assert os.getpid() not in processes


def test_what_is_no_cluster():
    pytest.importorskip("distributed", reason="distributed is not installed")
    for address in "localhost", "local:0", "local:", "local:two":
        with pytest.raises(ValueError, match=f"{address}.*expected as in"):
            Dask(address)
    with pytest.raises(ClusterError, match=r"no scheduler is reached at tcp://127\.0\.0\.1:9: "):
        Dask("tcp://127.0.0.1:9", patience=0.2)


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install \"pokermodel\[dask\]\""):
        Dask("local:2")


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_here():
    pytest.importorskip("distributed", reason="distributed is not installed")
    with Dask("local:1") as dask:
        ((_, process),) = dask.map(square, [2])
        assert process != os.getpid()
    while alive(process):
        time.sleep(0.05)


def note(item):
    """Note in a file that an item was begun; the first time it takes long."""
    folder, number = item
    name = Path(folder) / str(number)
    with name.open("a") as file:
        file.write("x")
    if number == 2 and name.stat().st_size == 1:
        (Path(folder) / "worker").write_text(str(os.getpid()))
        time.sleep(PATIENCE)
    return number * number


def started(folder):
    path = Path(folder) / "worker"
    while not (path.exists() and path.read_text()):
        time.sleep(0.02)
    return int(path.read_text())


@pytest.mark.parametrize("killed", ["worker", "scheduler"])
def test_killed_in_the_middle(new_cluster, tmp_path, killed):
    """Work is done again, perhaps twice, and comes once."""
    new_cluster.start_worker()
    new_cluster.start_worker()

    def kill():
        worker = started(tmp_path)
        if killed == "worker":
            os.kill(worker, signal.SIGKILL)
            return
        for process in (new_cluster.scheduler, *new_cluster.workers):
            process.kill()
            process.wait()
        new_cluster.start_scheduler()
        new_cluster.start_worker()

    thread = threading.Thread(target=kill)
    thread.start()
    lost = pytest.warns(ClusterWarning, match="connection to the scheduler was lost: . items of work sent again")
    with Dask(new_cluster.address) as dask, lost if killed == "scheduler" else nullcontext():
        results = list(dask.map(note, ((str(tmp_path), k) for k in range(20))))
    thread.join()
    assert results == [k * k for k in range(20)]
    assert len((tmp_path / "2").read_text()) == 2
    assert sum(len((tmp_path / str(k)).read_text()) for k in range(20)) > 20


def exit_always(x):
    os._exit(1)


def test_no_worker_is_left_or_one_with_another_version(new_cluster, tmp_path):
    """Whose version has the same number."""
    new_cluster.start_worker()
    with Dask(new_cluster.address) as dask:
        dask._patience = 0.3
        with pytest.raises(ClusterError, match=f"there is no worker at {new_cluster.address}"):
            list(dask.map(exit_always, [1]))
    package = Path(pokermodel.__file__).parent
    other = tmp_path / "other" / "pokermodel"
    shutil.copytree(package, other, copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__", "*.pyx"))
    changed = other / "game" / "hand.py"
    text = changed.read_text()
    changed.unlink()
    changed.write_text(f"{text}\n# otherwise\n")
    new_cluster.start_worker(other.parent)
    with Dask(new_cluster.address) as dask, pytest.raises(ClusterError, match=r"has pokermodel .*, expected ") as said:
        list(dask.map(abs, [1]))
    assert "\n" not in str(said.value)
