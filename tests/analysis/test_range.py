"""Ranges and tables by class."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.range import class_changes, range_summary, top_classes
from pokermodel.cards import CLASSES


def test_the_likeliest_classes():
    table = pm.WeightTable.from_text("AA, KK:0.5, AKs:0.25")
    assert top_classes(table, 2) == [("AA", pytest.approx(0.6)), ("KK", pytest.approx(0.3))]
    assert top_classes(table, 9)[2:] == [("AKs", pytest.approx(0.1))]


def test_changes_are_bits_of_a_holding():
    before = pm.WeightTable.from_text("AA, KK, 72o")
    after = pm.WeightTable.from_text("AA, KK:0.5, 22")
    bits = dict(zip(CLASSES, class_changes(after, before).tolist(), strict=True))
    was, now = 1 / (6 + 6 + 12), 1 / (6 + 3 + 6)
    assert bits["AA"] == pytest.approx(np.log2(now / was))
    assert bits["KK"] == pytest.approx(np.log2(now / 2 / was))
    assert (bits["72o"], bits["22"], bits["QQ"]) == (-np.inf, np.inf, 0.0)
    with pytest.raises(ValueError, match="weight 0"):
        class_changes(after, pm.WeightTable(np.zeros(1326)))


def test_a_summary_counts_weights():
    found = range_summary(pm.WeightTable.from_text("AA, KK:0.5", dead="AsKs"))
    assert (found["holdings"], found["classes"], found["live_holdings"]) == (6, 2, 1225)
    assert found["weighted_holdings"] == pytest.approx(4.5)
    assert found["share"] == pytest.approx(4.5 / 1225)
    assert found["dead"] == "KsAs"
