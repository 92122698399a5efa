"""What several readers are made of: frequencies, thresholds, triples, tables and how they are learnt."""
