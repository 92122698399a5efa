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
from pokermodel._support.toml import TomlError
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.histories import open_hands, phh
from tests.common.damage import Drawn, damaged
from tests.common.formats import MODULES
from tests.histories.cases import CASES

RING, NO_LIMIT, HEADS_UP, DECIMALS = (
    CASES[f"phh/{name}"].text for name in ("ring", "no-limit", "heads-up", "decimals")
)


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def read(text: str) -> Hand:
    return phh.loads(text)


def test_pot_limit_is_written_as_no_limit() -> None:
    spec = GameSpec.pot_limit(3, 5, 10, stacks=(500, 400, 300))
    hand = Hand("x", "1", spec, "ABC", [Action(2, Act.RAISE, to=35), Action(0, Act.FOLD), Action(1, Act.FOLD)])
    text = phh.dumps(hand)
    assert phh.loads(text) == hand
    assert pokerkit.HandHistory.loads(text).variant == "NT"
    with pytest.raises(HistoryError, match="_pokermodel: a hand of no limit cannot be limit"):
        phh.loads(text.replace('"pot limit"', '"limit"'))


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
        with pytest.raises(TomlError):
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
        with pytest.raises(TomlError):
            phh._parsed(text)
        return
    assert repr(phh._parsed(text)) == repr(expected)


def test_the_hand_that_ships_with_the_package() -> None:
    hand = example_hand()
    assert sum(hand.payoffs) == 0
    assert phh.loads(phh.dumps(hand)) == hand


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
    assert MODULES["phh"].sniff(text.encode(), "some.txt")


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


# --- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.format == "phh"])
def test_round_trip(name: str) -> None:
    if not isinstance(CASES[name].expected(), dict):
        return  # an error
    hand = read(CASES[name].text)
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
    for number in range(60):
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
