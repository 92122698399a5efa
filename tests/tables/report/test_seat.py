"""A table as somebody who sits at it sees it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.coach import Seen
from pokermodel.game import GameSpec
from pokermodel.tables.report.seat import coach_line, range_lines, range_map, values
from tests.common.coached import verdicts


def shown(renderable, width=80):
    console = Console(file=io.StringIO(), width=width)
    console.print(renderable)
    return console.file.getvalue()


@pytest.mark.parametrize("spec", [GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3), GameSpec.ring(3, 1, 2)])
def test_what_acts_are_worth(spec):
    for view, verdict in verdicts(spec, hands=1):
        text = shown(values(view.situation, verdict))
        assert text.count("best") == 1
        best = verdict.best
        assert "Coach: Right: " in shown(coach_line(view.situation, verdict.judge(best.act, best.to)))
        for each in verdict.acts:
            judged = verdict.judge(each.act, each.to)
            line = shown(coach_line(view.situation, judged))
            if not each.seen:
                assert "nobody has been seen to answer at the price" in " ".join(line.split())
                assert "not known" in text
            else:
                assert f"Coach: {judged.word.capitalize()}: " in line


def test_ranges_of_opponents():
    seen = Seen("Ann", pm.WeightTable.from_text("AA, KK"), 0.1234)
    line = shown(range_lines([seen], {"Ann": 1}))
    assert "Ann" in line
    assert "12.3%" in line
    assert "AA 50.0%  KK 50.0%" in line
    assert "wins 12.3% of the pot" in shown(range_map(seen, (51, 50)))
