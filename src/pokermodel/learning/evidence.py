"""What hands say to each kind of knowledge, worked out before anything is written, in any process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from pokermodel._support.checks import is_name
from pokermodel.game import BettingStructure, Hand
from pokermodel.learning.knowledge import FromHands, structures_of
from pokermodel.learning.statistics import MOST_SMALL_BETS
from pokermodel.reading.features import Replay

__all__ = ["HandEvidence", "Sink", "check_hand", "gather"]


class HandEvidence(NamedTuple):
    """What one hand says.

    Parameters
    ----------
    identity : bytes
        What tells it from all others.
    by_kind : mapping of str to object
        What it says to each kind of knowledge, by name; None: nothing. From a hand that is not learnt for a kind,
        since it has been before or is left out, there is no entry.
    structure : str
        Its betting structure; "" where that does not matter.
    left_out : tuple of str
        Names of the kinds of knowledge that do not learn from hands of its structure.
    """

    identity: bytes
    by_kind: Mapping[str, Any]
    structure: str = ""
    left_out: tuple[str, ...] = ()


class Sink(Protocol):
    """Takes what is wrong with hands that are left out: a list, for instance."""

    def append(self, error: ValueError, /) -> None:
        """Take the error of one hand."""


def check_hand(hand: Hand) -> Replay:
    """Return the replay of a hand that can be learnt.

    `ValueError` if the hand breaks the rules, is not finished or cannot be paid out, a player wins or loses more than
    1,000,000 small bets (outside limit big blinds), or has a name that cannot be kept.
    """
    if not is_name("".join(hand.players)):
        odd = next(name for name in hand.players if not is_name(name))
        raise ValueError(f"hand {hand.id}: the name {odd!r} is not text that can be kept")
    decisions = Replay.of(hand, None)
    if max(map(abs, hand.payoffs)) > MOST_SMALL_BETS * hand.spec.small_bet:
        unit = "small bets" if hand.spec.structure.fixed else "big blinds"
        raise ValueError(f"hand {hand.id}: a player wins or loses more than {MOST_SMALL_BETS:,} {unit}")
    return decisions


def gather(
    hands: Sequence[Hand],
    identities: Sequence[bytes],
    kinds: Mapping[str, type[FromHands]],
    known: Mapping[str, Collection[bytes]],
    skipped: Sink | None = None,
) -> list[HandEvidence | None]:
    """Work out what a batch of hands says, each replayed once; None for one that cannot be learnt.

    Parameters
    ----------
    kinds : mapping of str to type
        The kinds of knowledge to learn, by name.
    known : mapping of str to collection of bytes
        Hands that a kind has learnt, by name of the kind. They, and second copies of a hand, say nothing new.
    skipped : list of ValueError, optional
        Takes what is wrong with hands that cannot be learnt; None: raise it.
    """
    found: list[HandEvidence | None] = []
    met: set[bytes] = set()
    learners, not_learnt = {}, {}
    for structure in BettingStructure:
        learns = {name: kind for name, kind in kinds.items() if structure in structures_of(kind)}
        learners[structure] = [(kind, known[name]) for name, kind in learns.items()]
        not_learnt[structure] = tuple([name for name in kinds if name not in learns])
    for hand, identity in zip(hands, identities, strict=True):
        structure = hand.spec.structure
        wanted = [] if identity in met else [kind for kind, before in learners[structure] if identity not in before]
        by_kind: dict[str, Any] = {}
        if wanted:
            try:
                decisions = check_hand(hand)
                by_kind = {kind.kind: kind.evidence(hand, decisions) for kind in wanted}
            except ValueError as error:
                if skipped is None:
                    raise
                skipped.append(error)
                found.append(None)
                continue
            met.add(identity)
        found.append(HandEvidence(identity, by_kind, str(structure), not_learnt[structure]))
    return found
