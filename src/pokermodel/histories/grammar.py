"""The grammar that the texts of all sites share: a page of patterns for each site, and one loop over the lines.

Sites differ in words, not in contents. A site is a class below `Page`. Its patterns stand under the names of the
methods that report what they match: those of whole lines, those of lines behind the summary's first one, and those of
what players do, behind their names. A site whose text means something else by its words overrides the method.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._exact import Money
from pokermodel.histories._header import StatedGame, played, posted_blind
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, amount, cards, currency
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft

__all__ = ["BOARD", "SUMMARY", "Page", "Patterns", "words"]

#: Patterns by names of methods.
Patterns: TypeAlias = Mapping[str, str]
_SMALL = ("small blind", "sb")
_Rule: TypeAlias = tuple[re.Pattern[str], Callable[..., Any]]

# in the words of most sites
SUMMARY: Final = r"\*\*\* SUMMARY"
BOARD: Final = r"Board:? (?P<cards>\[.+\])$"


def words(**patterns: str) -> Patterns:
    """Return patterns by the names of the methods that report what they match, in the order in which they are tried."""
    return patterns


def _rules(cls: type[Page], patterns: Patterns, usual: Patterns = MappingProxyType({})) -> tuple[_Rule, ...]:
    """Return rules by patterns, and by the usual ones for what there is none for, whether by what is put in or not."""
    own = {name.removesuffix("_to") for name in patterns}
    more = {name: pattern for name, pattern in usual.items() if name.removesuffix("_to") not in own}
    return tuple((regex(pattern), getattr(cls, name)) for name, pattern in {**patterns, **more}.items())


class Page:
    """Reads a hand of a site. A class below has its words, and an object is made for each hand.

    Attributes
    ----------
    separators : tuple of str
        Texts that may follow a player's name before an action.
    lines, summary : Patterns
        Patterns of lines: above the summary, where lines of players are looked at first, and in it.
    acts : Patterns
        Patterns of actions. The words of most sites need none, here and in `lines`.
    dead_rest : bool
        Whether the part of a newcomer's post above the big blind is dead.
    """

    source: ClassVar[str]
    separators: ClassVar[tuple[str, ...]] = (" ",)
    lines: ClassVar[Patterns]
    summary: ClassVar[Patterns] = words()
    acts: ClassVar[Patterns]
    dead_rest: ClassVar[bool] = False
    _usual_lines: ClassVar[Patterns] = words(
        street=r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>\[.*\])$",
        holes=r"\*\*\* HOLE CARDS",
        dealt=r"Dealt to (?P<name>.+) (?P<cards>\[[^\]]*\])$",
        uncalled=rf"Uncalled bet \((?P<money>{MONEY})\) returned to (?P<name>.+)",
    )
    _usual_acts: ClassVar[Patterns] = words(
        fold="folds$",
        check="checks$",
        call=rf"calls (?P<money>{MONEY})",
        bet_to=rf"(?:bets|raises(?: {MONEY})? to) (?P<money>{MONEY})",
        show=r"shows (?P<cards>\[[^\]]*\])",
    )
    _lines: ClassVar[tuple[_Rule, ...]]
    _summary: ClassVar[tuple[_Rule, ...]]
    _act: ClassVar[Callable[[str], tuple[Callable[..., Any], re.Match[str]] | None]]

    def __init_subclass__(cls) -> None:
        cls._lines, cls._summary = _rules(cls, cls.lines, Page._usual_lines), _rules(cls, cls.summary)
        acts = _rules(cls, cls.acts, Page._usual_acts)

        @lru_cache(4096)  # the same few occur over and over
        def act(what: str) -> tuple[Callable[..., Any], re.Match[str]] | None:
            return next(((report, found) for words, report in acts if (found := words.match(what))), None)

        cls._act = staticmethod(act)

    def __init__(self, draft: Draft) -> None:
        self.draft, self.seats, self.winnings = draft, draft.seats, draft.winnings
        self.rules = self._lines
        self.acting = True  # whether lines may be those of players

    @classmethod
    def format(cls, start: re.Pattern[str], noise: re.Pattern[str] | None = None, **others: Any) -> TextFormat:
        """Return the format of the site, with fields as those of `TextFormat`."""
        return TextFormat(start, lambda: cls.read, noise, **{"marks": ("#",), **others})

    @classmethod
    def read(cls, draft: Draft, header: re.Match[str], *known: Any) -> None:
        """Read a hand, given the match of its first line and what is known of the file; raises `ValueError`."""
        draft.source = cls.source
        page = cls(draft, *known)
        page.head(header)
        page.body(draft.lines())
        page.finish()

    def head(self, header: re.Match[str]) -> None:
        """Report what the first line says: the group ``id``, and the game and the time in the group ``rest``."""
        self.draft.id = header["id"]
        self.play(header["rest"])

    def play(self, text: str, blinds: bool = True) -> StatedGame:
        """Report game, time and currency of a header, in which blinds may be missing."""
        self.draft.time = text_time(text)
        game = played(self.draft, text, blinds)
        self.draft.pay(currency(game.stakes))
        return game

    def bets_or_blinds(self, large: Money) -> None:
        """Take the larger amount of the header for the small bet of limit, if it is the big blind that is posted."""
        if self.draft.structure.fixed and posted_blind(self.draft.lines(), "big") == large:
            self.draft.bets = large, 2 * large

    def body(self, lines: Iterable[str]) -> None:
        """Report the lines behind the first one."""
        act, subject = type(self)._act, self.subject
        for line in lines:
            if self.acting and (said := subject(line)) is not None and (found := act(said[1])) is not None:
                found[0](self, said[0], found[1])
                continue
            for words, report in self.rules:
                if match := words.match(line):
                    report(self, match)
                    break

    def subject(self, line: str) -> tuple[str, str] | None:
        """Split a line that begins with a player's name."""
        for separator in self.separators:
            if said := self.seats.subject(line, separator):
                return said
        return None

    def finish(self) -> None:
        """Report what follows from all lines."""

    # ------------------------------------------------------------------------------------- lines

    def seat(self, found: re.Match[str]) -> None:
        """Report a seat: number, name and stack, and the button, where the line has a word for it."""
        self.seats.sit(int(found["number"]), found["name"], self.money(found["stack"]))
        if "button" in found.re.groupindex and found["button"]:
            self.seats.button = int(found["number"])

    def table(self, found: re.Match[str]) -> None:
        """Report the name of the table, the first one."""
        if self.draft.table is None:
            self.draft.table = found["table"]

    def button(self, found: re.Match[str]) -> None:
        """Report the number of the seat with the button."""
        self.seats.button = int(found["button"])

    def table_button(self, found: re.Match[str]) -> None:
        """Report both."""
        self.table(found)
        self.button(found)

    def dealer(self, found: re.Match[str]) -> None:
        """Report the player with the button."""
        self.seats.button = self.seats.numbers.get(found["name"])

    def holes(self, found: re.Match[str]) -> None:
        """Begin the first round."""
        self.draft.deal_holes()

    def dealt(self, found: re.Match[str]) -> None:
        """Report the cards that a player is dealt."""
        self.seats.deal_to(found["name"], self.cards(found["cards"]))

    def street(self, found: re.Match[str]) -> None:
        """Report the cards of a round."""
        self.draft.deal_board(self.cards(found["cards"]))

    def sum_up(self, found: re.Match[str]) -> None:
        """Begin the summary."""
        self.rules, self.acting = self._summary, False

    def board(self, found: re.Match[str]) -> None:
        """Report the board of the summary."""
        self.draft.sum_up_board(self.cards(found["cards"]))

    def uncalled(self, found: re.Match[str]) -> None:
        """Report a bet that is returned, in a line that does not begin with the player."""
        self.give_back(found["name"], found)

    def total(self, found: re.Match[str]) -> None:
        """Report the pot and the rake, which may be missing."""
        self.winnings.pot = self.money(found["pot"])
        self.winnings.rake = self.money(found["rake"]) if found["rake"] else self.winnings.rake

    def rake(self, found: re.Match[str]) -> None:
        """Report the rake."""
        self.winnings.rake = self.money(found["rake"] or "0")

    def won(self, found: re.Match[str]) -> None:
        """Report what the player in a seat wins."""
        self.win(self.seats.name_at(int(found["number"])), found)

    def showed(self, found: re.Match[str]) -> None:
        """Report the cards that the player in a seat shows."""
        self.show(self.seats.name_at(int(found["number"])), found)

    def held(self, found: re.Match[str]) -> None:
        """Report the cards of the player in a seat, who need not show them."""
        self.know(self.seats.name_at(int(found["number"])), found)

    # ------------------------------------------------------------------------------------- what players do

    def fold(self, name: str, found: re.Match[str]) -> None:
        """Report a fold."""
        self.draft.act(name, Act.FOLD)

    def check(self, name: str, found: re.Match[str]) -> None:
        """Report a check."""
        self.draft.act(name, Act.CALL, 0)

    def call(self, name: str, found: re.Match[str]) -> None:
        """Report a call by what is put in."""
        self.draft.act(name, Act.CALL, self.money(found["money"]))

    def call_to(self, name: str, found: re.Match[str]) -> None:
        """Report a call by what the bet goes to."""
        self.draft.act(name, Act.CALL, to=self.money(found["money"]))

    def bet(self, name: str, found: re.Match[str]) -> None:
        """Report a bet or raise by what is put in."""
        self.draft.act(name, Act.RAISE, self.money(found["money"]))

    def bet_to(self, name: str, found: re.Match[str]) -> None:
        """Report a bet or raise by what it goes to."""
        self.draft.act(name, Act.RAISE, to=self.money(found["money"]))

    def all_in(self, name: str, found: re.Match[str]) -> None:
        """Report an all-in by what is put in, or without an amount that of a player whose time ran out."""
        self.draft.act(name, None, self.money(found["money"]) if found["money"] else None)

    def post(self, name: str, found: re.Match[str]) -> None:
        """Report a blind or an ante, by its words: antes and what is dead are no bets, and others are big blinds."""
        what, money = (found["what"] or "").lower(), self.money(found["money"])
        if "ante" in what or "dead" in what:
            self.seats.post(name, 0, money)
        else:
            live = min(money, self.draft.least_bet) if self.dead_rest and self.draft.bets else money
            self.seats.post(name, live, money - live, big=what not in _SMALL)

    def post_dead(self, name: str, found: re.Match[str]) -> None:
        """Report what counts as no bet."""
        self.seats.post(name, 0, self.money(found["money"]))

    def straddle(self, name: str, found: re.Match[str]) -> None:
        """Report a straddle."""
        self.seats.straddle(name, self.money(found["money"]))

    def show(self, name: str, found: re.Match[str]) -> None:
        """Report cards that are shown."""
        self.seats.show(name, self.cards(found["cards"]))

    def know(self, name: str, found: re.Match[str]) -> None:
        """Report cards that need not be shown."""
        self.seats.deal(name, self.cards(found["cards"]))

    def muck(self, name: str, found: re.Match[str]) -> None:
        """Report a player who mucks."""
        self.seats.muck(name)

    def win(self, name: str, found: re.Match[str]) -> None:
        """Report what a player collects."""
        self.winnings.collect(name, self.money(found["money"]))

    def give_back(self, name: str, found: re.Match[str]) -> None:
        """Report an uncalled bet that is returned."""
        self.winnings.give_back(name, self.money(found["money"]))

    # ------------------------------------------------------------------------------------- words

    def money(self, text: str) -> Money:
        """Parse an amount."""
        return amount(text)

    def cards(self, text: str) -> tuple[int, ...]:
        """Parse cards."""
        return cards(text)
