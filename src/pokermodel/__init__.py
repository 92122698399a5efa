"""pokermodel reads poker opponents.

Given the betting of a limit Texas hold'em hand it keeps, for every player, a weight table over the 1,326
two-card holdings, and evaluates holdings against such tables.

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

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from pokermodel._support.forms import made_by
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
from pokermodel.game import Act, Action, Decision, GameSpec, Hand
from pokermodel.weights import WeightTable

if TYPE_CHECKING:
    from pokermodel.arena.tournament import tournament
    from pokermodel.evaluation.equity import Equity, equity
    from pokermodel.histories import HandSource, open_hands
    from pokermodel.learning.profile import Profile
    from pokermodel.learning.store import Book
    from pokermodel.reading import ActionCounts, Observation, OpponentModeler
    from pokermodel.scoring import score
    from pokermodel.simulation import Advice, Simulator

    __version__: str

__all__ = [
    "Act",
    "Action",
    "ActionCounts",
    "Advice",
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
    "Observation",
    "OpponentModeler",
    "Potential",
    "Profile",
    "RangeError",
    "Simulator",
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
    "get_include",
    "hand_potential",
    "hand_strength",
    "holding_cards",
    "holding_index",
    "holding_text",
    "income_rate",
    "income_rates",
    "joint_strength",
    "open_hands",
    "score",
    "tournament",
]

# What takes longer to import waits until it is asked for.
_LATER = {
    "ActionCounts": "pokermodel.reading",
    "Advice": "pokermodel.simulation",
    "Book": "pokermodel.learning.store",
    "HandSource": "pokermodel.histories",
    "Observation": "pokermodel.reading",
    "OpponentModeler": "pokermodel.reading",
    "Equity": "pokermodel.evaluation.equity",
    "Profile": "pokermodel.learning.profile",
    "Simulator": "pokermodel.simulation",
    "equity": "pokermodel.evaluation.equity",
    "open_hands": "pokermodel.histories",
    "score": "pokermodel.scoring",
    "tournament": "pokermodel.arena",
}

# What shows and writes values, which is imported when the first of them asks.
made_by("html", "pokermodel.report.html", "pokermodel.report.notebook")
made_by("rich", "pokermodel.report.heatmap")
for _format in ("phh", "acpc", "ohh"):
    made_by(_format, f"pokermodel.histories.{_format}")
del _format

# Hidden from type checkers, which would take every name of the module for defined by it.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "__version__":
            from importlib.metadata import version

            return version("pokermodel")
        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def get_include() -> str:
    """Folder of the C headers, for ``include_dirs`` of an extension that uses pokermodel's kernels.

    Returns
    -------
    str
    """
    return str(Path(__file__).parent / "include")


def example_hand() -> Hand:
    """The hand that ships with the package: six players, 10-20 limit, made up."""
    from pokermodel.histories import open_hands

    with resources.as_file(resources.files("pokermodel") / "data" / "example.phh") as path:
        return next(iter(open_hands(path)))
