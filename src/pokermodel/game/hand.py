"""The events of one hand, and its replay into decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NoReturn, cast

from pokermodel._core.rules import Act, State, put_attributes
from pokermodel._support.forms import text_of
from pokermodel.cards import CardsLike, cards_text
from pokermodel.game.action import Action, as_action
from pokermodel.game.dealt import board_and_holdings, other_boards
from pokermodel.game.places import money_of, placed, stake_text
from pokermodel.game.pots import uncalled
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.game.situation import Decision, Situation
from pokermodel.game.spec import GameSpec
from pokermodel.game.winnings import all_in_ev, payoffs_of, rake_paid

__all__ = ["Hand"]

#: What a hand is made of, in the order of its arguments.
_GIVEN = (
    *("source", "id", "spec", "players", "actions", "board", "holdings", "stacks", "stated_payoffs", "mucked", "unit"),
    *("currency", "time", "second_board", "added", "hero", "table", "third_board"),
)
_given = attrgetter(*_GIVEN)
#: Attributes of a hand, in the order in which they are set: besides, the state at its end and the payoffs, once found.
_ATTRIBUTES = (*_GIVEN, "_end", "_payoffs")


class Hand:
    """The events of one hand of hold'em. It cannot be changed, and equals one of equal content.

    What follows from the course of the hand is found by `replay`, and raises `ValueError` as it does; see there. Money
    that depends on cards of a showdown also raises it if the hand is not finished, or these cards are not known.

    Results exist twice. `pot`, `uncalled`, `rake`, `net` and `all_in_ev` are in the source's money, as the nearest
    floating-point numbers. Attributes that end in ``_chips`` are in chips or parts of them, as are all bets; `unit` is
    the value of a chip.

    Parameters
    ----------
    source : str
        Where the hand comes from.
    id : str
        Its name there.
    spec : GameSpec
        The game.
    players : sequence of str
        Names by seat, all different.
    actions : iterable of Action
        The actions in order; blinds and antes are not among them. They are checked by replay, not here.
    board : cards
        None, three, four or five.
    holdings : mapping of int to cards
        The two cards of each seat, as far as known.
    stacks : sequence of int or None, optional
        Chips before antes and blinds; None for a seat whose stack is not known, which is then never all-in. Default:
        those of `spec`, or not known where it has none.
    stated_payoffs : sequence of float, optional
        Chips that the source says each seat won or lost, after the rake.
    mucked : iterable of int
        Seats that did not show at the showdown: their hands count as losing.
    unit : Fraction, Decimal or int
        Value of a chip in the source's money.
    currency : str
        Name of the currency.
    time : datetime, optional
        When it was played, if the source says so; one without a time zone is taken for UTC.
    second_board : cards, optional
        The five cards of a second board, where the rest of the board was dealt twice: each gets half of every pot.
    added : int or float
        Chips that the site added to the pot.
    hero : str, optional
        The player whose history it is: by the source's own words, or the only one with "Dealt to Robin [Ah Kd]". None
        if the source names no hero, as a log of a dealer, or deals cards to several.
    table : str, optional
        Name of the table, as the source has it; None if it says nothing of it.
    third_board : cards, optional
        The five cards of a third board, where the rest of the board was dealt three times: each gets a third.

    Raises
    ------
    ValueError
        If seats, names or cards do not fit together.

    Attributes
    ----------
    source, id, spec, unit, currency, time, added, hero, table
        As given.
    players : tuple of str
    actions : tuple of Action
    board : tuple of int
    holdings : mapping of int to (int, int)
    stacks : tuple of int or None, or None
    stated_payoffs : tuple of float, or None
    mucked : frozenset of int
    second_board, third_board : tuple of int
    """

    __slots__ = _ATTRIBUTES

    source: str
    id: str
    spec: GameSpec
    players: tuple[str, ...]
    actions: tuple[Action, ...]
    board: tuple[int, ...]
    holdings: Mapping[int, tuple[int, int]]
    stacks: tuple[int | None, ...] | None
    stated_payoffs: tuple[float, ...] | None
    mucked: frozenset[int]
    unit: Fraction | Decimal | int
    currency: str
    time: datetime | None
    second_board: tuple[int, ...]
    added: float
    hero: str | None
    table: str | None
    third_board: tuple[int, ...]
    _end: State | None
    _payoffs: tuple[float, ...] | None

    def __init__(
        self,
        source: str,
        id: str,
        spec: GameSpec,
        players: Sequence[str],
        actions: Iterable[Action],
        board: CardsLike = (),
        holdings: Mapping[int, CardsLike] = MappingProxyType({}),
        stacks: Sequence[int | None] | None = None,
        stated_payoffs: Sequence[float] | None = None,
        mucked: Iterable[int] = (),
        unit: Fraction | Decimal | int = 1,
        currency: str = "",
        time: datetime | None = None,
        second_board: CardsLike = (),
        added: float = 0,
        hero: str | None = None,
        table: str | None = None,
        third_board: CardsLike = (),
    ) -> None:
        n = spec.players
        names = tuple(players)
        if len(names) != n:
            raise ValueError(f"hand {id}: {n} seats need as many players, got {len(names)}")
        if len(set(names)) != n or not all(isinstance(name, str) and name for name in names):
            raise ValueError(f"hand {id}: players must have different names, got {names}")
        if stacks is None:
            stacks = spec.stacks or None
        if stacks is not None and len(stacks) != n:
            raise ValueError(f"hand {id}: {n} seats need as many stacks, got {len(stacks)}")
        if stated_payoffs is not None and len(stated_payoffs) != n:
            raise ValueError(f"hand {id}: {n} seats need as many payoffs, got {len(stated_payoffs)}")
        if hero is not None and hero not in names:
            raise ValueError(f"hand {id}: the hero must be one of the players, got {hero!r}")
        losers = frozenset(mucked)
        for seat in (*holdings, *losers):
            if seat not in range(n):
                raise ValueError(f"hand {id}: there is no seat {seat}, expected 0 to {n - 1}")
        try:
            done = tuple([a if type(a) is Action and type(a.act) is Act else as_action(a) for a in actions])
            cards, hole = board_and_holdings(board, holdings)
            second, third = other_boards(second_board, third_board, cards, hole) if second_board else ((), ())
            if third_board and not third:
                raise ValueError("there is a third board, but no second one")
        except ValueError as error:
            raise ValueError(f"hand {id}: {error}") from None

        begun = None if stacks is None else tuple(stacks)
        stated = None if stated_payoffs is None else tuple(stated_payoffs)
        where = placed(spec, source, unit, currency)
        parts = source, id, where, names, done, cards, MappingProxyType(hole), begun, stated, losers, unit, currency
        put_attributes(self, _ATTRIBUTES, (*parts, time, second, added, hero, table or None, third, None, None))

    @classmethod
    def _checked(
        cls,
        source: str,
        id: str,
        players: tuple[str, ...],
        actions: tuple[Action, ...],
        board: tuple[int, ...],
        holdings: dict[int, tuple[int, int]],
        stated_payoffs: tuple[float, ...] | None,
        time: datetime | None,
        end: State,
        payoffs: tuple[float, ...],
        mucked: frozenset[int] = frozenset(),
        unit: Fraction | int = 1,
        currency: str = "",
        hero: str | None = None,
        table: str | None = None,
    ) -> Hand:
        """Make a hand of parts that have been checked and played, as they are, up to the state at the end.

        The state becomes the hand's: it says where the game was played from then on, too.
        """
        hand = object.__new__(cls)
        where = placed(cast("GameSpec", end.spec), source, unit, currency)
        end.place(where)
        parts = (
            *(source, id, where, players, actions, board),
            *(MappingProxyType(holdings), end.stacks_before),
            *(stated_payoffs, mucked, unit, currency, time, (), 0, hero, table, (), end, payoffs),
        )
        put_attributes(hand, _ATTRIBUTES, parts)
        return hand

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a hand cannot be changed: {name} is read-only")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a hand cannot be changed: {name} is read-only")

    def _content(self) -> tuple[Any, ...]:
        """The arguments that make an equal hand."""
        return tuple({**dict(zip(_GIVEN, _given(self), strict=True)), "holdings": dict(self.holdings)}.values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.source, self.id, self.players, self.actions, self.board))

    def on_board(self, board: CardsLike, acts: int) -> Hand:
        """The first acts of the hand on another board, as cards that might have come.

        Parameters
        ----------
        board : cards
        acts : int
            How many; with fewer than all of them nothing is known of how the hand ended.

        Raises
        ------
        ValueError
            If a card is twice on the board, or in a holding that is known.
        """
        given = dict(zip(_GIVEN, self._content(), strict=True))
        gone = {"stated_payoffs": None, "mucked": (), "second_board": (), "third_board": ()}
        return Hand(**{**given, **gone, "board": board, "actions": self.actions[:acts]})

    def __reduce__(self) -> tuple[type[Hand], tuple[Any, ...]]:
        return Hand, self._content()

    def __repr__(self) -> str:
        what = f"{self.spec.players} players, {len(self.actions)} actions"
        return f"<Hand {self.id} of {self.source}: {what}, {cards_text(self.board) or 'no board'}>"

    def _repr_html_(self) -> str:
        return text_of(self, "html")

    def to_phh(self) -> str:
        """The hand as the text of a ``.phh`` file: see `pokermodel.histories.phh.dumps`."""
        return text_of(self, "phh")

    def to_acpc(self) -> str:
        """The hand as a line of a log of the ACPC dealer: see `pokermodel.histories.acpc.dumps`."""
        return text_of(self, "acpc")

    def to_ohh(self) -> str:
        """The hand in the Open Hand History format: see `pokermodel.histories.ohh.dumps`."""
        return text_of(self, "ohh")

    def replay(self) -> Iterator[Decision]:
        """Walk through the hand, a decision for each action.

        `ValueError` at the first action that the game does not allow (a fold at any time is allowed, and a raise that
        no opponent can call), or that the board is too short for.
        """
        source, hand_id, spec, players, board = self.source, self.id, self.spec, self.players, self.board
        end = self._end
        try:
            if end is not None and end.stacks_before is self.stacks and (end.spec is spec or end.spec == spec):
                state = end.begun(spec)  # of the same game, which need not be checked again
            else:
                state = State(spec, self.stacks)
        except ValueError as error:
            raise ValueError(f"hand {hand_id}: {error}") from None
        decisions = state.follow(self.actions, board, (source, hand_id, players), Situation, Decision)
        yield from decisions
        # what the game does not allow, once more, to say why
        for index, (seat, act, out_of_turn, to) in enumerate(self.actions[len(decisions) :], len(decisions)):
            try:
                if out_of_turn:
                    _check_leaving(state, seat, act, to)
                    situation = Situation.of(state, players, board, seat)
                    state.leave(seat)
                    put_in = 0
                else:
                    if seat != state.seat and not state.over:
                        raise ValueError(f"seat {seat} acts, but it is the turn of seat {state.seat}")
                    situation = Situation.of(state, players, board)
                    put_in = state.act(act, to)
            except ValueError as error:
                raise ValueError(f"hand {hand_id}, action {index}: {error}") from None
            yield Decision(source, hand_id, index, situation, act, put_in, out_of_turn)
        object.__setattr__(self, "_end", state)

    def _played(self, end: State) -> None:
        """Take over the state at the end from who has played these actions already, which saves a replay."""
        if len(self.board) >= BOARD_CARDS[end.round]:  # otherwise a replay says what is wrong
            if end.spec == self.spec:
                end.place(self.spec)  # and replays need not compare the two
            object.__setattr__(self, "_end", end)

    def _final(self) -> State:
        """Return the state after the last action; it must not be changed."""
        if self._end is None:
            for _ in self.replay():
                pass
            assert self._end is not None
        return self._end

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Chips that each seat won or lost by the rules, before the rake, by replay: they add up to nothing."""
        if self._payoffs is None:
            end = self._final()
            boards = [self.board, *(board for board in (self.second_board, self.third_board) if board)]
            try:
                found = payoffs_of(end, boards, self.holdings, self.mucked)
            except ValueError as error:
                raise ValueError(f"hand {self.id}: {error}") from None
            object.__setattr__(self, "_payoffs", found)
            return found
        return self._payoffs

    @property
    def uncalled_chips(self) -> tuple[int, ...]:
        """Chips of an uncalled bet, by seat: they went back, and are in no pot."""
        return tuple(uncalled(self._final()))

    @property
    def pot_chips(self) -> int:
        """Chips of all pots together: what was matched, before the rake, and without what the site added."""
        end = self._final()
        return end.pot - sum(uncalled(end))

    @property
    def rake_chips(self) -> float | None:
        """Chips that the site took, fees for jackpots among them; None if the source does not say who got how much.

        Where it states what was paid and not what was kept, it is the difference. It is never guessed by a rule.
        """
        if self.stated_payoffs is None:
            return None
        return round(self.added - math.fsum(self.stated_payoffs), 6) + 0.0

    @property
    def net_chips(self) -> tuple[float, ...]:
        """Chips that each seat won or lost, after the rake; `payoffs` where the source does not say it."""
        return self.payoffs if self.stated_payoffs is None else self.stated_payoffs

    @property
    def rake_paid_chips(self) -> tuple[float, ...] | None:
        """Chips that each seat paid of the rake, in proportion to what they collected; None if it is not stated."""
        rake = self.rake_chips
        if not rake:
            return None if rake is None else (0.0,) * self.spec.players
        return rake_paid(self._final(), self.net_chips, rake)

    @property
    def all_in(self) -> int | None:
        """The betting round that ended all betting, with cards to come and several players left.

        0 is pre-flop, 2 the turn. None if the betting was open to the end, or over when all but one had folded.
        """
        end = self._final()
        if not (end.showdown and end.all_in):
            return None
        last = 0
        for decision in self.replay():
            last = decision.round
        return last if last < len(BOARD_CARDS) - 1 else None

    @property
    def all_in_ev_chips(self) -> tuple[float | None, ...]:
        """Chips that each seat won or lost on average over the cards that were to come when the last money went in.

        That is `net_chips` where cards did not decide: in hands without an `all_in`, and for who had folded before it.
        Otherwise every pot is worth to a player their equity in it when the betting ended: all boards are
        counted, of all side pots, so that it is exact. The rake is taken in proportion, and all seats together get
        what they got. Cards that were folded count as unknown. None for players of an all-in where one of them has not
        shown.
        """
        return self._all_in_ev(self.all_in, self.net_chips)

    def _all_in_ev(self, last: int | None, net: tuple[float, ...]) -> tuple[float | None, ...]:
        """All-in EV, given the round of the last act; or None, and what each seat won."""
        return all_in_ev(self._final(), last, self.board, self.holdings, net)

    def money(self, chips: float) -> float:
        """Return what chips of this hand are worth in the money of its source.

        Examples
        --------
        >>> import pokermodel as pm
        >>> hand = pm.example_hand()
        >>> hand.money(hand.pot_chips) == hand.pot
        True
        """
        return money_of(chips, self.unit)

    @property
    def pot(self) -> float:
        """All pots together in the money of the source: what was matched, before the rake. See `pot_chips`."""
        return self.money(self.pot_chips)

    @property
    def uncalled(self) -> float:
        """An uncalled bet, in the money of the source: it went back, and is not in `pot`."""
        return self.money(sum(self.uncalled_chips))

    @property
    def rake(self) -> float | None:
        """The rake, in the site's money; None if the source does not state it. See `rake_chips`."""
        chips = self.rake_chips
        return None if chips is None else self.money(chips)

    @property
    def net(self) -> tuple[float, ...]:
        """The result of each seat after the rake, in the money of the source. See `net_chips`."""
        return tuple([self.money(chips) for chips in self.net_chips])

    @property
    def all_in_ev(self) -> tuple[float | None, ...]:
        """The result of each seat on average over the cards to come, in the money of the source.

        See `all_in_ev_chips`.
        """
        return tuple([None if chips is None else self.money(chips) for chips in self.all_in_ev_chips])

    @property
    def showdown(self) -> bool:
        """Whether there was a showdown, by replay."""
        return self._final().showdown

    @property
    def last_round(self) -> int:
        """The last betting round that was reached: 0 pre-flop to 3 river, which every showdown has reached."""
        end = self._final()
        return len(BOARD_CARDS) - 1 if end.showdown else end.round

    @property
    def stake(self) -> str:
        """The stakes of the game in the money of the source, and the currency: ``"2/4 USD"``."""
        small, big = self.spec.stakes
        return stake_text(small, big, self.unit, self.currency)

    @property
    def shown(self) -> tuple[int, ...]:
        """Seats that were in a showdown and whose cards are known."""
        end = self._final()
        return tuple(seat for seat in end.active if seat in self.holdings) if end.showdown else ()

    def public(self) -> Hand:
        """The hand as everybody at the table saw it: only the holdings that were shown are known, without a hero."""
        shown = {seat: self.holdings[seat] for seat in self.shown if seat not in self.mucked}
        if len(shown) == len(self.holdings) and self.hero is None:
            return self
        return self._with(holdings=MappingProxyType(shown), hero=None)

    def seen_by(self, name: str) -> Hand:
        """The hand with one of its players as the hero."""
        return self if self.hero == name else self._with(hero=name)

    def _with(self, **values: Any) -> Hand:
        other = object.__new__(Hand)
        for name in Hand.__slots__:
            object.__setattr__(other, name, values.get(name, getattr(self, name)))
        return other


def _check_leaving(state: State, seat: int, act: Act, to: int | None) -> None:
    if act != Act.FOLD or to is not None:
        raise ValueError(f"seat {seat} can only fold out of turn")
    if seat == state.seat:
        raise ValueError(f"it is the turn of seat {seat}, so that it does not act out of turn")
