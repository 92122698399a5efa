"""Count how often a walk through the package changes modules: how far a reader of the code has to follow.

    python tools/count_walks.py           # what three walks come to
    python tools/count_walks.py --show    # with the stays, in order

A stay is a run of consecutive calls of functions in one module of the package; a return is a stay in a module that was
there before. A function counts where it is called first, since it is read once; and only if it leads on, which is to
say that it calls a function of another module itself: others are read where they stand, as words are. So a walk is what
somebody follows who wants to know how the parts go together. Beside it stands what comes out if every function counts
where it is called first. Caches are warm, and kernels are not walked through.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.game import GameSpec
from pokermodel.report.page import hand_page
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.players import make_player

PACKAGE = str(Path(pm.__file__).parent)


class Call(NamedTuple):
    """A call of a function of the package: whose code it is, where that stands, and what called it."""

    code: CodeType
    module: str
    caller: Call | None


class Walk(NamedTuple):
    """Modules in the order in which they are come to."""

    stays: tuple[str, ...]

    @property
    def returns(self) -> int:
        """How many stays are in a module that was there before."""
        return len(self.stays) - len(set(self.stays))

    def __str__(self) -> str:
        return f"{len(self.stays)} stays in {len(set(self.stays))} modules, {self.returns} returns"


@contextmanager
def recorded() -> Iterator[list[Call]]:
    """The calls of functions of the package, in order; generators count where they begin."""
    calls: list[Call] = []
    open_frames: list[tuple[FrameType, Call]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE) or code.co_name.startswith("<"):
            return
        if event == "call":
            module = frame.f_globals["__name__"].removeprefix("pokermodel.")
            call = Call(code, module, open_frames[-1][1] if open_frames else None)
            calls.append(call)
            open_frames.append((frame, call))
        elif event == "return" and open_frames and open_frames[-1][0] is frame:
            open_frames.pop()

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def walk_of(calls: list[Call], *, every: bool = False) -> Walk:
    """Return the walk of calls: through functions that lead to other modules, or through `every` one."""
    leading = {call.caller.code for call in calls if call.caller is not None and call.caller.module != call.module}
    first: dict[CodeType, str] = {}
    for call in calls:
        if every or call.code in leading:
            first.setdefault(call.code, call.module)
    return Walk(tuple(module for module, _ in groupby(first.values())))


def an_act(model: str = "adaptive") -> Callable[[], object]:
    """Observe an act on the turn."""
    hand = pm.example_hand()
    decisions, session = list(hand.replay()), pm.OpponentModeler(model)
    last = next(decision for decision in decisions if decision.round == 2)
    session.start(hand.players)
    for decision in decisions[: last.index]:
        session.observe(decision)
    return lambda: session.observe(last)


class Stop(Exception):  # noqa: N818 - it is no error
    """The decision that is asked for."""


def a_simulation() -> Callable[[], object]:
    """Let a simulating player act after the flop."""
    found: list[Callable[[], object]] = []
    player = make_player("loki2:sbr?trials=64")
    act = player.act

    def wait(view: Any) -> Any:
        if view.round == 1:
            found.append(lambda: act(view))
            raise Stop
        return act(view)

    player.act = wait  # type: ignore[method-assign]
    spec = GameSpec.ring(2, 1, 2)
    for seed in range(50):
        deal = deal_cards(spec.players, np.random.default_rng(seed))
        try:
            play_hand(spec, ("Ann", "Bob"), (player, make_player("call")), deal)
        except Exception:  # the table says whose player failed, and how
            if not found:
                raise
        if found:
            return found[0]
    raise RuntimeError("no hand reached the flop")


def a_page() -> Callable[[], object]:
    """Draw the page of a hand, of which everything is worked out."""
    report = HandReport.of(pm.example_hand(), pm.OpponentModeler("adaptive"))
    report.findings(range(len(report.moments)))
    return lambda: hand_page([report])


WALKS: dict[str, Callable[[], Callable[[], object]]] = {
    "an act, observed by adaptive": an_act,
    "an act, observed by loki2": lambda: an_act("loki2"),
    "an act of a simulating player": a_simulation,
    "a page of a hand": a_page,
}


def calls_of(prepare: Callable[[], Callable[[], object]]) -> list[Call]:
    """Walk twice, and return the calls of the second walk, whose caches are warm."""
    prepare()()
    walk = prepare()
    with recorded() as calls:
        walk()
    return calls


def main() -> None:
    """Print each walk: its stays, the modules that they are in, and the returns."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print the modules, in order")
    given = parser.parse_args()
    for name, prepare in WALKS.items():
        calls = calls_of(prepare)
        walk = walk_of(calls)
        print(f"{name}: {walk} (every function: {walk_of(calls, every=True)})")
        if given.show:
            print(*(f"    {stay}" for stay in walk.stays), sep="\n")


if __name__ == "__main__":
    main()
