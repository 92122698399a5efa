"""Make the pictures of the README and of the documentation: a hand's page, and the application.

    python tools/screenshots.py        # writes docs/_static/hand.png and desk.png, from the sample; some minutes

Needs the extras ``browser`` and ``desk``, and a Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

STATIC = Path(__file__).resolve().parents[1] / "docs" / "_static"
COMMAND = [sys.executable, "-m", "pokermodel"]
#: The hand of the sample whose last decision is a mistake, and that decision.
HAND, ACTION = "40", "13"


def ready(page: Page, address: str) -> None:
    """Go to an address, and wait until the scripts of the page have run."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")


def the_hand(page: Page, folder: Path) -> None:
    """Take the page of a hand, at the decision that cost most."""
    out = folder / "hand.html"
    made = [*COMMAND, "read", str(folder / "no-limit.txt"), "--hand", HAND, "--hero", "Robin", "--out", str(out)]
    subprocess.run(made, check=True)
    page.goto(f"{out.as_uri()}#{ACTION}")
    page.wait_for_timeout(1000)
    page.screenshot(path=STATIC / "hand.png")


def the_desk(page: Page, folder: Path) -> None:
    """Take Study, when all of the evening is judged and the first answer is shown."""
    evening = folder / "evening"
    evening.mkdir()
    shutil.copy(folder / "no-limit.txt", evening)
    process = subprocess.Popen(
        [*COMMAND, "open", str(evening), "--no-browser", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "POKERMODEL_HOME": str(folder / "home")},
    )
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["url"]
        ready(page, address)
        host = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        page.wait_for_selector("button:has-text('judge')")
        page.click("button:has-text('judge')")
        while "not judged yet" in page.inner_text("body"):
            page.wait_for_timeout(5000)
            ready(page, f"{host}/study")
        page.keyboard.press("Space")
        page.screenshot(path=STATIC / "desk.png", clip={"x": 0, "y": 0, "width": 1300, "height": 728})
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def main() -> None:
    """Make both."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        subprocess.run([*COMMAND, "sample", name], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(600_000)
        the_hand(page, folder)
        the_desk(page, folder)


if __name__ == "__main__":
    main()
