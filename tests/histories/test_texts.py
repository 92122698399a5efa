"""Texts of all sites: in every encoding, damaged, several in a file, with other lines between theirs."""

from __future__ import annotations

import codecs
import io
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import blocks, ohh, open_hands, phh
from pokermodel.histories._sites import SITE_FORMATS, SITE_TEXT
from pokermodel.learning.identity import identity
from pokermodel.library import Book
from tests.common.damage import Drawn, damaged
from tests.common.formats import MODULES
from tests.histories.cases import CASES

PATH = Path("some.txt")
#: A usual hand of each site.
TEXTS = {form: CASES[f"{form}/usual"].text for form in SITE_FORMATS}
POKERSTARS = TEXTS["pokerstars"]
#: The same in other languages, too.
WHOLE = TEXTS | {f"pokerstars, {name}": CASES[f"pokerstars/{name}"].text for name in ("portuguese", "russian")}
XML = ["ipoker", "boss", "microgaming", "merge"]
#: All hands of sites that are alone in their file, in Unicode.
ALONE = [
    case
    for case in CASES.values()
    if case.format in SITE_FORMATS and not case.variation and isinstance(case.expected(), dict)
    if case.data == case.data.decode(errors="ignore").encode()
]


def stream(data: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data))


def read(text: str | bytes, skipped: list[HistoryError] | None = None) -> list[Hand]:
    data = text.encode() if isinstance(text, str) else text
    return list(SITE_TEXT.hands(PATH, stream(data), skipped))


def read_anyhow(data: bytes) -> list[Hand]:
    """Read a text that may be damaged: only errors of a history are allowed, with the file and a line of it."""
    skipped: list[HistoryError] = []
    hands = read(data, skipped)
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is not None
        assert 1 <= error.line <= data.replace(b"\r", b"\n").count(b"\n") + 1
    for hand in hands:
        assert abs(sum(hand.payoffs)) < 1e-6
        assert list(hand.replay()) or not hand.actions
    return hands


# --- which site it is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", TEXTS)
def test_sniff(form: str) -> None:
    data = TEXTS[form].encode()
    for head in data, TEXTS[form].encode("utf-16")[:501], data[:300]:
        assert [name for name, known in MODULES.items() if known.sniff(head, "x")] == [form]
    assert not MODULES[form].sniff(b"", "x")
    assert not MODULES[form].sniff(b"\xff\xfe\x00", "x")


@pytest.mark.parametrize("form", TEXTS)
def test_lines_without_a_mark_are_no_first_lines(form: str) -> None:
    head = ("\ufeff  " + TEXTS[form] + "\n" + POKERSTARS).encode()
    found = SITE_TEXT.found(head)
    assert found[0] == form
    unmarked = {name: replace(each, marks=()) for name, each in SITE_FORMATS.items()}
    assert found == blocks.TextFormats(unmarked).found(head)


# --- what is done to a text ------------------------------------------------------------------------------------------


def _each_line(text: str, before: str, after: str = "\n") -> str:
    return "".join(f"{before}{line}{after}" for line in text.splitlines())


@pytest.mark.parametrize(
    "sent",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("cp1252", "ignore"),
        lambda text: f"\n\n{text}\n\n".encode(),
        lambda text: _each_line(text, "", "\n\n").encode(),
        lambda text: _each_line(text, "    ", " \t\n").encode(),
        lambda text: _each_line(text, "> ").encode(),
        lambda text: _each_line(text, ">>").encode(),
    ],
    ids=[
        *("Windows", "Mac", "mark", "wide", "western", "empty lines around", "empty lines", "indented"),
        *("quoted", "quoted twice"),
    ],
)
def test_what_mails_forums_and_editors_do_to_a_text(
    request: pytest.FixtureRequest, sent: Callable[[str], bytes]
) -> None:
    for case in ALONE:
        data = sent(case.text)
        if "western" not in request.node.name or data.decode("cp1252") == case.text:
            assert read(data) == read(case.data), str(case)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_two_bytes_a_character_and_no_mark(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(POKERSTARS.encode(codec))
    (hand,) = open_hands(path)
    assert "C\u00e9cile" not in hand.players
    assert hand.actions == read(POKERSTARS)[0].actions


def test_files_of_several_encodings_in_one() -> None:
    data = POKERSTARS.encode() + POKERSTARS.encode("cp1252") + codecs.BOM_UTF8 + POKERSTARS.encode()
    names = POKERSTARS.replace("Dan", "D\x81n")  # a byte that the western encoding leaves open
    hands = read(data + names.encode("cp1252", "ignore").replace(b"Dn", b"D\x81n"))
    assert len(hands) == 4
    assert hands[0] == hands[1] == hands[2]
    assert hands[3].players[-1] == "D\x81n"


@pytest.mark.parametrize("form", [*XML, "ongame"])
def test_a_name_in_a_western_encoding(form: str) -> None:
    """Whatever encoding XML declares."""
    (hand,) = read(TEXTS[form].replace("Dan", "D\u00e4n").encode("cp1252"))
    assert "D\u00e4n" in hand.players
    assert hand.payoffs == read(TEXTS[form])[0].payoffs


@pytest.mark.parametrize("form", XML)
def test_xml_on_one_line(form: str) -> None:
    words = TEXTS[form].removeprefix("----PRIMA.DAT----\n").replace("\nExtendedTableName: Made Up [1]\n", "")
    assert read((words * 3).replace("\n", "")) == read(TEXTS[form]) * 3


NOISE = (
    'Zed said, "Ann: folds"',
    "Zed: raises $2 to $4",
    "Zed joins the table at seat #9",
    "Zed has left the table",
    "Table is breaking",
    "{name} has timed out",
    "{name} is sitting out",
    "{name} has been disconnected",
    "{name} has 15 seconds left to act",
    "{name} has requested TIME",
    "{name} will be using their time bank for this hand.",
    "{name}: nh",
    "{name}: raises his glass",
    '{name} said, "I fold, all in, 10$"',
    "Time has expired",
    "",
)


@pytest.mark.parametrize("form", ["pokerstars", "bovada", "fulltilt", "absolute", "cake", "888", "betonline", "pkr"])
def test_talk_and_notices_between_lines(form: str) -> None:
    (hand,) = read(TEXTS[form])
    lines = TEXTS[form].splitlines()
    for number, noise in enumerate(NOISE):
        words = noise.format(name=hand.players[-1])
        for place in range(3 + number % 3, len(lines), 3):
            (other,) = read("\n".join([*lines[:place], words, *lines[place:]]))
            assert other.actions == hand.actions
            assert other.stated_payoffs == hand.stated_payoffs
            assert other.holdings == hand.holdings


# --- several hands in a file -----------------------------------------------------------------------------------------


def test_hands_of_all_sites_in_one_file() -> None:
    """Every hand is recognised for itself, whichever site's is before it, and whatever is between them."""
    hands = {form: read(text) for form, text in TEXTS.items()}
    for number, first in enumerate(TEXTS):
        order = [form for second in TEXTS for form in (first, second)]
        between = ("", "\n\n", "\ufeff\n")[number % 3]
        found = read(between.join(TEXTS[form] for form in order))
        assert [hand.source for hand in found] == order
        for hand, form in zip(found, order, strict=True):
            # Bovada's players are named by who sits in a seat in turn
            assert (hand.actions == hands[form][0].actions) if form == "bovada" else (hand == hands[form][0])


def test_what_several_sites_are_called(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    path.write_text("".join(TEXTS.values()), encoding="utf-8")
    source = open_hands(path)
    assert source.format == "+".join(sorted(TEXTS))
    assert [hand.source for hand in source] == [*TEXTS]


@pytest.mark.parametrize("form", TEXTS)
def test_several_hands_of_which_one_is_damaged(form: str) -> None:
    text = TEXTS[form]
    cut = "\n".join(text.splitlines()[:-4]).rstrip() + "\n"
    skipped: list[HistoryError] = []
    found = read(text + cut + text, skipped)
    assert found[0].id == found[-1].id
    assert len(found) + len(skipped) == 3
    for error in skipped:
        assert error.path == str(PATH)
        assert error.line is not None
        assert error.line > text.count("\n")


def test_a_damaged_hand_between_those_of_other_sites() -> None:
    fulltilt = TEXTS["fulltilt"]
    text = POKERSTARS + fulltilt.replace("Dan calls $1", "Dan calls $2")
    skipped: list[HistoryError] = []
    found = read(text + TEXTS["everest"].replace("hold-em", "omaha") + TEXTS["cake"], skipped)
    assert [hand.source for hand in found] == ["pokerstars", "cake"]
    assert [(error.hand, error.line) for error in skipped] == [
        ("33", POKERSTARS.count("\n") + 1 + fulltilt[: fulltilt.index("Dan calls $1")].count("\n")),
        ("75", text.count("\n") + 1),
    ]


def test_a_hand_of_another_game_ends_the_hand_before() -> None:
    other = """\
Winamax Poker - CashGame - HandId: #1-2-3 - Omaha pot limit (1/2) - 2020/01/02 03:04:05 UTC
*** FLOP *** [2c 2d 2h]
"""
    skipped: list[HistoryError] = []
    assert read(POKERSTARS + other + POKERSTARS, skipped) == read(POKERSTARS) * 2
    (error,) = skipped
    assert error.line == POKERSTARS.count("\n") + 1
    assert error.reason.startswith("only hold'em is supported, got 'Omaha")


@pytest.mark.parametrize("form", ["pokerstars", "bovada", "888"])
def test_a_hand_that_begins_where_another_is_cut_short(form: str) -> None:
    text = TEXTS[form]
    half = text[: text.index("\n", len(text) // 2) + 3].replace("[4h 4d]", "[4c 4s]")
    skipped: list[HistoryError] = []
    (hand,) = read(half + text.removeprefix("#Game No : 72\n"), skipped)
    assert hand.actions == read(text)[0].actions
    (error,) = skipped
    assert error.line == half.count("\n") + 1
    assert "cut short" in error.reason


def test_languages() -> None:
    """One hand in three; a fourth is not known."""
    english, *others = (CASES[f"pokerstars/{name}"].text for name in ("english", "portuguese", "russian"))
    french = "Main PokerStars n\u00b089 :  Hold'em Limit ($2/$4 USD)\nSi\u00e8ge 1: Ann ($100 en jetons)\n\n"
    texts = [f"*********** \u2116 {k} **************\n{text}\n" for k, text in enumerate([english, *others])]
    skipped: list[HistoryError] = []
    assert read("".join(texts) + french + english, skipped) == read(english) * 4
    (error,) = skipped
    assert "only histories in English, Portuguese or Russian are supported" in error.reason


def test_a_session_of_another_game_among_others() -> None:
    everest = TEXTS["everest"]
    skipped: list[HistoryError] = []
    assert read(everest + everest.replace("hold-em", "omaha") + everest, skipped) == read(everest) * 2
    assert [error.line for error in skipped] == [1 + everest.count("\n")]


def test_a_damaged_session() -> None:
    """What is in front of a hand and cannot be read is not that of the session before."""
    ipoker = TEXTS["ipoker"]
    skipped: list[HistoryError] = []
    damaged_session = ipoker.replace("</mode>", "</mood>").removesuffix("</session>\n")
    assert read(ipoker + damaged_session + ipoker, skipped) == read(ipoker) * 2
    assert [error.reason for error in skipped] == [
        "damaged XML: mismatched tag",
        "the session of this hand is not known",
    ]


# --- damage ----------------------------------------------------------------------------------------------------------


def _hand_of(form: str) -> tuple[str, str, str]:
    """A usual hand of a network, and what is in front of it and behind it."""
    first, last = {
        "ipoker": (" <game ", " </game>\n"),
        "boss": ("<HISTORY", "</HISTORY>\n"),
        "microgaming": ("<Game ", "</Game>\n"),
        "merge": ("<game ", "</game>\n"),
        "ongame": ("*****", "71 *****\n"),
    }[form]
    text = TEXTS[form]
    start, end = text.index(first), text.rindex(last) + len(last)
    return text[start:end], text[:start], text[end:]


@pytest.mark.parametrize("form", [*XML, "ongame"])
def test_damage_costs_the_hand_it_is_in(form: str) -> None:
    whole, before, after = _hand_of(form)
    lines = whole.splitlines(keepends=True)
    damage = {"cut": "".join(lines[: len(lines) // 2])}
    if form in XML:
        damage |= {
            "first line": whole.replace(lines[0], lines[0].replace("<", "(", 1), 1),
            "unknown entity": whole.replace("&amp;", "&lol;", 1),
            "bare ampersand": whole.replace("&amp;", "&", 1),
            "attribute": whole.replace('="71"', '="71', 1),
            "control character": whole.replace("Dan", "D\x01n", 1),
            "depth": whole.replace("</", "<a>" * 20 + "</a>" * 20 + "</", 1),
        }
    for what, hand in damage.items():
        skipped: list[HistoryError] = []
        assert read(before + whole + hand + whole + after, skipped) == read(TEXTS[form]) * 2, what
        assert len(skipped) == 1, what
        at = (before + whole).count("\n")
        assert skipped[0].line is not None
        assert at < skipped[0].line <= at + hand.count("\n") + 1, what


@pytest.mark.parametrize("form", XML)
def test_a_hand_that_is_too_large(form: str) -> None:
    """It is refused; the hands before and after it are read."""
    whole, before, after = _hand_of(form)

    def errors(large: str) -> list[str]:
        skipped: list[HistoryError] = []
        text = before + whole + large + whole + after
        assert len(list(MODULES[form].hands(PATH, stream(text.encode()), skipped))) == 2
        return [error.reason for error in skipped]

    assert errors(whole.replace("\n", "\n" + "<x/>\n" * 12_000, 1))
    too_long = "a hand of more than 1,048,576 characters"
    assert any(too_long in reason for reason in errors(whole.replace("\n", f"\n<x y='{'z' * (1 << 20)}'/>\n", 1)))


def test_a_long_word_in_a_damaged_hand() -> None:
    """In which another hand might begin: it is looked through once."""
    whole, before, after = _hand_of("merge")
    long = whole.replace("\n", f"\n<x y='{'z' * 100_000}'>\n", 1)
    started = process_time()
    assert len(read(before + long + whole + after, [])) == 1
    assert process_time() - started < 10  # minutes, if it began anew at every letter


def _check_truncated(name: str, sizes: Callable[[int], Iterator[int]]) -> None:
    """What is cut off is missed, unless it is no part of what was played."""
    data = WHOLE[name].encode()
    (whole,) = read(data)
    for size in sizes(len(data)):
        for hand in read_anyhow(data[:size]):
            assert whole.actions[: len(hand.actions)] == hand.actions
            if name in (*XML, "ongame"):
                assert (hand.actions, hand.stated_payoffs) == (whole.actions, whole.stated_payoffs)


@pytest.mark.parametrize("name", WHOLE)
def test_truncated(name: str) -> None:
    """At a twentieth of the places, other ones for each."""
    _check_truncated(name, lambda end: iter(range([*WHOLE].index(name) % 20, end, 20)))


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_truncated_at_every_byte(name: str) -> None:
    _check_truncated(name, lambda end: iter(range(end)))


@given(st.sampled_from(sorted(TEXTS)), st.data())
@settings(max_examples=150)
def test_mangled_lines_give_history_errors(form: str, data: st.DataObject) -> None:
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
    read_anyhow("\n".join(lines).encode())


@given(st.sampled_from(sorted(WHOLE)), st.data())
@settings(max_examples=250)
def test_mangled_bytes_give_history_errors(name: str, data: st.DataObject) -> None:
    text = damaged((WHOLE[name] * 2).encode(), Drawn(data), 5)
    for known in MODULES.values():
        known.sniff(text[:500], "x")
    read_anyhow(text)


def test_much_text_that_belongs_to_no_hand() -> None:
    """Too much text for one hand is no part of the hand before it."""
    lines = "something else\n" * 20_000
    skipped: list[HistoryError] = []
    assert read(POKERSTARS + lines + POKERSTARS, skipped) == read(POKERSTARS) * 2
    (error,) = skipped
    assert str(error).endswith(": expected the first line of a hand, got 'something else'")
    assert error.line is not None
    assert 5_000 < error.line < 15_000


@pytest.mark.parametrize("line", ["", "no hand"])
def test_text_without_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_WITHOUT", 20_000)

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


# --- what is known of a hand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", TEXTS)
def test_others_see_neither_the_hero_nor_cards_that_were_not_shown(form: str) -> None:
    (hand,) = read(TEXTS[form])
    public = hand.public()
    assert (public.hero, public.table) == (None, hand.table)
    assert public.holdings.keys() == {*hand.shown} - hand.mucked


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
    (ours,) = read(TEXTS[form])
    (theirs,) = read(TEXTS[form].replace(old, new).replace(" [me]", ""))
    with Book("sqlite://") as book:
        assert book.learn([ours, theirs]) == (1, 1)
    assert identity(ours) == identity(theirs)
    (other,) = read(TEXTS[form].replace(ours.id, ours.id + "0"))
    assert identity(other) != identity(ours)


def test_cards_that_only_their_owner_saw_are_not_shown() -> None:
    """Dan calls to the end and loses: his own copy knows with what."""
    (hand,) = read(CASES["pokerstars/the-owner-loses"].text)
    assert 3 in hand.holdings
    with Book("sqlite://") as book:
        book.learn([hand])
        assert book.profile("Dan").totals.showdowns.sum() == 0
        assert book.profile("Ann: folds").totals.showdowns.sum() == 1


def test_boards_that_are_dealt_three_times() -> None:
    (hand,) = read(CASES["ggpoker/run-three-times"].text)
    for again in (phh.loads(phh.dumps(hand)), ohh.loads(ohh.dumps(hand)), pickle.loads(pickle.dumps(hand))):
        assert (again.second_board, again.third_board) == (hand.second_board, hand.third_board)
        assert sorted(again.payoffs) == pytest.approx(sorted(hand.payoffs))
    with pytest.raises(ValueError, match="more boards than one"):
        Hand("ggpoker", "129", *hand.__reduce__()[1][2:]).to_acpc()


@pytest.mark.parametrize(
    ("second", "third", "why"),
    [
        ("", "3c6dThTc4s", "a third board, but no second one"),
        ("4c5d8hJc2s", "4c6dThTc4s", "4c"),
        ("2c7d9hJc3h", "2c7d8hTc4s", "before the all-in in common"),
    ],
)
def test_boards_that_cannot_be(second: str, third: str, why: str) -> None:
    (hand,) = read(CASES["ggpoker/run-three-times"].text)
    content = list(hand.__reduce__()[1])
    content[13], content[17] = second, third
    with pytest.raises(ValueError, match=why):
        Hand(*content)
