"""Real hand histories of sites, which are not part of the project: how many are read, and whether payoffs agree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import open_hands


@dataclass(frozen=True)
class Real:
    """What there is of a site: hands that are read, and why others are not, with their numbers.

    Attributes
    ----------
    hands : int
    refused : mapping of str to int
    rake : float
        The highest share of a pot that the site takes.
    whole : bool
        Whether the site divides whole chips.
    """

    hands: int
    refused: Mapping[str, int] = field(default_factory=dict)
    rake: float = 0.1
    whole: bool = False


SIX_PLUS = "only hold'em is supported, got .Six Plus"
FOREIGN = "not a known hand history"
REAL = {
    "absolute": Real(91, whole=True),
    "bovada": Real(307, {"cut short": 1}, 0.16, whole=True),
    "cake": Real(13, {"expected the first line": 1}, whole=True),  # the end of a hand
    "entraction": Real(2),
    "everest": Real(1, {"the file is empty": 1}),
    # the last is a tournament's result
    "fulltilt": Real(106, {"neither a list of seats": 1, FOREIGN: 1}, whole=True),
    "partypoker": Real(43, whole=True),
    "pokerstars": Real(392, {"only hold'em": 3, "cut short": 2}, 0.16, whole=True),
    "ipoker": Real(78, {SIX_PLUS: 1, FOREIGN: 1}),
    "boss": Real(11, {FOREIGN: 1}),
    "microgaming": Real(4, {FOREIGN: 1}),
    "merge": Real(53, {"the text has 0 cards of the board, expected 3": 1}),
    "ongame": Real(5, {FOREIGN: 1}),
    "ggpoker": Real(2, {"only hold'em is supported": 123, "the file is empty": 1}),
    "winamax": Real(25, {FOREIGN: 1}),
    "888": Real(28, {"0.24 collected, the replay a pot of 0.52": 1}),
    "winning": Real(81, {SIX_PLUS: 2}),
    "betonline": Real(43, {"1 player takes part": 1, "in hold'em two: it is another game": 1}),
    "pkr": Real(48, {"expected the first line of a hand": 1}, 0.11),
    "everleaf": Real(20),
}
BY_OTHER_RULES = {"2138526544"}  # a player who was disconnected, and wins less
SPLASHED = {"30266126": 50}  # cents, which the site adds to the pot


def folder_of(data_dir: Path, name: str) -> Path:
    folder = data_dir / name
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    return folder


def check_paid(hand: Hand, real: Real) -> None:
    """Payoffs agree with the text up to the rake."""
    assert hand.stated_payoffs is not None
    added = SPLASHED.get(hand.id, 0)
    taken = added - sum(hand.stated_payoffs)
    coin = 1 if real.whole else (0.01 if hand.currency else 1) / float(hand.unit)
    assert -1e-6 <= taken <= max(real.rake * hand.pot_chips, coin)
    if hand.id not in BY_OTHER_RULES:
        for ours, theirs in zip(hand.payoffs, hand.stated_payoffs, strict=True):
            assert theirs - coin - added <= ours <= theirs + taken + coin


@pytest.mark.parametrize("site", REAL)
def test_no_limit(data_dir: Path, site: str) -> None:
    hands: list[Hand] = []
    errors: list[HistoryError] = []
    for path in sorted(folder_of(data_dir, f"sites-nolimit/{site}").iterdir()):
        try:
            hands += open_hands(path, strict=False, index=False).read(errors)
        except HistoryError as error:
            errors.append(error)
    real = REAL[site]
    assert len(hands) == real.hands
    reasons = [error.reason for error in errors]
    found = {what: sum(bool(re.search(what, reason)) for reason in reasons) for what in real.refused}
    assert (found, len(reasons)) == (real.refused, sum(real.refused.values()))
    for hand in hands:
        assert not hand.spec.structure.fixed or site in ("fulltilt", "pokerstars")  # mixed games
        check_paid(hand, real)


def test_no_limit_of_absolute(data_dir: Path) -> None:
    (path,) = folder_of(data_dir, "handhq-nl").glob("ABS-*")
    source = open_hands(path, strict=False, index=False)
    assert len(list(source)) == 650
    assert source.skipped == []


def test_limit(data_dir: Path) -> None:
    source = open_hands(folder_of(data_dir, "sites-limit"), strict=False)
    assert len(list(source)) == 66
    assert source.skipped == []


def test_limit_of_bovada(data_dir: Path) -> None:
    (path,) = folder_of(data_dir, "bovada-limit").glob("*.txt")
    source = open_hands(path, strict=False)
    found = list(source)
    assert len(found) == 240
    assert all(len(hand.holdings) == hand.spec.players for hand in found)
    assert source.skipped == []
