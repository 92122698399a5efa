"""Games per second: Loki-1 players through the arena, and the bare rules with random players."""

from __future__ import annotations

from functools import partial
from itertools import count

from benchmarks.registry import Run, at_least, at_most, case
from pokermodel.arena import random_hands, tournament

DEALS = 20
OPENSPIEL = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,raiseSize=10 10 20 20,firstPlayer=2 1 1 1,"
    "maxRaises=3 4 4 4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1)"
)

# --------------------------------------------------------------------------------------------------- bare rules

bare = case("arena: heads-up hands of random players", "hand", at_most(1e-6), at_least(50, "open-spiel"))
bare.ours(lambda: Run(lambda: random_hands(1_000_000, rng=1), 1_000_000, "one batch call"))


@bare.peer("open-spiel")
def openspiel() -> Run:
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    seeds = count()

    def play() -> None:
        for seed in range(1000):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, 1000 * next(seeds) + seed)

    return Run(play, 1000, "evaluate_bots, its loop in C++")


# -------------------------------------------------------------------------------------------------- tournaments


def ours(players: str) -> Run:
    seeds = count()
    return Run(lambda: tournament(players, DEALS, seed=next(seeds)), 10 * DEALS, "other deals each time")


for _name, _players, _targets in (
    ("ten loki1", "loki1*10", (at_most(1 / 300),)),
    ("ten som", "som*10", (at_most(1 / 300),)),
    ("som, gom, bpt, bpm, bpl", "som*2,gom*2,bpt*2,bpm*2,bpl*2", (at_most(1 / 300),)),
    ("ten bpm", "bpm*10", ()),
    ("ten call", "call*10", ()),
):
    case(f"arena: {_name}", "game", *_targets).ours(partial(ours, _players))
