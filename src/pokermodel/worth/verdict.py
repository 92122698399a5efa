"""What every action of a real decision is worth, by the best method that fits, with an error in parts.

Three methods, the best one that fits:

``exact``
    A fold, and a call after which nobody can bet any more: the share of the pots that the hero's cards win against the
    others' ranges, counted out against one opponent and dealt against more, less the rake.
``solved``
    Two players after the flop: the street is solved up to an exploitability of 1 % of the pot
    (`pokermodel.worth.solved`). The fast way solves flops and turns with few sizes, and with samples: some hundreds of
    holdings stand for a range (`Subgame.thin`), and on flops a dozen cards for those that can come (`Subgame.deal`).
``simulated``
    All else: play-outs in which everybody acts by the reader's strategy (`pokermodel.worth.play_outs`).

Where a call is exact and there could be a raise, too, the call's value is the exact one, and what a raise adds to it is
said by the other method: a raise that is worth more by one pot of ranges and a call that is worth less by another would
be compared otherwise.

The error of a value has three parts, which are added up, since nothing says that they cancel: *method*, two
standard errors of the play-outs or how far the solution may be off; *ranges*, half of what the value changes by if the
opponents' ranges are a standard deviation stronger or weaker than the reader says, and in play-outs if they fold a
standard deviation more or less often (of both, the root of the squares); *menu*, what one size more would change. A
difference of two actions has the same parts: both are judged by the same deals and the same ranges, so that it is known
better than either value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice, check_least
from pokermodel.game import Act, Situation
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.reader import Spot
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.answers import answer_seen, fold_chance, raise_sizes
from pokermodel.worth.play_outs import NO_RAKE, Outcome, PlayOuts, Rake, Tilts
from pokermodel.worth.showdown import Call, Showdown
from pokermodel.worth.solved import Depth, Move, Solved, solved_outcome
from pokermodel.worth.worth import Verdict, Worth

__all__ = ["FAST", "FULL", "REVISION", "Effort", "VerdictAdviser"]

#: Raised when values of verdicts change: journals then do the work again.
REVISION = 3
#: Standard errors of an error: people look at the worst of many decisions, and one standard error would be passed by
#: chance in a third of them.
_SURE = 2.0
_STREETS = ("flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a verdict takes."""

    solve: str  #: The street from which on hands of two players are solved.
    sizes: tuple[float, ...]  #: Bets and raises that are played out, by the pot after a call.
    one_more: float  #: A further size, for the error of the menu.
    deals: int  #: Most deals that are played out.
    tolerance: float  #: The standard error with which play-outs end, in big blinds and fifths of the pot.
    depths: Mapping[int, Depth]  #: By round, how a street is solved.


def _later(*streets: str) -> dict[str, Any]:
    return {street: {"bets": ("75%",), "raises": ()} for street in streets}


#: As exactly as can be waited for: a river takes some hundredths of a second, a turn some seconds, a flop minutes and
#: gigabytes.
FULL = Effort(
    solve="river",
    sizes=(0.5, 1.0),
    one_more=0.75,
    deals=16384,
    tolerance=0.025,
    depths={
        1: Depth(target=1.0, first=3.0, least=0.05, seconds=120.0),
        2: Depth(target=1.0, first=3.0, least=0.02, seconds=20.0, one_more="75%"),
        3: Depth(target=0.1, first=1.0, least=0.001, seconds=10.0, one_more="75%"),
    },
)
#: In some tenths of a second, with larger errors. To solve whole ranges to 3 % of the pot took three times as long on
#: turns and was off by twice as much; to let nobody bet after the street and value its end by equity was off by three
#: times as much and more.
FAST = Effort(
    solve="flop",
    sizes=(0.75,),
    one_more=0.45,
    deals=2048,
    tolerance=0.05,
    depths={
        1: Depth(
            target=2.0,
            first=6.0,
            least=0.05,
            seconds=60.0,
            iterations=60,
            bets=("75%",),
            raises=("60%",),
            later=_later("turn", "river"),
            most_raises=3,
            most_raises_in_limit=2,
            holdings=150,
            cards=12,
            off=0.05,
        ),
        2: Depth(
            target=1.0,
            first=3.0,
            least=0.02,
            seconds=60.0,
            iterations=100,
            bets=("75%",),
            raises=("60%",),
            one_more="45%",
            later=_later("river"),
            most_raises=3,
            holdings=300,
            off=0.015,
        ),
        3: Depth(target=0.1, first=1.0, least=0.001, seconds=60.0, iterations=600, one_more="75%"),
    },
)


class VerdictAdviser(Adviser):
    """Values actions exactly, by a solution or by play-outs, whichever fits best, and says how far that may be off.

    Parameters
    ----------
    solve : {"flop", "turn", "river"}, optional
        The street from which on hands of two players are solved; before it they are played out. Default: that of the
        effort.
    rake : Rake
        What the house takes.
    fast : bool
        Whether the effort is `FAST` instead of `FULL`.
    deals : int, optional
        Most deals that are played out: 64 at least. Fewer where it is clear before. Default: those of the effort.
    effort : Effort, optional
        Another one than these two.

    Raises
    ------
    ValueError
        If there is no such street, or there are too few deals.
    """

    def __init__(
        self,
        solve: str | None = None,
        rake: Rake = NO_RAKE,
        *,
        fast: bool = False,
        deals: int | None = None,
        effort: Effort | None = None,
    ) -> None:
        self.effort = effort or (FAST if fast else FULL)
        self.solve = self.effort.solve if solve is None else solve
        check_choice("solve", self.solve, _STREETS)
        self.deals = check_least("deals", self.effort.deals if deals is None else deals, 64)
        self.rake = rake

    def with_rake(self, rake: Rake) -> VerdictAdviser:
        """Make the same adviser with another rake."""
        return VerdictAdviser(self.solve, rake, deals=self.deals, effort=self.effort)

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        if spot.reader is None:
            raise ValueError("nobody says how the others act: expected a spot with a reader")
        situation, made = spot.situation, sorted(set(also))
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
            method, solved = "simulated", self._played_out(spot, made, showdown.tilts, seeds[1])
        outcome = solved.outcome if call is None else _anchored(solved.outcome, solved.acts, call)
        exact = [act == Act.FOLD or (call is not None and act == Act.CALL) for act, _ in solved.acts]
        unit = float(situation.spec.small_bet)
        worths = []
        for k, (act, to) in enumerate(solved.acts):
            ranges = math.hypot((outcome.stronger[k] - outcome.weaker[k]) / 2, outcome.answers[k]) / unit
            worths.append(
                Worth(
                    act,
                    to,
                    float(outcome.ev[k]) / unit,
                    "exact" if exact[k] else method,
                    float(outcome.errors[k, k]) / unit,
                    ranges,
                    float(outcome.menu[k]) / unit,
                    answer_seen(spot, act, to),
                    fold_chance(spot, act, to),
                    None if solved.against is None else solved.against[k] / unit,
                )
            )
        return Verdict(
            tuple(worths),
            _errors(outcome, unit),
            situation.to_call / (situation.pot_to_win + situation.to_call) if situation.to_call else 0.0,
            share,
            unit,
            situation.pot / unit,
            solved.confidence,
            None if solved.risk is None else solved.risk / unit,
        )

    def solvable(self, situation: Situation) -> bool:
        """Whether two players are left on a street that is solved."""
        two = len(situation.active) == 2 and not situation.all_in
        return two and situation.round > _STREETS.index(self.solve)

    def _played_out(self, spot: Spot, made: Sequence[int], tilts: Tilts, seed: np.random.SeedSequence) -> Solved:
        situation, effort = spot.situation, self.effort
        acts: list[Move] = [(act, None) for act in situation.legal if act != Act.RAISE]
        amounts = sorted({*raise_sizes(situation, effort.sizes), *made}) if Act.RAISE in situation.legal else []
        raises = range(len(acts), len(acts) + len(amounts))
        acts += [(Act.RAISE, to) for to in amounts]
        extra = [to for to in raise_sizes(situation, [effort.one_more]) if to not in amounts] if amounts else []
        fixed = situation.spec.structure.fixed
        played = [(act, None if fixed else to) for act, to in (*acts, *((Act.RAISE, to) for to in extra))]
        unit = float(situation.spec.small_bet)

        def enough(ev: Floats, errors: Floats) -> bool:
            """Known well enough, or to a tenth of the difference: the worst of many are else what noise made."""
            best = int(np.argmax(ev))
            away = np.delete(ev[best] - ev, best), np.delete(errors[best], best)
            close = away[1] < effort.tolerance * max(0.2 * situation.pot, unit)
            return bool(((away[0] > 10 * away[1]) | close).all())

        out = PlayOuts(spot, tilts, rake=self.rake).run(played, seed, most=self.deals, enough=enough)
        n = len(acts)
        menu = np.zeros(n)
        if extra:
            menu[raises] = max(0.0, float(out.ev[n:].max() - out.ev[raises].max()))
        errors = _SURE * out.errors[:n, :n]
        return Solved(
            acts, Outcome(out.ev[:n], errors, out.weaker[:n], out.stronger[:n], out.answers[:n], menu, out.deals)
        )


def _nothing_but(legal: Sequence[Act]) -> Solved:
    """Actions of which nothing is worked out but what is exact."""
    n = len(legal)
    none = np.zeros(n)
    return Solved([(act, None) for act in legal], Outcome(none, np.zeros((n, n)), none, none, none, none))


def _errors(outcome: Outcome, unit: float) -> Floats:
    """How far the differences of actions may be off: float64 (acts, acts)."""
    weaker, stronger, answers = outcome.weaker / unit, outcome.stronger / unit, outcome.answers / unit
    of_method, menu = outcome.errors / unit, outcome.menu / unit
    found = np.empty(of_method.shape)
    for a in range(len(found)):
        for b in range(len(found)):
            ranges = abs((stronger[a] - stronger[b]) - (weaker[a] - weaker[b])) / 2
            of_ranges = math.hypot(float(ranges), float(answers[a] - answers[b]))
            found[a, b] = float(of_method[a, b]) + of_ranges + max(menu[a], menu[b])
    return found


def _anchored(values: Outcome, acts: Sequence[Move], call: Call) -> Outcome:
    """Put the exact value of a call in its place, and shift raises as the call was shifted."""
    ev, weaker, stronger = values.ev.copy(), values.weaker.copy(), values.stronger.copy()
    errors, answers = values.errors.copy(), values.answers.copy()
    at = next(k for k, (act, _) in enumerate(acts) if act == Act.CALL)
    raises = [k for k, (act, _) in enumerate(acts) if act == Act.RAISE]
    for array, exact in ((weaker, call.ev[0]), (ev, call.ev[1]), (stronger, call.ev[2])):
        shift = exact - array[at]
        array[raises] += shift
        array[at] = exact
    answers[raises] -= answers[at]
    answers[at] = 0.0
    errors[at, at] = call.error
    for k, (act, _) in enumerate(acts):
        if act == Act.FOLD:
            errors[k, at] = errors[at, k] = call.error
        elif k != at:
            errors[k, k] = values.errors[k, at]  # the rest is exact
    return Outcome(ev, errors, weaker, stronger, answers, values.menu, values.deals)
