"""What is said of a player: the same on the page, in JSON and in the terminal."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.exploits import Exploit
from pokermodel.analysis.player import PlayerReports
from pokermodel.cards import CLASSES
from pokermodel.cli import main
from pokermodel.learning.differences import _rules
from pokermodel.report.markup import visible
from pokermodel.report.player import (
    _LEAKS,
    certainty_words,
    difference_cells,
    differences_words,
    exploit_words,
    exploits_words,
    leak_words,
    ranges_words,
    statistic_cells,
)
from pokermodel.report.player_page import player_page
from pokermodel.report.profile import print_findings, print_profile

from . import players
from .parsed import Parsed


@pytest.fixture(scope="module")
def page():
    return Parsed(player_page(players.reports()))


def printed(report):
    console = Console(file=io.StringIO(), width=400)
    print_profile(report.profile, console)
    print_findings(report, console)
    return " ".join(console.file.getvalue().split())


def tables(page, *headers):
    """Rows of all tables with these headers."""
    found = [page.rows(table) for table in page.find("table", class_="figures")]
    found += [page.rows(table) for table in page.find("table", class_="figures difference")]
    return [rows[1:] for rows in found if rows[0][1:] == list(headers)]


def test_statistics_are_the_same_everywhere(page):
    shown = tables(page, "value", "95% interval", "made of", "")
    for rows, report in zip(shown, players.reports(), strict=True):
        said = report.to_dict()["statistics"]
        text = printed(report)
        assert [row[0] for row in rows] == [each.name for each in report.profile.statistics.values()]
        for row, (key, statistic) in zip(rows, report.profile.statistics.items(), strict=True):
            assert tuple(row[:4]) == statistic_cells(statistic)
            assert said[key]["value"] == statistic.value
            assert " ".join(" ".join(row).split()) in text


def test_differences_are_the_same_everywhere(page):
    shown = tables(page, "value", "made of", "expected", "usual", "difference", "95% interval", "certainty")
    compared = [report for report in players.reports() if report.differences]
    assert len(compared) == 2
    for rows, report in zip(shown, compared, strict=True):
        said, text = report.to_dict()["differences"], printed(report)
        assert [tuple(row) for row in rows] == [difference_cells(each) for each in report.differences]
        assert said["looked_at"] == len(rows) == len(said["rates"])
        sure = [each for each in said["rates"].values() if each["sure"]]
        assert said["sure"] == len(sure) == len(report.sure) > 0
        for row, each in zip(rows, said["rates"].values(), strict=True):
            assert row[0] == each["name"]
            assert row[2] == f"{each['numerator']:,} / {each['denominator']:,}"
            expected, usual = (float(row[k].rstrip("%")) for k in (3, 4))
            assert row[3:5] == [f"{each['expected']:.1%}", f"{each['usual']:.1%}"]
            assert row[5] == f"{expected - usual:+.1f}"  # of what is shown
            assert each["expected"] - each["usual"] == pytest.approx(each["difference"])
            probability = each["probability_above"]
            side = "above" if probability >= 0.5 else "below"
            assert row[7] == f"{side}, {certainty_words(max(probability, 1 - probability))}"
            assert (" ".join(row) in text) is each["sure"]
        assert differences_words(report) in text
        assert differences_words(report) in page.one("body")


def test_what_is_said_of_few_differences():
    """One differs, and next to nothing is not 0.00."""

    def told(*certainties):
        sure = [SimpleNamespace(certainty=each, usual=SimpleNamespace(source="published")) for each in certainties]
        return differences_words(SimpleNamespace(differences=sure, sure=sure))

    assert told(0.996).endswith("1 rate looked at, of which one differs, with a probability of 99.6%.")
    assert told(0.9999, 0.9998).endswith("95% or more each. Of these 2, fewer than 0.01 are to be expected wrong.")
    assert told(0.96, 0.95).endswith("95% or more each. Of these 2, 0.09 are to be expected wrong.")


def test_exploits_are_the_same_everywhere(page):
    advice = [page.texts[k] for k in page.find("strong")]
    expected = [exploit_words(each)[0] for report in players.reports() for each in report.leaks.found]
    assert advice == expected
    assert any("river" in each for each in expected)  # Ann folds there
    for report in players.reports():
        text, said = printed(report), report.to_dict()["exploits"]
        assert exploits_words(report) in text
        assert exploits_words(report) in page.one("body")
        for found, each in zip(said["found"], report.leaks.found, strict=True):
            words, why = exploit_words(each)
            assert words in text
            assert why in text
            assert why in page.one("body")
            assert f"{found['numerator']:,} of {found['denominator']:,}" in why
            assert f"{found['side']} {found['needed']:.1%}" in why
            assert found["certainty"] >= 0.95
            side = found["value"] > found["needed"]
            assert side is (found["side"] == "above")


def test_charts_have_the_figures_of_json(page):
    """Over time: each point is the statistic of the period."""
    for number, report in enumerate(players.reports()):
        periods = report.to_dict()["over_time"]["periods"]
        assert len(periods) == (4, 2)[number]
        section = page.find("section", **{"aria-labelledby": f"g{number + 1}-time"})[0]
        figures = page.find("figure", within=section)
        titles = [page.texts[page.find("figcaption", within=figure)[0]] for figure in figures]
        at = next(k for k, title in enumerate(titles) if title.startswith("VPIP"))
        rows = page.rows(page.find("table", within=figures[at])[0])[1:]
        expected = [f"{100 * each['statistics']['vpip']['value']:.1f}" for each in periods]
        assert [row[1] for row in rows] == expected


def test_maps_have_the_chances_of_json(page):
    for number, report in enumerate(players.reports()):
        said = json.loads(json.dumps(report.to_dict()["ranges"], allow_nan=False))
        section = page.find("section", **{"aria-labelledby": f"g{number + 1}-preflop"})[0]
        maps = page.find("table", within=section, class_="map")
        expected = []
        for each in said["preflop"]:
            acts = ("raise",) if each["raiser"] is None else ("call", "raise")
            expected += [(each["position"], each[act], each["acts"][act]) for act in acts]
        assert len(maps) == len(expected) > 4
        for table, (position, chances, overall) in zip(maps, expected, strict=True):
            caption = page.texts[page.find("caption", within=table)[0]]
            assert caption.startswith(position)
            assert float(caption.split()[-1].removesuffix("%")) == pytest.approx(100 * overall, abs=0.06)
            cells = [page.texts[k] for k in page.find("td", within=table)]
            assert [re.match(r"[AKQJT2-9]{2}[so]?", cell)[0] for cell in cells] == list(CLASSES)
            for cell, name in zip(cells, CLASSES, strict=True):
                number_shown = cell.removeprefix(name)
                assert abs(100 * chances[name] - (0 if number_shown == "." else int(number_shown))) <= 0.51
        assert ranges_words(report.ranges) in page.one("body")


def test_after_the_flop_is_that_of_json(page):
    report = players.reports()[0]
    said = report.to_dict()["ranges"]["postflop"]
    section = page.find("section", **{"aria-labelledby": "g1-postflop"})[0]
    found = page.find("table", within=section)
    assert len(found) == len(said) == 6
    order = sorted(said, key=lambda each: each["facing_a_bet"])
    for table, each in zip(found, order, strict=True):
        rows = {(row[0], row[1]): float(row[2]) for row in page.rows(table)[1:]}
        for strength in each["strengths"]:
            place = strength["strength"].replace(" to ", "\N{EN DASH}").removesuffix("%")
            if strength["acts"] is not None:
                name = "raise" if each["facing_a_bet"] else "bet"
                assert rows[name, place] == pytest.approx(100 * strength["acts"]["raise"], abs=0.51)
                assert ("fold", place) in rows or not each["facing_a_bet"]


def test_the_page_needs_nothing(page):
    text = player_page(players.reports())
    assert text.isascii()
    assert len(text) < 1_000_000
    assert "script" not in page.tags
    assert not any("style" in each or any(name.startswith("on") for name in each) for each in page.attributes)
    assert all(each.get("href", "#").startswith(("#", "data:")) for each in page.attributes)
    ids = [each["id"] for each in page.attributes if "id" in each]
    assert len(ids) == len(set(ids))
    links = [each["href"][1:] for each in page.attributes if each.get("href", "").startswith("#")]
    assert set(links) <= set(ids)
    assert {each["aria-labelledby"] for each in page.attributes if "aria-labelledby" in each} <= set(ids)


def test_hostile_names_are_text():
    page = Parsed(player_page(players.reports(players.HOSTILE)))
    assert page.one("h1") == visible(players.HOSTILE)
    assert "script" not in page.tags
    assert page.texts[page.find("title")[0]].endswith("\N{HORIZONTAL ELLIPSIS}")


def test_who_is_not_known_to_the_reader_is_anybody():
    book = pm.Book("sqlite://")
    book.learn(players.hands()[:60], kinds=["statistics"])
    report = PlayerReports(book, ranges=True).of(book.profile("Ann"))
    assert not report.ranges.known
    assert "nothing of this player" in ranges_words(report.ranges)
    for each in report.ranges.preflop:
        assert np.allclose(each.acts, each.others)
    assert player_page([report])


def test_pages_that_cannot_be_made():
    first = players.reports()[0]
    with pytest.raises(ValueError, match="got none"):
        player_page([])
    with pytest.raises(ValueError, match="expected reports of the same one"):
        player_page([first, players.reports("Bob")[0]])
    with pytest.raises(ValueError, match="ranges"):
        player_page([PlayerReports(players.book()).of(first.profile)])


def test_pot_limit_has_nobody_to_compare_with():
    from tests.common.books import POTS

    book = pm.Book("sqlite://")
    book.learn(POTS, kinds=["statistics"])
    report = PlayerReports(book, ranges=True).of(book.profile("Ann"))
    assert report.differences == ()
    assert "nobody to compare with" in printed(report)
    assert "pot limit" in report.ranges.game
    assert player_page([report])


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pm.Book("players") as book:
        book.learn(players.hands()[:80], kinds=["statistics", "adaptive"])

    def said(*arguments, status=0):
        with pytest.raises(SystemExit) as left:
            main(["profile", *arguments, "--book", "players"])
        output = capsys.readouterr()
        assert left.value.code == status, output.err
        return output.err if status else output.out

    printed = said("Ann", "--out", "ann.html")
    page = Parsed((tmp_path / "ann.html").read_text())
    found = json.loads(said("Ann", "--json", "--all"))
    assert found["ranges"]["known"] is True
    assert [page.texts[k] for k in page.find("strong")] == [
        f"{each['advice'][0].upper()}{each['advice'][1:]}." for each in found["exploits"]["found"]
    ]
    plain = json.loads(said("Ann", "--json"))
    assert "ranges" not in plain
    assert {key: value for key, value in found.items() if key != "ranges"} == plain
    assert "What exploits them" in said("Ann")
    assert "Your leaks" in said("Ann", "--leaks")
    assert [each["key"] for each in json.loads(said("--where", "hero=Ann", "--leaks", "--json"))["leaks"]] == [
        each["key"] for each in plain["exploits"]["found"]
    ]
    assert "are two players" in said("Ann", "--where", "hero=Bob", status=2)
    assert said("Ann") == printed
    assert json.loads(said("Ann", "--json", "--out", "both.html")) == plain
    assert (tmp_path / "both.html").read_text() == (tmp_path / "ann.html").read_text()
    assert "a page is of one player" in said("--out", "x.html", status=2)
    assert "a page is of one player" in said("Ann", "--by", "stake", "--out", "x.html", status=2)
    assert "--model is for ranges" in said("Ann", "--model", "adaptive?prior=x.npz", status=2)
    assert "has the ranges of the model adaptive" in said("Ann", "--model", "loki1", "--out", "x.html", status=2)
    assert "no prior can be read" in said("Ann", "--out", "x.html", "--model", "adaptive?prior=x.npz", status=2)
    shipped = str(files("pokermodel") / "data" / "prior.npz")
    assert json.loads(said("Ann", "--json", "--all", "--model", f"adaptive?prior={shipped}")) == found
    assert "nowhere" in said("Ann", "--out", "nowhere/x.html", status=2)


def test_leaks_are_what_exploits_oneself():
    """A leak is what an answer gains; a difference whose cost was not worked out is none."""
    for report in players.reports():
        console = Console(width=200, record=True, file=io.StringIO())
        print_findings(report, console, own=True)
        text = " ".join(console.export_text().split())
        assert "Your leaks" in text
        assert "Where you differ" in text
        assert "too often" not in text
        answers = [_answer(each.key) for each in report.leaks.found]
        worked_out = replace(report, exploits=tuple(answers))
        page = player_page([worked_out], own=True)
        print_findings(worked_out, console, own=True)
        text = " ".join(console.export_text().split())
        assert len(worked_out.gains) == len(answers)
        for answer in answers:
            leak = leak_words(answer, "small bets" if report.profile.structure.fixed else "bb")
            assert leak.startswith("You ")
            assert "it costs 1." in leak
            assert leak in text
            assert leak in page
        assert "Your leaks" in page
        assert "What exploits them" not in page


def _answer(key):
    does = len(key) / 30
    return Exploit(key, "played out", 1 + does, 0.5, 2.0, 0.1, None, 9.0, None, does, 0.0, 0.0, 0.0, 24, 0.5)


def test_every_rule_has_a_leak():
    for limit in (False, True):
        for rule in _rules(limit):
            assert rule.key.partition(":")[0] in _LEAKS
