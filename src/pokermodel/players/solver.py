"""A player near equilibrium: by a blueprint as far as it goes, and by solving at the table what is left.

Heads-up limit. Before the flop and on the flop it draws its acts from a blueprint (`pokermodel.solving.blueprint`);
where the turn begins, turn and river are solved over all holdings, with the ranges as both players come there by the
blueprint, and kept safe against somebody who does not (`pokermodel.solving.resolving`). What is solved once is played
to the end of the hand: solving the river again would begin with ranges of the same answer.

Whatever it does follows from the seed of the hand, unless it is told how many seconds it has.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pokermodel.cards import holding_index
from pokermodel.game import Act, GameSpec
from pokermodel.players.myopic import MyopicPlayer
from pokermodel.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View
from pokermodel.solving.blueprint import Blueprint, BlueprintGame, blueprint_path
from pokermodel.solving.resolving import Resolved, resolve

__all__ = ["Solve", "SolverPlayer"]

#: From which street on it solves.
Solve = Literal["turn", "river", "never"]

_FIRST = {"turn": 2, "river": 3, "never": 4}
_ITERATIONS = {2: 60, 3: 120}  # by the street that is solved: a turn in a second, a river in ten milliseconds
_DEALT = (0, 3, 4, 5)


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Blueprint:  # a file that was written anew is read anew
    return Blueprint.load(path)


def _blueprint(path: Path) -> Blueprint | None:
    """A blueprint that is kept in a file, read once; None if there is no file."""
    try:
        return _load(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


class SolverPlayer(Player):
    """Plays a blueprint, and solves turn and river at the table.

    A game that it has no blueprint for, as others than heads-up limit, it plays as `MyopicPlayer` does.

    Parameters
    ----------
    blueprint : path, optional
        The file of a blueprint. Default: that which ``pokermodel blueprint build`` leaves in the user's cache.
    solve : {"turn", "river", "never"}
        From which street on it solves; "never" plays the blueprint alone.
    iterations : int, optional
        Of solving; default: 60 from the turn on, 120 on the river.
    seconds : float, optional
        Time after which solving stops in any case.
    sure : float
        How far the opponent's range is taken for granted; see `resolve`.

    Raises
    ------
    ValueError
        If the file is missing or no blueprint, or an option is not as said.
    """

    structures = ALL_STRUCTURES

    def __init__(
        self,
        blueprint: str | Path | None = None,
        solve: Solve = "turn",
        iterations: int | None = None,
        seconds: float | None = None,
        sure: float = 0.25,
    ) -> None:
        if solve not in _FIRST:
            raise ValueError(f"solve must be one of {', '.join(_FIRST)}, got {solve!r}")
        if not 0.0 <= sure <= 1.0:
            raise ValueError(f"sure must be 0 to 1, got {sure!r}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds must be above 0, got {seconds!r}")
        self._path = None if blueprint is None else Path(blueprint)
        if self._path is not None and _blueprint(self._path) is None:
            raise ValueError(f"{self._path}: there is no such blueprint")
        self.first = _FIRST[solve]
        self.iterations = iterations
        self.seconds = seconds
        self.sure = sure
        self._myopic: MyopicPlayer | None = None
        self._start: HandStart | None = None
        self._found: Blueprint | None = None
        self._resolved: Resolved | None = None

    def blueprint(self, spec: GameSpec) -> Blueprint | None:
        """The blueprint for a game, or None if there is none."""
        game = BlueprintGame.of_spec(spec)
        if game is None:
            return None
        found = _blueprint(blueprint_path(game) if self._path is None else self._path)
        return found if found is not None and found.game == game else None

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._resolved = None
        self._found = self.blueprint(start.spec)
        if self._found is None:
            self._instead(start)

    def _instead(self, start: HandStart) -> MyopicPlayer:
        self._myopic = self._myopic or MyopicPlayer()
        self._myopic.begin(start)
        return self._myopic

    def act(self, view: View) -> Answer:  # noqa: D102
        start, blueprint = self._start, self._found
        assert start is not None, "act before begin"
        deep = 24 * view.spec.bets[0]  # what four bets a round come to
        if blueprint is None or any(stack is not None and stack < deep for stack in view.state.stacks_before):
            return self._instead(start).act(view)
        tree = blueprint.tree
        node = tree.find([decision.act for decision in view.decisions])
        row = self._strategy(blueprint, node, view)[holding_index(view.holding)]
        drawn = start.rng.random() * row.sum()
        acts = [act for act, _ in tree.acts(node)]
        chosen = acts[-1]
        for act, share in zip(acts, row.tolist(), strict=True):
            drawn -= share
            if drawn < 0:
                chosen = act
                break
        return Answer(Act(chosen))

    def _strategy(self, blueprint: Blueprint, node: int, view: View):  # type: ignore[no-untyped-def]
        board = view.board[: _DEALT[view.round]]
        if view.round < self.first:
            return blueprint.strategy(node, board)
        if self._resolved is None:
            tree, root = blueprint.tree, node
            while tree.street[tree.parent[root]] >= self.first:
                root = int(tree.parent[root])
            while tree.street[tree.parent[root]] == tree.street[root]:
                root = int(tree.parent[root])
            self._resolved = resolve(
                blueprint,
                root,
                board[: _DEALT[self.first]],
                1 if tree.player[node] == 0 else 0,  # who has the button is in position
                iterations=self.iterations or _ITERATIONS[self.first],
                seconds=self.seconds,
                sure=self.sure,
            )
        return self._resolved.strategy(node, board)
