"""The review's server: the page and its answers over HTTP, on this machine alone."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from karat.errors import KaratError, UsageError
from karat.report.draw.svg import dark_drawings
from karat.review.access import COORDINATOR, GUEST, Access, Application, Door, Guest
from karat.review.answers import RequestError, ReviewAnswers, View
from karat.review.coordination import CoordinatedPlan, Coordination, plans_of
from karat.review.latest import Background
from karat.review.session import Review

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
_STATIC = {"review.js": "text/javascript", "review.css": "text/css", "review.svg": "image/svg+xml"}
_PAUSE = 2.0  # seconds without a change, after which files are brought up to date
_AFTER_FAILURE = 5.0  # seconds after which files that could not be written are tried again


def refuse_without_server() -> None:
    """Stop if the libraries that the page needs are not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("karat review needs starlette and uvicorn: pip install 'karat[review]'") from None


def guests_of(reviews: Sequence[Review]) -> list[Guest]:
    """Who gets an address: each judge of each list, and whoever coordinates them if there are several judges.

    A judge of several lists has an address for each, with the list's name in it.
    """
    pairs = [(judge, place) for place, review in enumerate(reviews) for judge in review.judges]
    times = Counter(judge for judge, _ in pairs)
    names = [os.path.basename(review.path) for review in reviews]
    if len(set(names)) < len(names):
        names = [review.path for review in reviews]
    found = [Guest(judge, False, place, names[place] if times[judge] > 1 else "") for judge, place in pairs]
    if len(times) == 1:
        return found
    if COORDINATOR in times:
        raise UsageError(f"{COORDINATOR!r} cannot be the name of a judge: it is that of the coordinator's address")
    return [*found, Guest("", is_coordinator=True)]


class FileKeeper:
    """Brings the judges' files up to date once nobody has changed anything for a moment, and at the end."""

    def __init__(self, answers: ReviewAnswers, *, pause: float = _PAUSE, after_failure: float = _AFTER_FAILURE) -> None:
        self._answers = answers
        self._pause, self._pause_after_failure = pause, after_failure
        self._mutex = threading.Lock()
        self._changed: set[str] = set()
        self._timer: threading.Timer | None = None

    def changed(self, judge: str) -> None:
        """Note that a judge has changed something."""
        with self._mutex:
            self._changed.add(judge)
            self._wait(self._pause)

    def _wait(self, seconds: float) -> None:
        """Bring files up to date after so many seconds; whoever calls this has the lock."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._bring_up_to_date)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Wait for nothing any more; the review writes what is left when it is closed."""
        with self._mutex:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
            timer.join()

    def _bring_up_to_date(self) -> None:
        with self._mutex:
            judges, self._changed = self._changed, set()
        for judge in sorted(judges):
            try:
                self._answers.review.bring_up_to_date(judge)
                self._answers.trouble = None
            except KaratError as error:  # shown on the page; the store has it all
                self._answers.trouble = str(error)
                with self._mutex:
                    self._changed.add(judge)
                    if self._timer is threading.current_thread():  # nobody has changed anything since, nor stopped it
                        self._wait(self._pause_after_failure)


def application(
    answers: Sequence[ReviewAnswers], access: Access, keepers: Sequence[FileKeeper], coordination: Coordination
) -> Application:
    """The reviews as an ASGI application, behind its door."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    routes = _Routes(answers, keepers, coordination)
    found = Starlette(
        routes=[
            Route("/", routes.page),
            Route("/static/{name}", routes.static),
            Route("/api/review", routes.overview),
            Route("/api/items", routes.items),
            Route("/api/next", routes.following),
            Route("/api/items/{item:path}/verdict", routes.decide, methods=["PUT"]),
            Route("/api/items/{item:path}", routes.item),
            Route("/api/undo", routes.undo, methods=["POST"]),
            Route("/api/time", routes.add_time, methods=["POST"]),
            Route("/api/coordinator", routes.coordinator),
        ],
        exception_handlers={KaratError: _error, 404: _not_found, 405: _not_found},
    )
    return Door(found, access)


class _Routes:
    """What is done for each address; starlette runs what is not async in threads of its own."""

    def __init__(
        self, answers: Sequence[ReviewAnswers], keepers: Sequence[FileKeeper], coordination: Coordination
    ) -> None:
        self._answers = answers
        self._keepers = keepers
        self._coordination = coordination

    def page(self, request: Request) -> Response:
        return _file("review.html", "text/html")

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            raise RequestError(404, "no such file")
        return _file(name, _STATIC[name])

    def overview(self, request: Request) -> Response:
        return _json(self._of(request).overview(_judge(request)))

    def items(self, request: Request) -> Response:
        return _json(self._of(request).items(_judge(request), request.query_params))

    def following(self, request: Request) -> Response:
        return _json(self._of(request).following(_judge(request), request.query_params))

    def item(self, request: Request) -> Response:
        return _json(self._of(request).item(_judge(request), request.path_params["item"]))

    def coordinator(self, request: Request) -> Response:
        if not _guest(request).is_coordinator:
            raise RequestError(403, "only for whoever coordinates the judges")
        return _json(self._coordination.answer())

    async def decide(self, request: Request) -> Response:
        item, answers = request.path_params["item"], self._of(request)
        return await self._changed(request, lambda judge, body: answers.decide(judge, item, body))

    async def undo(self, request: Request) -> Response:
        return await self._changed(request, self._of(request).undo)

    async def add_time(self, request: Request) -> Response:
        return await self._changed(request, self._of(request).add_time)

    def _of(self, request: Request) -> ReviewAnswers:
        return self._answers[_guest(request).review]

    async def _changed(self, request: Request, change: Callable[[str, object], dict[str, Any]]) -> Response:
        from starlette.concurrency import run_in_threadpool

        judge = _judge(request)
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise RequestError(422, "send an object in JSON") from None
        data = await run_in_threadpool(change, judge, body)
        self._keepers[_guest(request).review].changed(judge)
        return _json(data)


def _guest(request: Request) -> Guest:
    guest = request.scope[GUEST]
    assert isinstance(guest, Guest)
    return guest


def _judge(request: Request) -> str:
    guest = _guest(request)
    if guest.is_coordinator:
        raise RequestError(403, "the coordinator's address does not judge", is_coordinator=True)
    return guest.judge


def _file(name: str, kind: str) -> Response:
    from starlette.responses import Response

    text = files("karat.review").joinpath("templates", name).read_text(encoding="utf-8")
    return Response(text + dark_drawings() if name.endswith(".css") else text, media_type=kind)


def _json(data: object, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(
        json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), status, media_type="application/json"
    )


def _error(_: Request, error: Exception) -> Response:
    """What cannot be done: as it says itself, or that the store cannot be written."""
    return _json(error.data, error.status) if isinstance(error, RequestError) else _json({"error": str(error)}, 503)


def _not_found(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _json({"error": "no such address" if status == 404 else "not with this method"}, status)


# ---- running ---------------------------------------------------------------------------------------------------------


def bound_socket(port: int = 0) -> socket.socket:
    """A socket on this machine's own address; 0 is any port that is free."""
    # With the protocol named, asyncio sends answers at once; else it takes the socket for one that is not TCP, and the
    # end of an answer waits for the browser to acknowledge its beginning: 40 ms.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
    except (OSError, OverflowError) as error:
        found.close()
        raise UsageError(f"port {port} cannot be used: {getattr(error, 'strerror', None) or error}") from None
    return found


class ReviewServer:
    """The server of a review, or of several; it answers on this machine alone, each guest at the address of their own.

    Several are given with their answers. `plans` are what whoever coordinates the judges is shown beside their
    progress; `background` is where that is computed, which ends with the server.
    """

    def __init__(
        self,
        reviewed: Review | Sequence[ReviewAnswers],
        *,
        port: int = 0,
        view: View | None = None,
        plans: Sequence[CoordinatedPlan] | None = None,
        background: Background | None = None,
    ) -> None:
        refuse_without_server()
        self._answers = [ReviewAnswers(reviewed, view=view)] if isinstance(reviewed, Review) else list(reviewed)
        reviews = [one.review for one in self._answers]
        guests = guests_of(reviews)
        self._background = background or Background()
        if plans is None:
            plans = [CoordinatedPlan(of_plan, self._background) for of_plan in plans_of(reviews)]
        self._coordination = Coordination(self._answers, plans)
        self._keepers = [FileKeeper(one) for one in self._answers]
        self._server: Any = None
        self._socket = bound_socket(port)
        self.listens_on: tuple[str, int] = self._socket.getsockname()
        self.access = Access(guests, port=self.listens_on[1])

    def run(self, is_ready: Callable[[], None]) -> None:
        """Serve until `stop`, SIGINT (Ctrl-C) or SIGTERM; `is_ready` is called once the server answers."""
        served = application(self._answers, self.access, self._keepers, self._coordination)
        self._server = _uvicorn_server(served, is_ready)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            for keeper in self._keepers:
                keeper.stop()
            self._background.stop()

    def stop(self) -> None:
        """End `run`, which another thread is in."""
        self._server.should_exit = True


def _uvicorn_server(served: Application, is_ready: Callable[[], None]) -> Any:
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                is_ready()

        def handle_exit(self, sig: int, frame: Any) -> None:
            # uvicorn would raise the signal once more at the end, and files would not be brought up to date
            self.force_exit = self.should_exit
            self.should_exit = True

    config = uvicorn.Config(
        served,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=5,
    )
    return Server(config)
