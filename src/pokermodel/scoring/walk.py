"""The walk through the hands: first what is forecast, then what happened, then what is learnt from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import holding_index, live_holdings
from pokermodel.game import Decision, Hand
from pokermodel.scoring.forecaster import Forecaster
from pokermodel.scoring.measures import LEAST_PROBABILITY, LEAST_SHARE, Score

__all__ = ["Scores", "public_hand", "score"]


def public_hand(hand: Hand) -> Hand:
    """The hand as the table saw it: only the holdings that were shown are known.

    Raises
    ------
    ValueError
        As `Hand.replay`.
    """
    shown = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    if len(shown) == len(hand.holdings):
        return hand
    return Hand(
        hand.source,
        hand.id,
        hand.spec,
        hand.players,
        hand.actions,
        hand.board,
        shown,
        hand.stacks,
        hand.stated_payoffs,
        hand.mucked,
        hand.unit,
        hand.currency,
    )


class Scores(Mapping[str, Score]):
    """The scores of several forecasters on the same hands, by name.

    Attributes
    ----------
    learnt : int
        Hands that were only learnt from.
    hands : int
        Hands that were scored.
    unoffered : int
        Actions that the rules did not offer, as folds of players who could have checked: not predicted.
    out_of_turn : int
        Players who left out of turn: not predicted.
    skipped : list of ValueError
        What was wrong with hands that were left out.
    interrupted : bool
        Whether the walk was ended by the user, so that the last hands are missing.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._scores = {name: Score(name) for name in names}
        self.learnt = self.hands = self.unoffered = self.out_of_turn = 0
        self.skipped: list[ValueError] = []
        self.interrupted = False

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it: what is common to all, and ``models``, a list of `Score.to_dict`."""
        return {
            "learnt_hands": self.learnt,
            "scored_hands": self.hands,
            "skipped_hands": len(self.skipped),
            "unpredicted": {"unoffered": self.unoffered, "out_of_turn": self.out_of_turn},
            "least_probability": LEAST_PROBABILITY,
            "least_share": LEAST_SHARE,
            "interrupted": self.interrupted,
            "models": [each.to_dict() for each in self._scores.values()],
        }


def score(
    hands: Iterable[Hand],
    forecasters: Mapping[str, Forecaster],
    *,
    warmup: int = 0,
    frozen: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Scores:
    """Score forecasters on hands in the order in which they were played.

    Every action is predicted before it is seen, and every hand is scored before it is learnt.

    Parameters
    ----------
    hands : iterable of Hand
        They are taken as they are needed. Hands that break the rules or cannot be paid out are left out.
    forecasters : mapping of str to Forecaster
        By name.
    warmup : int
        So many hands are first learnt from without being scored.
    frozen : bool
        Learn nothing from the hands that are scored.
    progress : callable, optional
        Told after every hand how many there were.

    Returns
    -------
    Scores
        After a KeyboardInterrupt, of the hands that were whole before it.

    Raises
    ------
    ValueError
        If `warmup` is negative, or a forecaster says what is no forecast.
    """
    if warmup < 0:
        raise ValueError(f"warmup must be 0 or more hands, got {warmup}")
    scores = Scores(forecasters)
    seen: Counter[str] = Counter()
    try:
        for hand in hands:
            try:
                decisions = list(hand.replay())
                _ = hand.payoffs
            except ValueError as error:
                scores.skipped.append(error)
                continue
            scored = scores.learnt == warmup
            if scored:
                _score(hand, decisions, forecasters, scores, seen)
            else:
                scores.learnt += 1
            if not (frozen and scored):
                public = public_hand(hand)
                for each in forecasters.values():
                    each.learn(public, decisions)
            seen.update(hand.players)
            if progress is not None:
                progress(scores.learnt + scores.hands)
    except KeyboardInterrupt:
        scores.interrupted = True
    return scores


def _score(
    hand: Hand,
    decisions: list[Decision],
    forecasters: Mapping[str, Forecaster],
    scores: Scores,
    seen: Mapping[str, int],
) -> None:
    """Walk through one hand. What comes of it is added at its end: forecasts take long, and may be interrupted."""
    number = scores.hands
    unoffered = out_of_turn = 0
    predictions: list[tuple[str, Decision, NDArray[np.float64]]] = []
    holdings = {seat: holding_index(cards) for seat, cards in hand.holdings.items()}
    for each in forecasters.values():
        each.start(hand.spec, hand.players)
    gained: dict[tuple[str, int], list[tuple[int, float]]] = {}
    board: tuple[int, ...] = ()
    live = live_holdings()
    for decision in decisions:
        seat = decision.seat
        if decision.out_of_turn:
            out_of_turn += 1
        elif decision.act not in decision.legal:
            unoffered += 1
        else:
            situation = decision.situation
            for name, each in forecasters.items():
                predicted = each.predict(situation)
                if predicted is not None:
                    predictions.append((name, decision, np.array(predicted)))
        holding = holdings.get(seat)
        if decision.board != board:
            board = decision.board
            live = live_holdings(board)
        for name, each in forecasters.items():
            each.observe(decision)
            # asked for whether or not the cards are known, so that nothing can be told from the question
            weights = each.table(seat)
            if weights is not None and holding is not None and not decision.out_of_turn:
                bits = scores[name].bits(np.asarray(weights), live, holding)
                gained.setdefault((name, seat), []).append((decision.round, bits))
    shown = set(hand.shown)
    for name, decision, predicted in predictions:
        player = decision.player
        scores[name].add_action(number, decision.round, player, seen[player], decision.legal, predicted, decision.act)
    for (name, seat), bits_of in gained.items():
        player = hand.players[seat]
        scores[name].add_holding(number, player, seen[player], seat in shown, bits_of)
    scores.unoffered += unoffered
    scores.out_of_turn += out_of_turn
    scores.hands += 1
