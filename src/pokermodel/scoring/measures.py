"""Measures of a forecaster, added up decision by decision in constant memory."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.measures import TENTHS, ActSums, Sums, Tenths, add_act, holding_bits, size_loss
from pokermodel.game import ROUNDS, Act

__all__ = ["EXPERIENCE", "LEAST_PROBABILITY", "LEAST_SHARE", "Mean", "Score"]

#: No legal act is scored as if it had been held less likely than this, before the probabilities are divided by
#: their sum. Only forecasts that rule out what then happens are changed by it.
LEAST_PROBABILITY = 1e-3
#: No live holding is scored as if it had been held less likely than this share of uniform.
LEAST_SHARE = 1e-6
#: Steps of the learning curve: hands that were seen of a player.
EXPERIENCE = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)

_Z = 1.959963984540054  # 95%
_ACTS = ("fold", "call", "raise")


class Mean(Sums):
    """A mean over decisions, with an interval over hands: decisions of one hand are not independent.

    The standard error is that of a ratio, sum of the hands' sums by sum of the hands' numbers (Cochran 1977,
    section 6.3); the 95% interval is normal.

    Examples
    --------
    >>> mean = Mean()
    >>> for hand, value in ((1, 0.0), (1, 0.0), (2, 1.0), (2, 1.0)):
    ...     mean.add(hand, value)
    >>> mean.n, mean.value, mean.standard_error
    (4, 0.5, 0.5)
    """

    __slots__ = ()

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return self.total / self.n if self.n else None

    @property
    def standard_error(self) -> float | None:
        """Over hands; None of fewer than two."""
        hands, squares, cross, counts = self.over_hands()
        if hands < 2:
            return None
        mean = self.total / self.n
        spread = max(squares - 2 * mean * cross + mean * mean * counts, 0.0)
        return math.sqrt(spread * hands / (hands - 1)) / self.n

    @property
    def ci95(self) -> list[float] | None:
        """The 95% interval; None of fewer than two hands."""
        mean, error = self.value, self.standard_error
        return None if mean is None or error is None else [mean - _Z * error, mean + _Z * error]


def _actions() -> ActSums[Mean]:
    """Forecasts of actions in one part of the decisions."""
    return ActSums(Mean(), Mean(), Mean())


def _action_dict(actions: ActSums[Mean]) -> dict[str, Any]:
    return {
        "decisions": actions.loss.n,
        "action_log_loss": actions.loss.value,
        "action_log_loss_ci95": actions.loss.ci95,
        "action_accuracy": actions.hits.value,
        "uniform_log_loss": actions.uniform.value,
    }


def _bits(mean: Mean) -> dict[str, Any]:
    return {"holdings": mean.n, "bits_gained": mean.value, "bits_gained_ci95": mean.ci95}


class _Calibration(Tenths):
    """How often what was held likely to some degree came true."""

    def __init__(self) -> None:
        self.counts = np.zeros((3, TENTHS), dtype=np.int64)
        self.predicted = np.zeros((3, TENTHS))
        self.observed = np.zeros((3, TENTHS), dtype=np.int64)
        super().__init__(self.counts, self.predicted, self.observed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Calibration, (), (self.counts, self.predicted, self.observed)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.counts[:], self.predicted[:], self.observed[:] = state

    def absorb(self, other: _Calibration) -> None:
        self.counts += other.counts
        self.predicted += other.predicted
        self.observed += other.observed

    def to_list(self) -> list[dict[str, Any]]:
        return [
            {
                "act": _ACTS[act],
                "low": decile / TENTHS,
                "high": (decile + 1) / TENTHS,
                "decisions": int(count),
                "predicted": float(self.predicted[act, decile]) / int(count),
                "observed": int(self.observed[act, decile]) / int(count),
            }
            for (act, decile), count in np.ndenumerate(self.counts)
            if count
        ]

    @property
    def error(self) -> float | None:
        """Mean distance of predicted and observed share, weighted by how often it was predicted."""
        total = int(self.counts.sum())
        return float(np.abs(self.predicted - self.observed).sum()) / total if total else None


def _new_player() -> tuple[ActSums[Mean], Mean]:
    return _actions(), Mean()


class Score:
    """How well a forecaster did.

    Attributes
    ----------
    name : str
        Of the forecaster.
    hands : int
        Hands that it was scored on.
    left_out : int
        Hands that others were scored on, but that it does not read.
    reason : str
        Why; empty if there are none.
    calibration : list
        In `to_dict`: for each act and tenth of probability, how often it was predicted so, the mean of that, and
        how often it was done.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.hands = self.left_out = 0
        self.reason = ""
        self._actions = _actions()
        self._streets = [_actions() for _ in ROUNDS]
        self._calibration = _Calibration()
        self._players: defaultdict[str, tuple[ActSums[Mean], Mean]] = defaultdict(_new_player)
        self._experience = [(_actions(), Mean()) for _ in EXPERIENCE]
        self._sizes, self._uniform_sizes = Mean(), Mean()
        self._total, self._uniform_total = Mean(), Mean()
        self._shown, self._stayed, self._anybody = Mean(), Mean(), Mean()
        self._every = {"showed": [Mean() for _ in ROUNDS], "folded": [Mean() for _ in ROUNDS]}
        self._last = {"showed": self._shown, "folded": Mean()}
        self._all_decisions = {"showed": Mean(), "folded": Mean()}
        self._everything = Mean()
        self._last_loss = 0.0, 0.0  # of the act that was added last, and of a guess

    def __repr__(self) -> str:
        if not self.available:
            return f"<Score of {self.name}: not available>"
        return f"<Score of {self.name}: {self.decisions:,} decisions, {self.holdings:,} holdings>"

    @property
    def available(self) -> bool:
        """Whether it was scored on any hand."""
        return self.hands > 0

    def leave_out(self, why: str) -> None:
        """Count a hand that others are scored on, but that it does not read."""
        self.left_out += 1
        self.reason = self.reason or why

    @property
    def decisions(self) -> int:
        """How many actions were predicted."""
        return self._actions.loss.n

    @property
    def action_log_loss(self) -> float | None:
        """Mean of -log p of the act that was done, in nats, over the legal acts; None if none was predicted."""
        return self._actions.loss.value

    @property
    def action_accuracy(self) -> float | None:
        """Share of actions that were held the likeliest of the legal ones; of k likeliest, one counts 1/k."""
        return self._actions.hits.value

    @property
    def uniform_log_loss(self) -> float | None:
        """The log-loss of holding every legal act equally likely."""
        return self._actions.uniform.value

    @property
    def holdings(self) -> int:
        """How many holdings of a showdown were compared with the tables."""
        return self._shown.n

    @property
    def bits_gained(self) -> float | None:
        """Mean log2 of p(true holding) by uniform over the live ones, at the last decision of those who showed."""
        return self._shown.value

    def add_action(
        self,
        hand: int,
        round: int,
        player: str,
        experience: int,
        legal: tuple[Act, ...],
        predicted: NDArray[np.float64],
        act: Act,
    ) -> None:
        """Add a prediction, fold, call and raise of any sum, and what a player did who was seen in so many hands.

        Raises
        ------
        ValueError
            If the prediction is none.
        """
        if predicted.shape != (3,):
            raise ValueError(f"{self.name} predicts an array of shape {predicted.shape}, expected (3,)")
        own, _ = self._players[player]
        learning, _ = self._experience[bisect_right(EXPERIENCE, experience) - 1]
        parts = self._actions, self._streets[round], own, learning
        found = add_act(
            parts,
            self._calibration,
            hand,
            legal,
            np.ascontiguousarray(predicted, dtype=np.float64),
            act,
            LEAST_PROBABILITY,
        )
        if found is None:
            raise ValueError(f"{self.name} predicts {predicted.tolist()}, expected finite numbers, 0 or more")
        self._last_loss = found

    @property
    def size_log_loss(self) -> float | None:
        """Mean of -log p of the class of a bet's or raise's size, in nats; None if none was predicted."""
        return self._sizes.value

    @property
    def total_log_loss(self) -> float | None:
        """Mean loss of an action and its size together, where bets have sizes; None if none was predicted."""
        return self._total.value

    def add_size(self, hand: int, size: tuple[NDArray[np.float64], NDArray[np.bool_], int] | None) -> None:
        """Add the size of the act that was added last, of a game in which bets have sizes; None of another act.

        `size` has the prediction by class, of any sum; the classes that there was room for; and the one of them that
        was chosen.

        Raises
        ------
        ValueError
            If the prediction is none.
        """
        loss = uniform = 0.0
        if size is not None:
            predicted, room, chosen = size
            if predicted.shape != room.shape:
                raise ValueError(f"{self.name} predicts sizes of shape {predicted.shape}, expected {room.shape}")
            found = size_loss(
                np.ascontiguousarray(predicted, dtype=np.float64), room.view(np.uint8), chosen, LEAST_PROBABILITY
            )
            if found is None:
                raise ValueError(f"{self.name} predicts sizes {predicted.tolist()}, expected finite numbers, 0 or more")
            loss, uniform = found
            self._sizes.add(hand, loss)
            self._uniform_sizes.add(hand, uniform)
        self._total.add(hand, self._last_loss[0] + loss)
        self._uniform_total.add(hand, self._last_loss[1] + uniform)

    def bits(self, weights: NDArray[np.float64], live: NDArray[np.bool_], holding: int) -> float:
        """Binary logarithm of a holding's probability by that of a uniform table over the live holdings.

        Raises
        ------
        ValueError
            If the table is none, or has no weight on a live holding.
        """
        if weights.shape != live.shape:
            raise ValueError(f"{self.name} gives a table of shape {weights.shape}, expected {live.shape}")
        found = holding_bits(np.ascontiguousarray(weights, dtype=np.float64), live.view(np.uint8), holding, LEAST_SHARE)
        if found is None:
            raise ValueError(f"{self.name} gives a table that is not of finite weights >= 0 with a positive sum")
        return found

    def add_holding(
        self, hand: int, player: str, experience: int, showed: bool, folded: bool, bits: list[tuple[int, float]]
    ) -> None:
        """Add the tables' information on a holding after each of its player's decisions: the round and the `bits`.

        A player who neither folded nor came to the showdown won without one.
        """
        if not bits:
            return
        group = "showed" if showed else "folded"
        for round, gained in bits:
            self._every[group][round].add(hand, gained)
            self._all_decisions[group].add(hand, gained)
            self._everything.add(hand, gained)
        _, last = bits[-1]
        self._last[group].add(hand, last)
        self._anybody.add(hand, last)
        if not folded:
            self._stayed.add(hand, last)
        if showed:
            self._players[player][1].add(hand, last)
            self._experience[bisect_right(EXPERIENCE, experience) - 1][1].add(hand, last)

    def absorb(self, other: Score) -> None:
        """Add what came of other hands. In their last bits, sums depend on what was added to which."""
        self.hands += other.hands
        self.left_out += other.left_out
        self.reason = self.reason or other.reason
        self._calibration.absorb(other._calibration)
        pairs = [(self._players[name], theirs) for name, theirs in other._players.items()]
        for ours, theirs in (*pairs, *zip(self._experience, other._experience, strict=True)):
            ours[0].absorb(theirs[0])
            ours[1].absorb(theirs[1])
        for mine, part in zip(self._actions_of_all(), other._actions_of_all(), strict=True):
            mine.absorb(part)
        for mean, more in zip(self._means_of_all(), other._means_of_all(), strict=True):
            mean.absorb(more)

    def _actions_of_all(self) -> Iterator[ActSums[Mean]]:
        yield self._actions
        yield from self._streets

    def _means_of_all(self) -> Iterator[Mean]:
        yield from (self._sizes, self._uniform_sizes, self._total, self._uniform_total)
        yield from (self._shown, self._stayed, self._anybody, self._last["folded"], self._everything)
        for means in self._every.values():
            yield from means
        yield from self._all_decisions.values()

    def _size_dict(self) -> dict[str, Any]:
        """What is measured where bets have sizes; nothing in limit."""
        if not self._total.n:
            return {}
        return {
            "sizes": self._sizes.n,
            "size_log_loss": self._sizes.value,
            "size_log_loss_ci95": self._sizes.ci95,
            "uniform_size_log_loss": self._uniform_sizes.value,
            "total_log_loss": self._total.value,
            "total_log_loss_ci95": self._total.ci95,
            "uniform_total_log_loss": self._uniform_total.value,
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        steps = [*EXPERIENCE[1:], None]
        return {
            "model": self.name,
            "available": self.available,
            "reason": self.reason,
            "hands": self.hands,
            "left_out": self.left_out,
            **_action_dict(self._actions),
            "action_accuracy_ci95": self._actions.hits.ci95,
            **self._size_dict(),
            **_bits(self._shown),
            "streets": {
                name: {**_action_dict(actions), **_bits(self._every["showed"][k])}
                for k, (name, actions) in enumerate(zip(ROUNDS, self._streets, strict=True))
            },
            "tables": {
                "every_decision": _bits(self._everything),
                "last_decision": {"everybody": _bits(self._anybody), "not_folded": _bits(self._stayed)},
                **{
                    group: {
                        "last_decision": _bits(self._last[group]),
                        "every_decision": _bits(self._all_decisions[group]),
                        "streets": {name: _bits(self._every[group][k]) for k, name in enumerate(ROUNDS)},
                    }
                    for group in ("showed", "folded")
                },
            },
            "calibration": self._calibration.to_list(),
            "calibration_error": self._calibration.error,
            "learning_curve": [
                {"hands_seen": low, "below": high, **_action_dict(actions), **_bits(bits)}
                for low, high, (actions, bits) in zip(EXPERIENCE, steps, self._experience, strict=True)
                if actions.loss.n or bits.n
            ],
            "players": {
                name: {**_action_dict(actions), **_bits(bits)}
                for name, (actions, bits) in sorted(
                    self._players.items(), key=lambda item: (-item[1][0].loss.n, item[0])
                )
            },
        }
