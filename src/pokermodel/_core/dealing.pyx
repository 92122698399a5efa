"""Deals of holdings to several players by their weights, and of the rest of the board (``dealing.h``)."""

from cython cimport final
from libc.float cimport DBL_MIN
from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

from pokermodel._core.cards cimport add_cards, take_cards
from pokermodel._core.evaluator cimport pm_count_cards
from pokermodel._core.rng cimport pm_random, pm_random_seed, stream_init

cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int PM_HOLDINGS
    int pm_holding(int a, int b) noexcept


cdef enum:
    PILOT_TRIES = 16_000    # rejection is used if these tries give at least
    PILOT_DEALS = 8         # so many deals: one in 2,000
    PILOT_WEIGHTS = 100     # deals from which the scale of weights is estimated
    SEARCH_STEPS = 50_000_000
    PILOT_RUNOUTS = 200     # stratified deals from which the number of tries and the scale of weights are estimated
    MOST_TRIES = 256


#: Stands where a deal has no holding.
NO_CARD = PM_NO_CARD

cdef str HARDLY = "the tables hardly admit a deal: gave up after very many tries"


# --------------------------------------------------------------------------------------------- what is possible

cdef bint can_deal(
    const pm_dealing *dealing, const uint8_t *players, int n, uint64_t taken, long *steps
) noexcept nogil:
    """Whether the first `n` players can have holdings that share no card; also false when `steps` run out."""
    cdef const pm_alias *table
    cdef uint64_t cards
    cdef int k
    if n == 0:
        return True
    table = &dealing.table[players[0]]
    for k in range(table.size):
        steps[0] -= 1
        if steps[0] < 0:
            return False
        cards = pm_drawn_cards(table.slot[k].own)
        if not cards & taken and can_deal(dealing, players + 1, n - 1, taken | cards, steps):
            return True
    return False


cdef bint has_deal(const pm_dealing *dealing) noexcept nogil:
    """Whether any deal is possible; players with fewer holdings are tried first."""
    cdef uint8_t players[23]
    cdef uint64_t cards = 0
    cdef long steps = SEARCH_STEPS
    cdef int i, j, k
    cdef uint8_t player
    for i in range(dealing.drawn):
        player = dealing.drawn_player[i]
        for k in range(dealing.table[player].size):
            cards |= pm_drawn_cards(dealing.table[player].slot[k].own)
        j = i
        while j and dealing.table[players[j - 1]].size > dealing.table[player].size:
            players[j] = players[j - 1]
            j -= 1
        players[j] = player
    return pm_count_cards(cards) >= 2 * dealing.drawn and can_deal(
        dealing, players, dealing.drawn, dealing.taken, &steps
    )


cdef bint worth_rejecting(const pm_dealing *dealing) noexcept nogil:
    """Whether enough tries give a deal without a shared card. The random numbers are fixed: only the tables matter."""
    cdef uint64_t[4] words = [1, 2, 3, 4]
    cdef pm_random random
    cdef pm_deal deal
    cdef uint64_t taken
    cdef int accepted = 0
    cdef int _try
    pm_random_seed(&random, words)
    for _try in range(PILOT_TRIES):
        accepted += pm_try_reject(dealing, 0, dealing.drawn, &random, &deal, &taken)
        if accepted == PILOT_DEALS:
            return True
    return False


cdef double largest_weight(const pm_dealing *dealing) noexcept nogil:
    """The largest weight of some deals, by fixed random numbers; 0 if a deal failed."""
    cdef uint64_t[4] words = [1, 2, 3, 4]
    cdef pm_random random
    cdef pm_dealer dealer
    cdef pm_deal deal
    cdef double largest = 0
    cdef int _deal
    pm_random_seed(&random, words)
    pm_dealer_init(&dealer, dealing)
    for _deal in range(PILOT_WEIGHTS):
        if not pm_deal_next(dealing, &random, &dealer, &deal):
            return 0
        largest = max(largest, deal.weight)
    return largest


cdef void order_by_spread(pm_dealing *dealing, const pm_shares *shares) noexcept nogil:
    """Sort players: first whose cards are known best. Weights vary with the tables that come last, and of these least
    with those that have every card alike."""
    cdef double[23] spread
    cdef double each
    cdef uint8_t player
    cdef int i, j, card
    for i in range(dealing.drawn):
        player = dealing.drawn_player[i]
        each = 0
        for card in range(52):
            each += shares[player].card[card] * shares[player].card[card]
        j = i
        while j and spread[j - 1] < each:
            spread[j] = spread[j - 1]
            dealing.drawn_player[j] = dealing.drawn_player[j - 1]
            j -= 1
        spread[j] = each
        dealing.drawn_player[j] = player


cdef bint tilt_tables(const pm_dealing *dealing, pm_alias *tables, pm_shares *shares) noexcept nogil:
    """Make holdings with cards that later players are likely to have rarer, and note how to undo it in weights.

    A card's factor is the chance that no later player has it, as if these had nothing to do with each other and what
    was dealt before were random cards. How good it is decides how much weights vary, and nothing else. Returns false if
    rounding left a player nothing.
    """
    cdef double[52] factor
    cdef double[1326] weights
    cdef int cards = 52 - pm_count_cards(dealing.taken)
    cdef int k, later, card, a, b, gone
    cdef uint8_t player
    for k in range(dealing.drawn - 1, -1, -1):
        player = dealing.drawn_player[k]
        for card in range(52):
            factor[card] = 1
            for later in range(k + 1, dealing.drawn):
                gone = dealing.stratified + 2 * (later - 1)
                factor[card] *= max(
                    0.05, 1 - shares[dealing.drawn_player[later]].card[card] * cards / max(cards - gone, 1)
                )
        for a in range(1, 52):
            for b in range(a):
                weights[pm_holding(a, b)] = shares[player].share[pm_holding(a, b)] * factor[a] * factor[b]
        if not pm_alias_init(&tables[player], weights, dealing.taken):
            return False
        pm_shares_init(&shares[player], &tables[player])
        for card in range(52):
            shares[player].undo[card] = 1 / factor[card]
    return True


cdef double mean_weight(const pm_dealing *dealing, double *worth) noexcept nogil:
    """The mean weight of some stratified deals, by fixed random numbers, and the share of them that, with one weight,
    would be worth as much (Kish 1965): 1 if weights are equal, 0 if all are 0."""
    cdef uint64_t[4] words = [1, 2, 3, 4]
    cdef pm_random random
    cdef pm_dealer dealer
    cdef pm_deal deal
    cdef double total = 0
    cdef double squares = 0
    cdef int _deal
    pm_random_seed(&random, words)
    pm_dealer_init(&dealer, dealing)
    for _deal in range(PILOT_RUNOUTS):
        pm_deal_next(dealing, &random, &dealer, &deal)
        total += deal.weight
        squares += deal.weight * deal.weight
    worth[0] = total * total / (PILOT_RUNOUTS * squares) if squares > 0 else 0
    return total / PILOT_RUNOUTS


cdef bint is_flat(const pm_alias *table, int cards) noexcept nogil:
    """Whether a table has every pair of so many cards, with equal probabilities."""
    cdef int k
    if table.size != cards * (cards - 1) // 2:
        return False
    for k in range(table.size):
        if table.share[k] != table.share[0]:
            return False
    return True


cdef bint is_one_weight(const double *weights, uint64_t taken) noexcept nogil:
    """Whether all pairs of cards that are not taken have the same weight, above 0: what `is_flat` finds, without a
    table, which takes longer to make than such a player's cards take to be dealt."""
    cdef double first = -1.0
    cdef int high, low
    for high in range(1, 52):
        if taken >> high & 1:
            continue
        for low in range(high):
            if taken >> low & 1:
                continue
            if first < 0.0:
                first = weights[pm_holding(high, low)]
            if weights[pm_holding(high, low)] != first:
                return False
    return first > 0.0


cdef int check_weights(const double[::1] weights, str whose) except -1:
    cdef Py_ssize_t k
    if weights.shape[0] != PM_HOLDINGS:
        raise ValueError(f"weights must have length {PM_HOLDINGS}, got {weights.shape[0]}")
    for k in range(PM_HOLDINGS):
        if not isfinite(weights[k]) or weights[k] < 0:
            raise ValueError(f"weight {k}{whose} is {weights[k]}: expected a finite number >= 0")
    return 0


# -------------------------------------------------------------------------------------------------- for Python

@final
cdef class Deals:
    """Deals of a holding to each player, by weight, and of the rest of the board.

    Parameters
    ----------
    weights : float64 (players, 1326)
        Finite, 0 or more, of any scale; players in seat order.
    board, dead : sequence of int
        Card indices: up to five on the board.
    joint : bool
        Whether holdings that share no card are dealt by the product of their weights; otherwise players are dealt
        to one after the other.
    stratified : bool
        Whether the next two cards of the board are stratified over the deals of a batch.

    Raises
    ------
    ValueError
        If the number of players or cards is out of range, a weight is not a finite number >= 0, a card is invalid
        or occurs twice, or the tables admit no deal.
    """

    def __cinit__(self, const double[:, ::1] weights, board, dead, bint joint, bint stratified=False):
        cdef pm_dealing *dealing = &self.dealing
        cdef int players = <int> weights.shape[0]
        cdef int player, unseen
        cdef bint found_one = True
        cdef uint64_t[23] seen              # the cards that were taken when a player's weights were looked at last
        cdef bint[23] flat
        cdef bint[23] like_last
        cdef double largest
        memset(dealing, 0, sizeof(pm_dealing))
        memset(flat, 0, sizeof(flat))
        memset(seen, 255, sizeof(seen))     # no cards that there are
        if players < 1 or players > PM_SEATS:
            raise ValueError(f"cards can be dealt to 1 to {PM_SEATS} players, got {players}")
        dealing.board_cards = take_cards(board, dealing.board, 0, PM_BOARD, "a board", &dealing.taken, "")
        for player in range(players):
            # those of whom nothing is known stand side by side, with the same weights
            like_last[player] = player > 0 and memcmp(
                &weights[player, 0], &weights[player - 1, 0], PM_HOLDINGS * sizeof(double)) == 0
            if not like_last[player]:
                check_weights(weights[player], f" of player {player}")
        dealing.taken = add_cards(dead, dealing.taken, " among board and dead cards")
        dealing.players = players
        unseen = 52 - pm_count_cards(dealing.taken)
        if 2 * players + PM_BOARD - dealing.board_cards > unseen:
            raise ValueError(
                f"{players} holdings and {PM_BOARD - dealing.board_cards} cards of the board "
                f"cannot be dealt from {unseen} unseen cards"
            )
        self.tables = <pm_alias *> malloc(players * sizeof(pm_alias))
        if self.tables is NULL:
            raise MemoryError
        dealing.table = self.tables
        # Cards that one player holds for certain are lost to the others, which may leave these a single holding.
        while found_one:
            found_one = False
            unseen = 52 - pm_count_cards(dealing.taken)
            for player in range(players):
                if dealing.known[player] or seen[player] == dealing.taken:
                    continue
                seen[player] = dealing.taken
                # a player who can have two cards alone has a known holding
                if not (like_last[player] and flat[player - 1]):
                    flat[player] = joint and unseen > 2 and is_one_weight(&weights[player, 0], dealing.taken)
                else:
                    flat[player] = True
                if flat[player]:
                    continue
                if not pm_alias_init(&self.tables[player], &weights[player, 0], dealing.taken):
                    raise ValueError(
                        f"player {player} has no holding: expected a positive weight for one without cards of "
                        "the board, dead cards or cards that others hold for certain"
                    )
                if joint and self.tables[player].size == 1:
                    dealing.known[player] = self.tables[player].slot[0].own
                    dealing.taken |= pm_drawn_cards(dealing.known[player])
                    found_one = True
        unseen = 52 - pm_count_cards(dealing.taken)
        for player in range(players):
            if dealing.known[player]:
                continue
            if joint and (flat[player] or is_flat(&self.tables[player], unseen)):
                dealing.flat_player[dealing.flat] = <uint8_t> player
                dealing.flat += 1
            else:
                dealing.drawn_player[dealing.drawn] = <uint8_t> player
                dealing.drawn += 1
        if not has_deal(dealing):
            raise ValueError("the tables admit no deal: found no holdings for all players that share no card")
        if stratified and dealing.board_cards < PM_BOARD:
            self.prepare_runouts(joint)
        elif not joint:
            dealing.method = PM_IN_ORDER
        elif worth_rejecting(dealing):
            dealing.method = PM_REJECT
        else:
            dealing.method = PM_WEIGH
            dealing.scale = 1.0
            largest = largest_weight(dealing)
            if largest < DBL_MIN:
                raise ValueError(HARDLY)
            dealing.scale = 1.0 / largest

    cdef int prepare_runouts(self, bint joint) except -1:
        """Prepare deals on stratified boards."""
        cdef pm_dealing *dealing = &self.dealing
        cdef double worth = 0
        cdef double before = 0
        cdef double mean
        cdef int k
        self.shares = <pm_shares *> malloc(dealing.players * sizeof(pm_shares))
        if self.shares is NULL:
            raise MemoryError
        dealing.method = PM_WEIGH if joint else PM_IN_ORDER
        dealing.stratified = min(<int> PM_RUNOUT, PM_BOARD - dealing.board_cards)
        dealing.shares = self.shares
        for k in range(dealing.drawn):
            pm_shares_init(&self.shares[dealing.drawn_player[k]], &self.tables[dealing.drawn_player[k]])
        if joint:
            order_by_spread(dealing, self.shares)
            if not tilt_tables(dealing, self.tables, self.shares):
                raise ValueError(HARDLY)
        dealing.scale = 1
        dealing.tries = 1
        mean = mean_weight(dealing, &worth)
        # more tries for as long as they help: they do not where the runout itself leaves nothing
        while worth < 0.5 and (worth == 0 or worth > 1.2 * before) and dealing.tries < MOST_TRIES:
            before = worth
            dealing.tries *= 4
            mean = mean_weight(dealing, &worth)
        if mean < DBL_MIN:
            raise ValueError(HARDLY)
        dealing.scale = 1 / mean
        return 0

    def __dealloc__(self):
        free(self.tables)
        free(self.shares)

    @property
    def method(self):
        """The method of dealing: ``"reject"``, ``"weigh"`` or ``"in order"``."""
        return {PM_REJECT: "reject", PM_WEIGH: "weigh", PM_IN_ORDER: "in order"}[self.dealing.method]

    @property
    def stratified(self):
        """How many cards of the board are stratified, 0 to 2."""
        return self.dealing.stratified

    @property
    def known(self):
        """Which players have one possible holding only, tuple of bool."""
        return tuple([self.dealing.known[player] != 0 for player in range(self.dealing.players)])

    def runouts(self, uint64_t key, int64_t first, uint8_t[:, ::1] cards):
        """Say which cards come to the board in trials of stratified deals.

        Parameters
        ----------
        key : int
            Of the order of the cards, 64 bits.
        first : int
            Number of the first trial, 0 or more.
        cards : uint8 (n, `stratified`)
            Filled with the next cards of the board in n trials.

        Raises
        ------
        ValueError
            If `first` is negative or the shape does not fit.
        """
        cdef pm_dealer dealer
        cdef Py_ssize_t row
        if first < 0 or not self.dealing.stratified or cards.shape[1] != self.dealing.stratified:
            raise ValueError(
                f"expected trials from 0 on, and {self.dealing.stratified} stratified cards of each, got trials from "
                f"{first} on, and {cards.shape[1]} cards"
            )
        with nogil:
            pm_dealer_at(&dealer, key, first)
            for row in range(cards.shape[0]):
                pm_cycle_next(&dealer.cycle, self.dealing.taken, self.dealing.stratified, &cards[row, 0])

    def deal(self, const uint64_t[::1] words, uint8_t[:, :, ::1] holdings, uint8_t[:, ::1] boards, double[::1] weights):
        """Deal once for each row of the arrays.

        Parameters
        ----------
        words : uint64 (4,)
            Start of the stream of random numbers.
        holdings : uint8 (n, players, 2)
            Filled with card indices, the higher of a holding first.
        boards : uint8 (n, 5)
            Filled with the board.
        weights : float64 (n,)
            Filled with the weight of each deal. Where it is 0, a stratified deal found no holdings that go with the
            board, and has `NO_CARD` in place of all of them.

        Raises
        ------
        ValueError
            If there are not four words, a shape does not fit, or a deal failed very many times.
        """
        cdef const pm_dealing *dealing = &self.dealing
        cdef Py_ssize_t n = weights.shape[0]
        cdef Py_ssize_t row
        cdef pm_random random
        cdef pm_dealer dealer
        cdef pm_deal deal
        cdef bint dealt = True
        cdef int player, k
        stream_init(&random, words)
        if (holdings.shape[0] != n or holdings.shape[1] != dealing.players or holdings.shape[2] != 2
                or boards.shape[0] != n or boards.shape[1] != PM_BOARD):
            raise ValueError(
                f"{n} deals need holdings ({n}, {dealing.players}, 2) and boards ({n}, {PM_BOARD}), got "
                f"({holdings.shape[0]}, {holdings.shape[1]}, {holdings.shape[2]}) and "
                f"({boards.shape[0]}, {boards.shape[1]})"
            )
        with nogil:
            pm_dealer_init(&dealer, dealing)
            for row in range(n):
                dealt = pm_deal_next(dealing, &random, &dealer, &deal)
                if not dealt:
                    break
                for player in range(dealing.players):
                    holdings[row, player, 0] = deal.holding[player] >> 8
                    holdings[row, player, 1] = deal.holding[player] & 255
                if deal.weight == 0:
                    for player in range(dealing.players):
                        holdings[row, player, 0] = holdings[row, player, 1] = PM_NO_CARD
                for k in range(PM_BOARD):
                    boards[row, k] = deal.board[k]
                weights[row] = deal.weight
        if not dealt:
            raise ValueError(HARDLY)


cdef const pm_dealing *dealing_of(object deals) except NULL:
    """The deals of a `Deals`; valid for as long as it lives."""
    if not isinstance(deals, Deals):
        raise TypeError(f"expected Deals, got {type(deals).__name__}")
    return &(<Deals> deals).dealing


def draw(const double[::1] weights, dead, const uint64_t[::1] words, uint16_t[::1] out):
    """Fill `out` with indices of holdings drawn by weight, without dead cards.

    Raises
    ------
    ValueError
        If `weights` are not 1,326 finite numbers >= 0, a card is invalid or occurs twice, there are not four words,
        or no holding is left.
    """
    cdef pm_alias alias
    cdef pm_random random
    cdef Py_ssize_t k
    cdef unsigned drawn
    check_weights(weights, "")
    stream_init(&random, words)
    if not pm_alias_init(&alias, &weights[0], add_cards(dead, 0, " among dead cards")):
        raise ValueError("there is no holding to draw: all weights without dead cards are 0")
    with nogil:
        for k in range(out.shape[0]):
            drawn = pm_alias_draw(&alias, &random)
            out[k] = <uint16_t> pm_holding(drawn >> 8, drawn & 255)
