"""Text histories of Absolute Poker and UltimateBet, of money tables and tournaments.

Headers of no limit and pot limit have the big blind only. A blind that takes a player's last chips is written as an
all-in. It is the one that no other player posts. A newcomer may post without a seat in the text. A player whose time
runs out is all-in for the chips put in: see `Draft.act`. A side bet on 7-2 is no part of the pot, and a contribution to
a jackpot counts as rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, amount, currency, half
from pokermodel.histories.grammar import SUMMARY, Page, words

__all__ = ["FORMAT"]

_START = regex(r"Stage #(?P<id>[A-Z]?[0-9]+):? (?P<rest>.*)")
_GAME = regex(
    rf"(?:Tourney ID [0-9]+ )?Holdem\s+(?:[^-]*\s)?"
    rf"(?:Normal (?P<small>{MONEY})/(?P<large>{MONEY})"
    rf"|(?P<structure>No|Pot) Limit (?:(?P<less>{MONEY})/)?(?P<blind>{MONEY})(?![0-9.,/]).*?)\s- ",  # an ante, a speed
    re.IGNORECASE,
)
_SMALL, _BIG = "Posts small blind", "Posts big blind"
_ANY_POST = rf"(?P<name>.+) - (?:{_SMALL}|{_BIG}|Posts) {MONEY}"
_POSTER, _ACTOR = regex(_ANY_POST), regex(r"(?P<name>.+) - (?:Folds|Checks|Calls|Bets|Raises|All-In)\b")
_MOST_SEATS = 10
_RAKE = regex(rf"Rake \((?P<rake>{MONEY})\)")  # and that for a jackpot


class _Page(Page):
    source = "absolute"
    separators = (" - ", " ")
    lines = words(
        holes=r"\*\*\* POCKET CARDS",
        sum_up=SUMMARY,
        seat=rf"Seat (?P<number>[0-9]+) - (?P<name>.+) \((?P<stack>{MONEY}) in chips\)",
        table_button=r"Table: (?P<table>.*?)(?: \((?:Real|Play) Money\))? "
        r"Seat #(?P<button>[0-9]+) is the (?:dead )?dealer",
        dealt=r"Dealt to (?P<name>.+) (?P<cards>\[[^\]]*\])$",
        stranger=_ANY_POST,
    )
    summary = words(
        total=rf"Total Pot\((?P<pot>{MONEY})\)",
        board=r"Board (?P<cards>\[.*)",
        held=r"Seat (?P<number>[0-9]+): .*\[Mucked\] (?P<cards>\[[^\]]*\])",
    )
    acts = words(
        fold=r"Folds(?: \(Fold & Show (?P<cards>\[[^\]]*\])\))?$",
        check="Checks$",
        call=rf"Calls (?P<money>{MONEY})",
        bet_to=rf"(?:Bets|(?:Raises|All-In\(Raise\)) {MONEY} to) (?P<money>{MONEY})",
        all_in=rf"All-In\b(?:\s?\([^)]*\))?(?:\s(?P<money>{MONEY}))?",  # without an amount: their time ran out
        post=rf"(?P<what>{_SMALL}|{_BIG}|Posts dead|Posts|Ante) (?P<money>{MONEY})(?: dead (?P<dead>{MONEY}))?",
        ante_back="Ante returned",
        give_back=rf"returned \((?P<money>{MONEY})\) : not called",
        show=r"Shows (?P<cards>\[[^\]]*\])",
        muck="Mucks$",
        win=rf"Collects (?P<money>{MONEY}) from (?:main|side)",
    )

    def head(self, header: re.Match[str]) -> None:
        draft, rest = self.draft, header["rest"]
        draft.id, draft.time = header["id"], text_time(rest)
        self.posts: list[tuple[str, str, Money, Money]] = []  # by whom, its name, all of it and what is dead
        game = _GAME.match(rest)
        if game is None:
            raise refused(rest)
        if game["structure"]:
            blind = amount(game["blind"])
            draft.play(game["structure"], amount(game["less"]) if game["less"] else half(blind), blind)
        else:
            draft.play("", amount(game["small"]), amount(game["large"]))
        draft.pay(currency(game["small"] or game["blind"]))

    def stranger(self, found: re.Match[str]) -> None:
        """Give a player without a seat the next free one after the player before them, in the order of actions."""
        name, blinds, acts = found["name"], dict[str, None](), dict[str, None]()
        if self.draft.street is not None:
            return
        for line in self.draft.lines():
            if line.startswith("*** FLOP"):
                break
            if (post := _POSTER.match(line)) and (_SMALL in line or _BIG in line):
                blinds[post["name"]] = None
            elif act := _ACTOR.match(line):
                acts[act["name"]] = None
        order = [each for each in {**blinds, **acts} if each == name or each in self.seats.numbers]
        before = order[order.index(name) - 1] if name in order else next(iter(order), "")
        self.seats.sit_after(before, name, _MOST_SEATS)
        self.body([found.string])

    def post(self, name: str, found: re.Match[str]) -> None:
        if self.draft.street is None:
            self.posts.append((name, found["what"], amount(found["money"]), amount(found["dead"] or "0")))

    def ante_back(self, name: str, found: re.Match[str]) -> None:
        """Report an ante that is returned before the deal."""
        self.posts = [post for post in self.posts if post[:2] != (name, "Ante")]

    def holes(self, found: re.Match[str]) -> None:
        """Report what was posted, when it is known which blind is an all-in."""
        kinds = [what for _, what, _, _ in self.posts]
        missing = [blind for blind in (_SMALL, _BIG) if blind not in kinds]
        if len(missing) > kinds.count("All-In"):
            del missing[0]
        for name, what, money, dead in self.posts:
            if what == "All-In" and missing:
                what = missing.pop(0)
            dead = money if what == "Ante" else dead
            self.seats.post(name, money - dead, dead, big=what not in (_SMALL, "Ante"))
        super().holes(found)

    def fold(self, name: str, found: re.Match[str]) -> None:
        super().fold(name, found)
        if found["cards"]:
            self.know(name, found)

    def all_in(self, name: str, found: re.Match[str]) -> None:
        if self.draft.street is not None:
            super().all_in(name, found)
        elif found["money"]:
            self.posts.append((name, "All-In", amount(found["money"]), 0))

    def total(self, found: re.Match[str]) -> None:
        self.winnings.pot = amount(found["pot"])
        rakes = [amount(rake) for rake in _RAKE.findall(found.string)]
        self.winnings.rake = sum(rakes, 0) if rakes else None


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START)
