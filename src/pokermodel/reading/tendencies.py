"""A player's forecasts with each holding, in situations made for the purpose.

A session between hands forecasts them. Before the flop they are the actions in every position, in an unopened pot and
facing a raise. After the flop they are the actions with holdings of each strength, on a sample of boards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.game import POSITIONS, Act, Decision, GameSpec, Situation, State, position_names, positions
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.randomness import RandomLike, as_seed_sequence
from pokermodel.reading.session import OpponentModeler

__all__ = [
    "BOARDS",
    "STRENGTHS",
    "MadeUpHand",
    "NotLearning",
    "PostflopTendency",
    "PreflopTendency",
    "names_around",
    "open_to",
    "postflop_tendencies",
    "preflop_tendencies",
]

#: Classes of holdings after the flop, by the share of two random cards that they beat, ties by half.
STRENGTHS = ("0 to 20%", "20 to 40%", "40 to 60%", "60 to 80%", "80 to 100%")
#: Boards that are dealt.
BOARDS = 32
_OPEN = 2.5  # big blinds that a first raise goes to where bets have sizes
_BUTTON, _SMALL, _BIG = (POSITIONS.index(name) for name in ("button", "small blind", "big blind"))


class PreflopTendency(NamedTuple):
    """A player's actions in a position before the flop.

    Attributes
    ----------
    position : str
        One of `POSITIONS` in limit, else one of `SEATS`, as `position_names` has it.
    raiser : str or None
        The position of the raiser, who alone has entered the pot; None if it is unopened.
    acts : ndarray of float64, shape (3,)
        Probability of fold, call and raise.
    others : ndarray of float64, shape (3,), or None
        The same for an unknown player; None if the reader has no forecast.
    chances : ndarray of float64, shape (1326, 3)
        The same with each holding.
    """

    position: str
    raiser: str | None
    acts: Floats
    others: Floats | None
    chances: Floats


class PostflopTendency(NamedTuple):
    """A player's actions in a betting round after the flop, by the strength of the holding.

    Attributes
    ----------
    round : int
        1 flop, 2 turn, 3 river.
    facing : bool
        Whether they face a bet; otherwise they may bet.
    acts : ndarray of float64, shape (3,)
        Probability of fold, call or check, and raise or bet.
    shares : ndarray of float64, shape (5,)
        The share of each of `STRENGTHS` in what they hold there.
    chances : ndarray of float64, shape (5, 3)
        Probability of each act with holdings of each class; nan of a class that they do not hold.
    """

    round: int
    facing: bool
    acts: Floats
    shares: Floats
    chances: Floats


class MadeUpHand:
    """A hand that is made up act by act, and followed by a session."""

    def __init__(
        self, session: OpponentModeler, spec: GameSpec, names: tuple[str, ...], board: tuple[int, ...]
    ) -> None:
        self._session, self._names, self._board = session, names, board
        self._state = State(spec, spec.stacks or None)
        self._index = 0
        session.start(names)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self._state.seat

    def situation(self) -> Situation:
        """Their situation; a ValueError if the stacks do not last until here."""
        if self._state.over:
            raise ValueError(f"stacks of {self._state.spec.stacks} chips are too small for the hand: it ends all-in")
        return Situation.of(self._state, self._names, self._board[: BOARD_CARDS[self._state.round]])

    def act(self, act: Act, of_pot: float = 0.0, to: int | None = None) -> None:
        """Go on; a bet or raise adds a share of the pot to a call, or goes to an amount, where it has a size."""
        situation = self.situation()
        if act == Act.RAISE and situation.raise_range is not None and not situation.spec.structure.fixed:
            least, most = situation.raise_range
            pot = situation.pot + situation.to_call
            wanted = situation.in_round + situation.to_call + round(of_pot * pot) if to is None else to
            to = max(least, wanted if most is None else min(wanted, most))
        else:
            to = None
        put_in = self._state.act(act, to)
        self._session.observe(Decision("made up", "", self._index, situation, act, put_in))
        self._index += 1


def names_around(player: str, seat: int, spec: GameSpec) -> tuple[str, ...]:
    """The player among unknown others."""
    return tuple(player if k == seat else f"\0{k}" for k in range(spec.players))


def open_to(spec: GameSpec, big_blinds: float | None, bets: int | None = None) -> int:
    """The total of a first raise of the button, in chips; by default 2.5 big blinds.

    With a number of bets of half the pot, the raise is small enough that chips remain when the big blind has called it
    and them. Without this limit a player who often opens all-in would leave nothing to decide after the flop.
    """
    to = round((big_blinds or _OPEN) * spec.small_bet)
    if bets is None or spec.structure.fixed or not spec.stacks:
        return to
    blinds = zip(spec.blinds, positions(spec), strict=True)
    dead = sum(spec.antes) + sum(blind for blind, place in blinds if place not in (_BUTTON, _BIG) and spec.players > 2)
    doubled = 1 << bets  # each such bet and its call double the pot, which is first 2 * to + dead
    stack = min(spec.stacks) - max(spec.antes, default=0)
    return min(to, math.ceil((stack - (doubled - 1) * dead / 2) / doubled) - 1)


def preflop_tendencies(
    session: OpponentModeler, player: str, spec: GameSpec, *, open_size: float | None = None
) -> list[PreflopTendency]:
    """Ask a session what a player does before the flop, position by position.

    Parameters
    ----------
    session : OpponentModeler
        Nothing is learnt.
    player : str
        The player.
    spec : GameSpec
        The game. Of several seats of a position the middle one is asked about.
    open_size : float, optional
        Big blinds that a first raise goes to, where bets have sizes. Default: 2.5.

    Returns
    -------
    list of PreflopTendency
        In the order in which positions act. In each all before have folded, or the last of them has raised; to the big
        blind, the last but the small blind.

    Raises
    ------
    ValueError
        If the reader does not read the game.
    """
    places, names = positions(spec), position_names(spec)
    order = [(spec.first[0] + k) % spec.players for k in range(spec.players)]
    found = []
    for name in dict.fromkeys(names[seat] for seat in order):
        seats = [seat for seat in order if names[seat] == name]
        seat = seats[len(seats) // 2]
        place = places[seat]
        before = order[: order.index(seat)]
        if place == _BIG and len(before) > 1:
            before = [other for other in before if places[other] != _SMALL]
        for raiser in (None, *before[-1:]):
            if raiser is None and place == _BIG:
                continue  # who is left alone has nothing to decide
            with NotLearning(session):
                play = MadeUpHand(session, spec, names_around(player, seat, spec), ())
                while play.seat != seat:
                    if play.seat == raiser:
                        play.act(Act.RAISE, to=open_to(spec, open_size))
                    else:
                        play.act(Act.FOLD)
                situation = play.situation()
                expected = session.expect(situation)
            found.append(
                PreflopTendency(
                    name,
                    None if raiser is None else names[raiser],
                    np.array(expected.predicted),
                    getattr(expected, "others", None),
                    np.array(expected.triples),
                )
            )
    return found


def postflop_tendencies(
    session: OpponentModeler,
    player: str,
    spec: GameSpec,
    *,
    open_size: float | None = None,
    boards: int = BOARDS,
    rng: RandomLike = 1,
) -> list[PostflopTendency]:
    """Ask a session what a player does after the flop with holdings of each strength.

    The pot is played by two: the button raises before the flop and the big blind calls. In each round the big blind
    checks, the button bets, half the pot where bets have sizes, and the big blind calls. The player is asked what they
    do in place of the bets, as the one on the button, and in place of the calls, as the one in the big blind.

    Parameters
    ----------
    session, player, spec
        As `preflop_tendencies`.
    open_size : float, optional
        Big blinds that the first raise goes to, where bets have sizes. Default: 2.5. It is smaller where the stacks
        would not last until the river.
    boards : int
        Number of boards that are dealt.
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Deals them.

    Returns
    -------
    list of PostflopTendency
        By round, first of the bets, then of the calls: means over the boards, and over what the player can hold there.

    Raises
    ------
    ValueError
        If the reader does not read the game, there are no boards, or stacks do not last for the least raise and bets.
    """
    check_least("boards", boards, 1)
    dealer = np.random.default_rng(as_seed_sequence(rng))
    dealt = [tuple(dealer.choice(52, 5, replace=False).tolist()) for _ in range(boards)]
    mass = np.zeros((2, 3, len(STRENGTHS), 3))
    to = open_to(spec, open_size, bets=2)  # of flop and turn, so that the river has a decision
    for board in dealt:
        for facing in (False, True):
            with NotLearning(session):
                for street, weights, triples in _line(session, player, spec, board, facing, to):
                    strengths = shared_analysis(board[: BOARD_CARDS[street]]).strengths()
                    held = weights > 0
                    of = np.minimum((strengths[held] * len(STRENGTHS)).astype(np.intp), len(STRENGTHS) - 1)
                    done = weights[held, None] / weights.sum() * triples[held]
                    np.add.at(mass[int(facing), street - 1], of, done)
    found = []
    for street in (1, 2, 3):
        for facing in (False, True):
            here = mass[int(facing), street - 1]
            shares = here.sum(axis=1)
            with np.errstate(invalid="ignore"):
                chances = here / shares[:, None]
            total = shares.sum()
            found.append(PostflopTendency(street, facing, here.sum(axis=0) / total, shares / total, chances))
    return found


def _line(
    session: OpponentModeler, player: str, spec: GameSpec, board: tuple[int, ...], facing: bool, to: int
) -> Iterator[tuple[int, Floats, Floats]]:
    """Play a hand, and yield for each round after the flop weights and triples of the player."""
    places = positions(spec)
    big = places.index(_BIG)
    button = places.index(_BUTTON) if _BUTTON in places else 1 - big
    own = big if facing else button
    play = MadeUpHand(session, spec, names_around(player, own, spec), board)
    while play.situation().round == 0:
        if play.seat == button:
            play.act(Act.RAISE, to=to)
        else:
            play.act(Act.CALL if play.seat == big else Act.FOLD)
    for street in (1, 2, 3):
        play.act(Act.CALL)
        for bets in (True, False):
            if play.seat == own:
                situation = play.situation()
                spot = session.spot(situation)
                yield street, spot.weights, np.array(session.reader.expected(spot).triples)
            play.act(Act.RAISE if bets else Act.CALL, of_pot=0.5)
            if street == 3 and bets is False:
                return


class NotLearning:
    """While it lasts, a session learns nothing."""

    def __init__(self, session: OpponentModeler) -> None:
        self._session, self._before = session, session.learning

    def __enter__(self) -> None:
        self._session.learning = False

    def __exit__(self, *error: object) -> None:
        self._session.learning = self._before
