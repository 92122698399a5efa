"""Verdicts on the hands of a book: made by what was known when the session began, kept, and read again to the bit.

A verdict depends on its `Question` alone: the hand, what was known of those who sat there, the rake, and the `Stamp`.
So hands can be judged in any order, by any number of processes, and those that are kept are the ones that would be made
again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.checks import check_choice
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.hero_hands import hero_of
from pokermodel.analysis.rakes import MOST, verdict_rake
from pokermodel.analysis.study import HandWanted, StudiedDecision, StudiedHand, study_hand
from pokermodel.game import Act, Hand
from pokermodel.journal import digest
from pokermodel.library.book import Book, StoredVerdict
from pokermodel.library.columns import NO_TIME
from pokermodel.library.listed import hand_numbers, stored_hand
from pokermodel.library.rows import MILLION
from pokermodel.library.session_starts import begun_at, known_then, learn_then
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.prior import default_prior
from pokermodel.reading.adaptive.reader import REVISION as READER_REVISION
from pokermodel.reading.registry import make_reader, read_reader, reader_kinds
from pokermodel.reading.session import OpponentModeler
from pokermodel.worth.calibration import FITS
from pokermodel.worth.play_outs import NO_RAKE, Rake
from pokermodel.worth.verdict import REVISION as ADVISER_REVISION
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict, Worth

__all__ = [
    "KNOWN",
    "READER",
    "Judged",
    "Question",
    "Stamp",
    "decision_of_row",
    "is_older",
    "judge",
    "judge_hand",
    "packed",
    "question",
    "read_stored",
    "readers_of",
    "revision",
    "stored_verdicts",
    "unpacked",
]

#: The reader whose verdicts and ranges are kept.
READER = "adaptive"
#: Knowledge at the start of the hand's session, or all that there is.
KNOWN = ("then", "now")
_FORM = 1  # of what is packed
_WHOLE = 0  # the action of the row that stands for the hand itself
_ARRAYS = ("errors", "noise")
_PLAIN = (
    *("needed", "equity", "unit", "pot", "confidence", "risk", "street", "fixed", "stranger", "average", "hands"),
    "guess",
)


@cache
def revision() -> str:
    """A digest of all by which reader and adviser give other values: another version of the package changes nothing."""
    return digest(repr((_FORM, READER_REVISION, ADVISER_REVISION, sorted(FITS.items()))), default_prior().digest)[:12]


class Stamp(NamedTuple):
    """Conditions of verdicts besides the hand and the people: `text` is kept with each of them."""

    fast: bool = True  #: Whether turns are played out, too, with fewer deals.
    known: str = KNOWN[0]  #: One of `KNOWN`.
    reader: str = READER  #: Another one knows nothing of the players without a book, and its verdicts are not kept.
    seed: int = 0  #: Of the draws.

    @property
    def options(self) -> str:
        """All but the revision: verdicts with these options and another revision are of an older version."""
        drawn = f" seed={self.seed}" if self.seed else ""
        return f"{self.reader} {'fast' if self.fast else 'full'} {self.known} rake=stated{drawn}"

    @property
    def text(self) -> str:
        """The revision of reader and adviser, then the options."""
        return f"{revision()} {self.options}"


class Question(NamedTuple):
    """All that the verdicts on a hand depend on: any process can judge it."""

    hand: Hand
    people: Mapping[tuple[str, str], bytes]  #: The knowledge of those who sit there, in pieces.
    rake: Rake
    stamp: Stamp
    book: Book | None = None  #: What another reader than `READER` knows.

    @property
    def site(self) -> str:
        """Of the IRC database a source is a month, too."""
        return self.hand.source.partition("/")[0]

    @property
    def key(self) -> str:
        """A digest of everything but the book."""
        hand = repr((self.hand.stake, self.hand.__reduce__()))
        return digest(hand, repr((sorted(self.people.items()), self.rake, self.stamp.text)))


class Judged(NamedTuple):
    """A hand of a book with its verdicts."""

    hand: StudiedHand
    verdicts: dict[int, Verdict]  #: By `Decision.index`.


# ------------------------------------------------------------------------------------------------------------ judging


def judge_hand(book: Book, site: str, number: str, stamp: Stamp | None = None) -> list[StoredVerdict]:
    """Judge the decisions of a hand's hero, by what is known of the players in the book.

    Knowledge of that time is learnt first if the book lacks it; nothing else is written. Raises `KeyError` if the book
    has no such hand, and `HistoryError` if no file has it any more, and `ValueError` if it breaks the rules.

    Returns
    -------
    list of StoredVerdict
        A row for the hand, whose action is 0, and one for each decision, as `Book.verdicts` keeps them. Of a hand
        without a hero whose cards are known there is the first one alone.
    """
    ids = hand_numbers(book, site, number)
    if not ids:
        raise KeyError(f"{site} {number}")
    return judge(question(book, ids[0], stamp or Stamp()))


def question(book: Book, number: int, stamp: Stamp, known: Book | None = None) -> Question:
    """What is to be judged of a hand of a book.

    Raises `HistoryError` if no file has the hand any more.

    Parameters
    ----------
    known : Book, optional
        Another book, by whose knowledge of today it is judged.
    """
    check_choice("known", stamp.known, KNOWN)
    hand = stored_hand(book, number)
    pieces: Mapping[tuple[str, str], bytes] | None = {}
    if stamp.reader == READER:
        pieces = _pieces(known or book, number, hand, stamp.known)
        if pieces is None:
            learn_then(book, PopulationModel)
            pieces = _pieces(book, number, hand, stamp.known)
    rake = verdict_rake(hand, _stated(book, number, hand))
    return Question(hand, pieces or {}, rake, stamp, None if stamp.reader == READER else known)


def judge(asked: Question) -> list[StoredVerdict]:
    """Judge a hand, as `judge_hand` does."""
    hand, stamp = asked.hand, asked.stamp
    name = hero_of(hand) or hand.hero
    if name is None:
        return [_row(asked.site, hand.id, stamp.text, {"hand": None})]
    if stamp.reader == READER:
        session = OpponentModeler(READER, people=PopulationModel.of_pieces(asked.people), hero=name)
    else:
        kind, _ = read_reader(stamp.reader)
        session = OpponentModeler(stamp.reader, asked.book, name, calibrated=kind.corrected)
    adviser = VerdictAdviser(asked.rake, fast=stamp.fast)
    found = study_hand(HandWanted("", 0, hand), session, name, adviser, stamp.seed)
    return packed(asked.site, Judged(*found), stamp.text)


def _pieces(book: Book, number: int, hand: Hand, known: str) -> dict[tuple[str, str], bytes] | None:
    """What is known of those who sit in a hand; None where the book has not learnt so far."""
    names = PopulationModel.pieces_of_hand(hand)
    if known == "then":
        return known_then(book, PopulationModel, begun_at(book, number), names)
    return book.pieces.read(PopulationModel.kind, PopulationModel.piece_version, names)


def _stated(book: Book, number: int, hand: Hand) -> Rake:
    """What hands of the stake that were played before say of the rake, in chips of this hand."""
    hands = book.columns.hands
    row = int(np.searchsorted(hands["id"], number))
    time = int(hands["time"][row])
    if time == NO_TIME:
        return NO_RAKE
    same = np.flatnonzero(hands["stake"] == hands["stake"][row])
    when, rake, pot = (hands[name][same].astype(np.int64) for name in ("time", "rake", "pot"))
    before = (when != NO_TIME) & ((when < time) | ((when == time) & (same < row)))
    said = before & (rake > 0) & (pot > 0) & (rake < MOST * pot)
    if not said.any():
        return NO_RAKE
    return Rake(float((rake[said] / pot[said]).max()), int(rake[said].max()) * hand.spec.small_bet / MILLION)


# ------------------------------------------------------------------------------------------------------------ keeping


def packed(site: str, judged: Judged, stamp: str) -> list[StoredVerdict]:
    """The rows by which a hand with its verdicts is kept."""
    hand = judged.hand
    rows = [_row(site, hand.id, stamp, {"hand": {**hand.to_dict(), "decisions": ()}})]
    for each in hand.decisions:
        rest = {"decision": each.to_dict(), "verdict": _plain(judged.verdicts[each.index - 1])}
        low, high = each.ci95 or (0.0, 0.0)
        names = "\x1f".join(each.others)
        rows.append(
            _row(site, hand.id, stamp, rest, each.index)._replace(
                verdict=each.word,
                loss=each.lost or 0.0,
                low=low,
                high=high,
                kind=each.kind or "",
                method=each.method,
                street=each.street,
                position=each.position,
                pot_type=each.pot_type,
                opponents=names,
            )
        )
    return rows


def _row(site: str, number: str, stamp: str, rest: Any, action: int = _WHOLE) -> StoredVerdict:
    content = zlib.compress(json.dumps(rest, allow_nan=False, separators=(",", ":")).encode())
    return StoredVerdict(site, number, action, stamp, "", 0.0, 0.0, 0.0, "", "", content)


def unpacked(rows: Sequence[StoredVerdict]) -> Judged | None:
    """The hand that `packed` rows keep; None without rows, or of a hand without a hero.

    Raises `ValueError` if they are damaged.
    """
    whole: dict[str, Any] | None = None
    decisions, verdicts = [], {}
    for row in sorted(rows, key=lambda each: each.action):
        found = _read(row)
        if row.action == _WHOLE:
            whole = found["hand"]
        else:
            decisions.append(found["decision"])
            verdicts[row.action - 1] = _verdict(found["verdict"])
    return None if whole is None else Judged(StudiedHand.from_dict({**whole, "decisions": decisions}), verdicts)


def decision_of_row(row: StoredVerdict) -> StudiedDecision:
    """The decision that a packed row keeps; `ValueError` if it is damaged."""
    return StudiedDecision.from_dict(_read(row)["decision"])


def _read(row: StoredVerdict) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(zlib.decompress(row.rest))
    except (zlib.error, ValueError, RecursionError) as error:
        raise ValueError(f"the verdict on action {row.action} of hand {row.number} is damaged: {error}") from None
    return found


def _plain(verdict: Verdict) -> dict[str, Any]:
    """A verdict on an action as JSON has it: every float is the same when it is read again."""
    found = {name: getattr(verdict, name) for name in _PLAIN}
    for name in _ARRAYS:
        array = getattr(verdict, name)
        found[name] = None if array is None else array.tolist()
    found["halves"] = None if verdict.halves is None else [each.tolist() for each in verdict.halves]
    found["acts"] = [[int(each.act), *each[1:]] for each in verdict.acts]
    found["made"] = next((k for k, each in enumerate(verdict.acts) if each is verdict.made), None)
    return found


def _verdict(plain: Mapping[str, Any]) -> Verdict:
    acts = tuple(Worth(Act(each[0]), *each[1:]) for each in plain["acts"])
    found: dict[str, Any] = {name: plain[name] for name in _PLAIN}
    for name in _ARRAYS:
        found[name] = None if plain[name] is None else np.array(plain[name])
    if plain["halves"] is not None:
        found["halves"] = tuple(map(np.array, plain["halves"]))
    return Verdict(acts, **found, made=None if plain["made"] is None else acts[plain["made"]])


def stored_verdicts(book: Book, site: str, number: str, stamp: Stamp | None = None) -> Judged | None:
    """The verdicts on a hand that a book keeps with a stamp; None if the hand was not judged, or has no hero."""
    return unpacked(book.verdicts.of((stamp or Stamp()).text, site=site, number=number))


def is_older(book: Book, site: str, number: str, stamp: Stamp) -> bool:
    """Whether a book keeps verdicts on a hand that an older version made with the same options."""
    stamps = book.verdicts.stamps(site, number)
    return any(text != stamp.text and text.endswith(f" {stamp.options}") for text in stamps)


@cache
def readers_of(*, fixed: bool) -> tuple[str, ...]:
    """The readers that read limit, or games in which bets have sizes; the usual one first."""
    names = [name for name, kind in reader_kinds().items() if fixed or make_reader(kind).reads_sizes]
    return tuple(sorted(names, key=lambda name: (name != READER, name)))


def read_stored(
    book: Book, number: int, *, hero: str | None = None, stamp: Stamp | None = None, reader: str = READER
) -> tuple[HandReport, bool]:
    """Read a hand of a book by what is known of its players, with the verdicts that are kept; none is worked out.

    Another reader than `READER` knows nothing of the players, and has no verdicts. Raises `HistoryError` or
    `ValueError` as `stored_hand` and `read_hand`.

    Returns
    -------
    HandReport
        The output of ``pokermodel read``.
    bool
        Whether the book has learnt so far: else it is read as if nothing were known of them.
    """
    chosen = stamp or Stamp()
    check_choice("reader", reader, reader_kinds())
    hand = stored_hand(book, number)
    if reader != READER:
        return HandReport.of(hand, OpponentModeler(reader, hero=hero), hero, verdicts={}), True
    pieces = _pieces(book, number, hand, chosen.known)
    session = OpponentModeler(READER, people=PopulationModel.of_pieces(pieces or {}), hero=hero)
    judged = (
        None
        if hero is None or hero != hand.hero
        else stored_verdicts(book, hand.source.partition("/")[0], hand.id, chosen)
    )
    return HandReport.of(hand, session, hero, verdicts={} if judged is None else judged.verdicts), pieces is not None
