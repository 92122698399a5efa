"""Duplicate matches: every deal is played twice, the second time with the players' cards exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import stud_games, stud_match
from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_games import MOST_ACTS
from pokermodel._core.stud_observations import observations
from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.estimators import showdown_only
from pokermodel.classics.bpp.hidden_hands import HandSet
from pokermodel.classics.stud.defaults import FORMS
from pokermodel.classics.stud.game import StudHand, StudSpec
from pokermodel.classics.stud.players import Reader, StudPlayer
from pokermodel.classics.stud.tables import get_scheme, kernel_types
from pokermodel.game import Act
from pokermodel.randomness import stream_words
from pokermodel.tables.arena.statistics import Estimate, estimate

__all__ = ["Games", "Match", "play_match"]

#: Deals that share a stream of random numbers, and that are turned into hands at a time.
_BLOCK = 2_000


@dataclass(frozen=True, eq=False)
class Games:
    """Games that were played, two to a deal, as columns.

    Attributes
    ----------
    spec : StudSpec
    cards : ndarray of uint8, shape (games, 2, 5)
        By player, the card face down first.
    acts : ndarray of uint8, shape (games, 24)
        In eight bits each: act (2), player (1), round (2), whether there was a bet to call, whether no raise was
        allowed, whether it was a bluff.
    lengths : ndarray of uint8, shape (games,)
        Number of acts, plus 128 if the game ended with a showdown.
    chances : ndarray of float64, shape (games, 24, 3)
        Probabilities of fold, call and raise from which each act was drawn.
    wins : ndarray of float64, shape (games, 24)
        The acting player's probability of winning.
    """

    spec: StudSpec
    cards: NDArray[np.uint8]
    acts: NDArray[np.uint8]
    lengths: NDArray[np.uint8]
    chances: Floats
    wins: Floats

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, game: int) -> StudHand:
        n = int(self.lengths[game]) & 127
        codes = self.acts[game, :n].tolist()
        one, two = (tuple(map(int, cards)) for cards in self.cards[game])
        return StudHand(
            self.spec,
            (one, two),
            tuple(Act(code & 3) for code in codes),
            (game >> 1 & 1) ^ (game & 1),
            tuple((float(f), float(c), float(r)) for f, c, r in self.chances[game, :n]),
            tuple(map(float, self.wins[game, :n])),
            frozenset(k for k, code in enumerate(codes) if code >> 7),
        )

    def __iter__(self) -> Iterator[StudHand]:
        return (self[game] for game in range(len(self)))

    def first(self, games: int) -> Games:
        """The first `games` games, an even number."""
        return Games(
            self.spec,
            self.cards[:games],
            self.acts[:games],
            self.lengths[:games],
            self.chances[:games],
            self.wins[:games],
        )

    @property
    def showdowns(self) -> NDArray[np.bool_]:
        """Which games ended with a showdown: bool (games,)."""
        return self.lengths >= 128

    def observed(self, observer: int, reader: Reader, *, reveal: bool = False) -> tuple[HandSet, NDArray[np.intp]]:
        """Return what the games show one player of the opponent.

        Parameters
        ----------
        observer : int
            0 or 1.
        reader : Reader
            Types of hands and kinds of acts.
        reveal : bool
            Whether the opponent's cards count as shown in all games.

        Returns
        -------
        hands : HandSet
            Games in which the opponent made an act that counts.
        games : ndarray of intp, shape (hands,)
            Their indices.

        Raises
        ------
        ValueError
            If there is no such observer, or a game breaks the rules.
        """
        stakes = self.spec
        stud_games.check_games(stakes.ante, stakes.bets, stakes.max_bets, self.cards, self.acts, self.lengths)
        situations, columns = FORMS[reader.form]
        types = kernel_types(get_scheme(reader.scheme))
        parts, places = [], []
        for first in range(0, len(self), _BLOCK):
            chosen = slice(first, first + _BLOCK)
            n = len(self.cards[chosen])
            shown, found = np.empty(n, dtype=np.intp), np.empty(n, dtype=np.intp)
            prior, survival = np.empty(50 * n), np.empty(12 * n)
            cells = np.empty(600 * n, dtype=np.intp)
            first_row, first_action = np.empty(n + 1, dtype=np.intp), np.empty(n + 1, dtype=np.intp)
            hands, rows, actions, entries = observations(
                types,
                reader.form,
                columns,
                observer,
                reveal,
                self.cards[chosen],
                self.acts[chosen],
                self.lengths[chosen],
                self.chances[chosen],
                shown,
                prior,
                survival,
                cells,
                first_row,
                first_action,
                found,
            )
            parts.append(
                HandSet(
                    (situations, STATES, columns),
                    np.ones(hands),
                    shown[:hands].copy(),
                    prior[:rows].copy(),
                    survival[:actions].copy(),
                    cells[:entries].copy(),
                    first_row[: hands + 1].copy(),
                    first_action[: hands + 1].copy(),
                )
            )
            places.append(found[:hands] + first)
        return HandSet.join(parts), np.concatenate(places)

    def judged(self, player: StudPlayer, who: int) -> Floats:
        """Return what a player would have believed in the place of one who played.

        Parameters
        ----------
        who : int
            The place that the player takes, 0 or 1.

        Returns
        -------
        ndarray of float64, shape (games, 24)
            Probability of winning at each decision of that place; nan elsewhere.

        Raises
        ------
        ValueError
            If there is no such player, or a game breaks the rules.
        """
        wins = np.full(self.wins.shape, np.nan)
        stakes = self.spec
        stud_games.judge(
            player.kernel, who, stakes.ante, stakes.bets, stakes.max_bets, self.cards, self.acts, self.lengths, wins
        )
        return wins

    def true_counts(self, player: int, reader: Reader) -> Floats:
        """Count a player's acts with each hand, seeing all cards: float64 (situations, 36, kinds of acts)."""
        return showdown_only(self.observed(1 - player, reader, reveal=True)[0])


@dataclass(frozen=True, eq=False)
class Match:
    """Result of a match.

    Attributes
    ----------
    spec : StudSpec
    payoffs : ndarray of int32, shape (deals, 2)
        Chips that the first player won in both games of each deal.
    games : Games
        The games played.
    """

    spec: StudSpec
    payoffs: NDArray[np.int32]
    games: Games

    @property
    def samples(self) -> Floats:
        """Units per game that the first player won, by deal: float64 (deals,)."""
        return np.asarray(self.payoffs.mean(axis=1) / self.spec.unit)

    @property
    def estimate(self) -> Estimate:
        """Units per game that the first player won, over deals."""
        return estimate(self.samples)


def play_match(
    one: StudPlayer,
    two: StudPlayer,
    deals: int,
    *,
    seed: int | Sequence[int] = 1,
    spec: StudSpec | None = None,
) -> Match:
    """Play a duplicate match.

    With the same cards a player draws the same random numbers, so a player wins exactly nothing against itself.

    Parameters
    ----------
    deals : int
        Number of deals; each is played twice.
    seed : int or sequence of int
        0 or more.
    spec : StudSpec, optional
        The stakes.

    Raises
    ------
    ValueError
        If the number of deals or the seed is out of range.

    Examples
    --------
    >>> program = StudPlayer()
    >>> match = play_match(program, program, deals=100)
    >>> len(match.games), match.estimate.mean
    (200, 0.0)
    """
    if deals < 1:
        raise ValueError(f"deals must be 1 or more, got {deals}")
    stakes = StudSpec() if spec is None else spec
    payoffs = np.empty((deals, 2), dtype=np.int32)
    cards = np.empty((2 * deals, 2, 5), dtype=np.uint8)
    acts = np.empty((2 * deals, MOST_ACTS), dtype=np.uint8)
    lengths = np.empty(2 * deals, dtype=np.uint8)
    chances = np.empty((2 * deals, MOST_ACTS, 3))
    wins = np.empty((2 * deals, MOST_ACTS))
    for number, first in enumerate(range(0, deals, _BLOCK)):
        stop = min(first + _BLOCK, deals)
        games = slice(2 * first, 2 * stop)
        words = stream_words(np.random.SeedSequence(seed, spawn_key=(number,)), 1)[0]
        stud_match.play(
            one.kernel,
            two.kernel,
            stakes.ante,
            stakes.bets,
            stakes.max_bets,
            words,
            payoffs[first:stop],
            cards[games],
            acts[games],
            lengths[games],
            chances[games],
            wins[games],
        )
    return Match(stakes, payoffs, Games(stakes, cards, acts, lengths, chances, wins))
