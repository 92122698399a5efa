"""Histories of Everest Poker, fixed-limit hold'em: XML, with all amounts in hundredths.

The text states how much a player puts in, but not whether it is a call or a raise, and returns uncalled bets.
"""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path

from pokermodel.errors import HistoryError
from pokermodel.game import Act
from pokermodel.histories._files import Sink
from pokermodel.histories._text import Draft, Lines, TextFormat, amount, cards, currency

__all__ = ["FORMAT"]

_START = re.compile(r"<HAND (?P<rest>.*)>")
_NOISE = re.compile(r"<\?xml|<!--|</?SESSION\b")
_TAG = re.compile(r"<(?P<tag>[A-Z]+)(?P<attributes>(?:\s+[a-zA-Z]+=\"[^\"]*\")*)\s*/?>(?:(?P<text>[^<]*)</(?P=tag)>)?$")
_ATTRIBUTE = re.compile(r"([a-zA-Z]+)=\"([^\"]*)\"")
_SESSION = re.compile(r"<SESSION\b[^>]*>")
_LIMIT = ('game="hold-em"', 'gametype="fixed-limit"')
_HUNDREDTH = Fraction(1, 100)


def _limit(lines: Lines, path: Path, skipped: Sink | None) -> Lines:
    """Leave out sessions of other games."""
    wanted = True
    for number, line in lines:
        if session := _SESSION.search(line):
            wanted = all(what in session[0] for what in _LIMIT)
            if not wanted:
                error = HistoryError("only sessions of fixed-limit hold'em are supported", str(path), number)
                if skipped is None:
                    raise error
                skipped.append(error)
        if wanted:
            yield number, line


def _read(draft: Draft, header: re.Match[str]) -> None:
    about = dict(_ATTRIBUTE.findall(header["rest"]))
    draft.source, draft.id = "everest", unescape(about.get("id", ""))
    stakes, blinds = (about.get(key, "").split("/") for key in ("stakes", "blinds"))
    if len(stakes) != 2 or len(blinds) != 2:
        raise ValueError("expected a hand with blinds and stakes")
    draft.bets = amount(stakes[0]), amount(stakes[1])
    draft.currency = currency(stakes[0])
    draft.coin = Fraction(1, 100) if draft.currency else Fraction(1)
    posts: list[tuple[str, Fraction, Fraction]] = []
    hole: dict[str, str] = {}
    for line in draft.lines():
        found = _TAG.match(line)
        if found is None:
            continue
        values = {key: unescape(value) for key, value in _ATTRIBUTE.findall(found["attributes"])}
        text = found["text"] or ""
        money = amount(values["amount"]) * _HUNDREDTH if "amount" in values else Fraction()
        tag = found["tag"]
        if tag == "COMMUNITY":
            draft.deal_board(cards(text))
            continue
        if "position" not in values:
            continue
        number = int(values["position"])
        if tag == "SEAT":
            draft.seat(number, values.get("name", ""), amount(values.get("balance", "")) * _HUNDREDTH)
            continue
        if tag == "DEALER":
            draft.button = number
            continue
        name = draft.name_at(number)
        if tag == "ANTE":
            draft.post(name, Fraction(), money)
        elif tag == "BLIND":
            posts.append((name, money, amount(values.get("penalty", "0")) * _HUNDREDTH))
        elif tag == "HOLE":
            if not hole:
                _post(draft, posts, amount(blinds[0]), amount(blinds[1]))
                draft.deal_holes()
            hole[name] = hole.get(name, "") + text.replace("--", "")
            draft.dealt(name, cards(hole[name]))
        elif tag == "FOLD":
            draft.act(name, Act.FOLD)
        elif tag == "CHECK":
            draft.act(name, Act.CALL, Fraction())
        elif tag == "BET":
            draft.act(name, None, money)
        elif tag == "PUSH":
            draft.give_back(name, money)
        elif tag == "SHOW":
            draft.show(name, cards(text))
        elif tag == "WIN":
            draft.collect(name, money)


def _post(draft: Draft, posts: list[tuple[str, Fraction, Fraction]], small: Fraction, big: Fraction) -> None:
    """Distinguish small blinds from big blinds, which can be short."""
    for place, (name, money, dead) in enumerate(posts):
        is_small = place == 0 and money < big and (len(posts) > 1 or money == small)
        draft.post(name, money, dead, big=not is_small)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, _limit)
