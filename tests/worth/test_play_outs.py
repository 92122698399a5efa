"""Play-outs: beside what is known exactly, and that nothing is chosen by what it is measured on."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.play_outs import LATER_BASIS, LATER_KINDS, LaterActs
from pokermodel.cards import holding_index
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.reading.features import BettingHistory
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.worth import play_outs
from pokermodel.worth.answers import LEAST_PRICE
from pokermodel.worth.myopic import myopic_verdict
from pokermodel.worth.play_outs import LONGEST, NO_RAKE, OF_POT, LaterRule, PlayOuts, Rake, along, joint_draws

BOARD = pm.cards.card_indices("2c7d9hJsQd")
CARDS = (0, 3, 4, 5)


def reader_of(*texts):
    """The adaptive reader; everybody holds one of these, if there are any."""
    reader = make_reader(reader_kinds()["adaptive"])
    if texts:
        table = np.zeros(1326)
        for text, weight in texts:
            table[holding_index(text)] = weight
        reader.prior = lambda player: table
    return reader


def spot_of(spec, holding, street, reader=None, board=BOARD):
    """The spot of the hero, who acts first after the flop, on a street to which everybody checked or called."""
    names, seat = tuple(f"p{k}" for k in range(spec.players)), spec.first[1]
    session = OpponentModeler(reader or "adaptive")
    session.start(names)
    state, index = State(spec), 0
    while state.round < street or state.seat != seat:
        situation = Situation.of(state, names, board[: CARDS[state.round]])
        session.observe(Decision("", "", index, situation, Act.CALL, state.act(Act.CALL)))
        index += 1
    situation = Situation.of(state, names, board[: CARDS[state.round]])
    return session.spot(situation).held(holding, state)


@pytest.mark.parametrize("players", [2, 3])
def test_where_nobody_acts_later_it_is_what_is_known_exactly(players):
    spec = GameSpec.no_limit(players, 1, 2, stacks=(12,) * players)
    spot = spot_of(spec, "AcQc", 3)
    exact = myopic_verdict(spot, sizes=(np.inf,), deals=100_000, rng=1).acts[-1]
    assert exact.to == 10
    found = PlayOuts(spot).run([(exact.act, exact.to)], 1, most=8192)
    error = np.hypot(found.errors[0, 0] / 2, exact.error / 2)
    assert found.ev[0] / 2 == pytest.approx(exact.ev, abs=4 * error)
    assert error < 0.1


def nearly_all_in(odds):
    """A chip is left, the opponent has the nuts or nothing. With it: how likely each is, and is bet."""
    spec, nuts, nothing = GameSpec.no_limit(2, 1, 2, stacks=(3, 3)), "Td8d", "4c3c"
    spot = spot_of(spec, "AcQc", 3, reader_of((nuts, odds), (nothing, 1.0)))
    after = spot.state.copy()
    done = Decision("", "", 0, spot.situation, Act.CALL, after.act(Act.CALL))
    asked = Situation.of(after, spot.situation.players, BOARD)
    raises = spot.reader.choices(spot.at(asked, [done]))[:, Act.RAISE]
    tables = spot.likely(1 - spot.situation.seat)
    shares = np.array([tables[holding_index(text)] for text in (nuts, nothing)])
    return spot, shares / shares.sum(), raises[[holding_index(nuts), holding_index(nothing)]]


@pytest.mark.parametrize("odds", [0.2, 60.0])
def test_what_others_hold_is_not_seen(odds):
    """A bet is called or folded with all that they hold, whatever it is in a deal."""
    spot, (nuts, nothing), (bets, bluffs) = nearly_all_in(odds)
    assert spot.situation.pot == 4
    called = 5 * nothing * bluffs - nuts * bets
    exact = 4 * nothing * (1 - bluffs) + max(0.0, called)
    seen = 4 * nothing * (1 - bluffs) + 5 * nothing * bluffs  # who folds to the nuts alone
    found = PlayOuts(spot).run([(Act.CALL, None)], 1, most=8192)
    assert found.ev[0] == pytest.approx(exact, abs=4 * found.errors[0, 0])
    assert (called < 0) == (odds > 1)
    if called < 0:
        assert found.ev[0] < seen - 4 * found.errors[0, 0]


def test_what_came_of_later_acts_is_added_up():
    spot = nearly_all_in(1.0)[0]
    worth = np.zeros((LATER_KINDS, 2, LATER_BASIS))
    worth[:, 0, 0] = 1.0  # calls all
    later = LaterActs(0.7)
    later.decide(worth)
    n, history = 400, BettingHistory(2)
    for decision in spot.acts:
        history.add(decision)
    rng = np.random.default_rng(3)
    holdings = np.full((n, 2), holding_index("AcQc"), dtype=np.int16)
    holdings[:, 1] = rng.choice([holding_index("Td8d"), holding_index("4c3c")], n)
    weights = rng.random(n)
    boards = np.ascontiguousarray(np.broadcast_to(np.array(BOARD, np.uint8), (n, 5)))
    played = spot.reader.actors(spot).play(
        *(spot.state, history, [(int(Act.CALL), None)], boards, holdings, np.arange(n, dtype=np.uint64), 1),
        *(LONGEST, LEAST_PRICE, OF_POT, *NO_RAKE),
        later=later,
        explore=np.full(n, -1, np.int8),
        weights=weights,
    )[:, 1]
    assert set(played.tolist()) == {0.0, 4.0, 5.0, -1.0}
    bet = (played == 5.0) | (played == -1.0)
    assert later.gram[..., 0, 0].sum() == pytest.approx(weights[bet].sum())
    assert later.moment[..., 0].sum() == pytest.approx((weights * played)[bet].sum() / 6)
    kinds = np.argwhere(later.gram[..., 0, 0])
    assert kinds.tolist() == [[(3 * 3 + 1) * 2, 0]]  # the river, a bet, somebody else's, and called


def test_later_acts_are_improved():
    """A set-free overpair is worth more than what is in the pot."""
    spot = spot_of(GameSpec.ring(3, 1, 2), "QcQh", 1)
    found = PlayOuts(spot).run([(Act.CALL, None)], 1, most=4096)
    assert found.ev[0] > spot.situation.pot


@pytest.mark.parametrize("spec", [GameSpec.ring(6, 1, 2), GameSpec.no_limit(6, 1, 2, stacks=(200,) * 6)])
def test_hands_are_told_apart_before_the_flop(spec):
    acts = [(Act.FOLD, None), (Act.CALL, None)]
    names = tuple(f"p{k}" for k in range(6))
    found = []
    for holding in ("AcAd", "7c2d"):
        session, state = OpponentModeler("adaptive"), State(spec)
        session.start(names)
        spot = session.spot(Situation.of(state, names)).held(holding, state)
        found.append(PlayOuts(spot).run(acts, 1, most=4096))
    best, worst = found
    assert best.ev[0] == worst.ev[0] == 0.0
    assert best.ev[1] > 2 + 3 * best.errors[1, 1]
    assert worst.ev[1] < best.ev[1] - 3 * np.hypot(best.errors[1, 1], worst.errors[1, 1])
    assert best.deals == 4096


def test_the_same_seed_gives_the_same_result():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "AhAd", 1)
    acts = [(Act.CALL, None), (Act.RAISE, 300)]
    first, again = (PlayOuts(spot).run(acts, 7, most=1024) for _ in range(2))
    np.testing.assert_array_equal(first.ev, again.ev)
    np.testing.assert_array_equal(first.errors, again.errors)
    assert first.deals == 1024
    assert first.errors[0, 1] == pytest.approx(first.errors[1, 0])
    ended = PlayOuts(spot).run(acts, 7, most=4096, enough=lambda ev, errors: True)
    assert ended.deals == 512


def test_what_was_learnt_is_gone_on_from():
    spot = spot_of(GameSpec.ring(3, 1, 2), "QcQh", 1)
    rule = LaterRule()
    assert rule.empty
    acts = [(Act.CALL, None), (Act.RAISE, None)]
    first, second = (PlayOuts(spot, rule=rule).run(acts, 5, most=512) for _ in range(2))
    assert not rule.empty
    assert (first.ev != second.ev).any()


def test_memory_is_bounded():
    """The betting of ten players has many thousand lines, and no deal leaves anything behind."""
    spot = spot_of(GameSpec.ring(10, 1, 2), "QcQh", 1)
    acts = [(Act.CALL, None), (Act.RAISE, None)]
    rule = LaterRule()
    PlayOuts(spot, rule=rule).run(acts, 0, most=512)
    tracemalloc.start()
    try:
        for seed in range(8):
            PlayOuts(spot, rule=rule).run(acts, seed, most=512)
        left, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8_000_000
    assert left < 200_000


def test_what_it_cannot_play_out():
    spec = GameSpec.ring(2, 1, 2)
    spot = spot_of(spec, "AcQc", 3)
    with pytest.raises(ValueError, match="most"):
        PlayOuts(spot).run([(Act.CALL, None)], 1, most=63)
    with pytest.raises(ValueError, match="nobody says"):
        PlayOuts(Spot.of([Decision("", "", 0, spot.situation, Act.CALL, 0)]).held("AcQc"))
    with pytest.raises(ValueError, match="no holding of p"):
        PlayOuts(spot_of(spec, "AcQc", 3, reader_of(("AcQh", 1.0))))
    with pytest.raises(ValueError, match="share of the pot"):
        LaterActs(0.0)
    with pytest.raises(ValueError, match="coefficients must have shape"):
        LaterActs(0.7).decide(np.zeros((2, 2, LATER_BASIS)))


def test_any_reader_is_played_out():
    """The ranges are the reader's; people who cannot be asked for one holding act as strangers do."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    for reader in ("uniform", "adaptive"):
        spot = spot_of(spec, "AcQc", 3, reader)
        first, again = (PlayOuts(spot).run([(Act.CALL, None), (Act.RAISE, 4)], 7, most=256) for _ in range(2))
        np.testing.assert_array_equal(first.ev, again.ev)
        assert first.ev.min() > 0


def test_rake_is_taken():
    spot = spot_of(GameSpec.no_limit(2, 1, 2, stacks=(60, 90)), "AcQc", 3)
    acts = [(Act.CALL, None), (Act.RAISE, 4)]
    free, raked, capped = (
        PlayOuts(spot, rake=rake).run(acts, 7, most=256) for rake in (NO_RAKE, Rake(0.1), Rake(0.1, cap=0.01))
    )
    assert (raked.ev < free.ev).all()
    assert (capped.ev > raked.ev).all()


def test_nothing_is_worth_less_than_giving_up_next():
    """Whatever is learnt of later actions, a call costs what it puts in at most."""
    spec, names = GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6), tuple(f"p{k}" for k in range(6))
    session, state = OpponentModeler("adaptive"), State(spec)
    session.start(names)
    session.observe(Decision("", "", 0, Situation.of(state, names), Act.RAISE, state.act(Act.RAISE, 300)))
    spot = session.spot(Situation.of(state, names)).held("7c2d", state)
    found = PlayOuts(spot).run([(Act.FOLD, None), (Act.CALL, None), (Act.RAISE, 900)], 3, most=512)
    costs = np.array([0.0, -300.0, -900.0])
    for values in (found.ev, *found.chosen, *found.measured):
        assert (values >= costs).all()
    assert found.ev[0] == 0.0


def test_opponents_are_drawn_jointly():
    spot = spot_of(GameSpec.no_limit(3, 1, 2, stacks=(60,) * 3), "KdJh", 3)
    up = np.nan_to_num(2 * spot.analysis.uniform_strengths - 1)
    acts, others = [(Act.FOLD, None), (Act.CALL, None)], [seat for seat in range(3) if seat != spot.situation.seat]
    plain, tilted = (PlayOuts(spot, tilts).run(acts, 1, most=512) for tilts in (None, dict.fromkeys(others, up)))
    np.testing.assert_array_equal(plain.ev, tilted.ev)
    strong = joint_draws(2)[:, :2].sum(axis=1)
    assert np.corrcoef(strong, tilted.draws[:, 1])[0, 1] < -0.5  # stronger ranges leave less
    assert tilted.draws[:, 0].std() == 0.0
    assert tilted.draws[:, 1].std() > plain.draws[:, 1].std()


def test_later_acts_may_be_those_that_the_reader_expects():
    spot = spot_of(GameSpec.ring(3, 1, 2), "QcQh", 1)
    check = [(Act.CALL, None)]
    plain = PlayOuts(spot, improved=False).run(check, 1, most=4096)
    found = PlayOuts(spot).run(check, 1, most=4096)
    assert found.ev[0] > plain.ev[0] + 2 * np.hypot(found.errors[0, 0], plain.errors[0, 0])
    assert plain.deals == 4096


def test_joint_draws_are_deviations():
    for opponents in (1, 5):
        z = joint_draws(opponents)
        assert z.shape[1] == opponents + 2
        np.testing.assert_allclose(z.mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(z.std(axis=0), 1.0)
    np.testing.assert_allclose(along(np.array([1.0, 2.0, 5.0]), np.array([-1.0, 0.0, 1.0])), [1.0, 2.0, 5.0])


def test_a_bluff_is_worth_more_where_others_fold_more():
    spot = spot_of(GameSpec.no_limit(2, 1, 2, stacks=(60, 90)), "3c3d", 3)
    found = PlayOuts(spot).run([(Act.CALL, None), (Act.RAISE, 4)], 5, most=512)
    assert found.answers[1] > 0.05
    assert abs(found.answers[0]) < found.answers[1]
    assert PlayOuts(spot).run([(Act.FOLD, None)] * 2, 5, most=64).answers.tolist() == [0.0, 0.0]


def test_aces_that_limp_are_worth_more_where_others_raise_more():
    """So a hand that waits for a raise has an error of how often others raise."""
    spec, names = GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6), tuple(f"p{k}" for k in range(6))
    session, state = OpponentModeler("adaptive"), State(spec)
    session.start(names)
    found = {}
    for cards in ("AsAh", "7h2c"):
        spot, moved = session.spot(Situation.of(state, names)).held(cards, state), []
        for seed in range(4):
            of = PlayOuts(spot).run([(Act.CALL, None)], seed, most=512)
            folds, raises = np.linalg.lstsq(joint_draws(5)[:, -2:], of.draws - of.ev, rcond=None)[0]
            np.testing.assert_allclose(folds, of.answers, atol=1e-6)
            moved.append(raises[0])
        found[cards] = np.mean(moved)
    assert found["AsAh"] > 60  # chips of a blind of 100
    assert found["AsAh"] > abs(found["7h2c"]) + 40


def test_what_the_kernel_refuses():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, "AcQc", 3)
    actors, history = spot.reader.actors(spot), BettingHistory(2)
    held = np.array([[holding_index("AcQc"), holding_index("3d3h")]], dtype=np.int16)
    right = {
        "state": spot.state, "betting": history, "acts": [(1, None)], "boards": np.array([BOARD], dtype=np.uint8),
        "holdings": held, "numbers": np.zeros(1, dtype=np.uint64), "key": 1, "longest": 4, "least_price": 0.1,
        "of_pot": OF_POT, "rake": 0.0, "cap": np.inf,
    }  # fmt: skip
    assert actors.play(**right).shape == (1, 2)
    other = State(GameSpec.no_limit(3, 1, 2))
    limit = State(GameSpec.heads_up(5, 10))
    for name, value, words in [
        ("state", other, "seats"),
        ("state", limit, "structure"),
        ("acts", [(2, 3_000)], "a raise goes to"),
        ("acts", [(3, None)], "not legal"),
        ("acts", [(1, None)] * 65, "64 acts"),
        ("boards", np.zeros((1, 5), dtype=np.uint8), "no board"),
        ("boards", np.zeros((1, 4), dtype=np.uint8), "boards"),
        ("holdings", held[:, :1].copy(), "holdings"),
        ("holdings", np.full((1, 2), 1326, dtype=np.int16), "a holding must be"),
        ("holdings", np.full((1, 2), holding_index("AcQc"), dtype=np.int16), "meet"),
        ("numbers", np.zeros(2, dtype=np.uint64), "numbers"),
        ("of_pot", OF_POT[1:].copy(), "of_pot"),
        ("fold_odds", 0.0, "odds"),
        ("raise_odds", 0.0, "odds"),
    ]:
        with pytest.raises(ValueError, match=words):
            actors.play(**{**right, name: value})


def test_a_rule_that_is_behind_for_every_action_is_left(monkeypatch):
    """Nothing is lost by that: what decides is the best rule, and plain ones cost as much as it does."""
    spot = spot_of(GameSpec.no_limit(3, 1, 2, stacks=(200,) * 3), "AcAd", 0)
    acts = [(Act.CALL, None), (Act.RAISE, 6)]
    found = PlayOuts(spot).run(acts, 3, most=2048)
    settled, rules = play_outs._settled, []

    def kept(sums, share, costs):
        found, behind = settled(sums, share, costs)
        rules.append(len(behind))
        return found, np.zeros_like(behind)

    monkeypatch.setattr(play_outs, "_settled", kept)
    whole = PlayOuts(spot).run(acts, 3, most=2048)
    assert set(rules) == {3}
    np.testing.assert_array_equal(found.ev, whole.ev)
    np.testing.assert_array_equal(found.errors, whole.errors)
    np.testing.assert_array_equal(found.draws, whole.draws)
