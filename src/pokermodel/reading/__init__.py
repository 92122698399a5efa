"""What players can hold, given what they did: sessions, and readers with what they are made of."""

from importlib import import_module

from pokermodel._support.options import choice, number, switch, whole
from pokermodel.reading.adaptive.population import PopulationModel
from pokermodel.reading.adaptive.prior import Prior, default_prior, read_prior
from pokermodel.reading.adaptive.sizes import SIZE_CLASSES
from pokermodel.reading.bpp.action_tables import ActionTables
from pokermodel.reading.bpp.class_tables import BayesTables
from pokermodel.reading.calibration import Calibration
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context, specific_frequencies
from pokermodel.reading.loki.decision_thresholds import BettingThresholds, DecisionThresholds
from pokermodel.reading.loki.field import crude_values, field_array, field_strengths
from pokermodel.reading.loki.reweighting import ramp_triples, reweight, reweighting_factors
from pokermodel.reading.loki.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.reading.loki.triples import TripleGenerator, TripleSpot, multiply_by_triples, spot_of
from pokermodel.reading.observation import Judgement, Observation
from pokermodel.reading.posterior import posterior
from pokermodel.reading.rate_multipliers import RateMultipliers
from pokermodel.reading.reader import Choice, Expectation, Fact, Reader, Reading, Update
from pokermodel.reading.registry import ReaderKind, make_reader, read_reader, reader_kinds, register
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.spot import Spot
from pokermodel.reading.tables import HandTables

__all__ = [
    "DEFAULT_FREQUENCIES",
    "SIZE_CLASSES",
    "ActionCounts",
    "ActionTables",
    "BayesTables",
    "BettingHistory",
    "BettingThresholds",
    "Calibration",
    "Choice",
    "Context",
    "DecisionThresholds",
    "Expectation",
    "Fact",
    "Features",
    "HandTables",
    "Judgement",
    "Observation",
    "OpponentModeler",
    "PopulationModel",
    "Prior",
    "RateMultipliers",
    "Reader",
    "ReaderKind",
    "Reading",
    "Spot",
    "Threshold",
    "TripleGenerator",
    "TripleSpot",
    "Update",
    "choice",
    "crude_values",
    "default_prior",
    "field_array",
    "field_strengths",
    "make_reader",
    "multiply_by_triples",
    "number",
    "posterior",
    "postflop_threshold",
    "preflop_threshold",
    "ramp_triples",
    "read_prior",
    "read_reader",
    "reader_kinds",
    "register",
    "reweight",
    "reweighting_factors",
    "specific_frequencies",
    "spot_of",
    "switch",
    "whole",
]

# readers register themselves, in the order in which they are listed
for _name in ("baselines", "loki.loki1", "loki.loki2", "bpp.reader", "adaptive.reader"):
    import_module(f"{__name__}.{_name}")
