"""The first minute: one question, before there is a book."""

from __future__ import annotations

from collections.abc import Sequence

from pokermodel._support.words import counted
from pokermodel.histories.usual_folders import UsualFolder
from pokermodel.report.document import Page, asset

__all__ = ["SAMPLE", "START", "start_body"]

#: Where the question is answered.
START = "/start"
#: The answer that names the sample.
SAMPLE = "sample"


def start_body(folders: Sequence[UsualFolder]) -> Page:
    """Ask where hand histories are: folders are chosen from those that are on this machine, and never typed."""
    lines = ["Files are only read, and nothing leaves this machine."]
    if not folders:
        lines.append("No folder of a poker room was found in its usual place.")
    return Page(
        "start",
        title="Where are your hand histories?",
        style=asset("start.css"),
        lines=lines,
        choices=[(each.room, _files(each), f"{START}/{k}") for k, each in enumerate(folders)],
        sample=f"{START}/{SAMPLE}",
    )


def _files(each: UsualFolder) -> str:
    more = "more than " if each.files >= 10_000 else ""
    return f"{each.path.name}, {more}{counted(each.files, 'file')}"
