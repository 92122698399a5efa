"""What is changed: tags, notes and names, answers to verdicts, work, and what was asked in the first minute."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pokermodel.analysis.people import join_player
from pokermodel.desk.desk import Desk
from pokermodel.desk.screens import as_json, known, show_work, wants_json
from pokermodel.library.listed import hand_numbers, player_numbers
from pokermodel.report.frame import WORK

__all__ = ["answer_verdict", "ask_work", "change_work", "choose_folder", "lift_waiting", "put_mine", "stop_work"]

_LOCAL = re.compile(r"/(?![/\\])[!-~]*")  # an address of the Desk


def put_mine(desk: Desk, request: Request, body: bytes) -> Response:
    """Keep what the user wrote about a hand or a player."""
    about, what = request.url.path.split("/")[1], request.path_params["what"]
    site, name = known(request)
    given, mine = _object(body), desk.book.mine
    with desk.lock:
        number = hand_numbers if about == "hand" else player_numbers
        if not number(desk.book, site, name):
            raise HTTPException(404, "nothing is there")
        if what == "tags" and isinstance(given.get("on"), bool):
            (mine.tag if given["on"] else mine.untag)(about, site, name, _text(given, "tag"))
        elif what == "note":
            mine.note(about, site, name, _text(given, "note").strip())
        elif what == "person" and about == "player":
            join_player(desk.book, site, name, _text(given, "person").strip())
        else:
            raise HTTPException(404, "nothing is there")
    kept = {"tags": mine.tags(about, site, name), "note": mine.note_of(about, site, name)}
    return as_json({**kept, "person": mine.person(site, name)} if about == "player" else kept)


def answer_verdict(desk: Desk, request: Request, body: bytes) -> Response:
    """Keep what the user thinks of a verdict."""
    given = {"answer": "", "note": "", **_object(body)}
    answer, note = _text(given, "answer"), _text(given, "note")
    if answer not in ("agree", "disagree", ""):
        raise ValueError(f"unknown answer: {answer[:40]!r}, expected agree, disagree or nothing")
    text = f"{answer}: {note}" if answer == "disagree" and note else answer
    site, number = known(request)
    if not hand_numbers(desk.book, site, number):
        raise HTTPException(404, f"hand {number}")
    desk.book.mine.answer_verdict(site, number, request.path_params["action"], text)
    return Response(status_code=204)


def ask_work(desk: Desk, request: Request, body: bytes) -> Response:
    """Ask for verdicts on a hand, or on all that a filter means; or for the gains of answers to a player."""
    given = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    site, number, player, where = (given.get(name, [""])[0] for name in ("site", "number", "player", "q"))
    if player:
        desk.judging.ask_player(site, player)
    elif not number:
        desk.judging.ask_all(where)
    elif hand_numbers(desk.book, site, number):
        desk.judging.ask_hand(site, number)
    else:
        raise HTTPException(404, f"hand {number}")
    return _asked(desk, request, given)


def stop_work(desk: Desk, request: Request, body: bytes) -> Response:
    """Stop all verdicts that are made, or wait."""
    for job in desk.judging.open_jobs():
        desk.judging.work.stop(job.id)
    return _asked(desk, request, parse_qs(body.decode("utf-8", "replace")))


def change_work(desk: Desk, request: Request) -> Response:
    """Stop a job, or ask for it again."""
    job, what = request.path_params["job"], request.path_params["what"]
    changes = {"stop": desk.judging.work.stop, "again": desk.judging.ask_again}
    try:
        changes[what](job)
    except (KeyError, OverflowError):  # the second from SQLite, of large numbers
        raise HTTPException(404, f"job {job}") from None
    return _asked(desk, request, {})


def _asked(desk: Desk, request: Request, given: Mapping[str, Sequence[str]]) -> Response:
    """Answer to what was asked of work: back to where it was asked."""
    if wants_json(request):
        return show_work(desk, request)
    back = given.get("back", [WORK])[0]
    return RedirectResponse(back if _LOCAL.fullmatch(back) else WORK, 303)


def choose_folder(desk: Desk, request: Request) -> Response:
    """Begin with a folder that was proposed."""
    try:
        desk.choose(request.path_params["which"])
    except KeyError:
        raise HTTPException(404, "no such folder") from None
    return RedirectResponse("/", 303)


def lift_waiting(desk: Desk, request: Request) -> Response:
    """Show ranges of rooms that are being played."""
    desk.lift()
    return RedirectResponse("/hands", 303)


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
