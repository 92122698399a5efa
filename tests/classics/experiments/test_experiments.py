"""The experiments of the sources: that they are what was published, and that verdicts are what they say."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest
from click.testing import CliRunner

from pokermodel.cards import shared_live_holdings
from pokermodel.classics.experiments import (
    Above,
    Additive,
    Even,
    FigureRow,
    Order,
    Part,
    TournamentExperiment,
    TournamentOutcome,
    WithinTolerance,
    experiments,
    get_experiment,
    register,
    run_experiment,
    strength,
)
from pokermodel.classics.experiments.claims import Verdict
from pokermodel.cli.main import cli, main
from pokermodel.game import GameSpec
from pokermodel.tables.arena import TournamentResult
from pokermodel.tables.players import make_player, parse_players
from tests.common import textbook

EXPERIMENTS = {name: each for name, each in experiments().items() if isinstance(each, TournamentExperiment)}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_hang_together(name):
    experiment = EXPERIMENTS[name]
    kinds = {part.name: parse_players(part.players) for part in experiment.parts}
    assert all(len(players) == 10 for players in kinds.values())
    for row in experiment.rows:
        assert set(row.players) | set(row.twins) <= set(kinds[row.part])
    rng = np.random.default_rng(1)
    results = {part: fake(players, rng.normal(size=(5, 10))) for part, players in kinds.items()}
    found = TournamentOutcome(experiment, results, 1.0)
    json.dumps(found.to_dict(), allow_nan=False)
    assert len(found.findings()) == len(experiment.claims)


@pytest.mark.parametrize("name", ["features", "showdown-odds", "gom", "som"])
def test_published_figures_sum_to_nothing(name):
    """As bankrolls do; read off curves, and rounded."""
    experiment = EXPERIMENTS[name]
    players = parse_players(experiment.parts[0].players)
    rows = [row for row in experiment.rows if row.part == experiment.parts[0].name]
    assert abs(sum(row.published["Papp 1998"] * players.count(row.player) for row in rows)) < 0.015
    assert sum(players.count(row.player) for row in rows) == 10


def test_features_are_left_out_one_by_one():
    left_out = []
    for row in EXPERIMENTS["features"].rows:
        loki = make_player(row.player).loki
        assert loki.tightness == "moderate"
        features = loki.features
        left_out.append((features.showdown_odds, features.pot_odds, features.semi_bluff, features.simple))
    assert left_out == [
        (True, True, True, False),
        (False, True, True, False),
        (True, False, True, False),
        (True, True, False, False),
        (True, True, True, True),
    ]


@pytest.mark.parametrize("name", ["features", "showdown-odds", "gom", "som"])
def test_low_blinds_are_all_that_differs(name):
    usual, low = EXPERIMENTS[name], EXPERIMENTS[f"{name}-low-blinds"]
    assert (low.rows, low.claims, low.deals) == (usual.rows, usual.claims, usual.deals)
    for part, other in zip(usual.parts, low.parts, strict=True):
        assert part.spec is None
        assert (other.name, other.players, other.block) == (part.name, part.players, part.block)
        assert (other.spec.blinds[:3], other.spec.bets, other.spec.players) == ((1, 1, 0), (2, 2, 4, 4), 10)


def test_a_part_is_played_in_its_game():
    found = run_experiment("features-low-blinds", 2)
    assert found.results["all"].spec.blinds[:3] == (1, 1, 0)


def test_in_a_deceptive_field_only_those_who_act_by_rules_deceive():
    experiment = EXPERIMENTS["loki2-deceptive"]
    for row in experiment.rows:
        (player,) = (make_player(kind) for kind in row.players)
        assert player.playing.deceptive == (row.label == "R")
        if "v B+R" not in row.label:
            assert make_player(row.control).deceptive


def test_deception_is_all_that_differs():
    experiment = EXPERIMENTS["deception"]
    for row in experiment.rows:
        (player,) = (make_player(kind) for kind in row.players)
        assert player.deceptive == ("'" in row.label)
        assert player.model == row.part
        for twin in row.twins:
            assert row.player == f"{twin}?deceptive=1"
    assert not experiment.claims  # nothing that was published is about such a field


# ------------------------------------------------------------------------------------------------------ verdicts


def fake(kinds, payoffs):
    """A result with these chips by deal and player, in one game a deal."""
    payoffs = np.asarray(payoffs, dtype=np.float64)
    names = tuple(f"{kind}#{k}" for k, kind in enumerate(kinds))
    spec = GameSpec.ring(max(len(kinds), 2), 1, 2)
    return TournamentResult(names, tuple(kinds), spec, 1, 100, payoffs, payoffs**2, 1)


def outcome(means, noise, *, deals=400, published=()):
    """An outcome with rows of given means and standard errors, in small bets."""
    rng = np.random.default_rng(3)
    scatter = rng.normal(size=(deals, len(means)))
    scatter -= scatter.mean(axis=0)
    scatter /= scatter.std(axis=0, ddof=1)
    payoffs = 2 * (np.array(list(means.values())) + noise * np.sqrt(deals) * scatter)
    rows = tuple(
        FigureRow(label, "all", label, {"P": figure} if figure is not None else {})
        for label, figure in zip(means, published or [None] * len(means), strict=True)
    )
    experiment = TournamentExperiment("x", "X", "nobody", deals, (Part("all", ",".join(means)),), rows, ())
    return TournamentOutcome(experiment, {"all": fake(list(means), payoffs)}, 0.0)


@pytest.mark.parametrize(("claim", "means", "noise", "verdict"), [
    (Order(("a", "b", "c")), (0.3, 0.2, 0.1), 0.01, "held"),
    (Order(("a", "b", "c")), (0.3, 0.1, 0.105), 0.001, "failed"),
    (Order(("a", "b", "c")), (0.3, 0.105, 0.1), 0.01, "in order within chance"),
    (Order(("a", "b", "c")), (0.1, 0.1, 0.2), 0.5, "open"),  # the worst of both
    (Order(("a", "b", "c")), (0.3, 0.1, 0.15), 0.001, "failed"),
    (Order(("a", "b", "c")), (0.3, 0.1, 0.15), 0.05, "open"),
    (Above(("a", "b"), ("c",)), (0.3, 0.2, 0.1), 0.01, "held"),
    (Above(("a", "b"), ("c",)), (0.3, 0.11, 0.1), 0.01, "in order within chance"),
    (Above(("a", "b"), ("c",)), (0.3, 0.0, 0.1), 0.01, "failed"),
    (Above(("a",)), (0.3, 0.0, 0.0), 0.01, "held"),
    (Above(("a", "b")), (0.3, 0.0, 0.0), 0.01, "open"),
    (Above(("a",), ("b", "c")), (0.1, 0.05, 0.105), 0.03, "open"),
    (Above(("a",), ("b", "c")), (0.1, 0.05, 0.06), 0.03, "in order within chance"),
    (Even("a", "b"), (0.3, 0.28, 0.0), 0.02, "held"),
    (Even("a", "b"), (0.309, 0.30, 0.0), 0.001, "held"),
    (Even("a", "b"), (0.32, 0.30, 0.0), 0.001, "failed"),
])  # fmt: skip
def test_verdicts(claim, means, noise, verdict):
    found = claim.judge(outcome(dict(zip("abc", means, strict=True)), noise))
    assert found.verdict == verdict
    assert "+-" in found.detail


@pytest.mark.parametrize(("published", "noise", "verdict"), [
    ((0.31, 0.19), 0.001, "held"),
    ((0.31, 0.24), 0.001, "failed"),
    ((0.31, 0.24), 0.05, "open"),
    ((0.31, None), 0.001, "held"),
])  # fmt: skip
def test_size(published, noise, verdict):
    found = WithinTolerance("P", 0.02).judge(outcome({"a": 0.3, "b": 0.2}, noise, published=published))
    assert found.verdict == verdict
    assert ("b" in found.detail) == (verdict != "held")


def test_rows_of_different_parts_are_compared_deal_by_deal():
    base = np.random.default_rng(1).normal(size=(50, 1))
    one, two = fake(["a", "b"], np.hstack([base, -base])), fake(["a", "c"], np.hstack([base + 0.2, -base - 0.2]))
    rows = (
        FigureRow("first", "1", "a"),
        FigureRow("second", "2", "a"),
        FigureRow("gain", "2", "a", minus="c"),
    )
    experiment = TournamentExperiment("x", "X", "nobody", 50, (Part("1", "a,b"), Part("2", "a,c")), rows, ())
    found = TournamentOutcome(experiment, {"1": one, "2": two}, 0.0)
    difference = found.difference("second", "first")
    assert difference.mean == pytest.approx(0.1)
    assert difference.half_width == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(found.samples("gain"), base[:, 0] + 0.2)
    with pytest.raises(ValueError, match="no row 'third'"):
        found.estimate("third")


# ------------------------------------------------------------------------------------------------------- running


def test_command(tmp_path):
    args = ["experiment", "gom", "--deals", "3", "--seed", "2"]
    kept = str(tmp_path / "gom.journal")
    found = CliRunner().invoke(cli, [*args, "--json", "--resume", kept], catch_exceptions=False)
    report = json.loads(found.stdout)
    assert (report["experiment"], report["deals"], report["games"], report["seed"]) == ("gom", 3, 30, 2)
    assert [row["label"] for row in report["rows"]] == ["GOM", "BPT", "BPM", "BPL"]
    assert [row["copies"] for row in report["rows"]] == [4, 2, 2, 2]
    assert report["rows"][0]["published"] == {"Papp 1998": 0.020}
    assert {claim["verdict"] for claim in report["claims"]} <= {*get_args(Verdict)}
    again = run_experiment("gom", 3, seed=2, resume=kept)
    assert again.to_dict()["rows"] == report["rows"]
    text = CliRunner().invoke(cli, args, catch_exceptions=False).stdout
    assert "GOM > BPT > BPM > BPL" in text
    listed = CliRunner().invoke(cli, ["experiment"], catch_exceptions=False).stdout
    as_json = json.loads(CliRunner().invoke(cli, ["experiment", "--json"], catch_exceptions=False).stdout)
    assert [each["experiment"] for each in as_json] == [line.split()[0] for line in listed.splitlines()]
    assert [line.split()[0] for line in listed.splitlines()] == list(experiments())
    assert set(EXPERIMENTS) < set(experiments())


def test_parts_alone(tmp_path):
    whole = EXPERIMENTS["loki2"]
    some = whole.only(["B+R", "B", "S+B+R v B+R"])
    assert [part.name for part in some.parts] == ["B", "B+R", "S+B+R v B+R"]  # in the order of the experiment
    assert [row.label for row in some.rows] == ["B", "B+R", "S+B+R v B+R"]
    assert some.claims == (Above(("B", "B+R")), Above(("B+R",), ("B",)), Above(("S+B+R v B+R",)), whole.claims[-1])
    assert whole.only(part.name for part in whole.parts) == whole
    assert EXPERIMENTS["gom"].only(["all"]) == EXPERIMENTS["gom"]
    assert Order(("a", "b", "c")).among(["c", "a"]) == Order(("a", "c"))
    assert Order(("a", "b", "c")).among(["b"]) is None
    assert Even("a", "b").among(["a", "c"]) is None
    with pytest.raises(ValueError, match=r"experiment loki2 has no part 'X': expected one of B, R, B\+R, S, "):
        whole.only(["X", "B"])
    with pytest.raises(ValueError, match="expected the name of a part at least"):
        whole.only([])
    kept = tmp_path / "loki2.journal"
    args = ["experiment", "loki2", "--deals", "2", "--part", "B", "--part", "R", "--json", "--resume", kept]
    report = json.loads(CliRunner().invoke(cli, list(map(str, args)), catch_exceptions=False).stdout)
    assert [row["label"] for row in report["rows"]] == ["B", "R"]
    journal = kept.read_bytes()
    assert journal.count(b"\n") == 3  # the heading, and a block of each part
    assert whole.only("R").run(2, resume=kept).row("R")  # which has been played
    assert kept.read_bytes() == journal
    with pytest.raises(ValueError, match="is the journal of another experiment: its seed is 1, expected 2"):
        whole.run(2, seed=2, resume=kept)
    refused = CliRunner().invoke(cli, ["experiment", "bpp-types", "--part", "B"])
    assert refused.exit_code == 2
    assert "experiment bpp-types has no parts" in refused.stderr


def test_unknown(capsys):
    with pytest.raises(ValueError, match="unknown experiment 'bob': expected one of features"):
        get_experiment("bob")
    with pytest.raises(SystemExit) as ended:
        main(["experiment", "bob"])
    assert ended.value.code == 2
    assert "unknown experiment" in capsys.readouterr().err


def test_names_are_unique():
    with pytest.raises(ValueError, match="the experiment 'gom' is registered already"):
        register(EXPERIMENTS["gom"])


@pytest.mark.slow
def test_the_features_reproduce_in_kind():
    """A short run of experiment 8.1: without any features Loki-1 is worse than with all of them."""
    found = run_experiment("features", 400, seed=1)
    assert found.difference("A all", "E simple").low > 0


# ------------------------------------------------------------------------------------------------------ Loki-2


def outcome_of(rows, claims=()):
    """An outcome whose rows have these small bets per deal, each in a part of its own."""
    experiment = TournamentExperiment(
        "x",
        "",
        "",
        5,
        tuple(Part(label, f"call*{len(values[0])}") for label, values in rows.items()),
        tuple(FigureRow(label, label, "call") for label in rows),
        claims,
    )
    results = {
        label: fake(["call", "raise"], [[2 * v, 0] for v in values])
        for label, values in ((label, values[0]) for label, values in rows.items())
    }
    return TournamentOutcome(experiment, results, 1.0)


def additive(label, parts, tolerance, **rows):
    return Additive(label, parts, tolerance).judge(outcome_of({name: (values,) for name, values in rows.items()}))


def test_additive():
    sure = [1.0, 1.001, 0.999, 1.0]
    twice = [2.0, 2.0, 2.001, 1.999]
    assert additive("c", ("a", "b"), 0.03, a=sure, b=sure, c=twice).verdict == "held"
    assert additive("c", ("a", "b"), 0.03, a=sure, b=sure, c=sure).verdict == "failed"
    assert additive("c", ("a", "b"), None, a=sure, b=sure, c=sure).verdict == "held"
    assert additive("c", ("a",), None, a=sure, c=twice).verdict == "failed"
    assert additive("c", ("a",), None, a=sure, c=[0.0, 2.0, 1.0, 0.9]).verdict == "in order within chance"
    found = additive("c", ("a", "B+R"), 0.03, **{"a": sure, "B+R": sure, "c": twice})
    assert found.claim == "c within 0.03 of a + (B+R)"


def test_parts_of_different_length_are_compared_as_far_as_both_go():
    outcome = outcome_of({"a": ([1.0, 1.0, 1.0, 5.0],), "b": ([0.0, 1.0, 0.0],)})
    assert outcome.estimate("a").mean == pytest.approx(2.0)
    assert outcome.difference("a", "b").mean == pytest.approx(2 / 3)
    assert outcome.deals == 3
    assert [row["deals"] for row in outcome.to_dict()["rows"]] == [4, 3]


def test_a_row_can_be_the_mean_of_several():
    experiment = TournamentExperiment(
        "x",
        "",
        "",
        5,
        (Part("all", "call,raise,random"),),
        (FigureRow("mean", "all", ("call", "raise"), minus=("random",)),),
        (),
    )
    outcome = TournamentOutcome(experiment, {"all": fake(["call", "raise", "random"], [[2, 4, -6], [4, 6, -10]])}, 1.0)
    assert outcome.samples("mean").tolist() == pytest.approx([4.5, 7.5])


# ------------------------------------------------------------------------------------------------------- readings


def test_readings_reach_field_and_hero():
    """What a reading of Loki-1 changes, it changes in every player of every part."""
    for suffix, in_field, in_hero in (
        ("-no-showdown-odds", "showdown_odds=0", "showdown_odds=0"),
        ("-income", "initial=income", "initial=income"),
        ("-specific", "som", "specific=1"),
    ):
        for name in ("loki2", "loki2-mixed"):
            experiment = EXPERIMENTS[f"{name}{suffix}"]
            assert {part.name for part in experiment.parts} <= {part.name for part in EXPERIMENTS[name].parts}
            for part in experiment.parts:
                for player in parse_players(part.players):
                    assert (in_hero if player.startswith("loki2") else in_field) in player


def test_simulations_are_as_published_unless_the_row_says_otherwise():
    for row in EXPERIMENTS["loki2"].rows:
        if "s" in row.player.split("?")[0].removeprefix("loki2:"):
            published = "dealing=published&stop=published" in row.player
            assert published != (row.label.endswith(("joint", "noticed")))


def test_rows_are_shown_beside_their_control():
    experiment = TournamentExperiment(
        "x",
        "X",
        "nobody",
        4,
        (Part("all", "call*2,raise*3"),),
        (
            FigureRow("callers", "all", "call", {"P": 0.1}, control="raise"),
            FigureRow("raisers", "all", "raise"),
        ),
        (),
    )
    found = experiment.run(4, seed=1)
    row, other = found.to_dict()["rows"]
    difference = found.estimate("callers").mean - found.estimate("raisers").mean
    assert row["above_control"]["small_bets_per_game"] == pytest.approx(difference)
    assert row["betting"]["own"] == {"bets": [0.0] * 3, "raises": [0.0] * 3}
    assert row["betting"]["control"]["bets"] == [1.0] * 3
    assert all(0 < share < 1 for share in row["betting"]["control"]["raises"])  # the cap makes calls of raises
    assert "control" not in other
    text = str(found)
    assert "minus control" in text
    assert "  0   0   0 (100 100 100)" in text


def test_trials_are_measured():
    found = run_experiment("trials", 2, seed=1)
    report = found.to_dict()
    assert report["games"] == 20
    rows = {(row["table"], row["label"]): row for row in report["rows"]}
    changed = "share of choices that more trials change"
    assert rows[changed, "after 100 trials"]["published"] == 0.046
    assert rows[changed, "after 500 trials"]["mean"] <= rows[changed, "after 100 trials"]["mean"] < 0.5
    assert all(row["mean"] > 1 for key, row in rows.items() if key[0].startswith("small bets"))
    assert "published" in str(found)


# ------------------------------------------------------------------------------------------------- hand strength


def test_hand_strength_is_measured():
    progress = []
    found = run_experiment("hand-strength", 40, seed=3, progress=lambda done, total: progress.append((done, total)))
    report = found.to_dict()
    assert progress == [(done, 80) for done in range(1, 81)]
    assert (report["deals"], report["unit"]) == (40, "spot")
    rows = {(row["table"], row["label"]): row for row in report["rows"]}
    for opponents, mean, published in (("two", 0.307, 0.671), ("three", 0.502, 0.751)):
        table = f"{opponents} opponents, per cent"
        for method, figure in (("product", mean), ("field array", published)):
            row = rows[table, f"{method}: mean error"]
            assert row["published"] == figure
            assert 0.05 < row["mean"] < 3  # of the size that was published
            assert row["mean"] <= rows[table, f"{method}: largest error"]["mean"]
            assert abs(rows[table, f"{method}: mean overestimate"]["mean"]) <= row["mean"]
            assert rows[table, f"{method}: largest error"]["ci95"] == [None, None]
    assert rows["two opponents, per cent", "field array: share of errors above 2%"]["published"] == 100 * 59 / 888
    assert len(report["claims"]) == 6
    text = str(found)
    assert text.splitlines()[1].startswith("40 spots, ")
    largest = next(line for line in text.splitlines() if line.startswith("field array: largest error"))
    mean = next(line for line in text.splitlines() if line.startswith("field array: mean error"))
    assert largest.endswith("+5.7900")
    assert len(largest) == len(mean)  # nothing stands in place of the interval, and the columns are kept
    again = run_experiment("hand-strength", 40, seed=3).to_dict()
    assert again | {"seconds": 0} == report | {"seconds": 0}
    assert run_experiment("hand-strength", 40, seed=4).to_dict()["rows"] != report["rows"]
    listed = CliRunner().invoke(cli, ["experiment"], catch_exceptions=False).stdout
    assert next(line for line in listed.splitlines() if line.startswith("hand-strength ")).endswith("; 888 spots)")


@pytest.mark.parametrize("opponents", [2, 3])
def test_a_spot_is_measured_by_what_the_opponents_may_hold(opponents):
    rng = np.random.default_rng(opponents)
    deck = rng.permutation(52).tolist()
    holding, board = (max(deck[:2]), min(deck[:2])), tuple(deck[2:6])
    live = shared_live_holdings(board)  # with the hero's cards, which tables are normalised with, too
    tables = [np.where(live & (rng.random(1326) < 0.02), rng.random(1326), 0.0) for _ in range(opponents)]
    found = strength._measure(7, SimpleNamespace(board=board, holding=holding, round=2), tables)
    cards = [[textbook.DECK[card] for card in each] for each in (holding, board)]
    alone = [textbook.strength(*cards, table) for table in tables]
    mean = np.mean([table / table.sum() for table in tables], axis=0)
    assert (found.hand, found.round) == (7, 2)
    assert found.product == pytest.approx(np.prod(alone))
    if opponents == 2:
        assert found.exact == pytest.approx(textbook.joint_strength(*cards, tables))
    assert found.apart == pytest.approx(max(alone) - min(alone))
    assert found.field == pytest.approx(textbook.strength(*cards, mean) ** opponents)
    even = [np.where(np.arange(1326) % 2, 1.0, 0.0)] * opponents
    wide = strength._measure(7, SimpleNamespace(board=board, holding=holding, round=2), even)
    assert wide.holdings == pytest.approx(np.count_nonzero(even[0][shared_live_holdings(board + holding)]))


def test_errors_are_estimated_by_hand():
    """Those of one hand are not independent: doubling each changes nothing, where they are as many in each."""
    rng = np.random.default_rng(1)
    values = rng.random(50)

    def spots(hands):
        return [strength._Spot(hand, 1, 0.0, value, value, 0.0, 100.0) for hand, value in zip(*hands, strict=True)]

    single = strength._Errors(spots((range(50), values)))
    np.testing.assert_allclose(single.samples(single.by_method["product"]), 100 * values)
    double = strength._Errors(spots((np.repeat(range(50), 2), np.repeat(values, 2))))
    np.testing.assert_allclose(double.samples(double.by_method["product"]), 100 * values)
    hands = np.repeat(np.arange(50), rng.integers(1, 5, 50))
    uneven = strength._Errors(spots((hands, np.arange(len(hands)))))
    error = uneven.by_method["product"]
    assert uneven.samples(error).mean() == pytest.approx(error.mean())
    assert len(uneven.samples(error)) == 50
    assert uneven.samples(error, hands == 3) == pytest.approx([error[hands == 3].mean()])
