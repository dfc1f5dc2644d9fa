"""Judges who send their verdicts to a server of `karat review`, and a coordinator who asks it for the estimate."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from karat.review import latest
from karat.review.access import Guest
from karat.review.running_estimate import Enough
from karat.review.served import review_server
from karat.review.server import ReviewServer
from karat.review.session import Review

_PAUSE = 0.02  # seconds: nobody here needs one between a verdict and the estimate
_LONGEST = 60.0


class _Asked:
    """One guest's connection, with the cookie that was given for the token."""

    def __init__(self, server: ReviewServer, guest: Guest) -> None:
        address = urlsplit(server.access.url(guest))
        self._host = address.netloc
        self._connection = http.client.HTTPConnection(self._host, timeout=_LONGEST)
        self._connection.request("GET", f"{address.path}?{address.query}")
        answer = self._connection.getresponse()
        answer.read()
        self._cookie = str(answer.headers["set-cookie"]).partition(";")[0]

    def ask(self, method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
        headers = {"Cookie": self._cookie, "Origin": f"http://{self._host}", "Content-Type": "application/json"}
        self._connection.request(method, path, None if data is None else json.dumps(data).encode(), headers)
        answer = self._connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body}")
        return body


class JudgingOverHttp:
    """The same judges as through the store."""

    def __init__(self, server: ReviewServer) -> None:
        guests = server.access.guests
        self._judges = {guest.judge: _Asked(server, guest) for guest in guests if not guest.is_coordinator}
        self._coordinator = _Asked(server, next(guest for guest in guests if guest.is_coordinator))

    def decide(self, review: Review, item: str, verdict: str) -> None:
        """Send a verdict; it is on disk once the answer is here."""
        data = {"request": item, "revision": 0, "verdict": verdict}
        self._judges[review.judges[0]].ask("PUT", f"/api/items/{quote(item, safe='')}/verdict", data)

    def now(self) -> Enough:
        """The estimate as the coordinator's page has it, of all verdicts sent so far."""
        end = time.monotonic() + _LONGEST
        while time.monotonic() < end:
            (plan,) = self._coordinator.ask("GET", "/api/coordinator")["plans"]
            found = plan["estimate"]
            if found is not None and found.pop("is_current"):
                return Enough(**found)
            time.sleep(_PAUSE)
        raise TimeoutError("no estimate")


@contextmanager
def judging_over_http(reviews: Sequence[Review], gold: Path, systems: Mapping[str, Path]) -> Iterator[JudgingOverHttp]:
    """A server of these reviews on a port of its own, and its guests."""
    latest.PAUSE = _PAUSE
    server = review_server(reviews, gold=str(gold), systems={name: str(path) for name, path in systems.items()})
    ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    try:
        ready.wait(_LONGEST)
        yield JudgingOverHttp(server)
    finally:
        server.stop()
        thread.join(_LONGEST)
