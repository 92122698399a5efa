"""Learning everything from real hands into a new book."""

from __future__ import annotations

import shutil
import tempfile
from itertools import islice
from pathlib import Path

import pokermodel as pm
from benchmarks.cases.histories import data
from benchmarks.registry import Run, at_most, case
from pokermodel.classics.bpp.strength_buckets import classes_cache
from pokermodel.learning import kinds
from pokermodel.reading.adaptive.holdings import holdings_cache

HANDS = 1_000


def learnt() -> Run:
    hands = list(islice(pm.open_hands(data("irc-199504") / "holdem.199504.dev.tgz"), HANDS))

    def learn() -> None:
        for cache in (holdings_cache, classes_cache):
            cache.clear()
        folder = Path(tempfile.mkdtemp())
        try:
            with pm.Book(folder / "book.db") as book:
                book.learn(hands, kinds=kinds())
        finally:
            shutil.rmtree(folder)

    return Run(learn, HANDS, "replay and boards included, written to disk")


case("learning: everything, a new book", "hand", at_most(1 / 700)).ours(learnt)
