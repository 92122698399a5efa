"""Usual hands of PHH, which compiled code reads: as the careful reader does, which says what is wrong."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel import example_hand
from pokermodel._core.phh_hands import rebuild
from pokermodel.cards import cards_text
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.histories import open_hands, phh
from tests.common.damage import Drawn, damaged
from tests.common.told import told as all_told
from tests.histories.cases import CASES

NO_LIMIT, LIMIT = CASES["phh/usual"].text, CASES["phh/limit"].text
TEXTS = [
    NO_LIMIT,
    LIMIT,
    CASES["phh/limit: rules of our own"].text,
    example_hand().to_phh(),
    CASES["phh/usual: no blanks"].text,
    CASES["phh/usual: a hero"].text,
    CASES["phh/usual: a hero who does not play"].text,
]
CAREFUL = [CASES[f"phh/{name}"].text for name in ("ring", "no-limit", "heads-up", "decimals")]


@contextmanager
def replaced(read: Callable[[bytes, str], Hand | None]) -> Iterator[None]:
    """Another reader of usual hands."""
    usual, phh._usual = phh._usual, read
    try:
        yield
    finally:
        phh._usual = usual


def told(data: bytes, start: tuple[int, ...] = ()) -> list[Any]:
    """All that the reader says of a text: of hands everything, in order, and of what is left out why."""
    return all_told(partial(phh.hands, Path("some.phh"), io.BufferedReader(io.BytesIO(data))), start)


def carefully_told(data: bytes) -> list[Any]:
    with replaced(lambda document, name: None):
        return told(data)


def usual_hands(data: bytes) -> int:
    """How many hands are read as usual ones."""
    usual, count = phh._usual, 0

    def counted(document: bytes, name: str) -> Hand | None:
        nonlocal count
        hand = usual(document, name)
        count += hand is not None
        return hand

    with replaced(counted):
        told(data)
    return count


@pytest.mark.parametrize("text", TEXTS[:4])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \t\n", " # comment\n"])
def test_usual_hands_are_read_at_once(text: str, end: str) -> None:
    lines = text.replace("\n", "\r\n") if end == "\r\n" else text
    data = "".join(line + (end if "=" in line and line[-1] != "[" else "\n") for line in lines.splitlines()).encode()
    assert usual_hands(data) == 1
    assert usual_hands(data.rstrip()) == 1
    many = b"\n".join(b"[%d]%s\n%s" % (number, b" " * (number % 2), data) for number in range(1, 10))
    assert usual_hands(many) == 9
    for document in (data, data.rstrip(), b"\xef\xbb\xbf" + data, many):
        assert told(document) == carefully_told(document)


def test_which_hands_are_usual() -> None:
    assert [usual_hands(text.encode()) for text in TEXTS] == [1, 1, 1, 1, 0, 1, 0]


@pytest.mark.parametrize("text", [*TEXTS, *CAREFUL])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
def test_texts_are_read_alike(text: str, end: str) -> None:
    data = text.replace("\n", end).encode()
    assert told(data) == carefully_told(data)


OTHER_STEPS = ["", " ", "p3 cbr 300 ", "p3  f", "d dh ", "d db ", "p3 cbr ", "p\u0663 f", "p3\u00a0f", "p1 sm  AsAd"]
OTHER_STEPS += (
    """
p3 f # so, # so, P3 f, p03 f, p0 f, p4 f, p24 f, p123 f, p3, p3 x, p3 fc, p3 ccc, p3 cbr, p3 cbr x,
p3 cbr 1,200, p3 cbr 0300, p3 cbr 300.50, p3 cbr 3e2, p3 cbr 100, p3 cbr 9999, p3 cbr -1, p3 cbr 300 1, d,
d dh, d dh p1, d x, d dh p2 QhQd, d dh p2 Qh??, d dh p2 ??Qh, d dh p2 ???, d dh p2 AsAc, d dh p2 10hQd,
d dh p1 AsAd, d dh p2 Qh, d dh p2 QhQdQc, d dh p4 QhQd, d dh p12 QhQd, d db, d db 2c, d db 2c7d, d db 4s,
d db 2c7d9h3s, d db As, d db 2c 7d 9h, d db ??, d db 2C, d db 10h, p1 sm, p1 sm AdAs, p1 sm -, p1 sm AsAc,
p3 sm KhKs, p3 sm QdQc, p2 sm QdQc, p1 smx, p1 sm As, p1 sm ????, p3 f, p1 f, p2 cc, p2 cbr 2000, p1 cc
""".strip()
    .replace("\n", " ")
    .split(", ")
)


def replacements() -> Iterator[tuple[str, str]]:
    """Fields as they are, and as they may be."""
    lists = "antes = [0, 0, 0]", "blinds_or_straddles = [50, 100, 0]", "starting_stacks = [10000, 9000, 1200]"
    amounts = (
        *("0", "-1", "+1", "01", "1.", ".5", "1.5", "1.2345", "1.23456", "1e3", "1_0", "inf", "nan", "true"),
        "'1'",
    )
    for field in (*lists, "finishing_stacks = [11300, 8900, 0.5]"):
        name, _, entries = field.partition(" = ")
        for amount in (*amounts, "99999999999", "999999999999", "0x1", "", "[1]", "0.0", "1 2", "null"):
            yield field, f"{name} = [{amount}, {entries.split(', ', 1)[1]}"
        for change in ("]", ",]", ", ]", ",,]", ", 1]", " ]", "\n]", "\n,\r\n]", "\r]", "#x\n]", "]]", "] x", ")"):
            yield field, field[:-1] + change
    for amount in (*amounts, "100.0", "[100]", "100 200", "1000000000000000000000"):
        yield "min_bet = 100", f"min_bet = {amount}"
        yield "hand = 12", f"hand = {amount}"
        yield "year = 2020", f"year = {amount}"
        yield "day = 29", f"day = {amount}"
        yield "seats = [1,", f"seats = [{amount},"
    for text in (
        "''",
        '""',
        "'''a'''",
        '"""a"""',
        "'a\tb'",
        "'a\\b'",
        '"a\\tb"',
        "'a",
        "a",
        "'\x7f'",
        "'\ufeff'",
        "'#'",
    ):
        yield "currency = 'EUR'", f"currency = {text}"
        yield "'Cy'", text
        yield "hand = 12", f"hand = {text}"
        yield "'p2 f'", text
        yield "time_zone = 'Europe/Paris'", f"time_zone = {text}"
    for clock in (
        "24:00:00",
        "12:60:00",
        "12:00:60",
        "12:00",
        "12:00:00.5",
        "1:00:00",
        "'12:00'",
        "2020-01-01",
        "00:00:00",
    ):
        yield "time = 12:30:05", f"time = {clock}"
    for zone in ("UTC", "Nowhere/At all", "", "UTC+1", "../x"):
        yield "Europe/Paris", zone
    for field in ("variant = 'NT'", "min_bet = 100", "players = ['Ann', \"Zo\u00e9\", 'Cy']", "month = 2", "day = 29"):
        yield field, ""
        yield field, f"{field}\n{field}"
    for field in ("hand = 12", "time = 12:30:05", "time_zone = 'Europe/Paris'", "currency = 'EUR'", "year = 2020"):
        yield field, ""
    for variant in ("FT", "NS", "PT", "N", "NTT", "nt", "XT"):
        yield "'NT'", f"'{variant}'"
    yield "antes = [0, 0, 0]", "antes = [0, 1, 0]"
    yield "ante_trimming_status = true\nantes = [0, 0, 0]", "ante_trimming_status = false\nantes = [0, 1, 0]"
    yield "ante_trimming_status = true\nantes = [0, 0, 0]", "ante_trimming_status = 'x'\nantes = [0, 1, 0]"
    yield "ante_trimming_status = true\nantes = [0, 0, 0]", "antes = [0, 1, 0]"
    yield "'Cy'", "'Ann'"
    yield "'Cy'", "''"
    yield "event = ", "_event = "
    yield "event = ", "_pokermodel = "
    yield "event = ", "event.name = "
    yield "event = ", "'event' = "
    yield "event = ", "2event = "
    yield "event = ", "event "
    yield "event = ", "event =\n"
    yield "event = ", "hand = 12 # "
    for own in (
        "unit = '1/2'",
        "",
        "source = ''",
        "source = 1",
        "source = 'a}'",
        "source = 'a\\u0041'",
        "source = 'x', source = 'y'",
        "full_blind = 1",
        "odd_chips = 'nobody'",
        "max_raises = [1, 2]",
        "max_raises = 1",
        f"max_raises = {'[' * 400}{']' * 400}",
        f"max_raises = {'[' * 5000}{']' * 5000}",
        "cap_heads_up = false",
        "reopening = 'any' # ",
        "reopening = 'any', x = {}",
        "structure = 'pot limit'",
        "min_raise = 200",
    ):
        yield "currency = 'EUR'", f"_pokermodel = {{{own}}}"
    yield "currency = 'EUR'", "_pokermodel = {source = 'a'"
    yield "currency = 'EUR'", "_pokermodel = {source = 'a'} x"
    yield "currency = 'EUR'", "_pokermodel = {}\n_pokermodel = {}"
    yield "currency = 'EUR'", "[x]\ny = 1"
    yield "currency = 'EUR'", "currency = 'EUR' # \x07"
    yield "currency = 'EUR'", "currency = 'EUR' x"
    yield "currency = 'EUR'", "currency = 'EUR' \r"
    yield "currency = 'EUR'", "big_bet = -1"
    yield "currency = 'EUR'", "\n".join(f"x{k} = {k}" for k in range(70))
    steps = (
        "p3 cbr 300",
        "p1 cbr 900",
        "p2 f",
        "p1 cc",
        "d db 2c7d9h",
        "d db 3s",
        "p1 sm AsAd",
        "p3 sm",
        "d dh p2 ????",
    )
    for step in steps:
        for other in OTHER_STEPS:
            yield f"'{step}'", f"'{other}'"
            yield f"'{step}'", f"'{other}', '{step}'"
        yield f", '{step}'", ""


@pytest.mark.parametrize("text", [NO_LIMIT, LIMIT])
def test_odd_fields_are_read_alike(text: str) -> None:
    """Each alone, and, in limit, those that are there, too."""
    tried = 0
    for old, new in replacements():
        if old in text:
            data = text.replace(old, new, 1).encode()
            assert told(data) == carefully_told(data), new
            tried += 1
    assert tried > (1000 if text is NO_LIMIT else 0)


def test_bytes_that_are_no_text() -> None:
    for place in range(0, len(NO_LIMIT), 7):
        for odd in (b"\xff", b"\xc3", b"\0", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xc2\x85"):
            data = NO_LIMIT.encode()[:place] + odd + NO_LIMIT.encode()[place:]
            assert told(data) == carefully_told(data)


@given(st.integers(0, len(TEXTS) - 1), st.data())
@settings(max_examples=250)
def test_damaged_texts_are_read_alike(number: int, data: st.DataObject) -> None:
    text = damaged(f"[1]\n{TEXTS[number]}\n[2]\n{TEXTS[0]}".encode(), Drawn(data))
    assert told(text) == carefully_told(text)


def random_text(rng: random.Random) -> str:
    """A hand of random players."""
    limit = rng.random() < 0.4
    n = rng.choice([2, 2, 3, 6, 9])
    unit = rng.choice([Fraction(1), Fraction(1, 100), Fraction(1, 4), Fraction(100)])
    stacks = [rng.choice([2000, rng.randint(1, 30), rng.randint(30, 200)]) for _ in range(n)]
    antes, blinds = (rng.choice([0, 0, 2]),) * n, (5, 10, *[0] * (n - 2))
    spec = phh._game(antes, blinds, (10, 20) if limit else (10, 10), limit, 4)
    state = State(spec, stacks)
    deck = [cards_text([card]) for card in rng.sample(range(52), 2 * n + 5)]
    holdings = ["".join(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in range(n)]

    def money(chips: int) -> str:
        return f"{float(chips * unit):.2f}".removesuffix(".00")

    def amounts(chips: Any) -> str:
        return f"[{', '.join(map(money, chips))}]"

    steps = [f"d dh p{seat + 1} {rng.choice([holdings[seat], '????'])}" for seat in range(n)]
    street, before = 0, [min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]

    def deal() -> None:
        nonlocal street, before
        street, before = street + 1, list(state.committed)
        steps.append(f"d db {''.join(deck[:3]) if street == 1 else deck[street + 1]}")

    while not state.over:
        while street < state.round:
            deal()
        seat = state.seat
        acts = [act for act in state.legal() if act != Act.FOLD or state.to_call]
        act = rng.choices(acts, [{0: 1, 1: 5, 2: 2}[act] for act in acts])[0]
        to = None
        if act == Act.RAISE and not limit:
            least, most = state.raise_range() or (0, 0)
            to = rng.choice([least, most or least, rng.randint(least, most or least)])
        state.act(act, to)
        bet = to if to is not None else state.committed[seat] - before[seat]
        steps.append(f"p{seat + 1} " + ("f", "cc", f"cbr {money(bet)}")[act])
    while state.showdown and street < 3:
        deal()
    for seat in state.active if state.showdown else ():
        steps.append(f"p{seat + 1} sm{rng.choice(['', f' {holdings[seat]}', f' {holdings[seat]}'])}")
    bets = f"small_bet = {money(10)}\nbig_bet = {money(20)}" if limit else f"min_bet = {money(10)}"
    return (
        f"variant = '{'FT' if limit else 'NT'}'\nantes = {amounts(antes)}\nblinds_or_straddles = {amounts(blinds)}\n"
        f"{bets}\nstarting_stacks = {amounts(stacks)}\nactions = {steps}\nhand = {rng.randint(0, 10**6)}\n"
        f"players = {[f'Player {seat}' for seat in range(n)]}\nfinishing_stacks = {amounts(stacks)}\n"
    )


def test_random_hands_are_read_alike() -> None:
    rng = random.Random(19)
    data = "".join(f"[{number}]\n{random_text(rng)}\n" for number in range(400)).encode()
    expected = carefully_told(data)
    assert told(data) == expected
    assert len(expected[0]) > 350
    assert usual_hands(data) > 0.9 * len(expected[0])  # in the others nobody shows
    for number in range(0, len(expected[0]), 40):
        at = expected[0][number][1]
        assert told(data[at[0] :], at)[0] == expected[0][number:]


@pytest.mark.parametrize("name", ["phh", "big-game"])
def test_real_hands_are_read_alike(data_dir: Path, name: str) -> None:
    """Some of them; nearly all are usual."""
    usual = hands = 0
    for path in sorted(path for path in (data_dir / name).rglob("*.phh*") if path.is_file()):
        data = path.read_bytes()[: 1 << 18]
        expected = carefully_told(data)
        assert told(data) == expected
        usual, hands = usual + usual_hands(data), hands + len(expected[0])
    assert usual > 0.85 * hands > 0


def test_what_the_kernel_refuses() -> None:
    hand = phh.loads(NO_LIMIT)
    with pytest.raises(ValueError, match="the game must have the structure of the hand, got GameSpec"):
        rebuild(NO_LIMIT.encode(), lambda *_: GameSpec.ring(3, 50, 100), phh._ACTIONS, Action)
    assert rebuild(NO_LIMIT.encode(), lambda *_: GameSpec.no_limit(4, 50, 100), phh._ACTIONS, Action) is None
    for actions, kind in (
        *(([], Action), (phh._ACTIONS[:2], Action), ([each[:2] for each in phh._ACTIONS], Action)),
        *((phh._ACTIONS, object), (phh._ACTIONS, dict)),
    ):
        with pytest.raises(ValueError, match="actions must be three for each"):
            rebuild(NO_LIMIT.encode(), lambda *_: hand.spec, actions, kind)
    with pytest.raises(TypeError):
        rebuild(NO_LIMIT.encode(), lambda *_: hand.spec, [None] * 23, Action)
    found = rebuild(NO_LIMIT.encode(), lambda *_: hand.spec, phh._ACTIONS, Action)
    assert found is not None
    assert found[2] == (2020, 2, 29, (12, 30, 5), "Europe/Paris")
    assert rebuild(b"", lambda *_: hand.spec, phh._ACTIONS, Action) is None


def test_a_source_of_usual_hands(tmp_path: Path) -> None:
    """By number and in slices, as from its beginning."""
    path = tmp_path / "many.phhs"
    path.write_text("\n".join(f"[{n}]\n{NO_LIMIT.replace('hand = 12', f'hand = {n}')}" for n in range(1, 201)), "utf-8")
    source = open_hands(path)
    assert [hand.id for hand in source] == [str(number) for number in range(1, 201)]
    assert source.hand(150).id == "150"
    assert [hand.id for hand in open_hands(path)[120:123]] == ["121", "122", "123"]
    assert isinstance(source.hand(1).time, datetime)
