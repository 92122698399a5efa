"""Rates of players, what is usual of them, how sure differences are, and what exploits them."""

from __future__ import annotations

import random
from datetime import datetime
from fractions import Fraction

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._support.beta import beta_below
from pokermodel.game import Act, BettingStructure
from pokermodel.learning.differences import (
    SURE,
    Belief,
    _rules,
    compare,
    expected_wrong,
    leaks_of,
)
from pokermodel.learning.rates import Population, UsualRate, rates, usual_rates
from tests.common.books import HANDS, SPEC, learnt, played, played_free
from tests.common.made_counts import made_profile

LIMIT, NO_LIMIT = BettingStructure.LIMIT, BettingStructure.NO_LIMIT
FREE = [played_free(k, k, ["Ann", "Bob", "Cid"]) for k in range(30)]


def player(structure=NO_LIMIT, **counts):
    """A player with (made, chances) of rates, in which "__" stands for a colon."""
    by_key = {rate.key: rate for rate in rates(structure)}
    found = {}
    for key, pair in counts.items():
        rate = by_key[key.replace("__", ":")]
        found[rate.statistic.key if rate.street is None else f"{rate.statistic.key}:{rate.street}"] = pair
    return made_profile(found, structure)


@pytest.mark.parametrize("structure", [LIMIT, NO_LIMIT])
def test_rates_are_the_statistics(structure):
    """Rates add up to the statistics of a profile, which count the same in another way."""
    book = learnt([*HANDS, *FREE])
    for name, profile in ((name, book.profile(name, structure)) for name in book):
        found = {rate.key: rate.counts(profile.totals) for rate in rates(structure)}
        streets = profile.by_round()
        for key, statistic in profile.statistics.items():
            if key in found:
                assert found[key] == (statistic.numerator, statistic.denominator), (name, key)
        for street, statistics in streets.items():
            for key in ("cbet", "fold_to_cbet", "check_raise", "afq"):
                if street != "pre-flop":
                    statistic = statistics[key]
                    assert found[f"{key}:{street}"] == (statistic.numerator, statistic.denominator), (name, key)


@pytest.mark.parametrize("hands", [HANDS, FREE])
def test_folds_to_bets_are_those_of_the_replay(hands):
    structure = hands[0].spec.structure
    faced = {(name, street): [0, 0] for name in ("Ann", "Bob") for street in (1, 2, 3)}
    for hand in hands:
        for decision in hand.replay():
            if (decision.player, decision.round) in faced and decision.to_call:
                counts = faced[decision.player, decision.round]
                counts[0] += decision.act == Act.FOLD
                counts[1] += 1
    book = learnt(hands)
    for (name, street), counts in faced.items():
        by_key = {rate.key: rate for rate in rates(structure)}
        rate = by_key[f"fold_to_bet:{pm.game.ROUNDS[street]}"]
        assert rate.counts(book.profile(name, structure).totals) == tuple(counts)


def test_bluffs_are_river_bets_without_a_pair():
    hands = [hand for hand in (played(k, k) for k in range(600)) if hand.holdings]
    bluffs = shown = 0
    for hand in hands:
        for decision in hand.replay():
            if decision.round == 3 and decision.act == Act.RAISE and decision.player == "Ann":
                rank = pm.evaluate(hand.board + hand.holdings[decision.seat])
                bluffs, shown = bluffs + (rank <= 1277), shown + 1
    (rate,) = [rate for rate in rates(LIMIT) if rate.key == "shown_bluff"]
    assert rate.counts(learnt(hands).profile("Ann", "limit").totals) == (bluffs, shown)
    assert shown > bluffs > 0


@pytest.mark.usefixtures("backend")
def test_a_book_gives_the_rates_of_everybody():
    book = learnt([*HANDS, *FREE])
    for structure in (LIMIT, NO_LIMIT):
        found = book.rates(structure)
        expected = Population.of(structure, {name: book.profile(name, structure).totals for name in found.names})
        assert np.array_equal(found.made, expected.made)
        assert np.array_equal(found.chances, expected.chances)
    assert set(book.rates("no limit").names) == {"Ann", "Bob", "Cid"}
    assert book.rates("pot limit").names == ()
    with pytest.raises(ValueError, match="structure"):
        book.rates("draw")


def test_what_is_usual_is_found_again():
    """Players are drawn from a beta distribution; its mean and its strength come back."""
    rng = np.random.default_rng(5)
    chances = rng.integers(30, 400, size=2000)
    for value, strength in ((0.3, 12.0), (0.6, 40.0), (0.15, 150.0)):
        made = rng.binomial(chances, rng.beta(value * strength, (1 - value) * strength, size=len(chances)))
        usual = UsualRate.of(made, chances)
        assert usual.value == pytest.approx(value, abs=0.01)
        assert usual.strength == pytest.approx(strength, rel=0.15)
        assert sum(usual.prior) == pytest.approx(min(usual.strength, 20))  # own evidence soon outweighs it
    alike = UsualRate.of(rng.binomial(chances, 0.4), chances)
    assert alike.strength == 200  # people are never taken to be the same
    assert UsualRate.of(np.zeros(3, int), np.zeros(3, int)) is None
    assert 0 < UsualRate.of(np.zeros(3, int), np.full(3, 50)).value < 0.01


def test_who_a_player_is_compared_with():
    """Ten others with twenty chances are enough; the player is none of them."""
    key = "wtsd"
    column = [rate.key for rate in rates(LIMIT)].index(key)

    def population(number):
        shape = number, len(rates(LIMIT))
        made, chances = np.zeros(shape, int), np.zeros(shape, int)
        chances[:, column], made[:, column] = 20, 5
        made[0, column] = 20
        return Population(LIMIT, tuple(map(str, range(number))), made, chances)

    usual = population(11).usual("0")[key]
    assert (usual.source, usual.players) == ("book", 10)
    assert usual.value == pytest.approx(0.25, abs=0.01)
    published = population(10).usual("0")[key]
    assert published == usual_rates(LIMIT, heads_up=False)[key]
    assert published.source == "published"
    assert population(10).usual("0", heads_up=True)[key] == usual_rates(LIMIT, heads_up=True)[key] != published
    assert usual_rates(BettingStructure.POT_LIMIT, heads_up=False) == {}


def test_the_published_rates_are_of_rates_that_there_are():
    for structure in (LIMIT, NO_LIMIT):
        for heads_up in (False, True):
            found = usual_rates(structure, heads_up=heads_up)
            assert (
                {"vpip", "pfr", "fold_to_bet:river", "wtsd"} <= found.keys() <= {rate.key for rate in rates(structure)}
            )
            assert all(0 < each.value < 1 and each.strength >= 1 and each.players >= 10 for each in found.values())


def test_certainty_is_that_of_the_posterior():
    """As a simulation has it: a rate drawn as others have it, and only those kept that do what the player did."""
    rng = np.random.default_rng(3)
    usual = UsualRate(0.4, 10.0, 50)
    drawn = rng.beta(*usual.prior, size=400_000)
    kept = drawn[rng.binomial(12, drawn) == 8]
    (found,) = compare(player(wtsd=(8, 12)), {"wtsd": usual})
    assert found.above == pytest.approx((kept > 0.4).mean(), abs=0.01)
    assert found.difference == pytest.approx(kept.mean() - 0.4, abs=0.01)
    assert found.low == pytest.approx(np.quantile(kept, 0.025) - 0.4, abs=0.01)
    assert found.high == pytest.approx(np.quantile(kept, 0.975) - 0.4, abs=0.01)
    assert found.to_dict()["sure"] is (found.certainty >= SURE)


def test_what_is_said_to_be_sure_is_as_sure_as_said():
    """Among players who are as others are, as many statements are wrong as are to be expected."""
    rng = np.random.default_rng(11)
    usual = UsualRate(0.35, 20.0, 100)
    wrong = expected = said = 0.0
    for _ in range(400):
        rate, chances = rng.beta(*usual.prior), int(rng.integers(5, 200))
        (found,) = compare(player(wtsd=(int(rng.binomial(chances, rate)), chances)), {"wtsd": usual})
        if found.certainty >= SURE:
            said += 1
            wrong += (found.above > 0.5) != (rate > usual.value)
            expected += expected_wrong([found])
    assert said > 80
    assert wrong == pytest.approx(expected, abs=4 * expected**0.5 + 1)


def test_rates_without_a_chance_are_not_looked_at():
    assert compare(player(), {"wtsd": UsualRate(0.4, 10.0, 50)}) == ()
    assert compare(player(wtsd=(1, 2)), {}) == ()
    found = leaks_of(player(), {})
    assert (found.found, found.looked_at) == ((), 0)


def test_break_even_is_arithmetic():
    """What is risked is what is won, at the rate that is needed, in every case of every rule."""
    for limit in (True, False):
        for rule in _rules(limit):
            for case in rule.cases:
                if case.needed is None:
                    continue  # goes by the usual rate
                words = case.arithmetic.replace(":", " ").split()
                risk = Fraction(words[words.index("risks") + 1])
                win = Fraction(words[words.index("win") + 1] if "their" not in words else ("7/2" if limit else "9/2"))
                folds = case.needed
                gain = folds * win - (1 - folds) * risk
                assert gain == 0, case
                assert f"{float(case.needed):.1%}" in case.arithmetic


RIVER = {"fold_to_bet:river": UsualRate(0.45, 30.0, 50)}


def test_who_folds_less_than_others_is_not_blamed_for_folding():
    """55 of 130 folds are more than a bet of a third of the pot needs, and less than others fold."""
    usual = {"fold_to_bet:turn": UsualRate(0.515, 91.4, 66)}
    turn = player(fold_to_bet__turn=(55, 130))
    assert [each.key for each in leaks_of(turn, {}).found] == ["bluff:turn"]
    assert all(not each.above for each in leaks_of(turn, usual).found)
    (found,) = leaks_of(player(fold_to_bet__turn=(80, 110)), usual).found
    assert (found.key, found.above) == ("bluff:turn", True)


def test_own_evidence_outweighs_the_population():
    """42 folds of 47 to 3-bets, where others fold 46%, and a spread among professionals that is worth 39 chances."""
    usual = usual_rates(NO_LIMIT, heads_up=False)
    assert usual["fold_to_three_bet"].strength > 30
    (found,) = leaks_of(player(fold_to_three_bet=(42, 47)), usual).found
    assert found.key == "three_bet"
    assert found.expected > 0.75


@pytest.mark.parametrize(
    ("key", "counts"),
    [
        ("isolate", {"limp": (30, 60)}),
        ("value:flop", {"fold_to_bet__flop": (5, 80)}),
        ("value:river", {"fold_to_bet__river": (5, 80)}),
        ("call:river", {"afq__river": (70, 80)}),
    ],
)
def test_habits_that_no_arithmetic_decides_are_compared_with_the_usual(key, counts):
    usual = usual_rates(NO_LIMIT, heads_up=False)
    (found,) = [each for each in leaks_of(player(**counts), usual).found if each.key == key]
    assert found.needed == usual[found.rate.key].value
    assert leaks_of(player(**counts), {}).found == ()


def test_an_exploit_is_said_when_it_is_sure():
    """Of 120 rivers 68% were folds: half the pot needs a third, the pot a half, and that is sure, too."""
    (found,) = leaks_of(player(fold_to_bet__river=(82, 120)), {}).found
    assert found.key == "bluff:river"
    assert found.needed == 0.5
    assert found.certainty == pytest.approx(1 - beta_below(0.5, 82.5, 38.5))
    assert "for up to the pot" in found.advice
    (bluff,) = leaks_of(player(fold_to_bet__river=(50, 120)), {}).found  # 41.7%: half of the pot, but not 2/3
    assert bluff.needed == pytest.approx(1 / 3)
    assert Belief.of(50, 120, None).above(0.4) < SURE
    (found,) = leaks_of(player(fold_to_bet__river=(15, 120)), RIVER).found
    assert (found.key, found.above, found.needed) == ("value:river", False, 0.45)
    assert leaks_of(player(fold_to_bet__river=(4, 12)), {}).found == ()
    assert leaks_of(player(fold_to_bet__river=(4, 12)), {}).looked_at == 2


def test_an_exploit_needs_what_the_player_did():
    """What others do does not suffice, however sure it makes it; nor does what was done a few times."""
    usual = {"fold_to_steal": UsualRate(0.8, 200.0, 50)}
    assert Belief.of(6, 10, usual["fold_to_steal"]).above(4 / 7) > SURE
    found = leaks_of(player(fold_to_steal=(6, 10)), usual)
    assert (found.found, found.looked_at) == ((), 1)
    assert leaks_of(player(fold_to_steal=(9, 9)), usual).looked_at == 0
    assert leaks_of(player(fold_to_steal=(28, 35)), usual).found == ()  # everybody folds as often
    usual = {"fold_to_steal": UsualRate(0.5, 200.0, 50)}
    (found,) = leaks_of(player(fold_to_steal=(28, 35)), usual).found
    assert found.certainty == pytest.approx(Belief.of(28, 35, usual["fold_to_steal"]).above(4 / 7))
    assert Belief.of(28, 35, usual["fold_to_steal"]).mean == pytest.approx(found.expected)
    others = {"fold_to_steal": UsualRate(0.4, 200.0, 50)}  # and what others do can make it unsure
    assert leaks_of(player(fold_to_steal=(28, 35)), others).found == ()


def test_cases_are_ordered_by_strength():
    for limit in (True, False):
        for rule in _rules(limit):
            needed = [case.needed for case in rule.cases if case.needed is not None]
            assert needed == sorted(needed, reverse=rule.above)


@pytest.mark.usefixtures("backend")
def test_the_course_of_a_player():
    """Parts have equal lengths and stand in the order in which hands were played, however they were learnt."""
    rng = random.Random(2)
    hands = [played_free(k, k, rng.sample(["Ann", "Bob", "Cid", "Dee"], 3)) for k in range(140)]
    mine = [hand for hand in hands if "Ann" in hand.players]
    shuffled = random.Random(1).sample(hands, len(hands))
    book = learnt([*HANDS, *shuffled])
    course = book.course("Ann", "no limit")
    assert len(mine) >= 100
    assert [period.before for period in course.periods] == [0, len(mine) // 2]
    for period, part in zip(course.periods, (mine[: len(mine) // 2], mine[len(mine) // 2 :]), strict=True):
        expected = learnt(part).profile("Ann").to_dict()
        assert {**period.profile.to_dict(), "recent": []} == {**expected, "recent": []}
        assert period.to_dict()["hands"] == [period.before + 1, period.before + len(part)]
    assert course.tables == {3: len(mine)}
    assert course.usual_table == 3
    assert sum(course.stakes.values()) == len(mine)
    assert len(book.course("Ann", "no limit", periods=1).periods) == 1
    assert book.course("Ann", "pot limit").periods == ()
    assert book.course("Ann", "pot limit").usual_table is None
    with pytest.raises(KeyError):
        book.course("Zoe")
    with pytest.raises(ValueError, match="periods must be 1 or more"):
        book.course("Ann", periods=0)


def test_the_course_has_days():
    fold = Act.FOLD
    hands = [
        pm.Hand("test", str(k), SPEC, ("Ann", "Bob", "Cid"), [(2, fold), (0, fold)], time=datetime(2020, 1, 1 + k))
        for k in (3, 1, 2)
    ]
    (period,) = learnt(hands).course("Ann").periods
    assert period.to_dict()["days"] == ["2020-01-02", "2020-01-04"]
