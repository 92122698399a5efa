"""Simulation: what fold, call and raise are worth at a decision after the flop (Peña 1999, section 5.1).

A trial deals cards to everybody else, by what each can hold, and plays the hand out twice, once after a check or call
and once after a bet or raise, by the rules of the game. Every later act, the hero's own as well, is drawn from the
probability triple of the cards dealt in the simulated situation. The mean over the trials of what the hero wins or
loses from the decision on is the expected value (EV) of the act; that of a fold is 0. Billings et al. (1999) call it
selective sampling.

What is published, and what is not:

- Both branches see the same cards. That the i-th later decision of a player gets the same random number in both is
  ours: what they have in common then cancels in their difference.
- Strength and potential are computed anew with each card, by the weight tables of the decision. That tables change
  with the acts of a play-out is not published, and would cost far more than the play-out itself. On request the others
  take note of the hero's first act, which is the same in all trials of a branch (`OpponentModeler.imagine`): without,
  they hardly fold to it.
- ``dealing="published"`` deals in the printed way, ``"joint"`` by the product of the tables, see
  `pokermodel.evaluation.dealing`.
- ``stop="published"`` ends a simulation when the best act leads by more than the standard deviations of both acts
  added up, which are those of single trials; ``"paired"`` (ours) when it leads by three standard errors of the
  difference. Both look after 64, 128, 256, ... trials only, so that the result does not depend on the number of
  threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel._arrays import Bytes, Floats, Words
from pokermodel._checks import check_choice, check_jobs, check_least
from pokermodel._core.dealing import Deals
from pokermodel._core.playout import FIELD_TOTAL, Loki1Rules, Scene, Strengths
from pokermodel._core.rules import State
from pokermodel._parallel import map_threads
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices, cards_text, holding_index, live_holdings
from pokermodel.evaluation.dealing import DealingMode, RangeLike, folded_weights, stack_ranges
from pokermodel.game import BOARD_CARDS, Act, Decision, Hand
from pokermodel.randomness import RandomLike, as_seed_sequence, stream_words
from pokermodel.reading.parts.field import field_array
from pokermodel.reading.parts.triples import TripleGenerator

__all__ = [
    "Advice",
    "Loki1Rules",
    "Position",
    "Simulator",
    "StrengthCache",
    "TrialLog",
    "strength_cache",
]

StopRule: TypeAlias = Literal["paired", "published", "none"]
Stopped: TypeAlias = Literal["trials", "obvious"]
FieldArray: TypeAlias = Literal["mean", "maximum"]

#: Trials after which a simulation first asks whether the choice is obvious; then after twice as many, and so on.
FIRST_LOOK = 64
#: Standard errors by which the best act must lead under the paired rule (ours).
OBVIOUS_ERRORS = 3.0

_MOST_ACTS = 512
_SEATS = 23
_CHUNKS = ((FIRST_LOOK, 0), (8 * FIRST_LOOK, 8 * FIRST_LOOK), (64 * FIRST_LOOK, 64 * FIRST_LOOK))  # size, from where on


class HasPosition(Protocol):
    """What has a state and a board: a `Position`, or what a player is shown at a table."""

    @property
    def state(self) -> State: ...
    @property
    def board(self) -> Sequence[int]: ...


class Position(NamedTuple):
    """A decision to be simulated.

    Parameters
    ----------
    state : State
        The state of the hand: the hero is to act.
    board : tuple of int
        The cards on the table.
    """

    state: State
    board: tuple[int, ...]

    @classmethod
    def before(cls, hand: Hand, index: int) -> Position:
        """Return the position before an action of a hand.

        Parameters
        ----------
        hand : Hand
            What happened.
        index : int
            Which action, as `Decision.index`.

        Raises
        ------
        ValueError
            If there is no such action, or one before it is illegal.
        """
        if not 0 <= index < len(hand.actions):
            raise ValueError(f"hand {hand.id} has actions 0..{len(hand.actions) - 1}, got {index}")
        state = State(hand.spec, hand.stacks)
        for action in hand.actions[:index]:
            if action.out_of_turn:
                state.leave(action.seat)
            else:
                state.act(action.act)
        return cls(state, hand.board[: BOARD_CARDS[state.round]])

    @classmethod
    def after(
        cls, decisions: Iterable[Decision], board: CardsLike, stacks: Sequence[int | None] | None = None
    ) -> Position:
        """Return the position after what everybody saw of a hand.

        Parameters
        ----------
        decisions : iterable of Decision
            The actions of the hand so far, from the first one on.
        board : cards
            The cards on the table now.
        stacks : sequence of int or None, optional
            Chips before antes and blinds, as for `Hand`.

        Raises
        ------
        ValueError
            If there is no action, or one is illegal.
        """
        state: State | None = None
        for decision in decisions:
            if state is None:
                state = State(decision.spec, stacks)
            if decision.out_of_turn:
                state.leave(decision.seat)
            else:
                state.act(decision.act)
        if state is None:
            raise ValueError("a position after the flop has actions before it, got none")
        return cls(state, card_indices(board))


# ----------------------------------------------------------------------------------------------- what comes out


@dataclass(frozen=True, eq=False, slots=True)
class TrialLog:
    """Every trial of a simulation.

    Attributes
    ----------
    values : ndarray of float64, shape (n, 2)
        What the hero won in small bets after check or call, and after bet or raise (nan where he could not).
    weights : ndarray of float64, shape (n,)
        What each trial counts.
    cards : ndarray of uint8, shape (n, players, 2)
        Everybody's cards, the hero's too.
    boards : ndarray of uint8, shape (n, 5)
        The final board.
    acts : list of (tuple of Act, tuple of Act or None)
        What was done in each branch from the decision to the end of the hand, in turn; the second is None where the
        hero could not raise.
    """

    values: Floats
    weights: Floats
    cards: Bytes
    boards: Bytes
    acts: list[tuple[tuple[Act, ...], tuple[Act, ...] | None]]


@dataclass(frozen=True, eq=False, slots=True)
class Advice:
    """What a simulation found. Values are in small bets, from the decision on.

    Attributes
    ----------
    ev : ndarray of float64, shape (3,)
        Expected value of fold, check or call, bet or raise: 0 for the fold, nan for a raise that is not allowed.
    standard_error : ndarray of float64, shape (3,)
        Their standard errors.
    deviation : ndarray of float64, shape (3,)
        Standard deviations of a single trial.
    paired_standard_error : float
        Standard error of EV(raise) - EV(call); nan where no raise is allowed.
    trials : int
        Trials that were done.
    action : Act
        The best act. Of equal ones the more aggressive; never a fold where checking is free.
    stopped : {"trials", "obvious"}
        Why it ended: all trials were done, or the choice was obvious before.
    acts : ndarray of uint64, shape (2, players, 4, 3, 3)
        How often what was done in the play-outs while the hero was in: by branch (call, raise), seat, round, bets to
        call (0, 1, 2 or more) and act. The hero's first act is not counted.
    own_folds : ndarray of float64, shape (2,)
        Share of the trials in which the hero folded later, by branch. A model of oneself that folds too often makes
        calls and raises look bad, and so begets folds (Davidson 2002, section 6.1).
    seat : int
        The hero's.
    log : TrialLog or None
        Every trial, where asked for.
    """

    ev: Floats
    standard_error: Floats
    deviation: Floats
    paired_standard_error: float
    trials: int
    action: Act
    stopped: Stopped
    acts: Words
    own_folds: Floats
    seat: int
    log: TrialLog | None = None

    def frequencies(self, seats: Sequence[int] | None = None) -> Floats:
        """How often play-outs folded, called and raised, by context: to hold against what people do.

        Parameters
        ----------
        seats : sequence of int, optional
            Of whom; all but the hero without.

        Returns
        -------
        ndarray of float64, shape (2, 4, 3, 3)
            By branch (call, raise), round, bets to call (0, 1, 2 or more): fold, call, raise. nan where nobody acted.

        Raises
        ------
        ValueError
            If there is no such seat.
        """
        players = self.acts.shape[1]
        chosen = [seat for seat in range(players) if seat != self.seat] if seats is None else list(seats)
        if not all(0 <= seat < players for seat in chosen):
            raise ValueError(f"seats must be 0..{players - 1}, got {chosen}")
        counts = self.acts[:, chosen].sum(axis=1).astype(np.float64)
        total = counts.sum(axis=-1, keepdims=True)
        shares: Floats = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)
        return shares

    def to_dict(self) -> dict[str, Any]:
        """Values and errors as plain data for JSON: None for what is not allowed."""

        def plain(values: Floats) -> dict[str, float | None]:
            return {
                name: None if np.isnan(value) else float(value)
                for name, value in zip(("fold", "call", "raise"), values.tolist(), strict=True)
            }

        paired = self.paired_standard_error
        return {
            "ev": plain(self.ev),
            "standard_error": plain(self.standard_error),
            "paired_standard_error": None if np.isnan(paired) else paired,
            "trials": self.trials,
            "stopped": self.stopped,
            "own_folds": self.own_folds.tolist(),
        }


class _Estimate(NamedTuple):
    """Means of the two branches over the first trials, in small bets."""

    mean: Floats  # (2,)
    error: Floats
    deviation: Floats
    difference_error: float

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> _Estimate:
        n = len(weights)
        total = weights.sum()
        mean = weights @ values / total
        from_mean = np.column_stack([values - mean, values[:, 1] - values[:, 0] - (mean[1] - mean[0])])
        correction = n / (n - 1)
        squares = from_mean * from_mean
        deviations = np.sqrt(weights @ squares / total * correction)
        errors = np.sqrt((weights * weights) @ squares * correction) / total
        return cls(mean, errors[:2], deviations[:2], float(errors[2]))


def _choose(ev: Floats, can_fold: bool, can_raise: bool) -> Act:
    acts = [Act.FOLD] * can_fold + [Act.CALL] + [Act.RAISE] * can_raise
    return max(acts, key=lambda act: (ev[act], act))


def _is_obvious(estimate: _Estimate, can_fold: bool, can_raise: bool, rule: StopRule) -> bool:
    call, raise_ = estimate.mean.tolist()
    ranked = sorted([(0.0, Act.FOLD)] * can_fold + [(call, Act.CALL)] + [(raise_, Act.RAISE)] * can_raise, reverse=True)
    if len(ranked) < 2:
        return True
    (best, first), (second, other) = ranked[:2]
    if rule == "published":
        return bool(best - second > estimate.deviation[: 1 + can_raise].sum())
    if Act.FOLD in (first, other):
        error = float(estimate.error[max(first, other) - 1])
    else:
        error = estimate.difference_error
    return bool(best - second > OBVIOUS_ERRORS * error)


# ------------------------------------------------------------------------------------------------- what goes in


class StrengthCache:
    """What holdings are worth on boards that simulations came by, ready for the next one.

    A simulation takes what it needs and gives it back, richer, so that simulators and threads can share a cache. What
    was given back last is found first, and goes last.

    Parameters
    ----------
    memory : int
        Bytes that may be kept for later.

    Raises
    ------
    ValueError
        If it is negative.
    """

    def __init__(self, memory: int = 256 << 20) -> None:
        self.memory = check_least("memory", memory, 0)
        self._idle: list[tuple[Strengths, Floats]] = []
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """Bytes that are kept now."""
        with self._lock:
            return sum(strengths.nbytes for strengths, _ in self._idle)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._idle.clear()

    def _take(self, flop: tuple[int, ...], weights: Floats) -> Strengths:
        """Strengths of a flop against these fields, that nobody else uses."""
        with self._lock:
            same = [k for k, (strengths, _) in enumerate(self._idle) if strengths.flop == flop]
            for k in reversed(same):
                if self._idle[k][1] is weights or np.array_equal(self._idle[k][1], weights):
                    return self._idle.pop(k)[0]
            found = self._idle.pop(same[0])[0] if same else Strengths(flop)
        found.bind(weights)
        return found

    def _give(self, strengths: Strengths, weights: Floats) -> None:
        with self._lock:
            self._idle.append((strengths, weights))
            kept = 0
            for k in reversed(range(len(self._idle))):
                kept += self._idle[k][0].nbytes
                if kept > self.memory:
                    del self._idle[: k + 1]
                    break


#: What all simulators share that are not given another cache.
strength_cache = StrengthCache()


class _Ready(NamedTuple):
    """What is prepared for a board and tables, and kept as long as these stay the same."""

    key: tuple[Any, ...]
    tables: Floats  # (players, 1326)
    images: Floats  # of the hero, (2, 1326)
    deals: Deals
    weights: Floats  # of the fields, (fields, 1326)
    fields: tuple[tuple[int, ...], tuple[int, ...]]  # by branch and seat


def _fields(
    branches: tuple[Floats, Floats], active: Sequence[int], method: FieldArray
) -> tuple[Floats, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Fields of everybody's opponents, equal ones once: whole numbers (fields, 1326), and whose is which by branch."""
    known: dict[bytes, int] = {}
    distinct: list[Floats] = []
    number: dict[tuple[int, ...], int] = {}
    rows: list[Floats] = []

    def numbers(tables: Floats) -> tuple[int, ...]:
        kinds = {}
        for seat in active:
            kind = known.setdefault(tables[seat].tobytes(), len(known))
            if kind == len(distinct):
                distinct.append(tables[seat])
            kinds[seat] = kind
        fields = [-1] * len(tables)
        for seat in active:
            # in this order, so that the same opponents give the same sums
            opponents = tuple(sorted(kinds[other] for other in active if other != seat))
            if opponents not in number:
                number[opponents] = len(rows)
                merged = field_array([distinct[kind] for kind in opponents], method)
                total = merged.sum()
                share = merged / total if total > 0 else merged
                whole = np.floor(share * (FIELD_TOTAL - N_HOLDINGS))
                rows.append(np.where(share > 0, np.maximum(whole, 1.0), 0.0))
            fields[seat] = number[opponents]
        return tuple(fields)

    fields = numbers(branches[0]), numbers(branches[1])
    return np.array(rows), fields


class Simulator:
    """Finds what fold, call and raise are worth by playing the hand out many times.

    Parameters
    ----------
    policy : {"triples", "call", "loki1"}, Loki1Rules or capsule
        How everybody acts after the hero's first act: by probability triples; by calling always, a cheap variant; or
        by Loki-1's rules, which is how Loki-2 simulated where triples did not choose its acts. `Loki1Rules` sets
        their options. A capsule named ``"pokermodel.policy"`` holds a C function, see ``pokermodel/playout.h``.
    generator : TripleGenerator, optional
        How those decide for whom `run` is told nothing else. Default: Loki-2's own play.
    dealing : {"joint", "published"}
        How cards are dealt.
    stop : {"paired", "published", "none"}
        When a choice is obvious, so that the rest of the trials can be left out.
    field : {"mean", "maximum"}
        How a player's opponents are merged into one; see `pokermodel.reading.field_array`.
    jobs : int, optional
        Threads; one for each processor if None. The result is the same with any number.
    cache : StrengthCache, optional
        Where strengths are kept from one decision to the next. Default: one for the whole process.

    Raises
    ------
    ValueError
        If an option is unknown or out of range.

    Notes
    -----
    Triples of the form ``reweighting`` get ``HS1 + (1 - HS1)*PPOT`` for the value of a holding, with the exact
    potential in the place of PPOTc; those of other forms ``HSn + (1 - HSn)*PPOT``, where n counts the opponents that
    have not folded in the play-out.

    Safe to be shared by threads.

    Examples
    --------
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
        jobs: int | None = 1,
        cache: StrengthCache | None = None,
    ) -> None:
        for what, value, choices in (
            ("way of dealing", dealing, get_args(DealingMode)),
            ("rule to stop", stop, get_args(StopRule)),
            ("way to merge a field", field, get_args(FieldArray)),
        ):
            check_choice(what, value, choices)
        if isinstance(policy, str) and policy not in ("triples", "call", "loki1"):
            raise ValueError(f"unknown policy {policy!r}: expected 'triples', 'call', 'loki1', rules or a capsule")
        self.policy = policy
        self.generator = TripleGenerator() if generator is None else generator
        self.dealing: DealingMode = dealing
        self.stop: StopRule = stop
        self.field: FieldArray = field
        self.jobs = check_jobs(jobs)
        self.cache = strength_cache if cache is None else cache
        self._ready: _Ready | None = None

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
    ) -> Advice:
        """Simulate a decision.

        Parameters
        ----------
        state : Position, what a player is shown at a table, or tuple of (State, cards)
            The state of the hand, in which the hero is to act after the flop, and the board.
        holding : cards
            The hero's two cards.
        tables : mapping of int to range, or sequence of ranges
            What each seat can hold: weight tables, weights or range text. In the hero's seat what the others think
            of him. None, or a missing seat, is anything; for one who folded, what is likely before the flop
            (`folded_weights`). See `OpponentModeler.simulation_tables`.
        trials : int
            At most so many, 2 or more.
        rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
            Source of randomness.
        images : pair of ranges, optional
            What the others think of the hero once he has checked or called, and once he has bet or raised; see
            `OpponentModeler.imagine`. Without, as before his act.
        generators : mapping of int to TripleGenerator, optional
            How certain seats decide.
        semi_bluff : bool
            Whether the hero is in the middle of a semi-bluff.
        log : bool
            Keep every trial. Takes about a kilobyte for each.

        Returns
        -------
        Advice

        Raises
        ------
        ValueError
            If nobody is to act, the hand is before the flop, cards or tables do not fit, or there is no way to deal.
        """
        position, board = _position(state)
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

        def play(chunk: tuple[slice, Words]) -> tuple[int, Words, Words, Any]:
            rows, words = chunk
            some_acts, some_folded = np.zeros_like(acts), np.zeros_like(folded)
            kept = _ChunkLog.empty(rows.stop - rows.start) if log else None
            strengths = self.cache._take(board[:3], ready.weights)
            scene.play(
                ready.deals, strengths, words, values[rows], weights[rows], some_acts, some_folded, *(kept or ())
            )
            self.cache._give(strengths, ready.weights)
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
                if self.stop != "none" and done < trials:
                    estimate = _Estimate.of(values[:done], weights[:done])
                    if _is_obvious(estimate, can_fold, can_raise, self.stop):
                        stopped = "obvious"
                        break
        values, weights = values[:done], weights[:done]
        if not can_raise:
            values[:, 1] = np.nan
        estimate = _Estimate.of(values, weights)
        ev = np.concatenate([[0.0], estimate.mean])
        return Advice(
            ev=ev,
            standard_error=np.concatenate([[0.0], estimate.error]),
            deviation=np.concatenate([[0.0], estimate.deviation]),
            paired_standard_error=estimate.difference_error,
            trials=done,
            action=_choose(ev, can_fold, can_raise),
            stopped=stopped,  # type: ignore[arg-type]  # one of the two
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
                raise ValueError("generators say how seats decide by triples: expected policy='triples'")
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
        """Everything that does not depend on chance; what was kept from before, if it still fits."""
        active, hero = state.active, state.seat
        rows = _tables(tables, state, hero, self.dealing) * live_holdings(board)
        seen = rows[[hero, hero]] if images is None else stack_ranges(images) * live_holdings(board)
        if seen.shape != (2, N_HOLDINGS):
            raise ValueError(f"expected what the others think of the hero after 2 acts, got {len(seen)} ranges")
        key = (board, own, active, hero, self.dealing, self.field)
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
            if seat not in active and not rows[seat].any():  # the board brought what he would have folded
                rows[seat] = folded_weights(self.dealing) * live_holdings(board)
            if not rows[seat].any():
                raise ValueError(f"seat {seat} has no holding that is possible on the board {cards_text(board)}")
        deals = Deals(np.ascontiguousarray(rows[others]), board, own, self.dealing == "joint")
        branches = rows.copy(), rows.copy()
        branches[0][hero], branches[1][hero] = seen
        weights, fields = _fields(branches, active, self.field)
        self._ready = ready = _Ready(key, rows, seen, deals, weights, fields)
        return ready


def _position(state: HasPosition | tuple[State, CardsLike]) -> tuple[State, tuple[int, ...]]:
    if isinstance(state, tuple) and len(state) == 2:
        rules, cards = state[0], state[1]
    elif hasattr(state, "state") and hasattr(state, "board"):
        rules, cards = state.state, state.board
    else:
        raise ValueError(f"{state!r} is no position: expected a State and the board, see Position")
    if not isinstance(rules, State):
        raise ValueError(f"{rules!r} is not the state of a hand: expected a State")
    board = card_indices(cards)
    if rules.over:
        raise ValueError("the hand is over: there is nothing to decide")
    if rules.round == 0:
        raise ValueError("decisions before the flop are not simulated: Loki's expert system decides there")
    if len(board) != rules.round + 2:
        raise ValueError(f"round {rules.round} has {rules.round + 2} board cards, got {cards_text(board)!r}")
    return rules, board


def _tables(
    tables: Mapping[int, RangeLike] | Sequence[RangeLike], state: State, hero: int, dealing: DealingMode
) -> Floats:
    players = state.players
    given: list[RangeLike]
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


def _chunks(trials: int, seed: np.random.SeedSequence) -> Iterator[tuple[slice, Words]]:
    """Trials in pieces, each with the start of its own random numbers."""
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
