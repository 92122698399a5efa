"""Nodes as text and as comma-separated values."""

from __future__ import annotations

import csv
import io

from pokermodel.analysis.nodes import count_nodes
from pokermodel.reading import OpponentModeler
from pokermodel.report.nodes import CSV_COLUMNS, csv_text, node_text
from tests.common.six_handed import HANDS

CBET = "BTN open 2.5bb, BB call | flop BB check -> BTN"


def test_text():
    (node,) = count_nodes(HANDS, OpponentModeler()).select(containing=CBET)
    lines = node_text(node).splitlines()
    assert lines[:2] == [node.key.line, "  no limit, 6 players, stacks 100 and more bb: 3 decisions"]
    assert "bet             2   66.7%" in node_text(node)


def test_csv():
    nodes = list(count_nodes(HANDS, OpponentModeler()))
    rows = list(csv.DictReader(io.StringIO(csv_text(nodes))))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert len(rows) == sum(len(node.choices) for node in nodes)
    (row,) = (row for row in rows if row["node"] == CBET and row["size"] == "<40%")
    assert (row["count"], row["decisions"], row["frequency"]) == ("2", "3", "0.6667")
