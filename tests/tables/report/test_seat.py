"""A table as somebody who sits at it sees it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.coach import Cost, Seen
from pokermodel.game import Act, GameSpec
from pokermodel.tables.players import Answer
from pokermodel.tables.report.seat import coach_line, cost_words, range_lines, range_map, values
from tests.common.coached import opinions


def shown(renderable, width=80):
    console = Console(file=io.StringIO(), width=width)
    console.print(renderable)
    return console.file.getvalue()


def test_what_acts_are_worth_without_limit():
    for _, opinion in opinions(GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3), hands=1):
        text = shown(values(opinion))
        assert text.count("best") == 1
        best = opinion.verdict.best
        assert "the best act" in shown(coach_line(opinion.judge(Answer(best.act, best.to))))
        for each in opinion.verdict.acts:
            judged = opinion.judge(Answer(each.act, each.to))
            line = shown(coach_line(judged))
            if not each.seen:
                assert "has not seen anybody answer at the price" in " ".join(line.split())
                assert "not known" in text
            else:
                close = opinion.verdict.close(each.act, each.to)
                assert ("too close to call" in line) == close
                assert (f"it cost {judged.cost.value:.2f}" in line) == (judged.cost.value > 0 and not close)


def test_what_acts_are_worth_in_limit():
    for view, opinion in opinions(GameSpec.ring(3, 1, 2)):
        line = shown(coach_line(opinion.judge(Answer(Act.CALL))))
        if view.round == 0:
            assert f"Loki-1's rules would {opinion.rule.name}" in line
        else:
            assert "no more bets" in shown(values(opinion))
            cost = opinion.cost(Answer(Act.CALL))
            assert cost_words(cost) in line
            assert (f"it cost {cost.value:.2f}" in line) == (cost.value > 0)


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (0.0, 0.0, "the best act"),
        (0.04, 0.0, "as good as the best"),
        (0.9, 0.5, "as good as the best"),
        (0.2, 0.05, "a small mistake"),
        (0.9, 0.1, "a mistake"),
        (1.0, 0.1, "a blunder"),
    ],
)
def test_words(value, error, words):
    assert cost_words(Cost(value, error, (Act.CALL, None))) == words


def test_ranges_of_opponents():
    seen = Seen("Ann", pm.WeightTable.from_text("AA, KK"), 0.1234)
    line = shown(range_lines([seen], {"Ann": 1}))
    assert "Ann" in line
    assert "12.3%" in line
    assert "AA 50.0%  KK 50.0%" in line
    assert "wins 12.3% of the pot" in shown(range_map(seen, (51, 50)))
