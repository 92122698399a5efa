"""What the table sees of a situation, and the betting before it, for `pokermodel.reading`.

The C functions are in ``pokermodel/readers/features.h``.
"""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from cython cimport final
from libc.stdint cimport int64_t

from pokermodel._core.rules cimport PM_FOLD, PM_RAISE, PM_ROUNDS, PM_SEATS


cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        object tp_new(type kind, object arguments, void *keywords)
    PyTypeObject PyTuple_Type


cdef enum:
    SITUATION = 20
    DECISION = 7
    MOST = 1 << 30  # of a count of bets
    MOST_BINS = 16

cdef double LARGEST = 1e15  # chips


cdef int take_features(given, pm_features *f) except -1:
    """Read `Features`, which stand in this order."""
    cdef tuple features
    if not isinstance(given, tuple) or PyTuple_GET_SIZE(given) != PM_FEATURES:
        raise ValueError(f"expected the {PM_FEATURES} features of a situation, got {given!r}")
    features = <tuple> given  # or a class of its own
    f.round, f.bets, f.previous, f.faced = features[0], features[1], features[2], features[3]
    f.aggressor, f.leader, f.players, f.num_bets = features[4], features[5], features[6], features[7]
    f.odds, f.pot = features[8], features[9]
    f.position, f.acted, f.put_in, f.dealt = features[10], features[11], features[12], features[13]
    f.callers, f.preflop, f.before, f.raised = features[14], features[15], features[16], features[17]
    f.raised_preflop, f.called, f.last = features[18], features[19], features[20]
    f.share, f.all_in, f.level, f.depth = features[21], features[22], features[23], features[24]
    f.invested, f.seat, f.raiser = features[25], features[26], features[27]
    return 0


cdef inline void put(tuple values, Py_ssize_t place, object value) noexcept:
    """Fill a place of a new tuple."""
    Py_INCREF(value)
    PyTuple_SET_ITEM(values, place, value)


cdef object made_features(type kind, const pm_features *f):
    """Make `Features`, given their class."""
    cdef tuple values = PyTuple_New(PM_FEATURES)
    put(values, 0, f.round)
    put(values, 1, f.bets)
    put(values, 2, f.previous)
    put(values, 3, f.faced)
    put(values, 4, f.aggressor)
    put(values, 5, f.leader)
    put(values, 6, f.players)
    put(values, 7, f.num_bets)
    put(values, 8, f.odds)
    put(values, 9, f.pot)
    put(values, 10, f.position)
    put(values, 11, f.acted)
    put(values, 12, f.put_in)
    put(values, 13, f.dealt)
    put(values, 14, f.callers)
    put(values, 15, f.preflop)
    put(values, 16, f.before)
    put(values, 17, f.raised)
    put(values, 18, f.raised_preflop)
    put(values, 19, f.called)
    put(values, 20, f.last)
    put(values, 21, f.share)
    put(values, 22, f.all_in)
    put(values, 23, f.level)
    put(values, 24, f.depth)
    put(values, 25, f.invested)
    put(values, 26, f.seat)
    put(values, 27, f.raiser)
    return PyTuple_Type.tp_new(kind, (values,), NULL)


cdef inline int check_range(str name, int value, int most, int least=0) except -1:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least} to {most}, got {value}")
    return 0


cdef inline int count(value) except -1:
    """A number of bets, which has no bound where bets have sizes."""
    cdef double found = value
    if not found >= 0:
        raise ValueError(f"a number of bets must be 0 or more, got {value}")
    return <int> min(found, MOST)


cdef inline double chips(value, str what) except -1:
    cdef double found = value
    if not 0 <= found <= LARGEST:  # nan is refused, too
        raise ValueError(f"{what} must be 0 or more chips, got {value}")
    return found


cdef double effective_stack(int seat, tuple active, tuple committed, tuple before) except? -2:
    """Chips that a seat has left, as far as an opponent can match them; -1 where it is not known."""
    cdef double own = -1, others = -1, reach, put_in
    cdef int each
    cdef Py_ssize_t k
    if not PyTuple_GET_SIZE(before):
        return -1
    put_in = committed[seat]
    for k in range(PyTuple_GET_SIZE(active)):
        each = active[k]
        check_range("an active seat", each, <int> PyTuple_GET_SIZE(before) - 1)
        if before[each] is None:
            return -1
        reach = before[each]
        if each == seat:
            own = reach
        else:
            others = max(others, reach)
    if own < 0:
        raise ValueError(f"seat {seat} is to act, but not among the active {active}")
    if others < 0:
        others = put_in
    return max(min(own, others) - put_in, 0)


cdef tuple decided(given):
    """Take a `Decision` for what it is."""
    if not isinstance(given, tuple) or PyTuple_GET_SIZE(given) != DECISION:
        raise ValueError(f"expected a decision, got {given!r}")
    return <tuple> given  # or a class of its own


cdef class Betting:
    """What of a hand's betting so far the features of a situation depend on.

    Parameters
    ----------
    players : int
        Number of seats.

    Raises
    ------
    ValueError
        If there are more than a game has.
    """

    def __cinit__(self, int players):
        check_range("the number of players", players, PM_SEATS)
        pm_betting_begin(&self.c, players)

    cdef const pm_faced *face(self, given) except NULL:
        """Read a `Situation` of this hand. It is kept, since who asks for its features mostly tells what was done."""
        cdef tuple facts, committed
        cdef pm_faced *s = &self.s
        if given is self.faced:
            return s
        if not isinstance(given, tuple) or PyTuple_GET_SIZE(given) != SITUATION:
            raise ValueError(f"expected a situation, got {given!r}")
        self.faced = None  # until it is read
        facts = <tuple> given  # or a class of its own
        if facts[0] is not self.spec:
            self.sized = not facts[0].structure.fixed
            self.small_bet = facts[0].bets[0]
            if self.small_bet < 1:
                raise ValueError(f"a bet must be positive, got {self.small_bet}")
            self.spec = facts[0]
        s.sized, s.small_bet = self.sized, self.small_bet
        s.seat, s.round = facts[2], facts[5]
        check_range("the seat of a situation", s.seat, self.c.players - 1)
        check_range("the round of a situation", s.round, PM_ROUNDS - 1)
        s.pot, s.to_call = chips(facts[6], "pot"), chips(facts[7], "chips")
        s.bet_size = facts[8]
        if not s.bet_size > 0:
            raise ValueError(f"a bet must be positive, got {facts[8]}")
        s.bets_to_call, s.num_bets, s.put_in = count(facts[9]), count(facts[10]), count(facts[11])
        s.players = <int> PyTuple_GET_SIZE(<tuple?> facts[12])
        s.position = facts[13]
        s.all_in = <int> PyTuple_GET_SIZE(<tuple?> facts[16])
        committed = <tuple?> facts[14]
        if s.seat >= PyTuple_GET_SIZE(committed):
            raise ValueError(f"a situation of {PyTuple_GET_SIZE(committed)} seats has no seat {s.seat}")
        s.invested = committed[s.seat]
        s.in_round, s.stack = 0, -1
        if self.sized:
            s.in_round = facts[15]
            s.stack = effective_stack(s.seat, <tuple?> facts[12], committed, <tuple?> facts[19])
        self.faced = given
        return s

    def describe(self, type kind not None, situation):
        """Return the features of the next situation of the hand.

        Parameters
        ----------
        kind : type
            `pokermodel.reading.features.Features`.
        situation : Situation

        Returns
        -------
        Features

        Raises
        ------
        ValueError
            If it is no situation, or has a seat or an amount that there cannot be.
        """
        cdef pm_features f
        pm_betting_features(&self.c, self.face(situation), &f)
        return made_features(kind, &f)

    def add(self, decision):
        """Take note of an act. Leaving the hand out of turn is not one.

        Raises
        ------
        ValueError
            If it is no decision, or has an act, a seat or an amount that there cannot be.
        """
        self.follow(decided(decision))

    cdef int follow(self, tuple decision) except -1:
        cdef int act = decision[4]
        check_range("an act", act, PM_RAISE)
        pm_betting_add(&self.c, self.face(decision[3]), act, bool(decision[6]))
        return 0

    def copy(self):
        """Return one that goes on from here by itself."""
        cdef Betting other = type(self).__new__(type(self), self.c.players)
        other.c = self.c
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef const pm_betting *b = &self.c
        cdef int k
        seats = tuple([
            (b.by[k].previous, b.by[k].faced, b.by[k].called, b.by[k].raised, b.by[k].raised_preflop)
            for k in range(b.players)
        ])
        raises = tuple([b.raises[k] for k in range(PM_ROUNDS)])
        rest = b.round, b.last, b.before, b.raiser, b.leader, b.acted, b.calls
        return type(self), (b.players,), (*rest, raises, seats)

    def __setstate__(self, state):
        """Take over what `__reduce__` says, after checks that keep the C functions within their tables."""
        cdef pm_betting b = self.c
        cdef int k
        b.round, b.last, b.before, b.raiser, b.leader, b.acted, b.calls, raises, seats = state
        check_range("the round", b.round, PM_ROUNDS - 1)
        for k in (b.last, b.before, b.raiser, b.leader):
            check_range("who bet or raised last", k, b.players - 1, -1)
        if len(raises) != PM_ROUNDS or len(seats) != b.players:
            raise ValueError(f"expected the raises of {PM_ROUNDS} rounds and acts of {b.players} seats, got {state}")
        for k in range(PM_ROUNDS):
            b.raises[k] = raises[k]
        for k in range(b.players):
            b.by[k].previous, b.by[k].faced, b.by[k].called, b.by[k].raised, b.by[k].raised_preflop = seats[k]
        self.c = b


def hand_features(type kind not None, decisions):
    """Return the features of each situation of a hand.

    Parameters
    ----------
    kind : type
        `pokermodel.reading.features.Features`.
    decisions : iterable of Decision
        All of them, in order.

    Returns
    -------
    list of Features

    Raises
    ------
    ValueError
        If there is something else than decisions, or a seat or an amount that there cannot be.
    """
    cdef Betting betting = None
    cdef pm_features f
    cdef list found = []
    cdef tuple decision
    for each in decisions:
        decision = decided(each)
        if betting is None:
            betting = Betting(len(decision[3].players))
        pm_betting_features(&betting.c, betting.face(decision[3]), &f)
        found.append(made_features(kind, &f))
        betting.follow(decision)
    return found


# --------------------------------------------------------------------------------------------------------- contexts


@final
cdef class Bin:
    """The bin of a feature: how many edges are not above it.

    Parameters
    ----------
    field : int
        The place of the feature in `pokermodel.reading.features.Features`.
    edges : sequence of float
        Where bins begin, but for the first, in rising order: four at most.
    less : int, optional
        The place of another feature, which is taken from it.
    otherwise : Bin, optional
        The bin that counts instead where the feature is 0.

    Raises
    ------
    ValueError
        If there is no such feature, there are too many edges, or they do not rise.
    """

    def __cinit__(self, int field, edges, less=None, Bin otherwise=None):
        cdef Py_ssize_t n = len(edges)
        cdef Py_ssize_t k
        if n > PM_BIN_EDGES:
            raise ValueError(f"a feature has {PM_BIN_EDGES} edges of bins at most, got {n}")
        self.c.field = field
        self.c.less = -1 if less is None else less
        check_range("the place of a feature", field, PM_FEATURES - 1)
        check_range("the place of a feature", self.c.less, PM_FEATURES - 1, -1)
        for k in range(n):
            self.c.edge[k] = edges[k]
            if k and not self.c.edge[k - 1] < self.c.edge[k]:
                raise ValueError(f"edges of bins must rise, got {edges}")
        self.c.edges = <int> n
        self.otherwise = otherwise
        self.c.otherwise = NULL if otherwise is None else &otherwise.c

    def __call__(self, features):
        """Return the bin of `Features`."""
        cdef double values[PM_FEATURES]
        cdef const pm_binned *each = &self.c
        if not isinstance(features, tuple) or PyTuple_GET_SIZE(features) != PM_FEATURES:
            raise ValueError(f"expected the {PM_FEATURES} features of a situation, got {features!r}")
        while each != NULL:  # no others are looked at
            values[each.field] = (<tuple> features)[each.field]
            if each.less >= 0:
                values[each.less] = (<tuple> features)[each.less]
            each = each.otherwise
        return pm_features_bin(&self.c, values)


def hand_acts(tuple parts not None, decisions):
    """Return the acts of a hand in plain numbers, with their contexts, and who left the hand.

    Parameters
    ----------
    parts : tuple of (int, Bin)
        How many values each feature of a grid has, and which it has.
    decisions : iterable of Decision
        All of them, in order.

    Returns
    -------
    acts : list of tuple
        As `pokermodel.reading.features.Replay.acts` has them.
    folds : dict of int to int
        The round in which a seat folded or left.

    Raises
    ------
    ValueError
        If there is something else than decisions, or a seat or an amount that there cannot be.
    """
    cdef Betting betting = None
    cdef const pm_binned *bins[MOST_BINS]
    cdef int sizes[MOST_BINS]
    cdef Py_ssize_t n = PyTuple_GET_SIZE(parts)
    cdef Py_ssize_t k
    cdef int64_t context
    cdef double values[PM_FEATURES]
    cdef pm_features f
    cdef const pm_faced *s
    cdef list acts = []
    cdef dict folds = {}
    cdef tuple decision, facts
    cdef int act
    cdef bint can_raise
    if n > MOST_BINS:
        raise ValueError(f"a grid has {MOST_BINS} features at most, got {n}")
    for k in range(n):
        sizes[k], bins[k] = parts[k][0], &(<Bin?> parts[k][1]).c
    for each in decisions:
        decision = decided(each)
        if betting is None:
            betting = Betting(len(decision[3].players))
        s = betting.face(decision[3])
        facts = <tuple> decision[3]  # as `face` has found
        act = decision[4]
        if act == PM_FOLD:
            folds[facts[2]] = facts[5]
        if not decision[6]:
            can_raise = act == PM_RAISE
            for legal in <tuple?> facts[17]:
                can_raise |= <int> legal == PM_RAISE
            pm_betting_features(&betting.c, s, &f)
            pm_features_values(&f, values)
            context = 0
            for k in range(n):
                context = context * sizes[k] + pm_features_bin(bins[k], values)
            acts.append((
                facts[2], facts[5], act, facts[7], facts[10], min(s.bets_to_call, 2), can_raise, decision[5], context,
                facts[6],
            ))
        betting.follow(decision)
    return acts, folds
