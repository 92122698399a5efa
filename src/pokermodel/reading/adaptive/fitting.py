"""Fitting a prior to hands: what people do with their holdings, and in which ways they differ.

All hands count, those that nobody showed by every holding that is left: the gradient of the log-likelihood of what was
done is a mean over holdings given all acts of the hand (Fisher's identity), which is EM with one step of gradient in
place of each maximisation. A holding that was shown is the only one.

1. The network alone: stochastic gradients (Adam, Kingma and Ba 2015, with decoupled weight decay, Loshchilov and Hutter
   2019) over the hands of players in random order.
2. Directions in which players differ: a Gaussian belief about all effects of each player, hand after hand, and of the
   beliefs about those seen often the principal components.
3. Network and loadings together, each hand with the effects and factors that the hands before it taught: so shapes are
   learnt with levels taken out. Populations and players are followed anew for each pass.
4. Kinds of tables: the levels of strangers at tables that say the same of themselves, as a population has them.
5. What bets on the river say beyond the likelihood (`pokermodel.reading.adaptive.polarity`).

Limit and the other structures are games of their own, each with a network. Sizes of bets have one of their own
(`pokermodel.reading.adaptive.size_fitting`); and of holdings that are known it is counted in which quarter of the
player's own sizes a bet lies with which strength.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
from pokermodel.cards import N_HOLDINGS, card_indices, holding_index
from pokermodel.game import Act, BettingStructure, GameSpec, LiveHand
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.adaptive.ascent import Adam, Weights
from pokermodel.reading.adaptive.holdings import PREFLOP_HOLDINGS, strength_bins
from pokermodel.reading.adaptive.kinds import Kinds, TableLabels
from pokermodel.reading.adaptive.polarity import (
    SIZE_GROUPS,
    Polarity,
    RiverBet,
    fit_polarity,
    size_group,
    strength_masses,
)
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation, PlayedHand, PlayerActs
from pokermodel.reading.adaptive.prior import GAMES, GamePrior, Prior
from pokermodel.reading.adaptive.situations import BASIS, FACTOR_CELLS, board_features, situation_table
from pokermodel.reading.adaptive.size_fitting import fit_sizes
from pokermodel.reading.adaptive.sizes import (
    QUARTERS,
    STRENGTHS,
    SizePrior,
    quarter,
)
from pokermodel.reading.features import BettingHistory, Features

__all__ = ["FitOptions", "Step", "add_kind", "fit_kinds", "fit_prior", "river_polarity"]

#: Told of each pass: its number from 1, how many there are, and the mean log-loss of the acts, in nats.
Step: TypeAlias = Callable[[int, int, float], None]

_LEAST_HANDS = 30  # of players whose differences are looked at
#: How much people differ, as it was chosen for each game.
_SCALES = {
    "limit": {"population": 2.0, "player": 1.0, "population_strength": 10.0, "player_strength": 30.0},
    "no limit": {"population": 1.0, "player": 1.0, "population_strength": 90.0, "player_strength": 30.0},
}
_TILT_STRENGTH = 40.0  # observations that no tilt is worth
_TILT_SHARE = 0.3  # of what sizes said of holdings, that somebody else's are taken to say
#: Scales while network and loadings are fitted together. Most hands are of one population, which hides how much
#: populations differ: it is followed slowly, so that the network itself comes to know it.
_FOLLOWED = {"population": 0.5, "player": 1.0, "population_strength": 60.0, "player_strength": 30.0}
#: How much players differ, where directions are looked for: variances of what is added to a unit before the flop and
#: after it, and to the cells of the three features of `BASIS`.
_UNITS, _CELLS = (0.06, 0.01), (0.3, 0.1, 0.1)
#: Hands that a kind of table has at least, and hands of players that its levels are of at most.
_LEAST_OF_KIND, _UNITS_OF_KIND = 120, 4000
#: How much kinds differ: a standard deviation of effects, and observations that a factor of 1 is worth.
_BETWEEN_KINDS = 0.5, 15.0
_KIND_PASSES, _KIND_STEP = 8, 0.35
_BELIEVED = (0.0, 0.25, 0.5, 0.75, 1.0)  # shares of the levels of a kind
#: What is taken for granted of everybody: see `_granted`.
_SEATS, _DEPTHS = range(2, 11), (20, 50, 100, 200)
_GRANTED = 32  # situations of it, to a batch of hands
_PAIRS = tuple(holding_index(card_indices(f"{rank}c{rank}d")) for rank in "TJQKA")
_TRASH = tuple(holding_index(card_indices(cards)) for cards in ("7c2d", "8c2d", "8c3d", "9c2d", "3c2d"))


@dataclass(frozen=True, slots=True)
class FitOptions:
    """How a prior is fitted.

    Attributes
    ----------
    passes : int
        Over the hands, for the network alone.
    joint_passes : int
        For the network together with the effects of players.
    strangers : float
        What share of the hands is taken, in the passes of the network together with effects, as if nobody had been met
        before: so a likelihood at rest is what is said of somebody in the first hand ever seen.
    batch : int
        Hands of players between two steps.
    rate, joint_rate : float
        Length of the steps; it falls towards the end.
    decay : float
        Weight decay, in units of the length of a step.
    population, player : float, optional
        Standard deviations of effects, in units of the loadings, as the prior will have them. Default: what was chosen
        for the game.
    population_strength, player_strength : float, optional
        Observations that a factor of 1 is worth. Default likewise.
    """

    passes: int = 6
    joint_passes: int = 5
    strangers: float = 0.5
    batch: int = 256
    rate: float = 3e-3
    joint_rate: float = 2e-3
    decay: float = 1.0
    population: float | None = None
    player: float | None = None
    population_strength: float | None = None
    player_strength: float | None = None

    def scales(self, game: str) -> dict[str, float]:
        """Scales by name, as a `GamePrior` has them: what is set, else what was chosen for the game."""
        asked = {name: getattr(self, name) for name in _SCALES[game]}
        return {name: usual if asked[name] is None else asked[name] for name, usual in _SCALES[game].items()}


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


class _Granted(NamedTuple):
    """A situation before the flop, and what nobody does in it with some holdings."""

    rows: NDArray[np.int16]
    basis: NDArray[np.int16]
    legal: NDArray[np.float32]
    holdings: tuple[int, ...]
    never: int


def _granted(structure: BettingStructure) -> list[_Granted]:
    """What is taken for granted of everybody, at tables of any size: good pairs do not fold to the first raise.

    And first to act of three or more, the worst hands do not raise. Hands say little of it, where most who fold are
    not seen, and nothing for tables that they are not of: what a network makes of those is by chance.
    """
    found = []
    table = situation_table(structure)
    for players in _SEATS:
        for depth in (None,) if structure.fixed else _DEPTHS:
            for opener in range(players):
                spec = _first_hand(structure, players, depth)
                hand = LiveHand(spec, [f"player {k}" for k in range(players)])
                history = BettingHistory(players)
                for place in range(players + opener):
                    if hand.state.over or hand.state.round:
                        break
                    situation = hand.situation()
                    rows, basis, _ = table.arrays([history.describe(Features, situation)], [board_features(())])
                    legal = np.array([[act in situation.legal for act in Act]], dtype=np.float32)
                    if Act.FOLD in situation.legal and (opener == 0 or place >= opener):
                        found.append(_Granted(rows, basis, legal, _PAIRS, Act.FOLD))
                    if place == opener == 0 and players > 2:
                        found.append(_Granted(rows, basis, legal, _TRASH, Act.RAISE))
                    if place == opener:
                        to = None if structure.fixed else 3 * spec.small_bet
                        history.add(hand.act(Act.RAISE, to))
                    else:
                        history.add(hand.act(Act.FOLD))
    return found


def _first_hand(structure: BettingStructure, players: int, depth: int | None) -> GameSpec:
    blinds = (50, 100) if players > 2 else (100, 50)
    small, first = 100, 2 % players if players > 2 else 1
    return GameSpec(
        blinds=blinds + (0,) * (players - 2),
        bets=(small, small, 2 * small, 2 * small) if structure.fixed else (small,) * 4,
        first=(first, 0, 0, 0),
        structure=structure,
        stacks=() if depth is None else (small * depth,) * players,
    )


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
        What the prior will say about itself.
    step : callable, optional
        Told of each pass.

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
        told = [hand for hand in hands if hand.game == game]
        if told:
            games.append(_fit_game(game, told, np.random.default_rng(seed), options, step))
            players.update(acts.name for hand in told for acts in hand.players)
    if not games:
        raise ValueError("there is no hand to fit")
    return Prior(games, {**(about or {}), "hands": len(hands), "players": len(players)})


def _child(seeds: np.random.SeedSequence) -> np.random.SeedSequence:
    """What `spawn` gives first, however often."""
    return np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, 0), pool_size=seeds.pool_size)


def _fit_game(
    game: str, hands: Sequence[PlayedHand], generator: np.random.Generator, options: FitOptions, step: Step | None
) -> GamePrior:
    """Fit what is known of people in one game."""
    units = list(_units(hands))
    seen = Counter(unit.acts.name for unit in units)
    often = [name for name, count in seen.items() if count >= _LEAST_HANDS]
    if len(often) <= EFFECTS:
        raise ValueError(
            f"{len(often)} players were seen in {_LEAST_HANDS} hands or more of {game}: "
            f"a prior needs more than {EFFECTS}"
        )
    sizes = None
    if not GAMES[game].fixed:
        sizes = fit_sizes(hands, situation_table(GAMES[game]).size, generator)
    fit = _Fit(game, units, sizes, generator, options, step)
    fit.alone()
    fit.find_directions(seen, often)
    fit.together(hands)
    kinds = fit_kinds(hands, GamePrior(game, fit.weights, options.scales(game), sizes))
    if sizes is not None:
        prior = GamePrior(game, fit.weights, options.scales(game), sizes)
        sizes = sizes.with_tilts(_size_tilts(hands, prior))
    found = GamePrior(game, fit.weights, options.scales(game), sizes, kinds)
    return found.with_polarity(river_polarity(hands, found))


def river_polarity(hands: Sequence[PlayedHand], prior: GamePrior) -> Polarity:
    """What bets on the river say beyond a prior's likelihood, by hands of which cards are known.

    Parameters
    ----------
    hands : sequence of PlayedHand
        Of the prior's game, in the order in which they were played.
    prior : GamePrior
    """
    people = GamePopulation(prior.with_polarity(None))
    bets = []
    for hand in hands:
        if len(hand.board) == 5:
            bets += [bet for acts in hand.players if (bet := _river_bet(hand, acts, people)) is not None]
        people.learn(hand)
    return fit_polarity(bets, 1 if GAMES[prior.game].fixed else SIZE_GROUPS)


def _river_bet(hand: PlayedHand, acts: PlayerActs, people: GamePopulation) -> RiverBet | None:
    """The bet or raise that a player's first money on the river is, if it is one and their cards are known."""
    if acts.holding < 0 or acts.rounds[-1] != 3:
        return None
    facing = acts.legal[:, Act.FOLD] > 0
    river = np.array(acts.rounds) == 3
    at = int(np.argmax(river & (facing | (acts.acts != Act.CALL))))  # the first that is no check
    if not river[at] or acts.acts[at] != Act.RAISE:
        return None
    prior = people.prior
    own, n = slice(at + 1), at + 1
    classes = hand.classes()
    weights, forecasts = (classes[3].of >= 0).astype(np.float64), np.empty((n, 3))
    prior.likelihood.follow(
        acts.rows[own],
        acts.basis[own],
        NO_LEVELS,
        people.effects(hand.population, acts.name, hand.labels),
        people.offsets(hand.population, acts.name, acts.cells[own], hand.labels),
        acts.legal[own],
        acts.acts[own],
        [classes[round] for round in acts.rounds[own]],
        weights,
        -1,
        forecasts,
    )
    group = 0
    for size in acts.sizes:
        if size.act <= at:
            assert prior.sizes is not None
            rows, street = acts.rows[size.act], acts.rounds[size.act]
            forecast = people.size_forecast(hand.population, acts.name, rows, size.context, size.range, size.habits)
            bins = strength_bins(hand.board[: street + 2 if street else 0])
            weights *= prior.sizes.tilt(size.context, quarter(forecast, size.cell))[np.maximum(bins, 0)]
            group = size_group(size.cell)
    strength = int(strength_bins(hand.board)[acts.holding])
    masses = strength_masses(weights, hand.board)
    return RiverBet(masses, strength, group, bool(facing[at])) if masses[strength] > 0 else None


def fit_kinds(hands: Sequence[PlayedHand], prior: GamePrior) -> Kinds | None:
    """Kinds of tables, and their levels beside a prior without any; None if there is too little to tell one.

    Parameters
    ----------
    hands : sequence of PlayedHand
        Of the prior's game.
    prior : GamePrior
    """
    of = _kinds_of([hand.labels for hand in hands])
    members: dict[str, list[PlayedHand]] = {}
    for hand, name in zip(hands, of, strict=True):
        if name is not None:
            members.setdefault(name, []).append(hand)
    return _kinds(prior.likelihood, members) if members else None


def add_kind(prior: Prior, hands: Sequence[PlayedHand], name: str) -> Prior:
    """A prior that knows one kind of table more: the one that hands are of, whatever their tables say of themselves.

    Parameters
    ----------
    prior : Prior
        Its likelihoods stay.
    hands : sequence of PlayedHand
        Of one or more of its games.
    name : str
        Of the kind; one that has the name already is replaced.

    Raises
    ------
    ValueError
        If there are too few hands to tell it.
    """
    games = []
    told = 0
    for game in prior.games.values():
        some = [hand for hand in hands if hand.game == game.game]
        kinds = game.kinds
        if len(some) >= _LEAST_OF_KIND:
            told += len(some)
            found = _kinds(game.likelihood, {name: some})
            kinds = found if kinds is None else kinds.without(name).joined(found)
        games.append(GamePrior(game.game, game.likelihood.weights, game.scales, game.sizes, kinds, game.polarity))
    if not told:
        counts = ", ".join(f"{len([hand for hand in hands if hand.game == game])} of {game}" for game in prior.games)
        raise ValueError(f"a kind of table needs {_LEAST_OF_KIND} hands of one game, got {counts}")
    about = {**prior.about, "kinds": {**prior.about.get("kinds", {}), name: told}}
    return Prior(games, about)


def _kinds(likelihood: Likelihood, members: dict[str, list[PlayedHand]]) -> Kinds:
    """Kinds by name, of the hands that are of each."""
    levels = [_kind_levels(likelihood, _units(some)) for some in members.values()]
    labels = [list(zip(*(hand.labels for hand in some), strict=True)) for some in members.values()]
    return Kinds(
        list(members),
        [[_shares(column) for column in columns] for columns in labels],
        np.stack([effects for effects, _ in levels]),
        np.stack([logs for _, logs in levels]),
    )


def _shares(labels: Sequence[str]) -> dict[str, float]:
    return {label: round(n / len(labels), 4) for label, n in sorted(Counter(labels).items())}


def _kind_levels(likelihood: Likelihood, units: Sequence[_Unit]) -> tuple[Floats, Floats]:
    """Effects, float64 (16,), and logarithms of factors by cell, float64 (cells, 3), of strangers at tables of a kind.

    Of the likeliest ones so much is believed as foretells the later half of the hands best, if the earlier half gave
    them: little where a few players make the kind, whom nobody meets again.
    """
    some = units[:: -(-len(units) // _UNITS_OF_KIND)]
    half = len(some) // 2
    earlier = _likeliest_levels(likelihood, some[:half])
    losses = [_loss(likelihood, some[half:], share * earlier[0], share * earlier[1]) for share in _BELIEVED]
    share = _BELIEVED[int(np.argmin(losses))]
    effects, logs = _likeliest_levels(likelihood, some)
    return share * effects, share * logs


def _loss(likelihood: Likelihood, units: Sequence[_Unit], effects: Floats, logs: Floats) -> float:
    """The log-loss of strangers' acts, whose cards are not looked at, with some levels."""
    total = 0.0
    for unit in units:
        acts = unit.acts
        n = len(acts.acts)
        forecasts = np.empty((n, 3))
        likelihood.follow(
            *(acts.rows, acts.basis, NO_LEVELS, effects, logs[acts.cells].sum(axis=1), acts.legal, acts.acts),
            *(unit.classes, unit.possible, acts.holding, forecasts),
        )
        total -= float(np.log(np.maximum(forecasts[np.arange(n), acts.acts], 1e-9)).sum())
    return total


def _likeliest_levels(likelihood: Likelihood, units: Sequence[_Unit]) -> tuple[Floats, Floats]:
    """Levels of strangers, the likeliest ones.

    They are looked for together, by shortened steps of Newton's over all hands at once, factors as if no two of them
    met. One pass, hand after hand, as populations are followed, leaves them where they explain the same things twice.
    """
    effects, logs = np.zeros(EFFECTS), np.zeros((FACTOR_CELLS, 3))
    known, least = 1 / _BETWEEN_KINDS[0] ** 2, _BETWEEN_KINDS[1]
    for _ in range(_KIND_PASSES):
        gradient, information = np.zeros(EFFECTS), known * np.eye(EFFECTS)
        slopes_of_logs, expected = np.zeros_like(logs), np.full_like(logs, least)
        for unit in units:
            acts = unit.acts
            n = len(acts.acts)
            forecasts, directions = np.empty((n, 3)), np.empty((n, 3, EFFECTS))
            slopes = np.empty((n, 4, MIXED + 1, OUT))
            likelihood.follow(
                *(acts.rows, acts.basis, NO_LEVELS, effects, logs[acts.cells].sum(axis=1), acts.legal, acts.acts),
                *(unit.classes, unit.possible, acts.holding, forecasts, gradient, directions),
                slopes=slopes,
            )
            flat = directions.reshape(-1, EFFECTS)
            information += (flat * forecasts.reshape(-1, 1)).T @ flat
            np.add.at(slopes_of_logs, acts.cells, slopes[:, 3, MIXED, None, :3])
            np.add.at(expected, acts.cells, forecasts[:, None])
        effects += _KIND_STEP * np.linalg.solve(information, gradient - known * effects)
        logs += _KIND_STEP * (slopes_of_logs - least * logs) / expected
    return effects, logs


def _kinds_of(labels: Sequence[TableLabels]) -> list[str | None]:
    """The kind of each hand: as narrow as it can be told with enough hands, None if there are too few of any width.

    At first by seats, money, site and antes, then without the site, then by seats and money alone.
    """
    keys = [_keys(each) for each in labels]
    found: list[str | None] = [None] * len(keys)
    for width in range(len(keys[0]) if keys else 0):
        left = Counter(key[width] for key, name in zip(keys, found, strict=True) if name is None)
        for k, key in enumerate(keys):
            if found[k] is None and left[key[width]] >= _LEAST_OF_KIND:
                found[k] = key[width]
    return found


def _keys(labels: TableLabels) -> tuple[str, ...]:
    seats = {"2": "heads-up", "3-4": "short", "5-6": "short"}.get(labels.seats, "full ring")
    money = {"chips": "tournament", "": ""}.get(labels.money, "cash")
    return tuple(
        " ".join(filter(None, parts))
        for parts in (
            (labels.site, seats, money, labels.antes if labels.antes == "antes" else ""),
            (seats, money, labels.antes if labels.antes == "antes" else ""),
            (seats, money),
        )
    )


def _size_tilts(hands: Sequence[PlayedHand], prior: GamePrior) -> Floats:
    """What sizes say of holdings, each in view of what was known of the player: float64 (4, 2, 4, 16), logarithms."""
    people = GamePopulation(prior)
    counts = np.zeros((4, 2, QUARTERS, STRENGTHS))
    for hand in hands:
        for acts in hand.players:
            for size in acts.sizes if acts.holding >= 0 else ():
                street = acts.rounds[size.act]
                rows = acts.rows[size.act]
                forecast = people.size_forecast(hand.population, acts.name, rows, size.context, size.range, size.habits)
                strength = strength_bins(hand.board[: street + 2 if street else 0])[acts.holding]
                further = min(size.context // 3 % 3, 1)
                counts[street, further, quarter(forecast, size.cell), strength] += 1
            people.learn_sizes(hand.population, acts)
    of_quarters = counts.sum(axis=3, keepdims=True) + 1.0
    of_quarters /= of_quarters.sum(axis=2, keepdims=True)
    of_strengths = counts.sum(axis=2, keepdims=True)
    tilts: Floats = _TILT_SHARE * np.log(
        (counts + _TILT_STRENGTH * of_quarters) / (of_strengths + _TILT_STRENGTH) / of_quarters
    )
    return tilts


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


class _Fit:
    """A prior in the making."""

    def __init__(
        self,
        game: str,
        units: list[_Unit],
        sizes: SizePrior | None,
        generator: np.random.Generator,
        options: FitOptions,
        step: Step | None,
    ) -> None:
        self._game = game
        self._sizes = sizes
        self._units = units
        self._generator = generator
        self._options = options
        self._say = step
        self._pass = 0
        self._granted = _granted(GAMES[game])
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

    def find_directions(self, seen: Counter[str], often: list[str]) -> None:
        """Find the directions in which players differ most."""
        variances = _variances()
        beliefs = {name: (np.zeros((LEVELS, 3)), variances.copy()) for name in often}
        for unit in self._units:
            if (belief := beliefs.get(unit.acts.name)) is None:
                continue
            n = len(unit.acts.acts)
            forecasts, slopes = np.empty((n, 3)), np.empty((n, 4, MIXED + 1, OUT))
            unit.levels, covariance = belief
            self._follow(unit, forecasts, gradient=np.zeros(EFFECTS), slopes=slopes)
            narrow_levels(unit.levels, covariance, unit.acts.basis, slopes, forecasts)
            unit.levels = NO_LEVELS
        told = np.stack([beliefs[name][0] for name in often])
        told -= told.mean(axis=2, keepdims=True)  # what all acts have in common says nothing
        worth = np.array([min(seen[name], 400) for name in often], dtype=np.float64)
        worth /= worth.sum()
        flat = told.reshape(len(often), -1)
        flat = (flat - worth @ flat) * np.sqrt(worth)[:, None]
        _, lengths, directions = np.linalg.svd(flat, full_matrices=False)
        found = directions[:EFFECTS] * lengths[:EFFECTS, None]
        found *= np.where(found[np.arange(EFFECTS), np.abs(found).argmax(axis=1)] < 0, -1, 1)[:, None]
        self._likelihood.weights[8][...] = found.T.reshape(LEVELS, 3, EFFECTS)

    def together(self, hands: Sequence[PlayedHand]) -> None:
        """Fit network and loadings, with what was known of the players before each hand."""
        options = self._options
        adam = Adam(self.weights, max(1, options.joint_passes * self._batches), options.joint_rate, options.decay, 0.0)
        for _ in range(options.joint_passes):
            self._tell(hands)
            self._descend(adam, options.strangers)

    def _tell(self, hands: Sequence[PlayedHand]) -> None:
        """Note for each hand what those before it say of the player."""
        # without habits: what they explain of a player would be missing from the loadings
        people = GamePopulation(GamePrior(self._game, self.weights, _FOLLOWED, self._sizes), habits=False)
        units = iter(self._units)
        for hand in hands:
            for acts in hand.players:
                unit = next(units)
                unit.effects = people.effects(hand.population, acts.name)
                unit.offsets = people.offsets(hand.population, acts.name, acts.cells)
            people.learn(hand)
