"""Weighted deals."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.registry import Run, case
from pokermodel.evaluation.dealing import Dealer, DealingMode

DEALS = 100_000
WEIGHTS = np.random.default_rng(1).random((9, 1326))

for _mode in ("joint", "published"):
    for _players in (2, 5, 9):

        def _deal(mode: DealingMode = _mode, players: int = _players, stratified: bool = False) -> Run:
            dealer = Dealer(list(WEIGHTS[:players]), "2c7d9h", "AsKd", mode, rng=1, stratified=stratified)
            return Run(lambda: dealer.deal(DEALS), DEALS)

        case(f"dealing: {_mode}, {_players} weighted holdings on a flop", "deal").ours(_deal)
        _runouts = case(f"dealing: {_mode}, {_players} weighted holdings on runouts dealt first", "deal")
        _runouts.ours(partial(_deal, stratified=True))
        _runouts.peer("pokermodel, holdings first")(_deal)
