"""A page of several hands, without a browser: its rows, and the hands that are packed into it."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import json
import zlib

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hero_hands import place_of
from pokermodel.cards import cards_text
from pokermodel.report.document import json_text
from pokermodel.report.hands_page import PageSizeError, hand_content, hand_row, write_hands_page
from pokermodel.report.page import hand_data, page_data

from . import pages
from .parsed import Parsed


def unpacked(text):
    """What a page has of a hand, as its script unpacks it, with weights in Base64 as a page of one hand has them."""
    head, _, weights = zlib.decompress(base64.b64decode(text)).partition(b"\0")
    data = json.loads(head)
    for table in (table for reader in data["readers"] for table in reader["tables"]):
        size = table["weights"]
        table["weights"] = base64.b64encode(weights[:size]).decode()
        weights = weights[size:]
    assert weights == b""
    return data


def test_hands_are_those_of_pages_of_one_hand(tmp_path):
    path = tmp_path / "hands.html"
    hands = {3: pages.ten_handed(), 8: pm.example_hand()}
    seen = []
    count = write_hands_page(
        path,
        ((hand_content(n, [pages.report(hand), pages.report(hand, "uniform")]), None) for n, hand in hands.items()),
        title="<b>some</b> \u05d3 hands",
        progress=seen.append,
    )
    assert (count, seen) == (2, [1, 2])
    page = path.read_text(encoding="ascii")
    parsed = Parsed(page)
    assert parsed.one("title") == "<b>some</b> \u05d3 hands"
    rows = [json.loads(parsed.texts[k]) for k in parsed.find("script", class_="row")]
    packed = [parsed.texts[k] for k in parsed.find("script", type="text/plain")]
    for (number, hand), row, text in zip(hands.items(), rows, packed, strict=True):
        reports = [pages.report(hand), pages.report(hand, "uniform")]
        data = hand_data(reports)
        for table in (table for reader in data["readers"] for table in reader["tables"]):
            table["weights"] = base64.b64encode(table["weights"]).decode()
        assert unpacked(text) == json.loads(json_text(data))
        assert row == json.loads(json.dumps(hand_row(number, reports, data)))
        assert [name for name, *_ in row["players"]] == list(hand.players)
    assert parsed.tags.count("script") == 2 + 2 * len(hands)  # names are no elements
    assert "stolen" not in page.replace(parsed.texts[parsed.find("script", class_="row")[0]], "")


def test_a_page_of_many_hands_has_what_one_of_a_hand_shows():
    reports = [pages.report(pm.example_hand(), hero="Eve"), pages.report(pm.example_hand(), "loki2", hero="Eve")]
    many, one = hand_data(reports), page_data(reports)
    for brief, whole in zip(many["readers"], one["readers"], strict=True):
        for table, same in zip(brief["tables"], whole["tables"], strict=True):
            assert table | {"weights": base64.b64encode(table["weights"]).decode()} == same
        for mine, theirs in zip(brief["steps"], whole["steps"], strict=True):
            if "changed" in mine:
                assert mine["changed"] == (theirs["change"] is not None)
            assert mine["advice"] == (theirs["advice"] is not None)
            for name in (widths := ("share", "share_here", "combos")):
                assert mine[name] == (None if theirs[name] is None else round(theirs[name], 4))
            shown = mine.keys() - {"changed", "advice", *widths}
            assert {name: mine[name] for name in shown} == {name: theirs[name] for name in shown}


def test_a_row_is_what_the_report_says():
    hand = pm.example_hand()
    reports = [pages.report(hand, hero="Eve", verdicts=True), pages.report(hand, "loki1", hero="Eve")]
    row = hand_row(4, reports, hand_data(reports))
    assert (row["number"], row["id"], row["time"], row["board"]) == (4, "1", None, cards_text(hand.board))
    assert row["pot"] == [hand.pot / 10, f"{hand.pot:g} ({hand.pot / 10:g} sb)"]
    seen = [[place_of("cutoff"), "cutoff"], "9h8h", [3, "river"]]
    assert row["players"][4] == ["Eve", 25.5, "+255 (+25.5 sb)", [25.5, "+255 (+25.5 sb)"], *seen]
    assert row["type"] == "3-bet"
    assert (row["rake"], row["all_in"]) == (None, False)
    assert row["acts"][0] == [2, "raises to 20"]
    assert len(row["acts"]) == 28
    steps = reports[0].steps
    last = {step.observation.decision.seat: step.judgement for step in steps if step.judgement}
    assert set(last) == set(hand.holdings)
    assert row["chance"][0] == pytest.approx(2 ** np.mean([each.bits_gained for each in last.values()]), rel=5e-3)
    losses = []
    for step in steps:
        if step.verdict is not None and step.verdict.loss is not None:
            losses.append(step.verdict.loss)
    assert len(losses) > 3
    assert row["loss"] == [pytest.approx(max(losses), abs=1e-4), None]  # Loki-1 simulates nothing
    assert max(losses) > 0


def test_what_a_row_cannot_say():
    hand = pages.no_limit()
    played = pm.Hand(
        hand.source, "x", hand.spec, hand.players, hand.actions, hand.board, hand.holdings,
        time=datetime.datetime(2009, 7, 1, 23, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=-5))),
    )  # fmt: skip
    report = pages.report(played, hero="Cy")
    row = hand_row(1, [report], hand_data([report]))
    assert (row["time"], row["loss"], row["hero"]) == ("2009-07-02 04:30:00", [None], "Cy")
    *steps, last = report.steps
    impossible = dataclasses.replace(last, judgement=dataclasses.replace(last.judgement, probability=0.0))
    ruled_out = dataclasses.replace(report, steps=(*steps, impossible))
    assert hand_row(1, [ruled_out], hand_data([ruled_out]))["chance"] == [0.0]
    unknown = dataclasses.replace(
        report, steps=tuple(dataclasses.replace(step, judgement=None) for step in report.steps)
    )
    assert hand_row(1, [unknown], hand_data([unknown]))["chance"] == [None]


def test_a_page_that_becomes_too_large_is_not_written(tmp_path):
    path = tmp_path / "hands.html"
    taken = []

    def contents(count, all_hands=None):
        for number in range(1, count + 1):
            taken.append(number)
            share = None if all_hands is None else number / all_hands
            yield hand_content(number, [pages.report(pages.no_limit())]), share

    assert write_hands_page(path, contents(3), title="") == 3
    size = path.stat().st_size
    assert write_hands_page(path, contents(3), title="", most=size) == 3
    with pytest.raises(PageSizeError, match=r"at most 0 MB, which some 2 of these hands fit in: 3 take"):
        write_hands_page(path, contents(3), title="", most=size - 1)
    assert path.stat().st_size == size
    taken.clear()  # one that is going to be twice too large is given up early, when the mean of some hands is known
    with pytest.raises(PageSizeError, match="which some"):
        write_hands_page(path, contents(200, 20_000), title="", most=50 * size)
    assert len(taken) == 50
    assert [entry.name for entry in tmp_path.iterdir()] == ["hands.html"]
