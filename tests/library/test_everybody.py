"""What is counted of all players over columns: equal to what is counted hand by hand."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.versus import Versus
from pokermodel.game import BettingStructure
from pokermodel.histories import Filter
from pokermodel.learning.rates import rates
from pokermodel.library import Book
from pokermodel.library import everybody as module
from pokermodel.library.listed import player_names
from tests.common.desk import SESSIONS, lay


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hands")
    lay(folder)
    return [hand for name in SESSIONS for hand in pm.open_hands(folder / name)]


@pytest.fixture(scope="module")
def book(hands):
    with Book("sqlite://") as found:
        found.add(hands)
        yield found


def names_of(book, everybody):
    names = player_names(book, everybody.players.tolist())
    return [names[each].name for each in everybody.players.tolist()]


@pytest.mark.parametrize("where", ["hero=Robin", "hero=Robin pot=3-bet", "hero=Casey", "hero=Casey won>0", "hero=Gale"])
def test_what_is_won_from_a_hero(book, hands, where):
    """As `Versus` divides it, whether or not the histories are the hero's."""
    which = Filter(where)
    versus = Versus(which.hero)
    for hand in hands:
        if which.hero in hand.players and which(hand):
            versus.add(hand)
    everybody = book.everybody.of(book.select(which))
    found = dict(zip(names_of(book, everybody), zip(everybody.hands.tolist(), everybody.won, strict=True), strict=True))
    assert found.keys() == versus._sums.keys()
    for name, each in versus._sums.items():
        assert found[name][0] == each.hands
        assert found[name][1] == pytest.approx(-each.won, abs=1e-4)


def test_rates_are_those_that_are_counted_hand_by_hand(book, hands, monkeypatch):
    """In however many steps, and of the structures apart; what is usual follows from them."""
    monkeypatch.setattr(module, "_AT_ONCE", 37)
    people = module.Everybody(book.columns, book.bits)
    while not people.count(100):
        pass
    with Book("sqlite://") as learnt:
        learnt.learn(hands, kinds=["statistics"])
        for structure in (BettingStructure.NO_LIMIT, BettingStructure.LIMIT):
            population = learnt.rates(structure)
            table = people._rates[structure]
            for row, name in enumerate(population.names):
                (number,) = book.names.players([name])[name]
                for column, rate in enumerate(rates(structure)):
                    if rate.key == "shown_bluff":  # rows do not have it
                        continue
                    both = [population.made[row, column], population.chances[row, column]]
                    assert table[column, :, number].tolist() == both, (name, rate.key)
                    profile = book.counts(f'hero="{name}"')[structure]
                    assert list(rate.counts(profile)) == both
            usual = people.usual(structure, [number], heads_up=False)
            assert usual.keys() == population.usual(name, heads_up=False).keys()
    hands_of, totals = people.totals(number)
    assert hands_of == sum(name in hand.players for hand in hands)
    assert totals["vpip"][1] <= hands_of


def test_a_hand_that_arrives_is_counted(hands):
    with Book("sqlite://") as book:
        book.add(hands[:20])
        before = book.everybody.of(book.select("hero=Robin")).hands.sum()
        book.everybody.count()
        book.add(hands[20:])
        assert book.everybody.of(book.select("hero=Robin")).hands.sum() > before
        assert book.everybody.count()
        assert np.array_equal(book.everybody._hands, np.bincount(book.columns.seats["player"]))


def test_chances_are_found_by_a_filter(book):
    """As many hands as have the bit."""
    for key in ("vpip", "fold_to_cbet:flop", "fold_to_bet:flop", "limp", "afq:river"):
        for which in ("chance", "did"):
            found = book.select(f"hero=Casey {which}={key}")
            none = book.select(f"hero=Casey {which}!={key}")
            assert len(found.hands) + len(none.hands) == len(book.select("hero=Casey").hands)
        assert len(book.select(f"hero=Casey did={key}").hands) <= len(book.select(f"hero=Casey chance={key}").hands)
    counts = book.counts("hero=Casey")[BettingStructure.NO_LIMIT]
    assert len(book.select("hero=Casey chance=limp").hands) == counts.bit("limp")[1]
    assert len(book.select("hero=Casey did=vpip").hands) == counts.bit("vpip")[0]
    for wrong in ("luck", "vpip:river", "fold_to_cbet:pre-flop"):
        with pytest.raises(ValueError, match="unknown statistic"):
            book.select(f"hero=Casey chance={wrong}")
