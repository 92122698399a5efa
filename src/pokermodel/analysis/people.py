"""The players of a book: lists of them, and the view of one, from rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.analysis.hand_list import first_rows, key_of, meant, rows_behind
from pokermodel.analysis.player import Group, PlayerReport, stored_ranges
from pokermodel.errors import UnknownPlayerError
from pokermodel.game import POSITIONS, SEATS, BettingStructure
from pokermodel.histories import Filter
from pokermodel.learning.differences import compare, leaks_of
from pokermodel.learning.profile import Figure, Profile, proportion
from pokermodel.learning.rates import rates
from pokermodel.library import Book
from pokermodel.library.counts import Counts
from pokermodel.library.everybody import Together
from pokermodel.library.listed import PlayerName, player_names, player_numbers, seated
from pokermodel.library.people import Seats
from pokermodel.library.rows import MILLION
from pokermodel.library.selection import Selection

__all__ = [
    *("BY", "PLAYER_SORTS", "ListedPlayer", "PlayerList", "PlayerView", "SeatedPlayer", "join_player", "player_list"),
    *("player_view", "seated_players"),
]

#: Orders of a list of players, and whether small values come first.
PLAYER_SORTS: Mapping[str, bool] = {"hands": False, "won": False, "lost": True, "vpip": False, "pfr": False}
#: What the statistics of a player are divided by.
BY = ("position",)
#: What is shown of a player in few words.
TELLING = tuple(each for each in rates(BettingStructure.NO_LIMIT) if each.key in ("vpip", "pfr", "three_bet"))
_STRUCTURES = tuple(BettingStructure)


@dataclass(frozen=True)
class ListedPlayer:
    """A player as others sat with them.

    Attributes
    ----------
    site, name : str
        Of several names that are one person's, that with the most hands.
    person : str
        Whose names they are; "" where a name stands for itself.
    hands : int
        In which they and the hero were dealt in.
    won : float or None
        Their winnings from the hero, in small bets or big blinds; None without a hero.
    style : tuple of str
        ``"loose"`` or ``"tight"``, ``"aggressive"`` or ``"passive"``: where the interval of VPIP, or of PFR, does not
        include what all these players do together.
    """

    site: str
    name: str
    person: str
    hands: int
    vpip: Figure
    pfr: Figure
    won: float | None
    style: tuple[str, ...]
    tags: tuple[str, ...]
    note: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {**asdict(self), "vpip": self.vpip.to_dict(), "pfr": self.pfr.to_dict()}


@dataclass(frozen=True)
class PlayerList:
    """Players in the hands of a filter.

    Attributes
    ----------
    where, sort : str
        The canonical text of the filter, and the order.
    total, hands : int
        How many players there are in how many hands.
    players : tuple of ListedPlayer
        So many of them, in the order.
    next : str or None
        The key after which the list goes on; None at its end.
    """

    where: str
    sort: str
    total: int
    hands: int
    players: tuple[ListedPlayer, ...]
    next: str | None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        found = {name: getattr(self, name) for name in ("where", "sort", "total", "hands", "next")}
        return {**found, "players": [each.to_dict() for each in self.players]}


@dataclass(frozen=True)
class PlayerView:
    """The view of a player, with all their names together."""

    player: ListedPlayer  #: In all hands of the hero's.
    names: tuple[PlayerName, ...]
    #: One for each betting structure that they have played, that of the most hands first.
    reports: tuple[PlayerReport, ...]
    groups: tuple[Group, ...]
    #: By the key of a rate, a filter that means the hands in which the player had a chance of it.
    hands: Mapping[str, str]

    @property
    def played(self) -> int:
        """How many hands they are in, with the hero or without."""
        return sum(report.profile.hands for report in self.reports)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it: the profile, as the command prints it, and what the user wrote."""
        first, *others = [report.to_dict() for report in self.reports]
        of_groups = [
            {
                "structure": str(each.structure),
                "by": each.by,
                "name": each.name,
                "hands": each.hands,
                "statistics": {key: figure.to_dict() for key, figure in each.statistics.items()},
            }
            for each in self.groups
        ]
        about = {"player": self.player.to_dict(), "names": [each._asdict() for each in self.names]}
        return {**first, "other_structures": others, **about, "groups": of_groups, "hands_of": dict(self.hands)}


def player_list(
    book: Book, where: str = "", *, sort: str = "hands", after: str | None = None, most: int = 50
) -> PlayerList:
    """List the players of a book.

    Raises `ValueError` if the text is no filter, there is no such order, or the key is none.

    Parameters
    ----------
    where : str
        A filter: players are those who were dealt in with its hero, in hands that it means. Without ``hero=NAME`` the
        hero of a hand is the player whose history it is.
    sort : str
        One of `PLAYER_SORTS`.
    after : str, optional
        The key of the list before this one: its `PlayerList.next`.
    """
    if sort not in PLAYER_SORTS:
        raise ValueError(f"unknown order: {sort!r}, expected {', '.join(PLAYER_SORTS)}")
    which = Filter(where)
    found = meant(book, which)
    memo = book.columns.memo
    if "together" not in memo or memo["together"][0] != str(which):  # with millions of seats it takes a while
        memo["together"] = str(which), book.everybody.of(found)
    everybody = _persons(book, memo["together"][1])
    if sort in ("won", "lost") and everybody.won is None:
        raise ValueError(f"the order {sort!r} is of a hero: expected hero=NAME in the filter")
    values = _values(everybody, sort)
    if not PLAYER_SORTS[sort]:
        values = -values
    candidates = rows_behind(values, everybody.players, key_of(after))
    # of equal ones those met first come first: rows are turned round
    chosen = first_rows(values, candidates, most)
    usual = tuple(float(made.sum() / max(chances.sum(), 1)) for made, chances in (everybody.vpip, everybody.pfr))
    last = None
    if len(candidates) > len(chosen):
        last = f"{values[chosen[-1]]}.{everybody.players[chosen[-1]]}"
    return PlayerList(
        where=str(which),
        sort=sort,
        total=len(everybody.players),
        hands=len(found.hands),
        players=tuple(_listed(book, everybody, chosen, usual)),
        next=last,
    )


def _values(everybody: Together, sort: str) -> NDArray[np.int64]:
    """What players are sorted by, in whole numbers."""
    if sort == "hands":
        return everybody.hands
    if sort in ("vpip", "pfr"):
        made, chances = getattr(everybody, sort)
        shares: NDArray[np.int64] = (MILLION * made / np.maximum(chances, 1)).astype(np.int64)
        return shares
    assert everybody.won is not None
    return np.rint(MILLION * everybody.won).astype(np.int64)


def _persons(book: Book, everybody: Together) -> Together:
    """Everybody with the names of a person as one player, for whom the name with the most hands stands."""
    groups: dict[str, list[int]] = {}
    place = {number: k for k, number in enumerate(everybody.players.tolist())}
    for person, numbers in book.names.persons().items():
        there = [number for number in numbers if number in place]
        if there:
            groups[person] = sorted(there, key=lambda number: -int(everybody.hands[place[number]]))
    if not groups:
        return everybody
    into = np.arange(len(everybody.players))
    for numbers in groups.values():
        into[[place[number] for number in numbers]] = place[numbers[0]]
    keep = np.flatnonzero(into == np.arange(len(into)))

    def summed(values: NDArray[Any]) -> NDArray[Any]:
        found = np.zeros(len(into), dtype=values.dtype)
        np.add.at(found, into, values)
        return found[keep]

    vpip, pfr = ((summed(made), summed(chances)) for made, chances in (everybody.vpip, everybody.pfr))
    won = None if everybody.won is None else summed(everybody.won)
    return Together(everybody.players[keep], summed(everybody.hands), vpip, pfr, won)


def _listed(book: Book, everybody: Together, rows: NDArray[np.int64], usual: Sequence[float]) -> list[ListedPlayer]:
    """Some of everybody as a list has them; `usual` is the VPIP and the PFR of all."""
    numbers = everybody.players[rows].tolist()
    names = player_names(book, numbers)
    found = []
    for row, number in zip(rows.tolist(), numbers, strict=True):
        vpip, pfr = (
            proportion(name, meaning, int(made[row]), int(chances[row]))
            for name, meaning, (made, chances) in (
                ("VPIP", "hands with money put in by choice before the flop / hands", everybody.vpip),
                ("PFR", "hands raised before the flop / hands", everybody.pfr),
            )
        )
        name = names[number]
        found.append(
            ListedPlayer(
                name.site,
                name.name,
                name.person,
                int(everybody.hands[row]),
                vpip,
                pfr,
                None if everybody.won is None else float(everybody.won[row]),
                _style(vpip, pfr, usual[0], usual[1]),
                name.tags,
                name.note,
            )
        )
    return found


def _style(vpip: Figure, pfr: Figure, usual_vpip: float, usual_pfr: float) -> tuple[str, ...]:
    found = []
    for each, usual, much, little in ((vpip, usual_vpip, "loose", "tight"), (pfr, usual_pfr, "aggressive", "passive")):
        if each.denominator and each.low is not None and each.high is not None:
            found += [much] if each.low > usual else [little] if each.high < usual else []
    return tuple(found)


class SeatedPlayer(NamedTuple):
    """A player of a hand: their hands in the book, their most telling figures, and what the user wrote about them."""

    site: str
    name: str
    hands: int
    figures: tuple[Figure, ...]
    tags: tuple[str, ...]
    note: str


def seated_players(book: Book, site: str, number: str) -> list[SeatedPlayer]:
    """Return the players of a hand, by seat; none if the book has no such hand."""
    numbers = seated(book, site, number)
    names = player_names(book, numbers)
    found = []
    for each in numbers:
        hands, counts = book.everybody.totals(each)
        figures = tuple(proportion(rate.name, rate.meaning, *counts[rate.key]) for rate in TELLING)
        name = names[each]
        found.append(SeatedPlayer(name.site, name.name, hands, figures, name.tags, name.note))
    return found


# -------------------------------------------------------------------------------------------------------- a player


def player_view(book: Book, site: str, name: str, where: str = "", *, by: str | None = None) -> PlayerView:
    """Make the view of a player.

    Raises `UnknownPlayerError` if the book has no such player; `ValueError` if they are in none of these hands, the
    text is no filter, or there is no such division.

    Parameters
    ----------
    where : str
        A filter of hands, in which the player sat; its terms about a hero are about the hero of these hands.
    by : {"position"}, optional
        The other denominators of statistics.
    """
    if by is not None and by not in BY:
        raise ValueError(f"unknown division: {by!r}, expected {', '.join(BY)}")
    numbers = player_numbers(book, site, name)
    if not numbers:
        raise UnknownPlayerError(name)
    columns = book.columns
    within = meant(book, Filter(where)) if where else None
    seats = _seats_of(book, numbers)
    if within is not None:
        inside = np.zeros(len(columns.hands), dtype=bool)
        inside[within.hands] = True
        seats = seats[inside[columns.seats["hand"][seats]]]
    if not len(seats):
        raise ValueError(f"{name} is in none of these hands")
    hand = columns.seats["hand"][seats].astype(np.int64)
    found = Selection(hand, columns.seats, seats)
    structures = columns.hands["structure"][found.hands]
    played = np.bincount(structures, minlength=len(_STRUCTURES))
    who = _row_of(book, numbers)
    reports, groups, hands = [], [], {}
    for number in sorted(np.flatnonzero(played).tolist(), key=lambda each: -played[each]):
        structure = _STRUCTURES[number]
        part = _part(found, structures == number)
        report = _report(book, who, part, structure, numbers, keep=within is None)
        reports.append(report)
        if by is not None:
            groups += _by_position(book, report.profile.name, part, structure)
        for leak in report.leaks.found:
            hands[leak.rate.key] = _chances(who, leak.rate.key)
    return PlayerView(who, tuple(player_names(book, numbers).values()), tuple(reports), tuple(groups), hands)


def _seats_of(book: Book, numbers: Sequence[int]) -> NDArray[np.int64]:
    """The seats of a player, in the order of time."""
    memo, key = book.columns.memo, ("seats of numbers", tuple(numbers))
    if key not in memo:
        player = book.columns.seats["player"]
        found = player == numbers[0]
        for other in numbers[1:]:
            found |= player == other
        seats = np.flatnonzero(found)
        time = book.columns.hands["time"][book.columns.seats["hand"][seats]]
        memo[key] = seats[np.argsort(time, kind="stable")]
    rows: NDArray[np.int64] = memo[key]
    return rows


def _row_of(book: Book, numbers: Sequence[int]) -> ListedPlayer:
    """The player as the list of players has them; one who never sat with a hero as in all hands."""
    memo, key = book.columns.memo, ("together", tuple(numbers))
    if key not in memo:
        seats, hands, of = _seats_of(book, numbers), book.columns.hands, book.columns.seats
        hero = hands["hero"][of["hand"][seats]]
        others = seats[(hero >= 0) & (of["seat"][seats] != hero)]
        heroes = bool(len(others))
        # of several names that with the most hands stands for the others
        name = int(np.bincount(of["player"][seats]).argmax())
        memo[key] = book.everybody.at(name, others if heroes else seats, heroes=heroes)
    return _listed(book, memo[key], np.zeros(1, dtype=np.int64), book.everybody.shares())[0]


def _part(found: Selection, here: NDArray[np.bool_]) -> Selection:
    return found if here.all() else Selection(found.hands[here], found.table, found.seats[here])


def _counts(book: Book, found: Selection, structure: BettingStructure) -> Counts:
    here = book.columns.hands["structure"][found.hands] == list(BettingStructure).index(structure)
    assert found.table is not None
    return book.counts_of(found.table, found.seats[here], structure)


def _report(
    book: Book, who: ListedPlayer, found: Selection, structure: BettingStructure, numbers: Sequence[int], *, keep: bool
) -> PlayerReport:
    """The report of a player; that of all their hands is kept until there are more hands."""
    name = who.person or who.name
    memo, key = book.columns.memo, ("report", name, structure, *numbers)
    report: PlayerReport | None = memo.get(key) if keep else None
    if report is None:
        profile = Profile(name, _counts(book, found, structure))
        assert found.table is not None
        course = Seats(book, book.columns.hands, found.table, found.seats).course(name, structure)
        usual = book.everybody.usual(structure, numbers, heads_up=course.usual_table == 2)
        report = PlayerReport(profile, course, usual, compare(profile, usual), leaks_of(profile, usual))
        if keep:
            memo[key] = report
    return replace(report, ranges=stored_ranges(book, who.site, report.profile, report.course))


def _by_position(book: Book, name: str, found: Selection, structure: BettingStructure) -> list[Group]:
    """Statistics by position: in limit by the names of the sources, else by those that players use."""
    column, names = ("position", POSITIONS) if structure.fixed else ("name", SEATS)
    place = found.column(column)
    groups = []
    for number, text in enumerate(names):
        here = place == number
        if here.any():
            profile = Profile(name, _counts(book, _part(found, here), structure))
            groups.append(Group(name, "position", text, profile.hands, structure, profile.statistics, {}))
    return groups


def _chances(who: ListedPlayer, key: str) -> str:
    """A filter that means the hands in which a player had a chance of a rate."""
    return str(Filter(f"chance={key}").with_hero(who.person or who.name))


def join_player(book: Book, site: str, name: str, other: str) -> None:
    """Note that a name and another player's are one person's; an empty other one makes it a player of its own again.

    Raises `ValueError` if there is no such other player, or several sites have one.
    """
    mine = book.mine
    if not other:
        mine.join(site, name, "")
        return
    numbers = list(book.names.players([other])[other])
    if not numbers:
        raise ValueError(f"unknown player: {other!r}, expected a name that the book has")
    mine.join(site, name, other)
    for each in player_names(book, numbers).values():
        mine.join(each.site, each.name, other)
