"""The page of many boards in a real browser."""

from __future__ import annotations

from pokermodel.analysis.boards import BoardsReport
from pokermodel.report.boards import boards_page

from .test_boards import entry

ROWS = (
    "[...document.querySelectorAll('#rows tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[0].innerText)"
)


def test_boards_sort_and_are_filtered(open_html):
    boards = {"Qs7h2h": 3.0, "KsKh2d": 5.0, "Qs7h2d": 4.0}
    report = BoardsReport.of(10.0, [entry(board, ev, 0.5) for board, ev in boards.items()])
    with open_html(boards_page(report, lambda board: None)) as page:
        assert page.evaluate(ROWS) == list(boards)
        page.get_by_role("button", name="EV oop").last.click()
        assert page.evaluate(ROWS) == ["KsKh2d", "Qs7h2d", "Qs7h2h"]
        page.get_by_role("button", name="EV oop").last.click()
        assert page.evaluate(ROWS) == ["Qs7h2h", "Qs7h2d", "KsKh2d"]
        page.get_by_role("searchbox").fill("rainbow Q-high")
        assert page.evaluate(ROWS) == ["Qs7h2d"]
        assert page.locator("#left").inner_text() == "1 of 3"
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
