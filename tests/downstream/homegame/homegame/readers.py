"""A reader: entry point ``pokermodel.readers``."""

import numpy as np
import pokermodel as pm
from pokermodel.evaluation.preflop import income_shares
from pokermodel.reading import Expectation, Reader, ReaderKind, number, register
from pokermodel.classics.loki1.field import field_strengths


class Straightforward(Reader):
    """Expects raises from strong holdings and folds from weak ones."""

    def __init__(self, honesty=0.8):
        self.honesty = honesty

    def expect(self, spot):
        # how good each holding is, as a share of all: by income rates before the flop, then against the opponents
        situation, board = spot.situation, spot.analysis
        rank = income_shares() if board is None else field_strengths(board, spot.opponents)[0]
        raising = self.honesty * np.clip(2 * rank - 1, 0, 1) + (1 - self.honesty) / 3
        if pm.Act.RAISE not in situation.legal:
            raising = np.zeros_like(rank)
        folding = (1 - raising) * (1 - rank) if situation.to_call else np.zeros_like(rank)
        triples = np.column_stack([folding, 1 - folding - raising, raising])  # nan where a holding is not possible
        return Expectation.of(triples, spot.weights)


register(
    ReaderKind(
        "straightforward",
        lambda known, **options: Straightforward(**options),
        "strong holdings raise, and weak ones fold",
        {"honesty": number},
    )
)
