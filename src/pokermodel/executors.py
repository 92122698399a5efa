"""Executors: one function mapped over items, on threads, in processes, or on a Dask cluster.

The mapped function is pure: a result depends on the function and its item alone. It is the same on every machine,
however often and beside whichever others it is computed. Results come in the order of the items. So their sum has the
same bits with every executor and any number of workers.
"""

from __future__ import annotations

import concurrent.futures
import os
import pickle
import signal
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar
from uuid import uuid4

from pokermodel._support.checks import check_jobs
from pokermodel._support.parallel import map_futures, map_threads
from pokermodel._support.processors import processors
from pokermodel._support.version import fingerprint
from pokermodel._support.words import counted
from pokermodel.errors import ClusterError, ClusterWarning

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

__all__ = ["Dask", "Executor", "Processes", "Threads"]

T = TypeVar("T")
R = TypeVar("R")

_IDLE = 300  # seconds after which processes end that nothing is asked of
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")  # that start threads of their own
_LOOK = 2.0  # seconds from one look at the workers to the next
_ALIVE = 0.2  # seconds from one look at the process that started this one to the next


class Executor(ABC):
    """Maps a function over items. A context manager, which closes it.

    Attributes
    ----------
    here : bool
        Whether functions run in this process, one after the other, and what they do to their arguments is seen.
    """

    here = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Map a function over items.

        Parameters
        ----------
        function : callable
            Pure: it may be called again for an item if a worker is lost. In other processes, function, items and
            results are pickled.
        items : iterable
            Taken by the calling thread as they are needed: a few for each worker are in progress at a time, and results
            do not pile up.

        Yields
        ------
        object
            Results, in the order of the items. ``close`` of the generator ends the map: what has not begun is not
            done.

        Raises
        ------
        Exception
            That of the first item in order for which the function raises one.
        ClusterError
            If the workers cannot do the work.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of workers that belong to this executor alone."""


class _Local(Executor):
    """Work on this machine, so many at a time; with one, in this process and this thread."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = check_jobs(jobs)
        self.here = self.jobs == 1


class Threads(_Local):
    """Threads of this process, for functions that release the GIL.

    Parameters
    ----------
    jobs : int, optional
        Their number. Default: one for each processor.

    Raises
    ------
    ValueError
        If it is below 1.

    Examples
    --------
    >>> list(Threads(2).map(abs, [-1, -2, 3]))
    [1, 2, 3]
    """

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Map a function over items by threads, results in the order of the items."""
        return map_threads(function, items, self.jobs)

    def close(self) -> None:
        """Do nothing: `map` ends its own threads."""


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold back Ctrl-C, as far as the system can: it is heard at the end of the block.

    Processes that are started in the block never hear it. A terminal sends it to all of them. The one that the user
    started hears it, and ends the others, which would each print where they were.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which loky starts else in the block, and which then lets signals through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes(_Local):
    """Processes of this machine, by loky (joblib's).

    They are started when they are first needed, and kept for the maps that follow.

    Parameters
    ----------
    jobs : int, optional
        Their number; with 1, functions run here. Default: one for each processor.
    apart : bool
        For a server: never run functions here, and have processes of this executor alone. They have the lowest
        priority, end with this process however it ends, and `close` ends them at once, from any thread; a map that
        is in progress raises `ClusterError` then.

    Raises
    ------
    ValueError
        If it is below 1.

    Examples
    --------
    >>> list(Processes(1).map(abs, [-1, -2, 3]))
    [1, 2, 3]
    """

    def __init__(self, jobs: int | None = None, *, apart: bool = False) -> None:
        super().__init__(jobs)
        self.apart = apart
        self.here = self.here and not apart
        self._own: Any = None  # the pool of processes apart

    def _pool(self) -> Any:
        threads = str(max(1, processors() // self.jobs))
        limits = {f"{name}_NUM_THREADS": threads for name in _LIBRARIES}
        if not self.apart:
            from joblib.externals.loky import get_reusable_executor  # type: ignore[import-untyped]

            return get_reusable_executor(self.jobs, timeout=_IDLE, env=limits)
        if self._own is None:
            from joblib.externals.loky import ProcessPoolExecutor

            start = {"initializer": _give_way, "initargs": (os.getpid(),)}
            self._own = ProcessPoolExecutor(self.jobs, timeout=_IDLE, env=limits, **start)
        return self._own

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Map a function over items by processes. To end it early ends those that are at work."""
        if self.here:
            yield from map(function, items)
            return
        from joblib.externals.loky.process_executor import (  # type: ignore[import-untyped]
            BrokenProcessPool,
            ShutdownExecutorError,
        )

        with _interrupts_blocked():  # which processes that are started here inherit
            pool = self._pool()
        sent: deque[concurrent.futures.Future[R]] = deque(maxlen=2 * self.jobs)

        def submit(item: T) -> concurrent.futures.Future[R]:
            with _interrupts_blocked():
                sent.append(pool.submit(function, item))
            return sent[-1]

        done = False
        try:
            yield from map_futures(submit, items, 2 * self.jobs, cancel=False)
            done = True
        except BrokenProcessPool as broken:
            why = " ".join(str(broken).split()).partition(". ")[0]
            raise ClusterError(f"a process ended while it was at work: {why}") from None
        except ShutdownExecutorError:
            raise ClusterError("the processes were ended while they were at work") from None
        finally:
            if not done:
                # loky stumbles over calls that are cancelled, or on their way to a process, while it is shut down
                deadline = time.monotonic() + _LOOK
                while not all(each.running() or each.done() for each in sent) and time.monotonic() < deadline:
                    time.sleep(1e-3)
                if not self.apart:
                    pool.shutdown(wait=True, kill_workers=True)
                elif pool is self._own:  # else another thread is closing it
                    self.close()

    def close(self) -> None:
        """End processes apart; others are kept for those who map."""
        pool, self._own = self._own, None
        if pool is not None:
            pool.shutdown(wait=True, kill_workers=True)


def _give_way(parent: int) -> None:
    """Let everything else of the machine come first, and end when the process that started this one has ended.

    It may be killed, and loky's processes do not notice that for minutes.
    """
    if not hasattr(os, "nice"):
        return
    os.nice(19)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_ALIVE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Task(NamedTuple):
    """An item in progress on a cluster, as it can be sent again."""

    payload: bytes
    future: Future


class Dask(Executor):
    """The workers of a Dask cluster.

    Items and results travel by the scheduler; nothing else is shared. Work of a worker that is lost is done by others,
    and all that is in progress is sent again if the scheduler is restarted, with a `ClusterWarning`: results come once,
    and are the same.

    Parameters
    ----------
    address : str
        Of the scheduler, as ``"tcp://host:8786"``; or ``"local:4"``, which starts four workers on this machine and ends
        them when it is closed.
    patience : float
        Seconds to wait for a scheduler or a worker, where there is none.

    Raises
    ------
    ClusterError
        If the scheduler is not reached, or no worker comes.
    ModuleNotFoundError
        If Dask is not installed.
    ValueError
        If it is no address.

    Notes
    -----
    Results are pickles. So a program that reaches the scheduler can run code on its workers, and a scheduler or worker
    can run code in this process. Use a network of your own, or TLS, as Dask's documentation says.
    """

    def __init__(self, address: str, *, patience: float = 60.0) -> None:
        try:
            import distributed  # noqa: F401
        except ModuleNotFoundError as missing:
            if missing.name not in ("distributed", "dask"):
                raise
            text = 'a cluster needs Dask: pip install "pokermodel[dask]"'
            raise ModuleNotFoundError(text, name=missing.name) from None
        self.address = address
        self._patience = patience
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._width = 1  # threads of all workers
        self._looked = 0.0
        kind, _, number = address.partition(":")
        try:
            if kind == "local":
                self._start(number)
            elif "://" not in address:
                raise ValueError(f"no address of a cluster: {address!r}, expected as in tcp://host:8786 or local:4")
            self._connect()
        except BaseException:
            self.close()
            raise

    def _start(self, number: str) -> None:
        from distributed import LocalCluster

        if not number.isdecimal() or not (workers := int(number)):
            raise ValueError(f"no number of workers: {self.address!r}, expected as in local:4")
        self._cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", memory_limit=0
        )

    def _connect(self) -> None:
        """Connect to the scheduler, and wait for a worker."""
        from distributed import Client

        place = self.address if self._cluster is None else self._cluster.scheduler_address
        deadline = time.monotonic() + self._patience
        while True:
            left = max(deadline - time.monotonic(), 0.1)
            try:
                self._client = Client(place, timeout=min(left, 10), set_as_default=False)
                break
            except (OSError, ValueError) as error:
                if isinstance(error, ValueError) or time.monotonic() + 0.5 > deadline:
                    reason = " ".join(str(error).split()) or type(error).__name__
                    raise ClusterError(f"no scheduler is reached at {self.address}: {reason}") from None
                time.sleep(0.5)
        self._looked = 0.0
        while not self._look():
            if time.monotonic() > deadline:
                raise ClusterError(f"there is no worker at {self.address}")
            time.sleep(0.1)

    def _look(self) -> int:
        """How many threads there are now, looked up now and then."""
        if time.monotonic() > self._looked + _LOOK:
            assert self._client is not None
            self._width = sum(self._client.nthreads().values())
            self._looked = time.monotonic() if self._width else 0.0
        return self._width

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Map a function by the workers of a cluster. What is in progress when it ends early is forgotten."""
        import cloudpickle  # type: ignore[import-untyped]  # Dask's, for functions that have no name

        call = cloudpickle.dumps(function)
        numbers = count()
        name = f"pokermodel-{uuid4().hex}"
        rest = (pickle.dumps((call, cloudpickle.dumps(item))) for item in items)
        under_way: deque[_Task] = deque()
        try:
            while True:
                while len(under_way) < self._room() and (payload := next(rest, None)) is not None:
                    under_way.append(self._send(payload, f"{name}-{next(numbers)}"))
                if not under_way:
                    return
                found = self._result(under_way, name, numbers)
                under_way.popleft()
                yield found
        finally:
            for task in under_way:
                with suppress(Exception):  # of a connection that is lost
                    task.future.release()

    def _room(self) -> int:
        try:
            return 2 * max(self._look(), 1)
        except Exception:  # the connection is lost, which is dealt with where a result is asked for
            return 1

    def _send(self, payload: bytes, key: str) -> _Task:
        assert self._client is not None
        return _Task(payload, self._client.submit(_remote(), fingerprint(), payload, key=key, pure=False))

    def _result(self, under_way: deque[_Task], name: str, numbers: Iterator[int]) -> Any:
        """Wait for the first of the tasks, and send all of them again if the scheduler has forgotten them."""
        from distributed import KilledWorker

        alone = None  # since when there has been no worker
        while True:
            future = under_way[0].future
            try:
                found = future.result(timeout=_LOOK)
            except KilledWorker:
                raise ClusterError(f"{self.address}: several workers ended at the same item of work") from None
            except ImportError as error:
                raise ClusterError(f"a worker has another version of pokermodel: {error}") from None
            except Exception as error:
                if future.status == "error":
                    raise ClusterError(f"{self.address}: {' '.join(str(error).split())}") from None
                if not self._alive():  # the scheduler was restarted, or is gone
                    self._reconnect()
                    again = counted(len(under_way), "item")
                    what = f"{self.address}: the connection to the scheduler was lost: {again} of work sent again"
                    warnings.warn(what, ClusterWarning, stacklevel=2)
                    for number, task in enumerate(under_way):
                        under_way[number] = self._send(task.payload, f"{name}-{next(numbers)}")
                    alone = None
                elif future.status == "cancelled":
                    for number, task in enumerate(under_way):
                        under_way[number] = self._send(task.payload, f"{name}-{next(numbers)}")
                elif self._working():
                    alone = None
                else:
                    alone = alone or time.monotonic()
                    if time.monotonic() > alone + self._patience:
                        raise ClusterError(f"there is no worker at {self.address}") from None
                continue
            done, outcome = pickle.loads(found)
            if done:
                return outcome
            raise outcome

    def _alive(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def _working(self) -> bool:
        self._looked = 0.0
        with suppress(Exception):
            return self._look() > 0
        return True  # it is not known yet

    def _reconnect(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.close(timeout=1)
            self._client = None
        self._connect()

    def close(self) -> None:
        """Leave the cluster; end the workers that were started here."""
        client, self._client = self._client, None
        cluster, self._cluster = self._cluster, None
        for each in (client, cluster):
            if each is not None:
                with suppress(Exception):
                    each.close(timeout=5)


def _remote() -> Callable[[str, bytes], bytes]:
    """Return the function that workers call. It is pickled by value, so that the scheduler needs no pokermodel."""

    def call(version: str, payload: bytes) -> bytes:
        from pokermodel.executors import _call

        return _call(version, payload)

    return call


def _call(version: str, payload: bytes) -> bytes:
    """Do one item of work on a worker: whether it was done, and what came of it or was raised, as a pickle."""
    if version != fingerprint():
        return pickle.dumps((False, ClusterError(f"a worker has pokermodel {fingerprint()}, expected {version}")))
    import cloudpickle

    try:
        function, item = map(pickle.loads, pickle.loads(payload))
        found: tuple[bool, Any] = True, function(item)
    except Exception as error:
        found = False, error
    try:
        return cloudpickle.dumps(found)  # type: ignore[no-any-return]
    except Exception as error:
        what = "a result" if found[0] else f"{type(found[1]).__name__} ({found[1]})"
        return pickle.dumps((False, ClusterError(f"{what} cannot be sent: {error}")))
