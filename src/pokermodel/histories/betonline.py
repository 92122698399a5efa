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
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

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
_TABLE = regex(r"Table (?:'(?P<table>.*?)' )?(?P<words>.*?),? ?Seat #(?P<button>[0-9]+) is the button")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in [Cc]hips\)")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_POST = regex(rf"(?P<what>{_SMALL}|{_BIG}|ante processed|post now|post dead) (?P<money>{MONEY})")
_CALL = regex(rf"calls (?P<put>{MONEY})")
_BET = regex(rf"(?:bets|raises {MONEY} to) (?P<to>{MONEY})")
_RAISE = regex(rf"raises (?P<put>{MONEY})")
_SHOW = regex(r"shows (?P<cards>[0-9TJQKAcdhs ]+)$", re.IGNORECASE)
_UNCALLED = regex(rf"Uncalled bet \((?P<money>{MONEY})\) returned to (?P<name>.+)")
_DEALT = regex(r"Dealt to (?P<name>.+) (?P<cards>\[.+\])$", re.IGNORECASE)
_TOTAL = regex(rf"Total pot (?P<pot>{MONEY})(?: \| Rake (?P<rake>{MONEY}))?", re.IGNORECASE)
_ACTS = ("post", "folds", "checks", "calls", "bets", "raises")
_SUMMARY = regex(r"Seat [0-9]+: (?P<said>.*)")
_SHOWED = regex(r".*?\bshowed (?P<cards>\[[^\]]*\])")
_WON = regex(rf".*?\b(?:won|collected) \((?P<money>{MONEY})\)")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id, rest = "betonline", header["id"], header["rest"]
    game = _GAME.match(rest)
    if game is None:
        raise refused(rest)
    draft.currency = "" if header["tournament"] else currency(game["small"] or "")
    draft.winnings.coin = CENT if draft.currency else ONE
    draft.time = _time(rest)
    draft.folds_early = True
    descending = any(line.endswith(" in Chips)") for line in draft.lines())
    stated = game["structure"] != "Limit"  # whether the header has the blinds, and not the bets
    blinds: dict[str, Money] = {_SMALL: 0, _BIG: 0}
    if stated:
        blinds = {_SMALL: amount(game["small"] or "0"), _BIG: amount(game["large"] or "0")}
    _Lines(draft, blinds, -1 if descending else 1).read()
    small, big = blinds[_SMALL], max(blinds[_BIG], 2 * blinds[_SMALL])
    draft.play(game["structure"] or "No Limit", small, big)
    if draft.structure.fixed:
        draft.bets = big, 2 * big


def _time(rest: str) -> datetime | None:
    """Return the time of the header, in which seconds may be missing and the zone is named at length."""
    when = _TIME.search(rest)
    if when is None:
        return None
    return text_time(f"{when['time']}{when['seconds'] or ':00'} {_ZONES.get(when['zone'], '')}")


class _Lines:
    """The lines of a hand, which are reported to a draft.

    Parameters
    ----------
    draft : Draft
        The hand.
    blinds : dict of str to Money
        The blinds by their names, those of the header; they become those posted.
    turn : {1, -1}
        Whether the turn goes to higher or to lower numbers of seats.
    """

    def __init__(self, draft: Draft, blinds: dict[str, Money], turn: int) -> None:
        self._draft = draft
        self._turn = turn
        self._blinds = blinds
        self._playing: set[str] = set()  # who has put in something, and has not folded
        self._left: set[str] = set()  # who has folded by leaving
        self._seats: dict[str, int] = {}
        self._pots: dict[Money, None] = {}
        self._won: dict[str, Money] = {}

    def read(self) -> None:
        """Report all lines."""
        draft, summary = self._draft, False
        for line in draft.lines():
            if line.startswith("***"):
                summary = line.startswith("*** SUMMARY")
                if street := _STREET.match(line):
                    draft.deal_board(cards(street["cards"]))
                elif line.startswith("*** HOLE CARDS"):
                    draft.deal_holes()
            elif total := _TOTAL.match(line):
                self._pots[amount(total["pot"])] = None
                draft.winnings.rake = amount(total["rake"]) if total["rake"] else None
            elif summary:
                self._read_summary(line)
            elif table := _TABLE.match(line):
                draft.seats.button = self._turn * int(table["button"])
                draft.table = table["table"] or table["words"]
            elif seat := _SEAT.match(line):
                number = self._turn * int(seat["number"])
                if number in self._seats.values() and not self._acts(seat["name"]):
                    continue  # who is on the way from another table
                self._seats[seat["name"]] = number
                draft.seats.sit(number, seat["name"], amount(seat["stack"]))
            elif back := _UNCALLED.match(line):
                draft.winnings.give_back(back["name"], amount(back["money"]))
            elif (dealt := _DEALT.match(line)) and dealt["name"] in self._seats:
                draft.seats.deal_to(dealt["name"], cards(dealt["cards"]))
            elif said := draft.seats.subject(line, ": "):
                self._read_action(said[0], said[1].rstrip(".").lower())
            elif said := draft.seats.subject(line, " "):
                self._read_event(*said)
        self._collect()

    def _acts(self, name: str) -> bool:
        said = (line.removeprefix(f"{name}: ") for line in self._draft.text.split("\n") if line.startswith(f"{name}: "))
        return any(what.lower().startswith(_ACTS) for what in said)

    def _read_action(self, name: str, what: str) -> None:
        draft = self._draft
        if name in self._left:
            return
        self._playing.add(name)
        if what == "folds":
            self._fold(name)
        elif what == "checks":
            draft.act(name, Act.CALL, 0)
        elif call := _CALL.match(what):
            draft.act(name, Act.CALL, amount(call["put"]))
        elif bet := _BET.match(what):
            draft.act(name, Act.RAISE, to=amount(bet["to"]))
        elif bet := _RAISE.match(what):
            draft.act(name, Act.RAISE, amount(bet["put"]))
        elif post := _POST.match(what):
            self._post(name, post["what"], amount(post["money"]))

    def _post(self, name: str, what: str, money: Money) -> None:
        if what in self._blinds:
            self._blinds[what] = max(self._blinds[what], money)
        if what == _SMALL and abs(self._draft.seats.button or 0) > _LAST_SEAT:
            self._draft.seats.button = self._seats[name] - 1  # the text has some other number
        if what == "ante processed":
            if money:
                self._draft.seats.post(name, 0, money)
            else:
                self._playing.discard(name)  # the text has everybody's, also of those who sit out
        elif what == "post dead":
            self._draft.seats.post(name, money, self._blinds[_SMALL], big=bool(money))
        else:
            self._draft.seats.post(name, money, big=what != _SMALL)

    def _fold(self, name: str) -> None:
        self._draft.act(name, Act.FOLD)
        self._playing.discard(name)

    def _read_event(self, name: str, what: str) -> None:
        if what == "has left the table" and name in self._playing:
            self._left.add(name)
            self._fold(name)
        elif show := _SHOW.match(what):
            self._draft.seats.show(name, cards(show["cards"]))

    def _read_summary(self, line: str) -> None:
        draft = self._draft
        if line.startswith("Board [") and len(line) > len("Board []"):
            draft.sum_up_board(cards(line.removeprefix("Board ")))
        elif (seat := _SUMMARY.match(line)) and (said := draft.seats.subject(seat["said"], " ")):
            name, what = said
            if showed := _SHOWED.match(what):
                draft.seats.show(name, cards(showed["cards"]))
            if (won := _WON.match(what)) and amount(won["money"]):
                self._won[name] = amount(won["money"])

    def _collect(self) -> None:
        """Report what is won: the whole of all pots, if there is one winner."""
        if len(self._won) == 1:
            self._won = dict.fromkeys(self._won, sum(self._pots, 0))
        for name, money in self._won.items():
            self._draft.winnings.collect(name, money)


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#",))
