"""``pokermodel sample``: the hands that ship, and that the documentation runs with."""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import pytest

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.histories import phh
from pokermodel.histories.samples import FILES, HANDS
from pokermodel.library import Book
from tests.common import desk
from tests.common.six_handed import HANDS as SIX_HANDED

TOOLS = Path(__file__).parents[2] / "tools"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples") / "hands"
    assert run("sample", folder) == 0
    return folder


def test_all_hands_can_be_read(folder, capsys):
    assert {path.name for path in folder.iterdir() if path.is_file()} == {*FILES, "players.db"}
    hands = {name: list(pm.open_hands(folder / name)) for name in HANDS}
    assert {name: len(some) for name, some in hands.items()} == {
        "no-limit.txt": 40,
        "limit.txt": 40,
        "heads-up.log": 3000,
        "hands.phh": 1,
        "cash.phhs": 5,
        "match.log": 3,
        "holdem.199504.tgz": 2,
    }
    for name in desk.SESSIONS:
        for hand in hands[name]:
            assert hand.holdings.keys() >= {hand.players.index("Robin")}
            assert hand.stated_payoffs is not None
            assert sum(hand.stated_payoffs) <= 0  # the rake


def test_the_spot_can_be_solved(folder):
    subgame = pm.Subgame.from_toml(folder / "spot.toml")
    assert pm.solve(subgame, target=0.5).exploitability < 0.5


def test_the_book_has_learnt_all_of_them(folder):
    with Book(folder / "players.db", create=False) as book:
        assert book.learn(pm.open_hands(folder / "no-limit.txt")).new == 0
        assert "Robin" in set(book)


def test_the_five_hands_are_those_that_tests_know_by_name(folder):
    hands = [phh.loads(phh.dumps(hand)) for hand in SIX_HANDED]
    read = list(pm.open_hands(folder / "cash.phhs"))
    assert [(hand.actions, hand.board, hand.stacks) for hand in read] == [
        (hand.actions, hand.board, hand.stacks) for hand in hands
    ]


def test_they_are_made_again_with_the_same_bytes(folder, monkeypatch, tmp_path, capsys):
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.setattr(sys, "argv", ["make_samples.py", "--out", str(tmp_path)])
    import make_samples

    make_samples.main()
    for name in desk.SESSIONS:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    assert lzma.decompress((tmp_path / f"{desk.MATCH}.xz").read_bytes()) == (folder / desk.MATCH).read_bytes()


def test_a_call_on_the_river_loses_five_big_blinds(folder):
    last = list(pm.open_hands(folder / "no-limit.txt"))[-1]
    call = pm.verdict(last, 13, hero="Robin", fast=True)
    assert call.word in ("mistake", "big mistake")
    assert call.ci95[0] > 4
    assert 5 <= call.loss < 6


def test_kit_folds_too_much_to_bets_on_the_turn(folder, capsys):
    assert run("profile", "Kit", "--book", folder / "players.db", "--json") == 0
    profile = json.loads(capsys.readouterr().out)
    assert profile["hands"] == 3000
    found = {each["key"]: each for each in profile["exploits"]["found"]}
    assert found["bluff:turn"]["low"] > 0.6
    assert found["bluff:turn"]["side"] == "above"


def test_other_files_are_left_as_they_are(tmp_path, capsys):
    (tmp_path / "limit.txt").write_text("mine")
    assert run("sample", tmp_path) == 2
    assert "limit.txt: there is another file of this name" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["limit.txt"]


def test_nothing_is_learnt_into_the_book_of_another(tmp_path, capsys):
    """The command looks for the book before it writes anything."""
    with Book(tmp_path / "players.db") as book:
        book.learn(SIX_HANDED[:1])
    before = (tmp_path / "players.db").read_bytes()
    assert run("sample", tmp_path) == 2
    assert "players.db: there is another file of this name" in capsys.readouterr().err
    assert (tmp_path / "players.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["players.db"]


def test_a_second_time_changes_nothing(folder, capsys):
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir() if path.is_file()}
    assert run("sample", folder) == 0
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="links take a right there")
@pytest.mark.parametrize("name", ["limit.txt", "players.db"])
def test_nothing_is_written_through_a_link(tmp_path, capsys, name):
    (tmp_path / "hands").mkdir()
    (tmp_path / "hands" / name).symlink_to(tmp_path / "elsewhere")
    assert run("sample", tmp_path / "hands") == 2
    assert len(list(tmp_path.rglob("*"))) == 2
