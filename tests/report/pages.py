"""Hands for pages: ten players with hostile names, and one without limit; and tables as pages have them."""

from __future__ import annotations

import base64
import random

import numpy as np

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, HOLDINGS, live_holdings
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


def no_limit() -> Hand:
    """Three players, of whom one folds and two go all-in on the flop."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000, 8_000, 2_000))
    raises, call = pm.Act.RAISE, pm.Act.CALL
    actions = [(2, raises, False, 300), (0, call), (1, pm.Act.FOLD), (0, call), (2, raises, False, 500)]
    actions += [(0, raises, False, 1700), (2, call)]
    return Hand("made up", "2", spec, ["Ann", "Bo", "Cy"], actions, "2h7dKsKc3d", {0: "7h7s", 2: "AsKd"})


def report(hand: Hand, model: str = "adaptive", hero: str | None = None) -> HandReport:
    """A report by a reader that has seen nothing yet."""
    return HandReport.of(hand, pm.OpponentModeler(model, None, hero), hero)


def unpacked(table) -> pm.WeightTable:
    """A table that a page holds."""
    live = live_holdings(table["dead"])
    order = sorted(np.flatnonzero(live), key=lambda index: CLASS_OF_HOLDING[index])
    data = table["weights"] if isinstance(table["weights"], bytes) else base64.b64decode(table["weights"])
    packed = np.frombuffer(data, dtype="<u2").astype(float)
    weights = np.zeros(len(HOLDINGS))
    weights[order] = np.where(packed > 0, table["largest"] * 2.0 ** ((packed - 65535) / 1024), 0.0)
    return pm.WeightTable(weights, table["dead"])
