"""Levels of kinds of tables: how strangers play there, as hands of them show.

The likelihood stays as it is. Effects and factors are fitted to what was done, as a population has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokermodel._core.likelihood import EFFECTS, MIXED, OUT, HoldingClasses, Likelihood
from pokermodel._support.arrays import Floats
from pokermodel.game import Hand
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs, play
from pokermodel.reading.adaptive.kinds import Kinds
from pokermodel.reading.adaptive.population import NO_LEVELS
from pokermodel.reading.adaptive.prior import Prior
from pokermodel.reading.adaptive.situations import FACTOR_CELLS

__all__ = ["LEAST_HANDS", "add_kind", "fitted_kinds", "whole_hand"]

#: Hands that a kind of table has at least.
LEAST_HANDS = 120
_MOST_LINES = 4000  # that levels are fitted to
#: How much kinds differ: the standard deviation of an effect, and observations that a factor of 1 may be worth.
_EFFECT, _FACTORS = 0.5, (5.0, 15.0, 40.0)
_PASSES, _STEP = 8, 0.35
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the likeliest levels, that are believed


def whole_hand(hand: Hand) -> PlayedHand | None:
    """Gather a hand for a fit, where bets have sizes with all known cards; `ValueError` if it breaks the rules."""
    decisions = list(hand.replay())
    _ = hand.payoffs
    return play(hand, decisions, all_cards=not hand.spec.structure.fixed)


def add_kind(prior: Prior, hands: Sequence[PlayedHand], name: str) -> Prior:
    """Add the kind of table that some hands were played at to a prior; its likelihoods stay.

    It replaces a kind of the same name. `ValueError` if no game of the prior has 120 hands.
    """
    of_game = {game: [hand for hand in hands if hand.game == game] for game in prior.games}
    games, fitted = [], 0
    for name_of_game, some in of_game.items():
        game = prior.games[name_of_game]
        if len(some) >= LEAST_HANDS:
            kind = fitted_kinds(game.likelihood, {name: some})
            game = game.with_kinds(kind if game.kinds is None else game.kinds.without(name).joined(kind))
            fitted += len(some)
        games.append(game)
    if not fitted:
        counts = ", ".join(f"{len(some)} of {game}" for game, some in of_game.items())
        raise ValueError(f"a kind of table needs {LEAST_HANDS} hands of one game, got {counts}")
    return Prior(games, {**prior.about, "kinds": {**prior.about.get("kinds", {}), name: fitted}})


def fitted_kinds(likelihood: Likelihood, members: Mapping[str, Sequence[PlayedHand]]) -> Kinds:
    """Fit kinds of tables by name, each to its hands."""
    effects, logs = zip(*(_levels(likelihood, hands) for hands in members.values()), strict=True)
    labels = [
        [_shares(column) for column in zip(*(hand.labels for hand in hands), strict=True)] for hands in members.values()
    ]
    return Kinds(list(members), labels, np.stack(effects), np.stack(logs))


def _shares(labels: Sequence[str]) -> dict[str, float]:
    return {label: round(n / len(labels), 4) for label, n in sorted(Counter(labels).items())}


class _Line(NamedTuple):
    """What a player did in a hand."""

    hand: PlayedHand
    acts: PlayerActs
    classes: list[HoldingClasses]

    def follow(self, likelihood: Likelihood, effects: Floats, logs: Floats, *more: Any) -> Floats:
        """Forecast each act of a stranger: float64 (n, 3). `more` are the further arguments of `Likelihood.follow`."""
        acts = self.acts
        forecasts = np.empty((len(acts.acts), 3))
        likelihood.follow(
            *(acts.rows, acts.basis, NO_LEVELS, effects, logs[acts.cells].sum(axis=1), acts.legal, acts.acts),
            *(self.classes, self.hand.possible(acts), acts.holding, forecasts, *more),
        )
        return forecasts


def _levels(likelihood: Likelihood, hands: Sequence[PlayedHand]) -> tuple[Floats, Floats]:
    """Fit effects, float64 (16,), and logarithms of factors, float64 (cells, 3).

    What a factor is worth is chosen, and the share of the likeliest levels that is kept: each half of the hands, the
    earlier and the later, predicts the other best by them. The share is small where a few players make the kind,
    because they do not come back.
    """
    played = [(hand, acts) for hand in hands for acts in hand.players]
    some = played[:: -(-len(played) // _MOST_LINES)]
    lines = [_Line(hand, acts, list(map(hand.classes().__getitem__, acts.rounds))) for hand, acts in some]
    earlier, later = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    losses = np.zeros((len(_FACTORS), len(_SHARES)))
    for found, factor in zip(losses, _FACTORS, strict=True):
        for known, others in ((earlier, later), (later, earlier)):
            effects, logs = _likeliest(likelihood, known, factor)
            found += [_loss(likelihood, others, share * effects, share * logs) for share in _SHARES]
    best, kept = np.unravel_index(np.argmin(losses), losses.shape)
    effects, logs = _likeliest(likelihood, lines, _FACTORS[best])
    return _SHARES[kept] * effects, _SHARES[kept] * logs


def _loss(likelihood: Likelihood, lines: Sequence[_Line], effects: Floats, logs: Floats) -> float:
    """The log-loss of what strangers did."""
    total = 0.0
    for line in lines:
        forecasts = line.follow(likelihood, effects, logs)
        chosen = forecasts[np.arange(len(forecasts)), line.acts.acts]
        total -= float(np.log(np.maximum(chosen, 1e-9)).sum())
    return total


def _likeliest(likelihood: Likelihood, lines: Sequence[_Line], factor: float) -> tuple[Floats, Floats]:
    """Fit levels by shortened steps of Newton's over all lines at once, each factor as if there were no other.

    Hand after hand, as populations are followed, effects and factors would explain the same things twice.
    """
    effects, logs = np.zeros(EFFECTS), np.zeros((FACTOR_CELLS, 3))
    known = 1 / _EFFECT**2
    for _ in range(_PASSES):
        gradient, information = np.zeros(EFFECTS), known * np.eye(EFFECTS)
        slopes_of_logs, expected = np.zeros_like(logs), np.full_like(logs, factor)
        for line in lines:
            cells, n = line.acts.cells, len(line.acts.acts)
            directions, slopes = np.empty((n, 3, EFFECTS)), np.empty((n, 4, MIXED + 1, OUT))
            forecasts = line.follow(likelihood, effects, logs, gradient, directions, None, slopes)
            flat = directions.reshape(-1, EFFECTS)
            information += (flat * forecasts.reshape(-1, 1)).T @ flat
            np.add.at(slopes_of_logs, cells, slopes[:, 3, MIXED, None, :3])
            np.add.at(expected, cells, forecasts[:, None])
        effects += _STEP * np.linalg.solve(information, gradient - known * effects)
        logs += _STEP * (slopes_of_logs - factor * logs) / expected
    return effects, logs
