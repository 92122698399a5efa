"""The adaptive reader's forecasts for a player, and its further evidence on an action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.population import Expected
from pokermodel._core.summaries import HoldingGroups, best_division
from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Situation
from pokermodel.reading.adaptive.holdings import MADE, first_bin, made_and_draws
from pokermodel.reading.adaptive.polarity import Polarity
from pokermodel.reading.adaptive.size_shares import SizeShares, shares_by_group, shares_by_holding
from pokermodel.reading.adaptive.sizes import STRENGTHS
from pokermodel.reading.expectation import Expectation, Fact, Observation
from pokermodel.reading.posterior import posterior

__all__ = ["AdaptiveExpectation", "PolarExpectation", "SizeEvidence"]

#: Groups of holdings after the flop: the least that they make, as an index of `MADE`.
_MADE_GROUPS = (
    (4, "a pair or better"),
    (6, "top pair or better"),
    (9, "two pair or better"),
    (10, "three of a kind or better"),
)
#: How many of these groups a holding is in, by what it makes; the last entry is for holdings that are not possible.
_GROUPS_OF_MADE = np.array(
    [*(sum(made >= least for least, _ in _MADE_GROUPS) for made in range(len(MADE))), 0], dtype=np.uint8
)
#: Groups of holdings before the flop: the best of them by income.
_BEST = (0.4, 0.2, 0.1, 0.05)


class SizeEvidence(NamedTuple):
    """The size of a bet or raise, beside what was to be expected of the player.

    Attributes
    ----------
    of_pot : float
        The part above a call, by the pot after that call.
    size : str
        Its class.
    larger_than : float
        The share of this player's bets and raises in such situations that are smaller, those of the same size by half.
    """

    of_pot: float
    size: str
    larger_than: float


class AdaptiveExpectation(Expectation):
    """The forecasts of the adaptive reader.

    The kernel's forecast is there at once. What else follows from it is worked out when it is needed.

    Parameters
    ----------
    weights : ndarray of float64, shape (1326,)
        The player's weights before the action.
    known : bool
        Whether anything is known of the player.
    sizes : SizeShares or None
        Of the player's bets and raises; None where they are not free, or not needed.

    Attributes
    ----------
    size : SizeEvidence or None
        The evidence of the size of a bet or raise, if bets have sizes.
    """

    weights: Floats
    known: bool
    size: SizeEvidence | None
    _forecast: Expected | None  # None in a copy that was pickled
    _sizes: SizeShares | None
    _after: dict[Act, Floats]

    def __init__(self, forecast: Expected, weights: Floats, known: bool, sizes: SizeShares | None = None) -> None:
        vars(self).update(  # a frozen class has no other way
            predicted=forecast.predicted,
            weights=weights,
            known=known,
            size=None,
            _forecast=forecast,
            _sizes=sizes,
            _after={},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # a kernel cannot be pickled, so that what it would find goes along
        return _restored, (type(self), {name: getattr(self, name) for name in _PICKLED})

    @property
    def rows(self) -> NDArray[np.int16] | None:
        """The rows of the situation, as `SituationTable` has them; None in a copy that was pickled."""
        return None if self._forecast is None else self._forecast.rows

    @cached_property
    def likelihoods(self) -> Floats:
        """Probability of fold, call and raise with each holding, by which Bayes' rule goes: float64 (1326, 3)."""
        assert self._forecast is not None
        return self._forecast.triples()

    @cached_property
    def triples(self) -> Floats:
        """Probability of fold, call and raise with each holding: float64 (1326, 3), nan where it is not possible."""
        return self.likelihoods

    def with_holding(self, holding: int) -> tuple[float, float, float]:
        """The triple of one holding, without working out all of them."""
        return super().with_holding(holding) if self._forecast is None else self._forecast.triple(holding)

    @cached_property
    def size_shares(self) -> Floats | None:
        """Of a bet or raise, the probability of each class of sizes with each holding: float64 (1326, 7).

        What a player's sizes are by now, times what a size says of each holding, divided by the sum over sizes. Bayes'
        rule over holdings goes by what the size says alone, to which that sum does not belong.
        """
        return None if self._sizes is None else self._sizes.by_holding

    @cached_property
    def others(self) -> Floats:
        """The forecast of an unknown player of the population, with the same weights: float64 (3,)."""
        if not self.known:  # such a player is one
            return self.predicted
        assert self._forecast is not None
        return self._forecast.unknown()

    def after(self, act: Act) -> Floats:
        """The player's weights after an act, by Bayes' rule: float64 (1326,). Do not write to them."""
        found = self._after.get(act)
        if found is None:
            by_kernel = self._forecast
            found = posterior(self.weights, self.likelihoods[:, act]) if by_kernel is None else by_kernel.after(act)
            self._after[act] = found
        return found

    def with_size(self, size: SizeEvidence) -> Self:
        """Add what the size of a bet or raise says."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), size=size)
        return other

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """The forecast; how the player differs from others; and which holdings the act speaks for."""
        found = list(super().facts(observation))
        situation, act = observation.decision.situation, observation.decision.act
        if act not in situation.legal:
            return found
        name = situation.act_names[act]
        if self.known:
            found += self._beside_others(act, name)
        if (spoken := self._speaks_for(act, name, situation.board)) is not None:
            found.append(Fact("speaks_for", "a", spoken, "speaks_for"))
        if self.size is not None:
            found.append(Fact("size", "size", {"act": name, **self.size._asdict()}, "size"))
        return found

    def _beside_others(self, act: Act, name: str) -> list[Fact]:
        """The forecast of an unknown player, and how much likelier this player acts so; none if others never do."""
        unknown = self.others.tolist()
        if unknown[act] <= 0:
            return []
        beside = {"act": name, "times": round(float(self.predicted[act]) / unknown[act], 4)}
        return [
            Fact("unknown_player", "an unknown player here", unknown, "acts"),
            Fact("beside_others", "this player", beside, "beside_others"),
        ]

    def _speaks_for(self, act: Act, name: str, board: tuple[int, ...]) -> dict[str, Any] | None:
        """Of the groups of holdings that people talk of, the one that the act divides best from the others."""
        labels, groups = _groups(board)
        found = best_division(self.weights, self.after(act), groups)
        if found is None:
            return None
        group, times, share = found
        return {"act": name, "holdings": labels[group], "times": round(times, 4), "share": round(share, 4)}


class PolarExpectation(AdaptiveExpectation):
    """The forecast for a player's first money on the river, where bets are polar.

    `triples` and `size_shares` follow from the player's whole range. Bayes' rule goes by `likelihoods` as elsewhere,
    and by `Polarity.after` besides. There are no `sizes` where bets have none.
    """

    _polarity: Polarity
    _situation: Situation

    def __init__(
        self,
        forecast: Expected,
        weights: Floats,
        known: bool,
        sizes: SizeShares | None,
        polarity: Polarity,
        situation: Situation,
    ) -> None:
        super().__init__(forecast, weights, known, sizes)
        vars(self).update(_polarity=polarity, _situation=situation)

    @cached_property
    def _polar(self) -> tuple[Floats, NDArray[np.float32]]:
        """Triples, and shares of sizes by bin of strength."""
        assert self._forecast is not None
        known, situation = self._polarity, self._situation
        shares = np.ones((1, STRENGTHS)) if self._sizes is None else shares_by_group(self._sizes.by_strength)
        power = float(known.powers[int(situation.to_call > 0)])
        return self._forecast.polar(shares, known.tilts, power, first_bin(situation.board))

    @cached_property
    def triples(self) -> Floats:
        """As of `AdaptiveExpectation`, polar."""
        return self._polar[0]

    def with_holding(self, holding: int) -> tuple[float, float, float]:
        """The triple of one holding."""
        return Expectation.with_holding(self, holding)

    @cached_property
    def size_shares(self) -> Floats | None:
        """As of `AdaptiveExpectation`, polar."""
        return None if self._sizes is None else shares_by_holding(self._polar[1], self._situation.board)


_PICKLED = ("predicted", "weights", "known", "size", "likelihoods", "triples", "size_shares", "others")


def _restored(kind: type[AdaptiveExpectation], values: dict[str, Any]) -> AdaptiveExpectation:
    found = object.__new__(kind)
    vars(found).update(values, _forecast=None, _sizes=None, _after={})
    return found


@lru_cache(64)  # a board is there for several acts
def _groups(board: tuple[int, ...]) -> tuple[list[str], HoldingGroups]:
    """Groups of holdings that people talk of: names, those of more holdings first, and how many each holding is in."""
    if board:
        made, _ = made_and_draws(board)
        return [name for _, name in _MADE_GROUPS], HoldingGroups(_GROUPS_OF_MADE[made], len(_MADE_GROUPS) + 1)
    shares = income_shares()
    groups = np.zeros(N_HOLDINGS, dtype=np.uint8)
    for share in _BEST:
        groups += shares >= 1 - share
    return [f"one of the best {share:.0%} of holdings" for share in _BEST], HoldingGroups(groups, len(_BEST) + 1)
