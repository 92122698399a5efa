"""What a coach says of the decisions of a player who calls."""

from __future__ import annotations

from pokermodel.analysis.coach import Coach
from pokermodel.game import Act
from pokermodel.tables.arena.person import Person, PersonTable
from pokermodel.tables.players import Answer, make_player


def verdicts(spec, against="call", hands=3, ask=lambda view: Answer(Act.CALL)):
    """What a coach says of the decisions of some hands, with the views."""
    coach, found = Coach("You", seed=1), []

    def decide(view):
        found.append((view, coach.verdict(coach.spot(view, view.state))))
        assert coach.verdict(coach.spot(view)) is found[-1][1]
        return ask(view)

    person = Person(decide, begun=lambda start: coach.begin(start.players, start.holding), saw=coach.observe)
    others = {f"{against}#{k}": make_player(against) for k in range(1, spec.players)}
    table = PersonTable(spec, person, others, seed=3)
    for number in range(hands):
        coach.end(table.as_seen(table.play(), str(number)))
    return found
