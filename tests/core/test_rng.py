"""The generator and the seeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._core import rng as core
from pokermodel.randomness import as_seed_sequence, stream_words

MASK = 2**64 - 1


def textbook_xoshiro(words):
    """xoshiro256** in Python integers (Blackman and Vigna 2021)."""
    s = [int(word) for word in words]

    def rotate(x, bits):
        return (x << bits | x >> (64 - bits)) & MASK

    while True:
        yield rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)


def first_words(words, n):
    out = np.empty(n, dtype=np.uint64)
    core.fill_words(np.array(words, dtype=np.uint64), out)
    return out.tolist()


def below(words, n, size):
    out = np.empty(size, dtype=np.uint32)
    core.fill_below(np.array(words, dtype=np.uint64), n, out)
    return out


def test_reference_output():
    assert first_words([1, 2, 3, 4], 10) == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


@given(st.lists(st.integers(0, MASK), min_size=4, max_size=4).filter(any))
def test_words_follow_the_textbook(words):
    textbook = textbook_xoshiro(words)
    assert first_words(words, 20) == [next(textbook) for _ in range(20)]


def test_zero_words_do_not_stick():
    assert len(set(first_words([0, 0, 0, 0], 100))) > 90


@given(st.lists(st.integers(0, MASK), min_size=4, max_size=4).filter(any), st.integers(1, 2**32 - 1))
def test_integers_are_the_textbook_rejection(words, n):
    textbook = textbook_xoshiro(words)
    expected = []
    while len(expected) < 20:
        product = (next(textbook) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            expected.append(product >> 32)
    assert below(words, n, 20).tolist() == expected


@pytest.mark.parametrize("n", [2, 3, 7, 52, 1326])
def test_integers_are_uniform(n):
    draws = 1000 * n
    counts = np.bincount(below([5, 6, 7, 8], n, draws), minlength=n)
    assert len(counts) == n
    chi_square = ((counts - 1000) ** 2 / 1000).sum()
    assert abs(chi_square - (n - 1)) < 5 * np.sqrt(2 * (n - 1))


def test_surplus_draws_are_rejected():
    n = 3 << 30  # without rejection every third value would come twice as often
    thirds = np.bincount(below([5, 6, 7, 8], n, 90_000) % 3, minlength=3)
    assert abs(thirds - 30_000).max() < 5 * np.sqrt(20_000)


def test_doubles():
    out = np.empty(100_000)
    words = np.array([1, 2, 3, 4], dtype=np.uint64)
    core.fill_doubles(words, out)
    assert out.min() >= 0
    assert out.max() < 1
    assert out.tolist()[:3] == [word / 2**64 // 2**-53 * 2**-53 for word in first_words(words, 3)]
    assert abs(out[100:].mean() - 0.5) < 5 / np.sqrt(12 * 99_900)


def test_bad_arguments_of_the_kernels():
    out = np.empty(1, dtype=np.uint32)
    with pytest.raises(ValueError, match="4 words, got 3"):
        core.fill_below(np.zeros(3, dtype=np.uint64), 5, out)
    with pytest.raises(ValueError, match="expected n >= 1"):
        core.fill_below(np.ones(4, dtype=np.uint64), 0, out)


# ----------------------------------------------------------------------------------------------------- seeds


def test_a_seed_is_a_seed():
    for seed in (0, 7, np.int64(7), 2**200):
        expected = stream_words(np.random.SeedSequence(int(seed)), 3)
        np.testing.assert_array_equal(stream_words(as_seed_sequence(seed), 3), expected)


def test_streams_are_the_spawned_ones_and_do_not_depend_on_their_number():
    seed = np.random.SeedSequence(11)
    words = stream_words(seed, 5)
    np.testing.assert_array_equal(words[:2], stream_words(seed, 2))
    assert seed.n_children_spawned == 0
    np.testing.assert_array_equal(words, [child.generate_state(4, np.uint64) for child in seed.spawn(5)])
    assert len(np.unique(words)) == 20


def test_a_generator_moves_on():
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    a, b = as_seed_sequence(first), as_seed_sequence(first)
    assert a.entropy == as_seed_sequence(second).entropy
    assert a.entropy != b.entropy


def test_no_seed_is_a_fresh_one():
    assert as_seed_sequence(None).entropy != as_seed_sequence().entropy


@pytest.mark.parametrize("bad", [-1, 1.5, "7", True, [1, 2], np.random.RandomState(1)])
def test_no_source_of_randomness(bad):
    with pytest.raises(ValueError, match="not a source of randomness"):
        as_seed_sequence(bad)
