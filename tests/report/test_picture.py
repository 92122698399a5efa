"""Pictures of maps: what stands where, and that nothing in them is taken for markup."""

from __future__ import annotations

import io
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.cards import CLASSES
from pokermodel.report.grid import change_grid, weight_grid
from pokermodel.report.markup import markup
from pokermodel.report.palette import WEIGHT_ON_LIGHT, hex_code
from pokermodel.report.picture import draw_png, draw_svg
from pokermodel.weights import WeightTable

TABLE = WeightTable.from_text("22+:0.5, QQ+, AT+:0.8, KTs+:0.6", dead="AsAdAhKd")
SVG = "{http://www.w3.org/2000/svg}"


def test_cells_have_the_colours_of_the_map():
    grid = weight_grid(TABLE, mark="77")
    root = ElementTree.fromstring(draw_svg(grid, title="A range"))
    said = {box.find(f"{SVG}title").text: box for box in root.iter(f"{SVG}rect") if box.find(f"{SVG}title") is not None}
    assert list(said) == [cell.title for cell in grid.cells]
    for cell in grid.cells:
        fill = "#ffffff" if cell.level is None else hex_code(WEIGHT_ON_LIGHT.rgb(cell.level))
        assert said[cell.title].get("fill") == fill
        assert (said[cell.title].get("stroke") is not None) == cell.marked
    names = [label.text for label in root.iter(f"{SVG}text")]
    assert names == ["A range", *CLASSES, "0", f"{grid.high} mean weight"]
    places = [(float(box.get("x")), float(box.get("y"))) for box in said.values()]
    assert len(set(places)) == 169
    assert all(0 <= x < float(root.get("width")) and 0 <= y < float(root.get("height")) for x, y in places)


def test_every_map_can_be_drawn():
    for grid in (weight_grid(WeightTable.from_text("")), change_grid(TABLE, WeightTable.uniform("AsAdAhKd"))):
        assert len(list(ElementTree.fromstring(draw_svg(grid)).iter(f"{SVG}text"))) == 169 + 2


@pytest.mark.parametrize(
    "title",
    ["<script>alert(1)</script>", "\x00\x1b[2J\ud800\ufffe", '"><image href="http://a/"/>', "x" * 10_000, "👩‍👩‍👧"],
)
def test_hostile_titles(title):
    text = draw_svg(weight_grid(TABLE), title=title)
    text.encode()
    root = ElementTree.fromstring(text)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {"svg", "title", "rect", "text"}
    assert not any("href" in name for each in root.iter() for name in each.attrib)
    assert len(next(root.iter(f"{SVG}text")).text) <= 100


@given(st.text(st.characters(), max_size=30))
@settings(max_examples=200, deadline=None)
def test_any_text_is_shown_as_it_is(text):
    shown = ElementTree.fromstring(f"<a b={chr(34)}{markup(text)}{chr(34)}>{markup(text)}</a>")
    if text.isprintable():
        assert (shown.text or "") == text
        assert shown.get("b") == text


def test_png_has_the_colours_of_the_map():
    if find_spec("PIL") is None:
        pytest.skip("Pillow is not installed")
    from PIL import Image

    grid = weight_grid(TABLE)
    picture = draw_png(grid, title="\x00 \u202e <b>")
    assert picture == draw_png(grid, title="\x00 \u202e <b>")
    with Image.open(io.BytesIO(picture)) as image:
        assert image.size == (2 * 544, 2 * 592)
        corners = [image.getpixel((2 * (12 + 40 * column) + 4, 2 * (36 + 40 * row) + 4)) for row, column in SQUARES]
    expected = [grid.cells[13 * row + column].level for row, column in SQUARES]
    assert corners == [(255, 255, 255) if level is None else WEIGHT_ON_LIGHT.rgb(level) for level in expected]


SQUARES = [(row, column) for row in range(13) for column in range(13)]
