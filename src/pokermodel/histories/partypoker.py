"""Text histories of PartyPoker, of money tables and tournaments; also those that the site sent by mail.

The text states neither the rake nor uncalled bets. In tournaments it often does not state the blinds: there the two
players after the button post those of the level. Headers of no limit may have the buy-in instead of the blinds.
The chips of large tournaments are rounded, so that amounts may be off by some.
Players who have just sat down may post without a seat in the text: they get a free one after the player who acts before
them, and their stack is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile, islice, takewhile

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories import pacific
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused, stated_game
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, ONE, amount, currency, half
from pokermodel.histories.blocks import TextFormat
from pokermodel.histories.draft import Draft
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT"]

_START = regex(r"\*\*\*\*\* Hand History [Ff]or Game (?P<id>[0-9a-z]+) \*\*\*\*\*")
_NOISE = regex(r"Game #[0-9]+ starts\.|#Game No : [0-9]+")
_STAKES = rf"(?P<small>{MONEY})/(?P<large>{MONEY})"
_GAME = regex(  # of limit only the later headers say so
    rf"(?:{_STAKES}|(?P<buy_in>{MONEY}))(?:\s+[A-Z]{{3}})?(?: fastforward)?(?:\s+(?P<structure>[FNP]L))?\s+"
    r"(?:Texas )?Hold'?em - "
)
_SIT_AND_GO = regex(
    r"(?:(?P<structure>[FNP]L)\s+)?Texas Hold'?em\s(?:.*\b(?:Buy-in|Entry Fee|Trny)\b.*|\s*"
    rf"{MONEY}(?:\s+[A-Z]{{3}})?\s*) - "  # a jackpot's Sit & Go has no word for it
)
_TOURNAMENT = regex(rf"(?P<structure>[FNP]L) Texas Hold'em\s.*Trny:.*(?:Stakes|Blinds|Blinds-Antes)\({_STAKES}")
_MAILED = regex(rf"{_STAKES} (?P<tournament>Tourney )?Texas Hold'?em Game Table \((?P<structure>[FNP]?L)\)")
_CONVERTED = regex(r"Tourney Hand (?P<structure>[FNP]L) Texas Hold'em - ")
_LEVEL = regex(rf"(?:Stakes|Blinds|Blinds-Antes)\({_STAKES}")
_UNIT = r"(?:\s+[A-Z]{3})?"
_TABLE = regex(r"Table (?P<table>.+?)\s+\((?:Real|Play) Money\)")
_THOUSANDS = regex(r"\.(?=[0-9]{3}(?![0-9]))")
_DEALING = "** Dealing down cards"
_FLOAT = 2**-22  # the site counts in floating point of 24 bits
_NOTHING = "1"  # what players have in tournaments of which the text does not say more
_MONEY = rf"\s*[\[(]\s*(?P<money>{MONEY}){_UNIT}\s*[\])]"
_CALL = regex(rf"(?P<name>.+) calls{_MONEY}")
_ANY_ACT = regex(r"(?P<name>.+?) (?:folds|checks|calls|bets|raises|is all-In)\b")
_ONLY_AN_ACT = regex(rf" (?:folds|checks|(?:calls|bets|raises|is all-In) *{_MONEY})\.?")
_TOGETHER = regex(r"(?<= is sitting out)(?=\S)|(?<=does not show cards\.)(?=\S)")  # two lines in one
_POT = regex(rf": ({MONEY})")
_COLLECTED = regex(rf" collected (?P<money>{MONEY})")
_HELD = regex(r"(?P<cards>\[[^\]]*\]) \[")  # before what they make


def _chips(text: str) -> Money:
    """Return an amount of a level, in which thousands may be divided by points."""
    return amount(_THOUSANDS.sub("", text))


class _Page(Page):
    source = "partypoker"
    lines = words(
        seat=rf"(?i)Seat (?P<number>[0-9]+): (?P<name>.+) \(\s*(?P<stack>{MONEY}){_UNIT}\s*\)(?: - .*)?$",
        button=r"(?:Table .* -- )?Seat (?P<button>[0-9]+) is the button$",
        table=_TABLE.pattern,
        level=_LEVEL.pattern,
        places=r"Total number of players : [0-9]+\s*/\s*(?P<places>[0-9]+)",
        street=r"(?i)\*\* Dealing (?:Flop|Turn|River) \*\* (?::\s*)?(?P<cards>\[.*\])$",
        holes=re.escape(_DEALING),
        sum_up=r"\*\* Summary",
        dealt=r"Dealt to (?P<name>.+) (?P<cards>\[[^\]]*\])$",
        posted=rf"(?P<name>.+) posts (?P<what>small blind|big blind \+ dead|big blind|ante)(?: of)?{_MONEY}",
    )
    summary = words(
        pots=rf"(?P<pots>Main Pot: {MONEY}(?: Side Pot [0-9]+: {MONEY})*)(?: Rake: (?P<rake>{MONEY}))?",
        board=r"Board: (?P<cards>\[.*)",
        balance=".* balance ",
    )
    acts = words(
        raise_to=rf"raises (?P<money>{MONEY}) to (?P<to>{MONEY})",
        call=rf"calls{_MONEY}",
        bet=rf"(?:bets|raises){_MONEY}",
        all_in=rf"(?i)(?:calls|bets|raises|is all-in){_MONEY}",
        show=r"shows (?P<cards>\[[^\]]*\])",
        know=r"doe(?:s not|sn't) show\s+(?P<cards>\[[^\]]*\])",
        win=rf"wins (?P<money>{MONEY})(?:{_UNIT}| chips)?\b",
    )

    def head(self, header: re.Match[str]) -> None:
        draft = self.draft
        draft.id = header["id"]
        draft.folds_early = self.winnings.uncalled_collected = self.seats.second_small_counts = True
        self.text = [part for line in draft.lines() for part in _TOGETHER.split(line)]
        self.posts: list[tuple[str, str, Money]] = []
        self.posters: set[str] = set()  # of blinds
        self.places_at_table = 10

    def body(self, lines: Iterable[str]) -> None:
        parts = (part for line in lines for part in _TOGETHER.split(line))
        first = next(filter(None, parts), None)
        if first is not None:
            self.game(first)
        super().body(parts)

    def game(self, line: str) -> None:
        """Read the line that says which game it is; raises `ValueError`."""
        draft = self.draft
        kinds = (_GAME, _MAILED, _TOURNAMENT, _CONVERTED, _SIT_AND_GO)
        kind, found = next(((kind, found) for kind in kinds if (found := kind.match(line))), (_GAME, None))
        if found is None or stated_game(line) is None:
            raise refused(line)
        of_line = found.groupdict()
        self.structure = of_line["structure"] or ""
        self.tournament = kind in (_TOURNAMENT, _CONVERTED, _SIT_AND_GO) or bool(of_line.get("tournament"))
        if of_line.get("small"):
            read = _chips if self.tournament else amount
            draft.play(self.structure, read(of_line["small"]), read(of_line["large"]))
        draft.time = text_time(line)
        if self.tournament:
            self.winnings.coin, self.winnings.rake = ONE, 0
        else:
            draft.currency = currency(line)

    def subject(self, line: str) -> tuple[str, str] | None:
        said = super().subject(line)
        return said and (said[0], said[1].removesuffix("."))

    def seat(self, found: re.Match[str]) -> None:
        name, stack = found["name"], found["stack"]
        if self.draft.street is not None or any(line.startswith(f"{name} has left the table") for line in self.early()):
            return
        money = 0 if stack == _NOTHING and self.tournament else amount(stack)
        if money and self.tournament:
            self.draft.slack = max(self.draft.slack, int(money * _FLOAT) // ONE * ONE)
            self.winnings.rounding = 2 * self.draft.slack
        self.seats.sit(int(found["number"]), name, money or None)  # who has just sat down has an unknown amount
        if not self.tournament and not self.draft.currency:
            self.draft.currency = currency(stack)

    def button(self, found: re.Match[str]) -> None:
        super().button(found)
        if table := _TABLE.match(found.string):
            self.table(table)

    def level(self, found: re.Match[str]) -> None:
        """Report the level of a tournament."""
        if self.tournament:
            self.draft.play(self.structure, _chips(found["small"]), _chips(found["large"]))

    def places(self, found: re.Match[str]) -> None:
        """Report the number of seats at the table."""
        self.places_at_table = int(found["places"])

    def posted(self, found: re.Match[str]) -> None:
        """Report a blind or an ante of a player who may have no seat."""
        if self.draft.street is None:
            self.posts.append((found["name"], found["what"], amount(found["money"])))

    def early(self) -> Iterator[str]:
        """The lines before the deal."""
        return takewhile(lambda line: not line.startswith(_DEALING), self.text)

    def late(self) -> Iterator[str]:
        """The lines after the deal."""
        return islice(dropwhile(lambda line: not line.startswith(_DEALING), self.text), 1, None)

    def holes(self, found: re.Match[str]) -> None:
        """Report the posts, when all of them are known."""
        draft, seats = self.draft, self.seats
        blinds = [(name, what, money) for name, what, money in self.posts if what != "ante"]
        self.posters = {name for name, _, _ in blinds}
        if draft.bets is None:
            self.infer_blinds(blinds)
        for name in (order := self.order()):
            if name not in seats.numbers:
                seats.sit_after(order[order.index(name) - 1], name, self.places_at_table)
        for name, what, money in self.posts:
            live = 0 if what == "ante" else min(money, draft.least_bet)
            seats.post(name, live, money - live, big=what.startswith("big"))
        if not blinds and self.tournament:
            after = tuple(self.late())
            self.posters = {name for name in seats.numbers if any(line.startswith(f"{name} ") for line in after)}
            seats.post_usual_blinds(self.posters, draft.small_blind, draft.least_bet)
        super().holes(found)

    def infer_blinds(self, blinds: list[tuple[str, str, Money]]) -> None:
        """Set the blinds as posted; the first call reveals a big blind who is all-in for less."""
        small = next((money for _, what, money in blinds if what == "small blind"), None)
        name, big = next(((name, money) for name, what, money in blinds if what == "big blind"), ("", small))
        if big is None:
            raise ValueError("no blind is posted, so that the blinds are not known")
        if not name or self.seats.stacks.get(name) == big:
            calls = (_CALL.search(line) for line in self.text)
            first = next((amount(call["money"]) for call in calls if call and call["name"] not in self.posters), big)
            big = max(big, first, 2 * (small or 0))
        self.draft.play(self.structure, half(big) if small is None else small, big)

    def order(self) -> list[str]:
        """Names of those who post and act, from the small blind on: in turn, as the text has it."""
        names = [name for name, what, _ in self.posts if what == "small blind"][:1]
        names += [name for name, what, _ in self.posts if what == "big blind"][:1]
        first = takewhile(lambda line: not line.startswith("** Dealing Flop"), self.late())
        acts = [act for line in first if (act := _ANY_ACT.match(line))]
        known = {name for name, _, _ in self.posts} | self.seats.numbers.keys()
        for act in acts:  # whoever does something in the words of an act and of nothing else plays, too
            if _ONLY_AN_ACT.fullmatch(act.string, act.end("name")) and len(known) < self.places_at_table:
                known.add(act["name"])
        return [name for name in dict.fromkeys([*names, *(act["name"] for act in acts)]) if name in known]

    def check(self, name: str, found: re.Match[str]) -> None:
        raised = any(event.act not in (Act.FOLD, Act.CALL) for event in self.draft.events)
        if self.draft.street == 0 and not raised and name not in self.posters:  # they have posted both blinds
            self.seats.post(name, self.draft.least_bet, self.draft.small_blind, big=True)
        super().check(name, found)

    def raise_to(self, name: str, found: re.Match[str]) -> None:
        """Report a raise by what is put in and what it goes to."""
        self.draft.act(name, Act.RAISE, amount(found["money"]), amount(found["to"]))

    def pots(self, found: re.Match[str]) -> None:
        """Report all pots of the summary that mailed histories have."""
        self.winnings.pot = sum((amount(pot) for pot in _POT.findall(found["pots"])), 0)
        self.winnings.rake = amount(found["rake"]) if found["rake"] else self.winnings.rake

    def balance(self, found: re.Match[str]) -> None:
        """Report what the summary says of a player."""
        if said := self.seats.subject(found.string, " balance "):
            if won := _COLLECTED.search(said[1]):
                self.win(said[0], won)
            if held := _HELD.search(said[1]):
                self.show(said[0], held)


def _read(draft: Draft, header: re.Match[str]) -> None:
    earlier = pacific.begins(next(draft.lines(), ""))  # whose first line was once the same
    (pacific.read if earlier else _Page.read)(draft, header)


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("*****",))
