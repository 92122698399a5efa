"""The state of a hand of limit hold'em.

The rules are the C functions of ``pokermodel/rules.h``; this module checks what Python hands them.
"""

from enum import IntEnum
from operator import index

from libc.stdint cimport int32_t, int64_t, uint32_t


# far above any game, and far enough below 2**53 that payoffs stay exact
MAX_CHIPS = 10**15


class Act(IntEnum):
    """What a player does. A check is a call of nothing, a bet a raise of nothing."""

    FOLD = 0
    CALL = 1
    RAISE = 2


# the acts in a mask of 1 << act
cdef tuple ACTS = tuple(tuple(act for act in Act if mask >> act & 1) for mask in range(8))
cdef dict REOPENING = {
    "any": PM_REOPEN_ANY,
    "full": PM_REOPEN_FULL,
    "half": PM_REOPEN_HALF,
    "whole": PM_REOPEN_WHOLE,
}
cdef dict ODD_CHIPS = {"split": PM_ODD_SPLIT, "first": PM_ODD_FIRST}


cdef int64_t number(value, low, high, str what) except? -1:
    try:
        value = index(value)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, got {value!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{what} must be {low} to {high}, got {value}")
    return value


cdef tuple entries(values, Py_ssize_t n, str what):
    values = tuple(values)
    if len(values) != n:
        raise ValueError(f"{what} must have {n} entries, got {len(values)}")
    return values


cdef int choice(dict choices, value, str what) except -1:
    try:
        return choices[value]
    except (KeyError, TypeError):
        raise ValueError(f"{what} must be one of {', '.join(map(repr, choices))}, got {value!r}") from None


cdef Table make_table(spec, stacks):
    cdef Table table = Table()
    cdef pm_table *t = &table.c
    cdef int seat, r
    cdef int64_t stack
    cdef tuple blinds = tuple(spec.blinds)
    cdef tuple antes = tuple(spec.antes)
    cdef int n = <int> number(len(blinds), 2, PM_SEATS, "the number of players")
    cdef tuple bets = entries(spec.bets, PM_ROUNDS, "bets")
    cdef tuple first = entries(spec.first, PM_ROUNDS, "first")
    cdef tuple max_raises = entries(spec.max_raises, PM_ROUNDS, "max_raises")
    if antes:
        antes = entries(antes, n, "antes")
    if stacks is not None:
        stacks = entries(stacks, n, "stacks")
    t.players = <int8_t> n
    for seat in range(n):
        t.blinds[seat] = number(blinds[seat], 0, MAX_CHIPS, "a blind")
        t.dead[seat] = number(antes[seat], 0, MAX_CHIPS, "an ante") if antes else 0
        t.limit[seat] = PM_DEEP
        if stacks is not None and stacks[seat] is not None:
            stack = number(stacks[seat], 1, MAX_CHIPS, f"the stack of seat {seat}")
            t.dead[seat] = min(t.dead[seat], stack)
            t.limit[seat] = stack - t.dead[seat]
    for r in range(PM_ROUNDS):
        t.bets[r] = number(bets[r], 1, MAX_CHIPS, "a bet")
        t.first[r] = <int8_t> number(first[r], 0, n - 1, "the first seat to act")
        t.max_raises[r] = <int32_t> number(max_raises[r], 0, 1000000, "max_raises")
    t.cap_heads_up = bool(spec.cap_heads_up)
    t.full_blind = bool(spec.full_blind)
    t.reopen = <int8_t> choice(REOPENING, spec.reopening, "reopening")
    t.odd_chips = <int8_t> choice(ODD_CHIPS, spec.odd_chips, "odd_chips")
    return table


cdef tuple seats_of(uint32_t mask):
    cdef list seats = []
    cdef int seat = 0
    while mask >> seat:
        if mask >> seat & 1:
            seats.append(seat)
        seat += 1
    return tuple(seats)


cdef class Table:
    """Blinds, bets, stacks and house rules of one hand, as the C functions want them; never changed."""


cdef class State:
    """A hand of limit hold'em between two actions: who has how much in, whose turn it is, what is allowed.

    It knows no cards. Rounds without anything to decide are passed over: when everybody but one is all-in,
    the hand is over and the rest of the board is to be dealt.

    Parameters
    ----------
    spec : GameSpec
        The game. Antes and blinds are posted at once.
    stacks : sequence of int or None, optional
        Chips of each seat before antes and blinds; None, for a seat or for all: enough never to be all-in.

    Raises
    ------
    ValueError
        If the number of stacks does not fit, or one is not a positive whole number.

    Attributes
    ----------
    spec : GameSpec
        As given.
    players : int
        How many seats there are.
    seat : int
        Who is to act; -1 when the hand is over.
    round : int
        0 pre-flop, 1 flop, 2 turn, 3 river. At the end the last round that was played, 3 at a showdown.
    over, showdown : bool
        Whether the hand is over; and with more than one seat in it.
    pot : int
        All chips in, antes and the bets of this round included.
    active, all_in : tuple of int
        The seats that have not folded; the seats without chips behind.
    committed : tuple of int
        Chips that each seat has put in during this hand.
    stacks : tuple of int or None
        Chips that each seat has behind; None where the seat cannot run out.
    """

    def __cinit__(self, spec, stacks=None):
        cdef State other
        if type(spec) is State:  # from `copy`: the table is shared, nobody changes it
            other = <State> spec
            self.spec, self.table, self.c = other.spec, other.table, other.c
            return
        self.spec = spec
        self.table = make_table(spec, stacks)
        pm_begin(&self.c, &self.table.c)

    def copy(self):
        """Return a state that can be played on without changing this one."""
        return State.__new__(State, self)

    def __copy__(self):
        return self.copy()

    def __repr__(self):
        where = "over" if self.over else f"round {self.round}, seat {self.seat} to act"
        return f"<State: {self.players} players, {where}, pot {self.pot}>"

    @property
    def players(self):
        return self.table.c.players

    @property
    def seat(self):
        return self.c.seat

    @property
    def round(self):
        return self.c.round

    @property
    def over(self):
        return pm_is_over(&self.c)

    @property
    def showdown(self):
        return pm_is_showdown(&self.c)

    @property
    def pot(self):
        return self.c.pot

    @property
    def active(self):
        return seats_of(self.c.live)

    @property
    def all_in(self):
        return seats_of(self.c.broke)

    @property
    def committed(self):
        cdef int seat
        cdef int n = self.table.c.players
        return tuple([self.c.chips_in[seat] + self.table.c.dead[seat] for seat in range(n)])

    @property
    def stacks(self):
        cdef int seat
        return tuple([
            None if self.table.c.limit[seat] == PM_DEEP else pm_stack(&self.c, seat)
            for seat in range(self.table.c.players)
        ])

    cdef int seat_in_play(self, seat) except -1:
        cdef int found = <int> number(seat, 0, self.table.c.players - 1, "the seat")
        if self.c.seat < 0:
            raise ValueError("the hand is over")
        if not self.c.live >> found & 1:
            raise ValueError(f"seat {found} has folded before")
        if self.c.broke >> found & 1:
            raise ValueError(f"seat {found} is all-in")
        return found

    def legal(self):
        """Return the acts that the rules offer the seat to act.

        Folding is among them when there is something to call, raising when it could be called.

        Returns
        -------
        tuple of Act
            In the order fold, call, raise; empty when the hand is over.
        """
        if self.c.seat < 0:
            return ()
        return ACTS[pm_legal(&self.c)]

    def act(self, act):
        """Let the seat to act do something.

        People fold when they could check, and raise when nobody is left who could call: both are accepted
        here, although `legal` does not offer them.

        Parameters
        ----------
        act : Act
            What it does. A call, bet or raise that the stack does not cover is all-in.

        Returns
        -------
        int
            Chips it put in.

        Raises
        ------
        ValueError
            If the hand is over, or the act is neither legal nor one of the two above.
        """
        cdef int what
        if self.c.seat < 0:
            raise ValueError("the hand is over")
        what = <int> number(act, 0, 2, "an act")
        if not pm_possible(&self.c) >> what & 1:
            legal = " or ".join([Act(a).name.lower() for a in self.legal()])
            raise ValueError(f"seat {self.c.seat} cannot {Act(what).name.lower()}: expected {legal}")
        return pm_act(&self.c, what)

    def leave(self, seat):
        """Let a seat give up its hand, in its turn or out of it.

        Parameters
        ----------
        seat : int
            Somebody who is in the hand and not all-in.

        Raises
        ------
        ValueError
            If there is no such seat, it has folded, is all-in, or the hand is over.
        """
        pm_leave(&self.c, self.seat_in_play(seat))

    def situation(self, seat=None):
        """Describe what a seat faces, in the terms of `pokermodel.game.Decision`.

        Parameters
        ----------
        seat : int, optional
            Somebody who is in the hand and not all-in. Default: the seat to act.

        Returns
        -------
        tuple
            ``round``, ``pot``, ``to_call``, ``bet_size``, ``bets_to_call``, ``num_bets``, ``bets_put_in``,
            ``active``, ``position``, ``committed``, ``all_in``, ``legal`` of a `Decision`. Who is not the
            seat to act can do nothing but leave: ``legal`` is a fold.

        Raises
        ------
        ValueError
            As `leave` does.
        """
        cdef int who = self.c.seat
        cdef int64_t owed
        if seat is not None or who < 0:
            who = self.seat_in_play(seat if seat is not None else 0)
        owed = pm_to_call(&self.c, who)
        return (
            self.c.round,
            self.c.pot,
            owed,
            pm_bet_size(&self.c),
            pm_in_bets(&self.c, owed),
            pm_num_bets(&self.c),
            pm_in_bets(&self.c, pm_put_in_voluntarily(&self.c, who)),
            seats_of(self.c.live),
            pm_position(&self.c, who),
            self.committed,
            seats_of(self.c.broke),
            ACTS[pm_legal(&self.c) if who == self.c.seat else 1 << PM_FOLD],
        )

    def payoffs(self, ranks=None):
        """Share out the pots of a hand that is over.

        Parameters
        ----------
        ranks : sequence of int, optional
            At a showdown, how good each seat's hand is, larger is better; one entry a seat, those of folded
            seats are not looked at.

        Returns
        -------
        tuple of float
            Chips won or lost by each seat. They add up to nothing.

        Raises
        ------
        ValueError
            If the hand is not over, or the ranks do not fit.
        """
        cdef int32_t values[PM_SEATS]
        cdef double won[PM_SEATS]
        cdef int seat
        cdef int n = self.table.c.players
        if self.c.seat >= 0:
            raise ValueError(f"the hand is not over: seat {self.c.seat} is to act")
        if pm_is_showdown(&self.c):
            if ranks is None:
                raise ValueError("the hand went to a showdown: expected the ranks of the hands")
            ranks = entries(ranks, n, "ranks")
            for seat in range(n):
                if self.c.live >> seat & 1:
                    values[seat] = <int32_t> number(ranks[seat], -2**31, 2**31 - 1, "a rank")
        pm_winnings(&self.c, values, won)
        return tuple([won[seat] - (self.c.chips_in[seat] + self.table.c.dead[seat]) for seat in range(n)])
