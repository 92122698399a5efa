"""Features of situations as numbers of bins, for `pokermodel.reading`.

The C functions are in ``pokermodel/readers/situations.h``.
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t

from pokermodel._core.cards cimport take_cards
from pokermodel._core.features cimport PM_FEATURES, take_features

LIMIT_FEATURES = PM_LIMIT_FEATURES
SIZED_FEATURES = PM_SIZED_FEATURES
BOARD_FEATURES = PM_BOARD_FEATURES
PLACE = PM_SITUATION_PLACE
REPLIES = PM_SITUATION_REPLIES
CELLS = PM_SITUATION_CELLS


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef int take_cells(object given, int *cell) except -1:
    cdef pm_features f  # as far as cells depend on it
    cdef tuple features
    if not isinstance(given, tuple) or len(given) != PM_FEATURES:
        raise ValueError(f"expected the {PM_FEATURES} features of a situation, got {given!r}")
    features = <tuple> given
    f.round, f.bets, f.previous, f.faced = features[0], features[1], features[2], features[3]
    f.leader, f.players, f.num_bets, f.odds = features[5], features[6], features[7], features[8]
    f.position, f.acted, f.put_in = features[10], features[11], features[12]
    pm_situation_cells(&f, cell)
    return 0


def cells(features):
    """The contexts of a situation that corrections go by, each within a division of its own.

    Parameters
    ----------
    features : Features

    Returns
    -------
    tuple of int
        Five; the first is the situation.

    Raises
    ------
    ValueError
        If these are no features.
    """
    cdef int cell[PM_SITUATION_CELLS]
    take_cells(features, cell)
    return cell[0], cell[1], cell[2], cell[3], cell[4]


def rows(
    bint sized,
    features not None,
    boards not None,
    const int16_t[::1] firsts,
    int16_t[:, ::1] out,
    int16_t[:, ::1] basis,
    int16_t[:, ::1] contexts,
):
    """Write n situations as a likelihood takes them.

    Parameters
    ----------
    sized : bool
        Whether bets have sizes.
    features : sequence of Features, length n
    boards : sequence of tuple of int, length n
        The five features of each board.
    firsts : ndarray of int16, shape (features,)
        The first row of each feature, of the betting and then of the board.
    out : ndarray of int16, shape (n, features)
        Overwritten by the rows of the features.
    basis : ndarray of int16, shape (n, 5)
        Overwritten by 0 before the flop or 1 after it, the cells of effects, and the row of replies.
    contexts : ndarray of int16, shape (n, 4)
        Overwritten by the contexts that corrections go by, as `cells` but for the first.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is something else than features.
    """
    cdef Py_ssize_t n = len(features)
    cdef int betting = PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES
    cdef int shown[PM_BOARD_FEATURES]
    cdef pm_features f
    cdef object board
    cdef Py_ssize_t situation
    cdef int k
    check_shape("boards", (len(boards),), (n,))
    check_shape("firsts", (firsts.shape[0],), (betting + PM_BOARD_FEATURES,))
    check_shape("out", (out.shape[0], out.shape[1]), (n, betting + PM_BOARD_FEATURES))
    check_shape("basis", (basis.shape[0], basis.shape[1]), (n, PM_SITUATION_PLACE))
    check_shape("contexts", (contexts.shape[0], contexts.shape[1]), (n, PM_SITUATION_CELLS - 1))
    for situation in range(n):
        take_features(features[situation], &f)
        board = boards[situation]
        if not isinstance(board, tuple) or len(board) != PM_BOARD_FEATURES:
            raise ValueError(f"expected the {PM_BOARD_FEATURES} features of a board, got {board!r}")
        for k in range(PM_BOARD_FEATURES):
            shown[k] = (<tuple> board)[k]
        pm_situation_rows(
            &f, shown, sized, &firsts[0], &out[situation, 0], &basis[situation, 0], &contexts[situation, 0])


def board_features(board):
    """The five features of a board, as `pokermodel.reading.adaptive.situations.BoardFeatures` has them.

    Parameters
    ----------
    board : sequence of int
        None, or three to five card indices.

    Raises
    ------
    ValueError
        If it is no board.
    """
    cdef int value[PM_BOARD_FEATURES]
    cdef uint8_t cards[5]
    cdef uint64_t seen = 0
    cdef int n = take_cards(board, cards, 0, 5, "a board", &seen, "")
    pm_board_features(cards, n, value)
    return value[0], value[1], value[2], value[3], value[4]
