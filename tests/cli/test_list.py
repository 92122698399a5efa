"""``pokermodel list``, hands that ``--where`` selects, and batches of hands out of ``pokermodel read``."""

from __future__ import annotations

import json
from importlib import resources
from importlib.util import find_spec

import numpy as np
import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel._support import frames as _frames
from pokermodel.analysis.hand import HandReport
from pokermodel.cli.main import cli
from pokermodel.histories import phh
from pokermodel.report.listing import hero_words
from tests.common import desk


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with histories, one of them with 12 hands of two programs."""
    folder = tmp_path_factory.mktemp("desk")
    desk.lay(folder)
    pm.tables.tournament("loki1,call", 6, seed=1, export=folder / "played")
    hands = list(pm.open_hands(folder / "played"))
    (folder / "match.phhs").write_text(phh.dumps_all(hands))
    return folder


def run(*args):
    result = CliRunner().invoke(cli, list(map(str, args)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fails(*args):
    result = CliRunner().invoke(cli, list(map(str, args)))
    assert result.exit_code != 0
    return str(result.exception) + result.output


def test_a_line_for_each_hand(folder):
    head, *lines, total = run("list", folder / "holdem.199504.tgz").splitlines()
    assert head.split() == ["number", "id", "time", "stake", "players", "pot", "rake", "street", "showed", "result"]
    assert [line.split()[:2] for line in lines] == [["1", "797000001-1"], ["2", "797000002-2"]]
    assert " ".join(lines[0].split()[2:]) == "1995-04-04 12:53 10/20 2 20 0 river Ann AsAd, Bob 5d4c Ann +10"
    assert lines[1].split()[4:] == ["10/20", "2", "40", "0", "flop", "Bob", "+20"]
    assert total == "2 hands"


def test_the_unit_of_bets_is_said(tmp_path):
    """Small bets in limit, big blinds where bets have sizes, and which where both stand below each other."""
    samples = resources.files("pokermodel").joinpath("data", "samples")
    limit, other = samples.joinpath("limit.txt"), samples.joinpath("no-limit.txt")
    head, *_, total = run("list", limit).splitlines()
    assert head.split()[-2:] == ["sb", "EV"]
    assert total == "Robin: -13.9 USD (-7.0 sb) in 40 hands"
    head, *_, total = run("list", other).splitlines()
    assert head.split()[-2:] == ["bb", "EV"]
    assert total == "Robin: +49.86 USD (+49.9 bb) in 40 hands"
    (tmp_path / "a.txt").write_text(limit.read_text())
    (tmp_path / "b.txt").write_text(other.read_text())
    head, first, *_, total = run("list", tmp_path).splitlines()
    assert head.split()[-2:] == ["bb", "EV"]
    assert first.endswith("+0.0 sb")
    assert total == "Robin: +35.96 USD (+42.9 bets) in 80 hands"
    rows = json.loads(run("list", tmp_path, "--json"))["hands"]
    assert [row["structure"] for row in rows] == ["limit"] * 40 + ["no limit"] * 40


def test_chips_are_told_from_money():
    hands = {"hands": 3, "limit": 0, "net_bb": 4.0}
    nothing = {"hands": 0, "limit": 0, "net": {}, "net_bb": 0.0}
    both = {**hands, "net": {"USD": -3.0, "": 1500.0}, "without_cards": nothing}
    assert hero_words("Ann", both) == "Ann: -3 USD, +1500 chips (+4.0 bb) in 3 hands"
    assert hero_words("Ann", {**both, "net": {"": 1500.0}}) == "Ann: +1500 (+4.0 bb) in 3 hands"


def test_columns_stand_below_each_other(folder):
    head, *lines, _ = run("list", folder / "match.phhs").splitlines()
    assert len(lines) == 12
    for name in ("time", "street", "result"):
        assert {line[head.index(name) - 1] for line in lines if len(line) > head.index(name)} == {" "}


def test_several_files_have_numbers_of_their_own(folder):
    files = folder / "match.log", folder / "hands.phh"
    rows = [json.loads(line) for line in run("list", *files, "--out", "-.jsonl").splitlines()]
    assert [(row["file"].rpartition("/")[2], row["number"]) for row in rows] == [
        *(("match.log", number) for number in (1, 2, 3)),
        ("hands.phh", 1),
    ]
    whole = json.loads(run("list", *files, "--json"))
    assert whole["hands"] == rows
    assert whole["not_selected"] == 0
    assert f"{files[0]}:" in run("list", *files)


def test_json_has_lists_by_seat(folder):
    row = json.loads(run("list", folder / "hands.phh", "--out", "-.jsonl"))
    hand = pm.example_hand()
    assert row["players"] == list(hand.players)
    assert row["net"] == row["all_in_ev"] == list(hand.payoffs)
    assert (row["pot"], row["uncalled"], row["rake"], row["all_in"]) == (hand.pot, 0, None, None)
    shown = {seat: text for seat, text in enumerate(row["holdings"]) if text}
    assert set(shown) == set(hand.shown)


@pytest.mark.parametrize("command", ["list", "read"])
def test_the_same_hands_in_all_commands(folder, command, tmp_path):
    """Those that Python selects."""
    path = folder / "match.phhs"
    source = pm.open_hands(path)
    name = source[0].players[0]
    for words in (
        f"hero={name} seat=big-blind",
        "stake=2/4 showdown=no",
        "showdown=yes",
        "size>=4 size<=12",
    ):
        expected = [number for number, _ in source.select(words).numbered()]
        assert 0 < len(expected) < 12, words
        args = [command, path, "--where", words, "--out", "-.jsonl", *(["--all"] if command == "read" else [])]
        assert [json.loads(line)["number"] for line in run(*args).splitlines()] == expected
        book = tmp_path / str(len(expected))
        said = json.loads(run("learn", path, "--where", words, "--book", book, "--for", "statistics", "--json"))
        assert (said["new"], said["not_selected"]) == (len(expected), 12 - len(expected))
        scored = json.loads(run("score", path, "--where", words, "--model", "uniform", "--json"))
        assert (scored["scored_hands"], scored["not_selected"]) == (len(expected), 12 - len(expected))


def test_learning_some_hands_of_several_files(folder, tmp_path):
    args = [folder / "match.phhs", folder / "match.log", "--where", "showdown=yes", "--for", "statistics", "--json"]
    assert json.loads(run("learn", *args, "--book", tmp_path / "book"))["not_selected"] > 0
    assert "selected" in fails("learn", folder / "match.log", "--book", tmp_path / "none", "--where", "player=Nobody")


def test_hands_that_are_not_scored_are_learnt(folder):
    hands = list(pm.open_hands(folder / "match.phhs"))
    scores = pm.score(hands, "som", which=lambda hand: hand is hands[-1])
    assert (scores.hands, scores.passed) == (1, 11)
    after = pm.score(hands, "som", warmup=11)
    assert scores["som"].to_dict() == after["som"].to_dict()
    assert "none of them selected" in fails("score", folder / "match.log", "--where", "player=Nobody")


def test_a_hand_by_its_id(folder):
    path = folder / "holdem.199504.tgz"
    assert run("read", path, "--where", "id=797000002-2", "--json") == run("read", path, "--hand", 2, "--json")
    assert "no hand that is selected, of 2" in fails("read", path, "--where", "id=7")
    assert "no hand that is selected, of 2" in fails("read", path, "--where", "player=Nobody")
    assert "there is no hand 3, the last hand is 2" in fails("read", path, "--hand", 3)
    first = json.loads(run("read", path, "--where", "player=Bob", "--json"))
    assert first["id"] == "797000001-1"


@pytest.mark.parametrize("model", ["loki1", "som", "loki1?calibrated=0", "uniform"])
def test_all_hands_are_read_as_one_by_one(folder, model):
    """As long as the correction goes back to the first hand."""
    path = folder / "match.phhs"
    rows = [
        json.loads(line)
        for line in run("read", path, "--model", model, "--all", "--out", "-.jsonl", "--weights").splitlines()
    ]
    assert [row.pop("number") for row in rows] == list(range(1, 13))
    for number in (1, 5, 12):
        alone = json.loads(run("read", path, "--model", model, "--hand", number, "--json", "--weights"))
        assert rows[number - 1] == {key: value for key, value in alone.items() if key in rows[0]}
    some = run(
        "read", path, "--model", model, "--all", "--out", "-.jsonl", "--weights", "--where", "showdown=yes"
    ).splitlines()
    assert [json.loads(line) for line in some] == [
        {"number": number, **row} for number, row in enumerate(rows, 1) if pm.open_hands(path).hand(number).showdown
    ]


def test_all_hands_of_a_hero(folder):
    rows = run("read", folder / "match.log", "--hero", "Alice", "--all", "--out", "-.jsonl").splitlines()
    assert {json.loads(row)["hero"] for row in rows} == {"Alice"}
    text = run("read", folder / "match.log", "--all")
    assert text.count("Result") == 3


def test_options_that_exclude_each_other(folder):
    path = folder / "match.log"
    assert "both write to standard output" in fails("read", path, "--json", "--out", "-.jsonl")
    assert "expected --out FILE.jsonl" in fails("read", path, "--all", "--json")
    assert "--hand is one hand" in fails("read", path, "--hand", 2, "--where", "player=Alice")
    assert "need a FILE" in fails("read", "--all")
    assert "expected small and big bet" in fails("list", path, "--where", "stake=high")


def test_parquet(folder, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path, out = folder / "match.phhs", tmp_path / "actions.parquet"
    run("read", path, "--all", "--out", out, "--weights")
    table = parquet.read_table(out)
    rows = [json.loads(line) for line in run("read", path, "--all", "--out", "-.jsonl", "--weights").splitlines()]
    steps = [(row["number"], step) for row in rows for step in row["steps"]]
    assert table.num_rows == len(steps)
    assert table["number"].to_pylist() == [number for number, _ in steps]
    assert table["action"].to_pylist() == [step["action"] for _, step in steps]
    assert table["entropy_bits"].to_pylist() == [step["entropy_bits"] for _, step in steps]
    weights = np.array(table["weights"].to_pylist())
    assert weights.shape == (len(steps), 1326)
    np.testing.assert_allclose(weights, [step["weights"] for _, step in steps], rtol=1e-6)
    assert [each.name for each in tmp_path.iterdir()] == [out.name]
    before = out.read_bytes()
    assert "there is no hand" in fails("read", path, "--all", "--where", "player=Nobody", "--out", out)
    assert out.read_bytes() == before


def test_parquet_without_pyarrow(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(_frames, "find_spec", lambda name: None)
    said = fails("read", folder / "match.log", "--out", tmp_path / "x.parquet")
    assert 'expected pip install "pokermodel[parquet]"' in said
    with pytest.raises(ModuleNotFoundError, match="needs pandas or polars, which is not installed"):
        pm.open_hands(folder / "match.log").to_frame()


@pytest.mark.parametrize("library", _frames.LIBRARIES)
def test_frames(folder, library):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    source = pm.open_hands(folder / "holdem.199504.tgz")
    hands = source.to_frame(library=library)
    assert type(hands).__module__.partition(".")[0] == library
    assert hands["number"].to_list() == [1, 2]
    assert hands["pot"].to_list() == [20.0, 40.0]
    assert hands["time"].to_list()[0].isoformat() == "1995-04-04T12:53:21+00:00"
    decisions = source.select("street=river").to_frame("decisions", library=library)
    assert decisions["action"].to_list() == [step.name for step in source[0].replay()]
    assert set(decisions["position"].to_list()) == {"small blind", "big blind"}
    with pm.Book("sqlite://") as book:
        book.learn(source)
        players = book.to_frame(library=library)
        assert set(players["player"].to_list()) == {"Ann", "Bob"}
        ann = book.profile("Ann").to_frame(library=library)
        assert ann["statistic"].to_list() == list(book.profile("Ann").statistics)
    report = HandReport.of(source[0], pm.OpponentModeler())
    frame = report.to_frame(weights=True, library=library)
    assert frame["action"].to_list() == decisions["action"].to_list()
    assert len(frame["weights"].to_list()[0]) == 1326
    with pytest.raises(ValueError, match="unknown library"):
        source.to_frame(library="numpy")
    with pytest.raises(ValueError, match="unknown kind of row"):
        source.to_frame("players")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """An evening of no limit and one of limit, which name Robin."""
    from importlib import resources

    folder = tmp_path_factory.mktemp("samples")
    for name in ("no-limit.txt", "limit.txt"):
        (folder / name).write_bytes(resources.files("pokermodel").joinpath("data", "samples", name).read_bytes())
    return folder


def test_hands_as_the_hero_saw_them(samples):
    head, *lines, total, robin = run("list", samples / "no-limit.txt").splitlines()
    assert " ".join(head.split()[4:]) == "hero position cards board type street pot rake net bb EV"
    assert len(lines) == 40
    assert all(" Robin " in line for line in lines)
    assert total == "40 hands"
    hands = list(pm.open_hands(samples / "no-limit.txt"))
    net = sum(hand.net[hand.players.index("Robin")] for hand in hands)
    assert robin == f"Robin: {net:+.12g} USD ({net:+.1f} bb) in 40 hands"
    rows = json.loads(run("list", samples / "no-limit.txt", "--json"))
    assert [row["hero"]["net"] for row in rows["hands"]] == [hand.net[hand.players.index("Robin")] for hand in hands]
    assert rows["heroes"]["Robin"]["hands"] == 40
    assert {row["hero"]["position"] for row in rows["hands"]} == {"UTG", "HJ", "CO", "BTN", "SB", "BB"}
    limit = json.loads(run("list", samples / "limit.txt", "--json"))["hands"]
    assert {row["hero"]["position"] for row in limit} <= {*pm.game.POSITIONS}


def test_hands_of_a_position(samples):
    """A place needs no name where the hands name their hero; in words as in JSON."""
    expected = json.loads(run("list", samples / "no-limit.txt", "--json"))["hands"]
    expected = [row for row in expected if row["hero"]["position"] == "BTN"]
    for where in ("seat=BTN", "hero=Robin seat=BTN"):
        assert json.loads(run("list", samples / "no-limit.txt", "--json", "--where", where))["hands"] == expected
        lines = run("list", samples / "no-limit.txt", "--where", where).splitlines()[1:-2]
        assert [int(line.split()[0]) for line in lines] == [row["number"] for row in expected]
        assert all(" Robin " in line and " BTN " in line for line in lines)


def test_hands_that_the_hero_won_and_lost(samples):
    def found(*options):
        return json.loads(run("list", samples / "no-limit.txt", "--json", *options))["hands"]

    everything, won, lost = found(), found("--where", "won>0"), found("--where", "lost>0")
    assert [row for row in everything if row["hero"]["net"] > 0] == won
    assert [row for row in everything if row["hero"]["net"] < 0] == lost
    losses = sorted(row["hero"]["net"] for row in lost)
    assert [row["hero"]["net"] for row in found("--where", "lost>0", "--sort", "loss")] == losses
    assert found("--where", "lost>=2bb", "--sort", "loss") == [
        row for row in found("--sort", "loss") if row["hero"]["net_bb"] <= -2
    ]
    assert [row["pot"] for row in found("--sort", "pot")] == sorted((row["pot"] for row in everything), reverse=True)
    text = run("list", samples / "no-limit.txt", "--where", "lost>0")
    assert f"{len(lost)} hands of 40" in text
    lines = run("list", samples / "no-limit.txt", "--where", "lost>0", "--out", "-.jsonl").splitlines()
    assert [json.loads(line) for line in lines] == lost


def test_another_hero(samples):
    last = run("list", samples / "no-limit.txt", "--where", "hero=Casey").splitlines()[-1]
    assert last.startswith("Casey: ")
    assert "hands without their cards" in last
    assert "'Zoe' plays in none of 40 hands" in fails("list", samples / "no-limit.txt", "--where", "hero=Zoe")


def test_what_hands_without_a_hero_are_told(folder, samples):
    assert "expected hero=NAME in --where" in fails("list", folder / "match.phhs", "--where", "lost>0")
    assert 'hero="" means none' in fails("list", samples / "no-limit.txt", "--where", "hero='' lost>0")
    assert "expected an amount of money" in fails("list", samples / "no-limit.txt", "--where", "lost>much")


def test_money_is_after_the_rake(folder):
    """Pot, rake, results and what all-ins were worth: by names and in lines."""
    rows = [json.loads(line) for line in run("list", folder / "no-limit.txt", "--out", "-.jsonl").splitlines()]
    for hand, row in zip(pm.open_hands(folder / "no-limit.txt"), rows, strict=True):
        assert (row["pot"], row["uncalled"], row["rake"]) == (hand.pot, hand.uncalled, hand.rake)
        assert (row["net"], row["all_in_ev"]) == (list(hand.net), list(hand.all_in_ev))
        assert sum(row["net"]) == pytest.approx(-row["rake"])
        assert row["pot"] + row["uncalled"] == pytest.approx(hand.money(hand._final().pot))
    assert any(row["rake"] for row in rows)
    assert any(row["uncalled"] for row in rows)
    lines = run("list", folder / "no-limit.txt", "--where", "hero=''").splitlines()
    all_ins = [number for number, row in enumerate(rows, 1) if row["all_in"]]
    assert [number for number, line in enumerate(lines[1:-1], 1) if "(EV " in line] == all_ins
    assert lines[-1] == f"{len(rows)} hands"
    assert "the history does not say it" in run("list", folder / "hands.phh", "--where", "hero=''").splitlines()[-1]
