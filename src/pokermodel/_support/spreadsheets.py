"""Comma-separated values that a spreadsheet shows and does not run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pokermodel._support.patterns import regex

__all__ = ["csv_text"]

# what spreadsheets take for the beginning of a formula; East Asian editions take the wide signs for it, too
_FORMULA = regex(r"[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = regex(r"[+-]?\d+(?:\.\d+)?")
# ";" and a tab part cells where a spreadsheet has other habits, so that a formula could begin behind them
_TO_QUOTE = regex(r"[\",;\t\r\n]|^\s|\s$")


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as comma-separated values, with a line of column names.

    Names are chosen by strangers, and one such as ``=HYPERLINK(...)`` would be a formula in a spreadsheet. A ``'`` is
    put before every text that begins like one, as OWASP advises ("CSV Injection"); numbers are none.

    Parameters
    ----------
    rows : iterable of iterable
        Cells: text, numbers, or None for an empty one.
    """
    lines = [",".join(_cell(value) for value in row) for row in (columns, *rows)]
    return "\n".join([*lines, ""])


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    if isinstance(value, str) and _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _TO_QUOTE.search(text) else text
