"""Whole priors that are fitted to hands."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Hand
from pokermodel.histories.phh import dumps_all
from pokermodel.reading import BettingHistory, Prior, default_prior, read_prior
from pokermodel.reading.adaptive.evidence import PlayedHand, play
from pokermodel.reading.adaptive.situations import SIZED_TABLE, board_features
from pokermodel.reading.adaptive.sizes import size_habits, size_range
from tests.common.books import played
from tests.common.engine import random_hand
from tools.fit.__main__ import main
from tools.fit.options import SCALES, FitOptions
from tools.fit.prior import fit_prior


def test_the_prior_of_the_package_has_the_scales_of_a_fit() -> None:
    """A scale that is chosen anew ships with a prior that was fitted by it."""
    assert {name: game.scales for name, game in default_prior().games.items()} == SCALES


def test_the_command_gives_the_same_prior(
    histories: Sequence[Hand], fitted: Prior, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same hands and seed give the same bytes; a hand that cannot be read is left out."""
    first, second, out = (tmp_path / name for name in ("first.phhs", "second.phhs", "prior.npz"))
    first.write_text(dumps_all(histories[:200]))
    second.write_text(dumps_all(histories[200:]) + "\n[999]\nvariant = 'NS'\n")
    arguments = ["--seed", "3", "--note", "at random", "--passes", "1", "--joint-passes", "1"]
    main([str(first), str(second), "--out", str(out), *arguments])
    assert out.read_bytes() == fitted.to_bytes()
    shown = capsys.readouterr()
    assert f"{first}: 200 hands\n" in shown.err
    assert f"{second}: 220 hands, 1 hands or files left out, first: {second}:" in shown.err
    assert "420 hands to fit" in shown.err
    assert "pass 2 of 2: " in shown.err
    assert shown.out == f"{out}: 420 hands of 24 players, {fitted.digest[:12]}\n"
    assert read_prior(out).about == {"note": "at random", "seed": 3, "hands": 420, "players": 24}


def test_the_command_ends_with_one_line(histories: Sequence[Hand], tmp_path: Path) -> None:
    path, out = tmp_path / "few.phhs", tmp_path / "none.npz"
    path.write_text(dumps_all(histories[:1]))
    with pytest.raises(SystemExit, match=r"^Error: 0 players were seen in 30 hands or more of limit"):
        main([str(path), "--out", str(out)])
    with pytest.raises(SystemExit, match=r"^Error: .*none.npz"):
        main([str(out), "--out", str(out)])
    assert not out.exists()


def test_a_fit_learns_what_is_done(hands: Sequence[PlayedHand], fitted: Prior, quick: FitOptions) -> None:
    """Everybody acts at random, whatever they hold: more passes come nearer to it, and no holding matters."""
    losses: list[float] = []
    options = dataclasses.replace(quick, passes=3)
    prior = fit_prior(hands, rng=4, options=options, step=lambda done, passes, loss: losses.append(loss))
    assert prior.digest != fitted.digest
    assert len(losses) == 4
    assert losses[0] > losses[1] > losses[2]
    session = pm.OpponentModeler("adaptive", prior=prior)
    hand = played(500, 500)
    session.start(hand.players)
    for decision in hand.replay():
        predicted = session.predict(decision)
        legal = [1 / len(decision.legal) if k in decision.legal else 0 for k in range(3)]
        np.testing.assert_allclose(predicted, legal, atol=0.2)
        session.observe(decision)


def free_hands(names: Sequence[str], number: int) -> list[Hand]:
    """Hands of no limit."""
    rng = random.Random(5)
    found = []
    for seed in range(number):
        spec = pm.GameSpec.no_limit(4, 5, 10, stacks=[rng.choice([200, 1000, 5000]) for _ in range(4)])
        hand, _ = random_hand(seed, spec)
        found.append(Hand("t", hand.id, spec, rng.sample(names, 4), hand.actions, hand.board, hand.holdings))
    return found


def test_each_game_is_fitted_apart(hands: Sequence[PlayedHand], fitted: Prior, quick: FitOptions) -> None:
    """With hands of no limit, limit stays as it is; sizes that everybody chooses are likely."""
    played_free = free_hands([f"player {k}" for k in range(24)], 220)
    free = [play(hand, all_cards=True) for hand in played_free]
    assert all(acts.holding >= 0 for hand in free for acts in hand.players)
    both = fit_prior([*free, *hands], rng=3, options=quick)
    assert Prior([both.games["limit"]], {}).digest == fitted.digest
    assert Prior.from_bytes(both.to_bytes()).digest == both.digest
    sizes = both.games["no limit"].sizes
    decision = next(decision for decision in played_free[-1].replay() if decision.situation.raise_range)
    features = BettingHistory(4).features(decision.situation)
    rows = SIZED_TABLE.rows(features, board_features(())).rows
    forecast = sizes.forecast(rows, size_range(decision.situation), size_habits(features))
    assert forecast[0] > 0.1  # one in four bets is the least
    assert forecast[-1] > 0.1
    assert np.abs(sizes.tilts).max() < 0.2  # sizes have nothing to do with the cards
    with pytest.raises(ValueError, match="of no limit: a prior needs more than 16"):
        fit_prior(free[:20], options=quick)


def test_too_few_players_are_refused(hands: Sequence[PlayedHand]) -> None:
    with pytest.raises(
        ValueError, match="0 players were seen in 30 hands or more of limit: a prior needs more than 16"
    ):
        fit_prior(hands[:40])
    with pytest.raises(ValueError, match="there is no hand to fit"):
        fit_prior([])
