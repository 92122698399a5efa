"""Text histories of Full Tilt Poker, of money tables and tournaments.

Histories from 2016 on have the words of PokerStars. A fold that the lines of the betting leave out is in the summary.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories import pokerstars
from pokermodel.histories._words import MONEY, amount, cards
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import BOARD, SUMMARY, Page, words

__all__ = ["FORMAT"]

_START = regex(
    r"Full ?Tilt ?Poker Game #(?P<id>[0-9]+): (?P<rest>.*)|Full Tilt (?:Rush )?Hand #(?P<later_id>[0-9]+):(?P<later>.*)"
)
_NOISE = regex(r"BEGIN$")  # of collected histories
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+?) \((?P<stack>{MONEY})\)(?:, is sitting out)?$")
_PLAYS = regex(r"(?P<name>.+?) (?:posts|antes|folds|checks|calls|bets|raises to)\b")
_TABLE = regex(r"(?:^|, )Table (?P<table>.+?)(?: \([^()]*\))* - ")
_SUMMED_UP = regex(r"Seat (?P<number>[0-9]+): (?P<rest>.+)")
_CAPPED = ", and is capped"
_TOGETHER = regex(r"(?<=\(button\)) (?=Seat [0-9]+: )")  # two lines in one, the first of a player who has left
_FOLDED = regex(r"Seat (?P<number>[0-9]+): .* (?:folded (?:before|on) the \w+|didn't bet \(folded\))$")
_SUM = regex(rf"Seat (?P<number>[0-9]+): .*(?:collected| and won) \((?P<money>{MONEY})\)")
_HELD = regex(r"Seat (?P<number>[0-9]+): .*(?P<what>mucked|showed) (?P<cards>\[[^\]]*\])")


class _Page(Page):
    source = "fulltilt"
    lines = words(
        run=r"\*\*\* (?:FLOP|TURN|RIVER)(?: (?P<run>[0-9]))? \*\*\* (?P<cards>(?:\[[^\]]*\] ?)+)",
        sum_up=SUMMARY,
        seat=_SEAT.pattern,
        button=r"The button is in seat #(?P<button>[0-9]+)$",
        uncalled=rf"Uncalled bet of (?P<money>{MONEY}) returned to (?P<name>.+)",
    )
    summary = words(
        run=lines["run"],
        sum_up=SUMMARY,
        total=rf"Total pot (?P<pot>{MONEY}).*\| Rake (?P<rake>{MONEY})",
        board=BOARD,
        places=r"Seat [0-9]+: ",
    )
    acts = words(
        post=rf"(?P<what>posts (?:the|a) (?:dead )?(?:small|big) blind of|posts|antes) (?P<money>{MONEY})",
        muck="mucks$",
        win=rf"(?:wins|ties for) (?:the |main |side )*pot(?: #?[0-9]+)? \((?P<money>{MONEY})\)",
    )

    def head(self, header: re.Match[str]) -> None:
        draft, rest = self.draft, header["rest"]
        draft.id = header["id"]
        draft.cap = self.play(rest).cap
        table = _TABLE.search(rest)
        draft.table = table["table"] if table else None
        self.second = self.ended = False
        if not any(_SEAT.match(line) for line in draft.lines()):
            _seat_by_summary(draft)
            if not draft.seats.numbers.keys() & _players(draft):
                raise ValueError("the text has neither a list of seats nor anybody who acts")

    def run(self, found: re.Match[str]) -> None:
        run = int(found["run"] or 1)
        if run > 2:
            raise ValueError("only boards that are run once or twice are supported")
        self.draft.deal_run(run, cards(found["cards"]))

    def sum_up(self, found: re.Match[str]) -> None:
        self.second = "SUMMARY 2" in found.string
        self.ended = found.string == "*** SUMMARY ***" and self.winnings.pot is not None  # of a hand that was not dealt
        super().sum_up(found)
        if self.ended:
            self.rules = ()

    def board(self, found: re.Match[str]) -> None:
        if not self.second:
            super().board(found)

    def places(self, found: re.Match[str]) -> None:
        """Report a player, or two, of the summary."""
        for part in _TOGETHER.split(found.string):
            if held := _HELD.match(part):
                (self.showed if held["what"] == "showed" else self.held)(held)
            if folded := _FOLDED.match(part):
                self.seats.folded.add(self.seats.name_at(int(folded["number"])))
            if won := _SUM.match(part):
                name = self.seats.name_at(int(won["number"]))
                self.winnings.collect(name, amount(won["money"]), summary=True)

    def check(self, name: str, found: re.Match[str]) -> None:
        if self.draft.street is not None:  # or with no chips but the ante
            super().check(name, found)

    def call(self, name: str, found: re.Match[str]) -> None:
        self.draft.act(name, Act.CALL, amount(found["money"]), last=found.string.endswith(_CAPPED))

    def bet_to(self, name: str, found: re.Match[str]) -> None:
        self.draft.act(name, Act.RAISE, to=amount(found["money"]), last=found.string.endswith(_CAPPED))

    def post(self, name: str, found: re.Match[str]) -> None:
        what, money = found["what"], amount(found["money"])
        if what == "antes" or "dead" in what:
            self.seats.post(name, 0, money)
        else:
            self.seats.post(name, money, big="small" not in what)


def _players(draft: Draft) -> set[str]:
    """Names of those who act."""
    return {act["name"] for line in draft.lines() if (act := _PLAYS.match(line))}


def _seat_by_summary(draft: Draft) -> None:
    """Report who plays in a text without a list of seats, as observers had it: their chips are not known."""
    names = _players(draft)
    for line in draft.lines():
        seat = _SUMMED_UP.match(line)
        name = max((name for name in names if seat and seat["rest"].startswith(f"{name} ")), key=len, default=None)
        if seat and name is not None:
            names.remove(name)
            draft.seats.sit(int(seat["number"]), name, None)


def _read(draft: Draft, header: re.Match[str]) -> None:
    if header["later"] is None:
        _Page.read(draft, header)
    else:
        pokerstars.read(draft, "fulltilt", header["later_id"], header["later"])


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#",))
