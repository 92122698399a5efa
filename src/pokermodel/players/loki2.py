"""Loki-2 at a table (Peña 1999; Billings et al. 1999).

Three parts of it can be switched on, each by itself, and what remains off is Loki-1's:

- B, betting: acts are drawn from the probability triple of its own holding;
- R, re-weighting: what opponents can hold is judged by triples, its own cards left out;
- S, simulation: the act with the highest expected value is chosen, by playing the hand out.

Before the flop it plays as Loki-1 in all of them.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from pokermodel._arrays import Floats
from pokermodel._core.playout import Loki1Rules
from pokermodel.cards import holding_index
from pokermodel.evaluation.dealing import DealingMode
from pokermodel.game import Act, Decision
from pokermodel.players.loki1 import Loki1
from pokermodel.players.opponents import ModeledTables, reading_session
from pokermodel.players.player import HandEnd, HandStart, Player, View
from pokermodel.reading.loki2 import System
from pokermodel.reading.parts.borders import OWN_CALLS, OWN_RAISES, BettingBorders
from pokermodel.reading.parts.field import FieldMethod
from pokermodel.reading.parts.triples import Spot, TripleGenerator
from pokermodel.reading.session import OpponentModeler
from pokermodel.simulation import Simulator, StopRule

__all__ = ["Loki2Player", "PlayOut", "select_act"]

#: How a simulation goes on after the first act: as the player would, or everybody calls.
PlayOut: TypeAlias = Literal["own", "call"]


def select_act(triple: tuple[float, float, float], chance: float) -> Act:
    """Draw an act from a probability triple (Peña 1999, section 4.2.1).

    Parameters
    ----------
    triple : tuple of float
        Probability of fold, call and raise.
    chance : float
        A number of [0, 1); low ones fold. A player keeps one for a whole hand, so that they play all of it tamely or
        all of it boldly.

    Returns
    -------
    Act

    Examples
    --------
    >>> [select_act((0.1, 0.65, 0.25), chance).name for chance in (0.05, 0.10, 0.74, 0.75)]
    ['FOLD', 'CALL', 'CALL', 'RAISE']
    """
    fold, call, _ = triple
    if chance < fold:
        return Act.FOLD
    return Act.CALL if chance < fold + call else Act.RAISE


class Loki2Player(Player):
    """Loki-2 in any combination of its parts.

    Parameters
    ----------
    betting, reweighting, simulation : bool
        Parts B, R and S.
    specific : bool
        Learn the opponents' own frequencies, in either way of re-weighting.
    model : str, optional
        Name of another reader of its opponents, which has to infer holdings. It takes the place of R, `specific`,
        `noise` and `system`.
    trials : int
        Of a simulation, at most.
    dealing : {"joint", "published"}
        How a simulation deals.
    stop : {"paired", "published", "none"}
        When it ends before its time.
    play_out : {"own", "call"}
        How it goes on: by triples with B, by Loki-1's rules without; or everybody calls.
    noticed : bool
        In play-outs the other players re-weight this one by its first act; without, their tables stay as before it. One
        that plays on by Loki-1's rules re-weights as Loki-1 does, too.
    raise_shift : float
        Added to the values from which triples of its own bet and raise: negative is aggressive.
    noise : float, optional
        Spread over the triples that re-weight; see `OpponentModeler` for what it is without.
    system : {"A", "B", "B-weighted", "rank"}
        How frequencies become thresholds; see `OpponentModeler`.
    public_models : bool
        Re-weight as if its own cards were not known, even where the reader takes them into account.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one. Simulations have no product and take the mean for it.
    **style
        As `Loki1`: before the flop, and after it without B.

    Raises
    ------
    ValueError
        If a choice is unknown or a number out of range, or `model` stands beside what it takes the place of.
    """

    def __init__(
        self,
        *,
        betting: bool = True,
        reweighting: bool = True,
        simulation: bool = True,
        specific: bool = False,
        model: str | None = None,
        trials: int = 500,
        dealing: DealingMode = "joint",
        stop: StopRule = "paired",
        play_out: PlayOut = "own",
        noticed: bool = False,
        raise_shift: float = 0.0,
        noise: float | None = None,
        system: System = "A",
        public_models: bool = False,
        field: FieldMethod = "mean",
        **style: Any,
    ) -> None:
        if play_out not in get_args(PlayOut):
            raise ValueError(f"unknown play-out {play_out!r}: expected one of {', '.join(get_args(PlayOut))}")
        if trials < 2:
            raise ValueError(f"trials must be 2 or more, got {trials}")
        if model is not None:
            for name, given in (("specific", specific), ("noise", noise is not None), ("system", system != "A")):
                if given:
                    raise ValueError(f"{name} does not go with model {model!r}, which says how opponents are read")
        self.loki = Loki1(field=field, **style)
        self.betting = betting
        self.reweighting = reweighting
        self.specific = specific
        self.model = model
        self.trials = trials
        self.noticed = noticed
        self.field: FieldMethod = field
        raises = [mid + raise_shift for mid in OWN_RAISES]
        self.generator = TripleGenerator(BettingBorders.around(raises, OWN_CALLS), field=field)
        self._options: dict[str, Any] = {"public_models": public_models, "noise": noise, "system": system}
        self.simulator: Simulator | None = None
        self._make()  # wrong options are refused here
        if simulation:
            policy: object = "call" if play_out == "call" else "triples" if betting else self._rules()
            self.simulator = Simulator(
                policy=policy,
                generator=TripleGenerator(field=field),
                dealing=dealing,
                stop=stop,
                field="maximum" if field == "maximum" else "mean",
            )
        self._by_triples = betting and play_out == "own"
        self._sessions: dict[str, OpponentModeler] = {}
        self._session: OpponentModeler | None = None
        self._unseen: list[Decision] = []
        self._start: HandStart | None = None
        self._chance = 0.0
        self._semi_bluff = False

    def _rules(self) -> Loki1Rules:
        features = self.loki.features
        return Loki1Rules(
            self.loki.make1,
            self.loki.make2,
            features.pot_odds,
            features.showdown_odds,
            features.semi_bluff,
            features.simple,
            features.make0,
        )

    def _make(self, hero: str | None = None) -> OpponentModeler:
        folded = self.simulator is not None
        if self.model is not None:
            public = True if self._options["public_models"] else None
            options = {"field": self.field}
            return reading_session(self.model, options, hero=hero, folded_tables=folded, public_models=public)
        if self.reweighting:
            model = "loki2:som" if self.specific else "loki2"
            return OpponentModeler(model, hero=hero, field=self.field, folded_tables=folded, **self._options)
        return OpponentModeler("som" if self.specific else "gom", hero=hero, field=self.field, folded_tables=folded)

    @property
    def _own_session(self) -> bool:
        """Whether it needs tables of its own: those who judge alike, by public information alone, share them."""
        return self.reweighting or self.simulator is not None or self.model is not None

    # ------------------------------------------------------------------------------------------------ the hand

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._chance = float(start.rng.random())
        self._semi_bluff = False
        self.loki.forget()
        self._unseen.clear()
        if not self._own_session:
            self._shared(start)  # one that learns has to be there from the first hand on
            return
        session = self._sessions.get(start.player)
        if session is None:
            session = self._sessions[start.player] = self._make(start.player)
        session.start(start.players)
        if not session.public_models:
            session.hold(start.holding)
        self._session = session

    def _shared(self, start: HandStart) -> OpponentModeler:
        key = "som" if self.specific else "gom", self.field, "outs"
        return start.common.session(key, self._make)

    def observe(self, decision: Decision) -> None:  # noqa: D102
        if self._own_session:
            self._unseen.append(decision)

    def end(self, end: HandEnd) -> None:  # noqa: D102
        session = self._session
        if not self._own_session or session is None:
            return
        if session.learns_acts or session.learns_hands:
            self._catch_up()
        if session.learns_hands:
            assert self._start is not None
            common = self._start.common
            session.finish(common.hand(end.board, end.shown), common.decisions)

    def _catch_up(self) -> OpponentModeler:
        """A session that has seen everything."""
        assert self._start is not None
        if not self._own_session:
            return self._shared(self._start)
        assert self._session is not None
        for decision in self._unseen:
            self._session.observe(decision)
        self._unseen.clear()
        return self._session

    # ------------------------------------------------------------------------------------------------ acting

    def act(self, view: View) -> Act:  # noqa: D102
        session = self._catch_up()
        if view.round == 0:
            return self.loki.advise(view.situation, view.holding, session).act
        session.deal(view.board)
        if self.simulator is not None:
            return self._simulate(view, session, self.simulator)
        if self.betting:
            return self._draw(view, session)
        return self.loki.advise(view.situation, view.holding, session).act

    def _worth(self, view: View, session: OpponentModeler) -> tuple[float, float, float]:
        """E, potential and EHS of its holding: what `TripleGenerator.worth` gives, from what the session keeps."""
        tables = ModeledTables(session)
        index = holding_index(view.holding)
        strength = tables.strength(view.situation, index, self.field) ** len(view.opponents)
        ppot, npot, _ = tables.potential(view.situation, index, self.field)
        value = strength + (1.0 - strength) * ppot
        return value, ppot, value - strength * npot

    def _draw(self, view: View, session: OpponentModeler) -> Act:
        worth = self._worth(view, session)
        spot = Spot.of(view.state)
        core = self.generator.core
        act = select_act(core.triple(spot, *worth, self._semi_bluff), self._chance)
        self._semi_bluff = core.semi_bluff_after(spot, *worth, self._semi_bluff, act)
        return act

    def _images(self, view: View) -> tuple[Floats, Floats]:
        """What the others think of it after its first act: by its own model, or Loki-1's if they play as Loki-1."""
        assert self._start is not None
        assert self._session is not None
        session = self._session
        if not self._by_triples:
            key = "gom", self.field, "outs"
            session = self._start.common.session(key, lambda: OpponentModeler("gom", field=self.field))
        return session.imagine(view.situation, Act.CALL), session.imagine(view.situation, Act.RAISE)

    def _simulate(self, view: View, session: OpponentModeler, simulator: Simulator) -> Act:
        assert self._start is not None
        advice = simulator.run(
            view,
            view.holding,
            session.simulation_tables(),
            self.trials,
            self._start.rng,
            images=self._images(view) if self.noticed else None,
            generators={view.seat: self.generator} if self._by_triples else None,
            semi_bluff=self._semi_bluff,
        )
        if self._by_triples:
            worth = self._worth(view, session)
            self._semi_bluff = self.generator.core.semi_bluff_after(
                Spot.of(view.state), *worth, self._semi_bluff, advice.action
            )
        return advice.action
