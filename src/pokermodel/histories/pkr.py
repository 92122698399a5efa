"""Text histories of PKR, of money tables and tournaments.

Calls and raises are the total of the round. Uncalled bets may be left out. A player who was disconnected may win less
than the rules of the game give; what they leave goes to the others, so that the payoffs of the text are not those of
the replay.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"Starting Hand #(?P<id>[0-9]+)\b")
_NOISE = regex(r"Table #[0-9]+ - ")  # before the first line
_BLIND = rf"\(?(?P<money>{MONEY})\)?(?: \(all-in\))?$"


class _Page(Page):
    source = "pkr"
    lines = words(
        blinds=rf"Blinds are now (?P<small>{MONEY}) ?/ ?(?P<large>{MONEY})$",
        button=r"(?:Button is at|Moving Button to) seat (?P<button>[0-9]+)$",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+?)(?: \(bounty .*?\))? - (?P<stack>{MONEY})"
        r"(?: \(away from table\))?$",
        holes="Dealing Cards$",
        street=r"Dealing (?:Flop|Turn|River)? ?(?P<cards>(?:\[[^\]]*\] ?)+)$",
        dealt=r"Dealing (?P<cards>(?:\[[^\]]*\] ?)+)(?<= )to (?P<name>.+)$",
        uncalled=rf"Returning (?P<money>{MONEY}) to (?P<name>.+) uncalled$",
        take_rake=rf"Taking Rake of (?P<money>{MONEY}) from pot",
        about=r"(?P<what>Game Type|Limit Type|Table Type|Money Type|Start time of hand): (?P<value>.*)",
    )
    acts = words(
        call_to=rf"calls (?P<money>{MONEY})(?: \(all-in\))?$",
        bet_to=rf"(?:bets|raises to) (?P<money>{MONEY})(?: \(all-in\))?$",
        ante=rf"posts ante of {_BLIND}",
        post_dead=rf"posts (?:small blind |big blind )?\(?(?P<money>{MONEY})\)? dead(?: \(all-in\))?$",
        post=rf"posts (?:(?P<what>small blind|big blind) )?{_BLIND}",
        show=r"shows (?P<cards>\[.*\])$",
        fold_and_show=r"folds and shows (?P<cards>\[.*\])$",
        all_in="has disconnected and has been granted disconnection protection(?P<money>)",
        muck="mucks$",
        win=rf"(?:ties(?: side pot #[0-9]+)?, and )?wins (?P<money>{MONEY})"
        r"(?P<limited>,? disconnection protection limited)?",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id, self.winnings.rake = header["id"], 0
        self.says: dict[str, str] = {}

    def about(self, found: re.Match[str]) -> None:
        if self.draft.street is None:
            self.says.setdefault(found["what"], found["value"])

    def blinds(self, found: re.Match[str]) -> None:
        if self.draft.bets is not None:
            return
        game, structure = self.says.get("Game Type", ""), self.says.get("Limit Type", "")
        if game != "HOLD'EM":
            raise ValueError(f"only hold'em is supported, got {game!r}")
        if structure not in ("NO LIMIT", "POT LIMIT", "FIXED LIMIT", "LIMIT"):
            raise ValueError(f"expected a betting structure, got {structure!r}")
        sign = currency(found["small"])
        self.draft.play(structure, amount(found["small"]), amount(found["large"]))
        self.bets_or_blinds(amount(found["large"]))
        if self.says.get("Table Type") != "TOURNAMENT":
            self.draft.currency = sign if self.says.get("Money Type") == "REAL MONEY" else ""
        self.winnings.coin = CENT if sign else ONE

    def seat(self, found: re.Match[str]) -> None:
        if self.draft.street is None:  # what players have afterwards follows
            super().seat(found)

    def take_rake(self, found: re.Match[str]) -> None:
        self.winnings.rake = (self.winnings.rake or 0) + amount(found["money"])

    def ante(self, name: str, found: re.Match[str]) -> None:
        self.post_dead(name, found)
        if self.draft.small_blind == self.draft.least_bet:  # a game without blinds
            most = max(amount(found["money"]), self.draft.least_bet)  # somebody may be all-in for less
            self.draft.bets = most, most

    def fold_and_show(self, name: str, found: re.Match[str]) -> None:
        self.fold(name, found)
        self.show(name, found)

    def win(self, name: str, found: re.Match[str]) -> None:
        self.winnings.own_division |= found["limited"] is not None
        super().win(name, found)

    def cards(self, text: str) -> tuple[int, ...]:
        """Parse cards, between whose rank and suit there may be a blank; some of a holding are hidden."""
        return cards(text.replace(" ", "").replace("[XX]", ""))

    def finish(self) -> None:
        self.draft.time = text_time(self.says.get("Start time of hand", ""))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, _NOISE)
