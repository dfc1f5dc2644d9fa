"""Whether data are as the schema says that they name: what a page can rely on before it shows a result.

As much of JSON Schema as karat's schemas use to say what must be there and of which type. Fields that they do not know
are let through: a later version may have written them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Schema = Mapping[str, Any]
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
_LARGEST = 1e18  # no count and no measure is


def fault_of(data: Any) -> str:
    """The first thing in a result that is not as its schema has it, in words; empty if there is none.

    >>> fault_of({"schema": "karat/score/99"})
    'no result of this version of karat has the schema karat/score/99'
    >>> fault_of({"schema": "karat/score/1", "signature": 7})
    'gold is missing'
    """
    name = data.get("schema")
    schema = _schemas().get(name) if isinstance(name, str) else None
    if schema is None:
        return f"no result of this version of karat has the schema {name}"
    return next(_faults(data, schema, schema, ""), "")


def _faults(data: Any, schema: Schema, root: Schema, place: str) -> Iterator[str]:
    if "$ref" in schema:
        named, whole = _referred(schema["$ref"], root)
        yield from _faults(data, named, whole, place)
    if "oneOf" in schema:
        every = [list(_faults(data, one, root, place)) for one in schema["oneOf"]]
        if all(every):  # what is said of a field within says more than that another kind was meant
            yield min(every, key=lambda faults: (faults[0].startswith(f"{place} must be"), len(faults)))[0]
    yield from _of_itself(data, schema, place or "it")
    if isinstance(data, dict):
        known = schema.get("properties", {})
        others = schema.get("additionalProperties")
        yield from (f"{_within(place, name)} is missing" for name in schema.get("required", ()) if name not in data)
        for name, value in data.items():
            of = known.get(name, others)
            if isinstance(of, dict):
                yield from _faults(value, of, root, _within(place, name))
    elif isinstance(data, list) and "items" in schema:
        for number, value in enumerate(data):
            yield from _faults(value, schema["items"], root, f"{place}[{number}]")


def _of_itself(data: Any, schema: Schema, place: str) -> Iterator[str]:
    """What is wrong with a value, whatever is in it."""
    wanted = schema.get("type")
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if kinds and not any(_is(data, kind) for kind in kinds):
        yield f"{place} must be {_either(kinds)}"
        return
    if "const" in schema and data != schema["const"]:
        yield f"{place} must be {schema['const']}"
    if "enum" in schema and data not in schema["enum"]:
        yield f"{place} must be {_either([str(one) for one in schema['enum']])}"
    if _is(data, "number") and not _fits(data, schema):
        yield f"{place} cannot be {data}" if abs(data) < _LARGEST else f"{place} is too large a number"
    if isinstance(data, str) and not re.search(schema.get("pattern", ""), data):
        yield f"{place} is not as karat writes it"
    if isinstance(data, list) and not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data)):
        yield f"{place} cannot have {len(data)} parts"


def _is(data: Any, kind: str) -> bool:
    if isinstance(data, bool):
        return kind == "boolean"
    return isinstance(data, _TYPES[kind]) or (kind == "integer" and isinstance(data, float) and data.is_integer())


def _fits(number: float, schema: Schema) -> bool:
    least, most = schema.get("minimum", number), schema.get("maximum", number)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    return bool(
        abs(number) < _LARGEST
        and least <= number <= most
        and (above is None or number > above)
        and (below is None or number < below)
    )


def _either(words: list[str]) -> str:
    return " or ".join(words)


def _within(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _referred(reference: str, root: Schema) -> tuple[Schema, Schema]:
    """What a reference names, and the schema that it stands in: `#/$defs/x`, `../score/1` or both."""
    file, _, path = reference.partition("#/")
    whole = _schemas()[file.replace("../", "karat/")] if file else root
    found = whole
    for step in filter(None, path.split("/")):
        found = found[step]
    return found, whole


@cache
def _schemas() -> dict[str, Schema]:
    folder = files("karat.report") / "schemas"
    every = [json.loads(one.read_text(encoding="utf-8")) for one in folder.iterdir() if one.name.endswith(".json")]
    return {one["$id"]: one for one in every}
