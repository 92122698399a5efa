"""The interface of a kind of knowledge, and the existing kinds.

A kind of knowledge is a class. Its instances are sufficient statistics: they learn from the evidence of each hand, are
added, and are turned into bytes and back. A `Book` keeps them, and sees to it that each hand is learnt once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeAlias

from pokermodel.game import BettingStructure, Decision, Hand
from pokermodel.reading import read_reader, reader_kinds

__all__ = [
    "FromHands",
    "InPieces",
    "Kind",
    "Knowledge",
    "find_kind",
    "kinds",
    "register",
    "select_kinds",
    "structures_of",
]

#: The reader whose knowledge is learnt by default, beside the statistics.
_DEFAULT_READER = "adaptive"


class Knowledge(Protocol):
    """A kind of knowledge, and the way it is learnt. Calling its class makes empty knowledge.

    Knowledge that is learnt from all hands at once may depend on their division into batches.
    """

    #: Name of this kind of knowledge in a book.
    kind: ClassVar[str]
    #: Version of `to_bytes`.
    version: ClassVar[int]

    def update(self, evidence: Sequence[Any]) -> None:
        """Learn from a batch of new hands.

        Parameters
        ----------
        evidence : sequence
            The evidence of each, in order; hands without evidence are left out.
        """

    def merge(self, other: Self) -> None:
        """Add what was learnt from other hands."""

    def to_bytes(self) -> bytes:
        """Turn everything learnt into bytes."""

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read what `to_bytes` wrote.

        Raises
        ------
        ValueError
            If the bytes are damaged or something else.
        """


class FromHands(Protocol):
    """A kind of knowledge that can be learnt from hands of hold'em.

    A kind that can learn from other betting structures than limit says so by the class attribute `structures`, a
    collection of `BettingStructure`. Hands of structures that are not in it are left out for this kind, and can be
    learnt later.
    """

    #: Name of this kind of knowledge in a book.
    kind: ClassVar[str]

    @staticmethod
    def evidence(hand: Hand, decisions: Sequence[Decision]) -> Any | None:
        """The evidence of one hand.

        It depends on the hand alone and can be pickled, so that many processes can work it out side by side.

        Parameters
        ----------
        hand : Hand
            A finished hand that keeps the rules and can be paid out.
        decisions : sequence of Decision
            Its replay.

        Returns
        -------
        object or None
            None if it says nothing.

        Raises
        ------
        ValueError
            If it cannot be learnt for this kind.
        """


class InPieces(FromHands, Protocol):
    """Knowledge that divides into pieces: what all share, what is known of a population, and of a player.

    A hand is learnt from the pieces of those who were in it, and changes them alone.
    """

    #: Version of the bytes of a piece.
    piece_version: ClassVar[int]

    @staticmethod
    def piece_names(found: Any) -> list[tuple[str, str]]:
        """The pieces that evidence of a hand is learnt from: scope (shared, population or player) and name of each."""

    @staticmethod
    def pieces_of_hand(hand: Hand) -> list[tuple[str, str]]:
        """The pieces by which a hand is read: those of all who sit there, whether or not they act."""

    @classmethod
    def of_pieces(cls, pieces: Mapping[tuple[str, str], bytes], *, hands: int = 0) -> Self:
        """All that is known, given how many hands were learnt."""

    @classmethod
    def learn_pieces(
        cls, pieces: Mapping[tuple[str, str], bytes], evidence: Iterable[Any]
    ) -> dict[tuple[str, str], bytes]:
        """Learn hands, one after the other, from the pieces that there are; return those that they change."""


#: A class of knowledge: it implements `Knowledge`, `FromHands` or, as a rule, both.
Kind: TypeAlias = type[Knowledge] | type[FromHands]

_KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make a kind of knowledge known.

    `Book.learn` finds it by its name if it implements `FromHands`, and `Book.merge` can add it if it implements
    `Knowledge`.

    Parameters
    ----------
    kind : type
        The class.

    Raises
    ------
    ValueError
        If its name is empty, has a comma in it, or is that of another kind.
    """
    name = kind.kind
    if not name or "," in name:
        raise ValueError(f"{name!r} cannot name a kind of knowledge: expected text without a comma")
    other = _KINDS.setdefault(name, kind)
    if (other.__module__, other.__qualname__) != (kind.__module__, kind.__qualname__):
        raise ValueError(f"there is another kind of knowledge {name!r}: {other.__module__}.{other.__qualname__}")
    _KINDS[name] = kind  # or what has become of it, where a module is loaded again


def _registered() -> dict[str, Kind]:
    """Kinds by name: those registered here, and those that registered readers bring."""
    for reader in reader_kinds().values():
        for kind in reader.knowledge:
            register(kind)
    return _KINDS


def find_kind(name: str) -> Kind | None:
    """The registered kind of this name; None if there is none."""
    return _KINDS.get(name) or _registered().get(name)


def structures_of(kind: type[FromHands]) -> Collection[BettingStructure]:
    """The betting structures that a kind of knowledge learns from: limit, unless it says otherwise."""
    found: Collection[BettingStructure] = getattr(kind, "structures", (BettingStructure.LIMIT,))
    return found


def kinds() -> dict[str, type[FromHands]]:
    """All registered kinds of knowledge that are learnt from hands, by name."""
    found: dict[str, Any] = {name: kind for name, kind in _registered().items() if hasattr(kind, "evidence")}
    return found


def select_kinds(wanted: str | Iterable[str | type[FromHands]] | None = None) -> dict[str, type[FromHands]]:
    """Kinds of knowledge to learn from hands, by name.

    Parameters
    ----------
    wanted : str or iterable of str or type, optional
        Names of registered kinds, and classes, registered or not. Default: the statistics, and what the default reader
        starts from.

    Raises
    ------
    ValueError
        If there are none, or no kind of a name is registered; the message lists those that are.

    Examples
    --------
    >>> list(select_kinds())
    ['statistics', 'adaptive']
    """
    if wanted is None:
        wanted = _default_names()
    found: dict[str, type[FromHands]] = {}
    for each in [wanted] if isinstance(wanted, str) else wanted:
        kind: Any = find_kind(each) if isinstance(each, str) else each
        if not hasattr(kind, "evidence"):
            raise ValueError(f"unknown kind of knowledge {each!r}: expected one of {', '.join(kinds())}")
        found[kind.kind] = kind
    if not found:
        raise ValueError(f"no kind of knowledge to learn: there are {', '.join(kinds())}")
    return found


def _default_names() -> tuple[str, ...]:
    reader, _ = read_reader(_DEFAULT_READER)
    for kind in reader.knowledge:
        register(kind)
    return "statistics", *reader.needs
