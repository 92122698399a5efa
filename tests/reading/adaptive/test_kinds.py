"""Kinds of tables: what a table says of itself, and how much a mixture believes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.reading import PopulationModel, Prior, default_prior
from pokermodel.reading.adaptive.evidence import play
from pokermodel.reading.adaptive.kinds import MOST_KINDS, NO_LABELS, Kinds, TableLabels, labels_of
from pokermodel.reading.adaptive.names import population
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import FACTOR_CELLS
from tests.common.books import played
from tests.common.copies import pickled

HEADS_UP = TableLabels("limit", "2", "", "no antes", "USD", "one")
RING = TableLabels("limit", "9 and more", "", "no antes", "chips", "other")


def kinds(*labels: TableLabels, size: float = 0.3) -> Kinds:
    """As many kinds, the hands of each saying the same; each with more raises than the one before."""
    effects = np.zeros((len(labels), 16))
    logs = np.zeros((len(labels), FACTOR_CELLS, 3))
    logs[:, :, 2] = size * np.arange(len(labels))[:, None]
    return Kinds(
        [f"kind {k}" for k in range(len(labels))], [[{each: 1.0} for each in kind] for kind in labels], effects, logs
    )


def people(known: Kinds | None) -> GamePopulation:
    game = default_prior().games["limit"]
    return GamePopulation(GamePrior("limit", game.likelihood.weights, game.scales, None, known))


@pytest.mark.parametrize(
    ("spec", "stacks", "expected"),
    [
        (pm.GameSpec.ring(2, 5, 10), None, ("limit", "2", "", "no antes", "", "")),
        (pm.GameSpec.no_limit(6, 5, 10), None, ("no limit", "5-6", "", "no antes", "", "")),
        (
            pm.GameSpec.no_limit(9, 5, 10, stacks=(1000,) * 9),
            None,
            ("no limit", "9 and more", "to 150", "no antes", "", ""),
        ),
        (pm.GameSpec.no_limit(3, 5, 10), (200, None, 250), ("no limit", "3-4", "to 25", "no antes", "", "")),
        (
            replace(pm.GameSpec.no_limit(7, 5, 10), antes=(1,) * 7),
            (5000,) * 7,
            ("no limit", "7-8", "more", "antes", "", ""),
        ),
    ],
)
def test_what_a_table_says_of_itself(spec: pm.GameSpec, stacks, expected: tuple[str, ...]) -> None:
    assert labels_of(spec, stacks) == expected


@pytest.mark.parametrize(("stake", "money"), [("8/16 USD", "USD"), ("chips", "chips"), ("50/100", ""), ("", "")])
def test_money_is_a_currency_or_chips(stake: str, money: str) -> None:
    assert labels_of(replace(pm.GameSpec.ring(2, 5, 10), stake=stake)).money == money


def test_a_hand_says_what_its_table_is() -> None:
    hand = pm.example_hand()
    assert play(hand).labels == labels_of(hand.spec, hand.stacks)
    assert pickled(play(hand)).labels == labels_of(hand.spec, hand.stacks)


def test_labels_weigh_kinds() -> None:
    known = people(kinds(HEADS_UP, RING))
    both = known.kinds("", NO_LABELS)
    assert list(both.values()) == pytest.approx([1 / 3] * 3)
    found = known.kinds("", HEADS_UP)
    assert found["kind 0"] > 0.8 > found[""] > found["kind 1"]
    assert sum(found.values()) == pytest.approx(1)
    elsewhere = known.kinds("", RING._replace(site="somewhere", money="EUR"))
    assert elsewhere["kind 1"] > elsewhere[""] > elsewhere["kind 0"] > 0


def test_an_unknown_site_says_nothing() -> None:
    """Hands of programs have none; neither have hands of people that were written down by hand."""
    known = people(kinds(HEADS_UP, HEADS_UP._replace(site="")))
    nowhere = known.kinds("", HEADS_UP._replace(site=""))
    assert nowhere["kind 1"] == pytest.approx(nowhere["kind 0"])
    found = known.kinds("", HEADS_UP)
    assert found["kind 0"] > 0.5 > 5 * found["kind 1"]


def test_levels_are_means_by_shares() -> None:
    known = people(kinds(HEADS_UP, RING))
    for labels in (NO_LABELS, HEADS_UP, RING):
        share = known.kinds("", labels)["kind 1"]
        found = known.offsets("", None, [[0, 72, 252, 612]], labels)
        np.testing.assert_allclose(found, [[0, 0, 4 * 0.3 * share]], rtol=1e-3)
    assert (people(None).offsets("", None, [[0, 72, 252, 612]], RING) == 0).all()
    assert people(None).kinds("", RING) == {}


def test_hands_find_the_kind() -> None:
    """Of two kinds that say the same of themselves: who act at random call less than people do, which one knows."""
    logs = np.zeros((2, FACTOR_CELLS, 3))
    logs[1, :, 1] = -0.1
    labels = [[{each: 1.0} for each in HEADS_UP]] * 2
    known = people(Kinds(["people", "at random"], labels, np.zeros((2, 16)), logs))
    hands = [play(played(k, k)) for k in range(12)]
    before = known.kinds(hands[0].population, hands[0].labels)
    assert before["people"] == pytest.approx(before["at random"])
    for hand in hands:
        known.learn(hand)
    after = known.kinds(hands[0].population, hands[0].labels)
    assert after["at random"] > 1.5 * after["people"]
    # a population of which nothing was seen is what it was
    assert known.kinds("elsewhere", hands[0].labels) == pytest.approx(before)
    # and it is kept, added and copied
    arrays = known.to_arrays()
    again = GamePopulation.from_arrays(known.prior, arrays)
    assert again.kinds(hands[0].population, hands[0].labels) == after
    both = people(known.prior.kinds)
    both.merge(again)
    assert both.kinds(hands[0].population, hands[0].labels) == pytest.approx(after)
    both.merge(again)
    assert both.kinds(hands[0].population, hands[0].labels)["at random"] > after["at random"]


def test_what_is_no_kind_is_refused() -> None:
    levels = np.zeros((1, 16)), np.zeros((1, FACTOR_CELLS, 3))
    labels = [[{}] * 6]
    with pytest.raises(ValueError, match=r"effects of 1 kinds must have shape \(1, 16\), got \(1, 15\)"):
        Kinds(["a"], labels, levels[0][:, :15], levels[1])
    with pytest.raises(ValueError, match="logarithms of factors of 1 kinds must have shape"):
        Kinds(["a"], labels, levels[0], levels[1][:, 1:])
    with pytest.raises(ValueError, match="the effects of kinds are finite"):
        Kinds(["a"], labels, levels[0] * np.nan, levels[1])
    with pytest.raises(ValueError, match="each of 1 kinds has 6 labels"):
        Kinds(["a"], [[{}]], *levels)
    with pytest.raises(ValueError, match="up to 31 kinds of different names, got 2"):
        kinds(HEADS_UP).joined(kinds(RING))
    with pytest.raises(ValueError, match="up to 31 kinds of different names, got 32"):
        kinds(*[HEADS_UP] * (MOST_KINDS + 1))


def test_the_prior_of_the_package_has_kinds() -> None:
    """And a prior that is kept and read again has the same."""
    prior = default_prior()
    again = Prior.from_bytes(prior.to_bytes())
    for name, game in prior.games.items():
        assert len(game.kinds) > 3
        assert again.games[name].kinds.names == game.kinds.names
        assert again.games[name].kinds.labels == game.kinds.labels
        np.testing.assert_array_equal(again.games[name].kinds.logs, game.kinds.logs)
    assert {"heads-up", "short", "short cash"} <= set(prior.games["no limit"].kinds.names)
    assert {"short", "irc heads-up", "bovada short cash"} <= set(prior.games["limit"].kinds.names)


@pytest.mark.parametrize(
    ("seats", "money", "site", "expected", "least"),
    [
        ("2", "USD", "bovada", "bovada short cash", 0.7),
        ("5-6", "USD", "bovada", "bovada short cash", 0.9),
        ("3-4", "", "", "short", 0.4),
        ("3-4", "", "irc", "irc short", 0.6),
        ("2", "", "irc", "irc heads-up", 0.8),
        ("9 and more", "", "", "irc full ring", 0.7),
    ],
)
def test_tables_of_limit_begin_as_their_kind(seats: str, money: str, site: str, expected: str, least: float) -> None:
    known = GamePopulation(default_prior().games["limit"])
    assert known.kinds("", TableLabels("limit", seats, "", "no antes", money, site))[expected] > least


def test_a_session_begins_with_the_kind_of_its_table() -> None:
    """Who is first to act at a table that says it is of a kind is expected to act as they do there."""
    hand = pm.example_hand()
    decision = next(iter(hand.replay()))
    game = default_prior().games["limit"]
    found = []
    for size in (0.0, 0.5):
        known = kinds(RING, labels_of(hand.spec, hand.stacks), size=size)
        prior = Prior([GamePrior("limit", game.likelihood.weights, game.scales, None, known)], {})
        session = pm.OpponentModeler("adaptive", people=PopulationModel(prior))
        session.start(hand.players)
        found.append(session.predict(decision)[2])
    assert found[1] > found[0] + 0.05
    assert population(hand.spec) not in PopulationModel(prior).populations
