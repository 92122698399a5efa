"""What the tool of choices counts."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.game import Act, GameSpec, Hand
from tools.measure import choices

FOLD, CALL, RAISE = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
NAMES = ["Ann", "Bob", "Cid"]


def hand(number: int, *actions: tuple, board: str = "") -> Hand:
    return Hand("t", str(number), SPEC, NAMES, list(actions), board, {0: "AsTs", 1: "KcJc", 2: "7h7d"})


OPEN = (2, RAISE, False, 250)


def test_an_act_is_looked_at_by_the_table_and_by_the_holding() -> None:
    played = hand(1, OPEN, (0, FOLD), (1, FOLD))
    found = choices.choices_of([played], frozen=True)
    session = pm.OpponentModeler()
    session.learning = False
    session.start(played.players)
    for decision, each in zip(played.replay(), found.acts, strict=True):
        expected = session.expect(decision)
        np.testing.assert_allclose(each.forecast, expected.predicted, atol=1e-3)
        holding = holding_index(played.holdings[decision.seat])
        np.testing.assert_allclose(each.given, expected.with_holding(holding), atol=1e-3)
        assert (each.act, each.holding) == (decision.act, holding)
        session.observe(decision)
    assert [(each.seat, each.opener, each.alone) for each in found.acts] == [
        ("BTN", "", False),
        ("SB", "BTN", True),
        ("BB", "BTN", True),
    ]
    assert [each.situation for each in found.acts] == ["before the flop, no raise", *["before the flop, one raise"] * 2]
    assert len(found.bits) == 1
    assert found.bits[0] > 0


def test_all_fold_is_a_product_over_seats() -> None:
    hands = [
        hand(1, OPEN, (0, FOLD), (1, FOLD)),
        hand(2, OPEN, (0, FOLD), (1, FOLD)),
        hand(3, OPEN, (0, RAISE, False, 800), (1, FOLD), (2, FOLD)),
        hand(4, OPEN, (0, FOLD), (1, RAISE, False, 800), (2, FOLD)),
    ]
    acts = choices.choices_of(hands, frozen=True).acts
    [(key, (opens, foretold, done))] = choices.all_fold(acts).items()
    assert (key, opens) == ((3, "BTN"), 4)
    assert done == pytest.approx(3 / 4 * 2 / 3)
    small, big = (
        np.mean([each.forecast[0] for each in acts if each.alone and each.seat == seat]) for seat in ("SB", "BB")
    )
    assert foretold == pytest.approx(small * big)


def test_losses_are_over_hands() -> None:
    acts = choices.choices_of([hand(k, OPEN, (0, FOLD), (1, FOLD)) for k in range(3)], frozen=True).acts
    mean, error = choices.nats(acts, lambda each: each.forecast)
    assert mean == pytest.approx(-np.log([each.forecast[each.act] for each in acts]).mean())
    assert error == pytest.approx(0)


def test_the_tables_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    choices.show("three", choices.choices_of([hand(k, OPEN, (0, FOLD), (1, FOLD)) for k in range(60)]))
    shown = capsys.readouterr().out
    assert shown.startswith("three: 180 acts, cards known of 180; 60 that do not fold, bits ")
    assert "  BB facing BTN: 60, foretold " in shown
    assert "  all fold to BTN of 3: 60 opens, foretold " in shown
    assert "  77-55, before the flop, no raise" not in shown
