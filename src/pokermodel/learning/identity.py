"""What tells a hand from all others, so that it is learnt once wherever it was read from."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b

from pokermodel.game import Hand
from pokermodel.histories import SITES

__all__ = ["identity"]


def identity(hand: Hand) -> bytes:
    """Digest of what tells a hand from all others: 16 bytes.

    The digest covers what was dealt, done and known, names, stacks, stakes and betting structure, and the number that
    the source gave the hand. It does not cover `Hand.source`, which may contain the name of a folder. An id of a PHH
    file counts only if it is a number; otherwise it is the name of the file.

    A hand history of a poker site is what one player saw. Its hands are identified by site and number, and what
    differs between the copies of two players is left out: whose cards are known, and at Bovada's anonymous tables the
    names. The first copy is the one that is learnt, which loses nothing that the whole table saw.
    """
    content: list[object]
    if hand.source in SITES:
        names = hand.players if hand.source != "bovada" else ()
        content = [hand.source, hand.id, names, hand.stacks, hand.actions, hand.board]
    else:
        number = hand.id if hand.source != "phh" or hand.id.isdecimal() else ""
        spec = hand.spec
        content = [
            *(number, hand.currency, _value(hand.unit), spec.structure, spec.blinds, spec.antes, spec.bets),
            *(hand.players, hand.stacks, hand.actions, hand.board, sorted(hand.holdings.items()), sorted(hand.mucked)),
        ]
    return blake2b(json.dumps(content).encode(), digest_size=16).digest()


@lru_cache(256)
def _value(unit: Fraction | Decimal | int) -> str:
    return str(Fraction(unit))
