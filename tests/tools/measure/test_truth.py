"""What actions are truly worth against players of known policy."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("Cython", reason="Cython is not installed")
pytest.importorskip("setuptools", reason="setuptools is not installed")

from pokermodel.cards import card_indices, holding_index
from pokermodel.evaluation import evaluate
from pokermodel.game import Act, GameSpec, Hand, State
from pokermodel.tables.arena.hand import Deal, play_hand
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, Player, View
from tools.measure.compiled import known
from tools.measure.generated import HERO, PAIRS, POLICIES, Facing, Policy, Session, pick, strengths
from tools.measure.truth import LATER, SURE, PlayedOn, draw, likelihoods

FOLD, CALL, RAISE = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.no_limit(2, 50, 100, stacks=(10_000, 10_000))
BOARD = "Kh9h4cQd2s"
CHECKED = [(0, CALL), (1, CALL), *((1, CALL), (0, CALL)) * 2]


def bet(cards: str, made: Act, board: str = BOARD) -> Hand:
    """Nobody bets before the river; there the opponent bets half the pot, and the hero answers."""
    answer = [(0, RAISE, False, 500), (1, FOLD)] if made == RAISE else [(0, made)]
    return Hand("t", "1", SPEC, ["Robin", "Blake"], [*CHECKED, (1, RAISE, False, 100), *answer], board, {0: cards})


def played_on(hand: Hand, policy: str = "loose-aggressive") -> PlayedOn:
    return PlayedOn(hand, 7, {1: POLICIES[policy]})


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


class Scripted(Player):
    """Repeats what was done in a hand up to a decision, and then goes by a policy and given random numbers."""

    structures = ALL_STRUCTURES

    def __init__(self, done: list[Answer], policy: Policy, numbers: list[float]) -> None:
        self.done, self.policy, self.numbers = list(done), policy, list(numbers)

    def act(self, view: View) -> Answer:
        if self.done:
            return self.done.pop(0)
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
            rest = PlayedOn(hand, place, policies)
            deals = rest.deals(4, np.random.default_rng(place))
            found = rest.table(deals, dict.fromkeys(rest.options, LATER), drawn=True)
            for k, board in enumerate(deals.boards.tolist()):
                for option, values in zip(rest.options, found, strict=True):
                    for way, later in enumerate(LATER):
                        players = []
                        for seat in range(len(hand.players)):
                            done = [Answer(each.act, each.to) for each in before[:place] if each.seat == seat]
                            done += [Answer(*option)] * (seat == rest.hero)
                            players.append(Scripted(done, policies.get(seat, later), deals.at[k, seat].tolist()))
                        deal = Deal(tuple(PAIRS[each] for each in deals.held[k]), tuple(board))
                        won = play_hand(hand.spec, hand.players, players, deal).payoffs[rest.hero]
                        assert values[k, way] == pytest.approx((won + rest.begun) / rest.unit, abs=0.02)
                        compared += 1
    assert compared > 1000


def test_folds_that_count_by_their_chance_leave_the_mean() -> None:
    session = Session(100, 16)
    hand = next(hand for hand in session.play() if any(each.player == HERO and each.round for each in hand.replay()))
    policies = {k: POLICIES[session.opponents[name]] for k, name in enumerate(hand.players) if name != HERO}
    rest = PlayedOn(hand, [each.index for each in hand.replay() if each.player == HERO][-1], policies)
    deals, laters = rest.deals(8192, np.random.default_rng(1)), dict.fromkeys(rest.options, LATER[2:3])
    for drawn, counted in zip(rest.table(deals, laters, drawn=True), rest.table(deals, laters), strict=True):
        off = (drawn - counted)[:, 0]
        assert abs(off.mean()) <= 4.0 * off.std() / len(off) ** 0.5
        assert counted.std() <= 1.01 * drawn.std()


@pytest.mark.parametrize(("cards", "more"), [("9h9d", 2.0), ("KdTd", 1.5)])
def test_the_hero_learns_how_to_go_on_against_people_who_raise_again(cards: str, more: float) -> None:
    """A maniac raises a re-raise six times in ten: none of the policies of `LATER` answers that well."""
    made = [(0, RAISE, False, 300), (1, RAISE, False, 750), (0, FOLD)]
    rest = PlayedOn(Hand("t", "1", SPEC, ["Blake", "Robin"], made, "", {1: cards}), 1, {0: POLICIES["maniac"]})
    rng = np.random.default_rng(1)
    ways = (*LATER, rest.rule(rng))
    values = dict(zip(rest.options, rest.table(rest.deals(4096, rng), dict.fromkeys(rest.options, ways)), strict=True))
    found = values[RAISE, 750]
    best = int(np.argmax(found[:, :-1].mean(axis=0)))
    assert (found[:, -1] - found[:, best]).mean() > more
    truth = rest.measure(rng, looks=(4096,))
    assert truth.values[truth.options.index([RAISE, 750])] == pytest.approx(found[:, -1].mean(), abs=3.0)


@pytest.mark.parametrize(("call", "way"), [(-1.0, 0), (1.0, 1)])
def test_rules_that_never_raise_are_the_plain_policies(call: float, way: int) -> None:
    rule = np.zeros(known().SHAPE)
    rule[..., 0] = -1.0
    rule[:, 0, 0] = call
    session = Session(100, 16)
    for hand in session.play()[:6]:
        policies = {k: POLICIES[session.opponents[name]] for k, name in enumerate(hand.players) if name != HERO}
        rest = PlayedOn(hand, next(each.index for each in hand.replay() if each.player == HERO), policies)
        found = rest.table(rest.deals(256, np.random.default_rng(1)), dict.fromkeys(rest.options, (LATER[way], rule)))
        for option, values in zip(rest.options, found, strict=True):
            assert values[:, 1] == pytest.approx(values[:, 0]), option
    with pytest.raises(ValueError, match="a rule has shape"):
        rest.table(rest.deals(4, np.random.default_rng(1)), dict.fromkeys(rest.options, (rule[:2].copy(),)))
