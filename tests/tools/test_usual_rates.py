"""The script that writes what is usual among players of published histories."""

from __future__ import annotations

import json

import pytest

from pokermodel.game import BettingStructure
from pokermodel.learning.rates import Population, usual_rates
from tests.common.books import HANDS, learnt
from tools.usual_rates import rates_data

LIMIT = BettingStructure.LIMIT


def test_published_rates_are_written_and_read(monkeypatch):
    book = learnt(HANDS)
    counts = {f"{name}{k}": book.profile(name, "limit").totals for name in book for k in range(3)}
    text = rates_data({"limit": [Population.of(LIMIT, counts)]}, "made up")
    monkeypatch.setattr("pokermodel.learning.rates._shipped", lambda: json.loads(text))
    found = usual_rates(LIMIT, heads_up=False)
    assert found["vpip"].players == 15
    assert found["vpip"].value == pytest.approx(0.5, abs=0.3)
