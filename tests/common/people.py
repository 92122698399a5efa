"""What is learnt of people, in Python and NumPy: what the kernels are compared with."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

import numpy as np

from pokermodel._core.likelihood import EFFECTS, factor_offsets, factor_update, narrow
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs
from pokermodel.reading.adaptive.holdings import made_and_draws, strength_bins
from pokermodel.reading.adaptive.kinds import TableLabels
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import FACTOR_CELLS
from pokermodel.reading.adaptive.sizes import CLASS_OF, SIZE_CELLS, SizePrior, SizeRange, size_places

__all__ = ["TextbookPeople", "board_features", "count_of", "everybodys_sizes", "groups_of", "habits_of", "sizes_of"]


_BEFORE_THE_FLOP = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8]
_MADE = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
_DRAWING = [9, 9, 9, 10, 10, 10, 11, 11, 11, 4, 5, 5, 6, 6, 7, 7]


def groups_of(board: tuple[int, ...]) -> np.ndarray:
    """The group of holdings that habits go by: int (1326,)."""
    bins = np.maximum(strength_bins(board), 0)
    if not board:
        return np.array(_BEFORE_THE_FLOP)[bins]
    return np.where(made_and_draws(board)[1] > 0, np.array(_DRAWING)[bins], np.array(_MADE)[bins])


def habits_of(before: GamePopulation, found: PlayedHand, known: Sequence[float] = ()) -> dict[int, np.ndarray]:
    """Rows of habits by cell of the first player of a hand, of whom no habit was known before.

    `known` is how many acts of theirs were seen before in the situation of each act; none by default.
    """
    acts, game = found.players[0], before.prior
    classes, effects = found.classes(), before.effects(found.population, acts.name)
    boards = [found.board[: round + 2 if round else 0] for round in acts.rounds]
    triples, held = np.empty((len(acts.acts), 1326, 3)), found.possible(acts)
    levels, moves = np.empty((len(acts.acts), 3)), np.empty((len(acts.acts), 1326, 3))
    for k, round in enumerate(acts.rounds):
        game.likelihood.judge(
            acts.rows[k : k + 1],
            acts.basis[k : k + 1],
            NO_LEVELS,
            effects,
            before.offsets(found.population, acts.name, acts.cells[k : k + 1])[0],
            acts.legal[k],
            classes[round],
            np.ones(1326),
            np.empty(3),
            triples[k],
        )
        chances, act = np.nan_to_num(triples[k]), acts.acts[k]
        belief = np.where(np.isnan(triples[k][:, 0]), 0.0, held)
        belief /= belief.sum()
        done = belief * chances[:, act]
        levels[k] = done @ (np.eye(3)[act] - chances) / done.sum()
        moves[k] = belief[:, None] * chances * (1 - chances)
        held = held * chances[:, act]
    if acts.holding >= 0:
        held = np.eye(1326)[acts.holding]
    held = held / held.sum()
    worth = 1.0 if acts.holding >= 0 else 0.25
    left_out = np.mean([each / (each + 200) for each in known]) if known else 0.0
    rows: dict[tuple[int, int], np.ndarray] = {}
    for k, board in enumerate(boards):
        groups, first = groups_of(board), acts.cells[k].tolist()
        situation, narrow_first = first[0] // 6, 5 * FACTOR_CELLS
        more = np.eye(3)[acts.acts[k]] - held @ np.nan_to_num(triples[k]) - levels[k]
        of_group = np.array([moves[k][groups == group].sum(axis=0) for group in range(12)])
        hindsight = left_out * more * of_group / np.maximum(of_group.sum(axis=0), 1e-300)
        for group in range(12):
            of = held * (groups == group)
            if of.sum() + np.abs(hindsight[group]).sum() < 0.001:
                continue
            expected = of @ np.nan_to_num(triples[k])
            left = of.sum() * np.eye(3)[acts.acts[k]] - expected - hindsight[group]
            small = (situation, 12 + 2 * (situation >= 3) + (situation % 3 > 0))
            narrow_cells = [narrow_first + 12 * cell + group for cell in small]
            keys = [(0, cell) for cell in narrow_cells]
            keys += [(1, FACTOR_CELLS + 4 * cell + group // 3) for cell in first] + [(1, cell) for cell in narrow_cells]
            told = [rows.setdefault(key, np.zeros((2, 3))) for key in keys]
            strengths = [60.0 if tier == 0 else 20.0 for tier, _ in keys]
            lasts = [100.0 if tier == 0 else 500.0 for tier, _ in keys]
            precisions = [strength + 1.5 * row[1] for strength, row in zip(strengths, told, strict=True)]
            step = left / (1 + sum(1 / each for each in precisions) * worth * expected)
            for strength, last, row, precision in zip(strengths, lasts, told, precisions, strict=True):
                log = (row[0] + step) / precision
                row[1] = (row[1] + worth * expected) * (1 - expected / last)
                row[0] = log * (strength + 1.5 * row[1])
    return {cell: row for (tier, cell), row in rows.items() if tier == 1}


class TextbookPeople:
    """`GamePopulation` one step after the other: beliefs, factors and sizes in dictionaries by name."""

    def __init__(self, prior: GamePrior) -> None:
        self.prior = prior
        self.beliefs: dict[tuple[int, str], tuple[np.ndarray, np.ndarray]] = {}
        self.factors: dict[tuple[int, str, int], np.ndarray] = {}
        # of populations and of players, by name and place
        self.chosen: tuple[dict[tuple[str, int], np.ndarray], ...] = ({}, {})
        self.sized: tuple[dict[tuple[str, int], np.ndarray], ...] = ({}, {})
        self.told: dict[str, np.ndarray] = {}
        self.kinds = (np.zeros((1, EFFECTS)), np.zeros((1, FACTOR_CELLS, 3)))
        if prior.kinds is not None:
            self.kinds = tuple(each.astype(float) for each in prior.kinds.levels)

    def shares(self, population: str, labels: TableLabels) -> np.ndarray:
        """Of each kind, in a population as it is known."""
        if self.prior.kinds is None:
            return np.ones(1)
        found = np.exp(self.prior.kinds.begin(labels) + self.told.get(population, 0.0))
        return found / found.sum()

    def learn(self, found: PlayedHand) -> None:
        shares = self.shares(found.population, found.labels)
        for acts in found.players:
            self._learn(found, acts, shares)
            for size in acts.sizes:
                self._learn_size(found.population, acts, size)

    def _belief(self, tier: int, name: str) -> tuple[np.ndarray, np.ndarray]:
        scale = self.prior.scales["player" if tier else "population"]
        return self.beliefs.setdefault((tier, name), (np.zeros(EFFECTS), np.eye(EFFECTS) * scale**2))

    def _learn(self, found: PlayedHand, acts: PlayerActs, shares: np.ndarray) -> None:
        who = ((0, found.population), (1, acts.name))
        beliefs = [self._belief(*each) for each in who]
        classes = found.classes()
        n = len(acts.acts)
        keys = [(*each, cell) for row in acts.cells.tolist() for each in who for cell in row]
        places = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        table = np.array([self.factors.get(key, np.zeros((2, 3))) for key in places])
        rows = np.array([places[key] for key in keys], dtype=np.int32).reshape(n, 8)
        offsets, forecasts = np.empty((2, n, 3))
        gradient, directions, slopes = np.zeros(EFFECTS), np.empty((n, 3, EFFECTS)), np.empty((n, 4, 17, 4))
        known = table[rows[:, ::4], 1].sum(axis=2)
        factor_offsets(table, self.prior.strengths, rows, offsets)
        effects, logs = self.kinds
        usual = shares @ effects
        # kinds of less than a millionth add nothing to what is foretold
        mean_logs = np.tensordot(np.where(shares > 1e-6, shares, 0.0), logs[:, acts.cells].sum(axis=2), 1)
        self.prior.likelihood.follow(
            acts.rows,
            acts.basis,
            NO_LEVELS,
            beliefs[0][0] + beliefs[1][0] + usual,
            offsets + mean_logs,
            acts.legal,
            acts.acts,
            [classes[round] for round in acts.rounds],
            found.possible(acts),
            acts.holding,
            forecasts,
            gradient,
            directions,
            slopes=slopes,
        )
        hindsight = self._hindsight(acts, slopes)
        if self.prior.kinds is not None:  # a tangent at what was foretold, of what is still open
            spread = self.prior.scales["population"] ** 2
            left = np.trace(beliefs[0][1]) / EFFECTS / spread
            of_factors = self.prior.strengths[:4, None] / (self.prior.strengths[:4, None] + table[rows[:, :4], 1])
            by_kind = (logs[:, acts.cells] * of_factors).sum(axis=2)
            tilts = by_kind - np.tensordot(shares, by_kind, 1)
            tilts += left * np.einsum("acd,kd->kac", directions, effects - usual)
            tilted = forecasts * np.exp(np.clip(tilts, -2, 2))
            likely = tilted[:, np.arange(n), acts.acts] / tilted.sum(axis=2) / forecasts[np.arange(n), acts.acts]
            self.told[found.population] = self.told.get(found.population, 0.0) + 0.5 * np.log(likely).sum(axis=1)
        factor_update(table, self.prior.strengths, rows, acts.acts, forecasts)
        self.factors |= {key: table[place] for key, place in places.items()}
        for tier, (mean, covariance) in enumerate(beliefs):
            left_out = (known[:, tier] / (known[:, tier] + 200)).mean()
            narrow(mean, covariance, gradient - left_out * hindsight, directions, forecasts)

    def _hindsight(self, acts: PlayerActs, slopes: np.ndarray) -> np.ndarray:
        """What part of the gradient says of levels what no forecast said."""
        loadings = np.array(self.prior.likelihood.weights[8])
        found = np.zeros(EFFECTS)
        for k, basis in enumerate(acts.basis.tolist()):
            more = slopes[k, 3, 16, :3] - slopes[k, acts.acts[k], 16, :3]
            for c in range(3):
                moves = slopes[k, c, :, c]
                if moves[16] > 0:
                    found += more[c] * moves[:16] / moves[16] @ loadings[16 * basis[0] : 16 * basis[0] + 16, c]
                found += more[c] * loadings[32 + np.array(basis[1:4]), c].sum(axis=0)
        return found

    def _learn_size(self, population: str, acts: PlayerActs, size) -> None:
        assert self.prior.sizes is not None
        places = size_places(size.context, size.range.low, size.habits)
        forecast = everybodys_sizes(self.prior.sizes, acts.rows[size.act], size.range, size.habits)
        for tier, name in enumerate((population, acts.name)):
            chosen, expected = self.chosen[tier], self.sized[tier]
            keys = [(name, place) for place in places]
            told = (
                [chosen.get(key, _NOTHING[:SIZE_CELLS]) for key in keys],
                [expected.get(key, _NOTHING) for key in keys[:2]],
            )
            after = sizes_of(self.prior.sizes, forecast, size.range, tier, size.habits[0], *told)
            for key in keys:
                chosen[key] = chosen.get(key, 0.0) + count_of(size.cell)
            for key in keys[:2]:
                expected[key] = expected.get(key, 0.0) + np.append(forecast, (0.0, 0.0))
            if tier == 1:
                expected[keys[0]][SIZE_CELLS:] += _power_step(after, size.cell, power_of(told[1][0]))
            forecast = after


_NOTHING = np.zeros(SIZE_CELLS + 2)


def power_of(expected: np.ndarray) -> float:
    """How sure sizes are, by the evidence and its precision, which stand after what was expected."""
    evidence, precision = expected[SIZE_CELLS:]
    return max(0.3, 1 + evidence / (45 + precision))


def _power_step(forecast: np.ndarray, cell: int, power: float) -> np.ndarray:
    """Evidence and precision of a power by one size: the mean log of its class above that of all, before the power."""
    shares = (forecast + 2.5e-5) @ (members := CLASS_OF[:, None] == np.arange(7))
    logs = (forecast + 2.5e-5) * np.log(forecast + 2.5e-5) / power @ members / shares
    spread = shares @ logs**2 - (shares @ logs) ** 2
    return np.array([logs[CLASS_OF[cell]] - shares @ logs + spread * (power - 1), spread])


def count_of(cell: int) -> np.ndarray:
    """What a raise counts for in each cell: a part goes to the cells beside it, but none to the least and the most."""
    found = np.zeros(SIZE_CELLS)
    if cell in (0, SIZE_CELLS - 1):
        found[cell] = 1
        return found
    for place, part in ((cell - 1, 0.08), (cell, 0.84), (cell + 1, 0.08)):
        found[min(max(place, 1), SIZE_CELLS - 2)] += part
    return found


def everybodys_sizes(prior: SizePrior, rows: Sequence[int], room: SizeRange, habits: Sequence[int]) -> np.ndarray:
    """What everybody is expected to choose, by matrices."""
    given = np.zeros(len(prior.weights))
    given[list(rows)] = 1.0
    given[prior.rows + room.low] = given[prior.rows + SIZE_CELLS + room.high] = 1.0
    given[[prior.rows + 2 * SIZE_CELLS + cell for cell in habits]] = 1.0
    given[-1] = 1.0
    return _softmax(given @ prior.weights + np.tanh(given @ prior.hidden) @ prior.out, room)


def sizes_of(
    prior: SizePrior,
    forecast: np.ndarray,
    room: SizeRange,
    tier: int,
    side: int,
    chosen: Sequence[np.ndarray],
    expected: Sequence[np.ndarray],
) -> np.ndarray:
    """A forecast by what was chosen in seven divisions and expected in two, as sure as the sizes are."""
    if not any(each.any() for each in chosen):
        return forecast
    mask, base = room.mask(), 4 * (forecast + 2.5e-5)
    logits = np.log(forecast + 2.5e-5)
    pairs = [(each * mask, np.log((each * mask + base) / base / (1 + (each * mask).sum() / 4))) for each in chosen]
    pairs += [
        (each * mask, np.log((each * mask + base) / (past + base)))
        for each, past in zip(chosen[:2], [each[:SIZE_CELLS] for each in expected], strict=True)
    ]
    for weights, (told, term) in zip(prior.mixing[tier, side], pairs, strict=True):
        logits = logits + np.interp(np.log2(1 + told.sum()), 1.7 * np.arange(6), weights) * term
    return _softmax(power_of(expected[0]) * logits, room)


def _softmax(logits: np.ndarray, room: SizeRange) -> np.ndarray:
    mask = room.mask()
    found = np.exp(logits - logits[mask > 0].max()) * mask
    return found / found.sum()


def board_features(board: Sequence[int]) -> tuple[int, int, int, int, int]:
    """What a board shows."""
    if not board:
        return 0, 0, 0, 0, 0
    ranks, suits = [card >> 2 for card in board], [card & 3 for card in board]
    came = 0
    if len(board) > 3:
        if suits.count(suits[-1]) >= 3:
            came = 4
        elif ranks.count(ranks[-1]) > 1:
            came = 3
        else:
            came = 2 if ranks[-1] > max(ranks[:-1]) else 1
    placed = {rank + 1 for rank in ranks} | ({0} if 12 in ranks else set())  # an ace is at both ends
    in_a_row = max(sum(low <= place < low + 5 for place in placed) for low in range(10))
    return (
        1 + min(len(ranks) - len(set(ranks)), 2),
        max(map(suits.count, suits)),
        1 + bisect((8, 10, 12), max(ranks)),
        1 + min(max(in_a_row - 2, 0), 3),
        came,
    )
