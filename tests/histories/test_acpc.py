"""Logs of the ACPC dealer."""

from __future__ import annotations

import gzip
import io
import random
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.histories import acpc, open_hands
from tests.common.formats import MODULES
from tests.common.random_hands import plain_hand
from tests.histories.cases import CASES

PATH = Path("some.log")
LOG, TWO = CASES["acpc/usual"].data, CASES["acpc/two-players"].data
HEADER, THREE = b"".join(LOG.splitlines(keepends=True)[:2]), LOG.splitlines(keepends=True)[2]
#: A match of no limit without a header: amounts of the first hand show the structure, also of the second.
NO_LIMIT = b"".join(
    CASES[f"acpc/{name}"].data.splitlines(keepends=True)[-1]
    for name in ("no-limit: with a stamp", "no-limit-checked", "no-limit-all-in")
)


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def read(data: bytes, spec: GameSpec | None = None) -> list[Hand]:
    return list(acpc.hands(PATH, stream(data), None, spec))


def test_own_game_definition() -> None:
    line = CASES["acpc/four-players: of another game"].data
    (hand,) = read(line, GameSpec.ring(4, 1, 2))
    assert hand.payoffs == (-1, -2, 3, 0)
    with pytest.raises(HistoryError, match="4 players, expected 3"):
        read(line, GameSpec.ring(3, 1, 2))


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (LOG, True),
        (TWO, True),
        (HEADER, True),
        (b"", False),
        (b"# something\n# else\n", False),
        (b"variant = 'FT'\n", False),
        (b"797211160   1   195  7  2/20    0/0     0/0      1/30     Td 9c Ad\n", False),
        (b"PokerStars Hand #84: Hold'em Limit ($1/$2)\n", False),
        (b"\x1f\x8b\x08\x00", False),
        (b"a|b:one:f:cards:1|-1", False),
    ],
)
def test_sniff(head: bytes, expected: bool) -> None:
    assert MODULES["acpc"].sniff(head, "x.log") == expected


def test_a_damaged_line_among_others() -> None:
    log = HEADER + THREE + THREE.replace(b"KhQs", b"KhXs") + THREE
    reading = acpc.hands(PATH, stream(log))
    assert next(reading).id == "2"
    with pytest.raises(HistoryError, match="is not a card") as caught:
        next(reading)
    assert (caught.value.path, caught.value.line) == ("some.log", 4)
    skipped: list[HistoryError] = []
    assert len(list(acpc.hands(PATH, stream(log), skipped))) == 2
    assert [error.line for error in skipped] == [4]


@pytest.mark.parametrize("data", [b"", b"\n\n", HEADER, b"SCORE:1|-1:a|b"])
def test_no_hand(data: bytes) -> None:
    with pytest.raises(HistoryError, match=r"some.log: no hand found: expected STATE"):
        read(data)
    skipped: list[HistoryError] = []
    assert list(acpc.hands(PATH, stream(data), skipped)) == []
    assert len(skipped) == 1


def test_one_hand_tells_the_structure_of_all() -> None:
    first, checked, all_in = read(NO_LIMIT)  # without a header
    assert checked.spec == first.spec == all_in.spec
    assert [decision.to_in_hand for decision in first.replay()] == [300, 900, None, 2250, None]


@given(st.data())
def test_mangled_logs_raise_nothing_but_history_errors(data: st.DataObject) -> None:
    log = bytearray(HEADER + TWO + THREE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(log)))
        how = data.draw(st.sampled_from(["cut", "put", "drop"]))
        if how == "cut":
            del log[at:]
        elif how == "drop":
            del log[at : at + data.draw(st.integers(1, 9))]
        else:
            log[at:at] = data.draw(st.binary(min_size=1, max_size=4) | st.sampled_from([b":", b"|", b"/", b"\n", b"r"]))
    skipped: list[HistoryError] = []
    hands = list(acpc.hands(PATH, stream(bytes(log)), skipped))
    for hand in hands:
        assert sum(hand.payoffs) == pytest.approx(0)
        assert list(hand.replay())
    for error in skipped:
        assert error.reason
        assert error.line is not None or not hands
    MODULES["acpc"].sniff(bytes(log), "x")
    if skipped:
        with pytest.raises(HistoryError, match=r"some.log"):
            list(acpc.hands(PATH, stream(bytes(log))))


@given(st.binary(max_size=300))
def test_anything(data: bytes) -> None:
    MODULES["acpc"].sniff(data, "x")
    skipped: list[HistoryError] = []
    assert list(acpc.hands(PATH, stream(data), skipped)) == []
    assert skipped


@pytest.mark.parametrize(
    ("pattern", "count", "decisions"),
    [
        ("acpc-2014-3p-limit/*.log", 2000, 16430),
        ("acpc-random/2p.limit*.hands0-699.log", 700, 6332),
        ("acpc-random/3p.limit*.hands0-699.log", 700, 11779),
    ],
)
def test_real_logs(data_dir: Path, pattern: str, count: int, decisions: int) -> None:
    (path,) = data_dir.glob(pattern)
    data = path.read_bytes()
    assert MODULES["acpc"].sniff(data[:4096], path.name)
    found = list(acpc.hands(path, stream(data)))
    assert len(found) == count
    assert [hand.id for hand in found] == [str(k) for k in range(count)]
    assert all(hand.payoffs == pytest.approx(hand.stated_payoffs, abs=1e-6) for hand in found)
    replayed = [decision for hand in found for decision in hand.replay()]
    assert len(replayed) == decisions
    assert all(d.act in d.legal for d in replayed)
    assert {d.act for d in replayed} == set(Act)


@pytest.mark.parametrize(
    ("log", "count"),
    [
        ("acpc-dealer/2p.nolimit.log", 300),
        ("acpc-dealer/3p.nolimit.log", 200),
        ("acpc-random/2p.nolimit.h1000.r0.log", 1_000),
        pytest.param("deepstack-hunl/deepstack_vs_humans.dev.log.gz", 31_386, marks=pytest.mark.slow),
    ],
)
def test_real_no_limit_logs(data_dir: Path, log: str, count: int) -> None:
    found = list(open_hands(data_dir / log))
    assert len(found) == count
    assert all(hand.payoffs == pytest.approx(hand.stated_payoffs, abs=1e-6) for hand in found)


# --- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "log", [THREE, TWO, NO_LIMIT.splitlines(keepends=True)[1], NO_LIMIT.splitlines(keepends=True)[2]]
)
def test_a_line_is_written_as_it_was_read(log: bytes) -> None:
    spec = acpc.usual_game(2, "no limit") if log in NO_LIMIT else None
    (hand,) = read(log, spec)
    assert hand.to_acpc() == acpc.dumps(hand) == log.decode().replace("\r", "")


def test_time_stands_behind_the_names() -> None:
    (hand, *_) = read(NO_LIMIT)
    assert hand.to_acpc().endswith(":a|b # 1478520223.9\n")


@pytest.mark.parametrize("year", [20, 1900, 1969, 1970, 9999])
def test_a_time_of_any_year_is_read_again(year: int) -> None:
    """Of a hand whose history says so, however wrong its clock was."""
    seconds = round(datetime(year, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp())
    (hand,) = read(TWO.replace(b"\n", b" # %d\n" % seconds))
    assert hand.time == datetime(year, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert read(acpc.dumps(hand).encode()) == [hand]


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_every_line_is_kept(seed: int) -> None:
    rng = random.Random(seed)
    hands = [plain_hand(rng, number) for number in range(3)]
    text = acpc.dumps_all(hands)
    again = read(text.encode())
    assert acpc.dumps_all(again) == text
    for ours, theirs in zip(hands, again, strict=True):
        assert theirs.payoffs == pytest.approx(ours.payoffs)
        names = "id", "players", "actions", "board", "holdings", "time"
        assert [getattr(theirs, name) for name in names] == [getattr(ours, name) for name in names]
        if not ours.spec.structure.fixed or ours._final().all_in:
            assert (theirs.spec, theirs.stacks) == (ours.spec, ours.stacks)


def test_the_game_is_defined_in_comments(tmp_path: Path) -> None:
    spec = GameSpec.ring(4, 1, 2)
    acts = [Action(seat, Act.FOLD) for seat in (2, 3, 0)]
    hands = [Hand("x", name, spec, "ABCD", acts) for name in ("first", "second")]
    text = acpc.dumps_all([*hands, read(TWO)[0]])
    lines = text.splitlines()
    assert lines[0] == "# GAMEDEF"
    assert text.count("# GAMEDEF") == 2
    assert [line for line in lines if not line.startswith("#")] == [
        "STATE:0:fff:|||:-1|1|0|0:A|B|C|D",  # ids that are no numbers are not kept
        "STATE:1:fff:|||:-1|1|0|0:A|B|C|D",
        TWO.decode().strip(),
    ]
    path = tmp_path / "four.log"
    path.write_text(text)
    source = open_hands(path)
    assert [hand.spec.blinds for hand in source] == [(1, 2, 0, 0)] * 2 + [(10, 5)]
    assert source[2].id == "698"
    # a definition that is damaged is none
    damaged = text.replace("# numPlayers = 4", "# numPlayers = four")
    assert len(list(acpc.hands(PATH, stream(damaged.encode()), skipped := []))) == 1
    assert skipped[0].reason == "hand 0: A wins -5, but the log says -1"


def hand_of(spec: GameSpec, *acts: object, **more: object) -> Hand:
    return Hand("x", "1", spec, "ABC"[: spec.players], acts, **more)


THREE_PLAYERS = GameSpec.ring(3, 5, 10)


@pytest.mark.parametrize(
    ("hand", "what"),
    [
        (hand_of(GameSpec.pot_limit(3, 5, 10), (2, Act.FOLD), (0, Act.FOLD)), "cannot be pot limit"),
        (hand_of(replace(THREE_PLAYERS, antes=(1, 1, 1)), (2, Act.FOLD), (0, Act.FOLD)), "cannot have antes"),
        (
            hand_of(GameSpec((5, 10, 20), (10,) * 4, (0, 0, 0, 0), structure="no limit"), (0, 0), (1, 0)),
            "cannot have least bets of 10 10 10 10 in no limit",  # a straddle
        ),
        (hand_of(THREE_PLAYERS, (2, Act.CALL), (2, Act.FOLD, True), (0, Act.FOLD)), "C left out of turn"),
        (
            hand_of(THREE_PLAYERS, (2, Act.CALL), (0, Act.FOLD), (1, Act.FOLD)),
            "B folds although there is nothing to call",
        ),
        (
            hand_of(THREE_PLAYERS, (2, Act.RAISE), (0, 0), (1, 0), stacks=(100, None, 20)),
            "the stacks of some players are known, and those of others are not",
        ),
        (hand_of(THREE_PLAYERS, (2, Act.FOLD)), "betting 'f' is cut short in round 1"),
    ],
)
def test_what_cannot_be_written(hand: Hand, what: str) -> None:
    with pytest.raises(ValueError, match=rf"^hand 1: an ACPC log cannot express it: .*({what})"):
        acpc.dumps(hand)
    good = read(TWO)
    skipped: list[ValueError] = []
    assert read("".join(acpc.write([hand, *good], skipped)).encode()) == good
    assert len(skipped) == 1


def test_names_and_numbers_that_cannot_be_written() -> None:
    acts = [Action(2, Act.FOLD), Action(0, Act.FOLD)]
    for names in (("A|B", "C", "D"), ("A:B", "C", "D"), ("A", "B", "C "), ("A", "B", "C # D")):
        with pytest.raises(ValueError, match="cannot express it"):
            acpc.dumps(Hand("x", "1", THREE_PLAYERS, names, acts))
    with pytest.raises(ValueError, match="hand a1: an ACPC log cannot express it: the hand's number must be digits"):
        acpc.dumps(Hand("x", "a1", THREE_PLAYERS, "ABC", acts))


@pytest.mark.parametrize(
    ("log", "most"),
    [
        ("acpc-dealer/2p.limit.log", 300),
        ("acpc-dealer/3p.limit.log", 300),
        ("acpc-dealer/2p.nolimit.log", 300),
        ("acpc-dealer/3p.nolimit.log", 200),
        ("acpc-2014-3p-limit/3pl.HITSZ_CS_14.Hyperborean_iro.SmooCT.0.0.hands0-1999.log", 500),
        ("deepstack-hunl/deepstack_vs_humans.dev.log.gz", 500),
        pytest.param("deepstack-hunl/deepstack_vs_humans.dev.log.gz", 31_386, marks=pytest.mark.slow),
    ],
)
def test_real_lines_are_written_as_they_are(data_dir: Path, log: str, most: int) -> None:
    with (gzip.open if log.endswith(".gz") else open)(data_dir / log, "rb") as file:
        lines = [line.decode().rstrip("\r\n") for line in file if line.startswith(b"STATE")]
    written = [acpc.dumps(hand).rstrip("\n") for hand in islice(open_hands(data_dir / log), most)]
    assert written == lines[:most]


def test_a_hand_of_no_limit_is_found_by_its_number(tmp_path):
    """Reading that begins in the middle of a log knows the structure, which only what is before it may say."""
    folded = "STATE:{}:r300f:AsKd|2c7h:-100|100:Ann|Bob"
    called = "STATE:{}:cc/cc/cc/cc:AsKd|2c7h/3d8h9s/Jc/4d:100|-100:Ann|Bob"
    lines = [(folded if number < 250 else called).format(number) for number in range(400)]
    path = tmp_path / "match.log"
    path.write_text("\n".join(lines) + "\n")
    whole = list(open_hands(path, index=False))
    source = open_hands(path)
    assert len(source) == 400
    for number in (0, 140, 240, 260, 399):
        assert source[number] == whole[number]
        assert source[number].spec.structure == "no limit"
