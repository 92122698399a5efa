"""A real browser for pages: Chromium, driven by Playwright, where both are installed."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

import pytest

#: The shell first: a page costs it a fifth of the time.
PROGRAMS = "chromium-headless-shell", "chromium", "chromium-browser"
CHROMIUM = os.environ.get("POKERMODEL_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
OFFLINE = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
OFFLINE += ["--disable-component-update", "--disable-sync"]

# The least contrast (WCAG 2) of the text of elements with what is behind it. Text of SVG has its colour in `fill`.
CONTRAST = r"""(selector) => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\d.]+/g).slice(0, 3).map((x) => x / 255)
      .map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const color = getComputedStyle(node).backgroundColor;
      if (!/, 0\)$/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const ratio = (node) => {
    const style = getComputedStyle(node);
    const [a, b] = [light(node instanceof SVGElement ? style.fill : style.color), light(behind(node))];
    return Math.max(a, b) / Math.min(a, b);
  };
  return Math.min(...[...document.querySelectorAll(selector)].map(ratio));
}"""


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium: install Debian's chromium-headless-shell, or name one by POKERMODEL_CHROMIUM")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=OFFLINE + root)
        yield started
        started.close()


@pytest.fixture
def open_html(browser, tmp_path):
    """Open a page, given its HTML; that nothing is complained of and nothing asked for is checked at the end."""

    @contextmanager
    def opened(text, **context):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        complaints, asked = [], []
        with browser.new_context(**context) as at:
            page = at.new_page()
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
            page.on("request", lambda request: asked.append(request.url))
            page.goto(path.as_uri())
            yield page
            assert complaints == []
            assert [url for url in asked if url != "data:,"] == [path.as_uri()]

    return opened


@pytest.fixture
def contrast():
    """Say how much the text of elements stands out, at least: 4.5 to 1 is asked for (WCAG 2, AA)."""
    return lambda page, selector: page.evaluate(CONTRAST, selector)
