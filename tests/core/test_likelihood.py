"""The likelihood of a choice, against textbook versions in NumPy."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest

from pokermodel import simd
from pokermodel._core.likelihood import (
    CELLS,
    EFFECTS,
    HIDDEN,
    HOLDING_ROWS,
    LEVELS,
    MIXED,
    OUT,
    PLACE,
    REPLIES,
    SIDE,
    STANDINGS,
    WEIGHTS,
    HoldingClasses,
    Likelihood,
    factor_offsets,
    factor_update,
    narrow,
    narrow_levels,
)
from pokermodel.cards import CLASS_OF_HOLDING, HOLDING_CARDS, card_indices, holding_index, live_holdings
from pokermodel.evaluation import BoardAnalysis, evaluate
from pokermodel.evaluation.preflop import income_shares
from pokermodel.reading.adaptive.holdings import MADE, PREFLOP_HOLDINGS, first_bin, holding_classes, made_at_least

ROWS, FEATURES = 30, 5
BOARDS = ["", "Kh9h4c", "Kh9h4cQd", "Kh9h4cQd9s"]


def some_likelihood(seed: int = 1) -> Likelihood:
    rng = np.random.default_rng(seed)
    shapes = [
        (ROWS, HIDDEN),
        (HOLDING_ROWS, HIDDEN),
        (HIDDEN, MIXED),
        (MIXED,),
        (MIXED, OUT),
        (OUT,),
        (ROWS, OUT),
        (HOLDING_ROWS, OUT),
        (LEVELS, 3, EFFECTS),
    ]
    weights = [rng.normal(0, 0.3, shape) for shape in shapes]
    for k in (4, 6, 7):
        weights[k][:, 3] = 0
    weights[5][3] = 0
    return Likelihood(weights)


def some_acts(seed: int = 2) -> dict[str, np.ndarray]:
    """Four acts, one on each street."""
    rng = np.random.default_rng(seed)
    legal = np.ones((4, 3), dtype=np.float32)
    legal[1, 0] = 0
    legal[3, 2] = 0
    cells = [rng.integers(0, CELLS[0], (1, 3)), CELLS[0] + rng.integers(0, CELLS[1], (3, 3))]
    basis = np.column_stack([[0, 1, 1, 1], np.concatenate(cells), np.zeros(4)])
    return {
        "rows": rng.integers(0, ROWS, (4, FEATURES)).astype(np.int16),
        "basis": basis.astype(np.int16),
        "levels": rng.normal(0, 0.2, (LEVELS, 3)),
        "effects": rng.normal(0, 0.5, EFFECTS),
        "offsets": rng.normal(0, 0.2, (4, 3)),
        "legal": legal,
        "acts": np.array([2, 1, 2, 1], dtype=np.int16),
    }


def classes_by_act() -> list[HoldingClasses]:
    return [holding_classes(card_indices(board)) for board in BOARDS]


def textbook(net: Likelihood, acts: dict[str, np.ndarray], k: int, classes: HoldingClasses) -> np.ndarray:
    """P(act | class) of one act, by the formulas: float64 (classes, 3)."""
    w, e, q, q0, v, v0, d, c, loadings = (each.astype(np.float64) for each in net.weights)
    rows, basis = acts["rows"][k], acts["basis"][k]
    h = np.maximum(0, w[rows].sum(axis=0) + e[classes.rows].sum(axis=1))
    m = np.maximum(0, h @ q + q0)
    who = acts["levels"] + loadings @ acts["effects"]
    v = v[:, :3] + who[basis[0] * MIXED : (basis[0] + 1) * MIXED]
    v0 = v0[:3] + who[2 * MIXED + basis[1:4]].sum(axis=0) + acts["offsets"][k]
    z = m @ v + v0 + d[rows, :3].sum(axis=0) + c[classes.rows, :3].sum(axis=1)
    z[:, acts["legal"][k] == 0] = -np.inf
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def textbook_follow(net: Likelihood, acts: dict[str, np.ndarray], possible: np.ndarray, shown: int):
    """Log-likelihood, forecasts, and what is held in the end."""
    weights, forecasts, likelihood = possible.astype(np.float64), [], 0.0
    for k, classes in enumerate(classes_by_act()):
        triples = textbook(net, acts, k, classes)[classes.of]
        weights = np.where(classes.of >= 0, weights, 0)
        forecasts.append(weights @ triples / weights.sum())
        p = triples[:, acts["acts"][k]]
        likelihood += np.log(p[shown] if shown >= 0 else weights @ p / weights.sum())
        weights = weights * p
    return likelihood, np.array(forecasts), weights / weights.sum()


def follow(net: Likelihood, acts: dict[str, np.ndarray], possible: np.ndarray, shown: int = -1, **more):
    weights, forecasts = possible.astype(np.float64), np.empty((4, 3))
    likelihood = net.follow(
        *(acts[name] for name in ("rows", "basis", "levels", "effects", "offsets", "legal", "acts")),
        classes_by_act(),
        weights,
        shown,
        forecasts,
        **more,
    )
    return likelihood, forecasts, weights


@pytest.mark.parametrize("k", range(4))
def test_probabilities_are_those_of_the_formulas(k: int) -> None:
    net, acts, classes = some_likelihood(), some_acts(), classes_by_act()[k]
    triples, predicted, again = np.empty((1326, 3)), np.empty(3), np.empty(3)
    weights = np.random.default_rng(6).random(1326)
    told = (
        acts["rows"][k : k + 1],
        acts["basis"][k : k + 1],
        acts["levels"],
        acts["effects"],
        acts["offsets"][k],
        acts["legal"][k],
        classes,
        weights,
    )
    net.judge(*told, predicted, triples)
    net.judge(*told, again)
    expected = np.where(classes.of[:, None] >= 0, textbook(net, acts, k, classes)[classes.of], np.nan)
    np.testing.assert_allclose(triples, expected, atol=2e-6)
    live = classes.of >= 0
    np.testing.assert_allclose(predicted, weights[live] @ expected[live] / weights[live].sum(), atol=2e-6)
    np.testing.assert_array_equal(again, predicted)
    np.testing.assert_array_equal(np.isnan(triples[:, 0]), ~live_holdings(card_indices(BOARDS[k])))


@pytest.mark.parametrize("shown", [-1, holding_index(card_indices("AhQh"))])
@pytest.mark.parametrize("river", ["Kh9h4cQd9s", "Kh9h4hQd8h", "Kc9h4sQsJc", "Kh9d4cJhKd"])
def test_a_hand_is_followed_by_bayes_rule(shown: int, river: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "BOARDS", ["", river[:6], river[:8], river])
    net, acts = some_likelihood(), some_acts()
    possible = live_holdings(card_indices(BOARDS[-1] + "2c2d"))
    likelihood, forecasts, weights = follow(net, acts, possible, shown)
    expected = textbook_follow(net, acts, possible, shown)
    assert likelihood == pytest.approx(expected[0], abs=1e-5)
    np.testing.assert_allclose(forecasts, expected[1], atol=1e-5)
    if shown < 0:
        np.testing.assert_allclose(weights, expected[2], atol=1e-6)
    else:
        assert weights[shown] == weights.sum() == 1


@pytest.mark.parametrize("shown", [-1, holding_index(card_indices("AhQh"))])
def test_gradients_are_those_of_differences(shown: int) -> None:
    net, acts = some_likelihood(), some_acts()
    possible = live_holdings(card_indices(BOARDS[-1]))
    learnt = [np.zeros_like(each) for each in net.weights]
    gradient = np.zeros(EFFECTS)
    follow(net, acts, possible, shown, gradient=gradient, learnt=learnt)

    def likelihood() -> float:
        return textbook_follow(net, acts, possible, shown)[0]

    step = 1e-2
    rng = np.random.default_rng(3)
    for name, weights, found in zip(WEIGHTS, net.weights, learnt, strict=True):
        places = np.argwhere(np.abs(found) > 1e-3)
        for place in map(tuple, places[rng.permutation(len(places))[:3]]):
            before = weights[place]
            weights[place] = before + step
            up = likelihood()
            weights[place] = before - step
            down = likelihood()
            weights[place] = before
            assert (up - down) / (2 * step) == pytest.approx(found[place], rel=0.05, abs=2e-3), name
    for k in range(EFFECTS):
        before = acts["effects"][k]
        acts["effects"][k] = before + 1e-3
        up = likelihood()
        acts["effects"][k] = before - 1e-3
        down = likelihood()
        acts["effects"][k] = before
        assert (up - down) / 2e-3 == pytest.approx(gradient[k], rel=1e-2, abs=1e-3)


def test_directions_are_gradients_of_the_forecasts_that_cancel() -> None:
    net, acts = some_likelihood(), some_acts()
    directions, slopes = np.empty((4, 3, EFFECTS)), np.empty((4, 4, MIXED + 1, OUT))
    possible = live_holdings(card_indices(BOARDS[-1]))
    _, forecasts, _ = follow(net, acts, possible, gradient=np.zeros(EFFECTS), directions=directions, slopes=slopes)
    # probabilities stay 1 together: the mean of the gradients of the logarithms is 0
    np.testing.assert_allclose(np.einsum("ad,ade->ae", forecasts, directions), 0, atol=1e-5)
    step = 1e-3
    for k in (0, 7):  # the first act: what is held before it does not depend on effects
        acts["effects"][k] += step
        up = textbook_follow(net, acts, possible, -1)[1]
        acts["effects"][k] -= 2 * step
        down = textbook_follow(net, acts, possible, -1)[1]
        acts["effects"][k] += step
        np.testing.assert_allclose((np.log(up[0]) - np.log(down[0])) / (2 * step), directions[0, :, k], atol=1e-3)
    # the slopes are what loadings turn into directions
    loadings, side = net.weights[8], acts["basis"][1, 0]
    by_units = np.einsum("jc,jce->e", slopes[1, 2, :MIXED, :3], loadings[side * MIXED : (side + 1) * MIXED])
    by_cells = np.einsum("c,bce->e", slopes[1, 2, MIXED, :3], loadings[2 * MIXED + acts["basis"][1, 1:4]])
    np.testing.assert_allclose(by_units + by_cells, directions[1, 2], atol=1e-9)


def test_a_belief_narrows_as_information_says() -> None:
    rng = np.random.default_rng(5)
    directions, forecasts = rng.normal(size=(6, 3, EFFECTS)), rng.dirichlet(np.ones(3), 6)
    gradient, mean, covariance = rng.normal(size=EFFECTS), rng.normal(size=EFFECTS), np.eye(EFFECTS) * 0.5
    information = np.linalg.inv(covariance) + np.einsum("ad,ade,adf->ef", forecasts, directions, directions)
    expected = np.linalg.inv(information)
    then = mean + expected @ gradient
    narrow(mean, covariance, gradient, directions, forecasts)
    np.testing.assert_allclose(covariance, expected, atol=1e-12)
    np.testing.assert_allclose(mean, then, atol=1e-12)


def test_levels_narrow_as_information_says() -> None:
    net, acts = some_likelihood(), some_acts()
    slopes = np.empty((4, 4, MIXED + 1, OUT))
    _, forecasts, _ = follow(
        net, acts, live_holdings(card_indices(BOARDS[-1])), gradient=np.zeros(EFFECTS), slopes=slopes
    )
    rows = [MIXED + CELLS[0], MIXED + CELLS[1]]
    mean, covariance = np.zeros((LEVELS, 3)), np.zeros((2, 3, SIDE, SIDE))
    for side in (0, 1):
        covariance[side, :, range(rows[side]), range(rows[side])] = 0.3
    narrow_levels(mean, covariance, acts["basis"], slopes, forecasts)
    for side, act in ((0, 0), (1, 2)):
        information, gradient = np.eye(rows[side]) / 0.3, np.zeros(rows[side])
        for k in np.flatnonzero(acts["basis"][:, 0] == side):
            local = MIXED + acts["basis"][k, 1:4] - side * CELLS[0]
            for outcome in range(3):
                x = np.zeros(rows[side])
                x[:MIXED] = slopes[k, outcome, :MIXED, act]
                np.add.at(x, local, slopes[k, outcome, MIXED, act])
                information += forecasts[k, outcome] * np.outer(x, x)
            gradient[:MIXED] += slopes[k, 3, :MIXED, act]
            np.add.at(gradient, local, slopes[k, 3, MIXED, act])
        expected = np.linalg.inv(information)
        np.testing.assert_allclose(covariance[side, act, : rows[side], : rows[side]], expected, atol=1e-10)
        own = np.r_[side * MIXED : (side + 1) * MIXED, 2 * MIXED + side * CELLS[0] : 2 * MIXED + sum(CELLS[: side + 1])]
        np.testing.assert_allclose(mean[own, act], expected @ gradient, atol=1e-10)


def test_factors_learn_together_what_the_forecast_did_not_expect() -> None:
    table = np.zeros((3, 2, 3))
    strengths = np.array([10.0, 20.0])
    places = np.array([[0, 1], [0, 2]], dtype=np.int32)
    offsets = np.empty((2, 3))
    factor_offsets(table, strengths, places, offsets)
    assert (offsets == 0).all()
    forecasts = np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]])
    logs, expected = np.zeros((3, 3)), np.zeros((3, 3))
    of_rows = np.array([10.0, 20.0, 20.0])[:, None]
    for rows, act, forecast in zip(places, (2, 1), forecasts, strict=True):
        widths = 1 / (of_rows + 1.5 * expected)[rows]
        left = (np.arange(3) == act) - forecast
        logs[rows] += widths * left / (1 + widths.sum(axis=0) * forecast)
        expected[rows] += forecast
    factor_update(table, strengths, places, np.array([2, 1], dtype=np.int16), forecasts)
    np.testing.assert_allclose(table[:, 1], expected)
    np.testing.assert_allclose(table[:, 0], logs * (of_rows + 1.5 * expected), atol=1e-15)
    factor_offsets(table, strengths, places, offsets)
    np.testing.assert_allclose(offsets, [logs[0] + logs[1], logs[0] + logs[2]], atol=1e-15)


def test_factors_do_not_keep_what_something_else_has_come_to_explain() -> None:
    """At first the rest of the forecast expects all acts alike, later what is done in truth."""
    rng = np.random.default_rng(0)
    table, strengths, places = np.zeros((8, 2, 3)), np.full(8, 10.0), np.arange(8, dtype=np.int32)[None]
    true, offsets, found = np.array([0.2, 0.5, 0.3]), np.empty((1, 3)), []
    for k, act in enumerate(rng.choice(3, 2000, p=true).tolist()):
        factor_offsets(table, strengths, places, offsets)
        found.append(np.exp(offsets[0]))
        forecast = np.exp(offsets) * (1 if k < 500 else true)
        factor_update(table, strengths, places, np.array([act], dtype=np.int16), forecast / forecast.sum())
    for factors, expected in ((np.mean(found[400:500], axis=0), 3 * true), (np.mean(found[1500:], axis=0), np.ones(3))):
        np.testing.assert_allclose(factors / (factors @ true) * (expected @ true), expected, rtol=0.12)


def test_replies_multiply_the_odds_of_classes_before_the_flop() -> None:
    rng = np.random.default_rng(5)
    weights = some_likelihood().weights
    times = np.exp(rng.normal(0, 1, (REPLIES, 169, 3)))
    told = some_acts()
    rows, basis, legal = told["rows"][:1], told["basis"][:1].copy(), told["legal"][0]
    fixed = (told["levels"], told["effects"], told["offsets"][0], legal, PREFLOP_HOLDINGS, np.ones(1326))
    found = {}
    for row in (0, 7):
        basis[0, -1] = row
        for name, net in (("with", Likelihood(weights, times)), ("without", Likelihood(weights))):
            net.judge(rows, basis, *fixed, np.empty(3), triples := np.empty((1326, 3)))
            found[name, row] = triples
    np.testing.assert_array_equal(found["with", 0], found["without", 0])
    np.testing.assert_array_equal(found["without", 7], found["without", 0])
    expected = found["without", 7] * times[7, CLASS_OF_HOLDING]
    np.testing.assert_allclose(found["with", 7], expected / expected.sum(axis=1, keepdims=True), rtol=2e-5)
    with pytest.raises(ValueError, match="replies must have shape"):
        Likelihood(weights, times[:-1])


def test_standings_multiply_odds_by_the_place_in_the_range() -> None:
    """On the turn, facing a bet: the share of the range that is weaker, and half of what is as strong."""
    rng = np.random.default_rng(6)
    weights, told, board = some_likelihood().weights, some_acts(), card_indices(BOARDS[-1])[:4]
    standings = rng.normal(0, 1, (3, 2, STANDINGS, 3))
    one, classes = slice(2, 3), holding_classes(board)
    held = rng.random(1326) * live_holdings(board)
    forecasts, found = np.empty((1, 3)), {}
    basis = told["basis"][one].copy()
    basis[0, 2] = CELLS[0] + 2 + 3 + 1  # a bet on the turn
    situation = told["rows"][one], basis, told["levels"], told["effects"]
    for act in range(3):
        for name, net in (("with", Likelihood(weights, None, standings)), ("without", Likelihood(weights))):
            after, acts = held.copy(), np.array([act], np.int16)
            net.follow(*situation, told["offsets"][one], told["legal"][one], acts, [classes], after, -1, forecasts)
            found[name, act] = forecasts[0, act] * after  # in proportion to weight and probability
    strength = classes.column(0, first_bin(board))
    masses = np.bincount(strength[strength >= 0], held[strength >= 0], 16) / held.sum()
    places = (masses.cumsum() - masses / 2) * (STANDINGS - 1)
    logs = [np.interp(places, np.arange(STANDINGS), standings[1, 1, :, act])[strength] for act in range(3)]
    before, after = (np.stack([found[name, act] for act in range(3)], axis=1) for name in ("without", "with"))
    expected = before * np.exp(np.stack(logs, axis=1))
    live = before.sum(axis=1) > 0
    expected, after = (each[live] / each[live].sum(axis=1, keepdims=True) for each in (expected, after))
    np.testing.assert_allclose(after, expected, rtol=2e-5)
    with pytest.raises(ValueError, match="standings must have shape"):
        Likelihood(weights, None, standings[:2])


def test_all_levels_of_vectors_give_the_same_bits() -> None:
    net, acts, found = some_likelihood(), some_acts(), {}
    possible = live_holdings(card_indices(BOARDS[-1]))
    before = simd.level()
    try:
        for level in simd.available():
            simd.use(level)
            gradient, directions, slopes = (
                np.zeros(EFFECTS),
                np.empty((4, 3, EFFECTS)),
                np.empty((4, 4, MIXED + 1, OUT)),
            )
            told = follow(net, acts, possible, gradient=gradient, directions=directions, slopes=slopes)
            found[level] = b"".join(np.asarray(each).tobytes() for each in (*told, gradient, directions, slopes))
    finally:
        simd.use(before)
    assert len(set(found.values())) == 1


# ----------------------------------------------------------------------------------------- classes of holdings


def test_there_are_169_classes_before_the_flop() -> None:
    assert len(PREFLOP_HOLDINGS) == 169
    of = PREFLOP_HOLDINGS.of
    assert of[holding_index(card_indices("AsKs"))] == of[holding_index(card_indices("AdKd"))]
    assert of[holding_index(card_indices("AsKs"))] != of[holding_index(card_indices("AdKs"))]


@pytest.mark.parametrize(
    ("board", "holding", "made"),
    [
        ("Kh9h4c", "AhQh", "ace high"),
        ("Kh9h4c", "QhJh", "no overcard"),
        ("9h7h4c", "QhTh", "two overcards"),
        ("9h7h4c", "Qh3h", "an overcard"),
        ("Kh9h4c", "4h3h", "a low pair"),
        ("Kh9h4c", "5h5c", "a low pair"),
        ("Kh9h4c", "9c3h", "a middle pair"),
        ("Kh9h4c", "TcTh", "a middle pair"),
        ("Kh9h4c", "Kc3d", "top pair"),
        ("Kh9h4c", "KcQd", "top pair with a good kicker"),
        ("Kh9h4c", "AcAd", "an overpair"),
        ("Kh9h4c", "Kc9d", "two pair"),
        ("Kh9h4c", "9c9d", "three of a kind"),
        ("KhKd4c", "Kc2d", "three of a kind"),
        ("KhKd4c", "AcAd", "an overpair"),
        ("KhKd4c", "Ac4d", "a middle pair"),
        ("KhKdKc", "AcQd", "ace high"),
        ("Kh9h4c", "QdJd", "no overcard"),
        ("KhQhTc", "AcJd", "a straight"),
        ("Kh9h4h", "Ah2h", "a flush"),
        ("Kh9h9c", "KcKd", "a full house or better"),
        ("AhKhQhJhTh", "2c3c", "no overcard"),
        ("9c9d9h9sAd", "2c3c", "no overcard"),
        ("9c9dKhKs2d", "AcQc", "ace high"),
        ("3c4d5h6s7d", "2c2d", "a low pair"),
        ("3c4d5h6s7d", "8c2d", "a straight"),
    ],
)
def test_what_two_cards_make_with_a_board(board: str, holding: str, made: str) -> None:
    cards, index = card_indices(board), holding_index(card_indices(holding))
    at = MADE.index(made)
    assert made_at_least(cards, at)[index]
    assert at == len(MADE) - 1 or not made_at_least(cards, at + 1)[index]


def runs(ranks: set[int]) -> bool:
    """Whether five ranks are in a row; an ace is at both ends."""
    placed = ranks | ({-1} if 12 in ranks else set())
    return any(all(low + k in placed for k in range(5)) for low in range(-1, 9))


def draw(board: str, holding: str) -> int:
    """Outs to a straight as 0, 1 or 2, plus 3 with four to a flush: by dealing every card."""
    table, cards = card_indices(board), card_indices(holding)
    starts = {"straight": (5854, 5863), "flush": (5864, 7140)}

    def is_kind(hand: tuple[int, ...], kind: str) -> bool:
        low, high = starts[kind]
        return len(hand) >= 5 and low <= evaluate(hand) <= high

    straight, flush = set(), False
    for card in set(range(52)) - set(table) - set(cards):
        with_card, on_board, now = (
            {c // 4 for c in held} for held in ((*table, *cards, card), (*table, card), (*table, *cards))
        )
        if runs(with_card) and not runs(on_board) and not runs(now):
            straight.add(card // 4)
        before = max(sum(c % 4 == suit for c in (*table, *cards)) for suit in range(4))
        if (
            before == 4
            and is_kind((*table, *cards, card), "flush")
            and max(sum(c % 4 == suit for c in table) for suit in range(4)) < 4
        ):
            flush = True
    return 3 * flush + min(len(straight), 2)


@pytest.mark.parametrize("board", ["Kh9h4c", "8c7d2h", "Th9h8cQc", "5s6d7hAs", "2c2d2hJs"])
def test_draws_are_counted_by_dealing(board: str) -> None:
    cards = card_indices(board)
    classes = holding_classes(cards)
    first = 45 + (len(cards) - 3) * 39 + 16
    rng = np.random.default_rng(4)
    for index in rng.choice(np.flatnonzero(live_holdings(cards)), 60, replace=False).tolist():
        holding = "".join("23456789TJQKA"[c // 4] + "cdhs"[c % 4] for c in HOLDING_CARDS[index].tolist())
        assert classes.rows[classes.of[index], 1] - first == draw(board, holding), holding


def features_of(board: tuple[int, ...], holding: tuple[int, ...]) -> tuple[int, int]:
    """Draws, and what is made with the board, of one holding."""
    on_board, held = Counter(card // 4 for card in board), sorted((card // 4 for card in holding), reverse=True)
    flush = [Counter(card % 4 for card in cards) for cards in (board, board + holding)]
    ranks = set(on_board) | set(held)
    outs = [r for r in range(13) if runs(ranks | {r}) and not runs(set(on_board) | {r})] if not runs(ranks) else []
    four = max(flush[1].values()) == 4 and max(flush[0].values()) < 4
    draws = (min(len(outs), 2) + 3 * four) if len(board) < 5 else 0

    rank, starts = evaluate(board + holding), (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)
    category = sum(rank >= start for start in starts) - 1
    top, second = [*sorted(on_board, reverse=True), 0][:2]
    own = not (len(board) == 5 and rank == evaluate(board))
    high, low = held
    if own and category >= 4:
        made = {4: 11, 5: 12}.get(category, 13)
    elif category == 3 and max(on_board.values()) < 3:
        made = 10
    elif high == low:
        made = 8 if high > top else 5 if high > second else 4
    elif high in on_board and low in on_board:
        made = 9
    elif high in on_board or low in on_board:
        paired, kicker = (high, low) if high in on_board else (low, high)
        made = (7 if kicker >= 10 else 6) if paired == top else 5 if paired == second else 4
    elif low > top:
        made = 3
    else:
        made = (2 if high == 12 else 1) if high > top else 0
    return draws, made


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Kh9h4c",
            "Kh9h4cTh",
            "Kh9h4cThTc",
            "8c7d2hKs",
            "AcKdQhJsTc",
        ),  # without a flush, with one, in the last card's
        *("Kh9h4h", "Kh9h4hTc", "Kh9h4hTc2d", "Kh9h4hTh", "Kh9h4hTh2c", "AhKhQhJhTh", "2h3h4h5h9h"),  # one suit
        *("2c2d2h", "2c2d2h2s", "2c2d2h2sAd", "KhKd4c4s", "KhKd4h4c4s", "5h5d9h9cTh"),  # pairs and more
        *("Ts9s8d7d", "5s4s3d2d", "Qc7c7d2d"),  # two suits to draw to
    ],
)
def test_features_of_all_holdings_are_those_of_each_by_itself(text: str) -> None:
    board = card_indices(text)
    strengths = BoardAnalysis(board).strengths()
    before = BoardAnalysis(board[:-1]).strengths() if len(board) > 3 else strengths
    bins = np.digitize(
        strengths, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.68, 0.75, 0.82, 0.87, 0.91, 0.94, 0.965, 0.985, 0.995)
    )
    first = np.cumsum([45 + (len(board) - 3) * 39, 16, 6, 14])
    numbers: dict[tuple[int, ...], int] = {}
    expected = np.full(1326, -1)
    for k in np.flatnonzero(live_holdings(board)).tolist():
        change = strengths[k] - before[k]
        told = (
            int(bins[k]),
            *features_of(board, tuple(HOLDING_CARDS[k].tolist())),
            1 - (change < -0.12) + (change > 0.12),
        )
        expected[k] = numbers.setdefault(told, len(numbers))  # in the order in which they occur
    classes = holding_classes(board)
    np.testing.assert_array_equal(classes.of, expected)
    np.testing.assert_array_equal(classes.rows - first, list(numbers))
    for feature in range(4):
        of = np.where(classes.of < 0, -1, classes.rows[classes.of, feature] - first[feature])
        np.testing.assert_array_equal(classes.column(feature, int(first[feature])), of)
    with pytest.raises(ValueError, match="features are 0 to 3, got 4"):
        classes.column(4)


def test_a_change_of_strength_is_told_from_the_board_before() -> None:
    board = card_indices("Kh9h4cTh")
    change = (BoardAnalysis(board).strengths() - BoardAnalysis(board[:3]).strengths())[live_holdings(board)]
    classes = HoldingClasses(board, before=HoldingClasses(board[:3]))
    expected = np.where(change < -0.12, 0, np.where(change > 0.12, 2, 1))
    assert set(expected) == {0, 1, 2}
    first = 45 + 39 + 16 + 6 + len(MADE)
    np.testing.assert_array_equal(classes.rows[classes.of[live_holdings(board)], 3] - first, expected)
    assert set(HoldingClasses(board).rows[:, 3]) == {first + 1}


# ------------------------------------------------------------------------------------------------ bad input


def test_bad_input_is_refused() -> None:
    net, acts = some_likelihood(), some_acts()
    possible = live_holdings(card_indices(BOARDS[-1]))
    with pytest.raises(ValueError, match="9 arrays"):
        Likelihood([])
    weights = list(net.weights)
    weights[2] = weights[2][:3]
    with pytest.raises(ValueError, match=r"mix must have shape \(32, 16\)"):
        Likelihood(weights)
    for name, value, said in (
        ("rows", np.full((4, FEATURES), ROWS), "rows must be 0 to 29"),
        ("rows", np.full((4, FEATURES), -1), "rows must be 0 to 29"),
        ("basis", np.full((4, PLACE), 2), "must be 0 or 1, got 2"),
        ("basis", np.tile([0, 0, 2, 5, REPLIES], (4, 1)), "rows of replies are 0 to 111, got 112"),
        ("basis", np.array([[0, CELLS[0], 0, 0, 0]] * 4), "there is no cell 17 on side 0"),
        ("basis", np.array([[1, 20, 16, 20, 0]] * 4), "there is no cell 16 on side 1"),
        ("acts", np.array([0, 0, 2, 1]), "act 1 must be one that is offered"),
        ("acts", np.array([0, 1, 3, 1]), "act 2 must be one that is offered"),
    ):
        with pytest.raises(ValueError, match=said):
            follow(net, {**acts, name: value.astype(np.int16)}, possible)
    with pytest.raises(ValueError, match=r"effects must have shape \(16,\)"):
        follow(net, {**acts, "effects": np.zeros(15)}, possible)
    with pytest.raises(ValueError, match="holding must be -1 to 1325"):
        follow(net, acts, possible, 1326)
    with pytest.raises(ValueError, match="not possible at act 1"):
        follow(net, acts, possible, holding_index(card_indices("Kh2c")))
    with pytest.raises(ValueError, match="a board has 0 or 3 to 5 cards"):
        HoldingClasses((1, 2))
    with pytest.raises(ValueError, match="shares must have shape"):
        HoldingClasses((), shares=np.zeros(3))
    for board, shares in (((), None), ((1, 2, 3), income_shares())):
        with pytest.raises(ValueError, match="shares are for holdings before the flop"):
            HoldingClasses(board, shares=shares)
    flop = HoldingClasses((1, 2, 3))
    for board, other in (
        ((1, 2, 4, 5), flop),
        ((1, 2, 3), flop),
        ((1, 2, 3, 4, 5), flop),
        ((1, 2, 3), PREFLOP_HOLDINGS),
    ):
        with pytest.raises(ValueError, match="of the board without its last card"):
            HoldingClasses(board, before=other)
    with pytest.raises(ValueError, match="places must be -1 to 0"):
        factor_offsets(np.zeros((1, 2, 3)), np.ones(2), np.array([[0, 1]], dtype=np.int32), np.empty((1, 3)))
    with pytest.raises(ValueError, match="covariance must have shape"):
        narrow(np.zeros(16), np.zeros((3, 3)), np.zeros(16), np.zeros((1, 3, 16)), np.zeros((1, 3)))
