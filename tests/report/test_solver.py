"""Files for solvers."""

from __future__ import annotations

import csv
import io

import numpy as np

import pokermodel as pm
from pokermodel.analysis.solver import hand_nodes
from pokermodel.reading import OpponentModeler
from pokermodel.report.solver import index_text, lock_text, spot_text, write_nodes
from tests.common.six_handed import FLOP


def test_the_spot_of_the_flop():
    nodes = list(hand_nodes(FLOP, OpponentModeler(), bets=[0.5]))
    flop = nodes[6]
    text = spot_text(flop, FLOP)
    assert text is not None
    commands = dict(line.split(" ", 1) for line in text.splitlines() if not line.startswith(("#", "set_range")))
    assert commands == {"set_board": "Qh7h2c", "set_pot": "0 0 550", "set_eff_stack": "9750"}
    told = {line.split()[1]: line for line in text.splitlines() if line.startswith("set_range")}
    for side, player in (("OOP", "Bea"), ("IP", "Dee")):
        numbers = told[side].split(" ", 2)[2]
        assert numbers == flop.tables[player].to_text("pio-numbers")
    assert spot_text(nodes[7], FLOP) is None


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
