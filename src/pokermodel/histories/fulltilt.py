"""Text histories of Full Tilt Poker, of money tables and tournaments.

Histories from 2016 on have the words of PokerStars. A fold that the lines of the betting leave out is in the summary.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories import pokerstars
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import played
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(
    r"Full ?Tilt ?Poker Game #(?P<id>[0-9]+): (?P<rest>.*)|Full Tilt (?:Rush )?Hand #(?P<later_id>[0-9]+):(?P<later>.*)"
)
_NOISE = regex(r"BEGIN$")  # of collected histories
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+?) \((?P<stack>{MONEY})\)(?:, is sitting out)?$")
_PLAYS = regex(r"(?P<name>.+?) (?:posts|antes|folds|checks|calls|bets|raises to)\b")
_TABLE = regex(r"(?:^|, )Table (?P<table>.+?)(?: \([^()]*\))* - ")
_SUMMED_UP = regex(r"Seat (?P<number>[0-9]+): (?P<rest>.+)")
_BUTTON = regex(r"The button is in seat #(?P<button>[0-9]+)$")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER)(?: (?P<run>[0-9]))? \*\*\* (?P<cards>(?:\[[^\]]*\] ?)+)")
_POST = regex(rf"(?P<what>posts (?:the|a) (?:dead )?(?:small|big) blind of|posts|antes) (?P<money>{MONEY})")
_CALL = regex(rf"calls (?P<put>{MONEY})")
_RAISE = regex(rf"(?:bets|raises to) (?P<to>{MONEY})")
_SHOW = regex(r"shows \[(?P<cards>[^\]]*)\]")
_WIN = regex(rf"(?:wins|ties for) (?:the |main |side )*pot(?: #?[0-9]+)? \((?P<money>{MONEY})\)")
_UNCALLED = regex(rf"Uncalled bet of (?P<money>{MONEY}) returned to (?P<name>.+)")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOTAL = regex(rf"Total pot (?P<pot>{MONEY}).*\| Rake (?P<rake>{MONEY})")
_SUM = regex(rf"Seat (?P<number>[0-9]+): .*(?:collected| and won) \((?P<money>{MONEY})\)")
_SUMMARY = regex(r"Seat (?P<number>[0-9]+): .*(?P<what>mucked|showed) \[(?P<cards>[^\]]*)\]")
_TOGETHER = regex(r"(?<=\(button\)) (?=Seat [0-9]+: )")  # two lines in one, the first of a player who has left
_FOLDED = regex(r"Seat (?P<number>[0-9]+): .* (?:folded (?:before|on) the \w+|didn't bet \(folded\))$")


def _read(draft: Draft, header: re.Match[str]) -> None:
    if header["later"] is not None:
        pokerstars.read(draft, "fulltilt", header["later_id"], header["later"])
        return
    draft.source, draft.id, draft.time = "fulltilt", header["id"], text_time(header["rest"])
    game = played(draft, header["rest"])
    table = _TABLE.search(header["rest"])
    draft.table = table["table"] if table else None
    draft.cap = game.cap
    draft.currency = currency(game.stakes)
    draft.winnings.coin = CENT if draft.currency else ONE
    if not any(_SEAT.match(line) for line in draft.lines()):
        _seat_by_summary(draft)
        if not draft.seats.numbers.keys() & _players(draft):
            raise ValueError("the text has neither a list of seats nor anybody who acts")
    summary = second = dealing = False
    for line in draft.lines():
        if line.startswith("***"):
            if line == "*** SUMMARY ***" and draft.winnings.pot is not None:
                break  # of a hand that was not dealt
            summary = line.startswith("*** SUMMARY")
            second = line.startswith("*** SUMMARY 2")
            street = _STREET.match(line)
            if street and street["run"] not in (None, "1"):
                if street["run"] != "2":
                    raise ValueError("only boards that are run once or twice are supported")
                draft.deal_run(2, cards(street["cards"]))
            elif street:
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** HOLE CARDS"):
                draft.deal_holes()
                dealing = True
        elif summary:
            if total := _TOTAL.match(line):
                draft.winnings.pot, draft.winnings.rake = amount(total["pot"]), amount(total["rake"])
            elif line.startswith("Board: [") and not second:
                draft.sum_up_board(cards(line.removeprefix("Board: ")))
            else:
                for part in _TOGETHER.split(line):
                    _read_summary(draft, part)
        elif seat := _SEAT.match(line):
            draft.seats.sit(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.seats.button = int(button["button"])
        elif back := _UNCALLED.match(line):
            draft.winnings.give_back(back["name"], amount(back["money"]))
        elif dealt := _DEALT.match(line):
            draft.seats.deal_to(dealt["name"], cards(dealt["cards"]))
        elif (said := draft.seats.subject(line, " ")) and (
            dealing or said[1] != "checks"
        ):  # with no chips but the ante
            _read_action(draft, *said)


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


def _read_summary(draft: Draft, line: str) -> None:
    if shown := _SUMMARY.match(line):
        tell = draft.seats.show if shown["what"] == "showed" else draft.seats.deal
        tell(draft.seats.name_at(int(shown["number"])), cards(shown["cards"]))
    if folded := _FOLDED.match(line):
        draft.seats.folded.add(draft.seats.name_at(int(folded["number"])))
    if won := _SUM.match(line):
        draft.winnings.collect(draft.seats.name_at(int(won["number"])), amount(won["money"]), summary=True)


def _read_action(draft: Draft, name: str, what: str) -> None:
    capped = what.endswith(", and is capped")
    if read_act(draft, name, what, _CALL, _RAISE, last=capped):
        return
    if post := _POST.match(what):
        money, small = amount(post["money"]), "small" in post["what"]
        dead = post["what"] == "antes" or "dead" in post["what"]
        draft.seats.post(name, 0 if dead else money, money if dead else 0, big=not (dead or small))
    elif show := _SHOW.match(what):
        draft.seats.show(name, cards(show["cards"]))
    elif what == "mucks":
        draft.seats.muck(name)
    elif won := _WIN.match(what):
        draft.winnings.collect(name, amount(won["money"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#",))
