"""Histories of Everest Poker, of money tables and tournaments: XML, with all amounts in hundredths.

The text states how much a player puts in, but not whether it is a call or a raise, and returns uncalled bets. The first
hand of a tournament's new level still has the stakes of the level before: there they follow from the blinds.
"""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from typing import NamedTuple

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._exact import Money
from pokermodel.histories._time import epoch_time
from pokermodel.histories._words import CENT, ONE, LineError, amount, cards, currency
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"<HAND (?P<rest>.*)>|(?P<session><SESSION\b[^>]*>)")
_NOISE = regex(r"<\?xml|<!--|</?SESSION\b|<(?:CHAT|PLACE|PRIZE)\b")
_TAG = regex(r"<(?P<tag>[A-Z]+)(?P<attributes>(?:\s+[a-zA-Z]+=\"[^\"]*\")*)\s*/?>(?:(?P<text>[^<]*)</(?P=tag)>)?$")
_ATTRIBUTE = regex(r"([a-zA-Z]+)=\"([^\"]*)\"")
_STRUCTURE = regex(r'gametype="(?P<structure>fixed|no|pot)-limit"')
_NO_SIGN = regex(r"[^$€£]")


class _Blind(NamedTuple):
    name: str
    money: Money
    dead: Money
    all_in: bool


class _Reader:
    """Reads the hands of one file, and keeps the session that they are of."""

    def __init__(self) -> None:
        self._structure = "fixed"
        self._table: str | None = None
        self._refused: int | None = None  # the line that begins a session of another game

    def read(self, draft: Draft, header: re.Match[str]) -> bool:
        """Read one hand, or the line that begins a session; raises `ValueError`."""
        if header["session"]:
            found = _STRUCTURE.search(header["session"]) if 'game="hold-em"' in header["session"] else None
            self._structure, self._refused = (found["structure"], None) if found else ("", draft.line)
            self._table = unescape(dict(_ATTRIBUTE.findall(header["session"])).get("tableName", ""))
            strange = next((line for line in draft.lines() if line and not _NOISE.match(line)), None)
            if strange is not None:
                raise ValueError(f"expected the first line of a hand, got {strange[:60]!r}")
            return False
        draft.table = self._table
        draft.source, draft.id = "everest", unescape(dict(_ATTRIBUTE.findall(header["rest"])).get("id", ""))
        if self._refused is not None:
            raise LineError("only sessions of hold'em are supported", self._refused)
        _read(draft, header, self._structure)
        return True


def _read(draft: Draft, header: re.Match[str], structure: str) -> None:
    about = {key: unescape(value) for key, value in _ATTRIBUTE.findall(header["rest"])}
    if about.get("time", "").isdecimal():
        draft.time = epoch_time(int(about["time"]))
    stakes, blinds = (about.get(key, "").split("/") for key in ("stakes", "blinds"))
    if len(stakes) != 2 or len(blinds) != 2:
        raise ValueError("expected a hand with blinds and stakes")
    draft.play(structure, amount(stakes[0]), amount(stakes[1]))
    draft.currency = currency(_NO_SIGN.sub("", about["stakes"]))
    draft.winnings.coin = CENT if draft.currency else ONE
    posts: list[_Blind] = []
    chips: dict[str, Money] = {}  # after the antes
    hole: dict[str, str] = {}
    for line in draft.lines():
        found = _TAG.match(line)
        if found is None:
            continue
        values = {key: unescape(value) for key, value in _ATTRIBUTE.findall(found["attributes"])}
        text = found["text"] or ""
        money = amount(values["amount"]) // 100 if "amount" in values else 0
        tag = found["tag"]
        if tag == "COMMUNITY":
            draft.deal_board(cards(text))
            continue
        if "position" not in values:
            continue
        number = int(values["position"])
        if tag == "SEAT":
            name = values.get("name", "")
            chips[name] = amount(values.get("balance", "")) // 100
            draft.seats.sit(number, name, chips[name])
            continue
        if tag == "DEALER":
            draft.seats.button = number
            continue
        name = draft.seats.name_at(number)
        if tag == "ANTE":
            draft.seats.post(name, 0, money)
            chips[name] -= money
        elif tag == "BLIND":
            dead = amount(values.get("penalty", "0")) // 100
            posts.append(_Blind(name, money, dead, money + dead >= chips[name]))
        elif tag == "HOLE":
            if not hole:
                _post(draft, posts, amount(blinds[0]), amount(blinds[1]))
                draft.deal_holes()
            hole[name] = f"{hole.get(name, '')} {text}"
            draft.seats.count_cards(name, len(hole[name].replace("--", "??").replace(" ", "")) // 2)
            draft.seats.deal_to(name, cards(hole[name].replace("--", "")))
        elif tag == "FOLD":
            draft.act(name, Act.FOLD)
        elif tag == "CHECK":
            draft.act(name, Act.CALL, 0)
        elif tag == "BET":
            draft.act(name, None, money)
        elif tag == "PUSH":
            draft.winnings.give_back(name, money)
        elif tag == "SHOW":
            draft.seats.show(name, cards(text))
        elif tag == "WIN":
            draft.winnings.collect(name, money)


def _post(draft: Draft, posts: list[_Blind], small: Money, big: Money) -> None:
    """Distinguish small blinds from big blinds, which can be short, and infer the stakes of a new level."""
    assert draft.bets is not None
    if small <= 0 or big <= 0:
        raise ValueError("expected blinds above 0")
    rise = max((Fraction(post.money, big) for post in posts), default=Fraction(1))
    if not draft.currency and len(posts) > 1 and posts[1].all_in and not posts[0].all_in:
        rise = max(rise, Fraction(posts[0].money, small))  # no big blind is whole
    if rise > 1:
        small, big = small * rise, big * rise
        draft.bets = draft.bets[0] * rise, draft.bets[1] * rise
    for place, post in enumerate(posts):
        is_small = place == 0 and post.money < big and (len(posts) > 1 or post.money == small)
        draft.seats.post(post.name, post.money, post.dead, big=not is_small)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _Reader().read, _NOISE, remembers=True, elements=("HAND",), marks=("<",))
