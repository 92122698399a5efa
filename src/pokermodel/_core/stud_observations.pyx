"""What games of five-card stud show a player of the opponent, as evidence to learn from."""

from libc.stdint cimport uint8_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator, tables
from pokermodel._core.hand_types cimport PM_STATES, Types, pm_hand_state, pm_type_scheme
from pokermodel._core.stud_games cimport PM_STUD_MOST_ACTS, count_games, refuse_shape
from pokermodel._core.stud_player cimport form_of, pm_stud_column, pm_stud_situation
from pokermodel._core.stud_rules cimport check_player


cdef struct Found:
    Py_ssize_t rows
    Py_ssize_t actions
    Py_ssize_t entries


cdef inline bint observe_game(
    const pm_type_scheme *types, int form, int columns, int observer, bint reveal,
    const uint8_t *cards, const uint8_t *acts, int length, const double *chances,
    Py_ssize_t *shown, double *prior, double *survival, Py_ssize_t *cells, Found *found
) noexcept nogil:
    """Add what a game shows of the observer's opponent; false if it shows nothing."""
    cdef const pm_evaluator *e = tables()
    cdef int n = length & 127
    cdef int opponent = 1 - observer
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
        if (code >> 2 & 1) != opponent:
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
    # From the last act back: the probability that the observer folds nowhere after each act of the opponent.
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
        hand[k] = cards[5 * opponent + k]
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
        if card == cards[5 * opponent] and (reveal or length & 128):
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
    """Turn games into the columns of a set of hidden hands.

    Parameters
    ----------
    types : Types
    form : {"ctx", "act2", "act4"}
    columns : int
        Number of classes of acts.
    observer : int
        The player who observes the opponent, 0 or 1.
    reveal : bool
        Whether the observer sees the opponent's cards in every game, not only in those with a showdown.
    cards, acts, lengths, chances
        The games, as `pokermodel._core.stud_match.play` fills them. Only the shapes are checked: use
        `pokermodel._core.stud_games.check_games` for the rest.
    shown, prior, survival, cells, first_row, first_action
        Filled; there must be room for 50 candidates and 12 acts of each game.
    games : intp (games,)
        Filled with the games in which the opponent made an act that counts.

    Returns
    -------
    tuple of int
        Number of hands, candidates, actions and entries.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no such form or observer.
    """
    cdef Py_ssize_t n = count_games(cards, acts, lengths)
    cdef Py_ssize_t hands = 0
    cdef Py_ssize_t g
    cdef Found found
    cdef int kind = form_of(form)
    if chances.shape[0] != n or chances.shape[1] != PM_STUD_MOST_ACTS or chances.shape[2] != 3:
        refuse_shape()
    if (
        shown.shape[0] < n or games.shape[0] < n or first_row.shape[0] < n + 1 or first_action.shape[0] < n + 1
        or prior.shape[0] < 50 * n or survival.shape[0] < 12 * n or cells.shape[0] < 600 * n
    ):
        raise ValueError("there must be room for 50 candidates and 12 acts of each game")
    check_player(observer)
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
