"""The verdict on one action of a hand, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokermodel.analysis.rakes import rake_of
from pokermodel.game import Hand
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.street import decision_of
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict

__all__ = ["verdict"]


def verdict(
    hand: Hand,
    action: int,
    *,
    hero: str | None = None,
    book: Mapping[str, Any] | None = None,
    model: str = "adaptive",
    fast: bool = False,
) -> Verdict:
    """Judge an action of a hand: what each action was worth to its player, and what the action that was made lost.

    Parameters
    ----------
    action : int
        The number of the action, from 1, as ``pokermodel read`` prints it.
    hero : str, optional
        The player, if the action must be theirs. Default: whoever made it.
    book : Book or mapping of str to ActionCounts, optional
        What is known of the players.
    model : str
        The reader of the opponents' ranges.
    fast : bool
        Whether flops and turns are solved with few sizes and on samples of ranges and cards, with larger errors.
        Default: rivers and turns are solved whole, and flops played out.

    Returns
    -------
    Verdict
        With `fast` the same as that of ``pokermodel read --hero`` for the action.

    Raises
    ------
    ValueError
        If the hand has no such action, it is another player's, or their cards are not known.

    Examples
    --------
    >>> import pokermodel as pm
    >>> found = verdict(pm.example_hand(), 28, hero="Boris")
    >>> found.best.act.name, found.best.method
    ('CALL', 'exact')
    """
    if isinstance(action, bool) or not isinstance(action, int):
        raise ValueError(f"an action is {action!r}: expected its number in the hand, from 1")
    decision = decision_of(hand, action - 1)
    player, seat = decision.player, decision.seat
    if hero not in (None, player):
        raise ValueError(f"action {action} of hand {hand.id} is {player}'s: expected one of {hero}")
    if seat not in hand.holdings:
        raise ValueError(f"the cards of {player} in hand {hand.id} are not known: nothing can be judged")
    session = OpponentModeler(model, book, hero=player, folded_tables=True)
    session.start(hand.players)
    if not session.public_models:
        session.hold(hand.holdings[seat])
    for each in hand.replay():
        if each.index == decision.index:
            break
        session.observe(each)
    spot = session.spot(decision.situation).held(hand.holdings[seat])
    adviser = VerdictAdviser("river" if fast else "turn", fast=fast, rake=rake_of(hand))
    return adviser.judge(spot, decision.act, decision.to, np.random.SeedSequence(0, spawn_key=(decision.index,)))
