"""Verdicts as work of the application: asked for by requests, done in processes, kept once, and gone on with."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import sqlite3
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

from pokermodel.analysis.book_study import book_study, study_book
from pokermodel.analysis.book_verdicts import Stamp, unpacked
from pokermodel.analysis.gains import with_gains, work_out
from pokermodel.analysis.people import player_view
from pokermodel.executors import Processes
from pokermodel.library import Book
from pokermodel.library.files import update
from tests.analysis.test_book_verdicts import SITE, names
from tests.analysis.test_book_verdicts import texts as texts
from tests.common.patience import PATIENCE

from .served import desk
from .test_open import html, one_more

HANDS = 3


@pytest.fixture(scope="module")
def judged(tmp_path_factory, texts):
    """A folder of hands, and a book of them with all verdicts."""
    home = tmp_path_factory.mktemp("judged")
    folder = home / "hands"
    folder.mkdir()
    (folder / "no-limit.txt").write_text("".join(texts[1:4]), encoding="utf-8")
    with Book(home / "b.db") as book:
        update(book, folder)
        study_book(book, executor=Processes(1))
    return home


@pytest.fixture
def served(tmp_path, judged):
    """A Desk on it."""
    with start(tmp_path, judged) as found:
        yield found


def copy(judged, folder, forget=()):
    shutil.copytree(judged / "hands", folder / "hands")
    with sqlite3.connect(judged / "b.db") as one, sqlite3.connect(folder / "b.db") as other:
        one.backup(other)
        other.execute("UPDATE _files SET path = replace(path, ?, ?)", (str(judged), str(folder)))
        for number in forget:
            other.execute("DELETE FROM _verdicts WHERE number = ?", (number,))


@contextmanager
def start(tmp_path, judged, forget=()):
    """A Desk on a copy of it, without the verdicts on some hands."""
    if not (tmp_path / "b.db").exists():
        copy(judged, tmp_path, forget)
    with desk(tmp_path / "home", tmp_path / "hands", "--book", tmp_path / "b.db") as served:
        served.wait_for(HANDS)
        yield served


def until(holds):
    """Wait without asking all the time: what is waited for has the lowest priority."""
    end = time.monotonic() + 5 * PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.3)


def ids(judged):
    with Book(judged / "b.db") as book:
        return [number for _, number in names(book)]


def post(served, address, method="POST", body=None, **fields):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {served.bearer}", "Accept": "application/json"}
    if body is None:
        body, headers["Content-Type"] = urlencode(fields), "application/x-www-form-urlencoded"
    try:
        connection.request(method, address, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if text else None
    finally:
        connection.close()


def missing(served):
    return served.json("/study")[1]["summary"]["missing_hands"]


def test_hands_are_judged_in_the_background(tmp_path, judged):
    """Asked for, stopped, asked for again, killed, and gone on with; each verdict is the one that a study keeps."""
    first, *_, last = ids(judged)
    with start(tmp_path, judged, forget=[first, last]) as served:
        assert missing(served) == 2
        assert served.json(f"/hand/{SITE}/{first}")[1]["decisions"] is None
        status, found = post(served, "/work", site=SITE, number=first)
        (job,) = [each for each in found["jobs"] if each["kind"] == "judge"]
        assert (status, job["priority"], job["state"] in ("waiting", "running")) == (200, 0, True)
        assert post(served, "/work/stop")[0] == 200
        (job,) = [each for each in served.json("/work")[1]["jobs"] if each["kind"] == "judge"]
        assert job["state"] == "stopped"
        assert missing(served) == 2
        assert post(served, f"/work/{job['id']}/again")[0] == 200
        until(lambda: missing(served) == 1)
        assert post(served, "/work", q="")[0] == 200
        os.kill(served.process.pid, signal.SIGKILL)
        served.process.wait()
    with start(tmp_path, judged) as served:
        until(lambda: missing(served) == 0)
        told = served.json("/study")[1]
        page = served.json(f"/hand/{SITE}/{last}")[1]
    with Book(tmp_path / "b.db") as book, Book(judged / "b.db") as other:
        rows = book.verdicts.of(Stamp().text)
        assert rows == other.verdicts.of(Stamp().text)
        assert json.loads(json.dumps(book_study(book).to_dict())) == told
        kept = unpacked([row for row in rows if row.number == last]).hand.decisions
        assert page["decisions"] == json.loads(json.dumps([each.to_dict() for each in kept]))


def test_gains_of_answers_are_worked_out_in_the_background(served, tmp_path):
    """They are kept, the page has them, and they are what the analysis gives; asked for again, nothing is done."""
    address = f"/player/{SITE}/Casey"
    assert served.json(address)[1]["ranges"]["postflop"] == []
    status, found = post(served, "/work", site=SITE, player="Casey")
    (job,) = [each for each in found["jobs"] if each["kind"] == "gains"]
    assert (status, job["ids"], job["priority"]) == (200, [f"{SITE}/Casey"], 0)
    until(lambda: served.json(address)[1]["ranges"]["postflop"])
    told = served.json(address)[1]
    with Book(tmp_path / "b.db") as book:
        view = player_view(book, SITE, "Casey")
        expected = with_gains(view, work_out(book, SITE, "Casey")).to_dict()
    assert told == json.loads(json.dumps(expected))
    until(lambda: [each["state"] for each in served.json("/work")[1]["jobs"] if each["kind"] == "gains"] == ["done"])
    assert post(served, "/work", site=SITE, player="Casey")[0] == 200
    assert [each["state"] for each in served.json("/work")[1]["jobs"] if each["kind"] == "gains"] == ["done"]
    assert post(served, "/work", site=SITE, player="Nobody")[0] == 404


def test_while_one_plays_verdicts_wait(tmp_path, judged):
    with start(tmp_path, judged) as served:
        assert served.json("/study")[1]["summary"]["total"]["decisions"]
        assert "data-put" in served.ask("/study?q=won%3Ewhat", **html(served))[2]
        # the clock of a history may be of another zone
        one_more(tmp_path / "hands", time=f"{datetime.now(UTC):%Y/%m/%d %H:%M:%S}")
        served.wait_for(HANDS + 1)
        summary = served.json("/study")[1]["summary"]
        assert summary["total"]["decisions"] == summary["missing"] == 0
        assert served.json("/")[1]["mistakes"] == []
        assert served.json("/hands", q="")[1]["lost"] == 0.0
        assert "data-put" not in served.ask("/study?q=won%3Ewhat", **html(served))[2]  # nor behind a wrong filter
        post(served, "/work", q="")
        (job,) = [each for each in served.json("/work")[1]["jobs"] if each["kind"] == "judge"]
        assert job["state"] == "waiting"
        assert post(served, "/study-while-playing")[0] == 303
        assert served.json("/study")[1]["summary"]["total"]["decisions"]


def test_what_the_user_thinks_is_kept_and_bad_requests_do_nothing(tmp_path, served, judged):
    number = ids(judged)[0]
    address = f"/study/{SITE}/{number}/3"
    for given, kept in (
        ({"answer": "agree"}, "agree"),
        ({"answer": "disagree", "note": "he never bluffs"}, "disagree: he never bluffs"),
    ):
        for _ in range(2):
            assert post(served, address, "PUT", json.dumps(given))[0] == 204
        with Book(tmp_path / "b.db") as book:
            assert book.mine.answers() == {(SITE, number, 3): kept}
    assert post(served, address, "PUT", json.dumps({"answer": "perhaps"}))[0] == 400
    assert post(served, address, "PUT", "[" * 2000)[0] == 400
    assert post(served, f"/study/{SITE}/0/1", "PUT", json.dumps({"answer": "agree"}))[0] == 404  # no such hand
    assert post(served, address, "PUT", json.dumps({"answer": ""}))[0] == 204
    with Book(tmp_path / "b.db") as book:
        assert book.mine.answers() == {}
    for path, fields, status in (
        ("/work", {"site": SITE, "number": "no such"}, 404),
        ("/work", {"q": "nonsense=1"}, 400),
        ("/work/99999/stop", {}, 404),
        (f"/work/{10**20}/again", {}, 404),
        ("/work/1/burn", {}, 404),
        (address, {}, 405),
    ):
        assert post(served, path, **fields)[0] == status
    # and nobody is led elsewhere
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {served.bearer}", "Accept": "text/html"}
    connection.request("POST", "/work/stop", urlencode({"back": "//evil.example/"}), headers)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("location")) == (303, "/work")
    connection.close()
