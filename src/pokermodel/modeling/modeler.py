"""The Opponent Modeler: a weight table for every player of a hand, kept up to date action by action."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel._options import Option, choice, number, read_options
from pokermodel.cards import (
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    holding_index,
    holding_text,
    live_holdings,
)
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.modeling.bayes import BayesTables, Trail
from pokermodel.modeling.contexts import ContextBook, ContextModel, HandStory, RichContext
from pokermodel.modeling.field import CrudePotential, FieldMethod, crude_values, field_array, field_strengths
from pokermodel.modeling.frequencies import DEFAULT_FREQUENCIES, ActionCounts, Context
from pokermodel.modeling.reweighting import ramp_triples, reweight
from pokermodel.modeling.strength_classes import strength_classes
from pokermodel.modeling.thresholds import Threshold, postflop_threshold, preflop_threshold
from pokermodel.modeling.triples import (
    RANK_NOISE,
    RECENT_ACTIONS,
    Borders,
    Thresholds,
    TripleGenerator,
    multiply_by_triples,
    ranked_triples,
    specific_frequencies,
    spot_of,
)
from pokermodel.preflop import income_rates_by_holding
from pokermodel.weights import WeightTable

__all__ = ["BACK_OFF", "MODELS", "Expectation", "Judgement", "Observation", "OpponentModeler", "model_options"]

Floats: TypeAlias = NDArray[np.float64]
System: TypeAlias = Literal["A", "B", "B-weighted", "rank"]
Preflop: TypeAlias = Literal["loki1", "product"]
Contexts: TypeAlias = Literal["twelve", "previous", "rich"]

#: Observations that a player's frequencies in Loki-1's contexts are worth, where those with his previous action are
#: added (ours).
BACK_OFF = 20


class _Model(NamedTuple):
    triples: bool  # re-weights by triples after the flop, not by a ramp
    specific: bool  # learns the players one by one
    system: System = "A"
    preflop: Preflop = "loki1"
    contexts: Contexts = "twelve"
    bayes: bool = False  # its triples come from tables by class of holding, before the flop too, and for folds


_MODELS = {
    "loki1": _Model(triples=False, specific=False),
    "gom": _Model(triples=False, specific=False),
    "som": _Model(triples=False, specific=True),
    "loki2": _Model(triples=True, specific=False),
    "loki2:som": _Model(triples=True, specific=True),
    "loki2:contexts": _Model(triples=True, specific=True, system="rank", preflop="product", contexts="rich"),
    "bpp": _Model(triples=True, specific=True, bayes=True),
}
#: Names of the models.
MODELS = tuple(_MODELS)


def _kind(model: str) -> _Model:
    if model not in _MODELS:
        raise ValueError(f"unknown model {model!r}: expected one of {', '.join(_MODELS)}")
    return _MODELS[model]


def model_options(model: str) -> dict[str, Option]:
    """What may be set in the text of a model, and how it is read.

    Raises
    ------
    ValueError
        If there is no model of that name.

    Examples
    --------
    >>> list(model_options("som"))
    ['field', 'crude_potential', 'contexts']
    """
    kind = _kind(model)
    if kind.bayes:
        return {}
    options = {"field": choice(*get_args(FieldMethod)), "crude_potential": choice(*get_args(CrudePotential))}
    if kind.triples:
        options |= {"system": choice(*get_args(System)), "noise": number, "preflop": choice(*get_args(Preflop))}
    if kind.specific:
        options["contexts"] = choice(*get_args(Contexts))
    return options


@dataclass(frozen=True, eq=False, slots=True)
class Expectation:
    """What a player is held to do in a situation, by his triples.

    Attributes
    ----------
    generator : TripleGenerator or None
        How he decides. Its `core` can play him out. None for BPP, which goes by tables.
    frequencies : ndarray of float64, shape (3,), or None
        Fold, call and raise frequencies behind it; None for BPP, and where the user handed in how he decides.
    borders : Borders or None
        Where one act gives way to another with so many bets to call; None if he goes by a table.
    values : ndarray of float64, shape (1326,)
        What is compared with the borders: income rates before the flop, effective strength after it (for BPP the
        strength against anybody). nan where a holding is not possible.
    triples : ndarray of float64, shape (1326, 3)
        Probability of fold, call and raise with each holding; nan where it is not possible.
    predicted : ndarray of float64, shape (3,)
        Their mean by the player's weights: how likely each act is, all in all.
    """

    generator: TripleGenerator | None
    frequencies: Floats | None
    borders: Borders | None
    values: Floats
    triples: Floats
    predicted: Floats


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
        model learns. None where it was not judged: folds, checks under Loki-1's rule, and players for whom a
        generator was handed in.
    threshold : Threshold or None
        What the action says about the holding under Loki-1's rule; None where it says nothing.
    values : ndarray of float64, shape (1326,), or None
        What threshold or borders were compared with: income rates before the flop (thousandths of a bet),
        effective strength after it. nan where a holding is not possible.
    exempt : ndarray of bool, shape (1326,), or None
        Holdings whose weight was left because they had the pot odds for the action.
    reweighted : bool
        Whether the table changed.
    reason : str
        Why, or why not, in words.
    dead : tuple of int
        Cards that the actor's table rules out.
    weights_before, weights_after : ndarray of float64, shape (1326,)
        The actor's weights before and after the action. After a fold they are the last ones he had; BPP re-weights
        for it, too.
    expected : Expectation or None
        What the actor was held to do, where he was judged by triples.
    """

    decision: Decision
    context: Context | None
    frequencies: Floats | None
    threshold: Threshold | None
    values: Floats | None
    exempt: NDArray[np.bool_] | None
    reweighted: bool
    reason: str
    dead: tuple[int, ...]
    weights_before: Floats
    weights_after: Floats
    expected: Expectation | None = None

    @property
    def before(self) -> WeightTable:
        """The actor's table before the action."""
        return WeightTable(self.weights_before, dead=self.dead)

    @property
    def after(self) -> WeightTable:
        """The actor's table after the action."""
        return WeightTable(self.weights_after, dead=self.dead)


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


def _weighed(weights: Floats, expected: Expectation, act: Act) -> Floats:
    """Weights times the probability of an act, the greatest of them 1."""
    after: Floats = weights * np.nan_to_num(expected.triples[:, act])
    scaled: Floats = after / after.max()
    return scaled


#: Weights are replaced, never written to.
_UNIFORM: Floats = np.ones(N_HOLDINGS)
_UNIFORM.setflags(write=False)
_NO_POTENTIAL: Floats = np.zeros(N_HOLDINGS)


@cache
def _income_shares() -> Floats:
    """For each holding the share of holdings with a lower income rate, those with the same counting half."""
    rates = income_rates_by_holding(7)
    ranked = np.sort(rates)
    shares: Floats = (np.searchsorted(ranked, rates, "left") + np.searchsorted(ranked, rates, "right")) / 2 / len(rates)
    shares.setflags(write=False)
    return shares


class _Seat:
    """What is known of one player in the hand at hand."""

    __slots__ = ("active", "round_start", "seen", "weights")

    def __init__(self) -> None:
        self.weights: Floats = _UNIFORM
        self.round_start: Floats = self.weights
        self.seen: float | None = None  # highest percentile that re-weighted in this round
        self.active = True


class _Ramped(NamedTuple):
    """What Loki-1's rule makes of an act, as in `Observation`."""

    frequencies: Floats
    threshold: Threshold | None
    values: Floats
    exempt: NDArray[np.bool_] | None
    after: Floats | None  # the new weights; None where they stay
    reason: str  # why they stay


class _Copies(MutableMapping[str, ActionCounts]):
    """Counts of players to add to, which start as those of a mapping that cannot be changed."""

    def __init__(self, known: Mapping[str, ActionCounts]) -> None:
        self._known = known
        self._copies: dict[str, ActionCounts] = {}

    def __getitem__(self, name: str) -> ActionCounts:
        found = self._copies.get(name)
        if found is None:  # another thread's, if it was first
            found = self._copies.setdefault(name, ActionCounts(self._known[name].values))
        return found

    def setdefault(self, name: str, default: ActionCounts) -> ActionCounts:
        """Counts of a player, or these from now on if there are none; threads that ask at once get the same."""
        try:
            return self[name]
        except KeyError:
            return self._copies.setdefault(name, default)

    def __setitem__(self, name: str, counts: ActionCounts) -> None:
        self._copies[name] = counts

    def __delitem__(self, name: str) -> None:
        del self._copies[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, *self._copies]))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class OpponentModeler:
    """Reads the players of a hand from their actions, as Loki-1 (Papp 1998, chapter 7), Loki-2 (Peña 1999) or BPP did.

    Every player has a weight for each of the 1,326 holdings, 1 at the start of a hand.

    Loki-1: a call or raise gives a threshold mu, from how often this player acts so in this context, and
    multiplies the weights that the round began with by a ramp around mu; only the highest threshold of a round
    counts. Folds, checks and blinds say nothing. Tables are made from public information alone: board cards are
    ruled out, nobody's own cards are, and there is one for every player, the hero too.

    Loki-2: before the flop as Loki-1. After it every action but a fold, checks included, multiplies the weight of
    each holding by the probability that the player does it with that holding (`TripleGenerator`). The hero's cards,
    where they are known (`hold`), are ruled out in the tables of the others.

    BPP, the Bayesian Poker Program (Korb, Nicholson and Jitnah 1999), carried to hold'em: every action, folds and
    those before the flop included, multiplies the weight of each holding by the probability that this player does it
    with a holding of its class, by tables that are learnt from whole hands (`learn`); see
    `pokermodel.modeling.bayes.BayesTables`.

    Parameters
    ----------
    model : str
        One of "loki1", "gom", "som", "loki2", "loki2:som", "loki2:contexts" and "bpp".

        ``gom``, the generic model and what ``loki1`` means, judges everybody by `DEFAULT_FREQUENCIES`; ``som``,
        the specific one, by what each player did before, mixed with the defaults while that is little.
        ``loki2`` judges everybody alike too; ``loki2:som`` each by all that he did and by his last 20 actions
        after the flop, see `specific_frequencies`; and ``loki2:contexts`` by all that the table sees: it is
        ``loki2:som?contexts=rich&system=rank&preflop=product``. Options that are words or numbers can be written so,
        and then go before others. ``bpp`` learns all players and each.
    book : mapping of str to ActionCounts, optional
        What is known of the players by name; empty without. The specific models add to it, or, where it cannot be
        changed, to copies of its counts. A `Book` knows their latest actions and richer contexts, too; with a plain
        mapping these are counted from now on.
    hero : str, optional
        The player whom the user advises.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `field_strengths`.
    crude_potential : {"outs", "exact1"}
        What stands for the potential in re-weighting: the count of outs, as in the original, or the exact
        one-card potential against uniform weights.
    public_models : bool, optional
        Keep the hero's cards possible in the tables of the others, as Loki-1 did. Default: what the model did.
    system : {"A", "B", "B-weighted", "rank"}, optional
        Triples only: borders by the values of holdings, as in Loki-2 (A), or by their rank among all holdings of
        the board, as in Poki (B); ``B-weighted`` weighs them by the player's table, which is ours; see
        `Thresholds.ranked`. ``rank``, ours, too, goes by weighted ranks throughout, and reads folds; see
        `ranked_triples`. Default: A; rank for ``loki2:contexts``.
    noise : float, optional
        Triples only: share of every triple that is spread evenly, 0 to 1 (Davidson 2002); by ``rank``, as his
        frequencies are. Default: 0; .45 by rank.
    preflop : {"loki1", "product"}, optional
        Triples only: Loki-1's ramp before the flop, or triples there too, as in Poki, see `Thresholds.preflop`.
        Default: the ramp; triples for ``loki2:contexts``.
    contexts : {"twelve", "previous", "rich"}, optional
        Specific models only: where actions are counted. ``twelve``: in Loki-1's contexts. ``previous``: there and by
        the player's previous action in the hand and whether it had bets to call; what the twelve say counts as 20
        observations there (the contexts are those of Davidson et al. 2000, the number is ours). ``rich``: in all
        that the table sees, see `ContextModel`. Default: twelve; rich for ``loki2:contexts``.
    generators : TripleGenerator or mapping of str to TripleGenerator, optional
        Triples only: how all players, or those named, decide after the flop, in the place of the model's
        thresholds (and of `field`, `crude_potential`, `system` and `noise`). Of the form ``reweighting``.
    tables : BayesTables, optional
        BPP only: what it knows, and adds to. Without, what `default_table` says of anybody.

    Raises
    ------
    ValueError
        If the model or an option is unknown, out of range, or not for this model.

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
        book: Mapping[str, ActionCounts] | None = None,
        hero: str | None = None,
        *,
        field: FieldMethod = "mean",
        crude_potential: CrudePotential = "outs",
        public_models: bool | None = None,
        system: System | None = None,
        noise: float | None = None,
        preflop: Preflop | None = None,
        contexts: Contexts | None = None,
        generators: TripleGenerator | Mapping[str, TripleGenerator] | None = None,
        tables: BayesTables | None = None,
    ) -> None:
        name, _, options = model.partition("?")
        kind = _kind(name)
        told = read_options(options, f"model {name}", model_options(name))
        field, crude_potential = told.get("field", field), told.get("crude_potential", crude_potential)
        system, noise = told.get("system", system), told.get("noise", noise)
        preflop, contexts = told.get("preflop", preflop), told.get("contexts", contexts)
        if tables is not None and not kind.bayes:
            raise ValueError(f"model {model!r} has no tables by class of holding: they are for 'bpp'")
        if (not kind.triples or kind.bayes) and (system, noise, preflop, generators) != (None, None, None, None):
            why = "goes by tables" if kind.bayes else "uses no triples"
            raise ValueError(f"model {model!r} {why}: system, noise, preflop and generators are for 'loki2'")
        if (not kind.specific or kind.bayes) and contexts is not None:
            raise ValueError(f"model {model!r} counts no actions of players: contexts are for 'som' and 'loki2:som'")
        system, preflop, contexts = system or kind.system, preflop or kind.preflop, contexts or kind.contexts
        if noise is None:
            noise = RANK_NOISE if system == "rank" else 0.0
        for what, value, choices in (
            ("field method", field, get_args(FieldMethod)),
            ("crude potential", crude_potential, get_args(CrudePotential)),
            ("system", system, get_args(System)),
            ("pre-flop re-weighting", preflop, get_args(Preflop)),
            ("contexts", contexts, get_args(Contexts)),
        ):
            if value not in choices:
                raise ValueError(f"unknown {what} {value!r}: expected one of {', '.join(choices)}")
        self.model = model
        self.hero = hero
        self._source = book
        self.book: MutableMapping[str, ActionCounts] = (
            {} if book is None else book if isinstance(book, MutableMapping) else _Copies(book)
        )
        self._by_triples, self._specific = kind.triples, kind.specific
        #: What BPP knows; None for the others.
        self.tables: BayesTables | None = None
        if kind.bayes:
            self.tables = BayesTables() if tables is None else tables
        self.public_models = not self._by_triples if public_models is None else public_models
        self._field_method: FieldMethod = field
        self._crude_potential: CrudePotential = crude_potential
        self._system: System = system
        self._noise = noise
        self._preflop: Preflop = preflop
        self._contexts: Contexts = contexts
        self._known: ContextModel | None = None
        if contexts != "twelve":
            self._known = ContextModel(self._source if isinstance(self._source, ContextBook) else None)
        self._story = self._counted = HandStory(0)  # of the hand that is read, and of the one that is counted
        self._number = 0  # of the richer context of the latest decision
        self._generators = generators
        for generator in generators.values() if isinstance(generators, Mapping) else (generators,):
            if generator is not None and generator.form != "reweighting":
                raise ValueError(f"generators must be of the form 'reweighting', got one of {generator.form!r}")
        self._generic = self._generator(Thresholds.gom())
        self._recent: dict[str, deque[tuple[Context, Act]]] = {}
        self._hand: tuple[str, str] | None = None
        self._last_index = -1
        self._names: tuple[str, ...] = ()
        self._seats: list[_Seat] = []
        self._round = 0
        self._board: tuple[int, ...] = ()
        self._own_cards: tuple[int, ...] = ()
        self._analysis: BoardAnalysis | None = None
        self._fields: dict[tuple[str, int, FieldMethod], Floats] = {}
        self._trail = Trail()
        self._worths: dict[int, tuple[Floats, Floats]] = {}
        #: Whether `observe` counts actions into the book, where the model is a specific one. If not, `count` does.
        self.learning = True
        #: Makes the analysis of a board; another one than `BoardAnalysis` may keep them.
        self.analyze: Callable[[CardsLike], BoardAnalysis] = BoardAnalysis

    @property
    def specific(self) -> bool:
        """Whether the model learns the players one by one."""
        return self._specific

    @property
    def uses_triples(self) -> bool:
        """Whether the model re-weights by triples after the flop."""
        return self._by_triples

    @property
    def reads_folds(self) -> bool:
        """Whether a fold re-weights, so that the last table of who folded is that of what he folded."""
        return self.tables is not None or self._system == "rank"

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
        self._forget()
        self._trail = Trail()
        self._story = HandStory(len(names))
        self._round = 0
        self._board = ()
        self._own_cards = ()
        self._analysis = None
        self._hand = None
        self._last_index = -1

    def hold(self, holding: CardsLike) -> None:
        """See the hero's cards: nobody else can have them, unless models are public.

        Call it after `start` and before the first action. Every hand has to be told its own.

        Parameters
        ----------
        holding : cards
            The hero's two cards.

        Raises
        ------
        ValueError
            If it is not two cards, there is no hero in the hand, or it has begun.
        """
        cards = card_indices(holding)
        holding_index(cards)
        if self.hero is None or self.hero not in self._names:
            raise ValueError(f"no hero in the hand who could hold cards: hero is {self.hero!r}")
        if self._hand is not None or self._board:
            raise ValueError("the hero's cards have to be seen before the first action of the hand")
        self._own_cards = cards
        for k, seat in enumerate(self._seats):
            seat.weights = np.where(self._live(k), 1.0, 0.0)
            seat.round_start = seat.weights

    def _dead(self, seat: int) -> tuple[int, ...]:
        """Cards that a seat cannot hold, as far as its table may know."""
        if self.public_models or self._names[seat] == self.hero:
            return self._board
        return self._board + self._own_cards

    def _live(self, seat: int) -> NDArray[np.bool_]:
        dead = self._dead(seat)
        if self._analysis is not None and dead == self._board:
            return self._analysis.live
        return live_holdings(dead)

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
            If it is not a board, does not begin with the cards seen before, or has one of the hero's cards.
        """
        if type(board) is tuple and board == self._board:
            return
        analysis = self.analyze(board) if board else None
        cards = analysis.board if analysis else ()
        if cards[: len(self._board)] != self._board:
            raise ValueError(f"board {cards_text(cards)!r} does not continue {cards_text(self._board)!r}")
        if cards == self._board:
            return
        if set(cards) & set(self._own_cards):
            raise ValueError(f"board {cards_text(cards)!r} has a card of the hero's {cards_text(self._own_cards)!r}")
        self._forget()
        self._board = cards
        self._analysis = analysis
        self._round = len(cards) - 2
        live = live_holdings() if analysis is None else analysis.live
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
            Board cards are dead, and the hero's in the tables of the others unless models are public. For a
            player who folded, the last one he had.

        Raises
        ------
        ValueError
            If there is no such player in the hand.
        """
        seat = self._seat(player)
        return WeightTable(self._seats[seat].weights, dead=self._dead(seat))

    def weights(self, player: str | int) -> Floats:
        """A player's weights: float64 (1326,). They are replaced, not changed: do not write to them.

        Those that `table` shows, but that cards of the board which came after he folded are not ruled out.
        """
        return self._seats[self._seat(player)].weights

    @property
    def active(self) -> tuple[int, ...]:
        """Seats that have not folded."""
        return tuple(k for k, seat in enumerate(self._seats) if seat.active)

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

    def frequencies(self, player: str | int, context: Context | Decision | Situation) -> Floats:
        """Fold, call and raise frequencies that the model reckons with: float64 (3,).

        In a context of Loki-1 they are those of the twelve, whatever the model counts; in a situation, or before a
        decision, of the hand at hand, those of the model's own contexts.
        """
        seat = self._seat(player)
        if isinstance(context, Context):
            found: Floats = self._by_twelve(seat, context.round)[context.bets]
        else:
            found = self._all_frequencies(seat, context)[min(context.bets_to_call, 2)]
        return found

    def _all_frequencies(self, seat: int, situation: Decision | Situation) -> Floats:
        """The same in a situation, and if there were another number of bets to call: float64 (3, 3)."""
        if self._known is None:
            return self._by_twelve(seat, situation.round)
        context = RichContext.of(self._number_of(situation))
        if self._contexts == "rich":
            numbers = [context._replace(bets=bets).number for bets in range(3)]
            return self._known.frequencies_of(self._names[seat], np.array(numbers, dtype=np.intp))
        own = self._known.counts(self._names[seat]).coarse[context.round, :, context.previous, context.had_bets]
        twelve = self._by_twelve(seat, situation.round)
        mixed: Floats = (own + BACK_OFF * twelve) / (own.sum(axis=1, keepdims=True) + BACK_OFF)
        return mixed

    def _number_of(self, situation: Decision | Situation) -> int:
        """The richer context of a situation; of the decision that was seen last, as it was then."""
        if isinstance(situation, Decision) and self._hand is not None and situation.index == self._last_index:
            return self._number
        return self._story.context(situation)

    def _by_twelve(self, seat: int, round: int) -> Floats:
        """Frequencies by the twelve contexts: float64 (3, 3)."""
        name = self._names[seat]
        if not self._specific or name not in self.book:
            return np.array(DEFAULT_FREQUENCIES)
        return specific_frequencies(self.book[name], round, self._latest(name) if round > 0 else ())

    def _latest(self, name: str) -> deque[tuple[Context, Act]]:
        """A player's latest actions, as far as the model looks at them."""
        if name not in self._recent:
            known = self._source.recent(name) if self._by_triples and isinstance(self._source, ContextBook) else ()
            self._recent[name] = deque(known, maxlen=RECENT_ACTIONS)
        return self._recent[name]

    def _generator(self, thresholds: Thresholds) -> TripleGenerator:
        return TripleGenerator(
            thresholds,
            form="reweighting",
            noise=self._noise,
            field=self._field_method,
            crude_potential=self._crude_potential,
        )

    def _by_rank(self, frequencies: Floats, values: Floats, weights: Floats) -> TripleGenerator:
        return TripleGenerator(
            form="reweighting",
            table=ranked_triples(frequencies, values, weights, noise=self._noise),
            field=self._field_method,
            crude_potential=self._crude_potential,
        )

    def _own_generator(self, player: str) -> TripleGenerator | None:
        """How a player decides, if the user knows."""
        if isinstance(self._generators, Mapping):
            return self._generators.get(player)
        return self._generators

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
        if self._known is not None:
            self._number = self._story.context(decision)
            self._story.see(decision)
        if decision.act == Act.FOLD:
            self._seats[decision.seat].active = False
            self._forget()
            if decision.out_of_turn:
                return self._nothing(decision, None, "left the hand out of turn: says nothing")
        context = Context.of(decision.round, decision.bets_to_call)
        if self.tables is not None:
            return self._weigh(decision, context)
        if self.learning:
            self.count(decision)
        if decision.act == Act.FOLD:
            if self.reads_folds and self._multiplies(decision.round) and decision.act in decision.legal:
                return self._multiply(decision, context)
            return self._nothing(decision, context, "a fold: the table is dropped")
        if self._multiplies(decision.round):
            return self._multiply(decision, context)
        if decision.act == Act.CALL and decision.to_call == 0:
            return self._nothing(decision, context, "a check says nothing")
        return self._ramp(decision, context)

    def _multiplies(self, round: int) -> bool:
        return self._by_triples and (round > 0 or self._preflop == "product")

    def imagine(self, situation: Decision | Situation, act: Act) -> Floats:
        """What a player's table would be if he did something now; nothing is learnt.

        Parameters
        ----------
        situation : Situation
            Before the next action of the hand.
        act : Act
            What he would do, but for a fold; a raise puts in a whole bet.

        Returns
        -------
        ndarray of float64, shape (1326,)
            His weights. Do not write to them.

        Raises
        ------
        ValueError
            If the situation is not one of the hand, or the act a fold.
        """
        if act == Act.FOLD:
            raise ValueError("a fold leaves no table: expected a call or a raise")
        seat = self._seats[self._seat(situation.player)]
        self.deal(situation.board)
        if self.tables is not None:
            if act not in situation.legal:
                return seat.weights
            return _weighed(seat.weights, self.expect(situation), act)
        if self._multiplies(situation.round):
            return multiply_by_triples(seat.weights, self.expect(situation).triples, act)
        if act == Act.CALL and situation.to_call == 0:
            return seat.weights
        put_in = situation.to_call + situation.bet_size * (act == Act.RAISE)
        after = self._ramped(situation, act, put_in).after
        return seat.weights if after is None else after

    def learn(self, hand: Hand, decisions: Iterable[Decision] | None = None) -> None:
        """Learn the players of a finished hand that was not observed, or only with `learning` off.

        The specific models count what they did, which `observe` does by itself; BPP learns here alone. The others
        learn nothing.

        Parameters
        ----------
        hand : Hand
            Holdings that were not shown are not looked at.
        decisions : iterable of Decision, optional
            Its replay, if there is one already.

        Raises
        ------
        ValueError
            If the hand breaks the rules.
        """
        if self.tables is not None:
            self.tables.learn(hand, decisions)
            return
        if self._specific:
            for decision in hand.replay() if decisions is None else decisions:
                self.count(decision)

    def count(self, decision: Decision) -> None:
        """Learn how often a player does what, and nothing of the hand; `observe` does so by itself.

        Nothing is learnt by a model that judges everybody alike, nor from a player who leaves out of turn; nor by
        BPP, which learns from whole hands.
        """
        if not self._specific or self.tables is not None:
            return
        if self._known is not None:
            if decision.index == 0:
                self._counted = HandStory(len(decision.players))
            if not decision.out_of_turn:
                self._known.learn(decision.player, self._counted.context(decision), decision.act)
            self._counted.see(decision)
        if decision.out_of_turn:
            return
        context = Context.of(decision.round, decision.bets_to_call)
        self.book.setdefault(decision.player, ActionCounts()).add(context, decision.act)
        if context.round > 0 and self._by_triples:
            self._latest(decision.player).append((context, decision.act))

    def _ramp(self, decision: Decision, context: Context) -> Observation:
        """Re-weight as Loki-1: from the start of the round, by a ramp around the threshold."""
        seat = self._seats[decision.seat]
        before = seat.weights
        found = self._ramped(decision, decision.act, decision.put_in)
        if found.after is not None:
            assert found.threshold is not None
            seat.weights = found.after
            self._forget()
            seat.seen = found.threshold.percentile
        return Observation(
            decision=decision,
            context=context,
            frequencies=found.frequencies,
            threshold=found.threshold,
            values=found.values,
            exempt=found.exempt,
            reweighted=seat.weights is not before,
            reason=found.reason or f"a {decision.name}: holdings below the threshold lose weight",
            dead=self._dead(decision.seat),
            weights_before=before,
            weights_after=seat.weights,
        )

    def _ramped(self, situation: Decision | Situation, act: Act, put_in: int) -> _Ramped:
        """What the ramp makes of an act that puts so many chips in; nothing is changed."""
        seat = self._seats[situation.seat]
        frequencies = self.frequencies(situation.seat, situation)
        threshold: Threshold | None
        if situation.round == 0:
            threshold = preflop_threshold(frequencies, act)
        else:
            threshold = postflop_threshold(frequencies, act)
        values, potentials = self.values(situation.seat)
        exempt = self._exempt(potentials, situation.pot, put_in)
        after, reason = None, ""
        if threshold is None:
            reason = "done with more than 95 % of all holdings: says nothing"
        elif seat.seen is not None and threshold.percentile <= seat.seen:
            reason = "no higher threshold than an earlier one of this round"
        else:
            mu, sigma = threshold.mu, threshold.sigma
            after = reweight(seat.round_start, values, mu, sigma, exempt=exempt, compensate=situation.round > 0)
            after = np.where(self._live(situation.seat), after, 0.0)
        return _Ramped(frequencies, threshold, values, exempt, after, reason)

    def _multiply(self, decision: Decision, context: Context) -> Observation:
        """Re-weight as Loki-2: times the probability of the action, holding by holding."""
        seat = self._seats[decision.seat]
        before = seat.weights
        expected = self.expect(decision)
        seat.weights = multiply_by_triples(before, expected.triples, decision.act)
        self._forget()
        return Observation(
            decision=decision,
            context=context,
            frequencies=expected.frequencies,
            threshold=None,
            values=expected.values,
            exempt=None,
            reweighted=True,
            reason=f"a {decision.name}: weights times the chance of it, holding by holding",
            dead=self._dead(decision.seat),
            weights_before=before,
            weights_after=seat.weights,
            expected=expected,
        )

    def _weigh(self, decision: Decision, context: Context) -> Observation:
        """Re-weight as BPP: times the probability of the action, by the class of each holding."""
        assert self.tables is not None
        seat = self._seats[decision.seat]
        before = seat.weights
        if decision.act not in decision.legal:
            self._trail.observe(decision)
            return self._nothing(decision, context, f"a {decision.name} that was not called for: says nothing")
        expected = self.expect(decision)
        self._trail.observe(decision)
        seat.weights = _weighed(before, expected, decision.act)
        self._forget()
        return Observation(
            decision=decision,
            context=context,
            frequencies=None,
            threshold=None,
            values=expected.values,
            exempt=None,
            reweighted=True,
            reason=f"a {decision.name}: weights times the chance of it, class by class",
            dead=self._dead(decision.seat),
            weights_before=before,
            weights_after=seat.weights,
            expected=expected,
        )

    def _by_class(self, seen: Decision | Situation, seat: int) -> Expectation:
        """What BPP expects."""
        assert self.tables is not None
        weights = self._seats[seat].weights
        table = self.tables.table(self._trail.cells(seen), seen.legal, seen.player)
        triples = table[strength_classes(self._analysis)]
        predicted = weights @ triples / weights.sum()
        triples[~self._live(seat)] = np.nan
        return Expectation(
            generator=None,
            frequencies=None,
            borders=None,
            values=income_rates_by_holding(7) if self._analysis is None else self._analysis.strengths(),
            triples=triples,
            predicted=predicted,
        )

    def expect(self, decision: Decision | Situation) -> Expectation:
        """What the model holds a player to do in a situation, holding by holding.

        Parameters
        ----------
        decision : Decision or Situation
            The next action of the hand; what was done is not looked at.

        Returns
        -------
        Expectation
            Before the flop too, whether or not triples re-weight there.

        Raises
        ------
        ValueError
            If the model uses no triples, or the decision is not one of the hand.
        """
        if not self._by_triples:
            raise ValueError(f"model {self.model!r} uses no triples: expected 'loki2', 'loki2:som' or 'bpp'")
        seat = self._seat(decision.player)
        self.deal(decision.board)
        if self.tables is not None:
            return self._by_class(decision, seat)
        weights = self._seats[seat].weights
        generator = self._own_generator(decision.player) if self._analysis is not None else None
        frequencies: Floats | None = None
        if generator is None:
            frequencies = self._all_frequencies(seat, decision)
            generator = self._generator(Thresholds.from_frequencies(frequencies)) if self._specific else self._generic
        values, potentials = self.values(seat)
        compared = values
        if frequencies is not None and self._system == "rank":
            if self._analysis is None:
                compared = _income_shares()
            generator = self._by_rank(frequencies, compared, weights)
        elif self._analysis is None:
            assert frequencies is not None
            generator = self._generator(Thresholds.preflop(frequencies))
        elif frequencies is None:
            values, potentials, _ = generator.evaluate(self._analysis, self.opponent_tables(seat))
            compared = values
        elif self._system != "A":
            counted = weights if self._system == "B-weighted" else None
            generator = self._generator(Thresholds.ranked(frequencies, values, counted))
        triples = generator.apply(spot_of(decision), compared, potentials)
        possible = weights > 0
        bets = min(decision.bets_to_call, 2)
        return Expectation(
            generator=generator,
            frequencies=None if frequencies is None else frequencies[bets],
            borders=generator.borders(bets),
            values=values,
            triples=triples,
            predicted=weights[possible] @ triples[possible] / weights[possible].sum(),
        )

    def predict(self, situation: Situation) -> Floats:
        """How likely a player does what, all in all.

        Parameters
        ----------
        situation : Situation
            Before the next action of the hand.

        Returns
        -------
        ndarray of float64, shape (3,)
            Fold, call, raise: the mean of what he would do with each holding, by his weights. With triples that is
            `expect`; Loki-1's ramps are read as triples, see `ramp_triples`, and who would raise calls where the rules
            leave no room for it.

        Raises
        ------
        ValueError
            If the situation is not one of the hand.
        """
        if self._by_triples:
            return self.expect(situation).predicted
        seat = self._seat(situation.player)
        self.deal(situation.board)
        frequencies = self.frequencies(seat, situation)
        values, potentials = self.values(seat)
        before_flop = self._analysis is None
        rule = preflop_threshold if before_flop else postflop_threshold
        triples = ramp_triples(
            values,
            rule(frequencies, Act.RAISE),
            rule(frequencies, Act.CALL) if situation.to_call else None,
            exempt=self._exempt(potentials, situation.pot, situation.to_call),
            compensate=not before_flop,
        )
        weights = self._seats[seat].weights
        possible = weights > 0
        predicted: Floats = weights[possible] @ triples[possible] / weights[possible].sum()
        if Act.RAISE not in situation.legal:
            predicted = np.array([predicted[Act.FOLD], predicted[Act.CALL] + predicted[Act.RAISE], 0.0])
        return predicted

    def _follow(self, decision: Decision) -> None:
        """Make sure that the decision is the next one, or begin its hand."""
        hand = (decision.source, decision.hand_id)
        if hand != self._hand or decision.index <= self._last_index or decision.players != self._names:
            if decision.index != 0 and (self._hand is not None or not self._names):
                raise ValueError(
                    f"decision {decision.index} of hand {decision.hand_id} does not follow: expected "
                    + (f"decision {self._last_index + 1}" if hand == self._hand else "the hand's first")
                )
            begun = self._hand is not None or bool(self._board) or decision.players != self._names
            if decision.index == 0 and begun:
                self.start(decision.players)
            self._hand = hand
        elif decision.index != self._last_index + 1:
            raise ValueError(
                f"decision {decision.index} of hand {decision.hand_id} does not follow decision {self._last_index}"
            )
        self._last_index = decision.index
        self.deal(decision.board)

    def _nothing(self, decision: Decision, context: Context | None, reason: str) -> Observation:
        weights, dead = self._seats[decision.seat].weights, self._dead(decision.seat)
        return Observation(decision, context, None, None, None, None, False, reason, dead, weights, weights)

    def values(self, player: str | int) -> tuple[Floats, Floats]:
        """What all holdings are worth in a player's place, as re-weighting has it.

        Parameters
        ----------
        player : str or int
            Name or seat.

        Returns
        -------
        values : ndarray of float64, shape (1326,)
            Income rates before the flop; then ``HS1 + (1 - HS1)*PPOTc`` by the modeler's `field` and `crude_potential`.
        potentials : ndarray of float64, shape (1326,)
            PPOTc, 0 before the flop.

        Raises
        ------
        ValueError
            If there is no such player in the hand.
        """
        seat = self._seat(player)
        if self._analysis is None:
            return income_rates_by_holding(7), _NO_POTENTIAL
        if seat not in self._worths:
            opponents, strengths = self.opponent_tables(seat), self.strengths(seat)
            self._worths[seat] = crude_values(
                self._analysis, opponents, self._field_method, self._crude_potential, strengths=strengths
            )
        return self._worths[seat]

    def _forget(self) -> None:
        """Drop what was worked out from tables that have changed."""
        self._fields.clear()
        self._worths.clear()

    def _exempt(self, potentials: Floats, pot: int, put_in: int) -> NDArray[np.bool_] | None:
        """Holdings whose potential pays for so many chips; None where there is none."""
        if self._round in (0, 3):
            return None
        return potentials >= put_in / (pot + put_in) if put_in else None

    def showdown(self, player: str | int, holding: CardsLike) -> Judgement:
        """Learn that a player held a holding, and say how probable it had been judged.

        Nothing is learnt from it: tables come from actions alone. BPP learns from what was shown by `learn`.

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
