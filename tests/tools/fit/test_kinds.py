"""Kinds of tables among the hands of a fit."""

from __future__ import annotations

from dataclasses import replace

from pokermodel.reading import default_prior
from pokermodel.reading.adaptive.evidence import PlayedHand, play
from pokermodel.reading.adaptive.kinds import TableLabels
from tests.common.books import played
from tools.fit.kinds import fit_kinds

FIVE = TableLabels("limit", "5-6", "", "no antes", "USD", "one")


def hands_of(labels: TableLabels, number: int) -> list[PlayedHand]:
    return [replace(play(played(k, k)), labels=labels) for k in range(number)]


def test_a_few_hands_of_a_site_are_of_its_only_kind() -> None:
    """Heads-up hands at a table of six; not those of another site, nor of a site that has several kinds."""
    few = hands_of(FIVE._replace(seats="2"), 10)
    prior = default_prior().games["limit"]
    found = fit_kinds([*hands_of(FIVE, 120), *few, *hands_of(FIVE._replace(seats="2", site="two"), 10)], prior)
    assert found.names == ("one short cash",)
    assert found.labels[0][1] == {"2": round(10 / 130, 4), "5-6": round(120 / 130, 4)}
    assert found.labels[0][5] == {"one": 1.0}
    ring = hands_of(FIVE._replace(seats="9 and more"), 120)
    several = fit_kinds([*hands_of(FIVE, 120), *few, *ring], prior)
    assert [kind[1] for kind in several.labels] == [{"5-6": 1.0}, {"9 and more": 1.0}]
