"""Tables of BPP as NumPy has them, one line a formula: what the kernels are compared with."""

from __future__ import annotations

import numpy as np

from pokermodel.cards import N_HOLDINGS, holding_cards, holding_index, live_holdings
from pokermodel.classics.bpp.class_tables import _CONTEXTS, _GROUPS, _OWN, _SITUATIONS, BayesTables
from pokermodel.classics.bpp.observed_hands import HandArrays, cells
from pokermodel.classics.bpp.strength_buckets import (
    DRAW,
    GROUPS,
    N_STRENGTH_CLASSES,
    POSTFLOP_BORDERS,
    PREFLOP_CLASSES,
)
from pokermodel.evaluation import BoardAnalysis, evaluate
from pokermodel.game import Act
from pokermodel.reading import BettingHistory

__all__ = ["TextbookTables", "packed", "textbook_arrays", "textbook_candidates", "textbook_classes"]


def textbook_classes(analysis):
    """Classes of holdings on a board: by strength, with draws apart."""
    strengths = np.where(analysis.live, analysis.strengths(), 0.0)
    classes = np.digitize(strengths, POSTFLOP_BORDERS)
    if len(analysis.board) < 5:
        potentials = np.where(analysis.live, analysis.crude_potentials(), 0.0)
        classes[(potentials >= DRAW) & (classes < 9)] += len(POSTFLOP_BORDERS) + 1
    return classes


def textbook_candidates(classes, live, losing):
    """The different columns of some holdings' classes, in order, and how many holdings each is."""
    found, of = np.unique(classes[:, live], axis=1, return_inverse=True)
    lost = np.bincount(of.ravel(), losing[live], found.shape[1])
    return found.T, np.bincount(of.ravel(), minlength=found.shape[1]), lost


def possible_holdings(hand, own=None):
    """Holdings that were seen, those without a card of them, and those that somebody who mucked can have held."""
    known = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    shown = list(known.values())
    if own is not None:
        known[own] = hand.holdings[own]
    live = live_holdings(hand.board + tuple(card for holding in known.values() for card in holding))
    losing = np.zeros(N_HOLDINGS, dtype=np.bool_)
    if hand.mucked and shown and len(hand.board) == 5:
        best = max(evaluate(hand.board + holding) for holding in shown)
        for index in np.flatnonzero(live).tolist():
            losing[index] = evaluate(hand.board + holding_cards(index)) < best
    return known, live, losing


def textbook_arrays(hand, own=None):
    """Names of those who acted in a hand, and what it says of them, holding by holding."""
    places, boards, rows = {}, {}, []
    history = BettingHistory(len(hand.players))
    for decision in hand.replay():
        situation = decision.situation
        if not decision.out_of_turn and decision.act in situation.legal:
            actor = places.setdefault(situation.seat, len(places))
            where = cells(history.features(situation))
            rows.append((actor, situation.round, decision.act, where, [act in situation.legal for act in Act]))
            boards.setdefault(situation.round, situation.board)
        history.add(decision)
    known, live, losing = possible_holdings(hand, own)
    by_round = np.array(
        [
            textbook_classes(BoardAnalysis(boards[round])) if round and round in boards else PREFLOP_CLASSES
            for round in range(max(boards) + 1)
        ],
        dtype=np.uint8,
    )
    classes, mass, lost = textbook_candidates(by_round, live, losing)
    losers = [places[seat] for seat in places if losing.any() and seat in hand.mucked]
    masses = np.repeat(mass[None], len(places) if losers else 1, axis=0)
    masses[losers] = lost
    shown = np.full((len(places), len(by_round)), -1)
    for seat, holding in known.items():
        if seat in places:
            shown[places[seat]] = by_round[:, holding_index(holding)]
    actors, rounds, acts, where, legal = (np.array(column) for column in zip(*rows, strict=True))
    told = HandArrays(actors, rounds, acts, where, legal.astype(float), classes, masses.astype(float), shown)
    return tuple(hand.players[seat] for seat in places), told


def packed(
    *,
    actions=((0, 1, 1, 7),),
    cells=((0, 0, 0, 0, 0),),
    nodes=(2, 2),
    parent=(0, 0, 0, 1),
    mass=((3, 1, 3, 1),),
    shown=((-1, -1),),
    classes=(2, 5, 1, 4),
    counts=None,
):
    """The bytes of an `ObservedHand`; actions are actor, round, act, and a mask of what was offered."""
    numbers = counts or (len(actions), len(shown), len(mass), len(nodes))
    head = np.zeros(8, dtype=np.int16)
    head[: 4 + len(nodes)] = *numbers, *nodes
    parts = [head, np.array(cells, np.int16), np.array(parent, np.uint16), np.array(mass, np.uint16)]
    parts += [np.array(actions, np.uint8).T, np.array(shown, np.int8), np.array(classes, np.uint8)]
    return b"".join(part.tobytes() for part in parts)


class TextbookTables(BayesTables):
    """The same tables; every step of learning is done here."""

    def table(self, cells, legal, player):
        offered = np.zeros((1, 3))
        offered[0, list(legal)] = 1.0
        numbers = np.array([self.number(player)])
        return self._probabilities(np.array([cells], dtype=np.intp), offered, numbers)[0]

    def _addresses(self, cells, numbers):
        situations = cells[:, 0]
        facing = 2 * (situations >= 3) + (situations % 3 > 0)
        return [*cells[:, 1:].T, 4 * numbers + facing, _SITUATIONS * numbers + situations]

    def _factors(self, of, at, groups):
        return of.factors[at] if of.groups == 1 else of.factors[at[:, None], groups]

    def _probabilities(self, cells, legal, numbers):
        situations = cells[:, 0]
        table = self.base.probabilities()[situations] * legal[:, None, :]
        groups = GROUPS[(situations >= 3).astype(np.intp)]
        for factors, at in zip(self.factors, self._addresses(cells, numbers), strict=True):
            table *= self._factors(factors, at, groups)
        table /= table.sum(axis=2, keepdims=True)
        return table

    def _count(self, hands, into):
        for found in hands:
            self._count_one(found.names, found.arrays, into)

    def _count_one(self, names, found, into):
        numbers = np.array([into._numbered(name) for name in names], dtype=np.intp)
        own = numbers if into is self else np.array([self.number(name) for name in names], dtype=np.intp)
        likelihood = np.take_along_axis(
            self._probabilities(found.cells, found.legal, own[found.actors]), found.acts[:, None, None], axis=2
        )[:, :, 0]
        beliefs, counted = self._beliefs(found, likelihood)
        if self.decay < 1:
            for (cells, _), factors in zip(_OWN, into.factors[len(_CONTEXTS) :], strict=True):
                factors.fade((numbers[:, None] * cells + np.arange(cells)).ravel(), self.decay)
        if not counted.all():
            if not counted.any():
                return
            beliefs = beliefs[counted]
        into._add(
            self,
            found.cells[counted],
            found.legal[counted],
            found.acts[counted],
            numbers[found.actors[counted]],
            own[found.actors[counted]],
            beliefs,
        )

    def _beliefs(self, found, likelihood):
        beliefs = np.zeros(likelihood.shape)
        counted = np.ones(len(likelihood), dtype=np.bool_)
        before_flop = {}
        for player in range(len(found.shown)):
            actions = np.flatnonzero(found.actors == player)
            rounds = found.rounds[actions]
            if found.shown[player, 0] >= 0:
                beliefs[actions, found.shown[player, rounds]] = 1.0
                continue
            if self.estimator == "showdown_only":
                counted[actions] = False
                continue
            row = min(player, len(found.mass) - 1)
            if rounds[-1] == 0:  # the classes of later rounds say nothing
                if row not in before_flop:
                    holdings = np.bincount(found.classes[:, 0], found.mass[row], N_STRENGTH_CLASSES)
                    before_flop[row] = holdings.astype(np.float64)
                weights = before_flop[row] * likelihood[actions].prod(axis=0)
                beliefs[actions] = weights / weights.sum()
                continue
            weights = found.mass[row]
            for action, round in zip(actions.tolist(), rounds.tolist(), strict=True):
                weights = weights * likelihood[action, found.classes[:, round]]
            weights /= weights.sum()
            for round in set(rounds.tolist()):
                at = np.bincount(found.classes[:, round], weights, N_STRENGTH_CLASSES)
                beliefs[actions[rounds == round]] = at
        return beliefs, counted

    def _add(
        self,
        judge,
        cells,
        legal,
        acts,
        numbers,
        own,
        beliefs,
    ):
        situations = cells[:, 0]
        done = np.eye(3)[acts]
        counts = np.zeros(self.base.shape)
        np.add.at(counts, situations, beliefs[:, :, None] * done[:, None, :])
        self.base.add(counts)
        table = judge.base.probabilities()[situations] * legal[:, None, :]
        table /= table.sum(axis=2, keepdims=True)
        groups = GROUPS[(situations >= 3).astype(np.intp)]
        members = (groups[:, None, :] == np.arange(_GROUPS)[:, None]) * beliefs[:, None, :]  # actions, groups, classes
        for into, factors, at, of in zip(
            self.factors, judge.factors, self._addresses(cells, numbers), judge._addresses(cells, own), strict=True
        ):
            mass = members if into.groups > 1 else beliefs[:, None, :]
            into.add(at, mass.sum(axis=2)[:, :, None] * done[:, None, :], mass @ table)
            table *= judge._factors(factors, of, groups)
            table /= table.sum(axis=2, keepdims=True)
