"""Cards in other scripts."""

from __future__ import annotations

import pytest

from pokermodel.histories._suits import in_latin


@pytest.mark.parametrize(
    ("line", "latin"),
    [
        ("Dealt to \u0422\u0442 [ \u0422\u043f, 10\u0447 ]", "Dealt to \u0422\u0442 [ As, Th ]"),
        ("[\u041a\u041a \u0414\u0411 \u0412\u0442]", "[Kc Qd Jc]"),
        ("[A\u2660 K\u2665 10\u2666 2\u2663]", "[As Kh Td 2c]"),
        ("Dealt [ \u00d2\u00ef, \u00c4\u00f7 ]", "Dealt [ As, Qh ]"),  # bytes of another code page
        ("Ann \u0422\u043f bets [$1]", "Ann \u0422\u043f bets [$1]"),  # a name and an amount
        ("[As Kd 10c]", "[As Kd 10c]"),
        ("[ Ec, Knc, Ds ]", "[ Ac, Jc, Qs ]"),  # Swedish
        ("[ Hc, Bc, Vs ]", "[ Kc, Jc, Qs ]"),  # Dutch
        ("[ Rc, Vc, Ds ]", "[ Kc, Jc, Qs ]"),  # French
        ("[ Kc, Bc, Ds ]", "[ Kc, Jc, Qs ]"),  # German
    ],
)
def test_letters(line: str, latin: str) -> None:
    (found,) = in_latin([line])
    assert found.replace("10", "T") == latin.replace("10", "T")


def test_a_suit_without_a_word_is_the_one_that_is_missing() -> None:
    assert in_latin(["[Anull Kh]", "[9s 8d 2null]"]) == ["[Ac Kh]", "[9s 8d 2c]"]


def test_a_suit_without_a_word_beside_all_others_is_refused() -> None:
    with pytest.raises(ValueError, match="'null', but all four suits"):
        in_latin(["[Anull Kh]", "[9s 8d 2c]"])
