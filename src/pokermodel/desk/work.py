"""Work in the background: jobs as rows, done by processes, the most urgent part first.

A job is a kind of work and the ids of its items. Each id is a part of its own: parts of a job that is more
urgent go before the remaining ones of any other. Parts run in other processes at the lowest priority, through the
executors. This process keeps each result, whole, before the job counts it. So a process that is killed loses what was
in progress alone, and it is done again after the next start.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from pokermodel._support.processors import processors
from pokermodel.errors import BookError, ClusterError
from pokermodel.executors import Processes

__all__ = ["LOOKED_AT", "REST", "STATES", "TODAY", "Job", "Kind", "Work", "WorkSummary"]

STATES = ("waiting", "running", "done", "failed", "stopped")
#: Priorities: what the user looks at; the session of today; everything else.
LOOKED_AT, TODAY, REST = range(3)
_MOST_IDS = 10_000
_MOST_ERROR = 300  # characters
_KEPT = 30 * 24 * 3600.0  # seconds for which jobs that ended are listed
_LOOK = 5.0  # seconds after which jobs that had to wait are looked at again
_AGAIN = 1.0  # seconds after which a table that could not be written is tried again
_FOLDERS = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s:'\"]+)*[\\/](?=[^\\/\s])")

_META = sa.MetaData()
_WORK = sa.Table(
    "work",
    _META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("ids", sa.Text, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("stamp", sa.Text, nullable=False),
    sa.Column("priority", sa.Integer, nullable=False),
    sa.Column("rank", sa.Float, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("done", sa.Integer, nullable=False, default=0),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False, default=0.0),
    sa.Column("error", sa.Text, nullable=False, default=""),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Index("work_order", "state", "priority", "rank", "id"),
)
_ORDER = (_WORK.c.priority, _WORK.c.rank, _WORK.c.id)


@dataclass(frozen=True)
class Kind:
    """A kind of work.

    Attributes
    ----------
    work : callable
        ``work(context, id, options)`` does a part, in another process: a function with a name, which depends on nothing
        else.
    keep : callable
        ``keep(id, options, result)`` keeps a result in this process, as a whole, in place of an earlier one.
    missing : callable
        ``missing(ids, options)`` returns the ids whose results are not kept, in their order.
    stamp : str
        Further conditions of the results: another stamp is another job.
    context : object
        The first argument of `work`, such as the address of a book. It is never shown.
    """

    work: Callable[[Any, str, Mapping[str, Any]], Any]
    keep: Callable[[str, Mapping[str, Any], Any], None]
    missing: Callable[[Sequence[str], Mapping[str, Any]], Sequence[str]]
    stamp: str = ""
    context: Any = None


@dataclass(frozen=True)
class Job:
    """A job as it is listed: what is done, for which ids, how far it is, and why it failed."""

    id: int
    kind: str
    ids: tuple[str, ...]
    options: Mapping[str, Any]
    priority: int
    state: str
    done: int
    total: int
    seconds: float  #: Of processes, so far.
    error: str


@dataclass(frozen=True)
class WorkSummary:
    """How many jobs there are in each state, and the time that those take which wait or run."""

    waiting: int
    running: int
    done: int
    failed: int
    stopped: int
    parts: int  #: What waits or runs, in ids.
    seconds_left: float | None  #: None: none of a kind was done yet.


class _Part(NamedTuple):
    job: int
    id: str


@dataclass
class _Open:
    """A job that is being done."""

    kind: Kind
    options: dict[str, Any]
    left: deque[str]
    flying: int = 0
    error: str = ""
    stopped: bool = False


def _do(item: tuple[Callable[..., Any], Any, str, Mapping[str, Any]]) -> tuple[bool, Any, float]:
    """Do a part in a process: whether it was done, its result or what went wrong, and how long it took."""
    function, *arguments = item
    begun = time.monotonic()
    try:
        found: tuple[bool, Any] = True, function(*arguments)
    except Exception as error:
        found = False, _line(error)
    return *found, time.monotonic() - begun


def _line(error: BaseException) -> str:
    """An error in a line, which names files but no folders."""
    text = " ".join(str(error).split()) or type(error).__name__
    return _FOLDERS.sub("", text)[:_MOST_ERROR]


@dataclass
class Work:
    """The jobs of a book, and the thread that has them done.

    Parameters
    ----------
    path : Path
        The file of the table, which only the user reads. What is no such table is replaced.
    kinds : mapping of str to Kind
    jobs : int, optional
        Processes. Default: half of the processors.
    changed : callable
        Called, from any thread, when a job has changed.
    may : callable
        Whether a job may be done now; it is asked before each part.
    """

    path: Path
    kinds: Mapping[str, Kind]
    jobs: int | None = None
    changed: Callable[[], None] = lambda: None
    may: Callable[[Job], bool] = lambda job: True
    _open: dict[int, _Open] = field(default_factory=dict)
    _flight: deque[_Part] = field(default_factory=deque)
    _again: deque[_Part] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._executor = Processes(self.jobs or max(processors() // 2, 1), apart=True)
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._killed = self._closing = False
        self._thread: threading.Thread | None = None
        self._database = _database(self.path)
        with self._writing() as connection:
            connection.execute(_WORK.update().where(_WORK.c.state == "running").values(state="waiting"))
            old = _WORK.c.state.in_(("done", "stopped")), _WORK.c.changed < time.time() - _KEPT
            connection.execute(_WORK.delete().where(*old))

    # -------------------------------------------------------------------------------------------------- for callers

    def ask(
        self,
        kind: str,
        ids: Sequence[str],
        options: Mapping[str, Any] | None = None,
        *,
        priority: int = REST,
        rank: float = 0.0,
    ) -> int:
        """Ask for work; what was asked for already is one job, with the higher priority of both.

        Parameters
        ----------
        kind : str
        ids : sequence of str
            Its items, in order.
        options : mapping, optional
            The conditions of results, as JSON has it.
        priority : int
            `LOOKED_AT`, `TODAY` or `REST`.
        rank : float
            Of jobs of a priority, the one with the smallest rank is done first.

        Returns
        -------
        int
            The number of the job.

        Raises
        ------
        ValueError
            If there is no such kind or priority, or no id or too many.
        """
        if kind not in self.kinds:
            raise ValueError(f"unknown kind of work: {kind!r}, expected {', '.join(sorted(self.kinds))}")
        if not 0 < len(ids) <= _MOST_IDS or not all(isinstance(each, str) for each in ids):
            raise ValueError(f"expected 1 to {_MOST_IDS} ids of work, got {len(ids)}")
        if priority not in (LOOKED_AT, TODAY, REST):
            raise ValueError(f"unknown priority: {priority!r}, expected 0, 1 or 2")
        ids = list(dict.fromkeys(ids))
        given = dict(options or {})
        stamp = self.kinds[kind].stamp
        texts = {"ids": json.dumps(ids), "options": json.dumps(given, sort_keys=True)}
        digest = hashlib.sha256(json.dumps([kind, ids, given, stamp], sort_keys=True).encode()).hexdigest()
        missing = len(self.kinds[kind].missing(ids, given))
        fresh = {"state": "waiting" if missing else "done", "done": len(ids) - missing, "total": len(ids), "error": ""}
        with self._lock, self._writing() as connection:
            row = connection.execute(sa.select(_WORK).where(_WORK.c.digest == digest)).one_or_none()
            if row is None:
                made = {"digest": digest, "kind": kind, "stamp": stamp, "seconds": 0.0, "changed": time.time(), **texts}
                urgent = {"priority": priority, "rank": rank}
                number = connection.scalar(_WORK.insert().values(**made, **fresh, **urgent).returning(_WORK.c.id))
            else:
                number = row.id
                values = {"priority": min(priority, row.priority), "rank": min(rank, row.rank)}
                opened = self._open.get(number)
                if opened is None or opened.stopped:
                    values.update(fresh)
                connection.execute(_WORK.update().where(_WORK.c.id == number).values(changed=time.time(), **values))
            self._news.notify_all()
        self.changed()
        return int(number)

    def stop(self, number: int) -> None:
        """Stop a job at once; what was done of it is kept. Asking for it again goes on with it.

        Raises
        ------
        KeyError
            If there is no such job.
        """
        with self._lock:
            with self._writing() as connection:
                live = _WORK.c.id == number, _WORK.c.state.in_(("waiting", "running"))
                stopped = connection.execute(
                    _WORK.update().where(*live).values(state="stopped", changed=time.time())
                ).rowcount
                if not stopped and connection.scalar(sa.select(_WORK.c.id).where(_WORK.c.id == number)) is None:
                    raise KeyError(number)
            opened = self._open.get(number)
            kill = False
            if opened is not None:
                opened.stopped = True
                opened.left.clear()
                kill = self._killed = opened.flying > 0
                if not kill:
                    del self._open[number]
        if kill:
            self._executor.close()
        self.changed()

    def job(self, number: int) -> Job:
        """Return a job.

        Raises
        ------
        KeyError
            If there is no such job.
        """
        with self._database.connect() as connection:
            row = connection.execute(sa.select(_WORK).where(_WORK.c.id == number)).one_or_none()
        if row is None:
            raise KeyError(number)
        return _job(row)

    def list(self, state: str | None = None, most: int = 200) -> list[Job]:
        """Return jobs: those that run, those that wait in their order, then those that ended, the last one first."""
        order = sa.case({"running": 0, "waiting": 1}, value=_WORK.c.state, else_=2)
        ended = sa.case((order == 2, -_WORK.c.changed), else_=0)
        query = sa.select(_WORK).order_by(order, ended, *_ORDER).limit(most)
        if state is not None:
            query = query.where(_WORK.c.state == state)
        with self._database.connect() as connection:
            return [_job(row) for row in connection.execute(query)]

    def summary(self) -> WorkSummary:
        """Count the jobs."""
        live = _WORK.c.state.in_(("waiting", "running"))
        left = sa.func.sum(sa.case((live, _WORK.c.total - _WORK.c.done), else_=0))
        spent, made = sa.func.sum(_WORK.c.seconds), sa.func.sum(_WORK.c.done)
        with self._database.connect() as connection:
            counts = connection.execute(sa.select(_WORK.c.state, sa.func.count()).group_by(_WORK.c.state)).all()
            kinds = connection.execute(sa.select(left, spent, made).group_by(_WORK.c.kind)).all()
        parts = sum(row[0] for row in kinds)
        known = all(row[1] and row[2] for row in kinds if row[0])
        seconds = sum(row[0] * row[1] / row[2] for row in kinds if row[0]) / self._executor.jobs if known else None
        states = {**dict.fromkeys(STATES, 0), **{row[0]: row[1] for row in counts}}
        return WorkSummary(**states, parts=parts, seconds_left=seconds)

    def left(self, kind: str) -> int:
        """How many parts of the jobs of a kind are not done."""
        live = _WORK.c.state.in_(("waiting", "running")), _WORK.c.kind == kind
        with self._database.connect() as connection:
            return connection.scalar(sa.select(sa.func.sum(_WORK.c.total - _WORK.c.done)).where(*live)) or 0

    def start(self) -> None:
        """Begin to have jobs done."""
        self._thread = threading.Thread(target=self._run, name="work", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Look again at jobs that could not be done before."""
        with self._lock:
            self._news.notify_all()

    def close(self) -> None:
        """End within a second; what was in progress waits for the next start."""
        with self._lock:
            self._closing = self._killed = True
            self._news.notify_all()
        self._executor.close()
        if self._thread is not None:
            self._thread.join()
        with self._writing() as connection:
            connection.execute(_WORK.update().where(_WORK.c.state == "running").values(state="waiting"))
        self._database.dispose()

    # ------------------------------------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        while True:
            try:
                with self._lock:
                    if self._closing:
                        return
                    self._killed = False
                    if not self._again and self._next_job() is None:
                        self._news.wait(_LOOK)
                        continue
                if self._again:
                    self._alone()
                else:
                    self._together()
            except (SQLAlchemyError, BookError):  # such as a full disk or a lock: begin again from what the table has
                with self._lock:
                    self._open.clear()
                    self._flight.clear()
                    self._again.clear()
                time.sleep(_AGAIN)

    def _together(self) -> None:
        """Have parts done until there are none left, several at once."""
        try:
            with closing(self._executor.map(_do, self._items())) as outcomes:
                for outcome in outcomes:
                    self._take(self._flight.popleft(), outcome)
        except ClusterError:
            with self._lock:
                for part in reversed(self._flight):
                    self._put_back(part, alone=not self._killed)
                self._flight.clear()

    def _alone(self) -> None:
        """Do a part again that was in progress when a process ended, to find the one that ends it."""
        with self._lock:
            part = self._again.popleft()
            if self._open[part.job].stopped:
                self._put_back(part, alone=True)
                return
            item = self._item(part)
        try:
            with closing(self._executor.map(_do, [item])) as outcomes:
                outcome = next(outcomes)
        except ClusterError as error:
            with self._lock:
                if self._killed:
                    self._put_back(part, alone=True)
                    return
            outcome = False, _line(error), 0.0
        self._take(part, outcome)

    def _item(self, part: _Part) -> tuple[Callable[..., Any], Any, str, Mapping[str, Any]]:
        opened = self._open[part.job]
        return opened.kind.work, opened.kind.context, part.id, opened.options

    def _items(self) -> Iterator[tuple[Callable[..., Any], Any, str, Mapping[str, Any]]]:
        """Parts, the most urgent one first, as the executor takes them."""
        while True:
            with self._lock:
                number = None if self._closing or self._again or self._killed else self._next_job()
                if number is None:
                    return
                opened = self._open[number]
                part = _Part(number, opened.left.popleft())
                opened.flying += 1
                self._flight.append(part)
                item = self._item(part)
            yield item

    def _next_job(self) -> int | None:
        """The job whose part is next; what waits is opened where it is."""
        live = sa.select(_WORK).where(_WORK.c.state.in_(("waiting", "running"))).order_by(*_ORDER)
        while True:
            with self._database.connect() as connection:
                for row in connection.execute(live):
                    opened = self._open.get(row.id)
                    if (opened is not None and not opened.left) or not self.may(_job(row)):
                        continue
                    if opened is not None:
                        return int(row.id)
                    break
                else:
                    return None
            self._begin(row)

    def _begin(self, row: Any) -> None:
        kind = self.kinds.get(row.kind)
        job = _job(row)
        if kind is None or kind.stamp != row.stamp:
            self._write(job.id, state="failed", error="made by another version")
            return
        try:
            missing = kind.missing(job.ids, job.options)
        except Exception as error:
            self._write(job.id, state="failed", error=_line(error))
            return
        self._write(job.id, state="running" if missing else "done", done=job.total - len(missing))
        if missing:
            self._open[job.id] = _Open(kind, dict(job.options), deque(missing))

    def _put_back(self, part: _Part, alone: bool) -> None:
        opened = self._open[part.job]
        if opened.stopped:
            opened.flying -= 1
            if not opened.flying:
                del self._open[part.job]
        elif alone:
            self._again.append(part)
        else:
            opened.flying -= 1
            opened.left.appendleft(part.id)

    def _take(self, part: _Part, outcome: tuple[bool, Any, float]) -> None:
        """Keep the result of a part, and count it then."""
        done, found, seconds = outcome
        opened = self._open[part.job]
        if done:
            try:
                opened.kind.keep(part.id, opened.options, found)
            except Exception as error:
                done, found = False, _line(error)
        with self._lock:
            opened.flying -= 1
            if not done:
                opened.error = opened.error or f"{part.id}: {found}"
            over = not opened.left and not opened.flying
            values: dict[str, Any] = {"seconds": _WORK.c.seconds + seconds, "error": opened.error}
            if done:
                values["done"] = _WORK.c.done + 1
            if over:
                del self._open[part.job]
                if not opened.stopped:
                    values["state"] = "failed" if opened.error else "done"
            self._write(part.job, **values)
        self.changed()

    def _write(self, number: int, **values: Any) -> None:
        with self._writing() as connection:
            connection.execute(_WORK.update().where(_WORK.c.id == number).values(changed=time.time(), **values))

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._database.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")


def _job(row: Any) -> Job:
    options = json.loads(row.options)
    figures = row.priority, row.state, row.done, row.total, row.seconds, row.error
    return Job(row.id, row.kind, tuple(json.loads(row.ids)), options, *figures)


def _database(path: Path) -> sa.Engine:
    """Open the table. One that is damaged, or another program's, goes aside: its jobs can be asked for again."""
    for _ in range(2):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR))
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 10})
        sa.event.listen(engine, "connect", _on_connect)
        try:
            with engine.connect() as connection:
                if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
                    raise DatabaseError("quick_check", None, ValueError("damaged"))
                _META.create_all(connection)
                connection.execute(sa.select(_WORK).limit(1)).all()
            return engine
        except DatabaseError:
            engine.dispose()
            path.replace(path.with_name(f"{path.name}.damaged"))
            for ending in ("-wal", "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
    raise OSError(f"{path.name}: the table of work cannot be made")


def _on_connect(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions begin where they are named
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
