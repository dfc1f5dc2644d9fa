"""How much categories matter: weights, absolute or conditional on the part of speech, and their files.

A file of weights is TOML and says how it was made:

    schema = "karat/weights/1"
    name = "poliqarp-2010"
    made = "occurrences in query logs …"
    tagset = "nkjp"

    [weights]
    pos = 37771
    case = 14055

    [conditional.ger]
    pos = 1
    case = 4
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from karat.corpus.shipped import shipped_names, shipped_or_file
from karat.corpus.source import PathLike
from karat.corpus.toml_text import toml_from_text
from karat.errors import DataError, Problem
from karat.result import Cell, Result, Table

SCHEMA = "karat/weights/1"
_LARGEST = 1e300  # so that sums are finite
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True, repr=False)
class Weights(Result):
    """Weights of categories, `pos` among them; `conditional` has them by part of speech, where they are known.

    `made` says how they were made, `signed` how a signature names them. `notes` are what must be said of them, and
    `problems` what was left out of what they were made from.
    """

    name: str
    absolute: Mapping[str, float]
    conditional: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    made: str = ""
    tagset: str = ""
    signed: str = ""
    notes: tuple[str, ...] = field(default=(), compare=False)
    problems: tuple[Problem, ...] = field(default=(), compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The weights as plain data, in the schema karat/weights/1."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "made": self.made,
            "tagset": self.tagset,
            "weights": dict(self.absolute),
            "conditional": {pos: dict(table) for pos, table in self.conditional.items()},
            "notes": list(self.notes),
        }

    def records(self) -> Table:
        """One row for each weight; `pos` is the part of speech that it is conditional on."""
        rows: list[list[Cell]] = [[None, name, value] for name, value in self.absolute.items()]
        rows += [[pos, name, value] for pos, table in self.conditional.items() for name, value in table.items()]
        return Table(["pos", "category", "weight"], rows)

    def view(self) -> Table:
        """The weights, with how they were made."""
        records = self.records()
        return Table(records.columns, records.rows, self.name, [self.made, *self.notes])


def shipped_weights() -> tuple[str, ...]:
    """The names of the weights that karat has."""
    return shipped_names("karat.weights")


def read_weights(name: PathLike | Weights) -> Weights:
    """Shipped weights by their name, or those in a file."""
    return name if isinstance(name, Weights) else _weights_from_text(*shipped_or_file(name, "karat.weights", "weights"))


def _weights_from_text(text: str, path: str, signed: str) -> Weights:
    try:
        data = toml_from_text(text)
    except ValueError as error:
        raise _wrong(path, f"not TOML: {error}") from None
    if data.get("schema") != SCHEMA:
        raise _wrong(path, f"it does not have schema = {SCHEMA!r}")
    absolute = _numbers(data.get("weights", {}), "weights", path)
    conditional = data.get("conditional", {})
    if not isinstance(conditional, dict):
        raise _wrong(path, "conditional is not a table")
    by_pos = {pos: _numbers(table, f"conditional.{pos}", path) for pos, table in conditional.items()}
    if not any(value for table in (absolute, *by_pos.values()) for value in table.values()):
        raise _wrong(path, "it has no weights, or all are 0")
    made, tagset = str(data.get("made", "")), str(data.get("tagset", ""))
    return Weights(str(data.get("name", path)), absolute, by_pos, made, tagset, signed)


def _numbers(table: object, where: str, path: str) -> dict[str, float]:
    if not isinstance(table, dict):
        raise _wrong(path, f"{where} is not a table")
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST:
            raise _wrong(path, f"{where}: the weight of {name} is {value!r}, not a non-negative number")
    return {name: float(value) for name, value in table.items()}


def _wrong(path: str, message: str) -> DataError:
    return DataError(Problem("K811", message, path, hint="docs/weights.md describes files of weights"))


def weights_text(weights: Weights) -> str:
    """The file of weights, as TOML."""
    lines = [f"schema = {_quoted(SCHEMA)}", f"name = {_quoted(weights.name)}"]
    lines += [f"{key} = {_quoted(text)}" for key, text in (("made", weights.made), ("tagset", weights.tagset)) if text]
    if weights.absolute:
        lines += ["", "[weights]", *_written(weights.absolute.items())]
    for pos, table in weights.conditional.items():
        lines += ["", f"[conditional.{_key(pos)}]", *_written(table.items())]
    return "\n".join(lines) + "\n"


def _written(table: Iterable[tuple[str, float]]) -> list[str]:
    return [
        f"{_key(name)} = {int(value) if float(value).is_integer() else repr(float(value))}" for name, value in table
    ]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
