"""The Annual Computer Poker Competition's protocol 2.0.0: a client, and a dealer.

A `MatchPlayer` is a player of ours who follows a match. `join_match` lets them play at any dealer of the protocol,
`deal_match` deals for them and for other programs that connect.
"""

from pokermodel.tables.connect.acpc.client import MatchResult, join_match
from pokermodel.tables.connect.acpc.dealer import (
    Dealt,
    Deck,
    Listener,
    LocalSeat,
    MatchScore,
    RemoteSeat,
    SeatError,
    TableSeat,
    deal_match,
)
from pokermodel.tables.connect.acpc.limits import TimeLimits
from pokermodel.tables.connect.acpc.player import MatchPlayer, PlayerError, hand_seed
from pokermodel.tables.connect.acpc.protocol import LogStep, MatchState, ProtocolError, parse_reply, parse_state

__all__ = [
    "Dealt",
    "Deck",
    "Listener",
    "LocalSeat",
    "LogStep",
    "MatchPlayer",
    "MatchResult",
    "MatchScore",
    "MatchState",
    "PlayerError",
    "ProtocolError",
    "RemoteSeat",
    "SeatError",
    "TableSeat",
    "TimeLimits",
    "deal_match",
    "hand_seed",
    "join_match",
    "parse_reply",
    "parse_state",
]
