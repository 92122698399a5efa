"""Who plays: how hands are read, and how the probability of winning becomes an act."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._arrays import Floats
from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_player import ACTS, BLUFFS, RULES, SITUATIONS, Player
from pokermodel.evaluation.hand_types import SCHEMES
from pokermodel.reading.parts.action_tables import ActionTables
from pokermodel.stud.defaults import FORMS, default_tables
from pokermodel.stud.game import StudState
from pokermodel.stud.network import StudNetwork
from pokermodel.stud.tables import kernel_types

__all__ = ["STYLES", "Acting", "Choice", "Reader", "StudPlayer"]

_ROUNDS = 4


@lru_cache(maxsize=8)
def _network(scheme: int, arc: bool) -> StudNetwork:
    return StudNetwork.of(scheme, arc)


@dataclass(frozen=True, slots=True, repr=False)
class Reader:
    """How the opponent's hand is read.

    Attributes
    ----------
    scheme : int
        9, 17 or 25 types.
    arc : bool
        Whether the opponent's final hand depends on ours.
    carries : bool
        Whether belief over his card face down outlasts a round. The published program forgets at the end of a round
        what was done in it; since only one card of stud is hidden, all of it can be kept.
    by_cards : bool
        Whether hands are compared card by card in the last round, where nothing is left to be dealt; needs `carries`.
    form : {"ctx", "act2", "act4"}
        How his acts are told apart: by context, or in two or four classes without folds.

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

        ``net9``, ``net17`` or ``net25``, perhaps with ``+arc``, ``+carry`` and ``+cards`` behind it, in this order, and
        ``/act2`` or ``/act4`` last; ``carry`` stands for ``net25+arc+carry``. `ValueError` if it is something else.
        """
        spelt = re.sub(r"^carry", "net25+arc+carry", name)
        found = re.fullmatch(r"net(\d+)(\+arc)?(\+carry)?(\+cards)?(?:/(\w+))?", spelt)
        if found is None:
            raise ValueError(f"unknown reader {name!r}: expected net9, net17 or net25, perhaps with +arc, or carry")
        number, arc, carry, by_cards, form = found.groups()
        return cls(int(number), bool(arc), bool(carry), bool(by_cards), form or "ctx")

    @property
    def network(self) -> StudNetwork:
        """Its networks."""
        return _network(self.scheme, self.arc)


@dataclass(frozen=True, slots=True)
class Acting:
    """How the probability of winning becomes an act.

    Attributes
    ----------
    rule : {"curves", "deterministic", "randomised", "table"}
        Betting curves (the original; their formula is ours), the decision network of Carlton (2000) by the best
        expected winnings or by a draw, or a table of the player's own.
    steepness : float
        Of the curves.
    fold, call, bet : tuple of float
        By round, how far above the probability at which a call is worth nothing each curve is displaced. Fold
        further right is more careful, bet further left more aggressive.
    sharpness : float
        Of the draw: how fast a gain of one bet decides it.
    later : float
        Bets expected in each later round: what is paid in games of the program against itself.
    bluffing : {"none", "last round", "context"}
        In the last round whatever the hand; or in the last two, where the opponent is believed to fold often enough.
    bluffs : float
        How often: once a hand, or at each decision for which it is worth it.
    explores : float
        Share of the folds that are calls instead, so as to see hands that would never be shown.
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
        """The same with the fold and bet curves moved to the right."""
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
    """What a player does where it is his turn.

    Attributes
    ----------
    chances : tuple of float
        Probabilities of fold, call (pass) and raise (bet), bluffs among them.
    bluff : float
        How often what would be no raise becomes one.
    win : float
        The probability of winning, ties half.
    """

    chances: tuple[float, float, float]
    bluff: float
    win: float


def _padded(table: ArrayLike) -> Floats:
    """A table as the kernels take it."""
    values = np.asarray(table, dtype=np.float64)
    padded = np.zeros((SITUATIONS, STATES, ACTS))
    padded[: values.shape[0], :, : values.shape[2]] = values
    return padded


@dataclass(frozen=True, eq=False)
class StudPlayer:
    """A player.

    Attributes
    ----------
    reader : Reader
    acting : Acting
    opponent : ndarray of float64, shape (situations, 36, kinds of acts), optional
        What is believed of the opponent; what `default_tables` has without.
    own : ndarray of float64, shape (12, 36, 3), optional
        What the player himself does, by situation, state and act, for the rule "table".

    Raises
    ------
    ValueError
        If a shape does not fit, or the rule needs a table that is not there.
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
        """What is believed of the opponent: float64 (situations, 36, kinds of acts)."""
        if self.opponent is None:
            return default_tables(self.reader.scheme, self.reader.form).probabilities()
        if isinstance(self.opponent, ActionTables):
            return self.opponent.probabilities()
        return np.asarray(self.opponent, dtype=np.float64)

    @cached_property
    def kernel(self) -> Player:
        """The player as the kernels take him."""
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
        """The same player with another belief about the opponent."""
        return replace(self, opponent=opponent)

    def choose(self, start: StudState, acts: Sequence[int] = ()) -> Choice:
        """What the player would do if it were his turn.

        Parameters
        ----------
        start : StudState
            A hand before its first act. The other's card face down, and what is dealt later, is not looked at.
        acts : sequence of int
            What both did so far.

        Raises
        ------
        ValueError
            If an act is not allowed, or the hand is over.
        """
        return Choice(*self.kernel.choose(start, acts))
