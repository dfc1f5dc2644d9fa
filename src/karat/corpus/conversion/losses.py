"""What a conversion loses: each kind of thing, and how many of it."""

from __future__ import annotations

from typing import NamedTuple


class Loss(NamedTuple):
    """A kind of thing that the new format does not hold, and how many of it there were."""

    what: str
    n: int


class Losses:
    """The losses so far, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[str, int] = {}

    def add(self, what: str, n: int) -> None:
        """Count so many things as lost; none are no loss."""
        if n:
            self._found[what] = self._found.get(what, 0) + int(n)

    def every(self) -> tuple[Loss, ...]:
        """All losses."""
        return tuple(Loss(what, n) for what, n in self._found.items())
