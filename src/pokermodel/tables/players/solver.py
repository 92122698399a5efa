"""A player near equilibrium: by a blueprint as far as it goes, and by solving at the table what is left.

It plays heads-up limit and no limit. Before and on the flop it draws its actions from a blueprint
(`pokermodel.tables.blueprint.blueprint`). At the turn it solves turn and river over all holdings. The ranges are those
of the blueprint, and the answer stays safe against opponents who deviate from it
(`pokermodel.tables.blueprint.resolving`). In limit one solution is played to the end of the hand, because solving the
river again would begin with the ranges of the same answer. In no limit each street is solved anew, because the sizes of
the river are too many for the tree of a turn, and opponents bet sizes outside any tree
(`pokermodel.tables.blueprint.no_limit_table`).

With ``locks="adaptive"`` it answers the person. It plays each act out against what the adaptive reader expects of them,
with its own later acts improved, as `RingPlayer` does. What that may cost is the `purse` of the match
(`pokermodel.tables.players.purse`): when it is empty, the player goes back to what it plays without locks. With `risk`,
streets that are solved have the opponent locked to the reader's word as far as they are known
(`pokermodel.solving.locks_from`), and what that may cost at most is known before each. Without it play-outs go on to
the river: locks there were not shown to win more, and cost a solution.

Its play follows from the seed of the hand, unless it has a time limit in seconds.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import holding_index
from pokermodel.game import Act, BettingStructure, Decision, GameSpec
from pokermodel.reading.adaptive.sizes import SIZE_CLASSES
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.posterior import posterior
from pokermodel.reading.reader import Reader, Reading, Spot, Update, bayes_reason
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.street import street_weights
from pokermodel.solving.played_street import PlayedNode
from pokermodel.solving.readers import locks_from
from pokermodel.solving.subgame import Subgame
from pokermodel.tables.blueprint.blueprint import Blueprint, BlueprintGame, blueprint_path, fitting_blueprints
from pokermodel.tables.blueprint.no_limit_table import NoLimitTable
from pokermodel.tables.blueprint.resolving import Deadline, Resolved, blueprint_subgame, resolve
from pokermodel.tables.players.myopic import MyopicPlayer
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View
from pokermodel.tables.players.purse import CountedHand, Purse
from pokermodel.tables.players.ring import RingPlayer
from pokermodel.tables.players.strategies import SizedExpectation, SizedStrategy
from pokermodel.weights import WeightTable

__all__ = ["Locks", "Solve", "SolverPlayer"]

#: From which street on it solves.
Solve = Literal["turn", "river", "never"]

#: Readers that can say what the opponent is believed to do.
Locks = Literal["adaptive"]

_FIRST = {"turn": 2, "river": 3, "never": 4}
_ITERATIONS = {2: 60, 3: 120}  # by the street that is solved: a turn in a second, a river in ten milliseconds
_NO_LIMIT_ITERATIONS = 40, 150  # of a turn and of a river
_DEALT = (0, 3, 4, 5)
_SOLVED_KEPT = 4  # streets that were solved for somebody who asks
#: Small bets that a match with locks may cost. Luck that is left in what a hand is taken to be worth has a standard
#: deviation of four to five small bets a hand: a smaller purse is soon emptied by it.
_PURSE = 40.0


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Blueprint:  # a file that was written anew is read anew
    return Blueprint.load(path)


def _blueprint(path: Path) -> Blueprint | None:
    """A blueprint that is kept in a file, read once; None if there is no file."""
    try:
        return _load(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


class SolverPlayer(Player):
    """Plays a blueprint, and solves turn and river at the table.

    A game that it has no blueprint for, as others than heads-up limit and no limit, it plays as `MyopicPlayer` does.

    Parameters
    ----------
    blueprint : path, optional
        The file of a blueprint. Default: that which ``pokermodel blueprint build`` leaves in the user's cache, in no
        limit that of the stacks nearest to those of the table.
    solve : {"turn", "river", "never"}
        From which street on it solves; "never" plays the blueprint alone.
    iterations : int, optional
        Iterations of the solver. Default: 60 from the turn on, 120 on the river; in no limit 40 and 150.
    seconds : float, optional
        Time for a decision, by the clock. If the time is too short for 16 iterations of a street, the player follows
        the blueprint.
    sure : float
        Trust in the opponent's range; see `resolve`.
    locks : {"adaptive"}, optional
        Which reader says what the opponent is believed to do; in limit alone.
    risk : float, optional
        What an answer to locks may lose more than one without to a best response, in per cent of the pot; see
        `resolve`. It takes up to four solutions instead of one. With it, streets that are solved have locks, also when
        the purse is empty; without it they have none.
    purse : float
        Small bets that a match with locks may cost, where `risk` does not bound it; see `Purse`.

    Raises
    ------
    ValueError
        If the file is missing or no blueprint, or an option is wrong.
    """

    structures = ALL_STRUCTURES

    def __init__(
        self,
        blueprint: str | Path | None = None,
        solve: Solve = "turn",
        iterations: int | None = None,
        seconds: float | None = None,
        sure: float = 0.75,
        locks: Locks | None = None,
        risk: float | None = None,
        purse: float = _PURSE,
    ) -> None:
        if solve not in _FIRST:
            raise ValueError(f"solve must be one of {', '.join(_FIRST)}, got {solve!r}")
        if not 0.0 <= sure <= 1.0:
            raise ValueError(f"sure must be 0 to 1, got {sure!r}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds must be above 0, got {seconds!r}")
        if locks not in (None, *get_args(Locks)):
            raise ValueError(f"locks must be {' or '.join(get_args(Locks))}, got {locks!r}")
        if risk is not None and not risk > 0:
            raise ValueError(f"risk must be above 0, got {risk!r}")
        self._path = None if blueprint is None else Path(blueprint)
        if self._path is not None and _blueprint(self._path) is None:
            raise ValueError(f"{self._path}: there is no such blueprint")
        self.solve: Solve = solve
        self.strategy_is_exact = seconds is None
        self.first = _FIRST[solve]
        self.iterations = iterations
        self.seconds = seconds
        self.sure = sure
        self.locks = locks
        self.risk = risk
        self.purse = Purse(purse).size
        self._purses: dict[str, Purse] = {}  # by the opponent's name
        self._counted: CountedHand | None = None  # the hand, if the person is answered in it
        self._myopic: MyopicPlayer | None = None  # without a blueprint
        self._ring: RingPlayer | None = None  # against the person
        self._start: HandStart | None = None
        self._found: Blueprint | None = None
        self._resolved: Resolved | None = None  # in the hand
        self._deadline = Deadline()  # of the decision
        #: The street that was solved last, whoever the opponent is: who plays and who asks need it once.
        self._lately: dict[tuple[Blueprint, int, int, tuple[int, ...]], Resolved] = {}
        self._table: NoLimitTable | None = None

    def keep_within(self, seconds: float) -> None:  # noqa: D102
        if self.seconds is None:
            self.seconds, self.strategy_is_exact, self._table = seconds, False, None

    def blueprint(self, spec: GameSpec, stack: int | None = None) -> Blueprint | None:
        """The blueprint for a game, or None if there is none.

        Parameters
        ----------
        stack : int, optional
            Chips of the shorter stack in no limit; by default those of the game.
        """
        if spec.structure is BettingStructure.NO_LIMIT:
            known = min(spec.stacks, default=None) if stack is None else stack
            return None if known is None else self._no_limit(spec, known)
        game = BlueprintGame.of_spec(spec)
        if game is None:
            return None
        found = _blueprint(blueprint_path(game) if self._path is None else self._path)
        return found if found is not None and found.game == game else None

    def _no_limit(self, spec: GameSpec, stack: int) -> Blueprint | None:
        for path in fitting_blueprints(spec, stack) if self._path is None else [self._path]:
            found = _blueprint(path)
            if found is not None and found.game.structure == "no limit" and found.game.fits(spec, stack):
                return found
        return None

    def _table_of(self, blueprint: Blueprint) -> NoLimitTable:
        if self._table is None or self._table.blueprint is not blueprint:
            iterations = _NO_LIMIT_ITERATIONS if self.iterations is None else (self.iterations,) * 2
            self._table = NoLimitTable(blueprint, self.first, iterations, self.seconds, self.sure)
        return self._table

    def strategy(self, name: str, spec: GameSpec) -> Reader | None:
        """By the blueprint of a game and what is solved; None without one, and of a player who answers persons."""
        blueprint = None if self.locks else self.blueprint(spec)
        if blueprint is None:
            return None
        if blueprint.game.structure == "no limit":
            return _TableStrategy(name, self._table_of(blueprint))
        player = SolverPlayer(self._path, self.solve, self.iterations, self.seconds, self.sure)
        player._lately = self._lately
        return _OwnStrategy(name, player, blueprint)

    def notice(self, spec: GameSpec) -> str:  # noqa: D102
        lacks = self.blueprint(spec) is None
        return "no blueprint for this game: plays as myopic does (see: pokermodel blueprint build)" if lacks else ""

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._resolved = None
        self._found = self.blueprint(start.spec)
        if self.locks and start.spec.structure is BettingStructure.NO_LIMIT:
            raise ValueError("locks are for limit: expected a solver without them in no limit")
        if self._found is None:
            self._instead(start)
        elif self.locks:
            self._session(start)  # it learns: it has to be there from the first hand on
            bold = bool(self.purse_of(start.players[1 - start.seat]))
            self._counted = CountedHand(start.spec, start.seat, start.holding) if bold else None

    def purse_of(self, opponent: str) -> Purse:
        """The remaining risk of a match with an opponent."""
        return self._purses.setdefault(opponent, Purse(self.purse))

    def observe(self, decision: Decision) -> None:  # noqa: D102
        start = self._start
        if self._counted is not None and start is not None:
            self._counted.observe(decision, lambda: self._session(start).weights(1 - start.seat))

    def end(self, end: HandEnd) -> None:  # noqa: D102
        start, counted = self._start, self._counted
        won = None if counted is None else counted.won(end)
        if counted is not None and start is not None and won is not None:
            worth = (won - counted.luck(end.board)) / start.spec.small_bet
            self.purse_of(start.players[1 - start.seat]).count(worth)
        self._counted = None

    @staticmethod
    def _session(start: HandStart) -> OpponentModeler:
        common = start.common
        return common.session("adaptive", lambda: OpponentModeler("adaptive", common.book, public_models=True))

    def _instead(self, start: HandStart) -> MyopicPlayer:
        self._myopic = self._myopic or MyopicPlayer()
        self._myopic.begin(start)
        return self._myopic

    def _played_out(self, start: HandStart) -> RingPlayer:
        self._ring = self._ring or RingPlayer(seconds=self.seconds, solve="never")
        self._ring.begin(start)
        return self._ring

    def act(self, view: View) -> Answer:  # noqa: D102
        self._deadline = Deadline(self.seconds)
        start, blueprint = self._start, self._found
        assert start is not None, "act before begin"
        if view.spec.structure is BettingStructure.NO_LIMIT:
            return self._act_in_no_limit(start, view)
        deep = 24 * view.spec.bets[0]  # what four bets a round come to
        if blueprint is None or any(stack is not None and stack < deep for stack in view.state.stacks_before):
            return self._instead(start).act(view)
        if self._counted is not None and (self.risk is None or view.round < self.first):
            return self._played_out(start).act(view)
        tree = blueprint.tree
        node = tree.find([decision.act for decision in view.decisions])
        row = self._strategy(blueprint, node, view)[holding_index(view.holding)]
        return Answer(Act(tree.acts(node)[_drawn(row, start.rng)][0]))

    def _act_in_no_limit(self, start: HandStart, view: View) -> Answer:
        stacks = view.state.stacks_before or view.spec.stacks
        known = [stack for stack in stacks if stack is not None]
        found = self.blueprint(view.spec, min(known)) if len(known) == 2 else None
        if found is None:
            return self._instead(start).act(view)
        offers, rows = self._table_of(found).strategy(view.situation, view.decisions)
        offer = offers[_drawn(rows[holding_index(view.holding)], start.rng)]
        return Answer(offer.act, offer.to)

    def _strategy(self, blueprint: Blueprint, node: int, view: View) -> Floats:
        board = view.board[: _DEALT[view.round]]
        if view.round < self.first:
            return blueprint.strategy(node, board)
        if self._resolved is None:
            asked = view if self._answers_person else None
            self._resolved = self.solved(blueprint, node, board, asked, self._deadline)
        return self._resolved.strategy(node, board)

    @property
    def _answers_person(self) -> bool:
        return self.locks is not None and self.risk is not None

    def solved(
        self,
        blueprint: Blueprint,
        node: int,
        board: tuple[int, ...],
        view: View | None = None,
        deadline: Deadline | None = None,
    ) -> Resolved:
        """Its strategy at a node from the first solved street on.

        Parameters
        ----------
        node : int
            A node of its tree.
        board : tuple of int
            As far as it is dealt there.
        view : View, optional
            With it, the opponent is locked as the reader knows them.
        deadline : Deadline, optional
            When the decision must be made; default: `seconds` from now on.
        """
        tree, root = blueprint.tree, node
        while tree.street[tree.parent[root]] >= self.first:
            root = int(tree.parent[root])
        player = 1 if tree.player[node] == 0 else 0  # who has the button is in position
        cards = board[: _DEALT[self.first]]
        while tree.kind[root] != 0:  # the card that is dealt
            root += 1
        key = blueprint, root, player, cards
        if view is None and self.seconds is None and key in self._lately:
            return self._lately[key]
        found = resolve(
            blueprint,
            root,
            cards,
            player,
            subgame=None if view is None else self._believed(blueprint, root, cards, player, view),
            risk=self.risk,
            iterations=self.iterations or _ITERATIONS[self.first],
            seconds=self.seconds if deadline is None else deadline,
            sure=self.sure,
        )
        if view is None:
            self._lately.clear()
            self._lately[key] = found
        return found

    def _believed(self, blueprint: Blueprint, root: int, cards: tuple[int, ...], player: int, view: View) -> Subgame:
        """The subgame with the opponent as the reader knows them."""
        start = self._start
        assert start is not None
        spot = self._session(start).spot(view)
        subgame = blueprint_subgame(blueprint, root, cards, chip=view.spec.bets[0] / blueprint.game.bets[0])
        button = view.spec.first[0]
        seats = 1 - button, button  # out of position, in position
        names = view.players[seats[0]], view.players[seats[1]]
        subgame.played = PlayedNode("r:0", names, player, "c", chip=1.0)
        other = 1 - player
        locks = locks_from(spot, subgame, other)
        known = float(np.mean([lock.confidence for lock in locks]))
        table = WeightTable(street_weights(spot, self.first)[seats[other]], cards)
        if table.total > 0:
            ranges = list(subgame.ranges)
            mixed = (1 - known) * ranges[other].probabilities() + known * table.probabilities()
            ranges[other] = WeightTable(np.maximum(mixed, 1e-4 * mixed.max()), cards)
            subgame.ranges = ranges[0], ranges[1]
        return subgame.with_locks(locks)


def _drawn(chances: Floats, rng: np.random.Generator) -> int:
    """The place of one of the acts of a holding."""
    drawn = rng.random() * chances.sum()
    for number, share in enumerate(chances.tolist()):
        drawn -= share
        if drawn < 0:
            return number
    return len(chances) - 1


class _OfOne(Reader):
    """What one player at a table does with each holding.

    It goes by the acts and the board alone. What the others hold is nothing to it, and is not worked out: it would take
    a solution for their seat, too.
    """

    def __init__(self, name: str, solves_turns: bool) -> None:
        self.name = name
        #: Whether a turn takes a solution, and all that follows it does not.
        self.solves_turns = solves_turns

    def step(self, spot: Spot, decision: Decision) -> Reading:
        if spot.player == self.name:
            return super().step(spot, decision)
        return Reading(None, None, self.judge(spot, decision.act, decision.put_in))

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        if spot.player == self.name:
            return super().judge(spot, act, put_in)
        return Update(None, "somebody else acted: their holdings are not read")


class _TableStrategy(_OfOne, SizedStrategy):
    """What the player does in no limit with each holding, as a reader says it."""

    def __init__(self, name: str, table: NoLimitTable) -> None:
        super().__init__(name, table.first == _FIRST["turn"])
        self._table = table

    def expect(self, spot: Spot) -> SizedExpectation:
        situation = spot.situation
        offers, rows = self._table.strategy(situation, spot.acts)
        return SizedExpectation.of_acts(situation, spot.weights, offers, rows)

    def predict_sizes(self, spot: Spot) -> Floats:
        expected = self.expected(spot)
        shares = expected.size_shares
        if shares is None:
            least: Floats = np.eye(len(SIZE_CLASSES))[0]
            return least
        weights = spot.weights * np.nan_to_num(expected.triples[:, Act.RAISE])
        found: Floats = weights @ np.nan_to_num(shares) + 1e-12 * np.nan_to_num(shares).sum(axis=0)
        found /= found.sum()
        return found

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        if spot.player != self.name:
            return super().judge(spot, act, put_in)
        expected = self.expected(spot)
        assert isinstance(expected, SizedExpectation)
        if act != Act.RAISE or not expected.exact or act not in spot.situation.legal:
            return super().judge(spot, act, put_in)
        # a size that is none of the player's says what the nearest of theirs would
        to = spot.situation.in_round + put_in
        nearest = min(expected.exact, key=lambda each: abs(each - to))
        weights = posterior(spot.weights, expected.exact[nearest])
        return Update(weights, bayes_reason(spot.situation, act), expected)


class _OwnStrategy(_OfOne):
    """What the player does with each holding, as a reader says it."""

    def __init__(self, name: str, player: SolverPlayer, blueprint: Blueprint) -> None:
        super().__init__(name, player.first == _FIRST["turn"])
        self._player = player
        self._blueprint = blueprint
        self._kept: dict[tuple[int, tuple[int, ...]], Resolved] = {}

    def expect(self, spot: Spot) -> Expectation:
        player, blueprint, situation = self._player, self._blueprint, spot.situation
        tree = blueprint.tree
        acts = [decision.act for decision in spot.acts]
        node = tree.find(acts)
        board = tuple(situation.board[: _DEALT[situation.round]])
        if situation.round < player.first:
            rows = blueprint.strategy(node, board)
        else:
            before = sum(decision.round < player.first for decision in spot.acts)
            root = tree.find(acts[:before])
            key = 2 * root + int(tree.player[node]), board[: _DEALT[player.first]]
            if key not in self._kept:
                while len(self._kept) >= _SOLVED_KEPT:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = player.solved(blueprint, node, board)
            rows = self._kept[key].strategy(node, board)
        triples = np.where(np.isnan(rows[:, :1]), np.nan, np.zeros((len(rows), 3)))
        for k, (act, _) in enumerate(tree.acts(node)):
            triples[:, act] = rows[:, k]
        return Expectation.of(triples, spot.weights)
