"""What was measured, as text, as a Markdown table and as JSON."""

from __future__ import annotations

import os
import platform
import subprocess
import time
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.compiled import HERE
from benchmarks.registry import OURS, Fact, Target
from benchmarks.runner import Interval, Result

PEERS = ("eval7", "pkrbot", "phevaluator", "pokerfast", "open-spiel", "pokerkit")


def versions() -> dict[str, str | None]:
    """Installed versions; None for what is not there."""
    found: dict[str, str | None] = {}
    for name in (OURS, "numpy", *PEERS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    if found[OURS] is None:  # run from a source tree
        project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
        found[OURS] = project["project"]["version"]
    return found


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def revision() -> str | None:
    """The commit measured, with "-dirty" if files differ from it; None outside a checkout."""
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return run.stdout.strip() or None


def machine() -> dict[str, Any]:
    from pokermodel import simd

    return {
        "processor": processor(),
        "processors": os.cpu_count(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "simd": simd.level(),
        "revision": revision(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def seconds_text(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ratio_text(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def time_line(found: Interval, unit: str) -> str:
    each, low, high = map(seconds_text, found[:3])
    return f"{each}/{unit} ({low} to {high})"


def ratio_line(found: Interval) -> str:
    each, low, high = map(ratio_text, found[:3])
    return f"{each}x ({low} to {high})"


def target_text(target: Target, unit: str) -> str:
    if target.peer is None:
        return f"at most {seconds_text(target.bound)}/{unit}"
    return f"at least {ratio_text(target.bound)}x {target.peer}"


def case_text(result: Result) -> str:
    unit = result.case.unit
    lines = [result.case.name]
    for name in result.case.names:
        note = f"  [{result.notes[name]}]" if name in result.notes else ""
        if name in result.absent:
            lines.append(f"  {name:28} not measured: {result.absent[name]}")
        elif name == OURS or OURS not in result.seconds:
            lines.append(f"  {name:28} {time_line(result.time(name), unit)}{note}")
        else:
            lines.append(f"  {name:28} {time_line(result.time(name), unit):44} {ratio_line(result.ratio(name))}{note}")
    lines += [f"  target {target_text(target, unit)}: {verdict}" for target, verdict in result.verdicts()]
    return "\n".join(lines)


def fact_text(fact: Fact) -> str:
    value = fact.value()
    reached = "reached" if value <= fact.at_most else "not reached"
    return f"{fact.name}\n  {value:,.0f} {fact.unit}\n  target at most {fact.at_most:,.0f} {fact.unit}: {reached}"


def markdown(results: list[Result], facts: list[Fact]) -> str:
    """One table: times and ratios with their intervals, and what was to be reached."""
    lines = ["| what | ours | others take | to reach |", "|---|---|---|---|"]
    for result in results:
        unit = result.case.unit
        if OURS not in result.seconds:
            lines.append(f"| {result.case.name} | not measured: {result.absent[OURS]} | | |")
            continue
        others = []
        for name in result.case.names[1:]:
            note = f" ({result.notes[name]})" if name in result.notes else ""
            found = result.absent[name] if name in result.absent else ratio_line(result.ratio(name))
            others.append(f"{name}{note}: {found}")
        wanted = [f"{target_text(target, unit)}: {verdict}" for target, verdict in result.verdicts()]
        cells = (result.case.name, time_line(result.time(OURS), unit), "; ".join(others), "; ".join(wanted))
        lines.append(f"| {' | '.join(cells)} |")
    for fact in facts:
        value, bound = fact.value(), f"at most {fact.at_most:,.0f} {fact.unit}"
        reached = "reached" if value <= fact.at_most else "not reached"
        lines.append(f"| {fact.name} | {value:,.0f} {fact.unit} | | {bound}: {reached} |")
    return "\n".join(lines)


def as_json(results: list[Result], facts: list[Fact]) -> dict[str, Any]:
    """All of it, every raw figure included: seconds a unit, round by round."""
    cases = []
    for result in results:
        measured = {}
        for name, seconds in result.seconds.items():
            entry: dict[str, Any] = {"seconds": seconds, "time": result.time(name)._asdict()}
            if name != OURS and OURS in result.seconds:
                entry["ratio"] = result.ratio(name)._asdict()
            if name in result.notes:
                entry["note"] = result.notes[name]
            measured[name] = entry
        targets = [
            {"bound": target.bound, "peer": target.peer, "verdict": verdict} for target, verdict in result.verdicts()
        ]
        case = {"name": result.case.name, "unit": result.case.unit, "measured": measured}
        cases.append({**case, "absent": result.absent, "targets": targets})
    return {
        "machine": machine(),
        "versions": versions(),
        "cases": cases,
        "facts": [
            {"name": fact.name, "value": fact.value(), "unit": fact.unit, "at_most": fact.at_most} for fact in facts
        ],
    }
