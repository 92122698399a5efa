"""Kinds of hands that sites write now and then, one made-up hand of each."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import ohh, open_hands, phh
from pokermodel.histories._formats import MODULES, SITE_TEXT
from tests.histories import test_sites, unusual_texts
from tests.histories.site_texts import stated
from tests.histories.test_sites import PATH, read, stream
from tests.histories.unusual_texts import TEXTS


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_read_and_pays_what_the_text_says(kind: str) -> None:
    form, text, payoffs = TEXTS[kind]
    (hand,) = read(text, form)
    assert hand.source == form
    assert {name: won for name, won in stated(hand).items() if name in payoffs} == pytest.approx(payoffs)
    assert set(payoffs) <= set(hand.players) | {name for name, won in payoffs.items() if not won}
    assert sum(hand.payoffs) == pytest.approx(0)


def test_a_first_line_of_888_without_the_name_of_the_site() -> None:
    text = unusual_texts.PACIFIC_LIMIT.replace("888poker Hand", "Hand")
    (hand,) = read(text, "partypoker")
    assert (hand,) == tuple(read(unusual_texts.PACIFIC_LIMIT, "888"))


def test_boards_that_are_dealt_three_times() -> None:
    (hand,) = read(unusual_texts.GGPOKER_THRICE, "ggpoker")
    assert hand.second_board == card_indices("4c5d8hJc2s")
    assert hand.third_board == card_indices("3c6dThTc4s")
    for again in (phh.loads(phh.dumps(hand)), ohh.loads(ohh.dumps(hand)), pickle.loads(pickle.dumps(hand))):
        assert again.third_board == hand.third_board
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
    (hand,) = read(unusual_texts.GGPOKER_THRICE, "ggpoker")
    content = list(hand.__reduce__()[1])
    content[13], content[17] = second, third
    with pytest.raises(ValueError, match=why):
        Hand(*content)


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
    text = test_sites.TEXTS[form]
    (hand,) = read(text, form)
    lines = text.splitlines()
    for noise in NOISE:
        words = noise.format(name=hand.players[-1])
        for place in range(3, len(lines)):
            (other,) = read("\n".join([*lines[:place], words, *lines[place:]]), form)
            assert other.actions == hand.actions
            assert other.stated_payoffs == hand.stated_payoffs
            assert other.holdings == hand.holdings


@pytest.mark.parametrize("form", ["pokerstars", "bovada", "888"])
def test_a_hand_that_begins_where_another_is_cut_short(form: str) -> None:
    text = test_sites.TEXTS[form]
    half = text[: text.index("\n", len(text) // 2) + 3].replace("[4h 4d]", "[4c 4s]")
    skipped: list[HistoryError] = []
    (hand,) = MODULES[form].hands(PATH, stream((half + text.removeprefix("#Game No : 72\n")).encode()), skipped)
    assert hand.actions == read(text, form)[0].actions
    (error,) = skipped
    assert error.line == half.count("\n") + 1
    assert "cut short" in error.reason


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_two_bytes_a_character_and_no_mark(tmp_path, codec: str) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(test_sites.TEXTS["pokerstars"].encode(codec))
    (hand,) = open_hands(path)
    assert "C\u00e9cile" not in hand.players
    assert hand.actions == read(test_sites.TEXTS["pokerstars"], "pokerstars")[0].actions


def _each_line(text: str, before: str, after: str = "\n") -> str:
    return "".join(f"{before}{line}{after}" for line in text.splitlines())


@pytest.mark.parametrize(
    "sent",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: _each_line(text, "", "\n\n").encode(),
        lambda text: _each_line(text, "    ", " \t\n").encode(),
        lambda text: _each_line(text, "> ").encode(),
        lambda text: _each_line(text, ">>").encode(),
    ],
    ids=["Windows", "Mac", "mark", "wide", "blank lines", "indented", "quoted", "quoted twice"],
)
def test_what_mails_forums_and_editors_do_to_a_text(sent: Callable[[str], bytes]) -> None:
    for text in (*test_sites.TEXTS.values(), *(text for _, text, _ in TEXTS.values())):
        (hand,) = SITE_TEXT.hands(PATH, stream(text.encode()))
        assert list(SITE_TEXT.hands(PATH, stream(sent(text)))) == [hand]


@pytest.mark.parametrize("form", ["pokerstars", "fulltilt"])
def test_rounds_without_asterisks(form: str) -> None:
    text = test_sites.TEXTS[form]
    assert read(text.replace("*** ", " ").replace(" ***", " "), form) == read(text, form)


def test_a_sign_of_quotation_belongs_to_a_name_where_nothing_is_quoted() -> None:
    text = test_sites.TEXTS["fulltilt"]
    (name, *_) = read(text, "fulltilt")[0].players
    (hand,) = read(text.replace(name, f">{name}"), "fulltilt")
    assert f">{name}" in hand.players


def test_a_text_that_is_cut_short_has_no_winner() -> None:
    text = unusual_texts.PARTY_NO_FOLD.replace("Ann wins $27 USD\n", "")
    with pytest.raises(HistoryError, match="the hand is cut short: it is the turn of Cy"):
        read(text, "partypoker")


def test_a_summary_alone_is_no_hand() -> None:
    text = test_sites.TEXTS["pokerstars"]
    header, summary = text.splitlines()[0], text[text.index("*** SUMMARY") :]
    with pytest.raises(HistoryError, match="only the summary"):
        read(f"{header}\n{summary}", "pokerstars")


@pytest.mark.parametrize("kind", ["run twice, numbered", "splash", "Swedish", "limit, Winamax"])
def test_blanks_of_web_pages_and_characters_encoded_twice(kind: str) -> None:
    form, text, payoffs = TEXTS[kind]
    for other in (text.replace(" (", "\xa0("), text.encode().decode("cp1252")):
        (hand,) = read(other, form)
        assert {name: won for name, won in stated(hand).items() if name in payoffs} == pytest.approx(payoffs)
        assert hand.currency == read(text, form)[0].currency


@pytest.mark.parametrize(
    ("sign", "currency"),
    [
        ("C$", "CAD"),
        ("R$", "BRL"),
        ("\u00a5", "CNY"),
        ("\u20b9", "INR"),
        ("\u20ae", "USDT"),
        ("\u00a3", "GBP"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("kind", ["cashed out, with a fee for the risk", "run three times", "cashed out"])
def test_signs_of_currencies(kind: str, sign: str, currency: str) -> None:
    form, text, payoffs = TEXTS[kind]
    (hand,) = read(text.replace(" USD)", ")").replace("$", sign), form)
    assert stated(hand) == pytest.approx(payoffs)
    assert hand.currency == currency


@pytest.mark.parametrize(
    ("old", "new"),
    [("#HD129", "#TM0AB12"), ("#HD129", "#129"), ("Hold'em No Limit (", "NLH ("), ("Hold'em No Limit (", "NLHE (")],
)
def test_other_numbers_and_short_names_of_games(old: str, new: str) -> None:
    (hand,) = read(unusual_texts.GGPOKER_THRICE.replace(old, new), "ggpoker")
    assert str(hand.spec.structure) == "no limit"
    assert stated(hand) == pytest.approx(TEXTS["run three times"][2])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Ann raises", " raises", "2 players have no name"),
        ("did not show his hand", "shows [ 8s, 8d ]", "two players without a name, who both show their cards"),
    ],
)
def test_players_without_a_name_who_cannot_be_told_apart(old: str, new: str, why: str) -> None:
    if "2 players" in why:
        text = unusual_texts.PACIFIC_NAMELESS.replace("5: Ann", "5: ").replace(old, new)
    else:
        text = unusual_texts.PACIFIC_BOTH_NAMELESS.replace(" folds", " calls [$4]").replace(old, new)
    with pytest.raises(HistoryError, match=why):
        read(text, "888")


def test_a_text_of_nothing_but_a_summary() -> None:
    lines = unusual_texts.FULLTILT_SUMMARY.splitlines()
    text = "\n".join(lines[:1] + lines[lines.index("*** SUMMARY ***") :])
    with pytest.raises(HistoryError, match="neither a list of seats nor anybody who acts"):
        read(text, "fulltilt")


def test_a_summary_that_differs_in_one_place_is_an_error() -> None:
    text = unusual_texts.BOVADA_OTHERS_SUMMARY.replace("Total Pot($57.50) | Rake ($2)", "Total Pot($4)")
    with pytest.raises(HistoryError, match="the board is"):
        read(text, "bovada")


def test_chips_that_differ_by_more_than_rounding() -> None:
    text = unusual_texts.PARTY_FLOAT.replace("calls (157597080)", "calls (157590080)")
    with pytest.raises(HistoryError, match="puts in"):
        read(text, "partypoker")
