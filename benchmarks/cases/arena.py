"""Games per second: Loki-1 players through the arena, and the bare rules with random players."""

from __future__ import annotations

import random
from functools import partial
from itertools import count

from benchmarks.registry import Run, at_least, at_most, case
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.tables.arena import random_hands, tournament

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


SPEC = GameSpec.no_limit(6, 5, 10, stacks=(1000,) * 6)


def random_actions(rng: random.Random) -> list[Action]:
    """What is done in a hand of no limit of six players, who raise to anything now and then."""
    state, actions = State(SPEC), []
    while not state.over:
        act = rng.choices((Act.FOLD, Act.CALL, Act.RAISE), (3, 5, 2))[0]
        act = act if act in state.legal() else Act.CALL
        found = state.raise_range() if act == Act.RAISE else None
        to = rng.randint(found[0], found[1] or 0) if found else None
        actions.append(Action(state.seat, act, to=to))
        state.act(act, to)
    return actions


def no_limit(hands: int) -> list[list[Action]]:
    rng = random.Random(1)
    return [random_actions(rng) for _ in range(hands)]


sizes = case("arena: replay of hands of no limit, six players", "hand")


@sizes.ours
def replayed() -> Run:
    names = [f"p{seat}" for seat in range(6)]
    hands = [Hand("random", str(k), SPEC, names, done, range(5)) for k, done in enumerate(no_limit(500))]
    return Run(lambda: sum(len(list(hand.replay())) for hand in hands), len(hands))


@sizes.peer("pokerkit")
def replayed_by_pokerkit() -> Run:
    import pokerkit

    steps = set(pokerkit.Automation) - {pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING}
    game = pokerkit.NoLimitTexasHoldem(tuple(steps), True, 0, (5, 10), 10)
    hands = no_limit(30)

    def replay() -> None:
        for actions in hands:
            state = game(1000, 6)
            for _, act, _, to in actions:
                if act == Act.FOLD:
                    state.fold()
                elif act == Act.CALL:
                    state.check_or_call()
                else:
                    state.complete_bet_or_raise_to(to)

    return Run(replay, len(hands), "the state alone; it deals, too")


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
