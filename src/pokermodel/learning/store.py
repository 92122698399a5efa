"""The book: what is known of players, kept between sessions in a database.

A book is a SQLite file, or a PostgreSQL database for many writers. It has the statistics of every player
(`pokermodel.learning.statistics`), and knowledge of any other kind (`pokermodel.learning.knowledge`) in pieces, each of
one kind and about one player or about all.

A book knows which hands each piece has learnt, by their identities, so that a hand is learnt once however often it is
met. Hands are learnt in batches, and a batch is one transaction with its identities and all that it taught in it: a
process killed at any instant leaves whole batches, and learning the same hands again adds what is missing.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from shlex import quote
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self, TypeAlias, TypeVar, cast, get_args, overload

import sqlalchemy as sa

from pokermodel._support.checks import check_choice, check_least, check_name, is_name
from pokermodel._support.frames import to_frame
from pokermodel.errors import BookError, DamagedBookError
from pokermodel.game import Act, BettingStructure, Hand
from pokermodel.learning._checksums import identity_sum
from pokermodel.learning._database import DamageError, Database, checked
from pokermodel.learning._editions import to_learn_again
from pokermodel.learning._pieces import (
    Attempt,
    KnowledgePiece,
    Piece,
    PieceRow,
    SupersededError,
    decode,
    find_piece,
    find_pieces,
    learnt_among,
    mark,
    revise,
    verify,
)
from pokermodel.learning._players import PlayerTables
from pokermodel.learning._schema import prepare
from pokermodel.learning._tables import KNOWLEDGE, LEARNT, PLAYERS
from pokermodel.learning.course import PERIODS, Course
from pokermodel.learning.definitions import registry
from pokermodel.learning.evidence import HandEvidence, Sink, gather
from pokermodel.learning.identity import identity
from pokermodel.learning.knowledge import FromHands, Kind, Knowledge, find_kind, select_kinds
from pokermodel.learning.profile import PROFILE_COLUMNS, Profile, profile_rows
from pokermodel.learning.rates import Population
from pokermodel.learning.statistics import HandCounts, PlayerCounts, PlayerStatistics
from pokermodel.reading.contexts import ContextCounts
from pokermodel.reading.frequencies import ActionCounts, Context

__all__ = ["BATCH", "Book", "By", "Learnt", "Structure"]

K = TypeVar("K", bound=Knowledge)

#: What `Book.breakdown` tells apart.
By: TypeAlias = Literal["position", "table", "stake", "month", "day", "depth", "structure"]
#: A betting structure, or its name.
Structure: TypeAlias = BettingStructure | Literal["limit", "pot limit", "no limit"]

#: Hands that are learnt in one transaction.
BATCH = 4000


class _Hands(NamedTuple):
    new: int
    known: int


class Learnt(_Hands):
    """What learning added to a book: a tuple of two numbers of hands, which compares as one, and the details.

    Parameters
    ----------
    new : int
        Hands that were new to any kind of knowledge.
    known : int
        Hands that all kinds had learnt before.
    new_to : mapping of str to int
        How many hands were new to each kind.
    left : tuple of (str, str)
        After a merge: kind and name of each piece of knowledge that was left as it was, although the other book has
        hands that it lacks.
    structures : mapping of str to int
        How many hands there were of each betting structure, those known and left out included.
    left_out : mapping of str to int
        How many of them each kind left out, since it does not learn from hands of their structure. Hands that all
        kinds left out are neither new nor known.
    """

    new_to: Mapping[str, int]
    left: tuple[tuple[str, str], ...]
    structures: Mapping[str, int]
    left_out: Mapping[str, int]

    def __new__(
        cls,
        new: int,
        known: int,
        new_to: Mapping[str, int] | None = None,
        left: tuple[tuple[str, str], ...] = (),
        structures: Mapping[str, int] | None = None,
        left_out: Mapping[str, int] | None = None,
    ) -> Self:
        """Make one."""
        self = super().__new__(cls, new, known)
        self.new_to = dict(new_to or {})
        self.left = left
        self.structures = dict(structures or {})
        self.left_out = dict(left_out or {})
        return self


class Book(Mapping[str, ActionCounts]):
    """What is known of players: learnt from hands, kept in a database, read player by player.

    As a mapping it has the action counts of every player by name, which are those of limit hands. A player is a name at
    a poker site. Where players of several sites have a name, it is followed by the site, ``"Ann@pokerstars"``; without
    it, it stands for all of them, but a `profile` is of one. All that is read of
    a book is read when it is asked for, and is a copy: only `learn`, `learn_evidence` and `merge` change what is kept.

    A book that is copied or pickled is opened again at the same address; a pickle has the address, and nothing of what
    is in the book. A password in a URL goes with it. A book in memory can be neither copied nor pickled.

    Parameters
    ----------
    where : path-like or str
        A SQLite file; or a URL, as ``postgresql://user@host/database``, for which PostgreSQL's driver is needed
        (``pip install "pokermodel[postgresql]"``). ``sqlite://`` is a book in memory, for the threads of this process.
    create : bool
        Make the book if there is none.

    Raises
    ------
    BookError
        If there is no book and none is to be made, what is there is no book or one of another version, or the
        database cannot be reached.

    Examples
    --------
    >>> import pokermodel as pm
    >>> book = pm.Book("sqlite://")  # in memory
    >>> book.learn([pm.example_hand()], kinds=["statistics"])
    Learnt(new=1, known=0)
    >>> book.learn([pm.example_hand()]).new_to  # the statistics, and what the default reader starts from
    {'statistics': 0, 'adaptive': 1}
    >>> book.learn([pm.example_hand()])
    Learnt(new=0, known=1)
    >>> book.profile("Eve").statistics["vpip"].numerator
    1
    """

    def __init__(self, where: str | os.PathLike[str], *, create: bool = True) -> None:
        self._database = Database(where, create)
        self._players = PlayerTables(self._database)
        self._verified: set[tuple[str, str]] = set()
        try:
            prepare(self._database, create)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<Book {self._database.where!r}>"

    def __reduce__(self) -> tuple[Callable[[type[Self], str], Self], tuple[type[Self], str]]:
        address = self.address
        if address is None:
            raise BookError(
                "a book in memory cannot be copied or pickled, since it has no address: expected one in a file or on "
                "PostgreSQL"
            )
        return _open, (type(self), address)

    @property
    def address(self) -> str | None:
        """The URL by which other processes open it; None for a book in memory."""
        return self._database.address

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    # ------------------------------------------------------------------------------------------------ learning

    def learn(
        self,
        hands: Iterable[Hand],
        *,
        kinds: str | Iterable[str | type[FromHands]] | None = None,
        skipped: Sink | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Learnt:
        """Learn from hands, each only once.

        Parameters
        ----------
        hands : iterable of Hand
            They are read as they are needed, `BATCH` at a time, and each is replayed once. Kinds of knowledge that do
            not learn from its betting structure leave a hand out.
        kinds : str or iterable of str or type, optional
            The kinds of knowledge to learn, as `pokermodel.learning.kinds` lists them. Default: the statistics, and
            what the default reader starts from.
        skipped : list of ValueError, optional
            Takes what is wrong with hands that cannot be learnt; None: raise it.
        progress : callable, optional
            Told after every batch how many hands were dealt with.

        Returns
        -------
        Learnt
            How many were new.

        Raises
        ------
        ValueError
            If there is no such kind of knowledge; without `skipped`, at the first hand that breaks the rules, is not
            finished or cannot be paid out. Batches before it are kept.
        BookError
            If the database cannot be written. It is as after the last batch.

        Notes
        -----
        The garbage collector does not run while a batch is learnt, in any thread of the process. It does while hands
        are read, and between batches.
        """
        chosen = select_kinds(kinds)

        def evidence_of(batch: Sequence[Hand]) -> _Batch:
            identities = list(map(identity, batch))
            return identities, lambda known: gather(batch, identities, chosen, known, skipped)

        return self._learn(self._pieces(chosen.values()), map(evidence_of, _batches(hands)), progress)

    def learn_evidence(
        self,
        evidence: Iterable[HandEvidence | None],
        kinds: Iterable[Kind],
        *,
        name: str = "",
        progress: Callable[[int], None] | None = None,
    ) -> Learnt:
        """Learn from what hands say, which may have been worked out elsewhere, and may be hands of any game.

        Parameters
        ----------
        evidence : iterable of HandEvidence or None
            Taken as it is needed. None stands for a hand that could not be learnt: since batches are counted in
            hands, it decides together with what others are learnt.
        kinds : iterable of type
            The kinds of knowledge to learn.
        name : str
            The player whom the pieces are about; "" if they are about all.
        progress : callable, optional
            As of `learn`.

        Returns
        -------
        Learnt
            How many hands were new.

        Raises
        ------
        ValueError
            If the name cannot be kept, or the evidence is refused.
        BookError
            As `learn`.
        """
        if name:
            check_name(name)

        def evidence_of(batch: Sequence[HandEvidence | None]) -> _Batch:
            return [each.identity for each in batch if each is not None], lambda known: batch

        return self._learn(self._pieces(kinds, name), map(evidence_of, _batches(evidence)), progress)

    def known(self, kinds: Iterable[Kind], identities: Sequence[bytes]) -> dict[str, set[bytes]]:
        """Which of some hands have nothing more to say, by kind of knowledge about all players.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        with self._database.transaction() as connection:
            return {piece.kind: piece.known(connection, identities) for piece in self._pieces(kinds)}

    def _pieces(self, kinds: Iterable[Kind], name: str = "") -> list[Piece]:
        return [
            self._players
            if kind.kind == PlayerStatistics.kind
            else KnowledgePiece(self._database, cast(type[Knowledge], kind), name)
            for kind in kinds
        ]

    def _learn(
        self, pieces: Sequence[Piece], batches: Iterable[_Batch], progress: Callable[[int], None] | None
    ) -> Learnt:
        self._verify(pieces)
        sums = _Sums([piece.kind for piece in pieces])
        for identities, evidence_of in batches:
            with _collector_paused():
                sums.add(*self._learn_batch(pieces, identities, evidence_of))
            if progress is not None:
                progress(sums.done)
        return sums.learnt()

    def _verify(self, pieces: Iterable[Piece]) -> None:
        """See to it, once, that what is known is found: what is not found would be learnt a second time."""
        for piece in pieces:
            if (piece.kind, piece.name) not in self._verified:
                with self._database.transaction() as connection:
                    piece.verify(connection)
                self._verified.add((piece.kind, piece.name))

    def _learn_batch(
        self, pieces: Sequence[Piece], identities: Sequence[bytes], evidence_of: _EvidenceOf
    ) -> tuple[Sequence[HandEvidence | None], dict[str, Attempt]]:
        attempts: dict[str, Attempt] = {}
        evidence: Sequence[HandEvidence | None] | None = None
        while True:
            with self._database.transaction() as connection:
                fresh = {piece.kind: piece.read(connection, identities) for piece in pieces}
            if evidence is None:
                evidence = evidence_of({kind: attempt.known for kind, attempt in fresh.items()})
            for piece in pieces:
                attempt, before = fresh[piece.kind], attempts.get(piece.kind)
                if before is None or before.row.revision != attempt.row.revision:
                    piece.update(attempt, _new(evidence, piece.kind, attempt))
                    attempts[piece.kind] = attempt
            if not any(attempt.changed for attempt in attempts.values()):
                return evidence, attempts
            try:
                with self._database.transaction(write=True) as connection:
                    for piece in pieces:
                        if attempts[piece.kind].changed:
                            piece.write(connection, attempts[piece.kind])
                return evidence, attempts
            except SupersededError:  # once more, on top of what another process wrote
                continue

    def merge(self, other: Book) -> Learnt:
        """Learn all that another book has learnt.

        Hands that both know count once in the statistics of players, since a book keeps what each hand added to them,
        and what was counted of it. What only the other one has counted of a hand is added. Aliases are not taken over.
        Other knowledge is added piece by piece, if no hand is in both pieces; otherwise it stays as it is here, and
        the piece is named in `Learnt.left` if the other one has hands that this one lacks. It can be learnt from
        these hands themselves. A piece of a kind that is not registered is only taken over if there is none here.

        Parameters
        ----------
        other : Book
            Is not changed.

        Returns
        -------
        Learnt
            How many hands were new to the statistics; by kind, how many were added.

        Raises
        ------
        BookError
            As `learn`.
        """
        if not isinstance(other, Book):
            raise ValueError(f"a book takes in another one: expected a Book, as Book(path) opens it, got {other!r}")
        kind = PlayerStatistics.kind

        def evidence_of(batch: Sequence[tuple[bytes, HandCounts]]) -> _Batch:
            told = [HandEvidence(each, {kind: hand}) for each, hand in batch]
            return [each for each, _ in batch], lambda known: told

        piece = PlayerTables(self._database, merging=True)
        found = self._learn([piece], map(evidence_of, _batches(other.contributions())), None)
        added, left = dict(found.new_to), []
        with other._database.transaction() as connection:
            keys = connection.execute(
                sa.select(KNOWLEDGE.c.kind, KNOWLEDGE.c.name).where(KNOWLEDGE.c.kind != kind).order_by(KNOWLEDGE.c.id)
            ).all()
        for key in keys:
            hands = self._merge_piece(other, *key)
            if hands is None:
                left.append((key.kind, key.name))
            added[key.kind] = added.get(key.kind, 0) + (hands or 0)
        return Learnt(found.new, found.known, added, tuple(left))

    def _merge_piece(self, other: Book, kind: str, name: str) -> int | None:
        """Add a piece of another book, and return how many hands were added; None if it cannot be added."""
        with other._database.transaction() as connection:  # content and hands of one moment
            theirs = find_piece(connection, kind, name)
            assert theirs is not None
            hands = sa.select(LEARNT.c.identity).where(LEARNT.c.knowledge == theirs.id).order_by(LEARNT.c.number)
            identities = [checked(each, bytes, "a hand's identity") for each in connection.scalars(hands)]
            if (len(identities), identity_sum(identities)) != (theirs.hands, theirs.identities):
                raise DamageError(f"of the {theirs.hands:,} hands that {kind!r} has learnt not all are found")
        knowledge = cast(type[Knowledge] | None, find_kind(kind))
        if knowledge is not None:
            self._verify([KnowledgePiece(self._database, knowledge, name)])
        while True:
            with self._database.transaction() as connection:
                ours = find_piece(connection, kind, name)
                known = set() if ours is None else learnt_among(connection, ours.id, identities)
            if len(known) == len(identities):
                return 0
            content = theirs.content
            if ours is not None:
                if known or knowledge is None:
                    return None
                merged = decode(self._database, knowledge, ours)
                merged.merge(decode(other._database, knowledge, theirs))
                content = merged.to_bytes()
            elif knowledge is not None:
                decode(other._database, knowledge, theirs)  # nothing damaged is taken over
            try:
                with self._database.transaction(write=True) as connection:
                    row = PieceRow(None, kind, name) if ours is None else ours
                    number = revise(connection, row, theirs.version, content, identities)
                    mark(connection, number, ((each, None) for each in identities))
                return len(identities)
            except SupersededError:
                continue

    def alias(self, name: str, other: str | None) -> None:
        """Say that two names are those of one player, or of one player no more.

        What is known of a player is known of all their names together, and is asked for by any of them. Nothing is
        learnt again: each name keeps its own counts.

        Parameters
        ----------
        name : str
            The name that the player goes by; where players of several sites have it, with the site.
        other : str or None
            Another one of theirs; None: `name` is a player of its own from now on.

        Raises
        ------
        UnknownPlayerError
            If the book has no player of a name.
        ValueError
            If several players have a name, or both are those of one player already.
        BookError
            If the book cannot be written.

        Examples
        --------
        >>> import pokermodel as pm
        >>> book = pm.Book("sqlite://")
        >>> learnt = book.learn([pm.example_hand()], kinds=["statistics"])
        >>> book.alias("Eve", "Ada")
        >>> book.profile("Ada").name, book.profile("Eve").hands
        ('Eve', 2)
        >>> book.alias("Ada", None)
        >>> book.profile("Eve").hands
        1
        """
        self._players.join(name, other)

    @property
    def to_learn_again(self) -> tuple[str, ...]:
        """Keys of the statistics that were not counted in all hands, in order.

        Learning these hands again counts them, and nothing twice.
        """
        keys = frozenset().union(*self._to_learn_again().values())
        return tuple(each.key for each in registry() if each.key in keys)

    def _to_learn_again(self) -> dict[BettingStructure, frozenset[str]]:
        partly = self._players.lacking()
        return {structure: to_learn_again(lacking, structure) for structure, lacking in partly.items()}

    def contributions(self) -> Iterator[tuple[bytes, HandCounts]]:
        """What every hand added to the statistics, in the order in which hands were learnt.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        yield from self._players.contributions(BATCH)

    def problems(self) -> list[str]:
        """What is wrong with the book; nothing if it is sound.

        All of it is read: every row is compared with its checksum, and the counts and latest actions of players with
        what their hands added.
        """
        found: list[str] = []
        try:
            found += self._database.problems()
            found += self._problems()
        except BookError as error:
            found.append(_reason(error))
        return found

    def _problems(self) -> Iterator[str]:
        with self._database.transaction() as connection:
            keys = connection.execute(sa.select(KNOWLEDGE.c.kind, KNOWLEDGE.c.name).order_by(KNOWLEDGE.c.id)).all()
        for kind, name in keys:
            try:
                with self._database.transaction() as connection:
                    if (row := find_piece(connection, kind, name)) is not None:
                        verify(connection, row)
                if row is not None and (known := find_kind(kind)) not in (None, PlayerStatistics):
                    decode(self._database, cast(type[Knowledge], known), row)
            except BookError as error:
                yield _reason(error)
        yield from self._players.problems(BATCH)

    # ------------------------------------------------------------------------------------------------- reading

    @property
    def hands(self) -> int:
        """How many hands are in the statistics."""
        return self._players.hands()

    def digest(self) -> str:
        """Digest of what is known: the same as long as nothing is learnt, merged or renamed. It is quickly found."""
        pieces = sa.select(KNOWLEDGE.c.kind, KNOWLEDGE.c.name, KNOWLEDGE.c.revision, KNOWLEDGE.c.checksum)
        aliases = sa.select(PLAYERS.c.name, PLAYERS.c.site, PLAYERS.c.alias).where(PLAYERS.c.alias != 0)
        found = blake2b(digest_size=16)
        with self._database.transaction() as connection:
            for query in pieces, aliases:
                for row in sorted(map(tuple, connection.execute(query))):
                    found.update(repr(row).encode())
        return found.hexdigest()

    @property
    def kinds(self) -> frozenset[str]:
        """Names of the kinds of knowledge about all players that the book has learnt."""
        with self._database.transaction() as connection:
            return frozenset(connection.scalars(sa.select(KNOWLEDGE.c.kind).where(KNOWLEDGE.c.name == "")))

    def require(self, kinds: Iterable[str], what: str) -> None:
        """Make sure that the book has learnt what a reader starts from.

        Parameters
        ----------
        kinds : iterable of str
            Names of kinds of knowledge.
        what : str
            What needs them, for the message.

        Raises
        ------
        BookError
            If one of them was not learnt; the message has the command that learns it.
        """
        there = self.kinds
        lacking = " ".join(f"--for {kind}" for kind in kinds if kind not in there)
        if lacking:
            where = self._database.where
            command = f"pokermodel learn FILES --book {quote(where)} {lacking}"
            raise BookError(f"{where} has learnt nothing for {what}: run `{command}`")

    def knowledge(self, kind: type[K], name: str = "") -> K | None:
        """What is known of a kind other than the statistics of players.

        Parameters
        ----------
        kind : type
            The class of the knowledge, registered or not.
        name : str
            The player whom it is about; "" for what is about all.

        Returns
        -------
        object of that class, or None
            None if nothing was learnt.

        Raises
        ------
        BookError
            If the book cannot be read, or what it has is damaged or of another version.
        """
        if name and not is_name(name):
            return None
        with self._database.transaction() as connection:
            row = find_piece(connection, kind.kind, name)
        return None if row is None else decode(self._database, kind, row)

    def knowledge_by_name(self, kind: type[K]) -> dict[str, K]:
        """All pieces of a kind, by the name of the player whom each is about.

        Raises
        ------
        BookError
            As `knowledge`.
        """
        with self._database.transaction() as connection:
            rows = find_pieces(connection, kind.kind)
        return {row.name: decode(self._database, kind, row) for row in rows}

    def profile(self, name: str, structure: Structure | None = None) -> Profile:
        """What is known of a player in one betting structure.

        Parameters
        ----------
        name : str
            The player's name, exactly; where players of several sites have it, with the site: ``"Ann@pokerstars"``.
        structure : {"limit", "pot limit", "no limit"}, optional
            Default: the one of which the book has most hands of the player, the first of these of equal numbers.

        Returns
        -------
        Profile
            Without hands, if the player has not played the structure.

        Raises
        ------
        ValueError
            If there is no such structure, or several players have the name.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        chosen = _structure(structure)
        found = self._players.profiles(name)
        if chosen is None:
            return max(found.values(), key=lambda profile: profile.hands, default=Profile(name, PlayerCounts({})))
        return found[chosen] if chosen in found else Profile(name, PlayerCounts({}, chosen))

    def profiles(self, name: str) -> dict[BettingStructure, Profile]:
        """What is known of a player in each betting structure that they have played, in order.

        Figures of structures are never added up: neither what is won, which is in other units, nor how often something
        is done means the same in them.

        Raises
        ------
        ValueError
            If several players have the name.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        return self._players.profiles(name)

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame of the statistics of all players in all structures; see `Profile.to_frame`."""
        profiles = (profile for name in self for profile in self.profiles(name).values())
        return to_frame((row for profile in profiles for row in profile_rows(profile)), PROFILE_COLUMNS, library)

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions after the flop, at most 20, in the order in which they were done.

        The hands stand in the order of `pokermodel.learning.order`, however they were learnt. There are no actions of a
        player who is not known.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        return self._players.recent(name)

    @overload
    def breakdown(self, by: By, name: str, structure: Structure | None = None) -> dict[str, Profile]: ...
    @overload
    def breakdown(
        self, by: By, name: None = None, structure: Structure | None = None
    ) -> dict[str, dict[str, Profile]]: ...
    def breakdown(
        self, by: By, name: str | None = None, structure: Structure | None = None
    ) -> dict[str, Profile] | dict[str, dict[str, Profile]]:
        """What is known of a player, by position, table size, stake, month, day, stack depth or betting structure.

        Parameters
        ----------
        by : {"position", "table", "stake", "month", "day", "depth", "structure"}
            Positions are those of `POSITIONS` in limit, and of `SEATS` outside it; tables those of `TABLE_SIZES`, by
            how many were dealt in; a stake is that of `Played`, as ``"2/4 USD"``; months and days are
            those of UTC, as ``"2009-07"`` and ``"2009-07-31"``; depths are those of `DEPTHS`, and not counted in
            limit. Hands of which it is not known are under ``"unknown"``. For rounds of betting see
            `Profile.by_round`.
        name : str, optional
            The player's name, exactly; without it all players are read, in one go.
        structure : {"limit", "pot limit", "no limit"}, optional
            Hands of this structure. Default: of the one of which the book has most hands of the player; by structure,
            of all.

        Returns
        -------
        dict of str to Profile
            By group, in order, each without latest actions; without `name`, one such dict for each player by name.

        Raises
        ------
        ValueError
            If there is no such `by`, or no such structure.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        check_choice("breakdown", by, get_args(By))
        chosen = _structure(structure)
        found: dict[str, dict[str, Profile]] = {}
        partly = self._to_learn_again()
        for player, groups in self._players.grouped(by, name).items():
            of_player = {
                each: {
                    group: Profile(player, counts, to_learn_again=partly[each])
                    for group, counts in of_structure.items()
                }
                for each, of_structure in groups.items()
            }
            if by == "structure" and chosen is None:
                found[player] = {group: each for of_one in of_player.values() for group, each in of_one.items()}
            elif chosen is None:
                found[player] = max(of_player.values(), key=_hands_of, default={})
            else:
                found[player] = of_player.get(chosen, {})
        if name is None:
            return found
        (of_one,) = found.values()
        return of_one

    def course(self, name: str, structure: Structure | None = None, *, periods: int = PERIODS) -> Course:
        """What a player did over time: profiles of parts of their hands, in the order in which these were played.

        The order is that of `pokermodel.learning.order`.

        Parameters
        ----------
        name : str
            The player's name, exactly.
        structure : {"limit", "pot limit", "no limit"}, optional
            As of `profile`.
        periods : int
            How many parts of equal length there are; fewer if these would have less than 50 hands.

        Raises
        ------
        ValueError
            If there is no such structure, or `periods` is below 1.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        check_least("periods", periods, 1)
        chosen = _structure(structure) or self.profile(name).structure
        partly = self._to_learn_again()[chosen]
        return Course.of(name, chosen, self._players.course(name, chosen), periods, partly)

    def rates(self, structure: Structure) -> Population:
        """How often each player of the book does what they could do, see `pokermodel.learning.rates`.

        Parameters
        ----------
        structure : {"limit", "pot limit", "no limit"}

        Returns
        -------
        Population
            Of all who have played the structure.

        Raises
        ------
        ValueError
            If there is no such structure.
        BookError
            If the book cannot be read.
        """
        chosen = _structure(structure)
        assert chosen is not None
        return Population.of_table(chosen, *self._players.everybody())

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts, for a `ContextModel`.

        Raises
        ------
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        return self._players.contexts(name)

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        return self._players.population()

    def __getitem__(self, name: str) -> ActionCounts:
        return self._players.actions(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._players.names())

    def __len__(self) -> int:
        return self._players.number()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


def _structure(structure: Structure | None) -> BettingStructure | None:
    if structure is None:
        return None
    check_choice("structure", structure, tuple(map(str, BettingStructure)))
    return BettingStructure(structure)


def _reason(error: BookError) -> str:
    """What is wrong with a book, without its name where that is known."""
    return error.reason if isinstance(error, DamagedBookError) else str(error)


def _hands_of(groups: Mapping[str, Profile]) -> int:
    return sum(profile.hands for profile in groups.values())


_B = TypeVar("_B", bound=Book)


def _open(kind: type[_B], address: str) -> _B:
    """Open a book that was pickled."""
    return kind(address, create=False)


# ---------------------------------------------------------------------------------------------------------- batches

_EvidenceOf = Callable[[Mapping[str, "set[bytes]"]], Sequence[HandEvidence | None]]
_Batch = tuple[Sequence[bytes], _EvidenceOf]
T = TypeVar("T")


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch


class _Sums:
    """What batches add to a book, in all.

    Parameters
    ----------
    kinds : sequence of str
        Names of the kinds of knowledge that learn.
    """

    def __init__(self, kinds: Sequence[str]) -> None:
        #: Hands that were dealt with.
        self.done = 0
        self._new = self._total = 0
        self._new_to = dict.fromkeys(kinds, 0)
        self._structures: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()

    def add(self, evidence: Sequence[HandEvidence | None], attempts: Mapping[str, Attempt]) -> None:
        """Count a batch."""
        for kind, attempt in attempts.items():
            self._new_to[kind] += len(attempt.new)
        self._new += len({each for attempt in attempts.values() for each in attempt.new})
        for each in evidence:
            if each is not None:
                self._total += len(each.left_out) < len(self._new_to)
                if each.left_out:
                    self._left_out.update(each.left_out)
                if each.structure:
                    self._structures[each.structure] += 1
        self.done += len(evidence)

    def learnt(self) -> Learnt:
        """What was learnt."""
        return Learnt(self._new, self._total - self._new, self._new_to, (), self._structures, self._left_out)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from running.

    What a batch says is many objects, which all stay to its end and have no cycles. The collector would walk through
    them, and through all the hands, again and again.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _new(evidence: Iterable[HandEvidence | None], kind: str, attempt: Attempt) -> dict[bytes, object]:
    """What a batch says to a kind of knowledge; of copies of a hand the first counts."""
    found: dict[bytes, object] = {}
    for each in evidence:
        if each is not None and kind in each.by_kind and each.identity not in attempt.known:
            found.setdefault(each.identity, each.by_kind[kind])
    return found
