"""Pages of scores, tournaments and experiments in a real browser."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.classics.experiments.claims import Above
from pokermodel.classics.experiments.tournaments import FigureRow, Part, TournamentExperiment
from pokermodel.classics.report.experiment_page import experiment_page
from pokermodel.reading import OpponentModeler
from pokermodel.report.results import score_page
from pokermodel.tables.arena import Entrant
from pokermodel.tables.players import make_player
from pokermodel.tables.report.tournament_page import tournament_page

from . import pages

TEXTS = "h1, h2, p, th, td, figcaption, summary, li span, .name, .plot text"


@pytest.fixture(scope="module")
def made():
    """A page of each kind, with hostile names wherever there can be any."""
    hostile = iter(pages.NAMES)
    entrants = [Entrant(name, lambda: make_player("call")) for name in pages.NAMES]
    models = {name: OpponentModeler("contexts") for name in (next(hostile), "x" * 10_000)}
    labels = pages.NAMES[:5]
    experiment = TournamentExperiment(
        "x",
        "x" * 10_000,
        "\u202enobody",
        2,
        (Part("all", "call,random"),),
        tuple(FigureRow(name, "all", "call", {"P" * 300: 0.1}, control="random") for name in labels),
        (Above((labels[0],)), Above((labels[1], labels[3]))),
    )
    return {
        "scores": score_page(pm.score([pages.ten_handed(), pm.example_hand()], models)),
        "tournament": tournament_page(pm.tables.tournament(entrants, deals=3, seed=1)),
        "two": tournament_page(pm.tables.tournament("call,random", deals=30, seed=1)),
        "experiment": experiment_page(experiment.run(seed=1)),
    }


@pytest.mark.parametrize("kind", ["scores", "tournament", "two", "experiment"])
def test_width(open_html, made, kind):
    """Nothing makes a page wider than the screen, opened or closed; wide tables can be reached by keys."""
    with open_html(made[kind]) as page:
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            for opened in ("false", "true"):
                page.evaluate(f"document.querySelectorAll('details').forEach((each) => each.open = {opened})")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            wide = "[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth)"
            assert page.evaluate(f"{wide}.every((each) => each.tabIndex === 0 && each.ariaLabel)")
            outside = page.evaluate("""[...document.querySelectorAll('svg.plot')].some((svg) => {
              const box = svg.getBoundingClientRect();
              return box.left < 0 || box.right > document.documentElement.clientWidth + 1;
            })""")
            assert not outside


@pytest.mark.parametrize("kind", ["scores", "two", "experiment"])
def test_contrast(open_html, contrast, made, kind):
    with open_html(made[kind]) as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert contrast(page, TEXTS) >= 4.5


def test_texts_of_charts_do_not_overlap(open_html, made):
    """At the size of a telephone, too, whose letters are larger; hostile names are cut."""
    script = """() => [...document.querySelectorAll('svg.plot')].flatMap((svg) => {
      const boxes = [...svg.querySelectorAll('text')].map((each) => each.getBoundingClientRect());
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
    }).length"""
    for kind in ("two", "experiment"):
        with open_html(made[kind]) as page:
            for width in (1280, 360):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate(script) == 0


def test_keys_open_tables(open_html, made):
    with open_html(made["two"]) as page:
        page.locator("summary").first.focus()
        assert page.locator("details[open]").count() == 0
        page.keyboard.press("Enter")
        assert page.locator("details[open] table").first.is_visible()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "wide"


def test_names_are_text(open_html, made):
    with open_html(made["tournament"]) as page:
        shown = page.locator("tbody th .name").all_text_contents()[: len(pages.NAMES)]
        assert shown[:6] == pages.NAMES[:6]
        assert shown[6] == "\\u202eevil\\u2066"
        assert page.title() == "Tournament"


def test_paper_is_light(open_html, made):
    """What is dark on a screen is printed in dark letters on white paper."""
    with open_html(made["two"], color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 27, 27)"


def test_a_chart_alone_uses_the_width(open_html, made):
    """In letters of the same size."""
    shown = """[...document.querySelectorAll('figure.alone')].map((figure) => {
      const [svg] = [...figure.querySelectorAll('svg')].filter((each) => each.getClientRects().length);
      return [svg.getBoundingClientRect().width, figure.getBoundingClientRect().width,
        svg.querySelector('text').getBoundingClientRect().height];
    })"""
    with open_html(made["two"]) as page:
        heights = {}
        for width, least in ((1280, 1000), (500, 400)):
            page.set_viewport_size({"width": width, "height": 800})
            for drawn, there, heights[width] in page.evaluate(shown):
                assert least < drawn <= there + 1
        assert heights[1280] < 1.5 * heights[500]
