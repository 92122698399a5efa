"""Bits of many hands at once are what definitions say, act by act."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.game import POSITIONS, BettingStructure, positions
from pokermodel.learning.definitions import ACT, Statistic, statistics
from pokermodel.library.bits import A_PAIR, bits_of, mark_acts
from pokermodel.library.rows import acts_of, words_of
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
    """Success and opportunity by seat and name of the count, where there was a chance."""
    names, found = {street: name for name, street in statistic.blocks().items()}, {}
    for decision, facts in facts_of(hand):
        if decision.round in statistic.streets and eval(statistic.opportunity, {}, dict(facts)):
            where = decision.seat, names[decision.round]
            found[where] = found.get(where, False) or bool(eval(statistic.success, {}, dict(facts)))
    return found


def counted(some, hands):
    """Marks of several statistics in hands of one structure, with a bit for each: a list by hand."""
    bits, acts, first = bits_of(some), [], 0
    for hand in hands:
        acts.append(acts_of(hand))
        acts[-1][:, 0] += first
        first += len(hand.players)
    structures = np.full(first, tuple(BettingStructure).index(hands[0].spec.structure))
    could, did = mark_acts(some, bits, structures, words_of(np.concatenate(acts)))
    row, found = 0, []
    for hand in hands:
        of = {}
        for seat in range(len(hand.players)):
            for name, (pair, bit) in {name: divmod(bit, A_PAIR) for name, bit in bits.items()}.items():
                if could[pair, row + seat] >> bit & 1:
                    of[seat, name] = bool(did[pair, row + seat] >> bit & 1)
                else:
                    assert not did[pair, row + seat] >> bit & 1
        found.append(of)
        row += len(hand.players)
    return found


@pytest.mark.parametrize("structure", BettingStructure)
def test_all_statistics_of_acts(structure):
    """Against the words of the documentation, with everything worked out anew at each act.

    In a third of the hands, others for each statistic, and in all where these have no opportunity.
    """
    hands = [hand for hand in ALL if hand.spec.structure is structure]
    of_acts = [each for each in statistics(structure).values() if each.streets and not each.table]
    fast = counted(of_acts, hands)
    for number, statistic in enumerate(of_acts):
        total, some = 0, range(number % 3, len(hands), 3)
        for k in [*some, *range(len(hands))]:
            slow = counted_slowly(statistic, hands[k])
            assert {where: did for where, did in fast[k].items() if where[1] in statistic.blocks()} == slow
            total += len(slow)
            if k == some[-1] and total:
                break
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
    assert counted([statistic], [hand]) == [counted_slowly(statistic, hand)]
