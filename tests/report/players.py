"""A book of players for pages: a few who call, fold and raise as they like, one of whom has a hostile name."""

from __future__ import annotations

import random
from functools import cache

import pokermodel as pm
from pokermodel.analysis.player import PlayerReport, PlayerReports
from tests.common.books import played_free

from .pages import NAMES

#: A name that is markup, turns its direction, and is long.
HOSTILE = f"{NAMES[0]}{NAMES[6]}{NAMES[9]}".replace("\ud800", "") + "x" * 3000
_NAMES = ["Ann", "Bob", HOSTILE]


def hands() -> list[pm.Hand]:
    """240 hands of limit, and 120 of no limit, in which Ann folds the river and everybody else does anything."""
    spec, found = pm.GameSpec.ring(3, 5, 10), []
    for number in range(240):
        rng = random.Random(number)
        names, deck = rng.sample(_NAMES, 3), rng.sample(range(52), 11)
        state, actions = pm.game.State(spec), []
        while not state.over:
            act = rng.choice(state.legal())
            if names[state.seat] == "Ann" and state.to_call and state.round == 3:
                act = pm.Act.FOLD
            actions.append((state.seat, act))
            state.act(act)
        board = deck[:5] if state.showdown else deck[: (0, 3, 4, 5)[state.round]]
        holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(3)} if state.showdown else {}
        found.append(pm.Hand("made up", str(number), spec, names, actions, board, holdings))
    return found + [played_free(1000 + k, k, ["Ann", "Bob", HOSTILE]) for k in range(120)]


@cache
def book() -> pm.Book:
    """A book that has learnt them."""
    made = pm.Book("sqlite://")
    made.learn(hands(), kinds=["statistics", "adaptive"])
    return made


@cache
def reports(name: str = "Ann") -> tuple[PlayerReport, ...]:
    """What is said of a player."""
    maker = PlayerReports(book(), ranges=True)
    return tuple(maker.of(profile) for profile in book().profiles(name).values())
