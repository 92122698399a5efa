"""Players as pages of the Desk: a list of them, and what is known of one with what the user wrote about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from pokermodel._support.words import counted
from pokermodel.analysis.people import PLAYER_SORTS, ListedPlayer, PlayerList, PlayerView, SeatedPlayer
from pokermodel.histories import Filter
from pokermodel.learning.profile import Figure
from pokermodel.report.document import Page, asset
from pokermodel.report.frame import Note, mine_address
from pokermodel.report.hand_list import list_address
from pokermodel.report.player_page import player_parts

__all__ = [
    "gain_notes",
    "player_address",
    "player_body",
    "players_address",
    "players_body",
    "share_words",
    "style_words",
]

_COLUMNS = ("name", "site", "hands", "VPIP", "95%", "PFR", "95%", "won from hero", "style", "tags", "note")
_ORDERS = dict(
    zip(PLAYER_SORTS, ("most hands", "won most from the hero", "lost most to the hero", "VPIP", "PFR"), strict=True)
)
_GROUPED = ("vpip", "pfr", "three_bet", "fold_to_three_bet", "cbet", "fold_to_cbet", "wtsd", "w_sd")


def players_body(found: PlayerList, *, problem: str = "") -> Page:
    """Draw a list of players as a page."""
    return Page(
        "players",
        title="Players",
        script=asset("list.js"),
        style=asset("list.css") + asset("people.css"),
        problem=problem,
        sums=f"{counted(found.total, 'player')} in {counted(found.hands, 'hand')}",
        choices=[(_ORDERS[sort], players_address(found.where, sort), sort == found.sort) for sort in PLAYER_SORTS],
        columns=_COLUMNS,
        rows=[_row(each, found.where) for each in found.players],
        more=None if found.next is None else players_address(found.where, found.sort, found.next),
    )


def _row(each: ListedPlayer, where: str) -> dict[str, Any]:
    shares = [share_words(figure) for figure in (each.vpip, each.pfr)]
    return {
        "anchor": f"{each.site}-{each.name}",
        "address": player_address(each.site, each.name, where),
        "name": each.person or each.name,
        "site": each.site,
        "hands": f"{each.hands:,}",
        "together": list_address(_with(each, where)),
        "vpip": shares[0],
        "pfr": shares[1],
        "won": "" if each.won is None else f"{each.won:+.1f}",
        "style": style_words(each),
        "sure": bool(each.style),
        "tags": each.tags,
        "note": each.note,
    }


def _with(each: ListedPlayer, where: str) -> str:
    """A filter of the hands in which the player sat."""
    return f"{where} {Filter('').with_player(each.person or each.name)}".strip()


def share_words(figure: Figure) -> tuple[str, str]:
    """A share in per cent, and its interval; nothing where there was no chance."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "", ""
    return f"{figure.value:.0%}", f"{100 * figure.low:.0f} to {figure.high:.0%}"


def style_words(each: ListedPlayer) -> str:
    """Say how a player plays, as far as it differs for certain from all of them together."""
    return ", ".join(each.style) or "not known yet"


def players_address(where: str, sort: str = "hands", after: str | None = None) -> str:
    """Return the address of a list of players."""
    given = {"q": where, "sort": sort if sort != "hands" else "", "from": after or ""}
    query = {name: value for name, value in given.items() if value}
    return f"/players?{urlencode(query)}" if query else "/players"


def player_address(site: str, name: str, where: str = "", by: str | None = None) -> str:
    """Return the address of a player."""
    query = {name: value for name, value in (("q", where), ("by", by)) if value}
    ending = f"?{urlencode(query)}" if query else ""
    return f"/player/{quote(site or '-', safe='')}/{quote(name, safe='')}{ending}"


def seated_rows(players: Sequence[SeatedPlayer], where: str = "") -> list[tuple[Any, ...]]:
    """Gather what the template ``hand`` shows of the players of a hand."""
    return [
        (
            each.name,
            player_address(each.site, each.name, where),
            " \N{MIDDLE DOT} ".join(
                [
                    counted(each.hands, "hand"),
                    *(f"{one.name} {share_words(one)[0]}" for one in each.figures if one.denominator),
                ]
            ),
            each.tags,
            each.note,
        )
        for each in players
    ]


def player_body(found: PlayerView, where: str = "", by: str | None = None) -> Page:
    """Draw what is known of a player as a page: that of `pokermodel profile`, and what the user wrote above it."""
    who = found.player
    words = [counted(who.hands, "hand") + " with the hero"]
    if who.won is not None:
        words.append(f"won {who.won:+.1f} from the hero")
    shares = [(each.name, *share_words(each)) for each in (who.vpip, who.pfr) if each.denominator]
    words += [f"{name} {share} ({ends})" for name, share, ends in shares]
    words.append(style_words(who))
    mine = mine_address("player", who.site, who.name)
    others = [(each.name, each.site, player_address(each.site, each.name, where)) for each in found.names]
    return Page(
        "player",
        script=asset("mine.js"),
        **player_parts(
            found.reports,
            own=False,
            hands_of={key: list_address(text) for key, text in found.hands.items()},
            style=asset("list.css") + asset("people.css"),
        ),
        about={
            "sums": " \N{MIDDLE DOT} ".join(words),
            "hands": list_address(_with(who, where)),
            "names": others if len(others) > 1 else [],
            "mine": mine,
            "person": who.person,
            "tags": who.tags,
            "note": who.note,
            "groups": _groups(found) if by else None,
            "by": player_address(who.site, who.name, where, None if by else "position"),
        },
    )


def gain_notes(found: PlayerView, hands: int, *, waiting: bool = False) -> list[Note]:
    """Say whether the gains of answers are worked out, with a button where they are not.

    Parameters
    ----------
    hands : int
        How many hands the player had when they were worked out; 0 where they are not.
    """
    who = found.player
    if waiting:
        return [Note("What answers gain is being worked out.")]
    if hands == found.played:
        return []
    fields = {"site": who.site, "player": who.name, "back": player_address(who.site, who.name)}
    if hands:
        return [Note(f"What answers gain is as of {counted(hands, 'hand')}.", "work out again", fields=fields)]
    return [Note("What answers gain, and ranges after the flop: not worked out.", "work out", fields=fields)]


def _groups(found: PlayerView) -> list[tuple[str, list[str], list[list[str]]]]:
    """Tables of some statistics by position, one for each betting structure."""
    tables: dict[str, Mapping[str, Any]] = {}
    for each in found.groups:
        keys = [key for key in _GROUPED if key in each.statistics]
        table = tables.setdefault(
            str(each.structure), {"head": [each.statistics[key].name for key in keys], "rows": []}
        )
        shares = [share_words(each.statistics[key]) for key in keys]
        cells = [f"{share} ({ends})" if share else "" for share, ends in shares]
        table["rows"].append([each.name, f"{each.hands:,}", *cells])
    return [(name, ["position", "hands", *table["head"]], table["rows"]) for name, table in tables.items()]
