"""A player: entry point ``pokermodel.players``."""

import pokermodel as pm
from pokermodel.tables.players import ALL_STRUCTURES, Kind, Player, number, register


class Rock(Player):
    """Stays in with good cards, and never bets."""

    structures = ALL_STRUCTURES

    def __init__(self, at_least=2 / 3):
        self.at_least = at_least

    def act(self, view):
        if view.to_call == 0:
            return pm.Act.CALL
        if view.round == 0:
            good = pm.evaluation.income_rate(view.holding, len(view.players)) > 200
        else:
            good = pm.hand_strength(view.holding, view.board) > self.at_least
        return pm.Act.CALL if good else pm.Act.FOLD


register(Kind("rock", Rock, {"at_least": number}, "stays in with good cards, never bets"))
