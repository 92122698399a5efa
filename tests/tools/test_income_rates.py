"""The script that makes the package's table of income rates."""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import combinations
from math import comb

import eval7
import numpy as np
import pytest

from pokermodel._core import rollout as core
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, CLASSES, class_index, holding_index
from pokermodel.evaluation import preflop
from tools import income_rates as rollout

COMBINATIONS = np.bincount(CLASS_OF_HOLDING)
EVAL7 = [eval7.Card(card) for card in CARDS]


@pytest.fixture(scope="module")
def heads_up():
    return rollout.heads_up_counts()


@pytest.fixture(scope="module")
def simulated():
    return rollout.simulate_rates(400_000, 5)


# -------------------------------------------------------------------------------------------------- two hands


def test_every_showdown_is_counted_and_what_one_wins_another_loses(heads_up):
    np.testing.assert_array_equal(heads_up.sum(axis=1), COMBINATIONS.astype(np.uint64) * comb(50, 5) * comb(45, 2))
    wins, ties, losses = heads_up.sum(axis=0).tolist()
    assert wins == losses
    assert ties > 0


def test_equity_of_aces_is_the_known_one(heads_up):
    wins, ties, losses = heads_up[class_index("AA")].tolist()
    assert (wins + ties / 2) / (wins + ties + losses) == pytest.approx(0.85204, abs=5e-6)


def test_heads_up_rates(heads_up):
    rates = rollout.heads_up_rates(heads_up)
    assert rates @ COMBINATIONS / 1326 == pytest.approx(0, abs=1e-10)
    wins, ties, losses = heads_up[class_index("72o")].tolist()
    assert rates[class_index("72o")] == pytest.approx(float(Fraction(1000 * (wins - losses), wins + ties + losses)))
    assert CLASSES[rates.argmin()] == "32o"


def test_heads_up_counts_do_not_depend_on_threads(heads_up):
    chunks = []
    np.testing.assert_array_equal(rollout.heads_up_counts(3, lambda done, of: chunks.append((done, of))), heads_up)
    assert chunks == [(k, 68) for k in range(1, 69)]


# ------------------------------------------------------------------------------------------------- many hands


def test_mean_shares_by_listing_the_opponents():
    gains = rollout._mean_shares()
    assert gains.shape == (22, 23, 23)
    for tied, beaten in [(0, 0), (0, 22), (22, 0), (3, 9), (1, 19), (5, 17)]:
        others = [0] * tied + [-1] * beaten + [1] * (22 - tied - beaten)
        for opponents in (1, 2, 3, 21, 22):
            shares = [
                0 if 1 in picked else Fraction(1, 1 + picked.count(0)) for picked in combinations(others, opponents)
            ]
            expected = (opponents + 1) * sum(shares) / len(shares) - 1
            assert gains[opponents - 1, tied, beaten] == pytest.approx(float(expected), abs=1e-12)


def test_gains_of_a_deal_add_up_to_nothing():
    counts = np.zeros((23, 169, 23), dtype=np.uint64)
    core.count_deals(np.arange(1, 5, dtype=np.uint64), 1000, counts)
    by_fate = counts.sum(axis=1).astype(float)
    np.testing.assert_allclose((rollout._mean_shares() * by_fate).sum(axis=(1, 2)), 0, atol=1e-9)


def test_two_players_agree_with_the_exact_rates(simulated, heads_up):
    deviations = (simulated.rates[0] - rollout.heads_up_rates(heads_up)) / simulated.errors[0]
    assert abs(deviations).max() < 4.5
    assert 0.8 < (deviations**2).mean() < 1.25  # the standard errors are neither too small nor too large


@pytest.mark.parametrize("players", [3, 6, 10])
def test_agrees_with_dealing_to_one_table(simulated, players):
    """Deal to just so many players, rank with eval7."""
    rng = np.random.default_rng(players)
    gains, hands = np.zeros(169), np.zeros(169)
    for _ in range(15_000 // players):
        deal = rng.choice(52, 5 + 2 * players, replace=False).tolist()
        board = [EVAL7[card] for card in deal[:5]]
        holdings = list(zip(deal[5::2], deal[6::2], strict=True))
        ranks = np.array([eval7.evaluate([*board, EVAL7[a], EVAL7[b]]) for a, b in holdings])
        best = ranks == ranks.max()
        classes = CLASS_OF_HOLDING[[holding_index(holding) for holding in holdings]]
        np.add.at(gains, classes, players * best / best.sum() - 1)
        np.add.at(hands, classes, 1)
    rates = simulated.rates[players - 2] / 1000
    # a gain is -1 or about players - 1: its variance from its mean
    variance = (rates + 1) * (players - 1 - rates)
    assert (((gains - rates * hands) ** 2).sum() / (variance * hands).sum()) < 1.5
    for part in (rates > 0.3, rates < -0.2, COMBINATIONS == 6):
        error = np.sqrt((variance * hands)[part].sum())
        assert abs((gains - rates * hands)[part].sum()) < 4.5 * error


def test_mean_over_holdings_is_nothing(simulated):
    np.testing.assert_allclose(simulated.rates @ COMBINATIONS / 1326, 0, atol=1e-10)


def test_standard_errors_shrink_as_they_should(simulated):
    fewer = rollout.simulate_rates(100_000, 6)
    ratio = fewer.errors / simulated.errors
    assert abs(ratio.mean() - 2) < 0.1


def test_one_seed_one_result():
    first = rollout.simulate_rates(20_001, 9, jobs=1)
    for jobs in (2, 4):
        again = rollout.simulate_rates(20_001, np.random.SeedSequence(9), jobs=jobs)
        np.testing.assert_array_equal(again.rates, first.rates)
        np.testing.assert_array_equal(again.errors, first.errors)
    assert (rollout.simulate_rates(20_001, 10).rates != first.rates).any()
    assert sum(rollout._chunk_sizes(20_001)) == 20_001


def test_bad_simulations():
    with pytest.raises(ValueError, match="deals must be 10000 or more"):
        rollout.simulate_rates(9_999, 1)
    with pytest.raises(ValueError, match="jobs must be 1 or more"):
        rollout.simulate_rates(10_000, 1, jobs=0)
    with pytest.raises(ValueError, match="not a source of randomness"):
        rollout.simulate_rates(10_000, "seed")


# ------------------------------------------------------------------------------------- the table of the package


def test_two_players_of_the_table_are_exact(heads_up):
    exact = rollout.heads_up_rates(heads_up)
    np.testing.assert_array_equal(preflop.income_rates(2), np.round(exact, 3))
    assert not preflop.standard_errors(2).any()


def test_a_small_simulation_agrees_with_the_table():
    table = rollout.simulate_rates(200_000, 12)
    for players in range(3, 24):
        index = players - 2
        error = np.hypot(table.errors[index], preflop.standard_errors(players))
        deviations = (table.rates[index] - preflop.income_rates(players)) / error
        assert abs(deviations).max() < 5
        assert 0.7 < (deviations**2).mean() < 1.35


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_writes_a_table(heads_up, tmp_path, monkeypatch, capsys):
    def counts(jobs, show):
        show(68, 68)
        return heads_up

    monkeypatch.setattr(rollout, "heads_up_counts", counts)
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    arguments = ["--deals", "10000", "--seed", "4"]
    rollout.main([*arguments, "--jobs", "2", "--out", str(first)])
    text = first.read_text()
    assert "10000 deals of 23 holdings, seed 4" in text
    assert "# Made by tools/income_rates.py --deals 10000 --seed 4\n" in text
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    assert rows[0] == ["class", *(str(n) for n in range(2, 24)), *(f"se{n}" for n in range(2, 24))]
    assert [row[0] for row in rows[1:]] == list(CLASSES)
    assert "two players, exactly: 68 of 68\n" in capsys.readouterr().err
    rollout.main([*arguments, "--jobs", "1", "--out", str(again)])
    assert again.read_text() == text


def test_a_written_table_never_says_minus_nothing():
    table = rollout.IncomeTable(np.full((22, 169), -1e-9), np.zeros((22, 169)), 1)
    file = io.StringIO()
    rollout.write_table(table, file, "one\n\ntwo")
    assert file.getvalue().startswith("# one\n#\n# two\nclass,2,")
    assert "-0.000" not in file.getvalue()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--deals", "5"], "--deals must be 10000 or more, got 5"),
        (["--out", "nowhere/rates.csv"], "there is no folder nowhere"),
    ],
)
def test_the_command_refuses_before_it_computes(arguments, said, monkeypatch, capsys):
    monkeypatch.setattr(rollout, "heads_up_counts", None)
    with pytest.raises(SystemExit):
        rollout.main(arguments)
    assert said in capsys.readouterr().err
