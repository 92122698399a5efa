"""What is no hand, or no hold'em, in texts of sites: it is reported, once for each hand, and costs no other hand."""

from __future__ import annotations

import re
from io import BufferedReader, BytesIO

import pytest

from pokermodel.errors import HistoryError
from pokermodel.histories._header import stated_game
from pokermodel.histories._sites import SITE_FORMATS, SITE_TEXT
from tests.histories.cases import CASES, MODULES, Case

#: Formats in XML with the first tags of their hands; in text, formats whose hands have a blank line between them.
TAGS = {"everest": "HAND", "ipoker": "game", "boss": "HISTORY", "merge": "game", "microgaming": "Game"}
TEXTS = ("pokerstars", "winamax", "fulltilt", "absolute", "ongame", "cake", "kingsclub", "pokertracker")


def read(text: str, case: Case = CASES["pokerstars/usual"]) -> tuple[int, list[HistoryError]]:
    """The number of hands of a text of the format of a case, and what was left out."""
    hands = SITE_TEXT.hands if case.format in SITE_FORMATS else MODULES[case.format].hands
    errors: list[HistoryError] = []
    return len([*hands(case.path, BufferedReader(BytesIO(text.encode())), errors)]), errors


@pytest.mark.parametrize("damaged", [(0,), (1,), (2,), (0, 1), (1, 2)])
@pytest.mark.parametrize("damage", ["", "<x", "<xame id=", "hello there\n"])
@pytest.mark.parametrize("form", TAGS)
def test_a_hand_whose_first_tag_is_damaged(form: str, damage: str, damaged: tuple[int, ...]) -> None:
    text, tag = CASES[f"{form}/usual"].text, TAGS[form]
    begin, end = text.index(f"<{tag} "), text.index(f"</{tag}>") + len(f"</{tag}>")
    hand = text[begin:end]
    hands = [damage + hand.removeprefix(f"<{tag} ") if k in damaged else hand for k in range(3)]
    found, errors = read(text[:begin] + "\n".join(hands) + text[end:])
    assert found == 3 - len(damaged)
    assert [error.reason[:32] for error in errors] == ["expected the first line of a han"] * len(damaged)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("form", TEXTS)
def test_a_hand_whose_first_line_is_damaged(form: str, place: int) -> None:
    hand = CASES[f"{form}/usual"].text.strip()
    hands = [hand] * 3
    hands[place] = "xxx" + hand[hand.index("\n") :]
    found, errors = read("\n\n\n".join(hands))
    assert (found, len(errors)) == (2, 1)
    assert "expected the first line of a hand, got 'xxx" in errors[0].reason


@pytest.mark.parametrize("damage", ["xxx", ""])
@pytest.mark.parametrize("damaged", [(1,), (1, 2), (0, 1), (1, 2, 3), (0, 2, 3)])
@pytest.mark.parametrize("form", sorted(SITE_FORMATS - TAGS.keys()))
def test_each_of_several_hands_whose_first_lines_are_damaged(form: str, damaged: tuple[int, ...], damage: str) -> None:
    """By what else they have: seats and winners. Hands that were right before are read, and so are those behind."""
    lines = CASES[f"{form}/usual"].text.strip().split("\n")
    head = next(k for k, line in enumerate(lines) if SITE_TEXT.begins(line))
    without = [*lines[:head], *([damage] if damage else []), *lines[head + 1 :]]
    texts = ["\n".join(without if k in damaged else lines) for k in range(4)]
    errors: list[HistoryError] = []
    hands = [
        *SITE_TEXT.hands(CASES[f"{form}/usual"].path, BufferedReader(BytesIO("\n\n\n".join(texts).encode())), errors)
    ]
    assert (len(hands), len(errors)) == (4 - len(damaged), len(damaged))
    assert all(error.reason.startswith("expected the first line of a hand, got ") for error in errors)
    assert not any(error.reason.endswith("got ''") for error in errors)


@pytest.mark.parametrize("form", TEXTS)
def test_text_between_hands_is_reported_once(form: str) -> None:
    hand = CASES[f"{form}/usual"].text.strip()
    found, errors = read(f"{hand}\n\nhello there\nand more\n\n{hand}")
    assert (found, [error.reason for error in errors]) == (
        2,
        ["expected the first line of a hand, got 'hello there'"],
    )


FOUR = {
    "888": (r"(Dealt to Ann \[ Ap, Kc)", r"\1, 3p, 4p"),
    "acpc": (r"KhQs\|4hAs", "KhQs5d5h|4hAs5c5s"),
    "boss": ('<ACTION TYPE="HAND_DEAL"[^>]*>', r'\g<0><CARD LINK="b"></CARD><CARD LINK="b"></CARD>'),
    "bovada": (r"(Card dealt to a spot \[\w+ \w+)", r"\1 2c 2d"),
    "everest": ('<HOLE position="2">--</HOLE>', r"\g<0>\n\g<0>\n\g<0>"),
    "ipoker": (">X X<", ">X X X X<"),
    "merge": ('"Qh,Qs" player', '"Qh,Qs,3c,3d" player'),
    "microgaming": (r'(<Card value="Q" suit="s" id="11"/>)', r'\1<Card value="3" suit="c" id="2"/>'),
    "ohh": (r'("As", "Tc")\]', r'\1, "3c", "3d"]'),
    "phh": ("d dh p1 AsAd", "d dh p1 AsAd4c4d"),
    "pkr": (r"(Dealing \[A c\]\[K d\])", r"\1[3 c][3 d]"),
    "pokernow": ("(shows a 10\u2665, 10\u2666)", "\\1, 3\u2663, 3\u2666"),
    "pokertracker": (r"(Dealt to Ann \[7c 5d)", r"\1 4c 4d"),
    "pppoker": (r"(showed \[8s Js)", r"\1 4c 4d"),
    "supremapoker": (r"(showed \[8s Js)", r"\1 4c 4d"),
    "unibet": (r"(\[Qs Qh)", r"\1 2c 2d"),
    "winning": ("(Player .* received a card.)", r"\1\n\1\n\1"),
}
#: For all others.
DEALT = re.compile(
    r"(?m)^((?:Dealt to|Dealing to|.* was dealt:).*?)([2-9TJQKA]|10)([cdhs])(\W*)([2-9TJQKA]|10)([cdhs])"
)


@pytest.mark.parametrize("form", sorted({name.partition("/")[0] for name in CASES}))
def test_more_than_two_cards_are_another_game(form: str) -> None:
    """Whatever the header calls it: some programs name Omaha hold'em."""
    case = CASES["winning/old" if form == "winning" else f"{form}/usual"]
    old, new = FOUR.get(form, (DEALT, r"\1\2\3\4\5\6\g<4>5c\g<4>5d"))
    text = re.sub(old, new, case.text, count=1)
    assert text != case.text
    hands, errors = read(text, case)
    reasons = [error.reason for error in errors]
    assert any(
        re.search(r"in hold'em two: it is another game|two cards, got|got 4 cards", reason) for reason in reasons
    )
    assert hands < (1 if isinstance(case.expected(), dict) else len(case.expected()))


#: Claims of refusals, with what would make each of them false if it stood in the text.
CLAIMS = {
    "does not say who wins": r"(?:won|wins|collected|collects)\W+(?!0\.00)[0-9]|<WIN |amount=.*WIN",
    "does not say who has the button": r"(?i)is the button|the dealer button|dealer=.1",
    "no blind is posted": r"(?i)posts (?:the )?(?:small|big) blind [^-\w]?[0-9]",
    "has no seat": "",
}
REFUSED = [
    (name, each.partition(": ")[2])
    for name, case in CASES.items()
    if case.format in SITE_FORMATS
    for each in (case.expected() if isinstance(case.expected(), list) else [case.expected()])
    if isinstance(each, str)
]


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_a_reason_names_what_stands_in_the_text(name: str, reason: str) -> None:
    """What it quotes stands there, and what it misses does not; of hold'em it is not claimed to be another game."""
    text = CASES[name].data.decode("utf-8", "replace").replace("\xa0", " ")
    flat = " ".join(text.split())
    for quoted in re.findall(r"got (['\"])(.*)\1", reason):
        assert " ".join(quoted[1].replace("\\'", "'").split()) in flat
    for claim, against in CLAIMS.items():
        if claim in reason and against:
            assert not re.search(against, text), f"{claim}, but the text does"
    if "only hold'em is supported" in reason:
        game = stated_game(reason.partition(", got ")[2])
        assert game is None, "it is hold'em"
    assert not any(words in reason for words in ("is not in list", "bets must be"))
