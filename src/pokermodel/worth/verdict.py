"""The value of every action of a real decision, by the best method that fits, with an error in parts.

Three methods, the best one that fits:

``exact``
    A fold, and a call that ends all betting: the share of the pots that the hero's cards win against the
    others' ranges, counted out against one opponent and dealt against more, less the rake.
``solved``
    Two players on a late street: it is solved up to a small exploitability (`pokermodel.worth.solved`). The fast way
    solves rivers. On rivers values are those of the answer to the opponent, as far as the reader knows them.
``simulated``
    All else: play-outs in which the others act as the reader expects and the hero plays on well
    (`pokermodel.worth.play_outs`).

Where a call is exact and there could be a raise, too, the call's value is the exact one, and what a raise adds to it
comes from the other method: otherwise the two would be compared against different ranges.

The error of a value has three parts: *method*, of the play-outs or of a solution that may still move; *ranges*, by
joint draws of how far each opponent's range and folds are off; *menu*, what one size more would change in a solution.
Their squares are added. A difference of two actions has the same parts, by the same deals and the same draws, so that
it is known better than either value. `pokermodel.worth.calibration` says how far it is to be believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel.game import ROUNDS, Act, Situation
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.reader import Spot
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.answers import answer_seen, fold_chance, raise_sizes
from pokermodel.worth.calibration import RAISED, fit_of, stranger_of
from pokermodel.worth.play_outs import NO_RAKE, Outcome, PlayOuts, Rake, Tilts, joint_draws
from pokermodel.worth.showdown import Call, Showdown
from pokermodel.worth.solved import Depth, Move, Solved, solved_outcome
from pokermodel.worth.worth import LEAST, SHARE, SURE, WORDS, Verdict, Worth, kind_of

__all__ = ["FAST", "FULL", "REVISION", "Effort", "VerdictAdviser"]

#: Raised when values of verdicts change: journals then do the work again.
REVISION = 9
_LONGER = 4  # times as many deals, where much is open
_NOISE = 0.3  # of half an interval, at which the deals are enough
_SURELY = 1.25  # times half an interval, at which a loss stays a mistake
_OPEN = 5.0  # units that an action can have cost, from which on that is done


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a verdict takes."""

    sizes: tuple[float, ...]  #: Bets and raises that are played out, by the pot after a call.
    deals: int  #: Most deals that are played out.
    tolerance: float  #: The standard error with which play-outs end, in big blinds and fifths of the pot.
    depths: Mapping[int, Depth]  #: By round, how a street of two players is solved; others are played out.


#: As exactly as can be waited for: a river takes some hundredths of a second, a turn some seconds. A flop would take
#: minutes and gigabytes.
FULL = Effort(
    sizes=(0.5, 1.0),
    deals=16384,
    tolerance=0.025,
    depths={
        2: Depth(target=1.0, first=3.0, least=0.02, seconds=20.0),
        3: Depth(target=0.1, first=1.0, least=0.001, seconds=10.0),
    },
)
#: In some tenths of a second, with larger errors: turns are played out, too.
FAST = Effort(
    sizes=(0.75,),
    deals=2048,
    tolerance=0.05,
    depths={3: Depth(target=0.1, first=1.0, least=0.001, seconds=60.0, iterations=600)},
)


class VerdictAdviser(Adviser):
    """Values actions exactly, by a solution or by play-outs, whichever fits best, and says how far that may be off.

    Parameters
    ----------
    rake : Rake
        The rake.
    fast : bool
        Whether the effort is `FAST` instead of `FULL`.
    deals : int, optional
        Most deals that are played out: 64 at least. Fewer where it is clear before. Default: those of the effort.
    effort : Effort, optional
        Another one than these two.

    Raises
    ------
    ValueError
        If there are too few deals.
    """

    def __init__(
        self,
        rake: Rake = NO_RAKE,
        *,
        fast: bool = False,
        deals: int | None = None,
        effort: Effort | None = None,
    ) -> None:
        self.effort = effort or (FAST if fast else FULL)
        self.deals = check_least("deals", self.effort.deals if deals is None else deals, 64)
        self.rake = rake

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        return self._advise(spot, rng, sorted(set(also)), None, self.deals)

    def judge(self, spot: Spot, act: Act, to: int | None = None, rng: RandomLike = None) -> Verdict:
        """Judge an action: play-outs end when its verdict is settled, and go on where much is open."""
        rng = as_seed_sequence(rng)
        to = None if act != Act.RAISE else to
        move = act, (None if spot.situation.spec.structure.fixed else to)
        also, found = [] if to is None else [to], Verdict()
        for deals in (self.deals, _LONGER * self.deals):
            found = self._advise(spot, np.random.SeedSequence(rng.entropy, spawn_key=rng.spawn_key), also, move, deals)
            try:
                found = found.judge(*move)
            except ValueError:
                return found
            if found.word not in WORDS[2:4] or found.ci95 is None or found.ci95[1] < _OPEN or not found.noisy:
                break
        return found

    def _advise(self, spot: Spot, rng: RandomLike, made: Sequence[int], move: Move | None, deals: int) -> Verdict:
        if spot.reader is None:
            raise ValueError("nobody says how the others act: expected a spot with a reader")
        situation = spot.situation
        seeds = as_seed_sequence(rng).spawn(2)
        showdown = Showdown(spot, spot.villains(), self.rake, seeds[0])
        share, call = showdown.share(), showdown.call()
        method, solved = "exact", None
        if call is not None and Act.RAISE not in situation.legal:
            solved = _nothing_but(situation.legal)
        elif self.solvable(situation):
            depth = self.effort.depths[situation.round]
            with suppress(ValueError):  # what the tree cannot have, a range that it rules out, or unknown stacks
                method, solved = "solved", solved_outcome(spot, made, showdown.tilts, depth, self.rake)
        if solved is None:
            method, solved = "simulated", self._played_out(spot, made, showdown.tilts, seeds[1], move, deals)
        outcome = solved.outcome if call is None else _anchored(solved.outcome, solved.acts, call)
        exact = [act == Act.FOLD or (call is not None and act == Act.CALL) for act, _ in solved.acts]
        unit = float(situation.spec.small_bet)
        off = outcome.draws.std(axis=0)
        worths = [
            Worth(
                act,
                to,
                float(outcome.ev[k]) / unit,
                "exact" if exact[k] else method,
                SURE * float(outcome.errors[k, k]) / unit,
                SURE * float(off[k]) / unit,
                float(outcome.menu[k]) / unit,
                answer_seen(spot, act, to),
                fold_chance(spot, act, to),
                None if solved.balanced is None else solved.balanced[k] / unit,
            )
            for k, (act, to) in enumerate(solved.acts)
        ]
        return Verdict(
            tuple(worths),
            _errors(outcome, unit),
            situation.to_call / (situation.pot_to_win + situation.to_call) if situation.to_call else 0.0,
            share,
            unit,
            situation.pot / unit,
            solved.confidence,
            None if solved.risk is None else solved.risk / unit,
            halves=(outcome.chosen / unit, outcome.measured / unit),
            street=_street(spot),
            fixed=situation.spec.structure.fixed,
            noise=SURE * outcome.errors / unit,
            stranger=_stranger(spot),
        )

    def solvable(self, situation: Situation) -> bool:
        """Whether two players are left on a street that is solved."""
        return len(situation.active) == 2 and not situation.all_in and situation.round in self.effort.depths

    def _played_out(
        self,
        spot: Spot,
        made: Sequence[int],
        tilts: Tilts,
        seed: np.random.SeedSequence,
        move: Move | None,
        deals: int,
    ) -> Solved:
        situation, effort = spot.situation, self.effort
        acts: list[Move] = [(act, None) for act in situation.legal if act != Act.RAISE]
        amounts = sorted({*raise_sizes(situation, effort.sizes), *made}) if Act.RAISE in situation.legal else []
        acts += [(Act.RAISE, to) for to in amounts]
        fixed = situation.spec.structure.fixed
        played = [(act, None if fixed else to) for act, to in acts]
        if fixed and move is not None and move[0] == Act.RAISE:
            at = len(acts) - 1
        else:
            at = acts.index(move) if move in acts else -1
        matters = max(LEAST * float(situation.spec.small_bet), SHARE * situation.pot)
        close = effort.tolerance * max(0.2 * situation.pot, float(situation.spec.small_bet))

        unit, street = float(situation.spec.small_bet), _street(spot)
        done = Act.CALL if at < 0 else acts[at][0]
        fits, stranger = [fit_of("simulated", fixed, street, kind_of(done, act)) for act, _ in acts], _stranger(spot)

        def enough(ev: Floats, errors: Floats) -> bool:
            """Whether the verdict is settled; without an action that was made, whether the best one is."""
            of = int(np.argmax(ev)) if at < 0 else at
            away, error = ev - ev[of], errors[of]
            settled = (away + 2.0 * error < matters) | (error < close)
            if at < 0:
                settled |= away > 4.0 * error
            else:
                for k, fit in enumerate(fits):
                    more, half = float(away[k]) / unit, SURE * float(error[k]) / unit
                    whole = fit.error(more, half, half, situation.pot / unit, stranger)
                    # a mistake for sure, or off by so much besides that more deals would not tell
                    settled[k] |= fit.loss(more, stranger) > _SURELY * whole
                    settled[k] |= fit.loss(half, stranger) < _NOISE * whole
            settled[of] = True
            return bool(settled.all())

        out = PlayOuts(spot, tilts, rake=self.rake).run(played, seed, most=deals, enough=enough)
        return Solved(acts, out)


def _street(spot: Spot) -> str:
    """The street, for its fits: before the flop, whether somebody has raised."""
    raised = not spot.situation.round and any(each.act == Act.RAISE for each in spot.acts)
    return RAISED if raised else ROUNDS[spot.situation.round]


def _stranger(spot: Spot) -> float:
    """How little is known of the opponents."""
    situation, reader = spot.situation, spot.reader
    assert reader is not None
    others = (situation.players[seat] for seat in situation.active if seat != situation.seat)
    return stranger_of(reader.acts_learnt(name, situation) for name in others)


def _nothing_but(legal: Sequence[Act]) -> Solved:
    """Actions of which nothing is worked out but what is exact."""
    n, draws = len(legal), len(joint_draws(1))
    none, halves = np.zeros(n), np.zeros((2, n))
    outcome = Outcome(none, np.zeros((n, n)), halves, halves, np.zeros((draws, n)), none, none)
    return Solved([(act, None) for act in legal], outcome)


def _errors(outcome: Outcome, unit: float) -> Floats:
    """Half the 95% intervals of the differences of actions: float64 (acts, acts).

    Both actions are judged by the same deals and against the same draws of the opponents.
    """
    off = (outcome.draws[:, :, None] - outcome.draws[:, None, :]).std(axis=0)
    menu = np.maximum(outcome.menu[:, None], outcome.menu[None, :])
    found: Floats = np.hypot(SURE * np.hypot(outcome.errors, off), menu) / unit
    return found


def _anchored(values: Outcome, acts: Sequence[Move], call: Call) -> Outcome:
    """Put the exact value of a call in its place, and shift raises as the call was shifted."""
    at = next(k for k, (act, _) in enumerate(acts) if act == Act.CALL)
    moved = [k for k, (act, _) in enumerate(acts) if act != Act.FOLD]
    found = []
    for array, exact in (
        (values.ev[None], call.ev), (values.chosen, call.ev), (values.measured, call.ev), (values.draws, call.draws)
    ):  # fmt: skip
        shifted = array.copy()
        shifted[:, moved] += (exact - array[:, at])[:, None]
        found.append(shifted)
    errors = values.errors.copy()
    errors[at, at] = call.error
    for k, (act, _) in enumerate(acts):
        if act == Act.FOLD:
            errors[k, at] = errors[at, k] = call.error
        elif k != at:
            errors[k, k] = values.errors[k, at]  # the rest is exact
    ev, chosen, measured, draws = found
    return replace(values, ev=ev[0], errors=errors, chosen=chosen, measured=measured, draws=draws)
