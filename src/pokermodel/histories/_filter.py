"""Which hands are meant: by player, position, pot, street, date, stake and showdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from pokermodel._support.checks import check_choice
from pokermodel._support.patterns import regex
from pokermodel.game import POSITIONS, ROUNDS, SEATS, Hand, positions, seat_names

__all__ = ["HandFilter"]

_PERIOD = regex(r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2}))?")
_STAKE = regex(r"(?P<small>[0-9]+(?:\.[0-9]+)?)/(?P<big>[0-9]+(?:\.[0-9]+)?)(?: ?(?P<currency>\S+))?")
_WHEN = "expected a date or a time, as '1995', '1995-04', '1995-04-07' or '1995-04-07 12:30'"


@dataclass(frozen=True)
class HandFilter:
    """Says of a hand whether it is meant. What is not given does not matter.

    Parameters
    ----------
    player : str or iterable of str
        Players that were dealt in, all of them.
    position : str or iterable of str
        Where the player sat, one of `pokermodel.game.POSITIONS`: ``"small blind"``, ``"big blind"``, ``"early"``,
        ``"middle"``, ``"cutoff"`` or ``"button"``; or of `pokermodel.game.SEATS`, ``"UTG"`` to ``"BB"``. It needs
        exactly one `player`.
    min_pot, max_pot : float, optional
        Least and most of all pots together, in the money of the source: what was matched, before the rake.
    street : str, optional
        A betting round that was reached: ``"flop"``, ``"turn"`` or ``"river"``. A showdown has reached the river.
    since, until : str, date or datetime, optional
        When the hand was played, at the earliest and at the latest; text is in ISO 8601, and may be a year, a month
        or a day. `until` includes the whole period. What has no time zone is taken for UTC. Hands whose time is not
        known are not meant.
    stake : str, optional
        Small and big bet in the money of the source, as in ``"2/4"`` or ``"2/4 USD"``.
    showdown : bool, optional
        Whether there was a showdown.

    Raises
    ------
    ValueError
        If a position, a street, a date or a stake is not one, or there is a position without one player.

    Examples
    --------
    >>> import pokermodel as pm
    >>> from pokermodel.histories import HandFilter
    >>> [HandFilter("Eve", street=street)(pm.example_hand()) for street in ("flop", "river")]
    [True, True]
    >>> HandFilter("Eve", position="button")(pm.example_hand())
    False
    """

    player: str | Iterable[str] = ()
    position: str | Iterable[str] = ()
    min_pot: float | None = None
    max_pot: float | None = None
    street: str | None = None
    since: str | date | None = None
    until: str | date | None = None
    stake: str | None = None
    showdown: bool | None = None
    _round: int = field(default=0, init=False, repr=False, compare=False)
    _stake: tuple[Fraction, Fraction, str] | None = field(default=None, init=False, repr=False, compare=False)
    _from: datetime | None = field(default=None, init=False, repr=False, compare=False)
    _before: datetime | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check everything, and work out what hands are compared with."""

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("player", _names(self.player))
        put("position", _names(self.position))
        for position in self.position:
            check_choice("position", position, (*POSITIONS, *SEATS))
        if self.position and len(tuple(self.player)) != 1:
            raise ValueError(f"a position is of one player, got {len(tuple(self.player))}: expected player=NAME")
        if self.street is not None:
            check_choice("street", self.street, ROUNDS)
            put("_round", ROUNDS.index(self.street))
        if self.stake is not None:
            put("_stake", _read_stake(self.stake))
        if self.since is not None:
            put("_from", _period(self.since, "since")[0])
        if self.until is not None:
            put("_before", _period(self.until, "until")[1])

    def __bool__(self) -> bool:
        """Whether there is any hand that is not meant."""
        return self != HandFilter()

    def __call__(self, hand: Hand) -> bool:
        """Whether a hand is meant.

        Parameters
        ----------
        hand : Hand

        Raises
        ------
        ValueError
            If the hand breaks the rules.
        """
        return self._is_theirs(hand) and self._is_then(hand) and self._is_such(hand)

    def _is_theirs(self, hand: Hand) -> bool:
        players = hand.players
        if not all(name in players for name in self.player):
            return False
        if not self.position:
            return True
        (name,) = self.player
        where = positions(hand.spec)
        seat = players.index(name)
        return POSITIONS[where[seat]] in self.position or seat_names(where)[seat] in self.position

    def _is_then(self, hand: Hand) -> bool:
        if self._from is None and self._before is None:
            return True
        if hand.time is None:
            return False
        time = _in_utc(hand.time)
        return (self._from is None or time >= self._from) and (self._before is None or time < self._before)

    def _is_such(self, hand: Hand) -> bool:
        if self._stake is not None:
            small, big, currency = self._stake
            unit, bets = Fraction(hand.unit), hand.spec.bets
            if (bets[0] * unit, bets[2] * unit) != (small, big) or currency not in ("", hand.currency):
                return False
        if self.min_pot is not None and hand.pot < self.min_pot:
            return False
        if self.max_pot is not None and hand.pot > self.max_pot:
            return False
        if hand.last_round < self._round:
            return False
        return self.showdown is None or hand.showdown == self.showdown


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _read_stake(text: str) -> tuple[Fraction, Fraction, str]:
    found = _STAKE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a stake: expected small and big bet, as '2/4' or '2/4 USD'")
    return Fraction(found["small"]), Fraction(found["big"]), found["currency"] or ""


def _period(given: str | date, what: str) -> tuple[datetime, datetime]:
    """Return the beginning of a period, and the time from which it is over."""
    if isinstance(given, datetime):
        start = _in_utc(given)
        return start, start + timedelta(microseconds=1)
    if isinstance(given, date):
        start = datetime(given.year, given.month, given.day, tzinfo=UTC)
        return start, start + timedelta(days=1)
    text = given.strip()
    try:
        if found := _PERIOD.fullmatch(text):
            year, month = int(found["year"]), int(found["month"] or 0)
            start = datetime(year, month or 1, 1, tzinfo=UTC)
            return start, datetime(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1, tzinfo=UTC)
        if len(text) <= len("1995-04-07"):
            return _period(date.fromisoformat(text), what)
        start = _in_utc(datetime.fromisoformat(text))
        seconds = 1 if text.count(":") > 1 else 60
        return start, start + timedelta(seconds=seconds)
    except (ValueError, OverflowError):
        raise ValueError(f"{what} {given!r}: {_WHEN}") from None


def _in_utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
