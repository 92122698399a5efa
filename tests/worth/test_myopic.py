"""What acts are worth if nobody bets any more, beside brute force that walks the rules."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import card_indices, holding_index
from pokermodel.game import Act, GameSpec, LiveHand, Situation, State
from pokermodel.reading import Expectation, OpponentModeler, Reader
from pokermodel.worth import myopic
from pokermodel.worth.answers import LEAST_PRICE, raise_sizes
from pokermodel.worth.myopic import myopic_verdict
from tests.common.textbook import DECK, Values

BOARD = "2c7d9hJsQd"

VALUES = Values()


class Known(Reader):
    """Every player has a table, and folds to a bet by a number for each holding and size of the pot."""

    reads_sizes = True

    def __init__(self, tables, folds):
        self.tables = tables
        self.folds = folds

    def prior(self, player):
        return self.tables[int(player[1:])]

    def expect(self, spot):
        fold = self.folds(spot.situation)[:, None]
        triples = np.concatenate([fold, 1 - fold, 0 * fold], axis=1)
        return Expectation.of(triples, spot.weights)


def table_of(holdings):
    table = np.zeros(1326)
    for holding, weight in holdings.items():
        table[holding_index(holding)] = weight
    return table


def folds_by_price(situation):
    """More often to large bets, and differently with each holding and seat."""
    share = np.random.default_rng(situation.seat).random(1326)
    return share ** (situation.pot / (situation.pot + 3 * situation.to_call))


def at_the_river(spec, tables, acts=()):
    """A session and a live hand in which everybody has checked to the river, and then did what is said."""
    live = LiveHand(spec, [f"p{k}" for k in range(spec.players)])
    live.deal(BOARD)
    session = OpponentModeler(Known(tables, folds_by_price))
    session.start(live.players)
    while live.state.round < 3:
        session.observe(live.act(Act.CALL))
    for act, to in acts:
        live.act(act, to)
    session.deal(live.dealt)
    return session, live


def brute_force(session, live, holding, act, to):
    """The value of an act in chips: all deals, all answers, each paid out by the rules."""
    hero, board = live.state.seat, live.dealt
    begun = live.state.committed[hero]
    others = [seat for seat in live.state.active if seat != hero]
    mine = card_indices(holding)

    def answers(state, held, chance):
        """End states with their probabilities; whoever is asked folds as after folds of all before."""
        if state.over or state.round < 3:
            yield state, chance
            return
        situation = Situation.of(state, live.players, board)
        if not situation.to_call:
            state.act(Act.CALL)
            yield from answers(state, held, chance)
            return
        fold = folds[state.seat][holding_index(held[state.seat])]
        for answer, part in ((Act.FOLD, fold), (Act.CALL, 1 - fold)):
            after = state.copy()
            after.act(answer)
            yield from answers(after, held, chance * part)

    after = live.state.copy()
    after.act(act, to)
    folds, asking = {}, after.copy()
    while not asking.over:
        situation = Situation.of(asking, live.players, board)
        price = situation.to_call / (situation.pot + situation.to_call)
        folds[asking.seat] = folds_by_price(situation) * min(1, price / LEAST_PRICE)  # nobody folds for nothing
        asking.act(Act.FOLD if situation.to_call else Act.CALL)
    worth = total = 0.0
    ranges = [np.flatnonzero(session.weights(seat)).tolist() for seat in others]
    for indices in itertools.product(*ranges):
        held = {seat: tuple(pm.cards.HOLDING_CARDS[k].tolist()) for seat, k in zip(others, indices, strict=True)}
        cards = [*board, *mine, *itertools.chain(*held.values())]
        if len(set(cards)) < len(cards):
            continue
        weight = np.prod([session.weights(seat)[k] for seat, k in zip(others, indices, strict=True)])
        total += weight
        values = {seat: VALUES([DECK[card] for card in (*board, *of)]) for seat, of in [*held.items(), (hero, mine)]}
        order = sorted(set(values.values()))
        ranks = [order.index(values[seat]) if seat in values else 0 for seat in range(len(live.players))]
        for state, chance in answers(after.copy(), held, 1.0):
            won = state.payoffs(ranks if state.showdown else None)[hero]
            worth += weight * chance * (won + begun)
    return worth / total


def advised(session, live, holding, **options):
    """What acts are worth in the eyes of the player to act."""
    spot = session.spot(Situation.of(live.state, live.players, tuple(live.dealt)))
    return myopic_verdict(spot.held(holding, live.state), **options)


SMALL = {"QsJd": 1.0, "AsKs": 0.8, "9s9c": 0.3, "8d8c": 1.0, "Td8s": 0.6, "6h5h": 2.0, "AhQh": 0.7}
OTHER = {"KhQc": 1.0, "AdQs": 0.5, "JhTh": 0.9, "7h7s": 0.2, "AcKc": 1.5, "Tc8h": 0.4}


@pytest.mark.parametrize("acts", [(), ((Act.RAISE, 6),), ((Act.RAISE, 6), (Act.RAISE, 20))])
def test_against_one_opponent_it_is_exact(acts):
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    session, live = at_the_river(spec, [table_of(SMALL), table_of(SMALL)], acts)
    for holding in ("AcQc", "Ts8c", "KdJh", "3h3s"):
        found = advised(session, live, holding)
        for each in found.acts:
            expected = 0.0 if each.act == Act.FOLD else brute_force(session, live, holding, each.act, each.to) / 2
            assert each.ev == pytest.approx(expected, abs=1e-12), (holding, each)
            assert each.error == 0
        best = max(each.ev for each in found.acts)
        assert found.best.ev == best
        judged = found.judge(found.acts[0].act)
        assert (judged.loss, judged.loss_error) == (best - found.acts[0].ev, 0.0)


@pytest.mark.parametrize("antes", [(), (1, 1, 1)])
@pytest.mark.parametrize("acts", [(), ((Act.RAISE, 8),), ((Act.RAISE, 8), (Act.CALL, None))])
def test_against_several_by_deals(acts, antes):
    """With side pots: the stacks differ."""
    spec = GameSpec((1, 2, 0), (2, 2, 2, 2), (2, 0, 0, 0), antes=antes, structure="no limit", stacks=(40, 11, 25))
    session, live = at_the_river(spec, [table_of(SMALL), table_of(OTHER), table_of(SMALL)], acts)
    found = advised(session, live, "AcQc", deals=20_000, rng=1)
    for each in found.acts:
        if each.act == Act.FOLD:
            continue
        expected = brute_force(session, live, "AcQc", each.act, each.to) / 2
        assert abs(each.ev - expected) < 2 * each.error < 0.5, each


def test_limit_has_one_size():
    session, live = at_the_river(GameSpec.heads_up(1, 2), [table_of(SMALL), table_of(OTHER)])
    found = advised(session, live, "AcQc")
    assert [(each.act, each.to) for each in found.acts] == [(Act.CALL, None), (Act.RAISE, 4)]
    assert found.worth(Act.RAISE).ev == pytest.approx(brute_force(session, live, "AcQc", Act.RAISE, None) / 2)


def test_shares_of_pots_are_those_of_the_rules():
    """In any deal, with any stacks: each subset of opponents who fold is paid out by the rules."""
    rng = np.random.default_rng(7)
    checked = 0
    for _ in range(150):
        n = int(rng.integers(2, 6))
        stacks = tuple(rng.integers(3, 60, n).tolist())
        antes = tuple(rng.integers(0, 3, n).tolist()) if rng.random() < 0.5 else ()
        seats = {"blinds": (1, 2), "first": (0, 1, 1, 1)} if n == 2 else {"blinds": (1, 2) + (0,) * (n - 2)}
        first = seats.pop("first", (2 % n, 0, 0, 0))
        spec = GameSpec(seats["blinds"], (2, 2, 2, 2), first, antes=antes, structure="no limit", stacks=stacks)
        state = State(spec)
        for _ in range(int(rng.integers(0, 6))):
            if state.over:
                break
            act = Act(rng.choice([int(act) for act in state.legal() if act != Act.FOLD or rng.random() < 0.3] or [1]))
            state.act(act, int(rng.integers(state.raise_range()[0], state.raise_range()[1] + 1)) if act == 2 else None)
        if state.over:
            continue
        hero = state.seat
        situation = Situation.of(state, tuple(f"p{k}" for k in range(n)), tuple(card_indices(BOARD)))
        others = [seat for seat in situation.active if seat != hero]
        order = rng.integers(-1, 2, len(others))
        chances = rng.random((n, 1326))
        session = OpponentModeler(Known([np.ones(1326)] * n, lambda asked, of=chances: of[asked.seat]))
        session.start(situation.players)
        session.deal(situation.board)
        options = [(Act.CALL, None)]
        options += [(Act.RAISE, to) for to in raise_sizes(situation, (0.5, 2.0, np.inf))]
        for act, to in options:
            after = state.copy()
            after.act(act, to)
            street = after.round
            spot = session.spot(situation).held("AsKd", state)
            asked = myopic._Answers.to(spot, session.reader, others, act, to)
            folds = asked.folds[:, 5]
            expected = 0.0
            for folding in itertools.product([False, True], repeat=len(others)):
                chance = float(np.prod(np.where(folding, folds, 1 - folds)))
                if not chance:
                    continue
                end = after.copy()
                while not end.over:
                    who = end.seat
                    fold = end.round == street == situation.round and who != hero and folding[others.index(who)]
                    end.act(Act.FOLD if fold else Act.CALL)
                ranks = [0] * n
                ranks[hero] = 1
                for seat, better in zip(others, order, strict=True):
                    ranks[seat] = 1 - int(better)
                won = end.payoffs(ranks if end.showdown else None)[hero]
                expected += chance * (won + end.committed[hero])
            found = myopic._shares(asked, folds[None, :], order[None, :])
            assert float(found[0]) == pytest.approx(expected, abs=1e-9), (stacks, antes, act, to)
            checked += 1
    assert checked > 200


def test_sizes():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(30, 30))
    state = State(spec)
    names = ("Ann", "Bob")
    assert raise_sizes(Situation.of(state, names), (0.5, 1.0, 2.0, np.inf)) == (4, 6, 10, 30)
    assert raise_sizes(Situation.of(state, names), (100.0,)) == (30,)
    assert raise_sizes(Situation.of(State(GameSpec.no_limit(2, 1, 2)), names), (1.0, np.inf)) == (6,)
    assert raise_sizes(Situation.of(State(GameSpec.heads_up(1, 2)), names)) == (4,)
    state.act(Act.RAISE, 30)
    assert raise_sizes(Situation.of(state, names)) == ()


def test_the_same_seed_is_the_same_advice_and_other_sizes_change_nothing():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(60,) * 3)
    session = OpponentModeler("adaptive", public_models=True)
    live = LiveHand(spec, ("Ann", "Bob", "Cid"))
    session.start(live.players)
    before = [session.weights(seat).copy() for seat in range(3)]
    one = advised(session, live, "AsKd", rng=3)
    two = advised(session, live, "AsKd", also=[11], rng=3)
    assert [each.ev for each in one.acts] == [each.ev for each in two.acts if each.to != 11]
    assert two.worth(Act.RAISE, 11).ev != one.best.ev
    assert two.judge(Act.FOLD).loss == pytest.approx(two.best.ev)
    judged = two.judge(Act.RAISE, 7)
    assert 0 <= judged.loss_error < judged.made.error + two.best.error
    for seat, weights in enumerate(before):
        np.testing.assert_array_equal(session.weights(seat), weights)
    fold, call, *raises = one.acts
    assert (fold.act, fold.ev, fold.error, fold.folds, call.folds) == (Act.FOLD, 0.0, 0.0, None, None)
    assert all(0 < each.folds < 1 for each in raises)


def test_what_is_refused():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 60))
    session, live = at_the_river(spec, [table_of({"AsKs": 1})] * 2)
    for arguments, message in (
        ({"holding": "AsKs"}, "no holding of p0 is left beside"),
        ({"holding": "2cKs"}, "2cKs shares a card with the board"),
        ({"deals": 1}, "deals must be 2 or more"),
        ({"also": [1000]}, "cannot raise to 1000"),
        ({"also": [0]}, "cannot raise to 0"),
    ):
        asked = {"holding": "3h3s", **arguments}
        with pytest.raises(ValueError, match=message):
            advised(session, live, **asked)
    found = advised(session, live, "3h3s")
    with pytest.raises(ValueError, match="raise to 5: the values are those of call, raise to"):
        found.worth(Act.RAISE, 5)
    blind = OpponentModeler("loki2")
    blind.start(live.players)
    with pytest.raises(ValueError, match="limit"):
        advised(blind, live, "3h3s")
    live.act(Act.CALL)
    live.act(Act.CALL)
    with pytest.raises(ValueError, match="over"):
        advised(session, live, "3h3s")
