"""What somebody takes who is built to punish answers to a person: the purse, and a part of one hand.

They play one thing until the reader believes it, and then what is worth most against what it has the player do.
"""

import numpy as np
import pytest

from pokermodel.game import Act, GameSpec
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.blueprint import Blueprint
from pokermodel.tables.players import CommonKnowledge
from pokermodel.tables.players.myopic_strategy import MyopicStrategy
from pokermodel.tables.players.player import Player
from pokermodel.tables.players.solver import SolverPlayer
from pokermodel.tables.players.strategies import AmongOthers
from pokermodel.tables.players.typical import FrozenSession
from pokermodel.worth.myopic import MyopicAdviser

SPEC = GameSpec.heads_up(1, 2)
NAMES = ("victim", "punisher")
_MOST = 24.0  # small bets of a hand


class Known(AmongOthers):
    """What the victim does with each holding, nearly: what is worth most to the look on which their play-outs improve.

    Without the purse it is what the blueprint has.
    """

    def __init__(self, victim):
        session = victim._session(victim._start)
        super().__init__("victim", make_reader(reader_kinds()["adaptive"]))
        self.bold = MyopicStrategy("victim", session.reader) if victim._counted is not None else None
        self.plain = SolverPlayer(victim._path, "never").strategy("victim", SPEC)

    def answers(self, spot):
        return (self.plain.expect if self.bold is None else self.bold.answers)(spot)


class Punisher(Player):
    """Calls everything, and later plays a local best response to what the victim does, whose mind they can read."""

    def __init__(self, victim, decoys):
        self.victim, self.decoys, self.hands = victim, decoys, 0
        self.session = None

    def begin(self, start):
        self.hands += 1
        self.players = start.players
        self.session = None

    def _truth(self):
        if self.session is None:  # the victim has taken their seat by now
            self.session = FrozenSession(Known(self.victim))
            self.session.start(self.players)
        return self.session

    def observe(self, decision):
        if self.hands > self.decoys:
            self._truth().observe(decision)

    def act(self, view):
        if self.hands <= self.decoys:
            return Act.CALL
        spot = self._truth().spot(view).held(view.holding, view.state)
        return Act(MyopicAdviser().advise(spot).best.act)


def course(file, purse, decoys, hands):
    """What was left of the purse after each hand."""
    victim = SolverPlayer(file, "river", 20, locks="adaptive", purse=purse)
    punisher = Punisher(victim, decoys)
    common, left = CommonKnowledge(), []
    for number in range(hands):
        seats = (0, 1) if number % 2 else (1, 0)
        players = [(victim, punisher)[each] for each in seats]
        deal = deal_cards(2, np.random.default_rng([5, number]))
        streams = [(number, each) for each in seats]
        play_hand(
            SPEC, [NAMES[each] for each in seats], players, deal, hand_id=str(number), common=common, streams=streams
        )
        left.append(victim.purse_of("punisher").left)
    return np.array(left), victim.purse_of("punisher").hands


@pytest.mark.slow
def test_whoever_is_built_to_punish_it_takes_the_purse_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path))
    file = tmp_path / "tiny.npz"
    Blueprint.build(seed=2, buckets=(30, 30, 12), rounds=8, flops=1, boards=8, jobs=1).save(file)
    purse, decoys, hands = 10.0, 60, 81  # later the reader has seen how the punisher plays
    free, counted = course(file, 1e6, decoys, hands)
    assert counted == hands  # it was bold to the end
    taken = free[decoys - 1] - free[-1]
    assert taken > 3 * purse  # they do punish it
    left, counted = course(file, purse, decoys, hands)
    assert np.all(left[:decoys] > 0)
    assert decoys < counted < hands
    assert left[counted - 1] <= 0 < left[counted - 2]
    assert left[counted - 2] - left[counted - 1] <= 2 * _MOST  # one hand, and the luck that was taken out of it
    assert left[-1] > -_MOST
    assert len(set(left[counted - 1 :])) == 1  # nothing is risked any more
    assert left[decoys - 1] - left[-1] < taken / 2
