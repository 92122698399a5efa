"""Verdicts on the screens, in a real Chromium, by keyboard: judged, walked through, agreed with."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

from pokermodel.analysis.book_verdicts import Stamp
from pokermodel.analysis.study import StudiedDecision
from pokermodel.library import Book
from pokermodel.report.study import decision_words, verdict_line
from tests.analysis.test_book_verdicts import sorted_out
from tests.analysis.test_book_verdicts import texts as texts
from tests.report.conftest import CONTRAST

from .test_judging import SITE, copy, start
from .test_judging import judged as judged
from .windows import ready, window


@pytest.fixture(scope="module")
def served(tmp_path_factory, judged):
    path = tmp_path_factory.mktemp("study")
    copy(judged, path)
    count = sorted_out(path / "b.db")
    with start(path, judged) as found:
        found.count = count
        yield found


@pytest.fixture
def visit(browser, served):
    return lambda address="/study", **context: window(browser, served, address, **context)


def test_decisions_are_answered_before_they_are_judged(visit, served):
    told = served.json("/study")[1]
    assert told["summary"]["total"]["decisions"] == served.count
    with visit() as page:
        assert page.inner_text("#sums").startswith(f"{served.count} decisions judged")
        shown = page.locator("#asked article:visible")
        assert shown.count() == 1
        first = told["mistakes"][0]
        assert shown.get_attribute("id").endswith(f"{first['hand']}-{first['decision']['index']}")
        answer = shown.locator(".answer")
        assert not answer.is_visible()
        assert "Big mistake" not in page.inner_text("#asked")
        page.keyboard.press("1")
        assert answer.is_visible()
        assert answer.locator("strong").inner_text().startswith("Big mistake: ")
        assert answer.locator(".yours").inner_text().startswith("You would do ")
        with page.expect_response(lambda each: each.request.method == "PUT") as put:
            page.keyboard.press("a")
        assert put.value.status == 204
        page.evaluate("() => { window.kept = fetch; window.fetch = () => Promise.reject(new TypeError('ended')); }")
        page.keyboard.press("a")
        shown.locator(".kept", has_text="not kept: no answer").wait_for()
        page.evaluate("() => { window.fetch = window.kept; }")
        page.keyboard.press("n")
        assert page.locator("#asked article:visible").get_attribute("id") != first["hand"]
        page.keyboard.press(" ")
        with page.expect_response(lambda each: each.request.method == "PUT"):
            page.keyboard.press("d")
        assert page.evaluate("document.activeElement.matches('.why input')")
        page.keyboard.type("he never bluffs")
        with page.expect_response(lambda each: each.request.method == "PUT"):
            page.keyboard.press("Enter")
        page.keyboard.press("p")
        page.reload()
        ready(page)
        assert (
            page.locator("#asked article:visible")
            .get_attribute("id")
            .endswith(f"{first['hand']}-{first['decision']['index']}")
        )
        told = served.json("/study")[1]
        assert [each["answer"] for each in told["mistakes"][:2]] == ["agree", "disagree: he never bluffs"]
        page.keyboard.press("Enter")
        page.wait_for_url("**/hand/**")
        ready(page)
        assert page.input_value("#slider") == str(first["decision"]["index"])


def test_the_costliest_are_walked_through_with_few_keys(visit, served):
    """Two keys for each, and two to get there."""
    with visit("/") as page:
        page.keyboard.press("g")
        page.keyboard.press("s")
        page.wait_for_selector("#study")
        ready(page)
        told = served.json("/study")[1]
        wanted = [*told["mistakes"], *told["probable"], *told["unclear"]]
        for each in wanted:  # in the words of the command, by what JSON says
            decision = StudiedDecision.from_dict(each["decision"])
            page.keyboard.press(" ")
            asked = page.locator("#asked article:visible")
            assert asked.locator("strong").inner_text() == f"{verdict_line(decision)}."
            assert verdict_line(decision).startswith(f"{decision.word.capitalize()}: ")
            facts = "; ".join(fact[:-1] for fact in asked.locator(".facts li").all_inner_texts())
            assert facts.lower() == decision_words(decision).lower()
            page.keyboard.press("n")
        reasons = page.locator("#withheld a").all_text_contents()
        assert [reason.rpartition(": ")[2] for reason in reasons] == ["a guess"] * len(told["withheld"])
        assert reasons
        rows = page.locator(".rows li").all_inner_texts()
        assert len(rows) == len(wanted)
        page.keyboard.press("g")
        page.keyboard.press("p")  # which is no previous decision then
        page.wait_for_selector("#players")


def test_cards_of_today_open_the_hand_at_the_action(visit, served):
    told = served.json("/")[1]
    with visit("/") as page:
        links = page.locator(".mistakes a")
        assert links.count() == len(told["mistakes"]) <= 5
        index = told["mistakes"][0]["decision"]["index"]
        links.first.click()
        page.wait_for_url(f"**#{index}")
        ready(page)
        assert page.input_value("#slider") == str(index)
        assert "Judged, as known then: " in page.inner_text("#notes")
        page.keyboard.press("Home")
        page.click(f"#near a:has-text('mistake, action {index}')")
        assert page.input_value("#slider") == str(index)
        page.click("#near a:has-text('as known now')")
        page.wait_for_url("**as=now**")
        ready(page)
        assert "of these people now" in page.inner_text("#notes")


def test_a_hand_is_judged_by_a_button(browser, judged, tmp_path):
    """The page waits, and shows the verdict when it is there."""
    with Book(judged / "b.db") as book:
        number = max(row.number for row in book.verdicts.of(Stamp().text))
    with start(tmp_path, judged, forget=[number]) as served:
        with window(browser, served, "/") as page:
            assert "not judged yet" in page.inner_text("#costliest")
        with window(browser, served, f"/hand/{SITE}/{number}#2") as page:
            assert "Not judged." in page.inner_text("#notes")
            page.click("#notes button:has-text('judge')")
            page.wait_for_selector("#notes:has-text('as known then')", timeout=600_000)
            page.goto(f"http://{served.host}/work")
            ready(page)
            assert "judge 1 hand" in page.inner_text("#work")


@pytest.mark.parametrize("width", [1300, 400])
def test_the_screens_fit(visit, width):
    for address, answer in (("/study", "#asked"), ("/", "#costliest"), ("/work", "#sums")):
        with visit(address, viewport={"width": width, "height": 900}) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator(answer).first.bounding_box()["y"] < 700
            stands_out(page, "#frame a", "#status", "#foot p", "#sums")
            if address == "/study":
                page.keyboard.press(" ")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                stands_out(page, ".rows .dim")


def stands_out(page, *selectors):
    """Text does so in both schemes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in selectors:
            assert page.evaluate(CONTRAST, selector) >= 4.5, (selector, scheme)
