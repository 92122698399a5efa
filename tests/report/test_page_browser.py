"""The page of a hand in a real browser."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import State
from pokermodel.report.page import hand_page, page_data

from . import pages


@pytest.fixture
def open_page(open_html):
    """Open the page of a hand, given a report for each reader."""
    return lambda *reports, **context: open_html(hand_page(reports), **context)


def weights_of(page, column=0):
    """What the cells of a map say, by class."""
    maps = "document.querySelectorAll('.map')"
    return page.evaluate(f"k => [...{maps}[k].querySelectorAll('button')].map(b => b.dataset.weight)", column)


def test_the_slider_goes_through_the_hand(open_page):
    """Each cell has the weight that the data have, whoever acts, for both readers."""
    hand = pm.example_hand()
    data = page_data([pages.report(hand), pages.report(hand, "loki2")])
    with open_page(pages.report(hand), pages.report(hand, "loki2")) as page:
        assert page.input_value("#slider") == "0"
        assert page.get_attribute("#slider", "max") == "29"
        for moment in (1, 9, 17, 28):
            page.fill("#slider", str(moment))
            for column, reader in enumerate(data["readers"]):
                step = reader["steps"][moment - 1]
                table = pages.unpacked(reader["tables"][step["after"]])
                shown = [float(text or "nan") for text in weights_of(page, column)]
                np.testing.assert_allclose(shown, table.grid().ravel(), rtol=1e-12)
                said = page.locator("article").nth(column).locator(".said li").all_inner_texts()
                assert said == [line for _, line in step["lines"]]
            assert page.locator(".seat.acts bdi").inner_text() == hand.players[step["seat"]]
            assert page.locator(".seat[aria-pressed=true] bdi").inner_text() == hand.players[step["seat"]]


def test_keys_and_buttons(open_page):
    with open_page(pages.report(pm.example_hand())) as page:
        for press, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 29), ("Home", 0)):
            page.keyboard.press(press)
            assert page.input_value("#slider") == str(expected)
        for button, expected in (("#last", 29), ("#back", 28), ("#first", 0), ("#forward", 1)):
            page.click(button)
            assert page.input_value("#slider") == str(expected)
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert page.input_value("#slider") == "2"
        page.focus("[data-class=AA]")  # in a map the keys go from class to class
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        assert page.input_value("#slider") == "2"
        assert page.locator(".map button.open").get_attribute("data-class") == "KK"
        assert page.locator(".combos tbody tr").count() == 6


def test_choices(open_page):
    """A player who is chosen stays; the change by the act and the holdings of a class are shown when asked for."""
    hand = pm.example_hand()
    data = page_data([pages.report(hand)])["readers"][0]
    with open_page(pages.report(hand)) as page:
        page.fill("#slider", "20")
        page.click(".seat:has-text('Eve')")
        page.click("#forward")
        assert not page.is_checked("#follow")
        assert page.locator(".seat[aria-pressed=true] bdi").inner_text() == "Eve"
        step = [step for step in data["steps"][:21] if hand.players[step["seat"]] == "Eve"][-1]
        page.click("[data-class='98s']")
        held = page.locator(".combos tbody tr", has=page.locator("[aria-label='9h']")).inner_text()
        weight = pages.report(hand).to_dict(weights=True)["steps"][step["index"]]["weights"][pm.holding_index("9h8h")]
        assert float(held.split("\t")[1]) == pytest.approx(weight, rel=6e-3)
        assert "98s" in page.locator(".map button.held").get_attribute("aria-label")
        page.uncheck("#cards")
        assert page.locator(".map button.held").count() == 0
        assert page.locator(".seat .card:not(.back)").count() == 0
        page.select_option("#view", "change")
        title = page.get_attribute("[data-class=AA]", "title")
        assert title == f"AA: a holding is {2 ** step['change'][0]:.3g} times as probable as before"


def test_values_of_acts(open_page):
    with open_page(pages.report(pm.example_hand(), hero="Eve")) as page:
        page.fill("#slider", "26")
        assert page.locator("svg.worth .bar").count() == 3
        assert "standard error" in page.locator("svg.worth").get_attribute("aria-label")
        assert "In Eve's place" in page.locator("article").inner_text()
        page.fill("#slider", "25")
        assert page.locator("svg.worth").count() == 0


def test_no_limit(open_page):
    with open_page(pages.report(pages.no_limit(), hero="Cy")) as page:
        page.fill("#slider", "7")
        assert page.locator(".seat", has_text="Cy").locator(".stack").inner_text() == "all-in"
        assert "needs" in page.locator(".said [data-kind=price]").inner_text()
        page.keyboard.press("End")
        assert page.locator(".middle .card").count() == 5
        assert page.locator(".seat", has_text="Ann").locator(".won").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_names_are_text(open_page, width):
    """No name runs, hides what it is, or makes the page wider than the screen."""
    with open_page(pages.report(pages.ten_handed()), viewport={"width": width, "height": 800}) as page:
        for moment in range(1, 13):
            page.fill("#slider", str(moment))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        texts = page.locator(".seat bdi").all_text_contents()
        assert texts[:6] == pages.NAMES[:6]
        assert texts[6] == "\\u202eevil\\u2066"
        assert "\\u000abreak\\u2028\\u2029\\u001b[31m" in texts[8]
        assert page.title().startswith("MADE UP hand 1</title>")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_page, contrast, scheme):
    """Text of cells and of the page stands out by 4.5 to 1 (WCAG 2, AA)."""
    texts = ".map button, .dim, .act, .card, .position, li, h1, .stack"
    with open_page(pages.report(pm.example_hand(), "loki2"), color_scheme=scheme) as page:
        page.fill("#slider", "26")
        assert contrast(page, texts) >= 4.5
        page.select_option("#view", "change")
        assert contrast(page, texts) >= 4.5


def test_many_players_without_an_act(open_page):
    """Eleven players, of whom everybody but the big blind folds: there is no table of theirs."""
    spec = pm.GameSpec.ring(11, 5, 10)
    state, actions = State(spec), []
    while not state.over:
        actions.append((state.seat, pm.Act.FOLD))
        state.act(pm.Act.FOLD)
    hand = pm.Hand("made up", "3", spec, [f"Player {k}" for k in range(11)], actions)
    with open_page(pages.report(hand)) as page:
        page.keyboard.press("End")
        page.select_option("#player", "1")
        assert page.locator(".map:visible").count() == 0
        assert "has not acted" in page.locator("article").inner_text()
