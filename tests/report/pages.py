"""Hands for pages: ten players with hostile names, and one without limit; and tables as pages have them."""

from __future__ import annotations

import base64
import random
from functools import cache

import numpy as np

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.cards import CARDS, HOLDINGS, HOLDINGS_OF_CLASS, live_holdings
from pokermodel.game import GameSpec, Hand, State

NAMES = [
    "<script>document.title='stolen'</script>",
    "</script><img src=x onerror=alert(1)>",
    "<!--",
    "\u05d3\u05d5\u05d3 \u05d4\u05de\u05dc\u05da",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "x" * 10_000,
    "\u202eevil\u2066",
    "&amp;&#60;",
    "line\nbreak\u2028\u2029\x1b[31m",
    "${data} $data \ud800 \"'`",
]


@cache
def ten_handed() -> Hand:
    """Everybody checks where they can, raises as late as they can, and stays to the showdown."""
    spec = GameSpec.ring(10, 5, 10)
    state, actions, checks = State(spec), [], 0
    while not state.over:
        checks = checks + 1 if not state.to_call else 0
        act = pm.Act.RAISE if checks not in range(1, 10) and pm.Act.RAISE in state.legal() else pm.Act.CALL
        actions.append((state.seat, act))
        state.act(act)
    deck = list(CARDS)
    random.Random(7).shuffle(deck)
    holdings = {seat: "".join(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in range(10)}
    return Hand("made up", "1</title>", spec, NAMES, actions, "".join(deck[:5]), holdings)


@cache
def no_limit() -> Hand:
    """Three players, of whom one folds and two go all-in on the flop."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000, 8_000, 2_000))
    raises, call = pm.Act.RAISE, pm.Act.CALL
    actions = [(2, raises, False, 300), (0, call), (1, pm.Act.FOLD), (0, call), (2, raises, False, 500)]
    actions += [(0, raises, False, 1700), (2, call)]
    return Hand("made up", "2", spec, ["Ann", "Bo", "Cy"], actions, "2h7dKsKc3d", {0: "7h7s", 2: "AsKd"})


@cache
def report(hand: Hand, model: str = "adaptive", hero: str | None = None, *, verdicts: bool = False) -> HandReport:
    """A report by a reader that has seen nothing yet, made once; verdicts take a second where bets have sizes."""
    return HandReport.of(hand, pm.OpponentModeler(model, None, hero), hero, verdicts=verdicts)


def unpacked(table) -> pm.WeightTable:
    """A table that a page holds."""
    live = live_holdings(table["dead"])
    data = table["weights"] if isinstance(table["weights"], bytes) else base64.b64decode(table["weights"])
    numbers = iter(np.frombuffer(data, dtype="<u2").tolist())
    packed = np.zeros(len(HOLDINGS))
    for possible in ([index for index in all_ if live[index]] for all_ in HOLDINGS_OF_CLASS):
        if possible:
            first = next(numbers)
            packed[possible] = first
            if first >= 32768:
                packed[possible] = [first - 32768, *(next(numbers) - 32768 for _ in possible[1:])]
    assert not list(numbers)
    weights = np.where(packed > 0, table["largest"] * 2.0 ** ((packed - 32767) / 1024), 0.0)
    return pm.WeightTable(weights, table["dead"])
