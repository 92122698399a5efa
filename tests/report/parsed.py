"""Pages as a browser would find them, without a browser."""

from __future__ import annotations

import json
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr"}


class Parsed(HTMLParser):
    """Elements of a page with their attributes and their texts, those of what is within them included.

    Raises `AssertionError` if an element is not closed where it should be.
    """

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.ends = []  # what is within an element are those after it, before its end
        self._open = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append(dict(attrs))
        self.texts.append("")
        self.ends.append(len(self.tags))
        if tag not in VOID:
            self._open.append(len(self.tags) - 1)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        closed = self._open.pop()
        assert self.tags[closed] == tag
        self.ends[closed] = len(self.tags)

    def handle_data(self, data):
        for k in self._open:
            self.texts[k] += data

    def find(self, tag, within=None, **attributes):
        """Indices of elements, perhaps of those within another one, in their order."""
        return [
            k
            for k, name in enumerate(self.tags)
            if name == tag
            and all(self.attributes[k].get(key.rstrip("_")) == value for key, value in attributes.items())
            and (within is None or self.is_within(k, within))
        ]

    def is_within(self, k, other):
        return other <= k < self.ends[other]

    def one(self, tag, **attributes):
        """The text of the only such element."""
        (found,) = self.find(tag, **attributes)
        return self.texts[found]

    def rows(self, table):
        """Texts of the cells of a table, given its index."""
        return [
            [self.texts[k].strip() for k in range(row, self.ends[row]) if self.tags[k] in ("th", "td")]
            for row in self.find("tr", within=table)
        ]

    @property
    def data(self):
        """What the script of the page shows."""
        return json.loads(self.one("script", id="data"))
