"""What takes long to compute, made in the background: the page gets the latest there is, and asks again.

Nobody waits for it. It is computed once people have paused for a moment, one at a time, and not again until something
has changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from karat.errors import KaratError

PAUSE = 1.0  # seconds without a change, before which nothing is computed
_LONGEST_WAIT = 15.0  # seconds after which it is computed though people go on
_SECONDS_TO_END = 5.0

Computed = dict[str, Any]


class Background:
    """The work of one server: one thread at a time, until it is stopped."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.stopped = threading.Event()
        self._threads: set[threading.Thread] = set()

    def start(self, work: Callable[[], None]) -> None:
        """Have work done in a thread."""
        thread = threading.Thread(target=self._done, args=(work,), daemon=True)
        self._threads.add(thread)
        thread.start()

    def stop(self) -> None:
        """Begin nothing any more, and wait a moment for what is under way."""
        self.stopped.set()
        for thread in list(self._threads):
            thread.join(_SECONDS_TO_END)

    def _done(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            self._threads.discard(threading.current_thread())


class Latest:
    """A value that follows a state: `compute` makes it, `state` says whether it has to be made anew.

    A `KaratError` is a value too: `{"error": …}`.
    """

    def __init__(
        self,
        compute: Callable[[], Computed],
        state: Callable[[], object],
        background: Background,
        *,
        pause: float | None = None,
    ) -> None:
        self._compute, self._state, self._background = compute, state, background
        self._pause = PAUSE if pause is None else pause
        self._mutex = threading.Lock()
        self._is_under_way = False
        self._of: object = None  # the state of the value
        self._value: Computed | None = None

    def now(self) -> Computed | None:
        """The latest value, with `is_current`; None if there is none yet. It is made anew if the state is another."""
        state = self._state()
        with self._mutex:
            is_current = self._value is not None and self._of == state
            if not (is_current or self._is_under_way or self._background.stopped.is_set()):
                self._is_under_way = True
                self._background.start(self._follow)
            return None if self._value is None else {**self._value, "is_current": is_current}

    def _follow(self) -> None:
        try:
            self._wait_for_a_pause()
            with self._background.turn:
                if not self._background.stopped.is_set():
                    self._renew()
        finally:
            with self._mutex:
                self._is_under_way = False

    def _wait_for_a_pause(self) -> None:
        end = time.monotonic() + _LONGEST_WAIT
        before, now = None, self._state()
        while before != now and time.monotonic() < end and not self._background.stopped.wait(self._pause):
            before, now = now, self._state()

    def _renew(self) -> None:
        state = self._state()
        try:
            value = self._compute()
        except KaratError as error:
            value = {"error": str(error)}
        with self._mutex:
            self._of, self._value = state, value
