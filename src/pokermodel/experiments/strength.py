"""How far the strengths that Loki-1 goes by against several opponents are from the exact one.

Papp (1998, section 5.2.1) compares two approximations with the enumeration of all that the opponents can hold together: the
field array, the mean of the opponents' tables, to the power of their number (Eq 5.3), and the product of the strengths
against each (Eq 5.4). Where his cases are from he does not say. Ours are decisions of Loki-1 among its like, one of a hand,
so that cases are independent. How he counts ties is not printed, either; see `pokermodel.evaluation.joint_strength`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel._arrays import Bools, Floats
from pokermodel.arena.table import deal_cards, play_hand
from pokermodel.cards import cards_text, holding_index, shared_live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.experiments.measured import MeasuredExperiment, Measurement
from pokermodel.experiments.registry import register
from pokermodel.game import Act, GameSpec
from pokermodel.players import CommonKnowledge
from pokermodel.players.loki1 import Loki1Player
from pokermodel.players.opponents import ModeledTables
from pokermodel.players.player import View
from pokermodel.reading.parts.field import field_strengths

_PLAYERS = 10
_ROUNDS = ("flop", "turn", "river")
_LARGE = 2.0  # per cent; the source counts the cases above it
_NARROW = (50, 150)  # holdings of an opponent, between narrow tables, middling and wide ones

_PRODUCT, _FIELD = "product", "field array"
#: Published figures by number of opponents and row, in per cent. Of 888 cases with two opponents 59 were above 2 %.
_PUBLISHED = {
    2: {
        (_PRODUCT, "mean"): 0.307,
        (_PRODUCT, "largest"): 2.19,
        (_FIELD, "mean"): 0.671,
        (_FIELD, "largest"): 5.79,
        (_FIELD, "above 2 %"): 100 * 59 / 888,
    },
    3: {(_PRODUCT, "mean"): 0.502, (_FIELD, "mean"): 0.751, (_FIELD, "largest"): 4.15},
}
