"""Who may come in: the door before the review's server, which other people and other pages on this machine also reach.

A web page that the judge has open elsewhere can send requests to 127.0.0.1, under a name of its own if it controls a
name server; another user of the machine can connect. So: the Host must be this machine's own name, a secret token in
the address is exchanged for a cookie, and a change must come from the page itself.
"""

from __future__ import annotations

import html
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, unquote

LARGEST_BODY = 64 * 1024
COORDINATOR = "coordinator"
GUEST = "karat.guest"  # where a request's scope has who makes it
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HERE = re.compile(r"(?:localhost|127\.0\.0\.1)(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
WHO = "for"  # where an address, and `karat-review-for` where a request, says which of several guests is meant
_CHANGES = ("PUT", "POST")
_READS = ("GET", "HEAD")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody with an address of their own: the judge of a list, or whoever coordinates them and judges nothing.

    `review` is the place of the list among those that are reviewed; `list_name` tells apart the lists of one judge.
    """

    judge: str
    is_coordinator: bool = False
    review: int = 0
    list_name: str = ""

    @property
    def name(self) -> str:
        """What the guest is called in an address."""
        return COORDINATOR if self.is_coordinator else "/".join(filter(None, (self.judge, self.list_name)))


class Access:
    """The secrets of one server: for each guest a token in the address, and another for the cookie.

    Several guests may use one browser, such as a judge with two lists: each has a cookie of their own, and the page
    says whose it is.
    """

    def __init__(self, guests: Sequence[Guest], *, port: int) -> None:
        self.guests = tuple(guests)
        self.port = port
        self._tokens = {guest: secrets.token_urlsafe(32) for guest in guests}
        self._cookies = {guest: secrets.token_urlsafe(32) for guest in guests}

    def cookie(self, guest: Guest) -> str:
        """The name of a guest's cookie: browsers send cookies to all ports of a host."""
        place = f"-{self.guests.index(guest) + 1}" if len(self.guests) > 1 else ""
        return f"karat-review-{self.port}{place}"

    def url(self, guest: Guest) -> str:
        """The address that lets a guest in; it names them if there are several."""
        page = self.page(guest)
        return f"http://127.0.0.1:{self.port}{page}{'&' if '?' in page else '?'}token={self._tokens[guest]}"

    def page(self, guest: Guest) -> str:
        """The path of a guest's page, which has no secret."""
        return f"/?{WHO}={quote(guest.name, safe='')}" if len(self.guests) > 1 else "/"

    def by_token(self, token: str) -> Guest | None:
        """Who has this token in their address."""
        found = None
        for guest, secret in self._tokens.items():  # all of them: time must not tell how much of it is right
            if _is_same(secret, token):
                found = guest
        return found

    def by_cookies(self, header: str, name: str | None = None) -> Guest | None:
        """Who sent this Cookie header: of several guests in one browser the one with this name, else the first."""
        pairs = [pair.strip().partition("=") for pair in header.split(";")]
        found = [
            guest
            for guest, secret in self._cookies.items()
            if any(of == self.cookie(guest) and _is_same(secret, value) for of, _, value in pairs)
        ]
        if name is not None:
            found = [guest for guest in found if guest.name == name]
        return next(iter(found), None)

    def set_cookie(self, guest: Guest) -> str:
        """The Set-Cookie header of a guest; the browser forgets it when it is closed."""
        return f"{self.cookie(guest)}={self._cookies[guest]}; Path=/; HttpOnly; SameSite=Strict"


def _is_same(secret: str, given: str) -> bool:
    return secrets.compare_digest(secret.encode(), given.encode("utf-8", "replace"))


class Door:
    """An application that only guests reach; every answer has the HEADERS."""

    def __init__(self, application: Application, access: Access) -> None:
        self._application = application
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _Headers(scope["headers"])
        host = headers.only("host")
        if not _HERE.fullmatch(host):
            await _refuse(scope, send, 421, "karat review answers to localhost and 127.0.0.1 only")
            return
        if scope["path"] == "/" and scope["method"] == "GET" and (token := _in_query(scope, "token")) is not None:
            await self._exchange(scope, send, token)
            return
        guest = self._guest(scope, headers)
        if guest is None:
            why = "open the address that karat review printed when it was started"
            await _refuse(scope, send, 403, why, head=_again(scope) if _comes_from_elsewhere(scope, headers) else "")
            return
        if refusal := _refusal(scope["method"], host, headers):
            await _refuse(scope, send, *refusal)
            return
        if scope["method"] in _CHANGES:
            body = await _body(receive)
            if body is None:
                await _refuse(scope, send, 413, f"more than {LARGEST_BODY // 1024} KB")
                return
            receive = _replayed(body, receive)
        scope[GUEST] = guest
        await self._application(scope, receive, send)

    def _guest(self, scope: Scope, headers: _Headers) -> Guest | None:
        """Who asks; the page names its guest, as scripts with a single cookie need not."""
        name = unquote(headers.only(f"karat-review-{WHO}")) or _in_query(scope, WHO)
        return self._access.by_cookies("; ".join(headers.every("cookie")), name or None)

    async def _exchange(self, scope: Scope, send: Send, token: str) -> None:
        """Give a cookie for a token, and an address without it, which may be seen and kept."""
        guest = self._access.by_token(token)
        if guest is None:
            await _refuse(scope, send, 403, "this address is not, or no longer, valid: open the one that was printed")
            return
        page, cookie = self._access.page(guest), self._access.set_cookie(guest)
        await _respond(send, 303, b"", "text/plain", {"Location": page, "Set-Cookie": cookie})


def _comes_from_elsewhere(scope: Scope, headers: _Headers) -> bool:
    """Whether the page is opened from a file or another site: browsers then keep a strict cookie to themselves.

    A page of ours that asks for itself once more is given it, if there is one.
    """
    return bool(scope["path"] == "/" and headers.only("sec-fetch-site") in ("cross-site", "same-site"))


def _refusal(method: str, host: str, headers: _Headers) -> tuple[int, str] | None:
    """Why a guest's request is refused; nothing if it is not."""
    if method in _READS:
        return None
    if method not in _CHANGES:
        return 405, "only GET, PUT and POST"
    if headers.only("origin").lower() != f"http://{host.lower()}":
        return 403, "changes must come from the page itself"
    if headers.only("content-type").partition(";")[0].strip().lower() != "application/json":
        return 415, "changes must be application/json"
    size = headers.first("content-length", "0")
    if not size.isascii() or not size.isdigit() or int(size) > LARGEST_BODY:
        return 413, f"more than {LARGEST_BODY // 1024} KB"
    return None


class _Headers:
    """The headers of a request, their names in lower case."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in pairs]

    def every(self, name: str) -> list[str]:
        return [value for one, value in self._pairs if one == name]

    def first(self, name: str, default: str) -> str:
        return next(iter(self.every(name)), default)

    def only(self, name: str) -> str:
        """The header's value; nothing if it is not there or there twice."""
        found = self.every(name)
        return found[0] if len(found) == 1 else ""


def _in_query(scope: Scope, name: str) -> str | None:
    query = scope.get("query_string", b"").decode("latin-1")
    try:
        return next(iter(parse_qs(query, keep_blank_values=True, max_num_fields=20).get(name, [])), None)
    except ValueError:
        return ""


def _again(scope: Scope) -> str:
    """What makes a page ask for itself once more."""
    who = _in_query(scope, WHO)
    page = f"/?{WHO}={quote(who, safe='')}" if who else "/"
    return f'<meta http-equiv="refresh" content="0; url={html.escape(page)}">'


async def _body(receive: Receive) -> bytes | None:
    """All of a request's body; nothing if it is too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_BODY:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _with_headers(send: Send) -> Send:
    every = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    names = {name for name, _ in every}

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name, value) for name, value in message.get("headers", []) if name.lower() not in names]
            message = {**message, "headers": [*own, *every]}
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, status: int, why: str, *, head: str = "") -> None:
    """Say why not: to scripts in JSON, to people on a plain page."""
    if scope["path"].startswith("/api/"):
        await _respond(send, status, json.dumps({"error": why}).encode(), "application/json")
    else:
        title = f'<!doctype html><html lang="en"><meta charset="utf-8">{head}<title>karat review</title>'
        page = f"{title}<p>karat review: {html.escape(why)}.</p>"
        await _respond(send, status, page.encode(), "text/html; charset=utf-8")


async def _respond(send: Send, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
    every = {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in every.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
