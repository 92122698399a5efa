"""Acts in the words that most sites have for them; only what stands around the amounts differs."""

from __future__ import annotations

import re

from pokermodel.game import Act
from pokermodel.histories._draft import Draft
from pokermodel.histories._words import amount

__all__ = ["read_act"]


def read_act(
    draft: Draft, name: str, what: str, calls: re.Pattern[str], *raises: re.Pattern[str], last: bool = False
) -> bool:
    """Report a fold, check, call, bet or raise to a draft.

    Parameters
    ----------
    name : str
        The player.
    what : str
        The line after the name.
    calls : re.Pattern
        Matches a call. The amount is its group ``put``, if it is what the player puts in, or ``to``, if it is what the
        bet goes to.
    *raises : re.Pattern
        Match bets and raises, likewise.
    last : bool
        As for `Draft.act`.

    Returns
    -------
    bool
        Whether it is one of these.
    """
    if what == "folds":
        draft.act(name, Act.FOLD)
        return True
    if what == "checks":
        draft.act(name, Act.CALL, 0)
        return True
    for act, pattern in ((Act.CALL, calls), *[(Act.RAISE, each) for each in raises]):
        if found := pattern.match(what):
            said = found.groupdict()
            sums = {key: amount(said[key]) for key in ("put", "to") if said.get(key) is not None}
            draft.act(name, act, **sums, last=last)
            return True
    return False
