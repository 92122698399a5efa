"""When a hand was played, as texts of poker sites say it."""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta, timezone
from functools import cache

from pokermodel._support.patterns import regex

__all__ = ["epoch_time", "text_time"]

_DATE = r"(?P<year>[0-9]{4})[/-](?P<month>[0-9]{1,2})[/-](?P<day>[0-9]{1,2})"
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_ZONE = r"(?P<zone>[A-Z\u0410-\u042f]{2,5})"
_FORMS = (
    regex(rf"{_DATE}(?: - | ){_CLOCK}(?: \(?{_ZONE}\b)?"),  # 2009/07/01 0:00:17 ET
    regex(rf"(?P<day>[0-9]{{1,2}})\.(?P<month>[0-9]{{1,2}})\.(?P<year>[0-9]{{4}}) {_CLOCK}(?: {_ZONE}\b)?"),
    regex(rf"{_CLOCK} {_ZONE} - {_DATE}"),  # 00:00:17 ET - 2009/07/01
    regex(rf"\b{_ZONE} {_CLOCK} {_DATE}"),  # UTC 00:00:17 2009/07/01
    regex(  # January 05, 19:00:12 CET 2020; Wed Jan 05 19:00:12 GMT+0100 2020
        rf"(?P<name>[A-Z][a-z]+) (?P<day>[0-9]{{1,2}}),? {_CLOCK} {_ZONE}(?P<offset>[+-][0-9]{{4}})?"
        r" (?P<year>[0-9]{4})"
    ),
    regex(rf"(?P<day>[0-9]{{2}})-(?P<name>[A-Z][a-z]{{2}})-(?P<year>[0-9]{{4}}) {_CLOCK}(?: {_ZONE}\b)?"),
    regex(rf"(?P<day>[0-9]{{2}}) (?:(?P<month>[0-9]{{2}})|(?P<name>[A-Z][a-z]+)) (?P<year>[0-9]{{4}}) {_CLOCK}"),
)
_MONTHS = {name: number for names in (calendar.month_name, calendar.month_abbr) for number, name in enumerate(names)}
_NEW_YORK = ("ET", "\u0412\u0412")  # in English and Russian
#: Hours from UTC.
_ZONES = {
    "UTC": 0,
    "GMT": 0,
    "WET": 0,
    "WEST": 1,
    "BST": 1,
    "CET": 1,
    "CEST": 2,
    "EET": 2,
    "EEST": 3,
    "AST": -4,
    "ADT": -3,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
}


def text_time(text: str) -> datetime | None:
    """Find a date and a time of day in a line.

    Parameters
    ----------
    text : str
        The line. Where it has the same time in two zones, the last one counts, which is that of the site.

    Returns
    -------
    datetime or None
        In UTC; without a zone if the text names none, or one that is not known. None if there is no time.
    """
    for form in _FORMS:
        found = None
        for found in form.finditer(text):  # noqa: B007
            pass
        if found is not None:
            return _time(found.groupdict())
    return None


def _time(parts: dict[str, str]) -> datetime | None:
    month = _MONTHS.get(parts["name"], 0) if parts.get("name") else int(parts["month"])
    year, day, hour, minute, second = (int(parts[key]) for key in ("year", "day", "hour", "minute", "second"))
    zone = parts.get("zone")
    try:
        local = datetime(year, month, day, hour, minute, second)
        hours: float | None = _eastern(local) if zone in _NEW_YORK else _ZONES.get(zone or "")
        if hours is not None and (offset := parts.get("offset")):  # of GMT
            hours += (int(offset[:3]) * 60 + int(offset[0] + offset[3:])) / 60
        return local if hours is None else local.replace(tzinfo=timezone(timedelta(hours=hours))).astimezone(UTC)
    except (ValueError, OverflowError):  # there is no such date
        return None


def _eastern(local: datetime) -> int:
    """Hours from UTC in New York, by the rules since 1987."""
    start, end = (_sunday(local.year, 3, 8), _sunday(local.year, 11, 1))
    if local.year < 2007:
        start, end = _sunday(local.year, 4, 1), _sunday(local.year, 10, 25)
    return -4 if start <= local < end else -5


@cache
def _sunday(year: int, month: int, day: int) -> datetime:
    """Two o'clock of the first Sunday from a day on."""
    first = datetime(year, month, day, 2)
    return first + timedelta(days=6 - first.weekday())


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def epoch_time(seconds: float) -> datetime | None:
    """The time so many seconds after the beginning of 1970 (UTC); None if there is no such time."""
    try:
        return _EPOCH + timedelta(seconds=seconds)  # not all systems have a clock before it
    except (ValueError, OverflowError):
        return None
