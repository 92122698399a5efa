"""The page of a hand in a real browser."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.range import composition
from pokermodel.game import State
from pokermodel.report.page import hand_page, page_data

from . import pages


@pytest.fixture
def open_page(open_html):
    """Open the page of a hand, given a report for each reader."""
    return lambda *reports, **context: open_html(hand_page(reports), **context)


def weights_of(page, column=0):
    """What the cells of a map say, by class."""
    maps = "document.querySelectorAll('.map')"
    return page.evaluate(f"k => [...{maps}[k].querySelectorAll('button')].map(b => b.dataset.weight)", column)


def test_the_slider_goes_through_the_hand(open_page):
    """Each cell has the weight that the data have, whoever acts, for both readers."""
    hand = pm.example_hand()
    data = page_data([pages.report(hand), pages.report(hand, "loki2")])
    with open_page(pages.report(hand), pages.report(hand, "loki2")) as page:
        assert page.get_attribute("#slider", "max") == "29"
        for moment in (1, 9, 17, 28):
            page.fill("#slider", str(moment))
            for column, reader in enumerate(data["readers"]):
                step = reader["steps"][moment - 1]
                table = pages.unpacked(reader["tables"][step["after"]])
                shown = [float(text or "nan") for text in weights_of(page, column)]
                np.testing.assert_allclose(shown, table.grid().ravel(), rtol=1e-12)
                said = page.locator(".why").nth(column).locator(".said li").all_inner_texts()
                assert said == [line for _, line in step["lines"]]
            assert page.locator(".seat.acts bdi").inner_text() == hand.players[step["seat"]]
            assert page.locator(".seat[aria-pressed=true] bdi").inner_text() == hand.players[step["seat"]]


def test_keys_and_buttons(open_page):
    with open_page(pages.report(pm.example_hand())) as page:
        page.keyboard.press("Home")
        for press, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 29), ("Home", 0)):
            page.keyboard.press(press)
            assert page.input_value("#slider") == str(expected)
        for button, expected in (("#last", 29), ("#back", 28), ("#first", 0), ("#forward", 1)):
            page.click(button)
            assert page.input_value("#slider") == str(expected)
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert page.input_value("#slider") == "2"
        page.focus(".first [data-class=AA]")  # in a map the keys go from class to class
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        assert page.input_value("#slider") == "2"
        assert page.locator(".first .map button.open").get_attribute("data-class") == "KK"
        assert page.locator(".combos tbody tr").count() == 6


def test_choices(open_page):
    """A player who is chosen stays; the change by the act and the holdings of a class are shown when asked for."""
    hand = pm.example_hand()
    data = page_data([pages.report(hand)])["readers"][0]
    with open_page(pages.report(hand)) as page:
        page.fill("#slider", "20")
        page.click(".seat:has-text('Eve')")
        page.click("#forward")
        assert not page.is_checked("#follow")
        assert page.locator(".seat[aria-pressed=true] bdi").inner_text() == "Eve"
        step = [step for step in data["steps"][:21] if hand.players[step["seat"]] == "Eve"][-1]
        page.click(".first [data-class='98s']")
        held = page.locator(".combos tbody tr", has=page.locator("[aria-label='9h']")).inner_text()
        weight = pages.report(hand).to_dict(weights=True)["steps"][step["index"]]["weights"][
            pm.cards.holding_index("9h8h")
        ]
        assert float(held.split("\t")[1]) == pytest.approx(weight, rel=6e-3)
        assert "98s" in page.locator(".first .map button.held").get_attribute("aria-label")
        page.uncheck("#cards")
        assert page.locator(".map button.held").count() == 0
        assert page.locator(".seat .card:not(.back)").count() == 0
        page.select_option("#view", "change")
        title = page.get_attribute(".first [data-class=AA]", "title")
        assert title == f"AA: {2 ** step['change'][0]:.3g} times as likely as before"


def test_values_of_acts(open_page):
    with open_page(pages.report(pm.example_hand(), hero="Eve", verdicts=True)) as page:
        page.fill("#slider", "26")
        assert page.locator("svg.worth .bar").count() == 3
        assert "give or take" in page.locator("svg.worth").get_attribute("aria-label")
        assert "95% interval" in page.inner_text("#worth")
        assert page.inner_text("#worth").startswith("What each action was worth")
        act, worth = page.locator("svg.worth .done").all_text_contents()
        assert act == "raise"
        value = re.fullmatch(r"(\+[0-9.]+ \u00b1 [0-9.]+), best, done", worth)
        assert value
        assert page.inner_text("#answer").startswith("River: Eve raises to 40. Not judged: Boris took a line that")
        page.fill("#slider", "25")
        assert page.locator("svg.worth").count() == 0
        assert not page.is_visible("#worth")


def test_it_opens_at_the_decision_that_matters(open_page):
    """The hero's most expensive one; without a hero the last one of a showdown."""
    report = pages.report(pm.example_hand(), hero="Eve", verdicts=True)
    with open_page(report) as page:
        assert page.input_value("#slider") == str(report.key_step + 1)
        assert page.locator("#acts [aria-current]").inner_text().split("\n")[0] == "Eve"
        assert re.search(r"Cannot tell: \w+ can have lost up to", page.inner_text("#answer"))
        shown = page.locator("#acts [aria-current]").bounding_box()
        box = page.locator("#acts").bounding_box()
        assert box["y"] <= shown["y"] <= shown["y"] + shown["height"] <= box["y"] + box["height"]
        assert page.evaluate("scrollY") == 0
    report = pages.report(pm.example_hand())
    with open_page(report) as page:
        assert page.input_value("#slider") == str(report.key_step + 1) == "28"


def test_everything_that_matters_is_seen_at_once(open_page):
    """At 1300 by 900: the answer, the acts, the table, both ranges with what they make, and what acts are worth."""
    report = pages.report(pm.example_hand(), hero="Eve")
    with open_page(report, viewport={"width": 1300, "height": 900}) as page:
        for part in ("#answer", "#acts", "#table", "#controls", "#worth svg", ".first .map", ".second .made"):
            box = page.locator(part).first.bounding_box()
            assert box["y"] + box["height"] <= 900, part
            assert box["x"] + box["width"] <= 1300, part


def test_acts_are_a_list_to_click(open_page):
    """Every act stands in it, and every street to jump to."""
    hand = pm.example_hand()
    moments = page_data([pages.report(hand)])["hand"]["moments"]
    with open_page(pages.report(hand)) as page:
        acts = [text.replace("\n", " ").rstrip(" \u25c6") for text in page.locator("#acts li button").all_inner_texts()]
        assert acts == [f"{hand.players[each['seat']]} {each['words']}" for each in moments if each["seat"] is not None]
        page.click("#acts .street:has-text('turn')")
        assert page.input_value("#slider") == "21"
        assert page.locator(".middle .card").count() == 4
        page.click("#acts li button:has-text('Farid raises to 30') >> nth=1")
        assert page.input_value("#slider") == "16"
        assert page.locator("#acts [aria-current]").count() == 1
        page.click("#acts .street:has-text('result')")
        money = "Pot 385 (38.5 sb), rake not stated (results are before it); in chips, not in prizes (no ICM)."
        assert page.inner_text("#answer") == f"Eve wins 255 (25.5 sb). {money}"


def test_two_ranges_side_by_side(open_page):
    """Of who acts, against the hero; where the hero acts, of who they are up against."""
    report = pages.report(pages.no_limit(), hero="Cy")
    equities = report.equities(7)
    with open_page(report) as page:
        page.fill("#slider", "7")
        first, second = page.locator(".first"), page.locator(".second")
        assert first.locator("caption").inner_text().startswith("Ann raises to 1700")
        assert second.locator("caption").inner_text().startswith("Cy calls 1200")
        for side, seat in ((first, 0), (second, 2)):
            shown = side.locator(".equity").inner_text().replace("\u00a0", " ")
            assert f"{100 * equities.ranges[seat]:.1f}% equity" in shown
            assert f"{100 * equities.held[seat]:.1f}%" in shown
            assert f"cards up {100 * equities.cards_up[seat]:.1f}%" in shown
        parts = dict(composition(report.steps[5].after, report.hand.board[:3]))
        told = [text.replace("\u00a0", " ").split("\n") for text in first.locator(".made li").all_inner_texts()]
        assert dict(told) == {name: f"{100 * share:.0f}%" for name, share in parts.items() if share >= 0.005}
        page.fill("#slider", "6")
        assert first.locator("caption").inner_text().startswith("Ann raises")
        page.fill("#slider", "1")
        assert first.locator("caption").inner_text().startswith("Ann before any action")
        assert second.locator("caption").inner_text().startswith("Cy raises to 300")
        assert page.locator(".made:visible").count() == 0  # there is no board yet
        drawn = report.equities(1)  # of three players, with half a 95% interval
        shown = first.locator(".equity").inner_text().replace("\u00a0", " ")
        assert shown.startswith(f"{100 * drawn.ranges[0]:.1f}% equity ± {100 * drawn.errors[0]:.1f}%")
        page.select_option("#against", "1")
        assert second.locator("caption").inner_text().startswith("Bo")


def test_known_cards_are_taken_out(open_page):
    report = pages.report(pages.no_limit())
    with open_page(report) as page:
        page.fill("#slider", "6")
        page.check("#removed")
        table = report.steps[5].after
        known = pm.WeightTable(table.values, dead=[*table.dead, *pm.cards.card_indices("AsKd")])
        shown = [float(text or "nan") for text in weights_of(page)]
        np.testing.assert_allclose(shown, known.grid().ravel(), rtol=3.5e-4)
        made = dict(composition(known, report.hand.board[:3]))
        told = page.locator(".first .made li", has_text="top pair").inner_text().replace("\u00a0", " ")
        assert told.split("\n")[1] == f"{100 * made['top pair']:.0f}%"


def test_a_range_is_copied(browser, tmp_path):
    """As text that reads as the range; where a page may not write to the clipboard, the text can be taken by hand."""
    report = pages.report(pm.example_hand())
    path = tmp_path / "page.html"
    path.write_text(hand_page([report]), encoding="ascii")
    with browser.new_context() as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(path.as_uri())
        page.fill("#slider", "25")
        page.click(".first .copy")
        page.locator(".first .copy", has_text="copied").wait_for()
        text = page.evaluate("navigator.clipboard.readText()")
        table = report.steps[24].after
        read = pm.WeightTable.from_text(text, dead=table.dead)
        np.testing.assert_allclose(read.values, table.values / table.values.max(), rtol=3e-3, atol=1e-4)
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.click(".first .copy")
        assert page.input_value(".first textarea") == text


def test_the_board_is_dealt_after_an_all_in(open_page):
    """Street by street, with the equities of the cards."""
    with open_page(pages.report(pages.no_limit())) as page:
        for moment, count, said in ((7, 3, "calls"), (8, 4, "All-in, Kc is dealt."), (9, 5, "All-in, 3d is dealt.")):
            page.fill("#slider", str(moment))
            assert page.locator(".middle .card").count() == count
            assert said in page.inner_text("#answer")
        assert "cards up 100.0" in page.inner_text(".side:has(caption:has-text('Ann')) .equity")


def test_the_dealer_has_the_button(open_page):
    with open_page(pages.report(pm.example_hand())) as page:
        assert page.locator(".seat", has=page.locator(".dealer")).locator("bdi").inner_text() == "Farid"
    hand = pm.Hand("made up", "1", pm.GameSpec.heads_up(5, 10), ["Ann", "Bo"], [(0, pm.Act.FOLD)])
    with open_page(pages.report(hand)) as page:
        assert page.locator(".seat", has=page.locator(".dealer")).locator("bdi").inner_text() == "Ann"


def test_the_charts_are_as_wide_as_there_is_room(open_page):
    with open_page(pages.report(pm.example_hand()), viewport={"width": 1300, "height": 900}) as page:
        for width in (1300, 400):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function(
                "Math.abs(document.querySelector('.how svg.chart').getBoundingClientRect().width - "
                "document.querySelector('.how figure').getBoundingClientRect().width) < 2"
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_limit(open_page):
    with open_page(pages.report(pages.no_limit(), hero="Cy")) as page:
        page.fill("#slider", "7")
        assert page.locator(".seat", has_text="Cy").locator(".stack").inner_text() == "all-in"
        assert "Cy needs 29.3% of the pot, has" in page.inner_text("#worth")
        assert page.locator("svg.price .needed").count() == 1
        page.keyboard.press("End")
        assert page.locator(".middle .card").count() == 5
        assert page.locator(".seat", has_text="Ann").locator(".won").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_names_are_text(open_page, width):
    """No name runs, hides what it is, or makes the page wider than the screen."""
    with open_page(pages.report(pages.ten_handed()), viewport={"width": width, "height": 800}) as page:
        for moment in range(1, 13):
            page.fill("#slider", str(moment))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        texts = page.locator(".seat bdi").all_text_contents()
        assert texts[:6] == pages.NAMES[:6]
        assert texts[6] == "\\u202eevil\\u2066"
        assert "\\u000abreak\\u2028\\u2029\\u001b[31m" in texts[8]
        assert page.title().startswith("MADE UP hand 1</title>")


def test_contrast(open_page, contrast):
    """Text of cells and of the page stands out by 4.5 to 1 (WCAG 2, AA)."""
    texts = ".map button, .dim, .act, .card, .position, li, h1, .stack, #answer, #acts button, .equity, .copy, h2"
    with open_page(pages.report(pm.example_hand(), "loki2")) as page:
        page.fill("#slider", "26")
        for view in (page.input_value("#view"), "change"):
            page.select_option("#view", view)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert contrast(page, texts) >= 4.5


def test_many_players_without_an_act(open_page):
    """Eleven players, of whom everybody but the big blind folds: there is no table of theirs."""
    spec = pm.GameSpec.ring(11, 5, 10)
    state, actions = State(spec), []
    while not state.over:
        actions.append((state.seat, pm.Act.FOLD))
        state.act(pm.Act.FOLD)
    hand = pm.Hand("made up", "3", spec, [f"Player {k}" for k in range(11)], actions)
    with open_page(pages.report(hand)) as page:
        page.keyboard.press("End")
        page.select_option("#player", "1")
        assert page.locator(".first .map:visible").count() == 0
        assert "has not acted" in page.inner_text(".why")


# at every moment, in one go: to fill the slider by hand waits for frames that nobody looks at
COVERED = """() => {
  const slider = document.querySelector('#slider');
  const box = (node) => node.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  let shown = 0;
  const covered = [];
  for (let moment = 0; moment <= Math.min(slider.max, 30); moment++) {
    slider.value = moment;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const labels = [...document.querySelectorAll('.seat > *, .middle')].filter((node) => node.textContent);
    for (const bet of document.querySelectorAll('.bet:not([hidden])')) {
      shown += bet.checkVisibility();
      covered.push(...labels.filter((label) => label !== bet && meet(box(bet), box(label)))
        .map((label) => label.textContent));
    }
  }
  return [shown, covered];
}"""


@pytest.mark.parametrize("width", [400, 1300])
@pytest.mark.parametrize("hand", [pm.example_hand, pages.no_limit, pages.ten_handed])
def test_chips_cover_nothing(open_page, hand, width):
    with open_page(pages.report(hand()), viewport={"width": width, "height": 900}) as page:
        shown, covered = page.evaluate(COVERED)
        assert covered == []
        assert shown
