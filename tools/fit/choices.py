"""Fitting what people choose: the network of a likelihood, and the loadings by which players differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pokermodel._core.likelihood import (
    EFFECTS,
    HIDDEN,
    HOLDING_ROWS,
    LEVELS,
    MIXED,
    OUT,
    SIDE,
    HoldingClasses,
    Likelihood,
    narrow_levels,
)
from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs
from pokermodel.reading.adaptive.holdings import PREFLOP_HOLDINGS
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GAMES, GamePrior
from pokermodel.reading.adaptive.situations import BASIS, situation_table
from pokermodel.reading.adaptive.sizes import SizePrior
from tools.fit.ascent import Adam, Weights
from tools.fit.granted import granted
from tools.fit.options import FitOptions

__all__ = ["ChoiceFit", "Step"]

#: Called after each pass with its number from 1, the number of passes, and the mean log-loss of an act in nats.
Step: TypeAlias = Callable[[int, int, float], None]

#: Scales while network and loadings are fitted together. Most hands are of one population, which hides how much
#: populations differ: it is followed slowly, so that the network itself comes to know it.
_FOLLOWED = {"population": 0.5, "player": 1.0, "population_strength": 60.0, "player_strength": 30.0}
#: How much players differ, where directions are looked for: variances of what is added to a unit before the flop and
#: after it, and to the cells of the three features of `BASIS`.
_UNITS, _CELLS = (0.06, 0.01), (0.3, 0.1, 0.1)
_MOST_HANDS = 400  # by which a player counts for directions
_GRANTED = 32  # situations of what is taken for granted, to a batch of hands


@dataclass(eq=False, slots=True)
class _Unit:
    """A player's hand, ready for a likelihood."""

    acts: PlayerActs
    classes: list[HoldingClasses]
    hand: PlayedHand
    levels: Floats
    effects: Floats
    offsets: Floats

    @property
    def possible(self) -> Floats:
        return self.hand.possible(self.acts)


def _units(hands: Sequence[PlayedHand]) -> list[_Unit]:
    units = []
    effects, none = np.zeros(EFFECTS), np.zeros((0, 3))
    for hand in hands:
        classes = hand.classes()
        for acts in hand.players:
            units.append(_Unit(acts, [classes[round] for round in acts.rounds], hand, NO_LEVELS, effects, none))
    return units


def _variances() -> Floats:
    """What is held of a player before their first hand: float64 (2, 3, 39, 39) by side and act, diagonal."""
    covariance = np.zeros((2, 3, SIDE, SIDE))
    for side, features in enumerate(BASIS):
        diagonal = np.repeat([_UNITS[side], *_CELLS], [MIXED, *(feature.size for feature in features)])
        rows = np.arange(len(diagonal))
        covariance[side, :, rows, rows] = diagonal[:, None]
    return covariance


class ChoiceFit:
    """Weights of a likelihood, from the network alone to loadings of players.

    Parameters
    ----------
    game : str
    hands : sequence of PlayedHand
    sizes : SizePrior or None
    generator : numpy.random.Generator
    options : FitOptions
    step : callable, optional
        Called after each pass.
    """

    def __init__(
        self,
        game: str,
        hands: Sequence[PlayedHand],
        sizes: SizePrior | None,
        generator: np.random.Generator,
        options: FitOptions,
        step: Step | None,
    ) -> None:
        self._game = game
        self._sizes = sizes
        self._hands = hands
        self._units = _units(hands)
        self._generator = generator
        self._options = options
        self._say = step
        self._pass = 0
        self._granted = granted(GAMES[game])
        normal = generator.normal
        rows = situation_table(GAMES[game]).size
        out = np.zeros((MIXED, OUT))
        out[:, :3] = normal(0, 0.1, (MIXED, 3))
        self._likelihood = Likelihood(
            [
                normal(0, 0.15, (rows, HIDDEN)),
                normal(0, 0.15, (HOLDING_ROWS, HIDDEN)),
                normal(0, (2 / HIDDEN) ** 0.5, (HIDDEN, MIXED)),
                np.zeros(MIXED),
                out,
                np.zeros(OUT),
                np.zeros((rows, OUT)),
                np.zeros((HOLDING_ROWS, OUT)),
                np.zeros((LEVELS, 3, EFFECTS)),
            ]
        )

    @property
    def weights(self) -> Weights:
        """The likelihood's own, to be written to."""
        return list(self._likelihood.weights)

    def alone(self) -> None:
        """Fit the network, everybody being alike."""
        options = self._options
        for unit in self._units:
            unit.offsets = np.zeros((len(unit.acts.acts), 3))
        adam = Adam(self.weights, options.passes * self._batches, options.rate, options.decay, 0.4)
        for _ in range(options.passes):
            self._descend(adam)

    @property
    def _batches(self) -> int:
        return -(-len(self._units) // self._options.batch)

    def _descend(self, adam: Adam, strangers: float = 0.0) -> None:
        """One pass over all hands in random order."""
        order = self._generator.permutation(len(self._units)).tolist()
        total, acts = 0.0, 0
        for first in range(0, len(order), self._options.batch):
            batch = 0
            for k in order[first : first + self._options.batch]:
                unit = self._units[k]
                n = len(unit.acts.acts)
                forecasts = np.empty((n, 3))
                stranger = strangers > 0 and self._generator.random() < strangers
                self._follow(unit, forecasts, stranger=stranger, learnt=adam.gradient)
                total -= float(np.log(np.maximum(forecasts[np.arange(n), unit.acts.acts], 1e-9)).sum())
                batch += n
            if strangers > 0:
                batch += self._grant(adam)
            adam.step(batch)
            self._likelihood.refresh()
            acts += batch
        self._pass += 1
        if self._say is not None:
            self._say(self._pass, self._options.passes + self._options.joint_passes, total / acts)

    def _grant(self, adam: Adam) -> int:
        """Add gradients of what is taken for granted, by which somebody does anything else in proportion."""
        chosen = self._generator.integers(len(self._granted), size=_GRANTED)
        effects, offsets, everything = np.zeros(EFFECTS), np.zeros((1, 3)), np.ones(N_HOLDINGS)
        forecasts, predicted = np.empty((1, 3)), np.empty(3)
        for k in chosen.tolist():
            told = self._granted[k]
            holding = told.holdings[int(self._generator.integers(len(told.holdings)))]
            held = np.zeros(N_HOLDINGS)
            held[holding] = 1.0
            self._likelihood.judge(
                told.rows, told.basis, NO_LEVELS, effects, offsets[0], told.legal[0], PREFLOP_HOLDINGS, held, predicted
            )
            predicted[told.never] = 0.0
            act = np.array([np.searchsorted(predicted.cumsum(), self._generator.random() * predicted.sum())], np.int16)
            self._likelihood.follow(
                *(told.rows, told.basis, NO_LEVELS, effects, offsets, told.legal, act, [PREFLOP_HOLDINGS]),
                *(everything.copy(), holding, forecasts),
                learnt=adam.gradient,
            )
        return _GRANTED

    def _follow(self, unit: _Unit, forecasts: Floats, *, stranger: bool = False, **more: Any) -> None:
        acts = unit.acts
        self._likelihood.follow(
            acts.rows,
            acts.basis,
            unit.levels,
            np.zeros(EFFECTS) if stranger else unit.effects,
            np.zeros_like(unit.offsets) if stranger else unit.offsets,
            acts.legal,
            acts.acts,
            unit.classes,
            unit.possible,
            acts.holding,
            forecasts,
            **more,
        )

    def find_directions(self, seen: Mapping[str, int]) -> None:
        """Find the directions in which players differ most, by players and in how many hands each was seen."""
        variances = _variances()
        beliefs = {name: (np.zeros((LEVELS, 3)), variances.copy()) for name in seen}
        for unit in self._units:
            if (belief := beliefs.get(unit.acts.name)) is None:
                continue
            n = len(unit.acts.acts)
            forecasts, slopes = np.empty((n, 3)), np.empty((n, 4, MIXED + 1, OUT))
            unit.levels, covariance = belief
            self._follow(unit, forecasts, gradient=np.zeros(EFFECTS), slopes=slopes)
            narrow_levels(unit.levels, covariance, unit.acts.basis, slopes, forecasts)
            unit.levels = NO_LEVELS
        told = np.stack([beliefs[name][0] for name in seen])
        told -= told.mean(axis=2, keepdims=True)  # what all acts have in common says nothing
        worth = np.array([min(hands, _MOST_HANDS) for hands in seen.values()], dtype=np.float64)
        worth /= worth.sum()
        flat = told.reshape(len(seen), -1)
        flat = (flat - worth @ flat) * np.sqrt(worth)[:, None]
        _, lengths, directions = np.linalg.svd(flat, full_matrices=False)
        found = directions[:EFFECTS] * lengths[:EFFECTS, None]
        found *= np.where(found[np.arange(EFFECTS), np.abs(found).argmax(axis=1)] < 0, -1, 1)[:, None]
        self._likelihood.weights[8][...] = found.T.reshape(LEVELS, 3, EFFECTS)

    def together(self) -> None:
        """Fit network and loadings, with what was known of the players before each hand."""
        options = self._options
        adam = Adam(self.weights, max(1, options.joint_passes * self._batches), options.joint_rate, options.decay, 0.0)
        for _ in range(options.joint_passes):
            self._tell()
            self._descend(adam, options.strangers)

    def _tell(self) -> None:
        """Note for each hand what those before it say of the player."""
        # without habits: what they explain of a player would be missing from the loadings
        people = GamePopulation(GamePrior(self._game, self.weights, _FOLLOWED, self._sizes), habits=False)
        units = iter(self._units)
        for hand in self._hands:
            for acts in hand.players:
                unit = next(units)
                unit.effects = people.effects(hand.population, acts.name)
                unit.offsets = people.offsets(hand.population, acts.name, acts.cells)
            people.learn(hand)
