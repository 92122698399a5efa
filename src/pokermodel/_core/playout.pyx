"""Simulation of a decision (``pokermodel/dealing/playout.h``)."""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetPointer, PyCapsule_IsValid
from cython cimport final
from libc.math cimport floor
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from pokermodel._core.cards cimport take_cards
from pokermodel._core.dealing cimport Deals
from pokermodel._core.evaluator cimport tables
from pokermodel._core.rng cimport pm_random, stream_init
from pokermodel._core.rules cimport State
from pokermodel._core.simd cimport kernels
from pokermodel._core.triples cimport PM_POT_ODDS, PM_SEMI_BLUFF, PM_SHOWDOWN_ODDS, Generator, TripleSpot

from pokermodel._core.rules import Act


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int pm_holding(int a, int b) noexcept


cdef enum:
    HOLDINGS = 1326
    SEATS = 23
    FIELDS = 2 * SEATS  # one a seat and branch

cdef const char *CAPSULE = b"pokermodel.policy"

FIELD_TOTAL = PM_FIELD_TOTAL

cdef dict POTENTIALS = {"exact": PM_EXACT_POTENTIAL, "crude": PM_CRUDE_POTENTIAL, "none": PM_NO_POTENTIAL}


@final
cdef class Loki1Rules:
    """Loki-1's rules after the flop (Papp 1998, Fig 6.2 and 6.3), for play-outs.

    Parameters
    ----------
    make1, make2 : float
        Effective strengths from which one and two bets are made.
    pot_odds, showdown_odds, semi_bluff : bool
        Which rules are on.
    simple : bool
        Whether the strength alone decides.
    make0 : bool
        Whether, with `simple`, a player who has put in a bet voluntarily in this round calls instead of folding.
    """

    cdef pm_loki1 c

    def __cinit__(self, double make1=0.50, double make2=0.85, bint pot_odds=True, bint showdown_odds=True,
                  bint semi_bluff=True, bint simple=False, bint make0=True):
        self.c.make1 = make1
        self.c.make2 = make2
        self.c.features = (
            PM_POT_ODDS * pot_odds | PM_SHOWDOWN_ODDS * showdown_odds | PM_SEMI_BLUFF * semi_bluff
            | PM_SIMPLE * simple | PM_MAKE0 * make0
        )

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        switches = (PM_POT_ODDS, PM_SHOWDOWN_ODDS, PM_SEMI_BLUFF, PM_SIMPLE, PM_MAKE0)
        return Loki1Rules, (self.c.make1, self.c.make2, *[bool(self.c.features & each) for each in switches])

    def act(self, TripleSpot spot not None, bint put_in, double strength, double ppot, double npot, bint semi_bluff):
        """Return an act, and whether the player is in the middle of a semi-bluff after it.

        Parameters
        ----------
        spot : TripleSpot
            The situation.
        put_in : bool
            Whether the player put in a bet voluntarily in this round.
        strength, ppot, npot : float
            HSn and one-card potentials.
        semi_bluff : bool
            Whether the player is in the middle of a semi-bluff.
        """
        cdef int flag = semi_bluff
        act = pm_loki1_act(&self.c, &spot.c, put_in, strength, ppot, npot, &flag)
        return Act(act), bool(flag)


@final
cdef class Strengths:
    """Hand strength and potential on a flop and the boards that may follow, against fields of opponents.

    Computed on request and kept. Not safe to share between threads.

    Parameters
    ----------
    flop : sequence of int
        Three cards.
    potential : {"exact", "crude", "none"}
        What stands for the potential on flop and turn: PPOT and NPOT of one card to come; PPOTc, which counts outs,
        and no NPOT; or 0.

    Raises
    ------
    ValueError
        If it is not three different cards, or there is no such potential.
    """

    def __cinit__(self, flop, potential="exact"):
        cdef uint8_t cards[3]
        cdef uint64_t seen = 0
        take_cards(flop, cards, 3, 3, "a flop", &seen, "")
        if potential not in POTENTIALS:
            raise ValueError(f"unknown potential {potential!r}: expected one of {', '.join(POTENTIALS)}")
        self.flop = tuple(flop)
        self.potential = potential
        self.c = <pm_strengths *> calloc(1, sizeof(pm_strengths))
        if self.c is NULL:
            raise MemoryError("no memory for the strengths of a board")
        self.c.evaluator = tables()
        self.c.kind = POTENTIALS[potential]

    def __dealloc__(self):
        if self.c is not NULL:
            pm_strengths_clear(self.c)
            pm_strengths_unbind(self.c)
            free(self.c)

    def bind(self, const double[:, ::1] weights):
        """Replace the fields. What is known of the boards is kept.

        Parameters
        ----------
        weights : float64 (fields, 1326)
            Whole numbers, 0 or more; each row sums to `FIELD_TOTAL` at most.

        Raises
        ------
        ValueError
            If a weight is not a whole number >= 0, a sum is too large, or the shape is another one.
        """
        cdef Py_ssize_t k, j
        cdef double total
        if weights.shape[1] != HOLDINGS or not 1 <= weights.shape[0] <= FIELDS:
            raise ValueError(f"weights must have shape (1..46, 1326), got ({weights.shape[0]}, {weights.shape[1]})")
        for k in range(weights.shape[0]):
            total = 0.0
            for j in range(HOLDINGS):
                if not (weights[k, j] >= 0 and weights[k, j] == floor(weights[k, j])):
                    raise ValueError(f"weight {j} of field {k} is {weights[k, j]}: expected a whole number >= 0")
                total += weights[k, j]
            if not total <= PM_FIELD_TOTAL:
                raise ValueError(f"the weights of field {k} sum to {total}: expected {PM_FIELD_TOTAL} at most")
        if pm_strengths_bind(self.c, &weights[0, 0], <int> weights.shape[0]):
            raise MemoryError("no memory for the strengths of a board")

    @property
    def nbytes(self):
        """Bytes that all kept results take."""
        return pm_strengths_bytes(self.c)

    def clear(self):
        """Forget all results; the fields are kept."""
        pm_strengths_clear(self.c)

    cdef void choose_kernels(self) noexcept:
        """Use the vector instructions that are in use now."""
        self.c.compare_rows = kernels().compare_rows
        self.c.add_pairs = kernels().add_pairs
        self.c.sum_pairs = kernels().sum_pairs

    def worth(self, int holding, come, int field):
        """Return HS, PPOT (or PPOTc) and NPOT of a holding; the potentials are 0 on the river.

        Parameters
        ----------
        holding : int
            Its index.
        come : sequence of int
            Up to two cards that have come since the flop.
        field : int
            Index of the field.

        Raises
        ------
        ValueError
            If a card is invalid or occurs twice, or the holding or field is out of range.
        """
        cdef uint8_t cards[5]
        cdef uint64_t seen = 0
        cdef int n = take_cards([*self.flop, *come], cards, 3, 5, "a board to play on", &seen, "")
        cdef const float *found
        cdef int k
        if not 0 <= field < self.c.fields:
            raise ValueError(f"field {field} is out of range: there are {self.c.fields}")
        if not 0 <= holding < HOLDINGS:
            raise ValueError(f"holding {holding} is out of range: expected 0..1325")
        for k in range(n):
            if holding in [pm_holding(cards[k], other) for other in range(52) if other != cards[k]]:
                raise ValueError(f"holding {holding} shares a card with the board")
        self.choose_kernels()
        with nogil:
            found = pm_strengths_worth(self.c, pm_board_number(cards + 3, n - 3), field, holding, cards, n)
        if found is NULL:
            raise MemoryError("no memory for the strengths of a board")
        if n == 5:
            return found[0], 0.0, 0.0
        return found[0], found[1], found[2]


@final
cdef class Scene:
    """A decision to be simulated.

    Parameters
    ----------
    state : State
        The hero is to act, after the flop.
    holding : sequence of int
        The hero's two cards.
    board : sequence of int
        The cards on the table.
    fields : sequence of sequence of int
        By branch (call, raise) and seat, the field of each player's opponents; -1 for players who have folded.
    policies : sequence
        By seat, the policy of later decisions: None for calling always, a `Generator`, `Loki1Rules`, or a capsule with
        a function pointer, named ``pokermodel.policy``.
    semi_bluff : bool
        Whether the hero is in the middle of a semi-bluff.

    Raises
    ------
    ValueError
        If the hand is over or before the flop, the cards do not fit, or an object is not a policy.
    """

    def __cinit__(self, State state not None, holding, board, fields, policies, bint semi_bluff):
        cdef pm_scene *scene = &self.c
        cdef int branch, field, seat
        cdef int players = state.players
        cdef uint8_t cards[2]
        cdef uint64_t seen = 0
        cdef Generator generator
        cdef Loki1Rules rules
        scene.root = state.c
        if scene.root.seat < 0:
            raise ValueError("the hand is over: there is nothing to decide")
        if scene.root.round == 0:
            raise ValueError("decisions before the flop are not simulated")
        scene.board_cards = take_cards(board, scene.board, 0, 5, "a board to play on", &seen, "")
        if scene.board_cards != scene.root.round + 2:
            raise ValueError(f"round {scene.root.round} has {scene.root.round + 2} board cards, got {len(board)}")
        seats = [*map(len, fields), len(policies)]
        if len(holding) != 2 or seats != [players] * 3:
            raise ValueError(
                f"expected two cards, and two fields and a policy for each of {players} seats, got {len(holding)} "
                f"cards and {seats} seats"
            )
        take_cards(holding, cards, 2, 2, "a holding", &seen, " among holding and board")
        scene.cards[0], scene.cards[1] = cards[0], cards[1]
        scene.semi_bluff = semi_bluff
        self.dealt = 0
        for seat in range(players):
            if seat != scene.root.seat:
                scene.dealt[self.dealt] = seat
                self.dealt += 1
            for branch in range(2):
                field = fields[branch][seat]
                if not -1 <= field < FIELDS:
                    raise ValueError(f"field {field} of seat {seat} is out of range")
                if field < 0 and scene.root.live >> seat & 1:
                    raise ValueError(f"seat {seat} has not folded: expected the field of its opponents")
                scene.player[seat].field[branch] = field
            policy = policies[seat]
            if policy is None:
                scene.player[seat].policy = pm_play_call
                scene.player[seat].context = NULL
            elif isinstance(policy, Generator):
                generator = policy
                scene.player[seat].policy = pm_play_triple
                scene.player[seat].context = &generator.c
            elif isinstance(policy, Loki1Rules):
                rules = policy
                scene.player[seat].policy = pm_play_loki1
                scene.player[seat].context = &rules.c
            elif PyCapsule_IsValid(policy, CAPSULE):
                scene.player[seat].policy = <pm_policy> PyCapsule_GetPointer(policy, CAPSULE)
                scene.player[seat].context = PyCapsule_GetContext(policy)
            else:
                raise ValueError(
                    f"{policy!r} is no policy: expected None, a Generator, Loki1Rules or a capsule 'pokermodel.policy'"
                )
        self.keep = (state, tuple(policies))

    def play(
        self, Deals deals not None, Strengths strengths not None, const uint64_t[::1] words, double[:, ::1] chips,
        double[::1] weights, uint64_t[:, :, :, :, ::1] acts, uint64_t[::1] folded,
        int8_t[:, :, ::1] log_acts=None, uint8_t[:, :, ::1] log_cards=None, uint8_t[:, ::1] log_boards=None,
        uint64_t key=0, int64_t first=0,
    ):
        """Play trials, one for each row of `chips`.

        Parameters
        ----------
        deals : Deals
            Deals of a holding to each seat but the hero's, in seat order, and of the board.
        strengths : Strengths
            Those of this flop, with the fields of the scene.
        words : uint64 (4,)
            Start of the stream of random numbers.
        chips : float64 (n, 2)
            Filled with the chips that the hero wins from the decision on after a check or call, and after a bet or
            raise (0 if no raise is legal).
        weights : float64 (n,)
            Filled with the weight of each trial.
        acts : uint64 (2, players, 4, 3, 3)
            Increased by the number of later acts: by branch, seat, round, bets to call and act.
        folded : uint64 (2,)
            Increased by the number of trials in which the hero folded later, by branch.
        log_acts, log_cards, log_boards : int8 (n, 2, 512), uint8 (n, 23, 2), uint8 (n, 5)
            Given together or not at all: filled with the acts of each branch and -1, the cards of each seat, and the
            board. A trial of weight 0 has no acts, and `NO_CARD` for cards.
        key, first : int
            With stratified deals, which cards come to the board: those of trial `first` and the next ones in the order
            of this key, see `Deals.runouts`.

        Raises
        ------
        ValueError
            If an argument does not fit the scene, or a deal failed very many times.
        MemoryError
            If there is no memory for strengths.
        """
        cdef pm_random random
        cdef pm_tally tally
        cdef pm_trials trials
        cdef Py_ssize_t n = chips.shape[0]
        cdef int players = self.c.root.table.players
        cdef int branch, seat, r, b, act, result
        stream_init(&random, words)
        if strengths.flop != (self.c.board[0], self.c.board[1], self.c.board[2]):
            raise ValueError("these strengths are of another flop")
        if deals.dealing.players != self.dealt or deals.dealing.board_cards != self.c.board_cards:
            raise ValueError(
                f"expected deals to {self.dealt} players on {self.c.board_cards} board cards, got "
                f"{deals.dealing.players} and {deals.dealing.board_cards}"
            )
        for seat in range(players):
            for branch in range(2):
                if self.c.player[seat].field[branch] >= strengths.c.fields:
                    raise ValueError(
                        f"there is no field {self.c.player[seat].field[branch]}, which seat {seat} plays against"
                    )
        if (chips.shape[1] != 2 or weights.shape[0] != n or folded.shape[0] != 2 or acts.shape[0] != 2
                or acts.shape[1] != players or acts.shape[2] != 4 or acts.shape[3] != 3 or acts.shape[4] != 3):
            raise ValueError(f"the arrays for {n} trials of {players} players have other shapes")
        if first < 0:
            raise ValueError(f"the first trial must be 0 or more, got {first}")
        trials.acts, trials.cards, trials.boards = NULL, NULL, NULL
        trials.key, trials.first = key, first
        if log_acts is not None:
            if (log_cards is None or log_boards is None or log_acts.shape[0] != n or log_acts.shape[1] != 2
                    or log_acts.shape[2] != PM_PLAYOUT_ACTS or log_cards.shape[0] != n or log_cards.shape[1] != SEATS
                    or log_cards.shape[2] != 2 or log_boards.shape[0] != n or log_boards.shape[1] != 5):
                raise ValueError(f"the arrays for the log of {n} trials have other shapes")
        if n == 0:
            return
        if log_acts is not None:
            trials.acts = <int8_t (*)[2][512]> &log_acts[0, 0, 0]
            trials.cards = <uint8_t (*)[23][2]> &log_cards[0, 0, 0]
            trials.boards = <uint8_t (*)[5]> &log_boards[0, 0]
        memset(&tally, 0, sizeof(tally))
        trials.chips = <double (*)[2]> &chips[0, 0]
        trials.weights = &weights[0]
        trials.tally = &tally
        strengths.choose_kernels()
        with nogil:
            result = pm_play_trials(&self.c, &deals.dealing, &random, strengths.c, n, &trials)
        if result == PM_TRIALS_NO_DEAL:
            raise ValueError("the tables hardly admit a deal: gave up after very many tries")
        if result == PM_TRIALS_NO_ACT:
            raise MemoryError("no memory for the strengths of a board, or a policy gave no act")
        for branch in range(2):
            folded[branch] += tally.folded[branch]
            for seat in range(players):
                for r in range(4):
                    for b in range(3):
                        for act in range(3):
                            acts[branch, seat, r, b, act] += tally.acts[branch][seat][r][b][act]
