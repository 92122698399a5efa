"""Loki-1 (Papp 1998): re-weighting by thresholds, and the expert system that plays."""
