"""The gain of an answer to locks if the belief is right, and its cost if it is wrong: always both."""

from __future__ import annotations

from typing import NamedTuple

from pokermodel.solving.solution import Solution, locked_player

__all__ = ["Gain", "gain_of"]


class Gain(NamedTuple):
    """An answer to locks beside the equilibrium, in chips that a player gets back of the pot from the root on.

    Attributes
    ----------
    player : int
        Who answers: 0 out of position, 1 in position.
    against_model : float
        The value of the answer against an opponent who plays the locks' strategies, and else the equilibrium.
    equilibrium_against_model : float
        The value of the equilibrium against the same.
    gain : float
        How much more the answer is worth.
    equilibrium : float
        The value of the equilibrium against itself, which it does not fall below.
    worst_case : float
        The return of the answer against an opponent who knows it.
    loss : float
        How much less than the equilibrium that is.
    """

    player: int
    against_model: float
    equilibrium_against_model: float
    gain: float
    equilibrium: float
    worst_case: float
    loss: float


def gain_of(answer: Solution, equilibrium: Solution) -> Gain:
    """Set an answer beside the equilibrium.

    Parameters
    ----------
    answer : Solution
        With locks, all of one player.
    equilibrium : Solution
        Of the same subgame without them.

    Raises
    ------
    ValueError
        If there is no lock, or they are of both players, or the subgames differ.
    """
    locks = answer.subgame.locks
    player = 1 - locked_player(equilibrium, locks)
    model = equilibrium.with_strategy(locks)
    found, before = answer.value(player, against=model), equilibrium.value(player, against=model)
    value, worst = equilibrium.value(player), answer.worst_case(player)
    return Gain(player, found, before, found - before, value, worst, value - worst)
