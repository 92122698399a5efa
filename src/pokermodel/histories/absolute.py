"""Text histories of Absolute Poker and UltimateBet, of money tables and tournaments.

Headers of no limit and pot limit have the big blind only. A blind that takes a player's last chips is only said to be
an all-in. It is the one that nobody else posts. Who has just sat down may post without a seat in the text. A player
whose time runs out is all-in for what they have put in: see `Draft.run_out`. A side bet on 7-2 is no part of the pot,
and what is taken for a jackpot counts as rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency, half

__all__ = ["FORMAT"]

_START = regex(r"Stage #(?P<id>[A-Z]?[0-9]+):? (?P<rest>.*)")
_GAME = regex(
    rf"(?:Tourney ID [0-9]+ )?Holdem\s+(?:[^-]*\s)?"
    rf"(?:Normal (?P<small>{MONEY})/(?P<large>{MONEY})"
    rf"|(?P<structure>No|Pot) Limit (?:(?P<less>{MONEY})/)?(?P<blind>{MONEY})(?![0-9.,/]).*?)\s- ",  # an ante, a speed
    re.IGNORECASE,
)
_BUTTON = regex(r"Table: (?P<table>.*?)(?: \((?:Real|Play) Money\))? Seat #(?P<button>[0-9]+) is the (?:dead )?dealer")
_SEAT = regex(rf"Seat (?P<number>[0-9]+) - (?P<name>.+) \((?P<stack>{MONEY}) in chips\)")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$")
_ANTE_BACK = "Ante returned"
_SMALL, _BIG = "Posts small blind", "Posts big blind"
_POST = regex(rf"(?P<what>{_SMALL}|{_BIG}|Posts dead|Posts|Ante) (?P<money>{MONEY})(?: dead (?P<dead>{MONEY}))?")
_ANY_POST = regex(rf"(?P<name>.+) - (?:{_SMALL}|{_BIG}|Posts) {MONEY}")
_ANY_ACT = regex(r"(?P<name>.+) - (?:Folds|Checks|Calls|Bets|Raises|All-In)\b")
_MOST_SEATS = 10
_FOLD = regex(r"Folds(?: \(Fold & Show \[(?P<cards>[^\]]*)\]\))?$")
_CALL = regex(rf"Calls (?P<put>{MONEY})")
_BET = regex(rf"Bets (?P<to>{MONEY})")
_RAISE = regex(rf"(?:Raises|All-In\(Raise\)) {MONEY} to (?P<to>{MONEY})")
_ALL_IN = regex(rf"All-In\b(?:\s?\([^)]*\))?(?:\s(?P<put>{MONEY}))?")  # without an amount: their time ran out
_SHOW = regex(r"Shows \[(?P<cards>[^\]]*)\]")
_RETURN = regex(rf"returned \((?P<money>{MONEY})\) : not called")
_COLLECT = regex(rf"Collects (?P<money>{MONEY}) from (?:main|side)")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOTAL = regex(rf"Total Pot\((?P<pot>{MONEY})\)")
_RAKE = regex(rf"Rake \((?P<rake>{MONEY})\)")  # and that for a jackpot
_SUMMARY = regex(r"Seat (?P<number>[0-9]+): .*\[Mucked\] \[(?P<cards>[^\]]*)\]")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id, draft.time = "absolute", header["id"], text_time(header["rest"])
    game = _GAME.match(header["rest"])
    if game is None:
        raise refused(header["rest"])
    if game["structure"]:
        blind = amount(game["blind"])
        draft.play(game["structure"], amount(game["less"]) if game["less"] else half(blind), blind)
    else:
        draft.play("", amount(game["small"]), amount(game["large"]))
    draft.currency = currency(game["small"] or game["blind"])
    draft.winnings.coin = CENT if draft.currency else ONE
    posts: list[tuple[str, str, Money, Money]] = []
    summary = dealt = False
    for line in draft.lines():
        if not dealt and (stranger := _ANY_POST.match(line)) and stranger["name"] not in draft.seats.numbers:
            _seat_in_turn(draft, stranger["name"])
        if line.startswith("***"):
            summary = line.startswith("*** SUMMARY")
            if street := _STREET.match(line):
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** POCKET CARDS"):
                _post(draft, posts)
                dealt = True
                draft.deal_holes()
        elif summary:
            if total := _TOTAL.match(line):
                draft.winnings.pot = amount(total["pot"])
                rakes = [amount(rake) for rake in _RAKE.findall(line)]
                draft.winnings.rake = sum(rakes, 0) if rakes else None
            elif line.startswith("Board ["):
                draft.sum_up_board(cards(line.removeprefix("Board ")))
            elif mucked := _SUMMARY.match(line):
                draft.seats.deal(draft.seats.name_at(int(mucked["number"])), cards(mucked["cards"]))
        elif seat := _SEAT.match(line):
            draft.seats.sit(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.seats.button, draft.table = int(button["button"]), button["table"]
        elif own := _DEALT.match(line):
            draft.seats.deal_to(own["name"], cards(own["cards"]))
        elif said := draft.seats.subject(line, " - "):
            if dealt:
                _read_action(draft, *said)
            elif said[1].startswith(_ANTE_BACK):
                posts = [post for post in posts if post[:2] != (said[0], "Ante")]
            elif post := _POST.match(said[1]):
                money = amount(post["money"])
                posts.append((said[0], post["what"], money, amount(post["dead"] or "0")))
            elif (all_in := _ALL_IN.match(said[1])) and all_in["put"]:
                posts.append((said[0], "All-In", amount(all_in["put"]), 0))
        elif (said := draft.seats.subject(line, " ")) and (won := _COLLECT.match(said[1])):
            draft.winnings.collect(said[0], amount(won["money"]))


def _seat_in_turn(draft: Draft, name: str) -> None:
    """Give a player without a seat the next free one after whoever is before them, in the order of acts."""
    blinds, acts = dict[str, None](), dict[str, None]()
    for line in draft.lines():
        if line.startswith("*** FLOP"):
            break
        if (post := _ANY_POST.match(line)) and (_SMALL in line or _BIG in line):
            blinds[post["name"]] = None
        elif act := _ANY_ACT.match(line):
            acts[act["name"]] = None
    order = [each for each in {**blinds, **acts} if each == name or each in draft.seats.numbers]
    before = order[order.index(name) - 1] if name in order else next(iter(order), "")
    draft.seats.sit_after(before, name, _MOST_SEATS)


def _post(draft: Draft, posts: list[tuple[str, str, Money, Money]]) -> None:
    """Report what was posted: by whom, how it is called, how much in all and how much of it is dead."""
    kinds = [what for _, what, _, _ in posts]
    missing = [blind for blind in (_SMALL, _BIG) if blind not in kinds]
    if len(missing) > kinds.count("All-In"):
        del missing[0]
    for name, what, money, dead in posts:
        if what == "All-In" and missing:
            what = missing.pop(0)
        if what == "Ante":
            dead = money
        draft.seats.post(name, money - dead, dead, big=what not in (_SMALL, "Ante"))


def _read_action(draft: Draft, name: str, what: str) -> None:
    if fold := _FOLD.match(what):
        draft.act(name, Act.FOLD)
        if fold["cards"]:
            draft.seats.deal(name, cards(fold["cards"]))
    elif what == "Checks":
        draft.act(name, Act.CALL, 0)
    elif call := _CALL.match(what):
        draft.act(name, Act.CALL, amount(call["put"]))
    elif bet := _BET.match(what) or _RAISE.match(what):
        draft.act(name, Act.RAISE, to=amount(bet["to"]))
    elif all_in := _ALL_IN.match(what):
        if all_in["put"]:
            draft.act(name, None, amount(all_in["put"]))
        else:
            draft.act(name, None)
    elif back := _RETURN.match(what):
        draft.winnings.give_back(name, amount(back["money"]))
    elif show := _SHOW.match(what):
        draft.seats.show(name, cards(show["cards"]))
    elif what == "Mucks":
        draft.seats.muck(name)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("#",))
