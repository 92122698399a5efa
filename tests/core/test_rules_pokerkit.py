"""The rules against PokerKit's hold'em: same seat to act, choices, sizes of raises, chips and payoffs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import total_ordering
from typing import Any

import phevaluator
import pokerkit
import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem
from pokerkit.games import PotLimitPokerMixin

from pokermodel.game import Act, BettingStructure, GameSpec, State

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def strength(hole: Any, board: Any) -> int:
    """phevaluator's rank of PokerKit's cards, turned round: larger is better."""
    return -phevaluator.evaluate_cards(*(repr(card) for card in (*hole, *board)))


@total_ordering
class QuickHand(pokerkit.StandardHighHand):
    """PokerKit's hand ranked by phevaluator, since its own ranking takes three quarters of the time."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __eq__(self, other: Any) -> bool:
        return self.value == other.value

    def __lt__(self, other: Any) -> bool:
        return self.value < other.value

    def __hash__(self) -> int:
        return hash(self.value)

    @classmethod
    def from_game(cls, hole: Any, board: Any = ()) -> QuickHand:
        return cls(strength(hole, board))


class PotLimitTexasHoldem(PotLimitPokerMixin, NoLimitTexasHoldem):
    """What PokerKit has for Omaha, with two cards."""


GAMES: dict[BettingStructure, Any] = {
    BettingStructure.LIMIT: FixedLimitTexasHoldem,
    BettingStructure.POT_LIMIT: PotLimitTexasHoldem,
    BettingStructure.NO_LIMIT: NoLimitTexasHoldem,
}
QUICK_GAMES = {structure: type("Quick", (game,), {"hand_types": (QuickHand,)}) for structure, game in GAMES.items()}


def random_game(structure: BettingStructure, rng: random.Random) -> tuple[GameSpec, list[int]]:
    """Blinds 5/10, often antes, and stacks of which most are short."""
    players = rng.randint(2, 10)
    usual = GameSpec.heads_up(5, 10, button=1) if players == 2 else GameSpec.ring(players, 5, 10)
    antes = rng.choice([(), (), (3,) * players, tuple(rng.randint(0, 4) for _ in range(players))])
    spec = GameSpec(
        usual.blinds,
        usual.bets if structure.fixed else (10,) * 4,
        usual.first,
        # PokerKit allows four raises over the big blind
        max_raises=(4,) * 4 if structure.fixed else structure.max_raises,
        antes=antes,
        full_blind=False,
        reopening="full",
        structure=structure,
    )
    deep = rng.choice([30, 60, 120, 400])
    stacks = [rng.randint(1, deep) for _ in range(players)]
    if not structure.fixed and players > 2 and rng.random() < 0.2:
        straddled = (5, 10, 20, *(0,) * (players - 3))
        spec = replace(spec, blinds=straddled, first=(3 % players, *spec.first[1:]))
    return spec, stacks


def forgets_short_raises(theirs: Any) -> bool:
    """Whether PokerKit (0.7.7) lets a player who acted before face a full raise, and not raise.

    It forgets short all-ins once they add up to a full raise, and compares only those after it with one. By the rule
    that both follow (Tournament Directors Association 2022, rule 47) it matters what the player faces in all.
    """
    return (
        theirs.checking_or_calling_amount >= theirs.completion_betting_or_raising_amount
        and 0 < sum(theirs.consecutive_short_all_in_amounts) < theirs.completion_betting_or_raising_amount
        and theirs.actor_index in theirs.acted_player_indices
    )


def play(structure: BettingStructure, seed: int, games: dict[BettingStructure, Any] = QUICK_GAMES) -> set[str]:
    """Play one random hand in both, and say what occurred in it."""
    rng = random.Random(seed)
    random.seed(seed)  # PokerKit's deck
    spec, stacks = random_game(structure, rng)
    two = spec.players == 2
    theirs = games[structure].create_state(
        AUTOMATIONS,
        False,  # antes go to the main pot
        (spec.antes[::-1] if two else spec.antes) or 0,  # PokerKit turns round what two players post
        (5, 10) if two else spec.blinds,
        *((10, 20) if structure.fixed else (10,)),
        stacks,
        spec.players,
        divmod=lambda pot, winners: (Fraction(pot, winners), 0),
    )
    hole = [tuple(cards) for cards in theirs.hole_cards]
    ours = State(spec, stacks)
    boldness, caution = rng.random(), rng.random() / 3
    acts = 0
    seen = set()
    while theirs.status:
        assert not ours.over
        assert ours.seat == theirs.actor_index
        assert ours.round == theirs.street_index
        assert ours.pot == theirs.total_pot_amount
        assert ours.to_call == theirs.checking_or_calling_amount
        expected = {Act.CALL}
        if theirs.can_fold():
            expected.add(Act.FOLD)
        least = theirs.min_completion_betting_or_raising_to_amount
        most = theirs.max_completion_betting_or_raising_to_amount
        if least is not None:
            expected.add(Act.RAISE)
        if set(ours.legal()) - expected == {Act.RAISE} and forgets_short_raises(theirs):
            seen.add("short raises forgotten")  # nor is a raise tried
        else:
            assert set(ours.legal()) == expected
            assert ours.raise_range() == (None if least is None else (least, most))
        seat, before = ours.seat, theirs.bets[ours.seat]
        if Act.RAISE in expected and rng.random() < boldness:
            to = least if structure.fixed else rng.choice([least, most, rng.randint(least, most), min(most, 2 * least)])
            theirs.complete_bet_or_raise_to(to)
            assert ours.act(Act.RAISE, None if structure.fixed else to) == to - before
            seen.add("between" if least < to < most else "an end")
        elif Act.FOLD in expected and rng.random() < caution:
            theirs.fold()
            assert ours.act(Act.FOLD) == 0
        else:
            theirs.check_or_call()
            ours.act(Act.CALL)
        if theirs.status:
            assert ours.stacks[seat] == theirs.stacks[seat]
        acts += 1
    assert ours.over
    ranks = None
    if ours.showdown:
        board = [card for cards in theirs.board_cards for card in cards]
        ranks = [strength(cards, board) for cards in hole]
    payoffs = ours.payoffs(ranks)
    assert payoffs == pytest.approx([float(payoff) for payoff in theirs.payoffs], abs=1e-9)
    assert sum(payoffs) == pytest.approx(0, abs=1e-9)
    return seen | {
        "showdown" if ours.showdown else "no showdown",
        "all-in" if ours.all_in else "nobody all-in",
        "side pot" if ours.showdown and len({ours.committed[seat] for seat in ours.active}) > 1 else "one pot",
        "odd" if any(payoff % 1 for payoff in payoffs) else "even",
        "nothing to do" if not acts else "played",
        "straddled" if max(spec.blinds) > 10 else "not straddled",
    }


@pytest.mark.native
def test_few_hands_with_pokerkits_own_ranking() -> None:
    seen = set().union(*(play(BettingStructure.LIMIT, seed, GAMES) for seed in range(60)))
    assert {"showdown", "no showdown", "all-in", "nobody all-in", "side pot", "one pot", "even"} <= seen


@pytest.mark.native
@pytest.mark.parametrize("structure", [BettingStructure.POT_LIMIT, BettingStructure.NO_LIMIT])
def test_few_hands_with_sizes(structure: BettingStructure) -> None:
    seen = set().union(*(play(structure, seed) for seed in range(160)))
    assert {"showdown", "no showdown", "all-in", "nobody all-in", "side pot", "one pot", "between", "an end"} <= seen
    assert {"straddled", "not straddled"} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("structure", BettingStructure)
@pytest.mark.parametrize("part", range(10), ids="part{}".format)
def test_many_hands(structure: BettingStructure, part: int) -> None:
    start = 1_000_000 * (part + 1)
    hands = 1_000 if structure.fixed else 500
    seen = set().union(*(play(structure, seed) for seed in range(start, start + hands)))
    assert {"side pot", "odd", "even", "nothing to do"} <= seen
