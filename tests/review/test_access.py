"""Only guests are let in, and only the page itself changes anything."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from karat.review.access import HEADERS, LARGEST_BODY, Access, Guest
from served_reviews import Answered, Client, Served, served, token_list

ADDRESSES = (
    "/",
    "/static/review.js",
    "/api/review",
    "/api/items",
    "/api/items/w1",
    "/api/next",
    "/api/coordinator",
    "/nothing",
)
VERDICT = b'{"request": "r", "revision": 0, "verdict": "a"}'
CHANGES = (
    ("PUT", "/api/items/w1/verdict", VERDICT),
    ("POST", "/api/undo", b'{"request": "u"}'),
    ("POST", "/api/time", b'{"seconds": 3}'),
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(token_list(tmp_path_factory.mktemp("access") / "check.tsv")) as found:
        yield found


@pytest.fixture
def judge(running: Served) -> Iterator[Client]:
    """A judge; whatever the test sends, nothing may be kept."""
    yield running.client()
    assert not running.review.store.judgements("")
    assert not running.review.store.seconds("")


def check_headers(found: Answered) -> None:
    assert {name: found.headers.get(name.lower()) for name in HEADERS} == HEADERS


# ---- tokens ----------------------------------------------------------------------------------------------------------


def test_a_token_is_exchanged_for_a_cookie_that_scripts_and_other_sites_do_not_get(running: Served) -> None:
    url = running.server.access.url(running.server.access.guests[0])
    found = Client(running.port).ask("GET", url.removeprefix(f"http://127.0.0.1:{running.port}"))
    cookie, *attributes = found.headers["set-cookie"].split("; ")
    assert (found.status, found.headers["location"]) == (303, "/")
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert re.fullmatch(rf"karat-review-{running.port}=[\w-]{{43}}", cookie)
    assert cookie.partition("=")[2] not in url
    check_headers(found)


@pytest.mark.parametrize("path", ADDRESSES)
def test_nobody_comes_in_without_a_cookie(running: Served, path: str) -> None:
    found = Client(running.port).ask("GET", path)
    assert found.status == 403
    assert b"word1" not in found.body
    check_headers(found)


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "%00", "%ff", "%C3%A9", "x" * 5000])
def test_a_wrong_token_is_refused_on_a_plain_page(running: Served, token: str) -> None:
    found = Client(running.port).ask("GET", f"/?token={token}")
    assert (found.status, found.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "set-cookie" not in found.headers


def test_a_token_is_no_cookie_and_a_cookie_no_token(running: Served, judge: Client) -> None:
    token = running.server.access.url(Guest("")).partition("token=")[2]
    name, _, cookie = judge.cookie.partition("=")
    assert Client(running.port, f"{name}={token}").ask("GET", "/api/review").status == 403
    assert Client(running.port).ask("GET", f"/?token={cookie}").status == 403


def test_the_cookie_of_another_port_opens_nothing(running: Served, judge: Client) -> None:
    cookie = judge.cookie.partition("=")[2]
    assert Client(running.port, f"karat-review-1={cookie}").ask("GET", "/api/review").status == 403
    both = f"karat-review-1=x; {judge.cookie}; other=y"
    assert Client(running.port, both).ask("GET", "/api/review").status == 200


@given(st.text(max_size=60))
def test_only_the_token_itself_is_the_token(text: str) -> None:
    access = Access([Guest("ada"), Guest("bix")], port=1)
    for guest in access.guests:
        token = access.url(guest).partition("token=")[2]
        assert access.by_token(token) == guest
        assert access.by_token(f"{token}{text}") == (None if text else guest)
    assert access.by_token(text) is None
    assert access.by_cookies(text) is None


def test_every_guest_and_every_server_has_secrets_of_its_own() -> None:
    every = [Access([Guest("ada"), Guest("bix")], port=1) for _ in range(20)]
    secrets = [access.url(guest).partition("token=")[2] for access in every for guest in access.guests]
    secrets += [access.set_cookie(guest).partition(";")[0] for access in every for guest in access.guests]
    assert len(set(secrets)) == len(secrets) == 80


# ---- other hosts and origins -----------------------------------------------------------------------------------------


FOREIGN_HOSTS = "evil.example evil.example:{} 127.0.0.1.evil.example localhost.evil.example 127.0.0.2:{} 0.0.0.0:{}"
FOREIGN_HOSTS += " user@127.0.0.1:{} 127.0.0.1:{}@evil.example localhost:{}:1 [::1]:{} 127.1:{} 2130706433 localhost:x"


@pytest.mark.parametrize("host", FOREIGN_HOSTS.split())
def test_another_host_is_refused_whoever_asks(running: Served, judge: Client, host: str) -> None:
    """A name server that answers 127.0.0.1 for a foreign name (DNS rebinding) gets a page no further."""
    name = host.format(running.port)
    for path in ("/", f"/?token={running.server.access.url(Guest('')).partition('token=')[2]}", "/api/review"):
        found = judge.ask("GET", path, Host=name)
        assert found.status == 421
        assert "set-cookie" not in found.headers
        check_headers(found)
    assert judge.ask("PUT", CHANGES[0][1], VERDICT, Host=name, Origin=f"http://{name}").status == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:8080", "localhost:1", "127.0.0.1:65535"])
def test_tunnels_may_have_another_port(judge: Client, host: str) -> None:
    assert judge.ask("GET", "/api/review", Host=host).status == 200


def test_a_request_with_two_hosts_or_none_is_refused(running: Served, judge: Client) -> None:
    for lines in ("Host: 127.0.0.1\r\nHost: evil.example", "X: y", "Host:"):
        with socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
            ask = f"GET /api/review HTTP/1.1\r\n{lines}\r\nCookie: {judge.cookie}\r\nConnection: close\r\n\r\n"
            connection.sendall(ask.encode())
            assert re.match(rb"HTTP/1.1 (400|421) ", connection.recv(1000))


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
@pytest.mark.parametrize(
    "origin",
    [None, "", "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:{}", "http://localhost:{}"],
)
def test_a_change_from_another_origin_is_refused(
    running: Served, judge: Client, method: str, path: str, body: bytes, origin: str | None
) -> None:
    found = judge.ask(method, path, body, Origin=None if origin is None else origin.format(running.port))
    assert found.status == 403
    check_headers(found)


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_change_that_a_form_could_send_is_refused(
    judge: Client, method: str, path: str, body: bytes, kind: str | None
) -> None:
    assert judge.ask(method, path, body, Content_Type=kind).status == 415


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_needs_the_cookie(running: Served, judge: Client, method: str, path: str, body: bytes) -> None:
    assert Client(running.port).ask(method, path, body).status == 403


@pytest.mark.parametrize("path", [*ADDRESSES, "/api/items/w1/verdict", "/api/undo", "/api/time"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_but_put_and_post_changes_anything(judge: Client, method: str, path: str) -> None:
    query = "?request=r&revision=0&verdict=a&seconds=5"
    found = judge.ask(method, path + query)
    assert found.status == (405 if method not in ("GET", "HEAD") else found.status)
    assert "access-control-allow-origin" not in found.headers
    check_headers(found)


# ---- odd requests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/static/../access.py", "/static/..%2faccess.py", "/static/%2e%2e/access.py", "/static/..%5caccess.py", "/static/",
     "/static//etc/passwd", "/static/review.html", "/../../etc/passwd", "//etc/passwd", "/static/review.js%00"],
)  # fmt: skip
def test_no_path_leads_to_other_files(judge: Client, path: str) -> None:
    found = judge.ask("GET", path)
    assert found.status == 404
    assert found.json.keys() == {"error"}
    check_headers(found)


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, 1_000_000])
def test_a_large_body_is_refused(judge: Client, size: int) -> None:
    body = VERDICT[:-1] + b" " * (size - len(VERDICT)) + b"}"
    found = judge.ask("PUT", CHANGES[0][1], body)
    assert found.status == 413
    check_headers(found)


def test_a_large_body_without_a_length_is_refused(judge: Client) -> None:
    part = b" " * 8000
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for _ in range(10)) + b"0\r\n\r\n"
    assert judge.ask("PUT", CHANGES[0][1], chunked, Transfer_Encoding="chunked").status == 413


@pytest.mark.parametrize(
    "body", [b"", b"[", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 60_000, b'{"request": "r"', b"NaN", b"1" * 5000]
)
def test_what_is_no_object_is_refused(judge: Client, body: bytes) -> None:
    for method, path, _ in CHANGES:
        found = judge.ask(method, path, body)
        assert found.status == 422
        assert found.json.keys() == {"error"}


def test_a_websocket_is_not_opened(judge: Client) -> None:
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Version": "13"}
    assert judge.ask("GET", "/api/review", Connection="Upgrade", Upgrade="websocket", **key).status != 101


def test_the_server_answers_on_loopback_only(running: Served) -> None:
    assert running.server.listens_on == ("127.0.0.1", running.port)
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in {*map(str, others), "127.0.0.2"}:
        with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
            socket.create_connection((address, running.port), timeout=2)


def test_a_page_opened_from_another_site_asks_once_more_and_only_once(running: Served, judge: Client) -> None:
    """Browsers keep a strict cookie to themselves where a file or another site leads to the page."""
    first = Client(running.port).ask("GET", "/", Sec_Fetch_Site="cross-site")
    again = Client(running.port).ask("GET", "/", Sec_Fetch_Site="same-origin")
    assert (first.status, again.status) == (403, 403)
    assert b'http-equiv="refresh" content="0; url=/"' in first.body
    assert b"refresh" not in again.body


def test_the_page_is_not_embedded_nor_kept_by_browsers(tmp_path: Path) -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src")} == {"'self'"}
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert HEADERS["Cache-Control"] == "no-store"
    assert HEADERS["Referrer-Policy"] == "no-referrer"
