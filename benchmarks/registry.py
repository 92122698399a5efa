"""What is measured: cases, each with our way and those of others, and what ours must reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

OURS = "pokermodel"


class UnavailableError(Exception):
    """A contender that cannot be measured here, and why."""


@dataclass(frozen=True)
class Run:
    """One contender, ready to run."""

    call: Callable[[], object]
    #: How many of the case's units (hands, trials) one call does.
    units: float = 1
    #: What a reader of the figure must know.
    note: str = ""
    #: Wall clock counts, and not the processor time of this process.
    wall: bool = False
    #: The call itself returns the seconds that count.
    timed: bool = False


Make = Callable[[], Run]


@dataclass(frozen=True)
class Target:
    """What ours must reach: seconds a unit at most, or so many times as fast as a peer."""

    bound: float
    peer: str | None = None


def at_most(seconds: float) -> Target:
    return Target(seconds)


def at_least(ratio: float, peer: str) -> Target:
    return Target(ratio, peer)


@dataclass
class Case:
    """One thing to do, in several ways that are measured in turn."""

    name: str
    unit: str
    targets: tuple[Target, ...] = ()
    #: All contenders return the same numbers (a test compares them).
    same: bool = False
    #: Measured so many rounds at most, since it takes long.
    rounds: int | None = None
    contenders: dict[str, Make] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The contenders, ours first."""
        return sorted(self.contenders, key=lambda name: name != OURS)

    def ours(self, make: Make) -> Make:
        """Say what we do; to decorate a function, or to call."""
        self.contenders[OURS] = make
        return make

    def peer(self, name: str) -> Callable[[Make], Make]:
        """Say what another does. A name is that of its package, perhaps with a comma and more."""

        def add(make: Make) -> Make:
            self.contenders[name] = make
            return make

        return add


@dataclass(frozen=True)
class Fact:
    """A number that is not a time."""

    name: str
    value: Callable[[], float]
    unit: str
    at_most: float


CASES: dict[str, Case] = {}
FACTS: list[Fact] = []


def case(name: str, unit: str, *targets: Target, same: bool = False, rounds: int | None = None) -> Case:
    """Add a case. The name begins with its area and a colon."""
    if name in CASES:
        raise ValueError(f"there are two cases {name!r}")
    CASES[name] = Case(name, unit, targets, same, rounds)
    return CASES[name]
