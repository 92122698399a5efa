"""Hands in XML: the elements of a text, read by the parser of the standard library.

Histories come from strangers. Declarations of a document type, and with them entities, are refused, so that nothing is
looked up and nothing grows; the depth is bounded here, the size in `Draft.text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate
from xml.parsers.expat.errors import XML_ERROR_NO_ELEMENTS, codes

from pokermodel._support.patterns import regex
from pokermodel.histories._words import LineError

__all__ = ["Element", "parse", "parse_head"]

_NUMBER = regex(r"[0-9]{1,15}")
_DEPTH = 12  # elements inside one another
_NO_END = codes[XML_ERROR_NO_ELEMENTS]


_ENTITY = regex(r"&([A-Za-z][A-Za-z0-9]*;)")  # of HTML, some of which programs write into XML


def _without_entity(found: re.Match[str]) -> str:
    """The characters that an entity of HTML stands for, by their numbers."""
    return "".join(f"&#{ord(letter)};" for letter in html5[found[1]]) if found[1] in html5 else found[0]


@dataclass(slots=True)
class Element:
    """An element of a text in XML."""

    tag: str
    attributes: dict[str, str]
    line: int  #: Number of the line where it begins.
    text: str = ""  #: Characters between its tags, outside other elements.
    children: list[Element] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        """Return an attribute; raises `LineError` if there is none of this name."""
        if name not in self.attributes:
            raise LineError(f"<{self.tag}> has no attribute {name!r}", self.line)
        return self.attributes[name]

    def number(self, name: str) -> int:
        """Return an attribute that is a whole number; raises `LineError`."""
        value = self[name]
        if not _NUMBER.fullmatch(value):
            raise LineError(f"<{self.tag}> has {name}={value[:20]!r}, expected a whole number", self.line)
        return int(value)

    def get(self, name: str) -> str:
        """Return an attribute, or an empty text."""
        return self.attributes.get(name, "")

    def named(self, tag: str) -> Iterator[Element]:
        """Yield the elements of a name directly inside."""
        return (child for child in self.children if child.tag == tag)

    def child(self, tag: str) -> Element:
        """Return the first element of a name directly inside; raises `LineError` if there is none."""
        for child in self.named(tag):
            return child
        raise LineError(f"<{self.tag}> has no element <{tag}>", self.line)


def parse_head(text: str, end: re.Pattern[str], first: int) -> tuple[Element, LineError | None]:
    """Parse what is about the hands that follow, and find what is behind it: a hand whose first tag is damaged.

    Raises `LineError` as `parse`.
    """
    found = end.search(text)
    if found is None:
        return parse(text, first), None
    rest = text[found.end() :]
    said = rest.lstrip()
    line = first + text.count("\n", 0, len(text) - len(said))
    what = said.partition("\n")[0][:60]
    error = LineError(f"expected the first line of a hand, got {what!r}", line) if said else None
    return parse(text[: found.end()], first), error


def parse(text: str, first: int) -> Element:
    """Parse one element and all that is in it. Its end may be missing, not those of the elements inside.

    Raises `LineError` if the text is not well-formed, declares a document type, or nests elements too deeply.
    """
    if "&" in text:
        text = _ENTITY.sub(_without_entity, text)
    parser = ParserCreate()
    parser.buffer_text = True
    opened: list[Element] = []
    roots: list[Element] = []

    def here() -> int:
        return first + parser.CurrentLineNumber - 1

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(opened) >= _DEPTH:
            raise LineError(f"elements are nested more than {_DEPTH} deep", here())
        element = Element(tag, attributes, here())
        (opened[-1].children if opened else roots).append(element)
        opened.append(element)

    def end(tag: str) -> None:
        opened.pop()

    def characters(data: str) -> None:
        opened[-1].text += data

    def refuse(*declared: Any) -> None:
        raise LineError("a document type is declared, which is refused", here())

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except ExpatError as error:
        if error.code != _NO_END or len(opened) != 1:
            raise LineError(f"damaged XML: {ErrorString(error.code)}", first + error.lineno - 1) from None
    return roots[0]
