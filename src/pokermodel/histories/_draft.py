"""Common parts of the text formats of poker sites: blocks of lines, amounts, cards, and `Draft`.

Sites differ in words, not in contents. The module of a site parses its lines and reports them to a `Draft`, which puts
the seats in order, replays the betting, and compares every amount and the winnings with the text. No text states the
cap of raises of limit: it is three before the flop and four later, or as many as the hand has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Literal, NamedTuple, cast

from pokermodel.cards import cards_text
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.game.pots import uncalled
from pokermodel.game.rounds import WHEN
from pokermodel.game.structure import NO_CAP
from pokermodel.histories._exact import Money
from pokermodel.histories._lines import LINE_COST, MOST_TEXT
from pokermodel.histories._winnings import Replayed, Winnings
from pokermodel.histories._words import ONE, LineError, half, plain, structure_of

__all__ = ["Draft", "game_of"]

_CAPS = (3, 4, 4, 4)
_NO_BETS_BEFORE_THE_FLOP = (0, NO_CAP, NO_CAP, NO_CAP)


class _RanOutError(Exception):
    """A player is all-in for fewer chips than they have."""

    def __init__(self, seat: int, chips: int) -> None:
        self.seat = seat
        self.chips = chips
        super().__init__()


class _Event(NamedTuple):
    line: int
    street: int | None  # None: the text does not mark them
    name: str
    act: Act | None  # None: all-in, a call or a raise
    put: Money | None
    to: Money | None
    last: bool = False  # whether the text says that the player can put in no more

    @property
    def ran_out(self) -> bool:
        """Whether the player's time ran out, so that they are all-in without more chips."""
        return self.act is None and self.put is None and self.to is None


class Draft:
    """A hand whose text is being read. Amounts are whole parts of the currency's unit, see `amount`.

    Parameters
    ----------
    first : int
        Number of the first line.
    lines : sequence of str
        The lines.
    reading : int
        As the attribute.
    one : int
        How many parts are a unit of the currency. Where amounts may have more decimals than in texts, they can be
        fractions, in any parts.

    Attributes
    ----------
    source, id, currency : str
        As in `Hand`.
    structure : BettingStructure
        How large a bet may be. Default: limit.
    bets : tuple of Money
        The small and the big bet of limit; otherwise the small and the big blind.
    cap : Money or None
        The most that a player can lose in a hand; None without such a rule.
    button : int
        Number of the seat with the button.
    hero : str or None
        The owner of the text, where it names them, whoever it deals to. They need not take part.
    reopening : str
        Rule for an all-in bet or raise of less than a full one, as in `GameSpec`.
    second_small_counts : bool
        Whether a small blind that a newcomer posts counts as a bet; otherwise it is dead.
    knows_all : bool
        Whether the text has the cards of all players, shown or not. Otherwise players that do not show at the showdown
        have mucked, the owner of the text included.
    folds_early : bool
        Whether the text has a fold where it is made, even out of turn.
    slack : Money
        How far amounts may be off, in a text whose site has worked them out in floating point. A bet that leaves less
        than that is all-in.
    winnings : Winnings
        Pot, rake, and who wins what.
    time : datetime or None
        When the hand was played, if the text says so.
    table : str or None
        Name of the table, if the text says it; an empty one is none.
    reading : int
        Which of the ways in which amounts may be meant, from 0, where a site has changed it without a sign of that.
    line : int
        Number of the current line.
    """

    def __init__(self, first: int, lines: Sequence[str], reading: int = 0, one: int = ONE) -> None:
        self.source = self.id = self.currency = ""
        self.structure = BettingStructure.LIMIT
        self.bets: tuple[Money, Money] | None = None
        self.cap: Money | None = None
        self.button: int | None = None
        self.hero: str | None = None
        self.second_small_counts = self.knows_all = self.folds_early = False
        self.reopening: Literal["half", "whole"] = "half"
        self.slack: Money = 0
        self._one = one
        self.time: datetime | None = None
        self.table: str | None = None
        self.reading = reading
        self.line = first
        self._first = first
        self._lines = lines
        self._seats: dict[int, tuple[str, Money | None]] = {}
        self._names: dict[str, int] = {}
        self.winnings = Winnings(self._names, one)
        self._longest: list[str] = []
        self._letters: set[str] = set()  # of all names
        self._dealt: set[str] = set()
        self._dealt_to: set[str] = set()
        self._live: dict[str, Money] = {}
        self._dead: dict[str, Money] = {}
        self._small: str | None = None
        self._big: set[str] = set()
        self._straddled: str | None = None  # who straddled last
        self._events: list[_Event] = []
        self._street: int | None = None
        self._board: tuple[int, ...] = ()
        self._second_board: tuple[int, ...] = ()
        self._third_board: tuple[int, ...] = ()
        self._holdings: dict[str, tuple[int, ...]] = {}
        self._shown: set[str] = set()
        self._mucked: set[str] = set()
        self._gave_up: set[str] = set()  # who folded when all-in
        self._folded: set[str] = set()  # by the summary
        self._left_out: dict[str, Money] = {}  # bets against players whose time ran out
        # what the rules ask for beyond what all others have, but the text does not
        self._spared: dict[str, Money] = {}
        self._rules: tuple[GameSpec, Money] | None = None

    def lines(self) -> Iterator[str]:
        """Yield the lines after the first one, and keep `line` up to date."""
        for number, line in enumerate(self._lines[1:], self._first + 1):
            self.line = number
            yield line
        self.line = self._first

    def translate(self, translated: Callable[[Sequence[str]], Sequence[str]]) -> str:
        """Put lines in the place of the hand's lines, one for each; return the first one."""
        self._lines = translated(self._lines)
        return self._lines[0]

    @property
    def text(self) -> str:
        """All lines; raises `ValueError` if they are more than a megabyte."""
        text = "\n".join(self._lines)
        if len(text) + LINE_COST * len(self._lines) > MOST_TEXT:
            raise ValueError(f"a hand of more than {MOST_TEXT:,} characters, each line counted as {LINE_COST} more")
        return text

    def subject(self, line: str, separator: str) -> tuple[str, str] | None:
        """Split a line that begins with a player's name; names may contain anything."""
        if not self._longest:
            self._longest = sorted(self._names, key=len, reverse=True)
            self._letters = set("".join(self._longest))
        if separator[0] not in self._letters:  # as in nearly all hands: the name ends where the first one begins
            name, found, rest = line.partition(separator)
            return (name, rest.strip()) if found and name in self._names else None
        for name in self._longest:
            if line.startswith(name) and line.startswith(separator, len(name)):
                return name, line[len(name) + len(separator) :].strip()
        return None

    def play(self, structure: str, small: Money, large: Money) -> None:
        """Report the game, as the header has it.

        Parameters
        ----------
        structure : str
            In words, see `structure_of`.
        small, large : Money
            The two amounts of the header: `bets`.
        """
        self.structure = structure_of(structure)
        self.bets = small, large

    def rules(self, spec: GameSpec, unit: Money) -> None:
        """Report the whole game, in a text that says it, and the value of a chip; its seats are in order of number."""
        self._rules = spec, unit

    @property
    def least_bet(self) -> Money:
        """The small bet of limit, the big blind of other structures."""
        if self.bets is None:
            raise ValueError("the text does not say how much a bet is")
        return self.bets[0] if self.structure.fixed else self.bets[1]

    @property
    def small_blind(self) -> Money:
        """Half of the small bet of limit, or the small blind."""
        return half(self.least_bet) if self.structure.fixed else cast("tuple[Money, Money]", self.bets)[0]

    def seat(self, number: int, name: str, stack: Money | None) -> None:
        """Report a player in a seat, who takes part only if the text has more about them.

        The stack is None if it is not known.
        """
        if number in self._seats or name in self._names:
            raise ValueError(f"seat {number}, {name}: a seat or name occurs twice in one hand")
        self._seats[number] = name, stack
        self._names[name] = number
        self._longest = []

    def seat_after(self, before: str, name: str, seats: int) -> None:
        """Report a player whose seat the text leaves out: they get the next free one, and their stack is not known.

        Parameters
        ----------
        before : str
            Who acts before them.
        name : str
            The player.
        seats : int
            Number of seats at the table.

        Raises
        ------
        ValueError
            If no seat is free.
        """
        start = self._names.get(before, 0)
        free = [(start + step) % seats + 1 for step in range(seats)]
        number = next((number for number in free if number not in self._seats), None)
        if number is None:
            raise ValueError(f"{name} has no seat, and none is free")
        self.seat(number, name, None)

    def is_seated(self, name: str) -> bool:
        """Whether a player has a seat, so far."""
        return name in self._names

    def number_of(self, name: str) -> int:
        """Number of the seat of a player who has one."""
        return self._names[name]

    def name_at(self, number: int) -> str:
        """Name of the player in a seat."""
        if number not in self._seats:
            why = "" if self._seats else ": the text lists no seats, as where there is only the summary of a hand"
            raise ValueError(f"seat {number} is empty{why}")
        return self._seats[number][0]

    def dealt(self, name: str, holding: tuple[int, ...] | None = None) -> None:
        """Report a player who takes part, and their cards, if both are known."""
        if name not in self._names:
            raise ValueError(f"{name} has no seat")
        self._dealt.add(name)
        if holding is not None and len(holding) == 2:
            known = self._holdings.setdefault(name, holding)
            if set(known) != set(holding):
                raise ValueError(f"{name} has {cards_text(holding)}, but had {cards_text(known)} before")

    def deal_to(self, name: str, holding: tuple[int, ...]) -> None:
        """Report the cards that the text deals to a player, face up: to its owner, if it does so to nobody else."""
        self.dealt(name, holding)
        if len(holding) == 2:
            self._dealt_to.add(name)

    def takes_part(self, name: str) -> bool:
        """Whether the text has more about a player than their seat, so far."""
        return name in self._dealt

    def show(self, name: str, holding: tuple[int, ...]) -> None:
        """Report a player who shows both cards, or one of them."""
        self.dealt(name, holding)
        if len(holding) == 2:
            self._shown.add(name)

    def post(self, name: str, live: Money, dead: Money = 0, big: bool = False) -> None:
        """Report a blind or an ante.

        Parameters
        ----------
        name : str
            The player.
        live, dead : Money
            Amounts that count as a bet, and that do not.
        big : bool
            Whether this is a big blind, or what a newcomer posts instead of one.
        """
        self.dealt(name)
        if live and not big:
            if self._small is not None and not self.second_small_counts:
                live, dead = 0, dead + live
            elif self._small is None:
                self._small = name
        self._live[name] = self._live[name] + live if name in self._live else live
        self._dead[name] = self._dead[name] + dead if name in self._dead else dead
        if big:
            self._big.add(name)

    def posted(self, name: str) -> Money:
        """What a player has posted so far that counts as a bet."""
        return self._live.get(name, 0)

    def straddle(self, name: str, live: Money) -> None:
        """Report a blind above the big blind, after which the next seat is the first to act.

        Parameters
        ----------
        name : str
            The player.
        live : Money
            The straddle, any blind that the player posted before included.
        """
        self.dealt(name)
        self._live[name] = live
        self._straddled = name

    def place_button(self) -> None:
        """Infer who has the button from the blinds, in a text that does not say it."""
        first = self._small or next((name for name in self._names if name in self._big), None)
        if first is None:
            raise ValueError("the text says neither who has the button nor who posts a blind")
        numbers = sorted(self._names[name] for name in self._dealt)
        has_small = first == self._small
        self.button = numbers[numbers.index(self._names[first]) - (len(numbers) > 2 or not has_small)]

    def post_usual_blinds(self, names: Collection[str]) -> None:
        """Report that these players take part, and that those after the button post the blinds."""
        if self.button is None or len(names) < 2:
            raise ValueError("the text does not say who posts the blinds")
        button = self.button
        order = sorted((self._names[name] for name in names), key=lambda number: (number <= button, number))
        for number in order:
            self.dealt(self.name_at(number))
        if len(order) == 2 and order[1] == button:
            order.reverse()
        self.post(self.name_at(order[0]), self.small_blind)
        self.post(self.name_at(order[1]), self.least_bet, big=True)

    def act(
        self, name: str, act: Act | None, put: Money | None = None, to: Money | None = None, last: bool = False
    ) -> None:
        """Report an act; None is a call or a raise that puts the player all-in.

        Parameters
        ----------
        name : str
            The player.
        act : Act or None
            The act.
        put, to : Money, optional
            Amount that the player put in, or the total of their bet in this round, by the text.
        last : bool
            Whether the player has reached a cap that the text does not state, so that they are all-in whatever they
            have left.
        """
        self.dealt(name)
        self._events.append(_Event(self.line, self._street, name, act, put, to, last))

    def folded(self, name: str) -> None:
        """Report who has folded by the summary, which counts where the lines of the betting leave it out."""
        self._folded.add(name)

    def run_out(self, name: str) -> None:
        """Report a player who is all-in for what they have put in, because their time ran out.

        In the hand they are all-in from the last chips that they put in. What such a player did without chips after
        that is left out, and so are bets of the last opponent who has any.
        """
        self.dealt(name)
        self._events.append(_Event(self.line, self._street, name, None, None, None))

    def deal_board(self, dealt: tuple[int, ...], marks_rounds: bool = True) -> None:
        """Report cards on the board: the new ones, or all of them.

        Parameters
        ----------
        dealt : tuple of int
            The cards.
        marks_rounds : bool
            Whether this begins a round of betting; False for a summary.
        """
        goes_on = _goes_on(self._board, dealt)
        if not marks_rounds and self._board:
            if not (goes_on or _goes_on(dealt, self._board)):
                raise ValueError(f"the board is {cards_text(self._board)} above, but {cards_text(dealt)} here")
            self._board = max(self._board, dealt, key=len)
            return
        self._board = dealt if goes_on else self._board + dealt
        if len(self._board) not in (3, 4, 5):
            raise ValueError(f"{len(self._board)} cards on the board, expected 3, 4 or 5")
        if marks_rounds:
            self._street = len(self._board) - 2

    @property
    def board(self) -> tuple[int, ...]:
        """The cards on the board, so far."""
        return self._board

    def deal_second(self, dealt: tuple[int, ...]) -> None:
        """Report the second of two boards: all five cards, or those that were dealt twice."""
        self._second_board = self._board[: 5 - len(dealt)] + dealt

    def deal_third(self, dealt: tuple[int, ...]) -> None:
        """Report the third of three boards, as `deal_second` takes it."""
        self._third_board = self._board[: 5 - len(dealt)] + dealt

    def deal_holes(self) -> None:
        """Begin the first round, in a text that marks all rounds."""
        self._street = 0

    def muck(self, name: str) -> None:
        """Report a player who mucks at the showdown."""
        self._mucked.add(name)

    def hand(self) -> Hand:
        """Build the hand and compare it with the text; raises `ValueError`."""
        collected = self.winnings.collected
        players = self._order()
        spec, unit = self._spec(players)
        stacks = [None if stack is None else stack // unit for stack in self._stacks(players)]
        while True:
            try:
                actions, state = self._replay(spec, stacks, players, unit)
                break
            except _RanOutError as found:
                stacks[found.seat] = found.chips
        if not state.over and self._covers_short_blind(state):
            spec = replace(spec, full_blind=False)  # as in the text, which has no action of the small blind
            actions, state = self._replay(spec, stacks, players, unit)
        if not state.over and state.legal() == (Act.CALL,):  # a check without another choice, which texts leave out
            actions.append(Action(state.seat, Act.CALL))
            state.act(Act.CALL)
        while not state.over and (players[state.seat] in self._folded or self._has_lost(players, state)):
            actions.append(Action(state.seat, Act.FOLD))
            state.act(Act.FOLD)
        if not state.over:
            raise ValueError(f"the hand is cut short: it is the turn of {players[state.seat]}")
        seat_of = {name: seat for seat, name in enumerate(players)}
        mucked: set[str] = set()
        if state.showdown:
            left = {players[seat] for seat in state.active}
            shown = self._holdings.keys() if self.knows_all else self._shown
            mucked = {name for name in left if name in self._mucked | self._gave_up or name not in shown}
            winners = collected.keys()  # of pots without a showdown, too, if others showed
            known = winners & self._holdings.keys()
            mucked -= known or winners
            if not known and len(winners) == 1 and len(self._board) == 5:  # they win by cards that the text leaves out
                mucked = left - winners
        played = Replayed(
            *(players, state.committed, uncalled(state), unit, state.showdown),
            *(self.slack, self._left_out, self._spared),
        )
        hand = Hand(
            self.source,
            self.id,
            spec,
            players,
            actions,
            self._board,
            {seat_of[name]: holding for name, holding in self._holdings.items()},
            stacks,
            self.winnings.settle(played),
            sorted(seat_of[name] for name in mucked),
            _unit(unit, self._one),
            self.currency,
            self.time,
            self._second_board,
            float(self.winnings.added / unit),
            self._owner(players),
            self.table or None,
            self._third_board,
        )
        hand._played(state)
        self.winnings.compare(hand, played, dict(self._seats.values()))
        return hand

    def _has_lost(self, players: Sequence[str], state: State) -> bool:
        """Whether the seat to act has a bet to call, but somebody else wins, so that their fold is left out.

        A text that is cut short says nothing of winners.
        """
        won = self.winnings.collected.keys()
        later = len(self._board) > 2 and state.round < len(self._board) - 2
        return len(won) == 1 and not (later or self._shown or players[state.seat] in won) and state.to_call > 0

    def _owner(self, players: Sequence[str]) -> str | None:
        """The player whose history it is; None if nobody, or they do not take part."""
        named = self.hero
        if named is None and len(self._dealt_to) == 1:
            (named,) = self._dealt_to
        return named if named in players else None

    def _order(self) -> list[str]:
        """Return the names of the players who take part, from the first blind on."""
        if self.button is None:
            raise ValueError("the text does not say who has the button")
        button = self.button
        numbers = sorted(self._names[name] for name in self._dealt)
        if len(numbers) < 2:
            few = "1 player takes" if numbers else "nobody takes"
            raise ValueError(f"{few} part, expected 2 or more")
        if self._rules is not None:
            return [self._seats[number][0] for number in numbers]
        if button not in numbers and len(numbers) > 2 and self._small in self._dealt:
            button = self._names[self._small] - 1  # in the seat of somebody who left the text may have an older one
        numbers = [number for number in numbers if number > button] + [n for n in numbers if n <= button]
        if len(numbers) == 2 and numbers[1] == button and self._seats[numbers[0]][0] in self._big:
            numbers.reverse()  # between two players the button has the small blind
        return [self._seats[number][0] for number in numbers]

    def _spec(self, players: list[str]) -> tuple[GameSpec, Money]:
        """Return the game, and the value of one chip."""
        n = len(players)
        if self._rules is not None:
            if self._rules[0].players != n:
                raise ValueError(f"{n} players take part, expected {self._rules[0].players}")
            return self._rules
        small = self.least_bet
        fixed = self.structure.fixed
        large = cast("tuple[Money, Money]", self.bets)[1]
        stacks = self._stacks(players)
        live = [self._live.get(name, 0) for name in players]
        dead = [self._dead.get(name, 0) for name in players]
        bomb = self._is_bomb_pot
        for seat, name in enumerate(players):  # a short blind: the others call the full blind
            stack = stacks[seat]
            if name in self._big and live[seat] < small and stack is not None and live[seat] + dead[seat] >= stack:
                live[seat] = small
        known = [stack for stack in stacks if stack is not None]
        amounts = [small, large, *known, *live, *dead, *self._live.values(), *self.winnings.collected.values()]
        if not fixed:
            amounts += [money for event in self._events for money in (event.put, event.to) if money is not None]
        unit = _largest_chip(amounts, self._one)
        in_turn = players[1:] + players[:1] if n == 2 and self._seats_button(players[0]) else players
        posted = [name for name in in_turn if name in self._big] or [name for name in players if name == self._small]
        posted = [self._straddled] if self._straddled is not None else posted
        first = (players.index(posted[0]) + 1) % n if posted else 0
        if bomb:  # nobody bets before the flop: whoever would after the two seats behind the button
            first = 2 % n if n > 2 else 1
        later = 1 if n == 2 and self._seats_button(players[0]) else 0
        spec = game_of(
            tuple([amount // unit for amount in live]),
            (small // unit, large // unit),
            (first, later),
            _NO_BETS_BEFORE_THE_FLOP if bomb else self._raises() if fixed else None,
            tuple([amount // unit for amount in dead]),
            self.structure,
            self.reopening if fixed else None,
            any(money == stack and money < max(dead) for money, stack in zip(dead, stacks, strict=True)),
        )
        return spec, unit

    @property
    def _is_bomb_pot(self) -> bool:
        """Whether all post an ante and see the flop, without blinds or betting before it, in a text that marks rounds.

        With blinds it is a hand whose lines before the flop are lost.
        """
        blinds = any(self._live.values())
        acts = bool(self._events) and all(event.street for event in self._events)
        return acts and not (blinds or self.structure.fixed)

    def _stacks(self, players: list[str]) -> list[Money | None]:
        """What each player can lose; None if it is not known."""
        stacks = [self._seats[self._names[name]][1] for name in players]
        if not all(stack is None or stack for stack in stacks):  # some texts list a player before they have bought in
            paying = {event.name for event in self._events if event.put or event.to}
            paying |= {name for name, money in (*self._live.items(), *self._dead.items()) if money}
            stacks = [stack or (None if name in paying else 0) for name, stack in zip(players, stacks, strict=True)]
            if 0 in stacks:
                raise ValueError(f"{players[stacks.index(0)]} takes part without chips")
        cap = self.cap
        return stacks if cap is None else [cap if stack is None else min(stack, cap) for stack in stacks]

    def _raises(self) -> tuple[int, ...]:
        """Number of bets and raises in the text, by round; where that is not known, as many in each as there may be."""
        raises = [0, 0, 0, 0]
        before, bets = 0, dict(self._live)
        for _, street, name, act, put, to, _ in self._events:
            if (street or 0) != before:
                before, bets = street or 0, {}
            highest = max(bets.values(), default=0)
            bet = bets.get(name, 0) + (put or 0) if to is None else to
            raises[before] += act is Act.RAISE or (act is None and bet > highest)
            bets[name] = bet
        if self._street is None and max(raises) > min(_CAPS):
            return (sum(raises),) * len(raises)
        return tuple(raises)

    def _seats_button(self, name: str) -> bool:
        return self._names[name] == self.button

    def _replay(
        self, spec: GameSpec, stacks: list[int | None], players: list[str], unit: Money
    ) -> tuple[list[Action], State]:
        """Replay the events in the game, and compare their amounts."""
        state = State(spec, stacks)
        antes = spec.antes or (0,) * spec.players
        before = [ante if stack is None else min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]
        actions = []
        self._left_out = {}
        self._spared = {}
        ran_out = {event.name for event in self._events if event.ran_out}
        seat_of = {name: seat for seat, name in enumerate(players)}
        fixed = spec.structure.fixed
        while self._is_bomb_pot and state.round == 0 and not state.over:  # all check, who have no other choice
            actions.append(Action(state.seat, Act.CALL))
            state.act(Act.CALL)
        before = list(state.committed) if actions else before
        for number, (line, street, name, act, put, to, last) in enumerate(self._events):
            try:
                seat = seat_of[name] if name in seat_of else players.index(name)  # which raises the error
                if name in ran_out and seat in state.all_in and act in (None, Act.CALL) and not put:
                    continue
                if ran_out and state.showdown and act in (Act.CALL, Act.RAISE):
                    self._left_out[name] = self._left_out.get(name, 0) + (put or to or 0)
                    continue
                if act is Act.FOLD and seat != state.seat and seat in state.all_in:
                    self._gave_up.add(name)
                    continue
                if state.seat < 0:
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
                if act is None and put is None and to is None:
                    if state.committed[seat]:
                        raise _RanOutError(seat, state.committed[seat])
                    act = Act.FOLD
                if act is None:
                    added = put if put is not None else (to or 0) - (state.committed[seat] - before[seat]) * unit
                    act = Act.RAISE if added > state.to_call * unit else Act.CALL
                goes_to = None
                if act is Act.RAISE and not fixed:
                    goes_to = self._goes_to(put, to, state, seat, before[seat], unit)
                    goes_to = self._rest(goes_to, stacks[seat], before[seat], unit)
                if goes_to is not None and self._is_short(number, state, goes_to, state.committed[seat] - before[seat]):
                    raise _RanOutError(seat, before[seat] + goes_to)
                chips = state.act(act, goes_to)
                if last and not state.over and seat not in state.all_in:
                    raise _RanOutError(seat, state.committed[seat])
                if put is not None and self._differ(put, chips * unit):
                    spare = uncalled(state)[seat] if state.over else 0
                    if put != (chips - spare) * unit:
                        raise ValueError(
                            f"{name} puts in {plain(put, self._one)}, expected {plain(chips * unit, self._one)}"
                        )
                    self._spared[name] = spare * unit
                bet = state.committed[seat] - before[seat]
                if to is not None and self._differ(to, bet * unit):
                    raise ValueError(
                        f"{name} bets or raises to {plain(to, self._one)}, expected {plain(bet * unit, self._one)}"
                    )
            except _RanOutError:
                raise
            except ValueError as error:
                raise LineError(f"the text differs from the rules: {error}", line) from None
            actions.append(Action(seat, act, to=goes_to))
            if state.round != betting_round:
                before = list(state.committed)
        return actions, state

    @staticmethod
    def _goes_to(put: Money | None, to: Money | None, state: State, seat: int, before: int, unit: Money) -> int:
        """What a bet or raise goes to, in chips counted from the beginning of the round."""
        if to is None:
            if put is None:
                raise ValueError("the text does not say how much is bet")
            to = put + (state.committed[seat] - before) * unit
        return to // unit

    def _differ(self, one: Money, other: Money) -> bool:
        return one != other and not -self.slack <= one - other <= self.slack

    def _rest(self, goes_to: int, stack: int | None, before: int, unit: Money) -> int:
        """What a bet goes to, by amounts that may be off: all of the stack, if that is as good as what the text has."""
        if stack is not None and not self._differ((stack - before) * unit, goes_to * unit):
            return stack - before
        return goes_to

    def _is_short(self, number: int, state: State, goes_to: int, bet: int) -> bool:
        """Whether a raise below the least one is an all-in of which the text leaves out what nobody could call.

        Some sites state only as much of an all-in as the others have, who then fold, or have less than a raise left.
        The player bets no more in the hand, so that they are all-in with what the text has.
        """
        allowed = state.raise_range() if Act.RAISE in state.legal() else None
        if allowed is None or not bet + state.to_call < goes_to < allowed[0]:
            return False
        event = self._events[number]
        later = {each.name for each in self._events[number + 1 :] if each.act is not Act.FOLD and each.put != 0}
        return event.name not in later and (event.act is None or event.last or not later)

    def _covers_short_blind(self, state: State) -> bool:
        """Whether the seat to act has put in as much before the flop as all others, who are all-in."""
        others = set(state.active) - {state.seat}
        most = max(state.committed[seat] for seat in others)
        return state.round == 0 and others <= set(state.all_in) and state.committed[state.seat] >= most


@lru_cache(256)  # a game is played for some time, with the blinds in the same seats
def game_of(
    blinds: tuple[int, ...],
    bets: tuple[int, int],
    first: tuple[int, int],
    raises: tuple[int, ...] | None,
    antes: tuple[int, ...],
    structure: BettingStructure,
    reopening: Literal["half", "whole"] | None = None,
    short_ante: bool = False,
) -> GameSpec:
    """Return the game of a text.

    Parameters
    ----------
    blinds, antes : tuple of int
        Chips, by seat.
    bets : (int, int)
        The small and the big bet of limit; otherwise the big blind, twice.
    first : (int, int)
        Who acts first before and after the flop.
    raises : tuple of int or None
        In limit, the number of bets and raises that the text has in each round; in other structures the most that
        there may be, where a round has a cap.
    reopening : str, optional
        As in `GameSpec`. Default: the usual rule of the structure.
    short_ante : bool
        Whether somebody's last chips were an ante that is less than that of others.
    """
    (small, big), (opener, later) = bets, first
    caps = raises
    if structure.fixed and raises is not None:
        caps = tuple(max(pair) for pair in zip(_CAPS, raises, strict=True))
    return GameSpec(
        blinds=blinds,
        bets=(small, small, big, big),
        first=(opener, later, later, later),
        max_raises=cast("tuple[int, int, int, int]", caps),  # None: the usual ones
        antes=antes,
        reopening=cast('Literal["half", "whole"]', reopening),  # likewise
        structure=structure,
        short_ante="matched" if short_ante else "whole",
    )


def _largest_chip(amounts: Sequence[Money], one: int) -> Money:
    """Of the chips that divide a unit of the currency and all amounts, the one that is worth most."""
    try:
        return gcd(one, *cast("Sequence[int]", amounts))
    except TypeError:  # fractions
        return Fraction(one, lcm(*{Fraction(amount, one).denominator for amount in amounts}))


@lru_cache(256)
def _unit(chip: Money, one: int) -> Fraction:
    """What a chip is worth in the currency."""
    return Fraction(chip, one)


def _goes_on(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether a board is another one or more of it, the flop in any order."""
    n = len(before)
    return before[3:] == after[3:n] and set(before[:3]) == set(after[: min(n, 3)])
