"""Text histories of PKR, of money tables and tournaments.

Calls and raises are the total of the round. Uncalled bets may be left out. A player who was disconnected may win less
than the rules of the game give; what they leave goes to the others, so that the payoffs of the text are not those of
the replay.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import posted_blind
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"Starting Hand #(?P<id>[0-9]+)\b")
_NOISE = regex(r"Table #[0-9]+ - ")  # before the first line
_BLINDS = regex(rf"Blinds are now (?P<small>{MONEY}) ?/ ?(?P<large>{MONEY})$")
_BUTTON = regex(r"(?:Button is at|Moving Button to) seat (?P<button>[0-9]+)$")
_SEAT = regex(
    rf"Seat (?P<number>[0-9]+): (?P<name>.+?)(?: \(bounty .*?\))? - (?P<stack>{MONEY})(?: \(away from table\))?$"
)
_DEAL = regex(r"Dealing (?P<what>Flop|Turn|River)? ?(?P<cards>(?:\[[^\]]*\] ?)+)(?:(?<= )to (?P<name>.+))?$")
_RETURN = regex(rf"Returning (?P<money>{MONEY}) to (?P<name>.+) uncalled$")
_RAKE = regex(rf"Taking Rake of (?P<money>{MONEY}) from pot")
_POST = regex(
    rf"posts (?:(?P<what>small blind|big blind|ante of) )?\(?(?P<money>{MONEY})\)?(?P<dead> dead)?(?: \(all-in\))?$"
)
_CALL = regex(rf"calls (?P<to>{MONEY})(?: \(all-in\))?$")
_RAISE = regex(rf"(?:bets|raises to) (?P<to>{MONEY})(?: \(all-in\))?$")
_SHOW = regex(r"(?P<folds>folds and )?shows (?P<cards>\[.*\])$")
_WIN = regex(
    rf"(?:ties(?: side pot #[0-9]+)?, and )?wins (?P<money>{MONEY})(?P<limited>,? disconnection protection limited)?"
)


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "pkr", header["id"]
    says: dict[str, str] = {}
    blinds: re.Match[str] | None = None
    draft.winnings.rake = 0
    dealt = False
    for line in draft.lines():
        if not dealt:
            what, _, value = line.partition(": ")
            says.setdefault(what, value)
        if seat := _SEAT.match(line):
            if not dealt:  # what players have afterwards follows
                draft.seats.sit(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.seats.button = int(button["button"])
        elif blinds is None and (blinds := _BLINDS.match(line)):
            _play(draft, says, blinds)
        elif line == "Dealing Cards":
            dealt = True
            draft.deal_holes()
        elif deal := _DEAL.match(line):
            if deal["name"]:
                draft.seats.deal_to(deal["name"], _cards(deal["cards"]))
            else:
                draft.deal_board(_cards(deal["cards"]))
        elif back := _RETURN.match(line):
            draft.winnings.give_back(back["name"], amount(back["money"]))
        elif taken := _RAKE.match(line):
            draft.winnings.rake += amount(taken["money"])
        elif said := draft.seats.subject(line, " "):
            _read_action(draft, *said)
    draft.time = text_time(says.get("Start time of hand", ""))


def _play(draft: Draft, says: dict[str, str], blinds: re.Match[str]) -> None:
    game, structure = says.get("Game Type", ""), says.get("Limit Type", "")
    if game != "HOLD'EM":
        raise ValueError(f"only hold'em is supported, got {game!r}")
    if structure not in ("NO LIMIT", "POT LIMIT", "FIXED LIMIT", "LIMIT"):
        raise ValueError(f"expected a betting structure, got {structure!r}")
    small, large = amount(blinds["small"]), amount(blinds["large"])
    draft.play(structure, small, large)
    if draft.structure.fixed and posted_blind(draft.lines(), "big") == large:
        draft.bets = large, 2 * large
    if says.get("Table Type") != "TOURNAMENT":
        draft.currency = currency(blinds["small"]) if says.get("Money Type") == "REAL MONEY" else ""
    draft.winnings.coin = CENT if currency(blinds["small"]) else ONE


def _cards(text: str) -> tuple[int, ...]:
    """Parse cards, between whose rank and suit there may be a blank; some of a holding are hidden."""
    return cards(text.replace(" ", "").replace("[XX]", ""))


def _read_action(draft: Draft, name: str, what: str) -> None:
    if read_act(draft, name, what, _CALL, _RAISE):
        return
    if post := _POST.match(what):
        money = amount(post["money"])
        dead = post["what"] == "ante of" or bool(post["dead"])
        live = 0 if dead else money
        draft.seats.post(name, live, money - live, big=not dead and post["what"] != "small blind")
        if post["what"] == "ante of" and draft.small_blind == draft.least_bet:  # a game without blinds
            most = max(money, draft.least_bet)  # somebody may be all-in for less
            draft.bets = most, most
    elif show := _SHOW.match(what):
        if show["folds"]:
            draft.act(name, Act.FOLD)
        draft.seats.show(name, _cards(show["cards"]))
    elif what.startswith("has disconnected and has been granted disconnection protection"):
        draft.act(name, None)
    elif what == "mucks":
        draft.seats.muck(name)
    elif won := _WIN.match(what):
        draft.winnings.own_division |= won["limited"] is not None
        draft.winnings.collect(name, amount(won["money"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#",))
