"""Text histories of Bovada, Bodog and Ignition, of money tables and tournaments: the cards of all players are known.

Tables are anonymous: a history has the positions of a hand and the numbers of seats. A player is therefore named by the
seat of a table while they stay in it, such as ``"951467 seat 3"``; the next player in that seat is ``"951467 seat 3
(2)"``. The owner of the history is ``"Hero"``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, half

__all__ = ["FORMAT"]

_SITE = r"(?:Bovada|Bodog|Ignition)[A-Za-z. ]* Hand #"
_START = regex(rf"{_SITE}(?P<id>[0-9]+):?\s*(?P<rest>.*)")
_GAME = regex(r"HOLDEM(?:ZonePoker)?\s+(?:Tournament .*?)?(?P<structure>Fixed|No|Pot) Limit")
_LEVEL = regex(rf"HOLDEM\s+Tournament .*\((?P<small>{MONEY})/(?P<large>{MONEY})\)")  # no limit if it says nothing
_TABLE = regex(r"TBL#(?P<table>[0-9]+)|Zone Poker ID#(?P<zone>[0-9]+)")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<position>.+?)(?P<me> \[ME\])? \((?P<stack>{MONEY}) in chips\)")
_SAID = regex(r"(?P<position>Small Blind|Big Blind|Dealer|UTG(?:\+[0-9])?)\s*(?:\[ME\])?\s*: (?P<what>.*)")
_BUTTON = regex(r"Set dealer.*\[(?P<button>[0-9]+)\]")
_STREET = regex(r"(?:\*\*\* (?:FLOP|TURN|RIVER) \*\*\*|Card (?:dealt to|to the) table) (?P<cards>\[.*\])$")
_POST = regex(
    rf"(?P<what>Ante/Small Blind|Small Blind|Big blind/Bring in|Big blind|Posts chip|Posts dead chip|Ante chip|Ante)"
    rf" (?P<money>{MONEY})",
    re.IGNORECASE,
)
_ANTES = ("ante chip", "ante")
_DEALT = regex(r"Card dealt to a spot \[(?P<cards>[^\]]*)\]")
_FOLD = regex(r"Folds?\b")
_CHECK = regex(r"Checks?\b")
_CALL = regex(rf"Calls?(?:\(.*?\))? (?P<put>{MONEY})")
_BET = regex(rf"Bets?(?: chip info)?(?:\(.*?\))? (?P<to>{MONEY})")
_RAISE = regex(rf"(?:All-in\(raise.*?\)|Raises?(?:\(.*?\))?) (?P<to>{MONEY})(?: to (?P<stated>{MONEY}))?")
_ALL_IN = regex(rf"All-in(?:\(timeout\))? (?P<put>{MONEY})")
_RETURN = regex(rf"Return uncalled portion of bet (?P<money>{MONEY})")
_RESULT = regex(rf"Hand result(?:-Side pot)? (?P<money>{MONEY})", re.IGNORECASE)
_TOTAL = regex(rf"Total Pot\((?P<pot>{MONEY})\)(?: \| Rake \((?P<rake>{MONEY})\))?")


class _Reader:
    """Reads the hands of one file, and keeps the players of the seats."""

    def __init__(self) -> None:
        self._sitting: dict[str, set[int]] = {}  # seats by table, in its last hand
        self._occupants: dict[tuple[str, int], int] = {}  # number of players that a seat has had

    def read(self, draft: Draft, header: re.Match[str]) -> None:
        """Read one hand; raises `ValueError`."""
        draft.source, draft.id, rest = "bovada", header["id"], header["rest"]
        draft.time = text_time(rest)
        game, level = _GAME.search(rest), _LEVEL.search(rest)
        if game is None and level is None:
            raise refused(rest)
        tournament = "Tournament" in rest
        found = _TABLE.search(rest)
        table = (found["table"] or f"zone {found['zone']}") if found else "table"
        draft.table = table if found else None
        draft.currency, draft.winnings.coin = ("", ONE) if tournament else ("USD", CENT)
        draft.reopening = "whole"
        draft.knows_all = True
        draft.winnings.uncalled_collected = True  # of the big blind, when all others fold
        hand = _Hand(draft, game["structure"] if game else "No", amount(level["large"]) if level else None)
        sitting: set[int] = set()
        for line in draft.lines():
            seat = None if hand.seated else _SEAT.match(line)
            if seat:
                number = int(seat["number"])
                sitting.add(number)
                name = self._name(table, number, bool(seat["me"]))
                hand.sit(number, seat["position"], name, amount(seat["stack"]))
                if seat["me"]:
                    draft.seats.hero = name
            else:
                hand.line(line)
        hand.finish()
        self._sitting[table] = set() if table.startswith("zone") else sitting - hand.left

    def _name(self, table: str, number: int, hero: bool) -> str:
        if number not in self._sitting.get(table, ()):
            self._occupants[table, number] = self._occupants.get((table, number), 0) + 1
        which = self._occupants[table, number]
        return "Hero" if hero else f"{table} seat {number}" + (f" ({which})" if which > 1 else "")


class _Seat(NamedTuple):
    number: int
    position: str
    name: str
    stack: Money


class _Hand:
    """Reads the lines of one hand."""

    def __init__(self, draft: Draft, structure: str, large: Money | None) -> None:
        self.left: set[int] = set()
        self.seated = False  # whether the list of seats is complete
        self._structure = structure
        self._large = large  # of the level
        self._draft = draft
        self._seats: list[_Seat] = []  # in the order of the table; numbers of later years are in none
        self._names: dict[str, str] = {}  # by position
        self._places: dict[str, int] = {}  # numbers of the draft's seats, by position
        self._before = ""
        self._posts: list[tuple[str, str, Money]] = []
        self._dealing = False
        self._won: Money = 0
        self._others = False  # whether the pot of the summary is not what has been won

    def sit(self, number: int, position: str, name: str, stack: Money) -> None:
        """Read a seat; raises `ValueError`."""
        self._seats.append(_Seat(number, position, name, stack))

    def line(self, line: str) -> None:
        """Read a line after the seats; raises `ValueError`."""
        draft = self._draft
        said = _SAID.match(line)
        if self._seats and not self.seated and (said or line.startswith("*** ")):  # others come and go between seats
            self._take_seats()
        before, self._before = self._before, line or self._before
        if said:
            if said["position"] in self._names and line != before:  # some histories repeat lines
                self._say(said["position"], said["what"])
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif line.startswith("*** HOLE"):
            self._dealing = True
        elif total := _TOTAL.match(line):
            pot, rake = amount(total["pot"]), amount(total["rake"]) if total["rake"] else 0
            self._others = bool(self._won) and pot - rake != self._won
            draft.winnings.pot, draft.winnings.rake = pot, rake if total["rake"] else None
        elif line.startswith("Board ["):
            board = cards(line.removeprefix("Board "))
            if self._others and len(draft.board) == len(board) and set(draft.board) != set(board):
                # neither pot nor board are of this hand: the summary is another's
                draft.winnings.pot = draft.winnings.rake = None
            else:
                draft.sum_up_board(board)

    def _take_seats(self) -> None:
        """Report the seats by their numbers, or by their order in the text where the numbers are in none."""
        self.seated = True
        numbers = [seat.number for seat in self._seats]
        if numbers != sorted(numbers):
            numbers = list(range(1, len(numbers) + 1))
        for number, seat in zip(numbers, self._seats, strict=True):
            self._places[seat.position] = number
            self._names[seat.position] = seat.name
            self._draft.seats.sit(number, seat.name, seat.stack)
        self._draft.seats.button = self._places.get("Dealer")

    def _say(self, position: str, what: str) -> None:
        draft, name = self._draft, self._names[position]
        if dealt := _DEALT.match(what):
            draft.seats.deal(name, cards(dealt["cards"]))
        elif not self._dealing and (post := _POST.match(what)):
            self._posts.append((name, post["what"].lower(), amount(post["money"])))
        elif not self._dealing and (post := _ALL_IN.match(what)):
            self._posts.append((name, "all-in", amount(post["put"])))
        elif not self._dealing and (back := _RETURN.match(what)):  # of an ante
            self._posts.append((name, "ante", -amount(back["money"])))
        elif button := _BUTTON.match(what):
            draft.seats.button = self._places.get("Dealer", int(button["button"]))
        elif _FOLD.match(what):
            draft.act(name, Act.FOLD)
        elif _CHECK.match(what):
            draft.act(name, Act.CALL, 0)
        elif call := _CALL.match(what):
            draft.act(name, Act.CALL, amount(call["put"]))
        elif bet := _BET.match(what):
            draft.act(name, Act.RAISE, to=amount(bet["to"]))
        elif bet := _RAISE.match(what):
            draft.act(name, Act.RAISE, to=amount(bet["stated"] or bet["to"]))
        elif all_in := _ALL_IN.match(what):
            draft.act(name, None, amount(all_in["put"]))
        elif back := _RETURN.match(what):
            draft.winnings.give_back(name, amount(back["money"]))
        elif won := _RESULT.match(what):
            draft.winnings.collect(name, amount(won["money"]))
            self._won += amount(won["money"])
        elif what.startswith("Mucks"):
            draft.seats.muck(name)
        elif what.startswith(("Seat stand", "Stand", "Table leave")):
            self.left.update(seat.number for seat in self._seats if seat.position == position)

    def finish(self) -> None:
        """Set the size of the bets, which is known when all lines are read."""
        draft = self._draft
        # the first posts are the blinds in turn; headers of 2012 have no stakes, or those of the next level
        big = next((money for _, what, money in self._posts if what.startswith("big blind")), None)
        small = next((money for _, what, money in self._posts if "small blind" in what), None)
        if big is None:
            big = self._large if small is None or self._large is None else max(self._large, 2 * small)
        if big is None and small is not None:  # the big blind may be all-in, for more than that of $0.02/$0.05
            name = self._names.get("Big Blind")
            all_in = [money for poster, what, money in self._posts if (poster, what) == (name, "all-in")]
            big = max(2 * small, *all_in, 0)
        if big is None:
            raise ValueError("no blind is posted, so that the size of the bets is not known")
        if self._structure == "Fixed":
            draft.play("", big, 2 * big)
        else:
            draft.play(self._structure, half(big) if small is None else small, big)
        antes = {name for name, what, _ in self._posts if what in _ANTES}
        for name, what, money in self._posts:
            ante = what in _ANTES or (what == "all-in" and bool(antes) and name not in antes)
            dead_only = ante or ("dead" in what and money < big)  # a small blind owed by a newcomer
            live = 0 if dead_only else min(money, big)
            short = what == "all-in" and name == self._names.get("Small Blind")
            draft.seats.post(name, live, money - live, big=not dead_only and not short and "small blind" not in what)
        if draft.seats.button is None:
            # the button is at an empty seat: before the small blind, or before the big one
            order = list(self._places.values())
            blinds = [self._places[position] for position in ("Small Blind", "Big Blind") if position in self._places]
            if blinds:
                draft.seats.button = order[order.index(blinds[0]) - 1]


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _Reader().read, remembers=True, marks=("#",))
