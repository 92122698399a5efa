"""Models of what an opponent can hold: action frequencies, thresholds, re-weighting, and the modeler over them."""

from pokermodel.modeling.action_tables import ActionTables
from pokermodel.modeling.bayes import BayesTables
from pokermodel.modeling.field import crude_values, field_array, field_strengths
from pokermodel.modeling.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.modeling.modeler import MODELS, Expectation, Observation, OpponentModeler
from pokermodel.modeling.reweighting import ramp_triples, reweight, reweighting_factors
from pokermodel.modeling.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.modeling.tilts import Tilts
from pokermodel.modeling.triples import (
    Borders,
    Spot,
    Thresholds,
    TripleGenerator,
    multiply_by_triples,
    specific_frequencies,
    spot_of,
)

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
