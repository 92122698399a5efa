"""The replay of a hand: what a text says of it becomes a `Hand`, or an error where it breaks the rules or itself.

No text states the cap of raises of limit: it is three before the flop and four later, or as many as the hand has.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Literal, cast

from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.game.pots import uncalled
from pokermodel.game.rounds import WHEN
from pokermodel.game.structure import NO_CAP
from pokermodel.histories._exact import Money
from pokermodel.histories._words import LineError, half, plain
from pokermodel.histories.draft import Draft
from pokermodel.histories.winnings import Replayed

__all__ = ["Replay", "game_of", "hand_of"]

_CAPS = (3, 4, 4, 4)
_NO_BETS_BEFORE_THE_FLOP = (0, NO_CAP, NO_CAP, NO_CAP)


class _RanOutError(Exception):
    """A player is all-in for fewer chips than they have."""

    def __init__(self, seat: int, chips: int) -> None:
        self.seat = seat
        self.chips = chips
        super().__init__()


class Replay:
    """The hand of a draft whose lines have all been reported; raises `ValueError` if the game is not known."""

    def __init__(self, draft: Draft) -> None:
        self._draft, self._seats, self._events = draft, draft.seats, draft.events
        self._players = self._seats.in_order(numbered=draft.rules is not None)
        self._spec, self._unit = self._game()
        self._known = [None if stack is None else stack // self._unit for stack in self._stacks()]
        self._gave_up: set[str] = set()  # who folded when all-in
        self._left_out: dict[str, Money] = {}  # bets against players whose time ran out
        # what the rules ask for beyond what all others have, but the text does not
        self._spared: dict[str, Money] = {}

    def hand(self) -> Hand:
        """Build the hand and compare it with the text; raises `ValueError`."""
        draft, seats, players, unit = self._draft, self._seats, self._players, self._unit
        while True:
            try:
                actions, state = self._replay()
                break
            except _RanOutError as found:
                self._known[found.seat] = found.chips
        if not state.over and self._covers_short_blind(state):
            self._spec = replace(self._spec, full_blind=False)  # as in the text, which has no action of the small blind
            actions, state = self._replay()
        if not state.over and state.legal() == (Act.CALL,):  # a check without another choice, which texts leave out
            actions.append(Action(state.seat, Act.CALL))
            state.act(Act.CALL)
        while not state.over and (players[state.seat] in seats.folded or self._has_lost(state)):
            actions.append(Action(state.seat, Act.FOLD))
            state.act(Act.FOLD)
        if not state.over:
            raise ValueError(f"the hand is cut short: it is the turn of {players[state.seat]}")
        mucked = self._mucked(state) if state.showdown else set()
        played = Replayed(
            *(players, state.committed, uncalled(state), unit, state.showdown),
            *(draft.slack, self._left_out, self._spared),
        )
        seat_of = {name: seat for seat, name in enumerate(players)}
        hand = Hand(
            *(draft.source, draft.id, self._spec, players, actions, draft.board),
            {seat_of[name]: holding for name, holding in seats.holdings.items()},
            self._known,
            draft.winnings.settle(played),
            sorted(seat_of[name] for name in mucked),
            *(
                _unit(unit, draft.one),
                draft.currency,
                draft.time,
                draft.second_board,
                float(draft.winnings.added / unit),
            ),
            *(seats.owner(), draft.table or None, draft.third_board),
        )
        hand._played(state)
        draft.winnings.compare(hand, played, seats.stacks)
        return hand

    def _mucked(self, state: State) -> set[str]:
        """Who mucks at the showdown."""
        seats, winners = self._seats, self._draft.winnings.collected.keys()
        left = {self._players[seat] for seat in state.active}
        if self._draft.winnings.unstated:
            if not left <= seats.mucked | seats.holdings.keys():
                raise ValueError("the text does not say who wins, and not all cards are known")
            return seats.mucked
        shown = seats.holdings.keys() if self._draft.knows_all else seats.shown
        mucked = {name for name in left if name in seats.mucked | self._gave_up or name not in shown}
        known = winners & seats.holdings.keys()  # winners of pots without a showdown, too, if others showed
        if not known and len(winners) == 1 and len(self._draft.board) == 5:
            return left - winners  # they win by cards that the text leaves out
        return mucked - (known or winners)

    def _has_lost(self, state: State) -> bool:
        """Whether the seat to act has a bet to call, but somebody else wins, so that their fold is left out.

        A text that is cut short says nothing of winners.
        """
        won, board = self._draft.winnings.collected.keys(), self._draft.board
        later = len(board) > 2 and state.round < len(board) - 2
        won_by_others = len(won) == 1 and self._players[state.seat] not in won
        return won_by_others and not (later or self._seats.shown) and state.to_call > 0

    def _game(self) -> tuple[GameSpec, Money]:
        """Return the game, and the value of one chip."""
        draft, seats, players = self._draft, self._seats, self._players
        n = len(players)
        if draft.rules is not None:
            if draft.rules[0].players != n:
                raise ValueError(f"{n} players take part, expected {draft.rules[0].players}")
            return draft.rules
        self._infer_bets()
        small, fixed = draft.least_bet, draft.structure.fixed
        large = cast("tuple[Money, Money]", draft.bets)[1]
        stacks = self._stacks()
        live = [seats.live.get(name, 0) for name in players]
        dead = [seats.dead.get(name, 0) for name in players]
        bomb = self._is_bomb_pot
        for seat, name in enumerate(players):  # a short blind: the others call the full blind
            stack = stacks[seat]
            if name in seats.big and live[seat] < small and stack is not None and live[seat] + dead[seat] >= stack:
                live[seat] = small
        known = [stack for stack in stacks if stack is not None]
        amounts = [small, large, *known, *live, *dead, *seats.live.values(), *draft.winnings.collected.values()]
        if not fixed:
            amounts += [money for event in self._events for money in (event.put, event.to) if money is not None]
        unit = _largest_chip(amounts, draft.one)
        heads_up = n == 2 and seats.has_button(players[0])
        start = (
            players.index(seats.small) if seats.small is not None else int(heads_up)
        )  # newcomers may post before them
        in_turn = players[start:] + players[:start]
        posted = [name for name in in_turn if name in seats.big] or [name for name in players if name == seats.small]
        posted = [seats.straddled] if seats.straddled is not None else posted
        first = (players.index(posted[0]) + 1) % n if posted else 0
        if bomb:  # nobody bets before the flop: whoever would after the two seats behind the button
            first = 2 % n if n > 2 else 1
        spec = game_of(
            tuple([amount // unit for amount in live]),
            (small // unit, large // unit),
            (first, int(heads_up)),
            _NO_BETS_BEFORE_THE_FLOP if bomb else self._raises() if fixed else None,
            tuple([amount // unit for amount in dead]),
            draft.structure,
            draft.reopening if fixed else None,
            any(money == stack and money < max(dead) for money, stack in zip(dead, stacks, strict=True)),
        )
        return spec, unit

    def _infer_bets(self) -> None:
        """Take the bets from the blinds that are posted, where the text does not state them before, or states none."""
        draft, seats = self._draft, self._seats
        if draft.bets is not None and draft.bets[1] > 0:
            return
        big = max((seats.live[name] for name in seats.big), default=0)
        small = seats.live.get(seats.small or "", 0) or half(big)
        big = big or 2 * small
        if not big:
            raise ValueError("the text does not say how much a bet is, and no blind is posted")
        draft.bets = (big, 2 * big) if draft.structure.fixed else (min(small, big), big)

    @property
    def _is_bomb_pot(self) -> bool:
        """Whether all post an ante and see the flop, without blinds or betting before it, in a text that marks rounds.

        With blinds it is a hand whose lines before the flop are lost.
        """
        blinds = any(self._seats.live.values())
        acts = bool(self._events) and all(event.street for event in self._events)
        return acts and not (blinds or self._draft.structure.fixed)

    def _stacks(self) -> list[Money | None]:
        """What each player can lose; None if it is not known."""
        players, seats = self._players, self._seats
        stacks = [seats.stacks[name] for name in players]
        if not all(stack is None or stack for stack in stacks):  # some texts list a player before they have bought in
            paying = {event.name for event in self._events if event.put or event.to}
            paying |= {name for name, money in (*seats.live.items(), *seats.dead.items()) if money}
            stacks = [stack or (None if name in paying else 0) for name, stack in zip(players, stacks, strict=True)]
            if 0 in stacks:
                raise ValueError(f"{players[stacks.index(0)]} takes part without chips")
        cap = self._draft.cap
        return stacks if cap is None else [cap if stack is None else min(stack, cap) for stack in stacks]

    def _raises(self) -> tuple[int, ...]:
        """Number of bets and raises in the text, by round; where that is not known, as many in each as there may be."""
        raises = [0, 0, 0, 0]
        before, bets = 0, dict(self._seats.live)
        for _, street, name, act, put, to, _ in self._events:
            if (street or 0) != before:
                before, bets = street or 0, {}
            highest = max(bets.values(), default=0)
            bet = bets.get(name, 0) + (put or 0) if to is None else to
            raises[before] += act is Act.RAISE or (act is None and bet > highest)
            bets[name] = bet
        if self._draft.street is None and max(raises) > min(_CAPS):
            return (sum(raises),) * len(raises)
        return tuple(raises)

    def _replay(self) -> tuple[list[Action], State]:
        """Replay the events in the game, and compare their amounts."""
        spec, stacks, players, unit, one = self._spec, self._known, self._players, self._unit, self._draft.one
        state = State(spec, stacks)
        antes = spec.antes or (0,) * spec.players
        before = [ante if stack is None else min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]
        actions: list[Action] = []
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
                if seat != state.seat and act is Act.FOLD and self._draft.folds_early and seat in state.active:
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
                if goes_to is not None and self._is_short(number, state, goes_to, before):
                    raise _RanOutError(seat, before[seat] + goes_to)
                chips = state.act(act, goes_to)
                if last and not state.over and seat not in state.all_in:
                    raise _RanOutError(seat, state.committed[seat])
                if put is not None and self._differ(put, chips * unit):
                    spare = uncalled(state)[seat] if state.over else 0
                    if put != (chips - spare) * unit:
                        raise ValueError(f"{name} puts in {plain(put, one)}, expected {plain(chips * unit, one)}")
                    self._spared[name] = spare * unit
                bet = state.committed[seat] - before[seat]
                if to is not None and self._differ(to, bet * unit):
                    raise ValueError(f"{name} bets or raises to {plain(to, one)}, expected {plain(bet * unit, one)}")
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
        return one != other and not -self._draft.slack <= one - other <= self._draft.slack

    def _rest(self, goes_to: int, stack: int | None, before: int, unit: Money) -> int:
        """What a bet goes to, by amounts that may be off: all of the stack, if that is as good as what the text has."""
        if stack is not None and not self._differ((stack - before) * unit, goes_to * unit):
            return stack - before
        return goes_to

    def _is_short(self, number: int, state: State, goes_to: int, before: Sequence[int]) -> bool:
        """Whether a raise below the least one is an all-in of which the text leaves out what nobody could call.

        Some sites state only as much of an all-in as the others have, who then fold, or have less than a raise left;
        at some tables a player can raise to that much. They bet no more in the hand, so that they are all-in with what
        the text has.
        """
        bet = state.committed[state.seat] - before[state.seat]
        allowed = state.raise_range() if Act.RAISE in state.legal() else None
        if allowed is None or not bet + state.to_call < goes_to < allowed[0]:
            return False
        event = self._events[number]
        left = [(self._known[other], before[other]) for other in state.active if other != state.seat]
        covers = all(stack is not None and stack - past <= goes_to for stack, past in left)
        later = {each.name for each in self._events[number + 1 :] if each.act is not Act.FOLD and each.put != 0}
        return event.name not in later and (event.act is None or event.last or not later or covers)

    def _covers_short_blind(self, state: State) -> bool:
        """Whether the seat to act has put in as much before the flop as all others, who are all-in."""
        others = set(state.active) - {state.seat}
        most = max(state.committed[seat] for seat in others)
        return state.round == 0 and others <= set(state.all_in) and state.committed[state.seat] >= most


def hand_of(draft: Draft) -> Hand:
    """Return the hand of a draft whose lines have all been reported.

    A small blind as large as the big one is an error of the text if only half of it fits the pot. Raises `ValueError`
    if the text breaks the rules, or contradicts itself.
    """
    seats, winnings = draft.seats, draft.winnings
    big = max((seats.live[name] for name in seats.big), default=0)
    overstated = seats.small is not None and 0 < big == seats.live[seats.small] and winnings.pot is not None
    kept = deepcopy(winnings) if overstated else winnings
    try:
        return Replay(draft).hand()
    except ValueError as error:
        if overstated and seats.small is not None and draft.rules is None:
            draft.winnings = kept
            draft.bets, seats.live[seats.small] = (half(big), big), half(big)
            with suppress(ValueError):
                return Replay(draft).hand()
        if seats.guessed:
            raise ValueError(f"{seats.guessed[0]} has no seat, and in a free one: {error}") from None
        raise


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
