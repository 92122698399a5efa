"""Statistics of players, counted in plain Python, statistic by statistic: what the compiled walk is held against."""

from __future__ import annotations

import struct
from bisect import bisect
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

from pokermodel._core.evaluator import evaluate
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.evaluation.hand_types import HAND_TYPES, hand_type
from pokermodel.game import Act, Decision, GameSpec, Hand, positions
from pokermodel.learning.bet_sizes import SIZES, SizeKind
from pokermodel.learning.statistics import (
    _AT,
    _FIRST,
    CONTEXTS,
    DEPTH_EDGES,
    DEPTHS,
    FLOPS,
    PAGES,
    POSITIONS,
    SHOWDOWN,
    Contribution,
)
from pokermodel.reading.features import RICH, Replay
from pokermodel.reading.parts.contexts import COARSE

__all__ = ["packed", "textbook_contributions"]

_HANDS = _AT["hands"]
_VPIP, _PFR, _THREE_BETS = _AT["vpip"], _AT["pfr"], _AT["three_bets"]
_VPIP_CHANCES, _PFR_CHANCES, _THREE_BET_CHANCES = _AT["vpip_chances"], _AT["pfr_chances"], _AT["three_bet_chances"]
_FLOPS_WON = _AT["flops_won"]
_SHOWDOWNS_WON = _AT["showdowns_won"]
_POSITIONS, _LINES = _FIRST["positions"], _FIRST["postflop_lines"]
_SHOWN, _SHOWN_PREFLOP, _SHOWN_POSTFLOP = _FIRST["showdowns"], _FIRST["shown_preflop"], _FIRST["shown_postflop"]
_STEALS, _STEAL_CHANCES = _AT["steals"], _AT["steal_chances"]
_FOLDS_TO_STEAL, _STEALS_FACED = _AT["folds_to_steal"], _AT["steals_faced"]
_FOLDS_TO_THREE_BET, _THREE_BETS_FACED = _AT["folds_to_three_bet"], _AT["three_bets_faced"]
_FOUR_BETS, _FOUR_BET_CHANCES = _AT["four_bets"], _AT["four_bet_chances"]
_SQUEEZES, _SQUEEZE_CHANCES = _AT["squeezes"], _AT["squeeze_chances"]
_ACTS, _DEPTHS, _SIZES = _FIRST["acts"], _FIRST["depths"], _FIRST["sizes"]
_SMALL_BLIND, _BIG_BLIND, _EARLY, _MIDDLE, _CUTOFF, _BUTTON = range(len(POSITIONS))
_STEALING = frozenset((_SMALL_BLIND, _CUTOFF, _BUTTON))
_UNKNOWN_DEPTH = len(DEPTHS) - 1
_OPEN, _PREFLOP, *_LATER = SIZES.values()


def packed(*players: tuple[int, Sequence[int]]) -> bytes:
    """Winnings and counters of players as `HandCounts.added` has them."""
    return b"".join(struct.pack(f"<qH{len(counters)}H", won, len(counters), *counters) for won, counters in players)


def textbook_contributions(hand: Hand, decisions: Sequence[Decision]) -> tuple[Contribution, ...]:
    """Count one hand, one statistic after the other."""
    players = len(hand.players)
    seats = positions(hand.spec)
    page, fixed = PAGES[hand.spec.structure], hand.spec.structure.fixed
    counters = [[_HANDS, _POSITIONS + seat] for seat in seats]
    reached: list[set[int]] = [set() for _ in range(players)]
    if fixed:
        _count_actions(Replay.of(hand, decisions), counters)
    else:
        _count_sizes(hand, decisions, counters)
        _count_reraises(decisions, reached)
    preflop, raiser = _count_before_flop(decisions, seats, reached)
    _count_after_flop(decisions[preflop:], raiser, counters)
    at_showdown = _count_results(hand, decisions, reached)
    for found, also in zip(counters, reached, strict=True):
        found += sorted(also)
    if at_showdown:
        _count_shown(hand, decisions if fixed else (), counters)
    if page:
        counters = [[page + counter for counter in found] for found in counters]
    small_bet = hand.spec.small_bet
    return tuple(
        [
            Contribution(name, round(payoff * 1_000_000 / small_bet), tuple(found))
            for name, payoff, found in zip(hand.players, hand.payoffs, counters, strict=True)
        ]
    )


def _count_actions(replay: Replay, counters: Sequence[list[int]]) -> None:
    """Count in which context each action was done."""
    for decision, features in zip(replay, replay.features, strict=True):
        if decision.out_of_turn:
            continue
        context, act = RICH.encode(features), int(decision.act)
        # as `PlayerCounts.actions` is indexed, and by the richer context
        counters[decision.situation.seat] += (context // COARSE * 3 + act, CONTEXTS + 3 * context + act)


def _count_sizes(hand: Hand, decisions: Sequence[Decision], counters: Sequence[list[int]]) -> None:
    """Count how deep each player sits, acts without their contexts, and the sizes of bets and raises."""
    for seat, found in enumerate(counters):
        found.append(_DEPTHS + _depth(hand, seat))
    for decision in decisions:
        if not decision.out_of_turn:
            situation = decision.situation
            counters[situation.seat].append(
                _ACTS + 6 * situation.round + 3 * (situation.to_call > 0) + int(decision.act)
            )
    for seat, counter in _size_counters(hand.spec, decisions):
        counters[seat].append(_SIZES + counter)


def _depth(hand: Hand, seat: int) -> int:
    """How deep a player sits, as an index into `DEPTHS`."""
    stacks = hand.stacks or ()
    own = stacks[seat] if stacks else None
    others = [stack for other, stack in enumerate(stacks) if other != seat]
    known = [stack for stack in others if stack is not None]
    covered = max(known, default=0)
    if own is None or (covered < own and len(known) < len(others)):
        return _UNKNOWN_DEPTH
    return bisect([edge * hand.spec.small_bet for edge in DEPTH_EDGES], min(own, covered))


def _count_reraises(decisions: Sequence[Decision], reached: Sequence[set[int]]) -> None:
    """Count fourth bets and squeezes before the flop, each once."""
    called = False  # whether the last raise has been called
    for decision in decisions:
        situation, act = decision.situation, decision.act
        if situation.round:
            return
        if decision.out_of_turn:
            continue
        raises = act is Act.RAISE
        if situation.to_call and (raises or Act.RAISE in situation.legal):
            found, bets = reached[situation.seat], situation.num_bets
            if bets == 3:
                found.add(_FOUR_BET_CHANCES)
                if raises:
                    found.add(_FOUR_BETS)
            elif bets == 2 and called:
                found.add(_SQUEEZE_CHANCES)
                if raises:
                    found.add(_SQUEEZES)
        if raises:
            called = False
        elif act is Act.CALL and situation.num_bets > 1 and decision.put_in:
            called = True


def _count_before_flop(
    decisions: Sequence[Decision], seats: Sequence[int], reached: Sequence[set[int]]
) -> tuple[int, int]:
    """Count what was done before the flop, each once; return how many acts that were, and who raised last or -1."""
    fold, call, raise_ = Act
    unopened = True  # nobody has called or raised
    stealer = opener = raiser = -1  # who raised when all before them had folded; who made the first raise, and the last
    for number, decision in enumerate(decisions):
        situation, act = decision.situation, decision.act
        if situation.round:
            return number, raiser
        if decision.out_of_turn:
            continue
        seat, bets, to_call = situation.seat, situation.num_bets, situation.to_call
        found = reached[seat]
        found.add(_VPIP_CHANCES)
        raises = act is raise_
        can_raise = raises or raise_ in situation.legal  # some raises are made that nobody can call any more
        if can_raise:
            found.add(_PFR_CHANCES)
            if bets == 2 and to_call:
                found.add(_THREE_BET_CHANCES)
                if raises:
                    found.add(_THREE_BETS)
        if bets == 3 and seat == opener and to_call:
            found.add(_THREE_BETS_FACED)
            if act is fold:
                found.add(_FOLDS_TO_THREE_BET)
        if unopened:
            if can_raise and seats[seat] in _STEALING:
                found.add(_STEAL_CHANCES)
                if raises:
                    found.add(_STEALS)
                    stealer = seat
            unopened = act is fold
        elif stealer >= 0:
            if to_call and seats[seat] <= _BIG_BLIND:
                found.add(_STEALS_FACED)
                if act is fold:
                    found.add(_FOLDS_TO_STEAL)
            if act is not fold:
                stealer = -1
        if raises:
            found.update((_VPIP, _PFR))
            raiser = seat
            if bets == 1:
                opener = seat
        elif act is call and decision.put_in > 0:
            found.add(_VPIP)
    return len(decisions), raiser


def _count_after_flop(decisions: Sequence[Decision], raiser: int, counters: Sequence[list[int]]) -> None:
    """Count continuation bets and check-raises, and folds to them, given who raised last before the flop."""
    fold, call, raise_ = Act
    street = 0
    leader = bettor = -1  # who may make a continuation bet in this round, and who has made one
    checked: set[int] = set()
    faced: set[int] = set()
    for decision in decisions:
        if decision.out_of_turn:
            continue
        situation, act = decision.situation, decision.act
        seat, to_call = situation.seat, situation.to_call
        if situation.round != street:
            # who was raised after a continuation bet, or made none, does not continue in the next round
            leader = raiser if street == 0 or raiser == bettor else -1
            street = situation.round
            line = _LINES + 6 * (street - 1)
            raiser = bettor = -1
            checked.clear()
            faced.clear()
        raises = act is raise_
        if not to_call:
            if seat == leader and (raises or raise_ in situation.legal):
                counters[seat].append(line + 1)
                if raises:
                    counters[seat].append(line)
                    bettor = seat
            if act is call:
                checked.add(seat)
        else:
            if raiser == bettor >= 0 and situation.num_bets == 1 and seat not in faced:
                faced.add(seat)
                counters[seat].append(line + 3)
                if act is fold:
                    counters[seat].append(line + 2)
            if seat in checked:
                checked.remove(seat)
                if raises or raise_ in situation.legal:
                    counters[seat].append(line + 5)
                    if raises:
                        counters[seat].append(line + 4)
        if raises:
            raiser = seat


def _count_results(hand: Hand, decisions: Sequence[Decision], reached: Sequence[set[int]]) -> bool:
    """Count flops and showdowns, seen and won; return whether there was a showdown."""
    fold = Act.FOLD
    folds = {decision.situation.seat: decision.situation.round for decision in decisions if decision.act is fold}
    folded_preflop = list(folds.values()).count(0)
    flop, showdown = len(reached) - folded_preflop > 1, len(reached) - len(folds) > 1
    if not flop:
        return showdown
    invested = _invested(hand, decisions)
    *_, second, most = sorted(invested)
    for seat, (payoff, found) in enumerate(zip(hand.payoffs, reached, strict=True)):
        last = folds.get(seat, 4)
        if last == 0:
            continue
        # what comes back of a bet that nobody could call was not won
        won = payoff + min(invested[seat], second if invested[seat] == most else most) > 1e-6
        found.add(FLOPS)
        if won:
            found.add(_FLOPS_WON)
        if showdown and last == 4:
            found.add(SHOWDOWN)
            if won:
                found.add(_SHOWDOWNS_WON)
    return showdown


def _invested(hand: Hand, decisions: Sequence[Decision]) -> list[int]:
    """Chips that each seat put in."""
    if not decisions:
        return _forced(hand)
    situation = decisions[-1].situation
    chips = list(situation.committed)
    chips[situation.seat] += decisions[-1].put_in
    return chips


def _forced(hand: Hand) -> list[int]:
    """Blinds and antes, as far as they could be paid."""
    due = [sum(money) for money in zip_longest(hand.spec.blinds, hand.spec.antes, fillvalue=0)]
    stacks = hand.stacks or [None] * len(due)
    return [money if stack is None else min(money, stack) for money, stack in zip(due, stacks, strict=True)]


def _count_shown(hand: Hand, decisions: Sequence[Decision], counters: Sequence[list[int]]) -> None:
    """Count the holdings that were shown, and what was done with them."""
    shown = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    classes = {seat: int(CLASS_OF_HOLDING[holding_index(holding)]) for seat, holding in shown.items()}
    for seat, number in classes.items():
        counters[seat].append(_SHOWN + number)
    for decision in decisions:
        seat = decision.seat
        if seat not in shown or decision.out_of_turn:
            continue
        situation, act = decision.situation, int(decision.act)
        bets = situation.facing
        if situation.round == 0:
            counters[seat].append(_SHOWN_PREFLOP + (bets * 2 + act - 1) * 169 + classes[seat])
        else:
            made = hand_type(evaluate(situation.board + shown[seat]))
            first = _SHOWN_POSTFLOP + (((situation.round - 1) * 3 + bets) * 2 + act - 1) * len(HAND_TYPES)
            counters[seat].append(first + made)


def _size_counters(spec: GameSpec, decisions: Sequence[Decision]) -> Iterator[tuple[int, int]]:
    """Count the sizes of a hand's bets and raises."""
    big_blind = spec.small_bet
    straddled = max(spec.blinds) > big_blind
    unopened = True  # nobody has called or raised before the flop
    for decision in decisions:
        if decision.out_of_turn:
            continue
        situation = decision.situation
        if decision.act is Act.RAISE:
            seat, to_call, put_in = situation.seat, situation.to_call, decision.put_in
            all_in = put_in == situation.stacks[seat]
            pot = situation.pot + to_call
            if situation.round:
                kind = _LATER[2 * (situation.round - 1) + (situation.num_bets > 0)]
            else:
                kind = _PREFLOP
                if unopened and not straddled:
                    yield from _count(seat, _OPEN, Fraction(situation.in_round + put_in, big_blind), all_in)
            if pot:  # without blinds there is nothing that a bet is a share of
                yield from _count(seat, kind, Fraction(put_in - to_call, pot), all_in)
        unopened &= decision.act is Act.FOLD


def _count(seat: int, kind: SizeKind, size: Fraction, all_in: bool) -> Iterator[tuple[int, int]]:
    if all_in:
        yield seat, kind.all_in
    else:
        yield seat, kind.first + kind.scale.class_of(size)
        yield seat, kind.bins + kind.scale.bin_of(size)
