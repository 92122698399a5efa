"""Fitting how people reply to limps at tables of more than two, beyond a likelihood that stays as it is.

The likelihood does not know where a limper sits. People raise limps from the earliest seats less than it says, and
those of the button more. A table has, by row of replies and class of holdings, what the odds of acts are multiplied by.
Its logarithm is a sum of two products: seats by a constant and two slopes in strength, and all rows by a function of
the 169 classes that is smooth in their ranks. Weights have a Gaussian prior, so that what was not seen does not change.
A reply counts half as a stranger's, and half as one of a player as known by then.

Where a holding is not known, the reply counts for all classes, each by how likely it is after that reply. Holdings that
a showdown showed are those of players who did not fold: they alone would say that people call too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import REPLIES
from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, HOLDINGS_OF_CLASS, N_CLASSES, N_HOLDINGS
from pokermodel.evaluation.preflop import income_shares
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.holdings import PREFLOP_HOLDINGS
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from tools.fit.ascent import Adam, Weights

__all__ = ["Reply", "fit_replies", "likeliest"]

#: Standard deviations of logarithms: what seats have in common, what a row has by itself, and functions of the classes;
#: and of slopes, in units of the constants.
_SEATS, _ROW, _CLASSES, _SLOPE = 0.6, 0.3, 0.4, 0.7
_RANKS, _SUITS, _ALONE = 2.5, 0.5, 0.1  # how far classes are alike: by ranks, and if suited or not; and variance of one
_STEPS, _RATE, _DECIMALS = 300, 0.08, 2  # the last one is of logarithms
_LEAST = 1e-12
_FIRST = [of[0] for of in HOLDINGS_OF_CLASS]
_DEALT = np.array([len(of) for of in HOLDINGS_OF_CLASS]) / N_HOLDINGS
#: Rows as ``readers/situations.h`` has them that have something in common: all, limps from early and late seats and of
#: several players, and answers of the small blind, the big blind and others.
_COMMON = (range(1, 11), (1, 2, 3), (4, 5, 6), (8, 9, 10), (1, 4, 8), (2, 5, 7, 9), (3, 6, 10))


class Reply(NamedTuple):
    """A reply: its row, what was done, its worth, and what is known of the holding."""

    row: int
    act: int
    worth: float
    logs: Floats  #: Logarithms of forecasts with all classes: float64 (169, 3).
    held: Floats  #: How likely each class was before.


def fit_replies(hands: Sequence[PlayedHand], prior: GamePrior) -> NDArray[np.float16]:
    """Fit the table of replies, float16 (11, 169, 3), to hands in the order in which they were played."""
    nobody, people, found = GamePopulation(prior), GamePopulation(prior, habits=False), []
    for hand in hands:
        for acts in hand.players:
            (replies,) = np.nonzero(acts.basis[:, -1])
            for known, who in ((nobody, ("", None)), (people, (hand.population, acts.name))) if len(replies) else ():
                held = _DEALT if acts.holding < 0 else np.eye(N_CLASSES)[CLASS_OF_HOLDING[acts.holding]]
                for k in range(replies[-1] + 1):
                    one, act = slice(k, k + 1), int(acts.acts[k])
                    effects = known.effects(who[0], who[1], hand.labels)
                    offsets = known.offsets(who[0], who[1], acts.cells[one], hand.labels)[0]
                    predicted, triples = np.empty(3), np.empty((N_HOLDINGS, 3))
                    situation = acts.rows[one], acts.basis[one], NO_LEVELS, effects, offsets, acts.legal[k]
                    prior.likelihood.judge(*situation, PREFLOP_HOLDINGS, np.ones(N_HOLDINGS), predicted, triples)
                    logs = np.log(np.maximum(triples[_FIRST], _LEAST))
                    if row := int(acts.basis[k, -1]):
                        found.append(Reply(row, act, 0.5, logs, held))
                    held = held * np.exp(logs[:, act])
                    held = held / held.sum()
        people.learn(hand)
    return likeliest(found)


def likeliest(replies: Sequence[Reply]) -> NDArray[np.float16]:
    """What odds are multiplied by, by row of replies and class: float16 (11, 169, 3), 1 in the first row."""
    replies = sorted(replies, key=lambda each: each.row)
    rows = np.array([each.row for each in replies], dtype=np.intp)
    seen, first = np.unique(rows, return_index=True)
    done = np.eye(3, dtype=np.float32)[[each.act for each in replies]].reshape(-1, 1, 3)
    worth = np.array([each.worth for each in replies], dtype=np.float32).reshape(-1, 1)
    logs = np.array([each.logs for each in replies], dtype=np.float32).reshape(-1, N_CLASSES, 3)
    before = np.array([each.held for each in replies], dtype=np.float32).reshape(-1, N_CLASSES)
    designs = _designs()
    weights: Weights = [np.zeros((of_rows.shape[1], classes.shape[1], 2)) for of_rows, classes in designs]
    adam = Adam(weights, _STEPS, _RATE, 0.0, 0.5)
    for _ in range(_STEPS if len(seen) else 0):
        chances = np.exp(logs + _table(designs, weights).astype(np.float32)[rows])
        chances /= chances.sum(axis=2, keepdims=True)
        held = before * (done * chances).sum(axis=2)
        held *= worth / held.sum(axis=1, keepdims=True)
        slopes = np.zeros((REPLIES, N_CLASSES, 2))
        slopes[seen] = np.add.reduceat(held[:, :, None] * (done - chances)[:, :, 1:], first, axis=0)
        for to, (of_rows, classes), own in zip(adam.gradient, designs, weights, strict=True):
            to += np.einsum("rm,rkc,kn->mnc", of_rows, slopes, classes, optimize=True) - own
        adam.step(1)
    return np.exp(_table(designs, weights).round(_DECIMALS)).astype(np.float16)


def _table(designs: Sequence[tuple[Floats, Floats]], weights: Weights) -> Floats:
    """Logarithms: float64 (11, 169, 3), 0 of folds."""
    table = np.zeros((REPLIES, N_CLASSES, 3))
    for (rows, classes), own in zip(designs, weights, strict=True):
        table[:, :, 1:] += np.einsum("rm,mnc,kn->rkc", rows, own, classes, optimize=True)
    return table


def _designs() -> list[tuple[Floats, Floats]]:
    """The designs of rows and of classes that weights are between, of which the first row of replies is no part."""
    rows = np.arange(REPLIES)
    common = np.stack([np.isin(rows, some) for some in _COMMON], axis=1)
    strength = income_shares()[_FIRST]
    classes = np.stack(
        [np.ones(N_CLASSES), _SLOPE * (2 * strength - 1), _SLOPE * np.maximum(4 * strength - 3, 0.0)], axis=1
    )
    return [
        (np.concatenate([_SEATS * common, _ROW * (rows[:, None] == rows[1:])], axis=1), classes),
        (_CLASSES * common[:, :1], _smooth()),
    ]


def _smooth() -> Floats:
    """Functions of the classes of which sums with independent weights are smooth in ranks: float64 (169, n)."""
    row, column = np.divmod(np.arange(N_CLASSES), 13)
    high, low, kind = np.minimum(row, column), np.maximum(row, column), np.sign(column - row)
    apart = (high[:, None] - high) ** 2 + (low[:, None] - low) ** 2
    alike = np.where(kind[:, None] == kind, 1.0, np.where((kind[:, None] == 0) | (kind == 0), 0.0, _SUITS))
    variances, functions = np.linalg.eigh(alike * np.exp(-apart / (2 * _RANKS**2)) + _ALONE * np.eye(N_CLASSES))
    found: Floats = functions * np.sqrt(np.maximum(variances, 0.0))
    return found
