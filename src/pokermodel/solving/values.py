"""The value of nodes of a solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel.cards import holding_text
from pokermodel.solving.tree import NodeAct

__all__ = ["NodeValues", "by_holding"]


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """The value of a node to a player, in chips that they get back from the node on.

    A fold is worth 0. Holdings that are not in the range or that cannot be held are nan, and so is everything at a node
    that the opponent never reaches.

    Attributes
    ----------
    node : str
    player : int
        0 out of position, 1 in position.
    acts : tuple of NodeAct
        The player's actions; empty where the opponent acts.
    of_acts : ndarray of float64, shape (1326, acts)
        Values with the strategy after them.
    best_of_acts : ndarray of float64, shape (1326, acts)
        Values with the best response after them. A strategy is poorly solved for holdings that hardly ever reach the
        node; these values then show the worth of an action with good play after it.
    of_holdings : ndarray of float64, shape (1326,)
        Values by the strategy.
    gap : ndarray of float64, shape (1326,)
        Gain of the best response from the node on, which bounds the error of the solution.
    frequencies : ndarray of float64, shape (acts,)
        Frequency of each action.
    act_means : ndarray of float64, shape (acts,)
        Mean value of each action for the holdings that take it; nan without any.
    mean, mean_gap : float
        Means over the range that reaches the node.
    """

    node: str
    player: int
    acts: tuple[NodeAct, ...]
    of_acts: Floats
    best_of_acts: Floats
    of_holdings: Floats
    gap: Floats
    frequencies: Floats
    act_means: Floats
    mean: float
    mean_gap: float

    @classmethod
    def of(
        cls,
        node: str,
        player: int,
        acts: tuple[NodeAct, ...],
        worth: tuple[Floats, Floats],
        strategy: Floats,
        weights: Floats,
        places: Integers,
    ) -> Self:
        """The values of a node, given those of its holdings by their place in the solver.

        Parameters
        ----------
        worth : pair of ndarray of float64, shape (1 + acts, places)
            Of the node and of each act, by the strategy after it and by the best response.
        strategy : ndarray of float64, shape (places, acts)
        weights : ndarray of float64, shape (places,)
            Of the range as it comes to the node, times what the opponent can hold beside each holding.
        places : ndarray of int, shape (1326,)
            The place of each holding; -1 where it is not possible.
        """
        played, best = worth
        gap = best[0] - played[0]
        own = slice(1, 1 + len(acts))
        total = float(weights.sum())
        taken = strategy * weights[:, None]
        each = taken.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nansum(taken * played[own].T, axis=0) / np.where(each > 1e-12 * max(total, 1e-300), each, np.nan)
            frequencies = each / total if total else np.full(len(acts), np.nan)
        mean, mean_gap = (float(np.nansum(weights * x) / total) if total else float("nan") for x in (played[0], gap))
        return cls(
            node=node,
            player=player,
            acts=acts,
            of_acts=by_holding(played[own].T, places),
            best_of_acts=by_holding(best[own].T, places),
            of_holdings=by_holding(played[0], places),
            gap=by_holding(gap, places),
            frequencies=frequencies,
            act_means=means,
            mean=mean,
            mean_gap=mean_gap,
        )

    def row(self, index: int, strategy: Floats) -> dict[str, Any]:
        """The strategy and the values of one holding at the node, as `Solution.row` returns them.

        Parameters
        ----------
        index : int
            Of the holding.
        strategy : ndarray of float64, shape (acts,)
            With it.
        """
        acts = [
            {
                "act": act.name,
                "to": act.to,
                "part": act.part,
                "frequency": _known(strategy[a]),
                "ev": _known(self.of_acts[index, a]),
                "range_frequency": _known(self.frequencies[a]),
                "range_ev": _known(self.act_means[a]),
            }
            for a, act in enumerate(self.acts)
        ]
        return {
            "node": self.node,
            "player": self.player,
            "holding": holding_text(index),
            "ev": _known(self.of_holdings[index]),
            "gap": _known(self.gap[index]),
            "acts": acts,
        }

    def figures(self, index: int, weight: float, strategy: Floats) -> dict[str, str | float]:
        """One holding as a row of `Solution.to_frame`, given its weight and its strategy."""
        parts = [act.part for act in self.acts]
        return {
            "holding": holding_text(index),
            "weight": weight,
            **dict(zip(parts, strategy.tolist(), strict=True)),
            "ev": float(self.of_holdings[index]),
            **{f"ev_{part}": float(self.of_acts[index, a]) for a, part in enumerate(parts)},
            "gap": float(self.gap[index]),
        }

    def shares(self) -> list[dict[str, Any]]:
        """How often each act is taken, and what it is worth to those who take it: as in `Solution.summary`."""
        rows = zip(self.acts, self.frequencies.tolist(), self.act_means.tolist(), strict=True)
        return [{"act": act.name, "to": act.to, "frequency": share, "ev": _known(ev)} for act, share, ev in rows]


def by_holding(values: Floats, places: Integers) -> Floats:
    """Values by place in the solver, made values by holding: (1326, ...), nan where there is no place."""
    found = np.full((len(places), *values.shape[1:]), np.nan)
    possible = places >= 0
    found[possible] = values[places[possible]]
    return found


def _known(value: float) -> float | None:
    """A number as JSON has it: None where it is nan."""
    return None if np.isnan(value) else float(value)
