"""What the adaptive reader says of choices, given the cards: by situation, by seats, and by what is held.

    python -m tools.measure.choices FILE... [--prior PRIOR] [--from N] [--to N] [--frozen]

Hands go by in the order in which they were played; each is learnt after it was looked at, from what is public.

- *nats*: the log-loss of what was done, by the table of the player, and with their holding where it is known.
- *pairs of seats*: folds, calls and raises of those who face one raise and no caller, as foretold and as done.
- *all fold*: how often everybody folds to the first raise, by the seat it comes from: the product, seat after seat, of
  folds when all before have folded.
- *groups*: how often a group of holdings calls and raises before the flop.
- *bits*: by how much more likely than at random the true holding is, after the last act of those who do not fold.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.measures import holding_bits
from pokermodel.cards import holding_index, shared_live_holdings
from pokermodel.game import Act, Hand, positions, seat_names
from pokermodel.histories import open_hands
from pokermodel.ranges import parse_range
from pokermodel.reading import OpponentModeler, Prior, read_prior
from pokermodel.scoring import LEAST_PROBABILITY, LEAST_SHARE
from tools.measure.equities import whole

Floats = NDArray[np.float64]

_STREETS = ("before the flop", "flop", "turn", "river")
_GROUPS = ("AA", "KK-QQ", "77-55", "AKs,AKo", "A5s-A2s", "T9s,98s,87s,76s,65s", "KJo,QJo,KTo")
_LEAST_CASES = 50


class Choice(NamedTuple):
    """An act, and what was forecast of it.

    Attributes
    ----------
    hand : int
    situation : str
    seat, opener : str
        Where who acts sits, and who raised first; empty if nobody did.
    alone : bool
        Whether one raise is faced that nobody has called.
    dealt : int
    holding : int
        -1 if it is not known.
    act : int
    forecast : ndarray of float64, shape (3,)
        By the table.
    given : ndarray of float64, shape (3,), or None
        With the holding.
    """

    hand: int
    situation: str
    seat: str
    opener: str
    alone: bool
    dealt: int
    holding: int
    act: int
    forecast: Floats
    given: Floats | None


class Choices(NamedTuple):
    """What is known of the acts of some hands, and bits of those who did not fold."""

    acts: list[Choice]
    bits: list[float]


def choices_of(hands: Iterable[Hand], prior: Prior | None = None, *, warmup: int = 0, frozen: bool = False) -> Choices:
    """Look at the acts of hands, after so many that are learnt alone; frozen, nothing is learnt."""
    told: dict[str, Any] = {} if prior is None else {"prior": prior}
    session = OpponentModeler("adaptive", calibrated=False, **told)
    session.learning = False  # but for what follows
    found = Choices([], [])
    for number, hand in enumerate(hands):
        decisions = list(hand.replay())
        if number >= warmup:
            _look_at(session, number, hand, decisions, found)
        if not frozen:
            session.learn(hand.public(), decisions)
    return found


def _look_at(session: OpponentModeler, number: int, hand: Hand, decisions: Sequence[Any], found: Choices) -> None:
    names = seat_names(positions(hand.spec))
    held = {seat: holding_index(cards) for seat, cards in hand.holdings.items()}
    raises, callers, opener = 0, 0, -1
    last: dict[int, tuple[tuple[int, ...], Floats]] = {}
    folded: set[int] = set()
    session.start(hand.players)
    for decision in decisions:
        situation = decision.situation
        seat = situation.seat
        if not decision.out_of_turn and decision.act in situation.legal and len(situation.legal) > 1:
            expected = session.expect(situation)
            holding = held.get(seat, -1)
            found.acts.append(
                Choice(
                    number,
                    _situation(situation, raises),
                    names[seat],
                    names[opener] if opener >= 0 and not situation.round else "",
                    raises == 1 and not callers and not situation.round,
                    len(hand.players),
                    holding,
                    int(decision.act),
                    _shares(expected.predicted, situation.legal),
                    None if holding < 0 else _shares(expected.with_holding(holding), situation.legal),
                )
            )
        session.observe(decision)
        if decision.act == Act.FOLD:
            folded.add(seat)
        elif not decision.out_of_turn:
            last[seat] = situation.board, session.weights(seat)
        if not situation.round and decision.act == Act.RAISE:
            opener = seat if raises == 0 and not callers else opener
            raises += 1
        elif not situation.round and decision.act == Act.CALL and situation.to_call and raises < 2:
            callers += 1
    for seat, (board, weights) in last.items():
        if seat in held and seat not in folded:
            live = np.ascontiguousarray(shared_live_holdings(board)).view(np.uint8)
            gained = holding_bits(np.ascontiguousarray(weights, dtype=np.float64), live, held[seat], LEAST_SHARE)
            if gained is not None:
                found.bits.append(gained)


def _situation(situation: Any, raises: int) -> str:
    if situation.to_call and len(situation.all_in) and len(situation.legal) == 2 and Act.FOLD in situation.legal:
        return f"{_STREETS[situation.round]}, all-in or fold"
    if situation.round:
        return f"{_STREETS[situation.round]}, {'facing a bet' if situation.to_call else 'no bet'}"
    return f"before the flop, {('no raise', 'one raise')[raises] if raises < 2 else 'more raises'}"


def _shares(chances: Any, legal: Sequence[Act]) -> Floats:
    found = np.maximum(np.asarray(chances, dtype=np.float64), LEAST_PROBABILITY)
    found *= [act in legal for act in Act]
    return found / found.sum()


def nats(acts: Sequence[Choice], of: Callable[[Choice], Floats | None]) -> tuple[float, float]:
    """The mean log-loss, and its standard error over hands."""
    by_hand: defaultdict[int, list[float]] = defaultdict(list)
    for each in acts:
        chances = of(each)
        assert chances is not None
        by_hand[each.hand].append(-math.log(chances[each.act]))
    sums, counts = (
        np.array([sum(each) for each in by_hand.values()]),
        np.array([len(each) for each in by_hand.values()]),
    )
    mean = float(sums.sum() / counts.sum())
    return mean, float(np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum())


def shares(acts: Sequence[Choice], of: Callable[[Choice], Floats | None]) -> tuple[Floats, Floats]:
    """How often each act was foretold, and how often it was done."""
    return np.mean([of(each) for each in acts], axis=0), np.bincount([each.act for each in acts], minlength=3) / len(
        acts
    )


def all_fold(acts: Sequence[Choice]) -> dict[tuple[int, str], tuple[int, float, float]]:
    """By players dealt in and the opener's seat: opens, and how often all fold to them, as foretold and as done."""
    reached: defaultdict[tuple[int, str], dict[str, list[Choice]]] = defaultdict(dict)
    standing: dict[int, bool] = {}  # whether everybody has folded so far
    for each in acts:
        if not each.alone or not each.opener or each.seat == each.opener or not standing.get(each.hand, True):
            continue
        reached[each.dealt, each.opener].setdefault(each.seat, []).append(each)
        standing[each.hand] = each.act == Act.FOLD
    found = {}
    for key, seats in reached.items():
        pairs = [shares(some, lambda each: each.forecast) for some in seats.values()]
        found[key] = (
            max(map(len, seats.values())),
            math.prod(float(foretold[0]) for foretold, _ in pairs),
            math.prod(float(done[0]) for _, done in pairs),
        )
    return found


def show(name: str, found: Choices) -> None:
    """Print the tables of some hands."""
    known = [each for each in found.acts if each.given is not None]
    print(f"{name}: {len(found.acts)} acts, cards known of {len(known)}; {len(found.bits)} that do not fold", end="")
    print(f", bits {np.mean(found.bits):.4f}" if found.bits else "")
    parts = {"before the flop": "before the flop", "after it": ("flop", "turn", "river"), "all": ""}
    for part, first in parts.items():
        _row(part, [each for each in found.acts if each.situation.startswith(first)])
    for situation in sorted({each.situation for each in found.acts}):
        _row(f"  {situation}", [each for each in found.acts if each.situation == situation])
    pairs: defaultdict[tuple[str, str], list[Choice]] = defaultdict(list)
    for each in found.acts:
        if each.alone and each.opener and each.opener != each.seat:
            pairs[each.opener, each.seat].append(each)
    for (opener, seat), some in sorted(pairs.items()):
        if len(some) >= _LEAST_CASES:
            foretold, done = shares(some, lambda each: each.forecast)
            print(f"  {seat} facing {opener}: {len(some)}, foretold {_three(foretold)}, done {_three(done)}")
    for (dealt, opener), (opens, foretold, done) in sorted(all_fold(found.acts).items()):
        if opens >= _LEAST_CASES:
            print(f"  all fold to {opener} of {dealt}: {opens} opens, foretold {foretold:.3f}, done {done:.3f}")
    for situation in ("before the flop, one raise", "before the flop, more raises"):
        for group in _GROUPS:
            inside = np.flatnonzero(parse_range(group))
            some = [each for each in known if each.situation == situation and each.holding in set(inside.tolist())]
            if some:
                foretold, done = shares(some, lambda each: each.given)
                print(f"  {group}, {situation}: {len(some)}, foretold {_three(foretold)}, done {_three(done)}")


def _three(chances: Floats) -> str:
    return " ".join(f"{each:.3f}" for each in chances)


def _row(name: str, acts: Sequence[Choice]) -> None:
    if not acts:
        return
    known = [each for each in acts if each.given is not None]
    forecast, error = nats(acts, lambda each: each.forecast)
    text = f"{name}: {len(acts)}, forecast {forecast:.4f} ± {1.96 * error:.4f}"
    if known:
        given, error = nats(known, lambda each: each.given)
        text += f"; {len(known)} with the holding {given:.4f} ± {1.96 * error:.4f}"
    print(text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure.choices", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--prior", help="a prior; default: the one that ships")
    parser.add_argument("--from", dest="first", type=int, default=0, help="look at none of so many hands before")
    parser.add_argument("--to", dest="last", type=int, help="stop after so many hands in all")
    parser.add_argument("--frozen", action="store_true", help="learn nothing")
    options = parser.parse_args(arguments)
    prior = None if options.prior is None else read_prior(options.prior)
    for file in options.files:
        hands = islice(whole(open_hands(file, strict=False)), options.last)
        show(file, choices_of(hands, prior, warmup=options.first, frozen=options.frozen))


if __name__ == "__main__":
    main()
