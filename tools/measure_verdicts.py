"""Measure how good verdicts are, on hands in which the cards of everybody are known.

    python tools/measure_verdicts.py prices FILE...            # folds that were forecast to bets, and that happened
    python tools/measure_verdicts.py folds FILE...             # the same by what was held, and how far odds are off
    python tools/measure_verdicts.py calls FILE...             # the share of the pot that a last call wins
    python tools/measure_verdicts.py lost FILE... --hands 200  # EV lost by players, and EV of acts beside what came
    python tools/measure_verdicts.py table PLAYER --hands 500  # what acts lose in the arena that verdicts call errors
    python tools/measure_verdicts.py fast FILE... --most 200   # decisions of heroes: what `--fast` loses, and times

Every forecast is made before the act, and the reader learns every hand afterwards. Tables are printed in Markdown.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

import pokermodel as pm
from pokermodel._support.arrays import Floats
from pokermodel.arena.table import Deal, TableHand, deal_cards, play_hand
from pokermodel.cards import holding_index, holding_text
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, GameSpec, Hand
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View
from pokermodel.players.registry import make_player
from pokermodel.players.verdict import VerdictAdviser
from pokermodel.simulation.answers import answer, price_of
from pokermodel.simulation.showdown import Showdown

SURE = 2.0  # standard errors that are printed
PRICES = (0, 0.06, 0.125, 0.18, 0.22, 0.26, 0.3, 0.335, 0.37, 0.41, 0.445, 0.51)
# of tables by what was held: prices, the share of holdings that are weaker, and answers below which nothing is said
WIDE, STRENGTHS, FEW = (0, 0.2, 0.27, 0.35, 1), (0, 0.5, 0.8, 0.9, 0.97, 1.01), 20
ALL_IN = len(WIDE)
STREETS = ("pre-flop", "flop", "turn", "river")
SEATS, AGAIN = 4, 8  # at the table, and cards to come that are dealt anew


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


def folds(files: list[str], most: int | None, seconds: float) -> None:
    """Folds by street, price and what was held; and how far the odds of folds are off from cell to cell."""
    session = pm.OpponentModeler(folded_tables=True)
    found: dict[tuple[int, int, int], list[tuple[object, float, float]]] = defaultdict(list)
    by_player: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for file, hand in hands(files, most, seconds):
        session.start(hand.players)
        for decision in hand.replay():
            situation = decision.situation
            if decision.seat in hand.holdings and decision.to_call and not decision.out_of_turn:
                spot, held = session.spot(decision), holding_index(hand.holdings[decision.seat])
                board = situation.board
                strengths = shared_analysis(board).uniform_strengths if board else income_shares()
                left = (situation.stacks_before or [None] * len(hand.players))[situation.seat]
                all_in = left is not None and situation.to_call >= left - situation.committed[situation.seat]
                price = ALL_IN if all_in else int(np.searchsorted(WIDE, price_of(situation), side="right")) - 1
                strength = int(np.searchsorted(STRENGTHS, strengths[held], side="right")) - 1
                forecast = float(np.clip(answer(session.reader, spot)[held, Act.FOLD], 1e-4, 1 - 1e-4))
                cell = decision.round, price, strength
                found[cell].append(((file, hand.id), float(decision.act == Act.FOLD), forecast))
                if decision.round:
                    by_player[decision.player].append((float(decision.act == Act.FOLD), forecast))
            session.observe(decision)
        session.learn(hand)
    print("\n| street | price | holdings that are weaker | answers | folded | forecast | difference |")
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
    people = [np.array(rows) for rows in by_player.values() if len(rows) >= FEW]
    if len(people) > 1:
        some = [shift(rows[:, 1], float(rows[:, 0].sum())) for rows in people]
        print(f"\nFrom one of {len(people)} players to the next, after the flop: by {spread(some):.2f}.")


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
            showdown = Showdown(spot, rng=0)
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
                    try:
                        found = adviser.advise(spot, seed, also=also)
                    except ValueError as error:
                        print(f"hand {hand.id}, act {decision.index + 1} is left out: {error}", file=sys.stderr)
                        session.observe(decision)
                        continue
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
    groups = [(name, played[name], rows) for name, rows in by_player.items()]
    everybody = [row for rows in by_player.values() for row in rows]
    for name, dealt, rows in [*sorted(groups, key=lambda each: -each[1]), ("all", sum(played.values()), everybody)]:
        of = 100 * len(rows) / dealt
        sure, error = clustered([(key, value) for key, _, value, _ in rows])
        raw, other = clustered([(key, value) for key, value, _, _ in rows])
        cells = f"{sure * of:.1f} ± {SURE * error * of:.1f} | {raw * of:.1f} ± {SURE * other * of:.1f}"
        print(f"| {name} | {dealt:,} | {len(rows):,} | {cells} |")
    print("\n| method | acts, no folds | EV said, bb | came, bb | difference |")
    print("|---|---|---|---|---|")
    for method, acts in sorted(by_method.items()):
        said, _ = clustered([(key, ev) for key, ev, _ in acts])
        came, _ = clustered([(key, value) for key, _, value in acts])
        off, error = clustered([(key, value - ev) for key, ev, value in acts])
        print(f"| {method} | {len(acts):,} | {said:+.2f} | {came:+.2f} | {off:+.2f} ± {SURE * error:.2f} |")


def fast(files: list[str], most: int | None, seconds: float, names: list[str], only: str | None) -> None:
    """What is lost by doing what the fast way says, judged by the full one; and processor time of both.

    Decisions are those of heroes, or of players who are named; of all streets, or of one.
    """
    session = pm.OpponentModeler(folded_tables=True)
    advisers = VerdictAdviser(fast=True), VerdictAdviser("turn")
    begun, times = time.monotonic(), [0.0, 0.0]
    rows: list[tuple[str, float, float, float, bool]] = []
    for number, (_, hand) in enumerate(hands(files, None, seconds)):
        name = next((each for each in names if each in hand.players), hand.hero)
        if name is not None and name in hand.players and hand.players.index(name) in hand.holdings:
            seat = hand.players.index(name)
            session.hero = name
            session.start(hand.players)
            session.hold(hand.holdings[seat])
            for decision in hand.replay():
                over = most is not None and len(rows) >= most
                asked = decision.seat == seat and not decision.out_of_turn and decision.act in decision.legal
                asked = asked and only in (None, STREETS[decision.round])
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
                        street = STREETS[decision.round]
                        rows.append((street, best.ev - done.ev, pot, full.best.ev - done.ev, done is best))
                session.observe(decision)
        session.hero = None
        session.learn(hand)
        if most is not None and len(rows) >= most:
            break
    columns = "street", "decisions", "the same act", "lost, bb a decision", "by sizes left out, bb", "lost, of the pot"
    print(f"\n| {' | '.join(columns)} |")
    print("|---|---|---|---|---|---|")
    for street in (*STREETS, "all"):
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


class Once(Player):
    """Another player, who does at one decision what is said."""

    structures = ALL_STRUCTURES

    def __init__(self, player: Player, index: int, answer_: Answer) -> None:
        self.player, self.index, self.answer = player, index, answer_

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self.player.begin(start)

    def act(self, view: View) -> Act | Answer:  # noqa: D102
        own = self.player.act(view)
        return self.answer if view.index == self.index else own

    def observe(self, decision: Decision) -> None:  # noqa: D102
        self.player.observe(decision)

    def end(self, end: HandEnd) -> None:  # noqa: D102
        self.player.end(end)


def table(kind: str, most: int | None, seconds: float) -> None:
    """Acts that verdicts find worse than another, played again with the other act: the same cards and opponents.

    Four of the player sit at a table of limit. Cards to come are dealt anew so many times, the same for both acts; what
    everybody holds stays, since it is what they came there with.
    """
    spec, names = GameSpec.ring(SEATS, 1, 2), [f"player {k + 1}" for k in range(SEATS)]
    session, adviser = pm.OpponentModeler(folded_tables=True), VerdictAdviser(fast=True)
    rng, begun, number, decisions = np.random.default_rng(1), time.monotonic(), 0, 0
    found: dict[tuple[bool, str], list[tuple[object, float, float]]] = defaultdict(list)
    while (most is None or number < most) and time.monotonic() - begun < seconds:
        deal = deal_cards(SEATS, rng)

        def play(boards: tuple[int, ...], chosen: Once | None, seat: int) -> TableHand:
            players = [make_player(kind) for _ in names]
            if chosen is not None:
                players[seat] = chosen
            return play_hand(spec, names, players, Deal(deal.holdings, boards), entropy=number)  # noqa: B023

        hand = play(deal.board, None, 0).to_hand()
        seat = number % SEATS
        session.hero = names[seat]
        session.start(hand.players)
        session.hold(deal.holdings[seat])
        for decision in hand.replay():
            if decision.seat == seat:
                spot = session.spot(decision).held(deal.holdings[seat])
                verdict = adviser.advise(spot, np.random.SeedSequence(number, spawn_key=(decision.index,)))
                cost, best = verdict.cost(decision.act), verdict.best.act
                decisions += 1
                if cost is not None and cost.value > 0:
                    close = verdict.close(decision.act)
                    gained = []
                    known = deal.board[: BOARD_CARDS[decision.round]]
                    gone = {*known, *[card for pair in deal.holdings for card in pair]}
                    left = [card for card in range(52) if card not in gone]
                    for _ in range(AGAIN if decision.round < 3 else 1):
                        board = (*known, *rng.permutation(left)[: 5 - len(known)].tolist())
                        came = [
                            play(board, Once(make_player(kind), decision.index, Answer(act)), seat).payoffs[seat]
                            for act in (best, decision.act)
                        ]
                        gained.append((came[0] - came[1]) / spec.small_bet)
                    later = STREETS[decision.round]
                    for place in (later, "all"):
                        found[close, place].append((number, cost.value, math.fsum(gained) / len(gained)))
            session.observe(decision)
        session.hero = None
        session.learn(hand)
        number += 1
    print(f"\n{number:,} hands, {decisions:,} decisions of {kind}.")
    print("\n| acts that are called | street | acts | said to lose, sb | lost, sb |")
    print("|---|---|---|---|---|")
    for close in (False, True):
        for place in (*STREETS, "all"):
            if rows := found.get((close, place)):
                said, _ = clustered([(key, value) for key, value, _ in rows])
                lost_, error = clustered([(key, value) for key, _, value in rows])
                what = "too close to call" if close else "errors"
                print(f"| {what} | {place} | {len(rows):,} | {said:.2f} | {lost_:+.2f} ± {SURE * error:.2f} |")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prices", "folds", "calls", "lost", "fast", "table"])
    parser.add_argument("files", nargs="+", help="hand histories, or the player of `table`")
    parser.add_argument("--hands", type=int, help="most hands")
    parser.add_argument("--most", type=int, help="most decisions, of `fast`")
    parser.add_argument("--seconds", type=float, default=1e9, help="time after which to stop")
    parser.add_argument(
        "--players", default="", help="names with commas between them; default: all whose cards are known"
    )
    parser.add_argument("--street", choices=STREETS, help="only decisions of this one, of `fast`")
    given = parser.parse_args()
    names = [name for name in given.players.split(",") if name]
    if given.what == "lost":
        lost(given.files, given.hands, given.seconds, names)
    elif given.what == "table":
        table(given.files[0], given.hands, given.seconds)
    elif given.what == "fast":
        fast(given.files, given.most, given.seconds, names, given.street)
    else:
        {"prices": prices, "folds": folds, "calls": calls}[given.what](given.files, given.hands, given.seconds)


if __name__ == "__main__":
    main()
