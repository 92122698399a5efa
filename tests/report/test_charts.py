"""Charts: what is drawn is where the figures say, for everybody to see."""

from __future__ import annotations

import re
from importlib import resources
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.report import palette
from pokermodel.report.charts import (
    CalibrationPoint,
    Interval,
    Series,
    calibration_chart,
    interval_chart,
    line_chart,
    round_ticks,
)
from pokermodel.report.document import asset

from . import pages
from .parsed import Parsed

SVG = "{http://www.w3.org/2000/svg}"

WON = [
    Series("call", [0, 10, 20], [0.0, 4.0, -2.0], [(0.0, 0.0), (1.0, 7.0), (-8.0, 4.0)]),
    Series("raise", [0, 10, 20], [0.0, None, 2.0]),
]
FORECASTS = [
    CalibrationPoint("fold", 0.05, 0.04, 900),
    CalibrationPoint("call", 0.55, 0.75, 100),
    CalibrationPoint("raise", 0.95, 1.0, 1),
]
ROWS = [
    Interval("loki1", 0.05, (0.01, 0.09), (("Papp", 0.04), ("Pena", -0.3))),
    Interval("loki2", -0.2, None),
    Interval("none", None, None),
]


def lines(names=("call", "raise"), **options):
    series = [each._replace(name=name) for name, each in zip(names, WON, strict=True)]
    return line_chart(series, title="Won", x_label="deals", y_label="small bets", **options)


def every_chart(name="a"):
    yield lines((name, f"{name}2"))
    yield lines((name, f"{name}2"), bands=False)
    yield line_chart([Series(name, [0, 1], [1.0, 2.0])], title=name, x_label="x", y_label="y", places=("0", "1 to 4"))
    yield calibration_chart([point._replace(series=point.series + name) for point in FORECASTS], title=name)
    yield interval_chart([ROWS[0]._replace(label=name), *ROWS[1:]], title=name, value_label="small bets")
    yield interval_chart(ROWS[:2], title=name, value_label="nats", zero=False)


def drawn(chart):
    return ElementTree.fromstring(chart.picture())


def shapes(chart, kind):
    return [each for each in drawn(chart).iter() if kind in each.get("class", "").split()]


def numbers(path):
    return [float(each) for each in re.findall(r"-?\d+\.?\d*", path)]


def points(path):
    """Corners of a path of absolute lines."""
    found = numbers(path)
    return list(zip(found[::2], found[1::2], strict=True))


def axis(chart, place):
    """What turns a number into a place along an axis: `place` is 0 across and 1 upwards; from the ticks drawn."""
    ticks = []
    for each in shapes(chart, "tick"):
        if ("end" in each.get("class").split() and float(each.get("x")) < 60) == bool(place):
            value = float(each.text.replace("\N{MINUS SIGN}", "-").replace(",", "").replace("%", "e-2"))
            ticks.append((value, float(each.get("y")) - 4 if place else float(each.get("x"))))
    (low, at_low), (high, at_high) = min(ticks), max(ticks)
    return lambda value: at_low + (value - low) / (high - low) * (at_high - at_low)


def test_lines_are_where_the_figures_are():
    chart = lines()
    x, y = axis(chart, 0), axis(chart, 1)
    found = shapes(chart, "line")[2:]  # after those of the legend
    first, *parts = [points(each.get("d").removesuffix("h0.1")) for each in found]
    np.testing.assert_allclose(first, [(x(0), y(0)), (x(10), y(4)), (x(20), y(-2))], atol=0.11)
    np.testing.assert_allclose(np.concatenate(parts), [(x(0), y(0)), (x(20), y(2))], atol=0.11)  # a gap between them
    (band,) = shapes(chart, "band")
    ends = [(0, 0), (10, 7), (20, 4), (20, -8), (10, 1), (0, 0)]
    np.testing.assert_allclose(points(band.get("d").removesuffix("z")), [(x(a), y(b)) for a, b in ends], atol=0.11)


def test_whiskers_are_where_the_intervals_are():
    chart = lines(bands=False)
    y = axis(chart, 1)
    ends = [numbers(each.get("d")) for each in shapes(chart, "whisker")]
    np.testing.assert_allclose(
        [(path[1], path[5]) for path in ends], [(y(0), y(0)), (y(1), y(7)), (y(-8), y(4))], atol=0.11
    )
    assert len(shapes(chart, "dot")) == 5 + 2  # those of the legend
    assert not shapes(chart, "band")


def test_forecasts_are_where_the_shares_are():
    chart = calibration_chart(FORECASTS, title="a")
    x, y = axis(chart, 0), axis(chart, 1)
    bubbles = {each.find(f"{SVG}title").text: each for each in shapes(chart, "bubble") if len(each)}
    left, middle, radius = numbers(bubbles["fold: predicted 5.0%, happened 4.0% of 900"].get("d"))[:3]
    np.testing.assert_allclose([left + radius, middle], [x(0.05), y(0.04)], atol=0.11)
    areas = {said: numbers(each.get("d"))[2] for said, each in bubbles.items()}
    assert areas["fold: predicted 5.0%, happened 4.0% of 900"] == 16
    (ideal,) = shapes(chart, "ideal")
    assert [float(ideal.get(key)) for key in ("x1", "y1", "x2", "y2")] == pytest.approx([x(0), y(0), x(1), y(1)])
    assert "2.9% off the diagonal" in chart.description  # (0.01 * 900 + 0.2 * 100 + 0.05) / 1001


def test_bars_are_as_long_as_the_figures():
    chart = interval_chart(ROWS, title="a", value_label="small bets")
    x = axis(chart, 0)
    first, second = shapes(chart, "bar")
    ends = [(float(each.get("x")), float(each.get("x")) + float(each.get("width"))) for each in (first, second)]
    np.testing.assert_allclose(ends, [(x(0), x(0.05)), (x(-0.2), x(0))], atol=0.11)
    (whisker,) = shapes(chart, "whisker")
    found = numbers(whisker.get("d"))
    np.testing.assert_allclose([found[0], found[5]], [x(0.01), x(0.09)], atol=0.11)
    marks = {each.find(f"{SVG}title").text for each in shapes(chart, "open") if len(each)}
    assert marks == {"Papp: +0.0400", "Pena: -0.3000"}


def test_plus_and_minus_is_for_symmetric_intervals_alone():
    """Beside a share, whose interval is longer on one side, both ends are written."""
    rows = [Interval("even", 0.05, (0.01, 0.09)), Interval("uneven", 0.05, (0.04, 0.09)), Interval("none", 0.05, None)]
    chart = interval_chart(rows, title="a", value_label="small bets")
    said = [each.text for each in shapes(chart, "over") if "end" in each.get("class")]
    assert said == ["+0.0500 \u00b1 0.0400", "+0.0500 (+0.0400 to +0.0900)", "+0.0500"]


def test_tables_have_every_figure():
    assert lines().rows == (
        ("call", "0", "0.000", "0.000 to 0.000"),
        ("call", "10", "4.000", "1.000 to 7.000"),
        ("call", "20", "-2.000", "-8.000 to 4.000"),
        ("raise", "0", "0.000", ""),
        ("raise", "20", "2.000", ""),
    )
    assert calibration_chart(FORECASTS, title="a").rows[1] == ("call", "55.0%", "75.0%", "100")
    chart = interval_chart(ROWS, title="a", value_label="small bets")
    assert chart.columns == ("row", "small bets", "95% interval", "Papp", "Pena")
    assert chart.rows[0] == ("loki1", "+0.0500", "+0.0100 to +0.0900", "+0.0400", "-0.3000")
    assert chart.rows[2] == ("none", "", "", "", "")
    page = Parsed(chart.figure())
    assert page.rows(page.find("table")[0]) == [list(chart.columns), *map(list, chart.rows)]


@pytest.mark.parametrize("name", pages.NAMES)
def test_hostile_names(name):
    """In charts they are cut to the room that there is; the table has them whole."""
    for hostile, plain in zip(every_chart(name), every_chart(), strict=True):
        root = drawn(hostile)
        assert [each.tag for each in root.iter()] == [each.tag for each in drawn(plain).iter()]
        assert max(len(each.text) for each in root.iter(f"{SVG}text")) < 70
        figure = hostile.figure()
        assert Parsed(figure).tags == Parsed(plain.figure()).tags
        assert "\u202e" not in figure


def test_everything_stays_on_the_paper():
    for chart in every_chart("x" * 30):
        for each in drawn(chart).iter():
            for key, most in (("x", chart.width), ("x1", chart.width), ("y", chart.height), ("y2", chart.height)):
                assert 0 <= float(each.get(key, 0)) <= most


def test_shapes_have_classes_with_rules_and_no_styles():
    rules = set(re.findall(r"\.([a-z]+\d?)\b", asset("chart.css"))) | {"d0"}
    for chart in every_chart():
        root = drawn(chart)
        for each in root.iter():
            assert not {"style", "fill", "stroke"} & set(each.attrib) or each.get("fill") == "#ffffff"
            assert set(each.get("class", "").split()) <= rules
            assert not any("href" in key for key in each.attrib)
        assert root.find(f"{SVG}title").text
        assert len(root.find(f"{SVG}desc").text) > 15
        assert "url(" not in chart.picture()


def test_a_line_alone_is_named_once():
    chart = line_chart([WON[0]], title="call", x_label="deals", y_label="small bets")
    assert [each.text for each in drawn(chart).iter(f"{SVG}text")].count("call") == 0
    assert chart.columns[0] == "deals"
    assert chart.rows[1] == ("10", "4.000", "1.000 to 7.000")


def test_charts_have_the_same_axis_if_asked():
    one, two = (line_chart([each], title="a", x_label="x", y_label="y", around=(-8, 7)) for each in WON)
    assert [axis(one, 1)(value) for value in (-5, 5)] == [axis(two, 1)(value) for value in (-5, 5)]


def test_nothing_to_show():
    for draw in (
        lambda: line_chart([Series("a", [0], [None])], title="Won", x_label="", y_label=""),
        lambda: calibration_chart([], title="Won"),
        lambda: interval_chart([Interval("a", None, None)], title="Won", value_label=""),
    ):
        with pytest.raises(ValueError, match="'Won' has nothing to show"):
            draw()


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(4, 8))
@settings(max_examples=200, deadline=None)
def test_ticks_are_round_and_around_the_range(low, length, most):
    high = low + length
    if high - low < 1e-9 * abs(low):
        return
    ticks = round_ticks(low, high, most)
    slack = 1e-6 * (high - low)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert 2 <= len(ticks) <= most + 3
    (apart,) = {float(f"{after - before:.4g}") for before, after in pairwise(ticks)}
    assert f"{apart:e}"[0] in "125"


def test_ticks_of_a_single_value():
    assert round_ticks(3, 3) == [2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6]


# Of linear sRGB: Machado, Oliveira and Fernandes (2009), table 1, severity 1.
SIGHT = {
    "full": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(
    ("colors", "surface"),
    [(palette.SERIES_ON_LIGHT, (255, 255, 255)), (palette.SERIES_ON_DARK, (0x1F, 0x22, 0x25))],
    ids=["light", "dark"],
)
def test_series_can_be_told_apart(colors, surface, sight):
    """Twenty times as far from each other in OKLab as what is just noticed, and 3 to 1 from the surface (WCAG 2)."""

    def linear(color):
        return palette._linear(np.array(color, dtype=np.float64))

    def oklab(color):
        seen = np.clip(np.asarray(SIGHT[sight]) @ linear(color), 0, 1)
        return np.linalg.solve(palette._TO_CONES, np.cbrt(np.linalg.solve(palette._TO_LINEAR, seen)))

    def light(color):
        return float(linear(color) @ (0.2126, 0.7152, 0.0722)) + 0.05

    assert min(float(np.linalg.norm(oklab(a) - oklab(b))) for a, b in combinations(colors, 2)) > 0.17
    for color in colors:
        assert max(light(color), light(surface)) / min(light(color), light(surface)) >= 3


def test_a_chart_that_has_the_width_of_a_page_is_drawn_for_it():
    for chart in (lines(), interval_chart(ROWS, title="a", value_label="small bets")):
        width, height, shapes = chart.broad
        assert width > 1.5 * chart.width
        assert height <= chart.height
        assert shapes.count("<path") == chart.shapes.count("<path")
        assert "broad" not in chart.figure()
        alone = chart.figure(alone=True)
        assert alone.count("<svg") == 2
        assert f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label=' in alone
    square = calibration_chart(FORECASTS, title="a")
    assert square.figure(alone=True) == square.figure()


def test_all_colours_of_charts_and_styles_are_those_of_the_palette():
    named = {*palette.ON_LIGHT.values(), *map(palette.hex_code, palette.SERIES_ON_LIGHT)}
    for chart in every_chart():
        assert set(re.findall("#[0-9a-f]{6,8}", chart.picture())) <= named
    folder = resources.files("pokermodel.report") / "templates"
    for file in folder.iterdir():
        if file.name.endswith((".css", ".js")):
            text = file.read_text(encoding="utf-8")
            assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])|\brgba?\(|\bhsla?\(", text) == []
            assert set(re.findall(r"var\(--([a-z0-9]+)", text)) <= {
                *palette.ON_LIGHT,
                "act",  # of strategies: "act-fold" and so on
                "ground",
                "rank",  # places of cards
                "suit",
                "x",
                "y",
                *(f"s{k}" for k in range(6)),
            }


def test_the_palette_has_the_same_names_on_dark_screens():
    assert palette.ON_DARK.keys() == palette.ON_LIGHT.keys()
    assert palette.color_rules(dark=False).count("--ink:") == 1
    assert palette.color_rules().count("--ink:") == 2
