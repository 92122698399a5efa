"""pokermodel reads poker opponents: what they can hold, how they play, and what to do about it.

From the betting of a Texas hold'em hand (limit, pot limit or no limit) it keeps a weight table over the 1,326 two-card
holdings for every player. It learns how each player behaves, and says what fold, call and raise are worth.

Examples
--------
>>> import pokermodel as pm
>>> hand = pm.example_hand()
>>> report = pm.read_hand(hand)
>>> report.steps[-1].after.top(1)[0][0]
'JsTs'
>>> pm.verdict(hand, 28).best.act.name
'CALL'
>>> pm.evaluate("AsKsQsJsTs")
7462
"""

from __future__ import annotations

import os

from pokermodel._support.forms import made_by

#: The names of the front door, by the module that has them. From this list come `__all__`, the lazy imports, and the
#: stub ``__init__.pyi``, which ``tools/front_door.py`` writes.
_FRONT_DOOR = {
    "histories": ("Filter", "open_hands"),
    "game": ("Act", "Action", "GameSpec", "Hand"),
    "reading": ("OpponentModeler",),
    "weights": ("WeightTable",),
    "analysis.hand": ("read_hand",),
    "analysis.verdict": ("verdict",),
    "analysis.book_study": ("study",),
    "library.book": ("Book",),
    "learning.profile": ("Profile",),
    "solving": ("Lock", "Solution", "Subgame", "locks_from", "solve"),
    "evaluation": ("BoardAnalysis", "evaluate", "evaluate_many", "hand_strength"),
    "evaluation.equity": ("equity",),
    "scoring": ("score",),
    "errors": (
        *("BookError", "ClusterError", "ClusterWarning", "DamagedBookError", "HistoryError", "PluginWarning"),
        *("RangeError", "UnknownPlayerError"),
    ),
    "_front": ("example_hand", "get_include"),
}
_WHERE = {name: module for module, names in _FRONT_DOOR.items() for name in names}
__all__ = [*sorted(_WHERE), "__version__"]

# What shows and writes values. It is imported when the first value asks for it.
made_by("html", "pokermodel.report.html", "pokermodel.report.notebook")
made_by("rich", "pokermodel.report.heatmap")
for _format in ("phh", "acpc", "ohh"):
    made_by(_format, f"pokermodel.histories.{_format}")
del _format

# A SIMD level that is forced holds for programs that import nothing but kernels, too.
if os.environ.get("POKERMODEL_SIMD"):
    from pokermodel import simd as simd
del os


def __getattr__(name: str) -> object:
    """Import a name of the front door, or a room, when it is first used.

    The command line says its version or completes a word without NumPy, and a program that links the kernels loads
    nothing else.
    """
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        return version("pokermodel")
    if name in _WHERE:
        found = globals()[name] = getattr(import_module(f"pokermodel.{_WHERE[name]}"), name)
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
