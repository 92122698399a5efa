"""A player for any table: plays the hand out by what it reads, and solves what is left when two are left.

With several opponents there is no equilibrium that somebody could work out at a table, and none that would be safe.
What is left is an answer to the people who sit there. The adaptive reader says what they hold and what they do, and
learns from hand to hand; the acts of a decision are played out against that, with the player's own later acts improved
(`pokermodel.worth.play_outs`). Where two players are left on a street that is solved, the street is solved with
the ranges that the reader has at its beginning, and the opponent locked to what it expects of them, as far as it knows
them (`pokermodel.solving.locks_from`).

Most decisions are easy, and most of them are folds before the flop. Acts that only look one answer ahead are worth much
less than a fold in these (`pokermodel.worth.myopic`), so that nothing is played out for them. It has to be much:
such a look knows of no bets to come, by which a hand that may become strong is worth more. Of 18 decisions before the
flop in which it had a fold .1 to 1 small bet ahead, 7 were better not folded by the play-outs.

Play-outs end when a choice between similar actions can lose little. Significance is no measure of that, because actions
of equal value never differ significantly, and then any of them is fine. Heads-up in limit, actions within a standard
error are chosen by their value without further bets, which has no error; against a player who calls everything that is
the whole value.
"""

from __future__ import annotations

import math
import time
from typing import Literal

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice, check_least
from pokermodel.cards import holding_index
from pokermodel.game import Act
from pokermodel.reading.reader import Spot
from pokermodel.reading.session import OpponentModeler
from pokermodel.solving import Subgame, locks_from
from pokermodel.solving.solver import solve_whole
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View
from pokermodel.worth.answers import raise_sizes
from pokermodel.worth.myopic import myopic_verdict
from pokermodel.worth.play_outs import LaterRule, PlayOuts

__all__ = ["RingPlayer", "RingSolve", "expected_loss"]

#: From which street on two players are solved.
RingSolve = Literal["turn", "river", "never"]

_FIRST = {"turn": 2, "river": 3, "never": 4}
_TRIALS = 2_048
_LOOK = 400  # deals of the quick look at easy decisions
_EASY = 0.5  # small bets or big blinds by which all acts but a fold have to be bad
_CLOSE, _OF_POT = 0.02, 0.008  # what a wrong choice may lose on average: small bets or big blinds, or by the pot
_ALIKE = 1.0  # standard errors by which play-outs do not tell two acts apart
_SIZES = (0.5, 1.0)  # of bets and raises, by the pot after a call
_SHALLOW = 2.0  # pots: who has fewer left may go all-in
# By street: the exploitability to reach, in per cent of the pot, and the share of the likeliest holding's weight below
# which holdings are left out.
_TARGETS, _LEAST = {2: 2.0, 3: 0.5}, {2: 0.02, 3: 0.001}
_ITERATIONS = {2: 60, 3: 200}


def expected_loss(ev: Floats, errors: Floats) -> float:
    """The mean loss of the action that looks best, if it is not.

    Parameters
    ----------
    ev : ndarray of float64, shape (acts,)
        Estimated values of actions.
    errors : ndarray of float64, shape (acts, acts)
        Standard errors of their differences.

    Returns
    -------
    float
        The sum over the other actions of their expected excess where they are better: an upper bound of the loss, with
        normal errors and a flat prior.
    """
    best, total = int(np.argmax(ev)), 0.0
    for k, value in enumerate(ev.tolist()):
        away, error = float(ev[best]) - value, float(errors[best, k])
        if k != best and error > 0.0:
            z = away / error
            total += error * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * math.erfc(z / math.sqrt(2)) / 2)
    return total


class RingPlayer(Player):
    """Plays the hand out by what it reads of everybody, and solves what is left when two are left.

    Parameters
    ----------
    trials : int
        Most deals of a decision: 512 at least. Fewer where it is clear before.
    seconds : float, optional
        Time for a decision, after which it does what looks best so far; what it does then depends on the machine.
        Default: as long as it takes.
    solve : {"turn", "river", "never"}
        The street from which on two players are solved.

    Raises
    ------
    ValueError
        If a number is out of range, or there is no such street.
    """

    structures = ALL_STRUCTURES

    def __init__(self, trials: int = _TRIALS, seconds: float | None = None, solve: RingSolve = "river") -> None:
        self.trials = check_least("trials", trials, 512)
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds must be above 0, got {seconds!r}")
        check_choice("solve", solve, _FIRST)
        self.seconds = seconds
        self.first = _FIRST[solve]
        self._start: HandStart | None = None
        self._rule = LaterRule()

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._session(start)  # it learns: it has to be there from the first hand on

    @staticmethod
    def _session(start: HandStart) -> OpponentModeler:
        common = start.common
        return common.session("adaptive", lambda: OpponentModeler("adaptive", common.book, public_models=True))

    def act(self, view: View) -> Answer:  # noqa: D102
        start = self._start
        assert start is not None, "act before begin"
        until = math.inf if self.seconds is None else time.monotonic() + self.seconds
        session = self._session(start)
        spot = session.spot(view).held(view.holding, view.state)
        if len(view.legal) == 1:
            return Answer(view.legal[0])
        if view.round >= self.first and len(view.active) == 2 and not view.situation.all_in:
            try:
                return self._solved(view, spot, until)
            except ValueError:  # what no tree has, a range that rules the hand out, or stacks that are not known
                pass
        return self._played_out(view, spot, until)

    def _played_out(self, view: View, spot: Spot, until: float) -> Answer:
        start, situation = self._start, view.situation
        assert start is not None
        unit = float(situation.spec.small_bet)
        two = len(view.active) == 2
        look = myopic_verdict(spot, deals=_LOOK, rng=start.rng) if two or Act.FOLD in view.legal else None
        if look is not None and max(each.ev for each in look.acts if each.act != Act.FOLD) < -_EASY:
            return Answer(Act.FOLD)  # a check is worth 0 at least
        moves: list[tuple[Act, int | None]] = [(act, None) for act in situation.legal if act != Act.RAISE]
        if Act.RAISE in situation.legal:
            moves += [(Act.RAISE, to) for to in self._amounts(view)]

        def enough(ev: Floats, errors: Floats) -> bool:
            lost = expected_loss(ev, errors)
            return lost < max(_CLOSE * unit, _OF_POT * situation.pot) or time.monotonic() >= until

        found = PlayOuts(spot, rule=self._rule).run(moves, start.rng, most=self.trials, enough=enough)
        best = int(np.argmax(found.ev))
        if two and look is not None and situation.spec.structure.fixed:
            alike = [k for k in range(len(moves)) if found.ev[best] - found.ev[k] <= _ALIKE * found.errors[best, k]]
            values = {each.act: each.ev for each in look.acts}
            best = max(alike, key=lambda k: values[moves[k][0]])
        act, to = moves[best]
        return Answer(act, to)

    def _amounts(self, view: View) -> tuple[int | None, ...]:
        situation = view.situation
        if situation.spec.structure.fixed:
            return (None,)
        stack = situation.stacks[situation.seat]
        shallow = stack is not None and stack <= _SHALLOW * (situation.pot + situation.to_call)
        return raise_sizes(situation, (*_SIZES, np.inf) if shallow else _SIZES)

    def _solved(self, view: View, spot: Spot, until: float) -> Answer:
        """An act of the solution against the opponent as the reader knows them."""
        start, street = self._start, view.round
        assert start is not None
        subgame = Subgame.from_spot(spot)
        played = subgame.played
        assert played is not None
        subgame = subgame.trim(_LEAST[street], {played.player: view.holding})
        locks = locks_from(spot, subgame, 1 - played.player)
        seconds = None if math.isinf(until) else max(1e-3, until - time.monotonic())
        solution = solve_whole(subgame, _TARGETS[street], seconds, locks=locks, jobs=1, iterations=_ITERATIONS[street])
        values = solution.ev(played.node)
        index = holding_index(view.holding)
        chances = np.nan_to_num(solution.strategy(played.node)[index])
        if not chances.sum() > 0:
            raise ValueError("the hand never comes to the node")
        drawn = start.rng.random() * chances.sum()
        chosen = min(int(np.searchsorted(np.cumsum(chances), drawn, side="right")), len(values.acts) - 1)
        act = values.acts[chosen]
        if act.to is None:
            return Answer(Act.FOLD if act.name == "fold" else Act.CALL)
        if view.spec.structure.fixed:
            return Answer(Act.RAISE)
        assert view.raise_range is not None
        least, most = view.raise_range
        to = max(least, round(act.to))
        return Answer(Act.RAISE, to if most is None else min(to, most))
