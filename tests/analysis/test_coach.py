"""The coach of a player."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.analysis.coach import Coach, Cost
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena.person import Person, PersonTable
from pokermodel.tables.players import Answer, make_player
from tests.common.coached import opinions


def test_no_limit_goes_by_verdicts():
    for view, opinion in opinions(GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3), hands=1):
        assert opinion.simulation is opinion.rule is None
        best = opinion.verdict.best
        assert opinion.cost(Answer(best.act, best.to)) == Cost(0.0, 0.0, (best.act, best.to))
        for each in opinion.verdict.acts:
            cost = opinion.cost(Answer(each.act, each.to))
            assert (cost is None) == (not each.seen)
            if cost is not None:
                assert cost.value == pytest.approx(best.ev - each.ev)
        assert opinion.myopic.deals == (2000 if len(view.opponents) > 1 else 0)


def test_sizes_that_somebody_asks_for_are_added():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3)
    coach, asked = Coach("You"), []

    def decide(view):
        if not asked:
            first = coach.opinion(view)
            asked.append(coach.opinion(view, [31]))
            assert coach.opinion(view) is asked[0]
            assert {each.to for each in asked[0].acts} == {each.to for each in first.acts} | {31}
            judged = asked[0].judge(Answer(Act.RAISE, 31))
            assert (judged.act, judged.to) == (Act.RAISE, 31)
            assert judged.ev == next(each.ev for each in asked[0].acts if each.to == 31)
            assert judged.cost == asked[0].cost(Answer(Act.RAISE, 31))
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(spec, person, {"a": make_player("call"), "b": make_player("call")}).play()
    assert asked


def test_limit_is_simulated_after_the_flop():
    rounds = set()
    for view, opinion in opinions(GameSpec.ring(3, 1, 2)):
        rounds.add(view.round > 0)
        if view.round == 0:
            judged = opinion.judge(Answer(Act.CALL))
            assert (judged.opinion, judged.ev, judged.cost) == (opinion, None, None)
            assert opinion.rule is not None
        else:
            assert opinion.simulation.trials == 2000
            costs = {each.act: opinion.cost(Answer(each.act)) for each in opinion.acts}
            assert min(cost.value for cost in costs.values()) == 0
            assert costs[opinion.simulation.action].value == 0
            assert set(costs) == set(view.legal)
            if Act.FOLD not in view.legal:
                with pytest.raises(ValueError, match="not legal"):
                    opinion.cost(Answer(Act.FOLD))
    assert rounds == {False, True}


def test_own_cards_are_out_of_the_ranges():
    coach = Coach("You")
    coach.begin(("You", "Ann"), (51, 50))
    table = coach.table("Ann", ())
    assert table["AsAh"] == 0 < table["AcAd"]


def test_what_an_opponent_can_hold_at_a_decision():
    coach, found = Coach("You"), []

    def decide(view):
        found.append(coach.seen("a", view))
        assert found[-1].table == coach.table("a", view.board)
        assert found[-1].equity == pm.equity([pm.cards_text(view.holding), found[-1].table], view.board).equity[0]
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(GameSpec.ring(2, 1, 2), person, {"a": make_player("call")}).play()
    assert {each.name for each in found} == {"a"}
    assert 0 < min(each.equity for each in found) <= max(each.equity for each in found) < 1
