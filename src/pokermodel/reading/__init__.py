"""Models of what an opponent can hold: action frequencies, thresholds, re-weighting, and the modeler over them."""

from pokermodel.reading.parts.action_tables import ActionTables
from pokermodel.reading.parts.class_tables import BayesTables
from pokermodel.reading.parts.factors import Tilts
from pokermodel.reading.parts.field import crude_values, field_array, field_strengths
from pokermodel.reading.parts.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.reading.parts.reweighting import ramp_triples, reweight, reweighting_factors
from pokermodel.reading.parts.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.reading.parts.triples import (
    Borders,
    Spot,
    Thresholds,
    TripleGenerator,
    multiply_by_triples,
    specific_frequencies,
    spot_of,
)
from pokermodel.reading.session import MODELS, Expectation, Observation, OpponentModeler

__all__ = [
    "DEFAULT_FREQUENCIES",
    "MODELS",
    "ActionCounts",
    "ActionTables",
    "BayesTables",
    "Borders",
    "Context",
    "Expectation",
    "Observation",
    "OpponentModeler",
    "Spot",
    "Threshold",
    "Thresholds",
    "Tilts",
    "TripleGenerator",
    "crude_values",
    "field_array",
    "field_strengths",
    "multiply_by_triples",
    "postflop_threshold",
    "preflop_threshold",
    "ramp_triples",
    "reweight",
    "reweighting_factors",
    "specific_frequencies",
    "spot_of",
]
