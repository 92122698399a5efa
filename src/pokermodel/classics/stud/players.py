"""Players: how they read hands, and how they act on the probability of winning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_player import ACTS, BLUFFS, RULES, SITUATIONS, Player
from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.stud.defaults import FORMS, default_tables
from pokermodel.classics.stud.game import StudState
from pokermodel.classics.stud.network import StudNetwork
from pokermodel.classics.stud.tables import kernel_types
from pokermodel.evaluation.hand_types import SCHEMES

__all__ = ["STYLES", "Acting", "Choice", "Reader", "StudPlayer"]

_ROUNDS = 4


@lru_cache(maxsize=8)
def _network(scheme: int, arc: bool) -> StudNetwork:
    return StudNetwork.of(scheme, arc)


@dataclass(frozen=True, slots=True, repr=False)
class Reader:
    """How a player reads the opponent's hand.

    Attributes
    ----------
    scheme : int
        9, 17 or 25 types.
    arc : bool
        Whether the opponent's final hand depends on the player's own.
    carries : bool
        Whether belief about the opponent's card face down outlasts a round. The published program forgets the acts of a
        round at its end. Since only one card of stud is hidden, all acts can be taken into account.
    by_cards : bool
        Whether hands are compared card by card in the last round, in which no card is left to be dealt; needs
        `carries`.
    form : {"ctx", "act2", "act4"}
        How acts are classified: by context, or in two or four classes without folds.

    Examples
    --------
    >>> Reader.parse("net17+arc"), Reader.parse("carry")
    (Reader('net17+arc'), Reader('carry'))
    """

    scheme: int = 25
    arc: bool = False
    carries: bool = False
    by_cards: bool = False
    form: str = "ctx"

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise ValueError(f"unknown scheme {self.scheme!r}: expected one of {', '.join(map(str, SCHEMES))}")
        if self.form not in FORMS:
            raise ValueError(f"unknown form {self.form!r}: expected one of {', '.join(FORMS)}")
        if self.by_cards and not self.carries:
            raise ValueError("hands are compared card by card only by a belief that is carried")

    def __repr__(self) -> str:
        if self.carries and self.scheme == 25 and self.arc:
            name = "carry+cards" if self.by_cards else "carry"
        else:
            name = f"net{self.scheme}" + "+arc" * self.arc + "+carry" * self.carries + "+cards" * self.by_cards
        return f"Reader({name + (f'/{self.form}' if self.form != 'ctx' else '')!r})"

    @classmethod
    def parse(cls, name: str) -> Reader:
        """A reader by its name.

        ``net9``, ``net17`` or ``net25``, optionally followed by ``+arc``, ``+carry`` and ``+cards``, in this order, and
        by ``/act2`` or ``/act4``; ``carry`` stands for ``net25+arc+carry``. `ValueError` for other names.
        """
        spelt = re.sub(r"^carry", "net25+arc+carry", name)
        found = re.fullmatch(r"net(\d+)(\+arc)?(\+carry)?(\+cards)?(?:/(\w+))?", spelt)
        if found is None:
            raise ValueError(f"unknown reader {name!r}: expected net9, net17 or net25, perhaps with +arc, or carry")
        number, arc, carry, by_cards, form = found.groups()
        return cls(int(number), bool(arc), bool(carry), bool(by_cards), form or "ctx")

    @property
    def network(self) -> StudNetwork:
        """The networks by which the reader works."""
        return _network(self.scheme, self.arc)


@dataclass(frozen=True, slots=True)
class Acting:
    """How a player acts on the probability of winning.

    Attributes
    ----------
    rule : {"curves", "deterministic", "randomised", "table"}
        Betting curves, as in the original program, whose formula is not published; the decision network of Carlton
        (2000), by the best expected winnings or by a random draw; or a table of the player's own.
    steepness : float
        Steepness of the curves.
    fold, call, bet : tuple of float
        By round, displacement of each curve from the probability at which a call is worth nothing. A fold curve
        further right is more careful, a bet curve further left more aggressive.
    sharpness : float
        Of the random draw: how fast a gain of one bet decides it.
    later : float
        Bets expected in each later round; the default is its payment in games against itself.
    bluffing : {"none", "last round", "context"}
        No bluffs; bluffs in the last round with any hand; or in the last two rounds if the opponent is believed to fold
        often enough.
    bluffs : float
        Probability of a bluff, once a hand or at each decision at which it is worth it.
    explores : float
        Share of the folds that are calls instead, to see hands that would never be shown.
    """

    rule: str = "curves"
    steepness: float = 10.0
    fold: tuple[float, ...] = (-0.10,) * _ROUNDS
    call: tuple[float, ...] = (0.10,) * _ROUNDS
    bet: tuple[float, ...] = (0.25,) * _ROUNDS
    sharpness: float = 2.0
    later: float = 0.6
    bluffing: str = "last round"
    bluffs: float = 0.05
    explores: float = 0.0

    def __post_init__(self) -> None:
        for name, value, known in (("rule", self.rule, RULES), ("kind of bluff", self.bluffing, BLUFFS)):
            if value not in known:
                raise ValueError(f"unknown {name} {value!r}: expected one of {', '.join(known)}")

    def shifted(self, fold: float = 0.0, bet: float = 0.0) -> Acting:
        """Return these curves with the fold and bet curves moved to the right."""
        return replace(self, fold=tuple(x + fold for x in self.fold), bet=tuple(x + bet for x in self.bet))


#: Four styles, by curves that are shifted: tight or loose, passive or aggressive.
STYLES = {
    "T/P": Acting().shifted(fold=0.10, bet=0.10),
    "T/A": Acting().shifted(fold=0.10, bet=-0.10),
    "L/P": Acting().shifted(fold=-0.10, bet=0.10),
    "L/A": Acting().shifted(fold=-0.10, bet=-0.10),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The action of a player at a decision.

    Attributes
    ----------
    chances : tuple of float
        Probabilities of fold, call (pass) and raise (bet), bluffs among them.
    bluff : float
        Probability that a fold or a call becomes a raise.
    win : float
        The probability of winning, ties half.
    """

    chances: tuple[float, float, float]
    bluff: float
    win: float


def _padded(table: ArrayLike) -> Floats:
    """A table, padded to the size that the kernels take."""
    values = np.asarray(table, dtype=np.float64)
    padded = np.zeros((SITUATIONS, STATES, ACTS))
    padded[: values.shape[0], :, : values.shape[2]] = values
    return padded


@dataclass(frozen=True, eq=False)
class StudPlayer:
    """A player of five-card stud.

    Attributes
    ----------
    reader : Reader
    acting : Acting
    opponent : ndarray of float64, shape (situations, 36, kinds of acts), optional
        Belief about the opponent's acts: P(act | situation, state); by default that of `default_tables`.
    own : ndarray of float64, shape (12, 36, 3), optional
        The player's own acts for the rule "table": P(act | situation, state).

    Raises
    ------
    ValueError
        If a shape does not fit, or `own` is given for another rule or missing for "table".
    """

    reader: Reader = field(default_factory=Reader)
    acting: Acting = field(default_factory=Acting)
    opponent: Floats | ActionTables | None = None
    own: Floats | None = None

    def __post_init__(self) -> None:
        situations, acts = FORMS[self.reader.form]
        if self.table.shape != (situations, STATES, acts):
            raise ValueError(f"tables must have shape ({situations}, {STATES}, {acts}), got {self.table.shape}")
        if (self.own is None) != (self.acting.rule != "table") or (
            self.own is not None and np.shape(self.own) != (SITUATIONS, STATES, 3)
        ):
            raise ValueError(f'the rule "table", and no other, needs a table of shape ({SITUATIONS}, {STATES}, 3)')

    @cached_property
    def table(self) -> Floats:
        """Belief about the opponent's acts: float64 (situations, 36, kinds of acts)."""
        if self.opponent is None:
            return default_tables(self.reader.scheme, self.reader.form).probabilities()
        if isinstance(self.opponent, ActionTables):
            return self.opponent.probabilities()
        return np.asarray(self.opponent, dtype=np.float64)

    @cached_property
    def kernel(self) -> Player:
        """The player, as the kernels take it."""
        network, acting = self.reader.network, self.acting
        return Player(
            kernel_types(network.scheme),
            self.reader.form,
            self.reader.carries,
            self.reader.by_cards,
            network.winning,
            network.both,
            network.upcards,
            _padded(self.table),
            np.zeros((SITUATIONS, STATES, ACTS)) if self.own is None else _padded(self.own),
            acting.rule,
            acting.fold,
            acting.call,
            acting.bet,
            acting.steepness,
            acting.sharpness,
            acting.later,
            acting.bluffing,
            acting.bluffs,
            acting.explores,
        )

    def knowing(self, opponent: Floats | ActionTables) -> StudPlayer:
        """Return this player with another belief about the opponent."""
        return replace(self, opponent=opponent)

    def choose(self, start: StudState, acts: Sequence[int] = ()) -> Choice:
        """Return what the player would do in the place of the player to act.

        Parameters
        ----------
        start : StudState
            A hand before its first act. The opponent's card face down and cards that are dealt later are not used.
        acts : sequence of int
            Acts of both players so far.

        Raises
        ------
        ValueError
            If an act is not allowed, or the hand is over.
        """
        return Choice(*self.kernel.choose(start, acts))
