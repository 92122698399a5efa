"""Seats: our players at the tables of others."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import card_indices, cards_text
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.game import Act, GameSpec
from pokermodel.learning import kinds as learnt_kinds
from pokermodel.tables.arena import Deal, deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge, IllegalAct, Player, Seat, make_player
from tests.common.engine import play_out, random_hand

TEN = ["loki1", "som", "bpl", "loki2:br", "loki2:r?specific=1", "bpp", "loki2:s?trials=10", "som?model=bpp"]
TEN += ["random", "raise"]
THREE = GameSpec.ring(3, 5, 10)
TWO = GameSpec.heads_up(5, 10)


class Told(Player):
    """Keeps what it is told, and does as another player would, or as it is told to."""

    def __init__(self, player="call", *acts):
        self.player, self.acts = make_player(player), list(acts)
        self.starts, self.views, self.seen, self.ends = [], [], [], []

    def begin(self, start):
        self.starts.append(start)
        self.player.begin(start)

    def act(self, view):
        self.views.append(view)
        return self.acts.pop(0) if self.acts else self.player.act(view)

    def observe(self, decision):
        self.seen.append(decision)
        self.player.observe(decision)

    def end(self, end):
        self.ends.append(end)
        self.player.end(end)


def begun(player="call", number=0, spec=TWO, holding="AsKd", **options):
    """A seat at the beginning of a hand."""
    seat = Seat(make_player(player) if isinstance(player, str) else player)
    seat.begin(spec, [f"p{k}" for k in range(spec.players)], number, holding, **options)
    return seat


def at_the_end(seat, board="2c7d9hJsQd"):
    """The same seat when everybody has called to the showdown."""
    while not seat.hand.state.over:
        seat.deal(card_indices(board)[: (0, 3, 4, 5)[seat.hand.state.round]])
        seat.observe(Act.CALL)
    return seat


# --------------------------------------------------------------------------------------------------- playing


def test_ten_seats_of_their_own_play_as_a_table_does():
    """Ten players who keep to themselves, and the same ten in the arena, where they share what they may."""
    spec, common = GameSpec.ring(10, 1, 2), CommonKnowledge()
    ours, theirs = ([make_player(kind) for kind in TEN] for _ in range(2))
    seats = [Seat(player) for player in theirs]
    rounds = set()
    for number in range(12):
        turned = [(k + number) % 10 for k in range(10)]
        names = [f"p{k}" for k in turned]
        deal = deal_cards(10, np.random.default_rng(number))
        played = play_hand(
            spec, names, [ours[k] for k in turned], deal, hand_id=str(number), entropy=number, common=common
        )
        hand, told = play_out(
            [seats[k] for k in turned],
            spec,
            names,
            deal.holdings,
            deal.board,
            source="arena",
            hand_id=str(number),
            seed=number,
        )
        assert [action.act for action in hand.actions] == [decision.act for decision in played.decisions]
        assert all(seen == list(played.decisions) for seen in told)
        assert hand.payoffs == played.payoffs
        rounds |= {decision.round for decision in played.decisions}
    assert rounds == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "kinds", [("loki1", "loki2:br"), ("som", "bpp"), ("loki2:s?trials=10", "bpm", "random", "bpp")]
)
def test_all_ins_and_players_who_leave(kinds):
    """Stacks of a few bets; every hand pays out, and each seat sees the hand as it was."""
    spec = GameSpec.ring(len(kinds), 5, 10)
    players = [Told(kind) for kind in kinds]
    seats = [Seat(player) for player in players]
    names = [f"p{k}" for k in range(len(kinds))]
    rng = random.Random(7)
    all_in = left = 0
    for number in range(25):
        stacks = [rng.choice([7, 15, 35, 80, None]) for _ in kinds]
        deal = deal_cards(len(kinds), np.random.default_rng(number))
        hand, told = play_out(
            seats, spec, names, deal.holdings, deal.board, hand_id=str(number), seed=number, stacks=stacks, leaving=rng
        )
        replayed = list(hand.replay())
        assert all(seen == replayed for seen in told)
        for player, stack in zip(players, stacks, strict=True):
            assert player.ends[-1].payoffs == hand.payoffs
            assert player.ends[-1].board == hand.board
            assert dict(player.ends[-1].shown) == dict(hand.holdings)
            assert player.starts[-1].hand_id == str(number)
            assert stack is None or hand.payoffs[players.index(player)] >= -stack
        assert sum(hand.payoffs) == pytest.approx(0)
        all_in += any(decision.all_in for decision in replayed)
        left += any(decision.out_of_turn for decision in replayed)
    assert all_in > 3
    assert left > 0


def test_what_is_learnt_at_a_table_of_ones_own():
    """Through all-ins and hands without an act: what an observer of the same hands would have learnt."""
    spec, names = GameSpec.ring(3, 5, 10), ["p0", "p1", "p2"]
    seats = [Seat(make_player(kind)) for kind in ("bpp", "som", "random")]
    tables, counts = BayesTables(), pm.OpponentModeler("som")
    for number in range(15):
        stacks = None if number % 3 else [1 + number, 6 + number, 45]
        deal = deal_cards(3, np.random.default_rng(number))
        hand, _ = play_out(
            seats, spec, names, deal.holdings, deal.board, hand_id=str(number), seed=number, stacks=stacks
        )
        tables.learn(hand)
        counts.learn(hand)
    learnt = seats[0].common.session(("bpp", "em", 1.0), lambda: pytest.fail("there is one"))
    assert learnt.reader.tables.hands == 15
    assert learnt.reader.tables.to_bytes() == tables.to_bytes()
    counted = seats[1].common.session(("som", "mean", "outs"), lambda: pytest.fail("there is one"))
    for name in names:
        assert counted.reader.frequencies.counts(name) == counts.reader.frequencies.counts(name)


@pytest.mark.parametrize("kind", ["bpp", "som", "loki2:s?model=bpp", "loki1"])
def test_a_hand_in_which_nobody_can_act(kind):
    """Both are all-in by their blinds."""
    seat = begun(kind, stacks=[5, 10])
    assert seat.hand.state.over
    with pytest.raises(ValueError, match="the hand is over: nobody is to act"):
        seat.act()
    seat.end((-5, 5), {0: "AsKd", 1: "2c2d"}, board="2h7d9hJsQd")
    seat.begin(TWO, ("p0", "p1"), 0, "AsKd", hand_id="2")
    assert seat.act().act in seat.hand.situation().legal


def test_the_same_seed_plays_the_same():
    def acts(seed, kind):
        seats = [Seat(make_player(kind)), Seat(make_player("random"))]
        found = []
        for number in range(12):
            deal = deal_cards(2, np.random.default_rng(number))
            hand, _ = play_out(
                seats,
                TWO,
                ("p0", "p1"),
                deal.holdings,
                deal.board,
                hand_id=str(number),
                seed=None if seed is None else seed + number,
            )
            found.append(hand.actions)
        return found

    for kind in ("random", "loki2:br", "bpp?rule=randomised"):
        assert acts(1, kind) == acts(1, kind) != acts(1000, kind)
    assert acts(None, "random") != acts(None, "random")


def test_a_seed_may_be_any_whole_number():
    draws = []
    for seed in (5, np.int64(5), 2**80):
        player = Told()
        begun(player, seed=seed)
        draws.append(player.starts[0].rng.random())
    assert draws[0] == draws[1] != draws[2]
    for seed in (-1, 1.5, "one"):
        with pytest.raises(ValueError, match="the seed must be"):
            begun(seed=seed)


# ---------------------------------------------------------------------------------------- what a player is told


def test_what_a_player_is_told():
    player = Told("call")
    seat = begun(player, 1, THREE, "KdAs", source="club", hand_id="77", stacks=[100, 200, None], seed=3)
    (start,) = player.starts
    assert (start.source, start.hand_id, start.spec, start.players) == ("club", "77", THREE, ("p0", "p1", "p2"))
    assert (start.seat, start.player, start.holding) == (1, "p1", card_indices("AsKd"))  # the higher card first
    assert start.common is seat.common
    assert (seat.number, seat.player, seat.watches) == (1, player, True)
    raised, left = seat.observe(Act.RAISE), seat.observe(Act.FOLD, seat=0)
    assert (raised.player, raised.put_in, left.player, left.out_of_turn) == ("p2", 20, "p0", False)
    assert seat.act() == (Act.CALL, None)
    (view,) = player.views
    assert (view.index, view.holding, view.decisions, view.opponents) == (2, start.holding, (raised, left), (2,))
    assert view.situation == seat.hand.situation()
    assert view.state is not seat.hand.state
    assert player.seen == [raised, left]  # what is answered is not done yet
    called = seat.observe(Act.CALL)
    assert player.seen == [raised, left, called]


def test_the_end_is_the_end():
    player = Told()
    seat = at_the_end(begun(player))
    seat.end((-10, 10), {1: "9s9c"})
    (end,) = player.ends
    assert (end.payoffs, cards_text(end.board), dict(end.shown)) == ((-10, 10), "2c7d9hJsQd", {1: card_indices("9s9c")})
    for call in (seat.act, seat.end, lambda: seat.observe(Act.CALL), lambda: seat.deal("2c7d9h"), lambda: seat.hand):
        with pytest.raises(ValueError, match=r"no hand is being played: call begin\(\) first"):
            call()
    seat.begin(TWO, ("p0", "p1"), 1, "2c2d", hand_id="2")
    assert len(player.starts) == 2


def test_a_board_that_nobody_saw_is_not_shown():
    """An engine may deal all of it at once."""
    player = Told()
    seat = begun(player)
    seat.deal("2c7d9hJsQd")
    seat.observe(Act.FOLD)
    seat.end((-5, 5))
    assert player.ends[0].board == ()


def test_a_hand_that_is_broken_off_teaches_nothing_of_its_end():
    seat = begun("bpp")
    seat.observe(Act.RAISE)
    at_the_end(begun("bpp"))
    seat.begin(TWO, ("p0", "p1"), 1, "2c2d", hand_id="2")
    at_the_end(seat, "3c7d9hJsQd").end()
    session = seat.common.session(("bpp", "em", 1.0), lambda: pytest.fail("there is one"))
    assert session.reader.tables.hands == 1


def test_players_who_do_not_watch_are_not_told():
    assert not begun("call").watches
    assert begun("loki2:s").watches


# ------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("answer", [Act.FOLD, None, "call", 1.0, 7])
def test_an_illegal_answer(answer):
    seat = begun(Told("call", answer), 1)
    seat.observe(Act.CALL)
    with pytest.raises(IllegalAct, match="expected call or raise"):
        seat.act()
    assert issubclass(IllegalAct, ValueError)
    assert len(seat.hand.decisions) == 1
    assert seat.act() == (Act.CALL, None)  # it may be asked again


@pytest.mark.parametrize("player", ["call", None])
def test_a_name_is_no_player(player):
    """A seat without a player says so when it is made, not at the first act."""
    with pytest.raises(ValueError, match=f"a seat is for a Player, as make_player.* makes one, got {player!r}"):
        Seat(player)


def test_a_number_is_an_act():
    assert begun(Told("call", 2)).act().act is Act.RAISE


def refused(seat, message, call):
    """A call that is refused with a message, and changes nothing."""
    hand = seat.hand
    before = hand.state.committed, hand.board, hand.decisions.copy()
    with pytest.raises(ValueError, match=message):
        call(seat)
    assert seat.hand is hand
    assert (hand.state.committed, hand.board, hand.decisions) == before


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("it is the turn of seat 2, not of seat 0", lambda seat: seat.act()),
        ("seat 1 acts, but it is the turn of seat 2", lambda seat: seat.observe(Act.CALL, seat=1)),
        ("the seat must be 0 to 2, got 3", lambda seat: seat.observe(Act.FOLD, seat=3)),
        ("an act must be 0 to 2, got 3", lambda seat: seat.observe(3)),
        ("a board has 0, 3, 4 or 5 cards, got 2", lambda seat: seat.deal("2c3d")),
        ("'As2c3d' has a card of the player's 'AsKd'", lambda seat: seat.deal("As2c3d")),
        ("the hand is not over: it is the turn of seat 2", lambda seat: seat.end()),
    ],
)
def test_what_is_refused_at_the_beginning(message, call):
    refused(begun(number=0, spec=THREE), message, call)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("0 cards on the board on the flop, expected 3", lambda seat: seat.act()),
        ("0 cards on the board on the flop, expected 3", lambda seat: seat.observe(Act.CALL)),
        ("seat 2 has folded before", lambda seat: seat.observe(Act.FOLD, seat=2)),
    ],
)
def test_what_is_refused_before_the_board_is_dealt(message, call):
    seat = begun(number=0, spec=THREE)
    for act in (Act.FOLD, Act.CALL, Act.CALL):
        seat.observe(act)
    refused(seat, message, call)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("the hand is over", lambda seat: seat.act()),
        ("the hand is over", lambda seat: seat.observe(Act.CALL)),
        ("the hand is over", lambda seat: seat.observe(Act.FOLD, seat=1)),
        ("2 seats have as many payoffs, got 3", lambda seat: seat.end((1, 2, 3))),
        ("board '2c7d9hJsQh' does not continue", lambda seat: seat.end(board="2c7d9hJsQh")),
        (r"seat 5 shows cards, but seats at the showdown are \(0, 1\)", lambda seat: seat.end(shown={5: "9s9c"})),
        ("a holding is two cards, got 1", lambda seat: seat.end(shown={1: "9s"})),
        ("seat 0 shows 9s9c, but holds AsKd", lambda seat: seat.end(shown={0: "9s9c"})),
        ("duplicate card", lambda seat: seat.end(shown={1: "9hAc"})),
        ("duplicate card", lambda seat: seat.end(shown={1: "KdAc"})),
        ("duplicate card", lambda seat: seat.end(shown={0: "AsKd", 1: "AsAc"})),
    ],
)
def test_what_is_refused_at_the_end(message, call):
    refused(at_the_end(begun("som")), message, call)


def test_cards_are_shown_at_a_showdown_only():
    seat = begun()
    seat.observe(Act.FOLD)
    refused(seat, "seat 0 shows cards, but seats at the showdown are none", lambda seat: seat.end(shown={0: "AsKd"}))
    all_in = begun(stacks=[5, 10])
    refused(all_in, "0 cards on the board, expected 5", lambda seat: seat.end(shown={0: "AsKd", 1: "2c2d"}))
    refused(all_in, "duplicate card", lambda seat: seat.end(shown={1: "2c2d"}, board="2c7d9hJsQd"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TWO, ("a",), 0, "AsKd"), "a game of 2 needs as many players"),
        ((TWO, ("a", "a"), 0, "AsKd"), "different names"),
        ((TWO, ("a", "b"), 2, "AsKd"), "there is no seat 2, expected 0 to 1"),
        ((TWO, ("a", "b"), -1, "AsKd"), "there is no seat -1, expected 0 to 1"),
        ((TWO, ("a", "b"), 0, "As"), "a holding is two cards, got 1"),
        ((TWO, ("a", "b"), 0, "AsAs"), "duplicate card"),
    ],
)
def test_what_is_no_beginning(arguments, message):
    seat = begun("som")
    seat.observe(Act.CALL)
    refused(seat, message, lambda seat: seat.begin(*arguments))
    seat.observe(Act.CALL)  # the hand goes on
    assert len(seat.common.decisions) == 2


def test_nothing_happens_before_a_hand_begins():
    seat = Seat(make_player("call"))
    for call in (seat.act, seat.end, lambda: seat.observe(Act.CALL), lambda: seat.deal("2c7d9h")):
        with pytest.raises(ValueError, match=r"no hand is being played: call begin\(\) first"):
            call()
    with pytest.raises(ValueError, match=r"no hand has begun: call begin\(\) first"):
        CommonKnowledge().hand((), {})


def test_a_player_that_fails_is_the_engines_affair():
    class Crash(Player):
        def act(self, view):
            raise RuntimeError("out of cheese")

    with pytest.raises(RuntimeError, match="out of cheese"):
        begun(Crash()).act()


def test_deals_know_their_order():
    """Cards of a seat come in any order; players see the higher one first, as in the arena."""
    seen = []
    for text in ("2cAs", "As2c"):
        player = Told()
        begun(player, holding=text)
        seen.append(player.starts[0].holding)
    deal = Deal((card_indices("As2c"), card_indices("KdTc")), card_indices("2d7d9hJsQd"))
    player = Told()
    play_hand(TWO, "ab", [player, make_player("call")], deal)
    assert seen == [deal.holdings[0]] * 2 == [player.starts[0].holding] * 2


@pytest.fixture(scope="module")
def random_players():
    """A book of two who act at random, at a table as it is met again: players are known by their site."""
    with pm.Book("sqlite://") as known:
        hands = [random_hand(number, TWO)[0] for number in range(60)]
        known.learn([pm.Hand("table", *hand.__reduce__()[1][1:]) for hand in hands], kinds=learnt_kinds())
        yield known


@pytest.mark.parametrize("kind", ["som", "loki1?model=adaptive", "bpp", "loki2:r?specific=1", "loki2:br?model=bpp"])
def test_players_begin_with_what_the_book_of_the_table_knows(kind, random_players):
    """Their sessions start from it, shared ones and their own."""
    tables = []
    for book in random_players, None:
        seat = Seat(make_player(kind), CommonKnowledge(book))
        seat.begin(TWO, ("p0", "p1"), 1, "AsKd", seed=1)
        seat.observe(Act.RAISE)
        seat.act()
        (session,) = [*seat.common._sessions.values(), *getattr(seat.player, "_sessions", {}).values()]
        tables.append(session.weights(0))
        assert tables[-1].std() > 0
    assert not np.allclose(*tables)
