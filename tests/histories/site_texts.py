"""Made-up hands of no-limit hold'em, one for each site: all-ins before the flop, a side pot and an uncalled bet."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import pytest

from pokermodel.errors import HistoryError
from pokermodel.game import Act, Hand
from pokermodel.histories import NoHistoryError, open_hands

GGPOKER = """\
Poker Hand #RC71: Hold'em No Limit ($0.5/$1) - 2024/01/02 03:04:05
Table 'MadeUp1' 6-max Seat #1 is the button
Seat 1: a1b2 ($50 in chips)
Seat 2: Hero ($20.5 in chips)
Seat 3: c3d4 ($8 in chips)
Seat 4: e5f6 ($100 in chips)
Cash Drop to Pot : total $1
a1b2: posts the ante $0.1
Hero: posts the ante $0.1
c3d4: posts the ante $0.1
e5f6: posts the ante $0.1
Hero: posts small blind $0.5
c3d4: posts big blind $1
e5f6: straddle $2
*** HOLE CARDS ***
Dealt to a1b2
Dealt to Hero [Ah Kh]
Dealt to c3d4
Dealt to e5f6
a1b2: raises $30 to $32
Hero: calls $19.9 and is all-in
c3d4: calls $6.9 and is all-in
e5f6: folds
Uncalled bet ($11.6) returned to a1b2
a1b2: shows [Qs Qd]
Hero: shows [Ah Kh]
c3d4: shows [9s 9d]
*** FIRST FLOP ***  [Ad 7c 2s]
*** FIRST TURN *** [Ad 7c 2s] [8h]
*** FIRST RIVER *** [Ad 7c 2s 8h] [3c]
*** SECOND FLOP ***  [9h 5c 2d]
*** SECOND TURN *** [9h 5c 2d] [Jc]
*** SECOND RIVER *** [9h 5c 2d Jc] [4s]
*** FIRST SHOWDOWN ***
Hero collected $25 from pot
*** SECOND SHOWDOWN ***
c3d4 collected $13 from pot
a1b2 collected $12 from pot
*** SUMMARY ***
Total pot $51.1 | Rake $2 | Jackpot $0.1 | Bingo $0 | Fortune $0
Hand was run two times
FIRST Board [Ad 7c 2s 8h 3c]
SECOND Board [9h 5c 2d Jc 4s]
Seat 1: a1b2 (button) showed [Qs Qd] and lost with Pair of Queens, and won ($12) with Pair of Queens
Seat 2: Hero (small blind) showed [Ah Kh] and won ($25) with Pair of Aces, and lost with Ace High
Seat 3: c3d4 (big blind) showed [9s 9d] and lost with Pair of Nines, and won ($13) with Three Nines
Seat 4: e5f6 folded before Flop
"""

WINAMAX = """\
Winamax Poker - Tournament "A - B" buyIn: Ticket level: 5 - HandId: #7-8-17 - Holdem no limit (10/60/120) - \
2024/01/02 03:04:05 UTC
Table: 'Made Up(7)#001' 6-max (real money) Seat #2 is the button
Seat 1: Ann (1000.50, 4.50\u20ac bounty)
Seat 2: Bob B (3000, 9\u20ac bounty)
Seat 3: Eve (400)
Seat 4: Cy (710.50)
Seat 5: Dan (2000)
*** ANTE/BLINDS ***
Ann posts ante 10
Bob B posts ante 10
Cy posts ante 10
Dan posts ante 10
Eve denies big blind
Cy posts small blind 60
Dan posts big blind 120
Dealt to Ann [Ac Kd]
*** PRE-FLOP ***
Ann calls 120
Bob B raises 2870 to 2990 and is all-in
Cy calls 640.50 and is all-in
Dan folds
Ann calls 870.50 and is all-in
*** FLOP *** [Kh 7s 2c]
*** TURN *** [Kh 7s 2c][5d]
*** RIVER *** [Kh 7s 2c 5d][9s]
*** SHOW DOWN ***
Ann shows [Ac Kd] (One pair : Kings)
Bob B shows [Qs Qh] (One pair : Queens)
Cy shows [Jc Jd] (One pair : Jacks)
Bob B collected 2000 from side pot 2
Ann collected 580 from side pot 1
Ann collected 2262 from main pot
*** SUMMARY ***
Total pot 4.84k | No rake
Board: [Kh 7s 2c 5d 9s]
Seat 1: Ann showed [Ac Kd] and won 2842 with One pair : Kings
Seat 2: Bob B (button) showed [Qs Qh] and won 2000 with One pair : Queens
Seat 4: Cy (small blind) showed [Jc Jd] and lost with One pair : Jacks
Seat 5: Dan (big blind) folded on the pre-flop
"""

PACIFIC = """\
#Game No : 72
***** 888poker Hand History for Game 72 *****
0,50 $/1 $ Blinds No Limit Holdem - *** 02 01 2024 03:04:05
Table Made Up 6 Max (Real Money)
Seat 3 is the button
Total number of players : 4
Seat 1: Ann ( 1.100,50 $ )
Seat 3: Bob ( 20,10 $ )
Seat 4: Cy ( 7,60 $ )
Seat 6: Dan D ( 50 $ )
Ann posts ante [0,10 $]
Bob posts ante [0,10 $]
Cy posts ante [0,10 $]
Dan D posts ante [0,10 $]
Cy posts small blind [0,50 $]
Dan D posts big blind [1 $]
Ann posts dead blind [0,50 $ + 1 $]
** Dealing down cards **
Dealt to Ann [ Ap, Kc ]
Ann raises [39 $]
Bob calls [20 $]
Cy calls [7 $]
Dan D folds
** Dealing flop ** [ Kd, 7p, 2t ]
** Dealing turn ** [ 5d ]
** Dealing river ** [ 9p ]
** Summary **
Ann shows [ Ap, Kc ]
Bob shows [ Qp, Qc ]
Cy mucks [ Jt, Jd ]
Ann collected [ 20 $ ]
Ann collected [ 24,50 $ ]
Ann collected [ 23,90 $ ]
"""

WINNING = """\
Hand #73 - Holdem(No Limit) - $0.50/$1.00 - 2024/01/02 03:04:05 UTC
Made Up (Cap) 6-max Seat #2 is the button
Seat 1: Ann ($20.00)
Seat 2: Bob B ($100.00)
Seat 3: Fay ($9.00) is sitting out
Seat 4: Cy ($7.50)
Seat 5: Dan ($40.00)
Seat 6: Eve ($9.00)
Cy posts the small blind $0.50
Dan posts the big blind $1.00
Eve posts dead $1.50
*** HOLE CARDS ***
Main pot $0.50
Dealt to Ann [Ac Kd]
Eve checks
Ann raises $3.00 to $4.00
Bob B caps $30.00
Cy calls $7.00 and is all-in
Dan folds
Eve folds
Ann calls $16.00 and is all-in
Uncalled bet ($10.00) returned to Bob B
*** FLOP *** [Kh 7s 2c]
Main pot $24.00 | Rake $1.00
*** TURN *** [Kh 7s 2c] [5d]
Main pot $24.00 | Rake $1.00
*** RIVER *** [Kh 7s 2c 5d] [9s]
Main pot $24.00 | Rake $1.00
*** SHOW DOWN ***
Main pot $24.00 | Rake $1.00
Ann shows [Ac Kd] (a pair of Kings [Kh Kd Ac 9s 7s])
Bob B shows [Qs Qh] (a pair of Queens [Qs Qh Kh 9s 7s])
Cy shows [Jc Jd] (a pair of Jacks [Jc Jd Kh 9s 7s])
Ann collected $23.75 from side pot 1
Ann collected $23.75 from main pot
*** SUMMARY ***
Total pot $47.50 | Rake $2.00 | JP Fee $0.50
Board [Kh 7s 2c 5d 9s]
Seat 1: Ann showed [Ac Kd] and won $47.50 with a pair of Kings [Kh Kd Ac 9s 7s]
Seat 2: Bob B (button) showed [Qs Qh] and lost with a pair of Queens [Qs Qh Kh 9s 7s]
Seat 4: Cy (small blind) showed [Jc Jd] and lost with a pair of Jacks [Jc Jd Kh 9s 7s]
Seat 5: Dan (big blind) folded on the Pre-Flop
Seat 6: Eve folded on the Pre-Flop
"""

WINNING_OLD = """\
Game started at: 2016/8/8 16:6:1
Game ID: 74 10/20 $5 Made Up, Table 3 (Hold'em)
Seat 2 is the button
Seat 1: Ann (500).
Seat 2: Bob B (1000).
Seat 4: Cy (75).
Seat 5: Dan (400).
Player Ann ante (5)
Player Bob B ante (5)
Player Cy ante (5)
Player Dan ante (5)
Player Cy has small blind (10)
Player Dan has big blind (20)
Player Cy received a card.
Player Cy received a card.
Player Dan received a card.
Player Dan received a card.
Player Ann received card: [Ac]
Player Ann received card: [Kd]
Player Bob B received a card.
Player Bob B received a card.
Player Ann raises (60)
Player Bob B is timed out.
Player Bob B raises (600)
Player Cy allin (60)
Player Dan folds
Player Ann allin (435)
Uncalled bet (105) returned to Bob B
*** FLOP ***: [Kh 7s 2c]
*** TURN ***: [Kh 7s 2c] [5d]
*** RIVER ***: [Kh 7s 2c 5d] [9s]
------ Summary ------
Pot: 1100
Board: [Kh 7s 2c 5d 9s]
*Player Ann shows: One pair of Ks [Ac Kd]. Bets: 500. Collects: 1100. Wins: 600.
Player Bob B mucks (does not show: [Qs Qh]). Bets: 500. Collects: 0. Loses: 500.
Player Cy shows: One pair of Js [Jc Jd]. Bets: 75. Collects: 0. Loses: 75.
Player Dan does not show cards.Bets: 25. Collects: 0. Loses: 25.
Game ended at: 2016/8/8 16:7:2
"""

BETONLINE = """\
BetOnline Poker Game #75: Tournament #5: Hold'em $10.00/$20.00 - 2024/01/02 03:04 Eastern Standard Time
Table '5-001' 10-Max, Seat #2 is the button
Seat 1: Ann (1000.00 in chips)
Seat 2: Bob B (3000.00 in chips) - The button
Seat 4: Cy (160.00 in chips) - Small Blind
Seat 5: Dan (2000.00 in chips) - Big Blind
Seat 6: Eve (500.00 in chips)
Ann: ante processed 10.00
Bob B: ante processed 10.00
Cy: ante processed 10.00
Dan: ante processed 10.00
Eve: ante processed 10.00
Cy: posts small blind 30.00
Dan: posts big blind 60.00
*** HOLE CARDS ***
Dealt to Ann [10c 10d]
Eve: folds
Ann: raises 200.00 to 200.00
Fay joins the table at seat #7
Bob B: raises 1500.00 to 1500.00
Dan has left the table
Cy: calls 120.00 and is all in
Ann: calls 790.00 and is all in
Uncalled bet (510.00) returned to Bob B
Total pot 1680.00
*** SHOW DOWN ***
Ann shows 10c 10d
Bob B shows 9s 9h
Cy shows Kc Qd
*** SUMMARY ***
Total pot 560.00
Board [5d 10h 2s 3c 4c]
Total pot 560.00
Board [5d 10h 2s 3c 4c]
Seat 1: Ann showed [10c 10d] and won (560.00)
Seat 2: Bob B showed [9s 9h] but did not win
Seat 4: Cy showed [Kc Qd] but did not win
Seat 5: Dan folded before Flop
Seat 6: Eve folded before Flop
"""

PKR = """\
Table #1 - Made Up
Starting Hand #76
Start time of hand: 02 Jan 2024 03:04:05
Last Hand n/a
Game Type: HOLD'EM
Limit Type: NO LIMIT
Table Type: RING
Money Type: REAL MONEY
Blinds are now $0.50 / $1
Button is at seat 1
Seat 1: Ann (bounty value $0.40, bounty won $0) - $50
Seat 2: Bob B - $100
Seat 4: Cy - $7.60
Seat 5: Dan - $40
Seat 6: Eve - $9 (away from table)
Shuffling Deck
Moving Button to seat 2
Ann posts ante of $0.10
Bob B posts ante of $0.10
Cy posts ante of $0.10
Dan posts ante of $0.10
Cy posts small blind ($0.50)
Dan posts big blind ($1)
Ann posts $1
Ann posts $0.50 dead
Dealing Cards
Dealing [A c][K d] to Ann
Ann says Bob B folds
Ann raises to $20
Bob B raises to $99.90 (all-in)
Cy calls $7.50 (all-in)
Dan folds and shows [XX] [3 c]
Ann calls $49.40 (all-in)
Returning $50.50 to Bob B uncalled
Pot sizes: $24.40
Pot sizes: $83.80
Ann shows [A c][K d]
Bob B shows [Q s][Q h]
Cy shows [J c][J d]
Dealing Flop [K h][7 s][2 c]
Dealing Turn [5 d]
Dealing River [9 s]
Taking Rake of $1 from pot 1
Ann has One Pair: Kings
Ann wins $83.80 from side pot #1 with: One Pair: Kings
Ann wins $23.40 with: One Pair: Kings
Seat 1: Ann - $107.20
Seat 2: Bob B - $50.50
Seat 4: Cy - $0
Seat 5: Dan - $38.90
Seat 6: Eve - $9
End of Hand #76
"""

EVERLEAF = """\
Everleaf Gaming Game #77
***** Hand history for game #77 *****
Blinds \u20ac0.50/\u20ac1 NL Hold'em - 6 Max - 2024/01/02 - 03:04:05
Table Made Up
Seat 2 is the button
Total number of players: 5
Seat 1: Ann ( \u20ac 50 EURO )
Seat 2: Bob B (   \u20ac 100 EURO )
Seat 4: Cy ( \u20ac 7.60 EURO )
Seat 5: Dan ( \u20ac 40 EURO )
Seat 6: Eve ( new player )
Ann: posts ante [\u20ac 0.10 EURO]
Bob B: posts ante [\u20ac 0.10 EURO]
Cy: posts ante [\u20ac 0.10 EURO]
Dan: posts ante [\u20ac 0.10 EURO]
Cy: posts small blind [\u20ac 0.50 EURO]
Dan: posts big blind [ \u20ac 1 EURO]
** Dealing down cards **
Dealt to Ann [ Ac, Kd ]
Ann raises [\u20ac 10 EURO]
Bob B: raises [\u20ac 80 EURO]
Cy calls [\u20ac 7 EURO]
Eve has joined the table
Dan folds
Ann calls [\u20ac 39.90 EURO]
** Dealing Flop ** [ Kh, 7s, 2c ]
** Dealing Turn ** [ 5d ]
** Dealing River ** [ 9s ]
Ann shows [ Ac, Kd ] a pair of kings
Bob B shows [ Qs, Qh ] a pair of queens
Cy does not show cards
Ann wins \u20ac 84.80 EURO from side pot with a pair of kings [ Kd, Kh, Ac, 9s,
7s ]
Ann wins \u20ac 23.20 EURO from main pot with a pair of kings [ Kd, Kh, Ac, 9s, 7s ]
"""

COINPOKER = """\
CoinPoker Hand #78: NLH (\u20ae0.50/\u20ae1/\u20ae0.10) 2026/01/02 03:04:05 CET
Table 'Made Up' 6-max Seat #2 is the button
Seat 1: Ann (\u20ae50 in chips)
Seat 2: Bob B (\u20ae100 in chips)
Seat 4: Cy (\u20ae7.60 in chips)
Seat 5: Dan (\u20ae40 in chips)
Seat 6: Eve (\u20ae9 in chips) out of hand
Ann: posts ante \u20ae0.10
Bob B: posts ante \u20ae0.10
Cy: posts ante \u20ae0.10
Dan: posts ante \u20ae0.10
Cy: posts small blind \u20ae0.50
Dan: posts big blind \u20ae1
*** HOLE CARDS ***
Dealt to Ann [Ac Kd]
Dealt to Bob B
Dealt to Cy
Dealt to Dan
Ann: raises \u20ae9 to \u20ae10
Bob B has timed out
Bob B activated time-bank (30 seconds)
Bob B: raises \u20ae70 to \u20ae80
Cy: ALLIN \u20ae7
Dan: folds
Ann: ALLIN \u20ae39.90
Bob B: RETURN \u20ae30.10
*** FLOP *** [Kh 7s 2c]
*** TURN *** [Kh 7s 2c] [5d]
*** RIVER *** [Kh 7s 2c 5d] [9s]
*** SHOWDOWN ***
Ann: shows [Ac Kd] (a pair of Kings)
Bob B: shows [Qs Qh] (a pair of Queens)
Cy: mucks hand
Ann collected \u20ae108 from pot
*** SUMMARY ***
Total pot \u20ae108.70 | Rake \u20ae0.50 | Splash Fee \u20ae0.20
Hand was run once
Board [ Kh 7s 2c 5d 9s ]
Game ended: 2026/01/02 03:05:05 CET
Seat 1: Ann showed [Ac Kd] and won (\u20ae108) with a pair of Kings
"""

WEPLAY = """\
Weplay Hand #79:  Hold'em No Limit ($0.50/$1) - 2026/01/02 03:04:05 UTC
Table 'Made Up'(11403800) 6-max (Money 3) Seat #2 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob B ($100 in chips)
Seat 4: Cy ($7.60 in chips)
Seat 5: Dan ($40 in chips)
Ann: posts the ante $0.10
Bob B: posts the ante $0.10
Cy: posts the ante $0.10
Dan: posts the ante $0.10
Cy: posts small blind $0.50
Eve leaves the table
Dan: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ac Kd]
Ann: raises $10 to $10
Bob B: raises $80 to $80
Cy: raises $7 to $7.50 and is all-in
Dan: folds
Ann: calls $39.90 and is all-in
Uncalled bet ($30.10) returned to Bob B
*** FLOP *** [Kh 7s 2c]
*** TURN *** [Kh 7s 2c] [5d]
*** RIVER *** [Kh 7s 2c 5d] [9s]
*** SHOW DOWN ***
Ann: shows [Ac Kd] (a pair of Kings)
Bob B: shows [Qs Qh] (a pair of Queens)
Cy: mucks hand
Ann collected $108.70 from pot
*** SUMMARY ***
Total pot $108.70 | Rake $0.70\u0020
Board [Kh 7s 2c 5d 9s]
Seat 1: Ann showed [Ac Kd] and won ($108.70) with a pair of Kings
Seat 5: Dan (big blind) folded before Flop\u0020
"""

UNIBET = """\
=== HAND HISTORIES ===

Unibet Hand #80 - 0.50/1.00 - No Limit Hold'Em - UTC 03:04:05 2026/01/02
Table "Made Up" 6-max
*** Seated players ***
Seat 1: Ann[Unibet_0a1b2c] (\u20ac50)
Seat 2: Bob B (\u20ac100)
Seat 4: Cy (\u20ac7.60)
Seat 5: Dan (\u20ac40)
Seat 6: Eve (\u20ac0) (sitting out)
*** Blinds and button ***
Bob B has the button
Ann[Unibet_0a1b2c] posts ante \u20ac0.10
Bob B posts ante \u20ac0.10
Cy posts ante \u20ac0.10
Dan posts ante \u20ac0.10
Cy posts small blind \u20ac0.50
Dan posts big blind \u20ac1
*** Hole cards ***
Dealt in Cy
Dealt in Dan
Dealt to Ann[Unibet_0a1b2c] [Ac Kd]
Dealt to Bob B [Qs Qh]
*** Preflop ***
Ann[Unibet_0a1b2c] raises \u20ac10 to \u20ac10
Bob B raises \u20ac80 to \u20ac80
Cy calls \u20ac7
Dan folds
Ann[Unibet_0a1b2c] calls \u20ac39.90
*** Flop *** [Kh 7s 2c]
*** Turn *** [Kh 7s 2c] [5d]
*** River *** [Kh 7s 2c] [5d] [9s]
*** Showdown ***
Bob B shows [Qs Qh], A Pair of Queens
Ann[Unibet_0a1b2c] shows [Ac Kd], A Pair of Kings
Uncalled bet returned to Bob B: \u20ac30.10
Ann[Unibet_0a1b2c] wins \u20ac84.80 from side pot 1
Ann[Unibet_0a1b2c] wins \u20ac23.20 from main pot
*** Summary ***
Total pot \u20ac108.70 Rake \u20ac0.70
Seat 1: Ann[Unibet_0a1b2c]: bet \u20ac50 and won \u20ac108, net result: \u20ac58
"""

#: One hand for each format.
TEXTS = {
    "ggpoker": GGPOKER,
    "winamax": WINAMAX,
    "888": PACIFIC,
    "winning": WINNING,
    "betonline": BETONLINE,
    "pkr": PKR,
    "everleaf": EVERLEAF,
    "coinpoker": COINPOKER,
    "weplay": WEPLAY,
    "unibet": UNIBET,
}
#: What they pay in the money of the text, after the rake.
PAYOFFS = {
    "ggpoker": {"a1b2": -8.5, "Hero": 4.5, "c3d4": 5, "e5f6": -2.1},
    "winamax": {"Ann": 1841, "Bob B": -1000.5, "Cy": -710.5, "Dan": -130},
    "888": {"Ann": 27.8, "Bob": -20.1, "Cy": -7.6, "Dan D": -1.1},
    "winning": {"Ann": 27.5, "Bob B": -20, "Cy": -7.5, "Dan": -1, "Eve": -1.5},
    "betonline": {"Ann": 1240, "Bob B": -1000, "Cy": -160, "Dan": -70, "Eve": -10},
    "pkr": {"Ann": 57.2, "Bob B": -49.5, "Cy": -7.6, "Dan": -1.1},
    "everleaf": {"Ann": 58, "Bob B": -50, "Cy": -7.6, "Dan": -1.1},
    "coinpoker": {"Ann": 58, "Bob B": -50, "Cy": -7.6, "Dan": -1.1},
    "weplay": {"Ann": 58, "Bob B": -50, "Cy": -7.6, "Dan": -1.1},
    "unibet": {"Ann": 58, "Bob B": -50, "Cy": -7.6, "Dan": -1.1},
}


def acts(hand: Hand) -> list[tuple[str, Act, float | None]]:
    """Who did what, with the total of a bet or raise in the money of the text."""
    return [
        (hand.players[seat], act, None if to is None else float(to * hand.unit)) for seat, act, _, to in hand.actions
    ]


def stated(hand: Hand) -> dict[str, float]:
    """What each player won or lost by the text, in its money."""
    assert hand.stated_payoffs is not None
    return {name: float(won * hand.unit) for name, won in zip(hand.players, hand.stated_payoffs, strict=True)}


def check_real(
    data_dir: Path,
    site: str,
    hands: int,
    refused: dict[str, int],
    rake: float = 0.1,
    by_other_rules: Collection[str] = (),
) -> None:
    """Read the real hands of a site: so many are read and refused, and payoffs agree with the text up to the rake."""
    folder = data_dir / "sites-nolimit" / site
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    found: list[Hand] = []
    errors: list[HistoryError] = []
    for path in sorted(folder.glob("*")):
        try:
            found += open_hands(path).read(errors)
        except NoHistoryError as error:
            errors.append(error)
    assert len(found) == hands
    for hand in found:
        assert hand.stated_payoffs is not None
        taken = -sum(hand.stated_payoffs)
        assert -1e-6 <= taken <= max(rake * hand.pot_chips, 0.01 / float(hand.unit))
        coin = (0.01 if hand.currency else 1) / float(hand.unit)
        if hand.id in by_other_rules:
            continue
        for ours, theirs in zip(hand.payoffs, hand.stated_payoffs, strict=True):
            assert theirs - coin < ours < theirs + taken + coin
    reasons = [error.reason for error in errors]
    counts = {what: sum(bool(re.search(what, reason)) for reason in reasons) for what in refused}
    assert (counts, len(reasons)) == (refused, sum(refused.values()))
