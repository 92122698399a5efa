"""OpenSpiel: the same hands, played there and here."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from open_spiel.python.algorithms import evaluate_bots as driver  # noqa: E402
from open_spiel.python.bots import uniform_random  # noqa: E402

from pokermodel.game import Act, GameSpec  # noqa: E402
from pokermodel.tables.arena import Entrant, PlayerFailed, deal_cards, play_hand, tournament  # noqa: E402
from pokermodel.tables.connect.openspiel import BotPlayer, PlayerBot, from_openspiel, policy_bot, to_openspiel  # noqa: E402
from pokermodel.tables.players import ALL_STRUCTURES, Answer, IllegalAct, Player, make_player  # noqa: E402

TWO, THREE, FOUR = GameSpec.heads_up(5, 10), GameSpec.ring(3, 5, 10), GameSpec.ring(4, 5, 10)


def no_limit(*stacks):
    """A game of no limit by the rules of the ACPC's dealer."""
    return GameSpec.from_acpc(GameSpec.no_limit(len(stacks), 50, 100, stacks=stacks).to_acpc())


#: Games, and the betting abstraction where there is a choice.
GAMES = {
    "limit, 2": (TWO, None),
    "limit, 3": (THREE, None),
    "limit, 4": (FOUR, None),
    "no limit, 2": (no_limit(2000, 1500), None),
    "no limit, 3": (no_limit(2000, 1500, 900), "fullgame"),
    "no limit, 6": (no_limit(2000, 1500, 900, 300, 2000, 100), "fullgame"),
    "pot and all-in, 2": (no_limit(2000, 1500), "fcpa"),
    "pot and all-in, 3": (no_limit(2000, 1500, 900), "fcpa"),
    "half pots, 3": (no_limit(2000, 1500, 900), "fchpa"),
}
SLOW = ["limit, 2", "limit, 3", "no limit, 2"]
HANDS = [pytest.param(name, 25) for name in GAMES]
HANDS += [pytest.param(name, 10_000, marks=pytest.mark.slow) for name in SLOW]


class Told(Player):
    """Plays as another, and keeps what it is told."""

    structures = ALL_STRUCTURES

    def __init__(self, player):
        self.player = make_player(player)
        self.decisions, self.ends = [], []

    def begin(self, start):
        self.player.begin(start)
        self.decisions.clear()

    def act(self, view):
        return self.player.act(view)

    def observe(self, decision):
        self.decisions.append(decision)
        self.player.observe(decision)

    def end(self, end):
        self.ends.append(end)
        self.player.end(end)


class Sizes(Player):
    """Raises to what it is told, then calls."""

    structures = ALL_STRUCTURES

    def __init__(self, *sizes):
        self.sizes = list(sizes)

    def act(self, view):
        return Answer(Act.RAISE, self.sizes.pop(0)) if self.sizes else Answer(Act.CALL)


def cards_of(deal):
    """The cards of a deal in OpenSpiel's order."""
    return [card for holding in deal.holdings for card in holding] + list(deal.board)


def play_there(game, bots, cards, informed=True):
    """A hand between bots with these cards: the state in the end."""
    state, cards = game.new_initial_state(), iter(cards)
    while not state.is_terminal():
        player = state.current_player()
        action = next(cards) if state.is_chance_node() else bots[player].step(state)
        for number, bot in enumerate(bots):
            if number != player and informed:
                bot.inform_action(state, player, action)
        state.apply_action(action)
    return state


def replayed(game, played):
    """The state of OpenSpiel after the acts of a hand of ours."""
    state, cards, decisions = game.new_initial_state(), iter(cards_of(played.deal)), iter(played.decisions)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(next(cards))
            continue
        decision = next(decisions)
        assert decision.seat == state.current_player()
        action = int(decision.act)
        if decision.act == Act.RAISE and not decision.situation.spec.structure.fixed:
            action = decision.situation.committed[decision.seat] + decision.put_in
        assert action in state.legal_actions()
        state.apply_action(action)
    assert list(decisions) == []
    return state


# ------------------------------------------------------------------------------------------------------------ games


@pytest.mark.parametrize("name", GAMES)
def test_games_there_and_back(name):
    spec, abstraction = GAMES[name]
    assert from_openspiel(to_openspiel(spec, abstraction)) == GameSpec.from_acpc(spec.to_acpc())


@pytest.mark.parametrize(
    ("convert", "expected"),
    [
        (to_openspiel, "a GameSpec, as GameSpec.no_limit makes one"),
        (from_openspiel, "a pyspiel.Game, as to_openspiel makes one"),
        (lambda what: PlayerBot(make_player("call"), what, 0), "a pyspiel.Game, as to_openspiel makes one"),
    ],
)
def test_what_is_no_game(convert, expected):
    for what in (None, "no limit"):
        with pytest.raises(ValueError, match=f" is {what!r}: expected {expected}$"):
            convert(what)


def test_a_game_by_its_string():
    game = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
    )
    assert from_openspiel(game) == replace(GameSpec.heads_up(5, 10, button=1), reopening="any")


@pytest.mark.parametrize(
    ("spec", "abstraction", "reason"),
    [
        (GameSpec.ring(5, 5, 10), None, "crashes on limit games of five and more, expected 2 to 4"),
        (GameSpec.pot_limit(2, 5, 10, stacks=(500, 500)), None, "cannot be pot limit"),
        (replace(TWO, antes=(1, 1)), None, "antes"),
        (replace(TWO, blinds=(0, 0)), None, "a game without blinds"),
        (replace(TWO, stacks=(500, 500)), None, "OpenSpiel ignores stacks in limit"),
        (replace(TWO, max_raises=(256, 4, 4, 4)), None, "up to 255 raises"),
        (GameSpec.no_limit(2, 5, 10), None, "no limit needs the stacks of all seats"),
        (GameSpec.no_limit(2, 5, 10, stacks=(500, 4)), None, "do not cover blinds"),
        (GameSpec.no_limit(2, 5, 10, stacks=(500, 2**31)), None, "counts up to 2,147,483,647 chips"),
        (GameSpec.no_limit(3, 5, 10, stacks=(500,) * 3), None, "expected 'any' and 'cumulative'"),
        (no_limit(*[1000] * 11), None, "games for 2 to 10"),
        (no_limit(500, 500), "fc", "unknown betting abstraction 'fc'"),
        (TWO, "fullgame", "expected fcpa, OpenSpiel's limit game"),
    ],
)
def test_games_that_are_not_there(spec, abstraction, reason):
    with pytest.raises(ValueError, match=reason):
        to_openspiel(spec, abstraction)


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("leduc_poker", {}, "game leduc_poker: expected universal_poker"),
        ("universal_poker", {}, "must be"),  # as it is by default: one card, six ranks
        ("universal_poker", {"bettingAbstraction": "fc"}, "unknown betting abstraction 'fc'"),
        ("universal_poker", {"potSize": 400, "boardCards": "2c3c4c"}, "subgame"),
    ],
)
def test_games_that_are_not_ours(name, change, reason):
    holdem = to_openspiel(no_limit(2000, 2000), "fcpa").get_parameters()
    parameters = {key: value for key, value in holdem.items() if value != ""} | change if change else {}
    with pytest.raises(ValueError, match=reason):
        from_openspiel(pyspiel.load_game(name, parameters))


# ------------------------------------------------------------------------------------------------ our players there


@pytest.mark.parametrize(("name", "hands"), HANDS)
def test_our_players_get_what_openspiel_pays(name, hands):
    """And see the board and who shows what."""
    spec, abstraction = GAMES[name]
    game = to_openspiel(spec, abstraction)
    kinds = ["random", "random?raise=3", "call", "random?fold=0.3", "raise", "random"][: spec.players]
    players = [Told(kind) for kind in kinds]
    bots = [PlayerBot(player, game, seat, seed=seat) for seat, player in enumerate(players)]
    boards = set()
    for number in range(hands):
        deal = deal_cards(spec.players, np.random.default_rng(number))
        state = play_there(game, bots, cards_of(deal))
        found = state.to_struct()
        boards.add(len(found.board_cards) // 2)
        for player in players:
            assert len(player.ends) == 1
            end = player.ends.pop()
            assert list(end.payoffs) == pytest.approx(state.returns())
            assert end.board == deal.board[: len(end.board)]
            assert 2 * len(end.board) == len(found.board_cards)
            assert all(deal.holdings[seat] == holding for seat, holding in end.shown.items())
            put_in = list(player.decisions[-1].situation.committed)
            put_in[player.decisions[-1].seat] += player.decisions[-1].put_in
            assert put_in == found.player_contributions
    assert 5 in boards
    assert len(boards) > 1 or "call" in kinds


@pytest.mark.parametrize("name", ["limit, 2", "limit, 3", "no limit, 3"])
def test_our_players_do_there_what_they_do_here(name):
    spec, abstraction = GAMES[name]
    kinds = ["loki2:br", "som", "bpp"] if spec.structure.fixed else ["random", "random?raise=3", "random?fold=0"]
    kinds = kinds[: spec.players]
    names = [f"player {seat}" for seat in range(spec.players)]
    game = to_openspiel(spec, abstraction)
    for number in range(6):
        seed = int(np.random.default_rng(number).integers(2**63))
        deal = deal_cards(spec.players, np.random.default_rng(number))
        bots = [PlayerBot(make_player(kind), game, seat, seed=number) for seat, kind in enumerate(kinds)]
        state = play_there(game, bots, cards_of(deal))
        played = play_hand(spec, names, [make_player(kind) for kind in kinds], deal, entropy=seed)
        assert replayed(game, played).history() == state.history()
        assert list(played.payoffs) == pytest.approx(state.returns())


def test_drivers_of_openspiel():
    """Its own two, in C++ and in Python: every hand ends for our players, who learn from it."""
    game = to_openspiel(TWO)
    for drive in (pyspiel.evaluate_bots, lambda *of: driver.evaluate_bots(*of[:2], np.random.RandomState(of[2]))):
        player = Told("som")
        bots = [PlayerBot(player, game, 0, seed=1), PlayerBot(make_player("random"), game, 1, seed=2)]
        for seed in range(20):
            returns = drive(game.new_initial_state(), bots, seed)
            assert list(player.ends[-1].payoffs) == returns
        assert len(player.ends) == 20


def test_the_same_hand_twice():
    """In which the player is not even asked."""
    game = to_openspiel(TWO)
    player = Told("call")
    bots = [PlayerBot(make_player("random?call=0&raise=0"), game, 0), PlayerBot(player, game, 1)]
    for _ in range(3):
        play_there(game, bots, cards_of(deal_cards(2, np.random.default_rng(1))))
    assert [end.payoffs for end in player.ends] == [(-5, 5)] * 3


def test_against_a_bot_of_openspiel():
    game = to_openspiel(THREE)
    bots = [
        PlayerBot(make_player("loki1"), game, 0, seed=1),
        pyspiel.make_uniform_random_bot(1, 5),
        pyspiel.load_bot("uniform_restricted_actions", game, 2, {"policy_name": "HalfCallHalfRaise"}),
    ]
    for seed in range(20):
        assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)) == 0


@pytest.mark.parametrize("name", ["limit, 3", "no limit, 3", "pot and all-in, 3"])
def test_our_players_see_no_cards_but_their_own(name):
    """With other cards of the others, and another deck to come, they do the same."""
    spec, abstraction = GAMES[name]
    game = to_openspiel(spec, abstraction)
    kind = "loki2:sr?trials=5" if spec.structure.fixed else "random"
    for number in range(8):
        deal = deal_cards(3, np.random.default_rng(number))
        players = ["random?fold=0.2"] * 3
        players[number % 3] = kind
        bots = [PlayerBot(make_player(each), game, seat, seed=number) for seat, each in enumerate(players)]
        history = play_there(game, bots, cards_of(deal)).history()
        acts = {place for place, step in enumerate(who_acts(game, history)) if step == number % 3}
        own = slice(2 * (number % 3), 2 * (number % 3) + 2)
        for place in acts:
            rng = random.Random(place)
            other = list(history[:place])
            deck = [card for card in range(52) if card not in history[own]]
            deck = [card for card in deck if card not in board_of(game, history[:place])]
            rng.shuffle(deck)
            other[:6] = [deck.pop() for _ in range(6)]
            other[own] = history[own]
            bot = PlayerBot(make_player(kind), game, number % 3, seed=number)
            state = game.new_initial_state()
            for step, action in enumerate(other):
                if state.current_player() == number % 3:
                    assert bot.step(state) == history[step]
                state.apply_action(action)
            assert bot.step(state) == history[place]


def who_acts(game, history):
    """Who acts at each place of a history."""
    state = game.new_initial_state()
    for action in history:
        yield state.current_player()
        state.apply_action(action)


def board_of(game, history):
    """The board cards of a history of three players."""
    players = list(who_acts(game, history))
    return [card for card, player in zip(history[6:], players[6:], strict=True) if player < 0]


def test_states_in_any_order():
    """A bot that is shown states of several hands in turn does in each what it does when it sees that alone."""
    game = to_openspiel(TWO)
    states = []
    for number in range(6):
        bots = [PlayerBot(make_player("random?fold=0"), game, seat, seed=number) for seat in range(2)]
        history = play_there(game, bots, cards_of(deal_cards(2, np.random.default_rng(number)))).history()
        state = game.new_initial_state()
        for action in history:
            if state.current_player() == 1:
                states.append(state.clone())
            state.apply_action(action)
    random.Random(1).shuffle(states)
    bot = PlayerBot(make_player("loki1"), game, 1, seed=1)
    for state in states:
        alone = PlayerBot(make_player("loki1"), game, 1, seed=1)
        assert bot.step(state) == alone.step(state)


def test_the_same_seed_makes_the_same_acts():
    game = to_openspiel(no_limit(2000, 1500), "fullgame")

    def returns(seed):
        bots = [PlayerBot(make_player("random"), game, seat, seed=seed + seat) for seat in range(2)]
        return [pyspiel.evaluate_bots(game.new_initial_state(), bots, hand) for hand in range(10)]

    assert returns(3) == returns(3) != returns(4)


@pytest.mark.parametrize(
    ("abstraction", "to", "action"),
    [
        ("fullgame", 450, 450),
        ("fcpa", 450, 2),  # the pot is a raise to 300, all-in one to 2,000
        ("fcpa", 1000, 3),
        ("fchpa", 220, 4),  # half the pot: to 200
        ("fchpa", 280, 2),
    ],
)
def test_raises_become_the_nearest_that_is_offered(abstraction, to, action):
    game = to_openspiel(no_limit(2000, 2000), abstraction)
    bot = PlayerBot(Sizes(to), game, 0)
    state = game.new_initial_state()
    for card in range(4):
        state.apply_action(card)
    assert bot.step(state) == action


def test_seats_names_and_players_that_do_not_fit():
    game = to_openspiel(no_limit(2000, 2000))
    with pytest.raises(ValueError, match="there is no seat 2, expected 0 to 1"):
        PlayerBot(make_player("call"), game, 2)
    with pytest.raises(ValueError, match="2 players need as many different names"):
        PlayerBot(make_player("call"), game, 0, names=["Ann", "Ann"])
    state = game.new_initial_state()
    for card in range(4):
        state.apply_action(card)
    with pytest.raises(ValueError, match="plays limit, and this game is no limit"):
        PlayerBot(make_player("loki1"), game, 0).step(state)
    with pytest.raises(IllegalAct, match="expected 200 to 2000"):
        PlayerBot(Sizes(150), game, 0).step(state)
    with pytest.raises(ValueError, match="it is the turn of seat 0"):
        PlayerBot(make_player("call"), game, 1).step(state)


# ------------------------------------------------------------------------------------------------- their bots here


def uniform(game, seat, seed):
    return pyspiel.make_uniform_random_bot(seat, seed)


@pytest.mark.parametrize(("name", "hands"), [each for each in HANDS if "pot" not in each.values[0]])
def test_their_bots_get_here_what_openspiel_pays(name, hands):
    spec, abstraction = GAMES[name]
    game = to_openspiel(spec, abstraction)
    names = [f"p{seat}" for seat in range(spec.players)]
    players = [BotPlayer(uniform, abstraction) for _ in names]
    for number in range(hands):
        played = play_hand(
            spec, names, players, deal_cards(spec.players, np.random.default_rng(number)), entropy=number
        )
        assert replayed(game, played).returns() == pytest.approx(list(played.payoffs))


class Spy(pyspiel.Bot):
    """Acts by chance, and keeps what it can see without looking at others' cards."""

    def __init__(self, seat, seed, seen):
        pyspiel.Bot.__init__(self)
        self.seat, self.rng, self.seen = seat, random.Random(seed), seen

    def restart_at(self, state):
        pass

    def step(self, state):
        assert state.current_player() == self.seat
        self.seen.append((state.information_state_string(), state.observation_string(), state.legal_actions()))
        return self.rng.choice(state.legal_actions())


@pytest.mark.parametrize("name", ["limit, 2", "limit, 3", "no limit, 3"])
def test_their_bots_see_here_what_they_see_there(name):
    spec, abstraction = GAMES[name]
    game = to_openspiel(spec, abstraction)
    names = [f"p{seat}" for seat in range(spec.players)]
    seen = []
    players = [BotPlayer(lambda game, seat, seed: Spy(seat, seed, seen), abstraction) for _ in names]
    for number in range(10):
        seen.clear()
        played = play_hand(
            spec, names, players, deal_cards(spec.players, np.random.default_rng(number)), entropy=number
        )
        state = game.new_initial_state()
        there = []
        for action in replayed(game, played).history():
            if not state.is_chance_node():
                there.append((state.information_state_string(), state.observation_string(), state.legal_actions()))
            state.apply_action(action)
        assert seen == there


def test_bots_that_keep_a_state_of_their_own():
    """They follow by what they are told, and stop the process where that is not what they are shown."""
    spec, names = THREE, ["p0", "p1", "p2"]
    players = [BotPlayer(lambda game, seat, seed: pyspiel.make_stateful_random_bot(game, seat, seed)) for _ in names]
    flops = 0
    for number in range(60):
        played = play_hand(spec, names, players, deal_cards(3, np.random.default_rng(number)), entropy=number)
        flops += played.decisions[-1].round > 0
    assert flops > 20


class Peeking(pyspiel.Bot):
    """Acts by all the cards of the state that it is shown."""

    def __init__(self, seed):
        pyspiel.Bot.__init__(self)
        self.seen = []

    def restart_at(self, state):
        pass

    def step(self, state):
        self.seen.append(state.history())
        return 1


def test_a_bot_that_looks_at_the_others_sees_cards_drawn_at_random():
    bots = []

    def make(game, seat, seed):
        bots.append(Peeking(seed))
        return bots[-1]

    deal = deal_cards(2, np.random.default_rng(1))
    others = deal_cards(2, np.random.default_rng(2))
    assert not {*deal.holdings[0], *deal.board} & {*others.holdings[1]}
    other = deal._replace(holdings=(deal.holdings[0], others.holdings[1]))
    for each in (deal, other):
        play_hand(TWO, ["Ann", "Bob"], [BotPlayer(make), make_player("call")], each, entropy=7)
    assert bots[0].seen == bots[1].seen
    for history in bots[0].seen:
        assert len(set(history[:4])) == 4
        assert history[:2] == list(deal.holdings[0])


def test_policies():
    """Uniform, tabular, and one that prefers raises; of what a table lacks, it says so."""
    game = to_openspiel(TWO)
    state = game.new_initial_state()
    prefer = policy_bot(pyspiel.PreferredActionPolicy([2, 1]))
    played = play_hand(
        TWO, ["Ann", "Bob"], [BotPlayer(prefer), make_player("raise")], deal_cards(2, np.random.default_rng(1))
    )
    assert abs(played.payoffs[0]) in (0, 240)
    deal = deal_cards(2, np.random.default_rng(1))
    for card in cards_of(deal)[:4]:
        state.apply_action(card)
    table = pyspiel.PartialTabularPolicy({state.information_state_string(): [(0, 0.0), (1, 0.0), (2, 1.0)]})
    tabular = Entrant("tabular", lambda: BotPlayer(policy_bot(table)))
    played = play_hand(TWO, ["Ann", "Bob"], [tabular.make(), make_player("call")], deal)
    assert [decision.act for decision in played.decisions][:2] == [Act.RAISE, Act.CALL]
    entrants = [Entrant("uniform", lambda: BotPlayer(policy_bot(pyspiel.UniformPolicy()))), "random"]
    result = tournament(entrants, deals=40, seed=1)
    assert result.estimate("uniform").low < 0.5


def test_a_bot_of_python():
    player = BotPlayer(lambda game, seat, seed: uniform_random.UniformRandomBot(seat, np.random.RandomState(seed)))
    deal = deal_cards(3, np.random.default_rng(3))
    first, again = (
        play_hand(THREE, ["a", "b", "c"], [player, make_player("call"), make_player("raise")], deal, entropy=5)
        for _ in range(2)
    )
    assert first == again


def test_raises_that_an_abstraction_lacks():
    spec = no_limit(2000, 2000)
    players = [Sizes(450), BotPlayer(uniform, "fcpa")]
    with pytest.raises(
        PlayerFailed, match="a raise to 450 chips is neither the pot nor all-in: expected no other in fcpa"
    ):
        play_hand(spec, ["Ann", "Bob"], players, deal_cards(2, np.random.default_rng(1)))
    played = play_hand(spec, ["Ann", "Bob"], [Sizes(300), players[1]], deal_cards(2, np.random.default_rng(1)))
    assert played.payoffs
    played = play_hand(spec, ["Ann", "Bob"], [Sizes(450), BotPlayer(uniform, "fchpa")], played.deal)
    assert played.payoffs


def test_games_and_answers_that_do_not_fit():
    deal = deal_cards(5, np.random.default_rng(1))
    with pytest.raises(PlayerFailed, match="crashes on limit games"):
        play_hand(GameSpec.ring(5, 5, 10), list("abcde"), [BotPlayer(uniform)] * 5, deal)

    class Wrong(Peeking):
        def step(self, state):
            return 3

    wrong = BotPlayer(lambda game, seat, seed: Wrong(seed))
    with pytest.raises(PlayerFailed, match=r"the bot answered 3, expected one of \[0, 1, 2\]"):
        play_hand(TWO, ["Ann", "Bob"], [wrong, make_player("call")], deal_cards(2, np.random.default_rng(1)))


def test_a_raise_that_nobody_can_call_is_a_call():
    """OpenSpiel offers it to somebody whose opponents have no more chips, but have not put them in yet."""
    spec = no_limit(2000, 150, 150)
    state = to_openspiel(spec).new_initial_state()
    deal = deal_cards(3, np.random.default_rng(1))
    for card in cards_of(deal)[:6]:
        state.apply_action(card)
    for action in (150, 200):  # the button is all-in, the small blind raises beyond the big blind's stack
        assert action in state.legal_actions()
        state.apply_action(action)

    class Raises(Peeking):
        def step(self, state):
            return state.legal_actions()[-1]

    players = [BotPlayer(lambda game, seat, seed: Raises(seed)), make_player("call"), Sizes(150)]
    played = play_hand(spec, ["a", "b", "c"], players, deal)
    assert [decision.act for decision in played.decisions] == [Act.RAISE, Act.CALL, Act.CALL]
