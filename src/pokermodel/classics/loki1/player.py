"""Loki-1 at a table: the pre-flop expert system, and after the flop its rules over what opponents can hold.

The published rules are those of limit. They say fold, call or raise, and not how much. With a reader that reads bets of
any size they can be followed in other games, too: bets and raises are then two thirds of the pot, which is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pokermodel.cards import CardsLike, card_indices, cards_text, holding_index
from pokermodel.classics.loki1.deception import deceptive_action
from pokermodel.classics.loki1.field import CrudePotential, FieldMethod
from pokermodel.classics.loki1.opponents import (
    FixedArray,
    FixedTables,
    SpotTables,
    Tables,
    fixed_weights,
    reading_session,
)
from pokermodel.classics.loki1.postflop import ALL_FEATURES, PostflopFeatures, postflop_action
from pokermodel.classics.loki1.preflop import (
    Strategy,
    Tightness,
    in_small_blind,
    preflop_action,
    preflop_strategy,
    seats_paid,
)
from pokermodel.game import Act, Situation
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.common import CommonKnowledge
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.answers import raise_sizes
from pokermodel.worth.worth import Verdict

__all__ = ["Loki1", "Loki1Player", "Recommendation"]

_SIZE = 2 / 3  # of bets and raises where they have sizes, by the pot after a call


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Loki-1's action with its reason. It has no values of actions.

    Attributes
    ----------
    act : Act
        The act.
    name : str
        "fold", "check", "call", "bet" or "raise".
    reason : str
        The rule that decided.
    numbers : dict of str to float
        HSn, PPOT1, NPOT1, EHS and EHS'; empty before the flop.
    """

    act: Act
    name: str
    reason: str
    numbers: dict[str, float]

    def verdict(self) -> Verdict:
        """Return the recommendation as a verdict."""
        shown = ""
        if self.numbers:
            names = {"hs": "HSn", "ppot": "PPOT", "npot": "NPOT", "ehs": "EHS", "ehs_optimistic": "EHS'"}
            shown = "  ".join(f"{name} {self.numbers[key]:.3f}" for key, name in names.items())
        return Verdict(advised=(self.act, None), reason=self.reason, found=shown, details=self.numbers)


class Loki1(Adviser):
    """Loki-1 in one seat: chooses acts from its cards and the tables of its opponents.

    It remembers what matters within a hand (its pre-flop strategy, whether it is semi-bluffing or has checked to
    raise): use one object for each player, call `advise` for the player's decisions in order, and `forget` when a hand
    begins.

    Parameters
    ----------
    tightness : {"tight", "moderate", "loose"}
        Style before the flop.
    make1, make2 : float
        Effective strengths from which one and two bets are made after the flop.
    shift : float
        Added to every pre-flop threshold, in thousandths of a bet.
    features : PostflopFeatures
        Which post-flop rules are on.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one.
    one_opponent : bool
        Bet by the strength against one opponent, however many there are (Papp 1998, section 8.3).
    """

    def __init__(
        self,
        *,
        tightness: Tightness = "loose",
        make1: float = 0.50,
        make2: float = 0.85,
        shift: float = 0.0,
        features: PostflopFeatures = ALL_FEATURES,
        field: FieldMethod = "mean",
        one_opponent: bool = False,
    ) -> None:
        self.tightness: Tightness = tightness
        self.make1 = make1
        self.make2 = make2
        self.shift = shift
        self.features = features
        self.field: FieldMethod = field
        self.one_opponent = one_opponent
        self._strategy: Strategy | None = None
        self._semi_bluff = False
        self._checked_to_raise = 0  # in which round; 0 in none

    def begin(self) -> None:
        """Begin a hand: the strategy of the first round, a semi-bluff, and a check that was to become a raise go."""
        self._strategy = None
        self._semi_bluff = False
        self._checked_to_raise = 0

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        return self.choose(spot.situation, spot.own_cards, SpotTables(spot)).verdict()

    def choose(
        self, situation: Situation, holding: CardsLike, tables: Tables | None = None, *, chance: float | None = None
    ) -> Recommendation:
        """Loki-1's action in a situation.

        Parameters
        ----------
        situation : Situation
            The situation of the player.
        holding : cards
            The two cards of the player to act.
        tables : Tables, optional
            The ranges of the opponents. Before the flop it is not looked at.
        chance : float, optional
            A random number of [0, 1) for the deceptive rules after the flop; see
            `pokermodel.classics.loki1.deception`. Without it they are off.

        Raises
        ------
        ValueError
            If the holding is not two cards or meets the board, there are no tables after the flop, or `chance` is out
            of range.
        """
        if chance is not None and not 0 <= chance < 1:
            raise ValueError(f"chance must be 0 or more and below 1, got {chance}")
        numbers: dict[str, float] = {}
        if situation.round == 0:
            act, reason = self._before_flop(situation, holding)
        elif tables is None:
            raise ValueError("Loki-1 chooses by what opponents can hold: expected tables after the flop")
        else:
            act, reason, numbers = self._after_flop(situation, holding, tables)
            if chance is not None:
                act, reason = self._deceive(situation, act, reason, numbers["ehs_optimistic"], chance)
        if act == Act.RAISE and Act.RAISE not in situation.legal:
            act, reason = Act.CALL, reason + "; no raise left"
        if act == Act.FOLD and situation.to_call == 0:
            act = Act.CALL
        return Recommendation(act, situation.act_names[act], reason, numbers)

    def _before_flop(self, situation: Situation, holding: CardsLike) -> tuple[Act, str]:
        if self._strategy is None:
            self._strategy = preflop_strategy(
                holding,
                guaranteed=len(seats_paid(situation)),
                in_pot=len(situation.active),
                position=situation.position,
                tightness=self.tightness,
                small_blind=in_small_blind(situation),
                shift=self.shift,
            )
        act = preflop_action(
            self._strategy,
            to_call=situation.to_call,
            bets_to_call=situation.bets_to_call,
            num_bets=situation.num_bets,
            bets_put_in=situation.bets_put_in,
        )
        return act, f"pre-flop strategy {self._strategy.name.capitalize()}"

    def _after_flop(
        self, situation: Situation, holding: CardsLike, tables: Tables
    ) -> tuple[Act, str, dict[str, float]]:
        own = card_indices(holding)
        index = holding_index(own)
        if set(own) & set(situation.board):
            raise ValueError(f"{cards_text(own)} shares a card with the board {cards_text(situation.board)}")
        opponents = 1 if self.one_opponent else len(situation.active) - 1
        strength = tables.strength(situation, index, self.field) ** opponents
        ppot, npot, _ = tables.potential(situation, index, self.field)
        act, self._semi_bluff, reason = postflop_action(
            situation,
            strength=strength,
            ppot=ppot,
            npot=npot,
            semi_bluff=self._semi_bluff,
            make1=self.make1,
            make2=self.make2,
            features=self.features,
        )
        optimistic = strength + (1 - strength) * ppot
        numbers = {
            "hs": strength,
            "ppot": ppot,
            "npot": npot,
            "ehs": optimistic - strength * npot,
            "ehs_optimistic": optimistic,
        }
        return act, reason, numbers

    def _deceive(self, situation: Situation, act: Act, reason: str, strength: float, chance: float) -> tuple[Act, str]:
        found = deceptive_action(
            act,
            strength=strength,
            river=situation.round == 3,
            to_call=situation.to_call,
            num_bets=situation.num_bets,
            opponents=len(situation.active) - 1,
            behind=situation.position,
            check_raise=self._checked_to_raise == situation.round,
            chance=chance,
        )
        self._checked_to_raise = situation.round if found.check_raise else 0
        return found.act, found.reason or reason


class Loki1Player(Player):
    """Loki-1 at a table.

    Parameters
    ----------
    model : str or None
        Name of the reader of its opponents, which has to infer holdings; or none at all, with the same weights for
        everybody. With one that reads sizes, as the adaptive one, it plays games of any structure, and else limit.
    crude_potential : {"outs", "exact1"}
        As the option of the readers of Loki-1 and Loki-2.
    array : {"reasonable", "caller", "uniform"}
        Without a model, the weights: see `fixed_weights`.
    deceptive : bool
        Whether the rules of `pokermodel.classics.loki1.deception` are on.
    reading : mapping of str to object, optional
        Further options of the reader.
    **style
        As `Loki1`.

    Raises
    ------
    ValueError
        If a choice is unknown, or the reader says nothing of holdings or has no such option.
    """

    def __init__(
        self,
        model: str | None = "gom",
        *,
        crude_potential: CrudePotential = "outs",
        array: FixedArray = "reasonable",
        deceptive: bool = False,
        reading: Mapping[str, Any] | None = None,
        **style: Any,
    ) -> None:
        self.loki = Loki1(**style)
        self.model = model
        self.crude_potential: CrudePotential = crude_potential
        self.array: FixedArray = array
        self.reading = dict(reading or {})
        fixed_weights(array)  # a wrong name is refused here
        self.deceptive = deceptive
        if model is not None and self._session().reader.reads_sizes:
            self.structures = ALL_STRUCTURES
        self._common = CommonKnowledge()
        self._start: HandStart | None = None

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self.loki.begin()
        self._start = start
        self._common = start.common
        if self.model is not None:
            self._shared()  # a session that learns has to be there from the first hand on

    def _tables(self, situation: Situation) -> Tables | None:
        if self.model is None:
            return FixedTables(self.array, fixed_weights(self.array), self._common)
        session = self._shared()  # which learns of the acts that it has not seen yet, before the flop, too
        return SpotTables(session.spot(situation)) if situation.round else None

    def _shared(self) -> OpponentModeler:
        key = self.model, self.loki.field, self.crude_potential, *self.reading.items()
        return self._common.session(key, lambda: self._session(self._common.book))

    def _session(self, book: Mapping[str, Any] | None = None) -> OpponentModeler:
        assert self.model is not None
        asked = {} if self.crude_potential == "outs" else {"crude_potential": self.crude_potential}
        options = {"public_models": True, **asked, **self.reading}
        return reading_session(self.model, {"field": self.loki.field}, book=book, **options)

    def act(self, view: View) -> Act | Answer:  # noqa: D102
        chance = None
        if self.deceptive and view.round > 0:
            assert self._start is not None
            chance = float(self._start.rng.random())
        act = self.loki.choose(view.situation, view.holding, self._tables(view.situation), chance=chance).act
        if act != Act.RAISE or view.spec.structure.fixed:
            return act
        return Answer(act, raise_sizes(view.situation, (_SIZE,))[0])
