"""PettingZoo: our players in ``texas_holdem_v4`` and ``texas_holdem_no_limit_v6``, which are RLCard's games.

An observation of these environments has no action history. So a player of ours receives the state of RLCard's game
beneath, and reads the same parts as a `pokermodel.tables.connect.rlcard.PlayerAgent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pokermodel.tables.connect._extras import import_extra
from pokermodel.tables.players import Player

import_extra("pettingzoo", "pettingzoo")
import_extra("rlcard", "pettingzoo")
from pokermodel.tables.connect.rlcard import PlayerAgent  # noqa: E402  # it would name an extra of its own

__all__ = ["EnvironmentPlayer"]

#: RLCard's games that PettingZoo's environments of hold'em are made of.
_GAMES = ("limit-holdem", "no-limit-holdem")


class EnvironmentPlayer:
    """One of our players at an agent's place of a PettingZoo environment.

    Parameters
    ----------
    player : Player
        The player.
    names : sequence of str, optional
        Names by agent, the same for the same people from hand to hand. Default: "player 0" and so on.
    seed : int, optional
        Of all that the player draws, hand by hand. Without, seeds are drawn.

    Examples
    --------
    >>> import pettingzoo
    >>> from pokermodel.tables.players import make_player
    >>> env = pettingzoo.make("aec", "classic/texas_holdem-v4")
    >>> env.reset(seed=1)
    >>> players = {name: EnvironmentPlayer(make_player("loki1"), seed=1) for name in env.agents}
    >>> for name in env.agent_iter():
    ...     env.step(players[name].act(env))
    """

    def __init__(self, player: Player, *, names: Sequence[str] | None = None, seed: int | None = None) -> None:
        self._agent = PlayerAgent(player, names=names, seed=seed)

    def act(self, env: Any) -> int | None:
        """Choose an action for the agent whose turn it is.

        Parameters
        ----------
        env : pettingzoo.AECEnv
            ``texas_holdem_v4`` or ``texas_holdem_no_limit_v6``, wrapped or not.

        Returns
        -------
        int or None
            For `env.step`; None when the hand is over.

        Raises
        ------
        IllegalAct, ValueError
            As `PlayerAgent.step`, and if it is another environment.
        """
        inner = env.unwrapped
        game = getattr(inner, "env", None)
        name = getattr(game, "name", None)
        if game is None or name not in _GAMES:
            raise ValueError(f"environment {inner}: expected texas_holdem_v4 or texas_holdem_no_limit_v6")
        if inner.terminations[inner.agent_selection] or inner.truncations[inner.agent_selection]:
            return None
        action: int = self._agent.step(game.get_state(game.get_player_id()))
        return action
