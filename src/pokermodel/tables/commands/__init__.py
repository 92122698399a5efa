"""Commands of the tables."""

__all__ = ["LINES"]

#: What each command does, in a line: the list of all commands imports none of them.
LINES = {
    "play": "Play at a table in the terminal.",
    "tournament": "Let players play each other on the same deals.",
    "exploit": "Measure how exploitable a player is.",
    "blueprint": "Learn a strategy for a whole game, or measure one.",
    "acpc": "Play or deal a match by the protocol of the ACPC.",
}
