"""Pieces of XML, parsed with little trust."""

from __future__ import annotations

import pytest

from pokermodel.histories._words import LineError
from pokermodel.histories._xml import parse


@pytest.mark.parametrize(
    ("words", "line", "what"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>", 7, "a document type is declared"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd">\n<a/>', 7, "a document type is declared"),
        ("<a>\n&b;</a>", 8, "damaged XML: undefined entity"),
        ("<a>\n" * 13 + "</a>" * 13, 19, "nested more than 12 deep"),
        ("<a>\n<b></a>", 8, "damaged XML: mismatched tag"),
        ("<a>\n<b>\n", 9, "damaged XML: no element found"),
        ("<a>\n<b", 8, "damaged XML: unclosed token"),
        ("<a/>\n<b/>", 8, "damaged XML: junk after document element"),
        ("\n", 8, "damaged XML: no element found"),
        ("<a\nb='1' b='2'/>", 8, "damaged XML: duplicate attribute"),
    ],
)
def test_what_is_wrong_with_xml(words: str, line: int, what: str) -> None:
    with pytest.raises(LineError, match=what) as caught:
        parse(words, 7)
    assert caught.value.line == line


def test_xml() -> None:
    element = parse("<a b='&lt;&#65;'>\n<c n='7'>x</c><d/><c/>", 3)  # without its end
    assert (element.tag, element["b"], element.get("z"), element.line) == ("a", "<A", "", 3)
    assert [each.line for each in element.named("c")] == [4, 4]
    assert (element.child("c").text, element.child("c").number("n")) == ("x", 7)
    for wrong in (lambda: element["z"], lambda: element.child("z"), lambda: element.number("b")):
        with pytest.raises(LineError, match="<a> has"):
            wrong()
