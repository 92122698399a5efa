"""``pokermodel profile``: by position, street, stake and date, and as comma-separated values."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.cli.main import cli
from pokermodel.histories import phh
from pokermodel.learning.statistics import DEPTHS
from tests.common.books import FREE, HANDS, POTS, STATISTICS, played


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    with pm.Book("players") as book:
        book.learn(HANDS, kinds=STATISTICS)
        yield book


@pytest.fixture
def said(capsys):
    def said(*arguments, status=0):
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["profile", *arguments, "--book", "players"])
        output = capsys.readouterr()
        assert left.value.code == status, output.err
        return output.err if status else output.out

    return said


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_all_that_is_shown(book, said, tmp_path):
    found = rows(said("--out", "-.csv"))
    assert list(found[0]) == [
        *("player", "structure", "by", "group", "statistic", "numerator", "denominator", "value", "low", "high"),
    ]
    assert {row["player"] for row in found} == set(book)
    profile = book.profile("Ann")
    mine = {row["statistic"]: row for row in found if row["player"] == "Ann"}
    assert mine["hands"]["value"] == str(profile.hands)
    assert list(mine) == ["hands", *profile.statistics]
    for key, statistic in profile.statistics.items():
        for column, value in statistic.to_dict().items():
            assert mine[key][column] == ("" if value is None else str(value))
    assert rows(said("Ann", "--out", "-.csv")) == list(mine.values())
    assert said("--out", "all.csv") == ""
    assert rows((tmp_path / "all.csv").read_text()) == found


@pytest.mark.parametrize("by", ["position", "stake", "month", "day", "street", "depth", "structure"])
def test_parts_are_the_same_in_every_form(book, said, by):
    found = rows(said("Ann", "--by", by, "--out", "-.csv"))
    assert {(row["player"], row["by"]) for row in found} == {("Ann", by)}
    as_json = json.loads(said("Ann", "--by", by, "--json"))
    assert (as_json["name"], as_json["by"], as_json.pop("other_structures")) == ("Ann", by, [])
    assert as_json.pop("to_learn_again") == []
    assert list(as_json["groups"]) == list(dict.fromkeys(row["group"] for row in found))
    text = said("Ann", "--by", by)
    for group, figures in as_json["groups"].items():
        assert group in text
        assert ("hands" in figures) == (by != "street")
        for key, statistic in figures["statistics"].items():
            (row,) = [row for row in found if (row["group"], row["statistic"]) == (group, key)]
            assert row["denominator"] == str(statistic["denominator"])
    everybody = json.loads(said("--by", by, "--json"))
    assert everybody["hands"] == book.hands
    assert as_json in everybody["players"]
    assert [row for row in rows(said("--by", by, "--out", "-.csv")) if row["player"] == "Ann"] == found


def test_by_position(book, said):
    lines = said("Ann", "--by", "position", "--all").splitlines()
    hands = book.profile("Ann").totals.positions
    assert lines[0] == f"Ann: {hands.sum()} hands by position"
    start = next(k for k, line in enumerate(lines) if line.startswith(" hands"))
    assert [line.split()[-2:] for line in lines[start : start + 3]] == [
        ["blind", str(hands[0])],
        ["blind", str(hands[1])],
        ["button", str(hands[5])],
    ]
    vpip = book.breakdown("position", "Ann")["button"].statistics["vpip"]
    line = next(line for line in lines if "button" in line and f"{vpip.numerator} / {vpip.denominator}" in line)
    assert f"{vpip.value:.1%}" in line
    assert f"{vpip.low:.1%} to {vpip.high:.1%}" in line


def test_groups_are_columns_of_one_table(book, said, monkeypatch):
    first, _, heads, _, *lines = said("Ann", "--by", "position").splitlines()
    assert first.startswith("Ann: ")
    assert heads.split() == ["small", "blind", "big", "blind", "button"]
    groups = book.breakdown("position", "Ann")
    shown = {line[:15].strip(): line for line in lines if line.startswith(" ")}
    assert shown["hands"].split()[1:] == [f"{groups[name].hands:,}" for name in ("small blind", "big blind", "button")]
    vpip = groups["button"].statistics["vpip"]
    assert shown["VPIP"].endswith(f"{vpip.value:.0%} of {vpip.denominator}")
    assert lines[-1].endswith("--all.")
    monkeypatch.setenv("COLUMNS", "50")  # no room for columns
    assert "95% interval" in said("Ann", "--by", "position")
    assert "expected a NAME" in said("--all", status=2)
    assert "no --out FILE.csv" in said("Ann", "--all", "--out", "-.csv", status=2)


def test_the_first_screen_answers(mixed, said):
    text = said("Ann", "--where", "structure=no-limit")
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 100
    for words in ("VPIP", "bb/100", "Where they differ", "What exploits them", "--all"):
        assert words in text
    for words in ("called or raised pre-flop", "Raise pre-flop", "shown, how often", "hands: * won"):
        assert words not in text
        assert words in said("Ann", "--where", "structure=no-limit", "--all")


def test_by_street(said, book):
    text = said("Ann", "--by", "street")
    assert text.startswith("Ann by street\n")
    assert "hands" not in text
    street = json.loads(said("Ann", "--by", "street", "--json"))["groups"]
    assert list(street) == ["pre-flop", "flop", "turn", "river"]
    assert list(street["river"]["statistics"]) == [
        *("cbet", "fold_to_cbet", "raise_cbet", "donk", "probe", "float", "check_raise", "af", "afq"),
    ]
    assert list(street["pre-flop"]["statistics"]) == [
        *("vpip", "pfr", "rfi", "limp", "cold_call", "three_bet", "fold_to_three_bet", "steal", "fold_to_steal"),
    ]
    # rounds stand beside each other where they are not told apart, and are not added
    whole = book.profile("Ann").statistics
    for key in "cbet", "fold_to_cbet", "donk":
        for round, shown in ("flop", key), ("turn", f"{key}_turn"), ("river", f"{key}_river"):
            assert street[round]["statistics"][key] == whole[shown].to_dict()
    assert whole["cbet_turn"].name == "CBet turn"
    assert whole["check_raise"].denominator == sum(
        street[round]["statistics"]["check_raise"]["denominator"] for round in ("flop", "turn", "river")
    )


def test_what_is_refused(book, said):
    assert "expected a NAME, or --json or --out for all" in said("--by", "stake", status=2)
    assert "both write to standard output" in said("--out", "-.csv", "--json", status=2)
    assert "'position', 'table', 'street', 'stake', 'month', 'day', 'depth', 'structure'" in said(
        "Ann", "--by", "town", status=2
    )
    assert "did you mean 'Ann'" in said("Anne", "--by", "stake", status=2)
    assert "nowhere" in said("--out", "nowhere/all.csv", status=2)


@pytest.fixture
def mixed(book):
    """A book with hands of all structures."""
    book.learn([*FREE, *POTS], kinds=STATISTICS)
    return book


def test_structures_are_shown_one_by_one(mixed, said, monkeypatch):
    profiles = mixed.profiles("Ann")
    text = said("Ann", "--all")
    for structure, profile in profiles.items():
        of = "" if structure == "limit" else f" of {structure}"
        assert f"Ann: {profile.hands} hands{of}\n" in text
    assert text.count("called or raised pre-flop") == 3
    assert text.count("judged by") == 1  # Loki-1's contexts
    assert text.count("Raise pre-flop") == 2
    alone = said("Ann", "--where", "structure=no-limit", "--all")
    assert alone.startswith(f"Ann: {profiles['no limit'].hands} hands of no limit\n")
    assert alone.strip() in text
    assert "raised a 3-bet" not in said("Ann", "--where", "structure=limit")
    assert max(map(len, text.splitlines())) <= 100

    monkeypatch.setenv("COLUMNS", "60")  # a line too long is better than lost figures
    last = [
        line.split()[-1]
        for line in said("Ann", "--where", "structure=no-limit", "--all").splitlines()
        if "Raise pre-flop" in line
    ]
    assert last == [f"{profiles['no limit'].sizes['preflop_raise_size'].all_in.value:.0%}"]

    report = json.loads(said("Ann", "--json"))
    found = [report, *report["other_structures"]]
    assert sorted(each["structure"] for each in found) == ["limit", "no limit", "pot limit"]
    assert [each["hands"] for each in found] == sorted((each["hands"] for each in found), reverse=True)
    for each in found:
        expected = profiles[each["structure"]].to_dict()
        assert {key: each[key] for key in expected} == json.loads(json.dumps(expected))
    report = json.loads(said("Ann", "--where", "structure=pot-limit", "--json"))
    assert (report["structure"], report["other_structures"]) == ("pot limit", [])

    listed = said()
    assert [line for line in listed.splitlines() if line.endswith("players")] == [
        f"{mixed.hands} hands, {len(mixed)} players",
        *("limit: 5 players", "pot limit: 5 players", "no limit: 5 players"),
    ]
    assert listed.count("sb/hand") == 1
    assert listed.count("bb/hand") == 2
    everybody = json.loads(said("--where", "structure=no-limit", "--json"))["players"]
    assert [each["structure"] for each in everybody] == ["no limit"] * 5


@pytest.mark.parametrize("by", ["position", "street", "depth", "stake", "structure"])
def test_parts_of_structures(mixed, said, by):
    found = rows(said("Ann", "--by", by, "--out", "-.csv"))
    assert {row["structure"] for row in found} == {"limit", "pot limit", "no limit"}
    report = json.loads(said("Ann", "--by", by, "--json"))
    parts = [report, *report["other_structures"]]
    assert len(parts) == (1 if by == "structure" else 3)
    for part in parts:
        for group, figures in part["groups"].items():
            structure = group if by == "structure" else part["structure"]
            here = [row for row in found if (row["structure"], row["group"]) == (structure, group)]
            if "hands" in figures:
                assert here[0]["value"] == str(figures["hands"])
            for key, size in figures.get("sizes", {}).items():
                (row,) = [row for row in here if row["statistic"] == key]
                assert row["value"] == ("" if size["median"] is None else str(size["median"]))
                (row,) = [row for row in here if row["statistic"] == f"{key}:all-in"]
                assert row["denominator"] == str(size["all_in"]["denominator"])
    text = said("Ann", "--by", by, "--all")
    assert text.count("\nAnn") + text.startswith("Ann") == len(parts)
    assert "Raise pre-flop" in text
    if by == "depth":
        depths = list(mixed.breakdown("depth", "Ann", "no limit"))
        assert depths == [depth for depth in DEPTHS if depth in depths]
        assert [group for part in parts if part["structure"] == "no limit" for group in part["groups"]] == depths
        (limit,) = [part for part in parts if part["structure"] == "limit"]
        assert list(limit["groups"]) == ["unknown"]
    only = rows(said("--by", by, "--where", "structure=pot-limit", "--out", "-.csv"))
    assert [row for row in only if row["player"] == "Ann"] == [row for row in found if row["structure"] == "pot limit"]


def test_a_structure_that_nobody_played(book, said):
    assert "'Ann' has played no hands of no limit" in said("Ann", "--where", "structure=no-limit", status=2)
    assert "the book has no hands of pot limit" in said("--where", "structure=pot-limit", status=2)
    assert "expected limit, pot-limit, no-limit" in said("--where", "structure=draw", status=2)
    assert "'Ann' has played no hands of pot=9-bet" in said("Ann", "--where", "pot=9-bet", status=2)


def test_a_filter_chooses_hands_of_a_book(book, said):
    button = json.loads(said("Ann", "--where", "seat=BTN", "--json"))
    expected = book.breakdown("position", "Ann")["button"]
    assert button["hands"] == expected.hands == button["over_time"]["winnings"][-1]["hands"]
    assert button["statistics"] == {key: each.to_dict() for key, each in expected.statistics.items()}
    parts = json.loads(said("Ann", "--where", "seat=BTN", "--by", "position", "--json"))["groups"]
    assert list(parts) == ["button"]


def test_names_are_no_formulas(book, said):
    """A spreadsheet would run a player's name that begins like a formula."""
    book.learn([played(1, 1, ("=1+1", "@x", "Ann"))], kinds=STATISTICS)
    assert {"'=1+1", "'@x", "Ann"} <= {row["player"] for row in rows(said("--out", "-.csv"))}
    assert said("@x")


def test_hands_instead_of_a_book(tmp_path, monkeypatch):
    """What is learnt of them is what a book of them says; a filter chooses some."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "hands.phhs"
    file.write_text(phh.dumps_all(HANDS))

    def said(*arguments):
        result = CliRunner().invoke(cli, ["profile", *map(str, arguments)])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    hands = list(pm.open_hands(file))
    with pm.Book("players") as book:
        book.learn(hands, kinds=["statistics", "adaptive"])
    assert said("Ann", "--history", file, "--json") == said("Ann", "--book", "players", "--json")
    some = said("--history", file, "--where", "hero=Ann street>=turn", "--json")
    assert some["hands"] == sum("Ann" in hand.players and hand.last_round >= 2 for hand in hands) > 0
    result = CliRunner().invoke(cli, ["profile", "Ann", "--history", str(file), "--book", "players"])
    assert "expected either --book BOOK or --history FILE" in result.output
