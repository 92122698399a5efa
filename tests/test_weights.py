"""Weight tables: contracts, card removal, and weights of every scale."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.cards import CLASSES, HOLDINGS, HOLDINGS_OF_CLASS, holding_index, live_holdings
from pokermodel.errors import RangeError
from pokermodel.weights import WeightTable

DEAD = st.sets(st.integers(0, 51), max_size=7)


@st.composite
def tables(draw):
    """Tables with weights of wildly different sizes, some of them zero."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    low, high = sorted((draw(st.integers(-320, 300)), draw(st.integers(-320, 300))))
    values = rng.random(1326) * 10.0 ** rng.uniform(low, high, 1326)
    values[rng.random(1326) < draw(st.sampled_from([0.0, 0.5, 0.99]))] = 0.0
    table = WeightTable(values, draw(DEAD))
    return table if table.values.any() else WeightTable.uniform()


def exact(table: WeightTable) -> list[Fraction]:
    return [Fraction(weight) for weight in table.values.tolist()]


# -- making one ------------------------------------------------------------------------------------


def test_the_default_is_uniform():
    assert WeightTable() == WeightTable.uniform() == WeightTable(np.ones(1326)) == WeightTable.from_text("random")
    assert WeightTable().values.tolist() == [1.0] * 1326
    assert WeightTable().total == 1326.0


@given(DEAD)
def test_dead_cards(dead):
    table = WeightTable.uniform(dead)
    assert table.dead == tuple(sorted(dead))
    assert (table.live == live_holdings(dead)).all()
    assert (table.values == table.live).all()
    assert table.grid_combos().sum() == table.live.sum()


def test_dead_cards_as_text():
    assert WeightTable(dead="As Kd 10h").dead == WeightTable(dead=[32 + 2, 45, 51]).dead == (34, 45, 51)


def test_what_stands_at_dead_holdings_does_not_matter():
    values = np.where(live_holdings("AsKd"), 0.5, np.nan)
    table = WeightTable(values, "AsKd")
    assert table == WeightTable(np.full(1326, 0.5), "AsKd")
    assert not table.values[~table.live].any()


@pytest.mark.parametrize(
    ("values", "dead", "words"),
    [
        (np.zeros(169), "", r"shape \(1326,\), got \(169,\)"),
        (np.zeros((13, 13)), "", "shape"),
        ([1, 2, 3], "", "shape"),
        ("22+", "", "1326 numbers, got str"),
        (np.full(1326, 1j), "", "1326 numbers"),
        (["1"] * 1326, "", "1326 numbers"),
        (np.where(np.arange(1326) == holding_index("AhKh"), -1e-300, 1.0), "", "the weight of AhKh is -1e-300"),
        (np.where(np.arange(1326) == holding_index("AhKh"), np.nan, 1.0), "", "the weight of AhKh is nan"),
        (np.where(np.arange(1326) == holding_index("AhKh"), -np.inf, 1.0), "", "the weight of AhKh is -inf"),
        (None, "AsAs", "duplicate card As"),
        (None, "Ax", "not a card"),
        (None, [52], "out of range"),
    ],
)
def test_bad_input(values, dead, words):
    with pytest.raises(ValueError, match=words):
        WeightTable(values, dead)


def test_a_table_is_its_own():
    values = np.ones(1326)
    table = WeightTable(values)
    values[:] = 7.0
    assert table.values.max() == 1.0
    for array in (table.values, table.live):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError, match=r"(?i)writeable"):
            array.setflags(write=True)
    for name in ("values", "dead", "live", "other"):
        with pytest.raises(AttributeError):
            setattr(table, name, None)


# -- text ------------------------------------------------------------------------------------------


def test_text():
    table = WeightTable.from_text("22+, A5s-A2s, AhKh:0.5", dead="AsKd7h")
    assert table["AhKh"] == 0.5
    assert table["77"] == 1.0
    assert table.to_text(compact=True).startswith("QQ-88,66-22,")
    assert WeightTable.from_text(table.to_text(), table.dead) == table
    with pytest.raises(RangeError, match="column 7"):
        WeightTable.from_text("22+,xx!")
    ranking = np.arange(169.0)
    assert WeightTable.from_text("1%", ranking=ranking).top(1)[0][0] == "2s2h"
    assert WeightTable.from_text("1%", ranking="ir2") == WeightTable.from_text("1%/ir2")


@settings(max_examples=40, deadline=None)
@given(tables())
def test_every_form_comes_back(table):
    for text in (table.to_text(), table.to_text(compact=True), table.to_eval7()):
        assert WeightTable.from_text(text, table.dead) == table
    assert WeightTable.from_pio(table.to_pio(), table.dead) == table
    assert WeightTable.from_pokerkit(table.to_pokerkit(), table.dead) == WeightTable(table.values > 0, table.dead)
    assert pickle.loads(pickle.dumps(table)) == table
    assert copy.deepcopy(table) == table


def test_pokerkit():
    table = WeightTable.from_pokerkit(pokerkit.parse_range("QQ+", "AKs"), dead="As")
    assert table == WeightTable.from_text("QQ+,AKs", dead="As")
    assert table.to_pokerkit() == {h for h in pokerkit.parse_range("QQ+", "AKs") if "As" not in map(repr, h)}


# -- numbers ---------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(tables())
def test_numbers_against_exact_fractions(table):
    weights = exact(table)
    total = sum(weights)
    expected = [float(weight / total) for weight in weights]
    probabilities = table.probabilities()
    assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.allclose(probabilities, expected, rtol=1e-12, atol=1e-300)
    entropy = -sum(p * math.log2(p) for p in expected if p > 0)
    assert table.entropy_bits() == pytest.approx(entropy, rel=1e-9, abs=1e-9)
    assert 0.0 <= table.entropy_bits() <= math.log2(1326) + 1e-12
    grid = table.grid().ravel()
    for index, members in enumerate(HOLDINGS_OF_CLASS):
        live = [holding for holding in members.tolist() if table.live[holding]]
        assert table.grid_combos().ravel()[index] == len(live)
        if live:
            mean = float(sum(weights[holding] for holding in live) / len(live))
            assert grid[index] == pytest.approx(mean, rel=1e-12, abs=5e-323)
            assert table[CLASSES[index]] == grid[index]
        else:
            assert math.isnan(grid[index])
            assert math.isnan(table[CLASSES[index]])


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(-200, 200))
def test_the_scale_does_not_matter(table, power):
    ordinary = np.where((table.values > 1e-90) & (table.values < 1e90), table.values, 0.0)
    if not ordinary.any():
        ordinary = np.ones(1326)
    one = WeightTable(ordinary, table.dead)
    other = WeightTable(np.ldexp(ordinary, power), table.dead)
    if one.values.any():
        assert (one.probabilities() == other.probabilities()).all()
        assert one.entropy_bits() == other.entropy_bits()
        assert one.top(5) == other.top(5)
        assert one.scaled() == other.scaled()


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 0.1, 1 / 3, 1.0, 1e300, sys.float_info.max])
def test_equal_weights_of_any_size(weight):
    table = WeightTable(np.full(1326, weight))
    assert set(table.grid().ravel()) == {weight}
    assert np.ptp(table.probabilities()) == 0.0
    assert table.entropy_bits() == pytest.approx(math.log2(1326), rel=1e-14)
    assert table.scaled() == WeightTable.uniform()
    assert table.total == (math.inf if weight > 1e306 else pytest.approx(1326 * weight))


def test_entropies_of_rounds():
    # Bits without information before the flop and after flop, turn and river, board cards removed.
    for dead, live in (("", 1326), ("AsKd7h", 1176), ("AsKd7h2c", 1128), ("AsKd7h2c2d", 1081)):
        assert WeightTable.uniform(dead).entropy_bits() == pytest.approx(math.log2(live))
    assert WeightTable.from_text("AsAh").entropy_bits() == 0.0
    assert math.copysign(1.0, WeightTable.from_text("AsAh").entropy_bits()) == 1.0


def test_grid_by_hand():
    table = WeightTable.from_text("AA:0.6, AKs, KK:0.5, KsKh:0.25, 72o", dead="AhAdAcKd")
    grid, combos = table.grid(), table.grid_combos()
    assert grid.shape == combos.shape == (13, 13)
    assert combos[0, 0] == 0
    assert math.isnan(grid[0, 0])
    assert combos[0, 1] == 1  # AsKs
    assert grid[0, 1] == 1.0
    assert combos[1, 0] == 2  # AsKh, AsKc
    assert grid[1, 0] == 0.0
    assert combos[1, 1] == 3
    assert grid[1, 1] == pytest.approx((0.5 + 0.5 + 0.25) / 3)
    assert combos[12, 7] == 12  # 72o below the diagonal
    assert grid[12, 7] == 1.0
    assert grid[7, 12] == 0.0


def test_top():
    table = WeightTable.from_text("AsAh:4, KdKc:2, 7h2d:1, 7d2c:1")
    assert table.top() == [("AsAh", 0.5), ("KdKc", 0.25), ("7h2d", 0.125), ("7d2c", 0.125)]
    assert table.top(2) == [("AsAh", 0.5), ("KdKc", 0.25)]
    assert table.top(0) == []
    assert WeightTable().top(1)[0][0] == "AsAh"
    with pytest.raises(ValueError, match="cannot list -1 holdings"):
        table.top(-1)


def test_items():
    table = WeightTable.from_text("AKs, AsKs:0.5, TT:0.25, 9h10s:0.75")
    assert table["AsKs"] == table["KsAs"] == table[(51, 47)] == table[("Ks", "As")] == table["As Ks"] == 0.5
    assert table[holding_index("AsKs")] == table[np.int64(holding_index("AsKs"))] == 0.5
    assert table["AKs"] == table["kas"] == 0.875
    assert table["TT"] == table["1010"] == 0.25
    assert table["10s9h"] == table["Ts9h"] == 0.75
    assert table["T9o"] == table["109o"] == 0.75 / 12
    assert all(type(table[what]) is float for what in ("AsKs", "AKs", 0))
    for bad in ("AK", "", "22+", "AsAs", "AsKsQs", 1326, -1, None, 2.5, "AAs"):
        with pytest.raises(ValueError, match=r"class|holding|card|range"):
            table[bad]


@given(tables(), DEAD)
def test_without(table, cards):
    smaller = table.without(cards)
    assert set(smaller.dead) == set(table.dead) | cards
    assert (smaller.values == np.where(live_holdings(cards), table.values, 0.0)).all()
    assert smaller == smaller.without(cards) == WeightTable(table.values, set(table.dead) | cards)


def test_scaled():
    table = WeightTable.from_text("AA:4, KK:1", dead="2c")
    assert table.scaled() == WeightTable.from_text("AA:1, KK:0.25", dead="2c")


@pytest.mark.parametrize("name", ["probabilities", "entropy_bits", "top", "scaled"])
def test_tables_without_weight(name):
    for table in (WeightTable(np.zeros(1326)), WeightTable.from_text("AA", dead="AsAhAd"), WeightTable(dead=range(52))):
        with pytest.raises(ValueError, match="every holding has weight 0"):
            getattr(table, name)()
        assert table.total == 0.0
        assert not np.nan_to_num(table.grid()).any()
        assert table.to_text() == ""
        assert "0 of" in repr(table)


# -- as an object ----------------------------------------------------------------------------------


def test_equality():
    assert WeightTable.from_text("AA") == WeightTable.from_text("AA,KK:0")
    assert hash(WeightTable.from_text("AA")) == hash(WeightTable(-0.0 * np.ones(1326)).from_text("AA"))
    assert hash(WeightTable(np.zeros(1326))) == hash(WeightTable(np.full(1326, -0.0)))
    assert WeightTable.from_text("AA") != WeightTable.from_text("AA:0.5")
    assert WeightTable.from_text("KK") != WeightTable.from_text("KK", dead="As")
    assert WeightTable() != np.ones(1326).tolist()
    assert len({WeightTable(), WeightTable.uniform(), WeightTable(dead="As")}) == 2


def test_as_an_array():
    table = WeightTable.from_text("AA:0.5")
    assert (np.asarray(table) == table.values).all()
    assert np.asarray(table, dtype=np.float32).dtype == np.float32
    changed = np.array(table)
    changed[0] = 1.0
    assert table.values[0] == 0.0
    assert WeightTable(table) == table


def test_repr():
    assert repr(WeightTable()) == "<WeightTable: 1326 of 1326 holdings, 10.37 bits>"
    assert repr(WeightTable.from_text("AA", dead="AsKd")) == "<WeightTable: 3 of 1225 holdings, 1.58 bits, dead KdAs>"


# -- arithmetic ------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(tables(), tables(), st.floats(0, 1e100))
def test_products_and_sums_holding_by_holding(one, other, number):
    one, other = (WeightTable(np.minimum(table.values, 1e100), table.dead) for table in (one, other))
    dead = {*one.dead, *other.dead}
    live = live_holdings(dead)
    for found, expected in (
        (one * other, [a * b for a, b in zip(one.values, other.values, strict=True)]),
        (one + other, [a + b for a, b in zip(one.values, other.values, strict=True)]),
    ):
        assert found.dead == tuple(sorted(dead))
        assert (found.values == np.where(live, expected, 0.0)).all()
        assert not found.values.flags.writeable
    array = other.values.copy()
    array[~one.live] = np.nan  # what no holding has does not count
    for found in (one * array, array * one, one * array.tolist(), array.tolist() * one):
        assert (found.dead, found.values.tolist()) == (one.dead, (one.values * other.values).tolist())
    for found in (one + array, array + one):
        assert found == WeightTable(one.values + other.values, one.dead)
    for found in (one * number, number * one, np.float64(number) * one):
        assert found == WeightTable(one.values * number, one.dead)
    assert one + number == number + one == WeightTable(one.values + number, one.dead)
    assert sum([one, one]) == one * 2


def test_operators_that_assign_leave_the_table_as_it_was():
    table = kept = WeightTable.from_text("AA")
    table *= 0.5
    assert (kept["AA"], table["AA"]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (-1, "weights cannot be combined with -1.0: expected a finite number >= 0"),
        (10**400, "combined with inf"),
        (math.nan, "combined with nan"),
        (math.inf, "combined with inf"),
        ([1.0, 2.0], r"weights must have shape \(1326,\), got \(2,\)"),
        (np.ones((2, 1326)), r"got \(2, 1326\)"),
        (-np.ones(1326), "the weight of 2d2c is -1.0"),
        (np.full(1326, 1.7e308), "the weight of 2d2c is inf"),
        (WeightTable(np.full(1326, 1.7e308)), "the weight of 2d2c is inf"),
    ],
)
def test_what_weights_cannot_be_combined_with(other, words):
    table = WeightTable(np.full(1326, 1e308))
    for combine in (lambda: table * other, lambda: other * table, lambda: table + other, lambda: other + table):
        with pytest.raises(ValueError, match=words):
            combine()


@pytest.mark.parametrize("other", ["AA", None, 1j, {"AA": 1.0}])
def test_what_is_no_operand(other):
    for combine in (operator.mul, operator.add):
        with pytest.raises(
            TypeError, match="1,326 numbers or one number; from_text" if other == "AA" else "unsupported"
        ):
            combine(WeightTable(), other)
        with pytest.raises(TypeError):
            combine(other, WeightTable())


# -- as a container --------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(tables())
def test_a_table_holds_what_is_possible(table):
    pairs = list(table)
    assert pairs == [(HOLDINGS[k], weight) for k, weight in enumerate(table.values.tolist()) if weight > 0]
    assert all(type(weight) is float for _, weight in pairs)
    assert len(table) == len(pairs) == len(dict(table))
    assert bool(table) == bool(pairs)
    names = dict(pairs)
    assert [name in table for name in HOLDINGS] == [name in names for name in HOLDINGS]
    for index, members in enumerate(HOLDINGS_OF_CLASS):
        assert (CLASSES[index] in table) == any(HOLDINGS[k] in names for k in members.tolist())


def test_what_can_be_asked_for():
    table = WeightTable.from_text("AKs, TT:5e-324")
    assert "AsKs" in table
    assert "KsAs" in table
    assert (51, 47) in table
    assert ("As", "Ks") in table
    assert "A♠K♠" in table
    assert "kas" in table
    assert "1010" in table
    assert holding_index("AsKs") in table
    assert "AsKh" not in table
    assert "AKo" not in table
    for bad in ("AK", "", "22+", "AsAs", "AsKsQs", 1326, None, 2.5):
        with pytest.raises(ValueError, match=r"class|holding|card|range"):
            bad in table  # noqa: B015


def test_every_holding_text_is_an_item():
    table = WeightTable(np.arange(1326.0))
    assert [table[name] for name in HOLDINGS] == list(range(1326))


def test_the_table_is_light_to_import():
    code = "import sys, pokermodel.weights; print(*{'rich', 'click', 'pokerkit', 'eval7'}.intersection(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_texts_of_solvers():
    table = WeightTable.from_text("AA:3, KK:4", dead="As")
    assert table.to_text("pio") == "AhAd:0.75,AhAc:0.75,AdAc:0.75,KK"
    assert WeightTable.from_text(table.to_text("gto+"), "As") == table.scaled()
    assert WeightTable.from_pio(table.to_text("pio-numbers"), "As") == table.scaled()
    with pytest.raises(ValueError, match="neither digits nor compact"):
        table.to_text("pio", digits=3)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_trimmed_tables(least, top, seed):
    rng = np.random.default_rng(seed)
    weights = rng.random(1326) ** 20 * (rng.random(1326) < 0.5)
    weights[rng.integers(1326)] = 1.0
    falling = sorted(weights.tolist(), reverse=True)
    wanted, border = top * math.fsum(falling), falling[0]
    for count in range(1, 1327):  # the fewest that make the share
        border = falling[count - 1]
        if math.fsum(falling[:count]) >= wanted - 1e-9 * wanted:
            break
    kept = WeightTable(weights).trim(least=least, top=top).values
    close = np.isclose(weights, max(border, least * falling[0]), rtol=1e-9)  # rounding may decide of these
    expected = np.where((weights >= border) & (weights >= least * falling[0]), weights, 0.0)
    assert np.array_equal(kept[~close], expected[~close])
    assert kept.max() == falling[0]


def test_trim_refuses_what_is_no_share():
    for options in ({"least": -0.1}, {"least": float("nan")}, {"top": 1.1}):
        with pytest.raises(ValueError, match=r"(least|top) is .*: expected a share from 0 to 1"):
            WeightTable().trim(**options)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_of_live_holdings(library):
    pytest.importorskip(library)
    frame = WeightTable.from_text("AA, KK:0.5", dead="As").to_frame(library=library)
    assert list(frame.columns) == ["holding", "class", "weight", "probability"]
    assert len(frame) == 1275
    assert sum(frame["probability"]) == pytest.approx(1.0)
    assert {name for name, weight in zip(frame["class"], frame["weight"], strict=True) if weight} == {"AA", "KK"}


def test_whether_a_holding_is_possible():
    assert WeightTable().possible
    assert not WeightTable(np.zeros(1326)).possible
    assert not WeightTable.from_text("AsAh", dead="As").possible
    assert WeightTable.from_text("AsAh").possible
