"""The view of a player beyond the statistics: trends, comparisons, the best answers to them, and their ranges.

A `PlayerReport` gathers it as plain data, which the terminal, JSON and the player's page show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.analysis.exploits import Exploit, exploits_of
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES
from pokermodel.game import ROUNDS, Act, BettingStructure, GameSpec
from pokermodel.learning.course import Course
from pokermodel.learning.differences import SURE, Difference, Leak, Leaks, compare, expected_wrong, leaks_of
from pokermodel.learning.profile import Figure, Profile, Sizes
from pokermodel.learning.rates import Population, UsualRate
from pokermodel.learning.winnings import Winnings
from pokermodel.library import Book
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.names import known_as, population
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import game_of
from pokermodel.reading.adaptive.reader import AdaptiveReader
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.tendencies import (
    BOARDS,
    STRENGTHS,
    PostflopTendency,
    PreflopTendency,
    postflop_tendencies,
    preflop_tendencies,
)

__all__ = [
    "MODEL",
    "Asked",
    "Group",
    "PlayerReport",
    "PlayerReports",
    "Ranges",
    "class_means",
    "stored_ranges",
    "stored_session",
]

#: The reader that is asked for ranges.
MODEL = "adaptive"
_DIGITS = 4
_ACTS = ("fold", "call", "raise")
#: Big blinds that stand for the classes of depth that a book counts; the last where it is not known.
_DEPTHS = (15, 35, 75, 150, 100)
_MOST_PLAYERS = 10


class Group(NamedTuple):
    """The knowledge of a player in some of their hands, or in a betting round."""

    player: str
    #: What groups are told apart by: ``"position"``, ``"table"``, ``"street"``, ``"stake"``, ``"month"``, ``"day"``,
    #: ``"depth"`` or ``"structure"``; "" for all.
    by: str
    name: str  #: Which of them it is.
    hands: int | None  #: How many hands it has; None of a betting round.
    structure: BettingStructure  #: Of the hands.
    statistics: Mapping[str, Figure]  #: By key.
    sizes: Mapping[str, Sizes]  #: How large bets and raises are, by key.


class Ranges(NamedTuple):
    """A reader's forecasts for a player by holdings."""

    game: str  #: The game that the situations are of, in words.
    known: bool  #: Whether the book has what the reader has learnt of the player; otherwise all of it is of anybody.
    preflop: tuple[PreflopTendency, ...]
    postflop: tuple[PostflopTendency, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it; what is done with classes of holdings is the mean of their holdings."""
        return {
            "model": MODEL,
            "game": self.game,
            "known": self.known,
            "preflop": [
                {
                    "position": each.position,
                    "raiser": each.raiser,
                    "acts": _acts(each.acts),
                    "unknown_player": None if each.others is None else _acts(each.others),
                    "call": _by_class(each.chances, Act.CALL),
                    "raise": _by_class(each.chances, Act.RAISE),
                }
                for each in self.preflop
            ],
            "boards": BOARDS,
            "postflop": [
                {
                    "street": ROUNDS[each.round],
                    "facing_a_bet": each.facing,
                    "acts": _acts(each.acts),
                    "strengths": [
                        {
                            "strength": name,
                            "share": round(share, _DIGITS),
                            "acts": None if np.isnan(chances[0]) else _acts(chances),
                        }
                        for name, share, chances in zip(STRENGTHS, each.shares.tolist(), each.chances, strict=True)
                    ],
                }
                for each in self.postflop
            ],
        }


def _acts(chances: Floats) -> dict[str, float]:
    return dict(zip(_ACTS, np.round(chances, _DIGITS).tolist(), strict=True))


def _by_class(chances: Floats, act: Act) -> dict[str, float]:
    return dict(zip(CLASSES, np.round(class_means(chances, act), _DIGITS).tolist(), strict=True))


def class_means(chances: Floats, act: Act) -> Floats:
    """How often an act is done with each class of holdings, given how often with each holding: float64 (169,)."""
    sums = np.bincount(CLASS_OF_HOLDING, chances[:, act], N_CLASSES)
    means: Floats = sums / np.bincount(CLASS_OF_HOLDING, minlength=N_CLASSES)
    return means


@dataclass(frozen=True, eq=False)
class PlayerReport:
    """The view of a player in one betting structure."""

    profile: Profile
    course: Course  #: What they did over time.
    usual: Mapping[str, UsualRate]  #: What they are compared with, by key of the rate.
    differences: tuple[Difference, ...]  #: Of all rates that were looked at.
    leaks: Leaks
    ranges: Ranges | None = None  #: None if nobody asked for them.
    exploits: tuple[Exploit, ...] | None = None  #: What each of `leaks` gains; None if it was not computed.

    @property
    def gains(self) -> tuple[tuple[Leak, Exploit], ...]:
        """The leaks whose exploits gain for certain: the largest gain first, of one answer the best of its rules."""
        pairs = zip(self.leaks.found, self.exploits or (), strict=self.exploits is not None)
        found: dict[tuple[float, ...], tuple[Leak, Exploit]] = {}
        for leak, each in sorted(pairs, key=lambda pair: -pair[1].gain):
            if each.gains:
                found.setdefault((each.does, each.usually, each.cost), (leak, each))
        return tuple(found.values())

    @property
    def winnings(self) -> Winnings:
        """Their winnings."""
        return Winnings.of(self.profile)

    @property
    def sure(self) -> tuple[Difference, ...]:
        """The differences that are sure by 95% each, the most certain first, of equally certain ones the largest."""
        found = [each for each in self.differences if each.certainty >= SURE]
        return tuple(sorted(found, key=lambda each: (-round(each.certainty, 6), -abs(each.difference))))

    def to_dict(self, *, ranges: bool = True) -> dict[str, Any]:
        """Everything, as one JSON object: the profile and the rest of the view.

        Parameters
        ----------
        ranges : bool
            Whether ranges are in it, if there are any.
        """
        found: dict[str, Any] = {
            **self.profile.to_dict(),
            "winnings": self.winnings.to_dict(),
            "over_time": {
                "winnings": [each._asdict() for each in self.course.winnings],
                "periods": [each.to_dict() for each in self.course.periods],
                "tables": {str(players): hands for players, hands in self.course.tables.items()},
                "stakes": dict(self.course.stakes),
            },
            "differences": {
                "looked_at": len(self.differences),
                "sure": len(self.sure),
                "expected_wrong": expected_wrong(self.sure),
                "rates": {each.rate.key: each.to_dict() for each in self.differences},
            },
            "exploits": {
                "looked_at": self.leaks.looked_at,
                "expected_wrong": expected_wrong(self.leaks.found),
                "found": [each.to_dict() for each in self.leaks.found],
            },
        }
        if self.exploits is not None:
            found["exploits"]["computed"] = [each.to_dict() for _, each in self.gains]
        if ranges and self.ranges is not None:
            found["ranges"] = self.ranges.to_dict()
        return found


class PlayerReports:
    """Makes reports of players of a book.

    Parameters
    ----------
    book : Book
        Is only read: the counts of everybody once for each structure, and what the reader has learnt once.
    ranges : bool
        Whether the reader is asked for ranges.
    exploits : bool
        Whether it is worked out what the things that exploit a player gain: a second or so for each about the
        river.
    prior : path-like, optional
        What the reader knows of people in general: a file, with which the book must have learnt. Default: that of the
        package.
    where : str
        A filter: reports are of hands that it means, and so should the profiles be.

    Raises
    ------
    ValueError
        If what the book has of the reader was learnt with another prior, or the file is no prior.
    """

    def __init__(
        self,
        book: Book,
        *,
        ranges: bool = False,
        exploits: bool = False,
        prior: Path | None = None,
        where: str = "",
    ) -> None:
        self._book, self._where = book, where
        self._populations: dict[BettingStructure, Population] = {}
        known = book if MODEL in book.kinds else None  # otherwise the reader knows people in general alone
        self._session = OpponentModeler(MODEL, known, learning=False, prior=prior) if ranges or exploits else None
        self._ranges, self._exploits = ranges, exploits

    def of(self, profile: Profile) -> PlayerReport:
        """The report of a player."""
        structure = profile.structure
        if structure not in self._populations:
            self._populations[structure] = self._book.rates(structure)
        course = self._book.course(profile.name, structure, where=self._where)
        usual = self._populations[structure].usual(profile.name, heads_up=course.usual_table == 2)
        leaks, ranges, exploits = leaks_of(profile, usual), None, None
        if self._session is not None:
            name, spec, game, known = _asked(self._session, profile, course)
            size = None if structure.fixed else profile.sizes["open_size"].median
            if self._ranges:
                ranges = _ranges(self._session, name, spec, game, known, size)
            if self._exploits:
                exploits = exploits_of(leaks.found, self._session, name, spec, profile.hands, usual, open_size=size)
        return PlayerReport(profile, course, usual, compare(profile, usual), leaks, ranges, exploits)


# --------------------------------------------------------------------------------------------------------- ranges


def _asked(session: OpponentModeler, profile: Profile, course: Course) -> tuple[str, GameSpec, str, bool]:
    """Whom the reader is asked about: their name there, the game that they have played most, whether it knows them."""
    reader = session.reader
    assert isinstance(reader, AdaptiveReader)
    people = reader.people.of(profile.structure)
    name, site = _known(profile.name, people)
    spec, game = _game(profile, course)
    spec = _where(spec, site, course.usual_stake, people.populations)
    return name, spec, game, known_as(name, spec) in people


class Asked(NamedTuple):
    """A session that knows a player, and what it is asked about them."""

    session: OpponentModeler
    name: str  #: Theirs, as the reader knows them.
    spec: GameSpec  #: The game that they have played most.
    game: str  #: The same in words.
    known: bool  #: Whether the reader has learnt anything of them.
    open_size: float | None  #: Their usual first raise, in big blinds.


def stored_session(book: Book, site: str, profile: Profile, course: Course) -> Asked:
    """A session with the stored knowledge of a player alone, which is read in milliseconds."""
    spec, _ = _game(profile, course)
    kind = game_of(profile.structure)
    wanted = []
    for each in (replace(spec, site=of, stake=stake) for of in (site, "") for stake in (course.usual_stake, "chips")):
        wanted.append(("population", f"{kind}/{population(each)}"))
        wanted.append(("player", f"{kind}/{known_as(profile.name, each)}"))
    pieces = book.pieces.read(PopulationModel.kind, PopulationModel.piece_version, dict.fromkeys(wanted))
    session = OpponentModeler(MODEL, people=PopulationModel.of_pieces(pieces), learning=False)
    size = None if profile.structure.fixed else profile.sizes["open_size"].median
    return Asked(session, *_asked(session, profile, course), size)


def stored_ranges(book: Book, site: str, profile: Profile, course: Course) -> Ranges:
    """A player's ranges before the flop, from stored counts and knowledge alone, which takes milliseconds."""
    asked = stored_session(book, site, profile, course)
    preflop = preflop_tendencies(asked.session, asked.name, asked.spec, open_size=asked.open_size)
    return Ranges(asked.game, asked.known, tuple(preflop), ())


def _ranges(session: OpponentModeler, name: str, spec: GameSpec, game: str, known: bool, size: float | None) -> Ranges:
    """Ask the reader."""
    return Ranges(
        game,
        known,
        tuple(preflop_tendencies(session, name, spec, open_size=size)),
        tuple(postflop_tendencies(session, name, spec, open_size=size)),
    )


def _known(name: str, people: GamePopulation) -> tuple[str, str]:
    """The name of a player and the site by which the reader knows them; "" for no site."""
    found = name if name in people else next((each for each in people.players if each.rpartition("@")[0] == name), name)
    if found not in people:
        return name, ""
    own, at, site = found.rpartition("@")
    return (own, site) if at else (found, "")


def _where(spec: GameSpec, site: str, stake: str, populations: Sequence[str]) -> GameSpec:
    """The game at a site for a stake: as the reader knows it, if it does, be it a tournament."""
    asked = [replace(spec, site=site, stake=each) for each in (stake, "chips")]
    return next((each for each in asked if population(each) in populations), asked[0])


def _game(profile: Profile, course: Course) -> tuple[GameSpec, str]:
    """The game that a player has played most, and what it is in words."""
    players = min(max(course.usual_table or 6, 2), _MOST_PLAYERS)
    table = f"{players} players"
    if profile.structure.fixed:
        bets = _bets(course.usual_stake)
        spec = GameSpec.ring(players, max(bets[0] // 2, 1), bets[0])
        words = f"limit {course.usual_stake or f'{bets[0]}/{bets[1]}'}, {table}"
        return replace(spec, bets=(bets[0], bets[0], bets[1], bets[1])), words
    depth = _DEPTHS[int(profile.totals.depths.argmax())] if profile.totals.depths.any() else _DEPTHS[-1]
    make = GameSpec.pot_limit if profile.structure is BettingStructure.POT_LIMIT else GameSpec.no_limit
    spec = make(players, 50, 100, stacks=[100 * depth] * players)
    return spec, f"{profile.structure}, {table}, stacks of {depth} big blinds"


def _bets(stake: str) -> tuple[int, int]:
    """Small and big bet of a stake, in chips of as much money as makes whole numbers of both."""
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*", stake)[:2]]
    if len(numbers) == 2 and numbers[0] > 0:
        for chips in (1, 10, 100, 1000):
            small, big = (round(number * chips) for number in numbers)
            if small >= 2 and np.allclose([small, big], np.multiply(numbers, chips)):
                return small, big
    return 10, 20
