"""A player's page in a real browser."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from pokermodel.analysis.exploits import Exploit
from pokermodel.report.player_page import player_page
from pokermodel.report.profile import print_findings

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


def test_contrast(open_html, contrast):
    with open_html(player_page(players.reports())) as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
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


#: The answers to Ann in no limit: a station is bet less, and only for value; to isolate may gain nothing.
ANSWERS = (
    Exploit("value:flop", "played out", 0.8, 0.2, 1.4, 0.1, None, 20.0, None, 0.58, 0.83, 0.02, 0.4, 24, 0.5),
    Exploit("value:river", "solved", 1.5, 0.9, 2.1, 0.2, 0.4, 30.0, 0.7, 0.6, 0.4, 0.1, 0.08, 6, 0.5),
    Exploit("isolate", "played out", 0.5, -0.1, 1.1, 0.0, None, 9.0, None, 0.7, 0.5, 0.3, 0.1, 24, None),
)
EXPLOITS = [
    "Bet the river more: 60% instead of 40%.",
    "Bet the flop less, and only for value: 58% instead of 83%.",
]
LEAKS = [
    "You fold the river to bets too seldom (to a bet of 50% of the pot): it costs 1.50 bb per 100 hands (95%: 0.90 to "
    "2.10) against an opponent who knows it.",
    "You fold the flop to bets too seldom (to a bet of 50% of the pot): it costs 0.80 bb per 100 hands (95%: 0.20 to "
    "1.40) against an opponent who knows it.",
]


@pytest.mark.parametrize(("own", "lines"), [(False, EXPLOITS), (True, LEAKS)], ids=["exploits", "leaks"])
def test_answers_are_ranked_by_gain_in_every_form(open_html, own, lines):
    """One whose interval reaches 0 is not shown; a difference is called so, and a leak has the EV that it costs."""
    (report,) = (each for each in players.reports() if not each.profile.structure.fixed)
    assert [each.key for each in report.leaks.found] == [each.key for each in ANSWERS]
    report = replace(report, exploits=ANSWERS)
    console = Console(width=1000, file=io.StringIO(), force_terminal=False)
    print_findings(report, console, own=own)
    text = console.file.getvalue()
    assert [line for line in text.splitlines() if line in lines] == lines
    computed = report.to_dict()["exploits"]["computed"]
    assert [each["key"] for each in computed] == ["value:river", "value:flop"]
    assert [each["difference"] for each in computed] == pytest.approx([0.2, -0.25])
    assert [each["bet"] for each in computed] == [0.5, 0.5]  # what is folded to is a bet of that size
    with open_html(player_page([report], own=own)) as page:
        assert page.locator(".advice strong").all_inner_texts() == lines
        gains = page.locator(".advice li > span:not(.dim)").all_inner_texts()
        found = ["Solved on 6 rivers, at 30.0 spots", "Played out with 24 holdings, at 20.0 spots"]
        for said, gain, how in zip(gains, ("Gains +1.50 bb", "Gains +0.80 bb"), found, strict=True):
            assert how in said
            assert said.startswith(how if own else gain)  # what a leak costs is said before
        title = page.locator("h3[id$=differences]").inner_text()
        assert title == ("Where you differ" if own else "Where they differ")
        assert title in text
        assert "too often" not in page.inner_text("body") if own else "leak" not in page.inner_text("body")
