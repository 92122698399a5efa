"""The package's income rates, against those printed by Papp and as worked in the papers."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, class_index, holding_index
from pokermodel.evaluation import preflop
from pokermodel.game import Act
from pokermodel.learning.thresholds import percentile

SHARE = np.bincount(CLASS_OF_HOLDING) / 1326


@pytest.fixture(scope="module")
def printed():
    """Papp 1998, appendix A: rates by number of players."""
    rates = {players: np.full(169, np.nan) for players in (2, 4, 7)}
    with (Path(__file__).parents[1] / "data" / "papp_1998_income_rates.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            rates[int(row["players"])][class_index(row["hand_class"])] = float(row["income_rate_milli"])
    assert all(np.isfinite(table).all() for table in rates.values())
    return rates


# ---------------------------------------------------------------------------------------- against the printed


@pytest.mark.parametrize("players", [2, 4, 7])
def test_close_to_the_printed_tables(printed, players):
    difference = abs(preflop.income_rates(players) - printed[players])
    assert difference.mean() <= 4
    assert difference.max() <= 20


def test_how_far_the_printed_tables_are(printed):
    """The figures of docs/models/loki1.md."""
    differences = {players: abs(preflop.income_rates(players) - table) for players, table in printed.items()}
    assert [float(each.mean().round(1)) for each in differences.values()] == [0.9, 1.4, 1.9]
    assert max(each.max() for each in differences.values()).round(1) == 7.6
    assert (preflop.income_rates(7) >= 0).sum() == 89


def printed_error(rates, players):
    """Scatter of a rate from the printed tables' 1,000,000 games: a gain is -1 or about players - 1."""
    return np.sqrt((1000 + rates) * (1000 * (players - 1) - rates) / 1e6)


@pytest.mark.parametrize("players", [2, 4, 7])
def test_differences_are_the_scatter_of_the_printed_simulation(printed, players):
    rates = preflop.income_rates(players)
    deviations = (printed[players] - rates) / np.hypot(printed_error(rates, players), 0.3)
    assert abs(deviations).max() < 4
    assert 0.6 < (deviations**2).mean() < 1.5


def test_the_printed_tables_are_those_of_the_thesis(printed):
    means = [printed[players] @ SHARE for players in (2, 4, 7)]
    np.testing.assert_allclose(means, [0.0769, -0.2293, 0.1403], atol=5e-5)
    assert (printed[7] >= 0).sum() == 88


@pytest.mark.parametrize(
    ("mu", "rate"),
    [
        (0.05, -433),
        (0.10, -383),
        (0.20, -303),
        (0.30, -217),
        (0.40, -146),
        (0.50, -68),
        (0.60, 21),
        (0.70, 118),
        (0.75, 151),
        (0.80, 268),
        (0.85, 336),
        (0.90, 420),
        (0.95, 628),
    ],
)
def test_percentiles(printed, mu, rate):
    assert preflop.percentile_value(mu, rates=printed[7]) == rate
    assert preflop.percentile_value(mu, rates=printed[7][CLASS_OF_HOLDING]) == rate
    assert preflop.percentile_value(mu) == pytest.approx(rate, abs=5)


def test_worked_examples_before_the_flop():
    """Rates that Loki-1's pre-flop decisions look up: the thresholds beside them are 100, 250 and 580."""
    assert preflop.income_rate("ATs", 4) == pytest.approx(491, abs=5)
    assert preflop.income_rate("A8s", 4) == pytest.approx(338, abs=5)


# ------------------------------------------------------------------------------------------------- the table


@pytest.mark.parametrize("players", range(2, 24))
def test_each_table(players):
    rates, errors = preflop.income_rates(players), preflop.standard_errors(players)
    for array in (rates, errors):
        assert array.shape == (169,)
        assert array.dtype == np.float64
        assert not array.flags.writeable
    assert abs(rates @ SHARE) < 5e-4  # three decimals are stored
    assert rates.min() > -1000
    assert rates.max() < 1000 * (players - 1)
    assert CLASSES[rates.argmax()] == "AA"
    assert errors.max() < 1
    if players <= 10:
        assert errors.max() < 0.5


def test_suited_beats_unsuited_and_high_pairs_beat_low():
    for players in range(2, 24):
        grid = preflop.income_rates(players).reshape(13, 13)
        upper = np.triu_indices(13, 1)
        assert (grid[upper] > grid.T[upper]).all()
        if players <= 10:
            assert (np.diff(np.diag(grid)) < 0).all()


def test_rate_of_one_holding():
    for players in (2, 7, 23):
        rates = preflop.income_rates(players)
        by_holding = preflop.income_rates_by_holding(players)
        assert not by_holding.flags.writeable
        np.testing.assert_array_equal(by_holding, rates[CLASS_OF_HOLDING])
        for holding in ("AsTs", "2c2d", "7h2s", (51, 0), [3, 7], "10d 9d"):
            index = holding_index(holding)
            assert preflop.income_rate(holding, players) == by_holding[index]
            assert preflop.income_rate(index, players) == by_holding[index]
        for k, text in enumerate(CLASSES):
            assert preflop.income_rate(text, players) == rates[k]


def test_percentile_is_the_entry_of_the_sorted_list():
    in_order = sorted(preflop.income_rates_by_holding(4).tolist())
    for mu, index in [(0, 0), (0.0007, 0), (0.5, 663), (0.9999, 1325), (1, 1325)]:
        assert preflop.percentile_value(mu, 4) == in_order[index]
        assert preflop.percentile_value(mu, rates=range(1326)) == index


def test_tens_in_two_characters():
    assert preflop.income_rate("A10s", 2) == preflop.income_rate("ATs", 2)
    assert preflop.income_rate("1010", 4) == preflop.income_rate("TT", 4)


@pytest.mark.native
def test_percentiles_that_are_shares_of_whole_counts():
    """Rounding must not take the entry below: 10/13 of the holdings are 1,020."""
    for n in (*range(1, 20), 51, 169):
        for k in range(n):
            expected = k * 1326 // n
            assert preflop.percentile_value(percentile((1 - k / n, 0.0, k / n), Act.RAISE), rates=range(1326)) == (
                (n - k) * 1326 // n if k else 1325
            )
            assert preflop.percentile_value(k / n, rates=range(1326)) == expected


# ------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("players", [1, 0, -3, 24, 2.0, "7", None])
@pytest.mark.parametrize(
    "function",
    [
        preflop.income_rates,
        preflop.standard_errors,
        preflop.income_rates_by_holding,
        lambda players: preflop.income_rate("AA", players),
        lambda players: preflop.percentile_value(0.5, players),
    ],
)
def test_bad_numbers_of_players(function, players):
    with pytest.raises(ValueError, match=r"players must be .*2\.\.23"):
        function(players)


@pytest.mark.parametrize("holding", ["", "A", "ATx", "AsAs", "AsKdQc", (1, 1), (1, 2, 3), 1326, -1, (0, 52)])
def test_bad_holdings(holding):
    with pytest.raises(ValueError, match=r"holding|card|class"):
        preflop.income_rate(holding, 2)


@pytest.mark.parametrize("mu", [-0.01, 1.01, float("nan"), float("inf")])
def test_bad_percentiles(mu):
    with pytest.raises(ValueError, match="expected 0 to 1"):
        preflop.percentile_value(mu)


def test_bad_rates():
    with pytest.raises(ValueError, match=r"shape \(169,\) or \(1326,\), got \(13, 13\)"):
        preflop.percentile_value(0.5, rates=np.zeros((13, 13)))
