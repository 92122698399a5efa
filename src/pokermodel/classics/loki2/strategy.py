"""Loki-2's betting by triples as a strategy: what it does with each holding is known, and not inferred."""

from __future__ import annotations

import numpy as np

from pokermodel.cards import CLASS_OF_HOLDING, N_HOLDINGS, holding_cards
from pokermodel.classics.loki1.player import Loki1
from pokermodel.classics.loki2.triples import TripleGenerator
from pokermodel.game import Act, Situation
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader, Spot
from pokermodel.tables.players.strategies import AmongOthers

__all__ = ["Loki2Strategy"]


def _classes() -> tuple[tuple[int, int], ...]:
    """A holding of each of the 169 classes."""
    first = np.full(169, -1)
    for holding in range(N_HOLDINGS - 1, -1, -1):
        first[CLASS_OF_HOLDING[holding]] = holding
    return tuple(holding_cards(int(holding)) for holding in first)


class Loki2Strategy(AmongOthers):
    """Loki-2's strategy if it bets by triples: by Loki-1's rules before the flop, then by its own triples.

    It leaves out that a semi-bluff goes on, and that one random number decides all acts of a hand.

    Parameters
    ----------
    name : str
        Of the player, at the table.
    others : Reader
        By which it reads the others.
    loki : Loki1
        Its play before the flop.
    generator : TripleGenerator
        Its play after it.
    """

    def __init__(self, name: str, others: Reader, loki: Loki1, generator: TripleGenerator) -> None:
        super().__init__(name, others)
        self.loki = loki
        self._triples = generator

    def answers(self, spot: Spot) -> Expectation:
        """Loki-1's act before the flop, triples after it."""
        situation = spot.situation
        if situation.round == 0:
            triples = np.zeros((169, 3))
            for number, cards in enumerate(_classes()):
                triples[number, self._before_flop(situation, cards)] = 1.0
            return Expectation.of(triples[CLASS_OF_HOLDING], spot.weights)
        assert spot.analysis is not None
        triples = self._triples.triples(situation, spot.analysis, spot.opponents)
        return Expectation.of(np.ascontiguousarray(triples), spot.weights)

    def _before_flop(self, situation: Situation, cards: tuple[int, int]) -> Act:
        self.loki.begin()  # the strategy is chosen anew for each holding
        return self.loki.choose(situation, cards).act
