"""What screens say of verdicts."""

from __future__ import annotations

from dataclasses import replace

from pokermodel.report.study_screen import verdict_lines

from .test_study import CLOSE, FOLD


def test_a_line_for_each_verdict():
    assert verdict_lines(None) is None
    first, second = verdict_lines([FOLD, CLOSE]) or ()
    assert first.startswith("Turn, folded: Big mistake: folding lost about 21 bb (21 to 22); call.")
    assert second.startswith("Turn, bet 3 bb: Cannot tell")
    (limit,) = verdict_lines([replace(FOLD, position="middle", act="call")]) or ()
    assert limit.startswith("Turn, called 14.45 sb into 27 sb: Big mistake: calling lost about 21 sb")
