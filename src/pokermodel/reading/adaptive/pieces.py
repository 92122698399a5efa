"""The knowledge of people, in pieces: one of each population and one of each player, game by game.

A hand is learnt from the pieces of those who acted in it, and changes them alone. A piece has all that the kernel
keeps, so that learning hand by hand from pieces gives the same bits as a model that holds everybody.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._core.likelihood import EFFECTS
from pokermodel.errors import BookError
from pokermodel.game import Hand
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.names import known_as, population
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior, Prior, game_of
from pokermodel.reading.adaptive.sizes import SIZE_PLACES

__all__ = ["TIERS", "VERSION", "PieceName", "games_of", "names_in", "names_of", "pieces_of"]

#: Of the bytes of a piece.
VERSION = 2
#: Whose a piece is.
TIERS = ("population", "player")
#: Whose it is; and the game, a stroke, and a name: ``("player", "no limit/Ann")``.
PieceName: TypeAlias = tuple[str, str]

_HEAD = struct.Struct("<8s5I")
_HALF = np.triu_indices(EFFECTS)


def names_in(found: PlayedHand) -> list[PieceName]:
    """The pieces that a hand is learnt from; none of a hand that says nothing."""
    if not found.names:
        return []
    players = (("player", f"{found.game}/{name}") for name in found.names)
    return [("population", f"{found.game}/{found.population}"), *players]


def names_of(hand: Hand) -> list[PieceName]:
    """The pieces by which a hand is read: of its population, and of all who sit there."""
    spec = hand.spec
    game = game_of(spec.structure)
    players = (("player", f"{game}/{known_as(name, spec)}") for name in hand.players)
    return [("population", f"{game}/{population(spec)}"), *players]


def pieces_of(
    games: Mapping[str, GamePopulation], prior: Prior, wanted: Iterable[PieceName] | None = None
) -> dict[PieceName, bytes]:
    """The pieces of knowledge learnt with a prior, by name of the game: all of them, or the wanted ones."""
    found: dict[PieceName, bytes] = {}
    chosen = None if wanted is None else set(wanted)
    digest = bytes.fromhex(prior.digest)[:8]
    for game_name, game in games.items():
        arrays = game.to_arrays()
        for tier, names in enumerate((game.populations, game.players)):
            of_sizes = _by_number(arrays, tier, SIZE_PLACES)
            factors = _divided(arrays[f"keys{tier}"], arrays[f"table{tier}"], game._known.kept, len(names))
            for number, name in enumerate(names):
                key = TIERS[tier], f"{game_name}/{name}"
                if chosen is None or key in chosen:
                    kinds = arrays["kinds"][number] if tier == 0 and "kinds" in arrays else np.zeros(0)
                    mean, covariance = game._known.belief(tier, number)
                    parts = [mean, covariance.ravel(), kinds, *factors[number], *of_sizes[number]]
                    found[key] = _packed(digest, parts)
    return found


def games_of(pieces: Mapping[PieceName, bytes], prior: Prior) -> dict[str, GamePopulation]:
    """The knowledge of those whose pieces these are, game by game; they are numbered in their order.

    Raises
    ------
    ValueError
        If a piece is damaged, was learnt with another prior (`BookError`), or is of no game that the prior knows.
    """
    games = {name: GamePopulation(game) for name, game in prior.games.items()}
    digest = bytes.fromhex(prior.digest)[:8]
    of_game: dict[str, tuple[dict[str, bytes], dict[str, bytes]]] = {}
    for (scope, name), content in pieces.items():
        game_name, _, own = name.partition("/")
        if scope not in TIERS or game_name not in games:
            raise ValueError(f"the piece {scope} {name!r} is of no game that the prior knows")
        of_game.setdefault(game_name, ({}, {}))[TIERS.index(scope)][own] = content
    for game_name, tiers in of_game.items():
        games[game_name] = _game(prior.games[game_name], tiers, digest)
    return games


def _game(prior: GamePrior, tiers: tuple[dict[str, bytes], ...], digest: bytes) -> GamePopulation:
    kept = GamePopulation(prior)._known.kept
    arrays: dict[str, NDArray[Any]] = {}
    beliefs: list[list[tuple[NDArray[Any], NDArray[Any]]]] = []
    for tier, contents in enumerate(tiers):
        read = [_unpacked(digest, content, f"{TIERS[tier]} {own!r}") for own, content in contents.items()]
        beliefs.append([(parts[0], parts[1].reshape(EFFECTS, EFFECTS)) for parts in read])
        arrays[f"names{tier}"] = np.frombuffer("\0".join(contents).encode(), dtype=np.uint8)
        arrays[f"means{tier}"] = np.array([mean for mean, _ in beliefs[tier]]).reshape(-1, EFFECTS)
        halves = [covariance[_HALF] for _, covariance in beliefs[tier]]
        arrays[f"covariances{tier}"] = np.array(halves).reshape(-1, len(_HALF[0]))
        if tier == 0 and prior.kinds is not None:
            told = [parts[2] for parts in read]
            arrays["kinds"] = np.array(told, dtype=np.float64).reshape(len(told), len(prior.kinds) + 1)
        arrays[f"keys{tier}"] = _joined_keys([parts[3] for parts in read], kept)
        arrays[f"table{tier}"] = _joined([parts[4].reshape(-1, 2, 3) for parts in read], (0, 2, 3), np.float64)
        for place, (kind, width) in enumerate(_SIZES.items()):
            keys, rows = 5 + 2 * place, 6 + 2 * place
            arrays[f"sizes{tier}_{kind}_keys"] = _joined_keys([parts[keys] for parts in read], SIZE_PLACES)
            arrays[f"sizes{tier}_{kind}"] = _joined(
                [parts[rows].reshape(-1, width) for parts in read], (0, width), np.float32
            )
    found = GamePopulation.from_arrays(prior, arrays)
    for tier, of_tier in enumerate(beliefs):
        for number, (mean, covariance) in enumerate(of_tier):
            # the whole of it: half of a covariance is the other half up to the last bit alone
            found._known.believe(tier, number, mean, np.ascontiguousarray(covariance))
    return found


_SIZES = {"chosen": kernels.CELLS, "expected": kernels.EXPECTED}  # and how wide their rows are
_LARGEST = 1 << 26  # bytes of a piece


def _joined_keys(keys: list[NDArray[Any]], kept: int) -> NDArray[np.int64]:
    return _joined([number * kept + each.astype(np.int64) for number, each in enumerate(keys)], (0,), np.int64)


def _joined(parts: list[NDArray[Any]], shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    return np.concatenate(parts).astype(kind) if parts else np.zeros(shape, dtype=kind)


def _divided(keys: NDArray[np.int64], table: NDArray[Any], kept: int, count: int) -> list[list[NDArray[Any]]]:
    """Keys without their number, and rows of a table, by number."""
    numbers, cells = np.divmod(keys, kept)
    order = np.argsort(numbers, kind="stable")
    bounds = np.searchsorted(numbers[order], np.arange(count + 1))
    found = []
    for number in range(count):
        rows = order[bounds[number] : bounds[number + 1]]
        found.append([cells[rows].astype(np.int32), table[rows].ravel()])
    return found


def _by_number(arrays: Mapping[str, NDArray[Any]], tier: int, kept: int) -> list[list[NDArray[Any]]]:
    """What is known of sizes, by number."""
    count = len(arrays[f"means{tier}"])
    found: list[list[NDArray[Any]]] = [[] for _ in range(count)]
    for kind, width in _SIZES.items():
        first = f"sizes{tier}_{kind}"
        nothing = np.zeros(0, dtype=np.int64), np.zeros((0, width), dtype=np.float32)
        keys, table = (arrays.get(f"{first}_keys", nothing[0]), arrays.get(first, nothing[1]))
        for parts, divided in zip(found, _divided(keys, table, kept, count), strict=True):
            parts += divided
    return found


_KINDS = ("<f8", "<f8", "<f8", "<i4", "<f8", "<i4", "<f4", "<i4", "<f4")


def _packed(digest: bytes, parts: list[NDArray[Any]]) -> bytes:
    """The bytes of a piece: the prior, the lengths, a checksum and the arrays."""
    lengths = [len(parts[place]) for place in (2, 3, 5, 7)]
    body = b"".join(np.ascontiguousarray(part, dtype=kind).tobytes() for part, kind in zip(parts, _KINDS, strict=True))
    return _HEAD.pack(digest, *lengths, zlib.crc32(body)) + zlib.compress(body, 1)


def _unpacked(digest: bytes, content: bytes, what: str) -> list[NDArray[Any]]:
    try:
        prior, kinds, factors, chosen, expected, checksum = _HEAD.unpack_from(content)
        counts, expectations = _SIZES["chosen"] * chosen, _SIZES["expected"] * expected
        whole = 8 * (EFFECTS + EFFECTS**2 + kinds) + 52 * factors + 4 * (chosen + counts + expected + expectations)
        unpacking = zlib.decompressobj()
        body = unpacking.decompress(content[_HEAD.size :], min(whole, _LARGEST) + 1)
        if zlib.crc32(body) != checksum:
            raise ValueError("its checksum is another one")
        sizes = (EFFECTS, EFFECTS**2, kinds, factors, 6 * factors, chosen, counts, expected, expectations)
        found, place = [], 0
        for kind, size in zip(_KINDS, sizes, strict=True):
            found.append(np.frombuffer(body, dtype=kind, count=size, offset=place))
            place += found[-1].nbytes
        if place != len(body):
            raise ValueError(f"it has {len(body)} bytes, expected {place}")
    except (ValueError, struct.error, zlib.error) as error:
        raise ValueError(f"the piece of the {what} is damaged: {error}") from None
    if prior != digest:
        raise BookError(
            f"the piece of the {what} was learnt with the prior {prior.hex()[:12]}, not {digest.hex()[:12]}"
        )
    return found
