"""``python -m benchmarks``: see `benchmarks`."""

from __future__ import annotations

import argparse
import fnmatch
import json
import random
import sys
from pathlib import Path

from benchmarks import cases, report
from benchmarks.cases.boards import keep_no_counts
from benchmarks.registry import CASES, FACTS
from benchmarks.runner import measure


def chosen(names: list[str], patterns: list[str]) -> list[str]:
    """Those that have one of the patterns in them; all if there is none."""
    if not patterns:
        return names
    return [name for name in names if any(fnmatch.fnmatch(name.lower(), f"*{wanted.lower()}*") for wanted in patterns)]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time pokermodel and the peers that are installed, in turn and in one run. Each line is a time "
        "and how many times ours it is: medians over the rounds, with an interval of 95% (all rounds, if fewer "
        "than six).",
    )
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="cases with this in the name")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help="rounds of each case [%(default)s]")
    parser.add_argument("--json", metavar="FILE", help="write everything there, every raw figure too; - for stdout")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown at the end")
    parser.add_argument("--list", action="store_true", help="only print the names of the cases")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be 1 or more")
    cases.load()
    keep_no_counts()
    names = chosen(list(CASES), options.only)
    facts = [fact for fact in FACTS if chosen([fact.name], options.only)]
    if options.list:
        print("\n".join([*names, *(fact.name for fact in facts)]))
        return 0
    if not names and not facts:
        parser.error(f"no case has {' or '.join(options.only)} in its name: see --list")

    out = sys.stderr if options.json == "-" else sys.stdout
    about = report.machine()
    print(f"{about['processor']}, Python {about['python']}, SIMD level {about['simd']}", file=out)
    print(", ".join(f"{name} {found or 'absent'}" for name, found in report.versions().items()), file=out)
    rng = random.Random(1)
    results = []
    for name in names:
        results.append(measure(CASES[name], options.rounds, rng))
        print(f"\n{report.case_text(results[-1])}", file=out, flush=True)
    for fact in facts:
        print(f"\n{report.fact_text(fact)}", file=out)
    if options.markdown:
        print(f"\n{report.markdown(results, facts)}", file=out)
    if options.json:
        text = json.dumps(report.as_json(results, facts), indent=1)
        if options.json == "-":
            print(text)
        else:
            Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
