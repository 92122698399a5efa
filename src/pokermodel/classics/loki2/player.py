"""Loki-2 at a table (Peña 1999; Billings et al. 1999).

Three parts of it can be switched on, each by itself, and what remains off is Loki-1's:

- B, betting: acts are drawn from the probability triple of its own holding;
- R, re-weighting: what opponents can hold is judged by triples, its own cards left out;
- S, simulation: the act with the highest expected value is chosen, by playing the hand out.

Before the flop it plays as Loki-1 in all of them, unless its options say otherwise.

What the sources leave open about trials is an option of its own, ``trial_...``; the default is the reading that
`docs/experiments.md` argues for.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, Literal, TypeAlias, get_args

from pokermodel._core.playout import Loki1Rules
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice
from pokermodel.cards import holding_index
from pokermodel.classics.loki1.field import FieldMethod
from pokermodel.classics.loki1.opponents import SpotTables, reading_session
from pokermodel.classics.loki1.player import Loki1
from pokermodel.classics.loki1.preflop import (
    Strategy,
    in_small_blind,
    player_group,
    preflop_thresholds,
    rate_players,
    seats_paid,
)
from pokermodel.classics.loki2.decision_thresholds import OWN_CALLS, OWN_RAISES, BettingThresholds
from pokermodel.classics.loki2.modeled import modeled_generator
from pokermodel.classics.loki2.preflop import preflop_borders
from pokermodel.classics.loki2.reader import System
from pokermodel.classics.loki2.strategy import Loki2Strategy
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.simulation import (
    Advice,
    Feedback,
    Simulator,
    StopRule,
    TrialPotential,
    TrialStrength,
    close_acts,
)
from pokermodel.evaluation.dealing import DealingMode
from pokermodel.evaluation.preflop import income_rate
from pokermodel.game import Act, Decision, GameSpec
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import HandEnd, HandStart, Player, View

__all__ = [
    *("Loki2Player", "Parts", "PlayOptions", "PlayOut", "PreflopPlay", "ReadingOptions"),
    *("TrialOpponents", "TrialOptions", "TrialTriples", "select_act"),
]

#: How a simulation goes on after the first act: as the player would, or everybody calls.
PlayOut: TypeAlias = Literal["own", "call"]
#: How a player that bets by triples acts before the flop: as Loki-1, or by triples, too.
PreflopPlay: TypeAlias = Literal["loki1", "triples"]
#: Which triples the players of a trial draw from: those of Loki-2's own play, of re-weighting, or the printed rules.
TrialTriples: TypeAlias = Literal["own", "reweighting", "printed"]
#: How opponents act in a trial: all alike, or each as the reader expects of them.
TrialOpponents: TypeAlias = Literal["alike", "modeled"]


def select_act(triple: tuple[float, float, float], chance: float) -> Act:
    """Draw an act from a probability triple (Peña 1999, section 4.2.1).

    Parameters
    ----------
    triple : tuple of float
        Probability of fold, call and raise.
    chance : float
        A number of [0, 1); low ones fold. A player keeps one for a whole hand, so that they play all of it tamely or
        all of it boldly.

    Examples
    --------
    >>> [select_act((0.1, 0.65, 0.25), chance).name for chance in (0.05, 0.10, 0.74, 0.75)]
    ['FOLD', 'CALL', 'CALL', 'RAISE']
    """
    fold, call, _ = triple
    if chance < fold:
        return Act.FOLD
    return Act.CALL if chance < fold + call else Act.RAISE


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of Loki-2 are on; what is off is Loki-1's.

    Attributes
    ----------
    betting, reweighting, simulation : bool
        B, R and S.
    """

    betting: bool = True
    reweighting: bool = True
    simulation: bool = True


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How Loki-2 reads its opponents.

    Attributes
    ----------
    specific : bool
        Learn the opponents' own frequencies, in either way of re-weighting.
    model : str, optional
        Name of another reader, which has to infer holdings. It takes the place of R, `specific`, `noise` and `system`.
    noise : float, optional
        Spread over the triples that re-weight; see `OpponentModeler` for what it is without.
    system : {"A", "B", "B-weighted", "rank"}
        How frequencies become thresholds; see `OpponentModeler`.
    public_models : bool
        Re-weight as if its own cards were not known, even where the reader takes them into account.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one. Simulations have no product and take the mean for it.
    further : mapping of str to object
        Further options of the reader.

    Raises
    ------
    ValueError
        If `model` stands beside what it takes the place of.
    """

    specific: bool = False
    model: str | None = None
    noise: float | None = None
    system: System = "A"
    public_models: bool = False
    field: FieldMethod = "mean"
    further: Mapping[str, Any] = attribute(default_factory=dict)

    def __post_init__(self) -> None:
        given = {"specific": self.specific, "noise": self.noise is not None, "system": self.system != "A"}
        if self.model is not None:
            for name in (name for name, there in given.items() if there):
                raise ValueError(f"{name} does not go with model {self.model!r}, which says how opponents are read")


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """How Loki-2 simulates. What the sources leave open is an option, and the default the reading argued for.

    Attributes
    ----------
    trials : int
        At most, 2 or more.
    dealing : {"joint", "published"}
        How a simulation deals.
    stop : {"paired", "published", "none"}
        When it ends before its time.
    play_out : {"own", "call"}
        How it goes on: by triples with B, by Loki-1's rules without; or everybody calls.
    noticed : bool
        In play-outs the other players re-weight this one by its first act; without, their tables stay as before it. One
        that plays on by Loki-1's rules re-weights as Loki-1 does, too.
    strength : {"tables", "uniform"}
        Whether the players of a trial judge their holdings by the tables of their opponents or against any holding.
    potential : {"exact", "crude", "none"}
        Potential that they reckon with, see `Simulator`.
    pot_odds, showdown_odds : bool, optional
        Whether they call by these odds. Default: as the player does.
    triples : {"own", "reweighting", "printed"}
        With B, the triples that they draw from: those of Loki-2's own play, those that re-weight, with the thresholds
        of the generic opponent, or the four printed rules (Peña 1999, Fig 4.1).
    opponents : {"alike", "modeled"}
        With B, whether opponents act by the same triples as the player, or each by the frequencies that the reader
        expects of them (Billings et al. 2002, section 5.3).
    feedback : bool
        With B, correct what opponents do in trials by what they did; see `Feedback`.
    stratified : bool
        Have each turn card come once in each cycle of trials, and its rivers without replacement; see `Dealer`.
    seconds : float, optional
        Time for a simulation, see `Simulator`; what the player does then depends on the machine. Default: as long as it
        takes.

    Raises
    ------
    ValueError
        If a choice is unknown or a number out of range.
    """

    trials: int = 500
    dealing: DealingMode = "joint"
    stop: StopRule = "paired"
    play_out: PlayOut = "own"
    noticed: bool = False
    strength: TrialStrength = "tables"
    potential: TrialPotential = "exact"
    pot_odds: bool | None = None
    showdown_odds: bool | None = None
    triples: TrialTriples = "own"
    opponents: TrialOpponents = "alike"
    feedback: bool = False
    stratified: bool = False
    seconds: float | None = None

    def __post_init__(self) -> None:
        check_choice("play-out", self.play_out, get_args(PlayOut))
        check_choice("triples of trials", self.triples, get_args(TrialTriples))
        check_choice("opponents of trials", self.opponents, get_args(TrialOpponents))
        if self.trials < 2:
            raise ValueError(f"trials must be 2 or more, got {self.trials}")


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How Loki-2 acts.

    Attributes
    ----------
    preflop : {"loki1", "triples"}
        With B, how it acts before the flop; see `preflop_borders`.
    raise_shift : float
        With B, added to the values from which its own triples bet and raise: negative is aggressive.
    close : float
        With S, choose at random between acts whose expected value is at most so many small bets below the best (Peña
        1999, proposes it against people; the even odds are ours).
    deceptive : bool
        Without B and S, whether the rules of `pokermodel.classics.loki1.deception` are on: they are among Loki-1's
        (Peña 1999, section 3.2.2). B draws its acts from triples and S takes the best act; neither has a place for
        them.

    Raises
    ------
    ValueError
        If a choice is unknown or a number out of range.
    """

    preflop: PreflopPlay = "loki1"
    raise_shift: float = 0.0
    close: float = 0.0
    deceptive: bool = False

    def __post_init__(self) -> None:
        check_choice("pre-flop play", self.preflop, get_args(PreflopPlay))
        if not self.close >= 0:
            raise ValueError(f"close must be 0 or more small bets, got {self.close}")


_ALL_PARTS, _USUAL_READING, _USUAL_TRIALS, _USUAL_PLAY = Parts(), ReadingOptions(), TrialOptions(), PlayOptions()


class Loki2Player(Player):
    """Loki-2 in any combination of its parts.

    Parameters
    ----------
    **style
        Of `Loki1`: before the flop, and after it without B. Its `features` switch the odds and semi-bluffs of triples,
        too.

    Raises
    ------
    ValueError
        If an option that needs B or S is given without it, or one that excludes them with it.
    """

    def __init__(
        self,
        parts: Parts = _ALL_PARTS,
        reading: ReadingOptions = _USUAL_READING,
        simulating: TrialOptions = _USUAL_TRIALS,
        playing: PlayOptions = _USUAL_PLAY,
        **style: Any,
    ) -> None:
        by_triples = parts.betting and simulating.play_out == "own"
        by_other = (simulating.triples, simulating.opponents, simulating.feedback) != ("own", "alike", False)
        if by_other and not (by_triples and parts.simulation):
            raise ValueError("trial_triples, trial_opponents and feedback need play-outs by triples: parts B and S")
        if playing.preflop == "triples" and not parts.betting:
            raise ValueError("triples before the flop need part B")
        if playing.deceptive and (parts.betting or parts.simulation):
            raise ValueError("deceptive rules change Loki-1's acts: they do not go with part B or S")
        self.parts, self.reading, self.simulating, self.playing = parts, reading, simulating, playing
        self.loki = Loki1(field=reading.field, **style)
        features = self.loki.features
        switches = {name: getattr(features, name) for name in ("pot_odds", "showdown_odds", "semi_bluff")}
        own = BettingThresholds.around([mid + playing.raise_shift for mid in OWN_RAISES], OWN_CALLS)
        merged = reading.field
        self.generator = TripleGenerator(own, field=merged, **switches)
        for name, switch in (("pot_odds", simulating.pot_odds), ("showdown_odds", simulating.showdown_odds)):
            if switch is not None:
                switches[name] = switch
        #: How the player and, unless they are modeled, its opponents act in trials by triples.
        self._trial_self, self._trial_other = self.generator, TripleGenerator(field=merged, **switches)
        if simulating.triples == "reweighting":
            self._trial_self = self._trial_other = TripleGenerator(form="reweighting", field=merged, **switches)
        elif simulating.triples == "printed":
            self._trial_self = TripleGenerator(own, form="printed", field=merged, **switches)
            self._trial_other = TripleGenerator(BettingThresholds.own(), form="printed", field=merged, **switches)
        elif switches != {name: getattr(features, name) for name in switches}:
            self._trial_self = TripleGenerator(own, field=merged, **switches)
        self.simulator: Simulator | None = None
        self._make()  # wrong options are refused here
        if parts.simulation:
            rules = self._rules(switches["pot_odds"], switches["showdown_odds"])
            policy: object = "call" if simulating.play_out == "call" else "triples" if parts.betting else rules
            self.simulator = Simulator(
                policy=policy,
                generator=self._trial_other,
                dealing=simulating.dealing,
                stop=simulating.stop,
                field="maximum" if merged == "maximum" else "mean",
                strength=simulating.strength,
                potential=simulating.potential,
                stratified=simulating.stratified,
                seconds=simulating.seconds,
            )
        self._by_triples = by_triples
        self._feedback: dict[str, Feedback] | None = (
            {} if simulating.feedback else None
        )  # by the name that it plays under
        self._sessions: dict[str, OpponentModeler] = {}
        self._session: OpponentModeler | None = None
        self._unseen: list[Decision] = []
        self._start: HandStart | None = None
        self._chance = 0.0
        self._semi_bluff = False
        self._thresholds: Mapping[Strategy, float] | None = None  # before the flop, kept for the round
        self._rate = 0.0

    def _rules(self, pot_odds: bool, showdown_odds: bool) -> Loki1Rules:
        features = self.loki.features
        return Loki1Rules(
            self.loki.make1,
            self.loki.make2,
            pot_odds,
            showdown_odds,
            features.semi_bluff,
            features.simple,
            features.make0,
        )

    def _make(self, hero: str | None = None, book: Mapping[str, Any] | None = None) -> OpponentModeler:
        reading = self.reading
        about = {"hero": hero, "book": book, "folded_tables": self.parts.simulation, **reading.further}
        if reading.model is not None:
            public = True if reading.public_models else None
            return reading_session(reading.model, {"field": reading.field}, public_models=public, **about)
        if self.parts.reweighting:
            model = "loki2:som" if reading.specific else "loki2"
            return OpponentModeler(
                model,
                field=reading.field,
                public_models=reading.public_models,
                noise=reading.noise,
                system=reading.system,
                **about,
            )
        return OpponentModeler("som" if reading.specific else "gom", field=reading.field, **about)

    def strategy(self, name: str, spec: GameSpec) -> Loki2Strategy | None:
        """Loki-1's acts before the flop and triples after it, where it bets by triples and does not simulate."""
        if not self.parts.betting or self.parts.simulation or self.playing.preflop != "loki1":
            return None
        return Loki2Strategy(name, self._make().reader, deepcopy(self.loki), self.generator)

    @property
    def _own_session(self) -> bool:
        """Whether it needs tables of its own: those who judge alike, by public information alone, share them."""
        return self.parts.reweighting or self.parts.simulation or self.reading.model is not None

    # ------------------------------------------------------------------------------------------------ the hand

    def begin(self, start: HandStart) -> None:
        self._start = start
        self._chance = float(start.rng.random())
        self._semi_bluff = False
        self._thresholds = None
        self.loki.begin()
        self._unseen.clear()
        if self._feedback is not None:
            self._feedback.setdefault(start.player, Feedback()).begin()
        if not self._own_session:
            self._shared(start)  # one that learns has to be there from the first hand on
            return
        session = self._sessions.get(start.player)
        if session is None:
            session = self._sessions[start.player] = self._make(start.player, start.common.book)
        session.start(start.players)
        if not session.public_models:
            session.hold(start.holding)
        self._session = session

    def _shared(self, start: HandStart) -> OpponentModeler:
        reading = self.reading
        key = "som" if reading.specific else "gom", reading.field, "outs", *reading.further.items()
        return start.common.session(key, lambda: self._make(book=start.common.book))

    def observe(self, decision: Decision) -> None:
        if self._own_session:
            self._unseen.append(decision)

    def end(self, end: HandEnd) -> None:
        session = self._session
        if not self._own_session or session is None:
            return
        if session.reader.learns_acts or session.learns_hands or self._feedback is not None:
            self._catch_up()
        if session.learns_hands:
            assert self._start is not None
            common = self._start.common
            session.learn(common.hand(end.board, end.shown), common.decisions)

    def _catch_up(self) -> OpponentModeler:
        """A session that has seen everything."""
        assert self._start is not None
        if not self._own_session:
            return self._shared(self._start)
        assert self._session is not None
        for decision in self._unseen:
            self._session.observe(decision)
            if self._feedback is not None and decision.player != self._start.player:
                self._feedback[self._start.player].observe(decision)
        self._unseen.clear()
        return self._session

    # ------------------------------------------------------------------------------------------------ acting

    def act(self, view: View) -> Act:
        session = self._catch_up()
        if view.round == 0:
            if self.playing.preflop == "triples":
                return self._draw_preflop(view)
            return self.loki.choose(view.situation, view.holding).act
        session.deal(view.board)
        if self.simulator is not None:
            return self._by_simulation(view, session)
        if self.parts.betting:
            return self._draw(view, session)
        chance = None
        if self.playing.deceptive:
            assert self._start is not None
            chance = float(self._start.rng.random())
        return self.loki.choose(view.situation, view.holding, SpotTables(session.spot(view)), chance=chance).act

    def _worth(self, view: View, session: OpponentModeler) -> tuple[float, float, float]:
        """E, potential and EHS of its holding: what `TripleGenerator.worth` gives, from what the session keeps."""
        tables = SpotTables(session.spot(view))
        index = holding_index(view.holding)
        strength = tables.strength(view.situation, index, self.reading.field) ** len(view.opponents)
        ppot, npot, _ = tables.potential(view.situation, index, self.reading.field)
        value = strength + (1.0 - strength) * ppot
        return value, ppot, value - strength * npot

    def _draw(self, view: View, session: OpponentModeler) -> Act:
        worth = self._worth(view, session)
        spot = TripleSpot.of(view.state)
        core = self.generator.core
        act = select_act(core.triple(spot, *worth, self._semi_bluff), self._chance)
        self._semi_bluff = core.semi_bluff_after(spot, *worth, self._semi_bluff, act)
        return act

    def _draw_preflop(self, view: View) -> Act:
        situation = view.situation
        group = player_group(len(seats_paid(situation)), len(situation.active))
        if self._thresholds is None:
            self._thresholds = preflop_thresholds(
                group,
                self.loki.tightness,
                situation.position,
                small_blind=in_small_blind(situation),
                shift=self.loki.shift,
            )
            self._rate = income_rate(view.holding, rate_players(group))
        borders = preflop_borders(self._thresholds, num_bets=situation.num_bets, bets_put_in=situation.bets_put_in)
        generator = TripleGenerator(borders, pot_odds=False, showdown_odds=False, semi_bluff=False)
        spot = TripleSpot.of(view.state)
        return select_act(generator.core.triple(spot, self._rate, 0.0, self._rate, False), self._chance)

    def _generators(self, view: View, session: OpponentModeler) -> dict[int, TripleGenerator]:
        """How each player acts in trials, by seat; those without an entry act as `_trial_other` says."""
        assert self._start is not None
        found = {view.seat: self._trial_self}
        for seat in view.opponents:
            name = view.players[seat]
            if self.simulating.opponents == "modeled":
                modeled = modeled_generator(session.reader, session.spot(view.situation), name)
                if modeled is not None:
                    found[seat] = modeled
            if self._feedback is not None:
                found[seat] = found.get(seat, self._trial_other).tilted(self._feedback[self._start.player].tilts(name))
        return found

    def _images(self, view: View) -> tuple[Floats, Floats]:
        """What the others think of it after its first act: by its own model, or Loki-1's if they play as Loki-1."""
        assert self._start is not None
        assert self._session is not None
        session = self._session
        if not self._by_triples:
            key = "gom", self.reading.field, "outs"
            session = self._start.common.session(key, lambda: OpponentModeler("gom", field=self.reading.field))
        return session.imagine(view.situation, Act.CALL), session.imagine(view.situation, Act.RAISE)

    def simulate(self, view: View, trials: int | None = None, *, log: bool = False) -> Advice:
        """Simulate a decision of the player's as it does itself.

        Parameters
        ----------
        view : View
            The decision, after the flop.
        trials : int, optional
            Largest number of trials; by default that of the player.
        log : bool
            Keep every trial.

        Raises
        ------
        ValueError
            If the player does not simulate.
        """
        if self.simulator is None or self._start is None:
            raise ValueError("the player does not simulate: expected part S and a hand that has begun")
        session = self._catch_up()
        session.deal(view.board)
        return self.simulator.run(
            view,
            view.holding,
            session.spot(view).ranges(),
            self.simulating.trials if trials is None else trials,
            self._start.rng,
            images=self._images(view) if self.simulating.noticed else None,
            generators=self._generators(view, session) if self._by_triples else None,
            semi_bluff=self._semi_bluff,
            log=log,
        )

    def _by_simulation(self, view: View, session: OpponentModeler) -> Act:
        assert self._start is not None
        advice = self.simulate(view)
        act = advice.action
        if self.playing.close:
            legal = view.situation.legal
            acts = close_acts(advice.ev, Act.FOLD in legal, Act.RAISE in legal, self.playing.close)
            act = acts[int(self._start.rng.integers(len(acts)))]
        if self._feedback is not None and act != Act.FOLD:
            self._feedback[self._start.player].expect(view.players, advice, int(act == Act.RAISE))
        if self._by_triples:
            worth = self._worth(view, session)
            self._semi_bluff = self.generator.core.semi_bluff_after(
                TripleSpot.of(view.state), *worth, self._semi_bluff, act
            )
        return act
