"""Blueprints: strategies for a whole game between two, learnt over buckets of holdings.

What is learnt and how stands in ``pokermodel/solving/blueprint.h``: buckets by the moments of a holding's strength, and
counterfactual regret minimisation by drawn boards and drawn lines of the opponent. Here are the game, the rounds of
learning, what is kept of it, and what is asked of it.

Learning goes in rounds. In each, a fixed number of shards begin with the same regrets and learn for themselves from
boards of their own; what they learnt is added up in the order of the shards, and weighs less the longer ago it was:
regrets linearly, as in Brown and Sandholm 2019, and averages by the square of the round. A shard depends on its number
and on the round alone, so that the same seed gives the same bytes with any number of workers, and a build that was
interrupted goes on from its last round as if nothing had happened.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from pokermodel._core.blueprint import GameTree, flop_moments, nested_buckets, river_buckets, train, turn_moments
from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_least
from pokermodel._support.files import cache_folder, write_bytes
from pokermodel._support.saved import check_finite, read_saved, saved_bytes
from pokermodel.cards import CLASS_OF_HOLDING, N_HOLDINGS, CardsLike, card_indices, shared_live_holdings
from pokermodel.evaluation.shares import suit_orders
from pokermodel.executors import Executor, Threads
from pokermodel.game import Act, BettingStructure, GameSpec
from pokermodel.journal import check_same_run
from pokermodel.solving.menu import read_size
from pokermodel.solving.tree import CARDS_OF

__all__ = ["Blueprint", "BlueprintGame", "Build", "blueprint_path", "fitting_blueprints"]

_FORMAT = "pokermodel blueprint"
_VERSION = 1
_DECISION, _DEAL = 0, 1
_SHARDS = 4
_FLOPS_FITTED = 120  # flops whose holdings the borders of buckets are quantiles of
_TURNS_FITTED = 3  # of each
_BOARDS = 24  # of a flop: a flop costs as much as some six boards
_CLASSES = np.ascontiguousarray(CLASS_OF_HOLDING, dtype=np.uint8)
_LATER = 2  # power of the number of a round by which averages weigh it; regrets are linear
_KEPT_EVERY = 5  # rounds after which the file to go on from is written
_FULL = 255  # what the probabilities of a distribution are multiples of one of
_KEPT = 64  # flops and turns whose moments are kept, 21 kB each
_NO_CAP = 100
_LEAST_STACK, _MOST_STACK = 1.5, 1000.0
#: Bets and raises by round.
_NO_LIMIT_MENU = (
    (("50%", "100%", "all-in"), ("100%", "all-in")),
    (("50%", "100%", "all-in"), ("100%", "all-in")),
    (("75%", "all-in"), ("all-in",)),
    (("75%", "all-in"), ("all-in",)),
)


@dataclass(frozen=True, slots=True)
class BlueprintGame:
    """A game between two that a blueprint is for, in its own chips; seat 0 has the button.

    Attributes
    ----------
    structure : str
    blinds : tuple of int
        Blinds of the button and of the other player.
    bets : tuple of int
        The bet of each round in limit, else the least bet.
    max_raises : tuple of int
    stack : int
        Chips of both before the blinds.
    menu : tuple
        By round, sizes of bets and of raises as ``(kind, share)``; empty in limit. Before the flop the first raise is a
        bet, since the round begins with the blinds.
    all_in_share : float
        A bet that leaves at most this share of the pot after a call is all-in.
    """

    structure: str
    blinds: tuple[int, int]
    bets: tuple[int, ...]
    max_raises: tuple[int, ...]
    stack: int
    menu: tuple[tuple[tuple[tuple[str, float], ...], tuple[tuple[str, float], ...]], ...] = (((), ()),) * 4
    all_in_share: float = 0.2

    @classmethod
    def limit(cls) -> Self:
        """Heads-up limit: blinds of half a small bet and one, four bets a round."""
        return cls("limit", (1, 2), (2, 2, 4, 4), (3, 4, 4, 4), 2 * 24)

    @classmethod
    def no_limit(cls, stack: float) -> Self:
        """Heads-up no limit with stacks of so many big blinds.

        Two or three sizes and all-in before the flop and on it. Turn and river have one size and all-in: they serve the
        values of earlier actions, and the gate of subgames solved at the table. All-in is everywhere, so no bet at the
        table is larger than the largest one of the tree.

        Parameters
        ----------
        stack : float
            Stack of both players before the blinds, in big blinds.

        Raises
        ------
        ValueError
            If it is not from 1.5 to 1,000.
        """
        if isinstance(stack, bool) or not isinstance(stack, (int, float)) or not _LEAST_STACK <= stack <= _MOST_STACK:
            raise ValueError(f"the stack must be {_LEAST_STACK:g} to {_MOST_STACK:g} big blinds, got {stack!r}")
        menu = tuple(tuple(tuple(map(read_size, sizes)) for sizes in row) for row in _NO_LIMIT_MENU)
        return cls("no limit", (50, 100), (100,) * 4, (_NO_CAP,) * 4, round(100 * stack), menu)  # type: ignore[arg-type]

    @classmethod
    def of_spec(cls, spec: GameSpec) -> Self | None:
        """The game of a `GameSpec` of limit, or None if there is no blueprint for it; see `fits` of no limit."""
        if spec.players != 2 or spec.antes or spec.structure is not BettingStructure.LIMIT:
            return None
        button = spec.first[0]
        small = spec.bets[0]
        blinds = (2 * spec.blinds[button], 2 * spec.blinds[1 - button])
        usual = (
            blinds == (small, 2 * small)
            and spec.bets == (small, small, 2 * small, 2 * small)
            and spec.first[1:] == (1 - button,) * 3
            and spec.max_raises == (3, 4, 4, 4)
            and spec.cap_heads_up
            and (not spec.stacks or min(spec.stacks) >= 24 * small)
        )
        return cls.limit() if usual else None

    def fits(self, spec: GameSpec, stack: int) -> bool:
        """Whether a blueprint of it can be played at a table with stacks of so many chips.

        In no limit stacks may be up to twice or half of its own, and blinds nearly one to two. Sizes go by the pot, so
        that what differs is how soon somebody is all-in.
        """
        if self.structure != "no limit":
            return BlueprintGame.of_spec(spec) == self
        if spec.players != 2 or spec.antes or spec.structure is not BettingStructure.NO_LIMIT:
            return False
        button = spec.first[0]
        small, big = spec.blinds[button], spec.blinds[1 - button]
        usual = 0.4 * big <= small <= 0.6 * big and spec.first[1:] == (1 - button,) * 3
        return usual and 0.5 <= stack / big / self.depth <= 2.0

    @property
    def depth(self) -> float:
        """Stacks in big blinds."""
        return self.stack / self.big_blind

    @property
    def name(self) -> str:
        """The names of its files."""
        name = self.structure.replace(" ", "-")
        return name if self.structure == "limit" else f"{name}-{self.depth:g}bb"

    @property
    def big_blind(self) -> int:
        """Chips of the big blind."""
        return self.blinds[1]

    def tree(self) -> GameTree:
        """Its betting tree."""
        rows = [[(bets, raises, True)] * 2 for bets, raises in self.menu]
        return GameTree(self.blinds, self.stack, self.structure, self.bets, self.max_raises, rows, self.all_in_share)

    @classmethod
    def _of_json(cls, given: dict[str, Any]) -> Self:
        def frozen(value: Any) -> Any:
            return tuple(frozen(each) for each in value) if isinstance(value, list) else value

        return cls(**{key: frozen(value) for key, value in given.items()})


def blueprint_path(game: BlueprintGame) -> Path:
    """Where the blueprint of a game is kept for the user: in the cache, whose folder ``POKERMODEL_CACHE`` names."""
    return cache_folder() / "blueprints" / f"{game.name}.npz"


def fitting_blueprints(spec: GameSpec, stack: int) -> list[Path]:
    """Files in the cache of blueprints of no limit that may fit stacks of so many chips, those nearest to it first."""
    depth = stack / max(spec.blinds)
    found = []
    for path in (cache_folder() / "blueprints").glob("no-limit-*bb.npz"):
        try:
            other = float(path.stem.removeprefix("no-limit-").removesuffix("bb"))
        except ValueError:
            continue
        if other > 0:
            found.append((abs(math.log(other / depth)), path))
    return [path for _, path in sorted(found)]


class Build(NamedTuple):
    """How a blueprint is learnt."""

    seed: int
    buckets: tuple[int, int, int]  #: asked for, of flop, turn and river
    rounds: int
    flops: int  #: drawn by each shard of a round
    boards: int = _BOARDS  #: drawn on each flop
    shards: int = _SHARDS


@lru_cache(_KEPT)
def _with_usual_suits(flop: tuple[int, ...]) -> tuple[tuple[int, ...], Integers]:
    """The first of the flops that differ from one by names of suits, and what each holding is called there."""
    named = [tuple(sorted(4 * (card // 4) + names[card % 4] for card in flop)) for names in permutations(range(4))]
    number = min(range(len(named)), key=named.__getitem__)
    return named[number], suit_orders()[number]


@lru_cache(_KEPT)
def _moments(board: tuple[int, ...]) -> Any:
    """Of all holdings on a flop or turn; the same for all blueprints."""
    return np.ascontiguousarray(flop_moments(board)[52]) if len(board) == 3 else turn_moments(board)


class _Abstraction:
    """Buckets of holdings: 169 classes, and borders of moments."""

    suits_alike = True  # boards that differ by names of suits have the same buckets

    def __init__(self, borders: Sequence[tuple[Floats, Floats]], rivers: int) -> None:
        self.borders = [(np.ascontiguousarray(s), np.ascontiguousarray(m)) for s, m in borders]
        self.rivers = rivers
        self.sizes = (169, *(m.shape[0] * (m.shape[1] + 1) for _, m in self.borders), rivers)
        #: Buckets on flops that were asked for, with the usual suits: of all 1,755 they are 4.7 MB.
        self._flops: dict[tuple[int, ...], Any] = {}

    @classmethod
    def fit(cls, seed: int, buckets: tuple[int, int, int]) -> Self:
        """Find the borders: quantiles of holdings on drawn flops and turns."""
        rng = np.random.default_rng([seed, 1])
        found: list[list[Floats]] = [[], []]
        for _ in range(_FLOPS_FITTED):
            cards = rng.permutation(52)[: 3 + _TURNS_FITTED]
            moments = flop_moments(cards[:3].tolist())
            for turn in (None, *cards[3:]):
                board = cards[:3] if turn is None else [*cards[:3], turn]
                live = ~np.isin(CARDS_OF, board).any(axis=1)
                found[turn is not None].append(moments[52 if turn is None else turn][:, live])
        return cls([_quantiles(np.hstack(f), n) for f, n in zip(found, buckets, strict=False)], buckets[2])

    def of(self, board: tuple[int, ...]) -> Any:
        """Buckets of all holdings on a board, uint16 (1326,)."""
        if not board:
            return _CLASSES.astype(np.uint16)
        if len(board) == 5:
            return river_buckets(board, self.rivers)
        if len(board) == 3:
            flop, names = _with_usual_suits(tuple(board))
            if flop not in self._flops:
                self._flops[flop] = nested_buckets(_moments(flop), *self.borders[0])
            return self._flops[flop][names]
        return nested_buckets(_moments(tuple(board)), *self.borders[1])


def _quantiles(moments: Floats, buckets: int) -> tuple[Floats, Floats]:
    """Borders of so many nested buckets, or a few less: twice as many of squares as of means within each, squared."""
    inner = max(1, int(np.sqrt(buckets) / 2))
    outer = max(1, buckets // inner)
    square = np.quantile(moments[1], np.arange(1, outer) / outer)
    row = np.searchsorted(square, moments[1], side="right")
    means = [moments[0][row == k] for k in range(outer)]
    at = np.arange(1, inner) / inner
    return square, np.array([np.quantile(m, at) if len(m) else np.linspace(0, 1, len(at)) for m in means])


class Blueprint:
    """A strategy of both players for a whole game.

    Made by `build`, or read by `load`.

    Attributes
    ----------
    game : BlueprintGame
    about : Build
        How the blueprint was trained.
    sizes : tuple of int
        Buckets of each round.
    """

    def __init__(self, game: BlueprintGame, about: Build, abstraction: _Abstraction, numbers: Any) -> None:
        self.game = game
        self.about = about
        self.sizes = abstraction.sizes
        self._abstraction = abstraction
        self.tree = _Betting(game, self.sizes)
        if numbers.shape != (self.tree.size,) or numbers.dtype != np.uint8:
            raise ValueError(f"a strategy of this game has {self.tree.size} bytes, got {numbers.shape}")
        self.numbers = numbers

    def __repr__(self) -> str:
        return f"<Blueprint of {self.game.structure}, buckets {self.sizes}, {self.about.rounds} rounds>"

    @property
    def suits_alike(self) -> bool:
        """Whether it plays alike on boards that differ by names of suits; only if its buckets say so."""
        return getattr(self._abstraction, "suits_alike", False)

    # -- learning ----------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        game: BlueprintGame | str = "limit",
        *,
        seed: int = 0,
        buckets: Sequence[int] = (2000, 1000, 300),
        rounds: int = 400,
        flops: int = 3,
        boards: int = _BOARDS,
        jobs: int | None = None,
        executor: Executor | None = None,
        resume: str | Path | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Self:
        """Learn a strategy.

        Parameters
        ----------
        game : BlueprintGame or {"limit"}
            See `BlueprintGame.no_limit`.
        seed : int
            The same seed gives the same bytes with any executor.
        buckets : sequence of int
            Number of buckets of flop, turn and river; the result may have a few less.
        rounds : int
            Rounds of learning.
        flops, boards : int
            In a round each of four shards draws so many flops, and on each so many boards.
        jobs : int, optional
            Threads; default: one per processor.
        executor : Executor, optional
            The executor of the work, instead of threads.
        resume : path, optional
            A file that keeps the learnt state, and is written again after every fifth round. If it exists, the build
            goes on from there, with as many rounds or more.
        progress : callable, optional
            Called with the rounds that are done, and their number.

        Raises
        ------
        ValueError
            If an argument is wrong, or the file is damaged or of another build.
        OSError
            If the file cannot be read or written.
        """
        if isinstance(game, str):
            if game != "limit":
                raise ValueError(f"game must be 'limit' or a BlueprintGame, as of no_limit(100), got {game!r}")
            game = BlueprintGame.limit()
        about = _checked(seed, buckets, rounds, flops, boards)
        path = None if resume is None else Path(resume)
        learning = _Learning(game, about)
        if path is not None and path.exists():
            learning.resume(path)
        with executor or Threads(jobs) as work:
            for done in learning.run(work):
                if path is not None and (done % _KEPT_EVERY == 0 or done == rounds):
                    learning.save(path)
                if progress is not None:
                    progress(done, rounds)
        return cls(game, about, learning.abstraction, learning.strategy())

    # -- questions ---------------------------------------------------------------------------------

    def buckets(self, board: CardsLike = ()) -> Any:
        """The bucket of each holding on a board of 0, 3, 4 or 5 cards: uint16 (1326,), of live ones."""
        return self._abstraction.of(card_indices(board))

    def strategy(self, acts: Iterable[Act | tuple[Act, int]] | int = (), board: CardsLike = ()) -> Floats:
        """The action of each holding after some acts.

        Parameters
        ----------
        acts : iterable of Act or (Act, int), or int
            From the beginning of the hand on; or the number of a node. Where bets have sizes a raise comes with what
            the player has then put into the hand, in chips of the blueprint.
        board : cards
            The cards of the round.

        Returns
        -------
        ndarray of float64, shape (1326, acts)
            Probabilities of the acts of ``tree.acts(node)``, fold before call before raise; nan of holdings that the
            board excludes.

        Raises
        ------
        ValueError
            If the acts lead to no decision, or the board is not of its round.
        """
        node = acts if isinstance(acts, (int, np.integer)) else self.tree.find(acts)
        cards = card_indices(board)
        street = int(self.tree.street[node])
        if len(cards) != (0, 3, 4, 5)[street]:
            raise ValueError(f"the node is of a round with {(0, 3, 4, 5)[street]} cards, got {len(cards)}")
        found = self._rows(int(node), self._abstraction.of(cards))
        found[~shared_live_holdings(cards)] = np.nan
        return found

    def _numbers_of(self, node: int) -> Any:
        acts = int(self.tree.acts_at[node])
        first = int(self.tree.offset[node])
        return self.numbers[first : first + self.sizes[self.tree.street[node]] * acts].reshape(-1, acts)

    def _rows(self, node: int, buckets: Any) -> Floats:
        found: Floats = self._numbers_of(node)[buckets].astype(np.float64)
        found /= found.sum(axis=1, keepdims=True)
        return found

    def reach(self, node: int, board: CardsLike = ()) -> tuple[Floats, Floats]:
        """How likely each player is to do what leads to a node, with each holding.

        Parameters
        ----------
        board : cards
            As far as it is dealt there.

        Returns
        -------
        pair of ndarray of float64, shape (1326,)
            Ranges of the player with the button and of the other; 0 for holdings that the board excludes.
        """
        cards = card_indices(board)
        found = np.ones((2, N_HOLDINGS))
        for above, taken in self.tree.path(node):
            street = int(self.tree.street[above])
            rows = self._rows(above, self._abstraction.of(cards[: (0, 3, 4, 5)[street]]))
            found[self.tree.player[above]] *= rows[:, taken]
        found[:, ~shared_live_holdings(cards)] = 0.0
        return found[0], found[1]

    # -- files -------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write it to a file.

        The file is a ZIP archive of arrays in NumPy's format (``.npz``). ``about`` is JSON text with ``format``,
        ``version``, ``game`` (structure, blinds, bets, raises, stack and sizes, in its own chips), ``build``, and
        ``digest``, that of all the rest; the
        borders of buckets are ``square_K`` (outer - 1,) and ``mean_K`` (outer, inner - 1) of flop (0) and turn (1).
        ``strategy`` has a byte for each act of each bucket of each decision, decisions in the order of a walk that goes
        down first; those of a bucket are in proportion to its probabilities.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        arrays = {"strategy": self.numbers}
        for k, (square, mean) in enumerate(self._abstraction.borders):
            arrays |= {f"square_{k}": square, f"mean_{k}": mean}
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_bytes(Path(path), saved_bytes(_about(self.game, self.about), arrays, packed=True))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ValueError
            If it is no such file, or one of another version.
        OSError
            If the file cannot be read.
        """
        game, about, arrays = _read(Path(path), "blueprint")
        try:
            borders = [(arrays[f"square_{k}"], arrays[f"mean_{k}"]) for k in range(2)]
            found = cls(game, about, _Abstraction(borders, about.buckets[2]), arrays["strategy"])
            for square, mean in borders:
                if square.ndim != 1 or mean.ndim != 2 or len(mean) != len(square) + 1:
                    raise ValueError(f"borders of shapes {square.shape} and {mean.shape} do not fit")
                check_finite("borders", np.append(square, mean))
            decisions = np.flatnonzero(found.tree.kind == _DECISION)
            if not all(found._numbers_of(int(node)).any(axis=1).all() for node in decisions):
                raise ValueError("a bucket does nothing")
            return found
        except (KeyError, ValueError, IndexError, TypeError) as error:
            raise ValueError(f"{path}: a damaged blueprint: {error}") from None


class _Betting:
    """The betting tree of a game as arrays, and where the numbers of its decisions are."""

    def __init__(self, game: BlueprintGame, sizes: Sequence[int]) -> None:
        self.kernel = game.tree()
        found = self.kernel.nodes()
        self.parent, self.end, self.kind = found["parent"], found["end"], found["kind"]
        self.player, self.street, self.act = found["player"], found["street"], found["act"]
        self.acts_at, self.put = found["acts"], found["put"]
        counts = np.where(self.kind == _DECISION, np.asarray(sizes)[self.street] * self.acts_at, 0)
        ends = np.cumsum(counts)
        self.offset: Integers = np.ascontiguousarray(np.where(self.kind == _DECISION, ends - counts, 0))
        self.size = int(ends[-1])

    def children(self, node: int) -> list[int]:
        """Numbers of a node's children."""
        found = []
        child = node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def acts(self, node: int) -> list[tuple[Act, int]]:
        """The actions of the player at a decision, and what they have then put in."""
        actor = int(self.player[node])
        return [(Act(int(self.act[c])), int(self.put[c, actor])) for c in self.children(node)]

    def child(self, node: int, number: int) -> int:
        """The decision, or end, that one of the acts of a decision leads to after the cards that come."""
        child = self.children(node)[number]
        while self.kind[child] == _DEAL:
            child += 1
        return child

    def after(self, node: int, act: Act, to: int | None = None) -> int:
        """The decision, or end, after an action and the next cards; `ValueError` if the action is illegal.

        If there is more than one raise, `to` is the total of the player.
        """
        acts = self.acts(node)
        found = [k for k, (each, put) in enumerate(acts) if each == act and to in (None, put)]
        if not found:
            raise ValueError(f"nobody can {Act(act).name.lower()}{'' if to is None else f' to {to}'} there")
        if len(found) > 1:
            raise ValueError(f"a {Act(act).name.lower()} has {len(found)} sizes there: expected what it goes to")
        return self.child(node, found[0])

    def find(self, acts: Iterable[Act | tuple[Act, int]]) -> int:
        """The decision that acts lead to from the beginning; `ValueError` if there is none."""
        node = 0
        for each in acts:
            if self.kind[node] != _DECISION:
                raise ValueError("the hand is over before the last of these acts")
            act, to = each if isinstance(each, tuple) else (each, None)
            node = self.after(node, act, to)
        if self.kind[node] != _DECISION:
            raise ValueError("the hand is over after these acts")
        return node

    def path(self, node: int) -> list[tuple[int, int]]:
        """Decisions above a node, and which of its children the way takes."""
        found = []
        while self.parent[node] >= 0:
            above = int(self.parent[node])
            if self.kind[above] == _DECISION:
                found.append((above, self.children(above).index(node)))
            node = above
        return found[::-1]


def _checked(seed: int, buckets: Sequence[int], rounds: int, flops: int, boards: int) -> Build:
    check_least("the seed", seed, 0)
    check_least("rounds", rounds, 1)
    check_least("flops", flops, 1)
    check_least("boards", boards, 1)
    if len(buckets) != 3 or not all(isinstance(n, int) and 1 <= n <= 20_000 for n in buckets) or buckets[2] > 1981:
        text = "/".join(map(str, buckets))
        raise ValueError(
            f"buckets must be three numbers, of flop, turn and river, from 1 to 20000/20000/1981, got {text}"
        )
    return Build(seed, (buckets[0], buckets[1], buckets[2]), rounds, flops, boards)


def _about(game: BlueprintGame, about: Build, **more: Any) -> dict[str, Any]:
    return {"format": _FORMAT, "version": _VERSION, "game": asdict(game), "build": about._asdict(), **more}


def _read(path: Path, what: str) -> tuple[BlueprintGame, Build, dict[str, Any]]:
    arrays, about = read_saved(path, what, _FORMAT, _VERSION)
    try:
        given = Build(**about["build"])
        build = _checked(*(getattr(given, name) for name in ("seed", "buckets", "rounds", "flops", "boards")))
        build = build._replace(shards=given.shards)
        return BlueprintGame._of_json(about["game"]), build, arrays | {"round": about.get("round")}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{path}: a damaged {what}: {error}") from None


class _Shard(NamedTuple):
    """What one shard of a round does: pure, and so the same wherever it is done."""

    game: BlueprintGame
    about: Build
    borders: Any
    rivers: int
    round: int
    number: int
    regret: Any


def _learn_shard(shard: _Shard) -> tuple[Any, Any]:
    """What a shard adds to regrets and averages."""
    about = shard.about
    abstraction = _Abstraction(shard.borders, shard.rivers)
    betting = _Betting(shard.game, abstraction.sizes)
    regret = shard.regret.copy()
    average = np.zeros_like(regret)
    (key,) = np.random.SeedSequence([about.seed, 2]).generate_state(1, np.uint64)
    number = shard.round * about.shards + shard.number
    train(
        betting.kernel, betting.offset, shard.rivers, abstraction.borders, _CLASSES, shard.game.big_blind,
        regret, average, int(key), number, about.flops, about.boards, 1.0,
    )  # fmt: skip
    regret -= shard.regret
    return regret, average


class _Learning:
    """Regrets and averages, round by round."""

    def __init__(self, game: BlueprintGame, about: Build) -> None:
        self.game = game
        self.about = about
        self.abstraction = _Abstraction.fit(about.seed, about.buckets)
        self.betting = _Betting(game, self.abstraction.sizes)
        self.round = 0
        self.regret = np.zeros(self.betting.size, dtype=np.float32)
        self.average = np.zeros(self.betting.size, dtype=np.float32)

    def run(self, work: Executor) -> Iterator[int]:
        """Learn round by round; yields how many are done."""
        while self.round < self.about.rounds:
            shards = [
                _Shard(
                    self.game, self.about, self.abstraction.borders, self.abstraction.rivers, self.round, k, self.regret
                )
                for k in range(self.about.shards)
            ]
            kept = self.round / (self.round + 1.0)
            regret, average = self.regret * np.float32(kept), self.average * np.float32(kept**_LATER)
            for more_regret, more_average in work.map(_learn_shard, shards):
                regret += more_regret
                average += more_average
            self.regret, self.average = regret, average
            self.round += 1
            yield self.round

    def strategy(self) -> Any:
        """Average strategies as bytes; at unvisited nodes, the strategy of the regrets."""
        found = np.empty(self.betting.size, dtype=np.uint8)
        for node in np.flatnonzero(self.betting.kind == _DECISION):
            acts, first = int(self.betting.acts_at[node]), int(self.betting.offset[node])
            part = slice(first, first + self.abstraction.sizes[self.betting.street[node]] * acts)
            sums = self.average[part].reshape(-1, acts).astype(np.float64)
            sums = np.where(
                sums.sum(axis=1, keepdims=True) > 0, sums, np.maximum(self.regret[part].reshape(-1, acts), 0)
            )
            sums = np.where(sums.sum(axis=1, keepdims=True) > 0, sums, 1.0)
            found[part] = np.rint(_FULL * sums / sums.sum(axis=1, keepdims=True)).astype(np.uint8).ravel()
        return found

    def save(self, path: Path) -> None:
        """Write what was learnt to a file, as a whole or not at all."""
        about = _about(self.game, self.about, round=self.round)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, saved_bytes(about, {"regret": self.regret, "average": self.average}))

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote; `ValueError` if it is of another build, or has more rounds than are wanted."""
        game, about, arrays = _read(path, "journal of a blueprint")
        check_same_run(path, "blueprint", _options(game, about), _options(self.game, self.about))
        done, learnt = arrays["round"], (arrays.get("regret"), arrays.get("average"))
        now = self.regret.shape, self.regret.dtype
        if not all(isinstance(each, np.ndarray) and (each.shape, each.dtype) == now for each in learnt):
            raise ValueError(f"{path}: a damaged journal of a blueprint")
        if type(done) is not int or not 0 < done <= self.about.rounds:
            raise ValueError(f"{path} has {done} rounds, expected {self.about.rounds} at most")
        try:
            check_finite("regret", arrays["regret"])
            check_finite("average", arrays["average"], least=0.0)
        except ValueError as error:
            raise ValueError(f"{path}: a damaged journal of a blueprint: {error}") from None
        self.round, self.regret, self.average = done, arrays["regret"], arrays["average"]


def _options(game: BlueprintGame, about: Build) -> dict[str, Any]:
    """What has to be the same to go on: all but the number of rounds."""
    return asdict(game) | about._replace(rounds=0)._asdict()
