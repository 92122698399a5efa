"""Five-card stud for two: types of hands, tables of cards, the rules, and players at full speed.

The C functions are in ``pokermodel/hand_types.h`` and ``pokermodel/stud.h``.
"""

from cython cimport final

from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from pokermodel._core.evaluator cimport (
    PM_RANKS, pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
)
from pokermodel._core.rng cimport pm_random, pm_random_below, pm_random_next, pm_random_seed, stream_init


cdef extern from "pokermodel/cards.h" nogil:
    int pm_count_cards(uint64_t cards) noexcept


cdef extern from "pokermodel/rules.h" nogil:
    enum: PM_FOLD
    enum: PM_CALL
    enum: PM_RAISE


cdef extern from "pokermodel/hand_types.h" nogil:
    enum: PM_STATES

    ctypedef struct pm_type_scheme:
        uint8_t type_of_rank[7463]
        uint8_t busted_class[13]
        uint8_t made_state

    void pm_type_scheme_init(
        pm_type_scheme *scheme, int busted, int pairs, const uint8_t *pair_class, int wheel) noexcept
    int pm_hand_state(const pm_type_scheme *scheme, const pm_evaluator *e, const uint8_t *cards, int n) noexcept


cdef extern from "pokermodel/stud.h" nogil:
    enum: PM_STUD_SITUATIONS
    enum: PM_STUD_ACTS
    enum: PM_STUD_MOST_ACTS
    enum: PM_STUD_CURVES
    enum: PM_STUD_DETERMINISTIC
    enum: PM_STUD_RANDOMISED
    enum: PM_STUD_TABLE
    enum: PM_STUD_HONEST
    enum: PM_STUD_LAST_ROUND
    enum: PM_STUD_BY_CONTEXT
    enum: PM_BY_CONTEXT
    enum: PM_TWO_CLASSES
    enum: PM_FOUR_CLASSES

    ctypedef struct pm_stud_spec:
        int ante
        int bet[4]
        int max_bets

    ctypedef struct pm_stud:
        pm_stud_spec spec
        uint8_t card[2][5]
        int tie
        int round
        int seat
        int bets
        int acts
        int folded
        int chips[2]

    ctypedef struct pm_stud_acting:
        int rule
        double steepness
        double fold[4]
        double call[4]
        double bet[4]
        double sharpness
        double later
        int bluffing
        double bluffs
        double explores

    ctypedef struct pm_stud_player:
        pm_type_scheme types
        int form
        int carries
        int by_cards
        const double *winning
        const double *both
        const double *upcards
        const double *opponent
        const double *own
        pm_stud_acting acting

    ctypedef struct pm_stud_belief:
        double likelihood[36]
        double card[52]

    ctypedef struct pm_stud_choice:
        double p[3]
        double plain[3]
        double bluff
        double win

    ctypedef struct pm_stud_record:
        uint8_t card[2][5]
        uint8_t acts[24]
        double p[24][3]
        double win[24]
        int n
        int payoff
        int showdown

    unsigned pm_stud_showing(const uint8_t *up, int n) noexcept
    void pm_stud_begin(pm_stud *s) noexcept
    int pm_stud_owed(const pm_stud *s) noexcept
    int pm_stud_capped(const pm_stud *s) noexcept
    void pm_stud_act(pm_stud *s, int act) noexcept
    int pm_stud_payoff(const pm_stud *s, const pm_evaluator *e) noexcept
    int pm_stud_situation(int form, int round, int facing, int capped) noexcept
    int pm_stud_column(int form, int facing, int act) noexcept
    void pm_stud_new_round(
        const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s, int me, pm_stud_belief *belief) noexcept
    void pm_stud_observe(const pm_stud_player *player, const pm_stud *s, int act, pm_stud_belief *belief) noexcept
    void pm_stud_decide(
        const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s, const pm_stud_belief *belief,
        int first, pm_stud_choice *choice) noexcept
    uint8_t pm_stud_code(const pm_stud *s, int act, int bluffed) noexcept
    void pm_stud_play(
        pm_stud *s, const pm_stud_player **player, const pm_evaluator *e, pm_random *random,
        pm_stud_record *record) noexcept


FORMS = {"ctx": PM_BY_CONTEXT, "act2": PM_TWO_CLASSES, "act4": PM_FOUR_CLASSES}
RULES = {
    "curves": PM_STUD_CURVES,
    "deterministic": PM_STUD_DETERMINISTIC,
    "randomised": PM_STUD_RANDOMISED,
    "table": PM_STUD_TABLE,
}
BLUFFS = {"none": PM_STUD_HONEST, "last round": PM_STUD_LAST_ROUND, "context": PM_STUD_BY_CONTEXT}
STATES = PM_STATES
SITUATIONS = PM_STUD_SITUATIONS
ACTS = PM_STUD_ACTS
MOST_ACTS = PM_STUD_MOST_ACTS


cdef int take_cards(object cards, uint8_t *out, int least, int most) except -1:
    """Check cards and copy them; how many there are."""
    cdef uint64_t seen = 0
    cdef int n = len(cards)
    cdef int k = 0
    cdef int card
    if not least <= n <= most:
        raise ValueError(f"{least} to {most} cards are expected, got {n}")
    for item in cards:
        card = item
        if card < 0 or card >= 52:
            raise ValueError(f"card index {card} is out of range: expected 0..51")
        if seen >> card & 1:
            raise ValueError(f"duplicate card: index {card} occurs twice")
        seen |= (<uint64_t> 1) << card
        out[k] = <uint8_t> card
        k += 1
    return n


# ------------------------------------------------------------------------------------------------ types and tables

@final
cdef class Types:
    """A scheme of types, ready for the kernels.

    Parameters
    ----------
    type_of_rank : uint8 (7463,)
    busted_class, pair_class : uint8 (13,)
        By rank.
    wheel : bool
        See `pokermodel.evaluation.hand_types.TypeScheme`.

    Raises
    ------
    ValueError
        If a shape is another one, or there are more classes than there is room for.
    """

    cdef pm_type_scheme c
    cdef readonly int types

    def __cinit__(
        self,
        const uint8_t[::1] type_of_rank,
        const uint8_t[::1] busted_class,
        const uint8_t[::1] pair_class,
        bint wheel,
    ):
        cdef int busted, pairs
        if type_of_rank.shape[0] != 7463 or busted_class.shape[0] != 13 or pair_class.shape[0] != 13:
            raise ValueError("types need tables of 7463, 13 and 13 entries")
        self.types = type_of_rank[7462] + 1
        busted = busted_class[12] + 1
        pairs = pair_class[12] + 1
        if self.types != busted + pairs + 7 or 4 * busted + pairs + 3 > PM_STATES:
            raise ValueError(f"{self.types} types do not fit {busted} of high cards and {pairs} of pairs")
        memcpy(self.c.type_of_rank, &type_of_rank[0], 7463)
        memcpy(self.c.busted_class, &busted_class[0], 13)
        pm_type_scheme_init(&self.c, busted, pairs, &pair_class[0], wheel)

    def state(self, cards):
        """The state of one to five cards; of five it is the type.

        Raises
        ------
        ValueError
            If there are not 1 to 5 different cards.
        """
        cdef uint8_t held[5]
        cdef int n = take_cards(cards, held, 1, 5)
        return pm_hand_state(&self.c, tables(), held, n)


cdef uint64_t CHOOSE[53][6]


cdef void choose_init() noexcept:
    cdef int n, k
    for n in range(53):
        CHOOSE[n][0] = 1
        for k in range(1, 6):
            CHOOSE[n][k] = 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


choose_init()


cdef inline size_t place(const uint8_t *cards, int n) noexcept nogil:
    """The place of a set of cards, in ascending order, among all of its size."""
    cdef size_t at = 0
    cdef int k
    for k in range(n):
        at += CHOOSE[cards[k]][k + 1]
    return at


cdef inline bint next_set(uint8_t *chosen, int n, int size) noexcept nogil:
    """The next of the sets of n of 0..size-1, in ascending order; false after the last."""
    cdef int k = 0
    cdef int j
    while k < n and chosen[k] + 1 == (chosen[k + 1] if k + 1 < n else size):
        k += 1
    if k == n:
        return False
    chosen[k] += 1
    for j in range(k):
        chosen[j] = <uint8_t> j
    return True


cdef inline void pick(const uint8_t *deck, const uint8_t *chosen, int n, uint8_t *cards) noexcept nogil:
    cdef int k
    for k in range(n):
        cards[k] = deck[chosen[k]]


cdef inline void part_of(const uint8_t *cards, int n, int mask, uint8_t *out) noexcept nogil:
    """The cards whose bits are set."""
    cdef int k
    cdef int m = 0
    for k in range(n):
        if mask >> k & 1:
            out[m] = cards[k]
            m += 1


cdef int BITS[32]
for _mask in range(32):
    BITS[_mask] = bin(_mask).count("1")


cdef int count_tables(
    const pm_type_scheme *scheme, int types, const uint8_t *deck, int size,
    int64_t *current, int64_t *upcards, int64_t *pairs
) noexcept nogil:
    """Fill in what `card_tables` returns; -1 if there is no memory."""
    cdef const pm_evaluator *e = tables()
    cdef uint8_t *states[5]
    cdef uint16_t *holding[5]
    cdef int64_t singles[52][32]
    cdef int64_t finals[32]
    cdef uint8_t chosen[16]
    cdef uint8_t cards[5]
    cdef uint8_t some[5]
    cdef size_t at
    cdef size_t most
    cdef int64_t sign, product
    cdef int n, mask, k, i, j, ending, status
    cdef bint more
    status = 0
    for n in range(5):
        states[n] = NULL
        holding[n] = NULL
    for n in range(1, 5):
        states[n] = <uint8_t *> calloc(CHOOSE[52][n], 1)
        holding[n] = <uint16_t *> calloc(CHOOSE[52][n] * <size_t> types, sizeof(uint16_t))
        if states[n] == NULL or holding[n] == NULL:
            status = -1
    if status == 0:
        for n in range(1, 5):
            for k in range(n):
                chosen[k] = <uint8_t> k
            more = True
            while more:
                pick(deck, chosen, n, cards)
                states[n][place(cards, n)] = <uint8_t> pm_hand_state(scheme, e, cards, n)
                more = next_set(chosen, n, size)
        for i in range(32):
            finals[i] = 0
            for k in range(52):
                singles[k][i] = 0
        for k in range(5):
            chosen[k] = <uint8_t> k
        more = True
        while more:
            pick(deck, chosen, 5, cards)
            ending = pm_hand_state(scheme, e, cards, 5)
            finals[ending] += 1
            for mask in range(1, 31):
                n = BITS[mask]
                part_of(cards, 5, mask, some)
                if n == 1:
                    singles[some[0]][ending] += 1
                    continue
                at = place(some, n)
                holding[n][at * <size_t> types + <size_t> ending] += 1
                if n == 4:
                    upcards[(3 * PM_STATES + ending) * PM_STATES + states[4][at]] += 1
            more = next_set(chosen, 5, size)
        for n in range(2, 5):
            for k in range(n):
                chosen[k] = <uint8_t> k
            more = True
            while more:
                pick(deck, chosen, n, cards)
                at = place(cards, n)
                k = states[n][at]
                for ending in range(types):
                    current[((n - 2) * PM_STATES + k) * PM_STATES + ending] += holding[n][at * <size_t> types + ending]
                for i in range(n):
                    part_of(cards, n, (1 << n) - 1 - (1 << i), some)
                    upcards[((n - 2) * PM_STATES + k) * PM_STATES + states[n - 1][place(some, n - 1)]] += 1
                more = next_set(chosen, n, size)
        for i in range(types):
            current[(3 * PM_STATES + i) * PM_STATES + i] = finals[i]
            for j in range(types):
                pairs[i * types + j] = finals[i] * finals[j] - (finals[i] if i == j else 0)
                for k in range(52):
                    pairs[i * types + j] -= singles[k][i] * singles[k][j]
        sign = 1
        for n in range(2, 5):
            most = CHOOSE[52][n]
            for at in range(most):
                for i in range(types):
                    product = sign * holding[n][at * <size_t> types + <size_t> i]
                    if product:
                        for j in range(types):
                            pairs[i * types + j] += product * holding[n][at * <size_t> types + <size_t> j]
            sign = -sign
    for n in range(1, 5):
        free(states[n])
        free(holding[n])
    return status


def card_tables(
    Types types, deck, int64_t[:, :, ::1] current, int64_t[:, :, ::1] upcards, int64_t[:, ::1] pairs
):
    """Count how states of a hand's cards go together, over all hands of a deck.

    Parameters
    ----------
    types : Types
    deck : sequence of int
        10 to 52 different cards, in ascending order.
    current : int64 (4, 36, 36)
        Filled with the number of five-card hands and subsets of 2, 3, 4 and 5 cards, by state of the subset and type.
    upcards : int64 (4, 36, 36)
        Filled with the number of sets of 2, 3, 4 and 5 cards and cards of them face down, by state of the set and of
        the rest.
    pairs : int64 (types, types)
        Filled with the number of ordered pairs of hands without a common card, by their types, from the subsets that
        two hands have in common, by inclusion and exclusion.

    Raises
    ------
    ValueError
        If the deck or a shape is another one.
    MemoryError
        If there is none.
    """
    cdef uint8_t cards[52]
    cdef int size = take_cards(deck, cards, 10, 52)
    cdef int k, status
    for k in range(1, size):
        if cards[k] < cards[k - 1]:
            raise ValueError("the deck must be in ascending order")
    if not (
        current.shape[0] == upcards.shape[0] == 4
        and current.shape[1] == current.shape[2] == upcards.shape[1] == upcards.shape[2] == PM_STATES
    ):
        raise ValueError(f"tables of states must have shape (4, {PM_STATES}, {PM_STATES})")
    if pairs.shape[0] != types.types or pairs.shape[1] != types.types:
        raise ValueError(f"the table of pairs must have shape ({types.types}, {types.types})")
    current[:] = 0
    upcards[:] = 0
    with nogil:
        status = count_tables(
            &types.c, types.types, cards, size, &current[0, 0, 0], &upcards[0, 0, 0], &pairs[0, 0])
    if status:
        raise MemoryError


# ------------------------------------------------------------------------------------------------------- the rules

cdef int take_spec(int ante, object bets, int max_bets, pm_stud_spec *spec) except -1:
    cdef int k
    if len(bets) != 4 or min(bets) < 1 or max(bets) > 1_000_000:
        raise ValueError(f"a game has four bets of 1 to 1,000,000 chips, got {bets}")
    if not 0 <= ante <= 1_000_000:
        raise ValueError(f"the ante must be 0 to 1,000,000 chips, got {ante}")
    if not 1 <= max_bets <= 4:
        raise ValueError(f"1 to 4 bets may be allowed in a round, got {max_bets}")
    spec.ante = ante
    spec.max_bets = max_bets
    for k in range(4):
        spec.bet[k] = bets[k]
    return 0


def showing(up):
    """A number that tells which of two showing hands of equally many cards is the higher one.

    Raises
    ------
    ValueError
        If there are not 1 to 4 different cards.
    """
    cdef uint8_t cards[4]
    cdef int n = take_cards(up, cards, 1, 4)
    return pm_stud_showing(cards, n)


@final
cdef class StudState:
    """A hand of stud while it is played: whose turn it is, and what may be done.

    Parameters
    ----------
    ante : int
        Chips of each player.
    bets : sequence of int
        Size of a bet in each of the four rounds, in chips.
    max_bets : int
        Bets and raises in a round.
    cards : sequence of two sequences of int
        The five cards of each player, the one face down first.
    tie : int
        The player who acts first where the showing hands are alike.

    Raises
    ------
    ValueError
        If a number is out of range, or a card occurs twice.
    """

    cdef pm_stud c

    def __cinit__(self, int ante, bets, int max_bets, cards, int tie):
        cdef uint8_t dealt[10]
        cdef int k
        take_spec(ante, bets, max_bets, &self.c.spec)
        if len(cards) != 2 or len(cards[0]) != 5 or len(cards[1]) != 5:
            raise ValueError("two players have five cards each")
        take_cards([*cards[0], *cards[1]], dealt, 10, 10)
        if tie != 0 and tie != 1:
            raise ValueError(f"there are players 0 and 1, got {tie}")
        for k in range(10):
            self.c.card[k // 5][k % 5] = dealt[k]
        self.c.tie = tie
        pm_stud_begin(&self.c)

    @property
    def player(self):
        """Whose turn it is; None once the hand is over."""
        return None if self.c.seat < 0 else self.c.seat

    @property
    def round(self):
        """0 to 3; 4 when the cards are shown."""
        return self.c.round

    @property
    def chips(self):
        """What each player has put in."""
        return self.c.chips[0], self.c.chips[1]

    @property
    def owed(self):
        """Chips to call; 0 once the hand is over."""
        return pm_stud_owed(&self.c) if self.c.seat >= 0 else 0

    @property
    def over(self):
        """Whether the hand is over."""
        return self.c.seat < 0

    @property
    def showdown(self):
        """Whether the hand is over and cards are shown."""
        return self.c.seat < 0 and self.c.folded < 0

    def legal(self):
        """The acts that are allowed: 0 fold, 1 call or pass, 2 raise or bet."""
        if self.c.seat < 0:
            return ()
        acts = [PM_FOLD, PM_CALL] if pm_stud_owed(&self.c) else [PM_CALL]
        if not pm_stud_capped(&self.c):
            acts.append(PM_RAISE)
        return tuple(acts)

    def act(self, int act):
        """Do something.

        Raises
        ------
        ValueError
            If it is not allowed.
        """
        legal = self.legal()
        if act not in legal:
            raise ValueError("the hand is over" if not legal else f"act {act} is not allowed: expected one of {legal}")
        pm_stud_act(&self.c, act)

    def payoffs(self):
        """What each player wins, in chips.

        Raises
        ------
        ValueError
            If the hand is not over.
        """
        if self.c.seat >= 0:
            raise ValueError("the hand is not over")
        won = pm_stud_payoff(&self.c, tables())
        return won, -won


# ----------------------------------------------------------------------------------------------------- the players

cdef int take_table(const double[:, :, ::1] table, int first, int last, str name) except -1:
    if table.shape[0] != first or table.shape[1] != PM_STATES or table.shape[2] != last:
        raise ValueError(
            f"{name} must have shape ({first}, {PM_STATES}, {last}), got"
            f" ({table.shape[0]}, {table.shape[1]}, {table.shape[2]})"
        )
    return 0


@final
cdef class Player:
    """A player as the kernel knows it: tables and numbers.

    Parameters
    ----------
    types : Types
    form : {"ctx", "act2", "act4"}
        How acts are told apart.
    carries : bool
        Whether belief over the card face down outlasts a round.
    by_cards : bool
        Whether hands are compared card by card in the last round, by that belief.
    winning, both : float64 (4, 36, 36)
        By round, own state and the opponent's: probability of both and of winning, ties half; and of both.
    upcards : float64 (4, 36, 36)
        P(upcards | state), by round, upcards and the opponent's state.
    opponent : float64 (12, 36, 4)
        What the opponent does, by situation, state and act.
    own : float64 (12, 36, 4)
        What the player himself does, for rule "table".
    rule : {"curves", "deterministic", "randomised", "table"}
    fold, call, bet : sequence of float
        Displacement of the curves, by round.
    steepness, sharpness, later : float
        Of the curves; of the randomised decision network; bets expected in each later round.
    bluffing : {"none", "last round", "context"}
    bluffs, explores : float
        How often.

    Raises
    ------
    ValueError
        If there is no such form, rule or kind of bluff, a shape is another one, or a number is out of range.
    """

    cdef pm_stud_player c
    cdef object kept

    def __cinit__(
        self,
        Types types,
        str form,
        bint carries,
        bint by_cards,
        const double[:, :, ::1] winning,
        const double[:, :, ::1] both,
        const double[:, :, ::1] upcards,
        const double[:, :, ::1] opponent,
        const double[:, :, ::1] own,
        str rule,
        fold,
        call,
        bet,
        double steepness,
        double sharpness,
        double later,
        str bluffing,
        double bluffs,
        double explores,
    ):
        cdef int k
        for name, value, known in (("form", form, FORMS), ("rule", rule, RULES), ("kind of bluff", bluffing, BLUFFS)):
            if value not in known:
                raise ValueError(f"unknown {name} {value!r}: expected one of {', '.join(known)}")
        take_table(winning, 4, PM_STATES, "winning")
        take_table(both, 4, PM_STATES, "both")
        take_table(upcards, 4, PM_STATES, "upcards")
        take_table(opponent, PM_STUD_SITUATIONS, PM_STUD_ACTS, "opponent")
        take_table(own, PM_STUD_SITUATIONS, PM_STUD_ACTS, "own")
        if not (0 <= bluffs <= 1 and 0 <= explores <= 1):
            raise ValueError(f"bluffs and explores are shares between 0 and 1, got {bluffs} and {explores}")
        for value in (steepness, sharpness, later):
            if not (isfinite(value) and value >= 0):
                raise ValueError(f"steepness, sharpness and later bets must be finite and 0 or more, got {value}")
        if by_cards and not carries:
            raise ValueError("hands are compared card by card only by a belief that is carried")
        self.kept = (types, winning, both, upcards, opponent, own)
        self.c.types = types.c
        self.c.form = FORMS[form]
        self.c.carries = carries
        self.c.by_cards = by_cards
        self.c.winning = &winning[0, 0, 0]
        self.c.both = &both[0, 0, 0]
        self.c.upcards = &upcards[0, 0, 0]
        self.c.opponent = &opponent[0, 0, 0]
        self.c.own = &own[0, 0, 0]
        self.c.acting.rule = RULES[rule]
        self.c.acting.steepness = steepness
        self.c.acting.sharpness = sharpness
        self.c.acting.later = later
        self.c.acting.bluffing = BLUFFS[bluffing]
        self.c.acting.bluffs = bluffs
        self.c.acting.explores = explores
        for values in (fold, call, bet):
            if len(values) != 4:
                raise ValueError(f"curves are displaced by four numbers, one a round, got {len(values)}")
        for k in range(4):
            self.c.acting.fold[k] = fold[k]
            self.c.acting.call[k] = call[k]
            self.c.acting.bet[k] = bet[k]

    def choose(self, StudState state, acts):
        """What the player whose turn it is after some acts would do, were he this one.

        Parameters
        ----------
        state : StudState
            The hand at its beginning; not changed. The opponent's card face down is not looked at.
        acts : sequence of int
            Of both players, from the beginning.

        Returns
        -------
        tuple
            Probabilities of fold, call and raise; the share of bluffs among what would be no raise; the probability
            of winning.

        Raises
        ------
        ValueError
            If an act is not allowed, or the hand is over after them.
        """
        cdef StudState walk = StudState.__new__(
            StudState, state.c.spec.ante, [state.c.spec.bet[k] for k in range(4)], state.c.spec.max_bets,
            [[state.c.card[p][k] for k in range(5)] for p in range(2)], state.c.tie)
        cdef pm_stud_belief belief[2]
        cdef pm_stud_choice choice
        cdef int round = -1
        cdef int acted = 0
        cdef int p
        for act in (*acts, None):
            if walk.c.seat < 0:
                raise ValueError("the hand is over")
            if walk.c.round != round:
                round = walk.c.round
                acted = 0
                for p in range(2):
                    pm_stud_new_round(&self.c, tables(), &walk.c, p, &belief[p])
            if act is not None:
                if act not in walk.legal():
                    raise ValueError(f"act {act} is not allowed: expected one of {walk.legal()}")
                acted |= 1 << walk.c.seat
                pm_stud_observe(&self.c, &walk.c, act, &belief[1 - walk.c.seat])
                pm_stud_act(&walk.c, act)
        p = walk.c.seat
        pm_stud_decide(&self.c, tables(), &walk.c, &belief[p], not acted >> p & 1, &choice)
        return (choice.p[0], choice.p[1], choice.p[2]), choice.bluff, choice.win


# ------------------------------------------------------------------------------------------------ by cards, exactly

cdef int64_t doubled_wins(const uint16_t *a, const uint16_t *b, int n, int32_t *upto) noexcept nogil:
    """Of all pairs, twice those in which the first is larger and once those that are equal."""
    cdef int64_t total = 0
    cdef int k, j
    if n <= 64:
        for k in range(n):
            for j in range(n):
                total += (a[k] > b[j]) + (a[k] >= b[j])
        return total
    for k in range(PM_RANKS + 1):
        upto[k] = 0
    for j in range(n):
        upto[b[j]] += 1
    for k in range(1, PM_RANKS + 1):
        upto[k] += upto[k - 1]
    for k in range(n):
        total += upto[a[k]] + upto[a[k] - 1]
    return total


cdef double share_of_wins(
    const pm_evaluator *e, pm_hand own, pm_hand his, const uint8_t *rest, int size, int missing, uint16_t *room
) noexcept nogil:
    """Share of wins, ties half, when both hands are completed from the rest of the deck.

    Pairs of completions without a common card are counted by inclusion and exclusion over what they may share.
    """
    cdef int sets = <int> CHOOSE[size][missing]
    cdef uint16_t *ours = room
    cdef uint16_t *others = room + sets
    cdef uint16_t *some = others + sets
    cdef uint16_t *more_of_them = some + sets
    cdef int32_t upto[7463]
    cdef uint8_t chosen[16]
    cdef uint8_t shared[16]
    cdef uint8_t left[52]
    cdef uint8_t merged[4]
    cdef int64_t wins = 0
    cdef int64_t sign = 1
    cdef size_t at
    cdef int k, j, n, common
    cdef pm_hand one, two
    cdef bint more, again
    if missing == 0:
        k = <int> pm_hand_rank(e, own)
        j = <int> pm_hand_rank(e, his)
        return ((k > j) + (k >= j)) / 2.0
    for k in range(missing):
        chosen[k] = <uint8_t> k
    more = True
    while more:
        one = own
        two = his
        for k in range(missing):
            one = pm_hand_add(e, one, rest[chosen[k]])
            two = pm_hand_add(e, two, rest[chosen[k]])
        at = place(chosen, missing)
        ours[at] = <uint16_t> pm_hand_rank(e, one)
        others[at] = <uint16_t> pm_hand_rank(e, two)
        more = next_set(chosen, missing, size)
    for common in range(missing + 1):
        for k in range(common):
            shared[k] = <uint8_t> k
        more = True
        while more:
            n = 0
            for k in range(size):
                j = 0
                while j < common and shared[j] != k:
                    j += 1
                if j == common:
                    left[n] = <uint8_t> k
                    n += 1
            for k in range(missing - common):
                chosen[k] = <uint8_t> k
            n = 0
            again = True
            while again:
                merge(shared, common, left, chosen, missing - common, merged)
                at = place(merged, missing)
                some[n] = ours[at]
                more_of_them[n] = others[at]
                n += 1
                again = missing > common and next_set(chosen, missing - common, size - common)
            wins += sign * doubled_wins(some, more_of_them, n, upto)
            more = common > 0 and next_set(shared, common, size)
        sign = -sign
    return <double> wins / (2.0 * <double> (CHOOSE[size][missing] * CHOOSE[size - missing][missing]))


cdef inline void merge(
    const uint8_t *shared, int common, const uint8_t *left, const uint8_t *chosen, int others, uint8_t *out
) noexcept nogil:
    """Two ascending lists of places as one."""
    cdef int i = 0
    cdef int j = 0
    while i < common or j < others:
        if j == others or (i < common and shared[i] < left[chosen[j]]):
            out[i + j] = shared[i]
            i += 1
        else:
            out[i + j] = left[chosen[j]]
            j += 1


def win_by_cards(own, up, const double[::1] weights, deck):
    """Probability of winning, ties half, by enumeration of everything that can still be dealt.

    Parameters
    ----------
    own : sequence of int
        Two to five cards.
    up : sequence of int
        What the opponent shows, one card less.
    weights : float64 (52,)
        How likely each card is the one that he has face down, of any scale; cards that are seen do not count.
    deck : sequence of int
        All cards of the game.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there are too few cards or one occurs twice, or no card is possible.
    MemoryError
        If there is no room.
    """
    cdef const pm_evaluator *e = tables()
    cdef uint8_t known[10]
    cdef uint8_t cards[52]
    cdef uint8_t rest[52]
    cdef int n = len(own)
    cdef int size = take_cards(deck, cards, 10, 52)
    cdef uint64_t seen = 0
    cdef double total = 0.0
    cdef double win = 0.0
    cdef pm_hand ours = pm_hand_empty()
    cdef pm_hand shown = pm_hand_empty()
    cdef uint16_t *room
    cdef int k, d, left
    if not 2 <= n <= 5 or len(up) != n - 1:
        raise ValueError(f"two to five cards and one less of the opponent are expected, got {n} and {len(up)}")
    take_cards([*own, *up], known, 2 * n - 1, 2 * n - 1)
    if weights.shape[0] != 52:
        raise ValueError(f"there must be a weight for each of 52 cards, got {weights.shape[0]}")
    for k in range(2 * n - 1):
        seen |= (<uint64_t> 1) << known[k]
        if k < n:
            ours = pm_hand_add(e, ours, known[k])
        else:
            shown = pm_hand_add(e, shown, known[k])
    room = <uint16_t *> calloc(4 * CHOOSE[52][5 - n] + 4, sizeof(uint16_t))
    if room == NULL:
        raise MemoryError
    with nogil:
        for d in range(size):
            if seen >> cards[d] & 1 or not weights[cards[d]] > 0:
                continue
            left = 0
            for k in range(size):
                if k != d and not seen >> cards[k] & 1:
                    rest[left] = cards[k]
                    left += 1
            total += weights[cards[d]]
            win += weights[cards[d]] * share_of_wins(
                e, ours, pm_hand_add(e, shown, cards[d]), rest, left, 5 - n, room)
        free(room)
    if not total > 0:
        raise ValueError("the opponent can have no card face down")
    return win / total


# ---------------------------------------------------------------------------------------------------- whole matches

def play(
    Player one,
    Player two,
    int ante,
    bets,
    int max_bets,
    const uint64_t[::1] words,
    int32_t[:, ::1] payoffs,
    uint8_t[:, :, ::1] cards=None,
    uint8_t[:, ::1] acts=None,
    uint8_t[::1] lengths=None,
    double[:, :, ::1] chances=None,
    double[:, ::1] wins=None,
):
    """Play deals twice, with the cards changed over the second time.

    A player draws the same random numbers with the same cards, so that a player has nothing to win against himself.

    Parameters
    ----------
    one, two : Player
    ante, bets, max_bets
        See `StudState`.
    words : uint64 (4,)
        Start of the stream of random numbers.
    payoffs : int32 (deals, 2)
        Filled with the chips that the first player wins in both games of each deal.
    cards : uint8 (2 * deals, 2, 5), optional
        Filled with each player's cards, the one face down first. This and the rest are kept together or not at all.
    acts : uint8 (2 * deals, 24)
        Filled with the acts, in eight bits each: act (2), player (1), round (2), whether there was a bet to call,
        whether no raise was allowed, whether it was a bluff.
    lengths : uint8 (2 * deals,)
        How many acts; 128 more if the cards were shown.
    chances : float64 (2 * deals, 24, 3)
        Filled with the probabilities that the player gave fold, call and raise.
    wins : float64 (2 * deals, 24)
        Filled with the player's probability of winning.

    Raises
    ------
    ValueError
        If a shape is another one, or a number is out of range.
    """
    cdef const pm_evaluator *e = tables()
    cdef const pm_stud_player *players[2]
    cdef pm_stud table
    cdef pm_stud_record record
    cdef pm_random random
    cdef pm_random own[2]
    cdef uint64_t seeds[2][4]
    cdef int deck[52]
    cdef Py_ssize_t deals = payoffs.shape[0]
    cdef Py_ssize_t deal, g
    cdef int game, k, j, other, card
    cdef bint keep = cards is not None
    take_spec(ante, bets, max_bets, &table.spec)
    stream_init(&random, words)
    if payoffs.shape[1] != 2:
        raise ValueError("each deal is played twice: payoffs must have two columns")
    if keep and not (
        acts is not None and lengths is not None and chances is not None and wins is not None
        and cards.shape[0] == acts.shape[0] == lengths.shape[0] == chances.shape[0] == wins.shape[0] == 2 * deals
        and cards.shape[1] == 2 and cards.shape[2] == 5
        and acts.shape[1] == chances.shape[1] == wins.shape[1] == PM_STUD_MOST_ACTS and chances.shape[2] == 3
    ):
        raise ValueError("what is kept must have room for two games a deal")
    players[0] = &one.c
    players[1] = &two.c
    for k in range(52):
        deck[k] = k
    with nogil:
        for deal in range(deals):
            for k in range(10):
                other = k + <int> pm_random_below(&random, 52 - k)
                card = deck[other]
                deck[other] = deck[k]
                deck[k] = card
            for k in range(2):
                for j in range(4):
                    seeds[k][j] = pm_random_next(&random)
            for game in range(2):
                for k in range(2):
                    for j in range(5):
                        table.card[k][j] = <uint8_t> deck[5 * (k ^ game) + j]
                    pm_random_seed(&own[k], seeds[k ^ game])
                table.tie = <int> (deal & 1) ^ game
                pm_stud_play(&table, players, e, own, &record)
                payoffs[deal, game] = record.payoff
                if keep:
                    g = 2 * deal + game
                    memcpy(&cards[g, 0, 0], record.card, 10)
                    memcpy(&acts[g, 0], record.acts, PM_STUD_MOST_ACTS)
                    memcpy(&chances[g, 0, 0], record.p, sizeof(record.p))
                    memcpy(&wins[g, 0], record.win, sizeof(record.win))
                    lengths[g] = <uint8_t> (record.n + 128 * record.showdown)


cdef inline bint begin_game(pm_stud *table, const uint8_t *cards, int length, Py_ssize_t game) noexcept nogil:
    """Deal a game out again; false if the cards or the number of acts are not possible."""
    cdef uint64_t seen = 0
    cdef int bits = 0
    cdef int k
    for k in range(10):
        seen |= (<uint64_t> 1) << (cards[k] & 63)
        bits |= cards[k]
    if bits > 63 or seen >> 52 or pm_count_cards(seen) != 10 or (length & 127) > PM_STUD_MOST_ACTS:
        return False
    memcpy(table.card, cards, 10)
    table.tie = <int> (game >> 1 & 1) ^ <int> (game & 1)
    pm_stud_begin(table)
    return True


cdef inline bint allowed(const pm_stud *table, int code) noexcept nogil:
    """Whether an act, in eight bits, is one of the player whose turn it is, and possible."""
    cdef int act = code & 3
    if table.seat != (code >> 2 & 1) or act > PM_RAISE:
        return False
    return not (act == PM_RAISE and pm_stud_capped(table) or act == PM_FOLD and not pm_stud_owed(table))


cdef inline bint ended(const pm_stud *table, int length) noexcept nogil:
    """Whether a game is over, with cards shown if its length says so."""
    return table.seat < 0 and (table.folded < 0) == (length >> 7)


def check_games(
    int ante,
    bets,
    int max_bets,
    const uint8_t[:, :, ::1] cards,
    const uint8_t[:, ::1] acts,
    const uint8_t[::1] lengths,
):
    """Play games again, so as to see whether they keep to the rules, and their acts are what they say of themselves.

    Parameters
    ----------
    ante, bets, max_bets
        See `StudState`.
    cards, acts, lengths
        As `play` fills them, from an even deal on.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is out of range, or a game breaks the rules.
    """
    cdef pm_stud table
    cdef Py_ssize_t games = cards.shape[0]
    cdef Py_ssize_t g
    cdef Py_ssize_t bad = -1
    cdef int k, act
    take_spec(ante, bets, max_bets, &table.spec)
    if not (
        acts.shape[0] == lengths.shape[0] == games and cards.shape[1] == 2 and cards.shape[2] == 5
        and acts.shape[1] == PM_STUD_MOST_ACTS
    ):
        raise ValueError("games must be as they were played")
    with nogil:
        for g in range(games):
            if not begin_game(&table, &cards[g, 0, 0], lengths[g], g):
                bad = g
                break
            for k in range(lengths[g] & 127):
                act = acts[g, k] & 3
                if not allowed(&table, acts[g, k]) or (acts[g, k] & 127) != pm_stud_code(&table, act, 0):
                    bad = g
                    break
                pm_stud_act(&table, act)
            if bad >= 0 or not ended(&table, lengths[g]):
                bad = g
                break
    if bad >= 0:
        raise ValueError(f"game {bad} breaks the rules")


def judge(
    Player player,
    int who,
    int ante,
    bets,
    int max_bets,
    const uint8_t[:, :, ::1] cards,
    const uint8_t[:, ::1] acts,
    const uint8_t[::1] lengths,
    double[:, ::1] wins,
):
    """What a player would have believed in games that were played, perhaps by somebody else in his place.

    Parameters
    ----------
    player : Player
    who : int
        Whose place he takes.
    ante, bets, max_bets
        See `StudState`.
    cards, acts, lengths
        As `play` fills them, from an even deal on.
    wins : float64 (games, 24)
        Filled with his probability of winning where he has to act; the rest stays as it is.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is out of range, or a game breaks the rules.
    """
    cdef const pm_evaluator *e = tables()
    cdef pm_stud table
    cdef pm_stud_belief belief
    cdef pm_stud_choice choice
    cdef Py_ssize_t games = cards.shape[0]
    cdef Py_ssize_t g
    cdef Py_ssize_t bad = -1
    cdef int k, act, round, acted
    take_spec(ante, bets, max_bets, &table.spec)
    if not (
        acts.shape[0] == lengths.shape[0] == wins.shape[0] == games and cards.shape[1] == 2 and cards.shape[2] == 5
        and acts.shape[1] == wins.shape[1] == PM_STUD_MOST_ACTS
    ):
        raise ValueError("games must be as they were played")
    if who != 0 and who != 1:
        raise ValueError(f"there are players 0 and 1, got {who}")
    with nogil:
        for g in range(games):
            if not begin_game(&table, &cards[g, 0, 0], lengths[g], g):
                bad = g
                break
            round = -1
            acted = 0
            for k in range(lengths[g] & 127):
                if not allowed(&table, acts[g, k]):
                    bad = g
                    break
                act = acts[g, k] & 3
                if table.round != round:
                    round = table.round
                    acted = 0
                    pm_stud_new_round(&player.c, e, &table, who, &belief)
                if table.seat == who:
                    pm_stud_decide(&player.c, e, &table, &belief, not acted, &choice)
                    acted = 1
                    wins[g, k] = choice.win
                else:
                    pm_stud_observe(&player.c, &table, act, &belief)
                pm_stud_act(&table, act)
            if bad >= 0 or not ended(&table, lengths[g]):
                bad = g
                break
    if bad >= 0:
        raise ValueError(f"game {bad} breaks the rules")


cdef struct Found:
    Py_ssize_t rows
    Py_ssize_t actions
    Py_ssize_t entries


cdef inline bint observe_game(
    const pm_type_scheme *types, int form, int columns, int observer, bint reveal,
    const uint8_t *cards, const uint8_t *acts, int length, const double *chances,
    Py_ssize_t *shown, double *prior, double *survival, Py_ssize_t *cells, Found *found
) noexcept nogil:
    """What a game shows of the observer's opponent; false if nothing."""
    cdef const pm_evaluator *e = tables()
    cdef int n = length & 127
    cdef int he = 1 - observer
    cdef int code, k, act, round, column, m, dealt, card, rows, row
    cdef int situations[24]
    cdef int columns_of[24]
    cdef int rounds[24]
    cdef uint64_t keys[52]
    cdef uint64_t key
    cdef uint64_t known = 0
    cdef int used = 0
    cdef double survives = 1.0
    cdef uint8_t hand[5]
    m = 0
    for k in range(n):
        code = acts[k]
        if (code >> 2 & 1) != he:
            continue
        act = code & 3
        round = code >> 3 & 3
        column = pm_stud_column(form, code >> 5 & 1, act)
        if column < 0:
            continue
        situations[m] = pm_stud_situation(form, round, code >> 5 & 1, code >> 6 & 1)
        columns_of[m] = column
        rounds[m] = round
        used |= 1 << round
        m += 1
    if m == 0:
        return False
    # from the last act on: what we had to live through behind each of his
    row = m
    for k in range(n - 1, -1, -1):
        code = acts[k]
        if (code >> 2 & 1) == observer:
            survives *= 1.0 - chances[3 * k]
        elif pm_stud_column(form, code >> 5 & 1, code & 3) >= 0:
            row -= 1
            survival[found.actions + row] = survives
    dealt = (acts[n - 1] >> 3 & 3) + 2
    for k in range(dealt):
        known |= (<uint64_t> 1) << cards[5 * observer + k]
        hand[k] = cards[5 * he + k]
        if k:
            known |= (<uint64_t> 1) << hand[k]
    rows = 0
    shown[0] = -1
    for card in range(52):
        if known >> card & 1:
            continue
        hand[0] = <uint8_t> card
        key = 0
        for k in range(4):
            if used >> k & 1:
                key |= (<uint64_t> pm_hand_state(types, e, hand, k + 2)) << (8 * k)
        row = 0
        while row < rows and keys[row] != key:
            row += 1
        if row == rows:
            keys[row] = key
            prior[found.rows + row] = 0.0
            rows += 1
        prior[found.rows + row] += 1.0 / (52 - 2 * dealt + 1)
        if card == cards[5 * he] and (reveal or length & 128):
            shown[0] = row
    for row in range(rows):
        for k in range(m):
            cells[found.entries] = (
                situations[k] * PM_STATES + <int> (keys[row] >> (8 * rounds[k]) & 0xff)) * columns + columns_of[k]
            found.entries += 1
    found.rows += rows
    found.actions += m
    return True


def observations(
    Types types,
    str form,
    int columns,
    int observer,
    bint reveal,
    const uint8_t[:, :, ::1] cards,
    const uint8_t[:, ::1] acts,
    const uint8_t[::1] lengths,
    const double[:, :, ::1] chances,
    Py_ssize_t[::1] shown,
    double[::1] prior,
    double[::1] survival,
    Py_ssize_t[::1] cells,
    Py_ssize_t[::1] first_row,
    Py_ssize_t[::1] first_action,
    Py_ssize_t[::1] games,
):
    """Put games into the columns of a `pokermodel.reading.parts.action_tables.HandSet`.

    Parameters
    ----------
    types : Types
    form : {"ctx", "act2", "act4"}
    columns : int
        Acts of the tables.
    observer : int
        The player who observes the other one.
    reveal : bool
        Whether he sees the other's card in every game, not only where it was shown.
    cards, acts, lengths, chances
        As `play` fills them. Only shapes are looked at: `check_games` finds games that break the rules.
    shown, prior, survival, cells, first_row, first_action
        Filled; there must be room for 50 candidates and 12 acts of each game.
    games : intp (games,)
        Filled with the games in which the other player did something that counts.

    Returns
    -------
    tuple of int
        Hands, candidates, actions and entries.

    Raises
    ------
    ValueError
        If a shape does not fit.
    """
    cdef Py_ssize_t n = cards.shape[0]
    cdef Py_ssize_t hands = 0
    cdef Py_ssize_t g
    cdef Found found
    cdef int kind
    if form not in FORMS:
        raise ValueError(f"unknown form {form!r}: expected one of {', '.join(FORMS)}")
    kind = FORMS[form]
    if not (
        acts.shape[0] == lengths.shape[0] == chances.shape[0] == n and cards.shape[1] == 2 and cards.shape[2] == 5
        and acts.shape[1] == chances.shape[1] == PM_STUD_MOST_ACTS and chances.shape[2] == 3
    ):
        raise ValueError("games must be as they were played")
    if (
        shown.shape[0] < n or games.shape[0] < n or first_row.shape[0] < n + 1 or first_action.shape[0] < n + 1
        or prior.shape[0] < 50 * n or survival.shape[0] < 12 * n or cells.shape[0] < 600 * n
    ):
        raise ValueError("there must be room for 50 candidates and 12 acts of each game")
    if observer != 0 and observer != 1:
        raise ValueError(f"there are players 0 and 1, got {observer}")
    found.rows = found.actions = found.entries = 0
    first_row[0] = first_action[0] = 0
    with nogil:
        for g in range(n):
            if observe_game(
                &types.c, kind, columns, observer, reveal, &cards[g, 0, 0], &acts[g, 0], lengths[g],
                &chances[g, 0, 0], &shown[hands], &prior[0], &survival[0], &cells[0], &found
            ):
                games[hands] = g
                hands += 1
                first_row[hands] = found.rows
                first_action[hands] = found.actions
    return hands, found.rows, found.actions, found.entries
