"""No-limit and pot-limit hold'em in the text histories of poker sites. All hands here are made up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import BettingStructure, Hand
from pokermodel.histories import open_hands
from tests.histories.test_sites import read

# One hand in the words of each site: blinds of 50 and 100, antes of 10. Bob is all-in before the flop with less than a
# whole raise, Dan on the flop; Cy gets back what Dan cannot call. Ann has the button.
FULLTILT = """\
Full Tilt Poker Game #1: $26 Super Turbo (244), Match 1 - 50/100 Ante 10 - {No Limit} Hold'em - 09:20:07 ET - 2020/01/02
Seat 1: Ann (1,000)
Seat 2: Bob (300)
Seat 3: Cy (2,000)
Seat 4: Dan (800), is sitting out
Ann antes 10
Bob antes 10
Cy antes 10
Dan antes 10
Bob posts the small blind of 50
Cy posts the big blind of 100
The button is in seat #1
*** HOLE CARDS ***
Dealt to Ann [Ac 2d]
Dan raises to 250
Ann has 8 seconds left to act
Ann calls 250
Bob raises to 290, and is all in
Cy calls 190
Dan calls 40
Ann calls 40
*** FLOP *** [Ks 7d 2c] (Total Pot: 1,200, 4 Players, 1 All-In)
Cy checks
Dan bets 400
Ann folds
Cy raises to 900
Dan calls 100, and is all in
Uncalled bet of 400 returned to Cy
Dan shows [Kc Qc]
Cy shows [7s 7h]
Bob shows [Kd Kh]
*** TURN *** [Ks 7d 2c] [3h] (Total Pot: 2,200, 3 Players, 2 All-In)
*** RIVER *** [Ks 7d 2c 3h] [9s] (Total Pot: 2,200, 3 Players, 2 All-In)
Dan shows a pair of Kings
Cy shows three of a kind, Sevens
Cy wins the side pot (1,000) with three of a kind, Sevens
Bob shows three of a kind, Kings
Bob wins the main pot (1,200) with three of a kind, Kings
*** SUMMARY ***
Total pot 2,200 Main pot 1,200. Side pot 1,000. | Rake 0
Board: [Ks 7d 2c 3h 9s]
Seat 1: Ann (button) folded on the Flop
Seat 2: Bob (small blind) showed [Kd Kh] and won (1,200) with three of a kind, Kings
Seat 3: Cy (big blind) showed [7s 7h] and won (1,000) with three of a kind, Sevens
Seat 4: Dan showed [Kc Qc] and lost with a pair of Kings
"""

POKERSTARS_WORDS = """\
Table '5 1' 6-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (300 in chips)
Seat 3: Cy (2000 in chips)
Seat 4: Dan (800 in chips)
Ann: posts the ante 10
Bob: posts the ante 10
Cy: posts the ante 10
Dan: posts the ante 10
Bob: posts small blind 50
Cy: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [Ac 2d]
Dan: raises 150 to 250
Ann: calls 250
Bob: raises 40 to 290 and is all-in
Cy: calls 190
Dan: calls 40
Ann: calls 40
*** FLOP *** [Ks 7d 2c]
Cy: checks
Dan: bets 400
Ann: folds
Cy: raises 500 to 900
Dan: calls 100 and is all-in
Uncalled bet (400) returned to Cy
*** TURN *** [Ks 7d 2c] [3h]
*** RIVER *** [Ks 7d 2c 3h] [9s]
*** SHOW DOWN ***
Cy: shows [7s 7h] (three of a kind, Sevens)
Dan: shows [Kc Qc] (a pair of Kings)
Cy collected 1000 from side pot
Bob: shows [Kd Kh] (three of a kind, Kings)
Bob collected 1200 from main pot
*** SUMMARY ***
Total pot 2200 Main pot 1200. Side pot 1000. | Rake 0
Board [Ks 7d 2c 3h 9s]
"""
FULLTILT_LATER = (
    "Full Tilt Hand #1: Tournament #5, 870+130 Hold'em {No Limit} - Level I (50/100) - 2020/01/02 8:25:45 ET\n"
    + POKERSTARS_WORDS
)
RUN_IT_ONCE = (
    "Run It Once Poker Hand #1: Tournament #5, \u20ac4.69+\u20ac0.31 Cub3d, Hold'em {No Limit} (50/100) - "
    "2020/01/02 22:01 UTC [2020/01/02 23:01 CET]\n"
    + POKERSTARS_WORDS.replace("Table '5 1'", "Table ID '5'")
    .replace("SHOW DOWN", "SHOWDOWN")
    .replace(": shows", " shows")
    .replace("(a pair of Kings)", "for Pair [Ks Kc Qc 9s 7d]")
)
POKERBROS = "PokerBros Hand #1: Hold'em {No Limit} (50/100) - 2020/01/02 19:51:54 UTC\n" + POKERSTARS_WORDS
POKERMASTER = "PokerMaster Hand #1: Hold'em {No Limit} (50/100) - 2020/01/02 11:48:00 UTC\n" + POKERSTARS_WORDS

PARTYPOKER = """\
Game #1 starts.

#Game No : 1
***** Hand History for Game 1 *****
{NL} Texas Hold'em $1 USD Buy-in Trny:5 Level:7  Blinds-Antes(20/40 -5) - Thursday, March 01, 06:39:22 EST 2020
Table Made Up (5) Table #1 (Real Money)
Seat 1 is the button
Total number of players : 4/6
Seat 2: Bob ( 300 )
Seat 4: Dan ( 800 )
Seat 1: Ann ( 1,000 )
Seat 3: Cy ( 2,000 )
Seat 5: Eve ( 400 )
Trny:5 Level:8
Blinds-Antes(50/100 -10)
Ann posts ante [10]
Bob posts ante [10]
Cy posts ante [10]
Dan posts ante [10]
** Dealing down cards **
Dealt to Ann [  Ac 2d ]
Dan raises [250]
Ann did not respond in time
Ann calls [250]
Bob is all-In  [240]
Cy calls [190]
Dan calls [40]
Ann calls [40]
** Dealing Flop ** [ Ks, 7d, 2c ]
Cy checks
Dan bets [400]
Ann folds
Cy raises [900]
Dan is all-In  [100]
** Dealing Turn ** [ 3h ]
** Dealing River ** [ 9s ]
Cy shows [ 7s, 7h ]three of a kind, Sevens.
Dan doesn't show [ Kc, Qc ]a pair of Kings.
Bob shows [ Kd, Kh ]three of a kind, Kings.
Cy wins 400 chips from the side pot 2 with three of a kind, Sevens.
Cy wins 1,000 chips from the side pot 1 with three of a kind, Sevens.
Bob wins 1,200 chips from the main pot with three of a kind, Kings.
Player Dan finished in 3.
"""

PARTYPOKER_MAILED = """\
***** Hand History For Game 1620144103176i4oztmbj2r *****
50/100 Tourney Texas Holdem Game Table ({NL}) (MTT Tournament #5) (Buyin $3.0 + $0.3) - Tue May 04 12:00:14 EDT 2020
Table (5) Table #22 (Real Money) -- Seat 1 is the button
Total number of players : 4/8
Seat 1: Ann (1000)
Seat 2: Bob (300)
Seat 3: Cy (2000)
Seat 4: Dan (800)
Ann posts ante (10)
Bob posts ante (10)
Cy posts ante (10)
Dan posts ante (10)
Bob posts small blind (50)
Cy posts big blind (100)
** Dealing down cards **
Dealt to Ann [ Ac, 2d ]
Dan raises 250 to 250
Ann calls (250)
Bob raises 240 to 290
Bob is all-In.
Cy calls (190)
Dan calls (40)
Ann calls (40)
** Dealing Flop ** : [ Ks, 7d, 2c ]
Cy checks
Dan bets (400)
Ann folds
Cy raises 900 to 900
Dan calls (100)
Dan is all-In.
** Dealing Turn ** : [ 3h ]
** Dealing River ** : [ 9s ]
Creating Main Pot with 1200 with Bob
Creating Side Pot 1 with 1000 with Cy
** Summary **
Main Pot: 1200 Side Pot 1: 1000
Board: [ Ks, 7d, 2c, 3h, 9s ]
Ann balance 700, lost 300 (folded)
Bob balance 1200, bet 300, collected 1200, net +900[ Kd, Kh ] [ three of a kind, kings -- Kd,Kh,Ks,9s,7d ]
Cy balance 2200, bet 1200, collected 1400, net +200[ 7s, 7h ] [ three of a kind, sevens -- 7s,7h,7d,Ks,9s ]
Dan balance 0, lost 800[ Kc, Qc ] [ a pair of kings -- Kc,Ks,Qc,9s,7d ]
"""

ABSOLUTE = """\
Stage #1 Tourney ID 5 Holdem Multi Normal Tournament {No Limit} 100 - 2020-01-02 17:03:29 (ET)
Table: 15 (Real Money) Seat #1 is the dealer
Seat 1 - Ann (1,000 in chips)
Seat 2 - Bob (300 in chips)
Seat 3 - Cy (2,000 in chips)
Seat 4 - Dan (800 in chips)
Seat 5 - Eve (400 in chips)
Ann - Ante 10
Bob - Ante 10
Cy - Ante 10
Dan - Ante 10
Eve - Ante 10
Bob - Posts small blind 50
Cy - Posts big blind 100
Eve - sitout (wait for BB)
Eve - Ante returned 10
*** POCKET CARDS ***
Dealt to Ann [Ac 2d]
Dan - Raises 250 to 250
Ann - Calls 250
Bob - All-In(Raise) 240 to 290
Cy - Calls 190
Dan - Calls 40
Ann - Calls 40
*** FLOP *** [Ks 7d 2c]
Cy - Checks
Dan - Bets 400
Ann - Folds (Fold & Show [Ac 2d])
Cy - Raises 900 to 900
Dan - All-In 100
Cy - returned (400) : not called
*** TURN *** [Ks 7d 2c] [3h]
*** RIVER *** [Ks 7d 2c 3h] [9s]
*** SHOW DOWN ***
Cy - Shows [7s 7h] (Three of a kind, sevens)
Dan - Shows [Kc Qc] (One pair, kings)
Bob - Shows [Kd Kh] (Three of a kind, kings)
Cy Collects 1,000 from side pot-1
Bob Collects 1,200 from main pot
*** SUMMARY ***
Total Pot(2,200)
Board [Ks 7d 2c 3h 9s]
"""

BOVADA = """\
Ignition Hand #1: HOLDEM Tournament #5 TBL#2, {No Limit}- Level 13 (50/100) - 2020-01-02 18:26:13
Seat 891: Dealer [ME] (1,000 in chips)
Seat 14: Small Blind (300 in chips)
Seat 36: Big Blind (2,000 in chips)
Seat 103: UTG (800 in chips)
Dealer [ME] : Set dealer [1]
Dealer [ME] : Ante chip 10
Small Blind : Ante chip 10
Big Blind : Ante chip 10
UTG : Ante chip 10
Small Blind : Small blind 50
Big Blind : Big blind 100
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [Ac 2d]
Small Blind : Card dealt to a spot [Kd Kh]
Big Blind : Card dealt to a spot [7s 7h]
UTG : Card dealt to a spot [Kc Qc]
UTG : Raises 250 to 250
Dealer [ME] : Call 250
Small Blind : All-in(raise) 240 to 290
Small Blind : All-in(raise) 240 to 290
Big Blind : Call 190
UTG : Call 40
Dealer [ME] : Call 40
*** FLOP *** [Ks 7d 2c]
Big Blind : Checks
UTG : Bets 400
Dealer [ME] : Folds
Big Blind : Raises 900 to 900
UTG : All-in 100
Big Blind : Return uncalled portion of bet 400
*** TURN *** [Ks 7d 2c] [3h]
*** RIVER *** [Ks 7d 2c 3h] [9s]
Small Blind : Showdown [Kd Kh Ks 9s 7d] (Three of a kind)
Big Blind : Showdown [7s 7h 7d Ks 9s] (Three of a kind)
UTG : Showdown [Kc Ks Qc 9s 7d] (One pair)
Big Blind : Hand Result-Side Pot 1000
Small Blind : Hand Result 1200
UTG : Ranking 3
UTG : Stand
*** SUMMARY ***
Total Pot(2200)
Board [Ks 7d 2c 3h 9s]
"""

CAKE = """\
Hand#29A - $2 NLH T5 -- CASH -- $2 + $0,2 -- 10 Max -- Table 1 -- 10/50/100 {NL} Hold'em -- 2020.01.02 - 22:49:18
Dealer: Seat 1
Seat 1: Ann (1 000 in chips)
Seat 2: Bob (300 in chips)
Seat 3: Cy (2 000 in chips)
Seat 4: Dan (800 in chips)
Ann: posts ante of 10
Bob: posts ante of 10
Cy: posts ante of 10
Dan: posts ante of 10
Bob: posts small blind 50
Cy: posts big blind 100
Dealt to Ann [Ac,2d]
Dan: raises to 250
Ann: calls 250
Bob: is all in 240
Cy: calls 190
Dan: calls 40
Ann: calls 40
*** FLOP *** [Ks,7d,2c]
Cy: checks
Dan: bets 400
Ann: folds
Cy: raises to 900
Dan: is all in 100
Cy: returns uncalled bet 400
Bob: shows [Kd Kh]
Cy: shows [7s 7h]
Dan: shows [Kc Qc]
*** TURN *** [3h]
*** RIVER *** [9s]
***SHOW DOWN***
Cy wins 1 000 with Three of a Kind Sevens
Bob wins 1 200 with Three of a Kind Kings
"""

ENTRACTION = """\
Game # 1 - Texas Hold'em {No Limit} 50/100 and 10 ante - Table "Double Chance #1 5 2"

Players(max 9):
Ann                         (1,000.00 in seat 1)
Bob                         (300.00 in seat 2)
Cy                          (2,000.00 in seat 3)
Dan                         (800.00 in seat 4)

Dealer:                     Ann

Ann                         Ante        (10.00)
Bob                         Ante        (10.00)
Cy                          Ante        (10.00)
Dan                         Ante        (10.00)

Small Blind:                Bob  (50.00)
Big Blind:                  Cy   (100.00)

Ann was dealt:              Ac - 2d
Bob was dealt:              Kd - Kh
Cy was dealt:               7s - 7h
Dan was dealt:              Kc - Qc

Dan                         Raise       (250.00)
Ann                         Call        (250.00)
Bob                         All-in      (240.00)
Cy                          Call        (190.00)
Dan                         Call        (40.00)
Ann                         Call        (40.00)

Flop                        Ks - 7d - 2c

Cy                          Check
Dan                         Bet         (400.00)
Ann                         Fold
Cy                          Raise       (900.00)
Dan                         All-in      (100.00)
Cy                          Payback     (400.00)

Turn                        Ks - 7d - 2c - 3h

River                       Ks - 7d - 2c - 3h - 9s

Cy wins:                    1,000.00
Bob wins:                   1,200.00
"""

EVEREST = """\
<SESSION time="1" id="1" type="tournament" money="" game="hold-em" gametype="{no-limit}"/>
<HAND time="1577934007" id="1" index="7" blinds="50/100" stakes="50/100">
  <SEAT position="1" name="Ann" balance="100000"/>
  <SEAT position="2" name="Bob" balance="30000"/>
  <SEAT position="3" name="Cy" balance="200000"/>
  <SEAT position="4" name="Dan" balance="80000"/>
  <ANTE position="1" amount="1000"/>
  <ANTE position="2" amount="1000"/>
  <ANTE position="3" amount="1000"/>
  <ANTE position="4" amount="1000"/>
  <SWEEP rake="0" tax="0">4000</SWEEP>
  <DEALER position="1"/>
  <BLIND position="2" amount="5000" penalty="0"/>
  <BLIND position="3" amount="10000" penalty="0"/>
  <HOLE position="1">Ac</HOLE>
  <HOLE position="2">--</HOLE>
  <HOLE position="1">2d</HOLE>
  <HOLE position="2">--</HOLE>
  <BET position="4" amount="25000"/>
  <BET position="1" amount="25000"/>
  <BET position="2" amount="24000" allin="1"/>
  <BET position="3" amount="19000"/>
  <BET position="4" amount="4000"/>
  <BET position="1" amount="4000"/>
  <COMMUNITY>Ks, 7d, 2c</COMMUNITY>
  <BET position="3" amount="0"/>
  <BET position="4" amount="40000"/>
  <FOLD position="1"/>
  <BET position="3" amount="90000"/>
  <BET position="4" amount="10000" allin="1"/>
  <PUSH position="3" amount="40000"/>
  <COMMUNITY>3h, 9s</COMMUNITY>
  <SHOW position="2">Kd, Kh</SHOW>
  <SHOW position="3">7s, 7h</SHOW>
  <SHOW position="4">Kc, Qc</SHOW>
  <WIN position="3" amount="100000" pot="1" potAmount="100000"/>
  <WIN position="2" amount="120000" pot="0" potAmount="120000"/>
</HAND>
"""

TEXTS = {
    "Full Tilt": FULLTILT,
    "Full Tilt, later": FULLTILT_LATER,
    "Run It Once": RUN_IT_ONCE,
    "PokerBros": POKERBROS,
    "PokerMaster": POKERMASTER,
    "PartyPoker": PARTYPOKER,
    "PartyPoker, mailed": PARTYPOKER_MAILED,
    "Absolute": ABSOLUTE,
    "Bovada": BOVADA,
    "Cake": CAKE,
    "Entraction": ENTRACTION,
    "Everest": EVEREST,
}
WORDS = {
    BettingStructure.NO_LIMIT: {"{No Limit}": "No Limit", "{NL}": "NL", "{no-limit}": "no-limit"},
    BettingStructure.POT_LIMIT: {"{No Limit}": "Pot Limit", "{NL}": "PL", "{no-limit}": "pot-limit"},
}
ACTS = [
    ("Dan", "raise", 250),
    ("Ann", "call", 250),
    ("Bob", "raise", 240),
    ("Cy", "call", 190),
    ("Dan", "call", 40),
    ("Ann", "call", 40),
    ("Cy", "check", 0),
    ("Dan", "bet", 400),
    ("Ann", "fold", 0),
    ("Cy", "raise", 900),
    ("Dan", "call", 100),
]
BOVADA_NAMES = {"Hero": "Ann", "2 seat 14": "Bob", "2 seat 36": "Cy", "2 seat 103": "Dan"}


def form(site: str) -> str:
    return site.partition(",")[0].replace(" ", "").lower()


def text(site: str, structure: BettingStructure = BettingStructure.NO_LIMIT) -> str:
    result = TEXTS[site]
    for place, words in WORDS[structure].items():
        result = result.replace(place, words)
    return result


def one(words: str, site: str) -> Hand:
    (hand,) = read(words, form(site))
    return hand


def money(hand: Hand, amounts: tuple[float, ...] | None) -> dict[str, Fraction]:
    assert amounts is not None
    return {
        name: Fraction(amount).limit_denominator(1000) * hand.unit
        for name, amount in zip(hand.players, amounts, strict=True)
    }


@pytest.mark.parametrize("structure", WORDS)
@pytest.mark.parametrize("site", TEXTS)
def test_one_hand(site: str, structure: BettingStructure) -> None:
    hand = one(text(site, structure), site)
    names = {name: BOVADA_NAMES.get(name, name) for name in hand.players}
    assert list(names.values()) == ["Bob", "Cy", "Dan", "Ann"]
    assert (hand.spec.structure, hand.source, hand.currency) == (structure, form(site), "")
    assert [chips * hand.unit for chips in hand.spec.blinds] == [50, 100, 0, 0]
    assert [chips * hand.unit for chips in hand.spec.antes] == [10] * 4
    assert hand.stacks is not None
    assert [(chips or 0) * hand.unit for chips in hand.stacks] == [300, 2000, 800, 1000]
    acts = [(names[act.player], act.name, act.put_in * hand.unit) for act in hand.replay()]
    assert acts == ACTS
    assert hand.board == card_indices("Ks7d2c3h9s")
    assert hand.holdings[0] == card_indices("KdKh")
    assert money(hand, hand.payoffs) == dict(zip(hand.players, (900, 200, -800, -300), strict=True))
    assert money(hand, hand.stated_payoffs) == dict(zip(hand.players, (900, 200, -800, -300), strict=True))


@pytest.mark.parametrize("site", TEXTS)
def test_is_recognised(tmp_path: Path, site: str) -> None:
    path = tmp_path / "a file"
    path.write_text(text(site) * 2, encoding="utf-8")
    source = open_hands(path)
    assert source.format == form(site)
    assert len(list(source)) == 2


@pytest.mark.parametrize(
    ("site", "old", "new", "what"),
    [
        ("Full Tilt", "No Limit Hold'em", "Pot Limit Omaha Hi", "only hold'em is supported"),
        ("Full Tilt, later", "Hold'em No", "Omaha Pot", "only hold'em is supported"),
        ("Full Tilt", "raises to 900", "raises to 700", "expected 790|raise to 700|bets or raises to"),
        ("Run It Once", "Ann: folds", "Bob: folds", "it is the turn of Ann"),
        ("PartyPoker", "NL Texas", "PL Omaha", "only hold'em is supported"),
        ("PartyPoker, mailed", "Texas Holdem", "Omaha", "only hold'em is supported"),
        ("PartyPoker", "Cy raises [900]", "Cy raises [1,991]", "cannot raise to"),
        ("Absolute", "Holdem Multi", "Omaha Multi", "only hold'em is supported"),
        ("Bovada", "HOLDEM Tournament", "OMAHA Tournament", "only hold'em is supported"),
        ("Cake", "NL Hold'em --", "PL Omaha --", "only hold'em is supported"),
        ("Cake", "wins 1 200", "wins 1 100", "2100 collected and a rake of 0"),
        ("Entraction", "Texas Hold'em", "Omaha", "only hold'em is supported"),
        ("Everest", 'game="hold-em"', 'game="omaha"', "only sessions of hold'em are supported"),
        ("PokerBros", "Dan: bets 400", "Dan: bets 60", "cannot raise to 60: expected 100"),
    ],
)
def test_what_is_wrong(site: str, old: str, new: str, what: str) -> None:
    words = text(site)
    assert old in words
    with pytest.raises(HistoryError, match=what):
        one(words.replace(old, new, 1), site)


def test_fulltilt_amounts_after_the_game_and_a_cap() -> None:
    words = text("Full Tilt").replace("50/100 Ante 10 - No Limit Hold'em -", "NL Hold'em - 50/100 Ante 10 -")
    assert one(words, "Full Tilt") == one(text("Full Tilt"), "Full Tilt")
    words = text("Full Tilt").replace("- No Limit", "- 800 Cap No Limit").replace("to 900", "to 500, and is all in")
    hand = one(words.replace("Uncalled bet of 400 returned to Cy\n", ""), "Full Tilt")
    assert hand.stacks is not None
    assert max(chips or 0 for chips in hand.stacks) * hand.unit == 800


def test_fulltilt_summary_says_who_wins() -> None:
    words = text("Full Tilt")
    lines = [line for line in words.splitlines() if " wins the " not in line]
    assert one("\n".join(lines), "Full Tilt") == one(words, "Full Tilt")


def test_fulltilt_all_are_all_in_by_antes() -> None:
    words = """\
Full Tilt Poker Game #3: $300 Flipout (2), Table 1 - NL Hold'em - 2B/2B Ante 2B - 04:46:00 ET - 2020/01/02
Seat 1: Ann (3,000)
Seat 2: Bob (3,000)
Seat 3: Cy (3,000)
Ann antes 3,000, and is all in
Bob antes 3,000, and is all in
Cy antes 3,000, and is all in
Ann checks
Bob checks
The button is in seat #3
*** HOLE CARDS ***
Ann shows [9s 3c]
Bob shows [8c 4h]
Cy shows [9h 6s]
*** FLOP *** [4s 8h Ts]
*** TURN *** [4s 8h Ts] [5h]
*** RIVER *** [4s 8h Ts 5h] [6d]
Bob wins the pot (9,000) with two pair, Eights and Fours
*** SUMMARY ***
Total pot 9,000 | Rake 0
Board: [4s 8h Ts 5h 6d]
"""
    hand = one(words, "Full Tilt")
    assert list(hand.replay()) == []
    assert money(hand, hand.payoffs) == {"Ann": -3000, "Bob": 6000, "Cy": -3000}


WALK = """\
PokerStars Hand #4: Hold'em No Limit ($10/$20) - 2020/01/02 21:59:38
Table '#1' 6-max Seat #3 is the button
Seat 1: Ann ($1,920 in chips)
Seat 2: Bob ($5,422.96 in chips)
Seat 3: Cy ($4,036 in chips)
Ann: posts small blind $10
Bob: posts big blind $20
*** HOLE CARDS ***
Cy: folds
Ann: folds
Uncalled bet ($10) returned to Bob
Bob collected $20 from pot
*** SUMMARY ***
Total pot $20 | Rake $0
"""


@pytest.mark.parametrize(
    "change",
    [
        lambda words: words,
        # a converter returns the whole blind
        lambda words: words.replace("($10) returned", "($20) returned").replace("pot $20", "pot $10").replace(
            "collected $20", "collected $10"
        ),
        # another one takes what is not called for a part of the pot
        lambda words: words.replace("Uncalled bet ($10) returned to Bob\n", "").replace("$20 from pot", "$30 from pot")
        .replace("Total pot $20", "Total pot $30"),
    ],
)  # fmt: skip
def test_a_blind_that_nobody_calls(change) -> None:  # type: ignore[no-untyped-def]
    (hand,) = read(change(WALK), "pokerstars")
    assert money(hand, hand.payoffs) == money(hand, hand.stated_payoffs) == {"Ann": -10, "Bob": 10, "Cy": 0}


def test_the_pot_after_the_rake_and_a_card_that_is_not_shown() -> None:
    words = WALK.replace("Cy: folds", "Cy: calls $20").replace("Ann: folds\nUncalled bet ($10) returned to Bob\n", "")
    acts = "Ann: calls $10\nBob: checks\n*** FLOP *** [Ks 7d 2c]\nAnn: bets $20\nBob: folds\nCy: folds\n"
    words = words.replace("Bob collected $20", acts + "*** SHOWDOWN ***\nAnn: shows [XX Qs] ()\nAnn collected $57")
    words = words.replace(
        "Total pot $20 | Rake $0", "Total pot $57 | Rake $3\nSeat 1: Ann showed [XX Qs] and won ($57)"
    )
    (hand,) = read(words, "pokerstars")
    assert money(hand, hand.stated_payoffs) == {"Ann": 37, "Bob": -20, "Cy": -20}
    assert hand.holdings == {}


def test_pokerplanets_has_the_same_words() -> None:
    hand = one(
        text("PokerMaster").replace("PokerMaster", "PokerPlanets").replace("{No Limit}", "No Limit"), "pokerplanets"
    )
    same = one(text("PokerMaster"), "PokerMaster")
    assert (hand.source, money(hand, hand.stated_payoffs)) == ("pokerplanets", money(same, same.stated_payoffs))


def test_pokermaster_straddles() -> None:
    words = text("PokerMaster").replace("Dan: raises 150 to 250", "Dan: raises 50 to 250")
    words = words.replace("Cy: posts big blind 100\n", "Cy: posts big blind 100\nDan: posts big blind 200\n")
    words = words.replace("Dan: raises 50 to 250\nAnn: calls 250", "Ann: calls 200")
    words = words.replace("Bob: raises 40 to 290", "Bob: raises 90 to 290").replace(
        "Dan: calls 40\nAnn: calls 40", "Dan: calls 90\nAnn: calls 90"
    )
    hand = one(words, "PokerMaster")
    assert [chips * hand.unit for chips in hand.spec.blinds] == [50, 100, 200, 0]
    assert next(hand.replay()).player == "Ann"
    assert money(hand, hand.payoffs) == {"Bob": 900, "Cy": 200, "Dan": -800, "Ann": -300}


PARTYPOKER_MONEY = """\
***** Hand History for Game 7 *****
$10  USD fastforward NL  Texas Hold'em - Monday, September 3, 00:26:18 ET 2020
Table Gibuti1 ( Real Money )
Seat 3 is the button
Total number of players : 4 / 6
seat 1: Ann ( $5.87  USD )
seat 3: Cy ( $14.77 USD ) - VPIP: 21, PFR: 14, 3B: 5, AF: 1,7, Hands: 139
seat 4: Dan ( $10.51 USD )
seat 5: Eve ( $15.76 USD )
Dan posts small blind [$0.04 USD].
Fay is sitting outEve posts big blind [$0.10 USD].
** Dealing down cards **
Ann Forward Folds
Ann folds.
Cy calls [ $0.10 USD ]
Dan folds.
Eve checks.
** Dealing Flop ** [ Td, Qc, 6d ]
Eve checks.
Cy bets [$0.20  USD].
Eve folds.
Cy does not show cards.Cy wins $0.43 USD
"""


def test_partypoker_blinds_are_those_posted() -> None:
    hand = one(PARTYPOKER_MONEY, "PartyPoker")
    assert hand.players == ("Dan", "Eve", "Ann", "Cy")
    assert [chips * hand.unit for chips in hand.spec.blinds[:2]] == [Fraction(4, 100), Fraction(1, 10)]
    assert (hand.currency, hand.spec.structure) == ("USD", BettingStructure.NO_LIMIT)
    assert money(hand, hand.stated_payoffs)["Cy"] == Fraction(13, 100)
    words = "\n".join(line for line in PARTYPOKER_MONEY.splitlines() if " posts " not in line)
    with pytest.raises(HistoryError, match="no blind is posted"):
        one(words, "PartyPoker")


def test_partypoker_big_blind_is_all_in_for_less() -> None:
    """The first call says how much a whole one is."""
    words = PARTYPOKER_MONEY.replace("Eve ( $15.76", "Eve ( $0.05").replace("big blind [$0.10", "big blind [$0.05")
    words = words.replace("Dan folds.\nEve checks.\n", "Dan folds.\n")
    start = words.index("Eve checks.")
    words = words[:start] + (
        "** Dealing Turn ** [ 2h ]\n** Dealing River ** [ 3h ]\n"
        "Eve shows [ Qs, Qh ]three of a kind\nCy doesn't show [ As, Ah ]a pair\nEve wins $0.14 USD from the main pot\n"
    )
    hand = one(words, "PartyPoker")
    assert hand.spec.bets[0] * hand.unit == Fraction(1, 10)
    assert money(hand, hand.payoffs) == {
        "Dan": Fraction(-4, 100), "Eve": Fraction(9, 100), "Ann": 0, "Cy": Fraction(-5, 100)
    }  # fmt: skip


NEWCOMERS = """\
***** Hand History for Game 9 *****
$10 USD NL Texas Hold'em - Monday, September 3, 00:26:18 ET 2020
Table Gibuti1 (Real Money)
Seat 3 is the button
Total number of players : 6/6
Seat 1: Ann ( $5.87 USD )
Seat 2: Hal ( $0 USD )
Seat 3: Cy ( $14.77 USD )
Seat 4: Dan ( $10.51 USD )
Seat 5: Eve ( $15.76 USD )
Seat 6: Ian ( $3 USD )
Ian has left the table.
Gus has joined the table.
Dan posts small blind [$0.05 USD].
Eve posts big blind [$0.10 USD].
Gus posts big blind [$0.10 USD].
** Dealing down cards **
Gus checks
Ann folds
Hal calls [$0.10 USD]
Cy folds
Dan folds
Eve checks
** Dealing Flop ** [ Td, Qc, 6d ]
Eve checks
Gus bets [$0.20 USD]
Hal folds
Eve folds
Gus does not show cards.
Gus wins $0.54 USD
"""


def test_partypoker_newcomers_take_the_seat_in_which_they_act() -> None:
    hand = one(NEWCOMERS, "PartyPoker")
    assert hand.players == ("Dan", "Eve", "Gus", "Ann", "Hal", "Cy")
    assert hand.stacks is not None
    assert [name for name, stack in zip(hand.players, hand.stacks, strict=True) if stack is None] == ["Gus", "Hal"]
    assert money(hand, hand.stated_payoffs)["Gus"] == Fraction(24, 100)
    # the big blind, who is not said to have joined, sits behind the small blind
    words = NEWCOMERS.replace("Seat 5: Eve ( $15.76 USD )\n", "")
    assert one(words, "PartyPoker").players == hand.players
    with pytest.raises(HistoryError, match="Gus has no seat, and none is free"):
        one(NEWCOMERS.replace("Ian has left the table.\n", ""), "PartyPoker")


def test_partypoker_checks_what_nobody_has_seen_posted() -> None:
    """Who checks before the flop without a post has posted both blinds."""
    words = PARTYPOKER_MONEY.replace("Ann Forward Folds\nAnn folds.", "Ann checks.").replace(
        "Eve folds.", "Eve folds.\nAnn folds."
    )
    words = words.replace("Cy bets", "Ann checks.\nCy bets").replace("$0.43", "$0.56")
    hand = one(words, "PartyPoker")
    assert [chips * hand.unit for chips in hand.spec.antes] == [0, 0, Fraction(4, 100), 0]
    assert money(hand, hand.stated_payoffs)["Ann"] == Fraction(-14, 100)


def test_partypoker_mail_of_money_tables() -> None:
    words = """\
***** Hand History For Game 8 *****
0.01/0.02 Texas Hold'em Game Table (NL)  -  Mon Jul 12 13:38:32 EDT 2020
Table 20BB Min Speed #1  (Real Money) -- Seat 1 is the button
Total number of players : 3/9
Seat 1: Ann ($0.95)
Seat 2: Bob ($0.57)
Seat 3: Cy ($0.86)
Bob posts small blind (0.01)
Cy posts big blind (0.02)
** Dealing down cards **
Ann calls (0.02)
Bob folds
Cy raises 0.06 to 0.08
Ann folds
** Summary **
Main Pot: $0.05 Rake: $0
Ann balance $0.93, lost $0.02 (folded)
Bob balance $0.56, lost $0.01 (folded)
Cy balance $0.89, bet $0.08, collected $0.11, net +$0.03
"""
    hand = one(words, "PartyPoker")
    assert hand.currency == "USD"
    assert money(hand, hand.stated_payoffs) == {
        "Ann": Fraction(-2, 100),
        "Bob": Fraction(-1, 100),
        "Cy": Fraction(3, 100),
    }


def test_absolute_side_bet_and_two_rakes() -> None:
    words = """\
Stage #9: Holdem  No Limit $4 (7-2) - 2020-04-01 17:48:42 (ET)
Table: LAREDO (Real Money) Seat #3 is the dealer
Seat 3 - ANN ($462 in chips)
Seat 4 - BOB ($444.50 in chips)
Seat 5 - CY ($376 in chips)
BOB - Posts small blind $2
CY - Posts big blind $4
*** POCKET CARDS ***
ANN - Raises $12 to $12
BOB - Folds
CY - Calls $8
*** FLOP *** [Jc As 10s]
CY - Checks
ANN - Bets $20
CY - Folds
ANN - returned ($20) : not called
*** SHOW DOWN ***
ANN - Shows [2c 7c] (ace high)
ANN Collects $40 from 72 proposition pot
ANN Collects $24.20 from main pot
*** SUMMARY ***
Total Pot($26) | Rake ($1.30) | Jackpot Rake ($0.50) | 72 Proposition Pot ($40)
Board [Jc As 10s]
"""
    hand = one(words, "Absolute")
    assert money(hand, hand.stated_payoffs) == {"BOB": -2, "CY": -12, "ANN": Fraction(122, 10)}
    again = one(words.replace("$4 (7-2)", "$4, $1 ante"), "Absolute")
    assert again.spec == hand.spec


def test_bovada_zone_players_are_new_in_every_hand() -> None:
    words = text("Bovada").replace(
        ": HOLDEM Tournament #5 TBL#2, No Limit- Level 13 (50/100)", "  Zone Poker ID#7 HOLDEMZonePoker No Limit"
    )
    first, second = read(words + words, "bovada")
    assert first.players == ("zone 7 seat 14", "zone 7 seat 36", "zone 7 seat 103", "Hero")
    assert second.players[0] == "zone 7 seat 14 (2)"
    assert second.players[3] == "Hero"


def test_bovada_big_blind_is_all_in_and_called_for_as_much() -> None:
    words = """\
Bovada Hand #11: HOLDEM Tournament #5 TBL#1, No Limit- Level 8 (200/400) - 2020-12-22 22:48:15
Seat 7: Big Blind (277 in chips)
Seat 8: Dealer [ME] (13,223 in chips)
Dealer [ME] : Set dealer/Bring in spot [8]
Big Blind : Ante chip 40
Dealer [ME] : Ante chip 40
Dealer [ME] : Ante/Small blind 200
Big Blind : All-in 237
*** HOLE CARDS ***
Big Blind : Card dealt to a spot [4d Js]
Dealer [ME] : Card dealt to a spot [As 6c]
Dealer [ME] : Call 37
*** FLOP *** [8s Qd Qs]
*** TURN *** [8s Qd Qs] [6d]
*** RIVER *** [8s Qd Qs 6d] [Ah]
Dealer [ME] : Hand Result 554
*** SUMMARY ***
Total Pot(554)
Board [8s Qd Qs 6d Ah]
"""
    hand = one(words, "Bovada")
    assert hand.spec.bets[0] * hand.unit == 400
    assert money(hand, hand.payoffs) == money(hand, hand.stated_payoffs) == {"Hero": 277, "1 seat 7": -277}
    # all-in by the ante, of which the other one gets a part back
    words = (
        words.replace("Big Blind : Ante chip 40\n", "").replace("(277 in", "(30 in").replace("All-in 237", "All-in 30")
    )
    words = words.replace("Dealer [ME] : Ante/Small blind 200\n", "Dealer [ME] : Return uncalled portion of bet 10\n")
    words = words.replace("Dealer [ME] : Call 37\n", "").replace("554", "60")
    hand = one(words, "Bovada")
    assert list(hand.replay()) == []
    assert money(hand, hand.stated_payoffs) == {"Hero": 30, "1 seat 7": -30}


def test_bovada_wins_nothing() -> None:
    """The small blind's seat is empty, and all fold to the big blind."""
    words = """\
Bovada Hand #12 TBL#19 HOLDEM No Limit - 2020-09-02 13:31:57
Seat 2: Big Blind ($9.77 in chips)
Seat 4: UTG ($27.12 in chips)
Seat 6: Dealer [ME] ($25.23 in chips)
Dealer  [ME] : Set dealer/Bring in spot [6]
Big Blind : Big blind/Bring in $0.25
*** HOLE CARDS ***
UTG : Folds
Dealer  [ME] : Folds & shows [6h 7c]
Big Blind : Return uncalled portion of bet $0.25
*** SUMMARY ***
Total Pot($0) | Rake ($0)
"""
    assert one(words, "Bovada").payoffs == (0, 0, 0)


def test_cake_dead_blind_and_no_betting() -> None:
    words = """\
Hand#28 - Paris 15946 -- $0,05/$0,10 NL Hold'em -- 2020.02.05 - 21:01:45
Dealer: Seat 3
Seat 2: Ann ($5 in chips)
Seat 3: Bob ($2 in chips)
Seat 8: Cy ($1,90 in chips)
Seat 9: Dan ($3,27 in chips)
Cy: posts small blind $0,05
Dan: posts big blind $0,10
Ann:posts dead blind $0,05 and big blind $0,10
Dealt to Bob [Kh,2s]
Ann: checks
Bob: folds
Cy: folds
Dan: raises to $0,50
Ann: folds
Dan: returns uncalled bet $0,40
***SHOW DOWN***
Dan wins $0,30
"""
    hand = one(words, "Cake")
    assert [chips * hand.unit for chips in hand.spec.antes] == [0, 0, Fraction(5, 100), 0]
    assert money(hand, hand.stated_payoffs)["Ann"] == Fraction(-15, 100)
    hand = one(words.replace("blind $0,05 and", "blind $-0,10 and").replace("$0,30", "$0,25"), "Cake")
    assert hand.spec.antes == ()
    words = """\
Hand#30 - $5.50 Flip T1 -- CASH -- $5,25 + $0,25 -- 2 Max -- Table 1 -- 0/10/20 NL Hold'em -- 2020.07.15 - 0:53:42
Dealer: Seat 3
Seat 3: Ann (1 500 in chips)
Seat 8: Bob (1 500 in chips)
Dealt to Ann [Qd,4c]
Ann: shows [Qd 4c]
Bob: shows [As 2s]
*** FLOP *** [8s,4d,Jd]
*** TURN *** [Tc]
*** RIVER *** [Ts]
***SHOW DOWN***
Ann wins 3 000 with Two Pairs Tens and Fours
"""
    hand = one(words, "Cake")
    assert money(hand, hand.payoffs) == {"Bob": -1500, "Ann": 1500}


# files and hands of which none is read, and why; all that is hold'em and not damaged is read
NOT_READ = {
    "absolute": {},
    "bovada": {"cut short": 1},
    "cake": {"expected the first line": 1},  # the end of a hand
    "entraction": {},
    "everest": {"the file is empty": 1},
    "fulltilt": {"neither a list of seats": 1, "not a known hand history": 1},  # the last is a tournament's result
    "partypoker": {},
    "pokerstars": {"only hold'em": 3, "cut short": 2},
}
HANDS = {
    "absolute": 91,
    "bovada": 307,
    "cake": 13,
    "entraction": 2,
    "everest": 1,
    "fulltilt": 106,
    "partypoker": 43,
    "pokerstars": 392,
}


@pytest.mark.parametrize("site", HANDS)
def test_real_hands(data_dir: Path, site: str) -> None:
    folder = data_dir / "sites-nolimit" / site
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    skipped: list[HistoryError] = []
    hands: list[Hand] = []
    for path in sorted(folder.iterdir()):
        try:
            hands += open_hands(path, strict=False, index=False).read(skipped)
        except HistoryError as error:
            skipped.append(error)
    assert len(hands) == HANDS[site]
    reasons = Counter(next((what for what in NOT_READ[site] if what in str(error)), str(error)) for error in skipped)
    assert reasons == NOT_READ[site]
    for hand in hands:
        assert not hand.spec.structure.fixed or site in ("fulltilt", "pokerstars")  # mixed games
        assert hand.stated_payoffs is not None
        added = 50 if hand.id == "30266126" else 0  # cents, which the site splashes the pot with
        assert -1e-6 <= added - sum(hand.stated_payoffs) <= 0.16 * hand.pot_chips + 1
        for ours, stated in zip(hand.payoffs, hand.stated_payoffs, strict=True):
            assert stated <= ours + added + 1  # the site divides whole chips


def test_real_hands_of_absolute(data_dir: Path) -> None:
    folder = data_dir / "handhq-nl"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    (path,) = folder.glob("ABS-*")
    source = open_hands(path, strict=False, index=False)
    assert len(list(source)) == 650
    assert source.skipped == []
