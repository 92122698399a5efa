"""RLCard: our players as its agents in ``limit-holdem`` and ``no-limit-holdem``, and its agents as players of ours.

RLCard's games are not quite hold'em. In 1.2.0:

- before the flop there are four raises in limit, and in both games one may fold when there is nothing to call;
- in limit the first player to act after the flop is the one after the last action of the round before; and after a fold
  a round needs as many calls and checks as before, so players act again, and may raise, after bets are matched;
- in no limit the small blind acts first in every round, also of two players; a raise puts in half of the pot, the pot
  (with the call included) or all chips, even by less than the raise before; and all-in players get further decisions.

An agent of ours plays on by RLCard's own game: it replays the record of the hand there, and takes over who has put in
how much, who is to act and who still may, act by act. Our players see these situations as they are.

The other way round, agents of RLCard play by our rules. They are shown what RLCard would show them; a fold when there
is nothing to call is then a check.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.checks import check_least
from pokermodel.cards import RANKS, SUITS, card_index
from pokermodel.game import BOARD_CARDS, Act, BettingStructure, Decision, GameSpec, LiveHand, State
from pokermodel.tables.connect._extras import import_extra
from pokermodel.tables.players import Answer, CommonKnowledge, HandStart, Player, Seat, View

_limit = import_extra("rlcard.games.limitholdem", "rlcard")
_no_limit = import_extra("rlcard.games.nolimitholdem", "rlcard")
_Stage: Any = import_extra("rlcard.games.nolimitholdem.game", "rlcard").Stage
_Action: Any = _no_limit.Action

__all__ = ["AgentPlayer", "PlayerAgent"]

#: RLCard's order of cards in observations.
_SUITS, _RANKS = "SHDC", "A23456789TJQK"
_LIMIT_ACTIONS = ("call", "raise", "fold", "check")
#: Raises of a round that an observation of limit has room for.
_MOST_RAISES = 4
#: RLCard's big blind in chips.
_BIG_BLIND = 2


def _from_rlcard(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(card_index(card[1] + card[0].lower()) for card in cards)


def _to_rlcard(cards: Sequence[int]) -> list[str]:
    return [SUITS[card % 4].upper() + RANKS[card // 4] for card in cards]


# -------------------------------------------------------------------------------------- our players as their agents


class _Blind:
    """The randomness of a game in which the small blind is known and cards do not matter."""

    def __init__(self, small_blind: int) -> None:
        self.small_blind = small_blind

    def randint(self, low: int, high: int) -> int:
        return self.small_blind

    def shuffle(self, deck: object) -> None:
        pass


class _Replay:
    """A hand that RLCard plays, as a hand of ours.

    Its seats count from the small blind, as ours do.

    Parameters
    ----------
    raw : dict
        ``state["raw_obs"]`` of the player to act.
    record : sequence of (int, action)
        ``state["action_record"]``.
    """

    def __init__(self, raw: dict[str, Any], record: Sequence[tuple[int, Any]]) -> None:
        chips = [int(put_in) for put_in in raw["all_chips"]]
        self.players = n = len(chips)
        self.no_limit = "stage" in raw
        # the first to act comes after the big blind, who alone has put in most where nobody has acted
        first = record[0][0] if record else (chips.index(max(chips)) + 1) % n
        self.small_blind = (first - 2) % n
        self.game = (_no_limit if self.no_limit else _limit).Game(num_players=n)
        self.game.np_random = _Blind(self.small_blind)
        if self.no_limit:
            stacks = [int(left) + put_in for left, put_in in zip(raw["stakes"], chips, strict=True)]
            self.game.init_chips = stacks
            self.game.dealer_id = (self.small_blind - 1) % n
        self.game.init_game()
        small, big = self.game.small_blind, self.game.big_blind
        if self.no_limit:
            spec = GameSpec.no_limit(n, small, big, stacks=[stacks[self.player_at(seat)] for seat in range(n)])
            self.spec = replace(spec, first=(2 % n, 0, 0, 0), reopening="any")
        else:
            cap = self.game.allowed_raise_num
            bet = self.game.raise_amount
            spec = GameSpec.ring(n, small, big)
            self.spec = replace(
                spec, bets=(bet, bet, 2 * bet, 2 * bet), max_raises=(cap, cap, cap, cap), reopening="any"
            )
        self.state = State(self.spec)
        self._acted: set[int] = set()
        self._raises = 0
        self._unit = 0
        self._base = max(self.state.committed)

    def player_at(self, seat: int) -> int:
        """RLCard's number of the player in a seat."""
        return (seat + self.small_blind) % self.players

    def seat_of(self, player: int) -> int:
        """Seat of a player."""
        return (player - self.small_blind) % self.players

    @property
    def turn(self) -> int:
        """The seat to act."""
        return self.seat_of(self.game.game_pointer)

    def _chips(self) -> list[int]:
        return [int(self.game.players[self.player_at(seat)].in_chips) for seat in range(self.players)]

    def go_on(self, player: int, action: Any) -> tuple[Act, int]:
        """Let a player act, and bring `state` there; returns what they did, and the chips that they put in."""
        if self.game.is_over() or player != self.game.game_pointer:
            raise ValueError(f"player {player} acts in the record, but it is not their turn")
        seat, round_before, before = self.turn, self.game.round_counter, self._chips()
        if action not in self.game.get_legal_actions():
            raise ValueError(f"player {player} does {action} in the record, expected {self.game.get_legal_actions()}")
        self.game.step(action)
        chips = self._chips()
        put_in, level = chips[seat] - before[seat], max(before)
        if action in ("fold", _Action.FOLD):
            act = Act.FOLD
        elif chips[seat] > level:
            act = Act.RAISE
            self._raises += 1
            self._unit = max(self._unit, chips[seat] - level)
        else:
            act = Act.CALL
        self._acted.add(seat)
        if self.game.round_counter != round_before:
            self._acted, self._raises, self._unit, self._base = set(), 0, 0, max(chips)
        if not self.game.is_over():
            self._take_over(chips)
        return act, put_in

    def _take_over(self, chips: list[int]) -> None:
        """Make a state of ours that is where RLCard's game is, which our rules alone would not always lead to."""
        game, n = self.game, self.players
        folded = ("folded", _limit.PlayerStatus.FOLDED)
        live = [game.players[self.player_at(seat)].status not in folded for seat in range(n)]
        broke = [self.no_limit and game.players[self.player_at(seat)].remained_chips == 0 for seat in range(n)]
        missing = n - game.round.not_raise_num - (game.round.not_playing_num if self.no_limit else 0)
        after = [(self.turn + k) % n for k in range(n)]
        pending = [seat for seat in after if live[seat] and not broke[seat]][:missing]
        spec = self.spec
        if not self.no_limit and not self._acted and game.round_counter:
            first = spec.first[0], self.turn, self.turn, self.turn  # what this round begins with, and the best guess
            self.spec = spec = replace(spec, first=first)

        def mask(seats: Sequence[int]) -> int:
            return sum(1 << seat for seat in seats)

        self.state = State(spec)
        self.state.__setstate__(
            (
                tuple(chips),
                max(chips),
                self._base,
                self._unit,
                0,
                mask([seat for seat in range(n) if live[seat]]),
                mask([seat for seat in range(n) if broke[seat]]),
                mask(pending),
                mask(sorted(self._acted)),
                self._raises,
                game.round_counter,
                self.turn,
            )
        )


class _Choice(NamedTuple):
    """An action that RLCard offers."""

    action: Any
    act: Act
    to: int | None


class PlayerAgent:
    """One of our players as an agent of RLCard.

    For ``env.set_agents`` of ``limit-holdem`` and ``no-limit-holdem``, with any number of players. Of the state that it
    is given it reads the player's cards, the board, the chips, the record of actions and the legal actions.

    Parameters
    ----------
    player : Player
        The player.
    use_raw : bool
        Whether actions are given as RLCard's words, or values of its `Action`, instead of their numbers.
    names : sequence of str, optional
        Names by RLCard's numbers, the same for the same people from hand to hand. Default: "player 0" and so on.
    seed : int, optional
        Of all that the player draws, hand by hand. Without, seeds are drawn.

    Notes
    -----
    In no limit, a raise is the one offered that is nearest by ratio to what the player asks for.

    RLCard does not tell its agents how a hand ended: players who learn do so from acts, up to their own last one.

    Examples
    --------
    >>> import rlcard
    >>> from pokermodel.tables.players import make_player
    >>> env = rlcard.make("limit-holdem", config={"seed": 1})
    >>> env.set_agents([PlayerAgent(make_player(name), seed=1) for name in ("loki1", "call")])
    >>> trajectories, payoffs = env.run()
    >>> float(sum(payoffs))
    0.0
    """

    def __init__(
        self, player: Player, *, use_raw: bool = False, names: Sequence[str] | None = None, seed: int | None = None
    ) -> None:
        self.player = player
        self.use_raw = use_raw
        self.names = None if names is None else tuple(names)
        self._rng = np.random.default_rng(None if seed is None else check_least("the seed", seed, 0))
        self._common = CommonKnowledge()
        self._seat = Seat(player, self._common)
        self._hands = 0
        self._record: list[tuple[int, Any]] = []
        self._hand: list[str] = []

    def step(self, state: dict[str, Any]) -> Any:
        """Choose an action.

        Parameters
        ----------
        state : dict
            As RLCard's environments give it.

        Returns
        -------
        int, str or Action
            Its number, or with `use_raw` the action itself.

        Raises
        ------
        IllegalAct
            If the player answers with what the rules do not offer.
        ValueError
            If the state does not follow from its record, as of another version of RLCard's games; if names do not fit
            the game, or the player cannot play it.
        """
        raw, record = state["raw_obs"], list(state["action_record"])
        known = len(self._record)
        new = not known or raw["hand"] != self._hand or record[:known] != self._record
        self._record = []  # what fails on the way is begun anew
        if new:
            known = 0
            self._begin(raw, record)
        replay = self._replay
        board = _from_rlcard(raw["public_cards"])
        self._live.deal(board)
        decisions = [self._go_on(player, action) for player, action in record[known:]]
        self._check(raw, len(board))
        if new:
            self._common.begin(self._live)
            holding = _from_rlcard(raw["hand"])
            self._seat.sit(self._live, replay.turn, holding, int(self._rng.integers(2**63)), (0,))
        for decision in decisions:
            self._tell(decision)
        action = self._choose(raw["legal_actions"])
        self._hand, self._record = list(raw["hand"]), [*record, (replay.game.game_pointer, action)]
        self._tell(self._go_on(*self._record[-1]))
        if self.use_raw:
            return action
        return action.value if replay.no_limit else _LIMIT_ACTIONS.index(action)

    def eval_step(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Choose an action; the same as `step`, with an empty `info`."""
        return self.step(state), {}

    def _begin(self, raw: dict[str, Any], record: Sequence[tuple[int, Any]]) -> None:
        replay = _Replay(raw, record)
        names = self.names or tuple(f"player {number}" for number in range(replay.players))
        if len(names) != replay.players:
            raise ValueError(f"{replay.players} players need as many names, got {names}")
        self._replay = replay
        self._hands += 1
        self._done = 0
        seated = [names[replay.player_at(seat)] for seat in range(replay.players)]
        self._live = LiveHand(replay.spec, seated, source="rlcard", hand_id=str(self._hands))
        self._live.state = replay.state

    def _check(self, raw: dict[str, Any], board: int) -> None:
        """Raise `ValueError` unless the record led to what the state says."""
        game = self._replay.game
        if game.is_over():
            raise ValueError("the hand is over after its record: nobody is to act")
        chips = [int(player.in_chips) for player in game.players]
        if chips != list(raw["all_chips"]) or BOARD_CARDS[game.round_counter] != board:
            raise ValueError(
                f"the record leads to chips {chips} and {BOARD_CARDS[game.round_counter]} cards on the board, but the "
                f"state has chips {list(raw['all_chips'])} and {board} cards"
            )

    def _go_on(self, player: int, action: Any) -> Decision | None:
        """Bring the hand forward; nothing was decided by a player who is all-in and asked again."""
        live = self._live
        situation = None if live.state.seat in live.state.all_in else live.situation()
        act, put_in = self._replay.go_on(player, action)
        live.state = self._replay.state
        if situation is None:
            return None
        self._done += 1
        return Decision(live.source, live.hand_id, self._done - 1, situation, act, put_in)

    def _tell(self, decision: Decision | None) -> None:
        if decision is not None:
            self._live.decisions.append(decision)
            self._seat.notify(decision)

    def _choose(self, legal: Sequence[Any]) -> Any:
        """Ask the player, and find the legal action that does what they want."""
        state = self._live.state
        if state.seat in state.all_in:
            return _Action.CHECK_CALL  # nothing is left to decide
        choices = [self._choice(action, state) for action in legal]
        answer = self._seat.act()
        fitting = [choice for choice in choices if choice.act == answer.act]
        if not fitting:  # a raise that RLCard does not offer
            fitting = [choice for choice in choices if choice.act == Act.CALL]
        if answer.to is None or len(fitting) == 1:
            return fitting[0].action
        return min(fitting, key=lambda choice: abs(math.log((choice.to or 1) / (answer.to or 1)))).action

    def _choice(self, action: Any, state: State) -> _Choice:
        """What an action does."""
        if isinstance(action, str):
            return _Choice(action, {"fold": Act.FOLD, "raise": Act.RAISE}.get(action, Act.CALL), None)
        if action == _Action.FOLD:
            return _Choice(action, Act.FOLD, None)
        if action == _Action.CHECK_CALL:
            return _Choice(action, Act.CALL, None)
        stack = state.stacks[state.seat]
        assert stack is not None
        to = state.committed[state.seat] + _sizes(state.pot, stack)[action] - state.round_base
        return _Choice(action, Act.RAISE, to)


# -------------------------------------------------------------------------------------- their agents as our players


@contextmanager
def _drawing_from(bits: np.random.BitGenerator) -> Iterator[None]:
    """Let NumPy's global functions, from which RLCard's agents draw, draw from a generator of bits."""
    before = np.random.mtrand.get_bit_generator()
    np.random.mtrand.set_bit_generator(bits)
    try:
        yield
    finally:
        np.random.mtrand.set_bit_generator(before)


class AgentPlayer(Player):
    """An agent of RLCard as one of our players.

    It receives the state that RLCard would give it, in RLCard's chips with a big blind of two, so agents that were
    trained there see familiar states. Its actions follow our rules: a fold without a bet is a check, and raises of no
    limit that our rules forbid are not offered.

    Parameters
    ----------
    agent : object
        With ``use_raw``, ``step(state)`` and ``eval_step(state)``, such as `rlcard.agents.RandomAgent`, those that
        RLCard trains, and ``rlcard.models.load("limit-holdem-rule-v1").agents[0]``.
    training : bool
        Whether `step` is asked, as in training, instead of `eval_step`.

    Notes
    -----
    NumPy's global generator, which RLCard's agents draw from, is seeded anew for each hand while the agent acts. In no
    limit the record that it is shown knows RLCard's three raises only: others become the nearest one by ratio.

    Examples
    --------
    >>> from rlcard.agents import RandomAgent
    >>> from pokermodel.tables.arena import Entrant, tournament
    >>> random = Entrant("random", lambda: AgentPlayer(RandomAgent(num_actions=4)))
    >>> tournament([random, "call"], deals=3, seed=1).games
    6
    """

    structures = (BettingStructure.LIMIT, BettingStructure.NO_LIMIT)

    def __init__(self, agent: Any, *, training: bool = False) -> None:
        self.agent = agent
        self.training = training
        self._start: HandStart | None = None
        self._bits: np.random.BitGenerator | None = None

    def begin(self, start: HandStart) -> None:
        """Begin a hand.

        Raises
        ------
        ValueError
            If observations of RLCard have no room for the game: more than four raises of a round in limit.
        """
        spec = start.spec
        if spec.structure.fixed and max(spec.max_raises) > _MOST_RAISES:
            raise ValueError(f"max_raises {spec.max_raises}: RLCard's observations count up to {_MOST_RAISES}")
        self._start, self._bits = start, None

    def act(self, view: View) -> Answer:
        """Ask the agent.

        Raises
        ------
        ValueError
            If it answers with what is not offered, or stacks are not known in no limit.
        """
        assert self._start is not None
        if self._bits is None:
            self._bits = np.random.MT19937(self._start.seed)
        choices = self._choices(view)
        state = self.state(view)
        with _drawing_from(self._bits):
            answer = self.agent.step(state) if self.training else self.agent.eval_step(state)[0]
        action = self._decoded(answer, [choice.action for choice in choices])
        for choice in choices:
            if choice.action == action:
                return Answer(choice.act, choice.to)
        expected = ", ".join(str(choice.action) for choice in choices)
        raise ValueError(f"the agent answered {answer!r}, expected one of {expected}")

    def _decoded(self, answer: Any, legal: Sequence[Any]) -> Any:
        """The action of an answer; as in RLCard, a number that is not legal is a check or fold in limit."""
        if self.agent.use_raw:
            return answer
        if isinstance(legal[0], str):
            action = _LIMIT_ACTIONS[int(answer)]
            return action if action in legal else "check" if "check" in legal else "fold"
        return _Action(int(answer))

    @staticmethod
    def _choices(view: View) -> list[_Choice]:
        """RLCard's actions in a situation, and what they are by our rules."""
        fold = Act.FOLD if view.to_call else Act.CALL
        if view.spec.structure.fixed:
            there = [_Choice("call", Act.CALL, None)] if view.to_call else []
            there += [_Choice("raise", Act.RAISE, None)] if Act.RAISE in view.legal else []
            there.append(_Choice("fold", fold, None))
            return there if view.to_call else [*there, _Choice("check", Act.CALL, None)]
        there = [_Choice(_Action.FOLD, fold, None), _Choice(_Action.CHECK_CALL, Act.CALL, None)]
        stack = view.stacks[view.seat]
        if stack is None or None in view.stacks:
            raise ValueError("stacks are not known: RLCard's no limit needs those of all seats")
        if view.raise_range is None:
            return there
        least, most = view.raise_range
        assert most is not None
        for action, put_in in _sizes(view.pot, stack).items():
            to = view.in_round + put_in
            if least <= to <= most and put_in <= stack:
                there.append(_Choice(action, Act.RAISE, to))
        return there

    def state(self, view: View) -> dict[str, Any]:
        """Return what RLCard would show.

        Parameters
        ----------
        view : View
            The player's.

        Returns
        -------
        dict
            With the keys of RLCard's states: ``legal_actions``, ``obs``, ``raw_obs``, ``raw_legal_actions``,
            ``action_record``.
        """
        scale = Fraction(_BIG_BLIND, view.spec.small_bet)

        def chips(ours: int) -> int | float:
            theirs = ours * scale
            return int(theirs) if theirs.denominator == 1 else float(theirs)

        legal = [choice.action for choice in self._choices(view)]
        all_chips = [chips(put_in) for put_in in view.committed]
        hand, board = _to_rlcard(view.holding), _to_rlcard(view.board)
        raw: dict[str, Any] = {
            "hand": hand,
            "public_cards": board,
            "all_chips": all_chips,
            "my_chips": all_chips[view.seat],
            "legal_actions": legal,
        }
        places = [13 * _SUITS.index(card[0]) + _RANKS.index(card[1]) for card in (*board, *hand)]
        if view.spec.structure.fixed:
            raises = [0] * len(BOARD_CARDS)
            for decision in view.decisions:
                raises[decision.round] += decision.act == Act.RAISE
            raw["raise_nums"] = raises
            obs = np.zeros(72)
            obs[[52 + 5 * number + count for number, count in enumerate(raises)]] = 1
            ids = [_LIMIT_ACTIONS.index(action) for action in legal]
        else:
            raw["stakes"] = [chips(stack or 0) for stack in view.stacks]
            raw["current_player"] = view.seat
            raw["pot"] = chips(view.pot)
            raw["stage"] = tuple(_Stage)[view.round]
            obs = np.zeros(54)
            obs[52:] = all_chips[view.seat], max(all_chips)
            ids = [action.value for action in legal]
        obs[places] = 1
        return {
            "legal_actions": OrderedDict.fromkeys(ids),
            "obs": obs,
            "raw_obs": raw,
            "raw_legal_actions": list(legal),
            "action_record": [(decision.seat, _action_of(decision)) for decision in view.decisions],
        }


def _sizes(pot: int, stack: int) -> dict[Any, int]:
    """Chips that RLCard's raises put in."""
    return {_Action.RAISE_HALF_POT: pot // 2, _Action.RAISE_POT: pot, _Action.ALL_IN: stack}


def _action_of(decision: Decision) -> Any:
    """The action of RLCard that is what somebody did, or of a raise the nearest one by ratio."""
    situation = decision.situation
    if situation.spec.structure.fixed:
        passing = "call" if situation.to_call else "check"
        return {Act.FOLD: "fold", Act.CALL: passing, Act.RAISE: "raise"}[decision.act]
    if decision.act != Act.RAISE:
        return _Action.FOLD if decision.act == Act.FOLD else _Action.CHECK_CALL
    stack = situation.stacks[decision.seat]
    assert stack is not None
    if decision.put_in == stack:
        return _Action.ALL_IN
    sizes = _sizes(situation.pot, stack)
    return min(sizes, key=lambda action: abs(math.log(max(sizes[action], 1) / decision.put_in)))
