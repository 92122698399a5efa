"""What a book has counted of its hands: the layouts by which it did, and how many hands by each.

The counts of a hand are kept with the number of a `Layout`. All layouts of a book agree on where a block is: it stays
where it was put first, and a definition that changed is another block. So a book that was learnt by several builds, or
with plug-ins that are gone, says of each statistic whether it was counted in all hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.game import BettingStructure
from pokermodel.learning._checksums import checksum
from pokermodel.learning._database import DamageError, checked
from pokermodel.learning._tables import EDITIONS
from pokermodel.learning.definitions import forgetting, registry
from pokermodel.learning.layout import NOWHERE, Block, Layout, allotted, layout_of

__all__ = ["Editions", "to_learn_again", "united"]


class Editions:
    """The layouts of a book, and how many hands were counted by each.

    Parameters
    ----------
    rows : iterable of (int, str, int, int)
        Number, text, hands and checksum of each layout.
    """

    def __init__(self, rows: Iterable[Any] = ()) -> None:
        self.layouts: dict[int, Layout] = {}
        self.hands: dict[int, int] = {}
        for number, text, hands, found in rows:
            layout = Layout.of_text(checked(text, str, "what was counted"))
            if number != layout.number or checksum(number, checked(hands, int, "a number of hands")) != found:
                raise DamageError("the list of what was counted is not what was written")
            self.layouts[number], self.hands[number] = layout, hands
        self._known = dict(self.hands)

    @classmethod
    def read(cls, connection: sa.Connection) -> Editions:
        """Those of a book."""
        return cls(tuple(row) for row in connection.execute(sa.select(EDITIONS).order_by(EDITIONS.c.id)))

    def write(self, connection: sa.Connection) -> None:
        """Write those of which the number of hands has changed."""
        for number, hands in self.hands.items():
            if self._known.get(number) == hands:
                continue
            row = {"hands": hands, "checksum": checksum(number, hands)}
            if number in self._known:
                connection.execute(EDITIONS.update().where(EDITIONS.c.id == number).values(**row))
            else:
                text = self.layouts[number].text
                connection.execute(EDITIONS.insert().values(id=number, layout=text, **row))
        self._known = dict(self.hands)

    def count(self, layout: Layout, more: int) -> None:
        """Count so many more hands by a layout of this book."""
        if self.layouts.setdefault(layout.number, layout) != layout:
            raise ValueError(f"{layout} has the number of another one")
        self.hands[layout.number] = self.hands.get(layout.number, 0) + more

    def blocks(self, structure: BettingStructure) -> dict[tuple[str, str], Block]:
        """The blocks of a structure that have a place in this book, by name and fingerprint."""
        return {
            (name, block.fingerprint): block
            for layout in self.layouts.values()
            if layout.structure is structure
            for name, block in layout.blocks.items()
        }

    def placed(self, layout: Layout) -> Layout:
        """The blocks of a layout at the places that they have in this book; those that have none get one."""
        known = self.layouts.get(layout.number)
        if known == layout:
            return layout
        there, found = self.blocks(layout.structure), {}
        for name, block in layout.blocks.items():
            place = there.get((name, block.fingerprint)) or allotted(layout.structure, there.values(), block)
            there[name, block.fingerprint] = found[name] = place
        return Layout(layout.structure, found)

    def complete(self) -> set[int]:
        """The numbers of the layouts by which all was counted that this build counts."""
        return {number for number, layout in self.layouts.items() if not layout.lacks(layout_of(layout.structure))}

    def lacking(self, structure: BettingStructure) -> frozenset[str]:
        """The names of the blocks of this build that were not counted in all hands of a structure."""
        wanted = layout_of(structure)
        return frozenset(
            name
            for number, layout in self.layouts.items()
            if self.hands[number] and layout.structure is structure
            for name in layout.lacks(wanted)
        )

    def to_build(self) -> NDArray[np.uint16] | None:
        """What becomes of the counters of this book in this build; None if all stay as they are.

        What statistics count themselves is left out if it was not counted in all hands.
        """
        builds = tuple(layout_of(structure) for structure in sorted({each.structure for each in self.layouts.values()}))
        used = frozenset(number for number, hands in self.hands.items() if hands)
        return _renumbered(tuple(self.layouts.values()), used, builds)


@lru_cache(32)
def _renumbered(
    layouts: tuple[Layout, ...], used: frozenset[int], builds: tuple[Layout, ...]
) -> NDArray[np.uint16] | None:
    # layouts that no hand has any more are heeded, too: their blocks are still there, with counts of 0
    table = np.arange(1 << 16, dtype=np.uint16)
    same = True
    for build in builds:
        here = [layout for layout in layouts if layout.structure is build.structure]
        partly = {name for layout in here if layout.number in used for name in layout.lacks(build)}
        moved = {}
        for layout in here:
            for name, block in layout.blocks.items():
                wanted = build.blocks.get(name)
                if wanted is None or wanted.fingerprint != block.fingerprint or name in partly:
                    moved[block] = -1
                elif wanted.first != block.first:
                    moved[block] = wanted.first
        same &= not moved
        for block, first in moved.items():
            places = range(first, first + block.size)
            table[block.first : block.first + block.size] = NOWHERE if first < 0 else places
    return None if same else table


def to_learn_again(lacking: frozenset[str], structure: BettingStructure) -> frozenset[str]:
    """The keys of the statistics that need blocks which were not counted in all hands."""
    return frozenset(
        each.key for each in registry() if structure in each.structures and not lacking.isdisjoint(each.blocks())
    )


@lru_cache(64)
def united(before: Layout, after: Layout) -> tuple[frozenset[str], frozenset[str]]:
    """What of a hand that was counted twice is taken from which count.

    Parameters
    ----------
    before, after : Layout
        By which it was counted.

    Returns
    -------
    kept : frozenset of str
        Names of blocks that only the earlier count has; of definitions that differ, those of this build if one of them
        is, and otherwise those of before.
    taken : frozenset of str
        Names of blocks that only the later count has.
    """
    if before.structure is not after.structure:
        return frozenset(before.blocks), frozenset()
    build = layout_of(before.structure).blocks
    both = before.blocks.keys() & after.blocks.keys()
    other = {name for name in both if before.blocks[name].fingerprint != after.blocks[name].fingerprint}
    newer = {name for name in other if name in build and build[name].fingerprint == after.blocks[name].fingerprint}
    kept = (before.blocks.keys() - both) | (other - newer)
    return frozenset(kept), frozenset((after.blocks.keys() - both) | newer)


forgetting(united.cache_clear)
