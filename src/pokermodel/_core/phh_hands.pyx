"""Hands of PHH documents, as long as they are usual: see ``pokermodel/texts/phh.h``."""

from pokermodel._core.rules import Act

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t

from pokermodel._core.evaluator cimport tables
from pokermodel._core.rules cimport PM_LIMIT, PM_RAISE, PM_SEATS, pm_state, State
from pokermodel._core.texts cimport pm_different_cards, pm_payoffs, pm_text


cdef extern from "pokermodel/texts/phh.h" nogil:
    enum:
        PM_PHH_PARTS
        PM_PHH_BOARD

    ctypedef struct pm_phh_step:
        int64_t money
        int8_t kind
        int8_t seat

    ctypedef struct pm_phh_amounts:
        int n
        int64_t money[23]

    ctypedef struct pm_phh_hand:
        int structure
        pm_phh_amounts starting
        pm_phh_amounts finishing
        pm_phh_amounts antes
        pm_phh_amounts blinds
        int64_t small
        int64_t big
        pm_text name[23]
        pm_text id
        pm_text currency
        pm_text zone
        pm_text place
        pm_text own
        int64_t year
        int64_t month
        int64_t day
        int hour
        int minute
        int second
        int steps
        int raises
        pm_phh_step step[1024]
        int64_t unit
        int cards
        int known
        int8_t board[5]
        int8_t holders[23]
        int8_t hole[23][2]
        uint32_t holds
        uint32_t mucked

    bint pm_phh_read(pm_phh_hand *h, const char *at, const char *end) noexcept
    bint pm_phh_complete(pm_phh_hand *h) noexcept
    bint pm_phh_play(pm_state *s, pm_phh_hand *h) noexcept


cdef object NEW = tuple.__new__  # makes a named tuple in a part of the time that the class would take
cdef object RAISE = Act.RAISE


cdef object text_of(pm_text text):
    return None if text.text == NULL else PyUnicode_DecodeUTF8(text.text, text.length, NULL)


cdef tuple chips_of(const pm_phh_amounts *amounts, int64_t unit):
    cdef int k
    return tuple([amounts.money[k] // unit for k in range(amounts.n)])


cdef bint cards_fit(const pm_phh_hand *h) noexcept nogil:
    """Whether all cards are different."""
    cdef uint8_t cards[2 * PM_SEATS + PM_PHH_BOARD]
    cdef int n = 0
    cdef int k
    for k in range(h.cards):
        cards[n] = <uint8_t> h.board[k]
        n += 1
    for k in range(h.known):
        cards[n] = <uint8_t> h.hole[h.holders[k]][0]
        cards[n + 1] = <uint8_t> h.hole[h.holders[k]][1]
        n += 2
    return pm_different_cards(cards, n)


def rebuild(bytes document not None, game, list actions not None, type action not None):
    """Rebuild a hand in which everything is usual.

    Parameters
    ----------
    document : bytes
        TOML.
    game : callable
        Returns the game, given antes and blinds in the order of the format, the two bets, whether it is limit, in
        limit the number of raises before the flop, and what our own table has between its braces, or None; amounts are
        chips. It raises `ValueError` if the game is not usual.
    actions : list of list of Action
        What is done, by seat and act, without amount.
    action : type
        `pokermodel.game.Action`.

    Returns
    -------
    tuple or None
        What our own table has, or None, number of the hand or None, when it was played (year, month and day; hour,
        minute and second, or None; zone or None) or None, currency or None, chips in a unit of it, players, actions,
        board, holdings by seat, seats that mucked, stated payoffs or None, payoffs, the state at the end, and the
        table or None. None where something is unusual or wrong.
    """
    cdef pm_phh_hand hand
    cdef double payoffs[PM_SEATS]
    cdef const char *text = PyBytes_AS_STRING(document)
    cdef const pm_phh_step *step
    cdef State state
    cdef int k, seat, n
    cdef list done
    if not pm_phh_read(&hand, text, text + PyBytes_GET_SIZE(document)) or not pm_phh_complete(&hand):
        return None
    n = hand.starting.n
    if not issubclass(action, tuple) or len(actions) < n or min([len(<list?> acts) for acts in actions[:n]]) <= RAISE:
        raise ValueError(f"actions must be three for each of {n} seats, and of a named tuple")
    try:
        PyUnicode_DecodeUTF8(text, PyBytes_GET_SIZE(document), NULL)
        spec = game(
            chips_of(&hand.antes, hand.unit),
            chips_of(&hand.blinds, hand.unit),
            (hand.small // hand.unit, hand.big // hand.unit),
            hand.structure == PM_LIMIT,
            hand.raises if hand.structure == PM_LIMIT else 0,
            text_of(hand.own),
        )
        state = State(spec, chips_of(&hand.starting, hand.unit))
    except ValueError:
        return None
    if state.table.c.structure != hand.structure:
        raise ValueError(f"the game must have the structure of the hand, got {spec!r}")
    if not pm_phh_play(&state.c, &hand) or not cards_fit(&hand):
        return None
    if not pm_payoffs(&state.c, tables(), hand.board, hand.cards, hand.hole, hand.holds, hand.mucked, payoffs):
        return None
    done = []
    for k in range(hand.steps):
        step = &hand.step[k]
        if step.kind == PM_RAISE and hand.structure != PM_LIMIT:
            done.append(NEW(action, (step.seat, RAISE, False, step.money // hand.unit)))
        elif step.kind <= PM_RAISE:
            done.append((<list> actions[step.seat])[step.kind])
    holdings = {}
    for k in range(hand.known):
        seat = hand.holders[k]
        holdings[seat] = (hand.hole[seat][0], hand.hole[seat][1])
    time = None
    if hand.year >= 0 and hand.month >= 0 and hand.day >= 0:
        clock = None if hand.hour < 0 else (hand.hour, hand.minute, hand.second)
        time = hand.year, hand.month, hand.day, clock, text_of(hand.zone)
    stated = None
    if hand.finishing.n >= 0:
        stated = tuple([
            <double> (hand.finishing.money[k] - hand.starting.money[k]) / <double> hand.unit for k in range(n)
        ])
    return (
        text_of(hand.own),
        text_of(hand.id),
        time,
        text_of(hand.currency),
        PM_PHH_PARTS // hand.unit,
        tuple([text_of(hand.name[k]) for k in range(n)]),
        tuple(done),
        tuple([hand.board[k] for k in range(hand.cards)]),
        holdings,
        frozenset([seat for seat in range(n) if hand.mucked >> seat & 1]) if hand.mucked else frozenset(),
        stated,
        tuple([payoffs[k] for k in range(n)]),
        state,
        text_of(hand.place),
    )
