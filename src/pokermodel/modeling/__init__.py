"""Models of what an opponent can hold: action frequencies, thresholds, re-weighting, and the modeler over them."""

from pokermodel.modeling.field import field_array, field_strengths
from pokermodel.modeling.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.modeling.modeler import Observation, OpponentModeler
from pokermodel.modeling.reweighting import reweight, reweighting_factors
from pokermodel.modeling.thresholds import Threshold, postflop_threshold, preflop_threshold

__all__ = [
    "DEFAULT_FREQUENCIES",
    "ActionCounts",
    "Context",
    "Observation",
    "OpponentModeler",
    "Threshold",
    "field_array",
    "field_strengths",
    "postflop_threshold",
    "preflop_threshold",
    "reweight",
    "reweighting_factors",
]
