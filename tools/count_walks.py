"""Count how often a walk through the package changes modules: how far a reader of the code has to follow.

    python tools/count_walks.py           # what each walk comes to
    python tools/count_walks.py --show    # with the stays, in order

A stay is a run of consecutive calls of functions in one module of the package; a return is a stay in a module that was
there before. A function counts where it is called first, since it is read once; and only if it leads on, which is to
say that it calls a function of another module itself: others are read where they stand, as words are. So a walk is what
somebody follows who wants to know how the parts go together. Beside it stands what comes out if every function counts
where it is called first. Caches are warm, and kernels are not walked through. Where a walk comes to one that has a line
of its own, it goes past: the report of a hand does not count the stays of an observed act, for which a spot is made,
and of a verdict again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.reading import Spot
from pokermodel.report.page import hand_page
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.players import make_player
from pokermodel.worth.verdict import VerdictAdviser

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
def recorded(apart: Container[CodeType] = ()) -> Iterator[list[Call]]:
    """The calls of functions of the package, in order, but for those within `apart`; generators count where they begin.

    Parameters
    ----------
    apart : container of code
        Functions that are walks of their own.
    """
    calls: list[Call] = []
    open_frames: list[tuple[FrameType, Call]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE) or code.co_name.startswith("<"):
            return
        if event == "call" and not (open_frames and open_frames[-1][1].code in apart):
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


def turn_of_two() -> Hand:
    """A hand of two to a bet on the turn, with the cards of the player who bets."""
    bets, call = partial(Action, act=Act.RAISE), partial(Action, act=Act.CALL)
    acts = [bets(0, to=6), call(1), call(1), bets(0, to=6), call(1), call(1), bets(0, to=18), Action(1, Act.FOLD)]
    spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    return Hand("", "1", spec, ["Ann", "Bo"], acts, "QsJh2h8c", {0: "AsKd"})


def a_verdict() -> Callable[[], object]:
    """Judge a bet on the turn between two, fast: the street is solved."""
    hand, session = turn_of_two(), pm.OpponentModeler()
    decision = list(hand.replay())[6]
    adviser = VerdictAdviser(fast=True)
    for each in hand.replay():
        if each.index == decision.index:
            break
        session.observe(each)

    def fresh() -> Spot:
        """The spot as a session makes it that is asked for the first time."""
        return session.spot(decision.situation._replace()).held(hand.holdings[0])

    adviser.advise(fresh(), 1, also=[18])
    spot = fresh()
    return lambda: adviser.advise(spot, 1, also=[18])


def a_report() -> Callable[[], object]:
    """Read the same hand for the player who bets."""
    hand, session = turn_of_two(), pm.OpponentModeler(hero="Ann")
    HandReport.of(hand, session, "Ann")
    return lambda: HandReport.of(hand, session, "Ann")


def a_page() -> Callable[[], object]:
    """Draw the page of a hand, of which everything is worked out."""
    report = HandReport.of(pm.example_hand(), pm.OpponentModeler("adaptive"))
    report.findings(range(len(report.moments)))
    return lambda: hand_page([report])


class Course(NamedTuple):
    """A walk: what is prepared and then done, and the functions in it that are walks of their own."""

    prepare: Callable[[], Callable[[], object]]
    apart: tuple[Callable[..., object], ...] = ()


WALKS: dict[str, Course] = {
    "an act, observed by adaptive": Course(an_act),
    "an act, observed by loki2": Course(lambda: an_act("loki2")),
    "an act of a simulating player": Course(a_simulation),
    "a verdict": Course(a_verdict),
    "a report of a hand": Course(
        a_report, (*(getattr(pm.OpponentModeler, name) for name in ("spot", "observe", "width")), VerdictAdviser.judge)
    ),
    "a page of a hand": Course(a_page),
}


def calls_of(course: Course) -> list[Call]:
    """Walk twice, and return the calls of the second walk, whose caches are warm."""
    course.prepare()()
    walk = course.prepare()
    with recorded({each.__code__ for each in course.apart}) as calls:  # type: ignore[attr-defined]  # of functions
        walk()
    return calls


def main() -> None:
    """Print each walk: its stays, the modules that they are in, and the returns."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print the modules, in order")
    given = parser.parse_args()
    for name, course in WALKS.items():
        calls = calls_of(course)
        walk = walk_of(calls)
        print(f"{name}: {walk} (every function: {walk_of(calls, every=True)})")
        if given.show:
            print(*(f"    {stay}" for stay in walk.stays), sep="\n")


if __name__ == "__main__":
    main()
