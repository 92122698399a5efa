"""Results about hands, players and decisions as data, for reports and other callers."""
