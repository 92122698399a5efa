"""Run the commands whose output pages of the documentation show, and write it there anew.

    python tools/sessions.py            # what has to be done after a change of the prior, or of a report
    python tools/sessions.py --check    # say which pages do not show what comes out, and change nothing

A session is a block of `console` or `text` that begins with ``$ pokermodel``; what stands behind ``> `` in it is typed.
It runs in a folder with the files that ``pokermodel sample`` writes. A line ``...`` stands for lines that are left out:
as many as are shown stand before it, and after it what begins with the line that the page goes on with, up to a digit.
Seconds are those of the machine: they are not compared.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from click.testing import CliRunner

from pokermodel.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
#: Pages whose sessions run with the samples alone. Others read hands that are not ours, or take minutes.
PAGES = [ROOT / f"docs/howto/{name}.md" for name in ("play", "range", "solve", "solver", "study")]
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
    first, left_out, last = shown.partition("...\n")
    if left_out:
        begins = re.split(r"\d", last.partition("\n")[0])[0]
        head = lines[: len(first.splitlines())]
        goes_on = (at for at in range(len(head), len(lines)) if lines[at].startswith(begins))
        lines = [*head, "...", *(lines[next(goes_on) :] if last else [])]
    text = "".join(f"{line}\n" for line in lines)
    return shown if SECONDS.sub("", text) == SECONDS.sub("", shown) else text


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
