"""Duplicate tournaments: every deal is played once per player, each time with another seating.

Holdings belong to the betting position, not to the player. With ten players, player p sits in seat ``r*p mod 11`` in
game r, both counted from 1 (seat 1 is the small blind, 10 the button), so that each player gets every holding once,
each time among other neighbours (Papp 1998, section 8.1; Pena 1999, section 4.3). This works for n players whenever n +
1 is prime; two players swap seats. Other numbers of players rotate.

A tournament consists of blocks of deals, and the size of a block is part of its definition. All players are created
anew at the beginning of a block, so that a player that learns from game to game starts again there. A process plays one
block at a time, and a journal keeps finished blocks. Since nothing passes from one block to another, the result is
the same for any number of processes and after any number of interruptions. For players that do not learn, it does not
depend on the size of the blocks either.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.checks import check_choice, check_jobs, check_least
from pokermodel._support.files import write_text
from pokermodel._support.forms import text_of
from pokermodel._support.frames import to_frame
from pokermodel._support.parallel import Progress
from pokermodel.executors import Executor, Processes
from pokermodel.game import GameSpec
from pokermodel.histories import phh
from pokermodel.journal import Journal, digest
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader
from pokermodel.tables.arena.aivat import adjusted_payoffs
from pokermodel.tables.arena.hand import Failure, PlayerFailed, deal_cards, play_hand
from pokermodel.tables.arena.statistics import Estimate, estimate
from pokermodel.tables.players import CommonKnowledge, Player, make_player, parse_players
from pokermodel.tables.players.registry import name_copies
from pokermodel.tables.players.seat import check_structure

__all__ = ["BLOCK", "Entrant", "OnFailure", "TournamentResult", "Variance", "seatings", "tournament"]

#: What a player that fails does to a tournament: `PlayerFailed` is raised, or the result ends there.
OnFailure: TypeAlias = Literal["raise", "stop"]

#: What is taken as the result of a game: what was won, or what is left of it without the luck that is known.
Variance: TypeAlias = Literal["duplicate", "aivat"]

#: Default number of deals in a block.
BLOCK = 100
#: Default time limit in seconds for an answer, far more than any player of the package needs.
TIME_LIMIT = 60.0

_CARDS, _PLAYERS = 0, 1  # streams of the seed


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant of a tournament.

    Attributes
    ----------
    name : str
        Name, different for each participant.
    make : callable
        Creates the player. With several processes it must be picklable.
    kind : str
        Name shared by the copies of one player; by default the name.
    """

    name: str
    make: Callable[[], Player]
    kind: str = ""


def _entrants(players: str | Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    listed: list[str | Entrant] = []
    for item in players.split(",") if isinstance(players, str) else players:
        listed += [item] if isinstance(item, Entrant) else parse_players([item])
    names_of_texts = iter(name_copies([item for item in listed if isinstance(item, str)]))
    found = []
    for item in listed:
        if isinstance(item, str):
            found.append(Entrant(next(names_of_texts), partial(make_player, item), item))
        else:
            found.append(item if item.kind else Entrant(item.name, item.make, item.name))
    names = [entrant.name for entrant in found]
    if not 2 <= len(found) <= 23:
        raise ValueError(f"a tournament has 2 to 23 players, got {len(found)}")
    if len(set(names)) != len(names):
        raise ValueError(f"players must have different names, got {', '.join(names)}")
    return tuple(found)


def seatings(players: int) -> list[tuple[int, ...]]:
    """Seatings of the players in the games of a deal.

    Parameters
    ----------
    players : int
        Number of players.

    Returns
    -------
    list of tuple of int
        For each game, the player of each seat, counted from 0.

    Examples
    --------
    >>> seatings(2), seatings(3)
    ([(0, 1), (1, 0)], [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    """
    modulus = players + 1
    if any(modulus % k == 0 for k in range(2, math.isqrt(modulus) + 1)):
        return [tuple((seat + game) % players for seat in range(players)) for game in range(players)]
    games = []
    for game in range(1, modulus):
        seats = [0] * players
        for player in range(1, modulus):
            seats[game * player % modulus - 1] = player - 1
        games.append(tuple(seats))
    return games


class _Plan(NamedTuple):
    """What a worker needs to play a block."""

    entrants: tuple[Entrant, ...]
    spec: GameSpec
    seed: int
    time_limit: float | None
    export: bool  # whether the hands are wanted
    here: bool  # whether blocks are played in this process
    variance: Variance = "duplicate"


class _Block(NamedTuple):
    """Deals that were played."""

    first: int
    stop: int
    #: Sum over a deal's games of chips won, and of their squares, by deal and player.
    payoffs: list[list[float]]
    squares: list[list[float]]
    #: Counts of acts by player, round, bets to call (0, 1, 2 or more) and act.
    acts: list[list[list[list[int]]]]
    failure: Failure | None
    #: What the player raised, if anything; not from another process, where it may be nothing that can be sent.
    cause: BaseException | None = None
    #: All hands as PHH, if they are wanted.
    text: str | None = None


def _file_name(first: int, stop: int) -> str:
    return f"deals-{first + 1:07}-{stop:07}.phhs"


def _clear(folder: Path, old: Iterable[tuple[int, int]], spans: Iterable[tuple[int, int]]) -> None:
    """Remove files of blocks that are played again, alone or as parts of longer ones; refuse other files."""
    goes, stays = ({_file_name(*span) for span in each} for each in (old, spans))
    present = sorted(folder.glob("deals-*.phhs"))
    for path in present:
        if path.name not in goes | stays:
            raise ValueError(f"{path} belongs to another tournament: expected a folder without such hands")
    for path in present:
        if path.name in goes:
            path.unlink()


def _play_block(plan: _Plan, span: tuple[int, int]) -> _Block:
    first, stop = span
    entrants, spec, seed = plan.entrants, plan.spec, plan.seed
    n = len(entrants)
    players: list[Player] = []
    hands = []
    payoffs: list[list[float]] = []
    squares: list[list[float]] = []
    acts = np.zeros((n, 4, 3, 3), np.int64).tolist()
    failure = cause = None
    common = CommonKnowledge()
    games = seatings(n)
    known: dict[int, Reader] = {}
    try:
        for entrant in entrants:
            players.append(entrant.make())
        if plan.variance == "aivat" and n == 2:
            known = _strategies(entrants, players, spec)
        for number in range(first, stop):
            deal = deal_cards(n, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_CARDS, number))))
            sums, sums_of_squares = [0.0] * n, [0.0] * n
            for game, seats in enumerate(games):
                expectations: list[Expectation | None] | None = [] if plan.variance == "aivat" and n == 2 else None
                hand = play_hand(
                    spec,
                    [entrants[player].name for player in seats],
                    [players[player] for player in seats],
                    deal,
                    hand_id=f"{number + 1}-{game + 1}",
                    entropy=seed,
                    streams=[(_PLAYERS, number, game, player) for player in seats],
                    common=common,
                    time_limit=plan.time_limit,
                    expectations=expectations,
                )
                payoffs_of_game: Sequence[float] = hand.payoffs
                if plan.variance == "aivat":
                    strategies = {seat: known[player] for seat, player in enumerate(seats) if player in known}
                    payoffs_of_game = adjusted_payoffs(hand, strategies, expectations or ())
                for player, won in zip(seats, payoffs_of_game, strict=True):
                    sums[player] += won
                    sums_of_squares[player] += won * won
                for decision in hand.decisions:
                    situation = decision.situation
                    acts[seats[situation.seat]][situation.round][situation.facing][decision.act] += 1
                if plan.export:
                    hands.append(hand.to_hand())
            payoffs.append(sums)
            squares.append(sums_of_squares)
    except PlayerFailed as failed:
        failure, cause = failed.failure, failed.__cause__ if plan.here else None
    text = phh.dumps_all(hands) if plan.export else None
    return _Block(first, stop, payoffs, squares, acts, failure, cause, text)


def _strategies(entrants: Sequence[Entrant], players: Sequence[Player], spec: GameSpec) -> dict[int, Reader]:
    """Strategies of those who can be asked, and say exactly what they play."""
    found = {}
    for number, (entrant, player) in enumerate(zip(entrants, players, strict=True)):
        strategy = player.strategy(entrant.name, spec) if player.strategy_is_exact else None
        if strategy is not None:
            found[number] = strategy
    return found


def _write_hands(folder: Path, block: _Block) -> None:
    """Write the hands of a block, and the one in which a player failed."""
    assert block.text is not None
    write_text(folder / _file_name(block.first, block.stop), block.text)
    if block.failure is not None:
        write_text(folder / f"failed-{block.failure.hand_id}.phh", block.failure.to_phh())


#: Columns of `TournamentResult.course`.
_COURSE = ("deals", "won", "low", "high")


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """Result of a tournament.

    Attributes
    ----------
    names, kinds : tuple of str
        Names and kinds of the players; copies share a kind.
    spec : GameSpec
        The game.
    seed : int
        Seed of the cards and of the players' randomness.
    block : int
        Number of deals in a block.
    payoffs, squares : ndarray of float64, shape (deals, players)
        Chips that each player won in a deal's games, summed; and their squares, summed.
    games_per_deal : int
        Number of games played with each deal.
    failure : Failure or None
        The failure that ended the tournament early, with ``on_failure="stop"``; the result has the deals before it.
    interrupted : bool
        Whether the user interrupted it.
    variance : {"duplicate", "aivat"}
        The kind of payoffs: winnings, or winnings without the known luck.
    acts : ndarray of int64, shape (players, 4, 3, 3), or None
        How often each player acted, by round, bets to call (0, 1, 2 or more) and act (fold, call or check, raise or
        bet); None if it was not counted.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    spec: GameSpec
    seed: int
    block: int
    payoffs: Floats
    squares: Floats
    games_per_deal: int
    failure: Failure | None = None
    interrupted: bool = False
    acts: Integers | None = None
    variance: Variance = "duplicate"

    @property
    def per_game(self) -> str:
        """What `rows` call the winnings per game: ``"small_bets_per_game"``, or big blinds where bets have sizes."""
        return "small_bets_per_game" if self.spec.structure.fixed else "big_blinds_per_game"

    @property
    def unit(self) -> str:
        """The unit of winnings, in short: ``"sb"``, or ``"bb"`` where bets have sizes."""
        return "sb" if self.spec.structure.fixed else "bb"

    @property
    def deals(self) -> int:
        """Number of deals with all games played."""
        return len(self.payoffs)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * self.games_per_deal

    def columns(self, player: str) -> list[int]:
        """Columns of a player, or of all copies of a kind; raises `ValueError` if there is no such player."""
        found = [k for k, name in enumerate(self.names) if name == player]
        found = found or [k for k, kind in enumerate(self.kinds) if kind == player]
        if not found:
            check_choice("player", player, (*self.names, *self.kinds))
        return found

    def samples(self, player: str) -> Floats:
        """Small bets or big blinds per game won in each deal by a player, or the mean of a kind's copies: (deals,)."""
        columns = self.columns(player)
        share = self.spec.small_bet * self.games_per_deal * len(columns)
        won: Floats = self.payoffs[:, columns].sum(axis=1) / share
        return won

    def estimate(self, player: str, minus: str | None = None) -> Estimate:
        """Estimate the small bets per game of a player or kind, or their difference from another.

        Where bets have sizes, they are big blinds, here and below.

        Parameters
        ----------
        player, minus : str
            Names or kinds; without `minus`, the winnings of `player` alone.

        Returns
        -------
        Estimate
            Over deals.

        Raises
        ------
        ValueError
            If the player is unknown, or no deal was finished.
        """
        samples = self.samples(player)
        return estimate(samples if minus is None else samples - self.samples(minus))

    def course(self, player: str, *, points: int = 200) -> Iterator[dict[str, Any]]:
        """Yield what a player or kind had won after so many deals, with 95% intervals.

        Parameters
        ----------
        player : str
            Name or kind; of a kind, the mean of its copies.
        points : int
            At most so many rows after the first, at even distances, the last of all deals; 1 or more.

        Yields
        ------
        dict
            ``deals``, from 0 on; ``won``, the small bets (big blinds where bets have sizes) won in all their games; and
            ``low`` and ``high``, the ends of the t interval of the sum, None of a single deal. The standard deviation
            is that over all deals, so that the last interval is that of `estimate`, times the number of games.

        Raises
        ------
        ValueError
            If the player is unknown, or `points` is below 1.

        Examples
        --------
        >>> result = tournament("call,raise", deals=50, seed=1)
        >>> [row["deals"] for row in result.course("call", points=5)]
        [0, 10, 20, 30, 40, 50]
        """
        check_least("points", points, 1)
        samples = self.games_per_deal * self.samples(player)
        half = 0.0
        if len(samples) > 1:
            found = self.estimate(player)
            half = found.half_width * self.games_per_deal * math.sqrt(len(samples))
        sums = np.concatenate(([0.0], np.cumsum(samples)))
        steps = min(points, len(samples))
        for deals in sorted({round(k * len(samples) / max(steps, 1)) for k in range(steps + 1)}):
            won, wide = float(sums[deals]), half * math.sqrt(deals)
            known = len(samples) != 1
            yield dict(zip(_COURSE, (deals, won, *((won - wide, won + wide) if known else (None, None))), strict=True))

    def sd_per_game(self, player: str) -> float:
        """Standard deviation of the small bets won per game by a player or kind; nan for fewer than two games."""
        columns = self.columns(player)
        n = self.games * len(columns)
        if n < 2:
            return math.nan
        total, squares = math.fsum(self.payoffs[:, columns].flat), math.fsum(self.squares[:, columns].flat)
        return math.sqrt(max(squares - total * total / n, 0.0) / (n - 1)) / self.spec.small_bet

    def frequencies(self, player: str) -> Floats:
        """Frequencies of fold, call and raise of a player or kind.

        Parameters
        ----------
        player : str
            Name or kind.

        Returns
        -------
        ndarray of float64, shape (4, 3, 3)
            By round, bets to call (0, 1, 2 or more) and act; nan where the player never acted.

        Raises
        ------
        ValueError
            If the player is unknown, or the acts were not counted.
        """
        columns = self.columns(player)
        if self.acts is None:
            raise ValueError("the acts of this tournament were not counted")
        counts = self.acts[columns].sum(axis=0).astype(np.float64)
        total = counts.sum(axis=-1, keepdims=True)
        shares: Floats = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)
        return shares

    @property
    def _columns(self) -> tuple[str, ...]:
        return "player", "kind", self.per_game, "standard_error", "low", "high", "sd_per_game"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each player: what they won per game, with its error and 95% interval.

        Yields
        ------
        dict
            ``player``, ``kind``, ``small_bets_per_game``, or ``big_blinds_per_game`` where bets have sizes,
            ``standard_error``, ``low``, ``high`` and ``sd_per_game``; None for what is not known.
        """
        for name, kind in zip(self.names, self.kinds, strict=True):
            found = self.estimate(name) if self.deals else Estimate(math.nan, math.nan, math.nan, math.nan)
            numbers = (None if math.isnan(value) else value for value in (*found, self.sd_per_game(name)))
            yield dict(zip(self._columns, (name, kind, *numbers), strict=True))

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame with a row for each player, as `rows`.

        `library` and errors are those of `WeightTable.to_frame`.
        """
        return to_frame(self.rows(), self._columns, library)

    def _repr_html_(self) -> str:
        return text_of(self, "html")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON; unknown values are None."""
        players = [
            {
                "name": row["player"],
                self.per_game: row[self.per_game],
                "standard_error": row["standard_error"],
                "ci95": [row["low"], row["high"]],
            }
            for row in self.rows()
        ]
        report: dict[str, Any] = {"deals": self.deals, "games": self.games, "players": players, "seed": self.seed}
        if self.variance != "duplicate":
            report["variance"] = self.variance
        if self.failure is not None:
            failure = self.failure
            report["failure"] = {"player": failure.player, "hand": failure.hand_id, "reason": failure.reason}
        return report


def _options(plan: _Plan, block: int) -> dict[str, Any]:
    """Parameters that two runs must share to be parts of one tournament."""
    spec = plan.spec
    antes = {} if spec.short_ante == "whole" else {"short_ante": spec.short_ante}
    sized = {"structure": spec.structure.value, "stacks": list(spec.stacks), "min_raise": spec.min_raise}
    return (
        {
            "players": [[entrant.name, entrant.kind] for entrant in plan.entrants],
            "seed": plan.seed,
            "block": block,
            "blinds": list(spec.blinds),
            "bets": list(spec.bets),
            "first": list(spec.first),
            "max_raises": list(spec.max_raises),
            "antes": list(spec.antes),
            "odd_chips": spec.odd_chips,
            "cap_heads_up": spec.cap_heads_up,
            "full_blind": spec.full_blind,
            "reopening": spec.reopening,
            "export": plan.export,
        }
        | ({} if spec.structure.fixed and not spec.stacks else sized)
        | antes
        | ({} if plan.variance == "duplicate" else {"variance": plan.variance})
    )


class _Kept:
    """Finished blocks of a tournament in a journal, which may have those of others, too."""

    def __init__(self, resume: str | os.PathLike[str] | Journal, options: dict[str, Any]) -> None:
        self._journal = resume if isinstance(resume, Journal) else Journal(resume, "tournament", options)
        self._own = digest(json.dumps(options))

    def blocks(self) -> dict[tuple[int, int], _Block]:
        """The blocks by their first deal and the end of their last one."""
        found = {}
        for key in self._journal:
            own, first, stop = key.split("-")
            if own == self._own:
                span = int(first), int(stop)
                found[span] = _Block(*span, **self._journal.find(key), failure=None)
        return found

    def add(self, block: _Block) -> None:
        """Keep a block."""
        result = {"payoffs": block.payoffs, "squares": block.squares, "acts": block.acts}
        self._journal.add(f"{self._own}-{block.first}-{block.stop}", result)


def tournament(
    players: str | Iterable[str | Entrant],
    deals: int,
    *,
    seed: int | None = None,
    jobs: int | None = 1,
    block: int = BLOCK,
    spec: GameSpec | None = None,
    resume: str | os.PathLike[str] | Journal | None = None,
    export: str | os.PathLike[str] | None = None,
    time_limit: float | None = TIME_LIMIT,
    on_failure: OnFailure = "raise",
    progress: Progress | None = None,
    executor: Executor | None = None,
    variance: Variance = "duplicate",
) -> TournamentResult:
    """Play a duplicate tournament.

    Parameters
    ----------
    players : str or iterable of str or Entrant
        ``"loki1*2,bpm*8"``, or a list of players; see `pokermodel.tables.players.make_player`. The order decides the
        seats.
    deals : int
        Number of deals, 1 or more; each is played once per player.
    seed : int, optional
        Seed of the cards and of the players' randomness, 0 or more. By default it is the seed of the journal, or drawn;
        the result states it.
    jobs : int or None
        Number of processes; None is one per processor. The result does not depend on it.
    block : int
        Number of deals after which the players are created anew. The result depends on it if players learn.
    spec : GameSpec, optional
        The game; by default with blinds of 1 and 2 chips and bets of 2 and 4.
    resume : path or Journal, optional
        A journal that keeps finished blocks. If the file exists, the tournament goes on from it, with any number of
        deals.
    export : path, optional
        A folder for the hands, with one PHH file per block; created if it does not exist. Blocks of the journal
        whose files are missing are played again.
    time_limit : float or None
        Seconds that a player may take for an answer, see `play_hand`.
    on_failure : {"raise", "stop"}
        The reaction if a player fails: it raises an exception, takes too long, or answers with what is not legal. Raise
        `PlayerFailed`, or return the result of the deals before, whose `failure` says what went wrong. Either way a
        journal keeps the blocks before, and a folder for the hands gets the one that was broken off.
    progress : callable, optional
        Called after each block with the number of deals done and the number of all deals.
    executor : Executor, optional
        The executor of the blocks, as `pokermodel.executors.Dask`, instead of `jobs` processes.
    variance : {"duplicate", "aivat"}
        With "aivat" the luck that is known is taken out of every game; see `pokermodel.tables.arena.aivat`. Of two
        players who can be asked what they do with each holding that is most of it, of others the luck of the cards
        alone, and among more than two that of the board. The means stay what they were.

    Returns
    -------
    TournamentResult
        On ``KeyboardInterrupt``, and if a player fails with ``on_failure="stop"``, it covers the deals finished before.

    Raises
    ------
    PlayerFailed
        If a player fails with ``on_failure="raise"``. With one job it is raised from what the player raised.
    ValueError
        If a player is unknown or cannot play the game, a number is out of range, the journal is damaged, or the
        journal or the folder belongs to another tournament.
    ClusterError
        If the workers cannot do the work; the journal has the finished blocks.

    Examples
    --------
    >>> result = tournament("call,raise", deals=50, seed=1)
    >>> result.games, abs(result.estimate("call").mean + result.estimate("raise").mean) < 1e-12
    (100, True)
    """
    entrants = _entrants(players)
    check_least("deals", deals, 1)
    check_least("block", block, 1)
    check_choice("way to deal with failures", on_failure, get_args(OnFailure))
    check_choice("variance", variance, get_args(Variance))
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"time_limit must be positive, got {time_limit}")
    if seed is None and resume is not None and not isinstance(resume, Journal):
        seed = Journal.read_options(resume).get("seed")
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    else:
        check_least("seed", seed, 0)
    if spec is None:
        spec = GameSpec.ring(len(entrants), 1, 2)
    elif spec.players != len(entrants):
        raise ValueError(f"{len(entrants)} players do not fit a game of {spec.players}")
    if not spec.structure.fixed:  # else everybody can
        for entrant in entrants:
            check_structure(entrant.make(), spec)
    folder = None if export is None else Path(export)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    plan = _Plan(entrants, spec, int(seed), time_limit, folder is not None, here=False, variance=variance)
    done: dict[tuple[int, int], _Block] = {}
    kept = None
    if resume is not None:
        kept = _Kept(resume, _options(plan, block))
        done = kept.blocks()

    spans = [(first, min(first + block, deals)) for first in range(0, deals, block)]
    missing = [span for span in spans if span not in done]
    if folder is not None:
        missing = [span for span in spans if span not in done or not (folder / _file_name(*span)).exists()]
        _clear(folder, {*missing, *done} - (set(spans) - set(missing)), spans)
    finished = sum(stop - first for first, stop in spans) - sum(stop - first for first, stop in missing)
    failure, interrupted = None, False
    jobs = check_jobs(jobs)
    if executor is None:
        executor = Processes(max(1, min(jobs, len(missing))))
    played = executor.map(partial(_play_block, plan._replace(here=executor.here)), missing)
    try:
        for result in played:
            if folder is not None:
                _write_hands(folder, result)
            done[result.first, result.stop] = result._replace(text=None)
            if result.failure is not None:
                if on_failure == "raise":
                    raise PlayerFailed(result.failure) from result.cause
                failure = result.failure
                break
            if kept is not None:
                kept.add(result)
            finished += result.stop - result.first
            if progress is not None:
                progress(finished, deals)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        played.close()

    payoffs: list[list[float]] = []
    squares: list[list[float]] = []
    acts = np.zeros((len(entrants), 4, 3, 3), np.int64)
    for span in spans:  # up to the first that is missing or broken off
        if span not in done:
            break
        payoffs += done[span].payoffs
        squares += done[span].squares
        acts += np.array(done[span].acts)
        if done[span].failure is not None:
            break
    n = len(entrants)
    return TournamentResult(
        tuple(entrant.name for entrant in entrants),
        tuple(entrant.kind for entrant in entrants),
        spec,
        int(seed),
        block,
        np.array(payoffs, dtype=np.float64).reshape(-1, n),
        np.array(squares, dtype=np.float64).reshape(-1, n),
        len(seatings(n)),
        failure,
        interrupted,
        acts,
        variance,
    )
