"""The identity of a hand, so that it is learnt once wherever it was read from."""

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
    """Digest that identifies a hand: 16 bytes.

    The digest covers what was dealt, done and known, names, stacks, stakes and betting structure, and the number that
    the source gave the hand. It does not cover `Hand.source`, which may contain the name of a folder. An id of a PHH
    file counts only if it is a number; otherwise it is the name of the file.

    A hand history of a poker site is one player's view. Its hands are identified by site and number. The digest leaves
    out differences between the copies of two players: known cards, and names at Bovada's anonymous tables. A book
    learns the first copy, which has all that the whole table saw.
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
