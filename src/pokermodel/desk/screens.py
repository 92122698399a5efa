"""What is shown: one function for each screen gives its data, which becomes a page or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pokermodel._core.json_text import dumps
from pokermodel.analysis.book_study import book_study
from pokermodel.analysis.book_verdicts import KNOWN, READER, Stamp, is_older, read_stored, readers_of, stored_verdicts
from pokermodel.analysis.gains import hands_of, kept_gains, with_gains
from pokermodel.analysis.hand_list import DECIDED, hand_list, hand_place
from pokermodel.analysis.people import player_list, player_view, seated_players
from pokermodel.analysis.today import PERIODS, today
from pokermodel.desk.desk import Desk
from pokermodel.histories import Filter
from pokermodel.library.listed import hand_numbers, stored_hand
from pokermodel.report import frame
from pokermodel.report.document import Page
from pokermodel.report.hand_list import list_address, list_body
from pokermodel.report.page import hand_body
from pokermodel.report.people import gain_notes, player_body, players_address, players_body, seated_rows
from pokermodel.report.start import START, start_body
from pokermodel.report.study_screen import hand_notes, study_body, verdict_lines, verdict_links
from pokermodel.report.today import today_body
from pokermodel.report.work_screen import work_body

__all__ = [
    *("as_json", "known", "show_hand", "show_hands", "show_player", "show_players", "show_start", "show_study"),
    *("show_today", "show_work", "wants_json"),
]


def known(request: Request) -> tuple[str, str]:
    """Site and name, or id, of an address; a hyphen stands for no site."""
    site, name = request.path_params["site"], request.path_params["name"]
    return "" if site == "-" else site, name


def wants_json(request: Request) -> bool:
    """Whether an answer is for a program."""
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted or ("authorization" in request.headers and "text/html" not in accepted)


def as_json(data: Any, status: int = 200) -> Response:
    """An answer for a program."""
    return Response(dumps(data), status, media_type="application/json")


# ----------------------------------------------------------------------------------------- of hands that a filter means

#: What finds the data of a screen, what draws it, and the calls that give the same.
_LISTINGS: dict[str, tuple[Callable[..., Any], Callable[..., Page], Callable[[Any], tuple[str, str]]]] = {
    "Today": (today, today_body, lambda found: frame.today_calls(found.where, found.period)),
    "Hands": (hand_list, list_body, lambda found: frame.list_calls(found.where, found.sort)),
    "Players": (player_list, players_body, lambda found: frame.players_calls(found.where, found.sort)),
    "Study": (book_study, study_body, lambda found: frame.study_calls(found.where)),
}


def _listing(
    desk: Desk, request: Request, here: str, state: Mapping[str, Any], chosen: Mapping[str, Any], **options: Any
) -> Response:
    """A screen of the hands that a filter means.

    What is wrong with the filter, or with what else was chosen in the address, stands above the screen without either.
    """
    find, body, calls = _LISTINGS[here]
    where, problem = request.query_params.get("q"), ""
    words = (where or "").strip()
    if words and not set("=<>").intersection(words):  # no filter, but a hand or a player
        where = f"id={words}" if words.isdecimal() else str(Filter("").with_player(words))
    with desk.lock:
        try:
            found = find(desk.book, **options, **chosen, **({} if where is None else {"where": where}))
        except ValueError as error:
            if wants_json(request):
                raise
            problem, found = str(error), find(desk.book, **options)
    if wants_json(request):
        return as_json(found.to_dict())
    shown, status = found.where if where is None else where, 400 if problem else 200
    return desk.page(body(found, problem=problem, **state), here, status, query=shown, calls=calls(found))


def _verdicts(desk: Desk) -> dict[str, Any]:
    """How far verdicts are, and of which sites they wait, as pages show it."""
    waiting = bool(desk.judging.waiting()[0])
    return {"waiting": waiting, "made": desk.judging.judged, "playing": sorted(desk.playing())}


def show_today(desk: Desk, request: Request) -> Response:
    """How the player is doing."""
    if desk.asks() and not wants_json(request):
        return RedirectResponse(START, 303)
    chosen = {"period": request.query_params.get("period", PERIODS[0])}
    return _listing(desk, request, "Today", _verdicts(desk), chosen, since=desk.visited, hidden=desk.playing())


def show_hands(desk: Desk, request: Request) -> Response:
    """A list of hands."""
    query = request.query_params
    chosen = {"sort": query.get("sort", "time"), "after": query.get("from")}
    return _listing(desk, request, "Hands", {}, chosen, stamp=desk.judging.stamp.text, hidden=desk.playing())


def show_players(desk: Desk, request: Request) -> Response:
    """A list of players."""
    query = request.query_params
    return _listing(desk, request, "Players", {}, {"sort": query.get("sort", "hands"), "after": query.get("from")})


def show_study(desk: Desk, request: Request) -> Response:
    """Decisions that were judged, the costliest first."""
    return _listing(desk, request, "Study", _verdicts(desk), {}, stamp=desk.judging.stamp, hidden=desk.playing())


# ------------------------------------------------------------------------------------------------------------- of one


def show_player(desk: Desk, request: Request) -> Response:
    """What is known of a player."""
    site, name = known(request)
    where, by = request.query_params.get("q", ""), request.query_params.get("by")
    waits = site in desk.playing()
    with desk.lock:
        found = None if waits else player_view(desk.book, site, name, where, by=by)
    notes: list[frame.Note] = []
    waiting, key = False, ""
    if found is not None and not where:
        who = found.player.site, found.player.name
        kept, waiting, key = kept_gains(desk.book, *who), desk.judging.wanted(*who, "gains"), "/".join(who)
        found = with_gains(found, kept)
        notes = gain_notes(found, hands_of(kept), waiting=waiting)
    if wants_json(request):
        return as_json({"waits": True} if found is None else found.to_dict(), 409 if found is None else 200)
    return desk.page(
        frame.waits_body(site) if found is None else player_body(found, where, by),
        "Player",
        query=where,
        links=[("back to the list", f"{players_address(where)}#{quote(f'{site}-{name}', safe='')}", "Escape")],
        calls=frame.player_calls(site, name, where),
        notes=notes,
        waits=key if waiting else "",
    )


def show_hand(desk: Desk, request: Request) -> Response:
    """A hand in its list, read as it was known then, or now, with the verdicts that are kept."""
    book, stamp = desk.book, desk.judging.stamp
    site, number = request.path_params["site"], request.path_params["name"]
    query = request.query_params
    where, sort = query.get("q", DECIDED), query.get("sort", "time")
    when, reader = query.get("as", KNOWN[0]), query.get("reader", READER)
    report = judged = None
    learnt = True
    with desk.lock:
        numbers = hand_numbers(book, site, number)
        if not numbers:
            raise HTTPException(404, f"hand {number}")
        hero = Filter(where).hero
        place = hand_place(book, site, number, where, sort=sort)
        hand = stored_hand(book, numbers[0])
    hero = hero if hero in hand.players else hand.hero
    hero = hero if hero is not None and hand.players.index(hero) in hand.holdings else None
    if site not in desk.playing():
        with desk.lock:
            report, learnt = read_stored(book, numbers[0], hero=hero, stamp=Stamp(known=when), reader=reader)
        judged = stored_verdicts(book, site, number, stamp)
    decisions = None if judged is None else judged.hand.decisions
    if wants_json(request):
        if report is None:
            return as_json({"waits": True}, 409)
        plain = None if decisions is None else [each.to_dict() for each in decisions]
        return as_json({**report.to_dict(), "as": when, "decisions": plain})

    listed = {"q": where, "sort": sort}
    chosen = {name: query[name] for name in ("as", "reader") if name in query}
    near = [("previous", place.before, "p"), ("next", place.after, "n")]
    links = [("back to the list", f"{list_address(where, sort)}#{quote(f'{site}-{number}', safe='')}", "Escape")]
    links += [(words, frame.hand_address(*each, listed), key) for words, each, key in near if each is not None]
    other = KNOWN[1] if when == KNOWN[0] else KNOWN[0]
    links.append((f"as known {other}", frame.hand_address(site, number, {**listed, **chosen, "as": other}), ""))
    links += verdict_links(decisions or ())
    readers = [
        (name, frame.hand_address(site, number, {**listed, **chosen, "reader": name}), name == reader)
        for name in readers_of(fixed=hand.spec.structure.fixed)
    ]
    waiting = desk.judging.wanted(site, number)
    notes = hand_notes(
        site,
        number,
        frame.hand_address(site, number, {**listed, **chosen}),
        words=None if decisions is None else [each.word for each in decisions],
        older=judged is None and is_older(book, site, number, stamp),
        waiting=waiting,
        learnt=learnt,
        known=when,
        reader="" if reader == READER else reader,
    )
    if report is None:
        body, notes = frame.waits_body(site), []
    else:
        with desk.lock:
            people = seated_rows(seated_players(book, site, number), where)
        tags, note = book.mine.tags("hand", site, number), book.mine.note_of("hand", site, number)
        about: dict[str, Any] = {
            "mine": frame.mine_address("hand", site, number),
            "tags": tags,
            "note": note,
            "people": people,
        }
        about["verdicts"] = verdict_lines(decisions)
        body = hand_body([report], about=about)
    return desk.page(
        body,
        "Hand",
        query=where,
        links=links,
        choices=[("ranges by", readers)],
        calls=frame.hand_calls(hand, hero, "" if reader == READER else reader),
        notes=notes,
        waits=f"{site}/{number}" if waiting else "",
    )


def show_work(desk: Desk, request: Request) -> Response:
    """What is done in the background."""
    work = desk.judging.work
    jobs, summary = [asdict(job) for job in work.list()], asdict(work.summary())
    if wants_json(request):
        return as_json({"summary": summary, "jobs": jobs})
    return desk.page(work_body(jobs, summary, desk.judging.news()["state"]), "Work", calls=frame.study_calls(""))


def show_start(desk: Desk, request: Request) -> Response:
    """The question where hand histories are."""
    return desk.page(start_body(desk.proposed()), calls=frame.start_calls())
