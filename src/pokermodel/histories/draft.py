"""The content of a hand's text, as the modules of sites report it: `Draft`.

Sites differ in words, not in contents. The module of a site parses its lines and reports them to a `Draft`, to its
`Seats` and to its `Winnings`; `Replay` then puts the seats in order, replays the betting, and compares every amount and
the winnings with the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, cast

from pokermodel.cards import cards_text
from pokermodel.game import Act, BettingStructure, GameSpec
from pokermodel.histories._exact import Money
from pokermodel.histories._lines import LINE_COST, MOST_TEXT
from pokermodel.histories._words import CENT, ONE, half, structure_of
from pokermodel.histories.seats import Seats
from pokermodel.histories.winnings import Winnings

__all__ = ["Draft", "Event"]


class Event(NamedTuple):
    """An act as the text has it, with the amount that the player puts in, or that their bet goes to in this round."""

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
    reopening : str
        Rule for an all-in bet or raise of less than a full one, as in `GameSpec`.
    knows_all : bool
        Whether the text has the cards of all players, shown or not. Otherwise players that do not show at the showdown
        have mucked, the owner of the text included.
    folds_early : bool
        Whether the text has a fold where it is made, even out of turn.
    slack : Money
        How far amounts may be off, in a text whose site has worked them out in floating point. A bet that leaves less
        than that is all-in.
    seats : Seats
        Who sits where, posts, and shows.
    winnings : Winnings
        Pot, rake, and who wins what.
    rules : (GameSpec, Money) or None
        The whole game and the value of a chip, in a text that says it; its seats are in order of number.
    events : list of Event
        The acts, in the order of the text.
    street : int or None
        The round of betting, in a text that marks all of them.
    time : datetime or None
        When the hand was played, if the text says so.
    table : str or None
        Name of the table, if the text says it; an empty one is none.
    reading : int
        Which of the ways in which amounts may be meant, from 0, where a site has changed it without a sign of that.
    """

    def __init__(self, first: int, lines: Sequence[str], reading: int = 0, one: int = ONE) -> None:
        self.source = self.id = self.currency = ""
        self.structure = BettingStructure.LIMIT
        self.bets: tuple[Money, Money] | None = None
        self.cap: Money | None = None
        self.knows_all = self.folds_early = False
        self.reopening: Literal["half", "whole"] = "half"
        self.slack: Money = 0
        self.one = one
        self.seats = Seats()
        self.winnings = Winnings(self.seats.numbers, one)
        self.rules: tuple[GameSpec, Money] | None = None
        self.events: list[Event] = []
        self.street: int | None = None
        self.board: tuple[int, ...] = ()
        self.second_board: tuple[int, ...] = ()
        self.third_board: tuple[int, ...] = ()
        self.time: datetime | None = None
        self.table: str | None = None
        self.reading = reading
        self.line = first
        self._first = first
        self._lines = lines

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

    def play(self, structure: str, small: Money, large: Money) -> None:
        """Report the game, as the header has it: the structure in words, see `structure_of`, and its two amounts."""
        self.structure = structure_of(structure)
        self.bets = small, large

    def pay(self, currency: str) -> None:
        """Report the currency, and that pots are divided by its hundredth; of chips, which have none, by whole ones."""
        self.currency = currency
        self.winnings.coin = CENT if self.currency else ONE

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

    def act(
        self, name: str, act: Act | None, put: Money | None = None, to: Money | None = None, last: bool = False
    ) -> None:
        """Report an act; None is a call or a raise that puts the player all-in.

        Parameters
        ----------
        put, to : Money, optional
            Amount that the player put in, or the total of their bet in this round, by the text. Without either, an act
            of None is that of a player whose time ran out. They are all-in for the chips put in, from their last chips
            on. Their later actions without chips are left out, and so are bets of the last opponent with chips.
        last : bool
            Whether the player has reached a cap that the text does not state, and so is all-in with any stack.
        """
        if name not in self.seats.dealt:
            self.seats.deal(name)
        self.events.append(Event(self.line, self.street, name, act, put, to, last))

    @property
    def later(self) -> list[str]:
        """Who acts in the first round behind the flop in which anybody does, in order."""
        street = min((event.street for event in self.events if event.street), default=None)
        return [event.name for event in self.events if event.street == street] if street else []

    def deal_holes(self) -> None:
        """Begin the first round, in a text that marks all rounds."""
        self.street = 0

    def deal_board(self, dealt: tuple[int, ...]) -> None:
        """Report cards on the board with which a round of betting begins: the new ones, or all of them."""
        self.board = dealt if _goes_on(self.board, dealt) else self.board + dealt
        if len(self.board) not in (3, 4, 5):
            raise ValueError(f"{len(self.board)} cards on the board, expected 3, 4 or 5")
        self.street = len(self.board) - 2

    def sum_up_board(self, dealt: tuple[int, ...]) -> None:
        """Report the board of a summary."""
        if not self.board:
            street = self.street
            self.deal_board(dealt)
            self.street = street
        elif not (_goes_on(self.board, dealt) or _goes_on(dealt, self.board)):
            raise ValueError(f"the board is {cards_text(self.board)} above, but {cards_text(dealt)} here")
        self.board = max(self.board, dealt, key=len)

    def deal_run(self, run: int, dealt: tuple[int, ...]) -> None:
        """Report cards of one of several boards, from 1: all five, or those that are dealt several times."""
        if run == 1:
            self.deal_board(dealt)
        elif run == 2:
            self.second_board = self.board[: 5 - len(dealt)] + dealt
        elif run == 3:
            self.third_board = self.board[: 5 - len(dealt)] + dealt
        else:
            raise ValueError("only boards that are run up to three times are supported")


def _goes_on(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether a board is another one or more of it, the flop in any order."""
    n = len(before)
    return before[3:] == after[3:n] and set(before[:3]) == set(after[: min(n, 3)])
