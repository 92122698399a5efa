"""Subgames of hands; and one played out pair by pair, the slow way to what a solution says, which shares no kernel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pokermodel.cards import card_text, holding_cards
from pokermodel.evaluation import evaluate
from pokermodel.reading.street import decision_of, spot_of
from pokermodel.solving import Subgame

OOP = (
    "22-88,99:.75,TT:.25,A2s-A8s,A9s:.75,ATs:.5,AJs:.25,A2o:.25,A3o:.25,A4o:.5,A5o:.75,A6o:.25,A7o:.5,A8o:.75,A9o,ATo,"
    "AJo:.75,AQo:.25,K2s-K9s,KTs:.75,KJs:.5,K8o:.25,K9o:.75,KTo,KJo,KQo:.5,Q2s-Q9s,QTs:.75,QJs:.5,Q9o:.75,QTo,QJo,"
    "J4s:.75,J5s:.75,J6s-J9s,JTs:.75,J9o:.75,JTo,T5s:.5,T6s-T9s,T8o:.25,T9o:.75,94s:.25,95s:.75,96s-98s,98o:.5,84s:.5,"
    "85s-87s,87o:.25,73s:.25,74s-76s,62s:.25,63s-65s,52s-54s,42s:.5,43s,32s:.5"
)
IP = (
    "66+,A2s+,A8o+,K5s+,KTo+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,86s+,75s+,65s,54s,55:.75,44:.5,33:.5,22:.5,K4s-K2s:.5,Q7s:.5,"
    "J7s:.5,T7s:.5,96s:.5,85s:.5,64s:.5,A7o:.5,A5o:.5,K9o:.5,Q9o:.5,J9o:.5,T9o:.5"
)


def of_hand(hand, decision, session, *, folded=False, **options):
    """The street of a decision, in the money of the hand and with the size that was made."""
    spot, made = spot_of(session, hand, decision, folded=folded), decision_of(hand, decision)
    return Subgame.from_spot(spot, made, folded=folded, money=hand.money, **options)


class Pairs:
    """All pairs of holdings of a solution's ranges, and its strategies as they are."""

    def __init__(self, solution):
        self.solution = solution
        self.tree = solution.tree
        self.holdings = [np.flatnonzero(table.values) for table in solution.subgame.ranges]
        self.weights = [
            solution.subgame.ranges[p].values[self.holdings[p]] / solution.subgame.ranges[p].values.sum()
            for p in (0, 1)
        ]
        self.cards = [[holding_cards(int(h)) for h in held] for held in self.holdings]
        self.apart = np.array([[not set(a) & set(b) for b in self.cards[1]] for a in self.cards[0]])
        self.pairs = float(self.weights[0] @ self.apart @ self.weights[1])
        self._shown = {}
        self._strategies = {}

    def _alive(self, player, dealt):
        return np.array([not set(cards) & set(dealt) for cards in self.cards[player]])

    def _results(self, dealt):
        """1 where the first player wins, 0 for a tie, -1; of each pair."""
        board = (*self.solution.subgame.cards, *dealt)
        if tuple(sorted(board)) not in self._shown:
            ranks = [
                np.array(
                    [0 if set(held) & set(board) else evaluate((*board, *held)) for held in self.cards[p]], dtype=int
                )
                for p in (0, 1)
            ]
            self._shown[tuple(sorted(board))] = np.sign(ranks[0][:, None] - ranks[1][None, :])
        return self._shown[tuple(sorted(board))]

    def _payoffs(self, node, dealt, player):
        """What the player gets back of the pot and the bets, less what they put in, of each pair (theirs first)."""
        game = self.solution.subgame
        put = [float(chips) * game.unit for chips in self.tree.put[node]]
        matched = game.pot + 2 * min(put)
        rake = min(game.rake * matched, game.rake_cap)
        if self.tree.kind[node] == 2:  # a fold
            wins = self.tree.player[node] != player
            result = np.full(self.apart.shape, 1.0 if wins == (player == 0) else -1.0)
        else:
            result = self._results(dealt)
        share = (result + 1) / 2 if player == 0 else (1 - result) / 2
        got = share * (matched - rake) - min(put)
        return got if player == 0 else got.T

    def value(self, player, best=False):
        """What a player gets back of the pot, from the root on; by their best response or by their strategy."""
        other = 1 - player
        values = self._walk("r:0", 0, (), player, self.weights[other], best, Fraction(1))
        return float(values @ self.weights[player]) / self.pairs

    def _walk(self, name, node, dealt, player, reach, best, chance):
        other = 1 - player
        apart = self.apart if player == 0 else self.apart.T
        kind = self.tree.kind[node]
        if kind >= 2:
            alive = self._alive(player, dealt)
            live = reach * self._alive(other, dealt)
            return float(chance) * alive * ((apart * self._payoffs(node, dealt, player)) @ live)
        if kind == 1:
            taken = {*self.solution.subgame.cards, *dealt}
            chance /= 52 - 4 - len(taken)
            cards = [card for card in range(52) if card not in taken]
            return sum(
                self._walk(f"{name}:{card_text(card)}", node + 1, (*dealt, card), player, reach, best, chance)
                for card in cards
            )
        actor = int(self.tree.player[node])
        children = self.tree.children(node)
        names = [f"{name}:{self.tree.part(child)}" for child in children]
        if len(children) == 1:
            self._strategies[name] = np.ones((len(self.holdings[actor]), 1))
        if name not in self._strategies:
            given = self.solution.strategy(name)[self.holdings[actor]]
            self._strategies[name] = np.where(np.isnan(given), 1 / len(children), given)
        strategy = self._strategies[name]
        if actor != player:
            return sum(
                self._walk(names[a], child, dealt, player, reach * strategy[:, a], best, chance)
                for a, child in enumerate(children)
            )
        values = [self._walk(names[a], child, dealt, player, reach, best, chance) for a, child in enumerate(children)]
        return np.max(values, axis=0) if best else np.sum(np.array(values) * strategy.T, axis=0)
