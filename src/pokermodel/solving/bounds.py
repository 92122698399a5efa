"""Holdings left out of a range: bounds of the EVs for any strategy of these holdings.

Against the opponent's holdings that were kept an EV is known. Against those that were left out a holding goes on by its
own strategy, and at each of the opponent's nodes the worst for it, or the best, is assumed, with every showdown lost or
won; cards are those that are worst or best. Weighted by how much of the opponent's range was left out beside the
holding, that bounds the EV of the strategy in the whole game. The strategy need not be an equilibrium's there; the
value of the game itself differs by no more than the bounds of both players' values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.solving.solution import mass_beside
from pokermodel.solving.tree import CARDS_OF, inverse, renamed_holdings

if TYPE_CHECKING:
    from pokermodel.solving.solution import Solution
    from pokermodel.solving.tree import Place

__all__ = ["EVBounds", "ev_bounds"]


class EVBounds(NamedTuple):
    """Between which the EV of each holding lies in the game with the holdings that were left out.

    Attributes
    ----------
    low, high : ndarray of float64, shape (1326,)
        In chips that come back from the node on, as `NodeValues` has them; nan where these are.
    mean : float
        How far the EV may be from what the solution says, on average over the range as it comes to the node.
    """

    low: Floats
    high: Floats
    mean: float


def ev_bounds(solution: Solution, node: str = "r:0", player: int | None = None) -> EVBounds:
    """Bound what holdings that `Subgame.trim` left out do to the EVs of a node.

    Parameters
    ----------
    player : int, optional
        Default: who acts.

    Raises
    ------
    ValueError
        If there is no such node, or it has no player to act.
    """
    values = solution.ev(node, player)
    player, place = values.player, solution.tree.place(node)
    subgame = solution.subgame
    kept = subgame.weights()[1 - player]
    left = np.zeros(N_HOLDINGS)
    if subgame.whole is not None:
        whole = subgame.with_ranges(subgame.whole).weights()[1 - player]
        scale = whole[kept > 0].sum() / kept.sum()  # the scale of the factors for folded cards is arbitrary
        left = np.where(kept > 0, 0.0, whole / scale)
    theirs = solution.reach(node, 1 - player) * kept.sum()  # as they were given
    out, known = mass_beside(left, place.cards), mass_beside(theirs, place.cards)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(out + known > 0, out / (out + known), 0.0)
    put = float(solution.tree.put[place.node, player]) * subgame.unit
    low, high = (worth + put for worth in _ends(solution, place, player))
    ev = values.of_holdings
    low, high = np.minimum(ev, (1 - share) * ev + share * low), np.maximum(ev, (1 - share) * ev + share * high)
    mine = solution.reach(node, player) * (out + known)
    wide = np.nan_to_num(np.maximum(ev - low, high - ev))
    return EVBounds(low, high, float(mine @ wide / mine.sum()) if mine.sum() else float("nan"))


def _ends(solution: Solution, place: Place, player: int) -> tuple[Floats, Floats]:
    """The least and the most that each holding can win from a node on by its own strategy, less what it put in.

    Returns
    -------
    low, high : ndarray of float64, shape (1326,)
    """
    tree, unit, pot = solution.tree, solution.subgame.unit, solution.subgame.pot

    def walk(node: int, board: int) -> tuple[Floats, Floats]:
        if tree.is_decision(node):
            children = [walk(child, board) for child in tree.children(node)]
            lows, highs = (np.array(each) for each in zip(*children, strict=True))
            if tree.player[node] != player:
                return lows.min(axis=0), highs.max(axis=0)
            strategy = solution.on_board(node, board).T
            return (strategy * lows).sum(axis=0), (strategy * highs).sum(axis=0)
        if tree.is_deal(node):
            low, high = np.full(N_HOLDINGS, np.inf), np.full(N_HOLDINGS, -np.inf)
            for child, card, suits in solution.deals_of(int(tree.street[node]), board):
                lows, highs = walk_once(node + 1, child)
                possible = ~np.isin(CARDS_OF, card).any(axis=1)
                back = renamed_holdings(inverse(suits))  # what a holding is called on the board that is solved
                low[possible] = np.minimum(low, lows[back])[possible]
                high[possible] = np.maximum(high, highs[back])[possible]
            return low, high
        matched = float(min(tree.put[node])) * unit
        worth = -matched, pot + matched
        if tree.is_fold(node):
            worth = (worth[0],) * 2 if tree.player[node] == player else (worth[1],) * 2
        return np.full(N_HOLDINGS, worth[0]), np.full(N_HOLDINGS, worth[1])

    known: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    def walk_once(node: int, board: int) -> tuple[Floats, Floats]:
        found = known.get((node, board))
        if found is None:
            found = known[node, board] = walk(node, board)
        return found

    lows, highs = walk(place.node, place.board)
    back = renamed_holdings(place.suits)
    return lows[back], highs[back]
