"""Text histories of the Winning network (Americas Cardroom), in both of its formats.

In the old one, until 2019, every line of a player begins with "Player", raises are what is put in, and the betting
structure is not stated: it is no limit, or limit where the big blind is the lesser of the two stakes. The new one
resembles that of PokerStars, and only the summary has all that is won. Both state the pot without the rake, to which
fees for jackpots are counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._grammar import BOARD, DEALT, SHOWS, UNCALLED, Page, words
from pokermodel.histories._header import AMOUNT, posted_blind, stake
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency

__all__ = ["FORMAT"]

_START = regex(
    r"Game started at: (?P<time>.*)|"
    r"(?:Game )?Hand #(?P<id>[0-9]+) - (?P<tournament>Tournament #[0-9]+ - )?(?P<rest>.*)"
)
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY})\)(?:\.| is sitting out)?$")
_STREET = regex(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\*:? (?P<cards>\[.*\])$")
_UNCALLED = regex(rf"Uncalled bet \((?P<money>{MONEY})\) returned to (?P<name>.+)")
_FEES = regex(rf"(?:Rake|JP Fee) (?P<money>{MONEY})", re.IGNORECASE)
_BOARD = regex(r"Board:? (?P<cards>\[.*\])$")
_CAPPED = regex(r"\bcap\b", re.IGNORECASE)
_CAP = 30  # big blinds that a player can lose in a hand, where the name of the table has this word

_NOISE = regex(
    r"<(?:Game|Tournament) Information>|<Hand History>|[A-Z][A-Za-z# ]*: "
)  # of a file from the site's archive

# the old format
_NAMELESS = regex(r"^(\*?Player|Uncalled bet \(.*\) returned to)(?: (?= )|$)")
_UNKNOWN = "unknown"
_APART = 10  # of the numbers of seats, so that somebody can be between two
_OLD_GAME = regex(
    rf"Game ID: (?P<id>[0-9]+) (?P<small>{AMOUNT})/(?P<large>{AMOUNT}) "
    r"(?P<table>.*)\((?P<game>[^()]*)\)(?: [0-9]+-max)?$"
)
_OLD_TOURNAMENT = regex(r", Table [0-9]+|^PMS_")
_OLD_BUTTON = regex(r"Seat (?P<button>[0-9]+) is the button$")
_OLD_PUT = regex(rf"(?P<what>calls|bets|raises|caps|allin) \((?P<put>{MONEY})\)")
_OLD_POST = regex(
    rf"(?:has )?(?P<what>small blind|big blind|ante|straddle|posts) \((?P<money>{MONEY})\)(?P<dead> as a dead bet)?"
)
_OLD_ANTE = regex(r"^Player .* ante \(")
_OLD_ALL_IN = regex(rf"allin \((?P<put>{MONEY})\)")
_OLD_CARD = regex(r"received card: (?P<card>\[.*\])$")
_OLD_POT = regex(rf"Pot: (?P<pot>{MONEY})")
_OLD_RESULT = regex(
    r"(?:(?P<shown>shows:).*?|.*?)(?P<cards>\[[^\]]*\])?\)?\.? ?"
    rf"Bets: {MONEY} Collects: (?P<collected>{MONEY})"
)

# the new format
_SIZE = regex(r" [0-9]+-max$")
_JACKPOT = regex(r"\((?:.*, )?JP\)")  # what is taken for it is not stated


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source = "winning"
    if header["id"]:
        _New.read(draft, header)
    else:
        _read_old(draft, header)


def _play(draft: Draft, table: str) -> None:
    draft.winnings.coin = CENT if draft.currency else ONE
    if _CAPPED.search(table):
        draft.cap = _CAP * draft.least_bet


def _post(draft: Draft, name: str, post: re.Match[str]) -> None:
    """Report a blind or an ante; of what a newcomer posts, what exceeds the big blind is dead."""
    what, money = post["what"], amount(post["money"])
    if what == "straddle":
        draft.seats.straddle(name, money)
    elif what == "ante" or post["dead"] or (what == "dead" and money < draft.least_bet):
        draft.seats.post(name, 0, money)
    else:
        live = min(money, draft.least_bet)
        draft.seats.post(name, live, money - live, big=what != "small blind")


def _state_pot(draft: Draft, pot: str, line: str) -> None:
    draft.winnings.rake = sum((amount(fee["money"]) for fee in _FEES.finditer(line)), 0)
    draft.winnings.pot = amount(pot) + draft.winnings.rake


def _with_names(lines: Sequence[str]) -> list[str]:
    """Put a name for a player who has none in lines of the old format, as those who have just sat down."""
    return [_NAMELESS.sub(rf"\1 {_UNKNOWN}", line) for line in lines]


def _read_old(draft: Draft, header: re.Match[str]) -> None:
    draft.translate(_with_names)
    draft.time = text_time(re.sub(r"\b([0-9])\b", r"0\1", header["time"]))  # 2016/8/4 14:8:38
    received: dict[str, str] = {}
    hidden: dict[str, int] = {}
    last = 0  # who was named last before the deal
    draft.deal_holes()
    for line in draft.lines():
        if line.startswith(f"Player {_UNKNOWN} ") and _UNKNOWN not in draft.seats.numbers:
            draft.seats.sit(last + 1, _UNKNOWN, None)
        if street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif board := _BOARD.match(line):
            draft.sum_up_board(cards(board["cards"]))
        elif seat := _SEAT.match(line):
            draft.seats.sit(_APART * int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif back := _UNCALLED.match(line):
            draft.winnings.give_back(back["name"], amount(back["money"]))
        elif not draft.id and (game := _OLD_GAME.match(line)):
            draft.id = game["id"]
            if game["game"] != "Hold'em":
                raise ValueError(f"only hold'em is supported, got {game['game']!r}")
            draft.currency = "" if _OLD_TOURNAMENT.search(game["table"]) else "USD"
            small, large = stake(game["small"]), stake(game["large"])
            posts = [posted_blind(draft.lines(), which) for which in ("small", "big")]
            limit = posts[1] == small < large and posts[0] != small  # the stakes are the bets
            draft.table = game["table"].strip()
            draft.play("Limit" if limit else "No Limit", small, large)
            _play(draft, game["table"])
        elif button := _OLD_BUTTON.match(line):
            draft.seats.button = _APART * int(button["button"])
        elif pot := _OLD_POT.match(line):
            _state_pot(draft, pot["pot"], line)
            if _JACKPOT.search(draft.table or ""):
                draft.winnings.pot, draft.winnings.rake, draft.winnings.least_pot = amount(pot["pot"]), None, 3
        elif said := draft.seats.subject(line.removeprefix("*").removeprefix("Player "), " "):
            name, what = said
            if card := _OLD_CARD.match(what):
                received[name] = received.get(name, "") + card["card"]
            elif what == "received a card.":
                hidden[name] = hidden.get(name, 0) + 1
                draft.seats.count_cards(name, hidden[name])
                draft.seats.deal(name)
            else:
                last = draft.seats.numbers[name]
                short = None if received or hidden else _OLD_ALL_IN.match(what)
                if short:  # what takes the last chips before the deal is the post whose turn it is
                    _post_rest(draft, name, amount(short["put"]))
                else:
                    _read_old_action(draft, name, what)
    for name, held in received.items():
        draft.seats.deal_to(name, cards(held))


def _post_rest(draft: Draft, name: str, money: Money) -> None:
    """Report an all-in before the deal: the ante that others post, and they have not, or the blind that is left."""
    seats = draft.seats
    antes = any(_OLD_ANTE.match(line) for line in draft.text.split("\n"))
    if antes and not seats.dead.get(name):
        seats.post(name, 0, money)
    else:
        seats.post(name, money, big=seats.small is not None)


def _read_old_action(draft: Draft, name: str, what: str) -> None:
    if what == "folds":
        draft.act(name, Act.FOLD)
    elif what == "checks":
        draft.act(name, Act.CALL, 0)
    elif bet := _OLD_PUT.match(what):
        act = {"calls": Act.CALL, "bets": Act.RAISE, "raises": Act.RAISE}.get(bet["what"])
        draft.act(name, act, amount(bet["put"]))
    elif post := _OLD_POST.match(what):
        _post(draft, name, post)
    elif result := _OLD_RESULT.match(what):
        if result["cards"]:
            (draft.seats.show if result["shown"] else draft.seats.deal)(name, cards(result["cards"]))
        if collected := amount(result["collected"]):
            draft.winnings.collect(name, collected)


class _New(Page):
    source = "winning"
    lines = words(
        street=_STREET.pattern,
        board=BOARD,
        seat=_SEAT.pattern,
        uncalled=UNCALLED,
        table_button=r"(?P<table>.*) Seat #(?P<button>[0-9]+) is the button$",
        dealt=DEALT,
        total=rf"Total pot (?P<pot>{MONEY})",
        won=rf"Seat (?P<number>[0-9]+): .* won (?P<money>{MONEY})(?: with .*)?$",
        held=r"Seat (?P<number>[0-9]+): .* mucked (?P<cards>\[[^\]]*\])",
    )
    acts = words(
        call=rf"calls (?P<money>{MONEY})",
        bet_to=rf"(?:bets|raises {MONEY} to) (?P<money>{MONEY})",
        all_in=rf"caps (?P<money>{MONEY})",
        post=r"posts (?:the )?(?:(?P<what>small blind|big blind|ante|straddle|dead) )?"
        rf"(?P<money>{MONEY})(?P<dead> as a dead bet)?",
        show=SHOWS,
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
            _play(self.draft, found["table"])

    def total(self, found: re.Match[str]) -> None:
        _state_pot(self.draft, found["pot"], found.string)
        if self.draft.currency and not self.winnings.rake:
            self.winnings.rake = None  # early histories of money tables do not say it

    def post(self, name: str, found: re.Match[str]) -> None:
        _post(self.draft, name, found)


#: Histories of this network; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("#", "Game started at"))
