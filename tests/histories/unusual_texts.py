"""Made-up hands of kinds that sites write now and then: other headers, other posts, other letters.

Each is a hand of no-limit hold'em with the site's words, and what it pays by the text in its money.
"""

from __future__ import annotations

FULLTILT_CAP = """\
Full Tilt Poker Game #81: Table Made Up (6 max) - CAP NL Hold'em - $0.05/$0.10 - 05:11:48 ET - 2031/01/06
Seat 1: Ann ($10)
Seat 2: Bob ($12.50)
Seat 5: Cy ($9)
Ann posts the small blind of $0.05
Bob posts the big blind of $0.10
The button is in seat #5
*** HOLE CARDS ***
Cy raises to $0.30
Ann raises to $1
Bob folds
Cy raises to $3, and is capped
Ann calls $2, and is capped
Ann shows [As Ah]
Cy shows [Kd Kh]
*** FLOP *** [2s 7d 8h] (Total Pot: $6.10, 2 Players, 2 All-In)
*** TURN *** [2s 7d 8h] [Qc] (Total Pot: $6.10, 2 Players, 2 All-In)
*** RIVER *** [2s 7d 8h Qc] [4c] (Total Pot: $6.10, 2 Players, 2 All-In)
Ann shows a pair of Aces
Cy shows a pair of Kings
Ann wins the pot ($5.80) with a pair of Aces
*** SUMMARY ***
Total pot $6.10 | Rake $0.30
Board: [2s 7d 8h Qc 4c]
"""

FULLTILT_TWICE = """\
Full Tilt Poker Game #102: Table Made Up (6 max) - NL Hold'em - $5/$10 - 04:44:44 ET - 2031/04/08
Seat 1: Ann ($300)
Seat 2: Bob ($300)
Seat 3: Cy ($500)
Ann posts the small blind of $5
Bob posts the big blind of $10
The button is in seat #3
*** HOLE CARDS ***
Cy folds
Ann raises to $300, and is all in
Bob calls $290, and is all in
Players agree to Run It Twice
Ann shows [Jd Qd]
Bob shows [6d Ad]
*** FLOP 1 *** [Td 3d 3h] (Total Pot: $600, 2 Players, 2 All-In)
*** FLOP 2 *** [Qs 2c 7h] (Total Pot: $600, 2 Players, 2 All-In)
*** TURN 1 *** [Td 3d 3h] [Qh] (Total Pot: $600, 2 Players, 2 All-In)
*** TURN 2 *** [Qs 2c 7h] [8h] (Total Pot: $600, 2 Players, 2 All-In)
*** RIVER 1 *** [Td 3d 3h Qh] [Ac] (Total Pot: $600, 2 Players, 2 All-In)
*** RIVER 2 *** [Qs 2c 7h 8h] [9c] (Total Pot: $600, 2 Players, 2 All-In)
*** SHOW DOWN 1 ***
Ann shows two pair, Queens and Threes
Bob shows two pair, Aces and Threes
*** SHOW DOWN 2 ***
Ann shows a pair of Queens
Bob shows Ace high
Bob wins pot 1 ($298) with two pair, Aces and Threes
Ann wins pot 2 ($298) with a pair of Queens
*** SUMMARY ***
Total pot $600 | Rake $4
*** SUMMARY 1 ***
Pot 1 $298
Board: [Td 3d 3h Qh Ac]
*** SUMMARY 2 ***
Pot 2 $298
Board: [Qs 2c 7h 8h 9c]
"""

RUN_IT_ONCE_TWICE = """\
Run It Once Poker Hand #103:  Hold'em No Limit (\u20ac1/\u20ac2) - 2031/06/25 16:12 UTC [2031/06/25 17:12 CET]
Table ID '3026' 6-Max Seat #1 is the button
Seat 1: Ann (\u20ac40 in chips)
Seat 2: Bob (\u20ac40 in chips)
Bob: posts big blind \u20ac2
Ann: posts small blind \u20ac1
*** HOLE CARDS ***
Dealt to Ann [Jd Qd]
Ann: raises \u20ac39 to \u20ac40 and is all-in
Bob: calls \u20ac38 and is all-in
*** FLOP 1 *** [Td 3d 3h]
*** TURN 1 *** [Td 3d 3h] [Qh]
*** RIVER 1 *** [Td 3d 3h Qh] [Ac]
*** FLOP 2 *** [Qs 2c 7h]
*** TURN 2 *** [Qs 2c 7h] [8h]
*** RIVER 2 *** [Qs 2c 7h 8h] [9c]
*** SHOWDOWN ***
Bob shows [6d Ad] for Two Pair
Bob collected \u20ac40 from pot
Ann shows [Jd Qd] for One Pair
Ann collected \u20ac40 from pot
*** SUMMARY ***
Total pot \u20ac80 | Rake \u20ac0.00
"""

FULLTILT_OBSERVED = """\
Full Tilt Poker Game #109: Table Made Up (6 max) - $25/$50 - No Limit Hold'em - 17:47:12 ET - 2031/10/09
Ann Lee posts the small blind of $25
Bob posts the big blind of $50
The button is in seat #3
*** HOLE CARDS ***
Ann Lee raises to $1,000, and is all in
Bob folds
Uncalled bet of $950 returned to Ann Lee
Ann Lee mucks
Ann Lee wins the pot ($100)
*** SUMMARY ***
Total pot $100 | Rake $0
Seat 3: Ann Lee (small blind) collected ($100), mucked
Seat 4: Bob (big blind) folded before the Flop
"""

FULLTILT_KING = """\
Full Tilt Poker Game #82: $5 + $0.25 Heads Up Sit & Go (King of the Hill) (4321), Table 1 - King of the Hill - 15/30 - \
No Limit Hold'em - 18:46:08 ET - 2031/02/28
Seat 1: Ann (1,500)
Seat 2: Bob (1,500)
Ann posts the small blind of 15
Bob posts the big blind of 30
The button is in seat #1
*** HOLE CARDS ***
Ann raises to 60
Bob folds
Uncalled bet of 30 returned to Ann
Ann mucks
Ann wins the pot (60)
*** SUMMARY ***
Total pot 60 | Rake 0
"""

FULLTILT_THOUSANDS = """\
Full Tilt Poker Game #83: $900 KO Guarantee (4322), Table 7 - 50K/100K Ante 10000 - No Limit Hold'em - 16:06:40 ET - \
2031/04/01
Seat 1: Ann (1,000,000)
Seat 6: Bob (600,000)
Ann antes 10,000
Bob antes 10,000
Ann posts the small blind of 50,000
Bob posts the big blind of 100,000
The button is in seat #1
*** HOLE CARDS ***
Ann raises to 990,000, and is all in
Bob calls 490,000, and is all in
Ann shows [Tc Kh]
Bob shows [6s 6c]
Uncalled bet of 400,000 returned to Ann
*** FLOP *** [Ac Th Kd]
*** TURN *** [Ac Th Kd] [Kc]
*** RIVER *** [Ac Th Kd Kc] [3c]
Ann wins the pot (1,200,000) with a full house
*** SUMMARY ***
Total pot 1,200,000 | Rake 0
Board: [Ac Th Kd Kc 3c]
"""

PARTY_SIT_AND_GO = """\
Game #84 starts.

#Game No : 84
***** Hand History for Game 84 *****
NL Texas Hold'em $1 USD Buy-in  - Sunday, July 24, 19:35:33 CEST 2031
Table $1 Sit & Go Hero (12345) Table #1 (Real Money)
Seat 4 is the button
Total number of players : 3/4
Seat 4: Ann ( 390 )
Seat 3: Bob ( 160 )
Seat 2: Cy ( 1,450 )
Trny: 12345 Level: 2
Blinds(15/30)
Cy posts small blind [15].
Bob posts big blind [30].
** Dealing down cards **
Dealt to Ann [  As 5s ]
Ann raises [60]
Cy folds
Bob calls [30]
** Dealing Flop ** [ 4h, 7d, 6d ]
Bob is all-In  [100]
Ann calls [100]
** Dealing Turn ** [ 5h ]
** Dealing River ** [ 9s ]
Bob shows [ Ac, Ts ]high card Ace.
Ann shows [ As, 5s ]a pair of Fives.
Ann wins 335 chips from the main pot with a pair of Fives.
Player Bob finished in 3.
"""

PARTY_EURO = """\
#Game No : 85
***** Hand History for Game 85 *****
NL Texas Hold'em \u20ac1 EUR Buy-in  - Wednesday, November 28, 13:05:32 CET 2031
Table Made Up Speed #2211 (Real Money)
Seat 3 is the button
Total number of players : 3/4
Seat 1: Ann ( 1 )
Seat 3: Bob ( 1 )
Seat 4: Cy ( 1 )
Trny: 755 Level: 1
Blinds(20/40)
** Dealing down cards **
Dealt to Ann [  As 5d ]
dee77777 calls [40]
Bob did not respond in time
Bob folds
Cy calls [20]
Ann checks
** Dealing Flop ** [ 9d, 8d, Tc ]
Cy checks
Ann bets [40]
dee77777 folds
Cy folds
Ann does not show cards.
Ann wins 160 chips
"""

PARTY_CLUB = """\
***** Hand History for Game 86 ***** (PokerBros)
$100.00 USD NL Holdem - Friday, March 19, 07:51:54 ET 2031
Table Made888Up (Real Money)
Seat 1 is the button
Seat 1: Ann ( $122.40 USD ) - (21.60 / 16.35 / 5.71 / 18k)
Seat 3: Bob ( $184.00 USD ) - (19.75 / 11.79 / - / 485)
Seat 4: Cy ( $115.05 USD ) - (31.91 / 25.53 / - / 47)
Bob posts small blind [$0.50 USD].
Cy posts big blind [$1.00 USD].
** Dealing down cards **
Dealt to Bob [ 8h 9h ]
Ann raises [$2.50 USD]
Bob calls [$2.00 USD]
Cy folds
** Dealing Flop ** [ 4d, Jd, Tc ]
Bob bets [$4.00 USD]
Ann folds
Bob wins $9.70 USD
"""

ABSOLUTE_TURBO = """\
Stage #87 Tourney ID 99 Holdem Single Tournament No Limit $30, $5 ante Turbo - 2031-02-03 04:05:06.789 (ET)
Table: 1 (Real Money) Seat #1 is the dealer
Seat 1 - ANN ($1,000 in chips)
Seat 2 - BOB ($500 in chips)
Seat 3 - CY ($700 in chips)
ANN - Ante $5
BOB - Ante $5
CY - Ante $5
BOB - Posts small blind $15
CY - Posts big blind $30
*** POCKET CARDS ***
ANN - Folds
BOB - Calls $15
CY - Checks
*** FLOP *** [2h 7h 9c]
BOB - Bets $30
CY - Folds
BOB - returned ($30) : not called
*** SHOW DOWN ***
BOB - Does not show
BOB Collects $75 from main pot
*** SUMMARY ***
Total Pot($75)
"""

CAKE_NEGATIVE = """\
Hand#88AB - $0.05 (1 Rebuy) T1114 -- TICKETCASH -- $0.05 + $0.05 -- 10 Max -- Table 20 -- -1/50/1 000 NL Hold'em -- \
2031/06/01 - 21:44:48
Dealer: Seat 1
Seat 1: Ann (11,000 in chips)
Seat 2: Bob (7,750 in chips)
Seat 3: Cy (15,000 in chips)
Bob: posts small blind 50
Cy: posts big blind 1 000
Dealt to Cy [Th,8d]
Ann: raises to 2 000
Bob: folds
Cy: folds
Ann: returns uncalled bet 1 000
***SHOW DOWN***
Ann: mucks
Ann wins 2 050
"""

RUN_IT_ONCE_SPLASH = """\
Run It Once Poker Hand #89:  Hold'em No Limit (\u20ac0.05/\u20ac0.10) - 2031/06/25 16:12 UTC [2031/06/25 17:12 CET]
Table ID '3026' 6-Max Seat #1 is the button
Seat 1: Ann (\u20ac17.56 in chips)
Seat 2: Bob (\u20ac14.07 in chips)
Seat 3: Cy (\u20ac10 in chips)
Bob: posts small blind \u20ac0.05
Cy: posts big blind \u20ac0.10
*** HOLE CARDS ***
STP added: \u20ac0.50
Dealt to Ann [6s 8h]
Ann: calls \u20ac0.10
Bob: folds
Cy: checks
*** FLOP *** [6h Jd 4c]
Cy: bets \u20ac0.21
Ann: folds
Cy: mucks hand
*** SHOWDOWN ***
Cy: mucks hand
Uncalled bet (\u20ac0.71) returned to Cy
Cy collected \u20ac0.71 from pot
*** SUMMARY ***
Total pot \u20ac0.75 | Main pot \u20ac0.25 | STP \u20ac0.50 | Rake \u20ac0.04
Board [6h Jd 4c]
"""

RUN_IT_ONCE_WALK = """\
Run It Once Poker Hand #90:  Hold'em No Limit (\u20ac0.05/\u20ac0.10) - 2031/06/25 16:12 UTC [2031/06/25 17:12 CET]
Table ID '3026' 6-Max Seat #1 is the button
Seat 1: Ann (\u20ac17.56 in chips)
Seat 2: Bob (\u20ac14.07 in chips)
Seat 3: Cy (\u20ac10 in chips)
Bob: posts small blind \u20ac0.05
Cy: posts big blind \u20ac0.10
*** HOLE CARDS ***
STP added: \u20ac0.50
Dealt to Ann [6s 8h]
Ann: folds
Bob: folds
*** SHOWDOWN ***
Cy: mucks hand
Cy collected \u20ac0.65 from pot
*** SUMMARY ***
Total pot \u20ac0.65 | Main pot \u20ac0.15 | STP \u20ac0.50 | Rake \u20ac0.00
"""

STARS_BLIND_FOLDS = """\
PokerStars Hand #91: Tournament #12, $1+$0.10 USD Hold'em No Limit - Level III (50/100) - 2031/02/03 04:05:06 ET
Table '12 1' 9-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (40 in chips) is sitting out
Seat 3: Cy (900 in chips)
Bob: posts small blind 40 and is all-in
Cy: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [As Ah]
Ann: calls 100
Bob: folds
Cy: checks
*** FLOP *** [2c 3d 4h]
Cy: checks
Ann: checks
*** TURN *** [2c 3d 4h] [9s]
Cy: checks
Ann: checks
*** RIVER *** [2c 3d 4h 9s] [Jd]
Cy: checks
Ann: checks
*** SHOW DOWN ***
Cy: shows [Kd Qd] (high card King)
Ann: shows [As Ah] (a pair of Aces)
Ann collected 240 from pot
*** SUMMARY ***
Total pot 240 | Rake 0
Board [2c 3d 4h 9s Jd]
"""

STARS_SHORT_ANTE = """\
PokerStars Hand #92: Tournament #12, $1+$0.10 USD Hold'em No Limit - Level VI (50/100) - 2031/02/03 04:05:06 ET
Table '12 1' 9-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (800 in chips)
Seat 3: Cy (900 in chips)
Seat 4: Dan (4 in chips)
Ann: posts the ante 10
Bob: posts the ante 10
Cy: posts the ante 10
Dan: posts the ante 4 and is all-in
Bob: posts small blind 50
Cy: posts big blind 100
*** HOLE CARDS ***
Ann: folds
Bob: calls 50
Cy: checks
*** FLOP *** [2c 3d 4h]
Bob: checks
Cy: checks
*** TURN *** [2c 3d 4h] [9s]
Bob: checks
Cy: checks
*** RIVER *** [2c 3d 4h 9s] [Jd]
Bob: checks
Cy: checks
*** SHOW DOWN ***
Bob: shows [Kd Qd] (high card King)
Cy: shows [Ac Kh] (high card Ace)
Cy collected 218 from side pot
Dan: shows [Js Jh] (three of a kind, Jacks)
Dan collected 16 from main pot
*** SUMMARY ***
Total pot 234 Main pot 16. Side pot 218. | Rake 0
Board [2c 3d 4h 9s Jd]
"""

PACIFIC_SHORT_ALL_IN = """\
#Game No : 93
***** 888poker Hand History for Game 93 *****
$0.50/$1 Blinds No Limit Holdem - *** 02 01 2031 03:04:05
Table Made Up 6 Max (Real Money)
Seat 3 is the button
Total number of players : 3
Seat 1: Ann ( $50 )
Seat 3: Bob ( $40 )
Seat 4: Cy ( $30 )
Cy posts small blind [$0.50]
Ann posts big blind [$1]
** Dealing down cards **
Bob raises [$3]
Cy folds
Ann raises [$3]
Bob folds
** Summary **
Ann did not show his hand
Ann collected [ $6.50 ]
"""

# Of clubs the player's language has no word.
PACIFIC_NULL = """\
#Game No : 104
***** 888poker Hand History for Game 104 *****
$0.50/$1 Blinds No Limit Holdem - *** 02 01 2031 03:04:05
Table Made Up 6 Max (Real Money)
Seat 3 is the button
Total number of players : 2
Seat 1: Ann ( $50 )
Seat 3: Bob ( $40 )
Bob posts small blind [$0.50]
Ann posts big blind [$1]
** Dealing down cards **
Dealt to Ann [ Anull, Qh ]
Bob calls [$0.50]
Ann checks
** Dealing flop ** [ 9d, 8null, Jnull ]
Ann checks
Bob checks
** Dealing turn ** [ 10s ]
Ann checks
Bob checks
** Dealing river ** [ 2d ]
Ann checks
Bob checks
** Summary **
Ann shows [ Anull, Qh ]
Bob mucks [ 2s, 2h ]
Ann collected [ $1.90 ]
"""

PACIFIC_RUSSIAN = """\
#Game No : 94
***** 888poker Hand History for Game 94 *****
$0.50/$1 Blinds No Limit Holdem - *** 02 01 2031 03:04:05
Table Made Up 6 Max (Real Money)
Seat 3 is the button
Total number of players : 3
Seat 1: Ann ( $50 )
Seat 3: Bob ( $40 )
Seat 4: Cy ( $30 )
Cy posts small blind [$0.50]
Ann posts big blind [$1]
** Dealing down cards **
Dealt to Ann [ \u0422\u043f, \u0414\u0447 ]
Bob folds
Cy calls [$0.50]
Ann checks
** Dealing flop ** [ 9\u0431, 8\u0442, \u0412\u0442 ]
Cy checks
Ann checks
** Dealing turn ** [ 10\u043f ]
Cy checks
Ann checks
** Dealing river ** [ \u041a\u0431 ]
Cy checks
Ann checks
** Summary **
Cy shows [ 2\u0431, 2\u0447 ]
Ann shows [ \u0422\u043f, \u0414\u0447 ]
Ann collected [ $1.90 ]
"""

WINNING_UNKNOWN = """\
Game started at: 2031/6/21 21:6:22
Game ID: 95 1/2 Made Up (Short) - 2 (Hold'em)
Seat 1 is the button
Seat 1: Ann (100).
Seat 2: Bob (123.94).
Seat 3: Cy (61.43).
Player Bob has small blind (1)
Player  has big blind (2)
Player Ann received a card.
Player Ann received a card.
Player Bob received a card.
Player Bob received a card.
Player Cy received a card.
Player Cy received a card.
Player Cy folds
Player Ann folds
Player Bob calls (1)
Player  checks
*** FLOP ***: [4s 4c 3h]
Player Bob checks
Player  bets (4)
Player Bob folds
Uncalled bet (4) returned to
Player  mucks cards
------ Summary ------
Pot: 3.80. Rake 0.20
Board: [4s 4c 3h]
Player Ann does not show cards.Bets: 0. Collects: 0. Wins: 0.
Player Bob does not show cards.Bets: 2. Collects: 0. Loses: 2.
Player Cy does not show cards.Bets: 0. Collects: 0. Wins: 0.
*Player  mucks (does not show cards). Bets: 2. Collects: 3.80. Wins: 1.80.
Game ended at: 2031/6/21 21:8:21
"""

IPOKER_SPANISH = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="9">
 <general>
  <mode>real</mode>
  <gametype>Holdem SL $0.10/$0.20</gametype>
  <currency>USD</currency>
  <nickname>Ann</nickname>
 </general>
 <game gamecode="96">
  <general>
   <startdate>2031-12-02 20:44:59</startdate>
   <players>
    <player seat="1" name="Ann" chips="$17.03" dealer="1" win="$0" bet="$0.20"/>
    <player seat="2" name="Bob" chips="$25.82" dealer="0" win="$0" bet="$0.10"/>
    <player seat="3" name="Cy" chips="$27.38" dealer="0" win="$0.90" bet="$0.60"/>
   </players>
  </general>
  <round no="0">
   <action no="1" player="Bob" type="1" sum="$0.10" cards="[cards]"/>
   <action no="2" player="Cy" type="2" sum="$0.20" cards="[cards]"/>
  </round>
  <round no="1">
   <cards type="Pocket" player="Ann">H6 H7</cards>
   <action no="3" player="Ann" type="3" sum="$0.20" cards=""/>
   <action no="4" player="Bob" type="0" sum="$0" cards=""/>
   <action no="5" player="Cy" type="4" sum="$0" cards=""/>
  </round>
  <round no="2">
   <cards type="Flop" player="">DK S8 H2</cards>
   <action no="6" player="Cy" type="5" sum="$0.40" cards=""/>
   <action no="7" player="Ann" type="0" sum="$0" cards=""/>
  </round>
 </game>
</session>
"""

MERGE_VERSION = """\
<description type="Holdem Tournament" stakes="No Limit Level 4 Blinds 40/80" version="2.1" />
<game id="97-28" starttime="20310302194444" numholecards="2" gametype="23" stakes="No Limit Level 4 Blinds 40/80" \
seats="9" realmoney="true" data="20310302|Made Up $11 (81-1)|81-1|97-28|true" buyIn="10.00" version="2.1" >
 <players dealer="7" >
  <player seat="0" nickname="Ann" balance="4460.00" dealtin="true" />
  <player seat="6" nickname="Bob" balance="5670.00" dealtin="true" />
  <player seat="7" nickname="Cy" balance="4760.00" dealtin="true" />
  <player seat="8" nickname="Dan" balance="5000.00" dealtin="true" />
 </players>
 <round id="BLINDS" sequence="1" >
  <event sequence="1" type="SMALL_BLIND" timestamp="1930343484000" player="8" amount="40.00" />
  <event sequence="2" type="BIG_BLIND" timestamp="1930343484000" player="0" amount="80.00" />
 </round>
 <round id="PREFLOP" sequence="2" >
  <event sequence="3" type="ALL_IN" timestamp="1930343504000" player="6" amount="5670.00" />
  <event sequence="4" type="FOLD" timestamp="1930343504000" player="7" />
  <event sequence="5" type="FOLD" timestamp="1930343515000" player="8" />
  <event sequence="6" type="FOLD" timestamp="1930343515000" player="0" />
  <cards type="HOLE" cards="Qs,6c" player="8" hand="Queen High" />
 </round>
 <round id="END_OF_FOLDED_GAME" sequence="3" >
  <event sequence="7" type="MUCK" timestamp="1930343535000" player="6" />
  <winner amount="200.00" uncalled="false" potnumber="1" player="6" pottype="n" />
  <winner amount="5590.00" uncalled="true" potnumber="2" player="6" pottype="n" />
 </round>
</game>
"""

MERGE_RETURN = """\
<description type="Holdem" stakes="No Limit ($0.10/$0.20)" version="2" />
<game id="98-2" starttime="20310722193309" numholecards="2" gametype="2" seats="6" realmoney="true" >
 <players dealer="1" >
  <player seat="1" nickname="Ann" balance="4.00" dealtin="true" />
  <player seat="2" nickname="Bob" balance="4.96" dealtin="true" />
  <player seat="3" nickname="Cy" balance="1.40" dealtin="true" />
  <player seat="4" nickname="Dan" balance="2.00" dealtin="true" />
 </players>
 <round id="BLINDS" sequence="1" >
  <event sequence="1" type="SMALL_BLIND" player="2" amount="0.10" />
  <event sequence="2" type="BIG_BLIND" player="3" amount="0.20" />
  <event sequence="3" type="RETURN_BLIND" player="4" amount="0.30" />
 </round>
 <round id="PREFLOP" sequence="2" >
  <event sequence="4" type="CHECK" player="4" />
  <event sequence="5" type="FOLD" player="1" />
  <event sequence="6" type="FOLD" player="2" />
  <event sequence="7" type="CHECK" player="3" />
 </round>
 <round id="POSTFLOP" sequence="3" >
  <event sequence="8" type="BET" player="3" amount="0.20" />
  <event sequence="9" type="FOLD" player="4" />
  <cards type="COMMUNITY" cards="Td,8h,Ac" player="-1" />
 </round>
 <round id="END_OF_FOLDED_GAME" sequence="4" >
  <winner amount="0.60" uncalled="false" potnumber="1" player="3" pottype="n" />
  <winner amount="0.20" uncalled="true" potnumber="2" player="3" pottype="n" />
 </round>
</game>
"""

MICROGAMING_POSTED = """\
<Game id="99" date="2031-11-08 00:19:50" tablename="Made Up" stakes="0.05|0.10" betlimit="NL" tabletype="Cash Game" \
gametypeid="1" gametype="Hold&apos;em" realmoney="true" currencysymbol="rCA=" istournament="0" rake="1">
 <Seats>
  <Seat num="1" alias="Ann" balance="10.00" endbalance="9.85"/>
  <Seat num="3" alias="Bob" balance="4.71" endbalance="4.71" dealer="true"/>
  <Seat num="4" alias="Cy" balance="15.44" endbalance="15.39"/>
  <Seat num="5" alias="Dan" balance="21.10" endbalance="21.29"/>
 </Seats>
 <Gameplay>
  <Action seq="1" type="SmallBlind" seat="4" value="0.05"/>
  <Action seq="2" type="BigBlind" seat="5" value="0.10"/>
  <Action seq="3" type="PostedToPlay" seat="1" value="0.10"/>
  <Action seq="5" type="Check" seat="1"/>
  <Action seq="6" type="Fold" seat="3"/>
  <Action seq="7" type="Fold" seat="4"/>
  <Action seq="8" type="Check" seat="5"/>
  <Action seq="9" type="DealFlop">
   <Card value="Q" suit="h"/><Card value="8" suit="c"/><Card value="6" suit="h"/>
  </Action>
  <Action seq="10" type="Bet" seat="5" value="0.10"/>
  <Action seq="11" type="Fold" seat="1"/>
  <Action seq="12" type="MuckCards" seat="5"/>
  <Action type="Win"><Seat num="5" amount="0.39" pot="0" type="" lowhandwin="0"/></Action>
 </Gameplay>
</Game>
"""

MICROGAMING_TOTALS = """\
<Game id="100" date="2031-11-02 23:08:51" tablename="Made Up" stakes="0.05|0.10" betlimit="NL" tabletype="Cash Game" \
gametypeid="1" gametype="Hold&apos;em" realmoney="true" currencysymbol="rCA=" istournament="0" rake="107">
 <Seats>
  <Seat num="3" alias="Ann" balance="6.90" endbalance="6.90" dealer="true"/>
  <Seat num="4" alias="Bob" balance="8.26" endbalance="8.21"/>
  <Seat num="5" alias="Cy" balance="10.76" endbalance="20.57"/>
  <Seat num="6" alias="Dan" balance="16.57" endbalance="5.81"/>
 </Seats>
 <Gameplay>
  <Action seq="1" type="SmallBlind" seat="4" value="0.05"/>
  <Action seq="2" type="BigBlind" seat="5" value="0.10"/>
  <Action seq="3" type="Raise" seat="6" value="0.20"/>
  <Action seq="4" type="Fold" seat="3"/>
  <Action seq="5" type="Fold" seat="4"/>
  <Action seq="6" type="Call" seat="5" value="0.20"/>
  <Action seq="7" type="DealFlop">
   <Card value="A" suit="s"/><Card value="10" suit="s"/><Card value="2" suit="c"/>
  </Action>
  <Action seq="8" type="Bet" seat="5" value="0.80"/>
  <Action seq="9" type="Raise" seat="6" value="1.60"/>
  <Action seq="10" type="Raise" seat="5" value="4.80"/>
  <Action seq="11" type="AllIn" seat="6" value="14.77"/>
  <Action seq="12" type="AllIn" seat="5" value="5.76"/>
  <Action seq="13" type="DealTurn"><Card value="K" suit="c"/></Action>
  <Action seq="14" type="DealRiver"><Card value="Q" suit="h"/></Action>
  <Action seq="15" type="ShowCards" seat="5"><Card value="2" suit="d"/><Card value="2" suit="h"/></Action>
  <Action seq="16" type="MuckCards" seat="6"><Card value="K" suit="d"/><Card value="A" suit="c"/></Action>
  <Action type="Win"><Seat num="5" amount="20.57" pot="0" type="" lowhandwin="0"/></Action>
 </Gameplay>
</Game>
"""

MICROGAMING_ALL_IN_BLIND = """\
<Game id="105" date="2031-01-01 01:01:01" tablename="Made Up" stakes="10|20" betlimit="NL" tabletype="MTT" \
gametype="Multi Table Hold&apos;em" realmoney="true" currencysymbol="" istournament="1">
 <Seats>
  <Seat num="3" alias="Ann" balance="2790.00" endbalance="2790.00"/>
  <Seat num="6" alias="Bob" balance="10250.00" endbalance="10250.00" dealer="true"/>
  <Seat num="7" alias="Cy" balance="10.00" endbalance="30.00"/>
  <Seat num="8" alias="Dan" balance="2790.00" endbalance="2770.00"/>
 </Seats>
 <Gameplay>
  <Action seq="1" type="AllIn" seat="7" value="10.00"/>
  <Action seq="2" type="BigBlind" seat="8" value="20.00"/>
  <Action seq="3" type="Disconnect" seat="3" value="30000"/>
  <Action seq="4" type="Fold" seat="3"/>
  <Action seq="5" type="Raise" seat="6" value="40.00"/>
  <Action seq="6" type="Fold" seat="8"/>
  <Action seq="7" type="MoneyReturned" seat="6" value="20.00"/>
  <Action seq="8" type="DealFlop">
   <Card value="8" suit="s"/><Card value="5" suit="h"/><Card value="9" suit="c"/>
  </Action>
  <Action seq="9" type="DealTurn"><Card value="K" suit="c"/></Action>
  <Action seq="10" type="DealRiver"><Card value="9" suit="s"/></Action>
  <Action seq="11" type="ShowCards" seat="7"><Card value="3" suit="c"/><Card value="K" suit="h"/></Action>
  <Action seq="12" type="ShowCards" seat="6"><Card value="4" suit="h"/><Card value="J" suit="d"/></Action>
  <Action type="Win"><Seat num="6" amount="20.00" pot="1"/><Seat num="7" amount="30.00" pot="0"/></Action>
 </Gameplay>
</Game>
"""

MICROGAMING_JACKPOT = """\
<Game id="106" date="2031-04-25 14:54:20" tablename="Made Up" stakes="1|2" betlimit="NL" tabletype="Cash Game" \
gametype="Hold'em" realmoney="true" currencysymbol="rCA=" istournament="0" rake="0">
 <Seats>
  <Seat num="5" alias="Ann" balance="247.00" endbalance="225.00" dealer="true"/>
  <Seat num="6" alias="Bob" balance="430.30" endbalance="429.30"/>
  <Seat num="7" alias="Cy" balance="136.84" endbalance="134.84"/>
  <Seat num="8" alias="Dan" balance="200.00" endbalance="224.98"/>
 </Seats>
 <Gameplay>
  <Action seq="1" type="SmallBlind" seat="6" value="1.00"/>
  <Action seq="2" type="BigBlind" seat="7" value="2.00"/>
  <Action seq="3" type="BadBeatContribution" seat="8" value="0.02"/>
  <Action seq="4" type="Raise" seat="8" value="6.00"/>
  <Action seq="5" type="Raise" seat="5" value="22.00"/>
  <Action seq="6" type="Fold" seat="6"/>
  <Action seq="7" type="Fold" seat="7"/>
  <Action seq="8" type="Raise" seat="8" value="68.00"/>
  <Action seq="9" type="Fold" seat="5"/>
  <Action seq="10" type="MuckCards" seat="8"/>
  <Action type="Win"><Seat num="8" amount="99.00" pot="0"/></Action>
 </Gameplay>
</Game>
"""

PACIFIC_SWEDISH = """\
***** 888poker Hand History for Game 107 *****
2 $/4 $ Blinds No Limit Holdem - *** 18 01 2031 18:29:43
Table Made Up 6 Max (Real Money)
Seat 6 is the button
Total number of players : 2
Seat 1: Ann ( 1 192,48 $ )
Seat 6: Bob ( 519,75 $ )
Bob posts small blind [2 $]
Ann posts big blind [4 $]
Bob calls [2 $]
Ann checks
** Dealing flop ** [ 4d, Ks, 2h ]
Ann checks
Bob checks
** Dealing turn ** [ Tc ]
Ann checks
Bob checks
** Dealing river ** [ Kd ]
Ann checks
Bob checks
** Summary **
Ann shows [ Ec, Knc ]
Bob shows [ Kns, Dc ]
Ann collected [ 7,60 $ ]
"""

PARTY_POINTS = """\
***** Hand History for Game 108 *****
NL Texas Hold'em $22 USD Buy-in Trny:12504 Level:12  Blinds-Antes(1.200/2.400 -400) - Thursday, May 12, 17:41:57 EDT \
2031
Table Made Up #081. $10,000 Gtd Turbo. (12504) Table #41 (Real Money)
Seat 5 is the button
Total number of players : 3/6
Seat 5: Ann ( 126,043 )
Seat 6: Bob ( 76,008 )
Seat 1: Cy ( 47,455 )
Trny:12504 Level:12
Blinds-Antes(1.200/2.400 -400)
Ann posts ante [400]
Bob posts ante [400]
Cy posts ante [400]
Bob posts small blind [1,200].
Cy posts big blind [2,400].
** Dealing down cards **
Ann folds
Bob folds
Cy does not show cards.
Cy wins 4,800 chips
"""

PKR_ANTES = """\
Table #1 - Made Up
Starting Hand #101
Start time of hand: 02 Jan 2031 03:04:05
Last Hand #100
Game Type: HOLD'EM
Limit Type: NO LIMIT
Table Type: TOURNAMENT
Money Type: REAL MONEY
Blinds are now 0 / 0
Button is at seat 1
Seat 1: Ann - 30
Seat 2: Bob - 500
Seat 4: Cy - 600
Moving Button to seat 1
Ann posts ante of 30 (all-in)
Bob posts ante of 50
Cy posts ante of 50
Shuffling Deck
Dealing Cards
Dealing [A S][A H] to Bob
Bob checks
Cy bets 100
Bob folds
Returning 100 to Cy uncalled
Dealing Flop [2 C][3 D][4 H]
Dealing Turn [9 S]
Dealing River [J D]
Cy shows [K S][Q S]
Ann shows [A C][9 D]
Cy wins 40
Ann wins 90 with: A pair of Nines
"""

#: The format, the text, and what each player won or lost by it.

STARS_CASHED_OUT = """\
PokerStars Hand #111: Hold'em No Limit ($0.50/$1.00 USD) - 2031/05/06 7:08:09 ET
Table 'Made Up' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($40 in chips)
Seat 3: Cy ($20 in chips)
Bob: posts small blind $0.50
Cy: posts big blind $1
*** HOLE CARDS ***
Ann: raises $39 to $40
Bob: calls $39.50 and is all-in
Cy: calls $19 and is all-in
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Kc]
*** RIVER *** [2c 7d 9h Kc] [3s]
*** SHOW DOWN ***
Bob: shows [Qh Qs] (a pair of Queens)
Ann: shows [Js Jd] (a pair of Jacks)
Cy: shows [As Ad] (a pair of Aces)
Cy collected $58.80 from main pot
Bob cashed out the hand for $33 | Cash Out Fee $0.33
Ann cashed out the hand for $5
*** SUMMARY ***
Total pot $100 Main pot $60. Side pot $40. | Rake $2
Board [2c 7d 9h Kc 3s]
Seat 1: Ann (button) showed [Js Jd] and lost with a pair of Jacks (cashed out).
Seat 2: Bob (small blind) showed [Qh Qs] and won ($39.20) with a pair of Queens (pot not awarded as player cashed out)
Seat 3: Cy (big blind) showed [As Ad] and won ($58.80) with a pair of Aces
"""

GGPOKER_CASHED_OUT = """\
Poker Hand #HD112: Hold'em No Limit ($0.5/$1) - 2031/05/06 07:08:09
Table 'NLHMade1' 6-max Seat #1 is the button
Seat 1: Hero ($60 in chips)
Seat 2: b0b ($30 in chips)
Seat 3: c1 ($100 in chips)
b0b: posts small blind $0.5
c1: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to b0b\x20
Dealt to c1\x20
Hero: raises $59 to $60 and is all-in
b0b: calls $29.5 and is all-in
c1: folds
Uncalled bet ($30) returned to Hero
b0b: shows [Kh Ks]
Hero: shows [As Ad]
Hero: Chooses to EV Cashout
b0b: get an all-in insurance (premium ($0/$4/$0) for ($0/$10.8/$0) - (Mandatory/Main/Sub))
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Jc]
*** RIVER *** [2c 7d 9h Jc] [3s]
Hero: Pays Cashout Risk ($5.4)
b0b: pay premium of all-in insurance ($4)
*** SHOWDOWN ***
Hero collected $58.8 from pot
*** SUMMARY ***
Total pot $61 | Rake $2 | Jackpot $0.2 | Bingo $0 | Fortune $0 | Tax $0
Board [2c 7d 9h Jc 3s]
Seat 1: Hero (button) showed [As Ad] and won ($58.8) with a pair of Aces, Cashout Risk ($5.4)
Seat 2: b0b (small blind) showed [Kh Ks] and lost with a pair of Kings
Seat 3: c1 (big blind) folded before Flop
"""

GGPOKER_THRICE = """\
Poker Hand #HD129: Hold'em No Limit ($0.5/$1) - 2031/05/06 07:08:09
Table 'NLHMade1' 6-max Seat #1 is the button
Seat 1: Hero ($60 in chips)
Seat 2: b0b ($30 in chips)
Seat 3: c1 ($100 in chips)
b0b: posts small blind $0.5
c1: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Hero: raises $59 to $60 and is all-in
b0b: calls $29.5 and is all-in
c1: folds
Uncalled bet ($30) returned to Hero
b0b: shows [Kh Ks]
Hero: shows [As Ad]
*** FIRST FLOP *** [2c 7d 9h]
*** FIRST TURN *** [2c 7d 9h] [Kc]
*** FIRST RIVER *** [2c 7d 9h Kc] [3s]
*** SECOND FLOP *** [4c 5d 8h]
*** SECOND TURN *** [4c 5d 8h] [Jc]
*** SECOND RIVER *** [4c 5d 8h Jc] [2s]
*** THIRD FLOP *** [3c 6d Th]
*** THIRD TURN *** [3c 6d Th] [Tc]
*** THIRD RIVER *** [3c 6d Th Tc] [4s]
*** FIRST SHOWDOWN ***
b0b collected $19.6 from pot
*** SECOND SHOWDOWN ***
Hero collected $19.6 from pot
*** THIRD SHOWDOWN ***
Hero collected $19.6 from pot
*** SUMMARY ***
Total pot $61 | Rake $2 | Jackpot $0.2 | Bingo $0 | Fortune $0 | Tax $0
Hand was run three times
FIRST Board [2c 7d 9h Kc 3s]
SECOND Board [4c 5d 8h Jc 2s]
THIRD Board [3c 6d Th Tc 4s]
Seat 1: Hero (button) showed [As Ad] and lost with a pair of Aces, and won ($19.6), and won ($19.6)
Seat 2: b0b (small blind) showed [Kh Ks] and won ($19.6), and lost, and lost
Seat 3: c1 (big blind) folded before Flop
"""

PACIFIC_LIMIT = """\
***** 888poker Hand History for Game 113 *****
$0.06/$0.12 Blinds Fix Limit Holdem - *** 17 06 2031 20:28:21
Table Made Up 10 Max (Real Money)
Seat 5 is the button
Total number of players : 2
Seat 5: Ann ( $4.80 )
Seat 7: Bob ( $1.75 )
Ann posts small blind [$0.06]
Bob posts big blind [$0.12]
** Dealing down cards **
Ann raises [$0.18]
Bob calls [$0.12]
** Dealing flop ** [ 7c, Tc, 7d ]
Bob checks
Ann bets [$0.12]
Bob calls [$0.12]
** Dealing turn ** [ 2c ]
Bob checks
Ann bets [$0.25]
Bob raises [$0.50]
Ann calls [$0.25]
** Dealing river ** [ Ts ]
Bob checks
Ann checks
** Summary **
Bob shows [ Kh, 7h ]
Ann mucks [ 9c, 8s ]
Bob collected [ $1.63 ]
"""

PACIFIC_NAMELESS = """\
***** 888poker Hand History for Game 114 *****
$0.50/$1 Blinds No Limit Holdem - *** 17 06 2031 20:28:21
Table Made Up 10 Max (Real Money)
Seat 5 is the button
Total number of players : 3
Seat 2:  ( $40 )
Seat 5: Ann ( $40 )
Seat 7: Bob ( $40 )
Bob posts small blind [$0.50]
 posts big blind [$1]
** Dealing down cards **
Dealt to  [ 8s, 8d ]
Ann raises [$3]
Bob folds
 calls [$2]
** Dealing flop ** [ 7c, Tc, 7d ]
 bets [$4]
Ann folds
** Summary **
 did not show his hand
 collected [ $6.50 ]
"""

PACIFIC_BOTH_NAMELESS = """\
***** 888poker Hand History for Game 115 *****
$0.50/$1 Blinds No Limit Holdem - *** 17 06 2031 20:28:21
Table Made Up 10 Max (Real Money)
Seat 7 is the button
Total number of players : 2
Seat 5:  ( $40 )
Seat 7:  ( $50 )
 posts small blind [$0.50]
 posts big blind [$1]
** Dealing down cards **
Dealt to  [ 8s, 8d ]
 raises [$2.50]
 calls [$2]
** Dealing flop ** [ 7c, Tc, 7d ]
 bets [$4]
 folds
** Summary **
 did not show his hand
 collected [ $5.70 ]
"""

WINNING_LIMIT = """\
Hand #116 - Holdem(Fixed Limit) - $2.00/$4.00 - 2031/01/02 03:04:05 UTC
Made Up 6-max Seat #2 is the button
Seat 1: Ann ($50.00)
Seat 2: Bob ($100.00)
Seat 4: Cy ($70.00)
Cy posts the small blind $1.00
Ann posts the big blind $2.00
*** HOLE CARDS ***
Bob raises $2.00 to $4.00
Cy folds
Ann calls $2.00
*** FLOP *** [Kh 7s 2c]
Ann checks
Bob bets $2.00
Ann calls $2.00
*** TURN *** [Kh 7s 2c] [5d]
Ann bets $4.00
Bob folds
Uncalled bet ($4.00) returned to Ann
Ann does not show
*** SUMMARY ***
Total pot $12.50 | Rake $0.50
Board [Kh 7s 2c 5d]
Seat 1: Ann (big blind) won $12.50
"""

WINNING_OLD_LIMIT = """\
Game started at: 2031/8/8 16:6:1
Game ID: 117 2/4 Made Up (Hold'em)
Seat 2 is the button
Seat 1: Ann (50).
Seat 2: Bob (100).
Seat 4: Cy (70).
Player Cy has small blind (1)
Player Ann has big blind (2)
Player Ann received a card.
Player Ann received a card.
Player Bob received a card.
Player Bob received a card.
Player Cy received a card.
Player Cy received a card.
Player Bob raises (4)
Player Cy folds
Player Ann calls (2)
*** FLOP ***: [Kh 7s 2c]
Player Ann checks
Player Bob bets (2)
Player Ann calls (2)
*** TURN ***: [Kh 7s 2c] [5d]
Player Ann bets (4)
Player Bob folds
Uncalled bet (4) returned to Ann
Player Ann mucks cards
------ Summary ------
Pot: 12.50. Rake 0.50
Board: [Kh 7s 2c 5d]
*Player Ann mucks (does not show cards). Bets: 6. Collects: 12.50. Wins: 6.50.
Player Bob does not show cards.Bets: 6. Collects: 0. Loses: 6.
Player Cy does not show cards.Bets: 1. Collects: 0. Loses: 1.
Game ended at: 2031/8/8 16:7:2
"""

PKR_LIMIT = """\
Table #1 - Made Up
Starting Hand #118
Start time of hand: 02 Jan 2031 03:04:05
Last Hand n/a
Game Type: HOLD'EM
Limit Type: FIXED LIMIT
Table Type: RING
Money Type: REAL MONEY
Blinds are now $1 / $2
Button is at seat 1
Seat 1: Ann - $50
Seat 2: Bob - $100
Seat 4: Cy - $70
Shuffling Deck
Moving Button to seat 2
Cy posts small blind ($1)
Ann posts big blind ($2)
Dealing Cards
Bob raises to $4
Cy folds
Ann calls $4
Pot sizes: $9
Dealing Flop [K h][7 s][2 c]
Ann checks
Bob bets $2
Ann calls $2
Pot sizes: $13
Dealing Turn [5 d]
Ann bets $4
Bob folds
Returning $4 to Ann uncalled
Taking Rake of $0.50 from pot 1
Ann wins $12.50
End of Hand #118
"""

BETONLINE_LIMIT = """\
BetOnline Poker Game #119: Hold'em Limit ($2.00/$4.00) - 2031/01/02 03:04:05 Eastern Standard Time
Table 'Made Up' 10-Max, Seat #2 is the button
Seat 1: Ann (50.00 in chips) - Big Blind
Seat 2: Bob (100.00 in chips) - The button
Seat 4: Cy (70.00 in chips) - Small Blind
Cy: posts small blind 1.00
Ann: posts big blind 2.00
*** HOLE CARDS ***
Bob: raises 4.00 to 4.00
Cy: folds
Ann: calls 2.00
*** FLOP *** [Kh 7s 2c]
Ann: checks
Bob: bets 2.00
Ann: calls 2.00
*** TURN *** [Kh 7s 2c] [5d]
Ann: bets 4.00
Bob: folds
Uncalled bet (4.00) returned to Ann
*** SUMMARY ***
Total pot 12.50 | Rake 0.50
Board [Kh 7s 2c 5d]
Seat 1: Ann won (12.50)
Seat 2: Bob folded on the Turn
Seat 4: Cy folded before Flop
"""

BETONLINE_ARRIVING = """\
BetOnline Poker Game #120: Tournament #5: Hold'em $10.00/$20.00 - 2031/01/02 03:04:05 Eastern Standard Time
Table '5-001' 10-Max, Seat #2 is the button
Seat 1: Ann (500.00 in chips) - Big Blind
Seat 2: Bob (0.00 in chips) - The button
Seat 4: Cy (700.00 in chips) - Small Blind
Seat 4: Dan (900.00 in chips)
Cy: posts small blind 10.00
Ann: posts big blind 20.00
*** HOLE CARDS ***
Dealt to Dan [Ah Ad]
Bob: raises 40.00 to 40.00
Cy: folds
Ann: folds
Uncalled bet (20.00) returned to Bob
*** SUMMARY ***
Total pot 50.00
Seat 1: Ann folded before Flop
Seat 2: Bob won (50.00)
Seat 4: Cy folded before Flop
"""

EVERLEAF_LIMIT = """\
Everleaf Gaming Game #121
***** Hand history for game #121 *****
$2/$4 Hold'em - 2031/09/07 - 08:04:36
Table Made Up
Seat 2 is the button
Total number of players: 3
Seat 1: Ann ( $ 50 USD )
Seat 2: Bob ( $ 100 USD )
Seat 4: Cy ( $ 70 USD )
Cy: posts small blind [$ 1 USD]
Ann: posts big blind [$ 2 USD]
** Dealing down cards **
Bob raises [$ 4 USD]
Cy folds
Ann calls [$ 2 USD]
** Dealing Flop ** [ Kh, 7s, 2c ]
Ann checks
Bob bets [$ 2 USD]
Ann calls [$ 2 USD]
** Dealing Turn ** [ 5d ]
Ann bets [$ 4 USD]
Bob folds
Ann does not show cards
Ann wins $ 12.50 USD from main pot
"""

WINAMAX_LIMIT = """\
Winamax Poker - CashGame - HandId: #7-8-22 - Holdem fixed limit (2\u20ac/4\u20ac) - 2031/01/02 03:04:05 UTC
Table: 'Made Up' 6-max (real money) Seat #2 is the button
Seat 1: Ann (50\u20ac)
Seat 2: Bob (100\u20ac)
Seat 3: Dan (40\u20ac)
Seat 4: Cy (70\u20ac)
*** ANTE/BLINDS ***
Dan posts small blind 1\u20ac
Cy posts big blind 2\u20ac
Ann posts small blind 1\u20ac out of position
*** PRE-FLOP ***
Ann folds
Bob raises 2\u20ac to 4\u20ac
Dan folds
Cy calls 2\u20ac
*** FLOP *** [Kh 7s 2c]
Cy checks
Bob bets 2\u20ac
Cy calls 2\u20ac
*** TURN *** [Kh 7s 2c][5d]
Cy bets 4\u20ac
Bob folds
Cy collected 17.50\u20ac from pot
*** SUMMARY ***
Total pot 14\u20ac | Rake 0.50\u20ac
Board: [Kh 7s 2c 5d]
"""

PARTY_FLOAT = """\
***** Hand History For Game 123abc *****
2000000/4000000 Tourney Texas Holdem Game Table (NL) (MTT Tournament #5) (Buyin $50.0 + $5.0) - Tue Apr 20 19:24:47 \
EDT 2031
Table (5) Table #129 (Real Money) -- Seat 8 is the button
Total number of players : 2/9
Seat 2: Ann (176546400)
Seat 8: Bob (166097088)
Ann posts ante (500000)
Bob posts ante (500000)
Bob posts small blind (2000000)
Ann posts big blind (4000000)
** Dealing down cards **
Bob raises 6000000 to 8000000
Ann raises 171046390 to 175046390
Bob calls (157597080)
Bob is all-In.
** Dealing Flop ** : [ 2c, 6h, Jc ]
** Dealing Turn ** : [ Ad ]
** Dealing River ** : [ Ks ]
Creating Main Pot with 332,194,176 with Bob
** Summary **
Main Pot: 332194176
Board: [ 2c, 6h, Jc, Ad, Ks ]
Ann balance 10449321, lost 166097088[ Js, 5h ] [ a pair of jacks -- Ad,Ks,Js,Jc,6h ]
Bob balance 332194176, bet 166097088, collected 332194176, net +166097088[ Kh, Jh ] [ two pairs, kings and jacks -- \
Ad,Kh,Ks,Jh,Jc ]
"""

FULLTILT_SUMMARY = """\
Full Tilt Poker Game #124: $26 Super Turbo (1234), Match 1 - 15/30 - No Limit Hold'em - 09:20:53 ET - 2031/11/23
Seat 1: Ann (285)
Seat 3: Bob (300)
Seat 4: Cy (270)
Ann posts the small blind of 15
Bob posts the big blind of 30
The button is in seat #4
*** HOLE CARDS ***
Cy raises to 60
*** SUMMARY ***
Total pot 105 | Rake 0
Seat 1: Ann (small blind) folded before the Flop
Seat 3: Bob (big blind) folded before the Flop
Seat 4: Cy (button) collected (75), mucked
"""

PKR_PROTECTED = """\
Table #1 - Made Up
Starting Hand #125
Start time of hand: 01 Aug 2031 03:36:03
Last Hand n/a
Game Type: HOLD'EM
Limit Type: NO LIMIT
Table Type: RING
Money Type: REAL MONEY
Blinds are now $0.50 / $1
Button is at seat 1
Seat 1: Ann - $50
Seat 2: Bob - $60
Seat 4: Cy - $70
Shuffling Deck
Moving Button to seat 1
Bob posts small blind ($0.50)
Cy posts big blind ($1)
Dealing Cards
Ann calls $1
Bob calls $1
Cy raises to $5
Ann folds
Bob has become disconnected and has 10 seconds to reconnect
Bob has disconnected and has been granted disconnection protection
Returning $4 to Cy uncalled
Pot sizes: $3
Dealing Flop [8 h][2 c][5 c]
Pot sizes: $3
Dealing Turn [7 d]
Pot sizes: $3
Dealing River [J h]
Pot sizes: $3
Bob shows [6 d][7 h]
Bob has One Pair: 7s
Cy doesn't show
Bob wins $1, disconnection protection limited from $3 with: One Pair: 7s
Cy wins $2
End of Hand #125
"""

MERGE_FOLDED = """\
<description type="Holdem" stakes="No Limit ($1/$2)"/>
<game id="126-1" starttime="20310818164816" numholecards="2" gametype="2" seats="6" realmoney="true" \
data="20310818|Made Up|126|126-1|true">
<players dealer="1">
<player seat="1" nickname="Ann" balance="$50.00" dealtin="true" />
<player seat="2" nickname="Bob" balance="$60.00" dealtin="true" />
<player seat="3" nickname="Cy" balance="$70.00" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="SMALL_BLIND" timestamp="1376869696875" player="2" amount="1.00"/>
<event sequence="2" type="BIG_BLIND" timestamp="1376869696875" player="3" amount="2.00"/>
</round>
<round id="PREFLOP" sequence="2">
<event sequence="3" type="CALL" timestamp="1376869696875" player="1" amount="2.00"/>
<event sequence="4" type="FOLD" timestamp="1376869696875" player="2"/>
<event sequence="5" type="CHECK" timestamp="1376869696875" player="3"/>
</round>
<round id="POSTFLOP" sequence="3">
<event sequence="6" type="BET" timestamp="1376869696875" player="3" amount="4.00"/>
<event sequence="7" type="CALL" timestamp="1376869696875" player="2" amount="0.05"/>
<event sequence="8" type="FOLD" timestamp="1376869696875" player="1"/>
<cards type="COMMUNITY" cards="9c,3h,Ts" hand=""/>
</round>
<round id="END_OF_FOLDED_GAME" sequence="4">
<event sequence="9" type="MUCK" timestamp="1376869696875" player="3"/>
<winner amount="4.00" uncalled="true" potnumber="2" player="3" hand="" pottype="n"/>
<winner amount="4.75" uncalled="false" potnumber="1" player="3" hand="" pottype="n"/>
</round>
<round id="END_OF_GAME" sequence="5">
</round>
</game>
"""

BOVADA_OTHERS_SUMMARY = """\
Bovada Hand #127 TBL#7 HOLDEM No Limit - 2031-04-03 18:59:06
Seat 1: Dealer [ME] ($50 in chips)
Seat sit down
Seat 2: Small Blind ($60 in chips)
Table enter user
Seat 3: Big Blind ($70 in chips)
Dealer : Set dealer/Bring in spot [1]
Small Blind : Ante/Small Blind $1
Big Blind : Big blind/Bring in $2
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [7c 2c]
Small Blind : Card dealt to a spot [5s 9h]
Big Blind : Card dealt to a spot [7s 6h]
Dealer [ME] : Folds
Small Blind : Calls $1
Big Blind : Checks
*** FLOP *** [3d Qs Qc]
Small Blind : Bets $2
Big Blind : Folds
Small Blind : Return uncalled portion of bet $2
Small Blind : Does not show [5s 9h] (One pair)
Small Blind : Hand result $4
*** SUMMARY ***
Total Pot($57.50) | Rake ($2)
Board [Ad 3d 7h]
Seat 1: Dealer Folded on the FLOP
"""

BOVADA_ALL_IN_BLIND = """\
Bovada Hand #128  Zone Poker ID#289 HOLDEMZonePoker No Limit - 2031-11-05 19:19:58
Seat 4: Dealer [ME] ($12.73 in chips)
Seat 5: Small Blind ($5.84 in chips)
Seat 6: Big Blind ($0.05 in chips)
Dealer  [ME] : Set dealer/Bring in spot [4]
Small Blind : Ante/Small Blind $0.02
Big Blind : All-in $0.05
*** HOLE CARDS ***
Dealer  [ME] : Card dealt to a spot [4d Kh]
Small Blind : Card dealt to a spot [6d 9h]
Big Blind : Card dealt to a spot [Ac Jh]
Dealer  [ME] : Folds
Small Blind : Folds
Big Blind : Return uncalled portion of bet $0.03
Big Blind : Does not show [Ac Jh] (High Card)
Big Blind : Hand Result $0.04
*** SUMMARY ***
Total Pot($0.04)
"""

ABSOLUTE_STRANGERS = """\
Stage #141: Holdem  No Limit $0.50 - 2031-07-01 12:37:09 (ET)
Table: MADE UP (Real Money) Seat #6 is the dealer
Seat 6 - ANN ($90 in chips)
Seat 7 - BOB ($30 in chips)
Seat 8 - OUT ($20 in chips)
Seat 2 - CY ($100 in chips)
BOB - Posts small blind $0.25
DEE - Posts big blind $0.50
EVE - Posts $0.50
*** POCKET CARDS ***
CY - Calls $0.50
EVE - Checks
ANN - Folds
BOB - Folds
DEE - Checks
*** FLOP *** [6h 4c 5s]
DEE - Bets $2
CY - Folds
EVE - Folds
DEE - returned ($2) : not called
*** SHOW DOWN ***
DEE - Does not show
DEE Collects $1.70 from main pot
*** SUMMARY ***
Total Pot($1.75) | Rake ($0.05)
Board [6h 4c 5s]
"""

FULLTILT_TWO_SUMMARIES = """\
Full Tilt Poker Game #142: Table Made Up (heads up) - $5/$10 - No Limit Hold'em - 0:03:44 ET - 2031/07/01
Seat 1: Ann ($800)
Seat 2: Bob ($125)
Bob posts the small blind of $5
Ann posts the big blind of $10
The button is in seat #2
*** HOLE CARDS ***
Bob folds
Uncalled bet of $5 returned to Ann
Ann mucks
Ann wins the pot ($10)
*** SUMMARY ***
Total pot $10 | Rake $0
Seat 1: Ann (big blind) collected ($10), mucked
Seat 2: Bob (small blind) folded before the Flop

*** SUMMARY ***
Total pot $0 | Rake $0
Seat 1: Ann is sitting out
Seat 2: Zed (big blind) is sitting out
"""

FULLTILT_LEFT_BUTTON = """\
Full Tilt Poker Game #143: Table Made Up (6 max) - $5/$10 - $300 Cap No Limit Hold'em - 0:04:00 ET - 2031/07/01
Seat 2: Ann ($1,187)
Seat 3: Bob ($380.50)
Seat 4: Cy ($897.75)
Ann posts the small blind of $5
Bob posts the big blind of $10
The button is in seat #1
*** HOLE CARDS ***
Cy folds
Ann folds
Uncalled bet of $5 returned to Bob
Bob mucks
Bob wins the pot ($10)
*** SUMMARY ***
Total pot $10 | Rake $0
Seat 1: Zed (button) Seat 2: Ann (small blind) folded before the Flop
Seat 3: Bob (big blind) collected ($10), mucked
Seat 4: Cy didn't bet (folded)
"""

ONGAME_BROKE = """\
***** History for hand R5-1-144 *****
Start hand: Wed Jul 01 00:00:00 GMT-0910 2031
Table: Made Up [1] (NO_LIMIT TEXAS_HOLDEM $3/$6, Real money)
Button: seat 5
Players in round:  3
Seat 5: Ann ($300)
Seat 7: Bob ($1,384.85)
Seat 8: Cy ($1,117)
Bob posts small blind ($3)
Cy posts big blind ($6)
---
Dealing pocket cards
Ann raises $300 to $300 [all in]
Bob folds
Cy calls $294
--- Dealing flop [8d, 2h, 5s]
--- Dealing turn [Jc]
--- Dealing river [3c]
---
Summary:
Main pot: $603 won by Cy ($600)
Seat 5: Ann ($), net: -$300, [As, Kh]
Seat 7: Bob ($1,381.85), net: -$3
Seat 8: Cy ($1,417), net: +$300, [4s, 4h]
***** End of hand R5-1-144 *****
"""

ONGAME_SECOND_SMALL = """\
***** History for hand R5-1-145 *****
Start hand: Wed Jul 01 00:24:00 GMT-0910 2031
Table: Made Up [1] (NO_LIMIT TEXAS_HOLDEM $3/$6, Real money)
Button: seat 8
Players in round:  4
Seat 1: Ann ($800)
Seat 5: Bob ($600)
Seat 8: Cy ($530)
Seat 9: Dan ($594)
Dan posts small blind ($3)
Ann posts big blind ($6)
Bob posts small blind ($3)
---
Dealing pocket cards
Bob raises $15 to $18
Cy folds
Dan folds
Ann folds
---
Summary:
Main pot: $15 won by Bob ($15)
Seat 1: Ann ($794), net: -$6
Seat 5: Bob ($609), net: +$9
Seat 8: Cy ($530), net: -$0
Seat 9: Dan ($591), net: -$3
***** End of hand R5-1-145 *****
"""

ONGAME_BOTH_BLINDS = """\
***** History for hand R5-1-146 *****
Start hand: Wed Jul 01 00:28:00 GMT-0910 2031
Table: Made Up [1] (NO_LIMIT TEXAS_HOLDEM $3/$6, Real money)
Button: seat 3
Players in round:  4
Seat 2: Ann ($33.05)
Seat 3: Bob ($696)
Seat 4: Cy ($1,036.95)
Seat 10: Dan ($349.80)
Cy posts small blind ($3)
Dan posts big blind ($6)
Ann posts big blind ($6)
Ann posts small blind ($3)
---
Dealing pocket cards
Ann checks
Bob raises $24 to $24
Cy folds
Dan folds
Ann folds
---
Summary:
Main pot: $24 won by Bob ($24)
Seat 2: Ann ($24.05), net: -$9
Seat 3: Bob ($714), net: +$18
Seat 4: Cy ($1,033.95), net: -$3
Seat 10: Dan ($343.8), net: -$6
***** End of hand R5-1-146 *****
"""

ONGAME_LEFT_BUTTON = """\
***** History for hand R5-1-147 *****
Start hand: Wed Jul 01 00:22:00 GMT-0910 2031
Table: Made Up [1] (NO_LIMIT TEXAS_HOLDEM $3/$6, Real money)
Button: seat 2
Players in round:  4
Seat 1: Ann ($823)
Seat 4: Bob ($652)
Seat 8: Cy ($539)
Seat 9: Dan ($600)
Cy posts small blind ($3)
Dan posts big blind ($6)
---
Dealing pocket cards
Ann calls $6
Bob calls $6
Cy folds
Dan checks
--- Dealing flop [7s, Th, 4c]
Dan checks
Ann checks
Bob bets $16
Dan folds
Ann folds
---
Summary:
Main pot: $21 won by Bob ($20)
Seat 1: Ann ($817), net: -$6
Seat 4: Bob ($666), net: +$14
Seat 8: Cy ($536), net: -$3
Seat 9: Dan ($594), net: -$6
***** End of hand R5-1-147 *****
"""

PARTY_NO_FOLD = """\
***** Hand History for Game 148 *****
$600 USD NL Texas Hold'em - Wednesday, July 01, 18:38:39 EDT 2031
Table Made Up (Real Money)
Seat 3 is the button
Total number of players : 4
Seat 1: Ann ( $642.55 USD )
Seat 3: Bob ( $623.25 USD )
Seat 5: Cy ( $600 USD )
Seat 4: Dan ( $669 USD )
Dan posts small blind [$3 USD].
Cy posts big blind [$6 USD].
** Dealing down cards **
Ann raises [$18 USD]
Bob folds
Dan folds
Ann does not show cards.
Ann wins $27 USD
"""

PARTY_WINNER_HIDES = """\
***** Hand History for Game 149 *****
$600 USD NL Texas Hold'em - Wednesday, July 01, 18:48:44 EDT 2031
Table Made Up (Real Money)
Seat 3 is the button
Total number of players : 3
Seat 3: Ann ( $600 USD )
Seat 4: Bob ( $356 USD )
Seat 5: Cy ( $646.25 USD )
Bob posts small blind [$3 USD].
Cy posts big blind [$6 USD].
** Dealing down cards **
Ann calls [$6 USD]
Bob folds
Cy checks
** Dealing Flop ** [ Jc, 6s, 8c ]
Cy checks
Ann checks
** Dealing Turn ** [ 9c ]
Cy checks
Ann checks
** Dealing River ** [ Qd ]
Cy checks
Ann checks
Cy shows [ 7s, Ks ]high card King.
Ann wins $14.25 USD from the main pot with high card, Ace.
"""

STARS_IN_A_FORUM = """\
> PokerStars Zoom Hand #150:  Hold'em No Limit ($2.50/$5.00) - 2031/08/14 3:26:04 ET
> Table 'Made Up' 6-max Seat #1 is the button
> Seat 1: Ann ($574.70 in chips)
> Seat 2: Bob ($100 in chips)
>Seat 3: Cy ($611.85 in chips)
> Bob: posts small blind $2.50
>\xa0Cy: posts big blind $5
>  HOLE CARDS
> Dealt to Bob [Ad Ts]
> Ann: folds
> Bob: raises $10 to $15
> Cy: calls $10
>  FLOP  [Tc 8d Td]
> Bob: checks
> Cy: bets $45
> Bob: raises $40 to $85 and is all-in
> Cy: calls $40
>  TURN  [Tc 8d Td] [Js]
>  RIVER  [Tc 8d Td Js] [Qs]
>  SHOW DOWN
> Bob: shows [Ad Ts] (three of a kind, Tens)
> Cy: shows [Jc Jh] (a full house, Jacks full of Tens)
> Cy collected $198.50 from pot
>
>  SUMMARY
> Total pot $200 | Rake $1.50
> Board [Tc 8d Td Js Qs]
> Seat 3: Cy (big blind) showed [Jc Jh] and won ($198.50) with a full house, Jacks full of Tens
"""

WINNING_NO_RAKE_STATED = """\
Hand #151 - Holdem(No Limit) - $0.01/$0.02 - 2031/09/10 12:02:11 UTC
Made Up 6-max Seat #3 is the button
Seat 2: Ann ($0.80)
Seat 3: Bob ($2.94)
Seat 4: Cy ($2.14)
Seat 5: Dan ($0.80)
Cy posts the small blind $0.01
Dan posts the big blind $0.02
Ann posts dead $0.03
*** HOLE CARDS ***
Ann checks
Bob raises $0.08 to $0.08
Cy raises $0.25 to $0.26
Dan folds
Ann folds
Bob folds
Uncalled bet ($0.18) returned to Cy
Cy does not show
*** SUMMARY ***
Total pot $0.20
Seat 2: Ann folded on the Pre-Flop and did not bet
Seat 3: Bob (button) folded on the Pre-Flop
Seat 4: Cy did not show and won $0.20
Seat 5: Dan (big blind) folded on the Pre-Flop
"""

WINNING_JACKPOT_TABLE = """\
Game started at: 2031/3/25 20:35:20
Game ID: 152 0.10/0.25 Made Up (JP) - 6-Max (Hold'em)
Seat 5 is the button
Seat 1: Ann (30.20).
Seat 2: Bob (28.17).
Seat 5: Cy (7.92).
Player Ann has small blind (0.10)
Player Bob has big blind (0.25)
Player Cy received a card.
Player Cy received a card.
Player Ann received a card.
Player Ann received a card.
Player Bob received a card.
Player Bob received a card.
Player Cy folds
Player Ann calls (0.15)
Player Bob checks
*** FLOP ***: [3d 9d 6c]
Player Ann checks
Player Bob bets (0.50)
Player Ann folds
Uncalled bet (0.50) returned to Bob
Player Bob mucks cards
------ Summary ------
Pot: 0.36. Rake 0.05
Board: [3d 9d 6c]
Player Ann does not show cards.Bets: 0.25. Collects: 0. Loses: 0.25.
*Player Bob mucks (does not show cards). Bets: 0.25. Collects: 0.36. Wins: 0.11.
Player Cy does not show cards.Bets: 0. Collects: 0. Wins: 0.
Game ended at: 2031/3/25 20:36:3
"""

PPPOKER = """\
PPPoker Hand #153:  Hold'em No Limit ($0.30/$0.60 USD) - 2031/06/04 16:09:07 UTC
Table 'ClubId:1,Table:PPP_1' 6-max Seat #3 is the button
Seat 1: 11856 ($233.67 in chips)
Seat 3: 11641 ($162.02 in chips)
Seat 4: 11270 ($46.12 in chips)
11270: posts small blind $0.30
11856: posts big blind $0.60
*** HOLE CARDS ***
11641: raises $1.50 to $2.10
11270: folds
11856: calls $1.50
*** FLOP *** [Jc Ks 3d] {Rake: $0}
11856: bets $2.00
11641: calls $2.00
*** TURN *** [Jc Ks 3d] [2d] {Rake: $0}
11856: checks
11641: checks
*** RIVER *** [Jc Ks 3d 2d] [6d] {Rake: $0}
11856: checks
11641: checks
*** SHOW DOWN ***
11641 collected $8.08 from pot
*** SUMMARY ***
Total pot $8.50 | Rake $0.42
Board [Jc Ks 3d 2d 6d]
Seat 1: 11856 showed [8s Js]
Seat 3: 11641 showed [8d Kh]
Seat 4: 11270 folded on the Flop
Hand ended at 2031/06/04 16:09:07
"""

POKERTRACKER = """\
MERGE_GAME #154: Texas Hold'em NL $0.50/$1 01/01/2031 12:29:59
Table Made Up (30473104)
Seat 1: Ann ($85.27 in chips)
Seat 2: Bob ($153.56 in chips) DEALER
Seat 4: Cy ($12.50 in chips)
Seat 5: Dan ($192.16 in chips)
Seat 8: Eve ($100.00 in chips)
Cy: Post SB $0.50
Dan: Post BB $1.00
Eve: Post DB $1.50
*** HOLE CARDS ***
Dealt to Ann [7c 5d]
Eve: Check
Ann: Fold
Bob: Raise $4.00
Cy: Raise $9.00
Dan: Fold
Eve: Fold
Bob: Raise $40.00
Cy: Allin $3.50
*** FLOP *** [Jd 7d Kh]
*** TURN *** [4c]
*** RIVER *** [Qc]
*** SUMMARY ***
Bob: Shows [Qd Qh]
Cy: Shows [Ad Kd]
Bob: wins $53.50
"""

IPOKER_SHOOT_OUT = """\
<session sessioncode="155">
 <general>
  <mode>real</mode>
  <gametype>Holdem NL</gametype>
  <tablename>Made Up, 877281755</tablename>
  <tournamentcode>875000000</tournamentcode>
 </general>
 <game gamecode="155">
  <general>
   <startdate>2031-01-01 10:10:10</startdate>
   <players>
    <player dealer="1" win="2" bet="1" chips="1" seat="3" name="Ann"/>
    <player dealer="0" win="0" bet="1" chips="1" seat="8" name="Bob"/>
   </players>
  </general>
  <round no="0">
   <action cards="" player="Ann" sum="1" type="15" no="1"/>
   <action cards="" player="Bob" sum="1" type="15" no="2"/>
  </round>
  <round no="1">
   <cards player="Ann" type="Pocket">H7 DK</cards>
   <cards player="Bob" type="Pocket">C2 SQ</cards>
  </round>
  <round no="2">
   <cards player="" type="Flop">S9 S6 H6 </cards>
  </round>
  <round no="3">
   <cards player="" type="Turn">H8</cards>
  </round>
  <round no="4">
   <cards player="" type="River">C6</cards>
  </round>
 </game>
</session>
"""

MERGE_MONEY = """\
<description type="Holdem" stakes="No Limit ($1/$2)"/>
<game id="56-156" starttime="20310529033552" numholecards="2" realmoney="true" data="20310529|Made Up (56)|56|56-156|f">
	<players dealer="6">
		<player seat="2" nickname="Ann" balance="$7.95" dealtin="true" />
		<player seat="6" nickname="Bob" balance="$214.87" dealtin="true" />
		<player seat="7" nickname="Cy" balance="$200.00" dealtin="true" />
	</players>
	<round id="BLINDS" sequence="1">
		<event sequence="1" type="SMALL_BLIND" player="7" amount="1.00"/>
		<event sequence="2" type="BIG_BLIND" player="2" amount="2.00"/>
	</round>
	<round id="PREFLOP" sequence="2">
		<event sequence="3" type="FOLD" player="6"/>
		<event sequence="4" type="RAISE" player="7" amount="8.00"/>
		<event sequence="5" type="ALL_IN" player="2" amount="5.95"/>
		<cards type="SHOWN" cards="Qd,Td" player="2"/>
		<cards type="SHOWN" cards="Ac,Qc" player="7"/>
	</round>
	<round id="POSTFLOP" sequence="3">
		<cards type="COMMUNITY" cards="Ts,6c,6d"/>
	</round>
	<round id="POSTTURN" sequence="4">
		<cards type="COMMUNITY" cards="Ts,6c,6d,4c"/>
	</round>
	<round id="POSTRIVER" sequence="5">
		<cards type="COMMUNITY" cards="Ts,6c,6d,4c,Kh"/>
	</round>
	<round id="END_OF_GAME" sequence="6">
		<winner amount="15.10" uncalled="false" potnumber="1" player="2"/>
		<winner amount="0.05" uncalled="true" potnumber="2" player="7"/>
	</round>
</game>
"""

KINGSCLUB = """\
#157: No Limit Holdem - 125/250
2031-12-30 22:34:16
Table 'Made Up' Seat 1 is the button
Seat 1: Ann (325)
Seat 2: Bob (10,000)
Seat 3: Cy (10,000)
Seat 7: Hero (10,000)
Ann: posts ante 50
Bob: posts ante 50
Cy: posts ante 50
Hero: posts ante 50
Bob: posts the small blind 125
Cy: posts the big blind 250
*** HOLE CARDS ***
Dealt to Ann: [X X]
Dealt to Bob: [X X]
Dealt to Cy: [X X]
Dealt to Hero: [Qc Ks]
Hero raises to 625
Ann calls 275, and is all in
Bob folds
Cy calls 625
*** FLOP *** [8d 4d 3c]
Cy checks
Hero bets 1,200
Cy calls 1,200
*** TURN *** [8d 4d 3c] [5c]
Cy checks
Hero checks
*** RIVER *** [8d 4d 3c 5c] [7s]
Cy bets 3,333
Hero folds
Cy shows [Kd 6d]
Ann shows [3h 4s]
*** SUMMARY ***
Seat 1: Ann (0) -325
Seat 2: Bob (9,825) -175
Seat 3: Cy (12,375) +2,375
Seat 7: Hero (8,125) -1,875
Cy wins pot (1,150)
"""

TEXTS: dict[str, tuple[str, str, dict[str, float]]] = {
    "a cap that is not stated": ("fulltilt", FULLTILT_CAP, {"Ann": 2.8, "Bob": -0.1, "Cy": -3}),
    "run twice": ("fulltilt", FULLTILT_TWICE, {"Ann": -2, "Bob": -2, "Cy": 0}),
    "run twice, numbered": ("runitonce", RUN_IT_ONCE_TWICE, {"Ann": 0, "Bob": 0}),
    "no list of seats": ("fulltilt", FULLTILT_OBSERVED, {"Ann Lee": 50, "Bob": -50}),
    "King of the Hill": ("fulltilt", FULLTILT_KING, {"Ann": 30, "Bob": -30}),
    "thousands as K": ("fulltilt", FULLTILT_THOUSANDS, {"Ann": 600_000, "Bob": -600_000}),
    "Sit & Go": ("partypoker", PARTY_SIT_AND_GO, {"Ann": 175, "Bob": -160, "Cy": -15}),
    "euro and a stranger": ("partypoker", PARTY_EURO, {"Ann": 80, "Bob": 0, "Cy": -40, "dee77777": -40}),
    "PokerBros": ("partypoker", PARTY_CLUB, {"Ann": -2.5, "Bob": 3.2, "Cy": -1}),
    "Turbo": ("absolute", ABSOLUTE_TURBO, {"ANN": -5, "BOB": 40, "CY": -35}),
    "a negative ante": ("cake", CAKE_NEGATIVE, {"Ann": 1050, "Bob": -50, "Cy": -1000}),
    "splash": ("runitonce", RUN_IT_ONCE_SPLASH, {"Ann": -0.1, "Bob": -0.05, "Cy": 0.61}),
    "splash and walk": ("runitonce", RUN_IT_ONCE_WALK, {"Ann": 0, "Bob": -0.05, "Cy": 0.55}),
    "an all-in blind folds": ("pokerstars", STARS_BLIND_FOLDS, {"Ann": 140, "Bob": -40, "Cy": -100}),
    "an ante for less": ("pokerstars", STARS_SHORT_ANTE, {"Ann": -10, "Bob": -110, "Cy": 108, "Dan": 12}),
    "a short all-in": ("888", PACIFIC_SHORT_ALL_IN, {"Ann": 3.5, "Bob": -3, "Cy": -0.5}),
    "null": ("888", PACIFIC_NULL, {"Ann": 0.9, "Bob": -1}),
    "Cyrillic": ("888", PACIFIC_RUSSIAN, {"Ann": 0.9, "Bob": 0, "Cy": -1}),
    "nobody's name": ("winning", WINNING_UNKNOWN, {"Ann": 0, "Bob": -2, "Cy": 0, "unknown": 1.8}),
    "Spanish": ("ipoker", IPOKER_SPANISH, {"Ann": -0.2, "Bob": -0.1, "Cy": 0.3}),
    "version 2.1": ("merge", MERGE_VERSION, {"Ann": -80, "Bob": 120, "Cy": 0, "Dan": -40}),
    "a returning player": ("merge", MERGE_RETURN, {"Ann": 0, "Bob": -0.1, "Cy": 0.4, "Dan": -0.3}),
    "posted to play": ("microgaming", MICROGAMING_POSTED, {"Ann": -0.15, "Bob": 0, "Cy": -0.05, "Dan": 0.19}),
    "totals": ("microgaming", MICROGAMING_TOTALS, {"Ann": 0, "Bob": -0.05, "Cy": 9.81, "Dan": -10.76}),
    "an all-in blind": ("microgaming", MICROGAMING_ALL_IN_BLIND, {"Ann": 0, "Bob": 0, "Cy": 20, "Dan": -20}),
    "a jackpot": ("microgaming", MICROGAMING_JACKPOT, {"Ann": -22, "Bob": -1, "Cy": -2, "Dan": 25}),
    "Swedish": ("888", PACIFIC_SWEDISH, {"Ann": 3.6, "Bob": -4}),
    "thousands with points": ("partypoker", PARTY_POINTS, {"Ann": -400, "Bob": -1600, "Cy": 2000}),
    "antes alone": ("pkr", PKR_ANTES, {"Ann": 60, "Bob": -50, "Cy": -10}),
    "cashed out": ("pokerstars", STARS_CASHED_OUT, {"Ann": -40, "Bob": -0.8, "Cy": 38.8}),
    "cashed out, with a fee for the risk": ("ggpoker", GGPOKER_CASHED_OUT, {"Hero": 28.8, "b0b": -30, "c1": -1}),
    "run three times": ("ggpoker", GGPOKER_THRICE, {"Hero": 9.2, "b0b": -10.4, "c1": -1}),
    "limit, 888": ("888", PACIFIC_LIMIT, {"Ann": -0.86, "Bob": 0.77}),
    "a player without a name": ("888", PACIFIC_NAMELESS, {"Ann": -3, "Bob": -0.5, "seat 2": 3.5}),
    "two players without a name": ("888", PACIFIC_BOTH_NAMELESS, {"seat 5": 2.7, "seat 7": -3}),
    "limit, Winning": ("winning", WINNING_LIMIT, {"Ann": 6.5, "Bob": -6, "Cy": -1}),
    "limit, old Winning": ("winning", WINNING_OLD_LIMIT, {"Ann": 6.5, "Bob": -6, "Cy": -1}),
    "limit, PKR": ("pkr", PKR_LIMIT, {"Ann": 6.5, "Bob": -6, "Cy": -1}),
    "limit, BetOnline": ("betonline", BETONLINE_LIMIT, {"Ann": 6.5, "Bob": -6, "Cy": -1}),
    "one in another's seat": ("betonline", BETONLINE_ARRIVING, {"Ann": -20, "Bob": 30, "Cy": -10}),
    "limit, Everleaf": ("everleaf", EVERLEAF_LIMIT, {"Ann": 6.5, "Bob": -6, "Cy": -1}),
    "limit, Winamax": ("winamax", WINAMAX_LIMIT, {"Ann": -1, "Bob": -6, "Cy": 7.5, "Dan": -1}),
    "rounded chips": ("partypoker", PARTY_FLOAT, {"Ann": -166097088, "Bob": 166097088}),
    "folds in the summary": ("fulltilt", FULLTILT_SUMMARY, {"Ann": -15, "Bob": -30, "Cy": 45}),
    "protected": ("pkr", PKR_PROTECTED, {"Ann": -1, "Bob": 0, "Cy": 1}),
    "an act after a fold": ("merge", MERGE_FOLDED, {"Ann": -2, "Bob": -1, "Cy": 2.75}),
    "another hand's summary": ("bovada", BOVADA_OTHERS_SUMMARY, {"Hero": 0, "7 seat 2": 2, "7 seat 3": -2}),
    "blinds of players who are not listed": (
        "absolute",
        ABSOLUTE_STRANGERS,
        {"BOB": -0.25, "CY": -0.5, "DEE": 1.2, "EVE": -0.5},
    ),
    "two summaries": ("fulltilt", FULLTILT_TWO_SUMMARIES, {"Ann": 5, "Bob": -5}),
    "a button that has left": ("fulltilt", FULLTILT_LEFT_BUTTON, {"Ann": -5, "Bob": 5, "Cy": 0}),
    "nothing left": ("ongame", ONGAME_BROKE, {"Ann": -300, "Bob": -3, "Cy": 300}),
    "a second small blind": ("ongame", ONGAME_SECOND_SMALL, {"Ann": -6, "Bob": 9, "Cy": 0, "Dan": -3}),
    "both blinds": ("ongame", ONGAME_BOTH_BLINDS, {"Ann": -9, "Bob": 18, "Cy": -3, "Dan": -6}),
    "the button of another hand": ("ongame", ONGAME_LEFT_BUTTON, {"Ann": -6, "Bob": 14, "Cy": -3, "Dan": -6}),
    "a fold that is left out": ("partypoker", PARTY_NO_FOLD, {"Ann": 9, "Bob": 0, "Cy": -6, "Dan": -3}),
    "a winner who does not show": ("partypoker", PARTY_WINNER_HIDES, {"Ann": 8.25, "Bob": -3, "Cy": -6}),
    "in a forum": ("pokerstars", STARS_IN_A_FORUM, {"Ann": 0, "Bob": -100, "Cy": 98.5}),
    "a rake that is not stated": (
        "winning",
        WINNING_NO_RAKE_STATED,
        {"Ann": -0.03, "Bob": -0.08, "Cy": 0.12, "Dan": -0.02},
    ),
    "a jackpot that is not stated": ("winning", WINNING_JACKPOT_TABLE, {"Ann": -0.25, "Bob": 0.11, "Cy": 0}),
    "PPPoker": ("pppoker", PPPOKER, {"11856": -4.1, "11641": 3.98, "11270": -0.3}),
    "SupremaPoker": (
        "supremapoker",
        PPPOKER.replace("PPPoker Hand", "SupremaPoker Hand"),
        {"11856": -4.1, "11641": 3.98},
    ),
    "PokerTracker": ("pokertracker", POKERTRACKER, {"Ann": 0, "Bob": 13.5, "Cy": -12.5, "Dan": -1, "Eve": -1.5}),
    "antes that are all the chips": ("ipoker", IPOKER_SHOOT_OUT, {"Ann": 1, "Bob": -1}),
    "balances before the blinds": ("merge", MERGE_MONEY, {"Ann": 7.15, "Bob": 0, "Cy": -7.95}),
    "KingsClub": ("kingsclub", KINGSCLUB, {"Ann": -325, "Bob": -175, "Cy": 2375, "Hero": -1875}),
    "an all-in big blind": (
        *("bovada", BOVADA_ALL_IN_BLIND),
        {"Hero": 0, "zone 289 seat 5": -0.02, "zone 289 seat 6": 0.02},
    ),
}
