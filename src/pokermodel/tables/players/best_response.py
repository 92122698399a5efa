"""A local best response: what an opponent whose strategy is known loses to one who looks a single answer ahead.

It follows the range of the opponent by their own strategy, and takes the best action if there are no bets after the
answer to it (Lisý and Bowling 2017). That is `myopic` with the truth in place of a reader, and it has the same parts.
Its win is a lower bound of the opponent's exploitability; without a win it shows nothing. It costs one forecast a
decision, in games in which an exact best response would take years.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pokermodel.game import GameSpec
from pokermodel.reading.reader import Reader
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.myopic import MyopicPlayer
from pokermodel.tables.players.player import HandStart, Player, View
from pokermodel.tables.players.registry import make_player
from pokermodel.tables.players.typical import FrozenSession
from pokermodel.worth.answers import raise_sizes
from pokermodel.worth.worth import Verdict

__all__ = ["LocalBestResponse", "strategy_of"]


def strategy_of(player: str | Player, name: str, spec: GameSpec) -> Reader:
    """The strategy of a player who can be asked, by the name under which they sit at a table.

    Parameters
    ----------
    player : str or Player
        The player, as for `make_player`.
    name : str
        At the table.
    spec : GameSpec
        The game.

    Raises
    ------
    ValueError
        If they cannot be asked.
    """
    found = make_player(player) if isinstance(player, str) else player
    strategy = found.strategy(name, spec)
    if strategy is None:
        text = player if isinstance(player, str) else type(player).__name__
        raise ValueError(
            f"player {text!r} cannot be asked what they do with each holding in this game: expected one whose "
            "strategy is known, such as solver, typical or loki2:b"
        )
    return strategy


class LocalBestResponse(MyopicPlayer):
    """Plays heads-up against one player whose strategy is known.

    Where bets have sizes it looks at half the pot, the pot and all-in.

    Parameters
    ----------
    opponent : str
        The player, as for `make_player`.
    name : str, optional
        Name of the opponent at the table; by default the same text.
    spec : GameSpec, optional
        The game; by default limit.

    Raises
    ------
    ValueError
        If the opponent cannot be asked.
    """

    def __init__(self, opponent: str, name: str | None = None, spec: GameSpec | None = None) -> None:
        super().__init__()
        self.opponent = opponent
        self._reader = strategy_of(opponent, name or opponent, spec or GameSpec.heads_up(1, 2))

    def _session(self, start: HandStart) -> OpponentModeler:
        if len(start.players) != 2:
            raise ValueError(f"a local best response plays heads-up, got {len(start.players)} players")
        return start.common.session(("known", self.opponent), lambda: FrozenSession(self._reader))

    def values(self, view: View, also: Iterable[int] = ()) -> Verdict:
        """The value of its acts, all-in as well."""
        all_in = () if view.spec.structure.fixed else raise_sizes(view.situation, (math.inf,))
        return super().values(view, {*also, *all_in})
