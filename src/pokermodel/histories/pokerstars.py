"""Text histories of PokerStars, of money tables and tournaments.

The amounts in the header of a limit hand are the bets, also for a tournament level; those of other hands are blinds.
Who has sold their hand to the site, and wins, is paid here as by the cards; what the site and they exchange is no part
of the game. Known cards are those of the owner of the history, and those shown or, by the summary, mucked. Hands in
Portuguese or Russian are read like those in English.

The patterns here are its grammar. Lines that the site writes all the time are known to ``stars.h``, too, which reads
whole hands of nothing else, many times as fast. A line that a pattern here comes to take must go on being unusual
there, or be taken alike; ``tests/histories/test_stars_hands.py`` compares the two.
"""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pokermodel._core.stars_hands import find_next, rebuild
from pokermodel._support.patterns import regex
from pokermodel.game import Act, Action, BettingStructure, Hand
from pokermodel.histories._header import refused, stated_game
from pokermodel.histories._languages import FOREIGN, LANGUAGES, in_english
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency, structure_of
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import SUMMARY, Page, words
from pokermodel.histories.replay import game_of

__all__ = ["FORMAT"]

_MOST_PLAYERS = 23

_START = regex(
    rf"PokerStars (?:Home Game |Zoom )?(?:Hand|Game) #(?P<id>[0-9]+):\s*(?P<rest>.*)|(?P<foreign>{FOREIGN}.*)"
)
_NOISE = regex(r"\*{9}|Hand #[0-9]+:$|Transcript\b|Выписка\b")  # of histories requested by mail
_GAME = regex(  # mixed games, too
    rf"(?<!\+ )(?<!Split )Hold'em (?P<structure>(?:No |Pot )?Limit)\b.*?"
    rf"[( ](?P<small>{MONEY})/(?P<large>{MONEY})\s*(?:- (?P<cap>{MONEY}) Cap - )?\s*(?P<currency>[A-Z]{{3}})?"
)
_FEE = regex(rf"\| [A-Za-z ]+ (?P<money>{MONEY})")
_CASHED_OUT = "(pot not awarded as player cashed out)"
_HELD = regex(r"Seat [0-9]+: .*(?P<what>mucked|showed) \[(?:XX )?(?P<cards>[^\]]*)\]")
_WON = regex(rf"\b(?:won|collected) \((?P<money>{MONEY})\)")


_ACTIONS = [[Action(seat, act) for act in Act] for seat in range(_MOST_PLAYERS)]
_UNITS = {chips: Fraction(1, chips) for chips in range(1, 101)}


class _Game(NamedTuple):
    """What the first line says of the game."""

    structure: BettingStructure
    small: int
    large: int
    cap: int | None
    currency: str

    @property
    def coin(self) -> int:
        return CENT if self.currency else ONE


def _game(rest: str) -> _Game | None:
    """Return the game, by the first line after the number; None if it is another one than hold'em."""
    found = _GAME.search(rest)
    tournament = rest.lstrip().startswith("Tournament")
    if found is None:
        stated = stated_game(rest)
        if stated is None or stated.structure is None or stated.small is None or stated.large is None:
            return None
        iso = "" if tournament else currency(stated.stakes)
        return _Game(stated.structure, int(stated.small), int(stated.large), None, iso)
    return _Game(
        structure_of(found["structure"]),
        amount(found["small"]),
        amount(found["large"]),
        amount(found["cap"]) if found["cap"] else None,
        "" if tournament else found["currency"] or currency(found["small"]),
    )


class _Usual:
    """Reads hands in which everything is usual in C; the rest, and what is wrong, is left to `read`."""

    begins = b"PokerStars "

    def find_next(self, data: bytes, start: int) -> int:
        return find_next(data, start)

    def read(self, data: bytes, start: int, end: int) -> tuple[Hand, int] | None:
        found = rebuild(data, start, end, _usual_game, _hour, game_of, _ACTIONS, Action)
        if found is None:
            return None
        lines, number, time, money, chips, players, actions, board, held, mucked, stated, won, last, hero, table = found
        hand = Hand._checked(
            *("pokerstars", number, players, actions, board, held, stated, time, last, won),
            *(mucked, _UNITS[chips], money, hero, table),
        )
        return hand, lines


@lru_cache(1024)  # as long as players stay at a table
def _usual_game(rest: bytes) -> tuple[BettingStructure, int, int, int, str] | None:
    """Structure, two bets or blinds and smallest coin in hundredths, and currency; None if there is more to it."""
    try:
        words = rest.decode("utf-8")
        game = _game(words) if _GAME.search(words) else None
    except ValueError:
        return None
    if game is None or game.cap is not None:
        return None
    small, large = game.small // CENT, game.large // CENT
    if (small * CENT, large * CENT) != (game.small, game.large) or not (small and large):
        return None
    return game.structure, small, large, game.coin // CENT, game.currency


@lru_cache(256)  # in which every zone is a whole number of minutes from the next
def _hour(date: bytes, zone: bytes) -> datetime | None:
    """The beginning of an hour; None if there is no such date."""
    return text_time(f"{date.decode('ascii')}:00:00 {zone.decode('ascii')}")


def _read(draft: Draft, header: re.Match[str]) -> None:
    if header["foreign"]:
        header = _START.match(draft.translate(in_english)) or header
    if header["foreign"]:
        known = " or ".join(LANGUAGES)
        raise ValueError(f"only histories in English, {known} are supported, got {header['foreign'][:40]!r}")
    read(draft, "pokerstars", header["id"], header["rest"])


class _Page(Page):
    separators = (": ", " ")
    lines = words(
        seat=rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in chips.*\)",
        run=r"\*\*\* (?P<run>(?:[A-Z]+ )?)(?:FLOP|TURN|RIVER)(?: (?P<number>[0-9]))? \*\*\* +(?P<cards>\[.*\])"
        r"(?: \{.*\})?$",
        sum_up=SUMMARY,
        table_button=r"Table (?:ID )?'(?P<table>.*?)'(?:\([0-9]+\))? .*Seat #(?P<button>[0-9]+) is the button",
        splash=rf"STP added: (?P<money>{MONEY})",
    )
    summary = words(
        place=r"Seat (?P<number>[0-9]+): ",
        go_on=r"\*\*\*(?! SUMMARY)",
        total=rf"Total pot (?P<pot>{MONEY}).*?(?P<rake>\| Rake {MONEY}.*)",
        board=r"(?:FIRST )?Board (?P<cards>\[.*)",
    )
    acts = words(
        fold=r"folds(?:\s|$)",
        all_in_to=rf"raises (?:{MONEY} )?to (?P<money>{MONEY}).* and is all-in$",
        bet_to=rf"(?:bets|Bet & Muck|raises (?:{MONEY} )?to) (?P<money>{MONEY})",
        all_in=rf"raises (?P<money>{MONEY}) and is all-in",  # of sites that are alike
        post=r"(?:posts )?(?P<what>small blind|big blind|small & big blinds|missed blind|the ante|an ante of|straddle"
        rf"|unknown) (?P<money>{MONEY})",
        show=r"shows \[(?:(?:XX|##) )?(?P<cards>[^\]#]*)(?: ?##)?\]",
        muck="mucks hand|Bet & Muck folds",
        win=rf"collected (?P<money>{MONEY}) from (?:(?:side |main )?pot|a pot)",
    )

    def start(self, source: str, number: str, rest: str) -> None:
        """Report what the first line says."""
        draft = self.draft
        draft.source, draft.id, draft.time = source, number, text_time(rest)
        game = _game(rest)
        if game is None:
            raise refused(rest)
        draft.structure, draft.bets, draft.cap = game.structure, (game.small, game.large), game.cap
        draft.currency, self.winnings.coin = game.currency, game.coin

    def run(self, found: re.Match[str]) -> None:
        named = {"": 1, "FIRST ": 1, "SECOND ": 2, "THIRD ": 3}.get(found["run"], 4)
        self.draft.deal_run(max(named, int(found["number"] or 1)), cards(found["cards"]))

    def go_on(self, found: re.Match[str]) -> None:
        """Leave the summary, as at the rounds of a text whose lines were joined in another order."""
        self.rules, self.acting = self._lines, True
        self.body((found.string,))

    def splash(self, found: re.Match[str]) -> None:
        self.winnings.added += amount(found["money"])

    def all_in_to(self, name: str, found: re.Match[str]) -> None:
        """Report an all-in, of less than a raise, too."""
        self.draft.act(name, None, to=amount(found["money"]))

    def post(self, name: str, found: re.Match[str]) -> None:
        what, money = found["what"], amount(found["money"])
        least = self.draft.least_bet
        if what in ("the ante", "an ante of", "missed blind"):
            self.seats.post(name, 0, money)
        elif what == "small & big blinds":
            live = min(money, least)
            self.seats.post(name, live, money - live, big=True)
        elif what in ("straddle", "unknown") or (
            not self.draft.structure.fixed and what == "big blind" and money > least
        ):
            self.seats.straddle(name, money)
        else:
            self.seats.post(name, money, big=what == "big blind")

    def total(self, found: re.Match[str]) -> None:
        rake, *fees = (amount(fee["money"]) for fee in _FEE.finditer(found["rake"]))
        self.winnings.pot, self.winnings.rake, self.winnings.fees = amount(found["pot"]), rake + sum(fees), tuple(fees)

    def place(self, found: re.Match[str]) -> None:
        """Report what the summary has of a player: their cards, and what they win if no line above says it.

        Of those who have sold their hand to the site, no line says who collects the pot.
        """
        line, number = found.string, int(found["number"])
        held = _HELD.match(line) if "[" in line else None
        sold = held is not None and line.endswith(_CASHED_OUT)
        wins = "won (" in line or "collected (" in line
        if sold or (wins and number in self.seats.numbers.values()):
            for won in _WON.finditer(line):
                self.winnings.collect(self.seats.name_at(number), amount(won["money"]), summary=not sold)
        if held:
            tell = self.seats.show if held["what"] == "showed" else self.seats.deal
            tell(self.seats.name_at(number), cards(held["cards"]))


def read(draft: Draft, source: str, number: str, rest: str) -> None:
    """Read a hand of this site, or of one whose histories have the same words.

    Parameters
    ----------
    draft : Draft
        Receives what the lines say.
    source : str
        Name of the site.
    number : str
        Number of the hand.
    rest : str
        The rest of the first line after the number.

    Raises
    ------
    ValueError
        If a line cannot be read, or it is another game.
    """
    page = _Page(draft)
    page.start(source, number, rest)
    page.body(draft.lines())


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, usual=_Usual(), marks=("PokerStars",))


def _alike(source: str, words: str) -> TextFormat:
    def read_alike(draft: Draft, header: re.Match[str]) -> None:
        read(draft, source, header["id"], header["rest"])

    return TextFormat(regex(rf"{words} Hand #(?P<id>[0-9]+):\s*(?P<rest>.*)"), lambda: read_alike, marks=("#",))


#: Histories of sites, and of converters, that have the words of this site.
ALIKE = {
    source: _alike(source, words)
    for source, words in {
        "runitonce": "Run It Once Poker",
        "pokerbros": "PokerBros",
        "pokermaster": "PokerMaster",
        "pppoker": "PPPoker",
        "supremapoker": "SupremaPoker",
        "pokerplanets": "PokerPlanets",
        "9stacks": "9stacks Poker",
    }.items()
}
