"""Hand histories: one module per format, and `open_hands`, which recognises the format.

The module of a format has ``hands(path, file, skipped)``, which yields the hands of a file while it is read; that of a
site has a `TextFormat`. A module is imported for the first file of its format. Text of sites is recognised hand by
hand. Other packages add formats by entry points of the group ``pokermodel.histories``, see `register`. The IRC poker
database spreads a hand over many files, and is read from a folder or an archive instead.
"""

from pokermodel.histories.filter import Filter
from pokermodel.histories.registry import (
    FORMATS,
    READABLE,
    SITES,
    WRITERS,
    HistoryFormat,
    NoHistoryError,
    formats,
    readable,
    register,
    writer,
)
from pokermodel.histories.report import HistoryFile, SourceReport
from pokermodel.histories.rows import DECISION_COLUMNS, HAND_COLUMNS, decision_rows, hand_row
from pokermodel.histories.selection import HandSelection
from pokermodel.histories.source import HandSource, Span, open_hands, source_of
from pokermodel.histories.walks import SpanTally

__all__ = [
    "DECISION_COLUMNS",
    "FORMATS",
    "HAND_COLUMNS",
    "READABLE",
    "SITES",
    "WRITERS",
    "Filter",
    "HandSelection",
    "HandSource",
    "HistoryFile",
    "HistoryFormat",
    "NoHistoryError",
    "SourceReport",
    "Span",
    "SpanTally",
    "decision_rows",
    "formats",
    "hand_row",
    "open_hands",
    "readable",
    "register",
    "source_of",
    "writer",
]
