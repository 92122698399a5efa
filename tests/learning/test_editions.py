"""Books that are opened where statistics are defined that were not, or are no more, or are something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pokermodel as pm
from pokermodel.game import BettingStructure
from pokermodel.learning.definitions import Statistic, other_statistics, registry
from pokermodel.learning.store import Learnt
from tests.common.books import HANDS, MIXED, STATISTICS, exported, learnt

LIMIT, POT_LIMIT, NO_LIMIT = BettingStructure

LIMP = Statistic(
    *("open_limp", "Open limp", "called first in / could have"),
    opportunity="unopened and to_call",
    success="calls",
    streets=(0,),
    definition="Nobody has called or raised before the flop, and there is something to call.",
    made="They call.",
)
#: A raise before the flop counts as a success of it, too, whereas it counted calls alone.
OTHER_VPIP = "raises or calls"


def more():
    """All statistics that there are, and one between them."""
    first, *rest = registry()
    return first, LIMP, *rest


def less():
    """All but one."""
    return tuple(each for each in registry() if each.key != "three_bet")


def changed():
    """All, one of which has another definition."""
    return tuple(replace(each, success=OTHER_VPIP) if each.key == "vpip" else each for each in registry())


#: What other builds count, and which of their statistics books of this one have not counted.
BUILDS = {"more": (more, ("open_limp",)), "less": (less, ()), "changed": (changed, ("vpip",))}


def figures(book):
    """All that a book says of players, as numerators and denominators by player, structure and statistic."""
    return {
        (name, structure, key): (each.numerator, each.denominator)
        for name in book
        for structure, profile in book.profiles(name).items()
        for key, each in profile.statistics.items()
    }


def in_rounds(book):
    """The same by betting round."""
    return {
        (name, structure, street, key): (each.numerator, each.denominator)
        for name in book
        for structure, profile in book.profiles(name).items()
        for street, found in profile.by_round().items()
        for key, each in found.items()
    }


def known(book):
    """All figures: by structure, round and position."""
    groups = {
        (name, group, key): (each.numerator, each.denominator)
        for name in book
        for group, profile in book.breakdown("position", name).items()
        for key, each in profile.statistics.items()
    }
    return figures(book), in_rounds(book), groups, {name: book.contexts(name).rich for name in book}


def without(found, *keys):
    return {where: figure for where, figure in found.items() if where[-1] not in keys}


@pytest.mark.parametrize("name", BUILDS)
def test_a_build_that_counts_other_statistics(database, name):
    with pm.Book(database) as book:
        book.learn(MIXED, kinds=STATISTICS)
        before, rounds = figures(book), in_rounds(book)
        profiles = {player: book.breakdown("structure", player) for player in book}
    make, missing = BUILDS[name]
    with other_statistics(*make()), pm.Book(database) as book:
        gone = [key for key in ("three_bet",) if name == "less"]
        assert book.to_learn_again == missing
        # all others are what they were, in every form
        assert figures(book) == without(before, *missing, *gone)
        assert in_rounds(book) == without(rounds, *missing, *gone)
        for player, found in profiles.items():
            for group, profile in book.breakdown("structure", player).items():
                kept = {key: each for key, each in found[group].statistics.items() if key not in (*missing, *gone)}
                assert profile.statistics == kept
        # learning what it has learnt again adds what is missing, and nothing twice
        assert book.learn(MIXED[:5], kinds=STATISTICS) == Learnt(0, 5)
        assert figures(book) == without(before, *missing, *gone)
        assert book.problems() == []
        assert book.learn(MIXED, kinds=STATISTICS) == Learnt(0, len(MIXED))
        assert book.to_learn_again == ()
        new = learnt(MIXED)
        assert figures(book) == figures(new)
        assert book.problems() == []
        # hands that are new to it are counted by all that there is now
        more_hands = HANDS[30:33]
        assert book.learn(more_hands, kinds=STATISTICS).new == 3
        new.learn(more_hands, kinds=STATISTICS)
        assert figures(book) == figures(new)
    # and back again: the first build finds what it counted, but for hands that the other build has counted alone
    with pm.Book(database) as book:
        assert set(book.to_learn_again) == (
            {"three_bet"} if name == "less" else {"vpip"} if name == "changed" else set()
        )
        assert book.learn([*MIXED, *more_hands], kinds=STATISTICS) == Learnt(0, len(MIXED) + 3)
        assert known(book) == known(learnt([*MIXED, *more_hands]))
        assert book.problems() == []


@pytest.mark.usefixtures("backend")
def test_books_of_other_builds_are_merged():
    """Of hands that both have, each gives what the other lacks; of definitions that differ this build's stay."""
    whole = learnt(MIXED)
    with other_statistics(*less()):
        mine = learnt(MIXED)
    with other_statistics(*changed()):
        theirs = learnt(MIXED)
        of_theirs = figures(theirs)
    assert mine.to_learn_again == ("three_bet",)
    assert theirs.to_learn_again == ("vpip",)
    assert mine.merge(theirs) == Learnt(0, len(MIXED))
    assert mine.to_learn_again == ()
    assert figures(mine) == figures(whole)
    with other_statistics(*changed()):  # it took what it had not, and kept its own where they differ
        assert figures(mine) == without(of_theirs, "vpip")


@pytest.mark.usefixtures("backend")
def test_what_is_missing_goes_to_the_players_who_were_learnt():
    """Another player's copy of a hand has other names at tables of anonymous players."""
    hand = HANDS[3]
    parts = hand.spec, hand.players, hand.actions, hand.board, hand.holdings
    first = pm.Hand("bovada", "1", *parts)
    second = pm.Hand("bovada", "1", hand.spec, ("Xia", "Yul", "Zoe"), *parts[2:])
    with other_statistics(*less()):
        book = learnt([first])
    assert book.learn([second], kinds=STATISTICS) == Learnt(0, 1)
    assert book.to_learn_again == ()
    assert exported(book) == exported(learnt([first]))


def test_a_statistic_counts_what_it_says():
    """In hands that are counted by hand: who could limp, and did."""
    with other_statistics(*more()):
        book = learnt(HANDS[:20])
        made = could = 0
        for hand in HANDS[:20]:
            seen: set[int] = set()
            unopened = True
            for decision in hand.replay():
                situation = decision.situation
                if situation.round:
                    break
                if unopened and situation.to_call > 0 and situation.seat not in seen:
                    seen.add(situation.seat)
                    could += 1
                    made += decision.act is pm.Act.CALL
                unopened &= decision.act is pm.Act.FOLD
        found = [book.profile(name).statistics["open_limp"] for name in book]
        assert (sum(each.numerator for each in found), sum(each.denominator for each in found)) == (made, could)
        assert could > 20
