"""Reviews served on a real port, for tests, and clients that ask them what a browser would not."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.review.access import Guest
from karat.review.answers import View, plain_view
from karat.review.server import ReviewServer
from karat.review.session import Review

__all__ = ["Answered", "Client", "Served", "served", "serving", "token_list"]

_NUMBERS = itertools.count(1)


def token_list(path: Path, n: int = 6) -> Path:
    """A list of words to judge: the tags of a pattern stand in both orders."""
    orders = ("a) NOUN  b) VERB", "a) VERB  b) NOUN", "a) ADJ  b) ADV")
    rows = [
        WorklistRow(f"w{k}", "token", "news", f"s{k}", 1, 1, f"[word{k}] and more", orders[(k - 1) % 3])
        for k in range(1, n + 1)
    ]
    write_worklist(path, Worklist(tuple(rows), ("Which tag is right?", "karat:0|verb:noise|gold:g.conllu@sha256:0")))
    return path


@dataclass
class Answered:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)


@dataclass
class Client:
    """Somebody who asks a server; `cookie` is what was given for a token."""

    port: int
    cookie: str = ""

    def ask(self, method: str, path: str, body: bytes | None = None, /, **headers: str | None) -> Answered:
        """Ask as the page does; other headers take the place of its own, None takes one away."""
        sent: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie or None}
        if method in ("PUT", "POST"):
            sent |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in sent:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            found = connection.getresponse()
            return Answered(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """What a path has, which must be fine."""
        found = self.ask("GET", path)
        assert found.status == 200, (path, found)
        return found.json

    def send(self, method: str, path: str, **fields: Any) -> Answered:
        """Send a change with an id of its own."""
        data = {"request": f"request {next(_NUMBERS)}", **fields}
        return self.ask(method, path, json.dumps(data).encode())

    def decide(self, item: str, verdict: str, revision: int = 0, **fields: Any) -> Answered:
        return self.send("PUT", f"/api/items/{item}/verdict", verdict=verdict, revision=revision, **fields)


@dataclass
class Served:
    """A server that runs, and its review."""

    server: ReviewServer
    review: Review
    clients: dict[Guest, Client] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return self.server.access.port

    def client(self, place: int = 0) -> Client:
        """The guest at a place, let in by their address."""
        guest = self.server.access.guests[place]
        if guest not in self.clients:
            url = self.server.access.url(guest)
            found = Client(self.port).ask("GET", url.removeprefix(f"http://127.0.0.1:{self.port}"))
            assert (found.status, found.headers["location"]) == (303, self.server.access.page(guest))
            self.clients[guest] = Client(self.port, found.headers["set-cookie"].partition(";")[0])
        return self.clients[guest]


@contextmanager
def serving(review: Review, server: ReviewServer) -> Iterator[Served]:
    """A server in a thread; its reviews are closed by whoever has opened them."""
    ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(20)
        yield Served(server, review)
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


@contextmanager
def served(path: Path, judges: Sequence[str] = (), *, view: View = plain_view) -> Iterator[Served]:
    """A list's review on a port of its own, in a thread."""
    review = Review.opened(path, judges)
    try:
        with serving(review, ReviewServer(review, view=view)) as found:
            yield found
    finally:
        review.close()
