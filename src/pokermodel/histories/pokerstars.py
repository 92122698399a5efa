"""Text histories of PokerStars, of money tables and tournaments.

The amounts in the header of a limit hand are the bets, also for a tournament level; those of other hands are blinds.
Who has sold their hand to the site, and wins, is paid here as by the cards; what the site and they exchange is no part
of the game. Known cards are those of the owner of the history, and those shown or, by the summary, mucked. Hands in
Portuguese or Russian are read like those in English.

The grammar is that of the patterns here. Lines that the site writes all the time are known to ``stars.h``,
too, which reads whole hands of nothing else, many times as fast. A line that a pattern here comes to take must go on
being unusual there, or be taken alike; ``tests/histories/test_stars_hands.py`` compares the two.
"""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, cast

from pokermodel._core.stars_hands import find_next, rebuild
from pokermodel._support.patterns import regex
from pokermodel.game import Act, Action, BettingStructure, Hand
from pokermodel.histories._blocks import TextFormat
from pokermodel.histories._draft import Draft
from pokermodel.histories._header import refused, stated_game
from pokermodel.histories._languages import FOREIGN, LANGUAGES, in_english
from pokermodel.histories._replay import game_of
from pokermodel.histories._time import text_time
from pokermodel.histories._words import CENT, MONEY, ONE, amount, cards, currency, structure_of

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
_TABLE = regex(r"Table (?:ID )?'(?P<table>.*?)'(?:\([0-9]+\))? .*Seat #(?P<button>[0-9]+) is the button")
_SEAT = regex(rf"Seat (?P<number>[0-9]+): (?P<name>.+) \((?P<stack>{MONEY}) in chips.*\)(?P<more>.*)")
_STREET = regex(
    r"\*\*\* (?P<run>(?:[A-Z]+ )?)(?:FLOP|TURN|RIVER)(?: (?P<number>[0-9]))? \*\*\* +(?P<cards>\[.*\])(?: \{.*\})?$"
)
_POST = regex(
    r"(?:posts )?(?P<what>small blind|big blind|small & big blinds|missed blind|the ante|an ante of|straddle"
    r"|unknown) "
    rf"(?P<money>{MONEY})"
)
_CALL = regex(rf"calls (?P<put>{MONEY})")
_BET = regex(rf"(?:bets|Bet & Muck) (?P<to>{MONEY})")
_RAISE = regex(rf"raises (?:{MONEY} )?to (?P<to>{MONEY})")
_IS_ALL_IN = " and is all-in"
_ALL_IN = regex(rf"raises (?P<put>{MONEY}) and is all-in")  # of sites that are alike
_SHOW = regex(r"shows \[(?:(?:XX|##) )?(?P<cards>[^\]#]*)(?: ?##)?\]")
_COLLECT = regex(rf"collected (?P<money>{MONEY}) from (?:(?:side |main )?pot|a pot)")
_UNCALLED = regex(rf"Uncalled bet \((?P<money>{MONEY})\) returned to (?P<name>.+)")
_DEALT = regex(r"Dealt to (?P<name>.+) \[(?P<cards>[^\]]*)\]$")
_TOTAL = regex(rf"Total pot (?P<pot>{MONEY}).*?(?P<rake>\| Rake {MONEY}.*)")
_FEE = regex(rf"\| [A-Za-z ]+ (?P<money>{MONEY})")
_SPLASH = regex(rf"STP added: (?P<money>{MONEY})")  # the site splashes the pot
_CASHED_OUT = "(pot not awarded as player cashed out)"
_WON = regex(rf"\b(?:won|collected) \((?P<money>{MONEY})\)")
_SUMMARY = regex(r"Seat (?P<number>[0-9]+): .*(?P<what>mucked|showed) \[(?:XX )?(?P<cards>[^\]]*)\]")


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
        What the first line says after the number.

    Raises
    ------
    ValueError
        If a line cannot be read, or it is another game.
    """
    draft.source, draft.id = source, number
    draft.time = text_time(rest)
    game = _game(rest)
    if game is None:
        raise refused(rest)
    draft.structure, draft.bets, draft.cap = game.structure, (game.small, game.large), game.cap
    draft.currency, draft.winnings.coin = game.currency, game.coin
    summary = False
    for line in draft.lines():
        if line.startswith("***"):
            summary = line.startswith("*** SUMMARY")
            street = _STREET.match(line)
            if street and (street["run"] == "SECOND " or street["number"] == "2"):
                draft.deal_run(2, cards(street["cards"]))
            elif street and (street["run"] == "THIRD " or street["number"] == "3"):
                draft.deal_run(3, cards(street["cards"]))
            elif street and not (street["run"] in ("", "FIRST ") and street["number"] in (None, "1")):
                raise ValueError("only boards that are run up to three times are supported")
            elif street:
                draft.deal_board(cards(street["cards"]))
            elif line.startswith("*** HOLE CARDS"):
                draft.deal_holes()
        elif summary:
            _read_summary(draft, line)
        elif draft.seats.button is None and (table := _TABLE.match(line)):
            draft.seats.button, draft.table = int(table["button"]), table["table"]
        elif line.startswith("Seat ") and (seat := _SEAT.match(line)):
            draft.seats.sit(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif line.startswith("Uncalled ") and (uncalled := _UNCALLED.match(line)):
            draft.winnings.give_back(uncalled["name"], amount(uncalled["money"]))
        elif line.startswith("Dealt ") and (dealt := _DEALT.match(line)):
            draft.seats.deal_to(dealt["name"], cards(dealt["cards"]))
        elif said := draft.seats.subject(line, ": "):
            _read_action(draft, *said)
        elif said := draft.seats.subject(line, " "):
            if won := _COLLECT.match(said[1]):
                draft.winnings.collect(said[0], amount(won["money"]))
            elif show := _SHOW.match(said[1]):
                draft.seats.show(said[0], cards(show["cards"]))
        elif stp := _SPLASH.match(line):
            draft.winnings.added += amount(stp["money"])


def _read_action(draft: Draft, name: str, what: str) -> None:
    kind, money = _action(what)
    if kind == "put":
        draft.act(name, Act.CALL, money)
    elif kind == "to":
        draft.act(name, Act.RAISE, to=money)
    elif kind == "all-in":
        draft.act(name, None, money)
    elif kind == "all-in to":  # of less than a raise, too
        draft.act(name, None, to=money)
    elif kind == "folds":
        draft.act(name, Act.FOLD)
    elif kind == "shows":
        draft.seats.show(name, cards(cast("re.Match[str]", _SHOW.match(what))["cards"]))
    elif kind == "mucks":
        draft.seats.muck(name)
    elif kind:
        _post(draft, name, kind, cast("int", money))


@lru_cache(4096)  # the same few occur over and over
def _action(what: str) -> tuple[str, int | None]:
    """What a player does, in a word, and the amount; a blind is called what the text calls it."""
    if what.split()[:1] == ["folds"]:
        return "folds", None
    if what == "checks":
        return "put", 0
    if call := _CALL.match(what):
        return "put", amount(call["put"])
    if bet := _BET.match(what) or _RAISE.match(what):
        return "all-in to" if what.startswith("raises ") and what.endswith(_IS_ALL_IN) else "to", amount(bet["to"])
    if all_in := _ALL_IN.match(what):
        return "all-in", amount(all_in["put"])
    if post := _POST.match(what):
        return post["what"], amount(post["money"])
    if _SHOW.match(what):
        return "shows", None
    return "mucks" if what.startswith(("mucks hand", "Bet & Muck folds")) else "", None


def _post(draft: Draft, name: str, what: str, money: int) -> None:
    if what in ("the ante", "an ante of"):
        draft.seats.post(name, 0, money)
    elif what == "small & big blinds":
        live = min(money, draft.least_bet)
        draft.seats.post(name, live, money - live, big=True)
    elif what == "missed blind":
        draft.seats.post(name, 0, money)
    elif what in ("straddle", "unknown") or (
        not draft.structure.fixed and what == "big blind" and money > draft.least_bet
    ):
        draft.seats.straddle(name, money)
    else:
        draft.seats.post(name, money, big=what == "big blind")


def _read_summary(draft: Draft, line: str) -> None:
    if line.startswith("Total ") and (total := _TOTAL.match(line)):
        draft.winnings.pot = amount(total["pot"])
        rake, *fees = (amount(fee["money"]) for fee in _FEE.finditer(total["rake"]))
        draft.winnings.rake, draft.winnings.fees = rake + sum(fees), tuple(fees)
    elif line.startswith(("Board [", "FIRST Board [")):
        draft.sum_up_board(cards(line.removeprefix("FIRST ").removeprefix("Board ")))
    elif line.startswith("Seat ") and ("won (" in line or "collected (" in line):
        _award_by_summary(draft, line)
    if "[" in line and (seat := _SUMMARY.match(line)):
        if line.endswith(_CASHED_OUT):
            _award(draft, draft.seats.name_at(int(seat["number"])), line)
        tell = draft.seats.show if seat["what"] == "showed" else draft.seats.deal
        tell(draft.seats.name_at(int(seat["number"])), cards(seat["cards"]))


def _award_by_summary(draft: Draft, line: str) -> None:
    """Report what the summary says is won, which counts if no line above says who collects a pot."""
    number = int(line[5:].partition(":")[0])
    won = [amount(each["money"]) for each in _WON.finditer(line)]
    if number in draft.seats.numbers.values() and not line.endswith(_CASHED_OUT):
        draft.winnings.collect(draft.seats.name_at(number), sum(won), summary=True)


def _award(draft: Draft, name: str, line: str) -> None:
    """Report what a player has won who has sold it to the site, so that no line says who collects the pot."""
    for won in _WON.finditer(line):
        draft.winnings.collect(name, amount(won["money"]))


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
