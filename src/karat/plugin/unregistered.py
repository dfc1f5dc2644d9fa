"""A plug-in that is checked by its authors as karat would use it, whether or not it is installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from karat.entry_points import Kind, Plugin
from karat.errors import DataError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """What an entry point would name."""

    value: Any

    def load(self) -> Any:
        return self.value


def unregistered(kind: Kind, name: str, value: Any) -> Plugin:
    """The plug-in that an entry point of this name would make of a value."""
    return Plugin(kind, name, "this package", "", cast("EntryPoint", _Given(value)))


def reasons(error: DataError) -> list[str]:
    """What is wrong, without the place, and with the line of the plug-in that raised it."""
    return [f"{one.message} ({one.hint})" if one.code == "K973" else one.message for one in error.problems]
