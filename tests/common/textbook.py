"""Slow textbook versions, sharing no code with the package: what the fast code is held against."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
NUMBERS = {card: number for number, card in enumerate(DECK)}


@lru_cache(1 << 17)  # few differ among those of hands on boards that are alike
def five_card_value(cards):
    """A tuple that orders five-card hands."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = tuple(count for _, count in groups)
    order = tuple(rank for rank, _ in groups)
    flush = len({card[1] for card in cards}) == 1
    straight = len(groups) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if straight and ranks[0] == 12 and ranks[1] == 3:
        order = (3,)  # the wheel's top card is the five
    if straight and flush:
        return (8, *order)
    if shape == (4, 1):
        return (7, *order)
    if shape == (3, 2):
        return (6, *order)
    if flush:
        return (5, *order)
    if straight:
        return (4, *order)
    return ({(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[shape], *order)


def hand_value(cards):
    return max(map(five_card_value, combinations(sorted(cards), 5)))


def holding_number(holding):
    high, low = sorted((NUMBERS[card] for card in holding), reverse=True)
    return high * (high - 1) // 2 + low


def all_holdings(dead=()):
    return list(combinations([card for card in DECK if card not in dead], 2))


class Values:
    """Hand values with a memory, to keep the textbook bearable."""

    def __init__(self):
        self.known = {}

    def __call__(self, cards):
        key = frozenset(cards)
        if key not in self.known:
            self.known[key] = hand_value(cards)
        return self.known[key]


def state(mine, his):
    return 0 if mine > his else 1 if mine == his else 2


def cells_now(holding, board, weights, dead=(), value=None):
    value = value or Values()
    cells = np.zeros(3)
    mine = value([*holding, *board])
    for other in all_holdings([*holding, *board, *dead]):
        cells[state(mine, value([*other, *board]))] += weights[holding_number(other)]
    return cells


def strength(holding, board, weights, dead=(), value=None):
    ahead, tied, behind = cells_now(holding, board, weights, dead, value)
    total = ahead + tied + behind
    if total == 0:
        return strength(holding, board, np.ones(1326), dead, value)
    return (ahead + tied / 2) / total


def joint_strength(holding, board, tables, dead=(), value=None):
    """All combinations of the opponents' holdings, one opponent after the other; nan if there are none."""
    value = value or Values()
    mine = value([*holding, *board])
    gone = [*holding, *board, *dead]
    tables = [table if any(table[holding_number(h)] for h in all_holdings(gone)) else np.ones(1326) for table in tables]

    def combined(tables, taken):
        if not tables:
            return 1.0, 1.0
        counted = total = 0.0
        for other in all_holdings(taken):
            weight = tables[0][holding_number(other)]
            if weight:
                score = (1.0, 0.5, 0.0)[state(mine, value([*other, *board]))]
                beaten, every = combined(tables[1:], [*taken, *other])
                counted += weight * score * beaten
                total += weight * every
        return counted, total

    counted, total = combined(tables, gone)
    return counted / total if total else np.nan


def potential_counts(holding, board, weights, lookahead, dead=(), value=None):
    value = value or Values()
    counts = np.zeros((3, 3))
    mine = value([*holding, *board])
    gone = [*holding, *board, *dead]
    for other in all_holdings(gone):
        now = state(mine, value([*other, *board]))
        weight = weights[holding_number(other)]
        for runout in combinations([card for card in DECK if card not in gone and card not in other], lookahead):
            final = [*board, *runout]
            counts[now, state(value([*holding, *final]), value([*other, *final]))] += weight
    return counts


def potentials(counts):
    total = counts.sum(axis=1)
    below, above = total[2] + total[1] / 2, total[0] + total[1] / 2
    return (
        (counts[2, 0] + counts[2, 1] / 2 + counts[1, 0] / 2) / below if below else 0.0,
        (counts[0, 2] + counts[0, 1] / 2 + counts[1, 2] / 2) / above if above else 0.0,
    )


def category(cards):
    """Category of any number of cards; straights and flushes need five."""
    if len(cards) >= 5:
        return hand_value(cards)[0]
    shape = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    if shape[0] == 4:
        return 7
    if shape[0] == 3:
        return 3
    return shape.count(2) if shape.count(2) < 2 else 2


def crude_potential(holding, board, dead=()):
    """PPOTc by its table of outs."""
    unseen = [card for card in DECK if card not in holding and card not in board and card not in dead]
    now, board_now = category([*holding, *board]), category(board)
    total = 0.0
    for card in unseen:
        then, board_then = category([*holding, *board, card]), category([*board, card])
        if then <= now or (then == board_then and then >= 4):
            continue
        own_ranks = [c[0] for c in holding]
        higher = sum(RANKS.index(c[0]) > RANKS.index(card[0]) for c in board)
        pair = {0: 0.8, 1: 0.7}.get(higher, 0.6)
        if then in (5, 8):
            suits = Counter(c[1] for c in [*holding, *board, card])
            suit = suits.most_common(1)[0][0]
            own = [c for c in holding if c[1] == suit]
            total += 1.0 if len(own) == 2 else 0.5 + 0.5 * RANKS.index(own[0][0]) / 12
        elif then == 4:
            alone = any(
                any(five_card_value(five)[0] in (4, 8) for five in combinations([c, *board, card], 5)) for c in holding
            )
            total += 0.75 if alone else 0.95
        elif then in (6, 7):
            total += 0.65
        elif then == 3:
            total += 1.0 if board_then < 3 else 0.0
        elif card[0] in own_ranks:
            total += pair if then == 1 or (now == 1 and board_now == 1) else 0.8
    return total / len(unseen)


# ------------------------------------------------------------------------------------------ probability triples


def printed_triple(e, borders, odds):
    """Peña 1999, Fig 4.1, line by line: (fold, call, raise)."""
    raise_, min_raise, call, min_call = borders
    if e > raise_:
        return (0.0, 0.01, 0.99)
    if e > min_raise:
        q = (e - min_raise) / (raise_ - min_raise)
        return (0.0, 1 - q, q)
    if e > call:
        return (0.01, 0.98, 0.01)
    c = (e - min_call) / (call - min_call) if e > min_call else 0.0
    p = odds + c - c * odds
    return (0.99 * (1 - p), 0.99 * p, 0.01)


def triple(form, thresholds, spot, e, potential, ehs, semi_bluff=False, switches=(), least=0.01, noise=0.0):
    """The completed forms. `spot` is a dict; `thresholds` four borders for each of 0, 1, 2+ bets to call."""
    pot, to_call, bet = spot["pot"], spot["to_call"], spot["bet"]
    flop, turn, river = (spot["round"] == r for r in (1, 2, 3))
    d = 0
    if to_call > 0:
        chance = e if river else potential
        if "pot_odds" in switches and chance >= to_call / (pot + to_call):
            d = 1
        cost = 4 * bet if flop else bet
        calls_down = ehs >= (to_call + cost) / (pot + to_call + 2 * cost)
        if form == "own" and "showdown_odds" in switches and (flop or turn) and calls_down:  # rule 5
            d = 1
    fold, call, raise_ = printed_triple(e, thresholds[min(spot["bets_to_call"], 2)], d)
    if form == "printed":
        return fold, call, raise_
    if form == "own":
        if "semi_bluff" in switches and to_call == 0 and spot["round"] > 0:  # rule 6
            begun = semi_bluff and not flop
            if begun or (not river and potential >= 2 * bet / (pot + 6 * bet)):
                raise_ = max(raise_, 0.90)
                fold, call = 0.0, 1 - raise_
        if "two_bet_limit" in switches and spot["num_bets"] >= 2 and spot["round"] > 0:  # rule 7
            call, raise_ = call + raise_, 0.0
    if not spot["can_raise"]:  # rule 8
        call, raise_ = call + raise_, 0.0
    if to_call == 0:  # rule 9
        fold, call = 0.0, call + fold
    if form == "reweighting":
        fold, call, raise_ = (max(x, least) for x in (fold, call, raise_))
        total = fold + call + raise_
        fold, call, raise_ = (x / total for x in (fold, call, raise_))
        fold, call, raise_ = (x - x * noise + noise / 3 for x in (fold, call, raise_))
    return fold, call, raise_


# ---------------------------------------------------------------------------------------- heads-up play-outs, exactly


class HeadsUp:
    """What an act is worth heads-up, over all cards and all that can be done, when both act by triples.

    Amounts are chips. The tables are {holding: weight}, each player's as the other sees him. Seat 1 acts first.
    """

    def __init__(self, board, hero, holding, tables, thresholds, bets, cap, switches):
        self.board, self.hero, self.holding, self.tables = list(board), hero, tuple(holding), tables
        self.thresholds, self.bets, self.cap, self.switches = thresholds, bets, cap, switches
        self.value = Values()
        self.known = {}

    def worth(self, seat, holding, board):
        """HS, PPOT and NPOT against the other player's table."""
        key = seat, holding, tuple(board)
        if key not in self.known:
            now, later = np.zeros(3), np.zeros((3, 3))
            mine = self.value([*holding, *board])
            for other, weight in self.tables[1 - seat].items():
                if {*other} & {*holding, *board}:
                    continue
                before = state(mine, self.value([*other, *board]))
                now[before] += weight
                if len(board) < 5:
                    for card in DECK:
                        if card in other or card in holding or card in board:
                            continue
                        final = [*board, card]
                        after = state(self.value([*holding, *final]), self.value([*other, *final]))
                        later[before, after] += weight
            if now.sum() == 0:
                raise ValueError("nobody is left to be compared with")
            self.known[key] = ((now[0] + now[1] / 2) / now.sum(), *potentials(later))
        return self.known[key]

    def triple(self, seat, holdings, board, pot, owed, raises, flags):
        street = len(board) - 2
        bet = self.bets[street]
        hs, ppot, npot = self.worth(seat, holdings[seat], board)
        e = hs + (1 - hs) * ppot
        spot = {
            "round": street,
            "pot": pot,
            "to_call": owed,
            "bet": bet,
            "bets_to_call": -(-owed // bet),
            "can_raise": raises < self.cap,
            "num_bets": raises,
        }
        entries = triple("own", self.thresholds, spot, e, ppot, e - hs * npot, flags[seat], self.switches)
        printed = printed_triple(e, self.thresholds[min(spot["bets_to_call"], 2)], 0)
        lasts = flags[seat] and owed == 0 and street > 1
        begins = (
            "semi_bluff" in self.switches
            and owed == 0
            and (lasts or (street < 3 and ppot >= 2 * bet / (pot + 6 * bet)))
            and printed[2] < 0.90
        )
        return entries, (lasts, lasts, lasts or begins)

    def after(self, act, seat, holdings, board, pot, paid, owed, raises, checked, flags):
        """Expected winnings of the hero from the decision on, once `seat` has acted."""
        mine = seat == self.hero
        bet = self.bets[len(board) - 2]
        if act == 0:
            return -paid if mine else pot - paid
        if act == 1:
            pot, paid = pot + owed, paid + owed * mine
            if owed == 0 and not checked and seat == 1:
                return self.turn(0, holdings, board, pot, paid, 0, raises, True, flags)
            return self.next_card(holdings, board, pot, paid, flags)
        pot, paid = pot + owed + bet, paid + (owed + bet) * mine
        return self.turn(1 - seat, holdings, board, pot, paid, bet, raises + 1, checked, flags)

    def turn(self, seat, holdings, board, pot, paid, owed, raises, checked, flags):
        entries, flag = self.triple(seat, holdings, board, pot, owed, raises, flags)
        total = 0.0
        for act, probability in enumerate(entries):
            if probability > 0:
                then = tuple(flag[act] if s == seat else flags[s] for s in range(2))
                total += probability * self.after(act, seat, holdings, board, pot, paid, owed, raises, checked, then)
        return total

    def next_card(self, holdings, board, pot, paid, flags):
        if len(board) == 5:
            mine, his = (self.value([*holdings[s], *board]) for s in (self.hero, 1 - self.hero))
            return pot * (1.0, 0.5, 0.0)[state(mine, his)] - paid
        cards = [card for card in DECK if card not in board and all(card not in h for h in holdings)]
        return sum(self.turn(1, holdings, [*board, card], pot, paid, 0, 0, False, flags) for card in cards) / len(cards)

    def ev(self, act, pot, owed, raises, checked):
        """Expected value of the hero's first act, over all that the other can hold."""
        total = weights = 0.0
        for other, weight in self.tables[1 - self.hero].items():
            if {*other} & {*self.holding, *self.board}:
                continue
            holdings = (self.holding, other) if self.hero == 0 else (other, self.holding)
            found = self.after(act, self.hero, holdings, self.board, pot, 0, owed, raises, checked, (False, False))
            total += weight * found
            weights += weight
        return total / weights
