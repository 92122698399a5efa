"""Hands of PokerStars' texts out of their lines, as long as they are usual: see ``pokermodel/texts/stars.h``."""

from datetime import timedelta

from pokermodel._core.rules import Act

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t

from pokermodel._core.evaluator cimport tables
from pokermodel._core.rules cimport (
    PM_LIMIT,
    PM_NO_LIMIT,
    PM_POT_LIMIT,
    PM_RAISE,
    PM_ROUNDS,
    PM_SEATS,
    pm_is_showdown,
    pm_state,
    State,
)
from pokermodel._core.texts cimport pm_different_cards, pm_payoffs, pm_text


cdef extern from "pokermodel/texts/stars.h" nogil:
    enum:
        PM_STARS_ACTS
        PM_STARS_BOARD
        PM_STARS_HUNDREDTHS

    ctypedef struct pm_stars_player:
        pm_text name
        int64_t stack
        int64_t dead
        int64_t collected
        int64_t returned
        int seat
        int8_t cards[2]
        int8_t shown
        int8_t mucked
        int8_t holds
        int8_t wins

    ctypedef struct pm_stars_act:
        int64_t money
        int8_t player
        int8_t street
        int8_t act

    ctypedef struct pm_stars_hand:
        pm_text id
        pm_text game
        pm_text hour
        pm_text zone
        pm_text table
        int minute
        int second
        int structure
        int64_t small
        int64_t large
        int lines
        int hero
        int cards
        int acts
        int known
        int64_t rake
        int8_t board[5]
        int8_t holders[23]
        pm_stars_player players[23]
        pm_stars_act act[512]
        int n
        int later
        int first
        int8_t order[23]
        int64_t unit

    const char *pm_stars_next(const char *line, const char *end) noexcept
    const char *pm_stars_header(pm_stars_hand *h, const char *line, const char *end) noexcept
    bint pm_stars_lines(pm_stars_hand *h, const char *line, const char *end) noexcept
    bint pm_stars_seats(pm_stars_hand *h, int64_t *blinds) noexcept
    bint pm_stars_play(pm_state *s, const pm_stars_hand *h) noexcept
    int pm_stars_excess(const pm_state *s, const pm_stars_hand *h, int64_t *excess) noexcept
    bint pm_stars_settle(const pm_state *s, pm_stars_hand *h, int who, int64_t excess) noexcept


cdef object NEW = tuple.__new__  # makes a named tuple in a part of the time that the class would take
cdef object RAISE = Act.RAISE
cdef dict STRUCTURES = {"limit": PM_LIMIT, "pot limit": PM_POT_LIMIT, "no limit": PM_NO_LIMIT}
cdef dict TABLES = {}
cdef int MOST_TABLES = 1 << 10
cdef double CLOSE = 0.01  # hundredths; shares of a pot that does not divide are further from each other


cdef str text_of(pm_text text):
    return PyUnicode_DecodeUTF8(text.text, text.length, NULL)


cdef str table_of(pm_text table):
    """The name of a table, of which there are few: hands of one share it."""
    if table.length == 0:
        return None
    if len(TABLES) > MOST_TABLES:
        TABLES.clear()
    name = text_of(table)
    return TABLES.setdefault(name, name)


cdef bytes bytes_of(pm_text text):
    return PyBytes_FromStringAndSize(text.text, text.length)


cdef bint cards_fit(const pm_stars_hand *h, int last) noexcept nogil:
    """Whether all cards are different, and the board has those of the last round."""
    cdef uint8_t cards[2 * PM_SEATS + PM_STARS_BOARD]
    cdef int n = 0
    cdef int k
    for k in range(h.cards):
        cards[n] = <uint8_t> h.board[k]
        n += 1
    for k in range(h.known):
        cards[n] = <uint8_t> h.players[h.holders[k]].cards[0]
        cards[n + 1] = <uint8_t> h.players[h.holders[k]].cards[1]
        n += 2
    return h.cards >= (last + 2 if last else 0) and pm_different_cards(cards, n)


cdef uint32_t muckers(const pm_state *s, const pm_stars_hand *h) noexcept nogil:
    """The seats of a showdown that lose without their cards: those that did not show, unless they win."""
    cdef uint32_t mucked = 0
    cdef uint32_t winners = 0
    cdef uint32_t known = 0
    cdef const pm_stars_player *p
    cdef int seat
    for seat in range(h.n):
        p = &h.players[h.order[seat]]
        if s.live >> seat & 1 and (p.mucked or not p.shown):
            mucked |= <uint32_t> 1 << seat
        if p.wins:
            winners |= <uint32_t> 1 << seat
            if p.holds:
                known |= <uint32_t> 1 << seat
    return mucked & ~(known if known else winners)


cdef bint pay(const pm_state *s, const pm_stars_hand *h, uint32_t mucked, double *payoffs) noexcept nogil:
    """Share out the pots; false if a hand of the showdown is not known."""
    cdef int8_t hole[PM_SEATS][2]
    cdef uint32_t known = 0
    cdef const pm_stars_player *p
    cdef int seat
    for seat in range(h.n):
        p = &h.players[h.order[seat]]
        if p.holds:
            hole[seat][0] = p.cards[0]
            hole[seat][1] = p.cards[1]
            known |= <uint32_t> 1 << seat
    return pm_payoffs(s, tables(), h.board, h.cards, hole, known, mucked, payoffs)


cdef bint winnings_fit(
    const pm_state *s, const pm_stars_hand *h, int who, int64_t excess, int64_t coin, const double *payoffs
) noexcept nogil:
    """Whether each player collects what the replay says, but for the rake and what is left of divided coins."""
    cdef double chips_won, won, theirs
    cdef int seat
    for seat in range(h.n):
        chips_won = payoffs[seat] + <double> (s.chips_in[seat] + s.table.dead[seat])
        if seat == who:
            chips_won -= <double> excess
        theirs = <double> h.players[h.order[seat]].collected
        won = chips_won * <double> h.unit
        if not won - <double> (h.rake + coin) + CLOSE < theirs < won + <double> coin - CLOSE:
            return False
        if (theirs > 0) != (won > CLOSE):
            return False
    return True


def find_next(bytes data not None, Py_ssize_t start):
    """Return where the next hand begins after the line that begins at a place; -1 if there is none."""
    cdef const char *text = PyBytes_AS_STRING(data)
    cdef const char *found
    if not 0 <= start <= PyBytes_GET_SIZE(data):
        raise ValueError(f"start must be 0 to {len(data)}, got {start}")
    found = pm_stars_next(text + start, text + PyBytes_GET_SIZE(data))
    return -1 if found == NULL else found - text


def rebuild(
    bytes data not None,
    Py_ssize_t start,
    Py_ssize_t end,
    level,
    hour,
    game,
    list actions not None,
    type action not None,
):
    """Rebuild a hand in which everything is usual.

    Parameters
    ----------
    data : bytes
        Text in UTF-8.
    start, end : int
        Where the hand begins, and where the next one does.
    level : callable
        Given what the first line says between number and time, returns the structure of betting, its two bets or
        blinds and the smallest coin in hundredths, and the currency; None if that is not usual.
    hour : callable
        Given a date with an hour, and a zone, returns the beginning of that hour, or None.
    game : callable
        Returns the game, given blinds, bets, who is first before and after the flop, in limit the number of bets and
        raises by round, antes, and the structure of betting; amounts are chips.
    actions : list of list of Action
        What is done, by seat and act, without amount.
    action : type
        `pokermodel.game.Action`.

    Returns
    -------
    tuple or None
        Number of lines, number of the hand, its time, currency, chips in a unit of it, players, seat, act and amount
        of each action, board, holdings by seat, seats that mucked, stated payoffs, payoffs, the state at the end, the
        only player to whom cards are dealt, or None, and the name of the table, or None.
        None where something is unusual or wrong.
    """
    cdef pm_stars_hand hand
    cdef int64_t blinds[PM_SEATS]
    cdef double payoffs[PM_SEATS]
    cdef int raises[PM_ROUNDS]
    cdef int64_t excess = 0
    cdef int64_t most_dead = 0
    cdef int64_t coin
    cdef bint short_ante = False
    cdef uint32_t mucked = 0
    cdef uint32_t winners = 0
    cdef const char *text = PyBytes_AS_STRING(data)
    cdef const char *line
    cdef const pm_stars_player *p
    cdef State state
    cdef int k, seat, who
    cdef list stacks, done
    if not 0 <= start <= end <= PyBytes_GET_SIZE(data):
        raise ValueError(f"start and end must be within {len(data)} bytes, got {start} and {end}")
    line = pm_stars_header(&hand, text + start, text + end)
    if line == NULL:
        return None
    found = level(bytes_of(hand.game))
    if found is None:
        return None
    structure, hand.small, hand.large, coin, currency = found
    if structure not in STRUCTURES:
        raise ValueError(f"the structure must be one of {', '.join(STRUCTURES)}, got {structure!r}")
    hand.structure = STRUCTURES[structure]
    if not pm_stars_lines(&hand, line, text + end) or not pm_stars_seats(&hand, blinds):
        return None
    for k in range(PM_ROUNDS):
        raises[k] = 0
    for k in range(hand.acts):
        raises[hand.act[k].street] += hand.act[k].act == PM_RAISE
    stacks = [hand.players[hand.order[seat]].stack // hand.unit for seat in range(hand.n)]
    for seat in range(hand.n):
        most_dead = max(most_dead, hand.players[hand.order[seat]].dead)
    for seat in range(hand.n):
        p = &hand.players[hand.order[seat]]
        short_ante |= p.dead == p.stack and p.dead < most_dead
    try:
        spec = game(
            tuple([blinds[seat] // hand.unit for seat in range(hand.n)]),
            ((hand.small if hand.structure == PM_LIMIT else hand.large) // hand.unit, hand.large // hand.unit),
            (hand.first, hand.later),
            (raises[0], raises[1], raises[2], raises[3]) if hand.structure == PM_LIMIT else None,
            tuple([hand.players[hand.order[seat]].dead // hand.unit for seat in range(hand.n)]),
            structure,
            *((None, True) if short_ante else ()),
        )
        name = text_of(hand.id)
        where = table_of(hand.table)
        players = tuple([text_of(hand.players[hand.order[seat]].name) for seat in range(hand.n)])
    except ValueError:
        return None
    if spec.players != hand.n or STRUCTURES.get(spec.structure) != hand.structure:
        raise ValueError(f"the game must be {structure} with {hand.n} players, got {spec!r}")
    state = State(spec, stacks)
    if not pm_stars_play(&state.c, &hand) or not cards_fit(&hand, state.c.round):
        return None
    for seat in range(hand.n):
        if hand.players[hand.order[seat]].wins:
            winners |= <uint32_t> 1 << seat
    if not winners:
        return None
    if pm_is_showdown(&state.c):
        mucked = muckers(&state.c, &hand)
    who = pm_stars_excess(&state.c, &hand, &excess)
    if not pm_stars_settle(&state.c, &hand, who, excess) or not pay(&state.c, &hand, mucked, payoffs):
        return None
    if not winnings_fit(&state.c, &hand, who, excess, coin, payoffs):
        return None
    done = []
    for k in range(hand.acts):
        seat = hand.players[hand.act[k].player].seat
        if hand.act[k].act == PM_RAISE and hand.structure != PM_LIMIT:
            done.append(NEW(action, (seat, RAISE, False, hand.act[k].money // hand.unit)))
        else:
            done.append((<list> actions[seat])[hand.act[k].act])
    holdings = {}
    for k in range(hand.known):
        p = &hand.players[hand.holders[k]]
        holdings[p.seat] = (p.cards[0], p.cards[1])
    time = hour(bytes_of(hand.hour), bytes_of(hand.zone))
    if time is not None:
        time = time + timedelta(0, 60 * hand.minute + hand.second)
    stated = []
    for seat in range(hand.n):
        p = &hand.players[hand.order[seat]]
        chips = (p.collected + p.returned) // hand.unit - state.c.chips_in[seat] - state.table.c.dead[seat]
        stated.append(<double> chips)
    return (
        hand.lines,
        name,
        time,
        currency,
        PM_STARS_HUNDREDTHS // hand.unit,
        players,
        tuple(done),
        tuple([hand.board[k] for k in range(hand.cards)]),
        holdings,
        frozenset([seat for seat in range(hand.n) if mucked >> seat & 1]) if mucked else frozenset(),
        tuple(stated),
        tuple([payoffs[seat] for seat in range(hand.n)]),
        state,
        players[hand.players[hand.hero].seat] if hand.hero >= 0 else None,
        where,
    )
