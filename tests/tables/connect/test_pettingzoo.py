"""PettingZoo's environments of hold'em, which are RLCard's games."""

from __future__ import annotations

import warnings

import pytest

pettingzoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed")

from pokermodel.tables.connect.pettingzoo import EnvironmentPlayer  # noqa: E402
from pokermodel.tables.connect.rlcard import PlayerAgent  # noqa: E402
from pokermodel.tables.players import make_player  # noqa: E402

GAMES = [("classic/texas_holdem-v4", "limit-holdem"), ("classic/texas_holdem_no_limit-v6", "no-limit-holdem")]


def make(name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its spaces
        return pettingzoo.make("aec", name, **options)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("name", "game"), GAMES)
def test_our_players_play_there_as_in_rlcard(name, game, players):
    env = make(name, num_players=players)
    for seed in range(5):
        env.reset(seed=seed)
        ours = {agent: EnvironmentPlayer(make_player("random"), seed=k) for k, agent in enumerate(env.agents)}
        rewards = []
        for agent in env.agent_iter():
            action = ours[agent].act(env)
            if action is None:
                rewards.append((agent, env.last()[1]))
            env.step(action)
        there = rlcard.make(game, config={"seed": seed, "game_num_players": players, "allow_step_back": False})
        there.set_agents([PlayerAgent(make_player("random"), seed=k) for k in range(players)])
        payoffs = there.run()[1]
        assert sorted(rewards) == [(f"player_{k}", payoffs[k]) for k in range(players)]


@pytest.mark.parametrize("name", [name for name, _ in GAMES])
def test_our_players_see_no_cards_but_their_own(name):
    """With other cards of the others, and another deck to come, they do the same."""
    env = make(name)
    for seed in range(20):
        env.reset(seed=seed)
        table = env.unwrapped.env.game
        action = EnvironmentPlayer(make_player("random"), seed=seed).act(env)
        table.dealer.deck.reverse()
        stranger = table.players[1 - table.game_pointer]
        before = stranger.hand
        stranger.hand = [table.dealer.deal_card(), table.dealer.deal_card()]
        assert stranger.hand != before
        assert EnvironmentPlayer(make_player("random"), seed=seed).act(env) == action


def test_other_environments():
    env = make("classic/leduc_holdem-v4")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="expected texas_holdem_v4 or texas_holdem_no_limit_v6"):
        EnvironmentPlayer(make_player("call")).act(env)
