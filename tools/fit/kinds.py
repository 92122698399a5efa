"""Kinds of tables among the hands of a fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.kinds import Kinds, TableLabels
from pokermodel.reading.adaptive.levels import LEAST_HANDS, fitted_kinds
from pokermodel.reading.adaptive.prior import GamePrior, Prior

__all__ = ["fit_kinds", "with_kinds"]


def with_kinds(prior: Prior, hands: Sequence[PlayedHand]) -> Prior:
    """Fit all kinds of tables anew, in the games that some hands are of."""
    games = []
    for name, game in prior.games.items():
        some = [hand for hand in hands if hand.game == name]
        games.append(game.with_kinds(fit_kinds(some, game)) if some else game)
    return Prior(games, prior.about)


def fit_kinds(hands: Sequence[PlayedHand], prior: GamePrior) -> Kinds | None:
    """Fit kinds of tables beside the likelihood of a prior; None if there are too few hands of each.

    Parameters
    ----------
    hands : sequence of PlayedHand
        Of the prior's game.
    prior : GamePrior
    """
    of = _kinds_of([hand.labels for hand in hands])
    members: dict[str, list[PlayedHand]] = {}
    for hand, name in zip(hands, of, strict=True):
        if name is not None:
            members.setdefault(name, []).append(hand)
    return fitted_kinds(prior.likelihood, members) if members else None


def _kinds_of(labels: Sequence[TableLabels]) -> list[str | None]:
    """The kind of each hand: as narrow as it can be told with enough hands, None if there are too few of any width.

    At first by seats, money, site and antes, then without the site, then by seats and money alone. Hands that are left
    are of the only kind of their site, if it has one: people differ more by sites than by seats.
    """
    keys = [_keys(each) for each in labels]
    found: list[str | None] = [None] * len(keys)
    for width in range(len(keys[0]) if keys else 0):
        left = Counter(key[width] for key, name in zip(keys, found, strict=True) if name is None)
        for k, key in enumerate(keys):
            if found[k] is None and left[key[width]] >= LEAST_HANDS:
                found[k] = key[width]
    of_site: dict[str, set[str]] = {}
    for label, name in zip(labels, found, strict=True):
        if label.site and name is not None:
            of_site.setdefault(label.site, set()).add(name)
    return [
        next(iter(of_site[label.site])) if name is None and len(of_site.get(label.site, ())) == 1 else name
        for label, name in zip(labels, found, strict=True)
    ]


def _keys(labels: TableLabels) -> tuple[str, ...]:
    seats = {"2": "heads-up", "3-4": "short", "5-6": "short"}.get(labels.seats, "full ring")
    money = {"chips": "tournament", "": ""}.get(labels.money, "cash")
    return tuple(
        " ".join(filter(None, parts))
        for parts in (
            (labels.site, seats, money, labels.antes if labels.antes == "antes" else ""),
            (seats, money, labels.antes if labels.antes == "antes" else ""),
            (seats, money),
        )
    )
