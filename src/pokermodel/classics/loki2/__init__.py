"""Loki-2 (Peña 1999; Billings et al. 1999): probability triples, as a reader and as a player."""
