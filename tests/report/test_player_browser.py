"""A player's page in a real browser."""

from __future__ import annotations

import pytest

from pokermodel.report.player_page import player_page

from . import players


@pytest.mark.parametrize(("name", "width"), [("Ann", 1280), (players.HOSTILE, 360)], ids=["Ann", "hostile"])
def test_it_fits_the_screen(open_html, name, width):
    """Nothing is wider than the screen but tables that can be scrolled, and no name does anything."""
    with open_html(player_page(players.reports(name)), viewport={"width": width, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.title() != "stolen"
        assert page.locator("h1 bdi").inner_text()[:4] == name[:4]
        assert page.locator("figure.chart svg").count() >= 14
        assert page.locator(".map").count() > 10
        ends = "[...document.querySelectorAll('.map, svg, p, li')].map(e => e.getBoundingClientRect().right)"
        assert page.evaluate(f"Math.max(...{ends})") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_html, contrast, scheme):
    with open_html(player_page(players.reports()), color_scheme=scheme) as page:
        assert contrast(page, "h1, h2, h3, p, li, a, th, td, summary, figcaption, .plot text") >= 4.5


def test_it_is_used_by_keyboard(open_html):
    """Links lead to parts, what is folded opens, and tables that scroll can be reached."""
    with open_html(player_page(players.reports())) as page:
        page.locator("nav a", has_text="Before the flop").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash") == "#g1-preflop"
        summary = page.locator("details.position summary").first
        summary.focus()
        maps = page.locator("details.position .map:visible").count()
        page.keyboard.press("Enter")
        assert page.locator("details.position .map:visible").count() < maps
        page.keyboard.press("Enter")
        assert page.locator("details.position .map:visible").count() == maps
        assert page.evaluate("[...document.querySelectorAll('.wide')].every(e => e.tabIndex === 0)")
        opened = page.locator("summary", has_text="All rates that were looked at").first
        opened.focus()
        page.keyboard.press("Enter")
        assert page.locator("table.difference:visible").count() == 1


def test_it_can_be_printed(open_html):
    with open_html(player_page(players.reports())) as page:
        page.emulate_media(media="print")
        assert page.locator("nav:visible").count() == 0
        assert page.locator(".map:visible").count() == page.locator(".map").count()
        assert len(page.pdf()) > 10_000
