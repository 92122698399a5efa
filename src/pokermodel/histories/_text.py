"""What the text of poker sites has in common: blocks of lines, amounts and cards as people write them, and `Draft`.

Sites differ in words, not in what they tell. A module for one site takes its lines apart and tells a `Draft`; the
draft puts the seats in order, replays the betting, and compares every amount and the winnings with the text. No text
says how often may be raised: three times before the flop and four times later, or as often as a hand has it.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import lcm
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, cast

from pokermodel.cards import card_indices, cards_text
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.game.rounds import WHEN
from pokermodel.histories._files import Sink

__all__ = ["MONEY", "Draft", "Lines", "TextFormat", "amount", "cards", "currency"]

#: Matches an amount as it stands in a text, with the sign of the money before it.
MONEY = r"[$€£]?\s?[0-9][0-9.,]*"

_CAPS = (3, 4, 4, 4)
_MOST_LINES = 10_000  # of a hand; what comes after them is none of it
_CARD = re.compile(r"(10|[2-9TJQKA])([cdhs])", re.IGNORECASE)
_BETWEEN_CARDS = re.compile(r"[\s,\-\[\]]*")
_THOUSANDS = re.compile(r"[0-9]{1,3}([,.][0-9]{3})+")
_DECIMAL_COMMA = re.compile(r"[0-9.]*,[0-9]{1,2}")
_MOST_RAKE = Fraction(1, 10)  # of the pot, where the text does not say how much it was


class _LineError(ValueError):
    """What is wrong with a line of a hand."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


class _Event(NamedTuple):
    line: int
    street: int | None  # None: the text does not mark them
    name: str
    act: Act | None  # None: all-in, a call or a raise
    put: Fraction | None
    to: Fraction | None


def currency(text: str) -> str:
    """Name of the money whose sign is in front of an amount; empty for chips."""
    return {"$": "USD", "€": "EUR", "£": "GBP"}.get(text[:1], "")


def text_lines(file: io.BufferedReader) -> Iterator[tuple[int, str]]:
    """Numbers and lines of a text, as they are read.

    Parameters
    ----------
    file : io.BufferedReader
        In UTF-8 or UTF-16 with or without byte order mark, or in Windows' western encoding, even in turns: files may
        have been joined. Lines end as on any system.

    Yields
    ------
    number : int
        From 1.
    line : str
        Without its end.
    """
    wide = file.peek(2).startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = io.TextIOWrapper(file, *(("utf-16", "replace") if wide else ("utf-8-sig", _WESTERN)))
    for number, line in enumerate(text, 1):
        yield number, line.removesuffix("\n")


def _western(error: UnicodeError) -> tuple[str, int]:
    """What is no UTF-8 is Windows' western encoding; the five bytes that this leaves open stand for themselves."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in wrong), error.end


_WESTERN = "pokermodel.western"
codecs.register_error(_WESTERN, _western)


@lru_cache(4096)  # the same few amounts and cards, over and over
def amount(text: str) -> Fraction:
    """Value of an amount: ``"$2,292.50"``, ``"126,50"``, ``"EUR 15"``; raises `ValueError`."""
    digits = text.strip(" \xa0$€£.,")
    if _DECIMAL_COMMA.fullmatch(digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(digits.partition(".")[0]):
        digits = digits.replace(",", "")
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,6})?", digits):
        raise ValueError(f"{text!r} is no amount")
    return Fraction(digits)


@lru_cache(4096)
def cards(text: str) -> tuple[int, ...]:
    """Cards in any of the sites' notations: ``"10s Ah"``, ``"7h, Qs, 3c"``, ``"9c - 7d"``; raises `ValueError`."""
    found: list[str] = []
    place = cast("re.Match[str]", _BETWEEN_CARDS.match(text)).end()
    while place < len(text):
        card = _CARD.match(text, place)
        if card is None:
            raise ValueError(f"{text!r} are no cards, expected them as in 'As Th'")
        found.append(("T" if card[1] == "10" else card[1].upper()) + card[2].lower())
        place = cast("re.Match[str]", _BETWEEN_CARDS.match(text, card.end())).end()
    return card_indices("".join(found))


Lines: TypeAlias = Iterable[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format of text in which every hand begins with a line of its own. Files are read as hands are asked for.

    Attributes
    ----------
    start : re.Pattern
        Matches the first line of a hand.
    reader : callable
        Gives, for each file anew, what tells a `Draft` what the lines of a hand say, given the draft and the match of
        the first line; it raises `ValueError`.
    noise : re.Pattern, optional
        Matches lines between hands.
    prepare : callable, optional
        Changes the lines of a file before they are taken apart, given them, the path and what takes errors.
    """

    start: re.Pattern[str]
    reader: Callable[[], Callable[[Draft, re.Match[str]], None]]
    noise: re.Pattern[str] | None = None
    prepare: Callable[[Lines, Path, Sink | None], Lines] | None = None

    def sniff(self, head: bytes, name: str) -> bool:
        """Whether the first line of a file, apart from noise, is the first line of a hand.

        Parameters
        ----------
        head : bytes
            The beginning of the file.
        name : str
            The file's name; not looked at.
        """
        lines = text_lines(io.BufferedReader(io.BytesIO(head)))
        return any(header is not None for _, header, _ in islice(_blocks(lines, self.start, self.noise), 1))

    def hands(self, path: Path, file: io.BufferedReader, skipped: Sink | None = None) -> Iterator[Hand]:
        """Read the hands of a file. Every one is replayed, and its amounts and winnings compared.

        Parameters
        ----------
        path : Path
            For messages.
        file : io.BufferedReader
            The file.
        skipped : Sink, optional
            Takes what is wrong with hands that cannot be read; None: raise it.

        Yields
        ------
        Hand

        Raises
        ------
        HistoryError
            If a hand is damaged, breaks the rules, contradicts its own amounts, or is not fixed-limit hold'em.
        """
        lines: Lines = text_lines(file)
        if self.prepare is not None:
            lines = self.prepare(lines, path, skipped)
        read = self.reader()
        for first, header, block in _blocks(lines, self.start, self.noise):
            draft = Draft(first, block)
            try:
                if header is None:
                    raise ValueError(f"expected the first line of a hand, got {block[0].strip()[:60]!r}")
                read(draft, header)
                hand = draft.hand()
            except ValueError as reason:
                line = reason.line if isinstance(reason, _LineError) else draft.line
                error = HistoryError(str(reason), str(path), line)
                if skipped is None:
                    raise error from None
                skipped.append(error)
                continue
            yield hand


def _blocks(
    lines: Iterable[tuple[int, str]], start: re.Pattern[str], noise: re.Pattern[str] | None
) -> Iterator[tuple[int, re.Match[str] | None, list[str]]]:
    """First line, header and lines of every hand; the header is None for what stands before the first one."""
    first, header, block = 1, None, list[str]()
    for number, line in lines:
        line = line.strip(" \t\xa0\ufeff")  # several files may have been joined
        found = start.match(line)
        if found:
            if block:
                yield first, header, block
            first, header, block = number, found, [line]
        elif block or (line and not (noise and noise.match(line))):
            if not block:
                first = number
            if len(block) < _MOST_LINES:
                block.append(line)
    if block:
        yield first, header, block


class Draft:
    """A hand as its text is being read. Amounts are in the text's money.

    Attributes
    ----------
    source, id, currency : str
        As in `Hand`.
    bets : tuple of Fraction
        The small and the big bet.
    button : int
        Number of the seat that has the button.
    rake, pot : Fraction or None
        As far as the text says.
    uncalled_collected : bool
        Whether the winner's amount contains a bet that nobody called, if the text does not return it.
    reopening : str
        What the site does after an all-in bet or raise for less than a full one, as in `GameSpec`.
    second_small_counts : bool
        Whether a small blind that a newcomer posts counts as a bet; otherwise it is dead.
    knows_all : bool
        Whether it has the cards of all players, be they shown or not. Otherwise who does not show at the showdown has
        mucked, the owner of the text as everybody else.
    folds_early : bool
        Whether the text notes a fold when it is made, be it somebody else's turn.
    coin : Fraction
        The smallest coin of the money, which decides how exactly a pot can be shared.
    line : int
        The line that is being read.
    """

    def __init__(self, first: int, lines: Sequence[str]) -> None:
        self.source = self.id = self.currency = ""
        self.bets: tuple[Fraction, Fraction] | None = None
        self.button: int | None = None
        self.rake: Fraction | None = None
        self.pot: Fraction | None = None
        self.uncalled_collected = False
        self.second_small_counts = self.knows_all = self.folds_early = False
        self.reopening: Literal["half", "whole"] = "half"
        self.coin = Fraction(1, 100)
        self.line = first
        self._first = first
        self._lines = lines
        self._seats: dict[int, tuple[str, Fraction]] = {}
        self._names: dict[str, int] = {}
        self._longest: list[str] = []
        self._dealt: set[str] = set()
        self._live: dict[str, Fraction] = {}
        self._dead: dict[str, Fraction] = {}
        self._small: str | None = None
        self._big: set[str] = set()
        self._events: list[_Event] = []
        self._street: int | None = None
        self._board: tuple[int, ...] = ()
        self._holdings: dict[str, tuple[int, ...]] = {}
        self._shown: set[str] = set()
        self._mucked: set[str] = set()
        self._collected: dict[str, Fraction] = {}
        self._returned: dict[str, Fraction] = {}

    def lines(self) -> Iterator[str]:
        """Lines after the first one; `line` follows."""
        for number, line in enumerate(self._lines[1:], self._first + 1):
            self.line = number
            yield line
        self.line = self._first

    def subject(self, line: str, separator: str) -> tuple[str, str] | None:
        """Split a line that begins with a player's name; names may contain anything."""
        for name in self._longest:
            if line.startswith(name) and line.startswith(separator, len(name)):
                return name, line[len(name) + len(separator) :].strip()
        return None

    def seat(self, number: int, name: str, stack: Fraction) -> None:
        """Somebody sits there; he takes part only if something else is said of him."""
        if number in self._seats or name in self._names:
            raise ValueError(f"seat {number}, {name}: named twice in one hand")
        self._seats[number] = name, stack
        self._names[name] = number
        self._longest = sorted(self._names, key=len, reverse=True)

    def name_at(self, number: int) -> str:
        """Name of the player in a seat."""
        if number not in self._seats:
            raise ValueError(f"nobody sits in seat {number}")
        return self._seats[number][0]

    def dealt(self, name: str, holding: tuple[int, ...] | None = None) -> None:
        """Say that a player takes part, and his cards, if both are known."""
        if name not in self._names:
            raise ValueError(f"{name} has no seat")
        self._dealt.add(name)
        if holding is not None and len(holding) == 2:
            known = self._holdings.setdefault(name, holding)
            if set(known) != set(holding):
                raise ValueError(f"{name} has {cards_text(holding)}, but had {cards_text(known)} before")

    def show(self, name: str, holding: tuple[int, ...]) -> None:
        """Let a player show his cards, or one of them, to everybody."""
        self.dealt(name, holding)
        if len(holding) == 2:
            self._shown.add(name)

    def post(self, name: str, live: Fraction, dead: Fraction = Fraction(), big: bool = False) -> None:
        """Let a player post a blind or an ante.

        Parameters
        ----------
        name : str
            Who.
        live, dead : Fraction
            What counts as a bet, and what does not.
        big : bool
            This is a big blind, or what a newcomer posts instead of one.
        """
        self.dealt(name)
        if live and not big:
            if self._small is not None and not self.second_small_counts:
                live, dead = Fraction(), dead + live
            elif self._small is None:
                self._small = name
        self._live[name] = self._live.get(name, Fraction()) + live
        self._dead[name] = self._dead.get(name, Fraction()) + dead
        if big:
            self._big.add(name)

    def post_usual_blinds(self) -> None:
        """Let everybody take part, and those after the button post half a bet and a bet."""
        assert self.bets is not None
        if self.button is None or len(self._seats) < 2:
            raise ValueError("the text does not say who posts the blinds")
        button = self.button
        order = sorted(self._seats, key=lambda number: (number <= button, number))
        for number in order:
            self.dealt(self.name_at(number))
        if len(order) == 2 and order[1] == button:
            order.reverse()
        self.post(self.name_at(order[0]), self.bets[0] / 2)
        self.post(self.name_at(order[1]), self.bets[0], big=True)

    def act(self, name: str, act: Act | None, put: Fraction | None = None, to: Fraction | None = None) -> None:
        """Let a player act; None is a call or a raise with all he has.

        Parameters
        ----------
        name : str
            Who.
        act : Act or None
            What.
        put, to : Fraction, optional
            What the text says that he put in, or what his bet in this round became.
        """
        self.dealt(name)
        self._events.append(_Event(self.line, self._street, name, act, put, to))

    def deal_board(self, dealt: tuple[int, ...], marks_rounds: bool = True) -> None:
        """Lay cards on the board: the new ones, or all of them.

        Parameters
        ----------
        dealt : tuple of int
            The cards.
        marks_rounds : bool
            This begins a round of betting; False for a summary.
        """
        if not marks_rounds and self._board:
            if self._board[: len(dealt)] != dealt and dealt[: len(self._board)] != self._board:
                raise ValueError(f"the board is {cards_text(self._board)} above, but {cards_text(dealt)} here")
            self._board = max(self._board, dealt, key=len)
            return
        self._board = dealt if dealt[: len(self._board)] == self._board else self._board + dealt
        if len(self._board) not in (3, 4, 5):
            raise ValueError(f"{len(self._board)} cards on the board, expected 3, 4 or 5")
        if marks_rounds:
            self._street = len(self._board) - 2

    def deal_holes(self) -> None:
        """Begin the first round, in a text that marks all of them."""
        self._street = 0

    def muck(self, name: str) -> None:
        """Let a player throw his cards away at the showdown."""
        self._mucked.add(name)

    def collect(self, name: str, won: Fraction) -> None:
        """Let a player take a pot, or a part of it."""
        if name not in self._names:
            raise ValueError(f"{name} has no seat")
        self._collected[name] = self._collected.get(name, Fraction()) + won

    def give_back(self, name: str, money: Fraction) -> None:
        """Return a bet that nobody called."""
        self._returned[name] = self._returned.get(name, Fraction()) + money

    def hand(self) -> Hand:
        """Build the hand and compare it with what the text says; raises `ValueError`."""
        players = self._order()
        dealt = [self._seats[self._names[name]] for name in players]
        spec, unit = self._spec(players)
        stacks = [int(stack / unit) for _, stack in dealt]
        actions, state = self._replay(spec, stacks, players, unit)
        if not state.over and self._covers_short_blind(state):
            spec = replace(spec, full_blind=False)  # as the text: the small blind is not asked for more
            actions, state = self._replay(spec, stacks, players, unit)
        if not state.over and state.legal() == (Act.CALL,):  # a check without a choice: texts leave it out
            actions.append(Action(state.seat, Act.CALL))
            state.act(Act.CALL)
        if not state.over:
            raise ValueError(f"the hand is cut short: it is the turn of {players[state.seat]}")
        seat_of = {name: seat for seat, name in enumerate(players)}
        mucked: set[str] = set()
        if state.showdown:
            left = {players[seat] for seat in state.active}
            shown = self._holdings.keys() if self.knows_all else self._shown
            mucked = {name for name in left if name in self._mucked or name not in shown}
            mucked -= self._collected.keys()
        hand = Hand(
            self.source,
            self.id,
            spec,
            players,
            actions,
            self._board,
            {seat_of[name]: holding for name, holding in self._holdings.items()},
            stacks,
            self._stated_payoffs(state, players, unit),
            sorted(seat_of[name] for name in mucked),
            unit,
            self.currency,
        )
        hand._played(state)
        self._compare(hand, state)
        return hand

    def _order(self) -> list[str]:
        """Names of those who take part, from the first blind on."""
        if self.button is None:
            raise ValueError("the text does not say who has the button")
        button = self.button
        numbers = sorted(self._names[name] for name in self._dealt)
        if len(numbers) < 2:
            raise ValueError(f"{len(numbers)} players take part, expected two at least")
        numbers = [number for number in numbers if number > button] + [n for n in numbers if n <= button]
        if len(numbers) == 2 and numbers[1] == button and self._seats[numbers[0]][0] in self._big:
            numbers.reverse()  # between two players the button has the small blind
        return [self._seats[number][0] for number in numbers]

    def _spec(self, players: list[str]) -> tuple[GameSpec, Fraction]:
        """Return the game, and the value of a chip."""
        if self.bets is None:
            raise ValueError("the text does not say how much a bet is")
        n = len(players)
        small, large = self.bets
        stacks = [self._seats[self._names[name]][1] for name in players]
        live = [self._live.get(name, Fraction()) for name in players]
        dead = [self._dead.get(name, Fraction()) for name in players]
        for seat, name in enumerate(players):  # a blind for less: what it is short of is called all the same
            if name in self._big and live[seat] < small and live[seat] + dead[seat] >= stacks[seat]:
                live[seat] = small
        amounts = [small, large, *stacks, *live, *dead, *self._live.values(), *self._collected.values()]
        unit = Fraction(1, lcm(*(amount.denominator for amount in amounts)))
        in_turn = players[1:] + players[:1] if n == 2 and self._seats_button(players[0]) else players
        posted = [name for name in in_turn if name in self._big] or [name for name in players if name == self._small]
        first = (players.index(posted[0]) + 1) % n if posted else 0
        later = 1 if n == 2 and self._seats_button(players[0]) else 0
        spec = GameSpec(
            blinds=tuple(int(amount / unit) for amount in live),
            bets=(int(small / unit), int(small / unit), int(large / unit), int(large / unit)),
            first=(first, later, later, later),
            antes=tuple(int(amount / unit) for amount in dead),
            reopening=self.reopening,
        )
        raises = self._raises()
        if self._street is None:  # no telling in which round: as many as the text has
            raises = [sum(raises)] * 4 if max(raises) > min(_CAPS) else raises
        caps = tuple(max(pair) for pair in zip(_CAPS, raises, strict=True))
        return replace(spec, max_raises=cast("tuple[int, int, int, int]", caps)), unit

    def _raises(self) -> list[int]:
        """How many bets and raises the text has, by round."""
        raises = [0, 0, 0, 0]
        before, bets = 0, dict(self._live)
        for _, street, name, act, put, to in self._events:
            if (street or 0) != before:
                before, bets = street or 0, {}
            highest = max(bets.values(), default=Fraction())
            bet = bets.get(name, Fraction()) + (put or 0) if to is None else to
            raises[before] += act is Act.RAISE or (act is None and bet > highest)
            bets[name] = bet
        return raises

    def _seats_button(self, name: str) -> bool:
        return self._names[name] == self.button

    def _replay(
        self, spec: GameSpec, stacks: list[int], players: list[str], unit: Fraction
    ) -> tuple[list[Action], State]:
        """Give every event its place in the game, and compare its amount."""
        state = State(spec, stacks)
        before = [min(ante, stack) for ante, stack in zip(spec.antes or [0] * spec.players, stacks, strict=True)]
        actions = []
        for line, street, name, act, put, to in self._events:
            try:
                seat = players.index(name)
                if state.over:
                    raise ValueError(f"{name} acts, but the betting is over")
                if seat != state.seat and act is Act.FOLD and self.folds_early and seat in state.active:
                    state.leave(seat)
                    actions.append(Action(seat, act, out_of_turn=True))
                    continue
                if seat != state.seat:
                    raise ValueError(f"{name} acts, but it is the turn of {players[state.seat]}")
                betting_round = state.round
                if street is not None and street != betting_round:
                    raise ValueError(f"{name} acts {WHEN[street]}, but betting {WHEN[betting_round]} is not over")
                if act is None:
                    assert put is not None
                    act = Act.RAISE if put > state.situation()[2] * unit else Act.CALL
                chips = state.act(act)
                if put is not None and put != chips * unit:
                    raise ValueError(f"{name} puts in {_plain(put)}, expected {_plain(chips * unit)}")
                if to is not None and to != (bet := (state.committed[seat] - before[seat]) * unit):
                    raise ValueError(f"{name} bets or raises to {_plain(to)}, expected {_plain(bet)}")
            except ValueError as error:
                raise _LineError(str(error), line) from None
            actions.append(Action(seat, act))
            if state.round != betting_round:
                before = list(state.committed)
        return actions, state

    def _covers_short_blind(self, state: State) -> bool:
        """Whether the seat to act has put in as much before the flop as the others, who are all all-in."""
        others = set(state.active) - {state.seat}
        most = max(state.committed[seat] for seat in others)
        return state.round == 0 and others <= set(state.all_in) and state.committed[state.seat] >= most

    def _excess(self, state: State) -> list[int]:
        """Chips that nobody called, by seat."""
        antes = state.spec.antes or (0,) * state.players
        live = [chips - ante for chips, ante in zip(state.committed, antes, strict=True)]
        second, highest = sorted(live)[-2:]
        return [highest - second if chips == highest > second else 0 for chips in live]

    def _stated_payoffs(self, state: State, players: list[str], unit: Fraction) -> list[float]:
        """What the text says that each seat won or lost, after the rake."""
        if not self._collected:
            raise ValueError("the text does not say who wins")
        self._settle(state, players, unit)
        return [
            float((self._collected.get(name, Fraction()) + self._returned.get(name, Fraction())) / unit - chips)
            for name, chips in zip(players, state.committed, strict=True)
        ]

    def _settle(self, state: State, players: list[str], unit: Fraction) -> None:
        """Compare the sums; note what was returned without being mentioned, and the rake."""
        excess = {name: chips * unit for name, chips in zip(players, self._excess(state), strict=True) if chips}
        if self._returned:
            if self._returned != excess:
                wrong = ", ".join(f"{_plain(money)} to {name}" for name, money in self._returned.items())
                right = ", ".join(f"{_plain(money)} to {name}" for name, money in excess.items()) or "nothing"
                raise ValueError(f"{wrong} is returned as not called, expected {right}")
        else:
            for name, money in excess.items():
                if self.uncalled_collected and self._collected.get(name, Fraction()) >= money:
                    self._collected[name] -= money
                self._returned[name] = money
        pot = sum(state.committed) * unit - sum(excess.values())
        if self.pot is not None and self.pot not in (pot, pot + sum(excess.values())):
            raise ValueError(f"the text has a pot of {_plain(self.pot)}, the replay one of {_plain(pot)}")
        rake = pot - sum(self._collected.values())
        most = max(pot * _MOST_RAKE, self.coin)
        if not 0 <= rake <= most if self.rake is None else rake != self.rake:
            collected = _plain(sum(self._collected.values(), Fraction()))
            said = "" if self.rake is None else f" and a rake of {_plain(self.rake)}"
            raise ValueError(f"the text has {collected} collected{said}, the replay a pot of {_plain(pot)}")
        self.rake = rake

    def _compare(self, hand: Hand, state: State) -> None:
        """Compare the winnings of each player with those of the replay."""
        assert self.rake is not None
        for seat, (name, payoff, extra) in enumerate(zip(hand.players, hand.payoffs, self._excess(state), strict=True)):
            ours = Fraction(payoff).limit_denominator(1000) + state.committed[seat] - extra
            won = ours * Fraction(hand.unit)
            theirs = self._collected.get(name, Fraction())
            # the site shares whole coins, and takes its rake from each pot as it likes
            if not won - self.rake - self.coin < theirs < won + self.coin or (theirs > 0) != (won > 0):
                raise ValueError(f"{name} collects {_plain(theirs)}, expected {_plain(won)} before the rake")


def _plain(money: Fraction) -> str:
    return f"{float(money):.10g}"
