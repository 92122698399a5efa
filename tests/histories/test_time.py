"""When hands were played, as their sources say it."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from pokermodel import Hand, example_hand
from pokermodel.histories import open_hands, phh
from pokermodel.histories._time import text_time
from tests.histories.cases import CASES


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2020/01/02 3:04:05 CET [2020/01/01 21:04:05 ET]", utc(2020, 1, 2, 2, 4, 5)),
        ("Hold'em Limit ($1/$2) - 2005/08/26 - 16:12:22 (ET)", utc(2005, 8, 26, 20, 12, 22)),
        ("$1/$2 - 01:02:03 ET - 2020/01/02", utc(2020, 1, 2, 6, 2, 3)),
        ("2009-07-01 00:00:36 (ET)", utc(2009, 7, 1, 4, 0, 36)),
        ("Texas Hold'em - Sunday, January 05, 19:00:12 EST 2014", utc(2014, 1, 6, 0, 0, 12)),
        ("Tuesday, July 17, 21:37:31 CEST 2012", utc(2012, 7, 17, 19, 37, 31)),
        ("Tuesday, July 17, 21:37:31 YEKST 2012", datetime(2012, 7, 17, 21, 37, 31)),  # a zone that is not known
        ("Fixed Limit - 2020-01-02 03:04:05", datetime(2020, 1, 2, 3, 4, 5)),
        ("02.01.2020 6:04:05 \u041c\u0421\u041a [01.01.2020 22:04:05 \u0412\u0412]", utc(2020, 1, 2, 3, 4, 5)),
        ("-- 2011/05/08 - 10:37:17", datetime(2011, 5, 8, 10, 37, 17)),
        # New York's summer: from 2007 between the second Sunday of March and the first of November, before between the
        # first of April and the last of October
        ("2007/03/11 1:59:59 ET", utc(2007, 3, 11, 6, 59, 59)),
        ("2007/03/11 3:00:00 ET", utc(2007, 3, 11, 7)),
        ("2007/11/04 0:59:59 ET", utc(2007, 11, 4, 4, 59, 59)),
        ("2007/11/04 2:00:00 ET", utc(2007, 11, 4, 7)),
        ("2006/04/02 3:00:00 ET", utc(2006, 4, 2, 7)),
        ("2006/03/31 3:00:00 ET", utc(2006, 3, 31, 8)),
        ("2006/10/28 3:00:00 ET", utc(2006, 10, 28, 7)),
        ("2006/10/29 3:00:00 ET", utc(2006, 10, 29, 8)),
        ("Start hand: Wed Aug 01 18:09:42 EEST 2012", utc(2012, 8, 1, 15, 9, 42)),
        ("Start hand: Sat Sep 4 05:34:19 GMT+0100 2010", utc(2010, 9, 4, 4, 34, 19)),
        ("Start hand: Sat Sep 4 05:34:19 GMT-0330 2010", utc(2010, 9, 4, 9, 4, 19)),
        ("07-Apr-2014 00:57:23", datetime(2014, 4, 7, 0, 57, 23)),
        ("07-Abc-2014 00:57:23", None),
        ("Table 7 (6 max)", None),
        ("2020/13/02 3:04:05 ET", None),
        ("2020/01/02 3:74:05 ET", None),
        ("0001/01/01 0:00:00 BST", None),  # before the first year
        ("Tuesday, Juli 17, 21:37:31 EST 2012", None),
        ("02 01 2020 03:04:05", datetime(2020, 1, 2, 3, 4, 5)),
        ("Start time of hand: 02 Jan 2020 03:04:05", datetime(2020, 1, 2, 3, 4, 5)),
        ("02 January 2020 3:04:05", datetime(2020, 1, 2, 3, 4, 5)),
        ("02 Jam 2020 03:04:05", None),
    ],
)
def test_times_of_texts(text: str, time: datetime | None) -> None:
    assert text_time(text) == time


@pytest.mark.parametrize(
    "time",
    [
        datetime(2009, 7, 1, 12, 30, 1, 250000, tzinfo=UTC),
        datetime(2009, 7, 1, 20, 30, tzinfo=timezone(timedelta(hours=-5))),
        datetime(2009, 7, 1, 20, 30),
    ],
)
def test_times_are_written(time: datetime) -> None:
    hand = example_hand()
    hand = Hand(*hand._content()[:12], time)
    assert phh.loads(phh.dumps(hand)) == hand


def test_pokerkit_reads_the_time() -> None:
    pokerkit = pytest.importorskip("pokerkit")
    hand = Hand(*phh.loads(CASES["phh/ring"].text)._content()[:12], utc(2009, 7, 1, 12, 30, 1))
    found = pokerkit.HandHistory.load(io.BytesIO(phh.dumps(hand).encode()))
    assert (found.year, found.month, found.day, found.time) == (2009, 7, 1, datetime(2009, 7, 1, 12, 30, 1).time())
    assert found.time_zone == "UTC"


def test_real_hands_have_times(data_dir: Path) -> None:
    times = [hand.time for hand in open_hands(data_dir / "irc-199504" / "sample300")]
    assert {(time.year, time.month) for time in times if time is not None} == {(1995, 4)}
    assert None not in times
    bovada = data_dir / "bovada-limit" / "LHE-USD-8-16-201204.hands1-240.txt"
    assert all(hand.time is not None for hand in open_hands(bovada).read([]))
