"""Players that look at nothing, or at little: yardsticks, and opponents to learn from."""

from __future__ import annotations

from typing import NamedTuple

from pokermodel.game import Act, GameSpec
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View
from pokermodel.tables.players.strategies import SharesStrategy

__all__ = ["AlwaysCall", "AlwaysRaise", "RandomPlayer", "Shover"]


#: Pots above the least raise that a random raise may be where no stack bounds it.
_UNBOUNDED = 4


class AlwaysCall(Player):
    """Always checks and calls."""

    structures = ALL_STRUCTURES
    strategy_is_exact = True

    def strategy(self, name: str, spec: GameSpec) -> SharesStrategy:  # noqa: D102
        return SharesStrategy(0.0, 1.0, 0.0)

    def act(self, view: View) -> Act:  # noqa: D102
        return Act.CALL


class AlwaysRaise(Player):
    """Bets and raises up to the cap, by the least where bets have sizes, and then calls."""

    structures = ALL_STRUCTURES
    strategy_is_exact = True

    def strategy(self, name: str, spec: GameSpec) -> SharesStrategy:  # noqa: D102
        return SharesStrategy(0.0, 0.0, 1.0)

    def act(self, view: View) -> Answer:  # noqa: D102
        return Answer(view.legal[-1], view.least_raise)


class Shover(AlwaysRaise):
    """Goes all-in whenever that is a raise, and calls otherwise.

    Where no stack bounds a raise, or in limit, it raises as `AlwaysRaise` does.
    """

    def act(self, view: View) -> Answer:  # noqa: D102
        return Answer(view.legal[-1], view.most_raise or view.least_raise)


class ActShares(NamedTuple):
    """How often fold, call and raise are chosen, relative to each other, among those that are legal."""

    fold: float
    call: float
    raise_: float


class RandomPlayer(Player):
    """Draws its actions without regard to its cards.

    If bets have sizes, the logarithm of a raise's total is drawn uniformly from the least to the most. If no stack
    bounds it, the most is the least and four times the pot.

    Parameters
    ----------
    fold, call, raise_ : float
        Relative frequencies, 0 or more. Those that are not legal are left out; a call is made where nothing else is
        left.

    Raises
    ------
    ValueError
        If one is negative, or all are 0.
    """

    structures = ALL_STRUCTURES
    strategy_is_exact = True

    def __init__(self, fold: float = 1.0, call: float = 1.0, raise_: float = 1.0) -> None:
        self.shares = ActShares(fold, call, raise_)
        if min(self.shares) < 0 or not sum(self.shares) > 0:
            raise ValueError(f"frequencies must be 0 or more and not all 0, got {tuple(self.shares)}")
        self._start: HandStart | None = None

    def strategy(self, name: str, spec: GameSpec) -> SharesStrategy:  # noqa: D102
        return SharesStrategy(*self.shares)

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start

    def act(self, view: View) -> Answer:  # noqa: D102
        assert self._start is not None, "act before begin"
        total = sum([self.shares[act] for act in view.legal])
        left = self._start.rng.random() * total
        for act in view.legal:
            left -= self.shares[act]
            if left < 0:
                return Answer(act, self._size(view) if act == Act.RAISE else None)
        return Answer(Act.CALL)

    def _size(self, view: View) -> int | None:
        assert self._start is not None
        assert view.raise_range is not None
        least, most = view.raise_range
        if least == most:
            return least
        if most is None:
            most = least + _UNBOUNDED * view.pot
        return min(most, int(least * (most / least) ** self._start.rng.random()))
