"""When solving stops, what it may use, and what it refuses."""

from __future__ import annotations

import pytest

from pokermodel.solving import Solution, Subgame, solve
from pokermodel.solving.solver import solve_whole


def spot(**more):
    return Subgame("QsJh2h8c", 100, 500, ("QQ,AK,98s,KTs", "JJ,KK,T9s,A5s"), bets=["75%"], raises=["100%"], **more)


def test_it_stops_at_the_target():
    found = solve(spot(), target=0.3)
    assert found.exploitability <= 0.3 < found.checks[-2].exploitability
    assert found.iterations % 10 == 0
    assert found.target == 0.3
    assert [check.iterations for check in found.checks] == [10 * (k + 1) for k in range(len(found.checks))]


def test_it_stops_in_time():
    found = solve(spot(), target=1e-9, seconds=0.05)
    assert 0.05 <= found.seconds < 2
    assert found.exploitability > 1e-9


def test_it_stops_when_it_is_told():
    seen = []

    def stop(check):
        seen.append(check)
        return len(seen) == 3

    found = solve(spot(), target=1e-9, callback=stop)
    assert found.checks == seen
    assert found.iterations == 30


def test_an_error_in_the_callback_comes_out():
    def fail(check):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(spot(), callback=fail)


def test_memory():
    size = spot().size()
    assert solve(spot(), memory=size.bytes_32, iterations=10).bits == 32
    assert solve(spot(), memory=size.bytes_32 - 1, iterations=10).bits == 16
    with pytest.raises(ValueError, match=r"solving needs \d+ MB, or \d+ MB with 16 bits: there are 0 MB"):
        solve(spot(), memory=1000)
    with pytest.raises(ValueError, match=r"solving needs"):
        solve(spot(), memory=size.bytes_32 - 1, bits=32)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": 0}, "target must be above 0 per cent of the pot"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"bits": 8}, "bits must be 16 or 32, got 8"),
        ({"iterations": 0}, "iterations must be 1 or more"),
        ({"jobs": 0}, "jobs must be 1 or more"),
        ({"risk": 0}, "risk must be above 0"),
    ],
)
def test_arguments_that_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve(spot(), **arguments)


def test_what_is_no_subgame():
    with pytest.raises(ValueError, match="what is solved is a Subgame, got 'river'"):
        solve("river")


def test_ranges_that_do_not_go_together():
    with pytest.raises(ValueError, match="no two holdings of the ranges go together"):
        solve(Subgame("QsJh2h8c", 100, 500, ("AsKs", "AsAc")))


def test_strategies_of_another_tree():
    one, other = solve(spot(), iterations=10), Solution(Subgame("QsJh2h8c3d", 1, 1, ("QQ", "JJ")))
    with pytest.raises(ValueError, match="the strategy is of another tree"):
        one.value(0, against=other)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_leaves_what_there_is(monkeypatch, jobs):
    calls = []
    real = Solution.learn

    def learn(self, iterations):
        calls.append(iterations)
        if len(calls) == 4:
            raise KeyboardInterrupt
        real(self, iterations)

    monkeypatch.setattr(Solution, "learn", learn)
    found = solve(spot(), target=1e-9, jobs=jobs)
    assert found.interrupted
    assert found.iterations == sum(calls[:3])
    assert found.checks[-1].exploitability == pytest.approx(found.measure())
    monkeypatch.undo()
    calls.clear()
    monkeypatch.setattr(Solution, "learn", learn)
    with pytest.raises(KeyboardInterrupt):  # of what is a step of something larger
        solve_whole(spot(), target=1e-9, jobs=jobs)
    monkeypatch.undo()
    on = solve(found.subgame, start=found, target=0.3)
    assert not on.interrupted
    assert on.exploitability <= 0.3
