"""The addresses of the Desk, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from pokermodel.desk import changes, screens
from pokermodel.desk.desk import Desk
from pokermodel.desk.screens import as_json, wants_json
from pokermodel.errors import BookError, HistoryError, UnknownPlayerError
from pokermodel.report.frame import LIFT, WORK, line_words, problem_body, start_calls
from pokermodel.report.start import START

__all__ = ["LIGHT", "application"]

#: Beginnings of the addresses that cost nothing.
LIGHT = ("/static/", "/events")
_DAY = 24 * 3600
_REFUSED = (HTTPException, UnknownPlayerError, ValueError, BookError, OSError)


def application(desk: Desk) -> Starlette:
    """Return the application of a Desk. Its functions run in threads, but for those of `LIGHT`."""

    def get(address: str, answer: Callable[[Desk, Request], Response | Awaitable[Response]]) -> Route:
        return Route(address, partial(answer, desk))

    def post(address: str, answer: Callable[[Desk, Request], Response]) -> Route:
        return Route(address, partial(answer, desk), methods=["POST"])

    def take(address: str, answer: Callable[[Desk, Request, bytes], Response], method: str) -> Route:
        async def taken(request: Request) -> Response:
            return await run_in_threadpool(answer, desk, request, await request.body())

        return Route(address, taken, methods=[method])

    return Starlette(
        routes=[
            get("/", screens.show_today),
            get("/hands", screens.show_hands),
            get("/hand/{site}/{name:path}", screens.show_hand),
            get("/study", screens.show_study),
            get("/players", screens.show_players),
            get("/player/{site}/{name:path}", screens.show_player),
            get(WORK, screens.show_work),
            get(START, screens.show_start),
            get("/events", _events),
            get("/static/{name}", _static),
            take("/hand/{site}/{name:path}/{what}", changes.put_mine, "PUT"),
            take("/player/{site}/{name:path}/{what}", changes.put_mine, "PUT"),
            take("/study/{site}/{name:path}/{action:int}", changes.answer_verdict, "PUT"),
            take(WORK, changes.ask_work, "POST"),
            take(WORK + "/stop", changes.stop_work, "POST"),
            post(WORK + "/{job:int}/{what}", changes.change_work),
            post(START + "/{which}", changes.choose_folder),
            post(LIFT, changes.lift_waiting),
        ],
        exception_handlers=dict.fromkeys(_REFUSED, partial(_refused, desk)),
    )


async def _events(desk: Desk, request: Request) -> Response:
    last = request.headers.get("last-event-id", request.query_params.get("last"))
    stream = desk.events.stream(request.query_params.get("tab", ""), last)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _static(desk: Desk, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in desk.files:
        raise HTTPException(404, "no such file")
    kind = "text/javascript" if name.endswith(".js") else "text/css"
    kept = {"cache-control": f"private, max-age={_DAY}, immutable"}  # the name is the digest of the text
    return Response(desk.files[name], media_type=kind, headers=kept)


def _refused(desk: Desk, request: Request, error: Exception) -> Response:
    """Say in a line what was wrong with a request, or with the machine."""
    status, words = 400, str(error)
    if isinstance(error, HTTPException):
        status, words = error.status_code, error.detail
    elif isinstance(error, UnknownPlayerError | HistoryError):
        status, words = 404, error.reason if isinstance(error, HistoryError) else words
    elif isinstance(error, BookError | OSError):
        status, words = 507, line_words(error)
    if wants_json(request):
        return as_json({"error": words}, status)
    body = problem_body("Not found" if status == 404 else "Not done", words)
    return desk.page(body, status=status, calls=start_calls())
