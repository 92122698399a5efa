"""BPP carried to hold'em: classes of holdings, factors, evidence, tables, and the modeler by them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core import class_tables as kernels
from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.reading import ActFactors, ActionTables, BayesTables, BettingHistory
from pokermodel.reading.parts.class_tables import default_table
from pokermodel.reading.parts.observed_hands import ObservedHand, cells, observe_hand
from pokermodel.reading.parts.strength_classes import (
    DRAW,
    GROUPS,
    N_STRENGTH_CLASSES,
    POSTFLOP_BORDERS,
    PREFLOP_CLASSES,
    class_ranges,
    strength_classes,
)
from pokermodel.scoring import score

from ..common.class_tables import TextbookTables, textbook_candidates, textbook_classes

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
    factors = ActFactors(1, 1, strength=1e-9)
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
    factors = ActFactors(2, 1, strength)
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
        ActFactors(*wrong)


def test_factors_that_joblib_maps_into_a_worker_can_still_be_added_to(tmp_path):
    """It does so with arrays of a megabyte and more, as those of many players are; they cannot be written to there."""
    factors = ActFactors(2, 1, strength=10)
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
    found = observe_hand(EXAMPLE)
    known = [EXAMPLE.holdings[seat] for seat in EXAMPLE.shown]
    live = live_holdings(EXAMPLE.board + tuple(card for holding in known for card in holding))
    assert found.mass.sum() == live.sum()
    assert len(np.unique(found.classes, axis=0)) == len(found.classes) == found.mass.shape[1]
    classes = [strength_classes(BoardAnalysis(EXAMPLE.board[:n]) if n else None) for n in (0, 3, 4, 5)]
    whole = np.column_stack(classes)[live]
    for candidate, mass in zip(found.classes, found.mass[0], strict=True):
        assert (whole == candidate).all(axis=1).sum() == mass
    for place, name in enumerate(found.names):
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
        found = observe_hand(mucked)
        seen = [hand.holdings[seat] for seat in hand.shown if seat != loser]
        best = max(pm.evaluate(hand.board + holding) for holding in seen)
        live = np.flatnonzero(live_holdings(hand.board + tuple(card for holding in seen for card in holding)))
        losing = sum(pm.evaluate(hand.board + pm.cards.holding_cards(int(index))) < best for index in live)
        masses = found.mass.sum(axis=1)
        place = found.names.index(hand.players[loser])
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
    assert observe_hand(hand).acts.tolist() == [Act.CALL]


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
    triples, predicted = np.empty((N_HOLDINGS, 3)), np.empty(3)
    kernels.spread(table, classes, live.view(np.uint8), weights, triples, predicted)
    np.testing.assert_array_equal(triples, np.where(live[:, None], table[classes], np.nan))
    np.testing.assert_allclose(predicted, weights @ table[classes] / weights.sum(), rtol=1e-12)
    classes[5] = 22
    with pytest.raises(ValueError, match="a class must be 0 to 21, got 22"):
        kernels.spread(table, classes, live.view(np.uint8), weights, triples, predicted)
    with pytest.raises(ValueError, match=r"live must have shape \(1326,\), got \(3,\)"):
        kernels.spread(table, classes, np.ones(3, dtype=np.uint8), weights, triples, predicted)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cells": [[12, 0, 0, 0, 0]]}, "a situation must be 0 to 11, got 12"),
        ({"cells": [[0, 72, 0, 0, 0]]}, "a cell must be 0 to 71, got 72"),
        ({"cells": [[0, 0, 0, -1, 0]]}, "a cell must be 0 to 359, got -1"),
        ({"actors": [1]}, "an actor must be 0 to 0, got 1"),
        ({"rounds": [1]}, "a round must be 0 to 0, got 1"),
        ({"acts": [3]}, "an act must be 0 to 2, got 3"),
        ({"acts": [1, 1]}, r"acts must have shape \(1,\), got \(2,\)"),
        ({"shown": [[22]]}, "a class that was shown must be 0 to 21, got 22"),
        ({"legal": np.ones((1, 2))}, r"legal must have shape \(1, 3\), got \(1, 2\)"),
        ({"classes": np.full((4, 1), 22, dtype=np.uint8)}, "a class must be 0 to 21, got 22"),
        ({"classes": np.zeros((0, 1), dtype=np.uint8), "mass": np.zeros((1, 0))}, "there must be candidates"),
        ({"mass": np.ones((1, 3))}, r"mass must have shape \(4,\), got \(3,\)"),
    ],
)
def test_what_no_hand_says_is_refused(change, message):
    """Nothing is read or written beyond the tables, whatever a kernel is told."""
    found = ObservedHand(
        names=("A",),
        actors=np.zeros(1, dtype=np.intp),
        rounds=np.zeros(1, dtype=np.intp),
        acts=np.ones(1, dtype=np.intp),
        cells=np.zeros((1, 5), dtype=np.intp),
        legal=np.ones((1, 3)),
        classes=np.zeros((4, 1), dtype=np.uint8),
        mass=np.ones((1, 4)),
        shown=np.full((1, 1), -1, dtype=np.intp),
    )
    tables = BayesTables()
    tables._count(found, tables)
    before = tables.to_bytes()
    wrong = {name: np.array(each, dtype=np.intp) if isinstance(each, list) else each for name, each in change.items()}
    with pytest.raises(ValueError, match=message):
        tables._count(replace(found, **wrong), tables)
    assert tables.to_bytes() == before


def test_numbers_of_players_are_within_the_tables():
    tables = BayesTables()
    arrays, legal, out = tables._arrays(), np.ones(3), np.empty((22, 3))
    with pytest.raises(ValueError, match="the number of a player must be 0 to 0, got 1"):
        kernels.table(arrays, np.zeros(5, dtype=np.intp), 1, legal, GROUPS, out)
    with pytest.raises(ValueError, match="a group must be 0 to 5, got 6"):
        kernels.table(arrays, np.zeros(5, dtype=np.intp), 0, legal, np.full((2, 22), 6), out)
    counts, known = tables.base.in_place()
    with pytest.raises(ValueError, match="there must be 6 divisions, got 5"):
        kernels.Tables(tables.base.prior, 1.0, counts, known, [(np.ones((4, 1, 3)),) * 3 + (1.0,)] * 5)
    with pytest.raises(ValueError, match="1 or 6 groups"):
        kernels.Tables(tables.base.prior, 1.0, counts, known, [(np.ones((4, 2, 3)),) * 3 + (1.0,)] * 6)


@pytest.mark.parametrize(
    ("board", "dead"), [("Ts9s8d", ""), ("2c7d9s", "AcAd"), ("Th9h8h7h", "2c"), ("AcAdKhKs", ""), ("2c7d9sThAc", "3d")]
)
def test_strength_classes_are_those_of_the_textbook(board, dead):
    analysis = BoardAnalysis(board, dead)
    assert strength_classes(analysis).tolist() == textbook_classes(analysis).tolist()


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
@pytest.mark.parametrize("share", [0.0, 0.01, 1.0])
def test_candidates_are_the_different_classes(rounds, share):
    rng = np.random.default_rng(rounds)
    classes = rng.integers(0, (N_STRENGTH_CLASSES, 3, 7, 22)[:rounds], (N_HOLDINGS, rounds), dtype=np.uint8).T.copy()
    live = rng.random(N_HOLDINGS) < share
    losing = live & (rng.random(N_HOLDINGS) < 0.4)
    found, masses = np.full((N_HOLDINGS, rounds), 99, dtype=np.uint8), np.full((2, N_HOLDINGS), np.nan)
    n = kernels.candidates(classes, live.view(np.uint8), losing.view(np.uint8), found, masses)
    of, mass, lost = textbook_candidates(classes, live, losing)
    assert found[:n].tolist() == of.tolist()
    assert masses[:, :n].tolist() == [mass.tolist(), lost.tolist()]
    masses[:] = np.nan
    assert kernels.candidates(classes, live.view(np.uint8), None, found, masses) == n
    assert masses[0, :n].tolist() == mass.tolist()
    assert np.isnan(masses[1]).all()


def test_what_is_no_class_is_refused():
    live, found, masses = np.ones(N_HOLDINGS, np.uint8), np.empty((N_HOLDINGS, 1), np.uint8), np.empty((2, N_HOLDINGS))
    with pytest.raises(ValueError, match="a class must be 0 to 21, got 22"):
        kernels.candidates(np.full((1, N_HOLDINGS), 22, np.uint8), live, None, found, masses)
    with pytest.raises(ValueError, match="rounds must be 1 to 4, got 5"):
        kernels.candidates(np.zeros((5, N_HOLDINGS), np.uint8), live, None, found, masses)
    with pytest.raises(ValueError, match=r"found must have shape \(1326, 1\), got \(1325, 1\)"):
        kernels.candidates(np.zeros((1, N_HOLDINGS), np.uint8), live, None, found[:-1], masses)
    with pytest.raises(ValueError, match=r"losing must have shape \(1326,\), got \(1325,\)"):
        kernels.candidates(np.zeros((1, N_HOLDINGS), np.uint8), live, live[:-1], found, masses)
    strengths, out = np.ones(N_HOLDINGS), np.empty(N_HOLDINGS, np.uint8)
    with pytest.raises(ValueError, match="borders must be 1 to 21, got 22"):
        kernels.strength_classes(strengths, None, np.linspace(0, 1, 22), 0.1, 0, out)
    with pytest.raises(ValueError, match="classes with draws must be 0 to 9, got 10"):
        kernels.strength_classes(strengths, None, np.linspace(0, 1, 12), 0.1, 10, out)
    with pytest.raises(ValueError, match=r"potentials must have shape \(1326,\), got \(1,\)"):
        kernels.strength_classes(strengths, strengths[:1], np.ones(1), 0.1, 0, out)


def test_beliefs_are_those_of_all_holdings_one_by_one():
    """Of the textbook, which the kernels are compared with."""
    tables, rng = TextbookTables(), np.random.default_rng(7)
    tables.merge(taught())
    for number in range(30):
        hand = random_hand(rng, number=number)
        found = observe_hand(hand)
        numbers = np.array([tables.number(name) for name in found.names])[found.actors]
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
        for place, name in enumerate(found.names):
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
    found = observe_hand(hidden)
    fresh = BayesTables()
    prior = fresh.base.probabilities()
    counts = np.zeros(prior.shape)
    for place in range(len(found.names)):
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
    assert modeler.active == (0,)


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
