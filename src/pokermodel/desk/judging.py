"""Verdicts as work in the background: what is asked for, what waits, and what was done last."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pokermodel.analysis.book_study import judge_part, learn_part, pending
from pokermodel.analysis.book_verdicts import Stamp
from pokermodel.analysis.gains import Gains, gains_part, hands_of, keep_gains, kept_gains
from pokermodel.analysis.hand_list import meant
from pokermodel.analysis.people import player_view
from pokermodel.desk.work import LOOKED_AT, REST, TODAY, Job, Kind, Work
from pokermodel.histories import Filter
from pokermodel.library import Book, StoredVerdict
from pokermodel.library.session_starts import to_learn
from pokermodel.reading import PopulationModel

__all__ = ["Judging"]

_MOST_IDS = 5000  # of a job
_LATEST = 50  # hands that were judged last


class Judging:
    """The verdicts of a book as work.

    Parameters
    ----------
    book : Book
    path : Path
        The table of work.
    lock : threading.Lock
        Held while the columns of the book are in use.
    waits : callable
        Sites whose verdicts wait, since they are being played.
    reading : callable
        Whether hands are being read: what was known then is not known before they are.
    changed : callable
        Called, from any thread, when work has changed.
    """

    def __init__(
        self,
        book: Book,
        path: Path,
        lock: threading.Lock,
        *,
        waits: Callable[[], Collection[str]],
        reading: Callable[[], bool],
        changed: Callable[[], None],
    ) -> None:
        self.stamp = Stamp()
        self.judged = 0  # hands, since the start
        self.latest: deque[str] = deque(maxlen=_LATEST)
        self._book, self._lock, self._waits, self._reading = book, lock, waits, reading
        address = book.address
        kinds = {
            "judge": Kind(_judge, self._keep, self._missing, self.stamp.text, address),
            "gains": Kind(_work_out, self._keep_gains, self._missing_gains, self.stamp.text, address),
            "learn": Kind(_learn, lambda *_: None, self._behind, self.stamp.text, address),
        }
        self.work = Work(path, kinds, changed=changed, may=self._may)

    def _keep(self, name: str, options: Mapping[str, Any], rows: list[StoredVerdict]) -> None:
        self._book.verdicts.put(rows)
        self.latest.append(name)
        self.judged += 1

    def _missing(self, ids: Sequence[str], options: Mapping[str, Any]) -> list[str]:
        done = self._book.verdicts.hands(self.stamp.text)
        return [each for each in ids if tuple(each.split("/", 1)) not in done]

    def _keep_gains(self, name: str, options: Mapping[str, Any], found: Mapping[str, Gains]) -> None:
        keep_gains(self._book, *_player(name), found)
        self.latest.append(name)

    def _missing_gains(self, ids: Sequence[str], options: Mapping[str, Any]) -> list[str]:
        return [each for each in ids if hands_of(kept_gains(self._book, *_player(each))) != options["hands"]]

    def _behind(self, ids: Sequence[str], options: Mapping[str, Any]) -> list[str]:
        with self._lock:
            return list(ids) if to_learn(self._book, PopulationModel) else []

    def _may(self, job: Job) -> bool:
        if self._reading():
            return False
        waits = self._waits()
        return job.kind == "learn" or not any(each.split("/", 1)[0] in waits for each in job.ids[:1])

    def learn(self) -> None:
        """Have the book learn what hands say of people, if it has not."""
        self.work.ask("learn", ["people"], priority=LOOKED_AT)

    def ask_hand(self, site: str, number: str) -> int:
        """Ask for the verdicts on a hand that is looked at; return the number of the job."""
        return self.work.ask("judge", [f"{site}/{number}"], priority=LOOKED_AT)

    def ask_player(self, site: str, name: str) -> int:
        """Ask for the gains of answers to a player who is looked at; return the number of the job."""
        with self._lock:
            who = player_view(self._book, site, name)
        options = {"hands": who.played}
        return self.work.ask("gains", [f"{who.player.site}/{who.player.name}"], options, priority=LOOKED_AT)

    def ask_all(self, where: str) -> int:
        """Ask for those on all hands that a filter means; return how many there are.

        Those of the last session go first, then those in which most was at stake.
        """
        with self._lock:
            waiting = pending(self._book, meant(self._book, Filter(where)), self.stamp)
        jobs: dict[tuple[int, str], list[str]] = {}
        for each in waiting:
            jobs.setdefault((TODAY if each.recent else REST, each.site), []).append(f"{each.site}/{each.number}")
        for (priority, _), ids in jobs.items():
            for k, first in enumerate(range(0, len(ids), _MOST_IDS)):
                self.work.ask("judge", ids[first : first + _MOST_IDS], priority=priority, rank=float(k))
        return len(waiting)

    def ask_again(self, number: int) -> None:
        """Ask for a job once more; `KeyError` if there is none."""
        job = self.work.job(number)
        self.work.ask(job.kind, job.ids, job.options, priority=job.priority)

    def news(self) -> dict[str, Any]:
        """The state that pages compare with their own: judged hands, and progress of work."""
        summary = asdict(self.work.summary())
        del summary["seconds_left"]
        state = " ".join(map(str, summary.values()))
        return {"judged": self.judged, "latest": list(self.latest), "state": state}

    def open_jobs(self, kind: str = "judge") -> list[Job]:
        """Waiting and running jobs of a kind."""
        jobs = [*self.work.list("running"), *self.work.list("waiting")]
        return [job for job in jobs if job.kind == kind]

    def wanted(self, site: str, name: str, kind: str = "judge") -> bool:
        """Whether a hand waits for verdicts, or a player for gains."""
        return any(f"{site}/{name}" in job.ids for job in self.open_jobs(kind))

    def waiting(self) -> tuple[int, float | None]:
        """How many hands wait for verdicts, and the seconds that they take, if that is known."""
        left = self.work.left("judge")
        return left, self.work.summary().seconds_left if left else None


def _judge(address: str, name: str, options: Mapping[str, Any]) -> list[StoredVerdict]:
    site, _, number = name.partition("/")
    return judge_part(address, (site, number), Stamp())


def _player(name: str) -> tuple[str, str]:
    site, _, own = name.partition("/")
    return site, own


def _work_out(address: str, name: str, options: Mapping[str, Any]) -> dict[str, Gains]:
    return gains_part(address, _player(name))


def _learn(address: str, name: str, options: Mapping[str, Any]) -> int:
    return learn_part(address)
