"""Tables of BPP as NumPy has them, one line a formula: what the kernels are compared with."""

from __future__ import annotations

import numpy as np

from pokermodel.reading.parts.class_tables import _CONTEXTS, _GROUPS, _OWN, _SITUATIONS, BayesTables
from pokermodel.reading.parts.strength_classes import DRAW, GROUPS, N_STRENGTH_CLASSES, POSTFLOP_BORDERS

__all__ = ["TextbookTables", "textbook_candidates", "textbook_classes"]


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


class TextbookTables(BayesTables):
    """The same tables; every step of learning is done here."""

    def table(self, cells, legal, player):
        offered = np.zeros((1, 3))
        offered[0, list(legal)] = 1.0
        numbers = np.array([self.number(player)])
        return self._probabilities(np.array([cells], dtype=np.intp), offered, numbers)[0]

    def copy(self):
        other = TextbookTables(
            strength=self.base.strength,
            context_strength=self.factors[0].strength,
            own_strengths=(self.factors[-2].strength, self.factors[-1].strength),
            decay=self.decay,
            estimator=self.estimator,
        )
        other._merge(self)
        return other

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

    def _count(self, found, into):
        numbers = np.array([into._numbered(name) for name in found.names], dtype=np.intp)
        own = numbers if into is self else np.array([self.number(name) for name in found.names], dtype=np.intp)
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
        for player in range(len(found.names)):
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
