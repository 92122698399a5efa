"""Scoring readers on real hands that are learnt as they go; those of three players beside their replay alone."""

from __future__ import annotations

from functools import partial
from itertools import islice

import pokermodel as pm
from benchmarks.cases.histories import MONTH, data
from benchmarks.registry import Run, at_most, case
from pokermodel.game import Hand
from pokermodel.scoring import score

HANDS = 300
MANY = 1500
#: Within five minutes for the 192,846 decisions of a month of the IRC database.
FIVE_MINUTES = at_most(300 / 192_846)


def hands() -> list[Hand]:
    return list(islice(pm.open_hands(data("acpc-2014-3p-limit")), HANDS))


def scored(model: str) -> Run:
    played = hands()
    found = score(played, model)[model]
    return Run(lambda: score(played, model), found.decisions, f"{HANDS} hands")


def scored_by_hand(model: str) -> Run:
    played = list(islice(pm.open_hands(data(MONTH)), MANY))
    found = score(played, model)[model]
    return Run(lambda: score(played, model), len(played), f"{found.decisions:,} decisions, {found.holdings} holdings")


def replayed() -> Run:
    played = hands()

    def walk() -> int:
        return sum(sum(1 for _ in hand.replay()) for hand in played)

    return Run(walk, walk())


for _model in ("uniform", "som", "loki2:som", "bpp", "adaptive"):
    _case = case(f"scoring: {_model}", "decision", FIVE_MINUTES, rounds=3)
    _case.ours(partial(scored, _model))
    _case.peer("pokermodel, replay alone")(replayed)

for _model in ("som", "loki2:som", "bpp", "adaptive"):
    _case = case(f"scoring: {_model}, hands of the IRC database", "hand", at_most(1 / 2000), rounds=3)
    _case.ours(partial(scored_by_hand, _model))
