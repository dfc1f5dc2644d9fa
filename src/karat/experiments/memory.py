"""The most memory that a piece of work had, also in a process that had more before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from karat.systems.training import peak_bytes

_PEAK = re.compile(r"VmHWM:\s*(\d+) kB")


@dataclass(slots=True)
class Peak:
    """Set when the work is done; None where the system does not tell."""

    bytes: int | None = None


@contextmanager
def peak_since() -> Iterator[Peak]:
    """The peak of the work inside: Linux can forget an earlier one. Elsewhere it is that of the process so far."""
    found = Peak()
    is_reset = _reset()
    yield found
    found.bytes = _peak() if is_reset else peak_bytes()


def _reset() -> bool:
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        return False
    return True


def _peak() -> int | None:
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            found = _PEAK.search(file.read())
    except OSError:
        return None
    return 1024 * int(found[1]) if found else None
