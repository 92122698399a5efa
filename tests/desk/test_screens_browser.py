"""The screens in a real Chromium, by keyboard and by mouse; any message of the console fails."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

import pokermodel as pm
from pokermodel.report.page import hand_page
from tests.common.desk import lay
from tests.report.conftest import CONTRAST

from .served import desk
from .test_open import HANDS, one_more
from .windows import ready, window

HOSTILE = "<img src=x onerror=alert(1)>"
TURNED = "\u202elive\u2066"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hands")
    lay(folder)
    one_more(folder, other=HOSTILE)
    with desk(tmp_path_factory.mktemp("home"), folder) as found:
        found.folder = folder
        found.wait_for(HANDS + 1)
        yield found


@pytest.fixture
def visit(browser, served):
    """Open the application in a window of its own."""
    return lambda address="/hands", **context: window(browser, served, address, **context)


def rows(page):
    return page.locator("#hands tbody th a")


def test_by_keyboard_alone(visit):
    """`g h`, down twice, in, a step on, and back on the same row of the same list."""
    with visit("/hands?q=hero%3DRobin&sort=lost") as page:
        lost = [float(text) for text in page.locator("#hands td[data-of=net]").all_inner_texts()]
        assert lost == sorted(lost)
        third = rows(page).nth(2).get_attribute("href")
        for _ in range(3):
            page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url("**/hand/**")
        ready(page)
        assert page.url.endswith(third)
        before = page.input_value("#slider")
        page.keyboard.press("ArrowLeft")
        assert page.input_value("#slider") == str(int(before) - 1)
        page.keyboard.press("n")
        page.wait_for_url(lambda url: not url.endswith(third))
        ready(page)
        page.keyboard.press("p")
        page.wait_for_url(lambda url: url.endswith(third))
        ready(page)
        page.keyboard.press("Escape")
        page.wait_for_url("**/hands?**")
        ready(page)
        assert page.evaluate("document.activeElement.getAttribute('href')") == third
        assert "sort=lost" in page.url
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "query"
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        assert page.locator("#keys").is_visible()
        assert "search" in page.inner_text("#keys")
        page.keyboard.press("?")
        page.keyboard.press("g")
        page.keyboard.press("h")
        page.wait_for_url(lambda url: "sort" not in url)
        assert "q=hero%3DRobin" in page.url  # the filter stays


def test_today(visit, served):
    """Its words, its graph and its sessions are those of its JSON; a session leads to its hands."""
    with visit("/") as page:
        told = served.json("/")[1]
        assert page.inner_text("h1") == told["player"] == "Robin"
        assert page.inner_text("#sums").startswith(f"{told['hands']} hands \u00b7 {told['sums']['net']:+.1f}")
        assert page.locator("figure svg.broad path.line").count() == 4  # two lines, and their keys
        links = page.locator("#parts tbody a[href^='/hands']")
        assert links.count() == len(told["sessions"])
        links.first.click()
        page.wait_for_url("**/hands?q=**")
        ready(page)
        assert page.inner_text("#sums").startswith(f"{told['sessions'][0]['hands']} of ")
        page.keyboard.press("g")
        page.keyboard.press("t")
        page.wait_for_selector("#today")
        ready(page)
        assert page.inner_text("#sums").startswith(f"{told['sessions'][0]['hands']} hand")  # the filter came along


def test_by_mouse(visit, served):
    """A filter is typed, an order is chosen, and the list equals its JSON."""
    with visit() as page:
        page.fill("#query", "seat=BTN hero=Robin")
        page.press("#query", "Enter")
        page.wait_for_url("**/hands?q=**")
        ready(page)
        page.click("#orders a:has-text('largest pot')")
        page.wait_for_url("**sort=pot**")
        ready(page)
        told = served.json("/hands", q="seat=BTN hero=Robin", sort="pot")[1]
        assert page.inner_text("#sums").startswith(f"{told['total']:,} of {told['all']:,} hands")
        assert f"{told['sums']['net']:+.1f}" in page.inner_text("#sums")
        assert [each["line"] for each in told["hands"]] == page.locator("#hands td.line").all_inner_texts()
        pots = page.locator("#hands td[data-of=pot]").all_inner_texts()
        assert pots == [f"{each['pot']:.1f}" for each in told["hands"]]
        assert f"--where '{told['where']}'" in page.inner_text("#foot")


def test_older_hands_follow(visit):
    with visit("/hands?q=") as page:
        first = rows(page).evaluate_all("links => links.map(each => each.getAttribute('href'))")
        assert len(first) == 50
        page.click("#older")
        page.wait_for_url("**from=**")
        ready(page)
        assert not set(first) & set(rows(page).evaluate_all("links => links.map(each => each.getAttribute('href'))"))


def test_a_new_hand_is_announced_and_moves_nothing(visit, served):
    with visit() as page:
        text = page.inner_text("#hands")
        total = served.json("/hands", q="")[1]["all"]
        with (served.folder / "more.txt").open("w") as file:
            source = (served.folder / "no-limit.txt").read_text().split("\n\n\n")[0]
            file.write(source.replace("#2603", "#7777") + "\n\n\n")
        page.locator("#fresh a", has_text="1 new").wait_for()
        page.locator("#status", has_text=f"{total + 1} hands").wait_for()
        assert page.inner_text("#hands") == text


def test_the_page_of_a_hand_is_that_of_the_file(visit, served):
    """The same template, script and words."""
    site, number = "phh", "1"
    (found,) = [each for each in served.json("/hands", q='hero="" site=phh id=1')[1]["hands"] if each["players"] == 6]
    assert (found["site"], found["number"]) == (site, number)
    with visit(f"/hand/{site}/{number}") as page:
        shown = {part: page.inner_text(part) for part in ("#title", "#about", "#answer", "#acts", "#ranges", "#below")}
        path = served.folder.parent / "page.html"
        path.write_text(hand_page([pm.read_hand(pm.example_hand())]))
        with page.context.browser.new_context() as other:
            alone = other.new_page()
            alone.goto(path.as_uri())
            assert {part: alone.inner_text(part) for part in shown} == shown
        html = page.content()
        assert "<style" not in html


def test_names_are_letters(visit, served):
    """Whatever they look like."""
    with visit("/hand/pokerstars/260300999999") as page:
        assert page.locator(".seat", has_text=HOSTILE).count() == 1
        assert page.locator("img").count() == 0


@pytest.mark.parametrize("width", [1300, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screens_fit(visit, width, scheme):
    """Nothing is wider than the window, the answer is seen at once, and text stands out."""
    for address, answer in (
        ("/", "#parts figure"),
        ("/hands", "#hands tbody tr"),
        ("/hand/pokerstars/260300273500", "#acts"),
    ):
        with visit(address, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            box = page.locator(answer).first.bounding_box()
            assert box["y"] < 600
            for selector in ("#frame a", "#status", "#foot p", "h1"):
                assert page.evaluate(CONTRAST, selector) >= 4.5, selector


def test_every_control_has_a_name(visit):
    with visit() as page:
        names = page.evaluate(
            "[...document.querySelectorAll('button, input, a')].map(each => each.getAttribute('aria-label') ||"
            " each.textContent.trim() || [...(each.labels || [])].map(label => label.textContent.trim()).join(''))"
        )
        assert all(names[:-1])
        assert page.locator("[role=status]").count() == 1
        assert page.locator("main").count() == 1


def test_other_sites_get_nothing(visit, served, browser):
    """A frame, a request with cookies, a form and a websocket of a page of another origin."""
    with visit() as page:
        other = page.context.new_page()
        other.route("http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html"))
        other.goto("http://evil.example/")
        tried = other.evaluate(
            """async (host) => {
              const found = {};
              const asked = (path, options) => fetch(`http://${host}${path}`, { credentials: "include", ...options });
              found.fetch = await asked("/hands").then(() => "read", () => "no");
              found.post = await asked("/study-while-playing", { method: "POST", mode: "no-cors" }).then(
                (answer) => answer.type, () => "no");
              found.socket = await new Promise((done) => {
                const socket = new WebSocket(`ws://${host}/events`);
                socket.onopen = () => done("open");
                socket.onerror = () => done("no");
              });
              const script = document.createElement("script");
              found.script = await new Promise((done) => {
                script.onload = () => done("loaded");
                script.onerror = () => done("no");
                script.src = `http://${host}/hands`;
                document.head.append(script);
              });
              return found;
            }""",
            served.host,
        )
        assert tried["fetch"] == tried["socket"] == tried["script"] == "no"
        other.evaluate(
            """(host) => {
              const frame = document.createElement("iframe");
              frame.src = `http://${host}/hands`;
              document.body.append(frame);
            }""",
            served.host,
        )
        other.wait_for_timeout(500)
        assert all("tbody" not in frame.content() for frame in other.frames[1:] if frame.url.startswith("http"))
        other.close()
