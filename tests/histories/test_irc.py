"""The IRC poker database: hands made up for every peculiarity, hands of a server of our own, the real thing."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokermodel._core import irc_hands
from pokermodel.cards import cards_text
from pokermodel.errors import HistoryError
from pokermodel.evaluation import evaluate
from pokermodel.game import Act, GameSpec, Hand, State
from pokermodel.histories import files as containers
from pokermodel.histories import irc, open_hands
from tests.common.histories import Memory
from tests.common.told import told

# A hand is a line of hdb, and below it the lines of pdb without time stamp and number of players.
USUAL = """
901 1 1 3 2/45 2/85 2/125 1/145 2c 7d 9h Ks 3s
    Ann 1 Bf  -  -  -  500  5   0
    Bob 2 Bc  kr b  b  500 80 145
    Cy  3 r   bc c  f  500 60   0
"""
QUIT_AFTER_ACTING = """
902 1 2 4 2/30 0/0 0/0 0/40 2c 7d 9h
    Ann 1 Bc  kQ - - 500 10  0
    Bob 2 Bk  bQ - - 500 20 40
    Cy  3 cQ  -  - - 500 10  0
    Dee 4 f   -  - - 500  0  0
"""
KICKED = """
903 1 3 3 2/25 0/0 0/0 1/35 2c 7d 9h
    Ann 1 BKQ -     - - 500  5  0
    Bob 2 Bk  kfKQ  - - 500 10  0
    Cy  3 c   b     - - 500 20 35
"""
ALL_QUIT = """
904 1 4 3 0/0 0/0 0/0 0/15
    Ann 1 BQ  - - - 500  5  0
    Bob 2 BKQ - - - 500 10  0
    Cy  3 Q   - - - 500  0 15
"""
CLOSING_ACTION_THEN_QUIT = """
905 1 5 3 2/30 0/0 0/0 1/40 2c 7d 9h
    Ann 1 Bc  b - - 500 20 40
    Bob 2 BkQ - - - 500 10  0
    Cy  3 c   f - - 500 10  0
"""
ONE_BLIND = """
906 1 6 3 2/20 2/20 2/20 2/20 2c 7d 9h Ks 3s
    Ann 1 Bk k k k 500 10 20 As Ad
    Bob 2 c  k k k 500 10  0 Qs Qd
    Cy  3 f  - - - 500  0  0
"""
TWO_PLAYERS = """
907 1 7 2 2/40 2/60 2/140 1/400 2c 7d 9h Ks 3s
    Ann 1 Br b bc brrr 500 210 400
    Bob 2 Bc c r  rrrf 500 190   0
"""
TWO_PLAYERS_ONE_BLIND = """
908 1 8 2 2/40 0/0 0/0 1/50 2c 7d 9h
    Ann 1 Bc b - - 500 30 50
    Bob 2 r  f - - 500 20  0
"""
SIDE_POTS = """
909 1 9 3 3/60 3/95 3/135 3/160 2c 7d 9h Ks 3s
    Ann 1 Bc bA - -   25 25 75 9s 9d
    Bob 2 Bc r  b b  300 75 15 7s 8s
    Cy  3 r  c  c cA  60 60 70 Kd Qc
"""
ALL_IN_BELOW_BANKROLL = """
910 1 10 3 0/0 0/0 2/35 2/35 2c 7d 9h Ks 3s
    Ann 1 Bf  - - - 500  5  0
    Bob 2 BrA - - - 457 15 35 9s 9d
    Cy  3 cc  - - - 500 15  0 Qs Qd
"""
SHORT_BLIND = """
911 1 11 3 0/0 0/0 2/22 2/22 2c 7d 9h Ks 3s
    Ann 1 Bf - - - 500  5  0
    Bob 2 BA - - -   7  7 19 9s 9d
    Cy  3 c  - - - 500 10  3 Qs Qd
"""
NOBODY_TO_BET_AGAINST = """
912 1 12 3 0/0 0/0 2/25 2/25 2c 7d 9h Ks 3s
    Ann 1 Bf - - - 500  5  0
    Bob 2 B  - - - 500 10 25 9s 9d
    Cy  3 cA - - -  10 10  0 Qs Qd
"""
ODD_CHIP = """
913 1 13 3 2/25 2/25 2/25 2/25 2c 7d 9h Ks 3s
    Ann 1 Bf - - - 500  5  0
    Bob 2 Bk k k k 500 10 13 As Qd
    Cy  3 c  k k k 500 10 12 Ad Qs
"""
BEYOND_THE_CAP = """
914 1 14 3 3/150 0/0 0/0 1/160 2c 7d 9h
    Ann 1 Brr kf - - 500 50   0
    Bob 2 Bcc kf - - 500 50   0
    Cy  3 rrc b - - 500 60 160
"""
WALK = """
915 1 15 3 0/0 0/0 0/0 1/15
    Ann 1 Bf - - - 500  5  0
    Bob 2 B  - - - 500 10 15
    Cy  3 f  - - - 500  0  0
"""
LEFT_THE_SHOWDOWN = """
916 1 16 2 2/20 2/20 2/20 1/20 2c 7d 9h Ks 3s
    Ann 1 Bc k k k  500 10 20 4c 5d
    Bob 2 Bk k k kQ 500 10  0
"""
QUIT_AFTER_THE_SHOWDOWN = """
917 1 17 2 2/20 2/20 2/20 0/20 2c 7d 9h Ks 3s
    Ann 1 Bc k k k  500 10 20 As Ad
    Bob 2 Bk k k kQ 500 10  0 4c 5d
"""
FOLD_FOR_NOTHING = """
918 1 18 2 2/20 0/0 0/0 1/20 2c 7d 9h
    Ann 1 Bc f - - 500 10  0
    Bob 2 Bk - - - 500 10 20
"""
HANDS = [value for value in list(globals().values()) if isinstance(value, str) and value.startswith("\n9")]


def tables(text: str) -> dict[str, str]:
    """Files of a database, by name, from hands in the notation above."""
    hdb, rosters, pdb = [], [], {}
    time = dealt = ""
    for line in text.splitlines():
        fields = line.split()
        if line.startswith(" "):
            name, position, *streets, bankroll, put_in, won = fields[:9]
            rosters[-1].append(name)
            numbers = f"{time} {dealt:>2} {position:>2}"
            letters = " ".join(f"{street:5}" for street in streets)
            money = f"{bankroll:>8} {put_in:>4} {won:>4} {' '.join(fields[9:])}"
            pdb[f"pdb/pdb.{name}"] = pdb.get(f"pdb/pdb.{name}", "") + f"{name:9} {numbers} {letters} {money}\n"
        elif fields:
            time, game_set, game, dealt, *pots = fields[:8]
            rosters.append([time, f"{dealt:>2}"])
            columns = "".join(f"{pot:9}" for pot in pots)
            hdb.append(f"{time} {game_set:>3} {game:>5} {dealt:>2}  {columns}{' '.join(fields[8:])}")
    hroster = [" ".join([*roster[:2], *sorted(roster[2:])]) for roster in rosters]
    return {"hdb": "\n".join([*hdb, ""]), "hroster": "\n".join([*hroster, ""]), **pdb}


def write(folder: Path, files: dict[str, str]) -> Path:
    (folder / "pdb").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def read(folder: Path, text: str) -> Hand:
    (hand,) = open_hands(write(folder / "199901", tables(text)))
    return hand


def played(hand: Hand) -> str:
    """Who does what: ``*`` behind a name who leaves out of turn, rounds parted by ``/``."""
    rounds = [""] * 4
    for decision in hand.replay():
        rounds[decision.round] += f" {decision.player}{'*' * decision.out_of_turn} {decision.name}"
    return " /".join(rounds).strip(" /")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (USUAL, "Cy raise Ann fold Bob call / Bob check Cy bet Bob raise Cy call / Bob bet Cy call / Bob bet Cy fold"),
        (QUIT_AFTER_ACTING, "Cy call Cy* fold Dee fold Ann call Bob check / Ann check Bob bet Ann fold"),
        (KICKED, "Cy call Ann fold Bob check / Bob check Cy bet Bob fold"),
        (ALL_QUIT, "Ann* fold Bob* fold"),
        (CLOSING_ACTION_THEN_QUIT, "Cy call Ann call Bob check / Bob* fold Ann bet Cy fold"),
        (ONE_BLIND, "Bob call Cy fold Ann check / " + " / ".join(["Ann check Bob check"] * 3)),
        (
            TWO_PLAYERS,
            "Ann raise Bob call / Ann bet Bob call"  # who posted the first blind acts first in every round
            " / Ann bet Bob raise Ann call"
            " / Ann bet Bob raise Ann raise Bob raise Ann raise Bob raise Ann raise Bob fold",
        ),
        (TWO_PLAYERS_ONE_BLIND, "Bob raise Ann call / Ann bet Bob fold"),
        (
            SIDE_POTS,
            "Cy raise Ann call Bob call / Ann bet Bob raise Cy call / Bob bet Cy call / Bob bet Cy call",
        ),
        (ALL_IN_BELOW_BANKROLL, "Cy call Ann fold Bob raise Cy call"),
        (SHORT_BLIND, "Cy call Ann fold"),
        (NOBODY_TO_BET_AGAINST, "Cy call Ann fold Bob check"),
        (ODD_CHIP, "Cy call Ann fold Bob check / " + " / ".join(["Bob check Cy check"] * 3)),
        (
            BEYOND_THE_CAP,
            "Cy raise Ann raise Bob call Cy raise Ann raise Bob call Cy call"
            " / Ann check Bob check Cy bet Ann fold Bob fold",
        ),
        (WALK, "Cy fold Ann fold"),
        (LEFT_THE_SHOWDOWN, "Ann call Bob check / " + " / ".join(["Ann check Bob check"] * 3)),
        (QUIT_AFTER_THE_SHOWDOWN, "Ann call Bob check / " + " / ".join(["Ann check Bob check"] * 3)),
        (FOLD_FOR_NOTHING, "Ann call Bob check / Ann fold"),
    ],
    ids=lambda value: value.split()[2] if value.startswith("\n") else "",
)
def test_order_is_rebuilt(tmp_path: Path, text: str, expected: str) -> None:
    hand = read(tmp_path, text)
    assert played(hand) == expected
    assert hand.payoffs == hand.stated_payoffs


def test_what_a_hand_says(tmp_path: Path) -> None:
    hand = read(tmp_path, SIDE_POTS)
    assert (hand.source, hand.id) == ("irc/199901", "909-9")
    assert hand.players == ("Ann", "Bob", "Cy")
    assert hand.stacks == (25, 300, 60)
    assert hand.payoffs == hand.stated_payoffs == (50, -60, 10)
    assert cards_text(hand.board) == "2c7d9hKs3s"
    assert {seat: cards_text(cards) for seat, cards in hand.holdings.items()} == {0: "9s9d", 1: "7s8s", 2: "KdQc"}
    assert hand.spec.blinds == (5, 10, 0)
    assert hand.spec.first == (2, 0, 0, 0)
    assert hand.spec.max_raises == (3, 4, 4, 4)


@pytest.mark.parametrize(
    ("text", "blinds", "first"),
    [
        (ONE_BLIND, (10, 0, 0), (1, 0, 0, 0)),
        (TWO_PLAYERS, (5, 10), (0, 0, 0, 0)),
        (TWO_PLAYERS_ONE_BLIND, (10, 0), (1, 0, 0, 0)),
    ],
)
def test_blinds(tmp_path: Path, text: str, blinds: tuple[int, ...], first: tuple[int, ...]) -> None:
    spec = read(tmp_path, text).spec
    assert (spec.blinds, spec.first) == (blinds, first)


def test_stack_is_what_took_the_last_chip(tmp_path: Path) -> None:
    assert read(tmp_path, ALL_IN_BELOW_BANKROLL).stacks == (500, 15, 500)


def test_cap_is_lifted_only_where_needed(tmp_path: Path) -> None:
    assert read(tmp_path / "a", BEYOND_THE_CAP).spec.max_raises == (4, 4, 4, 4)
    assert read(tmp_path / "b", TWO_PLAYERS).spec.max_raises == (3, 4, 4, 4)


def test_cards_of_who_left_the_showdown_are_not_needed(tmp_path: Path) -> None:
    hand = read(tmp_path, LEFT_THE_SHOWDOWN)
    assert hand.mucked == {1}
    assert hand.payoffs == (10, -10)


@pytest.mark.parametrize("factor", [2, 10])
def test_stakes_are_inferred(tmp_path: Path, factor: int) -> None:
    def scaled(text: str) -> str:
        lines = []
        for line in text.splitlines():
            fields = re.sub(r"/(\d+)", lambda found: f"/{int(found[1]) * factor}", line).split()
            if line.startswith(" "):
                fields[6:9] = [str(int(field) * factor) for field in fields[6:9]]
            lines.append((" " if line.startswith(" ") else "") + " ".join(fields))
        return "\n".join([*lines, ""])

    texts = [scaled(text) for text in HANDS if text != ODD_CHIP]  # a chip stays one
    hands = list(open_hands(write(tmp_path / "199901", tables("".join(texts)))))
    assert len(hands) == len(texts)
    assert all(max(hand.spec.blinds) == 10 * factor and hand.payoffs == hand.stated_payoffs for hand in hands)


def test_numbers_in_file_order(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, tables("".join(HANDS))))
    assert source.format == "irc"
    assert [hand.id for hand in source] == [f"{900 + n}-{n}" for n in range(1, len(HANDS) + 1)]
    assert source.hand(3).id == "903-3"
    with pytest.raises(ValueError, match=f"there is no hand 99, the last hand is {len(HANDS)}"):
        source.hand(99)


def test_names_are_opaque(tmp_path: Path) -> None:
    files = tables(USUAL)
    odd = "[x|\u00b0^]"
    files = {name: re.sub(r"\bBob\b", odd, text) for name, text in files.items()}
    (tmp_path / "pdb").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    (hand,) = open_hands(tmp_path)
    assert hand.players == ("Ann", odd, "Cy")


DAMAGE = [  # file, what to replace by what, the file and line of the report, what it says
    ("hdb", "145", "146", "hdb:1", "the pot at the end is 146, but the actions come to 145"),
    ("hdb", "2/85", "2/80", "hdb:1", "the turn starts with 2 players and 80, but it is 2 players and 85"),
    ("hdb", "2/85", "3/85", "hdb:1", "the turn starts with 3 players and 85, but it is 2 players and 85"),
    ("hdb", "2/85", "2:85", "hdb:1", "not a number"),
    ("hdb", "2c 7d", "2c 7x", "hdb:1", "'7x' on the board is not a card"),
    ("hdb", "2c 7d", "2c 2c", "hdb:1", "duplicate card 2c"),
    ("hdb", " 7d 9h Ks 3s", "", "hdb:1", "a board has 0, 3, 4 or 5 cards, got 1"),
    ("hdb", " Ks 3s", "", "hdb:1", "3 cards on the board on the turn, expected 4"),
    ("hdb", "1/145", "", "hdb:1", "not a number"),
    ("hdb", "2c 7d 9h Ks 3s", "", "hdb:1", "0 cards on the board on the flop, expected 3"),
    ("hdb", " 3  2/45", " 4  2/45", "hdb:1", "4 players dealt, but hroster says '3 Ann Bob Cy'"),
    ("hroster", "901", "801", "hdb:1", "no line for 901 in hroster"),
    ("hroster", " Cy", "", "hdb:1", "3 players dealt, but hroster says '3 Ann Bob'"),
    ("hroster", "Cy", "Dee", "hdb:1", "hroster and pdb disagree; not in pdb: Dee; not in hroster: Cy"),
    ("pdb/pdb.Cy", "901", "801", "hdb:1", "hroster and pdb disagree; not in pdb: Cy"),
    ("pdb/pdb.Cy", " 3  3 ", " 3  2 ", "pdb.Cy:1", "Cy is in position 2, as Bob is"),
    ("pdb/pdb.Cy", " 3  3 ", " 3  4 ", "pdb.Cy:1", "Cy in position 4 of 3, but 3 were dealt in"),
    ("pdb/pdb.Cy", "500", "", "pdb.Cy:1", "expected name, time stamp, players, position"),
    ("pdb/pdb.Cy", "500", "5oo", "pdb.Cy:1", "expected name, time stamp, players, position"),
    ("pdb/pdb.Cy", " 0 \n", " 0 Ad Ax\n", "pdb.Cy:1", "'Ax' is not a card"),
    ("pdb/pdb.Cy", " f ", " x ", "hdb:1", "Cy on the river does 'x', which is not an action"),
    ("pdb/pdb.Cy", " f ", " - ", "hdb:1", "Cy on the river has no action in turn"),
    ("pdb/pdb.Cy", " f ", " ff", "hdb:1", "Cy on the river still does 'f' when the round is over"),
    ("pdb/pdb.Cy", " bc ", " rc ", "hdb:1", "Cy on the flop raises without a bet"),
    ("pdb/pdb.Bob", " kr ", " kb ", "hdb:1", "Bob on the flop bets after a bet"),
    ("pdb/pdb.Bob", " kr ", " cr ", "hdb:1", "Bob on the flop calls, but there is nothing to call"),
    ("pdb/pdb.Bob", " Bc ", " Bk ", "hdb:1", "Bob before the flop checks, but has 10 to call"),
    ("pdb/pdb.Bob", " Bc ", " c  ", "hdb:1", "the pot at the end|Bob before the flop|blinds"),
    ("pdb/pdb.Ann", " Bf ", " f  ", "hdb:1", "blinds by 2, expected position 1, or positions 1 and 2"),
    ("pdb/pdb.Bob", " 80 ", " 70 ", "hdb:1", "Bob put in 70, but the actions come to 80"),
    ("pdb/pdb.Bob", " 145", " 140", "hdb:1", "Bob won 140, but by cards and actions it is 145"),
    ("pdb/pdb.Bob", " 500 ", "  50 ", "hdb:1", "Bob put in 80 of a bankroll of 50, but was not all-in"),
]


@pytest.mark.parametrize(("file", "old", "new", "where", "message"), DAMAGE)
def test_damage_is_reported_where_it_is(
    tmp_path: Path, file: str, old: str, new: str, where: str, message: str
) -> None:
    files = tables(USUAL)
    assert old in files[file]
    files[file] = files[file].replace(old, new)
    folder = write(tmp_path / "199901", files)
    with pytest.raises(HistoryError, match=message) as caught:
        list(open_hands(folder))
    assert f"{caught.value.path}:{caught.value.line}".endswith(where)
    source = open_hands(folder, strict=False)
    assert list(source) == []
    assert str(source.skipped[0]) == str(caught.value)


def test_damaged_hands_are_left_out_and_counted(tmp_path: Path) -> None:
    files = tables("".join(HANDS))
    files["hdb"] = files["hdb"].replace("2/85", "2/80")
    files["pdb/pdb.Dee"] = ""
    folder = write(tmp_path, files)
    source = open_hands(folder, strict=False)
    assert len(list(source)) == len(HANDS) - 2
    assert [error.line for error in source.skipped] == [1, 2]
    list(source)
    assert len(source.skipped) == 2  # counted anew each time


def test_hand_that_occurs_twice_or_not_at_all(tmp_path: Path) -> None:
    files = tables(USUAL + KICKED)
    first, *_ = files["hdb"].split("\n")
    files["hdb"] = f"{first}\n{first}\n"
    source = open_hands(write(tmp_path, files), strict=False)
    assert len(list(source)) == 1
    twice, orphan = source.skipped
    assert "hand 901 has been on line 1 already" in str(twice)
    assert twice.line == 2
    assert "hand 903 is not in hdb" in str(orphan)
    assert (Path(str(orphan.path)).name, orphan.line) == ("pdb.Ann", 2)


@pytest.mark.parametrize("missing", ["hroster", "pdb/pdb.Ann"])
def test_missing_table(tmp_path: Path, missing: str) -> None:
    files = tables(USUAL)
    write(tmp_path, files)
    (tmp_path / missing).unlink()
    with pytest.raises(HistoryError, match=r"needs three tables|hroster and pdb disagree"):
        list(open_hands(tmp_path))


def test_database_without_players(tmp_path: Path) -> None:
    folder = write(tmp_path, {name: text for name, text in tables(USUAL).items() if not name.startswith("pdb")})
    with pytest.raises(HistoryError, match="needs three tables side by side: hdb, hroster and the folder pdb"):
        list(open_hands(folder))
    source = open_hands(folder, strict=False)
    assert list(source) == []
    assert len(source.skipped) == 1


# --- a server of our own: hands played at random and written down as the database does it ----------------------


def play(rng: random.Random, number: int) -> tuple[str, list[tuple[str, int, bool]]]:
    """One hand in the notation above, and who did what: name, act, out of turn."""
    n = rng.choice([2, 2, 3, 4, 6, 10])
    blinds = rng.choice([1, 2, 2, 2])
    spec = GameSpec(
        ((5, 10) if blinds == 2 else (10,)) + (0,) * (n - blinds),
        (10, 10, 20, 20),
        (blinds % n, 0, 0, 0),
        cap_heads_up=False,
        odd_chips="first",
        reopening="any",
    )
    stacks = [rng.choice([1000, 1000, 1000, rng.randint(11, 150)]) for _ in range(n)]
    names = rng.sample(["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ian", "Joe", "x|y^", "[z]"], n)
    letters = [["B" if seat < blinds else "", "", "", ""] for seat in range(n)]
    pots = ["0/0"] * 3
    state = State(spec, stacks)
    done = []
    betting_round, bet = 0, True
    while not state.over:
        if state.round != betting_round:
            betting_round, bet = state.round, False
            pots[betting_round - 1] = f"{len(state.active)}/{state.pot}"
        seat = state.seat
        legal = state.legal()
        act = rng.choices([Act.FOLD, Act.CALL, Act.RAISE], [0.15, 0.5, 0.35])[0]
        if act not in legal and (act is Act.RAISE or rng.random() < 0.9):  # people fold for nothing now and then
            act = Act.CALL
        if act is Act.FOLD:
            letters[seat][betting_round] += rng.choice(["f", "f", "f", "Q", "KQ", "fQ"])
            state.act(act)
        else:
            chips = state.act(act)
            letter = ("r" if bet else "b") if act is Act.RAISE else "c" if chips else "k"
            bet = bet or act is Act.RAISE
            letters[seat][betting_round] += letter + "A" * (seat in state.all_in)
        done.append((names[seat], int(act), False))
    deck = rng.sample([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"], 5 + 2 * n)
    last = 3 if state.showdown else betting_round
    board = deck[: (0, 3, 4, 5)[last]]
    holdings = {seat: tuple(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in (state.active if state.showdown else ())}
    ranks = [evaluate([*board, *holdings[seat]]) if seat in holdings else 0 for seat in range(n)]
    payoffs = state.payoffs(ranks if state.showdown else None)
    lines = [f"{5000 + number} 1 {number} {n} {' '.join(pots)} {len(state.active)}/{state.pot} {' '.join(board)}"]
    for seat, name in enumerate(names):
        put_in = state.committed[seat]
        streets = " ".join(text or "-" for text in letters[seat])
        money = f"{stacks[seat]} {put_in} {put_in + int(payoffs[seat])}"
        lines.append(f"  {name} {seat + 1} {streets} {money} {' '.join(holdings.get(seat, ()))}")
    return "\n".join([*lines, ""]), done


def test_hands_of_a_server_of_our_own(tmp_path: Path) -> None:
    rng = random.Random(1995)
    hands = [play(rng, number) for number in range(1000)]
    source = open_hands(write(tmp_path, tables("".join(text for text, _ in hands))))
    seen: Counter[str] = Counter()
    for hand, (text, done) in zip(source, hands, strict=True):
        assert [(hand.players[seat], int(act), out) for seat, act, out, _ in hand.actions] == done, text
        assert hand.payoffs == hand.stated_payoffs
        seen["all-in"] += any(d.all_in for d in hand.replay())
        seen["split"] += sum(payoff > 0 for payoff in hand.payoffs) > 1
    assert min(seen["all-in"], seen["split"]) > 20


# --- mangled tables ------------------------------------------------------------------------------------------

ALL = tables("".join(HANDS))


@st.composite
def mangled(draw: st.DrawFn) -> dict[str, bytes]:
    files = {name: text.encode() for name, text in ALL.items()}
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(files)))
        lines = files[name].split(b"\n")
        where = draw(st.integers(0, len(lines) - 1))
        line = lines[where]
        what = draw(st.sampled_from(["byte", "delete", "insert", "drop", "twice", "swap", "cut"]))
        at = draw(st.integers(0, len(line)))
        if what == "byte":
            line = line[:at] + draw(st.binary(min_size=1, max_size=1)) + line[at + 1 :]
        elif what == "delete":
            line = line[:at] + line[at + 1 :]
        elif what == "insert":
            line = line[:at] + draw(st.sampled_from([b"Q", b"A", b"r", b"9", b" ", b"-", b"\xb2", b"\0"])) + line[at:]
        lines[where] = line
        if what == "drop":
            del lines[where]
        elif what == "twice":
            lines.insert(where, line)
        elif what == "swap":
            fields = line.split(b" ")
            fields.reverse()
            lines[where] = b" ".join(fields)
        files[name] = b"\n".join(lines)
        if what == "cut":
            files[name] = files[name][: draw(st.integers(0, len(files[name])))]
    return files


@given(mangled())
@example(dict.fromkeys(ALL, b""))
@example({name: text.encode() + b"\xa0" * (name == "hdb") for name, text in ALL.items()})
@settings(max_examples=150, deadline=None)
def test_mangled_tables(files: dict[str, bytes]) -> None:
    skipped: list[HistoryError] = []
    hands = list(irc.hands(Memory(files), "", skipped))  # whatever it is, no other error
    for hand in hands:
        assert hand.payoffs == hand.stated_payoffs
    # a no-break space is blank, too
    lines = sum(bool(line.strip()) for line in files["hdb"].decode("latin-1").split("\n"))
    assert len(hands) + len(skipped) >= lines
    if skipped:
        with pytest.raises(HistoryError):
            list(irc.hands(Memory(files), ""))


def found_in(files: dict[str, bytes]) -> list[Any]:
    return told(partial(irc.hands, Memory(files), ""))


@given(mangled())
@example({name: text.encode() for name, text in ALL.items()})
@example({name: text.replace("\n", "\r\n").encode() for name, text in ALL.items()})
@settings(max_examples=150, deadline=None)
def test_usual_hands_are_read_as_all_others(files: dict[str, bytes]) -> None:
    """What the kernel rebuilds, and what it leaves to the walk that knows everything."""
    found = found_in(files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(irc, "rebuild", lambda *_: None)
        assert found == found_in(files)


@given(mangled(), st.sampled_from([0, 500, 2000]))
@settings(max_examples=100, deadline=None)
def test_tables_in_a_temporary_file(files: dict[str, bytes], room: int) -> None:
    found = found_in(files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(containers, "IN_MEMORY", room)
        assert found == found_in(files)


def test_most_hands_are_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel leaves few hands to the slower walk."""
    rng = random.Random(7)
    files = {name: text.encode() for name, text in tables("".join(play(rng, k)[0] for k in range(300))).items()}
    slow: list[str] = []
    rebuilt = irc._rebuild
    monkeypatch.setattr(irc, "_rebuild", lambda table, *rest: slow.append(table.id) or rebuilt(table, *rest))
    hands, skipped = found_in(files)
    assert len(hands) == 300
    assert not skipped
    assert len(slow) < 150


# --- the real thing --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def month(data_dir: Path) -> Path:
    path = data_dir / "irc-199504" / "holdem.199504.dev.tgz"
    if not path.exists():
        pytest.skip(f"{path} not found")
    return path


@pytest.mark.slow
def test_april_1995(month: Path) -> None:
    source = open_hands(month, strict=False)
    hands = list(source)
    for error in source.skipped:
        print(error)
    assert len(hands) + len(source.skipped) == 15_680
    assert len(hands) >= 0.997 * 15_680
    shown = decisions = 0
    for hand in hands:
        assert hand.payoffs == hand.stated_payoffs
        shown += bool(hand.holdings)
        decisions += sum(1 for _ in hand.replay())
    assert len(hands) == 15_680  # every one, in fact
    assert shown == 6_323
    assert decisions > 190_000
    assert sum(hand.spec.players == 2 for hand in hands) == 3_791


def test_first_300_hands(data_dir: Path, month: Path) -> None:
    sample = open_hands(data_dir / "irc-199504" / "sample300")
    hands = list(sample)
    assert len(hands) == 300
    archived = iter(open_hands(month))
    assert all(hand == next(archived) for hand in hands)
    assert sample.hand(300) == hands[-1]


@given(
    st.binary(max_size=60)
    | st.text(" \t\n\r\v\x1c\x85\xa0a0\u00e9", max_size=60).map(lambda text: text.encode("latin-1"))
)
@example(b"1 1 2\n 2\n\n2  x \n1 3\n3\r\n4 a b")
def test_lines_of_the_tables_are_divided_at_blanks(data: bytes) -> None:
    """At all that are blanks in Latin-1, some of which are no ASCII."""
    said = data.removesuffix(b"\n").split(b"\n") if data else []
    fields = [[part.encode("latin-1") for part in line.decode("latin-1").split(None, 1)] for line in said]
    lines, after = irc_hands.divide_lines(data, 5)
    assert lines == [
        (number, line, parts[0]) for number, (line, parts) in enumerate(zip(said, fields, strict=True), 5) if parts
    ]
    numbers: dict[bytes, int] = {b"1": 0}
    assert irc_hands.number_lines(data, 5, numbers) == after == 5 + len(said)
    expected = {b"1": 0}
    for number, _, time in lines:
        expected.setdefault(time, number)
    assert numbers == expected
    rosters: dict[bytes, bytes] = {}
    irc_hands.keep_rosters(data, rosters)
    assert rosters == dict(parts for parts in fields if len(parts) == 2)
