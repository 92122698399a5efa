"""Showdowns counted: two hands exactly, many by dealing."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import eval7
import numpy as np
import pytest
from click.testing import CliRunner

from pokermodel._core import rollout as core
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, class_index, holding_index
from pokermodel.cli.income_rates import income_rates
from pokermodel.evaluation import rollout
from tests.common.patience import PATIENCE

COMBINATIONS = np.bincount(CLASS_OF_HOLDING)
EVAL7 = [eval7.Card(card) for card in CARDS]


@pytest.fixture(scope="module")
def boards():
    boards, orbits = np.empty((134_459, 5), dtype=np.uint8), np.empty(134_459, dtype=np.uint8)
    core.fill_canonical_boards(boards, orbits)
    return boards, orbits


@pytest.fixture(scope="module")
def heads_up():
    return rollout.heads_up_counts()


@pytest.fixture(scope="module")
def simulated():
    return rollout.simulate_rates(400_000, 5)


# -------------------------------------------------------------------------------------------------- two hands


def test_boards_up_to_suits(boards):
    cards, orbits = boards
    assert (np.diff(cards.astype(int), axis=1) > 0).all()
    assert orbits.sum(dtype=int) == comb(52, 5)
    assert len(np.unique(cards, axis=0)) == 134_459


def test_orbits_by_permuting_suits(boards):
    cards, orbits = boards
    stand_for = {tuple(board): orbit for board, orbit in zip(cards.tolist(), orbits.tolist(), strict=True)}
    for board in np.random.default_rng(2).permuted(np.tile(np.arange(52), (300, 1)), axis=1)[:, :5].tolist():
        orbit = {tuple(sorted(4 * (card // 4) + suits[card % 4] for card in board)) for suits in permutations(range(4))}
        (representative,) = orbit & stand_for.keys()
        assert stand_for[representative] == len(orbit)


def count_with_eval7(board):
    """Wins and ties by class on one board, every holding against every other that is possible beside it."""
    live = [(a, b) for a, b in HOLDING_CARDS.tolist() if a not in board and b not in board]
    on_board = [EVAL7[card] for card in board]
    ranks = np.array([eval7.evaluate([*on_board, EVAL7[a], EVAL7[b]]) for a, b in live])
    held = np.zeros((len(live), 52), dtype=np.int64)
    for row, holding in enumerate(live):
        held[row, list(holding)] = 1
    apart = held @ held.T == 0
    wins, ties = np.zeros(169, dtype=np.uint64), np.zeros(169, dtype=np.uint64)
    classes = CLASS_OF_HOLDING[[holding_index(holding) for holding in live]]
    np.add.at(wins, classes, ((ranks[:, None] > ranks) & apart).sum(axis=1).astype(np.uint64))
    np.add.at(ties, classes, ((ranks[:, None] == ranks) & apart).sum(axis=1).astype(np.uint64))
    return wins, ties


@pytest.mark.parametrize("orbit", [1, 24])
@pytest.mark.parametrize(
    "board",
    ["2c7d9hJsKc", "AsKsQsJsTs", "5c5d5h5s2c", "AcAdKcKdQh", "2h3h4h5h6h", "8c8d8h3s3c", "2d6d9dQdAh"],
)
def test_a_board_counted_with_eval7(board, orbit):
    cards = [CARDS.index(board[k : k + 2]) for k in range(0, 10, 2)]
    expected = count_with_eval7(cards)
    counts = np.zeros((2, 169), dtype=np.uint64)
    core.count_heads_up(np.array([cards], dtype=np.uint8), np.array([orbit], dtype=np.uint8), counts[0], counts[1])
    np.testing.assert_array_equal(counts, orbit * np.array(expected))


def test_random_boards_counted_with_eval7():
    boards = np.random.default_rng(3).permuted(np.tile(np.arange(52, dtype=np.uint8), (25, 1)), axis=1)[:, :5]
    counts = np.zeros((2, 169), dtype=np.uint64)
    core.count_heads_up(boards.copy(), np.ones(25, dtype=np.uint8), counts[0], counts[1])
    np.testing.assert_array_equal(counts, sum(np.array(count_with_eval7(board)) for board in boards.tolist()))


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


def test_bad_boards():
    counts = np.zeros((2, 169), dtype=np.uint64)
    once = np.ones(2, dtype=np.uint8)
    good = [0, 1, 2, 3, 4]
    for bad, message in [
        ([good, [0, 1, 2, 3, 52]], r"row 1 is not 5 different cards 0..51: \[0, 1, 2, 3, 52\]"),
        ([good, [0, 1, 2, 3, 0]], "row 1 is not 5 different cards"),
        ([[*good, 5], [*good, 6]], "has 5 cards, got 6"),
        ([good], "1 boards need as many orbits, got 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            core.count_heads_up(np.array(bad, dtype=np.uint8), once, counts[0], counts[1])
    with pytest.raises(ValueError, match=r"must have shape \(169,\)"):
        core.count_heads_up(np.array([good, good], dtype=np.uint8), once, counts[0], counts[1, :168])
    assert not counts.any()
    with pytest.raises(ValueError, match="134459 boards"):
        core.fill_canonical_boards(np.zeros((2, 5), dtype=np.uint8), once)


# ------------------------------------------------------------------------------------------------- many hands


def tally(deals, words=(1, 2, 3, 4)):
    counts = np.zeros((23, 169, 23), dtype=np.uint64)
    core.count_deals(np.array(words, dtype=np.uint64), deals, counts)
    return counts


def test_tally_of_one_deal_is_that_of_23_hands():
    for seed in range(1, 50):
        counts = tally(1, (seed, 2, 3, 4))
        fates = [(int(b), int(t)) for t, _, b in np.argwhere(counts) for _ in range(counts[t, _, b])]
        assert len(fates) == 23
        # from the weakest up, each group of equals beats all that came before it
        beaten = 0
        for below, tied in sorted(set(fates)):
            assert below == beaten
            assert fates.count((below, tied)) == tied + 1
            beaten += tied + 1
        assert beaten == 23


def test_tally_deals_every_holding_alike():
    deals = 60_000
    dealt = tally(deals).sum(axis=(0, 2))
    expected = 23 * deals * COMBINATIONS / 1326
    # 46 of the 47 cards beside the board are dealt, so that holdings scatter like a Poisson count at most
    assert ((dealt - expected) ** 2 / expected).mean() < 1.5
    assert (abs(dealt - expected) < 6 * np.sqrt(expected)).all()


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
    by_fate = tally(1000).sum(axis=1).astype(float)
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
    with pytest.raises(ValueError, match=r"shape \(23, 169, 23\), got \(23, 169, 22\)"):
        core.count_deals(np.ones(4, dtype=np.uint64), 1, np.zeros((23, 169, 22), dtype=np.uint64))
    with pytest.raises(ValueError, match="4 words, got 5"):
        core.count_deals(np.ones(5, dtype=np.uint64), 1, np.zeros((23, 169, 23), dtype=np.uint64))


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_writes_a_table(tmp_path):
    path = tmp_path / "rates.csv"
    arguments = ["--deals", "10000", "--seed", "4"]
    result = CliRunner().invoke(income_rates, [*arguments, "--jobs", "2", "-o", str(path)])
    assert result.exit_code == 0, result.output
    text = path.read_text()
    lines = text.splitlines()
    assert "10000 deals of 23 holdings, seed 4" in text
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert rows[0] == ["class", *(str(n) for n in range(2, 24)), *(f"se{n}" for n in range(2, 24))]
    assert [row[0] for row in rows[1:]] == list(CLASSES)
    again = CliRunner().invoke(income_rates, [*arguments, "--jobs", "1"])
    assert again.stdout == text


def test_a_written_table_never_says_minus_nothing():
    table = rollout.IncomeTable(np.full((22, 169), -1e-9), np.zeros((22, 169)), 1)
    file = io.StringIO()
    rollout.write_table(table, file, "one\n\ntwo")
    assert file.getvalue().startswith("# one\n#\n# two\nclass,2,")
    assert "-0.000" not in file.getvalue()


@pytest.mark.parametrize("arguments", [["--deals", "5"], ["--seed", "-1"], ["--jobs", "0"], ["-o", "."]])
def test_the_command_refuses(arguments):
    result = CliRunner().invoke(income_rates, arguments)
    assert result.exit_code == 2


def test_the_command_refuses_what_it_cannot_write_before_it_computes(tmp_path, monkeypatch):
    monkeypatch.setattr(rollout, "heads_up_counts", None)
    arguments = ["--deals", "10000", "-o", str(tmp_path / "nowhere" / "rates.csv")]
    result = CliRunner().invoke(income_rates, arguments)
    assert result.exit_code == 2
    assert "cannot be written: no such folder" in result.output


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_the_command_can_be_interrupted(tmp_path):
    path = tmp_path / "rates.csv"
    # what a shell puts into the background ignores the signal, and so do its children
    code = """if True:
        import signal
        from pokermodel.cli import main
        from pokermodel.evaluation import rollout

        def counted(chunk):
            print("at work\\n", end="", flush=True)  # in one piece, beside another thread
            return count(chunk)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        count, rollout._count_chunk = rollout._count_chunk, counted
        main()
    """
    command = [sys.executable, "-c", code, "income-rates", "--deals", str(10**9), "-o", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "at work\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Aborted" in errors
    assert "Traceback" not in errors
    assert not path.exists()
