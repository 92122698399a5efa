"""Records of games of five-card stud (``pokermodel/stud/stud_play.h``), and what players would have believed in them.

Games are columns, two games to a deal: `cards` (games, 2, 5), by player, the card face down first; `acts` (games, 24),
in eight bits each: act (2), player (1), round (2), whether there was a bet to call, whether no raise was allowed,
whether it was a bluff; and `lengths` (games,), the number of acts, plus 128 if the game ended with a showdown.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from pokermodel._core.evaluator cimport pm_evaluator, tables
from pokermodel._core.rules cimport PM_FOLD, PM_RAISE
from pokermodel._core.stud_player cimport (
    Player, pm_stud_belief, pm_stud_choice, pm_stud_decide, pm_stud_new_round, pm_stud_observe
)
from pokermodel._core.stud_rules cimport (
    check_player, pm_stud, pm_stud_act, pm_stud_begin, pm_stud_capped, pm_stud_owed, take_spec
)


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int pm_different_cards(const uint8_t *cards, int n) noexcept


MOST_ACTS = PM_STUD_MOST_ACTS


cdef int refuse_shape() except -1:
    raise ValueError(
        f"games must be columns of one length: cards (games, 2, 5), acts (games, {PM_STUD_MOST_ACTS}), "
        f"lengths (games,), chances (games, {PM_STUD_MOST_ACTS}, 3) and wins (games, {PM_STUD_MOST_ACTS})"
    )


cdef Py_ssize_t count_games(
    const uint8_t[:, :, ::1] cards, const uint8_t[:, ::1] acts, const uint8_t[::1] lengths
) except -1:
    if not (
        acts.shape[0] == lengths.shape[0] == cards.shape[0] and cards.shape[1] == 2 and cards.shape[2] == 5
        and acts.shape[1] == PM_STUD_MOST_ACTS
    ):
        refuse_shape()
    return cards.shape[0]


cdef inline bint begin_game(pm_stud *table, const uint8_t *cards, int length, Py_ssize_t game) noexcept nogil:
    """Deal the cards of a game again; false if its cards or its number of acts are impossible."""
    if not pm_different_cards(cards, 10) or (length & 127) > PM_STUD_MOST_ACTS:
        return False
    memcpy(table.card, cards, 10)
    table.tie = <int> (game >> 1 & 1) ^ <int> (game & 1)
    pm_stud_begin(table)
    return True


cdef inline bint is_legal(const pm_stud *table, int code) noexcept nogil:
    """Whether an act, in eight bits, is a legal one of the player to act."""
    cdef int act = code & 3
    if table.seat != (code >> 2 & 1) or act > PM_RAISE:
        return False
    return not (act == PM_RAISE and pm_stud_capped(table) or act == PM_FOLD and not pm_stud_owed(table))


cdef inline bint has_ended(const pm_stud *table, int length) noexcept nogil:
    """Whether a game is over, with a showdown exactly if its length says so."""
    return table.seat < 0 and (table.folded < 0) == (length >> 7)


def check_games(
    int ante,
    bets,
    int max_bets,
    const uint8_t[:, :, ::1] cards,
    const uint8_t[:, ::1] acts,
    const uint8_t[::1] lengths,
):
    """Check that games keep to the rules, and that each act's bits say what the game was like.

    Parameters
    ----------
    ante, bets, max_bets
        See `StudState`.
    cards, acts, lengths
        The games, from an even one on.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is out of range, or a game breaks the rules.
    """
    cdef pm_stud table
    cdef Py_ssize_t games = count_games(cards, acts, lengths)
    cdef Py_ssize_t g
    cdef Py_ssize_t bad = -1
    cdef int k, act
    take_spec(ante, bets, max_bets, &table.spec)
    with nogil:
        for g in range(games):
            if not begin_game(&table, &cards[g, 0, 0], lengths[g], g):
                bad = g
                break
            for k in range(lengths[g] & 127):
                act = acts[g, k] & 3
                if not is_legal(&table, acts[g, k]) or (acts[g, k] & 127) != pm_stud_code(&table, act, 0):
                    bad = g
                    break
                pm_stud_act(&table, act)
            if bad >= 0 or not has_ended(&table, lengths[g]):
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
    """Find what a player would have believed in the place of one who played.

    Parameters
    ----------
    player : Player
    who : int
        The place that the player takes, 0 or 1.
    ante, bets, max_bets
        See `StudState`.
    cards, acts, lengths
        The games, from an even one on.
    wins : float64 (games, 24)
        Filled with the probability of winning at each decision of that place; other entries are left alone.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is out of range, or a game breaks the rules.
    """
    cdef const pm_evaluator *e = tables()
    cdef pm_stud table
    cdef pm_stud_belief belief
    cdef pm_stud_choice choice
    cdef Py_ssize_t games = count_games(cards, acts, lengths)
    cdef Py_ssize_t g
    cdef Py_ssize_t bad = -1
    cdef int k, act, round, acted
    take_spec(ante, bets, max_bets, &table.spec)
    if wins.shape[0] != games or wins.shape[1] != PM_STUD_MOST_ACTS:
        refuse_shape()
    check_player(who)
    with nogil:
        for g in range(games):
            if not begin_game(&table, &cards[g, 0, 0], lengths[g], g):
                bad = g
                break
            round = -1
            acted = 0
            for k in range(lengths[g] & 127):
                if not is_legal(&table, acts[g, k]):
                    bad = g
                    break
                act = acts[g, k] & 3
                if table.round != round:
                    round = table.round
                    acted = 0
                    pm_stud_new_round(&player.c.reader, e, &table, who, &belief)
                if table.seat == who:
                    pm_stud_decide(&player.c, e, &table, &belief, not acted, &choice)
                    acted = 1
                    wins[g, k] = choice.win
                else:
                    pm_stud_observe(&player.c.reader, &table, act, &belief)
                pm_stud_act(&table, act)
            if bad >= 0 or not has_ended(&table, lengths[g]):
                bad = g
                break
    if bad >= 0:
        raise ValueError(f"game {bad} breaks the rules")
