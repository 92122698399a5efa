"""The addresses of the Desk: one function gives each its data, which becomes a screen or JSON."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
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
from pokermodel._support.words import error_words
from pokermodel.analysis.book_study import book_study
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.hand_list import DECIDED, hand_list, hand_place
from pokermodel.analysis.judged import KNOWN, Stamp, is_older, read_stored, stored_verdicts
from pokermodel.analysis.people import join_player, player_list, player_view, seated_players
from pokermodel.analysis.today import PERIODS, today
from pokermodel.desk.events import Events
from pokermodel.desk.judging import Judging
from pokermodel.errors import BookError, HistoryError, UnknownPlayerError
from pokermodel.histories import Filter
from pokermodel.histories.samples import write_hands
from pokermodel.histories.usual_folders import UsualFolder, usual_folders
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import hand_numbers, last_time, player_numbers, rooms_since, stored_hand
from pokermodel.report.document import Page
from pokermodel.report.frame import (
    LIFT,
    WORK,
    failed_words,
    frame,
    hand_address,
    hand_calls,
    list_calls,
    mine_address,
    player_calls,
    players_calls,
    problem_body,
    start_calls,
    status_words,
    study_calls,
    today_calls,
    waits_body,
)
from pokermodel.report.hand_list import list_address, list_body
from pokermodel.report.page import hand_body
from pokermodel.report.people import player_body, players_address, players_body, seated_rows
from pokermodel.report.start import SAMPLE, START, start_body
from pokermodel.report.study_screen import hand_notes, pending_note, study_address, study_body, verdict_links
from pokermodel.report.today import today_body
from pokermodel.report.work_screen import work_body

__all__ = ["FOLDER", "LIGHT", "PLAYING", "Desk"]

#: The setting that names the folder which the user chose.
FOLDER = "folder"

#: Beginnings of the addresses that cost nothing.
LIGHT = ("/static/", "/events")
#: Seconds after the last hand of a room for which it is being played.
PLAYING = 600
_DAY = 24 * 3600
_VISITED = "visited"  # the time of the last hand that was there to see
_LOCAL = re.compile(r"/(?![/\\])[!-~]*")  # an address of the Desk
_AT_ONCE = 100_000  # seats that are counted before a request may be answered


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
    masked : bool
        Whether names and what was won are hidden, as for a screen that others see.
    sample : Path, optional
        Where the sample is put if the user chooses it.
    follow : callable
        Begins to follow a folder that the user chose, as it is asked where there are neither hands nor folders.
    """

    def __init__(
        self,
        book: Book,
        folders: Sequence[Path],
        work: Path,
        *,
        study_while_playing: bool = False,
        masked: bool = False,
        sample: Path | None = None,
        follow: Callable[[Path], object] = lambda folder: None,
    ) -> None:
        self.book = book
        self.events = Events()
        self._folders = list(folders)
        self._lifted = study_while_playing
        self._lock = threading.Lock()  # columns are extended by one thread at a time
        self._files: dict[str, str] = {}
        self._left_out, self._problem = 0, ""
        self._reading = bool(folders)
        self._looked = False
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
        self._sample, self._follow, self._masked = sample, follow, masked
        self._usual: list[UsualFolder] | None = None
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
                Route("/players", self._players),
                Route("/player/{site}/{name}", self._player),
                Route("/hand/{site}/{name}/{what}", self._put, methods=["PUT"]),
                Route("/player/{site}/{name}/{what}", self._put, methods=["PUT"]),
                Route(START, self._start),
                Route(START + "/{which}", self._begin, methods=["POST"]),
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
        with suppress(BookError, OSError):  # a book that is only read
            if (last := last_time(self.book)) is not None:
                self.book.mine.set(_VISITED, str(last))

    # ------------------------------------------------------------------------------------------------- what is new

    def look(self) -> None:
        """Read what is new in the folders."""
        self._reading = True
        try:
            found = update(self.book, *(folder for folder in self._folders if folder.exists()), progress=self._progress)
            self._left_out, self._problem = len(found.errors), ""
        except (OSError, BookError) as error:
            self._problem = failed_words(error)
            raise
        finally:
            self._reading = False
            self._tell()
        if found.read or found.gone or not self._looked:
            self._looked = True
            self._judging.learn()
        self._judging.work.wake()
        counted = False
        while not (counted or self.events.closed):  # what is usual is known before a player is looked at
            with self._lock:
                counted = self.book.everybody.count(_AT_ONCE)

    def _progress(self, hands: int) -> None:
        self._tell()

    def _tell(self) -> None:
        self.events.publish("status", {"text": self._status()})
        self.events.publish("hands", {"total": self.book.hands})
        self.events.publish("work", self._judging.news())

    def _status(self) -> str:
        playing = sorted(self._playing())
        return status_words(
            self.book.hands,
            reading=self._reading,
            playing=playing,
            left_out=self._left_out,
            problem=self._problem,
            waiting=self._judging.waiting(),
        )

    def _playing(self) -> frozenset[str]:
        """The rooms that are being played, as far as it matters. A clock of another time zone is a day off at most."""
        now = int(time.time())
        return frozenset() if self._lifted else frozenset(rooms_since(self.book, now - PLAYING, now + _DAY))

    # --------------------------------------------------------------------------------------------------- addresses

    async def _start(self, request: Request) -> Response:
        def make() -> Response:
            around = frame("", status=self._status(), calls=start_calls())
            return self._page(start_body(self._proposed()), around)

        return await run_in_threadpool(make)

    async def _begin(self, request: Request) -> Response:
        which = request.path_params["which"]

        def make() -> Response:
            with self._lock:
                if not self._asks():
                    return RedirectResponse("/", 303)
                if which == SAMPLE and self._sample is not None:
                    write_hands(self._sample)
                    chosen = self._sample
                else:
                    usual = {str(k): each.path for k, each in enumerate(self._proposed())}
                    if which not in usual:
                        raise HTTPException(404, "no such folder")
                    chosen = usual[which]
                self._folders.append(chosen)
                self._reading = True
            self.book.mine.set(FOLDER, str(chosen))
            self._follow(chosen)
            return RedirectResponse("/", 303)

        return await run_in_threadpool(make)

    def _asks(self) -> bool:
        """Whether there is nothing to show, and no folder to read."""
        return not (self._folders or self.book.hands)

    def _proposed(self) -> list[UsualFolder]:
        """Folders in which rooms write, as they were when they were first looked for: answers are numbers of them."""
        if self._usual is None:
            self._usual = usual_folders()
        return self._usual

    async def _today(self, request: Request) -> Response:
        if self._asks() and not _wants_json(request):
            return RedirectResponse(START, 303)
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
            links += [] if judged is None else verdict_links(judged.hand.decisions)
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
            return self._page(
                waits_body(site) if report is None else self._hand_body(report, site, number, where), around
            )

        return await run_in_threadpool(make)

    def _hand_body(self, report: HandReport, site: str, number: str, where: str) -> Page:
        """The page of a hand, whose names lead to their players, with what the user wrote about it."""
        mine = self.book.mine
        about: dict[str, Any] = {
            "mine": mine_address("hand", site, number),
            "tags": mine.tags("hand", site, number),
            "note": mine.note_of("hand", site, number),
        }
        with self._lock:
            about["people"] = seated_rows(seated_players(self.book, site, number), where)
        return hand_body([report], about=about)

    async def _players(self, request: Request) -> Response:
        query = request.query_params
        where, sort, after = query.get("q", ""), query.get("sort", "hands"), query.get("from")

        def make() -> Response:
            problem = ""
            with self._lock:
                try:
                    found = player_list(self.book, where, sort=sort, after=after)
                except ValueError as error:
                    problem = str(error)
                    if _wants_json(request):
                        return _json({"error": problem}, 400)
                    found = player_list(self.book)
            if _wants_json(request):
                return _json(found.to_dict())
            around = frame("Players", query=where, status=self._status(), calls=players_calls(found.where, found.sort))
            return self._page(players_body(found, problem=problem), around, 400 if problem else 200)

        return await run_in_threadpool(make)

    async def _player(self, request: Request) -> Response:
        site, name = _known(request)
        query = request.query_params
        where, by = query.get("q", ""), query.get("by")

        def make() -> Response:
            waits = site in self._playing()
            try:
                with self._lock:
                    found = None if waits else player_view(self.book, site, name, where, by=by)
            except UnknownPlayerError as error:
                raise HTTPException(404, str(error)) from None
            except ValueError as error:
                raise HTTPException(400, str(error)) from None
            if _wants_json(request):
                return _json({"waits": True} if found is None else found.to_dict(), 409 if found is None else 200)
            around = frame(
                "Player",
                query=where,
                status=self._status(),
                links=[("back to the list", f"{players_address(where)}#{site}-{name}", "Escape")],
                calls=player_calls(site, name, where),
            )
            return self._page(waits_body(site) if found is None else player_body(found, where, by), around)

        return await run_in_threadpool(make)

    async def _put(self, request: Request) -> Response:
        """Keep what the user wrote about a hand or a player."""
        about, what = request.url.path.split("/")[1], request.path_params["what"]
        site, name = _known(request)
        given = _object(await request.body())

        def make() -> Response:
            mine = self.book.mine
            try:
                with self._lock:
                    number = hand_numbers if about == "hand" else player_numbers
                    if not number(self.book, site, name):
                        raise HTTPException(404, "nothing is there")
                    if what == "tags" and isinstance(given.get("on"), bool):
                        (mine.tag if given["on"] else mine.untag)(about, site, name, _text(given, "tag"))
                    elif what == "note":
                        mine.note(about, site, name, _text(given, "note").strip())
                    elif what == "person" and about == "player":
                        join_player(self.book, site, name, _text(given, "person").strip())
                    else:
                        raise HTTPException(404, "nothing is there")
            except BookError as error:
                return _json({"error": failed_words(error)}, 507)
            except (ValueError, OSError) as error:
                return _json({"error": error_words(error)}, 400)
            kept = {"tags": mine.tags(about, site, name), "note": mine.note_of(about, site, name)}
            return _json({**kept, "person": mine.person(site, name)} if about == "player" else kept)

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
        framed = body.framed({**around, "masked": self._masked})
        self._files.update(framed.files)
        return Response(framed.html, status, media_type="text/html")


def _known(request: Request) -> tuple[str, str]:
    """Site and name, or id, of an address; a hyphen stands for no site."""
    site, name = request.path_params["site"], request.path_params.get("name", "")
    return "" if site == "-" else site, name


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HTTPException(400, "expected an object of JSON")
    return found


def _text(given: dict[str, Any], key: str) -> str:
    found = given.get(key)
    if not isinstance(found, str):
        raise ValueError(f"{key} is {str(found)[:40]!r}: expected text")
    return found


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted or ("authorization" in request.headers and "text/html" not in accepted)


def _json(data: Any, status: int = 200) -> Response:
    return Response(dumps(data), status, media_type="application/json")
