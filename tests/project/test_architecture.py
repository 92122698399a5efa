"""The house as its imports draw it: arrows point one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import pokermodel

PACKAGE = Path(pokermodel.__file__).parent
WINGS = ("classics", "tables")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in ("pokermodel", *parts) if part != "__init__")


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def room_of(module: str) -> str:
    """The first part of the name: a folder, or a module of its own."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def is_typing(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def imported(body: list[ast.stmt], lazy: bool, types: bool = False) -> Iterator[tuple[str, bool]]:
    """Modules of the package that statements import, and whether they do so when they are called.

    What is imported for type checkers alone counts if `types` are wanted, too.
    """
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield (name if name in MODULES else node.module), lazy
        elif isinstance(node, ast.If) and is_typing(node.test):
            yield from imported([*(node.body if types else []), *node.orelse], lazy, types)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imported(node.body, True, types)
        else:
            for name in ("body", "orelse", "finalbody", "handlers"):
                inner = getattr(node, name, [])
                yield from imported([each for each in inner if isinstance(each, ast.stmt)], lazy, types)
                for handler in inner:
                    if isinstance(handler, ast.ExceptHandler):
                        yield from imported(handler.body, lazy, types)


class Read(NamedTuple):
    """What the text of a module says."""

    imports: list[tuple[str, bool]]
    imports_with_types: list[tuple[str, bool]]
    strings: list[str]  # that name a module of reports


@cache
def read() -> dict[str, Read]:
    """All modules, each parsed once."""
    found = {}
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        imports = [list(imported(tree.body, False, types)) for types in (False, True)]
        found[module] = Read(*imports, [each for each in constants if each.startswith("pokermodel.report")])
    return found


def arrows(with_lazy: bool, with_types: bool = False) -> dict[str, set[str]]:
    """For each module, those of the package that it imports."""
    found: dict[str, set[str]] = {}
    for module, text in read().items():
        names = text.imports_with_types if with_types else text.imports
        found[module] = {name for name, lazy in names if name in MODULES and name != module and (with_lazy or not lazy)}
    return found


def circle(uses: dict[str, set[str]]) -> list[str]:
    """A circle of arrows; empty if there is none."""
    done: set[str] = set()

    def walk(node: str, trail: list[str]) -> list[str]:
        if node in trail:
            return [*trail[trail.index(node) :], node]
        if node in done:
            return []
        for other in sorted(uses.get(node, ())):
            if found := walk(other, [*trail, node]):
                return found
        done.add(node)
        return []

    for node in sorted(uses):
        if found := walk(node, []):
            return found
    return []


def by_room(uses: dict[str, set[str]]) -> dict[str, set[str]]:
    rooms: dict[str, set[str]] = {}
    for module, used in uses.items():
        room = room_of(module)
        if room in ("", "__main__"):  # the package itself offers what its rooms have
            continue
        rooms.setdefault(room, set()).update(room_of(name) for name in used if room_of(name) not in ("", room))
    return rooms


def test_the_check_finds_a_circle():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert circle({"a": {"b", "c"}, "b": {"c"}}) == []


def test_the_check_reads_imports():
    later = "if TYPE_CHECKING:\n    import pokermodel.weights\ndef f():\n    import pokermodel.ranges\n"
    text = "import pokermodel.cards\n" + later
    assert list(imported(ast.parse(text).body, False)) == [("pokermodel.cards", False), ("pokermodel.ranges", True)]
    assert ("pokermodel.weights", False) in imported(ast.parse(text).body, False, types=True)
    showing = "class A:\n    def _repr_html_(self):\n        import pokermodel.report\n"
    assert list(imported(ast.parse(showing).body, False)) == [("pokermodel.report", True)]


def test_rooms_import_downwards_only():
    """At once, when they are called, and for type checkers: without a circle of all, there is none of some."""
    rooms = by_room(arrows(True, True))
    assert {"game", "reading", "learning", "worth", "scoring", "analysis", "report", *WINGS} <= set(rooms)
    assert circle(rooms) == []


def test_rooms_speak_of_none_above_them():
    """Not even in a string: what shows a value is found by what was registered, which the package alone names."""
    found = {module: text.strings for module, text in read().items() if text.strings}
    assert not [module for module in found if room_of(module) not in ("report", "cli", "", *WINGS)]
    assert found  # those that may


@pytest.mark.parametrize(("with_lazy", "with_types"), [(False, False), (True, False), (True, True)])
def test_modules_import_without_circles(with_lazy, with_types):
    """Packages aside: what a folder's __init__ gathers imports the modules beside it."""
    uses = arrows(with_lazy, with_types)
    plain = {module for module, path in MODULES.items() if path.name != "__init__.py"}
    assert circle({module: uses[module] & plain for module in plain}) == []


def test_the_main_part_knows_no_wing():
    """Neither at once, nor lazily, nor for type checkers, nor by name in a string or a declaration of a kernel."""
    crossing = [
        (module, name)
        for module, used in arrows(True, True).items()
        for name in used
        if room_of(module) not in WINGS and room_of(name) in WINGS
    ]
    assert crossing == []
    named = re.compile(rf"pokermodel[./]({'|'.join(WINGS)})\b")
    texts = {path for ending in ("py", "pyi", "pyx", "pxd", "h") for path in PACKAGE.rglob(f"*.{ending}")}
    main = [path for path in texts if path.relative_to(PACKAGE).parts[0] not in WINGS]
    assert [str(path) for path in sorted(main) if named.search(path.read_text(encoding="utf-8"))] == []


def test_tables_know_no_classics():
    uses = by_room(arrows(True, True))
    assert "classics" not in uses["tables"]
    assert "tables" in uses["classics"]


def test_readers_know_nothing_above_them():
    uses = by_room(arrows(True))
    above = {"worth", "scoring", "analysis", "report", "cli"}
    assert uses["reading"].isdisjoint(above | {"learning", "solving"})
    assert uses["learning"].isdisjoint(above | {"solving"})


def test_reports_draw_what_analysis_found():
    """They ask no session, adviser or book; analysis does not know the reports that draw it."""
    uses = arrows(True)
    reports = [used for module, used in uses.items() if room_of(module) == "report"]
    assert not set().union(*reports) & {"pokermodel.reading.session", "pokermodel.library.book"}
    assert by_room(uses)["analysis"].isdisjoint({"report", "cli", "scoring"})


def test_the_picture_has_at_most_thirty_rooms():
    assert len(by_room(arrows(True))) <= 30
