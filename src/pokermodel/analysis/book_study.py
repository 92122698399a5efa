"""The summary of the verdicts of a book: losses, their places, and hands without a verdict."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.analysis.book_verdicts import (
    READER,
    Question,
    Stamp,
    decision_of_row,
    judge,
    judge_hand,
    question,
    unpacked,
)
from pokermodel.analysis.hand_list import bet_unit, meant
from pokermodel.analysis.study import GROUPS, Group, HandWanted, StudiedDecision, StudiedHand, Study
from pokermodel.executors import Executor, Processes
from pokermodel.game import ROUNDS, Act, Hand
from pokermodel.histories import Filter
from pokermodel.histories._writing import ErrorSink
from pokermodel.journal import Journal, map_items
from pokermodel.library.bits import ACT_CELLS, ROUND_BITS
from pokermodel.library.book import Book, StoredVerdict
from pokermodel.library.columns import NO_TIME
from pokermodel.library.knowledge import learn
from pokermodel.library.listed import listed_hands
from pokermodel.library.rows import BATCH, MILLION
from pokermodel.library.selection import Selection, among, sessions
from pokermodel.library.session_starts import learn_then
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.registry import read_reader
from pokermodel.worth.worth import MISTAKES

__all__ = [
    "BookStudy",
    "KeptDecision",
    "Loss",
    "Pending",
    "Summary",
    "book_study",
    "judge_part",
    "judged_hands",
    "kept_decisions",
    "learn_part",
    "opened",
    "pending",
    "study",
    "study_book",
    "study_hands",
]

_REST = StoredVerdict._fields.index("rest")
_LISTED, _WITHHELD = 50, 20  # of each sort, and of what is not judged, on a screen
_ANSWERED = {Act.FOLD: (True,), Act.CALL: (False, True), Act.RAISE: (False, True)}


class Loss(NamedTuple):
    """The cost of one kind of mistake.

    Attributes
    ----------
    by, name : str
        One of `GROUPS`, and its value.
    decisions, mistakes : int
    lost : float
        In small bets in limit, else in big blinds.
    per_100 : float
        The same in 100 judged hands.
    ci95 : (float, float)
        Its interval by the errors of the verdicts.
    """

    by: str
    name: str
    decisions: int
    mistakes: int
    lost: float
    per_100: float
    ci95: tuple[float, float]


class Summary(NamedTuple):
    """The summary of the verdicts on some hands.

    Attributes
    ----------
    judged : int
        Hands that are judged, with the hero's cards known.
    total : Group
        Their decisions.
    missing_hands, missing : int
        Hands that are not judged, and their decisions.
    older : int
        Decisions whose verdict is by an older version.
    unit : str
        Of losses: ``"bb"``, ``"sb"``, or ``"bets"`` where there are both.
    """

    judged: int
    total: Group
    missing_hands: int
    missing: int
    older: int
    unit: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {**self._asdict(), "total": self.total.to_dict()}


class KeptDecision(NamedTuple):
    """A decision of a hand of a book."""

    site: str
    hand: str
    decision: StudiedDecision
    answer: str  #: What the user thinks of the verdict: ``"agree"``, ``"disagree"`` with a note, or nothing.

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {**self._asdict(), "decision": self.decision.to_dict()}


@dataclass(frozen=True)
class BookStudy:
    """The verdicts on hands that a filter means.

    Attributes
    ----------
    where, stamp : str
        The canonical text of the filter, and the stamp of the verdicts.
    summary : Summary
    mistakes, probable, unclear : tuple of KeptDecision
        Mistakes and probable mistakes, costliest first, and unclear decisions, by the most that they can have cost.
    withheld : tuple of KeptDecision
        Decisions that cannot be judged, with the reason; limited in number.
    losses : tuple of Loss
        Kinds of mistakes, the largest certain loss first.
    """

    where: str
    stamp: str
    summary: Summary
    mistakes: tuple[KeptDecision, ...]
    probable: tuple[KeptDecision, ...]
    unclear: tuple[KeptDecision, ...]
    withheld: tuple[KeptDecision, ...]
    losses: tuple[Loss, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        plain = {name: getattr(self, name) for name in ("where", "stamp")}
        plain["summary"] = self.summary.to_dict()
        for name in ("mistakes", "probable", "unclear", "withheld"):
            plain[name] = [each.to_dict() for each in getattr(self, name)]
        return {**plain, "losses": [each._asdict() for each in self.losses]}


class _Verdicts:
    """Verdicts as columns, which are kept as long as neither hands nor verdicts change."""

    def __init__(self, hands: NDArray[np.int64], rows: Sequence[StoredVerdict]) -> None:
        decided = np.array([row.action > 0 for row in rows], dtype=bool)
        self.stamps: dict[str, int] = {}  # how many decisions have a verdict of each stamp
        self.whole = hands[~decided]  # rows of the hands that are judged
        self.hands = hands[decided]
        self.rows = [row for row in rows if row.action]
        self.loss, self.low, self.high = (
            np.array([getattr(row, name) for row in self.rows], dtype=np.float64) for name in ("loss", "low", "high")
        )
        self.word = self._codes("verdict")
        self.site = self._codes("site")
        self.opponents = self._codes("opponents")
        self.by = {by: self._codes(by) for by in GROUPS}

    def _codes(self, name: str) -> tuple[NDArray[np.int64], list[str]]:
        """A column of texts: which of some names each is, and the names."""
        number: dict[str, int] = {}
        codes = [number.setdefault(getattr(row, name), len(number)) for row in self.rows]
        return np.array(codes, dtype=np.int64), list(number)

    @classmethod
    def of(cls, book: Book, stamp: str) -> _Verdicts:
        kept = book.verdicts.on_hands(stamp)
        if "columns" not in kept.memo:
            kept.memo["columns"] = cls(kept.hands, kept.rows)
        found: _Verdicts = kept.memo["columns"]
        found.stamps = kept.stamps
        return found

    def on(self, hands: NDArray[np.int64], hidden: Collection[str]) -> NDArray[np.int64]:
        """Which verdicts are on hands of these rows, but for those of hidden sites."""
        codes, sites = self.site
        shown = np.array([site not in hidden for site in sites], dtype=bool)
        return np.flatnonzero(among(self.hands, hands) & (shown[codes] if len(sites) else True))

    def having(self, at: NDArray[np.int64], *words: str) -> NDArray[np.int64]:
        """Those of some verdicts that have one of these words."""
        codes, names = self.word
        return at[np.isin(codes[at], [k for k, name in enumerate(names) if name in words])]

    def total(self, at: NDArray[np.int64]) -> Group:
        """The result of `Group.of`."""
        mistakes = self.having(at, *MISTAKES)
        lost = math.fsum(self.loss[mistakes].tolist())
        half = math.sqrt(math.fsum((((self.high - self.low)[mistakes] / 2) ** 2).tolist()))
        unjudged = self.having(at, "not judged")
        known = at[~np.isin(at, unjudged)]
        expected = math.fsum(((0.0 + self.low + self.high)[known] / 2).tolist())
        codes = self.opponents[0][known]
        sums = np.bincount(codes, weights=((self.high - self.low) / 2)[known], minlength=len(self.opponents[1]))
        _, first = np.unique(codes, return_index=True)
        about = math.hypot(*sums[codes[np.sort(first)]].tolist())
        unclear = self.having(at, "cannot tell")
        return Group(
            "all",
            len(at),
            len(mistakes),
            len(self.having(at, "probably a mistake")),
            len(unclear) + len(unjudged),
            lost,
            (lost - half, lost + half),
            math.fsum(self.high[unclear].tolist()),
            expected,
            (expected - about, expected + about),
            len(unjudged),
        )

    def losses(self, at: NDArray[np.int64], hands: int) -> list[Loss]:
        """The cost of each kind of mistake in 100 hands, the largest certain loss first."""
        found = []
        mistakes = self.having(at, *MISTAKES)
        for by, (codes, names) in self.by.items():
            counts = np.bincount(codes[at], minlength=len(names))
            for code in np.unique(codes[mistakes]).tolist():
                some = mistakes[codes[mistakes] == code]
                lost = math.fsum(self.loss[some].tolist())
                half = math.sqrt(math.fsum((((self.high - self.low)[some] / 2) ** 2).tolist()))
                scale = 100 / max(hands, 1)
                ends = scale * (lost - half), scale * (lost + half)
                found.append(Loss(by, names[code], int(counts[code]), len(some), lost, scale * lost, ends))
        found = [each for each in found if each.name]
        return sorted(found, key=lambda each: (-each.ci95[0], each.by, each.name))

    def costliest(self, at: NDArray[np.int64], column: NDArray[np.float64], most: int) -> list[StoredVerdict]:
        """So many of some verdicts, largest value of a column first."""
        rows = self.rows
        if len(at) > most:
            at = at[column[at] >= np.partition(column[at], -most)[-most]]
        some = sorted(at.tolist(), key=lambda k: (-column[k], rows[k].site, rows[k].number, rows[k].action))
        return [rows[k] for k in some[:most]]


class Pending(NamedTuple):
    """A hand that is not judged."""

    hand: int
    site: str
    number: str
    decisions: int
    stake: float  #: What was won or lost in it.
    recent: bool  #: Whether it is one of the last session.


def pending(
    book: Book,
    found: Selection,
    stamp: Stamp | None = None,
    hidden: Collection[str] = (),
    *,
    every: bool = False,
) -> list[Pending]:
    """List the hands of a selection that are not judged and can be, those first in which most was at stake.

    Parameters
    ----------
    found : Selection
        With a hero.
    hidden : collection of str
        Sites whose hands are left out.
    every : bool
        Also those without a decision, or in which the hero's cards are not known.
    """
    at, decisions = _open(book, found, _Verdicts.of(book, (stamp or Stamp()).text), hidden, every=every)
    if not len(at):
        return []
    columns = book.columns.hands
    number = columns["id"][found.hands].astype(np.int64)
    time = columns["time"][found.hands].astype(np.int64)
    session = sessions(found.column("player"), time)
    recent = (session >= 0) & (session == session[np.argmax(time)])
    stake = np.abs(found.column("net")) / MILLION
    at = at[np.lexsort((-time[at], -stake[at]))]
    names = _listed(book, number[at].tolist())
    figures = zip(decisions[at].tolist(), stake[at].tolist(), recent[at].tolist(), strict=True)
    return [Pending(row.hand, row.site, row.number, *each) for row, each in zip(names, figures, strict=True)]


def _open(
    book: Book, found: Selection, verdicts: _Verdicts, hidden: Collection[str], *, every: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which hands of a selection are to be judged, and the number of decisions of all of them."""
    if found.table is None or not len(found.hands):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    columns = book.columns.hands
    decisions = _decisions(book, found)
    wanted = np.ones(len(found.hands), dtype=bool)
    if found.table is not book.columns.own:
        wanted &= found.column("seat") == found.of_hands(columns, "hero")
    wanted[np.searchsorted(found.hands, verdicts.whole[among(verdicts.whole, found.hands)])] = False
    if not book.holds:
        wanted &= found.of_hands(columns, "file") > 0
    if rooms := [each for each, site in book.names.texts("site").items() if site in hidden]:
        wanted &= ~np.isin(found.of_hands(columns, "room"), rooms)
    if not every:
        wanted &= (found.column("cards") >= 0) & (decisions > 0)
    return np.flatnonzero(wanted), decisions


def _decisions(book: Book, found: Selection) -> NDArray[np.int64]:
    """How many decisions each hand of a selection has; those of heroes are kept as long as hands do not change."""
    memo, own = book.columns.memo, found.table is book.columns.own
    assert found.table is not None
    decisions: NDArray[np.int64] | None = memo.get("decisions") if own else None
    if decisions is None:
        acts = (found.table["acts"] if own else found.column("acts")).astype(np.int64)
        of_round = _decisions_of_round()
        decisions = np.zeros(len(acts), dtype=np.int64)
        for street in range(len(ROUNDS)):
            decisions += of_round[acts >> (ROUND_BITS * street) & (len(of_round) - 1)]
        if own:
            memo["decisions"] = decisions
    return decisions if len(decisions) == len(found.seats) else decisions[found.seats]


@cache
def _decisions_of_round() -> NDArray[np.uint8]:
    """By the packed acts of a round, how many of them were decisions: to look it up is faster than to unpack."""
    acts, decisions = np.arange(1 << ROUND_BITS), np.zeros(1 << ROUND_BITS, dtype=np.uint8)
    for act, facing, place, mask in ACT_CELLS:
        if facing in _ANSWERED[act]:
            decisions += (acts >> place & mask).astype(np.uint8)
    return decisions


def _waiting(book: Book, found: Selection, verdicts: _Verdicts, hidden: Collection[str]) -> tuple[int, int]:
    """How many hands are to be judged, and their decisions."""
    at, decisions = _open(book, found, verdicts, hidden)
    return len(at), int(decisions[at].sum())


@dataclass(frozen=True)
class JudgedHands:
    """The verdicts on the hands of a selection.

    Attributes
    ----------
    summary : Summary
    losses : tuple of Loss
        Kinds of mistakes, the largest certain loss first.
    """

    summary: Summary
    losses: tuple[Loss, ...]
    _verdicts: _Verdicts
    _at: NDArray[np.int64]

    def mistakes(self, most: int, later: NDArray[np.int64] | None = None) -> list[StoredVerdict]:
        """So many mistakes without their rest, the costliest first; of hands of some rows alone, if these are given."""
        found = self._verdicts.having(self._at, *MISTAKES)
        if later is not None:
            found = found[np.isin(self._verdicts.hands[found], later)]
        return self._verdicts.costliest(found, self._verdicts.loss, most)

    def having(self, word: str, most: int, by: str = "loss") -> list[StoredVerdict]:
        """So many verdicts with a word, without their rest: the largest loss first, or the largest ``"high"``."""
        return self._verdicts.costliest(self._verdicts.having(self._at, word), getattr(self._verdicts, by), most)


def judged_hands(book: Book, found: Selection, stamp: Stamp | None = None, hidden: Collection[str] = ()) -> JudgedHands:
    """Add up the verdicts on the hands of a selection, without those of hidden sites."""
    chosen = stamp or Stamp()
    verdicts = _Verdicts.of(book, chosen.text)
    at = verdicts.on(found.hands, hidden)
    older = sum(
        count for text, count in verdicts.stamps.items() if text != chosen.text and text.endswith(f" {chosen.options}")
    )
    judged = int(among(verdicts.whole, found.hands).sum())
    unit = bet_unit(found.of_hands(book.columns.hands, "structure") == 0)
    summary = Summary(judged, verdicts.total(at), *_waiting(book, found, verdicts, hidden), older, unit)
    return JudgedHands(summary, tuple(verdicts.losses(at, judged)), verdicts, at)


def book_study(book: Book, where: str = "", *, stamp: Stamp | None = None, hidden: Collection[str] = ()) -> BookStudy:
    """Gather the verdicts that a book keeps on the hands that a filter means; none is made.

    Parameters
    ----------
    where : str
        A filter. Without ``hero=NAME`` the hero of a hand is the player whose history it is.
    stamp : Stamp, optional
        Of the verdicts. Default: fast ones, by what was known then.
    hidden : collection of str
        Sites whose verdicts wait.

    Raises
    ------
    ValueError
        If the text is no filter.
    """
    chosen = stamp or Stamp()
    which = Filter(where)
    found = meant(book, which)
    judged = judged_hands(book, found, chosen, hidden)
    return BookStudy(
        where=str(which),
        stamp=chosen.text,
        summary=judged.summary,
        mistakes=tuple(kept_decisions(book, judged.mistakes(_LISTED))),
        probable=tuple(kept_decisions(book, judged.having("probably a mistake", _LISTED))),
        unclear=tuple(kept_decisions(book, judged.having("cannot tell", _LISTED, "high"))),
        withheld=tuple(kept_decisions(book, judged.having("not judged", _WITHHELD))),
        losses=judged.losses,
    )


def kept_decisions(book: Book, rows: Sequence[StoredVerdict]) -> list[KeptDecision]:
    """The decisions of some verdicts, with all that is kept of them."""
    answers = book.mine.answers() if rows else {}
    return [
        KeptDecision(row.site, row.number, decision_of_row(row), answers.get((row.site, row.number, row.action), ""))
        for row in book.verdicts.whole(rows)
    ]


# ------------------------------------------------------------------------------------------------------------ judging


@lru_cache(1)
def opened(address: str) -> Book:
    """The book at an address, which stays open in this process."""
    return Book(address, create=False)


def judge_part(address: str, hand: tuple[str, str], stamp: Stamp) -> list[StoredVerdict]:
    """Judge a hand in any process, given the address of a book, which stays open there."""
    return judge_hand(opened(address), *hand, stamp)


def learn_part(address: str) -> int:
    """Let a book learn its hands, in any process; return the number of hands."""
    book = opened(address)
    return learn(book, PopulationModel) + learn_then(book, PopulationModel)


def study(
    hands: Iterable[Hand],
    *,
    hero: str | None = None,
    book: Book | None = None,
    fast: bool = True,
    jobs: int = 1,
) -> Study:
    """Study hands: what every decision of a player was worth, and what mistakes cost.

    Each is judged by what was known of the players when its session began, from those of the hands that were played
    before: what a book with these hands keeps. A session is hands less than 30 minutes apart. Of players in hands
    without a time nothing is known.

    Parameters
    ----------
    hands : iterable of Hand
        Of copies the first one counts.
    hero : str, optional
        The player. Default: the player whose history each hand is.
    book : Book, optional
        What it knows today is used instead.
    fast : bool
        Whether turns are played out, too, with few sizes and fewer deals.
    jobs : int
        Number of processes, which changes nothing in the result.

    Returns
    -------
    Study
        The output of ``pokermodel study``, in the order of play: `Study.to_dict` is its JSON.

    Raises
    ------
    ValueError
        If a hand breaks the rules.
    """
    wanted = (HandWanted(hand.source, number, hand) for number, hand in enumerate(hands, 1))
    where = Filter() if hero is None else Filter().with_hero(hero)
    with Processes(jobs) as executor:
        return study_hands(wanted, where, executor=executor, stamp=Stamp(fast), known=book)


def study_hands(
    hands: Iterable[HandWanted],
    where: Filter,
    *,
    executor: Executor,
    stamp: Stamp,
    known: Book | None = None,
    skipped: ErrorSink | None = None,
    journal: Journal | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Study hands that no book has, by way of one in memory; see `study` and `study_book`.

    Parameters
    ----------
    where : Filter
        The hero and the hands that are meant; others only say what was known of the players.
    known : Book, optional
        The knowledge of the players, that of today.
    skipped : ErrorSink, optional
        Receives what is wrong with hands that are left out; None: raise it.
    journal : Journal, optional
        Keeps what is judged, which is not judged again.
    """
    if known is not None:
        stamp = stamp._replace(known="now")
        known.require(read_reader(stamp.reader)[0].needs, f"model {stamp.reader!r}")
    places: dict[int, tuple[str, int]] = {}
    given = iter(hands)
    with Book("sqlite://") as book:
        while some := list(islice(given, BATCH)):
            seen = [each.hand.seen_by(where.hero) if where.hero in each.hand.players else each.hand for each in some]
            for number, place in book.hold(seen, skipped).items():
                places[number] = some[place][:2]
        return _study(book, where, executor, stamp, places, known, journal, progress)


def study_book(
    book: Book,
    where: str = "",
    *,
    executor: Executor,
    stamp: Stamp | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Study hands of a book: those that are not judged are, and are kept.

    Parameters
    ----------
    where : str
        A filter. Without ``hero=NAME`` the hero of a hand is the player whose history it is.
    executor : Executor
        The executor.
    progress : callable, optional
        Called with the number of decisions of the hands that were judged so far, and of all that are to be judged.

    Returns
    -------
    Study
        Its hands are numbered from 1 in the order in which they were played.

    Raises
    ------
    ValueError
        If the text is no filter, or a hand breaks the rules.
    """
    return _study(book, Filter(where), executor, stamp or Stamp(), progress=progress)


def _study(
    book: Book,
    where: Filter,
    executor: Executor,
    stamp: Stamp,
    places: Mapping[int, tuple[str, int]] | None = None,
    known: Book | None = None,
    journal: Journal | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Study hands of a book; with places, those that it holds in memory, and nothing is kept."""
    found = meant(book, where)
    waiting = pending(book, found, stamp, every=True)
    kept: dict[Any, list[StoredVerdict]] = defaultdict(list)
    if waiting and known is None and stamp.reader == READER:
        learn_then(book, PopulationModel)  # here, once
    done, all_of_them = 0, sum(each.decisions for each in waiting)
    asked = (question(book, each.hand, stamp, known) for each in waiting)
    with closing(map_items(journal, executor, _judged, asked, attrgetter("key"))) as results:
        for each, (plain, _) in zip(waiting, results, strict=True):
            rows = [StoredVerdict(*row)._replace(rest=b64decode(row[_REST])) for row in plain]
            if places is None:
                book.verdicts.put(rows)
            else:
                kept[each.hand] = rows
            done += each.decisions
            if progress is not None:
                progress(done, all_of_them)
    if places is None:
        for row in book.verdicts.of(stamp.text):
            kept[row.site, row.number].append(row)
    numbers = book.columns.hands["id"][found.hands].astype(np.int64)
    time = book.columns.hands["time"][found.hands].astype(np.int64)
    order = np.lexsort((numbers, np.where(time == NO_TIME, 1 << 62, time)))
    study = Study()
    for one in _listed(book, numbers[order].tolist()):
        judged = unpacked(kept.get(one.hand if places is not None else (one.site, one.number), ()))
        if judged is not None:
            place = ("", len(study.hands) + 1) if places is None else places[one.hand]
            study.add([_placed(judged.hand, *place)])
    return study


def _judged(asked: Question) -> list[list[Any]]:
    """Judge a hand, on a worker: rows as JSON has them."""
    return [[*row[:_REST], b64encode(row.rest).decode(), *row[_REST + 1 :]] for row in judge(asked)]


def _placed(hand: StudiedHand, file: str, number: int) -> StudiedHand:
    decisions = tuple(replace(each, file=file, number=number) for each in hand.decisions)
    return replace(hand, file=file, number=number, decisions=decisions)


def _listed(book: Book, numbers: Sequence[int]) -> Iterator[Any]:
    for first in range(0, len(numbers), 500):
        yield from listed_hands(book, numbers[first : first + 500])
