"""The spot that a rule is typically about."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.analysis.typical_spots import TypicalSpot
from pokermodel.game import Act, GameSpec, position_names
from pokermodel.reading.tendencies import NotLearning

BOARD = tuple(range(0, 20, 4))
GAMES = {
    "heads-up": GameSpec.no_limit(2, 50, 100, stacks=[10000] * 2),
    "six-handed": GameSpec.no_limit(6, 50, 100, stacks=[10000] * 6),
    "limit": GameSpec.ring(6, 5, 10),
}
# who the player is, who the hero, the pot in small bets (big blinds), what is to be called, by rule; of six players
SPOTS = {
    "steal": ("BB", "SB", 1.5, 0.5),
    "three_bet": ("BTN", "BB", 4.0, 1.5),
    "cbet:flop": ("BB", "BTN", 5.5, 0.0),
    "bluff:flop": ("BB", "BTN", 5.5, 0.0),
    "cbet:turn": ("BB", "BTN", 11.0, 0.0),
    "bluff:turn": ("BB", "BTN", 5.5, 0.0),
    "bluff:river": ("BB", "BTN", 11.0, 0.0),
    "call:river": ("BTN", "BB", 11.0, 0.0),
}


def reached(key, spec, needed=1 / 3, open_size=None):
    session = pm.OpponentModeler("adaptive", learning=False)
    spot = TypicalSpot(key, needed, spec, open_size)
    with NotLearning(session):
        return spot, spot.reach(session, "Ann", BOARD[: spot.cards])


@pytest.mark.parametrize("key", SPOTS)
def test_six_handed(key):
    spec = GAMES["six-handed"]
    spot, play = reached(key, spec)
    names = position_names(spec)
    player, hero, pot, to_call = SPOTS[key]
    situation = play.situation()
    assert (names[spot.seat], names[spot.hero]) == (player, hero)
    assert situation.pot == pytest.approx(100 * pot)
    assert situation.to_call == pytest.approx(100 * to_call)
    assert situation.players[spot.seat] == "Ann"
    assert situation.round == {"": 0, "flop": 1, "turn": 2, "river": 3}[spot.street]
    # up to the flop it is the hero's decision; later the street begins, with who is out of position
    assert names[play.seat] == (hero if spot.street in ("", "flop") else "BB")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("key", SPOTS)
def test_every_game_has_the_spot(key, game):
    spot, play = reached(key, GAMES[game])
    assert spot.seat != spot.hero
    assert len(play.situation().board) == spot.cards
    assert play.situation().players[spot.seat] == "Ann"
    assert (spot.raise_to(play) is None) is (game == "limit")


@pytest.mark.parametrize("open_size", [10, 80])
@pytest.mark.parametrize("key", SPOTS)
def test_a_player_who_opens_for_much_leaves_the_spot(key, open_size):
    """The hand used to be over before the flop, or on it."""
    spot, play = reached(key, GameSpec.no_limit(6, 50, 100, stacks=[1500] * 6), open_size=open_size)
    situation = play.situation()
    assert len(situation.board) == spot.cards
    assert Act.CALL in situation.legal


def test_sizes_are_those_of_the_rule():
    spec = GAMES["six-handed"]
    assert reached("steal", spec)[0].raise_to(reached("steal", spec)[1]) == 250
    spot, play = reached("three_bet", spec)
    assert spot.raise_to(play) == 900
    # a third is needed by a bet of half the pot, a half by one of the pot
    for needed, to in ((1 / 3, 275), (1 / 2, 550)):
        spot, play = reached("cbet:flop", spec, needed)
        assert spot.raise_to(play) == to
