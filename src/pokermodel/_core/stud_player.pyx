"""Players of five-card stud (``pokermodel/stud/stud_belief.h`` and ``stud_player.h``).

They read the opponent's hand, and act on the probability of winning.
"""

from cython cimport final

from libc.math cimport isfinite

from pokermodel._core.evaluator cimport tables
from pokermodel._core.hand_types cimport PM_STATES, Types
from pokermodel._core.stud_rules cimport StudState, pm_stud_act


FORMS = {"ctx": PM_BY_CONTEXT, "act2": PM_TWO_CLASSES, "act4": PM_FOUR_CLASSES}
RULES = {
    "curves": PM_STUD_CURVES,
    "deterministic": PM_STUD_DETERMINISTIC,
    "randomised": PM_STUD_RANDOMISED,
    "table": PM_STUD_TABLE,
}
BLUFFS = {"none": PM_STUD_HONEST, "last round": PM_STUD_LAST_ROUND, "context": PM_STUD_BY_CONTEXT}
SITUATIONS = PM_STUD_SITUATIONS
ACTS = PM_STUD_ACTS


cdef int number_of(str what, str name, dict known) except -1:
    if name not in known:
        raise ValueError(f"unknown {what} {name!r}: expected one of {', '.join(known)}")
    return known[name]


cdef int form_of(str form) except -1:
    return number_of("form", form, FORMS)


cdef int take_table(const double[:, :, ::1] table, int first, int last, str name) except -1:
    if table.shape[0] != first or table.shape[1] != PM_STATES or table.shape[2] != last:
        raise ValueError(
            f"{name} must have shape ({first}, {PM_STATES}, {last}), got"
            f" ({table.shape[0]}, {table.shape[1]}, {table.shape[2]})"
        )
    return 0


@final
cdef class Player:
    """A player, as the kernels take it: tables and numbers.

    Parameters
    ----------
    types : Types
    form : {"ctx", "act2", "act4"}
        How acts are classified.
    carries : bool
        Whether belief about the card face down outlasts a round.
    by_cards : bool
        Whether hands are compared card by card in the last round, by that belief.
    winning, both : float64 (4, 36, 36)
        By round, own state and the opponent's state: `both` is the probability of the two states, `winning` that of
        the two states and a win, ties half.
    upcards : float64 (4, 36, 36)
        P(upcards | state), by round, upcards and the opponent's state.
    opponent : float64 (12, 36, 4)
        P(act | situation, state) of the opponent.
    own : float64 (12, 36, 4)
        P(act | situation, state) of the player, for rule "table".
    rule : {"curves", "deterministic", "randomised", "table"}
    fold, call, bet : sequence of float
        Displacement of the curves, by round.
    steepness, sharpness, later : float
        Of the curves; of the randomised decision network; bets expected in each later round.
    bluffing : {"none", "last round", "context"}
    bluffs, explores : float
        Probability of a bluff; share of folds that are calls instead.

    Raises
    ------
    ValueError
        If there is no such form, rule or kind of bluff, an array has another shape, or a number is out of range.
    """

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
        self.c.reader.form = form_of(form)
        self.c.acting.rule = number_of("rule", rule, RULES)
        self.c.acting.bluffing = number_of("kind of bluff", bluffing, BLUFFS)
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
        self.c.reader.types = types.c
        self.c.reader.carries = carries
        self.c.reader.by_cards = by_cards
        self.c.reader.winning = &winning[0, 0, 0]
        self.c.reader.both = &both[0, 0, 0]
        self.c.reader.upcards = &upcards[0, 0, 0]
        self.c.reader.opponent = &opponent[0, 0, 0]
        self.c.own = &own[0, 0, 0]
        self.c.acting.steepness = steepness
        self.c.acting.sharpness = sharpness
        self.c.acting.later = later
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
        """Return what this player would do in the place of the player to act after some acts.

        Parameters
        ----------
        state : StudState
            The hand at its beginning; not changed. The opponent's card face down is not looked at.
        acts : sequence of int
            Acts of both players, from the beginning.

        Returns
        -------
        tuple
            Probabilities of fold, call and raise; the probability that a fold or a call becomes a bluff; the
            probability of winning.

        Raises
        ------
        ValueError
            If an act is not legal, or the hand is over after them.
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
                    pm_stud_new_round(&self.c.reader, tables(), &walk.c, p, &belief[p])
            if act is not None:
                if act not in walk.legal():
                    raise ValueError(f"act {act} is not allowed: expected one of {walk.legal()}")
                acted |= 1 << walk.c.seat
                pm_stud_observe(&self.c.reader, &walk.c, act, &belief[1 - walk.c.seat])
                pm_stud_act(&walk.c, act)
        p = walk.c.seat
        pm_stud_decide(&self.c, tables(), &walk.c, &belief[p], not acted >> p & 1, &choice)
        return (choice.p[0], choice.p[1], choice.p[2]), choice.bluff, choice.win
