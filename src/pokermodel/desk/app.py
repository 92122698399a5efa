"""The addresses of the Desk: one function gives each its data, which becomes a screen or JSON."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from pokermodel._core.json_text import dumps
from pokermodel.analysis.hand import read_hand
from pokermodel.analysis.hand_list import DECIDED, hand_list, hand_place
from pokermodel.analysis.today import PERIODS, today
from pokermodel.desk.events import Events
from pokermodel.errors import HistoryError
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.files import update
from pokermodel.library.listed import hand_numbers, rooms_since, stored_hand
from pokermodel.report.document import Page
from pokermodel.report.frame import (
    LIFT,
    frame,
    hand_address,
    hand_calls,
    list_calls,
    problem_body,
    status_words,
    today_calls,
    waits_body,
)
from pokermodel.report.hand_list import list_address, list_body
from pokermodel.report.page import hand_body
from pokermodel.report.today import today_body

__all__ = ["LIGHT", "PLAYING", "Desk"]

#: Beginnings of the addresses that cost nothing.
LIGHT = ("/static/", "/events")
#: Seconds after the last hand of a room for which it is being played.
PLAYING = 600
_DAY = 24 * 3600


class Desk:
    """A book and the folders that it follows, as an application.

    Parameters
    ----------
    book : Book
    folders : sequence of Path
        Where hand histories are, and come.
    study_while_playing : bool
        Whether ranges are shown of rooms that are being played.
    """

    def __init__(self, book: Book, folders: Sequence[Path], *, study_while_playing: bool = False) -> None:
        self.book = book
        self.events = Events()
        self._folders = list(folders)
        self._lifted = study_while_playing
        self._lock = threading.Lock()  # columns are extended by one thread at a time
        self._files: dict[str, str] = {}
        self._left_out = 0
        self._reading = bool(folders)
        self.app = Starlette(
            routes=[
                Route("/", self._today),
                Route("/hands", self._hands),
                Route("/hand/{site}/{number}", self._hand),
                Route(LIFT, self._lift, methods=["POST"]),
                Route("/events", self._events),
                Route("/static/{name}", self._static),
            ],
            exception_handlers={HTTPException: self._refused},
        )

    # ------------------------------------------------------------------------------------------------- what is new

    def look(self) -> None:
        """Read what is new in the folders."""
        self._reading = True
        try:
            found = update(self.book, *(folder for folder in self._folders if folder.exists()), progress=self._progress)
            self._left_out = len(found.errors)
        finally:
            self._reading = False
            self._tell()

    def _progress(self, hands: int) -> None:
        self._tell()

    def _tell(self) -> None:
        self.events.publish("status", {"text": self._status()})
        self.events.publish("hands", {"total": len(self.book)})

    def _status(self) -> str:
        playing = sorted(self._playing())
        return status_words(len(self.book), reading=self._reading, playing=playing, left_out=self._left_out)

    def _playing(self) -> frozenset[str]:
        """The rooms that are being played, as far as it matters. A clock of another time zone is a day off at most."""
        return frozenset() if self._lifted else frozenset(rooms_since(self.book, int(time.time()) - PLAYING))

    # --------------------------------------------------------------------------------------------------- addresses

    async def _today(self, request: Request) -> Response:
        query = request.query_params
        where, period = query.get("q", ""), query.get("period", PERIODS[0])

        def make() -> Response:
            problem = ""
            with self._lock:
                try:
                    found = today(self.book, where, period=period)
                except ValueError as error:
                    problem = str(error)
                    if _wants_json(request):
                        return _json({"error": problem}, 400)
                    found = today(self.book)
            if _wants_json(request):
                return _json(found.to_dict())
            around = frame("Today", query=where, status=self._status(), calls=today_calls(found.where, found.period))
            return self._page(today_body(found, problem=problem), around, 400 if problem else 200)

        return await run_in_threadpool(make)

    async def _hands(self, request: Request) -> Response:
        query = request.query_params
        where, sort, after = query.get("q", DECIDED), query.get("sort", "time"), query.get("from")

        def make() -> Response:
            problem = ""
            with self._lock:
                try:
                    found = hand_list(self.book, where, sort=sort, after=after)
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
        where, sort = query.get("q", DECIDED), query.get("sort", "time")

        def make() -> Response:
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
                report = None if waits else read_hand(hand, hero=hero)
            except HistoryError as error:
                raise HTTPException(404, error.reason) from None
            except ValueError as error:
                raise HTTPException(400, str(error)) from None
            if _wants_json(request):
                return _json({"waits": True} if report is None else report.to_dict(), 409 if report is None else 200)
            asked = {"q": where, "sort": sort}
            near = [("previous", place.before, "p"), ("next", place.after, "n")]
            links = [(words, hand_address(*each, asked), key) for words, each, key in near if each is not None]
            back = f"{list_address(where, sort)}#{site}-{number}"
            around = frame(
                "Hand",
                query=where,
                status=self._status(),
                links=[("back to the list", back, "Escape"), *links],
                calls=hand_calls(hand, hero),
            )
            return self._page(waits_body(site) if report is None else hand_body([report]), around)

        return await run_in_threadpool(make)

    async def _lift(self, request: Request) -> Response:
        self._lifted = True
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
