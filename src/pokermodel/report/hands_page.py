"""Several hands as a page: an index to search and sort, and every hand to step through when it is opened.

The page is one HTML file. Each hand stands in it as `pokermodel.report.page.hand_data` has it, deflated and in Base64,
beside its row of the index; a browser unpacks a hand when it is opened. Hands are written as they come, so that memory
does not grow with them.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pokermodel._support.files import whole_file
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.hero_hands import HeroHand, place_of
from pokermodel.cards import cards_text
from pokermodel.game import ROUNDS, Hand
from pokermodel.report.document import asset, document, embedded, json_text
from pokermodel.report.page import hand_data, hand_script, hand_style, shared_data
from pokermodel.report.words import amount_in_bets

__all__ = ["MOST_BYTES", "PageSizeError", "hand_content", "hand_row", "write_hands_page"]

#: Size of a page beyond which it is not written: browsers take long to open larger ones.
MOST_BYTES = 100_000_000

_HANDS = "(the hands)"  # where they stand in the page
_LEVEL = 2  # of deflation: 4 takes 1.4 times as long for 6% less, the usual one, 6, twice as long for 11% less
_FEW = 50  # hands whose mean size says nothing of the others


class PageSizeError(ValueError):
    """Raised for hands that are too many for a page."""


def hand_content(number: int, reports: Sequence[HandReport]) -> bytes:
    """Return what a page has of a hand, given the number by which the page calls it; raises as `hand_data` does."""
    data = hand_data(reports)
    row = embedded(hand_row(number, reports, data))
    packed = _packed(data).decode()
    return (
        f'<script type="application/json" class="row">{row}</script>\n<script type="text/plain">{packed}</script>\n'
    ).encode("ascii")


def write_hands_page(
    path: Path,
    contents: Iterable[tuple[bytes, float | None]],
    *,
    title: str,
    progress: Callable[[int], None] | None = None,
    most: int | None = None,
) -> int:
    """Write a page of several hands, and return how many there are.

    Parameters
    ----------
    path : Path
        The file. It is replaced once the page is whole.
    contents : iterable of (bytes, float or None)
        What `hand_content` has of each hand, and the share of the hands that has been taken with it, 0 to 1, where that
        is known: a page that would become twice too large is then given up early. All hands are read by the same
        readers.
    title : str
        The name of the hands, for a heading.
    progress : callable, optional
        Called with the number of hands that are written, after each.
    most : int, optional
        Bytes that the page may have; by default `MOST_BYTES`.

    Raises
    ------
    PageSizeError
        If the page becomes too large, or is going to.
    OSError
        If the file cannot be written.
    """
    page = document(
        "hands",
        title=title,
        heading=title,
        script=hand_script() + asset("hands.js"),
        style=hand_style() + asset("hands.css"),
        data=shared_data() | {"title": title},
        hands=Markup(_HANDS),
    )
    before, _, after = page.encode("ascii").partition(_HANDS.encode())
    size = len(before) + len(after)
    count = 0
    with whole_file(path) as write:
        write(before)
        for content, share in contents:
            write(content)
            size += len(content)
            count += 1
            _check_size(path, size, count, MOST_BYTES if most is None else most, share)
            if progress is not None:
                progress(count)
        write(after)
    return count


def _check_size(path: Path, size: int, count: int, most: int, share: float | None) -> None:
    """Give up a page that is too large or, by the hands so far, becomes twice too large."""
    whole = size
    if share and count >= _FEW:
        whole = max(size, round(size / min(share, 1.0) / 2))
    if whole > most:
        fit = int(count * most / size)
        raise PageSizeError(
            f"{path}: expected a page of at most {most / 1e6:,.0f} MB, which some {fit:,} of these hands fit in:"
            f" {count:,} take {size / 1e6:,.1f} MB"
        )


def hand_row(number: int, reports: Sequence[HandReport], data: dict[str, Any]) -> dict[str, Any]:
    """Return what the index says of a hand, given what `hand_data` has of its reports, one for each reader.

    ``number``, ``id``, ``time`` (in UTC), ``table``, ``board``; ``pot`` (what was matched), ``rake`` (None if it is not
    stated), ``all_in``, ``type`` of the pot; of each of the ``players`` the name, the result after the rake, in bets to
    sort by and in words, all-in EV, position, cards (None where they are not known), and the last round that they saw;
    ``acts``, seat and words of each; and for each reader ``chance``, how much likelier the tables made the true cards
    than knowing nothing does, on average over the players whose cards are known, each at their last act (None where
    none are), and ``loss``, the largest difference between the expected value of the hero's best act and that of the
    act done, in small bets (None where there is none).
    """
    hand = reports[0].hand
    time = hand.time
    if time is not None and time.tzinfo is not None:
        time = time.astimezone(UTC)
    bet = hand.spec.small_bet
    seats, all_in, told = HeroHand.of_all(hand), hand.all_in, data["hand"]
    return {
        "number": number,
        "id": hand.id,
        "time": None if time is None else f"{time:%Y-%m-%d %H:%M:%S}",
        "table": hand.table,
        "board": cards_text(hand.board),
        "pot": [hand.pot_chips / bet, told["moments"][-1]["pot"]],
        "all_in": all_in is not None,
        "rake": _amounts(hand, hand.rake_chips),
        "type": seats[0].pot_type,
        "hero": told["hero"],
        "players": [
            [
                *(seen.name, net / bet, player["net"]),
                [net / bet, player["net"]] if ev == net else _amounts(hand, ev, "+"),
                *_seen(seen),
            ]
            for seen, net, ev, player in zip(seats, hand.net_chips, hand.all_in_ev_chips, told["players"], strict=True)
        ],
        "acts": [[each["seat"], each["words"]] for each in told["moments"] if each["seat"] is not None],
        "models": [reader["model"] for reader in data["readers"]],
        "chance": [None if (bits := each.bits_gained) is None else float(f"{2.0**bits:.3g}") for each in reports],
        "loss": [None if report.loss is None else round(report.loss, 4) for report in reports],
    }


def _amounts(hand: Hand, chips: float | None, sign: str = "") -> list[float | str] | None:
    """An amount in bets, to sort by, and in words; None if it is not known."""
    return None if chips is None else [chips / hand.spec.small_bet, amount_in_bets(hand, chips, sign)]


def _seen(seat: HeroHand) -> list[Any]:
    """Where a player sat, as a place to sort by and in words, their cards, and the last round that they saw."""
    return [[place_of(seat.position), seat.position], seat.holding, [ROUNDS.index(seat.street), seat.street]]


def _packed(data: dict[str, Any]) -> bytes:
    """Return what `hand_data` has, deflated and in Base64: JSON, a zero, and the weights of all tables.

    Where the weights stood, there is the number of their bytes.
    """
    weights = []
    for reader in data["readers"]:
        for table in reader["tables"]:
            weights.append(table["weights"])
            table["weights"] = len(weights[-1])
    packed = b"\0".join((json_text(data).encode("ascii"), b"".join(weights)))
    return base64.b64encode(zlib.compress(packed, _LEVEL))
