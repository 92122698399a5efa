"""Processes that learn and are killed, at each of the statements that it takes to learn."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import sqlalchemy as sa

import pokermodel as pm
import pokermodel.cli.learn  # here, and not in each process that is killed
from pokermodel.cli import main
from pokermodel.reading import PopulationModel

from ..books import contents, drop_all, in_batches_of, learnt, rows

__all__ = ["kill_learning"]


def kill_learning(
    where: str, history: str, kills: int, tell: Callable[[int], object] = lambda number: None
) -> list[int]:
    """Have a process learn, kill it, look at the book, and so on: how many hands were in the book after each of them.

    The first process is not killed. Those after it are, each as it comes to another one of as many statements as the
    first sent, in turn, and a little later than that. Every other one goes on where the one before it was killed.
    """
    in_batches_of(2)
    hands = list(pm.open_hands(history))
    expected = {}
    stops = []
    statements = 0
    for attempt in range(kills + 1):
        heard, said = os.pipe()
        child = os.fork()
        if child == 0:
            _learn(where, history, said)
        os.close(said)
        if attempt:
            for _ in range(_place(attempt - 1, kills, statements)):
                os.read(heard, 1)
            os.kill(child, signal.SIGKILL)
        else:
            while os.read(heard, 1):
                statements += 1
        os.waitpid(child, 0)
        os.close(heard)
        with pm.Book(where) as book:
            with book._database.transaction(write=True):
                pass  # what the server still had to do for the killed one is done now
            number = book.hands
            known = sum(last - first + 1 for first, last in book.pieces.learnt("adaptive"))
            assert known <= number
            for hands_there in {number, known} - expected.keys():
                other = learnt(hands[:hands_there], kinds=None)
                expected[hands_there] = contents(other), sorted(rows(other), key=repr), _pieces(other)
            assert (contents(book), sorted(rows(book), key=repr)) == expected[number][:2], number
            assert _pieces(book) == expected[known][2]
            book.check()
            stops.append(number)
        if number == known == len(hands) or attempt % 2:  # else learning goes on
            drop_all(where)
        tell(attempt)
    return stops


def _place(number: int, kills: int, statements: int) -> int:
    """The statement, from 1, at which a process is killed: all in turn, or as many of them at even distances."""
    return 1 + (number % statements if kills >= statements else number * statements // kills)


def _learn(where: str, history: str, said: int) -> None:
    """Learn in a process that was forked, which says when it sends a statement, and end it."""
    sa.event.listen(sa.Engine, "before_cursor_execute", lambda *told: os.write(said, b"!"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    try:
        main(["learn", history, "--book", where])
    finally:
        os._exit(0)


def _pieces(book: pm.Book) -> dict[tuple[str, str], bytes]:
    return book.pieces.read(PopulationModel.kind, PopulationModel.piece_version)
