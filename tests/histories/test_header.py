"""What first lines say of the game, whatever words stand around it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pokermodel.game import BettingStructure
from pokermodel.histories._header import stake, stated_game
from pokermodel.histories._words import ONE

NO, POT, FIXED = BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT, BettingStructure.LIMIT


@pytest.mark.parametrize(
    ("text", "structure", "small", "large", "cap"),
    [
        ("$9 KO (22), Table 1 - 50K/100K Ante 10000 - No Limit Hold'em - 16:06:40 ET - 2031/04/01", NO, 5e4, 1e5, None),
        ("Table Up (6 max) - CAP NL Hold'em - $0.05/$0.10 - 05:11:48 ET - 2031/01/06", NO, 0.05, 0.1, None),
        ("Table Up (6 max) - $0.25/$0.50 - $15 Cap No Limit Hold'em - 18:46:08 ET - 2031/02/28", NO, 0.25, 0.5, 15),
        ("$5 (King of the Hill) (1), Table 1 - 15/30 - King of the Hill - NL Hold'em - 2031/02/28", NO, 15, 30, None),
        ("$1 T9 -- CASH -- $1 + $0.10 -- 10 Max -- Table 2 -- -1/50/100 NL Hold'em -- 2031/06/01", NO, 50, 100, None),
        ("T9 -- Table 2 -- 5/1 500/3 000 FL Hold'em -- 2031/06/01 - 21:44:48", FIXED, 1500, 3000, None),
        ("Tournament #1, Omaha Festival $5 Hold'em No Limit - Level I (10/20) - 2031/02/03", NO, 10, 20, None),
        ("Holdem(No Limit) - Level 15 (250.00/500.00)- 2031/07/21 17:44:50 UTC", NO, 250, 500, None),
        ("Level 15 (250/500/50) Holdem (Pot Limit) 21-07-2031", POT, 250, 500, None),
        ("0,50 $/1 $ Blinds No Limit Holdem - *** 02 01 2031 03:04:05", NO, 0.5, 1, None),
        ("1.5M/3M Pot-Limit Texas Hold'em", POT, 1.5e6, 3e6, None),
        ("NL Texas Hold'em \u20ac1 EUR Buy-in  - Wednesday, November 28, 13:05:32 CET 2031", NO, None, None, None),
        ("Hold'em 5/10", None, 5, 10, None),
    ],
)
def test_stated_game(
    text: str, structure: BettingStructure | None, small: float | None, large: float | None, cap: float | None
) -> None:
    game = stated_game(text)
    assert game is not None
    assert game.structure is structure
    assert [None if each is None else each / ONE for each in game[1:4]] == [small, large, cap]


@pytest.mark.parametrize(
    "text",
    [
        "Tournament #2, Hold'em Bounty $8.40 Omaha (NL postflop) - Level1 (10/20)",
        *("6+ Hold'em No Limit (Button Blind $2)", "Six Plus Hold'em NL 1/2", "Split Hold'em No Limit ($1/$2 USD)"),
        *("ShortDeck No Limit ($0.02)", "5 Card Draw NL (1/2)", "Razz Limit 1/2", "Double Hold'em NL 1/2", ""),
    ],
)
def test_another_game_is_none(text: str) -> None:
    assert stated_game(text) is None


def test_stake() -> None:
    texts = ("50K", "1,500", "1 500", "\u20ac0.25", "2.5M", "3B", "1'000")
    assert [Fraction(stake(text), ONE) for text in texts] == [
        *(50_000, 1_500, 1_500, Fraction(1, 4), 2_500_000, 3 * 10**9, 1_000),
    ]
    with pytest.raises(ValueError, match="is not an amount"):
        stake("K")
