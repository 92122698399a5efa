"""RLCard: its hands as our players see them, and our hands as its agents see them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed")

from tests.common.locks import one_process_at_a_time  # noqa: E402

# it unpacks data beside its code when that is imported for the first time: two processes at once collide
with one_process_at_a_time("rlcard"):
    from rlcard import models

from rlcard.agents import RandomAgent  # noqa: E402
from rlcard.games.nolimitholdem import Action  # noqa: E402

from pokermodel._core.evaluator import evaluate  # noqa: E402
from pokermodel.cards import card_index  # noqa: E402
from pokermodel.game import BOARD_CARDS, Act, GameSpec, State  # noqa: E402
from pokermodel.tables.arena import Entrant, PlayerFailed, deal_cards, play_hand, tournament  # noqa: E402
from pokermodel.tables.connect.rlcard import AgentPlayer, PlayerAgent  # noqa: E402
from pokermodel.tables.players import ALL_STRUCTURES, Answer, IllegalAct, Player, make_player  # noqa: E402

LIMIT, NO_LIMIT = "limit-holdem", "no-limit-holdem"
TWO, THREE = GameSpec.heads_up(1, 2), GameSpec.ring(3, 1, 2)
DEEP = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))


class Shown(Player):
    """Plays as another, and keeps what it is shown."""

    structures = ALL_STRUCTURES

    def __init__(self, player):
        self.player = make_player(player)
        self.views, self.observed = [], []

    def begin(self, start):
        self.player.begin(start)
        self.observed.clear()

    def act(self, view):
        self.views.append(view)
        return self.player.act(view)

    def observe(self, decision):
        self.observed.append(decision)
        self.player.observe(decision)


class Agent:
    """An agent of RLCard that asks an agent of ours, and keeps states."""

    def __init__(self, agent):
        self.agent, self.use_raw = agent, agent.use_raw
        self.states = []

    def eval_step(self, state):
        kept = dict(state, action_record=list(state["action_record"]))
        kept["raw_obs"] = dict(state["raw_obs"], all_chips=list(state["raw_obs"]["all_chips"]))
        if "raise_nums" in kept["raw_obs"]:
            kept["raw_obs"]["raise_nums"] = list(kept["raw_obs"]["raise_nums"])
        self.states.append(kept)
        return self.agent.eval_step(state)


def make(game, players=2, seed=1):
    return rlcard.make(game, config={"seed": seed, "game_num_players": players})


def indices(cards):
    return tuple(card_index(suit_rank[1] + suit_rank[0].lower()) for suit_rank in cards)


# ------------------------------------------------------------------------------------------------ our players there


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_our_players_see_rlcards_hand(game, players):
    """Chips, prices, cards and who did what, wherever its rules lead."""
    env = make(game, players)
    shown = [Shown("random?raise=2"), Shown("random?fold=0.2")]
    agents = [Agent(PlayerAgent(player, seed=k)) for k, player in enumerate(shown)]
    np.random.seed(1)
    others = [RandomAgent(env.num_actions), *[PlayerAgent(make_player("random?fold=0.1"), seed=9) for _ in range(3)]]
    env.set_agents([*agents, *others][:players])
    rounds = set()
    for _ in range(15):
        env.run()
        for player, agent in zip(shown, agents, strict=True):
            for view, state in zip(player.views, agent.states, strict=True):
                raw, record = state["raw_obs"], state["action_record"]
                own = int(view.player.removeprefix("player "))
                chips = raw["all_chips"]
                by_name = dict(zip(view.players, view.committed, strict=True))
                assert [by_name[f"player {k}"] for k in range(players)] == chips
                assert (view.pot, view.to_call) == (sum(chips), max(chips) - chips[own])
                assert sorted(view.holding) == sorted(indices(raw["hand"]))
                assert view.board == indices(raw["public_cards"])
                assert raw["my_chips"] == by_name[view.player]
                assert view.state.seat == view.seat
                theirs = {str(action).removeprefix("Action.").split("_")[0].lower() for action in raw["legal_actions"]}
                assert (Act.FOLD in view.legal) == (view.to_call > 0)
                if Act.RAISE in view.legal:
                    assert theirs & {"raise", "all"}
                if game == LIMIT:
                    assert (Act.RAISE in view.legal) == ("raise" in theirs)
                    assert [decision.player for decision in view.decisions] == [f"player {who}" for who, _ in record]
                    names = {"check": "call", "bet": "raise"}
                    done = [names.get(decision.name, decision.name) for decision in view.decisions]
                    assert done == [names.get(action, action) for _, action in record]
                else:
                    assert raw["stakes"][own] == view.stacks[view.seat]
                rounds.add(view.round)
            player.views.clear()
            agent.states.clear()
    assert rounds >= ({0, 1, 2, 3} if game == LIMIT else {0, 1})


def test_limit_goes_on_from_whoever_is_next():
    """The small blind after the flop, if it raised last, as in no rules of hold'em."""
    env = make(LIMIT)
    player = Shown("call")
    state, first = env.reset()
    agent = PlayerAgent(player, seed=1)
    env.step("raise", raw_action=True)
    state, own = env.step("call", raw_action=True)
    assert own == first
    state, own = env.step("check", raw_action=True)
    agent.step(state)
    (view,) = player.views
    assert [decision.round for decision in view.decisions] == [0, 0, 1]
    assert [decision.seat for decision in view.decisions] == [0, 1, 0]
    assert (view.seat, view.round, view.position) == (1, 1, 0)
    assert view.spec.first[1] == 0


def test_three_players_of_whom_one_folded_act_again():
    env = make(LIMIT, 3)
    player = Shown("raise")
    agent = PlayerAgent(player, seed=1)
    env.reset()
    env.step("fold", raw_action=True)
    env.step("call", raw_action=True)
    state, own = env.step("check", raw_action=True)
    assert agent.eval_step(state) == (1, {})
    (view,) = player.views
    assert (view.seat, view.round, view.to_call, view.legal) == (0, 0, 0, (Act.CALL, Act.RAISE))
    assert [decision.seat for decision in view.decisions] == [2, 0, 1]
    assert state["raw_obs"]["legal_actions"] == ["raise", "fold", "check"]
    assert own == int(view.player[-1])


def test_a_fold_when_nothing_is_to_call():
    env = make(LIMIT, 3)
    player = Shown("call")
    agent = PlayerAgent(player, seed=1)
    env.reset()
    for action in ("call", "call", "fold"):
        state, _ = env.step(action, raw_action=True)
    assert agent.step(state) == 3
    (view,) = player.views
    fold = view.decisions[-1]
    assert (fold.seat, fold.name, fold.to_call, fold.out_of_turn) == (1, "fold", 0, False)
    assert view.active == (0, 2)


def test_four_raises_before_the_flop():
    env = make(LIMIT)
    players = [Shown("raise"), Shown("raise")]
    env.set_agents([PlayerAgent(player, seed=1) for player in players])
    env.run()
    assert env.game.players[0].in_chips == 2 * 5 + 2 * 4 + 4 * 4 * 2
    assert players[0].views[0].spec.max_raises == (4, 4, 4, 4)


def test_raises_of_no_limit_smaller_than_the_one_before():
    """Half the pot after a raise of the pot: from 4 to 5 chips, which our rules do not allow, and ours see as it is."""
    env = make(NO_LIMIT)
    player = Shown("call")
    env.reset()
    env.step(Action.RAISE_POT, raw_action=True)
    state, _ = env.step(Action.RAISE_HALF_POT, raw_action=True)
    agent = PlayerAgent(player, use_raw=True)
    assert agent.step(state) is Action.CHECK_CALL
    (view,) = player.views
    assert (view.committed, view.to_call, view.num_bets) == ((4, 5), 1, 3)
    assert [decision.put_in for decision in view.decisions] == [3, 3]


class Raises(Player):
    """Raises to one size, over and over."""

    structures = ALL_STRUCTURES

    def __init__(self, to):
        self.to = to

    def act(self, view):
        return Answer(Act.RAISE, self.to)


@pytest.mark.parametrize(("to", "action"), [(4, 3), (10, 3), (30, 4), (100, 4)])
def test_raises_become_the_nearest_that_is_offered(to, action):
    env = make(NO_LIMIT)
    state, _ = env.reset()
    assert [each.value for each in state["raw_obs"]["legal_actions"]] == [0, 1, 3, 4]
    assert PlayerAgent(Raises(to)).step(state) == action


def test_a_raise_that_our_rules_do_not_allow():
    env = make(NO_LIMIT)
    state, _ = env.reset()
    with pytest.raises(IllegalAct, match="expected 4 to 100"):
        PlayerAgent(Raises(3)).step(state)


def by_our_rules(record, spec, small_blind, holdings, board):
    """What our rules pay for a record of two players; None where they do not allow it."""
    state = State(spec)
    for player, action in record:
        name = action if isinstance(action, str) else action.name
        seat = (player - small_blind) % 2
        if seat != state.seat:  # a round begins with whoever is next
            return None
        to = None
        if name in ("raise", "RAISE_HALF_POT", "RAISE_POT", "ALL_IN"):
            act = Act.RAISE
            if name != "raise":
                stack = state.stacks[seat]
                put_in = {"RAISE_HALF_POT": state.pot // 2, "RAISE_POT": state.pot, "ALL_IN": stack}[name]
                to = state.committed[seat] + put_in - state.round_base
        else:
            act = Act.FOLD if name.lower() == "fold" else Act.CALL
        try:
            state.act(act, to)
        except ValueError:
            return None
    assert state.over
    ranks = None
    if state.showdown:
        ranks = [evaluate(indices(board) + indices(holdings[(seat + small_blind) % 2])) for seat in range(2)]
    paid = state.payoffs(ranks)
    return [paid[(player - small_blind) % 2] for player in range(2)]


@pytest.mark.parametrize("hands", [100, pytest.param(3_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_payoffs_are_those_of_our_rules(game, hands):
    """Of two players, wherever our rules allow what was done."""
    env = make(game, seed=7)
    env.set_agents([PlayerAgent(make_player("random?fold=0.3"), seed=k, use_raw=bool(k)) for k in range(2)])
    compared = showdowns = 0
    for _ in range(hands):
        trajectories, payoffs = env.run()
        record = trajectories[0][-1]["action_record"]
        found = env.get_perfect_information()
        small_blind = record[0][0]
        if game == LIMIT:
            spec = replace(TWO, max_raises=(4, 4, 4, 4), first=firsts(record, small_blind), reopening="any")
            scale = env.game.big_blind
        else:
            spec, scale = replace(DEEP, first=(0, 0, 0, 0)), 1
        board = found["public_card"] or []
        paid = by_our_rules(record, spec, small_blind, found["hand_cards"], board)
        if paid is not None:
            compared += 1
            showdowns += len(board) == 5
            assert [scale * float(chips) for chips in payoffs] == paid
    assert compared == hands if game == LIMIT else compared > 0.7 * hands
    assert showdowns > hands / 5


def firsts(record, small_blind):
    """Who begins each round of a record of limit."""
    found, bets, spoke = [], [1, 2], set()
    for player, action in record:
        if len(found) < 4 and not spoke:
            found.append((player - small_blind) % 2)
        seat = (player - small_blind) % 2
        spoke = {seat} if action == "raise" else spoke | {seat}
        bets[seat] = max(bets) + (2 if action == "raise" else 0) if action in ("call", "raise") else bets[seat]
        if len(spoke) == 2:
            spoke = set()
    return (*found, 0, 0, 0)[:4]


def test_the_same_seed_makes_the_same_hands():
    def record(game, use_raw, seed=3):
        env = make(game, 3)
        env.set_agents([PlayerAgent(make_player("random"), seed=seed + k, use_raw=use_raw) for k in range(3)])
        return [env.run()[0][0][-1]["action_record"] for _ in range(5)]

    for game in (LIMIT, NO_LIMIT):
        assert record(game, False) == record(game, True) == record(game, False)
        assert record(game, True) != record(game, True, seed=9)


@pytest.mark.parametrize("kind", ["loki1", "som", "bpp", "loki2:br", "loki2:sbr?trials=5"])
def test_readers_follow(kind):
    """Readers and simulations take its hands as they are, with two players and with three."""
    rule = models.load("limit-holdem-rule-v1").agents[0]
    for players, other in ((2, rule), (3, RandomAgent(4))):
        np.random.seed(3)
        env = make(LIMIT, players)
        env.set_agents([PlayerAgent(make_player(kind), seed=1), *[other] * (players - 1)])
        for _ in range(6):
            assert sum(env.run()[1]) == pytest.approx(0)


class Counted(dict):
    """A state that knows what was read of it."""

    def __init__(self, content, read):
        super().__init__(content)
        self.read = read

    def __getitem__(self, key):
        self.read.add(key)
        return super().__getitem__(key)


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_what_is_read_of_a_state(game):
    state, _ = make(game).reset()
    read = set()
    PlayerAgent(make_player("random"), seed=1).step(Counted(dict(state, raw_obs=Counted(state["raw_obs"], read)), read))
    seen = {"raw_obs", "action_record", "hand", "public_cards", "all_chips", "legal_actions"}
    assert read - {"stakes"} == seen


def test_states_in_any_order():
    """An agent that is shown states of several hands does in each what it does when it sees that alone."""
    env = make(LIMIT)
    agents = [Agent(PlayerAgent(make_player("random?fold=0"), seed=k)) for k in range(2)]
    env.set_agents(agents)
    for _ in range(4):
        env.run()
    states = [state for agent in agents for state in agent.states if state["action_record"]]
    random.Random(1).shuffle(states)
    agent = PlayerAgent(make_player("loki1"), seed=1)
    for state in states:
        assert agent.step(state) == PlayerAgent(make_player("loki1"), seed=1).step(state)


def test_states_that_do_not_follow_from_their_records():
    env = make(LIMIT)
    env.reset()
    state, own = env.step("raise", raw_action=True)
    agent = PlayerAgent(make_player("call"))
    chips = list(state["raw_obs"]["all_chips"])
    raw = dict(state["raw_obs"], all_chips=[6, 2])
    with pytest.raises(ValueError, match=r"leads to chips \[.*\] and 0 cards on the board, but the state has chips"):
        agent.step(dict(state, raw_obs=raw))
    record = [*state["action_record"], (own, "dance")]
    with pytest.raises(ValueError, match="does dance in the record, expected"):
        agent.step(dict(state, action_record=record))
    with pytest.raises(ValueError, match="but it is not their turn"):
        agent.step(dict(state, action_record=[*state["action_record"], *state["action_record"]]))
    with pytest.raises(ValueError, match="the hand is over after its record"):
        agent.step(dict(state, action_record=[*state["action_record"], (own, "fold")]))
    with pytest.raises(ValueError, match="2 players need as many names"):
        PlayerAgent(make_player("call"), names=["Ann"]).step(state)
    assert state["raw_obs"]["all_chips"] == chips
    assert agent.step(state) == 0
    env.step("call", raw_action=True)
    later, _ = env.step("check", raw_action=True)
    with pytest.raises(ValueError, match="but the state has chips"):
        agent.step(dict(later, raw_obs=dict(later["raw_obs"], all_chips=[9, 9])))
    assert agent.step(later) == 3
    with pytest.raises(ValueError, match="plays limit, and this game is no limit"):
        PlayerAgent(make_player("loki1")).step(make(NO_LIMIT).reset()[0])


# ------------------------------------------------------------------------------------------------ their agents here


def turned(state, view):
    """A state of RLCard with its players numbered as our seats are."""
    seats = [int(name.removeprefix("player ")) for name in view.players]
    raw = dict(state["raw_obs"])
    for key in ("all_chips", "stakes"):
        if key in raw:
            raw[key] = [raw[key][player] for player in seats]
    if "current_player" in raw:
        raw["current_player"] = seats.index(raw["current_player"])
    raw["hand"] = sorted(raw["hand"])
    record = [(seats.index(player), action) for player, action in state["action_record"]]
    return dict(state, raw_obs=raw, action_record=record, obs=state["obs"].tolist())


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_their_agents_see_what_rlcard_shows(game):
    """Of the same hands, to the last entry; but RLCard's first state of a hand has the raises of the hand before."""
    env = make(game)
    shown = [Shown("random?fold=0.2"), Shown("random?raise=0.5")]
    agents = [Agent(PlayerAgent(player, seed=k)) for k, player in enumerate(shown)]
    env.set_agents(agents)
    looks = AgentPlayer(RandomAgent(env.num_actions))
    compared = 0
    for _ in range(40):
        env.run()
    for player, agent in zip(shown, agents, strict=True):
        for view, state in zip(player.views, agent.states, strict=True):
            ours, theirs = turned(looks.state(view), view), turned(state, view)
            ours["raw_obs"].update(all_chips=list(view.committed))
            for key in ("stakes", "current_player"):
                if key in ours["raw_obs"]:
                    ours["raw_obs"][key] = {"stakes": list(view.stacks), "current_player": view.seat}[key]
            ours["action_record"] = looks.state(view)["action_record"]
            if game == LIMIT and not view.decisions:
                continue
            sizes = [Action.RAISE_HALF_POT, Action.RAISE_POT, Action.ALL_IN] if game == NO_LIMIT else []
            missing = set(theirs["raw_legal_actions"]) - set(ours["raw_legal_actions"])
            assert missing <= set(sizes)  # raises for less than the one before
            if not missing:
                assert ours == theirs
                compared += 1
    assert compared > 80


@pytest.mark.parametrize(
    ("spec", "actions"), [(TWO, 4), (THREE, 4), (DEEP, 5), (GameSpec.no_limit(3, 50, 100, stacks=(5000, 800, 150)), 5)]
)
def test_their_agents_play_by_our_rules(spec, actions):
    """Every hand pays out, the same again with the same seed, and NumPy's own generator is left as it was."""
    names = [f"p{seat}" for seat in range(spec.players)]
    players = [AgentPlayer(RandomAgent(actions)) for _ in names]
    np.random.seed(4)
    before = np.random.get_state()[1].tolist()
    acts = Counter()
    for number in range(20):
        deal = deal_cards(spec.players, np.random.default_rng(number))
        first, again = (play_hand(spec, names, players, deal, entropy=number) for _ in range(2))
        assert first == again
        assert sum(first.payoffs) == 0
        acts.update(decision.act for decision in first.decisions)
    assert set(acts) == set(Act)
    assert np.random.get_state()[1].tolist() == before


def test_the_rules_of_rlcard_in_a_tournament():
    """Its player by rules folds where it could check, which here is a check, and loses."""
    rule = Entrant("rule", lambda: AgentPlayer(models.load("limit-holdem-rule-v1").agents[0]))
    result = tournament([rule, "loki1"], deals=30, seed=1)
    assert result.estimate("rule").mean < 0


class Says:
    """An agent that says what it is told, the last thing over and over."""

    def __init__(self, *answers, use_raw=True):
        self.answers, self.use_raw = list(answers), use_raw
        self.asked = []

    def step(self, state, asked="step"):
        self.asked.append(asked)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def eval_step(self, state):
        return self.step(state, "eval_step"), {}


def acts_of(agent, spec=TWO, other="call", **options):
    deal = deal_cards(spec.players, np.random.default_rng(1))
    player = AgentPlayer(agent, **options)
    played = play_hand(spec, ["Ann", "Bob"], [player, make_player(other)], deal)
    return [(decision.act, decision.put_in) for decision in played.decisions if decision.seat == 0]


def test_answers():
    assert acts_of(Says("fold"))[0] == (Act.FOLD, 0)
    assert acts_of(Says(2, use_raw=False))[0] == (Act.FOLD, 0)
    assert acts_of(Says(1, use_raw=False))[0] == (Act.RAISE, 3)
    assert acts_of(Says(0, use_raw=False))[:2] == [(Act.CALL, 1), (Act.CALL, 0)]  # not legal later: RLCard checks
    assert acts_of(Says(3, use_raw=False))[0] == (Act.FOLD, 0)  # a check that is not legal is a fold there
    assert acts_of(Says(Action.RAISE_POT, Action.CHECK_CALL), DEEP)[0] == (Act.RAISE, 3)
    assert acts_of(Says(Action.ALL_IN.value, use_raw=False), DEEP) == [(Act.RAISE, 99)]
    asked = Says("fold"), Says("fold")
    acts_of(asked[0])
    acts_of(asked[1], training=True)
    assert [agent.asked for agent in asked] == [["eval_step"], ["step"]]


@pytest.mark.parametrize(
    ("agent", "spec", "reason"),
    [
        (Says("check"), TWO, "the agent answered 'check', expected one of call, raise, fold"),
        (Says(Action.RAISE_HALF_POT), DEEP, "expected one of Action.FOLD, Action.CHECK_CALL, Action.RAISE_POT"),
        (Says("call"), replace(TWO, max_raises=(5, 4, 4, 4)), "observations count up to 4"),
        (Says(Action.FOLD), GameSpec.no_limit(2, 1, 2), "stacks are not known"),
    ],
)
def test_answers_and_games_that_do_not_fit(agent, spec, reason):
    with pytest.raises(PlayerFailed, match=reason):
        acts_of(agent, spec)


def test_chips_are_rlcards():
    """Whatever the blinds are, its agents see a big blind of two."""
    agent = Says("call")
    states = []
    agent.eval_step = lambda state: (states.append(state) or state["raw_legal_actions"][0], {})
    acts_of(agent, GameSpec.heads_up(50, 100))
    assert states[0]["raw_obs"]["all_chips"] == [1, 2]
    assert len(states[-1]["raw_obs"]["public_cards"]) in BOARD_CARDS
