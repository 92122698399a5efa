"""Hands of the IRC poker database out of their lines, as long as they are usual: see ``pokermodel/texts/irc.h``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeLatin1
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t
from libc.string cimport memchr

from pokermodel._core.evaluator cimport tables
from pokermodel._core.rules cimport PM_LIMIT, PM_SEATS, pm_state, State
from pokermodel._core.texts cimport pm_different_cards, pm_payoffs, pm_text, pm_text_same


cdef extern from "pokermodel/texts/irc.h" nogil:
    enum:
        PM_IRC_FIELDS
        PM_IRC_ACTIONS
        PM_IRC_BOARD

    ctypedef struct pm_irc_row:
        pm_text name
        int64_t bankroll
        int64_t put_in
        int64_t won
        int dealt
        int seat
        int8_t cards[2]
        int8_t shown
        int8_t blind
        int8_t all_in

    ctypedef struct pm_irc_hand:
        pm_text time
        pm_text game
        pm_text dealt
        int64_t seconds
        int players
        int cards
        int8_t board[5]

    ctypedef struct pm_irc_walk:
        int n
        int8_t seat[1024]
        int8_t act[1024]

    int pm_irc_split(const char *line, int64_t length, pm_text *fields) noexcept
    bint pm_irc_read_hand(pm_irc_hand *hand, const char *line, int64_t length) noexcept
    bint pm_irc_read_row(pm_irc_row *row, const char *line, int64_t length) noexcept
    bint pm_irc_play(pm_state *s, const pm_irc_row *rows, pm_irc_walk *walk) noexcept
    bint pm_irc_fits(
        const pm_state *s, const pm_irc_hand *hand, const pm_irc_row *rows, const pm_irc_walk *walk
    ) noexcept


cdef str text_of(pm_text field):
    return PyUnicode_DecodeLatin1(field.text, field.length, NULL)


cdef bint names_fit(const char *roster, int64_t length, const pm_irc_hand *hand, const pm_irc_row *rows) noexcept nogil:
    """Whether the players are different, and those of a line of hroster, given without its time stamp."""
    cdef pm_text fields[PM_IRC_FIELDS]
    cdef int n = pm_irc_split(roster, length, fields)
    cdef int seat, k
    if n != hand.players + 1 or not pm_text_same(fields[0], hand.dealt):
        return False
    for seat in range(hand.players):
        for k in range(seat):
            if pm_text_same(rows[k].name, rows[seat].name):
                return False
        k = 1
        while k < n and not pm_text_same(fields[k], rows[seat].name):
            k += 1
        if k == n:
            return False
    return True


cdef bint cards_fit(const pm_irc_hand *hand, const pm_irc_row *rows, int last) noexcept nogil:
    """Whether all cards are different, and the board has those of the last round."""
    cdef uint8_t cards[2 * PM_SEATS + PM_IRC_BOARD]
    cdef int n = 0
    cdef int k, seat
    for k in range(hand.cards):
        cards[n] = <uint8_t> hand.board[k]
        n += 1
    for seat in range(hand.players):
        if rows[seat].shown:
            cards[n] = <uint8_t> rows[seat].cards[0]
            cards[n + 1] = <uint8_t> rows[seat].cards[1]
            n += 2
    return hand.cards >= (last + 2 if last else 0) and pm_different_cards(cards, n)


cdef bint pay(const pm_state *s, const pm_irc_hand *hand, const pm_irc_row *rows, double *payoffs) noexcept nogil:
    """Share out the pots; false if a hand of the showdown is not known, or somebody won another amount."""
    cdef int8_t hole[PM_SEATS][2]
    cdef uint32_t known = 0
    cdef int seat
    for seat in range(hand.players):
        if rows[seat].shown:
            hole[seat][0] = rows[seat].cards[0]
            hole[seat][1] = rows[seat].cards[1]
            known |= <uint32_t> 1 << seat
    if not pm_payoffs(s, tables(), hand.board, hand.cards, hole, known, 0, payoffs):
        return False
    for seat in range(hand.players):
        if payoffs[seat] != <double> (rows[seat].won - rows[seat].put_in):
            return False
    return True


def rebuild(bytes line not None, bytes roster not None, list lines not None, game, list actions not None):
    """Rebuild a hand in which everything is usual.

    Parameters
    ----------
    line : bytes
        The line of hdb.
    roster : bytes
        The line of hroster, without its time stamp.
    lines : list
        For each line of pdb, its place and the line.
    game : callable
        Returns the game, given the numbers of players and of blinds. It must be limit.
    actions : list of list of Action
        What is done, by seat and act.

    Returns
    -------
    tuple or None
        Number of the hand, seconds of its time stamp, players, actions, board, holdings by seat, stated payoffs,
        payoffs, and the state at the end. None where something is unusual or wrong.
    """
    cdef pm_irc_hand hand
    cdef pm_irc_row row
    cdef pm_irc_row rows[PM_SEATS]
    cdef pm_irc_walk walk
    cdef double payoffs[PM_SEATS]
    cdef uint32_t seats = 0
    cdef uint32_t blinds = 0
    cdef State state
    cdef bytes text
    cdef int k, seat
    cdef list stacks
    if not pm_irc_read_hand(&hand, PyBytes_AS_STRING(line), PyBytes_GET_SIZE(line)):
        return None
    if len(lines) != 2 * hand.players:
        return None
    for k in range(hand.players):
        text = <bytes?> lines[2 * k + 1]
        if not pm_irc_read_row(&row, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text)) or row.dealt != hand.players:
            return None
        rows[row.seat] = row
        seats |= <uint32_t> 1 << row.seat
        if row.blind:
            blinds |= <uint32_t> 1 << row.seat
    if seats != (<uint32_t> 1 << hand.players) - 1 or (blinds != 1 and blinds != 3):
        return None
    if not names_fit(PyBytes_AS_STRING(roster), PyBytes_GET_SIZE(roster), &hand, rows):
        return None
    stacks = []
    for seat in range(hand.players):
        if rows[seat].all_in:
            if rows[seat].put_in <= 0:
                return None
            stacks.append(rows[seat].put_in)
        elif rows[seat].bankroll <= 0:
            stacks.append(None)
        elif rows[seat].put_in > rows[seat].bankroll:
            return None
        else:
            stacks.append(rows[seat].bankroll)
    state = State(game(hand.players, 1 if blinds == 1 else 2), stacks)
    if state.table.c.structure != PM_LIMIT or state.table.c.players != hand.players:
        raise ValueError(f"the game must be limit with {hand.players} players, got {state.spec!r}")
    if not pm_irc_play(&state.c, rows, &walk) or not pm_irc_fits(&state.c, &hand, rows, &walk):
        return None
    if not cards_fit(&hand, rows, state.c.round) or not pay(&state.c, &hand, rows, payoffs):
        return None
    holdings = {}
    for seat in range(hand.players):
        if rows[seat].shown:
            holdings[seat] = (rows[seat].cards[0], rows[seat].cards[1])
    return (
        f"{text_of(hand.time)}-{text_of(hand.game)}",
        hand.seconds,
        tuple([text_of(rows[seat].name) for seat in range(hand.players)]),
        tuple([(<list> actions[walk.seat[k]])[walk.act[k]] for k in range(walk.n)]),
        tuple([hand.board[k] for k in range(hand.cards)]),
        holdings,
        tuple([rows[seat].won - rows[seat].put_in for seat in range(hand.players)]),
        tuple([payoffs[seat] for seat in range(hand.players)]),
        state,
    )


cdef inline bint is_usual(const char *line, int64_t length) noexcept nogil:
    """Whether a line has printable ASCII only."""
    cdef int64_t k
    cdef bint odd = False
    for k in range(length):  # to the end, many at once
        odd |= <uint8_t> (line[k] - c' ') > c'~' - c' '
    return not odd


cdef const char *line_end(const char *line, const char *end) noexcept nogil:
    cdef const char *stop = <const char *> memchr(line, c'\n', end - line)
    return end if stop == NULL else stop


cdef tuple divided(const char *line, const char *stop):
    """The first field of a line, and what follows it: None instead where it is lacking."""
    cdef const char *start = line
    cdef const char *after
    if not is_usual(line, stop - line):
        fields = [field.encode("latin-1") for field in line[: stop - line].decode("latin-1").split(None, 1)]
        return tuple(fields + [None] * (2 - len(fields)))
    while start < stop and start[0] == c' ':
        start += 1
    after = start
    while after < stop and after[0] != c' ':
        after += 1
    if after == start:
        return None, None
    time = PyBytes_FromStringAndSize(start, after - start)
    while after < stop and after[0] == c' ':
        after += 1
    return time, None if after == stop else PyBytes_FromStringAndSize(after, stop - after)


def divide_lines(bytes data not None, int64_t number):
    """Divide lines of hdb.

    Parameters
    ----------
    data : bytes
        Whole lines.
    number : int
        Of the first line.

    Returns
    -------
    lines : list of (int, bytes, bytes)
        Number, the line without its end, and time stamp of each that is not empty.
    number : int
        Of the line after the last one.
    """
    cdef const char *line = PyBytes_AS_STRING(data)
    cdef const char *end = line + PyBytes_GET_SIZE(data)
    cdef const char *stop
    cdef list lines = []
    while line < end:
        stop = line_end(line, end)
        time = divided(line, stop)[0]
        if time is not None:
            lines.append((number, PyBytes_FromStringAndSize(line, stop - line), time))
        number += 1
        line = stop + 1
    return lines, number


def number_lines(bytes data not None, int64_t number, dict numbers not None):
    """Note where the hands of hdb are.

    Parameters
    ----------
    data : bytes
        Whole lines.
    number : int
        Of the first line.
    numbers : dict
        For each time stamp, gets the number of the first line that has it.

    Returns
    -------
    int
        Number of the line after the last one.
    """
    cdef const char *line = PyBytes_AS_STRING(data)
    cdef const char *end = line + PyBytes_GET_SIZE(data)
    cdef const char *stop
    while line < end:
        stop = line_end(line, end)
        time = divided(line, stop)[0]
        if time is not None:
            numbers.setdefault(time, number)
        number += 1
        line = stop + 1
    return number


def keep_rosters(bytes data not None, dict rosters not None):
    """Keep lines of hroster by their time stamps.

    Parameters
    ----------
    data : bytes
        Whole lines.
    rosters : dict
        For each time stamp, gets what follows it in the last line that has more than it.
    """
    cdef const char *line = PyBytes_AS_STRING(data)
    cdef const char *end = line + PyBytes_GET_SIZE(data)
    cdef const char *stop
    while line < end:
        stop = line_end(line, end)
        time, rest = divided(line, stop)
        if rest is not None:
            rosters[time] = rest
        line = stop + 1


def sort_lines(bytes data not None, int64_t place, dict groups not None, wanted):
    """Sort lines of pdb by their time stamps.

    Parameters
    ----------
    data : bytes
        Whole lines.
    place : int
        Of the first line; each further one has the next number.
    groups : dict
        For each time stamp, gets the place and the line of each line that has one, without its end.
    wanted : collection of bytes or None
        The time stamps that are wanted; by default all.

    Returns
    -------
    int
        The place after the last line.
    """
    cdef const char *line = PyBytes_AS_STRING(data)
    cdef const char *end = line + PyBytes_GET_SIZE(data)
    cdef const char *stop
    cdef const char *start
    cdef const char *after
    cdef bytes time, text
    cdef list fields
    while line < end:
        stop = line_end(line, end)
        time = None
        if is_usual(line, stop - line):
            start = line
            while start < stop and start[0] == c' ':
                start += 1
            while start < stop and start[0] != c' ':
                start += 1
            while start < stop and start[0] == c' ':
                start += 1
            after = start
            while after < stop and after[0] != c' ':
                after += 1
            if after > start:
                time = PyBytes_FromStringAndSize(start, after - start)
            while after < stop and after[0] == c' ':
                after += 1
            if after == stop:  # less than three fields
                time = None
        else:
            fields = line[: stop - line].decode("latin-1").split(None, 2)
            if len(fields) == 3:
                time = fields[1].encode("latin-1")
        if time is not None and (wanted is None or time in wanted):
            text = PyBytes_FromStringAndSize(line, stop - line)
            group = groups.get(time)
            if group is None:
                groups[time] = [place, text]
            else:
                (<list> group).append(place)
                (<list> group).append(text)
        place += 1
        line = stop + 1
    return place
