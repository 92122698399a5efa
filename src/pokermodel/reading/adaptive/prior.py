"""The knowledge of people before any of them is met: likelihoods, and how much populations and players differ.

A prior is a file. The one that ships with the package is read when it is first needed. ``tools/fit`` of a clone makes
whole priors, and adds kinds of tables to one.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import EFFECTS, WEIGHTS, Likelihood
from pokermodel._support.arrays import Floats
from pokermodel._support.saved import read_arrays
from pokermodel._support.words import counted
from pokermodel.game import BettingStructure
from pokermodel.reading.adaptive.kinds import Kinds
from pokermodel.reading.adaptive.polarity import SIZE_GROUPS, Polarity
from pokermodel.reading.adaptive.situations import FACTOR_CELLS, SituationTable, situation_table
from pokermodel.reading.adaptive.sizes import SizePrior

__all__ = ["GAMES", "GamePrior", "Prior", "Replies", "default_prior", "game_of", "read_prior"]

_SHIPPED = "prior.npz"
_SIZES = ("weights", "hidden", "out", "mixing", "tilts")
#: The games that people are known in apart from each other, and a structure of each.
GAMES = {"limit": BettingStructure.LIMIT, "no limit": BettingStructure.NO_LIMIT}


def game_of(structure: BettingStructure) -> str:
    """The name of the game that a structure belongs to; pot limit is no limit with a bound."""
    return "limit" if structure.fixed else "no limit"


class Replies(NamedTuple):
    """How people reply before the flop: the odds of a call and a raise, by row of replies and class of holdings.

    Odds are multiplied by factors. The logarithms are a product of two small arrays: a file has these.
    """

    rows: NDArray[np.float16]  #: (rows of replies, n)
    classes: NDArray[np.float16]  #: Functions of the classes, for calls and raises: (n, 169, 2).

    @property
    def odds(self) -> NDArray[np.float16]:
        """What odds are multiplied by, as the `Likelihood` takes it: of folds 1."""
        # sums of products of halves are exact, so that all machines get the same
        logs: Floats = np.tensordot(self.rows.astype(np.float64), self.classes.astype(np.float64), 1)
        with np.errstate(over="ignore"):  # what is not finite is refused
            return np.exp(np.pad(logs, ((0, 0), (0, 0), (1, 0)))).astype(np.float16)


class GamePrior:
    """The knowledge of people in one game: a likelihood of choices, one of sizes, and how much people differ.

    Parameters
    ----------
    weights : sequence of array_like
        Of the `Likelihood`, as `pokermodel._core.likelihood.WEIGHTS` names them.
    scales : mapping of str to float
        ``population`` and ``player``: standard deviations of effects, in units of the loadings;
        ``population_strength`` and ``player_strength``: observations that a factor of 1 is worth.
    sizes : SizePrior, optional
        Where bets have sizes.
    kinds : Kinds, optional
        Of tables.
    polarity : Polarity, optional
        The evidence of bets on the river beyond the likelihood.
    replies : Replies, optional
        Where bets have sizes: how people reply to limps, raises and all-ins before the flop, beyond the weights.
    standings : array_like, shape (3, 2, 12, 2), optional
        Where bets have sizes: by street after the flop, whether a bet is faced, and the place of a holding in the
        player's range, the logarithms of factors of the odds of calls and raises.

    Raises
    ------
    ValueError
        If an array has another shape, a number is out of range, or sizes are missing or have no place.

    Attributes
    ----------
    strengths : ndarray of float64, shape (8,)
        Of the factors, of four contexts of the population and four of the player.
    table : SituationTable
        The rows of situations.
    """

    _NAMES: ClassVar[tuple[str, ...]] = ("population", "player", "population_strength", "player_strength")

    def __init__(
        self,
        game: str,
        weights: Sequence[NDArray[Any]],
        scales: Mapping[str, float],
        sizes: SizePrior | None = None,
        kinds: Kinds | None = None,
        polarity: Polarity | None = None,
        replies: Replies | None = None,
        standings: NDArray[Any] | None = None,
    ) -> None:
        if game not in GAMES:
            raise ValueError(f"a game is one of {', '.join(GAMES)}, got {game!r}")
        self.game = game
        odds = None if replies is None else replies.odds
        self.standings = None if standings is None else np.array(standings, dtype=np.float16)
        places = None if self.standings is None else np.pad(self.standings, [(0, 0)] * 3 + [(1, 0)])
        # the file has the loadings in single precision
        self.likelihood = Likelihood([*weights[:-1], np.asarray(weights[-1], dtype=np.float32)], odds, places)
        self.table: SituationTable = situation_table(GAMES[game])
        if (rows := len(self.likelihood.weights[0])) != self.table.size:
            raise ValueError(f"a situation has {self.table.size} rows in {game}, got {rows}")
        if not all(np.isfinite(each).all() for each in self.likelihood.weights):
            raise ValueError("a likelihood has finite weights")
        if odds is not None and not (np.isfinite(odds).all() and (odds > 0).all() and (odds[0] == 1).all()):
            raise ValueError("replies multiply odds by finite numbers above 0, and by 1 in the first row")
        if places is not None and not np.isfinite(places).all():
            raise ValueError("standings are finite")
        for name, each in (("replies", odds), ("standings", places)):
            if each is not None and GAMES[game].fixed:
                raise ValueError(f"{game} has no {name}")
        if set(scales) != set(self._NAMES):
            raise ValueError(f"the scales are {', '.join(self._NAMES)}, got {', '.join(scales) or 'none'}")
        for name, value in scales.items():
            if not 0 < value < np.inf:
                raise ValueError(f"the scale {name} must be a finite number above 0, got {value}")
        if (sizes is None) is not GAMES[game].fixed:
            raise ValueError(f"{game} has {'no sizes' if sizes is not None else 'sizes'}")
        if sizes is not None and sizes.rows != self.table.size:
            raise ValueError(f"sizes have weights of {self.table.size} rows, got {sizes.rows}")
        groups = 1 if GAMES[game].fixed else SIZE_GROUPS
        if polarity is not None and len(polarity.tilts) != groups:
            told = counted(groups, "group")
            raise ValueError(f"tilts of the river are of {told} of sizes in {game}, got {len(polarity.tilts)}")
        self.scales = {name: float(scales[name]) for name in self._NAMES}
        self.strengths = np.repeat([self.scales["population_strength"], self.scales["player_strength"]], 4)
        self.sizes = sizes
        self.kinds = kinds
        self.polarity = polarity
        self.replies = replies

    def __reduce__(self) -> tuple[Any, ...]:
        told = self.game, list(self.likelihood.weights), self.scales, self.sizes, self.kinds, self.polarity
        return type(self), (*told, self.replies, self.standings)

    def _with(self, **changes: Any) -> GamePrior:
        names = "sizes", "kinds", "polarity", "replies", "standings"
        own = {name: getattr(self, name) for name in names}
        return GamePrior(self.game, self.likelihood.weights, self.scales, **(own | changes))

    def with_polarity(self, polarity: Polarity | None) -> GamePrior:
        """Copy it with something else known of the river."""
        return self._with(polarity=polarity)

    def with_kinds(self, kinds: Kinds | None) -> GamePrior:
        """Copy it with other kinds of tables."""
        return self._with(kinds=kinds)

    def with_replies(self, replies: Replies | None) -> GamePrior:
        """Copy it with other replies before the flop."""
        return self._with(replies=replies)

    def with_standings(self, standings: NDArray[Any] | None) -> GamePrior:
        """Copy it with something else known of places in a range."""
        return self._with(standings=standings)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a file, by name."""
        found = dict(zip(WEIGHTS, self.likelihood.weights, strict=True))
        found["loadings"] = found["loadings"].astype(np.float32)
        if self.sizes is not None:
            found |= {f"size_{name}": getattr(self.sizes, name).astype(np.float16) for name in _SIZES[:-1]}
            found["size_tilts"] = self.sizes.tilts
        if self.kinds is not None:
            found |= self.kinds.arrays()
        if self.polarity is not None:
            found |= self.polarity.arrays()
        if self.replies is not None:
            found |= {f"replies_{name}": each for name, each in self.replies._asdict().items()}
        if self.standings is not None:
            found["standings"] = self.standings
        return {f"{self.game}/{name}": each for name, each in found.items()}

    @classmethod
    def of_arrays(cls, game: str, arrays: Mapping[str, NDArray[Any]], scales: Mapping[str, float]) -> Self:
        """Read what `arrays` gave."""
        sizes = None
        if not GAMES[game].fixed:
            sizes = SizePrior(*(arrays[f"{game}/size_{name}"] for name in _SIZES))
        kinds = None
        if f"{game}/kinds" in arrays:
            first = f"{game}/"
            kinds = Kinds.of_arrays({key.removeprefix(first): arrays[key] for key in arrays if key.startswith(first)})
        polarity = None
        if f"{game}/river_tilts" in arrays:
            polarity = Polarity(arrays[f"{game}/river_tilts"], arrays[f"{game}/river_powers"])
        replies = None
        if f"{game}/replies_rows" in arrays:
            replies = Replies(*(arrays[f"{game}/replies_{name}"] for name in Replies._fields))
        weights = [arrays[f"{game}/{name}"] for name in WEIGHTS]
        return cls(game, weights, scales, sizes, kinds, polarity, replies, arrays.get(f"{game}/standings"))


class Prior:
    """The knowledge of people before any of them is met: of one or more games, each once, else `ValueError`.

    `about` says what it was fitted on and how: plain data, for people to read.
    """

    #: Version of the file, and of the features that the weights are for.
    version: ClassVar[int] = 4

    def __init__(self, games: Sequence[GamePrior], about: Mapping[str, Any]) -> None:
        self.games = {each.game: each for each in games}
        if not games or len(self.games) != len(games):
            raise ValueError(f"a prior has different games, got {', '.join(each.game for each in games) or 'none'}")
        self.about = dict(about)
        self._digest: str | None = None

    def __repr__(self) -> str:
        return f"<Prior {self.digest[:12]} fitted on {self.about.get('hands', 0):,} hands>"

    def of(self, structure: BettingStructure) -> GamePrior:
        """The knowledge of the game of a structure; `ValueError` if the prior was fitted without it."""
        found = self.games.get(game_of(structure))
        if found is None:
            raise ValueError(f"the prior {self.digest[:12]} knows nothing of {structure}: it was fitted without")
        return found

    @property
    def digest(self) -> str:
        """Its identity, as hexadecimal digits. What it says about itself does not count."""
        if self._digest is None:
            import hashlib  # which takes longer to load than most of what is read with a prior

            scales = {game: each.scales for game, each in sorted(self.games.items())}
            made = hashlib.sha256(json.dumps([self.version, FACTOR_CELLS, EFFECTS, scales]).encode())
            for _, game in sorted(self.games.items()):
                for name, each in game.arrays().items():
                    made.update(name.encode())
                    made.update(np.ascontiguousarray(each).tobytes())
            self._digest = made.hexdigest()
        return self._digest

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self.games.values()), self.about)

    def to_bytes(self) -> bytes:
        """The prior as a file; the same prior gives the same bytes."""
        file = io.BytesIO()
        arrays: dict[str, NDArray[Any]] = {}
        for _, game in sorted(self.games.items()):
            arrays |= game.arrays()
        scales = {name: game.scales for name, game in self.games.items()}
        said = json.dumps({"version": self.version, "scales": scales, "about": self.about}, sort_keys=True)
        np.savez_compressed(file, allow_pickle=False, said=np.frombuffer(said.encode(), dtype=np.uint8), **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read the bytes of `to_bytes`; `ValueError` if they are something else, damaged, or of another version."""
        try:
            arrays = read_arrays(content)
            said = json.loads(arrays["said"].tobytes())
            if said["version"] != cls.version:
                raise ValueError(f"its version is {said['version']}, expected {cls.version}")
            games = [GamePrior.of_arrays(game, arrays, scales) for game, scales in said["scales"].items()]
            return cls(games, said["about"])
        except Exception as error:  # what is not there, or of another kind
            raise ValueError(f"this is no prior: {error}") from None


@cache
def default_prior() -> Prior:
    """The prior that ships with the package."""
    return Prior.from_bytes((files("pokermodel") / "data" / _SHIPPED).read_bytes())


def read_prior(path: str | Path) -> Prior:
    """Read a prior from a file; `ValueError`, which names the file, if it cannot be read or is no prior."""
    return _read(Path(path).resolve(), _stamp(Path(path)))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise ValueError(f"{path}: no prior can be read: {error.strerror}") from None
    return found.st_mtime_ns, found.st_size


@cache
def _read(path: Path, stamp: tuple[int, int]) -> Prior:
    try:
        return Prior.from_bytes(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path}: no prior can be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
