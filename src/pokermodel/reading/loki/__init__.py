"""Loki-1 and Loki-2 (Papp 1998; Peña 1999): readers by thresholds that follow from how often a player acts."""
