"""The adaptive reader on real hands of three players, against BPP, which was the truest of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pokermodel as pm
from benchmarks.cases.histories import data
from benchmarks.registry import Run, at_most, case
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.classics.bpp.strength_buckets import classes_cache
from pokermodel.game import Hand
from pokermodel.reading import PopulationModel
from pokermodel.reading.adaptive.evidence import play
from pokermodel.reading.adaptive.holdings import holdings_cache
from tools.fit.options import FitOptions
from tools.fit.prior import fit_prior

HANDS = 250


def hands() -> list[Hand]:
    return list(islice(pm.open_hands(data("acpc-2014-3p-limit")), HANDS))


def forget() -> None:
    for cache in (holdings_cache, classes_cache):
        cache.clear()


def read_by(model: str) -> Callable[[], Run]:
    def reading() -> Run:
        played = hands()
        session = pm.OpponentModeler(model)
        for hand in played:
            session.learn(hand)
        decided = [(hand, list(hand.replay())) for hand in played]

        def read() -> None:
            forget()
            for hand, decisions in decided:
                session.start(hand.players)
                for decision in decisions:
                    session.predict(decision)
                    session.observe(decision)

        return Run(read, sum(len(decisions) for _, decisions in decided), "forecast and table, boards evaluated")

    return reading


def learnt_by(kind: Any) -> Callable[[], Run]:
    def learning() -> Run:
        played = [(hand, list(hand.replay())) for hand in hands()]

        def learn() -> None:
            forget()
            known = kind()
            for hand, decisions in played:
                known.update([kind.evidence(hand, decisions)])

        return Run(learn, len(played), "boards evaluated, replayed before")

    return learning


def fitting() -> Run:
    played = []
    for k, hand in enumerate(hands()):  # a fit needs more players than three
        found = play(hand)
        named = [replace(acts, name=f"player {(3 * k + place) % 18}") for place, acts in enumerate(found.players)]
        played.append(found.of(found.population, found.board, named, found.live, found.losing, found.game))
    options = FitOptions(passes=1, joint_passes=1)
    return Run(lambda: fit_prior(played, rng=1, options=options), len(played), "two passes, the directions between")


_reading = case("adaptive: reading an action", "action", at_most(1 / 10_000))
_reading.ours(read_by("adaptive"))
_reading.peer("pokermodel, bpp")(read_by("bpp"))


def read_sized() -> Run:
    played = list(islice(pm.open_hands(data("phh/pluribus.dev.tgz")), HANDS))
    decided = [(hand, list(hand.replay())) for hand in played]
    session = pm.OpponentModeler("adaptive")
    for hand, decisions in decided:
        session.learn(hand, decisions)

    def read() -> None:
        forget()
        for hand, decisions in decided:
            session.start(hand.players)
            for decision in decisions:
                session.predict(decision)
                session.observe(decision)

    return Run(read, sum(len(decisions) for _, decisions in decided), "Pluribus, six players, boards evaluated")


def foretell_sizes() -> Run:
    people = PopulationModel().games["no limit"]
    told = []
    for hand in islice(pm.open_hands(data("phh/pluribus.dev.tgz")), HANDS):
        found = PopulationModel.evidence(hand)
        people.learn(found)
        told += [(found.population, acts, size) for acts in found.players for size in acts.sizes]

    def foretell() -> None:
        for population, acts, size in told:
            people.size_forecast(population, acts.name, acts.rows[size.act], size.context, size.range, size.habits)

    return Run(foretell, len(told), "Pluribus, players who are known")


case("adaptive: foretelling the size of a raise", "raise", at_most(1 / 20_000)).ours(foretell_sizes)
case("adaptive: reading an action of no limit", "action", at_most(1 / 10_000)).ours(read_sized)
_learning = case("adaptive: learning a hand", "hand", at_most(1 / 3_000))
_learning.ours(learnt_by(PopulationModel))
_learning.peer("pokermodel, bpp")(learnt_by(BayesTables))
case("adaptive: fitting", "hand", at_most(600 / 15_680 / 8), rounds=3).ours(fitting)
