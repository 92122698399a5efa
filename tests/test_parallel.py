"""Work shared out to threads and processes."""

import os
import threading
import time
import warnings

import pytest

from pokermodel._checks import check_jobs
from pokermodel._parallel import map_processes, map_threads


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_threads_keep_the_order(jobs):
    assert list(map_threads(lambda x: x * x, range(50), jobs)) == [x * x for x in range(50)]


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
    with pytest.raises(ValueError, match="jobs must be 1 or more, got 0"):
        check_jobs(0)


def square(x):
    return x * x, os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_keep_the_order(jobs):
    results = list(map_processes(square, range(20), jobs))
    assert [result for result, _ in results] == [x * x for x in range(20)]
    assert (os.getpid() in {process for _, process in results}) == (jobs == 1)


def fail_at_three(x):
    if x == 3:
        raise RuntimeError("three")
    return x


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_process_is_handed_on(jobs):
    with pytest.raises(RuntimeError, match="three"):
        list(map_processes(fail_at_three, range(1000), jobs))


def wait(x):
    time.sleep(0 if x < 1 else 2)
    return x


def test_processes_are_ended_early_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = map_processes(wait, range(6), 2)
        assert next(results) == 0
        results.close()
    assert list(results) == []
