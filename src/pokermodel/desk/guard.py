"""The guard: what every request has to pass before anything of the Desk sees it.

The Desk shows a person's hands, notes and money, and any page that the person's browser opens may try to reach it. The
guard is one ASGI layer before everything, for every kind of scope. What it has not let pass reaches no route, no error
page and no file. Where a rule could be strict or lenient, it is strict: browsers write hosts in lower case, with their
port, and without a dot at the end.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from pokermodel.desk.place import Place

__all__ = ["Guard"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "pokermodel"
MOST_BODY = 64 * 1024  # bytes
MOST_HEAVY = 8  # requests at once
MOST_WAITING = 64  # requests that wait to be one of them
_BODY_SECONDS = 10.0
_TOKEN_SECONDS = 300.0
_MOST_TOKENS = 16  # the oldest is forgotten
_COOKIE_SECONDS = 30 * 24 * 3600

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS = {
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
_SAFE = ("GET", "HEAD")
_METHODS = (*_SAFE, "POST", "PUT")


class _RefusedError(Exception):
    """A request that is not answered: its status, and why in a few words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Guard:
    """An ASGI application that lets pass what may reach another one.

    Parameters
    ----------
    app : callable
        The application behind it.
    place : Place
        Its host, its port and its secrets.
    light : tuple of str
        Beginnings of paths whose requests do not count as heavy: files and streams.
    clock : callable
        Seconds that only grow.

    Attributes
    ----------
    place : Place
    """

    def __init__(
        self, app: App, place: Place, *, light: tuple[str, ...] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.place = place
        self._app = app
        self._light = light
        self._clock = clock
        self._tokens: dict[str, float] = {}  # with the time at which each ends
        self._heavy = asyncio.Semaphore(MOST_HEAVY)
        self._waiting = 0

    def token(self) -> str:
        """Return a new token, which opens the application once, within five minutes."""
        now = self._clock()
        self._tokens = {token: end for token, end in self._tokens.items() if end > now}
        while len(self._tokens) >= _MOST_TOKENS:
            del self._tokens[next(iter(self._tokens))]
        made = secrets.token_urlsafe(24)
        self._tokens[made] = now + _TOKEN_SECONDS
        return made

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            raise ValueError(f"unknown kind of request: {scope['type']!r}, expected http")

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = dict(_HEADERS)
                there = [(key, value) for key, value in message.get("headers", []) if key.lower() not in own]
                if not any(key.lower() == b"cache-control" for key, _ in there):
                    own[b"cache-control"] = b"no-store"
                message = {**message, "headers": [*there, *own.items()]}
            await send(message)

        try:
            headers = _headers(scope)
            self._check_request(scope, headers)
            if scope["path"] == "/enter":
                await self._enter(scope, headers, guarded)
                return
            self._check_secret(scope["method"], headers)
            body = await _body(headers, receive)
            if scope["path"].startswith(self._light):
                await self._app(scope, _replayed(body, receive), guarded)
                return
            if self._waiting >= MOST_WAITING:
                raise _RefusedError(503, "too many requests at once")
            self._waiting += 1
            try:
                async with self._heavy:
                    await self._app(scope, _replayed(body, receive), guarded)
            finally:
                self._waiting -= 1
        except _RefusedError as refused:
            await _answer(guarded, refused.status, refused.why)

    def _check_request(self, scope: Scope, headers: dict[str, str]) -> None:
        """Refuse what no browser sends of its own accord, and hosts that are not the Desk's."""
        host = headers.get("host", "")
        if not _same(host, self.place.host):
            if host not in [f"{name}:{self.place.port}" for name in ("127.0.0.1", "localhost", "[::1]")]:
                raise _RefusedError(403, "unknown host")
            if "authorization" not in headers:
                raise _RefusedError(403, "no bearer")
        if "upgrade" in headers:
            raise _RefusedError(403, "no websockets")
        if not scope["path"].startswith("/") or scope["path"].startswith("//"):
            raise _RefusedError(400, "no such path")
        if scope["method"] not in _METHODS:
            raise _RefusedError(405, "no such method")

    def _check_secret(self, method: str, headers: dict[str, str]) -> None:
        """Refuse a request without the secret of a browser or a program, and what another site makes a browser send."""
        cookie = _cookie(headers)
        if "authorization" in headers:
            kind, _, bearer = headers["authorization"].partition(" ")
            if kind.lower() != "bearer" or not _same(bearer, self.place.bearer):
                raise _RefusedError(401, "unknown bearer")
            if cookie is None:
                return
        elif cookie is None or not _same(cookie, self.place.cookie):
            raise _RefusedError(403, "run pokermodel open again")
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if method not in _SAFE:
            if site != "same-origin" and (site is not None or origin != self.place.url):
                raise _RefusedError(403, "foreign site")
        elif site not in (None, "same-origin", "none"):
            if (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) != ("navigate", "document"):
                raise _RefusedError(403, "foreign site")
        elif origin not in (None, self.place.url):
            raise _RefusedError(403, "foreign site")

    async def _enter(self, scope: Scope, headers: dict[str, str], send: Send) -> None:
        """Exchange a token for the cookie; a program with the bearer gets a token."""
        if "authorization" in headers:
            self._check_secret(scope["method"], headers)
            if scope["method"] != "POST":
                raise _RefusedError(405, "no such method")
            await _answer(send, 200, self.token())
            return
        if scope["method"] != "GET" or "sec-purpose" in headers or "purpose" in headers:  # what is fetched ahead
            raise _RefusedError(403, "no navigation")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        now = self._clock()
        found = [token for token in self._tokens if _same(given, token)]
        if not found or self._tokens.pop(found[0]) <= now:
            raise _RefusedError(403, "token used, old or unknown")
        cookie = f"{COOKIE}={self.place.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age={_COOKIE_SECONDS}"
        await _answer(send, 303, "", [(b"location", b"/"), (b"set-cookie", cookie.encode())])


def _same(given: str, expected: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


def _headers(scope: Scope) -> dict[str, str]:
    """Headers by name; those that decide anything come once."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        key = raw.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "cookie", "content-length", "sec-fetch-site"):
            raise _RefusedError(400, "a header twice")
        found[key] = value.decode("latin-1")
    return found


def _cookie(headers: dict[str, str]) -> str | None:
    """The cookie of the Desk; what is there twice is none."""
    pairs = [each.strip().partition("=") for each in headers.get("cookie", "").split(";")]
    found = [value for name, _, value in pairs if name == COOKIE]
    return None if not found else found[0] if len(found) == 1 else ""


async def _body(headers: dict[str, str], receive: Receive) -> bytes:
    """Read a whole body, which is short."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:9]) > MOST_BODY:
        raise _RefusedError(413, "too long")
    found = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _RefusedError(400, "cut off")
                found += message.get("body", b"")
                if len(found) > MOST_BODY:
                    raise _RefusedError(413, "too long")
                if not message.get("more_body", False):
                    return bytes(found)
    except TimeoutError:
        raise _RefusedError(408, "too slow") from None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read already, and then what else comes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    body = text.encode()
    start = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*start, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})
