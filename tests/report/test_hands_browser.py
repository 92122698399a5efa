"""A page of several hands in a real browser: search, order, and hands that are unpacked when they are opened."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.report.document import asset
from pokermodel.report.hands_page import hand_content, hand_row, write_hands_page
from pokermodel.report.page import hand_data
from tests.common.six_handed import HANDS

from . import pages


def dated(hand, day):
    time = datetime.datetime(2020, 1, day, 12, tzinfo=datetime.UTC)
    return pm.Hand(
        hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings, hand.stacks, time=time
    )


def read(hand, hero=None):
    return [pages.report(hand, hero=hero if hero in hand.players else None, verdicts=hero in hand.players)]


#: By number: of limit with a hero, of no limit with nobody's cards, and with hostile names.
SOME = {
    2: pm.example_hand(),
    **{number: dated(hand, 30 - number) for number, hand in enumerate(HANDS, 5)},
    12: pages.ten_handed(),
}


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "hands.html"
    write_hands_page(
        path, ((hand_content(number, read(hand, "Eve")), None) for number, hand in SOME.items()), title="Some hands"
    )
    return path.read_text(encoding="ascii")


@pytest.fixture(scope="module")
def rows():
    reports = {number: read(hand, "Eve") for number, hand in SOME.items()}
    return {number: hand_row(number, of_hand, hand_data(of_hand)) for number, of_hand in reports.items()}


def wait_for_hand(page, number, title=""):
    page.wait_for_url(f"**#hand-{number}")
    page.locator("#place", has_text=f"hand {number},").wait_for()
    page.locator("#title", has_text=title).wait_for()


def numbers(page):
    return [int(text) for text in page.locator("#hands tbody th").all_inner_texts()]


def titles(page):
    return [text.rstrip(" \u25b2\u25bc").strip() for text in page.locator("#hands thead th").all_inner_texts()]


def test_search(open_html, text):
    with open_html(text) as page:
        assert page.title() == "Some hands"
        assert numbers(page) == list(SOME)
        for words, expected in (
            ("CARMEN", [2]),
            ("sam raises", [5, 6, 7, 8, 9]),  # each word somewhere
            ('"dee bets 180"', [5, 6]),
            ("Th7h2c", [2]),
            ("th 7h 2c", [2]),
            ("2020-01-25", [5]),
            ("\u05d4\u05de\u05dc\u05da", [12]),
            ("1</title>", [12]),
            ("nobody", []),
            ("", list(SOME)),
        ):
            page.fill("#search", words)
            assert numbers(page) == expected, words
            of = f"{len(expected)} of " if words else ""
            assert page.inner_text("#count") == f"{of}{len(SOME)} hands"


def test_order(open_html, text, rows):
    """By each column, up and down, as the rows say; what is not known comes last in both."""
    with open_html(text) as page:
        found = titles(page)
        assert found == [
            "Hand", "Time (UTC)", "Id", "Players", "Board", "Position", "Cards", "Pot type", "Street", "Pot", "Result",
            "Largest loss of EV (sb)", "True cards (x chance)",
        ]  # fmt: skip
        seen = {number: next((p for p in row["players"] if p[0] == "Eve"), None) for number, row in rows.items()}
        eve = {number: next((p[1] for p in row["players"] if p[0] == "Eve"), None) for number, row in rows.items()}
        best = {number: max(player[1] for player in row["players"]) for number, row in rows.items()}
        keys = {
            "Hand": {number: number for number in rows},
            "Time (UTC)": {number: row["time"] for number, row in rows.items()},
            "Position": {number: each and each[4][0] for number, each in seen.items()},
            "Street": {number: each and each[6][0] for number, each in seen.items()},
            "Pot": {number: row["pot"][0] for number, row in rows.items()},
            "Result": eve,
            "Largest loss of EV (sb)": {number: row["loss"][0] for number, row in rows.items()},
            "True cards (x chance)": {number: row["chance"][0] for number, row in rows.items()},
        }
        assert keys["Largest loss of EV (sb)"][2] > 0

        def ordered(key, down):
            known = sorted((number for number in rows if key[number] is not None), key=key.get, reverse=down)
            if down:  # of equal ones, the first hand is first
                known.sort(key=lambda number: -np.array(sorted(set(key.values()) - {None})).searchsorted(key[number]))
            return known + [number for number in rows if key[number] is None]

        assert page.input_value("#of") == "Eve"
        for title, key in keys.items():
            head = page.locator("#hands thead th").nth(found.index(title))
            for _ in range(2):
                head.locator("button").click()
                down = head.get_attribute("aria-sort") == "descending"
                known = [number for number in numbers(page) if key[number] is not None]
                values = [key[number] for number in known]
                assert values == sorted(values, reverse=down), title
                assert numbers(page)[len(known) :] == [number for number in rows if key[number] is None]
        page.select_option("#of", "")
        page.select_option("#by", label="Result")
        assert [best[number] for number in numbers(page)] == sorted(best.values(), reverse=True)
        page.click("#direction")
        assert [best[number] for number in numbers(page)] == sorted(best.values())
        page.select_option("#of", "Dee")
        assert page.locator("#hands tbody tr").last.locator("td").nth(found.index("Result") - 1).inner_text() == ""


def test_what_an_act_changed_is_found_by_the_page(open_html, text):
    """Of many hands there are tables alone; what a page of one hand is told of changes, its script works out."""
    with open_html(text) as page:
        for number, ahead in ((5, "hand 1"), (12, "")):
            page.evaluate(f"location.hash = '#hand-{number}'")
            wait_for_hand(page, number, ahead)
            page.select_option("#view", "change")
            (report,) = read(SOME[number], "Eve")
            for step in report.steps:
                page.fill("#slider", str(step.observation.decision.index + 1))
                titles = page.evaluate("[...document.querySelectorAll('.first .map button')].map(b => b.title)")
                assert ("the act changed nothing" in page.inner_text(".first")) == (step.changes is None)
                if step.changes is None:
                    continue
                for title, bits in zip(titles, step.changes.tolist(), strict=True):
                    if title.endswith("times as likely as before"):
                        times = float(title.partition(": ")[2].split()[0])
                        assert times == pytest.approx(2**bits, rel=1e-2)
                    else:
                        assert not np.isfinite(bits)


def test_hands_are_opened(open_html, text):
    """By link, key and address; what is drawn is the hand, and the way back leads to its row."""
    with open_html(text) as page:
        page.click("#hands a >> text='5'")
        page.wait_for_selector("#opened:visible")
        data = hand_data(read(SOME[5]))
        assert page.title() == data["hand"]["title"]
        assert page.inner_text("#place") == f"hand 5, 2 of {len(SOME)}"
        page.fill("#slider", "6")
        step = data["readers"][0]["steps"][5]
        weights = page.evaluate("[...document.querySelectorAll('.first .map button')].map(b => b.dataset.weight)")
        grid = pages.unpacked(data["readers"][0]["tables"][step["after"]]).grid().ravel()
        np.testing.assert_allclose([float(weight or "nan") for weight in weights], grid, rtol=1e-12)
        page.keyboard.press("n")
        wait_for_hand(page, 6, "hand 2:")
        start = hand_data(read(SOME[6]))["hand"]["start"]
        assert page.input_value("#slider") == str(start)
        page.keyboard.press("ArrowLeft")
        assert page.input_value("#slider") == str(start - 1)  # one hand listens, not both
        page.keyboard.press("p")
        wait_for_hand(page, 5, "hand 1:")
        page.go_back()
        wait_for_hand(page, 6)
        page.keyboard.press("Escape")
        page.wait_for_selector("#index:visible")
        assert page.title() == "Some hands"
        assert page.evaluate("document.activeElement.textContent") == "6"
        page.evaluate("location.hash = '#hand-12'")
        page.wait_for_selector("#opened:visible")
        assert page.get_attribute("#next", "href") is None
        assert page.locator(".seat").count() == 10
        page.evaluate("location.hash = '#hand-99'")  # there is none
        page.wait_for_selector("#index:visible")


def test_the_next_hand_is_that_of_the_index(open_html, text):
    with open_html(text) as page:
        page.keyboard.press("/")
        page.keyboard.type("dee")
        page.select_option("#by", label="Hand")
        page.click("#direction")
        assert numbers(page) == [9, 8, 7, 6, 5]
        page.focus("#search")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_selector("#opened:visible")
        assert page.inner_text("#place") == "hand 8, 2 of 5 found"
        page.click("#next")
        wait_for_hand(page, 7)
        page.click("#all")
        page.wait_for_selector("#index:visible")
        assert page.input_value("#search") == "dee"
        page.focus("#search")
        page.keyboard.press("Enter")  # opens the first that was found
        wait_for_hand(page, 9)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_index_fits_and_stands_out(open_html, text, contrast, width):
    def stands_out(selector):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert contrast(page, selector) >= 4.5

    with open_html(text, viewport={"width": width, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        stands_out("#index h1, #index label, #index button, #index td, #index th, #index a, .dim, .card")
        assert "stolen" not in page.title()
        assert page.locator("#hands img, #hands script").count() == 0
        page.evaluate("location.hash = '#hand-12'")
        page.wait_for_selector("#opened:visible")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        stands_out("#opened nav a, #opened nav span, .keys")


@pytest.mark.parametrize("width", [400, 760, 1000, 1300])
def test_the_index_is_never_cut(open_html, text, width):
    """A row a hand where there is room for all columns, else a card a hand."""
    with open_html(text, viewport={"width": width, "height": 900}) as page:
        for whose in ("", "Eve"):
            page.select_option("#of", whose)
            assert page.locator("#index .wide").evaluate("each => each.scrollWidth <= each.clientWidth + 1")
            cells = page.locator("#hands td:visible")
            edges = cells.evaluate_all("all => all.map((each) => each.getBoundingClientRect().right)")
            assert max(edges) <= width
        cards = page.locator("#hands.cardlike").count() == 1
        assert cards == (width < 1300)
        assert page.locator("#hands thead").is_visible() != cards
        page.set_viewport_size({"width": 1400, "height": 900})
        page.locator("#hands:not(.cardlike)").wait_for()


def test_a_table_that_scrolls_says_so(open_html):
    """In words where the browser knows whether it scrolls, and by shadows."""
    style = asset("base.css")
    table = "<table class='figures'><tr>" + "<td>1234567890</td>" * 12 + "</tr></table>"
    page_text = f"<!DOCTYPE html><style>{style}</style><body><div class='wide'>{table}</div>"
    with open_html(page_text, viewport={"width": 400, "height": 300}) as page:
        told = "parseFloat(getComputedStyle(document.querySelector('.wide'), '::before').height)"
        page.wait_for_function(f"{told} > 5")
        page.set_viewport_size({"width": 1900, "height": 300})
        page.wait_for_function(f"{told} < 1")


def test_many_hands_are_listed_in_parts(open_html, tmp_path):
    hand = pm.Hand("made up", "1", pm.GameSpec.ring(2, 5, 10), ["Ann", "Bo"], [(0, pm.Act.FOLD)])
    path = tmp_path / "hands.html"
    count = write_hands_page(
        path, ((hand_content(k, [pages.report(hand, "uniform")]), None) for k in range(1, 251)), title="Many"
    )
    assert count == 250
    with open_html(path.read_text(encoding="ascii")) as page:
        assert numbers(page) == [*range(1, 201)]
        assert page.inner_text("#more") == "Show 50 more of 250"
        page.click("#more")
        assert numbers(page) == [*range(1, 251)]
        assert not page.is_visible("#more")
        assert titles(page) == [
            *("Hand", "Id", "Players", "Board", "Position", "Pot type", "Street", "Pot", "Result"),
        ]  # nothing that nobody knows
