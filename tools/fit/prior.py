"""Fit a whole prior: see `tools.fit` for the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pokermodel._core.likelihood import EFFECTS
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.prior import GAMES, GamePrior, Prior
from pokermodel.reading.adaptive.situations import situation_table
from tools.fit.choices import ChoiceFit, Step
from tools.fit.kinds import fit_kinds
from tools.fit.options import SCALES, FitOptions
from tools.fit.polarity import river_polarity
from tools.fit.replies import fit_replies
from tools.fit.sizes import fit_sizes, with_tilts
from tools.fit.standings import fit_standings

__all__ = ["fit_prior"]

_LEAST_HANDS = 30  # of players whose differences are looked at


def fit_prior(
    hands: Sequence[PlayedHand],
    *,
    rng: RandomLike = None,
    options: FitOptions | None = None,
    about: dict[str, Any] | None = None,
    step: Step | None = None,
) -> Prior:
    """Fit a prior.

    Parameters
    ----------
    hands : sequence of PlayedHand
        In the order in which they were played, as far as that is known.
    rng : int, Generator, SeedSequence or None
        The same seed gives the same prior.
    options : FitOptions, optional
    about : dict, optional
        Notes that the prior keeps about itself.
    step : callable, optional
        Called after each pass with its number from 1, the number of passes, and the mean log-loss of an act in nats.

    Returns
    -------
    Prior

    Raises
    ------
    ValueError
        If there are too few hands to tell players apart.
    """
    options = options or FitOptions()
    seeds = as_seed_sequence(rng)
    players: set[str] = set()
    games = []
    for game, seed in zip(GAMES, (seeds, _child(seeds)), strict=True):
        some = [hand for hand in hands if hand.game == game]
        if some:
            games.append(_fit_game(game, some, np.random.default_rng(seed), options, step))
            players.update(acts.name for hand in some for acts in hand.players)
    if not games:
        raise ValueError("there is no hand to fit")
    return Prior(games, {**(about or {}), "hands": len(hands), "players": len(players)})


def _child(seeds: np.random.SeedSequence) -> np.random.SeedSequence:
    """The first child that `spawn` gives, however often it was called."""
    return np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, 0), pool_size=seeds.pool_size)


def _fit_game(
    game: str, hands: Sequence[PlayedHand], generator: np.random.Generator, options: FitOptions, step: Step | None
) -> GamePrior:
    """Fit the prior of one game."""
    seen = Counter(acts.name for hand in hands for acts in hand.players)
    often = [name for name, count in seen.items() if count >= _LEAST_HANDS]
    if len(often) <= EFFECTS:
        raise ValueError(
            f"{len(often)} players were seen in {_LEAST_HANDS} hands or more of {game}: "
            f"a prior needs more than {EFFECTS}"
        )
    sizes = None if GAMES[game].fixed else fit_sizes(hands, situation_table(GAMES[game]).size, generator)
    fit = ChoiceFit(game, hands, sizes, generator, options, step)
    fit.alone()
    fit.find_directions({name: seen[name] for name in often})
    fit.together()
    kinds = fit_kinds(hands, GamePrior(game, fit.weights, SCALES[game], sizes))
    if sizes is not None:
        sizes = with_tilts(hands, GamePrior(game, fit.weights, SCALES[game], sizes))
    found = GamePrior(game, fit.weights, SCALES[game], sizes, kinds)
    found = found.with_polarity(river_polarity(hands, found))
    if sizes is not None:
        found = found.with_standings(fit_standings(hands, found)).with_replies(fit_replies(hands, found))
    return found
