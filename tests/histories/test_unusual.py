"""Kinds of hands that sites write now and then, one made-up hand of each."""

from __future__ import annotations

import pytest

from tests.histories.site_texts import stated
from tests.histories.test_sites import read
from tests.histories.unusual_texts import TEXTS


@pytest.mark.parametrize("kind", TEXTS)
def test_it_is_read_and_pays_what_the_text_says(kind: str) -> None:
    form, text, payoffs = TEXTS[kind]
    (hand,) = read(text, form)
    assert hand.source == form
    assert {name: won for name, won in stated(hand).items() if name in payoffs} == pytest.approx(payoffs)
    assert set(payoffs) <= set(hand.players) | {name for name, won in payoffs.items() if not won}
    assert sum(hand.payoffs) == pytest.approx(0)
