"""BPP carried to hold'em: classes of holdings, factors, evidence, tables, and the modeler by them."""

from __future__ import annotations

import pickle
from itertools import islice

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core import class_tables as kernels
from pokermodel._core import observed_hands as observing
from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.bpp.class_tables import BayesTables, default_table
from pokermodel.classics.bpp.observed_hands import ObservedHand, cells, observe_hand
from pokermodel.classics.bpp.rate_multipliers import RateMultipliers
from pokermodel.classics.bpp.strength_buckets import (
    BORDERS,
    DRAW,
    GROUPS,
    N_STRENGTH_CLASSES,
    POSTFLOP_BORDERS,
    PREFLOP_CLASSES,
    class_ranges,
    strength_classes,
)
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.reading import BettingHistory, posterior
from pokermodel.scoring import score
from tests.common.class_tables import TextbookTables, packed, textbook_arrays, textbook_classes

SPEC = GameSpec.ring(3, 5, 10)
EXAMPLE = pm.example_hand()


def random_hand(rng, spec=SPEC, names=("A", "B", "C"), number=1, mucked=()):
    """A hand of players who choose evenly, with all cards known."""
    deck = rng.permutation(52).tolist()
    state, actions = State(spec), []
    while not state.over:
        legal = state.legal()
        act = legal[rng.integers(len(legal))]
        actions.append(Action(state.seat, act))
        state.act(act)
    n = spec.players
    holdings = {seat: (max(pair), min(pair)) for seat in range(n) for pair in [deck[2 * seat : 2 * seat + 2]]}
    board = deck[2 * n : 2 * n + (0, 3, 4, 5)[state.round]]
    return Hand("test", str(number), spec, names, actions, board, holdings, mucked=mucked)


def told(hand):
    """The decisions of a hand, each with the cells that it falls into."""
    history, found = BettingHistory(len(hand.players)), []
    for decision in hand.replay():
        found.append((decision, cells(history.features(decision.situation))))
        history.add(decision)
    return found


# -------------------------------------------------------------------------------------------------------- classes


@pytest.mark.parametrize("board", ["9d6c2d", "3h4cJh2s", "3h4cJh2s9d"])
def test_classes_are_ranges_of_strength_and_draws(board):
    analysis = BoardAnalysis(board)
    classes, strengths = strength_classes(analysis), analysis.strengths()
    potentials = analysis.crude_potentials()
    borders = (0.0, *POSTFLOP_BORDERS, 1.0)
    for holding in np.flatnonzero(analysis.live).tolist():
        strength = sum(strengths[holding] >= border for border in POSTFLOP_BORDERS)
        draw = potentials[holding] >= DRAW and strength < 9
        assert classes[holding] == strength + 13 * draw
        low, high = borders[strength], borders[strength + 1]
        expected = ((1 + low) / 2, (1 + high) / 2) if draw else (low, high)
        assert tuple(class_ranges(False)[classes[holding]]) == pytest.approx(expected)
    assert (classes.max() < 13) == (len(analysis.board) == 5)
    assert not classes[~analysis.live].any()
    assert not classes.flags.writeable
    assert strength_classes(BoardAnalysis(board)) is classes


def test_classes_before_the_flop():
    assert strength_classes(None) is PREFLOP_CLASSES
    assert PREFLOP_CLASSES[holding_index("AsAd")] == PREFLOP_CLASSES.max() == 13
    assert PREFLOP_CLASSES[holding_index("7s2d")] == 0
    low, high = class_ranges(True)[:14].T
    np.testing.assert_allclose(np.bincount(PREFLOP_CLASSES) / N_HOLDINGS, high - low, atol=0.012)
    assert GROUPS.min() == 0
    assert GROUPS.max() == 5


def test_what_an_unknown_player_does():
    table = default_table()
    assert table.shape == (12, N_STRENGTH_CLASSES, 3)
    np.testing.assert_allclose(table.sum(axis=2), 1)
    assert (table >= 0).all()
    for situation in range(12):  # over all holdings it is Loki's frequencies, draws apart
        used = slice(0, 14 if situation < 3 else 13)
        low, high = class_ranges(situation < 3)[used].T
        np.testing.assert_allclose(
            (high - low) @ table[situation, used], pm.reading.DEFAULT_FREQUENCIES[situation % 3], atol=1e-12
        )
        assert (np.diff(table[situation, used, 2]) >= 0).all()


# ---------------------------------------------------------------------------------------------------------- factors


def test_tilts_over_the_situations_of_a_table_are_counting():
    prior = np.array([0.2, 0.5, 0.3])
    done = np.array([5.0, 1.0, 14.0])
    factors = RateMultipliers(1, 1, strength=1e-9)
    factors.add(np.array([0]), done[None, None], (done.sum() * prior)[None, None])
    np.testing.assert_allclose(prior * factors.factors[0, 0], done / done.sum())


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=12),
    st.floats(0.5, 50),
)
def test_tilts_add(entries, strength):
    cells = np.array([cell for cell, _, _ in entries])
    counts = np.array([[[n, 0, 1]] for _, n, _ in entries], dtype=float)
    expected = np.array([[[e, 1, 0]] for _, _, e in entries], dtype=float)
    factors = RateMultipliers(2, 1, strength)
    factors.grow(5)
    factors.add(cells, counts, expected)
    for cell in range(5):
        n, e = counts[cells == cell].sum(axis=0), expected[cells == cell].sum(axis=0)
        np.testing.assert_allclose(factors.factors[cell], (strength / 3 + n) / (strength / 3 + e))
    factors.fade(slice(None), 0.0)
    assert (factors.factors == 1).all()


@pytest.mark.parametrize("wrong", [(0, 1, 1.0), (1, 0, 1.0), (1, 1, 0.0), (1, 1, np.nan)])
def test_wrong_factors_of(wrong):
    with pytest.raises(ValueError, match=r"factor|cells"):
        RateMultipliers(*wrong)


def test_factors_that_joblib_maps_into_a_worker_can_still_be_added_to(tmp_path):
    """It does so with arrays of a megabyte and more, as those of many players are; they cannot be written to there."""
    factors = RateMultipliers(2, 1, strength=10)
    more = np.array([1]), np.ones((1, 1, 3)), np.full((1, 1, 3), 0.5)
    factors.add(*more)
    joblib.dump(factors, tmp_path / "factors")
    other = joblib.load(tmp_path / "factors", mmap_mode="r")
    for each in factors, other:
        each.add(*more)
        each.grow(3)
    for name in "counts", "expected", "factors":
        np.testing.assert_array_equal(getattr(other, name), getattr(factors, name))


# ------------------------------------------------------------------------------------------------------- evidence


def test_the_cells_of_a_hand_by_hand():
    # the button raises, the small blind calls, the big blind folds; check, bet, raise, call
    acts = [(2, 2), (0, 1), (1, 0), (0, 1), (2, 2), (0, 2), (2, 1)]
    hand = Hand("t", "1", SPEC, "ABC", [(s, Act(a)) for s, a in acts], "3h4cJh2s")
    found = [where for _, where in told(hand)]
    assert [cell[0] for cell in found] == [1, 2, 1, 3, 3, 4, 4]
    own = [(cell[1] - 6 * cell[0]) for cell in found]  # 2 * previous + had bets to call
    assert own == [0, 0, 0, 3, 5, 2, 4]
    lead = [(cell[2] - 15 * cell[0]) for cell in found]  # 3 * (players - 2) + who raised last before this round
    assert lead == [3, 3, 3, 2, 1, 2, 1]


def test_cells_are_in_their_tables(data_dir):
    tables = BayesTables()
    for hand in islice(pm.open_hands(data_dir / "irc-199504" / "sample300", strict=False), 200):
        for _, where in told(hand):
            assert 0 <= where[0] < 12
            for cell, factors in zip(where[1:], tables.factors, strict=False):
                assert 0 <= cell < len(factors)
                assert cell // (len(factors) // 12) == where[0]  # each refines the situation


def test_evidence_counts_holdings():
    names, found = (hand := observe_hand(EXAMPLE)).names, hand.arrays
    known = [EXAMPLE.holdings[seat] for seat in EXAMPLE.shown]
    live = live_holdings(EXAMPLE.board + tuple(card for holding in known for card in holding))
    assert found.mass.sum() == live.sum()
    assert len(np.unique(found.classes, axis=0)) == len(found.classes) == found.mass.shape[1]
    classes = [strength_classes(BoardAnalysis(EXAMPLE.board[:n]) if n else None) for n in (0, 3, 4, 5)]
    whole = np.column_stack(classes)[live]
    for candidate, mass in zip(found.classes, found.mass[0], strict=True):
        assert (whole == candidate).all(axis=1).sum() == mass
    for place, name in enumerate(names):
        seat = EXAMPLE.players.index(name)
        if seat in EXAMPLE.shown:
            index = holding_index(EXAMPLE.holdings[seat])
            assert found.shown[place].tolist() == [each[index] for each in classes]
        else:
            assert (found.shown[place] == -1).all()


def test_who_mucks_cannot_have_won():
    rng = np.random.default_rng(3)
    checked = 0
    for number in range(200):
        hand = random_hand(rng, number=number)
        if len(hand.shown) < 2:
            continue
        loser = min(hand.shown, key=lambda seat: hand.payoffs[seat])
        if hand.payoffs[loser] >= 0:
            continue
        mucked = Hand("t", "1", SPEC, hand.players, hand.actions, hand.board, hand.holdings, mucked=[loser])
        names, found = (observed := observe_hand(mucked)).names, observed.arrays
        seen = [hand.holdings[seat] for seat in hand.shown if seat != loser]
        best = max(pm.evaluate(hand.board + holding) for holding in seen)
        live = np.flatnonzero(live_holdings(hand.board + tuple(card for holding in seen for card in holding)))
        losing = sum(pm.evaluate(hand.board + pm.cards.holding_cards(int(index))) < best for index in live)
        masses = found.mass.sum(axis=1)
        place = names.index(hand.players[loser])
        assert masses[place] == losing
        assert (np.delete(masses, place) == len(live)).all()
        assert (found.shown[place] == -1).all()
        checked += 1
        if checked == 3:
            return
    raise AssertionError("no such hand")


def test_hands_without_a_decision_say_nothing():
    # the big blind folds where he could have checked, and that is all that was not offered
    hand = Hand("t", "1", GameSpec.ring(2, 5, 10), "AB", [(0, Act.CALL), (1, Act.FOLD)])
    assert observe_hand(hand).arrays.acts.tolist() == [Act.CALL]


@pytest.mark.parametrize("where", ["played", "sample300", "sites"])
def test_evidence_is_that_of_the_textbook(where, request):
    """With and without showdowns, hands that are mucked, and cards that one player alone has seen."""
    if where == "played":
        rng = np.random.default_rng(12)
        hands = [random_hand(rng, number=number, mucked=(0,) * (number % 3 == 0)) for number in range(40)]
    else:
        folder = request.getfixturevalue("data_dir") / ("sites-limit" if where == "sites" else "irc-199504/sample300")
        files = sorted(path for path in folder.rglob("*.txt")) if where == "sites" else [folder]
        hands = [hand for file in files for hand in islice(pm.open_hands(file, strict=False), 40)]
    checked = 0
    for number, hand in enumerate(hands):
        try:
            _ = hand.payoffs
        except ValueError:
            continue
        own = next(iter(hand.holdings), None) if number % 2 else None
        found = observe_hand(hand, own=own) if hand.spec.structure.fixed else None
        if found is not None:
            names, expected = textbook_arrays(hand, own)
            assert found.names == names
            for name, one, other in zip(expected._fields, found.arrays, expected, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=name)
            checked += 1
    assert checked >= 30


# --------------------------------------------------------------------------------------------------------- tables


def taught(hands=60, seed=1, **options):
    rng = np.random.default_rng(seed)
    tables = BayesTables(**options)
    for number in range(hands):
        tables.learn(random_hand(rng, number=number))
    return tables


def same_counts(found, expected):
    """Tables that have counted the same, but for rounding."""
    assert (found.hands, found.players) == (expected.hands, expected.players)
    np.testing.assert_allclose(found.base.counts, expected.base.counts, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found.base.probabilities(), expected.base.probabilities(), rtol=1e-10)
    for ours, theirs in zip(found.factors, expected.factors, strict=True):
        for name in ("counts", "expected", "factors"):
            one, other = (getattr(each, name) for each in (ours, theirs))
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    "options",
    [{}, {"estimator": "showdown_only"}, {"decay": 0.9}, {"every": 10, "keep": 25}, {"strength": 3.0}],
    ids=str,
)
def test_learning_is_that_of_the_textbook(options):
    """Hand by hand, in passes over many, and with what was learnt elsewhere; with hands that are mucked."""
    rng = np.random.default_rng(11)
    hands = []
    for number in range(60):
        names = rng.permutation(list("ABCDE"))[:3].tolist()
        hands.append(random_hand(rng, number=number, names=names, mucked=(0,) * (number % 3 == 0)))
    ours, theirs = BayesTables(**options), TextbookTables(**options)
    for hand in hands[:40]:
        ours.learn(hand)
        theirs.learn(hand)
    same_counts(ours, theirs)
    for decision, where in told(hands[-1]):
        for player in ("A", "nobody"):
            expected = theirs.table(where, decision.legal, player)
            np.testing.assert_allclose(ours.table(where, decision.legal, player), expected, rtol=1e-10)
    ours.fit(hands[40:], passes=2)
    theirs.fit(hands[40:], passes=2)
    same_counts(ours, theirs)
    same_counts(BayesTables.from_bytes(ours.to_bytes(), **options), ours)


def test_holdings_have_the_row_of_their_class():
    rng = np.random.default_rng(3)
    table, classes = rng.dirichlet([1, 1, 1], 22), rng.integers(0, 22, N_HOLDINGS).astype(np.uint8)
    live = live_holdings("2c7d9h")
    weights = np.where(live, rng.random(N_HOLDINGS), 0.0)
    triples, after, possible = np.empty((N_HOLDINGS, 3)), np.empty(N_HOLDINGS), live.view(np.uint8)
    kernels.spread(table, classes, possible, triples)
    np.testing.assert_array_equal(triples, np.where(live[:, None], table[classes], np.nan))
    assert kernels.posterior(table, 2, classes, possible, weights, after) == (weights * table[classes, 2]).max()
    np.testing.assert_array_equal(after, posterior(weights, triples[:, 2]))
    assert kernels.posterior(table, 2, classes, possible, np.where(live, 0.0, weights), after) == 0
    assert not after.any()
    with pytest.raises(ValueError, match="an act must be 0 to 2, got 3"):
        kernels.posterior(table, 3, classes, possible, weights, after)
    classes[5] = 22
    with pytest.raises(ValueError, match="a class must be 0 to 21, got 22"):
        kernels.posterior(table, 2, classes, possible, weights, after)
    with pytest.raises(ValueError, match="a class must be 0 to 21, got 22"):
        kernels.spread(table, classes, possible, triples)
    with pytest.raises(ValueError, match=r"live must have shape \(1326,\), got \(3,\)"):
        kernels.spread(table, classes, np.ones(3, dtype=np.uint8), triples)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"content": b""}, "it is too short"),
        ({"content": None}, "expected the bytes of a hand, got NoneType"),
        ({"content": packed()[:-1]}, "its size is another one"),
        ({"counts": (0, 1, 1, 2)}, "its numbers are out of range"),
        ({"counts": (1, 1, 2, 2)}, "its numbers are out of range"),
        ({"counts": (1, 1, 1, 5)}, "its numbers are out of range"),
        ({"nodes": (2, 0)}, "a round has too few nodes or too many"),
        ({"nodes": (2, 3)}, "its size is another one"),
        ({"cells": [[12, 0, 0, 0, 0]]}, "action 0 of A is beyond the tables"),
        ({"cells": [[0, 72, 0, 0, 0]]}, "action 0 of A is beyond the tables"),
        ({"cells": [[0, 0, 0, -1, 0]]}, "action 0 of A is beyond the tables"),
        ({"actions": [(1, 0, 1, 7)]}, "there is no such action"),
        ({"actions": [(0, 2, 1, 7)]}, "there is no such action"),
        ({"actions": [(0, 0, 3, 15)]}, "there is no such action"),
        ({"actions": [(0, 0, 1, 5)]}, "there is no such action"),
        ({"parent": (0, 0, 0, 2)}, "there is no such parent"),
        ({"shown": [(22, 0)]}, "there is no such class that was shown"),
        ({"shown": [(2, -1)]}, "there is no such class that was shown"),
        ({"classes": (2, 22, 1, 4)}, "there is no such class"),
        ({"shown": [(-1, -1), (-1, -1)]}, "a hand of 2 players needs as many names, got 1"),
    ],
)
def test_what_no_hand_says_is_refused(change, message):
    """Nothing is read or written beyond the tables, whatever a kernel is told."""
    tables = BayesTables()
    tables._count([ObservedHand(("A",), packed())], tables)
    before = tables.to_bytes()
    wrong = change["content"] if "content" in change else packed(**change)
    with pytest.raises(ValueError, match=message):
        tables._count([ObservedHand(("A",), wrong)], tables)
    assert tables.to_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decisions": [(1, 2)]}, "expected a decision"),
        ({"decisions": [(0, 0, 0, (1, 2), 1, 0, False)]}, "expected a situation"),
        ({"features": [(1, 2)]}, "expected the 28 features"),
        ({"features": []}, "1 decisions need as many features, got 0"),
        ({"known": {0: (1, 2, 3)}}, "a holding has 2 cards, got 3"),
        ({"known": {0: (1, 2), 1: (2, 3)}}, "index 2 occurs twice among board and holdings"),
        ({"board": (1, 1, 2)}, "index 1 occurs twice"),
        ({"preflop": np.full(N_HOLDINGS, 22, np.uint8)}, "a class must be 0 to 21, got 22"),
        ({"preflop": np.zeros(3, np.uint8)}, r"classes must have shape \(1326,\), got \(3,\)"),
    ],
)
def test_what_is_no_finished_hand_is_refused(change, message):
    first, where = next(EXAMPLE.replay()), BettingHistory(len(EXAMPLE.players))
    given = {
        "decisions": [first],
        "features": [where.features(first.situation)],
        "board": EXAMPLE.board,
        "known": {},
        "preflop": PREFLOP_CLASSES,
    } | change
    with pytest.raises(ValueError, match=message):
        observing.observe(
            given["decisions"], given["features"], given["board"], given["known"], (), 0, given["preflop"], BORDERS
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((np.zeros((3, 7), np.uint8), 0.1, 9, 13), r"classes by score must have shape \(3, 2163\), got \(3, 7\)"),
        ((np.full((3, 2163), 22, np.uint8), 0.1, 9, 13), "a class must be 0 to 21, got 22"),
        ((np.zeros((3, 2163), np.uint8), 0.1, 10, 13), "a class must be 0 to 21, got 22"),
        ((np.zeros((3, 2163), np.uint8), 0.2, 9, 13), "at most 9/47, got 0.2"),
    ],
)
def test_what_are_no_borders_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        observing.BucketBorders(*change)


def test_numbers_of_players_are_within_the_tables():
    tables = BayesTables()
    arrays, legal, out = tables._arrays(), tuple(Act), np.empty((22, 3))
    with pytest.raises(ValueError, match=r"no cells \[0, 0, 0, 0, 0\] of player 1"):
        kernels.table(arrays, (0, 0, 0, 0, 0), 1, legal, out)
    with pytest.raises(ValueError, match=r"no cells \[0, 72, 0, 0, 0\] of player 0"):
        kernels.table(arrays, (0, 72, 0, 0, 0), 0, legal, out)
    with pytest.raises(ValueError, match="an act must be 0 to 2, got 3"):
        kernels.table(arrays, (0, 0, 0, 0, 0), 0, (0, 3), out)
    counts, known = tables.base.in_place()
    with pytest.raises(ValueError, match="there must be 6 divisions, got 5"):
        kernels.Tables(tables.base.prior, 1.0, counts, known, [(np.ones((4, 1, 3)),) * 3 + (1.0,)] * 5, GROUPS)
    with pytest.raises(ValueError, match="1 or 6 groups"):
        kernels.Tables(tables.base.prior, 1.0, counts, known, [(np.ones((4, 2, 3)),) * 3 + (1.0,)] * 6, GROUPS)
    with pytest.raises(ValueError, match="a group must be 0 to 5, got 6"):
        kernels.Tables(
            tables.base.prior, 1.0, counts, known, [(np.ones((4, 1, 3)),) * 3 + (1.0,)] * 6, np.full((2, 22), 6)
        )


@pytest.mark.parametrize(
    ("board", "dead"), [("Ts9s8d", ""), ("2c7d9s", "AcAd"), ("Th9h8h7h", "2c"), ("AcAdKhKs", ""), ("2c7d9sThAc", "3d")]
)
def test_strength_classes_are_those_of_the_textbook(board, dead):
    analysis = BoardAnalysis(board, dead)
    assert strength_classes(analysis).tolist() == textbook_classes(analysis).tolist()


def boards(cards):
    """Boards, half of them of few suits or few ranks, on which flushes and full houses are usual."""
    any_board = st.lists(st.integers(0, 51), min_size=cards, max_size=cards, unique=True)
    suited = st.lists(
        st.integers(0, 25).map(lambda k: 4 * (k // 2) + k % 2), min_size=cards, max_size=cards, unique=True
    )
    ranked = st.lists(st.integers(0, 15).map(lambda k: 36 + k), min_size=cards, max_size=cards, unique=True)
    return st.one_of(any_board, suited, ranked, suited.map(lambda found: [card & ~1 | 1 for card in found]))


@settings(max_examples=150, deadline=None)
@given(st.integers(3, 5).flatmap(boards))
def test_classes_of_a_board_are_those_of_its_analysis(board):
    if len(set(board)) < len(board):
        return
    found = np.empty(N_HOLDINGS, dtype=np.uint8)
    BORDERS.classes(board, found)
    assert found.tolist() == textbook_classes(BoardAnalysis(board)).tolist()


def test_what_is_no_board_has_no_classes():
    found = np.empty(N_HOLDINGS, dtype=np.uint8)
    for board, message in (
        ((1, 2), "has 3 to 5 cards, got 2"),
        ((1, 2, 52), "52 is out of range"),
        ((1, 2, 1), "twice"),
    ):
        with pytest.raises(ValueError, match=message):
            BORDERS.classes(board, found)
    with pytest.raises(ValueError, match=r"out must have shape \(1326,\), got \(5,\)"):
        BORDERS.classes((1, 2, 3), found[:5])


def test_beliefs_are_those_of_all_holdings_one_by_one():
    """Of the textbook, which the kernels are compared with."""
    tables, rng = TextbookTables(), np.random.default_rng(7)
    tables.merge(taught())
    for number in range(30):
        hand = random_hand(rng, number=number)
        names, found = (observed := observe_hand(hand)).names, observed.arrays
        numbers = np.array([tables.number(name) for name in names])[found.actors]
        likelihood = np.take_along_axis(
            tables._probabilities(found.cells, found.legal, numbers), found.acts[:, None, None], axis=2
        )[:, :, 0]
        beliefs, _ = tables._beliefs(found, likelihood)
        actions = {}
        for decision, where in told(hand):
            table = tables.table(where, decision.legal, decision.player)
            classes = strength_classes(BoardAnalysis(decision.board) if decision.board else None)
            actions.setdefault(decision.seat, []).append((classes, table[classes, decision.act]))
        known = tuple(card for seat in hand.shown for card in hand.holdings[seat])
        expected = {}
        for seat, done in actions.items():
            weights = live_holdings(hand.board + known) * np.prod([chance for _, chance in done], axis=0)
            if seat in hand.shown:
                weights = np.zeros(N_HOLDINGS)
                weights[holding_index(hand.holdings[seat])] = 1
            expected[hand.players[seat]] = [
                np.bincount(classes, weights / weights.sum(), N_STRENGTH_CLASSES) for classes, _ in done
            ]
        for place, name in enumerate(names):
            np.testing.assert_allclose(beliefs[found.actors == place], expected[name], atol=1e-12)


def test_tables_are_probabilities_of_legal_acts():
    tables = taught()
    for decision, where in told(EXAMPLE):
        for player in ("A", "nobody"):
            table = tables.table(where, decision.legal, player)
            np.testing.assert_allclose(table.sum(axis=1), 1)
            for act in Act:
                assert (table[:, act] > 0).all() == (act in decision.legal)


def test_a_player_is_told_from_the_others():
    spec = GameSpec.ring(2, 5, 10)
    tables = BayesTables()
    rng = np.random.default_rng(2)
    for number in range(60):
        deck = rng.permutation(52).tolist()
        # Bold raises whatever he has, and Meek folds; nothing is ever shown
        hand = Hand("t", str(number), spec, ("Bold", "Meek"), [(0, Act.RAISE), (1, Act.FOLD)], (), {0: deck[:2]})
        tables.learn(hand)
    decision, where = told(hand)[0]
    bold, meek = (tables.table(where, decision.legal, name) @ [0, 0, 1] for name in ("Bold", "Meek"))
    assert (bold > 0.75).all()
    assert (bold >= meek).all()


def test_without_tilts_it_is_the_table_of_the_shared_estimators():
    """One hand a player, and factors too stiff to move: what is left is one step of EM from the prior."""
    tables = BayesTables(context_strength=1e12, own_strengths=(1e12, 1e12))
    hand = random_hand(np.random.default_rng(5))
    hidden = Hand("t", "1", SPEC, hand.players, hand.actions, hand.board)
    tables.learn(hidden)
    names, found = (observed := observe_hand(hidden)).names, observed.arrays
    fresh = BayesTables()
    prior = fresh.base.probabilities()
    counts = np.zeros(prior.shape)
    for place in range(len(names)):
        mine = np.flatnonzero(found.actors == place)
        weights = found.mass[0].copy()
        chances = []
        for action in mine:
            row = prior[found.cells[action, 0]] * found.legal[action]
            chances.append((row / row.sum(axis=1, keepdims=True))[:, found.acts[action]])
            weights *= chances[-1][found.classes[:, found.rounds[action]]]
        weights /= weights.sum()
        for action in mine:
            of = np.bincount(found.classes[:, found.rounds[action]], weights, N_STRENGTH_CLASSES)
            counts[found.cells[action, 0], :, found.acts[action]] += of
    np.testing.assert_allclose(tables.base.counts, counts, atol=1e-12)
    expected = ActionTables(prior, strength=10, counts=counts).probabilities()
    np.testing.assert_allclose(tables.base.probabilities(), expected)


def test_showdown_only_never_sees_a_fold():
    tables = taught(80, estimator="showdown_only")
    assert tables.base.counts.sum() > 0
    assert tables.base.counts[:, :, Act.FOLD].sum() == 0
    assert taught(80).base.counts[:, :, Act.FOLD].sum() > 10


def test_hidden_cards_are_not_looked_at():
    rng = np.random.default_rng(4)
    open_, closed = BayesTables(), BayesTables()
    for number in range(30):
        hand = random_hand(rng, number=number)
        shown = {seat: hand.holdings[seat] for seat in hand.shown}
        open_.learn(hand)
        closed.learn(Hand("t", str(number), SPEC, hand.players, hand.actions, hand.board, shown))
    assert open_.to_bytes() == closed.to_bytes()


def test_merging_adds():
    hands = [random_hand(np.random.default_rng(seed), number=seed) for seed in range(40)]
    other_names = [Hand("t", h.id, SPEC, "CDE", h.actions, h.board, h.holdings) for h in hands[20:]]
    one, two = BayesTables(), BayesTables()
    for first, second in zip(hands[:20], other_names, strict=True):
        one.learn(first)
        two.learn(second)
    both = one.copy()
    both.merge(two)
    assert both.hands == 40
    assert set(both.players) == set("ABCDE")
    np.testing.assert_allclose(both.base.counts, one.base.counts + two.base.counts)
    for factors, first, second in zip(both.factors, one.factors, two.factors, strict=True):
        assert factors.counts.sum() == pytest.approx(first.counts.sum() + second.counts.sum())
    mine = both.factors[-1].counts.reshape(-1, 12, 6, 3)
    first, second = (each.factors[-1].counts.reshape(-1, 12, 6, 3) for each in (one, two))
    np.testing.assert_allclose(mine[both.number("C")], first[one.number("C")] + second[two.number("C")])
    np.testing.assert_allclose(mine[both.number("E")], second[two.number("E")])


def test_tables_are_kept():
    tables = taught(20)
    again = BayesTables.from_bytes(tables.to_bytes())
    assert again.to_bytes() == tables.to_bytes()
    assert again.hands == 20
    assert again.players == tables.players
    decision, where = told(EXAMPLE)[0]
    for player in ("A", "B", "nobody"):
        np.testing.assert_allclose(
            again.table(where, decision.legal, player), tables.table(where, decision.legal, player)
        )
    assert BayesTables.from_bytes(BayesTables().to_bytes()).players == {}


@pytest.mark.parametrize("content", [b"", b"nothing", taught(2).to_bytes()[:-40], taught(2).to_bytes()[50:]])
def test_what_is_no_table(content):
    with pytest.raises(ValueError, match="no tables of BPP"):
        BayesTables.from_bytes(content)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"estimator": "guess"}, {"decay": 0}, {"decay": 1.5}, {"every": -1}, {"keep": 0}),
        *({"strength": -1}, {"strength": 0}, {"strength": np.inf}, {"strength": np.nan}),
    ],
)
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match=r"expected one of|must be"):
        BayesTables(**wrong)


def test_passes_go_over_the_hands_again():
    hands = [random_hand(np.random.default_rng(seed), number=seed) for seed in range(60)]
    online = BayesTables()
    for hand in hands:
        online.learn(hand)
    fitted = BayesTables()
    fitted.fit(iter(hands), passes=0)
    assert fitted.to_bytes() == online.to_bytes()
    fitted = BayesTables()
    fitted.fit(hands, passes=8)
    further = BayesTables()
    further.fit(hands, passes=9)
    assert fitted.hands == 60
    assert fitted.base.counts.sum() == pytest.approx(online.base.counts.sum())
    change = np.abs(further.base.probabilities() - fitted.base.probabilities()).max()
    assert change < 0.25 * np.abs(fitted.base.probabilities() - online.base.probabilities()).max()
    # in a run of hands that are learnt one by one it happens now and then
    now_and_then = BayesTables(every=60)
    for hand in hands:
        now_and_then.learn(hand)
    once = BayesTables()
    once.fit(hands, passes=1)
    np.testing.assert_allclose(now_and_then.base.counts, once.base.counts)
    with pytest.raises(ValueError, match="passes"):
        online.fit([], passes=-1)


@pytest.mark.parametrize("how", ["merge", "from_bytes", "instead"])
def test_going_over_hands_again_keeps_what_came_from_others(how):
    known, hands = taught(30), [random_hand(np.random.default_rng(seed), number=seed) for seed in range(20)]
    if how == "from_bytes":
        tables = BayesTables.from_bytes(known.to_bytes(), every=20)
    else:
        tables = BayesTables(every=20)
        if how == "instead":  # neither counts nor hands that are kept stay
            for number in range(15):
                tables.learn(random_hand(np.random.default_rng(90 + number), number=number))
        tables.merge(known, instead=how == "instead")
    for hand in hands:
        tables.learn(hand)
    expected = known.copy()
    expected.fit(hands, passes=1)
    assert tables.hands == expected.hands == 50
    np.testing.assert_allclose(tables.base.counts, expected.base.counts)
    for ours, theirs in zip(tables.factors, expected.factors, strict=True):
        np.testing.assert_allclose(ours.counts.sum(), theirs.counts.sum())


def test_what_comes_between_two_revisions_stays():
    known, tables = taught(30), BayesTables(every=10)
    for number in range(10):
        if number == 5:
            tables.merge(known)
        tables.learn(random_hand(np.random.default_rng(number), number=number))
    once = BayesTables()
    for number in range(10):
        once.learn(random_hand(np.random.default_rng(number), number=number))
    assert tables.hands == 40
    assert tables.base.counts.sum() == pytest.approx(known.base.counts.sum() + once.base.counts.sum())


def test_decay_forgets_what_a_player_did_long_ago():
    lasting, fading = taught(40), taught(40, decay=0.9)
    for number in (1, 2, 3):
        block = slice(12 * number, 12 * number + 12)
        assert fading.factors[-1].counts[block].sum() < 0.5 * lasting.factors[-1].counts[block].sum()
    assert fading.base.counts.sum() == pytest.approx(lasting.base.counts.sum())


# -------------------------------------------------------------------------------------------------------- modeler


def test_the_modeler_multiplies_by_the_table():
    tables = taught()
    modeler = pm.OpponentModeler("bpp", tables=tables)
    assert modeler.reader.tables is tables
    weights = {}
    for decision, where in told(EXAMPLE):
        expected = modeler.predict(decision.situation) if decision.index else None
        classes = strength_classes(BoardAnalysis(decision.board) if decision.board else None)
        before = weights.get(decision.seat, np.ones(N_HOLDINGS)) * live_holdings(decision.board)
        table = tables.table(where, decision.legal, decision.player)
        if expected is not None:
            np.testing.assert_allclose(expected, before @ table[classes] / before.sum())
        weights[decision.seat] = before * table[classes, decision.act]
        observation = modeler.observe(decision)
        assert observation.reweighted
        np.testing.assert_allclose(observation.expected.predicted.sum(), 1)
        after = modeler.table(decision.seat).probabilities()
        np.testing.assert_allclose(after, weights[decision.seat] / weights[decision.seat].sum(), atol=1e-15)
    assert tables.hands == 60  # reading teaches nothing
    modeler.learn(EXAMPLE)
    assert tables.hands == 61
    assert modeler.reader.learns
    assert modeler.reader.reads_folds


def test_a_step_is_a_forecast_and_a_judgement():
    """To the bit, with a hero's cards and without; and what was expected can be copied."""
    tables = taught()
    for hero in (None, EXAMPLE.players[0]):
        one, other = (pm.OpponentModeler("bpp", tables=tables, hero=hero, learning=False) for _ in range(2))
        for session in one, other:
            session.start(EXAMPLE.players)
            if hero:
                session.hold("AsKs")
        for decision in EXAMPLE.replay():
            predicted, sizes, update = next(one.steps((decision,)))
            np.testing.assert_array_equal(predicted, other.predict(decision.situation))
            expected = other.expect(decision.situation)
            live = other.tables.live(decision.seat)
            found = other.observe(decision)
            assert sizes is None
            assert update.reason == found.reason
            np.testing.assert_array_equal(update.weights, found.posterior)
            np.testing.assert_array_equal(update.weights, posterior(found.prior, expected.triples[:, decision.act]))
            np.testing.assert_array_equal(np.isnan(expected.triples), np.repeat(~live[:, None], 3, axis=1))
            np.testing.assert_array_equal(
                expected.posterior(found.prior, decision.act, 0.25),
                posterior(found.prior, expected.triples[:, decision.act], 0.25),
            )
            nothing = np.where(live, 0.0, 1.0)
            np.testing.assert_array_equal(expected.posterior(nothing, decision.act), nothing)
            again = pickle.loads(pickle.dumps(expected))
            for name in ("triples", "predicted", "values", "table"):
                np.testing.assert_array_equal(getattr(again, name), getattr(expected, name))


def test_the_heros_cards_are_nobody_elses():
    modeler = pm.OpponentModeler("bpp", hero=EXAMPLE.players[0])
    modeler.start(EXAMPLE.players)
    modeler.hold("AsKs")
    for decision in islice(EXAMPLE.replay(), 3):
        observation = modeler.observe(decision)
        held = np.flatnonzero(observation.weights_after)
        assert (decision.player == modeler.hero) == (holding_index("AsQd") in held)


def test_a_fold_that_was_not_called_for_says_nothing():
    spec = GameSpec.ring(2, 5, 10)
    hand = Hand("t", "1", spec, "AB", [(0, Act.CALL), (1, Act.FOLD)])
    modeler = pm.OpponentModeler("bpp")
    *_, last = map(modeler.observe, hand.replay())
    assert not last.reweighted
    assert modeler.tables.active == (0,)


@pytest.mark.parametrize("options", [{"system": "B"}, {"noise": 0.5}, {"preflop": "product"}])
def test_options_of_others(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"unknown option '{name}' of model bpp: its options are estimator,.* tables"):
        pm.OpponentModeler("bpp", **options)
    with pytest.raises(ValueError, match="unknown option 'tables' of model loki2: its options are field"):
        pm.OpponentModeler("loki2", tables=BayesTables())
    with pytest.raises(ValueError, match="have options of their own: got decay"):
        pm.OpponentModeler("bpp", tables=BayesTables(), decay=0.5)


def test_scores_on_real_hands(data_dir):
    """Even a few hundred hands beat the specific Loki-1 by far."""
    hands = list(islice(pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz", strict=False), 700))
    scores = score(hands, "bpp,som", warmup=400)
    bpp, som = (scores[name].to_dict() for name in ("bpp", "som"))
    assert bpp["action_log_loss"] < 0.82
    assert bpp["action_log_loss"] < som["action_log_loss"] - 0.05
    assert bpp["bits_gained"] > 0.5
    assert bpp["bits_gained"] > som["bits_gained"] + 0.3
