"""Environments of Gymnasium: hold'em for programs that learn by playing.

`PokerEnv` is one table, at which any players of this package can sit; `PokerVectorEnv` are many tables that are stepped
at once in C. Importing this module registers both with Gymnasium::

    env = gymnasium.make("pokermodel.tables.connect.gym:pokermodel/LimitHoldem-v0", opponents="loki2:br")
    envs = gymnasium.make_vec("pokermodel.tables.connect.gym:pokermodel/NoLimitHoldem-v0", num_envs=4096)

An episode is a hand. A learner sits at the table with opponents, or plays every seat in turn (self-play).

Actions are numbered: 0 fold, 1 check or call, and from 2 on a bet or raise, in limit one, otherwise one for each of
`raise_sizes`. Which are legal is in ``info["action_mask"]``. Rewards come at the end of the hand, in small bets in
limit, otherwise in big blinds. `observation_layout` names the entries of an observation.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

try:
    import gymnasium
except ImportError as missing:
    raise ImportError('pokermodel.tables.connect.gym needs Gymnasium: pip install "pokermodel[gym]"') from missing
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from pokermodel._core.environment import MAX_HISTORY, MAX_SIZES, Tables
from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.checks import check_choice, check_jobs, check_least, check_whole
from pokermodel.game import BOARD_CARDS, Act, Action, BettingStructure, GameSpec, Hand, LiveHand, State
from pokermodel.randomness import as_seed_sequence, stream_words
from pokermodel.tables.players import HandEnd, Player, Seat, make_player, parse_players
from pokermodel.tables.players.common import CommonKnowledge
from pokermodel.tables.players.seat import check_structure

__all__ = ["ENVIRONMENTS", "PokerEnv", "PokerVectorEnv", "observation_layout"]

#: What an observation is: see `observation_layout`.
Observation: TypeAlias = NDArray[np.float32]
#: What to do about an action that is not legal.
Illegal: TypeAlias = Literal["raise", "fold"]

_STACK = 100  # big blinds, of a game that is asked for by its structure
_POLICIES = ("call", "raise", "random")
_NEVER = "hand after hand ends before it is the learner's turn: expected a game and opponents that let it act"


def observation_layout(players: int, history: int = 8) -> dict[str, slice]:
    """Name the entries of an observation.

    Chips are in the unit of rewards. Entries of the seats go by place: first that of the seat that observes, then the
    one after it, and so on.

    Parameters
    ----------
    players : int
        Seats of the game.
    history : int
        Number of latest actions in an observation.

    Returns
    -------
    dict of str to slice
        - "cards", "board": 52 each, 1 for a card that is there; card ``4 * rank + suit``, deuces first, suits cdhs.
        - "round": 4, 1 for the round that is played.
        - "seat": one a seat of the game, 1 for the own one; it says who acts before whom.
        - "pot": everything in, bets of this round included.
        - "to_call": what it takes to stay, as far as the stack goes.
        - "bets": bets and raises of this round; before the flop the big blind is the first.
        - "stacks": one a place, chips behind; 0 in games in which stacks are not known.
        - "active": one a place, 1 for who has not folded.
        - "put_in": 4 rounds of one a place, chips put in during the round, blinds included and antes not.
        - "acts": `history` times 4, the acts of this round, latest first: the place of who acted, and 1 for a fold, a
          check or call, a bet or raise. 0 where there are fewer.

    Examples
    --------
    >>> observation_layout(2)["pot"], observation_layout(2)["acts"]
    (slice(110, 111, None), slice(125, 157, None))
    """
    sizes = {
        "cards": 52,
        "board": 52,
        "round": 4,
        "seat": players,
        "pot": 1,
        "to_call": 1,
        "bets": 1,
        "stacks": players,
        "active": players,
        "put_in": 4 * players,
        "acts": 4 * history,
    }
    ends = np.cumsum([*sizes.values()]).tolist()
    return {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}


def _game(game: GameSpec | str, opponents: int) -> GameSpec:
    """Return the game for so many opponents, or of two players for none; of a structure the usual one."""
    if isinstance(game, GameSpec):
        if opponents not in (0, game.players - 1):
            raise ValueError(f"a game of {game.players} players has {game.players - 1} opponents, got {opponents}")
        return game
    check_choice("game", game, BettingStructure)
    players = opponents + 1 if opponents else 2
    if game == BettingStructure.LIMIT:
        return GameSpec.ring(players, 1, 2)
    make = GameSpec.no_limit if game == BettingStructure.NO_LIMIT else GameSpec.pot_limit
    return make(players, 1, 2, stacks=[2 * _STACK] * players)


def _texts(opponents: str | Sequence[Any] | None) -> list[Any]:
    """Spell out opponents: copies one by one, and what is no text as it is."""
    if opponents is None:
        return []
    if isinstance(opponents, str):
        return [*parse_players(opponents)]
    if isinstance(opponents, Player) or not isinstance(opponents, Sequence):
        raise ValueError(f"opponents must be a text or a sequence, got {opponents!r}")
    return [each for one in opponents for each in (parse_players(one) if isinstance(one, str) else [one])]


def _tables(
    spec: GameSpec,
    tables: int,
    seat: int | None,
    raise_sizes: Sequence[float],
    history: int,
    policies: Sequence[str | NDArray[np.float32]] = (),
) -> Tables:
    """Make the tables; `ValueError` if something does not fit the game."""
    if not spec.structure.fixed and not spec.stacks:
        raise ValueError(
            f"a game of {spec.structure} must have stacks, as in GameSpec.no_limit(2, 1, 2, stacks=(200, 200))"
        )
    check_least("history", history, 0)
    if history > MAX_HISTORY:
        raise ValueError(f"history must be 0 to {MAX_HISTORY}, got {history}")
    if seat is not None and not 0 <= check_whole("seat", seat) < spec.players:
        raise ValueError(f"there is no seat {seat}, expected 0 to {spec.players - 1}")
    sizes = np.zeros(1) if spec.structure.fixed else np.array(raise_sizes, dtype=np.float64)
    if sizes.ndim != 1 or not 1 <= len(sizes) <= MAX_SIZES or not sizes[0] >= 0 or not (sizes[1:] > sizes[:-1]).all():
        raise ValueError(f"raise_sizes must be 1 to {MAX_SIZES} fractions of the pot, ascending, got {raise_sizes!r}")
    return Tables(State(spec), tables, sizes, history, -1 if seat is None else seat, policies, spec.small_bet)


def _observation_space(spec: GameSpec, tables: Tables, history: int) -> gymnasium.spaces.Box:
    """Bounds of every entry; where nothing bounds chips, the largest number there is."""
    layout = observation_layout(spec.players, history)
    if spec.stacks:
        chips: float = sum(spec.stacks)
    elif spec.cap_heads_up or spec.players == 2:
        most = sum(bet * raises for bet, raises in zip(spec.bets, spec.max_raises, strict=True))
        chips = spec.players * (most + max(spec.blinds) + max(spec.antes, default=0))
    else:
        chips = math.inf
    high = np.ones(tables.width, dtype=np.float32)
    for name in "pot", "to_call", "stacks", "put_in":
        high[layout[name]] = min(1.001 * chips / spec.small_bet, float(np.finfo(np.float32).max))
    high[layout["bets"]] = max(spec.max_raises) + 1
    high[layout["acts"]][::4] = spec.players - 1
    return gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.float32)


class PokerEnv(gymnasium.Env[Observation, int]):
    """A table of hold'em. An episode is a hand.

    Parameters
    ----------
    game : GameSpec or {"limit", "pot limit", "no limit"}
        The game. The text stands for blinds of 1 and 2 chips with as many players as there are, two in self-play, and
        outside limit for stacks of 100 big blinds.
    opponents : str or sequence of str or Player, optional
        Who sits in the places after the learner, as for `pokermodel.tables.arena.tournament`: ``"loki2:br*5"``, or
        players of your own. They go on learning from hand to hand. Without, the learner plays every seat in turn.
    seat : int, optional
        Where the learner sits; opponents sit after it. Default: as at a table, one seat further back in each hand,
        since the button moves on; in seat 0 at first.
    raise_sizes : sequence of float
        Outside limit, what actions from 2 on raise by: fractions of the pot as it is after a call, ascending. Each is
        cut down or up to what the rules allow, infinity to the most. Of sizes that come to the same amount the first is
        legal.
    history : int
        Number of the round's latest actions in an observation, 0 to 64.
    illegal : {"raise", "fold"}
        The reaction to an action that is not legal: raise a `ValueError`, or fold.

    Raises
    ------
    ValueError
        If an argument does not fit the game, a player cannot play it, or there is nothing to decide in it.

    Attributes
    ----------
    game : GameSpec
        The game.
    observation_space : gymnasium.spaces.Box
        float32, 1-dimensional: see `observation_layout`.
    action_space : gymnasium.spaces.Discrete
        Fold, check or call, and a bet or raise for each size.

    Notes
    -----
    ``info["seat"]`` is the seat that observes: the learner's, or in self-play the one to act, and at the end the one
    that acted last. The reward is that seat's; ``info["payoffs"]`` has all of them when the hand has ended.

    Hands that end before it is the learner's turn are no episodes: ``info["unplayed"]`` and ``info["unplayed_reward"]``
    of `reset` say how many there were since the one before, and what the learner won in them.

    The same seed and the same actions give the same hands, and the cards do not depend on the actions.

    Examples
    --------
    >>> env = PokerEnv(opponents="call", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> info["seat"], info["action_mask"].tolist()
    (0, [1, 1, 1])
    >>> _, reward, terminated, _, info = env.step(0)
    >>> reward, terminated, info["payoffs"].tolist()
    (-0.5, True, [-0.5, 0.5])
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        game: GameSpec | str = "limit",
        opponents: str | Sequence[str | Player] | None = None,
        *,
        seat: int | None = None,
        raise_sizes: Sequence[float] = (0.5, 1.0, math.inf),
        history: int = 8,
        illegal: Illegal = "raise",
    ) -> None:
        found = _texts(opponents)
        self.game = _game(game, len(found))
        check_choice("illegal", illegal, ("raise", "fold"))
        self._tables = _tables(self.game, 1, seat, raise_sizes, history)
        self.observation_space = _observation_space(self.game, self._tables, history)  # type: ignore[assignment]
        self.action_space = gymnasium.spaces.Discrete(self._tables.actions)  # type: ignore[assignment]
        self._illegal = illegal
        self._common = CommonKnowledge()
        self._opponents = [Seat(make_player(each) if isinstance(each, str) else each, self._common) for each in found]
        for each in self._opponents:
            check_structure(each.player, self.game)
        labels = [each if isinstance(each, str) else type(each).__name__ for each in found]
        self._names = ["learner", *(f"{label} {place}" for place, label in enumerate(labels, 1))]
        self._seeded = False
        self._entropy = 0
        self._hands = 0
        self._learner = -1
        self._live: LiveHand | None = None
        self._seats: dict[int, Seat] = {}
        self._done: list[tuple[int, int, int]] = []  # who did what and raised to what
        self._ended: _Ended | None = None
        self._turn = -1
        self._legal = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a hand; one that is under way is dropped.

        Parameters
        ----------
        seed : int, optional
            Begin anew with the cards of this seed; what opponents have learnt stays. Without, hands go on from where
            they are, and at first from a seed of the operating system.
        options : dict, optional
            ``{"seat": 1}``: where the learner sits in this hand.

        Returns
        -------
        observation : ndarray of float32
        info : dict
            "action_mask", "seat", and with opponents "unplayed" and "unplayed_reward".

        Raises
        ------
        ValueError
            If an option is not known, or very many hands end before it is the learner's turn.
        """
        super().reset(seed=seed)
        options = {} if options is None else options
        if unknown := options.keys() - {"seat"}:
            raise ValueError(f"unknown options {', '.join(sorted(map(str, unknown)))}: expected seat")
        seat = options.get("seat")
        if seat is not None and not 0 <= check_whole("seat", seat) < self.game.players:
            raise ValueError(f"there is no seat {seat}, expected 0 to {self.game.players - 1}")
        if seed is not None or not self._seeded:
            sequence = as_seed_sequence(self.np_random if seed is None else seed)
            self._tables.seed(stream_words(sequence, 2).reshape(1, 8))
            self._entropy = int(sequence.generate_state(1, np.uint64)[0])
            self._seeded, self._hands = True, 0
        unplayed, won = 0, 0.0
        for _ in range(1000):
            self._begin(seat)
            if self._let_opponents_act() is None:
                break
            unplayed += 1
            won += self._rewards()[self._learner]
        else:
            raise ValueError(_NEVER)
        observation, info = self._see(self._turn)
        if self._opponents:
            info |= {"unplayed": unplayed, "unplayed_reward": won}
        return observation, info

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Choose an action for the seat that observes.

        Returns
        -------
        observation : ndarray of float32
        reward : float
            The result of the seat if the hand has ended, else 0.
        terminated : bool
            Whether the hand has ended.
        truncated : bool
            Always False.
        info : dict
            "action_mask", "seat", and at the end "payoffs", by seat.

        Raises
        ------
        ValueError
            If the hand is over, or the action is not legal and `illegal` is "raise".
        """
        turn = self._turn
        if turn < 0:
            raise ValueError("the hand is over: call reset() first")
        number = check_whole("an action", action)
        if not (0 <= number < self._tables.actions and self._legal >> number & 1):
            if self._illegal == "raise":
                legal = _numbers(self._legal)
                raise ValueError(f"action {number} is not legal for seat {turn}: expected one of {legal}")
            number = 0
        *done, self._turn = self._tables.choose(0, number)
        self._tell(*done)
        ended = self._let_opponents_act()
        if ended is None:
            observation, info = self._see(self._turn)
            return observation, 0.0, False, False, info
        seat = self._learner if self._opponents else turn
        observation, info = self._see(seat)
        rewards = info["payoffs"] = self._rewards()
        return observation, float(rewards[seat]), True, False, info

    def action_masks(self) -> Bools:
        """Return which actions are legal now: bool (actions,); none when the hand is over."""
        return np.array([self._legal >> k & 1 for k in range(self._tables.actions)], dtype=np.bool_)

    def last_hand(self) -> Hand:
        """Return the last hand that ended, with all cards: for a book, a score, or to see it.

        Raises
        ------
        ValueError
            If none has ended since the environment was made.
        """
        if self._ended is None:
            raise ValueError("no hand has ended yet")
        return self._ended.hand(self.game, self._names if self._opponents else None)

    # --------------------------------------------------------------------------------------------- what happens

    def _begin(self, seat: int | None) -> None:
        self._tables.begin()
        self._hands += 1
        self._turn, self._learner = self._tables.turn(0)
        self._done = []
        if not self._opponents:
            return
        if seat is not None:
            self._learner = seat
        players = self.game.players
        holdings, board = self._tables.cards(0)
        names = _by_seat(self._names, self._learner)
        live = self._live = LiveHand(self.game, names, source="gym", hand_id=str(self._hands))
        live.deal(board)
        self._common.begin(live)
        self._seats = {(self._learner + k) % players: each for k, each in enumerate(self._opponents, 1)}
        for place, (number, each) in enumerate(self._seats.items(), 1):
            each.sit(live, number, holdings[number], self._entropy, (2, self._hands, place))

    def _let_opponents_act(self) -> _Ended | None:
        """Ask opponents until it is the learner's turn; the hand if it has ended."""
        while (turn := self._turn) in self._seats:
            act, to = self._seats[turn].act()
            if act != Act.RAISE:
                to = 0
            elif to is None:
                *done, self._turn = self._tables.choose(0, act)
                self._tell(*done)
                continue
            self._turn = self._tables.act(0, act, to)
            self._tell(turn, act, to)
        if turn >= 0:
            return None
        holdings, board = self._tables.cards(0)
        state, payoffs = self._tables.state(0), self._tables.payoffs(0)
        self._ended = _Ended(self._hands, self._learner, self._done, state, holdings, board, payoffs)
        if self._live is not None:
            shown = {number: holdings[number] for number in state.active} if state.showdown else {}
            end = HandEnd(payoffs, self._live.dealt, MappingProxyType(shown))
            self._common.end(end.board, end.shown)
            for each in self._seats.values():
                each.leave(end)
        return self._ended

    def _tell(self, seat: int, act: int, to: int) -> None:
        """Note an act that was done, and let opponents see it."""
        self._done.append((seat, act, to))
        if self._live is not None:
            decision = self._live.act(Act(act), to if act == Act.RAISE else None)
            for each in self._seats.values():
                each.notify(decision)

    def _rewards(self) -> Floats:
        assert self._ended is not None
        return np.array(self._ended.payoffs) / self.game.small_bet

    def _see(self, seat: int) -> tuple[Observation, dict[str, Any]]:
        observation = np.empty(self._tables.width, dtype=np.float32)
        mask = np.empty(self._tables.actions, dtype=np.int8)
        self._legal = self._tables.view(0, seat, observation, mask)
        return observation, {"action_mask": mask, "seat": seat}


class _Ended(NamedTuple):
    """A hand that has ended."""

    number: int
    learner: int
    done: list[tuple[int, int, int]]
    state: State
    holdings: tuple[tuple[int, int], ...]
    board: tuple[int, ...]
    payoffs: tuple[float, ...]

    def hand(self, game: GameSpec, names: list[str] | None) -> Hand:
        """Return it as a `Hand`; names go by place from the learner on, or are those of the seats."""
        sized = not game.structure.fixed
        players = [f"seat {k}" for k in range(game.players)] if names is None else _by_seat(names, self.learner)
        actions = [Action(seat, Act(act), to=to if sized and act == Act.RAISE else None) for seat, act, to in self.done]
        board = self.board[: BOARD_CARDS[self.state.round]]
        held = dict(enumerate(self.holdings))
        return Hand("gym", str(self.number), game, players, actions, board, held, stated_payoffs=self.payoffs)


def _by_seat(names: list[str], learner: int) -> list[str]:
    """Names in the order of the seats, of names in that of the places."""
    return [names[(number - learner) % len(names)] for number in range(len(names))]


def _numbers(mask: int) -> str:
    """The actions of a mask, for a message."""
    return ", ".join([str(k) for k in range(mask.bit_length()) if mask >> k & 1])


class PokerVectorEnv(gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Tables of hold'em that are stepped at once, in C.

    Parameters
    ----------
    num_envs : int
        Number of tables.
    game : GameSpec or {"limit", "pot limit", "no limit"}
        The game, as for `PokerEnv`.
    opponents : str or sequence of str or array of float, optional
        Who sits in the places after the learner: "call", "raise" (the least raise), "random" (each legal action as
        likely as any other), as in ``"call*2,random"``; or relative frequencies of actions, of a shape that broadcasts
        to (169, 4, 3, actions): by class of the holding, by round, and by whether there is nothing to call, the first
        bet of the round (before the flop: the big blind), or a raise. Those of actions that are not legal are left out.
        Without, the seat to act of each table chooses (self-play).
    seat : int, optional
        Where the learner sits. Default: one seat further back in each hand, at table i from seat i on, modulo the
        number of seats.
    raise_sizes, history, illegal
        As for `PokerEnv`.
    autoreset_mode : AutoresetMode or str
        When a new hand begins after one has ended: in the same step, in the next one, or when `reset` is asked for it
        with ``options={"reset_mask": ...}``.
    final_obs : bool
        Whether, where hands begin in the same step, ``info["final_obs"]`` has what was seen at the end of the hand
        before.
    copy : bool
        Whether each step returns new arrays. Otherwise they are those of the step before, with new content.
    jobs : int or None
        Number of threads, one per processor if None; worth it for thousands of tables. Results are the same.

    Raises
    ------
    ValueError
        If an argument does not fit the game, an opponent is none of those above, or there is nothing to decide.

    Attributes
    ----------
    game, num_envs, single_observation_space, single_action_space, observation_space, action_space
        As in `PokerEnv`, of one table and of all.

    Notes
    -----
    Table i of a seed draws from streams of its own: its hands depend on the seed, on i and on the actions at this
    table, and neither on the number of tables nor on that of threads. Its cards do not depend on the actions, either.
    Table 0 gets the cards of a `PokerEnv` with the same seed.

    Entries of `info` are arrays over the tables: "action_mask" (int8), "seat" (int8, who observes), "payoffs" (float64,
    by seat, 0 where "_payoffs" is False), "final_obs" with "_final_obs", and with opponents "unplayed" and
    "unplayed_reward": how many hands ended in this step before it was the learner's turn, and what the learner won in
    them.

    Other players of this package sit at a `PokerEnv`, or at several, as ``gymnasium.vector.SyncVectorEnv`` makes them.

    Examples
    --------
    >>> envs = PokerVectorEnv(1000, opponents="call")
    >>> observations, info = envs.reset(seed=1)
    >>> observations.shape
    (1000, 157)
    >>> total = 0.0
    >>> for _ in range(100):
    ...     observations, rewards, terminated, _, info = envs.step(envs.sample_actions())
    ...     total += rewards.sum()
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: GameSpec | str = "limit",
        opponents: str | Sequence[str | ArrayLike] | None = None,
        *,
        seat: int | None = None,
        raise_sizes: Sequence[float] = (0.5, 1.0, math.inf),
        history: int = 8,
        illegal: Illegal = "raise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        final_obs: bool = False,
        copy: bool = True,
        jobs: int | None = 1,
    ) -> None:
        self.num_envs = check_least("num_envs", num_envs, 1)
        found = _texts(opponents)
        self.game = _game(game, len(found))
        check_choice("illegal", illegal, ("raise", "fold"))
        actions = 3 if self.game.structure.fixed else 2 + len(raise_sizes)
        policies = [_policy(each, actions) for each in found]
        self._tables = _tables(self.game, self.num_envs, seat, raise_sizes, history, policies)
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise ValueError(f"unknown autoreset_mode {autoreset_mode!r}: expected one of {modes}") from None
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self.single_observation_space = _observation_space(self.game, self._tables, history)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._opponents = bool(found)
        self._illegal = illegal
        self._final_obs = final_obs and self._mode == AutoresetMode.SAME_STEP
        self._copy = copy
        self._kept: _Arrays | None = None
        jobs = min(check_jobs(jobs), self.num_envs)
        self._chunks = [*pairwise(self.num_envs * k // jobs for k in range(jobs + 1))]
        self._pool = ThreadPoolExecutor(jobs - 1) if jobs > 1 else None
        self._lock = threading.Lock()  # tables are not to be stepped twice at once
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a hand at every table; those that are under way are dropped.

        Parameters
        ----------
        seed : int, optional
            Begin anew with the hands of this seed. Without, hands go on from where they are, and at first from a seed
            of the operating system.
        options : dict, optional
            ``{"reset_mask": mask}``, bool (num_envs,): begin hands at these tables alone.

        Returns
        -------
        observations : ndarray of float32, shape (num_envs, n)
        info : dict

        Raises
        ------
        ValueError
            If an option is not known or does not fit, or very many hands end before it is the learner's turn.
        """
        super().reset(seed=seed)
        options = {} if options is None else options
        if unknown := options.keys() - {"reset_mask"}:
            raise ValueError(f"unknown options {', '.join(sorted(map(str, unknown)))}: expected reset_mask")
        mask = options.get("reset_mask")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                what = f"{mask.dtype} of shape {mask.shape}"
                raise ValueError(f"reset_mask must be bool of shape ({self.num_envs},), got {what}")
            if seed is not None or not self._seeded:
                raise ValueError("reset_mask needs tables that have begun, and no seed")
            mask = np.ascontiguousarray(mask).view(np.uint8)
        with self._lock:
            if mask is None and (seed is not None or not self._seeded):
                sequence = as_seed_sequence(self.np_random if seed is None else seed)
                self._tables.seed(stream_words(sequence, 2 * self.num_envs).reshape(self.num_envs, 8))
                self._seeded = True
            if not self._tables.begin(mask):
                raise ValueError(_NEVER)
            arrays = self._new_arrays()
            self._tables.observe(0, self.num_envs, arrays.observations, arrays.masks, arrays.seats)
            return arrays.observations, self._info(arrays)

    def step(self, actions: ArrayLike) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Choose an action at every table.

        Parameters
        ----------
        actions : array of int, shape (num_envs,)
            Not looked at where the step begins a new hand (``AutoresetMode.NEXT_STEP``).

        Returns
        -------
        observations : ndarray of float32, shape (num_envs, n)
        rewards : ndarray of float64, shape (num_envs,)
            The result of the seat that acted, or of the learner, if the hand has ended, else 0.
        terminations : ndarray of bool, shape (num_envs,)
            Where the hand has ended.
        truncations : ndarray of bool, shape (num_envs,)
            All False.
        info : dict

        Raises
        ------
        ValueError
            If the shape is another one, an action is not legal and `illegal` is "raise" (nothing is changed then), or
            very many hands end before it is the learner's turn.
        """
        if not self._seeded:
            raise ValueError("no hand has begun: call reset() first")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            what = f"{chosen.dtype} of shape {chosen.shape}"
            raise ValueError(f"actions must be whole numbers of shape ({self.num_envs},), got {what}")
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        with self._lock:
            if self._illegal == "raise":
                self._check(chosen)
            arrays = self._new_arrays()

            def play(first: int, end: int) -> bool:
                rewards, ended, payoffs = arrays.rewards, arrays.ended.view(np.uint8), arrays.payoffs
                seen = arrays.observations, arrays.masks, arrays.seats
                return self._tables.step(
                    chosen, first, end, self._mode.value, rewards, ended, payoffs, *seen, arrays.final_obs
                )

            if not self._each(play):
                raise ValueError(_NEVER)
            info = self._info(arrays)
            info |= {"payoffs": arrays.payoffs, "_payoffs": arrays.ended.copy()}
            if arrays.final_obs is not None:
                info |= {"final_obs": arrays.final_obs, "_final_obs": arrays.ended.copy()}
            return arrays.observations, arrays.rewards, arrays.ended, np.zeros(self.num_envs, dtype=np.bool_), info

    def action_masks(self) -> Bools:
        """Return which actions are legal now: bool (num_envs, actions); none where the hand is over."""
        legal = np.array([self._tables.legal(k) for k in range(self.num_envs)], dtype=np.int64)
        return (legal[:, None] >> np.arange(self._tables.actions) & 1).astype(np.bool_)

    def sample_actions(self) -> NDArray[np.int64]:
        """Draw a legal action for every table, each as likely as any other.

        0 where the hand is over. They come from the streams from which opponents draw, and not from those of the cards.

        Returns
        -------
        ndarray of int64, shape (num_envs,)
        """
        actions = np.empty(self.num_envs, dtype=np.int64)
        with self._lock:
            self._tables.sample(actions)
        return actions

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # --------------------------------------------------------------------------------------------- what happens

    def _check(self, actions: NDArray[np.int64]) -> None:
        table = self._tables.first_illegal(actions, self._mode == AutoresetMode.DISABLED)
        if table < 0:
            return
        mask = self._tables.legal(table)
        if not mask:
            raise ValueError(f"the hand at table {table} is over: reset it with options={{'reset_mask': ...}}")
        legal = ", ".join([str(k) for k in range(self._tables.actions) if mask >> k & 1])
        seat = self._tables.turn(table)[0]
        raise ValueError(
            f"action {actions[table]} is not legal at table {table} for seat {seat}: expected one of {legal}"
        )

    def _each(self, work: Callable[[int, int], bool]) -> bool:
        """Do something with all tables, on all threads; whether it was fine everywhere."""
        first, *others = self._chunks
        if self._pool is None:
            return work(*first)
        under_way = [self._pool.submit(work, *chunk) for chunk in others]
        fine = [work(*first)]
        return all([*fine, *(each.result() for each in under_way)])

    def _new_arrays(self) -> _Arrays:
        if self._kept is not None:
            return self._kept
        tables, n = self._tables, self.num_envs
        arrays = _Arrays(
            np.empty((n, tables.width), dtype=np.float32),
            np.empty((n, tables.actions), dtype=np.int8),
            np.empty(n, dtype=np.int8),
            np.empty(n),
            np.empty(n, dtype=np.bool_),
            np.empty((n, tables.players)),
            np.zeros((n, tables.width), dtype=np.float32) if self._final_obs else None,
        )
        if not self._copy:
            self._kept = arrays
        return arrays

    def _info(self, arrays: _Arrays) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": arrays.masks, "seat": arrays.seats}
        if self._opponents:
            hands, won = np.empty(self.num_envs, dtype=np.int64), np.empty(self.num_envs)
            self._tables.skipped(hands, won)
            info |= {"unplayed": hands, "unplayed_reward": won}
        return info


class _Arrays(NamedTuple):
    """What a step fills."""

    observations: Observation
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]
    rewards: Floats
    ended: Bools
    payoffs: Floats
    final_obs: Observation | None


def _policy(opponent: object, actions: int) -> str | NDArray[np.float32]:
    """Check an opponent that acts in C."""
    if isinstance(opponent, str) and opponent in _POLICIES:
        return opponent
    if isinstance(opponent, (str, Player)):
        raise ValueError(
            f"opponents at many tables are {', '.join(_POLICIES)} or frequencies, got {opponent!r}: "
            "other players sit at a PokerEnv"
        )
    shape = (169, 4, 3, actions)
    try:
        found = np.broadcast_to(np.asarray(opponent, dtype=np.float32), shape)
    except (TypeError, ValueError):
        raise ValueError(
            f"frequencies must be numbers of a shape that broadcasts to {shape}, got {opponent!r}"
        ) from None
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ValueError("frequencies must be 0 or more")
    return np.ascontiguousarray(found)


#: Names with Gymnasium, and the game of each.
ENVIRONMENTS: Mapping[str, str] = MappingProxyType(
    {
        "pokermodel/LimitHoldem-v0": "limit",
        "pokermodel/PotLimitHoldem-v0": "pot limit",
        "pokermodel/NoLimitHoldem-v0": "no limit",
    }
)

for _name, _structure in ENVIRONMENTS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            entry_point=f"{__name__}:PokerEnv",
            vector_entry_point=f"{__name__}:PokerVectorEnv",
            kwargs={"game": _structure},
        )
