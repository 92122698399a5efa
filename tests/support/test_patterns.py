"""Patterns that are compiled when they are first used."""

import pkgutil
import re
import threading
from importlib import import_module

import pytest

from pokermodel import histories
from pokermodel._support.patterns import _Regex, regex


def test_methods_are_those_of_a_pattern():
    late, early = regex(r"(?P<a>[0-9]+)x", re.IGNORECASE), re.compile(r"(?P<a>[0-9]+)x", re.IGNORECASE)
    for text in ("12X", "a 12x 3x", "", "xx"):
        for name in ("match", "fullmatch", "search"):
            found, expected = getattr(late, name)(text), getattr(early, name)(text)
            assert (found and found.group(), found and found["a"]) == (
                expected and expected.group(),
                expected and expected["a"],
            )
        assert late.findall(text) == early.findall(text)
        assert [each.span() for each in late.finditer(text)] == [each.span() for each in early.finditer(text)]
        assert late.split(text) == early.split(text)
        assert late.sub(r"<\g<a>>", text) == early.sub(r"<\g<a>>", text)
        assert late.subn("", text) == early.subn("", text)
    assert (late.flags, late.groups, dict(late.groupindex)) == (early.flags, early.groups, dict(early.groupindex))


def test_bytes():
    assert regex(rb"[0-9]+").findall(b"1 22") == [b"1", b"22"]


def test_nothing_is_compiled_before_it_is_used(monkeypatch):
    asked = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: asked.append(given) or real(*given))
    pattern = regex("a+b", re.ASCII)
    assert pattern.pattern == "a+b"
    assert repr(pattern) == "regex('a+b')"
    assert not asked
    assert pattern.match("aab")
    assert pattern.search("b") is None
    assert pattern.fullmatch("ab")
    assert asked == [("a+b", re.ASCII)]


def test_a_mistake_is_found_at_the_first_use():
    pattern = regex("(")
    with pytest.raises(re.error):
        pattern.match("")


def test_what_a_pattern_does_not_have():
    with pytest.raises(AttributeError):
        regex("a").matches  # noqa: B018
    with pytest.raises(AttributeError):
        regex("a").__deepcopy__  # noqa: B018


def test_threads_may_use_it_for_the_first_time_at_once():
    for _ in range(50):
        pattern, found = regex("a(b)"), []
        threads = [threading.Thread(target=lambda p=pattern, f=found: f.append(p.match("ab")[1])) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == ["b"] * 4


def test_all_patterns_of_histories_can_be_compiled():
    count = 0
    for module in pkgutil.iter_modules(histories.__path__):
        for each in vars(import_module(f"pokermodel.histories.{module.name}")).values():
            if isinstance(each, _Regex):
                re.compile(each.pattern, each._given)
                count += 1
    assert count > 200
