"""What is compiled of definitions counts what these say, act by act."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.game import POSITIONS, BettingStructure, positions
from pokermodel.learning.counting import compile_acts, source_of
from pokermodel.learning.definitions import ACT, Statistic, statistics
from pokermodel.reading.features import Replay
from tests.common.books import FREE, HANDS, POTS, SIX

ALL = [*HANDS, *FREE, *POTS, *SIX]
FOLD, CALL, RAISE = pm.Act
SEATS = {name.replace(" ", "_"): number for number, name in enumerate(POSITIONS)}
LATE = {SEATS["cutoff"], SEATS["button"], SEATS["small_blind"]}


def facts_of(hand):
    """What the words stand for at each act that was done in turn: each worked out anew, from all acts before it."""
    seats = positions(hand.spec)
    decisions = [each for each in hand.replay() if not each.out_of_turn]
    for number, decision in enumerate(decisions):
        before = decisions[:number]
        here = [each for each in before if each.round == decision.round]
        preflop = [each for each in before if each.round == 0]
        raises = [each for each in here if each.act is RAISE]
        voluntary = [each for each in preflop if each.act is not FOLD]
        in_turn = decision.round == 0
        # blinds are not called: before the flop a call of the big blind is one of no bet or raise
        since = here[here.index(raises[-1]) + 1 :] if raises else [] if in_turn else here
        since_own = [each for each in here if each.seat == decision.seat]
        yield (
            decision,
            {
                "street": decision.round,
                "folds": decision.act is FOLD,
                "calls": decision.act is CALL,
                "raises": decision.act is RAISE,
                "put_in": decision.put_in,
                "to_call": decision.to_call,
                "bets": decision.num_bets,
                "bets_to_call": min(decision.bets_to_call, 2),
                "can_raise": RAISE in decision.legal or decision.act is RAISE,
                "position": seats[decision.seat],
                **SEATS,
                "players": len(seats),
                "unopened": in_turn and not voluntary,
                "is_opener": in_turn
                and any(each.act is RAISE and each.num_bets == 1 and each.seat == decision.seat for each in preflop),
                "faces_steal": in_turn and steals(voluntary, seats),
                "raise_called": bool(raises) and any(each.act is CALL and each.put_in for each in since),
                "leads": not in_turn and leader(before, decision.round) == decision.seat,
                "faces_cbet": not in_turn and bool(raises) and raises[-1].seat == bettor(before, decision.round),
                "checked": not in_turn and bool(since_own) and since_own[-1].act is CALL and since_own[-1].to_call == 0,
                "last_raiser": bool(raises) and raises[-1].seat == decision.seat,
                "acted": bool(since_own),
                "own_bet": max((each.num_bets + 1 for each in raises if each.seat == decision.seat), default=0),
                "size": size(decision) if decision.act is RAISE else 0,
                "size_faced": size(raises[-1]) if raises else 0,
                **aggression(decisions, number),
            },
        )


def size(decision):
    """A bet or raise in per cent of the pot after a call."""
    return math.floor(Fraction(100 * (decision.put_in - decision.to_call), decision.pot + decision.to_call))


def aggression(decisions, number):
    """Who bet or raised last in the rounds before, and what they did in this one."""
    decision, before = decisions[number], decisions[:number]
    round = decision.round
    earlier = [each for each in before if each.round < round and each.act is RAISE]
    found = dict.fromkeys(("aggressor", "aggressor_behind", "aggressor_checked", "checked_through"), False)
    if round:
        found["checked_through"] = not any(each.round == round - 1 for each in earlier)
        if earlier:
            who = earlier[-1].seat
            theirs = [each for each in before if each.round == round and each.seat == who]
            later = any(each.round == round and each.seat == who for each in decisions[number:])
            found["aggressor"] = who == decision.seat
            found["aggressor_behind"] = who != decision.seat and not theirs and later
            found["aggressor_checked"] = who != decision.seat and bool(theirs) and theirs[0].name == "check"
    return found


def steals(voluntary, seats):
    """Whether the only one who has called or raised before the flop is a player who stole."""
    if len(voluntary) != 1:
        return False
    (first,) = voluntary
    return first.act is RAISE and seats[first.seat] in LATE


def leader(before, street):
    """Who may make a continuation bet in a round: the last raiser before the flop, and of every round since.

    In the rounds after the flop they made the continuation bet, too.
    """
    found = None
    for each in range(street):
        raises = [decision for decision in before if decision.round == each and decision.act is RAISE]
        if not raises or (each and raises[-1].seat != bettor(before, each)):
            return None
        found = raises[-1].seat
    return found


def bettor(before, street):
    """Who made the continuation bet of a round."""
    first = next((decision for decision in before if decision.round == street and decision.act is RAISE), None)
    return first.seat if first is not None and leader(before, street) == first.seat else None


def counted_slowly(statistic, hand):
    """Success and opportunity by seat and round, or by seat."""
    found = {}
    for decision, facts in facts_of(hand):
        if decision.round in statistic.streets:
            where = decision.seat, decision.round if statistic.by_street else None
            could, made = found.get(where, (False, False))
            if eval(statistic.opportunity, {}, dict(facts)):
                could = True
                made = made or bool(eval(statistic.success, {}, dict(facts)))
            found[where] = could, made
    return found


def counted(statistic, hand):
    """The same by what is compiled."""
    places = {name: 10 * k for k, name in enumerate(statistic.blocks())}
    once = [set() for _ in hand.players]
    acts, _ = Replay.of(hand, None).counted
    compile_acts([statistic], places)(acts, positions(hand.spec), once)
    return {
        (seat, street if statistic.by_street else None): (places[name] + 1 in found, places[name] in found)
        for seat, found in enumerate(once)
        for name, street in statistic.blocks().items()
    }


@pytest.mark.parametrize("structure", BettingStructure)
def test_all_statistics_of_acts(structure):
    """Against the words of the documentation, with everything worked out anew at each act.

    In a third of the hands, others for each statistic, and in all where these have no opportunity.
    """
    hands = [hand for hand in ALL if hand.spec.structure is structure]
    for number, statistic in enumerate(statistics(structure).values()):
        if statistic.streets and not statistic.table:
            total = 0
            some = hands[number % 3 :: 3]
            for k, hand in enumerate([*some, *hands]):
                if k >= len(some) and total:
                    break
                slow, fast = counted_slowly(statistic, hand), counted(statistic, hand)
                assert {where: each for where, each in fast.items() if any(each)} == {
                    where: each for where, each in slow.items() if any(each)
                }, (statistic.key, hand.id)
                total += sum(could for could, _ in slow.values())
            assert total, statistic.key


def comparisons():
    numbers = st.sampled_from(
        ["street", "put_in", "to_call", "bets", "bets_to_call", "position", "players", "own_bet", "size", "size_faced"]
    )
    operators = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    return st.builds("{} {} {}".format, numbers, operators, st.integers(0, 6))


def expressions():
    truths = [word for word in ACT if word not in SEATS and word not in ("street", "position", "players")]
    seats = st.lists(st.sampled_from(sorted(SEATS)), min_size=1, unique=True)
    simple = st.one_of(
        st.sampled_from(truths),
        comparisons(),
        seats.map(lambda names: f"position in ({', '.join(names)},)"),
        seats.map(lambda names: f"position not in ({', '.join(names)},)"),
        st.sampled_from(["True", "False", "(put_in + to_call) // 50 > 1", "put_in - to_call >= 0", "bets % 2 == 1"]),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.builds("({} and {})".format, inner, inner),
            st.builds("({} or {})".format, inner, inner),
            st.builds("not ({})".format, inner),
        ),
        max_leaves=6,
    )


@settings(max_examples=300, deadline=None)
@given(
    opportunity=expressions(),
    success=expressions(),
    streets=st.sampled_from([(0,), (1,), (2,), (3,), (1, 2), (1, 3), (1, 2, 3)]),
    hand=st.sampled_from(ALL),
)
def test_any_definition(opportunity, success, streets, hand):
    statistic = Statistic("any", "Any", "any", opportunity, success, streets)
    fast = {where: each for where, each in counted(statistic, hand).items() if any(each)}
    slow = {where: each for where, each in counted_slowly(statistic, hand).items() if any(each)}
    assert fast == slow


def test_words_that_nobody_uses_are_not_kept_up():
    """A definition pays for what it asks alone."""
    few = source_of([Statistic("few", "Few", "few", "to_call", "calls", (0,))], {"few": 2})
    assert "stealer" not in few
    assert "checked" not in few
    assert "for seat, street, act, to_call, bets, bets_to_call, can_raise, put_in, _, pot in acts[first:]" not in few
    names = [name for each in statistics(BettingStructure.LIMIT).values() for name in each.blocks()]
    places = {name: 2 * place for place, name in enumerate(names)}
    whole = source_of(statistics(BettingStructure.LIMIT).values(), places)
    before, after = whole.split("now = 0")
    assert before.count("if to_call:") == 1  # conditions that several definitions have are asked once
    assert after.count("else:") == 2
    assert after.count("if through:") == 1
