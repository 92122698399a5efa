"""Recognise a format by the beginning of a file, without what reads it: few of the formats are needed at a time."""

from __future__ import annotations

import codecs
import re
from itertools import chain

from pokermodel._support.patterns import regex
from pokermodel.errors import HistoryError
from pokermodel.histories.files import Files

__all__ = ["ACPC_HEADER", "OWN", "STRING", "VARIANT", "begins_ohh", "irc_table", "irc_tables", "own_format"]

#: The field with which every hand of PHH says its game.
VARIANT = regex(rb"^[ \t]*variant[ \t]*=", re.MULTILINE)
#: The first line of a log of the ACPC dealer.
ACPC_HEADER = b"# name/game/hands/seed"
_ACPC_LINE = regex(rb"[^:|]+(\|[^:|]+)+:\d+:[fcr/\db]*:[^:]*:[^:]*$")
_LINE_END = regex(rb"[\r\n]")
#: A string of JSON.
STRING = regex(r'"(?:[^"\\]|\\.)*"')
_JSON_TOKENS = regex(rf"(?P<entry>\"ohh\")(?=\s*:)|{STRING.pattern}|[\[\]{{}}]")
_POKERNOW = regex(r'\s*(?:"?entry"?[,;\t]"?at"?[,;\t]"?order"?\s*$|"?-- (?:starting|ending) hand #[0-9])', re.MULTILINE)
_HDB_LINE = regex(rb"\d+ +\d+ +\d+ +\d+( +\d+/\d+){4}")
_PDB_LINE = regex(rb"\S+ +\d+ +\d+ +\d+( +[-BfkbcrAQK]+){4} +-?\d+ +\d+ +\d+")
_IRC_TABLE = regex(r"(?:^|/)(hdb\Z|hroster\Z|pdb(?=/))")
_IRC_HEAD = 1 << 12  # bytes of a table by which it is recognised


def own_format(head: bytes, name: str) -> str | None:
    """Return which of the package's own formats a file looks like: "phh", "acpc", "ohh", "pokernow", or None.

    Parameters
    ----------
    name : str
        Its name. The endings ``.phh``, ``.phhs`` and ``.ohh`` suffice.
    """
    return next((form for form, looks_like in OWN.items() if looks_like(head, name)), None)


def _phh(head: bytes, name: str) -> bool:
    """Whether a file looks like PHH."""
    if name.lower().endswith((".phh", ".phhs")):
        return True
    return b"variant" in head and VARIANT.search(head) is not None


def _acpc(head: bytes, name: str) -> bool:
    """Whether a file looks like a log of the ACPC dealer, whose files have any name."""
    head = head.removeprefix(codecs.BOM_UTF8)
    rest = head.lstrip() if head[:1].isspace() else head  # without a copy of what has nothing to lose
    if rest.startswith(ACPC_HEADER):
        return True
    while rest.startswith((b"#", b";")):  # a comment
        rest = _LINE_END.split(rest, maxsplit=1)[-1].lstrip() if _LINE_END.search(rest) else b""
    line = _LINE_END.split(rest, maxsplit=1)[0].strip()
    return line.startswith(b"STATE:") or (bool(line) and _ACPC_LINE.match(line) is not None)


def _ohh(head: bytes, name: str) -> bool:
    """Whether a file looks like Open Hand History."""
    if name.lower().endswith(".ohh"):
        return True
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and not head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
        return False
    return begins_ohh(head.decode("utf-16" if wide else "utf-8-sig", "replace"))


def begins_ohh(text: str) -> bool:
    """Whether a text begins with an object whose entry "ohh" is a hand; programs put entries of their own before it."""
    depth = 0
    for token in _JSON_TOKENS.finditer(text) if text.lstrip().startswith("{") else ():
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth < 1 or (depth == 1 and token.lastgroup):
            return depth == 1
    return False


def _pokernow(head: bytes, name: str) -> bool:
    """Whether a file looks like a log of PokerNow: a CSV with its three columns, or with hands."""
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return _POKERNOW.match(head.decode("utf-16" if wide else "utf-8-sig", "replace")) is not None


#: What recognises the package's own formats, by name.
OWN = {"phh": _phh, "acpc": _acpc, "ohh": _ohh, "pokernow": _pokernow}


def irc_table(head: bytes) -> bool:
    """Whether this is a file of the IRC poker database: ``hdb``, or one of ``pdb``."""
    line = head.lstrip().partition(b"\n")[0].strip()
    return _HDB_LINE.match(line) is not None or _PDB_LINE.match(line) is not None


def irc_tables(files: Files) -> dict[str, str]:
    """Return the files that are tables of an IRC poker database, with the folder of each.

    A folder is a database if its file ``hdb`` has ``hroster`` or ``pdb`` beside it, or looks like a table. Empty text
    is the root.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for name in files.names:
        for table in _IRC_TABLE.finditer(name):
            found.setdefault(name[: table.start()], {}).setdefault(table[1], []).append(name)
    return {
        name: folder
        for folder, beside in found.items()
        if "hdb" in beside and (len(beside) > 1 or _is_table(files, beside["hdb"][0]))
        for name in chain(*beside.values())
    }


def _is_table(files: Files, name: str) -> bool:
    try:
        return irc_table(files.head(name, _IRC_HEAD))
    except HistoryError:  # which reading raises again
        return False
