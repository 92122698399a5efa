"""Histories of the Merge network, of money tables and tournaments: XML, with the game in front of the hands.

Players are named by their seats; those who act without being listed are called by them. What a raise states is its
total of the round; in histories up to 2010, what it adds. Stacks are those after antes and blinds, but before them in
histories that state their version, and in some others: which, only an all-in tells. The cards of a round are behind its
actions. In tournaments the blinds say what the stakes are, where the level does not.
"""

from __future__ import annotations

import re
from datetime import datetime

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._exact import Money
from pokermodel.histories._header import AMOUNT, stake
from pokermodel.histories._time import epoch_time, text_time
from pokermodel.histories._words import CENT, ONE, LineError, amount, cards, currency, half
from pokermodel.histories._xml import Element, parse, parse_head
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["FORMAT"]

_START = regex(r"(?P<hand><game\s[^>]*\bnumholecards=.*)|<description\s")
_END_OF_HEAD = regex(r"/>|</description>")
_NOISE = regex(r"<\?xml")
_STAKES = regex(rf"(?P<structure>(?:No |Pot |Fixed )?Limit)\b(?:.*?(?P<small>{AMOUNT})/(?P<large>{AMOUNT}))?.*")
_DIGITS = regex(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})")
_ACTS = {"FOLD": Act.FOLD, "CHECK": Act.CALL, "CALL": Act.CALL, "BET": Act.RAISE, "RAISE": Act.RAISE, "ALL_IN": None}
_POSTS = ("SMALL_BLIND", "BIG_BLIND", "ANTE", "ALL_IN", "INITIAL_BLIND", "RETURN_BLIND")
_BOARD = {"POSTFLOP": 3, "POSTTURN": 4, "POSTRIVER": 5}


class _Reader:
    """Reads the hands of one file, and keeps what is said in front of them."""

    def __init__(self) -> None:
        self._about: Element | None = None

    def read(self, draft: Draft, header: re.Match[str]) -> bool:
        """Read one hand, or a description of the hands that follow; raises `ValueError`."""
        if header["hand"] is None:
            self._about = None
            self._about, error = parse_head(draft.text, _END_OF_HEAD, draft.line)
            if error is not None:
                raise error
            return False
        game = parse(draft.text, draft.line)
        draft.source, draft.id = "merge", game["id"]
        _, _, rest = game.get("data").partition("|")
        draft.table = rest.partition("|")[0]
        if self._about is None:
            raise ValueError("expected a description in front of the hand")
        _Hand(draft, game, self._about).read()
        return True


class _Hand:
    """Reads one hand."""

    def __init__(self, draft: Draft, game: Element, about: Element) -> None:
        self._draft = draft
        self._game = game
        self._about = about
        self._all_in: set[str] = set()
        self._dealt: set[str] = set()
        self._folded: set[str] = set()
        self._rounds = list(game.named("round"))
        self._posts: list[Element] = []
        for part in self._rounds:
            if part["id"] == "BLINDS":
                self._posts += [event for event in part.named("event") if event["type"] in _POSTS]
        self._posted = [amount(event["amount"]) for event in self._posts]
        self._raises_to = draft.reading % 2 == 0
        self._balances_after = (not about.get("version")) != (draft.reading >= 2)

    def read(self) -> None:
        """Report the hand; raises `ValueError`."""
        draft, game = self._draft, self._game
        self._play()
        self._seats()
        for place, post in enumerate(self._posts):
            self._post(place, post)
        draft.deal_holes()
        for part in self._rounds:
            if part["id"] in _BOARD:
                self._deal(part)
            for each in part.children:
                draft.line = each.line
                if each.tag == "event":
                    self._event(each, part["id"] == "BLINDS")
                elif each.tag == "cards" and each.get("type") != "COMMUNITY":
                    self._cards(each)
                elif each.tag == "winner":
                    name, won = draft.seats.name_at(each.number("player")), amount(each["amount"])
                    (draft.winnings.give_back if each.get("uncalled") == "true" else draft.winnings.collect)(name, won)
        draft.line = game.line

    def _play(self) -> None:
        draft, kind = self._draft, self._about["type"]
        stakes = self._game.get("stakes") or self._about["stakes"]
        found = _STAKES.fullmatch(stakes)
        if kind not in ("Holdem", "Holdem Tournament") or self._game["numholecards"] != "2" or found is None:
            raise ValueError(f"only hold'em is supported, got {kind[:40]} {stakes[:40]}")
        tournament = kind != "Holdem"
        draft.winnings.coin = ONE if tournament else CENT
        draft.winnings.uncalled_collected = True
        draft.time = self._time()
        if tournament:
            self._find_short_blind()
        if found["large"]:
            draft.play(found["structure"], stake(found["small"]), stake(found["large"]))
            if not tournament and self._game.get("realmoney") == "true":
                draft.currency = currency(found["small"])
            return
        small, big = self._level()
        limit = found["structure"] in ("Limit", "Fixed Limit")
        draft.play(found["structure"], *((big, 2 * big) if limit else (small, big)))

    def _time(self) -> datetime | None:
        for part in self._rounds:
            for event in part.named("event"):
                if event.get("timestamp"):
                    return epoch_time(event.number("timestamp") / 1000)
        return text_time(_DIGITS.sub(r"\1-\2-\3 \4:\5:\6", self._game.get("starttime")))

    def _level(self) -> tuple[Money, Money]:
        """Small and big blind, one of which may be short."""
        blinds = {event["type"]: money for event, money in zip(self._posts, self._posted, strict=True)}
        small, big = blinds.get("SMALL_BLIND"), blinds.get("BIG_BLIND")
        if small is None and big is None:
            raise ValueError("no blind is posted in full, so that the size of the bets is not known")
        if big is None:
            big = 2 * (small or 0)
        return half(big) if small is None else small, big

    def _find_short_blind(self) -> None:
        """Infer a small blind that is all-in, and stated as 0, from what is won in all, of which there is no rake."""
        short = [place for place, event in enumerate(self._posts) if event["type"] == "ALL_IN"]
        if len(short) != 1 or self._posted[short[0]]:
            return
        won = sum(amount(each["amount"]) for part in self._rounds for each in part.named("winner"))
        put, bets = 0, dict[str, int]()
        for part in self._rounds:
            if part["id"] in _BOARD:
                bets = {}
            for event in part.named("event"):
                if event.get("amount"):
                    player, money = event["player"], amount(event["amount"])
                    if event["type"] == "RAISE" and self._raises_to:
                        money -= bets.get(player, 0)
                    put += money
                    if event["type"] != "ANTE":
                        bets[player] = bets.get(player, 0) + money
        self._posted[short[0]] = max(won - put, 0)

    def _seats(self) -> None:
        draft, players = self._draft, self._game.child("players")
        draft.seats.button = players.number("dealer")
        posted: dict[str, Money] = {}
        if self._balances_after:
            for event, money in zip(self._posts, self._posted, strict=True):
                posted[event["player"]] = posted.get(event["player"], 0) + money
        for player in players.named("player"):
            stack = amount(player["balance"]) + posted.get(player["seat"], 0)
            draft.seats.sit(player.number("seat"), player["nickname"], stack)
            if player.get("dealtin") == "true":
                self._dealt.add(player["nickname"])
        listed = {player.number("seat") for player in players.named("player")}
        for part in self._rounds:  # those who act without being listed, with chips that are not known
            for event in part.named("event"):
                if (event["type"] in _ACTS or event["type"] in _POSTS) and event.number("player") not in listed:
                    listed.add(event.number("player"))
                    draft.seats.sit(event.number("player"), f"seat {event['player']}", None)

    def _post(self, place: int, event: Element) -> None:
        draft, kind, money = self._draft, event["type"], self._posted[place]
        draft.line = event.line
        name = draft.seats.name_at(event.number("player"))
        if kind == "ANTE":
            draft.seats.post(name, 0, money)
            return
        if kind == "ALL_IN":
            self._all_in.add(name)
            later = any(each["type"] in ("BIG_BLIND", "ALL_IN") for each in self._posts[place + 1 :])
            kind = "SMALL_BLIND" if later else "BIG_BLIND"
        live = min(money, draft.least_bet)  # of those who come back, the rest is dead
        draft.seats.post(name, live, money - live, big=kind != "SMALL_BLIND")

    def _deal(self, part: Element) -> None:
        self._draft.line = part.line
        dealt = next((each["cards"] for each in part.named("cards") if each.get("type") == "COMMUNITY"), "")
        board = cards(dealt)
        if len(board) != _BOARD[part["id"]]:
            raise ValueError(f"the text has {len(board)} cards of the board, expected {_BOARD[part['id']]}")
        self._draft.deal_board(board)

    def _event(self, event: Element, blinds: bool) -> None:
        draft, kind = self._draft, event["type"]
        if blinds and kind in _POSTS:
            return
        if kind not in _ACTS:
            if event.get("amount"):
                raise LineError(f"an event of the unknown type {kind!r} with an amount", event.line)
            if kind == "MUCK":
                draft.seats.muck(draft.seats.name_at(event.number("player")))
            return
        name = draft.seats.name_at(event.number("player"))
        if kind == "ALL_IN" and name in self._all_in and not event.get("amount"):
            return  # said again
        if kind == "CHECK" and self._dealt and name not in self._dealt and name not in draft.seats.dealt:
            return  # without cards
        if name in self._folded:
            return  # what the network writes of them afterwards is not in the pot
        if kind == "FOLD":
            self._folded.add(name)
            draft.act(name, Act.FOLD)
        elif kind == "CHECK":
            draft.act(name, Act.CALL, 0)
        elif kind == "RAISE" and self._raises_to:
            draft.act(name, Act.RAISE, to=amount(event["amount"]))
        else:
            draft.act(name, _ACTS[kind], amount(event["amount"]))
        if kind == "ALL_IN":
            self._all_in.add(name)

    def _cards(self, shown: Element) -> None:
        draft, held = self._draft, cards(shown["cards"])
        name = draft.seats.name_at(shown.number("player"))
        if shown["type"] == "SHOWN":
            draft.seats.show(name, held)
        elif shown["type"] == "MUCKED":
            draft.seats.deal(name, held)
            draft.seats.muck(name)
        else:
            draft.seats.deal_to(name, held)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(
    _START,
    lambda: _Reader().read,
    _NOISE,
    remembers=True,
    elements=("game", "description"),
    readings=4,
    marks=("<",),
)
