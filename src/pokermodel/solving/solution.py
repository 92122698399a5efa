"""Solutions: strategies of both players, what every act is worth, and how far that may be off."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

import numpy as np

from pokermodel._core.solver import BEST, PLAY
from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.files import write_bytes
from pokermodel._support.forms import form_of
from pokermodel._support.frames import to_frame
from pokermodel._support.saved import check_finite, read_saved, saved_bytes
from pokermodel.cards import N_HOLDINGS, CardsLike, cards_text, holding_index, holding_text
from pokermodel.solving.lock import Lock
from pokermodel.solving.menu import PLAYERS
from pokermodel.solving.saved_subgame import range_arrays, read_subgame
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import CARDS_OF, ROOT, NodeAct, Place, Tree, renamed_holdings
from pokermodel.solving.tree_locks import TreeLocks
from pokermodel.solving.values import NodeValues, by_holding
from pokermodel.solving.walks import Walks
from pokermodel.weights import WeightTable

__all__ = ["BestResponse", "Check", "NodeValues", "Solution", "mass_beside"]

_P = ParamSpec("_P")
_S = TypeVar("_S", bound="Solution")
_T = TypeVar("_T")
_FORMAT = "pokermodel solution"
_VERSION = 1
_CARDS = 52


def _in_turn(method: Callable[Concatenate[_S, _P], _T]) -> Callable[Concatenate[_S, _P], _T]:
    """Let a method have a solution for itself, so that it is about whole iterations, and the same ones throughout."""

    @wraps(method)
    def alone(self: _S, /, *given: _P.args, **options: _P.kwargs) -> _T:
        with self._solver.turn:
            return method(self, *given, **options)

    return alone


class Check(NamedTuple):
    """How far a solution had come when it was checked."""

    iterations: int
    exploitability: float  #: in per cent of the pot at the root
    seconds: float


class BestResponse(NamedTuple):
    """The best answer to the opponent's strategy."""

    value: float  #: what the player gets back of the pot by it
    of_holdings: Floats  #: with each holding, (1326,); nan where it is not possible


def mass_beside(weights: Floats, cards: Sequence[int] = ()) -> Floats:
    """How much of some weights of holdings goes with each holding, and with cards: float64 (1326,)."""
    weights = np.where(np.isin(CARDS_OF, cards).any(axis=1), 0.0, weights) if len(cards) else weights
    by_card = np.bincount(CARDS_OF.ravel(), np.repeat(weights, 2), minlength=_CARDS)
    found: Floats = weights.sum() - by_card[CARDS_OF].sum(axis=1) + weights
    return np.where(found > 1e-7 * max(weights.sum(), 1e-30), found, 0.0)


class Solution:
    """Strategies of both players in a subgame.

    Made by `solve`, or read by `load`. The strategies are averages over all iterations, which approach an equilibrium.
    Threads may share it: while one learns or walks, the others wait.

    Parameters
    ----------
    subgame : Subgame
        With its locks.
    bits : {32, 16}
        Of the numbers that are kept.
    jobs : int
        Threads; no result depends on them.

    Attributes
    ----------
    target : float
        Exploitability that was aimed at, in per cent of the pot.
    checks : list of Check
    interrupted : bool
        Whether Ctrl-C ended it before the target.
    memory : int
        Bytes of regrets and averages.
    bits : int

    Raises
    ------
    ValueError
        If a lock does not fit the tree, or the tree is too large.
    MemoryError
        If there is no memory.
    """

    def __init__(self, subgame: Subgame, *, bits: int = 32, jobs: int = 1) -> None:
        self.subgame = subgame
        self.target = 0.0
        self.checks: list[Check] = []
        self.interrupted = False
        self.bits = bits
        self._solver = subgame.solver()
        self.memory = self._solver.memory(bits == 16)
        boards: Any = self._solver.size["boards"]
        threads = max(1, min(jobs, boards[1] if len(boards) > 1 else 1))
        self._solver.make(bits == 16, threads)
        self._walks = Walks(self._solver, threads)
        self.tree = Tree(self._solver, *subgame.root)
        self._pot = subgame.chips(subgame.pot)
        self._deals = subgame.deals
        self._holdings = [self._solver.holdings(player) for player in range(2)]
        self._weights = [self._solver.weights(player) for player in range(2)]
        self._place_of = []
        for holdings in self._holdings:
            places = np.full(N_HOLDINGS, -1, dtype=np.intp)
            places[holdings] = np.arange(len(holdings))
            self._place_of.append(places)
        pairs = self._masses(0, self._weights[1], ())[self._holdings[0]] @ self._weights[0]
        if not pairs > 0:
            raise ValueError("no two holdings of the ranges go together: each shares a card with all of the others")
        self._pairs = float(pairs)
        self._locks = TreeLocks(subgame, self.tree, self._solver)
        self._locks.put(subgame.locks)

    # -- learning ----------------------------------------------------------------------------------

    @property
    def iterations(self) -> int:
        """Iterations that the strategies are an average of."""
        return self._solver.iterations

    @property
    def seconds(self) -> float:
        """The time it took, by the clock."""
        return self.checks[-1].seconds if self.checks else 0.0

    def learn(self, iterations: int) -> None:
        """Go on for so many iterations, without a check."""
        self._walks.learn(iterations)

    @_in_turn
    def measure(self) -> float:
        """The exploitability as it is now, in per cent of the pot at the root.

        It is the mean gain of both players by their best responses. With locks it belongs to the game with locked
        actions. With rake it is net of rake, because the game then is not zero-sum.
        """
        gain = sum(self._mean_at_root(BEST, player) for player in range(2))
        if self.subgame.rake:
            gain -= sum(self._mean_at_root(PLAY, player) for player in range(2))
        return 100.0 * gain / 2 / self._pot

    @property
    def exploitability(self) -> float:
        """That of the last check, in per cent of the pot at the root."""
        return self.checks[-1].exploitability if self.checks else self.measure()

    def _mean_at_root(self, mode: int, player: int, **more: Any) -> float:
        """In whole chips, half of the pot being 0."""
        return float(self._walks.walk(mode, player, **more) @ self._weights[player]) / self._pairs

    # -- values ------------------------------------------------------------------------------------

    def _money(self, chips: Any) -> Any:
        return chips * self.subgame.unit

    def value(self, player: int, *, against: Solution | None = None) -> float:
        """A player's mean return from the pot, from the root on; both returns sum to the pot less rake.

        Parameters
        ----------
        player : int
            0 out of position, 1 in position.
        against : Solution, optional
            The opponent plays its strategy instead. `ValueError` if it is of another tree.
        """
        other = None if against is None else against._solver
        return float(self._money(self._mean_at_root(PLAY, player, other=other) + self._pot / 2))

    def best_response(self, player: int, *, locked: bool = False) -> BestResponse:
        """The best that a player can do against the opponent's strategy.

        Parameters
        ----------
        player : int
            0 out of position, 1 in position.
        locked : bool
            Whether they keep to their own locks.
        """
        values = self._walks.walk(BEST, player, locked=locked)
        mean = float(values @ self._weights[player]) / self._pairs
        masses = self._masses(player, self._weights[1 - player], ())
        of_holdings = np.full(N_HOLDINGS, np.nan)
        mine = self._holdings[player]
        with np.errstate(invalid="ignore", divide="ignore"):
            of_holdings[mine] = np.where(masses[mine] > 1e-9, values / masses[mine] + self._pot / 2, np.nan)
        return BestResponse(float(self._money(mean + self._pot / 2)), self._money(of_holdings))

    def worst_case(self, player: int) -> float:
        """A player's return from the pot against the best response to their strategy.

        The opponent ignores locks. With rake it is the part of the pot that the opponent leaves, before rake.
        """
        return self.subgame.pot - self.best_response(1 - player).value

    def _masses(self, player: int, reach: Floats, cards: Sequence[int]) -> Floats:
        """What the opponent can hold beside each holding: their reach, which is by place; (1326,)."""
        weights = np.zeros(N_HOLDINGS)
        weights[self._holdings[1 - player]] = reach
        return mass_beside(weights, cards)

    def _known_cards(self, place: Place) -> list[int]:
        """The cards that were dealt, as they are called on the board that is solved."""
        return [(card & ~3) | place.suits[card & 3] for card in place.cards]

    def _places(self, place: Place, player: int) -> Integers:
        """The place of each holding on the board that is solved: int (1326,), -1 where it is not possible."""
        places = self._place_of[player][renamed_holdings(place.suits)]
        places[np.isin(CARDS_OF, place.cards).any(axis=1)] = -1
        return places

    def _spread(self, place: Place, player: int, values: Floats) -> Floats:
        """Values by place on the board that is solved, made values by holding: (1326, ...)."""
        return by_holding(values, self._places(place, player))

    def _average(self, node: int, board: int) -> Floats:
        """The strategy of a node, (places, acts); alike where it was never reached."""
        strategy = self._solver.average(node, board).T
        return np.where(np.isnan(strategy), 1.0 / strategy.shape[1], strategy)

    def _reach(self, place: Place, player: int) -> Floats:
        reach = self._weights[player].copy()
        for node, board, act in self.tree.path(place):
            if self.tree.player[node] == player:
                reach *= self._average(node, board)[:, act]
        reach[np.isin(CARDS_OF[self._holdings[player]], self._known_cards(place)).any(axis=1)] = 0.0
        return reach

    @_in_turn
    def reach(self, node: str, player: int) -> Floats:
        """The weights of a player as they come to a node, of a range that sums to 1 at the root: float64 (1326,)."""
        place = self.tree.place(node)
        return np.nan_to_num(self._spread(place, player, self._reach(place, player)))

    def on_board(self, node: int, board: int) -> Floats:
        """The strategy of a decision on a board that is solved: (1326, acts), alike where it is not known."""
        average = self._average(node, board)
        found = np.full((N_HOLDINGS, average.shape[1]), 1.0 / average.shape[1])
        found[self._holdings[int(self.tree.player[node])]] = average
        return found

    def deals_of(self, street: int, board: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Of each card that is dealt on a board: the board that is solved for it, the card, and suits' other names."""
        for child in self._solver.children(street, board):
            for card, suits in self._solver.board(street + 1, child)[2]:
                yield child, card, suits

    def acts(self, node: str = ROOT) -> tuple[NodeAct, ...]:
        """The actions of the player who acts at a node."""
        return self.tree.acts(self.tree.place(node).node)

    def player(self, node: str = ROOT) -> int:
        """Who acts at a node: 0 out of position, 1 in position."""
        return int(self.tree.player[self.tree.place(node).node])

    @_in_turn
    def strategy(self, node: str = ROOT) -> Floats:
        """The strategy of the player who acts at a node with each holding.

        Parameters
        ----------
        node : str
            As ``"r:0:c:b100"``: see `pokermodel.solving.tree`.

        Returns
        -------
        ndarray of float64, shape (1326, acts)
            Probabilities; nan where a holding is not in the range, cannot be held, or never came to the node.

        Raises
        ------
        ValueError
            If there is no such node, or it has no player to act.
        """
        place = self.tree.place(node)
        return self._spread(place, int(self.tree.player[place.node]), self._solver.average(place.node, place.board).T)

    @_in_turn
    def range(self, node: str, player: int) -> WeightTable:
        """The range of a player that reaches a node, by their weights and actions.

        The node may be a deal or an end of the hand, too.
        """
        place = self.tree.find(node)
        weights = np.nan_to_num(self._spread(place, player, self._reach(place, player)))
        return WeightTable(weights, {*self.subgame.cards, *place.cards})

    @_in_turn
    def ev(self, node: str = ROOT, player: int | None = None, *, factors: Floats | None = None) -> NodeValues:
        """The value of a node and its acts with each holding.

        Parameters
        ----------
        player : int, optional
            Default: who acts.
        factors : ndarray of float64, shape (1326,), optional
            By which the weights of the opponent's holdings are multiplied as they come to the node: what the strategies
            that were found are worth against a range that is somewhat another.

        Raises
        ------
        ValueError
            If there is no such node, or it has no player to act.
        """
        place = self.tree.place(node)
        actor = int(self.tree.player[place.node])
        player = actor if player is None else player
        theirs = self._reach(place, 1 - player)
        if factors is not None:
            renamed = np.empty(N_HOLDINGS)
            renamed[renamed_holdings(place.suits)] = factors
            theirs = theirs * renamed[self._holdings[1 - player]]
        own = self._reach(place, player)
        masses = self._masses(player, theirs, self._known_cards(place))[self._holdings[player]]
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.where(masses > 0, 1.0 / (masses * self._dealt_share(place)), np.nan)
        put = float(self.tree.put[place.node, player])
        worth, answered = (
            self._money(
                self._solver.values(place.node, place.board, mode, player, np.ascontiguousarray(theirs)) * scale
                + self._pot / 2
                + put
            )
            for mode in (PLAY, BEST)
        )
        acts = self.tree.acts(place.node) if player == actor else ()
        strategy = self._average(place.node, place.board) if acts else np.zeros((len(own), 0))
        places = self._places(place, player)
        return NodeValues.of(place.name, player, acts, (worth, answered), strategy, own * masses, places)

    def _dealt_share(self, place: Place) -> float:
        """The share of deals that the solver weighs a place's cards with."""
        known = self._known_cards(place)
        found = np.prod([1.0 / (_CARDS - 4 - len(self.subgame.cards) - k) for k in range(len(known))])
        found *= np.prod(self._deals[known]) if known else 1.0
        return float(found * self.subgame.again) if len(known) > 1 else float(found)

    @_in_turn
    def row(self, holding: CardsLike, node: str = ROOT) -> dict[str, Any]:
        """The strategy and the values of one holding of the player to act at a node: as data for JSON.

        Returns
        -------
        dict
            ``node``, ``player`` (0 out of position), ``holding``, ``ev``, ``gap`` (the bound of its error), and
            ``acts``: for each ``act``, ``to``, ``part`` (of the child's name), ``frequency`` and ``ev`` with the
            holding, ``range_frequency`` and ``range_ev`` of the range as it comes to the node. Unknown values are None:
            all for a holding that never reaches the node, and the value of an action that is never taken.

        Raises
        ------
        ValueError
            If there is no such node, it has no player to act, or the holding is not in the range.
        """
        index = holding_index(holding)
        values = self.ev(node)
        if not self.subgame.ranges[values.player].values[index] > 0 or np.isnan(values.of_holdings[index]):
            raise ValueError(f"{holding_text(index)} is not in the range of the player who acts at {values.node}")
        return values.row(index, self.strategy(node)[index])

    @_in_turn
    def with_strategy(self, strategies: Iterable[Lock]) -> Solution:
        """A copy that plays these strategies at their nodes, at any confidence, and elsewhere as this one does.

        It is for `value` with ``against=``. `ValueError` if a strategy tells suits apart, and this solution does not.
        """
        copy = Solution(self.subgame.with_locks(()), bits=self.bits)
        copy._solver.set_numbers("average", self._solver.numbers("average"))
        copy._solver.iterations = self.iterations
        copy._locks.play(strategies)
        return copy

    # -- files -------------------------------------------------------------------------------------

    @_in_turn
    def save(self, path: str | Path) -> None:
        """Write it to a file, from which `load` can go on.

        The file is a ZIP archive of arrays in NumPy's format (``.npz``): ``about`` is JSON text with ``format``,
        ``version``, the spot file without ranges and locks, ``bits``, ``iterations``, ``target``, ``checks``, and
        ``digest``, that of all the rest; ``ranges`` (2, 1326), ``whole``, if holdings were left out, and ``folded``
        (players, 1326) have the weights; ``lock_K`` (acts,) or (1326, acts) the strategy of each lock. Where it depends
        on the board, ``lock_K`` has the strategies of classes of holdings instead, board by board and act by act; of
        the lock's group G ``boards_G`` has the cards dealt since the root, ``classes_G`` (boards, 1326) the class of
        each holding, -1 where it is not possible, and ``sizes_G`` how many classes there are. ``regret_S``,
        ``average_S``, ``regret_scale_S`` and ``average_scale_S`` have the regrets and averages of street S from the
        root: board by board, the decisions of the player out of position first, action by action a number for each
        holding of the player to act, in rows padded to a multiple of 16. With 16 bits they are multiplied by the scale
        of their decision.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        subgame = self.subgame
        locks, lock_arrays = self._locks.saved()
        about = {
            "format": _FORMAT,
            "version": _VERSION,
            "spot": subgame.with_locks(()).to_toml(),
            "bits": self.bits,
            "iterations": self.iterations,
            "target": self.target,
            "checks": [list(check) for check in self.checks],
            "locks": locks,
            "played": None if subgame.played is None else subgame.played.to_dict(),
            "dealt": None if subgame.dealt is None else cards_text(subgame.dealt),
        }
        arrays: dict[str, Any] = {**range_arrays(subgame), **lock_arrays}
        for what in "regret", "average":
            for street, (numbers, scales) in enumerate(self._solver.numbers(what)):
                arrays[f"{what}_{street}"] = numbers
                arrays[f"{what}_scale_{street}"] = scales
        if subgame.whole is not None:
            arrays["whole"] = np.array([table.values for table in subgame.whole])
        write_bytes(Path(path), saved_bytes(about, arrays))

    @classmethod
    def load(cls, path: str | Path, *, jobs: int = 1) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ValueError
            If it is no such file, or one of another version.
        OSError
            If the file cannot be read.
        """
        arrays, about = read_saved(Path(path), "solution", _FORMAT, _VERSION)
        try:
            numbers = about["iterations"], about["target"], *(number for check in about["checks"] for number in check)
            if about["bits"] not in (16, 32) or not all(0 <= number < math.inf for number in numbers):
                raise ValueError("bits must be 16 or 32, and iterations, target and checks finite and at least 0")
            for name, array in arrays.items():
                check_finite(name, array, **({"least": 0.0} if name.startswith(("average", "regret_scale")) else {}))
            found = cls(read_subgame(about, arrays), bits=about["bits"], jobs=jobs)
            for what in "regret", "average":
                streets = range(len(found._solver.numbers(what)))
                found._solver.set_numbers(what, [(arrays[f"{what}_{s}"], arrays[f"{what}_scale_{s}"]) for s in streets])
            found._solver.iterations = about["iterations"]
            found.target = about["target"]
            found.checks = [Check(int(n), float(e), float(t)) for n, e, t in about["checks"]]
        except KeyError as error:
            raise ValueError(f"{path}: a damaged solution: {error.args[0]} is missing") from None
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            raise ValueError(f"{path}: a damaged solution: {error}") from None
        return found

    # -- for people --------------------------------------------------------------------------------

    @_in_turn
    def summary(self) -> dict[str, Any]:
        """The output of ``pokermodel solve --json``.

        Returns
        -------
        dict
            ``exploitability`` (per cent of the pot at the root), ``ev`` (each player's return from the pot),
            ``iterations``, ``seconds``, ``memory`` (bytes), ``root`` (for each act of the root ``act``, ``to``,
            ``frequency``, and ``ev``, its mean value for the holdings that take it, or None), ``target``; with locks
            also ``worst_case``, each player's return against an opponent who knows their strategy and keeps no lock.
        """
        found = {
            "exploitability": self.exploitability,
            "ev": [self.value(player) for player in range(2)],
            "iterations": self.iterations,
            "seconds": self.seconds,
            "memory": self.memory,
            "root": self.ev(ROOT).shares(),
            "target": self.target,
        }
        if self.subgame.locks:  # what the belief costs each player at worst, if it is wrong
            found["worst_case"] = [self.worst_case(player) for player in range(2)]
        return found

    @_in_turn
    def to_frame(self, node: str = ROOT, library: str | None = None) -> Any:
        """A node as a data frame of pandas or polars, a row for each holding that comes to it.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns ``holding``, ``weight`` (of the range as it comes to the node), the probability of each act by its
            part of the node's name, ``ev``, ``ev_`` with each act, and ``gap``.
        """
        values = self.ev(node)
        strategy = self.strategy(node)
        weights = self.range(node, values.player).values
        parts = [act.part for act in values.acts]
        rows = [values.figures(int(k), float(weights[k]), strategy[k]) for k in np.flatnonzero(weights > 0)]
        return to_frame(rows, ["holding", "weight", *parts, "ev", *(f"ev_{part}" for part in parts), "gap"], library)

    def __repr__(self) -> str:
        return f"<Solution of {self.subgame!r}: {self.iterations} iterations, {self.exploitability:.3g}% of the pot>"

    def _repr_html_(self) -> str:
        return str(form_of(self, "html"))


def with_confidence(locks: Iterable[Lock], share: float) -> tuple[Lock, ...]:
    """Multiply each confidence by a number; the rest of the locks stays."""
    return tuple(replace(lock, confidence=lock.confidence * share) for lock in locks)


def locked_player(solution: Solution, locks: Iterable[Lock]) -> int:
    """Whose nodes the locks are at; raises `ValueError` if there is none, or they are of both."""
    players = {int(solution.tree.player[solution.tree.number(lock.node)]) for lock in locks}
    if len(players) != 1:
        who = " and ".join(PLAYERS[player] for player in sorted(players)) or "nobody"
        raise ValueError(f"a risk is run against one player: the locks are those of {who}")
    return players.pop()
