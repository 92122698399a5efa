"""Duplicate tournaments: every deal is played as often as there are players, in another seating each time.

Holdings belong to the betting position, not to the player. With ten players, player p sits in seat ``r*p mod 11`` in
game r, both counted from 1 (seat 1 is the small blind, 10 the button), so that each of them holds every hand once, in
another company (Papp 1998, section 8.1; Pena 1999, section 4.3). It works for n players whenever n + 1 is prime, two
among them, who swap seats. Other numbers rotate.

A tournament is cut into blocks of deals, whose size is part of its definition. All players are made anew at the
beginning of a block: one that learns from game to game forgets there what it learnt. A block is what a process plays
at a time and what a checkpoint holds, and since nothing passes from one block to another, the result is the same for
any number of processes and after any number of interruptions. For players that do not learn it does not depend on the
size of the blocks either.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokermodel._arrays import Floats
from pokermodel._checks import check_jobs, check_least
from pokermodel._files import write_text
from pokermodel._parallel import Progress, map_processes
from pokermodel.arena.checkpoint import Checkpoint
from pokermodel.arena.statistics import Estimate, estimate
from pokermodel.arena.table import Failure, PlayerFailed, deal_cards, play_hand
from pokermodel.game import GameSpec
from pokermodel.histories import phh
from pokermodel.players import CommonKnowledge, Player, make_player, parse_players

__all__ = ["BLOCK", "Entrant", "TournamentResult", "seatings", "tournament"]


#: Deals in a block.
BLOCK = 100
#: Seconds for an answer: far more than any player here takes, on any machine.
TIME_LIMIT = 60.0

_CARDS, _PLAYERS = 0, 1  # streams of the seed


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part.

    Attributes
    ----------
    name : str
        Different for each.
    make : callable
        Makes the player; with several processes it must be possible to pickle it.
    kind : str
        The same for copies of one player; the name without.
    """

    name: str
    make: Callable[[], Player]
    kind: str = ""


def _entrants(players: str | Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    listed: list[str | Entrant] = []
    for item in players.split(",") if isinstance(players, str) else players:
        listed += [item] if isinstance(item, Entrant) else parse_players([item])
    copies = Counter(item for item in listed if isinstance(item, str))
    seen: Counter[str] = Counter()
    found = []
    for item in listed:
        if isinstance(item, str):
            seen[item] += 1
            name = f"{item}#{seen[item]}" if copies[item] > 1 else item
            found.append(Entrant(name, partial(make_player, item), item))
        else:
            found.append(item if item.kind else Entrant(item.name, item.make, item.name))
    names = [entrant.name for entrant in found]
    if not 2 <= len(found) <= 23:
        raise ValueError(f"a tournament has 2 to 23 players, got {len(found)}")
    if len(set(names)) != len(names):
        raise ValueError(f"players must have different names, got {', '.join(names)}")
    return tuple(found)


def seatings(players: int) -> list[tuple[int, ...]]:
    """Who sits where in the games of a deal.

    Parameters
    ----------
    players : int
        How many there are.

    Returns
    -------
    list of tuple of int
        One entry a game: the player, counted from 0, of each seat.

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
    """What a process needs to know."""

    entrants: tuple[Entrant, ...]
    spec: GameSpec
    seed: int
    time_limit: float | None
    export: Path | None


class _Block(NamedTuple):
    """Deals that were played."""

    first: int
    stop: int
    #: Sum over a deal's games of chips won, and of their squares, by deal and player.
    payoffs: list[list[float]]
    squares: list[list[float]]
    failure: Failure | None


def _file_name(first: int, stop: int) -> str:
    return f"deals-{first + 1:07}-{stop:07}.phhs"


def _clear(folder: Path, old: Iterable[tuple[int, int]], spans: Iterable[tuple[int, int]]) -> None:
    """Remove files of blocks that are played again, whole or in longer ones; refuse files of other tournaments."""
    goes, stays = ({_file_name(*span) for span in each} for each in (old, spans))
    present = sorted(folder.glob("deals-*.phhs"))
    for path in present:
        if path.name not in goes | stays:
            raise ValueError(f"{path} is not of this tournament: expected a folder without hands of another one")
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
    failure = None
    common = CommonKnowledge()
    games = seatings(n)
    try:
        for entrant in entrants:
            players.append(entrant.make())
        for number in range(first, stop):
            deal = deal_cards(n, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_CARDS, number))))
            sums, sums_of_squares = [0.0] * n, [0.0] * n
            for game, seats in enumerate(games):
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
                )
                for player, won in zip(seats, hand.payoffs, strict=True):
                    sums[player] += won
                    sums_of_squares[player] += won * won
                if plan.export is not None:
                    hands.append(hand.to_hand())
            payoffs.append(sums)
            squares.append(sums_of_squares)
    except PlayerFailed as failed:
        failure = failed.failure
    if plan.export is not None:
        text = phh.dumps_all(hands)
        write_text(plan.export / _file_name(first, stop), text)
        if failure is not None:
            write_text(plan.export / f"failed-{failure.hand_id}.phh", failure.to_phh())
    return _Block(first, stop, payoffs, squares, failure)


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """What came of a tournament.

    Attributes
    ----------
    names, kinds : tuple of str
        Of the players; copies share a kind.
    spec : GameSpec
        The game.
    seed : int
        Of the cards and of the players' randomness.
    block : int
        Deals that a player could learn from before it was made anew.
    payoffs, squares : ndarray of float64, shape (deals, players)
        Chips that each player won in a deal's games, summed; and their squares, summed.
    games_per_deal : int
        How often each deal was played.
    failure : Failure or None
        What ended the tournament early. The deals before that one are in the result.
    interrupted : bool
        Whether it was ended by hand.
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

    @property
    def deals(self) -> int:
        """How many deals were played in all their games."""
        return len(self.payoffs)

    @property
    def games(self) -> int:
        """How many games that were."""
        return self.deals * self.games_per_deal

    def columns(self, player: str) -> list[int]:
        """Places of a player, or of all copies of a kind; `ValueError` if there is none."""
        found = [k for k, name in enumerate(self.names) if name == player]
        found = found or [k for k, kind in enumerate(self.kinds) if kind == player]
        if not found:
            raise ValueError(f"unknown player {player!r}: expected one of {', '.join((*self.names, *self.kinds))}")
        return found

    def samples(self, player: str) -> Floats:
        """Small bets per game that a player, or the copies of a kind on average, won in each deal: (deals,)."""
        columns = self.columns(player)
        share = self.spec.small_bet * self.games_per_deal * len(columns)
        won: Floats = self.payoffs[:, columns].sum(axis=1) / share
        return won

    def estimate(self, player: str, minus: str | None = None) -> Estimate:
        """Small bets per game of a player or kind, less those of another one if asked.

        Parameters
        ----------
        player, minus : str
            Names or kinds.

        Returns
        -------
        Estimate
            Over deals.

        Raises
        ------
        ValueError
            If there is no such player, or no deal was finished.
        """
        samples = self.samples(player)
        return estimate(samples if minus is None else samples - self.samples(minus))

    def sd_per_game(self, player: str) -> float:
        """Standard deviation of what a player or kind wins in a game, in small bets; nan for fewer than two games."""
        columns = self.columns(player)
        n = self.games * len(columns)
        if n < 2:
            return math.nan
        total, squares = math.fsum(self.payoffs[:, columns].flat), math.fsum(self.squares[:, columns].flat)
        return math.sqrt(max(squares - total * total / n, 0.0) / (n - 1)) / self.spec.small_bet

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data for JSON; what is not known is None."""
        players = []
        for name in self.names:
            found = self.estimate(name) if self.deals else Estimate(math.nan, math.nan, math.nan, math.nan)
            mean, error, low, high = (None if math.isnan(value) else value for value in found)
            players.append({"name": name, "small_bets_per_game": mean, "standard_error": error, "ci95": [low, high]})
        report: dict[str, Any] = {"deals": self.deals, "games": self.games, "players": players, "seed": self.seed}
        if self.failure is not None:
            failure = self.failure
            report["failure"] = {"player": failure.player, "hand": failure.hand_id, "reason": failure.reason}
        return report


def _header(plan: _Plan, block: int) -> dict[str, Any]:
    """What two runs have to share to be parts of one tournament."""
    spec = plan.spec
    return {
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
        "export": plan.export is not None,
    }


def tournament(
    players: str | Iterable[str | Entrant],
    deals: int,
    *,
    seed: int | None = None,
    jobs: int | None = 1,
    block: int = BLOCK,
    spec: GameSpec | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    export: str | os.PathLike[str] | None = None,
    time_limit: float | None = TIME_LIMIT,
    progress: Progress | None = None,
) -> TournamentResult:
    """Play a duplicate tournament.

    Parameters
    ----------
    players : str or iterable of str or Entrant
        ``"loki1*2,bpm*8"``, or the same one by one; see `pokermodel.players.make_player`. Order matters: it decides
        the seats.
    deals : int
        Each is played as often as there are players.
    seed : int, optional
        0 or more. Cards and every player's randomness follow from it. Without, it is that of the checkpoint, or one is
        drawn; the result tells.
    jobs : int or None
        Processes, by joblib (its ``parallel_config`` says where they run); None is one for each processor. The
        result does not depend on it.
    block : int
        Deals after which the players are made anew. The result depends on it if there are players who learn.
    spec : GameSpec, optional
        The game; blinds of 1 and 2 chips and bets of 2 and 4 without.
    checkpoint : path, optional
        A file that keeps finished blocks. If it is there, the tournament goes on where it ended; it may then have
        more deals than before.
    export : path, optional
        A folder for the hands, one PHH file for each block; made if it is not there. Blocks of the checkpoint whose
        files are not in it are played again.
    time_limit : float or None
        Seconds for each answer of a player, see `play_hand`.
    progress : callable, optional
        Told after each block how many deals are done, and of how many.

    Returns
    -------
    TournamentResult
        If a player fails, or on ``KeyboardInterrupt``, of the deals finished before.

    Raises
    ------
    ValueError
        If there is no such player, a number is out of range, the checkpoint is damaged or belongs to another
        tournament, or the folder has hands of another one.

    Examples
    --------
    >>> result = tournament("call,raise", deals=50, seed=1)
    >>> result.games, abs(result.estimate("call").mean + result.estimate("raise").mean) < 1e-12
    (100, True)
    """
    entrants = _entrants(players)
    check_least("deals", deals, 1)
    check_least("block", block, 1)
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"the time limit must be positive, got {time_limit}")
    if seed is None and checkpoint is not None:
        seed = Checkpoint.seed(Path(checkpoint))
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    else:
        check_least("seed", seed, 0)
    if spec is None:
        spec = GameSpec.ring(len(entrants), 1, 2)
    elif spec.players != len(entrants):
        raise ValueError(f"{len(entrants)} players do not fit a game of {spec.players}")
    folder = None if export is None else Path(export)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    plan = _Plan(entrants, spec, int(seed), time_limit, folder)
    done: dict[tuple[int, int], _Block] = {}
    keeper = None
    if checkpoint is not None:
        keeper = Checkpoint(Path(checkpoint), _header(plan, block))
        shape = len(entrants)
        for entry in keeper.entries(shape):
            done[entry["first"], entry["stop"]] = _Block(**entry, failure=None)

    spans = [(first, min(first + block, deals)) for first in range(0, deals, block)]
    missing = [span for span in spans if span not in done]
    if folder is not None:
        missing = [span for span in spans if span not in done or not (folder / _file_name(*span)).exists()]
        _clear(folder, {*missing, *done} - (set(spans) - set(missing)), spans)
    finished = sum(stop - first for first, stop in spans) - sum(stop - first for first, stop in missing)
    failure, interrupted = None, False
    jobs = max(1, min(check_jobs(jobs), len(missing)))
    played = map_processes(partial(_play_block, plan), missing, jobs)
    try:
        for result in played:
            done[result.first, result.stop] = result
            if result.failure is not None:
                failure = result.failure
                break
            if keeper is not None:
                keeper.add(result.first, result.stop, result.payoffs, result.squares)
            finished += result.stop - result.first
            if progress is not None:
                progress(finished, deals)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        played.close()

    payoffs: list[list[float]] = []
    squares: list[list[float]] = []
    for span in spans:  # up to the first that is missing or broken off
        if span not in done:
            break
        payoffs += done[span].payoffs
        squares += done[span].squares
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
    )
