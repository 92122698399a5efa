"""Work in the background as a screen: what runs, waits, was done or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pokermodel._support.words import counted
from pokermodel.report.document import Page, asset
from pokermodel.report.frame import WORK, Note, left_words

__all__ = ["work_body"]

_SHOWN = 100


def work_body(jobs: Sequence[Mapping[str, Any]], summary: Mapping[str, Any], state: str = "") -> Page:
    """Draw work as a page.

    Parameters
    ----------
    jobs : sequence of mapping
        With the attributes of a `Job`.
    summary : mapping
        With those of a `WorkSummary`.
    state : str
        By which the page knows when work went on.
    """
    live = summary["running"] + summary["waiting"]
    words = [f"{counted(live, 'job')} to do{left_words(summary['seconds_left'])}" if live else "nothing to do"]
    words += [f"{summary[state]:,} {state}" for state in ("done", "failed", "stopped") if summary[state]]
    return Page(
        "work",
        title="Work",
        script=asset("work.js"),
        style=asset("list.css"),
        data={"state": state},
        sums=" \N{MIDDLE DOT} ".join(words),
        jobs=[_row(job) for job in jobs[:_SHOWN]],
    )


def _row(job: Mapping[str, Any]) -> dict[str, Any]:
    live = job["state"] in ("waiting", "running")
    again = job["state"] in ("failed", "stopped")
    button = [Note("", "stop", f"{WORK}/{job['id']}/stop")] if live else []
    button += [Note("", "again", f"{WORK}/{job['id']}/again")] if again else []
    what = {
        "judge": f"judge {counted(job['total'], 'hand')}",
        "gains": f"work out answers to {counted(job['total'], 'player')}",
        "learn": "learn what hands say of people",
    }.get(job["kind"], job["kind"])
    return {
        "what": what,
        "state": job["state"],
        "done": f"{job['done']:,} of {job['total']:,}",
        "took": f"{job['seconds']:.1f} s" if job["seconds"] else "",
        "error": job["error"],
        "buttons": button,
    }
