"""Text histories of PartyPoker, fixed-limit hold'em.

The text states neither the rake nor uncalled bets, and in tournaments not even the blinds: there they are half a bet
and a bet of the two players after the button.
"""

from __future__ import annotations

import re
from fractions import Fraction

from pokermodel.game import Act
from pokermodel.histories._text import MONEY, Draft, TextFormat, amount, cards, currency
from pokermodel.histories._time import text_time

__all__ = ["FORMAT"]

_START = re.compile(r"\*\*\*\*\* Hand History for Game (?P<id>[0-9]+) \*\*\*\*\*")
_NOISE = re.compile(r"Game #[0-9]+ starts\.|#Game No : [0-9]+")
_STAKES = rf"(?P<small>{MONEY})/(?P<large>{MONEY})"
_GAME = re.compile(rf"{_STAKES}(?: [A-Z]{{3}})?(?: FL)? Texas Hold'em - ")  # no-limit and pot-limit are named
_TOURNAMENT = re.compile(rf"FL Texas Hold'em\s+Trny:.*Stakes\({_STAKES}\)")
_SEAT = re.compile(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \(\s*(?P<stack>{MONEY})(?: [A-Z]{{3}})?\s*\)$")
_BUTTON = re.compile(r"Seat (?P<button>[0-9]+) is the button$")
_STREET = re.compile(r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])$", re.IGNORECASE)
_MONEY = rf"\s*\[\s*(?P<money>{MONEY})(?: [A-Z]{{3}})?\s*\]"
_ACTION = re.compile(rf"(?P<what>calls|bets|raises|is all-in){_MONEY}", re.IGNORECASE)
_POST = re.compile(rf"posts (?P<what>small blind|big blind \+ dead|big blind|ante){_MONEY}")
_SHOW = re.compile(r"shows \[(?P<cards>[^\]]*)\]")
_MUCK = re.compile(r"doe(?:s not|sn't) show \[(?P<cards>[^\]]*)\]")
_WIN = re.compile(rf"wins (?P<money>{MONEY})(?: [A-Z]{{3}}| chips)?\b")
_DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "partypoker", header["id"]
    draft.uncalled_collected = draft.folds_early = draft.second_small_counts = True
    posted = False
    for line in draft.lines():
        if draft.bets is None:
            if line:
                _read_game(draft, line)
        elif seat := _SEAT.match(line):
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.button = int(button["button"])
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif line.startswith("** Dealing down cards"):
            draft.deal_holes()
            if not posted and not draft.currency:
                draft.post_usual_blinds()
        elif dealt := _DEALT.match(line):
            draft.dealt(dealt["name"], cards(dealt["cards"]))
        elif said := draft.subject(line, " "):
            posted |= said[1].startswith("posts ")
            _read_action(draft, *said)


def _read_game(draft: Draft, line: str) -> None:
    game, tournament = _GAME.match(line), _TOURNAMENT.match(line)
    found = game or tournament
    if found is None:
        raise ValueError(f"only fixed-limit hold'em is supported, got {line[:70]!r}")
    draft.bets = amount(found["small"]), amount(found["large"])
    draft.time = text_time(line)
    if game:
        draft.currency = currency(game["small"])
    else:
        draft.coin, draft.rake = Fraction(1), Fraction()


def _read_action(draft: Draft, name: str, what: str) -> None:
    if what == "folds":
        draft.act(name, Act.FOLD)
    elif what == "checks":
        draft.act(name, Act.CALL, Fraction())
    elif action := _ACTION.match(what):
        acts = {"calls": Act.CALL, "bets": Act.RAISE, "raises": Act.RAISE}
        draft.act(name, acts.get(action["what"]), amount(action["money"]))
    elif post := _POST.match(what):
        assert draft.bets is not None
        money = amount(post["money"])
        live = Fraction() if post["what"] == "ante" else min(money, draft.bets[0])
        draft.post(name, live, money - live, big=post["what"].startswith("big"))
    elif show := _SHOW.match(what):
        draft.show(name, cards(show["cards"]))
    elif muck := _MUCK.match(what):
        draft.dealt(name, cards(muck["cards"]))
    elif won := _WIN.match(what):
        draft.collect(name, amount(won["money"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat("PartyPoker", _START, lambda: _read, _NOISE)
