"""Recovery of known tables from observed hands: the bias of learning from showdowns, in hold'em.

A player acts by a known table P(act | class, situation), heads-up against an observer. The estimators of
`pokermodel.classics.bpp.estimators` get what the observer saw. The tables that they find are compared with the
known one, by their entries and by the observer's probability of winning.

``python -m tools.measure.recovery [HANDS [SEEDS]]`` prints the figures of docs/experiments.md: it plays 20,000 hands
against each of four styles, with two seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_choice
from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.bpp.class_tables import default_table
from pokermodel.classics.bpp.estimators import expectation_maximization, inverse_probability, showdown_only
from pokermodel.classics.bpp.hidden_hands import HandSet, HiddenHand
from pokermodel.classics.bpp.observed_hands import hidden_hands, observe_hand
from pokermodel.classics.bpp.strength_buckets import N_STRENGTH_CLASSES, class_ranges, strength_classes
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import BOARD_CARDS, Act, Action, GameSpec, Hand, Situation, State
from pokermodel.tables.arena.statistics import estimate

#: Heads-up with a cap of twelve raises that play hardly reaches, so that all three acts are nearly always legal.
SPEC = GameSpec((1, 2), (2, 2, 4, 4), (0, 1, 1, 1), (12, 12, 12, 12))
#: Estimators: from hands that were shown, from these with weights, or from all hands.
ESTIMATORS = ("showdown_only", "inverse_probability", "em")
_NAMES = ("observer", "known")
_FREQUENCIES = ((0.0, 0.60, 0.40), (0.30, 0.48, 0.22), (0.35, 0.47, 0.18))
#: Styles, by how much more often than usual they fold to a bet, and raise.
STYLES: Mapping[str, tuple[float, float]] = {
    "tight passive": (0.10, -0.08),
    "tight aggressive": (0.10, 0.12),
    "loose passive": (-0.12, -0.08),
    "loose aggressive": (-0.12, 0.12),
}
_BY_STRENGTH = 0.7  # share of the acts of a known player that depends on strength
_BINS = 10


def known_table(fold: float = 0.0, raises: float = 0.0) -> Floats:
    """Return the table of a player: float64 (12, 22, 3) by situation, class and act.

    Weak holdings are mostly folded and strong ones mostly raised; sometimes weak ones are raised, and strong ones
    called.

    Parameters
    ----------
    fold, raises : float
        How much more often than usual the player folds to a bet, and raises.
    """
    table = np.empty((12, N_STRENGTH_CLASSES, 3))
    for situation in range(12):
        folds, calls, more = _FREQUENCIES[situation % 3]
        folds, more = (folds + fold if folds else 0.0), more + raises
        calls = 1 - folds - more
        low, high = class_ranges(situation < 3).T
        folded = np.clip((folds - low) / (high - low), 0, 1)
        raised = np.clip((high - 1 + more) / (high - low), 0, 1)
        by_strength = np.column_stack([folded, 1 - folded - raised, raised])
        table[situation] = _BY_STRENGTH * by_strength + (1 - _BY_STRENGTH) * np.array([folds, calls, more])
    return table


class _Played(NamedTuple):
    """A hand between two players that act by tables."""

    hand: Hand
    own: int  # the observer's seat
    #: For each action, the probabilities of the acts by the player's table.
    chances: list[Floats]
    board: tuple[int, ...]  # all five cards, dealt or not


def _play(own: int, tables: Sequence[Floats], number: int, rng: np.random.Generator) -> _Played:
    """Play a hand; the observer has seat `own`. `tables` are those of the observer and of the known player."""
    deck = rng.permutation(52)[:9].tolist()
    pairs = [deck[2 * seat : 2 * seat + 2] for seat in (0, 1)]
    holdings = {seat: (max(pair), min(pair)) for seat, pair in enumerate(pairs)}
    indices = [holding_index(holdings[seat]) for seat in (0, 1)]
    board = tuple(deck[4:])
    state, actions, chances = State(SPEC), [], []
    while not state.over:
        seat = state.seat
        situation = Situation.of(state, _NAMES, board)
        round = situation.round
        classes = strength_classes(BoardAnalysis(situation.board) if round else None)
        row = tables[seat != own][3 * round + situation.facing, classes[indices[seat]]]
        drawn = rng.random()
        act = Act.FOLD if drawn < row[0] else Act.CALL if drawn < row[0] + row[1] else Act.RAISE
        if act not in situation.legal:
            act = Act.CALL
        chances.append(row)
        actions.append(Action(seat, act))
        state.act(act)
    names = _NAMES if own == 0 else _NAMES[::-1]
    dealt = board[: BOARD_CARDS[state.round]]
    return _Played(Hand("known", str(number), SPEC, names, actions, dealt, holdings), own, chances, board)


def _observed(played: _Played) -> tuple[HiddenHand, Integers] | None:
    """Return what the observer sees of the known player, and that player's class at each action, if there is one."""
    found = observe_hand(played.hand, own=played.own)
    hidden = None if found is None else hidden_hands(found).get(_NAMES[1])
    if hidden is None or found is None:
        return None
    # of the observer's later decisions, the probability that none would have been a fold
    survival, later = [], 1.0
    for action, row in zip(reversed(played.hand.actions), reversed(played.chances), strict=True):
        if action.seat == played.own:
            later *= 1 - row[Act.FOLD]
        else:
            survival.append(later)
    index = holding_index(played.hand.holdings[1 - played.own])
    told = found.arrays
    rounds = told.rounds[told.actors == found.names.index(_NAMES[1])]
    held = [strength_classes(_analysis(played.hand.board, round))[index] for round in rounds.tolist()]
    complete = HiddenHand(
        hidden.situations, hidden.acts, hidden.classes, hidden.prior, hidden.shown, np.array(survival[::-1])
    )
    return complete, np.array(held, dtype=np.intp)


def _analysis(board: tuple[int, ...], round: int) -> BoardAnalysis | None:
    return BoardAnalysis(board[: BOARD_CARDS[round]]) if round else None


@dataclass(frozen=True)
class Recovery:
    """Accuracy of the tables found for a known player.

    Attributes
    ----------
    hands : int
        Number of hands played.
    shown : float
        Share of them in which the player's cards were shown.
    errors : dict of str to float
        By estimator, the mean distance of an entry of the table found from the true one, over the actions of the
        player.
    calibration : dict of str to float
        By estimator, the calibration error of the observer's probability of winning at decisions after the flop of
        further hands, in bins of a tenth. Outcomes are the probabilities by the true table, so that chance has no part
        in it.
    optimism : dict of str to float
        By estimator, by how much the probability of winning is too high on average.
    """

    hands: int
    shown: float
    errors: dict[str, float]
    calibration: dict[str, float]
    optimism: dict[str, float]


def recover(
    truth: Floats,
    hands: int = 20_000,
    *,
    observer: Floats | None = None,
    checked: int = 2_000,
    seed: int = 1,
    estimators: Sequence[str] = ESTIMATORS,
) -> Recovery:
    """Play against a known player and estimate that player's table.

    Parameters
    ----------
    truth : ndarray of float64, shape (12, 22, 3)
        The player's table, as `known_table` returns it.
    hands : int
        Number of hands to learn from.
    observer : ndarray of float64, shape (12, 22, 3), optional
        The observer's table; by default ``known_table()``.
    checked : int
        Number of further hands, on which the probability of winning is compared.
    seed : int
        Seed of cards and players.
    estimators : sequence of str
        Names of estimators, see `ESTIMATORS`.
    """
    tables = (known_table() if observer is None else observer), truth
    rng = np.random.default_rng(seed)
    gathered: list[HiddenHand] = []
    visits = np.zeros(truth.shape[:2])
    for number in range(hands):
        seen = _observed(_play(number % 2, tables, number, rng))
        if seen is not None:
            hidden, held = seen
            gathered.append(hidden)
            np.add.at(visits, (np.asarray(hidden.situations), held), 1)
    found = _estimate(HandSet.of(gathered, (12, N_STRENGTH_CLASSES, 3)), estimators)
    errors = {
        name: float((np.abs(table - truth).mean(axis=2) * visits).sum() / visits.sum()) for name, table in found.items()
    }
    others = (_play(number % 2, tables, hands + number, rng) for number in range(checked))
    calibration, optimism = _calibration(others, found, truth)
    shown = sum(hidden.shown is not None for hidden in gathered) / hands
    return Recovery(hands, shown, errors, calibration, optimism)


def _estimate(hands: HandSet, estimators: Sequence[str]) -> dict[str, Floats]:
    prior = ActionTables(default_table(), strength=10)
    found: dict[str, Floats] = {}
    for name in estimators:
        check_choice("estimator", name, ESTIMATORS)
        if name == "showdown_only":
            counts = showdown_only(hands)
        elif name == "inverse_probability":
            counts = inverse_probability(hands, prior).counts
        else:
            counts = expectation_maximization(hands, prior, steps=60, tolerance=1e-3).counts
        found[name] = prior.with_counts(counts).probabilities()
    return found


def _calibration(
    played: Iterator[_Played], found: Mapping[str, Floats], truth: Floats
) -> tuple[dict[str, float], dict[str, float]]:
    """Return calibration and optimism of the observer's probability of winning at decisions after the flop."""
    tables = [truth, *found.values()]
    said: list[list[float]] = []
    for each in played:
        holding = each.hand.holdings[each.own]
        index = np.zeros(N_HOLDINGS)
        index[holding_index(holding)] = 1
        beliefs = [live_holdings(holding).astype(np.float64)] * len(tables)
        for decision in each.hand.replay():
            analysis = _analysis(each.board, decision.round)
            if decision.seat != each.own:
                at = 3 * decision.round + decision.situation.facing, strength_classes(analysis), decision.act
                beliefs = [belief * table[at] for belief, table in zip(beliefs, tables, strict=True)]
            elif analysis is not None:
                wins = [analysis.showdowns(index, belief) for belief in beliefs]
                said.append([win + tie / 2 for win, tie, _ in wins])
    right, *others = np.array(said).T
    calibration, optimism = {}, {}
    for name, predicted in zip(found, others, strict=True):
        bins = np.minimum((predicted * _BINS).astype(np.intp), _BINS - 1)
        gaps = np.bincount(bins, predicted - right, _BINS)
        calibration[name] = float(np.abs(gaps).sum() / len(predicted))
        optimism[name] = float((predicted - right).mean())
    return calibration, optimism


def main(hands: int = 20_000, seeds: int = 2) -> None:
    """Play against the four styles, and print how well each estimator does."""
    rows: list[Recovery] = []
    for style, (fold, raises) in STYLES.items():
        for seed in range(1, seeds + 1):
            rows.append(recover(known_table(fold, raises), hands, seed=seed))
            errors = ", ".join(f"{name} {error:.4f}" for name, error in rows[-1].errors.items())
            wins = ", ".join(
                f"{name} {error:.4f} ({rows[-1].optimism[name]:+.4f})" for name, error in rows[-1].calibration.items()
            )
            print(f"{style}, seed {seed}: shown {rows[-1].shown:.3f}; error {errors}; P(win) {wins}", flush=True)
    for what in ("errors", "calibration", "optimism"):
        for name in getattr(rows[0], what):
            values = [getattr(row, what)[name] for row in rows]
            found = estimate(values)
            print(f"{what}, {name}: {found.mean:+.4f} ({found.low:+.4f} to {found.high:+.4f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
