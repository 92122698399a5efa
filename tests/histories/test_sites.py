"""Text histories of poker sites. All hands here are made up."""

from __future__ import annotations

import codecs
import gzip
import io
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Hand
from pokermodel.histories import _blocks, _formats, _words, ohh, open_hands, phh
from pokermodel.histories._formats import MODULES
from pokermodel.learning.identity import identity
from pokermodel.learning.statistics import contributions
from pokermodel.learning.store import Book
from tests.common.damage import Drawn, damaged
from tests.histories import site_texts

PATH = Path("some.txt")

POKERSTARS = """\
PokerStars Hand #71:  Hold'em Limit ($2/$4 USD) - 2020/01/02 3:04:05 CET [2020/01/01 21:04:05 ET]
Table 'Made Up' 6-max Seat #5 is the button
Seat 1: Ann: folds ($100 in chips)
Seat 2: Bob (x) ($50.50 in chips)
Seat 3: C\u00e9cile ($80 in chips) is sitting out
Seat 5: Dan ($1,234.50 in chips)
Seat 6: Eve ($7 in chips)
Eve: posts small blind $1
Ann: folds: posts big blind $2
Fay: sits out
Bob (x): posts small & big blinds $3
*** HOLE CARDS ***
Dealt to Ann: folds [As Ad]
Bob (x): checks
Dan: raises $2 to $4
Eve: calls $3
Ann: folds: raises $2 to $6
Bob (x): folds
Dan said, "Eve: folds"
Dan: calls $2
Eve: calls $2
*** FLOP *** [Ks 7d 2c]
Eve: bets $1 and is all-in
Ann: folds: raises $2 to $3
Dan: calls $3
*** TURN *** [Ks 7d 2c] [2h]
Ann: folds: bets $4
Dan: calls $4
*** RIVER *** [Ks 7d 2c 2h] [9s]
Ann: folds: bets $4
Dan: folds
Uncalled bet ($4) returned to Ann: folds
*** SHOW DOWN ***
Ann: folds: shows [As Ad] (two pair, Aces and Deuces)
Ann: folds collected $11.50 from side pot
Eve: mucks hand
Ann: folds collected $23 from main pot
*** SUMMARY ***
Total pot $36 Main pot $24. Side pot $12. | Rake $1.50
Board [Ks 7d 2c 2h 9s]
Seat 1: Ann: folds (big blind) showed [As Ad] and won ($34.50) with two pair, Aces and Deuces
Seat 2: Bob (x) folded before Flop
Seat 5: Dan (button) folded on the River
Seat 6: Eve (small blind) mucked [Kh Qh]
"""

BOVADA = """\
Bovada Hand #5 TBL#88 HOLDEM  Fixed Limit - 2020-01-02 03:04:05
Seat 1: Dealer [ME] ($100 in chips)
Seat 2: Small Blind ($90 in chips)
Seat 4: Big Blind ($80.25 in chips)
Seat 5: UTG ($9 in chips)
Seat 6: UTG+1 ($50 in chips)
Dealer [ME] : Set dealer/Bring in spot [1]
Small Blind : Ante/Small Blind $1
Big Blind : Big blind/Bring in $2
UTG : Posts dead chip $3
UTG+1 : Seat sit out
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [4h 4d]
Small Blind : Card dealt to a spot [As Kd]
Big Blind : Card dealt to a spot [2c 7h]
UTG : Card dealt to a spot [9c 9d]
Table enter user
UTG : Raises $4
Dealer [ME] : Folds
Small Blind : Raises $6
Big Blind : Folds (timeout)
UTG : All-in(raise) $8
Small Blind : Calls $2
Card dealt to table [Ah Kc 3c]
Card dealt to table [3d]
Card dealt to table [Jc]
Small Blind : Showdown [As Ah Kd Kc Jc] (Two pair)
UTG : Mucks [9c 9d] (Two pair)
Small Blind : Hand result $18
UTG : Seat stand
*** SUMMARY ***
Total Pot($19) | Rake ($1)
Board [Ah Kc 3c 3d Jc]
Seat 2: Small Blind $18  with Two pair [As Kd-As Ah Kd Kc Jc]
"""

FULLTILT = """\
Full Tilt Poker Game #33: Table Made Up (6 max) - FL Hold'em - $1/$2 - 01:02:03 ET - 2020/01/02
Seat 1: Ann ($20)
Seat 2: Bob ($30), is sitting out
Seat 4: Cy C ($9.50)
Seat 5: Dan ($40)
Cy C posts the small blind of $0.50
Dan posts the big blind of $1
The button is in seat #1
*** HOLE CARDS ***
Dealt to Dan [Qs Qd]
Ann raises to $2
Cy C folds
Dan calls $1
*** FLOP *** [5c Qc 2d] (Total Pot: $4.50, 2 Players)
Dan checks
Ann bets $1
Dan raises to $2
Ann folds
Uncalled bet of $1 returned to Dan
Dan mucks
Dan wins the pot ($6.25)
*** SUMMARY ***
Total pot $6.50 | Rake $0.25
Board: [5c Qc 2d]
Seat 5: Dan (big blind) collected ($6.25), mucked
"""

PARTYPOKER = """\
Game #44 starts.

#Game No : 44
***** Hand History for Game 44 *****
FL Texas Hold'em  Trny:5 Level:1  Stakes(20/40) - Tuesday, July 17, 21:37:31 CET 2020
Table Made Up (5) Table #1 (Real Money)
Seat 1 is the button
Total number of players : 4/10
Seat 1: Ann ( 1,000 )
Seat 3: Bob ( 2,000 )
Seat 4: Cy ( 95 )
Seat 7: Dan Dee ( 500 )
Trny:5 Level:1
Stakes(20/40)
** Dealing down cards **
Dealt to Ann [  5h Ac ]
Dan Dee raises [40]
Ann folds
Bob folds
Cy calls [20]
** Dealing Flop ** [ 7h, Qs, 3c ]
Cy bets [20]
Dan Dee raises [40]
Cy is all-In [35]
Dan Dee calls [15]
** Dealing Turn ** [ 9h ]
** Dealing River ** [ 4s ]
Cy shows [ 7s, 7c ]three of a kind, Sevens.
Dan Dee shows [ Ad, Qd ]a pair of Queens.
Cy wins 200 chips from the main pot with three of a kind, Sevens.
"""

PARTYPOKER_MONEY = """\
***** Hand History for Game 45 *****
\u20ac0,50/\u20ac1 EUR FL Texas Hold'em - Sunday, January 05, 19:00:12 CET 2020
Table Made Up (Real Money)
Seat 3 is the button
Total number of players : 2/6
Seat 1: Ann ( \u20ac2,02 EUR )
Seat 3: Bob ( \u20ac5,11 EUR )
Bob posts small blind [\u20ac0,25 EUR].
Ann posts big blind [\u20ac0,50 EUR].
** Dealing down cards **
Bob folds
Ann does not show cards.
Ann wins \u20ac0,75 EUR
"""

ABSOLUTE = """\
Stage #C77: Holdem  Normal $2/$4 - 2020-01-02 03:04:05 (ET)
Table: MADE UP (Real Money) Seat #4 is the dealer
Seat 4 - ANN ($12 in chips)
Seat 5 - BOB - B ($13 in chips)
Seat 1 - CY ($9 in chips)
BOB - B - Posts small blind $1
CY - Posts big blind $2
*** POCKET CARDS ***
Dealt to ANN [10c 8h]
ANN - Raises $4 to $4
BOB - B - Folds
CY - Calls $2
*** FLOP *** [Qs Ks 6s]
CY - Bets $2
ANN - Raises $4 to $4
CY - All-In(Raise) $3 to $5
ANN - Calls $1
*** TURN *** [Qs Ks 6s] [Js]
*** RIVER *** [Qs Ks 6s Js] [9d]
*** SHOW DOWN ***
CY - Shows [Ac Ah] (Pair)
ANN - Shows [10c 8h] (Straight)
ANN Collects $18 from main pot
*** SUMMARY ***
Total Pot($19) | Rake ($1)
Board [Qs Ks 6s Js 9d]
"""

CAKE = (
    """\
Hand#2-1 - Made Up 7 -- $2/$4 FL Hold'em -- 2020/01/02 - 03:04:05
""".replace("2-1", "21")
    + """\
Seat 3: Ann***1 ($30,50 in chips)
Seat 8: Bob ($20 in chips)
Seat 9: Cy***3 ($10 in chips) DEALER
Ann***1: posts small blind $1
Bob: posts big blind $2
Dealt to Bob [7c,5h]
Cy***3: calls $2
Ann***1: folds
Bob: checks
*** FLOP *** [6d,8c,4s]
Bob: bets $2
Cy***3: raises to $4
Bob: calls $2
*** TURN *** [Qd]
Bob: bets $4
Cy***3: is all in $4
*** RIVER *** [2h]
Bob: shows [7c 5h]
***SHOW DOWN***
Bob wins $20,50 with Straight Eight high
Cy***3: mucks [Qs,Qh] (Set) .
"""
)

ENTRACTION = """\
Game # 21 - Texas Hold'em Fixed Limit EUR 10/20 - Table "Made Up"

Players(max 6):
Ann B                       (EUR 468.50 in seat 4)
Cy                          (EUR 528.50 in seat 5)

Dealer:                     Cy
Small Blind:                Ann B       (5.00)
Big Blind:                  Cy          (10.00)

Ann B was dealt:            9c - 7d

Ann B                       Raise       (15.00)
Cy                          Call        (10.00)

Flop                        2c - Ad - 4h

Ann B                       Check
Cy                          Bet         (10.00)
Ann B                       Fold
Cy                          Payback     (10.00)

Cy didn't show hand

Cy wins:                    EUR 39.25
Rake:                       EUR 0.75
"""

EVEREST = """\
<SESSION time="1" id="1" type="ring" money="$" game="hold-em" gametype="fixed-limit"/>
<HAND time="1" id="75" index="7" blinds="$1/$2" stakes="$2/$4">
  <SEAT position="0" name="Ann &amp; Co" balance="2000"/>
  <SEAT position="2" name="Bob" balance="1150"/>
  <SEAT position="3" name="Cy" balance="150"/>
  <ANTE position="0" amount="50"/>
  <ANTE position="2" amount="50"/>
  <ANTE position="3" amount="50"/>
  <DEALER position="0"/>
  <BLIND position="2" amount="100" penalty="0"/>
  <BLIND position="3" amount="100" penalty="0"/>
  <HOLE position="2">--</HOLE>
  <HOLE position="0">Jh</HOLE>
  <HOLE position="2">--</HOLE>
  <HOLE position="0">Jd</HOLE>
  <BET position="0" amount="400"/>
  <BET position="2" amount="300"/>
  <COMMUNITY>10d, 10s, Kd</COMMUNITY>
  <BET position="2" amount="0"/>
  <BET position="0" amount="200"/>
  <FOLD position="2"/>
  <PUSH position="0" amount="200"/>
  <COMMUNITY>2c, 3c</COMMUNITY>
  <SHOW position="0">Jh, Jd</SHOW>
  <SHOW position="3">Kh, Ks</SHOW>
  <WIN position="0" amount="600" pot="1" potAmount="600"/>
  <WIN position="3" amount="450" pot="0" potAmount="450"/>
</HAND>
"""

TEXTS = {
    "pokerstars": POKERSTARS,
    "bovada": BOVADA,
    "fulltilt": FULLTILT,
    "partypoker": PARTYPOKER,
    "absolute": ABSOLUTE,
    "cake": CAKE,
    "entraction": ENTRACTION,
    "everest": EVEREST,
    **site_texts.TEXTS,
}
# payoffs in the text's money, after the rake
PAYOFFS = {
    "pokerstars": {"Eve": -7, "Ann: folds": 34.5 - 13, "Bob (x)": -3, "Dan": -13},
    "bovada": {"88 seat 2": 10, "88 seat 4": -2, "88 seat 5": -9, "Hero": 0},
    "fulltilt": {"Cy C": -0.5, "Dan": 3.25, "Ann": -3},
    "partypoker": {"Bob": -10, "Cy": 105, "Dan Dee": -95, "Ann": 0},
    "absolute": {"BOB - B": -1, "CY": -9, "ANN": 9},
    "cake": {"Ann***1": -1, "Bob": 10.5, "Cy***3": -10},
    "entraction": {"Ann B": -20, "Cy": 19.25},
    "everest": {"Bob": -4.5, "Cy": 3, "Ann & Co": 1.5},
    **site_texts.PAYOFFS,
}
# PHH says neither who posts in another's place nor who leaves out of turn
NOT_IN_PHH = ("pokerstars", "bovada", "888", "winning", "betonline", "pkr")


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def read(text: str | bytes, form: str) -> list[Hand]:
    data = text.encode() if isinstance(text, str) else text
    return list(MODULES[form].hands(PATH, stream(data)))


@pytest.mark.parametrize("form", TEXTS)
def test_one_hand(form: str) -> None:
    (hand,) = read(TEXTS[form], form)
    assert hand.source == form
    assert hand.stated_payoffs is not None
    stated = [payoff * hand.unit for payoff in hand.stated_payoffs]
    assert dict(zip(hand.players, stated, strict=True)) == pytest.approx(PAYOFFS[form])
    assert sum(hand.payoffs) == pytest.approx(0)
    if form not in NOT_IN_PHH:
        again = phh.loads(phh.dumps(hand))
        assert dict(zip(again.players, again.payoffs, strict=True)) == dict(
            zip(hand.players, hand.payoffs, strict=True)
        )


@pytest.mark.parametrize("form", TEXTS)
def test_lines_without_a_mark_are_no_first_lines(form: str) -> None:
    formats = _formats.SITE_FORMATS
    head = ("\ufeff  " + TEXTS[form] + "\n" + TEXTS["pokerstars"]).encode()
    found = _blocks.TextFormats(formats).found(head)
    assert found[0] == form
    assert found == _blocks.TextFormats({name: replace(each, marks=()) for name, each in formats.items()}).found(head)


HEROES = dict.fromkeys(TEXTS, "Ann") | {
    "pokerstars": "Ann: folds",
    "bovada": "Hero",
    "fulltilt": "Dan",
    "absolute": "ANN",
    "cake": "Bob",
    "entraction": "Ann B",
    "everest": "Ann & Co",
    "ggpoker": "Hero",
}


TABLES = {  # where that is not "Made Up"; what PKR says of it stands in front of the hand
    "bovada": "88",
    "partypoker": "Made Up (5) Table #1",
    "absolute": "MADE UP",
    "cake": "Made Up 7",
    "everest": None,
    "ggpoker": "MadeUp1",
    "winamax": "Made Up(7)#001",
    "888": "Made Up 6 Max",
    "winning": "Made Up (Cap)",
    "betonline": "5-001",
    "pkr": None,
}


@pytest.mark.parametrize("form", TEXTS)
def test_the_table_is_called_what_the_text_has(form: str) -> None:
    (hand,) = read(TEXTS[form], form)
    assert hand.table == TABLES.get(form, "Made Up")
    assert hand.public().table == hand.table
    for again in (phh.loads(phh.dumps(hand)) if form not in NOT_IN_PHH else hand, ohh.loads(ohh.dumps(hand))):
        assert again.table == hand.table


def test_a_table_without_a_name_is_none() -> None:
    (hand,) = read(TEXTS["pokerstars"].replace("Table 'Made Up'", "Table ''"), "pokerstars")
    assert hand.table is None
    (hand,) = read(TEXTS["pokerstars"].replace("Table 'Made Up'", "Table 'Ann's' b'"), "pokerstars")
    assert hand.table == "Ann's"


@pytest.mark.parametrize("form", TEXTS)
def test_the_hero_is_whom_the_text_deals_to(form: str) -> None:
    (hand,) = read(TEXTS[form], form)
    assert hand.hero == HEROES[form]
    assert hand.players.index(HEROES[form]) in hand.holdings
    assert hand.public().hero is None


@pytest.mark.parametrize(
    ("form", "dealt", "more"),
    [
        ("pokerstars", "Dealt to Ann: folds [As Ad]", "Dealt to Eve [Kh Qh]"),
        ("fulltilt", "Dealt to Dan [Qs Qd]", "Dealt to Ann [Ks Kd]"),
    ],
)
def test_a_text_that_deals_to_several_or_to_nobody_has_no_hero(form: str, dealt: str, more: str) -> None:
    for words in (f"{dealt}\n{more}", f"{more}\n{dealt}\n{more}", ""):
        (hand,) = read(TEXTS[form].replace(dealt, words), form)
        assert hand.hero is None
    (hand,) = read(TEXTS[form].replace(dealt, f"{dealt}\n{dealt}"), form)
    assert hand.hero == HEROES[form]


def test_bovada_deals_to_all_and_says_who_the_hero_is() -> None:
    (hand,) = read(BOVADA.replace(" [ME]", ""), "bovada")
    assert hand.hero is None
    assert len(hand.holdings) == 4


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "  \n").encode(),
        lambda text: ("\n\n" + text + "\n\n").encode(),
        lambda text: gzip.compress(text.encode()),
    ],
    ids=["bom", "utf-16", "crlf", "blanks", "empty lines", "gzip"],
)
def test_variants(tmp_path: Path, form: str, change) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a file"
    path.write_bytes(change(TEXTS[form]))
    source = open_hands(path)
    assert source.format == form
    assert list(source) == read(TEXTS[form], form)


@pytest.mark.parametrize("form", TEXTS)
def test_sniff(form: str) -> None:
    for head in TEXTS[form].encode(), TEXTS[form].encode("utf-16")[:501], TEXTS[form].encode()[:300]:
        assert [name for name, known in MODULES.items() if known.sniff(head, "x")] == [form]
    assert not MODULES[form].sniff(b"", "x")
    assert not MODULES[form].sniff(b"\xff\xfe\x00", "x")


@pytest.mark.parametrize("form", TEXTS)
def test_several_hands_of_which_one_is_damaged(form: str) -> None:
    text = TEXTS[form]
    damaged = "\n".join(text.splitlines()[:-4]).rstrip() + "\n"
    skipped: list[HistoryError] = []
    data = (text + damaged + text).encode()
    found = list(MODULES[form].hands(PATH, stream(data), skipped))
    assert found[0].id == found[-1].id
    assert len(found) + len(skipped) == 3
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is not None
        assert error.line > text.count("\n")


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("pokerstars", "Dealt to Ann: folds [As Ad]", "Dealt to Dan [Qc Qs]"),
        ("pokerstars", "Dealt to Ann: folds [As Ad]", "Dealt to Eve [Kh Qh]"),
        ("bovada", "[ME]", "[me]"),
        ("fulltilt", "Dealt to Dan [Qs Qd]", "Dealt to Ann [Ks Kd]"),
        ("partypoker", "Dealt to Ann [  5h Ac ]", "Dealt to Cy [ 7s, 7c ]"),
        ("absolute", "Dealt to ANN [10c 8h]", "Dealt to CY [Ac Ah]"),
        ("cake", "Dealt to Bob [7c,5h]", "Dealt to Cy***3 [Qs,Qh]"),
        ("entraction", "Ann B was dealt:            9c - 7d", "Cy was dealt:               Ac - 7h"),
        ("everest", '<HOLE position="0">Jh', '<HOLE position="0">--'),
    ],
)
def test_two_players_copies_are_one_hand(form: str, old: str, new: str) -> None:
    assert old in TEXTS[form]
    (ours,) = read(TEXTS[form], form)
    (theirs,) = read(TEXTS[form].replace(old, new).replace(" [me]", ""), form)
    with Book("sqlite://") as book:
        assert book.learn([ours, theirs]) == (1, 1)
    assert identity(ours) == identity(theirs)
    mine, yours = (
        [each[1:] for each in contributions(hand, list(hand.replay()))] for hand in (ours, theirs)
    )  # Bovada's names are not the same
    assert mine == yours
    (other,) = read(TEXTS[form].replace(ours.id, ours.id + "0"), form)
    assert identity(other) != identity(ours)


def test_cards_that_only_their_owner_saw_are_not_shown() -> None:
    # Dan calls to the end and loses: his own copy knows with what
    text = POKERSTARS.replace("Dan: folds\nUncalled bet ($4) returned to Ann: folds", "Dan: calls $4")
    text = text.replace("Eve: mucks hand", "Dan: mucks hand\nEve: mucks hand").replace("$11.50 from", "$19.50 from")
    text = text.replace("Total pot $36 Main pot $24. Side pot $12.", "Total pot $44 Main pot $24. Side pot $20.")
    text = text.replace("folded on the River", "folded").replace("Dealt to Ann: folds [As Ad]", "Dealt to Dan [Qc Qs]")
    for words in text, text.replace("Dan: mucks hand\n", ""):
        (hand,) = read(words, "pokerstars")
        assert hand.holdings[3] == card_indices("QcQs")
        assert hand.mucked == {0, 3}
        with Book("sqlite://") as book:
            book.learn([hand])
            assert book.profile("Dan").totals.showdowns.sum() == 0
            assert book.profile("Ann: folds").totals.showdowns.sum() == 1


def test_pokerstars() -> None:
    (hand,) = read(POKERSTARS, "pokerstars")
    assert hand.players == ("Eve", "Ann: folds", "Bob (x)", "Dan")
    assert hand.unit == Fraction(1, 2)
    assert (hand.currency, hand.id) == ("USD", "71")
    assert hand.spec.blinds == (2, 4, 4, 0)
    assert hand.spec.antes == (0, 0, 2, 0)
    assert hand.spec.bets == (4, 4, 8, 8)
    assert hand.stacks == (14, 200, 101, 2469)
    assert hand.holdings[0] == card_indices("KhQh")
    assert hand.mucked == {0}
    assert hand.payoffs == (-14, 46, -6, -26)  # before the rake
    names = [decision.name for decision in hand.replay()]
    assert names[:7] == ["check", "raise", "call", "raise", "fold", "call", "call"]


@pytest.mark.parametrize("second", TEXTS)
@pytest.mark.parametrize("first", TEXTS)
def test_hands_of_two_sites_in_one_file(tmp_path: Path, first: str, second: str) -> None:
    """Every hand is recognised for itself, in whatever order and with whatever between them."""
    hands = {form: read(TEXTS[form], form) for form in (first, second)}
    for order, between in ((first, second), "\n\n"), ((first, second, first), ""), ((first, first, second), "\ufeff\n"):
        path = tmp_path / "both.txt"
        path.write_text(between.join(TEXTS[form] for form in order), encoding="utf-8")
        source = open_hands(path, strict=False)
        assert source.format == "+".join(sorted({first, second}))
        assert [hand.id for hand in source] == [hands[form][0].id for form in order]
        assert source.skipped == []
        if "bovada" not in (first, second):  # whose players are named by who sits in a seat in turn
            assert list(source) == [hands[form][0] for form in order]


def test_a_damaged_hand_between_those_of_other_sites(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    damaged = FULLTILT.replace("Dan calls $1", "Dan calls $2")
    path.write_text(POKERSTARS + damaged + EVEREST.replace("hold-em", "omaha") + CAKE, encoding="utf-8")
    source = open_hands(path, strict=False)
    assert [hand.source for hand in source] == ["pokerstars", "cake"]
    assert [(error.hand, error.line) for error in source.skipped] == [
        ("33", POKERSTARS.count("\n") + 1 + FULLTILT[: FULLTILT.index("Dan calls $1")].count("\n")),
        ("75", (POKERSTARS + FULLTILT).count("\n") + 1),
    ]


def test_a_hand_of_another_game_ends_the_hand_before(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    other = """\
Winamax Poker - CashGame - HandId: #1-2-3 - Omaha pot limit (1/2) - 2020/01/02 03:04:05 UTC
*** FLOP *** [2c 2d 2h]
"""
    path.write_text(POKERSTARS + other + POKERSTARS, encoding="utf-8")
    source = open_hands(path, strict=False)
    assert list(source) == read(POKERSTARS, "pokerstars") * 2
    (error,) = source.skipped
    assert error.line == POKERSTARS.count("\n") + 1
    assert error.reason.startswith("only hold'em is supported, got 'Omaha")


def test_much_text_that_belongs_to_no_hand() -> None:
    """What follows a hand and is too much for one is not taken for a part of it; in the end nothing more is read."""
    lines = "something else\n" * 20_000
    text = POKERSTARS + lines + POKERSTARS
    skipped: list[HistoryError] = []
    hands = list(MODULES["pokerstars"].hands(PATH, stream(text.encode()), skipped))
    assert hands == read(POKERSTARS, "pokerstars") * 2
    (error,) = skipped
    assert str(error).endswith(": expected the first line of a hand, got 'something else'")
    assert error.line is not None
    assert 5_000 < error.line < 15_000


@pytest.mark.parametrize("line", ["", "no hand"])
def test_text_without_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_blocks, "MOST_WITHOUT", 20_000)

    class Endless(io.RawIOBase):
        rest = POKERSTARS.encode()

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.rest = self.rest or f"{line}\n".encode() * 1000
            buffer[: len(self.rest)], size = self.rest[: len(buffer)], min(len(self.rest), len(buffer))
            self.rest = self.rest[size:]
            return size

    skipped: list[HistoryError] = []
    hands = MODULES["pokerstars"].hands(PATH, io.BufferedReader(Endless()), skipped)
    assert next(hands).id == "71"
    with pytest.raises(HistoryError, match="20,000 lines without a hand: the rest is not read"):
        next(hands)


# one hand in several languages
LANGUAGES = {
    "English": """\
PokerStars Hand #88:  Hold'em Limit ($2/$4 USD) - 2020/01/02 3:04:05 ET
Table 'Made Up' 6-max Seat #2 is the button
Seat 1: Ann: x ($100 in chips)
Seat 2: Bob ($50 in chips) is sitting out
Seat 4: Cy ($11 in chips)
Cy: posts small blind $1
Ann: x: posts big blind $2
*** HOLE CARDS ***
Dealt to Cy [9s 9h]
Bob: raises $2 to $4
Cy: raises $2 to $6
Ann: x: folds
Bob: calls $2
*** FLOP *** [As Kd 2c]
Cy: checks
Bob: bets $2
Cy: calls $2
*** TURN *** [As Kd 2c] [9c]
Cy: bets $3 and is all-in
Bob: raises $4 to $7
Uncalled bet ($4) returned to Bob
*** RIVER *** [As Kd 2c 9c] [5h]
*** SHOW DOWN ***
Cy: shows [9s 9h] (three of a kind, Nines)
Bob: mucks hand
Cy collected $23 from pot
*** SUMMARY ***
Total pot $24 | Rake $1
Board [As Kd 2c 9c 5h]
Seat 4: Cy (small blind) showed [9s 9h] and won ($23) with three of a kind, Nines
""",
    "Portuguese": """\
Mão PokerStars #88:  Hold'em Limit ($2/$4 USD) - 2020/01/02 3:04:05 ET
Mesa 'Made Up' 6-max Lugar #2 é o botão
Lugar 1: Ann: x ($100 em fichas)
Lugar 2: Bob ($50 em fichas) está sit out
Lugar 4: Cy ($11, em fichas)
Cy: paga o small blind $1
Ann: x: paga o big blind $2
*** CARTAS DA MÃO ***
Cy recebe [9s 9h]
Bob: aumenta $2 para $4
Cy: aumenta $2 para $6
Ann: x: desiste
Bob: iguala $2
*** FLOP *** [As Kd 2c]
Cy: passa
Bob: aposta $2
Cy: iguala $2
*** TURN *** [As Kd 2c] [9c]
Cy: aposta $3 e está all-in
Bob: aumenta $4 para $7
Aposta não-igualada ($4) voltou para Bob
*** RIVER *** [As Kd 2c 9c] [5h]
*** SHOW DOWN ***
Cy: mostra [9s 9h] (trinca)
Cy recebeu $23 do pote
*** SUMÁRIO ***
Total pote $24 | comissão $1
Mesa [As Kd 2c 9c 5h]
Lugar 4: Cy (small blind) mostrou [9s 9h] e ganhou ($23)
""",
    "Russian": """\
Раздача PokerStars №88:  Холдем Лимитный ($2/$4 USD) - 02.01.2020 3:04:05 ВВ
Стол 'Made Up' 6-max Баттон на месте №2
Место 1: Ann: x ($100 фишек)
Место 2: Bob ($50 фишек)
Место 4: Cy ($11 фишек)
Cy: ставит малый блайнд $1
Ann: x: ставит большой блайнд $2
*** ЗАКРЫТЫЕ КАРТЫ ***
Карты Cy [9s 9h]
Bob: делает рейз $2 $4
Cy: делает рейз $2 $6
Ann: x: делает фолд
Bob: делает колл $2
*** ФЛОП *** [As Kd 2c]
Cy: делает чек
Bob: делает бет $2
Cy: делает колл $2
*** ТЕРН *** [As Kd 2c] [9c]
Cy: делает бет $3 и олл-ин
Bob: делает рейз $4 $7
Неуравненная ставка ($4) возвращается игроку Bob
*** РИВЕР *** [As Kd 2c 9c] [5h]
*** ВСКРЫТИЕ КАРТ ***
Cy: открывает [9s 9h] (тройку [девятки])
Cy получил $23 ( банк)
*** ИТОГ ***
Общий банк $24 | Доля $1
Борд [As Kd 2c 9c 5h]
Место 4: Cy (малый блайнд) открыл [9s 9h] и выиграл ($23) , собрав тройку [девятки]
""",
}


def test_languages(tmp_path: Path) -> None:
    hands = {name: read(text, "pokerstars") for name, text in LANGUAGES.items()}
    assert len(hands["English"]) == 1
    assert hands["Portuguese"] == hands["Russian"] == hands["English"]
    assert hands["English"][0].mucked == {2}
    path = tmp_path / "all"
    path.write_text(
        "".join(f"*********** № {k} **************\n{text}\n" for k, text in enumerate(LANGUAGES.values()))
        + "Main PokerStars n°89 :  Hold'em Limit ($2/$4 USD)\nSiège 1: Ann ($100 en jetons)\n\n"
        + LANGUAGES["English"]
    )
    source = open_hands(path, strict=False)
    assert source.format == "pokerstars"
    assert list(source) == hands["English"] * 4
    (error,) = source.skipped
    assert "only histories in English, Portuguese or Russian are supported" in error.reason


def test_pokerstars_heads_up_and_return_without_a_word() -> None:
    text = """\
PokerStars Zoom Hand #72: Tournament #1, $1+$0.10 USD 8-Game (Hold'em Limit, 20/40) - 2020/01/02 3:04:05 ET
Table '1 1' 2-max Seat #2 is the button
Seat 1: Ann (100 in chips)
Seat 2: Bob (100 in chips)
Bob: posts the ante 1
Ann: posts the ante 1
Bob: posts small blind 10
Ann: posts big blind 20
*** HOLE CARDS ***
Bob: raises 20 to 40
Ann: folds
Bob collected 42 from pot
*** SUMMARY ***
Total pot 42 | Rake 0
"""
    (hand,) = read(text, "pokerstars")
    assert hand.players == ("Bob", "Ann")
    assert hand.spec.first == (0, 1, 1, 1)
    assert hand.payoffs == hand.stated_payoffs == (21, -21)
    assert hand.currency == ""


def test_pokerstars_newcomers_small_blind_is_dead() -> None:
    text = POKERSTARS.replace("posts small & big blinds $3", "posts small blind $1").replace("checks", "folds", 1)
    text = text.replace("Bob (x): folds\nDan said", "Dan said").replace("$23 from main", "$21 from main")
    text = text.replace("Total pot $36", "Total pot $34")
    (hand,) = read(text, "pokerstars")
    assert hand.spec.blinds == (2, 4, 0, 0)
    assert hand.spec.antes == (0, 0, 2, 0)


def test_bovada_knows_all_cards() -> None:
    (hand,) = read(BOVADA, "bovada")
    assert set(hand.holdings) == {0, 1, 2, 3}
    assert hand.players == ("88 seat 2", "88 seat 4", "88 seat 5", "Hero")
    assert hand.spec.blinds == (4, 8, 8, 0)
    assert hand.spec.antes == (0, 0, 4, 0)
    assert hand.shown == (0, 2)
    assert hand.mucked == {2}


def test_bovada_takes_most_of_a_bet_for_a_whole_one() -> None:
    text = """\
Bovada Hand #9 TBL#88 HOLDEM  Fixed Limit - 2020-01-02 03:04:05
Seat 1: Dealer ($100 in chips)
Seat 2: Small Blind ($90 in chips)
Seat 4: Big Blind ($3.25 in chips)
Dealer : Set dealer/Bring in spot [1]
Small Blind : Ante/Small Blind $1
Big Blind : Big blind/Bring in $2
*** HOLE CARDS ***
Dealer : Card dealt to a spot [4h 4d]
Small Blind : Card dealt to a spot [As Kd]
Big Blind : Card dealt to a spot [2c 7h]
Dealer : Calls $2
Small Blind : Calls $1
Big Blind : Checks
Card dealt to table [Ah Kc 3c]
Small Blind : Checks
Big Blind : All-in $1.25
Dealer : Raises $4
Small Blind : Folds
Dealer : Return uncalled portion of bet $2.75
Card dealt to table [3d]
Card dealt to table [Jc]
Dealer : Hand result $8.50
*** SUMMARY ***
Total Pot($8.50)
Board [Ah Kc 3c 3d Jc]
"""
    (hand,) = read(text, "bovada")
    assert hand.spec.reopening == "whole"
    assert [decision.put_in * hand.unit for decision in hand.replay()] == [2, 1, 0, 0, Fraction(5, 4), 4, 0]


def test_bovada_follows_people_by_seat() -> None:
    first, second = read(BOVADA + BOVADA, "bovada")
    assert first.players[2] == "88 seat 5"
    assert second.players[2] == "88 seat 5 (2)"  # the first one stood up
    assert first.players[0] == second.players[0]


def test_bovada_without_streets_and_button() -> None:
    lines = [line for line in BOVADA.splitlines() if not line.startswith("Card dealt to table")]
    (hand,) = read("\n".join(lines).replace("Dealer [ME] : Set", "Set").replace("spot [1]", "spot"), "bovada")
    assert hand.board == card_indices("AhKc3c3dJc")
    assert hand.payoffs == read(BOVADA, "bovada")[0].payoffs


def test_blind_for_less() -> None:
    text = """\
Bovada Hand #6 TBL#88 HOLDEM Fixed Limit - 2020-01-02 03:04:05
Seat 1: Dealer ($100 in chips)
Seat 6: Big Blind ($1.50 in chips)
Dealer : Set dealer [1]
Dealer : Small Blind $1
Big Blind : All-in $1.50
*** HOLE CARDS ***
Dealer : Card dealt to a spot [4h 4d]
Big Blind : Card dealt to a spot [As Kd]
Dealer : Calls $0.50
*** FLOP *** [8h 3d 2s]
*** TURN *** [8h 3d 2s] [9s]
*** RIVER *** [8h 3d 2s 9s] [7c]
Dealer : Hand result $3
*** SUMMARY ***
Total Pot($3)
"""
    with pytest.raises(HistoryError, match=r"puts in 0\.25, expected 1"):
        read(text.replace("Calls $0.50", "Calls $0.25"), "bovada")
    whole = text.replace("Calls $0.50", "Calls $1").replace(
        "Dealer : Hand", "Dealer : Return uncalled portion of bet $0.50\nDealer : Hand"
    )
    for words in text, whole:  # some call for what the others have
        (hand,) = read(words, "bovada")
        assert hand.payoffs == hand.stated_payoffs == (3, -3)


def test_bovada_dead_small_blind() -> None:
    text = BOVADA.replace("dead chip $3", "dead chip $1").replace("($9 in", "($7 in")
    text = text.replace("All-in(raise) $8\nSmall Blind : Calls $2\n", "All-in $2\n").replace("$18", "$14")
    (hand,) = read(text.replace("Pot($19)", "Pot($15)"), "bovada")
    assert hand.spec.blinds == (4, 8, 0, 0)
    assert hand.spec.antes == (0, 0, 4, 0)


def test_fulltilt_all_in() -> None:
    text = FULLTILT.replace("Ann ($20)", "Ann ($2.50)").replace("Ann bets $1\n", "Ann bets $0.50, and is all in\n")
    text = text.replace("Dan raises to $2\nAnn folds\nUncalled bet of $1 returned to Dan\n", "Dan calls $0.50\n")
    text = text.replace(
        "Dan mucks\n", "*** TURN *** [5c Qc 2d] [3d]\n*** RIVER *** [5c Qc 2d 3d] [3h]\nDan shows [Qs Qd]\n"
    )
    text = text.replace("6.25", "5.25").replace("6.50", "5.50").replace("Board: [5c Qc 2d]", "Board: [5c Qc 2d 3d 3h]")
    (hand,) = read(text, "fulltilt")
    assert hand.payoffs == (-2, 12, -10)
    assert hand.mucked == {2}


def test_partypoker_money_and_decimal_comma() -> None:
    (hand,) = read(PARTYPOKER_MONEY, "partypoker")
    assert hand.currency == "EUR"
    assert hand.payoffs == hand.stated_payoffs == (-25, 25)


def test_partypoker_second_small_blind_counts_as_a_bet() -> None:
    text = """\
***** Hand History for Game 46 *****
$10/$20 USD Texas Hold'em - Sunday, January 05, 19:00:12 CET 2020
Table Made Up (Real Money)
Seat 2 is the button
Total number of players : 4/6
Seat 2: Ann ( $100 USD )
Seat 3: Bob ( $90 USD )
Seat 4: Cy ( $80 USD )
Seat 6: Dan ( $70 USD )
Bob posts small blind [$5 USD].
Cy posts big blind [$10 USD].
Dan posts small blind [$5 USD].
** Dealing down cards **
Dealt to Cy [  9c Ad ]
Dan calls [$5 USD]
Ann folds
Bob folds
Cy checks
** Dealing Flop ** [ Ah, 2h, Kh ]
Cy checks
Dan bets [$10 USD]
Cy calls [$10 USD]
** Dealing Turn ** [ 5h ]
Cy checks
Dan checks
** Dealing River ** [ 7c ]
Cy checks
Dan checks
Dan shows [ Th, 5c ]a flush, Ace high.
Cy doesn't show [ 9c, Ad ]a pair of Aces.
Dan wins $44 USD from the main pot with a flush, Ace high.
"""
    (hand,) = read(text, "partypoker")
    assert hand.spec.blinds == (5, 10, 5, 0)
    assert hand.spec.antes == ()
    assert hand.payoffs == (-5, -20, 25, 0)
    assert hand.mucked == {1}
    with pytest.raises(HistoryError, match="seat 2 cannot raise to 10: expected 20"):
        read(text.replace("USD Texas", "USD PL Texas"), "partypoker")


def test_partypoker_folds_early() -> None:
    text = PARTYPOKER.replace("Dan Dee raises [40]\nAnn folds\n", "Ann folds\nDan Dee raises [40]\n")
    (hand,) = read(text, "partypoker")
    assert hand.actions[0][:3] == (3, Act.FOLD, True)


def test_everest_small_blind_covers_a_short_big_one() -> None:
    text = EVEREST.replace('<BET position="0" amount="400"/>', '<FOLD position="0"/>')
    start, end = text.index('  <BET position="2" amount="300"'), text.index("  <SHOW")
    text = text[:start] + "  <COMMUNITY>10d, 10s, Kd, 2c, 3c</COMMUNITY>\n" + text[end:]
    text = text.replace('  <SHOW position="0">Jh, Jd</SHOW>\n', "").replace("4h5d", "")
    text = "\n".join(line for line in text.splitlines() if 'amount="600"' not in line)
    (hand,) = read(text.replace('amount="450"', 'amount="350"'), "everest")
    assert not hand.spec.full_blind
    assert hand.payoffs == hand.stated_payoffs
    assert hand.actions[-1][:3] == (0, Act.CALL, False)


@pytest.mark.parametrize(
    ("form", "old", "new", "line", "what"),
    [
        ("pokerstars", "Hold'em Limit (", "6+ Hold'em No Limit (", 1, "only hold'em is supported"),
        ("pokerstars", "Hold'em Limit (", "Omaha Pot Limit (", 1, "only hold'em is supported"),
        ("pokerstars", "raises $2 to $4", "raises $2 to $5", 15, "Dan bets or raises to 5, expected 4"),
        ("pokerstars", "Dan: calls $3", "Dan: calls $2", 25, "Dan puts in 2, expected 3"),
        ("pokerstars", "Bob (x): checks\n", "", 14, "it is the turn of Bob"),
        ("pokerstars", "[Ks 7d 2c]\n", "[Ks 7d 2x]\n", 22, "are not cards"),
        ("pokerstars", "[Ks 7d 2c]\n", "[Ks 7d]\n", 22, "2 cards on the board"),
        ("pokerstars", "[Kh Qh]", "[Ks Qh]", 1, "Ks"),
        ("pokerstars", "$11.50 from", "$12.50 from", 1, "36 .*|35.5 collected and a rake of 1.5"),
        ("pokerstars", "Total pot $36", "Total pot $37", 1, "a pot of 37, the replay one of 36"),
        ("pokerstars", "bet ($4) returned", "bet ($2) returned", 1, "expected 4 to Ann"),
        ("pokerstars", "Seat 2: Bob", "Seat 1: Bob", 4, "occurs twice in one hand"),
        ("pokerstars", "Dealt to Ann: folds", "Dealt to Zoe", 13, "Zoe has no seat"),
        ("pokerstars", "($7 in chips)", "($7,7,7 in chips)", 7, "is not an amount"),
        ("pokerstars", "Seat #5 is the button", "", 1, "who has the button"),
        ("pokerstars", "Dan: folds\n", "", 1, "cut short: it is the turn of Dan"),
        ("bovada", "HOLDEM  Fixed", "OMAHA  Fixed", 1, "only hold'em is supported"),
        ("bovada", "Hand result $18", "Hand result $17", 1, "17 collected and a rake of 1"),
        ("bovada", "Big Blind : Big blind/Bring in $2\n", "", 17, "Seat|88 seat"),
        ("bovada", "Board [Ah", "Board [Qh", 33, "the board is"),
        ("fulltilt", "FL Hold'em", "NL Hold'em", 11, "cannot raise to 8: expected 12"),
        ("fulltilt", "FL Hold'em", "FL Omaha Hi", 1, "only hold'em is supported"),
        ("partypoker", "FL Texas", "NL Texas", 17, "cannot raise to 40: expected 80"),
        ("partypoker", "Texas Hold'em", "Omaha", 5, "only hold'em is supported"),
        ("absolute", "Holdem", "Razz", 1, "only hold'em is supported"),
        ("cake", "FL Hold'em", "NL Omaha", 1, "only hold'em is supported"),
        ("entraction", "Hold'em Fixed Limit", "Stud", 1, "only hold'em is supported"),
        ("everest", ' stakes="$2/$4"', "", 2, "expected a hand with blinds and stakes"),
    ],
)
def test_what_is_wrong(form: str, old: str, new: str, line: int, what: str) -> None:
    assert old in TEXTS[form]
    with pytest.raises(HistoryError, match=what) as caught:
        read(TEXTS[form].replace(old, new, 1), form)
    assert (caught.value.path, caught.value.line) == (str(PATH), line)


def test_everest_without_a_cap() -> None:
    text = EVEREST.replace('"1150"', '"9150"').replace('"2000"', '"9000"').replace("Jh, Jd", "5c, 6c")
    start, end = text.index('  <BET position="2" amount="0"'), text.index("  <COMMUNITY>2c")
    bets = [(2, 200), (0, 400), (2, 400), (0, 400), (2, 400)]
    lines = [f'  <BET position="{position}" amount="{amount}"/>' for position, amount in bets]
    lines += ['  <FOLD position="0"/>', '  <PUSH position="2" amount="200"/>', ""]
    text = text[:start] + "\n".join(lines) + text[end:]
    text = text.replace('<SHOW position="0"', '<SHOW position="2"')
    text = text.replace('<WIN position="0" amount="600"', '<WIN position="2" amount="2200"')
    (hand,) = read(text, "everest")
    assert hand.spec.max_raises == (3, 5, 4, 4)
    assert hand.payoffs == hand.stated_payoffs


ABSOLUTE_BLINDS = """\
Stage #C78: Holdem  Normal $2/$4 - 2020-01-02 03:04:05 (ET)
Table: MADE UP (Real Money) Seat #4 is the dead dealer
Seat 5 - BOB ($13 in chips)
Seat 1 - CY ($1.50 in chips)
Seat 2 - DAN ($30 in chips)
BOB - Posts small blind $1
CY - All-In $1.50
*** POCKET CARDS ***
DAN - Raises $4 to $4
BOB - Calls $3
*** FLOP *** [Qs Ks 6s]
BOB - Bets $2
DAN - Folds
BOB - returned ($2) : not called
*** TURN *** [Qs Ks 6s] [Js]
*** RIVER *** [Qs Ks 6s Js] [9d]
*** SHOW DOWN ***
BOB - Shows [10c 8h] (Straight)
CY - Shows [Ac Ah] (Pair)
BOB Collects $5 from side pot-1
BOB Collects $4 from main pot
*** SUMMARY ***
Total Pot($9.50) | Rake ($0.50)
Board [Qs Ks 6s Js 9d]
"""


def test_absolute_all_in_blinds() -> None:
    (hand,) = read(ABSOLUTE_BLINDS, "absolute")
    assert hand.players == ("BOB", "CY", "DAN")
    assert [blind * hand.unit for blind in hand.spec.blinds] == [1, 2, 0]  # others call a whole blind
    assert hand.stacks is not None
    assert hand.stacks[1] * hand.unit == Fraction(3, 2)
    assert [payoff * hand.unit for payoff in hand.payoffs] == [Fraction(11, 2), Fraction(-3, 2), -4]
    # the small blind, likewise; the button has it
    text = ABSOLUTE_BLINDS.replace("BOB - Posts small blind $1", "BOB - All-In $0.75").replace("$13 in", "$0.75 in")
    text = text.replace("CY - All-In $1.50", "CY - Posts big blind $2").replace("$1.50 in", "$20 in")
    text = text.replace("BOB - Calls $3\n", "CY - Calls $2\n").replace("BOB - Bets $2\nDAN - Folds\n", "")
    text = text.replace("BOB - returned ($2) : not called\n", "CY - Checks\nDAN - Checks\n")
    text = text.replace("[Js]\n", "[Js]\nCY - Checks\nDAN - Checks\n").replace(
        "[9d]\n", "[9d]\nCY - Checks\nDAN - Checks\n"
    )
    text = text.replace(
        "BOB Collects $5 from side pot-1\nBOB Collects $4", "CY Collects $6.50 from side pot-1\nBOB Collects $2.25"
    )
    text = text.replace("Pot($9.50) | Rake ($0.50)", "Pot($8.75)").replace(
        "*** SHOW DOWN ***\n", "*** SHOW DOWN ***\nDAN - Mucks\n"
    )
    (hand,) = read(text, "absolute")
    assert hand.spec.blinds[0] * hand.unit == Fraction(3, 4)
    assert [payoff * hand.unit for payoff in hand.payoffs] == [Fraction(3, 2), Fraction(5, 2), -4]


TIME_OUT = """\
Stage #C79: Holdem  Normal $2/$4 - 2020-01-02 03:04:05 (ET)
Table: MADE UP (Real Money) Seat #2 is the dealer
Seat 5 - BOB ($13 in chips)
Seat 1 - CY ($40 in chips)
Seat 2 - DAN ($30 in chips)
BOB - Posts small blind $1
CY - Posts big blind $2
*** POCKET CARDS ***
DAN - Raises $4 to $4
BOB - Calls $3
CY - All-In
*** FLOP *** [Qs Ks 6s]
BOB - Checks
DAN - Bets $2
BOB - Calls $2
*** TURN *** [Qs Ks 6s] [Js]
BOB - Checks
DAN - Checks
*** RIVER *** [Qs Ks 6s Js] [9d]
BOB - Checks
DAN - Checks
*** SHOW DOWN ***
BOB - Shows [10c 8h] (Straight)
CY - Shows [As 2h] (Flush)
DAN - Mucks
BOB Collects $8 from side pot-1
CY Collects $5.50 from main pot
*** SUMMARY ***
Total Pot($14) | Rake ($0.50)
Board [Qs Ks 6s Js 9d]
"""


@pytest.mark.parametrize("words", ["All-In", "All-In ", "All-In (timeout)", "All-In(Timeout)"])
def test_absolute_all_in_because_time_ran_out(words: str) -> None:
    (hand,) = read(TIME_OUT.replace("All-In", words), "absolute")
    assert hand.stacks is not None
    assert [stack * hand.unit for stack in hand.stacks] == [13, 2, 30]
    assert [payoff * hand.unit for payoff in hand.payoffs] == [2, 4, -6]
    assert [decision.player for decision in hand.replay()] == ["DAN", "BOB", "BOB", "DAN", "BOB"] + ["BOB", "DAN"] * 2


def test_absolute_time_runs_out_after_a_check() -> None:
    """What they did without chips before is left out, and so is a bet that nobody could call."""
    text = TIME_OUT.replace("CY - All-In\n", "CY - Calls $2\n").replace(
        "BOB - Checks\nDAN - Bets", "BOB - Checks\nCY - Checks\nDAN - Bets"
    )
    text = text.replace("DAN - Bets $2\nBOB - Calls $2", "DAN - Bets $2\nBOB - Calls $2\nCY - All-In")
    text = (
        text.replace("$8 from side", "$4 from side")
        .replace("$5.50 from main", "$11.50 from main")
        .replace("($14)", "($16)")
    )
    (hand,) = read(text, "absolute")
    assert hand.stacks is not None
    assert hand.stacks[1] * hand.unit == 4
    assert [payoff * hand.unit for payoff in hand.payoffs] == [-2, 8, -6]
    assert [decision.player for decision in hand.replay() if decision.round == 1] == ["BOB", "DAN", "BOB"]
    text = text.replace(
        "DAN - Raises $4 to $4\nBOB - Calls $3\nCY - Calls $2", "DAN - Raises $4 to $4\nBOB - Folds\nCY - Calls $2"
    )
    text = text.replace("BOB - Checks\nCY - Checks", "CY - Checks").replace("BOB - Checks\nDAN - Checks\n", "")
    text = text.replace("BOB - Calls $2\nCY - All-In", "CY - All-In\nDAN - returned ($2) : not called")
    text = text.replace("BOB - Shows [10c 8h] (Straight)\n", "").replace("BOB Collects $4 from side pot-1\n", "")
    (hand,) = read(text.replace("$11.50", "$8.50").replace("($16)", "($9)"), "absolute")
    assert [payoff * hand.unit for payoff in hand.payoffs] == [-1, 5, -4]
    assert [decision.name for decision in hand.replay()] == ["raise", "fold", "call"]


def test_absolute_time_runs_out_without_chips() -> None:
    text = TIME_OUT.replace("DAN - Raises $4 to $4", "DAN - All-In").replace(
        "BOB - Calls $3\nCY - All-In", "BOB - Calls $1\nCY - Checks"
    )
    text = (
        text.replace("DAN - Bets $2\nBOB - Calls $2", "CY - Checks")
        .replace("DAN - Checks", "CY - Checks")
        .replace("DAN - Mucks\n", "")
    )
    text = text.replace("BOB Collects $8 from side pot-1\n", "").replace("$5.50", "$3.50").replace("($14)", "($4)")
    (hand,) = read(text, "absolute")
    assert hand.actions[0][:2] == (2, Act.FOLD)
    assert [payoff * hand.unit for payoff in hand.payoffs] == [-2, 2, 0]


def test_absolute_limit_tournament() -> None:
    text = ABSOLUTE.replace("#C77: Holdem  Normal $2/$4", "#77 Tourney ID 5 Holdem  Single Tournament Normal 2/4")
    text = text.replace("$18", "19").replace(" | Rake ($1)", "").replace("$", "")
    (hand,) = read(text, "absolute")
    assert (hand.id, hand.currency, hand.stated_payoffs) == ("77", "", hand.payoffs)


def test_everest_new_level() -> None:
    """Its first hand still has the stakes of the level before."""
    text = EVEREST.replace("$", "")
    (before,) = read(text, "everest")
    text = text.replace('blinds="1/2" stakes="2/4"', 'blinds="0.50/1" stakes="1/2"')
    (hand,) = read(text, "everest")
    assert (hand.spec, hand.payoffs) == (before.spec, before.payoffs)
    # blinds of 1000 and more, the big blind not short
    text = text.replace('blinds="0.50/1" stakes="1/2"', 'blinds="750/1 500" stakes="1 500/3 000"')
    numbers = re.compile(r'(balance|amount|potAmount)="([0-9]+)"')
    text = numbers.sub(lambda found: f'{found[1]}="{found[2]}000"', text).replace(
        'balance="150000"', 'balance="250000"'
    )
    text = text.replace('position="3" amount="100000"', 'position="3" amount="200000"')
    text = text.replace('amount="600000" pot="1" potAmount="600000"', 'amount="400000" pot="1" potAmount="400000"')
    text = text.replace('amount="450000" pot="0" potAmount="450000"', 'amount="750000" pot="0" potAmount="750000"')
    (hand,) = read(text, "everest")
    assert [bet * hand.unit for bet in hand.spec.bets] == [2000, 2000, 4000, 4000]
    assert [payoff * hand.unit for payoff in hand.payoffs] == [-4500 + 0, 5000, -500]


def test_everest_euro_after_the_amount_and_other_lines() -> None:
    text = EVEREST.replace(
        'blinds="$1/$2" stakes="$2/$4"', 'blinds="1,00 \u20ac/2,00 \u20ac" stakes="2,00 \u20ac/4,00 \u20ac"'
    )
    (hand,) = read('<CHAT text="hello"/>\n<PLACE name="x"/>\n' + text, "everest")
    assert (hand.currency, hand.payoffs) == ("EUR", read(EVEREST, "everest")[0].payoffs)


def test_everest_session_of_another_game() -> None:
    text = "\n" + EVEREST.replace("hold-em", "omaha")
    with pytest.raises(HistoryError, match=r":2: hand 75: only sessions of hold'em"):
        read(text, "everest")
    skipped: list[HistoryError] = []
    assert not list(MODULES["everest"].hands(PATH, stream(text.encode()), skipped))
    assert len(skipped) == 1


def test_everest_sessions_one_after_the_other() -> None:
    other = EVEREST.replace("hold-em", "omaha")
    text = EVEREST + other + EVEREST
    skipped: list[HistoryError] = []
    assert len(list(MODULES["everest"].hands(PATH, stream(text.encode()), skipped))) == 2
    assert [error.line for error in skipped] == [1 + EVEREST.count("\n")]


def test_files_of_several_encodings_in_one() -> None:
    data = POKERSTARS.encode() + POKERSTARS.encode("cp1252") + codecs.BOM_UTF8 + POKERSTARS.encode()
    names = POKERSTARS.replace("Dan", "D\x81n")  # a byte that the western encoding leaves open
    hands = read(data + names.encode("cp1252", "ignore").replace(b"Dn", b"D\x81n"), "pokerstars")
    assert len(hands) == 4
    assert hands[0] == hands[1] == hands[2]
    assert hands[3].players[-1] == "D\x81n"


def test_text_before_the_first_hand() -> None:
    with pytest.raises(HistoryError, match="expected the first line of a hand"):
        read("something\n" + POKERSTARS, "pokerstars")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$2,292.50", "2292.5"), ("126,50", "126.5"), ("1,077", "1077"), ("\u20ac0,02", "0.02"),
        ("30,112.50", "30112.5"),
        ("1.234,50", "1234.5"), ("15", "15"), ("$0.5.", "0.5"), ("1,000,000", "1000000"),
    ],
)  # fmt: skip
def test_amounts(text: str, value: str) -> None:
    assert Fraction(_words.amount(text), _words.ONE) == Fraction(value)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_mangled_text_gives_history_errors(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(sorted(TEXTS)))
    lines = TEXTS[form].splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["drop", "double", "cut", "swap", "digit"])):
        case "drop":
            del lines[place]
        case "double":
            lines.insert(place, lines[place])
        case "cut":
            lines[place] = lines[place][: data.draw(st.integers(0, len(lines[place])))]
        case "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
        case _:
            lines[place] = lines[place].translate(str.maketrans("0123456789", "9081726354"))
    skipped: list[HistoryError] = []
    for hand in MODULES[form].hands(PATH, stream("\n".join(lines).encode()), skipped):
        assert abs(sum(hand.payoffs)) < 1e-6
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is None or 1 <= error.line <= len(lines)


def read_anyhow(data: bytes, form: str) -> tuple[list[Hand], list[HistoryError]]:
    """Read what may be damaged: nothing but errors of a hand history, which say where, in a file and in a line."""
    skipped: list[HistoryError] = []
    hands = list(MODULES[form].hands(PATH, stream(data), skipped))
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is not None
        assert 1 <= error.line <= data.replace(b"\r", b"\n").count(b"\n") + 1
    return hands, skipped


@pytest.mark.parametrize("form", [*TEXTS, "Portuguese", "Russian"])
def test_truncated_at_every_byte(form: str) -> None:
    data = (TEXTS | LANGUAGES)[form].encode()
    form = form if form in TEXTS else "pokerstars"
    (whole,) = read(data, form)
    for size in range(len(data)):
        hands, _ = read_anyhow(data[:size], form)
        assert hands == [] or whole.actions[: len(hands[0].actions)] == hands[0].actions
        assert sum(hands[0].payoffs) == pytest.approx(0) if hands else True


@given(st.sampled_from([*TEXTS, "Portuguese", "Russian"]), st.data())
@settings(max_examples=200)
def test_mangled_bytes_give_history_errors(form: str, data: st.DataObject) -> None:
    text = damaged(((TEXTS | LANGUAGES)[form] * 2).encode(), Drawn(data), 5)
    head = text[:500]
    for known in MODULES.values():
        known.sniff(head, "x")
    hands, _ = read_anyhow(text, form if form in TEXTS else "pokerstars")
    for hand in hands:
        assert abs(sum(hand.payoffs)) < 1e-6
        assert list(hand.replay())


def test_real_hands(data_dir: Path) -> None:
    sites = data_dir / "sites-limit"
    if not sites.is_dir():
        pytest.skip(f"no {sites}")
    source = open_hands(sites, strict=False)
    assert len(list(source)) == 66
    assert source.skipped == []


def test_real_bovada(data_dir: Path) -> None:
    folder = data_dir / "bovada-limit"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    (path,) = folder.glob("*.txt")
    source = open_hands(path, strict=False)
    found = list(source)
    assert len(found) == 240
    assert all(len(hand.holdings) == hand.spec.players for hand in found)
    assert source.skipped == []
