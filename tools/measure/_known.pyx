"""Hands played on by generated players (`tools.measure.generated`), whose policies stand here once more, compiled.

A test compares both. A fold that ends the hand is not drawn but counts by its chance, as ``play_outs.h`` explains.

The hero goes by a rule of play-outs (``later_acts.h``), and acts by the very functions that play-outs have.
"""

from cython cimport final
from libc.math cimport exp, nearbyint, pow, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

import numpy as np

from pokermodel._core.evaluator cimport pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
from pokermodel._core.rules cimport (
    PM_CALL,
    PM_DEEP,
    PM_FOLD,
    PM_LIMIT,
    PM_ODD_SPLIT,
    PM_RAISE,
    PM_SEATS,
    State,
    pm_act_to,
    pm_count_seats,
    pm_is_over,
    pm_legal,
    pm_num_bets,
    pm_position,
    pm_raise_range,
    pm_round_base,
    pm_state,
    pm_table,
    pm_to_call,
    pm_winnings,
)


cdef extern from "pokermodel/readers/play_outs.h" nogil:
    enum:
        PM_STRENGTHS
        PM_LATER_KINDS
        PM_LATER_ACTS
        PM_LATER_BASIS

    ctypedef struct pm_later:
        pass

    ctypedef struct pm_later_rule:
        const double *worth
        double share

    ctypedef struct pm_crowd:
        int sized

    ctypedef struct pm_faced:
        pass

    ctypedef struct pm_play_out:
        const pm_crowd *crowd
        pm_table table
        int hero
        int64_t put
        const pm_later_rule *rule

    void pm_state_faced(const pm_state *s, int sized, pm_faced *faced) noexcept
    void pm_play_out_later(const pm_play_out *play, const pm_state *s, const pm_faced *faced, const int16_t *rows,
                           int first, int raiser, pm_later *now) noexcept
    int pm_later_best(const pm_later_rule *rule, const pm_later *now, unsigned legal) noexcept
    int64_t pm_play_out_own_size(const pm_play_out *play, const pm_state *s) noexcept


cdef enum:
    NUMBERS = 20  # of a policy
    DRAWS = 12  # random numbers of a player and a hand: later actions take them again
    THRESHOLD = 0  # kinds of policies
    CHART = 1

KINDS = {"Threshold": THRESHOLD, "Chart": CHART}
SHAPE = (PM_LATER_KINDS, PM_LATER_ACTS, PM_LATER_BASIS)  # of a rule

ctypedef struct Policy:
    int kind
    double by[NUMBERS]

# What a policy sees, and what it may do.
ctypedef struct Seen:
    int round, bets, behind, others
    double price, now, draw
    int high, low  # of the holding
    bint can_fold
    int sizes
    int64_t to[2]

# What stays the same in all deals.
ctypedef struct Setting:
    pm_table table
    pm_state state
    int hero
    int64_t put  # chips that the hero has put in
    Policy policy[PM_SEATS]
    int raiser  # who bet or raised last; -1 for nobody
    double share  # of the pot after a call that the hero's bets have
    pm_crowd crowd
    pm_play_out play

# A deal.
ctypedef struct Deal:
    const uint8_t *board
    const int16_t *held
    const float *now  # by round and seat
    const float *draw
    const double *at  # by seat
    const int8_t *own  # of the hero by round: the bin of strength and the draw
    int32_t ranks[PM_SEATS]


cdef inline double soft(double away, double width) noexcept nogil:
    return 1.0 / (1.0 + exp(-max(-40.0, min(40.0, away / width))))


cdef inline int high_of(int holding) noexcept nogil:
    cdef int high = 1
    while high * (high + 1) // 2 <= holding:
        high += 1
    return high


cdef inline void see(const pm_state *s, Seen *to) noexcept nogil:
    cdef int64_t owed = pm_to_call(s, s.seat)
    cdef int64_t base = pm_round_base(s)
    cdef int64_t least, most, one
    cdef unsigned legal = pm_legal(s)
    cdef double size, wanted
    cdef int k
    to.round, to.bets, to.behind = s.round, pm_num_bets(s), pm_position(s, s.seat)
    to.others = pm_count_seats(s.live) - 1
    to.price = <double> owed / <double> (s.pot + owed)
    to.can_fold = legal >> PM_FOLD & 1
    to.sizes = 0
    if legal >> PM_RAISE & 1:
        pm_raise_range(s, &least, &most)
        for k in range(2):
            size = .5 if k == 0 else 1.0
            wanted = <double> (s.chips_in[s.seat] - base + owed) + size * <double> (s.pot + owed)
            one = max(base + <int64_t> nearbyint(wanted), least)
            if most < PM_DEEP or s.table.structure == PM_LIMIT:
                one = min(one, most)
            if to.sizes == 0 or one != to.to[0]:
                to.to[to.sizes] = one
                to.sizes += 1


cdef inline int kind_of(const Seen *seen, const uint8_t *board) noexcept nogil:
    cdef int one = seen.high // 4
    cdef int two = seen.low // 4
    cdef int top = 0
    cdef int count = 0
    cdef int first = -1
    cdef bint has_one = False
    cdef bint has_two = False
    cdef int k, rank
    for k in range(seen.round + 2):
        rank = board[k] // 4
        top = max(top, rank)
        has_one |= rank == one
        has_two |= rank == two
    if one == two:
        first, count = one, 2 if has_one else 1
    else:
        count = has_one + has_two
        first = one if has_one else two
    if count == 2 or seen.now > 0.97:
        return 4
    if count:
        return 3 if first >= top else 2
    return 1 if seen.draw > 0.12 else 0


cdef inline int spread(const Seen *seen, double fold, double raises, double large, double *out) noexcept nogil:
    """As `Facing.spread`; the number of options."""
    cdef int n = 0
    if not seen.can_fold:
        fold = 0.0
    if not seen.sizes:
        raises = 0.0
    if seen.can_fold:
        out[0] = fold
        n = 1
    out[n] = max(0.0, 1.0 - fold - raises)
    n += 1
    if seen.sizes == 1:
        out[n] = raises
        n += 1
    elif seen.sizes == 2:
        out[n], out[n + 1] = raises * (1.0 - large), raises * large
        n += 2
    return n


cdef inline int chances(const Policy *policy, const Seen *seen, const uint8_t *board, double *out) noexcept nogil:
    """As `Policy.chances`; the number of options."""
    cdef const double *p = policy.by
    cdef double now = seen.now
    cdef double early, enter, stays, value, need, strong, bluffs, bold
    cdef int raises, kind
    if policy.kind == CHART:  # enter, folds, bets, raises
        if seen.round == 0:
            enter = p[0] if seen.bets < 2 else 1.0 - (1.0 - p[0]) * pow(.5, seen.bets - 1)
            bold = .9 * soft(now - .5 - .5 * enter, .02)
            return spread(seen, (1.0 - bold) * (1.0 - soft(now - enter, .02)), bold, .5, out)
        kind = kind_of(seen, board)
        if seen.round == 3 and kind == 1:
            kind = 0
        if seen.price == 0.0:
            return spread(seen, 0.0, p[6 + kind], .5, out)
        bold = p[11 + kind] * pow(.5, max(0, seen.bets - 1))
        return spread(seen, (1.0 - bold) * p[1 + kind], bold, .5, out)
    # enter, reraise, stay, value, bluff, respect, slow, width
    if seen.round == 0:
        early, raises = .02 * seen.behind, seen.bets - 1
        enter = p[0] + early if raises <= 0 else p[0] + (1.0 - p[0]) * (.3 + .2 * raises)
        stays, value = soft(now - enter, p[7]), p[1] + (.04 * raises if raises > 0 else early - .1)
    else:
        now = pow(now, max(1.0, sqrt(<double> seen.others)))
        raises = seen.bets - 1 if seen.price != 0.0 else 0
        need = p[2] * seen.price / .34 + p[5] * raises
        stays = soft(now + 1.5 * seen.draw - need, 1.5 * p[7])
        value = p[3] + p[5] * seen.bets
    strong = soft(now - value, p[7])
    bluffs = (1.0 - strong) * p[4] * (1.0 if seen.round else .3) * (pow(.4, raises) if raises > 0 else 1.0)
    bold = min(.98, strong * (1.0 - p[6] * (seen.round < 3)) + bluffs * (1.0 + 3.0 * seen.draw))
    return spread(seen, (1.0 - bold) * (1.0 - stays), bold, .2 + .6 * strong, out)


cdef inline int pick(const double *chance, int n, double at) noexcept nogil:
    cdef int k
    for k in range(n):
        at -= chance[k]
        if at < 0.0:
            return k
    for k in range(n - 1, 0, -1):
        if chance[k] > 0.0:
            return k
    return 0


cdef inline double end(const Setting *setting, const pm_state *s, const int32_t *ranks) noexcept nogil:
    """What the hero gets of a hand that is over, less what they put in."""
    cdef int hero = setting.hero
    cdef double won[PM_SEATS]
    cdef double cost = <double> (setting.put - s.chips_in[hero] - s.table.dead[hero])
    if not s.live >> hero & 1:
        return cost
    pm_winnings(s, ranks, won)
    return cost + won[hero]


cdef void find_ranks(const Setting *setting, Deal *deal) noexcept nogil:
    cdef const pm_evaluator *e = tables()
    cdef pm_hand board = pm_hand_empty()
    cdef int k, high
    for k in range(5):
        board = pm_hand_add(e, board, deal.board[k])
    for k in range(setting.table.players):
        high = high_of(deal.held[k])
        deal.ranks[k] = <int32_t> pm_hand_rank(
            e, pm_hand_add(e, pm_hand_add(e, board, high), deal.held[k] - high * (high - 1) // 2))


cdef double play_on(
    const Setting *setting, const Deal *deal, int act, int64_t to, const double *worth_of, bint drawn, bint *asked
) noexcept nogil:
    """What an act wins in chips, if the hero goes on by a rule, and whether they acted again.

    With `drawn`, folds that end the hand are drawn.
    """
    cdef pm_state s = setting.state
    cdef pm_state last
    cdef Seen seen
    cdef int taken[PM_SEATS]
    cdef double chance[4]
    cdef double worth = 0.0
    cdef double weight = 1.0
    cdef double at
    cdef int players = setting.table.players
    cdef int raiser = setting.raiser
    cdef int k = 0
    cdef int n, seat
    cdef pm_play_out play = setting.play
    cdef pm_later_rule rule
    cdef pm_later now
    cdef pm_faced faced
    cdef int16_t rows[2]
    rule.worth, rule.share = worth_of, setting.share
    play.crowd, play.rule = &setting.crowd, &rule
    s.table = &setting.table
    asked[0] = False
    for k in range(players):
        taken[k] = 0
    while True:
        seat = s.seat
        raiser = seat if act == PM_RAISE else raiser
        pm_act_to(&s, act, to)
        if pm_is_over(&s) or (act == PM_FOLD and seat == setting.hero):
            return worth + weight * end(setting, &s, deal.ranks)
        seat = s.seat
        if seat == setting.hero:
            asked[0] = True
            pm_state_faced(&s, setting.crowd.sized, &faced)
            rows[0], rows[1] = deal.own[2 * s.round], PM_STRENGTHS + deal.own[2 * s.round + 1]
            pm_play_out_later(&play, &s, &faced, rows, 0, raiser, &now)
            act = pm_later_best(&rule, &now, pm_legal(&s))
            to = pm_play_out_own_size(&play, &s) if act == PM_RAISE else 0
            continue
        at = deal.at[seat * DRAWS + taken[seat] % DRAWS]
        taken[seat] += 1
        see(&s, &seen)
        seen.now, seen.draw = deal.now[s.round * players + seat], deal.draw[s.round * players + seat]
        seen.high = high_of(deal.held[seat])
        seen.low = deal.held[seat] - seen.high * (seen.high - 1) // 2
        n = chances(&setting.policy[seat], &seen, deal.board, chance)
        if seen.can_fold and not drawn and pm_count_seats(s.live) == 2 and chance[0] > 0.0:
            last = s
            pm_act_to(&last, PM_FOLD, 0)
            worth += weight * chance[0] * end(setting, &last, deal.ranks)
            weight *= 1.0 - chance[0]
            if weight <= 1e-12:
                return worth
            at = chance[0] + at * (1.0 - chance[0])
        k = pick(chance, n, at)
        to = 0
        if seen.can_fold and k == 0:
            act = PM_FOLD
        elif k == seen.can_fold:
            act = PM_CALL
        else:
            act, to = PM_RAISE, seen.to[k - seen.can_fold - 1]


cdef int take_policy(numbers, Policy *to) except -1:
    cdef int k = 0
    cdef tuple by
    by = tuple(numbers)
    if len(by) > NUMBERS + 1:
        raise ValueError("a policy has too many numbers")
    to.kind = by[0]
    for k in range(NUMBERS):
        to.by[k] = 0.0
    k = 0
    for each in by[1:]:
        to.by[k] = each
        k += 1
    return 0


@final
cdef class Table:
    """Generated players who play hands on.

    Parameters
    ----------
    policies : dict of int to sequence of float
        By seat of an opponent: the kind of policy and its numbers (`tools.measure.truth.numbers_of`).
    """

    cdef Setting setting

    def __cinit__(self, policies):
        for seat, numbers in policies.items():
            take_policy(numbers, &self.setting.policy[<int?> seat])

    cdef int begin(self, State state) except -1:
        if state.c.seat < 0:
            raise ValueError("the hand is over")
        self.setting.table, self.setting.state = state.table.c, state.c
        self.setting.table.odd_chips = PM_ODD_SPLIT
        self.setting.state.table = &self.setting.table
        self.setting.hero = state.c.seat
        self.setting.put = state.c.chips_in[state.c.seat] + state.table.c.dead[state.c.seat]
        self.setting.crowd.sized = self.setting.table.structure != PM_LIMIT
        self.setting.play.table, self.setting.play.hero = self.setting.table, self.setting.hero
        self.setting.play.put = self.setting.put
        return 0

    cdef int take_act(self, option, int *found, int64_t *goes) except -1:
        cdef int64_t least, most
        act, to = option
        found[0], goes[0] = act, 0
        if found[0] == PM_RAISE:
            pm_raise_range(&self.setting.state, &least, &most)
            goes[0] = least if to is None else to + pm_round_base(&self.setting.state)
            if not least <= goes[0] <= most:
                raise ValueError(f"a raise cannot go to {to}")
        return 0

    def play(self, State state not None, int raiser, options, rules, double share, const uint8_t[:, ::1] boards,
             const int16_t[:, ::1] held, const float[:, :, ::1] now, const float[:, :, ::1] draw,
             const double[:, :, ::1] at, const int8_t[:, :, ::1] own, bint drawn=False):
        """What options win in chips, by deal, option and rule of the hero: float64 (deals, options, rules).

        `raiser` bet or raised last; -1 stands for nobody. The hero's bets are a `share` of the pot after a call. `now`
        and `draw` are float32 (deals, 4, seats), `at` are random numbers, float64 (deals, seats, 12), and `own` are bins
        of the hero's strength and draws as play-outs have them, int8 (deals, 4, 2).
        """
        self.begin(state)
        self.setting.raiser, self.setting.share = raiser, share
        cdef Py_ssize_t n = len(boards)
        cdef Py_ssize_t d
        cdef int many = len(options)
        cdef int ways = len(rules)
        cdef int k, j
        cdef int act[64]
        cdef int64_t to[64]
        cdef bint asked
        cdef Deal deal
        table = np.ascontiguousarray(rules, dtype=np.float64)
        if table.shape[1:] != SHAPE:
            raise ValueError(f"a rule has shape {SHAPE}, got {table.shape[1:]}")
        cdef const double[:, :, :, ::1] worth = table
        if many > 64 or held.shape[1] != self.setting.table.players or at.shape[2] != DRAWS:
            raise ValueError("expected at most 64 options, and a holding and 12 numbers for every seat")
        for k in range(many):
            self.take_act(options[k], &act[k], &to[k])
        found = np.zeros((n, many, ways))
        cdef double[:, :, ::1] out = found
        with nogil:
            for d in range(n):
                deal.board, deal.held, deal.at, deal.own = &boards[d, 0], &held[d, 0], &at[d, 0, 0], &own[d, 0, 0]
                deal.now, deal.draw = &now[d, 0, 0], &draw[d, 0, 0]
                find_ranks(&self.setting, &deal)
                for k in range(many):
                    if act[k] == PM_FOLD:
                        continue
                    asked = True
                    for j in range(ways):
                        if j and not asked:  # the same whatever the hero does later
                            out[d, k, j] = out[d, k, 0]
                            continue
                        out[d, k, j] = play_on(&self.setting, &deal, act[k], to[k], &worth[j, 0, 0, 0], drawn, &asked)
        return found


def all_chances(numbers, State state not None, const float[::1] now not None, const float[::1] draw not None,
                const uint8_t[::1] board not None, int option):
    """How likely an option is with each holding: float64 (1326,)."""
    cdef Policy policy
    cdef Seen seen
    cdef double out[4]
    cdef int k
    take_policy(numbers, &policy)
    see(&state.c, &seen)
    found = np.zeros(1326)
    cdef double[::1] to = found
    for k in range(1326):
        seen.high = high_of(k)
        seen.low = k - seen.high * (seen.high - 1) // 2
        seen.now, seen.draw = now[k], draw[k]
        chances(&policy, &seen, &board[0], out)
        to[k] = out[option]
    return found
