"""The JSON schemas say what each field is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import pytest

Schema = Mapping[str, Any]
FOLDER = files("karat") / "report" / "schemas"
SCHEMAS: dict[str, Schema] = {
    one["$id"]: one for one in (json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.iterdir())
}


def fields(schema: Schema, place: str = "") -> Iterator[tuple[str, Schema]]:
    """All fields below a schema, wherever they are stated, with their paths; NAME is a field of any name."""
    others = schema.get("additionalProperties")
    here = {**schema.get("properties", {}), **({"NAME": others} if isinstance(others, Mapping) else {})}
    for name, inner in here.items():
        yield f"{place}.{name}", inner
        yield from fields(inner, f"{place}.{name}")
    for part, inner in schema.get("$defs", {}).items():
        yield from fields(inner, f"{place}#{part}")
    for inner in (
        *([schema["items"]] if "items" in schema else []),
        *schema.get("oneOf", ()),
        *schema.get("anyOf", ()),
    ):
        yield from fields(inner, place)


def is_described(field: Schema, root: Schema) -> bool:
    """Whether a field has a description of its own or refers to something that has one."""
    if field.get("description"):
        return True
    if "$ref" not in field:
        return False
    file, _, path = field["$ref"].partition("#/")
    found = root = SCHEMAS[file.replace("../", "karat/")] if file else root
    for step in filter(None, path.split("/")):
        found = found[step]
    return is_described(found, root)


def undescribed(schema: Schema) -> list[str]:
    return [place for place, field in fields(schema) if not is_described(field, schema)]


def may_be_null(field: Schema) -> bool:
    kinds = field.get("type", ())
    alternatives = (*field.get("oneOf", ()), *field.get("anyOf", ()))
    return "$ref" in field or kinds == "null" or "null" in kinds or any(map(may_be_null, alternatives))


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_field_says_what_it_is(name: str) -> None:
    assert undescribed(SCHEMAS[name]) == []


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_only_fields_that_may_be_null_say_when_they_are(name: str) -> None:
    said = [(place, field) for place, field in fields(SCHEMAS[name]) if "null" in field.get("description", "")]
    assert [place for place, field in said if not may_be_null(field)] == []


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_descriptions_are_phrases_that_pages_can_join(name: str) -> None:
    """Pages put a semicolon or a full stop after them."""
    said = [(place, field["description"]) for place, field in fields(SCHEMAS[name]) if "description" in field]
    assert [place for place, text in said if text != text.strip(" .;") or "\n" in text] == []


def test_a_field_without_a_description_is_found_wherever_it_is_stated() -> None:
    bare: Schema = {"type": "integer"}
    known: Schema = {"type": "integer", "description": "how many"}
    schema = {
        "properties": {"known": known, "bare": bare, "list": {**known, "items": {"properties": {"in_list": bare}}}},
        "additionalProperties": bare,
        "oneOf": [{"properties": {"either": bare}}],
        "$defs": {"part": {"properties": {"x": bare, "y": known}}},
    }
    assert undescribed(schema) == [".bare", ".list.in_list", ".NAME", "#part.x", ".either"]


def test_a_description_may_stand_where_a_reference_leads() -> None:
    parts = {"known": {"description": "a corpus"}, "bare": {"type": "string"}, "on": {"$ref": "#/$defs/known"}}
    names = {name: {"$ref": f"#/$defs/{name}"} for name in parts}
    schema = {"properties": {**names, "other": {"$ref": "../score/1#/$defs/corpus"}}, "$defs": parts}
    assert undescribed(schema) == [".bare"]
