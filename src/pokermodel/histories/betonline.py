"""Text histories of BetOnline, Gear Poker and their sister sites, hold'em.

The blinds are those posted: the header of a tournament may have those of an earlier level, and that of limit the bets.
Where the betting structure is not stated it is no limit. A player who leaves the table has folded; one who is listed in
another's seat, and does not act, is on the way from another table. The summary has who won the main pot; side pots,
stated above it, are theirs unless it names somebody else. In texts with capital letters, as in "in Chips", the turn
goes to lower numbers of seats. Of a dead small blind the text does not say how much it is.
"""

from __future__ import annotations

import re
from datetime import datetime

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, amount, currency, structure_of
from pokermodel.histories.grammar import SUMMARY, Page, words

__all__ = ["FORMAT"]

_START = regex(
    r"(?:(?:BetOnline|Gear) Poker|PayNoRake|ActionPoker\.com|SportsBetting\.ag|Tiger Gaming) "
    r"Game #(?P<id>[0-9]+): (?P<tournament>Tournament #[0-9]+: )?(?P<rest>.*)"
)
_NOISE = regex(r"Tournament will start in a moment")
_GAME = regex(rf"Hold'em(?: (?P<structure>(?:No |Pot )?Limit))?(?: \(?(?P<small>{MONEY})/(?P<large>{MONEY})\)?)? - ")
_TIME = regex(
    r"(?P<time>[0-9]{4}[/-][0-9]+[/-][0-9]+ [0-9]+:[0-9]{2})(?P<seconds>:[0-9]{2})?"
    r"(?: (?P<zone>.+ Time)$)?"
)
_ZONES = {"GMT Standard Time": "GMT", "GMT Daylight Time": "BST"} | {
    f"{place} {kind} Time": f"{place[0]}{kind[0]}T"
    for place in ("Eastern", "Central", "Mountain", "Pacific")
    for kind in ("Standard", "Daylight")
}
_LAST_SEAT = 9
_SMALL, _BIG = "posts small blind", "posts big blind"
_ACTS = regex(r"(?P<name>.+): (?:post|folds|checks|calls|bets|raises)", re.IGNORECASE)
_SHOWED = regex(r".*?\bshowed (?P<cards>\[[^\]]*\])")
_WON = regex(rf".*?\b(?:won|collected) \((?P<money>{MONEY})\)")


class _Page(Page):
    source = "betonline"
    separators = (": ", " ")
    lines = words(
        sum_up=SUMMARY,
        total=rf"(?i:Total pot) (?P<pot>{MONEY})(?: \| (?i:Rake) (?P<rake>{MONEY}))?",
        table_button=r"Table (?:'(?P<table>.*?)' )?(?P<words>.*?),? ?Seat #(?P<button>[0-9]+) is the button",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in [Cc]hips\)",
        dealt=r"(?i:Dealt to) (?P<name>.+) (?P<cards>\[.+\])$",
    )
    summary = words(total=lines["total"], board=r"Board (?P<cards>\[.+\].*)", result=r"Seat [0-9]+: (?P<rest>.*)")
    acts = words(
        fold=r"(?i)folds\.*$",
        check=r"(?i)checks\.*$",
        call=rf"(?i)calls (?P<money>{MONEY})",
        bet_to=rf"(?i)(?:bets|raises {MONEY} to) (?P<money>{MONEY})",
        bet=rf"(?i)raises (?P<money>{MONEY})",
        post=rf"(?i)(?P<what>{_SMALL}|{_BIG}|ante processed|post now|post dead) (?P<money>{MONEY})",
        leave="has left the table$",
        show=r"(?i)shows (?P<cards>[0-9TJQKAcdhs ]+)$",
    )

    def head(self, header: re.Match[str]) -> None:
        draft, rest = self.draft, header["rest"]
        draft.id = header["id"]
        game = _GAME.match(rest)
        if game is None:
            raise refused(rest)
        draft.pay("" if header["tournament"] else currency(game["small"] or ""))
        draft.time = _time(rest)
        draft.folds_early = True
        self.turn = -1 if any(line.endswith(" in Chips)") for line in draft.lines()) else 1
        draft.structure = structure_of(game["structure"] or "No Limit")
        stakes = () if draft.structure.fixed else (game["small"], game["large"])  # of limit the header has the bets
        self.blinds = dict(zip((_SMALL, _BIG), [amount(each or "0") for each in stakes] or [0, 0], strict=True))
        self.pots: dict[Money, None] = {}
        self.gains: dict[str, Money] = {}

    def table_button(self, found: re.Match[str]) -> None:
        self.seats.button = self.turn * int(found["button"])
        self.draft.table = found["table"] or found["words"]

    def seat(self, found: re.Match[str]) -> None:
        number, name = self.turn * int(found["number"]), found["name"]
        acts = (_ACTS.match(line) for line in self.draft.text.split("\n"))
        if number not in self.seats.numbers.values() or any(act and act["name"] == name for act in acts):
            self.seats.sit(number, name, amount(found["stack"]))

    def dealt(self, found: re.Match[str]) -> None:
        if found["name"] in self.seats.numbers:
            super().dealt(found)

    def fold(self, name: str, found: re.Match[str]) -> None:
        if not any(event.name == name and event.act is Act.FOLD for event in self.draft.events):  # by leaving
            super().fold(name, found)

    def leave(self, name: str, found: re.Match[str]) -> None:
        """Report a player who leaves: with that they fold, if they take part."""
        if name in self.seats.live or any(event.name == name for event in self.draft.events):
            self.fold(name, found)

    def post(self, name: str, found: re.Match[str]) -> None:
        what, money = found["what"].lower(), amount(found["money"])
        if what in self.blinds:
            self.blinds[what] = max(self.blinds[what], money)
        if what == _SMALL and abs(self.seats.button or 0) > _LAST_SEAT:
            self.seats.button = self.seats.numbers[name] - 1  # the text has some other number
        if what == "ante processed":
            if money:  # the text has everybody's, also of those who sit out
                self.seats.post(name, 0, money)
        elif what == "post dead":
            self.seats.post(name, money, self.blinds[_SMALL], big=bool(money))
        else:
            self.seats.post(name, money, big=what != _SMALL)

    def total(self, found: re.Match[str]) -> None:
        self.winnings.rake = amount(found["rake"]) if found["rake"] else None
        self.pots[amount(found["pot"])] = None

    def result(self, found: re.Match[str]) -> None:
        """Report what the summary says of a player."""
        if said := self.seats.subject(found["rest"], " "):
            if showed := _SHOWED.match(said[1]):
                self.show(said[0], showed)
            if (won := _WON.match(said[1])) and amount(won["money"]):
                self.gains[said[0]] = amount(won["money"])

    def finish(self) -> None:
        """Report what is won: the whole of all pots, if there is one winner; and the blinds."""
        if len(self.gains) == 1:
            self.gains = dict.fromkeys(self.gains, sum(self.pots, 0))
        for name, money in self.gains.items():
            self.winnings.collect(name, money)
        small, big = self.blinds[_SMALL], max(self.blinds[_BIG], 2 * self.blinds[_SMALL])
        self.draft.bets = (big, 2 * big) if self.draft.structure.fixed else (small, big)


def _time(rest: str) -> datetime | None:
    """Return the time of the header, in which seconds may be missing and the zone is named at length."""
    when = _TIME.search(rest)
    if when is None:
        return None
    return text_time(f"{when['time']}{when['seconds'] or ':00'} {_ZONES.get(when['zone'], '')}")


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, _NOISE)
