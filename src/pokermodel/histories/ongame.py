"""Text histories of the OnGame network, of money tables and tournaments.

What players have after the hand is compared, too. Shown cards are in the summary. What of an ante nobody else could
match stays with the player.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, SIGN, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(r"\*{5} History for hand (?P<id>\S+)(?P<rest>.*)")
_TABLE = regex(r"Table: (?P<table>.*?) ?\((?P<game>[^()]*)\)$")
_GAME = regex(
    rf"(?P<structure>(?:NO_|POT_|FIXED_)?LIMIT) TEXAS_HOLDEM (?P<small>{MONEY})/(?P<large>{MONEY}),(?P<more>.*)"
)
_BUTTON = regex(r"Button: seat (?P<button>[0-9]+)")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)$")
_DEALT = regex(r"Dealing to (?P<name>.+): \[(?P<cards>[^\]]*)\]$")
_STREET = regex(r"--- Dealing (?:flop|turn|river) (?P<cards>\[.*\])$")
_POST = regex(rf"posts (?P<what>small blind|big blind|dead blind|ante) \(?(?P<money>{MONEY})\)?")
_CALL = regex(rf"calls (?P<put>{MONEY})")
_BET = regex(rf"(?:bets|raises {MONEY} to) (?P<to>{MONEY})")
_POT = regex(rf"(?:Main|Side) pot.*?: (?P<pot>{MONEY}) won by (?P<winners>.*)")
_WON = regex(rf"(?P<money>{MONEY})\)(?:, )?(?P<rest>.*)")
_RAKE = regex(rf"Rake taken: (?P<rake>{MONEY})")
_END = regex(r"Seat (?P<number>[0-9]+): (?P<about>.*)")
_STACK = regex(  # nothing but a sign, if they have lost all
    rf"(?:(?P<stack>{MONEY})|{SIGN}?)\)(?:.*?, \[(?P<cards>[^\]]*)\])?"
)


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "ongame", header["id"]
    draft.second_small_counts = True
    antes: dict[str, Money] = {}
    summary = False
    for line in draft.lines():
        if summary:
            _read_summary(draft, line)
        elif line == "Summary:":
            summary = True
        elif line.startswith("Start hand: "):
            draft.time = text_time(line)
        elif table := _TABLE.match(line):
            _play(draft, table["game"])
            draft.table = table["table"]
        elif button := _BUTTON.match(line):
            draft.button = int(button["button"])
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif line.startswith("Dealing pocket cards"):
            _post_antes(draft, antes)
            draft.deal_holes()
        elif dealt := _DEALT.match(line):
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif said := draft.subject(line, " "):
            _read_action(draft, *said, antes)


def _play(draft: Draft, game: str) -> None:
    found = _GAME.match(game)
    if found is None:
        raise ValueError(f"only hold'em is supported, got {game[:70]!r}")
    draft.play(found["structure"], amount(found["small"]), amount(found["large"]))
    tournament = "money" not in found["more"]
    draft.currency = currency(found["small"]) if "Real money" in found["more"] else ""
    draft.winnings.coin = ONE if tournament else CENT


def _read_action(draft: Draft, name: str, what: str, antes: dict[str, Money]) -> None:
    if read_act(draft, name, what, _CALL, _BET):
        return
    if post := _POST.match(what):
        money = amount(post["money"])
        if post["what"] == "ante":
            antes[name] = money
        elif post["what"] == "dead blind" or (post["what"] == "small blind" and draft.posted(name)):
            draft.post(name, 0, money)
        else:
            draft.post(name, money, big=post["what"] == "big blind")
    elif what.startswith("posts "):
        raise ValueError(f"{name} {what[:40]}: not a known blind or ante")


def _post_antes(draft: Draft, antes: dict[str, Money]) -> None:
    matched = sorted(antes.values())[-2:][:1]
    for name, money in antes.items():
        draft.post(name, 0, min(money, *matched))


def _read_summary(draft: Draft, line: str) -> None:
    if pot := _POT.match(line):
        draft.winnings.pot = (draft.winnings.pot or 0) + amount(pot["pot"])
        rest = pot["winners"]
        while rest:
            said = draft.subject(rest, " (")
            won = _WON.match(said[1]) if said else None
            if said is None or won is None:
                raise ValueError(f"expected a player and what they win, got {rest[:40]!r}")
            draft.winnings.collect(said[0], amount(won["money"]))
            rest = won["rest"]
    elif rake := _RAKE.match(line):
        draft.winnings.rake = amount(rake["rake"])
    elif seat := _END.match(line):
        name = draft.name_at(int(seat["number"]))
        said = draft.subject(seat["about"], " (")
        stack = _STACK.match(said[1]) if said else None
        if said is None or stack is None or said[0] != name:
            raise ValueError(f"expected {name} and what they have, got {seat['about'][:40]!r}")
        draft.winnings.end(name, amount(stack["stack"] or "0"))
        if stack["cards"]:
            draft.show(name, cards(stack["cards"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, marks=("*****",))
