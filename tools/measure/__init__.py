"""Measurements of how true readers and verdicts are; ``benchmarks`` measures how fast the package is."""
