"""Games per second: ten Loki-1 players through the arena, and the bare rules with random players beside OpenSpiel.

``python -m benchmarks.arena``; OpenSpiel (``pip install open-spiel``) is left out if it is not there.
"""

from __future__ import annotations

import statistics
import time

from benchmarks import best_times, report
from pokermodel.arena import random_hands, tournament

DEALS = 20
HANDS = 1_000_000
THEIR_HANDS = 1_000
ROUNDS = 5
FIELDS = {
    "ten loki1": "loki1*10",
    "ten som": "som*10",
    "features A to E": "loki1*2,loki1?showdown_odds=0*2,loki1?pot_odds=0*2,loki1?semi_bluff=0*2,simple*2",
    "som, gom, bpt, bpm, bpl": "som*2,gom*2,bpt*2,bpm*2,bpl*2",
    "ten bpm": "bpm*10",
    "ten call": "call*10",
}
OPENSPIEL = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,raiseSize=10 10 20 20,firstPlayer=2 1 1 1,"
    "maxRaises=3 4 4 4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1)"
)


def games_per_second() -> None:
    print(f"games per second on one core, ten players, {DEALS} deals")
    for name, players in FIELDS.items():
        rates = []
        for seed in range(ROUNDS):
            start = time.perf_counter()
            games = tournament(players, deals=DEALS, seed=seed).games
            rates.append(games / (time.perf_counter() - start))
        print(f"  {name:<44} {statistics.median(rates):>10,.0f}   ({min(rates):,.0f} to {max(rates):,.0f})")


def bare_rules() -> None:
    cases = {"pokermodel, one batch call": lambda: random_hands(HANDS, rng=1)}
    units = {"pokermodel, one batch call": HANDS}
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not there to compare with")
    else:
        game = pyspiel.load_game(OPENSPIEL)

        def theirs() -> None:
            bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
            for seed in range(THEIR_HANDS):
                pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

        cases["OpenSpiel, evaluate_bots"] = theirs
        units["OpenSpiel, evaluate_bots"] = THEIR_HANDS
    report("heads-up hands of limit hold'em between random players", best_times(cases, ROUNDS), units, "hand")


if __name__ == "__main__":
    bare_rules()
    games_per_second()
