"""The ranges of players, given what they did: sessions, and readers with what they are made of."""

from importlib import import_module

from pokermodel._support.options import choice, number, switch, whole
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.prior import Prior, default_prior, read_prior
from pokermodel.reading.adaptive.sizes import SIZE_CLASSES
from pokermodel.reading.calibration import Calibration
from pokermodel.reading.expectation import Choice, Expectation, Fact, Observation
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context, specific_frequencies
from pokermodel.reading.judgement import Judgement
from pokermodel.reading.posterior import posterior
from pokermodel.reading.reader import Reader, Reading, Spot, Update
from pokermodel.reading.registry import ReaderKind, make_reader, read_reader, reader_kinds, register
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.street import spot_of
from pokermodel.reading.tables import HandTables
from pokermodel.reading.width import Width

__all__ = [
    "DEFAULT_FREQUENCIES",
    "SIZE_CLASSES",
    "ActionCounts",
    "BettingHistory",
    "Calibration",
    "Choice",
    "Context",
    "Expectation",
    "Fact",
    "Features",
    "HandTables",
    "Judgement",
    "Observation",
    "OpponentModeler",
    "PopulationModel",
    "Prior",
    "Reader",
    "ReaderKind",
    "Reading",
    "Spot",
    "Update",
    "Width",
    "choice",
    "default_prior",
    "make_reader",
    "number",
    "posterior",
    "read_prior",
    "read_reader",
    "reader_kinds",
    "register",
    "specific_frequencies",
    "spot_of",
    "switch",
    "whole",
]

# readers register themselves, in the order in which they are listed
for _name in ("adaptive.reader", "baselines"):
    import_module(f"{__name__}.{_name}")
