"""A player who does what a reader expects."""

from collections import Counter

import numpy as np
import pytest

from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import deal_cards, play_hand, tournament
from pokermodel.tables.players import make_player
from pokermodel.tables.players.best_response import LocalBestResponse, strategy_of
from pokermodel.tables.players.typical import FrozenSession

NAMES = ("Ann", "Bo")
SPEC = GameSpec.heads_up(1, 2)


@pytest.mark.parametrize("spec", [GameSpec.heads_up(1, 2), GameSpec.no_limit(2, 1, 2, stacks=(200, 200))])
def test_acts_come_as_often_as_the_reader_expects(spec):
    """Of many first acts with one holding, a share that is within the error of what the strategy says."""
    deal = deal_cards(2, np.random.default_rng(7))
    player = make_player("typical")
    done = Counter()
    for game in range(300):
        hand = play_hand(spec, NAMES, [player, make_player("call")], deal, entropy=game)
        first = next(each for each in hand.decisions if each.seat == 0)
        done[first.act] += 1
    session = FrozenSession(player.strategy("Ann", spec))
    session.start(NAMES)
    from pokermodel.cards import holding_index

    expected = session.expect(first).triples[holding_index(deal.holdings[0])]
    for act in Act:
        share = float(np.nan_to_num(expected[act]))
        assert abs(done[act] / 300 - share) <= 4.5 * np.sqrt(share * (1 - share) / 300) + 1e-9


def test_sizes_are_legal_whatever_the_stacks():
    for stack in (3, 7, 40, 1000):
        result = tournament("typical,typical", 15, seed=stack, spec=GameSpec.no_limit(2, 1, 2, stacks=(stack, stack)))
        assert result.failure is None


def test_only_those_who_can_be_asked_are():
    assert strategy_of("call", "Ann", SPEC) is not None
    with pytest.raises(ValueError, match="'bpp' cannot be asked"):
        strategy_of("bpp", "Ann", SPEC)
    with pytest.raises(ValueError, match="'loki2:sb' cannot be asked"):
        LocalBestResponse("loki2:sb")
    with pytest.raises(ValueError, match="expected a model that infers holdings"):
        make_player("typical?model=uniform2")


def test_a_local_best_response_plays_heads_up():
    from functools import partial

    from pokermodel.tables.arena import Entrant, PlayerFailed

    entrants = [Entrant("lbr", partial(LocalBestResponse, "call")), "call", "call"]
    with pytest.raises(PlayerFailed, match="plays heads-up, got 3 players"):
        tournament(entrants, 1, seed=1)
