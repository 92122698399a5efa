"""Tables for programs that learn by playing (``pokermodel/game/environment.h``)."""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cython cimport critical_section, final
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.evaluator cimport tables as rank_tables
from pokermodel._core.rng cimport pm_random
from pokermodel._core.rules cimport (
    PM_LIMIT, PM_RAISE, PM_SEATS, State, pm_possible, pm_raise_range, pm_round_base, pm_state
)


cdef extern from "pokermodel/game/environment.h" nogil:
    enum:
        PM_ENV_SIZES
        PM_ENV_HISTORY
        PM_ENV_CALLS
        PM_ENV_RAISES
        PM_ENV_RANDOM
        PM_ENV_FREQUENCIES
        PM_ENV_SAME_STEP
        PM_ENV_NEXT_STEP
        PM_ENV_DISABLED

    ctypedef struct pm_env_policy:
        int kind
        const float *frequencies

    ctypedef struct pm_env:
        const pm_evaluator *evaluator
        pm_state start
        double unit
        double size[30]
        int sizes
        int actions
        int history
        int width
        int seat
        int opponents
        pm_env_policy policy[23]

    ctypedef struct pm_env_hand:
        pm_state state
        pm_random choices
        double unplayed
        int64_t skipped
        uint32_t legal
        int8_t seat
        int8_t last
        uint8_t deck[52]

    int pm_env_width(int players, int history) noexcept
    int pm_env_board_cards(const pm_state *s) noexcept
    int64_t pm_env_raise_to(const pm_env *env, const pm_state *s, int size, int64_t least, int64_t most) noexcept
    uint32_t pm_env_legal(const pm_env *env, const pm_state *s) noexcept
    void pm_env_do(pm_env_hand *h, int act, int64_t to) noexcept
    int pm_env_any(uint32_t legal, pm_random *random) noexcept
    void pm_env_payoffs(const pm_env *env, const pm_env_hand *h, double *won) noexcept
    bint pm_env_begin(const pm_env *env, pm_env_hand *h) noexcept
    void pm_env_seed(const pm_env *env, pm_env_hand *h, const uint64_t *words, int number) noexcept
    void pm_env_observe(const pm_env *env, const pm_env_hand *h, int seat, float *out) noexcept
    int pm_env_step(
        const pm_env *env, pm_env_hand *h, int64_t action, int autoreset, double *won, float *last
    ) noexcept


cdef dict POLICIES = {"call": PM_ENV_CALLS, "raise": PM_ENV_RAISES, "random": PM_ENV_RANDOM}
cdef dict AUTORESET = {"SameStep": PM_ENV_SAME_STEP, "NextStep": PM_ENV_NEXT_STEP, "Disabled": PM_ENV_DISABLED}

MAX_SIZES = PM_ENV_SIZES
MAX_HISTORY = PM_ENV_HISTORY


cdef int refuse_shape(str what, Py_ssize_t rows, Py_ssize_t columns) except -1:
    raise ValueError(f"{what} must have shape ({rows}, {columns})" if columns else f"{what} must have {rows} entries")


cdef enum:
    PM_ENV_THREADS = 256  # that are at work at once


@final
cdef class Tables:
    """Tables of hold'em on which hand follows hand, all of one game.

    Threads may share them: different tables are at work side by side, and a table that is at work in one thread is
    refused to the others.

    Parameters
    ----------
    start : State
        How each hand begins; not changed.
    tables : int
        How many there are.
    sizes : float64 (n,)
        What the raises go by, as fractions of the pot after a call, ascending; infinity for the most. One in limit.
    history : int
        How many acts of the round are seen, 0 to `MAX_HISTORY`.
    seat : int
        Where the learner sits; -1 to sit one seat further back in each hand.
    policies : sequence
        Who acts at the places after the learner: "call", "raise", "random", or relative frequencies, float32
        (169, 4, 3, 2 + n). Empty if all seats are played from outside.
    unit : float
        Chips of a reward of 1.

    Raises
    ------
    ValueError
        If an argument does not fit the game, its stacks are not known and it is not limit, or hands are over when
        antes and blinds are posted. Of methods: if a table is at work in another thread.
    MemoryError
        If there is no memory for so many tables.

    Attributes
    ----------
    tables, players, actions, width : int
        Numbers of tables, of seats, of actions, and of entries of an observation.
    """

    cdef pm_env c
    cdef pm_env_hand *hands
    cdef State start
    cdef list keep
    cdef Py_ssize_t[PM_ENV_THREADS] claimed_first  # tables that are at work, as ranges, and by how many threads
    cdef Py_ssize_t[PM_ENV_THREADS] claimed_end
    cdef int claims
    cdef readonly Py_ssize_t tables
    cdef readonly int players

    def __cinit__(
        self,
        State start not None,
        Py_ssize_t tables,
        const double[::1] sizes not None,
        int history,
        int seat,
        policies,
        double unit,
    ):
        cdef int k
        cdef Py_ssize_t table
        cdef const float[:, :, :, ::1] rows
        cdef int players = start.table.c.players
        cdef bint limit = start.table.c.structure == PM_LIMIT
        if tables < 1:
            raise ValueError(f"there must be 1 table or more, got {tables}")
        if not 1 <= sizes.shape[0] <= PM_ENV_SIZES or limit and sizes.shape[0] != 1:
            raise ValueError(f"expected {'1 size' if limit else f'1 to {PM_ENV_SIZES} sizes'}, got {sizes.shape[0]}")
        if not 0 <= history <= PM_ENV_HISTORY:
            raise ValueError(f"history must be 0 to {PM_ENV_HISTORY}, got {history}")
        if not -1 <= seat < players:
            raise ValueError(f"there is no seat {seat}, expected 0 to {players - 1}")
        if not unit > 0:
            raise ValueError(f"the unit of rewards must be above 0, got {unit}")
        if start.c.seat < 0:
            raise ValueError("there is nothing to decide: hands are over when antes and blinds are posted")
        if not limit and None in start.stacks:
            raise ValueError("outside limit the game must say what stacks there are")
        self.start, self.players, self.tables, self.keep = start, players, tables, []
        self.c.evaluator = rank_tables()
        self.c.start = start.c
        self.c.unit = unit
        self.c.sizes = <int> sizes.shape[0]
        self.c.actions = 2 + self.c.sizes
        self.c.history = history
        self.c.width = pm_env_width(players, history)
        self.c.seat = seat
        for k in range(self.c.sizes):
            if not sizes[k] >= 0 or k and not sizes[k] > sizes[k - 1]:
                raise ValueError(f"sizes must be 0 or more and ascending, got {list(sizes)}")
            self.c.size[k] = sizes[k]
        policies = tuple(policies)
        if len(policies) not in (0, players - 1):
            raise ValueError(f"expected {players - 1} opponents or none, got {len(policies)}")
        self.c.opponents = bool(policies)
        for k, policy in enumerate(policies, 1):
            if isinstance(policy, str):
                if policy not in POLICIES:
                    raise ValueError(f"unknown policy {policy!r}: expected call, raise, random or frequencies")
                self.c.policy[k].kind = POLICIES[policy]
                continue
            rows = policy
            if rows.shape[0] != 169 or rows.shape[1] != 4 or rows.shape[2] != 3 or rows.shape[3] != self.c.actions:
                raise ValueError(f"frequencies must have shape (169, 4, 3, {self.c.actions})")
            self.c.policy[k].kind = PM_ENV_FREQUENCIES
            self.c.policy[k].frequencies = &rows[0, 0, 0, 0]
            self.keep.append(rows)
        self.hands = <pm_env_hand *> PyMem_RawCalloc(<size_t> tables, sizeof(pm_env_hand))
        if self.hands is NULL:
            raise MemoryError(f"no memory for {tables} tables")
        for table in range(tables):
            self.hands[table].state = start.c
            self.hands[table].state.seat = -1

    def __dealloc__(self):
        PyMem_RawFree(self.hands)

    @property
    def actions(self):
        return self.c.actions

    @property
    def width(self):
        return self.c.width

    cdef pm_env_hand *hand(self, Py_ssize_t table) except NULL:
        if not 0 <= table < self.tables:
            raise ValueError(f"there is no table {table}, expected 0 to {self.tables - 1}")
        return &self.hands[table]

    cdef int check_range(self, Py_ssize_t first, Py_ssize_t end) except -1:
        if not 0 <= first <= end <= self.tables:
            raise ValueError(f"there are no tables {first} to {end}, expected some of {self.tables}")
        return 0

    # A lock for each table would be asked for at every one of thousands; a call asks once for all that it works on. To
    # wait instead of raising would hide that what comes out then depends on which thread was first.
    cdef int claim(self, Py_ssize_t first, Py_ssize_t end) except -1:
        """Begin to work on tables, which no other thread may do now; `release` ends it."""
        cdef int k
        cdef bint free = True
        with critical_section(self):
            for k in range(self.claims):
                free = free and not (first < self.claimed_end[k] and self.claimed_first[k] < end)
            if free and self.claims < PM_ENV_THREADS:
                self.claimed_first[self.claims] = first
                self.claimed_end[self.claims] = end
                self.claims += 1
                return 0
        if free:
            raise ValueError(f"tables {first} to {end}: {PM_ENV_THREADS} threads are at work already")
        raise ValueError(f"tables {first} to {end}: another thread is at work on some of them")

    cdef void release(self, Py_ssize_t first, Py_ssize_t end) noexcept:
        cdef int k
        with critical_section(self):
            for k in range(self.claims):
                if self.claimed_first[k] == first and self.claimed_end[k] == end:
                    self.claims -= 1
                    self.claimed_first[k] = self.claimed_first[self.claims]
                    self.claimed_end[k] = self.claimed_end[self.claims]
                    break

    # ------------------------------------------------------------------------------------------------- all tables

    def seed(self, const uint64_t[:, ::1] words not None):
        """Start the streams of all tables: hands begin with `begin`.

        Parameters
        ----------
        words : uint64 (tables, 8)
            Four for the cards and four for the opponents of each table.

        Raises
        ------
        ValueError
            If the shape is another one.
        """
        cdef Py_ssize_t k
        if words.shape[0] != self.tables or words.shape[1] != 8:
            refuse_shape("words", self.tables, 8)
        self.claim(0, self.tables)
        try:
            for k in range(self.tables):
                pm_env_seed(&self.c, &self.hands[k], &words[k, 0], <int> (k % self.players))
        finally:
            self.release(0, self.tables)

    def begin(self, const uint8_t[::1] which=None):
        """Begin a hand at each table, or at those that are marked; hands that are under way are dropped.

        Returns
        -------
        bool
            False if very many hands in a row ended before it was the learner's turn.

        Raises
        ------
        ValueError
            If there are not as many marks as tables.
        """
        cdef Py_ssize_t k
        cdef bint fine = True
        if which is not None and which.shape[0] != self.tables:
            refuse_shape("marks", self.tables, 0)
        self.claim(0, self.tables)
        try:
            with nogil:
                for k in range(self.tables):
                    self.hands[k].skipped = 0
                    self.hands[k].unplayed = 0.0
                    if which is None or which[k]:
                        fine = pm_env_begin(&self.c, &self.hands[k]) and fine
        finally:
            self.release(0, self.tables)
        return fine

    def first_illegal(self, const int64_t[::1] actions not None, bint over_too):
        """Return the first table at which an action is not legal, or -1.

        Parameters
        ----------
        actions : int64 (tables,)
        over_too : bool
            Whether there is no legal action where the hand is over; otherwise any is.

        Raises
        ------
        ValueError
            If there are not as many actions as tables.
        """
        cdef Py_ssize_t k
        cdef uint32_t legal
        cdef uint64_t action
        if actions.shape[0] != self.tables:
            refuse_shape("actions", self.tables, 0)
        for k in range(self.tables):
            action, legal = <uint64_t> actions[k], self.hands[k].legal
            if action > 31 or not legal >> action & 1:
                if legal or over_too:
                    return k
        return -1

    def step(
        self,
        const int64_t[::1] actions not None,
        Py_ssize_t first,
        Py_ssize_t end,
        autoreset,
        double[::1] rewards not None,
        uint8_t[::1] ended not None,
        double[:, ::1] payoffs not None,
        float[:, ::1] observations not None,
        int8_t[:, ::1] masks not None,
        int8_t[::1] seats not None,
        float[:, ::1] endings=None,
    ):
        """Let the seats to act at tables `first` to `end` choose; opponents act until it is the learner's turn again.

        A fold is made of an action that is not legal.

        Parameters
        ----------
        actions : int64 (tables,)
        first, end : int
            Which tables. Different ones can be stepped by several threads at once.
        autoreset : {"SameStep", "NextStep", "Disabled"}
            When a new hand begins.
        rewards : float64 (tables,)
            Filled with what whoever acted, or the learner, won or lost; 0 where the hand goes on.
        ended : uint8 (tables,)
            Filled: whether the hand ended.
        payoffs : float64 (tables, players)
            Filled with what each seat won or lost, in units; 0 where the hand goes on.
        observations, masks, seats
            Filled as `observe` does.
        endings : float32 (tables, width), optional
            Filled, where the hand ended, with what is seen at the end of it.

        Returns
        -------
        bool
            False if very many hands in a row ended before it was the learner's turn.

        Raises
        ------
        ValueError
            If an array has another shape, or there are no such tables.
        """
        cdef double won[PM_SEATS]
        cdef pm_env_hand *h
        cdef Py_ssize_t k
        cdef int seat, who, result
        cdef int mode = AUTORESET[autoreset]
        cdef bint fine = True
        cdef float *last = NULL
        self.check_range(first, end)
        if actions.shape[0] != self.tables or rewards.shape[0] != self.tables or ended.shape[0] != self.tables:
            refuse_shape("actions, rewards and ended", self.tables, 0)
        if payoffs.shape[0] != self.tables or payoffs.shape[1] != self.players:
            refuse_shape("payoffs", self.tables, self.players)
        if endings is not None and (endings.shape[0] != self.tables or endings.shape[1] != self.c.width):
            refuse_shape("endings", self.tables, self.c.width)
        self.check_views(observations, masks, seats)
        self.claim(first, end)
        try:
            with nogil:
                for k in range(first, end):
                    h = &self.hands[k]
                    who = h.seat if self.c.opponents else h.state.seat
                    if endings is not None:
                        last = &endings[k, 0]
                    result = pm_env_step(&self.c, h, actions[k], mode, won, last)
                    fine = fine and result >= 0
                    ended[k] = who >= 0 and result != 0
                    rewards[k] = 0.0
                    if ended[k]:
                        for seat in range(self.players):
                            payoffs[k, seat] = won[seat] / self.c.unit
                        rewards[k] = payoffs[k, who]
                    else:
                        for seat in range(self.players):
                            payoffs[k, seat] = 0.0
                    self.show(h, &observations[k, 0], &masks[k, 0], &seats[k])
        finally:
            self.release(first, end)
        return fine

    def observe(
        self,
        Py_ssize_t first,
        Py_ssize_t end,
        float[:, ::1] observations not None,
        int8_t[:, ::1] masks not None,
        int8_t[::1] seats not None,
    ):
        """Say what the seats to act at tables `first` to `end` see and may do.

        Parameters
        ----------
        first, end : int
        observations : float32 (tables, width)
            Filled. Where the hand is over, with what whoever acted last, or the learner, sees.
        masks : int8 (tables, actions)
            Filled: 1 for a legal action.
        seats : int8 (tables,)
            Filled with the seat that sees that.

        Raises
        ------
        ValueError
            If an array has another shape, or there are no such tables.
        """
        cdef Py_ssize_t k
        self.check_range(first, end)
        self.check_views(observations, masks, seats)
        self.claim(first, end)
        try:
            with nogil:
                for k in range(first, end):
                    self.show(&self.hands[k], &observations[k, 0], &masks[k, 0], &seats[k])
        finally:
            self.release(first, end)

    cdef int check_views(self, float[:, ::1] observations, int8_t[:, ::1] masks, int8_t[::1] seats) except -1:
        if observations.shape[0] != self.tables or observations.shape[1] != self.c.width:
            refuse_shape("observations", self.tables, self.c.width)
        if masks.shape[0] != self.tables or masks.shape[1] != self.c.actions:
            refuse_shape("masks", self.tables, self.c.actions)
        if seats.shape[0] != self.tables:
            refuse_shape("seats", self.tables, 0)
        return 0

    cdef void show(self, const pm_env_hand *h, float *observation, int8_t *mask, int8_t *seat) noexcept nogil:
        """What is seen and may be done at a table."""
        cdef int action
        seat[0] = h.seat if self.c.opponents else h.state.seat if h.state.seat >= 0 else h.last
        pm_env_observe(&self.c, h, seat[0], observation)
        for action in range(self.c.actions):
            mask[action] = <int8_t> (h.legal >> action & 1)

    def sample(self, int64_t[::1] actions not None):
        """Fill `actions` with a legal one for each table, each as likely as any other; 0 where the hand is over.

        They are drawn from the streams of the opponents.

        Raises
        ------
        ValueError
            If there are not as many entries as tables.
        """
        cdef Py_ssize_t k
        if actions.shape[0] != self.tables:
            refuse_shape("actions", self.tables, 0)
        self.claim(0, self.tables)
        try:
            with nogil:
                for k in range(self.tables):
                    if self.hands[k].legal:
                        actions[k] = pm_env_any(self.hands[k].legal, &self.hands[k].choices)
                    else:
                        actions[k] = 0
        finally:
            self.release(0, self.tables)

    def skipped(self, int64_t[::1] hands not None, double[::1] won not None):
        """Say how many hands ended before it was the learner's turn since the last step, and what they won, in units.

        Raises
        ------
        ValueError
            If there are not as many entries as tables.
        """
        cdef Py_ssize_t k
        if hands.shape[0] != self.tables or won.shape[0] != self.tables:
            refuse_shape("hands and won", self.tables, 0)
        for k in range(self.tables):
            hands[k] = self.hands[k].skipped
            won[k] = self.hands[k].unplayed / self.c.unit

    # --------------------------------------------------------------------------------------------------- one table

    def turn(self, Py_ssize_t table):
        """Return the seat to act, -1 when the hand is over, and the learner's.

        Raises
        ------
        ValueError
            If there is no such table.
        """
        cdef pm_env_hand *h = self.hand(table)
        return h.state.seat, h.seat

    def legal(self, Py_ssize_t table):
        """Return the legal actions at a table, as a mask of bits: none when the hand is over.

        Raises
        ------
        ValueError
            If there is no such table.
        """
        return self.hand(table).legal

    def state(self, Py_ssize_t table):
        """Return a copy of the state of the hand at a table; `ValueError` if there is no such table."""
        cdef State state = State.__new__(State, self.start)
        self.claim(table, table + 1)
        try:
            state.c = self.hand(table).state
        finally:
            self.release(table, table + 1)
        return state

    def cards(self, Py_ssize_t table):
        """Return two cards for each seat and the five of the board, dealt or to come.

        Raises
        ------
        ValueError
            If there is no such table.
        """
        cdef pm_env_hand *h = self.hand(table)
        cdef int k
        cdef int n = self.players
        pairs = tuple([
            (max(h.deck[2 * k], h.deck[2 * k + 1]), min(h.deck[2 * k], h.deck[2 * k + 1])) for k in range(n)
        ])
        return pairs, tuple([h.deck[2 * n + k] for k in range(5)])

    def choose(self, Py_ssize_t table, int action):
        """Let the seat to act at a table choose a legal action, or fold.

        Returns
        -------
        (int, int, int, int)
            Who acted, the act, what it raises to in this round (0 if it does not), and the seat to act then, -1 when
            the hand is over.

        Raises
        ------
        ValueError
            If the hand is over, the action is neither, or there is no such table.
        """
        cdef pm_env_hand *h = self.hand(table)
        cdef int seat
        cdef int64_t least, most
        cdef int64_t to = 0
        self.claim(table, table + 1)
        try:
            seat = h.state.seat
            if seat < 0:
                raise ValueError("the hand is over")
            if action < 0 or action >= self.c.actions or action and not h.legal >> action & 1:
                raise ValueError(f"action {action} is not legal for seat {seat}")
            if action >= PM_RAISE:
                pm_raise_range(&h.state, &least, &most)
                to = pm_env_raise_to(&self.c, &h.state, action - PM_RAISE, least, most) - pm_round_base(&h.state)
                action = PM_RAISE
            return seat, action, to, self.play(h, action, to)
        finally:
            self.release(table, table + 1)

    cdef int play(self, pm_env_hand *h, int act, int64_t to) noexcept:
        """Let the seat to act do something; return who is to act then."""
        pm_env_do(h, act, to + pm_round_base(&h.state))
        h.legal = pm_env_legal(&self.c, &h.state) if h.state.seat >= 0 else 0
        return h.state.seat

    def act(self, Py_ssize_t table, int act, int64_t to=0):
        """Let the seat to act at a table do something; `to` is what a raise goes to in this round.

        Returns
        -------
        int
            The seat to act then, -1 when the hand is over.

        Raises
        ------
        ValueError
            If the hand is over, the rules do not allow it, or there is no such table.
        """
        cdef pm_env_hand *h = self.hand(table)
        cdef int64_t least, most, base
        self.claim(table, table + 1)
        try:
            if h.state.seat < 0:
                raise ValueError("the hand is over")
            if not 0 <= act <= PM_RAISE or not pm_possible(&h.state) >> act & 1:
                raise ValueError(f"seat {h.state.seat} cannot do {act}")
            if act == PM_RAISE:
                pm_raise_range(&h.state, &least, &most)
                base = pm_round_base(&h.state)
                if not least - base <= to <= most - base:
                    raise ValueError(
                        f"seat {h.state.seat} cannot raise to {to}: expected {least - base} to {most - base}"
                    )
            return self.play(h, act, to)
        finally:
            self.release(table, table + 1)

    def view(self, Py_ssize_t table, int seat, float[::1] observation not None, int8_t[::1] mask not None):
        """Fill an observation with what a seat sees, and a mask with 1 for each legal action.

        Returns
        -------
        int
            The legal actions, as a mask of bits.

        Raises
        ------
        ValueError
            If there is no such table or seat, or an array has another length.
        """
        cdef pm_env_hand *h = self.hand(table)
        cdef int action
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}, expected 0 to {self.players - 1}")
        if observation.shape[0] != self.c.width:
            refuse_shape("observation", self.c.width, 0)
        if mask.shape[0] != self.c.actions:
            refuse_shape("mask", self.c.actions, 0)
        self.claim(table, table + 1)
        try:
            pm_env_observe(&self.c, h, seat, &observation[0])
            for action in range(self.c.actions):
                mask[action] = <int8_t> (h.legal >> action & 1)
            return h.legal
        finally:
            self.release(table, table + 1)

    def payoffs(self, Py_ssize_t table):
        """Return the chips that each seat won or lost.

        Raises
        ------
        ValueError
            If the hand is not over, or there is no such table.
        """
        cdef double won[PM_SEATS]
        cdef pm_env_hand *h = self.hand(table)
        self.claim(table, table + 1)
        try:
            if h.state.seat >= 0:
                raise ValueError(f"the hand is not over: seat {h.state.seat} is to act")
            pm_env_payoffs(&self.c, h, won)
        finally:
            self.release(table, table + 1)
        return tuple([won[seat] for seat in range(self.players)])
