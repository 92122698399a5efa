"""The book: files with bookmarks, each hand once, each seat as a row, and what the user wrote about them.

Rows are the truth. A batch of hands is one transaction, with its players, texts and the bookmark of its file in it: a
process that is killed at any instant leaves whole batches, and reading the same files again adds what is missing.
Columns in memory (`pokermodel.library.columns`) are a cache of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pokermodel._support.checks import check_name
from pokermodel.game import Hand
from pokermodel.learning.knowledge import FromHands, Knowledge, select_kinds
from pokermodel.library.knowledge import learn_about, learn_hands
from pokermodel.library.merging import merge
from pokermodel.library.rows import Sink
from pokermodel.library.store import Added, Bookmark, Learnt, Store, StoredVerdict

__all__ = ["Added", "Book", "Bookmark", "Learnt", "StoredVerdict"]


class Book(Store):
    """Hands and seats as rows in a database, and what is known of players.

    As a mapping it has the action counts of every player by name, which are those of limit hands. A player is a name at
    a poker site. Where players of several sites have a name, it is followed by the site, ``"Ann@pokerstars"``; without
    it, it stands for all of them, but a `profile` is of one.

    A book that is copied or pickled is opened again at the same address. A pickle has that address, with any password
    in it, and no hands. A book in memory can be neither copied nor pickled.

    Parameters
    ----------
    where : path-like or str
        A SQLite file; or a URL, as ``postgresql://user@host/database``. ``sqlite://`` is a book in memory.
    create : bool
        Make the book if there is none, and bring its views up to date.

    Raises
    ------
    BookError
        If there is no book and none is to be made, what is there is no book or one of another version, or the
        database cannot be reached.

    Examples
    --------
    >>> import pokermodel as pm
    >>> book = pm.Book("sqlite://")  # in memory
    >>> book.learn([pm.example_hand()])
    Learnt(new=1, known=0)
    >>> book.learn([pm.example_hand()])
    Learnt(new=0, known=1)
    >>> book.profile("Eve").statistics["vpip"].numerator
    1
    """

    def learn(
        self,
        hands: Iterable[Hand],
        *,
        kinds: str | Iterable[str | type[FromHands]] | None = None,
        skipped: Sink | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Learnt:
        """Add hands, and have readers learn from them, from each hand only once.

        Parameters
        ----------
        hands : iterable of Hand
            They are read as they are needed, `BATCH` at a time.
        kinds : str or iterable of str or type, optional
            The kinds of knowledge to learn, as `pokermodel.learning.kinds` lists them. Default: the statistics, which
            every book has, and what the default reader starts from. Kinds that do not learn from the betting structure
            of a hand leave it out.
        skipped : list of ValueError, optional
            Takes what is wrong with hands that cannot be learnt; None: raise it.
        progress : callable, optional
            Called after every batch with the number of hands that were dealt with.

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
        """
        return learn_hands(self, hands, select_kinds(kinds), skipped, progress)

    def learn_about(self, name: str, kind: type[Knowledge], evidence: Iterable[tuple[bytes, Any]]) -> Learnt:
        """Learn about a player from hands of any game.

        Parameters
        ----------
        name : str
            The player whom the knowledge is about.
        kind : type
            The kind of knowledge to learn.
        evidence : iterable of (bytes, object)
            The identity of each hand, and what it says, or None. Taken `BATCH` at a time.

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
        check_name(name)
        return learn_about(self, name, kind, evidence)

    def merge(self, other: Book) -> Learnt:
        """Add the hands of another book, and what readers learnt from them.

        Hands that both have count once. What readers learnt is added kind by kind if no hand is in both; otherwise it
        stays as it is here, and the kind is in `Learnt.left`. It can be learnt from the hands themselves, where they
        still have a file. What the user wrote is not taken over: `Book.mine` is text that can be.

        Parameters
        ----------
        other : Book
            Is not changed.

        Raises
        ------
        BookError
            As `learn`.
        """
        if not isinstance(other, Book):
            raise ValueError(f"a book takes in another one: expected a Book, as Book(path) opens it, got {other!r}")
        return merge(self, other)
