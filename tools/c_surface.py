"""The C surface that others compile against, as text: so that a change of it is seen, and not only felt.

    python tools/c_surface.py --check    # is tests/data/c_surface.txt what the headers and .pxd files say?
    python tools/c_surface.py            # write it

It holds the functions that a .pxd file declares, the types and constants that they need, and what the compiled modules
offer. Comments and bodies are left out. If a line of it changes or goes away, what was compiled
before no longer fits: raise PM_ABI in abi.h and in abi.pxd, once between two releases.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src/pokermodel"
FILE = ROOT / "tests/data/c_surface.txt"

# .pxd files that only the package itself uses
PRIVATE = {
    "cards",
    "class_tables",
    "corrections",
    "equity",
    "features",
    "hand_types",
    "likelihood",
    "measures",
    "observed_hands",
    "population",
    "reweighting",
    "rollout",
    "texts",
    "situations",
    "stud_games",
    "stud_player",
    "stud_rules",
}

_NAME = r"[A-Za-z_]\w*"


def plain(text: str) -> str:
    """C on few lines: no comments, single spaces."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", text).strip()


def plain_c(declaration: str) -> str:
    """A declaration of a .pxd file as C."""
    return re.sub(r"\bbint\b", "int", re.sub(r"\s*\b(?:noexcept|nogil)\b.*", "", declaration))


def extern_blocks(pxd: str) -> Iterator[tuple[str, str]]:
    """Header and body of each `cdef extern from "..."` of a .pxd file."""
    pattern = r'^cdef extern from "([^"]+)"[^\n]*:\n((?:[ \t]+[^\n]*\n|\n)+)'
    for found in re.finditer(pattern, pxd, re.MULTILINE):
        yield found[1], found[2]


def statements(body: str) -> Iterator[str]:
    """The declarations of an extern block at its first level, each on one line; not those within a struct or enum."""
    lines = iter(body.splitlines())
    for line in lines:
        if not line.startswith("    ") or line[4:5] in ("", " ", "#"):
            continue
        while line.count("(") > line.count(")"):
            line += " " + next(lines).strip()
        yield line.strip()


def declared_functions(body: str) -> Iterator[str]:
    """The C functions that an extern block takes from its header."""
    for statement in statements(body):
        if re.search(rf"{_NAME}\s*\(", statement) and not statement.startswith("ctypedef"):
            yield statement


def function_name(declaration: str) -> str:
    """Name that a declaration declares."""
    found = re.search(rf"({_NAME})\s*\(", declaration)
    if found is None:
        raise ValueError(f"no function is declared by {declaration!r}")
    return found[1]


def own_declarations(pxd: str) -> list[str]:
    """What a compiled module itself offers: its functions, and its structs."""
    functions = re.findall(r"^cdef (?!extern|class|enum|struct|inline)[^\n]*\([^)]*\)[^\n]*", pxd, re.MULTILINE)
    structs = re.findall(r"^cdef struct \w+:\n(?:    [^\n]*\n)+", pxd, re.MULTILINE)
    return [" ".join(re.sub(r"#[^\n]*", "", each).split()) for each in (*structs, *functions)]


class Named(NamedTuple):
    """A define, an enum or a type of a header."""

    text: str
    names: frozenset[str]


def types_and_constants(header: str) -> Iterator[Named]:
    """Defines, enums and types of a header, in their order."""
    pattern = r"^#define (PM_\w+) [^\n]+$|^typedef [^;{]*(?:\{[^}]*\}[^;]*)?;|^enum \w*\s*\{[^}]*\};"
    for found in re.finditer(pattern, re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL), re.MULTILINE):
        text = plain(found[0])
        inside = re.search(r"enum[^{]*\{([^}]*)\}", text)
        pointer = re.search(rf"\(\*({_NAME})\)\(", text) if "{" not in text else None
        last = pointer or re.search(rf"({_NAME})\s*;$", text)
        names = set(re.findall(rf"(?:^|,)\s*({_NAME})", inside[1])) if inside else set()
        names |= {each for each in (found[1], last and last[1]) if each}
        yield Named(text, frozenset(names))


def used(declared: Iterable[Named], words: set[str]) -> list[Named]:
    """Those of the declarations that words name, and those that these need in turn."""
    rest, found = list(declared), []
    while more := [each for each in rest if each.names & words]:
        found += more
        rest = [each for each in rest if each not in more]
        for each in more:
            words |= set(re.findall(_NAME, each.text))
    return found


def signature(header: str, name: str) -> str:
    """Head of an inline function of a header; empty if it has none of this name."""
    found = re.search(rf"^static (?:inline )?[^\n;{{}}]*?\b{name}\([^)]*\)(?=\s*\{{)", header, re.MULTILINE)
    return plain(found[0]) if found else ""


def surface(package: Path = PACKAGE) -> str:
    """The whole surface as text."""
    headers = {
        path.relative_to(package / "include").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((package / "include/pokermodel").rglob("*.h"))
    }
    functions: dict[str, set[str]] = {}
    words: set[str] = {"PM_ABI"}
    own: list[str] = []
    for path in sorted((package / "_core").glob("*.pxd")):
        if path.stem in PRIVATE:
            continue
        text = path.read_text(encoding="utf-8")
        for header, body in extern_blocks(text):
            functions.setdefault(header, set()).update(map(function_name, declared_functions(body)))
            words |= set(re.findall(_NAME, body))
        own += [f"{path.stem}: {each}" for each in own_declarations(text)]
    needed = used((each for text in headers.values() for each in types_and_constants(text)), words)
    lines = []
    for name, text in headers.items():
        found = [each.text for each in types_and_constants(text) if each in needed]
        for function in sorted(functions.pop(name, ())):
            if not (head := signature(text, function)):
                raise ValueError(f"{name} lacks {function}, which a .pxd file declares")
            found.append(head)
        if found:
            lines += [f"-- {name}", *found, ""]
    if functions:
        raise ValueError(f"there is no header {', '.join(sorted(functions))}")
    return "\n".join([*lines, "-- offered by the compiled modules", *own]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare; exit status 1 if it is another")
    found = surface()
    if not parser.parse_args().check:
        FILE.write_text(found, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == found:
        return 0
    print(f"{FILE.relative_to(ROOT)} is out of date: see tools/c_surface.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
