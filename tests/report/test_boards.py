"""Reports on many boards as text, values and a page."""

from html.parser import HTMLParser

import pytest

from pokermodel.analysis.boards import BoardsReport
from pokermodel.report.boards import boards_csv, boards_page, boards_text


def entry(board, ev, check, weight=1):
    acts = [
        {"act": "check", "to": None, "frequency": check, "ev": 1.0},
        {"act": "bet", "to": 7.5, "frequency": 1 - check, "ev": 1.0},
    ]
    return {
        "board": board,
        "weight": weight,
        "ev": [ev, 10 - ev],
        "equity": [0.4, 0.6],
        "pairs": 2.0,
        "exploitability": 0.3,
        "root": acts,
        "checked_to": None if board.startswith("K") else acts,
    }


@pytest.fixture
def report():
    return BoardsReport.of(10.0, [entry("Qs7h2h", 3.0, 0.25, 3), entry("KsKh2d", 5.0, 0.75)])


def test_text(report):
    lines = boards_text(report).splitlines()
    assert lines[0] == "2 boards, pot 10: each is exploitable by 0.3% of the pot at most."
    whole = next(line for line in lines if line.startswith("all"))
    assert whole.split()[3:9] == ["3.5", "40.0%", "88%", "6.5", "60.0%", "108%"]
    (row,) = [line for line in lines if line.startswith("KsKh2d")]
    assert row.split()[1:] == ["1", "5", "40.0%", "125%", "5", "60.0%", "83%", "75%", "25%"]


def test_values(report):
    head, *rows = boards_csv(report).splitlines()
    assert head.split(",")[:5] == ["board", "classes", "weight", "ev_oop", "equity_oop"]
    assert head.split(",")[-4:] == ["oop check", "oop bet 7.5", "ip check", "ip bet 7.5"]
    assert rows[1].split(",")[-4:] == ["0.75", "0.25", "", ""]


def test_rows_of_the_page_open_solutions(report):
    links = []

    class Links(HTMLParser):
        def handle_starttag(self, tag, attrs):
            links.extend(value for key, value in attrs if tag == "a" and key == "href")

    Links().feed(boards_page(report, lambda board: f"solved/{board}.html" if board == "KsKh2d" else None))
    assert links == ["solved/KsKh2d.html"]
