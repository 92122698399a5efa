"""Loki-1's numbers, by the worked examples of Papp 1998 and Billings et al. 1998."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel import evaluation as ev
from pokermodel.cards import CLASS_OF_HOLDING, class_index, holding_index, live_holdings
from pokermodel.classics.loki1.field import field_array, field_strengths
from pokermodel.classics.loki1.reweighting import reweight, reweighting_factors
from pokermodel.classics.loki2.decision_thresholds import borders_of
from pokermodel.game import Act
from pokermodel.learning.thresholds import percentile, postflop_threshold, preflop_threshold, thresholds
from pokermodel.reading.frequencies import (
    DEFAULT_FREQUENCIES,
    ActionCounts,
    Context,
    FadingCounts,
    Shares,
    mixed_frequencies,
)
from tests.common import textbook

BOARDS = ["3h4cJh", "2c2d2h", "Ts9s8s", "3h4cJh2s", "KsKdKh5c", "3h4cJh2s9d", "TsJsQsKsAs"]


@pytest.fixture(scope="module")
def papp_rates():
    """Papp's printed seven-player income rates by holding."""
    rates = np.zeros(169)
    with (Path(__file__).parents[2] / "data" / "papp_1998_income_rates.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["players"] == "7":
                rates[class_index(row["hand_class"])] = float(row["income_rate_milli"])
    return rates[CLASS_OF_HOLDING]


def counts_of(*triples):
    """Counts for one bet to call, a (fold, call, raise) triple a round."""
    counts = ActionCounts()
    for round, triple in enumerate(triples):
        counts.values[round, 1] = triple
    return counts


# ----------------------------------------------------------------------------------------------- frequencies


def test_mixing_over_rounds():
    counts = counts_of((5, 4, 1), (1, 2, 1))
    for round, expected in enumerate([(0.50, 0.35, 0.15), (0.45, 0.38, 0.17), (0.45, 0.38, 0.17), (0.45, 0.38, 0.17)]):
        np.testing.assert_allclose(counts.frequencies(Context(round, 1)), expected, atol=1e-12)
    turn = counts.frequencies(Context(2, 1))
    assert percentile(turn, Act.RAISE) == pytest.approx(0.83)
    assert percentile(turn, Act.CALL) == pytest.approx(0.45)


def test_twenty_observations_speak_for_themselves():
    counts = counts_of((0, 0, 0), (10, 70, 20))
    np.testing.assert_allclose(counts.frequencies(Context(1, 1)), (0.1, 0.7, 0.2))
    np.testing.assert_allclose(counts.frequencies(Context(3, 1)), (0.1, 0.7, 0.2))
    np.testing.assert_allclose(counts.frequencies(Context(1, 0)), DEFAULT_FREQUENCIES[0])
    assert counts_of((6, 8, 6)).frequencies(Context(0, 1)).tolist() == [0.3, 0.4, 0.3]


@given(st.lists(st.integers(0, 30), min_size=36, max_size=36))
def test_frequencies_are_frequencies(values):
    counts = ActionCounts(np.reshape(values, (4, 3, 3)))
    for round in range(4):
        for bets in range(3):
            frequencies = counts.frequencies(Context(round, bets))
            assert frequencies.sum() == pytest.approx(1)
            assert (frequencies >= 0).all()


def test_counts_add_and_compare():
    one, two = counts_of((1, 2, 3)), counts_of((4, 5, 6))
    assert one + two == counts_of((5, 7, 9))
    assert one != two
    assert repr(one) == "ActionCounts(6 actions)"
    assert str(Context.of(1, 5)) == "flop, two bets or more to call"
    with pytest.raises(ValueError, match="shape"):
        ActionCounts(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="0 or more"):
        ActionCounts(-np.ones((4, 3, 3)))
    with pytest.raises(ValueError, match="round"):
        Context.of(4, 0)
    with pytest.raises(ValueError, match="bets to call"):
        Context.of(0, -1)
    with pytest.raises(TypeError):
        one + 1


def test_old_actions_fade():
    """With a half-life of two actions in the context; other contexts keep what they have."""
    counts, flop, turn = FadingCounts(2.0, counts_of((0, 8, 0)).values), Context(1, 1), Context(2, 1)
    for act in (Act.RAISE, Act.FOLD, Act.RAISE):
        counts.add(flop, act)
    np.testing.assert_allclose(counts.values[1, 1], [0.5**0.5, 0, 0.5 + 1])
    assert counts.values[0, 1].tolist() == [0, 8, 0]
    counts.add(turn, Act.CALL)
    assert counts.values[2, 1].tolist() == [0, 1, 0]
    for _ in range(100):
        counts.add(flop, Act.CALL)
    assert counts.values[1, 1].sum() == pytest.approx(1 / (1 - 0.5**0.5))
    assert mixed_frequencies(counts.values.tolist(), 0, 1) == pytest.approx((0.3, 0.58, 0.12), abs=1e-12)


@given(st.lists(st.sampled_from(list(Act)), max_size=60), st.floats(0.1, 1000))
def test_fading_counts_are_weighted_sums(acts, half_life):
    counts, context = FadingCounts(half_life), Context(3, 2)
    for act in acts:
        counts.add(context, act)
    expected = [sum(0.5 ** (age / half_life) for age, each in enumerate(reversed(acts)) if each == act) for act in Act]
    np.testing.assert_allclose(counts.values[3, 2], expected, rtol=1e-9)


def test_counts_that_cannot_fade():
    for half_life in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="half-life of counts must be positive"):
            FadingCounts(half_life)
    with pytest.raises(ValueError, match=r"shape \(4, 3, 3\), got \(3, 3\)"):
        FadingCounts(1.0, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="0 or more"):
        FadingCounts(1.0, -np.ones((4, 3, 3)))


# ------------------------------------------------------------------------------------------------ thresholds


@pytest.mark.parametrize(
    ("frequencies", "raised", "called"),
    [((0.1, 0.7, 0.2), 0.80, 0.10), ((0.3, 0.4, 0.3), 0.70, 0.30), ((0, 0.5, 0.5), 0.5, 0.0)],
)
def test_percentiles(frequencies, raised, called):
    assert percentile(frequencies, Act.RAISE) == pytest.approx(raised)
    assert percentile(frequencies, Act.CALL) == pytest.approx(called)


@pytest.mark.parametrize(
    ("bets", "act", "mu", "sigma"),
    [
        (0, Act.RAISE, 0.5, 0.20),
        (1, Act.CALL, 0.5, 0.20),
        (1, Act.RAISE, 0.8, 0.08),
        (2, Act.CALL, 0.7, 0.12),
        (2, Act.RAISE, 0.9, 0.04),
    ],
)
def test_constants_of_the_generic_model(bets, act, mu, sigma):
    threshold = postflop_threshold(DEFAULT_FREQUENCIES[bets], act)
    assert threshold == pytest.approx((mu, mu, sigma))


def test_a_player_who_never_raises():
    assert postflop_threshold([0.5, 0.5, 0.0], Act.RAISE).sigma == 0.02


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.05, -433), (0.10, -383), (0.20, -303), (0.30, -217), (0.40, -146), (0.50, -68), (0.60, 21), (0.70, 118),
     (0.75, 151), (0.80, 268), (0.85, 336), (0.90, 420), (0.95, 628)],
)  # fmt: skip
def test_preflop_thresholds_are_near_the_printed_ones(share, expected):
    """Papp's percentiles come from his simulation, ours from a longer one: equal but for both errors."""
    threshold = preflop_threshold([share, 0, 1 - share], Act.RAISE)
    assert threshold.mu == pytest.approx(expected, abs=20)
    assert threshold.sigma == 330


def test_nothing_is_learnt_below_the_fifth_percentile():
    assert preflop_threshold([0.04, 0.0, 0.96], Act.RAISE) is None
    assert preflop_threshold([0.0, 0.5, 0.5], Act.CALL) is None


@given(st.lists(st.integers(0, 30), min_size=3, max_size=3).filter(any))
def test_both_thresholds_at_once(counts):
    shares = np.divide(counts, sum(counts))
    for preflop, one in ((True, preflop_threshold), (False, postflop_threshold)):
        assert thresholds(shares, preflop=preflop) == (one(shares, Act.RAISE), one(shares, Act.CALL))


@pytest.mark.parametrize("frequencies", [[0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 1.0], [np.nan, 0.5, 0.5]])
def test_bad_frequencies(frequencies):
    with pytest.raises(ValueError, match="sum to 1"):
        percentile(frequencies, Act.CALL)
    with pytest.raises(ValueError, match="sum to 1"):
        thresholds(frequencies, preflop=False)


def test_a_fold_has_no_threshold():
    with pytest.raises(ValueError, match="fold has no threshold"):
        percentile([0.5, 0.3, 0.2], Act.FOLD)


# ---------------------------------------------------------------------------------------------- re-weighting


@pytest.mark.parametrize(
    ("value", "before", "factor", "after"),
    [
        (0.99, 0.01, 1.00, 0.01), (0.94, 1.00, 1.00, 1.00), (0.91, 0.20, 1.00, 0.20), (0.76, 0.60, 0.90, 0.54),
        (0.74, 0.70, 0.85, 0.595), (0.70, 0.40, 0.75, 0.30), (0.64, 1.00, 0.60, 0.60), (0.48, 0.60, 0.20, 0.12),
        (0.22, 0.90, 0.01, 0.01),
    ],
)  # fmt: skip
def test_published_ramp(value, before, factor, after):
    """Billings et al. 1998, Table 2: mu .6, sigma .2."""
    assert reweighting_factors(value, 0.6, 0.2) == pytest.approx(factor)
    assert reweight([before], [value], 0.6, 0.2) == pytest.approx(after)


@pytest.mark.parametrize(
    ("mu", "least"), [(0.05, 0.7674), (0.10, 0.5652), (0.15, 0.3878), (0.20, 0.2308), (0.25, 0.0909)]
)
def test_low_thresholds_keep_their_area(mu, least):
    sigma = 0.4 * (1 - mu)
    values = np.linspace(0, 1, 100_001)
    factors = reweighting_factors(values, mu, sigma)
    assert factors[0] == pytest.approx(least, abs=5e-5)
    assert factors.mean() == pytest.approx(1 - mu, abs=1e-4)
    assert reweighting_factors(0.0, 0.0, 0.4) == 1.0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.99))
def test_stronger_holdings_never_lose_more(first, second, mu):
    low, high = sorted((first, second))
    factors = reweighting_factors([low, high], mu, 0.4 * (1 - mu))
    assert 0.01 <= factors[0] <= factors[1] <= 1


def test_the_ramp_before_the_flop(papp_rates):
    expected = {"AsAd": 1, "8s8d": 0.957576, "As8s": 0.951515, "Ts9s": 0.901515, "KsTd": None, "Ks9d": 0.55,
                "5s5d": 0.506061, "7s2d": 0.01}  # fmt: skip
    after = reweight(np.ones(1326), papp_rates, 118, 330, compensate=False)
    for holding, weight in expected.items():
        if weight is not None:
            assert after[holding_index(holding)] == pytest.approx(weight, abs=5e-7)
    after = reweight(np.ones(1326), papp_rates, -68, 330, compensate=False)
    assert after[holding_index("Ks9d")] == pytest.approx(0.831818, abs=5e-7)
    assert after[holding_index("5s5d")] == pytest.approx(0.787879, abs=5e-7)


def judged(board, put_in=2, pot=6):
    """Effective strengths and exemptions of everybody's public view, all weights 1."""
    analysis = ev.BoardAnalysis(board)
    strengths, potentials = analysis.strengths(), analysis.crude_potentials()
    exempt = potentials >= put_in / (pot + put_in) if len(analysis.board) < 5 else None
    return strengths + (1 - strengths) * potentials, exempt, live_holdings(board).astype(float)


def test_worked_example_of_a_bet():
    values, exempt, ones = judged("3h4cJh")
    after = reweight(ones, values, 0.5, 0.2, exempt=exempt)
    assert ones.sum() == 1176
    assert exempt[ones > 0].sum() == 70
    assert after.sum() == pytest.approx(699.412012, abs=5e-7)
    assert (after == 1).sum() == 462
    assert (after == 0.01).sum() == 255
    table = {
        "AcQd": (0.627478, 0.818696), "5s3s": (0.681382, 0.953456), "5s5h": (0.824188, 1), "QsTs": (0.420725, 0.301811),
        "7s5s": (0.213583, 0.01), "6s5s": (0.270809, 1), "5h2h": (0.398260, 1), "AhKh": (0.714768, 1),
        "7s2d": (0.120728, 0.01),
    }  # fmt: skip
    for holding, (value, weight) in table.items():
        assert values[holding_index(holding)] == pytest.approx(value, abs=5e-7)
        assert after[holding_index(holding)] == pytest.approx(weight, abs=5e-7)


def test_worked_example_of_a_raise_on_the_stored_copy():
    values, exempt, ones = judged("3h4cJh")
    after = reweight(ones, values, 0.8, 0.08, exempt=exempt)
    assert after.sum() == pytest.approx(336.669430, abs=5e-7)
    for holding, weight in {"AcQd": 0.01, "5s5h": 0.651173, "AhKh": 1}.items():
        assert after[holding_index(holding)] == pytest.approx(weight, abs=5e-7)


@pytest.mark.parametrize(
    ("board", "holdings", "total", "weight"),
    [("3h4cJh2s", 1128, 682.627494, 0.613668), ("3h4cJh2s9d", 1081, 543.422222, 0.130051)],
)
def test_worked_examples_of_later_rounds(board, holdings, total, weight):
    values, exempt, ones = judged(board)
    after = reweight(ones, values, 0.5, 0.2, exempt=exempt)
    assert ones.sum() == holdings
    assert after.sum() == pytest.approx(total, abs=5e-7)
    assert after[holding_index("AcQd")] == pytest.approx(weight, abs=5e-7)


@pytest.mark.parametrize("seed", range(4))
def test_reweighting_equals_the_textbook(seed):
    rng = np.random.default_rng(seed)
    cards = [textbook.DECK[i] for i in rng.choice(52, 3 + seed % 3, replace=False)]
    opponents = [rng.random(1326) * live_holdings(cards) for _ in range(2)]
    start = rng.random(1326) * live_holdings(cards)
    mu, put_in, pot = rng.uniform(0, 0.9), 2, int(rng.integers(3, 20))
    sigma = 0.4 * (1 - mu)
    analysis = ev.BoardAnalysis(cards)
    strengths, _ = field_strengths(analysis, opponents)
    potentials = analysis.crude_potentials()
    exempt = potentials >= put_in / (pot + put_in) if len(cards) < 5 else None
    got = reweight(start, strengths + (1 - strengths) * potentials, mu, sigma, exempt=exempt)

    field = sum(table / table.sum() for table in opponents) / 2
    value = textbook.Values()
    holdings = textbook.all_holdings(cards)
    for k in rng.choice(len(holdings), 25, replace=False):
        number = textbook.holding_number(holdings[k])
        hs = textbook.strength(holdings[k], cards, field, (), value)
        crude = textbook.crude_potential(holdings[k], cards) if len(cards) < 5 else 0.0
        if len(cards) < 5 and crude >= put_in / (pot + put_in):
            expected = start[number]
        else:
            v = hs + (1 - hs) * crude
            if sigma > mu:
                r = 1 - 2 * mu / (mu + sigma)
                factor = min(1.0, r + (1 - r) * v / (mu + sigma))
            else:
                factor = (v - mu + sigma) / (2 * sigma)
            expected = max(start[number] * min(max(factor, 0.01), 1), 0.01)
        assert got[number] == pytest.approx(expected, rel=1e-9)


def test_impossible_holdings_have_no_weight():
    assert reweight([1.0, 1.0], [np.nan, 0.0], 0.5, 0.2).tolist() == [0.0, 0.01]
    with pytest.raises(ValueError, match="sigma must be positive"):
        reweighting_factors([0.5], 0.5, 0.0)


# ---------------------------------------------------------------------------------------------------- fields


def test_weighted_evaluation_examples(papp_rates):
    analysis, hero = ev.BoardAnalysis("3h4cJh"), holding_index("AdQc")
    first = np.where(papp_rates >= 0, 1.0, 0.01)
    second = np.clip((papp_rates - 118 + 330) / 660, 0.01, 1)
    for weights, expected in ((first, (0.618167, 0.095900, 0.136220)), (second, (0.576137, 0.097124, 0.134073))):
        ppot, npot, _ = analysis.potential("AdQc", weights)
        assert (analysis.strength("AdQc", weights), ppot, npot) == pytest.approx(expected, abs=5e-7)
    mask = live_holdings("3h4cJhAdQc")
    tables = [first * mask, second * mask]
    hs1, hsn = (array[hero] for array in field_strengths(analysis, tables, "mean"))
    assert (hs1, hsn) == pytest.approx((0.597152, 0.356590), abs=1e-6)
    assert analysis.potential("AdQc", field_array(tables))[:2] == pytest.approx((0.096544, 0.135184), abs=5e-7)
    hs1, hsn = (array[hero] for array in field_strengths(analysis, tables, "product"))
    assert (hs1**2, hsn) == pytest.approx((0.356149, 0.356149), abs=5e-7)
    assert field_strengths(analysis, tables, "maximum")[0][hero] == pytest.approx(0.618850, abs=5e-7)


def merged(tables, method):
    """The field in NumPy."""
    stacked = np.array(tables)
    largest = stacked.max(axis=1, keepdims=True)
    np.divide(stacked, largest, out=stacked, where=largest > 1e300)  # their sum could overflow
    scale = stacked.sum(axis=1, keepdims=True) if method == "mean" else stacked.max(axis=1, keepdims=True)
    np.divide(stacked, scale, out=stacked, where=scale > 0)
    return stacked.mean(axis=0) if method == "mean" else stacked.max(axis=0)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 22), st.sampled_from(["mean", "maximum"]), st.sampled_from(BOARDS))
def test_a_field_and_what_holdings_are_worth_against_it(seed, opponents, method, board):
    rng = np.random.default_rng(seed)
    tables = [
        rng.random(1326) * (rng.random(1326) < rng.choice([0.01, 0.5, 1])) * rng.choice([0, 1e-9, 1, 1e9])
        for _ in range(opponents)
    ]
    expected = merged(tables, method)
    np.testing.assert_array_equal(field_array(tables, method), expected)
    analysis, potentials = ev.BoardAnalysis(board), rng.random(1326)
    field, strengths, values = analysis.against(tables, method, potentials)
    np.testing.assert_array_equal(field, expected)
    np.testing.assert_array_equal(strengths, analysis.strengths(expected))
    np.testing.assert_array_equal(values, strengths + (1.0 - strengths) * potentials)
    assert np.array_equal(np.isnan(values), ~analysis.live)


@pytest.mark.parametrize(
    ("message", "tables"),
    [
        ("1 to 22 tables of opponents, got 0", []),
        ("1 to 22 tables of opponents, got 23", [np.ones(1326)] * 23),
        ("contiguous array of 1,326 float64", [np.ones(1326), np.ones(1325)]),
        ("contiguous array of 1,326 float64", [np.ones(1326, dtype=np.int64)]),
        ("finite and 0 or more", [np.full(1326, -1.0)]),
        ("finite and 0 or more", [np.ones(1326), np.full(1326, np.nan)]),
        ("finite and 0 or more", [np.full(1326, np.inf)]),
    ],
)
def test_tables_that_are_no_field(message, tables):
    with pytest.raises(ValueError, match=message):
        ev.BoardAnalysis("3h4cJh").against(tables, "mean", np.zeros(1326))


def test_field_input():
    table = np.random.default_rng(0).random(1326)
    np.testing.assert_allclose(field_array([table, np.zeros(1326)]), table / table.sum() / 2)
    with pytest.raises(ValueError, match="at least one"):
        field_array([])
    with pytest.raises(ValueError, match="expected a list of tables, one for each opponent, got one weight table"):
        field_array(pm.WeightTable())
    with pytest.raises(ValueError, match="'mean' or 'maximum'"):
        field_array([table], "product")
    with pytest.raises(ValueError, match="unknown field method"):
        field_strengths(ev.BoardAnalysis("3h4cJh"), [table], "median")


def test_a_field_of_enormous_weights():
    small, large = (pm.WeightTable.from_text(f"AA:{weight}, 72:{weight}").values for weight in ("1", "1e308"))
    for method in ("mean", "maximum"):
        expected = field_array([small, small], method)
        np.testing.assert_allclose(field_array([large, large], method), expected, rtol=1e-12)
        np.testing.assert_allclose(field_array([large, small], method), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "frequencies",
    [(0.5, 0.5), (0.2, 0.2, 0.2), (-0.1, 0.6, 0.5), (np.nan, 0.5, 0.5), np.full((3, 3), 1 / 3), Shares(0.5, 0.6, -0.1)],
)
def test_frequencies_are_three_shares(frequencies):
    for made_of in (
        lambda: percentile(frequencies, Act.CALL),
        lambda: thresholds(frequencies, preflop=False),
        lambda: borders_of(frequencies, 1),
    ):
        with pytest.raises(ValueError, match="three numbers >= 0 that sum to 1"):
            made_of()
