"""The screens in a real Chromium, by keyboard and by mouse; any message of the console fails."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

import pokermodel as pm
from pokermodel.report.page import hand_page
from tests.common.accessibility import PROBLEMS
from tests.common.desk import lay

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
        for _ in range(2):
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


def test_a_key_as_soon_as_a_page_is_there(visit):
    """`p` leads to the previous hand; only after `g` it means the players."""
    with visit("/hand/pokerstars/260300273500?q=hero%3DRobin") as page:
        before = page.get_attribute("#near a[data-alone=p]", "href")
        with page.expect_navigation():
            page.evaluate(
                """() => {
                  const press = new KeyboardEvent("keydown", { key: "p", bubbles: true, cancelable: true });
                  Object.defineProperty(press, "timeStamp", { value: 1 }); // milliseconds since the page began
                  document.body.dispatchEvent(press);
                }"""
            )
        assert page.url.endswith(before)


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


def test_players(visit, served):
    """A list by keyboard, a page, an exploit that leads to its hands, and the way back."""
    with visit("/players") as page:
        told = served.json("/players")[1]
        names = page.locator("#players tbody th").all_inner_texts()
        assert names == [each["name"] for each in told["players"]]
        page.keyboard.press("Enter")  # the first row is chosen
        page.wait_for_url("**/player/**")
        ready(page)
        assert page.inner_text("h1") == names[0] == "Ellis"
        (leak,) = served.json("/player/pokerstars/Ellis")[1]["exploits"]["found"]
        assert leak["advice"].lower() in page.inner_text(".advice").lower()
        page.click("text=the hands it rests on")
        page.wait_for_url("**/hands?q=**")
        ready(page)
        assert rows(page).count() == leak["denominator"]
        page.go_back()
        ready(page)
        page.keyboard.press("Escape")
        page.wait_for_url("**/players**")
        ready(page)
        assert page.evaluate("document.activeElement.textContent") == "Ellis"
        page.keyboard.press("g")
        page.keyboard.press("p")
        page.wait_for_url("**/players")


def test_gains_of_answers_are_asked_for(visit):
    """A button asks for them; the page shows them as soon as they are there."""
    with visit("/player/pokerstars/Gale") as page:
        assert "What answers gain, and ranges after the flop: not worked out." in page.inner_text("#notes")
        assert page.locator("a", has_text="After the flop").count() == 0
        page.click("#notes button")
        page.locator("a", has_text="After the flop").wait_for()
        ready(page)
        assert page.locator("#notes").count() == 0


def test_tags_and_notes(visit, served):
    """By keyboard: a tag, a note; both are in the list and found again, and markup stays letters."""
    address = "/hand/pokerstars/260300273500"
    with visit(address) as page:
        page.keyboard.press("t")
        page.keyboard.type(HOSTILE)
        page.keyboard.press("Enter")
        page.locator("#kept", has_text="kept").wait_for()
        assert page.locator("#tags .tag").count() == 1
        page.keyboard.press("e")
        page.keyboard.type("why call?")
        page.keyboard.press("Tab")
        served.wait(lambda: served.json("/hands", q="id=260300273500")[1]["hands"][0]["note"] == "why call?")
        page.goto(f"http://{served.host}/hands?q=id%3D260300273500")
        ready(page)
        assert HOSTILE in page.inner_text("#hands td.mine")
        page.goto(f"http://{served.host}{address}")
        ready(page)
        page.click("#tags button")
        page.locator("#tags .tag").wait_for(state="detached")
        assert served.json("/hands", q="id=260300273500")[1]["hands"][0]["tags"] == []
        page.click("#people a >> nth=0")
        page.wait_for_url("**/player/**")
        ready(page)
        page.keyboard.press("g")  # the letters of screens are no tag then
        page.keyboard.press("t")
        page.wait_for_selector("#today")


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
def test_the_screens_fit(visit, width):
    """Nothing is wider than the window, the answer is seen at once, and text stands out."""
    for address, answer in (
        ("/", "#parts figure"),
        ("/hands", "#hands tbody tr"),
        ("/hand/pokerstars/260300273500", "#acts"),
        ("/players", "#players tbody tr"),
        ("/player/pokerstars/Ellis", "#sums"),
    ):
        with visit(address, viewport={"width": width, "height": 900}) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            box = page.locator(answer).first.bounding_box()
            assert box["y"] < 600, address
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(PROBLEMS) == [], (address, scheme)


def test_quick_filters(visit, served):
    """A choice is an address; the keys lead there; a filter of another kind stays."""
    with visit("/hands?q=hero%3DRobin") as page:
        page.keyboard.press("f")
        assert page.evaluate("document.activeElement.parentElement.textContent").startswith("seat")
        page.select_option("#quick select >> nth=0", label="BTN")
        page.wait_for_url("**/hands?q=**seat**")
        ready(page)
        page.select_option("#quick select >> nth=3", label="lost")
        page.wait_for_url("**lost**")
        ready(page)
        told = served.json("/hands", q="hero=Robin seat=BTN lost>0")[1]
        assert page.inner_text("#sums").startswith(f"{told['total']:,} of ")
        page.select_option("#quick select >> nth=0", label="any seat")
        page.wait_for_url(lambda url: "seat" not in url)
        assert "lost" in page.url


def test_the_focus_is_seen(visit):
    """Whatever the keyboard leads to has an outline."""
    with visit("/players") as page:
        for _ in range(12):
            page.keyboard.press("Tab")
            style = page.evaluate(
                "((style) => [style.outlineStyle, style.outlineWidth])(getComputedStyle(document.activeElement))"
            )
            assert style[0] != "none"
            assert float(style[1].removesuffix("px")) >= 2


def test_what_is_masked(browser, tmp_path_factory):
    """Names and what was won are not seen; cards and lines are."""
    folder = tmp_path_factory.mktemp("masked")
    lay(folder)
    with desk(tmp_path_factory.mktemp("home"), folder, "--masked") as served:
        served.wait_for(HANDS)
        token = served.ask("/enter", "POST", Authorization=f"Bearer {served.bearer}", Host=f"127.0.0.1:{served.port}")[
            2
        ]
        with browser.new_context() as at:
            page = at.new_page()
            page.goto(f"http://{served.host}/enter?token={token}")
            for address, hidden in (
                ("/", ["h1 bdi", "#sums"]),
                ("/hands", ["#sums", "td[data-of=net]"]),
                ("/players", ["tbody bdi", "td.money"]),
                ("/player/pokerstars/Casey", ["h1 bdi", "#sums", ".winnings td", ".winnings figure text"]),
                ("/hand/pokerstars/260300273500", [".seat .foreign", ".stack", "#answer", "#worth p"]),
            ):
                page.goto(f"http://{served.host}{address}")
                ready(page)
                titles = " ".join(
                    [page.title(), *page.locator("[title]").evaluate_all("all => all.map(each => each.title)")]
                )
                assert not {"Robin", "Casey"} & set(titles.replace(":", " ").split())
                for selector in hidden:
                    color = page.evaluate("(of) => getComputedStyle(document.querySelector(of)).color", selector)
                    assert color == "rgba(0, 0, 0, 0)", (address, selector)


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


def test_the_chosen_hand_stands_beside_the_list(visit, served):
    """The first one, then that of a key or a click, as its own address has it; its link leads there."""
    with visit("/hands?q=hero%3DRobin&sort=lost", viewport={"width": 1300, "height": 900}) as page:
        for k, choose in enumerate((lambda: None, lambda: page.keyboard.press("j"), lambda: clicked(page, 4))):
            choose()
            link = rows(page).nth((0, 1, 4)[k])
            page.wait_for_selector(f"#chosen[data-of='{link.get_attribute('id')}']")
            assert link.get_attribute("aria-current") == "true"
            assert page.locator("#hands [aria-current]").count() == 1
            told = served.json("/hands", q="hero=Robin", sort="lost")[1]["hands"][(0, 1, 4)[k]]
            assert told["number"] in page.inner_text("#chosen h2")
            assert "Not judged." in page.inner_text("#chosen")
            assert page.locator("#chosen tr.own .card").count() == 2
        assert page.evaluate(PROBLEMS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 1300
        address = link.get_attribute("href")
        page.click("#chosen h2 a")
        page.wait_for_url(lambda url: url.endswith(address))
        ready(page)
        page.keyboard.press("Escape")
        page.wait_for_selector(f"#chosen[data-of='{told['site']}-{told['number']}']")
    with visit("/hands?q=hero%3DRobin", viewport={"width": 400, "height": 900}) as page:
        assert not page.locator("#chosen").is_visible()


def clicked(page, row):
    """Click into a row, beside its link."""
    page.locator("#hands tbody tr").nth(row).locator("td.line").click()


def test_ranges_of_another_reader_are_a_choice(visit):
    """Readers that read the game; the list, and what is known, stay in the address."""
    with visit("/hand/pokerstars/260300273500?q=hero%3DRobin&as=now") as page:
        names = page.locator("#near option").all_inner_texts()
        assert names[0] == "adaptive"
        assert {"loki1", "uniform"} <= set(names)
        page.select_option("#near select", label="uniform")
        page.wait_for_url("**reader=uniform**")
        ready(page)
        assert "as=now" in page.url
        assert "q=hero%3DRobin" in page.url
        assert "Ranges by uniform, to which these people are strangers." in page.inner_text("#notes")
        assert page.input_value("#near select") == page.url.removeprefix(page.url.split("/hand/")[0])
