"""Histories of iPoker, of money tables and tournaments: XML, one session with many hands.

The game and, at money tables, the stakes are those of the session; in tournaments they follow from the blinds. Actions
are numbered, and not in order. A player's cards are there if the owner of the history saw them. What a player wins
includes their uncalled bet.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._exact import Money
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, ONE, LineError, amount, cards, currency, half, structure_of
from pokermodel.histories._xml import Element, parse, parse_head
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"(?P<hand><game\s[^>]*\bgamecode=.*)|<session[\s>]")
_END_OF_HEAD = regex(r"</general>(?:\s*</session>)?")
_NOISE = regex(r"<\?xml|</?session\b")
_GAME = regex(
    r"(?:Texas\s+)?Hold'?em\s+(?P<structure>NL|SL|LZ|PL|LP|L|\u0411\u041b|(?:No |Pot |Fixed )?Limit)"
    r"(?:\s+(?P<small>[^/\s]*[0-9])\s?/\s?(?P<large>[^/\s]*[0-9]))?(?:\s.*)?$",
    re.IGNORECASE,
)
_STRUCTURES = {"\u0411\u041b": "NL", "SL": "NL", "LZ": "NL", "LP": "PL"}  # in Russian and in Romance languages
_CARD = regex(r"([SHDC])(10|[2-9TJQKA])", re.IGNORECASE)
_POINTS = regex(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]{1,2})?")  # between thousands: no amount has three decimals
_NO_DIGITS = regex(r"^[^0-9]*")
_SMALL, _BIG, _ANTE, _AWAY = "1", "2", "15", ("8", "9")
_ACTS = {"0": Act.FOLD, "3": Act.CALL, "4": Act.CALL, "5": Act.RAISE, "6": None, "7": None, "23": Act.RAISE}
_TO = ("5", "23")  # whose amount is the total of the round


class _Reader:
    """Reads the hands of one file, and keeps the session that they are of."""

    def __init__(self) -> None:
        self._session: dict[str, str] | None = None

    def read(self, draft: Draft, header: re.Match[str]) -> bool:
        """Read one hand, or the beginning of a session; raises `ValueError`."""
        if header["hand"] is None:
            self._session = None
            head, error = parse_head(draft.text, _END_OF_HEAD, draft.line)
            self._session = {each.tag: each.text.strip() for each in head.child("general").children}
            if error is not None:
                raise error
            return False
        game = parse(draft.text, draft.line)
        draft.source, draft.id = "ipoker", game["gamecode"]
        if self._session is None:
            raise ValueError("the session of this hand is not known")
        _read(draft, game, self._session)
        return True


def _read(draft: Draft, game: Element, session: dict[str, str]) -> None:
    kind = session.get("gametype", "")
    found = _GAME.match(kind)
    if found is None:
        raise ValueError(f"only hold'em is supported, got {kind[:70]!r}")
    general = game.child("general")
    draft.time, draft.table = text_time(general.child("startdate").text), session.get("tablename")
    owner = draft.seats.hero = session.get("nickname", "")
    money = found["large"] is not None and session.get("mode") == "real"
    draft.currency = _currency(found["small"], session) if money else ""
    draft.winnings.coin = CENT if found["large"] else ONE
    draft.winnings.uncalled_collected = draft.folds_early = True
    stacks: dict[str, Money] = {}
    seats = general.child("players").named("player")
    players = [player for player in seats if player["name"] or _amount(player["chips"])]
    for player in players:
        name = player["name"]
        stacks[name] = _amount(player["chips"])
        draft.seats.sit(player.number("seat"), name, stacks[name])
        if player.get("dealer") == "1":
            draft.seats.button = player.number("seat")
    rounds = list(game.named("round"))
    posts = [each for part in rounds for each in _actions(part) if each["type"] in (_SMALL, _BIG, _ANTE)]
    structure = found["structure"].upper()
    structure = _STRUCTURES.get(structure, structure)
    if found["large"]:
        draft.play(structure, _amount(found["small"]), _amount(found["large"]))
    else:
        small, big = _level(posts, stacks)
        draft.play(structure, *((big, 2 * big) if structure_of(structure).fixed else (small, big)))
    _post(draft, posts)
    for part in rounds:
        for each in part.named("cards"):
            _deal(draft, each, owner)
        for each in _actions(part):
            _act(draft, each)
    draft.line = game.line
    if draft.seats.button is None:  # in the seat of somebody who has left
        draft.seats.place_button(draft.later)
    draft.winnings.staked = sum(_amount(player.get("bet") or "0") for player in players)
    draft.winnings.unstated = all("win" not in player.attributes for player in players)  # written during the hand
    for player in players:
        if not draft.winnings.unstated and (won := _amount(player["win"])):
            draft.winnings.collect(player["name"], won)


def _actions(part: Element) -> list[Element]:
    """Actions of a round, in the order of their numbers."""
    return sorted(part.named("action"), key=lambda each: each.number("no"))


def _level(posts: list[Element], stacks: dict[str, Money]) -> tuple[Money, Money]:
    """Small and big blind of a tournament, one of which may be short."""
    small = max((_amount(each["sum"]) for each in posts if each["type"] == _SMALL), default=0)
    big = max((_amount(each["sum"]) for each in posts if each["type"] == _BIG), default=0)
    left = dict(stacks)
    for each in posts:
        left[each["player"]] = left.get(each["player"], 0) - _amount(each["sum"])
    if not big and not small:
        if sum(money > 0 for money in left.values()) > 1 or not posts:
            raise ValueError("no blind is posted, so that the size of the bets is not known")
        big = max(_amount(each["sum"]) for each in posts)  # nobody has chips to bet with
    short = all(left[each["player"]] <= 0 for each in posts if each["type"] == _BIG)
    big = max(big, 2 * small) if short else big
    return min(small or half(big), half(big)), big


def _post(draft: Draft, posts: list[Element]) -> None:
    for each in posts:
        draft.line = each.line
        name, money = each["player"], _amount(each["sum"])
        if each["type"] == _ANTE:
            draft.seats.post(name, 0, money)
        elif each["type"] == _SMALL:
            draft.seats.post(name, money)
        else:
            live = min(money, draft.least_bet)
            draft.seats.post(name, live, money - live, big=True)


def _deal(draft: Draft, dealt: Element, owner: str) -> None:
    draft.line = dealt.line
    known = _CARD.sub(r"\2\1", dealt.text)
    if dealt.get("type") != "Pocket":
        draft.deal_board(cards(known))
        return
    name = dealt["player"]
    draft.seats.count_cards(name, len(known.split()))
    if "X" in known.upper():
        draft.seats.deal(name)
    elif name == owner:
        draft.seats.deal(name, cards(known))
    else:
        draft.seats.show(name, cards(known))
    draft.deal_holes()


def _act(draft: Draft, action: Element) -> None:
    draft.line = action.line
    kind, name = action["type"], action["player"]
    if kind in (_SMALL, _BIG, _ANTE):
        return
    if kind in _AWAY:
        if name in draft.seats.dealt:  # who posted, and left before the cards
            draft.act(name, Act.FOLD)
        return
    if kind not in _ACTS:
        raise LineError(f"an action of the unknown type {kind!r}", action.line)
    act, money = _ACTS[kind], _amount(action["sum"])
    if act is Act.FOLD:
        draft.act(name, act)
    elif kind in _TO:
        draft.act(name, act, to=money)
    else:
        draft.act(name, act, money)


def _currency(stake: str, session: dict[str, str]) -> str:
    """The currency of a table; that of the session is the account's."""
    return session.get("tablecurrency") or currency(stake) or session.get("currency", "")


def _amount(text: str) -> Money:
    """Parse an amount with the sign or the name of a currency before it."""
    digits = _NO_DIGITS.sub("", text)
    return amount(digits.replace(".", "") if _POINTS.fullmatch(digits) else digits)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _Reader().read, _NOISE, remembers=True, elements=("game", "session"), marks=("<",))
