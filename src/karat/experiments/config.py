"""A grid described in a TOML file: corpora, tests, systems with their commands, seeds, measures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.corpus import PathLike, read_source
from karat.corpus.toml_text import toml_from_text
from karat.errors import DataError, Problem, UsageError
from karat.experiments.external import TIMEOUT
from karat.experiments.systems import ExternalTagger, GridSystem, OwnTagger
from karat.systems.options import options_for

_KEYS = {
    "corpora": list, "tests": list, "systems": list, "seeds": (int, list), "column": str, "measures": list,
    "sizes": list, "folds": int, "fold_by": str, "document_from": str,
    "document_pattern": str, "map": str, "without_duplicates": bool, "timeout": (int, float), "jobs": int,
}  # fmt: skip
_OF_SYSTEM = {
    "name": str, "system": str, "options": dict, "command": list, "train": list, "tag": list, "timeout": (int, float),
}  # fmt: skip
_PATHS = ("corpora", "tests")


@dataclass(frozen=True, slots=True)
class GridConfig:
    """What a file says of a grid: the keywords of `karat.grid`, those that it has."""

    values: Mapping[str, Any]


def read_config(path: PathLike) -> GridConfig:
    """A grid from a TOML file; paths in it are relative to its folder, but for what stands in commands."""
    source = read_source(path)
    try:
        data = toml_from_text(source.text(0, source.size))
    except ValueError as error:
        raise DataError(Problem("K913", f"not TOML: {error}", source.path)) from None
    _check(data, _KEYS, source.path)
    _check_items(data, source.path)
    folder = Path(path).parent
    values: dict[str, Any] = {name: value for name, value in data.items() if name not in ("systems", "timeout")}
    for name in _PATHS:
        if name in data:
            values[name] = [os.fspath(folder / str(one)) for one in data[name]]
    if "map" in data and os.path.exists(folder / data["map"]):  # else it is one that karat has
        values["map"] = os.fspath(folder / data["map"])
    if "systems" in data:
        values["systems"] = [_system(one, source.path, data.get("timeout", TIMEOUT)) for one in data["systems"]]
    return GridConfig(values)


def _system(given: Any, path: str, timeout: float) -> GridSystem:
    """A system from its name with options, or from a table."""
    if isinstance(given, str):
        return OwnTagger.from_text(given)
    if not isinstance(given, Mapping):
        raise _bad(path, f"{given!r} is not a system", 'write "hmm:order=1", or a table with name and command')
    _check(given, _OF_SYSTEM, path)
    timeout = given.get("timeout", timeout)
    commands = {name: tuple(given[name]) for name in ("command", "train", "tag") if name in given}
    try:
        if commands:
            return _external(given, commands, path, timeout)
        kind = given.get("system", given.get("name"))
        if kind is None:
            raise _bad(path, "a system has neither a name nor a command")
        return OwnTagger(given.get("name", kind), kind, options_for(kind, given.get("options", {})))
    except UsageError as error:
        raise _bad(path, str(error)) from None


def _external(
    given: Mapping[str, Any], commands: Mapping[str, tuple[str, ...]], path: str, timeout: float
) -> ExternalTagger:
    if "name" not in given:
        raise _bad(path, "a system with a command needs a name")
    if set(commands) not in ({"command"}, {"train", "tag"}):
        raise _bad(path, f"{given['name']}: give either command, or train and tag")
    if timeout <= 0:
        raise _bad(path, f"{given['name']}: timeout is a number of seconds above 0")
    if "command" in commands:
        return ExternalTagger(given["name"], (), commands["command"], float(timeout))
    return ExternalTagger(given["name"], commands["train"], commands["tag"], float(timeout))


def _check(data: Mapping[str, Any], known: Mapping[str, Any], path: str) -> None:
    for name, value in data.items():
        if name not in known:
            raise _bad(path, f"unknown key {name!r}", f"known keys: {', '.join(known)}")
        if not isinstance(value, known[name]) or (isinstance(value, bool) and known[name] is not bool):
            raise _bad(path, f"{name} = {value!r} is of the wrong kind")


def _check_items(data: Mapping[str, Any], path: str) -> None:
    """Lists hold texts, but for sizes and seeds, which hold whole numbers, and systems."""
    for name, value in data.items():
        kind = int if name in ("sizes", "seeds") else str
        if isinstance(value, list) and name != "systems" and not all(type(one) is kind for one in value):
            raise _bad(
                path, f"{name} = {value!r}: a list of {'whole numbers' if kind is int else 'texts'} was expected"
            )


def _bad(path: str, message: str, hint: str = "") -> DataError:
    return DataError(Problem("K913", message, path, hint=hint))
