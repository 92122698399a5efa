"""The command ``pokermodel range``, as a user meets it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli.main import cli, main
from pokermodel.report import picture


def run(*args):
    return CliRunner().invoke(cli, ["range", *map(str, args)], catch_exceptions=False)


def data(*args):
    return json.loads(run(*args, "--json").output)


def test_text():
    lines = run("22+, A5s-A2s", "AhKh:0.5").output.splitlines()
    assert lines[0] == "95 of 1,326 holdings in 18 of 169 classes, by weight 94.5: 7.13%"
    assert lines[1] == "22+,A5s-A2s,AhKh:0.5"
    assert lines[2].split() == list("AKQJT98765432")
    assert len(lines) == 2 + 1 + 13 + 1
    assert run("AA").output.splitlines()[0] == "6 of 1,326 holdings in 1 of 169 classes: 0.45%"


@pytest.mark.parametrize(
    "text",
    [
        "AK:0.5,QQ:0.5",
        "AK@50 QQ@50%",
        "0.5(AK, QQ)",
        "[50]AK, QQ[/50]",
        "aks:.5;ako:.5;qq:50%",
        pm.WeightTable.from_text("AK:0.5, QQ:0.5").to_pio(),
        "[50.0]AK,QQ[/50.0]",
        "50:QQ,AK",
    ],
)
def test_every_spelling_is_the_same_range(text):
    assert data(text) == data("QQ:0.5,AK:0.5")


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("pio", "QQ:0.5,JJ:0.5,AKs"),
        ("gto+", "AKs,[50.0]QQ,JJ[/50.0]"),
        ("texassolver", "QQ:0.5,JJ:0.5,AKs"),
        ("flopzilla", "AKs,[50.0]QQ-JJ[/50.0]"),
        ("equilab", "100:AKs,50:QQ-JJ"),
        ("holdem resources", "QQ:0.50, JJ:0.50, AKs"),
    ],
)
def test_for_other_programs(dialect, text):
    found = run("QQ:2, JJ:2", "AKs:4", "--to", dialect)
    assert found.output == f"{text}\n"
    assert data(text) == data("QQ:0.5, JJ:0.5, AKs")


def test_dead_cards_are_left_out_for_other_programs(tmp_path):
    picture = tmp_path / "range.svg"
    assert run("AKs", "--dead", "Ks", "--to", "equilab", "--out", picture).stdout == "AhKh,AdKd,AcKc\n"
    assert picture.exists()
    assert len(run("AKs", "--to", "pio-numbers").output.split()) == 1326


def test_text_for_another_program_is_no_json():
    found = run("AKs", "--to", "pio", "--json")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "--to and --json exclude each other" in found.stderr


def test_classes_of_digits_are_no_weights():
    assert data("22 33 98")["text"] == "33-22,98"


def test_percentages_are_what_they_say():
    assert data("15%")["share"] == pytest.approx(0.15)
    assert data("random")["share"] == 1
    assert data("AA:3, KK:1.5")["share"] == pytest.approx((6 + 3) / 1326)  # by the largest


def test_dead_cards_count_nowhere():
    found = data("AA, AKs", "--board", "2c7dAh", "--dead", "Ks")
    assert found["text"] == "AA,AKs"
    assert found["dead"] == "2c7dKsAh"
    assert found["live_holdings"] == 48 * 47 // 2
    assert (found["holdings"], found["classes"]) == (3 + 2, 2)
    assert found["weights"] == dict(pm.WeightTable.from_text("AA, AKs", dead="2c7dAhKs"))
    assert found["class_weights"] == {"AA": 1.0, "AKs": 1.0}
    assert "without 2c7dKsAh" in run("AA", "--board", "2c7dAh", "--dead", "Ks").output


def test_nothing_is_a_range():
    assert run("").output.splitlines()[:2] == ["0 of 1,326 holdings in 0 of 169 classes: 0.00%", "(no holding)"]
    everything = "".join(pm.cards.CARDS)
    assert data("AA", "--dead", everything)["share"] is None
    assert run("AA", "--dead", everything).exit_code == 0


def test_the_largest_weights():
    found = data("AA:1.7e308, KK:1.7e308")
    assert found["share"] == pytest.approx(12 / 1326)


def fails(capsys, *args):
    with pytest.raises(SystemExit) as stop:
        main(["range", *map(str, args)])
    assert stop.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["22+, A5x"], "cannot be read: column 8: expected a separator"),
        (["22+", "<script>"], "column 5: expected holdings"),
        (["AA\n\n:-1"], "cannot be read: column 6: expected a weight"),
        (["1 2 3"], "column 1: expected holdings"),
        (["0.5 " * 1325], "expected 1326 numbers, found 1325"),
        (["AA", "--board", "2c7d"], "--board 2c7d has 2 cards: expected 3, 4 or 5"),
        (["AA", "--board", "2c7d9h", "--dead", "2c"], "duplicate card 2c"),
        (["AA", "--dead", "Xx"], "Xx"),
        (["", "--to", "pio"], "cannot be written for pio: every holding has weight 0"),
        (["AKs", "--dead", "Ks", "--to", "holdem resources"], "one weight for all holdings of AKs, got 0 for AsKs"),
        (["\u202e" * 10_000], "cannot be read: column 1"),
    ],
)
def test_bad_input_gives_one_line(args, words, capsys):
    assert words in fails(capsys, *args)


def test_svg(tmp_path):
    out = tmp_path / "range.svg"
    assert "AKs" in run("AKs, QQ:0.5", "--board", "2c7d9h", "--out", out).stdout
    text = "".join(ElementTree.parse(out).getroot().itertext())
    assert "QQ:0.5,AKs without 2c7d9h" in text
    assert "QQ: weight 0.5, 6 holdings" in text


def test_a_picture_that_cannot_be_written(tmp_path, capsys):
    assert "there is no folder" in fails(capsys, "AA", "--out", tmp_path / "nowhere" / "range.svg")


def test_png(tmp_path):
    if find_spec("PIL") is None:
        pytest.skip("Pillow is not installed")
    from PIL import Image

    out = tmp_path / "range.png"
    assert run("AKs, QQ:0.5", "--out", out).exit_code == 0
    with Image.open(out) as image:
        assert image.format == "PNG"
        image.verify()


def test_png_without_pillow(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(picture, "find_spec", lambda name: None)
    said = fails(capsys, "AA", "--out", tmp_path / "range.png")
    assert said == 'Error: PNG pictures need Pillow: expected pip install "pokermodel[png]"'
    assert list(tmp_path.iterdir()) == []
