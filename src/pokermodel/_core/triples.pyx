"""Probability triples, for one holding and for all: the C functions of ``pokermodel/game/triples.h``."""

from array import array
from itertools import chain
from operator import index

from cython cimport final
from libc.math cimport INFINITY, isfinite, isnan, NAN
from libc.stdlib cimport free, malloc

from pokermodel._core.reweighting cimport pm_table_kernels, pm_table_kernels_at
from pokermodel._core.rules cimport State, pm_state
from pokermodel._core.simd cimport level_in_use


cdef extern from "pokermodel/ranges/expected_triples.h" nogil:
    void pm_mean_by_act(const double *weights, const double *triples, Py_ssize_t n, double *mean) noexcept


cdef dict FORMS = {"printed": PM_PRINTED, "own": PM_OWN, "reweighting": PM_REWEIGHTING}
cdef double LARGEST = 1e15
cdef double LEAST_TILT = 1e-6


cdef double number(value, double low, double high, str what) except? -1:
    cdef double found = value
    if not low <= found <= high:     # nan is refused, too
        bounds = f"{low:g} to {high:g}" if isfinite(high) else f"{low:g} or more"
        raise ValueError(f"{what} must be {bounds}, got {value}")
    return found


cdef int whole(value, int low, int high, str what) except? -1:
    try:
        value = index(value)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, got {value!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{what} must be {low} to {high}, got {value}")
    return value


cdef double amount(double chips, str what) except -1:
    if not 0 <= chips <= LARGEST:     # nan is refused, too
        raise ValueError(f"{what} must be 0 or more chips, got {chips}")
    return chips


cdef double bet_of(double bet) except -1:
    if amount(bet, "bet") == 0:
        raise ValueError("bet must be positive, got 0")
    return bet


def pot_odds(double pot, double chips):
    """Return the least chance to win that pays for putting chips in: ``chips/(pot + chips)``.

    Parameters
    ----------
    pot : float
        Chips in the pot before, the bet that is to be called included.
    chips : float
        Chips to put in.

    Returns
    -------
    float
        0 if no chips are to be put in.

    Raises
    ------
    ValueError
        If an amount is negative or not a number.
    """
    amount(pot, "pot")
    return pm_odds_to_call(pot, chips) if amount(chips, "chips") > 0 else 0.0


def showdown_odds(double pot, double to_call, double bet, *, bint flop):
    """Return the least strength that pays for calling down (Papp 1998, Fig 6.3).

    It is ``(to_call + cost)/(pot + to_call + 2*cost)``, where `cost` is four bets on the flop and one on the turn.

    Parameters
    ----------
    pot : float
        Chips in the pot, the bet that is to be called included.
    to_call : float
        Chips to call.
    bet : float
        Chips of a bet in this round.
    flop : bool
        Whether it is the flop, and not the turn.

    Raises
    ------
    ValueError
        If an amount is negative or not a number, or a bet is no chips.
    """
    amount(pot, "pot")
    amount(to_call, "to_call")
    return pm_odds_to_call_down(pot, to_call, bet_of(bet), flop)


def semi_bluff_odds(double pot, double bet):
    """Return the least potential that pays for a bet into no bet: ``2*bet/(pot + 6*bet)`` (Papp 1998, Fig 6.3).

    Parameters
    ----------
    pot : float
        Chips in the pot.
    bet : float
        Chips of a bet in this round.

    Raises
    ------
    ValueError
        If an amount is negative or not a number, or a bet is no chips.
    """
    return pm_odds_to_semi_bluff(amount(pot, "pot"), bet_of(bet))


cdef int check_one(double value, double potential, double effective) except -1:
    if not (isfinite(value) and isfinite(potential) and isfinite(effective)):
        raise ValueError(
            f"value, potential and effective strength must be finite, got {value}, {potential}, {effective}"
        )
    return 0


@final
cdef class TripleSpot:
    """What everybody sees of the situation before an action.

    Parameters
    ----------
    round : int
        0 before the flop to 3 river.
    pot, to_call, bet : float
        Chips: all that are in, the bets of this round included; those to call; and the size of a bet.
    bets_to_call : int
        Bets to call, rounded up; a million stands for more.
    num_bets : int
        Bets and raises of all players in this round.
    can_raise : bool
        Whether the rules allow a raise.

    Raises
    ------
    ValueError
        If an amount is negative or not a number, there is no such round, or `to_call` and `bets_to_call` contradict
        each other.
    """

    def __cinit__(self, round, pot, to_call, bet, bets_to_call, num_bets, bint can_raise):
        cdef pm_spot *spot = &self.c
        spot.round = whole(round, 0, 3, "round")
        spot.pot = number(pot, 0, LARGEST, "pot")
        spot.to_call = number(to_call, 0, LARGEST, "to_call")
        spot.bet = number(bet, 0, LARGEST, "bet")
        spot.bets_to_call = whole(bets_to_call, 0, 1_000_000, "bets_to_call")
        spot.num_bets = whole(num_bets, 0, 1_000_000, "num_bets")
        spot.can_raise = can_raise
        if spot.bet <= 0:
            raise ValueError(f"bet must be positive, got {bet}")
        if (spot.to_call > 0) != (spot.bets_to_call > 0):
            raise ValueError(f"to_call {to_call} and bets_to_call {bets_to_call} contradict each other")

    @staticmethod
    def of(State state):
        """Describe the situation of the seat to act; raises `ValueError` if the hand is over."""
        cdef const pm_state *s = &state.c
        cdef TripleSpot spot
        if s.seat < 0:
            raise ValueError("the hand is over")
        spot = TripleSpot.__new__(TripleSpot, 0, 0, 0, 1, 0, 0, False)
        spot.c = pm_spot_of(s)
        return spot

    def __repr__(self):
        cdef pm_spot *spot = &self.c
        return (
            f"TripleSpot(round={spot.round}, pot={spot.pot:g}, to_call={spot.to_call:g}, bet={spot.bet:g}, "
            f"bets_to_call={spot.bets_to_call}, num_bets={spot.num_bets}, can_raise={bool(spot.can_raise)})"
        )

    def __eq__(self, other):
        if not isinstance(other, TripleSpot):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    __hash__ = None

    def __reduce__(self):
        cdef pm_spot *spot = &self.c
        return TripleSpot, (
            spot.round, spot.pot, spot.to_call, spot.bet, spot.bets_to_call, spot.num_bets, bool(spot.can_raise)
        )

    @property
    def round(self):
        return self.c.round

    @property
    def pot(self):
        return self.c.pot

    @property
    def to_call(self):
        return self.c.to_call

    @property
    def bet(self):
        return self.c.bet

    @property
    def bets_to_call(self):
        return self.c.bets_to_call

    @property
    def num_bets(self):
        return self.c.num_bets

    @property
    def can_raise(self):
        return bool(self.c.can_raise)

    @property
    def pot_odds(self):
        """Least chance to win that pays for a call."""
        return pm_pot_odds(&self.c) if self.c.to_call > 0 else 0.0

    @property
    def showdown_odds(self):
        """Least strength that pays for calling down, on flop and turn."""
        return pm_showdown_odds(&self.c)

    @property
    def semi_bluff_odds(self):
        """Least potential that pays for a bet if there is none to call."""
        return pm_semi_bluff_odds(&self.c)


@final
cdef class Generator:
    """How a player decides, as the kernels take it; never changed.

    Parameters
    ----------
    form : {"printed", "own", "reweighting"}
        Which rules are applied.
    borders : float64 (3, 4)
        By bets to call (0, 1, 2 or more): RAISE, MINRAISE, CALL, MINCALL.
    table : float64 (3, bins, 3) or None
        Triples by bets to call and value, instead of the borders.
    pot_odds, showdown_odds, semi_bluff, two_bet_limit : bool
        Which of the rules that can be switched are on.
    least, noise : float
        Least entry and share of noise in re-weighting.
    tilts : float64 (3, 3), optional
        By bets to call, factors of the three entries, which are then divided by their sum.

    Raises
    ------
    ValueError
        If the form is unknown, borders are not finite or fall out of order, a row of the table is no triple, `least`
        or `noise` are out of range, or a factor is not positive and finite.
    """

    def __cinit__(self, form, const double[:, ::1] borders, const double[:, :, ::1] table,
                  bint pot_odds, bint showdown_odds, bint semi_bluff, bint two_bet_limit, least, noise,
                  const double[:, ::1] tilts=None):
        cdef pm_generator *g = &self.c
        cdef int b, k, n
        if form not in FORMS:
            raise ValueError(f"unknown form {form!r}: expected one of {', '.join(FORMS)}")
        g.form = FORMS[form]
        if borders.shape[0] != 3 or borders.shape[1] != 4:
            raise ValueError(f"borders must have shape (3, 4), got ({borders.shape[0]}, {borders.shape[1]})")
        for b in range(3):
            for k in range(4):
                if not isfinite(borders[b, k]):
                    raise ValueError(f"borders must be finite, got {borders[b, k]} for {b} bets to call")
            if borders[b, 0] < borders[b, 1] or borders[b, 2] < borders[b, 3]:
                raise ValueError(
                    f"borders must not fall below their lower ones: expected RAISE >= MINRAISE and CALL >= MINCALL "
                    f"for {b} bets to call, got {list(borders[b])}"
                )
            g.at[b].raise_high = borders[b, 0]
            g.at[b].raise_low = borders[b, 1]
            g.at[b].call_high = borders[b, 2]
            g.at[b].call_low = borders[b, 3]
        g.features = (
            PM_POT_ODDS * pot_odds | PM_SHOWDOWN_ODDS * showdown_odds
            | PM_SEMI_BLUFF * semi_bluff | PM_TWO_BET_LIMIT * two_bet_limit
        )
        g.least = number(least, 0, 1, "least")
        g.noise = number(noise, 0, 1, "noise")
        g.tilted = tilts is not None
        if tilts is not None:
            if tilts.shape[0] != 3 or tilts.shape[1] != 3:
                raise ValueError(f"tilts must have shape (3, 3), got ({tilts.shape[0]}, {tilts.shape[1]})")
            for b in range(3):
                for k in range(3):
                    g.tilt[b][k] = number(tilts[b, k], LEAST_TILT, 1 / LEAST_TILT, "a tilt")
        g.table = NULL
        g.bins = 0
        if table is None:
            return
        if table.shape[0] != 3 or table.shape[1] < 1 or table.shape[2] != 3:
            raise ValueError(
                f"a table of triples must have shape (3, bins, 3), "
                f"got ({table.shape[0]}, {table.shape[1]}, {table.shape[2]})"
            )
        g.bins = <int> table.shape[1]
        self.table = <double *> malloc(9 * g.bins * sizeof(double))
        if self.table is NULL:
            raise MemoryError
        for b in range(3):
            for n in range(g.bins):
                check_triple(table[b, n], b, n)
                for k in range(3):
                    self.table[3 * (b * g.bins + n) + k] = table[b, n, k]
        g.table = self.table

    def __dealloc__(self):
        free(self.table)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        cdef pm_generator *g = &self.c
        cdef int b, k, n
        borders = tuple([(at.raise_high, at.raise_low, at.call_high, at.call_low) for at in g.at[:3]])
        table = tilts = None
        if g.table is not NULL:
            table = tuple([
                tuple([tuple([g.table[3 * (b * g.bins + n) + k] for k in range(3)]) for n in range(g.bins)])
                for b in range(3)
            ])
        if g.tilted:
            tilts = tuple([tuple([g.tilt[b][k] for k in range(3)]) for b in range(3)])
        switches = tuple([
            bool(g.features & each) for each in (PM_POT_ODDS, PM_SHOWDOWN_ODDS, PM_SEMI_BLUFF, PM_TWO_BET_LIMIT)
        ])
        form = {code: name for name, code in FORMS.items()}[g.form]
        return _generator, (form, borders, table, switches, g.least, g.noise, tilts)

    def triple(self, TripleSpot spot not None, double value, double potential, double effective, bint semi_bluff):
        """Return the triple of one holding.

        Parameters
        ----------
        spot : TripleSpot
            The situation.
        value, potential, effective : float
            E, chance to improve, and EHS of the holding.
        semi_bluff : bool
            Whether a semi-bluff was begun.

        Returns
        -------
        tuple of float
            Fold, call, raise.

        Raises
        ------
        ValueError
            If a number is not finite.
        """
        cdef pm_held held
        cdef pm_triple t
        check_one(value, potential, effective)
        held.value, held.potential, held.effective = value, potential, effective
        t = pm_triple_of(&self.c, &spot.c, &held, semi_bluff)
        return t.p[0], t.p[1], t.p[2]

    def triples(self, TripleSpot spot not None, const double[::1] values, const double[::1] potentials,
                const double[::1] effectives, bint semi_bluff, double[:, ::1] out):
        """Fill `out` (n, 3) with the triples of n holdings; nan where the value is nan.

        Raises
        ------
        ValueError
            If the lengths differ, or a potential or effective strength is nan where the value is not.
        """
        cdef Py_ssize_t n = values.shape[0]
        cdef Py_ssize_t i
        cdef Py_ssize_t bad = -1
        cdef int k
        cdef pm_held held
        cdef pm_triple t
        if potentials.shape[0] != n or effectives.shape[0] != n or out.shape[0] != n or out.shape[1] != 3:
            raise ValueError(
                f"{n} values need as many potentials and effective strengths, got {potentials.shape[0]} and "
                f"{effectives.shape[0]}, and an array ({n}, 3) for the triples, got ({out.shape[0]}, {out.shape[1]})"
            )
        with nogil:
            for i in range(n):
                held.value, held.potential, held.effective = values[i], potentials[i], effectives[i]
                if isnan(held.value):
                    for k in range(3):
                        out[i, k] = NAN
                    continue
                if isnan(held.potential) or isnan(held.effective):
                    bad = i
                    break
                t = pm_triple_of(&self.c, &spot.c, &held, semi_bluff)
                for k in range(3):
                    out[i, k] = t.p[k]
        if bad >= 0:
            raise ValueError(f"holding {bad} has a value, {values[bad]}, but no potential or effective strength")

    def expect(self, TripleSpot spot not None, const double[::1] values, const double[::1] potentials,
               const double[::1] weights, double[:, ::1] out, double[::1] mean):
        """Fill `out` (3, n) with the triples of n holdings by act, and `mean` (3,) with their mean by weights.

        Weights are 0 where a holding is not possible, and triples nan.

        Raises
        ------
        ValueError
            If the form is another than that for re-weighting, lengths differ, or a potential is nan where the value is
            not.
        """
        cdef Py_ssize_t n = values.shape[0]
        if self.c.form != PM_REWEIGHTING:
            raise ValueError("triples are expected by a generator of the form 'reweighting'")
        check_expected(n, potentials, weights, out, mean)
        if n:
            expect(&self.c, &spot.c, &values[0], &potentials[0], &weights[0], n, &out[0, 0], &mean[0])

    def semi_bluff_after(self, TripleSpot spot not None, double value, double potential, double effective,
                         bint semi_bluff, int act):
        """Return whether the player is in the middle of a semi-bluff after the act; arguments as for `triple`."""
        cdef pm_held held
        check_one(value, potential, effective)
        held.value, held.potential, held.effective = value, potential, effective
        return bool(pm_semi_bluff_after(&self.c, &spot.c, &held, semi_bluff, act))


def expected_triples(borders, double noise, double least, TripleSpot spot not None, const double[::1] values,
                     const double[::1] potentials, const double[::1] weights, double[:, ::1] out, double[::1] mean):
    """Fill triples and their mean, given the borders for the bets to call: RAISE, MINRAISE, CALL, MINCALL.

    Without `out`, None, `mean` alone is filled.
    """
    cdef pm_generator g
    cdef pm_borders *at = &g.at[min(spot.c.bets_to_call, 2)]
    cdef Py_ssize_t n = values.shape[0]
    at.raise_high, at.raise_low, at.call_high, at.call_low = borders
    if not (at.raise_high >= at.raise_low and at.call_high >= at.call_low and isfinite(at.raise_high - at.raise_low)
            and isfinite(at.call_high - at.call_low)):
        raise ValueError(f"expected finite borders with RAISE >= MINRAISE and CALL >= MINCALL, got {borders}")
    g.table = NULL
    g.tilted = False
    g.form = PM_REWEIGHTING
    g.features = PM_POT_ODDS
    g.least = number(least, 0, 1, "least")
    g.noise = number(noise, 0, 1, "noise")
    check_expected(n, potentials, weights, out, mean)
    if n:
        expect(
            &g, &spot.c, &values[0], &potentials[0], &weights[0], n, NULL if out is None else &out[0, 0], &mean[0]
        )


cdef int check_expected(Py_ssize_t n, const double[::1] potentials, const double[::1] weights, double[:, ::1] out,
                        double[::1] mean) except -1:
    if potentials.shape[0] != n or weights.shape[0] != n:
        raise ValueError(
            f"{n} values need as many potentials and weights, got {potentials.shape[0]} and {weights.shape[0]}"
        )
    if out is not None and (out.shape[0] != 3 or out.shape[1] != n):
        raise ValueError(f"the triples of {n} values need an array (3, {n}), got ({out.shape[0]}, {out.shape[1]})")
    if mean.shape[0] != 3:
        raise ValueError(f"the mean must have shape (3,), got ({mean.shape[0]},)")
    return 0


cdef int expect(const pm_generator *g, const pm_spot *spot, const double *values, const double *potentials,
                const double *weights, Py_ssize_t n, double *out, double *mean) except -1:
    cdef const pm_table_kernels *kernels = pm_table_kernels_at(level_in_use())
    cdef Py_ssize_t i
    cdef Py_ssize_t bad = -1
    cdef int k
    cdef pm_held held
    cdef pm_triple t
    with nogil:
        for i in range(n):
            if isnan(potentials[i]) and not isnan(values[i]):
                bad = i
        if bad < 0:
            if g.table is NULL and not g.tilted:
                kernels.expected_triples(g, spot, values, potentials, weights, n, out, mean)
            else:
                for i in range(n):
                    held.value, held.potential, held.effective = values[i], potentials[i], values[i]
                    if not isnan(held.value):
                        t = pm_triple_of(g, spot, &held, False)
                    for k in range(3):
                        out[k * n + i] = NAN if isnan(held.value) else t.p[k]
                pm_mean_by_act(weights, out, n, mean)
    if bad >= 0:
        raise ValueError(f"holding {bad} has a value, {values[bad]}, but no potential")
    return 0


def _generator(form, borders, table, switches, least, noise, tilts):
    """Make a generator of nested tuples, as it is pickled."""
    if table is not None:
        table = buffer(chain.from_iterable(table), [3, -1, 3])
    if tilts is not None:
        tilts = buffer(tilts, [3, 3])
    return Generator(form, buffer(borders, [3, 4]), table, *switches, least, noise, tilts)


cdef object buffer(rows, list shape):
    """Numbers in rows as a buffer; -1 in the shape is as many as there are."""
    cdef object numbers = array("d", chain.from_iterable(rows))
    cdef Py_ssize_t known = 1
    for length in shape:
        if length > 0:
            known *= length
    shape = [length if length > 0 else len(numbers) // known for length in shape]
    return memoryview(numbers).cast("B").cast("d", shape)


cdef int check_triple(const double[::1] entries, int bets, int n) except -1:
    cdef int k
    cdef double total = 0.0
    for k in range(3):
        if not entries[k] >= 0:
            raise ValueError(f"entry {n} of the table for {bets} bets to call is no triple: {list(entries)}")
        total += entries[k]
    if not abs(total - 1) <= 1e-9:
        raise ValueError(f"entry {n} of the table for {bets} bets to call sums to {total}, expected 1")
    return 0


def printed_triple(const double[::1] borders, double value, double odds):
    """Apply rules 1 to 4 to a value, with given pot odds.

    Parameters
    ----------
    borders : float64 (4,)
        RAISE, MINRAISE, CALL, MINCALL.
    value : float
        E.
    odds : float
        PotOdds(), 0 to 1.

    Returns
    -------
    tuple of float
        Fold, call, raise.

    Raises
    ------
    ValueError
        If there are not four borders, or a number is out of range or nan.
    """
    cdef pm_borders at
    cdef pm_triple t
    if borders.shape[0] != 4:
        raise ValueError(f"expected the four borders RAISE, MINRAISE, CALL, MINCALL, got {borders.shape[0]}")
    number(value, -INFINITY, INFINITY, "value")
    at.raise_high, at.raise_low, at.call_high, at.call_low = borders[0], borders[1], borders[2], borders[3]
    t = pm_triple_printed(&at, value, number(odds, 0, 1, "odds"))
    return t.p[0], t.p[1], t.p[2]
