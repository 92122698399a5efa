"""The addresses of the Desk: one function gives each its data, which becomes a screen or JSON."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from pokermodel._core.json_text import dumps
from pokermodel.analysis.book_study import book_study
from pokermodel.analysis.hand_list import DECIDED, hand_list, hand_place
from pokermodel.analysis.judged import KNOWN, Stamp, is_older, read_stored, stored_verdicts
from pokermodel.analysis.today import PERIODS, today
from pokermodel.desk.events import Events
from pokermodel.desk.judging import Judging
from pokermodel.errors import HistoryError
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import hand_numbers, last_time, rooms_since, stored_hand
from pokermodel.report.document import Page
from pokermodel.report.frame import (
    LIFT,
    WORK,
    frame,
    hand_address,
    hand_calls,
    list_calls,
    problem_body,
    status_words,
    study_calls,
    today_calls,
    waits_body,
)
from pokermodel.report.hand_list import list_address, list_body
from pokermodel.report.page import hand_body
from pokermodel.report.study_screen import hand_notes, pending_note, study_address, study_body
from pokermodel.report.today import today_body
from pokermodel.report.work_screen import work_body

__all__ = ["LIGHT", "PLAYING", "Desk"]

#: Beginnings of the addresses that cost nothing.
LIGHT = ("/static/", "/events")
#: Seconds after the last hand of a room for which it is being played.
PLAYING = 600
_DAY = 24 * 3600
_VISITED = "visited"  # the time of the last hand that was there to see
_LOCAL = re.compile(r"/(?![/\\])[!-~]*")  # an address of the Desk


class Desk:
    """A book and the folders that it follows, as an application.

    Parameters
    ----------
    book : Book
    folders : sequence of Path
        Where hand histories are, and come.
    work : Path
        The table of work.
    study_while_playing : bool
        Whether ranges are shown of rooms that are being played.
    """

    def __init__(self, book: Book, folders: Sequence[Path], work: Path, *, study_while_playing: bool = False) -> None:
        self.book = book
        self.events = Events()
        self._folders = list(folders)
        self._lifted = study_while_playing
        self._lock = threading.Lock()  # columns are extended by one thread at a time
        self._files: dict[str, str] = {}
        self._left_out = 0
        self._reading = bool(folders)
        visited = book.mine.settings().get(_VISITED, "")
        self._visited = int(visited) if visited.isdecimal() else None
        self._judging = Judging(
            book,
            work,
            self._lock,
            waits=self._playing,
            reading=lambda: self._reading,
            changed=self._tell,
        )
        self.app = Starlette(
            routes=[
                Route("/", self._today),
                Route("/hands", self._hands),
                Route("/hand/{site}/{number}", self._hand),
                Route("/study", self._study),
                Route("/study/{site}/{number}/{action:int}", self._answer, methods=["PUT"]),
                Route(WORK, self._work),
                Route(WORK, self._ask, methods=["POST"]),
                Route(WORK + "/stop", self._stop_all, methods=["POST"]),
                Route(WORK + "/{job:int}/{what}", self._change, methods=["POST"]),
                Route(LIFT, self._lift, methods=["POST"]),
                Route("/events", self._events),
                Route("/static/{name}", self._static),
            ],
            exception_handlers={HTTPException: self._refused},
        )

    def start(self) -> None:
        """Begin to do what was asked for before."""
        self._judging.work.start()
        if not self._folders:
            self._judging.learn()

    def close(self) -> None:
        """End what is done in the background, and note what was there to see."""
        self._judging.work.close()
        if (last := last_time(self.book)) is not None:
            self.book.mine.set(_VISITED, str(last))

    # ------------------------------------------------------------------------------------------------- what is new

    def look(self) -> None:
        """Read what is new in the folders."""
        self._reading = True
        try:
            found = update(self.book, *(folder for folder in self._folders if folder.exists()), progress=self._progress)
            self._left_out = len(found.errors)
        finally:
            self._reading = False
            self._judging.learn()
            self._judging.work.wake()
            self._tell()

    def _progress(self, hands: int) -> None:
        self._tell()

    def _tell(self) -> None:
        self.events.publish("status", {"text": self._status()})
        self.events.publish("hands", {"total": len(self.book)})
        self.events.publish("work", self._judging.news())

    def _status(self) -> str:
        playing = sorted(self._playing())
        waiting = self._judging.waiting()
        left_out = self._left_out
        return status_words(len(self.book), reading=self._reading, playing=playing, left_out=left_out, waiting=waiting)

    def _playing(self) -> frozenset[str]:
        """The rooms that are being played, as far as it matters. A clock of another time zone is a day off at most."""
        now = int(time.time())
        return frozenset() if self._lifted else frozenset(rooms_since(self.book, now - PLAYING, now + _DAY))

    # --------------------------------------------------------------------------------------------------- addresses

    async def _today(self, request: Request) -> Response:
        query = request.query_params
        where, period = query.get("q", ""), query.get("period", PERIODS[0])

        def make() -> Response:
            problem = ""
            with self._lock:
                try:
                    found = today(self.book, where, period=period, since=self._visited, hidden=self._playing())
                except ValueError as error:
                    problem = str(error)
                    if _wants_json(request):
                        return _json({"error": problem}, 400)
                    found = today(self.book)
            if _wants_json(request):
                return _json(found.to_dict())
            around = frame("Today", query=where, status=self._status(), calls=today_calls(found.where, found.period))
            waiting, made = bool(self._judging.waiting()[0]), self._judging.judged
            return self._page(
                today_body(found, problem=problem, waiting=waiting, made=made), around, 400 if problem else 200
            )

        return await run_in_threadpool(make)

    async def _hands(self, request: Request) -> Response:
        query = request.query_params
        where, sort, after = query.get("q", DECIDED), query.get("sort", "time"), query.get("from")

        def make() -> Response:
            problem = ""
            with self._lock:
                try:
                    stamp, hidden = self._judging.stamp.text, self._playing()
                    found = hand_list(self.book, where, sort=sort, after=after, stamp=stamp, hidden=hidden)
                except ValueError as error:
                    problem = str(error)
                    if _wants_json(request):
                        return _json({"error": problem}, 400)
                    found = hand_list(self.book)
            if _wants_json(request):
                return _json(found.to_dict())
            around = frame("Hands", query=where, status=self._status(), calls=list_calls(found.where, found.sort))
            return self._page(list_body(found, problem=problem), around, 400 if problem else 200)

        return await run_in_threadpool(make)

    async def _hand(self, request: Request) -> Response:
        site, number = request.path_params["site"], request.path_params["number"]
        query = request.query_params
        where, sort, known = query.get("q", DECIDED), query.get("sort", "time"), query.get("as", KNOWN[0])

        def make() -> Response:
            stamp, words, older, learnt, judged = Stamp(known=known), None, False, True, None
            try:
                with self._lock:
                    numbers = hand_numbers(self.book, site, number)
                    if not numbers:
                        raise HTTPException(404, f"hand {number}")
                    hero = Filter(where).hero
                    place = hand_place(self.book, site, number, where, sort=sort)
                    hand = stored_hand(self.book, numbers[0])
                waits = site in self._playing()
                hero = hero if hero in hand.players else hand.hero
                hero = hero if hero is not None and hand.players.index(hero) in hand.holdings else None
                report = None
                if not waits:
                    with self._lock:
                        report, learnt = read_stored(self.book, numbers[0], hero=hero, stamp=stamp)
                    judged = stored_verdicts(self.book, site, number, self._judging.stamp)
                    words = None if judged is None else [each.word for each in judged.hand.decisions]
                    older = judged is None and is_older(self.book, site, number, self._judging.stamp)
            except HistoryError as error:
                raise HTTPException(404, error.reason) from None
            except ValueError as error:
                raise HTTPException(400, str(error)) from None
            if _wants_json(request):
                if report is None:
                    return _json({"waits": True}, 409)
                decisions = None if judged is None else [each.to_dict() for each in judged.hand.decisions]
                return _json({**report.to_dict(), "as": known, "decisions": decisions})
            asked = {"q": where, "sort": sort}
            near = [("previous", place.before, "p"), ("next", place.after, "n")]
            links = [(words, hand_address(*each, asked), key) for words, each, key in near if each is not None]
            back = f"{list_address(where, sort)}#{site}-{number}"
            other = KNOWN[1] if known == KNOWN[0] else KNOWN[0]
            links.append((f"as known {other}", hand_address(site, number, {**asked, "as": other}), ""))
            here = hand_address(site, number, asked if known == KNOWN[0] else {**asked, "as": known})
            waiting = self._judging.wanted(site, number)
            notes = hand_notes(
                site, number, here, words=words, older=older, waiting=waiting, learnt=learnt, known=known
            )
            around = frame(
                "Hand",
                query=where,
                status=self._status(),
                links=[("back to the list", back, "Escape"), *links],
                calls=hand_calls(hand, hero),
                notes=[] if report is None else notes,
                waits=f"{site}/{number}" if waiting else "",
            )
            return self._page(waits_body(site) if report is None else hand_body([report]), around)

        return await run_in_threadpool(make)

    async def _study(self, request: Request) -> Response:
        where = request.query_params.get("q", "")

        def make() -> Response:
            problem = ""
            with self._lock:
                hidden = self._playing()
                try:
                    found = book_study(self.book, where, stamp=self._judging.stamp, hidden=hidden)
                except ValueError as error:
                    problem = str(error)
                    if _wants_json(request):
                        return _json({"error": problem}, 400)
                    found = book_study(self.book, stamp=self._judging.stamp, hidden=hidden)
            if _wants_json(request):
                return _json(found.to_dict())
            waiting = bool(self._judging.waiting()[0])
            notes = pending_note(found.summary, found.where, study_address(found.where), waiting=waiting)
            calls = study_calls(found.where)
            around = frame("Study", query=where, status=self._status(), calls=calls, notes=notes)
            made = self._judging.judged
            return self._page(study_body(found, problem=problem, made=made), around, 400 if problem else 200)

        return await run_in_threadpool(make)

    async def _answer(self, request: Request) -> Response:
        """Keep what the user thinks of a verdict."""
        site, number, action = (request.path_params[name] for name in ("site", "number", "action"))
        try:
            given = json.loads(await request.body())
            answer, note = given.get("answer", ""), given.get("note", "")
            if answer not in ("agree", "disagree", "") or not isinstance(note, str):
                raise ValueError(f"unknown answer: {str(answer)[:40]!r}, expected agree, disagree or nothing")
            text = f"{answer}: {note}" if answer == "disagree" and note else answer
            await run_in_threadpool(self.book.mine.answer_verdict, site, number, action, text)
        except (ValueError, AttributeError, RecursionError) as error:
            raise HTTPException(400, str(error)) from None
        return Response(status_code=204)

    async def _work(self, request: Request) -> Response:
        def make() -> Response:
            work = self._judging.work
            jobs, summary = [asdict(job) for job in work.list()], asdict(work.summary())
            if _wants_json(request):
                return _json({"summary": summary, "jobs": jobs})
            around = frame("Work", status=self._status(), calls=study_calls(""))
            return self._page(work_body(jobs, summary, self._judging.news()["state"]), around)

        return await run_in_threadpool(make)

    async def _ask(self, request: Request) -> Response:
        """Ask for verdicts: on a hand, or on all that a filter means."""
        given = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
        site, number, where = (given.get(name, [""])[0] for name in ("site", "number", "q"))

        def ask() -> None:
            if not number:
                self._judging.ask_all(where)
                return
            if not hand_numbers(self.book, site, number):
                raise HTTPException(404, f"hand {number}")
            self._judging.ask_hand(site, number)

        try:
            await run_in_threadpool(ask)
        except ValueError as error:
            raise HTTPException(400, str(error)) from None
        return await self._asked(request, given)

    async def _stop_all(self, request: Request) -> Response:
        given = parse_qs((await request.body()).decode("utf-8", "replace"))

        def stop() -> None:
            for job in self._judging.open_jobs():
                self._judging.work.stop(job.id)

        await run_in_threadpool(stop)
        return await self._asked(request, given)

    async def _change(self, request: Request) -> Response:
        """Stop a job, or ask for it again."""
        job, what = request.path_params["job"], request.path_params["what"]
        changes = {"stop": self._judging.work.stop, "again": self._judging.ask_again}
        try:
            await run_in_threadpool(changes[what], job)
        except KeyError:
            raise HTTPException(404, f"job {job}") from None
        return await self._asked(request, {})

    async def _asked(self, request: Request, given: Mapping[str, Sequence[str]]) -> Response:
        """Answer to what was asked of work: back to where it was asked."""
        if _wants_json(request):
            return await self._work(request)
        back = given.get("back", [WORK])[0]
        return RedirectResponse(back if _LOCAL.fullmatch(back) else WORK, 303)

    async def _lift(self, request: Request) -> Response:
        self._lifted = True
        self._judging.work.wake()
        await run_in_threadpool(self._tell)
        return RedirectResponse("/hands", 303)

    async def _events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id", request.query_params.get("last"))
        try:
            stream = self.events.stream(request.query_params.get("tab", ""), last)
        except ValueError as error:
            raise HTTPException(400, str(error)) from None
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._files:
            raise HTTPException(404, "no such file")
        kind = "text/javascript" if name.endswith(".js") else "text/css"
        kept = {"cache-control": f"private, max-age={_DAY}, immutable"}  # the name is the digest of the text
        return Response(self._files[name], media_type=kind, headers=kept)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if _wants_json(request):
            return _json({"error": error.detail}, error.status_code)
        around = frame("", calls=list_calls(DECIDED, "time"))
        return self._page(problem_body("Not found", error.detail), around, error.status_code)

    def _page(self, body: Page, around: dict[str, Any], status: int = 200) -> Response:
        framed = body.framed(around)
        self._files.update(framed.files)
        return Response(framed.html, status, media_type="text/html")


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted or ("authorization" in request.headers and "text/html" not in accepted)


def _json(data: Any, status: int = 200) -> Response:
    return Response(dumps(data), status, media_type="application/json")
