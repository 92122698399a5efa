"""Hand histories: one module per format, and `open_hands`, which recognises the format.

A format has two functions: ``sniff(head, name)`` returns whether a file looks like the format, and ``hands(path, file,
skipped)`` yields the hands of the file while it is read. It is a module, or a `TextFormat` in the module of a site.
Text of sites is recognised hand by hand. Other packages add formats by entry points of the group
``pokermodel.histories``, see `register`. The IRC poker database spreads a hand over many files, and is read from a
folder or an archive instead.
"""

from pokermodel.histories._formats import (
    FORMATS,
    READABLE,
    SITES,
    WRITERS,
    HistoryFormat,
    NoHistoryError,
    formats,
    readable,
    register,
)
from pokermodel.histories._report import HistoryFile, SourceReport
from pokermodel.histories._rows import DECISION_COLUMNS, HAND_COLUMNS, decision_rows, hand_row
from pokermodel.histories._selection import HandSelection
from pokermodel.histories._source import HandSource, Span, SpanTally, open_hands, source_of
from pokermodel.histories.filter import Filter

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
]
