"""Tournaments: duplicate deals, statistics over deals, and the experiments of the sources."""
