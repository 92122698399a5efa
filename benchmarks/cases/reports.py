"""What is made of many hands: lines of JSON, text, a page. Beside them, what it costs to score the same hands.

The hands are not part of the project: see `benchmarks.cases.histories`.
"""

from __future__ import annotations

import atexit
import io
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from pathlib import Path

import pokermodel as pm
from benchmarks.cases.histories import STARS, data
from benchmarks.cases.process import COMMAND, whole_seconds
from benchmarks.registry import Run, at_least, at_most, case
from pokermodel._core.json_text import dumps
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.hero_hands import hero_of

_DEALS = 2_000  # as many hands are read by the command


def hands() -> list[pm.Hand]:
    return [hand for name in STARS for hand in pm.open_hands(data(f"sites-nolimit/pokerstars/{name}"), strict=False)]


def reports(played: list[pm.Hand]) -> Iterator[HandReport]:
    session = pm.OpponentModeler("adaptive")
    for hand in played:
        session.hero = hero = hero_of(hand)
        yield HandReport.of(hand, session, hero, deals=_DEALS, verdicts=False)


def lines(played: list[pm.Hand]) -> None:
    for number, report in enumerate(reports(played), 1):
        dumps({"number": number, **report.to_dict(ranges=False)})


def text(played: list[pm.Hand]) -> None:
    from rich.console import Console

    from pokermodel.report.terminal import print_report

    console = Console(file=io.StringIO(), width=1000, height=25, highlight=False, color_system=None)
    for report in reports(played):
        print_report(report, console)


def page(played: list[pm.Hand]) -> None:
    from pokermodel.report.hands_page import hand_content, write_hands_page

    with tempfile.TemporaryDirectory() as folder:
        numbered = ((number, [report]) for number, report in enumerate(reports(played), 1))
        contents = ((hand_content(number, each), None) for number, each in numbered)
        write_hands_page(Path(folder, "page.html"), contents, title="Hands")


def score(played: list[pm.Hand]) -> None:
    pm.score(played, "adaptive")


def of_all(make: Callable[[list[pm.Hand]], None]) -> Run:
    played = hands()
    return Run(lambda: make(played), len(played), f"{len(played):,} no-limit hands, with the hero's cards")


for _name, _make in (("lines of JSON", lines), ("text", text), ("a page", page)):
    _case = case(f"reports: hands read, as {_name}", "hand", at_most(1 / 500), rounds=3)
    _case.ours(partial(of_all, _make))
    _case.peer("score")(partial(of_all, score))


# ------------------------------------------------------------------------------------------------ whole commands

_TIMES = 8  # so that the start is a small part
_CARDS = re.compile(r"(?<=\[)[2-9TJQKA][cdhs](?: [2-9TJQKA][cdhs])*(?=\])")


def many_hands() -> tuple[Path, int]:
    """A file of those hands several times over, each time with other numbers, and suits that change places."""
    whole = "".join(
        data(f"sites-nolimit/pokerstars/{name}").read_text("utf-8-sig").strip() + "\n\n\n" for name in STARS
    )
    parts = []
    for time, suits in zip(range(_TIMES), permutations("cdhs"), strict=False):
        names = str.maketrans("cdhs", "".join(suits))
        dealt = _CARDS.sub(lambda cards, names=names: cards[0].translate(names), whole)  # type: ignore[misc]
        parts.append(re.sub(r"(?<=#)\d+(?=:)", lambda number, time=time: f"{time + 1}{number[0]}", dealt))  # type: ignore[misc]
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    path = folder / "hands.txt"
    path.write_text("".join(parts), encoding="utf-8")
    return path, sum(1 for _ in pm.open_hands(path, strict=False, index=False))


def out(path: Path, ending: str = "") -> list[str]:
    """Where a command writes: to standard output as text, or to a file with an ending."""
    return ["--out", str(path.with_suffix(ending))] if ending else []


def command(*ending: str) -> Run:
    path, count = many_hands()
    arguments = ["read", str(path), "--all", "--jobs", "1", *out(path, *ending)]
    return Run(
        partial(whole_seconds, COMMAND.format(arguments)), count, f"{count:,} hands, start and end too", timed=True
    )


def beside(jobs: int, *ending: str) -> Run:
    """The command by several processes, by the clock."""
    path, count = many_hands()
    arguments = ["read", str(path), "--all", "--jobs", str(jobs), *out(path, *ending)]

    def run() -> None:
        whole_seconds(COMMAND.format(arguments))

    return Run(run, count, "start and end too, by the clock", wall=True)


for _name, _ending in (("lines of JSON", [".jsonl"]), ("text", []), ("a page", [".html"])):
    case(f"reports: the whole command, {_name}", "hand", at_most(1 / 500), rounds=3).ours(partial(command, *_ending))


for _name, _ending in (("lines of JSON", [".jsonl"]), ("a page", [".html"])):
    _case = case(f"reports: two processes, {_name}", "hand", at_least(1.2, "one process"), rounds=3)
    _case.ours(partial(beside, 2, *_ending))
    _case.peer("one process")(partial(beside, 1, *_ending))


def texts(write: Callable[[object], str]) -> Run:
    read = [report.to_dict(ranges=False) for report in reports(hands()[:100])]
    return Run(lambda: [write(each) for each in read], len(read), f"{len(read)} hands as plain data")


_texts = case("reports: JSON text of a hand that was read", "hand", at_least(3, "json"))
_texts.ours(partial(texts, dumps))
_texts.peer("json")(partial(texts, partial(json.dumps, allow_nan=False)))
