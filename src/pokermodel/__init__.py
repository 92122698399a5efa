"""pokermodel reads poker opponents.

Given the betting of a Texas hold'em hand, limit, pot limit or no limit, it keeps for every player a weight table over
the 1,326 two-card holdings, and evaluates holdings against such tables.

Examples
--------
>>> import pokermodel as pm
>>> pm.evaluate("AsKsQsJsTs")
7462
>>> round(pm.hand_strength("AdQc", "3h4cJh"), 6)
0.585106
>>> modeler = pm.OpponentModeler(model="loki1")
>>> for decision in pm.example_hand().replay():
...     observation = modeler.observe(decision)
>>> modeler.table("Eve").top(1)[0][0]
'AsQs'
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pokermodel._support.forms import made_by

if TYPE_CHECKING:
    from pokermodel.cards import (
        card_index,
        card_indices,
        card_text,
        cards_text,
        class_index,
        class_text,
        holding_cards,
        holding_index,
        holding_text,
    )
    from pokermodel.errors import BookError, HistoryError, RangeError
    from pokermodel.evaluation import (
        BoardAnalysis,
        HoldingTable,
        Potential,
        category,
        effective_hand_strength,
        evaluate,
        evaluate_holdings,
        evaluate_many,
        hand_potential,
        hand_strength,
        income_rate,
        income_rates,
        joint_strength,
    )
    from pokermodel.evaluation.equity import Equity, equity
    from pokermodel.game import Act, Action, Decision, GameSpec, Hand
    from pokermodel.histories import HandSource, open_hands
    from pokermodel.learning.profile import Profile
    from pokermodel.learning.store import Book
    from pokermodel.reading import ActionCounts, Observation, OpponentModeler
    from pokermodel.scoring import score
    from pokermodel.solving import Lock, Solution, Subgame, gain_of, locks_from, solve
    from pokermodel.weights import WeightTable

    __version__: str

__all__ = [
    "Act",
    "Action",
    "ActionCounts",
    "BoardAnalysis",
    "Book",
    "BookError",
    "Decision",
    "Equity",
    "GameSpec",
    "Hand",
    "HandSource",
    "HistoryError",
    "HoldingTable",
    "Lock",
    "Observation",
    "OpponentModeler",
    "Potential",
    "Profile",
    "RangeError",
    "Solution",
    "Subgame",
    "WeightTable",
    "__version__",
    "card_index",
    "card_indices",
    "card_text",
    "cards_text",
    "category",
    "class_index",
    "class_text",
    "effective_hand_strength",
    "equity",
    "evaluate",
    "evaluate_holdings",
    "evaluate_many",
    "example_hand",
    "gain_of",
    "get_include",
    "hand_potential",
    "hand_strength",
    "holding_cards",
    "holding_index",
    "holding_text",
    "income_rate",
    "income_rates",
    "joint_strength",
    "locks_from",
    "open_hands",
    "score",
    "solve",
]

# Each name is imported when it is asked for the first time: the command line says its version, or completes a word,
# without NumPy, and a program that links the kernels loads none of the rest.
_WHERE = {
    "Act": "pokermodel.game",
    "Action": "pokermodel.game",
    "ActionCounts": "pokermodel.reading",
    "BoardAnalysis": "pokermodel.evaluation",
    "Book": "pokermodel.learning.store",
    "BookError": "pokermodel.errors",
    "Decision": "pokermodel.game",
    "Equity": "pokermodel.evaluation.equity",
    "GameSpec": "pokermodel.game",
    "Hand": "pokermodel.game",
    "HandSource": "pokermodel.histories",
    "HistoryError": "pokermodel.errors",
    "HoldingTable": "pokermodel.evaluation",
    "Lock": "pokermodel.solving",
    "Observation": "pokermodel.reading",
    "OpponentModeler": "pokermodel.reading",
    "Potential": "pokermodel.evaluation",
    "Profile": "pokermodel.learning.profile",
    "RangeError": "pokermodel.errors",
    "Solution": "pokermodel.solving",
    "Subgame": "pokermodel.solving",
    "WeightTable": "pokermodel.weights",
    "card_index": "pokermodel.cards",
    "card_indices": "pokermodel.cards",
    "card_text": "pokermodel.cards",
    "cards_text": "pokermodel.cards",
    "category": "pokermodel.evaluation",
    "class_index": "pokermodel.cards",
    "class_text": "pokermodel.cards",
    "effective_hand_strength": "pokermodel.evaluation",
    "equity": "pokermodel.evaluation.equity",
    "evaluate": "pokermodel.evaluation",
    "evaluate_holdings": "pokermodel.evaluation",
    "evaluate_many": "pokermodel.evaluation",
    "gain_of": "pokermodel.solving",
    "hand_potential": "pokermodel.evaluation",
    "hand_strength": "pokermodel.evaluation",
    "holding_cards": "pokermodel.cards",
    "holding_index": "pokermodel.cards",
    "holding_text": "pokermodel.cards",
    "income_rate": "pokermodel.evaluation",
    "income_rates": "pokermodel.evaluation",
    "joint_strength": "pokermodel.evaluation",
    "locks_from": "pokermodel.solving",
    "open_hands": "pokermodel.histories",
    "score": "pokermodel.scoring",
    "solve": "pokermodel.solving",
}
# What shows and writes values, which is imported when the first of them asks.
made_by("html", "pokermodel.report.html", "pokermodel.report.notebook")
made_by("rich", "pokermodel.report.heatmap")
for _format in ("phh", "acpc", "ohh"):
    made_by(_format, f"pokermodel.histories.{_format}")
del _format

# Whoever forces a SIMD level means kernels that import nothing but their own, too.
if os.environ.get("POKERMODEL_SIMD"):
    from pokermodel import simd as simd
del os

# Hidden from type checkers, which would take every name of the module for defined by it.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "__version__":
            from importlib.metadata import version

            return version("pokermodel")
        if name in _WHERE:
            found = globals()[name] = getattr(import_module(_WHERE[name]), name)
            return found
        if not name.startswith("_"):  # a room
            try:
                return import_module(f"pokermodel.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"pokermodel.{name}":
                    raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def get_include() -> str:
    """Folder of the C headers, for ``include_dirs`` of an extension that uses pokermodel's kernels.

    Returns
    -------
    str
    """
    from pathlib import Path

    return str(Path(__file__).parent / "include")


def example_hand() -> Hand:
    """The hand that ships with the package: six players, 10-20 limit, made up."""
    from importlib import resources

    from pokermodel.histories import open_hands

    with resources.as_file(resources.files("pokermodel") / "data" / "example.phh") as path:
        return next(iter(open_hands(path)))
