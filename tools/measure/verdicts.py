"""Measure how good verdicts are, on hands in which the cards of everybody are known.

    python -m tools.measure.verdicts prices FILE...            # folds that were forecast to bets, and that happened
    python -m tools.measure.verdicts folds FILE...             # the same by what was held, and how far odds are off
    python -m tools.measure.verdicts raises FILE...            # the same of bets and raises
    python -m tools.measure.verdicts calls FILE...             # the share of the pot that a last call wins
    python -m tools.measure.verdicts values FILE...            # EV of actions beside what came, by tenths

Every forecast is made before the act, and the reader learns every hand afterwards. Tables are printed in Markdown.
`tools.measure.instrument` measures the verdicts themselves, where the truth of every action is known.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

import pokermodel as pm
from pokermodel._support.arrays import Floats
from pokermodel.cards import holding_index, holding_text
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Hand
from pokermodel.worth.answers import answer, price_of
from pokermodel.worth.showdown import Showdown
from pokermodel.worth.verdict import VerdictAdviser

SURE = 2.0  # standard errors that are printed
PRICES = (0, 0.06, 0.125, 0.18, 0.22, 0.26, 0.3, 0.335, 0.37, 0.41, 0.445, 0.51)
# of tables by what was held: prices, the share of holdings that are weaker, and answers below which nothing is said
WIDE, STRENGTHS, FEW = (0, 0.2, 0.27, 0.35, 1), (0, 0.5, 0.8, 0.9, 0.97, 1.01), 20
ALL_IN = len(WIDE)
STREETS = ("pre-flop", "flop", "turn", "river")


def hands(files: list[str], most: int | None, seconds: float) -> Iterator[tuple[str, Hand]]:
    """Hands of no limit, until there are so many or the time is over."""
    begun, count = time.monotonic(), 0
    for file in files:
        for hand in pm.open_hands(file, strict=False):
            if hand.spec.structure.fixed:
                continue
            if (most is not None and count >= most) or time.monotonic() - begun > seconds:
                return
            count += 1
            yield file, hand


def clustered(values: list[tuple[object, float]]) -> tuple[float, float]:
    """The mean, and its standard error over hands."""
    sums: dict[object, float] = defaultdict(float)
    mean = math.fsum(value for _, value in values) / len(values)
    for key, value in values:
        sums[key] += value - mean
    return mean, math.sqrt(math.fsum(each * each for each in sums.values())) / len(values)


def prices(files: list[str], most: int | None, seconds: float) -> None:
    """Folds by price."""
    session = pm.OpponentModeler()
    found: dict[tuple[bool, int], list[tuple[object, float, float]]] = defaultdict(list)
    for file, hand in hands(files, most, seconds):
        session.start(hand.players)
        for decision in hand.replay():
            if decision.to_call and not decision.out_of_turn:
                place = int(np.searchsorted(PRICES, price_of(decision.situation), side="right")) - 1
                forecast = float(session.predict(decision)[Act.FOLD])
                key = file, hand.id
                found[decision.round > 0, place].append((key, float(decision.act == Act.FOLD), forecast))
            session.observe(decision)
        session.learn(hand)
    for later in (False, True):
        print(f"\n| price, {'after' if later else 'before'} the flop | answers | folded | forecast | difference |")
        print("|---|---|---|---|---|")
        for (street, place), rows in sorted(found.items()):
            if street == later:
                happened, _ = clustered([(key, done) for key, done, _ in rows])
                said, _ = clustered([(key, forecast) for key, _, forecast in rows])
                off, error = clustered([(key, done - forecast) for key, done, forecast in rows])
                where = f"{PRICES[place]:.1%} to {PRICES[place + 1]:.1%}"
                print(f"| {where} | {len(rows):,} | {happened:.1%} | {said:.1%} | {off:+.1%} ± {SURE * error:.1%} |")


def shift(forecasts: Floats, happened: float) -> tuple[float, float]:
    """By how much the logarithms of odds have to be moved so that as many folds are forecast, and its variance."""
    odds = np.log(forecasts / (1.0 - forecasts))
    moved = 0.0
    # half a fold and half an answer more, so that it is finite where nobody folds, or everybody does
    wanted = (happened + 0.5) * len(odds) / (len(odds) + 1.0)
    for _ in range(60):
        chances = 1.0 / (1.0 + np.exp(-odds - moved))
        step = (wanted - chances.sum()) / max((chances * (1.0 - chances)).sum(), 1e-9)
        moved += float(np.clip(step, -1.0, 1.0))
    return moved, 1.0 / max(float((chances * (1.0 - chances)).sum()), 1e-9)


def spread(found: list[tuple[float, float]]) -> float:
    """The standard deviation of what lies behind estimates with variances (DerSimonian and Laird 1986)."""
    values, weights = np.array([value for value, _ in found]), np.array([1.0 / of for _, of in found])
    away = (weights * (values - np.average(values, weights=weights)) ** 2).sum()
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    return math.sqrt(max(0.0, float(away) - len(found) + 1) / float(scale))


def held(files: list[str], most: int | None, seconds: float, act: Act) -> None:
    """Acts by street, price and what was held; and how far their odds are off from cell to cell."""
    session = pm.OpponentModeler(folded_tables=True)
    found: dict[tuple[int, int, int], list[tuple[object, float, float]]] = defaultdict(list)
    by_player: dict[bool, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for file, hand in hands(files, most, seconds):
        session.start(hand.players)
        for decision in hand.replay():
            situation = decision.situation
            choice = act in situation.legal and (act != Act.FOLD or decision.to_call)
            if decision.seat in hand.holdings and choice and not decision.out_of_turn:
                spot, holding = session.spot(decision), holding_index(hand.holdings[decision.seat])
                board = situation.board
                strengths = shared_analysis(board).uniform_strengths if board else income_shares()
                left = (situation.stacks_before or [None] * len(hand.players))[situation.seat]
                all_in = left is not None and situation.to_call >= left - situation.committed[situation.seat]
                price = ALL_IN if all_in else int(np.searchsorted(WIDE, price_of(situation), side="right")) - 1
                strength = int(np.searchsorted(STRENGTHS, strengths[holding], side="right")) - 1
                forecast = float(np.clip(answer(session.reader, spot)[holding, act], 1e-4, 1 - 1e-4))
                cell = decision.round, price, strength
                found[cell].append(((file, hand.id), float(decision.act == act), forecast))
                by_player[decision.round > 0][decision.player].append((float(decision.act == act), forecast))
            session.observe(decision)
        session.learn(hand)
    print("\n| street | price | holdings that are weaker | answers | did it | forecast | difference |")
    print("|---|---|---|---|---|---|---|")
    shifts: dict[bool, list[tuple[float, float]]] = defaultdict(list)
    for (street, price, strength), rows in sorted(found.items()):
        if len(rows) < FEW:
            continue
        happened, _ = clustered([(key, done) for key, done, _ in rows])
        said, _ = clustered([(key, forecast) for key, _, forecast in rows])
        off, error = clustered([(key, done - forecast) for key, done, forecast in rows])
        shifts[price == ALL_IN].append(shift(np.array([row[2] for row in rows]), happened * len(rows)))
        at = "all-in" if price == ALL_IN else f"{WIDE[price]:.1%} to {WIDE[price + 1]:.1%}"
        cells = f"{STREETS[street]} | {at} | {STRENGTHS[strength]:.0%} to {STRENGTHS[strength + 1]:.0%} | {len(rows):,}"
        print(f"| {cells} | {happened:.1%} | {said:.1%} | {off:+.1%} ± {SURE * error:.1%} |")
    for all_in, some in sorted(shifts.items()):
        where = "when it is for all chips" if all_in else "elsewhere"
        mean = math.fsum(value / of for value, of in some) / math.fsum(1.0 / of for _, of in some)
        print(f"\nLogarithms of odds, {where}: off by {mean:+.2f}, and from cell to cell by {spread(some):.2f}.")
    for later, by_name in sorted(by_player.items()):
        people = [np.array(rows) for rows in by_name.values() if len(rows) >= FEW]
        if len(people) > 1:
            off = spread([shift(rows[:, 1], float(rows[:, 0].sum())) for rows in people])
            where = "after" if later else "before"
            print(f"\nFrom one of {len(people)} players to the next, {where} the flop: by {off:.2f}.")


def calls(files: list[str], most: int | None, seconds: float) -> None:
    """The share of the pot of calls after which nobody bets, by tenths of what was forecast."""
    session = pm.OpponentModeler(folded_tables=False)
    rows: list[tuple[object, float, float, float]] = []
    for file, hand in hands(files, most, seconds):
        if len(hand.holdings) < len(hand.players):
            continue
        last = [d for d in hand.replay() if d.to_call and not d.out_of_turn]
        session.hero = None
        for asked in last:
            state = None
            session.hero = asked.player
            session.start(hand.players)
            session.hold(hand.holdings[asked.seat])
            for decision in hand.replay():
                if decision.index == asked.index:
                    spot = session.spot(decision).held(hand.holdings[asked.seat])
                    state = spot.state.copy()
                    state.act(Act.CALL)
                    break
                session.observe(decision)
            if state is None or not state.over or not state.showdown:
                continue
            showdown = Showdown(spot, spot.villains(), rng=0)
            shares, _ = showdown.shares(showdown.seats)
            known = [holding_text(hand.holdings[seat]) for seat in (asked.seat, *showdown.seats)]
            true = float(equity(known, asked.board, jobs=1).equity[0])
            rows.append(((file, hand.id), shares[1], true, abs(shares[2] - shares[0]) / 2))
        session.hero = None
        session.learn(hand)
    print("\n| forecast share | calls offered | forecast | came (the others' cards up) | difference | said error |")
    print("|---|---|---|---|---|---|")
    groups: dict[int, list[tuple[object, float, float, float]]] = defaultdict(list)
    for row in rows:
        groups[min(int(10 * row[1]), 9)].append(row)
    for place, some in [*sorted(groups.items()), (-1, rows)]:
        if not some:
            continue
        said, _ = clustered([(key, forecast) for key, forecast, _, _ in some])
        came, _ = clustered([(key, true) for key, _, true, _ in some])
        off, error = clustered([(key, true - forecast) for key, forecast, true, _ in some])
        told = math.fsum(each[3] for each in some) / len(some)
        where = "all" if place < 0 else f"{place / 10:.0%} to {(place + 1) / 10:.0%}"
        print(f"| {where} | {len(some):,} | {said:.1%} | {came:.1%} | {off:+.1%} ± {SURE * error:.1%} | ± {told:.1%} |")


def values(files: list[str], most: int | None, seconds: float, names: list[str]) -> None:
    """What actions were worth by verdicts beside what came, by method and by tenths of that."""
    session, adviser = pm.OpponentModeler(folded_tables=True), VerdictAdviser(fast=True)
    rows: dict[str, list[tuple[object, float, float]]] = defaultdict(list)
    for number, (file, hand) in enumerate(hands(files, most, seconds)):
        for seat in hand.holdings:
            if names and hand.players[seat] not in names:
                continue
            session.hero = hand.players[seat]
            session.start(hand.players)
            session.hold(hand.holdings[seat])
            for decision in hand.replay():
                mine = decision.seat == seat and not decision.out_of_turn and decision.act in decision.legal
                if mine and decision.act != Act.FOLD:
                    spot = session.spot(decision).held(hand.holdings[seat])
                    seed = np.random.SeedSequence(number, spawn_key=(seat, decision.index))
                    with suppress(ValueError):  # no holding of an opponent is left
                        made = adviser.judge(spot, decision.act, decision.to, seed).made
                        if made is not None and made.seen:
                            came = (hand.payoffs[seat] + decision.committed[seat]) / hand.spec.small_bet
                            rows[made.method].append(((file, hand.id), made.ev, came))
                session.observe(decision)
        session.hero = None
        session.learn(hand)
    print("\n| method | EV by verdicts | actions | EV, bb | came, bb | difference |\n|---|---|---|---|---|---|")
    for method, found in sorted(rows.items()):
        order = sorted(found, key=lambda row: row[1])
        tenths = [order[k * len(order) // 10 : (k + 1) * len(order) // 10] for k in range(10)]
        for k, some in enumerate((*tenths, order)):
            if some:
                ev, came = (math.fsum(some_) / len(some) for some_ in zip(*(row[1:] for row in some), strict=True))
                off, error = clustered([(key, came_ - ev_) for key, ev_, came_ in some])
                cells = f"{method} | {'all' if k == 10 else f'tenth {k + 1}'} | {len(some):,} | {ev:+.2f} | {came:+.2f}"
                print(f"| {cells} | {off:+.2f} ± {SURE * error:.2f} |")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prices", "folds", "raises", "calls", "values"])
    parser.add_argument("files", nargs="+", help="hand histories")
    parser.add_argument("--hands", type=int, help="most hands")
    parser.add_argument("--seconds", type=float, default=1e9, help="time after which to stop")
    parser.add_argument("--players", default="", help="of `values`: names with commas between them; default: all")
    given = parser.parse_args()
    if given.what == "values":
        names = [name for name in given.players.split(",") if name]
        values(given.files, given.hands, given.seconds, names)
    else:
        held_acts = {"folds": Act.FOLD, "raises": Act.RAISE}
        if given.what in held_acts:
            held(given.files, given.hands, given.seconds, held_acts[given.what])
        else:
            {"prices": prices, "calls": calls}[given.what](given.files, given.hands, given.seconds)


if __name__ == "__main__":
    main()
