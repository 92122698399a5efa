"""Text histories of 888poker, once Pacific Poker, and the sites that share its tables.

The amounts in the header are blinds, of limit, too, whose larger bet need not be twice the smaller one ($0.12/$0.25).

Amounts may be written as in "1.500,50 $". The amount of a raise is the chips put in. An uncalled bet is left out, or
collected as a pot of its own. Neither the pot nor the rake is stated. Suits may be German words or Spanish letters.
Names may be left out: of one player, or of both of two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from pokermodel._support.patterns import regex
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import amount, cards, currency
from pokermodel.histories.grammar import Page, words

__all__ = ["FORMAT", "begins", "read"]

_START = regex(r"\*{5} \S.* Hand History for Game (?P<id>[0-9]+) \*{5}")
_NOISE = regex(r"#Game No : [0-9]+$")  # before the first line
_SUM = r"[$€£]? ?[0-9][0-9.,\xa0 ]*[$€£]?"
_GAME = regex(rf"(?P<small>{_SUM})/(?P<large>{_SUM}) Blinds (?P<what>.+?) - \*\*\*(?P<time>.*)")
_HOLDEM = regex(r"(?P<structure>No|Pot|Fix(?:ed)?) Limit (?:Texas )?Hold'?em\b", re.IGNORECASE)
_TABLE = r"(?P<tournament>Tournament #.* - )?Table (?P<table>.+?)(?:\s+\([^()]*(?:Money|Play) ?\))?$"
_BUTTON = regex(r"Seat (?P<button>[0-9]+) is the button$")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.*?) ?\( (?P<stack>{_SUM}) \)$")
_STREET = regex(r"\*\* Dealing (?:flop|turn|river) \*\* (?P<cards>\[.*\])$")
_BET = regex(rf" bets \[(?P<put>{_SUM})\]$")
_DEALING = r"** Dealing down cards"
_OF_AN_ACT = ("posts ", "folds", "checks", "calls [", "bets [", "raises [")
_NAMELESS = regex(r"folds$|checks$|(?:posts .*|calls|bets|raises|collected|shows|mucks) \[|did not show his hand$")
_DEALT = regex(r"Dealt to (?P<name>.*?) ?(?P<cards>\[.*\])$")

_THOUSANDS = regex(r"\.(?=[0-9]{3}(?![0-9]))")
_WORDS = {"Pik": "s", "Kreuz": "c", "Herz": "h", "Karo": "d"}
_WORD = regex("|".join(_WORDS))
# picas and tréboles, ouros and espadas; a ten is diez or dez, a king rey or rei
_SUITS = {
    regex(r"(?<=[0-9DTJQRKA])[oe](?=[,\s\]])"): str.maketrans("poceDR", "cdhsTK"),
    regex(r"(?<=[0-9DTJQRKA])[pt](?=[,\s\]])"): str.maketrans("ptcDR", "schTK"),
}


class _Page(Page):
    source = "888"
    lines = words(
        street=_STREET.pattern,
        holes=re.escape(_DEALING),
        table=_TABLE,
        tournament="Tournament #",
        game=_GAME.pattern,
        button=_BUTTON.pattern,
        seat=_SEAT.pattern,
        dealt=_DEALT.pattern,
    )
    acts = words(
        call=rf"calls \[(?P<money>{_SUM})\]",
        bet=rf"(?:bets|raises) \[(?P<money>{_SUM})\]",
        post=r"posts (?:the )?(?P<what>small blind|big blind|dead blind|ante) "
        rf"\[(?:(?P<dead>{_SUM}) \+ )?(?P<money>{_SUM})\]",
        show=r"shows (?P<cards>\[.*\])$",
        know=r"mucks (?P<cards>\[.*\])$",
        win=rf"collected \[ (?P<money>{_SUM}) \]",
    )

    def head(self, header: re.Match[str]) -> None:
        draft = self.draft
        draft.id = header["id"]
        draft.translate(_with_names)
        self.winnings.uncalled_collected = None
        held = [line.rpartition("[")[2] for line in draft.lines() if line.endswith("]")]
        self.suits = next((suits for suit, suits in _SUITS.items() if any(map(suit.search, held))), None)
        self.dealing = not any(line.startswith(_DEALING) for line in draft.lines())  # from the big blind on
        self.begun = False

    def game(self, found: re.Match[str]) -> None:
        draft, game = self.draft, _HOLDEM.match(found["what"])
        if draft.bets is not None:
            return
        if game is None:
            raise refused(found["what"])
        blind = self.money(found["large"])
        draft.play(game["structure"], self.money(found["small"]), blind)
        if draft.structure.fixed:
            draft.bets = blind, self.larger_bet(blind)
        sign = re.search("[$€£]", found["small"])
        draft.pay(currency(sign[0]) if sign else "")
        draft.time = text_time(found["time"])

    def larger_bet(self, small: Money) -> Money:
        """The bet of the last two rounds: the first one there, or twice the smaller one where that is an all-in."""
        late = dropwhile(lambda line: not line.startswith("** Dealing turn"), self.draft.text.split("\n"))
        bet = next((self.money(first["put"]) for line in late if (first := _BET.search(line))), 0)
        return bet if small < bet <= 3 * small else 2 * small

    def table(self, found: re.Match[str]) -> None:
        super().table(found)
        if found["tournament"]:
            self.tournament(found)
        elif found.string.endswith(("(Practice Play)", "(Play Money)")):
            self.draft.currency = ""

    def tournament(self, found: re.Match[str]) -> None:
        """Report a tournament, which is played for chips."""
        self.draft.pay("")

    def fold(self, name: str, found: re.Match[str]) -> None:
        if self.begun or self.draft.street is not None:  # before that, they sit out the hand
            super().fold(name, found)

    def post(self, name: str, found: re.Match[str]) -> None:
        money, what, dead = self.money(found["money"]), found["what"], self.money(found["dead"] or "0")
        self.begun = self.begun or (self.dealing and what == "big blind")
        if what == "ante" or (what == "dead blind" and not (dead and money)):
            self.seats.post(name, 0, money + dead)
        else:
            self.seats.post(name, money, dead if what == "dead blind" else 0, big=what != "small blind")

    def money(self, text: str) -> Money:
        """Parse an amount; three digits after a point are thousands."""
        return amount(_THOUSANDS.sub("", text))

    def cards(self, text: str) -> tuple[int, ...]:
        """Parse cards; without "p" and "t", what may be Spanish hearts are clubs, which makes a hand no different."""
        text = _WORD.sub(lambda word: _WORDS[word[0]], text)
        return cards(text.translate(self.suits) if self.suits else text)

    def finish(self) -> None:
        if self.draft.bets is None:
            raise ValueError("the text does not say what is played")


def _with_names(lines: Sequence[str]) -> Sequence[str]:
    """Put names for players who have none in their lines, by whose turn it is where both have none."""
    seats = [seat for line in lines if (seat := _SEAT.match(line))]
    nameless = [f"seat {seat['number']}" for seat in seats if not seat["name"]]
    if not nameless:
        return lines
    if 1 < len(nameless) < len(seats) or len(nameless) > 2:
        raise ValueError(f"{len(nameless)} players have no name")
    button = next((f"seat {found['button']}" for line in lines if (found := _BUTTON.match(line))), "")
    nameless.sort(key=lambda name: name != button)  # of two, the button has the small blind
    named, turn, left = [], 0, list(nameless)
    for line in lines:
        if seat := _SEAT.match(line):
            line = line if seat["name"] else line.replace(": ", f": seat {seat['number']}", 1)
        elif _STREET.match(line):
            turn = len(nameless) - 1
        elif (dealt := _DEALT.match(line)) and not dealt["name"]:
            line = line.replace("Dealt to ", f"Dealt to {nameless[0]}", 1) if len(nameless) == 1 else ""
        elif _NAMELESS.match(line):
            if len(left) > 1 and not line.startswith(_OF_AN_ACT):
                raise ValueError("two players without a name, who both show their cards, or collect")
            name = nameless[turn % len(nameless)] if len(left) > 1 else left[0]
            turn += 1
            if line == "folds" and len(left) > 1:
                left.remove(name)
            line = f"{name} {line}"
        named.append(line)
    return named


#: The first line, whose number is the group ``id``, and the one that says the game.
read, begins = _Page.read, _GAME.match
#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = _Page.format(_START, _NOISE, marks=("*****",))
