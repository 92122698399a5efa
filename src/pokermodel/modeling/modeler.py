"""The Opponent Modeler: a weight table for every player of a hand, kept up to date action by action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel.cards import N_HOLDINGS, CardsLike, cards_text, holding_index, holding_text, live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Decision
from pokermodel.modeling.field import FieldMethod, field_array, field_strengths
from pokermodel.modeling.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.modeling.reweighting import reweight
from pokermodel.modeling.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.preflop import income_rates_by_holding
from pokermodel.weights import WeightTable

__all__ = ["CrudePotential", "Judgement", "Observation", "OpponentModeler"]

Floats: TypeAlias = NDArray[np.float64]
CrudePotential: TypeAlias = Literal["outs", "exact1"]

#: Names of the models and whether each learns the players' own frequencies.
_MODELS = {"loki1": False, "gom": False, "som": True}


@dataclass(frozen=True, eq=False, slots=True)
class Observation:
    """What the modeler made of one action.

    Attributes
    ----------
    decision : Decision
        The action, with its situation.
    context : Context or None
        Where it was counted; None for a player who left out of turn.
    frequencies : ndarray of float64, shape (3,), or None
        Fold, call and raise frequencies that the action was judged by, the action itself counted where the
        model learns. None for folds and checks, which are not judged.
    threshold : Threshold or None
        What the action says about the holding; None where it says nothing.
    values : ndarray of float64, shape (1326,), or None
        What the threshold was compared with: income rates before the flop (thousandths of a bet), effective
        strength after it. nan where a holding is not possible.
    exempt : ndarray of bool, shape (1326,), or None
        Holdings whose weight was left because they had the pot odds for the action.
    reweighted : bool
        Whether the table changed.
    reason : str
        Why, or why not, in words.
    weights_before, weights_after : ndarray of float64, shape (1326,)
        The actor's weights before and after the action. After a fold they are the last ones he had.
    """

    decision: Decision
    context: Context | None
    frequencies: Floats | None
    threshold: Threshold | None
    values: Floats | None
    exempt: NDArray[np.bool_] | None
    reweighted: bool
    reason: str
    weights_before: Floats
    weights_after: Floats

    @property
    def before(self) -> WeightTable:
        """The actor's table before the action."""
        return WeightTable(self.weights_before, dead=self.decision.board)

    @property
    def after(self) -> WeightTable:
        """The actor's table after the action."""
        return WeightTable(self.weights_after, dead=self.decision.board)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How probable a holding was judged that became known.

    Attributes
    ----------
    holding : str
        The holding, as text.
    probability : float
        Its probability in the table.
    uniform : float
        One over the number of holdings that were possible.
    rank : int
        How many holdings were judged more probable, plus one.
    """

    holding: str
    probability: float
    uniform: float
    rank: int

    @property
    def bits_gained(self) -> float:
        """Binary logarithm of probability over uniform: how much better than knowing nothing."""
        return float(np.log2(self.probability / self.uniform)) if self.probability > 0 else float("-inf")

    @classmethod
    def of(cls, table: WeightTable, holding: CardsLike) -> Judgement:
        """What a table says of a holding.

        Raises
        ------
        ValueError
            If the holding is not two cards, or the table rules its cards out.
        """
        index = holding_index(holding)
        if not table.live[index]:
            raise ValueError(f"{holding_text(index)} is not possible: the board is {cards_text(table.dead)}")
        probabilities = table.probabilities()
        probability = float(probabilities[index])
        return cls(
            holding_text(index),
            probability,
            1.0 / int(table.live.sum()),
            1 + int((probabilities > probability * (1 + 1e-12)).sum()),
        )


#: Weights are replaced, never written to.
_UNIFORM: Floats = np.ones(N_HOLDINGS)
_UNIFORM.setflags(write=False)


class _Seat:
    """What is known of one player in the hand at hand."""

    __slots__ = ("active", "round_start", "seen", "weights")

    def __init__(self) -> None:
        self.weights: Floats = _UNIFORM
        self.round_start: Floats = self.weights
        self.seen: float | None = None  # highest percentile that re-weighted in this round
        self.active = True


class OpponentModeler:
    """Reads the players of a hand from their actions, as Loki-1 did (Papp 1998, chapter 7).

    Every player has a weight for each of the 1,326 holdings, 1 at the start of a hand. A call or raise gives a
    threshold mu, from how often this player acts so in this context, and multiplies the weights that the round
    began with by a ramp around mu; only the highest threshold of a round counts. Folds, checks and blinds say
    nothing. Tables are made from public information alone: board cards are ruled out, nobody's own cards are,
    and there is one for every player, the hero too.

    Parameters
    ----------
    model : {"loki1", "gom", "som"}
        ``gom``, the generic model and what ``loki1`` means, judges everybody by `DEFAULT_FREQUENCIES`; ``som``,
        the specific one, by what each player did before, mixed with the defaults while that is little.
    book : mutable mapping of str to ActionCounts, optional
        What is known of the players by name. ``som`` adds to it. Empty without.
    hero : str, optional
        The player whom the user advises. Kept for reports; no table depends on it.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `field_strengths`.
    crude_potential : {"outs", "exact1"}
        What stands for the potential in re-weighting: the count of outs, as in the original, or the exact
        one-card potential against uniform weights.

    Raises
    ------
    ValueError
        If the model or an option is unknown.

    Examples
    --------
    >>> import pokermodel as pm
    >>> modeler = pm.OpponentModeler(model="loki1")
    >>> hand = pm.example_hand()
    >>> for decision in hand.replay():
    ...     observation = modeler.observe(decision)
    >>> round(modeler.table(hand.players[0]).entropy_bits(), 1) < 10.4
    True
    """

    def __init__(
        self,
        model: str = "loki1",
        book: MutableMapping[str, ActionCounts] | None = None,
        hero: str | None = None,
        *,
        field: FieldMethod = "mean",
        crude_potential: CrudePotential = "outs",
    ) -> None:
        if model not in _MODELS:
            raise ValueError(f"unknown model {model!r}: expected one of {', '.join(_MODELS)}")
        if field not in get_args(FieldMethod):
            raise ValueError(f"unknown field method {field!r}: expected one of {', '.join(get_args(FieldMethod))}")
        if crude_potential not in get_args(CrudePotential):
            raise ValueError(
                f"unknown crude potential {crude_potential!r}: expected one of {', '.join(get_args(CrudePotential))}"
            )
        self.model = model
        self.hero = hero
        self.book: MutableMapping[str, ActionCounts] = {} if book is None else book
        self._specific = _MODELS[model]
        self._field_method: FieldMethod = field
        self._crude_potential: CrudePotential = crude_potential
        self._hand: tuple[str, str] | None = None
        self._last_index = -1
        self._names: tuple[str, ...] = ()
        self._seats: list[_Seat] = []
        self._round = 0
        self._board: tuple[int, ...] = ()
        self._analysis: BoardAnalysis | None = None
        self._fields: dict[tuple[str, int, FieldMethod], Floats] = {}
        #: Makes the analysis of a board; another one than `BoardAnalysis` may keep them.
        self.analyze: Callable[[CardsLike], BoardAnalysis] = BoardAnalysis

    # ------------------------------------------------------------------------------------------- the hand

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players of the hand, by seat."""
        return self._names

    @property
    def board(self) -> tuple[int, ...]:
        """The board as far as the modeler has seen it."""
        return self._board

    @property
    def analysis(self) -> BoardAnalysis | None:
        """The analysis of that board; None before the flop."""
        return self._analysis

    @property
    def learns(self) -> bool:
        """Whether anything is carried from hand to hand."""
        return self._specific

    def start(self, players: Iterable[str]) -> None:
        """Begin a new hand: every table is uniform again.

        `observe` does so by itself when a decision belongs to another hand.

        Raises
        ------
        ValueError
            If two players have the same name.
        """
        names = tuple(players)
        if len(set(names)) != len(names):
            raise ValueError(f"players must have different names, got {', '.join(names)}")
        self._names = names
        self._seats = [_Seat() for _ in names]
        self._fields.clear()
        self._round = 0
        self._board = ()
        self._analysis = None
        self._hand = None
        self._last_index = -1

    def deal(self, board: CardsLike) -> None:
        """See the board of a new round: holdings that it rules out lose their weight.

        `observe` does so by itself; call it only to look at tables between a new card and the next action.

        Parameters
        ----------
        board : cards
            All board cards so far: 0, 3, 4 or 5.

        Raises
        ------
        ValueError
            If it is not a board, or does not begin with the cards seen before.
        """
        if type(board) is tuple and board == self._board:
            return
        analysis = self.analyze(board) if board else None
        cards = analysis.board if analysis else ()
        if cards[: len(self._board)] != self._board:
            raise ValueError(f"board {cards_text(cards)!r} does not continue {cards_text(self._board)!r}")
        if cards == self._board:
            return
        self._fields.clear()
        self._board = cards
        self._analysis = analysis
        self._round = len(cards) - 2
        live = self._live()
        for seat in self._seats:
            if not seat.active:
                continue
            seat.weights = np.where(live, seat.weights, 0.0)
            seat.round_start = seat.weights
            seat.seen = None

    def _seat(self, player: str | int) -> int:
        if isinstance(player, str):
            if player not in self._names:
                raise ValueError(f"unknown player {player!r}: the hand has {', '.join(self._names) or 'nobody yet'}")
            return self._names.index(player)
        if not 0 <= player < len(self._names):
            raise ValueError(f"seat {player} is out of range: the hand has {len(self._names)} players")
        return player

    def table(self, player: str | int) -> WeightTable:
        """A player's table.

        Parameters
        ----------
        player : str or int
            Name or seat.

        Returns
        -------
        WeightTable
            Board cards are dead. For a player who folded, the last one he had.

        Raises
        ------
        ValueError
            If there is no such player in the hand.
        """
        return WeightTable(self._seats[self._seat(player)].weights, dead=self._board)

    def opponents(self, player: str | int) -> tuple[int, ...]:
        """Seats of a player's opponents that have not folded."""
        own = self._seat(player)
        return tuple(k for k, seat in enumerate(self._seats) if seat.active and k != own)

    def opponent_tables(self, player: str | int) -> list[Floats]:
        """Weights of a player's opponents that have not folded, each of shape (1326,)."""
        return [self._seats[k].weights for k in self.opponents(player)]

    def field(self, player: str | int, method: FieldMethod | None = None) -> Floats:
        """A player's opponents seen as one.

        Parameters
        ----------
        player : str or int
            Name or seat.
        method : {"mean", "maximum", "product"}, optional
            As `field_array`; the modeler's own without. For a ``product``, which has no array, the mean.

        Returns
        -------
        ndarray of float64, shape (1326,)
            Kept until a table changes: do not write to it.

        Raises
        ------
        ValueError
            If there is no opponent, or the player or method is unknown.
        """
        seat, how = self._seat(player), method or self._field_method
        key = ("weights", seat, how)
        if key not in self._fields:
            self._fields[key] = field_array(self.opponent_tables(seat), "mean" if how == "product" else how)
        return self._fields[key]

    def strengths(self, player: str | int, method: FieldMethod | None = None) -> Floats:
        """Hand strength of every holding against one of a player's opponents.

        Parameters
        ----------
        player, method
            As `field`. For a ``product`` the geometric mean of the strengths against each.

        Returns
        -------
        ndarray of float64, shape (1326,)
            HS1; against all n opponents it is its n-th power. Kept until a table changes: do not write to it.

        Raises
        ------
        ValueError
            As `field`, or if there is no board yet.
        """
        if self._analysis is None:
            raise ValueError("there is no hand strength before the flop")
        seat, how = self._seat(player), method or self._field_method
        key = ("strengths", seat, how)
        if key not in self._fields:
            if how == "product":
                self._fields[key] = field_strengths(self._analysis, self.opponent_tables(seat), how)[0]
            else:
                self._fields[key] = self._analysis.strengths(self.field(seat, how))
        return self._fields[key]

    def frequencies(self, player: str | int, context: Context) -> Floats:
        """Fold, call and raise frequencies that the model reckons with: float64 (3,)."""
        name = self._names[self._seat(player)]
        if self._specific and name in self.book:
            return self.book[name].frequencies(context)
        return np.array(DEFAULT_FREQUENCIES[context.bets])

    # ---------------------------------------------------------------------------------------- observation

    def observe(self, decision: Decision) -> Observation:
        """Learn from one action.

        Parameters
        ----------
        decision : Decision
            The next action of the hand, or the first of another one.

        Returns
        -------
        Observation
            What was made of it.

        Raises
        ------
        ValueError
            If the decision does not follow the one before.
        """
        self._follow(decision)
        seat = self._seats[decision.seat]
        before = seat.weights
        if decision.act == Act.FOLD:
            seat.active = False
            self._fields.clear()
            if decision.out_of_turn:
                return self._nothing(decision, None, "left the hand out of turn: says nothing")
        context = Context.of(decision.round, decision.bets_to_call)
        if self._specific:
            self.book.setdefault(decision.player, ActionCounts()).add(context, decision.act)
        if decision.act == Act.FOLD:
            return self._nothing(decision, context, "a fold: the table is dropped")
        if decision.act == Act.CALL and decision.to_call == 0:
            return self._nothing(decision, context, "a check says nothing")

        frequencies = self.frequencies(decision.seat, context)
        threshold: Threshold | None
        if decision.round == 0:
            threshold = preflop_threshold(frequencies, decision.act)
        else:
            threshold = postflop_threshold(frequencies, decision.act)
        values, exempt = self._judge(decision)
        if threshold is None:
            reason = "done with more than 95 % of all holdings: says nothing"
        elif seat.seen is not None and threshold.percentile <= seat.seen:
            reason = "no higher threshold than an earlier one of this round"
        else:
            mu, sigma = threshold.mu, threshold.sigma
            after = reweight(seat.round_start, values, mu, sigma, exempt=exempt, compensate=decision.round > 0)
            seat.weights = np.where(self._live(), after, 0.0)
            self._fields.clear()
            seat.seen = threshold.percentile
            reason = f"a {decision.name}: holdings below the threshold lose weight"
        return Observation(
            decision=decision,
            context=context,
            frequencies=frequencies,
            threshold=threshold,
            values=values,
            exempt=exempt,
            reweighted=seat.weights is not before,
            reason=reason,
            weights_before=before,
            weights_after=seat.weights,
        )

    def _follow(self, decision: Decision) -> None:
        """Make sure that the decision is the next one, or begin its hand."""
        hand = (decision.source, decision.hand_id)
        if hand != self._hand or decision.index <= self._last_index or decision.players != self._names:
            if decision.index != 0 and (self._hand is not None or not self._names):
                raise ValueError(
                    f"decision {decision.index} of hand {decision.hand_id} does not follow: expected "
                    + (f"decision {self._last_index + 1}" if hand == self._hand else "the hand's first")
                )
            if decision.index == 0:
                self.start(decision.players)
            self._hand = hand
        elif decision.index != self._last_index + 1:
            raise ValueError(
                f"decision {decision.index} of hand {decision.hand_id} does not follow decision {self._last_index}"
            )
        self._last_index = decision.index
        self.deal(decision.board)

    def _live(self) -> NDArray[np.bool_]:
        return live_holdings() if self._analysis is None else self._analysis.live

    def _nothing(self, decision: Decision, context: Context | None, reason: str) -> Observation:
        weights = self._seats[decision.seat].weights
        return Observation(decision, context, None, None, None, None, False, reason, weights, weights)

    def _judge(self, decision: Decision) -> tuple[Floats, NDArray[np.bool_] | None]:
        """Values of all holdings in the actor's place, and those exempt for their pot odds."""
        if self._analysis is None:
            return income_rates_by_holding(7), None
        hs = self.strengths(decision.seat)
        if self._crude_potential == "outs":
            potential = self._analysis.crude_potentials()
        else:
            potential = self._analysis.evaluate(None, lookahead=1).ppot
        values = hs + (1.0 - hs) * potential
        if decision.round == 3:
            return values, None
        odds = decision.put_in / (decision.pot + decision.put_in)
        return values, potential >= odds

    def showdown(self, player: str | int, holding: CardsLike) -> Judgement:
        """Learn that a player held a holding, and say how probable it had been judged.

        Loki-1 learns nothing from it: its tables come from actions alone.

        Parameters
        ----------
        player : str or int
            Name or seat.
        holding : cards
            His two cards.

        Returns
        -------
        Judgement
            By the player's table as it is.

        Raises
        ------
        ValueError
            If there is no such player, or the board rules the holding out.
        """
        return Judgement.of(self.table(player), holding)
