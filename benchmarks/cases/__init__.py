"""The cases, by area; importing a module of this package registers its own."""

from __future__ import annotations

import importlib

AREAS = (
    "evaluation",
    "strength",
    "equity",
    "dealing",
    "simulation",
    "rollout",
    "solving",
    "histories",
    "scoring",
    "reports",
    "triples",
    "adaptive",
    "bayes",
    "learning",
    "arena",
    "environments",
    "linking",
    "process",
)


def load() -> None:
    """Register all cases."""
    for area in AREAS:
        importlib.import_module(f"{__name__}.{area}")
