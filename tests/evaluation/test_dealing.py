"""Weighted deals against their enumerated distributions."""

from __future__ import annotations

import hashlib
import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel._core import dealing as core
from pokermodel.cards import CARDS, HOLDING_CARDS, N_HOLDINGS, card_indices, cards_text, holding_index, live_holdings
from pokermodel.evaluation.dealing import Deal, Dealer, folded_weights, stack_ranges
from pokermodel.evaluation.preflop import income_rates_by_holding

WORDS = np.array([5, 6, 7, 8], dtype=np.uint64)


def table(weights):
    """Weight table from {holding: weight}."""
    values = np.zeros(N_HOLDINGS)
    for holding, weight in weights.items():
        values[holding_index(holding)] = weight
    return values


def joint(tables):
    """Probability of every combination of holdings by the definition of joint dealing."""
    found = {}

    def extend(chosen, taken, weight, rest):
        if not rest:
            found[tuple(chosen)] = weight
            return
        for holding in np.flatnonzero(rest[0]).tolist():
            cards = set(HOLDING_CARDS[holding].tolist())
            if not cards & taken:
                extend([*chosen, holding], taken | cards, weight * rest[0][holding], rest[1:])

    extend([], set(), 1.0, list(tables))
    total = sum(found.values())
    return {holdings: weight / total for holdings, weight in found.items() if weight}


def in_order(tables):
    """The same of published dealing; nothing for dead ends."""
    found = {}

    def extend(chosen, taken, probability, rest):
        if not rest:
            found[tuple(chosen)] = probability
            return
        possible = [
            holding
            for holding in np.flatnonzero(rest[0]).tolist()
            if not taken.intersection(HOLDING_CARDS[holding].tolist())
        ]
        left = sum(rest[0][holding] for holding in possible)
        for holding in possible:
            cards = set(HOLDING_CARDS[holding].tolist())
            extend([*chosen, holding], taken | cards, probability * rest[0][holding] / left, rest[1:])

    extend([], set(), 1.0, list(tables))
    total = sum(found.values())
    return {holdings: probability / total for holdings, probability in found.items()}


def indices(holdings):
    """Holding indices of cards (n, k, 2), higher card first."""
    high, low = holdings[..., 0].astype(int), holdings[..., 1].astype(int)
    assert (high > low).all()
    return high * (high - 1) // 2 + low


def chi_square(counts, expected):
    """Pearson's statistic in standard deviations from its mean, pooling what is expected fewer than 5 times."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    rare = expected < 5
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    if len(expected) < 2:
        return 0.0
    free = len(expected) - 1
    return (((counts - expected) ** 2 / expected).sum() - free) / np.sqrt(2 * free)


def assert_distributed(dealt, expected):
    """Compare deals with the probabilities of all possible ones."""
    rows = [tuple(row) for row in indices(dealt.holdings).tolist()]
    assert set(rows) <= expected.keys()
    assert (dealt.weights == 1).all()
    position = {holdings: k for k, holdings in enumerate(expected)}
    counts = np.bincount([position[row] for row in rows], minlength=len(expected))
    assert chi_square(counts, len(rows) * np.array(list(expected.values()))) < 5


def assert_sound(dealt, tables, board, dead):
    """No card twice, the board's first cards given, no holding of weight 0."""
    n, k, _ = dealt.holdings.shape
    cards = np.hstack([dealt.holdings.reshape(n, 2 * k), dealt.boards, np.tile(dead, (n, 1))]).astype(int)
    assert (np.diff(np.sort(cards, axis=1), axis=1) > 0).all()
    assert cards.max(initial=0) < 52
    assert (dealt.boards[:, : len(board)] == board).all()
    for player, weights in enumerate(tables):
        assert (weights[indices(dealt.holdings)[:, player]] > 0).all()


# --------------------------------------------------------------------------------------------- the toy example

# Three things that one player has and the other then cannot have. The published order lets the first player have
# A half of the time, where it should be a quarter.
A, B, C = "2c2d", "7h7s", "AcAd"
TOY = [table({A: 1, B: 0.5, C: 0.5}), table({A: 1, B: 0.2, C: 0.2})]
TOY_PUBLISHED = {A + B: 1 / 4, A + C: 1 / 4, B + A: 5 / 24, B + C: 1 / 24, C + A: 5 / 24, C + B: 1 / 24}
TOY_JOINT = {A + B: 1 / 8, A + C: 1 / 8, B + A: 5 / 16, B + C: 1 / 16, C + A: 5 / 16, C + B: 1 / 16}


def by_index(named):
    return {(holding_index(text[:4]), holding_index(text[4:])): probability for text, probability in named.items()}


def test_the_textbook_versions_know_the_toy():
    assert in_order(TOY) == pytest.approx(by_index(TOY_PUBLISHED))
    assert joint(TOY) == pytest.approx(by_index(TOY_JOINT))


@pytest.mark.parametrize(("mode", "expected"), [("published", TOY_PUBLISHED), ("joint", TOY_JOINT)])
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_toy(mode, expected, scale):
    dealt = Dealer([scale * weights for weights in TOY], mode=mode, rng=1).deal(60_000)
    assert_distributed(dealt, by_index(expected))


def test_toy_with_a_player_who_can_have_anything():
    # he comes last in joint dealing, and changes nothing but which cards are left
    dealt = Dealer([TOY[0], None, TOY[1]], rng=2).deal(60_000)
    assert_distributed(dealt._replace(holdings=dealt.holdings[:, [0, 2]]), by_index(TOY_JOINT))


# -------------------------------------------------------------------------------------------------- many tables


def random_tables(rng, players, cards, holdings):
    """Tables of a few holdings on a few cards, weights from 0.01 to 1."""
    live = np.flatnonzero(~live_holdings(cards) & np.isin(HOLDING_CARDS, cards).all(axis=1))
    tables = np.zeros((players, N_HOLDINGS))
    for row in tables:
        row[rng.choice(live, size=holdings, replace=False)] = 10.0 ** rng.uniform(-2, 0, holdings)
    return tables


@pytest.mark.parametrize("players", [7, 8])
def test_many_players_are_dealt_jointly(players):
    # so many that they are dealt in two halves
    rng = np.random.default_rng(players)
    tables = random_tables(rng, players, rng.choice(52, 26, replace=False), 4)
    assert core.Deals(tables, [], [], True).method == "reject"
    assert_distributed(Dealer(tables, rng=3).deal(100_000), joint(tables))


def test_deals_to_many_players_do_not_depend_on_each_other():
    rng = np.random.default_rng(9)
    tables = random_tables(rng, 9, rng.choice(52, 30, replace=False), 3)
    assert core.Deals(tables, [], [], True).method == "reject"
    held = indices(Dealer(tables, rng=4).deal(60_000).holdings)
    for earlier, later in [(0, 0), (0, 8), (8, 0), (4, 4)]:  # by player; the halves are 0 to 3 and 4 to 8
        first = np.unique(held[:-1, earlier], return_inverse=True)[1]
        then = np.unique(held[1:, later], return_inverse=True)[1]
        counts = np.histogram2d(first, then, bins=[np.arange(first.max() + 2), np.arange(then.max() + 2)])[0]
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        assert chi_square(counts.ravel(), expected.ravel()) < 5


@pytest.mark.parametrize("mode", ["joint", "published"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.native) for seed in range(2, 8))])
def test_random_tables_against_their_enumeration(mode, seed):
    rng = np.random.default_rng(seed)
    players = 2 + seed % 3
    tables = random_tables(rng, players, rng.choice(52, 10, replace=False), 6)
    expected = (joint if mode == "joint" else in_order)(tables)
    dealt = Dealer(list(tables), mode=mode, rng=seed).deal(40_000)
    assert_distributed(dealt, expected)
    assert_sound(dealt, tables, (), ())


@pytest.mark.parametrize("seed", range(3))
def test_two_whole_ranges(seed):
    # marginals of each player in closed form: w1(h) times what player 2 has left beside h
    rng = np.random.default_rng(seed)
    first, second = rng.random(N_HOLDINGS) ** 8, rng.random(N_HOLDINGS) ** 8
    share = (HOLDING_CARDS[:, None, :, None] == HOLDING_CARDS[None, :, None, :]).any(axis=(2, 3))
    marginal = first * (~share @ second)
    dealt = Dealer([first, second], rng=seed).deal(200_000)
    counts = np.bincount(indices(dealt.holdings)[:, 0], minlength=N_HOLDINGS)
    assert chi_square(counts, 200_000 * marginal / marginal.sum()) < 5


@pytest.mark.native
def test_published_dealing_as_it_is_printed():
    # draw two cards and u, keep or put back: the same distribution, whatever the scale of the tables
    rng = np.random.default_rng(4)
    deck = np.array(card_indices("AsAhKsKhQsQhJsJh"))
    active = table({"AsAh": 1, "AsKs": 0.7, "KsKh": 0.2, "QsQh": 0.4, "JsJh": 0.1, "AhQh": 0.5})
    rates = income_rates_by_holding(7) / 1000
    counts = {}
    for _ in range(6000):
        left, holdings = deck.tolist(), []
        for keep in (lambda h, u: active[h] >= u, lambda h, u: rates[h] < u):
            while True:
                pair = rng.choice(left, 2, replace=False).tolist()
                if keep(holding_index(pair), rng.random()):
                    break
            holdings.append(holding_index(pair))
            left = [card for card in left if card not in pair]
        counts[tuple(holdings)] = counts.get(tuple(holdings), 0) + 1
    dead = sorted(set(range(52)) - set(deck.tolist()))
    dealer_tables = [active * live_holdings(dead), folded_weights("published") * live_holdings(dead)]
    expected = in_order(dealer_tables)
    assert counts.keys() <= expected.keys()
    printed = [counts.get(holdings, 0) for holdings in expected]
    assert chi_square(printed, 6000 * np.array(list(expected.values()))) < 5
    with pytest.raises(ValueError, match="cannot be dealt from 8 unseen"):
        Dealer([active, folded_weights("published")], dead=dead, mode="published")
    assert_distributed(Dealer(dealer_tables, mode="published", rng=3).deal(40_000), expected)


def test_boards_are_the_rest_of_the_deck():
    dealt = Dealer(["AA", "KK-QQ", None], board="2c7d9h", dead="AsKd", rng=3).deal(100_000)
    assert_sound(dealt, stack_ranges(["AA", "KK-QQ", None]), card_indices("2c7d9h"), card_indices("AsKd"))
    # turn and river are exchangeable, and a deuce comes as often as another deuce
    turn, river = (np.bincount(dealt.boards[:, k], minlength=52) for k in (3, 4))
    low = [card for card in range(32) if CARDS[card] not in ("2c", "7d", "9h")]
    for counts in (turn, river):
        assert chi_square(counts[low], np.full(len(low), counts[low].mean())) < 5


def test_a_full_deck():
    dealt = Dealer([None] * 23, rng=1).deal(2000)
    assert_sound(dealt, stack_ranges([None] * 23), (), ())
    assert len(np.unique(dealt.holdings)) == 52


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_deals_are_sound(data):
    seed = data.draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52)
    board = deck[: data.draw(st.sampled_from([0, 3, 4, 5]))]
    dead = deck[5 : 5 + data.draw(st.integers(0, 4))]
    players = data.draw(st.integers(1, 9))
    tables = rng.random((players, N_HOLDINGS)) ** data.draw(st.sampled_from([0, 1, 20, 200]))
    tables *= rng.random((players, N_HOLDINGS)) < data.draw(st.sampled_from([0.3, 1.0]))
    dealt = Dealer(
        list(tables), board.tolist(), dead.tolist(), data.draw(st.sampled_from(["joint", "published"])), seed
    ).deal(20)
    assert_sound(dealt, tables, board, dead)
    assert np.isfinite(dealt.weights).all()
    assert (dealt.weights > 0).all()


# ------------------------------------------------------------------------------------------------ narrow tables


def marginals(tables, cards):
    """Probability of each holding of each player, summed over sets of taken cards: for tables on few cards."""
    bit = {card: 1 << k for k, card in enumerate(cards)}
    options = [
        [(h, bit[int(HOLDING_CARDS[h, 0])] | bit[int(HOLDING_CARDS[h, 1])], row[h]) for h in np.flatnonzero(row)]
        for row in tables
    ]
    forward = [{0: 1.0}]
    for player in options:
        after = {}
        for taken, weight in forward[-1].items():
            for _, both, factor in player:
                if not taken & both:
                    after[taken | both] = after.get(taken | both, 0.0) + weight * factor
        forward.append(after)
    found = np.zeros((len(tables), N_HOLDINGS))
    backward = dict.fromkeys(forward[-1], 1.0)
    for player in range(len(tables) - 1, -1, -1):
        before = {}
        for taken, weight in forward[player].items():
            for holding, both, factor in options[player]:
                if not taken & both and taken | both in backward:
                    found[player, holding] += weight * factor * backward[taken | both]
                    before[taken] = before.get(taken, 0.0) + factor * backward[taken | both]
        backward = before
    return found / found.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_cards", [12, 14])
def test_narrow_tables(n_cards):
    # six players on 12 cards, where one deal in 11,000 passes, and on 14, where it is one in 800
    rng = np.random.default_rng(n_cards)
    cards = sorted(rng.choice(52, n_cards, replace=False).tolist())
    tables = np.isin(HOLDING_CARDS, cards).all(axis=1) * rng.uniform(0.4, 1.0, (6, N_HOLDINGS))
    dealer = Dealer(list(1e-200 * tables), rng=4)
    assert dealer.weighs == (n_cards == 12)
    dealt = dealer.deal(30_000)
    assert_sound(dealt, tables, (), ())
    assert (len(np.unique(dealt.weights)) > 1) == dealer.weighs
    assert 0.1 < dealt.weights.max() < 10
    held = indices(dealt.holdings)
    found = np.array([np.bincount(held[:, player], dealt.weights, N_HOLDINGS) for player in range(6)])
    np.testing.assert_allclose(found / dealt.weights.sum(), marginals(tables, cards), atol=0.006)


def test_what_is_known_of_one_is_known_of_all():
    # aces leave the second player kings of clubs and diamonds only, and these the third queens
    tables = ["AsKs", "AsAh, KsKh, KdKc", "KdQd, KdKc, QsQh", None]
    dealt = Dealer(tables, rng=6).deal(1000)
    assert [cards_text(row) for row in dealt.holdings[0, :3].tolist()] == ["AsKs", "KdKc", "QsQh"]
    assert_sound(dealt, stack_ranges(tables), (), ())


def test_hopeless_weights_end():
    # one deal is possible, by holdings of chances that float64 multiplies to nothing
    tables = [table({"AsAh": 1, f"{rank}s{rank}h": 1e-200}) for rank in "KQJT"]
    start = time.thread_time()
    with pytest.raises(ValueError, match="hardly admit a deal"):
        Dealer(tables)
    assert time.thread_time() - start < 5


# ------------------------------------------------------------------------------------------- stratified boards


def cycles(cards, n):
    """Cards of trials (trials, k) as cycles of n (cycles, n, k); those that are left over are left out."""
    return cards[: len(cards) // n * n].reshape(-1, n, cards.shape[1])


def assert_every_pair_once(turns_and_rivers, n):
    """Each card once as the turn in a cycle of n, and each ordered pair once in n - 1 cycles, again and again."""
    found = cycles(turns_and_rivers, n).astype(int)
    assert len(found) >= n - 1
    for cycle in found:
        assert len(set(cycle[:, 0])) == n
        assert len(set(cycle[:, 1])) == n  # ours: the rivers, too
    for square in range(len(found) // (n - 1)):
        pairs = found[square * (n - 1) : (square + 1) * (n - 1)].reshape(-1, 2)
        assert len({tuple(pair) for pair in pairs.tolist()}) == n * (n - 1)
    rivers = [found[: n - 1][found[: n - 1, :, 0] == turn][:, 1] for turn in set(found[0, :, 0])]
    assert all(len(set(each)) == n - 1 for each in rivers)  # without replacement


@pytest.mark.parametrize("mode", ["joint", "published"])
@pytest.mark.parametrize("players", [1, 9])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_turn_card_comes_exactly_once_in_a_cycle(mode, players, seed):
    rng = np.random.default_rng(seed)
    tables = [rng.random(N_HOLDINGS) ** 3 for _ in range(players - 1)] + [None]
    dealt = Dealer(tables, "7c8d2h", "AhKh", mode, rng=seed, stratified=True).deal(2 * 47 * 46)
    assert_sound(dealt, stack_ranges(tables), card_indices("7c8d2h"), card_indices("AhKh"))
    assert (dealt.weights > 0).all()
    assert_every_pair_once(dealt.boards[:, 3:], 47)
    first, second = cycles(dealt.boards[:, 3:], 47)[:2]
    assert (first[:, 0] != second[:, 0]).any()  # in another order


@pytest.mark.parametrize("players", [1, 9])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_river_comes_exactly_once_in_a_cycle(players, seed):
    rng = np.random.default_rng(seed)
    tables = list(rng.random((players, N_HOLDINGS)))
    dealt = Dealer(tables, "7c8d2h3s", "AhKh", rng=seed, stratified=True).deal(46 * 50)
    assert_sound(dealt, stack_ranges(tables), card_indices("7c8d2h3s"), card_indices("AhKh"))
    for cycle in cycles(dealt.boards[:, 4:], 46):
        assert len(set(cycle[:, 0].tolist())) == 46


def test_other_boards_are_stratified_as_far_as_they_go():
    before = Dealer([None, "22+"], rng=1, stratified=True)
    dealt = before.deal(52 * 51)
    assert_sound(dealt, stack_ranges([None, "22+"]), (), ())
    assert_every_pair_once(dealt.boards[:, :2], 52)
    # one card can come
    rest = [card for card in range(52) if CARDS[card] not in ("As", "Ad", "Ac", "7c", "8d", "2h", "3s")]
    last = Dealer(["AsAd"], "7c8d2h3s", rest, rng=1, stratified=True).deal(5)
    assert (last.boards[:, 4] == card_indices("Ac")[0]).all()
    # a holding that is certain takes its cards out of the deck, and a river leaves nothing to stratify
    certain = Dealer(["AsAd", None], "7c8d2h", "AhKh", rng=1, stratified=True).deal(45 * 44)
    assert_every_pair_once(certain.boards[:, 3:], 45)
    plain, even = (Dealer(["22+"], "7c8d2h3s4s", rng=1, stratified=on) for on in (False, True))
    for one, other in zip(plain.deal(50), even.deal(50), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not even.weighs


def test_a_runout_is_a_function_of_key_and_trial():
    deals = core.Deals(np.ones((2, N_HOLDINGS)), card_indices("7c8d2h"), (), True, True)
    whole = np.empty((6000, 2), np.uint8)
    deals.runouts(3, 0, whole)
    for first, end in ((0, 64), (64, 512), (48, 49), (2255, 2258), (512, 6000)):
        part = np.empty((end - first, 2), np.uint8)
        deals.runouts(3, first, part)
        np.testing.assert_array_equal(part, whole[first:end])
    other = np.empty_like(whole)
    deals.runouts(4, 0, other)
    assert (other != whole).any()
    for first, cards in ((-1, whole), (0, whole[:, :1].copy())):
        with pytest.raises(ValueError, match="trials from 0 on, and 2 stratified cards"):
            deals.runouts(3, first, cards)


def test_first_runouts_are_any_with_equal_chances():
    """The order of the cards is as random as it can be: the first trials, whatever comes later."""
    deals = core.Deals(np.ones((1, N_HOLDINGS)), card_indices("7c8d2h"), (), True, True)
    cards, n = np.empty((3, 2), np.uint8), 30_000
    counts = np.zeros((3, 2, 52))
    later = np.zeros((52, 52))
    for key in range(n):
        deals.runouts(key, 0, cards)
        for trial in range(3):
            counts[trial, [0, 1], cards[trial]] += 1
        later[cards[0, 0], cards[1, 0]] += 1
    live = [card for card in range(52) if CARDS[card] not in ("7c", "8d", "2h")]
    for row in counts.reshape(6, 52):
        assert chi_square(row[live], np.full(49, n / 49)) < 5
    pairs = later[np.ix_(live, live)][~np.eye(49, dtype=bool)]
    assert chi_square(pairs, np.full(49 * 48, n / (49 * 48))) < 5


def joint_with_board(tables, cards, mode):
    """Probability of all holdings with turn and river, of `cards` alone, by the definition of either mode."""
    found = {}
    for holdings, probability in (joint if mode == "joint" else in_order)(tables).items():
        rest = set(cards) - {card for holding in holdings for card in HOLDING_CARDS[holding].tolist()}
        pairs = list(permutations(sorted(rest), 2))
        ways = len(pairs)
        for pair in pairs:
            found[holdings + pair] = probability / ways
    return found


def assert_weighted(found, weights, expected):
    """Weighted shares of outcomes (n, k) against their probabilities, by their standard errors."""
    base = 1326 ** np.arange(found.shape[1], dtype=np.int64)
    codes = np.array(list(expected)) @ base
    order = np.argsort(codes)
    where = np.searchsorted(codes[order], found @ base)
    np.testing.assert_array_equal(codes[order][where], found @ base)  # none that cannot be
    probability = np.array(list(expected.values()))[order]
    total = weights.sum()
    share = np.bincount(where, weights, len(expected)) / total
    squares = np.bincount(where, weights**2, len(expected))
    spread = squares * (1 - probability) ** 2 + (np.sum(weights**2) - squares) * probability**2
    common = probability * len(weights) > 20
    scores = (share - probability)[common] / np.sqrt(spread[common]) * total
    assert np.abs(scores).max() < 5
    assert common.sum() >= 8
    assert np.mean(scores**2) < 1.25
    assert share[~common].sum() == pytest.approx(probability[~common].sum(), abs=0.01)


@pytest.mark.parametrize("mode", ["joint", "published"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.native) for seed in range(2, 6))])
def test_holdings_and_stratified_boards_against_their_enumeration(mode, seed):
    # some ten cards are left, so that runouts and holdings meet all the time; tables are narrow, widely different
    # and, from seed 3 on, such that most draws find nothing for the last player
    rng = np.random.default_rng(seed)
    players, n_cards = (1, 2, 3, 3, 3, 2)[seed], (8, 9, 10, 8, 8, 6)[seed]
    cards = sorted(rng.choice(52, n_cards, replace=False).tolist())
    rest = rng.permutation([card for card in range(52) if card not in cards]).tolist()
    board, dead = rest[:3], rest[3:]
    tables = random_tables(rng, players, np.array(cards), 5)
    dealer = Dealer(list(tables), board, dead, mode, seed, stratified=True)
    dealt = dealer.deal(100_000)
    assert dealer.weighs
    some = dealt.weights > 0
    expected = joint_with_board(tables, cards, mode)
    rows = np.hstack([indices(dealt.holdings[some]), dealt.boards[some, 3:]])
    assert_weighted(rows, dealt.weights[some], expected)
    assert (dealt.holdings[~some] == core.NO_CARD).all()
    assert 0.3 < dealt.weights.mean() < 3


def test_one_holding_weighs_what_the_runout_leaves_of_its_table():
    rng = np.random.default_rng(5)
    weights = rng.random(N_HOLDINGS) ** 4 * live_holdings(card_indices("7c8d2hAhKh"))
    dealt = Dealer([weights], "7c8d2h", "AhKh", rng=1, stratified=True).deal(500)
    left = [(weights * live_holdings(row.tolist())).sum() for row in dealt.boards[:, 3:]]
    np.testing.assert_allclose(dealt.weights / dealt.weights[0], np.array(left) / left[0], rtol=1e-10)


def test_narrow_tables_on_a_stratified_board():
    # six players on 14 cards, where one deal in 800 passes, and on 12 beside four others, of which the runout must be
    for n_cards, dead, close in ((14, 0, 0.01), (12, 36, 0.04)):
        rng = np.random.default_rng(n_cards)
        order = rng.permutation(52).tolist()
        cards, gone = sorted(order[:n_cards]), order[n_cards : n_cards + dead]
        tables = np.isin(HOLDING_CARDS, cards).all(axis=1) * rng.uniform(0.4, 1.0, (6, N_HOLDINGS))
        dealer = Dealer(list(1e-200 * tables), dead=gone[:33], board=gone[33:], rng=4, stratified=True)
        dealt = dealer.deal(12_000)
        some = dealt.weights > 0
        held = indices(dealt.holdings[some])
        found = np.array([np.bincount(held[:, k], dealt.weights[some], N_HOLDINGS) for k in range(6)])
        np.testing.assert_allclose(found / dealt.weights.sum(), marginals(tables, cards), atol=close)


def test_runouts_that_leave_no_holding_weigh_nothing():
    dealt = Dealer(["AsKs, AsQs"], "7c8d2h", rng=1, stratified=True).deal(49 * 48)
    ace = (dealt.boards[:, 3:] == card_indices("As")[0]).any(axis=1)
    both = np.isin(dealt.boards[:, 3:], card_indices("KsQs")).all(axis=1)
    assert ace.any()
    assert both.any()
    np.testing.assert_array_equal(dealt.weights == 0, ace | both)
    np.testing.assert_array_equal((dealt.holdings == core.NO_CARD).all(axis=(1, 2)), ace | both)
    sound = Deal(*(each[~(ace | both)] for each in dealt))
    assert_sound(sound, stack_ranges(["AsKs, AsQs"]), card_indices("7c8d2h"), ())


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_stratified_deals_are_sound(data):
    seed = data.draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52)
    board = deck[: data.draw(st.sampled_from([0, 3, 4, 5]))]
    dead = deck[5 : 5 + data.draw(st.integers(0, 4))]
    tables = rng.random((data.draw(st.integers(1, 9)), N_HOLDINGS)) ** data.draw(st.sampled_from([0, 1, 20, 200]))
    tables *= rng.random(tables.shape) < data.draw(st.sampled_from([0.3, 1.0]))
    mode = data.draw(st.sampled_from(["joint", "published"]))
    dealt = Dealer(list(tables), board.tolist(), dead.tolist(), mode, seed, stratified=True).deal(40)
    some = dealt.weights > 0
    assert some.any()
    assert np.isfinite(dealt.weights).all()
    assert_sound(Deal(*(each[some] for each in dealt)), tables, board, dead)


@pytest.mark.parametrize(("mode", "players", "few", "board", "digest"), [
    ("joint", 1, False, "2c7d9h", "e51b1782fb323bea"),
    ("joint", 4, False, "2c7d9h", "0b75814f1a496afa"),
    ("joint", 9, False, "2c7d9hTs", "b5d680bf8c7e7c24"),
    ("published", 9, False, "2c7d9h", "64d283ec6caf4675"),
    ("joint", 6, True, "7d9hQc", "71453ef2625463ee"),
])  # fmt: skip
def test_plain_deals_stay_what_they_were(mode, players, few, board, digest):
    tables = np.random.default_rng(17).integers(1, 1000, (3 if players == 4 else players, N_HOLDINGS)).astype(float)
    if few:
        tables[:, 66:] = 0
    dealt = Dealer([*tables, *[None] * (players == 4)], board, "AsKd", mode, rng=5).deal(2000)
    assert hashlib.sha256(b"".join(each.tobytes() for each in dealt)).hexdigest()[:16] == digest


# ------------------------------------------------------------------------------------------------ alias tables


@pytest.mark.parametrize("scale", [1e-310, 1e-300, 1.0, 1e300])
@pytest.mark.parametrize("power", [0, 1, 30])
def test_alias_tables(scale, power):
    rng = np.random.default_rng(power)
    weights = rng.random(N_HOLDINGS) ** power
    dead = (3, 17, 50)
    out = np.empty(300_000, dtype=np.uint16)
    core.draw(weights * scale, dead, WORDS, out)
    expected = weights * scale * live_holdings(dead)
    expected /= expected.max()
    counts = np.bincount(out, minlength=N_HOLDINGS)
    assert not counts[expected == 0].any()
    assert chi_square(counts[expected > 0], len(out) * expected[expected > 0] / expected.sum()) < 5


def test_alias_table_of_one_holding():
    out = np.empty(1000, dtype=np.uint16)
    core.draw(table({"AsAh": 5e-324}), (), WORDS, out)
    assert (out == holding_index("AsAh")).all()


@pytest.mark.parametrize(("weights", "dead", "message"), [
    (np.zeros(N_HOLDINGS), (), "no holding to draw"),
    (table({"AsAh": 1}), (51,), "no holding to draw"),
    (np.ones(1325), (), "length 1326"),
    (np.full(N_HOLDINGS, -1.0), (), "weight 0 is -1"),
    (np.full(N_HOLDINGS, np.nan), (), "weight 0 is nan"),
    (np.full(N_HOLDINGS, np.inf), (), "weight 0 is inf"),
    (np.ones(N_HOLDINGS), (52,), "52 is out of range"),
    (np.ones(N_HOLDINGS), (1, 1), "occurs twice"),
])  # fmt: skip
def test_alias_refuses(weights, dead, message):
    with pytest.raises(ValueError, match=message):
        core.draw(weights, dead, WORDS, np.empty(1, dtype=np.uint16))


# ---------------------------------------------------------------------------------------------- seeds and input


@pytest.mark.parametrize("mode", ["joint", "published"])
def test_a_seed_says_everything(mode):
    first, again, other = (Dealer(["AA, KQs", None], mode=mode, rng=seed) for seed in (1, 1, 2))
    one = first.deal(500)
    for ours, theirs in zip(one, again.deal(500), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (one.holdings != other.deal(500).holdings).any()
    assert (one.holdings != first.deal(500).holdings).any()


@pytest.mark.parametrize(("arguments", "message"), [
    ({"tables": []}, "1 to 23 players, got 0"),
    ({"tables": [None] * 24}, "1 to 23 players, got 24"),
    ({"tables": [None] * 23, "dead": "AsKs"}, "from 50 unseen"),
    ({"tables": ["AsAh", "AsAh"]}, "player 1 has no holding"),
    ({"tables": ["AsAh", "AsKs, AhKh"]}, "player 1 has no holding"),
    ({"tables": ["AsAh", "AsKs, AhKh"], "mode": "published"}, "share no card"),
    ({"tables": ["AsAh, AsAd", "AsAh, AsAd"]}, "share no card"),
    ({"tables": ["AA", "AA", "AA"]}, "share no card"),
    ({"tables": ["AA", "AA", "AA"], "mode": "published"}, "share no card"),
    ({"tables": ["AA"], "board": "As", "dead": "AhAdAc"}, "player 0 has no holding"),
    ({"tables": [np.zeros(N_HOLDINGS)]}, "player 0 has no holding"),
    ({"tables": [np.full(N_HOLDINGS, np.nan)]}, "expected a finite number"),
    ({"tables": [np.ones(169)]}, "shape"),
    ({"tables": ["A"]}, "column 1"),
    ({"tables": [None], "board": "2c3c4c5c6c7c"}, "up to 5 cards"),
    ({"tables": [None], "board": "2c3c4c", "dead": "4c"}, "duplicate card"),
    ({"tables": [None], "mode": "other"}, "unknown mode of dealing"),
    ({"tables": [None], "rng": -1}, "not a source of randomness"),
])  # fmt: skip
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        Dealer(**arguments)


def test_many_players_on_few_cards_are_refused_soon():
    # nine cannot share the seventeen highest cards, nor twelve what eleven could
    tables = [live_holdings(range(35))] * 9
    start = time.thread_time()
    with pytest.raises(ValueError, match="share no card"):
        Dealer([weights.astype(float) for weights in tables])
    odd = [live_holdings(range(34)).astype(float)] * 9 + [live_holdings(range(33)).astype(float)]
    with pytest.raises(ValueError, match="share no card"):
        Dealer(odd)
    assert time.thread_time() - start < 5


def test_core_refuses_other_shapes():
    deals = core.Deals(np.ones((2, N_HOLDINGS)), (), (), True)
    holdings, boards, weights = np.empty((3, 2, 2), np.uint8), np.empty((3, 5), np.uint8), np.empty(3)
    with pytest.raises(ValueError, match="3 deals need"):
        deals.deal(WORDS, holdings[:, :1].copy(), boards, weights)
    with pytest.raises(ValueError, match="3 deals need"):
        deals.deal(WORDS, holdings, boards[:, :4].copy(), weights)
    with pytest.raises(ValueError, match="4 words"):
        deals.deal(WORDS[:3], holdings, boards, weights)
    with pytest.raises(ValueError, match="n must be 0 or more, got -1"):
        Dealer([None]).deal(-1)


@pytest.mark.parametrize("mode", ["joint", "published"])
def test_folded_weights(mode):
    weights, rates = folded_weights(mode), income_rates_by_holding(7)
    order = np.argsort(rates)
    assert (np.diff(weights[order]) <= 1e-12).all()
    assert weights[holding_index("7c2d")] > 0.9
    assert weights[holding_index("AsAh")] < 0.01
    assert ((weights >= 0) & (weights <= 1)).all()
