"""The weight tables of one hand."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import live_holdings
from pokermodel.reading.tables import UNIFORM, HandTables

NAMES = ("Ann", "Bob", "Cid")


def test_who_knows_nothing_shares_a_table():
    tables = HandTables(NAMES)
    assert all(weights is UNIFORM for weights in tables.weights)
    tables.deal("3h4cJh")
    first, *others = tables.weights
    assert all(weights is first for weights in others)
    np.testing.assert_array_equal(first > 0, live_holdings("3h4cJh"))


def test_those_who_folded_keep_the_table_that_they_had():
    tables = HandTables(NAMES)
    tables.fold(1)
    assert tables.deal("3h4cJh")
    assert not tables.deal("3h4cJh")
    assert tables.active == (0, 2)
    assert tables.weights[1] is UNIFORM
    assert [each is tables.weights[0] for each in tables.opponents(2)] == [True]
    assert len(tables.opponents(1)) == 2


def test_priors_and_the_heros_cards():
    tables, best = HandTables(NAMES, "Bob", public=False), pm.WeightTable.from_text("AA,KK").values
    tables.begin(lambda name: best if name == "Cid" else None)
    assert (tables.weights[0] is UNIFORM, tables.weights[2] is best) == (True, True)
    tables.hold("AsKs")
    assert [tables.dead(seat) for seat in range(3)] == [tables.own_cards, (), tables.own_cards]
    np.testing.assert_array_equal(tables.weights[2], best * live_holdings("AsKs"))
    assert tables.weights[1].sum() == 1326
    assert HandTables(NAMES, "Bob").hidden == ("Bob", ())


def test_what_was_worked_out_is_dropped_with_the_tables():
    tables = HandTables(NAMES, "Ann")
    for change in (
        lambda: tables.put(0, np.ones(1326)),
        lambda: tables.fold(2),
        lambda: tables.deal("3h4cJh"),
        lambda: tables.begin(lambda name: None),
    ):
        before = tables.memo
        before["what"] = 1
        change()
        assert tables.memo == {}
        assert before == {"what": 1}  # whoever has it keeps it


@pytest.mark.parametrize("again", [copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))])
def test_copies(again):
    tables = HandTables(NAMES, "Ann", public=False)
    tables.hold("AsKs")
    tables.deal("3h4cJh")
    tables.fold(1)
    tables.memo["what"] = 1
    other = again(tables)
    for name in ("players", "hero", "public", "board", "own_cards", "active", "hidden"):
        assert getattr(other, name) == getattr(tables, name)
    assert other.analysis is tables.analysis
    assert other.memo == {}
    np.testing.assert_array_equal(other.weights, tables.weights)
    other.put(0, np.zeros(1326))
    assert tables.weights[0].any()
    fresh = again(HandTables(NAMES))
    with pytest.raises(ValueError, match="read-only"):
        fresh.weights[0][0] = 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HandTables(("Ann", "Ann")), "players must have different names, got Ann, Ann"),
        (lambda: HandTables(NAMES).seat("Zoe"), "unknown player 'Zoe': the hand has Ann, Bob, Cid"),
        (lambda: HandTables().seat("Zoe"), "the hand has nobody yet"),
        (lambda: HandTables(NAMES).seat(3), "seat 3 is out of range: the hand has 3 players"),
        (lambda: HandTables(NAMES).deal("3h4c"), "3 to 5 cards"),
        (lambda: HandTables(NAMES).hold("AsKs"), "no hero who could hold cards"),
        (lambda: HandTables((), "Ann").hold("AsKs"), "no hand to hold cards in"),
        (lambda: HandTables(NAMES, "Zoe").hold("AsKs"), "the hero 'Zoe' is not in the hand"),
        (lambda: HandTables(NAMES, "Ann").hold("As"), "2 cards|two cards"),
        (lambda: HandTables(NAMES, "Ann").hold("AsKs", begun=True), "before the first action"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_boards_that_do_not_fit():
    tables = HandTables(NAMES, "Ann")
    tables.hold("AsKs")
    with pytest.raises(ValueError, match="has a card of the hero's 'AsKs'"):
        tables.deal("As4cJh")
    tables.deal("3h4cJh")
    with pytest.raises(ValueError, match="does not continue '3h4cJh'"):
        tables.deal("3h4cJd2s")
    with pytest.raises(ValueError, match="before the first action"):
        tables.hold("AsKs")
