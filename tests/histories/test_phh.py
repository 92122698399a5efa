"""PHH: reading, writing, PokerKit beside it, damage."""

from __future__ import annotations

import io
import random
import re
import tomllib
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pokerkit
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokermodel import example_hand
from pokermodel.cards import cards_text
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.histories import open_hands, phh
from tests.common.damage import Drawn, damaged

RING = """\
# A comment before anything else.
variant = "FT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
starting_stacks = [200, 200, 55]
actions = [
  # the deal
  'd dh p1 AsAd',
  'd dh p2 ????',  # never seen
  'd dh p3 Ks??',
  'p3 cbr 20 # opens',
  'p1 cbr 30',
  'p2 f',
  'p3 cc',
  '# a comment alone',
  'd db 2c7d9h',
  'p1 cbr 10',
  'p3 cbr 20',
  'p1 cc',
  'd db 3s',
  'p1 cc',
  'p3 cbr 5',
  'p1 cc',
  'd db Jh',
  'p1 sm AsAd',
  'p3 sm KsKd',
]
players = ['Ann', 'Bob', "Cy d'Or"]
hand = 7
finishing_stacks = [265, 190, 0]
currency = 'USD'
"""
NO_LIMIT = """\
variant = 'NT'
antes = [0, 0, 0, 1]
blinds_or_straddles = [0.5, 1, 2, 0]  # a straddle
min_bet = 1
starting_stacks = [100, 61.27, 100, inf]
actions = [
  'd dh p1 AsAd',
  'd dh p2 QhQd',
  'd dh p3 7c2d',
  'd dh p4 ????',
  'p4 cbr 5.50',
  'p1 cbr 17.25',
  'p2 cbr 61.27',
  'p3 f',
  'p4 f',
  'p1 cc',
  'd db 2c7d9h',
  'd db 3s',
  'd db Jh',
  'p1 sm AsAd',
  'p2 sm QhQd',
]
hand = 12
currency = 'EUR'
"""
HEADS_UP = """\
variant = 'FT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cbr 20', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p2 cbr 10', 'p1 f']
"""
DECIMALS = """\
variant = 'FT'
antes = [0.1, 0.1, 0.1]
blinds_or_straddles = [0.25, 0.5, 0]
small_bet = 0.50
big_bet = 1
starting_stacks = [20, 20.05, 20.10]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 1.00', 'p1 f', 'p2 cc', 'd db 2c7d9h',
  'p2 cbr 0.5', 'p3 f']
"""


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def read(text: str) -> Hand:
    return phh.loads(text)


def test_ring() -> None:
    hand = read(RING)
    assert (hand.source, hand.id, hand.currency, hand.unit) == ("phh", "7", "USD", 1)
    assert hand.players == ("Ann", "Bob", "Cy d'Or")
    assert hand.stacks == (200, 200, 55)
    assert hand.spec.blinds == (5, 10, 0)
    assert hand.spec.bets == (10, 10, 20, 20)
    assert hand.spec.first == (2, 0, 0, 0)
    assert hand.spec.max_raises == (3, 4, 4, 4)
    assert cards_text(hand.board) == "2c7d9h3sJh"
    assert {seat: cards_text(cards) for seat, cards in hand.holdings.items()} == {0: "AsAd", 2: "KsKd"}
    assert " ".join(f"{d.player[0]}:{d.name}" for d in hand.replay()) == (
        "C:raise A:raise B:fold C:call A:bet C:raise A:call A:check C:bet A:call"
    )
    assert hand.payoffs == hand.stated_payoffs == (65, -10, -55)


def test_two_players_name_the_small_blind_first() -> None:
    hand = read(HEADS_UP)
    assert hand.spec.blinds == (10, 5)  # the first player has the big blind
    assert hand.spec.first == (1, 0, 0, 0)
    assert hand.players == ("p1", "p2")
    assert [d.seat for d in hand.replay()] == [1, 0, 0, 1, 0]
    assert hand.payoffs == (-20, 20)


def test_decimals_become_whole_chips() -> None:
    hand = read(DECIMALS)
    assert hand.unit == Fraction(1, 20)
    assert hand.spec.blinds == (5, 10, 0)
    assert hand.spec.antes == (2, 2, 2)
    assert hand.stacks == (400, 401, 402)
    assert hand.payoffs == (-7, 29, -22)


def test_infinite_stacks() -> None:
    assert read(HEADS_UP.replace("[500, 500]", "[inf, 300]")).stacks == (None, 300)
    assert read(HEADS_UP.replace("[500, 500]", "[inf, inf]")).stacks is None


def test_straddle_and_newcomer() -> None:
    # p3 straddles, so that p4 is the first to act; p5 posts as a newcomer, which does not make him last to act
    text = """\
variant = 'FT'
antes = [0, 0, 0, 0, 0]
blinds_or_straddles = [5, 10, 20, 0, -10]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500, 500, 500, 500]
actions = ['p4 f', 'p5 cc', 'p1 f', 'p2 f', 'p3 cbr 30', 'p5 f']
"""
    hand = read(text)
    assert hand.spec.blinds == (5, 10, 20, 0, 10)
    assert hand.payoffs == (-5, -10, 35, 0, -20)


def test_muck_and_blind_show() -> None:
    actions = "'d dh p1 ????', 'd dh p2 ????', 'p2 cc', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p2 cc', 'd db 3c', "
    actions += "'p1 cc', 'p2 cc', 'd db 4c', 'p1 cc', 'p2 cc', "
    text = re.sub(r"actions = .*", f"actions = [{actions}SHOWDOWN]", HEADS_UP)
    hand = read(text.replace("SHOWDOWN", "'p1 sm -', 'p2 sm'"))
    assert hand.mucked == {1}
    assert hand.payoffs == (10, -10)
    with pytest.raises(HistoryError, match="a showdown, but the cards of seat 0 are not known"):
        read(text.replace("SHOWDOWN", "'p1 sm -', 'p2 sm As2d'"))


def test_four_raises_before_the_flop_lift_the_cap() -> None:
    actions = "'p2 cbr 20', 'p1 cbr 30', 'p2 cbr 40', 'p1 cbr 50', 'p2 f'"
    text = re.sub(r"actions = .*", f"actions = [{actions}]", HEADS_UP)
    hand = read(text)
    assert hand.spec.max_raises == (4, 4, 4, 4)
    assert hand.payoffs == (40, -40)
    with pytest.raises(HistoryError, match=r"action 5, 'p2 cbr 60': seat 1 cannot raise"):
        read(text.replace("'p2 f'", "'p2 cbr 60'"))


def test_no_limit() -> None:
    hand = read(NO_LIMIT)
    assert hand.spec.structure is BettingStructure.NO_LIMIT
    assert (hand.unit, hand.spec.blinds, hand.spec.bets[0]) == (Fraction(1, 100), (50, 100, 200, 0), 100)
    assert hand.stacks == (10_000, 6_127, 10_000, None)
    raises = [(decision.seat, decision.to, decision.put_in) for decision in hand.replay() if decision.act == Act.RAISE]
    assert raises == [(3, 550, 550), (0, 1725, 1675), (1, 6127, 6027)]
    assert hand.payoffs == (6_127 + 550 + 100 + 200, -6_127, -200, -650)
    assert hand.stake == "0.5/1 EUR"


def test_pot_limit_is_written_as_no_limit() -> None:
    spec = GameSpec.pot_limit(3, 5, 10, stacks=(500, 400, 300))
    hand = Hand("x", "1", spec, "ABC", [Action(2, Act.RAISE, to=35), Action(0, Act.FOLD), Action(1, Act.FOLD)])
    text = phh.dumps(hand)
    assert phh.loads(text) == hand
    assert pokerkit.HandHistory.loads(text).variant == "NT"
    with pytest.raises(HistoryError, match="_pokermodel: a hand of no limit cannot be limit"):
        phh.loads(text.replace('"pot limit"', '"limit"'))


def test_two_boards() -> None:
    text = NO_LIMIT + """_pokermodel = { second_board = '2c7d9hQcQs' }\n"""
    with pytest.raises(HistoryError, match="two boards have the cards before the all-in in common, got 2"):
        read(text.replace("2c7d9hQcQs", "2c7d8hQcQs"))
    with pytest.raises(HistoryError, match="duplicate card"):
        read(text.replace("2c7d9hQcQs", "2c7d9hQcJh"))
    hand = read(text)
    assert hand.payoffs == ((6_977 - 6_127) / 2, (6_977 - 6_127) / 2, -200, -650)  # one board each
    assert phh.loads(phh.dumps(hand)) == hand


VALUES = [
    *("7", "007", "1_000", "-3", "1.50", "1e3", "inf", "true", "null", "12:30:01", "2009-07-01", "9" * 30),
    *("'a\"b'", '"a\'b"', "'\\'", '"\\n"', "'\t'", '"""x"""', "'x' # y", "'x' y"),
    *(
        "[]",
        "[1, 2,]",
        "[1, 2.50]",
        "['a', 'b']",
        "['a', \"b\"]",
        "[NaN]",
        "[inf]",
        "[null]",
        '[{"a": 1}]',
        "[[1], 2]",
        "[1 2]",
    ),
    *("['#']", "[1] # x", "[1,\n 2]", "{ a = 1 }", ""),
    *("[\n  'a # b',\n  'c',\n]", "[1,\r\n 2 , ]", "[1,\r 2]", "['a\nb']", "[1, # x\n 2]", "[,]", "[ , ]", "[1,,]"),
    *("['a',\t]", "['a', ',]']", "[\n]"),
]


@pytest.mark.parametrize("value", VALUES)
def test_a_plain_line_is_parsed_as_toml(value: str) -> None:
    try:
        expected = tomllib.loads(f"a = {value}", parse_float=Decimal)
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError):
            phh._parsed(f"a = {value}")
    else:
        assert repr(phh._parsed(f"a = {value}")) == repr(expected)


def test_actions_over_several_lines_are_not_left_to_the_parser_of_toml(monkeypatch: pytest.MonkeyPatch) -> None:
    text = phh.dumps(example_hand()).replace("'d db Kc'", "'d db Kc # the turn'")
    monkeypatch.setattr(phh, "_toml", None)
    assert phh.loads(text).board == example_hand().board


@given(st.data())
def test_plain_lines_are_parsed_as_toml(data: st.DataObject) -> None:
    line = st.one_of(
        st.sampled_from(NO_LIMIT.splitlines() + RING.splitlines()),
        st.builds("{} = {}".format, st.sampled_from(["a", "b", "c-1", "'d'"]), st.sampled_from(VALUES)),
        st.text(max_size=8),
    )
    text = "\n".join(data.draw(st.lists(line, max_size=6)))
    try:
        expected = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError):
            phh._parsed(text)
        return
    assert repr(phh._parsed(text)) == repr(expected)


def test_the_hand_that_ships_with_the_package() -> None:
    hand = example_hand()
    assert sum(hand.payoffs) == 0
    assert phh.loads(phh.dumps(hand)) == hand


DAMAGE = [  # text, what to replace by what, line of the report, what it says
    (
        RING,
        '"FT"',
        '"PO"',
        2,
        "variant 'PO' is not supported: expected 'FT' or 'NT', hold'em of fixed limit or no limit",
    ),
    (RING, '"FT"', '"NT"', 1, "min_bet: expected an amount, got None"),
    (RING, '"FT"', '["FT"]', 2, "variant ['FT'] is not supported"),
    (RING, 'variant = "FT"\n', "", 1, "there is no variant: expected 'FT'"),
    (NO_LIMIT, "cbr 5.50", "cbr 2.99", 6, "action 5, 'p4 cbr 2.99': seat 3 cannot raise to 299: expected 300 or more"),
    (NO_LIMIT, "cbr 5.50", "cbr lots", 6, "'lots' is not an amount"),
    (NO_LIMIT, "cbr 61.27", "cbr 61.5", 6, "cannot raise to 6150"),
    (RING, "[5, 10, 0]", "[5, 10]", 4, "blinds_or_straddles must have 3 entries, one a player, got 2"),
    (RING, "[5, 10, 0]", "5", 4, "blinds_or_straddles must be a list, got 5"),
    (RING, "[5, 10, 0]", "[5, 10, inf]", 4, "blinds_or_straddles: only stacks can be infinite"),
    (RING, "small_bet = 10\n", "", 1, "small_bet: expected an amount, got None"),
    (RING, "small_bet = 10", "small_bet = 0", 4, "bets must be 1 to"),
    (RING, "small_bet = 10", "small_bet = true", 5, "small_bet: expected an amount, got True"),
    (RING, "small_bet = 10", "small_bet = nan", 5, "small_bet: NaN is not an amount"),
    (RING, "small_bet = 10", "small_bet = 1e999999999", 5, "is not an amount that can be counted in chips"),
    (RING, "small_bet = 10", "small_bet = 0e-999999999", 4, "bets must be 1 to"),
    (RING, "200, 55", "200, 0", 7, "the stack of seat 2 must be 1 to"),
    (RING, "[200, 200, 55]", "[]", 3, "antes must have 0 entries"),
    (RING, "antes = [0, 0, 0]", "ante_trimming_status = true\nantes = [1, 0, 0]", 3, "are trimmed"),
    (RING, "['Ann', 'Bob',", "['Ann', 'Ann',", 30, "players must have different names"),
    (RING, "['Ann', 'Bob',", "['Ann', 5,", 30, "players must be names"),
    (RING, "'USD'", "5", 33, "currency must be text, got 5"),
    (RING, "'p2 f'", "'p2 f", 15, "not TOML, as PHH must be"),
    (RING, "'p2 f'", "5", 8, "action 6, 5: expected text"),
    (RING, "'p2 f'", "'p2 sd'", 8, "action 6, 'p2 sd': expected d dh, d db, f, cc, cbr or sm"),
    (RING, "'p2 f'", "'p3 f'", 8, "action 6, 'p3 f': it is the turn of p2"),
    (RING, "'p2 f'", "'p4 f'", 8, "'p4' is not a player, expected p1 to p3"),
    (RING, "'p2 f'", "'p\u0662 f'", 8, "is not a player, expected p1 to p3"),
    (RING, "cbr 30", "cbr 40", 8, "action 5, 'p1 cbr 40': at fixed limit the bet goes to 30, not 40"),
    (RING, "cbr 30", "cbr x", 8, "'x' is not an amount"),
    (RING, "cbr 5'", "cbr 20'", 8, "at fixed limit the bet goes to 5, not 20"),
    (RING, "2c7d9h", "2c7d", 8, "2 cards on the board, expected 3"),
    (RING, "2c7d9h", "2c7d9h9s", 8, "expected no more than 3 cards on the board at this point"),
    (RING, "2c7d9h", "2c7d7d", 8, "duplicate card 7d"),
    (RING, "2c7d9h", "2c7d????", 8, "is not a card"),
    (RING, "  'd db 3s',\n", "", 8, "3 cards on the board, expected 4"),
    (RING, "2c7d9h", "2c7dAs", 8, "duplicate card As"),
    (RING, "'d dh p2 ????'", "'d dh p1 ????'", 8, "has been dealt cards already"),
    (RING, "AsAd", "AsAdAh", 8, "expected two cards, got 'AsAdAh'"),
    (RING, "Ks??", "Kx??", 8, "is not a card"),
    (RING, "sm AsAd", "sm AsAc", 8, "shows AsAc, but was dealt AsAd"),
    (RING, "p3 sm KsKd", "p2 sm KsKd", 8, "has folded before"),
    (RING, "'p2 f'", "'p2 sm'", 8, "shows or mucks, but it is the turn of p2"),
    (RING, "  'd db Jh',\n", "", 8, "a showdown with 4 cards on the board, expected 5"),
    (RING, "  'p3 sm KsKd',\n", "", 8, "a showdown, but the cards of seat 2 are not known"),
    (RING, "  'd db Jh',\n", "  'p1 cc',\n", 8, "the betting is over"),
    (HEADS_UP, ", 'p1 f'", "", 7, "the hand is not over: seat 0 is to act"),
    (HEADS_UP, "'p1 f'", "'p1 f', 'd db 3s'", 7, "expected no more than 3 cards on the board at this point"),
    (HEADS_UP, "small_bet", "_pokermodel = 5\nsmall_bet", 4, "_pokermodel must be a table"),
    (HEADS_UP, "small_bet", "_pokermodel = {reopening = 'no'}\nsmall_bet", 4, "reopening must be one of"),
    (HEADS_UP, "small_bet", "_pokermodel = {max_raises = 3}\nsmall_bet", 4, "_pokermodel: "),
    (HEADS_UP, "small_bet", "_pokermodel = {unit = '1/0'}\nsmall_bet", 4, "unit must be a fraction"),
    (HEADS_UP, "small_bet", "_pokermodel = {unit = '3'}\nsmall_bet", 4, "unit must be a fraction"),
]


@pytest.mark.parametrize(("text", "old", "new", "line", "message"), DAMAGE)
def test_damage_is_reported_where_it_is(text: str, old: str, new: str, line: int, message: str) -> None:
    assert old in text
    with pytest.raises(HistoryError, match=re.escape(message)) as caught:
        read(text.replace(old, new))
    assert caught.value.line == line


@pytest.mark.parametrize("monster", ["[" * 5000, f"[5, 1{'0' * 5000}]", "[5, 1e-9999]"])
def test_monsters(monster: str) -> None:
    with pytest.raises(HistoryError):
        read(HEADS_UP.replace("[5, 10]", monster))


def test_not_utf8() -> None:
    skipped: list[HistoryError] = []
    assert list(phh.hands(Path("x.phh"), stream(RING.encode().replace(b"Bob", b"B\xff")), skipped)) == []
    assert skipped[0].reason == "not UTF-8, as PHH must be"
    assert skipped[0].line == 30


def test_byte_order_mark_and_line_ends() -> None:
    assert list(phh.hands(Path("x.phh"), stream(b"\xef\xbb\xbf" + RING.replace("\n", "\r\n").encode()))) == [read(RING)]


def test_id_without_hand_number() -> None:
    text = RING.replace("hand = 7\n", "")
    (hand,) = phh.hands(Path("folder/table.9.phh"), stream(text.encode()))
    assert hand.id == "table"
    (hand,) = phh.hands(Path("x.phhs"), stream(f"[12]\n{text}".encode()))
    assert hand.id == "12"


# --- several hands in a file -----------------------------------------------------------------------------------


def test_several_hands() -> None:
    text = f"# some hands\n\n[1]\n{RING}\n['2']  # the second\n{HEADS_UP}\n[ 3 ]\n{DECIMALS}"
    hands = list(phh.hands(Path("x.phhs"), stream(text.encode())))
    assert [hand.id for hand in hands] == ["7", "2", "3"]
    assert [hand.payoffs for hand in hands] == [read(part).payoffs for part in (RING, HEADS_UP, DECIMALS)]
    assert phh.sniff(text.encode(), "some.txt")


def test_damaged_hand_among_others() -> None:
    text = phh.dumps_all([read(RING), read(HEADS_UP), read(DECIMALS)])
    lines = text.split("\n")
    place = next(number for number, line in enumerate(lines, 1) if line == "blinds_or_straddles = [5, 10]")
    lines[place - 1] = "blinds_or_straddles = [5]"
    data = "\n".join(lines).encode()
    with pytest.raises(HistoryError) as caught:
        list(phh.hands(Path("x.phhs"), stream(data)))
    assert caught.value.line == place
    skipped: list[HistoryError] = []
    assert len(list(phh.hands(Path("x.phhs"), stream(data), skipped))) == 2
    assert [error.line for error in skipped] == [place]


def test_table_of_somebody_else_does_not_part_a_hand() -> None:
    assert read(f"{RING}\n[_notes]\nvariant = 'NT'\n") == read(RING)
    assert read(f"{RING}\n[extra]\nvariant = 'NT'\n") == read(RING)


# --- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [RING, HEADS_UP, DECIMALS, NO_LIMIT])
def test_round_trip(text: str) -> None:
    hand = read(text)
    again = phh.loads(phh.dumps(hand))
    assert again == hand
    assert phh.dumps(again) == phh.dumps(hand)


def test_everything_is_kept() -> None:
    spec = GameSpec.ring(3, 5, 10)
    spec = GameSpec(
        spec.blinds,
        spec.bets,
        spec.first,
        max_raises=(5, 6, 7, 8),
        odd_chips="first",
        cap_heads_up=False,
        reopening="any",
    )
    actions = [Action(2, Act.CALL), Action(0, Act.CALL), Action(1, Act.CALL)]
    for _ in range(3):
        actions += [Action(seat, Act.CALL) for seat in range(3)]
    hand = Hand(
        'a "source"\\',
        "797-1",
        spec,
        ["tab\there", 'quote\'d "twice"', "\x7f\u00e9\U0001f0cf"],
        actions,
        "2c7d9hKs3s",
        {0: "AsAd", 1: "AcAh", 2: "QsQd"},
        stacks=[None, 100, 200],
        stated_payoffs=[5, 5, -10],
        mucked=[2],
        unit=Fraction(1, 100),
        currency="EUR",
    )
    assert phh.loads(phh.dumps(hand)) == hand


def test_thirds_are_kept() -> None:
    hand = read(RING)
    third = Hand(
        hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings, hand.stacks,
        stated_payoffs=[100 / 3, -100 / 3, 0],
    )  # fmt: skip
    assert phh.loads(phh.dumps(third)) == third


def test_seats_are_turned_to_the_order_of_the_format() -> None:
    spec = GameSpec.heads_up(5, 10, button=0)
    hand = Hand("x", "1", spec, ["Ann", "Bob"], [Action(0, Act.RAISE), Action(1, Act.FOLD)])
    turned = phh.loads(phh.dumps(hand))
    assert turned.players == ("Bob", "Ann")
    assert turned.payoffs == hand.payoffs[::-1] == (-10, 10)


@pytest.mark.parametrize(
    ("spec", "actions", "message"),
    [
        (
            GameSpec.ring(3, 5, 10),
            [(2, Act.CALL), (2, Act.FOLD, True), (0, Act.FOLD)],
            "PHH cannot express that C left out of turn",
        ),
        (GameSpec((5, 10, 0), (10, 10, 20, 30), (2, 0, 0, 0)), [], "PHH cannot express bets of"),
        (GameSpec((5, 10, 0), (10, 10, 20, 20), (2, 0, 0, 0), structure="no limit"), [], "express least bets of"),
        (GameSpec((5, 10, 0), (10, 10, 20, 20), (2, 0, 0, 1)), [], "another first to act on each street"),
        (GameSpec((5, 10, 0), (10, 10, 20, 20), (0, 0, 0, 0)), [], "seat 0 is the first to act before the flop"),
    ],
)
def test_what_cannot_be_written(spec: GameSpec, actions: list[tuple[int, Act]], message: str) -> None:
    hand = Hand("x", "1", spec, ["A", "B", "C"], actions)
    with pytest.raises(ValueError, match=message):
        phh.dumps(hand)


def test_amount_without_decimal() -> None:
    hand = read(HEADS_UP)
    odd = Hand(hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, unit=Fraction(1, 3))
    with pytest.raises(ValueError, match="PHH cannot express an amount of 20/3"):
        phh.dumps(odd)


def test_several_are_written_without_those_that_cannot_be() -> None:
    good = read(HEADS_UP)
    bad = Hand("x", "7", GameSpec((5, 10, 0), (10, 10, 20, 30), (2, 0, 0, 0)), "ABC", [])
    skipped: list[ValueError] = []
    text = "".join(phh.write([good, bad, good], skipped))
    assert text == phh.dumps_all([good, good])
    assert [str(error) for error in skipped] == ["hand 7: PHH cannot express bets of (10, 10, 20, 30)"]
    with pytest.raises(ValueError, match="hand 7: PHH cannot express"):
        phh.dumps_all([bad])
    assert good.to_phh() == phh.dumps(good)


# --- PokerKit ----------------------------------------------------------------------------------------------------


def random_hand(rng: random.Random, number: int, structure: BettingStructure = BettingStructure.LIMIT) -> Hand:
    """A hand by the rules as PokerKit has them, with short stacks and antes now and then, all cards known."""
    n = rng.choice([2, 2, 3, 4, 6, 9])
    usual = GameSpec.heads_up(5, 10, button=1) if n == 2 else GameSpec.ring(n, 5, 10)
    ante = rng.choice([0, 0, 3])
    bets, caps = (usual.bets, (4, 4, 4, 4)) if structure.fixed else ((10, 10, 10, 10), structure.max_raises)
    spec = GameSpec(
        usual.blinds, bets, usual.first, caps, (ante,) * n, full_blind=False, reopening="full", structure=structure
    )
    stacks = [rng.choice([500, 500, rng.randint(20, 200)]) for _ in range(n)]
    state = State(spec, stacks)
    actions = []
    while not state.over:
        act = rng.choices(state.legal(), [{0: 1, 1: 5, 2: 3}[act] for act in state.legal()])[0]
        to = None
        if act == Act.RAISE and not structure.fixed:
            least, most = state.raise_range()
            to = rng.choice([least, most, rng.randint(least, most), min(most, 3 * least)])
        actions.append(Action(state.seat, act, to=to))
        state.act(act, to)
    deck = rng.sample(range(52), 5 + 2 * n)
    board = deck[: 5 if state.showdown else (0, 3, 4, 5)[state.round]]
    holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(n)}
    names = [f"player {seat}" for seat in range(n)]
    unit = rng.choice([1, Fraction(1, 100), 1000])
    return Hand("random", str(number), spec, names, actions, board, holdings, stacks, unit=unit)


@pytest.mark.parametrize("structure", [BettingStructure.LIMIT, BettingStructure.NO_LIMIT])
def test_pokerkit_reads_what_we_write(structure: BettingStructure) -> None:
    rng = random.Random(43)
    for number in range(120):
        hand = random_hand(rng, number, structure)
        text = phh.dumps(hand)
        assert phh.loads(text) == hand
        theirs = pokerkit.HandHistory.loads(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # folds where checking is free
            *_, end = theirs
        assert not end.status
        # a pot that does not divide goes out in whole units there
        assert [float(payoff) for payoff in end.payoffs] == pytest.approx(
            [float(payoff * hand.unit) for payoff in hand.payoffs], abs=n_ways(hand) * max(1.0, float(hand.unit))
        )
        assert theirs.dumps()


def n_ways(hand: Hand) -> float:
    """Slack for odd chips: none unless a payoff is broken."""
    return 0 if all((payoff * hand.unit) % 1 == 0 for payoff in hand.payoffs) else hand.spec.players


@pytest.mark.parametrize("structure", [BettingStructure.LIMIT, BettingStructure.NO_LIMIT])
def test_we_read_what_pokerkit_writes(structure: BettingStructure) -> None:
    rng = random.Random(44)
    for number in range(60):
        hand = random_hand(rng, number, structure)
        theirs = pokerkit.HandHistory.loads(phh.dumps(hand)).dumps()
        again = phh.loads(theirs)
        assert again.actions == hand.actions
        assert again.payoffs == hand.payoffs
        assert again == hand


# --- mangled files ---------------------------------------------------------------------------------------------


@given(st.data())
@example(None)
@settings(max_examples=400, deadline=None)
def test_mangled_files(data: st.DataObject | None) -> None:
    text = phh.dumps_all([read(RING), read(HEADS_UP), read(DECIMALS)]).encode()
    if data is not None:
        text = damaged(text, Drawn(data), 3)
    skipped: list[HistoryError] = []
    hands = list(phh.hands(Path("x.phhs"), stream(text), skipped))  # whatever it is, no other error
    for hand in hands:
        assert abs(sum(hand.payoffs)) < 1e-9
    if skipped:
        with pytest.raises(HistoryError):
            list(phh.hands(Path("x.phhs"), stream(text)))


@given(st.binary(max_size=200))
def test_anything_at_all(data: bytes) -> None:
    """A hand, or a hand that is skipped; where nothing may be skipped, its error is raised. Never another error."""
    skipped: list[HistoryError] = []
    hands = list(phh.hands(Path("x.phh"), stream(data), skipped))
    assert len(hands) + len(skipped) <= 1
    for hand in hands:
        assert phh.loads(phh.dumps(hand)) == hand
    for error in skipped:
        with pytest.raises(HistoryError) as caught:
            list(phh.hands(Path("x.phh"), stream(data)))
        assert str(caught.value) == str(error)


def test_hands_are_appended(tmp_path: Path) -> None:
    """One by one, they make the file that is written at once."""
    path = tmp_path / "hands.phhs"
    hand = example_hand()
    assert phh.count_tables(path) == 0
    for number in (1, 2, 3):
        phh.append(path, hand, number)
        assert phh.count_tables(path) == number
    assert path.read_text() == phh.dumps_all([hand] * 3)
    out_of_turn = [Action((hand.spec.first[0] + 1) % hand.spec.players, Act.FOLD, out_of_turn=True)]
    with pytest.raises(ValueError, match="left out of turn"):
        phh.append(path, Hand("x", "1", hand.spec, hand.players, out_of_turn), 4)
    assert path.read_text() == phh.dumps_all([hand] * 3)
    path.write_text(phh.dumps(hand))
    with pytest.raises(ValueError, match="is no file of several hands in PHH"):
        phh.count_tables(path)


# --- the real thing --------------------------------------------------------------------------------------------


def test_world_series_2023(data_dir: Path) -> None:
    folder = data_dir / "phh" / "wsop-2023-43-5"
    source = open_hands(folder, strict=False)
    hands = list(source)
    assert [hand.id for hand in hands] == ["1", "2", "3", "4", "34", "35", "36", "37"]
    assert len(source.skipped) == 48
    assert all(re.search(r"variant '\S+' is not supported: expected 'FT'", str(error)) for error in source.skipped)
    for hand in hands:
        assert hand.payoffs == hand.stated_payoffs
        *_, theirs = pokerkit.HandHistory.loads((folder / f"{hand.id}.phh").read_text())
        assert tuple(theirs.payoffs) == hand.payoffs
        assert phh.loads(phh.dumps(hand)) == hand


def test_examples(data_dir: Path) -> None:
    source = open_hands(data_dir / "phh" / "examples", strict=False)
    assert len(list(source)) == 11
    variants = [re.search(r"variant '(\S+)' is not supported", str(error)) for error in source.skipped]
    assert sorted(variant[1] for variant in variants if variant) == ["F2L3D", "FB", "NS", "PO"]


def test_pluribus_is_paid_as_stated(data_dir: Path) -> None:
    hands = 0
    for hand in open_hands(data_dir / "phh" / "pluribus.dev.tgz"):
        assert hand.payoffs == hand.stated_payoffs
        hands += 1
    assert hands == 6_844


def test_the_big_game(data_dir: Path) -> None:
    source = open_hands(data_dir / "big-game" / "big-game.dev.phhs", strict=False)
    hands = list(source)
    assert len(hands) == 1_105
    assert sum(max(hand.spec.blinds) > hand.spec.bets[0] for hand in hands) > 100  # straddles
    # the records have a card twice, or leave acts out
    assert len(source.skipped) == 15
    assert all(re.search("duplicate card|turn of|no more than|not known", error.reason) for error in source.skipped)


@pytest.mark.parametrize(
    "more",
    [
        "a" + ".a" * 20_000 + " = 1",
        'x = {"a"' + ' . "b"' * 20_000 + " = 1}",
        "_pokermodel = {a" + ".a" * 20_000 + " = 1}",
        "['a'" + ".'a'" * 20_000 + "]",
    ],
)
def test_a_key_of_very_many_parts_is_refused_at_once(more: str) -> None:
    """TOML's parser takes time by the square of their number: minutes for these."""
    with pytest.raises(HistoryError, match=r":\d+: a key has more than 32 dots$"):
        phh.loads(f"{RING}{more}\n")
    assert phh.loads(f"{RING}a{'.a' * 32} = 1\n")
