"""Histories of Microgaming (Prima), of money tables and tournaments: XML.

Actions name players by their seats. The amount of a raise is the chips added or, if that does not fit, its total of the
round; so is that of a call. Players who come back may have posted a small blind without a line. Stacks after the hand
are compared, too. The stated rake leaves out contributions to jackpots, so the rake is the rest of the pot.
"""

from __future__ import annotations

import base64
import binascii
import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, ONE, LineError, amount, cards, currency
from pokermodel.histories._xml import Element, parse
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"<Game\s[^>]*=")
_NOISE = regex(r"<\?xml|-+PRIMA|ExtendedTableName:")
_GAME = regex(r"(?:Multi Table |Single Table )?Hold'em")
_STRUCTURES = ("NL", "PL", "FL")
_DEAD = 3  # readings with a dead small blind follow as many without
_ACTS = {
    "fold": Act.FOLD,
    "check": Act.CALL,
    "call": Act.CALL,
    "bet": Act.RAISE,
    "raise": Act.RAISE,
    "allin": None,
}
_POSTS = ("smallblind", "bigblind", "postedtoplay")
_JACKPOT = "badbeatcontribution"  # from the stack, not into the pot
_ASIDE = (_JACKPOT, "disconnect", "reconnect", "timeout", "sitout", "sitin")  # what is no act


def _read(draft: Draft, header: re.Match[str]) -> None:
    game = parse(draft.text, draft.line)
    draft.source, draft.id = "microgaming", game["id"]
    if not _GAME.fullmatch(game["gametype"]) or game["betlimit"] not in _STRUCTURES:
        raise ValueError(f"only hold'em is supported, got {game['betlimit']} {game['gametype']}")
    small, _, large = game["stakes"].partition("|")
    draft.play(game["betlimit"], amount(small), amount(large))
    draft.time, draft.table = text_time(game["date"]), game.get("tablename")
    tournament = game.get("istournament") == "1"
    if not tournament and game.get("realmoney") == "true":
        draft.currency = currency(_decoded(game.get("currencysymbol")))
    draft.winnings.coin = ONE if tournament else CENT
    draft.winnings.uncalled_collected = None
    actions = list(game.child("Gameplay").named("Action"))
    seats = list(game.child("Seats").named("Seat"))
    for seat in seats:
        draft.seats.sit(seat.number("num"), seat["alias"], amount(seat["balance"]))
        if seat.get("endbalance"):
            given = [each for each in actions if each["type"].lower() == _JACKPOT and each["seat"] == seat["num"]]
            draft.winnings.end(seat["alias"], amount(seat["endbalance"]) + sum(amount(each["value"]) for each in given))
        if seat.get("dealer") == "true":
            draft.seats.button = seat.number("num")
    blinds: set[str] = set()
    for action in actions:
        draft.line = action.line
        _act(draft, action, blinds)
    draft.line = game.line


def _act(draft: Draft, action: Element, blinds: set[str]) -> None:
    """Report an action, given which blinds have been posted."""
    kind = action["type"].lower()
    if kind in _POSTS:
        blinds.add(kind)
    elif kind == "allin" and "bigblind" not in blinds:  # a blind that takes the last chips
        kind = "bigblind" if "smallblind" in blinds else "smallblind"
        blinds.add(kind)
    held = cards("".join(card["value"] + card["suit"] for card in action.named("Card")))
    if kind in ("dealflop", "dealturn", "dealriver"):
        draft.deal_board(held)
        return
    if kind == "win":
        for seat in action.named("Seat"):
            draft.winnings.collect(draft.seats.name_at(seat.number("num")), amount(seat["amount"]))
        return
    name = draft.seats.name_at(action.number("seat"))
    if kind == "dealcards":
        draft.seats.deal_to(name, held)
    elif kind == "showcards":
        draft.seats.show(name, held)
    elif kind == "muckcards":
        draft.seats.deal(name, held)
        draft.seats.muck(name)
    elif kind == "moneyreturned":
        draft.winnings.give_back(name, amount(action["value"]))
    elif kind == "ante":
        draft.seats.post(name, 0, amount(action["value"]))
    elif kind in _POSTS:
        dead = draft.small_blind if kind == "postedtoplay" and draft.reading >= _DEAD else 0
        draft.seats.post(name, amount(action["value"]), dead, big=kind != "smallblind")
        draft.deal_holes()
    elif kind in _ASIDE:
        return
    elif kind not in _ACTS:
        raise LineError(f"an action of the unknown type {action['type']!r}", action.line)
    elif kind == "fold":
        draft.act(name, Act.FOLD)
    elif kind == "check":
        draft.act(name, Act.CALL, 0)
    elif kind == "raise" and draft.reading % _DEAD:
        draft.act(name, Act.RAISE, to=amount(action["value"]))
    elif kind == "call" and draft.reading % _DEAD == 2:
        draft.act(name, Act.CALL, to=amount(action["value"]))
    else:
        draft.act(name, _ACTS[kind], amount(action["value"]))


def _decoded(text: str) -> str:
    """The sign of a currency."""
    try:
        return base64.b64decode(text, validate=True).decode("utf-16-le").strip()
    except (binascii.Error, UnicodeDecodeError):
        return ""


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, elements=("Game",), readings=2 * _DEAD, marks=("<",))
