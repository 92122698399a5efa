"""All that is learnt of populations and players, game by game: knowledge that a book keeps."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import ClassVar, Self

import numpy as np

from pokermodel._support.saved import read_arrays
from pokermodel.game import BettingStructure, Decision, Hand
from pokermodel.reading.adaptive.evidence import NOTHING, PlayedHand, play
from pokermodel.reading.adaptive.pieces import VERSION, PieceName, games_of, names_in, names_of, pieces_of
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import Prior, default_prior, game_of

__all__ = ["PopulationModel"]


class PopulationModel:
    """The knowledge of populations and players, game by game.

    Parameters
    ----------
    prior : Prior, optional
        The knowledge of people in general. Default: that of the package.

    Attributes
    ----------
    prior : Prior
    hands : int
        Hands learnt.
    games : dict of str to GamePopulation
        The knowledge of the games that the prior knows.

    Notes
    -----
    `merge` adds the information of the hands about the effects. Learning the same hands one by one is only nearly the
    same, since each hand is then judged with the knowledge of the hands before it.

    Examples
    --------
    >>> import pokermodel as pm
    >>> people = PopulationModel()
    >>> people.update([PopulationModel.evidence(pm.example_hand())])
    >>> people
    <PopulationModel of hands: 1, populations: 1, players: 6>
    """

    #: The name of this kind of knowledge in a book, and the version of `to_bytes`.
    kind: ClassVar[str] = "adaptive"
    version: ClassVar[int] = 7
    #: The version of the bytes of a piece.
    piece_version: ClassVar[int] = VERSION
    #: Structures of the hands that it is learnt from.
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)

    _prior: ClassVar[Prior | None] = None

    def __init__(self, prior: Prior | None = None) -> None:
        self.prior = prior or self._prior or default_prior()
        self.hands = 0
        self.games = {name: GamePopulation(game) for name, game in self.prior.games.items()}

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of hands: {self.hands:,}, populations: {len(self.populations):,}, "
            f"players: {len(self.players):,}>"
        )

    @classmethod
    def with_prior(cls, prior: Prior) -> type[Self]:
        """The class of people that are learnt with a prior: as a kind of knowledge, whose instances begin with it."""
        if prior.digest == (cls._prior or default_prior()).digest:
            return cls
        return type(cls.__name__, (cls,), {"_prior": prior, "__doc__": cls.__doc__, "__module__": cls.__module__})

    def __contains__(self, player: str) -> bool:
        return any(player in game for game in self.games.values())

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(dict.fromkeys(chain.from_iterable(game.players for game in self.games.values())))

    @property
    def populations(self) -> tuple[str, ...]:
        """Names of the populations."""
        return tuple(chain.from_iterable(game.populations for game in self.games.values()))

    def of(self, structure: BettingStructure) -> GamePopulation:
        """The knowledge of people in the game of a structure; `ValueError` if the prior was fitted without it."""
        self.prior.of(structure)
        return self.games[game_of(structure)]

    @staticmethod
    def evidence(hand: Hand, decisions: Iterable[Decision] | None = None) -> PlayedHand:
        """The evidence of a finished hand, as in `play`; a hand without players if it has no legal action."""
        return play(hand, decisions) or NOTHING

    def update(self, evidence: Sequence[PlayedHand]) -> None:
        """Learn what hands say, one after the other; of games that the prior does not know, nothing."""
        for found in evidence:
            self.hands += 1
            self.learn(found)

    def learn(self, found: PlayedHand) -> None:
        """Learn what one hand says of those who acted in it."""
        if (known := self.games.get(found.game)) is not None:
            known.learn(found)

    @staticmethod
    def piece_names(found: PlayedHand) -> list[PieceName]:
        """The pieces that a hand is learnt from."""
        return names_in(found)

    @staticmethod
    def pieces_of_hand(hand: Hand) -> list[PieceName]:
        """The pieces by which a hand is read: those of all who sit there, whether or not they act."""
        return names_of(hand)

    @classmethod
    def learn_pieces(cls, pieces: Mapping[PieceName, bytes], evidence: Iterable[PlayedHand]) -> dict[PieceName, bytes]:
        """Learn hands from pieces, one after the other, and return those that they change.

        Parameters
        ----------
        pieces : mapping
            Those of `piece_names` the hands that there are; see `pokermodel.reading.adaptive.pieces`.

        Raises
        ------
        ValueError
            If a piece is damaged, or was learnt with another prior.
        """
        people, touched = cls.of_pieces(pieces), dict.fromkeys(pieces, True)
        for found in evidence:
            people.learn(found)
            touched |= dict.fromkeys(names_in(found), True)
        return people.pieces(touched)

    @classmethod
    def of_pieces(cls, pieces: Mapping[PieceName, bytes], prior: Prior | None = None, *, hands: int = 0) -> Self:
        """The model of those whose pieces these are, and how many hands were learnt; errors as of `learn_pieces`."""
        people = cls() if prior is None else cls(prior)
        people.games = games_of(pieces, people.prior)
        people.hands = hands
        return people

    def pieces(self, wanted: Iterable[PieceName] | None = None) -> dict[PieceName, bytes]:
        """The knowledge, in a piece for each population and player: all, or the wanted ones."""
        return pieces_of(self.games, self.prior, wanted)

    def copy(self) -> Self:
        """A model that knows the same."""
        return self.from_bytes(self.to_bytes(), self.prior)

    def merge(self, other: PopulationModel) -> None:
        """Add what others learnt from other hands; what both learnt counts twice. `ValueError` for another prior."""
        if other.prior.digest != self.prior.digest:
            raise ValueError("what was learnt with another prior cannot be added")
        self.hands += other.hands
        for name, game in self.games.items():
            game.merge(other.games[name])

    def to_bytes(self) -> bytes:
        """All that was learnt, to be kept; `from_bytes` reads it.

        Raises
        ------
        ValueError
            If a player has a name that cannot be kept: with a null character or half a surrogate pair.
        """
        arrays = {f"{name}/{key}": each for name, game in self.games.items() for key, each in game.to_arrays().items()}
        file = io.BytesIO()
        np.savez_compressed(
            file,
            allow_pickle=False,
            format=np.array([self.version, self.hands]),
            prior=np.frombuffer(bytes.fromhex(self.prior.digest), dtype=np.uint8),
            **arrays,
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, prior: Prior | None = None) -> Self:
        """Read the bytes of `to_bytes`, which were learnt with this prior, by default that of the package.

        `ValueError` if they are something else, of another version, or were learnt with another prior.
        """
        people = cls() if prior is None else cls(prior)
        try:
            arrays = read_arrays(content)
            version, hands = arrays["format"].tolist()
            if version != cls.version:
                raise ValueError(f"its version is {version}, expected {cls.version}")
            if (digest := arrays["prior"].tobytes().hex()) != people.prior.digest:
                raise ValueError(f"it was learnt with the prior {digest[:12]}, not {people.prior.digest[:12]}")
            for name, game in people.prior.games.items():
                first = f"{name}/"
                own = {key.removeprefix(first): each for key, each in arrays.items() if key.startswith(first)}
                people.games[name] = GamePopulation.from_arrays(game, own)
            people.hands = hands
        except Exception as error:  # what is not there, or of another kind
            raise ValueError(f"this is no knowledge of the adaptive reader: {error}") from None
        return people
