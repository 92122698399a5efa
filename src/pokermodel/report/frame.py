"""The frame of the Desk: what stands around every screen, in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from pokermodel._support.words import counted, error_words
from pokermodel.analysis.hand_list import DECIDED
from pokermodel.game import Hand
from pokermodel.report.document import Page

__all__ = [
    *("LIFT", "SCREENS", "WORK", "Note", "frame", "hand_address", "hand_calls", "left_words", "line_words"),
    *("list_calls", "mine_address", "player_calls", "players_calls", "problem_body", "start_calls", "status_words"),
    *("study_calls", "today_calls", "waits_body", "waits_notes"),
]

#: Screens by name: their address, and the key that leads there after ``g``.
SCREENS = {"Today": ("/", "t"), "Hands": ("/hands", "h"), "Study": ("/study", "s"), "Players": ("/players", "p")}
#: Lifts what `waits_body` explains.
LIFT = "/study-while-playing"
_ANYWAY = "Show them in this session anyway"
_KEYS = {"/": "search", "?": "these keys", "g t": "today", "g h": "hands", "g s": "study", "g p": "players"}
_OF_MINE = {"t": "tag", "e": "note"}
_OF_SCREEN = {
    "Players": {"j k": "next, previous player", "Enter": "open it"},
    "Player": {"Esc": "back to the list", **_OF_MINE},
    "Hands": {"j k": "next, previous hand", "Enter": "open it", "f": "filter"},
    "Hand": {
        "\N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW}": "steps of the hand",
        "Home End": "its ends",
        "n p": "next, previous hand",
        "Esc": "back to the list",
        "c": "copy range",
        **_OF_MINE,
    },
    "Study": {
        "n p": "next, previous decision",
        "1 2 3": "what you would do",
        "space": "show the verdict",
        "a d": "agree, disagree",
        "Enter": "open the hand",
    },
}
#: Where work is asked for.
WORK = "/work"


class Note(NamedTuple):
    """A line above a screen, with a button or without."""

    text: str
    button: str = ""
    address: str = WORK
    fields: Mapping[str, str] = {}  #: What the button sends.


def frame(
    here: str,
    *,
    query: str = "",
    status: str = "",
    calls: tuple[str, str],
    links: Sequence[tuple[str, str, str]] = (),
    choices: Sequence[tuple[str, Sequence[tuple[str, str, bool]]]] = (),
    notes: Sequence[Note] = (),
    waits: str = "",
) -> dict[str, Any]:
    """Gather what the frame of a screen shows.

    Parameters
    ----------
    query : str
        The filter, in its canonical text: it stays from screen to screen, but for the one that lists begin with.
    status : str
        The line of status, as `status_words` has it.
    calls : (str, str)
        The command and the Python call that give the same.
    links : sequence of (str, str, str)
        Where else the screen leads: words, address and key.
    choices : sequence of (str, sequence)
        What else can be chosen: a name, and for each choice its words, its address, and whether it is the present one.
    waits : str
        The hand, as site/id, whose verdicts the screen waits for.
    """
    query = "" if query == DECIDED else query
    ending = f"?{urlencode({'q': query})}" if query else ""
    return {
        "here": here,
        "screens": [(name, address + ending, key) for name, (address, key) in SCREENS.items()],
        "query": query,
        "status": status,
        "links": links,
        "choices": choices,
        "notes": notes,
        "waits": waits,
        "masked": False,
        "keymap": list({**_OF_SCREEN.get(here, {}), **_KEYS}.items()),
        "command": calls[0],
        "python": calls[1],
    }


def status_words(
    hands: int,
    *,
    reading: bool = False,
    playing: Sequence[str] = (),
    left_out: int = 0,
    problem: str = "",
    waiting: tuple[int, float | None] = (0, None),
) -> str:
    """Say in a line what goes on: hands, whether more are read, what was left out, is wrong, waits or is played.

    `waiting` is how many hands wait for verdicts, and the seconds that they take if that is known.
    """
    parts = [f"{counted(hands, 'hand')}, reading" if reading else counted(hands, "hand")]
    if left_out:
        parts.append(f"{counted(left_out, 'hand')} or files left out: see the terminal")
    if problem:
        parts.append(f"not all hands could be read or kept: {problem}")
    if waiting[0]:
        parts.append(f"{counted(waiting[0], 'hand')} to judge{left_words(waiting[1])}")
    if playing:
        parts.append(f"playing at {', '.join(playing)}: advice waits")
    return " \N{MIDDLE DOT} ".join(parts)


def left_words(seconds: float | None) -> str:
    """Say how long work takes, in brackets; nothing where that is not known."""
    if seconds is None:
        return ""
    return f" ({seconds / 60:.0f} min)" if seconds >= 90 else f" ({max(seconds, 1):.0f} s)"


def line_words(error: BaseException) -> str:
    """Say in a line what is wrong, without the folders of files."""
    words = error_words(error)
    for name in (getattr(error, "filename", None), getattr(error, "where", None)):
        words = words.replace(f"{name}: ", "") if name else words
    return re.sub(r"\S*[/\\]", "", " ".join(words.split()))


def waits_notes(sites: Sequence[str]) -> list[Note]:
    """Say in a list of verdicts that those of some sites are not in it, with a button that lifts it."""
    return [
        Note(
            f"Verdicts on hands of {site} wait until ten minutes after its last hand: rooms forbid advice during play.",
            _ANYWAY,
            LIFT,
        )
        for site in sites
    ]


def waits_body(site: str) -> Page:
    """Explain why ranges wait, with a button that lifts it."""
    lines = [
        f"Hands of {site} arrived within the last ten minutes. Rooms forbid analysis during play and close accounts "
        "for it. Ranges, exploits and verdicts of this room wait until ten minutes after its last hand."
    ]
    button = (_ANYWAY, LIFT)
    return Page("notice", title="Advice waits", heading="Advice waits", lines=lines, button=button)


def problem_body(heading: str, problem: str) -> Page:
    """Say what is wrong with what was asked for."""
    return Page("notice", title=heading, heading=heading, lines=[problem], button=None)


def list_calls(where: str, sort: str) -> tuple[str, str]:
    """Name the command and the Python call that give a list."""
    return f"pokermodel list FILE{_option(where)}", f"hand_list(book, {where!r}, sort={sort!r})"


def _option(where: str) -> str:
    return f" --where {shlex.quote(where)}" if where else ""


def start_calls() -> tuple[str, str]:
    """Name the command and the Python call that begin with a folder."""
    return "pokermodel open FOLDER", "update(book, folder)"


def players_calls(where: str, sort: str) -> tuple[str, str]:
    """Name the command and the Python call that give a list of players."""
    return "pokermodel profile --book BOOK", f"player_list(book, {where!r}, sort={sort!r})"


def player_calls(site: str, name: str, where: str) -> tuple[str, str]:
    """Name the command and the Python call that give what is known of a player."""
    return f"pokermodel profile {shlex.quote(name)} --book BOOK", f"player_view(book, {site!r}, {name!r}, {where!r})"


def mine_address(about: str, site: str, name: str) -> str:
    """Return the beginning of the addresses that take what the user writes about a hand or a player."""
    return f"/{about}/{quote(site or '-', safe='')}/{quote(name, safe='')}"


def today_calls(where: str, period: str) -> tuple[str, str]:
    """Name the command and the Python call that give how a player is doing."""
    return f"pokermodel list FILE{_option(where)}", f"today(book, {where!r}, period={period!r})"


def study_calls(where: str) -> tuple[str, str]:
    """Name the command and the Python call that give the verdicts of hands."""
    return f"pokermodel study --book BOOK --fast{_option(where)}", f"book_study(book, {where!r})"


def hand_calls(hand: Hand, hero: str | None, reader: str = "") -> tuple[str, str]:
    """Name the command and the Python call that give a hand, by a reader that is not the usual one."""
    option = "" if hero is None else f" --hero {shlex.quote(hero)}"
    command = f"pokermodel read FILE --where id={shlex.quote(hand.id)}{option}"
    if not reader:
        return command, f"pm.read_hand(hand, hero={hero!r})"
    return f"{command} --model {reader}", f"pm.read_hand(hand, model={reader!r}, hero={hero!r})"


def hand_address(site: str, number: str, where: Mapping[str, str] | None = None) -> str:
    """Return the address of a hand, in the list that a filter gives."""
    ending = f"?{urlencode(where)}" if where else ""
    return f"/hand/{quote(site, safe='')}/{quote(number, safe='')}{ending}"
