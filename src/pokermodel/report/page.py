"""A hand as a page: one HTML file that needs no network, to step through what one or more readers made of it.

The page holds the report as JSON and a small script that draws it. Whatever comes from a history stands in the JSON
alone, and the script writes it as text, so that nothing in it is ever markup.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from pokermodel.analysis.hand import HandReport, Step
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, cards_text, holding_text
from pokermodel.game import ROUNDS
from pokermodel.game.positions import position_names
from pokermodel.report.document import asset, document
from pokermodel.report.grid import STRONGEST_BITS
from pokermodel.report.palette import LEVELS, level_rules
from pokermodel.report.words import (
    advice_words,
    amount_in_bets,
    cards_note,
    correction_note,
    game_words,
    moment_words,
    money_words,
    said_of,
)
from pokermodel.weights import WeightTable

__all__ = ["hand_data", "hand_page", "hand_script", "hand_style", "page_data", "shared_data"]

_LARGEST = 65535  # the largest weight of a table, as it is packed; 0 stays 0
_STEPS = 1024  # from a weight to half of it: weights are true to one part in 2,900
_BY_CLASS = np.argsort(CLASS_OF_HOLDING, kind="stable")  # the order of packed weights: equal ones are neighbours


def hand_page(reports: Sequence[HandReport]) -> str:
    """Draw a hand, as one or more readers read it, as a page.

    Parameters
    ----------
    reports : sequence of HandReport
        Of the same hand, one for each reader: they stand side by side.

    Returns
    -------
    str
        A whole HTML file, in ASCII. It needs no other file and no network.

    Raises
    ------
    ValueError
        As for `page_data`.
    """
    return document(
        "hand",
        title="A hand of hold'em, read",
        script=f"{hand_script()}drawHand(JSON.parse(document.getElementById('data').textContent));\n",
        style=hand_style(),
        data=page_data(reports),
    )


def hand_script() -> str:
    """Return the script that draws a hand: what `page_data` has is the argument of its ``drawHand``."""
    return asset("hand.js")


def hand_style() -> str:
    """Return the rules of style of what that script draws."""
    return asset("hand.css") + level_rules()


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
        each, and at the end. ``readers``, for each its ``steps`` as `Step.to_dict` has them, with ``lines``, their
        facts in words, and, in place of grid and range, ``after``, an index into ``tables``, and ``change``, as
        `Step.changes` has it, with three decimals; the first step of a seat has ``before``, too. A table has ``dead``,
        the cards that it rules out, and ``weights``, those of the holdings that it allows, class by class: unsigned
        16-bit integers, low byte first, in Base64. ``packing`` says what they stand for: ``largest`` for the weight
        that the table calls so, ``steps`` less for half of it, as many less again for a quarter, and so on; 0 for 0.

    Raises
    ------
    ValueError
        If there is no report, or they are not of one hand and hero.
    """
    return shared_data() | hand_data(reports)


def shared_data() -> dict[str, Any]:
    """Gather what `page_data` has for all hands alike."""
    return {
        "classes": CLASSES,
        "holdings": "".join(HOLDINGS),
        "class_of_holding": CLASS_OF_HOLDING.tolist(),
        "packing": {"largest": _LARGEST, "steps": _STEPS},
        "levels": LEVELS,
        "strongest_bits": STRONGEST_BITS,
    }


def hand_data(reports: Sequence[HandReport]) -> dict[str, Any]:
    """Gather what `page_data` has for the hand alone; parameters and errors are the same."""
    if not reports:
        raise ValueError("a page needs a report, got none")
    first = reports[0]
    if any(report.hand != first.hand or report.hero != first.hero for report in reports):
        raise ValueError("a page shows one hand and hero: expected reports of the same ones")
    hand = first.hand
    readers = [_reader(report) for report in reports]
    seats = position_names(hand.spec)
    return {
        "hand": {
            "title": f"{hand.source.upper()} hand {hand.id}: {game_words(hand)}",
            "hero": first.hero,
            "rounds": ROUNDS,
            "money": money_words(hand),
            "second_board": cards_text(hand.second_board),
            "players": [
                {
                    "name": name,
                    "position": seats[seat],
                    "holding": holding_text(hand.holdings[seat]) if seat in hand.holdings else None,
                    "net": amount_in_bets(hand, net, "+"),
                    "all_in_ev": None if hand.all_in is None or ev is None else amount_in_bets(hand, ev, "+"),
                    "won": net > 0,
                }
                for seat, (name, net, ev) in enumerate(
                    zip(hand.players, hand.net_chips, hand.all_in_ev_chips, strict=True)
                )
            ],
            "moments": [moment_words(hand, each) for each in first.moments],
        },
        "readers": readers,
    }


def _reader(report: HandReport) -> dict[str, Any]:
    """What a reader made of the hand."""
    tables: list[dict[str, Any]] = []
    known: dict[bytes, int] = {}

    def place(table: WeightTable) -> int:
        """The index of a table; equal ones are kept once."""
        packed = _packed(table)
        key = json.dumps(packed).encode()
        if key not in known:
            known[key] = len(tables)
            tables.append(packed)
        return known[key]

    steps: list[dict[str, Any]] = []
    acted: set[int] = set()
    for step in report.steps:
        steps.append(
            {name: value for name, value in step.without_table().items() if name != "player"}
            | {
                "lines": said_of(step.facts, step.observation.decision),
                "advice_words": advice_words(step, step.observation.decision.player),
                "after": place(step.after),
                "change": _change(step),
            }
        )
        seat = step.observation.decision.seat
        if seat not in acted:
            acted.add(seat)
            steps[-1]["before"] = place(step.before)
    notes = [cards_note(report, report.hero or ""), correction_note(report)]
    return {
        "model": report.model,
        "notes": [note for note in notes if note is not None],
        "tables": tables,
        "steps": steps,
    }


def _change(step: Step) -> list[float | str | None] | None:
    """Bits by class; None where the act changed nothing, or there is no table to compare.

    A class without live holdings is None, one that became possible "new" and one that became impossible "out".
    """
    changes = step.changes
    if changes is None:
        return None
    told: list[float | str | None] = np.round(changes, 3).tolist()
    for k in np.flatnonzero(~np.isfinite(changes)).tolist():
        told[k] = None if np.isnan(changes[k]) else "new" if changes[k] > 0 else "out"
    return told


def _packed(table: WeightTable) -> dict[str, Any]:
    """Return a table in few characters."""
    order = _BY_CLASS[table.live[_BY_CLASS]]
    values = table.values[order]
    largest = float(values.max(initial=0.0))
    parts = np.zeros(len(values))
    some = values > 0.0
    parts[some] = np.maximum(_LARGEST + np.rint(_STEPS * np.log2(values[some] / largest)), 1)
    weights = base64.b64encode(parts.astype("<u2").tobytes()).decode()
    return {"dead": cards_text(table.dead), "largest": largest, "weights": weights}
