"""Verdicts: exact, solved or simulated, with errors in parts."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import HOLDING_CARDS, card_indices, holding_index, live_holdings
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import Expectation, OpponentModeler, Reader
from pokermodel.reading.reader import Update
from pokermodel.worth.adviser import make_adviser
from pokermodel.worth.answers import answer
from pokermodel.worth.calibration import FITS, Fit
from pokermodel.worth.myopic import myopic_verdict
from pokermodel.worth.play_outs import Rake
from pokermodel.worth.verdict import FULL, VerdictAdviser
from pokermodel.worth.worth import METHODS, Verdict, Worth
from tests.common.textbook import DECK, Values

BOARD = pm.cards.card_indices("2c7d9hJsQd")
VALUES = Values()


class Tables(Reader):
    """Everybody has a table, and acts alike with each holding."""

    reads_sizes = True

    def __init__(self, tables):
        self.tables = tables

    def prior(self, player):
        return self.tables.get(player)

    def expect(self, spot):
        calls = spot.situation.to_call == 0
        return Expectation.of(np.tile([0.0 if calls else 0.3, 1.0 if calls else 0.7, 0.0], (1326, 1)), spot.weights)

    def judge(self, spot, act, put_in):
        return Update(None, "")


def spot_of(spec, acts, holding, reader="adaptive", board=BOARD, stacks=None):
    """The spot after some acts of a hand."""
    names = tuple(f"p{k}" for k in range(spec.players))
    session = OpponentModeler(reader)
    session.start(names)
    state = State(spec, stacks)
    for index, (act, to) in enumerate(acts):
        situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
        session.observe(Decision("", "", index, situation, Act(act), state.act(act, to)))
    situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
    return session.spot(situation).held(holding, state)


F, C, R = Act.FOLD, Act.CALL, Act.RAISE
ALL_IN = [(R, 6), (C, None), (C, None), (R, 8), (R, 54)]  # before the flop, then a bet and a shove on it


def with_depth(street, **changes):
    """An adviser that solves a street another way."""
    depths = {**FULL.depths, street: replace(FULL.depths[street], **changes)}
    return VerdictAdviser(effort=replace(FULL, depths=depths))


def table_of(text):
    return pm.WeightTable.from_text(text).values


def test_an_all_in_call_is_the_share_of_the_pot():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 60))
    reader = Tables({"p0": table_of("QQ+,AKs,T8s"), "p1": table_of("QQ+,AKs,T8s")})
    spot = spot_of(spec, ALL_IN, "JcTc", reader)
    found = VerdictAdviser().advise(spot, 1)
    assert found.method == "exact"
    assert [each.act for each in found.acts] == [F, C]
    share = equity(["JcTc", table_of("QQ+,AKs,T8s")], BOARD[:3]).equity[0]
    fold, call = found.acts
    assert (fold.ev, fold.error) == (0.0, 0.0)
    assert found.equity == pytest.approx(share)
    assert call.ev == pytest.approx((share * 120 - spot.situation.to_call) / 2)
    assert call.of_method == call.of_menu == 0
    assert call.of_ranges > 0
    assert found.needed == pytest.approx(spot.situation.to_call / 120)
    raked = VerdictAdviser(rake=Rake(0.05, cap=3)).advise(spot, 1)
    assert raked.worth(C).ev == pytest.approx((share * 117 - spot.situation.to_call) / 2)


def test_a_short_stack_needs_a_share_of_what_it_can_win():
    """Of 54 that are bet somebody with 14 left can win 14."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(20, 60, 60))
    acts = [(R, 6), (C, None), (C, None), (C, None), (R, 54), (F, None)]
    spot = spot_of(spec, acts, "QhJh", stacks=(20, 60, 60))
    situation = spot.situation
    assert (situation.pot, situation.to_call, situation.pot_to_win) == (72, 14, 32)
    found = VerdictAdviser().advise(spot, 1)
    assert found.needed == pytest.approx(14 / 46)
    share = equity(["QhJh", spot.range(1)], situation.board).equity[0]
    assert found.worth(C).ev == pytest.approx((share * 46 - 14) / 2)


def test_side_pots_are_won_by_who_is_in_them():
    """Three all-in with stacks that differ: every deal is paid out by the rules."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(60, 30, 90))
    tables = {"p1": table_of("QQ,AhKh"), "p2": table_of("JJ,Td8d")}
    acts = [(R, 6), (C, None), (C, None), (C, None), (R, 24), (R, 84)]
    spot = spot_of(spec, acts, "Qs9s", Tables(tables))
    assert spot.player == "p0"
    found = VerdictAdviser().advise(spot, 1)
    assert {each.method for each in found.acts} == {"exact"}
    end = spot.state.copy()
    put_in = end.act(C)
    worth = total = 0.0
    hero = pm.cards.card_indices("Qs9s")
    left = [np.flatnonzero(tables[name]).tolist() for name in ("p1", "p2")]
    for one, two in itertools.product(*left):
        cards = [*HOLDING_CARDS[one].tolist(), *HOLDING_CARDS[two].tolist()]
        if len({*cards, *hero, *BOARD[:3]}) < 9:
            continue
        rest = [card for card in range(52) if card not in {*cards, *hero, *BOARD[:3]}]
        for pair in itertools.combinations(rest[::3], 2):  # a third of the cards each: about the same
            board = (*BOARD[:3], *pair)
            values = [VALUES([DECK[c] for c in (*board, *own)]) for own in (hero, cards[:2], cards[2:])]
            order = sorted(set(values))
            total += 1
            worth += end.payoffs([order.index(value) for value in values])[0] + spot.state.committed[0]
    assert put_in == spot.situation.to_call
    call = found.worth(C)
    assert call.of_method > 0
    assert call.ev == pytest.approx(worth / total / 2, abs=1.5)


def test_two_players_on_the_river_are_solved():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    acts = [(R, 6), (C, None), (C, None), (C, None), (C, None), (C, None)]
    spot = spot_of(spec, acts, "QhJh")
    found = make_adviser("verdict").advise(spot, 1, also=[9])
    assert {each.method for each in found.acts} == {"solved"}
    assert (R, 9) in [(each.act, each.to) for each in found.acts]
    subgame = pm.Subgame.from_spot(spot, also=[9])
    solution = pm.solve(subgame.trim(0.001, {subgame.played.player: "QhJh"}), 0.1, jobs=1)
    values = solution.ev(subgame.played.node)
    for each, act, ev in zip(found.acts, values.acts, values.best_of_acts[holding_index("QhJh")], strict=False):
        if act.to is None:
            assert each.ev == pytest.approx(ev / 2)
    best = found.best
    assert best.ev == max(each.ev for each in found.acts if each.seen)
    assert all(each.of_ranges > 0 for each in found.acts)
    assert best.of_method < 0.5
    assert 0 <= found.confidence < 0.5  # next to nothing is known of the opponent
    assert found.risk >= 0
    assert found.acts[0].balanced == pytest.approx(found.acts[0].ev, abs=1.0)
    plain = {"evs": [each.ev for each in found.acts], "equilibrium": [each.balanced for each in found.acts]}
    assert found.to_dict()["against"] == {**plain, "confidence": found.confidence, "risk": found.risk}


def test_nobody_has_to_call_after_a_check():
    """A check is worth nothing at least, even where the solution does not know what comes after it."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    acts = [(R, 6), (C, None), (C, None), (C, None), (C, None), (C, None)]
    checks = []
    for holding in ("3h4h", "5h3s", "8c6c", "4s3s"):
        checks.append(with_depth(3, iterations=3).advise(spot_of(spec, acts, holding), 1).worth(C))
    assert {each.method for each in checks} == {"solved"}
    assert min(each.ev for each in checks) >= 0


def test_what_a_solution_still_moves_by_is_an_error():
    """Differences of acts are off by more than what the solution may be exploited by on average."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    acts = [(R, 6), (C, None), (C, None), (C, None), (C, None), (C, None)]
    spot = spot_of(spec, acts, "8h3h")
    exact = with_depth(3, target=0.01, first=0.02)
    rough = with_depth(3, target=1.0, first=4.0)
    known, found = exact.advise(spot, 1), rough.advise(spot, 1)
    for each, other in zip(found.acts, known.acts, strict=True):
        assert abs(each.ev - other.ev) <= each.of_method + other.of_method
    assert sum(each.of_method for each in known.acts) < 0.2 * sum(each.of_method for each in found.acts)


@pytest.mark.parametrize(("checks", "method"), [(0, "simulated"), (1, "solved"), (2, "solved")])
def test_streets_of_two_players_are_solved_from_the_turn_on(checks, method):
    """With the fast way from the river on; of three players none is."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(20, 20))
    ranges = {name: table_of("77+,AJs+,KQs,AQo+") for name in ("p0", "p1", "p2")}
    acts = [(R, 6), (C, None), *[(C, None)] * 2 * checks]
    spot = spot_of(spec, acts, "QsJd", Tables(ranges))
    ways = [VerdictAdviser(deals=128), VerdictAdviser(fast=True, deals=128)]
    found = [{each.method for each in way.advise(spot, 1).acts} for way in ways]
    assert found == [{method}, {method if checks == 2 else "simulated"}]
    three = spot_of(GameSpec.no_limit(3, 1, 2), [(C, None)] * 3 * (1 + checks), "QsJd")
    assert [way.advise(three, 1).method for way in ways] == ["simulated"] * 2


def test_sizes_that_chips_do_not_tell_apart_are_one_act():
    """Half of a pot of 15 are 7.5, and 8 were bet."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(219, 129, 186))
    spot = spot_of(spec, [(R, 7), (F, None), *[(C, None)] * 5], "JcTc", stacks=(219, 129, 186))
    assert spot.situation.pot == 15
    found = VerdictAdviser(fast=True).advise(spot, 1, also=[8])
    assert {each.method for each in found.acts} == {"solved"}
    assert [(each.act, each.to) for each in found.acts][:2] == [(C, None), (R, 8)]
    assert len({each.to for each in found.acts}) == len(found.acts)
    assert found.judge(R, 8).loss is not None


def test_a_call_is_exact_and_a_raise_is_put_beside_it():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    acts = [(R, 6), (C, None), (C, None), (C, None), (C, None), (C, None), (R, 8)]
    spot = spot_of(spec, acts, "QhJh")
    found = VerdictAdviser().advise(spot, 1)
    assert found.worth(C).method == "exact"
    assert {each.method for each in found.acts if each.act == R} == {"solved"}
    share = equity(["QhJh", spot.range(1)], BOARD).equity[0]
    assert found.worth(C).ev == pytest.approx((share * 28 - 8) / 2)
    assert found.worth(C).of_method == 0


def test_more_players_are_played_out():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, [(R, 250)], "AhAd")
    adviser = VerdictAdviser(deals=64)
    found = adviser.advise(spot, 3)
    assert {each.method for each in found.acts} == {"exact", "simulated"}  # a fold is exact
    again = adviser.advise(spot, 3)
    assert found.to_dict() == again.to_dict()
    assert found.to_dict() != adviser.advise(spot, 4).to_dict()
    assert found.worth(F).ev == 0
    assert found.judge(F).difference > 0
    for each in found.acts:
        assert each.error == pytest.approx(np.hypot(np.hypot(each.of_method, each.of_ranges), each.of_menu))
        assert METHODS.index(each.method) <= METHODS.index(found.method)


def test_a_raise_that_puts_a_short_stack_all_in_goes_to_what_the_rules_ask_for():
    """The tree's is to 54, which is all that can be called; the rules want a whole raise of who has more."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 60))
    acts = [(R, 6), (C, None), (C, None), (C, None), (C, None), (C, None), (R, 40)]
    spot = spot_of(spec, acts, "JcTc", stacks=(200, 60))
    assert spot.situation.least_raise == 80
    found = VerdictAdviser(fast=True).advise(spot, 1)
    assert [(each.act, each.to) for each in found.acts] == [(F, None), (C, None), (R, 80)]
    assert found.worth(R, 80).method == "solved"


def test_it_says_how_likely_everybody_folds():
    """Two have to fold, one after the other; whoever is all-in cannot."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, [], "AhAd")
    found = VerdictAdviser(deals=64).advise(spot, 3)
    raises = [each for each in found.acts if each.act == R]
    assert all(0.1 < each.folds < 0.99 for each in raises)
    assert [each.folds for each in raises] == sorted(each.folds for each in raises)
    assert found.worth(F).folds is None
    assert found.worth(C).folds is None
    state = spot.state.copy()
    state.act(R, raises[0].to)
    after = Situation.of(state, spot.situation.players, ())
    first = answer(spot.reader, spot.at(after, [Decision("", "", 0, spot.situation, R, raises[0].to)]))[:, F]
    weights = spot.likely(after.seat) * live_holdings(card_indices("AhAd"))
    assert raises[0].folds < (weights * first).sum() / weights.sum()  # and then another one


def test_no_action_is_worth_less_than_to_give_up_next():
    """A call of 2.50 bb costs no more than that, whatever the hero holds."""
    spec = GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6)
    for holding in ("7c2d", "9h4d", "Jc3s"):
        spot = spot_of(spec, [(R, 250), (F, None), (F, None)], holding)
        found = VerdictAdviser(fast=True, deals=512).advise(spot, 1)
        state = spot.state
        for each in found.acts:
            cost = 0 if each.act == F else state.copy().act(each.act, each.to)
            assert each.ev >= -cost / 100
            halves = [float(some[:, found.acts.index(each)].min()) for some in found.halves]
            assert min(halves) >= -cost / 100


def test_the_best_action_is_chosen_on_one_half_and_measured_on_the_other():
    chosen, measured = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 1.0]]), np.array([[0.0, 2.0, 1.0], [0.0, 1.0, 3.0]])
    of = [Worth(act, None, ev, "simulated") for act, ev in ((F, 0.0), (C, 1.5), (R, 2.0))]
    found = Verdict(tuple(of), np.zeros((3, 3)), halves=(chosen, measured))
    assert found.best.act == R
    # one half prefers the raise, which is worth 1 in the other one; that prefers the call, which is worth 1 here
    assert found.judge(F).difference == pytest.approx(1.0)
    assert found.judge(C).difference == pytest.approx(((1.0 - 2.0) + 0.0) / 2)
    assert found.judge(R).difference == 0.0


@pytest.mark.parametrize(("players", "depth"), [(9, 15), (9, 10), (6, 15)])
def test_any_two_cards_are_no_reason_to_go_all_in(players, depth):
    """The small blind against the big blind: such a raise is worth no more than a fold by more than its error."""
    spec, names = GameSpec.no_limit(players, 50, 100, stacks=[100 * depth] * players), [str(k) for k in range(players)]
    acts = [*((k, Act.FOLD) for k in range(2, players)), (0, Act.RAISE, False, 100 * depth), (1, Act.FOLD)]
    hand = pm.Hand("test", "1", spec, names, acts, [], {0: card_indices("7h2c")}, stacks=spec.stacks, hero="0")
    found = pm.verdict(hand, players - 1, fast=True)
    assert (found.made.act, found.made.to) == (Act.RAISE, 100 * depth)
    assert found.made.ev - found.acts[0].ev < found.errors[found.acts.index(found.made), 0]


def test_losses_are_calibrated_where_the_street_is_known(monkeypatch):
    monkeypatch.setitem(FITS, ("simulated", False, "turn", ""), Fit(0.7, 0.2, 0.3, 0.02, 0.1, 1.5, 2.0))
    plain = judged(4.0, 1.0, 20.0)
    found = replace(plain, street="turn", stranger=0.0)
    assert (plain.loss, plain.loss_error) == (4.0, 1.0)
    assert found.loss == pytest.approx(2.8)
    assert found.loss_error == pytest.approx(np.sqrt(1.5**2 + 1.96**2 * (0.3**2 + 0.4**2 + 0.4**2)))
    stranger = replace(found, stranger=1.0)
    assert stranger.loss == pytest.approx(2.0)
    assert stranger.loss_error == pytest.approx(2.0 * found.loss_error)
    assert (plain.word, found.word, stranger.word) == ("big mistake", "mistake", "probably a mistake")


def test_a_fold_is_compared_with_a_call_where_less_of_a_raise_is_believed(monkeypatch):
    for kind, keep in (("fold for raise", 0.2), ("fold for call", 0.8)):
        monkeypatch.setitem(FITS, ("simulated", False, "turn", kind), Fit(keep, 0.0, 0.1, 0.0, 0.0))
    of = tuple(Worth(act, None, ev, "simulated") for act, ev in ((F, 0.0), (C, 5.0), (R, 6.0)))
    found = Verdict(of, np.ones((3, 3)), street="turn").judge(F)
    assert (found.best.act, found.rival.act, found.kind) == (R, C, "fold for call")
    assert (found.difference, found.loss, found.word) == (5.0, 4.0, "big mistake")
    assert replace(found, street="").rival.act == R
    assert found.judge(C).rival.act == R


def test_a_call_is_compared_with_a_fold_that_is_certainly_better():
    """A raise that is hardly better than a fold, and is far less known, does not excuse a call without a chance."""
    of = tuple(Worth(act, None, ev, "solved") for act, ev in ((F, 0.0), (C, -5.4), (R, 0.1)))
    errors = np.array([[0.0, 0.2, 7.0], [0.2, 0.0, 7.0], [7.0, 7.0, 0.0]])
    found = Verdict(of, errors).judge(C)
    assert (found.best.act, found.rival.act, found.kind) == (R, F, "call for fold")
    assert (found.difference, found.loss_error, found.word) == (5.4, 0.2, "big mistake")
    assert Verdict(of, np.minimum(errors, 1.0)).judge(C).rival.act == R


def test_learnt_acts_of_the_opponents_count(monkeypatch):
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot, adviser = spot_of(spec, [(R, 250)], "AhTd"), VerdictAdviser(fast=True, deals=64)
    found = adviser.advise(spot)
    assert (found.stranger, found.street) == (1.0, "pre-flop, raised")
    monkeypatch.setattr(type(spot.reader), "acts_learnt", lambda *of: 300.0)
    assert adviser.advise(spot).stranger == 0.5
    assert adviser.advise(spot_of(spec, [], "AhTd")).street == "pre-flop"


def test_a_guessed_range_is_not_judged():
    found = replace(judged(4.0, 1.0), guess="Casey")
    assert (found.word, found.loss) == ("not judged", None)
    assert found.reason_not_judged == "Casey took a line that hardly anyone takes, so that the range is a guess"
    plain = found.to_dict()
    assert (plain["word"], plain["loss"], plain["ci95"], plain["p"]) == ("not judged", None, None, None)
    assert plain["not_judged"] == found.reason_not_judged
    assert "word" not in replace(found, made=None).to_dict()


def test_where_much_is_open_it_is_worked_out_again_with_more_deals(monkeypatch):
    spec, asked = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3), []
    spot, plain = spot_of(spec, [(R, 250)], "AhTd"), VerdictAdviser._advise

    def advise(self, *of):
        asked.append(of[-1])
        return plain(self, *of)

    monkeypatch.setattr(VerdictAdviser, "_advise", advise)
    monkeypatch.setattr(Verdict, "word", "cannot tell")
    monkeypatch.setattr(Verdict, "noisy", True)
    monkeypatch.setattr(Verdict, "ci95", (-1.0, 6.0))
    VerdictAdviser(fast=True, deals=64).judge(spot, C)
    assert asked == [64, 256]


def verdict(evs, errors, seen=None):
    """A verdict with these values."""
    n = len(evs)
    acts = [(F, None), (C, None), (R, 10)][:n]
    seen = [True] * n if seen is None else seen
    rows = [
        Worth(act, to, ev, "simulated", 0.1, seen=known) for (act, to), ev, known in zip(acts, evs, seen, strict=True)
    ]
    return Verdict(tuple(rows), np.array(errors), 0.3, 0.5, 2.0)


def judged(loss, error, pot=0.0):
    """A verdict on an action that lost so much, give or take an error."""
    acts = Worth(C, None, 1.0, "simulated"), Worth(R, 10, 1.0 + loss, "simulated")
    return Verdict(acts, np.array([[0.0, error], [error, 0.0]]), pot=pot).judge(C)


@pytest.mark.parametrize(
    ("loss", "error", "pot", "word"),
    [
        (0.5, 0.4, 10.0, "mistake"),
        (0.5, 0.5, 10.0, "probably a mistake"),  # the interval reaches 0
        (0.5, 1.2, 10.0, "cannot tell"),  # a probability of 79%
        (0.5, 1.1, 10.0, "probably a mistake"),  # of 81%
        (0.09, 0.005, 9.0, "right"),  # less than .1 units
        (0.09, 0.02, 9.0, "cannot tell"),  # or a little more
        (0.4, 0.05, 50.0, "right"),  # less than 1% of the pot
        (0.6, 0.05, 50.0, "mistake"),
        (2.2, 0.1, 10.0, "big mistake"),
        (2.2, 0.3, 10.0, "mistake"),  # the lower end is below 2 units
        (2.2, 0.1, 30.0, "mistake"),  # or below a tenth of the pot
        (0.0, 0.0, 10.0, "right"),
    ],
)
def test_what_a_verdict_is_called(loss, error, pot, word):
    found = judged(loss, error, pot)
    assert found.word == word
    assert found.ci95 == pytest.approx((loss - error, loss + error))


def test_the_action_that_was_made_is_compared_with_the_best_one():
    found = verdict([0.0, 1.0, 1.5], [[0, 0.2, 0.3], [0.2, 0.2, 0.6], [0.3, 0.6, 0.3]])
    assert found.recommended == (R, 10)
    assert found.judge(F).word == "mistake"
    assert found.judge(R, 10).word == "right"
    called = found.judge(C)
    assert (called.made.act, called.loss, called.loss_error) == (C, 0.5, pytest.approx(0.6))
    assert called.word == "probably a mistake"
    assert 0.94 < called.p < 0.96
    assert (found.loss, found.loss_error, found.word) == (None, 0.0, "not judged")  # no action was made
    with pytest.raises(ValueError, match="values are those of"):
        found.judge(R, 11)


def test_errors_of_values_stand_for_those_of_differences():
    found = Verdict((Worth(C, None, 1.0, "myopic", 0.1), Worth(R, 10, 1.5, "myopic", 0.3)))
    assert found.judge(C).loss_error == pytest.approx(0.4)
    assert found.judge(R).loss_error == 0.0


def test_a_program_names_an_action_without_values():
    found = Verdict(advised=(R, None), reason="it likes to", details={"nerve": 1})
    assert found.recommended == (R, None)
    assert (found.method, found.to_dict()) == ("", {"nerve": 1})
    with pytest.raises(ValueError, match="does not say what actions are worth"):
        _ = found.best
    with pytest.raises(ValueError, match="the values are those of none"):
        found.judge(R)


def test_of_what_nobody_has_answered_nothing_is_said():
    found = verdict([0.0, 1.0, 9.5], np.zeros((3, 3)), [True, True, False])
    assert found.recommended == (C, None)
    assert found.judge(R, 10).loss is None
    assert found.judge(R, 10).word == "not judged"
    assert found.judge(F).loss == 1.0


def test_nobody_folds_when_next_to_nothing_is_left_to_call():
    """An all-in that leaves 15 to call into 392 with five-high is no bluff that works."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    acts = [(R, 7), (C, None), (C, None), (R, 21), (C, None), (C, None), (R, 63), (C, None), (C, None), (R, 94)]
    spot = spot_of(spec, acts, "5h3s", board=pm.cards.card_indices("ThKsAdQs9c"))
    situation = spot.situation
    assert (situation.pot, situation.to_call, situation.most_raise) == (276, 94, 109)
    found = VerdictAdviser().advise(spot, 1, also=[109])
    shove = found.worth(R, 109)
    assert not shove.seen
    assert found.recommended == (F, None)
    assert found.judge(R, 109).loss is None
    looked = myopic_verdict(spot, also=[109])
    assert looked.acts[-1].folds < 0.3
    assert looked.acts[-1].ev < 0


def test_options_that_make_no_sense():
    with pytest.raises(ValueError, match="deals"):
        VerdictAdviser(deals=63)


def test_limit_is_judged_as_well():
    spec = GameSpec.heads_up(5, 10)
    acts = [(R, None), (C, None), (C, None), (C, None), (C, None), (C, None)]
    spot = spot_of(spec, acts, "QhJh")
    found = VerdictAdviser().advise(spot, 1)
    assert [each.act for each in found.acts] == [C, R]
    assert {each.method for each in found.acts} == {"solved"}
    assert found.judge(C).loss is not None


def test_deals_end_where_they_are_little_of_the_interval(monkeypatch):
    """What a difference is off by besides is known: the calibration. The interval hardly grows by fewer deals."""
    spot = spot_of(GameSpec.no_limit(6, 50, 100, stacks=(10_000,) * 6), [(R, 250), (F, None)], "AhKd")
    adviser = VerdictAdviser(fast=True)
    quick = adviser.judge(spot, F, rng=1)
    assert not quick.noisy
    monkeypatch.setattr("pokermodel.worth.verdict._NOISE", 0.0)
    whole = adviser.judge(spot, F, rng=1)
    at = quick.acts.index(quick.best), quick.acts.index(quick.made)
    assert quick.noise[at] > whole.noise[at] > 0.0
    assert whole.loss_error <= quick.loss_error <= 1.15 * whole.loss_error
