"""The state of a hand of hold'em.

The rules are the C functions of ``pokermodel/game/rules.h``; this module checks what Python hands them.
"""

from enum import IntEnum
from operator import index

from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.ref cimport Py_INCREF, Py_XDECREF, PyObject
from cpython.tuple cimport PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t, int64_t, uint32_t


cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        object tp_new(type kind, object arguments, void *keywords)
    PyTypeObject PyTuple_Type
    int PyObject_GenericSetAttr(object thing, object name, object value) except -1
    PyObject *PyTuple_GET_ITEM(object values, Py_ssize_t place)  # may be NULL in a new tuple


cdef enum:
    FACTS = 15  # of a situation, after those that a state does not know

# far above any game, and far enough below 2**53 that payoffs stay exact
MAX_CHIPS = 10**15
cdef int64_t MOST_CHIPS = MAX_CHIPS


class Act(IntEnum):
    """What a player does. A check is a call of nothing, a bet a raise of nothing."""

    FOLD = 0
    CALL = 1
    RAISE = 2


# the acts in a mask of 1 << act
cdef tuple ACTS = tuple(tuple(act for act in Act if mask >> act & 1) for mask in range(8))
cdef dict STRUCTURES = {"limit": PM_LIMIT, "pot limit": PM_POT_LIMIT, "no limit": PM_NO_LIMIT}
cdef dict MIN_RAISE = {"last": PM_MIN_LAST, "cumulative": PM_MIN_CUMULATIVE}
cdef dict SHORT_ANTE = {"whole": PM_ANTE_WHOLE, "matched": PM_ANTE_MATCHED}
cdef dict REOPENING = {
    "any": PM_REOPEN_ANY,
    "full": PM_REOPEN_FULL,
    "minimum": PM_REOPEN_MINIMUM,
    "half": PM_REOPEN_HALF,
    "whole": PM_REOPEN_WHOLE,
}
cdef dict ODD_CHIPS = {"split": PM_ODD_SPLIT, "first": PM_ODD_FIRST}


cdef inline bint whole(value, int64_t *found):
    """Whether a value is an int of so many bits; a bool is one, too."""
    cdef int overflow = 0
    if not isinstance(value, int):
        return False
    found[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow


cdef int64_t number(value, int64_t low, int64_t high, str what) except? -1:
    cdef int64_t found = 0
    if whole(value, &found) and low <= found <= high:
        return found
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
    cdef int64_t stack = 0
    cdef tuple blinds = tuple(spec.blinds)
    cdef tuple antes = tuple(spec.antes)
    cdef int n = <int> number(len(blinds), 2, PM_SEATS, "the number of players")
    cdef tuple bets = entries(spec.bets, PM_ROUNDS, "bets")
    cdef tuple first = entries(spec.first, PM_ROUNDS, "first")
    cdef tuple max_raises = entries(spec.max_raises, PM_ROUNDS, "max_raises")
    if antes:
        antes = entries(antes, n, "antes")
    if stacks is None:
        stacks = spec.stacks or None
    if stacks is not None:
        stacks = entries(stacks, n, "stacks")
    table.begun = () if stacks is None else stacks
    t.players = <int8_t> n
    for seat in range(n):
        t.blinds[seat] = number(blinds[seat], 0, MOST_CHIPS, "a blind")
        t.dead[seat] = number(antes[seat], 0, MOST_CHIPS, "an ante") if antes else 0
        t.limit[seat] = PM_DEEP
        if stacks is not None and stacks[seat] is not None:
            if not (whole(stacks[seat], &stack) and 1 <= stack <= MOST_CHIPS):
                stack = number(stacks[seat], 1, MOST_CHIPS, f"the stack of seat {seat}")
            t.dead[seat] = min(t.dead[seat], stack)
            t.limit[seat] = stack - t.dead[seat]
    for r in range(PM_ROUNDS):
        t.bets[r] = number(bets[r], 1, MOST_CHIPS, "a bet")
        t.first[r] = <int8_t> number(first[r], 0, n - 1, "the first seat to act")
        t.max_raises[r] = <int32_t> number(max_raises[r], 0, 1000000, "max_raises")
    t.cap_heads_up = bool(spec.cap_heads_up)
    t.full_blind = bool(spec.full_blind)
    t.reopen = <int8_t> choice(REOPENING, spec.reopening, "reopening")
    t.odd_chips = <int8_t> choice(ODD_CHIPS, spec.odd_chips, "odd_chips")
    t.short_ante = <int8_t> choice(SHORT_ANTE, spec.short_ante, "short_ante")
    t.structure = <int8_t> choice(STRUCTURES, spec.structure, "structure")
    if t.structure != PM_LIMIT:
        t.min_raise = <int8_t> choice(MIN_RAISE, spec.min_raise, "min_raise")
        if t.reopen >= PM_REOPEN_HALF:
            raise ValueError(f"reopening must be minimum, full or any in {spec.structure}, got {spec.reopening!r}")
    return table


cdef inline void put(tuple values, Py_ssize_t place, object value) noexcept:
    """Fill a place of a tuple that is new, or that nobody else has."""
    cdef PyObject *old = PyTuple_GET_ITEM(values, place)
    Py_INCREF(value)
    PyTuple_SET_ITEM(values, place, value)
    Py_XDECREF(old)


cdef tuple seats_of(uint32_t mask):
    cdef int seat = 0
    cdef Py_ssize_t place = 0
    cdef tuple seats = PyTuple_New(pm_count_seats(mask))
    while mask >> seat:
        if mask >> seat & 1:
            put(seats, place, seat)
            place += 1
        seat += 1
    return seats


cdef tuple chips_of(const pm_state *s):
    """Chips that each seat has put in, antes included."""
    cdef int seat
    cdef int n = s.table.players
    cdef tuple chips = PyTuple_New(n)
    for seat in range(n):
        put(chips, seat, s.chips_in[seat] + s.table.dead[seat])
    return chips


cdef tuple range_of_raises(const pm_state *s):
    """What the seat to act may raise to in this round; the most is None where nothing is known to bound it."""
    cdef int64_t least, most
    cdef int64_t base = pm_round_base(s)
    pm_raise_range(s, &least, &most)
    return least - base, None if most == PM_DEEP else most - base


cdef void put_facts(
    tuple values, Py_ssize_t place, State state, int who, unsigned legal, tuple active, tuple all_in, tuple chips
):
    """Fill a new tuple from a place on with what a seat faces, as `State.situation` returns it."""
    cdef const pm_state *s = &state.c
    cdef int64_t owed = pm_to_call(s, who)
    put(values, place, s.round)
    put(values, place + 1, s.pot)
    put(values, place + 2, owed)
    put(values, place + 3, pm_bet_size(s))
    put(values, place + 4, pm_in_bets(s, owed))
    put(values, place + 5, pm_num_bets(s))
    put(values, place + 6, pm_in_bets(s, pm_put_in_voluntarily(s, who)))
    put(values, place + 7, active)
    put(values, place + 8, pm_position(s, who))
    put(values, place + 9, chips)
    put(values, place + 10, s.chips_in[who] - pm_round_base(s))
    put(values, place + 11, all_in)
    put(values, place + 12, ACTS[legal])
    put(values, place + 13, range_of_raises(s) if legal >> PM_RAISE & 1 else None)
    put(values, place + 14, state.table.begun)


cdef inline object named(type kind, tuple arguments):
    """Make a named tuple of a tuple that is the one argument, in a quarter of the time that the class would take."""
    return PyTuple_Type.tp_new(kind, arguments, NULL)


def put_attributes(thing, tuple names, tuple values):
    """Set attributes of an object of a class that lets nobody set any.

    Parameters
    ----------
    thing : object
        Has slots of these names.
    names : tuple of str
        What is set.
    values : tuple
        What to, one a name.
    """
    cdef Py_ssize_t k
    if PyTuple_GET_SIZE(names) != PyTuple_GET_SIZE(values):
        raise ValueError(f"{len(names)} attributes need as many values, got {len(values)}")
    for k in range(PyTuple_GET_SIZE(names)):
        PyObject_GenericSetAttr(thing, names[k], values[k])


cdef int64_t raise_to(const pm_state *s, to) except -1:
    """What a raise goes to over the hand; `to` is over the round, None for the only amount that there is."""
    cdef int64_t least, most, base, amount
    pm_raise_range(s, &least, &most)
    if to is None and least == most:
        return least
    base = pm_round_base(s)
    if to is not None:
        amount = number(to, -PM_DEEP, PM_DEEP, "what a raise goes to") + base
        if least <= amount <= most:
            return amount
    said = "without an amount" if to is None else f"to {to}"
    expected = f"{least - base}"
    if most != least:
        expected += " or more" if most == PM_DEEP else f" to {most - base}"
    raise ValueError(f"seat {s.seat} cannot raise {said}: expected {expected}")


cdef class Table:
    """Structure, blinds, bets, stacks and house rules of a hand, as the C functions want them; never changed."""


cdef class State:
    """A hand of hold'em between two actions: who has how much in, whose turn it is, what is allowed.

    It knows no cards. Rounds without anything to decide are passed over: when everybody but one is all-in,
    the hand is over and the rest of the board is to be dealt.

    What a bet or raise goes to is counted from the beginning of the round, blinds included and antes not. Add
    `round_base` for the amount over the whole hand.

    Parameters
    ----------
    spec : GameSpec
        The game. Antes and blinds are posted at once.
    stacks : sequence of int or None, optional
        Chips of each seat before antes and blinds; None for a seat whose stack is not known, which is then never
        all-in. Default: those of `spec`, or not known where it has none.

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
    to_call : int
        Chips that the seat to act needs to stay in, limited to its stack; 0 when the hand is over.
    pot : int
        All chips in, antes and the bets of this round included.
    active, all_in : tuple of int
        The seats that have not folded; the seats without chips behind.
    committed : tuple of int
        Chips that each seat has put in during this hand.
    stacks : tuple of int or None
        Chips that each seat has behind; None where the stack is not known.
    stacks_before : tuple of (int or None)
        Chips of each seat before antes and blinds; None where the stack is not known. Empty: none is.
    round_base : int
        Chips that a seat put in during earlier rounds if it matched every bet, antes not included. A raise to X in
        this round is a raise to X + `round_base` over the hand, as the ACPC's dealer counts.
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

    def begun(self, spec=None):
        """Return the state at the beginning of this hand, before anybody acted; of an equal `spec`, if one is given."""
        cdef State state = State.__new__(State, self)
        if spec is not None and spec is not self.spec:
            if spec != self.spec:
                raise ValueError("a hand begins with the game that it was played in: got another one")
            state.spec = spec
        pm_begin(&state.c, &state.table.c)
        return state

    def place(self, spec):
        """Take an equal game in place of the state's own, one that says where it is played.

        That it is equal is not checked, which takes as long as a fifth of a replay.
        """
        self.spec = spec

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef const pm_state *s = &self.c
        cdef int seat
        chips = [s.chips_in[seat] for seat in range(self.table.c.players)]
        rest = s.level, s.base, s.unit, s.open, s.live, s.broke, s.pending, s.acted, s.raises, s.round, s.seat
        return type(self), (self.spec, self.table.begun or None), (tuple(chips), *rest)

    def __setstate__(self, state):
        """Take over what `__reduce__` says, after checks that keep the C functions within their tables."""
        cdef pm_state s
        cdef int seat
        cdef int n = self.table.c.players
        cdef int64_t everybody = (1 << n) - 1
        chips, level, base, unit, open, live, broke, pending, acted, raises, round, turn = entries(
            state, 12, "the state of a hand"
        )
        chips = entries(chips, n, "chips")
        s.table = &self.table.c
        s.pot = 0
        for seat in range(n):
            s.chips_in[seat] = number(chips[seat], 0, self.table.c.limit[seat], f"what seat {seat} has put in")
            s.pot += s.chips_in[seat] + self.table.c.dead[seat]
        for seat in range(n, PM_SEATS):
            s.chips_in[seat] = 0
        s.level = number(level, 0, PM_DEEP, "what it takes to stay")
        s.base = number(base, 0, s.level, "what it took when the round began")
        s.unit = number(unit, 0, PM_DEEP, "the largest raise")
        s.open = number(open, -PM_DEEP, PM_DEEP, "what a raise may be smaller by")
        s.live = <uint32_t> number(live, 1, everybody, "who has not folded")
        s.broke = <uint32_t> number(broke, 0, everybody, "who is all-in")
        s.pending = <uint32_t> number(pending, 0, everybody, "who is still to act")
        s.acted = <uint32_t> number(acted, 0, everybody, "who has acted")
        s.raises = <int32_t> number(raises, 0, 2**31 - 1, "the number of raises")
        s.round = <int8_t> number(round, 0, PM_ROUNDS - 1, "the round")
        s.seat = <int8_t> number(turn, -1, n - 1, "the seat to act")
        self.c = s

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
    def to_call(self):
        return pm_to_call(&self.c, self.c.seat) if self.c.seat >= 0 else 0

    @property
    def active(self):
        return seats_of(self.c.live)

    @property
    def all_in(self):
        return seats_of(self.c.broke)

    @property
    def committed(self):
        return chips_of(&self.c)

    @property
    def stacks_before(self):
        return self.table.begun

    @property
    def round_base(self):
        return pm_round_base(&self.c)

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

    def raise_range(self):
        """Return the least and the most that the seat to act may bet or raise to.

        Returns
        -------
        (int, int or None) or None
            Chips, counted from the beginning of the round. In limit both are the same. A raise to less than a full
            one is all-in. The most is None in no limit if the stack is not known. None where raising is not among the
            `legal` acts.
        """
        if self.c.seat < 0 or not pm_legal(&self.c) >> PM_RAISE & 1:
            return None
        return range_of_raises(&self.c)

    def act(self, act, to=None):
        """Let the seat to act do something.

        People fold when they could check, and raise when nobody is left who could call: both are accepted
        here, although `legal` does not offer them.

        Parameters
        ----------
        act : Act
            What it does. A call that the stack does not cover is all-in.
        to : int, optional
            What a bet or raise goes to, in chips counted from the beginning of the round. Needed where `raise_range`
            leaves a choice.

        Returns
        -------
        int
            Chips it put in.

        Raises
        ------
        ValueError
            If the hand is over, the act is neither legal nor one of the two above, a raise is not within its range or
            needs an amount, or an amount is given for another act.
        """
        cdef int what
        if self.c.seat < 0:
            raise ValueError("the hand is over")
        what = <int> number(act, 0, 2, "an act")
        if not pm_possible(&self.c) >> what & 1:
            legal = " or ".join([Act(a).name.lower() for a in self.legal()])
            raise ValueError(f"seat {self.c.seat} cannot {Act(what).name.lower()}: expected {legal}")
        if what == PM_RAISE:
            return pm_act_to(&self.c, what, raise_to(&self.c, to))
        if to is not None:
            raise ValueError(f"seat {self.c.seat} cannot {Act(what).name.lower()} to {to}: only a raise has an amount")
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
            ``active``, ``position``, ``committed``, ``in_round``, ``all_in``, ``legal``, ``raise_range``,
            ``stacks_before`` of a `Decision`. Who is not the seat to act can do nothing but leave: ``legal`` is a fold.

        Raises
        ------
        ValueError
            As `leave` does.
        """
        cdef int who = self.c.seat
        cdef unsigned legal = 1 << PM_FOLD
        cdef tuple facts
        if seat is not None or who < 0:
            who = self.seat_in_play(seat if seat is not None else 0)
        if who == self.c.seat:
            legal = pm_legal(&self.c)
        facts = PyTuple_New(FACTS)
        put_facts(facts, 0, self, who, legal, seats_of(self.c.live), seats_of(self.c.broke), chips_of(&self.c))
        return facts

    def follow(self, tuple actions, tuple board, tuple hand, type situation, type decision):
        """Play actions as long as nothing is wrong with them, and describe what each of them faced.

        Parameters
        ----------
        actions : tuple of Action
            Seat, act, whether out of turn, and what a raise goes to.
        board : tuple of int
            All cards on the board.
        hand : tuple
            Source, number and players of the hand.
        situation, decision : type
            `pokermodel.game.Situation` and `pokermodel.game.Decision`.

        Returns
        -------
        list of Decision
            One an action, up to the first that `act` or `leave` would refuse, or that the board is too short for.
        """
        cdef pm_state *s = &self.c
        cdef list decisions = []
        cdef tuple action, active, all_in, chips, cards, players
        # what named tuples are made of, one after the other: most of it stays as it is from one decision to the next
        cdef tuple facts = PyTuple_New(5 + FACTS)
        cdef tuple values = PyTuple_New(7)
        cdef tuple arguments_facts = (facts,)
        cdef tuple arguments_values = (values,)
        cdef int64_t to, least, most, put_in
        cdef int64_t seat = -1
        cdef int64_t what = -1
        cdef uint32_t live, broke
        cdef int dealt, last = -1
        cdef Py_ssize_t place
        cdef unsigned legal
        cdef bint leaves
        source, number, players = hand
        active, all_in, chips, cards = seats_of(s.live), seats_of(s.broke), chips_of(s), board
        put(facts, 0, self.spec)
        put(facts, 1, players)
        put(values, 0, source)
        put(values, 1, number)
        for place in range(PyTuple_GET_SIZE(actions)):
            if not isinstance(actions[place], tuple) or s.seat < 0:
                break
            action = <tuple> actions[place]
            if PyTuple_GET_SIZE(action) != 4:
                break
            leaves = bool(action[2])
            if not (whole(action[0], &seat) and whole(action[1], &what)) or not 0 <= seat < self.table.c.players:
                break
            if s.round != last:
                last = s.round
                dealt = last + 2 if last else 0
                if PyTuple_GET_SIZE(board) < dealt:
                    break
                cards = board if PyTuple_GET_SIZE(board) == dealt else board[:dealt]
            if leaves:
                if what != PM_FOLD or action[3] is not None or seat == s.seat or not s.live & ~s.broke & 1u << seat:
                    break
                legal = 1 << PM_FOLD
            else:
                if seat != s.seat or what < 0 or what > PM_RAISE or not pm_possible(s) >> what & 1:
                    break
                legal = pm_legal(s)
            to = 0
            if what == PM_RAISE:
                pm_raise_range(s, &least, &most)
                to = least
                if action[3] is not None:
                    if not whole(action[3], &to) or not -PM_DEEP <= to <= PM_DEEP:
                        break
                    to += pm_round_base(s)
                elif least != most:
                    break
                if not least <= to <= most:
                    break
            elif action[3] is not None:
                break
            put(facts, 2, action[0] if leaves else s.seat)
            put(facts, 3, players[seat])
            put(facts, 4, cards)
            put_facts(facts, 5, self, <int> seat, legal, active, all_in, chips)
            live, broke = s.live, s.broke
            if leaves:
                pm_leave(s, <int> seat)
                put_in = 0
            else:
                put_in = pm_act_to(s, <int> what, to) if what == PM_RAISE else pm_act(s, <int> what)
            put(values, 2, place)
            put(values, 3, named(situation, arguments_facts))
            put(values, 4, action[1])
            put(values, 5, put_in)
            put(values, 6, action[2])
            decisions.append(named(decision, arguments_values))
            if live != s.live:
                active = seats_of(s.live)
            if broke != s.broke:
                all_in = seats_of(s.broke)
            if put_in:
                chips = chips_of(s)
        return decisions

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
