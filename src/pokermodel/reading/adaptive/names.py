"""Names of populations and players."""

from __future__ import annotations

from pokermodel.game import GameSpec

__all__ = ["known_as", "population"]


def population(spec: GameSpec) -> str:
    """The population of a game: the players at the same site for the same money, independent of the value of a chip.

    A tournament is one, however its blinds rise. Where bets have sizes, those who play heads-up are apart.
    """
    heads_up = not spec.structure.fixed and spec.players == 2
    stake = spec.stake or "/".join(map(str, spec.stakes))
    return " ".join(filter(None, (spec.site, str(spec.structure), "heads-up" if heads_up else "", stake)))


def known_as(name: str, spec: GameSpec) -> str:
    """The key of a player: name and site, since one name means different people at different sites."""
    return f"{name}@{spec.site}" if spec.site else name
