"""Whether ranges are true where it costs most: equities against bets on the river, as they were and as they came.

    python -m tools.measure.equities FILE... [--prior PRIOR] [--from N] [--to N] [--frozen] [--sizes]

Hands go by in the order in which they were played; each is learnt after it was looked at. At each bet or raise on a
river of two whose cards are all known, the reader `adaptive` has a table of the one who bet. Without the cards of the
other one, that table says how often these win: their equity. What came is 1, or a half for a tie, or 0.

- *off by*: the mean distance between equities and what came, by tenths of equity; *by chance*, what that would be were
  all tables true.
- *bluffs*: bets with less strength than a half. What is forecast of them is beside how often they came; its log-loss is
  beside that of the base rate, which says of each bet how often bluffs came in all.
- *nats*: the log-loss of the holding of the one who bet.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel import BoardAnalysis
from pokermodel.cards import holding_index, live_holdings
from pokermodel.game import Act, Decision, Hand
from pokermodel.histories import open_hands
from pokermodel.reading import SIZE_CLASSES, OpponentModeler, Prior, read_prior, read_reader
from pokermodel.reading.adaptive.sizes import size_class
from pokermodel.scoring import LEAST_PROBABILITY

Floats = NDArray[np.float64]

TENTHS, HALF = 10, 0.5
_ROUNDED = 9  # decimals of strengths, so that ties are ties
_LEAST = 1e-9
_TIMES = 200  # that what would come by chance is drawn


class Bet(NamedTuple):
    """A bet or raise on the river.

    Attributes
    ----------
    hand : int
        Number of the hand.
    size : int
        Class of sizes; -1 where bets have none.
    raised : bool
        Whether it raised a bet.
    equity, came : float
        Of the one who faces it.
    forecast : float
        How likely it was held to be a bluff.
    bluff : bool
    held : float
        How likely the holding was held to be.
    """

    hand: int
    size: int
    raised: bool
    equity: float
    came: float
    forecast: float
    bluff: bool
    held: float


def whole(hands: Iterable[Hand]) -> Iterable[Hand]:
    """Leave out hands that break the rules."""
    for hand in hands:
        try:
            for _ in hand.replay():
                pass
            _ = hand.payoffs
        except ValueError:
            continue
        yield hand


def bets_of(hands: Iterable[Hand], prior: Prior | None = None, *, warmup: int = 0, frozen: bool = False) -> list[Bet]:
    """Look at the river bets of hands, after so many that are learnt alone."""
    told: dict[str, Any] = {} if prior is None else {"prior": prior}
    session = OpponentModeler("adaptive", calibrated=read_reader("adaptive")[0].corrected, **told)
    session.learning = False  # but for what follows
    found: list[Bet] = []
    for number, hand in enumerate(hands):
        decisions = list(hand.replay())
        if number >= warmup:
            found += _bets(session, number, hand, decisions)
        if number < warmup or not frozen:
            session.learn(hand.public(), decisions)
    return found


def _bets(session: OpponentModeler, number: int, hand: Hand, decisions: Sequence[Decision]) -> Iterable[Bet]:
    river = [each for each in decisions if each.situation.round == 3]
    seats = {each.situation.seat for each in river}
    if len(seats) != 2 or not seats <= hand.holdings.keys() or all(each.act != Act.RAISE for each in river):
        return
    strengths = np.asarray(BoardAnalysis(hand.board).uniform_strengths, dtype=np.float64)
    strengths = np.nan_to_num(strengths, nan=-1.0).round(_ROUNDED)
    held = {seat: holding_index(hand.holdings[seat]) for seat in seats}
    session.start(hand.players)
    for decision, _ in zip(decisions, session.steps(decisions), strict=True):
        situation = decision.situation
        if situation.round != 3 or decision.act != Act.RAISE or len(situation.active) != 2:
            continue
        (other,) = seats - {situation.seat}
        table = np.where(live_holdings(hand.holdings[other]), session.weights(situation.seat), 0.0)
        if not table.sum() > 0:
            continue
        table /= table.sum()
        mine, theirs = strengths[held[other]], strengths[held[situation.seat]]
        size = -1
        if not situation.spec.structure.fixed:
            assert decision.to is not None
            size = size_class(situation, decision.to)
        yield Bet(
            number,
            size,
            situation.to_call > 0,
            float(table @ ((strengths < mine) + HALF * (strengths == mine))),
            float(theirs < mine) + HALF * float(theirs == mine),
            float(table @ (strengths < HALF)),
            bool(theirs < HALF),
            float(table[held[situation.seat]]),
        )


def distance(equities: Floats, came: Floats) -> float:
    """The mean distance between equities and what came, by tenths."""
    tenths = np.minimum((equities * TENTHS).astype(np.intp), TENTHS - 1)
    return float(np.abs(np.bincount(tenths, equities - came, TENTHS)).sum() / len(equities))


def by_chance(equities: Floats, times: int = _TIMES) -> float:
    """The distance that is to be expected of true equities."""
    draws = np.random.default_rng(1).random((times, len(equities)))
    return float(np.mean([distance(equities, (each < equities).astype(np.float64)) for each in draws]))


def log_loss(forecasts: Floats, came: Floats) -> float:
    """The mean log-loss of what comes or does not, in nats."""
    likely = np.clip(np.where(came > 0, forecasts, 1.0 - forecasts), LEAST_PROBABILITY, 1.0)
    return float(-np.log(likely).mean())


def summary(bets: Sequence[Bet]) -> dict[str, float]:
    """What is printed of bets."""
    equities, came = np.array([bet.equity for bet in bets]), np.array([bet.came for bet in bets])
    forecasts, bluffs = np.array([bet.forecast for bet in bets]), np.array([float(bet.bluff) for bet in bets])
    return {
        "bets": len(bets),
        "equity": float(equities.mean()),
        "came": float(came.mean()),
        "off by": distance(equities, came),
        "by chance": by_chance(equities),
        "bluffs": float(forecasts.mean()),
        "bluffed": float(bluffs.mean()),
        "loss": log_loss(forecasts, bluffs),
        "base rate": log_loss(np.full(len(bets), bluffs.mean()), bluffs),
        "nats": float(-np.log(np.maximum([bet.held for bet in bets], _LEAST)).mean()),
    }


def show(name: str, bets: Sequence[Bet]) -> None:
    """Print a row."""
    if not bets:
        print(f"{name}: no bet on a river whose cards are known")
        return
    told = summary(bets)
    print(
        f"{name}: {told['bets']} bets, equity {told['equity']:.3f} and came {told['came']:.3f}, "
        f"off by {told['off by']:.1%} (by chance {told['by chance']:.1%}), "
        f"bluffs {told['bluffs']:.3f} and came {told['bluffed']:.3f}, "
        f"log-loss {told['loss']:.4f} (base rate {told['base rate']:.4f}), holding {told['nats']:.3f} nats"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure.equities", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--prior", help="a prior; default: the one that ships")
    parser.add_argument("--from", dest="first", type=int, default=0, help="learn so many hands before")
    parser.add_argument("--to", dest="last", type=int, help="stop after so many hands in all")
    parser.add_argument("--frozen", action="store_true", help="learn nothing of hands that are looked at")
    parser.add_argument("--sizes", action="store_true", help="also by class of sizes, bets and raises, and tenths")
    options = parser.parse_args(arguments)
    prior = None if options.prior is None else read_prior(options.prior)
    for file in options.files:
        hands = islice(whole(open_hands(file, strict=False)), options.last)
        bets = bets_of(hands, prior, warmup=options.first, frozen=options.frozen)
        show(file, bets)
        if not options.sizes or not bets:
            continue
        for raised, name in enumerate(("bets", "raises")):
            show(f"  {name}", [bet for bet in bets if bet.raised == bool(raised)])
        for size, name in enumerate(SIZE_CLASSES):
            if some := [bet for bet in bets if bet.size == size]:
                show(f"  {name}", some)
        for tenth in range(TENTHS):
            some = [bet for bet in bets if min(int(bet.equity * TENTHS), TENTHS - 1) == tenth]
            if some:
                equity, came = np.mean([bet.equity for bet in some]), np.mean([bet.came for bet in some])
                print(f"  equity {equity:.2f}, came {came:.2f}: {len(some)} bets")


if __name__ == "__main__":
    main()
