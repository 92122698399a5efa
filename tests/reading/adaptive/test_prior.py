"""Priors: as files, and as readers begin with them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.likelihood import STANDINGS
from pokermodel.cards import card_indices, holding_index
from pokermodel.game import Act
from pokermodel.reading import PopulationModel, Prior, default_prior, read_prior
from pokermodel.reading.adaptive.prior import GamePrior, Replies
from tests.common.copies import pickled
from tests.common.engine import random_hand
from tests.common.six_handed import RIVER

# ----------------------------------------------------------------------------------------------------- files


def test_the_prior_of_the_package() -> None:
    prior = default_prior()
    assert prior is default_prior()
    assert {"hands", "players", "note", "seed"} <= set(prior.about)
    path = Path(pm.__file__).parent / "data" / "prior.npz"
    assert path.stat().st_size < 400_000
    assert read_prior(path).digest == prior.digest


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


def test_replies_that_there_cannot_be() -> None:
    prior = default_prior()
    sized = prior.games["no limit"]
    assert sized.replies is not None
    rows, classes = sized.replies
    for replies in (
        Replies(rows + np.float16(1), classes),
        Replies(rows, classes * np.nan),
        Replies(rows, 99 * classes),
    ):
        with pytest.raises(
            ValueError, match="replies multiply odds by finite numbers above 0, and by 1 in the first row"
        ):
            sized.with_replies(replies)
    with pytest.raises(ValueError, match=r"replies must have shape \(112, 169, 3\), got \(111, 169, 3\)"):
        sized.with_replies(Replies(rows[1:], classes))
    with pytest.raises(ValueError, match="limit has no replies"):
        prior.games["limit"].with_replies(sized.replies)


def test_standings_that_there_cannot_be() -> None:
    sized = default_prior().games["no limit"]
    told = np.zeros((3, 2, STANDINGS, 2))
    for standings, words in (
        (told[:, :, 1:], r"standings must have shape \(3, 2, 12, 3\), got \(3, 2, 11, 3\)"),
        (told * np.nan, "standings are finite"),
    ):
        with pytest.raises(ValueError, match=words):
            sized.with_standings(standings)
    with pytest.raises(ValueError, match="limit has no standings"):
        default_prior().games["limit"].with_standings(told)


def test_a_prior_without_standings_is_one_in_which_they_change_nothing() -> None:
    """A file of before they came is read as such."""
    sized = default_prior().games["no limit"]
    shipped, without = (Prior([each], {}) for each in (sized, sized.with_standings(None)))
    again = Prior.from_bytes(without.to_bytes())
    assert again.games["no limit"].standings is None
    assert again.digest == without.digest != shipped.digest
    nothing = Prior([sized.with_standings(np.zeros((3, 2, STANDINGS, 2)))], {})
    found = []
    for prior in (without, nothing, shipped):
        session = pm.OpponentModeler(prior=prior)
        for each in RIVER.replay():
            if each.situation.round:
                found.append(session.expect(each.situation).predicted)
            session.observe(each)
    plain, same, moved = np.array(found).reshape(3, -1, 3)
    np.testing.assert_allclose(same, plain, atol=1e-6)
    assert 1e-4 < np.abs(moved - plain).max() < 0.06  # who holds what is told apart, and levels stay


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
        (changed(said=np.frombuffer(b'{"version": 1}', dtype=np.uint8)), "its version is 1, expected 4"),
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


@pytest.mark.parametrize(
    ("players", "depth", "least", "most"), [(2, 10, 0.25, 0.45), (9, 15, 0.15, 0.4), (6, 15, 0.15, 0.4)]
)
def test_a_big_blind_calls_all_in_of_the_small_blind_as_arithmetic_asks(
    players: int, depth: int, least: float, most: float
) -> None:
    """A stranger, of whom few all-ins were seen: with 8 % once, so that any two cards were worth going all-in with."""
    names = [f"player {k}" for k in range(players)]
    session, hand = pm.OpponentModeler(), pm.game.LiveHand(first_table("no limit", players, depth), names)
    session.start(names)
    small = 1 if players == 2 else 0
    while hand.situation().seat != small:
        session.observe(hand.act(Act.FOLD))
    session.observe(hand.act(Act.RAISE, 100 * depth))
    found = session.expect(hand.situation())
    assert least <= found.predicted[Act.CALL] <= most
    calls = found.triples[[*PAIRS, TRASH], Act.CALL]
    assert calls[-2] > 0.9
    assert calls[-1] < 0.1


# ----------------------------------------------------------------------------------------------------- readers


def test_a_reader_begins_with_a_prior(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    mine = Prior([default_prior().games["limit"].with_kinds(None)], {})
    path.write_bytes(mine.to_bytes())
    hand = pm.example_hand()
    first = next(iter(hand.replay()))

    def predicted(model: str = "adaptive", **more: object) -> list[float]:
        session = pm.OpponentModeler(model, **more)
        session.start(hand.players)
        return session.predict(first).tolist()

    told = predicted(f"adaptive?prior={path}")
    assert told == predicted(prior=path) == predicted(prior=mine)
    assert told != predicted()
    assert pm.score([hand], prior=path)["adaptive"].decisions == pm.score([hand])["adaptive"].decisions
    with pytest.raises(ValueError, match="people that are handed in have a prior of their own"):
        pm.OpponentModeler("adaptive", prior=path, people=PopulationModel())
