"""The package's log: the logger ``pokermodel`` of the standard library, silent until a program gives it a handler."""

from __future__ import annotations

__all__ = ["log"]


def log(room: str, level: int, text: str, *values: object) -> None:
    """Write to the logger of a room; `logging` is imported by the first message, since most programs see none.

    Parameters
    ----------
    room : str
        As ``"histories"``, whose logger is ``pokermodel.histories``.
    level : int
        As `logging` numbers levels: 20 is information, 30 a warning.
    text : str
        The message, with ``%s`` for each value.
    """
    import logging

    top = logging.getLogger("pokermodel")
    if not any(isinstance(handler, logging.NullHandler) for handler in top.handlers):
        top.addHandler(logging.NullHandler())
    logging.getLogger(f"pokermodel.{room}").log(level, text, *values)
