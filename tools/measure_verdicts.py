"""Measure how good verdicts are, on hands in which the cards of everybody are known.

    python tools/measure_verdicts.py prices FILE...            # folds that were forecast to bets, and that happened
    python tools/measure_verdicts.py calls FILE...             # the share of the pot that a last call wins
    python tools/measure_verdicts.py lost FILE... --hands 200  # EV lost by players, and EV of acts beside what came
    python tools/measure_verdicts.py fast FILE... --most 200   # decisions of heroes: what `--fast` loses, and times

Every forecast is made before the act, and the reader learns every hand afterwards. Tables are printed in Markdown.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

import pokermodel as pm
from pokermodel.cards import holding_text
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Hand
from pokermodel.players.verdict import VerdictAdviser, _Showdown
from pokermodel.simulation.answers import price_of
from pokermodel.simulation.play_outs import NO_RAKE

PRICES = (0, 0.06, 0.125, 0.18, 0.22, 0.26, 0.3, 0.335, 0.37, 0.41, 0.445, 0.51)


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
                print(f"| {where} | {len(rows):,} | {happened:.1%} | {said:.1%} | {off:+.1%} ± {1.96 * error:.1%} |")


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
            showdown = _Showdown(spot, hand.holdings[asked.seat], NO_RAKE, np.random.SeedSequence(0))
            shares, _ = showdown._shares(showdown.seats)
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
        print(f"| {where} | {len(some):,} | {said:.1%} | {came:.1%} | {off:+.1%} ± {1.96 * error:.1%} | ± {told:.1%} |")


def lost(files: list[str], most: int | None, seconds: float, names: list[str]) -> None:
    """EV lost by player, and what was said of acts beside what came."""
    session = pm.OpponentModeler(folded_tables=True)
    adviser = VerdictAdviser(fast=True)
    by_player: dict[str, list[tuple[object, float, float, float]]] = defaultdict(list)
    by_method: dict[str, list[tuple[object, float, float]]] = defaultdict(list)
    played: dict[str, int] = defaultdict(int)
    for number, (file, hand) in enumerate(hands(files, most, seconds)):
        for seat in hand.holdings:
            name = hand.players[seat]
            if names and name not in names:
                continue
            played[name] += 1
            session.hero = name
            session.start(hand.players)
            session.hold(hand.holdings[seat])
            unit = hand.spec.small_bet
            for decision in hand.replay():
                if decision.seat == seat and not decision.out_of_turn and decision.act in decision.legal:
                    spot = session.spot(decision).held(hand.holdings[seat])
                    also = [] if decision.to is None else [decision.to]
                    seed = np.random.SeedSequence(number, spawn_key=(seat, decision.index))
                    found = adviser.advise(spot, seed, also=also)
                    done, cost = found.of(decision.act, decision.to), found.cost(decision.act, decision.to)
                    came = (hand.payoffs[seat] + decision.committed[seat]) / unit
                    key = file, hand.id
                    if decision.act != Act.FOLD:
                        by_method[done.method].append((key, done.ev, came))
                    if cost is not None:
                        close = found.close(decision.act, decision.to)
                        by_player[name].append((key, cost.value, 0.0 if close else cost.value, cost.standard_error))
                session.observe(decision)
        session.hero = None
        session.learn(hand)
    print("\n| player | hands | decisions | sure errors, bb/100 hands | best less done, bb/100 hands |")
    print("|---|---|---|---|---|")
    for name, rows in sorted(by_player.items(), key=lambda each: -played[each[0]]):
        of = 100 * len(rows) / played[name]
        sure, error = clustered([(key, value) for key, _, value, _ in rows])
        raw, other = clustered([(key, value) for key, value, _, _ in rows])
        cells = f"{sure * of:.1f} ± {1.96 * error * of:.1f} | {raw * of:.1f} ± {1.96 * other * of:.1f}"
        print(f"| {name} | {played[name]:,} | {len(rows):,} | {cells} |")
    print("\n| method | acts, no folds | EV said, bb | came, bb | difference |")
    print("|---|---|---|---|---|")
    for method, acts in sorted(by_method.items()):
        said, _ = clustered([(key, ev) for key, ev, _ in acts])
        came, _ = clustered([(key, value) for key, _, value in acts])
        off, error = clustered([(key, value - ev) for key, ev, value in acts])
        print(f"| {method} | {len(acts):,} | {said:+.2f} | {came:+.2f} | {off:+.2f} ± {1.96 * error:.2f} |")


def fast(files: list[str], most: int | None, seconds: float) -> None:
    """What is lost by doing what the fast way says, judged by the full one; and processor time of both."""
    session = pm.OpponentModeler(folded_tables=True)
    advisers = VerdictAdviser(fast=True), VerdictAdviser("turn")
    begun, times = time.monotonic(), [0.0, 0.0]
    rows: list[tuple[str, float, float, float, bool]] = []
    for number, (_, hand) in enumerate(hands(files, None, seconds)):
        name = hand.hero
        if name is not None and name in hand.players and hand.players.index(name) in hand.holdings:
            seat = hand.players.index(name)
            session.hero = name
            session.start(hand.players)
            session.hold(hand.holdings[seat])
            for decision in hand.replay():
                over = most is not None and len(rows) >= most
                asked = decision.seat == seat and not decision.out_of_turn and decision.act in decision.legal
                if asked and not over and time.monotonic() - begun < seconds:
                    spot = session.spot(decision).held(hand.holdings[seat])
                    also = [] if decision.to is None else [decision.to]
                    found = []
                    for k, adviser in enumerate(advisers):
                        start = time.process_time()
                        found.append(adviser.advise(spot, np.random.SeedSequence(number), also=also))
                        times[k] += time.process_time() - start
                    quick, full = found
                    # the full way looks at other sizes, too: its best among what both look at
                    both = [each for each in full.acts if (each.act, each.to) in {(q.act, q.to) for q in quick.acts}]
                    if both and any((each.act, each.to) == (quick.best.act, quick.best.to) for each in both):
                        best = max(both, key=lambda each: each.ev)
                        done = full.of(quick.best.act, quick.best.to)
                        pot = decision.pot / hand.spec.small_bet
                        street = ("pre-flop", "flop", "turn", "river")[decision.round]
                        rows.append((street, best.ev - done.ev, pot, full.best.ev - done.ev, done is best))
                session.observe(decision)
        session.hero = None
        session.learn(hand)
        if most is not None and len(rows) >= most:
            break
    columns = "street", "decisions", "the same act", "lost, bb a decision", "by sizes left out, bb", "lost, of the pot"
    print(f"\n| {' | '.join(columns)} |")
    print("|---|---|---|---|---|---|")
    for street in ("pre-flop", "flop", "turn", "river", "all"):
        some = [row for row in rows if street in (row[0], "all")]
        if not some:
            continue
        lost, error = clustered([(k, row[1]) for k, row in enumerate(some)])
        sizes = math.fsum(row[3] - row[1] for row in some) / len(some)
        of_pot = math.fsum(row[1] for row in some) / math.fsum(row[2] for row in some)
        same = sum(row[4] for row in some) / len(some)
        print(f"| {street} | {len(some)} | {same:.0%} | {lost:.3f} ± {1.96 * error:.3f} | {sizes:.3f} | {of_pot:.2%} |")
    n = max(len(rows), 1)
    print(f"\nProcessor time a decision: {times[0] / n:.2f} s fast, {times[1] / n:.2f} s full.")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prices", "calls", "lost", "fast"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--hands", type=int, help="most hands")
    parser.add_argument("--most", type=int, help="most decisions, of `fast`")
    parser.add_argument("--seconds", type=float, default=1e9, help="time after which to stop")
    parser.add_argument(
        "--players", default="", help="names with commas between them; default: all whose cards are known"
    )
    given = parser.parse_args()
    if given.what == "lost":
        lost(given.files, given.hands, given.seconds, [name for name in given.players.split(",") if name])
    elif given.what == "fast":
        fast(given.files, given.most, given.seconds)
    else:
        {"prices": prices, "calls": calls}[given.what](given.files, given.hands, given.seconds)


if __name__ == "__main__":
    main()
