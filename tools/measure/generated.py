"""Generated players of known policy, and sessions that they play: what verdicts are judged on.

The policies were written without a look at any reader. They go by simple rules: `Threshold` by the strength of the hand
now, its draws, the price, the number of opponents and the position, with soft thresholds; `Chart` by the kind of hand
(air, a draw, a weak pair, a good pair, better), whatever the price. A policy is a function of the player's own cards
and of what everybody sees. So the likelihood of a player's actions is known for every holding, and exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from pokermodel.evaluation.board import BoardAnalysis
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, GameSpec, Hand, State
from pokermodel.tables.arena.person import Person, PersonTable
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View

#: Seeds to tune by, others to choose by, and others that are kept for reports: figures of the first two are no report.
TUNING, CHOOSING, REPORTING = tuple(range(100, 148)), tuple(range(300, 348)), tuple(range(900, 1300))
HERO = "Robin"
NAMES = ("Alex", "Blake", "Casey", "Drew", "Emery")
PAIRS = tuple((high, low) for high in range(52) for low in range(high))  # the cards of each holding
SIZES = (0.5, 1.0)  # of bets and raises, by the pot after a call
Option = tuple[Act, int | None]


class Strengths:
    """What policies look at in a holding on a board, by the number of the holding."""

    def __init__(self, board: tuple[int, ...]) -> None:
        self.board = board
        if board:
            analysis = BoardAnalysis(board)
            now, draws = analysis.uniform_strengths, analysis.crude_potentials()
        else:
            now, draws = income_shares(), np.zeros(len(PAIRS))
        self.all_now, self.all_draws = now.astype(np.float32), draws.astype(np.float32)

    @cached_property
    def now(self) -> list[float]:
        """The share of holdings that are weaker now."""
        return self.all_now.tolist()  # type: ignore[no-any-return]

    @cached_property
    def draws(self) -> list[float]:
        """The chance that the next card improves them."""
        return self.all_draws.tolist()  # type: ignore[no-any-return]

    def kind(self, holding: int) -> int:
        """The kind of hand: 0 air, 1 a draw, 2 a weak pair, 3 the top pair or an overpair, 4 better."""
        one, two = PAIRS[holding]
        ranks, top = [card // 4 for card in self.board], max(self.board) // 4
        paired = [rank for rank in (one // 4, two // 4) if rank in ranks]
        if one // 4 == two // 4:
            paired = [one // 4] * (2 if paired else 1)
        if len(paired) == 2:
            return 4
        if self.now[holding] > 0.97:  # straights, flushes and trips that are good
            return 4
        if paired:
            return 3 if paired[0] >= top else 2
        return 1 if self.draws[holding] > 0.12 else 0


@lru_cache(512)
def strengths(board: tuple[int, ...]) -> Strengths:
    """The strengths of a board, which a hand's policies share."""
    return Strengths(board)


class Facing(NamedTuple):
    """What everybody sees of a decision, as far as policies look at it."""

    round: int
    price: float
    bets: int  # and raises on the street, the big blind among them
    behind: int  # players who act after this one in later rounds
    others: int
    options: tuple[Option, ...]  # fold, check or call, and raises by size, as far as they are legal

    @classmethod
    def of(cls, state: State) -> Facing:
        """What the player to act faces."""
        (round_, pot, to_call, _, _, bets, _, active, behind, _, in_round, _, legal, span, _) = state.situation()
        options: list[Option] = [(act, None) for act in legal if act != Act.RAISE]
        if span is not None:
            least, most = span
            tos = {max(least, round(in_round + to_call + size * (pot + to_call))) for size in SIZES}
            options += [(Act.RAISE, to) for to in sorted({to if most is None else min(to, most) for to in tos})]
        return cls(round_, to_call / (pot + to_call), bets, behind, len(active) - 1, tuple(options))

    def spread(self, fold: float, raises: float, large: float) -> list[float]:
        """Probabilities of the options, if a fold and any raise have these, and the larger raise this share of them."""
        sizes = sum(act == Act.RAISE for act, _ in self.options)
        can_fold = self.options[0][0] == Act.FOLD
        fold, raises = fold if can_fold else 0.0, raises if sizes else 0.0
        of_sizes = [raises] if sizes == 1 else [raises * (1.0 - large), raises * large]
        return [fold] * can_fold + [max(0.0, 1.0 - fold - raises)] + of_sizes * (sizes > 0)


class Policy(Protocol):
    """How a player acts: the probabilities of the options, in their order."""

    def chances(self, holding: int, seen: Strengths, facing: Facing) -> list[float]:
        """What a player with these cards does."""


def _soft(away: float, width: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, away / width))))


@dataclass(frozen=True)
class Threshold:
    """Continues and raises above soft thresholds of strength."""

    enter: float  # the share of holdings that are folded before the flop to the big blind
    reraise: float  # the share above which a raise is raised
    stay: float  # the strength that a bet of the pot takes after the flop
    value: float  # the strength that is bet or raised
    bluff: float  # how often a hand without strength is bet or raised
    respect: float = 0.08  # by how much each raise of a street moves both
    slow: float = 0.0  # how often the best hands are checked and called before the river
    width: float = 0.04

    def chances(self, holding: int, seen: Strengths, facing: Facing) -> list[float]:  # noqa: D102
        now, draw = seen.now[holding], seen.draws[holding]
        if facing.round == 0:
            early, raises = 0.02 * facing.behind, facing.bets - 1
            enter = self.enter + early if raises <= 0 else self.enter + (1.0 - self.enter) * (0.3 + 0.2 * raises)
            stays, value = _soft(now - enter, self.width), self.reraise + (0.04 * raises if raises > 0 else early - 0.1)
        else:
            now **= max(1.0, facing.others**0.5)
            raises = facing.bets - 1 if facing.price else 0
            need = self.stay * facing.price / 0.34 + self.respect * raises
            stays = _soft(now + 1.5 * draw - need, 1.5 * self.width)
            value = self.value + self.respect * facing.bets
        strong = _soft(now - value, self.width)
        raises_now = strong * (1.0 - self.slow * (facing.round < 3))
        bluffs = (1.0 - strong) * self.bluff * (1.0 if facing.round else 0.3) * (0.4**raises if raises > 0 else 1.0)
        bold = min(0.98, raises_now + bluffs * (1.0 + 3.0 * draw))
        return facing.spread((1.0 - bold) * (1.0 - stays), bold, 0.2 + 0.6 * strong)


@dataclass(frozen=True)
class Chart:
    """Plays the kind of hand that they have after the flop, whatever the price."""

    enter: float
    folds: tuple[float, ...]  # by kind of hand, to a bet
    bets: tuple[float, ...]  # by kind of hand, where nobody has bet
    raises: tuple[float, ...]  # by kind of hand, to a bet

    def chances(self, holding: int, seen: Strengths, facing: Facing) -> list[float]:  # noqa: D102
        if facing.round == 0:
            enter = self.enter if facing.bets < 2 else 1.0 - (1.0 - self.enter) * 0.5 ** (facing.bets - 1)
            bold = 0.9 * _soft(seen.now[holding] - 0.5 - 0.5 * enter, 0.02)
            return facing.spread((1.0 - bold) * (1.0 - _soft(seen.now[holding] - enter, 0.02)), bold, 0.5)
        kind = seen.kind(holding)
        if facing.round == 3 and kind == 1:
            kind = 0
        if not facing.price:
            return facing.spread(0.0, self.bets[kind], 0.5)
        bold = self.raises[kind] * 0.5 ** max(0, facing.bets - 1)
        return facing.spread((1.0 - bold) * self.folds[kind], bold, 0.5)


#: The players by name.
POLICIES: dict[str, Policy] = {
    "nit": Threshold(0.86, 0.97, 0.75, 0.86, 0.02),
    "regular": Threshold(0.74, 0.92, 0.58, 0.74, 0.14),
    "loose-aggressive": Threshold(0.6, 0.85, 0.5, 0.66, 0.28),
    "station": Threshold(0.4, 0.99, 0.25, 0.93, 0.01, respect=0.02),
    "maniac": Threshold(0.3, 0.6, 0.3, 0.5, 0.5, respect=0.03),
    "trapper": Threshold(0.7, 0.95, 0.5, 0.75, 0.1, slow=0.8),
    "fit or fold": Chart(0.6, (0.97, 0.4, 0.35, 0.03, 0.0), (0.1, 0.25, 0.3, 0.8, 0.8), (0.01, 0.05, 0.03, 0.15, 0.6)),
    "never folds a pair": Chart(
        0.5, (0.9, 0.15, 0.03, 0.0, 0.0), (0.03, 0.1, 0.15, 0.6, 0.85), (0.01, 0.05, 0.05, 0.1, 0.5)
    ),
    "barrels": Chart(0.72, (0.85, 0.3, 0.6, 0.1, 0.0), (0.7, 0.85, 0.35, 0.85, 0.8), (0.1, 0.3, 0.05, 0.2, 0.6)),
}
_CAST = [name for name in POLICIES if name != "regular"]


class Generated(Player):
    """A policy at a table, which now and then does anything legal, if blunders are planted."""

    structures = ALL_STRUCTURES

    def __init__(self, policy: Policy, blunders: float = 0.0) -> None:
        self.policy, self.blunders = policy, blunders

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._rng = start.rng

    def act(self, view: View) -> Answer:  # noqa: D102
        facing = Facing.of(view.state)
        if self._rng.random() < self.blunders:
            return Answer(*facing.options[self._rng.integers(len(facing.options))])
        high, low = sorted(view.holding, reverse=True)
        chances = self.policy.chances(high * (high - 1) // 2 + low, strengths(view.board), facing)
        return Answer(*facing.options[pick(chances, self._rng.random())])


def pick(chances: Sequence[float], at: float) -> int:
    """The option that a number between 0 and 1 chooses: the more aggressive, the larger it is."""
    for k, chance in enumerate(chances):
        at -= chance
        if at < 0.0:
            return k
    return max(k for k, chance in enumerate(chances) if chance > 0.0)


class Session(NamedTuple):
    """The setting of a session, which follows from its seed."""

    seed: int
    hands: int

    @property
    def limit(self) -> bool:
        """Whether it is limit: every third one."""
        return self.seed % 3 == 2

    @property
    def blunders(self) -> float:
        """How often the hero does anything legal."""
        return 0.08 if self.seed % 2 else 0.0

    @property
    def before(self) -> int:
        """Hands that are learnt before those that are studied."""
        return self.hands if self.seed % 4 > 1 else 0

    @property
    def spec(self) -> GameSpec:
        """The game of six: limit, or no limit with 100 big blinds."""
        if self.limit:
            return GameSpec.ring(6, 1, 2)
        return GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6)

    @property
    def opponents(self) -> dict[str, str]:
        """The policy of each opponent, by name."""
        rng = np.random.default_rng(self.seed)
        chosen = ["regular", *rng.permutation(_CAST)[: len(NAMES) - 1].tolist()]
        return dict(zip(NAMES, rng.permutation(chosen).tolist(), strict=True))

    def play(self, hands: int | None = None) -> list[Hand]:
        """Play hands as the hero sees them: so many, or those that are learnt before and then those of the session."""
        hero = Generated(POLICIES["regular"], self.blunders)
        # `Person` forwards what begins and is asked for
        table = PersonTable(
            self.spec,
            Person(hero.act, begun=hero.begin),
            {name: Generated(POLICIES[policy]) for name, policy in self.opponents.items()},
            name=HERO,
            seed=self.seed,
        )
        return [table.as_seen(table.play()) for _ in range(self.before + self.hands if hands is None else hands)]
