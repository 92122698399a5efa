"""Tables for programs that learn by playing, against the rules' own state and a textbook of what a seat sees."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pokermodel._core.environment import MAX_HISTORY, MAX_SIZES, Tables
from pokermodel.evaluation import evaluate
from pokermodel.game import BOARD_CARDS, Act, GameSpec, State
from pokermodel.randomness import as_seed_sequence, stream_words

SIZES = (0.0, 0.5, 1.0, math.inf)
GAMES = {
    "limit heads-up": GameSpec.heads_up(1, 2),
    "limit, ten": GameSpec.ring(10, 5, 10),
    "limit, short stacks": replace(GameSpec.ring(4, 1, 2), stacks=(3, 9, 15, 40), antes=(1, 1, 1, 1)),
    "limit, no cap heads-up": replace(GameSpec.ring(2, 1, 2), stacks=(90, 71), cap_heads_up=False),
    "no limit": GameSpec.no_limit(2, 1, 2, stacks=(200, 200)),
    "no limit, side pots": replace(
        GameSpec.no_limit(6, 5, 10, stacks=(1000, 37, 420, 12, 1000, 99)), antes=(1, 1, 1, 1, 1, 1), odd_chips="first"
    ),
    "no limit, the dealer's rules": replace(
        GameSpec.no_limit(3, 50, 100, stacks=(2000, 777, 1500)), min_raise="cumulative", reopening="any"
    ),
    "pot limit, eight": GameSpec.pot_limit(8, 1, 2, stacks=tuple(range(20, 180, 20))),
}


def make_tables(spec, n, *, seed=1, history=6, seat=-1, policies=(), sizes=SIZES, begin=True):
    found = np.array(sizes if not spec.structure.fixed else (0.0,))
    tables = Tables(State(spec), n, found, history, seat, policies, spec.small_bet)
    tables.seed(stream_words(as_seed_sequence(seed), 2 * n).reshape(n, 8))
    if begin:
        assert tables.begin()
    return tables


class Output:
    """The arrays that tables fill."""

    def __init__(self, tables):
        n = tables.tables
        self.rewards, self.ended, self.payoffs = np.empty(n), np.empty(n, np.uint8), np.empty((n, tables.players))
        self.observations = np.full((n, tables.width), np.nan, np.float32)
        self.final = self.observations.copy()
        self.masks, self.seats = np.empty((n, tables.actions), np.int8), np.empty(n, np.int8)

    def look(self, tables):
        tables.observe(0, tables.tables, self.observations, self.masks, self.seats)

    def step(self, tables, actions, mode="SameStep", final=None):
        return tables.step(actions, 0, tables.tables, mode, *self.arrays, final)

    @property
    def arrays(self):
        return self.rewards, self.ended, self.payoffs, self.observations, self.masks, self.seats


class Follower:
    """Follows a hand with the rules' state: what is legal, what each action means, what is seen, who wins."""

    def __init__(self, spec, cards, sizes=SIZES, history=6):
        self.spec, self.sizes, self.history = spec, sizes, history
        self.holdings, self.board = cards
        self.state = State(spec)
        self.acts = []
        antes = spec.antes or (0,) * spec.players
        posted = [
            chips - min(ante, start)
            for chips, ante, start in zip(
                self.state.committed, antes, spec.stacks or (math.inf,) * spec.players, strict=True
            )
        ]
        self.put = [posted] + [[0] * spec.players for _ in range(3)]

    def actions(self):
        """What can be chosen: the act and its amount, by number."""
        legal = self.state.legal()
        found = {int(act): (act, None) for act in legal if act != Act.RAISE}
        if Act.RAISE not in legal:
            return found
        least, most = self.state.raise_range()
        if self.spec.structure.fixed:
            return found | {2: (Act.RAISE, least)}
        level = max(self.state.committed[k] - self.dead(k) for k in range(self.spec.players)) - self.state.round_base
        level = max(level, max(self.spec.blinds) if self.state.round == 0 else 0)
        own = self.state.committed[self.state.seat] - self.dead(self.state.seat) - self.state.round_base
        pot = self.state.pot + level - own
        amounts = []
        for number, size in enumerate(self.sizes, 2):
            to = most if math.isinf(size) else min(max(level + int(size * pot), least), most)
            if to not in amounts:
                found[number] = Act.RAISE, to
            amounts.append(to)
        return found

    def dead(self, seat):
        ante = self.spec.antes[seat] if self.spec.antes else 0
        return min(ante, self.spec.stacks[seat]) if self.spec.stacks else ante

    def do(self, act, to):
        seat, number = self.state.seat, self.state.round
        self.put[number][seat] += self.state.act(act, to)
        self.acts.append((seat, int(act)))
        if self.state.round != number:
            self.acts = []

    def seen(self, seat):
        """What a seat sees, spelt out."""
        n, unit, state = self.spec.players, self.spec.small_bet, self.state
        order = [(seat + k) % n for k in range(n)]
        cards, board, number, own = np.zeros(52), np.zeros(52), np.zeros(4), np.zeros(n)
        cards[[*self.holdings[seat]]] = 1
        board[[*self.board[: BOARD_CARDS[state.round]]]] = 1
        number[state.round] = own[seat] = 1
        num_bets = state.situation(seat)[5] if seat in state.active and not state.over else None
        stacks = [0 if state.stacks[k] is None else state.stacks[k] / unit for k in order]
        put = [row[k] / unit for row in self.put for k in order]
        acts = np.zeros((self.history, 4))
        for k, (who, act) in enumerate(self.acts[::-1][: self.history]):
            acts[k, 0], acts[k, 1 + act] = (who - seat) % n, 1
        rest = [state.pot / unit, state.to_call / unit if state.seat == seat else 0, num_bets]
        parts = [cards, board, number, own, rest, stacks, [k in state.active for k in order], put, acts.ravel()]
        return np.concatenate([np.array(part, dtype=np.float64) for part in parts])

    def payoffs(self):
        if not self.state.showdown:
            return self.state.payoffs()
        return self.state.payoffs([evaluate([*self.board, *holding]) for holding in self.holdings])


@pytest.mark.parametrize("name", GAMES)
def test_hands_are_those_of_the_rules(name):
    """Masks, amounts, observations and payoffs of random hands at many tables, each followed with `State`."""
    spec, n, rng = GAMES[name], 40, np.random.default_rng(1)
    tables = make_tables(spec, n)
    out, hands = Output(tables), 0
    follow = [Follower(spec, tables.cards(k)) for k in range(n)]
    while hands < 300:
        out.look(tables)
        actions = np.empty(n, np.int64)
        for k, hand in enumerate(follow):
            known = hand.actions()
            assert out.masks[k].nonzero()[0].tolist() == sorted(known)
            assert out.seats[k] == hand.state.seat == tables.turn(k)[0]
            if k < 6:
                np.testing.assert_allclose(out.observations[k], hand.seen(hand.state.seat), rtol=1e-6)
            actions[k] = rng.choice([*known])
            if Act.FOLD in known and rng.random() < 0.5:
                actions[k] = Act.CALL  # so that more hands see the river
        assert tables.first_illegal(actions, True) == -1
        turns = out.seats.copy()
        assert out.step(tables, actions, final=out.final)
        for k, hand in enumerate(follow):
            hand.do(*hand.actions()[actions[k]])
            assert bool(out.ended[k]) == hand.state.over
            if not hand.state.over:
                assert out.rewards[k] == 0
                assert not out.payoffs[k].any()
                continue
            hands += 1
            expected = np.array(hand.payoffs()) / spec.small_bet
            assert out.payoffs[k].tolist() == expected.tolist()
            assert out.rewards[k] == expected[turns[k]]
            seen = hand.seen(turns[k])
            seen[np.isnan(seen)] = out.final[k][np.isnan(seen)]  # bets of a round that is over
            np.testing.assert_allclose(out.final[k], seen, rtol=1e-6)
            follow[k] = Follower(spec, tables.cards(k))


def test_as_many_as_a_deck_serves():
    spec = GameSpec.ring(23, 1, 2)
    tables = make_tables(spec, 20, history=MAX_HISTORY)
    out, follow = Output(tables), [Follower(spec, tables.cards(k), history=MAX_HISTORY) for k in range(20)]
    for number in range(4 * 23):
        out.look(tables)
        np.testing.assert_allclose(out.observations[0], follow[0].seen(follow[0].state.seat), rtol=1e-6)
        out.step(tables, np.ones(20, np.int64))
        for hand in follow:
            hand.do(Act.CALL, None)
        assert bool(out.ended.all()) == bool(out.ended.any()) == (number == 4 * 23 - 1)
    for won, hand in zip(out.payoffs.tolist(), follow, strict=True):
        assert won == [chips / 2 for chips in hand.payoffs()]


def test_single_tables_do_the_same():
    """`choose` and `act` walk the hands that `step` does."""
    spec = GAMES["no limit, side pots"]
    many, one, rng = make_tables(spec, 1), make_tables(spec, 1), np.random.default_rng(1)
    out, observation, mask = Output(many), np.empty(many.width, np.float32), np.empty(many.actions, np.int8)
    for _ in range(300):
        out.look(many)
        legal = one.view(0, out.seats[0], observation, mask)
        assert legal == one.legal(0) == sum(1 << k for k in mask.nonzero()[0].tolist())
        np.testing.assert_array_equal(observation, out.observations[0])
        np.testing.assert_array_equal(mask, out.masks[0])
        action = int(rng.choice(mask.nonzero()[0]))
        out.step(many, np.array([action]))
        copy = one.state(0)
        seat, act, to, then = one.choose(0, action)
        assert (seat, act) == (copy.seat, min(action, 2))
        copy.act(Act(act), to if act == Act.RAISE else None)
        assert then == copy.seat == one.turn(0)[0]
        if then < 0:
            assert out.payoffs[0].tolist() == (np.array(one.payoffs(0)) / spec.small_bet).tolist()
            one.begin()
        elif Act.RAISE in copy.legal() and rng.random() < 0.2:
            least, most = copy.raise_range()
            with pytest.raises(ValueError, match=f"cannot raise to {most + 1}: expected {least} to {most}"):
                one.act(0, Act.RAISE, most + 1)


def play(tables, steps, first=0, end=None):
    out = Output(tables)
    end = tables.tables if end is None else end
    actions, told = np.empty(tables.tables, np.int64), []
    for _ in range(steps):
        tables.sample(actions)
        tables.step(actions, first, end, "SameStep", *out.arrays)
        told.append((out.payoffs[first:end].copy(), out.observations[first:end].copy()))
    return told


def test_a_table_depends_on_its_number_and_the_seed_alone():
    spec = GAMES["no limit"]
    few, many, apart = (make_tables(spec, n) for n in (5, 9, 9))
    for one, other in zip(play(few, 30), play(many, 30), strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b[:5])
    play(apart, 30, 0, 4)  # the others stand still
    assert apart.cards(2) == many.cards(2)
    again = make_tables(spec, 5)
    assert again.cards(4) == make_tables(spec, 9).cards(4) != make_tables(spec, 9, seed=2).cards(4)


def test_cards_do_not_depend_on_what_is_done():
    spec = GAMES["limit, ten"]
    folding, calling = (make_tables(spec, 1) for _ in range(2))
    for _ in range(50):
        assert folding.cards(0) == calling.cards(0)
        while folding.choose(0, Act.FOLD)[3] >= 0:
            pass
        while calling.choose(0, Act.CALL)[3] >= 0:
            pass
        folding.begin()
        calling.begin()


def test_every_card_comes_everywhere():
    tables = make_tables(GameSpec.ring(3, 1, 2), 1)
    counts, deals = np.zeros((11, 52)), 4_000
    for _ in range(deals):
        holdings, board = tables.cards(0)
        cards = [*np.ravel(holdings), *board]
        assert len(set(cards)) == 11
        counts[6:, :][np.arange(5), cards[6:]] += 1
        for seat in range(3):
            counts[2 * seat, [*holdings[seat]]] += 0.5
        tables.begin()
    expected = deals / 52
    for row in (0, 2, 4, *range(6, 11)):
        chi = ((counts[row] - expected) ** 2 / expected).sum()
        assert 20 < chi < 100  # 51 degrees of freedom; of two cards less


def test_opponents_that_need_no_chance():
    """Call and raise do what they say, in every place, and the learner sits where it should."""
    for name in ("limit, ten", "no limit, side pots", "limit, short stacks"):
        spec = GAMES[name]
        n = spec.players
        policies = ["call" if place % 2 else "raise" for place in range(1, n)]
        tables = make_tables(spec, 1, policies=policies)
        out, actions = Output(tables), np.zeros(1, np.int64)
        learner, follower = 0, Follower(spec, tables.cards(0))
        for _ in range(150):
            assert tables.turn(0)[1] == learner
            others(follower, learner, policies)
            if follower.state.over:  # all-in before its turn
                pytest.fail("a hand without a decision was handed out")
            out.look(tables)
            np.testing.assert_allclose(out.observations[0], follower.seen(learner), rtol=1e-6)
            tables.sample(actions)
            out.step(tables, actions, "NextStep")
            follower.do(*follower.actions()[actions[0]])
            others(follower, learner, policies)
            assert bool(out.ended[0]) == follower.state.over
            if follower.state.over:
                expected = np.array(follower.payoffs()) / spec.small_bet
                assert out.payoffs[0].tolist() == expected.tolist()
                assert out.rewards[0] == expected[learner]
                out.step(tables, actions, "NextStep")
                assert (out.ended[0], out.rewards[0]) == (0, 0)
                hands, won = np.empty(1, np.int64), np.empty(1)
                tables.skipped(hands, won)
                learner = (learner - 1 - int(hands[0])) % n
                follower = Follower(spec, tables.cards(0))


def others(follower, learner, policies):
    state, n = follower.state, follower.spec.players
    while not state.over and state.seat != learner:
        raises = policies[(state.seat - learner) % n - 1] == "raise" and Act.RAISE in state.legal()
        follower.do(Act.RAISE if raises else Act.CALL, state.raise_range()[0] if raises else None)


def test_frequencies_are_kept():
    """One action of each row, and shares of three."""
    spec, n = GameSpec.heads_up(1, 2), 4000
    rows = np.zeros((169, 4, 3, 3), np.float32)
    rows[...] = (0, 1, 0)
    rows[:, 0, 1] = (0.2, 0.5, 0.3)
    tables = make_tables(spec, n, seat=1, policies=[rows])
    hands, won = np.empty(n, np.int64), np.empty(n)
    tables.skipped(hands, won)
    np.testing.assert_array_equal(won, 0.5 * hands)  # the small blind folded
    raised = np.array([tables.state(k).to_call > 0 for k in range(n)]).mean()
    assert hands.sum() / (n + hands.sum()) == pytest.approx(0.2, abs=0.03)
    assert raised == pytest.approx(0.3 / 0.8, abs=0.03)
    nothing = make_tables(spec, 10, seat=0, policies=[np.zeros((169, 4, 3, 3), np.float32)])
    out = Output(nothing)
    assert out.step(nothing, np.full(10, 2))
    assert not out.ended.any()  # it called


def test_frequencies_by_class():
    rows = np.zeros((169, 4, 3, 3), np.float32)
    rows[..., 0] = 1  # folds to everything
    rows[:13:14] = rows[14::14] = (0, 0, 1)  # but raises with pairs
    rows[0] = (0, 0, 1)
    tables = make_tables(GameSpec.heads_up(1, 2), 300, seat=1, policies=[rows])
    for k in range(300):
        (one, other), _ = tables.cards(k)[0][0], None
        assert one // 4 == other // 4


def test_random_opponents_choose_every_action_alike():
    spec, n = GAMES["no limit"], 4000
    tables = make_tables(spec, n, seat=1, policies=["random"])
    seen = {tables.state(k).to_call for k in range(n)}
    counts = {to: sum(tables.state(k).to_call == to for k in range(n)) for to in seen}
    assert sorted(counts) == [0, 2, 4, 198]  # a call, and raises to 4 (twice the big blind, half the pot), 6 and all-in
    assert max(counts.values()) < 1.15 * n / 4


def test_hands_that_never_come_to_the_learner():
    """Everybody folds to the big blind, always: said at the beginning and after a step."""
    folds = np.zeros((169, 4, 3, 3), np.float32)
    folds[..., 0] = 1
    spec = GameSpec.ring(3, 1, 2)
    tables = make_tables(spec, 2, seat=1, policies=[folds, folds], begin=False)
    assert not tables.begin()
    assert tables.legal(0) == 0
    rotating = make_tables(spec, 3, policies=[folds, folds])
    hands, won = np.empty(3, np.int64), np.empty(3)
    rotating.skipped(hands, won)
    assert hands.tolist() == [0, 1, 0]  # the second table began in the big blind
    assert won.tolist() == [0, 0.5, 0]


def test_modes():
    spec = GameSpec.heads_up(1, 2)
    folds = np.zeros(1, np.int64)
    tables = make_tables(spec, 1)
    out = Output(tables)
    out.step(tables, folds, "Disabled")
    assert out.ended[0]
    assert tables.legal(0) == 0
    assert tables.first_illegal(folds, True) == 0
    assert tables.first_illegal(folds, False) == -1
    before = tables.cards(0)
    out.step(tables, folds, "Disabled")
    assert (out.ended[0], out.rewards[0], tables.cards(0)) == (0, 0, before)
    assert tables.begin(np.zeros(1, np.uint8))
    assert tables.cards(0) == before
    assert tables.begin(np.ones(1, np.uint8))
    assert tables.cards(0) != before
    assert tables.turn(0)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "1 table or more"),
        ({"sizes": ()}, "1 to 30 sizes"),
        ({"sizes": np.arange(MAX_SIZES + 1.0)}, "1 to 30 sizes"),
        ({"sizes": (0.5, 0.5)}, "ascending"),
        ({"sizes": (-0.5,)}, "0 or more"),
        ({"sizes": (math.nan,)}, "0 or more"),
        ({"history": -1}, "history must be 0 to 64"),
        ({"history": MAX_HISTORY + 1}, "history must be 0 to 64"),
        ({"seat": 2}, "no seat 2, expected 0 to 1"),
        ({"policies": ["call", "call"]}, "1 opponents or none, got 2"),
        ({"policies": ["loki1"]}, "unknown policy 'loki1'"),
        ({"policies": [np.zeros((169, 4, 3, 3), np.float32)]}, r"shape \(169, 4, 3, 6\)"),
        ({"spec": GameSpec.no_limit(2, 1, 2)}, "what stacks there are"),
        ({"spec": GameSpec.no_limit(2, 1, 2, stacks=(1, 1))}, "nothing to decide"),
    ],
)
def test_games_that_are_refused(arguments, message):
    spec, n = arguments.pop("spec", GAMES["no limit"]), arguments.pop("n", 1)
    with pytest.raises(ValueError, match=message):
        make_tables(spec, n, begin=False, **arguments)


def test_arguments_that_are_refused():
    tables = make_tables(GAMES["no limit"], 2)
    out, actions = Output(tables), np.ones(2, np.int64)
    small = np.empty(1, np.int64)
    seen = (out.observations, out.masks, out.seats)
    calls = [
        lambda: tables.seed(np.zeros((2, 4), np.uint64)),
        lambda: tables.begin(np.zeros(3, np.uint8)),
        lambda: tables.first_illegal(small, True),
        lambda: tables.step(small, 0, 2, "SameStep", *out.arrays),
        lambda: tables.step(actions, 0, 3, "SameStep", *out.arrays),
        lambda: tables.step(actions, 1, 0, "SameStep", *out.arrays),
        lambda: tables.step(actions, 0, 2, "SameStep", out.rewards, out.ended, np.empty((2, 3)), *seen),
        lambda: tables.step(actions, 0, 2, "SameStep", *out.arrays, np.empty((2, 3), np.float32)),
        lambda: tables.step(actions, 0, 2, "SameStep", *out.arrays[:5], out.seats[:1]),
        lambda: tables.observe(0, 3, out.observations, out.masks, out.seats),
        lambda: tables.observe(0, 2, out.final[:, :-1].copy(), out.masks, out.seats),
        lambda: tables.observe(0, 2, out.observations, out.masks[:1], out.seats),
        lambda: tables.observe(0, 2, out.observations, out.masks, out.seats[:1]),
        lambda: tables.sample(small),
        lambda: tables.skipped(small, out.rewards),
        lambda: tables.turn(2),
        lambda: tables.cards(-1),
        lambda: tables.choose(0, 6),
        lambda: tables.choose(0, -1),
        lambda: tables.act(0, 3),
        lambda: tables.view(0, 2, out.observations[0], out.masks[0]),
        lambda: tables.view(0, 0, out.observations[0][1:], out.masks[0]),
        lambda: tables.view(0, 0, out.observations[0], out.masks[0][1:]),
        lambda: tables.payoffs(0),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"must have|expected|there is no|there are no|not legal|cannot|not over"):
            call()
    tables.choose(0, Act.FOLD)
    for call in (lambda: tables.choose(0, 1), lambda: tables.act(0, 1)):
        with pytest.raises(ValueError, match="the hand is over"):
            call()
