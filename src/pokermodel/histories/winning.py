"""Text histories of the Winning network (Americas Cardroom), in both of its formats.

In the old one, until 2019, every line of a player begins with "Player", and the amount of a raise is the chips put in.
The betting structure is not stated: it is no limit, or limit if the big blind is the lesser of the two stakes. The new
one resembles that of PokerStars, and only the summary has all winnings. Both state the pot without the rake, which
includes fees for jackpots.
"""

from __future__ import annotations

import re

from pokermodel._support.patterns import regex
from pokermodel.histories._header import AMOUNT, posted_blind, stake
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, amount, cards, currency
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(
    r"Game started at: (?P<time>.*)|"
    r"(?:Game )?Hand #(?P<id>[0-9]+) - (?P<tournament>Tournament #[0-9]+ - )?(?P<rest>.*)"
)
_FEES = regex(rf"(?:Rake|JP Fee) (?P<money>{MONEY})", re.IGNORECASE)
_CAPPED = regex(r"\bcap\b", re.IGNORECASE)
_CAP = 30  # big blinds that a player can lose in a hand, where the name of the table has this word

_NOISE = regex(
    r"<(?:Game|Tournament) Information>|<Hand History>|[A-Z][A-Za-z# ]*: "
)  # of a file from the site's archive

_SIZE = regex(r" [0-9]+-max$")

# the old format
_NAMELESS = regex(r"^(\*?Player|Uncalled bet \(.*\) returned to)(?: (?= )|$)")
_UNKNOWN = "unknown"  # the name of a player who has none, as those who have just sat down
_APART = 10  # of the numbers of seats, so that somebody can be between two
_OLD_TOURNAMENT = regex(r", Table [0-9]+|^PMS_")
_OLD_ANTE = regex(r"Player .* ante \(")
_JACKPOT = regex(r"\((?:.*, )?JP\)")  # what is taken for it is not stated


class _Page(Page):
    source = "winning"
    lines = words(
        street=r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\*:? (?P<cards>\[.*\])$",
        board=r"Board:? (?P<cards>\[.*\])$",
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?:\.| is sitting out)?$",
        table_button=r"(?P<table>.*) Seat #(?P<button>[0-9]+) is the button$",
        total=rf"Total pot (?P<pot>{MONEY})",
        won=rf"Seat (?P<number>[0-9]+): .* won (?P<money>{MONEY})(?: with .*)?$",
        held=r"Seat (?P<number>[0-9]+): .* mucked (?P<cards>\[[^\]]*\])",
    )
    acts = words(
        all_in=rf"caps (?P<money>{MONEY})",
        post=r"posts (?:the )?(?:(?P<what>small blind|big blind|ante|straddle|dead) )?"
        rf"(?P<money>{MONEY})(?P<dead> as a dead bet)?",
    )

    def head(self, header: re.Match[str]) -> None:
        self.draft.id = header["id"]
        game = self.play(header["rest"])
        if game.large is not None:
            self.bets_or_blinds(game.large)
        self.draft.currency = "" if header["tournament"] else currency(game.stakes)
        self.winnings.coin = CENT
        self.winnings.uncalled_collected = True
        self.draft.deal_holes()

    def table_button(self, found: re.Match[str]) -> None:
        if self.seats.button is None:
            self.button(found)
            self.draft.table = _SIZE.sub("", found["table"])
            self.cap(found["table"])

    def cap(self, table: str) -> None:
        """Report a cap by the name of the table, and how pots are divided."""
        self.draft.pay(self.draft.currency)
        if _CAPPED.search(table):
            self.draft.cap = _CAP * self.draft.least_bet

    def total(self, found: re.Match[str]) -> None:
        self.winnings.rake = sum((amount(fee["money"]) for fee in _FEES.finditer(found.string)), 0)
        self.winnings.pot = amount(found["pot"]) + self.winnings.rake
        if self.draft.currency and not self.winnings.rake:
            self.winnings.rake = None  # early histories of money tables do not say it

    def post(self, name: str, found: re.Match[str]) -> None:
        """Report a blind or an ante; the part of a newcomer's post above the big blind is dead."""
        what, money = found["what"], amount(found["money"])
        if what == "straddle":
            self.straddle(name, found)
        elif what == "ante" or found["dead"] or (what == "dead" and money < self.draft.least_bet):
            self.seats.post(name, 0, money)
        else:
            live = min(money, self.draft.least_bet)
            self.seats.post(name, live, money - live, big=what != "small blind")


class _Old(_Page):
    lines = words(
        **{name: _Page.lines[name] for name in ("street", "board", "seat")},
        game=rf"Game ID: (?P<id>[0-9]+) (?P<small>{AMOUNT})/(?P<large>{AMOUNT}) "
        r"(?P<table>.*)\((?P<game>[^()]*)\)(?: [0-9]+-max)?$",
        button=r"Seat (?P<button>[0-9]+) is the button$",
        total=rf"Pot: (?P<pot>{MONEY})",
    )
    acts = words(
        call=rf"calls \((?P<money>{MONEY})\)",
        bet=rf"(?:bets|raises) \((?P<money>{MONEY})\)",
        all_in=rf"(?P<what>caps|allin) \((?P<money>{MONEY})\)",
        post=rf"(?:has )?(?P<what>small blind|big blind|ante|straddle|posts) \((?P<money>{MONEY})\)"
        r"(?P<dead> as a dead bet)?",
        receive=r"received card: (?P<cards>\[.*\])$",
        receive_hidden=r"received a card\.$",
        result=r"(?:(?P<shown>shows:).*?|.*?)(?P<cards>\[[^\]]*\])?\)?\.? ?"
        rf"Bets: {MONEY} Collects: (?P<money>{MONEY})",
    )

    def head(self, header: re.Match[str]) -> None:
        draft = self.draft
        draft.translate(lambda lines: [_NAMELESS.sub(rf"\1 {_UNKNOWN}", line) for line in lines])
        draft.time = text_time(re.sub(r"\b([0-9])\b", r"0\1", header["time"]))  # 2016/8/4 14:8:38
        draft.deal_holes()
        self.received: dict[str, str] = {}
        self.hidden: dict[str, int] = {}
        self.last = 0  # number of the seat that was named last before the deal

    def subject(self, line: str) -> tuple[str, str] | None:
        if line.startswith(f"Player {_UNKNOWN} ") and _UNKNOWN not in self.seats.numbers:
            self.seats.sit(self.last + 1, _UNKNOWN, None)
        said = super().subject(line.removeprefix("*").removeprefix("Player "))
        if said and not said[1].startswith("received "):
            self.last = self.seats.numbers[said[0]]
        return said

    def seat(self, found: re.Match[str]) -> None:
        self.seats.sit(_APART * int(found["number"]), found["name"], amount(found["stack"]))

    def button(self, found: re.Match[str]) -> None:
        self.seats.button = _APART * int(found["button"])

    def game(self, found: re.Match[str]) -> None:
        draft = self.draft
        if draft.id:
            return
        draft.id = found["id"]
        if found["game"] != "Hold'em":
            raise ValueError(f"only hold'em is supported, got {found['game']!r}")
        draft.currency = "" if _OLD_TOURNAMENT.search(found["table"]) else "USD"
        small, large = stake(found["small"]), stake(found["large"])
        posts = [posted_blind(draft.lines(), which) for which in ("small", "big")]
        limit = posts[1] == small < large and posts[0] != small  # the stakes are the bets
        draft.table = found["table"].strip()
        draft.play("Limit" if limit else "No Limit", small, large)
        self.cap(found["table"])

    def total(self, found: re.Match[str]) -> None:
        super().total(found)
        self.winnings.rake = self.winnings.rake or 0
        if _JACKPOT.search(self.draft.table or ""):
            self.winnings.pot, self.winnings.rake, self.winnings.least_pot = amount(found["pot"]), None, 3

    def receive(self, name: str, found: re.Match[str]) -> None:
        """Report a card that is dealt face up."""
        self.received[name] = self.received.get(name, "") + found["cards"]

    def receive_hidden(self, name: str, found: re.Match[str]) -> None:
        """Report a card that is dealt face down."""
        self.hidden[name] = self.hidden.get(name, 0) + 1
        self.seats.count_cards(name, self.hidden[name])
        self.seats.deal(name)

    def all_in(self, name: str, found: re.Match[str]) -> None:
        """Report an all-in; before the deal it is the ante that others post, and they have not, or the blind left."""
        if found["what"] == "caps" or self.received or self.hidden:
            super().all_in(name, found)
        elif any(map(_OLD_ANTE.match, self.draft.text.split("\n"))) and not self.seats.dead.get(name):
            self.post_dead(name, found)
        else:
            self.seats.post(name, amount(found["money"]), big=self.seats.small is not None)

    def result(self, name: str, found: re.Match[str]) -> None:
        """Report what the summary says of a player."""
        if found["cards"]:
            (self.show if found["shown"] else self.know)(name, found)
        if amount(found["money"]):
            self.win(name, found)

    def finish(self) -> None:
        for name, held in self.received.items():
            self.seats.deal_to(name, cards(held))


def _read(draft: Draft, header: re.Match[str]) -> None:
    (_Page if header["id"] else _Old).read(draft, header)


#: Histories of this network; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#", "Game started at"))
