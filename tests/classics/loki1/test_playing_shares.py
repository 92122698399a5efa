"""How many hands ten copies of Loki-1 play before the flop: the expert system, the rules and the rates together."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pokermodel._core.rules import State
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, holding_index
from pokermodel.classics.loki1 import preflop as loki1_preflop
from pokermodel.classics.loki1.preflop import preflop_action, preflop_strategy
from pokermodel.game import Act, GameSpec

DEALS = 10_000


@pytest.fixture(params=["printed", "own"])
def tolerance(request, monkeypatch):
    """Papp's printed income rates, or the package's, which move a class or two over a threshold."""
    if request.param == "own":
        return 0.5
    rates: dict[int, dict[str, float]] = {}
    with (Path(__file__).parents[2] / "data" / "papp_1998_income_rates.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            rates.setdefault(int(row["players"]), {})[row["hand_class"]] = float(row["income_rate_milli"])
    by_holding = {
        players: [table[CLASSES[index]] for index in CLASS_OF_HOLDING.tolist()] for players, table in rates.items()
    }
    monkeypatch.setattr(
        loki1_preflop, "income_rate", lambda holding, players: by_holding[players][holding_index(holding)]
    )
    return 0.3


@pytest.mark.parametrize(
    ("tightness", "other_seats", "all_seats"),
    [("tight", 18.7, 21.0), ("moderate", 21.4, 23.3), ("loose", 24.1, 25.5)],
)
def test_ten_handed_playing_shares(tightness, other_seats, all_seats, tolerance):
    """Papp 1998 prints about 18, 21 and 24%; the finer figures are of a simulation of the published rules."""
    spec = GameSpec.ring(10, 1, 2)
    rng = np.random.default_rng(1998)
    cards = np.argsort(rng.random((DEALS, 52)), axis=1)[:, :20].reshape(DEALS, 10, 2)
    played = np.zeros(10)
    strategy_of = cache(preflop_strategy)
    first = np.unique(CLASS_OF_HOLDING, return_index=True)[1]  # holding of each class, which are treated alike
    alike = [HOLDINGS[k] for k in first[CLASS_OF_HOLDING]]
    for deal in cards.tolist():
        state = State(spec)
        strategies = {}
        voluntary = set()
        while not state.over and state.round == 0:
            seat = state.seat
            _, _, to_call, _, bets, num_bets, put_in, active, position, committed, *_ = state.situation()
            if seat not in strategies:
                paid = {k for k, chips in enumerate(committed) if chips}
                high, low = max(deal[seat]), min(deal[seat])
                strategies[seat] = strategy_of(
                    alike[high * (high - 1) // 2 + low],
                    guaranteed=len(paid | {seat}),
                    in_pot=len(active),
                    position=position,
                    tightness=tightness,
                    small_blind=seat == 0,
                )
            act = preflop_action(
                strategies[seat], to_call=to_call, bets_to_call=bets, num_bets=num_bets, bets_put_in=put_in
            )
            act = Act.CALL if act not in state.legal() else act
            if act == Act.RAISE or (act == Act.CALL and to_call):
                voluntary.add(seat)
            state.act(act)
        played[list(voluntary)] += 1
    shares = 100 * played / DEALS
    assert shares[2:].mean() == pytest.approx(other_seats, abs=tolerance)
    assert shares.mean() == pytest.approx(all_seats, abs=tolerance)
