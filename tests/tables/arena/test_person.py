"""A chair for a person."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.game import Act, GameSpec
from pokermodel.histories import phh
from pokermodel.tables.arena.hand import PlayerFailed
from pokermodel.tables.arena.person import Left, Person, PersonTable
from pokermodel.tables.players import Answer, make_player

NO_LIMIT = GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3)


def table(ask=lambda view: Answer(Act.CALL), *, spec=NO_LIMIT, against="random", seed=1, **more):
    opponents = {f"{against}#{k}": make_player(against) for k in range(1, spec.players)}
    return PersonTable(spec, Person(ask), opponents, seed=seed, **more)


def test_the_button_moves_and_winnings_add_up():
    chair = table()
    seats = []
    for _ in range(6):
        hand = chair.play()
        seats.append(hand.players.index("You"))
        assert sum(hand.payoffs) == pytest.approx(0)
    assert seats == [0, 2, 1, 0, 2, 1]
    assert chair.played == 6
    assert sum(chair.won.values()) == pytest.approx(0)


def test_the_same_seed_is_the_same_play():
    hands = [[table(seed=seed).play() for _ in range(2)] for seed in (4, 4, 5)]
    assert hands[0] == hands[1] != hands[2]


def test_who_leaves_plays_the_hand_again():
    calls = []

    def ask(view):
        calls.append(view.holding)
        if len(calls) == 1:
            raise Left
        return Answer(Act.CALL)

    chair = table(ask)
    with pytest.raises(Left):
        chair.play()
    assert (chair.played, chair.won["You"]) == (0, 0)
    assert chair.play() == table().play()
    assert calls[0] == calls[1]


def test_a_hand_as_the_person_saw_it():
    chair = table(lambda view: Answer(view.legal[0]), against="call")
    hands = [chair.play() for _ in range(3)]
    for number, hand in enumerate(hands):
        seen = chair.as_seen(hand, str(number + 10))
        own = hand.players.index("You")
        shown = set(hand.to_hand().shown)
        assert set(seen.holdings) == shown | {own}
        assert seen.payoffs == hand.payoffs == seen.stated_payoffs
        again = phh.loads(phh.dumps(seen))
        assert (again.id, again.source, again.payoffs) == (str(number + 10), "pokermodel", hand.payoffs)
        assert (own in shown) == (number == 2)  # in the big blind, where there is nothing to call


def test_opponents_warm_up():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(100,) * 2)
    chair = table(against="myopic?deals=50")
    done = chair.warm_up(spec, 2) + chair.warm_up(spec, 1)
    assert [hand.hand_id for hand in done] == ["warm-up 1", "warm-up 2", "warm-up 3"]
    assert all("You" not in hand.players for hand in done)
    assert (chair.played, set(chair.won.values())) == (0, {0.0})
    people = chair._common._sessions["adaptive"].reader.people.of(spec.structure)
    assert all(name in people for name in done[0].players)
    with pytest.raises(ValueError, match="2 opponents warm up in a game of as many, got one of 3"):
        chair.warm_up(NO_LIMIT, 1)


def test_opponents_start_from_a_book():
    with pm.Book("sqlite://") as book:
        chair = table(against="myopic?deals=50")
        book.learn([chair.as_seen(chair.play(), "1")])
        later = table(against="myopic?deals=50", book=book)
        later.play()
        assert later._common._sessions["adaptive"].reader.people.hands == 2
        spec = GameSpec.ring(3, 1, 2)
        for name in ("loki2:sbr?specific=1", "som", "loki1", "loki2:br"):
            assert table(spec=spec, against=name, book=book).play().payoffs
        limit = table(spec=spec, against="bpp", book=book)
        with pytest.raises(ValueError, match=r"has learnt nothing for model 'bpp': run `.* --for bpp`$"):
            limit.play()
        book.learn([limit.as_seen(table(spec=spec, against="call").play(), "2")], kinds=["bpp"])
        assert limit.play().payoffs


def test_what_is_refused():
    with pytest.raises(ValueError, match="a game of 3 needs as many players with different names"):
        PersonTable(NO_LIMIT, Person(lambda view: None), {"Ann": make_player("call")})
    with pytest.raises(ValueError, match="different names"):
        table(name="random#1")
    with pytest.raises(PlayerFailed, match="act answered a raise to None, expected 4 to 100"):
        table(lambda view: Act.RAISE).play()
