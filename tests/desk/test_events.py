"""Streams of events, and what they send."""

from __future__ import annotations

import asyncio
import threading

import pytest

from pokermodel.desk import events as events_module
from pokermodel.desk.events import Events


async def some(stream, count):
    """The next so many events, as (kind, text)."""
    found = []
    async for part in stream:
        for block in part.decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "event" in lines:
                found.append((lines["event"], lines["data"], lines["id"]))
        if len(found) >= count:
            return found
    return found


def test_what_changed_is_sent_once():
    """To all tabs, from any thread; a tab that comes later gets the figures as they are."""

    async def run():
        events = Events()
        events.publish("hands", {"total": 1})
        first, second = events.stream("a"), events.stream("b")
        assert await some(first, 1) == [("hands", '{"total":1}', "1")]
        assert await some(second, 1) == [("hands", '{"total":1}', "1")]
        first = events.stream("a", "1")
        waiting = asyncio.create_task(some(first, 1))
        await asyncio.sleep(0.01)
        events.publish("hands", {"total": 1})  # nothing new
        thread = threading.Thread(target=events.publish, args=("work", {"waiting": 2}))
        thread.start()
        thread.join()
        assert await asyncio.wait_for(waiting, 60) == [("work", '{"waiting":2}', "2")]

    asyncio.run(run())


def test_only_the_latest_of_a_kind_is_sent():
    async def run():
        events = Events()
        for k in range(1000):
            events.publish("work", {"done": k})
            events.publish("hands", {"total": 7})
        sent = await some(events.stream("a"), 2)
        assert [each[:2] for each in sent] == [("hands", '{"total":7}'), ("work", '{"done":999}')]
        again = await some(events.stream("a", sent[0][2]), 1)
        assert [each[0] for each in again] == ["work"]

    asyncio.run(run())


@pytest.mark.parametrize("last", ["999", "-1", "x", "1" * 40, "\u0663", ""])
def test_a_number_of_another_run(last):
    """All is sent that there is."""

    async def run():
        events = Events()
        events.publish("hands", 1)
        assert len(await some(events.stream("a", last), 1)) == 1

    asyncio.run(run())


def test_one_stream_for_each_tab(monkeypatch):
    monkeypatch.setattr(events_module, "_MOST_TABS", 3)

    async def run():
        events = Events()
        began = []
        for tab in ("a", "b", "a", "c", "d", "e"):
            began.append(asyncio.create_task(some(events.stream(tab), 1)))
            await asyncio.sleep(0.01)
        assert [each.done() for each in began] == [True, True, True, False, False, False]
        events.close()
        assert await asyncio.wait_for(asyncio.gather(*began), 60) == [[]] * 6

    asyncio.run(run())


def test_silence_is_broken(monkeypatch):
    """So that the server notices a tab that has gone."""
    monkeypatch.setattr(events_module, "_QUIET", 0.01)

    async def run():
        stream = Events().stream("a")
        assert [await anext(stream) for _ in range(3)] == [b"retry: 1000\n\n", b":\n\n", b":\n\n"]
        await stream.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("tab", ["", "a" * 41, "a b", "../x", "\u00e9"])
def test_names_of_tabs(tab):
    with pytest.raises(ValueError, match="unknown name of a tab"):
        Events().stream(tab)
