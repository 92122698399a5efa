"""Text histories of Bovada, Bodog and Ignition, of money tables and tournaments: the cards of all players are known.

Tables are anonymous: a history has the positions of a hand and the numbers of seats. A player is therefore named by the
seat of a table while they stay in it, such as ``"951467 seat 3"``; the next player in that seat is ``"951467 seat 3
(2)"``. The owner of the history is ``"Hero"``.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, amount, half
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_SITE = r"(?:Bovada|Bodog|Ignition)[A-Za-z. ]* Hand #"
_START = regex(rf"{_SITE}(?P<id>[0-9]+):?\s*(?P<rest>.*)")
_GAME = regex(r"HOLDEM(?:ZonePoker)?\s+(?:Tournament .*?)?(?P<structure>Fixed|No|Pot) Limit")
_LEVEL = regex(rf"HOLDEM\s+Tournament .*\((?P<small>{MONEY})/(?P<large>{MONEY})\)")  # no limit if it says nothing
_TABLE = regex(r"TBL#(?P<table>[0-9]+)|Zone Poker ID#(?P<zone>[0-9]+)")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<position>.+?)(?P<me> \[ME\])? \((?P<stack>{MONEY}) in chips\)")
_SAID = regex(r"(?P<position>Small Blind|Big Blind|Dealer|UTG(?:\+[0-9])?)\s*(?:\[ME\])?\s*: (?P<what>.*)")
_ANTES = ("ante chip", "ante")


class _Tables:
    """The players of the tables of one file.

    Attributes
    ----------
    sitting : dict of str to set of int
        Seats that are taken by table, in its last hand.
    occupants : dict
        Number of players that a seat has had, by table and number.
    """

    def __init__(self) -> None:
        self.sitting: dict[str, set[int]] = {}
        self.occupants: dict[tuple[str, int], int] = {}

    def name(self, table: str, number: int) -> str:
        """Name of the player in a seat."""
        if number not in self.sitting.get(table, ()):
            self.occupants[table, number] = self.occupants.get((table, number), 0) + 1
        which = self.occupants[table, number]
        return f"{table} seat {number}" + (f" ({which})" if which > 1 else "")

    def read(self, draft: Draft, header: re.Match[str]) -> None:
        """Read one hand; raises `ValueError`."""
        _Page.read(draft, header, self)


class _Page(Page):
    source = "bovada"
    lines = words(
        seat=_SEAT.pattern,
        street=r"(?:\*\*\* (?:FLOP|TURN|RIVER) \*\*\*|Card (?:dealt to|to the) table) (?P<cards>\[.*\])$",
        holes=r"\*\*\* HOLE",
        total=rf"Total Pot\((?P<pot>{MONEY})\)(?: \| Rake \((?P<rake>{MONEY})\))?",
        board=r"Board (?P<cards>\[.*)",
    )
    acts = words(
        dealt_to=r"Card dealt to a spot (?P<cards>\[[^\]]*\])",
        post=r"(?i)(?P<what>(?:Ante/)?Small Blind|Big blind(?:/Bring in)?|Posts (?:dead )?chip|Ante(?: chip)?) "
        rf"(?P<money>{MONEY})",
        set_button=r"Set dealer.*\[(?P<button>[0-9]+)\]",
        fold=r"Folds?\b",
        check=r"Checks?\b",
        call=rf"Calls?(?:\(.*?\))? (?P<money>{MONEY})",
        bet_to=rf"(?:Bets?(?: chip info)?|All-in\(raise.*?\)|Raises?)(?:\(.*?\))?(?: {MONEY} to)? (?P<money>{MONEY})",
        all_in=rf"All-in(?:\(timeout\))? (?P<money>{MONEY})",
        give_back=rf"Return uncalled portion of bet (?P<money>{MONEY})",
        win=rf"(?i)Hand result(?:-Side pot)? (?P<money>{MONEY})",
        muck="Mucks",
        leave="Seat stand|Stand|Table leave",
    )

    def __init__(self, draft: Draft, tables: _Tables) -> None:
        super().__init__(draft)
        self.tables = tables
        self.listed: list[tuple[int, str, str, Money]] = []  # number, position, name and stack, in the table's order
        self.names: dict[str, str] = {}  # by position
        self.left: set[int] = set()
        self.dealing = False
        self.before = ""  # the line before
        self.posts: list[tuple[str, str, Money]] = []
        self.gains: Money = 0
        self.others = False  # whether the pot of the summary is not what has been won

    def head(self, header: re.Match[str]) -> None:
        draft, rest = self.draft, header["rest"]
        draft.id, draft.time = header["id"], text_time(rest)
        game, level = _GAME.search(rest), _LEVEL.search(rest)
        if game is None and level is None:
            raise refused(rest)
        found = _TABLE.search(rest)
        self.table_name = (found["table"] or f"zone {found['zone']}") if found else "table"
        draft.table = self.table_name if found else None
        draft.pay("" if "Tournament" in rest else "USD")
        draft.reopening = "whole"
        draft.knows_all = True
        self.winnings.uncalled_collected = True  # of the big blind, when all others fold
        self.structure = game["structure"] if game else "No"
        self.large = amount(level["large"]) if level else None  # of the level

    def subject(self, line: str) -> tuple[str, str] | None:
        said = _SAID.match(line)
        if not self.names and self.listed and (said or line.startswith("*** ")):  # others come and go between seats
            self.sit()
        before, self.before = self.before, line or self.before
        if said is None or line == before or said["position"] not in self.names:  # some histories repeat lines
            return None
        return self.names[said["position"]], said["what"]

    def seat(self, found: re.Match[str]) -> None:
        if not self.names:
            number = int(found["number"])
            name = self.tables.name(self.table_name, number)
            if found["me"]:
                self.seats.hero = name = "Hero"
            self.listed.append((number, found["position"], name, amount(found["stack"])))

    def sit(self) -> None:
        """Report the seats by their numbers, or by their order in the text where the numbers are in none."""
        numbers = [number for number, *_ in self.listed]
        if numbers != sorted(numbers):
            numbers = list(range(1, len(numbers) + 1))
        for number, (_, position, name, stack) in zip(numbers, self.listed, strict=True):
            self.names[position] = name
            self.seats.sit(number, name, stack)
        if "Dealer" in self.names:
            self.seats.button = self.seats.numbers[self.names["Dealer"]]

    def holes(self, found: re.Match[str]) -> None:
        self.dealing = True  # some fold before

    def total(self, found: re.Match[str]) -> None:
        pot, rake = amount(found["pot"]), amount(found["rake"]) if found["rake"] else None
        self.others = bool(self.gains) and pot - (rake or 0) != self.gains
        self.winnings.pot, self.winnings.rake = pot, rake

    def board(self, found: re.Match[str]) -> None:
        board, known = self.cards(found["cards"]), self.draft.board
        if self.others and len(known) == len(board) and set(known) != set(board):
            # neither pot nor board are of this hand: the summary is another's
            self.winnings.pot = self.winnings.rake = None
        else:
            super().board(found)

    def dealt_to(self, name: str, found: re.Match[str]) -> None:
        """Report the cards of a player."""
        self.seats.deal(name, self.cards(found["cards"]))

    def post(self, name: str, found: re.Match[str]) -> None:
        if not self.dealing:
            self.posts.append((name, found["what"].lower(), amount(found["money"])))

    def all_in(self, name: str, found: re.Match[str]) -> None:
        if self.dealing:
            super().all_in(name, found)
        else:
            self.posts.append((name, "all-in", amount(found["money"])))

    def give_back(self, name: str, found: re.Match[str]) -> None:
        if self.dealing:
            super().give_back(name, found)
        else:
            self.posts.append((name, "ante", -amount(found["money"])))

    def set_button(self, name: str, found: re.Match[str]) -> None:
        """Report the button, in a line of some player."""
        if "Dealer" not in self.names:
            self.button(found)

    def win(self, name: str, found: re.Match[str]) -> None:
        super().win(name, found)
        self.gains += amount(found["money"])

    def leave(self, name: str, found: re.Match[str]) -> None:
        """Report a player who leaves the table."""
        self.left.update(number for number, _, other, _ in self.listed if other == name)

    def finish(self) -> None:
        """Report the posts and the size of the bets, which is known when all lines are read."""
        draft, seats, posts = self.draft, self.seats, self.posts
        # the first posts are the blinds in turn; headers of 2012 have no stakes, or those of the next level
        big = next((money for _, what, money in posts if what.startswith("big blind")), None)
        small = next((money for _, what, money in posts if "small blind" in what), None)
        if big is None:
            big = self.large if small is None or self.large is None else max(self.large, 2 * small)
        if big is None and small is not None:  # the big blind may be all-in, for more than that of $0.02/$0.05
            name = self.names.get("Big Blind")
            big = max(2 * small, *(money for poster, what, money in posts if (poster, what) == (name, "all-in")), 0)
        if big is None:
            raise ValueError("no blind is posted, so that the size of the bets is not known")
        if self.structure == "Fixed":
            draft.play("", big, 2 * big)
        else:
            draft.play(self.structure, half(big) if small is None else small, big)
        antes = {name for name, what, _ in posts if what in _ANTES}
        for name, what, money in posts:
            ante = what in _ANTES or (what == "all-in" and bool(antes) and name not in antes)
            dead_only = ante or ("dead" in what and money < big)  # a small blind owed by a newcomer
            live = 0 if dead_only else min(money, big)
            short = what == "all-in" and name == self.names.get("Small Blind")
            seats.post(name, live, money - live, big=not dead_only and not short and "small blind" not in what)
        if seats.button is None:
            # the button is at an empty seat: before the small blind, or before the big one
            order = list(self.names)
            blind = next((position for position in ("Small Blind", "Big Blind") if position in order), None)
            if blind is not None:
                seats.button = seats.numbers[self.names[order[order.index(blind) - 1]]]
        listed = {number for number, *_ in self.listed} - self.left
        self.tables.sitting[self.table_name] = set() if self.table_name.startswith("zone") else listed


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _Tables().read, remembers=True, marks=("#",))
