"""Heat maps: what stands where, in every kind of terminal and in HTML."""

from __future__ import annotations

import colorsys
import io
import itertools
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from pokermodel.cards import CLASSES
from pokermodel.report import palette
from pokermodel.report.grid import change_grid, weight_grid
from pokermodel.report.heatmap import HeatMap
from pokermodel.report.html import heat_map
from pokermodel.weights import WeightTable

TABLE = WeightTable.from_text("random:0.002, 22+:0.5, QQ+, AT+:0.8, KTs+:0.6, 72:0", dead="AsAdAhKd")
BEFORE = WeightTable.from_text("random:0.01, 22+:0.5, 72:0, A2s+:0.4, AJs+:0, KQ", dead="AsAdAhKd")
RAMPS = [palette.WEIGHT_ON_DARK, palette.WEIGHT_ON_LIGHT, palette.CHANGE_ON_DARK, palette.CHANGE_ON_LIGHT]
ANSI_RAMPS = [palette.WEIGHT_ON_DARK, palette.CHANGE_ON_DARK]


def render(what, depth: str | None = None, width: int = 80, environment: dict[str, str] | None = None) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        color_system=depth,
        force_terminal=depth is not None,
        legacy_windows=False,
        _environ=environment or {},
    )
    console.print(what)
    return console.file.getvalue()


def plain(text: str) -> list[str]:
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]


# -- plain text ------------------------------------------------------------------------------------

WEIGHTS = """\
Eve [raises]
     A   K   Q   J   T   9   8   7   6   5   4   3   2
A    -  80  80  80  80   0   0   0   0   0   0   0   0
K   80 100  60  60  60   0   0   0   0   0   0   0   0
Q   80   0 100   0   0   0   0   0   0   0   0   0   0
J   80   0   0  50   0   0   0   0   0   0   0   0   0
T   80   0   0   0  50   0   0   0   0   0   0   0   0
9    0   0   0   0   0  50   0   0   0   0   0   0   0
8    0   0   0   0   0   0  50   0   0   0   0   0   0
7    0   0   0   0   0   0   0> 50   0   0   0   0   .
6    0   0   0   0   0   0   0   0  50   0   0   0   0
5    0   0   0   0   0   0   0   0   0  50   0   0   0
4    0   0   0   0   0   0   0   0   0   0  50   0   0
3    0   0   0   0   0   0   0   0   0   0   0  50   0
2    0   0   0   0   0   0   0   .   0   0   0   0  50
100 = mean weight 1, . = 0, - = no live holding
"""

NARROW = """\
   A K Q J T 9 8 7 6 5 4 3 2
A    8 8 8 8 0 0 0 0 0 0 0 0
K  8 9 6 6 6 0 0 0 0 0 0 0 0
Q  8 0 9 0 0 0 0 0 0 0 0 0 0
J  8 0 0 5 0 0 0 0 0 0 0 0 0
T  8 0 0 0 5 0 0 0 0 0 0 0 0
9  0 0 0 0 0 5 0 0 0 0 0 0 0
8  0 0 0 0 0 0 5 0 0 0 0 0 0
7  0 0 0 0 0 0 0 5 0 0 0 0 .
6  0 0 0 0 0 0 0 0 5 0 0 0 0
5  0 0 0 0 0 0 0 0 0 5 0 0 0
4  0 0 0 0 0 0 0 0 0 0 5 0 0
3  0 0 0 0 0 0 0 0 0 0 0 5 0
2  0 0 0 0 0 0 0 . 0 0 0 0 5
tenths of 1, . = 0
"""


def test_plain_weights():
    text = render(HeatMap(TABLE, title="Eve [raises]", mark="7h7d"))
    assert plain(text) == WEIGHTS.splitlines()
    assert "\x1b" not in text
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 54


def test_plain_weights_where_there_is_little_room():
    assert plain(render(HeatMap(TABLE), width=53)) == NARROW.splitlines()
    assert plain(render(HeatMap(TABLE), width=28)) == NARROW.splitlines()
    assert max(map(len, plain(render(HeatMap(TABLE), width=54)))) == 54


def test_plain_changes():
    before = WeightTable.from_text("TT+:0.5, AK:0.5, 76s:1")
    after = WeightTable.from_text("TT:0.25, JJ+:0.5, AKs, 65s")
    lines = plain(render(HeatMap(after, previous=before, mark="TT")))
    # All weights gain by the ratio of the totals, 27/21.5 or 0.33 bits; AKs twice as much, TT half as much.
    assert (before.total, after.total) == (27.0, 21.5)
    assert lines[1] == "A   +3 +13" + 11 * "   ."
    assert lines[2] == "K  out  +3" + 11 * "   ."
    assert lines[5] == "T    .   .   .   .> -7" + 8 * "   ."
    assert lines[8].split()[9] == "out"
    assert lines[9].split()[10] == "new"
    assert lines[-1] == "+10 = twice, -10 = half as probable as before"
    assert len(lines) == 15
    assert plain(render(HeatMap(after, previous=before), width=40))[-1] == "+ more, - less probable"


def test_changes_by_hand():
    before = WeightTable.from_text("AA:4, KK:4, QQ:4, JJ:4, TT:4")
    table = WeightTable.from_text("AA:8, KK:4, QQ:2, JJ:0, TT:4, 99:2")
    cells = {cell.name: cell for cell in change_grid(table, before).cells}
    assert [cells[name].number for name in ("AA", "KK", "QQ", "JJ", "99", "88")] == [
        "+10",
        ".",
        "-10",
        "out",
        "new",
        ".",
    ]
    assert [cells[name].sign for name in ("AA", "KK", "QQ", "JJ", "99", "88")] == ["+", ".", "-", "-", "+", "."]
    assert [cells[name].level for name in ("JJ", "KK", "99", "88")] == [0.0, 0.5, 1.0, 0.5]
    assert cells["AA"].level == pytest.approx(0.5 + 0.5 / 3)
    assert cells["AA"].title == "AA: a holding is 2 times as probable as before"
    assert cells["JJ"].title == "JJ: impossible now, possible before"


def test_changes_do_not_depend_on_scale_or_card_removal():
    cells = change_grid(WeightTable(np.full(1326, 1e-200), "As"), WeightTable(np.full(1326, 1e200), "Kd")).cells
    assert {cell.number for cell in cells} == {"."}
    assert [cell.level for cell in cells] == pytest.approx([0.5] * 169)


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1.0, 1e300])
def test_weights_of_any_size(weight):
    grid = weight_grid(WeightTable(np.full(1326, weight)))
    assert {cell.number for cell in grid.cells} == {"100"}
    assert {cell.level for cell in grid.cells} == {1.0}


def test_a_table_without_weights():
    grid = weight_grid(WeightTable(np.zeros(1326)))
    assert {cell.number for cell in grid.cells} == {"."}
    assert {cell.level for cell in grid.cells} == {0.0}
    with pytest.raises(ValueError, match="every holding has weight 0"):
        HeatMap(TABLE, previous=WeightTable(np.zeros(1326)))


def test_a_table_without_live_holdings():
    table = WeightTable(dead=range(52))
    assert {cell.level for cell in weight_grid(table).cells} == {None}
    assert plain(render(HeatMap(table)))[1].split() == ["A"] + ["-"] * 13


def test_a_common_scale():
    table = WeightTable.from_text("AA:0.5, KK:4")
    cells = {cell.name: cell for cell in weight_grid(table, scale=1.0).cells}
    assert cells["AA"].number == "50"
    assert cells["KK"].number == "100"  # beyond the scale
    assert cells["KK"].level == 1.0
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="the scale is"):
            HeatMap(table, scale=bad)


@pytest.mark.parametrize("mark", ["AKs", "kas", "AhKh", ("Ah", "Kh"), "Kh Ah"])
def test_marks(mark):
    for grid in (weight_grid(TABLE, mark=mark), change_grid(TABLE, BEFORE, mark=mark)):
        assert [cell.name for cell in grid.cells if cell.marked] == ["AKs"]


def test_bad_marks():
    for bad in ("AK", "hello", "AhAh"):
        with pytest.raises(ValueError, match=r"class|card"):
            HeatMap(TABLE, mark=bad)


# -- colours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "code"), [("truecolor", r"48;2;\d+;\d+;\d+"), ("256", r"48;5;\d+")])
@pytest.mark.parametrize("previous", [None, BEFORE])
def test_colored_cells(depth, code, previous):
    text = render(HeatMap(TABLE, previous=previous), depth)
    lines = plain(text)
    assert len(lines) == 14
    for row, line in enumerate(lines[:13]):
        assert line.split() == list(CLASSES[13 * row : 13 * row + 13])
        assert len(line) <= 52
    # One background for every class but AA, which has no live holding, and the bar.
    assert len(re.findall(code, text)) == 168 + 16
    assert ("48;2;" in text) == (depth == "truecolor")
    assert ("48;5;" in text) == (depth == "256")


def test_colors_follow_the_weights():
    text = render(HeatMap(WeightTable.from_text("AA, KK:0.5, QQ:0.25")), "truecolor")
    found = dict(re.findall(r"48;2;(\d+;\d+;\d+)m ([2-9TJQKA]{2}) ", text)[::-1])
    by_name = {name: tuple(map(int, rgb.split(";"))) for rgb, name in found.items()}
    ramp = palette.WEIGHT_ON_DARK
    assert by_name["AA"] == ramp.rgb(1.0)
    assert by_name["KK"] == ramp.rgb(0.5)
    assert by_name["QQ"] == ramp.rgb(0.25)


@pytest.mark.parametrize("depth", ["truecolor", "256"])
def test_narrow_colored_maps_name_rows_and_columns(depth):
    lines = plain(render(HeatMap(TABLE, mark="KK"), depth, width=40))
    assert lines[0].split() == list("AKQJT98765432")
    assert [line[0] for line in lines[1:14]] == list("AKQJT98765432")
    assert lines[2] == "K" + " " * 3 + ">"
    assert max(map(len, lines)) <= 28


@pytest.mark.parametrize(
    ("depth", "environment"),
    [(None, {}), ("standard", {}), ("truecolor", {"NO_COLOR": "1"}), ("256", {"NO_COLOR": "yes"})],
)
def test_numbers_where_there_are_no_colors(depth, environment):
    text = render(HeatMap(TABLE), depth, environment=environment)
    assert plain(text) == WEIGHTS.replace(">", " ").splitlines()[1:]
    assert not re.search(r"\x1b\[[0-9;]*[34][0-9]", text)


@pytest.mark.parametrize("depth", ["truecolor", "256", None])
@pytest.mark.parametrize("width", [28, 40, 60, 80, 120])
def test_beside_other_things(depth, width):
    layout = Table.grid(padding=(0, 1))
    layout.add_row(HeatMap(TABLE, title="before the flop", legend=False), Panel("mu 0.54\nsigma 0.2"))
    lines = render(layout, depth, width).splitlines()
    assert all(cell_len(line) <= width for line in plain("\n".join(lines)))
    if width >= 80:
        assert len(lines) == (14 if depth else 15)
        assert "mu 0.54" in lines[1]
    with_titles = render(HeatMap(TABLE, title="x" * 200), depth, width)
    assert all(cell_len(line) <= 54 for line in plain(with_titles))


def test_titles_are_not_markup():
    assert plain(render(HeatMap(TABLE, title="[bold]Eve[/] [red]")))[0] == "[bold]Eve[/] [red]"


def test_a_table_prints_itself():
    assert render(TABLE) == render(HeatMap(TABLE))
    assert render(TABLE, "256") == render(HeatMap(TABLE), "256")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.floats(0, allow_infinity=False), min_size=169, max_size=169),
    st.sets(st.integers(0, 51), max_size=5),
    st.sampled_from(["truecolor", "256", None]),
    st.integers(10, 100),
)
def test_any_table_can_be_drawn(weights, dead, depth, width):
    from pokermodel.cards import CLASS_OF_HOLDING

    table = WeightTable(np.array(weights)[CLASS_OF_HOLDING], dead)
    lines = plain(render(HeatMap(table), depth, width))
    assert len(lines) in (14, 15)
    assert all(len(line) <= max(width, 28) for line in lines)
    assert len(cells_of(heat_map(table))) == 169


# -- the palette -----------------------------------------------------------------------------------


def luminance(rgb) -> float:
    """Relative luminance of an sRGB colour, 0..1."""
    part = np.array(rgb) / 255
    return float(np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])


def lightness(rgb) -> float:
    """CIE L*, 0..100: another model of lightness than the one that the ramps are made with."""
    y = luminance(rgb)
    return 116 * np.cbrt(y) - 16 if y > 0.008856 else 903.3 * y


def contrast(one, other) -> float:
    """Contrast of WCAG 2, 1..21."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_weights_are_ordered_by_lightness():
    for ramp, sign in ((palette.WEIGHT_ON_DARK, 1), (palette.WEIGHT_ON_LIGHT, -1)):
        steps = sign * np.diff([lightness(ramp.rgb(level)) for level in np.linspace(0, 1, 65)])
        assert (steps > 0).all()
        assert steps.max() < 3 * steps.mean()
    ansi = [lightness(palette.ansi_rgb(palette.WEIGHT_ON_DARK.ansi(level))) for level in np.linspace(0, 1, 11)]
    assert (np.diff(ansi) > 0).all()


def hue(rgb):
    """Hue in degrees, of HSV."""
    return 360 * colorsys.rgb_to_hsv(*(part / 255 for part in rgb))[0]


def test_a_higher_weight_stands_out_more_on_dark_and_on_light():
    """And a level has the same hue on both."""
    for ramp, surface in ((palette.WEIGHT_ON_DARK, (0, 0, 0)), (palette.WEIGHT_ON_LIGHT, (255, 255, 255))):
        contrasts = [contrast(ramp.rgb(level), surface) for level in np.linspace(0, 1, 33)]
        assert (np.diff(contrasts) > 0).all()
        assert contrasts[0] < 1.3
        assert contrasts[-1] > 12
    for level in np.linspace(0, 1, 11):
        assert abs(hue(palette.WEIGHT_ON_DARK.rgb(level)) - hue(palette.WEIGHT_ON_LIGHT.rgb(level))) < 40


def test_changes_are_ordered_by_hue_and_strength():
    for ramp, sign in ((palette.CHANGE_ON_DARK, 1), (palette.CHANGE_ON_LIGHT, -1)):
        for level in np.linspace(0.1, 0.5, 5):
            less, more = ramp.rgb(0.5 - level), ramp.rgb(0.5 + level)
            assert less[2] > less[0]  # blue
            assert more[0] > more[2]  # orange
        for side in (np.linspace(0.5, 0.0, 17), np.linspace(0.5, 1.0, 17)):
            assert (sign * np.diff([lightness(ramp.rgb(level)) for level in side]) > 0).all()


def test_colors_differ_for_the_colour_blind():
    # Viénot, Brettel and Mollon (1999): what a protanope and a deuteranope see, in linear light.
    red_blind = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
    green_blind = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])
    for matrix, ramp in itertools.product((red_blind, green_blind), RAMPS):
        ends = []
        for level in (0.0, 0.5, 1.0):
            linear = (np.array(ramp.rgb(level)) / 255) ** 2.2
            ends.append(np.clip(matrix @ linear, 0, 1) ** (1 / 2.2) * 255)
        for one, other in itertools.combinations(ends, 2):
            assert np.abs(one - other).max() > 60


@pytest.mark.parametrize("ramp", RAMPS)
def test_letters_can_be_read_on_every_color(ramp):
    backgrounds = [ramp.rgb(level) for level in np.linspace(0, 1, 41)]
    if ramp in ANSI_RAMPS:
        backgrounds += [palette.ansi_rgb(ramp.ansi(level)) for level in np.linspace(0, 1, 41)]
    for background in backgrounds:
        assert contrast(background, palette.ink(background)) >= 4.5


def test_ansi_colors():
    assert palette.ansi_rgb(16) == (0, 0, 0)
    assert palette.ansi_rgb(231) == (255, 255, 255)
    assert palette.ansi_rgb(196) == (255, 0, 0)
    assert palette.ansi_rgb(67) == (95, 135, 175)
    assert palette.ansi_rgb(232) == (8, 8, 8)
    assert palette.ansi_rgb(255) == (238, 238, 238)
    assert palette.hex_code((0, 128, 255)) == "#0080ff"


# -- HTML ------------------------------------------------------------------------------------------


class Checker(HTMLParser):
    """Notes cells and insists that what is opened is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[dict[str, str]] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        if tag == "td":
            self.cells.append({**dict(attrs), "text": ""})

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] == "td":
            self.cells[-1]["text"] += data


def parsed(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert not checker.open
    return checker


def cells_of(text: str) -> list[dict[str, str]]:
    return parsed(text).cells


def test_html():
    text = heat_map(TABLE, title="Eve & <script>alert('x')</script>", mark="7h7d")
    checker = parsed(text)
    assert checker.tags == {"figure", "div", "b", "table", "tr", "td", "figcaption", "span"}
    assert "Eve & <script>alert('x')</script>" in checker.text
    cells = {cell["text"]: cell for cell in checker.cells}
    assert [cell["text"] for cell in checker.cells] == list(CLASSES)
    assert cells["AA"]["title"] == "AA: no live holding"
    assert cells["AKs"]["title"].startswith("AKs: weight 0.8, 1 holding, probability ")
    assert cells["72o"]["title"].startswith("72o: weight 0, 12 holdings, probability 0%")
    assert palette.hex_code(palette.WEIGHT_ON_LIGHT.rgb(1.0)) in cells["KK"]["style"]
    assert "outline" in cells["77"]["style"]
    assert sum("outline" in cell["style"] for cell in checker.cells) == 1
    assert "http" not in text
    assert "<style" not in text
    assert len(text) < 30_000


def test_html_of_changes():
    cells = {cell["text"]: cell for cell in cells_of(heat_map(TABLE, previous=BEFORE))}
    assert cells["AJs"]["title"] == "AJs: possible now, impossible before"
    assert palette.hex_code(palette.CHANGE_ON_LIGHT.rgb(1.0)) in cells["AJs"]["style"]


def test_notebooks():
    assert TABLE._repr_html_() == heat_map(TABLE)
    assert len(cells_of(WeightTable(np.zeros(1326))._repr_html_())) == 169
