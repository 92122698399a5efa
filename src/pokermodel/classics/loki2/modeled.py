"""How a modelled player decides, as probability triples that a simulation can draw from."""

from __future__ import annotations

import numpy as np

from pokermodel.classics.loki1.field import spot_values
from pokermodel.classics.loki1.reader import Loki1Reader
from pokermodel.classics.loki2.reader import Loki2Reader
from pokermodel.classics.loki2.triples import TripleGenerator
from pokermodel.game import Act, Situation
from pokermodel.reading.adaptive.reader import AdaptiveReader
from pokermodel.reading.reader import Reader, Spot

__all__ = ["modeled_generator"]

_VALUE_BINS = 20
_LEAST_WEIGHT = 1e-9  # so that triples are there for all values


def modeled_generator(reader: Reader, spot: Spot, player: str) -> TripleGenerator | None:
    """How a player decides in the round of a situation, by what a reader knows of them.

    Parameters
    ----------
    reader : Reader
        Loki's readers have such triples of their own. The adaptive reader's strategy is tabulated.
    spot : Spot
        The decision that is simulated.
    player : str
        The player, who need not be the one to act.

    Returns
    -------
    TripleGenerator or None
        None where other readers read, and for the adaptive reader before the flop.
    """
    if isinstance(reader, Loki1Reader | Loki2Reader):
        return reader.generator(spot, player)
    return _tabulated(reader, spot, player) if isinstance(reader, AdaptiveReader) else None


def _tabulated(reader: Reader, spot: Spot, player: str) -> TripleGenerator | None:
    """What a reader expects of a player with holdings of each value, as re-weighting values them.

    With each of 0, 1 and 2 bets to call, triples are means over the player's table.
    """
    analysis, seat = spot.analysis, spot.situation.players.index(player)
    if analysis is None:
        return None
    facing = [spot.at(_in_their_place(spot.situation, seat, bets)) for bets in range(3)]
    values, _ = spot_values(facing[0])
    weights = np.where(analysis.live, facing[0].weights + _LEAST_WEIGHT, 0.0)
    bins = np.minimum((np.nan_to_num(values) * _VALUE_BINS).astype(np.intp), _VALUE_BINS - 1)
    mass = np.bincount(bins, weights, _VALUE_BINS)
    filled = np.flatnonzero(mass)
    nearest = filled[np.abs(np.arange(_VALUE_BINS)[:, None] - filled).argmin(axis=1)]  # for bins without a holding
    table = np.empty((3, _VALUE_BINS, 3))
    for bets in range(3):
        triples = np.nan_to_num(reader.expect(facing[bets]).triples)
        for act in range(3):
            summed = np.bincount(bins, weights * triples[:, act], _VALUE_BINS)
            table[bets, filled, act] = summed[filled] / mass[filled]
    table = table[:, nearest]
    table /= table.sum(axis=2, keepdims=True)
    return TripleGenerator(form="reweighting", table=table, pot_odds=False, noise=0.0)


def _in_their_place(situation: Situation, seat: int, bets: int) -> Situation:
    """The situation with another player to act, so many bets facing them."""
    spec, players = situation.spec, len(situation.players)
    first = spec.first[situation.round]
    behind = [(other - first) % players for other in situation.active if other not in situation.all_in]
    to_call = bets * situation.bet_size
    return situation._replace(
        seat=seat,
        player=situation.players[seat],
        pot=situation.pot - situation.to_call + to_call,
        to_call=to_call,
        bets_to_call=bets,
        num_bets=max(situation.num_bets, bets),
        bets_put_in=0,
        position=sum(place > (seat - first) % players for place in behind),
        in_round=0,
        legal=tuple(Act) if bets else (Act.CALL, Act.RAISE),
    )
