"""A player who goes by verdicts: another one, who takes back what the verdict calls an error.

It measures the value of following verdicts. If the other player's action is worth less than the best one by more than
the error of that difference, it takes the best one. Otherwise, or at a price unknown to the reader, the other player's
action stands. So at a table of the same players it differs from them by verdicts alone, and its win there is their
value. The alternative, the best action in every decision, would also follow the noise of verdicts, and would not be the
judged player any more.
"""

from __future__ import annotations

from pokermodel.game import Act, BettingStructure, Decision
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import Answer, HandEnd, HandStart, Player, View
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict

__all__ = ["FollowerPlayer"]


class FollowerPlayer(Player):
    """Does what another player would do, unless the verdict calls it an error beyond its interval.

    It reads everybody by the adaptive reader, and learns from hand to hand.

    Parameters
    ----------
    player : Player
        The other one.
    adviser : VerdictAdviser, optional
        Default: a fast one.
    later : bool
        Whether verdicts are asked for from the flop on alone.

    Attributes
    ----------
    asked, changed : int
        Acts that a verdict was asked for, and those that were taken back.
    """

    def __init__(self, player: Player, adviser: VerdictAdviser | None = None, *, later: bool = False) -> None:
        self.player = player
        self.adviser = VerdictAdviser(fast=True) if adviser is None else adviser
        self.later = later
        self.structures: tuple[BettingStructure, ...] = player.structures
        self.asked = self.changed = 0
        self._start: HandStart | None = None

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start
        self._session(start)  # it learns: it has to be there from the first hand on
        self.player.begin(start)

    def _session(self, start: HandStart) -> OpponentModeler:
        common = start.common
        return common.session("adaptive", lambda: OpponentModeler("adaptive", common.book, public_models=True))

    def verdict(self, view: View, also: int | None = None) -> Verdict:
        """The value of the acts of a decision.

        Parameters
        ----------
        view : View
            A decision of the hand that has begun.
        also : int, optional
            The total of a bet or raise.

        Raises
        ------
        ValueError
            If no hand has begun, or there is no verdict.
        """
        if self._start is None:
            raise ValueError("no hand has begun: call begin() first")
        spot = self._session(self._start).spot(view).held(view.holding, view.state)
        # the other player draws from the hand's own generator, which is to go on as it would without verdicts
        seed = self._start.seed.spawn(view.index + 1)[-1]
        return self.adviser.advise(spot, seed, also=[] if also is None else [also])

    def act(self, view: View) -> Answer:  # noqa: D102
        meant = self.player.act(view)
        own = meant if isinstance(meant, Answer) else Answer(meant)
        if own.act not in view.legal or (self.later and not view.round):
            return own
        fixed = view.spec.structure.fixed
        self.asked += 1
        try:
            found = self.verdict(view, None if fixed or own.act != Act.RAISE else own.to).judge(own.act, own.to)
        except ValueError:  # an opponent has no holding left, in the reader's eyes: there is no verdict
            return own
        if found.loss is None or found.loss <= found.loss_error:
            return own
        self.changed += 1
        best = found.best
        return Answer(best.act, None if fixed else best.to)

    def observe(self, decision: Decision) -> None:  # noqa: D102
        self.player.observe(decision)

    def end(self, end: HandEnd) -> None:  # noqa: D102
        self.player.end(end)
