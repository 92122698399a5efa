"""Games in which bets have sizes: forecasts of choices and sizes, what sizes say, scores, and what a report says."""

from __future__ import annotations

import io
import math
import pickle

import numpy as np
import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel._core import sizes as kernels
from pokermodel.analysis.hand import HandReport
from pokermodel.cards import live_holdings
from pokermodel.game import Act, GameSpec, Hand
from pokermodel.reading import SIZE_CLASSES, BettingHistory, Choice, PopulationModel, Prior, default_prior
from pokermodel.reading.adaptive.holdings import PREFLOP_HOLDINGS
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    SIZE_CELLS,
    SIZE_HABITS,
    SIZE_INPUTS,
    SIZE_PLACES,
    SizeCounts,
    SizePrior,
    SizeRange,
    size_cell,
    size_context,
    size_habits,
    size_places,
    size_range,
)
from pokermodel.report.terminal import print_report
from tests.common import people as textbook
from tests.common.copies import pickled
from tests.common.engine import random_hand
from tests.common.six_handed import HANDS as SIX_HANDED

SIX = GameSpec.no_limit(6, 50, 100, stacks=(10_000, 2_000, 10_000, 700, 10_000, 10_000))
FOLD, CALL, RAISE = Act


def sized(spec: GameSpec = SIX) -> Hand:
    """A raise, a call, a bet of half the pot that is called, a large bet, and a showdown."""
    actions = [
        *((2, FOLD), (3, FOLD), (4, RAISE, False, 250), (5, FOLD), (0, FOLD), (1, CALL)),
        *((1, CALL), (4, RAISE, False, 275), (1, CALL)),
        *((1, CALL), (4, RAISE, False, 1100), (1, CALL)),
        *((1, CALL), (4, CALL)),
    ]
    return Hand(
        "t", "1", spec, ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"], actions, "Kh9h4cQd2s", {4: "KsQs", 1: "JhTh"}
    )


def situations(hand: Hand):
    history = BettingHistory(len(hand.players))
    for decision in hand.replay():
        yield decision, history.features(decision.situation)
        history.add(decision)


# --------------------------------------------------------------------------------------------------- cells


def test_sizes_are_by_the_pot_after_a_call() -> None:
    found = [
        (SIZE_CLASSES[CLASS_OF[size_cell(decision.situation, decision.to)]], size_context(features))
        for decision, features in situations(sized())
        if decision.act == RAISE
    ]
    # 150 more into 250; half a pot; 1,100 into 1,100, of 1,475 that the caller has
    assert [name for name, _ in found] == [".6 to .85", ".4 to .6", ".85 to 1.25"]
    contexts = [context for _, context in found]
    assert [context // 9 for context in contexts] == [0, 1, 2]
    assert [context // 3 % 3 for context in contexts] == [0, 0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_every_raise_has_a_cell_that_there_is_room_for(seed: int) -> None:
    hand, _ = random_hand(seed, SIX)
    for decision, _ in situations(hand):
        if decision.situation.raise_range is None:
            with pytest.raises(ValueError, match="no raise"):
                size_range(decision.situation)
            continue
        mask = size_range(decision.situation).mask()
        least, most = decision.situation.raise_range
        for to in {least, most, (least + most) // 2, *([decision.to] if decision.to else [])}:
            assert mask[size_cell(decision.situation, to)] == 1
        assert mask[SIZE_CELLS - 1] == 1
        assert mask[0] == (most > least)


def test_a_stack_that_is_not_known_has_no_most() -> None:
    deep = sized(GameSpec.no_limit(6, 50, 100))
    for decision, features in situations(deep):
        assert features.depth == -1
        room = size_range(decision.situation)
        assert (room.least, room.most) == (True, False)
        assert size_cell(decision.situation, 10**9) == SIZE_CELLS - 2


def some_sizes(seed: int = 1) -> SizePrior:
    rng = np.random.default_rng(seed)
    normal = rng.normal
    rows = 5 + SIZE_INPUTS
    return SizePrior(
        normal(0, 0.5, (rows, SIZE_CELLS)),
        normal(0, 0.5, (rows, kernels.HIDDEN)),
        normal(0, 0.5, (kernels.HIDDEN, SIZE_CELLS)),
        normal(0, 0.3, (2, 4, 9, 6)),
        np.zeros((4, 2, 4, 16)),
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_network_is_what_matrices_make(seed: int) -> None:
    rng, prior = np.random.default_rng(seed), some_sizes(seed)
    low, high = sorted(rng.integers(1, 37, 2).tolist())
    room = SizeRange(low, high, bool(rng.integers(2)), bool(rng.integers(2)))
    habits = (seed % 4, 4 + seed, 46 + seed, 118 + seed)
    rows = rng.integers(0, 5, 3)
    forecast = prior.forecast(rows, room, habits)
    expected = textbook.everybodys_sizes(prior, sorted(set(rows.tolist())), room, habits)
    if len(set(rows.tolist())) == 3:
        np.testing.assert_allclose(forecast, expected, rtol=1e-9)
    assert forecast.sum() == pytest.approx(1)
    assert not forecast[room.mask() == 0].any()


@pytest.mark.parametrize("seed", range(6))
def test_counts_change_a_forecast_as_arrays_say(seed: int) -> None:
    rng, prior, room = np.random.default_rng(seed), some_sizes(seed), SizeRange(3, 30, True, seed % 2 > 0)
    forecast = rng.random(SIZE_CELLS) * room.mask()
    forecast /= forecast.sum()
    counts = SizeCounts()
    places = size_places(5, 3, (1, 10, 50, 120))
    for tier in range(2):
        np.testing.assert_allclose(
            prior.known(forecast, room, tier, 1, counts.told(-1, places)), forecast, atol=1e-3
        )  # of nobody nothing is known
    for cell in rng.integers(0, SIZE_CELLS, 3**seed).tolist():
        counts.add(0, places, cell, forecast)
        counts.add(0, size_places(5, 4, (1, 10, 50, 121)), cell, forecast)  # parts of it are elsewhere
        counts.learn_power(0, 1, cell, forecast)
    chosen, expected, at = counts.told(0, places)
    told = [chosen[row] for row in at[:7]], [expected[row] for row in at[7:]]
    for tier in range(2):
        found = prior.known(forecast, room, tier, 1, (chosen, expected, at))
        np.testing.assert_allclose(
            found, textbook.sizes_of(prior, forecast, room, tier, 1, *told), rtol=1e-6, atol=1e-12
        )
        assert found.sum() == pytest.approx(1)
        kept = counts.kept(0, places)
        np.testing.assert_array_equal(prior.known(forecast, room, tier, 1, kept), found)
    before = [each.copy() for each in kept[:2]]
    counts.add(0, places, 5, forecast)
    np.testing.assert_array_equal(kept[0], before[0])  # whatever is counted later
    chosen, expected, at = kept
    terms, seen = kernels.terms(forecast, room, chosen, expected, at)
    assert not terms[:, room.mask() == 0].any()
    assert seen[0] == seen[7] > seen[6] > 0


def test_counts_are_kept_and_added() -> None:
    forecast, places = np.full(SIZE_CELLS, 1 / SIZE_CELLS), size_places(5, 3, (1, 10, 50, 120))
    one, other = SizeCounts(), SizeCounts()
    for cell in range(SIZE_CELLS):  # more rows than there are at first
        one.add(cell, places, cell, forecast)
    other.add(0, places, 7, forecast)
    other.merge(one, list(range(1, SIZE_CELLS + 1)))
    again = SizeCounts.of_arrays(other.arrays())
    for number, cell in ((0, 7), (8, 7), (38, 37)):
        chosen, expected, at = again.told(number, places)
        for row in at[:7]:
            np.testing.assert_allclose(chosen[row], textbook.count_of(cell), rtol=1e-6)
        np.testing.assert_allclose(expected[at[7]], [*forecast, 0, 0], rtol=1e-6)
    assert again.told(39, places)[2] == [-1] * 9


@pytest.mark.parametrize(("often", "surer"), [(0.9, True), (0.12, False)])
def test_forecasts_get_as_sure_as_a_players_sizes_are(often: float, surer: bool) -> None:
    rng, counts = np.random.default_rng(3), SizeCounts()
    likely, base = CLASS_OF == 3, np.where(CLASS_OF == 3, 4.0, 1.0) / 47
    counts.add(0, size_places(5, 3, (1, 10, 50, 120)), 12, base)
    rows, table = counts.tables[1]
    for _ in range(3000):
        power = 1 + table[rows.find(1), 38] / (45 + table[rows.find(1), 39])
        forecast = base**power / (base**power).sum()
        cell = rng.choice(np.flatnonzero(likely == (rng.random() < often)))
        counts.learn_power(0, 1, int(cell), forecast)
    assert (power > 1) == surer
    assert forecast[likely].sum() == pytest.approx(often, abs=0.05)


def test_places_are_numbered_through() -> None:
    ends = [4, 40, 3064, 4432, 6448, 9904, SIZE_PLACES]
    first, last = size_places(0, 0, (0, 4, 46, 118)), size_places(35, 37, (3, 45, 117, 165))
    assert list(first) == [0, *ends[:-1]]
    assert [place + 1 for place in last] == ends


def test_what_is_no_size_is_refused() -> None:
    prior, rows, room, habits = some_sizes(), np.zeros(2, np.int16), (1, 36, True, True), (0, 4, 46, 118)
    network = prior.network
    for told, message in (
        ((rows + np.int16(5), room, habits), "rows must be 0 to 4, got 5"),
        ((rows[:0], room, habits), "a situation has rows"),
        ((rows, (1, 38, True, True), habits), "cells are 0 to 37, got room from 1 to 38"),
        ((rows, room, habits[:3]), "a situation has 4 habits, got 3"),
        ((rows, room, (0, 4, 46, 166)), "habits are 0 to 165, got 166"),
    ):
        with pytest.raises(ValueError, match=message):
            network.everybody(*told)
    alike, counts, at = np.full(SIZE_CELLS, 1 / SIZE_CELLS), np.zeros((3, SIZE_CELLS), np.float32), [0] * 9
    expected, classes = np.zeros((3, 40), np.float32), CLASS_OF.astype(np.uint8)
    for told, message in (
        ((alike[1:].copy(), room, 0, 0, counts, expected, at), r"the forecast must have shape \(38,\), got \(37,\)"),
        ((alike, room, 2, 0, counts, expected, at), "there is no tier 2 with a side 0"),
        ((alike, room, 0, 4, counts, expected, at), "there is no tier 0 with a side 4"),
        ((alike, room, 0, 0, counts[:, :5].copy(), expected, at), r"counts must have shape \(38,\), got \(5,\)"),
        ((alike, room, 0, 0, counts, expected[:, :5].copy(), at), r"expectations must have shape \(40,\), got \(5,\)"),
        ((alike, room, 0, 0, counts, expected, at[1:]), r"places must have shape \(9,\), got \(8,\)"),
        ((alike, room, 0, 0, counts, expected, [3] * 9), "a row must be below 3, got 3"),
    ):
        with pytest.raises(ValueError, match=message):
            network.known(*told)
    with pytest.raises(ValueError, match="a cell must be 0 to 37, got 38"):
        kernels.count(counts, expected, at, 38, alike)
    with pytest.raises(ValueError, match="there is no row 3"):
        kernels.count(counts, expected, [3] * 9, 0, alike)
    with pytest.raises(ValueError, match="there is no row -1"):
        kernels.count(counts, expected, [-1] * 9, 0, alike)
    for row, cell in ((3, 5), (-1, 5), (0, 38)):
        with pytest.raises(ValueError, match=f"there is no cell {cell} in row {row}"):
            kernels.learn_power(expected, row, cell, alike, classes)
    with pytest.raises(ValueError, match="there is no cell 5 in row 0"):
        kernels.learn_power(expected, 0, 5, alike, classes + np.uint8(1))
    with pytest.raises(ValueError, match=r"classes must have shape \(38,\), got \(37,\)"):
        kernels.learn_power(expected, 0, 5, alike, classes[1:].copy())
    with pytest.raises(ValueError, match="expected 4 bins, got"):
        kernels.posterior(np.ones(1326), PREFLOP_HOLDINGS, 0, np.ones(4), np.empty(1326))


@pytest.mark.parametrize("seed", range(10))
def test_habits_are_numbered_through(seed: int) -> None:
    hand, _ = random_hand(seed, SIX)
    bounds = (0, 4, 46, 118, SIZE_HABITS)
    for _, features in situations(hand):
        cells = size_habits(features)
        assert all(low <= cell < high for cell, low, high in zip(cells, bounds, bounds[1:], strict=False))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("weights", np.zeros((3, 5)), "sizes: weights must have rows of situations, got 3 rows"),
        ("weights", np.zeros((300, 5)), r"sizes: weights must have shape \(300, 38\), got \(300, 5\)"),
        ("hidden", np.zeros((3, 5)), r"sizes: hidden must have shape \(248, 32\), got \(3, 5\)"),
        ("out", np.zeros((3, 5)), r"sizes: out must have shape \(32, 38\), got \(3, 5\)"),
        ("mixing", np.zeros((2, 4, 9, 5)), r"sizes: mixing must have shape \(2, 4, 9, 6\), got \(2, 4, 9, 5\)"),
        ("tilts", np.zeros((4, 2)), r"tilts of sizes have shape \(4, 2, 4, 16\), got \(4, 2\)"),
        ("out", np.full((32, 38), np.inf), "out of sizes must be finite"),
    ],
)
def test_what_is_no_prior_of_sizes(name: str, value, said: str) -> None:
    told = {name: getattr(some_sizes(), name) for name in ("weights", "hidden", "out", "mixing", "tilts")}
    assert SizePrior(**told).rows == 5
    with pytest.raises(ValueError, match=said):
        SizePrior(**{**told, name: value})


# -------------------------------------------------------------------------------------------------- reading


def test_a_hand_is_read_by_choices_and_sizes() -> None:
    session = pm.OpponentModeler("adaptive")
    session.start(sized().players)
    for decision, _ in situations(sized()):
        sizes = session.predict_sizes(decision) if decision.situation.raise_range else None
        predicted = session.predict(decision)
        assert predicted.sum() == pytest.approx(1)
        if sizes is None:
            assert session.predict_sizes(decision) is None
        else:
            assert sizes.shape == (len(SIZE_CLASSES),)
            assert sizes.sum() == pytest.approx(1)
        weights = session.tables.weights[decision.seat]
        choices = session.reader._forecast(session.spot(decision.situation))[0].triples()
        observation = session.observe(decision)
        if decision.act == FOLD:
            continue
        # Bayes' rule for the choice, and the tilt of the size
        after = weights * np.nan_to_num(choices[:, decision.act])
        by_hand = observation.posterior / np.where(after > 0, after, 1)
        told = observation.expected.size
        if decision.act == CALL:
            assert told is None
            np.testing.assert_allclose(by_hand[after > 0], by_hand[after > 0].max())
        else:
            assert 0 <= told.larger_than <= 1
            assert told.size in SIZE_CLASSES
            assert len(np.unique(by_hand[after > 0].round(9))) <= 16  # one factor a bin of strength
        assert pickled(observation).expected.size == told


def test_who_bets_large_is_expected_to() -> None:
    people = PopulationModel()
    spec = GameSpec.no_limit(2, 50, 100, stacks=(10_000, 10_000))
    for seed in range(25):
        for name, to in ("wild", 800), ("meek", 200):
            hand = Hand("t", f"{name}{seed}", spec, [name, "Bob"], [(0, RAISE, False, to), (1, FOLD)])
            people.update([PopulationModel.evidence(hand)])
    found = {}
    for name in "wild", "meek", "else":
        session = pm.OpponentModeler("adaptive", people=people)
        hand = Hand("t", "1", spec, [name, "Bob"], [(0, RAISE, False, 300), (1, FOLD)])
        session.start(hand.players)
        first = next(hand.replay())
        found[name] = session.predict_sizes(first)
        session.observe(first)
    assert found["wild"][5] > 0.6 > found["meek"][5]
    assert found["meek"][0] > 0.6 > found["else"][0]


def test_the_classics_play_limit() -> None:
    for model in "loki1", "som", "loki2", "bpp":
        with pytest.raises(ValueError, match="needs limit betting, got no limit: the published programs"):
            pm.OpponentModeler(model).observe(next(sized().replay()))
    limit = pm.example_hand()
    session = pm.OpponentModeler("adaptive")
    session.start(limit.players)
    assert session.predict_sizes(next(limit.replay())) is None


# ----------------------------------------------------------------------------------------- scores and reports


def test_log_losses_add_up() -> None:
    hands = [random_hand(seed, SIX)[0] for seed in range(12)]
    scores = pm.score(hands)["adaptive"].to_dict()
    raises = sum(decision.act == RAISE for hand in hands for decision in hand.replay())
    assert scores["sizes"] == raises
    for total, act, size in (
        ("total_log_loss", "action_log_loss", "size_log_loss"),
        ("uniform_total_log_loss", "uniform_log_loss", "uniform_size_log_loss"),
    ):
        assert scores[total] == pytest.approx(scores[act] + scores[size] * raises / scores["decisions"])
    last = scores["tables"]["last_decision"]
    assert last["everybody"]["holdings"] > last["not_folded"]["holdings"] >= scores["holdings"]
    assert "size_log_loss" not in pm.score([pm.example_hand()])["adaptive"].to_dict()
    for model in ("uniform", "contexts"):
        found = pm.score(hands, model)[model].to_dict()
        assert found["decisions"] == scores["decisions"]
        assert found["size_log_loss"] > 0


def test_the_hero_is_told_the_price() -> None:
    hand = sized()
    session = pm.OpponentModeler("adaptive", hero="Bob")
    steps = [step for step in HandReport.of(hand, session, "Bob", verdicts=False).steps if step.price is not None]
    assert len(steps) == 6
    river = steps[-1]
    assert river.verdict is river.to_dict()["advice"] is None
    assert river.price.needed == 0
    assert set(river.price.against) == {"Eve"}
    assert river.price.standard_error == 0
    call = steps[4].price  # 1,100 on the turn
    assert (call.to_call, call.pot, call.needed) == (1100, 2200, 1 / 3)
    flush = pm.equity(["JhTh", session.table("Eve")], hand.board[:4]).equity[0]
    assert call.against_all == pytest.approx(flush, abs=0.2)  # the table changed later
    several = steps[0].price
    assert math.isclose(several.needed, 150 / 550)
    console = Console(width=120, record=True, file=io.StringIO())
    print_report(HandReport.of(hand, pm.OpponentModeler("adaptive", hero="Bob"), "Bob", verdicts=False), console)
    text = " ".join(console.export_text().split())
    assert "no-limit hold'em 50-100" in text
    assert "Eve raises to 250 150 (1.5 bb)" in text
    data = HandReport.of(hand, pm.OpponentModeler("adaptive", hero="Bob"), "Bob", verdicts=False).to_dict()
    assert (data["structure"], data["stake"]) == ("no limit", "50/100")
    assert [step["price"]["needed"] for step in data["steps"] if "price" in step][4] == pytest.approx(1 / 3)


def test_names_cannot_steer_a_terminal() -> None:
    hand = sized()
    hostile = Hand(
        "t",
        "1",
        SIX,
        ["Ann", "Bob\x1b[2J", "Cid", "Dee", "Eve", "\x1b]0;x\x07"],
        hand.actions,
        hand.board,
        hand.holdings,
    )
    console = Console(width=160, record=True, file=io.StringIO())
    print_report(HandReport.of(hostile, pm.OpponentModeler("adaptive", hero="Bob\x1b[2J"), "Bob\x1b[2J"), console)
    text = console.export_text(styles=False)
    assert "\\x1b[2J calls" in text
    assert "\x1b" not in text


def test_straddles_are_bets() -> None:
    straddled = GameSpec(
        (50, 100, 200, 0), (100,) * 4, (3, 0, 0, 0), structure="no limit", stacks=(5000, 5000, 5000, 5000)
    )
    state = pm.game.State(straddled)
    assert (state.seat, state.to_call, state.raise_range()) == (3, 200, (400, 5000))
    state.act(RAISE, 500)
    assert state.raise_range() == (800, 5000)
    hand = Hand("t", "1", straddled, "ABCD", [(3, FOLD), (0, FOLD), (1, RAISE, False, 600), (2, FOLD)])
    assert pm.score([hand])["adaptive"].decisions == 4
    assert default_prior().games.keys() == {"limit", "no limit"}


# ------------------------------------------------------------------------------------------------- as a strategy


def test_choice_and_size_are_factors_of_a_strategy():
    """Sizes add up to the raise with each holding, and by the weights nearly to what is forecast of them."""
    session = pm.OpponentModeler()
    for hand in SIX_HANDED[:4]:
        session.start(hand.players)
        for decision in hand.replay():
            expected, live = session.expect(decision), live_holdings(decision.board)
            strategy, actions = expected.strategy, expected.actions
            assert strategy.shape == (1326, len(actions))
            np.testing.assert_array_equal(np.isnan(strategy).any(axis=1), ~live)
            np.testing.assert_allclose(strategy[live].sum(axis=1), 1, atol=1e-6)  # of 32-bit floats
            raises = [place for place, action in enumerate(actions) if action.act == Act.RAISE]
            np.testing.assert_allclose(strategy[live][:, raises].sum(axis=1), expected.triples[live, 2], atol=1e-12)
            sizes = session.predict_sizes(decision)
            if sizes is None:
                assert strategy is expected.triples
                assert actions == (Choice(Act.FOLD), Choice(Act.CALL), Choice(Act.RAISE))
            else:
                assert actions[2:] == tuple(Choice(Act.RAISE, size) for size in range(7))
                weights = np.where(live, expected.weights, 0) * np.nan_to_num(expected.triples[:, 2])
                mean = weights @ np.nan_to_num(expected.size_shares) / weights.sum()
                np.testing.assert_allclose(mean, sizes, atol=0.08)
                assert (mean[sizes == 0] == 0).all()
            session.observe(decision)


def test_the_size_tells_strong_holdings_from_weak_ones_in_the_strategy_too():
    """What Bayes' rule makes of a size, by the strategy: but for the sum over sizes, which differs little.

    What bets on the river say besides is no part of a strategy.
    """
    session = pm.OpponentModeler(prior=Prior([default_prior().games["no limit"].with_polarity(None)], {}))
    met = 0
    for hand in SIX_HANDED:
        session.start(hand.players)
        for decision in hand.replay():
            if decision.act == Act.RAISE and session.predict_sizes(decision) is not None and decision.round:
                expected, live = session.expect(decision), live_holdings(decision.board)
                cell = size_cell(decision.situation, decision.situation.in_round + decision.put_in)
                place = expected.actions.index(Choice(Act.RAISE, int(CLASS_OF[cell])))
                by_strategy = np.log(expected.weights[live] * expected.strategy[live, place])
                observation = session.observe(decision)
                by_rule = np.log(observation.posterior[live])
                apart = (by_rule - by_rule.mean()) - (by_strategy - by_strategy.mean())
                assert np.abs(apart).mean() < 0.1
                met += 1
            else:
                session.observe(decision)
    assert met


def test_a_strategy_is_pickled_and_known_as_it_was():
    session = pm.OpponentModeler()
    hand = SIX_HANDED[0]
    session.start(hand.players)
    first = next(hand.replay())
    expected, asked = session.expect(first), session.reader.expect(session.spot(first))
    before = asked.strategy
    for each in SIX_HANDED:
        session.learn(each)
    np.testing.assert_array_equal(expected.strategy, before)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(expected)).strategy, before)


def test_an_act_is_judged_without_what_sizes_are_by_holding():
    """Which nobody has asked for; by what was asked for before, with them, if there is that."""
    asked, unasked = pm.OpponentModeler(learning=False), pm.OpponentModeler()
    for session in (asked, unasked):
        session.start(SIX_HANDED[0].players)
    sized = 0
    for decision in SIX_HANDED[0].replay():
        expected = asked.expect(decision)
        one, other = asked.observe(decision), unasked.observe(decision)
        assert other.expected.size_shares is None
        assert (one.expected.size_shares is None) == (expected.size_shares is None)
        sized += expected.size_shares is not None
        np.testing.assert_array_equal(one.posterior, other.posterior)
        assert one.facts() == other.facts()
    assert sized


def test_rows_of_several_keys_are_those_of_each():
    one, several = kernels.KeyRows(), kernels.KeyRows()
    for first, places in ((0, [5, 3, 5]), (10, [0, 3]), (3, [0, 12, 2])):
        assert several.find_all(first, places) == [one.find(first + place) for place in places]
        assert several.add_all(first, places) == [one.add(first + place) for place in places]
    assert several.keys().tolist() == one.keys().tolist()
    with pytest.raises(ValueError, match="keys are 0 or more, got -1"):
        several.add_all(0, [-1])
