"""Where a hand is played, and for what money."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from pokermodel.game.spec import GameSpec

__all__ = ["money_of", "placed", "stake_text"]


def money_of(chips: float, unit: Fraction | Decimal | int) -> float:
    """The value of chips, as the nearest floating-point number."""
    exact = unit if type(unit) is Fraction or type(unit) is int else Fraction(unit)
    if type(chips) is int or chips == int(chips):
        return int(chips) * exact.numerator / exact.denominator
    return float(Fraction(chips) * exact)


#: Sources that say how a hand came here, or how it was written down, and not where it was played.
_NO_PLACE = frozenset(
    {"", "acpc", "gym", "hand", "ohh", "openspiel", "pettingzoo", "phh", "pokerkit", "pokermodel", "rlcard", "table"}
)
#: Places where there is no currency at the tables. At other sites what has no currency are the chips of a tournament.
_NO_CURRENCY = frozenset({"irc"})


#: What `placed` found of a game last, by the identity of the game, which is kept with it: readers of histories give the
#: same object for as long as it is played, and to hash a game and a unit takes as long as to read a tenth of a hand.
_PLACES: dict[int, tuple[GameSpec, str, Fraction | Decimal | int, str, GameSpec]] = {}
_MOST_PLACES = 1024


def placed(spec: GameSpec, source: str, unit: Fraction | Decimal | int = 1, currency: str = "") -> GameSpec:
    """A game with its source's name and money, by the value of a chip: of the same table, the same in any unit."""
    known = _PLACES.get(id(spec))
    if (
        known is not None
        and known[0] is spec
        and (known[1] is source or known[1] == source)
        and (known[2] is unit or known[2] == unit)
        and known[3] == currency
    ):
        return known[4]
    found = _placed(spec, source, unit, currency)
    if len(_PLACES) >= _MOST_PLACES:
        _PLACES.clear()
    _PLACES[id(spec)] = spec, source, unit, currency, found
    return found


@lru_cache(1024)
def _placed(spec: GameSpec, source: str, unit: Fraction | Decimal | int, currency: str) -> GameSpec:
    site = source.partition("/")[0]
    if site in _NO_PLACE:
        site = ""
    chips = site and not currency and site not in _NO_CURRENCY
    stake = "chips" if chips else stake_text(*spec.stakes, unit, currency)
    return replace(spec, site=site, stake=stake)


@lru_cache(256)
def stake_text(small: int | Fraction, large: int, unit: Fraction | Decimal | int, currency: str) -> str:
    """The stakes of a game in money: ``"2/4 USD"``."""
    bets = (f"{float(bet * Fraction(unit)):.12g}" for bet in (small, large))
    return f"{'/'.join(bets)} {currency}".strip()
