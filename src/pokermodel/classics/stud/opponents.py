"""Tables of opponents, kept between sessions in a book.

The book keeps counts, of shown hands and expected ones, for each opponent, scheme of types, form of acts and estimator.
Hands keep their full weight in them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import astuple
from itertools import groupby, product
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.bpp.estimators import expectation_maximization, showdown_only
from pokermodel.classics.bpp.hidden_hands import HandSet
from pokermodel.classics.stud.defaults import FORMS, default_tables
from pokermodel.classics.stud.match import Games
from pokermodel.classics.stud.players import Reader
from pokermodel.evaluation.hand_types import SCHEMES
from pokermodel.learning.knowledge import register

if TYPE_CHECKING:
    from pokermodel.library import Book, Learnt

__all__ = ["ESTIMATORS", "OpponentCounts", "learn_opponent", "opponent_tables"]


#: How opponents can be learnt: by EM over all hands, or from what was shown alone, as published.
ESTIMATORS = ("em", "showdown_only")


class ObservedGame(NamedTuple):
    """The evidence of one game on an opponent: a hand of a set of hands."""

    hands: HandSet
    place: int


class OpponentCounts:
    """The knowledge of an opponent: how often they did what in each situation with each class of hands.

    There is a subclass for every scheme of types, form of acts and estimator: `opponent_counts`.

    Attributes
    ----------
    counts : ndarray of float64, shape (situations, classes, acts)
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    scheme: ClassVar[int]
    form: ClassVar[str]
    estimator: ClassVar[str]

    def __init__(self) -> None:
        self.counts: Floats = np.zeros(self._defaults().shape)

    @classmethod
    def _defaults(cls) -> ActionTables:
        return default_tables(cls.scheme, cls.form)

    def tables(self) -> ActionTables:
        """The counts over the program's defaults."""
        return self._defaults().with_counts(self.counts)

    def update(self, evidence: Sequence[ObservedGame]) -> None:
        """Learn from games. By EM, what is known already is evidence, too, and is not gone over again."""
        parts = []
        for _, of_set in groupby(evidence, key=lambda game: id(game.hands)):
            games = list(of_set)
            parts.append(games[0].hands.select(np.array([game.place for game in games], dtype=np.intp)))
        hands = HandSet.join(parts)
        if self.estimator == "showdown_only":
            self.counts = self.counts + showdown_only(hands)
        else:
            found = expectation_maximization(hands, self.tables(), cumulative=True, steps=100, tolerance=2e-3)
            self.counts = self.counts + found.counts

    def merge(self, other: Self) -> None:
        """Add the counts of other games."""
        self.counts = self.counts + other.counts

    def to_bytes(self) -> bytes:
        """The counts as 64-bit floats, low byte first."""
        return self.counts.astype("<f8").tobytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read what `to_bytes` wrote; `ValueError` if it is not as many numbers, or they are no counts."""
        found = cls()
        if len(content) != 8 * found.counts.size:
            raise ValueError(f"{len(content)} bytes of {cls.kind!r} are not {found.counts.size} numbers")
        found.counts = np.frombuffer(content, dtype="<f8").astype(np.float64).reshape(found.counts.shape)
        found.tables()  # which checks the counts
        return found


_KINDS: dict[tuple[int, str, str], type[OpponentCounts]] = {}
for _key in product(SCHEMES, FORMS, ESTIMATORS):
    _scheme, _form, _estimator = _key
    _members = {"kind": f"stud {_scheme} {_form} {_estimator}", "scheme": _scheme, "form": _form}
    _KINDS[_key] = type("OpponentCounts", (OpponentCounts,), _members | {"estimator": _estimator, "__slots__": ()})
    register(_KINDS[_key])


def opponent_counts(reader: Reader, estimator: str) -> type[OpponentCounts]:
    """The kind of knowledge that a reader's tables are; raises `ValueError` if there is no such estimator."""
    if estimator not in ESTIMATORS:
        raise ValueError(f"unknown estimator {estimator!r}: expected one of {', '.join(ESTIMATORS)}")
    return _KINDS[reader.scheme, reader.form, estimator]


def _identities(games: Games, observer: int) -> list[bytes]:
    """Identity of each game: a hash of stakes, cards, acts and observer."""
    head = repr((astuple(games.spec), observer)).encode()
    acts = games.acts & 127  # without whether they were bluffs
    return [
        hashlib.blake2b(head + cards.tobytes() + row[: length & 127].tobytes(), digest_size=16).digest()
        for cards, row, length in zip(games.cards, acts, games.lengths.tolist(), strict=True)
    ]


def learn_opponent(
    book: Book, name: str, games: Games, reader: Reader | None = None, *, observer: int = 0, estimator: str = "em"
) -> Learnt:
    """Add to a book what games show of an opponent, counting each game once.

    Games with the same stakes, cards and acts are the same game. A match that is dealt again from the same seed adds
    only the games that went differently.

    Parameters
    ----------
    name : str
        The opponent's.
    games : Games
        Games against the opponent.
    reader : Reader, optional
        Its scheme and form are those of the tables.
    observer : int
        The player who observes the opponent, 0 or 1.
    estimator : {"em", "showdown_only"}
        How hands that were not shown count. With EM, hands that the book has already serve as evidence; their counts
        are not estimated again.

    Returns
    -------
    Learnt
        Number of games that were new, and of those known before.

    Raises
    ------
    ValueError
        If the name cannot be kept, there is no such player or estimator, or a game breaks the rules.
    BookError
        If the database cannot be written. Batches of games that were finished before are kept.

    Examples
    --------
    >>> from pokermodel import Book
    >>> from pokermodel.classics.stud import StudPlayer, play_match
    >>> book, program = Book("sqlite://"), StudPlayer()
    >>> games = play_match(program, program, deals=50).games
    >>> learn_opponent(book, "Ann", games).new
    100
    >>> player = StudPlayer(opponent=opponent_tables(book, "Ann"))
    """
    reader = reader or Reader()
    kind = opponent_counts(reader, estimator)
    hands, games_of = games.observed(observer, reader)
    places = dict(zip(games_of.tolist(), range(len(hands)), strict=True))
    evidence = (
        (identity, ObservedGame(hands, places[game]) if game in places else None)
        for game, identity in enumerate(_identities(games, observer))
    )
    return book.learn_about(name, kind, evidence)


def opponent_tables(
    book: Book, name: str | None = None, reader: Reader | None = None, *, estimator: str = "em"
) -> ActionTables:
    """Return the tables of an opponent, for ``opponent=`` of `StudPlayer`: the program's defaults, and a book's counts.

    Parameters
    ----------
    name : str, optional
        Name of the opponent; an unknown one has the defaults. By default, all opponents together: generic tables.
    reader : Reader, optional
        Its scheme and form are those of the tables.
    estimator : {"em", "showdown_only"}
        How they were learnt.

    Raises
    ------
    ValueError
        If there is no such estimator.
    """
    kind = opponent_counts(reader or Reader(), estimator)
    if name is not None:
        return (book.knowledge(kind, name) or kind()).tables()
    together = kind()
    for counts in book.knowledge_by_name(kind).values():
        together.merge(counts)
    return together.tables()
