"""What the place of a holding in the player's own range says beyond a likelihood that stays as it is.

The likelihood knows how strong a holding is against any two cards. People also compare it with what else they could
have: a player with a strong range folds its weak end to a bet, though it beats most holdings. By street, and by whether
a bet is faced, the odds of calls and raises are multiplied by factors for places in the range. Their logarithms are the
likeliest ones, shrunken to nothing. Levels stay, since all ranges have all places in the same proportion. An action
counts half as a stranger's, and half as one of a player as known by then. Only known holdings count.

Facing a bet half of the logarithms is kept: whole ones were worse for two loose people who were left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel._core.likelihood import CELLS, STANDINGS
from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.polarity import strength_masses
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import BASIS

__all__ = ["Placed", "fit_standings", "likeliest"]

_RIDGE, _STEPS, _CLOSE, _DECIMALS = 10.0, 30, 1e-6, 2
_WORTH = 0.5  # of an act, which counts twice
_KEPT = 0.5  # of the logarithms facing a bet


class Placed(NamedTuple):
    """An act after the flop with a holding that is known."""

    street: int  #: 0 on the flop.
    facing: bool
    place: float  #: The share of the range that is weaker, and half of what is as strong.
    act: int
    chances: Floats  #: With the holding, by the likelihood: float64 (3,).


def fit_standings(hands: Sequence[PlayedHand], prior: GamePrior) -> Floats:
    """Fit them to hands in the order in which they were played: float64 (3, 2, 12, 2), as `GamePrior` takes them."""
    prior = prior.with_standings(None)
    nobody, people, found = GamePopulation(prior), GamePopulation(prior, habits=False), []
    for hand in hands:
        for acts in hand.players:
            if acts.holding >= 0 and acts.rounds[-1]:
                found += _placed(hand, acts, nobody, ("", None))
                found += _placed(hand, acts, people, (hand.population, acts.name))
        people.learn(hand)
    return likeliest(found)


def _placed(hand: PlayedHand, acts: PlayerActs, people: GamePopulation, who: tuple[str, str | None]) -> list[Placed]:
    effects, offsets = people.effects(*who, hand.labels), people.offsets(*who, acts.cells, hand.labels)
    weights, classes, found = np.ones(N_HOLDINGS), hand.classes(), []
    predicted, triples = np.empty(3), np.empty((N_HOLDINGS, 3))
    for k, (street, act) in enumerate(zip(acts.rounds, acts.acts.tolist(), strict=True)):
        one = slice(k, k + 1)
        people.prior.likelihood.judge(
            *(acts.rows[one], acts.basis[one], NO_LEVELS, effects, offsets[k], acts.legal[k], classes[street]),
            *(weights, predicted, triples),
        )
        np.nan_to_num(triples, copy=False)
        if street and not _raised(acts, k):
            board = hand.board[: street + 2]
            held, own = strength_masses(weights * (triples[:, Act.CALL] > 0), board), strength_bins(board)[acts.holding]
            place, facing = float(held[:own].sum() + held[own] / 2), bool(acts.legal[k, Act.FOLD] > 0)
            found.append(Placed(street - 1, facing, place, act, triples[acts.holding].copy()))
        weights *= triples[:, act]
        weights /= weights.max() or 1.0
    return found


def _raised(acts: PlayerActs, k: int) -> bool:
    """Whether an act after the flop faces a raise, as cells of effects have it."""
    return bool((acts.basis[k, 2] - CELLS[0] - BASIS[1][0].size) % 3 > 1)


def likeliest(placed: Sequence[Placed]) -> Floats:
    """The likeliest logarithms, by Newton's steps, of which each looks at all acts: float64 (3, 2, 12, 2)."""
    found = np.zeros((3, 2, STANDINGS, 2))
    for street, facing in np.ndindex(3, 2):
        some = [each for each in placed if (each.street, each.facing) == (street, facing)]
        if some:
            found[street, facing] = _newton(some)
    return (found * [[[1.0]], [[_KEPT]]]).round(_DECIMALS)


def _newton(placed: Sequence[Placed]) -> Floats:
    """Of one street and situation: float64 (12, 2)."""
    places = np.array([each.place for each in placed]) * (STANDINGS - 1)
    parts = np.maximum(1 - np.abs(places[:, None] - np.arange(STANDINGS)), 0.0)
    done = np.eye(3)[[each.act for each in placed]][:, 1:]
    chances = np.array([each.chances for each in placed])
    logs = np.zeros((STANDINGS, 2))
    for _ in range(_STEPS):
        now = chances * np.exp(np.pad(parts @ logs, ((0, 0), (1, 0))))
        now = (now / now.sum(axis=1, keepdims=True))[:, 1:]
        gradient = _WORTH * parts.T @ (done - now) - _RIDGE * logs
        spread = now[:, :, None] * (np.eye(2) - now[:, None, :])
        known = _WORTH * np.einsum("ni,nab,nj->iajb", parts, spread, parts, optimize=True)
        known = known.reshape(2 * STANDINGS, -1) + _RIDGE * np.eye(2 * STANDINGS)
        step = np.linalg.solve(known, gradient.ravel()).reshape(logs.shape)
        logs += step
        if np.abs(step).max() < _CLOSE:
            break
    return logs
