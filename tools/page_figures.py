"""Draw the pages that the documentation shows: ``python tools/page_figures.py docs/_figures``.

Each is a screenshot where Chromium and Playwright (``pip install -e ".[browser]"``) are installed, and elsewhere a
picture of what matters most on the page.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.solution import solution_report
from pokermodel.report.grid import weight_grid
from pokermodel.report.hands_page import hand_content, write_hands_page
from pokermodel.report.page import hand_page
from pokermodel.report.picture import draw_svg
from pokermodel.report.solution_page import solution_page
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.players import make_player

SIZE = {"width": 1200, "height": 800}  # of the window; the page may be higher


class Figure(NamedTuple):
    """A page, what is done on it before its screenshot is taken, and the picture that replaces it, as SVG."""

    page: str
    fields: dict[str, str]  # what is filled in, by selector
    picture: str


def hand():
    """Eve's bet on the turn of the hand that ships with the package."""
    report = HandReport.of(pm.example_hand(), pm.OpponentModeler())
    step = next(
        step
        for step in report.steps
        if (step.observation.decision.player, step.observation.decision.round) == ("Eve", 2)
    )
    observation = step.observation
    picture = draw_svg(weight_grid(observation.after), title=f"Eve {observation.decision.name}s on the turn")
    return Figure(hand_page([report]), {"#slider": str(observation.decision.index + 1)}, picture)


def index():
    """Hands between programs, by the largest result."""
    names, players = ("Loki", "Poki", "Bob"), [make_player(name) for name in ("loki1", "loki2:br", "bpl")]
    session, reports = pm.OpponentModeler(), []
    for number in range(1, 13):
        deal = deal_cards(3, np.random.default_rng(number))
        played = play_hand(pm.GameSpec.ring(3, 5, 10), names, players, deal, hand_id=str(number), entropy=number)
        reports.append((number, [HandReport.of(played.to_hand(), session.copy())]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.html"
        contents = ((hand_content(number, each), None) for number, each in reports)
        write_hands_page(path, contents, title="Twelve hands of Loki, Poki and Bob")
        step = reports[0][1][0].steps[0]
        picture = draw_svg(weight_grid(step.observation.after), title=f"{step.observation.decision.player}'s first act")
        return Figure(path.read_text(encoding="ascii"), {}, picture)


def solution():
    """A bet on the turn, and who is in position facing it."""
    ranges = "QQ,AK,KQ,QJs,T9s,98s,88,22,A2s,A5s,76s", "JJ,AA,KK:.5,AQ,AJ,KJ,QT,T9s,J9s,87s,A8s,65s"
    spot = pm.Subgame("QsJh2h8c", 110, 500, ranges, bets=["50%", "100%"], raises=["60%"])
    report = solution_report(pm.solve(spot, 0.5), start="r:0:b55")
    picture = draw_svg(weight_grid(report.nodes["r:0:b55"].ranges[1]), title="who faces the bet")
    return Figure(solution_page(report), {}, picture)


FIGURES = {"page": hand, "page-index": index, "page-solution": solution}


def chromium():
    """Path of the browser; None without one, or without Playwright."""
    if find_spec("playwright") is None:
        return None
    programs = "chromium-headless-shell", "chromium", "chromium-browser"
    return os.environ.get("POKERMODEL_CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)


def take_screenshots(figures, folder, program):
    """Write screenshots as PNG into a folder."""
    from playwright.sync_api import sync_playwright

    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as pages, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--disable-gpu", *root])
        for name, figure in figures.items():
            path = Path(pages) / f"{name}.html"
            path.write_text(figure.page, encoding="utf-8")
            page = browser.new_page(viewport=SIZE)
            page.goto(path.as_uri())
            for selector, value in figure.fields.items():
                page.fill(selector, value)
            page.evaluate("document.activeElement.blur()")
            page.screenshot(path=folder / f"{name}.png", full_page=True)
        browser.close()


def draw_all(folder):
    """Write every figure into a folder, as PNG or as SVG."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    figures = {name: draw() for name, draw in FIGURES.items()}
    program = chromium()
    for name, figure in figures.items():
        if program is None:
            (folder / f"{name}.svg").write_text(figure.picture, encoding="utf-8")
        # pages take whichever of the two there is
        (folder / f"{name}{'.png' if program is None else '.svg'}").unlink(missing_ok=True)
    if program is not None:
        take_screenshots(figures, folder, program)


if __name__ == "__main__":
    draw_all(sys.argv[1])
