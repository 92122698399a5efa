"""The batch call of the bare rules, against the same rules walked in Python and against players at a table."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from pokermodel._core import random_play
from pokermodel.game import Act, GameSpec, State
from pokermodel.randomness import as_seed_sequence, stream_words
from pokermodel.tables.arena import random_hands, tournament

GAMES = {
    "heads-up": GameSpec.heads_up(1, 2),
    "big blind first": GameSpec.heads_up(1, 2, button=1),
    "low caps": GameSpec((1, 2, 0), (2, 2, 4, 4), (2, 0, 0, 0), max_raises=(1, 1, 2, 1)),
    "antes": GameSpec((1, 2), (2, 2, 4, 4), (0, 1, 1, 1), max_raises=(1, 1, 1, 2), antes=(1, 3)),
}


def expect(state):
    """Of all ways that random play can go: mean payoffs, acts by round, and the share of showdowns.

    All hands of a showdown are alike before the cards are dealt, so that each has the same share of the pot.
    """
    n = state.players
    if state.over:
        live = state.active
        won = [Fraction(state.pot, len(live)) if seat in live else Fraction(0) for seat in range(n)]
        return (
            np.array([won[seat] - state.committed[seat] for seat in range(n)]),
            np.zeros((4, 3), dtype=object),
            Fraction(state.showdown),
        )
    legal = state.legal()
    payoffs, acts, showdowns = np.zeros(n, dtype=object), np.zeros((4, 3), dtype=object), Fraction(0)
    for act in legal:
        after = state.copy()
        after.act(act)
        one, two, three = expect(after)
        payoffs += one
        acts += two
        acts[state.round, act] += 1
        showdowns += three
    share = Fraction(1, len(legal))
    return payoffs * share, acts * share, showdowns * share


@pytest.mark.parametrize("name", ["heads-up", "big blind first", "low caps", "antes"])
def test_against_the_whole_tree(name):
    spec = GAMES[name]
    if name in ("heads-up", "big blind first"):  # a smaller tree
        spec = GameSpec(spec.blinds, spec.bets, spec.first, max_raises=(2, 1, 1, 2))
    n = 200_000
    played = random_hands(n, spec, rng=1)
    payoffs, acts, showdowns = expect(State(spec))
    assert played.payoffs.shape == (n, spec.players)
    np.testing.assert_allclose(played.payoffs.sum(axis=1), 0, atol=1e-9)
    errors = played.payoffs.std(axis=0) / math.sqrt(n)
    assert (np.abs(played.payoffs.mean(axis=0) - payoffs.astype(float)) < 5 * errors).all()
    assert played.showdowns / n == pytest.approx(float(showdowns), abs=5 * 0.5 / math.sqrt(n))
    # an act occurs at most a few times in a hand: its count has a variance of the order of its mean
    expected = n * acts.astype(float)
    assert (np.abs(played.acts - expected) <= 5 * np.sqrt(5 * expected)).all()
    assert ((played.acts == 0) == (expected == 0)).all()


def test_the_distribution_of_showdowns():
    """Two that can hold anything tie in 4.06% of the showdowns."""
    state = State(GameSpec.heads_up(1, 2))
    for act in [Act.CALL] * 7:
        state.act(act)
    payoffs, acts = np.empty((100_000, 2)), np.zeros((4, 3), dtype=np.int64)
    showdowns = random_play.random_hands(state, stream_words(as_seed_sequence(3), 1)[0], payoffs, acts)
    assert not acts[:3].any()
    ties = (payoffs[:, 0] == 0).sum() / showdowns  # a fold wins or loses something
    assert ties == pytest.approx(0.0406, abs=5 * math.sqrt(0.04 / showdowns))


def test_against_players_at_a_table():
    """A tournament of random players wins in each seat what the batch does."""
    n = 30_000
    batch = random_hands(n, GameSpec.ring(3, 1, 2), rng=2)
    per_game = batch.payoffs.std() / 2
    result = tournament("random*3", deals=500, seed=2)
    # n sd: the kurtosis of payoffs is about 10
    assert result.sd_per_game("random") == pytest.approx(per_game, rel=5 * math.sqrt(10 / 4500))


def test_one_seed_one_result_for_any_number_of_threads():
    one, two = (random_hands(150_000, rng=5, jobs=jobs) for jobs in (1, 2))
    assert one.payoffs.tobytes() == two.payoffs.tobytes()
    assert (one.acts == two.acts).all()
    assert one.showdowns == two.showdowns
    few = random_hands(10, rng=5)
    assert (few.payoffs == one.payoffs[:10]).all()


def test_none_and_bad_input():
    assert random_hands(0, rng=1).payoffs.shape == (0, 2)
    with pytest.raises(ValueError, match="0 or more"):
        random_hands(-1)
    words, acts = np.ones(4, np.uint64), np.zeros((4, 3), np.int64)
    state = State(GameSpec.heads_up(1, 2))
    with pytest.raises(ValueError, match="a column for each of 2 seats"):
        random_play.random_hands(state, words, np.empty((5, 3)), acts)
    with pytest.raises(ValueError, match="shape"):
        random_play.random_hands(state, words, np.empty((5, 2)), acts[:2])
    with pytest.raises(ValueError, match="4 words"):
        random_play.random_hands(state, words[:3], np.empty((5, 2)), acts)
    state.act(Act.FOLD)
    with pytest.raises(ValueError, match="the hand is over"):
        random_play.random_hands(state, words, np.empty((5, 2)), acts)
