"""Hands per second for programs that learn by playing: a random legal action for every seat, chosen from Python.

What is seen and what is legal is worked out at each decision, by all but one. RLCard's actions include a fold where a
check is free, so its hands are somewhat shorter.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from benchmarks.registry import Run, at_least, case

TABLES, HANDS = 1024, 100
RLCARD = {"limit": "limit-holdem", "no limit": "no-limit-holdem"}
PETTINGZOO = {"limit": "texas_holdem_v4", "no limit": "texas_holdem_no_limit_v6"}
CARDS = "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1"
OPENSPIEL = {
    "limit": "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,raiseSize=10 10 20 20,"
    f"firstPlayer=2 1 1 1,maxRaises=3 4 4 4,{CARDS})",
    "no limit": "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,"
    f"stack=200 200,bettingAbstraction=fchpa,{CARDS})",
}


def ours(game: str, one: bool) -> Run:
    return one_table(game) if one else many_tables(game)


def many_tables(game: str) -> Run:
    from pokermodel.tables.connect.gym import PokerVectorEnv

    envs = PokerVectorEnv(TABLES, game, copy=False)
    envs.reset(seed=1)
    ended = 0
    for _ in range(200):
        ended += int(envs.step(envs.sample_actions())[2].sum())

    def play() -> None:
        for _ in range(20):
            envs.step(envs.sample_actions())

    return Run(play, ended / 10, f"{TABLES} tables at once")


def one_table(game: str) -> Run:
    from pokermodel.tables.connect.gym import PokerEnv

    env, rng = PokerEnv(game), random.Random(1)

    def play() -> None:
        for _ in range(HANDS):
            _, info = env.reset()
            ended = False
            while not ended:
                _, _, ended, _, info = env.step(rng.choice(info["action_mask"].nonzero()[0]))

    return Run(play, HANDS, "one table, step by step")


def rlcard(game: str) -> Run:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(RLCARD[game], config={"seed": 1})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def play() -> None:
        for _ in range(HANDS):
            env.run()

    return Run(play, HANDS, "its run")


def pettingzoo(game: str) -> Run:
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{PETTINGZOO[game]}").env()
    rng = random.Random(1)
    env.reset(seed=1)

    def play() -> None:
        for _ in range(HANDS):
            env.reset()
            for _ in env.agent_iter():
                seen, _, ended, truncated, _ = env.last()
                env.step(None if ended or truncated else rng.choice(seen["action_mask"].nonzero()[0]))

    return Run(play, HANDS, "one table, step by step; on RLCard")


def openspiel(game: str) -> Run:
    import pyspiel
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(pyspiel.load_game(OPENSPIEL[game]))
    rng = random.Random(1)

    def play() -> None:
        for _ in range(HANDS):
            step = env.reset()
            while not step.last():
                seen = step.observations
                step = env.step([rng.choice(seen["legal_actions"][seen["current_player"]])])

    return Run(play, HANDS, "rl_environment")


def openspiel_state(game: str) -> Run:
    import pyspiel

    loaded, rng = pyspiel.load_game(OPENSPIEL[game]), random.Random(1)

    def play() -> None:
        for _ in range(HANDS):
            state = loaded.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(rng.choice(state.chance_outcomes())[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))

    return Run(play, HANDS, "its state, which says nothing of what is seen")


def add(game: str, one: bool, *targets: object) -> None:
    how = "one table" if one else "many tables"
    found = case(f"environments: heads-up {game}, {how}", "hand", *targets)  # type: ignore[arg-type]
    found.ours(lambda: ours(game, one))
    peers: dict[str, Callable[[str], Run]] = {
        "rlcard": rlcard,
        "pettingzoo": pettingzoo,
        "open-spiel": openspiel,
        "open-spiel, state": openspiel_state,
    }
    for name, make in peers.items():
        found.peer(name)(lambda make=make: make(game))  # type: ignore[misc]


for _game in OPENSPIEL:
    add(_game, False, at_least(100, "rlcard"), at_least(100, "pettingzoo"), at_least(100, "open-spiel"))
    add(_game, True, at_least(1, "rlcard"), at_least(1, "pettingzoo"), at_least(1, "open-spiel"))
