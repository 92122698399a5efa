"""The simulator: trials of a decision, on several threads, until the choice is obvious.

A trial deals cards to everybody by their tables and plays the hand out once for a call and once for a raise (Billings,
Peña, Schaeffer and Szafron 1999: selective sampling). Both branches have the same cards and the same draws, so common
luck cancels out of their difference. The alternative to sampling, an exact tree, is out of reach with several
opponents; with two players left a solver has it.

Trials come in chunks, each with a stream of its own, in the order of the chunks: results depend neither on the number
of threads nor on which one is quicker.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.dealing import Deals
from pokermodel._core.playout import Loki1Rules, Scene
from pokermodel._core.rules import State
from pokermodel._support.arrays import Bytes, Floats, Words
from pokermodel._support.checks import check_choice, check_jobs, check_least
from pokermodel._support.parallel import map_threads
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices, cards_text, holding_index, live_holdings
from pokermodel.classics.loki2.triples import TripleGenerator
from pokermodel.classics.simulation.advice import Advice, BranchEstimate, StopRule, TrialLog, choose, is_obvious
from pokermodel.classics.simulation.position import HasPosition, check_position
from pokermodel.classics.simulation.strengths import (
    FieldArray,
    StrengthCache,
    TrialPotential,
    merge_fields,
    strength_cache,
    uniform_field,
)
from pokermodel.evaluation.dealing import DealingMode, RangeLike, folded_weights, stack_ranges
from pokermodel.game import Act
from pokermodel.randomness import RandomLike, as_seed_sequence, stream_words
from pokermodel.weights import WeightTable

__all__ = ["Simulator", "TrialStrength"]

#: Against what strengths are taken in trials: the opponents' tables, or any holding.
TrialStrength: TypeAlias = Literal["tables", "uniform"]

#: Number of trials after which the rule to stop is first checked; the next checks are after twice as many each.
FIRST_LOOK = 64

_clock = time.monotonic

_MOST_ACTS = 512
_SEATS = 23
_CHUNKS = ((FIRST_LOOK, 0), (8 * FIRST_LOOK, 8 * FIRST_LOOK), (64 * FIRST_LOOK, 64 * FIRST_LOOK))  # size, from where on


class _Ready(NamedTuple):
    """Everything prepared for a board and tables, kept while these stay the same."""

    key: tuple[Any, ...]
    tables: Floats  # (players, 1326)
    images: Floats  # of the hero, (2, 1326)
    deals: Deals
    weights: Floats  # of the fields, (fields, 1326)
    fields: tuple[tuple[int, ...], ...]  # by branch and seat


class Simulator:
    """Estimates the value of fold, call and raise by playing the hand out many times.

    Parameters
    ----------
    policy : {"triples", "call", "loki1"}, Loki1Rules or capsule
        How all players act after the hero's first act: by probability triples, by always calling (a cheap variant), or
        by Loki-1's rules, as Loki-2 simulated where it did not act by triples. `Loki1Rules` sets their options. A
        capsule named ``"pokermodel.policy"`` holds a C function, see ``pokermodel/dealing/playout.h``.
    generator : TripleGenerator, optional
        Triples of the players for whom `run` gets no generator of their own. Default: those of Loki-2's own play.
    dealing : {"joint", "published"}
        How cards are dealt.
    stop : {"paired", "published", "none"}
        Rule that ends a simulation before all trials are done.
    field : {"mean", "maximum"}
        How the tables of a player's opponents are merged into one; see `pokermodel.classics.loki1.field.field_array`.
    strength : {"tables", "uniform"}
        Whether the players of a trial judge their holdings against the tables of their opponents, or against any
        holding. Cards are dealt by the tables either way.
    potential : {"exact", "crude", "none"}
        Potential of the players of a trial on flop and turn: exact for one card to come, PPOTc (without negative
        potential), or none. The last two take a fraction of the time.
    stratified : bool
        Have each turn card come once in each cycle of trials, and its rivers without replacement; see `Dealer`.
    seconds : float, optional
        Time for a decision, after which a simulation ends; see Notes. Default: as long as it takes.
    jobs : int, optional
        Number of threads; one per processor if None. The result does not depend on it, unless the time is over.
    cache : StrengthCache, optional
        Cache of strengths from one decision to the next. Default: one that the process shares.

    Raises
    ------
    ValueError
        If an option is unknown or out of range.

    Notes
    -----
    For triples of the form ``reweighting`` the value of a holding is ``HS1 + (1 - HS1)*PPOT``, with the potential of
    the trials in place of PPOTc. For the other forms it is ``HSn + (1 - HSn)*PPOT``, where n is the number of opponents
    that have not folded in the play-out.

    With ``seconds`` (Billings et al. 1999, ICML, section 5: "a maximum of two seconds"), a simulation ends when the
    time is over. The clock is looked at after each chunk of trials: 64 of them up to the 512th, 512 up to the 4,096th,
    4,096 from there on. So at least 64 trials are done, or all if there are fewer, and a decision takes longer than the
    limit by what is then under way. How many trials fit depends on the machine, on what else it does and on the number
    of threads, and so do results that were cut short. If the time suffices, the result is the same as without a limit.

    A simulator may be shared between threads, copied and pickled. What it keeps from one decision to the next is not in
    copies and pickles, and a capsule cannot be pickled.

    Examples
    --------
    >>> from pokermodel.classics.simulation import Position
    >>> import pokermodel as pm
    >>> hand = pm.example_hand()
    >>> modeler = pm.OpponentModeler("loki2", folded_tables=True)
    >>> for decision in hand.replay():
    ...     if decision.round == 1:
    ...         break
    ...     observation = modeler.observe(decision)
    >>> position, tables = Position.before(hand, decision.index), modeler.simulation_tables()
    >>> advice = Simulator().run(position, hand.holdings[decision.seat], tables, trials=500, rng=1)
    >>> advice.ev.shape, bool(advice.ev[0] == 0), 64 <= advice.trials <= 500
    ((3,), True, True)
    """

    def __init__(
        self,
        *,
        policy: Literal["triples", "call", "loki1"] | Loki1Rules | object = "triples",
        generator: TripleGenerator | None = None,
        dealing: DealingMode = "joint",
        stop: StopRule = "paired",
        field: FieldArray = "mean",
        strength: TrialStrength = "tables",
        potential: TrialPotential = "exact",
        stratified: bool = False,
        seconds: float | None = None,
        jobs: int | None = 1,
        cache: StrengthCache | None = None,
    ) -> None:
        for what, value, choices in (
            ("way of dealing", dealing, get_args(DealingMode)),
            ("rule to stop", stop, get_args(StopRule)),
            ("way to merge a field", field, get_args(FieldArray)),
            ("strength", strength, get_args(TrialStrength)),
            ("potential", potential, get_args(TrialPotential)),
        ):
            check_choice(what, value, choices)
        if isinstance(policy, str) and policy not in ("triples", "call", "loki1"):
            raise ValueError(f"unknown policy {policy!r}: expected 'triples', 'call', 'loki1', rules or a capsule")
        self.policy = policy
        self.generator = TripleGenerator() if generator is None else generator
        self.dealing: DealingMode = dealing
        self.stop: StopRule = stop
        self.field: FieldArray = field
        self.strength: TrialStrength = strength
        self.potential: TrialPotential = potential
        self.stratified = stratified
        self.seconds = _check_seconds(seconds)
        self.jobs = check_jobs(jobs)
        self.cache = strength_cache if cache is None else cache
        self._ready: _Ready | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_ready": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self.policy)] = self.policy  # never changed; there are no copies of a capsule
        other = memo[id(self)] = object.__new__(type(self))
        other.__dict__.update(deepcopy(self.__getstate__(), memo))
        return other

    def run(
        self,
        state: HasPosition | tuple[State, CardsLike],
        holding: CardsLike,
        tables: Mapping[int, RangeLike] | Sequence[RangeLike],
        trials: int = 500,
        rng: RandomLike = None,
        *,
        images: tuple[RangeLike, RangeLike] | None = None,
        generators: Mapping[int, TripleGenerator] | None = None,
        semi_bluff: bool = False,
        log: bool = False,
        seconds: float | None = None,
    ) -> Advice:
        """Simulate a decision.

        Parameters
        ----------
        state : Position, player's view, or tuple of (State, cards)
            The state of the hand and the board. The hero is the player to act, after the flop.
        holding : cards
            The hero's two cards.
        tables : mapping of int to range, or sequence of ranges
            Range of each seat: a weight table, weights or range text. That of the hero's seat is the range that the
            opponents ascribe to the hero. None, or a missing seat, is any holding; for a player who folded, it is
            `folded_weights`. See `OpponentModeler.simulation_tables`.
        trials : int
            Largest number of trials, 2 or more.
        rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
            Source of randomness.
        images : pair of ranges, optional
            Ranges that the opponents ascribe to the hero after a check or call, and after a bet or raise; see
            `OpponentModeler.imagine`. By default, the range before the act.
        generators : mapping of int to TripleGenerator, optional
            Triples of certain seats.
        semi_bluff : bool
            Whether the hero has begun a semi-bluff.
        log : bool
            Keep every trial, which takes about a kilobyte each.
        seconds : float, optional
            Time for this decision; by default that of the simulator.

        Raises
        ------
        ValueError
            If no player is to act, the hand is before the flop, cards or tables do not fit, no deal is possible, or
            `seconds` is not positive.
        """
        allowed = self.seconds if seconds is None else _check_seconds(seconds)
        end = math.inf if allowed is None else _clock() + allowed
        position, board = check_position(state)
        check_least("trials", trials, 2)
        own = card_indices(holding)
        holding_index(own)
        if set(own) & set(board):
            raise ValueError(f"{cards_text(own)} shares a card with the board {cards_text(board)}")
        hero = position.seat
        ready = self._prepare(position, own, board, tables, images)
        scene = Scene(position, own, board, ready.fields, self._policies(position, generators), semi_bluff)
        legal = position.legal()
        can_fold, can_raise = Act.FOLD in legal, Act.RAISE in legal
        seed = as_seed_sequence(rng)
        values, weights = np.empty((trials, 2)), np.empty(trials)
        acts = np.zeros((2, position.players, 4, 3, 3), np.uint64)
        folded = np.zeros(2, np.uint64)
        logs: list[_ChunkLog] = []
        small_bet = position.spec.bets[0]
        key, runouts = 0, None
        if ready.deals.stratified:
            key = int(seed.generate_state(1, np.uint64)[0])
            runouts = np.empty((trials, ready.deals.stratified), np.uint8)
            ready.deals.runouts(key, 0, runouts)

        def estimated(done: int) -> BranchEstimate:
            if not weights[:done].any():
                raise ValueError(f"the tables hardly admit a deal: {done} trials found no holdings for their boards")
            return BranchEstimate.of(values[:done], weights[:done], None if runouts is None else runouts[:done])

        def play(chunk: tuple[slice, Words]) -> tuple[int, Words, Words, Any]:
            rows, words = chunk
            some_acts, some_folded = np.zeros_like(acts), np.zeros_like(folded)
            kept = _ChunkLog.empty(rows.stop - rows.start) if log else None
            to_log: tuple[NDArray[np.int8] | None, Bytes | None, Bytes | None] = kept or (None, None, None)
            strengths = self.cache.take(board[:3], ready.weights, self.potential)
            scene.play(
                ready.deals,
                strengths,
                words,
                values[rows],
                weights[rows],
                some_acts,
                some_folded,
                *to_log,
                key,
                rows.start,
            )
            self.cache.give(strengths, ready.weights)
            values[rows] /= small_bet
            return rows.stop, some_acts, some_folded, kept

        done, look, stopped = 0, FIRST_LOOK, "trials"
        for done, some_acts, some_folded, kept in map_threads(play, _chunks(trials, seed), min(self.jobs, trials)):
            acts += some_acts
            folded += some_folded
            if kept is not None:
                logs.append(kept)
            if done == look:
                look *= 2
                checked = self.stop != "none" and done < trials
                if checked and is_obvious(estimated(done), can_fold, can_raise, self.stop):
                    stopped = "obvious"
                    break
            if allowed is not None and done < trials and _clock() >= end:
                stopped = "time"
                break
        if not can_raise:
            values[:done, 1] = np.nan
        estimate = estimated(done)
        values, weights = values[:done], weights[:done]
        ev = np.concatenate([[0.0], estimate.mean])
        return Advice(
            ev=ev,
            standard_error=np.concatenate([[0.0], estimate.error]),
            deviation=np.concatenate([[0.0], estimate.deviation]),
            paired_standard_error=estimate.difference_error,
            trials=done,
            action=choose(ev, can_fold, can_raise),
            stopped=stopped,  # type: ignore[arg-type]  # one of the three
            legal=tuple(legal),
            raise_to=(position.raise_range() or (None,))[0],
            acts=acts,
            own_folds=folded / done,
            seat=hero,
            log=_ChunkLog.join(logs, values, weights, position.players, can_raise) if log else None,
        )

    def _policies(self, state: State, generators: Mapping[int, TripleGenerator] | None) -> list[object]:
        policy: object = self.policy
        if policy == "loki1":
            policy = Loki1Rules()
        elif policy == "call":
            policy = None
        if policy != "triples":
            if generators:
                raise ValueError("generators are only used with policy='triples'")
            return [policy] * state.players
        named = dict(generators or {})
        if not set(named) <= set(range(state.players)):
            raise ValueError(f"generators are for seats 0..{state.players - 1}, got {sorted(named)}")
        return [named.get(seat, self.generator).core for seat in range(state.players)]

    def _prepare(
        self,
        state: State,
        own: tuple[int, ...],
        board: tuple[int, ...],
        tables: Mapping[int, RangeLike] | Sequence[RangeLike],
        images: tuple[RangeLike, RangeLike] | None,
    ) -> _Ready:
        """Return everything that does not depend on chance, from the run before if it still fits."""
        active, hero = state.active, state.seat
        rows = _tables(tables, state, hero, self.dealing) * live_holdings(board)
        seen = rows[[hero, hero]] if images is None else stack_ranges(images) * live_holdings(board)
        if seen.shape != (2, N_HOLDINGS):
            raise ValueError(f"images must be 2 ranges, after a call and after a raise, got {len(seen)}")
        key = (board, own, active, hero, self.dealing, self.field, self.stratified)
        before = self._ready
        if (
            before is not None
            and before.key == key
            and np.array_equal(before.tables, rows)
            and np.array_equal(before.images, seen)
        ):
            return before
        others = [seat for seat in range(state.players) if seat != hero]
        for seat in others:
            if seat not in active and not rows[seat].any():  # the board has what the player would have folded
                rows[seat] = folded_weights(self.dealing) * live_holdings(board)
            if not rows[seat].any():
                raise ValueError(f"seat {seat} has no holding that is possible on the board {cards_text(board)}")
        deals = Deals(np.ascontiguousarray(rows[others]), board, own, self.dealing == "joint", self.stratified)
        if self.strength == "uniform":
            weights, fields = uniform_field(live_holdings(board).astype(np.float64), active, state.players)
        else:
            branches = rows.copy(), rows.copy()
            branches[0][hero], branches[1][hero] = seen
            weights, fields = merge_fields(branches, active, self.field)
        self._ready = ready = _Ready(key, rows, seen, deals, weights, fields)
        return ready


def _tables(
    tables: Mapping[int, RangeLike] | Sequence[RangeLike], state: State, hero: int, dealing: DealingMode
) -> Floats:
    players = state.players
    given: list[RangeLike]
    if isinstance(tables, WeightTable):
        raise ValueError("expected a table for each seat, got one weight table")
    if isinstance(tables, Mapping):
        if not set(tables) <= set(range(players)):
            raise ValueError(f"tables are for seats 0..{players - 1}, got {sorted(tables)}")
        given = [tables.get(seat) for seat in range(players)]
    else:
        given = list(tables)
        if len(given) != players:
            raise ValueError(f"expected a table for each of {players} seats, got {len(given)}")
    for seat in range(players):
        if seat not in state.active and (given[seat] is None or dealing == "published"):
            given[seat] = folded_weights(dealing)
    return stack_ranges(given)


def _check_seconds(seconds: float | None) -> float | None:
    if seconds is not None and not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a positive number, got {seconds}")
    return seconds


def _chunks(trials: int, seed: np.random.SeedSequence) -> Iterator[tuple[slice, Words]]:
    """Yield chunks of trials, each with the state of its own random generator."""
    ends = []
    end = 0
    while end < trials:
        end += next(size for size, begin in reversed(_CHUNKS) if end >= begin)
        ends.append(min(end, trials))
    start = 0
    for end, words in zip(ends, stream_words(seed, len(ends)), strict=True):
        yield slice(start, end), words
        start = end


class _ChunkLog(NamedTuple):
    acts: NDArray[np.int8]
    cards: Bytes
    boards: Bytes

    @classmethod
    def empty(cls, n: int) -> _ChunkLog:
        return cls(
            np.full((n, 2, _MOST_ACTS), -1, np.int8), np.zeros((n, _SEATS, 2), np.uint8), np.zeros((n, 5), np.uint8)
        )

    @staticmethod
    def join(logs: Sequence[_ChunkLog], values: Floats, weights: Floats, players: int, can_raise: bool) -> TrialLog:
        def acts(row: NDArray[np.int8]) -> tuple[Act, ...]:
            return tuple(Act(act) for act in row[: int(np.argmin(row))].tolist())

        return TrialLog(
            values=values,
            weights=weights,
            cards=np.concatenate([log.cards[:, :players] for log in logs]),
            boards=np.concatenate([log.boards for log in logs]),
            acts=[(acts(row[0]), acts(row[1]) if can_raise else None) for log in logs for row in log.acts],
        )
