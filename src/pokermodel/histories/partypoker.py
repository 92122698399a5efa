"""Text histories of PartyPoker, of money tables and tournaments; also those that the site sent by mail.

The text states neither the rake nor uncalled bets. In tournaments it often does not state the blinds: there the two
players after the button post those of the level. Headers of no limit may have the buy-in instead of the blinds.
The chips of large tournaments are rounded, so that amounts may be off by some.
Players who have just sat down may post without a seat in the text: they get a free one after the player who acts before
them, and their stack is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile, islice, takewhile

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories import pacific
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused, stated_game
from pokermodel.histories._time import text_time
from pokermodel.histories._words import MONEY, ONE, amount, cards, currency, half

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
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \(\s*(?P<stack>{MONEY}){_UNIT}\s*\)(?: - .*)?$", re.IGNORECASE)
_BUTTON = regex(r"(?:Table .* -- )?Seat (?P<button>[0-9]+) is the button$")
_TABLE = regex(r"Table (?P<table>.+?)\s+\((?:Real|Play) Money\)")
_SEATS = regex(r"Total number of players : [0-9]+\s*/\s*(?P<seats>[0-9]+)")
_STREET = regex(r"\*\* Dealing (?:Flop|Turn|River) \*\* (?::\s*)?(?P<cards>\[.*\])$", re.IGNORECASE)
_THOUSANDS = regex(r"\.(?=[0-9]{3}(?![0-9]))")
_DEALING = "** Dealing down cards"
_FLOAT = 2**-22  # the site counts in floating point of 24 bits
_NOTHING = "1"  # what players have in tournaments of which the text does not say more
_MONEY = rf"\s*[\[(]\s*(?P<money>{MONEY}){_UNIT}\s*[\])]"
_ACTION = regex(rf"(?P<what>calls|bets|raises|is all-in){_MONEY}", re.IGNORECASE)
_RAISE = regex(rf"raises (?P<put>{MONEY}) to (?P<to>{MONEY})")
_CALL = regex(rf"(?P<name>.+) calls{_MONEY}")
_ANY_ACT = regex(r"(?P<name>.+?) (?:folds|checks|calls|bets|raises|is all-In)\b")
_ONLY_AN_ACT = regex(rf" (?:folds|checks|(?:calls|bets|raises|is all-In) *{_MONEY})\.?")
_POST = regex(rf"posts (?P<what>small blind|big blind \+ dead|big blind|ante)(?: of)?{_MONEY}")
_POSTER = regex(rf"(?P<name>.+) {_POST.pattern}")
_SHOW = regex(r"shows \[(?P<cards>[^\]]*)\]")
_MUCK = regex(r"doe(?:s not|sn't) show\s+\[(?P<cards>[^\]]*)\]")
_WIN = regex(rf"wins (?P<money>{MONEY})(?:{_UNIT}| chips)?\b")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOGETHER = regex(r"(?<= is sitting out)(?=\S)|(?<=does not show cards\.)(?=\S)")  # two lines in one
_TOTAL = regex(rf"(?P<pots>Main Pot: {MONEY}(?: Side Pot [0-9]+: {MONEY})*)(?: Rake: (?P<rake>{MONEY}))?")
_POT = regex(rf": ({MONEY})")
_COLLECTED = regex(rf" collected (?P<money>{MONEY})")
_HELD = regex(r"\[(?P<cards>[^\]]*)\] \[")  # before what they make


def _chips(text: str) -> Money:
    """Return an amount of a level, in which thousands may be divided by points."""
    return amount(_THOUSANDS.sub("", text))


def _read(draft: Draft, header: re.Match[str]) -> None:
    if pacific.begins(next(draft.lines(), "")):  # whose first line was once the same
        pacific.read(draft, header)
        return
    draft.source, draft.id = "partypoker", header["id"]
    draft.winnings.uncalled_collected = draft.folds_early = draft.seats.second_small_counts = True
    text = [part for line in draft.lines() for part in _TOGETHER.split(line)]
    hand: _Hand | None = None
    for line in draft.lines():
        if hand is not None:
            for part in _TOGETHER.split(line):
                hand.line(part)
        elif line:
            hand = _Hand(draft, line, text)


class _Hand:
    """Reads the lines of one hand after its number."""

    def __init__(self, draft: Draft, line: str, text: list[str]) -> None:
        """Read the line that says which game it is; raises `ValueError`."""
        self._draft = draft
        self._text = text
        self._posts: list[tuple[str, str, Money]] = []
        self._posted: set[str] = set()
        self._stacks: dict[str, Money] = {}
        self._numbers: dict[str, int] = {}
        self._seats = 10
        self._round = -1  # before the deal
        self._raised = self._summary = False
        kinds = (_GAME, _MAILED, _TOURNAMENT, _CONVERTED, _SIT_AND_GO)
        kind, found = next(((kind, found) for kind in kinds if (found := kind.match(line))), (_GAME, None))
        if found is None or stated_game(line) is None:
            raise refused(line)
        words = found.groupdict()
        self._structure = words["structure"] or ""
        self._tournament = kind in (_TOURNAMENT, _CONVERTED, _SIT_AND_GO) or bool(words.get("tournament"))
        if words.get("small"):
            read = _chips if self._tournament else amount
            draft.play(self._structure, read(words["small"]), read(words["large"]))
        draft.time = text_time(line)
        if self._tournament:
            draft.winnings.coin, draft.winnings.rake = ONE, 0
        else:
            draft.currency = currency(line)

    def line(self, line: str) -> None:
        """Read a line; raises `ValueError`."""
        draft = self._draft
        if draft.table is None and (table := _TABLE.match(line)):
            draft.table = table["table"]
        if self._summary:
            self._sum_up(line)
        elif self._round < 0 and (seat := _SEAT.match(line)):
            self._sit(int(seat["number"]), seat["name"], seat["stack"])
        elif button := _BUTTON.match(line):
            draft.seats.button = int(button["button"])
        elif self._tournament and (level := _LEVEL.match(line)):
            draft.play(self._structure, _chips(level["small"]), _chips(level["large"]))
        elif seats := _SEATS.match(line):
            self._seats = int(seats["seats"])
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
            self._round += 1
        elif line.startswith(_DEALING):
            self._deal()
        elif line.startswith("** Summary"):
            self._summary = True
        elif dealt := _DEALT.match(line):
            draft.seats.deal_to(dealt["name"], cards(dealt["cards"]))
        elif self._round < 0 and (post := _POSTER.match(line)):
            self._posts.append((post["name"], post["what"], amount(post["money"])))
        elif said := draft.seats.subject(line, " "):
            self._act(said[0], said[1].removesuffix("."))

    def _sit(self, number: int, name: str, stack: str) -> None:
        if any(line.startswith(f"{name} has left the table") for line in self._before_the_deal()):
            return
        money = 0 if stack == _NOTHING and self._tournament else amount(stack)
        self._numbers[name] = number
        if money:
            self._stacks[name] = money
            if self._tournament:
                self._draft.slack = max(self._draft.slack, int(money * _FLOAT) // ONE * ONE)
                self._draft.winnings.rounding = 2 * self._draft.slack
        self._draft.seats.sit(number, name, money or None)  # who has just sat down has brought an unknown amount
        if not self._tournament and not self._draft.currency:
            self._draft.currency = currency(stack)

    def _before_the_deal(self) -> Iterator[str]:
        return takewhile(lambda line: not line.startswith(_DEALING), self._text)

    def _after_the_deal(self) -> Iterator[str]:
        return islice(dropwhile(lambda line: not line.startswith(_DEALING), self._text), 1, None)

    def _deal(self) -> None:
        """Report the posts, when all of them are known."""
        draft = self._draft
        blinds = [(name, what, money) for name, what, money in self._posts if what != "ante"]
        self._posted = {name for name, _, _ in blinds}
        if draft.bets is None:
            self._infer_blinds(blinds)
        for name in self._order():
            if name not in self._numbers:
                self._find_seat(name)
        for name, what, money in self._posts:
            live = 0 if what == "ante" else min(money, draft.least_bet)
            draft.seats.post(name, live, money - live, big=what.startswith("big"))
        if not blinds and self._tournament:
            after = tuple(self._after_the_deal())
            self._posted = {name for name in self._numbers if any(line.startswith(f"{name} ") for line in after)}
            draft.seats.post_usual_blinds(self._posted, draft.small_blind, draft.least_bet)
        draft.deal_holes()
        self._round = 0

    def _infer_blinds(self, blinds: list[tuple[str, str, Money]]) -> None:
        """Set the blinds as they were posted; a big blind who is all-in for less is told by the first call."""
        small = next((money for _, what, money in blinds if what == "small blind"), None)
        name, big = next(((name, money) for name, what, money in blinds if what == "big blind"), ("", small))
        if big is None:
            raise ValueError("no blind is posted, so that the blinds are not known")
        if not name or self._stacks.get(name) == big:
            calls = (_CALL.search(line) for line in self._text)
            first = next((amount(call["money"]) for call in calls if call and call["name"] not in self._posted), big)
            big = max(big, first, 2 * (small or 0))
        self._draft.play(self._structure, half(big) if small is None else small, big)

    def _order(self) -> list[str]:
        """Names of those who post and act, from the small blind on: in turn, as the text has it."""
        names = [name for name, what, _ in self._posts if what == "small blind"][:1]
        names += [name for name, what, _ in self._posts if what == "big blind"][:1]
        first = takewhile(lambda line: not line.startswith("** Dealing Flop"), self._after_the_deal())
        acts = [act for line in first if (act := _ANY_ACT.match(line))]
        known = {name for name, _, _ in self._posts} | self._numbers.keys()
        # whoever does something in the words of an act and of nothing else plays, too
        known |= {
            act["name"]
            for act in acts
            if _ONLY_AN_ACT.fullmatch(act.string, act.end("name")) and len(known) < self._seats
        }
        return [name for name in dict.fromkeys([*names, *(act["name"] for act in acts)]) if name in known]

    def _find_seat(self, name: str) -> None:
        """Give a player without a seat the next free one after the player who acts before them."""
        order = self._order()
        self._draft.seats.sit_after(order[order.index(name) - 1], name, self._seats)
        self._numbers[name] = self._draft.seats.numbers[name]

    def _act(self, name: str, what: str) -> None:
        draft = self._draft
        if what == "folds":
            draft.act(name, Act.FOLD)
        elif what == "checks":
            if self._round == 0 and not self._raised and name not in self._posted:  # they have posted both blinds
                draft.seats.post(name, draft.least_bet, draft.small_blind, big=True)
            draft.act(name, Act.CALL, 0)
        elif raised := _RAISE.match(what):
            self._raised = True
            draft.act(name, Act.RAISE, amount(raised["put"]), amount(raised["to"]))
        elif action := _ACTION.match(what):
            acts = {"calls": Act.CALL, "bets": Act.RAISE, "raises": Act.RAISE}
            act = acts.get(action["what"])
            self._raised |= act is not Act.CALL
            draft.act(name, act, amount(action["money"]))
        elif show := _SHOW.match(what):
            draft.seats.show(name, cards(show["cards"]))
        elif muck := _MUCK.match(what):
            draft.seats.deal(name, cards(muck["cards"]))
        elif won := _WIN.match(what):
            draft.winnings.collect(name, amount(won["money"]))

    def _sum_up(self, line: str) -> None:
        """Read a line of the summary that mailed histories have."""
        draft = self._draft
        if total := _TOTAL.match(line):
            draft.winnings.pot = sum((amount(pot) for pot in _POT.findall(total["pots"])), 0)
            draft.winnings.rake = amount(total["rake"]) if total["rake"] else draft.winnings.rake
        elif line.startswith("Board: ["):
            draft.sum_up_board(cards(line.removeprefix("Board: ")))
        elif said := draft.seats.subject(line, " balance "):
            if won := _COLLECTED.search(said[1]):
                draft.winnings.collect(said[0], amount(won["money"]))
            if held := _HELD.search(said[1]):
                draft.seats.show(said[0], cards(held["cards"]))


#: Histories of this site; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: _read, _NOISE, marks=("*****",))
