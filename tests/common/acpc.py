"""The other side of a match of the ACPC's protocol, for commands that play or deal one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from pokermodel.game import GameSpec
from pokermodel.histories.acpc import usual_game
from pokermodel.tables.connect.acpc import Listener, LocalSeat, MatchPlayer, SeatError, deal_match, join_match
from pokermodel.tables.players import make_player

from ..common.patience import PATIENCE


@contextmanager
def dealt(
    spec: GameSpec, kinds: Sequence[str], hands: int, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[int, list[object]]]:
    """Deal a match in which the first seat is free: its port, and the score in the end."""
    listener = Listener("theirs")
    players = [MatchPlayer(make_player(kind), name=f"p{k}", game=spec, seed=3) for k, kind in enumerate(kinds)]
    scores: list[object] = []

    def run() -> None:
        with suppress(SeatError):
            seats = [listener.accept(PATIENCE), *map(LocalSeat, players)]
            try:
                scores.append(deal_match(spec, seats, hands, 5, progress=progress))
            finally:
                seats[0].close()

    thread = threading.Thread(target=run)
    thread.start()
    yield listener.port, scores
    thread.join(PATIENCE)
    for player in players:
        player.close()


@contextmanager
def joining(ports: Sequence[int], game: str) -> Iterator[list[object]]:
    """Callers who join a match as soon as somebody deals it: how it went for each of them."""
    results: list[object] = []

    def play(port: int) -> None:
        ours = MatchPlayer(make_player("call"), name="ours", game=game, seed=1)
        for _ in range(1000):
            try:
                results.append(join_match("127.0.0.1", port, ours))
                break
            except OSError:
                time.sleep(0.01)
        ours.close()

    threads = [threading.Thread(target=play, args=(port,)) for port in ports]
    for thread in threads:
        thread.start()
    yield results
    for thread in threads:
        thread.join(PATIENCE)


def free_ports(number: int) -> list[int]:
    """Ports at which nobody listens."""
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [server.getsockname()[1] for server in servers]
    for server in servers:
        server.close()
    return ports


@contextmanager
def other_side(arguments: list[str]) -> Iterator[list[str]]:
    """The arguments of a command that can be run alone; others are run against the other side of their match."""
    game = "no limit" if "no-limit" in arguments else "limit"
    if arguments[:2] == ["acpc", "play"]:
        names = arguments[arguments.index("--names") + 1].split(",") if "--names" in arguments else ["one"]
        with dealt(usual_game(len(names) + 1, game), ["call"] * len(names), 2) as (port, _):
            yield [*arguments[:3], str(port), *arguments[4:]]
    elif arguments[:2] == ["acpc", "deal"] and (remote := " ".join(arguments).count("remote")):
        ports = free_ports(remote)
        with joining(ports, game):
            yield [*arguments, "--ports", ",".join(map(str, ports))]
    else:
        yield arguments
