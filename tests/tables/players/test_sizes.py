"""Players where bets have sizes."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.classics.loki1.player import Loki1Player
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import PlayerFailed, deal_cards, play_hand, tournament
from pokermodel.tables.players import ALL_STRUCTURES, Answer, IllegalAct, Player, Seat, make_player
from tests.common.engine import play_out

NO_LIMIT = GameSpec.no_limit(2, 50, 100, stacks=(2000, 3000))


class Sized(Player):
    """Answers what it is told to."""

    structures = ALL_STRUCTURES

    def __init__(self, answer):
        self.answer = answer

    def act(self, view):
        return self.answer


def begun(player, spec=NO_LIMIT):
    seat = Seat(player)
    seat.begin(spec, [f"p{k}" for k in range(spec.players)], 0, "AsKd", seed=1)
    return seat


@pytest.mark.parametrize("to", [200, 201, 2000])
def test_a_size_within_the_range(to):
    seat = begun(Sized(Answer(Act.RAISE, to)))
    assert seat.act() == Answer(Act.RAISE, to)
    decision = seat.observe(*seat.act())
    assert (decision.to, decision.put_in) == (to, to - 50)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(Act.RAISE), "a raise to None, expected 200 to 2000"),
        (Act.RAISE, "a raise to None, expected 200 to 2000"),
        (Answer(Act.RAISE, 199), "a raise to 199, expected 200 to 2000"),
        (Answer(Act.RAISE, 2001), "a raise to 2001, expected 200 to 2000"),
        (Answer(Act.RAISE, 300.0), "a raise to 300.0, expected 200 to 2000"),
        ((Act.RAISE, 300), "expected fold or call or raise"),
    ],
)
def test_an_illegal_size(answer, message):
    seat = begun(Sized(answer))
    with pytest.raises(IllegalAct, match=message):
        seat.act()
    assert not seat.hand.decisions


def test_where_nothing_bounds_a_raise():
    seat = begun(Sized(Answer(Act.RAISE, 199)), GameSpec.no_limit(2, 50, 100))
    with pytest.raises(IllegalAct, match="expected 200 or more"):
        seat.act()
    seat = begun(make_player("random?fold=0&call=0"), GameSpec.no_limit(2, 50, 100))
    assert 200 <= seat.act().to <= 200 + 4 * 150


def test_sizes_of_others_are_observed():
    seat = begun(make_player("call"))
    assert seat.observe(Act.RAISE, 700).to == 700  # from then on it is the turn of seat 1
    with pytest.raises(ValueError, match="cannot raise to 800: expected 1300 to 3000"):
        seat.observe(Act.RAISE, 800)
    assert seat.observe(Act.RAISE, to=1300, seat=1).put_in == 1200


def test_limit_has_no_sizes():
    """The only size may be said, and is left out."""
    seat = begun(Sized(Answer(Act.RAISE, 20)), GameSpec.heads_up(5, 10))
    assert seat.act() == Answer(Act.RAISE)
    seat = begun(Sized(Answer(Act.RAISE, 21)), GameSpec.heads_up(5, 10))
    with pytest.raises(IllegalAct, match="a raise to 21, expected 20"):
        seat.act()


@pytest.mark.parametrize("structure", ["no_limit", "pot_limit"])
def test_tables_of_their_own_and_the_arena_play_the_same(structure):
    """Unequal stacks, so that there are side pots; payoffs are those of the hand that was played."""
    spec = getattr(GameSpec, structure)(4, 1, 2, stacks=(40, 90, 25, 200))
    kinds = ["random", "random?fold=0.2", "call", "raise"]
    sidepots = 0
    for number in range(60):
        names = [f"p{k}" for k in range(4)]
        deal = deal_cards(4, np.random.default_rng(number))
        played = play_hand(spec, names, [make_player(kind) for kind in kinds], deal, entropy=number)
        assert sum(played.payoffs) == 0
        assert played.to_hand().payoffs == played.payoffs
        seats = [Seat(make_player(kind)) for kind in kinds]
        hand, _ = play_out(seats, spec, names, deal.holdings, deal.board, stacks=spec.stacks, seed=number)
        assert hand.actions == played.to_hand().actions
        assert hand.payoffs == played.payoffs
        sidepots += len(hand.shown) > 2 and min(hand.payoffs) > -200
    assert sidepots > 5


def test_players_of_limit_are_refused():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(200, 200))
    message = "^loki1 plays limit, and this game is no limit"
    with pytest.raises(ValueError, match=message):
        Seat(make_player("loki1")).begin(spec, ("a", "b"), 0, "AsKd")
    deal = deal_cards(2, np.random.default_rng(1))
    with pytest.raises(ValueError, match=message):
        play_hand(spec, ("a", "b"), [make_player("call"), make_player("loki1")], deal)
    with pytest.raises(ValueError, match=message):
        tournament("call,loki1", deals=1, spec=spec)
    with pytest.raises(ValueError, match=r"^Loki1Player plays limit"):  # of whom nobody typed a name
        Seat(Loki1Player()).begin(spec, ("a", "b"), 0, "AsKd")


def test_a_tournament(tmp_path):
    """Duplicate, repeatable, resumable, and each hand as PHH."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(100, 100, 100))
    first = tournament("random,call,raise", deals=20, spec=spec, seed=3, resume=tmp_path / "t", export=tmp_path / "h")
    again = tournament("random,call,raise", deals=20, spec=spec, seed=3, jobs=2, block=10)
    assert first.per_game == "big_blinds_per_game"
    assert [row["big_blinds_per_game"] for row in first.rows()] == pytest.approx(
        [row["big_blinds_per_game"] for row in again.rows()]
    )
    assert set(first.to_dict()["players"][0]) == {"name", "big_blinds_per_game", "standard_error", "ci95"}
    hands = list(pm.open_hands(tmp_path / "h"))
    assert len(hands) == 60
    assert {hand.spec.structure for hand in hands} == {"no limit"}
    other = GameSpec.no_limit(3, 1, 2, stacks=(50, 50, 50))
    with pytest.raises(ValueError, match="stacks"):
        tournament("random,call,raise", deals=20, spec=other, seed=3, resume=tmp_path / "t", export=tmp_path / "h")


def test_a_player_who_names_no_size_fails():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    deal = deal_cards(2, np.random.default_rng(1))
    with pytest.raises(PlayerFailed, match="a raise to None, expected 4 to 100"):
        play_hand(spec, ("a", "b"), [Sized(Act.RAISE), make_player("call")], deal)
