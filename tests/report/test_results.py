"""Pages of scores, tournaments and experiments say what JSON says, and nothing on them is markup."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.classics.experiments.claims import Above, Finding
from pokermodel.classics.experiments.measured import MeasuredExperiment, Measurement
from pokermodel.classics.experiments.tournaments import FigureRow, Part, TournamentExperiment
from pokermodel.classics.report.experiment_page import experiment_page
from pokermodel.reading import OpponentModeler
from pokermodel.report.markup import visible
from pokermodel.report.results import score_page
from pokermodel.tables.arena import Entrant
from pokermodel.tables.arena.hand import Failure
from pokermodel.tables.players import make_player
from pokermodel.tables.report.tournament_page import tournament_page
from tests.common.six_handed import HANDS

from . import pages
from .parsed import Parsed


def tables(page):
    """Tables of a page by their headers: rows by name."""
    parsed = Parsed(page)
    found = {}
    for table in parsed.find("table"):
        headers, *rows = parsed.rows(table)
        found.setdefault(tuple(headers), []).append({row[0]: row[1:] for row in rows})
    return found


def narrow(parsed):
    """Charts as they are where there is not much room; what has the page's width for itself is drawn once more."""
    return parsed.find("svg", class_="plot")


def is_self_contained(page):
    assert page.isascii()
    parsed = Parsed(page)
    assert parsed.find("script") == []
    assert [each[name] for each in parsed.attributes for name in ("src", "href") if name in each] == ["data:,"]
    assert not any(name.startswith("on") or name == "style" for each in parsed.attributes for name in each)
    assert "http" not in page.replace("http-equiv", "")
    assert len(narrow(parsed)) == len(parsed.find("desc")) == len(parsed.find("figcaption"))


def mean(part, key, sign=""):
    """A mean as the terminal shows it."""
    if part[key] is None:
        return ""
    interval = part[f"{key}_ci95"]
    half = "" if interval is None else f" ±{(interval[1] - interval[0]) / 2:.3f}"
    return f"{part[key]:{sign}.3f}{half}"


def figures(part):
    """What stands in a row of part of the decisions."""
    right = part["action_accuracy"]
    return [
        f"{part['decisions']:,}",
        mean(part, "action_log_loss"),
        "" if right is None else f"{right:.1%}",
        f"{part['holdings']:,}",
        mean(part, "bits_gained", "+"),
    ]


# --------------------------------------------------------------------------------------------------- scores

PART = ("decisions", "log-loss", "right", "holdings", "bits gained")


@pytest.fixture(scope="module")
def scores():
    return pm.score([pages.ten_handed(), pm.example_hand(), pm.example_hand()], "adaptive,contexts")


def test_scores_are_those_of_json(scores):
    page = score_page(scores)
    is_self_contained(page)
    found = tables(page)
    report = scores.to_dict()
    (overall,) = found["model", "decisions", "log-loss", "right", "off by", "holdings", "bits gained"]
    (streets,) = found["log-loss by street", "pre-flop", "flop", "turn", "river"]
    curves, players = found["hands seen of the player", *PART], found["player", *PART]
    calibrations = found["calibration", "predicted", "happened", "decisions"]
    assert [len(each) for each in (curves, players, calibrations)] == [2, 2, 2]
    for k, model in enumerate(report["models"]):
        off = f"{model['calibration_error']:.1%}"
        expected = figures(model)
        assert overall[model["model"]] == [*expected[:3], off, *expected[3:]]
        assert streets[model["model"]] == [f"{part['action_log_loss']:.3f}" for part in model["streets"].values()]
        assert list(curves[k].values()) == [figures(row) for row in model["learning_curve"]]
        assert list(players[k].items()) == [(visible(name), figures(row)) for name, row in model["players"].items()]
        assert list(calibrations[k].values()) == [
            [f"{row['predicted']:.1%}", f"{row['observed']:.1%}", f"{row['decisions']:,}"]
            for row in model["calibration"]
        ]
        for key, title in (("action_log_loss", "nats per act"), ("bits_gained", "bits per holding")):
            sign = "+" if key == "bits_gained" else ""
            drawn = {
                row[0]: row[1]
                for table in Parsed(page).find("table")
                if (rows := Parsed(page).rows(table))[0][2:3] == [title]
                for name, *row in rows[1:]
                if name == model["model"]
            }
            curve = [row for row in model["learning_curve"] if row[key] is not None]
            assert drawn == {str(row["hands_seen"]): f"{row[key]:{sign}.3f}" for row in curve}
    text = Parsed(page).one("header")
    assert "3 hands scored, 0 learnt before" in text
    assert f"a log-loss of {report['models'][0]['uniform_log_loss']:.3f}" in text


def test_scores_have_a_chart_for_each_model(scores):
    parsed = Parsed(score_page(scores))
    titles = [parsed.texts[k] for k in parsed.find("figcaption")]
    assert titles[0] == "Log-loss of acts"
    assert [title.split(",")[0] for title in titles if "off by" in title] == ["adaptive", "contexts"]
    bubbles = parsed.find("path", class_="bubble s0")
    assert len([k for k in bubbles if parsed.texts[k].startswith("fold")]) == sum(
        row["act"] == "fold" for each in scores.to_dict()["models"] for row in each["calibration"]
    )


def test_scores_where_bets_have_sizes():
    scores = pm.score(HANDS, "adaptive")
    (model,) = scores.to_dict()["models"]
    (found,) = (rows for columns, (rows, *_) in tables(score_page(scores)).items() if "sizes" in columns)
    assert found["adaptive"][0] == mean(model, "total_log_loss")
    assert found["adaptive"][2:4] == [f"{model['sizes']:,}", mean(model, "size_log_loss")]


def test_scores_of_nothing():
    scores = pm.score([], "adaptive")
    scores.interrupted = True
    page = score_page(scores)
    assert "0 hands scored, 0 learnt before (interrupted)" in page
    assert Parsed(page).find("svg") == []


def test_more_players_than_a_page_lists(scores, monkeypatch):
    monkeypatch.setattr("pokermodel.report.results._PLAYERS", 3)
    page = score_page(scores)
    assert [len(rows) for rows in tables(page)["player", *PART]] == [3, 3]
    known = len(scores.to_dict()["models"][0]["players"])
    assert f"3 players as adaptive reads them, those with most decisions; {known - 3} more are in JSON" in page


@pytest.mark.parametrize("name", pages.NAMES)
def test_models_with_hostile_names(name):
    hands = [pm.example_hand()]
    hostile, plain = (
        Parsed(score_page(pm.score(hands, {each: OpponentModeler("contexts"), "b": OpponentModeler("contexts")})))
        for each in (name, "a")
    )
    assert hostile.tags == plain.tags


# ---------------------------------------------------------------------------------------------- tournaments

STANDINGS = ("player", "sb/game", "standard error", "95% interval", "sd/game")


def line_ends(page, title):
    """The last rows of the table of a chart of winnings, by player: deals, sum, interval."""
    parsed = Parsed(page)
    found = {}
    for figure in parsed.find("figure"):
        caption, *_ = (parsed.texts[k] for k in parsed.find("figcaption", within=figure))
        if caption == title:
            (table,) = parsed.find("table", within=figure)
            for row in parsed.rows(table)[1:]:
                found[row[0]] = row[1:]
    return found


def test_a_tournament_is_that_of_json():
    result = pm.tables.tournament("loki1,call*2,random", deals=12, seed=2)
    page = tournament_page(result)
    is_self_contained(page)
    (found,) = tables(page)[STANDINGS]
    report = result.to_dict()
    for player in report["players"]:
        low, high = player["ci95"]
        expected = [f"{player['small_bets_per_game']:+.4f}", f"{player['standard_error']:.4f}"]
        assert found[player["name"]][:3] == [*expected, f"{low:+.4f} to {high:+.4f}"]
    assert found["all call"][0] == f"{result.estimate('call').mean:+.4f}"
    assert "12 deals, 48 games, seed 2, players anew after 100" in Parsed(page).one("header")
    ends = line_ends(page, "Winnings over the deals")
    assert list(ends) == ["loki1", "call", "random"]
    for name in ("loki1", "random"):  # what was won per game, times the games of one player
        deals, won, interval = ends[name]
        each = next(player for player in report["players"] if player["name"] == name)
        assert deals == "12"
        numbers = [float(number.replace(",", "")) for number in (won, *interval.split(" to "))]
        assert numbers == pytest.approx([48 * x for x in (each["small_bets_per_game"], *each["ci95"])], abs=0.06)


def test_many_players_get_a_chart_each():
    result = pm.tables.tournament("call,random,raise,bpm,bpt", deals=3, seed=1)
    parsed = Parsed(tournament_page(result))
    titles = [parsed.texts[k] for k in parsed.find("figcaption")]
    assert titles == ["Winnings per game", "All players", "call", "random", "raise", "bpm", "bpt"]
    bands = [len(parsed.find("path", within=svg, class_="band s0")) for svg in narrow(parsed)]
    assert bands == [0, 0, 1, 1, 1, 1, 1]


def test_tournaments_that_ended_early():
    result = pm.tables.tournament("call,random", deals=3, seed=1)
    for deals in (0, 1):
        some = replace(
            result,
            payoffs=result.payoffs[:deals],
            squares=result.squares[:deals],
            interrupted=True,
            failure=Failure("call", "1-1", "<b>broke</b>", None),
        )
        page = tournament_page(some)
        assert "&lt;b&gt;broke&lt;/b&gt;" in page
        assert "interrupted" in page
        assert len(narrow(Parsed(page))) == 2 * deals
    assert tables(page)[STANDINGS][0]["call"][1:3] == ["", ""]


def test_players_with_hostile_names():
    entrants = [Entrant(name, lambda: make_player("call")) for name in pages.NAMES]
    result = pm.tables.tournament(entrants, deals=2, seed=1)
    page = tournament_page(result)
    assert len(page) < 1_000_000
    parsed = Parsed(page)
    plain = pm.tables.tournament([Entrant(f"p{k}", each.make) for k, each in enumerate(entrants)], deals=2, seed=1)
    assert parsed.tags == Parsed(tournament_page(plain)).tags
    assert list(tables(page)[STANDINGS][0]) == [visible(name) for name in pages.NAMES]


def test_big_blinds_where_bets_have_sizes():
    spec = pm.GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    page = tournament_page(pm.tables.tournament("call,random", deals=2, seed=1, spec=spec))
    assert "big blinds won" in page
    assert "small bets" not in page


# ---------------------------------------------------------------------------------------------- experiments


@pytest.fixture(scope="module")
def played():
    rows = (
        FigureRow("callers", "all", "call", {"P <1>": 0.1}, control="raise"),
        FigureRow("raisers", "all", "raise"),
    )
    claims = Above(("callers",), ("raisers",)), Above(("raisers",), ("callers",))
    parts = (Part("all", "call*2,raise*3"),)
    return TournamentExperiment("x", "An <experiment>", "nobody & co", 4, parts, rows, claims).run(4, seed=1)


def test_an_experiment_is_that_of_json(played):
    report = played.to_dict()
    page = experiment_page(played)
    is_self_contained(page)
    found = tables(page)
    columns = ("figure", "player", "copies", "deals", "sb/game", "standard error", "95% interval", "sd/game", "P <1>")
    (rows,) = found[columns]
    for row in report["rows"]:
        low, high = row["ci95"]
        assert rows[row["label"]] == [
            row["player"],
            str(row["copies"]),
            str(row["deals"]),
            f"{row['small_bets_per_game']:+.4f}",
            f"{row['standard_error']:.4f}",
            f"{low:+.4f} to {high:+.4f}",
            f"{row['sd_per_game']:.3f}",
            "+0.100" if row["published"] else "",
        ]
    (beside,) = found["figure", "control", "minus control", "95% interval", "bets", "raises"]
    difference = report["rows"][0]["above_control"]["small_bets_per_game"]
    assert beside["callers"][:2] == ["raise", f"{difference:+.4f}"]
    assert beside["callers"][3] == "0% 0% 0% (100% 100% 100%)"
    parsed = Parsed(page)
    header = parsed.one("header")
    for text in (report["title"], report["source"], "4 deals, 20 games, seed 1"):
        assert text in header
    items = [" ".join(parsed.texts[k].split()) for k in parsed.find("li")]
    for item, claim in zip(items, report["claims"], strict=True):
        assert item.partition(" ")[2].startswith(claim["verdict"])
        assert claim["claim"] in item
        assert claim["detail"] in item
    marks = [parsed.texts[k] for k in parsed.find("path", class_="open s1")]
    assert "P <1>: +0.1000" in marks


def test_figures_that_were_measured():
    def play(run):
        run.show("first", "a", np.array([0.1, 0.2, 0.3]), 0.25)
        run.show("first", "b", np.array([0.5, 0.5, 0.8]))
        run.show("second", "a", np.array([-1.0, -2.0, -4.0]))
        run.claim("a is little", np.array([0.1, 0.2, 0.3]), high=2.0)
        run.findings.append(Finding("never", "failed", "<none>"))

    outcome = MeasuredExperiment("m", "Measured", "nobody", 3, 1, play, Measurement).run()
    report = outcome.to_dict()
    page = experiment_page(outcome)
    is_self_contained(page)
    found = tables(page)
    (first,) = found["figure", "ours", "standard error", "95% interval", "published"]
    (second,) = found["figure", "ours", "standard error", "95% interval"]
    for row in report["rows"]:
        shown = (first if row["table"] == "first" else second)[row["label"]]
        low, high = row["ci95"]
        expected = [f"{row['mean']:+.4f}", f"{row['standard_error']:.4f}", f"{low:+.4f} to {high:+.4f}"]
        assert shown[:3] == expected
        if row["table"] == "first":
            assert shown[3] == (f"{row['published']:+.4f}" if "published" in row else "")
    parsed = Parsed(page)
    assert [parsed.texts[k] for k in parsed.find("figcaption")] == ["Our figures and the published ones", "Our figures"]
    spans = [k for k in parsed.find("span") if "verdict" in parsed.attributes[k]["class"]]
    verdicts = [" ".join(parsed.texts[k].split()[1:]) for k in spans]
    assert verdicts == [found["verdict"] for found in report["claims"]]
