"""Priors: as files, and fitted."""

from __future__ import annotations

import dataclasses
import io
import random
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import card_indices, holding_index
from pokermodel.game import Act
from pokermodel.reading import BettingHistory, PopulationModel, Prior, default_prior, read_prior
from pokermodel.reading.adaptive.fitting import FitOptions, fit_prior
from pokermodel.reading.adaptive.population import play
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.situations import SIZED_TABLE, board_features
from pokermodel.reading.adaptive.sizes import size_habits, size_range
from tests.common.books import played
from tests.common.copies import pickled
from tests.common.engine import random_hand

NAMES = [f"player {k}" for k in range(24)]
QUICK = FitOptions(passes=1, joint_passes=1)


@pytest.fixture(scope="module")
def hands():
    """Hands of players who act at random: 24 of them, each in 30 hands and more."""
    rng = random.Random(1)
    return [play(played(k, k, rng.sample(NAMES, 3))) for k in range(420)]


@pytest.fixture(scope="module")
def fitted(hands) -> Prior:
    return fit_prior(hands, rng=3, options=QUICK, about={"note": "at random"})


# ----------------------------------------------------------------------------------------------------- files


def test_the_prior_of_the_package() -> None:
    prior = default_prior()
    assert prior is default_prior()
    assert {"hands", "players", "note", "seed"} <= set(prior.about)
    path = Path(pm.__file__).parent / "data" / "prior.npz"
    assert path.stat().st_size < 400_000
    assert read_prior(path).digest == prior.digest


def test_the_prior_of_the_package_has_the_scales_of_a_fit() -> None:
    """A scale that is chosen anew ships with a prior that was fitted by it."""
    for name, game in default_prior().games.items():
        assert game.scales == FitOptions().scales(name)


def test_a_prior_is_kept_as_bytes() -> None:
    prior = default_prior()
    again = Prior.from_bytes(prior.to_bytes())
    assert (again.digest, again.about) == (prior.digest, prior.about)
    assert again.to_bytes() == prior.to_bytes()
    assert again.games.keys() == prior.games.keys()
    for name, game in prior.games.items():
        assert again.games[name].scales == game.scales
        for mine, theirs in zip(game.likelihood.weights, again.games[name].likelihood.weights, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert pickled(prior).digest == prior.digest


def changed(**said: object) -> bytes:
    """The prior of the package with other arrays."""
    prior = default_prior()
    with np.load(io.BytesIO(prior.to_bytes())) as found:
        arrays = {name: found[name] for name in found}
    arrays.update({name if name == "said" else f"limit/{name}": value for name, value in said.items()})
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "this is no prior"),
        (b"PK\3\4 and nothing more", "this is no prior"),
        (default_prior().to_bytes()[:-100], "this is no prior"),
        (changed(said=np.frombuffer(b'{"version": 1}', dtype=np.uint8)), "its version is 1, expected 3"),
        (changed(mix=np.zeros((3, 3))), r"mix must have shape \(32, 16\), got \(3, 3\)"),
        (
            changed(situation=np.zeros((5, 32)), direct_situation=np.zeros((5, 4))),
            "this is no prior: a situation has .* rows in limit, got 5",
        ),
        (changed(out_bias=np.full(4, np.nan)), "finite weights"),
    ],
)
def test_what_is_no_prior_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        Prior.from_bytes(content)
    (tmp_path / "prior.npz").write_bytes(content)
    with pytest.raises(ValueError, match=rf"prior.npz: (this is no prior: .*)?{said}"):
        read_prior(tmp_path / "prior.npz")


def test_a_prior_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none.npz: no prior can be read: No such file"):
        read_prior(tmp_path / "none.npz")
    with pytest.raises(ValueError, match="no prior can be read"):
        pm.OpponentModeler("adaptive", prior=tmp_path)


@pytest.mark.parametrize(
    ("scales", "said"),
    [
        ({}, "the scales are population, player, population_strength, player_strength, got none"),
        (
            {"population": 0, "player": 1, "population_strength": 1, "player_strength": 1},
            "population must be a finite number above 0, got 0",
        ),
    ],
)
def test_scales_are_checked(scales: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GamePrior("limit", default_prior().games["limit"].likelihood.weights, scales)


# ------------------------------------------------------------------------------------- a stranger's first hand

PAIRS = [holding_index(card_indices(f"{rank}c{rank}d")) for rank in "23456789TJQKA"]
TRASH = holding_index(card_indices("7c2d"))


def first_table(structure: str, players: int, depth: int) -> pm.GameSpec:
    """A game of which nothing was ever seen."""
    blinds = (50, 100) if players > 2 else (100, 50)
    small, first = 100, 2 % players if players > 2 else 1
    return pm.GameSpec(
        blinds=blinds + (0,) * (players - 2),
        bets=(small, small, 2 * small, 2 * small) if structure == "limit" else (small,) * 4,
        first=(first, 0, 0, 0),
        structure=structure,
        stacks=(depth * small,) * players,
    )


TABLES = [
    *(
        (structure, players, depth)
        for structure in ("no limit", "pot limit")
        for players in range(2, 11)
        for depth in (20, 50, 100, 200)
    ),
    *(("limit", players, 200) for players in range(2, 11)),
]


@pytest.mark.parametrize(("structure", "players", "depth"), TABLES)
def test_what_is_said_of_a_stranger_makes_sense(structure: str, players: int, depth: int) -> None:
    """In the first hand ever seen: who is first to act, and who faces their raise."""
    spec = first_table(structure, players, depth)
    names = [f"player {k}" for k in range(players)]
    session, hand = pm.OpponentModeler(), pm.game.LiveHand(spec, names)
    session.start(names)
    first = session.expect(hand.situation()).triples
    assert first[PAIRS[-2:], 0].max() <= 0.02
    assert first[PAIRS[-1], 2] > first[TRASH, 2]
    if players > 3:  # at fewer seats people do raise it
        assert first[TRASH, 2] <= 0.01
    session.observe(hand.act(Act.RAISE, None if spec.structure.fixed else 300))
    facing = session.expect(hand.situation()).triples
    assert facing[PAIRS[8:], 0].max() <= 0.05
    opened = session.weights(hand.decisions[0].seat)
    shares = opened[opened > 0] / opened.sum()
    bits = -(shares * np.log2(shares)).sum()
    assert bits < 10.3  # of 10.37: heads-up most hands are opened
    if players > 6:
        assert bits <= 9


@pytest.mark.parametrize("spec", [pm.GameSpec.ring(6, 5, 10), pm.GameSpec.no_limit(6, 5, 10, stacks=(1000,) * 6)])
def test_no_pair_is_folded_more_often_than_a_weaker_one(spec: pm.GameSpec) -> None:
    """Of strangers and of those whom one knows, in all that comes before the flop."""
    session = pm.OpponentModeler()
    seen = 0
    for seed in range(60):
        hand, _ = random_hand(seed, spec)
        for decision in hand.replay():
            if decision.round == 0:
                folds = session.expect(decision).triples[PAIRS, 0] if decision.index else None
                assert folds is None or (np.diff(folds) <= 0).all()
                seen += folds is not None and Act.FOLD in decision.legal
            session.observe(decision)
        session.learn(hand)
    assert seen > 200


# ------------------------------------------------------------------------------------------------------- fits


def test_the_same_seed_gives_the_same_prior(hands, fitted: Prior) -> None:
    again = fit_prior(hands, rng=3, options=QUICK, about={"note": "at random"})
    assert again.to_bytes() == fitted.to_bytes()
    other = fit_prior(hands, rng=4, options=QUICK)
    assert other.digest != fitted.digest
    assert fitted.about == {"note": "at random", "hands": 420, "players": 24}


def test_a_fit_learns_what_is_done(hands) -> None:
    """Everybody acts at random, whatever they hold: more passes come nearer to it, and no holding matters."""
    losses: list[float] = []
    options = dataclasses.replace(QUICK, passes=3)
    prior = fit_prior(hands, rng=3, options=options, step=lambda done, passes, loss: losses.append(loss))
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


def test_each_game_is_fitted_apart(hands, fitted: Prior) -> None:
    """With hands of no limit, limit stays as it is; sizes that everybody chooses are likely."""
    rng = random.Random(5)
    free = []
    for seed in range(300):
        spec = pm.GameSpec.no_limit(4, 5, 10, stacks=[rng.choice([200, 1000, 5000]) for _ in range(4)])
        hand, _ = random_hand(seed, spec)
        named = pm.Hand("t", hand.id, spec, rng.sample(NAMES, 4), hand.actions, hand.board, hand.holdings)
        free.append(play(named, all_cards=True))
    assert all(acts.holding >= 0 for hand in free for acts in hand.players)
    both = fit_prior([*hands, *free], rng=3, options=QUICK)
    limit, mine = both.games["limit"], fitted.games["limit"]
    assert all(
        (ours == theirs).all() for ours, theirs in zip(limit.likelihood.weights, mine.likelihood.weights, strict=True)
    )
    assert fit_prior([*free, *hands], rng=3, options=QUICK).digest == both.digest
    assert Prior.from_bytes(both.to_bytes()).digest == both.digest
    sizes = both.games["no limit"].sizes
    decision = next(decision for decision in hand.replay() if decision.situation.raise_range)
    features = BettingHistory(4).features(decision.situation)
    rows = SIZED_TABLE.rows(features, board_features(())).rows
    forecast = sizes.forecast(rows, size_range(decision.situation), size_habits(features))
    assert forecast[0] > 0.1  # one in four bets is the least
    assert forecast[-1] > 0.1
    assert np.abs(sizes.tilts).max() < 0.2  # sizes have nothing to do with the cards
    with pytest.raises(ValueError, match="of no limit: a prior needs more than 16"):
        fit_prior([*hands, *free[:20]], options=QUICK)


def test_too_few_players_are_refused(hands) -> None:
    with pytest.raises(
        ValueError, match="0 players were seen in 30 hands or more of limit: a prior needs more than 16"
    ):
        fit_prior(hands[:40])
    with pytest.raises(ValueError, match="there is no hand to fit"):
        fit_prior([])


def test_a_reader_begins_with_a_prior(fitted: Prior, tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    path.write_bytes(fitted.to_bytes())
    hand = pm.example_hand()
    first = next(iter(hand.replay()))

    def predicted(model: str = "adaptive", **more: object) -> list[float]:
        session = pm.OpponentModeler(model, **more)
        session.start(hand.players)
        return session.predict(first).tolist()

    told = predicted(f"adaptive?prior={path}")
    assert told == predicted(prior=path) == predicted(prior=fitted)
    assert told != predicted()
    assert pm.score([hand], prior=path)["adaptive"].decisions == pm.score([hand])["adaptive"].decisions
    with pytest.raises(ValueError, match="people that are handed in have a prior of their own"):
        pm.OpponentModeler("adaptive", prior=path, people=PopulationModel())
