"""Run the commands whose output pages of the documentation show, and write it there anew.

    python tools/sessions.py            # what has to be done after a change of the prior, or of a report
    python tools/sessions.py --check    # say which pages do not show what comes out, and change nothing

A session is a block of `console` or `text` that begins with ``$ pokermodel``; what stands behind ``> `` in it is typed.
It runs in a folder with the files that ``pokermodel sample`` writes. A line ``...`` stands for lines that are left out.
Behind it stands the line of the output that is most like the one that the page has there.
Seconds are those of the machine: they are not compared.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from click.testing import CliRunner

from pokermodel.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
#: Pages whose sessions run with the samples alone. Others read hands that are not ours, or take minutes.
PAGES = [
    ROOT / "README.md",
    *(ROOT / f"docs/howto/{name}.md" for name in ("play", "range", "solve", "solver", "study")),
]
BLOCK = re.compile(r"^```(?:console|text)\n\$ pokermodel (.*)\n((?:(?!```).*\n)+)```", re.MULTILINE)
SECONDS = re.compile(r"\b\d+(\.\d+)? s\b")


class Session(NamedTuple):
    """A command, what is typed, and what a page shows of what comes out, which is its text from `start` to `end`."""

    command: str
    typed: list[str]
    shown: str
    start: int
    end: int


def sessions(text: str) -> Iterator[Session]:
    """Those of a page, the last one first, so that it can be written over without moving the others."""
    for found in reversed([*BLOCK.finditer(text)]):
        command, shown = found.groups()
        yield Session(command, re.findall(r"^> (\S+)$", shown, re.MULTILINE), shown, *found.span(2))


def run(session: Session) -> str:
    """What comes out, in the working directory; RuntimeError with it if the command fails."""
    typed = "".join(f"{key}\n" for key in session.typed)
    result = CliRunner(env={"COLUMNS": "110"}).invoke(cli, shlex.split(session.command), input=typed)
    if result.exit_code:
        raise RuntimeError(f"pokermodel {session.command}: {result.output}") from result.exception
    return result.output


def shortened(shown: str, output: str) -> str:
    """What a page is to show of an output: as much as before, and its seconds if nothing else is new."""
    lines = [line.rstrip() for line in output.splitlines()]
    parts = [part.splitlines() for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    text, at = list[str](), 0
    for number, part in enumerate(parts):
        if number:
            text.append("...")
            at = max(range(at, len(lines)), key=partial(_likeness, lines, part[0])) if part else len(lines)
        end = len(lines) if number == len(parts) - 1 else at + len(part)
        text += lines[at:end]
        at = end
    whole = "".join(f"{line}\n" for line in text)
    return shown if SECONDS.sub("", whole) == SECONDS.sub("", shown) else whole


def _likeness(lines: list[str], line: str, at: int) -> float:
    return SequenceMatcher(None, line, lines[at]).ratio()


def renewed(text: str) -> str:
    """A page with what comes out today of its sessions; in a folder with the samples."""
    for session in sessions(text):
        text = text[: session.start] + shortened(session.shown, run(session)) + text[session.end :]
    return text


def main(arguments: list[str]) -> None:
    """Renew all pages, or with --check say which would change."""
    changed = []
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        CliRunner().invoke(cli, ["sample", "."], catch_exceptions=False)
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            new = renewed(text)
            if new != text:
                changed.append(page.relative_to(ROOT).as_posix())
                if arguments != ["--check"]:
                    page.write_text(new, encoding="utf-8")
        os.chdir(ROOT)
    if arguments == ["--check"]:
        sys.exit(f"not what comes out today: {', '.join(changed)}" if changed else None)
    print(f"written: {', '.join(changed) or 'nothing, all was as it is'}")


if __name__ == "__main__":
    main(sys.argv[1:])
