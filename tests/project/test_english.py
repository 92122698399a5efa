"""Documentation and help are plain English: short sentences, and nouns where English has them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from pokermodel.cli._commands import cli

ROOT = Path(__file__).resolve().parents[2]
#: The most words a sentence on average, the most that one should have, and how many of a page may have more.
AVERAGE, LONG, SHARE = 18, 30, 0.05
ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|al|vs|cf|Fig|No|Mr|St|M\.Sc|B\.Sc|[A-Z])\.$")
#: Words that stand where a noun or a plain verb belongs.
AVOIDED = re.compile(
    r"\b(?:said|told|whoever|whatever|nobody|somebody who|is what|are what|of what|of which|of whom)\b", re.IGNORECASE
)


def prose(text):
    """Paragraphs and list items of a page, without code, formulas, tables, verdicts, headings and pictures."""
    text = re.sub(r"^( *)```.*?^\1```", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\$\$.*?\$\$", "\n", text, flags=re.DOTALL)
    text = re.sub(r"^(?:\||#|!\[|<|\([\w-]+\)=|:::).*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"^- \*\*(?:held|in order within chance|open|failed)\*\*: .* \(.*\)$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"\$[^$]+\$", "x", text)
    text = re.sub(r"`[^`]+`", "x", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", lambda link: link[1] or "Title", text)
    text = re.sub(r"^ *(?:[-*]|\d+\.) ", "\n", text, flags=re.MULTILINE)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(text):
    """Sentences of a page's prose, as lists of words."""
    found = []
    for paragraph in prose(text):
        words = []
        for word in paragraph.split():
            if re.search(r"\w", word):
                words.append(word)
            if re.search(r"[.!?][)\"*_]*$", word) and not ABBREVIATIONS.search(word):
                found.append(words)
                words = []
        found.append(words)
    return [words for words in found if len(words) >= 4]


def pages():
    every = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    return sorted(page.relative_to(ROOT).as_posix() for page in every if "_build" not in page.parts)


def measure(page):
    return [len(words) for words in sentences((ROOT / page).read_text(encoding="utf-8"))]


def test_sentences_are_found():
    text = """
# A heading

One two three four (Papp et al. 1999). Five `a b` $x = 1$ seven eight!

- An item of a list

```sh
no prose at all here
```

| a | table | of | words |
"""
    assert [len(words) for words in sentences(text)] == [8, 5, 5]


def test_sentences_of_pages_are_short():
    lengths = [length for page in pages() for length in measure(page)]
    assert sum(lengths) / len(lengths) <= AVERAGE
    assert sum(length > LONG for length in lengths) / len(lengths) <= SHARE


@pytest.mark.parametrize("page", pages())
def test_sentences_of_a_page_are_short(page):
    """A page may have a little more than all of them together, and a sentence or two that are long."""
    lengths = measure(page)
    if lengths:
        assert sum(lengths) / len(lengths) <= AVERAGE + 2
        assert sum(length > LONG for length in lengths) <= max(2, SHARE * len(lengths))


@pytest.mark.parametrize("page", pages())
def test_pages_avoid_words_that_stand_for_nouns(page):
    text = " ".join(prose((ROOT / page).read_text(encoding="utf-8")))
    assert not AVOIDED.findall(text), [text[max(0, m.start() - 60) : m.end() + 40] for m in AVOIDED.finditer(text)]


#: Docstrings that may have such a word: the module, and the line as it stands.
EXCEPTIONS = {
    "report/words.py": (
        'Return what a call needs and what the hero has: ``"needs 36.4% of the pot, has 41.0% if nobody bets again"``.',
    ),
}


def docstrings(path):
    """Lines of a module's docstrings of public names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if documented and re.match(r"_(?!_)", getattr(node, "name", "")) is None:
            yield from (ast.get_docstring(node) or "").splitlines()


def test_docstrings_avoid_words_that_stand_for_nouns():
    package = ROOT / "src/pokermodel"
    found = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).as_posix()
        allowed = EXCEPTIONS.get(module, ())
        found += [(module, line) for line in docstrings(path) if AVOIDED.search(line) and line not in allowed]
    assert not found


def helps(command, context):
    """Texts of a command's help, and of the commands below it."""
    yield command.help or ""
    yield from (getattr(parameter, "help", None) or "" for parameter in command.params)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from helps(command.get_command(context, name), context)


def test_help_avoids_words_that_stand_for_nouns():
    texts = list(helps(cli, click.Context(cli)))
    assert len(texts) > 100
    assert not [text for text in texts if AVOIDED.search(text)]
