"""Loki-1 after the flop: its rules (Papp 1998, Fig 6.2 and 6.3).

The rules are functions of plain numbers and a situation, so that each can be tried alone. All amounts are chips; a pot
already contains the bet that is to be called.
"""

from __future__ import annotations

from dataclasses import dataclass

from pokermodel._core.triples import pot_odds, semi_bluff_odds, showdown_odds
from pokermodel.game import Act, Situation

__all__ = ["ALL_FEATURES", "PostflopFeatures", "postflop_action", "pot_odds", "semi_bluff_odds", "showdown_odds"]


@dataclass(frozen=True, slots=True)
class PostflopFeatures:
    """Which of the post-flop rules are on (Papp 1998, section 8.3).

    Attributes
    ----------
    pot_odds, showdown_odds, semi_bluff : bool
        Calls by pot odds, which on the river are the only ones below `make1`; calls by showdown odds on flop and turn;
        and semi-bluffs.
    simple : bool
        None of these: the strength alone decides (Papp 1998, Fig 6.2).
    make0 : bool
        With `simple`, a player whose strength is too low calls a bet if they have put in a bet voluntarily in this
        round, which is Make(0) as printed; otherwise they fold.
    """

    pot_odds: bool = True
    showdown_odds: bool = True
    semi_bluff: bool = True
    simple: bool = False
    make0: bool = True


#: All rules on: Loki-1 as it was.
ALL_FEATURES = PostflopFeatures()


def _make(bets: int, situation: Situation) -> Act:
    if situation.num_bets < bets:
        return Act.RAISE
    if situation.to_call == 0 or situation.bets_put_in > 0 or bets >= 2 or situation.bets_to_call <= bets:
        return Act.CALL
    return Act.FOLD


def postflop_action(
    situation: Situation,
    *,
    strength: float,
    ppot: float = 0.0,
    npot: float = 0.0,
    semi_bluff: bool = False,
    make1: float = 0.50,
    make2: float = 0.85,
    features: PostflopFeatures = ALL_FEATURES,
) -> tuple[Act, bool, str]:
    """Loki-1's action after the flop (Papp 1998, Fig 6.2 and 6.3).

    Parameters
    ----------
    situation : Situation
        The situation of the player, after the flop.
    strength : float
        Hand strength against the field, HSn.
    ppot, npot : float
        One-card potentials, 0 on the river.
    semi_bluff : bool
        Whether the player is in the middle of a semi-bluff.
    make1, make2 : float
        Optimistic effective strengths from which one and two bets are made.
    features : PostflopFeatures
        Which rules are on.

    Returns
    -------
    act : Act
        A raise beyond the cap is for the caller to turn into a call.
    semi_bluff : bool
        The flag for the next decision.
    reason : str
        The rule that decided.
    """
    river, flop = situation.round == 3, situation.round == 1
    if features.simple:
        for bets, least in ((2, make2), (1, make1)):
            if strength >= least:
                return _make(bets, situation), False, f"HSn {strength:.3f} >= {least:.2f}: make {bets}"
        if features.make0 or situation.to_call == 0:
            return _make(0, situation), False, f"HSn {strength:.3f} < {make1:.2f}: make 0"
        return Act.FOLD, False, f"HSn {strength:.3f} < {make1:.2f}"

    if river:
        ppot = npot = 0.0
    optimistic = strength + (1.0 - strength) * ppot
    effective = optimistic - strength * npot
    if flop or situation.to_call > 0:
        semi_bluff = False
    for bets, least in ((2, make2), (1, make1)):
        if optimistic >= least:
            return _make(bets, situation), semi_bluff, f"EHS' {optimistic:.3f} >= {least:.2f}: make {bets}"
    if situation.to_call == 0:
        if features.semi_bluff:
            odds = semi_bluff_odds(situation.pot, situation.bet_size)
            if semi_bluff:
                return Act.RAISE, True, "semi-bluff carried on"
            if not river and ppot >= odds:
                return Act.RAISE, True, f"semi-bluff: PPOT {ppot:.3f} >= {odds:.3f}"
        return Act.CALL, semi_bluff, "check for free"
    odds = pot_odds(situation.pot, situation.to_call)
    if river:
        # Fig 6.3 has the river inside "check pot odds": without pot odds nobody calls one by less than make1
        if features.pot_odds and effective >= odds:
            return Act.CALL, semi_bluff, f"EHS {effective:.3f} >= odds {odds:.3f}"
        why = f"EHS {effective:.3f} < odds {odds:.3f}" if features.pot_odds else f"no odds: EHS {effective:.3f}"
        return Act.FOLD, semi_bluff, why
    if features.pot_odds and ppot >= odds:
        return Act.CALL, semi_bluff, f"pot odds: PPOT {ppot:.3f} >= {odds:.3f}"
    if features.showdown_odds:
        odds = showdown_odds(situation.pot, situation.to_call, situation.bet_size, flop=flop)
        if effective >= odds:
            return Act.CALL, semi_bluff, f"showdown odds: EHS {effective:.3f} >= {odds:.3f}"
    return Act.FOLD, semi_bluff, f"no odds: EHS' {optimistic:.3f}, PPOT {ppot:.3f}"
