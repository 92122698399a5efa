"""Windows of a real Chromium on a Desk; any message of the console, and any request to elsewhere, fails."""

from __future__ import annotations

from contextlib import contextmanager

from tests.common.patience import PATIENCE


@contextmanager
def window(browser, served, address, **context):
    """Open the application in a window of its own; what the console says and what is asked for is looked at."""
    complaints, asked = [], []
    headers = {"Authorization": f"Bearer {served.bearer}", "Host": f"127.0.0.1:{served.port}"}
    token = served.ask("/enter", "POST", **headers)[2]
    with browser.new_context(**context) as at:
        at.set_default_timeout(1000 * PATIENCE)
        # as a page of its own, this would draw the first screen for nobody
        answer = served.ask(f"/enter?token={token}", Host=served.host)[1]
        name, _, value = answer["set-cookie"].split(";")[0].partition("=")
        place = {"url": f"http://{served.host}", "httpOnly": True, "sameSite": "Strict"}
        at.add_cookies([{"name": name, "value": value, **place}])
        page = at.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"http://{served.host}{address}")
        ready(page)
        yield page
        assert complaints == []
        assert [url for url in asked if not url.startswith((f"http://{served.host}/", "data:,"))] == []


def ready(page):
    page.wait_for_selector("body[data-ready]")
