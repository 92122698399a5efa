"""Logs of PokerNow as files: order, owner and damage. What is read of a hand is in the table of sites."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import open_hands, pokernow
from tests.common.formats import MODULES
from tests.histories.cases import CASES

TEXT = CASES["pokernow/usual"].text
SEVERAL = CASES["pokernow/blinds"].text


def read(data: str | bytes, path: str = "some.csv") -> tuple[list[Hand], list[HistoryError]]:
    skipped: list[HistoryError] = []
    file = io.BufferedReader(io.BytesIO(data.encode() if isinstance(data, str) else data))
    return [*pokernow.hands(Path(path), file, skipped)], skipped


def log(*entries: str) -> str:
    """A log of entries in the order of time."""
    rows = [(entry, f"2031-02-03T20:00:{k:02}.000Z", k) for k, entry in enumerate(entries)]
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("entry", "at", "order"), *rows[::-1]])
    return out.getvalue()


def folded(number: int, cards: str, *shown: str) -> list[str]:
    """A hand between Ann and Bo in which Ann folds."""
    return [
        f'-- starting hand #{number} (id: hand{number})  No Limit Texas Hold\'em (dealer: "Ann @ a") --',
        'Player stacks: #1 "Ann @ a" (100) | #2 "Bo @ b" (100)',
        f"Your hand is {cards}",
        '"Ann @ a" posts a small blind of 5',
        '"Bo @ b" posts a big blind of 10',
        '"Ann @ a" folds',
        'Uncalled bet of 5 returned to "Bo @ b"',
        '"Bo @ b" collected 10 from pot',
        f"-- ending hand #{number} --",
        *shown,
    ]


def test_hands_come_in_the_order_of_time() -> None:
    header, *rows = SEVERAL.splitlines()
    upwards = "\n".join([header, *rows[::-1]])
    ids = [hand.id for hand in read(SEVERAL)[0]]
    assert ids == ["missedblind1", "straddles1", "shortblind1"]
    assert read(upwards) == read(SEVERAL)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.encode("utf-16"),
        TEXT.partition("\n")[2],
        '"entry","at","order"' + TEXT[len("entry,at,order") :],
        TEXT.replace('",2031', '"\t2031').replace("000Z,", "000Z\t").replace("entry,at,order", "entry\tat\torder"),
        "\n\n" + TEXT.replace("\n", "\n\n"),
    ],
)
def test_layouts(data: str | bytes) -> None:
    assert read(data) == read(TEXT)
    assert MODULES["pokernow"].sniff(data.encode() if isinstance(data, str) else data, "x.txt")


@pytest.mark.parametrize("text", ["a,b\n", "entry,when\n", "entry\n", '{"entry": 1}', "Hand #1\n", ""])
def test_other_files(text: str) -> None:
    assert not MODULES["pokernow"].sniff(text.encode(), "poker_now_log_x.csv")


def test_the_game_is_the_table(tmp_path: Path) -> None:
    path = tmp_path / "poker_now_log_pglA-b_9.csv"
    path.write_text(TEXT, encoding="utf-8")
    source = open_hands(path, index=False)
    assert source.format == "pokernow"
    assert [hand.table for hand in source] == ["pglA-b_9"]


def test_names_may_have_anything() -> None:
    renamed = TEXT.replace("500 @ b2B", 'all in"" folds @ Bo @ b2B')
    (hand,), errors = read(renamed)
    assert 'all in" folds @ Bo' in hand.players
    assert not errors


def test_the_owner_is_known_by_other_hands() -> None:
    """Who shows once what is dealt to the owner, and never anything else."""
    hands, errors = read(
        log(
            *folded(1, "A♣, K♦"),
            *folded(2, "7♥, 2♠", '"Bo @ b" shows a Q♣, Q♦.', '"Ann @ a" shows a 2♠, 7♥.'),
            *folded(3, "9♣, 9♦"),
        )
    )
    assert [hand.hero for hand in hands] == ["Ann"] * 3
    assert [{*hand.holdings[0]} for hand in hands] == [{48, 45}, {22, 3}, {28, 29}]
    assert not errors


@pytest.mark.parametrize(
    "shown",
    [
        [],
        ['"Ann @ a" shows a Q♣, Q♦.', '"Bo @ b" shows a J♣, J♦.'],
    ],
)
def test_the_owner_is_not_guessed(shown: list[str]) -> None:
    hands, _ = read(log(*folded(1, "A♣, K♦"), *folded(2, "7♥, 2♠", *shown)))
    assert [hand.hero for hand in hands] == [None, None]
    assert hands[0].holdings == {}


def test_a_lost_quotation_mark_costs_no_other_hand() -> None:
    text = log(*folded(1, "A♣, K♦"), *folded(2, "A♣, K♦"), *folded(3, "A♣, K♦"))
    for place, line in enumerate(lines := text.splitlines()):
        if "#2 (id" in line or "posts a big" in line:
            damaged = "\n".join([*lines[:place], line.replace('"', "", 1), *lines[place + 1 :]])
            hands, errors = read(damaged)
            assert len(hands) + len({error.hand for error in errors}) >= 3
            assert len(hands) >= 2


def test_a_log_that_begins_within_a_hand() -> None:
    hands, errors = read(log(*folded(1, "A♣, K♦")[3:], *folded(2, "A♣, K♦")))
    assert [hand.id for hand in hands] == ["hand2"]
    assert [str(error) for error in errors] == [
        "some.csv:11: hand #1 ends, but does not start: expected '-- starting hand #1'"
    ]


def test_a_log_without_hands() -> None:
    with pytest.raises(HistoryError, match="no hand found: expected a log of PokerNow, a CSV with entry,at,order"):
        list(pokernow.hands(Path("x"), io.BufferedReader(io.BytesIO(b"entry,at,order\n"))))
    assert [error.reason[:13] for error in read(log('The player "A @ a" requested a seat.'))[1]] == ["no hand found"]


def test_a_log_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pokernow, "_MOST", 1000)
    with pytest.raises(HistoryError, match="a log of more than 1,000 characters is not read"):
        read(TEXT)
