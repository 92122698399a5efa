"""A hand as a page: one HTML file that needs no network, to step through what one or more readers made of it.

The page holds the report as JSON and a small script that draws it. All text of a history stands in the JSON
alone, and the script writes it as text, so that nothing in it is ever markup.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokermodel._core.summaries import PACKING, packed
from pokermodel._support.arrays import Floats
from pokermodel.analysis.equities import Equities
from pokermodel.analysis.hand import Findings, HandReport
from pokermodel.analysis.range import GROUPS, RangeShape
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, cards_text, holding_text
from pokermodel.game import ROUNDS
from pokermodel.game.positions import button, positions, seat_names
from pokermodel.report.document import Page, asset
from pokermodel.report.grid import STRONGEST_BITS
from pokermodel.report.hand_list import SUITS
from pokermodel.report.palette import LEVELS, level_rules
from pokermodel.report.words import (
    about_words,
    advice_words,
    amount_in_bets,
    cards_note,
    correction_note,
    game_words,
    headline,
    moments_words,
    money_words,
    price_words,
    range_words,
    said_of,
    worth_rows,
)
from pokermodel.weights import WeightTable
from pokermodel.worth.continuing import Continuing
from pokermodel.worth.price import Price

__all__ = ["hand_body", "hand_data", "hand_page", "hand_script", "hand_style", "page_data", "shared_data"]

_WIDTH = ("share", "share_here", "combos")
_SHARE = 6  # decimals of shares that the page shows to a tenth of a per cent, so that they are not rounded twice
_LETTERS = np.frombuffer(bytes([*range(ord("A"), ord("A") + len(GROUPS)), ord("-")]), dtype=np.uint8)  # of groups, -1
_BY_CLASS = np.argsort(CLASS_OF_HOLDING, kind="stable").astype(np.int64)  # the order of packed weights


def hand_page(reports: Sequence[HandReport]) -> str:
    """Draw a hand as a page: a whole HTML file, in ASCII, that needs no other file and no network.

    The reports are of the same hand, one for each reader, and stand side by side. Errors are those of `page_data`.
    """
    return hand_body(reports).document()


def hand_body(reports: Sequence[HandReport], *, about: Mapping[str, Any] | None = None) -> Page:
    """Draw a hand as a page for a file or for the frame of the Desk.

    Parameters
    ----------
    reports : sequence of HandReport
        As for `hand_page`, and so are the errors.
    about : mapping, optional
        The user's notes about the hand, as the template ``mine`` shows it, its ``people``, and its ``verdicts``.
    """
    data = page_data(reports)
    return Page(
        "hand",
        title="A hand of hold'em, read",
        script=f"{hand_script()}drawHand(JSON.parse(document.getElementById('data').textContent));\n"
        + ("" if about is None else asset("mine.js")),
        style=hand_style() + ("" if about is None else asset("people.css")),
        data=data,
        about=about,
        hand=data["hand"],
        streets=_streets(data["hand"]),
        suits=SUITS,
    )


def _streets(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The streets of a hand: the name, the board, the pot when it began, and what was done."""
    found: list[dict[str, Any]] = []
    pot = told["moments"][0]["pot"]
    for moment in told["moments"]:
        if not found or moment["round"] != found[-1]["round"]:
            name = ROUNDS[moment["round"]]
            found.append({"round": moment["round"], "name": name, "board": moment["board"], "pot": pot, "acts": []})
        if moment["seat"] is not None:
            found[-1]["acts"].append(f"{told['players'][moment['seat']]['position']} {moment['words']}")
        pot = moment["pot"]
    return found


def hand_script() -> str:
    """Return the script that draws a hand: what `page_data` has is the argument of its ``drawHand``."""
    return asset("elements.js") + asset("hand.js")


def hand_style() -> str:
    """Return the rules of style for the drawings of that script."""
    return asset("ranges.css") + asset("hand.css") + level_rules()


def page_data(reports: Sequence[HandReport]) -> dict[str, Any]:
    """Gather what a page shows, as plain data for JSON.

    Parameters
    ----------
    reports : sequence of HandReport
        Of the same hand and hero, one for each reader. What the readers learn stays with them.

    Returns
    -------
    dict
        ``hand``, what stands in the history, and its ``moments``: what lies on the table before the first act, after
        each, at streets that are dealt after an all-in, and at the end; ``start`` is the one to look at first, and
        ``groups`` says by the number of cards on the board what each holding is with it, as a letter: ``A`` for the
        first of `pokermodel.analysis.range.GROUPS`, ``-`` for one that is not possible.

        ``readers``, for each its ``steps`` as `Step.to_dict` has them, with ``headline``, their news in a sentence,
        ``lines``, their facts in words, and, in place of grid and range, ``after``, an index into ``tables``, and
        ``change``, as `Step.changes` has it, with three decimals; the first step of a seat has ``before``, too. At the
        hero's, ``odds`` says what a call needs and what the hero has, and ``worths`` what acts are worth. ``equities``
        has by moment what `HandReport.equities` says.

        A step has ``share``, ``share_here`` and ``combos``, and ``width``, the same in words; null after a fold. A
        table has ``tops``, the likeliest hands, ``dead``, the cards that it rules out, and ``weights``, those of the
        holdings that it allows, class by class: unsigned 16-bit integers, low byte first, in Base64. ``packing`` says
        what they stand for: ``largest`` for the weight that the table calls so, ``steps`` less for half of it, as many
        less again for a quarter, and so on; 0 for 0.
        There is one number for each class whose holdings have the same weight; ``each`` is added to the numbers of a
        class that has one for each holding.

    Raises
    ------
    ValueError
        If there is no report, or they are not of one hand and hero.
    """
    return shared_data() | hand_data(reports, every=True)


def shared_data() -> dict[str, Any]:
    """Gather what `page_data` has for all hands alike."""
    return {
        "classes": CLASSES,
        "holdings": "".join(HOLDINGS),
        "class_of_holding": CLASS_OF_HOLDING.tolist(),
        "packing": dict(zip(("largest", "steps", "each"), PACKING, strict=True)),
        "groups": GROUPS,
        "levels": LEVELS,
        "strongest_bits": STRONGEST_BITS,
    }


def hand_data(reports: Sequence[HandReport], *, every: bool = False) -> dict[str, Any]:
    """Gather what `page_data` has for the hand alone.

    Parameters
    ----------
    reports : sequence of HandReport
        As for `page_data`, and so are the errors.
    every : bool
        Whether equities are found at all moments, as for a page of one hand, or where the page opens alone: they take
        longer than everything else. If not, steps have only what the page shows, and ``changed`` in place of
        ``change`` where the script finds it by the tables; the weights of tables are bytes as they are.
    """
    if not reports:
        raise ValueError("a page needs a report, got none")
    first = reports[0]
    if any(report.hand != first.hand or report.hero != first.hero for report in reports):
        raise ValueError("a page shows one hand and hero: expected reports of the same ones")
    hand = first.hand
    moments = range(len(first.moments)) if every else None
    start = first.findings(moments).start
    readers = [_reader(report, report.findings(moments), whole=every) for report in reports]
    seats, dealer, all_in = seat_names(positions(hand.spec)), button(hand.spec), hand.all_in
    return {
        "hand": {
            "title": f"{hand.source.upper()} hand {hand.id}: {game_words(hand)}",
            "about": about_words(hand),
            "unit": "small bets" if hand.spec.structure.fixed else "big blinds",
            "hero": first.hero,
            "button": dealer,
            "start": start,
            "groups": {
                str(len(board)): _LETTERS[groups].tobytes().decode("ascii")
                for board, groups in first.findings(moments).groups.items()
            },
            "rounds": ROUNDS,
            "money": money_words(hand),
            "other_boards": [cards_text(board) for board in (hand.second_board, hand.third_board) if board],
            "players": [
                {
                    "name": name,
                    "position": seats[seat],
                    "holding": holding_text(hand.holdings[seat]) if seat in hand.holdings else None,
                    "net": amount_in_bets(hand, net, "+"),
                    "all_in_ev": None if all_in is None or ev is None else amount_in_bets(hand, ev, "+"),
                    "won": net > 0,
                }
                for seat, (name, net, ev) in enumerate(
                    zip(hand.players, hand.net_chips, hand.all_in_ev_chips, strict=True)
                )
            ],
            "moments": moments_words(hand, first.moments),
        },
        "readers": readers,
    }


def _reader(report: HandReport, findings: Findings, *, whole: bool) -> dict[str, Any]:
    """What a reader made of the hand: all of it, or what a page shows."""
    tables: list[dict[str, Any]] = []
    known: dict[tuple[Any, ...], int] = {}
    placed: dict[int, int] = {}  # by the identity of a table, which the report keeps

    def place(table: WeightTable, shape: RangeShape | None) -> int:
        """The index of a table; equal ones are kept once."""
        found = placed.get(id(table))
        if found is None:
            packed = _packed(table)
            if whole:
                packed["weights"] = base64.b64encode(packed["weights"]).decode()
            packed["tops"] = [] if shape is None else [name for name, _ in shape.tops]
            key = packed["dead"], packed["largest"], packed["weights"]
            found = known.setdefault(key, len(tables))
            if found == len(tables):
                tables.append(packed)
            placed[id(table)] = found
        return found

    steps: list[dict[str, Any]] = []
    acted: set[int] = set()
    for step, found in zip(report.steps, findings.steps, strict=True):
        decision = step.observation.decision
        if whole:
            told = {name: value for name, value in step.without_table().items() if name != "player"}
        else:
            told = {"index": decision.index, "seat": decision.seat}
            told |= {name: None if step.width is None else round(getattr(step.width, name), 4) for name in _WIDTH}
            told["advice"] = step.recommended is not None
        if whole or report.calibration is not None:  # what corrects tables differs from street to street
            told["change"] = _change(step.changes)
        else:
            told["changed"] = step.changed
        steps.append(
            told
            | {
                "lines": said_of(step.facts, decision),
                "advice_words": advice_words(step, decision.player),
                "headline": headline(step, found, report),
                "odds": _odds(found.price, step.continuing),
                "worths": worth_rows(step, report.hand),
                "after": place(step.after, found.after),
                "width": None if step.width is None else range_words(step.width, found.after),
            }
        )
        seat = step.observation.decision.seat
        if seat not in acted:
            acted.add(seat)
            steps[-1]["before"] = place(step.before, found.before)
    notes = [cards_note(report, report.hero or ""), correction_note(report)]
    return {
        "model": report.model,
        "notes": [note for note in notes if note is not None],
        "tables": tables,
        "steps": steps,
        "equities": {str(moment): _equities(each) for moment, each in findings.equities.items()},
    }


def _odds(price: Price | None, continuing: Continuing | None) -> dict[str, Any] | None:
    """What a call needs and what the hero has; None at the acts of others."""
    if price is None:
        return None
    has = price.against_all if continuing is None else continuing.equity
    return {
        "needed": round(price.needed, _SHARE),
        "has": None if has is None else round(has, _SHARE),
        "words": price_words(price, continuing),
    }


def _equities(found: Equities | None) -> dict[str, Any] | None:
    """Equities by seat, each rounded to what is shown; None where there are none."""
    if found is None:
        return None
    told = found._asdict()
    return {name: {str(seat): round(share, _SHARE) for seat, share in shares.items()} for name, shares in told.items()}


def _change(changes: Floats | None) -> list[float | str | None] | None:
    """Bits by class; None where the act changed nothing, or there is no table to compare.

    A class without live holdings is None, one that became possible "new" and one that became impossible "out".
    """
    if changes is None:
        return None
    told: list[float | str | None] = np.round(changes, 3).tolist()
    for k in np.flatnonzero(~np.isfinite(changes)).tolist():
        told[k] = None if np.isnan(changes[k]) else "new" if changes[k] > 0 else "out"
    return told


def _packed(table: WeightTable) -> dict[str, Any]:
    """Return a table in few bytes."""
    largest, weights = packed(table.values, table.live.view(np.uint8), _BY_CLASS, CLASS_OF_HOLDING)
    return {"dead": cards_text(table.dead), "largest": largest, "weights": weights}
