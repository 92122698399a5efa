"""The page of a study in a real browser: verdicts in the words of the terminal, counts and reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pokermodel.report.study import study_page

from .test_study import ALONE, CLOSE, FOLD, RIGHT, UNSEEN, study


@pytest.fixture
def page(open_html):
    """A page with a decision of every kind."""
    likely = replace(CLOSE, word="probably a mistake", index=9, average=True)
    with open_html(study_page(study(replace(FOLD, average=True), ALONE, likely, CLOSE, RIGHT, UNSEEN))) as page:
        yield page


def test_verdicts_are_sentences(page):
    shown = page.locator("#worst ~ ol li").all_inner_texts()
    assert [each.split(": ", 1)[1] for each in shown] == [
        "Big mistake: folding lost about 21 bb (21 to 22); call. Holds against an average player, too",
        "Big mistake: folding lost about 21 bb (21 to 22); call. Against Casey only (47 hands)",
        "Probably a mistake: betting 3 bb lost about 0.3 bb (-0.2 to 0.8); check. Holds against an average player, too",
    ]
    assert page.locator("article h3").all_inner_texts() == [f"{k}. {each}" for k, each in enumerate(shown, 1)]


def test_the_whole_has_what_is_not_known(page):
    said = page.locator("header p").all_inner_texts()
    assert "2 mistakes lost 42.4 bb (41.8 to 43.0), 4240.0 bb per 100 hands." in said
    assert "Probably mistakes: 1." in said
    assert "Cannot tell: 2 decisions, 1 of them not judged; the others lost 0.8 bb at most." in said
    assert any(each.startswith("All decisions together lost about ") for each in said)


def test_a_verdict_that_is_withheld_stands_with_its_reason(page):
    page.click("#all ~ details summary")
    rows = page.locator("#all ~ details tbody tr")
    words = [rows.nth(k).locator("td").nth(8).inner_text() for k in range(rows.count())]
    assert "not judged: nobody has been seen to answer at such a price" in words
    assert {"right", "cannot tell", "big mistake", "probably a mistake"} < set(words)


def test_what_was_made_is_marked_and_exact_values_have_no_trials(page):
    rows = page.locator("article.verdict").first.locator("tbody tr")
    assert [" ".join(each.split()) for each in rows.all_inner_texts()] == [
        "fold +0.00 exact made",
        "call +21.20 ± 0.40 exact (ranges 0.40)",
        "raise to 60 bb not known simulated (trials 1.00, ranges 1.00, menu 1.00)",
    ]
    assert page.locator("article.verdict tr.made th").all_inner_texts() == ["fold"] * 3
    assert "An interval covers three errors" in page.inner_text("footer")
