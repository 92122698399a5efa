"""What is learnt of populations and players by the adaptive reader."""

from __future__ import annotations

import copy
import pickle
import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel import simd
from pokermodel._core import population as people_kernels
from pokermodel._core import situations as kernels
from pokermodel.cards import holding_index
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, BettingStructure, LiveHand
from pokermodel.reading import BettingHistory, PopulationModel, Prior, default_prior
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs, play
from pokermodel.reading.adaptive.holdings import holding_classes
from pokermodel.reading.adaptive.names import known_as, population
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import (
    BASIS,
    BOARD,
    FACTOR_CELLS,
    LIMIT_TABLE,
    SIZED_TABLE,
    BoardFeatures,
    SituationTable,
    board_features,
    situation_table,
)
from pokermodel.reading.adaptive.sizes import SIZE_PLACES, size_context, size_habits, size_range
from pokermodel.reading.features import Features, Replay
from pokermodel.reading.posterior import posterior
from tests.common import people as people_textbook
from tests.common import situation_rows as textbook
from tests.common.books import HANDS, played
from tests.common.class_tables import possible_holdings
from tests.common.engine import random_hand
from tests.common.situation_rows import textbook_cells

SIX = pm.GameSpec.ring(6, 5, 10)


def another_prior(scale: float = 0.9) -> Prior:
    prior = default_prior()
    limit = prior.games["limit"]
    return Prior([GamePrior("limit", limit.likelihood.weights, {**limit.scales, "player": scale})], {})


NEARLY = {"rtol": 1e-9, "atol": 1e-12}


def without_kinds() -> Prior:
    limit = default_prior().games["limit"]
    return Prior([GamePrior("limit", limit.likelihood.weights, limit.scales)], {})


def limit(people: PopulationModel) -> GamePopulation:
    return people.of(BettingStructure.LIMIT)


def learnt(hands, prior: Prior | None = None) -> PopulationModel:
    people = PopulationModel(prior)
    people.update([PopulationModel.evidence(hand) for hand in hands])
    return people


# ------------------------------------------------------------------------------------------------ situations


NO_LIMIT_SIX = pm.GameSpec.no_limit(6, 5, 10, stacks=(1000, 40, 200, 9000, 1000, 75))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("spec", "table"), [(SIX, LIMIT_TABLE), (NO_LIMIT_SIX, SIZED_TABLE)])
def test_every_situation_has_its_rows(seed: int, spec: pm.GameSpec, table: SituationTable) -> None:
    assert situation_table(spec.structure) is table
    hand, _ = random_hand(seed, spec, leaving=0.1)
    history = BettingHistory(6)
    first = 0
    bounds = []
    for size in (*(feature.size for feature in table.features), *(2 * size for size in BOARD.values())):
        bounds.append((first, first + size))
        first += size
    assert first == table.size
    for decision in hand.replay():
        if not decision.out_of_turn:
            found = table.rows(history.features(decision.situation), board_features(decision.board))
            assert all(low <= row < high for row, (low, high) in zip(found.rows, bounds, strict=True))
            side = found.basis[0]
            assert side == (decision.round > 0)
            assert len(set(found.basis[1:4])) == len(BASIS[side]) == 3
            assert all(0 <= cell < FACTOR_CELLS for cell in found.factors)
            assert len(set(found.factors)) == 4
        history.add(decision)


_NUMBERS = {
    name: st.integers(0, most)
    for name, most in {
        "round": 3,
        "bets": 2,
        "previous": 2,
        "faced": 1,
        "aggressor": 2,
        "leader": 2,
        "players": 12,
        "num_bets": 7,
        "position": 11,
        "acted": 12,
        "invested": 100,
        "put_in": 5,
        "dealt": 12,
        "callers": 8,
        "preflop": 6,
        "before": 5,
        "raised": 6,
        "raised_preflop": 4,
        "called": 4,
        "last": 2,
        "all_in": 4,
        "seat": 12,
        "raiser": 12,
    }.items()
}
_AMOUNTS = st.one_of(
    st.sampled_from([0, 0.05, 0.1, 0.14, 0.2, 0.3, 1, 1 + 1e-9, 1.01, 2, 2 + 1e-9, 2.5, 3, 4, 9, 14, 95, 250]),
    st.floats(0, 300),
)


@given(
    st.builds(
        Features,
        **_NUMBERS,
        odds=st.one_of(st.just(0.0), st.sampled_from([0.1, 0.18, 0.2, 0.45]), st.floats(0, 1)),
        pot=_AMOUNTS.filter(bool),
        share=_AMOUNTS,
        level=_AMOUNTS,
        depth=st.one_of(st.just(-1.0), _AMOUNTS),
    ),
    st.builds(BoardFeatures, *(st.integers(0, size - 1) for size in BOARD.values())),
)
def test_rows_are_those_of_the_textbook(found, board):
    cells = textbook_cells(found)
    assert kernels.cells(found) == cells
    side = int(found.round > 0)
    for table, features in ((LIMIT_TABLE, textbook.SITUATION), (SIZED_TABLE, textbook.SIZED_SITUATION)):
        assert [tuple(each) for each in table.features] == [each[:2] for each in features]
        values = [feature.of(found) for feature in features] + [2 * value + (found.bets > 0) for value in board]
        sizes = [feature.size for feature in features] + [2 * size for size in BOARD.values()]
        told = table.rows(found, board)
        assert told.rows == [sum(sizes[:k]) + value for k, value in enumerate(values)]
        assert told.factors == [first + cell for first, cell in zip((0, 72, 252, 612), cells[1:], strict=True)]
        expected, first = [side], 17 * side
        for feature in textbook.BASIS[side]:
            expected.append(first + feature.of(found))
            first += feature.size
        assert told.basis[:-1] == expected
    assert [[tuple(each) for each in features] for features in BASIS] == [
        [each[:2] for each in features] for features in textbook.BASIS
    ]


@pytest.mark.parametrize(
    ("acts", "row"),
    [
        ("", 0),  # nobody has limped
        ("c", 3),  # early, and a seat before the blinds replies
        ("cfff", 1),
        ("cffff", 2),
        ("ffc", 6),  # the cutoff is late
        ("fffcf", 5),
        ("ffffc", 7),
        ("cc", 10),
        ("ccfff", 9),
        ("r", 11 + 6 * 5 + 4),  # the seat before the cutoff faces a raise of an early one
        ("fffrf", 11 + 6 * 2 + 1),  # the big blind faces one of the button
        ("ffffr", 11 + 6 * 0 + 1),
        ("rc", 71),  # with a caller
        ("cr", 71),
        ("rR", 47 + 4 * 4),  # more raises, the last one of the seat before the cutoff
        ("rRffff", 47 + 4 * 4 + 2),  # to the player who raised first
        ("rRB", 47 + 4 * 3 + 1),
        ("A", 72 + 8 * 3 + 7),  # all-in, for more than 40 big blinds
        ("fffA", 72 + 8 * 2 + 7),
        ("ffffA", 72 + 8 * 1 + 7),
        ("rA", 72 + 8 * 4 + 7),
    ],
)
def test_replies_have_rows_by_who_limped_or_raised_and_who_replies(acts: str, row: int) -> None:
    spec = pm.GameSpec.no_limit(6, 50, 100, stacks=[10_000] * 6)
    hand, history = LiveHand(spec, [f"player {k}" for k in range(6)]), BettingHistory(6)
    to = {"r": 400, "R": 1200, "B": 3000, "A": 10_000}
    for act in acts:
        history.add(hand.act(Act("fc".find(act) % 3), to.get(act)))
    found = history.describe(Features, hand.situation())
    board = board_features(())
    assert SIZED_TABLE.rows(found, board).basis[-1] == row
    assert LIMIT_TABLE.rows(found, board).basis[-1] == 0


@pytest.mark.parametrize(
    ("acts", "row"), [("c", 0), ("r", 0), ("rr", 0), ("A", 72 + 2), ("rA", 0)], ids=lambda value: str(value)
)
def test_heads_up_there_are_rows_of_replies_to_the_first_all_in_alone(acts: str, row: int) -> None:
    spec = pm.GameSpec.no_limit(2, 50, 100, stacks=[1_000] * 2)
    hand, history = LiveHand(spec, ["Ann", "Bob"]), BettingHistory(2)
    for k, act in enumerate(acts):
        history.add(hand.act(Act.CALL if act == "c" else Act.RAISE, {"r": 250 * (k + 1), "A": 1_000}.get(act)))
    found = history.describe(Features, hand.situation())
    assert SIZED_TABLE.rows(found, board_features(())).basis[-1] == row


def test_rows_of_many_situations_are_those_of_each():
    hand = pm.example_hand()
    features = Replay.of(hand, None).features
    boards = [board_features(decision.board) for decision in hand.replay()]
    for table in (LIMIT_TABLE, SIZED_TABLE):
        for k, told in enumerate(zip(*table.arrays(features, boards), strict=True)):
            assert [each.tolist() for each in told] == [*table.rows(features[k], boards[k])]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": [(1, 2)]}, "expected the 28 features of a situation, got (1, 2)"),
        ({"features": ["x"]}, "expected the 28 features of a situation, got 'x'"),
        ({"boards": [()]}, "expected the 5 features of a board, got ()"),
        ({"boards": []}, "boards must have shape (1,), got (0,)"),
        ({"sized": True}, "firsts must have shape (32,), got (27,)"),
        ({"out": np.empty((1, 26), np.int16)}, "out must have shape (1, 27), got (1, 26)"),
        ({"basis": np.empty((2, 5), np.int16)}, "basis must have shape (1, 5), got (2, 5)"),
        ({"contexts": np.empty((1, 5), np.int16)}, "contexts must have shape (1, 4), got (1, 5)"),
    ],
)
def test_what_is_no_situation_is_refused(change, message):
    told = {
        "sized": False,
        "features": Replay.of(pm.example_hand(), None).features[:1],
        "boards": [board_features(())],
        "firsts": np.zeros(27, np.int16),
        "out": np.empty((1, 27), np.int16),
        "basis": np.empty((1, 5), np.int16),
        "contexts": np.empty((1, 4), np.int16),
    }
    kernels.rows(*told.values())
    with pytest.raises(ValueError, match=re.escape(message)):
        kernels.rows(*(told | change).values())


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("", (0, 0, 0, 0, 0)),
        ("2c7d9h", (1, 1, 1, 1, 0)),
        ("2c7dTh", (1, 1, 2, 1, 0)),
        ("8c9cTc", (1, 3, 2, 2, 0)),
        ("AcAdAh", (3, 1, 4, 1, 0)),
        ("Ac2d3h", (1, 1, 4, 2, 0)),
        ("8c9cTh2d", (1, 2, 2, 2, 1)),
        ("8c9cThJd", (1, 2, 2, 3, 2)),
        ("8c9cTh9d", (2, 2, 2, 2, 3)),
        ("8c9cThKc", (1, 3, 3, 2, 4)),
        ("8c9cThJdQs", (1, 2, 3, 4, 2)),
        ("8c8d9h9d2c", (3, 2, 1, 1, 1)),
    ],
)
def test_what_a_board_shows(board: str, expected: tuple[int, ...]) -> None:
    assert board_features(pm.cards.card_indices(board)) == expected


@given(st.lists(st.integers(0, 51), unique=True, min_size=5, max_size=5), st.sampled_from([0, 3, 4, 5]))
def test_boards_show_what_the_textbook_says(cards: list[int], n: int) -> None:
    assert (
        kernels.board_features(cards[:n])
        == board_features(tuple(cards[:n]))
        == people_textbook.board_features(cards[:n])
    )


# ---------------------------------------------------------------------------------------------- what is learnt


def mucked(hand: pm.Hand) -> pm.Hand:
    """The hand, all who lost at the showdown having mucked."""
    if len(hand.shown) < 2:
        return hand
    best = max(hand.shown, key=lambda seat: pm.evaluate(hand.board + hand.holdings[seat]))
    losers = [
        seat
        for seat in hand.shown
        if pm.evaluate(hand.board + hand.holdings[seat]) < pm.evaluate(hand.board + hand.holdings[best])
    ]
    shown = {seat: cards for seat, cards in hand.holdings.items() if seat not in losers}
    return pm.Hand(hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, shown, mucked=losers)


SOME = {
    "limit": [mucked(random_hand(seed, SIX, leaving=0.1)[0]) for seed in range(24)],
    "no limit": [random_hand(seed, NO_LIMIT_SIX, leaving=0.1)[0] for seed in range(16)],
}


@pytest.mark.parametrize("game", SOME)
def test_what_is_learnt_is_what_the_textbook_learns(game: str) -> None:
    """Beliefs, factors, kinds and sizes, but for rounding."""
    prior = default_prior().games[game]
    known, expected = GamePopulation(prior, habits=False), people_textbook.TextbookPeople(prior)
    for hand in SOME[game]:
        found = PopulationModel.evidence(hand)
        known.learn(found)
        expected.learn(found)
    arrays = known.to_arrays()
    told = [expected.told[name] for name in known.populations]
    np.testing.assert_allclose(arrays["kinds"], told, **NEARLY)
    for tier, names in enumerate((known.populations, known.players)):
        beliefs = [expected.beliefs[tier, name] for name in names]
        upper = np.triu_indices(16)
        np.testing.assert_allclose(arrays[f"means{tier}"], [mean for mean, _ in beliefs], **NEARLY)
        np.testing.assert_allclose(
            arrays[f"covariances{tier}"], [each[upper] for _, each in beliefs], rtol=1e-9, atol=1e-12
        )
        kept = known._known.kept
        keys = [(tier, names[key // kept], key % kept) for key in arrays[f"keys{tier}"].tolist()]
        np.testing.assert_allclose(
            arrays[f"table{tier}"], [expected.factors[key] for key in keys], rtol=1e-9, atol=1e-12
        )
        assert len(keys) == sum(key[0] == tier for key in expected.factors)
        if game == "no limit":
            for kind, kept in (("chosen", expected.chosen[tier]), ("expected", expected.sized[tier])):
                keys = arrays[f"sizes{tier}_{kind}_keys"].tolist()
                where = [(names[key // SIZE_PLACES], key % SIZE_PLACES) for key in keys]
                np.testing.assert_allclose(
                    arrays[f"sizes{tier}_{kind}"], [kept[key] for key in where], rtol=1e-4, atol=1e-6
                )
                assert len(where) == len(kept) > 0


@pytest.mark.parametrize("game", SOME)
def test_habits_are_those_of_the_textbook(game: str) -> None:
    """Of the player who acts first in the first hand that is known of anybody."""
    prior = default_prior().games[game]
    found = PopulationModel.evidence(SOME[game][0])
    people, nobody = GamePopulation(prior), GamePopulation(prior)
    people.learn(PlayedHand.of(found.population, found.board, found.players[:1], found.live, found.losing, game))
    expected = people_textbook.habits_of(nobody, found)
    keys, table = people._known.factors(1)
    mine = {key: row for key, row in zip(keys.tolist(), table, strict=True) if key >= FACTOR_CELLS}
    assert set(mine) == set(expected)
    for key, row in mine.items():
        np.testing.assert_allclose(row, expected[key], rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("game", SOME)
def test_of_who_is_known_habits_learn_less_in_hindsight(game: str) -> None:
    """Of the player who acts first in the last hand, whose levels are known and whose habits are not."""
    prior = default_prior().games[game]
    before = GamePopulation(prior, habits=False)
    hands = [PopulationModel.evidence(hand) for hand in SOME[game]]
    for hand in 6 * hands:
        before.learn(hand)
    people = GamePopulation.from_arrays(prior, before.to_arrays())
    found = hands[-1]
    players, player = found.players[:1], people.numbers(None, found.names[0])[1]
    known = [people._known.observations(player, row[:1]).sum() for row in players[0].cells]
    assert min(known) > 10
    kept = people._known.kept
    alone = PlayedHand.of(found.population, found.board, players, found.live, found.losing, game)
    people.learn(alone)
    expected = people_textbook.habits_of(before, alone, known)
    keys, table = people._known.factors(1)
    mine = {key % kept: row for key, row in zip(keys.tolist(), table, strict=True) if key % kept >= FACTOR_CELLS}
    assert set(mine) == set(expected)
    for key, row in mine.items():
        np.testing.assert_allclose(row, expected[key], rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("habits", [True, False])
def test_forecasts_of_who_shows_the_best_alone_come_true(habits: bool) -> None:
    """Somebody stationary who opens, calls or folds by strength, and shows the best fifth of holdings and no other.

    All holdings are dealt once before any is dealt again, so that no luck is in what is counted.
    """
    spec = pm.GameSpec.ring(2, 5, 10)
    situation = next(iter(random_hand(0, spec)[0].replay())).situation
    features = BettingHistory(2).features(situation)
    rows, basis, cells = LIMIT_TABLE.arrays([features], [board_features(())])
    one = {"rows": rows, "basis": basis, "cells": cells, "legal": np.ones((1, 3), dtype=np.float32)}
    ranks = np.argsort(np.argsort(income_shares(), kind="stable"), kind="stable") / 1326
    acts = np.where(ranks > 0.55, Act.RAISE, np.where(ranks > 0.45, Act.CALL, Act.FOLD))
    shares = np.bincount(acts, minlength=3) / 1326
    people, classes = GamePopulation(default_prior().games["limit"], habits), holding_classes(())
    everything, generator = np.full(166, 255, dtype=np.uint8), np.random.default_rng(1)
    for _ in range(6):
        foretold = np.zeros(3)
        for holding in generator.permutation(1326).tolist():
            expected = people.expect("here", "them", features, (), classes, situation.legal, np.ones(1326))
            foretold += expected.predicted
            shown = holding if ranks[holding] > 0.8 else -1
            act = acts[holding : holding + 1].astype(np.int16)
            one_hand = PlayerActs("them", [0], **one, acts=act, holding=shown, mucked=False)
            people.learn(PlayedHand.of("here", (), [one_hand], everything))
    np.testing.assert_allclose(foretold / 1326, shares, atol=0.015)


def test_who_does_what_nobody_does_is_known_by_habits() -> None:
    """Somebody who raises rags and folds aces: their cards were shown, or their folds were seen."""
    prior = default_prior().games["limit"]
    hands = [PopulationModel.evidence(hand) for hand in SOME["limit"]]
    with_habits, without = GamePopulation(prior), GamePopulation(prior, habits=False)
    acts = next(each for hand in hands for each in hand.players if each.rounds[0] == 0 and each.legal[0, 2] > 0)
    hand = next(hand for hand in hands if acts.name in hand.names)
    rags, aces = holding_index("7c2d"), holding_index("AsAh")
    one = {name: getattr(acts, name)[:1] for name in ("rounds", "rows", "basis", "cells", "legal")}
    for people in (with_habits, without):
        for holding, act in ((rags, 2), (aces, 1)) * 60:
            odd = PlayerActs(acts.name, acts=np.array([act], dtype=np.int16), holding=holding, mucked=False, **one)
            people.learn(PlayedHand.of(hand.population, (), [odd], np.full(166, 255, dtype=np.uint8)))

    def odds(people: GamePopulation) -> float:
        """How much likelier a raise is with rags than with aces."""
        classes = holding_classes(())
        triples = np.empty((1326, 3))
        habits = people._known.habits(people._populations[hand.population], people._players[acts.name], acts.cells[0])
        people.prior.likelihood.judge(
            acts.rows[:1],
            acts.basis[:1],
            NO_LEVELS,
            people.effects(hand.population, acts.name),
            people.offsets(hand.population, acts.name, acts.cells[:1])[0],
            acts.legal[0],
            classes,
            np.ones(1326),
            np.empty(3),
            triples,
        )
        groups = people_textbook.groups_of(())
        told = triples * habits[groups]
        told /= told.sum(axis=1, keepdims=True)
        return float(told[rags, 2] / told[aces, 2])

    assert odds(with_habits) > 1.2 * odds(without)  # directions learn much of it, too


def test_all_levels_of_vectors_learn_the_same_bits() -> None:
    found, before = set(), simd.level()
    try:
        for level in simd.available():
            simd.use(level)
            found.add(learnt(SOME["limit"]).to_bytes())
    finally:
        simd.use(before)
    assert len(found) == 1


@pytest.mark.parametrize("hand", [*SOME["limit"], *SOME["no limit"]])
def test_what_they_can_have_held_is_what_is_left(hand: pm.Hand) -> None:
    known, expected, worse = possible_holdings(hand)
    live, losing = people_kernels.possible(hand.board, known.values(), bool(hand.mucked))
    np.testing.assert_array_equal(np.unpackbits(live, count=1326), expected)
    assert (losing is None) == (not worse.any())
    if losing is not None:
        np.testing.assert_array_equal(np.unpackbits(losing, count=1326), worse)


PAIRS = [pm.cards.holding_index(pm.cards.card_indices(f"{rank}c{rank}d")) for rank in "23456789TJQKA"]


def in_order(triples: np.ndarray, weights: np.ndarray, predicted: np.ndarray) -> None:
    """Let no pair fold more often than a weaker one, and forecast by that."""
    least = 1.0
    for rank in range(13):
        four = [4 * rank + suit for suit in range(4)]
        same = [pm.cards.holding_index((one, two)) for one in four for two in four if two < one]
        fold, *rest = triples[same[0]].astype(np.float32)
        if fold > least:
            scale = (np.float32(1) - least) / (rest[0] + rest[1])
            triples[same] = [least, rest[0] * scale, rest[1] * scale]
        least = min(least, fold)
    np.testing.assert_allclose(predicted.sum(), 1)
    predicted[:] = weights @ triples / weights.sum()


@pytest.mark.parametrize("seed", [3, 5])
def test_what_is_expected_is_what_the_likelihood_says(seed: int) -> None:
    """Of somebody who is known and of somebody who is not, and the weights after each act."""
    people = learnt(SOME["limit"])
    known, net = limit(people), people.prior.games["limit"].likelihood
    hand, _ = random_hand(seed, SIX)
    among = population(SIX)
    for decision, features in zip(hand.replay(), Replay.of(hand, None).features, strict=True):
        situation = decision.situation
        weights = np.random.default_rng(seed).random(1326) * pm.cards.live_holdings(situation.board)
        told = LIMIT_TABLE.rows(features, board_features(situation.board))
        for name in (hand.players[situation.seat], "unknown"):
            classes = holding_classes(situation.board)
            found = known.expect(among, name, features, situation.board, classes, situation.legal, weights)
            assert found.rows.tolist() == told.rows
            triples, predicted, others = np.empty((1326, 3)), np.empty(3), np.empty(3)
            for player, forecast, table in ((name, predicted, triples), (None, others, np.empty((1326, 3)))):
                net.judge(
                    np.array([told.rows], dtype=np.int16),
                    np.array([told.basis], dtype=np.int16),
                    NO_LEVELS,
                    known.effects(among, player),
                    known.offsets(among, player, [told.factors])[0],
                    np.array([act in situation.legal for act in Act], dtype=np.float32),
                    classes,
                    weights,
                    forecast,
                    table,
                )
                if not situation.round:
                    in_order(table, weights, forecast)
            np.testing.assert_allclose(found.triples(), triples, rtol=3e-7)
            np.testing.assert_allclose(found.predicted, predicted, rtol=1e-6)
            np.testing.assert_allclose(found.unknown(), others, rtol=1e-6)
            for act in Act:
                np.testing.assert_allclose(found.after(act), posterior(weights, triples[:, act]), rtol=1e-6)


def told_of_people() -> dict[str, object]:
    found = PopulationModel.evidence(SOME["limit"][0])
    classes = found.classes()
    return {
        "likelihood": default_prior().games["limit"].likelihood,
        "population": 0,
        "numbers": np.arange(len(found.names), dtype=np.int32),
        "counts": found.counts,
        "holdings": found.holdings,
        "mucked": found.mucked,
        "rounds": found.rounds,
        "rows": found.rows,
        "basis": found.basis,
        "cells": found.cells,
        "legal": found.legal,
        "acts": found.acts,
        "live": found.live,
        "losing": None,
        "classes": [classes.get(round) for round in range(4)],
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population": 1}, "tier 0 has numbers 0 to 0, got 1"),
        ({"numbers": lambda each: each + np.int32(40)}, "tier 1 has numbers 0 to 5, got 40"),
        ({"counts": lambda each: each * np.int32(0)}, "player 0 has 0 acts"),
        ({"counts": lambda each: each[1:]}, "counts must have"),
        ({"holdings": lambda each: each * np.int32(0) + np.int32(1326)}, "the holding must be -1 to 1325, got 1326"),
        ({"rounds": lambda each: each + np.uint8(4)}, "act 0 is in round 4, of which there are no classes"),
        ({"rows": lambda each: each + np.int16(9999)}, "rows must be 0 to"),
        ({"rows": lambda each: each[1:]}, "must have shape"),
        ({"cells": lambda each: each - np.int16(FACTOR_CELLS)}, "cells must be 0 to 995, got -"),
        ({"acts": lambda each: each + np.int16(3)}, "act 0 must be one that is offered"),
        ({"live": lambda each: each[1:]}, "live must have 166 entries, got 165"),
        ({"losing": np.zeros(165, np.uint8)}, "losing must have 166 entries, got 165"),
        ({"classes": []}, "act 0 is in round 0, of which there are no classes"),
    ],
)
def test_what_is_no_hand_is_refused(change: dict[str, object], message: str) -> None:
    told = told_of_people()
    known = people_kernels.KnownPopulation(FACTOR_CELLS, (1.0, 1.0), np.ones(8))
    known.number(0, 1)
    known.number(1, 6)
    known.learn(*told.values())
    before = known.means(1)
    for name, made in change.items():
        told[name] = made(told[name]) if callable(made) else made
    with pytest.raises(ValueError, match=re.escape(message)):
        known.learn(*told.values())
    np.testing.assert_array_equal(known.means(1), before)


def test_what_is_not_known_is_refused() -> None:
    known = people_kernels.KnownPopulation(FACTOR_CELLS, (1.0, 1.0), np.ones(8))
    known.number(1, 2)
    with pytest.raises(ValueError, match=r"strengths must have shape \(8,\), got \(7,\)"):
        people_kernels.KnownPopulation(FACTOR_CELLS, (1.0, 1.0), np.ones(7))
    with pytest.raises(ValueError, match="a tier must be 0 or 1, got 2"):
        known.means(2)
    with pytest.raises(ValueError, match="tier 1 has numbers 0 to 1, got 2"):
        known.belief(1, 2)
    with pytest.raises(ValueError, match="tier 1 has numbers -1 to 1, got 2"):
        known.effects(-1, 2)
    with pytest.raises(ValueError, match="tier 0 has no number 0"):
        known.add(0, np.array([5]), np.zeros((1, 2, 3)))
    with pytest.raises(ValueError, match=r"covariances must have shape \(2, 136\), got \(2, 135\)"):
        known.put(1, np.zeros((2, 16)), np.zeros((2, 135)), np.zeros(0, np.int64), np.zeros((0, 2, 3)))


def test_people_are_copied_with_all_they_know() -> None:
    known = limit(learnt(SOME["limit"]))
    for again in (copy.deepcopy(known), pickle.loads(pickle.dumps(known))):
        for name, each in known.to_arrays().items():
            np.testing.assert_array_equal(again.to_arrays()[name], each)


# ----------------------------------------------------------------------------------------------- by the formulas


def test_a_hand_says_what_was_done_in_turn_and_offered() -> None:
    hand, _ = random_hand(7, SIX, leaving=0.3)
    found = play(hand)
    done = [each for each in hand.replay() if not each.out_of_turn and each.act in each.legal]
    assert sum(len(player.acts) for player in found.players) == len(done)
    assert any(each.out_of_turn for each in hand.replay())
    for player in found.players:
        own = [each for each in done if known_as(each.player, hand.spec) == player.name]
        assert player.acts.tolist() == [int(each.act) for each in own]
        assert player.rounds == [each.round for each in own]
        assert [row.tolist() for row in player.legal] == [[float(act in each.legal) for act in Act] for each in own]


def test_a_player_who_mucked_held_what_loses() -> None:
    hand = next(h for h in (random_hand(seed, SIX)[0] for seed in range(100)) if len(h.shown) > 2)
    best = max(hand.shown, key=lambda seat: pm.evaluate(hand.board + hand.holdings[seat]))
    mucked = next(seat for seat in hand.shown if seat != best)
    holdings = {seat: cards for seat, cards in hand.holdings.items() if seat != mucked}
    told = pm.Hand("test", "1", SIX, hand.players, hand.actions, hand.board, holdings, mucked=[mucked])
    found = play(told)
    player = next(each for each in found.players if each.name == known_as(hand.players[mucked], told.spec))
    assert player.holding == -1
    possible = np.flatnonzero(found.possible(player)).tolist()
    assert pm.cards.holding_index(hand.holdings[mucked]) in possible
    top = pm.evaluate(hand.board + hand.holdings[best])
    for index in possible[::20]:
        assert pm.evaluate(hand.board + tuple(pm.cards.HOLDING_CARDS[index].tolist())) < top


def test_who_raises_more_is_expected_to_raise_more() -> None:
    """Of two players in the same seats, one raises whatever they are offered."""
    people = PopulationModel()
    for seed in range(40):
        name = "wild" if seed % 2 else "meek"
        state, actions = pm.game.State(pm.GameSpec.ring(2, 5, 10)), []
        while not state.over:
            legal = state.legal()
            act = Act.RAISE if seed % 2 and state.seat == 0 and Act.RAISE in legal else Act.CALL
            actions.append((state.seat, act))
            state.act(act)
        deck = np.random.default_rng(seed).permutation(52)[:9].tolist()
        holdings = {0: tuple(deck[5:7]), 1: tuple(deck[7:9])}
        hand = pm.Hand("table", str(seed), pm.GameSpec.ring(2, 5, 10), [name, "other"], actions, deck[:5], holdings)
        people.update([PopulationModel.evidence(hand)])
    shares = {}
    for name in ("wild", "meek", "nobody"):
        session = pm.OpponentModeler("adaptive", people=people)
        state = pm.game.State(pm.GameSpec.ring(2, 5, 10))
        session.start([name, "other"])
        situation = pm.game.Situation.of(state, (name, "other"))
        shares[name] = session.predict(situation)[2]
    assert shares["wild"] > 0.5 > shares["nobody"] > shares["meek"]


def test_a_population_shifts_all_its_players() -> None:
    people = learnt(played(k, k) for k in range(30))  # they act at random
    among = people.populations[0]
    assert among == population(HANDS[0].spec) == "test limit chips"
    assert (limit(people).effects(among, "unknown") == limit(people).effects(among, None)).all()
    assert np.abs(limit(people).effects(among, None)).max() > 0.1
    nothing = limit(PopulationModel())
    assert (limit(people).effects("test limit 2/4 USD", "unknown") == nothing.effects("", None)).all()
    cells = [[0, 72, 252, 612]]
    assert (limit(people).offsets("test limit 2/4 USD", None, cells) == nothing.offsets("", None, cells)).all()
    assert "Ann@test" in people
    assert "Ann" not in people  # who is somebody else elsewhere
    assert "unknown" not in people


def test_what_is_learnt_is_one_step_of_newtons() -> None:
    """A player's first hand: belief and factors by the formulas."""
    hand = played(3, 3)
    found = PopulationModel.evidence(hand)
    acts = found.players[0]
    people = PopulationModel(without_kinds())
    n = len(acts.acts)
    forecasts, gradient, directions = np.empty((n, 3)), np.zeros(16), np.empty((n, 3, 16))
    classes = found.classes()
    limit(people).prior.likelihood.follow(
        acts.rows,
        acts.basis,
        NO_LEVELS,
        np.zeros(16),
        np.zeros((n, 3)),
        acts.legal,
        acts.acts,
        [classes[round] for round in acts.rounds],
        found.possible(acts).astype(float),
        acts.holding,
        forecasts,
        gradient,
        directions,
    )
    scale = limit(people).prior.scales["player"]
    information = np.eye(16) / scale**2 + np.einsum("ad,ade,adf->ef", forecasts, directions, directions)
    one = play(hand)
    people.learn(type(one).of(one.population, one.board, one.players[:1], one.live, one.losing))
    own = limit(people).effects("elsewhere", acts.name)
    np.testing.assert_allclose(own, np.linalg.solve(information, gradient), atol=1e-9)
    # factors: the population's contexts and the player's, together by what the forecast did not expect
    strengths = limit(people).prior.strengths[:, None]
    logs: dict = defaultdict(lambda: np.zeros(3))
    expected: dict = defaultdict(lambda: np.zeros(3))
    for cells, act, forecast in zip(acts.cells, acts.acts.tolist(), forecasts, strict=True):
        places = [*((0, cell) for cell in cells), *((1, cell) for cell in cells)]
        widths = 1 / (strengths + 1.5 * np.array([expected[place] for place in places]))
        left = ((np.arange(3) == act) - forecast) / (1 + widths.sum(axis=0) * forecast)
        for place, width in zip(places, widths, strict=True):
            logs[place] = logs[place] + width * left
            expected[place] = expected[place] + forecast
    offsets = limit(people).offsets(found.population, acts.name, acts.cells)
    for cells, row in zip(acts.cells, offsets, strict=True):
        told = sum(logs[tier, cell] for tier in (0, 1) for cell in cells)
        np.testing.assert_allclose(row, told, atol=1e-9)


# --------------------------------------------------------------------------------------------- kept and added


def contents(people: PopulationModel) -> dict[str, object]:
    cells = [[0, 72, 252, 612], [5, 80, 300, 700], [20, 100, 400, 900]]
    return {
        name: [
            *limit(people).effects(among, name).round(9),
            *limit(people).offsets(among, name, cells).ravel().round(9),
        ]
        for among in people.populations
        for name in sorted(people.players)
    } | {"hands": people.hands}


def test_it_is_kept_as_bytes() -> None:
    people = learnt(HANDS)
    assert contents(PopulationModel.from_bytes(people.to_bytes())) == contents(people)
    assert PopulationModel.from_bytes(people.to_bytes()).to_bytes() == people.to_bytes()
    assert contents(people.copy()) == contents(people)
    nobody = PopulationModel.from_bytes(PopulationModel().to_bytes())
    assert (nobody.hands, nobody.players) == (0, ())


def test_it_goes_on_from_bytes_as_it_would_have() -> None:
    people = learnt(HANDS[:20])
    again = people.copy()
    for each in (people, again):
        each.update([PopulationModel.evidence(hand) for hand in HANDS[20:]])
    assert contents(again) == contents(people)


def test_hands_of_two_books_are_added() -> None:
    """Of players who are in one of them alone nothing changes; information about the others adds up."""
    first = learnt(played(k, k, ("Ann", "Bob", "Cid")) for k in range(20))
    second = learnt(played(k, k, ("Ann", "Dee", "Eve")) for k in range(20, 40))
    both = first.copy()
    both.merge(second)
    assert both.hands == 40
    assert sorted(both.players) == [f"{name}@test" for name in ("Ann", "Bob", "Cid", "Dee", "Eve")]
    np.testing.assert_allclose(limit(both).effects("x", "Dee@test"), limit(second).effects("x", "Dee@test"), atol=1e-9)
    cells = [[0, 72, 252, 612]]
    np.testing.assert_allclose(
        limit(both).offsets("x", "Dee@test", cells), limit(second).offsets("x", "Dee@test", cells)
    )
    alone, more = limit(first).effects("x", "Ann@test"), limit(second).effects("x", "Ann@test")
    assert not np.allclose(limit(both).effects("x", "Ann@test"), alone)
    empty = first.copy()
    empty.merge(PopulationModel())
    np.testing.assert_allclose(limit(empty).effects("x", "Ann@test"), alone, atol=1e-9)
    empty = PopulationModel()
    empty.merge(second)
    np.testing.assert_allclose(limit(empty).effects("x", "Ann@test"), more, atol=1e-9)


def test_another_prior_is_refused() -> None:
    people = learnt(HANDS[:3])
    other = another_prior()
    with pytest.raises(ValueError, match="another prior cannot be added"):
        PopulationModel(other).merge(people)
    with pytest.raises(ValueError, match=f"was learnt with the prior {default_prior().digest[:12]}"):
        PopulationModel.from_bytes(people.to_bytes(), other)
    kind = PopulationModel.with_prior(other)
    assert kind().prior is other
    assert kind.kind == "adaptive"
    assert contents(kind.from_bytes(learnt(HANDS[:3], other).to_bytes()))["hands"] == 3
    assert PopulationModel.with_prior(default_prior()) is PopulationModel


@pytest.mark.parametrize("damage", [b"", b"nothing", None])
def test_damaged_knowledge_is_refused(damage: bytes | None) -> None:
    content = learnt(HANDS[:3]).to_bytes()[:-40] if damage is None else damage
    with pytest.raises(ValueError, match="no knowledge of the adaptive reader"):
        PopulationModel.from_bytes(content)


def test_names_that_cannot_be_kept() -> None:
    people = learnt([played(1, 1, ("a\0b", "Bob", "Cid"))])
    with pytest.raises(ValueError, match="not text that can be kept"):
        people.to_bytes()


def test_games_are_known_apart() -> None:
    """What is learnt at no limit says nothing of limit, and a prior of one game knows nothing of the other."""
    sized = [random_hand(seed, NO_LIMIT_SIX)[0] for seed in range(20)]
    people = learnt([*HANDS[:10], *sized])
    assert people.hands == 30
    no_limit = people.of(BettingStructure.NO_LIMIT)
    assert no_limit is people.of(BettingStructure.POT_LIMIT)
    assert set(no_limit.players) == {known_as(name, sized[0].spec) for name in sized[0].players}
    alone = limit(learnt(HANDS[:10]))
    assert (limit(people).effects("x", "Ann@test") == alone.effects("x", "Ann@test")).all()
    again = people.copy()
    assert again.to_bytes() == people.to_bytes()
    only = PopulationModel(another_prior())
    only.update([PopulationModel.evidence(hand) for hand in sized])
    assert (only.hands, only.players) == (20, ())
    with pytest.raises(ValueError, match="knows nothing of no limit: it was fitted without"):
        only.of(BettingStructure.NO_LIMIT)


def test_sizes_are_learnt_of_population_and_player() -> None:
    """Who always bets the least is expected to; and so is another player of the population; elsewhere nobody is."""
    people = PopulationModel().of(BettingStructure.NO_LIMIT)
    hands = []
    for seed in range(30):
        state, actions = pm.game.State(NO_LIMIT_SIX), []
        least, _ = state.raise_range()
        actions = [(2, Act.RAISE, False, least), *((seat, Act.FOLD) for seat in (3, 4, 5, 0, 1))]
        hands.append(pm.Hand("table", str(seed), NO_LIMIT_SIX, "abcdef", actions))
    first = next(hands[0].replay()).situation
    features = BettingHistory(6).features(first)
    rows = SIZED_TABLE.rows(features, board_features(())).rows
    context, room = size_context(features), size_range(first)

    def least_of(among: str, player: str | None) -> float:
        forecast = people.size_forecast(among, player, rows, context, room, size_habits(features))
        assert forecast.sum() == pytest.approx(1)
        assert not forecast[room.mask() == 0].any()
        return float(forecast[0])

    among = population(hands[0].spec)
    before = least_of(among, "c")
    for hand in hands:
        people.learn(play(hand))
    assert least_of(among, "c") > least_of(among, "d") > max(0.8, before)
    assert least_of("no limit heads-up 5/10", "d") == before
