"""The page of a solution: what stands in it."""

from __future__ import annotations

import base64
import json
import zlib
from importlib import resources

import pytest

import pokermodel as pm
from pokermodel.analysis.solution import solution_report
from pokermodel.cards import CLASSES, HOLDINGS, card_indices
from pokermodel.reading.street import spot_of, street_widths
from pokermodel.report import solution_page as module
from pokermodel.report.palette import ACT_COLORS, act_names, ink
from pokermodel.report.solution_page import solution_data, solution_page
from pokermodel.report.words import width_words
from pokermodel.solving import Lock, Subgame, gain_of, solve


@pytest.fixture(scope="module")
def report():
    spot = Subgame(
        "QsJh2h8c", 200, 900, ("QQ,AK,98s,22", "JJ,KK:.5,T9s,AA"), bets=["75%"], raises=["all-in"],
        locks=[Lock("r:0:b150", {"fold": 0.5, "call": 0.3, "b900": 0.2}, 0.25)],
    )  # fmt: skip
    solution = solve(spot, target=1)
    free = solve(spot.with_locks(()), target=1)
    return solution_report(solution, cards=[card_indices("Ah")], names=("<b>Ann", "Bo"), gain=gain_of(solution, free))


def unpacked(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_nodes_are_as_they_were_worked_out(report):
    data = solution_data(report)
    assert list(data["nodes"]) == list(report.nodes)
    node = unpacked(data["nodes"]["r:0:b150"])
    found = report.nodes["r:0:b150"]
    assert (node["kind"], node["player"], node["pot"], node["to_call"]) == ("decision", 1, 350.0, 150.0)
    assert node["confidence"] == 0.25
    assert [act["words"] for act in node["acts"]] == ["fold", "call", "raise to 900, all-in"]
    assert [act["color"] for act in node["acts"]] == ["fold", "call", "bet2"]
    assert [act["share"] for act in node["acts"]] == pytest.approx(found.frequencies, rel=1e-3)
    assert node["strategy"][CLASSES.index("AA")] == pytest.approx(found.class_strategy()[CLASSES.index("AA")], abs=1e-3)
    assert node["strategy"][CLASSES.index("72o")] is None
    row = next(row for row in node["rows"] if HOLDINGS[row[0]] == "AsAh")
    assert row[2] == pytest.approx(found.strategy[row[0]], abs=1e-3)
    assert row[3] == pytest.approx(found.of_holdings[1][row[0]], abs=0.06)
    deal = unpacked(data["nodes"]["r:0:c:c"])
    assert {card: here for card, _, _, here in deal["cards"]}["Ah"]
    assert sum(here for *_, here in deal["cards"]) == 1


def test_what_is_said(report):
    data = solution_data(report)
    assert data["about"][0] == "No limit, stacks 900."
    assert any(
        line.startswith("Beside the equilibrium the answer to the locks gains <b>Ann ") for line in data["about"]
    )
    (lock,) = data["locks"]
    assert lock["acts"] == "fold 50%, call 30%, raise to 900, all-in 20%"
    assert (lock["node"], lock["player"], lock["confidence"], lock["here"]) == ("r:0:b150", "Bo", 0.25, True)
    assert data["left_out"].startswith("This page has the street of the root and what lies behind Ah.")
    page = solution_page(report)
    assert page.isascii()
    assert "<b>Ann" not in page


def test_a_page_is_bounded(report, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match=r"the page would have 0 MB, expected at most 0: name fewer cards"):
        solution_page(report)


def test_colours_of_acts():
    assert act_names(["fold", "call", "raise"]) == ["fold", "call", "bet2"]
    assert act_names(["check", "bet", "bet"]) == ["call", "bet1", "bet3"]
    assert act_names(["check", "bet", "bet", "bet"]) == ["call", "bet0", "bet1", "bet3"]
    assert act_names(["check", *["bet"] * 4]) == ["call", "bet0", "bet1", "bet2", "bet3"]
    assert act_names(["check", *["bet"] * 9])[-1] == "bet3"
    assert all(ink(color) == (0, 0, 0) for color in ACT_COLORS.values())


def test_widths_are_those_of_the_reader():
    """A range is as wide at the root as for `read`, and narrows with what the solution does."""
    hand = pm.open_hands(resources.files("pokermodel") / "data/samples/no-limit.txt").hand(2)
    session = pm.OpponentModeler()
    decision = list(hand.replay())[13]
    spot = spot_of(session, hand, decision)
    subgame = Subgame.from_spot(spot, bets=["50%"], raises=[])
    widths = street_widths(spot)
    seats = [hand.players.index(name) for name in subgame.played.names]
    session.start(hand.players)
    for each in hand.replay():
        if each.round == decision.round:
            session.deal(each.board)
            break
        session.observe(each)
    assert [widths[seat] for seat in seats] == [session.width(seat) for seat in seats]
    both = widths[seats[0]], widths[seats[1]]
    report = solution_report(solve(subgame, target=5), names=subgame.played.names, widths=both)
    assert [report.width(report.nodes["r:0"], player) for player in range(2)] == list(both)
    node = report.nodes["r:0:c"]
    first, second = (report.width(node, player) for player in range(2))
    checks = dict(zip(report.nodes["r:0"].parts, report.nodes["r:0"].frequencies, strict=True))["c"]
    assert first.share_here == pytest.approx(checks, abs=0.02)  # card removal aside
    assert first.share == pytest.approx(both[0].share * first.share_here)
    assert first.combos == pytest.approx(both[0].combos * first.share_here)
    assert second == both[1]
    words = [unpacked(solution_data(report)["nodes"][name])["widths"] for name in ("r:0", "r:0:c")]
    assert words[0] == [width_words(each, preflop=False) for each in both]
    assert words[1] == [width_words(first, preflop=False), words[0][1]]
    given = solution_report(solve(Subgame("QsJh2h8c3d", 200, 900, ("QQ,AK:.5", "JJ"), bets=["50%"]), target=1))
    shown = unpacked(solution_data(given)["nodes"]["r:0"])["widths"]
    assert shown == ["1% of hands · 11 combos", "0.3% of hands · 3 combos"]
