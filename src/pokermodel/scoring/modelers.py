"""The models of Loki as forecasters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pokermodel._arrays import Floats
from pokermodel.cards import CardsLike, card_indices
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Decision, GameSpec, Hand, Situation
from pokermodel.reading.session import OpponentModeler

__all__ = ["ModelerForecaster"]


class ModelerForecaster:
    """An `OpponentModeler` as a forecaster: a player's triples, averaged by his weights, and his weights.

    Parameters
    ----------
    modeler : OpponentModeler
        Without a hero. Whatever it counts, it counts at the end of a hand.

    Raises
    ------
    ValueError
        If it has a hero.
    """

    def __init__(self, modeler: OpponentModeler) -> None:
        if modeler.hero is not None:
            raise ValueError(f"a forecaster knows only what is public: the modeler has a hero, {modeler.hero!r}")
        modeler.learning = False
        modeler.analyze = _analysis
        self.modeler = modeler

    def start(self, spec: GameSpec, players: Sequence[str]) -> None:
        """Begin with uniform tables."""
        self.modeler.start(players)

    def predict(self, situation: Situation) -> Floats:
        """The averaged triple."""
        return self.modeler.predict(situation)

    def observe(self, decision: Decision) -> None:
        """Re-weight."""
        self.modeler.observe(decision)

    def table(self, seat: int) -> Floats:
        """The weights; after a fold the last ones."""
        return self.modeler.weights(seat)

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count, where the model is a specific one; BPP learns from what was shown, too."""
        self.modeler.learn(hand, decisions)


def _analysis(board: CardsLike) -> BoardAnalysis:
    """The board, the same for all models that read a hand."""
    return _analysis_of(card_indices(board))


@lru_cache(maxsize=8)
def _analysis_of(board: tuple[int, ...]) -> BoardAnalysis:
    return BoardAnalysis(board)
