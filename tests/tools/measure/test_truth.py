"""What actions are truly worth against players of known policy."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("Cython", reason="Cython is not installed")
pytest.importorskip("setuptools", reason="setuptools is not installed")

from pokermodel.cards import card_indices, holding_index
from pokermodel.evaluation import evaluate
from pokermodel.game import Act, GameSpec, Hand, State
from pokermodel.reading import OpponentModeler
from pokermodel.reading.adaptive.holdings import made_and_draws, strength_bins
from pokermodel.tables.arena.hand import Deal, play_hand
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, Player, View
from pokermodel.worth.play_outs import OWN_SIZE, PLAIN
from tools.measure.compiled import known
from tools.measure.generated import HERO, PAIRS, POLICIES, Facing, Policy, Session, pick, strengths
from tools.measure.truth import SURE, PlayedOn, draw, likelihoods, rule_of

FOLD, CALL, RAISE = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.no_limit(2, 50, 100, stacks=(10_000, 10_000))
BOARD = "Kh9h4cQd2s"
CHECKED = [(0, CALL), (1, CALL), *((1, CALL), (0, CALL)) * 2]


def bet(cards: str, made: Act, board: str = BOARD) -> Hand:
    """Nobody bets before the river; there the opponent bets half the pot, and the hero answers."""
    answer = [(0, RAISE, False, 500), (1, FOLD)] if made == RAISE else [(0, made)]
    return Hand("t", "1", SPEC, ["Robin", "Blake"], [*CHECKED, (1, RAISE, False, 100), *answer], board, {0: cards})


def played_on(hand: Hand, policy: str = "loose-aggressive") -> PlayedOn:
    return PlayedOn(hand, 7, {1: POLICIES[policy]}, PLAIN[1])


def by_hand(policy: Policy, cards: str) -> tuple[np.ndarray, float]:
    """The opponent's range on the river, and what a call wins in big blinds, by counting all holdings."""
    weights, wins = np.zeros(len(PAIRS)), np.zeros(len(PAIRS))
    board, own = card_indices(BOARD), card_indices(cards)
    hand = bet(cards, CALL)
    mine = evaluate((*board, *own))
    for k, pair in enumerate(PAIRS):
        if set(pair) & {*board, *own}:
            continue
        weights[k] = 1.0
        theirs = evaluate((*board, *pair))
        wins[k] = 3.0 if mine > theirs else 1.0 if mine == theirs else -1.0
    state = State(SPEC)
    for decision in hand.replay():
        if decision.seat == 1:
            facing, seen = Facing.of(state), strengths(decision.board)
            done = facing.options.index((decision.act, decision.to))
            for k in np.flatnonzero(weights):
                weights[k] *= policy.chances(int(k), seen, facing)[done]
        state.act(decision.act, decision.to)
    return weights / weights.sum(), float(weights @ wins / weights.sum())


@pytest.mark.parametrize("policy", ["loose-aggressive", "fit or fold"])
def test_a_call_on_the_river_is_worth_what_counting_says(policy: str) -> None:
    hand = bet("KsJc", CALL)
    range_, worth = by_hand(POLICIES[policy], "KsJc")
    rest = played_on(hand, policy)
    found = draw(rest.weights, (*rest.cards, *rest.board), 20_000, np.random.default_rng(1))[:, 0]
    shares = np.bincount(found, minlength=len(PAIRS)) / len(found)
    assert np.abs(shares - range_).sum() / 2 < 0.12  # chance makes .08; any two cards would be .3 off
    truth = rest.measure(np.random.default_rng(2), looks=(4096,))
    at = truth.options.index([CALL, None])
    assert truth.values[at] == pytest.approx(worth, abs=0.1)  # three standard errors and more


def test_cards_of_several_players_are_drawn_as_by_counting() -> None:
    rng = np.random.default_rng(1)
    live = [k for k, pair in enumerate(PAIRS) if max(pair) < 6]  # six cards, fifteen holdings
    weights = {seat: np.zeros(len(PAIRS)) for seat in (1, 4)}
    for each in weights.values():
        each[live] = rng.random(len(live))
    exact = {(a, b): weights[1][a] * weights[4][b] for a in live for b in live if not set(PAIRS[a]) & set(PAIRS[b])}
    total = sum(exact.values())
    found = draw(weights, (50, 51), 40_000, rng).tolist()
    assert all(not set(PAIRS[a]) & set(PAIRS[b]) for a, b in found)
    counts = dict.fromkeys(exact, 0)
    for a, b in found:
        counts[a, b] += 1
    assert max(abs(counts[key] / len(found) - exact[key] / total) for key in exact) < 0.004


def test_cards_that_cannot_be_dealt_are_refused() -> None:
    same = np.zeros(len(PAIRS))
    same[holding_index("AsAh")] = 1.0
    with pytest.raises(ValueError, match="that the actions of the opponents leave"):
        draw({0: same, 1: same}, (), 4, np.random.default_rng(1))


def test_planted_blunders_are_true() -> None:
    nuts = played_on(bet("JdTs", FOLD)).measure(np.random.default_rng(1))
    assert nuts.word == "true"
    assert nuts.low > 2.0  # the pot and the bet at least
    board = "AhKhQhJhTh"  # everybody splits: a fold of a share is a blunder, too
    assert played_on(bet("3c2d", FOLD, board)).measure(np.random.default_rng(1)).word == "true"


def test_a_call_that_draws_dead_is_true() -> None:
    truth = played_on(bet("5c3c", CALL), "nit").measure(np.random.default_rng(1))
    assert truth.word == "true"
    assert truth.difference == pytest.approx(1.0, abs=0.4)


def test_a_right_decision_loses_nothing() -> None:
    # to bluff a nit twice gains a little
    for made, cards, policy in ((FOLD, "5c3c", "station"), (RAISE, "JdTs", "nit")):
        truth = played_on(bet(cards, made), policy).measure(np.random.default_rng(1))
        assert truth.low <= 0.0, (made, truth)
        assert truth.lost <= SURE * max(error for _, error in truth.more)


def test_hidden_cards_of_the_hero_are_refused() -> None:
    hand = bet("KsJc", CALL)
    unknown = Hand("t", "1", SPEC, hand.players, hand.actions, BOARD, {})
    with pytest.raises(ValueError, match="the cards of Robin are not known in hand 1"):
        played_on(unknown)


def test_every_range_is_of_cards_that_are_possible() -> None:
    _, _, found = likelihoods(bet("KsJc", CALL), 7, {1: POLICIES["regular"]})
    board = set(card_indices(BOARD))
    assert not any(found[1][k] for k, pair in enumerate(PAIRS) if set(pair) & board)
    with pytest.raises(ValueError, match="has no decision 70"):
        likelihoods(bet("KsJc", CALL), 70, {1: POLICIES["regular"]})


#: The middle of each bin of strength, and what draws count: as ``later_acts.h`` has them.
MIDDLES = (.05, .15, .25, .35, .45, .55, .64, .715, .785, .845, .89, .925, .9525, .975, .99, .9975)  # fmt: skip
DRAWN = (0.0, 0.4, 0.8, 1.0, 1.2, 1.5)


def by_rule(rule: np.ndarray, view: View) -> Answer:
    """What a hero does who goes by a rule."""
    fixed, holding, others = view.situation.spec.structure.fixed, holding_index(view.holding), len(view.opponents)
    raises = [each.seat for each in view.decisions if each.act == Act.RAISE]
    bets = view.situation.bets_to_call if fixed else view.num_bets - (view.round == 0)
    facing = 0 if not view.to_call else 2 if bets > 1 else 1
    kind = (view.round * 3 + facing) * 2 + (raises[-1:] == [view.seat])
    strength = MIDDLES[strength_bins(view.board)[holding]]
    draw = DRAWN[made_and_draws(view.board)[1][holding]] if view.round in (1, 2) else 0.0
    after = view.pot + view.to_call
    on, behind = view.state.copy(), 0
    on.act(Act.CALL)
    while not on.over and on.round == view.round and on.seat != view.seat:
        behind += 1
        on.act(Act.CALL)
    best = strength**others
    seen = [1.0, strength, best, best**3, draw, view.to_call / after, behind / others]
    call, raised = rule[kind] @ seen
    if Act.FOLD in view.legal and max(call, raised if Act.RAISE in view.legal else call) < 0.0:
        return Answer(Act.FOLD)
    if Act.RAISE not in view.legal or raised <= call:
        return Answer(Act.CALL)
    if fixed:
        return Answer(Act.RAISE)
    least, most = view.raise_range
    more = view.to_call + OWN_SIZE * after
    if more > 0.6 * (most - view.in_round):
        return Answer(Act.RAISE, most)
    before = view.committed[view.seat] - view.in_round  # chips of the hand are rounded
    return Answer(Act.RAISE, min(max(round(view.committed[view.seat] + more) - before, least), most))


class Scripted(Player):
    """Repeats what was done in a hand up to a decision, and goes by a policy and given random numbers, or by a rule."""

    structures = ALL_STRUCTURES

    def __init__(self, done: list[Answer], policy: Policy | np.ndarray, numbers: list[float]) -> None:
        self.done, self.policy, self.numbers = list(done), policy, list(numbers)

    def act(self, view: View) -> Answer:
        if self.done:
            return self.done.pop(0)
        if isinstance(self.policy, np.ndarray):
            return by_rule(self.policy, view)
        facing = Facing.of(view.state)
        chances = self.policy.chances(holding_index(view.holding), strengths(view.board), facing)
        return Answer(*facing.options[pick(chances, self.numbers.pop(0))])


@pytest.mark.parametrize("seed", [100, 101])
def test_hands_are_played_on_as_at_the_table(seed: int) -> None:
    """The same cards and random numbers win the same at the arena's table, whatever the hero does."""
    session, compared = Session(seed, 16), 0
    for hand in session.play():
        seats = {name: seat for seat, name in enumerate(hand.players)}
        policies = {seat: POLICIES[session.opponents[name]] for name, seat in seats.items() if name != HERO}
        before = list(hand.replay())
        for place in [each.index for each in before if each.player == HERO][:2]:
            rule = np.random.default_rng(place).normal(size=known().SHAPE)
            rest = PlayedOn(hand, place, policies, rule)
            deals = rest.deals(8, np.random.default_rng(place))
            found = rest.table(deals, drawn=True)
            for k, board in enumerate(deals.boards.tolist()):
                for option, values in zip(rest.options, found[k], strict=True):
                    for way, later in enumerate(rest.rules):
                        players = []
                        for seat in range(len(hand.players)):
                            done = [Answer(each.act, each.to) for each in before[:place] if each.seat == seat]
                            done += [Answer(*option)] * (seat == rest.hero)
                            players.append(Scripted(done, policies.get(seat, later), deals.at[k, seat].tolist()))
                        deal = Deal(tuple(PAIRS[each] for each in deals.held[k]), tuple(board))
                        won = play_hand(hand.spec, hand.players, players, deal).payoffs[rest.hero]
                        assert values[way] == pytest.approx((won + rest.begun) / rest.unit, abs=0.02)
                        compared += 1
    assert compared > 1000


def test_folds_that_count_by_their_chance_leave_the_mean() -> None:
    session = Session(100, 16)
    hand = next(hand for hand in session.play() if any(each.player == HERO and each.round for each in hand.replay()))
    policies = {k: POLICIES[session.opponents[name]] for k, name in enumerate(hand.players) if name != HERO}
    rest = PlayedOn(hand, [each.index for each in hand.replay() if each.player == HERO][-1], policies, PLAIN[1])
    deals = rest.deals(8192, np.random.default_rng(1))
    drawn, counted = (rest.table(deals, drawn=each)[:, :, 1] for each in (True, False))
    off = drawn - counted
    assert (np.abs(off.mean(axis=0)) <= 4.0 * off.std(axis=0) / len(off) ** 0.5).all()
    assert (counted.std(axis=0) <= 1.01 * drawn.std(axis=0)).all()


def test_the_hero_goes_on_by_the_rule_that_play_outs_learn() -> None:
    """A set on the flop is worth more if it is bet later; whoever only calls wins less of a station."""
    made = [(0, CALL), (1, CALL), *((1, CALL), (0, CALL)) * 3]
    hand = Hand("t", "1", SPEC, ["Robin", "Blake"], made, "Kh9h4c7s2d", {0: "9s9d"})
    session = OpponentModeler(hero="Robin")
    session.start(hand.players)
    decisions = list(hand.replay())
    for each in decisions[:3]:
        session.observe(each)
    rule = rule_of(session.spot(decisions[3]).held(hand.holdings[0]))
    rest = PlayedOn(hand, 3, {1: POLICIES["station"]}, rule)
    check = rest.table(rest.deals(4096, np.random.default_rng(1)))[:, rest.options.index(rest.made)].mean(axis=0)
    assert check[2] > check[1] + 1.0
    truth = rest.measure(np.random.default_rng(2), looks=(4096,))
    assert truth.values[rest.options.index(rest.made)] == pytest.approx(check[2], abs=0.5)


def test_other_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="a rule has shape"):
        known().Table({}).play(State(SPEC), -1, [], PLAIN[0][None, :2], 0.7, *[None] * 6)
