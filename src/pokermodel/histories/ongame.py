"""Text histories of the OnGame network, of money tables and tournaments.

Stacks after the hand are compared, too. Shown cards are in the summary. The part of an ante that no other player could
match stays with the player.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, SIGN, amount, cards, currency
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"\*{5} History for hand (?P<id>\S+)(?P<rest>.*)")
_GAME = regex(
    rf"(?P<structure>(?:NO_|POT_|FIXED_)?LIMIT) TEXAS_HOLDEM (?P<small>{MONEY})/(?P<large>{MONEY}),(?P<more>.*)"
)
_WON = regex(rf"(?P<money>{MONEY})\)(?:, )?(?P<rest>.*)")
_STACK = regex(  # nothing but a sign, if they have lost all
    rf"(?:(?P<stack>{MONEY})|{SIGN}?)\)(?:.*?, \[(?P<cards>[^\]]*)\])?"
)


class _Page(Page):
    source = "ongame"
    lines = words(
        sum_up="Summary:$",
        date=r"Start hand: (?P<time>.*)",
        table=r"Table: (?P<table>.*?) ?\((?P<game>[^()]*)\)$",
        button=r"Button: seat (?P<button>[0-9]+)",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)$",
        holes="Dealing pocket cards",
        dealt=r"Dealing to (?P<name>.+): \[(?P<cards>[^\]]*)\]$",
        street=r"--- Dealing (?:flop|turn|river) (?P<cards>\[.*\])$",
    )
    summary = words(
        pot=rf"(?:Main|Side) pot.*?: (?P<pot>{MONEY}) won by (?P<winners>.*)",
        rake=rf"Rake taken: (?P<rake>{MONEY})",
        end=r"Seat (?P<number>[0-9]+): (?P<about>.*)",
    )
    acts = words(
        ante=rf"posts ante \(?(?P<money>{MONEY})\)?",
        post=rf"posts (?P<what>small blind|big blind|dead blind) \(?(?P<money>{MONEY})\)?",
        post_unknown="posts ",
    )

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.antes: dict[str, Money] = {}
        self.seats.second_small_counts = True

    def head(self, header: re.Match[str]) -> None:
        self.draft.id = header["id"]

    def date(self, found: re.Match[str]) -> None:
        self.draft.time = text_time(found["time"])

    def table(self, found: re.Match[str]) -> None:
        game = _GAME.match(found["game"])
        if game is None:
            raise refused(found["game"])
        self.draft.table = found["table"]
        self.draft.play(game["structure"], amount(game["small"]), amount(game["large"]))
        self.draft.currency = currency(game["small"]) if "Real money" in game["more"] else ""
        self.winnings.coin = CENT if "money" in game["more"] else ONE

    def ante(self, name: str, found: re.Match[str]) -> None:
        self.antes[name] = amount(found["money"])

    def post(self, name: str, found: re.Match[str]) -> None:
        if found["what"] == "small blind" and self.seats.live.get(name):
            self.post_dead(name, found)
        else:
            super().post(name, found)

    def post_unknown(self, name: str, found: re.Match[str]) -> None:
        raise ValueError(f"{name} {found.string[:40]}: not a known blind or ante")

    def holes(self, found: re.Match[str]) -> None:
        matched = sorted(self.antes.values())[-2:][:1]
        for name, money in self.antes.items():
            self.seats.post(name, 0, min(money, *matched))
        self.draft.deal_holes()

    def pot(self, found: re.Match[str]) -> None:
        self.winnings.pot = (self.winnings.pot or 0) + amount(found["pot"])
        rest = found["winners"]
        while rest:
            said = self.seats.subject(rest, " (")
            won = _WON.match(said[1]) if said else None
            if said is None or won is None:
                raise ValueError(f"expected a player and what they win, got {rest[:40]!r}")
            self.win(said[0], won)
            rest = won["rest"]

    def end(self, found: re.Match[str]) -> None:
        name = self.seats.name_at(int(found["number"]))
        said = self.seats.subject(found["about"], " (")
        stack = _STACK.match(said[1]) if said else None
        if said is None or stack is None or said[0] != name:
            raise ValueError(f"expected {name} and what they have, got {found['about'][:40]!r}")
        self.winnings.end(name, amount(stack["stack"] or "0"))
        if stack["cards"]:
            self.seats.show(name, cards(stack["cards"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, marks=("*****",))
