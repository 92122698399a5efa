"""The coach of a player."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from pokermodel.analysis.coach import Coach, Cost, cost_words
from pokermodel.arena.person import Person, PersonTable
from pokermodel.game import Act, GameSpec
from pokermodel.players import Answer, make_player
from pokermodel.report.seat import coach_line, range_lines, values


def opinions(spec, against="call", hands=3, ask=lambda view: Answer(Act.CALL)):
    """What a coach thinks of the decisions of some hands, with the views."""
    coach, found = Coach("You", seed=1), []

    def decide(view):
        found.append((view, coach.opinion(view)))
        assert coach.opinion(view) is found[-1][1]
        return ask(view)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    others = {f"{against}#{k}": make_player(against) for k in range(1, spec.players)}
    table = PersonTable(spec, person, others, seed=3)
    for number in range(hands):
        coach.end(table.as_seen(table.play(), str(number)))
    return found


def shown(renderable, width=80):
    console = Console(file=io.StringIO(), width=width)
    console.print(renderable)
    return console.file.getvalue()


def test_no_limit_is_myopic():
    for view, opinion in opinions(GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3)):
        assert opinion.simulation is opinion.rule is None
        best = opinion.myopic.best
        assert opinion.cost(Answer(best.act, best.to)) == Cost(0.0, 0.0, (best.act, best.to))
        for each in opinion.acts:
            cost = opinion.cost(Answer(each.act, each.to))
            assert cost.value == pytest.approx(best.ev - each.ev)
        text = shown(values(opinion))
        assert text.count("best") == 1
        assert ("by 2,000 deals" in text) == (len(view.opponents) > 1)


def test_sizes_that_somebody_asks_for_are_added():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3)
    coach, asked = Coach("You"), []

    def decide(view):
        if not asked:
            first = coach.opinion(view)
            asked.append(coach.opinion(view, [31]))
            assert coach.opinion(view) is asked[0]
            assert {each.to for each in asked[0].acts} == {each.to for each in first.acts} | {31}
            assert "raise to 31" in shown(coach_line(asked[0], Answer(Act.RAISE, 31)))
        return Answer(Act.CALL)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    PersonTable(spec, person, {"a": make_player("call"), "b": make_player("call")}).play()
    assert asked


def test_limit_is_simulated_after_the_flop():
    rounds = set()
    for view, opinion in opinions(GameSpec.ring(3, 1, 2)):
        rounds.add(view.round > 0)
        line = shown(coach_line(opinion, Answer(Act.CALL)))
        if view.round == 0:
            assert opinion.cost(Answer(Act.CALL)) is None
            assert f"Loki-1's rules would {opinion.rule.name}" in line
        else:
            assert opinion.simulation.trials == 2000
            costs = {each.act: opinion.cost(Answer(each.act)) for each in opinion.acts}
            assert min(cost.value for cost in costs.values()) == 0
            assert costs[opinion.simulation.action].value == 0
            assert set(costs) == set(view.legal)
            assert "no more bets" in shown(values(opinion))
            if Act.FOLD not in view.legal:
                with pytest.raises(ValueError, match="not legal"):
                    opinion.cost(Answer(Act.FOLD))
    assert rounds == {False, True}


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (0.0, 0.0, "the best act"),
        (0.04, 0.0, "as good as the best"),
        (0.9, 0.5, "as good as the best"),
        (0.2, 0.05, "a small mistake"),
        (0.9, 0.1, "a mistake"),
        (1.0, 0.1, "a blunder"),
    ],
)
def test_words(value, error, words):
    assert cost_words(Cost(value, error, (Act.CALL, None))) == words


def test_own_cards_are_out_of_the_ranges():
    coach = Coach("You")
    coach.begin(("You", "Ann"), (51, 50))
    table = coach.table("Ann", ())
    assert table["AsAh"] == 0 < table["AcAd"]
    assert "Ann" in shown(range_lines({"Ann": table}, {"Ann": 1}, (51, 50), ()))
