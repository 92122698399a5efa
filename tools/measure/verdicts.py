"""Measure how good verdicts are, on hands in which the cards of everybody are known.

    python -m tools.measure.verdicts prices FILE...            # folds that were forecast to bets, and that happened
    python -m tools.measure.verdicts folds FILE...             # the same by what was held, and how far odds are off
    python -m tools.measure.verdicts calls FILE...             # the share of the pot that a last call wins
    python -m tools.measure.verdicts lost FILE... --hands 200  # EV lost by players, and EV of acts beside what came
    python -m tools.measure.verdicts table PLAYER --hands 500  # what acts lose in the arena that verdicts call errors
    python -m tools.measure.verdicts fast FILE... --kept FULL  # what `--fast` loses, judged by full depth, and times

Every forecast is made before the act, and the reader learns every hand afterwards. Tables are printed in Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import pokermodel as pm
from pokermodel._support.arrays import Floats
from pokermodel.cards import holding_index, holding_text
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, GameSpec, Hand
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.reading.reader import Spot
from pokermodel.tables.arena.table import Deal, TableHand, deal_cards, play_hand
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View
from pokermodel.tables.players.registry import make_player
from pokermodel.worth.answers import answer, price_of
from pokermodel.worth.showdown import Showdown
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict

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


class Asked(NamedTuple):
    """A decision that both ways are asked about."""

    key: str
    street: str
    hand: Hand
    decision: Decision
    spot: Spot


def asked_decisions(files: list[str], quotas: dict[str, int], names: list[str]) -> Iterator[Asked]:
    """Decisions between two that a solver answers, at most one of a hand, so many of each street.

    Files take turns and have equal shares, and streets are filled evenly, so that a sample which is ended early is one
    of the whole. In hands without a hero, or one of the names, players take turns, too.
    """
    session = pm.OpponentModeler(folded_tables=True)
    solver = VerdictAdviser("flop")
    sources = [(file, iter(pm.open_hands(file, strict=False))) for file in files]
    wanted = {(file, street): math.ceil(quotas[street] / len(files)) for file in files for street in quotas}
    count = dict.fromkeys(wanted, 0)
    number = 0

    def share(file: str, street: str) -> float:
        return count[file, street] / wanted[file, street]

    while sources:
        file, source = sources.pop(0)
        hand = next(source, None)
        if hand is None:
            continue
        if all(share(file, street) >= 1.0 for street in quotas):
            continue
        sources.append((file, source))
        if hand.spec.structure.fixed:
            continue
        number += 1
        known = sorted(hand.holdings)
        name = next((each for each in names if each in hand.players), hand.hero)
        if name is None and known:
            name = hand.players[known[number % len(known)]]
        if name is not None and name in hand.players and hand.players.index(name) in hand.holdings:
            seat = hand.players.index(name)
            session.hero = name
            session.start(hand.players)
            session.hold(hand.holdings[seat])
            for decision in hand.replay():
                street = STREETS[decision.round]
                mine = decision.seat == seat and not decision.out_of_turn and decision.act in decision.legal
                begun = next((each for each in hand.replay() if each.round == decision.round), decision)
                two = len(begun.situation.active) == 2
                if mine and two and street in quotas and Act.RAISE in decision.legal:
                    done, least = share(file, street), min(share(*each) for each in wanted)
                    spot = session.spot(decision).held(hand.holdings[seat])
                    if done < 1.0 and done <= least + 1.0 / min(wanted.values()) and solver.solvable(spot):
                        count[file, street] += 1
                        yield Asked(f"{Path(file).name} {hand.id} {decision.index + 1}", street, hand, decision, spot)
                        break
                session.observe(decision)
        session.hero = None
        session.learn(hand)


def fast(
    files: list[str], quotas: dict[str, int], seconds: float, names: list[str], kept: str | None, holdings: int | None
) -> None:
    """What is lost by doing what the fast way says, judged by full depth; and processor time of both.

    Decisions are those of two players after the flop, where full depth is a solution. What full depth says is kept in a
    file, if there is one, and not asked for again: a flop takes minutes. If a number of holdings is given, flops are
    judged with a sample of this size of each range.
    """
    quick, full = VerdictAdviser(fast=True), VerdictAdviser("flop")
    # one solution, without the error of its menu, and to its end on a busy machine, too
    full.depths = {k: depth._replace(one_more=None, seconds=10 * depth.seconds) for k, depth in full.depths.items()}
    full.depths[1] = full.depths[1]._replace(holdings=holdings)
    done: dict[str, dict[str, Any]] = {}
    path = None if kept is None else Path(kept)
    if path is not None and path.exists():
        done = {row["key"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    begun = time.monotonic()
    rows: list[tuple[str, str, float, float, float, bool, float, float]] = []
    for asked in asked_decisions(files, quotas, names):
        also = [] if asked.decision.to is None else [asked.decision.to]
        judged = done.get(asked.key)
        if judged is None:
            if time.monotonic() - begun > seconds:
                break
            start = time.process_time()
            verdict = full.advise(asked.spot, np.random.SeedSequence(1), also=also)
            judged = {"key": asked.key, "street": asked.street, "seconds": time.process_time() - start}
            judged |= {"method": verdict.method, "acts": [[int(each.act), each.to, each.ev] for each in verdict.acts]}
            judged["errors"] = [each.of_method for each in verdict.acts]
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(judged) + "\n")
        if judged["method"] != "solved":
            continue
        start = time.process_time()
        found = quick.advise(asked.spot, np.random.SeedSequence(1), also=also)
        took = time.process_time() - start
        values = {(act, to): ev for act, to, ev in judged["acts"]}
        # either way looks at sizes that the other one does not: of a size that was not solved the nearest one is taken
        best, most = found.best, max(values.values())
        chosen = nearest(values, best.act, best.to)
        if chosen is None:
            continue
        common = [value for (act, to), value in values.items() if looked_at(found, act, to)]
        pot = asked.decision.pot / asked.hand.spec.small_bet
        least = max([*common, values[chosen]])
        lost = least - values[chosen]
        rows.append((asked.street, found.method, lost, most - least, pot, lost <= 0.0, took, judged["seconds"]))
    columns = ["street", "by", "decisions", "the same act", "lost, bb", "lost, of the pot", "by sizes, bb"]
    columns += ["fast, s", "full, s"]
    print(f"\n| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    groups = sorted({row[:2] for row in rows}, key=lambda each: (STREETS.index(each[0]), each[1]))
    for group in (*groups, ("all", "")):
        some = [row for row in rows if group in (row[:2], ("all", ""))]
        if not some:
            continue
        mean, error = clustered([(k, row[2]) for k, row in enumerate(some)])
        share, of = clustered([(k, row[2] / row[4]) for k, row in enumerate(some)])
        sizes, same, one, two = (math.fsum(row[k] for row in some) / len(some) for k in (3, 5, 6, 7))
        cells = f"{mean:.3f} ± {SURE * error:.3f} | {share:.2%} ± {SURE * of:.2%} | {sizes:.3f} | {one:.2f} | {two:.2f}"
        print(f"| {' | '.join(group)} | {len(some)} | {same:.0%} | {cells} |")
    if rows:
        times = sorted(row[6] for row in rows)
        nine = times[int(0.9 * len(times))]
        print(f"\nTimes are seconds of a processor. Nine in ten of the fast way: {nine:.2f}, all: {times[-1]:.2f}.")


def nearest(values: dict[tuple[int, int | None], float], act: Act, to: int | None) -> tuple[int, int | None] | None:
    """The act among those of known value that is nearest to one; None if none is of its kind."""
    some = [(each, size) for each, size in values if each == act]
    return min(some, key=lambda each: abs(math.log((each[1] or 1) / (to or 1)))) if some else None


def looked_at(found: Verdict, act: int, to: int | None) -> bool:
    """Whether a verdict looks at an act, within a fifth of its size."""
    some = [each for each in found.acts if each.act == act]
    return any(to is None or each.to is None or abs(math.log(to / each.to)) < 0.2 for each in some)


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
    parser.add_argument("--seconds", type=float, default=1e9, help="time after which to stop")
    parser.add_argument(
        "--players", default="", help="names with commas between them; default: all whose cards are known"
    )
    parser.add_argument("--river", type=int, default=80, help="decisions on it, of `fast`")
    parser.add_argument("--turn", type=int, default=90, help="decisions on it, of `fast`")
    parser.add_argument("--flop", type=int, default=30, help="decisions on it, of `fast`")
    parser.add_argument("--holdings", type=int, help="of the ranges by which flops are judged, of `fast`")
    parser.add_argument("--kept", help="a file with what full depth said, and to which it is added, of `fast`")
    given = parser.parse_args()
    names = [name for name in given.players.split(",") if name]
    if given.what == "lost":
        lost(given.files, given.hands, given.seconds, names)
    elif given.what == "table":
        table(given.files[0], given.hands, given.seconds)
    elif given.what == "fast":
        quotas = {street: getattr(given, street) for street in STREETS[1:] if getattr(given, street)}
        fast(given.files, quotas, given.seconds, names, given.kept, given.holdings)
    else:
        {"prices": prices, "folds": folds, "calls": calls}[given.what](given.files, given.hands, given.seconds)


if __name__ == "__main__":
    main()
