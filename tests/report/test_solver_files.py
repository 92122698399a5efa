"""Files for solvers."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hand_nodes import hand_nodes
from pokermodel.reading import OpponentModeler
from pokermodel.reading.width import Width
from pokermodel.report.solver_files import index_text, lock_text, spot_text, subgame_text, width_comment, write_nodes
from pokermodel.solving import Subgame
from pokermodel.solving.tree import betting_lines
from tests.common.six_handed import FLOP


def test_the_spot_of_the_flop():
    nodes = list(hand_nodes(FLOP, OpponentModeler(), bets=[0.5]))
    flop = nodes[6]
    text = spot_text(flop, FLOP)
    assert text is not None
    commands = dict(line.split(" ", 1) for line in text.splitlines() if not line.startswith(("#", "set_range")))
    assert commands == {"set_board": "Qh7h2c", "set_pot": "0 0 550", "set_eff_stack": "9750"}
    session = OpponentModeler()
    session.start(FLOP.players)
    for decision in list(FLOP.replay())[:6]:
        session.observe(decision)
    session.deal(flop.board)
    for side, player in (("oop", "Bea"), ("ip", "Dee")):
        width = session.width(player)
        assert flop.widths[player] == width
        assert f"#{side} {width.share:.0%} of hands, {width.combos:.0f} combos" in text.splitlines()
    told = {line.split()[1]: line for line in text.splitlines() if line.startswith("set_range")}
    for side, player in (("OOP", "Bea"), ("IP", "Dee")):
        numbers = told[side].split(" ", 2)[2]
        assert numbers == flop.tables[player].to_text("pio-numbers")
    assert spot_text(nodes[7], FLOP) is None


def test_how_wide_a_range_is_stands_in_a_comment():
    """Combos are counted: of a wide range they were a power of ten."""
    assert width_comment(Width(0.8, 0.8, None, 1061.4)) == "80% of hands, 1061 combos"
    assert width_comment(Width(0.0042, 0.5, None, 4.6)) == "0.4% of hands, 5 combos"


def test_locks_are_read_back():
    lock = list(hand_nodes(FLOP, OpponentModeler(), bets=[0.33, 0.75]))[8].lock
    assert lock is not None
    *comments, shown, strategy, locked = lock_text(lock, "a hand").splitlines()
    assert comments == ["# a hand", "# rows: b75% b33% c f"]
    assert (shown, locked) == ("show_children r:0:c:b180", "lock_node r:0:c:b180")
    numbers = np.array([float(number) for number in strategy.split(" ")[2:]])
    assert np.array_equal(numbers.reshape(4, 1326), lock.rows)


def test_files(tmp_path):
    nodes = hand_nodes(FLOP, OpponentModeler(), bets=[0.5])
    rows = write_nodes(tmp_path / "ranges", 7, FLOP, nodes, "gto+")
    (tmp_path / "index.csv").write_text(index_text(rows))
    listed = list(csv.DictReader(io.StringIO((tmp_path / "index.csv").read_text())))
    assert {row["file"] for row in listed} == {path.name for path in (tmp_path / "ranges").iterdir()}
    assert {row["kind"] for row in listed} == {"range", "lock", "spot"}
    (last,) = (row for row in listed if row["index"] == "8" and row["player"] == "Dee")
    assert last["file"] == "7-2-08-flop-BTN-Dee.range.txt"
    width = OpponentModeler()
    width.start(FLOP.players)
    for decision in list(FLOP.replay())[:8]:
        width.observe(decision)
    assert float(last["share"]) == pytest.approx(width.width("Dee").share, rel=1e-3)
    assert float(last["combos"]) == pytest.approx(width.width("Dee").combos, rel=1e-3)
    text = (tmp_path / "ranges" / last["file"]).read_text()
    session = OpponentModeler()
    *_, node = hand_nodes(FLOP, session)
    table = node.tables["Dee"]
    read = pm.WeightTable.from_text(text, table.dead)
    assert np.abs(read.values - table.scaled().values).max() < 1e-4


def test_names_that_no_file_may_have(tmp_path):
    renamed = pm.Hand(
        "x", "../1", FLOP.spec, ("a/b", "..", "c d", "e\n", "f*", "g"), FLOP.actions, FLOP.board, {}, FLOP.stacks
    )
    write_nodes(tmp_path, 1, renamed, hand_nodes(renamed, OpponentModeler(), bets=[1]), "pio")
    assert all(path.parent == tmp_path and set("/*\n ").isdisjoint(path.name) for path in tmp_path.iterdir())
    for path in tmp_path.glob("*.lock.txt"):
        commands = [line.split(" ")[0] for line in path.read_text().splitlines() if not line.startswith("#")]
        assert commands == ["show_children", "set_strategy", "lock_node"]


# ------------------------------------------------------------------------------------------------------- spots


def a_spot(board="QsJh2h8c3d", **more):
    sizes = {"bets": ["50%", "100%", "all-in"], "raises": ["60%"]}
    return Subgame(board, 200, 900, ("QQ,AK:.5", "JJ,98s"), **(sizes | more))


def test_a_script_for_pio():
    lines = subgame_text(a_spot(), "pio", 0.25).splitlines()
    assert lines[0] == "# a chip is 0.1 of the spot's units"
    assert lines[1] == f"set_range OOP {a_spot().ranges[0].to_text('pio-numbers')}"
    assert lines[3:8] == [
        "set_board QsJh2h8c3d",
        "set_pot 0 0 2000",
        "set_eff_stack 9000",
        "set_isomorphism 1 0",
        "clear_lines",
    ]
    assert lines[8:15] == [
        "add_line 0 0",
        "add_line 0 1000 3400 9000",
        "add_line 0 2000 5600 9000",
        "add_line 0 9000",
        "add_line 1000 3400 9000",
        "add_line 2000 5600 9000",
        "add_line 9000",
    ]
    assert lines[15:] == ["build_tree", "set_accuracy 5", "go"]


def test_lines_of_later_streets():
    """Calls stand where the hand goes on; all-in and called it is over."""
    lines = betting_lines(a_spot("QsJh2h8c", bets=["100%"], raises=[]))
    assert lines == [
        (0, 0, 0, 0), (0, 0, 0, 2000), (0, 0, 2000), (0, 2000, 2000, 2000, 2000), (0, 2000, 2000, 2000, 9000),
        (0, 2000, 2000, 9000), (2000, 2000, 2000, 2000), (2000, 2000, 2000, 9000), (2000, 2000, 9000),
    ]  # fmt: skip
    assert betting_lines(a_spot("QsJh2h8c", bets=["all-in"], raises=[])) == [
        (0, 0, 0, 0), (0, 0, 0, 9000), (0, 0, 9000), (0, 9000), (9000,)
    ]  # fmt: skip
    limit = Subgame("QsJh2h8c3d", 6, None, ("QQ", "JJ"), structure="limit", small_bet=1, big_bet=2, cap=2)
    unit = limit.chips(2)
    assert betting_lines(limit) == [(0, 0), (0, unit, 2 * unit), (unit, 2 * unit)]


def test_an_input_of_texassolver():
    text = subgame_text(
        a_spot("QsJh2h8c", streets={"river": {"bets": ["33.5%"], "oop": {"donk": False}}}), "texassolver"
    )
    lines = text.splitlines()
    assert lines[:3] == ["set_pot 200", "set_effective_stack 900", "set_board Qs,Jh,2h,8c"]
    assert lines[3].startswith("set_range_ip JsJd,JsJc,JdJc,9s8s")
    assert "set_bet_sizes oop,turn,bet,50,100" in lines
    assert "set_bet_sizes oop,turn,allin" in lines
    assert "set_bet_sizes ip,river,bet,33.5" in lines
    assert "set_bet_sizes ip,river,raise,60" in lines
    assert not any("donk" in line or "river,allin" in line for line in lines)
    assert lines.index("build_tree") < lines.index("start_solve")
    assert "set_accuracy 0.5" in lines


def test_a_spot_for_gto():
    lines = subgame_text(a_spot(), "gto+").splitlines()
    assert lines[:3] == ["board QsJh2h8c3d", "pot 200", "stack 900"]
    assert "[50.0]AKs,AKo[/50.0]" in lines[4]


@pytest.mark.parametrize(
    ("solver", "more", "message"),
    [
        ("piosolver", {}, "unknown solver 'piosolver': expected one of pio, gto+, texassolver"),
        ("pio", {"rake": 0.05}, "rake cannot be said"),
        ("texassolver", {"rake": 0.05}, "TexasSolver's input has no rake"),
        (
            "texassolver",
            {"bets": ["geometric"]},
            "TexasSolver has no size 'geometric', which the menu of river, oop has",
        ),
        (
            "texassolver",
            {"structure": "pot limit", "bets": ["pot"], "raises": ["pot"]},
            "TexasSolver knows no pot limit",
        ),
    ],
)
def test_what_other_solvers_do_not_know(solver, more, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        subgame_text(a_spot(**more), solver)
