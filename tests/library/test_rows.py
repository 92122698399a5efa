"""Rows of hands: that the figures of all of them together are those of each hand by itself."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.game import BettingStructure, Hand, positions
from pokermodel.game.pot_types import pot_type
from pokermodel.learning.definitions import Statistic, other_statistics, registry, statistics
from pokermodel.learning.evidence import check_hand
from pokermodel.library.bits import A_PAIR, bits_of
from pokermodel.library.rows import ALL_IN_BLINDS, BOMB, Place, Rows, rows_of
from pokermodel.reading.features import Replay
from tests.common.random_hands import plain_hand, wild_hand
from tests.library.test_bits import counted, counted_slowly

STRUCTURES = list(BettingStructure)


def rows(*hands: Hand, **options: object) -> Rows:
    return rows_of([(hand, Place()) for hand in hands], **options)  # type: ignore[arg-type]


def pair(found: Rows, name: str, seat: int, bits: dict[str, int] | None = None) -> tuple[int, int]:
    """Whether a seat did something, and could have."""
    of, bit = divmod((bits or bits_of(registry()))[name], A_PAIR)
    return int(found.did[of][seat] >> bit & 1), int(found.could[of][seat] >> bit & 1)


def acts_of(packed: int) -> list[list[list[int]]]:
    """As `Counts.acts` has them."""
    found = []
    for street in range(4):
        part = packed >> 14 * street
        quiet = [part >> 2 & 1, part & 1, part >> 1 & 1]
        found.append([quiet, [part >> 3 & 1, part >> 4 & 31, part >> 9 & 31]])
    return found


NAMES = [name for each in registry() if each.streets and not each.table for name in each.blocks()]


def depth(hand: Hand, seat: int) -> int:
    """How deep a seat sits, in hundredths of a big blind."""
    stacks = list(hand.stacks or [None] * len(hand.players))
    own = stacks.pop(seat)
    others = [stack for stack in stacks if stack is not None]
    if own is None or (None in stacks and max(others, default=-1) < own):
        return -1
    return 100 * min(own, max(others)) // hand.spec.small_bet


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=6))
def test_seats_have_what_a_hand_says_of_its_players(seeds):
    hands = [(plain_hand if seed % 4 == 0 else wild_hand)(random.Random(seed), k) for k, seed in enumerate(seeds)]
    found = rows(*hands)
    assert len(found.hands) == len(hands)
    assert found.kept == list(range(len(hands)))
    at = 0
    for number, hand in enumerate(hands):
        structure, unit = hand.spec.structure, 1e6 / hand.spec.small_bet
        assert found.of_hands["structure"][number] == STRUCTURES.index(structure)
        decisions, seats = check_hand(hand), positions(hand.spec)
        evs, paid = hand.all_in_ev_chips, hand.rake_paid_chips
        (told,) = counted([each for each in statistics(structure).values() if each.streets and not each.table], [hand])
        for seat in range(len(hand.players)):
            for name in NAMES:
                assert pair(found, name, at) == (told.get((seat, name), False), (seat, name) in told)
            acts = np.zeros((4, 2, 3), dtype=int)
            for decision in decisions:
                if decision.seat == seat and not decision.out_of_turn:
                    acts[decision.round, int(decision.to_call > 0), decision.act] += 1
            of = {name: int(column[at]) for name, column in found.of_seats.items()}
            assert acts_of(of["acts"]) == acts.tolist()
            assert of["net"] == round(hand.net_chips[seat] * unit)
            assert of["position"] == seats[seat]
            if of["all_in"] != 2:
                assert of["ev"] == pytest.approx(evs[seat] * unit, abs=1)
            assert of["rake"] == (-1 if hand.rake_chips is None else pytest.approx(paid[seat] * unit, abs=1))
            assert of["depth"] == depth(hand, seat)
            numbers = np.frombuffer(found.details[at], dtype="<u2").tolist()
            acts_in_turn = [each for each in Replay.of(hand, decisions).counted[0] if each[0] == seat]
            if structure.fixed:
                assert numbers == [3 * each[8] + each[2] for each in acts_in_turn]
            at += 1
    assert at == len(found.lines) == len(found.cards) == found.could.shape[1] == len(found.details)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_hands_have_what_a_hand_says(seed):
    hand = wild_hand(random.Random(seed))
    found = rows(hand)
    of = {name: int(column[0]) for name, column in found.of_hands.items()}
    kinds = {0: "walk", 1: "limped", 2: "single-raised", BOMB: "bomb", ALL_IN_BLINDS: "all-in blinds"}
    assert kinds.get(of["kind"], f"{of['kind']}-bet") == pot_type(hand)
    assert of["pot"] == round(hand.pot_chips * 1e6 / hand.spec.small_bet)
    assert of["street"] == hand.last_round
    assert of["showdown"] == hand.showdown
    rake = hand.rake_chips
    assert of["rake"] == (-1 if rake is None else round(rake * 1e6 / hand.spec.small_bet))
    last = [hand.last_round] * len(hand.players)
    lines: list[list[str]] = [[] for _ in hand.players]
    for each in hand.replay():
        if each.act == pm.Act.FOLD:
            last[each.seat] = each.round
        if not each.out_of_turn:
            line = lines[each.seat]
            line += "/" * (each.round - line.count("/"))
            line.append("f" if each.act == 0 else ("xc" if each.act == 1 else "br")[each.to_call > 0])
    assert found.of_seats["street"].tolist() == last
    assert found.lines == ["".join(line)[:63] for line in lines]


def test_a_line_of_betting_has_no_folds_before_the_flop():
    found = rows(pm.example_hand())
    assert found.hands[0].line.startswith("o c 3b c c c / x x x b r f c")
    assert found.hands[0].players == pm.example_hand().players


def test_equal_hands_have_one_identity():
    one, other = wild_hand(random.Random(1), 1), wild_hand(random.Random(1), 1)
    found = rows(one, other, wild_hand(random.Random(2), 1), wild_hand(random.Random(1), 2))
    identities = [row.identity for row in found.hands]
    assert identities[0] == identities[1]
    assert len(set(identities)) == 3


def test_what_breaks_the_rules_is_left_out_whole():
    good = wild_hand(random.Random(5), 5)
    example = pm.example_hand()
    unfinished = pm.Hand(*("t", "1", example.spec, example.players), example.actions[:3], (), {})
    wrong = pm.Hand(*("t", "2", example.spec, example.players), [(9, pm.Act.CALL)], (), {})
    skipped: list[ValueError] = []
    found = rows(unfinished, good, wrong, skipped=skipped)
    assert [str(error)[:6] for error in skipped] == ["hand 1", "hand 2"]
    alone = rows(good)
    assert found.lines == alone.lines
    assert found.could.tolist() == alone.could.tolist()
    assert {name: column.tolist() for name, column in found.of_seats.items()} == {
        name: column.tolist() for name, column in alone.of_seats.items()
    }
    for hand in unfinished, wrong:
        with pytest.raises(ValueError, match=f"hand {hand.id}"):
            rows(hand)


def test_no_hands_have_no_rows():
    found = rows()
    assert not found.hands
    assert all(not len(column) for column in (*found.of_hands.values(), *found.of_seats.values()))


def test_any_number_of_statistics_has_its_bits():
    """More than 63, which take another pair, and expressions of all kinds that a definition may have."""
    texts = [
        *("raises and not (calls or folds)", "bets * 2 - 1 in (1, 3)", "1 <= bets < 3", "put_in // 3 % 2 == 1"),
        *("position not in (small_blind, button)", "-bets == -1", "raises + calls == 1", "put_in", "size > 50"),
    ]
    more = [
        Statistic(f"s{k}", f"S{k}", "some / all", "can_raise", texts[k % len(texts)], streets=(k % 4,))
        for k in range(70)
    ]
    hands = [wild_hand(random.Random(seed), seed) for seed in range(40)]
    with other_statistics(*more):
        found = rows(*hands)
        bits = bits_of(registry())
    assert len(found.could) == 2
    at = 0
    for hand in hands:
        told = {where: did for each in more for where, did in counted_slowly(each, hand).items()}
        for seat in range(len(hand.players)):
            for each in more:
                assert pair(found, each.key, at, bits) == (told.get((seat, each.key), False), (seat, each.key) in told)
            at += 1
