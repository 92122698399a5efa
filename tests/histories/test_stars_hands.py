"""Usual hands of PokerStars, which compiled code reads: as the reader of lines does, which explains what is wrong."""

from __future__ import annotations

import codecs
import io
import random
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel._core import stars_hands
from pokermodel.cards import cards_text
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.game.pots import uncalled
from pokermodel.histories import open_hands, pokerstars
from pokermodel.histories._sites import SITE_FORMATS
from pokermodel.histories.blocks import TextFormats
from tests.common.damage import Drawn, damaged
from tests.common.told import told as all_told
from tests.histories.cases import CASES

PATH = Path("some.txt")
BOTH = TextFormats(SITE_FORMATS)
BY_LINES = TextFormats(SITE_FORMATS | {"pokerstars": replace(pokerstars.FORMAT, usual=None)})


class Slow(io.BytesIO):
    """A file of which little is there at a time."""

    def __init__(self, data: bytes, chunk: int) -> None:
        super().__init__(data)
        self._chunk = chunk

    def read1(self, size: int | None = -1) -> bytes:
        return super().read(self._chunk)

    def peek(self, size: int = 0) -> bytes:
        return self.getvalue()[:2]


def told(formats: TextFormats, data: bytes, chunk: int = 1 << 16, start: tuple[int, ...] = ()) -> list[Any]:
    """All that a reader says of a text: of hands everything, in order, and of what is left out why."""
    return all_told(partial(formats.hands, PATH, Slow(data, chunk)), start)  # type: ignore[arg-type]


class Counted:
    """The reader of usual hands, and how many it has read."""

    begins = pokerstars._Usual.begins

    def __init__(self) -> None:
        self.count = 0

    def find_next(self, data: bytes, start: int) -> int:
        return stars_hands.find_next(data, start)

    def read(self, data: bytes, start: int, end: int) -> tuple[Hand, int] | None:
        found = pokerstars._Usual().read(data, start, end)
        self.count += found is not None
        return found


def usual_hands(data: bytes) -> int:
    """How many hands are read as usual ones."""
    counted = Counted()
    list(TextFormats({"": replace(pokerstars.FORMAT, usual=counted)}).hands(PATH, Slow(data, 1 << 16), []))  # type: ignore[arg-type]
    return counted.count


NO_LIMIT, LIMIT, USUAL, *LANGUAGES = (
    CASES[f"pokerstars/{name}"].text for name in ("no-limit", "tournament", "usual", "english", "portuguese", "russian")
)
TEXTS = [*(text.replace("#1:", f"#{number}:") for text in (NO_LIMIT, LIMIT) for number in (1, 2)), USUAL, *LANGUAGES]
OTHERS = {form: CASES[f"{form}/usual"].text for form in SITE_FORMATS}


def test_usual_hands_are_read_at_once() -> None:
    text = "".join(TEXTS[:4] * 30)
    assert usual_hands(text.encode()) == 120
    assert usual_hands(text.replace("\n", "\r\n").encode()) == 120
    assert usual_hands(text.replace("\n", " \n").encode()) == 120
    assert usual_hands(text.replace("$", "\u20ac").encode()) == 120
    assert usual_hands(text.encode("utf-8-sig")) == 120
    assert usual_hands(text.encode("utf-16")) == 0
    assert [usual_hands(each.encode()) for each in TEXTS[4:]] == [0, 1, 0, 0]  # thousands are divided, or in Portuguese


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", " \t\n", "\n\n"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_texts_are_read_alike(text: str, end: str, codec: str) -> None:
    data = (text * 2).replace("\n", end).encode(codec, "replace")
    assert told(BOTH, data) == told(BY_LINES, data)


@pytest.mark.parametrize("chunk", [7, 100, 1000, 5000])
def test_hands_do_not_depend_on_how_much_is_read_at_a_time(chunk: int) -> None:
    data = "".join(["\ufeff", TEXTS[0], TEXTS[4], "no hand\n", *TEXTS[:4], OTHERS["fulltilt"], *TEXTS[:2]]).encode()
    expected = told(BY_LINES, data)
    assert told(BOTH, data, chunk) == expected
    for number, (_, at) in enumerate(expected[0]):
        if at:
            assert told(BOTH, data[at[0] :], chunk, at)[0] == expected[0][number:]


def test_the_mark_of_a_file() -> None:
    """It is read over at the beginning of a file only, and the first hand begins with it."""
    mark, text = codecs.BOM_UTF8, TEXTS[0].encode()
    data = mark + text + text + mark + text + mark
    assert usual_hands(data) == 1
    assert told(BOTH, data) == told(BY_LINES, data)
    lines = text.count(b"\n")
    places = [(0, 0), (len(mark + text), lines), (len(mark + text + text), 2 * lines)]
    assert [at for _, at in told(BOTH, data)[0]] == places
    assert told(BOTH, data, start=(0, 0)) == told(BOTH, data)


@pytest.mark.parametrize("form", sorted(OTHERS))
@pytest.mark.parametrize("usual", TEXTS[0:3:2])
def test_a_hand_of_another_site_is_not_passed_over(form: str, usual: str) -> None:
    """Wherever it begins, be it in the middle of a usual hand."""
    lines = usual.splitlines(keepends=True)
    for place in range(1 + [*OTHERS].index(form) % 9, len(lines) + 1, 9):
        data = "".join([usual, *lines[:place], OTHERS[form], *lines[place:], usual]).encode()
        assert told(BOTH, data) == told(BY_LINES, data)


@pytest.mark.parametrize("form", sorted(OTHERS))
def test_first_lines_of_other_sites_are_no_usual_lines(form: str) -> None:
    found = [line for line in OTHERS[form].splitlines() if BOTH.begins(line)]
    assert found
    for line in found:
        for place in (2, 12, 20, -2):
            lines = TEXTS[0].splitlines()
            lines.insert(place, line)
            assert not usual_hands("\n".join(lines).encode()) or form == "pokerstars"


ODD_LINES = [
    "Zo\u00e9: folds",
    "Zo\u00e9: checks ",
    "Zo\u00e9: checks\u00a0",
    "\u00a0Zo\u00e9: folds",
    "Zo\u00e9: calls $1,000",
    "Zo\u00e9: calls 0,25",
    "Zo\u00e9: calls $ 0.25",
    "Zo\u00e9: calls $0.250",
    "Zo\u00e9: bets $0.25.",
    "Zo\u00e9: raises $0.10 to 0.3a",
    "Zo\u00e9: posts missed blind $0.05",
    "Zo\u00e9: straddle $0.20",
    "Zo\u00e9: posts big blind $0.20",
    "Zo\u00e9: posts small blind $0",
    "Zo\u00e9: shows [Ts]",
    "Zo\u00e9: shows [XX Ts 9s]",
    "Zo\u00e9: shows [9s Ts]",
    "Zo\u00e9: shows [9s Th]",
    "Zo\u00e9: shows [10s 9s]",
    "Zo\u00e9 shows [Ts 9s]",
    "Zo\u00e9: mucks hand",
    "Zo\u00e9: doesn't show hand",
    "Zo\u00e9 collected $0.10 from pot",
    "Zo\u00e9 collected $0.10 from side pot-2",
    "Zo\u00e9 cashed out the hand for $0.10",
    "Gil collected $0.10 from pot",
    "Uncalled bet ($0.10) returned to Zo\u00e9",
    "Uncalled bet ($0.10) returned to Zo\u00e9\u00a0",
    "Uncalled bet ($0.10) returned to Gil",
    "Dealt to Zo\u00e9 [Ts 9s]",
    "Dealt to Eve",
    "Dealt to Gil [Ts 9s]",
    "Seat 4: Gil ($5 in chips)",
    "Seat 4: Gil ($5 in chips) ($6 in chips)",
    "Seat 1: Gil ($5 in chips)",
    "Seat 4: Eve ($5 in chips)",
    "Seat 4: Gil showed [2c 3c] and lost",
    "Seat 2: Zo\u00e9 (small blind) mucked [Ts 9s]",
    "Seat 2: Zo\u00e9 (small blind) mucked [Ts]",
    "Seat 2: Zo\u00e9 [x] folded",
    "*** HOLE CARDS ***",
    "*** FLOP *** [2c 7d 9h]",
    "*** TURN *** [7d 2c 9h] [Ks]",
    "*** TURN *** [2c 7d 9h Ks]",
    "*** RIVER *** [2c 7d 9h Ks] [3s]",
    "*** FIRST RIVER *** [2c 7d 9h Ks] [3s]",
    "*** SUMMARY ***",
    "*********** # 2 **************",
    "Table 'Made Up III' 6-max Seat #2 is the button",
    "STP added $0.10",
    "Total pot $3.25 | Rake $0.10 | Jackpot $0.03",
    "Total pot $3.25 | Rake $0.13",
    "Board [2c 7d 9h Ks 3s]",
    "Board [2c 7d 9h]",
    "FIRST Board [2c 7d 9h Ks 3s]",
    "Hand #12:",
    "Game started at: folds",
    "PokerStars 1",
    "Eve PokerStars #1:",
    "\ufeff",
    "\0",
]


def read_alike_with(odd: str, first: int, step: int) -> None:
    """At every so many places, and instead of the line there."""
    for text in (TEXTS[0], TEXTS[2].replace("Bob", "Zo\u00e9")):
        lines = text.rstrip().splitlines()
        for place in range(1 + first, len(lines) + 1, step):
            for after in (place, place + 1):
                data = "\n".join([*lines[:place], odd, *lines[after:], "", ""]).encode()
                assert told(BOTH, data) == told(BY_LINES, data)


@pytest.mark.parametrize("odd", ODD_LINES)
def test_odd_lines_are_read_alike(odd: str) -> None:
    """At a fifth of the places, other ones for each: all together stand everywhere."""
    read_alike_with(odd, ODD_LINES.index(odd) % 5, 5)


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD_LINES)
def test_odd_lines_are_read_alike_wherever_they_stand(odd: str) -> None:
    read_alike_with(odd, 0, 1)


NAMES = [
    *("checks", "Ann: checks", "Seat 4", "Dealt to", "Uncalled bet", "Table", "***", "#1", "Game started at"),
    *("<HAND a>", "PokerStars", "STP added", "a\u00a0", "\u00a0a", "a\ufeff", " a", "a ", "a  b", "x [As Kd]", "[x"),
    *("mucked [2c 3c]", "a showed [2c 3c]", "\u0000", "a\x1f", "collected $5 from pot", "$5 in chips", "said"),
    *("a ($5 in chips)", "Hand #7: x", "($5", "\x0b"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("whose", ["Ann: folds", "Zo\u00e9", "Eve"])
def test_odd_names_are_read_alike(name: str, whose: str) -> None:
    data = (TEXTS[0].replace(whose, name) + TEXTS[1]).encode()
    assert told(BOTH, data) == told(BY_LINES, data)


HEADERS = [
    "Hold'em No Limit ($0.05/$0.10 - $2 Cap -  USD)",
    "Omaha Pot Limit ($0.05/$0.10 USD)",
    "Hold'em Pot Limit (5/10)",
    "Hold'em No Limit ($0.05/$0.10)",
    "Hold'em No Limit",
    "Hold'em Limit (\u20ac0.05/\u20ac0.10 EUR)",
    "Hold'em No Limit ($0/$0.10)",
    "6+ Hold'em No Limit ($0.05/$0.10 USD)",
    "Hold'em No Limit (\u00a30.05/\u00a30.10)",
    "Hold'em No Limit ($0.001/$0.002 USD)",
    "Hold'em No Limit ($0.05/$0.10 USD) - 2009/11/10 12:14:37",
    "Hold'em No Limit (\xff0.05/0.10)",
]
TIMES = [
    *("2009/11/10 12:14:37 ET", "2009/11/10 12:14:37 ET [2009/11/10 11:14:37 ET]", "2009/11/10 12:14:37", "2009/11/10"),
    *("2009/02/30 12:14:37 ET", "2009/11/10 12:60:37 ET", "2009/11/10 24:14:37 ET", "2009/11/01 1:59:59 ET", "x"),
    *("2009/11/01 2:00:00 ET", "2009/11/10 12:14:37 XYZ", "2009/11/10 12:14:37 ABCDEF", "2009/11/10 12:14:37 ET ", ""),
    *("2009/11/10 - 12:14:37 ET", "2009/11/10 12:14:37 ET [2009/11/10 11:14:37 CET", "9999/12/31 23:59:59 HST"),
]


@pytest.mark.parametrize("header", [*((game, TIMES[0]) for game in HEADERS), *((HEADERS[3], time) for time in TIMES)])
def test_first_lines_are_read_alike(header: tuple[str, str]) -> None:
    rest = TEXTS[0].partition("\n")[2]
    data = f"PokerStars Hand #1:  {header[0]} - {header[1]}\n{rest}".encode()
    assert told(BOTH, data) == told(BY_LINES, data)


@pytest.mark.parametrize("button", range(1, 10))
@pytest.mark.parametrize("text", TEXTS)
def test_a_button_in_any_seat_is_read_alike(text: str, button: int) -> None:
    """In an empty one, too, from which the small blind need not be the next player."""
    data = re.sub(r"Seat #\d+ is the button", f"Seat #{button} is the button", text).encode()
    assert told(BOTH, data) == told(BY_LINES, data)


@given(st.integers(0, len(TEXTS) - 1), st.data())
@settings(max_examples=250)
def test_damaged_texts_are_read_alike(number: int, data: st.DataObject) -> None:
    text = damaged((TEXTS[number] + TEXTS[0]).encode(), Drawn(data))
    assert told(BOTH, text) == told(BY_LINES, text)


def random_text(rng: random.Random, number: int) -> str:
    """A hand of random players, as the site would write it."""
    structure = rng.choice(list(BettingStructure))
    n = rng.choice([2, 2, 3, 4, 6, 9])
    usual = GameSpec.heads_up(5, 10) if n == 2 else GameSpec.ring(n, 5, 10)
    bets, raises = (usual.bets, (8, 8, 8, 8)) if structure.fixed else ((10, 10, 10, 10), (1000,) * 4)
    antes = (rng.choice([0, 0, 2]),) * n
    spec = GameSpec(usual.blinds, bets, usual.first, raises, antes, structure=structure)
    stacks = [rng.choice([2000, rng.randint(1, 30), rng.randint(30, 200)]) for _ in range(n)]
    names = rng.sample(
        ["Ann", "Ann: x", "Bob B", "C\u00e9cile", "$5", "Eve [x]", "Fay", "Gil", "Hal", "\u042e\u043b\u044f"], n
    )
    sign, unit = rng.choice([("", Fraction(1)), ("$", Fraction(1, 100)), ("\u20ac", Fraction(1, 20))])

    def money(chips: float | Fraction) -> str:
        text = f"{float(chips * unit):.2f}"
        return sign + text.removesuffix(".00")

    stakes = bets[0] if structure.fixed else 5, bets[2]
    deck = [cards_text([card]) for card in rng.sample(range(52), 2 * n + 5)]
    lines = [
        f"PokerStars Hand #{number}:  Hold'em {structure.title()} ({money(stakes[0])}/{money(stakes[1])}) - "
        "2020/01/02 3:04:05 ET",
        f"Table 'Made Up' 9-max Seat #{1 if n == 2 else n} is the button",
        *(f"Seat {k + 1}: {name} ({money(stacks[k])} in chips)" for k, name in enumerate(names)),
        *(f"{name}: posts the ante {money(min(antes[k], stacks[k]))}" for k, name in enumerate(names) if antes[k]),
    ]
    state = State(spec, stacks)
    for seat, what in enumerate(("small", "big")):
        if posted := state.committed[seat] - min(antes[seat], stacks[seat]):
            lines.append(f"{names[seat]}: posts {what} blind {money(posted)}")
    lines.append("*** HOLE CARDS ***")
    street, actions, before = 0, [], [min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]

    def deal() -> None:
        nonlocal street, before
        street, before = street + 1, list(state.committed)
        new, old = deck[street + 1 : street + 2], " ".join(deck[: street + 1])
        what = ("FLOP", "TURN", "RIVER")[street - 1]
        lines.append(f"*** {what} *** [{' '.join(deck[:3])}]" if street == 1 else f"*** {what} *** [{old}] [{new[0]}]")

    while not state.over:
        while street < state.round:
            deal()
        seat = state.seat
        acts = [act for act in state.legal() if act != Act.FOLD or state.to_call]
        act = rng.choices(acts, [{0: 1, 1: 5, 2: 2}[act] for act in acts])[0]
        to = None
        if act == Act.RAISE and not structure.fixed:
            least, most = state.raise_range() or (0, 0)
            to = rng.choice([least, most or least, rng.randint(least, most or least)])
        chips = state.act(act, to)
        actions.append(Action(seat, act, to=to))
        done = f"calls {money(chips)}" if chips else "checks"
        if act == Act.RAISE:
            bet = money(state.committed[seat] - before[seat])
            done = rng.choice([f"raises {money(1)} to {bet}", f"bets {bet}"])
        all_in = " and is all-in" if state.committed[seat] == stacks[seat] else ""
        lines.append(f"{names[seat]}: " + ("folds" if act == Act.FOLD else done + all_in))
    excess = uncalled(state)
    lines += [f"Uncalled bet ({money(chips)}) returned to {names[k]}" for k, chips in enumerate(excess) if chips]
    while state.showdown and street < 3:
        deal()
    holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(n)}
    board = deck[: street + 2] if street else []
    live = state.active if state.showdown else ()
    hand = Hand("", "1", spec, names, actions, " ".join(board), {k: " ".join(holdings[k]) for k in range(n)}, stacks)
    won = [payoff + state.committed[seat] - excess[seat] for seat, payoff in enumerate(hand.payoffs)]
    losers = [seat for seat in live if not won[seat] and rng.random() < 0.5]
    lines += [f"{names[seat]}: shows [{' '.join(holdings[seat])}]" for seat in live if seat not in losers]
    lines += [f"{names[seat]}: mucks hand" for seat in losers]
    pot = state.pot - sum(excess)
    whole = [int(chips) for chips in won]
    rake = rng.choice([0, 0, pot // 20])
    winner = max(range(n), key=lambda seat: won[seat])
    whole[winner] -= rake
    lines += [f"{names[seat]} collected {money(chips)} from pot" for seat, chips in enumerate(whole) if chips > 0]
    lines += ["*** SUMMARY ***", f"Total pot {money(pot)} | Rake {money(pot - sum(whole))}"]
    lines += [f"Board [{' '.join(board)}]"] if board else []
    lines += [f"Seat {seat + 1}: {names[seat]} mucked [{' '.join(holdings[seat])}]" for seat in losers[:1]]
    return "\n".join([*lines, "", ""])


def test_random_hands_are_read_alike() -> None:
    rng = random.Random(19)
    text = "".join(random_text(rng, number) for number in range(400))
    expected = told(BY_LINES, text.encode())
    assert told(BOTH, text.encode()) == expected
    assert len(expected[0]) > 350
    assert usual_hands(text.encode()) > 0.9 * len(expected[0])


@pytest.mark.parametrize("folder", ["sites-limit", "sites-nolimit"])
def test_real_hands_are_read_alike(data_dir: Path, folder: str) -> None:
    files = [path for path in sorted((data_dir / folder / "pokerstars").iterdir()) if path.suffix != ".md"]
    usual = hands = 0
    for path in files:
        data = path.read_bytes()
        expected = told(BY_LINES, data)
        assert told(BOTH, data) == expected
        usual, hands = usual + usual_hands(data), hands + len(expected[0])
    assert files
    assert usual > 0.85 * hands


def test_what_the_kernel_refuses() -> None:
    data = TEXTS[0].encode()
    (hand,) = BOTH.hands(PATH, Slow(data, 1 << 16))  # type: ignore[arg-type]

    def rebuild(start: int, end: int, structure: str = "no limit", spec: GameSpec | None = None) -> object:
        def game(*_: object) -> GameSpec:
            return spec or hand.spec

        def level(_: bytes) -> Any:
            return structure, 5, 10, 1, ""

        return stars_hands.rebuild(data, start, end, level, lambda _, __: None, game, pokerstars._ACTIONS, Action)

    assert rebuild(0, len(data)) is not None
    for start, end in ((-1, 10), (0, len(data) + 1), (20, 10)):
        with pytest.raises(ValueError, match="start and end must be within"):
            rebuild(start, end)
    with pytest.raises(ValueError, match="the game must be no limit with 4 players"):
        rebuild(0, len(data), spec=GameSpec.no_limit(5, 5, 10))
    with pytest.raises(ValueError, match="the game must be no limit with 4 players"):
        rebuild(0, len(data), spec=GameSpec.ring(4, 5, 10))
    with pytest.raises(ValueError, match="the structure must be one of limit, pot limit, no limit, got 'x'"):
        rebuild(0, len(data), "x")
    with pytest.raises(ValueError, match="start must be 0 to"):
        stars_hands.find_next(data, len(data) + 1)
    assert stars_hands.find_next(data, 0) == -1
    assert stars_hands.find_next(data * 2, 0) == len(data)


def test_a_source_of_usual_hands(tmp_path: Path) -> None:
    """By number and in slices, as from its beginning."""
    path = tmp_path / "stars.txt"
    path.write_text("".join(NO_LIMIT.replace("#1:", f"#{number}:") for number in range(1, 201)), encoding="utf-8")
    source = open_hands(path)
    assert [hand.id for hand in source] == [str(number) for number in range(1, 201)]
    assert source.hand(150).id == "150"
    assert [hand.id for hand in open_hands(path)[120:123]] == ["121", "122", "123"]
