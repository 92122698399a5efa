"""BPP in hold'em: what a player does with each class of holdings, and learning it, on real hands of three players."""

from __future__ import annotations

from itertools import islice

import pokermodel as pm
from benchmarks.cases.histories import data
from benchmarks.registry import Run, at_most, case
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.classics.bpp.observed_hands import cells
from pokermodel.classics.bpp.strength_buckets import classes_cache
from pokermodel.game import Hand
from pokermodel.reading import BettingHistory

HANDS = 200
#: Five passes over the 15,680 hands of a month of the IRC database, within ten minutes.
TEN_MINUTES = at_most(600 / 15_680)


def hands() -> list[Hand]:
    return list(islice(pm.open_hands(data("acpc-2014-3p-limit")), HANDS))


def learnt() -> BayesTables:
    tables = BayesTables()
    for hand in hands():
        tables.learn(hand)
    return tables


def inference() -> Run:
    tables = learnt()
    asked = []
    for hand in hands():
        history = BettingHistory(len(hand.players))
        for decision in hand.replay():
            asked.append((cells(history.features(decision.situation)), decision.legal, decision.player))
            history.add(decision)

    def infer() -> None:
        for each in asked:
            tables.table(*each)

    return Run(infer, len(asked), "all classes, one situation")


def reading() -> Run:
    session = pm.OpponentModeler("bpp", tables=learnt())
    decisions = [decision for hand in hands() for decision in hand.replay()]

    def read() -> None:
        classes_cache.clear()
        for decision in decisions:
            session.observe(decision)

    return Run(read, len(decisions), "all 1,326 holdings, boards evaluated")


def learning() -> Run:
    tables, played = learnt(), hands()

    def learn() -> None:
        classes_cache.clear()
        for hand in played:
            tables.learn(hand)

    return Run(learn, len(played), "replay and boards included")


def fitting() -> Run:
    played = hands()
    return Run(lambda: BayesTables().fit(played, passes=5), len(played), "learnt, and five passes of EM")


case("bpp: what a player does", "situation", at_most(100e-6)).ours(inference)
case("bpp: reading an action", "action").ours(reading)
case("bpp: learning a hand online", "hand", at_most(5e-3)).ours(learning)
case("bpp: EM over hands", "hand", TEN_MINUTES, rounds=3).ours(fitting)
