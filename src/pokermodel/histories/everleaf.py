"""Text histories of Everleaf Gaming and the sites of its network, as Partouche. Limit has no word in the header.

Bets and raises are what is put in. A text leaves out uncalled bets, and neither states the pot nor the rake.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._acts import read_act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import posted_blind
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, ONE, amount, cards

__all__ = ["FORMAT"]

_START = regex(r"\*{3,5} (?:Hand history for game #|Historique des Mains pour la partie )(?P<id>[0-9]+) \*{3,5}")
_NOISE = regex(r".*\bGame #[0-9]+$|Partouche Poker\b")  # before the first line
_SUM = r"[^0-9\[\]()/]{0,4}(?P<money>[0-9][0-9.,]*)(?: (?P<currency>USD|EUR)O?)?"  # the sign of the euro may be mangled
_ANY_SUM = re.sub(r"\?P<\w+>", "?:", _SUM)
_GAME = regex(rf"(?:Blinds )?(?P<small>{_ANY_SUM})/(?P<large>{_ANY_SUM}) (?P<what>.*)")
_HOLDEM = regex(r"(?:(?P<structure>NL|PL|FL) )?(?:Texas )?Hold'em\b")
_TABLE = regex(r"Table (?P<table>.+)$")
_BUTTON = regex(r"Seat (?P<button>[0-9]+) is the button$")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+?) \(\s*{_SUM}\s*\)$")
_STREET = regex(r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])$")
_POST = regex(rf"posts (?P<what>small blind|big blind|ante) \[\s*{_SUM}\]")
_PUT = _SUM.replace("<money>", "<put>")
_CALL = regex(rf"calls \[\s*{_PUT}\]")
_RAISE = regex(rf"(?:bets|raises) \[\s*{_PUT}\]")
_SHOW = regex(r"shows (?P<cards>\[[^\]]*\])")
_WIN = regex(rf"wins {_SUM} from (?:main|side) pot")
_DEALT = regex(r"Dealt to (?P<name>.+) (?P<cards>\[[^\]]*\])$")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "everleaf", header["id"]
    draft.winnings.coin = ONE
    played = None
    for line in draft.lines():
        if played is None and (played := _GAME.match(line)):
            game = _HOLDEM.match(played["what"])
            if game is None:
                raise ValueError(f"only hold'em is supported, got {played['what'][:70]!r}")
            small, large = _amount(played["small"]), _amount(played["large"])
            draft.play(game["structure"] or "", small, large)
            if draft.structure.fixed and posted_blind(draft.lines(), "big") == large:
                draft.bets = large, 2 * large
            draft.time = text_time(played["what"])
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif line.startswith("** Dealing down cards"):
            draft.deal_holes()
        elif button := _BUTTON.match(line):
            draft.button = int(button["button"])
        elif draft.table is None and (table := _TABLE.match(line)):
            draft.table = table["table"]
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["money"]))
            if seat["currency"]:
                draft.currency, draft.winnings.coin = seat["currency"], CENT
        elif dealt := _DEALT.match(line):
            draft.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, ": ") or draft.subject(line, " "):
            _read_action(draft, *said)
    if played is None:
        raise ValueError("the text does not say what is played")


def _amount(text: str) -> Money:
    """Parse an amount behind any sign of a currency."""
    return amount(re.sub("^[^0-9]*", "", text))


def _read_action(draft: Draft, name: str, what: str) -> None:
    if read_act(draft, name, what, _CALL, _RAISE):
        return
    if post := _POST.match(what):
        money = amount(post["money"])
        live = 0 if post["what"] == "ante" else money
        draft.post(name, live, money - live, big=post["what"] == "big blind")
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif won := _WIN.match(what):
        draft.winnings.collect(name, amount(won["money"]))


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#", "Historique des Mains"))
