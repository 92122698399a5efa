"""The rake of a pot."""

from __future__ import annotations

from pokermodel.analysis.rakes import verdict_rake
from pokermodel.worth.play_outs import Rake
from tests.common.studied import FOLDED


def test_the_rake_is_that_of_the_stake():
    for others in Rake(), Rake(0.05, 300.0):
        assert verdict_rake(FOLDED, others) == others
