"""Histories of Boss Media (the International Poker Network), of money tables and tournaments: XML.

What a call states is its total of the round or, later, what it adds; the text does not say which. Older histories do
not say who has the button. Cards are numbers: thirteen for each suit in turn, from the ace up. The last pot is stated
after the rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._time import epoch_time
from pokermodel.histories._words import CENT, ONE, LineError, amount, cards
from pokermodel.histories._xml import Element, parse
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"<HISTORY\s")
_NOISE = regex(r"<\?xml|</?ROOT>")
_STRUCTURES = ("NL", "PL", "FL")
_DECK = tuple(rank + suit for suit in "dchs" for rank in "A23456789TJQK")
_ACTS = {
    "ACTION_FOLD": Act.FOLD,
    "ACTION_CHECK": Act.CALL,
    "ACTION_CALL": Act.CALL,
    "ACTION_BET": Act.RAISE,
    "ACTION_RAISE": Act.RAISE,
    "ACTION_ALLIN": None,
}


def _read(draft: Draft, header: re.Match[str]) -> None:
    history = parse(draft.text, draft.line)
    draft.source, draft.id = "boss", history["ID"]
    if history["GAME"] != "GAME_THM" or history["LIMIT"] not in _STRUCTURES:
        raise ValueError(f"only hold'em is supported, got {history['GAME']} {history['LIMIT']}")
    draft.table = history.get("TABLE")
    small, _, large = history["STAKES"].partition("/")
    draft.play(history["LIMIT"], amount(small), amount(large))
    money = history["GAMEKIND"] == "GAMEKIND_CASH" and history["GAMETYPE"] == "GAMETYPE_REAL"
    draft.currency = history.get("TABLECURRENCY") if money else ""
    draft.winnings.coin = CENT if history["GAMEKIND"] == "GAMEKIND_CASH" else ONE
    if history.get("DATE"):
        draft.time = epoch_time(history.number("DATE"))
    for player in history.named("PLAYER"):
        if player.get("STATE") == "STATE_EMPTY":
            continue
        draft.seats.sit(player.number("SEAT"), player["NAME"], amount(player["AMOUNT"]))
        if player.get("DEALER") == "Y":
            draft.seats.button = player.number("SEAT")
    for action in history.named("ACTION"):
        draft.line = action.line
        _act(draft, action)
    if draft.seats.button is None:
        draft.seats.place_button(draft.later)
    showdown = history.child("SHOWDOWN")
    draft.winnings.rake = amount(showdown["RAKE"])
    draft.winnings.pot = amount(showdown["POT"]) + draft.winnings.rake
    for result in showdown.named("RESULT"):
        draft.line = result.line
        _end(draft, result)
    draft.line = history.line


def _act(draft: Draft, action: Element) -> None:
    kind = action["TYPE"]
    if kind == "HAND_BOARD":
        draft.deal_board(_cards(action))
        return
    name = action["PLAYER"]
    if kind == "HAND_DEAL":
        draft.seats.count_cards(name, len(list(action.named("CARD"))))
        draft.seats.deal_to(name, _cards(action))
        draft.deal_holes()
    elif kind == "HAND_ANTE":
        draft.seats.post(name, 0, amount(action["VALUE"]))
    elif kind == "HAND_BLINDS" and action["KIND"] in ("HAND_SB", "HAND_BB"):
        draft.seats.post(name, amount(action["VALUE"]), big=action["KIND"] == "HAND_BB")
    elif kind not in _ACTS:
        raise LineError(f"an action of the unknown kind {kind} {action.get('KIND')}", action.line)
    elif kind == "ACTION_FOLD":
        draft.act(name, Act.FOLD)
    elif kind == "ACTION_CHECK":
        draft.act(name, Act.CALL, 0)
    elif draft.reading == 0 or (draft.reading == 1 and kind != "ACTION_CALL"):
        draft.act(name, _ACTS[kind], to=amount(action["VALUE"]))
    else:
        draft.act(name, _ACTS[kind], amount(action["VALUE"]))


def _end(draft: Draft, result: Element) -> None:
    name, won, held = result["PLAYER"], amount(result["WIN"]), _cards(result)
    if won:
        draft.winnings.collect(name, won)
    if "STR_G_MUCK" in result.get("HAND"):
        draft.seats.deal(name, held)
        draft.seats.muck(name)
    elif held:
        draft.seats.show(name, held)


def _cards(element: Element) -> tuple[int, ...]:
    """Cards in an element, as far as they are known."""
    known = [each["LINK"] for each in element.named("CARD") if each["LINK"] != "b"]
    for link in known:
        if not link.isdecimal() or int(link) >= len(_DECK):
            raise LineError(f"{link!r} is not a card: expected a number up to {len(_DECK) - 1}", element.line)
    return cards("".join(_DECK[int(link)] for link in known))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, elements=("HISTORY",), readings=3, marks=("<",))
