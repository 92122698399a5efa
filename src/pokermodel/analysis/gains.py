"""The gains of answers to a player, and their ranges after the flop: worked out once, in the background, and kept.

They take half a minute. A book keeps them as a piece of knowledge of its own, with a stamp: the revision of reader and
adviser, and the number of hands that the player had. With more hands they are shown until they are worked out again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pokermodel.analysis.book_study import opened
from pokermodel.analysis.book_verdicts import revision
from pokermodel.analysis.exploits import Exploit, exploits_of
from pokermodel.analysis.people import PlayerView, player_view
from pokermodel.analysis.player import PlayerReport, stored_session
from pokermodel.library import Book
from pokermodel.reading.tendencies import PostflopTendency, postflop_tendencies

__all__ = ["Gains", "gains_part", "hands_of", "keep_gains", "kept_gains", "with_gains", "work_out"]

_KIND, _VERSION = "gains", 1
_ARRAYS = ("acts", "shares", "chances")


class Gains(NamedTuple):
    """What was worked out about a player in one betting structure."""

    hands: int
    exploits: tuple[Exploit, ...]
    postflop: tuple[PostflopTendency, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        plain = [
            {**each._asdict(), **{name: getattr(each, name).tolist() for name in _ARRAYS}} for each in self.postflop
        ]
        return {"hands": self.hands, "exploits": [each._asdict() for each in self.exploits], "postflop": plain}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Gains:
        """Make them from the result of `to_dict`, or from its JSON."""
        arrays = [
            {**each, **{name: np.array(each[name], dtype=float) for name in _ARRAYS}} for each in plain["postflop"]
        ]
        exploits = tuple(Exploit(**each) for each in plain["exploits"])
        return cls(plain["hands"], exploits, tuple(PostflopTendency(**each) for each in arrays))


def work_out(book: Book, site: str, name: str) -> dict[str, Gains]:
    """Work out the gains of answers to a player, by betting structure, as ``pokermodel profile --exploits`` does.

    Raises `UnknownPlayerError` if the book has no such player.
    """
    view = player_view(book, site, name)
    found = {}
    for report in view.reports:
        asked = stored_session(book, view.player.site, report.profile, report.course)
        profile = report.profile
        about = asked.session, asked.name, asked.spec
        exploits = exploits_of(report.leaks.found, *about, profile.hands, report.usual, open_size=asked.open_size)
        postflop = tuple(postflop_tendencies(*about, open_size=asked.open_size))
        found[str(profile.structure)] = Gains(profile.hands, exploits, postflop)
    return found


def gains_part(address: str, player: tuple[str, str]) -> dict[str, Gains]:
    """Work out the gains of answers to a player in any process, given the address of a book."""
    return work_out(opened(address), *player)


def keep_gains(book: Book, site: str, name: str, found: Mapping[str, Gains]) -> None:
    """Keep what was worked out about a player in a book."""
    content = {"revision": revision(), "gains": {key: each.to_dict() for key, each in found.items()}}
    piece, before = _piece(site, name), _read(book, site, name)
    pieces = {piece: json.dumps(content).encode()}
    while not book.pieces.swap(_VERSION, pieces, guard=piece, before=before):
        before = _read(book, site, name)


def kept_gains(book: Book, site: str, name: str) -> dict[str, Gains]:
    """What a book keeps of a player that this version of the package has worked out; empty if it is nothing."""
    content = _read(book, site, name)
    with suppress(ValueError, KeyError, TypeError, RecursionError):  # what is damaged is worked out again
        plain = {} if content is None else json.loads(content)
        if plain and plain["revision"] == revision():
            return {key: Gains.from_dict(each) for key, each in plain["gains"].items()}
    return {}


def hands_of(kept: Mapping[str, Gains]) -> int:
    """How many hands the player had: with more hands there are other gains."""
    return sum(each.hands for each in kept.values())


def with_gains(view: PlayerView, kept: Mapping[str, Gains]) -> PlayerView:
    """The view of a player with what is kept: the gain of each leak that it is known of, and ranges after the flop."""
    return replace(
        view, reports=tuple(_with(report, kept.get(str(report.profile.structure))) for report in view.reports)
    )


def _with(report: PlayerReport, kept: Gains | None) -> PlayerReport:
    if kept is None or report.ranges is None:
        return report
    ranges = report.ranges._replace(postflop=kept.postflop)
    gains = {each.key: each for each in kept.exploits}
    known = all(leak.key in gains for leak in report.leaks.found)
    exploits = tuple(gains[leak.key] for leak in report.leaks.found) if known else None
    return replace(report, ranges=ranges, exploits=exploits)


def _piece(site: str, name: str) -> tuple[str, str, str]:
    return _KIND, "player", f"{name}@{site}"


def _read(book: Book, site: str, name: str) -> bytes | None:
    piece = _piece(site, name)[1:]
    return book.pieces.read(_KIND, _VERSION, [piece]).get(piece)
