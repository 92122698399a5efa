"""Where counts stand: no two at one place, and no other place for what has one."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.game import BettingStructure
from pokermodel.learning.definitions import Statistic, other_statistics, registry
from pokermodel.learning.layout import (
    CONTEXTS,
    NOWHERE,
    PAGE_ENDS,
    PAGES,
    Block,
    Layout,
    allotted,
    layout_of,
    page_of,
    renumbering,
)

SOME = Statistic("some", "Some", "some", "to_call", "calls", (1, 2, 3))
structures = pytest.mark.parametrize("structure", BettingStructure)


def overlap_free(layout):
    spans = sorted((block.first, block.first + block.size) for block in layout.blocks.values())
    return all(stop <= start for (_, stop), (start, _) in pairwise(spans))


@structures
def test_this_build(structure):
    layout = layout_of(structure)
    assert overlap_free(layout)
    for block in layout.blocks.values():
        below = block.first < CONTEXTS
        assert PAGES[structure] <= block.first or not below
        assert not below or block.first + block.size <= PAGE_ENDS[structure]
        assert not below or page_of(block.first) == PAGES[structure]


@structures
@given(number=st.integers(0, 7), data=st.data())
def test_more_statistics_move_nothing(structure, number, data):
    """Whatever comes to what there is, in whatever order, what has a place keeps it."""
    before = layout_of(structure)
    streets = st.sampled_from([(0,), (1, 2, 3), ()])
    shape = {"opportunity": "True", "success": "True"}
    more = [replace(SOME, key=f"more_{k}", streets=data.draw(streets), **shape) for k in range(number)]
    order = data.draw(st.permutations([*registry(), *more]))
    with other_statistics(*order):
        after = layout_of(structure)
    assert overlap_free(after)
    assert before.blocks.items() <= after.blocks.items()
    assert len(after.blocks) == len(before.blocks) + sum(len(each.blocks()) for each in more)


def test_a_page_that_is_full():
    wanted = [replace(SOME, key=f"some_{k}") for k in range(2500)]
    with other_statistics(*registry(), *wanted), pytest.raises(ValueError, match="expected fewer statistics"):
        layout_of(BettingStructure.LIMIT)


def test_a_gap_is_taken_by_what_fits():
    layout = layout_of(BettingStructure.LIMIT)
    block = allotted(BettingStructure.LIMIT, layout.blocks.values(), Block("x", -1, 2))
    assert block.first not in {0, *(each.first for each in layout.blocks.values())}
    assert allotted(BettingStructure.LIMIT, layout.blocks.values(), block) == block  # its own place, while it is free
    again = allotted(BettingStructure.LIMIT, [*layout.blocks.values(), block], block)
    assert again.first >= block.first + block.size


@structures
def test_text_and_number(structure):
    layout = layout_of(structure)
    assert Layout.of_text(layout.text) == layout
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert hash(layout) == layout.number < 2**31
    other = layout.only(list(layout.blocks)[1:])
    assert other != layout
    assert other.number != layout.number
    assert layout.lacks(other) == []
    assert other.lacks(layout) == [next(iter(layout.blocks))]
    with pytest.raises(ValueError, match="not what was written"):
        Layout.of_text(layout.text.replace(",", ", "))
    with pytest.raises(ValueError, match="unpack"):
        Layout.of_text("[]")


@given(data=st.data())
def test_renumbering(data):
    """Counters go where their block goes, one by one, and those of no block nowhere."""
    layout = layout_of(BettingStructure.NO_LIMIT)
    names = data.draw(st.lists(st.sampled_from(sorted(layout.blocks)), unique=True, min_size=1))
    firsts = iter(data.draw(st.permutations(range(10))))
    target = {name: layout.blocks[name]._replace(first=20_000 + 3000 * next(firsts)) for name in names[:10]}
    table = renumbering(layout, target)
    assert table is not None
    known = np.full(1 << 16, NOWHERE)
    for name, block in target.items():
        for k in range(block.size):
            known[layout.blocks[name].first + k] = block.first + k
    assert np.array_equal(table, known)
    assert renumbering(layout, layout.blocks) is None
