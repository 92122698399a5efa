"""Pages of any kind: what is put into them is text, and the policy allows what is theirs alone."""

from __future__ import annotations

import base64
import hashlib

import jinja2
import pytest
from markupsafe import Markup

from pokermodel.report import document as documents
from pokermodel.report.document import asset, document

from . import pages
from .parsed import Parsed

TEMPLATES = {
    "plain": '{% extends "base" %}{% block body %}<p title="{{ text }}">{{ text }}</p>{{ text|name }}{% endblock %}',
    "bare": '{% extends "base" %}{% block body %}<p>{{ text }}</p>{% endblock %}',
}


@pytest.fixture
def plain(monkeypatch):
    """A template that shows a text in an attribute, in an element and as a name."""
    monkeypatch.setattr(documents, "asset", lambda name: TEMPLATES.get(name.removesuffix(".html.jinja")) or asset(name))
    documents._templates.cache_clear()
    yield "plain"
    documents._templates.cache_clear()


@pytest.mark.parametrize("text", pages.NAMES)
def test_what_is_put_in_is_text(plain, text):
    page = document(plain, title=text, text=text, data={"text": text})
    assert page.isascii()
    parsed, harmless = Parsed(page), Parsed(document(plain, title="a", text="a", data={"text": "a"}))
    assert parsed.tags == harmless.tags
    shown = documents.visible(text)
    assert parsed.one("p") == parsed.one("bdi") == shown
    assert next(each["title"] for each in parsed.attributes if "title" in each) == shown
    assert len(parsed.one("title")) <= 200
    assert parsed.data == {"text": text}


def test_markup_is_left_alone_and_nothing_is_missing(plain):
    assert Parsed(document("bare", title="", text=Markup("<i>x</i>"))).one("i") == "x"
    assert Parsed(document("bare", title="", text=None)).one("p") == ""
    with pytest.raises(jinja2.UndefinedError, match="text"):
        document("bare", title="")


def test_the_policy_allows_what_is_there(plain):
    def rules(page):
        policy = next(each["content"] for each in Parsed(page).attributes if each.get("http-equiv"))
        return dict(rule.split(" ", 1) for rule in policy.split("; "))

    page = document(plain, title="", text="", script='"use strict";', style="p { margin: 0; }")
    for rule, tag in (("style-src", "style"), ("script-src", "script")):
        digest = hashlib.sha256(Parsed(page).one(tag).encode()).digest()
        assert rules(page)[rule] == f"'sha256-{base64.b64encode(digest).decode()}'"
    without = rules(document(plain, title="", text=""))
    assert "script-src" not in without
    assert without["default-src"] == without["base-uri"] == without["form-action"] == "'none'"


@pytest.mark.parametrize(
    ("part", "text"), [("script", "</script >"), ("style", "</STYLE>"), ("script", "<!--"), ("style", "\u00e9")]
)
def test_scripts_and_styles_that_would_end_their_element(plain, part, text):
    with pytest.raises(ValueError, match=f"{part} of a page must be in ASCII and not end its element"):
        document(plain, title="", text="", **{part: text})
