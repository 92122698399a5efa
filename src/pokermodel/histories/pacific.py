"""Text histories of 888poker, once Pacific Poker, and the sites that share its tables.

The amounts in the header are blinds, of limit, too, whose larger bet need not be twice the smaller one ($0.12/$0.25).

Amounts may be written as in "1.500,50 $". Raises are what is put in. An uncalled bet is left out, or collected as a
pot of its own; neither the pot nor the rake is stated. Suits may be German words or Spanish letters. Names may be left
out: of one player, or of both of two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokermodel._support.patterns import regex
from pokermodel.game import Act
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._exact import Money
from pokermodel.histories._header import refused
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, ONE, amount, cards

__all__ = ["FORMAT", "begins", "read"]

_START = regex(r"\*{5} \S.* Hand History for Game (?P<id>[0-9]+) \*{5}")
_NOISE = regex(r"#Game No : [0-9]+$")  # before the first line
_SUM = r"[$€£]? ?[0-9][0-9.,\xa0 ]*[$€£]?"
_GAME = regex(rf"(?P<small>{_SUM})/(?P<large>{_SUM}) Blinds (?P<what>.+?) - \*\*\*(?P<time>.*)")
_HOLDEM = regex(r"(?P<structure>No|Pot|Fix(?:ed)?) Limit (?:Texas )?Hold'?em\b", re.IGNORECASE)
_TABLE = regex(r"(?:Tournament #.* - )?Table (?P<table>.+?)(?:\s+\([^()]*(?:Money|Play) ?\))?$")
_BUTTON = regex(r"Seat (?P<button>[0-9]+) is the button$")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.*?) ?\( (?P<stack>{_SUM}) \)$")
_STREET = regex(r"\*\* Dealing (?:flop|turn|river) \*\* (?P<cards>\[.*\])$")
_POST = regex(
    rf"posts (?:the )?(?P<what>small blind|big blind|dead blind|ante) \[(?:(?P<dead>{_SUM}) \+ )?(?P<money>{_SUM})\]"
)
_CALL = regex(rf"calls \[(?P<put>{_SUM})\]")
_RAISE = regex(rf"(?:bets|raises) \[(?P<put>{_SUM})\]")
_BET = regex(rf" bets \[(?P<put>{_SUM})\]$")
_CARDS = regex(r"(?P<what>shows|mucks) (?P<cards>\[.*\])$")
_COLLECT = regex(rf"collected \[ (?P<money>{_SUM}) \]")
_DEALING = "** Dealing down cards"
_OF_AN_ACT = ("posts ", "folds", "checks", "calls [", "bets [", "raises [")
_NAMELESS = regex(r"folds$|checks$|(?:posts .*|calls|bets|raises|collected|shows|mucks) \[|did not show his hand$")
_DEALT = regex(r"Dealt to (?P<name>.*?) ?(?P<cards>\[.*\])$")

_THOUSANDS = regex(r"\.(?=[0-9]{3}(?![0-9]))")
_WORDS = {"Pik": "s", "Kreuz": "c", "Herz": "h", "Karo": "d"}
_WORD = regex("|".join(_WORDS))
# picas and tréboles, ouros and espadas; a ten is diez or dez, a king rey or rei
_SUITS = {
    regex(r"(?<=[0-9DTJQRKA])[oe](?=[,\s\]])"): str.maketrans(
        {"p": "c", "o": "d", "c": "h", "e": "s", "D": "T", "R": "K"}
    ),
    regex(r"(?<=[0-9DTJQRKA])[pt](?=[,\s\]])"): str.maketrans({"p": "s", "t": "c", "c": "h", "D": "T", "R": "K"}),
}


def begins(line: str) -> bool:
    """Whether a line says the game, in the words of these sites."""
    return _GAME.match(line) is not None


def read(draft: Draft, header: re.Match[str]) -> None:
    """Read a hand, whose number the first line has as the group ``id``; raises `ValueError`."""
    draft.source, draft.id = "888", header["id"]
    draft.translate(_with_names)
    draft.winnings.uncalled_collected = None
    held = [line.rpartition("[")[2] for line in draft.lines() if line.endswith("]")]
    suits = next((str.maketrans(suits) for suit, suits in _SUITS.items() if any(map(suit.search, held))), None)
    played, dealt_down = None, False
    marked = any(line.startswith(_DEALING) for line in draft.lines())
    for line in draft.lines():
        if draft.table is None and (table := _TABLE.match(line)):
            draft.table = table["table"]
        if played is None and (played := _GAME.match(line)):
            _start(draft, played)
        elif line.startswith("Tournament #"):
            draft.currency, draft.winnings.coin = "", ONE
        elif line.startswith("Table ") and line.endswith(("(Practice Play)", "(Play Money)")):
            draft.currency = ""
        elif line.startswith("** "):
            if street := _STREET.match(line):
                draft.deal_board(_cards(street["cards"], suits))
            elif line.startswith(_DEALING):
                draft.deal_holes()
                dealt_down = True
        elif button := _BUTTON.match(line):
            draft.seats.button = int(button["button"])
        elif seat := _SEAT.match(line):
            draft.seats.sit(int(seat["number"]), seat["name"], _amount(seat["stack"]))
        elif dealt := _DEALT.match(line):
            draft.seats.deal_to(dealt["name"], _cards(dealt["cards"], suits))
        elif (said := draft.seats.subject(line, " ")) and (dealt_down or said[1] != "folds"):  # who sits out the hand
            _read_action(draft, *said, suits)
            if not marked and said[1].startswith("posts big blind"):
                dealt_down = True
    if played is None:
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


def _start(draft: Draft, played: re.Match[str]) -> None:
    game = _HOLDEM.match(played["what"])
    if game is None:
        raise refused(played["what"])
    blind = _amount(played["large"])
    draft.play(game["structure"], _amount(played["small"]), blind)
    if draft.structure.fixed:
        draft.bets = blind, _larger_bet(draft, blind)
    sign = re.search("[$€£]", played["small"])
    draft.currency = {"$": "USD", "€": "EUR", "£": "GBP"}[sign[0]] if sign else ""
    draft.winnings.coin = CENT if sign else ONE
    draft.time = text_time(played["time"])


def _larger_bet(draft: Draft, small: Money) -> Money:
    """The bet of the last two rounds: the first one there, or twice the smaller one where it is an all-in, or none."""
    line, late = draft.line, False
    bet: Money = 0
    for said in draft.lines():
        late = late or said.startswith("** Dealing turn")
        if late and not bet and (first := _BET.search(said)):
            bet = _amount(first["put"])
    draft.line = line
    return bet if small < bet <= 3 * small else 2 * small


def _amount(text: str) -> Money:
    """Parse an amount, of which three digits after a point are thousands."""
    return amount(_THOUSANDS.sub("", text))


def _cards(text: str, suits: dict[int, str] | None) -> tuple[int, ...]:
    """Parse cards; without "p" and "t", what may be Spanish hearts are clubs, which makes a hand no different."""
    text = _WORD.sub(lambda word: _WORDS[word[0]], text)
    return cards(text.translate(suits) if suits else text)


def _read_action(draft: Draft, name: str, what: str, suits: dict[int, str] | None) -> None:
    if what == "folds":
        draft.act(name, Act.FOLD)
    elif what == "checks":
        draft.act(name, Act.CALL, 0)
    elif call := _CALL.match(what):
        draft.act(name, Act.CALL, _amount(call["put"]))
    elif bet := _RAISE.match(what):
        draft.act(name, Act.RAISE, _amount(bet["put"]))
    elif post := _POST.match(what):
        _post(draft, name, post)
    elif seen := _CARDS.match(what):
        tell = draft.seats.show if seen["what"] == "shows" else draft.seats.deal
        tell(name, _cards(seen["cards"], suits))
    elif won := _COLLECT.match(what):
        draft.winnings.collect(name, _amount(won["money"]))


def _post(draft: Draft, name: str, post: re.Match[str]) -> None:
    money, what = _amount(post["money"]), post["what"]
    if what == "ante" or (what == "dead blind" and not (post["dead"] and money)):
        draft.seats.post(name, 0, money + (_amount(post["dead"]) if post["dead"] else 0))
    elif what == "dead blind":
        draft.seats.post(name, money, _amount(post["dead"]), big=True)
    else:
        draft.seats.post(name, money, big=what == "big blind")


#: Histories of these sites; ``stated_payoffs`` are after the rake.
FORMAT = TextFormat(_START, lambda: read, _NOISE, marks=("*****",))
