"""Solutions: strategies of both players, what every act is worth, and how far that may be off."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.solver import BEST, LEARN, PLAY, SubgameSolver
from pokermodel._support.arrays import Floats
from pokermodel._support.files import write_bytes
from pokermodel._support.forms import form_of
from pokermodel._support.frames import to_frame
from pokermodel._support.saved import read_saved
from pokermodel.cards import N_HOLDINGS, CardsLike, card_indices, cards_text, holding_index, holding_text
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.menu import PLAYERS
from pokermodel.solving.played import PlayedNode
from pokermodel.solving.subgame import Subgame
from pokermodel.solving.tree import CARDS_OF, ROOT, NodeAct, Place, Tree, renamed_holdings
from pokermodel.weights import WeightTable

__all__ = ["BestResponse", "Check", "NodeValues", "Solution"]

_FORMAT = "pokermodel solution"
_VERSION = 1
_CARDS = 52
_BOARDS = 32  # that a reader is asked about at once


class Check(NamedTuple):
    """How far a solution had come when it was checked."""

    iterations: int
    exploitability: float  #: in per cent of the pot at the root
    seconds: float


class BestResponse(NamedTuple):
    """The best answer to the opponent's strategy."""

    value: float  #: what the player gets back of the pot by it
    of_holdings: Floats  #: with each holding, (1326,); nan where it is not possible


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """What a node is worth to a player, in chips that they get back from the node on.

    A fold is worth 0. Holdings that are not in the range or that cannot be held are nan, and so is everything at a node
    that the opponent never reaches.

    Attributes
    ----------
    node : str
    player : int
        0 out of position, 1 in position.
    acts : tuple of NodeAct
        What the player can do; empty where the opponent acts.
    of_acts : ndarray of float64, shape (1326, acts)
        With the strategy after them.
    best_of_acts : ndarray of float64, shape (1326, acts)
        With the best response after them. A strategy is hardly solved where the player hardly ever comes with a
        holding: what such an act is worth to somebody who plays well afterwards is said by these.
    of_holdings : ndarray of float64, shape (1326,)
        By the strategy.
    gap : ndarray of float64, shape (1326,)
        How much more the best response is worth from the node on: so far the solution may be off.
    frequencies : ndarray of float64, shape (acts,)
        How often each act is taken.
    act_means : ndarray of float64, shape (acts,)
        What each act is worth to those who take it; nan where nobody does.
    mean, mean_gap : float
        Of the range as it comes to the node.
    """

    node: str
    player: int
    acts: tuple[NodeAct, ...]
    of_acts: Floats
    best_of_acts: Floats
    of_holdings: Floats
    gap: Floats
    frequencies: Floats
    act_means: Floats
    mean: float
    mean_gap: float


class _Threads:
    """Walks that share the boards of the first deal among threads."""

    def __init__(self, solver: SubgameSolver, threads: int) -> None:
        self._solver = solver
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def walk(self, mode: int, own: int, **more: Any) -> Floats:
        """The values of the root by one walk."""
        self._solver.begin(mode, own, **more)
        if self._pool is None:
            self._solver.share(0, 1)
        else:
            shares = [self._pool.submit(self._solver.share, thread, self._threads) for thread in range(self._threads)]
            try:
                for share in shares:
                    share.result()
            finally:
                wait(shares)  # an interrupt leaves no thread that still writes
        return self._solver.end()

    def learn(self, iterations: int) -> None:
        """Learn so many iterations."""
        if self._pool is None:
            self._solver.learn(iterations)
            return
        for _ in range(iterations):
            for own in range(2):
                self.walk(LEARN, own)
            self._solver.learnt()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


class Solution:
    """Strategies of both players in a subgame.

    Made by `solve`, or read by `load`. The strategies are averages over all iterations, which is what approaches an
    equilibrium.

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
    subgame : Subgame
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
        self._threads = _Threads(self._solver, threads)
        self.tree = Tree(subgame, self._solver)
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
        self._set_locks(subgame.locks)

    def _set_locks(self, locks: Iterable[Lock]) -> None:
        rows: dict[tuple[int, int], tuple[int, int, Floats, float]] = {}
        of_boards: dict[int, tuple[Lock, BoardStrategy]] = {}
        for lock in locks:
            if not self._takes_boards(lock, of_boards):
                for node, board, model in self._models(lock):
                    rows[node, board] = (node, board, model, lock.confidence)
        boards: Any = self._solver.size["boards"]
        room = sum(boards[int(self.tree.street[node])] for node in of_boards)
        self._solver.lock([row for row in rows.values() if row[3] > 0], room)
        for group in _by_source(of_boards, self.tree.street):
            confidences = {node: lock.confidence for node, (lock, _) in group.items()}
            if not any(confidences.values()):
                continue
            for number, nodes, (of, found) in self._on_boards(group):
                # a lock that is given for one node goes before a reader's
                each = [0.0 if (node, number) in rows else confidence for node, confidence in confidences.items()]
                self._solver.lock_classes(number, nodes, np.array(each, dtype=np.float32), of, found)

    # -- learning ----------------------------------------------------------------------------------

    @property
    def iterations(self) -> int:
        """Iterations that the strategies are an average of."""
        return self._solver.iterations

    @property
    def seconds(self) -> float:
        """What it took, by the clock."""
        return self.checks[-1].seconds if self.checks else 0.0

    def learn(self, iterations: int) -> None:
        """Go on for so many iterations, without a check."""
        self._threads.learn(iterations)

    def measure(self) -> float:
        """The exploitability as it is now, in per cent of the pot at the root.

        It is what both players could gain by their best responses, halved. With locks it is that of the game in which
        players do what is locked. With rake it is net of rake: the game is then not one of zero sum.
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
        return float(self._threads.walk(mode, player, **more) @ self._weights[player]) / self._pairs

    # -- values ------------------------------------------------------------------------------------

    def _money(self, chips: Any) -> Any:
        return chips * self.subgame.unit

    def value(self, player: int, *, against: Solution | None = None) -> float:
        """What a player gets back of the pot on average, from the root on.

        Parameters
        ----------
        player : int
            0 out of position, 1 in position.
        against : Solution, optional
            Of the same tree and ranges: the opponent plays its strategy instead.

        Returns
        -------
        float
            Of both players it adds up to the pot less rake.

        Raises
        ------
        ValueError
            If the other solution is of another tree.
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

        Returns
        -------
        BestResponse
        """
        values = self._threads.walk(BEST, player, locked=locked)
        mean = float(values @ self._weights[player]) / self._pairs
        masses = self._masses(player, self._weights[1 - player], ())
        of_holdings = np.full(N_HOLDINGS, np.nan)
        mine = self._holdings[player]
        with np.errstate(invalid="ignore", divide="ignore"):
            of_holdings[mine] = np.where(masses[mine] > 1e-9, values / masses[mine] + self._pot / 2, np.nan)
        return BestResponse(float(self._money(mean + self._pot / 2)), self._money(of_holdings))

    def worst_case(self, player: int) -> float:
        """What a player gets back of the pot if the opponent knows their strategy and answers in the best way.

        The opponent keeps to no lock. With rake it is what the opponent leaves of the pot, before rake.
        """
        return self.subgame.pot - self.best_response(1 - player).value

    def _masses(self, player: int, reach: Floats, cards: Sequence[int]) -> Floats:
        """What the opponent can hold beside each holding: their reach, which is by place; (1326,)."""
        weights = np.zeros(N_HOLDINGS)
        weights[self._holdings[1 - player]] = reach
        return self.beside(weights, cards)

    def _known_cards(self, place: Place) -> list[int]:
        """The cards that were dealt, as they are called on the board that is solved."""
        return [(card & ~3) | place.suits[card & 3] for card in place.cards]

    def _spread(self, place: Place, player: int, values: Floats) -> Floats:
        """Values by place on the board that is solved, made values by holding: (1326, ...)."""
        places = self._place_of[player][renamed_holdings(place.suits)]
        found = np.full((N_HOLDINGS, *values.shape[1:]), np.nan)
        possible = (places >= 0) & ~np.isin(CARDS_OF, place.cards).any(axis=1)
        found[possible] = values[places[possible]]
        return found

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

    def reach(self, node: str, player: int) -> Floats:
        """The weights of a player as they come to a node, of a range that sums to 1 at the root: float64 (1326,)."""
        place = self.tree.place(node)
        return np.nan_to_num(self._spread(place, player, self._reach(place, player)))

    @staticmethod
    def beside(weights: Floats, cards: Sequence[int] = ()) -> Floats:
        """How much of some weights of holdings goes with each holding, and with cards: float64 (1326,)."""
        weights = np.where(np.isin(CARDS_OF, cards).any(axis=1), 0.0, weights) if len(cards) else weights
        by_card = np.bincount(CARDS_OF.ravel(), np.repeat(weights, 2), minlength=_CARDS)
        found: Floats = weights.sum() - by_card[CARDS_OF].sum(axis=1) + weights
        return np.where(found > 1e-7 * max(weights.sum(), 1e-30), found, 0.0)

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
        """What the player who acts at a node can do."""
        return self.tree.acts(self.tree.place(node).node)

    def player(self, node: str = ROOT) -> int:
        """Who acts at a node: 0 out of position, 1 in position."""
        return int(self.tree.player[self.tree.place(node).node])

    def strategy(self, node: str = ROOT) -> Floats:
        """What the player who acts at a node does with each holding.

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
            If there is no such node, or nobody acts there.
        """
        place = self.tree.place(node)
        return self._spread(place, int(self.tree.player[place.node]), self._solver.average(place.node, place.board).T)

    def range(self, node: str, player: int) -> WeightTable:
        """The range of a player as it comes to a node, by their weights and what they did.

        The node may be a deal or an end of the hand, too.
        """
        place = self.tree.find(node)
        weights = np.nan_to_num(self._spread(place, player, self._reach(place, player)))
        return WeightTable(weights, {*self.subgame.cards, *place.cards})

    def ev(self, node: str = ROOT, player: int | None = None, *, factors: Floats | None = None) -> NodeValues:
        """What a node and its acts are worth with each holding.

        Parameters
        ----------
        node : str
        player : int, optional
            Default: who acts.
        factors : ndarray of float64, shape (1326,), optional
            By which the weights of the opponent's holdings are multiplied as they come to the node: what the strategies
            that were found are worth against a range that is somewhat another.

        Returns
        -------
        NodeValues

        Raises
        ------
        ValueError
            If there is no such node, or nobody acts there.
        """
        place = self.tree.place(node)
        actor = int(self.tree.player[place.node])
        player = actor if player is None else player
        acts = self.tree.acts(place.node) if player == actor else ()
        theirs = self._reach(place, 1 - player)
        if factors is not None:
            renamed = np.empty(N_HOLDINGS)
            renamed[renamed_holdings(place.suits)] = factors
            theirs = theirs * renamed[self._holdings[1 - player]]
        own = self._reach(place, player)
        known = self._known_cards(place)
        masses = self._masses(player, theirs, known)[self._holdings[player]]
        dealt = np.prod([1.0 / (_CARDS - 4 - len(self.subgame.cards) - k) for k in range(len(place.cards))])
        dealt *= np.prod(self._deals[list(known)]) if known else 1.0
        dealt *= self.subgame.again if len(known) > 1 else 1.0
        put = float(self.tree.put[place.node, player])
        played, best = (
            self._solver.values(place.node, place.board, mode, player, np.ascontiguousarray(theirs))
            for mode in (PLAY, BEST)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.where(masses > 0, 1.0 / (masses * dealt), np.nan)
        worth, answered = (self._money(each * scale + self._pot / 2 + put) for each in (played, best))
        gap = answered[0] - worth[0]
        weights = own * masses
        total = float(weights.sum())
        strategy = self._average(place.node, place.board) if acts else np.zeros((len(own), 0))
        taken = strategy * weights[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nansum(taken * worth[1:].T[:, : len(acts)], axis=0) / np.where(
                taken.sum(axis=0) > 1e-12 * max(total, 1e-300), taken.sum(axis=0), np.nan
            )
            frequencies = taken.sum(axis=0) / total if total else np.full(len(acts), np.nan)
        return NodeValues(
            place.name,
            player,
            acts,
            self._spread(place, player, worth[1 : 1 + len(acts)].T),
            self._spread(place, player, answered[1 : 1 + len(acts)].T),
            self._spread(place, player, worth[0]),
            self._spread(place, player, gap),
            frequencies,
            means,
            float(np.nansum(weights * worth[0]) / total) if total else float("nan"),
            float(np.nansum(weights * gap) / total) if total else float("nan"),
        )

    def row(self, holding: CardsLike, node: str = ROOT) -> dict[str, Any]:
        """What one holding does at a node, and what that is worth: as data for JSON.

        Parameters
        ----------
        holding : cards
            Two cards of the player who acts.
        node : str

        Returns
        -------
        dict
            ``node``, ``player`` (0 out of position), ``holding``, ``ev``, ``gap`` (how far it may be off), and
            ``acts``: for each ``act``, ``to``, ``part`` (of the child's name), ``frequency`` and ``ev`` with the
            holding, ``range_frequency`` and ``range_ev`` of the range as it comes to the node. What is not
            known is None: all with a holding that never comes to the node, and the worth of what nobody does.

        Raises
        ------
        ValueError
            If there is no such node, nobody acts there, or the holding is not in the range.
        """
        index = holding_index(holding)
        values = self.ev(node)
        if not self.subgame.ranges[values.player].values[index] > 0 or np.isnan(values.of_holdings[index]):
            raise ValueError(f"{holding_text(index)} is not in the range of the player who acts at {values.node}")
        strategy = self.strategy(node)[index]
        acts = [
            {
                "act": act.name,
                "to": act.to,
                "part": act.part,
                "frequency": _known(strategy[a]),
                "ev": _known(values.of_acts[index, a]),
                "range_frequency": _known(values.frequencies[a]),
                "range_ev": _known(values.act_means[a]),
            }
            for a, act in enumerate(values.acts)
        ]
        return {
            "node": values.node,
            "player": values.player,
            "holding": holding_text(index),
            "ev": _known(values.of_holdings[index]),
            "gap": _known(values.gap[index]),
            "acts": acts,
        }

    def with_strategy(self, strategies: Iterable[Lock]) -> Solution:
        """A copy that plays these strategies at their nodes, whatever their confidence, and else as this one does.

        Parameters
        ----------
        strategies : iterable of Lock

        Returns
        -------
        Solution
            For `value` with ``against=``.
        """
        copy = Solution(self.subgame.with_locks(()), bits=self.bits)
        copy._solver.set_numbers("average", self._solver.numbers("average"))
        copy._solver.iterations = self.iterations
        size: dict[str, Any] = copy._solver.size
        of_boards: dict[int, tuple[Lock, BoardStrategy]] = {}
        plain = []
        for lock in strategies:
            if size["renamings"] > 1 and len(size["boards"]) > 1 and not lock.symmetric:
                raise ValueError(f"the strategy of {lock.node} tells suits apart, which this solution does not")
            if not copy._takes_boards(lock, of_boards):
                plain.append(lock)
        for group in _by_source(of_boards, copy.tree.street):
            for number, nodes, (of, found) in copy._on_boards(group):
                copy._solver.set_classes(number, nodes, of, found)
        for lock in plain:
            # a holding that never came here has no sum that the strategy could scale: the strategy stands for it
            for node, board, model in copy._models(lock):
                copy._solver.set_average(node, board, model)
        return copy

    def _takes_boards(self, lock: Lock, of_boards: dict[int, tuple[Lock, BoardStrategy]]) -> bool:
        """Put a lock by its node, if its strategy depends on the board and is for all cards."""
        if not isinstance(lock.strategy, BoardStrategy) or lock.cards:
            return False
        node = self.tree.number(lock.node)
        lock.strategy.check(lock.node, self.tree.parts(node))
        of_boards[node] = lock, lock.strategy
        return True

    def _on_boards(
        self, of_nodes: dict[int, tuple[Lock, BoardStrategy]]
    ) -> Iterator[tuple[int, NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.float32]]]]:
        """Strategies of some nodes of one street and source on each board: its number, nodes, classes."""
        nodes = np.array(list(of_nodes), dtype=np.int64)
        street = int(self.tree.street[nodes[0]])
        numbers: Any = self._solver.size["boards"]
        source = next(iter(of_nodes.values()))[1].source
        places = [strategy.place for _, strategy in of_nodes.values()]
        for first in range(0, numbers[street], _BOARDS):
            some = range(first, min(first + _BOARDS, numbers[street]))
            boards = [(*self.subgame.cards, *self._solver.board(street, number)[0]) for number in some]
            for number, (of, rows) in zip(some, source.of(places, boards), strict=True):
                yield number, nodes, (of, np.ascontiguousarray(rows, dtype=np.float32))

    def _models(self, lock: Lock) -> Iterator[tuple[int, int, Floats]]:
        """The strategy of a lock on each board that it is for: node, board, and float64 (acts, places)."""
        for place in self.tree.places(lock.node):
            given = lock.probabilities(self.tree.parts(place.node), place.cards)
            mine = self._holdings[int(self.tree.player[place.node])]
            yield place.node, place.board, np.ascontiguousarray(given[mine].T)

    # -- files -------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write it to a file, from which `load` can go on.

        The file is a ZIP archive of arrays in NumPy's format (``.npz``): ``about`` is JSON text with ``format``,
        ``version``, the spot file without ranges and locks, ``bits``, ``iterations``, ``target`` and ``checks``;
        ``ranges`` (2, 1326), ``whole``, if holdings were left out, and ``folded`` (players, 1326) have the weights;
        ``lock_K`` (acts,) or (1326, acts) the strategy of each lock. Where it depends on the board, ``lock_K`` has the
        strategies of classes of holdings instead, board by board and act by act; of the lock's group G ``boards_G`` has
        the cards dealt since the root, ``classes_G`` (boards, 1326) the class of each holding, -1 where it is not
        possible, and ``sizes_G`` how many classes there are. ``regret_S``,
        ``average_S``, ``regret_scale_S`` and ``average_scale_S`` are what was learnt on street S from the root: board
        by board, the decisions of the player out of position first, act by act a number for each holding of who acts,
        in rows that are filled up to a multiple of 16. With 16 bits they are multiplied by the scale of their decision.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        spot = self.subgame.with_locks(())
        told: list[dict[str, Any]] = [{"node": lock.node, "confidence": lock.confidence} for lock in self.subgame.locks]
        kept = self._kept_locks(told)
        about = {
            "format": _FORMAT,
            "version": _VERSION,
            "spot": spot.to_toml(),
            "bits": self.bits,
            "iterations": self.iterations,
            "target": self.target,
            "checks": [list(check) for check in self.checks],
            "locks": told,
            "played": None if self.subgame.played is None else self.subgame.played.to_dict(),
            "dealt": None if self.subgame.dealt is None else cards_text(self.subgame.dealt),
        }
        arrays: dict[str, Any] = {
            "about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
            "ranges": np.array([table.values for table in self.subgame.ranges]),
            "folded": np.array([table.values for table in self.subgame.folded]).reshape(-1, N_HOLDINGS),
        }
        arrays |= kept
        for what in "regret", "average":
            for street, (numbers, scales) in enumerate(self._solver.numbers(what)):
                arrays[f"{what}_{street}"] = numbers
                arrays[f"{what}_scale_{street}"] = scales
        if self.subgame.whole is not None:
            arrays["whole"] = np.array([table.values for table in self.subgame.whole])
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        write_bytes(Path(path), buffer.getvalue())

    def _kept_locks(self, about: list[dict[str, Any]]) -> dict[str, NDArray[Any]]:
        """Arrays of the locks, by name; those whose strategies depend on the board are told apart in `about`."""
        arrays: dict[str, NDArray[Any]] = {}
        for k, lock in enumerate(self.subgame.locks):
            if isinstance(lock.strategy, BoardStrategy) and not lock.cards:
                continue
            place = next(self.tree.places(lock.node))
            given = lock.probabilities(self.tree.parts(place.node), place.cards)
            arrays[f"lock_{k}"] = given[0] if lock.symmetric else given
        for g, group in enumerate(self._groups_of_boards()):
            found = list(self._on_boards({node: (lock, strategy) for node, _, lock, strategy in group}))
            street = int(self.tree.street[group[0][0]])
            arrays[f"boards_{g}"] = np.array(
                [self._solver.board(street, number)[0] for number, _, _ in found], dtype=np.uint8
            )
            arrays[f"classes_{g}"] = np.array([of for _, _, (of, _) in found], dtype=np.int16)
            arrays[f"sizes_{g}"] = np.array([rows.shape[1] for _, _, (_, rows) in found], dtype=np.int32)
            row = 0
            for _, k, _, strategy in group:
                own = slice(row, row := row + len(strategy.parts))
                arrays[f"lock_{k}"] = np.concatenate([rows[own].ravel() for _, _, (_, rows) in found])
                about[k] |= {"of_boards": g, "symmetric": strategy.source.symmetric, "parts": list(strategy.parts)}
        return arrays

    def _groups_of_boards(self) -> list[list[tuple[int, int, Lock, BoardStrategy]]]:
        """Locks whose strategies depend on the board, by source and street: node, place among the locks, lock."""
        found: dict[tuple[int, int, int], list[tuple[int, int, Lock, BoardStrategy]]] = {}
        seen: dict[int, int] = {}
        for k, lock in enumerate(self.subgame.locks):
            if isinstance(lock.strategy, BoardStrategy) and not lock.cards:
                node = self.tree.number(lock.node)
                again = seen[node] = seen.get(node, -1) + 1
                key = id(lock.strategy.source), int(self.tree.street[node]), again
                found.setdefault(key, []).append((node, k, lock, lock.strategy))
        return list(found.values())

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
            subgame = Subgame.from_toml(about["spot"])
            subgame.ranges = (
                WeightTable(arrays["ranges"][0], subgame.cards),
                WeightTable(arrays["ranges"][1], subgame.cards),
            )
            if "folded" in arrays:
                subgame.folded = tuple(WeightTable(values, subgame.cards) for values in arrays["folded"])
            if "whole" in arrays:
                first, second = (WeightTable(values, subgame.cards) for values in arrays["whole"])
                subgame.whole = first, second
            subgame.played = None if about.get("played") is None else PlayedNode.of_dict(about["played"])
            subgame.dealt = None if about.get("dealt") is None else card_indices(about["dealt"])
            subgame.locks = _locks_kept(subgame, about["locks"], arrays)
            found = cls(subgame, bits=about["bits"], jobs=jobs)
            for what in "regret", "average":
                streets = range(len(found._solver.numbers(what)))
                found._solver.set_numbers(what, [(arrays[f"{what}_{s}"], arrays[f"{what}_scale_{s}"]) for s in streets])
            found._solver.iterations = about["iterations"]
            found.target = about["target"]
            found.checks = [Check(int(n), float(e), float(t)) for n, e, t in about["checks"]]
        except KeyError as error:
            raise ValueError(f"{path}: a damaged solution: {error.args[0]} is missing") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: a damaged solution: {error}") from None
        return found

    # -- for people --------------------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """What ``pokermodel solve --json`` prints.

        Returns
        -------
        dict
            ``exploitability`` (per cent of the pot at the root), ``ev`` (what each player gets back of the pot),
            ``iterations``, ``seconds``, ``memory`` (bytes), ``root`` (for each act of the root ``act``, ``to``,
            ``frequency``, and ``ev``, what it is worth to those who take it, None where nobody does), ``target``; with
            locks also ``worst_case``, what is left to each player against an opponent who knows their strategy and
            keeps to no lock.
        """
        values = self.ev(ROOT)
        rows = zip(values.acts, values.frequencies.tolist(), values.act_means.tolist(), strict=True)
        found = {
            "exploitability": self.exploitability,
            "ev": [self.value(player) for player in range(2)],
            "iterations": self.iterations,
            "seconds": self.seconds,
            "memory": self.memory,
            "root": [
                {"act": act.name, "to": act.to, "frequency": share, "ev": None if np.isnan(ev) else ev}
                for act, share, ev in rows
            ],
            "target": self.target,
        }
        if self.subgame.locks:  # what the belief costs each player at worst, if it is wrong
            found["worst_case"] = [self.worst_case(player) for player in range(2)]
        return found

    def to_frame(self, node: str = ROOT, library: str | None = None) -> Any:
        """A node as a data frame, a row for each holding that comes to it.

        Parameters
        ----------
        node : str
        library : {"pandas", "polars"}, optional

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
        rows = [
            {
                "holding": holding_text(int(k)),
                "weight": float(weights[k]),
                **{part: float(strategy[k, a]) for a, part in enumerate(parts)},
                "ev": float(values.of_holdings[k]),
                **{f"ev_{part}": float(values.of_acts[k, a]) for a, part in enumerate(parts)},
                "gap": float(values.gap[k]),
            }
            for k in np.flatnonzero(weights > 0)
        ]
        return to_frame(rows, ["holding", "weight", *parts, "ev", *(f"ev_{part}" for part in parts), "gap"], library)

    def __repr__(self) -> str:
        return f"<Solution of {self.subgame!r}: {self.iterations} iterations, {self.exploitability:.3g} % of the pot>"

    def _repr_html_(self) -> str:
        return str(form_of(self, "html"))


def _known(value: float) -> float | None:
    """A number as JSON has it: None where it is nan."""
    return None if np.isnan(value) else float(value)


class _KeptStrategies:
    """Strategies that were saved, on the boards that were solved."""

    def __init__(self, symmetric: bool, boards: list[tuple[int, ...]], of: NDArray[np.int64]) -> None:
        self.symmetric = symmetric
        self._boards = {board: k for k, board in enumerate(boards)}
        self._of = of
        self._rows: list[list[NDArray[np.float32]]] = []

    def add(self, rows: list[NDArray[np.float32]]) -> int:
        """Add a node, by its rows on each board; returns its place."""
        self._rows.append(rows)
        return len(self._rows) - 1

    def of(
        self, nodes: Sequence[int], boards: Sequence[tuple[int, ...]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Strategies of some nodes on some boards, which were solved."""
        found = []
        for board in boards:
            if board not in self._boards:
                raise ValueError(f"a strategy that was saved is not known on {cards_text(board)}, which was not solved")
            at = self._boards[board]
            found.append((self._of[at], np.concatenate([self._rows[node][at] for node in nodes])))
        return found


def _locks_kept(subgame: Subgame, about: list[dict[str, Any]], arrays: dict[str, NDArray[Any]]) -> tuple[Lock, ...]:
    """Locks of a file."""
    sources: dict[int, _KeptStrategies] = {}
    found = []
    for k, lock in enumerate(about):
        strategy: Any = arrays[f"lock_{k}"]
        if "of_boards" in lock:
            g, parts = int(lock["of_boards"]), tuple(map(str, lock["parts"]))
            if g not in sources:
                boards = [(*subgame.cards, *dealt) for dealt in arrays[f"boards_{g}"].tolist()]
                sources[g] = _KeptStrategies(bool(lock["symmetric"]), boards, arrays[f"classes_{g}"].astype(np.int64))
            ends = np.cumsum(len(parts) * arrays[f"sizes_{g}"])[:-1]
            rows = [each.reshape(len(parts), -1) for each in np.split(strategy, ends)]
            strategy = BoardStrategy(sources[g], sources[g].add(rows), subgame.cards, parts)
        found.append(Lock(lock["node"], strategy, lock["confidence"]))
    return tuple(found)


def _by_source(
    of_boards: dict[int, tuple[Lock, BoardStrategy]], streets: Any
) -> list[dict[int, tuple[Lock, BoardStrategy]]]:
    """Locks whose strategies depend on the board, by source and street."""
    found: dict[tuple[int, int], dict[int, tuple[Lock, BoardStrategy]]] = {}
    for node, each in of_boards.items():
        found.setdefault((id(each[1].source), int(streets[node])), {})[node] = each
    return list(found.values())


def with_confidence(locks: Iterable[Lock], share: float) -> tuple[Lock, ...]:
    """Multiply each confidence by a number; the rest of the locks stays."""
    return tuple(replace(lock, confidence=lock.confidence * share) for lock in locks)


def locked_player(solution: Solution, locks: Iterable[Lock]) -> int:
    """Whose nodes the locks are at.

    Raises
    ------
    ValueError
        If there is none, or they are of both.
    """
    players = {int(solution.tree.player[solution.tree.number(lock.node)]) for lock in locks}
    if len(players) != 1:
        who = " and ".join(PLAYERS[player] for player in sorted(players)) or "nobody"
        raise ValueError(f"a risk is run against one player: the locks are those of {who}")
    return players.pop()
