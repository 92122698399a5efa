"""Blueprints: strategies for a whole game between two, solved again street by street at the table."""

from pokermodel.tables.blueprint.against import SolvedGain, WinRate, solved_gain, win_rate_against
from pokermodel.tables.blueprint.blueprint import Blueprint, BlueprintGame
from pokermodel.tables.blueprint.resolving import Exploitation, Resolved, exploit_from, resolve

__all__ = [
    "Blueprint",
    "BlueprintGame",
    "Exploitation",
    "Resolved",
    "SolvedGain",
    "WinRate",
    "exploit_from",
    "resolve",
    "solved_gain",
    "win_rate_against",
]
