"""What hostile requests get, by the layer itself and by a real server on a real port."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

import uvicorn

from pokermodel.desk.guard import MOST_BODY, MOST_HEAVY, MOST_WAITING, Guard
from pokermodel.desk.place import Place, hold

PLACE = Place("abcdefghijkl", 8123, "c" * 32, "b" * 32)
COOKIE = f"pokermodel={PLACE.cookie}"
BEARER = f"Bearer {PLACE.bearer}"
OWN = {"host": PLACE.host, "cookie": COOKIE}


async def behind(scope, receive, send):
    """Answer everything, with the body that came."""
    body = (await receive())["body"]
    headers = [(b"content-type", b"text/plain"), (b"content-security-policy", b"default-src *")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"let in " + body})


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def guard(clock):
    return Guard(behind, PLACE, light=("/events",), clock=clock)


def scope_of(method, target, headers):
    path, _, query = target.partition("?")
    pairs = headers.items() if isinstance(headers, dict) else headers
    raw = [(name.encode(), value.encode("latin-1")) for name, value in pairs]
    return {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": raw}


def ask(guard, method, target, headers, chunks=(b"",)):
    """Status, headers and text of an answer; the body comes in chunks."""
    sent = []
    parts = list(chunks)

    async def receive():
        if not parts:
            return {"type": "http.disconnect"}
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    asyncio.run(guard(scope_of(method, target, headers), receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(each["body"] for each in sent[1:]).decode()


GOOD = [
    ("GET", "/", OWN),
    ("HEAD", "/hands", OWN),
    ("GET", "/", {**OWN, "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}),
    ("GET", "/", {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}),
    ("GET", "/hands", {**OWN, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}),
    ("GET", "/hands", {**OWN, "origin": PLACE.url}),
    ("POST", "/work", {**OWN, "sec-fetch-site": "same-origin", "origin": "null"}),
    ("PUT", "/hand/a/1/note", {**OWN, "origin": PLACE.url}),
    ("GET", "/hands", {"host": "127.0.0.1:8123", "authorization": BEARER}),
    ("GET", "/hands", {"host": "localhost:8123", "authorization": f"bearer {PLACE.bearer}"}),
    ("GET", "/hands", {"host": "[::1]:8123", "authorization": BEARER}),
    ("POST", "/work", {"host": "127.0.0.1:8123", "authorization": BEARER}),
    ("POST", "/work", {"host": PLACE.host, "authorization": BEARER}),
    ("GET", "/", {**OWN, "cookie": f"other=1; {COOKIE}; more=2"}),
]

# Each request is a good one with one thing changed.
CROSS = {"sec-fetch-site": "cross-site"}
HOSTILE = [
    # hosts: the names that a rebinding server has, and every other way to write our own
    *[(403, "GET", "/", {**OWN, "host": host}) for host in ("evil.example", "evil.example:8123", "", "localhost")],
    *[(403, "GET", "/", {**OWN, "host": host}) for host in ("127.0.0.1:8123", "localhost:8123", "[::1]:8123")],
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost:8124"}),
    (403, "GET", "/", {**OWN, "host": "ABCDEFGHIJKL.localhost:8123"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost.:8123"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost:8123."}),
    (403, "GET", "/", {**OWN, "host": " abcdefghijkl.localhost:8123"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost:08123"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost:8123@evil.example"}),
    (403, "GET", "/", {**OWN, "host": "evil.example#abcdefghijkl.localhost:8123"}),
    (403, "GET", "/", {**OWN, "host": "abcdefghijkl.localhost:8123, evil.example"}),
    (403, "GET", "/", {**OWN, "host": "sub.abcdefghijkl.localhost:8123"}),
    (403, "GET", "/", {**OWN, "host": "[::ffff:127.0.0.1]:8123"}),
    (403, "GET", "/", {**OWN, "host": "127.1:8123"}),
    (403, "GET", "/", {**OWN, "host": "2130706433:8123"}),
    (403, "GET", "/", {**OWN, "host": "\u00e4bcdefghijkl.localhost:8123"}),
    (403, "GET", "/", {"cookie": COOKIE}),
    (400, "GET", "/", [("host", PLACE.host), ("host", "evil.example"), ("cookie", COOKIE)]),
    (403, "GET", "/", {**OWN, "host": "evil.example", "x-forwarded-host": PLACE.host, "forwarded": PLACE.host}),
    (403, "GET", "/", {"host": "evil.example", "authorization": BEARER}),
    # secrets
    (403, "GET", "/", {"host": PLACE.host}),
    (403, "GET", "/", {"host": PLACE.host, "cookie": "pokermodel="}),
    (403, "GET", "/", {"host": PLACE.host, "cookie": f"pokermodel={PLACE.bearer}"}),
    (403, "GET", "/", {"host": PLACE.host, "cookie": f"Pokermodel={PLACE.cookie}"}),
    (403, "GET", "/", {"host": PLACE.host, "cookie": f"{COOKIE}; pokermodel=x"}),
    (403, "GET", "/", {"host": PLACE.host, "cookie": f"pokermodel=\xff{PLACE.cookie}"}),
    (401, "GET", "/", {"host": "127.0.0.1:8123", "authorization": f"Bearer {PLACE.cookie}"}),
    (401, "GET", "/", {"host": "127.0.0.1:8123", "authorization": f"Basic {PLACE.bearer}"}),
    (401, "GET", "/", {"host": "127.0.0.1:8123", "authorization": PLACE.bearer}),
    (401, "GET", "/", {"host": "127.0.0.1:8123", "authorization": "Bearer"}),
    (401, "GET", "/", {**OWN, "authorization": "Bearer nothing"}),
    (401, "GET", "/", {"host": "127.0.0.1:8123", "authorization": "Bearer \xff"}),
    # another site, in all that it can make a browser send
    (403, "POST", "/work", OWN),
    (403, "POST", "/work", {**OWN, "origin": "http://evil.example"}),
    (403, "POST", "/work", {**OWN, "origin": "null"}),
    (403, "POST", "/work", {**OWN, "origin": PLACE.url.upper()}),
    (403, "POST", "/work", {**OWN, "origin": "http://abcdefghijkl.localhost:9999"}),
    (403, "POST", "/work", {**OWN, "origin": f"https://{PLACE.host}"}),
    (403, "POST", "/work", {**OWN, "origin": f"{PLACE.url}/"}),
    (403, "POST", "/work", {**OWN, "origin": f"{PLACE.url}.evil.example"}),
    *[
        (403, method, "/work", {**OWN, "origin": PLACE.url, "sec-fetch-site": site})
        for site in ("cross-site", "same-site", "none", "Same-Origin", "")
        for method in ("POST", "PUT")
    ],
    (400, "POST", "/work", [*OWN.items(), ("origin", PLACE.url), ("origin", "http://evil.example")]),
    (403, "POST", "/work", {**OWN, "host": "127.0.0.1:8123", "authorization": BEARER, "origin": "http://evil"}),
    (403, "GET", "/hands", {**OWN, "origin": "http://evil.example"}),
    (403, "GET", "/hands", {**OWN, **CROSS}),
    (403, "GET", "/hands", {**OWN, **CROSS, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}),
    (403, "GET", "/hands", {**OWN, **CROSS, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}),
    (403, "GET", "/hands", {**OWN, **CROSS, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}),
    (403, "GET", "/hands", {**OWN, **CROSS, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}),
    (403, "GET", "/hands", {**OWN, **CROSS, "sec-fetch-mode": "navigate", "sec-fetch-dest": "object"}),
    (403, "GET", "/hands", {**OWN, "sec-fetch-site": "same-site", "sec-fetch-dest": "empty"}),
    (403, "GET", "/events", {**OWN, **CROSS, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}),
    # kinds of request that nothing needs
    (405, "OPTIONS", "/", {**OWN, "origin": PLACE.url}),
    (405, "DELETE", "/work", {**OWN, "origin": PLACE.url}),
    (405, "TRACE", "/", OWN),
    (405, "CONNECT", "/", OWN),
    (405, "PATCH", "/", {**OWN, "origin": PLACE.url}),
    (405, "get", "/", OWN),
    (400, "GET", "http://evil.example/", OWN),
    (400, "GET", "//evil.example/", OWN),
    (400, "GET", "*", OWN),
    (403, "GET", "/", {**OWN, "upgrade": "websocket", "connection": "Upgrade", "sec-fetch-mode": "websocket"}),
    (403, "GET", "/", {**OWN, "upgrade": "h2c"}),
    # the door
    (403, "GET", "/enter", OWN),
    (403, "GET", "/enter?token=", OWN),
    (403, "GET", "/enter?token=x", OWN),
    (403, "GET", "/enter?token=%00&token=%FF", OWN),
    (403, "POST", "/enter", OWN),
    (401, "POST", "/enter", {"host": "127.0.0.1:8123", "authorization": "Bearer x"}),
    (403, "POST", "/enter", {"host": "evil.example", "authorization": BEARER}),
    (405, "GET", "/enter", {"host": "127.0.0.1:8123", "authorization": BEARER}),
]


@pytest.mark.parametrize(("method", "target", "headers"), GOOD)
def test_what_is_let_in(guard, method, target, headers):
    status, _, text = ask(guard, method, target, headers)
    assert (status, text) == (200, "let in ")


@pytest.mark.parametrize(("status", "method", "target", "headers"), HOSTILE)
def test_what_is_not(guard, status, method, target, headers):
    found, _, text = ask(guard, method, target, headers)
    assert found == status
    assert "let in" not in text


@pytest.mark.parametrize("headers", [OWN, {"host": "evil.example"}])
def test_every_answer_has_the_policy(guard, headers):
    """Refusals, too; what is behind cannot loosen it."""
    _, found, _ = ask(guard, "GET", "/", headers)
    policy = found[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert found[b"x-content-type-options"] == b"nosniff"
    assert found[b"referrer-policy"] == b"no-referrer"
    assert found[b"cross-origin-opener-policy"] == found[b"cross-origin-resource-policy"] == b"same-origin"
    assert found[b"cache-control"] == b"no-store"
    assert b"access-control-allow-origin" not in found


def test_a_token_opens_once(guard):
    token = guard.token()
    assert len(token) == 32
    status, headers, _ = ask(guard, "GET", f"/enter?token={token}", {"host": PLACE.host})
    assert (status, headers[b"location"]) == (303, b"/")
    cookie = headers[b"set-cookie"].decode()
    assert cookie.startswith(f"{COOKIE}; Path=/; HttpOnly; SameSite=Strict")
    assert "domain" not in cookie.lower()
    assert ask(guard, "GET", f"/enter?token={token}", {"host": PLACE.host})[0] == 403


def test_a_token_ends(guard, clock):
    """After five minutes, and when many newer ones were made."""
    old = guard.token()
    clock.now += 301
    assert ask(guard, "GET", f"/enter?token={old}", {"host": PLACE.host})[0] == 403
    tokens = [guard.token() for _ in range(17)]
    assert [ask(guard, "GET", f"/enter?token={each}", {"host": PLACE.host})[0] for each in tokens[:2]] == [403, 303]


def test_what_is_fetched_ahead_uses_no_token(guard):
    """Browsers do so with an address that is being typed."""
    token = guard.token()
    for extra in ({"sec-purpose": "prefetch;prerender"}, {"purpose": "prefetch"}):
        assert ask(guard, "GET", f"/enter?token={token}", {"host": PLACE.host, **extra})[0] == 403
    assert ask(guard, "HEAD", f"/enter?token={token}", {"host": PLACE.host})[0] == 403
    assert ask(guard, "GET", f"/enter?token={token}", {"host": "evil.example"})[0] == 403
    assert ask(guard, "GET", f"/enter?token={token}", {"host": PLACE.host})[0] == 303


def test_a_program_gets_a_token(guard):
    status, _, token = ask(guard, "POST", "/enter", {"host": "127.0.0.1:8123", "authorization": BEARER})
    assert status == 200
    assert ask(guard, "GET", f"/enter?token={token}", {"host": PLACE.host})[0] == 303


def test_bodies_are_short(guard):
    """Whatever their length is claimed to be."""
    post = {**OWN, "sec-fetch-site": "same-origin"}
    assert ask(guard, "POST", "/", post, [b"a" * MOST_BODY])[2] == "let in " + "a" * MOST_BODY
    assert ask(guard, "POST", "/", post, [b"a" * MOST_BODY, b"b"])[0] == 413
    assert ask(guard, "POST", "/", {**post, "content-length": str(MOST_BODY + 1)})[0] == 413
    for claimed in ("1" * 5000, "-1", "1e3", "\xb2"):
        assert ask(guard, "POST", "/", {**post, "content-length": claimed})[0] == 413
    assert ask(guard, "POST", "/", post, [])[0] == 400


def test_a_body_that_does_not_end(guard, monkeypatch):
    monkeypatch.setattr("pokermodel.desk.guard._BODY_SECONDS", 0.05)
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    scope = scope_of("POST", "/", {**OWN, "sec-fetch-site": "same-origin"})
    asyncio.run(guard(scope, receive, send))
    assert sent[0]["status"] == 408


def test_few_requests_at_once():
    """Others wait, a bounded number of them; streams and files do not count."""

    async def run():
        go, inside, most = asyncio.Event(), 0, 0
        statuses = []

        async def slow(scope, receive, send):
            nonlocal inside, most
            if scope["path"] == "/":
                inside += 1
                most = max(most, inside)
                await go.wait()
                inside -= 1
            await behind(scope, receive, send)

        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message):
            statuses.append(message.get("status"))

        guard = Guard(slow, PLACE, light=("/events",))
        waiting = [asyncio.create_task(guard(scope_of("GET", "/", OWN), receive, send)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0.01)
        await guard(scope_of("GET", "/", OWN), receive, send)
        await guard(scope_of("GET", "/events", OWN), receive, send)
        assert [each for each in statuses if each] == [503, 200]
        go.set()
        await asyncio.gather(*waiting)
        assert [each for each in statuses if each] == [503, 200] + [200] * MOST_WAITING
        assert most == MOST_HEAVY

    asyncio.run(run())


def test_other_scopes(guard):
    """A websocket is closed before it is accepted, and nothing else passes."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/", "headers": scope_of("GET", "/", OWN)["headers"]}
    asyncio.run(guard(scope, None, send))
    assert [each["type"] for each in sent] == ["websocket.close"]
    with pytest.raises(ValueError, match="unknown kind of request: 'telnet'"):
        asyncio.run(guard({"type": "telnet"}, None, send))


@pytest.fixture
def served():
    """A real server on a port of its own: its place and its guard."""
    sockets = hold(0)
    place = Place("abcdefghijkl", sockets[0].getsockname()[1], "c" * 32, "b" * 32)
    guard = Guard(behind, place)
    config = uvicorn.Config(
        guard, ws="none", proxy_headers=False, server_header=False, lifespan="off", log_config=None, http="h11"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([sockets[0]],))
    thread.start()
    try:
        yield place, guard
    finally:
        server.should_exit = True
        thread.join()
        for each in sockets:
            each.close()


def raw(place, text):
    """What a server answers to these bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", place.port), timeout=60) as wire:
        wire.sendall(text.replace("\n", "\r\n").encode("latin-1"))
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while part := wire.recv(65536):
                found += part
    return found.decode("latin-1")


def test_a_real_server(served):
    """Requests as bytes, with what a test client would tidy."""
    place, guard = served
    host = f"Host: {place.host}\nConnection: close\n"
    cookie = f"Cookie: pokermodel={place.cookie}\n"
    assert "let in" in raw(place, f"GET / HTTP/1.1\n{host}{cookie}\n")
    program = f"Host: 127.0.0.1:{place.port}\nConnection: close\nAuthorization: Bearer {place.bearer}\n"
    assert "let in" in raw(place, f"GET / HTTP/1.1\n{program}\n")
    upgrade = "Upgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
    hostile = [
        f"GET / HTTP/1.1\nHost: evil.example\nConnection: close\n{cookie}\n",
        f"GET / HTTP/1.0\n{cookie}\n",
        f"GET / HTTP/1.1\n{host}Host: evil.example\n{cookie}\n",
        f"GET http://evil.example/ HTTP/1.1\n{host}{cookie}\n",
        f"GET / HTTP/1.1\n{host}\n",
        f"GET / HTTP/1.1\nHost: 127.0.0.1:{place.port}\nConnection: close\n{cookie}\n",
        f"POST / HTTP/1.1\n{host}{cookie}Origin: http://evil.example\nContent-Length: 0\n\n",
        f"GET / HTTP/1.1\nHost: {place.host}\nConnection: Upgrade\n{cookie}{upgrade}\n",
        f"OPTIONS / HTTP/1.1\n{host}{cookie}Origin: http://evil.example\n\n",
        f"POST / HTTP/1.1\n{host}{cookie}Origin: {place.url}\nContent-Length: 99999999\n\n",
    ]
    for each in hostile:
        answer = raw(place, each)
        assert answer.startswith("HTTP/1.1 4"), each
        assert "let in" not in answer
        assert "101" not in answer.split("\r\n")[0]
    entered = raw(place, f"GET /enter?token={guard.token()} HTTP/1.1\n{host}\n")
    assert entered.startswith("HTTP/1.1 303")
    assert "server:" not in entered.lower()


def test_only_this_machine_is_listened_to(served):
    """And nobody else can listen on ::1, which browsers may try first."""
    place, _ = served
    with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
        socket.create_connection(("127.0.0.2", place.port), timeout=5)
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other, pytest.raises(OSError, match=r"in use|assign"):
        other.bind(("::1", place.port))
