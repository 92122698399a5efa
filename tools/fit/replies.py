"""Fitting how people reply to limps, raises and all-ins before the flop, beyond a likelihood that stays as it is.

The likelihood does not know where a limper or a raiser sits. By row of replies and class of holdings, odds of acts are
multiplied by factors. Their logarithm is a sum of two products: seats and numbers of raises by a constant and two
slopes in strength, and groups of rows by a function of the 169 classes that is smooth in their ranks. Weights have a
Gaussian prior, so that what was not seen does not change. A reply counts half as a stranger's, and half as one of a
player as known by then.

Where a holding is not known, the reply counts for all classes, each by how likely it is after that reply. Holdings that
a showdown showed are those of players who did not fold: they alone would say that people call too much.

Half of what a raise's row says of levels is kept: of people that were left out, whole levels and none forecast less.
Heads-up there are no rows but those of all-ins, since for people that were left out others did not help.

Hands have next to no all-ins for few big blinds. There arithmetic counts, too: a holding calls if its equity against
those with which people go all-in for as much is what the price asks for, and some more for players who may still call.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import REPLIES
from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, HOLDINGS_OF_CLASS, N_CLASSES, N_HOLDINGS
from pokermodel.evaluation.preflop import income_shares
from pokermodel.evaluation.shares import holding_shares
from pokermodel.game import Act, BettingStructure, LiveHand
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.holdings import PREFLOP_HOLDINGS
from pokermodel.reading.adaptive.kinds import TableLabels, labels_of
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior, Replies
from pokermodel.reading.adaptive.situations import SIZED_TABLE, board_features
from pokermodel.reading.features import BettingHistory, Features
from tools.fit.ascent import Adam, Weights
from tools.fit.granted import first_hand

__all__ = ["Reply", "fit_replies", "likeliest"]

#: Standard deviations of logarithms: what seats have in common, what a row has by itself, functions of the classes, and
#: what one of these adds for a group of rows; and of slopes, in units of the constants.
_SEATS, _ROW, _CLASSES, _OF_GROUP, _SLOPE = 0.6, 0.3, 0.4, 0.2, 0.7
_RANKS, _SUITS, _ALONE = 2.5, 0.5, 0.1  # how far classes are alike: by ranks, and if suited or not; and variance of one
_STEPS, _RATE, _DECIMALS = 300, 0.08, 2
_LEAST = 1e-12
#: Rows as ``readers/situations.h`` has them: the first with limps, with one raise and with more, the one with callers,
#: and the first with an all-in.
_SEAT_BINS, _LEVELS, _LIMPS, _ONE, _MORE, _CALLERS, _SHOVE = 6, 8, 1, 11, 47, 71, 72
#: How much of what a raise's row says of levels is kept, and in how many turns its levels are found.
_KEPT, _TURNS = 0.5, 60
#: All-ins: tables, and what replies to those of a row are worth; the equity that makes a call e times likelier, and how
#: much more of it each player behind asks for.
_PLAYERS, _DEPTHS, _WORTH, _EQUITY, _BEHIND = (2, 3, 6, 9), (5, 7, 10, 12, 15, 20, 30), 300.0, 0.04, 0.03
#: Shares of holdings of those who go all-in heads-up, from the small blind, late or early: for ten big blinds, and the
#: most for fewer; and the power of big blinds by which it falls.
_SHOVES, _FALLS = ((0.65, 0.85), (0.65, 0.85), (0.35, 0.5), (0.2, 0.3)), 0.6
_FIRST = tuple(of[0] for of in HOLDINGS_OF_CLASS)
_DEALT = np.array([len(of) for of in HOLDINGS_OF_CLASS]) / N_HOLDINGS


class Reply(NamedTuple):
    """A reply: its row, how likely each act is or was, its worth, and what is known of the holding."""

    row: int
    target: Floats
    worth: float
    of: int  #: The class, -1 if it is not known.
    logs: Floats  #: Logarithms of forecasts with all classes: float64 (169, 3).
    held: Floats = _DEALT  #: How likely each class was before.


def fit_replies(hands: Sequence[PlayedHand], prior: GamePrior) -> Replies:
    """Fit replies to hands in the order in which they were played."""
    seen = _seen(hands, prior)
    forecasts = np.zeros((REPLIES, N_CLASSES, 3))
    for each in seen:
        forecasts[each.row] += np.exp(each.logs)
    return likeliest([*seen, *_shoves(prior)], forecasts)


def _logs(
    prior: GamePrior,
    people: GamePopulation,
    who: tuple[str, str | None],
    situation: tuple[NDArray[np.int16], ...],
    legal: NDArray[np.float32],
    labels: TableLabels,
) -> Floats:
    """Logarithms of what is forecast of somebody in a situation with each class: float64 (169, 3)."""
    rows, basis, cells = situation
    predicted, triples = np.empty(3), np.empty((N_HOLDINGS, 3))
    effects, offsets = people.effects(*who, labels), people.offsets(*who, cells, labels)[0]
    prior.likelihood.judge(
        *(rows, basis, NO_LEVELS, effects, offsets, legal, PREFLOP_HOLDINGS, np.ones(N_HOLDINGS), predicted, triples)
    )
    found: Floats = np.log(np.maximum(triples[list(_FIRST)], _LEAST))
    return found


def _seen(hands: Sequence[PlayedHand], prior: GamePrior) -> list[Reply]:
    """Gather replies, each of a stranger and of the player as known by then."""
    nobody, people, found = GamePopulation(prior), GamePopulation(prior, habits=False), []
    for hand in hands:
        for acts in hand.players:
            (replies,) = np.nonzero(acts.basis[:, -1])
            of = int(CLASS_OF_HOLDING[acts.holding]) if acts.holding >= 0 else -1
            for known, who in ((nobody, ("", None)), (people, (hand.population, acts.name))) if len(replies) else ():
                held = _DEALT
                for k in range(replies[-1] + 1) if of < 0 else replies.tolist():
                    one, act = slice(k, k + 1), acts.acts[k]
                    situation, row = (acts.rows[one], acts.basis[one], acts.cells[one]), int(acts.basis[k, -1])
                    logs = _logs(prior, known, who, situation, acts.legal[k], hand.labels)
                    if row:
                        found.append(Reply(row, np.eye(3)[act], 0.5, of, logs, held))
                    held = held * np.exp(logs[:, act])
                    held = held / held.sum()
        people.learn(hand)
    return found


def _shoves(prior: GamePrior) -> list[Reply]:
    """Reply to all-ins as arithmetic has it, with every class."""
    nobody = GamePopulation(prior)
    shares, equities = income_shares(2), np.stack([holding_shares(holding) for holding in _FIRST])
    found = []
    for spec in (first_hand(BettingStructure.NO_LIMIT, players, depth) for players in _PLAYERS for depth in _DEPTHS):
        labels = labels_of(spec, spec.stacks)
        for opener in range(spec.players):
            hand, history = LiveHand(spec, [f"player {k}" for k in range(spec.players)]), BettingHistory(spec.players)
            while not hand.state.over and not hand.state.round:
                situation = hand.situation()
                features = history.describe(Features, situation)
                if situation.all_in:
                    arrays = SIZED_TABLE.arrays([features], [board_features(())])
                    legal = np.array([act in situation.legal for act in Act], dtype=np.float32)
                    logs = _logs(prior, nobody, ("", None), arrays, legal, labels)
                    row = int(arrays[1][0, -1])
                    share, most = _SHOVES[(row - _SHOVE) // _LEVELS]
                    narrow = min(share * (10 / features.level) ** _FALLS, most)
                    held = (shares >= 1 - narrow) & np.isfinite(equities)
                    equity = np.where(held, equities, 0.0).sum(axis=1) / held.sum(axis=1)
                    asked = features.odds + _BEHIND * (features.players - 2)
                    calls = 1 / (1 + np.exp((asked - equity) / _EQUITY))
                    for of, holdings in enumerate(HOLDINGS_OF_CLASS):
                        target = np.array([1 - calls[of], calls[of], 0.0])
                        found.append(Reply(row, target, len(holdings) / N_HOLDINGS, of, logs))
                shoves = situation.seat == opener
                history.add(hand.act(Act.RAISE, spec.stacks[opener]) if shoves else hand.act(Act.FOLD))
    of_row = np.bincount([each.row for each in found], [each.worth for each in found])
    return [each._replace(worth=each.worth * _WORTH / of_row[each.row]) for each in found]


def likeliest(replies: Sequence[Reply], forecasts: Floats) -> Replies:
    """The likeliest replies.

    `forecasts`, float64 (112, 169, 3), are those of the likelihood by itself, up to a factor for each row.
    """
    designs = _designs()
    weights: Weights = [np.zeros((rows.shape[1], classes.shape[1], 2)) for rows, classes in designs]
    adam = Adam(weights, _STEPS, _RATE, 0.0, 0.5)
    known = [each for each in replies if each.of >= 0]
    at = np.array([N_CLASSES * each.row + each.of for each in known], dtype=np.intp)
    logs = np.array([each.logs[each.of] for each in known]).reshape(-1, 3)
    targets = np.array([each.target for each in known]).reshape(-1, 3)
    worth = np.array([each.worth for each in known])
    hidden = _Hidden([each for each in replies if each.of < 0])
    for _ in range(_STEPS if replies else 0):
        table = _table(designs, weights)
        chances = np.exp(logs + table.reshape(-1, 3)[at])
        apart = (targets - chances / chances.sum(axis=1, keepdims=True)) * worth[:, None]
        of_known = np.stack([np.bincount(at, apart[:, act], REPLIES * N_CLASSES) for act in (1, 2)], axis=1)
        slopes = of_known.reshape(REPLIES, N_CLASSES, 2) + hidden.slopes(table)
        for to, (rows, classes), own in zip(adam.gradient, designs, weights, strict=True):
            to += np.einsum("rm,rkc,kn->mnc", rows, slopes, classes, optimize=True) - own
        adam.step(1)
    (rows, classes), (groups, smooth) = designs
    own = np.einsum("rm,mnc->rnc", rows, weights[0])
    own[_ONE:_SHOVE, 0] -= (1 - _KEPT) * _levels(_table(designs, weights), forecasts)[_ONE:_SHOVE]
    by_act = (classes.T[:, None, :, None] * np.eye(2)[:, None]).reshape(-1, N_CLASSES, 2)
    functions = np.concatenate([by_act, np.einsum("mnc,kn->mkc", weights[1], smooth)])
    both = np.concatenate([own.reshape(REPLIES, -1), groups], axis=1), functions
    return Replies(*(each.round(_DECIMALS).astype(np.float16) for each in both))


def _levels(table: Floats, forecasts: Floats) -> Floats:
    """What a table of logarithms does to the levels of calls and raises, beside folds: float64 (112, 2)."""
    held = _DEALT[:, None] * np.maximum(forecasts, _LEAST)
    held /= held.sum(axis=(1, 2), keepdims=True)
    found = np.zeros((REPLIES, 1, 3))
    for _ in range(_TURNS):
        chances = held * np.exp(table - found)
        chances *= held.sum(axis=2, keepdims=True) / chances.sum(axis=2, keepdims=True)
        found += np.log(chances.sum(axis=1, keepdims=True) / held.sum(axis=1, keepdims=True))
    return (found - found[:, :, :1])[:, 0, 1:]


class _Hidden:
    """Replies with holdings that are not known."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        replies = sorted(replies, key=lambda each: each.row)
        self._rows, self._first = np.unique(np.array([each.row for each in replies], dtype=np.intp), return_index=True)
        self._row_of = np.array([each.row for each in replies], dtype=np.intp)
        self._logs = np.array([each.logs for each in replies], dtype=np.float32).reshape(-1, N_CLASSES, 3)
        self._done = np.array([each.target for each in replies], dtype=np.float32).reshape(-1, 1, 3)
        self._held = np.array([each.worth * each.held for each in replies], dtype=np.float32).reshape(-1, N_CLASSES)
        self._worth = np.array([each.worth for each in replies], dtype=np.float32)[:, None]

    def slopes(self, table: Floats) -> Floats:
        """How their log-likelihood rises with the calls and raises of a table: float64 (112, 169, 2)."""
        found = np.zeros((REPLIES, N_CLASSES, 2))
        if len(self._rows):
            chances = np.exp(self._logs + table.astype(np.float32)[self._row_of])
            chances /= chances.sum(axis=2, keepdims=True)
            held = self._held * (self._done * chances).sum(axis=2)
            held *= self._worth / held.sum(axis=1, keepdims=True)
            apart = held[:, :, None] * (self._done - chances)[:, :, 1:]
            found[self._rows] = np.add.reduceat(apart, self._first, axis=0)
        return found


def _table(designs: Sequence[tuple[Floats, Floats]], weights: Weights) -> Floats:
    """Logarithms: float64 (112, 169, 3), 0 of folds."""
    table = np.zeros((REPLIES, N_CLASSES, 3))
    for (rows, classes), own in zip(designs, weights, strict=True):
        table[:, :, 1:] += np.einsum("rm,mnc,kn->rkc", rows, own, classes, optimize=True)
    return table


def _designs() -> list[tuple[Floats, Floats]]:
    """The designs of rows and of classes that weights are between, of which the first row of replies is no part."""
    rows = np.arange(REPLIES)
    seats = rows[:, None] == rows[1:]
    ends = (_LIMPS, _ONE, _MORE, _CALLERS, _SHOVE, REPLIES)
    limps, one, more, callers, shove = ((first <= rows) & (rows < end) for first, end in pairwise(ends))
    raiser, own = np.divmod(rows - _ONE, _SEAT_BINS)
    again, state = np.divmod(rows - _MORE, 4)
    who, level = np.divmod(rows - _SHOVE, _LEVELS)
    common = [limps, one | callers, more, shove, more & (state > 1), more & (state % 2 > 0)]
    common += [part & (bin == k) for part, bin in ((one, raiser), (one, own), (more, again)) for k in range(_SEAT_BINS)]
    common += [shove & (part == k) for part in (who, level) for k in range(_LEVELS)]
    # limps from early and late seats and of several players; answers of the small blind, the big blind and others
    common += [np.isin(rows, some) for some in ((1, 2, 3), (4, 5, 6), (8, 9, 10), (1, 4, 8), (2, 5, 7, 9), (3, 6, 10))]
    groups = [
        limps,
        one | callers,
        more,
        shove,
        one & (raiser == 5),
        one & ((raiser == 2) | (raiser == 0)),
        one & (own == 1),
    ]
    strength = income_shares()[list(_FIRST)]
    classes = np.stack(
        [np.ones(N_CLASSES), _SLOPE * (2 * strength - 1), _SLOPE * np.maximum(4 * strength - 3, 0.0)], axis=1
    )
    sizes = np.repeat([_CLASSES, _OF_GROUP], [3, len(groups) - 3])
    return [
        (np.concatenate([_SEATS * np.stack(common, axis=1), _ROW * seats], axis=1), classes),
        (sizes * np.stack(groups, axis=1), _smooth()),
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
