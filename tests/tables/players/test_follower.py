"""The player who takes back what a verdict calls an error."""

from __future__ import annotations

import pytest

from pokermodel.game import Act, BettingStructure, GameSpec
from pokermodel.tables.arena import tournament
from pokermodel.tables.players import Seat, make_player
from pokermodel.tables.players.player import ALL_STRUCTURES
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict, Worth


@pytest.mark.slow
def test_who_follows_verdicts_beats_who_does_not():
    """Paired games of limit: each deal is played from every seat, so that the player it follows would win nothing."""
    name = "follower?of=random&deals=64"
    result = tournament(f"{name},random*2", deals=100, seed=3, spec=GameSpec.ring(3, 1, 2))
    estimate = result.estimate(name)
    assert estimate.mean > 2.5 * estimate.standard_error > 0
    # three of the other one win nothing of each other
    alone = tournament("random*3", deals=5, seed=3, spec=GameSpec.ring(3, 1, 2))
    assert abs(alone.payoffs.sum(axis=1)).max() == 0


def acted(of, holding, acts=(), seat=0, **options):
    """What it does, what the other player would do, and the verdict."""
    text = "&".join([f"of={of}", *(f"{name}={value}" for name, value in options.items())])
    player = make_player(f"follower?{text}")
    at = Seat(player)
    at.begin(GameSpec.ring(3, 1, 2), ("Ann", "Bob", "Cid"), seat, holding, seed=1)
    for who, act in acts:
        at.observe(who, act) if who != seat else at.act()
    told = []
    verdict = player.verdict
    player.verdict = lambda *given: told.append(verdict(*given)) or told[-1]
    return at.act(), player, told


def test_errors_are_taken_back_and_other_acts_stand():
    """A loss beyond its interval is taken back; and an act that is right stands."""
    sure = Verdict((Worth(Act.CALL, None, 1.0, "exact"), Worth(Act.RAISE, None, 2.0, "exact")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(VerdictAdviser, "advise", lambda self, spot, rng=None, *, also=(): sure)
        answer, player, (verdict,) = acted("call", "AsAd", seat=2)
    judged = verdict.judge(Act.CALL)
    assert judged.loss > judged.loss_error
    assert answer.act == Act.RAISE == verdict.best.act
    assert (player.asked, player.changed) == (1, 1)
    answer, player, (verdict,) = acted("raise", "AsAd", seat=2)
    assert answer.act == Act.RAISE
    assert (player.asked, player.changed) == (1, 0)


def test_before_the_flop_verdicts_may_be_left_alone():
    answer, player, told = acted("call", "AsAd", seat=2, later=1)
    assert answer.act == Act.CALL
    assert not told
    assert player.asked == 0


def test_it_plays_what_the_other_player_plays():
    assert make_player("follower").structures == (BettingStructure.LIMIT,)
    assert make_player("follower?of=myopic").structures == ALL_STRUCTURES
    spec = GameSpec.no_limit(2, 1, 2, stacks=(40, 40))
    result = tournament("follower?of=shove&deals=64,call", deals=3, seed=1, spec=spec)
    assert result.payoffs.sum() == 0


def test_the_same_seed_is_the_same_play():
    games = [tournament("follower?deals=64,loki1", deals=1, seed=5, spec=GameSpec.heads_up(5, 10)) for _ in range(2)]
    assert (games[0].payoffs == games[1].payoffs).all()
    assert (games[0].acts == games[1].acts).all()


def test_what_is_refused():
    with pytest.raises(ValueError, match="nobody"):
        make_player("follower?of=nobody")
    with pytest.raises(ValueError, match="deals must be 64 or more"):
        make_player("follower?deals=2")
    with pytest.raises(ValueError, match="no hand has begun"):
        make_player("follower").verdict(None)
