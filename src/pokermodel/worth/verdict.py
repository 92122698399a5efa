"""Was it right? What every act of a real decision is worth, by the best method that fits, with an error in parts.

Three methods, the best one that fits:

``exact``
    A fold, and a call after which nobody can bet any more: the share of the pots that the hero's cards win against what
    the others can hold, counted out against one opponent and dealt against more, less the rake.
``solved``
    Two players after the flop: the street is solved with the ranges that the reader has at its beginning, up to an
    exploitability of 1 % of the pot. Values are those of an equilibrium from there on, in which the hero answers best
    after the act: a solution hardly knows what a holding does after an act that it hardly ever takes, and would say of
    such a check that it loses half of the pot to a bet that the hero may fold to. The fast way solves flops and
    turns with few sizes, and with samples: some hundreds of holdings stand for a range (`Subgame.thin`), and on flops a
    dozen cards for those that can come (`Subgame.deal`).
``simulated``
    All else: play-outs in which everybody acts by the reader's strategy (`pokermodel.worth.play_outs`).

Where a call is exact and there could be a raise, too, the call's value is the exact one, and what a raise adds to it is
said by the other method: a raise that is worth more by one pot of ranges and a call that is worth less by another would
be compared otherwise.

The error of a value has three parts, which are added up, since nothing says that they cancel: *method*, two
standard errors of the play-outs or how far the solution may be off; *ranges*, half of what the value changes by if the
opponents' ranges are a standard deviation stronger or weaker than the reader says, and in play-outs if they fold a
standard deviation more or less often (of both, the root of the squares); *menu*, what one size more would change. A
difference of two acts has the same parts: both are judged by the same deals and the same ranges, so that it is known
better than either value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice, check_least
from pokermodel.cards import holding_index, live_holdings
from pokermodel.game import Act, BettingStructure, Decision, Situation
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.spot import Spot
from pokermodel.solving import Solution, Subgame, locks_from
from pokermodel.solving.solver import solve_whole as solve
from pokermodel.worth.adviser import Adviser, own_cards
from pokermodel.worth.answers import answer, price_seen
from pokermodel.worth.myopic import raise_sizes
from pokermodel.worth.play_outs import NO_RAKE, PlayOuts, Rake, Tilts
from pokermodel.worth.showdown import Call, Showdown
from pokermodel.worth.worth import ActWorth, AgainstThem, Verdict

__all__ = ["VerdictAdviser"]

#: Raised when values of verdicts change: journals then do the work again.
REVISION = 1
# of these pairs the second one is for the fast way
#: Sizes of bets and raises that are looked at, by the pot after a call, and one more for the error of the menu.
_SIZES, _ONE_MORE = ((0.5, 1.0), (0.75,)), (0.75, 0.45)
#: Deals that are played out at most, and the standard error with which they end, in big blinds and fifths of the pot.
_DEALT, _TOLERANCES = (16384, 2048), (0.025, 0.05)
#: Standard errors that are said: of many decisions the worst are looked at, where one would be passed by chance in each
#: third of them.
_SURE = 2.0


class Depth(NamedTuple):
    """How a street is solved.

    Attributes
    ----------
    target : float
        The exploitability to reach, in per cent of the pot.
    first : float
        A larger one, at which values are looked at before: what they move by from there on is part of their error.
        What a solution may be exploited by is a mean over holdings and acts, and says little of one act of one holding.
    least : float
        The share of the likeliest holding's weight below which holdings are left out. On a river few are: thin ones
        together are a part that matters.
    seconds, iterations : float
        After which solving ends in any case. The fast way goes by iterations, which are the same on a busy machine.
    bets, raises : tuple of str, optional
        Sizes; None for the usual ones.
    one_more : str, optional
        A size of bets that the error of the menu is found by; None for no such error.
    later : mapping of str to mapping
        Menus of later streets, where they are not the same.
    most_raises, most_raises_in_limit : int, optional
        Bets and raises of a street, those that were made and one more at least.
    holdings, cards : int, optional
        A sample of each range, and of the cards to come, of this size (`Subgame.thin`, `Subgame.deal`).
    off : float
        How far differences of values are off by those samples and by the target, as a standard deviation, in shares of
        the pot.
    """

    target: float
    first: float
    least: float
    seconds: float
    iterations: int = 100_000
    bets: tuple[str, ...] | None = None
    raises: tuple[str, ...] | None = None
    one_more: str | None = None
    later: Mapping[str, Any] = {}
    most_raises: int | None = None
    holdings: int | None = None
    cards: int | None = None
    off: float = 0.0
    most_raises_in_limit: int | None = None


def _later(*streets: str) -> dict[str, Any]:
    return {street: {"bets": ("75%",), "raises": ()} for street in streets}


#: The usual bets of a street that is solved.
_BETS = ("50%", "100%", "all-in")
# By street. The alternatives of the fast way were to solve whole ranges to 3 % of the pot, which took three times as
# long on turns and was off by twice as much; and to let nobody bet after the street and value its end by equity, which
# was off by three times as much and more.
_FULL = {
    1: Depth(1.0, 3.0, 0.05, 120.0),
    2: Depth(1.0, 3.0, 0.02, 20.0, one_more="75%"),
    3: Depth(0.1, 1.0, 0.001, 10.0, one_more="75%"),
}
_FAST = {
    1: Depth(2.0, 6.0, 0.05, 60.0, 60, ("75%",), ("60%",), None, _later("turn", "river"), 3, 150, 12, 0.05, 2),
    2: Depth(1.0, 3.0, 0.02, 60.0, 100, ("75%",), ("60%",), "45%", _later("river"), 3, 300, None, 0.015),
    3: _FULL[3]._replace(seconds=60.0, iterations=600),
}
_STREETS = ("flop", "turn", "river")


class _Values(NamedTuple):
    """Values of acts in chips, by one method."""

    ev: Floats
    weaker: Floats
    stronger: Floats
    errors: Floats  # of differences; of values on the diagonal
    menu: Floats
    answers: Floats  # by how much acts are worth more if the others fold a standard deviation more


class VerdictAdviser(Adviser):
    """Values acts exactly, by a solution or by play-outs, whichever fits best, and says how far that may be off.

    Parameters
    ----------
    solve : {"flop", "turn", "river"}, optional
        The street from which on hands of two players are solved; before it they are played out. A river takes some
        hundredths of a second, a turn some seconds, a flop minutes and gigabytes. Default: the river, fast the flop.
    rake : Rake
        What the house takes.
    fast : bool
        Whether fewer sizes are looked at, and play-outs end earlier, with larger errors. Flops and turns of two players
        are solved with one size of a bet, or few raises in limit, and with samples of ranges and cards, in some tenths
        of a second.
    deals : int, optional
        Most deals that are played out: 64 at least. Fewer where it is clear before. Default: 16,384, fast 2,048.

    Raises
    ------
    ValueError
        If there is no such street, or there are too few deals.
    """

    structures = frozenset(BettingStructure)

    def __init__(
        self,
        solve: str | None = None,
        rake: Rake = NO_RAKE,
        *,
        fast: bool = False,
        deals: int | None = None,
    ) -> None:
        chosen = ("flop" if fast else "river") if solve is None else solve
        check_choice("solve", chosen, _STREETS)
        self.solve_from = 1 + _STREETS.index(chosen)
        self.deals = check_least("deals", _DEALT[fast] if deals is None else deals, 64)
        self.rake = rake
        self.fast = fast
        self.depths = dict(_FAST if fast else _FULL)

    @classmethod
    def like(cls, other: VerdictAdviser, rake: Rake) -> VerdictAdviser:
        """One with the options of another, and another rake."""
        return cls(_STREETS[other.solve_from - 1], rake, fast=other.fast, deals=other.deals)

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        own, situation = own_cards(spot), spot.situation
        if spot.reader is None:
            raise ValueError("nobody says how the others act: expected a spot with a reader")
        made = sorted(set(also))
        seeds = as_seed_sequence(rng).spawn(2)
        showdown = Showdown(spot, self.rake, seeds[0])
        share = showdown.share()
        call = showdown.call()
        raising = Act.RAISE in situation.legal
        acts: list[tuple[Act, int | None]] = [(act, None) for act in situation.legal if act != Act.RAISE]
        method = "exact"
        values: _Values | None = None
        against: AgainstThem | None = None
        if raising or call is None:
            if self.solvable(spot):
                method = "solved"
                try:
                    acts, values, against = self._solved(spot, own, made, showdown.tilts)
                except ValueError:  # what the tree cannot have, a range that it rules out, or stacks that are not known
                    values = None
            if values is None:
                method = "simulated"
                acts, values = self._simulated(spot, made, showdown.tilts, seeds[1])
        n = len(acts)
        if values is None:
            values = _Values(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros((n, n)), np.zeros(n), np.zeros(n))
        methods = ["exact" if act == Act.FOLD else method for act, _ in acts]
        if call is not None:
            values = _anchored(values, acts, call)
            methods = ["exact" if act != Act.RAISE else each for (act, _), each in zip(acts, methods, strict=True)]
        unit = situation.spec.small_bet
        rows = []
        for k, (act, to) in enumerate(acts):
            ranges = math.hypot((values.stronger[k] - values.weaker[k]) / 2, values.answers[k]) / unit
            parts = float(values.errors[k, k]) / unit, ranges, float(values.menu[k]) / unit
            rows.append(
                ActWorth(
                    act, to, float(values.ev[k]) / unit, methods[k], *parts, _seen(spot, act, to), _folds(spot, act, to)
                )
            )
        return Verdict(
            tuple(rows),
            situation.to_call / (situation.pot_to_win + situation.to_call) if situation.to_call else 0.0,
            share,
            float(unit),
            values.weaker / unit,
            values.stronger / unit,
            values.errors / unit,
            values.answers / unit,
            against,
        )

    # -------------------------------------------------------------------------------------------- by a solution

    def solvable(self, spot: Spot) -> bool:
        """Whether two players are left in a street that is solved."""
        situation = spot.situation
        return situation.round >= self.solve_from and len(situation.active) == 2 and not situation.all_in

    def _solved(
        self, spot: Spot, own: tuple[int, int], made: Sequence[int], tilts: Tilts
    ) -> tuple[list[tuple[Act, int | None]], _Values, AgainstThem | None]:
        situation, reader = spot.situation, spot.reader
        assert reader is not None
        session = OpponentModeler(deepcopy(reader) if reader.learns_acts else reader, learning=False)
        depth = self.depths[situation.round]
        acts, row, errors, solution = self._row(spot, session, own, made, tilts, depth)
        menu = np.zeros(len(acts))
        if depth.one_more is not None and not situation.spec.structure.fixed:
            richer = depth._replace(bets=tuple(dict.fromkeys([*(depth.bets or _BETS), depth.one_more])))
            others, again, _, _ = self._row(spot, session, own, made, tilts, richer)
            wider = dict(zip(others, again[1], strict=True))
            for k, (move, ev) in enumerate(zip(acts, row[1].tolist(), strict=True)):
                menu[k] = abs(wider[move] - ev) if move in wider and move[0] != Act.FOLD else 0.0
        n = len(acts)
        errors += _SURE * depth.off * situation.pot
        fold = [k for k, (act, _) in enumerate(acts) if act == Act.FOLD]
        errors[fold, fold] = 0.0
        row[:, fold] = 0.0
        against = _against_them(solution, session, own, acts, situation, depth) if situation.round == 3 else None
        return acts, _Values(row[1], row[0], row[2], errors, menu, np.zeros(n)), against

    def _row(
        self,
        spot: Spot,
        session: OpponentModeler,
        own: tuple[int, int],
        made: Sequence[int],
        tilts: Tilts,
        depth: Depth,
    ) -> tuple[list[tuple[Act, int | None]], Floats, Floats, Solution]:
        """Acts, their values against weaker ranges, as they are and stronger, and how far these are off.

        The last are of differences of two acts, and of values on the diagonal.
        """
        street, fixed = spot.situation.round, spot.situation.spec.structure.fixed
        more: dict[str, Any] = {}
        if self.rake.share:
            more = {"rake": self.rake.share, "rake_cap": self.rake.cap if math.isfinite(self.rake.cap) else None}
        if not fixed:
            more |= {"bets": depth.bets, "raises": depth.raises, "streets": depth.later}
        most = depth.most_raises_in_limit if fixed else depth.most_raises
        if most is not None:
            raised = sum(each.round == street and each.act == Act.RAISE for each in spot.acts)
            more["most_raises"] = max(most, raised + 1)
        subgame = Subgame.from_spot(spot, session, also=made, **more)
        played = subgame.played
        assert played is not None
        keep = {played.player: own}
        subgame = subgame.trim(depth.least, keep)
        if depth.holdings is not None:
            subgame = subgame.thin(depth.holdings, keep)
        if depth.cards is not None:
            subgame = subgame.deal(depth.cards, own, played.player)
        index = holding_index(own)
        solution: Solution = solve(subgame, depth.first, depth.seconds, jobs=1, iterations=depth.iterations)
        before = solution.ev(played.node).best_of_acts[index]
        left = max(1, depth.iterations - solution.iterations)
        solution = solve(subgame, depth.target, depth.seconds, jobs=1, iterations=left, start=solution)
        (tilt,) = tilts.values()
        found = [solution.ev(played.node, factors=np.exp(z * tilt)) for z in (-1.0, 0.0, 1.0)]
        values = np.array([each.best_of_acts[index] for each in found])
        if not np.isfinite(values).all():
            raise ValueError("the hero's cards never come to the node")
        acts: list[tuple[Act, int | None]] = []
        most = spot.situation.most_raise
        for act in found[1].acts:
            if act.to is None:
                acts.append((Act.FOLD if act.name == "fold" else Act.CALL, None))
            else:
                to = round(act.to)
                # what puts a shorter stack all-in may be less than a whole raise; nobody can call more than it
                to = max(to, spot.situation.least_raise or 0)
                acts.append((Act.RAISE, to if most is None else min(to, most)))
        sizes = [to for act, to in acts if act == Act.RAISE and to is not None]
        for to in made if not fixed else ():  # the tree rounds, and may make it all-in
            if not sizes:
                raise ValueError("the tree has no bet or raise")
            near = sizes[int(np.abs(np.array(sizes) - to).argmin())]
            if abs(near - to) > 0.15 * to and near != min(to, max(sizes)):  # nobody can call more than the largest
                raise ValueError("the tree does not have the size that was made")
            acts[acts.index((Act.RAISE, near))] = Act.RAISE, to
        if fixed:
            acts = [(act, spot.situation.least_raise if act == Act.RAISE else None) for act, _ in acts]
        # chips are coarser than the tree's: of sizes that they do not tell apart the nearest one is the act
        one: dict[tuple[Act, int | None], int] = {}
        off = [abs((act.to or 0) - (to or 0)) for act, (_, to) in zip(found[1].acts, acts, strict=True)]
        for k in sorted(range(len(acts)), key=off.__getitem__):
            one.setdefault(acts[k], k)
        order = sorted(one.values(), key=lambda k: (acts[k][0], acts[k][1] or 0))
        moved = (values[1] - before)[order]
        errors = np.abs(moved[:, None] - moved)
        np.fill_diagonal(errors, np.abs(moved))
        return [acts[k] for k in order], values[:, order], errors + float(found[1].gap[index]), solution

    # -------------------------------------------------------------------------------------------- by play-outs

    def _simulated(
        self, spot: Spot, made: Sequence[int], tilts: Tilts, seed: np.random.SeedSequence
    ) -> tuple[list[tuple[Act, int | None]], _Values]:
        situation = spot.situation
        acts: list[tuple[Act, int | None]] = [(act, None) for act in situation.legal if act != Act.RAISE]
        amounts = sorted({*raise_sizes(situation, _SIZES[self.fast]), *made}) if Act.RAISE in situation.legal else []
        acts += [(Act.RAISE, to) for to in amounts]
        extra = [to for to in raise_sizes(situation, [_ONE_MORE[self.fast]]) if to not in amounts] if amounts else []
        asked: list[tuple[Act, int | None]] = [*acts, *[(Act.RAISE, to) for to in extra]]
        fixed = situation.spec.structure.fixed
        played = [(act, None if fixed else to) for act, to in asked]
        unit = float(situation.spec.small_bet)

        def enough(ev: Floats, errors: Floats) -> bool:
            """Known well enough, or to a tenth of the difference: the worst of many are else what noise made."""
            best = int(np.argmax(ev))
            away = np.delete(ev[best] - ev, best), np.delete(errors[best], best)
            close = away[1] < _TOLERANCES[self.fast] * max(0.2 * situation.pot, unit)
            return bool(((away[0] > 10 * away[1]) | close).all())

        out = PlayOuts(spot, tilts, rake=self.rake).run(played, seed, most=self.deals, enough=enough)
        n = len(acts)
        menu = np.zeros(n)
        raises = [k for k, (act, _) in enumerate(acts) if act == Act.RAISE]
        if extra and raises:
            menu[raises] = max(0.0, float(out.ev[n:].max() - out.ev[raises].max()))
        return acts, _Values(
            out.ev[:n], out.weaker[:n], out.stronger[:n], _SURE * out.errors[:n, :n], menu, out.answers[:n]
        )


def _against_them(
    solution: Solution,
    session: OpponentModeler,
    own: tuple[int, int],
    acts: Sequence[tuple[Act, int | None]],
    situation: Situation,
    depth: Depth,
) -> AgainstThem | None:
    """The answer to the opponent as the reader knows them; None where the reader does not say how much it knows."""
    subgame, played = solution.subgame, solution.subgame.played
    assert played is not None
    try:
        locks = locks_from(session, subgame, 1 - played.player)
        answer = solve(subgame, depth.target, depth.seconds, locks=locks, jobs=1)
        values = answer.ev(played.node)
    except ValueError:
        return None
    worth = values.best_of_acts[holding_index(own)].tolist()
    # both trees are one, so that values stand in the same order: fold, check or call, rising sizes
    found = sorted(
        zip(values.acts, worth, strict=True),
        key=lambda each: (each[0].name not in ("fold", "check", "call"), each[0].name != "fold", each[0].to or 0),
    )
    if len(found) != len(acts) or not np.isfinite(worth).all():
        return None
    unit = situation.spec.small_bet
    confidence = float(np.mean([lock.confidence for lock in locks])) if locks else 0.0
    risk = max(0.0, solution.worst_case(played.player) - answer.worst_case(played.player)) / unit
    return AgainstThem(tuple(ev / unit for _, ev in found), confidence, risk)


def _anchored(values: _Values, acts: Sequence[tuple[Act, int | None]], call: Call) -> _Values:
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
    return _Values(ev, weaker, stronger, errors, values.menu, answers)


def _seen(spot: Spot, act: Act, to: int | None) -> bool:
    """Whether the reader has seen the price at which the next opponent answers an act."""
    situation = spot.situation
    if act != Act.RAISE or situation.spec.structure.fixed:
        return True
    after = spot.state.copy()
    after.act(act, to)
    if after.over or after.round != situation.round:
        return True
    return price_seen(Situation.of(after, situation.players, situation.board))


def _folds(spot: Spot, act: Act, to: int | None) -> float | None:
    """How likely everybody folds to a bet or raise; players who could not be asked any more never do."""
    situation, reader = spot.situation, spot.reader
    if act != Act.RAISE:
        return None
    assert reader is not None
    state, asked, found = spot.state.copy(), situation, 1.0
    made: list[Decision] = []
    put_in = state.act(act, None if situation.spec.structure.fixed else to)
    live = live_holdings(situation.board + own_cards(spot))
    while not state.over and state.round == situation.round and state.seat != situation.seat:
        made.append(Decision("", "", len(made), asked, act, put_in))
        asked = Situation.of(state, situation.players, situation.board)
        weights = spot.likely(asked.seat) * live
        folds = answer(reader, spot.at(asked, made))[:, Act.FOLD]
        found *= float((weights * folds).sum() / weights.sum()) if weights.any() else 0.0
        act, put_in = Act.FOLD, state.act(Act.FOLD)
    return found if state.over and not state.showdown else 0.0
