"""Probability triples: of all holdings of a board, and a whole re-weighting."""

from __future__ import annotations

import numpy as np

from benchmarks.registry import Run, case
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot, multiply_by_triples
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act

BET = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
ANALYSIS = BoardAnalysis("3h4cJh")
WEIGHTS = np.random.default_rng(1).random(1326) * ANALYSIS.live
OWN, REWEIGHTING = TripleGenerator(), TripleGenerator(form="reweighting")
HELD = OWN.evaluate(ANALYSIS, [WEIGHTS])

case("triples: all holdings, own play", "triple", same=True).ours(lambda: Run(lambda: OWN.apply(BET, *HELD), 1326))
case("triples: all holdings, re-weighting", "triple", same=True).ours(
    lambda: Run(lambda: REWEIGHTING.apply(BET, *HELD[:2]), 1326)
)
case("triples: all holdings with their evaluation, own play", "triple", same=True).ours(
    lambda: Run(lambda: OWN.triples(BET, ANALYSIS, [WEIGHTS]), 1326)
)
case("triples: a whole re-weighting of a known board", "triple", same=True).ours(
    lambda: Run(
        lambda: multiply_by_triples(WEIGHTS, REWEIGHTING.triples(BET, ANALYSIS, [WEIGHTS]), Act.CALL),
        1326,
    )
)
