"""OpenSpiel: our players as bots of ``universal_poker``, and its bots and policies as players of ours.

``universal_poker`` plays by the rules of the dealer of the Annual Computer Poker Competition. Its actions are 0 fold,
1 call and, in limit, 2 raise. In no limit they depend on the betting abstraction::

    fullgame    N: a bet or raise to N chips, counted over the whole hand
    fcpa        2: a raise by the pot, 3: all-in
    fchpa       as fcpa, and 4: a raise by half the pot

Its players are our seats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from pokermodel._core.evaluator import evaluate
from pokermodel._support.checks import check_choice, check_kind, check_least
from pokermodel.cards import N_CARDS
from pokermodel.game import BOARD_CARDS, Act, BettingStructure, Decision, GameSpec, Situation, State
from pokermodel.tables.connect._extras import import_extra
from pokermodel.tables.players import Answer, HandStart, Player, Seat, View

pyspiel = import_extra("pyspiel", "openspiel")
_Bot: Any = pyspiel.Bot

__all__ = ["Abstraction", "BotPlayer", "PlayerBot", "from_openspiel", "policy_bot", "to_openspiel"]

#: Which bets and raises ``universal_poker`` offers in no limit.
Abstraction: TypeAlias = Literal["fcpa", "fchpa", "fullgame"]

_FOLD, _CALL, _BET, _ALL_IN, _HALF_POT = range(5)
#: Loading a game of limit for more players ends the process in OpenSpiel 2.0.2: it reads four stacks, whatever comes.
_MOST_LIMIT_PLAYERS = 4
_MOST_PLAYERS = 10
_MOST_RAISES = 255  # the dealer keeps them in a byte
_MOST_CHIPS = 2**31 - 1
_HOLE_CARDS = 2


def _abstraction(spec: GameSpec, asked: str | None) -> str:
    """The betting abstraction of a game; `ValueError` if it is not supported."""
    if spec.structure.fixed:
        if asked not in (None, "fcpa"):
            raise ValueError(f"betting abstraction {asked!r} with limit betting: expected fcpa, OpenSpiel's limit game")
        return "fcpa"
    found = "fullgame" if asked is None else asked
    check_choice("betting abstraction", found, get_args(Abstraction))
    return found


def to_openspiel(spec: GameSpec, abstraction: Abstraction | None = None) -> Any:
    """Return the game of ``universal_poker`` with the blinds, bets and stacks of a game.

    Parameters
    ----------
    spec : GameSpec
        Limit or no limit. In no limit it has `stacks`.
    abstraction : {"fcpa", "fchpa", "fullgame"}, optional
        The bets and raises that are offered in no limit. Default: "fullgame", all of them. Limit has one size.

    Returns
    -------
    pyspiel.Game
        It plays by the rules of the ACPC's dealer, and ignores the rules of `spec` on short all-ins and odd chips.

    Raises
    ------
    ValueError
        If OpenSpiel does not have the game: pot limit, antes, no blinds, no cap between the last two, limit with
        stacks or with more than four players, no limit without stacks, stacks that do not cover a blind, more than ten
        players, house rules of no limit that lead to other acts with three or more players.

    Examples
    --------
    >>> to_openspiel(GameSpec.heads_up(5, 10)).get_parameters()["blind"]
    '5 10'
    """
    check_kind("a game to convert", spec, GameSpec, "a GameSpec, as GameSpec.no_limit makes one")
    found = _abstraction(spec, abstraction)
    text = spec.to_acpc()
    if not any(spec.blinds):
        raise ValueError("a game without blinds: OpenSpiel needs one of at least a chip")
    if max(*spec.blinds, *spec.bets, *spec.stacks) > _MOST_CHIPS:
        raise ValueError(f"OpenSpiel counts up to {_MOST_CHIPS:,} chips, got {spec}")
    if spec.structure.fixed:
        if spec.players > _MOST_LIMIT_PLAYERS:
            raise ValueError(
                f"limit with {spec.players} players: OpenSpiel 2.0.2 crashes on limit games of five and more, "
                f"expected 2 to {_MOST_LIMIT_PLAYERS}"
            )
        if spec.stacks:
            raise ValueError("limit with stacks: OpenSpiel ignores stacks in limit, expected a game without")
        if max(spec.max_raises) > _MOST_RAISES:
            raise ValueError(f"max_raises {spec.max_raises}: OpenSpiel counts up to {_MOST_RAISES} raises of a round")
    else:
        if not spec.stacks:
            raise ValueError("no limit without stacks: OpenSpiel's no limit needs the stacks of all seats")
        if spec.players > _MOST_PLAYERS:
            raise ValueError(f"{spec.players} players: OpenSpiel has games for 2 to {_MOST_PLAYERS}")
        if any(blind > stack for blind, stack in zip(spec.blinds, spec.stacks, strict=True)):
            raise ValueError(f"stacks {spec.stacks} do not cover blinds {spec.blinds}: OpenSpiel crashes")
        if spec.players > 2 and (spec.reopening != "any" or spec.min_raise != "cumulative"):
            raise ValueError(
                f"reopening {spec.reopening!r} and min_raise {spec.min_raise!r}: OpenSpiel plays by the rules of the "
                "ACPC's dealer, expected 'any' and 'cumulative'"
            )
    end = "END GAMEDEF"
    return pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(
        text.replace(end, f"bettingAbstraction = {found}\n{end}")
    )


def from_openspiel(game: Any) -> GameSpec:
    """Return the parameters of a game of ``universal_poker``.

    Parameters
    ----------
    game : pyspiel.Game
        Texas hold'em, from the beginning of the hand.

    Returns
    -------
    GameSpec
        With the house rules of the ACPC's dealer, as from `GameSpec.from_acpc`.

    Raises
    ------
    ValueError
        If it is another game, a part of one, or has a betting abstraction that is not supported.
    """
    return _read(game)[0]


def _read(game: Any) -> tuple[GameSpec, str]:
    """Parameters and betting abstraction of a game."""
    check_kind("a game of OpenSpiel's", game, pyspiel.Game, "a pyspiel.Game, as to_openspiel makes one")
    name = game.get_type().short_name
    if name != "universal_poker":
        raise ValueError(f"OpenSpiel's game {name}: expected universal_poker")
    found: Mapping[str, Any] = game.get_parameters()
    if found["potSize"] or found["boardCards"] or found["handReaches"]:
        raise ValueError("a subgame of universal_poker: expected a game from the beginning of the hand")
    lines = ["GAMEDEF", found["betting"]]
    for key in ("numPlayers", "numRounds", "blind", "firstPlayer", "maxRaises", "numSuits", "numRanks"):
        if found.get(key) not in (None, ""):
            lines.append(f"{key} = {found[key]}")
    lines += [f"{key} = {found[key]}" for key in ("numHoleCards", "numBoardCards")]
    size = "raiseSize" if found["betting"] == "limit" else "stack"
    spec = GameSpec.from_acpc("\n".join([*lines, f"{size} = {found[size]}", "END GAMEDEF"]))
    return spec, _abstraction(spec, found["bettingAbstraction"])


def _raises_to(state: State | Situation, action: int, abstraction: str) -> int:
    """What a bet or raise of OpenSpiel goes to over the whole hand, by the seat to act."""
    if abstraction == "fullgame" or action > _HALF_POT:
        return action
    put_in = state.committed
    own = put_in[state.seat]
    if action == _ALL_IN:
        stack = state.stacks[state.seat]
        assert stack is not None
        return own + stack
    level = max(put_in)
    pot = state.pot + level - own  # after a call
    return level + pot if action == _BET else level + (pot + 1) // 2


def _act_of(state: State, action: int, abstraction: str) -> Answer:
    """What an action of OpenSpiel is to the seat to act."""
    if action < _BET:
        return Answer(Act(action))
    spec: Any = state.spec
    if spec.structure is BettingStructure.LIMIT:
        return Answer(Act.RAISE)
    return Answer(Act.RAISE, _raises_to(state, action, abstraction) - state.round_base)


def _action_of(answer: Answer, state: State, abstraction: str, offered: Callable[[], Sequence[int]]) -> int:
    """The action of OpenSpiel for what the seat to act does; a raise becomes the one that is nearest by ratio."""
    if answer.act != Act.RAISE:
        return int(answer.act)
    if answer.to is None:
        return _BET
    to = answer.to + state.round_base
    if abstraction == "fullgame":
        return to
    sizes = {action: _raises_to(state, action, abstraction) for action in offered() if action >= _BET}
    return min(sizes, key=lambda action: (abs(math.log(sizes[action] / to)), action), default=_CALL)


class PlayerBot(_Bot):  # type: ignore[misc]  # OpenSpiel has no types
    """One of our players as a bot of OpenSpiel.

    The bot follows the hand by the history of the states that it receives. It reads the player's own cards, the board
    and the betting, and at a showdown the cards of its players. Any driver works, such as `pyspiel.evaluate_bots`, even
    with states in any order; each jump is a new hand. Learning players see the end of a hand if the driver calls
    `inform_action`.

    Parameters
    ----------
    player : Player
        The player.
    game : pyspiel.Game
        ``universal_poker``, as from `to_openspiel`. With a betting abstraction a raise is the one offered that is
        nearest by ratio to what the player asks for.
    seat : int
        Number of the player in OpenSpiel, which is the seat.
    names : sequence of str, optional
        Names by seat, the same for the same people from hand to hand. Default: "player 0" and so on.
    seed : int, optional
        Of all that the player draws, hand by hand. Without, seeds are drawn.

    Raises
    ------
    ValueError
        If the game is not supported, there is no such seat, or names do not fit. If the player cannot play the game,
        when the first hand begins.

    Examples
    --------
    >>> from pokermodel.tables.players import make_player
    >>> game = to_openspiel(GameSpec.heads_up(5, 10))
    >>> bots = [PlayerBot(make_player(name), game, seat, seed=1) for seat, name in enumerate(["raise", "call"])]
    >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    [70.0, -70.0]
    """

    def __init__(
        self, player: Player, game: Any, seat: int, *, names: Sequence[str] | None = None, seed: int | None = None
    ) -> None:
        pyspiel.Bot.__init__(self)
        self.spec, self._abstraction = _read(game)
        players = self.spec.players
        if not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat}, expected 0 to {players - 1}")
        self.names = tuple(f"player {number}" for number in range(players)) if names is None else tuple(names)
        if len(self.names) != players or len(set(self.names)) != players:
            raise ValueError(f"{players} players need as many different names, got {self.names}")
        self.number = seat
        self._seat = Seat(player)
        self._rng = np.random.default_rng(None if seed is None else check_least("the seed", seed, 0))
        self._hands = 0
        self._holding: tuple[int, ...] = ()
        self._seen: list[int] = []  # board and betting, as far as the player knows them
        self._ended = False

    def player_id(self) -> int:
        """Return the seat."""
        return self.number

    def restart(self) -> None:
        """Prepare for another hand."""
        self._holding = ()

    def restart_at(self, state: Any) -> None:
        """Prepare for another hand, from any state of it."""
        self._holding = ()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """See what somebody else did, or which card was dealt."""
        history = state.history()
        if len(history) >= _HOLE_CARDS * self.spec.players:
            self._follow([*history, action])

    def step(self, state: Any) -> int:
        """Choose an action.

        Parameters
        ----------
        state : pyspiel.State
            The player is to act in it.

        Raises
        ------
        IllegalAct
            If the player answers with what the rules do not offer.
        ValueError
            If it is somebody else's turn.
        """
        history = state.history()
        self._follow(history)
        before = self._seat.hand.state
        action = _action_of(self._seat.act(), before, self._abstraction, state.legal_actions)
        self._follow([*history, action])
        return action

    def _follow(self, history: Sequence[int]) -> None:
        """Tell the player what happened; a history that does not go on from the one before is of a new hand."""
        first = _HOLE_CARDS * self.number
        holding = tuple(history[first : first + _HOLE_CARDS])
        dealt = _HOLE_CARDS * self.spec.players
        seen = history[dealt:]
        if self._ended or holding != self._holding or seen[: len(self._seen)] != self._seen:
            self._begin(holding)
        for action in seen[len(self._seen) :]:
            self._go_on(action)
        if self._seat.hand.state.over:
            self._end(history)

    def _begin(self, holding: tuple[int, ...]) -> None:
        self._hands += 1
        seed = int(self._rng.integers(2**63))
        self._seat.begin(
            self.spec, self.names, self.number, holding, source="openspiel", hand_id=str(self._hands), seed=seed
        )
        self._holding = holding
        self._seen = []
        self._board: list[int] = []
        self._ended = False

    def _go_on(self, action: int) -> None:
        self._seen.append(action)
        state = self._seat.hand.state
        if len(self._board) < BOARD_CARDS[state.round]:
            self._board.append(action)
            if len(self._board) in BOARD_CARDS:
                self._seat.deal(self._board)
        else:
            self._seat.observe(*_act_of(state, action, self._abstraction))

    def _end(self, history: Sequence[int]) -> None:
        """Tell the player how the hand ended, as soon as the board of a showdown is there."""
        state = self._seat.hand.state
        board, shown = tuple(self._board), {}
        if state.showdown:
            if len(board) < BOARD_CARDS[-1]:
                return
            shown = {seat: tuple(history[_HOLE_CARDS * seat :][:_HOLE_CARDS]) for seat in state.active}
        ranks = [evaluate(board + shown[seat]) if seat in shown else 0 for seat in range(state.players)]
        self._ended = True
        self._seat.end(state.payoffs(ranks) if shown else state.payoffs(), shown)


class _PolicyBot(_Bot):  # type: ignore[misc]  # OpenSpiel has no types
    """Draws from what a policy says; stateless."""

    def __init__(self, policy: Any, seed: int) -> None:
        pyspiel.Bot.__init__(self)
        self._policy = policy
        self._rng = np.random.default_rng(seed)

    def restart_at(self, state: Any) -> None:
        pass

    def step(self, state: Any) -> int:
        shares: Mapping[int, float] = self._policy.action_probabilities(state)
        left = self._rng.random() * sum(shares.values())
        for action, share in shares.items():
            left -= share
            if left < 0:
                return action
        raise ValueError(f"the policy says nothing about {state.information_state_string()}")


def policy_bot(policy: Any) -> Callable[[Any, int, int], Any]:
    """Return what makes bots of a policy, for `BotPlayer`.

    Parameters
    ----------
    policy : pyspiel.Policy or open_spiel.python.policy.Policy
        A policy with ``action_probabilities(state)``: uniform, tabular, learnt.

    Returns
    -------
    callable
        With the arguments game, seat and seed.
    """
    return lambda game, seat, seed: _PolicyBot(policy, seed)


class BotPlayer(Player):
    """A bot of OpenSpiel as one of our players.

    It is shown a state of ``universal_poker`` that has the player's own cards, the board and the betting. Hidden cards
    are drawn at random from the rest of the deck, so a bot learns nothing from them. If one of them comes on the board,
    they are drawn again, and ``restart_at`` informs the bot.

    Parameters
    ----------
    make : callable
        Makes a bot for a hand, given a `pyspiel.Game`, the seat and a seed: ``lambda game, seat, seed:
        pyspiel.make_uniform_random_bot(seat, seed)``; of a policy: `policy_bot`. For a bot with a memory beyond one
        hand, return the same bot each time.
    abstraction : {"fcpa", "fchpa", "fullgame"}, optional
        As for `to_openspiel`. With "fcpa" the other players may make no other raises.

    Notes
    -----
    A raise that no player could call, which OpenSpiel offers and our rules do not, is a call. Bots must have
    ``restart_at``, as those of OpenSpiel do.

    Examples
    --------
    >>> from pokermodel.tables.arena import Entrant, tournament
    >>> random = Entrant("random", lambda: BotPlayer(policy_bot(pyspiel.UniformPolicy())))
    >>> tournament([random, "call"], deals=3, seed=1).games
    6
    """

    structures = (BettingStructure.LIMIT, BettingStructure.NO_LIMIT)

    def __init__(self, make: Callable[[Any, int, int], Any], abstraction: Abstraction | None = None) -> None:
        self.make = make
        self.abstraction = abstraction
        self._spec: GameSpec | None = None
        self._start: HandStart | None = None

    def begin(self, start: HandStart) -> None:
        """Begin a hand.

        Raises
        ------
        ValueError
            If OpenSpiel does not have the game.
        """
        if start.spec != self._spec:
            self._game = to_openspiel(start.spec, self.abstraction)
            self._spec = start.spec
            self._name = _abstraction(start.spec, self.abstraction)
        self._start = start
        self._bot: Any = None

    def act(self, view: View) -> Answer:
        """Ask the bot.

        Raises
        ------
        ValueError
            If a raise was made that the betting abstraction does not have, or the bot answers with what is not offered.
        """
        assert self._start is not None
        if self._bot is None:
            self._bot = self.make(self._game, view.seat, int(self._start.rng.integers(2**31)))
            self._told = 0
            self._draw_others(view)
            self._state = self._game.new_initial_state()
            self._bot.restart_at(self._state)
        elif set(self._others) & set(view.board):
            self._draw_others(view)
            self._state, self._told = self._game.new_initial_state(), 0
            self._catch_up(view, None)
            self._bot.restart_at(self._state)
        self._catch_up(view, self._bot)
        action = int(self._bot.step(self._state))
        if action not in self._state.legal_actions():
            raise ValueError(f"the bot answered {action}, expected one of {self._state.legal_actions()}")
        answer = _act_of(view.state, action, self._name)
        return Answer(Act.CALL) if answer.act not in view.legal else answer

    def _draw_others(self, view: View) -> None:
        """Draw the cards that the player does not see, other than those they do."""
        assert self._start is not None
        known = {*view.holding, *view.board}
        deck = [card for card in range(N_CARDS) if card not in known]
        count = _HOLE_CARDS * (view.spec.players - 1)
        self._others = [deck[place] for place in self._start.rng.permutation(len(deck))[:count].tolist()]

    def _catch_up(self, view: View, bot: Any) -> None:
        """Bring the state to where the hand is, telling the bot what others did."""
        first = _HOLE_CARDS * view.seat
        holes = [*self._others[:first], *view.holding, *self._others[first:]]
        cards = iter([*holes, *view.board][self._cards_dealt() :])
        for decision in view.decisions[self._told :]:
            self._deal(cards, bot)
            action = self._action_of(decision)
            if bot is not None and decision.seat != view.seat:
                bot.inform_action(self._state, decision.seat, action)
            self._state.apply_action(action)
        self._told = len(view.decisions)
        self._deal(cards, bot)

    def _cards_dealt(self) -> int:
        return sum(step.player == pyspiel.PlayerId.CHANCE for step in self._state.full_history())

    def _deal(self, cards: Any, bot: Any) -> None:
        while self._state.is_chance_node():
            card = next(cards)
            if bot is not None:
                bot.inform_action(self._state, pyspiel.PlayerId.CHANCE, card)
            self._state.apply_action(card)

    def _action_of(self, decision: Decision) -> int:
        """The action of OpenSpiel for what somebody did."""
        if decision.act != Act.RAISE:
            return int(decision.act)
        situation = decision.situation
        if situation.spec.structure.fixed:
            return _BET
        to = situation.committed[decision.seat] + decision.put_in
        if self._name != "fullgame":
            for action in self._state.legal_actions():
                if action >= _BET and _raises_to(situation, action, self._name) == to:
                    return int(action)
        if self._name == "fcpa":
            raise ValueError(f"a raise to {to} chips is neither the pot nor all-in: expected no other in fcpa")
        return to
