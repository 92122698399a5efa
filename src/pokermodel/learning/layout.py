"""Where counts stand: numbers for the blocks of counts of a betting structure, by name.

A counter is a whole number of two bytes, so that what a hand adds is small and is added up quickly. It belongs to a
block: a table, or what a statistic counts (`pokermodel.learning.definitions`). A `Layout` says where each block of a
betting structure begins, and by its fingerprint what it counts. The layout of this build is made of the definitions
that there are; a book has its own, in which a block stays where it was put when it was first counted. Where the two
differ, counters are renumbered as they pass from one to the other.

Tables and the statistics of this package have places of their own. Blocks of other packages come into the gaps. What a
table counts belongs to the version of the book: every hand of a book has all tables.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import ROUNDS, BettingStructure
from pokermodel.learning.amounts import ALL_IN_SIZE, RAKE_SIZE
from pokermodel.learning.bet_sizes import SIZE_COUNTERS, SIZES
from pokermodel.learning.definitions import RESERVED, Statistic, fingerprint, forgetting, registry
from pokermodel.reading.features import RICH

__all__ = [
    *("ACTIONS", "CONTEXTS", "NOWHERE", "PAGES", "PAGE_ENDS", "TABLES"),
    *("Block", "Layout", "Table", "allotted", "layout_of", "page_of", "renumbering"),
]

#: The counter of an act in a context of `RICH` is this, plus three times the context's number, plus the act.
CONTEXTS = 1 << 14
#: Where the counters of each betting structure begin.
PAGES: Mapping[BettingStructure, int] = {
    BettingStructure.LIMIT: 0,
    BettingStructure.NO_LIMIT: 1 << 11,
    BettingStructure.POT_LIMIT: (1 << 11) + (CONTEXTS - (1 << 11)) // 2,
}
#: Where they end.
PAGE_ENDS = dict(zip(PAGES, [*PAGES.values(), CONTEXTS][1:], strict=True))
_NO_LIMIT_PAGE, _POT_LIMIT_PAGE = PAGES[BettingStructure.NO_LIMIT], PAGES[BettingStructure.POT_LIMIT]
#: What a counter is renumbered to that is not wanted.
NOWHERE = 0xFFFF

_ALL = frozenset(BettingStructure)
_LIMIT = frozenset([BettingStructure.LIMIT])
_FREE = _ALL - _LIMIT


class Table(NamedTuple):
    """Counts that are told apart by several things at once, whatever statistics there are.

    Attributes
    ----------
    first : int
        Their first counter, on the page of a betting structure; -1 of those that stand in gaps.
    shape : tuple of int
    structures : frozenset of BettingStructure
    """

    first: int
    shape: tuple[int, ...]
    structures: frozenset[BettingStructure] = _ALL

    @property
    def size(self) -> int:
        """How many counters it has."""
        return prod(self.shape)


#: The tables. Books reckon with their places, which are therefore part of the schema.
TABLES: Mapping[str, Table] = {
    # round; bets to call (0, 1, 2+); own previous action (none, call, raise); it had bets to call; act
    "actions": Table(0, (4, 3, 3, 2, 3), _LIMIT),
    "hands": Table(216, (1,)),
    "results": Table(223, (4,)),  # flops, showdowns, showdowns won, flops won
    # millionths of a small bet or big blind after the rake, and their squares, in thousandths
    "money": Table(227, (2,)),
    "showdowns": Table(229, (169,)),  # by class of holding: hands in which it was shown
    # what was done with holdings that were shown later: bets to call; act (call, raise); class of holding or type
    "shown_preflop": Table(398, (3, 2, 169), _LIMIT),
    "shown_postflop": Table(1412, (3, 3, 2, 25), _LIMIT),  # flop, turn, river first
    "positions": Table(1862, (6,)),  # hands dealt in, by `POSITIONS`
    "showdown_money": Table(1892, (2,)),  # the money of hands that the player took to a showdown
    "acts": Table(1894, (4, 2, 3), _FREE),  # round; nothing or something to call; act
    "depths": Table(1918, (5,), _FREE),  # hands dealt in, by `DEPTHS`
    **{
        f"sizes:{key}": Table(1927 + kind.first, (len(kind.scale.classes) + 1 + kind.scale.bins,), _FREE)
        for key, kind in SIZES.items()
    },
    "rake": Table(-1, (RAKE_SIZE,)),  # see `pokermodel.learning.amounts`
    "all_in": Table(-1, (ALL_IN_SIZE,)),
    "contexts": Table(CONTEXTS, (RICH.size, 3), _LIMIT),
}
assert {name for name in TABLES if ":" not in name} == RESERVED  # blocks are told apart by their names alone
#: Counters below this one are actions.
ACTIONS = TABLES["hands"].first
#: Where statistics stand that have places between the tables, on the page of a structure.
_BETWEEN: Mapping[str, int] = {
    "vpip": 217,
    "pfr": 219,
    "three_bet": 221,
    "steal": 1868,
    "fold_to_steal": 1870,
    "fold_to_three_bet": 1872,
    **{
        f"{key}:{street}": 1874 + 6 * round + 2 * place
        for place, key in enumerate(("cbet", "fold_to_cbet", "check_raise"))
        for round, street in enumerate(ROUNDS[1:])
    },
    "four_bet": 1923,
    "squeeze": 1925,
}
#: Statistics that stand behind the tables: each has two counters. New ones come at the end.
_BEHIND = (
    *("rfi", "limp", "cold_call", "delayed_cbet"),
    *(f"{key}:{street}" for key in ("donk", "float") for street in ROUNDS[1:]),
    *("probe:turn", "probe:river", *(f"raise_cbet:{street}" for street in ROUNDS[1:])),
    *(f"w_sd_{pot}" for pot in ("limped", "single_raised", "three_bet", "four_bet")),
)
#: Likewise, of no limit and pot limit, behind these.
_BEHIND_FREE = (
    "fold_to_four_bet",
    *(f"{each}_cbet:{street}" for each in ("small", "medium", "large") for street in ROUNDS[1:]),
    *(f"fold_to_{each}_cbet:{street}" for each in ("small", "medium", "large") for street in ROUNDS[1:]),
)
_END = 1927 + SIZE_COUNTERS


def _own_places(structure: BettingStructure) -> dict[str, int]:
    """Where the counts of statistics stand on the page of a structure, of those for which that is settled."""
    first, behind = (1927, _BEHIND) if structure.fixed else (_END, _BEHIND + _BEHIND_FREE)
    return {**_BETWEEN, **{name: first + 2 * place for place, name in enumerate(behind)}}


_OWN_PLACES = {structure: _own_places(structure) for structure in BettingStructure}
assert PAGES[BettingStructure.NO_LIMIT] + _END <= PAGES[BettingStructure.POT_LIMIT]


def page_of(counter: int) -> int:
    """Where the counters of the betting structure begin that a counter below `CONTEXTS` is one of: see `PAGES`."""
    return 0 if counter < _NO_LIMIT_PAGE else _NO_LIMIT_PAGE if counter < _POT_LIMIT_PAGE else _POT_LIMIT_PAGE


class Block(NamedTuple):
    """Counts that stand together.

    Attributes
    ----------
    fingerprint : str
        Of what they count.
    first, size : int
        Their first counter, and how many there are.
    """

    fingerprint: str
    first: int
    size: int


class Layout:
    """Where the counts of a betting structure stand: blocks by name.

    Attributes
    ----------
    structure, blocks
        As given, the blocks in the order of their counters.
    text : str
        All of it as JSON.
    number : int
        A number of 31 bits that goes by the text: what is counted with this layout has it.
    """

    __slots__ = ("blocks", "number", "structure", "text")

    def __init__(self, structure: BettingStructure, blocks: Mapping[str, Block]) -> None:
        self.structure = structure
        self.blocks = dict(sorted(blocks.items(), key=lambda each: each[1].first))
        rows = [[name, *block] for name, block in self.blocks.items()]
        self.text = json.dumps([str(structure), rows], separators=(",", ":"))
        self.number = zlib.crc32(self.text.encode()) & 0x7FFFFFFF

    def __repr__(self) -> str:
        return f"<Layout of {self.structure}: {len(self.blocks)} blocks>"

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Layout) else NotImplemented

    def __hash__(self) -> int:
        return self.number

    def __reduce__(self) -> tuple[Callable[[str], Layout], tuple[str]]:
        return Layout.of_text, (self.text,)

    @staticmethod
    @lru_cache(256)
    def of_text(text: str) -> Layout:
        """The layout of a text, which raises `ValueError` if it is none."""
        structure, rows = json.loads(text)
        found = Layout(BettingStructure(structure), {name: Block(*block) for name, *block in rows})
        if found.text != text:
            raise ValueError("a layout of counts is not what was written")
        return found

    def lacks(self, other: Layout) -> list[str]:
        """The names of blocks of another layout that are not in this one, or count something else here."""
        return [
            name
            for name, block in other.blocks.items()
            if name not in self.blocks or self.blocks[name].fingerprint != block.fingerprint
        ]

    def only(self, names: Iterable[str]) -> Layout:
        """Some of the blocks."""
        return Layout(self.structure, {name: self.blocks[name] for name in names})


# ------------------------------------------------------------------------------------------------- what is counted


def _wanted(structure: BettingStructure, statistics: Iterable[Statistic]) -> Iterator[tuple[str, str, int, int]]:
    """The blocks of a structure: name, fingerprint, size, and where on the page they stand, or -1."""
    for name, table in TABLES.items():
        if structure in table.structures:
            yield name, fingerprint("table", name, table.shape), table.size, table.first
    for each in statistics:
        if structure in each.structures:
            for name in each.blocks():
                yield name, each.fingerprint, 2, _OWN_PLACES[structure].get(name, -1)


_layouts: dict[BettingStructure, Layout] = {}


def layout_of(structure: BettingStructure) -> Layout:
    """The layout by which this build counts, of the definitions that there are now."""
    found = _layouts.get(structure)
    if found is None:
        statistics = registry()  # which may register more, and forget what there was
        page, blocks, later = PAGES[structure], {}, []
        for name, content, size, first in _wanted(structure, statistics):
            if first < 0:
                later.append((name, content, size))
            else:
                blocks[name] = Block(content, page + first, size)
        taken = list(blocks.values())
        # tables before statistics, which come and go
        for name, content, size in sorted(later, key=lambda each: (each[0] not in TABLES, each[0])):
            blocks[name] = allotted(structure, taken, Block(content, -1, size))
            taken.append(blocks[name])
        _layouts[structure] = found = Layout(structure, blocks)
    return found


forgetting(_layouts.clear)


def allotted(structure: BettingStructure, taken: Iterable[Block], block: Block) -> Block:
    """A block at a place that is free: at its own, or else in the first gap that has room for it.

    Parameters
    ----------
    taken : iterable of Block
        Those that have a place.
    block : Block
        Another one; its place counts for nothing if it is below 0.

    Raises
    ------
    ValueError
        If there is no room.
    """
    page, end = PAGES[structure], PAGE_ENDS[structure]
    spans = sorted((each.first, each.first + each.size) for each in taken)
    if block.first >= CONTEXTS:
        page, end = CONTEXTS, NOWHERE
    if block.first >= 0 and all(stop <= block.first or block.first + block.size <= start for start, stop in spans):
        return block
    # what has its own place in every book keeps it, counted in this one or not
    kept = [each for each in TABLES.values() if each.first >= 0]
    kept = [each for each in kept if structure in each.structures or each.first < TABLES["acts"].first]
    spans += [(page + table.first, page + table.first + table.size) for table in kept]
    spans += [(page + first, page + first + 2) for first in _OWN_PLACES[structure].values()]
    used = [(page, page), *sorted((start, stop) for start, stop in spans if page <= start < end), (end, end)]
    reached = page
    for (_, stop), (start, _) in pairwise(used):
        reached = max(reached, stop)
        if start - reached >= block.size:
            return block._replace(first=reached)
    raise ValueError(f"there is no room for {block.size} more counts of {structure}: expected fewer statistics")


def renumbering(source: Layout, target: Mapping[str, Block]) -> NDArray[np.uint16] | None:
    """What becomes of the counters of one layout in another one.

    Parameters
    ----------
    target : mapping of str to Block
        Blocks by name. Those that are missing, or count something else, go to `NOWHERE`.

    Returns
    -------
    ndarray of uint16, shape (65536,), or None
        By counter; None if all stay as they are.
    """
    table = np.full(1 << 16, NOWHERE, dtype=np.uint16)
    same = True
    for name, block in source.blocks.items():
        other = target.get(name)
        if other is None or other.fingerprint != block.fingerprint:
            same = False
            continue
        same &= other.first == block.first
        table[block.first : block.first + block.size] = np.arange(other.first, other.first + block.size)
    return None if same else table
