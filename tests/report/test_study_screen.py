"""What screens say of verdicts."""

from __future__ import annotations

from pokermodel.report.study_screen import verdict_lines

from .test_study import CLOSE, FOLD


def test_a_line_for_each_verdict():
    assert verdict_lines(None) is None
    first, second = verdict_lines([FOLD, CLOSE]) or ()
    assert first.startswith("Turn, folded: Big mistake: folding lost about 21 bb (21 to 22); call.")
    assert second.startswith("Turn, bet 3 bb: Cannot tell")
