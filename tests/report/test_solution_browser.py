"""The page of a solution in a real browser."""

from __future__ import annotations

import re

import pytest

from pokermodel.analysis.solution import solution_report
from pokermodel.cards import card_indices
from pokermodel.reading.width import Width
from pokermodel.report.solution_page import solution_page
from pokermodel.solving import Lock, Subgame, solve

from . import pages

TEXTS = "h1, h2, p, th, td, li, label, .act b, .act span:not(.swatch), .deal span, .map button span, footer p"


def made(board="QsJh2h8c3d", names=("out of position", "in position"), lines=(), cards=(), locks=()):
    spot = Subgame(
        board, 200, 900, ("QQ,AK,98s,22,T9s,A5s", "JJ,KK:.5,T9s,AA,QTs"), bets=["50%", "all-in"], raises=["60%"],
        locks=locks,
    )  # fmt: skip
    solution = solve(spot, target=1)
    return solution_page(solution_report(solution, names=names, cards=cards), lines=lines)


@pytest.fixture(scope="module")
def river():
    lock = Lock("r:0:b100", {"fold": 0.7, "call": 0.2, "b340": 0.1}, 0.5)
    return made(locks=[lock], lines=["Ann with AsKs on QsJh2h8c3d: check 100%."])


@pytest.fixture(scope="module")
def turn():
    return made("QsJh2h8c", cards=[card_indices("Ah")])


def shown(page, node):
    """Wait until a node is shown."""
    page.wait_for_selector(f'main[aria-busy="false"][data-node="{node}"]')


def test_walk(open_html, river):
    """A click takes an act, the way back is there, and so it is by keys."""
    with open_html(river) as page:
        shown(page, "r:0")
        assert page.locator("#choices .act b").all_text_contents() == ["check", "bet 100", "bet 900, all-in"]
        assert page.locator(".back").is_disabled()
        page.click("[data-part=b100]")
        shown(page, "r:0:b100")
        assert page.locator("#choices .act b").all_text_contents() == ["fold", "call", "raise to 340"]
        assert "locked with confidence 0.5" in page.locator("#where").text_content()
        page.click("[data-part=c]")
        shown(page, "r:0:b100:c")
        assert "showdown" in page.locator("#where").text_content()
        assert page.locator("#play").is_hidden()
        assert "equity" in page.locator(".side .equity").first.text_content()
        page.keyboard.press("Backspace")
        shown(page, "r:0:b100")
        page.keyboard.press("3")
        shown(page, "r:0:b100:b340")
        page.click('#path [data-node="r:0:b100"]')
        shown(page, "r:0:b100")
        page.keyboard.press("Home")
        shown(page, "r:0")
        page.click("#locks button")
        shown(page, "r:0:b100")
        assert page.locator("#told p").all_text_contents() == ["Ann with AsKs on QsJh2h8c3d: check 100%."]


def test_colours_of_acts(open_html, river):
    """Folds are blue, checks and calls green, bets and raises red; what never comes there has no colour."""
    with open_html(river) as page:
        shown(page, "r:0")
        page.click("[data-part=b100]")
        shown(page, "r:0:b100")
        image = "document.querySelector('#strategy [data-class=\"{}\"]').style.backgroundImage"
        for color in ("fold", "call", "bet2"):
            assert f"var(--act-{color})" in page.evaluate(image.format("AA"))
        assert page.evaluate(image.format("72o")) == ""
        read = "getComputedStyle(document.querySelector('.a-{}')).backgroundColor.match(/[0-9]+/g).map(Number)"
        red, green, blue = (page.evaluate(read.format(color)) for color in ("bet2", "call", "fold"))
        assert max(red) == red[0]
        assert max(green) == green[1]
        assert max(blue) == blue[2]


def test_a_hand(open_html, river):
    with open_html(river) as page:
        shown(page, "r:0")
        page.click("#strategy [data-class=AKs]")
        assert page.locator("#chosen h2").text_content() == "AKs"
        assert page.locator("#chosen tbody tr").count() == 4
        page.locator("#strategy [data-class=AKs]").focus()
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.dataset.class") == "AA"
        page.keyboard.press("Enter")
        assert page.locator("#chosen").text_content().startswith("AAIt never comes here.")
        page.select_option("#view", "ev")
        assert page.locator("#strategy [data-class=QQ] .number").text_content() != ""


def test_cards(open_html, turn):
    """A card leads to the next street where the page has it, and the others say that it has them not."""
    with open_html(turn) as page:
        shown(page, "r:0")
        page.click("[data-part=c]")
        page.click("[data-part=c]")
        shown(page, "r:0:c:c")
        assert page.locator(".deal").count() == 48
        assert page.locator(".deal:enabled").count() == 1
        assert "(not on this page)" in page.locator("[data-card='2c']").get_attribute("title")
        page.click("[data-card=Ah]")
        shown(page, "r:0:c:c:Ah")
        assert page.locator("#path button").count() == 5
        assert "It leaves out what lies behind other cards" in page.locator("#left_out").text_content()


@pytest.mark.parametrize("which", ["river", "turn"])
def test_width(open_html, which, request):
    """Nothing makes the page wider than the screen, at any of its nodes; all maps can be seen whole."""
    with open_html(request.getfixturevalue(which)) as page:
        for width in (1300, 400):
            page.set_viewport_size({"width": width, "height": 900})
            for part in (None, "[data-part=c]", "[data-part=c]"):
                if part is not None:
                    page.click(part)
                page.wait_for_selector('main[aria-busy="false"]')
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.keyboard.press("Home")
            shown(page, "r:0")
            page.click("#strategy [data-class=AKs]")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.click("#strategy [data-class=AKs]")
            if width == 1300:  # what matters is there without scrolling
                assert page.evaluate("document.getElementById('play').getBoundingClientRect().bottom") <= 900
            maps = "[...document.querySelectorAll('.map')]"
            assert page.evaluate(f"{maps}.every((each) => each.getBoundingClientRect().right <= innerWidth)")


def test_contrast(open_html, contrast, river, turn):
    for html, parts in ((river, ["[data-part=b100]"]), (turn, ["[data-part=c]", "[data-part=c]"])):
        with open_html(html) as page:
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                shown(page, "r:0")
                assert contrast(page, TEXTS) >= 4.5
                for part in parts:
                    page.click(part)
                page.wait_for_selector('main[aria-busy="false"]')
                assert contrast(page, TEXTS) >= 4.5
                page.keyboard.press("Home")


def test_names_are_text(open_html):
    """Hostile names of players are shown as text."""
    html = made(names=(pages.NAMES[0], pages.NAMES[6]), lines=[pages.NAMES[1]])
    with open_html(html) as page:
        shown(page, "r:0")
        assert page.locator(".side h2").all_text_contents() == [pages.NAMES[0], "\\u202eevil\\u2066"]
        assert page.title() == "QsJh2h8c3d, pot 200"
        page.click("[data-part=c]")
        page.wait_for_selector('main[data-node="r:0:c"]')
        assert pages.NAMES[0] in page.locator("#path").text_content()


def test_how_wide_ranges_are(open_html):
    """In the words of `read`: at the root the reader's, and behind an act by what the solution does."""
    widths = Width(0.02, 0.53, None, 29.0), Width(0.1, 0.4, None, 110.0)
    spot = Subgame("QsJh2h8c3d", 200, 900, ("QQ,AK,98s", "JJ,KK:.5,T9s"), bets=["50%"], raises=[])
    report = solution_report(solve(spot, target=1), widths=widths)
    bets = report.nodes["r:0:b100"].ranges[0].total / report.nodes["r:0"].ranges[0].total
    with open_html(solution_page(report)) as page:
        shown(page, "r:0")
        texts = page.locator(".side .equity").all_text_contents()
        assert texts[0].endswith("53% of what reached this point · 29 combos · (2% of all hands)")
        assert re.search(r"EV [\d.]+ \(a best response: [\d.]+ more\), ", texts[0])
        assert "\u00b1" not in page.inner_text("body")  # it always means 95%
        assert texts[1].endswith("40% of what reached this point · 110 combos · (10% of all hands)")
        page.click("[data-part=b100]")
        shown(page, "r:0:b100")
        texts = page.locator(".side .equity").all_text_contents()
        assert f"{bets:.0%} of what reached this point · {29 * bets:.0f} combos" in texts[0]
        assert texts[1].endswith("40% of what reached this point · 110 combos · (10% of all hands)")
