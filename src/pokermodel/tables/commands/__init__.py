"""Commands of the tables."""
