"""Commands of the classic programs."""

__all__ = ["LINES"]

#: What each command does, in a line: the list of all commands imports none of them.
LINES = {"experiment": "Repeat a published experiment, and compare the figures."}
