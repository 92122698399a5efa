"""Histories of iPoker, Boss, Microgaming, Merge and OnGame: one made-up hand, told five times, and others."""

from __future__ import annotations

import io
from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure, Hand
from pokermodel.histories import open_hands
from pokermodel.histories._formats import MODULES
from pokermodel.histories._words import LineError
from pokermodel.histories._xml import parse
from tests.common.damage import Drawn, damaged

PATH = Path("some.xml")

IPOKER_SESSION = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="9">
 <general>
  <mode>real</mode>
  <gametype>Holdem NL</gametype>
  <currency>EUR</currency>
  <nickname>Ann</nickname>
 </general>
"""
IPOKER = """\
 <game gamecode="71">
  <general>
   <startdate>2020-01-02 03:04:05</startdate>
   <players>
    <player seat="1" name="Ann" chips="1,000" dealer="0" win="1,400" bet="1,000"/>
    <player seat="2" name="Bob" chips="300" dealer="0" win="1,160" bet="300"/>
    <player seat="3" name="Eve" chips="5,000" dealer="0" win="0" bet="0"/>
    <player seat="4" name="Cy &amp; Co" chips="3,000" dealer="0" win="110" bet="1,110"/>
    <player seat="5" name="Dan" chips="2,000" dealer="1" win="0" bet="260"/>
   </players>
  </general>
  <round no="0">
   <action no="1" player="Ann" type="15" sum="10" cards="[cards]"/>
   <action no="6" player="Ann" type="1" sum="50" cards="[cards]"/>
   <action no="2" player="Bob" type="15" sum="10" cards="[cards]"/>
   <action no="7" player="Bob" type="2" sum="100" cards="[cards]"/>
   <action no="3" player="Cy &amp; Co" type="15" sum="10" cards="[cards]"/>
   <action no="4" player="Dan" type="15" sum="10" cards="[cards]"/>
   <action no="5" player="Eve" type="8" sum="0" cards="[cards]"/>
  </round>
  <round no="1">
   <cards type="Pocket" player="Ann">HQ SQ</cards>
   <action no="10" player="Ann" type="23" sum="700" cards=""/>
   <cards type="Pocket" player="Bob">SA HA</cards>
   <action no="11" player="Bob" type="7" sum="190" cards=""/>
   <cards type="Pocket" player="Cy &amp; Co">DJ CJ</cards>
   <action no="8" player="Cy &amp; Co" type="23" sum="250" cards=""/>
   <action no="12" player="Cy &amp; Co" type="3" sum="450" cards=""/>
   <cards type="Pocket" player="Dan">X X</cards>
   <action no="9" player="Dan" type="3" sum="250" cards=""/>
   <action no="13" player="Dan" type="0" sum="0" cards=""/>
  </round>
  <round no="2">
   <cards type="Flop" player="">DK C7 S2</cards>
   <action no="14" player="Ann" type="5" sum="200" cards=""/>
   <action no="16" player="Ann" type="7" sum="90" cards=""/>
   <action no="15" player="Cy &amp; Co" type="23" sum="400" cards=""/>
  </round>
  <round no="3">
   <cards type="Turn" player="">D2</cards>
  </round>
  <round no="4">
   <cards type="River" player="">H9</cards>
  </round>
 </game>
"""

BOSS_ROOT = '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n'
BOSS = """\
<HISTORY ID="71" TABLE="Made Up" GAME="GAME_THM" GAMETYPE="GAMETYPE_REAL" GAMEKIND="GAMEKIND_TOURNAMENT" \
TABLECURRENCY="EUR" LIMIT="NL" STAKES="50.00/100.00" DATE="1577934245">
<PLAYER NAME="Ann" SEAT="1" AMOUNT="1000.00" STATE="STATE_PLAYING" DEALER="N"></PLAYER>
<PLAYER NAME="Bob" SEAT="2" AMOUNT="300.00" STATE="STATE_PLAYING" DEALER="N"></PLAYER>
<PLAYER NAME="UNKNOWN" SEAT="3" AMOUNT="0.00" STATE="STATE_EMPTY" DEALER="N"></PLAYER>
<PLAYER NAME="Cy &amp; Co" SEAT="4" AMOUNT="3000.00" STATE="STATE_PLAYING" DEALER="N"></PLAYER>
<PLAYER NAME="Dan" SEAT="5" AMOUNT="2000.00" STATE="STATE_SITOUT" DEALER="Y"></PLAYER>
<PLAYER NAME="UNKNOWN" SEAT="6" AMOUNT="0.00" STATE="STATE_EMPTY" DEALER="N"></PLAYER>
<ACTION TYPE="HAND_ANTE" PLAYER="Ann" VALUE="10.00"></ACTION>
<ACTION TYPE="HAND_ANTE" PLAYER="Bob" VALUE="10.00"></ACTION>
<ACTION TYPE="HAND_ANTE" PLAYER="Cy &amp; Co" VALUE="10.00"></ACTION>
<ACTION TYPE="HAND_ANTE" PLAYER="Dan" VALUE="10.00"></ACTION>
<ACTION TYPE="HAND_BLINDS" PLAYER="Bob" KIND="HAND_BB" VALUE="100.00"></ACTION>
<ACTION TYPE="HAND_BLINDS" PLAYER="Ann" KIND="HAND_SB" VALUE="50.00"></ACTION>
<ACTION TYPE="HAND_DEAL" PLAYER="Ann">
<CARD LINK="37"></CARD>
<CARD LINK="50"></CARD></ACTION>
<ACTION TYPE="HAND_DEAL" PLAYER="Bob">
<CARD LINK="b"></CARD>
<CARD LINK="b"></CARD></ACTION>
<ACTION TYPE="ACTION_RAISE" PLAYER="Cy &amp; Co" VALUE="250.00"></ACTION>
<ACTION TYPE="ACTION_CALL" PLAYER="Dan" VALUE="250.00"></ACTION>
<ACTION TYPE="ACTION_RAISE" PLAYER="Ann" VALUE="700.00"></ACTION>
<ACTION TYPE="ACTION_ALLIN" PLAYER="Bob" VALUE="290.00"></ACTION>
<ACTION TYPE="ACTION_CALL" PLAYER="Cy &amp; Co" VALUE="700.00"></ACTION>
<ACTION TYPE="ACTION_FOLD" PLAYER="Dan"></ACTION>
<ACTION TYPE="HAND_BOARD" VALUE="BOARD_FLOP" POT="1980.00">
<CARD LINK="12"></CARD>
<CARD LINK="19"></CARD>
<CARD LINK="40"></CARD></ACTION>
<ACTION TYPE="ACTION_BET" PLAYER="Ann" VALUE="200.00"></ACTION>
<ACTION TYPE="ACTION_RAISE" PLAYER="Cy &amp; Co" VALUE="400.00"></ACTION>
<ACTION TYPE="ACTION_ALLIN" PLAYER="Ann" VALUE="290.00"></ACTION>
<ACTION TYPE="HAND_BOARD" VALUE="BOARD_TURN" POT="2560.00">
<CARD LINK="12"></CARD>
<CARD LINK="19"></CARD>
<CARD LINK="40"></CARD>
<CARD LINK="1"></CARD></ACTION>
<ACTION TYPE="HAND_BOARD" VALUE="BOARD_RIVER" POT="2560.00">
<CARD LINK="12"></CARD>
<CARD LINK="19"></CARD>
<CARD LINK="40"></CARD>
<CARD LINK="1"></CARD>
<CARD LINK="34"></CARD></ACTION>
<SHOWDOWN NAME="HAND_SHOWDOWN" POT="2560.00" RAKE="0.00">
<RESULT PLAYER="Ann" WIN="1400.00" HAND="$(STR_G_WIN_TWOPAIR)">
<CARD LINK="37"></CARD>
<CARD LINK="50"></CARD></RESULT>
<RESULT PLAYER="Bob" WIN="1160.00" HAND="$(STR_G_WIN_TWOPAIR)">
<CARD LINK="39"></CARD>
<CARD LINK="26"></CARD></RESULT>
<RESULT PLAYER="Cy &amp; Co" WIN="0.00" HAND="$(STR_G_WIN_TWOPAIR)">
<CARD LINK="10"></CARD>
<CARD LINK="23"></CARD></RESULT>
<RESULT PLAYER="Dan" WIN="0.00" HAND="$(STR_G_FOLD)"></RESULT></SHOWDOWN></HISTORY>
"""

MICROGAMING = """\
<Game id="71" date="2020-01-02 03:04:05" tablename="Made Up" stakes="50|100" betlimit="NL" tabletype="MTT" \
gametype="Multi Table Hold&apos;em" realmoney="true" currencysymbol="" playerseat="1" istournament="1">
   <Seats>
      <Seat num="1" alias="Ann" balance="1000.00" endbalance="1400.00"/>
      <Seat num="2" alias="Bob" balance="300.00" endbalance="1160.00"/>
      <Seat num="4" alias="Cy &amp; Co" balance="3000.00" endbalance="2000.00"/>
      <Seat num="5" alias="Dan" balance="2000.00" endbalance="1740.00" dealer="true"/>
   </Seats>
   <Gameplay>
      <Action seq="1" type="Ante" seat="1" value="10.00"/>
      <Action seq="2" type="Ante" seat="2" value="10.00"/>
      <Action seq="3" type="Ante" seat="4" value="10.00"/>
      <Action seq="4" type="Ante" seat="5" value="10.00"/>
      <Action seq="5" type="SmallBlind" seat="1" value="50.00"/>
      <Action seq="6" type="BigBlind" seat="2" value="100.00"/>
      <Action seq="7" type="DealCards" seat="1">
         <Card value="Q" suit="h" id="50"/>
         <Card value="Q" suit="s" id="11"/>
      </Action>
      <Action seq="8" type="Raise" seat="4" value="250.00"/>
      <Action seq="9" type="Call" seat="5" value="250.00"/>
      <Action seq="10" type="Raise" seat="1" value="650.00"/>
      <Action seq="11" type="AllIn" seat="2" value="190.00"/>
      <Action seq="12" type="Call" seat="4" value="450.00"/>
      <Action seq="13" type="Fold" seat="5"/>
      <Action seq="14" type="DealFlop">
         <Card value="K" suit="d" id="38"/>
         <Card value="7" suit="c" id="19"/>
         <Card value="2" suit="s" id="1"/>
      </Action>
      <Action seq="15" type="Bet" seat="1" value="200.00"/>
      <Action seq="16" type="Raise" seat="4" value="400.00"/>
      <Action seq="17" type="AllIn" seat="1" value="90.00"/>
      <Action seq="18" type="DealTurn">
         <Card value="2" suit="d" id="27"/>
      </Action>
      <Action seq="19" type="DealRiver">
         <Card value="9" suit="h" id="47"/>
      </Action>
      <Action seq="20" type="ShowCards" seat="1">
         <Card value="Q" suit="h" id="50"/>
         <Card value="Q" suit="s" id="11"/>
      </Action>
      <Action seq="21" type="ShowCards" seat="2">
         <Card value="A" suit="s" id="0"/>
         <Card value="A" suit="h" id="39"/>
      </Action>
      <Action seq="22" type="ShowCards" seat="4">
         <Card value="J" suit="d" id="36"/>
         <Card value="J" suit="c" id="23"/>
      </Action>
      <Action type="Win">
         <Seat num="1" amount="1400.00" pot="1" type="" lowhandwin="0"/>
         <Seat num="2" amount="1160.00" pot="0" type="" lowhandwin="0"/>
      </Action>
   </Gameplay>
</Game>
"""

MERGE_ABOUT = '<description type="Holdem Tournament" stakes="No Limit"/>\n'
MERGE = """\
<game id="71" starttime="20200101220405" numholecards="2" gametype="23" realmoney="true" data="x">
	<players dealer="5">
		<player seat="1" nickname="Ann" balance="$940.00" dealtin="true" />
		<player seat="2" nickname="Bob" balance="$190.00" dealtin="true" />
		<player seat="3" nickname="Eve" balance="$5000.00" dealtin="false" />
		<player seat="4" nickname="Cy &amp; Co" balance="$2990.00" dealtin="true" />
		<player seat="5" nickname="Dan" balance="$1990.00" dealtin="true" />
	</players>
	<round id="BLINDS" sequence="1">
		<event sequence="1" type="ANTE" timestamp="1577934245000" player="1" amount="10.00"/>
		<event sequence="2" type="ANTE" timestamp="1577934245000" player="2" amount="10.00"/>
		<event sequence="3" type="ANTE" timestamp="1577934245000" player="4" amount="10.00"/>
		<event sequence="4" type="ANTE" timestamp="1577934245000" player="5" amount="10.00"/>
		<event sequence="5" type="SMALL_BLIND" timestamp="1577934245000" player="1" amount="50.00"/>
		<event sequence="6" type="BIG_BLIND" timestamp="1577934245000" player="2" amount="100.00"/>
	</round>
	<round id="PREFLOP" sequence="2">
		<event sequence="7" type="RAISE" timestamp="1577934246000" player="4" amount="250.00"/>
		<event sequence="7" type="CHAT" timestamp="1577934246000" player="Eve" text="hi"/>
		<event sequence="8" type="CALL" timestamp="1577934246000" player="5" amount="250.00"/>
		<event sequence="9" type="RAISE" timestamp="1577934246000" player="1" amount="700.00"/>
		<event sequence="10" type="ALL_IN" timestamp="1577934246000" player="2" amount="190.00"/>
		<event sequence="11" type="CALL" timestamp="1577934246000" player="4" amount="450.00"/>
		<event sequence="12" type="FOLD" timestamp="1577934246000" player="5"/>
		<cards type="HOLE" cards="Qh,Qs" player="1" hand="Pair of Queens"/>
	</round>
	<round id="POSTFLOP" sequence="3">
		<event sequence="13" type="BET" timestamp="1577934247000" player="1" amount="200.00"/>
		<event sequence="14" type="RAISE" timestamp="1577934247000" player="4" amount="400.00"/>
		<event sequence="15" type="ALL_IN" timestamp="1577934247000" player="1" amount="90.00"/>
		<event sequence="16" type="SHOW" timestamp="1577934247000" player="1"/>
		<cards type="COMMUNITY" cards="Kd,7c,2s" hand="Pair of Queens"/>
		<cards type="SHOWN" cards="Qh,Qs" player="1"/>
		<cards type="SHOWN" cards="As,Ah" player="2"/>
		<cards type="SHOWN" cards="Jd,Jc" player="4"/>
	</round>
	<round id="POSTTURN" sequence="4">
		<event sequence="17" type="ALL_IN" timestamp="1577934247000" player="1"/>
		<cards type="COMMUNITY" cards="Kd,7c,2s,2d" hand="Two Pair"/>
	</round>
	<round id="POSTRIVER" sequence="5">
		<event sequence="18" type="CHECK" timestamp="1577934247000" player="3"/>
		<cards type="COMMUNITY" cards="Kd,7c,2s,2d,9h" hand="Two Pair"/>
	</round>
	<round id="END_OF_GAME" sequence="6">
		<winner amount="110.00" uncalled="true" potnumber="3" player="4" hand="" pottype="n"/>
		<winner amount="1400.00" uncalled="false" potnumber="2" player="1" hand="" pottype="n"/>
		<winner amount="1160.00" uncalled="false" potnumber="1" player="2" hand="" pottype="n"/>
	</round>
</game>
"""

ONGAME = """\
***** History for hand T5-1-71 (TOURNAMENT: "Made Up", S-1-2, buy-in: $21) *****
Start hand: Thu Jan 02 03:04:05 GMT+0000 2020
Table: Made Up [1] (NO_LIMIT TEXAS_HOLDEM 50/100, ante: 10, Chips)
User: Ann
Button: seat 5
Players in round: 4 (6)
Seat 1: Ann (1000)
Seat 2: Bob (300)
Seat 4: Cy & Co (3000)
Seat 5: Dan (2000)
Ann posts ante 10
Bob posts ante 10
Cy & Co posts ante 10
Dan posts ante 10
Ann posts small blind (50)
Bob posts big blind (100)
---
Dealing pocket cards
Dealing to Ann: [Qh, Qs]
Cy & Co raises 250 to 250
Dan calls 250
Ann raises 450 to 700
Bob calls 190 [all in]
Cy & Co calls 450
Dan folds
--- Dealing flop [Kd, 7c, 2s]
Ann bets 200
Cy & Co raises 200 to 400
Ann calls 90 [all in]
--- Dealing turn [2d]
--- Dealing river [9h]
---
Summary:
Main pot: 1160 won by Bob (1160)
Side pot 1: 1400 won by Ann (1400)
Rake taken: $0
Seat 1: Ann (1400), net: +400, [Qh, Qs] (TWO_PAIR QUEEN, TWO)
Seat 2: Bob (1160), net: +860, [As, Ah] (TWO_PAIR ACE, TWO)
Seat 4: Cy & Co (2000), net: -1000, [Jd, Jc] (TWO_PAIR JACK, TWO)
Seat 5: Dan (1740), net: -260
***** End of hand T5-1-71 *****
"""

BEFORE = {"ipoker": IPOKER_SESSION, "boss": BOSS_ROOT, "microgaming": "----PRIMA.DAT----\n", "merge": MERGE_ABOUT}
HANDS = {"ipoker": IPOKER, "boss": BOSS, "microgaming": MICROGAMING, "merge": MERGE, "ongame": ONGAME}
AFTER = {"ipoker": "</session>\n", "boss": "</ROOT>\n", "microgaming": "\nExtendedTableName: Made Up [1]\n"}
XML = [form for form in HANDS if form != "ongame"]


def text(form: str, hands: str = "") -> str:
    return BEFORE.get(form, "") + (hands or HANDS[form]) + AFTER.get(form, "")


def read(words: str, form: str, skipped: list[HistoryError] | None = None) -> list[Hand]:
    return list(MODULES[form].hands(PATH, io.BufferedReader(io.BytesIO(words.encode())), skipped))


def changed(form: str, *changes: tuple[str, str]) -> Hand:
    words = text(form)
    for old, new in changes:
        assert old in words
        words = words.replace(old, new)
    (hand,) = read(words, form)
    return hand


@pytest.mark.parametrize("form", HANDS)
def test_one_hand(form: str) -> None:
    (hand,) = read(text(form), form)
    assert hand.source == form
    assert hand.id in ("71", "T5-1-71")
    assert hand.players == ("Ann", "Bob", "Cy & Co", "Dan")
    assert (hand.unit, hand.currency) == (1, "")
    assert hand.spec.structure is BettingStructure.NO_LIMIT
    assert hand.spec.blinds == (50, 100, 0, 0)
    assert hand.spec.antes == (10, 10, 10, 10)
    assert hand.stacks == (1000, 300, 3000, 2000)
    assert hand.board == card_indices("Kd7c2s2d9h")
    assert {seat: set(cards) for seat, cards in hand.holdings.items()} == {
        0: set(card_indices("QhQs")),
        1: set(card_indices("AsAh")),
        2: set(card_indices("JdJc")),
    }
    assert hand.mucked == set()
    assert hand.hero == "Ann"
    told = [(each.player, each.name, each.put_in) for each in hand.replay()]
    assert told == [
        *[("Cy & Co", "raise", 250), ("Dan", "call", 250), ("Ann", "raise", 650), ("Bob", "call", 190)],
        *[("Cy & Co", "call", 450), ("Dan", "fold", 0)],
        *[("Ann", "bet", 200), ("Cy & Co", "raise", 400), ("Ann", "call", 90)],
    ]
    assert hand.payoffs == hand.stated_payoffs == (400, 860, -1000, -260)
    moment = datetime(2020, 1, 2, 3, 4, 5, tzinfo=None if form in ("ipoker", "microgaming") else UTC)
    assert hand.time == moment


@pytest.mark.parametrize("form", HANDS)
def test_encodings_and_lines(tmp_path: Path, form: str) -> None:
    (hand,) = read(text(form), form)
    for words in (
        text(form).encode("utf-16"),
        text(form).replace("\n", "\r\n").encode(),
        text(form).replace("Dan", "D\u00e4n").encode("cp1252"),
    ):
        path = tmp_path / "a file"
        path.write_bytes(words)
        source = open_hands(path)
        assert source.format == form
        (again,) = source
        assert again.payoffs == hand.payoffs


@pytest.mark.parametrize("form", XML)
def test_xml_on_one_line(tmp_path: Path, form: str) -> None:
    words = text(form, HANDS[form] * 3)
    if form == "microgaming":
        words = words.removeprefix(BEFORE[form]).removesuffix(AFTER[form])
    path = tmp_path / "hands.xml"
    path.write_text(words.replace("\n", ""), encoding="utf-8")
    source = open_hands(path)
    assert source.format == form
    assert list(source) == read(text(form), form) * 3


@pytest.mark.parametrize("form", HANDS)
def test_damage_costs_the_hand_it_is_in(form: str) -> None:
    whole = HANDS[form]
    lines = whole.splitlines(keepends=True)
    damaged = {
        "cut": "".join(lines[: len(lines) // 2]),
        "first line": whole.replace(lines[0], lines[0].replace("<", "(", 1).replace("*****", "----"), 1),
    }
    if form in XML:
        damaged["unknown entity"] = whole.replace("&amp;", "&lol;", 1)
        damaged["bare ampersand"] = whole.replace("&amp;", "&", 1)
        damaged["attribute"] = whole.replace('="71"', '="71', 1)
        damaged["control character"] = whole.replace("Dan", "D\x01n", 1)
        damaged["depth"] = whole.replace("</", "<a>" * 20 + "</a>" * 20 + "</", 1)
    for what, hand in damaged.items():
        if form == "ongame" and what == "first line":
            continue  # the rest of it then follows the hand before
        skipped: list[HistoryError] = []
        words = text(form, whole + hand + whole)
        assert read(words, form, skipped) == read(text(form), form) * 2, what
        assert len(skipped) == 1, what
        before = (BEFORE.get(form, "") + whole).count("\n")
        assert skipped[0].line is not None
        assert before < skipped[0].line <= before + hand.count("\n") + 1, what


@pytest.mark.parametrize("form", HANDS)
def test_truncated_anywhere(form: str) -> None:
    """What is cut off is missed, unless it is no part of what was played and won."""
    words = text(form)
    (whole,) = read(words, form)
    for size in range(0, len(words), 7):
        skipped: list[HistoryError] = []
        for hand in read(words[:size], form, skipped):
            assert hand.actions == whole.actions
            assert hand.stated_payoffs == whole.stated_payoffs


@pytest.mark.parametrize("form", XML)
def test_a_hand_that_is_too_large(form: str) -> None:
    """It is refused; the hands before and after it are read."""
    huge = HANDS[form].replace("\n", "\n" + "<x/>\n" * 12_000, 1)
    skipped: list[HistoryError] = []
    assert len(read(text(form, HANDS[form] + huge + HANDS[form]), form, skipped)) == 2
    assert skipped
    long = HANDS[form].replace("\n", "\n<x y='" + "z" * (1 << 20) + "'/>\n", 1)
    skipped = []
    assert len(read(text(form, HANDS[form] + long + HANDS[form]), form, skipped)) == 2
    assert any("a hand of more than 1,048,576 characters" in error.reason for error in skipped)


@pytest.mark.parametrize(
    ("words", "line", "what"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>", 7, "a document type is declared"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd">\n<a/>', 7, "a document type is declared"),
        ("<a>\n&b;</a>", 8, "damaged XML: undefined entity"),
        ("<a>\n" * 13 + "</a>" * 13, 19, "nested more than 12 deep"),
        ("<a>\n<b></a>", 8, "damaged XML: mismatched tag"),
        ("<a>\n<b>\n", 9, "damaged XML: no element found"),
        ("<a>\n<b", 8, "damaged XML: unclosed token"),
        ("<a/>\n<b/>", 8, "damaged XML: junk after document element"),
        ("\n", 8, "damaged XML: no element found"),
        ("<a\nb='1' b='2'/>", 8, "damaged XML: duplicate attribute"),
    ],
)
def test_what_is_wrong_with_xml(words: str, line: int, what: str) -> None:
    with pytest.raises(LineError, match=what) as caught:
        parse(words, 7)
    assert caught.value.line == line


def test_xml() -> None:
    element = parse("<a b='&lt;&#65;'>\n<c n='7'>x</c><d/><c/>", 3)  # without its end
    assert (element.tag, element["b"], element.get("z"), element.line) == ("a", "<A", "", 3)
    assert [each.line for each in element.named("c")] == [4, 4]
    assert (element.child("c").text, element.child("c").number("n")) == ("x", 7)
    for wrong in (lambda: element["z"], lambda: element.child("z"), lambda: element.number("b")):
        with pytest.raises(LineError, match="<a> has"):
            wrong()


@pytest.mark.parametrize(
    ("form", "old", "new", "what"),
    [
        ("ipoker", "Holdem NL", "Six Plus Holdem NL", "only hold'em is supported, got 'Six Plus"),
        ("ipoker", "Holdem NL", "Omaha PL", "only hold'em is supported"),
        ("ipoker", 'type="23" sum="700"', 'type="99" sum="700"', "an action of the unknown type '99'"),
        ("ipoker", 'type="23" sum="700"', 'type="23" sum="120"', "the text differs from the rules"),
        ("ipoker", 'win="1,160"', 'win="1,170"', "collected"),
        ("ipoker", 'no="10"', 'no="ten"', "no='ten', expected a whole number"),
        ("boss", "GAME_THM", "GAME_OMA", "only hold'em is supported, got GAME_OMA NL"),
        ("boss", "HAND_SB", "HAND_XX", "unknown kind HAND_BLINDS HAND_XX"),
        ("boss", 'LINK="34"', 'LINK="52"', "'52' is not a card"),
        ("boss", 'POT="2560.00" RAKE', 'POT="2570.00" RAKE', "a pot of 2570, the replay one of 2560"),
        ("boss", 'VALUE="700.00"', 'VALUE="800.00"', "the text differs from the rules"),
        ("microgaming", "Hold&apos;em", "Omaha", "only hold'em is supported, got NL Multi Table Omaha"),
        ("microgaming", 'type="Ante"', 'type="Gift"', "an action of the unknown type 'Gift'"),
        ("microgaming", 'endbalance="2000.00"', 'endbalance="1890.00"', "Cy & Co has 1890 after the hand"),
        ("merge", 'type="Holdem T', 'type="Omaha T', "only hold'em is supported, got Omaha Tournament"),
        ("merge", 'type="CHAT"', 'type="GIFT" amount="5"', "an event of the unknown type 'GIFT'"),
        ("merge", ",9h", "", "the text has 4 cards of the board, expected 5"),
        ("merge", '<cards type="COMMUNITY" cards="Kd,7c,2s" ', "<x ", "the text has 0 cards of the board, expected 3"),
        ("merge", 'player="4" amount="450', 'player="7" amount="450', "it is the turn of seat 7"),
        ("ongame", "TEXAS_HOLDEM", "OMAHA", "only hold'em is supported, got 'NO_LIMIT OMAHA"),
        ("ongame", "posts small blind", "posts a hat", "Ann posts a hat .*: not a known blind or ante"),
        ("ongame", "Cy & Co (2000), net", "Cy & Co (1890), net", "Cy & Co has 1890 after the hand"),
        ("ongame", "won by Bob", "won by Eve", "expected a player and what they win"),
        ("ongame", "Seat 5: Dan (1740)", "Seat 5: Eve (1740)", "expected Dan and what they have"),
        ("ongame", "raises 450 to 700", "raises 450 to 690", "the text differs from the rules"),
    ],
)
def test_what_is_wrong(form: str, old: str, new: str, what: str) -> None:
    words = text(form)
    assert old in words
    with pytest.raises(HistoryError, match=what):
        read(words.replace(old, new, 1), form)


def test_without_what_is_said_in_front() -> None:
    with pytest.raises(HistoryError, match="the session of this hand is not known"):
        read(IPOKER, "ipoker")
    with pytest.raises(HistoryError, match="expected a description in front of the hand"):
        read(MERGE, "merge")
    skipped: list[HistoryError] = []
    damaged = IPOKER_SESSION.replace("</mode>", "</mood>")
    assert (
        read(text("ipoker") + damaged + IPOKER + text("ipoker"), "ipoker", skipped)
        == read(text("ipoker"), "ipoker") * 2
    )
    assert [error.reason for error in skipped] == [
        "damaged XML: mismatched tag",
        "the session of this hand is not known",
    ]


def test_ipoker_money() -> None:
    """A table with stakes, its currency, a newcomer's dead blind, and a player who leaves after the ante."""
    words = """\
<session sessioncode="9">
 <general><mode>real</mode><gametype>Holdem NL RSD1/RSD2</gametype><tablecurrency>RSD</tablecurrency>
 <currency>EUR</currency><nickname>Dan</nickname></general>
 <game gamecode="5"><general><startdate>07-Apr-2014 00:57:23</startdate><players>
 <player seat="1" name="Ann" chips="RSD45.70" dealer="1" win="RSD0" bet="RSD0.50"/>
 <player seat="2" name="Bob" chips="RSD1,061" dealer="0" win="RSD0" bet="RSD1.50"/>
 <player seat="3" name="Cy" chips="RSD50" dealer="0" win="RSD10" bet="RSD4.50"/>
 <player seat="4" name="Dan" chips="RSD16" dealer="0" win="RSD0" bet="RSD3.50"/>
 </players></general>
 <round no="0">
 <action no="1" player="Ann" type="15" sum="RSD0.50"/><action no="2" player="Bob" type="15" sum="RSD0.50"/>
 <action no="3" player="Cy" type="15" sum="RSD0.50"/><action no="4" player="Dan" type="15" sum="RSD0.50"/>
 <action no="5" player="Bob" type="1" sum="RSD1"/><action no="6" player="Cy" type="2" sum="RSD2"/>
 <action no="8" player="Dan" type="2" sum="RSD3"/>
 </round>
 <round no="1">
 <action no="7" player="Ann" type="9" sum="RSD0"/><cards type="Pocket" player="Dan">C10 DA</cards>
 <action no="9" player="Dan" type="4" sum="RSD0"/><action no="10" player="Bob" type="0" sum="RSD0"/>
 <action no="11" player="Cy" type="23" sum="RSD4"/><action no="12" player="Dan" type="0" sum="RSD0"/>
 </round></game></session>"""
    (hand,) = read(words, "ipoker")
    assert (hand.currency, hand.time) == ("RSD", datetime(2014, 4, 7, 0, 57, 23))
    assert hand.players == ("Bob", "Cy", "Dan", "Ann")
    assert [blind * hand.unit for blind in hand.spec.blinds] == [1, 2, 2, 0]
    assert [ante * hand.unit for ante in hand.spec.antes] == [0.5, 0.5, 1.5, 0.5]
    assert hand.actions[0][:3] == (3, Act.FOLD, True)
    assert [payoff * hand.unit for payoff in hand.payoffs] == [-1.5, 5.5, -3.5, -0.5]
    assert hand.holdings == {2: card_indices("TcAd")}
    play = words.replace("<mode>real", "<mode>fun")
    assert read(play, "ipoker")[0].currency == ""
    russian = words.replace("Holdem NL RSD1/RSD2", "Holdem \u0411\u041b \u20ac1/\u20ac2").replace(
        "RSD</table", "</table"
    )
    assert read(russian, "ipoker")[0].currency == "EUR"


# between two players: a raise to 4, of which 2 is uncalled, and a fold
LIMIT = {
    "ipoker": IPOKER_SESSION.replace("Holdem NL", "Holdem L $2/$4")
    + """\
<game gamecode="5"><general><startdate>2020-01-02 03:04:05</startdate><players>
<player seat="1" name="Ann" chips="$40" dealer="1" win="$6" bet="$4"/>
<player seat="2" name="Bob" chips="$50" dealer="0" win="$0" bet="$2"/>
</players></general>
<round no="0"><action no="1" player="Ann" type="1" sum="$1"/><action no="2" player="Bob" type="2" sum="$2"/></round>
<round no="1"><action no="3" player="Ann" type="23" sum="$4"/><action no="4" player="Bob" type="0" sum="$0"/></round>
</game>""",
    "boss": """\
<HISTORY ID="5" GAME="GAME_THM" GAMETYPE="GAMETYPE_REAL" GAMEKIND="GAMEKIND_CASH" TABLECURRENCY="USD" LIMIT="FL" \
STAKES="2.00/4.00" DATE="1577934245">
<PLAYER NAME="Ann" SEAT="1" AMOUNT="40.00" DEALER="Y"></PLAYER><PLAYER NAME="Bob" SEAT="2" AMOUNT="50.00"></PLAYER>
<ACTION TYPE="HAND_BLINDS" PLAYER="Bob" KIND="HAND_BB" VALUE="2.00"></ACTION>
<ACTION TYPE="HAND_BLINDS" PLAYER="Ann" KIND="HAND_SB" VALUE="1.00"></ACTION>
<ACTION TYPE="ACTION_RAISE" PLAYER="Ann" VALUE="4.00"></ACTION><ACTION TYPE="ACTION_FOLD" PLAYER="Bob"></ACTION>
<SHOWDOWN POT="4.00" RAKE="0.00"><RESULT PLAYER="Ann" WIN="4.00" HAND=""></RESULT></SHOWDOWN></HISTORY>""",
    "microgaming": """\
<Game id="5" date="2020-01-02 03:04:05" stakes="2|4" betlimit="FL" gametype="Hold&apos;em" realmoney="true" \
currencysymbol="IAAkAA==" istournament="0">
<Seats><Seat num="1" alias="Ann" balance="40" endbalance="42" dealer="true"/>
<Seat num="2" alias="Bob" balance="50"/></Seats>
<Gameplay><Action type="SmallBlind" seat="1" value="1"/><Action type="BigBlind" seat="2" value="2"/>
<Action type="Raise" seat="1" value="3"/><Action type="Fold" seat="2"/>
<Action type="MoneyReturned" seat="1" value="2"/><Action type="MuckCards" seat="1"/>
<Action type="Win"><Seat num="1" amount="4"/></Action></Gameplay></Game>""",
    "merge": """\
<description type="Holdem" stakes="Limit ($2/$4)"/>
<game id="5" starttime="20200102030405" numholecards="2" realmoney="true"><players dealer="1">
<player seat="1" nickname="Ann" balance="$39"/><player seat="2" nickname="Bob" balance="$48"/></players>
<round id="BLINDS"><event type="SMALL_BLIND" player="1" amount="1"/>
<event type="BIG_BLIND" player="2" amount="2"/></round>
<round id="PREFLOP"><event type="RAISE" player="1" amount="4"/><event type="FOLD" player="2"/></round>
<round id="END_OF_FOLDED_GAME"><event type="MUCK" player="1"/><winner amount="6" uncalled="false" player="1"/></round>
</game>""",
    "ongame": """\
***** History for hand 5 *****
Table: Made Up [1] (LIMIT TEXAS_HOLDEM $2/$4, Real money)
Button: seat 1
Seat 1: Ann ($40)
Seat 2: Bob ($50)
Ann posts small blind ($1)
Bob posts big blind ($2)
---
Dealing pocket cards
Ann raises $2 to $4
Bob folds
---
Summary:
Main pot: $4 won by Ann ($4)
Seat 1: Ann ($42), net: +$2
Seat 2: Bob ($48), net: -$2""",
}


@pytest.mark.parametrize("form", LIMIT)
def test_limit(form: str) -> None:
    (hand,) = read(LIMIT[form], form)
    assert (hand.id, hand.currency, hand.players) == ("5", "USD", ("Ann", "Bob"))
    assert hand.spec.structure is BettingStructure.LIMIT
    assert [bet * hand.unit for bet in hand.spec.bets] == [2, 2, 4, 4]
    assert [payoff * hand.unit for payoff in hand.payoffs] == [2, -2]
    assert [stack * hand.unit for stack in hand.stacks or ()] == [40, 50]
    assert [each.name for each in hand.replay()] == ["raise", "fold"]


@pytest.mark.parametrize("names", ["all", "calls"])
def test_boss_amounts_that_are_added(names: str) -> None:
    """Newer histories state what a call adds, and not the total."""
    changes = [('PLAYER="Cy &amp; Co" VALUE="700.00"', 'PLAYER="Cy &amp; Co" VALUE="450.00"')]
    if names == "all":
        changes += [
            ('PLAYER="Ann" VALUE="700.00"', 'PLAYER="Ann" VALUE="650.00"'),
            (
                'VALUE="290.00"></ACTION>\n<ACTION TYPE="ACTION_CALL"',
                'VALUE="190.00"></ACTION>\n<ACTION TYPE="ACTION_CALL"',
            ),
            ('PLAYER="Ann" VALUE="290.00"', 'PLAYER="Ann" VALUE="90.00"'),
        ]
    assert changed("boss", *changes) == read(text("boss"), "boss")[0]


def test_boss_without_a_button() -> None:
    (hand,) = read(text("boss"), "boss")
    assert changed("boss", (' DEALER="Y"', "")) == hand
    two = """\
<HISTORY ID="7" GAME="GAME_THM" GAMETYPE="GAMETYPE_REAL" GAMEKIND="GAMEKIND_CASH" TABLECURRENCY="SEK" LIMIT="PL" \
STAKES="5.00/10.00" DATE="1577934245">
<PLAYER NAME="Ann" SEAT="1" AMOUNT="1000.00"></PLAYER>
<PLAYER NAME="Bob" SEAT="2" AMOUNT="300.00"></PLAYER>
<ACTION TYPE="HAND_BLINDS" PLAYER="Ann" KIND="HAND_BB" VALUE="10.00"></ACTION>
<ACTION TYPE="HAND_BLINDS" PLAYER="Bob" KIND="HAND_SB" VALUE="5.00"></ACTION>
<ACTION TYPE="ACTION_CALL" PLAYER="Bob" VALUE="10.00"></ACTION>
<ACTION TYPE="ACTION_CHECK" PLAYER="Ann"></ACTION>
<ACTION TYPE="HAND_BOARD" VALUE="BOARD_FLOP" POT="20.00">
<CARD LINK="12"></CARD>
<CARD LINK="19"></CARD>
<CARD LINK="40"></CARD></ACTION>
<ACTION TYPE="ACTION_BET" PLAYER="Ann" VALUE="15.00"></ACTION>
<ACTION TYPE="ACTION_FOLD" PLAYER="Bob"></ACTION>
<SHOWDOWN NAME="HAND_SHOWDOWN" POT="19.00" RAKE="1.00">
<RESULT PLAYER="Ann" WIN="19.00" HAND="$(STR_BY_DEFAULT)"></RESULT></SHOWDOWN></HISTORY>
"""
    (hand,) = read(two, "boss")
    assert hand.players == ("Bob", "Ann")
    assert hand.spec.first == (0, 1, 1, 1)
    assert hand.spec.structure is BettingStructure.POT_LIMIT
    assert (hand.currency, hand.payoffs) == ("SEK", (-10, 10))
    assert hand.stated_payoffs == pytest.approx((-10, 9))


def test_boss_mucked_cards() -> None:
    hand = changed(
        "boss",
        (
            'PLAYER="Cy &amp; Co" WIN="0.00" HAND="$(STR_G_WIN_TWOPAIR)"',
            'PLAYER="Cy &amp; Co" WIN="0.00" HAND="$(STR_G_MUCK)"',
        ),
    )
    assert hand.mucked == {2}
    assert set(hand.holdings[2]) == set(card_indices("JdJc"))


def test_microgaming_raises_that_are_totals() -> None:
    again = changed("microgaming", ('value="650.00"', 'value="700.00"'))
    assert again == read(text("microgaming"), "microgaming")[0]


def test_microgaming_currency() -> None:
    money = [('istournament="1"', 'istournament="0"'), ("Multi Table ", "")]
    for sign, currency in ("rCA=", "EUR"), ("IAAkAA==", "USD"), ("?", ""):
        hand = changed("microgaming", *money, ('currencysymbol=""', f'currencysymbol="{sign}"'))
        assert hand.currency == currency


def test_merge_version_1() -> None:
    """It has the stacks before antes and blinds."""
    before = zip((940, 190, 2990, 1990), (1000, 300, 3000, 2000), strict=True)
    changes = [(f"${after}.00", f"${stack}.00") for after, stack in before]
    again = changed("merge", *changes, ('stakes="No Limit"', 'stakes="No Limit" version="1"'))
    assert again == read(text("merge"), "merge")[0]


def test_merge_raises_that_are_added() -> None:
    again = changed("merge", ('player="1" amount="700.00"', 'player="1" amount="650.00"'))
    assert again == read(text("merge"), "merge")[0]


MERGE_BLINDS = """\
<game id="72" starttime="2020/01/02 03:04:05 +0000" numholecards="2" realmoney="true" data="x">
	<players dealer="1">
		<player seat="1" nickname="Ann" balance="$990.00" dealtin="true" />
		<player seat="2" nickname="Bob" balance="$0.00" dealtin="true" />
		<player seat="3" nickname="Cy" balance="$890.00" dealtin="true" />
	</players>
	<round id="BLINDS" sequence="1">
		<event type="ANTE" player="1" amount="10.00"/>
		<event type="ANTE" player="2" amount="10.00"/>
		<event type="ANTE" player="3" amount="10.00"/>
		<event type="ALL_IN" player="2" amount="0.00"/>
		<event type="BIG_BLIND" player="3" amount="100.00"/>
	</round>
	<round id="PREFLOP" sequence="2">
		<event type="RAISE" player="1" amount="200.00"/>
		<event type="RAISE" player="3" amount="300.00"/>
		<event type="FOLD" player="1"/>
	</round>
	<round id="POSTFLOP" sequence="3">
		<cards type="COMMUNITY" cards="Kd,7c,2s"/>
	</round>
	<round id="POSTTURN" sequence="4">
		<cards type="COMMUNITY" cards="Kd,7c,2s,2d"/>
	</round>
	<round id="POSTRIVER" sequence="5">
		<cards type="COMMUNITY" cards="Kd,7c,2s,2d,9h"/>
	</round>
	<round id="SHOWDOWN" sequence="6">
		<cards type="SHOWN" cards="As,Ah" player="2"/>
		<cards type="MUCKED" cards="Jd,Jc" player="3"/>
	</round>
	<round id="END_OF_GAME" sequence="7">
		<winner amount="100.00" uncalled="true" potnumber="3" player="3"/>
		<winner amount="345.00" uncalled="false" potnumber="2" player="3"/>
		<winner amount="135.00" uncalled="false" potnumber="1" player="2"/>
	</round>
</game>
"""


def test_merge_all_in_blind_without_its_amount() -> None:
    """A small blind for less is stated as 0; how much it is follows from what is won."""
    about = MERGE_ABOUT
    words = MERGE_BLINDS.replace('"345.00"', '"330.00"')  # 3 * 10 + 3 * 35 to the winner, then 2 * 165
    (hand,) = read(about + words, "merge")
    assert hand.stacks is not None
    assert dict(zip(hand.players, (stack * hand.unit for stack in hand.stacks), strict=True))["Bob"] == 45
    paid = dict(zip(hand.players, (payoff * hand.unit for payoff in hand.payoffs), strict=True))
    assert paid == {"Bob": 90, "Cy": 120, "Ann": -210}
    assert hand.mucked == set()  # Cy won the side pot
    big = words.replace("ALL_IN", "SMALL_BLIND").replace('"0.00"', '"35.00"')
    assert read(about + big, "merge")[0].payoffs == hand.payoffs
    neither = words.replace("BIG_BLIND", "ALL_IN")
    with pytest.raises(HistoryError, match="no blind is posted in full"):
        read(about + neither, "merge")


def test_ongame_money_and_thousands() -> None:
    words = """\
***** History for hand R5-1-2 *****
Start hand: Sat Jan 04 05:34:19 GMT+0100 2020
Table: Made Up [1] (POT_LIMIT TEXAS_HOLDEM $2/$4, Real money)
User: Bob (x)
Button: seat 4
Players in round: 3 (6)
Seat 4: Ann ($266.50)
Seat 5: Bob (x) ($1,523.85)
Seat 6: Cy ($153)
Bob (x) posts small blind ($2)
Cy posts big blind ($4)
Ann posts dead blind ($2)
Ann posts big blind ($4)
---
Dealing pocket cards
Dealing to Bob (x): [5s, Qh]
Ann checks
Bob (x) calls $2
Cy checks
--- Dealing flop [Jh, Th, 5c]
Bob (x) checks
Cy checks
Ann checks
--- Dealing turn [Kc]
Bob (x) checks
Cy checks
Ann checks
--- Dealing river [3s]
Bob (x) bets $14
Cy calls $14
Ann folds
---
Summary:
Main pot: $42 won by Bob (x) ($20.50), Cy ($20.50)
Rake taken: $1
Seat 4: Ann ($260.50), net: -$6
Seat 5: Bob (x) ($1,526.35), net: +$2.50, [5s, Qh] (PAIR FIVE)
Seat 6: Cy ($155.50), net: +$2.50, [5d, Qc] (PAIR FIVE)
***** End of hand R5-1-2 *****
"""
    (hand,) = read(words, "ongame")
    assert hand.players == ("Bob (x)", "Cy", "Ann")
    assert hand.spec.structure is BettingStructure.POT_LIMIT
    assert hand.time == datetime(2020, 1, 4, 4, 34, 19, tzinfo=UTC)
    assert hand.currency == "USD"
    assert [payoff * hand.unit for payoff in hand.payoffs] == [3, 3, -6]
    assert hand.stated_payoffs is not None
    assert sum(hand.stated_payoffs) * hand.unit == pytest.approx(-1)
    assert read(words.replace("Real money", "Play money"), "ongame")[0].currency == ""


def test_ongame_ante_that_nobody_can_match() -> None:
    words = """\
***** History for hand T5-1-3 (TOURNAMENT: "Made Up") *****
Table: Table #1 [1] (NO_LIMIT TEXAS_HOLDEM 50000/100000, ante: 40000, Chips)
Button: seat 5
Seat 4: Ann (1)
Seat 5: Bob (4)
Ann posts ante 1
Bob posts ante 4
---
Dealing pocket cards
--- Dealing flop [8c, Td, 8d]
--- Dealing turn [Jd]
--- Dealing river [Th]
---
Summary:
Main pot: 2 won by Bob (2)
Rake taken: $0
Seat 4: Ann (0), net: -1, [Ac, 7d] (TWO_PAIR TEN, EIGHT)
Seat 5: Bob (5), net: +1, [8s, 3d] (FULL_HOUSE EIGHT, TEN)
***** End of hand T5-1-3 *****
"""
    (hand,) = read(words, "ongame")
    assert dict(zip(hand.players, hand.payoffs, strict=True)) == {"Ann": -1, "Bob": 1}


@given(st.sampled_from(list(HANDS)), st.data())
@settings(max_examples=150, deadline=None)
def test_mangled_bytes_give_history_errors(form: str, data: st.DataObject) -> None:
    words = damaged(text(form, HANDS[form] * 2).encode(), Drawn(data), 5)
    skipped: list[HistoryError] = []
    for known in MODULES.values():
        known.sniff(words[:500], "x")
    for hand in MODULES[form].hands(PATH, io.BufferedReader(io.BytesIO(words)), skipped):
        assert abs(sum(hand.payoffs)) < 1e-6
        assert list(hand.replay())
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is not None
        assert 1 <= error.line <= words.replace(b"\r", b"\n").count(b"\n") + 1


REAL = {  # hands, and why others are not read
    "ipoker": (78, {"only hold'em is supported, got 'Six Plus": 1}),
    "boss": (11, {}),
    "microgaming": (4, {}),
    "merge": (53, {"the text has 0 cards of the board, expected 3": 1}),
    "ongame": (5, {}),
}


@pytest.mark.parametrize("form", REAL)
def test_real_hands(data_dir: Path, form: str) -> None:
    folder = data_dir / "sites-nolimit" / form
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    source = open_hands(folder, strict=False)
    found = list(source)
    hands, reasons = REAL[form]
    assert len(found) == hands
    assert len(source.skipped) == sum(reasons.values())
    assert Counter(next(why for why in reasons if error.reason.startswith(why)) for error in source.skipped) == reasons
    assert {file.status for file in source.report().files if not file.path.endswith(".gt")} == {"read"}
    for hand in found:
        assert hand.stated_payoffs is not None
        rake = sum(hand.payoffs) - sum(hand.stated_payoffs)
        coin = float(Fraction(1, 100) / hand.unit)
        for payoff, stated in zip(hand.payoffs, hand.stated_payoffs, strict=True):
            assert payoff - rake - coin <= stated <= payoff + coin
