"""The coach of a player."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.analysis.coach import Coach
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena.person import Person, PersonTable
from pokermodel.tables.players import Answer, make_player
from pokermodel.worth.worth import METHODS
from tests.common.coached import verdicts


@pytest.mark.parametrize("spec", [GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3), GameSpec.ring(3, 1, 2)])
def test_every_action_is_judged_in_every_structure(spec):
    rounds = set()
    for view, verdict in verdicts(spec, hands=1):
        rounds.add(view.round)
        assert {each.act for each in verdict.acts} == set(view.legal)
        assert verdict.method in METHODS
        for each in verdict.acts:
            judged = verdict.judge(each.act, each.to)
            assert (judged.loss is None) == (not each.seen)
            if judged.loss is not None:
                assert abs(judged.loss) <= abs(judged.difference)  # as far as it is believed
        if Act.FOLD not in view.legal:
            with pytest.raises(ValueError, match="the values are those of"):
                verdict.judge(Act.FOLD)
    assert len(rounds) > 1


def test_sizes_that_somebody_asks_for_are_added():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3)
    coach, asked = Coach("You"), []

    def decide(view):
        if not asked:
            spot = coach.spot(view, view.state)
            first = coach.verdict(spot)
            asked.append(coach.verdict(spot, [31]))
            assert coach.verdict(spot) is asked[0]
            assert {each.to for each in asked[0].acts} == {each.to for each in first.acts} | {31}
            judged = asked[0].judge(Act.RAISE, 31)
            assert (judged.made.act, judged.made.to) == (Act.RAISE, 31)
            assert judged.made == next(each for each in asked[0].acts if each.to == 31)
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(spec, person, {"a": make_player("call"), "b": make_player("call")}).play()
    assert asked


def test_a_size_of_no_menu_is_judged_after_values_were_shown():
    """The values were of other sizes."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100,) * 2)
    coach, judged = Coach("You"), []

    def decide(view):
        spot = coach.spot(view, view.state)
        if not judged:
            assert 7 not in {each.to for each in coach.verdict(spot).acts}
            judged.append(coach.verdict(spot, (7,)).judge(Act.RAISE, 7))
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(spec, person, {"a": make_player("call")}).play()
    assert judged[0].made.to == 7


def test_own_cards_are_out_of_the_ranges():
    coach, found = Coach("You"), []

    def decide(view):
        spot = coach.spot(view)
        table = coach.seen("a", spot).table
        found.append(table[pm.cards.cards_text(view.holding)])
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(GameSpec.ring(2, 1, 2), person, {"a": make_player("call")}).play()
    assert set(found) == {0.0}


def test_what_an_opponent_can_hold_at_a_decision():
    coach, found = Coach("You"), []

    def decide(view):
        found.append(coach.seen("a", coach.spot(view)))
        assert found[-1].table == coach.session.table("a")
        assert found[-1].equity == pm.equity([pm.cards.cards_text(view.holding), found[-1].table], view.board).equity[0]
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(GameSpec.ring(2, 1, 2), person, {"a": make_player("call")}).play()
    assert {each.name for each in found} == {"a"}
    assert 0 < min(each.equity for each in found) <= max(each.equity for each in found) < 1


def test_a_hand_has_to_begin():
    hand = pm.example_hand()
    with pytest.raises(ValueError, match="no hand has begun"):
        Coach("Eve").spot(next(iter(hand.replay())))
