"""What other packages add to karat, by the entry points that they declare: measures, readers and systems.

Packages are looked through when a name is unknown or everything is listed, never before; a plug-in is imported when it
is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Self

from karat.errors import NO_LINE, DataError, KaratError, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import TracebackType

Kind = Literal["measure", "reader", "system"]
GROUPS: dict[Kind, str] = {"measure": "karat.measures", "reader": "karat.readers", "system": "karat.systems"}
PLUGIN = "plugin"  # what signatures call it
_OURS = os.path.dirname(os.path.abspath(__file__))


@dataclass(frozen=True, slots=True)
class Plugin:
    """What a package adds: of which kind it is, its name, and where it is."""

    kind: Kind
    name: str
    package: str
    version: str
    point: EntryPoint = field(repr=False)

    @property
    def shown(self) -> str:
        """The package as messages name it."""
        return f"{self.package} {self.version}"

    @property
    def signed(self) -> str:
        """The package as signatures name it."""
        return f"{self.package}@{self.version}"

    def problem(self, code: str, what: str, hint: str = "") -> Problem:
        """What is wrong with the plug-in."""
        return Problem(code, f"the {self.kind} {self.name} {what}", self.shown, NO_LINE, hint=hint)

    def refusal(self, code: str, what: str, hint: str = "") -> DataError:
        """That the plug-in cannot be used, and why."""
        return DataError(self.problem(code, what, hint))

    def loaded(self) -> Any:
        """What the entry point names; a `DataError` (K970) if it cannot be imported."""
        try:
            return self.point.load()
        except Exception as error:
            hint = f"update or uninstall {self.package}"
            raise self.refusal("K970", f"cannot be imported: {_in_words(error)}", hint) from error

    @contextmanager
    def calling(self) -> Iterator[None]:
        """While code of the plug-in runs: what it raises becomes a `DataError` (K973), but for errors of karat."""
        try:
            yield
        except (KaratError, MemoryError):
            raise
        except Exception as error:
            raise self.refusal("K973", f"failed: {_in_words(error)}", _place_of(error)) from error


def _in_words(error: Exception) -> str:
    """What kind of exception it is, and the first line of what it says."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _place_of(error: Exception) -> str:
    """The last line outside karat that was run before the exception was raised."""
    found, trace = "", error.__traceback__
    while trace is not None:
        found = _line(trace) or found
        trace = trace.tb_next
    return found


def _line(trace: TracebackType) -> str:
    path = trace.tb_frame.f_code.co_filename
    return "" if os.path.abspath(path).startswith(_OURS + os.sep) else f"raised in {path}, line {trace.tb_lineno}"


@lru_cache
def found(kind: Kind) -> tuple[Plugin, ...]:
    """The plug-ins of a kind that are installed, by name; none of them is imported."""
    from importlib.metadata import entry_points

    every = []
    for point in entry_points(group=GROUPS[kind]):
        package = "an unknown package" if point.dist is None else point.dist.metadata["Name"]
        version = "" if point.dist is None else point.dist.version
        every.append(Plugin(kind, point.name, package, version, point))
    return tuple(sorted(every, key=lambda one: (one.name.lower(), one.package.lower())))


def named(kind: Kind, name: str, taken: Callable[[], Container[str]]) -> Plugin | None:
    """The plug-in of this name, in upper or lower case; None if there is none.

    `taken` are karat's own names in lower case. A `DataError` (K972) if the name is one of these, or if several
    packages have it.
    """
    same = [one for one in found(kind) if one.name.lower() == name.strip().lower()]
    if not same:
        return None
    if problem := _taken(same, taken()):
        raise DataError(problem)
    return same[0]


def every(kind: Kind, taken: Callable[[], Container[str]]) -> tuple[list[Plugin], list[Problem]]:
    """The plug-ins of a kind, and what is wrong with the names of the others; `taken` is as for `named`."""
    by_name: dict[str, list[Plugin]] = {}
    for one in found(kind):
        by_name.setdefault(one.name.lower(), []).append(one)
    if not by_name:  # then nobody needs karat's names, which cost imports
        return [], []
    ours = taken()
    problems = {name: _taken(same, ours) for name, same in by_name.items()}
    return [by_name[name][0] for name, one in problems.items() if one is None], [*filter(None, problems.values())]


def _taken(same: list[Plugin], taken: Container[str]) -> Problem | None:
    """That plug-ins of one name cannot be used, if they cannot."""
    first, *others = same
    if first.name.lower() in taken:
        hint = f"uninstall {first.package}, or ask its author for another name"
        return first.problem("K972", f"cannot be used: karat already has a {first.kind} with this name", hint)
    if others:
        names = " and ".join(one.shown for one in others)
        return first.problem("K972", f"is also defined by {names}", "uninstall one of these packages")
    return None


def names_of(kind: Kind) -> list[str]:
    """The names of the plug-ins of a kind."""
    return list(dict.fromkeys(one.name for one in found(kind)))


class Digest(str):
    """The SHA-256 of a text, and the plug-ins that read it."""

    plugins: tuple[str, ...]

    def __new__(cls, hexadecimal: str, plugins: Iterable[str] = ()) -> Self:
        made = super().__new__(cls, hexadecimal)
        made.plugins = tuple(plugins)
        return made


def readers(digest: str) -> tuple[str, ...]:
    """The plug-ins that read the text with this digest."""
    return digest.plugins if isinstance(digest, Digest) else ()
