"""The verdict on one action of a hand, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pokermodel.analysis.rakes import rake_of
from pokermodel.game import Decision, Hand, Situation
from pokermodel.randomness import RandomLike
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.street import decision_of
from pokermodel.worth.adviser import Adviser, make_adviser
from pokermodel.worth.worth import MISTAKES, WORDS, Verdict

__all__ = ["guessed", "judged", "verdict"]

_ACCUSING = (*MISTAKES, WORDS[2])


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
        The player, if the action must be theirs. Default: the player who made it.
    book : Book or mapping of str to ActionCounts, optional
        The knowledge of the players.
    model : str
        The reader of the opponents' ranges.
    fast : bool
        Whether turns are played out, too, with few sizes and fewer deals. Default: rivers and turns are solved.

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
    before: list[Decision] = []
    for each in hand.replay():
        if each.index == decision.index:
            break
        session.observe(each)
        before.append(each)
    adviser = make_adviser("verdict", fast=fast, rake=rake_of(hand))
    rng = np.random.SeedSequence(0, spawn_key=(decision.index,))
    return judged(adviser, session, before, decision, hand.holdings[seat], rng)


def judged(
    adviser: Adviser,
    session: OpponentModeler,
    before: Sequence[Decision],
    decision: Decision,
    holding: tuple[int, int],
    rng: RandomLike,
) -> Verdict:
    """The verdict on an action, and of a mistake whether it is one against average players, too.

    Raises `ValueError` as `Adviser.judge`.

    Parameters
    ----------
    session : OpponentModeler
        Follows the hand up to the action.
    """
    found = adviser.judge(session.spot(decision.situation).held(holding), decision.act, decision.to, rng)
    found = replace(found, guess=guessed(session, decision.situation))
    if found.word not in _ACCUSING:
        return found
    from pokermodel.worth.verdict import VerdictAdviser  # here, since it brings solvers, and most hands need none

    if not isinstance(adviser, VerdictAdviser):
        return found
    # the same reader reads the same actions of players with names that nobody has
    names = tuple(
        name if seat == decision.seat else f"average player {seat + 1}" for seat, name in enumerate(decision.players)
    )
    other = session.copy()
    other.start(names)
    if not other.public_models:
        other.hold(holding)
    for each in before:
        other.observe(each._replace(situation=each.situation._replace(players=names)))
    spot = other.spot(decision.situation._replace(players=names)).held(holding)
    try:
        average = adviser.judge(spot, decision.act, decision.to, rng)
    except ValueError:  # no holding of theirs is left
        return found
    others = [decision.players[seat] for seat in decision.active if seat != decision.seat]
    hands = {name: session.hands_of(name, decision.spec) for name in others}
    return replace(found, average=average.word in _ACCUSING, hands=hands)


def guessed(session: OpponentModeler, situation: Situation) -> str:
    """The first opponent of the player to act whose range is a guess, since hardly anyone plays so; empty for none."""
    others = (seat for seat in situation.active if seat != situation.seat)
    guesses = (seat for seat in others if (width := session.width(seat)) is not None and width.guessed)
    return next((situation.players[seat] for seat in guesses), "")
