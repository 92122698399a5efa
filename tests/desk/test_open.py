"""The application as a stranger tries it: real processes, real files, real requests."""

from __future__ import annotations

import http.client
import json
import socket
import stat
import time
from datetime import UTC, datetime

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

from pokermodel.cli.main import main
from pokermodel.desk.place import keep, kept, place_folder
from pokermodel.desk.serve import _token_of
from tests.common.desk import lay

from .served import desk

HANDS = 91  # of the sample without its match
MATCH = 3000
HAND = """PokerStars Hand #260300999999:  Hold'em No Limit ($0.50/$1.00 USD) - {time} ET
Table 'Vega' 2-max Seat #1 is the button
Seat 1: Robin ($100 in chips)
Seat 2: {other} ($100 in chips)
Robin: posts small blind $0.50
{other}: posts big blind $1
*** HOLE CARDS ***
Dealt to Robin [Ah Kd]
Robin: raises $2 to $3
{other}: folds
Uncalled bet ($2) returned to Robin
Robin collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
Seat 1: Robin (button) (small blind) collected ($2)
Seat 2: {other} (big blind) folded before Flop


"""


def one_more(folder, other="Casey", time="2026/03/09 1:00:00"):
    with (folder / "no-limit.txt").open("a", encoding="utf-8") as file:
        file.write(HAND.format(other=other, time=time))


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "hands"
    found.mkdir()
    lay(found)
    return found


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A Desk for tests that ask and change nothing that others ask for."""
    folder = tmp_path_factory.mktemp("hands")
    lay(folder)
    one_more(folder, other="AC/DC 100%")
    with desk(tmp_path_factory.mktemp("home"), folder) as served:
        served.folder = folder
        served.wait_for(HANDS + 1)
        yield served


def command(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    assert ended.value.code in (0, None)
    return capsys.readouterr().out


def test_a_stranger(tmp_path, folder, capsys):
    """Opens it, sees as many hands as `list` does, and a hand that a room writes, and ends it."""
    assert len(json.loads(command(capsys, "list", folder, "--json"))["hands"]) == HANDS
    with desk(tmp_path / "home", folder) as served:
        served.wait_for(HANDS)
        # nothing without the token, which opens it once
        assert served.ask("/hands", Host=served.host)[0] == 403
        path = served.url.partition(served.host)[2]
        status, headers, _ = served.ask(path, Host=served.host)
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"].split(";")[0]
        assert served.ask(path, Host=served.host)[0] == 403
        status, headers, page = served.ask("/hands", Host=served.host, Cookie=cookie)
        assert status == 200
        assert headers["content-type"].startswith("text/html")
        assert "unsafe" not in headers["content-security-policy"]
        assert served.ask("/", Host=served.host, Cookie=cookie)[0] == 200
        # no path of the machine is in what is sent
        assert str(tmp_path) not in page
        hand = served.json("/hand/pokerstars/260300273500")
        assert hand[0] == 200
        assert str(tmp_path) not in json.dumps(hand)
        # by another reader, as the command has it; only the Desk works no action out
        ranges, read = {}, ["read", folder / "limit.txt", "--where", "id=260300273500", "--json", "--model"]
        for reader in ("loki1", "uniform"):
            printed = json.loads(command(capsys, *read, reader))["steps"]
            told = served.json("/hand/pokerstars/260300273500", reader=reader)[1]["steps"]
            ranges[reader], wanted = (
                [(each["predicted"], each["combos"]) for each in some] for some in (told, printed)
            )
            assert ranges[reader] == wanted
        assert ranges["loki1"] != ranges["uniform"]
        for wrong in ("nobody", f"adaptive?prior={tmp_path}"):
            assert served.json("/hand/pokerstars/260300273500", reader=wrong)[0] == 400
        # as the command has it
        for where in ("hero=Robin", "hero=Robin pot=3-bet", "hero=Robin seat=BTN won>0", "player=Casey"):
            listed = json.loads(command(capsys, "list", folder, "--where", where, "--json"))["hands"]
            found = served.json("/hands", q=where)[1]
            assert found["total"] == len(listed)
            assert {each["number"] for each in found["hands"]} <= {each["id"] for each in listed}
            net = {each["id"]: each["hero"] and each["hero"]["net_bb"] for each in listed}
            for each in found["hands"]:
                assert each["net"] == pytest.approx(net[each["number"]], abs=0.006)
        # a search has words
        for words, where in {
            "260300273500": "id=260300273500",
            " Casey": "player=Casey",
            "A B": 'player="A B"',
        }.items():
            assert served.json("/hands", q=words)[1]["where"] == where
        # a room writes a hand
        begun = time.monotonic()
        one_more(folder)
        served.wait_for(HANDS + 1)
        assert time.monotonic() - begun < 30  # on a busy machine; alone .2 s
        (new,) = served.json("/hands", q="id=260300999999")[1]["hands"]
        assert (new["cards"], new["net"], new["pot"]) == ("AhKd", 1.0, 2.0)
        begun = time.monotonic()
        assert served.end() == ""
        assert served.process.returncode == 0
        assert time.monotonic() - begun < 20


def test_it_is_opened_again(tmp_path, folder, monkeypatch, capsys):
    """A second command prints a new address of the same Desk; after a kill, address and cookie are the same."""
    home = tmp_path / "home"
    with desk(home, folder) as served:
        served.wait_for(HANDS)
        with desk(home, folder) as again:
            assert (again.host, again.bearer) == (served.host, served.bearer)
            assert again.url != served.url
            assert again.process.wait(60) == 0
        headers = served.ask(again.url.partition(served.host)[2], Host=served.host)[1]
        cookie = headers["set-cookie"].split(";")[0]
        served.process.kill()
        served.process.wait()
    with desk(home, folder) as later:
        assert later.host == served.host
        assert later.bearer != served.bearer  # which was offered to the program at the port
        assert later.ask("/hands", Host=later.host, Cookie=cookie)[0] == 200
        later.wait_for(HANDS)
        assert later.end() == ""
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (home / "desks").rglob("*") if path.is_file()}
    assert set(modes.values()) == {0o600}
    # where another program uses the port: one sentence if it is asked for, else another port
    with socket.socket() as other:
        other.bind(("127.0.0.1", later.port))
        monkeypatch.setenv("POKERMODEL_HOME", str(home))
        with pytest.raises(SystemExit) as ended:
            main(["open", str(folder), "--port", str(later.port), "--no-browser"])
        assert ended.value.code == 2
        assert "another program uses this port" in capsys.readouterr().err
        with desk(home, folder) as served:
            assert served.port != later.port
            served.wait_for(HANDS)
            served.end()


@pytest.mark.slow
def test_kills_while_it_reads(tmp_path, folder):
    """No hand is lost, and none is there twice."""
    home = tmp_path / "home"
    text = (folder / "no-limit.txt").read_text(encoding="utf-8")
    for k in range(200):
        (folder / f"more{k}.txt").write_text(text.replace("#2603", f"#9{k:03}"), encoding="utf-8")
    expected = None
    for pause in (0.05, 0.2, 0.5, None):
        with desk(home, folder) as served:
            if pause is not None:
                time.sleep(pause)
                continue
            one = text.count("PokerStars Hand #")
            expected = HANDS + 200 * one
            served.wait_for(expected)
            assert served.json("/hands", q="")[1]["all"] == expected


def test_what_is_wrong_is_one_line(shared):
    """In the terminal, or in the page and in JSON."""
    served = shared
    status, found = served.json("/hands", q="won>what")
    assert (status, set(found)) == (400, {"error"})
    assert "expected an amount of money" in found["error"]
    assert served.json("/hands", sort="luck")[0] == served.json("/", period="week")[0] == 400
    assert served.json("/hands", **{"from": "x"})[0] == 400
    assert served.json("/hand/nowhere/1")[0] == 404
    assert served.json("/hand/pokerstars/..%2F..%2Fetc")[0] == 404
    assert served.json("/static/..%2Fplace.json")[0] == 404
    assert served.json("/etc/passwd")[0] == 404
    assert served.json("/events", tab="../x")[0] == 400
    bearer = {"Authorization": f"Bearer {served.bearer}"}
    assert served.ask("/hands", "PUT", **bearer)[0] == 405
    assert served.ask("/hands", "DELETE", **bearer)[0] == 405
    status, _, page = served.ask("/hands?q=won%3Ewhat", Accept="text/html", **bearer)
    assert status == 400
    assert "expected an amount of money" in page
    (served.folder / "limit.txt").unlink()  # its source is missing
    (gone,) = served.json("/hands", q="id=260300273500")[1]["hands"]
    served.wait(lambda: served.json("/hand/pokerstars/260300273500")[0] == 404)
    assert gone["number"] == "260300273500"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["nowhere"], "there is no such folder of hand histories"), (["--port", "0"], "1<=x<=65535")],
)
def test_what_cannot_be_opened(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.setenv("POKERMODEL_HOME", str(tmp_path / "home"))
    with pytest.raises(SystemExit) as ended:
        main(["open", *arguments])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


def test_advice_waits_while_a_room_is_played(tmp_path, folder):
    """Hands are listed, ranges are not shown; a button lifts it for the session."""
    one_more(folder, time=f"{datetime.now(UTC):%Y/%m/%d %H:%M:%S} UTC [{datetime.now(UTC):%Y/%m/%d %H:%M:%S}")
    with desk(tmp_path / "home", folder) as served:
        served.wait_for(HANDS + 1)
        bearer = {"Authorization": f"Bearer {served.bearer}"}
        status, found = served.json("/hand/pokerstars/260300273500")
        assert (status, found) == (409, {"waits": True})
        page = served.ask("/hand/pokerstars/260300273500", Accept="text/html", **bearer)[2]
        assert "Rooms forbid analysis during play" in page
        assert "drawHand" not in page
        assert served.json("/hand/phh/1")[0] in (200, 404)  # of another room
        assert "advice waits" in served.ask("/hands", Accept="text/html", **bearer)[2]
        for screen in "/", "/study":
            page = served.ask(screen, Accept="text/html", **bearer)[2]
            assert "Verdicts on hands of pokerstars wait" in page
            assert "decisions judged" not in page
            assert "No mistakes" not in page
        assert served.ask("/study-while-playing", "POST", **bearer)[0] == 303
        assert served.json("/hand/pokerstars/260300273500")[0] == 200


def test_what_the_user_writes(tmp_path, folder):
    """Tags, notes and joined names are kept, found by a filter, and survive the loss of the book."""
    home = tmp_path / "home"
    hand, player = "/hand/pokerstars/260300273500", "/player/pokerstars/Casey"

    def put(served, address, **given):
        bearer = {"Authorization": f"Bearer {served.bearer}", "Accept": "application/json"}
        status, _, text = served.ask(address, "PUT", json.dumps(given), **bearer)
        return status, json.loads(text)

    with desk(home, folder) as served:
        served.wait_for(HANDS)
        assert put(served, f"{hand}/tags", tag="ask Al", on=True) == (200, {"tags": ["ask Al"], "note": ""})
        assert put(served, f"{hand}/tags", tag="ask Al", on=True)[1]["tags"] == ["ask Al"]  # may be repeated
        assert put(served, f"{hand}/note", note="<b>why?</b>")[1]["note"] == "<b>why?</b>"
        assert put(served, f"{player}/tags", tag="fish", on=True)[1]["tags"] == ["fish"]
        assert put(served, f"{player}/person", person="Drew")[1]["person"] == "Drew"
        (found,) = served.json("/hands", q='tag="ask Al"')[1]["hands"]
        assert (found["number"], found["tags"], found["note"]) == ("260300273500", ["ask Al"], "<b>why?</b>")
        people = {each["person"] or each["name"]: each for each in served.json("/players")[1]["players"]}
        assert people["Drew"]["hands"] == 80
        for address, given in (
            (f"{hand}/tags", {"tag": "", "on": True}),
            (f"{hand}/tags", {"tag": 7, "on": True}),
            (f"{player}/person", {"person": "Nobody"}),
        ):
            status, told = put(served, address, **given)
            assert (status, set(told)) in ((400, {"error"}), (413, {"error"})), address
        for address in (
            "/hand/pokerstars/0/note",
            "/player/pokerstars/Nobody/note",
            "/book/a/b/note",
            f"{hand}/person",
        ):
            assert put(served, address, note="x", person="Drew")[0] == 404
        assert served.ask(f"{hand}/note", "PUT", "{}", Host=served.host)[0] == 403
        assert put(served, f"{hand}/note", note="lost? never")[0] == 200
        served.end()
    for path in home.glob("book.db*"):
        if path.is_file() and path.suffix != ".mine":
            path.unlink()
    with desk(home, folder) as served:
        served.wait_for(HANDS)
        (found,) = served.json("/hands", q='tag="ask Al"')[1]["hands"]
        assert found["note"] == "lost? never"
        assert put(served, f"{player}/person", person="")[1]["person"] == ""


def test_players(shared, capsys):
    """The list and the page as JSON; what it says is what the command prints."""
    served = shared
    found = served.json("/players", q="hero=Robin pot=3-bet", sort="won")[1]
    assert found["where"] == "hero=Robin pot=3-bet"
    assert all(each["hands"] <= found["hands"] for each in found["players"])
    told = served.json("/player/pokerstars/Casey", by="position")[1]
    history = ["--history", served.folder / "no-limit.txt"]
    printed = json.loads(command(capsys, "profile", "Casey", *history, "--json"))
    for key in ("vpip", "pfr", "cbet", "wtsd"):
        assert told["statistics"][key] == printed["statistics"][key]
    assert {each["name"] for each in told["groups"]} <= {"UTG", "HJ", "CO", "BTN", "SB", "BB"}
    assert served.json("/player/pokerstars/Nobody")[0] == 404
    assert served.json("/player/pokerstars/Casey", q="id=0")[0] == 400  # known, but not there
    status, _, page = served.ask("/player/pokerstars/AC%2FDC%20100%25", **html(served))
    assert (status, "/players#pokerstars-AC%2FDC%20100%25" in page) == (200, True)
    assert served.json("/players", sort="luck")[0] == served.json("/player/pokerstars/Casey", by="luck")[0] == 400


def test_the_first_minute(tmp_path, monkeypatch):
    """One question; answers are numbers of folders that are there, or the sample; the next time it is known."""
    home, own = tmp_path / "home", tmp_path / "user"
    room = own / ".wine/drive_c/users/robin/AppData/Local/PokerStars.EU/HandHistory"
    lay_in = room / "Robin"
    lay_in.mkdir(parents=True)
    lay(lay_in)
    monkeypatch.setenv("HOME", str(own))
    with desk(home) as served:
        bearer = {"Authorization": f"Bearer {served.bearer}", "Accept": "text/html"}
        assert served.ask("/", **bearer)[1]["location"] == "/start"
        page = served.ask("/start", **bearer)[2]
        assert "PokerStars" in page
        assert "HandHistory, 7 files" in page
        assert str(tmp_path) not in page
        for wrong in ("/start/1", "/start/-1", "/start/..%2F..%2Fetc", "/start/%2Fetc"):
            assert served.ask(wrong, "POST", **bearer)[0] == 404
        assert served.ask("/start/0", "POST", **bearer)[0] == 303
        served.wait_for(HANDS)
        assert served.ask("/start/sample", "POST", **bearer)[0] == 303  # it was answered
        served.end()
    one_more(lay_in)
    with desk(home) as served:
        served.wait_for(HANDS + 1)
        served.end()
    with desk(tmp_path / "other") as served:
        assert served.ask("/start/sample", "POST", **bearer | {"Authorization": f"Bearer {served.bearer}"})[0] == 303
        served.wait_for(HANDS + MATCH)


def test_a_folder_that_cannot_be_read(tmp_path, folder, monkeypatch, capsys):
    monkeypatch.setenv("POKERMODEL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may read everything
    with pytest.raises(SystemExit) as ended:
        main(["open", str(folder)])
    assert ended.value.code == 2
    assert "hands' is not readable" in capsys.readouterr().err


def test_a_program_at_the_port_that_does_not_answer(tmp_path, folder, monkeypatch, capsys):
    """It may be a Desk of this book that is busy: a second one would do its work again."""
    monkeypatch.setenv("POKERMODEL_HOME", str(tmp_path))
    monkeypatch.setattr("pokermodel.desk.serve._PATIENCE", 0.1)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        place = place_folder("b.db")
        keep(place, kept(place), busy.getsockname()[1])
        with pytest.raises(SystemExit) as ended:
            main(["open", str(folder), "--book", "b.db", "--no-browser"])
        assert _token_of(kept(place), 1) is None  # with another port it starts
    assert ended.value.code == 2
    assert "does not answer" in capsys.readouterr().err


def test_a_full_disk(tmp_path, folder):
    """It is said in the page and in the terminal, screens go on, and what is missing is read when there is room."""
    resource = pytest.importorskip("resource", reason="limits are of POSIX")
    text = (folder / "no-limit.txt").read_text(encoding="utf-8")
    for k in range(30):
        (folder / f"more{k}.txt").write_text(text.replace("#2603", f"#9{k:03}"), encoding="utf-8")
    total = HANDS + 30 * text.count("PokerStars Hand #")
    with desk(tmp_path / "home", folder, largest=600_000) as served:
        served.wait(lambda: "could be read or kept" in served.ask("/", **html(served))[2])
        assert str(tmp_path) not in served.ask("/", **html(served))[2]
        assert served.json("/hands", q="")[1]["all"] < total
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        (folder / "more0.txt").touch()
        served.wait_for(total)
        served.wait(lambda: "could be read or kept" not in served.ask("/", **html(served))[2])
        assert "Warning: " in served.end()


def html(served):
    return {"Authorization": f"Bearer {served.bearer}", "Accept": "text/html"}


def test_a_hand_that_is_half_written(tmp_path, folder):
    """It waits without a complaint until its rest is there, and is announced then; many files are no matter."""
    for k in range(200):
        (folder / f"empty{k}.txt").write_text("")
    text = HAND.format(other="Casey", time="2026/03/09 1:00:00")
    with desk(tmp_path / "home", folder) as served:
        served.wait_for(HANDS)
        with (folder / "no-limit.txt").open("a") as file:
            file.write(text[:300])
            file.flush()
            time.sleep(1)
            assert served.json("/hands", q="")[1]["all"] == HANDS
            assert "left out" not in served.ask("/", **html(served))[2]
            file.write(text[300:])
        served.wait_for(HANDS + 1)
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        connection.request("GET", "/events?tab=a", headers={"Authorization": f"Bearer {served.bearer}"})
        answer = connection.getresponse()
        assert answer.getheader("content-type").startswith("text/event-stream")
        text = ""
        while f'"total":{HANDS + 1}' not in text:
            text += answer.readline().decode()
        begun = time.monotonic()
        assert served.end() == ""  # a stream does not hold it up
        assert time.monotonic() - begun < 20
        connection.close()
